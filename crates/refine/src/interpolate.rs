//! Inductive interpolation by testing: each interpolant is the post of the one before, without everything that can be
//! forgotten while the rest of the path stays contradicting.
//!
//! Plain testing costs a run of the suffix for each remembered thing at each position. Five things make it bearable on
//! paths of 100,000 steps: the use-def cone drops most things unseen; things are forgotten in chunks; a test ends where
//! its run meets the states of the run before; what is known to be needed at a place is not tested there again, since
//! the precision tracks it anyway; and on long paths a first reduction looks for one set of things that suffices on the
//! whole path.

use crate::cone::{Cone, Reads, Touched, Uses};
use crate::facts::{ItemFacts, ItemKind, Scores};
use crate::path::Path;
use assay_base::{CancelToken, FastMap, FastSet, StopReason, WorkTime};
use assay_cfa::{LocationId, VarId};
use assay_cpa::{Forget, PrecisionScope, Step};
use std::sync::Arc;
use std::time::Duration;

/// In which order constraints and values are tried for forgetting.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ForgetOrder {
    /// The thesis' order: what is expensive goes first.
    #[default]
    ConstraintsFirst,
    /// Values go first, so that constraints stay where they suffice.
    ValuesFirst,
    /// Constraints are kept as they come; only values are tried.
    ValuesOnly,
}

/// How interpolants are searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InterpolationOptions {
    /// What is tried first.
    pub order: ForgetOrder,
    /// Where the precision will track what is found: there it need not be tested twice.
    pub scope: PrecisionScope,
    /// About how many posts one interpolation may compute, if the path is not longer than a [`RUNS`]th of it; else as
    /// many runs of the path. Beyond it, interpolants stay larger than they could be.
    pub max_posts: u64,
    /// The time after which it ends as if the posts were spent; a net for domains whose posts ask a solver.
    pub max_time: Duration,
    /// From this length on, one set of things that suffices on the whole path is looked for first.
    pub long_path: usize,
}

impl Default for InterpolationOptions {
    fn default() -> Self {
        InterpolationOptions {
            order: ForgetOrder::ConstraintsFirst,
            scope: PrecisionScope::Location,
            max_posts: 1_000_000,
            max_time: Duration::from_secs(10),
            long_path: 400,
        }
    }
}

/// How many runs of the path are always affordable.
pub const RUNS: u64 = 30;

/// Interpolants of a contradicting path: the state at each position up to the step that contradicts. A state without
/// anything remembered is *true*; after the last position comes *false*.
#[derive(Clone, Debug)]
pub struct Interpolants<S, I> {
    /// One for each position, the first at the path's start.
    pub states: Vec<S>,
    /// What each state remembers.
    pub items: Vec<Arc<[I]>>,
    /// The work that it took.
    pub posts: u64,
    /// Whether the budget sufficed for all tests.
    pub complete: bool,
}

impl<S, I> Interpolants<S, I> {
    /// The step that contradicts.
    pub fn last_step(&self) -> usize {
        self.states.len() - 1
    }
}

/// What an interpolation works with.
pub struct Context<'c, D: Forget, F> {
    /// Whose states are forgotten from.
    pub domain: &'c D,
    /// What its items are.
    pub facts: &'c F,
    /// How the program uses variables.
    pub scores: &'c dyn Scores,
    /// How far the search goes.
    pub options: InterpolationOptions,
    /// Constraints are not used at all.
    pub values_alone: bool,
    /// Asked between tests.
    pub cancel: &'c CancelToken,
}

/// Interpolates a path whose last step is the one that contradicts. `None` if it does not contradict.
///
/// # Errors
/// The reason, if the run is stopped.
pub fn interpolate<D: Forget, F: ItemFacts<D::Item>>(
    context: &Context<'_, D, F>,
    worker: &mut D::Worker,
    path: &Path<'_>,
    reads: &mut Reads,
) -> Result<Option<Interpolants<D::State, D::Item>>, StopReason> {
    let mut search = Search {
        context,
        worker,
        path,
        reads,
        cone: None,
        allowed: None,
        footprints: FastMap::default(),
        touched: FastMap::default(),
        states: Vec::new(),
        items: Vec::new(),
        posts: 0,
        complete: true,
        end: WorkTime::now() + context.options.max_time,
        scratch: Vec::new(),
    };
    if !search.begin()? {
        return Ok(None);
    }
    if path.len() >= context.options.long_path {
        search.reduce_globally()?;
    }
    search.reduce_positions()?;
    let Search { states, items, posts, complete, .. } = search;
    let found = Interpolants { states, items, posts, complete };
    debug_assert!(contradicts(context, worker, path, &found), "the suffix of an interpolant must contradict");
    Ok(Some(found))
}

/// Whether the path contradicts, from the first interpolant that remembers something.
fn contradicts<D: Forget, F>(
    context: &Context<'_, D, F>,
    worker: &mut D::Worker,
    path: &Path<'_>,
    found: &Interpolants<D::State, D::Item>,
) -> bool {
    let pivot = found.items.iter().position(|items| !items.is_empty()).unwrap_or(found.last_step());
    match path.run(context.domain, worker, pivot, found.states[pivot].clone(), context.cancel) {
        Ok(run) => matches!(run, crate::path::Run::Contradiction { .. }),
        Err(_) => true,
    }
}

/// What is known of an item.
struct Footprint {
    kind: ItemKind,
    registers: Box<[VarId]>,
    /// It depends on the registers alone.
    exact: bool,
    memory: bool,
    /// How bad it is to track.
    weight: u64,
}

/// How a test ended.
enum Test<S> {
    /// The run met the states of the run before at this position (`None`: it contradicted). The new states from the
    /// start of the test.
    Contradicts(Vec<S>, Option<usize>),
    Feasible,
}

struct Search<'s, 'c, D: Forget, F> {
    context: &'s Context<'c, D, F>,
    worker: &'s mut D::Worker,
    path: &'s Path<'s>,
    reads: &'s mut Reads,
    cone: Option<Cone>,
    /// What states may remember anywhere on the path.
    allowed: Option<FastSet<D::Item>>,
    footprints: FastMap<D::Item, Arc<Footprint>>,
    touched: FastMap<Step, Arc<Touched>>,
    /// `states[i + 1]` is the post of `states[i]` over step i, perhaps weakened; the last one contradicts its step.
    states: Vec<D::State>,
    /// What the states up to the one that is being reduced remember.
    items: Vec<Arc<[D::Item]>>,
    posts: u64,
    complete: bool,
    end: WorkTime,
    scratch: Vec<D::Item>,
}

impl<D: Forget, F: ItemFacts<D::Item>> Search<'_, '_, D, F> {
    fn footprint(&mut self, item: &D::Item) -> Arc<Footprint> {
        if let Some(known) = self.footprints.get(item) {
            return known.clone();
        }
        let facts = self.context.facts;
        let mut registers = Vec::new();
        let exact = facts.registers(item, &mut registers);
        let weight = |register: &VarId| self.context.scores.class(*register).weight().unwrap_or(1 << 20);
        let footprint = Arc::new(Footprint {
            kind: facts.kind(item),
            exact,
            memory: !exact && facts.is_memory(item),
            weight: registers.iter().map(weight).max().unwrap_or(4),
            registers: registers.into(),
        });
        self.footprints.insert(item.clone(), footprint.clone());
        footprint
    }

    fn is_allowed(&mut self, item: &D::Item, position: usize) -> bool {
        if self.allowed.as_ref().is_some_and(|allowed| !allowed.contains(item)) {
            return false;
        }
        let footprint = self.footprint(item);
        if self.context.values_alone && footprint.kind == ItemKind::Constraint {
            return false;
        }
        match &self.cone {
            Some(cone) if footprint.exact => footprint.registers.iter().any(|&register| cone.register(register, position)),
            Some(cone) if footprint.memory => cone.memory(position),
            _ => true,
        }
    }

    /// Takes from a state what it need not remember at the position.
    fn restrict(&mut self, state: &mut D::State, position: usize) {
        let mut items = std::mem::take(&mut self.scratch);
        self.context.domain.remembered(state, &mut items);
        self.posts += items.len() as u64 / 64;
        for item in items.drain(..) {
            if !self.is_allowed(&item, position) {
                self.context.domain.forget(self.worker, state, &item);
            }
        }
        self.scratch = items;
    }

    fn touched(&mut self, index: usize) -> Arc<Touched> {
        if self.path.is_skipped(index) {
            return Arc::default();
        }
        let (path, reads) = (self.path, &mut *self.reads);
        self.touched.entry(path.step(index)).or_insert_with(|| Arc::new(reads.touched(path, index))).clone()
    }

    /// Takes from the state after a step what it need not remember, where the step tells what that can be.
    fn restrict_touched(&mut self, state: &mut D::State, index: usize) -> bool {
        let touched = self.touched(index);
        if touched.cells {
            return false;
        }
        let facts = self.context.facts;
        let test = match self.path.step(index) {
            Step::Edge(edge) if self.path.is_test(index) => facts.of_test(edge),
            _ => None,
        };
        let registers = touched.registers.iter().map(|&register| facts.of_register(register));
        for item in registers.chain(test.map(Some)) {
            let Some(item) = item else { return false };
            if !self.is_allowed(&item, index + 1) {
                self.context.domain.forget(self.worker, state, &item);
            }
        }
        true
    }

    /// The restricted post over one step.
    fn advance(&mut self, state: &D::State, index: usize) -> Result<Option<D::State>, StopReason> {
        if let Some(reason) = self.context.cancel.stopped() {
            return Err(reason);
        }
        self.posts += 1;
        let Some(mut next) = self.path.post(self.context.domain, self.worker, state, index) else { return Ok(None) };
        // Only tests bring constraints.
        let filtered = self.cone.is_some() || self.allowed.is_some() || (self.context.values_alone && self.path.is_test(index));
        if filtered && !self.restrict_touched(&mut next, index) {
            self.restrict(&mut next, index + 1);
        }
        Ok(Some(next))
    }

    /// Finds the first contradicting run, with the smallest cone that keeps it.
    fn begin(&mut self) -> Result<bool, StopReason> {
        for uses in [Some(Uses::Connected), Some(Uses::Everything), None] {
            self.cone = uses.map(|uses| Cone::of(self.path, self.reads, uses));
            if self.run_all()? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Runs the whole path from the initial state as restricted. If it contradicts, its states become the interpolants
    /// so far.
    fn run_all(&mut self) -> Result<bool, StopReason> {
        let mut state = self.context.domain.initial(self.worker);
        self.restrict(&mut state, 0);
        let mut states = Vec::with_capacity(self.path.len());
        for index in 0..self.path.len() {
            let next = self.advance(&state, index)?;
            states.push(state);
            match next {
                Some(next) => state = next,
                None => {
                    self.states = states;
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Whether there is budget for one more test; a share of it in tenths.
    fn has_budget(&mut self, tenths: u64) -> bool {
        let budget = self.context.options.max_posts.max(RUNS * self.path.len() as u64);
        let left = self.posts < budget / 10 * tenths && !self.end.is_over();
        self.complete &= left;
        left
    }

    /// The order in which items are tried: the groups one after the other, in each the worst to track first.
    fn order(&mut self, items: Vec<D::Item>) -> Vec<Vec<D::Item>> {
        let (mut values, mut constraints) = (Vec::new(), Vec::new());
        for item in items {
            let footprint = self.footprint(&item);
            let group = if footprint.kind == ItemKind::Value { &mut values } else { &mut constraints };
            group.push((std::cmp::Reverse(footprint.weight), item));
        }
        // Stable, so that items of equal weight stay in the domain's order.
        values.sort_by_key(|(weight, _)| *weight);
        let mut groups = match self.context.options.order {
            ForgetOrder::ConstraintsFirst => vec![constraints, values],
            ForgetOrder::ValuesFirst => vec![values, constraints],
            ForgetOrder::ValuesOnly => vec![values],
        };
        groups.retain(|group| !group.is_empty());
        groups.into_iter().map(|group| group.into_iter().map(|(_, item)| item).collect()).collect()
    }

    /// Looks for one small set of items that suffices on the whole path. A test is a run of the path.
    fn reduce_globally(&mut self) -> Result<(), StopReason> {
        let mut seen = FastSet::default();
        let mut items = Vec::new();
        let mut remembered = Vec::new();
        for state in &self.states {
            self.context.domain.remembered(state, &mut remembered);
            for item in remembered.drain(..) {
                if seen.insert(item.clone()) {
                    items.push(item);
                }
            }
        }
        self.allowed = Some(seen);
        for group in self.order(items) {
            shrink(self, &group, &mut |search, chunk| {
                if !search.has_budget(6) {
                    return Ok(false);
                }
                let mut smaller = search.allowed.clone().unwrap_or_default();
                chunk.iter().for_each(|item| {
                    smaller.remove(item);
                });
                let larger = search.allowed.replace(smaller);
                let contradicts = search.run_all()?;
                if !contradicts {
                    search.allowed = larger;
                }
                Ok(contradicts)
            })?;
        }
        Ok(())
    }

    /// Forgets at each position what the rest of the path can do without.
    fn reduce_positions(&mut self) -> Result<(), StopReason> {
        let mut needed: FastSet<(TrackingScope, D::Item)> = FastSet::default();
        let mut position = 0;
        // The path can only get shorter along the path.
        while position < self.states.len() {
            let place = TrackingScope::of(self.path, position, self.context.options.scope);
            let mut items = self.items_at(position);
            let before = position.checked_sub(1).map(|before| self.items[before].clone());
            let settled = items.is_empty() || before.is_some_and(|before| items == before && self.leaves_alone(position - 1, &items));
            let open = |needed: &FastSet<_>, item: &&D::Item| !needed.contains(&(place, (*item).clone()));
            let candidates: Vec<D::Item> =
                if settled { vec![] } else { items.iter().filter(|item| open(&needed, item)).cloned().collect() };
            if !candidates.is_empty() && self.has_budget(10) {
                let groups = self.order(candidates);
                // Mostly nothing new is needed: one test then says so.
                let all: Vec<D::Item> = groups.iter().flatten().cloned().collect();
                let done = groups.len() > 1 && self.forget_at(position, &all)?;
                for group in groups.iter().filter(|_| !done) {
                    shrink(self, group, &mut |search, chunk| Ok(search.has_budget(10) && search.forget_at(position, chunk)?))?;
                }
                items = self.remembered(position);
            }
            if !settled {
                needed.extend(items.iter().filter(|item| open(&needed, item)).map(|item| (place, item.clone())).collect::<Vec<_>>());
            }
            self.items.push(items);
            position += 1;
        }
        Ok(())
    }

    fn remembered(&self, position: usize) -> Arc<[D::Item]> {
        let mut items = Vec::new();
        self.context.domain.remembered(&self.states[position], &mut items);
        items.into()
    }

    /// What the state at the position remembers; shared with the one before where that is the same state.
    fn items_at(&self, position: usize) -> Arc<[D::Item]> {
        if let (Some(before), state) = (position.checked_sub(1), &self.states[position])
            && self.context.domain.hash(&self.states[before]) == self.context.domain.hash(state)
            && self.states[before] == *state
        {
            return self.items[before].clone();
        }
        self.remembered(position)
    }

    /// Whether the step neither reads nor writes anything that the items are about, so that what was needed before it
    /// still is.
    fn leaves_alone(&mut self, index: usize, items: &[D::Item]) -> bool {
        let touched = self.touched(index);
        items.iter().all(|item| {
            let footprint = self.footprint(item);
            if footprint.exact {
                !footprint.registers.iter().any(|register| touched.registers.binary_search(register).is_ok())
            } else {
                touched.registers.is_empty() && !touched.memory
            }
        })
    }

    /// Forgets the items at the position if the rest of the path then still contradicts.
    fn forget_at(&mut self, position: usize, items: &[D::Item]) -> Result<bool, StopReason> {
        let mut state = self.states[position].clone();
        for item in items {
            self.context.domain.forget(self.worker, &mut state, item);
        }
        match self.test(position, state)? {
            Test::Feasible => Ok(false),
            Test::Contradicts(states, met) => {
                let end = met.unwrap_or(self.states.len());
                drop(self.states.splice(position..end, states));
                Ok(true)
            }
        }
    }

    /// Runs the path from a weaker state at the position.
    fn test(&mut self, position: usize, state: D::State) -> Result<Test<D::State>, StopReason> {
        let domain = self.context.domain;
        let mut states = Vec::new();
        let mut state = state;
        for index in position..self.states.len() {
            let old = &self.states[index];
            if domain.hash(&state) == domain.hash(old) && state == *old {
                return Ok(Test::Contradicts(states, Some(index)));
            }
            let next = self.advance(&state, index)?;
            states.push(state);
            match next {
                Some(next) => state = next,
                None => return Ok(Test::Contradicts(states, None)),
            }
        }
        Ok(Test::Feasible)
    }
}

/// Where a needed item will be tracked.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum TrackingScope {
    Location(LocationId),
    Function(u32),
    Everywhere,
}

impl TrackingScope {
    fn of(path: &Path<'_>, position: usize, scope: PrecisionScope) -> TrackingScope {
        let head = path.head(position);
        match scope {
            PrecisionScope::Location => TrackingScope::Location(head.location),
            PrecisionScope::Function => TrackingScope::Function(path.program.locations[head.location].function.0),
            PrecisionScope::Global => TrackingScope::Everywhere,
        }
    }
}

/// Drops as much of the list as `drop` agrees to: all at once, else each half, down to single items. `drop` must be
/// able to forget a chunk beside what it has agreed to before. `true` if all is dropped.
fn shrink<S, T, E>(search: &mut S, items: &[T], drop: &mut dyn FnMut(&mut S, &[T]) -> Result<bool, E>) -> Result<bool, E> {
    if items.is_empty() || drop(search, items)? {
        return Ok(true);
    }
    split(search, items, drop)?;
    Ok(false)
}

/// As [`shrink`], where it is known that not all can be dropped.
fn split<S, T, E>(search: &mut S, items: &[T], drop: &mut dyn FnMut(&mut S, &[T]) -> Result<bool, E>) -> Result<(), E> {
    if items.len() <= 1 {
        return Ok(());
    }
    let (first, second) = items.split_at(items.len() / 2);
    if shrink(search, first, drop)? {
        // All of the second half beside all of the first is what was refused.
        split(search, second, drop)
    } else {
        shrink(search, second, drop).map(|_| ())
    }
}
