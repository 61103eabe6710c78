//! What a program does with its watched arrays: where it accesses them, what it writes there, and what it compares
//! their elements with.

use assay_base::{FastMap, FastSet};
use assay_cfa::{Operation, Program, VarId};
use assay_passes::cells::WatchedArray;
use assay_term::{Bits, Node, Op, SymbolId, Term, Terms};

/// How much of each kind is looked at.
const MOST_COMPARISONS: usize = 6;
const MOST_PLACES: usize = 2;
const MOST_SHIFTS: usize = 4;
const MOST_CONTENTS: usize = 8;
const MOST_STRIDES: usize = 6;
const MOST_ACCESSES: usize = 60;
/// How often what loops write is put into what later ones write.
const MOST_PASSES: usize = 4;

/// What is known of the arrays in a whole program.
#[derive(Default)]
pub(super) struct ArrayUses {
    /// Registers that an element was read into, with the arrays.
    pub elements: FastMap<SymbolId, Vec<usize>>,
    /// Registers that are indices of an array somewhere: an access is at the register times the width of a cell.
    pub indices: Vec<FastSet<SymbolId>>,
    /// Conditions that the program tests, with elements in them.
    pub comparisons: Vec<Term>,
    /// Equations of an index with something else.
    pub places: Vec<Term>,
    /// What is written to each array as a term over no element and no register but indices.
    pub contents: Vec<Vec<Term>>,
    /// Where accesses come by every so many cells of an array: the stride, and the rest.
    pub strides: Vec<Vec<(u128, u128)>>,
    /// Accesses in pairs: where one is at an offset, the other is at this function of it.
    pub shifts: Vec<Shift>,
}

/// An access of one array beside one of another, or the same.
pub(super) struct Shift {
    pub from: usize,
    pub to: usize,
    /// The register that both offsets are made of.
    pub register: SymbolId,
    /// The first offset is so many times the register.
    pub stride: u128,
    /// The second offset.
    pub offset: Term,
}

impl ArrayUses {
    pub(super) fn of(program: &Program, terms: &Terms, arrays: &[WatchedArray]) -> Self {
        if arrays.is_empty() {
            return ArrayUses::default();
        }
        let look = Look { program, terms, arrays };
        let (elements, indices) = (look.elements(), arrays.iter().map(|array| look.indices(array)).collect::<Vec<_>>());
        let tests = look.tests();
        let has = |test: &Term, what: &dyn Fn(SymbolId) -> bool| terms.free_symbols(*test).into_iter().any(what);
        let mut comparisons: Vec<Term> = tests.iter().copied().filter(|test| has(test, &|symbol| elements.contains_key(&symbol))).collect();
        comparisons.truncate(MOST_COMPARISONS);
        let is_index = |symbol| indices.iter().any(|of| of.contains(&symbol));
        let equation = |test: &Term| terms.node(*test).op == Op::Eq && has(test, &is_index) && !comparisons.contains(test);
        let mut places: Vec<Term> = tests.iter().copied().filter(equation).collect();
        places.truncate(MOST_PLACES);
        let contents = look.contents(&elements, &indices);
        let strides = arrays.iter().map(|array| look.strides(array)).collect();
        ArrayUses { elements, indices, comparisons, places, contents, strides, shifts: look.shifts() }
    }
}

struct Look<'a> {
    program: &'a Program,
    terms: &'a Terms,
    arrays: &'a [WatchedArray],
}

impl Look<'_> {
    fn assigned(&self, to: VarId) -> impl Iterator<Item = Term> + '_ {
        self.program.edges.iter().filter_map(move |edge| match edge.operation {
            Operation::Assign { target, value } if target == to => Some(value),
            _ => None,
        })
    }

    /// An element is what the register of the last read takes.
    fn elements(&self) -> FastMap<SymbolId, Vec<usize>> {
        let mut found: FastMap<SymbolId, Vec<usize>> = FastMap::default();
        for (index, array) in self.arrays.iter().enumerate() {
            for symbol in self.assigned(array.reads[0].value).filter_map(|value| symbol_of(&self.terms.node(value))) {
                let arrays = found.entry(symbol).or_default();
                if !arrays.contains(&index) {
                    arrays.push(index);
                }
            }
        }
        found
    }

    fn indices(&self, array: &WatchedArray) -> FastSet<SymbolId> {
        let bytes = self.terms.width(self.terms.symbol(array.cells[0].value.symbol())) / 8;
        let index = |offset| self.stride(offset).filter(|&(_, stride)| stride == u128::from(bytes)).map(|(symbol, _)| symbol);
        self.assigned(array.offset).filter_map(index).collect()
    }

    fn strides(&self, array: &WatchedArray) -> Vec<(u128, u128)> {
        let bytes = self.terms.width(self.terms.symbol(array.cells[0].value.symbol())) / 8;
        let mut found: Vec<(u128, u128)> = Vec::new();
        for linear in self.assigned(array.offset).filter_map(|offset| linear(self.terms, offset, bytes)) {
            let stride = (linear.stride, linear.rest);
            if linear.stride > 1 && !found.contains(&stride) && found.len() < MOST_STRIDES {
                found.push(stride);
            }
        }
        found
    }

    /// The register that an offset is a multiple of, and the factor.
    fn stride(&self, offset: Term) -> Option<(SymbolId, u128)> {
        let terms = self.terms;
        let [symbol] = terms.free_symbols(offset)[..] else { return None };
        let width = terms.width(offset);
        let one = |node: &Node| (symbol_of(node) == Some(symbol)).then(|| terms.number(node.width(), 1));
        let stride = terms.as_constant(terms.substitute(offset, &mut |node| one(node)))?.value();
        let of = |signed| terms.mul(terms.resize(terms.symbol(symbol), width, signed), terms.number(width, stride));
        (offset == of(true) || offset == of(false)).then_some((symbol, stride))
    }

    /// The comparisons in all conditions and arguments.
    fn tests(&self) -> Vec<Term> {
        let (mut found, mut seen) = (Vec::new(), FastSet::default());
        for edge in self.program.edges.iter() {
            let compared = match &edge.operation {
                Operation::Assume { condition } => vec![*condition],
                Operation::Call { arguments, .. } => arguments.clone(),
                _ => continue,
            };
            self.terms.post_order(compared, |condition, node| {
                if matches!(node.op, Op::Eq | Op::UnsignedLess | Op::SignedLess) && seen.insert(condition) {
                    found.push(condition);
                }
            });
        }
        found
    }

    /// What loops write, where it can be said without elements: in what is written, elements are replaced by what may
    /// have been written to them before. The index of the access stands for itself.
    fn contents(&self, elements: &FastMap<SymbolId, Vec<usize>>, indices: &[FastSet<SymbolId>]) -> Vec<Vec<Term>> {
        let terms = self.terms;
        let mut seen = FastSet::default();
        let writes: Vec<(usize, Term)> = (0..self.arrays.len())
            .flat_map(|index| {
                self.assigned(self.arrays[index].cells[0].value).filter_map(move |value| Some((index, written(terms, value)?)))
            })
            .filter(|&write| seen.insert(write))
            .take(MOST_ACCESSES)
            .collect();
        let mut contents: Vec<Vec<Term>> = vec![vec![]; self.arrays.len()];
        for _ in 0..MOST_PASSES {
            for &(array, value) in &writes {
                let symbols = terms.free_symbols(value);
                let read = symbols.iter().find_map(|symbol| elements.get(symbol).map(|arrays| (*symbol, arrays)));
                let known = |symbol: &SymbolId| elements.contains_key(symbol) || indices.iter().any(|of| of.contains(symbol));
                if !symbols.iter().all(known) {
                    continue;
                }
                let mut made = vec![value];
                if let Some((_, arrays)) = read {
                    // One content for every element of an array at a time.
                    let choices = arrays.iter().flat_map(|&from| contents[from].clone()).collect::<Vec<_>>();
                    let others = symbols.iter().filter(|symbol| elements.contains_key(symbol)).count() > 1;
                    made = choices
                        .into_iter()
                        .flat_map(|choice| {
                            let first = substitute(terms, value, read.map(|(symbol, _)| symbol), choice);
                            let second = symbols.iter().rev().find(|symbol| others && elements.contains_key(symbol));
                            let Some(second) = second else { return vec![first] };
                            let theirs = elements[second].iter().flat_map(|&from| contents[from].clone());
                            theirs.map(|content| substitute(terms, first, Some(*second), content)).collect()
                        })
                        .collect();
                }
                for content in made {
                    let without = terms.free_symbols(content).iter().all(|symbol| !elements.contains_key(symbol));
                    if without && !contents[array].contains(&content) && contents[array].len() < MOST_CONTENTS {
                        contents[array].push(content);
                    }
                }
            }
        }
        contents
    }

    fn shifts(&self) -> Vec<Shift> {
        let terms = self.terms;
        let offsets: Vec<(usize, Term)> =
            (0..self.arrays.len()).flat_map(|index| self.assigned(self.arrays[index].offset).map(move |offset| (index, offset))).collect();
        let mut found: Vec<Shift> = Vec::new();
        for &(from, plain) in &offsets {
            let Some((register, stride)) = self.stride(plain).filter(|&(_, stride)| stride > 0) else { continue };
            for &(to, offset) in &offsets {
                let related = offset != plain && terms.free_symbols(offset).contains(&register);
                let known = found.iter().any(|shift| (shift.from, shift.to, shift.offset) == (from, to, offset));
                if related && !known && found.len() < MOST_SHIFTS {
                    found.push(Shift { from, to, register, stride, offset });
                }
            }
        }
        found
    }
}

fn substitute(terms: &Terms, term: Term, symbol: Option<SymbolId>, by: Term) -> Term {
    terms.substitute(term, &mut |node| (symbol.is_some() && symbol_of(node) == symbol).then(|| terms.resize(by, node.width(), true)))
}

/// What an assignment to a cell's content writes where the offset is the cell's.
pub(super) fn written(terms: &Terms, value: Term) -> Option<Term> {
    let node = terms.node(value);
    (node.op == Op::Ite).then(|| node.operand(1))
}

/// The symbol of a leaf.
pub(super) fn symbol_of(node: &Node) -> Option<SymbolId> {
    (node.op == Op::Symbol).then(|| node.symbol())
}

/// An offset as an index: a sum of multiples of registers, and a constant.
pub(super) struct Linear {
    /// In cells, of the offset's width.
    pub index: Term,
    /// What every index of this form is a multiple of, but for the rest.
    pub stride: u128,
    pub rest: u128,
}

/// The index of the cell at an offset, where it is linear in few registers.
pub(super) fn linear(terms: &Terms, offset: Term, bytes: u32) -> Option<Linear> {
    let (width, bytes) = (terms.width(offset), i128::from(bytes));
    let symbols = terms.free_symbols(offset);
    if symbols.is_empty() || symbols.len() > 3 {
        return None;
    }
    let at = |values: &dyn Fn(SymbolId) -> u128| {
        let given = terms.substitute(offset, &mut |node| symbol_of(node).map(|symbol| terms.number(node.width(), values(symbol))));
        terms.as_constant(given).map(Bits::signed)
    };
    let constant = at(&|_| 0)?;
    let mut index = terms.number(width, (constant / bytes) as u128);
    let (mut stride, mut sum, mut whole) = (0u128, constant, constant % bytes == 0);
    // A value with its sign set tells how a register is widened, and whether the form is right.
    let probe = |symbol: SymbolId| u128::MAX - 6 - symbol.0 as u128 % 5;
    for &symbol in &symbols {
        let factor = at(&|other| u128::from(other == symbol))? - constant;
        whole &= factor % bytes == 0;
        let register = terms.symbol(symbol);
        let own = terms.width(register);
        let widened = |signed| terms.resize(terms.number(own, probe(symbol)), width, signed);
        let value = |signed| terms.as_constant(widened(signed)).map(Bits::signed);
        let alone = at(&|other| if other == symbol { probe(symbol) } else { 0 })? - constant;
        let fits =
            |signed| value(signed).is_some_and(|value| Bits::new(width, (value * factor) as u128) == Bits::new(width, alone as u128));
        let signed = [true, false].into_iter().find(|&signed| fits(signed))?;
        sum += value(signed)? * factor;
        stride = gcd(stride, (factor / bytes).unsigned_abs());
        let part = terms.mul(terms.resize(register, width, signed), terms.number(width, (factor / bytes) as u128));
        index = terms.add(index, part);
    }
    let linear = whole && at(&probe).map(|value| Bits::new(width, value as u128)) == Some(Bits::new(width, sum as u128));
    let rest = if stride > 1 { (constant / bytes).rem_euclid(stride as i128) as u128 } else { 0 };
    linear.then_some(Linear { index, stride, rest })
}

fn gcd(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { gcd(b, a % b) }
}
