//! What a caller asks for, as plain data.

use crate::choice::Choice;
use crate::error::Error;
use crate::input::Input;
use crate::properties::Asked;
use crate::usage;
use assay_base::Limits;
use assay_results::EvidenceFile;
use std::path::PathBuf;
use std::time::Duration;

/// What is to be verified, and with what means.
#[derive(Clone, Debug)]
pub struct Request {
    /// The files and how they are read.
    pub input: Input,
    /// What is to be proved; a run that is asked for nothing checks all that it can.
    pub asked: Vec<Asked>,
    /// The analysis.
    pub choice: Choice,
    /// What the session may use.
    pub limits: Limits,
    /// How many threads the analysis may keep busy.
    pub threads: usize,
    /// How many violations are looked for; without a number ten, and one where a single property is asked for.
    pub max_violations: Option<usize>,
    /// The files of evidence that [`Session::write_evidence`](crate::Session::write_evidence) writes.
    pub evidence: Vec<EvidenceFile>,
    /// The process ends with the report: what analyses hold is left to that end, because giving back gigabytes takes
    /// seconds.
    pub ends_process: bool,
    /// How the session learns what it uses.
    pub meters: Meters,
}

impl Request {
    /// Everything that can be checked of these C files, under the built-in configuration, without limits.
    ///
    /// # Errors
    /// The configuration cannot be built.
    pub fn new(files: impl IntoIterator<Item = impl Into<PathBuf>>) -> Result<Request, Error> {
        Ok(Request {
            input: Input::new(files.into_iter().map(Into::into).collect()),
            asked: vec![],
            choice: Choice::new(None, &[] as &[&str])?,
            limits: Limits::default(),
            threads: 1,
            max_violations: None,
            evidence: vec![],
            ends_process: false,
            meters: Meters::default(),
        })
    }
}

/// How a session learns what it uses.
#[derive(Clone, Copy, Debug)]
pub struct Meters {
    /// CPU time that counts against the limit.
    pub cpu_time: fn() -> Duration,
    /// Bytes that the allocator has given out, if it counts them, else 0: the resident size is read instead, which is
    /// slower.
    pub memory: fn() -> u64,
}

impl Default for Meters {
    fn default() -> Self {
        Meters { cpu_time: usage::cpu_time, memory: || 0 }
    }
}
