//! What a run yields and how it is shown: the interface of analyses, verdicts with their evidence, witnesses, test
//! harnesses and reports. Everything here is plain data; no abstract state enters this room.

pub mod analysis;
pub mod arguments;
pub mod counterexample;
pub mod explain;
pub mod findings;
pub mod formats;
pub mod harness;
pub mod json;
pub mod outcome;
pub mod page;
pub mod path;
mod places;
pub mod replay;
pub mod report;
pub mod sarif;
pub mod task;
pub mod test_suite;
pub mod text;
mod unwritten;
pub mod value;
pub mod witness;
mod zip;

pub use analysis::{Activity, Analysis, NoProgress, Progress, ProgressSink, RunContext};
pub use counterexample::{Counterexample, InputOrigin, InputValue, Lasso, PathStep, Schedule};
pub use findings::{Finding, Findings};
pub use formats::{EvidenceFile, FORMATS, Format};
pub use outcome::{Chapter, HowFar, Invariant, InvariantKind, Outcome, Proof, Verdict, Violations};
pub use replay::{ReplayFailure, replay};
pub use report::{Checks, OwnViolation, Report, Violation};
pub use task::{InputFile, Producer, Task};
