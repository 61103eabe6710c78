//! Segments as paths: which steps a model takes, and the exact formula of segments one after the other.

use super::PredicatePrecision;
use super::domain::PredicateDomain;
use super::state::{Abstraction, Origin, Segment};
use assay_base::FastMap;
use assay_cfa::LocationId;
use assay_cpa::Step;
use assay_formula::{Encoder, State, StepOutcome};
use assay_term::{Op, Term};
use std::sync::Arc;

/// The formula of several paths one after the other, from the start of the program, with nothing abstracted in between.
#[derive(Clone)]
pub struct Exact {
    /// After the last path so far.
    pub state: State,
    /// How many steps and merges it took to get here.
    pub effort: usize,
    /// Which side of a merged path is taken, for each block.
    picks: Vec<FastMap<u64, Pick>>,
}

#[derive(Clone, Copy)]
enum Pick {
    First,
    Second,
    /// The first where it holds.
    By(Term),
}

impl Exact {
    /// Follows paths from the start of the program; `None` where no path gets through.
    pub fn of(encoder: &Encoder<'_>, segments: &[Arc<Segment>], is_stopped: &dyn Fn() -> bool) -> Option<Exact> {
        let mut exact = Exact { state: encoder.initial(), effort: 0, picks: vec![] };
        segments.iter().all(|segment| exact.follow(encoder, segment, is_stopped)).then_some(exact)
    }

    /// Goes on by one path; `false` where no path gets through. What is left then is of no use.
    pub fn follow(&mut self, encoder: &Encoder<'_>, segment: &Arc<Segment>, is_stopped: &dyn Fn() -> bool) -> bool {
        let mut made: FastMap<u64, Option<State>> = FastMap::default();
        let mut picked = FastMap::default();
        for part in in_order(segment) {
            if self.effort.is_multiple_of(256) && is_stopped() {
                return false;
            }
            self.effort += 1;
            let next = match &part.origin {
                Origin::Start => Some(self.state.clone()),
                Origin::Step { from, step } => made[&from.serial].as_ref().and_then(|from| {
                    let mut next = from.clone();
                    (encoder.follow(&mut next, *step) == StepOutcome::Continue).then_some(next)
                }),
                Origin::Merge { first, second, .. } => match (&made[&first.serial], &made[&second.serial]) {
                    (Some(a), Some(b)) => {
                        let (merged, choice) = encoder.merge_by_choice(a, b);
                        picked.insert(part.serial, Pick::By(choice));
                        Some(merged)
                    }
                    (Some(a), None) => {
                        picked.insert(part.serial, Pick::First);
                        Some(a.clone())
                    }
                    (None, other) => {
                        picked.insert(part.serial, Pick::Second);
                        other.clone()
                    }
                },
            };
            made.insert(part.serial, next);
        }
        let Some(Some(state)) = made.remove(&segment.serial) else { return false };
        self.state = state;
        self.picks.push(picked);
        true
    }

    /// The steps of each block that a model takes. `holds` evaluates a truth value.
    pub fn steps(&self, segments: &[Arc<Segment>], holds: &mut dyn FnMut(Term) -> bool) -> Vec<Vec<Step>> {
        let picks = segments.iter().zip(&self.picks);
        picks
            .map(|(segment, picks)| {
                steps_of(segment, &mut |part, choice| match picks.get(&part.serial) {
                    Some(Pick::First) => true,
                    Some(Pick::Second) => false,
                    Some(Pick::By(choice)) => holds(*choice),
                    None => holds(choice),
                })
            })
            .collect()
    }
}

/// All parts of a path, those that come before first.
fn in_order(segment: &Arc<Segment>) -> Vec<&Arc<Segment>> {
    let mut order = Vec::new();
    let mut seen: FastMap<u64, bool> = FastMap::default();
    let mut stack = vec![segment];
    while let Some(&part) = stack.last() {
        match seen.get(&part.serial) {
            Some(true) => {
                stack.pop();
            }
            Some(false) => {
                seen.insert(part.serial, true);
                order.push(part);
                stack.pop();
            }
            None => {
                seen.insert(part.serial, false);
                match &part.origin {
                    Origin::Start => {}
                    Origin::Step { from, .. } => stack.push(from),
                    Origin::Merge { first, second, .. } => stack.extend([first, second]),
                }
            }
        }
    }
    order
}

/// The steps of one path of a path; `first` decides at merged parts.
fn steps_of(segment: &Arc<Segment>, first: &mut dyn FnMut(&Segment, Term) -> bool) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut at = segment;
    loop {
        at = match &at.origin {
            Origin::Start => break,
            Origin::Step { from, step } => {
                steps.push(*step);
                from
            }
            Origin::Merge { first: a, second: b, choice } => {
                if first(at, *choice) {
                    a
                } else {
                    b
                }
            }
        };
    }
    steps.reverse();
    steps
}

impl PredicateDomain<'_> {
    /// What must hold for a path that the abstraction allows: from a region over the path into what is asserted at its
    /// end.
    pub fn block_demands(&self, at: &Abstraction, segment: &Segment, end: &[Term]) -> Vec<Term> {
        let end: Vec<Term> = end.iter().filter_map(|&assertion| self.at_end(&segment.formula, assertion)).collect();
        let mut facts = self.demands(at, segment, &end);
        facts.extend(end);
        facts
    }

    /// Which predicates a model of what begins at a place says there to hold, and which not.
    pub fn literals(&self, precision: &PredicatePrecision, location: LocationId, holds: &mut dyn FnMut(Term) -> Option<bool>) -> Vec<Term> {
        let literal = |id| {
            let term = self.predicate(id);
            holds(term).map(|value| if value { term } else { self.terms.not(term) })
        };
        self.predicates_at(precision, location).into_iter().filter_map(literal).collect()
    }

    /// The steps of a path that a model of its own formula takes.
    pub fn steps_within(&self, segment: &Arc<Segment>, holds: &mut dyn FnMut(Term) -> bool) -> Vec<Step> {
        steps_of(segment, &mut |_, choice| holds(choice))
    }

    /// An assertion over stable symbols at the end of a formula; `None` where something in it cannot be said.
    pub fn at_end(&self, state: &State, assertion: Term) -> Option<Term> {
        let encoder = self.encoder();
        let mut known = true;
        let result = self.terms.substitute(assertion, &mut |node| {
            let Some(stable) = encoder.stable_of(node.symbol(), node.op) else {
                known &= node.op == Op::Address && self.program.function_of(node.symbol()).is_some();
                return None;
            };
            let value = encoder.stable_value(state, stable);
            known &= value.is_some();
            value
        });
        known.then_some(result)
    }
}
