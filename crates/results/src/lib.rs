//! What a run yields and how it is shown: the interface of analyses, verdicts with their evidence, witnesses, test
//! harnesses and reports. Everything here is plain data; no abstract state enters this room.

pub mod analysis;
pub mod counterexample;
pub mod outcome;

pub use analysis::{Analysis, NoProgress, Progress, ProgressSink, RunContext};
pub use counterexample::{Counterexample, InputValue, PathStep, Step};
pub use outcome::{Evidence, Invariant, InvariantKind, Outcome, UnknownReason, Verdict};
