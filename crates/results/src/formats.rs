//! The files of evidence that a run can write: one table, from which the options of the command line come. A format is
//! its renderer and its row here.

use crate::{Report, Verdict, harness, page, sarif, witness};
use std::path::{Path, PathBuf};

/// A kind of file that tells something of a run.
#[derive(Debug)]
pub struct Format {
    /// The name of its option: `--NAME FILE`.
    pub name: &'static str,
    /// The letter of its option.
    pub short: Option<char>,
    /// What its option does, as help texts say it.
    pub help: &'static str,
    /// The content of the file; `None` where there is nothing to write.
    pub render: fn(&Report, &Path) -> Option<String>,
}

/// Every format, in the order of the help.
pub const FORMATS: &[Format] = &[
    Format {
        name: "witness",
        short: Some('w'),
        help: "write a witness: SV-COMP format 2.0 (YAML), or GraphML 1.0 if the name ends in .graphml",
        render: witness_of,
    },
    Format {
        name: "harness",
        short: None,
        help: "for a violation, write a C file that defines the nondeterministic functions: compiled together with the program it \
               reaches the error",
        render: harness_of,
    },
    Format { name: "report", short: None, help: "write a self-contained HTML page about the run", render: page_of },
    Format { name: "sarif", short: None, help: "write the result as SARIF 2.1.0, which editors and code hosts read", render: sarif_of },
];

impl Format {
    /// The format with this name.
    pub fn named(name: &str) -> Option<&'static Format> {
        FORMATS.iter().find(|format| format.name == name)
    }
}

/// A file of evidence that is wanted.
#[derive(Clone, Debug)]
pub struct EvidenceFile {
    /// What is to be in it.
    pub format: &'static Format,
    /// Where it goes.
    pub path: PathBuf,
}

impl EvidenceFile {
    /// Finds out before the run, and not after an hour, that the file cannot be written.
    ///
    /// # Errors
    /// It cannot.
    pub fn check_writable(&self) -> std::io::Result<()> {
        let existed = self.path.exists();
        std::fs::OpenOptions::new().append(true).create(true).open(&self.path)?;
        if !existed {
            let _ = std::fs::remove_file(&self.path);
        }
        Ok(())
    }

    /// Writes the file, if there is something to write; says whether there was. Where that fails, what was there before
    /// stays as it is.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn write(&self, report: &Report) -> std::io::Result<bool> {
        let Some(text) = (self.format.render)(report, &self.path) else { return Ok(false) };
        // Devices and pipes are written as they are.
        if self.path.exists() && !self.path.is_file() || self.path.is_symlink() {
            return std::fs::write(&self.path, text).map(|()| true);
        }
        let mut name = self.path.file_name().unwrap_or_default().to_os_string();
        name.push(format!(".{}.part", std::process::id()));
        let beside = self.path.with_file_name(name);
        let there = std::fs::write(&beside, text).and_then(|()| std::fs::rename(&beside, &self.path));
        if there.is_err() {
            let _ = std::fs::remove_file(&beside);
        }
        there.map(|()| true)
    }
}

fn witness_of(report: &Report, path: &Path) -> Option<String> {
    let Report { program, task, producer, outcome, .. } = report;
    let graphml = path.extension().is_some_and(|extension| extension == "graphml");
    match &outcome.verdict {
        Verdict::False(found) if graphml => witness::violation_graphml(program, task, producer, &found.first),
        Verdict::False(found) => witness::violation_yaml(program, task, producer, &found.first),
        Verdict::True(proof) if graphml => Some(witness::correctness_graphml(program, task, producer, &proof.invariants)),
        Verdict::True(proof) => Some(witness::correctness_yaml(program, task, producer, &proof.invariants)),
        Verdict::Unknown(_) => None,
    }
}

fn harness_of(report: &Report, _: &Path) -> Option<String> {
    let counterexample = report.outcome.counterexample()?;
    Some(harness::harness(&report.program, &report.task.property, counterexample))
}

fn page_of(report: &Report, _: &Path) -> Option<String> {
    Some(page::page(&report.program, &report.task, &report.producer, &report.outcome))
}

fn sarif_of(report: &Report, _: &Path) -> Option<String> {
    let Report { program, task, producer, outcome, further, .. } = report;
    Some(format!("{:#}\n", sarif::sarif(program, task, producer, outcome, further)))
}
