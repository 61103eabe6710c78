//! The refiner: decides about a path to a target and extends the precision so that the abstraction refutes it.

use crate::cone::{Cone, Reads, Uses};
use crate::facts::{ItemFacts, Scores};
use crate::interpolate::{Context, Interpolants, InterpolationOptions, interpolate};
use crate::path::Path;
use crate::prefixes;
use crate::score::{Measures, Occurrences, Preference};
use crate::trace::{TraceOptions, Tracer};
use assay_base::{Decision, FastSet, Obstacle, Stats, StopReason};
use assay_cfa::{Operation, VarId};
use assay_cpa::cegar::{Refinement, Refiner, TargetPath};
use assay_cpa::{Domain, Forget, NoView, Position, Refinable, Successors};
use std::hash::Hash;
use std::sync::Arc;

/// How refinement works. The place where exploration goes on is an option of the loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RefineOptions {
    /// How interpolants are searched.
    pub interpolation: InterpolationOptions,
    /// Values alone are tried first; constraints only where these do not refute the path.
    pub delegate_to_values: bool,
    /// Where the check refutes a path and the domain cannot, the registers behind the contradiction are tracked: for
    /// domains whose transfer is sharper than their post, because it splits states.
    pub track_contradictions: bool,
    /// Which sliced prefix is taken.
    pub preference: Preference,
    /// How many prefixes are looked at.
    pub max_prefixes: usize,
    /// For random choices.
    pub seed: u64,
    /// Tracks first what the assertions of a trace checker speak of; only where that does not refute the path, what the
    /// domain's own interpolants remember.
    pub trace: Option<TraceOptions>,
}

impl Default for RefineOptions {
    fn default() -> Self {
        RefineOptions {
            interpolation: InterpolationOptions::default(),
            delegate_to_values: false,
            track_contradictions: false,
            preference: Preference::none(),
            max_prefixes: 16,
            seed: 0,
            trace: None,
        }
    }
}

/// Confirms or refutes paths bit by bit. Laws: `Feasible` only with evidence that was replayed; `Infeasible` only if
/// no concrete execution follows the path, with the positions of steps that contradict each other (none where they are
/// not known).
pub trait PathCheck<D: Domain> {
    /// What is shown for a feasible path.
    type Evidence;

    /// Decides about one path.
    fn check(&mut self, worker: &mut D::Worker, path: &TargetPath<'_, '_, D>) -> Decision<Self::Evidence, Vec<usize>>;
}

/// Counters of a refiner.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct RefineCounters {
    /// Paths that were looked at.
    pub paths: u64,
    /// Paths that the domain refuted, and those of them that values alone refuted under delegation.
    pub refuted: u64,
    /// Of these, without constraints.
    pub refuted_by_values: u64,
    /// Paths that the domain could follow, and those of them that the check refuted.
    pub checked: u64,
    /// Of these, by the bit-precise check.
    pub refuted_by_check: u64,
    /// Sliced prefixes that were looked at.
    pub prefixes: u64,
    /// Interpolations by testing.
    pub interpolations: u64,
    /// Posts that these computed.
    pub posts: u64,
    /// Interpolations that ran out of their budget.
    pub incomplete: u64,
    /// Refinements whose interpolants did not refute the path in the abstraction, so that everything on it was tracked.
    pub widened: u64,
    /// Paths that a trace checker found assertions for, and those of them that the domain refutes with what these speak
    /// of.
    pub traced: u64,
    /// Of these, with what the assertions speak of.
    pub refuted_by_trace: u64,
    /// In steps.
    pub longest_path: u64,
}

impl RefineCounters {
    /// Puts them under their names.
    pub fn add_to(&self, stats: &mut Stats) {
        stats.add("refinement: paths", self.paths);
        stats.add("refinement: refuted by the domain", self.refuted);
        stats.add("refinement: refuted by values alone", self.refuted_by_values);
        stats.add("refinement: checked bit by bit", self.checked);
        stats.add("refinement: refuted bit by bit", self.refuted_by_check);
        stats.add("refinement: sliced prefixes", self.prefixes);
        stats.add("refinement: interpolations", self.interpolations);
        stats.add("refinement: posts", self.posts);
        stats.add("refinement: interpolations over budget", self.incomplete);
        stats.add("refinement: whole paths tracked", self.widened);
        stats.add("refinement: paths with assertions", self.traced);
        stats.add("refinement: refuted by what assertions speak of", self.refuted_by_trace);
        stats.max("refinement: longest path", self.longest_path);
    }
}

/// One refinement for every domain that can refine.
pub struct DomainRefiner<'r, F, C> {
    /// How it works.
    pub options: RefineOptions,
    /// What the domain's items are.
    pub facts: &'r F,
    /// How the program uses variables.
    pub scores: &'r dyn Scores,
    /// Decides about paths that the domain cannot refute.
    pub check: C,
    /// What was done so far.
    pub counters: RefineCounters,
    reads: Option<Reads>,
    occurrences: Option<Occurrences>,
    tracer: Option<Tracer>,
}

/// How the refutation of a path extended a precision.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Growth {
    /// The first position of the path whose state must be computed again.
    pub cut: usize,
    /// Whether the precision is another than before.
    pub grew: bool,
}

/// What one domain of several says about a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Alone {
    /// It cannot refute it.
    Followed,
    /// It can, but only with variables that are to be avoided.
    Avoided,
    /// The precision refutes it now.
    Refuted(Growth),
}

/// A chosen refutation.
struct Refutation<'p, S, I> {
    path: Path<'p>,
    interpolants: Interpolants<S, I>,
}

impl<'r, F, C> DomainRefiner<'r, F, C> {
    /// Has seen no path yet.
    pub fn new(options: RefineOptions, facts: &'r F, scores: &'r dyn Scores, check: C) -> Self {
        DomainRefiner { options, facts, scores, check, counters: RefineCounters::default(), reads: None, occurrences: None, tracer: None }
    }

    /// Adds what was done, and what the solver of trace checkers did.
    pub fn add_to(&self, stats: &mut Stats) {
        self.counters.add_to(stats);
        if let Some(tracer) = &self.tracer {
            stats.merge(&tracer.solver.stats());
        }
    }

    fn context<'c, D: Forget>(&'c self, target: &TargetPath<'_, 'c, D>, values_alone: bool) -> Context<'c, D, F>
    where
        'r: 'c,
    {
        Context {
            domain: target.domain,
            facts: self.facts,
            scores: self.scores,
            options: self.options.interpolation,
            values_alone,
            cancel: target.environment.cancel,
        }
    }

    /// The prefixes to choose from; none if the domain can follow the path.
    fn prefixes<'p, D: Forget>(
        &mut self,
        worker: &mut D::Worker,
        target: &TargetPath<'_, '_, D>,
        path: &Path<'p>,
    ) -> Result<(Vec<Path<'p>>, bool), StopReason>
    where
        F: ItemFacts<D::Item>,
    {
        let limit = if self.options.preference.is_none() { 1 } else { self.options.max_prefixes.max(1) };
        if self.options.delegate_to_values {
            let found = prefixes::extract(&self.context(target, true), worker, path, limit)?;
            if !found.is_empty() {
                self.counters.refuted_by_values += 1;
                return Ok((found, true));
            }
        }
        Ok((prefixes::extract(&self.context(target, false), worker, path, limit)?, false))
    }

    fn interpolate<D: Forget>(
        &mut self,
        worker: &mut D::Worker,
        target: &TargetPath<'_, '_, D>,
        path: &Path<'_>,
        values_alone: bool,
    ) -> Result<Option<Interpolants<D::State, D::Item>>, StopReason>
    where
        F: ItemFacts<D::Item>,
    {
        let mut reads = self.reads.take().unwrap_or_else(|| Reads::new(path.program));
        let found = interpolate(&self.context(target, values_alone), worker, path, &mut reads);
        self.reads = Some(reads);
        self.counters.interpolations += 1;
        if let Ok(Some(interpolants)) = &found {
            self.counters.posts += interpolants.posts;
            self.counters.incomplete += u64::from(!interpolants.complete);
        }
        found
    }

    /// Chooses among the prefixes; `None` if none of them contradicts after all.
    fn choose<'p, D: Forget>(
        &mut self,
        worker: &mut D::Worker,
        target: &TargetPath<'_, '_, D>,
        mut prefixes: Vec<Path<'p>>,
        values_alone: bool,
    ) -> Result<Option<Refutation<'p, D::State, D::Item>>, StopReason>
    where
        F: ItemFacts<D::Item>,
    {
        self.counters.prefixes += prefixes.len() as u64;
        let preference = self.options.preference.clone();
        let measures = |index: usize, path: &Path<'_>| Measures::of_prefix(path.len(), self.options.seed, self.counters.paths, index);
        if !preference.needs_interpolants() && prefixes.len() > 1 {
            let mut best = (0, measures(0, &prefixes[0]));
            for (index, prefix) in prefixes.iter().enumerate().skip(1) {
                let candidate = measures(index, prefix);
                if preference.compare(&candidate, &best.1).is_lt() {
                    best = (index, candidate);
                }
            }
            prefixes = vec![prefixes.swap_remove(best.0)];
        }
        let only = prefixes.len() == 1;
        let mut best: Option<(Measures, Refutation<'p, D::State, D::Item>)> = None;
        for (index, path) in prefixes.into_iter().enumerate() {
            let mut candidate = Measures::of_prefix(path.len(), self.options.seed, self.counters.paths, index);
            let Some(interpolants) = self.interpolate(worker, target, &path, values_alone)? else { continue };
            if !only {
                self.measure(&path, &interpolants, &mut candidate);
            }
            if best.as_ref().is_none_or(|(measures, _)| preference.compare(&candidate, measures).is_lt()) {
                best = Some((candidate, Refutation { path, interpolants }));
            }
        }
        Ok(best.map(|(_, refutation)| refutation))
    }

    /// Adds to the measures what the interpolants say.
    fn measure<S, I: Clone + Eq + Hash>(&mut self, path: &Path<'_>, interpolants: &Interpolants<S, I>, measures: &mut Measures)
    where
        F: ItemFacts<I>,
    {
        let mut seen = FastSet::default();
        let (mut pivot, mut width) = (interpolants.states.len(), 0);
        for (position, items) in interpolants.items.iter().enumerate().filter(|(_, items)| !items.is_empty()) {
            pivot = pivot.min(position);
            width += 1;
            if position == 0 || !Arc::ptr_eq(items, &interpolants.items[position - 1]) {
                seen.extend(items.iter().cloned());
            }
        }
        (measures.pivot, measures.width) = (pivot as u64, width);
        let (mut variables, mut others) = (Vec::new(), 0);
        for item in &seen {
            let before = variables.len();
            self.facts.registers(item, &mut variables);
            others += u64::from(variables.len() == before);
        }
        variables.sort_unstable();
        variables.dedup();
        let mut reads = self.reads.take().unwrap_or_else(|| Reads::new(path.program));
        let occurrences = self.occurrences.get_or_insert_with(|| Occurrences::of(path.program, &mut reads));
        measures.add_variables(&variables, others, self.scores, occurrences);
        self.reads = Some(reads);
    }

    /// Tracks these things at the positions of a path. The first position whose precision grew, if any did.
    fn track<D: Refinable>(&self, domain: &D, path: &Path<'_>, items: &[Arc<[D::Item]>], precision: &mut D::Precision) -> Option<usize> {
        let mut first = None;
        for (position, items) in items.iter().enumerate() {
            for item in items.iter() {
                if domain.track(precision, path.head(position).location, self.options.interpolation.scope, item) {
                    first.get_or_insert(position);
                }
            }
        }
        first
    }

    fn refute<D: Refinable>(
        &mut self,
        worker: &mut D::Worker,
        target: &TargetPath<'_, '_, D>,
        whole: &Path<'_>,
        refutation: Refutation<'_, D::State, D::Item>,
        precision: &mut D::Precision,
    ) -> Result<Growth, StopReason>
    where
        F: ItemFacts<D::Item>,
    {
        let domain = target.domain;
        let Refutation { path, interpolants } = refutation;
        let mut first = self.track(domain, &path, &interpolants.items, precision);
        // The states on the path may be older than the precision: what they lack must be computed again, too.
        let older = first.unwrap_or(interpolants.states.len());
        let lacking = interpolants.states[..older].iter().enumerate().position(|(position, state)| {
            !interpolants.items[position].is_empty()
                && target.states.get(position).copied().flatten().is_none_or(|old| !domain.covers(worker, old, state))
        });
        let mut cut = [first, lacking].into_iter().flatten().min().unwrap_or(interpolants.last_step());
        if !is_refuted(worker, target, whole, precision)? {
            // What the interpolants remember is not enough for the abstraction to follow them. Everything is.
            self.counters.widened += 1;
            let all = everything(worker, target, &path)?;
            let widened = self.track(domain, &path, &all, precision);
            first = first.or(widened);
            cut = widened.map_or(cut, |widened| cut.min(widened));
        }
        Ok(Growth { cut, grew: first.is_some() })
    }

    /// Whether the interpolants remember one of these variables.
    fn remembers<S, I>(&self, interpolants: &Interpolants<S, I>, which: &dyn Fn(VarId) -> bool) -> bool
    where
        F: ItemFacts<I>,
    {
        let mut variables = Vec::new();
        for items in &interpolants.items {
            items.iter().for_each(|item| {
                self.facts.registers(item, &mut variables);
            });
        }
        variables.into_iter().any(which)
    }

    /// Refutes a path by what the domain remembers, for one domain of several: nothing is asked about a path that the
    /// domain can follow, and the answer is [`Alone::Followed`]. Where variables that are to be avoided would have to
    /// be tracked, the precision stays as it is.
    ///
    /// # Errors
    /// The token was stopped.
    pub fn refute_alone<D: Refinable>(
        &mut self,
        worker: &mut D::Worker,
        target: &TargetPath<'_, '_, D>,
        precision: &mut D::Precision,
        avoided: &dyn Fn(VarId) -> bool,
    ) -> Result<Alone, StopReason>
    where
        F: ItemFacts<D::Item>,
    {
        let Ok(path) = Path::new(target.environment.program, target.heads.clone(), target.steps.clone()) else {
            return Ok(Alone::Followed);
        };
        self.counters.paths += 1;
        self.counters.longest_path = self.counters.longest_path.max(path.len() as u64);
        let (prefixes, values_alone) = self.prefixes(worker, target, &path)?;
        if prefixes.is_empty() {
            return Ok(Alone::Followed);
        }
        let Some(refutation) = self.choose(worker, target, prefixes, values_alone)? else { return Ok(Alone::Followed) };
        if self.remembers(&refutation.interpolants, avoided) {
            return Ok(Alone::Avoided);
        }
        self.counters.refuted += 1;
        self.refute(worker, target, &path, refutation, precision).map(Alone::Refuted)
    }
}

/// What is remembered along a contradicting path at full precision.
fn everything<D: Forget>(
    worker: &mut D::Worker,
    target: &TargetPath<'_, '_, D>,
    path: &Path<'_>,
) -> Result<Vec<Arc<[D::Item]>>, StopReason> {
    let domain = target.domain;
    let mut state = domain.initial(worker);
    let mut all = Vec::with_capacity(path.len());
    for index in 0..path.len() {
        if let Some(reason) = target.environment.cancel.stopped() {
            return Err(reason);
        }
        let mut items = Vec::new();
        domain.remembered(&state, &mut items);
        all.push(items.into());
        match path.post(domain, worker, &state, index) {
            Some(next) => state = next,
            None => break,
        }
    }
    Ok(all)
}

/// Whether the abstraction with this precision refutes the path.
fn is_refuted<D: Domain>(
    worker: &mut D::Worker,
    target: &TargetPath<'_, '_, D>,
    path: &Path<'_>,
    precision: &D::Precision,
) -> Result<bool, StopReason> {
    /// Transfers with more successors than this are followed no further; the loop finds out by itself then.
    const MANY: usize = 64;
    let domain = target.domain;
    let mut state = domain.initial(worker);
    domain.adjust(worker, &mut state, precision, &Position { program: path.program, head: path.head(0) });
    let mut states = vec![state];
    let mut out = Successors::new();
    for index in 0..path.len() {
        if let Some(reason) = target.environment.cancel.stopped() {
            return Err(reason);
        }
        let movement = path.movement(index);
        if matches!(movement.edge.operation, Operation::Unsupported { .. }) {
            continue;
        }
        for state in states.drain(..) {
            domain.transfer(worker, &state, precision, &movement, &mut NoView, &mut out);
        }
        if out.items.len() > MANY {
            return Ok(true);
        }
        for mut successor in out.items.drain(..) {
            domain.adjust(worker, &mut successor.state, precision, &movement.place());
            states.push(successor.state);
        }
        if states.is_empty() {
            return Ok(true);
        }
    }
    Ok(false)
}

impl<D: Refinable, F: ItemFacts<D::Item>, C: PathCheck<D>> Refiner<D> for DomainRefiner<'_, F, C> {
    type Evidence = C::Evidence;

    fn refine(
        &mut self,
        worker: &mut D::Worker,
        target: &TargetPath<'_, '_, D>,
        precision: &mut D::Precision,
    ) -> Decision<C::Evidence, Refinement> {
        let path = match Path::new(target.environment.program, target.heads.clone(), target.steps.clone()) {
            Ok(path) => path,
            Err(error) => return Decision::Open(Obstacle::unconfirmed(error.to_string())),
        };
        self.counters.paths += 1;
        self.counters.longest_path = self.counters.longest_path.max(path.len() as u64);
        match self.decide(worker, target, &path, precision) {
            Ok(answer) => answer,
            Err(reason) => Decision::Open(Obstacle::stopped(reason)),
        }
    }

    fn last_resort(&mut self, domain: &D, precision: &D::Precision) -> Option<D::Precision> {
        domain.everything(precision)
    }
}

impl<F, C> DomainRefiner<'_, F, C> {
    fn decide<D: Refinable>(
        &mut self,
        worker: &mut D::Worker,
        target: &TargetPath<'_, '_, D>,
        path: &Path<'_>,
        precision: &mut D::Precision,
    ) -> Result<Decision<C::Evidence, Refinement>, StopReason>
    where
        F: ItemFacts<D::Item>,
        C: PathCheck<D>,
    {
        if let Some(options) = self.options.trace
            && let Some(answer) = self.trace(worker, target, path, options, precision)?
        {
            return Ok(answer);
        }
        let (prefixes, values_alone) = self.prefixes(worker, target, path)?;
        if prefixes.is_empty() {
            return Ok(self.ask(worker, target, path, precision));
        }
        self.counters.refuted += 1;
        match self.choose(worker, target, prefixes, values_alone)? {
            Some(refutation) => {
                let Growth { cut, grew } = self.refute(worker, target, path, refutation, precision)?;
                Ok(Decision::Infeasible(Refinement::Extended { cut, grew }))
            }
            None => Ok(Decision::Open(Obstacle::solver("the path contradicts in one run and not in the next"))),
        }
    }

    /// Tracks what the assertions of a trace checker speak of, if the domain refutes the path with that.
    fn trace<D: Refinable>(
        &mut self,
        worker: &mut D::Worker,
        target: &TargetPath<'_, '_, D>,
        path: &Path<'_>,
        options: TraceOptions,
        precision: &mut D::Precision,
    ) -> Result<Option<Decision<C::Evidence, Refinement>>, StopReason>
    where
        F: ItemFacts<D::Item>,
        C: PathCheck<D>,
    {
        let tracer = self.tracer.get_or_insert_with(|| Tracer::new(path.program));
        let Some(assertions) = tracer.assertions(path, options, self.options.interpolation.max_time, target.environment.cancel) else {
            return match target.environment.cancel.stopped() {
                Some(reason) => Err(reason),
                None => Ok(None),
            };
        };
        self.counters.traced += 1;
        let items: Vec<Arc<[D::Item]>> = assertions
            .iter()
            .map(|assertion| {
                let mut items = Vec::new();
                assertion.variables.iter().for_each(|&variable| self.facts.of_variable(variable, &mut items));
                items.extend(assertion.cells.iter().filter_map(|&(object, offset)| self.facts.of_cell(object, offset)));
                items.into()
            })
            .collect();
        let mut extended = precision.clone();
        let first = self.track(target.domain, path, &items, &mut extended);
        if !is_refuted(worker, target, path, &extended)? {
            return Ok(None);
        }
        self.counters.refuted_by_trace += 1;
        *precision = extended;
        // Where nothing is new, the states on the path are older than the precision.
        let cut = first.or_else(|| items.iter().position(|items| !items.is_empty())).unwrap_or(0);
        Ok(Some(Decision::Infeasible(Refinement::Extended { cut, grew: first.is_some() })))
    }

    /// Asks the check about a path that the domain can follow.
    fn ask<D: Refinable>(
        &mut self,
        worker: &mut D::Worker,
        target: &TargetPath<'_, '_, D>,
        path: &Path<'_>,
        precision: &mut D::Precision,
    ) -> Decision<C::Evidence, Refinement>
    where
        F: ItemFacts<D::Item>,
        C: PathCheck<D>,
    {
        self.counters.checked += 1;
        match self.check.check(worker, target) {
            Decision::Feasible(evidence) => Decision::Feasible(evidence),
            Decision::Open(reason) => Decision::Open(reason),
            Decision::Infeasible(core) => {
                self.counters.refuted_by_check += 1;
                if self.options.track_contradictions
                    && let Some(cut) = self.track_contradiction(target.domain, path, &core, precision)
                {
                    return Decision::Infeasible(Refinement::Extended { cut, grew: true });
                }
                let steps = if core.is_empty() { String::new() } else { format!(" ({} of its steps contradict each other)", core.len()) };
                let reason = Obstacle::imprecise(format!("a path to the target is infeasible{steps}, but the domain cannot express why"));
                match core.iter().max() {
                    Some(&step) => Decision::Infeasible(Refinement::Excluded { step, reason }),
                    None => Decision::Open(reason),
                }
            }
        }
    }

    /// Tracks the registers that the contradicting steps depend on. The first position whose precision grew, if any
    /// did.
    fn track_contradiction<D: Refinable>(
        &mut self,
        domain: &D,
        path: &Path<'_>,
        core: &[usize],
        precision: &mut D::Precision,
    ) -> Option<usize>
    where
        F: ItemFacts<D::Item>,
    {
        let mut slice = path.prefix(core.iter().copied().max()?);
        for index in 0..slice.len() {
            if slice.is_test(index) && !core.contains(&index) {
                slice.skip(index);
            }
        }
        let mut reads = self.reads.take().unwrap_or_else(|| Reads::new(path.program));
        let cone = Cone::of(&slice, &mut reads, Uses::Everything);
        self.reads = Some(reads);
        let tracked: Vec<_> = cone.registers().filter_map(|register| Some((register, self.facts.of_register(register)?))).collect();
        let items: Vec<Arc<[D::Item]>> = (0..=slice.len())
            .map(|position| {
                // What a step writes matters after it, also where only a test in between says so.
                let matters = |register| cone.register(register, position) || cone.register(register, position.saturating_sub(1));
                tracked.iter().filter(|(register, _)| matters(*register)).map(|(_, item)| item.clone()).collect()
            })
            .collect();
        self.track(domain, path, &items, precision)
    }
}
