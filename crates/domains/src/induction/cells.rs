//! Candidates for invariants about watched cells of arrays: what the rounds so far did to every cell that they came by.
//!
//! Each has the form *if the loop has (or has not) come by the watched cell, its content is so*. Whether it has is a
//! comparison of the watched offset with an offset that the loop accesses; what its content is comes from what the loop
//! writes there, from the comparisons that the program makes with elements (and two of these as alternatives), from
//! registers of the loop, and from cells of other arrays at the same offset.

use super::candidates::Candidate;
use assay_base::FastSet;
use assay_cfa::structure::Loop;
use assay_cfa::{EdgeId, Operation, Program, Scope, VarId};
use assay_passes::cells::{WatchedArray, WatchedCell};
use assay_term::{Node, Op, SymbolId, Term, Terms};

/// How many accesses of an array, values and registers are looked at in a loop.
const MOST_OFFSETS: usize = 4;
const MOST_VALUES: usize = 4;
const MOST_COMPARISONS: usize = 6;
const MOST_REGISTERS: usize = 5;

/// The candidates of one loop.
pub(super) fn relations(cells: &Cells<'_>, info: &Loop) -> Vec<Candidate> {
    let Cells { program, terms, arrays, .. } = *cells;
    let inside: FastSet<EdgeId> =
        info.locations.iter().flat_map(|&location| program.locations[location].outgoing.iter().copied()).collect();
    let mut inside: Vec<EdgeId> = inside.into_iter().collect();
    inside.sort();
    let look = Look { program, terms, info, inside, ghosts: &cells.ghosts };
    let mut found = Vec::new();
    let mut places: Vec<(usize, Vec<Term>)> = Vec::new();
    for (index, array) in arrays.iter().enumerate() {
        let offsets = look.offsets(array);
        if !offsets.is_empty() {
            places.push((index, offsets));
        }
    }
    for (index, offsets) in &places {
        for cell in &arrays[*index].cells {
            let contents = look.contents(cell, &cells.facts[*index]);
            let k = look.read(cell.index);
            let mut premises = vec![terms.true_()];
            for &offset in offsets {
                // Upwards, and downwards to where the offset is below zero.
                premises.extend([terms.ult(k, offset), terms.ule(offset, k), terms.slt(offset, k), terms.sle(k, offset)]);
            }
            // Two registers for one cell agree.
            for other in arrays[*index].cells.iter().filter(|other| other.index < cell.index) {
                let same = terms.eq(k, look.read(other.index));
                found.push(terms.implies(same, terms.eq(look.read(cell.value), look.read(other.value))));
            }
            for &premise in &premises {
                found.extend(contents.iter().map(|&content| terms.implies(premise, content)));
            }
            for (other, array) in arrays.iter().enumerate() {
                // Pairs are looked at once.
                let twice = other == *index || (other < *index && places.iter().any(|(place, _)| *place == other));
                let Some(theirs) = array.cells.iter().find(|theirs| theirs.index == cell.index && !twice) else { continue };
                let equal = terms.eq(look.read(cell.value), look.read(theirs.value));
                found.extend(premises.iter().map(|&premise| terms.implies(premise, equal)));
            }
        }
    }
    found.into_iter().map(Candidate::Holds).collect()
}

/// What is known of the watched cells in a whole program.
pub(super) struct Cells<'a> {
    program: &'a Program,
    terms: &'a Terms,
    arrays: &'a [WatchedArray],
    facts: Vec<Facts>,
    ghosts: FastSet<VarId>,
}

/// What the program does with one array.
struct Facts {
    comparisons: Vec<Comparison>,
    indices: FastSet<SymbolId>,
    /// Constants that are written to it.
    constants: Vec<Term>,
}

impl<'a> Cells<'a> {
    pub(super) fn of(program: &'a Program, terms: &'a Terms, arrays: &'a [WatchedArray]) -> Self {
        let facts = arrays.iter().map(|array| Facts::of(program, terms, array)).collect();
        Cells { program, terms, arrays, facts, ghosts: arrays.iter().flat_map(ghosts).collect() }
    }

    /// Whether a register stands for a part of an array.
    pub(super) fn is_part(&self, register: VarId) -> bool {
        self.ghosts.contains(&register)
    }
}

impl Facts {
    fn of(program: &Program, terms: &Terms, array: &WatchedArray) -> Self {
        let mut constants: Vec<Term> = Vec::new();
        for edge in program.edges.iter() {
            if let Operation::Assign { target, value } = edge.operation
                && target == array.cells[0].value
                && let Some(value) = written(terms, value).filter(|&value| terms.as_constant(value).is_some())
                && !constants.contains(&value)
            {
                constants.push(value);
            }
        }
        constants.truncate(MOST_VALUES);
        let (comparisons, indices) = (Self::comparisons(program, terms, array), Self::indices(program, terms, array));
        Facts { comparisons, indices, constants }
    }

    /// The registers that are indices of an array somewhere in the program: an access is at the register times the
    /// width of a cell.
    fn indices(program: &Program, terms: &Terms, array: &WatchedArray) -> FastSet<SymbolId> {
        let bytes = terms.width(terms.symbol(array.cells[0].value.symbol())) / 8;
        let offsets = program.edges.iter().filter_map(|edge| match edge.operation {
            Operation::Assign { target, value } if target == array.offset => Some(value),
            _ => None,
        });
        let index = |offset: Term| {
            let [symbol] = terms.free_symbols(offset)[..] else { return None };
            let width = terms.width(offset);
            let of = |signed| terms.mul(terms.resize(terms.symbol(symbol), width, signed), terms.number(width, u128::from(bytes)));
            (offset == of(true) || offset == of(false)).then_some(symbol)
        };
        offsets.filter_map(index).collect()
    }

    /// The comparisons that the program makes with elements of an array.
    fn comparisons(program: &Program, terms: &Terms, array: &WatchedArray) -> Vec<Comparison> {
        // An element is what the register of the last read takes.
        let latest = array.reads[0].value;
        let elements: FastSet<SymbolId> = program
            .edges
            .iter()
            .filter_map(|edge| match edge.operation {
                Operation::Assign { target, value } if target == latest => symbol_of(&terms.node(value)),
                _ => None,
            })
            .collect();
        let mut found: Vec<Comparison> = Vec::new();
        for edge in program.edges.iter() {
            let compared = match &edge.operation {
                Operation::Assume { condition } => vec![*condition],
                Operation::Call { arguments, .. } => arguments.clone(),
                _ => continue,
            };
            terms.post_order(compared, |condition, node| {
                if matches!(node.op, Op::Eq | Op::UnsignedLess | Op::SignedLess) {
                    let mut symbols = terms.free_symbols(condition).into_iter();
                    if let Some(element) = symbols.find(|symbol| elements.contains(symbol)) {
                        found.push(Comparison { condition, element });
                    }
                }
            });
        }
        found.sort();
        found.dedup();
        found.truncate(MOST_COMPARISONS);
        found
    }
}

/// What an assignment to a cell's content writes where the offset is the cell's.
fn written(terms: &Terms, value: Term) -> Option<Term> {
    let node = terms.node(value);
    (node.op == Op::Ite).then(|| node.operand(1))
}

/// The registers that stand for an array.
fn ghosts(array: &WatchedArray) -> impl Iterator<Item = VarId> + '_ {
    let cells = array.cells.iter().chain(&array.reads).flat_map(|cell| [cell.index, cell.value]);
    cells.chain([array.offset, array.size])
}

struct Look<'a> {
    program: &'a Program,
    terms: &'a Terms,
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
    /// anew in each round (as the index of an inner loop does), also with what it begins with.
    fn offsets(&self, array: &WatchedArray) -> Vec<Term> {
        let mut offsets: Vec<Term> = Vec::new();
        for offset in self.assignments(array.offset) {
            let anew = self.terms.substitute(offset, &mut |node| {
                let variable = (node.op == Op::Symbol).then(|| self.program.variable_of(node.symbol())).flatten()?;
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

    /// What a cell may hold, also as a function of its index.
    fn contents(&self, cell: &WatchedCell, facts: &Facts) -> Vec<Term> {
        let terms = self.terms;
        let content = self.read(cell.value);
        let width = terms.width(content);
        let offset = self.read(cell.index);
        let place = terms.binary(Op::UnsignedDiv, offset, terms.number(terms.width(offset), u128::from(width / 8)));
        let by_index = |term: Term| {
            terms.substitute(term, &mut |node| {
                let is_index = symbol_of(node).is_some_and(|symbol| facts.indices.contains(&symbol));
                is_index.then(|| terms.resize(place, node.width(), false))
            })
        };
        let written = self.assignments(cell.value).filter_map(|value| written(terms, value));
        let values = written.take(MOST_VALUES).chain(facts.constants.iter().copied());
        let mut found: Vec<Term> = values.flat_map(|value| [terms.eq(content, value), terms.eq(content, by_index(value))]).collect();
        for comparison in &facts.comparisons {
            let here = terms.substitute(comparison.condition, &mut |node| (symbol_of(node) == Some(comparison.element)).then_some(content));
            let there = by_index(here);
            found.extend([here, terms.not(here), there, terms.not(there)]);
        }
        let mut seen = FastSet::default();
        found.retain(|&term| terms.as_constant(term).is_none() && self.is_visible(term) && seen.insert(term));
        let single = found.len();
        for index in 0..single {
            for other in index + 1..single {
                found.push(terms.or(found[index], found[other]));
            }
        }
        for register in self.registers(width).into_iter().map(|register| self.read(register)).chain([terms.resize(place, width, false)]) {
            found.extend([terms.eq(content, register), terms.sle(content, register), terms.sle(register, content)]);
        }
        found.retain(|&term| terms.as_constant(term).is_none());
        found
    }

    /// Whether a term can be evaluated at the loop's head.
    fn is_visible(&self, term: Term) -> bool {
        self.terms.free_symbols(term).into_iter().all(|symbol| {
            self.program.variable_of(symbol).is_some_and(|variable| {
                let scope = self.program.variables[variable].scope;
                scope == Scope::Global || scope == Scope::Local(self.info.function)
            })
        })
    }

    /// Registers of the source that the loop uses, of this width.
    fn registers(&self, width: u32) -> Vec<VarId> {
        let mut found: Vec<VarId> = Vec::new();
        for &edge in &self.inside {
            let operation = &self.program.edges[edge].operation;
            let symbols = operation.terms().into_iter().flat_map(|term| self.terms.free_symbols(term));
            let variables = symbols.filter_map(|symbol| self.program.variable_of(symbol)).chain(operation.written_register());
            for variable in variables {
                let info = &self.program.variables[variable];
                let visible = info.scope == Scope::Global || info.scope == Scope::Local(self.info.function);
                let named = !info.source_name.is_empty() && info.register_width() == Some(width);
                if visible && named && !self.ghosts.contains(&variable) && !found.contains(&variable) {
                    found.push(variable);
                }
            }
        }
        found.truncate(MOST_REGISTERS);
        found
    }
}

/// The symbol of a leaf.
fn symbol_of(node: &Node) -> Option<SymbolId> {
    (node.op == Op::Symbol).then(|| node.symbol())
}

/// A comparison with an element of an array, and the register that holds the element there.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Comparison {
    condition: Term,
    element: SymbolId,
}
