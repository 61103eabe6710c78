//! The cluster over NATS with JetStream.

mod client;
mod content;
mod lease;
mod live;
mod login;
mod seats;

pub use client::Cluster;
pub use lease::{Lease, Listener};
pub use live::Kept;
pub use seats::{Asking, Seat};
