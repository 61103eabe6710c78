//! The C front end: C files to the control-flow automaton.
//!
//! [`adapter`] reads, preprocesses, parses and types through a library; `lower` turns the typed trees of all files
//! into one program; `models` says what library functions without a body mean.

pub mod adapter;
mod lower;
mod models;

pub use adapter::Standard;
use adapter::{FrontEndError, Input, Unit, on_large_stack};
use assay_base::{CancelToken, Diagnostic, SourceMap, Span};
use assay_cfa::{Builder, DataModel, Program};
use std::path::PathBuf;

/// What a pointer may lead to that the program gets from a function without a body, from an input, or from an object
/// that is defined elsewhere.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum OutsidePointers {
    /// To any object whose address somebody outside can know: those with external linkage, and those whose address is
    /// stored anywhere.
    #[default]
    Anywhere,
    /// To memory of its own, and to objects whose address the program itself has given away: the contract of the
    /// competition.
    OwnMemory,
}

impl OutsidePointers {
    /// Each with its word.
    pub const WORDS: [(&'static str, OutsidePointers); 2] =
        [("anywhere", OutsidePointers::Anywhere), ("own-memory", OutsidePointers::OwnMemory)];
}

/// What a function of the program's without a body may do. It always returns any value.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Externals {
    /// Nothing else: the rule of the competition.
    #[default]
    Pure,
    /// Write what its pointer arguments lead to.
    HavocArguments,
    /// Write variables with external linkage and all that somebody outside can know the address of.
    HavocReachable,
}

impl Externals {
    /// Each with its word.
    pub const WORDS: [(&'static str, Externals); 3] =
        [("pure", Externals::Pure), ("havoc-arguments", Externals::HavocArguments), ("havoc-reachable", Externals::HavocReachable)];
}

/// What a compilation depends on besides its files.
#[derive(Clone, Debug)]
pub struct Options {
    /// The widths of C's types.
    pub model: DataModel,
    /// Where execution begins.
    pub entry: String,
    /// Searched before the system's, as by `-I`.
    pub include_dirs: Vec<PathBuf>,
    /// `NAME` or `NAME=VALUE`.
    pub defines: Vec<String>,
    /// What pointers from outside may lead to.
    pub outside_pointers: OutsidePointers,
    /// What functions without a body may do.
    pub externals: Externals,
    /// Whether `malloc` and its family may return null.
    pub malloc_may_fail: bool,
    /// Whether every label of a `switch` has an edge of its own, even where many lead to one statement: each of them is
    /// then a branch to cover.
    pub separate_cases: bool,
    /// Whether the rules of a competition hold: then `assume` or `nondet_int` without a body are functions like any
    /// other, and no intrinsics of a verifier.
    pub ruled: bool,
    /// A folder of C files whose functions stand in for functions without a body.
    pub models: Option<PathBuf>,
    /// The C standard that files are written in; gcc's default without it.
    pub standard: Option<Standard>,
    /// Asked between files, functions, statements and initialisers.
    pub cancel: CancelToken,
}

impl Options {
    /// What an empty command line asks for.
    pub fn new(model: DataModel) -> Self {
        let outside_pointers = OutsidePointers::default();
        Options {
            model,
            entry: "main".to_string(),
            include_dirs: vec![],
            defines: vec![],
            outside_pointers,
            externals: Externals::default(),
            malloc_may_fail: false,
            separate_cases: false,
            ruled: false,
            models: None,
            standard: None,
            cancel: CancelToken::new(),
        }
    }

    fn adapter(&self) -> adapter::Options {
        adapter::Options {
            model: self.model,
            include_dirs: self.include_dirs.clone(),
            defines: self.defines.clone(),
            undefines: vec![],
            standard: self.standard.unwrap_or_default(),
        }
    }
}

/// Why there is no program: messages, with the files they point into.
#[derive(Debug)]
pub struct CompileError {
    /// What is wrong, in the order in which it was found.
    pub diagnostics: Vec<Diagnostic>,
    /// Who is to blame.
    pub cause: Cause,
    /// What the spans of the messages lead to.
    pub sources: SourceMap,
}

/// Whose fault it is that there is no program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cause {
    /// The input's.
    Input,
    /// Ours: a defect of the front end.
    Defect,
    /// Nobody's: it was to stop.
    Stopped,
}

impl CompileError {
    /// All messages as compilers print them.
    pub fn render(&self) -> String {
        self.diagnostics.iter().map(|d| d.render(&self.sources)).collect::<Vec<_>>().join("\n")
    }
}

impl std::fmt::Display for CompileError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.render())
    }
}

impl std::error::Error for CompileError {}

/// Compiles and links C files. A file named `compile_commands.json` stands for the files it lists.
pub fn compile(files: &[PathBuf], options: &Options) -> Result<Program, CompileError> {
    let mut inputs = Vec::new();
    let mut sources = SourceMap::default();
    for path in files {
        if path.file_name().is_some_and(|name| name == "compile_commands.json") {
            match adapter::read_compile_commands(path, options.model) {
                Ok(list) => inputs.extend(list),
                Err(error) => return Err(failure(error, sources)),
            }
        } else {
            inputs.push(Input { path: path.clone(), options: options.adapter() });
        }
    }
    // Files of one compilation share the word size.
    for input in &mut inputs {
        input.options.model = options.model;
    }
    run(options, &mut sources, |sources| {
        inputs.iter().take_while(|_| !options.cancel.is_stopped()).map(|input| adapter::read_unit(input, sources)).collect()
    })
}

/// Compiles one text, for tests and generated programs.
pub fn compile_text(name: &str, text: &str, options: &Options) -> Result<Program, CompileError> {
    let mut sources = SourceMap::default();
    run(options, &mut sources, |sources| Ok(vec![adapter::read_text(name, text, &options.adapter(), sources)?]))
}

fn run(
    options: &Options,
    sources: &mut SourceMap,
    read: impl FnOnce(&mut SourceMap) -> Result<Vec<Unit>, FrontEndError> + Send,
) -> Result<Program, CompileError> {
    let result = on_large_stack(|| {
        let mut units = read(sources)?;
        if options.cancel.is_stopped() {
            return Ok(Err(lower::LowerError::Stopped));
        }
        let clashes = lower::clashes(&units);
        if !clashes.is_empty() {
            return Err(FrontEndError::Rejected(clashes));
        }
        let mut library = models::Library::new();
        add_folder(&mut units, options, sources)?;
        if units.iter().any(|unit| lower::functions_named(unit).any(|name| models::STARTS_THREADS.contains(&name))) {
            library = library.threaded();
        }
        add_models(&mut units, &library, options, sources)?;
        let mut builder = Builder::new(options.model);
        builder.sources = sources.clone();
        Ok(lower::lower(builder, &units, library, options))
    });
    match result.and_then(|r| r) {
        Ok(Ok(program)) => Ok(program),
        Ok(Err(lower::LowerError::NoEntry(name))) => {
            let diagnostic = Diagnostic::error(Span::NONE, format!("there is no function `{name}` with a body to start from"));
            Err(CompileError { diagnostics: vec![diagnostic], cause: Cause::Input, sources: std::mem::take(sources) })
        }
        Ok(Err(lower::LowerError::Stopped)) => {
            Err(CompileError { diagnostics: vec![], cause: Cause::Stopped, sources: std::mem::take(sources) })
        }
        Err(error) => Err(failure(error, std::mem::take(sources))),
    }
}

/// The models of the user's folder, in the order of the names of their files. The program's own definitions come first.
fn add_folder(units: &mut Vec<Unit>, options: &Options, sources: &mut SourceMap) -> Result<(), FrontEndError> {
    let Some(folder) = &options.models else { return Ok(()) };
    let unreadable = |error: std::io::Error| FrontEndError::Unreadable { path: folder.clone(), reason: error.to_string() };
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        if path.extension().is_some_and(|extension| extension == "c" || extension == "i") {
            files.push(path);
        }
    }
    files.sort();
    for path in files {
        units.push(adapter::read_unit(&Input { path, options: options.adapter() }, sources)?);
    }
    Ok(())
}

/// The models in C of library functions that are named somewhere and defined nowhere; a model may name others.
fn add_models(units: &mut Vec<Unit>, library: &models::Library, options: &Options, sources: &mut SourceMap) -> Result<(), FrontEndError> {
    let mut loaded: Vec<&str> = Vec::new();
    let mut next = 0;
    while next < units.len() {
        let mut wanted: Vec<&str> = lower::functions_named(&units[next]).filter_map(|name| library.entry(name)?.file).collect();
        if lower::prints_computed(&units[next], library) {
            wanted.push("printed");
        }
        next += 1;
        for file in wanted {
            let (false, Some(text)) = (loaded.contains(&file), models::source(file)) else { continue };
            loaded.push(file);
            let text = format!("{}{text}", models::PRELUDE);
            let mut unit = adapter::read_text(&format!("<models/{file}.c>"), &text, &options.adapter(), sources)?;
            unit.is_library = true;
            units.push(unit);
        }
    }
    Ok(())
}

fn failure(error: FrontEndError, mut sources: SourceMap) -> CompileError {
    let cause = if matches!(error, FrontEndError::Internal { .. }) { Cause::Defect } else { Cause::Input };
    let diagnostics = match error {
        FrontEndError::Rejected(diagnostics) => diagnostics,
        other => {
            if sources.files.is_empty() {
                sources.add("assay", "");
            }
            vec![Diagnostic::error(Span::NONE, other.to_string())]
        }
    };
    CompileError { diagnostics, cause, sources }
}
