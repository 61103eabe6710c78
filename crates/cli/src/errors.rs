//! What can go wrong outside of a verdict, with its message and exit status.

use crate::arguments::UsageError;
use assay_base::{Diagnostic, SourceMap, StopReason};
use std::path::PathBuf;

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
    /// A file that cannot be read: missing, a directory, no text.
    Unreadable {
        path: PathBuf,
        reason: String,
    },
    /// The program is not accepted by the front end.
    Source {
        diagnostics: Vec<Diagnostic>,
        sources: SourceMap,
    },
    /// A property or configuration file that is not understood.
    Malformed {
        path: PathBuf,
        reason: String,
    },
    /// Settings that are not known or do not go together.
    Configuration(String),
    /// An output file that cannot be written.
    Unwritable {
        path: PathBuf,
        reason: String,
    },
    /// The server of a cluster cannot be used.
    Cluster(assay_cluster::ClusterError),
    /// It was to stop while a program was read.
    Stopped(StopReason),
    /// Something that must not happen did.
    Defect(String),
}

impl Error {
    pub(crate) fn exit_status(&self) -> i32 {
        match self {
            Error::Usage(_) | Error::Configuration(_) => USAGE,
            Error::Unreadable { .. } | Error::Source { .. } | Error::Malformed { .. } => INPUT,
            Error::Unwritable { .. } => OUTPUT,
            Error::Cluster(_) => CLUSTER,
            Error::Stopped(_) => crate::answer::UNKNOWN,
            Error::Defect(_) => DEFECT,
        }
    }
}

impl From<UsageError> for Error {
    fn from(error: UsageError) -> Self {
        Error::Usage(error)
    }
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Error::Usage(error) => write!(f, "assay: {error}"),
            Error::Configuration(text) => write!(f, "assay: {text}"),
            Error::Unreadable { path, reason } => write!(f, "assay: cannot read {}: {reason}", path.display()),
            Error::Malformed { path, reason } => write!(f, "assay: {}: {reason}", path.display()),
            Error::Unwritable { path, reason } => write!(f, "assay: cannot write {}: {reason}", path.display()),
            Error::Cluster(error) => write!(f, "assay: cluster: {error}"),
            Error::Stopped(reason) => write!(f, "assay: {reason} while the program was read"),
            Error::Defect(text) => write!(f, "assay: internal error: {text}\nassay: please report it with the input and the command line"),
            Error::Source { diagnostics, sources } => {
                for (index, diagnostic) in diagnostics.iter().enumerate() {
                    let newline = if index == 0 { "" } else { "\n" };
                    write!(f, "{newline}{}", diagnostic.render(sources))?;
                }
                Ok(())
            }
        }
    }
}

impl std::error::Error for Error {}
