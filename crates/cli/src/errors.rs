//! What can go wrong outside of a verdict, with its message and exit status.

use crate::arguments::UsageError;
pub(crate) use assay_driver::Error as Fault;

/// Exit status for a bad command line.
pub(crate) const USAGE: i32 = 2;
/// Exit status for an input that cannot be read or understood.
pub(crate) const INPUT: i32 = 3;
/// Exit status when an output file cannot be written.
pub(crate) const OUTPUT: i32 = 4;
/// Exit status when the server of a cluster cannot be used.
pub(crate) const CLUSTER: i32 = 6;
/// Exit status for a defect of ours, in commands that owe no verdict.
pub(crate) const DEFECT: i32 = 5;

#[derive(Debug)]
pub(crate) enum Error {
    Usage(UsageError),
    /// The server of a cluster cannot be used.
    Cluster(assay_cluster::ClusterError),
    /// There is no report, or no file.
    Fault(Fault),
}

impl Error {
    /// Something that must not happen did.
    pub(crate) fn defect(text: String) -> Error {
        Error::Fault(Fault::Defect(text))
    }

    pub(crate) fn exit_status(&self) -> i32 {
        match self {
            Error::Usage(_) | Error::Fault(Fault::Configuration(_)) => USAGE,
            Error::Fault(Fault::Unreadable { .. } | Fault::Source { .. } | Fault::Malformed { .. }) => INPUT,
            Error::Fault(Fault::Unwritable { .. }) => OUTPUT,
            Error::Cluster(_) => CLUSTER,
            Error::Fault(Fault::Stopped(_)) => crate::answer::UNKNOWN,
            Error::Fault(Fault::Defect(_)) => DEFECT,
        }
    }
}

impl From<UsageError> for Error {
    fn from(error: UsageError) -> Self {
        Error::Usage(error)
    }
}

impl From<Fault> for Error {
    fn from(error: Fault) -> Self {
        Error::Fault(error)
    }
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Error::Usage(error) => write!(f, "assay: {error}"),
            Error::Cluster(error) => write!(f, "assay: cluster: {error}"),
            Error::Fault(error) => write!(f, "{error}"),
        }
    }
}

impl std::error::Error for Error {}
