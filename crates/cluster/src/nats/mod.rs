//! The cluster over NATS with JetStream.

mod client;
mod content;
mod lease;
mod live;
mod login;

pub use client::Cluster;
pub use lease::{Lease, Listener};
pub use live::Kept;
