//! The query log: every query as an SMT-LIB script with its answer, for other solvers and for replay.

use crate::answer::Answer;
use assay_term::{Term, Terms};
use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

/// Writes scripts `query-000001.smt2`, … into a folder that several solvers may share.
pub struct Dump {
    folder: PathBuf,
    next: u64,
}

impl Dump {
    pub fn new(folder: &Path) -> Self {
        Dump { folder: folder.to_path_buf(), next: 1 }
    }

    /// # Errors
    /// Where the folder or the file cannot be written.
    pub fn write(&mut self, terms: &Terms, constraints: &[Term], answer: &Answer) -> std::io::Result<()> {
        std::fs::create_dir_all(&self.folder)?;
        let mut file = loop {
            let path = self.folder.join(format!("query-{:06}.smt2", self.next));
            self.next += 1;
            match OpenOptions::new().write(true).create_new(true).open(path) {
                // Another solver of the run took this number.
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                other => break other?,
            }
        };
        let status = match answer {
            Answer::Sat(_) => "sat",
            Answer::Unsat(_) => "unsat",
            Answer::Unknown(_) => "unknown",
        };
        writeln!(file, "(set-info :status {status})")?;
        file.write_all(terms.to_smtlib(constraints).as_bytes())
    }
}
