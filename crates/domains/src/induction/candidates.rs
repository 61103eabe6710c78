//! Candidates for invariants at the heads of loops, and for what holds where recursive functions are entered and left:
//! relations between registers that may or may not hold. Those that stand are the precision of induction. Each is
//! assumed where a step of induction begins and checked wherever a path arrives. Where one fails a check, the step has
//! a marked successor that says so; refinement takes it out of the precision and everything is explored without it, so
//! that what is left in the end holds.

use super::Suggestions;
use super::cells::Cells;
use super::state::InductionState;
use crate::value::ValuePrecision;
use assay_base::{FastMap, FastSet};
use assay_cfa::structure::{LoopId, Structure};
use assay_cfa::types::CType;
use assay_cfa::{FunctionId, Operation, Program, Scope, VarId};
use assay_passes::cells::WatchedArray;
use assay_term::{Bits, Op, Term, Terms};
use std::sync::Arc;

/// How many registers of a loop are related to each other.
const MOST_REGISTERS: usize = 10;
/// How many constant steps of a register are looked at.
const MOST_STEPS: usize = 3;

/// One candidate.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Candidate {
    /// A condition over registers.
    Holds(Term),
    /// A term over registers keeps the value that it has where the loop is entered.
    Keeps(Term),
    /// It never has a smaller one.
    Rises { term: Term, signed: bool },
    /// It never has a larger one.
    Falls { term: Term, signed: bool },
}

/// Where candidates are met.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Spot {
    /// At the head of the loop.
    Loop(LoopId),
    /// Where the function is called; about its parameters.
    Entry(FunctionId),
    /// Where it returns; about the values that its parameters had at the entry, and its result.
    Exit(FunctionId),
}

/// The candidates of all loops and recursive functions.
#[derive(Clone, Debug, Default)]
pub(super) struct Candidates {
    spots: FastMap<Spot, Arc<[Candidate]>>,
}

/// A candidate that does not hold where it was met.
pub(super) type Failure = (Spot, Candidate);

/// The candidates of one step: those that stood before it, but for those that it shows to fail.
pub(super) struct Met<'a> {
    standing: &'a Candidates,
    pub failed: Vec<Failure>,
}

impl<'a> Met<'a> {
    pub(super) fn new(precision: &'a InductionPrecision) -> Self {
        Met { standing: &precision.standing, failed: vec![] }
    }

    /// The candidates of a spot that stand.
    pub(super) fn at(&self, spot: Spot) -> impl Iterator<Item = Candidate> + use<'a, '_> {
        self.standing.at(spot).iter().copied().filter(move |&candidate| !self.failed.contains(&(spot, candidate)))
    }

    pub(super) fn fail(&mut self, spot: Spot, candidate: Candidate) {
        self.failed.push((spot, candidate));
    }
}

/// What induction goes by: values are tracked in full, and these candidates for invariants stand.
#[derive(Clone, Debug)]
pub struct InductionPrecision {
    pub(super) values: ValuePrecision,
    pub(super) standing: Arc<Candidates>,
}

impl InductionPrecision {
    /// Takes out what a state shows to fail. `false` if it shows nothing of the kind.
    pub fn retract(&mut self, state: &InductionState) -> bool {
        let failed = &state.surroundings.failed;
        if !failed.is_empty() {
            let standing = Arc::make_mut(&mut self.standing);
            failed.iter().for_each(|&failure| standing.remove(failure));
        }
        !failed.is_empty()
    }

    /// How many candidates stand.
    pub fn len(&self) -> usize {
        self.standing.spots.values().map(|candidates| candidates.len()).sum()
    }

    /// Whether none stands.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl Candidate {
    pub(super) fn term(self) -> Term {
        let (Candidate::Holds(term) | Candidate::Keeps(term) | Candidate::Rises { term, .. } | Candidate::Falls { term, .. }) = self;
        term
    }

    /// What a candidate that speaks of the entry of its loop says of the values that its term had there and has now.
    pub(super) fn since(self, terms: &Terms, before: Term, now: Term) -> Term {
        let order = |signed, smaller, larger| if signed { terms.sle(smaller, larger) } else { terms.ule(smaller, larger) };
        match self {
            Candidate::Holds(term) => term,
            Candidate::Keeps(_) => terms.eq(before, now),
            Candidate::Rises { signed, .. } => order(signed, before, now),
            Candidate::Falls { signed, .. } => order(signed, now, before),
        }
    }
}

impl Candidates {
    pub(super) fn of(structure: &Structure<'_>, terms: &Terms, arrays: &[WatchedArray], suggestions: &Suggestions) -> Self {
        let mut result = Candidates::default();
        let cells = Cells::of(structure.program, terms, arrays);
        for (id, info) in structure.loops().loops.iter_ids().filter(|(_, info)| !info.irreducible) {
            let program = structure.program;
            let outgoing = info.locations.iter().flat_map(|&location| &program.locations[location].outgoing);
            let operations: Vec<&Operation> = outgoing.map(|&edge| &program.edges[edge].operation).collect();
            let copies = copies(program, terms, &operations);
            let mut registers = Registers { program, terms, function: info.function, offsets: !arrays.is_empty(), copies, found: vec![] };
            operations.into_iter().for_each(|operation| registers.look_at(operation));
            registers.found.retain(|register| !cells.is_part(register.variable));
            let mut candidates = registers.relations();
            candidates.extend(super::cells::relations(&cells, info));
            candidates.extend(suggestions.get(&info.head).into_iter().flatten().map(|&condition| Candidate::Holds(condition)));
            result.add(terms, Spot::Loop(id), candidates);
        }
        result
    }

    pub(super) fn add(&mut self, terms: &Terms, spot: Spot, mut candidates: Vec<Candidate>) {
        let mut seen = FastSet::default();
        candidates.retain(|candidate| terms.as_constant(candidate.term()).is_none() && seen.insert(*candidate));
        self.spots.insert(spot, candidates.into());
    }

    pub(super) fn at(&self, spot: Spot) -> &[Candidate] {
        self.spots.get(&spot).map_or(&[], |candidates| candidates)
    }

    fn remove(&mut self, (spot, candidate): Failure) {
        if let Some(standing) = self.spots.get_mut(&spot) {
            *standing = standing.iter().copied().filter(|&other| other != candidate).collect();
        }
    }
}

struct Register {
    variable: VarId,
    width: u32,
    /// The constants that are added to it in the loop.
    steps: Vec<u128>,
    /// Powers of two that what is added to it is a multiple of.
    strides: Vec<u128>,
    written: bool,
}

struct Registers<'a> {
    program: &'a Program,
    terms: &'a Terms,
    function: FunctionId,
    /// Whether registers for pointers hold offsets in arrays.
    offsets: bool,
    copies: FastMap<VarId, VarId>,
    found: Vec<Register>,
}

/// What temporaries of a loop are copies of, as in `i++`: `t = i; i = t + 1`.
fn copies(program: &Program, terms: &Terms, operations: &[&Operation]) -> FastMap<VarId, VarId> {
    let mut copies: FastMap<VarId, Option<VarId>> = FastMap::default();
    for operation in operations {
        let Some(target) = operation.written_register().filter(|&target| program.variables[target].source_name.is_empty()) else {
            continue;
        };
        let copied = match operation {
            Operation::Assign { value, .. } => Some(terms.node(*value)).filter(|node| node.op == Op::Symbol),
            _ => None,
        };
        let copied = copied.and_then(|node| program.variable_of(node.symbol()));
        copies.entry(target).and_modify(|known| *known = None).or_insert(copied);
    }
    copies.into_iter().filter_map(|(target, copied)| Some((target, copied?))).collect()
}

impl Registers<'_> {
    fn look_at(&mut self, operation: &Operation) {
        match operation {
            Operation::Assume { condition } => {
                for symbol in self.terms.free_symbols(*condition) {
                    self.program.variable_of(symbol).and_then(|variable| self.entry(variable));
                }
            }
            Operation::Assign { target, value } => {
                let added = self.added_to(*target, *value);
                let step = added.and_then(|term| self.terms.as_constant(term)).map(Bits::value);
                let stride = added.map(|term| 1 << (self.terms.known_bits(term).0.trailing_ones().min(63)));
                if let Some(register) = self.entry(*target) {
                    register.written = true;
                    if let Some(step) = step.filter(|step| register.steps.len() < MOST_STEPS && !register.steps.contains(step)) {
                        register.steps.push(step);
                    }
                    if let Some(stride) = stride.filter(|stride| register.strides.len() < MOST_STEPS && !register.strides.contains(stride))
                    {
                        register.strides.push(stride);
                    }
                }
            }
            _ => {
                if let Some(register) = operation.written_register().and_then(|variable| self.entry(variable)) {
                    register.written = true;
                }
            }
        }
    }

    fn entry(&mut self, variable: VarId) -> Option<&mut Register> {
        if let Some(at) = self.found.iter().position(|register| register.variable == variable) {
            return Some(&mut self.found[at]);
        }
        let info = &self.program.variables[variable];
        let visible = info.scope == Scope::Global || info.scope == Scope::Local(self.function);
        let width = info.register_width().filter(|&width| visible && width <= 64)?;
        let number = matches!(info.ctype, CType::Integer { .. } | CType::Bool) || self.offsets && info.ctype == CType::Pointer;
        if !number {
            return None;
        }
        self.found.push(Register { variable, width, steps: vec![], strides: vec![], written: false });
        self.found.last_mut()
    }

    /// What an assignment adds to its own register.
    fn added_to(&self, target: VarId, value: Term) -> Option<Term> {
        let node = self.terms.node(value);
        let is_target = |term: Term| {
            let node = self.terms.node(term);
            let variable = if node.op == Op::Symbol { self.program.variable_of(node.symbol()) } else { None };
            variable.is_some_and(|variable| variable == target || self.copies.get(&variable) == Some(&target))
        };
        match node.op {
            Op::Add if is_target(node.operand(0)) => Some(node.operand(1)),
            Op::Add if is_target(node.operand(1)) => Some(node.operand(0)),
            _ => None,
        }
    }

    fn relations(mut self) -> Vec<Candidate> {
        // Registers that count are the likeliest to be related, temporaries the least.
        self.found.sort_by_key(|register| {
            let named = !self.program.variables[register.variable].source_name.is_empty();
            (register.steps.is_empty(), !named, !register.written)
        });
        self.found.truncate(MOST_REGISTERS);
        let terms = self.terms;
        let read = |register: &Register| terms.symbol(register.variable.symbol());
        let mut found = Vec::new();
        for (index, x) in self.found.iter().enumerate() {
            let a = read(x);
            if x.written && x.width > 1 {
                let strides = x.strides.iter().copied().filter(|stride| *stride > 4 && stride.ilog2() < x.width);
                for stride in strides.chain([2, 4]) {
                    found.push(Candidate::Keeps(terms.and(a, terms.number(x.width, stride - 1))));
                }
                let falls = |step: &u128| Bits::new(x.width, *step).signed() < 0;
                let signed = !matches!(self.program.variables[x.variable].ctype, CType::Integer { signed: false, .. });
                match x.steps.iter().filter(|step| falls(step)).count() {
                    0 if x.steps.is_empty() => {}
                    0 => found.push(Candidate::Rises { term: a, signed }),
                    n if n == x.steps.len() => found.push(Candidate::Falls { term: a, signed }),
                    _ => {}
                }
            }
            for y in &self.found[index + 1..] {
                if !x.written && !y.written {
                    continue;
                }
                let width = x.width.max(y.width);
                let (a, b) = (terms.resize(a, width, true), terms.resize(read(y), width, true));
                for &p in &x.steps {
                    for &q in &y.steps {
                        // q·x - p·y does not change where x grows by p and y by q.
                        let (p, q) = (Bits::new(x.width, p).signed() as u128, Bits::new(y.width, q).signed() as u128);
                        let left = terms.mul(a, terms.number(width, q));
                        found.push(Candidate::Keeps(terms.sub(left, terms.mul(b, terms.number(width, p)))));
                    }
                }
                if x.width == y.width {
                    let relations = [terms.eq(a, b), terms.sle(a, b), terms.sle(b, a), terms.ule(a, b), terms.ule(b, a)];
                    found.extend(relations.into_iter().map(Candidate::Holds));
                }
            }
        }
        found
    }
}
