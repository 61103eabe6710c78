//! Candidates for invariants about watched cells of arrays: what the iterations so far did to every cell that they came
//! by.
//!
//! Each has the form *if the loop has (or has not) come by the watched offset, contents there are so*. Whether it has
//! is a comparison of the watched offset with an offset that the loop accesses, perhaps only as long as a flag of the
//! loop is not set. What is said of contents comes from what the program writes, from the comparisons that it makes
//! with elements (of several arrays at the same offset, and two of these as alternatives), and from registers of the
//! loop. Where accesses come in pairs (`a[i]` with `b[n - i]`, or two members of one structure), contents at two
//! watched offsets that are as far from each other are related, too.

mod array_uses;

use super::candidates::Candidate;
use array_uses::{ArrayUses, Shift, linear, symbol_of, written};
use assay_base::FastSet;
use assay_cfa::structure::Loop;
use assay_cfa::{EdgeId, Operation, Program, Scope, VarId};
use assay_passes::cells::{WatchedArray, WatchedCell};
use assay_term::{Node, Op, SymbolId, Term, Terms};

/// How many accesses of an array, values, flags, registers and alternatives are looked at in a loop.
const MOST_OFFSETS: usize = 4;
const MOST_VALUES: usize = 4;
const MOST_FLAGS: usize = 2;
const MOST_REGISTERS: usize = 5;
const MOST_ALTERNATIVES: usize = 150;

/// The candidates of one loop.
pub(super) fn relations(cells: &Cells<'_>, info: &Loop) -> Vec<Candidate> {
    let Cells { program, terms, arrays, .. } = *cells;
    if arrays.is_empty() {
        return vec![];
    }
    let inside: FastSet<EdgeId> =
        info.locations.iter().flat_map(|&location| program.locations[location].outgoing.iter().copied()).collect();
    let mut inside: Vec<EdgeId> = inside.into_iter().collect();
    inside.sort();
    let look = Look { program, terms, arrays, array_uses: &cells.array_uses, info, inside, ghosts: &cells.ghosts };
    let offsets: Vec<Vec<Term>> = arrays.iter().map(|array| look.offsets(array)).collect();
    let flags = look.flags();
    let mut found = Vec::new();
    let mut done: FastSet<VarId> = FastSet::default();
    for (array, own) in arrays.iter().enumerate() {
        for cell in &own.cells {
            // Two registers for one cell agree.
            for other in own.cells.iter().filter(|other| other.index < cell.index && !offsets[array].is_empty()) {
                let same = terms.eq(look.read(cell.index), look.read(other.index));
                found.push(terms.implies(same, terms.eq(look.read(cell.value), look.read(other.value))));
            }
            if !done.insert(cell.index) {
                continue;
            }
            let here = look.cells_at(cell.index);
            let accessed: Vec<Term> = here.iter().flat_map(|&(array, _)| offsets[array].iter().copied()).collect();
            let premises = look.premises(cell.index, &accessed);
            let (single, alternatives) = if accessed.is_empty() { (vec![], vec![]) } else { look.contents(cell.index, &here) };
            for &premise in &premises {
                found.extend(single.iter().chain(&alternatives).map(|&content| terms.implies(premise, content)));
                for &flag in &flags {
                    let premise = terms.and(premise, flag);
                    found.extend(single.iter().map(|&content| terms.implies(premise, content)));
                }
            }
        }
    }
    for (array, offsets) in arrays.iter().zip(&offsets) {
        found.extend(look.before_mark(array, offsets));
    }
    for shift in &cells.array_uses.shifts {
        if !offsets[shift.from].is_empty() || !offsets[shift.to].is_empty() {
            found.extend(look.shifted(shift, &offsets));
        }
    }
    found.into_iter().map(Candidate::Holds).collect()
}

/// What is known of the watched cells in a whole program.
pub(super) struct Cells<'a> {
    program: &'a Program,
    terms: &'a Terms,
    arrays: &'a [WatchedArray],
    array_uses: ArrayUses,
    ghosts: FastSet<VarId>,
}

impl<'a> Cells<'a> {
    pub(super) fn of(program: &'a Program, terms: &'a Terms, arrays: &'a [WatchedArray]) -> Self {
        Cells {
            program,
            terms,
            arrays,
            array_uses: ArrayUses::of(program, terms, arrays),
            ghosts: arrays.iter().flat_map(ghosts).collect(),
        }
    }

    /// Whether a register stands for a part of an array.
    pub(super) fn is_part(&self, register: VarId) -> bool {
        self.ghosts.contains(&register)
    }
}

/// The registers that stand for an array.
fn ghosts(array: &WatchedArray) -> impl Iterator<Item = VarId> + '_ {
    let cells = array.known().flat_map(|cell| [cell.index, cell.value]);
    cells.chain([array.offset, array.size])
}

struct Look<'a> {
    program: &'a Program,
    terms: &'a Terms,
    arrays: &'a [WatchedArray],
    array_uses: &'a ArrayUses,
    info: &'a Loop,
    /// The edges of the loop.
    inside: Vec<EdgeId>,
    ghosts: &'a FastSet<VarId>,
}

impl Look<'_> {
    fn read(&self, variable: VarId) -> Term {
        self.terms.symbol(variable.symbol())
    }

    fn assignments(&self, to: VarId) -> impl Iterator<Item = Term> + '_ {
        self.inside.iter().filter_map(move |&edge| match self.program.edges[edge].operation {
            Operation::Assign { target, value } if target == to => Some(value),
            _ => None,
        })
    }

    /// The offsets at which the loop accesses an array, as terms over registers at its head. Where a register begins
    /// anew in each iteration (as the index of an inner loop does), also with what it begins with.
    fn offsets(&self, array: &WatchedArray) -> Vec<Term> {
        let mut offsets: Vec<Term> = Vec::new();
        let variable = |node: &Node| symbol_of(node).and_then(|symbol| self.program.variable_of(symbol));
        for offset in self.assignments(array.offset) {
            // Temporaries are copies of what has its value at the head, as in `*p++`.
            let offset = self.terms.substitute(offset, &mut |node| {
                let temporary = variable(node).filter(|&copy| self.program.variables[copy].source_name.is_empty())?;
                let mut values = self.assignments(temporary);
                values.next().filter(|_| values.next().is_none())
            });
            let anew = self.terms.substitute(offset, &mut |node| {
                let variable = variable(node)?;
                self.assignments(variable).find(|&value| self.terms.as_constant(value).is_some())
            });
            for offset in [offset, anew] {
                if self.terms.as_constant(offset).is_none() && !offsets.contains(&offset) {
                    offsets.push(offset);
                }
            }
        }
        offsets.truncate(MOST_OFFSETS);
        offsets
    }

    /// Whether the loop has come by a watched offset, along its path up or down. Indices are compared where there are
    /// any (they wrap later than offsets); with a stride, also for those cells alone that the loop comes by.
    fn premises(&self, index: VarId, offsets: &[Term]) -> Vec<Term> {
        let (terms, k) = (self.terms, self.read(index));
        let mut premises = vec![terms.true_()];
        let bytes = self.bytes(index);
        let place = self.place(index, bytes);
        let number = |value| terms.number(terms.width(k), value);
        let met = |(stride, rest)| terms.eq(terms.binary(Op::UnsignedRem, place, number(stride)), number(rest));
        for &offset in offsets.iter().filter(|&&offset| self.is_visible(offset)) {
            let Some(linear) = linear(terms, offset, bytes) else {
                premises.extend([terms.ult(k, offset), terms.ule(offset, k), terms.slt(offset, k), terms.sle(k, offset)]);
                continue;
            };
            let at = linear.index;
            premises.extend([terms.slt(place, at), terms.sle(at, place), terms.slt(at, place), terms.sle(place, at)]);
            if linear.stride > 1 {
                let met = met((linear.stride, linear.rest));
                premises.extend([terms.and(met, terms.slt(place, at)), terms.and(met, terms.slt(at, place))]);
            }
        }
        let here = self.cells_at(index);
        premises.extend(here.iter().flat_map(|(array, _)| &self.array_uses.strides[*array]).map(|&stride| met(stride)));
        let mut seen = FastSet::default();
        premises.retain(|&premise| seen.insert(premise));
        premises
    }

    /// The bytes of a cell at a watched offset.
    fn bytes(&self, index: VarId) -> u32 {
        let cell = self.arrays.iter().flat_map(|array| &array.cells).find(|cell| cell.index == index);
        cell.map_or(1, |cell| self.terms.width(self.read(cell.value)) / 8)
    }

    /// The index of a watched cell.
    fn place(&self, index: VarId, bytes: u32) -> Term {
        let offset = self.read(index);
        self.terms.binary(Op::UnsignedDiv, offset, self.terms.number(self.terms.width(offset), u128::from(bytes)))
    }

    /// Flags are registers that the loop sets to constants alone: each has not been set.
    fn flags(&self) -> Vec<Term> {
        let mut found: Vec<(VarId, Option<Term>)> = Vec::new();
        for &edge in &self.inside {
            let operation = &self.program.edges[edge].operation;
            let Some(target) = operation.written_register().filter(|&target| self.is_own(target)) else { continue };
            let constant = match operation {
                Operation::Assign { value, .. } => Some(*value).filter(|&value| self.terms.as_constant(value).is_some()),
                _ => None,
            };
            match found.iter_mut().find(|(known, _)| *known == target) {
                Some((_, value)) if *value != constant => *value = None,
                Some(_) => {}
                None => found.push((target, constant)),
            }
        }
        let unset = found.into_iter().filter_map(|(flag, value)| Some(self.terms.not(self.terms.eq(self.read(flag), value?))));
        unset.take(MOST_FLAGS).collect()
    }

    /// The arrays that have a cell at a watched offset.
    fn cells_at(&self, index: VarId) -> Vec<(usize, &WatchedCell)> {
        let cell = |array: &&WatchedArray| array.cells.iter().position(|cell| cell.index == index);
        let at = self.arrays.iter().enumerate().filter_map(|(n, array)| Some((n, &array.cells[cell(&array)?])));
        at.collect()
    }

    /// What cells at one watched offset may hold, also as a function of it; and alternatives of two of these.
    fn contents(&self, index: VarId, here: &[(usize, &WatchedCell)]) -> (Vec<Term>, Vec<Term>) {
        let terms = self.terms;
        let place = self.place(index, self.bytes(index));
        // Elements are those at the offset, and indices what it is an offset of.
        let is_index = |symbol: SymbolId| here.iter().any(|(array, _)| self.array_uses.indices[*array].contains(&symbol));
        let with_place = |term: Term, replaced: &dyn Fn(SymbolId) -> bool| {
            terms.substitute(term, &mut |node| {
                symbol_of(node).filter(|&symbol| replaced(symbol)).map(|_| terms.resize(place, node.width(), false))
            })
        };
        let at_place = |term: Term| with_place(term, &is_index);
        let elements = |term: Term, except: Option<usize>| {
            let mut missing = false;
            let result = terms.substitute(term, &mut |node| {
                let arrays = self.array_uses.elements.get(&symbol_of(node)?)?;
                let cell = here.iter().find(|(array, _)| arrays.contains(array) && Some(*array) != except);
                missing |= cell.is_none();
                cell.map(|(_, cell)| terms.resize(self.read(cell.value), node.width(), true))
            });
            (!missing).then_some(result)
        };
        let mut found: Vec<Term> = Vec::new();
        for &(array, cell) in here {
            let content = self.read(cell.value);
            let values = self.assignments(cell.value).filter_map(|value| elements(written(terms, value)?, Some(array)));
            for value in values.take(MOST_VALUES).chain(self.array_uses.contents[array].iter().copied()) {
                found.extend([terms.eq(content, value), terms.eq(content, at_place(value))]);
            }
        }
        for &comparison in &self.array_uses.comparisons {
            if let Some(here) = elements(comparison, None) {
                let there = at_place(here);
                found.extend([here, terms.not(here), there, terms.not(there)]);
                // One of several indices is that of the element.
                let indices: Vec<SymbolId> = terms.free_symbols(here).into_iter().filter(|&symbol| is_index(symbol)).collect();
                if indices.len() > 1 {
                    found.extend(indices.into_iter().map(|index| with_place(here, &|symbol| symbol == index)));
                }
            }
        }
        let mut seen = FastSet::default();
        found.retain(|&term| terms.as_constant(term).is_none() && self.is_visible(term) && seen.insert(term));
        let mut alternatives = Vec::new();
        let places = self.array_uses.places.iter().map(|&equation| at_place(equation)).filter(|&equation| self.is_visible(equation));
        for place in places {
            alternatives.extend(found.iter().map(|&content| terms.or(content, place)));
        }
        for (index, &content) in found.iter().enumerate() {
            alternatives.extend(found[index + 1..].iter().map(|&other| terms.or(content, other)));
        }
        alternatives.retain(|&term| terms.as_constant(term).is_none());
        alternatives.truncate(MOST_ALTERNATIVES);
        for (n, &(_, cell)) in here.iter().enumerate() {
            let content = self.read(cell.value);
            let width = terms.width(content);
            let registers = self.registers(width).into_iter().map(|register| self.read(register));
            for register in registers.chain([terms.resize(place, width, false)]) {
                found.extend([terms.eq(content, register), terms.sle(content, register), terms.sle(register, content)]);
            }
            let others = here[n + 1..].iter().map(|(_, other)| self.read(other.value)).filter(|&other| terms.width(other) == width);
            found.extend(others.map(|other| terms.eq(content, other)));
        }
        let mut seen = FastSet::default();
        found.retain(|&term| terms.as_constant(term).is_none() && seen.insert(term));
        (found, alternatives)
    }

    /// The loop looks for what the program has put somewhere, as for the end of a text: it is still there, and the loop
    /// has not gone past it.
    fn before_mark(&self, array: &WatchedArray, offsets: &[Term]) -> Vec<Term> {
        let Some(mark) = array.mark else { return vec![] };
        let (terms, end) = (self.terms, self.read(mark.index));
        let mut found: Vec<Term> =
            offsets.iter().filter(|&&offset| self.is_visible(offset)).map(|&offset| terms.ule(offset, end)).collect();
        let edges = self.program.edges.iter();
        let constants = edges.filter_map(|edge| match edge.operation {
            Operation::Assign { target, value } if target == mark.value => terms.as_constant(value).map(|_| value),
            _ => None,
        });
        if !offsets.is_empty() {
            found.extend(constants.map(|constant| terms.eq(self.read(mark.value), constant)));
        }
        found
    }

    /// What is said of contents at two watched offsets that are as far from each other as two accesses.
    fn shifted(&self, shift: &Shift, offsets: &[Vec<Term>]) -> Vec<Term> {
        let terms = self.terms;
        let mut found = Vec::new();
        let (one, two) = (&self.arrays[shift.from], &self.arrays[shift.to]);
        for first in &one.cells[one.own.clone()] {
            for second in two.cells[two.own.clone()].iter().filter(|second| second.index != first.index) {
                let (k, l) = (self.read(first.index), self.read(second.index));
                let stride = terms.number(terms.width(k), shift.stride);
                let base = terms.binary(Op::UnsignedDiv, k, stride);
                let to = terms.substitute(shift.offset, &mut |node| {
                    (symbol_of(node) == Some(shift.register)).then(|| terms.resize(base, node.width(), false))
                });
                let whole = terms.not(terms.is_nonzero(terms.binary(Op::UnsignedRem, k, stride)));
                let apart = terms.and(whole, terms.eq(l, to));
                if !self.is_visible(apart) {
                    continue;
                }
                let (a, b) = (self.read(first.value), self.read(second.value));
                let mut contents = Vec::new();
                if terms.width(a) == terms.width(b) {
                    contents.push(terms.eq(a, b));
                }
                contents.extend(self.compared(shift, a, b));
                let single = contents.len();
                for index in 0..single {
                    contents.extend((index + 1..single).map(|other| terms.or(contents[index], contents[other])).collect::<Vec<_>>());
                }
                let mut premises = self.premises(first.index, &offsets[shift.from]);
                premises.extend(self.premises(second.index, &offsets[shift.to]).split_off(1));
                for premise in premises.into_iter().map(|premise| terms.and(apart, premise)) {
                    found.extend(contents.iter().map(|&content| terms.implies(premise, content)));
                }
            }
        }
        found
    }

    /// The comparisons with one element of each of the arrays of a shift.
    fn compared(&self, shift: &Shift, a: Term, b: Term) -> Vec<Term> {
        let terms = self.terms;
        let mut found = Vec::new();
        for &comparison in &self.array_uses.comparisons {
            let mut elements = terms.free_symbols(comparison);
            elements.retain(|symbol| self.array_uses.elements.contains_key(symbol));
            let [first, second] = elements[..] else { continue };
            for (first, second) in [(first, second), (second, first)] {
                let of = |symbol, array| self.array_uses.elements[&symbol].contains(&array);
                if !of(first, shift.from) || !of(second, shift.to) {
                    continue;
                }
                let here = terms.substitute(comparison, &mut |node| match symbol_of(node)? {
                    symbol if symbol == first => Some(terms.resize(a, node.width(), true)),
                    symbol if symbol == second => Some(terms.resize(b, node.width(), true)),
                    _ => None,
                });
                if self.is_visible(here) {
                    found.extend([here, terms.not(here)]);
                }
            }
        }
        found
    }

    /// Whether a term can be evaluated at the loop's head.
    fn is_visible(&self, term: Term) -> bool {
        self.terms.free_symbols(term).into_iter().all(|symbol| self.program.variable_of(symbol).is_some_and(|variable| self.sees(variable)))
    }

    fn sees(&self, variable: VarId) -> bool {
        let scope = self.program.variables[variable].scope;
        scope == Scope::Global || scope == Scope::Local(self.info.function)
    }

    /// Whether a register is one of the source that the loop sees.
    fn is_own(&self, variable: VarId) -> bool {
        self.sees(variable) && !self.program.variables[variable].source_name.is_empty() && !self.ghosts.contains(&variable)
    }

    /// Registers of the source that the loop uses, of this width.
    fn registers(&self, width: u32) -> Vec<VarId> {
        let mut found: Vec<VarId> = Vec::new();
        for &edge in &self.inside {
            let operation = &self.program.edges[edge].operation;
            let symbols = operation.terms().into_iter().flat_map(|term| self.terms.free_symbols(term));
            let variables = symbols.filter_map(|symbol| self.program.variable_of(symbol)).chain(operation.written_register());
            for variable in variables {
                let fits = self.program.variables[variable].register_width() == Some(width);
                if fits && self.is_own(variable) && !found.contains(&variable) {
                    found.push(variable);
                }
            }
        }
        found.truncate(MOST_REGISTERS);
        found
    }
}
