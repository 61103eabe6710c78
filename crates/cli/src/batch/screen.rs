//! What is seen of a batch while it runs: on a terminal a table that is written over, otherwise a line for each task
//! that ends.

use super::{Finished, Task};
use crate::progress::Mode;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// How often the table is written at most.
const PERIOD: Duration = Duration::from_millis(200);
/// So many running tasks are shown.
const MOST_SHOWN: usize = 16;
const COLUMNS: usize = 100;

pub(crate) struct Screen {
    mode: Mode,
    total: usize,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    counts: BTreeMap<String, usize>,
    done: usize,
    /// Tasks that run, by name: since when.
    running: BTreeMap<String, Instant>,
    /// What else is worth a word, such as the number of workers.
    note: String,
    /// So many lines stand on the terminal.
    lines: usize,
    written: Option<Instant>,
}

impl Screen {
    pub(crate) fn new(mode: Mode, total: usize) -> Self {
        Screen { mode, total, state: Mutex::default() }
    }

    pub(crate) fn begins(&self, task: &str) {
        self.change(|state| {
            state.running.insert(task.to_string(), Instant::now());
        });
    }

    pub(crate) fn ends(&self, task: &Task, finished: &Finished, earlier: bool) {
        let result = task.judge(finished);
        if self.mode == Mode::Plain && !earlier {
            let detail = if finished.detail.is_empty() { String::new() } else { format!("({})", finished.detail) };
            let mark = if result.starts_with("wrong") { format!("  {}", result.to_uppercase()) } else { String::new() };
            eprintln!("{:>8.2} s  {}{detail}  {}{mark}", finished.cpu_seconds, finished.verdict, task.id);
        }
        self.change(|state| {
            state.running.remove(&task.id);
            *state.counts.entry(result).or_default() += 1;
            state.done += 1;
        });
    }

    /// A task that is known to run elsewhere.
    pub(crate) fn seen(&self, task: &str) {
        self.change(|state| {
            state.running.entry(task.to_string()).or_insert_with(Instant::now);
        });
    }

    pub(crate) fn note(&self, note: String) {
        self.change(|state| state.note = note);
    }

    /// Writes the table again, if it is time.
    pub(crate) fn refresh(&self) {
        self.change(|_| {});
    }

    /// Takes the table away.
    pub(crate) fn close(&self) {
        let mut state = self.state.lock().unwrap_or_else(|error| error.into_inner());
        let _ = std::io::stderr().write_all(erase(&mut state.lines).as_bytes());
    }

    fn change(&self, change: impl FnOnce(&mut State)) {
        let mut state = self.state.lock().unwrap_or_else(|error| error.into_inner());
        change(&mut state);
        if self.mode != Mode::Line || state.written.is_some_and(|at| at.elapsed() < PERIOD) {
            return;
        }
        state.written = Some(Instant::now());
        let mut text = erase(&mut state.lines);
        let counts: Vec<String> = state.counts.iter().map(|(result, count)| format!("{result} {count}")).collect();
        let mut lines = vec![format!("{} of {} tasks; {} {}", state.done, self.total, counts.join(", "), state.note)];
        for (task, since) in state.running.iter().take(MOST_SHOWN) {
            lines.push(format!("{:>6.0} s  {task}", since.elapsed().as_secs_f64()));
        }
        if state.running.len() > MOST_SHOWN {
            lines.push(format!("          … {} more", state.running.len() - MOST_SHOWN));
        }
        for line in &lines {
            let _ = writeln!(text, "{}", line.chars().take(COLUMNS).collect::<String>());
        }
        state.lines = lines.len();
        let _ = std::io::stderr().write_all(text.as_bytes());
    }
}

/// Moves to the first of the lines and clears them.
fn erase(lines: &mut usize) -> String {
    let text = if *lines == 0 { String::new() } else { format!("\x1b[{lines}A\r\x1b[J") };
    *lines = 0;
    text
}
