//! `assay verify`: the whole way from the files to one verdict line and its evidence.

use crate::answer;
use crate::arguments::Arguments;
use crate::errors::Error;
use crate::evidence::{EvidenceFiles, Subject};
use crate::input::InputOptions;
use crate::menu::Choice;
use crate::progress::{Mode, TerminalProgress};
use crate::{memory, monitor, worker};
use assay_base::{AssumptionClass, CancelToken, Ledger, Limits, Stats};
use assay_cfa::{Program, Property};
use assay_results::{Activity, Chapter, Ending, Evidence, Outcome, Producer, ProgressSink, RunContext, UnknownReason, Verdict, path};
use serde_json::{Value, json};
use std::fmt::Write;
use std::time::Instant;

/// How many inputs of a violation are listed for people.
const MAX_INPUTS: usize = 100;

/// What the command line asks for, as plain data.
#[derive(Clone, Debug)]
struct VerifyOptions {
    input: InputOptions,
    limits: Limits,
    threads: usize,
    choice: Choice,
    files: EvidenceFiles,
    json: bool,
    stats: bool,
    quiet: bool,
    progress: Mode,
}

/// A finished run as it is shown.
struct Answer {
    verdict: Verdict,
    /// Everything for the standard output but the verdict line.
    text: String,
    document: Value,
}

/// Never returns normally once the program has been read: the verdict ends the process.
pub fn run(arguments: &Arguments) -> Result<i32, Error> {
    let options = VerifyOptions {
        input: InputOptions::from_arguments(arguments)?,
        limits: Limits {
            cpu_time: arguments.duration("time-limit"),
            memory_bytes: arguments.number("memory-limit").or_else(memory::of_machine),
        },
        threads: arguments.number("threads").map_or_else(all_cores, |n| n as usize),
        choice: Choice::new(arguments.text("config"), &settings(arguments))?,
        files: EvidenceFiles::from_arguments(arguments),
        json: arguments.flag("json"),
        stats: arguments.flag("stats"),
        quiet: arguments.flag("quiet"),
        progress: Mode::from_arguments(arguments),
    };
    options.files.check_writable()?;
    answer::set_form(if options.json { answer::Form::Json } else { answer::Form::Verdict });
    let json = options.json;
    let cancel = CancelToken::new();
    monitor::start(cancel.clone(), options.limits);
    let answer = match worker::on_large_stack(move || verify(&options, &cancel)) {
        Ok(answer) => answer?,
        Err(panic) => {
            let verdict = Verdict::Unknown(UnknownReason::Internal(panic));
            Answer { document: json!({"verdict": "unknown", "reason": reason(&verdict)}), verdict, text: String::new() }
        }
    };
    let status = exit_status(&answer.verdict);
    if json {
        answer::give(&format!("{:#}\n", answer.document), status);
    }
    answer::give(&format!("{}verdict: {}\n", answer.text, one_line(&answer.verdict)), status)
}

fn verify(options: &VerifyOptions, cancel: &CancelToken) -> Result<Answer, Error> {
    let start = Instant::now();
    let mut analysis = options.choice.clone().build()?;
    let loaded = options.input.load()?;
    let read_time = start.elapsed();
    let progress = TerminalProgress::new(options.progress);
    if options.choice.portfolio().is_none() {
        progress.begin(&Activity { name: &options.choice.name, why: "", next: "", token: cancel });
    }
    let ledger = Ledger::new();
    let context = RunContext { cancel, limits: options.limits, threads: options.threads, ledger: &ledger, progress: &progress, last: true };
    let outcome = match (unsupported(&loaded.property), cancel.stopped()) {
        (Some(why), _) => Outcome::unknown(UnknownReason::Property(why)),
        (_, Some(stopped)) => Outcome::stopped(stopped),
        _ => analysis.run(&loaded.program, &context),
    };
    progress.clear();
    let mut outcome = outcome.sealed(&ledger, &loaded.program.assumptions);
    outcome.notes.extend(options.choice.renamed());
    outcome.statistics.time("reading the program", read_time);
    outcome.statistics.time("total (CPU)", monitor::cpu_time());
    outcome.statistics.time("total (wall)", start.elapsed());
    outcome.statistics.max("memory at its peak (KiB)", monitor::peak_memory() >> 10);
    add_shares(&mut outcome.statistics);
    let task = options.input.task(loaded.property.clone());
    let producer = Producer::now(&options.choice.name);
    let subject = Subject { program: &loaded.program, property: &loaded.property, task: &task, producer: &producer, outcome: &outcome };
    let written = options.files.write(&subject)?;
    if options.stats {
        eprint!("{}{}", story(&outcome), statistics(&outcome.statistics));
    }
    let text = if options.quiet || options.json { String::new() } else { describe(&loaded.program, &loaded.property, &outcome, &written) };
    let document = if options.json { document(&subject, &written, options) } else { Value::Null };
    Ok(Answer { verdict: outcome.verdict, text, document })
}

fn all_cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// What `--set` says, and the options that are short for one of its keys.
fn settings(arguments: &Arguments) -> Vec<String> {
    let mut settings: Vec<String> = arguments.texts("set").iter().map(ToString::to_string).collect();
    for name in ["cache", "trace-jobs", "dump-queries"] {
        settings.extend(arguments.path(name).map(|path| format!("{name}={}", path.display())));
    }
    settings
}

/// Why a property cannot be verified, if it cannot.
fn unsupported(property: &Property) -> Option<String> {
    match property {
        Property::Termination | Property::NoDataRace => Some(format!("the property {} is not supported", property.name())),
        Property::CoverBranches | Property::CoverCall { .. } => Some("test suites are made by `assay tests`".to_string()),
        _ => None,
    }
}

/// What a person wants to see above the verdict.
fn describe(program: &Program, property: &Property, outcome: &Outcome, written: &[(&str, String)]) -> String {
    let mut text = String::new();
    let shown = match property {
        Property::UnreachCall { function } => format!("{function}() is never called"),
        Property::UnreachLabel { label } => format!("the label {label} is never reached"),
        other => other.name().to_string(),
    };
    let _ = writeln!(text, "property: {shown}");
    match &outcome.evidence {
        Evidence::Violation(counterexample) => {
            let _ = writeln!(text, "\n{}", path::render(program, counterexample));
            // Every value that was chosen, those that no variable of the path shows included.
            for input in counterexample.inputs.iter().take(MAX_INPUTS) {
                let _ = writeln!(text, "input: {}", crate::evidence::describe_input(program, input));
            }
            if counterexample.inputs.len() > MAX_INPUTS {
                let _ = writeln!(text, "input: … {} more", counterexample.inputs.len() - MAX_INPUTS);
            }
        }
        Evidence::Proof(invariants) => {
            for invariant in invariants.iter().take(20) {
                let _ = writeln!(text, "invariant: {}: {}", program.sources.describe(invariant.span), invariant.expression);
            }
            if invariants.len() > 20 {
                let _ = writeln!(text, "invariant: … {} more", invariants.len() - 20);
            }
        }
        Evidence::None => {}
    }
    for line in outcome.assumptions.iter().filter(|line| line.class != AssumptionClass::Rules).take(10) {
        let _ = writeln!(text, "note: {}: {}", program.sources.describe(line.span), line.text);
    }
    for note in &outcome.notes {
        let _ = writeln!(text, "note: {note}");
    }
    for (kind, file) in written {
        let _ = writeln!(text, "{kind}: {file}");
    }
    if let Verdict::Unknown(reason) = &outcome.verdict {
        for chapter in outcome.story.iter().filter(|chapter| !matches!(chapter.ending, Ending::NothingToDo)) {
            let _ = writeln!(text, "{} ({:.1} s): {}", chapter.node, chapter.cpu.as_secs_f64(), chapter.text);
        }
        let _ = writeln!(text, "hint: {}", reason.advice());
    }
    text
}

fn document(subject: &Subject<'_>, written: &[(&str, String)], options: &VerifyOptions) -> Value {
    let Subject { program, property, task, producer, outcome } = *subject;
    let class = |class: AssumptionClass| match class {
        AssumptionClass::Over => "over",
        AssumptionClass::Under => "under",
        AssumptionClass::Rules => "rules",
    };
    let assumptions: Vec<Value> = outcome
        .assumptions
        .iter()
        .map(|line| json!({"class": class(line.class), "place": program.sources.describe(line.span), "text": line.text}))
        .collect();
    let (word, violated) = match &outcome.verdict {
        Verdict::True => ("true", Value::Null),
        Verdict::False(target) => ("false", Value::from(target.name())),
        Verdict::Unknown(_) => ("unknown", Value::Null),
    };
    let evidence = match &outcome.evidence {
        Evidence::None => Value::Null,
        Evidence::Violation(counterexample) => crate::evidence::counterexample_json(program, counterexample),
        Evidence::Proof(invariants) => invariants
            .iter()
            .map(|i| json!({"place": program.sources.describe(i.span), "expression": i.expression, "weakened": i.weakened}))
            .collect(),
    };
    json!({
        "tool": format!("{} {}", producer.name, producer.version),
        "files": task.input_files.iter().map(|f| f.name.clone()).collect::<Vec<_>>(),
        "property": property.name(),
        "data_model": task.model.name(),
        "config": options.choice.name,
        "verdict": word,
        "violated": violated,
        "reason": reason(&outcome.verdict),
        "evidence": evidence,
        "assumptions": assumptions,
        "notes": outcome.notes,
        "portfolio": outcome.story.iter().map(chapter_json).collect::<Vec<_>>(),
        "counters": outcome.statistics.counters,
        "seconds": outcome.statistics.times.iter().map(|(n, t)| (n.to_string(), json!(t.as_secs_f64()))).collect::<serde_json::Map<_, _>>(),
        "written": written.iter().map(|(k, f)| (k.to_string(), json!(f))).collect::<serde_json::Map<_, _>>(),
    })
}

fn reason(verdict: &Verdict) -> Value {
    match verdict {
        Verdict::Unknown(reason) => Value::from(reason.to_string()),
        _ => Value::Null,
    }
}

/// What the counters and times say about the solver, in thousandths: the share of the queries that were answered without it, and its share of
/// the time.
fn add_shares(statistics: &mut Stats) {
    let counter = |name: &str| statistics.counters.get(name).copied().unwrap_or(0);
    let time = |name: &str| statistics.times.get(name).map_or(0, std::time::Duration::as_micros);
    let queries = counter("satisfiability queries");
    let asked = counter("queries answered by the solver") + counter("queries without an answer");
    // Both are wall times: on a busy machine they do not compare with processor time.
    let (solver, total) = (time("solver"), time("total (wall)"));
    if let Some(share) = (queries.saturating_sub(asked) * 1000).checked_div(queries) {
        statistics.max("queries answered without the solver (of 1000)", share);
    }
    if solver > 0 && total > 0 {
        statistics.max("time in the solver (of 1000)", u64::try_from(solver * 1000 / total).unwrap_or(u64::MAX));
    }
}

fn chapter_json(chapter: &Chapter) -> Value {
    json!({
        "node": chapter.node,
        "analysis": chapter.analysis,
        "why": chapter.why,
        "ending": chapter.ending.name(),
        "verdict": chapter.text,
        "seconds": chapter.cpu.as_secs_f64(),
        "states": chapter.states,
        "refinements": chapter.refinements,
    })
}

/// What the analyses of a portfolio did, one a line.
fn story(outcome: &Outcome) -> String {
    let mut text = String::new();
    for chapter in &outcome.story {
        let Chapter { node, analysis, ending, cpu, states, refinements, .. } = chapter;
        let name = if node == analysis { node.clone() } else { format!("{node} ({analysis})") };
        let _ = write!(text, "{name:<28} {:>8.3} s  {:<14}", cpu.as_secs_f64(), ending.name());
        for (count, what) in [(*states, "states"), (*refinements, "refinements")] {
            if count > 0 {
                let _ = write!(text, " {count} {what}");
            }
        }
        let _ = writeln!(text, "  {}", chapter.why);
    }
    text
}

/// Counters and times as a table.
pub fn statistics(statistics: &Stats) -> String {
    let mut text = String::new();
    for (name, count) in &statistics.counters {
        let _ = writeln!(text, "{name:<40} {count:>14}");
    }
    for (name, time) in &statistics.times {
        let _ = writeln!(text, "{name:<40} {:>12.3} s", time.as_secs_f64());
    }
    text
}

fn exit_status(verdict: &Verdict) -> i32 {
    match verdict {
        Verdict::True => 0,
        Verdict::False(_) => 10,
        Verdict::Unknown(_) => answer::UNKNOWN,
    }
}

/// The verdict on one line of bearable length.
fn one_line(verdict: &Verdict) -> String {
    let text: String = verdict.to_string().chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    match text.char_indices().nth(300) {
        Some((cut, _)) => format!("{}…)", &text[..cut]),
        None => text,
    }
}
