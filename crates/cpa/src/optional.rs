//! A component that a configuration can switch off at run time, so that one compiled product serves several presets;
//! and that refinement can wake and put to sleep.

use crate::capability::{Forget, PrecisionScope, Refinable, StrongestPost};
use crate::domain::{Adjustment, Domain, Move, Position, Projection, Successor, Successors};
use crate::view::{Pointee, View};
use assay_cfa::LocationId;
use assay_term::{Bits, Term};

/// A domain or nothing. Switched off it has one state, which allows everything. So it does while it sleeps, which is as
/// long as its precision is `None`. The caller that wakes it must begin again: states behind sleeping ones know
/// nothing.
#[derive(Clone, Debug)]
pub struct Optional<D> {
    /// `None` if it is switched off.
    pub domain: Option<D>,
    /// Whether it sleeps at first.
    pub asleep: bool,
}

impl<D> Optional<D> {
    /// The domain, if it is switched on.
    pub fn new(on: bool, domain: impl FnOnce() -> D) -> Self {
        Optional { domain: on.then(domain), asleep: false }
    }

    /// A domain that sleeps at first.
    pub fn asleep(domain: D) -> Self {
        Optional { domain: Some(domain), asleep: true }
    }
}

/// The worker of a component that may be off.
pub struct OptionalWorker<D: Domain> {
    /// Of the domain.
    pub inner: Option<D::Worker>,
    out: Successors<D::State>,
}

/// The parts of a component that is on; a switched-on domain has states and a worker that are there.
macro_rules! on {
    ($self:ident, $worker:ident) => {
        match (&$self.domain, &mut $worker.inner) {
            (Some(domain), Some(worker)) => Some((domain, worker)),
            _ => None,
        }
    };
}

impl<D: Domain> Domain for Optional<D> {
    type State = Option<D::State>;
    type Precision = Option<D::Precision>;
    type Worker = OptionalWorker<D>;

    fn worker(&self) -> Self::Worker {
        OptionalWorker { inner: self.domain.as_ref().map(D::worker), out: Successors::new() }
    }

    fn initial(&self, worker: &mut Self::Worker) -> Self::State {
        on!(self, worker).map(|(domain, worker)| domain.initial(worker))
    }

    fn initial_precision(&self) -> Self::Precision {
        self.domain.as_ref().filter(|_| !self.asleep).map(D::initial_precision)
    }

    fn transfer(
        &self,
        worker: &mut Self::Worker,
        state: &Self::State,
        precision: &Self::Precision,
        step: &Move<'_>,
        others: &mut dyn View,
        out: &mut Successors<Self::State>,
    ) {
        let mut inner = std::mem::take(&mut worker.out);
        match (on!(self, worker), state, precision) {
            (Some((domain, worker)), Some(state), Some(precision)) => {
                domain.transfer(worker, state, precision, step, others, &mut inner);
                out.items.extend(inner.items.drain(..).map(|s| Successor { state: Some(s.state), mark: s.mark }));
            }
            _ => out.push(None),
        }
        worker.out = inner;
    }

    fn is_possible(&self, worker: &mut Self::Worker, state: &Self::State) -> bool {
        match (on!(self, worker), state) {
            (Some((domain, worker)), Some(state)) => domain.is_possible(worker, state),
            _ => true,
        }
    }

    fn strengthen(&self, worker: &mut Self::Worker, state: &mut Self::State, step: &Move<'_>, others: &mut dyn View) -> bool {
        match (on!(self, worker), state) {
            (Some((domain, worker)), Some(state)) => domain.strengthen(worker, state, step, others),
            _ => true,
        }
    }

    fn adjust(&self, worker: &mut Self::Worker, state: &mut Self::State, precision: &Self::Precision, at: &Position<'_>) -> Adjustment {
        match (on!(self, worker), &mut *state, precision) {
            (Some((domain, worker)), Some(state), Some(precision)) => domain.adjust(worker, state, precision, at),
            _ => {
                *state = None;
                Adjustment::Continue
            }
        }
    }

    fn covers(&self, worker: &mut Self::Worker, smaller: &Self::State, larger: &Self::State) -> bool {
        match (on!(self, worker), smaller, larger) {
            (Some((domain, worker)), Some(smaller), Some(larger)) => domain.covers(worker, smaller, larger),
            (_, _, larger) => larger.is_none(),
        }
    }

    fn join(
        &self,
        worker: &mut Self::Worker,
        new: &Self::State,
        old: &Self::State,
        precision: &Self::Precision,
        at: &Position<'_>,
    ) -> Option<Self::State> {
        match (on!(self, worker), new, old, precision) {
            (Some((domain, worker)), Some(new), Some(old), Some(precision)) => domain.join(worker, new, old, precision, at).map(Some),
            _ => Some(None),
        }
    }

    fn hash(&self, state: &Self::State) -> u64 {
        self.ask(state, D::hash).unwrap_or(0)
    }
    fn partition(&self, state: &Self::State) -> u64 {
        self.ask(state, D::partition).unwrap_or(0)
    }
    fn shape(&self, state: &Self::State) -> u64 {
        self.ask(state, D::shape).unwrap_or(0)
    }
    fn project(&self, state: &Self::State, like: &Self::State) -> Projection {
        match (&self.domain, state, like) {
            (Some(domain), Some(state), Some(like)) => domain.project(state, like),
            _ => Projection::Hash(0),
        }
    }
    fn size(&self, state: &Self::State) -> usize {
        self.ask(state, D::size).unwrap_or(0)
    }
    fn describe(&self, state: &Self::State) -> String {
        self.ask(state, D::describe).unwrap_or_default()
    }

    fn value_of(&self, worker: &mut Self::Worker, state: &Self::State, term: Term) -> Option<Bits> {
        let (domain, worker) = on!(self, worker)?;
        domain.value_of(worker, state.as_ref()?, term)
    }
    fn range_of(&self, worker: &mut Self::Worker, state: &Self::State, term: Term) -> Option<(u128, u128)> {
        let (domain, worker) = on!(self, worker)?;
        domain.range_of(worker, state.as_ref()?, term)
    }
    fn implied(&self, worker: &mut Self::Worker, state: &Self::State, condition: Term) -> Option<bool> {
        let (domain, worker) = on!(self, worker)?;
        domain.implied(worker, state.as_ref()?, condition)
    }
    fn may_point_to(&self, worker: &mut Self::Worker, state: &Self::State, pointer: Term) -> Option<Vec<Pointee>> {
        let (domain, worker) = on!(self, worker)?;
        domain.may_point_to(worker, state.as_ref()?, pointer)
    }
}

impl<D: Domain> Optional<D> {
    /// The domain and its worker, where it is on.
    pub fn parts<'w>(&'w self, worker: &'w mut OptionalWorker<D>) -> Option<(&'w D, &'w mut D::Worker)> {
        on!(self, worker)
    }

    fn ask<T>(&self, state: &Option<D::State>, question: impl Fn(&D, &D::State) -> T) -> Option<T> {
        Some(question(self.domain.as_ref()?, state.as_ref()?))
    }
}

impl<D: StrongestPost> StrongestPost for Optional<D> {
    fn post(&self, worker: &mut Self::Worker, state: &Self::State, step: &Move<'_>) -> Option<Self::State> {
        match (on!(self, worker), state) {
            (Some((domain, worker)), Some(state)) => domain.post(worker, state, step).map(Some),
            _ => Some(None),
        }
    }
}

impl<D: Forget> Forget for Optional<D> {
    type Item = D::Item;

    fn remembered(&self, state: &Self::State, out: &mut Vec<Self::Item>) {
        if let (Some(domain), Some(state)) = (&self.domain, state) {
            domain.remembered(state, out);
        }
    }

    fn forget(&self, worker: &mut Self::Worker, state: &mut Self::State, item: &Self::Item) {
        if let (Some((domain, worker)), Some(state)) = (on!(self, worker), state) {
            domain.forget(worker, state, item);
        }
    }
}

impl<D: Refinable> Refinable for Optional<D> {
    fn track(&self, precision: &mut Self::Precision, at: LocationId, scope: PrecisionScope, item: &Self::Item) -> bool {
        match (&self.domain, precision) {
            (Some(domain), Some(precision)) => domain.track(precision, at, scope, item),
            _ => false,
        }
    }

    fn everything(&self, precision: &Self::Precision) -> Option<Self::Precision> {
        self.domain.as_ref()?.everything(precision.as_ref()?).map(Some)
    }
}
