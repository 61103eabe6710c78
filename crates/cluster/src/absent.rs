//! A build without the client of NATS: nothing connects, so no other value of this file ever exists and nothing else of
//! it ever runs. The caller that uses the crate is the same code in both builds.

use crate::{Access, ClusterError, Job, News, Status, Submitted};
use serde_json::Value;
use std::convert::Infallible;
use std::sync::Arc;
use std::sync::mpsc::Receiver;
use std::time::Duration;

/// A connection to a server, which this build cannot have.
#[derive(Clone)]
pub struct Cluster {
    never: Infallible,
}

/// A job in hand.
pub struct Lease {
    never: Infallible,
    /// The run that it belongs to.
    pub run: String,
    /// What the result goes under.
    pub key: String,
    /// What was handed in.
    pub payload: Vec<u8>,
}

/// Takes jobs from the queue.
#[derive(Clone)]
pub struct Listener {
    never: Infallible,
}

/// The side that asks.
pub struct Asking {
    never: Infallible,
}

/// The side that answers.
pub struct Seat {
    never: Infallible,
}

/// Stops what it was given for when it is dropped.
pub struct Kept {
    never: Infallible,
}

impl Drop for Kept {
    fn drop(&mut self) {
        match self.never {}
    }
}

/// Methods with the signatures of the client's.
macro_rules! never {
    ($(fn $name:ident(&self $(, $argument:ident: $kind:ty)*) $(-> $result:ty)?;)*) => {
        $(
            #[doc = "Never called: there is no connection."]
            #[allow(clippy::missing_errors_doc)]
            pub fn $name(&self $(, $argument: $kind)*) $(-> $result)? {
                $(let _ = $argument;)*
                match self.never {}
            }
        )*
    };
}

impl Cluster {
    /// Says that this build cannot.
    ///
    /// # Errors
    /// Always [`ClusterError::NotBuilt`].
    pub fn connect(_access: &Access, _build: &str) -> Result<Cluster, ClusterError> {
        Err(ClusterError::NotBuilt)
    }

    never! {
        fn build(&self) -> &str;
        fn dropped(&self) -> u64;
        fn put_content(&self, bytes: &[u8]) -> Result<String, ClusterError>;
        fn content(&self, name: &str) -> Result<Arc<Vec<u8>>, ClusterError>;
        fn submit(&self, job: &Job) -> Result<Submitted, ClusterError>;
        fn cancel(&self, run: &str) -> Result<(), ClusterError>;
        fn cancel_job(&self, run: &str, key: &str) -> Result<(), ClusterError>;
        fn result(&self, key: &str, leased: bool) -> Result<Option<Vec<u8>>, ClusterError>;
        fn forget_result(&self, key: &str, leased: bool) -> Result<(), ClusterError>;
        fn news(&self, run: &str) -> Result<Receiver<News>, ClusterError>;
        fn summary(&self, key: &str) -> Result<Option<Vec<u8>>, ClusterError>;
        fn keep_summary(&self, key: &str, bytes: Vec<u8>);
        fn asking(&self, run: &str) -> Result<Asking, ClusterError>;
        fn seat(&self, run: &str, name: &str) -> Result<Seat, ClusterError>;
        fn listen(&self) -> Result<Listener, ClusterError>;
        fn keep_alive(&self, run: &str) -> Kept;
        fn register(&self, worker: &str, describe: Arc<dyn Fn() -> String + Send + Sync>) -> Kept;
        fn workers(&self) -> Result<Vec<Value>, ClusterError>;
        fn status(&self) -> Result<Status, ClusterError>;
        fn content_counts(&self) -> (u64, u64);
    }
}

impl Listener {
    never! {
        fn next(&self, worker: &str, wait: Duration, given_up: &dyn Fn(&[String]) -> Vec<u8>) -> Result<Option<Lease>, ClusterError>;
    }
}

impl Lease {
    never! {
        fn is_unwanted(&self) -> bool;
        fn set_cpu(&self, time: Duration);
        fn finish(&self, result: &[u8]) -> Result<(), ClusterError>;
        fn abandon(&self);
        fn give_back(&self);
    }
}

impl Asking {
    never! {
        fn ready(&self) -> usize;
        fn ask(&self, whom: Option<&str>, question: &[u8], wanted: &dyn Fn() -> bool) -> Option<(String, Vec<u8>)>;
    }
}

impl Seat {
    never! {
        fn next(&self, wait: Duration) -> Result<Option<(u64, Vec<u8>)>, ClusterError>;
        fn is_unwanted(&self, id: u64) -> bool;
        fn answer(&self, id: u64, answer: &[u8]);
    }
}
