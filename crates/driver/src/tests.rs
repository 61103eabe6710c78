//! Test suites: tests that cover the branches of a program, or one that calls a function. Each is run in the
//! interpreter before it is written.

use crate::error::Error;
use crate::search::Search;
use crate::session::{Events, Session};
use crate::usage;
use assay_analyses::test_generation::{BranchCoverage, TestRun, generate, run_test};
use assay_base::{Ledger, Stats, StopReason};
use assay_cfa::{EdgeId, Origin, Program, Property, SourceId, ValueSourceKind};
use assay_results::test_suite::{SuiteWriter, TestCase, metadata_xml};
use assay_results::{Findings, InputOrigin, Producer, RunContext};
use assay_semantics::interpreter::Stop;
use assay_term::Bits;
use std::path::Path;

/// What became of a test suite.
#[derive(Clone, Debug)]
pub struct Suite {
    /// `coverage-branches` or `coverage-error-call`.
    pub property: &'static str,
    /// How many tests were written.
    pub tests: usize,
    /// What was covered, where branches are asked for.
    pub branches: Option<Branches>,
    /// How the search ended, in one sentence.
    pub end: String,
    /// Whether what was asked for is done: the suite is written, or it is known whether the function is called.
    pub done: bool,
    /// Counters and times.
    pub statistics: Stats,
}

/// The branches of a program.
#[derive(Clone, Debug)]
pub struct Branches {
    /// How many there are.
    pub all: usize,
    /// How many the tests take.
    pub covered: usize,
    /// The others, each with its place and direction.
    pub open: Vec<String>,
}

impl Session {
    /// Writes a test suite in Test-Comp's format: to a folder, or to an archive if the name ends in `.zip`.
    ///
    /// # Errors
    /// What was asked is no coverage, the configuration does not fit, or a file cannot be written.
    pub fn write_tests(&self, output: &Path, events: &dyn Events) -> Result<Suite, Error> {
        let request = self.request();
        let property = match self.properties() {
            [one @ (Property::CoverBranches | Property::CoverCall { .. })] => one.clone(),
            other => {
                let name = other.first().map_or("", Property::name);
                let text = format!("`assay tests` covers branches or error calls; the property {name} is neither");
                return Err(Error::Configuration(text));
            }
        };
        let task = request.input.task(property.clone(), true);
        let producer = Producer::now(&request.choice.name);
        let unwritable = |error: std::io::Error| Error::Unwritable { path: output.to_path_buf(), reason: error.to_string() };
        let mut writer = SuiteWriter::create(output, &metadata_xml(&task, &producer, &request.input.entry)).map_err(unwritable)?;
        let (ledger, findings) = (Ledger::new(), Findings::default());
        let context = RunContext {
            cancel: self.cancel(),
            limits: request.limits,
            threads: 1,
            ledger: &ledger,
            progress: events,
            last: false,
            findings: &findings,
        };
        let suite = match &property {
            Property::CoverCall { function } => self.error_call(&context, function, &mut writer, events),
            _ => self.branches(&context, &mut writer),
        };
        let mut suite = suite.map_err(|failure| match failure {
            Failure::Unwritable(error) => unwritable(error),
            Failure::Other(error) => error,
        })?;
        writer.flush().map_err(unwritable)?;
        suite.statistics.time("total (CPU)", (request.meters.cpu_time)());
        suite.statistics.max("memory at its peak (KiB)", usage::peak_memory() >> 10);
        Ok(suite)
    }

    fn branches(&self, context: &RunContext<'_>, writer: &mut SuiteWriter) -> Result<Suite, Failure> {
        let program = self.program();
        let several = || Error::Configuration("`assay tests` takes one analysis, not several in a row".to_string());
        let config = self.request().choice.single().ok_or_else(several)?;
        let mut failed = None;
        // What stands in the files counts: the coverage of the report is that of their inputs, run once more.
        let mut measured = BranchCoverage::of(program);
        let mut found = |test: &TestRun| {
            let values: Vec<Bits> = test.inputs.iter().map(|(_, bits)| *bits).collect();
            run_test(program, &values, context).edges.into_iter().for_each(|edge| {
                measured.take(edge);
            });
            failed = writer.add(&TestCase::new(program, &test.inputs, false)).err();
            failed.is_none()
        };
        let generation = generate(program, config, context, &mut found).map_err(|error| Error::Configuration(error.to_string()))?;
        if let Some(error) = failed {
            return Err(Failure::Unwritable(error));
        }
        let open: Vec<String> = measured.branches.iter().filter(|branch| !branch.covered).map(|b| describe(program, b.edge)).collect();
        let end = match generation.stopped {
            Some(reason) => format!("stopped: {reason}"),
            None if open.is_empty() => "every branch is covered".to_string(),
            None if generation.exhausted => "every path was followed: no inputs take the other branches".to_string(),
            None => "the search ended; the other branches may depend on more than inputs".to_string(),
        };
        let branches = Some(Branches { all: measured.branches.len(), covered: measured.covered(), open });
        let (tests, statistics) = (generation.tests, generation.statistics);
        Ok(Suite { property: "coverage-branches", tests, branches, end, done: true, statistics })
    }

    fn error_call(
        &self,
        context: &RunContext<'_>,
        function: &str,
        writer: &mut SuiteWriter,
        events: &dyn Events,
    ) -> Result<Suite, Failure> {
        let program = self.program();
        let (shared, properties, request) = (self.shared_program(), self.properties(), self.request());
        let search = Search { program: shared, plain: None, properties, request, context, events, most: 1 };
        let outcome = search.run()?.outcome;
        let mut done = outcome.verdict.is_true();
        let mut end = if done { format!("{function} is never called") } else { outcome.verdict.to_string() };
        if let Some(counterexample) = outcome.counterexample() {
            let is_input = |source: SourceId| program.value_sources[source].kind == ValueSourceKind::Input;
            let values: Vec<Bits> = counterexample
                .inputs
                .iter()
                .filter(|value| matches!(value.origin, InputOrigin::Source(source) if is_input(source)))
                .map(|value| value.bits)
                .collect();
            let test = run_test(program, &values, context);
            done = matches!(test.stop, Stop::Target(..));
            end = if done {
                format!("{function} is called")
            } else {
                format!("{function} can be called, but not by the choice of inputs alone")
            };
            if done {
                writer.add(&TestCase::new(program, &test.inputs, true)).map_err(Failure::Unwritable)?;
            }
        }
        end.push_str(&context.cancel.stopped().map(|reason: StopReason| format!(" ({reason})")).unwrap_or_default());
        let (tests, statistics) = (writer.len(), outcome.statistics);
        Ok(Suite { property: "coverage-error-call", tests, branches: None, end, done, statistics })
    }
}

/// Why a suite is not complete.
enum Failure {
    Unwritable(std::io::Error),
    Other(Error),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Failure::Other(error)
    }
}

/// The place of a branch and its direction.
fn describe(program: &Program, edge: EdgeId) -> String {
    let edge = &program.edges[edge];
    let place = |span| program.sources.describe(span);
    match edge.origin {
        Origin::Branch { taken, keyword, .. } => format!("{}: {}", place(keyword), if taken { "true" } else { "false" }),
        _ => format!("{}: case", place(edge.span)),
    }
}
