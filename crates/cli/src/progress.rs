//! What is seen of a run while it goes on: on a terminal one line that is written over, with `--progress plain` a line
//! for each analysis that begins, otherwise nothing. All of it goes to the standard error.

use crate::arguments::Arguments;
use crate::monitor;
use crate::words::{self, Seen};
use assay_base::{CancelToken, Gauge, Stats};
use assay_cfa::Program;
use assay_driver::Events;
use assay_results::{Activity, Chapter, Counterexample, HowFar, Outcome, Progress, ProgressSink, path};
use std::io::{IsTerminal, Write};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

const PERIOD: Duration = Duration::from_millis(200);
/// Runs that end sooner show nothing.
const FIRST: Duration = Duration::from_millis(400);
/// For terminals that do not tell how wide they are.
const COLUMNS: usize = 100;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mode {
    /// One line that changes.
    Line,
    /// One line for each analysis.
    Plain,
    Nothing,
}

impl Mode {
    /// What the command line and the standard error ask for.
    pub(crate) fn from_arguments(arguments: &Arguments) -> Mode {
        let silent = arguments.flag("quiet") || arguments.flag("json");
        match arguments.choice("progress", &words::PROGRESS).unwrap_or(Seen::Auto) {
            Seen::Plain => Mode::Plain,
            Seen::Nothing => Mode::Nothing,
            Seen::Auto if silent || !std::io::stderr().is_terminal() => Mode::Nothing,
            Seen::Auto => Mode::Line,
        }
    }
}

/// A part that runs at the moment.
#[derive(Clone, Debug)]
struct Current {
    name: String,
    why: String,
    next: String,
    token: CancelToken,
    /// The CPU time of the process when it began.
    since: Duration,
}

#[derive(Default)]
struct Shown {
    /// The one that began last is shown.
    running: Vec<Current>,
    /// Everything of the run that has ended, as one outcome without a verdict.
    ended: Ended,
    /// The names of the program's functions, by their numbers.
    functions: Vec<String>,
    /// The run is over; nothing is written any more.
    over: bool,
}

/// What parts that have ended leave for the answer.
#[derive(Default)]
struct Ended {
    story: Vec<Chapter>,
    statistics: Stats,
    notes: Vec<String>,
    how_far: HowFar,
}

/// What a run has come to so far, for whoever answers in its place.
pub(crate) struct SoFar(Arc<Mutex<Shown>>);

impl SoFar {
    /// Adds to an answer what ended parts have said, and what was running.
    pub(crate) fn tell(&self, outcome: &mut Outcome) {
        let mut shown = lock(&self.0);
        let Ended { story, statistics, notes, how_far } = std::mem::take(&mut shown.ended);
        outcome.statistics.merge(&statistics);
        outcome.notes.extend(notes);
        outcome.how_far.merge(&how_far);
        outcome.story.extend(story);
        for Current { name, why, token, since, .. } in std::mem::take(&mut shown.running) {
            outcome.notes.push(format!("{name} did not react when the run was stopped; what it had found is not told here"));
            let meter = token.meter();
            let verdict = outcome.verdict.clone();
            outcome.story.push(Chapter {
                analysis: name.clone(),
                node: name,
                why,
                obstacle: verdict.obstacle().cloned(),
                text: verdict.to_string(),
                cpu: monitor::cpu_time().saturating_sub(since),
                states: meter.get(Gauge::States),
                refinements: meter.get(Gauge::Refinements),
            });
        }
    }
}

pub(crate) struct TerminalProgress {
    mode: Mode,
    shown: Arc<Mutex<Shown>>,
}

impl TerminalProgress {
    pub(crate) fn new(mode: Mode) -> Self {
        let shown: Arc<Mutex<Shown>> = Arc::default();
        if mode == Mode::Line {
            let shown = shown.clone();
            // Without the thread there is no line, and nothing else is lost.
            let _ = std::thread::Builder::new().name("progress".into()).spawn(move || write_lines(&shown));
        }
        TerminalProgress { mode, shown }
    }

    /// What is told of the run where it cannot tell itself.
    pub(crate) fn so_far(&self) -> SoFar {
        SoFar(self.shown.clone())
    }

    /// Reading is over: from now on the line may say which function is looked at.
    pub(crate) fn has_read(&self, program: &Program) {
        lock(&self.shown).running.clear();
        if self.mode == Mode::Line {
            lock(&self.shown).functions = program.functions.iter().map(|function| function.name.clone()).collect();
        }
    }

    /// Removes the line before other output.
    pub(crate) fn clear(&self) {
        let mut shown = lock(&self.shown);
        shown.over = true;
        if self.mode == Mode::Line {
            let _ = std::io::stderr().write_all(b"\r\x1b[K");
        }
    }
}

impl Events for TerminalProgress {
    fn violation(&self, program: &Program, violation: &Counterexample) {
        if self.mode == Mode::Plain {
            let place = path::target_span(program, violation).map_or_else(String::new, |span| program.sources.describe(span));
            let _ = writeln!(std::io::stderr(), "assay: violation of {}: {place}", violation.target.name());
        }
    }
}

impl ProgressSink for TerminalProgress {
    fn report(&self, progress: &Progress<'_>) {
        let mut shown = lock(&self.shown);
        if let Some(current) = shown.running.last_mut() {
            let meter = current.token.meter();
            meter.set(Gauge::States, progress.states.max(meter.get(Gauge::States)));
        }
    }

    fn begin(&self, activity: &Activity<'_>) {
        let current = Current {
            name: activity.name.to_string(),
            why: activity.why.to_string(),
            next: activity.next.to_string(),
            token: activity.token.clone(),
            since: monitor::cpu_time(),
        };
        if self.mode == Mode::Plain {
            let next = if current.next.is_empty() { String::new() } else { format!("; then {}", current.next) };
            let why = if current.why.is_empty() { String::new() } else { format!(": {}", current.why) };
            let _ = writeln!(std::io::stderr(), "assay: {}{why}{next}", current.name);
        }
        lock(&self.shown).running.push(current);
    }

    fn end(&self, chapter: &Chapter, outcome: &Outcome) {
        let mut shown = lock(&self.shown);
        shown.running.retain(|current| current.name != chapter.node);
        let Ended { story, statistics, notes, how_far } = &mut shown.ended;
        story.push(chapter.clone());
        statistics.merge(&outcome.statistics);
        how_far.merge(&outcome.how_far);
        notes.extend(outcome.notes.iter().filter(|note| !notes.contains(note)).cloned().collect::<Vec<_>>());
    }
}

fn lock(shown: &Mutex<Shown>) -> MutexGuard<'_, Shown> {
    shown.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

fn write_lines(shown: &Mutex<Shown>) {
    let start = Instant::now();
    std::thread::sleep(FIRST);
    loop {
        {
            // Held while writing, so that nothing comes behind the end.
            let shown = lock(shown);
            if shown.over {
                return;
            }
            if let Some(current) = shown.running.last() {
                let line = line(current, &shown.functions, start.elapsed(), crate::memory::in_use(), columns());
                let _ = std::io::stderr().write_all(format!("\r\x1b[K{line}").as_bytes());
            }
        }
        std::thread::sleep(PERIOD);
    }
}

/// How wide the terminal is.
fn columns() -> usize {
    // SAFETY: a zeroed winsize is a valid value, and the pointer is to a live one.
    let size = unsafe {
        let mut size: libc::winsize = std::mem::zeroed();
        libc::ioctl(libc::STDERR_FILENO, libc::TIOCGWINSZ, &mut size);
        size
    };
    if size.ws_col > 20 { usize::from(size.ws_col) } else { COLUMNS }
}

fn line(current: &Current, functions: &[String], elapsed: Duration, bytes: u64, columns: usize) -> String {
    let mut text = format!("{:>5.1} s  {}", elapsed.as_secs_f64(), current.name);
    let meter = current.token.meter();
    let gauges = [(Gauge::States, "states"), (Gauge::Waiting, "waiting"), (Gauge::Refinements, "refinements"), (Gauge::Bound, "rounds")];
    for (gauge, name) in gauges {
        let count = meter.get(gauge);
        if count > 0 {
            text.push_str(&format!(", {count} {name}"));
        }
    }
    text.push_str(&format!(", {} MB", bytes >> 20));
    let number = meter.get(Gauge::Function) as usize;
    if let Some(name) = number.checked_sub(1).and_then(|index| functions.get(index)).filter(|name| !name.starts_with('$')) {
        text.push_str(&format!(", in {name}"));
    }
    if !current.next.is_empty() {
        text.push_str(&format!("; then {}", current.next));
    }
    if !current.why.is_empty() {
        text.push_str(&format!(" ({})", current.why));
    }
    match text.char_indices().nth(columns - 1) {
        Some((cut, _)) => format!("{}…", &text[..cut.saturating_sub(1)]),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_shows_only_what_counts_and_fits() {
        let token = CancelToken::new();
        token.meter().set(Gauge::States, 12);
        token.meter().set(Gauge::Refinements, 3);
        let current = Current {
            name: "values".into(),
            why: "what a few constants decide".into(),
            next: "paths".into(),
            token,
            since: Duration::ZERO,
        };
        current.token.meter().set(Gauge::Function, 2);
        let functions = ["$start".to_string(), "parse".to_string()];
        let shown = |columns| line(&current, &functions, Duration::from_millis(1500), 5 << 20, columns);
        assert_eq!(shown(200), "  1.5 s  values, 12 states, 3 refinements, 5 MB, in parse; then paths (what a few constants decide)");
        assert_eq!(shown(24), "  1.5 s  values, 12 st…");
    }
}
