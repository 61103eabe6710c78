//! Violations that need many iterations of a loop: the blocks of a counterexample that lead around a loop are gone
//! again and again, with nothing abstracted, so that not every number of iterations below costs refinements of its own.

use super::{Block, PredicateRefiner};
use crate::run::Confirmed;
use assay_base::Decision;
use assay_cpa::{Domain, TargetKind, TargetPath};
use assay_domains::predicate::{Exact, PredicateWorker, Segment};
use assay_formula::Encoder;
use assay_smt::{Answer, Budget};
use std::sync::Arc;
use std::time::Duration;

/// More iterations are not looked at.
const MOST_ITERATIONS: u64 = 512;
/// What the formulas of all iterations may cost, and more for each counterexample so far.
const MOST_EFFORT: u64 = 6_000;
const MORE_EFFORT: u64 = 250;
/// For one number of iterations and each counterexample so far: after the first that takes more there is no hope for
/// the next, until later.
const MOST_CONFLICTS: u64 = 1_000;
const MOST_TIME: Duration = Duration::from_secs(2);
/// So many beginnings of a counterexample are looked at for one that the program can go, and so many steps are run from
/// there.
const MOST_PREFIXES: usize = 4;
const MOST_STEPS: u64 = 400_000;

impl PredicateRefiner<'_> {
    /// A path that goes further iterations of the last loop of a counterexample whose own iterations are not enough.
    /// Tried seldom: when the number of counterexamples has doubled since the last time.
    pub(super) fn look_ahead<D: Domain>(
        &mut self,
        worker: &mut PredicateWorker,
        path: &TargetPath<'_, '_, D>,
        encoder: &Encoder<'_>,
        segments: &[Arc<Segment>],
        blocks: &[Block<'_>],
    ) -> Option<Confirmed> {
        if self.paths < self.ahead_at || !matches!(path.kind, TargetKind::Property(_)) {
            return None;
        }
        if blocks.len() < 2 {
            return None;
        }
        self.ahead_at = 2 * self.paths;
        if let Some(found) = self.run_on(worker, path, encoder, segments) {
            return Some(found);
        }
        let (from, to) = last_loop(path, blocks)?;
        let iterations = (8 * self.paths).min(MOST_ITERATIONS);
        self.stats.add("refinement: looked ahead", 1);
        let stopped = || path.environment.cancel.stopped().is_some();
        let mut taken = segments[..to].to_vec();
        let mut exact = Exact::of(encoder, &taken, &stopped)?;
        let mut effort = 0;
        for _ in 0..iterations {
            for segment in &segments[from..to] {
                if !exact.follow(encoder, segment, &stopped) {
                    return None;
                }
                taken.push(segment.clone());
            }
            let mut end = exact.clone();
            end.effort = 0;
            if !segments[to..].iter().all(|segment| end.follow(encoder, segment, &stopped)) {
                continue;
            }
            effort += end.effort as u64;
            if effort + exact.effort as u64 > MOST_EFFORT + MORE_EFFORT * self.paths {
                return None;
            }
            let mut query = end.state.conditions().to_vec();
            query.extend(encoder.facts(&end.state, query.clone()));
            let budget =
                Budget { conflicts: Some(MOST_CONFLICTS * self.paths.min(16)), ..Budget::with_time(path.environment.cancel, MOST_TIME) };
            match worker.solver.check(encoder.terms, &query, &budget) {
                Answer::Unsat(_) => {}
                Answer::Unknown(_) => return None,
                Answer::Sat(model) => {
                    let whole: Vec<Arc<Segment>> = taken.iter().chain(&segments[to..]).cloned().collect();
                    let mut evaluator = model.evaluator(encoder.terms);
                    let steps = end.steps(&whole, &mut |choice| evaluator.holds(choice) == Some(true));
                    return match self.confirm(path, &steps) {
                        Decision::Feasible(evidence) => {
                            self.stats.add("refinement: found ahead", 1);
                            Some(evidence)
                        }
                        _ => None,
                    };
                }
            }
        }
        None
    }
}

impl PredicateRefiner<'_> {
    /// A violation that an execution comes to which goes the first blocks of a counterexample, and on from there.
    fn run_on<D: Domain>(
        &mut self,
        worker: &mut PredicateWorker,
        path: &TargetPath<'_, '_, D>,
        encoder: &Encoder<'_>,
        segments: &[Arc<Segment>],
    ) -> Option<Confirmed> {
        let TargetKind::Property(target) = path.kind else { return None };
        let stopped = || path.environment.cancel.stopped().is_some();
        let budget = Budget { conflicts: Some(MOST_CONFLICTS), ..Budget::with_time(path.environment.cancel, MOST_TIME) };
        for count in (1..segments.len()).rev().take(MOST_PREFIXES) {
            let begin = &segments[..count];
            let Some(exact) = Exact::of(encoder, begin, &stopped) else { continue };
            let mut query = exact.state.conditions().to_vec();
            query.extend(encoder.facts(&exact.state, query.clone()));
            let answer = worker.solver.check(encoder.terms, &query, &budget);
            let Some(model) = answer.model() else { continue };
            let mut evaluator = model.evaluator(encoder.terms);
            let steps = exact.steps(begin, &mut |choice| evaluator.holds(choice) == Some(true)).concat();
            self.stats.add("refinement: runs from a block's end", 1);
            let found = self.check.checker.run_on(&steps, target, MOST_STEPS);
            self.stats.add("refinement: found by such a run", u64::from(found.is_some()));
            return found;
        }
        None
    }
}

/// The last blocks that lead from a place back to it: the first of them, and the first after them.
fn last_loop<D: Domain>(path: &TargetPath<'_, '_, D>, blocks: &[Block<'_>]) -> Option<(usize, usize)> {
    let head = |index: usize| path.heads[blocks[index].position];
    (1..blocks.len()).rev().find_map(|to| (1..to).rev().find(|&from| head(from) == head(to)).map(|from| (from, to)))
}
