//! The product of two domains; of more, by nesting: `Product<A, Product<B, C>>`.

use crate::capability::{Forget, PrecisionScope, Refinable, StrongestPost};
use crate::domain::{Adjustment, Domain, Mark, Move, Position, Projection, Successors};
use crate::view::{BothViews, NoView, Pointee, StateView, View};
use assay_base::hash::mix;
use assay_cfa::LocationId;
use assay_term::{Bits, Term};

/// Two domains side by side. A state is a pair and stands for what both allow. Each component is asked with a view of
/// the other: before the step in `transfer`, after it in `strengthen` (the first by the second, then the second by the
/// first).
#[derive(Clone, Debug, Default)]
pub struct Product<A, B> {
    /// Its precision and states come first in the pairs.
    pub first: A,
    /// Its precision and states come second in the pairs.
    pub second: B,
}

impl<A, B> Product<A, B> {
    /// The product of two domains; both compute successors at every step.
    pub fn new(first: A, second: B) -> Self {
        Product { first, second }
    }
}

/// The workers of both, and the vectors that their successors are collected in.
pub struct ProductWorker<A: Domain, B: Domain> {
    /// Of the first domain.
    pub first: A::Worker,
    /// Of the second domain.
    pub second: B::Worker,
    first_out: Successors<A::State>,
    second_out: Successors<B::State>,
}

fn combine(first: u64, second: u64) -> u64 {
    mix(first ^ second.rotate_left(32).wrapping_mul(0x9E37_79B9_7F4A_7C15))
}

impl<A: Domain, B: Domain> Product<A, B> {
    /// Strengthens both components of a successor and pushes it if something is left. They see only each other: what a
    /// transfer is told of siblings outside is from before the step, and those strengthen the pair as a whole
    /// afterwards.
    fn finish(
        &self,
        worker: &mut ProductWorker<A, B>,
        mut state: (A::State, B::State),
        mark: Option<Mark>,
        step: &Move<'_>,
        out: &mut Successors<(A::State, B::State)>,
    ) {
        if self.strengthen(worker, &mut state, step, &mut NoView) {
            out.items.push(crate::domain::Successor { state, mark });
        }
    }
}

/// A target found by one component is one of the product; an unresolved mark outweighs it.
fn combine_marks(first: &Option<Mark>, second: &Option<Mark>) -> Option<Mark> {
    match (first, second) {
        (Some(Mark::Unresolved(_)), _) => first.clone(),
        (_, Some(Mark::Unresolved(_))) => second.clone(),
        _ => first.clone().or_else(|| second.clone()),
    }
}

impl<A: Domain, B: Domain> Domain for Product<A, B> {
    type State = (A::State, B::State);
    type Precision = (A::Precision, B::Precision);
    type Worker = ProductWorker<A, B>;

    fn worker(&self) -> Self::Worker {
        ProductWorker {
            first: self.first.worker(),
            second: self.second.worker(),
            first_out: Successors::new(),
            second_out: Successors::new(),
        }
    }

    fn initial(&self, worker: &mut Self::Worker) -> Self::State {
        (self.first.initial(&mut worker.first), self.second.initial(&mut worker.second))
    }

    fn initial_precision(&self) -> Self::Precision {
        (self.first.initial_precision(), self.second.initial_precision())
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
        let mut firsts = std::mem::take(&mut worker.first_out);
        let mut view = StateView { domain: &self.second, worker: &mut worker.second, state: &state.1 };
        self.first.transfer(&mut worker.first, &state.0, &precision.0, step, &mut BothViews(&mut view, others), &mut firsts);
        if !firsts.items.is_empty() {
            let mut seconds = std::mem::take(&mut worker.second_out);
            let mut view = StateView { domain: &self.first, worker: &mut worker.first, state: &state.0 };
            self.second.transfer(&mut worker.second, &state.1, &precision.1, step, &mut BothViews(&mut view, others), &mut seconds);
            if firsts.items.len() == 1 && seconds.items.len() == 1 {
                if let (Some(a), Some(b)) = (firsts.items.pop(), seconds.items.pop()) {
                    let mark = combine_marks(&a.mark, &b.mark);
                    self.finish(worker, (a.state, b.state), mark, step, out);
                }
            } else {
                for a in &firsts.items {
                    for b in &seconds.items {
                        let mark = combine_marks(&a.mark, &b.mark);
                        self.finish(worker, (a.state.clone(), b.state.clone()), mark, step, out);
                    }
                }
            }
            seconds.items.clear();
            worker.second_out = seconds;
        }
        firsts.items.clear();
        worker.first_out = firsts;
    }

    fn is_possible(&self, worker: &mut Self::Worker, state: &Self::State) -> bool {
        self.first.is_possible(&mut worker.first, &state.0) && self.second.is_possible(&mut worker.second, &state.1)
    }

    fn strengthen(&self, worker: &mut Self::Worker, state: &mut Self::State, step: &Move<'_>, others: &mut dyn View) -> bool {
        let mut second = StateView { domain: &self.second, worker: &mut worker.second, state: &state.1 };
        if !self.first.strengthen(&mut worker.first, &mut state.0, step, &mut BothViews(&mut second, others)) {
            return false;
        }
        let mut first = StateView { domain: &self.first, worker: &mut worker.first, state: &state.0 };
        self.second.strengthen(&mut worker.second, &mut state.1, step, &mut BothViews(&mut first, others))
    }

    fn adjust(&self, worker: &mut Self::Worker, state: &mut Self::State, precision: &Self::Precision, at: &Position<'_>) -> Adjustment {
        match self.first.adjust(&mut worker.first, &mut state.0, &precision.0, at) {
            Adjustment::Continue => self.second.adjust(&mut worker.second, &mut state.1, &precision.1, at),
            Adjustment::Break(reason) => Adjustment::Break(reason),
        }
    }

    fn covers(&self, worker: &mut Self::Worker, smaller: &Self::State, larger: &Self::State) -> bool {
        self.first.covers(&mut worker.first, &smaller.0, &larger.0) && self.second.covers(&mut worker.second, &smaller.1, &larger.1)
    }

    /// Joins the components. One that does not join keeps its old state if that covers the new one; otherwise the whole
    /// is kept apart, since a pair of a joined and an old component would contain more than either input and cover
    /// neither.
    fn join(
        &self,
        worker: &mut Self::Worker,
        new: &Self::State,
        old: &Self::State,
        precision: &Self::Precision,
        at: &Position<'_>,
    ) -> Option<Self::State> {
        let first = match self.first.join(&mut worker.first, &new.0, &old.0, &precision.0, at) {
            Some(joined) => joined,
            None if self.first.covers(&mut worker.first, &new.0, &old.0) => old.0.clone(),
            None => return None,
        };
        let second = match self.second.join(&mut worker.second, &new.1, &old.1, &precision.1, at) {
            Some(joined) => joined,
            None if self.second.covers(&mut worker.second, &new.1, &old.1) => old.1.clone(),
            None => return None,
        };
        Some((first, second))
    }

    fn hash(&self, state: &Self::State) -> u64 {
        combine(self.first.hash(&state.0), self.second.hash(&state.1))
    }

    fn partition(&self, state: &Self::State) -> u64 {
        combine(self.first.partition(&state.0), self.second.partition(&state.1))
    }

    fn shape(&self, state: &Self::State) -> u64 {
        combine(self.first.shape(&state.0), self.second.shape(&state.1))
    }

    fn project(&self, state: &Self::State, like: &Self::State) -> Projection {
        match (self.first.project(&state.0, &like.0), self.second.project(&state.1, &like.1)) {
            (Projection::Never, _) | (_, Projection::Never) => Projection::Never,
            (Projection::Hash(first), Projection::Hash(second)) => Projection::Hash(combine(first, second)),
            _ => Projection::Scan,
        }
    }

    fn size(&self, state: &Self::State) -> usize {
        self.first.size(&state.0) + self.second.size(&state.1)
    }

    fn describe(&self, state: &Self::State) -> String {
        match (self.first.describe(&state.0), self.second.describe(&state.1)) {
            (text, empty) | (empty, text) if empty.is_empty() => text,
            (first, second) => format!("{first}\n{second}"),
        }
    }

    fn value_of(&self, worker: &mut Self::Worker, state: &Self::State, term: Term) -> Option<Bits> {
        let first = self.first.value_of(&mut worker.first, &state.0, term);
        first.or_else(|| self.second.value_of(&mut worker.second, &state.1, term))
    }
    fn range_of(&self, worker: &mut Self::Worker, state: &Self::State, term: Term) -> Option<(u128, u128)> {
        let first = self.first.range_of(&mut worker.first, &state.0, term);
        match (first, self.second.range_of(&mut worker.second, &state.1, term)) {
            (Some(a), Some(b)) => Some((a.0.max(b.0), a.1.min(b.1))),
            (a, b) => a.or(b),
        }
    }
    fn implied(&self, worker: &mut Self::Worker, state: &Self::State, condition: Term) -> Option<bool> {
        let first = self.first.implied(&mut worker.first, &state.0, condition);
        first.or_else(|| self.second.implied(&mut worker.second, &state.1, condition))
    }
    fn may_point_to(&self, worker: &mut Self::Worker, state: &Self::State, pointer: Term) -> Option<Vec<Pointee>> {
        let first = self.first.may_point_to(&mut worker.first, &state.0, pointer);
        first.or_else(|| self.second.may_point_to(&mut worker.second, &state.1, pointer))
    }
}

impl<A: StrongestPost, B: StrongestPost> StrongestPost for Product<A, B> {
    fn post(&self, worker: &mut Self::Worker, state: &Self::State, step: &Move<'_>) -> Option<Self::State> {
        let first = self.first.post(&mut worker.first, &state.0, step)?;
        let second = self.second.post(&mut worker.second, &state.1, step)?;
        let mut both = (first, second);
        self.strengthen(worker, &mut both, step, &mut NoView).then_some(both)
    }
}

/// Something that the first or the second component remembers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Either<A, B> {
    /// The first component's.
    First(A),
    /// The second component's.
    Second(B),
}

impl<A: Forget, B: Forget> Forget for Product<A, B> {
    type Item = Either<A::Item, B::Item>;

    fn remembered(&self, state: &Self::State, out: &mut Vec<Self::Item>) {
        let mut firsts = Vec::new();
        self.first.remembered(&state.0, &mut firsts);
        let mut seconds = Vec::new();
        self.second.remembered(&state.1, &mut seconds);
        out.extend(firsts.into_iter().map(Either::First));
        out.extend(seconds.into_iter().map(Either::Second));
    }

    fn forget(&self, worker: &mut Self::Worker, state: &mut Self::State, item: &Self::Item) {
        match item {
            Either::First(item) => self.first.forget(&mut worker.first, &mut state.0, item),
            Either::Second(item) => self.second.forget(&mut worker.second, &mut state.1, item),
        }
    }
}

impl<A: Refinable, B: Refinable> Refinable for Product<A, B> {
    fn track(&self, precision: &mut Self::Precision, at: LocationId, scope: PrecisionScope, item: &Self::Item) -> bool {
        match item {
            Either::First(item) => self.first.track(&mut precision.0, at, scope, item),
            Either::Second(item) => self.second.track(&mut precision.1, at, scope, item),
        }
    }

    fn everything(&self, precision: &Self::Precision) -> Option<Self::Precision> {
        match (self.first.everything(&precision.0), self.second.everything(&precision.1)) {
            (None, None) => None,
            (first, second) => Some((first.unwrap_or_else(|| precision.0.clone()), second.unwrap_or_else(|| precision.1.clone()))),
        }
    }
}
