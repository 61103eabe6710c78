//! Why there is no report.

use assay_base::{Diagnostic, SourceMap, StopReason};
use std::path::PathBuf;

/// What can go wrong outside of a verdict. `Display` gives a message for people.
pub enum Error {
    /// A file that cannot be read: missing, a directory, no text.
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why not.
        reason: String,
    },
    /// The program is not accepted by the front end.
    Source {
        /// What is wrong, in the order in which it was found.
        diagnostics: Vec<Diagnostic>,
        /// What the places of the messages lead to.
        sources: SourceMap,
    },
    /// A property or configuration file that is not understood.
    Malformed {
        /// The file.
        path: PathBuf,
        /// What is not understood.
        reason: String,
    },
    /// Settings that are not known or do not go together.
    Configuration(String),
    /// An output file that cannot be written.
    Unwritable {
        /// The file.
        path: PathBuf,
        /// Why not.
        reason: String,
    },
    /// The session was to stop while the program was read.
    Stopped(StopReason),
    /// Something that must not happen did.
    Defect(String),
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Error::Configuration(text) => write!(f, "assay: {text}"),
            Error::Unreadable { path, reason } => write!(f, "assay: cannot read {}: {reason}", path.display()),
            Error::Malformed { path, reason } => write!(f, "assay: {}: {reason}", path.display()),
            Error::Unwritable { path, reason } => write!(f, "assay: cannot write {}: {reason}", path.display()),
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

/// `main` prints errors in this form.
impl std::fmt::Debug for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for Error {}
