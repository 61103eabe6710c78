//! One run, many checks: looks for violations one after the other, on one automaton, and counts what became of every
//! check.

use crate::menu::Choice;
use assay_base::{CancelToken, Span, StopReason};
use assay_cfa::{Program, Target};
use assay_passes::property::{CheckedPlace, checked_places, settle};
use assay_results::{Counterexample, Evidence, Outcome, RunContext, Verdict, path};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::time::{Duration, Instant};

/// After the first violation, the others get half of the time that it took, but at least this long.
const MORE_TIME: Duration = Duration::from_secs(1);
/// So many open checks are listed.
const MOST_LISTED: usize = 10;

/// What became of the checks of a program.
#[derive(Clone, Debug, Default)]
pub(crate) struct Checks {
    pub places: Vec<CheckedPlace>,
    pub violated: Vec<CheckedPlace>,
    /// Whether all the others are proved.
    pub rest_proved: bool,
    /// The run ended before the program was read.
    pub unread: bool,
}

/// What a run found: the outcome that decides the verdict, and the violations after the first.
pub(crate) struct Found {
    pub outcome: Outcome,
    pub further: Vec<Counterexample>,
    pub checks: Checks,
}

/// Looks for at most so many violations.
pub(crate) fn search(program: &Program, choice: &Choice, context: &RunContext<'_>, most: usize) -> Result<Found, crate::errors::Error> {
    let mut checks = Checks { places: checked_places(program), ..Checks::default() };
    let start = Instant::now();
    let mut first = choice.clone().build()?.run(program, &RunContext { last: most <= 1, ..*context });
    let mut further = vec![];
    let mut place = violated(program, &first);
    let mut rest = program.clone();
    let cancel = context.cancel.child();
    if place.is_some() && most > 1 {
        stop_later(&cancel, MORE_TIME.max(start.elapsed() / 2));
    }
    while let Some(found) = place.take() {
        checks.violated.push(found);
        if checks.violated.len() >= most || cancel.is_stopped() {
            break;
        }
        settle(&mut rest, found);
        let mut next = choice.clone().build()?.run(&rest, &RunContext { cancel: &cancel, last: false, ..*context });
        place = violated(&rest, &next).filter(|place| !checks.violated.contains(place));
        first.statistics.merge(&next.statistics);
        match std::mem::take(&mut next.evidence) {
            Evidence::Violation(counterexample) if place.is_some() => further.push(counterexample),
            _ => checks.rest_proved = next.sealed(context.ledger, &program.assumptions).verdict == Verdict::True,
        }
    }
    if checks.violated.is_empty() {
        let sealed = first.clone().sealed(context.ledger, &program.assumptions);
        checks.rest_proved = sealed.verdict == Verdict::True;
    }
    Ok(Found { outcome: first, further, checks })
}

/// The check that an outcome says is violated.
fn violated(program: &Program, outcome: &Outcome) -> Option<CheckedPlace> {
    match &outcome.evidence {
        Evidence::Violation(counterexample) => {
            let edge = path::last_edge(counterexample)?;
            Some((counterexample.target, program.edges[edge].span))
        }
        _ => None,
    }
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

impl Checks {
    pub(crate) fn open(&self) -> impl Iterator<Item = &CheckedPlace> {
        self.places.iter().filter(|place| !self.rest_proved && !self.violated.contains(place))
    }

    pub(crate) fn proved(&self) -> usize {
        if self.rest_proved { self.places.len() - self.violated.len().min(self.places.len()) } else { 0 }
    }

    /// What was asked, and how it stands.
    pub(crate) fn describe(&self, program: &Program) -> String {
        let mut text = String::new();
        if self.unread {
            return text;
        }
        if self.places.is_empty() {
            let _ = writeln!(
                text,
                "note: there is nothing to check: no error function is called, and no operation of the program can go wrong in a way that is \
                 asked about"
            );
            return text;
        }
        let mut kinds: BTreeMap<Target, usize> = BTreeMap::new();
        self.places.iter().for_each(|(kind, _)| *kinds.entry(*kind).or_default() += 1);
        let kinds: Vec<String> = kinds.iter().map(|(kind, count)| format!("{} {count}", kind.plural())).collect();
        let open = self.open().count();
        let _ = writeln!(text, "checks: {} proved, {} violated, {open} open ({})", self.proved(), self.violated.len(), kinds.join(", "));
        if !self.violated.is_empty() {
            for (kind, span) in self.open().take(MOST_LISTED) {
                let _ = writeln!(text, "open: {}: {}", at(program, *span), kind.plural());
            }
            if open > MOST_LISTED {
                let _ = writeln!(text, "open: … {} more", open - MOST_LISTED);
            }
        }
        text
    }

    pub(crate) fn document(&self, program: &Program) -> serde_json::Value {
        let list = |places: &mut dyn Iterator<Item = &CheckedPlace>| -> Vec<serde_json::Value> {
            places.map(|(kind, span)| serde_json::json!({"check": kind.name(), "place": at(program, *span)})).collect()
        };
        serde_json::json!({
            "proved": self.proved(), "violated": list(&mut self.violated.iter()), "open": list(&mut self.open()),
        })
    }
}

/// Where a check is; bodies that stand for functions of the library have no lines.
fn at(program: &Program, span: Span) -> String {
    if span.line == 0 { "in the C library".to_string() } else { program.sources.describe(span) }
}
