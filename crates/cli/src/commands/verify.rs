//! `assay verify`: the whole way from the files to one verdict line and its evidence.

use crate::answer;
use crate::arguments::{Arguments, UsageError};
use crate::cluster::blocks::Session;
use crate::cluster::nodes::Nodes;
use crate::errors::Error;
use crate::evidence::{EvidenceFiles, Subject};
use crate::input::{InputOptions, Loaded};
use crate::menu::Choice;
use crate::options::Command;
use crate::progress::{Mode, TerminalProgress};
use crate::search::{Checks, Found, search};
use crate::{cluster, memory, monitor, worker};
use assay_base::{AssumptionClass, CancelToken, Ledger, Limits, Stats, StopReason};
use assay_cfa::{LocationId, Program, Property, Target};
use assay_results::{
    Activity, Chapter, Counterexample, Ending, Evidence, Findings, Invariant, Outcome, Producer, ProgressSink, RunContext, UnknownReason,
    Verdict, path,
};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Arc;
use std::time::{Duration, Instant};

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
    max_violations: Option<u64>,
    json: bool,
    stats: bool,
    quiet: bool,
    progress: Mode,
    path: path::Detail,
}

/// A finished run as it is shown.
struct Answer {
    verdict: Verdict,
    /// Everything for the standard output but the verdict line.
    text: String,
    document: Value,
}

/// Never returns normally once the program has been read: the verdict ends the process.
pub(crate) fn run(arguments: &Arguments) -> Result<i32, Error> {
    let mut options = VerifyOptions {
        input: InputOptions::from_arguments(arguments)?,
        limits: Limits {
            cpu_time: arguments.duration("time-limit"),
            memory_bytes: arguments.number("memory-limit").or_else(memory::of_machine),
        },
        threads: arguments.number("threads").map_or_else(all_cores, |n| n as usize),
        choice: choice(arguments)?,
        files: EvidenceFiles::from_arguments(arguments),
        max_violations: arguments.number("max-violations"),
        json: arguments.flag("json"),
        stats: arguments.flag("stats"),
        quiet: arguments.flag("quiet"),
        progress: Mode::from_arguments(arguments),
        path: arguments.detail(),
    };
    options.files.check_writable()?;
    if let Some(access) = cluster::access(arguments)? {
        let connected = cluster::connect(&access)?;
        if let Some(run) = arguments.text("serve") {
            options.choice.serve(Arc::new(Session::new(connected, run)?));
        } else {
            let nodes = nodes(arguments, &options, connected)?;
            let own = arguments.number("threads").map_or(1, |n| n as usize);
            options.threads = if options.choice.shares_blocks() { own } else { nodes.slots };
            options.choice.run_on(Arc::new(nodes));
        }
    } else if arguments.text("serve").is_some() {
        return Err(UsageError("--serve needs --cluster URL".to_string()).into());
    }
    answer::set_form(if options.json { answer::Form::Json } else { answer::Form::Verdict });
    let json = options.json;
    let cancel = CancelToken::new();
    monitor::start(cancel.clone(), options.limits);
    let answer = match worker::on_large_stack(move || verify(&options, &cancel)) {
        // What is our fault is no reason to go without a verdict.
        Ok(Err(Error::Defect(text))) => {
            let verdict = Verdict::Unknown(UnknownReason::Internal(text));
            Answer { document: json!({"verdict": "unknown", "reason": reason(&verdict)}), verdict, text: String::new() }
        }
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
    options.choice.clone().build()?;
    let properties = options.input.checks()?;
    let progress = TerminalProgress::new(options.progress);
    progress.begin(&Activity { name: "reading", why: "the program and what it includes", next: "", token: cancel });
    // The C library does not ask whether to stop: until it is done, somebody else answers for it, of a program with
    // nothing in it.
    let unread = Arc::new(options.input.unread(&properties));
    let asked = Asked { options: options.clone(), properties, loaded: unread, start, read_time: Duration::ZERO };
    asked.clone().answers_when_stopped(&progress, true);
    let loaded = match options.input.load_for(&asked.properties, cancel) {
        Err(Error::Stopped(reason)) => return asked.answer(asked.stopped(reason, true)),
        loaded => Arc::new(loaded?),
    };
    let subject = Asked { loaded: loaded.clone(), read_time: start.elapsed(), ..asked };
    subject.clone().answers_when_stopped(&progress, false);
    progress.has_read(&loaded.program);
    if options.choice.portfolio().is_none() {
        progress.begin(&Activity { name: &options.choice.name, why: "", next: "", token: cancel });
    }
    let ledger = Ledger::new();
    let (limits, threads, findings) = (options.limits, options.threads, Findings::default());
    let context = RunContext { cancel, limits, threads, ledger: &ledger, progress: &progress, last: true, findings: &findings };
    let refused = subject.properties.iter().find_map(unsupported);
    let mut found = match (refused, cancel.stopped()) {
        (Some(why), _) => Found { outcome: Outcome::unknown(UnknownReason::Property(why)), further: vec![], checks: subject.all_open() },
        (_, Some(stopped)) => subject.stopped(stopped, false),
        _ => search(&loaded.program, &options.choice, &context, subject.most_violations())?,
    };
    progress.clear();
    found.outcome = found.outcome.sealed(&ledger, &loaded.program.assumptions);
    found.outcome.notes.extend(options.choice.renamed());
    subject.answer(found)
}

/// What a run was asked, and when.
#[derive(Clone)]
struct Asked {
    options: VerifyOptions,
    properties: Vec<Property>,
    loaded: Arc<Loaded>,
    start: Instant,
    read_time: Duration,
}

impl Asked {
    fn most_violations(&self) -> usize {
        let default = if self.properties.len() == 1 || self.options.choice.is_elsewhere() { 1 } else { 10 };
        self.options.max_violations.map_or(default, |most| most.max(1) as usize)
    }

    /// From now on a run that does not react is answered by what is known so far, in all files that were asked for.
    fn answers_when_stopped(self, progress: &TerminalProgress, unread: bool) {
        let so_far = progress.so_far();
        answer::set_fallback(move |reason| {
            let mut found = self.stopped(reason, unread);
            if !unread {
                so_far.tell(&mut found.outcome);
            }
            match self.answer(found) {
                Ok(answer) => self.text(&answer),
                Err(_) => String::new(),
            }
        });
    }

    /// What is found where a run is stopped before it has found anything.
    fn stopped(&self, reason: StopReason, unread: bool) -> Found {
        let mut outcome = Outcome::stopped(reason);
        if unread {
            outcome.notes.push("the program was still being read when the run was stopped; nothing of it was checked".to_string());
        }
        Found { outcome, further: vec![], checks: Checks { unread, ..self.all_open() } }
    }

    fn all_open(&self) -> Checks {
        Checks { places: assay_passes::property::checked_places(&self.loaded.program), ..Checks::default() }
    }

    /// The property that a violation is one of, for what can name only one.
    fn property_of(&self, outcome: &Outcome) -> &Property {
        let of = |property: &&Property| match (&outcome.verdict, property) {
            (Verdict::False(Target::UnreachCall), Property::UnreachCall { .. }) => true,
            (Verdict::False(Target::ValidDeref | Target::ValidFree | Target::ValidMemtrack), Property::MemorySafety) => true,
            (Verdict::False(target), property) => property.name() == target.name(),
            _ => false,
        };
        self.properties.iter().find(of).unwrap_or(&self.loaded.property)
    }

    /// Writes what is asked for, and says what was found.
    fn answer(&self, mut found: Found) -> Result<Answer, Error> {
        let (options, program) = (&self.options, &self.loaded.program);
        let outcome = &mut found.outcome;
        outcome.statistics.time("reading the program", self.read_time);
        outcome.statistics.time("total (CPU)", monitor::cpu_time());
        outcome.statistics.time("total (wall)", self.start.elapsed());
        outcome.statistics.max("memory at its peak (KiB)", monitor::peak_memory() >> 10);
        add_shares(&mut outcome.statistics);
        let outcome = &found.outcome;
        let property = self.property_of(outcome);
        let task = options.input.task(property.clone(), options.files.any());
        let producer = Producer::now(&options.choice.name);
        let subject = Subject { program, property, task: &task, producer: &producer, outcome, further: &found.further };
        let written = options.files.write(&subject)?;
        if options.stats {
            eprint!("{}{}", story(outcome), statistics(&outcome.statistics));
        }
        let quiet = options.quiet || options.json;
        let text = if quiet { String::new() } else { describe(program, &self.properties, &found, &written, options.path) };
        let mut document = if options.json { document(&subject, &written, options) } else { Value::Null };
        if options.json {
            document["properties"] = self.properties.iter().map(Property::name).collect();
            document["checks"] = found.checks.document(program);
            document["violations"] = violations(&found)
                .map(|one| {
                    let place = path::target_span(program, one).map(|span| program.sources.describe(span));
                    json!({"check": one.target.name(), "place": place, "what": one.what})
                })
                .collect();
        }
        Ok(Answer { verdict: found.outcome.verdict, text, document })
    }

    /// The answer as it is printed.
    fn text(&self, answer: &Answer) -> String {
        match self.options.json {
            true => format!("{:#}\n", answer.document),
            false => format!("{}verdict: {}\n", answer.text, one_line(&answer.verdict)),
        }
    }
}

/// The violations that were found, in their order.
fn violations(found: &Found) -> impl Iterator<Item = &Counterexample> {
    let first = match &found.outcome.evidence {
        Evidence::Violation(counterexample) => Some(counterexample),
        _ => None,
    };
    first.into_iter().chain(&found.further)
}

/// The run as jobs of a cluster. The rest of a program, without what is violated already, cannot be sent: one violation
/// is looked for.
fn nodes(arguments: &Arguments, options: &VerifyOptions, connected: assay_cluster::Cluster) -> Result<Nodes, Error> {
    if options.max_violations.is_some_and(|most| most > 1) {
        return Err(UsageError("--cluster looks for one violation: leave out --max-violations".to_string()).into());
    }
    let portfolio = options.choice.portfolio().is_some();
    let own = ["time-limit", "threads", "max-violations"];
    // What is written, shown or stored here is no concern of workers.
    let kept = |name: &str| cluster::packed::travels(name) && !own.contains(&name) && !(portfolio && name == "config");
    let shared: Vec<_> = arguments.shared_with(Command::Verify).into_iter().filter(|(name, _)| kept(name)).collect();
    Nodes::new(connected, &shared, &options.input.files)
}

fn all_cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// The analysis that is asked for; `--unwind` names one.
fn choice(arguments: &Arguments) -> Result<Choice, Error> {
    let mut settings = settings(arguments);
    let Some(rounds) = arguments.number("unwind") else { return Choice::new(arguments.text("config"), &settings) };
    if arguments.text("config").is_some_and(|name| name != "bmc") {
        return Err(UsageError("--unwind is an analysis of its own: leave out --config".to_string()).into());
    }
    settings.push(format!("max-bound={rounds}"));
    Choice::new(Some("bmc"), &settings)
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
fn describe(program: &Program, properties: &[Property], found: &Found, written: &[(&str, String)], detail: path::Detail) -> String {
    let outcome = &found.outcome;
    let mut text = String::new();
    let shown = |property: &Property| match property {
        Property::UnreachCall { function } => format!("{function}() is never called"),
        Property::UnreachLabel { label } => format!("the label {label} is never reached"),
        other => other.name().to_string(),
    };
    let calls: Vec<String> = properties.iter().filter(|one| matches!(one, Property::UnreachCall { .. })).map(shown).collect();
    let parts = Property::CHECKS.map(|(_, word)| word).join(", ");
    let everything = Property::CHECKS.iter().all(|(one, _)| properties.contains(one));
    let _ = match everything && properties.len() == Property::CHECKS.len() + calls.len() {
        true if calls.is_empty() => writeln!(text, "property: all ({parts})"),
        true => writeln!(text, "property: all ({}; {parts})", calls.join(", ")),
        false => writeln!(text, "property: {}", properties.iter().map(shown).collect::<Vec<_>>().join(", ")),
    };
    for (index, counterexample) in violations(found).enumerate() {
        let place = path::target_span(program, counterexample).map_or_else(String::new, |span| program.sources.describe(span));
        let _ = writeln!(text, "\nviolation of {}: {place}: {}", counterexample.target.name(), counterexample.what);
        if index == 0 {
            let _ = writeln!(text, "\n{}", path::render(program, counterexample, detail));
        }
        // Every value that was chosen, those that no variable of the path shows included.
        let mut shown = 0;
        for (line, same) in counterexample.inputs.chunk_by(|a, b| a == b).enumerate() {
            if line == MAX_INPUTS {
                let _ = writeln!(text, "input: … {} more", counterexample.inputs.len() - shown);
                break;
            }
            let times = if same.len() > 1 { format!(", {} times", same.len()) } else { String::new() };
            let _ = writeln!(text, "input: {}{times}", crate::evidence::describe_input(program, &same[0]));
            shown += same.len();
        }
        let passed_over = counterexample.path.iter().any(|step| step.passed_over > 0);
        if passed_over && counterexample.inputs.last().is_some_and(|last| last.bits.is_zero()) {
            let _ = writeln!(text, "input: 0 wherever one is asked for in an iteration that is not listed");
        }
    }
    match &outcome.evidence {
        Evidence::Violation(_) => {}
        Evidence::Proof(invariants) => {
            // What holds in models of the library, or always, tells nobody anything.
            let told = |one: &&Invariant| one.span.is_known() && one.span.line > 0 && one.expression != "1";
            let invariants: Vec<&Invariant> = invariants.iter().filter(told).collect();
            for invariant in invariants.iter().take(20) {
                let _ = writeln!(text, "invariant: {}: {}", program.sources.describe(invariant.span), invariant.expression);
            }
            if invariants.len() > 20 {
                let _ = writeln!(text, "invariant: … {} more", invariants.len() - 20);
            }
        }
        Evidence::None => {}
    }
    text.push_str(&warnings(program, outcome));
    if properties.len() > 1 || found.checks.places.is_empty() {
        text.push_str(&found.checks.describe(program));
    }
    for note in &outcome.notes {
        let _ = writeln!(text, "note: {note}");
    }
    for (kind, file) in written {
        let _ = writeln!(text, "{kind}: {file}");
    }
    if let Verdict::Unknown(reason) = &outcome.verdict {
        text.push_str(&endings(&outcome.story));
        if let Some(seen) = outcome.how_far.describe(program) {
            let _ = writeln!(text, "so far: {seen}");
        }
        let _ = writeln!(text, "hint: {}", reason.advice());
    }
    text
}

/// How the parts of a portfolio ended, those that ended alike in one line; what stopped most of them comes first.
fn endings(story: &[Chapter]) -> String {
    let mut groups: Vec<(&str, Vec<String>)> = vec![];
    for chapter in story.iter().filter(|chapter| !matches!(chapter.ending, Ending::NothingToDo)) {
        let member = format!("{} {:.1} s", chapter.node, chapter.cpu.as_secs_f64());
        match groups.iter_mut().find(|(text, _)| *text == chapter.text) {
            Some((_, members)) => members.push(member),
            None => groups.push((&chapter.text, vec![member])),
        }
    }
    groups.sort_by_key(|(_, members)| std::cmp::Reverse(members.len()));
    let mut text = String::new();
    for (index, (ending, members)) in groups.iter().enumerate() {
        let said = ending.strip_prefix("unknown(").and_then(|rest| rest.strip_suffix(')')).unwrap_or(ending);
        let word = if index == 0 { "blocked" } else { "also" };
        let _ = writeln!(text, "{word}: {said} ({})", members.join(", "));
    }
    text
}

/// What the answer rests on: the same assumption in many places is one warning.
fn warnings(program: &Program, outcome: &Outcome) -> String {
    let mut groups: BTreeMap<(AssumptionClass, String), Vec<(String, String)>> = BTreeMap::new();
    for line in &outcome.assumptions {
        let place = if line.span.is_known() { program.sources.describe(line.span) } else { String::new() };
        // What is said of several functions is said once.
        let (name, text) = match line.text.split_once(" has no body: it ") {
            Some((name, rest)) => (name.to_string(), format!("functions without a body: each {rest}")),
            None => (String::new(), line.text.clone()),
        };
        groups.entry((line.class, text)).or_default().push((name, place));
    }
    let mut lines = String::new();
    for ((class, text), members) in groups {
        let word = match (class, &outcome.verdict) {
            (AssumptionClass::Rules, Verdict::True) => "warning: assumed: ",
            (AssumptionClass::Rules, _) => continue,
            _ => "note: ",
        };
        let mut named: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        members.iter().for_each(|(name, place)| named.entry(name).or_default().push(place));
        let shown: Vec<String> = named
            .iter()
            .take(12)
            .map(|(name, places)| {
                let more = if places.len() > 3 { format!(", … {} more", places.len() - 3) } else { String::new() };
                let places = places.iter().take(3).filter(|place| !place.is_empty()).copied().collect::<Vec<_>>().join(", ");
                match (name.is_empty(), places.is_empty()) {
                    (true, _) => format!("{places}{more}"),
                    (false, true) => name.to_string(),
                    _ => format!("{name} ({places}{more})"),
                }
            })
            .filter(|shown| !shown.is_empty())
            .collect();
        let more = if named.len() > 12 { format!(", … {} more", named.len() - 12) } else { String::new() };
        let separator = if shown.is_empty() { "" } else { ": " };
        let _ = writeln!(lines, "{word}{text}{separator}{}{more}", shown.join(", "));
    }
    lines
}

fn document(subject: &Subject<'_>, written: &[(&str, String)], options: &VerifyOptions) -> Value {
    let Subject { program, property, task, producer, outcome, .. } = *subject;
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
            .map(|i| json!({"place": program.sources.describe(i.span), "expression": i.expression, "weakened": i.weakened, "function": function_at(program, i.location)}))
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
        "ending": outcome.verdict.ending().name(),
        "evidence": evidence,
        "assumptions": assumptions,
        "notes": outcome.notes,
        "so_far": outcome.how_far.describe(program),
        "portfolio": outcome.story.iter().map(chapter_json).collect::<Vec<_>>(),
        "counters": outcome.statistics.counters,
        "seconds": outcome.statistics.times.iter().map(|(n, t)| (n.to_string(), json!(t.as_secs_f64()))).collect::<serde_json::Map<_, _>>(),
        "written": written.iter().map(|(k, f)| (k.to_string(), json!(f))).collect::<serde_json::Map<_, _>>(),
    })
}

fn function_at(program: &Program, location: LocationId) -> &str {
    program.locations.get(location).map_or("", |location| program.functions[location.function].name.as_str())
}

fn reason(verdict: &Verdict) -> Value {
    match verdict {
        Verdict::Unknown(reason) => Value::from(reason.to_string()),
        _ => Value::Null,
    }
}

/// What the counters and times say about the solver, in thousandths: the share of the queries that were answered
/// without it, and its share of the time.
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
pub(crate) fn statistics(statistics: &Stats) -> String {
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
