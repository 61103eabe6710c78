//! One run, many checks, each with an answer of its own. All are asked together first, on one automaton. What that
//! leaves open, and what is proved only where a check of another kind has not failed before, is asked again for each
//! kind alone, as a run for that property would; what is still open then is asked in ever smaller parts. A violation
//! ends the paths that have it, and the search goes on. This is where analyses are built, run and sealed.

use crate::error::Error;
use crate::input::{Rules, prepared};
use crate::request::Request;
use crate::session::Events;
use crate::watch::Watch;
use assay_base::{Assumption, CancelToken, Ledger, Limits, Obstacle, ObstacleKind, Stats, StopReason};
use assay_cfa::property::CheckedPlace;
use assay_cfa::{Program, Property, Target};
use assay_passes::property::{checked_places, settle};
use assay_results::{Checks, Counterexample, Findings, Outcome, OwnViolation, RunContext, Verdict, path};
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// After the first violation, the others get half of the time that it took, but at least this long.
const MORE_TIME: Duration = Duration::from_secs(1);
/// What the questions that are asked alone get together where a violation is known.
const AFTER_VERDICT: Duration = Duration::from_secs(4);
/// What one question gets where the run has no limit and others wait.
const UNLIMITED_TURN: Duration = Duration::from_secs(30);
/// All parts of a question together get no more where the run has no limit.
const UNLIMITED_PARTS: Duration = Duration::from_secs(60);

/// What a run found: the outcome that decides the verdict, and the violations after the first.
pub(crate) struct Found {
    /// The automaton that the outcome speaks of.
    pub(crate) program: Arc<Program>,
    pub(crate) outcome: Outcome,
    pub(crate) further: Vec<OwnViolation>,
    pub(crate) checks: Checks,
}

/// What is searched.
pub(crate) struct Search<'a> {
    /// With all properties on it.
    pub(crate) program: &'a Arc<Program>,
    /// Without any, where the properties can be asked alone.
    pub(crate) plain: Option<&'a Program>,
    pub(crate) properties: &'a [Property],
    pub(crate) request: &'a Request,
    pub(crate) context: &'a RunContext<'a>,
    pub(crate) events: &'a dyn Events,
    /// So many violations are looked for.
    pub(crate) most: usize,
}

/// What became of the question on one automaton.
struct Answer {
    /// Of the first run.
    outcome: Outcome,
    violations: Vec<(CheckedPlace, Counterexample)>,
    /// All checks are proved but those that are violated or were settled before.
    proved: bool,
    statistics: Stats,
}

/// One kind of question, asked alone.
struct Alone {
    program: Arc<Program>,
    kinds: Vec<Target>,
    outcome: Outcome,
}

impl Search<'_> {
    /// Looks for violations and proofs.
    pub(crate) fn run(&self) -> Result<Found, Error> {
        let mut checks = Checks { places: checked_places(self.program), ..Checks::default() };
        let mut groups = if self.plain.is_some() { groups(self.properties) } else { vec![] };
        // Of what is nowhere in the program nothing is asked.
        groups.retain(|group| checks.places.iter().any(|place| group.iter().flat_map(Property::targets).any(|kind| *kind == place.0)));
        let alone = groups.len() > 1 && !self.properties.contains(&Property::Termination);
        let until = if alone { Some(self.deadline(2.5)) } else { None };
        let joint = self.ask(self.program, &[], self.most, until, !alone)?;
        let mut found = Found { program: self.program.clone(), outcome: joint.outcome, further: vec![], checks: Checks::default() };
        found.outcome.statistics.merge(&joint.statistics);
        let mut violations = joint.violations.into_iter();
        checks.violated.extend(violations.next().map(|(place, _)| place));
        for (place, counterexample) in violations {
            checks.violated.push(place);
            found.further.push(OwnViolation { program: self.program.clone(), counterexample });
        }
        if joint.proved {
            checks.prove(|_| true);
        }
        found.checks = checks;
        if alone {
            self.ask_alone(&groups, &mut found)?;
        }
        self.refuse_empty_proof(&mut found);
        Ok(found)
    }

    /// Where there is nothing to check because what could go wrong is not there, nothing is proved.
    fn refuse_empty_proof(&self, found: &mut Found) {
        // Whether a program ends is asked of the program as a whole, at no place.
        let asked_at_places = !self.properties.contains(&Property::Termination);
        let is_empty = asked_at_places && found.checks.places.is_empty() && found.outcome.verdict.is_true();
        if !is_empty || self.request.input.rules == Rules::Competition {
            return;
        }
        let missing = |line: &Assumption| line.fact.function_without_body().map(str::to_string);
        if let Some(name) = found.outcome.assumptions.iter().find_map(missing) {
            let text = format!("there is nothing to check, and {name} has no body");
            found.outcome.verdict = Verdict::Unknown(Obstacle::new(ObstacleKind::Incomplete, text));
        }
    }

    /// Asks for each kind alone, where that can add something.
    fn ask_alone(&self, groups: &[Vec<Property>], found: &mut Found) -> Result<(), Error> {
        let Some(plain) = self.plain else { return Ok(()) };
        let violated_together = found.checks.violated.clone();
        let start = (self.request.meters.cpu_time)();
        let mut asked: Vec<Alone> = vec![];
        for (index, group) in groups.iter().enumerate() {
            let kinds: Vec<Target> = group.iter().flat_map(Property::targets).copied().collect();
            let is_open = found.checks.open().any(|place| kinds.contains(&place.0));
            let is_proved = found.checks.proved.iter().any(|place| kinds.contains(&place.0));
            let conditional = is_proved && violated_together.iter().any(|place| !kinds.contains(&place.0));
            if !(is_open || conditional) || self.context.cancel.is_stopped() || found.checks.violated.len() >= self.most {
                continue;
            }
            let left = (groups.len() - index) as u32;
            let until = match is_open && found.checks.violated.is_empty() {
                true => self.deadline(f64::from(left)),
                // The verdict is there; the rest is to be said soon.
                false => {
                    let now = (self.request.meters.cpu_time)();
                    let fair = (start + AFTER_VERDICT).saturating_sub(now) / left;
                    self.deadline(f64::from(left)).min(now + fair.max(MORE_TIME / 4))
                }
            };
            let program = Arc::new(prepared(plain.clone(), group));
            let known: Vec<CheckedPlace> = violated_together.iter().filter(|place| kinds.contains(&place.0)).copied().collect();
            let answer = self.ask(&program, &known, self.most - found.checks.violated.len(), Some(until), false)?;
            let proved = answer.proved;
            let outcome = found.take(answer, &program);
            if proved {
                found.checks.prove(|place| kinds.contains(&place.0));
            }
            asked.push(Alone { program, kinds, outcome });
        }
        self.ask_in_parts(&asked, found)?;
        self.conclude(asked, found);
        Ok(())
    }

    /// Asks for parts of what is open: a check that is not decided takes from others as little as can be.
    fn ask_in_parts(&self, asked: &[Alone], found: &mut Found) -> Result<(), Error> {
        let mut parts: VecDeque<(&Alone, Vec<CheckedPlace>)> = VecDeque::new();
        for one in asked {
            let open: Vec<CheckedPlace> = found.checks.open().filter(|place| one.kinds.contains(&place.0)).copied().collect();
            if open.len() > 1 {
                let (first, second) = open.split_at(open.len() / 2);
                parts.extend([(one, first.to_vec()), (one, second.to_vec())]);
            }
        }
        let begun = (self.request.meters.cpu_time)();
        while let Some((one, part)) = parts.pop_front() {
            let now = (self.request.meters.cpu_time)();
            let over = self.context.limits.cpu_time.is_none() && now.saturating_sub(begun) > UNLIMITED_PARTS;
            if over || self.context.cancel.is_stopped() || !found.checks.violated.is_empty() && now.saturating_sub(begun) > MORE_TIME {
                break;
            }
            let fair = self.deadline((parts.len() + 2) as f64);
            let until = if found.checks.violated.is_empty() { fair } else { fair.min(now + MORE_TIME / 2) };
            let others = checked_places(&one.program).into_iter().filter(|place| !part.contains(place)).collect::<Vec<_>>();
            let answer = self.ask(&one.program, &others, self.most - found.checks.violated.len().min(self.most), Some(until), false)?;
            let proved = answer.proved;
            found.take(answer, &one.program);
            if proved {
                found.checks.prove(|place| part.contains(place));
            } else if part.len() > 1 {
                let (first, second) = part.split_at(part.len() / 2);
                parts.extend([(one, first.to_vec()), (one, second.to_vec())]);
            }
        }
        Ok(())
    }

    /// What the answers to all questions are together. A check that is proved where others have not failed before is
    /// proved if they are: the first failure on a path has none before it.
    fn conclude(&self, asked: Vec<Alone>, found: &mut Found) {
        if asked.is_empty() || !found.outcome.verdict.is_unknown() {
            return;
        }
        if found.checks.open().next().is_none() {
            let mut outcome = Outcome::proof(vec![]);
            outcome.story = std::mem::take(&mut found.outcome.story);
            for one in asked {
                outcome.assume(one.outcome.assumptions);
                outcome.story.extend(one.outcome.story);
            }
            outcome.statistics = std::mem::take(&mut found.outcome.statistics);
            outcome.notes.push("the kinds of checks were decided one by one".to_string());
            found.outcome = outcome;
            return;
        }
        // What stopped the last question that is open says more than what stopped all together.
        let open: Vec<Target> = found.checks.open().map(|place| place.0).collect();
        let is_open = |one: &Alone| one.kinds.iter().any(|kind| open.contains(kind));
        let reason = |one: &Alone| one.outcome.verdict.obstacle().filter(|_| is_open(one)).cloned();
        let stopped = self.context.cancel.stopped().map(Obstacle::stopped);
        if let Some(reason) = stopped.or_else(|| asked.iter().rev().find_map(reason)) {
            found.outcome.verdict = Verdict::Unknown(reason);
        }
        if let Some(one) = asked.into_iter().rev().find(is_open) {
            found.outcome.story.extend(one.outcome.story);
            found.outcome.how_far.merge(&one.outcome.how_far);
        }
    }

    /// Runs the analysis, and again without what it finds violated. `known` checks are not asked for, and end the paths
    /// that fail them.
    fn ask(&self, program: &Program, known: &[CheckedPlace], most: usize, until: Option<Duration>, only: bool) -> Result<Answer, Error> {
        let start = Instant::now();
        let context = self.context;
        let cancel = context.cancel.child();
        let limits = Limits { cpu_time: until.or(context.limits.cpu_time), ..context.limits };
        let watched = until.map(|cpu_time| Limits { cpu_time: Some(cpu_time), memory_bytes: None });
        let watch = watched.map(|limits| Watch::start(cancel.clone(), limits, self.request.meters)).transpose();
        let _watch = watch.map_err(|error| Error::Defect(format!("the limits cannot be watched: {error}")))?;
        let mut rest = program.clone();
        known.iter().for_each(|place| settle(&mut rest, *place));
        let findings = Findings::default();
        let mut answer: Option<Answer> = None;
        loop {
            let ledger = Ledger::new();
            let last = context.last && only && most <= 1;
            // Who watches the run looks at the token that was given.
            let token = if until.is_none() && answer.is_none() { context.cancel } else { &cancel };
            let context = RunContext { cancel: token, limits, ledger: &ledger, findings: &findings, last, ..*context };
            let outcome = self.request.choice.clone().build(self.request.meters)?.run(&rest, &context);
            if let Some(counterexample) = outcome.counterexample() {
                self.events.violation(&rest, counterexample);
            }
            let outcome = outcome.sealed(&ledger, &program.assumptions);
            let found = answer.as_ref().map_or(0, |answer| answer.violations.len());
            let violation = outcome.counterexample().and_then(|one| Some((violated(&rest, one)?, one.clone())));
            let proved = outcome.verdict.is_true();
            let answer = match &mut answer {
                None => answer.insert(Answer { outcome, violations: vec![], proved, statistics: Stats::default() }),
                Some(answer) => {
                    answer.proved = proved;
                    answer.statistics.merge(&outcome.statistics);
                    answer.outcome.assume(outcome.assumptions);
                    answer
                }
            };
            let Some((place, counterexample)) = violation.filter(|(place, _)| answer.violations.iter().all(|(known, _)| known != place))
            else {
                break;
            };
            answer.violations.push((place, counterexample));
            if found == 0 && most > 1 {
                stop_later(&cancel, MORE_TIME.max(start.elapsed() / 2));
            }
            if answer.violations.len() >= most || cancel.is_stopped() {
                break;
            }
            settle(&mut rest, place);
        }
        answer.ok_or_else(|| Error::Defect("no analysis was run".to_string()))
    }

    /// The CPU time at which this part of what is left is used up.
    fn deadline(&self, parts: f64) -> Duration {
        let now = (self.request.meters.cpu_time)();
        match self.context.limits.cpu_time {
            Some(limit) => now + limit.saturating_sub(now).div_f64(parts.max(1.0)),
            None => now + UNLIMITED_TURN,
        }
    }
}

impl Found {
    /// Takes over the violations of an answer; gives its outcome.
    fn take(&mut self, answer: Answer, program: &Arc<Program>) -> Outcome {
        let Answer { outcome, violations, statistics, .. } = answer;
        self.outcome.statistics.merge(&outcome.statistics);
        self.outcome.statistics.merge(&statistics);
        let mut first = self.checks.violated.is_empty();
        for (place, counterexample) in violations {
            if self.checks.violated.contains(&place) {
                continue;
            }
            self.checks.proved.retain(|proved| *proved != place);
            self.checks.violated.push(place);
            if std::mem::take(&mut first) {
                let statistics = std::mem::take(&mut self.outcome.statistics);
                self.outcome = Outcome { statistics, ..outcome.clone() };
                self.program = program.clone();
            } else {
                self.further.push(OwnViolation { program: program.clone(), counterexample });
            }
        }
        outcome
    }
}

/// The properties that are asked alone, each with those that are of its kind.
fn groups(properties: &[Property]) -> Vec<Vec<Property>> {
    let mut groups: Vec<Vec<Property>> = vec![];
    for property in properties {
        match groups.iter_mut().find(|group| group.iter().any(|other| other.targets() == property.targets())) {
            Some(group) => group.push(property.clone()),
            None => groups.push(vec![property.clone()]),
        }
    }
    groups
}

/// The check that a counterexample violates.
fn violated(program: &Program, counterexample: &Counterexample) -> Option<CheckedPlace> {
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
