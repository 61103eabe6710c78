//! Assay as a library: the path from C files to a verdict with its evidence, for programs that embed the verifier. The
//! command `assay` is one of its callers.
//!
//! A [`Request`] says what to verify and with what means. [`Session::open`] reads the program; [`Session::run`]
//! analyses it, tells [`Events`] how far it is and which violations it has found, and gives a [`Report`], which is
//! data. The crate `assay-results` renders reports: as text, as JSON, and as files of evidence ([`FORMATS`]).
//!
//! ```no_run
#![doc = include_str!("../examples/embed.rs")]
//! ```
//!
//! The library starts threads of its own for the limits of the request and for the analysis; it installs no handlers,
//! prints nothing and does not end the process. Analyses recurse deeply: run a session on a thread with a large stack
//! (`assay` takes 1 GiB, of which the system uses what is needed).

pub mod choice;
mod error;
mod input;
mod properties;
mod request;
mod search;
mod session;
mod tests;
pub mod usage;
mod watch;

pub use assay_results::{Checks, EvidenceFile, FORMATS, Format, Report, Verdict};
pub use choice::Choice;
pub use error::Error;
pub use input::{Input, Rules};
pub use properties::Asked;
pub use request::{Meters, Request};
pub use session::{Events, Session};
pub use tests::{Branches, Suite};
