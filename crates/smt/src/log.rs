//! The query log: every query as an SMT-LIB script with its answer. [`read_log`] takes it up again, for other solvers
//! and for measurements.

use crate::answer::Answer;
use assay_term::{Op, ReadError, Term, Terms};
use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

/// Writes scripts `query-000001.smt2`, … into a folder that several solvers may share.
pub(crate) struct Log {
    folder: PathBuf,
    next: u64,
}

impl Log {
    pub(crate) fn new(folder: &Path) -> Self {
        Log { folder: folder.to_path_buf(), next: 1 }
    }

    /// # Errors
    /// Where the folder or the file cannot be written.
    pub(crate) fn write(&mut self, terms: &Terms, constraints: &[Term], answer: &Answer) -> std::io::Result<()> {
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
        file.write_all(script(terms, constraints).as_bytes())
    }
}

/// The script of a query. That addresses are not null is a meaning of ours, which other solvers must be told.
fn script(terms: &Terms, constraints: &[Term]) -> String {
    let mut addresses = Vec::new();
    terms.post_order(constraints.iter().copied(), |term, node| {
        if node.op == Op::Address {
            addresses.push(term);
        }
    });
    let mut all = constraints.to_vec();
    all.extend(addresses.into_iter().map(|address| terms.is_nonzero(address)));
    terms.to_smtlib(&all)
}

/// Queries of a log that share a store, in the order in which they were asked.
pub struct Session {
    /// What the constraints are terms of.
    pub terms: Terms,
    /// In the order of their files' names.
    pub queries: Vec<LoggedQuery>,
}

/// One query of a log.
pub struct LoggedQuery {
    /// Where it was read from.
    pub file: PathBuf,
    /// The conjunction that was asked for.
    pub constraints: Vec<Term>,
    /// What was answered when it was written; `None` for unknown.
    pub satisfiable: Option<bool>,
}

/// Why a log cannot be read.
#[derive(Debug)]
pub enum LogError {
    /// The folder or a file cannot be read.
    Unreadable {
        /// The folder or file.
        path: PathBuf,
        /// What the system says.
        error: std::io::Error,
    },
    /// A file is not such a script.
    Malformed {
        /// The file.
        path: PathBuf,
        /// Where it is wrong.
        error: ReadError,
    },
    /// There is no script in the folder.
    Empty {
        /// The folder.
        path: PathBuf,
    },
}

impl std::fmt::Display for LogError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            LogError::Unreadable { path, error } => write!(f, "{} cannot be read: {error}", path.display()),
            LogError::Malformed { path, error } => write!(f, "{} is no script of a query: {error}", path.display()),
            LogError::Empty { path } => write!(f, "there is no query (*.smt2) in {}", path.display()),
        }
    }
}

impl std::error::Error for LogError {}

/// All scripts `*.smt2` of a folder, by name. Where a symbol has another sort than before, as in logs of several runs,
/// a new session begins.
///
/// # Errors
/// What cannot be read, or that there is nothing.
pub fn read_log(folder: &Path) -> Result<Vec<Session>, LogError> {
    let unreadable = |path: &Path, error| LogError::Unreadable { path: path.to_path_buf(), error };
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(|e| unreadable(folder, e))? {
        let path = entry.map_err(|e| unreadable(folder, e))?.path();
        if path.extension().is_some_and(|extension| extension == "smt2") {
            files.push(path);
        }
    }
    files.sort();
    if files.is_empty() {
        return Err(LogError::Empty { path: folder.to_path_buf() });
    }
    let mut sessions = vec![Session { terms: Terms::new(), queries: vec![] }];
    for file in files {
        let text = std::fs::read_to_string(&file).map_err(|e| unreadable(&file, e))?;
        let mut read = sessions.last().map_or(Ok(vec![]), |session| session.terms.read_smtlib(&text));
        if let Err(ReadError::SymbolHasOtherSort { .. }) = read {
            let session = Session { terms: Terms::new(), queries: vec![] };
            read = session.terms.read_smtlib(&text);
            sessions.push(session);
        }
        let constraints = read.map_err(|error| LogError::Malformed { path: file.clone(), error })?;
        let satisfiable = match text.lines().next() {
            Some("(set-info :status sat)") => Some(true),
            Some("(set-info :status unsat)") => Some(false),
            _ => None,
        };
        if let Some(session) = sessions.last_mut() {
            session.queries.push(LoggedQuery { file, constraints, satisfiable });
        }
    }
    sessions.retain(|session| !session.queries.is_empty());
    Ok(sessions)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Budget, Config, Solver};
    use assay_term::Sort;

    #[test]
    fn a_log_is_read_as_it_was_written() {
        let folder = std::env::temp_dir().join(format!("assay-log-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        let terms = Terms::new();
        let config = Config { dump_queries: Some(folder.clone()), ..Config::default() };
        let x = terms.named("main::x", Sort::bv(32));
        let object = terms.address(terms.intern_symbol("object", Sort::bv(64)), 64);
        let small = terms.ult(x, terms.number(32, 7));
        let null = terms.eq(object, terms.number(64, 0));
        // Two solvers share the folder.
        let mut solvers = [Solver::new(config.clone()), Solver::new(config)];
        assert!(solvers[0].check(&terms, &[small], &Budget::default()).is_sat());
        assert!(solvers[1].check(&terms, &[small, terms.not(small)], &Budget::default()).is_unsat());
        assert!(solvers[1].check(&terms, &[null], &Budget::default()).is_unsat());
        let sessions = read_log(&folder).unwrap();
        assert_eq!(sessions.len(), 1);
        let expected: Vec<Option<bool>> = sessions[0].queries.iter().map(|q| q.satisfiable).collect();
        assert_eq!(expected, [Some(true), Some(false), Some(false)]);
        for query in &sessions[0].queries {
            let answer = Solver::new(Config::default()).check(&sessions[0].terms, &query.constraints, &Budget::default());
            assert_eq!(Some(answer.is_sat()), query.satisfiable, "{}", query.file.display());
        }
        std::fs::write(folder.join("query-000009.smt2"), "(assert").unwrap();
        assert!(matches!(read_log(&folder), Err(LogError::Malformed { .. })));
        std::fs::remove_dir_all(&folder).unwrap();
        assert!(matches!(read_log(&folder), Err(LogError::Unreadable { .. })));
    }
}
