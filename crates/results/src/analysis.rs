//! The one interface through which whole analyses are run: by the command line, and by portfolios.

use crate::{Chapter, Findings, Outcome};
use assay_base::{CancelToken, Ledger, Limits};
use assay_cfa::Program;

/// A complete analysis: it takes a program whose targets are on the automaton and answers with a verdict and evidence.
///
/// Laws:
/// - *true* is returned only if no target can be reached in any execution that the ledger's `Under` lines do not
///   exclude;
/// - *false* is returned only with a counterexample whose inputs were replayed;
/// - when `context.cancel` is stopped the analysis returns within 100 ms, with `Unknown(Stopped(..))`;
/// - equal programs and equal configurations give equal outcomes (up to times), whatever the number of threads.
///
/// An analysis is used by one thread at a time; it may start threads of its own, up to `context.threads`, and joins
/// them before it returns.
pub trait Analysis: Send {
    /// The name under which the analysis is known in configurations, statistics and reports.
    fn name(&self) -> &str;
    /// Decides what the program's questions ask.
    fn run(&mut self, program: &Program, context: &RunContext<'_>) -> Outcome;
}

/// What an analysis may use and whom it talks to while it runs.
#[derive(Clone, Copy)]
pub struct RunContext<'a> {
    /// Asked often, in every loop that can run long.
    pub cancel: &'a CancelToken,
    /// What the run may use; the token is stopped where it is used up.
    pub limits: Limits,
    /// How many threads the analysis may keep busy, itself included; at least 1.
    pub threads: usize,
    /// Where approximations are written down.
    pub ledger: &'a Ledger,
    /// Whom to tell how far it is.
    pub progress: &'a dyn ProgressSink,
    /// The process ends after this analysis: what it holds need not be given back, which takes long where it is much.
    pub last: bool,
    /// What other analyses of the run found, and where this one says what others may try.
    pub findings: &'a Findings,
}

impl RunContext<'_> {
    /// Gives back what an analysis holds; not where the process ends after it: giving back gigabytes takes seconds.
    pub fn leave<T>(&self, remains: T) {
        if self.last {
            std::mem::forget(remains);
        }
    }
}

/// A snapshot for whoever watches: a phase in a few words and how far it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Progress<'a> {
    /// What is done, in a few words.
    pub phase: &'a str,
    /// Abstract states, paths or whatever the phase counts.
    pub states: u64,
    /// States that wait to be explored.
    pub waiting: u64,
    /// Refinements so far.
    pub refinements: u64,
}

/// A part of a run that begins: which analysis, why it, and what is to follow. The token's meter says how far it is.
#[derive(Clone, Copy, Debug)]
pub struct Activity<'a> {
    /// The name of the portfolio's node.
    pub name: &'a str,
    /// What it is chosen for.
    pub why: &'a str,
    /// Empty where nothing follows.
    pub next: &'a str,
    /// Stops this part alone.
    pub token: &'a CancelToken,
}

/// Takes snapshots. Called from any thread, about ten times a second; it must return quickly.
pub trait ProgressSink: Sync {
    /// Takes a snapshot.
    fn report(&self, progress: &Progress<'_>);
    /// Hears that a part begins.
    fn begin(&self, _: &Activity<'_>) {}
    /// Hears how a part ended, and with what.
    fn end(&self, _: &Chapter, _: &Outcome) {}
}

/// For runs that nobody watches.
pub struct NoProgress;

impl ProgressSink for NoProgress {
    fn report(&self, _: &Progress<'_>) {}
}
