//! One line of progress on the standard error, where that is a terminal.

use assay_results::{Progress, ProgressSink};
use std::io::{IsTerminal, Write};
use std::sync::Mutex;
use std::time::{Duration, Instant};

const PERIOD: Duration = Duration::from_millis(200);

pub struct TerminalProgress {
    enabled: bool,
    start: Instant,
    last: Mutex<Option<Instant>>,
}

impl TerminalProgress {
    pub fn new(wanted: bool) -> Self {
        TerminalProgress { enabled: wanted && std::io::stderr().is_terminal(), start: Instant::now(), last: Mutex::new(None) }
    }

    /// Removes the line before other output.
    pub fn clear(&self) {
        if self.enabled {
            let _ = std::io::stderr().write_all(b"\r\x1b[K");
        }
    }
}

impl ProgressSink for TerminalProgress {
    fn report(&self, progress: &Progress<'_>) {
        if !self.enabled {
            return;
        }
        // Whoever finds the lock taken has nothing to add: another thread is printing.
        let Ok(mut last) = self.last.try_lock() else { return };
        if last.is_some_and(|time| time.elapsed() < PERIOD) {
            return;
        }
        *last = Some(Instant::now());
        let line = format!("\r\x1b[K{}", line(progress, self.start.elapsed(), crate::memory::in_use()));
        let _ = std::io::stderr().write_all(line.as_bytes());
    }
}

fn line(progress: &Progress<'_>, elapsed: Duration, bytes: u64) -> String {
    let mut text = format!("{:>5.1} s  {}", elapsed.as_secs_f64(), progress.phase);
    for (count, name) in [(progress.states, "states"), (progress.waiting, "waiting"), (progress.refinements, "refinements")] {
        if count > 0 {
            text.push_str(&format!(", {count} {name}"));
        }
    }
    text.push_str(&format!(", {} MB", bytes >> 20));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_shows_only_what_counts() {
        let progress = Progress { phase: "value analysis", states: 12, waiting: 0, refinements: 3 };
        assert_eq!(line(&progress, Duration::from_millis(1500), 5 << 20), "  1.5 s  value analysis, 12 states, 3 refinements, 5 MB");
    }
}
