//! One verification: the program that was read, and the run on it.

use crate::error::Error;
use crate::input::{Input, Read};
use crate::properties::Asked;
use crate::request::Request;
use crate::search::{Found, Search};
use crate::usage;
use crate::watch::Watch;
use assay_base::{CancelToken, Counter, Ledger, Obstacle, Stats, StopReason};
use assay_cfa::features::Features;
use assay_cfa::structure::Structure;
use assay_cfa::{Program, Property};
use assay_passes::property::checked_places;
use assay_results::{Activity, Checks, Counterexample, Findings, NoProgress, Outcome, Producer, ProgressSink, Report, RunContext};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Hears of a session while it goes on. Called from any thread; every method must return quickly.
pub trait Events: ProgressSink {
    /// A violation was found and replayed. The one that decides the verdict comes first.
    fn violation(&self, _: &Program, _: &Counterexample) {}
}

impl Events for NoProgress {}

/// A program that was read for a request, and is ready to be analysed.
pub struct Session {
    request: Request,
    cancel: CancelToken,
    program: Arc<Program>,
    /// Before the properties were put on it, where there are several.
    plain: Option<Program>,
    properties: Vec<Property>,
    start: Instant,
    read_time: Duration,
    /// The program was not read: it stands for one that does nothing.
    unread: bool,
    _watch: Option<Watch>,
}

impl Session {
    /// Reads the program. From here on the limits of the request are watched; `cancel` stops the session from outside.
    ///
    /// # Errors
    /// Files, properties or settings that cannot be read or understood, or a stop while the program was read.
    pub fn open(request: Request, cancel: CancelToken) -> Result<Session, Error> {
        let start = Instant::now();
        let watch = Watch::start(cancel.clone(), request.limits, request.meters);
        let watch = watch.map_err(|error| Error::Defect(format!("the limits cannot be watched: {error}")))?;
        request.choice.clone().build(request.meters)?;
        let asked = |program: &Program| Asked::properties(&request.asked, Some(program));
        let Read { program, plain, properties } = request.input.load(&asked, &cancel)?;
        let program = Arc::new(program);
        Ok(Session { request, cancel, program, plain, properties, start, read_time: start.elapsed(), unread: false, _watch: Some(watch) })
    }

    /// What stands for the session while the program is being read, to answer for it with
    /// [`stopped`](Self::stopped).
    pub fn unread(request: Request, cancel: CancelToken) -> Session {
        let program = Arc::new(request.input.unread());
        let properties = Asked::properties(&request.asked, None);
        let (start, read_time) = (Instant::now(), Duration::ZERO);
        Session { request, cancel, program, plain: None, properties, start, read_time, unread: true, _watch: None }
    }

    pub(crate) fn cancel(&self) -> &CancelToken {
        &self.cancel
    }

    /// What was asked.
    pub fn request(&self) -> &Request {
        &self.request
    }

    /// The program, with the targets of the properties on it.
    pub fn program(&self) -> &Program {
        &self.program
    }

    pub(crate) fn shared_program(&self) -> &Arc<Program> {
        &self.program
    }

    /// What is to be proved.
    pub fn properties(&self) -> &[Property] {
        &self.properties
    }

    /// The figures by which portfolios choose an analysis.
    pub fn features(&self) -> Features {
        Features::of(&Structure::new(&self.program))
    }

    /// Analyses the program, and says what was found.
    ///
    /// # Errors
    /// A configuration that cannot be built.
    pub fn run(&self, events: &dyn Events) -> Result<Report, Error> {
        let Request { limits, threads, choice, ends_process, .. } = &self.request;
        if choice.portfolio().is_none() {
            events.begin(&Activity { name: &choice.name, why: "", next: "", token: &self.cancel });
        }
        let (ledger, findings) = (Ledger::new(), Findings::default());
        let context = RunContext {
            cancel: &self.cancel,
            limits: *limits,
            threads: *threads,
            ledger: &ledger,
            progress: events,
            last: *ends_process,
            findings: &findings,
        };
        let refused = self.properties.iter().find_map(unsupported);
        let mut found = match (refused, self.cancel.stopped()) {
            (Some(why), _) => self.nothing(Outcome::unknown(Obstacle::nothing_to_do(why))),
            (_, Some(stopped)) => self.nothing(Outcome::stopped(stopped)),
            _ => {
                // Other machines are asked one question only.
                let here = !choice.is_elsewhere() && !choice.serves();
                let (properties, most) = (&self.properties, self.most_violations());
                let plain = self.plain.as_ref().filter(|_| here);
                let search = Search { program: &self.program, plain, properties, request: &self.request, context: &context, events, most };
                search.run()?
            }
        };
        found.outcome.notes.extend(choice.renamed());
        Ok(self.report(found))
    }

    /// The report of a session that is stopped before it has found anything; `tell` adds what is known all the same.
    pub fn stopped(&self, reason: StopReason, tell: impl FnOnce(&mut Outcome)) -> Report {
        let mut outcome = Outcome::stopped(reason);
        match self.unread {
            true => outcome.notes.push("the program was still being read when the run was stopped; nothing of it was checked".to_string()),
            false => tell(&mut outcome),
        }
        self.report(self.nothing(outcome))
    }

    /// Writes the files of evidence that were asked for; gives the kinds and names of those for which there was
    /// something to write.
    ///
    /// # Errors
    /// The first file that cannot be written.
    pub fn write_evidence(&self, report: &Report) -> Result<Vec<(&'static str, String)>, Error> {
        let mut written = vec![];
        for file in &self.request.evidence {
            let there = file.write(report);
            if there.map_err(|error| Error::Unwritable { path: file.path.clone(), reason: error.to_string() })? {
                written.push((file.format.name, file.path.display().to_string()));
            }
        }
        Ok(written)
    }

    fn most_violations(&self) -> usize {
        let default = if self.properties.len() == 1 || self.request.choice.is_elsewhere() { 1 } else { 10 };
        self.request.max_violations.map_or(default, |most| most.max(1))
    }

    fn nothing(&self, outcome: Outcome) -> Found {
        let places = checked_places(&self.program);
        let program = self.program.clone();
        Found { program, outcome, further: vec![], checks: Checks { places, unread: self.unread, ..Checks::default() } }
    }

    fn report(&self, found: Found) -> Report {
        let Found { program, mut outcome, further, checks } = found;
        outcome.statistics.time("reading the program", self.read_time);
        outcome.statistics.time("total (CPU)", (self.request.meters.cpu_time)());
        outcome.statistics.time(Counter::WALL, self.start.elapsed());
        outcome.statistics.max("memory at its peak (KiB)", usage::peak_memory() >> 10);
        add_shares(&mut outcome.statistics);
        let Request { input, choice, evidence, .. } = &self.request;
        Report {
            program,
            properties: self.properties.clone(),
            task: Input::task(input, self.property_of(&outcome), !evidence.is_empty()),
            producer: Producer::now(&choice.name),
            outcome,
            further,
            checks,
        }
    }

    /// The property that a violation is one of, for what can name only one.
    fn property_of(&self, outcome: &Outcome) -> Property {
        let violated = outcome.counterexample().map(|counterexample| counterexample.target);
        let of = |property: &&Property| violated.is_some_and(|target| property.targets().contains(&target));
        let asked = &self.properties;
        asked.iter().find(of).or(asked.first()).cloned().unwrap_or(Property::MemorySafety)
    }
}

/// Why a property cannot be verified, if it cannot.
fn unsupported(property: &Property) -> Option<String> {
    match property {
        Property::CoverBranches | Property::CoverCall { .. } => Some("test suites are made by `assay tests`".to_string()),
        _ => None,
    }
}

/// What the counters and times say about the solver, in thousandths: the share of the queries that were answered
/// without it, and its share of the time.
fn add_shares(statistics: &mut Stats) {
    let queries = statistics.count(Counter::QUERIES);
    let asked = statistics.count(Counter::ANSWERED_BY_SOLVER) + statistics.count(Counter::UNANSWERED);
    // Both are wall times: on a busy machine they do not compare with processor time.
    let (solver, total) = (statistics.timed(Counter::SOLVER).as_micros(), statistics.timed(Counter::WALL).as_micros());
    if let Some(share) = (queries.saturating_sub(asked) * 1000).checked_div(queries) {
        statistics.max("queries answered without the solver (of 1000)", share);
    }
    if solver > 0 && total > 0 {
        statistics.max("time in the solver (of 1000)", u64::try_from(solver * 1000 / total).unwrap_or(u64::MAX));
    }
}
