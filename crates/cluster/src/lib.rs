//! More than one machine: jobs in a work queue, programs and results in stores, over NATS with JetStream.
//!
//! This crate knows nothing of C or of analyses. A job is bytes under a key; what it needs is content under its hash;
//! what comes out of it is bytes under the same key. It is the only crate with an asynchronous runtime, and its
//! interface is not asynchronous.
//!
//! - A job stays in the queue until it is acknowledged. The caller that has it says every [`HEARTBEAT`] that it is at
//!   work; a worker that is silent for [`SILENCE`] (dead, stopped, cut off) loses it to another. Work that is done
//!   twice does no harm: results are put under the job's key.
//! - Jobs, results and workers of another build never meet: the build is part of every name.
//! - Whether a job is still wanted is asked with each heartbeat, so that one who missed the message that it is not
//!   finds out.
//! - Beside the queue, a run can ask those who sit ready for it ([`Cluster::asking`], [`Cluster::seat`]): messages that
//!   nothing keeps, for questions that take milliseconds.
//! - No clock but the server's decides anything.

//!
//! The client is built with the feature `cluster` alone; without it [`Cluster::connect`] says so.

#[cfg(not(feature = "cluster"))]
mod absent;
mod access;
mod error;
mod message;
#[cfg(feature = "cluster")]
mod nats;

#[cfg(not(feature = "cluster"))]
pub use absent::{Asking, Cluster, Kept, Lease, Listener, Seat};
pub use access::Access;
pub use error::ClusterError;
pub use message::{Job, News, Queue, Status, Submitted};
#[cfg(feature = "cluster")]
pub use nats::{Asking, Cluster, Kept, Lease, Listener, Seat};

use std::time::Duration;

/// How often a worker says that it is at work on a job.
pub const HEARTBEAT: Duration = Duration::from_millis(1500);
/// After so long without a word a job is given to another caller.
pub const SILENCE: Duration = Duration::from_secs(6);
/// A job that was begun by so many workers, none of which came to an end, is given up.
pub const MOST_ATTEMPTS: usize = 3;
/// The largest job.
pub const MOST_JOB_BYTES: usize = 256 << 10;
/// The largest question; larger answers travel as content. (Servers take messages of 1 MiB where nothing else is said.)
pub const MOST_QUESTION_BYTES: usize = 512 << 10;
/// The largest content: a file, or a result.
pub const MOST_CONTENT_BYTES: usize = 64 << 20;
