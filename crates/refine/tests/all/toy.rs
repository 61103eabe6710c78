//! The toy domain and what refinement must know of it.

use assay_base::hash::{FastHasher, mix};
use assay_base::{CancelToken, Decision, Ledger};
use assay_cfa::{LocationId, Operation, Program, Scope, VarId};
use assay_cpa::{
    Adjustment, CallStacks, Domain, Environment, Forget, LocationOrders, Move, Position, PrecisionScope, Refinable, ScopedPrecision,
    StrongestPost, Successors, TargetPath, View,
};
use assay_refine::{Difficulty, ItemFacts, ItemKind, PathCheck, Scores};
use assay_term::{Bits, Op, Term, Terms, eval};
use std::cell::Cell;
use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};

/// A register of a frame; globals are in frame 0, those of the entry function in frame 1.
pub(crate) type Register = (u32, VarId);

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Item {
    Value(Register),
    Constraint(Register),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Toy {
    pub values: BTreeMap<Register, Bits>,
    /// The register has this value, too; but only tests look at it.
    pub constraints: BTreeMap<Register, Bits>,
    pub depth: u32,
}

pub(crate) struct ToyDomain<'a> {
    pub program: &'a Program,
    pub terms: Terms,
    /// Whether tests of unknown registers leave constraints.
    pub constraints: bool,
    /// The precision cannot track the value of this register.
    pub untrackable: Option<VarId>,
}

impl<'a> ToyDomain<'a> {
    pub(crate) fn new(program: &'a Program) -> Self {
        ToyDomain { program, terms: Terms::overlay(program.terms.clone()), constraints: false, untrackable: None }
    }

    fn key(&self, depth: u32, variable: VarId) -> Register {
        (if self.program.variables[variable].scope == Scope::Global { 0 } else { depth }, variable)
    }

    fn evaluate(&self, state: &Toy, term: Term, constraints: bool) -> Option<Bits> {
        eval::evaluate(&self.terms, term, &mut |node| {
            let key = (node.op == Op::Symbol).then(|| self.key(state.depth, VarId(node.symbol().0)))?;
            state.values.get(&key).or_else(|| constraints.then(|| state.constraints.get(&key)).flatten()).copied()
        })
    }

    fn set(state: &mut Toy, key: Register, value: Option<Bits>) {
        state.constraints.remove(&key);
        match value {
            Some(value) => state.values.insert(key, value),
            None => state.values.remove(&key),
        };
    }

    /// The register and the value that it must have for the condition to hold, where that is plain to see.
    fn learned(&self, state: &Toy, condition: Term) -> Option<(Register, Bits)> {
        let node = self.terms.node(condition);
        if node.op != Op::Eq {
            return None;
        }
        let (a, b) = (node.operand(0), node.operand(1));
        [(a, b), (b, a)].into_iter().find_map(|(symbol, value)| {
            let leaf = self.terms.node(symbol);
            let key = (leaf.op == Op::Symbol).then(|| self.key(state.depth, VarId(leaf.symbol().0)))?;
            (!state.values.contains_key(&key)).then_some(())?;
            Some((key, self.evaluate(state, value, false)?))
        })
    }

    fn apply(&self, state: &Toy, step: &Move<'_>) -> Option<Toy> {
        let mut next = state.clone();
        let depth = state.depth;
        match (&step.edge.operation, step.is_return()) {
            (Operation::Call { callee, result, .. }, true) => {
                let value = self.program.functions[*callee].result.and_then(|r| state.values.get(&(depth, r)).copied());
                next.values.retain(|&(frame, _), _| frame != depth);
                next.constraints.retain(|&(frame, _), _| frame != depth);
                next.depth -= 1;
                if let Some(result) = result {
                    Self::set(&mut next, self.key(depth - 1, *result), value);
                }
            }
            (Operation::Call { callee, arguments, .. }, false) => {
                next.depth += 1;
                for (&parameter, &argument) in self.program.functions[*callee].parameters.iter().zip(arguments) {
                    Self::set(&mut next, self.key(depth + 1, parameter), self.evaluate(state, argument, false));
                }
            }
            (Operation::Assign { target, value }, _) => Self::set(&mut next, self.key(depth, *target), self.evaluate(state, *value, false)),
            (Operation::Havoc { target, .. }, _) => Self::set(&mut next, self.key(depth, *target), None),
            (Operation::Assume { condition }, _) => {
                if self.evaluate(state, *condition, true).is_some_and(|value| !value.is_true()) {
                    return None;
                }
                if let Some((key, value)) = self.learned(state, *condition) {
                    if self.constraints {
                        next.constraints.insert(key, value);
                    } else {
                        next.values.insert(key, value);
                    }
                }
            }
            _ => {}
        }
        Some(next)
    }
}

impl Domain for ToyDomain<'_> {
    type State = Toy;
    type Precision = ScopedPrecision<Item>;
    type Worker = u64;

    /// Counts posts.
    fn worker(&self) -> u64 {
        0
    }
    fn initial(&self, _: &mut u64) -> Toy {
        let width = |v: VarId| self.program.variables[v].register_width().unwrap_or(1);
        let values = self.program.globals.iter().map(|&v| ((0, v), Bits::new(width(v), 0))).collect();
        Toy { values, constraints: BTreeMap::new(), depth: 1 }
    }
    fn initial_precision(&self) -> Self::Precision {
        ScopedPrecision::empty()
    }
    fn transfer(&self, _: &mut u64, state: &Toy, _: &Self::Precision, step: &Move<'_>, _: &mut dyn View, out: &mut Successors<Toy>) {
        out.items.extend(self.apply(state, step).map(|state| assay_cpa::Successor { state, mark: None }));
    }
    fn adjust(&self, _: &mut u64, state: &mut Toy, precision: &Self::Precision, at: &Position<'_>) -> Adjustment {
        let (location, function) = (at.head.location, self.program.locations[at.head.location].function);
        // Precisions do not know frames.
        state.values.retain(|&(_, v), _| precision.tracks(location, function, &Item::Value((0, v))));
        state.constraints.retain(|&(_, v), _| precision.tracks(location, function, &Item::Constraint((0, v))));
        Adjustment::Continue
    }
    fn covers(&self, _: &mut u64, smaller: &Toy, larger: &Toy) -> bool {
        larger.values.iter().all(|(key, value)| smaller.values.get(key) == Some(value))
            && larger.constraints.iter().all(|(key, value)| smaller.values.get(key).or(smaller.constraints.get(key)) == Some(value))
    }
    fn hash(&self, state: &Toy) -> u64 {
        let mut hasher = FastHasher::default();
        (&state.values, &state.constraints).hash(&mut hasher);
        mix(hasher.finish())
    }
}

impl StrongestPost for ToyDomain<'_> {
    fn post(&self, posts: &mut u64, state: &Toy, step: &Move<'_>) -> Option<Toy> {
        *posts += 1;
        self.apply(state, step)
    }
}

impl Forget for ToyDomain<'_> {
    type Item = Item;
    fn remembered(&self, state: &Toy, out: &mut Vec<Item>) {
        out.extend(state.values.keys().map(|&key| Item::Value(key)));
        out.extend(state.constraints.keys().map(|&key| Item::Constraint(key)));
    }
    fn forget(&self, _: &mut u64, state: &mut Toy, item: &Item) {
        match item {
            Item::Value(key) => state.values.remove(key),
            Item::Constraint(key) => state.constraints.remove(key),
        };
    }
}

impl Refinable for ToyDomain<'_> {
    fn track(&self, precision: &mut Self::Precision, at: LocationId, scope: PrecisionScope, item: &Item) -> bool {
        let plain = match *item {
            Item::Value((_, v)) if self.untrackable == Some(v) => return false,
            Item::Value((_, v)) => Item::Value((0, v)),
            Item::Constraint((_, v)) => Item::Constraint((0, v)),
        };
        precision.track(self.program, at, scope, &plain)
    }
}

/// Knows all about the toy's items.
pub(crate) struct ToyFacts;

impl ItemFacts<Item> for ToyFacts {
    fn kind(&self, item: &Item) -> ItemKind {
        match item {
            Item::Value(_) => ItemKind::Value,
            Item::Constraint(_) => ItemKind::Constraint,
        }
    }
    fn registers(&self, item: &Item, out: &mut Vec<VarId>) -> bool {
        let (Item::Value((_, variable)) | Item::Constraint((_, variable))) = *item;
        out.push(variable);
        true
    }
}

/// As [`ToyFacts`], for programs without calls and a domain without constraints: the items of registers are known
/// beforehand.
pub(crate) struct FlatFacts<'a>(pub &'a Program);

impl ItemFacts<Item> for FlatFacts<'_> {
    fn registers(&self, item: &Item, out: &mut Vec<VarId>) -> bool {
        ToyFacts.registers(item, out)
    }
    fn of_register(&self, register: VarId) -> Option<Item> {
        Some(Item::Value((u32::from(!self.0.variables[register].is_global()), register)))
    }
}

/// Classes by the names of variables: `b…` boolean, `e…` equality only, `i…` loop counter.
pub(crate) struct ByName<'a>(pub &'a Program);

impl Scores for ByName<'_> {
    fn class(&self, variable: VarId) -> Difficulty {
        match self.0.variables[variable].source_name.as_bytes().first() {
            Some(b'b') => Difficulty::Boolean,
            Some(b'e') => Difficulty::EqualityOnly,
            Some(b'i') => Difficulty::LoopCounter,
            _ => Difficulty::Arithmetic,
        }
    }
}

/// Says the same of every path, and counts them.
pub(crate) struct Says(pub Decision<usize, Vec<usize>>, pub Cell<u32>);

impl Says {
    pub(crate) fn confirmed() -> Self {
        Says(Decision::Feasible(0), Cell::new(0))
    }
}

impl<D: Domain> PathCheck<D> for Says {
    type Evidence = usize;
    fn check(&mut self, _: &mut D::Worker, _: &TargetPath<'_, '_, D>) -> Decision<usize, Vec<usize>> {
        self.1.set(self.1.get() + 1);
        self.0.clone()
    }
}

/// What an exploration needs besides its domain.
pub(crate) struct Surroundings<'a> {
    pub program: &'a Program,
    pub stacks: CallStacks,
    pub orders: LocationOrders<'a>,
    pub ledger: Ledger,
    pub cancel: CancelToken,
}

impl<'a> Surroundings<'a> {
    pub(crate) fn new(program: &'a Program) -> Self {
        let orders = LocationOrders::new(program);
        Surroundings { program, stacks: CallStacks::new(None), orders, ledger: Ledger::new(), cancel: CancelToken::new() }
    }
    pub(crate) fn environment(&self) -> Environment<'_> {
        Environment { program: self.program, stacks: &self.stacks, orders: &self.orders, ledger: &self.ledger, cancel: &self.cancel }
    }
}
