//! The one trait that every abstract domain implements.

use crate::stack::Head;
use crate::view::{Pointee, View};
use assay_cfa::Step;
use assay_cfa::{Edge, Program, Target};
use assay_term::{Bits, Term};
use std::sync::Arc;

/// An abstract domain: states, how they change over the edges of a program, and when one covers another.
///
/// *Minimum to implement*: the three types, `worker`, `initial`, `initial_precision`, `transfer`, `covers` and `hash`.
/// With these and the default answers a domain explores with merge *sep* and stop *sep*.
///
/// *The head.* Location and call stack are not in the states: the framework keeps them beside each state ([`Head`]) and
/// only asks about states of the same head. A domain that has frames pushes one when it transfers a call edge
/// (`Step::Edge` with `Operation::Call`) and pops it at `Step::Return` of the same edge.
///
/// *Laws* (γ is the set of concrete states of an abstract one):
/// - `transfer`: the γ of the successors together contain every concrete successor of γ(state) over the step. No
///   successor means: no concrete state can take the step.
/// - `strengthen`: removes no concrete state that the view's answers allow; `false` means none is left.
/// - `adjust`: γ(state before) ⊆ γ(state after).
/// - `join`: γ of the result contains γ(old). If it does not contain γ(new) too, the framework keeps `new` as a state
///   of its own; under *agree* it then rejects the result.
/// - `covers(smaller, larger)`: true only if γ(smaller) ⊆ γ(larger). Reflexive and transitive; equal states cover each
///   other.
/// - `hash`: equal for equal states, in this run. `partition`: if `covers(a, b)` or `join(a, b)` can succeed, the
///   partitions of a and b are equal. `shape` and `project`: see there.
/// - `transfer`, `adjust` and `post` depend on their arguments only (fresh symbols are numbered within the state), so
///   that a repetition gives the same.
/// - Monotone where it can be: a finer precision, or a smaller state, gives smaller successors. The checker of final
///   graphs repeats transfers with the last precision and rejects the proof where a repeated successor is not covered
///   by the old.
///
/// *Threads*: the domain is shared, a worker belongs to one thread. States move between threads.
pub trait Domain: Sync {
    /// One abstract state. Should share what did not change: it is cloned once a step.
    type State: Clone + Eq + Send + Sync;
    /// How precise states are. One value of it is passed with every transfer; what differs from place to place is
    /// inside it (`ScopedPrecision` helps). It may hold assumptions that transfers rely on and check: a transfer that
    /// finds one to fail pushes a marked successor that says so, and refinement takes it back
    /// (`Refinement::Retracted`).
    type Precision: Clone + Send + Sync;
    /// What one thread needs to work: a solver, scratch space, caches.
    type Worker: Send;

    /// For one thread; it begins empty.
    fn worker(&self) -> Self::Worker;

    /// The state at the entry of the program, before any step; globals have their initial values.
    fn initial(&self, worker: &mut Self::Worker) -> Self::State;

    /// The precision to begin with.
    fn initial_precision(&self) -> Self::Precision;

    /// Pushes the abstract successors of `state` over one step: none, one or several. The precision may already be used
    /// here (what it does not track need not be computed). `others` answers about the siblings' states *before* the
    /// step. The framework handles `Operation::Unsupported` itself; a domain that meets something it cannot
    /// over-approximate pushes a successor with [`Mark::Unresolved`].
    fn transfer(
        &self,
        worker: &mut Self::Worker,
        state: &Self::State,
        precision: &Self::Precision,
        step: &Move<'_>,
        others: &mut dyn View,
        out: &mut Successors<Self::State>,
    );

    /// Whether the state may stand for a concrete one. Asked where a construct follows that is not supported: a domain
    /// whose states may stand for none says so, and the construct is not come to.
    fn is_possible(&self, _worker: &mut Self::Worker, _state: &Self::State) -> bool {
        true
    }

    /// Sharpens a successor by what its siblings know *after* the step. `false`: nothing is left of it.
    fn strengthen(&self, _worker: &mut Self::Worker, _state: &mut Self::State, _step: &Move<'_>, _others: &mut dyn View) -> bool {
        true
    }

    /// Precision adjustment: weakens a successor to what the precision tracks at its head (for the initial state: at
    /// the entry).
    fn adjust(&self, _worker: &mut Self::Worker, _state: &mut Self::State, _precision: &Self::Precision, _at: &Position<'_>) -> Adjustment {
        Adjustment::Continue
    }

    /// Whether everything that `smaller` allows is allowed by `larger` (stop *sep*).
    fn covers(&self, worker: &mut Self::Worker, smaller: &Self::State, larger: &Self::State) -> bool;

    /// A state that contains both, for merge *join* and *agree*; `None` is merge *sep*. Widening belongs here: `at`
    /// says where, and `old` is the state in the reached set, `new` the one that arrives.
    fn join(
        &self,
        _worker: &mut Self::Worker,
        _new: &Self::State,
        _old: &Self::State,
        _precision: &Self::Precision,
        _at: &Position<'_>,
    ) -> Option<Self::State> {
        None
    }

    /// Whether `state` is covered by the union of the others (stop *join*). Only for domains where that is exact; the
    /// default asks each alone.
    fn covered_by_union(&self, worker: &mut Self::Worker, state: &Self::State, others: &[&Self::State]) -> bool {
        others.iter().any(|other| self.covers(worker, state, other))
    }

    /// A hash of the state, best cached in it.
    fn hash(&self, state: &Self::State) -> u64;

    /// States of different partitions never cover each other and are never merged.
    fn partition(&self, _state: &Self::State) -> u64 {
        0
    }

    /// The shape of a state, for looking coverage up instead of scanning: for maps, a hash of the set of keys.
    fn shape(&self, _state: &Self::State) -> u64 {
        0
    }

    /// How a state that covers `state` and has the shape of `like` can be found. For maps: the hash of `state`
    /// restricted to the keys of `like`, or `Never` where a key is missing. Law: if `covers(state, x)` and x has the
    /// shape of `like`, this is `Scan` or `Hash(hash(x))`.
    fn project(&self, _state: &Self::State, _like: &Self::State) -> Projection {
        Projection::Scan
    }

    /// How many things the state remembers; what "most abstract first" orders by.
    fn size(&self, _state: &Self::State) -> usize {
        0
    }

    /// For exported graphs.
    fn describe(&self, _state: &Self::State) -> String {
        String::new()
    }

    /// The answers behind [`View`] for this domain's states.
    fn value_of(&self, _worker: &mut Self::Worker, _state: &Self::State, _term: Term) -> Option<Bits> {
        None
    }
    /// See [`View::range_of`].
    fn range_of(&self, _worker: &mut Self::Worker, _state: &Self::State, _term: Term) -> Option<(u128, u128)> {
        None
    }
    /// See [`View::implied`].
    fn implied(&self, worker: &mut Self::Worker, state: &Self::State, condition: Term) -> Option<bool> {
        self.value_of(worker, state, condition).map(|value| value.is_true())
    }
    /// See [`View::may_point_to`].
    fn may_point_to(&self, _worker: &mut Self::Worker, _state: &Self::State, _pointer: Term) -> Option<Vec<Pointee>> {
        None
    }
}

/// Where a state is.
#[derive(Clone, Copy)]
pub struct Position<'a> {
    /// The program that is explored.
    pub program: &'a Program,
    /// Location and call stack.
    pub head: Head,
}

/// One step as a domain sees it.
#[derive(Clone, Copy)]
pub struct Move<'a> {
    /// The program that is explored.
    pub program: &'a Program,
    /// An edge, or the return of a call.
    pub step: Step,
    /// The edge of the step; for `Return`, the call edge.
    pub edge: &'a Edge,
    /// Where it begins.
    pub source: Head,
    /// Where it ends; for a call, the callee's entry.
    pub target: Head,
}

impl<'a> Move<'a> {
    /// Whether it comes back from a call.
    pub fn is_return(&self) -> bool {
        self.step.is_return()
    }
    /// Where the step ends.
    pub fn place(&self) -> Position<'a> {
        Position { program: self.program, head: self.target }
    }
}

/// What is special about a successor.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Mark {
    /// It violates the property. (Target locations are marked by the framework.)
    Target(Target),
    /// The analysis cannot go on from here soundly, for this reason: treated as a target that nothing can confirm.
    Unresolved(Arc<str>),
}

/// One state after a step.
#[derive(Clone, Debug)]
pub struct Successor<S> {
    /// Before its precision is adjusted.
    pub state: S,
    /// Whether it counts as a target.
    pub mark: Option<Mark>,
}

/// The successors of one step; reused from step to step.
#[derive(Debug)]
pub struct Successors<S> {
    /// In the order in which they are explored.
    pub items: Vec<Successor<S>>,
}

impl<S> Successors<S> {
    /// An empty list: the step is infeasible until a successor is pushed.
    pub const fn new() -> Self {
        Successors { items: Vec::new() }
    }
    /// Adds a successor.
    #[inline]
    pub fn push(&mut self, state: S) {
        self.items.push(Successor { state, mark: None });
    }
    /// Adds a successor that counts as a target, or that could not be resolved.
    #[inline]
    pub fn push_marked(&mut self, state: S, mark: Mark) {
        self.items.push(Successor { state, mark: Some(mark) });
    }
}

impl<S> Default for Successors<S> {
    fn default() -> Self {
        Self::new()
    }
}

/// What precision adjustment says about the exploration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Adjustment {
    /// Nothing is wrong with the state.
    Continue,
    /// The exploration stops here and reports the reason.
    Break(Arc<str>),
}

/// How a covering state of one shape is found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Projection {
    /// Every state of the shape must be asked.
    Scan,
    /// Only states with this hash can cover.
    Hash(u64),
    /// No state of the shape can cover.
    Never,
}
