//! `assay tests`: writes a test suite in Test-Comp's format, each test checked in the interpreter before it is written.

use crate::answer::{self, UNKNOWN};
use crate::arguments::Arguments;
use crate::errors::Error;
use crate::input::{InputOptions, Loaded};
use crate::menu::Choice;
use crate::progress::{Mode, TerminalProgress};
use crate::{memory, monitor, print, worker};
use assay_analyses::test_generation::{BranchCoverage, TestRun, generate, run_test};
use assay_base::{CancelToken, Ledger, Limits, Stats, StopReason};
use assay_cfa::{Origin, Program, Property, SourceId, ValueSourceKind};
use assay_results::test_suite::{SuiteWriter, TestCase, metadata_xml};
use assay_results::{Evidence, Findings, InputOrigin, Producer, RunContext};
use assay_semantics::interpreter::Stop;
use assay_term::Bits;
use serde_json::json;
use std::fmt::Write;
use std::path::PathBuf;

/// The preset whose symbolic execution looks for branches.
const BRANCHES: &str = "symbolic";
/// How many open branches are listed for people.
const MAX_LISTED: usize = 20;

/// What the command line asks for, as plain data.
#[derive(Clone, Debug)]
struct TestsOptions {
    input: InputOptions,
    limits: Limits,
    config: Option<String>,
    settings: Vec<String>,
    output: PathBuf,
    json: bool,
    stats: bool,
    quiet: bool,
    progress: Mode,
}

/// A finished generation as it is shown.
struct Report {
    text: String,
    document: serde_json::Value,
    status: i32,
    statistics: Stats,
}

pub(crate) fn run(arguments: &Arguments) -> Result<i32, Error> {
    let options = TestsOptions {
        input: InputOptions { separate_cases: true, ..InputOptions::from_arguments(arguments)? },
        limits: Limits {
            cpu_time: arguments.duration("time-limit"),
            memory_bytes: arguments.number("memory-limit").or_else(memory::of_machine),
        },
        config: arguments.text("config").map(str::to_string),
        settings: arguments.texts("set").into_iter().map(str::to_string).collect(),
        output: arguments.path("output").unwrap_or_else(|| PathBuf::from("test-suite")),
        json: arguments.flag("json"),
        stats: arguments.flag("stats"),
        quiet: arguments.flag("quiet"),
        progress: Mode::from_arguments(arguments),
    };
    let (json, stats) = (options.json, options.stats);
    answer::set_form(if json { answer::Form::Json } else { answer::Form::Stopped });
    let cancel = CancelToken::new();
    monitor::start(cancel.clone(), options.limits);
    let finished = worker::on_large_stack(move || make(&options, &cancel));
    let report = finished.map_err(Error::Defect)??;
    if stats {
        eprint!("{}", crate::commands::verify::statistics(&report.statistics));
    }
    print(&if json { format!("{:#}\n", report.document) } else { report.text });
    Ok(report.status)
}

fn make(options: &TestsOptions, cancel: &CancelToken) -> Result<Report, Error> {
    let property = match &options.input.property {
        None => Property::CoverBranches,
        // Who names what must not be reached wants a test that reaches it.
        Some(_) => match options.input.property()? {
            Property::UnreachCall { function } => Property::CoverCall { function },
            other => other,
        },
    };
    if !matches!(property, Property::CoverBranches | Property::CoverCall { .. }) {
        return Err(Error::Configuration(format!(
            "`assay tests` covers branches or error calls; the property {} is neither",
            property.name()
        )));
    }
    let loaded = options.input.load_for(std::slice::from_ref(&property), cancel)?;
    let task = options.input.task(property.clone(), true);
    let producer = Producer::now(options.config.as_deref().unwrap_or("default"));
    let unwritable = |error: std::io::Error| Error::Unwritable { path: options.output.clone(), reason: error.to_string() };
    let mut writer = SuiteWriter::create(&options.output, &metadata_xml(&task, &producer, &options.input.entry)).map_err(unwritable)?;
    let progress = TerminalProgress::new(options.progress);
    let ledger = Ledger::new();
    let findings = Findings::default();
    let context =
        RunContext { cancel, limits: options.limits, threads: 1, ledger: &ledger, progress: &progress, last: false, findings: &findings };
    let report = match property {
        Property::CoverCall { function } => error_call(options, &loaded, &context, &function, &mut writer),
        _ => branches(options, &loaded, &context, &mut writer),
    };
    progress.clear();
    let mut report = report?;
    writer.flush().map_err(unwritable)?;
    report.statistics.time("total (CPU)", monitor::cpu_time());
    Ok(report)
}

fn branches(options: &TestsOptions, loaded: &Loaded, context: &RunContext<'_>, writer: &mut SuiteWriter) -> Result<Report, Error> {
    let program = &loaded.program;
    let settings: Vec<&str> = options.settings.iter().map(String::as_str).collect();
    let choice = Choice::new(Some(options.config.as_deref().unwrap_or(BRANCHES)), &settings)?;
    let config =
        choice.single().ok_or_else(|| Error::Configuration("`assay tests` takes one analysis, not several in a row".to_string()))?;
    let mut failed = None;
    // What stands in the files counts: the coverage of the report is that of their inputs, run once more.
    let mut measured = BranchCoverage::of(program);
    let mut found = |test: &TestRun| {
        let values: Vec<Bits> = test.inputs.iter().map(|(_, bits)| *bits).collect();
        run_test(program, &values, context).edges.into_iter().for_each(|edge| {
            measured.take(edge);
        });
        let added = writer.add(&TestCase::new(program, &test.inputs, false));
        failed = added.err();
        failed.is_none()
    };
    let generation = generate(program, config, context, &mut found).map_err(|error| Error::Configuration(error.to_string()))?;
    if let Some(error) = failed {
        return Err(Error::Unwritable { path: options.output.clone(), reason: error.to_string() });
    }
    let (covered, all) = (measured.covered(), measured.branches.len());
    let share = if all == 0 { 100.0 } else { 100.0 * covered as f64 / all as f64 };
    let open: Vec<String> = measured.branches.iter().filter(|branch| !branch.covered).map(|b| describe(program, b.edge)).collect();
    let mut text = format!("tests: {} in {}\n", generation.tests, options.output.display());
    let _ = writeln!(text, "branches: {covered} of {all} covered ({share:.1}%)");
    if !options.quiet {
        for line in open.iter().take(MAX_LISTED) {
            let _ = writeln!(text, "  not covered: {line}");
        }
        if open.len() > MAX_LISTED {
            let _ = writeln!(text, "  … {} more", open.len() - MAX_LISTED);
        }
    }
    let end = match generation.stopped {
        Some(reason) => format!("stopped: {reason}"),
        None if open.is_empty() => "every branch is covered".to_string(),
        None if generation.exhausted => "every path was followed: no inputs take the other branches".to_string(),
        None => "the search ended; the other branches may depend on more than inputs".to_string(),
    };
    let _ = writeln!(text, "{end}");
    let document = json!({
        "property": "coverage-branches", "output": options.output.display().to_string(), "tests": generation.tests,
        "branches": all, "covered": covered, "open": open, "end": end, "counters": generation.statistics.counters,
    });
    Ok(Report { text, document, status: 0, statistics: generation.statistics })
}

/// The place of a branch and which way it is.
fn describe(program: &Program, edge: assay_cfa::EdgeId) -> String {
    let edge = &program.edges[edge];
    let place = |span| program.sources.describe(span);
    match edge.origin {
        Origin::Branch { taken, keyword, .. } => format!("{}: {}", place(keyword), if taken { "true" } else { "false" }),
        _ => format!("{}: case", place(edge.span)),
    }
}

fn error_call(
    options: &TestsOptions,
    loaded: &Loaded,
    context: &RunContext<'_>,
    function: &str,
    writer: &mut SuiteWriter,
) -> Result<Report, Error> {
    let program = &loaded.program;
    let settings: Vec<&str> = options.settings.iter().map(String::as_str).collect();
    let mut analysis = Choice::new(options.config.as_deref(), &settings)?.build()?;
    let outcome = analysis.run(program, context);
    let mut end = match &outcome.verdict {
        assay_results::Verdict::True => format!("{function} is never called"),
        other => format!("{other}"),
    };
    let mut status = if outcome.verdict == assay_results::Verdict::True { 0 } else { UNKNOWN };
    if let Evidence::Violation(counterexample) = &outcome.evidence {
        let is_input = |source: SourceId| program.value_sources[source].kind == ValueSourceKind::Input;
        let values: Vec<Bits> = counterexample
            .inputs
            .iter()
            .filter(|value| matches!(value.origin, InputOrigin::Source(source) if is_input(source)))
            .map(|value| value.bits)
            .collect();
        let test = run_test(program, &values, context);
        if matches!(test.stop, Stop::Target(..)) {
            let added = writer.add(&TestCase::new(program, &test.inputs, true));
            added.map_err(|error| Error::Unwritable { path: options.output.clone(), reason: error.to_string() })?;
            end = format!("{function} is called");
            status = 0;
        } else {
            end = format!("{function} can be called, but not by the choice of inputs alone");
        }
    }
    let stopped = context.cancel.stopped().map(|reason: StopReason| format!(" ({reason})")).unwrap_or_default();
    let text = format!("tests: {} in {}\n{end}{stopped}\n", writer.len(), options.output.display());
    let document = json!({
        "property": "coverage-error-call", "output": options.output.display().to_string(), "tests": writer.len(), "end": end,
        "counters": outcome.statistics.counters,
    });
    Ok(Report { text, document, status, statistics: outcome.statistics })
}
