//! What every other room stands on: dense ids, source positions, diagnostics, limits with
//! cancellation, and counters. Nothing here knows C, terms or analyses.

pub mod bytes;
pub mod decision;
pub mod diagnostic;
pub mod exchange;
pub mod hash;
pub mod id;
pub mod ledger;
pub mod limits;
mod nearest;
pub mod obstacle;
pub mod quiescence;
mod ranges;
pub mod source;
pub mod stats;
mod work_time;

pub use bytes::{ByteReader, ByteWriter};
pub use decision::{Decision, Verdict};
pub use diagnostic::{Diagnostic, Severity};
pub use exchange::{Answer, Mailbox};
pub use hash::{FastMap, FastSet, Fingerprint};
pub use id::{Id, IdVec};
pub use ledger::{Assumption, AssumptionClass, Fact, Ledger};
pub use limits::{CancelToken, Gauge, Limits, Meter, StopReason};
pub use nearest::nearest;
pub use obstacle::{Obstacle, ObstacleKind};
pub use quiescence::Quiescence;
pub use ranges::ByteRanges;
pub use source::{FileId, SourceMap, Span};
pub use stats::{Counter, Stats};
pub use work_time::WorkTime;
