//! A record of when which job ran where, in the form that trace viewers read.

use assay_cfa::Program;
use assay_cfa::blocks::{BlockId, BlockKind, Blocks};
use std::fmt::Write;
use std::sync::Mutex;
use std::time::Instant;

/// One stretch of work on one job.
#[derive(Clone, Copy, Debug)]
pub struct JobEvent {
    pub block: Option<BlockId>,
    pub thread: usize,
    pub begin: Instant,
    pub end: Instant,
    /// Whether the block's summary was complete at the end.
    pub finished: bool,
}

/// The events of a run.
#[derive(Debug)]
pub struct Trace {
    start: Instant,
    events: Mutex<Vec<JobEvent>>,
}

impl Default for Trace {
    fn default() -> Self {
        Trace { start: Instant::now(), events: Mutex::default() }
    }
}

impl Trace {
    pub fn record(&self, event: JobEvent) {
        self.events.lock().unwrap_or_else(|e| e.into_inner()).push(event);
    }

    pub fn events(&self) -> Vec<JobEvent> {
        self.events.lock().unwrap_or_else(|e| e.into_inner()).clone()
    }

    /// The timeline in the Chrome trace format.
    pub fn to_json(&self, program: &Program, blocks: &Blocks) -> String {
        let mut text = String::from("{\"traceEvents\":[");
        for (index, event) in self.events().iter().enumerate() {
            let name = match event.block {
                None => "program".to_string(),
                Some(id) => {
                    let block = &blocks.blocks[id];
                    let function = &program.functions[block.function].name;
                    match block.kind {
                        BlockKind::Function => function.clone(),
                        BlockKind::Loop(_) => format!("{function}: loop at {}", block.entry),
                    }
                }
            };
            let begin = event.begin.saturating_duration_since(self.start).as_nanos() as f64 / 1000.0;
            let length = event.end.saturating_duration_since(event.begin).as_nanos() as f64 / 1000.0;
            let _ = write!(
                text,
                "{}{{\"name\":\"{name}\",\"cat\":\"{}\",\"ph\":\"X\",\"ts\":{begin:.3},\"dur\":{length:.3},\"pid\":1,\"tid\":{}}}",
                if index == 0 { "\n" } else { ",\n" },
                if event.finished { "finished" } else { "suspended" },
                event.thread,
            );
        }
        text.push_str("\n]}\n");
        text
    }
}
