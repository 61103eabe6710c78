//! Violations that need many rounds of a loop: the blocks of a counterexample that lead around a loop are gone again
//! and again, with nothing abstracted, so that not every number of rounds below costs refinements of its own.

use super::{Block, PredicateRefiner};
use crate::run::Confirmed;
use assay_cpa::{Domain, TargetKind, TargetPath};
use assay_domains::predicate::{Exact, PredicateWorker, Way};
use assay_formula::Encoder;
use assay_refine::PathAnswer;
use assay_smt::{Answer, Budget};
use std::sync::Arc;
use std::time::Duration;

/// More rounds are not looked at.
const MOST_ROUNDS: u64 = 512;
/// What the formulas of all rounds may cost, and more for each counterexample so far.
const MOST_EFFORT: u64 = 6_000;
const MORE_EFFORT: u64 = 250;
/// For one number of rounds and each counterexample so far: after the first that takes more there is no hope for the
/// next, until later.
const MOST_CONFLICTS: u64 = 1_000;
const MOST_TIME: Duration = Duration::from_secs(2);

impl PredicateRefiner<'_> {
    /// A path that goes further rounds of the last loop of a counterexample whose own rounds are not enough. Tried
    /// seldom: when the number of counterexamples has doubled since the last time.
    pub(super) fn look_ahead<D: Domain>(
        &mut self,
        worker: &mut PredicateWorker,
        path: &TargetPath<'_, '_, D>,
        encoder: &Encoder<'_>,
        ways: &[Arc<Way>],
        blocks: &[Block<'_>],
    ) -> Option<Confirmed> {
        if self.paths < self.ahead_at || !matches!(path.kind, TargetKind::Property(_)) {
            return None;
        }
        let (from, to) = last_loop(path, blocks)?;
        self.ahead_at = 2 * self.paths;
        let rounds = (8 * self.paths).min(MOST_ROUNDS);
        self.stats.add("refinement: looked ahead", 1);
        let stopped = || path.environment.cancel.stopped().is_some();
        let mut taken = ways[..to].to_vec();
        let mut exact = Exact::of(encoder, &taken, &stopped)?;
        let mut effort = 0;
        for _ in 0..rounds {
            for way in &ways[from..to] {
                if !exact.follow(encoder, way, &stopped) {
                    return None;
                }
                taken.push(way.clone());
            }
            let mut end = exact.clone();
            end.effort = 0;
            if !ways[to..].iter().all(|way| end.follow(encoder, way, &stopped)) {
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
                    let whole: Vec<Arc<Way>> = taken.iter().chain(&ways[to..]).cloned().collect();
                    let mut evaluator = model.evaluator(encoder.terms);
                    let steps = end.steps(&whole, &mut |choice| evaluator.holds(choice) == Some(true));
                    return match self.confirm(path, &steps) {
                        PathAnswer::Confirmed(evidence) => {
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

/// The last blocks that lead from a place back to it: the first of them, and the first after them.
fn last_loop<D: Domain>(path: &TargetPath<'_, '_, D>, blocks: &[Block<'_>]) -> Option<(usize, usize)> {
    let head = |index: usize| path.heads[blocks[index].position];
    (1..blocks.len()).rev().find_map(|to| (1..to).rev().find(|&from| head(from) == head(to)).map(|from| (from, to)))
}
