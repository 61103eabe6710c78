//! A record of when which job ran where, in the form that trace viewers read.

use assay_cfa::Program;
use assay_cfa::blocks::{BlockId, BlockKind, Blocks};
use std::fmt::Write;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// What a stretch of work had to wait for: another stretch, to its end or to the moment at which it had run so long.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Need {
    /// The other stretch.
    pub slice: u32,
    /// How long it must have run; `None` for its end.
    pub after: Option<Duration>,
}

/// The number of no stretch.
pub const NO_SLICE: u32 = u32::MAX;

/// One stretch of work on one job.
#[derive(Clone, Debug)]
pub struct JobEvent {
    /// Its number.
    pub slice: u32,
    /// What it waited for.
    pub needs: Vec<Need>,
    /// `None` for the program around all blocks.
    pub block: Option<BlockId>,
    /// Which worker did it, from 0.
    pub thread: usize,
    /// The name of the machine that did it, if that is another one. Times are those of this machine's clock: what was
    /// done elsewhere lies, as long as it took there, between the question and the answer.
    pub machine: Option<Arc<str>>,
    /// When it was taken up.
    pub begin: Instant,
    /// When it was put down.
    pub end: Instant,
    /// Whether the block's summary was complete at the end.
    pub finished: bool,
}

/// The events of a run, with what each waited for, so that the run can be simulated with another number of threads.
#[derive(Debug)]
pub struct Trace {
    start: Instant,
    next: AtomicU32,
    events: Mutex<Vec<JobEvent>>,
}

impl Default for Trace {
    fn default() -> Self {
        Trace { start: Instant::now(), next: AtomicU32::new(0), events: Mutex::default() }
    }
}

impl Trace {
    /// The number of the next stretch of work.
    pub fn number(&self) -> u32 {
        self.next.fetch_add(1, Ordering::Relaxed)
    }

    /// Adds a stretch that has ended.
    pub fn record(&self, event: JobEvent) {
        self.events.lock().unwrap_or_else(|e| e.into_inner()).push(event);
    }

    /// All so far, in the order in which they ended.
    pub fn events(&self) -> Vec<JobEvent> {
        self.events.lock().unwrap_or_else(|e| e.into_inner()).clone()
    }

    /// The timeline in the Chrome trace format. Machines are processes of it, by name.
    pub fn to_json(&self, program: &Program, blocks: &Blocks) -> String {
        let mut text = String::from("{\"traceEvents\":[");
        let events = self.events();
        let mut machines: Vec<&Arc<str>> = events.iter().filter_map(|event| event.machine.as_ref()).collect();
        machines.sort();
        machines.dedup();
        let names = ["this process"].into_iter().chain(machines.iter().map(|name| &***name));
        for (index, name) in names.enumerate().filter(|_| !machines.is_empty()) {
            // Names are letters, digits and dashes where they come from; what comes from outside is not believed.
            let name: String = name.chars().filter(|c| c.is_ascii_alphanumeric() || " -_.".contains(*c)).collect();
            let number = index + 1;
            let _ = write!(text, "\n{{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":{number},\"args\":{{\"name\":\"{name}\"}}}},");
        }
        for (index, event) in events.iter().enumerate() {
            let process = event.machine.as_ref().and_then(|name| machines.binary_search(&name).ok()).map_or(1, |at| at + 2);
            let name = match event.block {
                None => "program".to_string(),
                Some(id) => {
                    let block = &blocks.blocks[id];
                    let function = &program.functions[block.function].name;
                    match block.kind {
                        BlockKind::Function => function.clone(),
                        BlockKind::Loop(_) => format!("{function}: loop at {}", block.entry),
                        BlockKind::Part => format!("{function}: part at {}", block.entry),
                    }
                }
            };
            let begin = event.begin.saturating_duration_since(self.start).as_nanos() as f64 / 1000.0;
            let length = event.end.saturating_duration_since(event.begin).as_nanos() as f64 / 1000.0;
            let needs: Vec<String> = event.needs.iter().map(need_json).collect();
            let _ = write!(
                text,
                "{}{{\"name\":\"{name}\",\"cat\":\"{}\",\"ph\":\"X\",\"ts\":{begin:.3},\"dur\":{length:.3},\"pid\":{process},\"tid\":{},\
                 \"args\":{{\"slice\":{},\"needs\":[{}]}}}}",
                if index == 0 { "\n" } else { ",\n" },
                if event.finished { "finished" } else { "suspended" },
                event.thread,
                event.slice,
                needs.join(","),
            );
        }
        text.push_str("\n]}\n");
        text
    }
}

/// A need as a pair: the stretch, and how long it must have run in microseconds, or null for its end.
fn need_json(need: &Need) -> String {
    match need.after {
        Some(after) => format!("[{},{:.3}]", need.slice, after.as_nanos() as f64 / 1000.0),
        None => format!("[{},null]", need.slice),
    }
}
