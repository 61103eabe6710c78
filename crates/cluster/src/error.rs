//! What can go wrong between machines.

/// Why something could not be done.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ClusterError {
    /// This build has no client.
    NotBuilt,
    /// The server cannot be reached, or does not let us in.
    Connect(String),
    /// The server refused or did not answer.
    Server(String),
    /// There is no such content.
    Missing(String),
    /// Content or a message is not what its name says, or is larger than allowed.
    Damaged(String),
    /// A file with credentials cannot be read, or options do not go together.
    Access(String),
}

impl std::fmt::Display for ClusterError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ClusterError::NotBuilt => {
                f.write_str("this build knows no cluster; build it with `cargo build --release --features cluster --bin assay`")
            }
            ClusterError::Connect(why) => write!(f, "the server cannot be used: {why}"),
            ClusterError::Server(why) => write!(f, "the server: {why}"),
            ClusterError::Missing(name) => write!(f, "there is no content {name} on the server"),
            ClusterError::Damaged(what) => write!(f, "dropped: {what}"),
            ClusterError::Access(why) => write!(f, "credentials: {why}"),
        }
    }
}

impl std::error::Error for ClusterError {}
