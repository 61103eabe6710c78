//! From file names to what a command works on: the property and the program.

use crate::arguments::{Arguments, UsageError};
use crate::errors::Error;
use assay_base::SourceMap;
use assay_c::adapter::{FrontEndError, Input, Options};
use assay_cfa::{DataModel, Property};
use std::path::{Path, PathBuf};

/// What the reading commands have in common.
#[derive(Clone, Debug)]
pub struct InputOptions {
    pub files: Vec<PathBuf>,
    pub property: Option<String>,
    pub model: DataModel,
    pub include: Vec<PathBuf>,
    pub defines: Vec<String>,
}

impl InputOptions {
    pub fn from_arguments(arguments: &Arguments) -> Result<InputOptions, Error> {
        if arguments.operands.is_empty() {
            return Err(UsageError("no input file is given".to_string()).into());
        }
        Ok(InputOptions {
            files: arguments.operands.clone(),
            property: arguments.text("property").map(str::to_string),
            model: arguments.text("data-model").and_then(DataModel::parse).unwrap_or(DataModel::Lp64),
            include: arguments.paths("include"),
            defines: arguments.texts("define").into_iter().map(str::to_string).collect(),
        })
    }

    /// The property that was asked for, or the one that fits the program.
    pub fn property(&self) -> Result<Property, Error> {
        let call = |function: &str| Property::UnreachCall { function: function.to_string() };
        Ok(match self.property.as_deref() {
            None => call(self.mentioned_error_function()),
            Some("unreach-call" | "reach_error") => call("reach_error"),
            Some("assert") => call("__assert_fail"),
            Some("unreach-label") => Property::UnreachLabel { label: "ERROR".to_string() },
            Some("no-overflow") => Property::NoOverflow,
            Some("valid-memsafety") => Property::MemorySafety,
            Some("valid-memcleanup") => Property::MemoryCleanup,
            Some("termination") => Property::Termination,
            Some(path) => {
                let path = Path::new(path);
                let text = std::fs::read_to_string(path).map_err(|error| Error::Unreadable {
                    path: path.to_path_buf(),
                    reason: format!(
                        "{error} (a property is a file, or one of unreach-call, assert, no-overflow, valid-memsafety, valid-memcleanup)"
                    ),
                })?;
                Property::parse(&text).map_err(|error| Error::Malformed { path: path.to_path_buf(), reason: error.to_string() })?
            }
        })
    }

    /// The first of the usual error functions that occurs in the sources; a file that cannot be read is reported later.
    fn mentioned_error_function(&self) -> &'static str {
        let texts: Vec<Vec<u8>> = self.files.iter().filter_map(|file| std::fs::read(file).ok()).collect();
        let mentioned = |word: &str| texts.iter().any(|text| text.windows(word.len()).any(|window| window == word.as_bytes()));
        let names = [("reach_error", "reach_error"), ("__VERIFIER_error", "__VERIFIER_error"), ("assert", "__assert_fail")];
        names.into_iter().find(|(word, _)| mentioned(word)).map_or("reach_error", |(_, function)| function)
    }

    fn front_end_options(&self) -> Options {
        Options {
            model: match self.model {
                DataModel::Ilp32 => assay_c::adapter::DataModel::Ilp32,
                DataModel::Lp64 => assay_c::adapter::DataModel::Lp64,
            },
            include_dirs: self.include.clone(),
            defines: self.defines.clone(),
            undefines: vec![],
        }
    }

    /// Reads and checks all files.
    pub fn check(&self) -> Result<(), Error> {
        let mut sources = SourceMap::default();
        for path in &self.files {
            let input = Input { path: path.clone(), options: self.front_end_options() };
            if let Err(error) = assay_c::adapter::read_unit(&input, &mut sources) {
                return Err(front_end_error(error, path, sources));
            }
        }
        Ok(())
    }
}

fn front_end_error(error: FrontEndError, path: &Path, sources: SourceMap) -> Error {
    match error {
        FrontEndError::Rejected(diagnostics) => Error::Source { diagnostics, sources },
        FrontEndError::Unreadable { path, reason } => Error::Unreadable { path, reason },
        FrontEndError::Directory { path } => Error::Unreadable { path, reason: "it is a folder, not a C file".to_string() },
        FrontEndError::Binary { path } => Error::Unreadable { path, reason: "it is not a text file".to_string() },
        FrontEndError::BadCompileCommands { path, reason } => Error::Malformed { path, reason },
        FrontEndError::Internal { what } => Error::Malformed { path: path.to_path_buf(), reason: format!("the front end failed: {what}") },
    }
}
