//! From file names to what a command works on: the property and the program.

use crate::arguments::{Arguments, UsageError};
use crate::errors::Error;
use assay_base::{CancelToken, StopReason};
use assay_c::{Cause, Externals, OutsidePointers, Standard};
use assay_cfa::{DataModel, Program, Property};
use assay_results::{InputFile, Task};
use std::path::{Path, PathBuf};

/// What the reading commands have in common.
#[derive(Clone, Debug)]
pub(crate) struct InputOptions {
    pub files: Vec<PathBuf>,
    pub property: Option<String>,
    /// All that were given.
    pub properties: Vec<String>,
    pub model: DataModel,
    pub entry: String,
    pub include: Vec<PathBuf>,
    pub defines: Vec<String>,
    pub outside_pointers: OutsidePointers,
    pub externals: Externals,
    pub malloc_may_fail: bool,
    /// Every label of a `switch` is a branch of its own.
    pub separate_cases: bool,
    /// Whether the rules of a competition hold.
    pub ruled: bool,
    pub models: Option<PathBuf>,
    pub standard: Option<Standard>,
}

impl InputOptions {
    pub(crate) fn from_arguments(arguments: &Arguments) -> Result<InputOptions, Error> {
        if arguments.operands.is_empty() {
            return Err(UsageError("no input file is given".to_string()).into());
        }
        // A property file is that of a competition, whose rules then hold.
        let competes = arguments.text("property").is_some_and(|name| name.ends_with(".prp"));
        let outside_pointers = match arguments.text("outside-pointers") {
            Some("own-memory") => OutsidePointers::OwnMemory,
            None if competes => OutsidePointers::OwnMemory,
            _ => OutsidePointers::Anywhere,
        };
        let externals = match arguments.text("externals") {
            Some("havoc-arguments") => Externals::HavocArguments,
            Some("havoc-reachable") => Externals::HavocReachable,
            _ => Externals::Pure,
        };
        Ok(InputOptions {
            outside_pointers,
            externals,
            malloc_may_fail: arguments.flag("malloc-may-fail"),
            separate_cases: false,
            ruled: competes,
            models: arguments.paths("models").into_iter().next(),
            standard: arguments.text("std").and_then(Standard::named),
            files: arguments.operands.clone(),
            property: arguments.text("property").map(str::to_string),
            properties: arguments.texts("property").into_iter().map(str::to_string).collect(),
            model: arguments.text("data-model").and_then(DataModel::parse).unwrap_or(DataModel::Lp64),
            entry: arguments.text("entry").unwrap_or("main").to_string(),
            include: arguments.paths("include"),
            defines: arguments.texts("define").into_iter().map(str::to_string).collect(),
        })
    }

    /// The property that was asked for, or the one that fits the program.
    pub(crate) fn property(&self) -> Result<Property, Error> {
        Ok(self.named(self.property.as_deref())?.swap_remove(0))
    }

    /// Everything that is to be checked; without a word about it, all that can be.
    pub(crate) fn checks(&self) -> Result<Vec<Property>, Error> {
        let mut all: Vec<Property> = vec![];
        let names: Vec<&str> = if self.properties.is_empty() { vec!["all"] } else { self.properties.iter().map(String::as_str).collect() };
        for name in names {
            let more = if name == "all" { self.all_checks() } else { self.named(Some(name))? };
            all.extend(more.into_iter().filter(|property| !all.contains(property)).collect::<Vec<_>>());
        }
        Ok(all)
    }

    fn all_checks(&self) -> Vec<Property> {
        let call = |function: &'static str| Property::UnreachCall { function: function.to_string() };
        let mut all: Vec<Property> = self.mentioned_error_functions().into_iter().map(call).collect();
        all.extend(Property::CHECKS.map(|(check, _)| check));
        all
    }

    /// What a word of the command line asks for: a name, or a file with several properties.
    fn named(&self, name: Option<&str>) -> Result<Vec<Property>, Error> {
        let call = |function: &str| Property::UnreachCall { function: function.to_string() };
        Ok(vec![match name {
            None | Some("unreach-call") => call(self.mentioned_error_function()),
            Some("reach_error") => call("reach_error"),
            Some("assert") => call("__assert_fail"),
            Some("unreach-label") => Property::UnreachLabel { label: "ERROR".to_string() },
            Some("coverage-error-call") => Property::CoverCall { function: self.mentioned_error_function().to_string() },
            Some(path) => match Property::named(path) {
                Some(property) => property,
                None => return read_properties(Path::new(path)),
            },
        }])
    }

    /// The first of the usual error functions that occurs in the sources; a file that cannot be read is reported later.
    fn mentioned_error_function(&self) -> &'static str {
        self.mentioned_error_functions().first().copied().unwrap_or("reach_error")
    }

    fn mentioned_error_functions(&self) -> Vec<&'static str> {
        let mut files = vec![];
        for file in &self.files {
            let database = file.file_name().is_some_and(|name| name == "compile_commands.json");
            match database.then(|| assay_c::adapter::read_compile_commands(file, self.model)) {
                Some(Ok(list)) => files.extend(list.into_iter().map(|input| input.path)),
                _ => files.push(file.clone()),
            }
        }
        let texts: Vec<Vec<u8>> = files.iter().filter_map(|file| std::fs::read(file).ok()).collect();
        let texts: Vec<_> = texts.iter().map(|text| String::from_utf8_lossy(text)).collect();
        let mentioned = |word: &str| texts.iter().any(|text| text.contains(word));
        let names = [("reach_error", "reach_error"), ("__VERIFIER_error", "__VERIFIER_error")];
        let mut found: Vec<_> = names.into_iter().filter(|(word, _)| mentioned(word)).map(|(_, function)| function).collect();
        // Intrinsics of other verifiers fail as assertions do.
        if ["assert", "__CPROVER_", "__ESBMC_", "klee_", "__SEAHORN_"].into_iter().any(mentioned) {
            found.push("__assert_fail");
        }
        found
    }

    /// Reads, compiles and checks the program, with the property on the automaton.
    pub(crate) fn load(&self) -> Result<Loaded, Error> {
        self.load_for(&self.named(self.property.as_deref())?, &CancelToken::new())
    }

    /// As [`load`](Self::load), with other properties than the command line's, until it is to stop.
    pub(crate) fn load_for(&self, properties: &[Property], cancel: &CancelToken) -> Result<Loaded, Error> {
        let property = properties.first().cloned().unwrap_or(Property::MemorySafety);
        if let [file] = self.files.as_slice()
            && file.extension().is_some_and(|extension| extension == "cfa")
        {
            return Ok(Loaded { program: read_automaton(file)?, property });
        }
        let options = assay_c::Options {
            model: self.model,
            entry: self.entry.clone(),
            include_dirs: self.include.clone(),
            defines: self.defines.clone(),
            standard: self.standard,
            outside_pointers: self.outside_pointers,
            externals: self.externals,
            malloc_may_fail: self.malloc_may_fail,
            separate_cases: self.separate_cases,
            ruled: self.ruled,
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
        let program = assay_passes::property::instrument(program, properties).program;
        go_on()?;
        let defects = assay_cfa::verifier::verify(&program);
        if let Some(first) = defects.first() {
            let place = program.sources.describe(first.span);
            return Err(Error::Defect(format!("the automaton is not well-formed: {place}: {}", first.message)));
        }
        Ok(Loaded { program, property })
    }

    /// What stands for a program that has not been read: one that does nothing.
    pub(crate) fn unread(&self, properties: &[Property]) -> Loaded {
        let mut builder = assay_cfa::builder::Builder::new(self.model);
        let start = builder.function(&self.entry, assay_base::Span::NONE);
        let property = properties.first().cloned().unwrap_or(Property::MemorySafety);
        Loaded { program: builder.finish(start), property }
    }

    /// The task as witnesses describe it; without hashes of the files where nothing is written that names them.
    pub(crate) fn task(&self, property: Property, hashed: bool) -> Task {
        let file = |path: &PathBuf| match hashed {
            true => InputFile::new(path.to_string_lossy(), &std::fs::read(path).unwrap_or_default()),
            false => InputFile { name: path.to_string_lossy().into_owned(), hash: String::new() },
        };
        Task { input_files: self.files.iter().map(file).collect(), property, model: self.model }
    }
}

/// Reads a property file.
fn read_properties(path: &Path) -> Result<Vec<Property>, Error> {
    let text = std::fs::read_to_string(path).map_err(|error| {
        let names: Vec<&str> = Property::names().collect();
        let reason = format!("{error} (a property is a file, or one of all, unreach-call, assert, {})", names.join(", "));
        Error::Unreadable { path: path.to_path_buf(), reason }
    })?;
    Property::parse(&text).map_err(|error| Error::Malformed { path: path.to_path_buf(), reason: error.to_string() })
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

/// A program that is ready to be analysed.
pub(crate) struct Loaded {
    pub program: Program,
    pub property: Property,
}
