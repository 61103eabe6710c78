//! The files of a request, and how they are read.

use crate::error::Error;
use assay_base::{CancelToken, StopReason};
use assay_c::{Cause, Externals, OutsidePointers, Standard};
use assay_cfa::{DataModel, Program, Property};
use assay_results::{InputFile, Task};
use std::path::{Path, PathBuf};

/// Whose rules decide what C leaves open and what a program without all of its code may do.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Rules {
    /// Code of something's project, which may be called and given pointers by code that is not there.
    #[default]
    OwnCode,
    /// The rules of SV-COMP: what comes from outside leads to memory of its own.
    Competition,
}

/// Files and what the front end has to know about them.
#[derive(Clone, Debug)]
pub struct Input {
    /// C files, preprocessed or not; `compile_commands.json` stands for the files that it lists; a single `.cfa` file
    /// is an automaton with its targets.
    pub files: Vec<PathBuf>,
    /// Sizes of C's types.
    pub model: DataModel,
    /// The function with which the program begins.
    pub entry: String,
    /// Folders in which `#include` looks.
    pub include: Vec<PathBuf>,
    /// Macros for the preprocessor, `NAME` or `NAME=VALUE`.
    pub defines: Vec<String>,
    /// Whose rules hold.
    pub rules: Rules,
    /// What pointers from outside may lead to, where it is not what the rules say.
    pub outside_pointers: Option<OutsidePointers>,
    /// What functions without a body may do.
    pub externals: Externals,
    /// Whether allocations may fail.
    pub malloc_may_fail: bool,
    /// Every label of a `switch` is a branch of its own.
    pub separate_cases: bool,
    /// A folder of C files whose functions stand in for functions without a body.
    pub models: Option<PathBuf>,
    /// The version of C.
    pub standard: Option<Standard>,
}

/// A program that was read.
pub(crate) struct Read {
    /// With the properties on it.
    pub(crate) program: Program,
    /// Without them, where there are several.
    pub(crate) plain: Option<Program>,
    pub(crate) properties: Vec<Property>,
}

impl Input {
    /// These files, read as gcc does on a 64-bit machine.
    pub fn new(files: Vec<PathBuf>) -> Input {
        Input {
            files,
            model: DataModel::Lp64,
            entry: "main".to_string(),
            include: vec![],
            defines: vec![],
            rules: Rules::default(),
            outside_pointers: None,
            externals: Externals::default(),
            malloc_may_fail: false,
            separate_cases: false,
            models: None,
            standard: None,
        }
    }

    fn outside_pointers(&self) -> OutsidePointers {
        self.outside_pointers.unwrap_or(match self.rules {
            Rules::OwnCode => OutsidePointers::Anywhere,
            Rules::Competition => OutsidePointers::OwnMemory,
        })
    }

    /// Reads, compiles and checks the program; `properties` says what is to be on the automaton, once the program as
    /// the front end makes it is there.
    pub(crate) fn load(&self, properties: &dyn Fn(&Program) -> Vec<Property>, cancel: &CancelToken) -> Result<Read, Error> {
        if let [file] = self.files.as_slice()
            && file.extension().is_some_and(|extension| extension == "cfa")
        {
            let program = read_automaton(file)?;
            let properties = properties(&program);
            return Ok(Read { program, plain: None, properties });
        }
        let options = assay_c::Options {
            model: self.model,
            entry: self.entry.clone(),
            include_dirs: self.include.clone(),
            defines: self.defines.clone(),
            standard: self.standard,
            outside_pointers: self.outside_pointers(),
            externals: self.externals,
            malloc_may_fail: self.malloc_may_fail,
            separate_cases: self.separate_cases,
            ruled: self.rules == Rules::Competition,
            models: self.models.clone(),
            cancel: cancel.clone(),
        };
        let go_on = || cancel.stopped().map_or(Ok(()), |reason| Err(Error::Stopped(reason)));
        let compiled = assay_c::compile(&self.files, &options);
        let program = compiled.map_err(|error| match error.cause {
            Cause::Defect => Error::Defect(error.render()),
            Cause::Input => Error::Source { diagnostics: error.diagnostics, sources: error.sources },
            Cause::Stopped => Error::Stopped(cancel.stopped().unwrap_or(StopReason::Cancelled)),
        })?;
        go_on()?;
        let properties = properties(&program);
        let plain = (properties.len() > 1).then(|| program.clone());
        let program = prepared(program, &properties);
        go_on()?;
        let defects = assay_cfa::verifier::verify(&program);
        if let Some(first) = defects.first() {
            let place = program.sources.describe(first.span);
            return Err(Error::Defect(format!("the automaton is not well-formed: {place}: {}", first.message)));
        }
        Ok(Read { program, plain, properties })
    }

    /// What stands for a program that has not been read: one that does nothing.
    pub(crate) fn unread(&self) -> Program {
        let mut builder = assay_cfa::builder::Builder::new(self.model);
        let start = builder.function(&self.entry, assay_base::Span::NONE);
        builder.finish(start)
    }

    /// The task as witnesses describe it; without hashes of the files where nothing is written that names them.
    pub fn task(&self, property: Property, hashed: bool) -> Task {
        let file = |path: &PathBuf| match hashed {
            true => InputFile::new(path.to_string_lossy(), &std::fs::read(path).unwrap_or_default()),
            false => InputFile { name: path.to_string_lossy().into_owned(), hash: String::new() },
        };
        Task { input_files: self.files.iter().map(file).collect(), property, model: self.model }
    }
}

/// An automaton as `assay cfa` prints it; the property is on it already.
fn read_automaton(path: &Path) -> Result<Program, Error> {
    let text = std::fs::read_to_string(path).map_err(|error| Error::Unreadable { path: path.to_path_buf(), reason: error.to_string() })?;
    let malformed = |reason: String| Error::Malformed { path: path.to_path_buf(), reason };
    let program = assay_cfa::text::read(&text).map_err(|error| malformed(error.to_string()))?;
    match assay_cfa::verifier::verify(&program).first() {
        Some(defect) => Err(malformed(defect.message.clone())),
        None => Ok(program),
    }
}

/// The program with what the properties ask for, and its threads as one.
pub(crate) fn prepared(program: Program, properties: &[Property]) -> Program {
    let thread_local = program.marks.thread_local.clone();
    let asked = assay_passes::property::instrument(program, properties);
    assay_threads::sequentialise(asked, &thread_local)
}
