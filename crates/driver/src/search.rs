//! One run, many checks: looks for violations one after the other, on one automaton, and counts what became of every
//! check. This is where analyses are built, run and sealed.

use crate::error::Error;
use crate::request::Request;
use crate::session::Events;
use assay_base::{CancelToken, StopReason};
use assay_cfa::Program;
use assay_cfa::property::CheckedPlace;
use assay_passes::property::{checked_places, settle};
use assay_results::{Checks, Counterexample, Outcome, RunContext, Verdict, Violations, path};
use std::time::{Duration, Instant};

/// After the first violation, the others get half of the time that it took, but at least this long.
const MORE_TIME: Duration = Duration::from_secs(1);

/// What a run found: the outcome that decides the verdict, and the violations after the first.
pub(crate) struct Found {
    pub(crate) outcome: Outcome,
    pub(crate) further: Vec<Counterexample>,
    pub(crate) checks: Checks,
}

/// Looks for at most so many violations.
pub(crate) fn search(
    program: &Program,
    request: &Request,
    context: &RunContext<'_>,
    events: &dyn Events,
    most: usize,
) -> Result<Found, Error> {
    let decide = |program: &Program, context: &RunContext<'_>| -> Result<Outcome, Error> {
        let outcome = request.choice.clone().build(request.meters)?.run(program, context);
        if let Some(counterexample) = outcome.counterexample() {
            events.violation(program, counterexample);
        }
        Ok(outcome.sealed(context.ledger, &program.assumptions))
    };
    let mut checks = Checks { places: checked_places(program), ..Checks::default() };
    let start = Instant::now();
    let mut first = decide(program, &RunContext { last: context.last && most <= 1, ..*context })?;
    let mut further = vec![];
    let mut place = violated(program, &first);
    let mut rest = program.clone();
    let cancel = context.cancel.child();
    if place.is_some() && most > 1 {
        stop_later(&cancel, MORE_TIME.max(start.elapsed() / 2));
    }
    checks.rest_proved = first.verdict.is_true();
    while let Some(found) = place.take() {
        checks.violated.push(found);
        if checks.violated.len() >= most || cancel.is_stopped() {
            break;
        }
        settle(&mut rest, found);
        let next = decide(&rest, &RunContext { cancel: &cancel, last: false, ..*context })?;
        place = violated(&rest, &next).filter(|place| !checks.violated.contains(place));
        checks.rest_proved = next.verdict.is_true();
        first.statistics.merge(&next.statistics);
        first.assume(next.assumptions);
        if let (Verdict::False(Violations { first: counterexample }), Some(_)) = (next.verdict, place) {
            further.push(*counterexample);
        }
    }
    Ok(Found { outcome: first, further, checks })
}

/// The check that an outcome says is violated.
fn violated(program: &Program, outcome: &Outcome) -> Option<CheckedPlace> {
    let counterexample = outcome.counterexample()?;
    let edge = path::last_edge(counterexample)?;
    Some((counterexample.target, program.edges[edge].span))
}

/// Stops a token after some time, whatever happens.
fn stop_later(cancel: &CancelToken, time: Duration) {
    let cancel = cancel.clone();
    // Without a thread the search goes on until the limit of the run.
    let _ = std::thread::Builder::new().name("more".into()).spawn(move || {
        std::thread::sleep(time);
        cancel.stop(StopReason::Time);
    });
}
