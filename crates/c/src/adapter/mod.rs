//! The one place that knows the C library: turns C files into its typed tree, closes its gaps, and
//! translates its positions and messages into ours.
//!
//! Gaps that are closed here: nesting beyond the parser's limit ([`regroup`], [`deep`]), old C (implicit
//! declarations, implicit `int`), what designators replace ([`initialisers`]), what the parser refuses ([`mend`]), `##`
//! at the end of a macro ([`paste`]), `__float128`, a pointer beside an integer in `?:`, headers of the other word
//! size. Everything runs on a thread with a large stack, because the library recurses over the nesting of its input.

mod compile_commands;
mod deep;
mod diagnostics;
mod initialisers;
mod intrinsics;
mod lost;
mod mend;
mod paste;
mod preprocess;
mod regroup;
mod rewrite;

pub use compile_commands::read_compile_commands;
pub use initialisers::Step;
pub use regroup::MAX_NESTING;

use assay_base::{Diagnostic, FastSet, SourceMap, Span};
pub use assay_cfa::DataModel;
use diagnostics::Positions;
use rucc_base::{Interner, Symbol};
use rucc_lex::{Convert, Keywords, PpToken};
use rucc_pp::{Predef, Preprocessor};
use rucc_sema::Tast;
use rucc_session::Std;
use rucc_target::{TargetInfo, Triple};
use rucc_types::Types;
use std::path::{Path, PathBuf};

/// How a file is read.
#[derive(Clone, Debug)]
pub struct Options {
    /// The widths of C's types.
    pub model: DataModel,
    /// Searched before the system's, as by `-I`.
    pub include_dirs: Vec<PathBuf>,
    /// `NAME` or `NAME=VALUE`.
    pub defines: Vec<String>,
    /// Names without a definition, as by `-U`.
    pub undefines: Vec<String>,
    /// The version of C that it is written in.
    pub standard: Standard,
}

/// A version of C, with GNU's extensions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Standard(Std);

impl Default for Standard {
    /// What the compiler takes by default, with old C allowed and `()` without a prototype.
    fn default() -> Self {
        Standard(Std::C17)
    }
}

impl Standard {
    /// The version of this name, as `-std=` takes it.
    pub fn named(name: &str) -> Option<Self> {
        Some(Standard(match name.strip_prefix("gnu").or_else(|| name.strip_prefix('c'))? {
            "89" | "90" => Std::C89,
            "99" | "9x" => Std::C99,
            "11" | "1x" => Std::C11,
            "17" | "18" => Std::C17,
            "23" | "2x" => Std::C23,
            _ => return None,
        }))
    }

    /// The name that [`named`](Self::named) reads back.
    pub fn name(self) -> &'static str {
        match self.0 {
            Std::C89 => "c89",
            Std::C99 => "c99",
            Std::C11 => "c11",
            Std::C17 => "c17",
            _ => "c23",
        }
    }

    /// The compiler's option; its old releases know C23 by its draft.
    fn flag(self) -> &'static str {
        match self.0 {
            Std::C89 => "-std=gnu89",
            Std::C99 => "-std=gnu99",
            Std::C11 => "-std=gnu11",
            Std::C17 => "-std=gnu17",
            _ => "-std=gnu2x",
        }
    }
}

impl Options {
    /// Without directories and macros, in the default version of C.
    pub fn new(model: DataModel) -> Self {
        Options { model, include_dirs: vec![], defines: vec![], undefines: vec![], standard: Standard::default() }
    }
}

/// A C file with the options it is compiled with.
#[derive(Clone, Debug)]
pub struct Input {
    /// The file.
    pub path: PathBuf,
    /// How it is read; `compile_commands.json` can give each file its own.
    pub options: Options,
}

/// One translation unit: the typed tree and what its ids point into.
pub struct Unit {
    /// Identifiers of the tree.
    pub names: Interner,
    /// The sizes that the types were laid out with.
    pub target: TargetInfo,
    /// The typed tree, after the parser's checks.
    pub tast: Tast,
    /// What types of the tree are.
    pub types: Types,
    /// What designators of initialisers replace, by declaration.
    pub initialisers: initialisers::Steps,
    /// The functions of which the tree lacks an effect, by declaration.
    pub lost: FastSet<usize>,
    positions: Positions,
    /// These are models of ours, and no file of the program.
    pub is_library: bool,
}

impl Unit {
    /// Our position of one of the library's.
    pub fn span(&self, span: rucc_diag::Span) -> Span {
        self.positions.span(span)
    }

    /// An identifier as text.
    pub fn text(&self, name: Symbol) -> &str {
        self.names.resolve(name)
    }
}

/// Why an input could not be read.
#[derive(Debug)]
pub enum FrontEndError {
    /// The file is not there or cannot be read.
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        reason: String,
    },
    /// A folder was given in place of a file.
    Directory {
        /// The folder.
        path: PathBuf,
    },
    /// The file holds bytes that no C source has.
    Binary {
        /// The file.
        path: PathBuf,
    },
    /// `compile_commands.json` is not one.
    BadCompileCommands {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// The program is not C, or not C that is understood; each message has its place.
    Rejected(Vec<Diagnostic>),
    /// The library failed on this input; a defect of ours or of the library.
    Internal {
        /// What it was doing.
        what: String,
    },
}

impl std::fmt::Display for FrontEndError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            FrontEndError::Unreadable { path, reason } => write!(f, "cannot read {}: {reason}", path.display()),
            FrontEndError::Directory { path } => write!(f, "{} is a folder, not a C file", path.display()),
            FrontEndError::Binary { path } => write!(f, "{} is not a text file", path.display()),
            FrontEndError::BadCompileCommands { path, reason } => {
                write!(f, "{} is not a compilation database: {reason}", path.display())
            }
            FrontEndError::Rejected(messages) => match messages.first() {
                Some(first) => write!(f, "{} (and {} more)", first.message, messages.len() - 1),
                None => write!(f, "the program was rejected"),
            },
            FrontEndError::Internal { what } => write!(f, "the front end failed on this input: {what}"),
        }
    }
}

impl std::error::Error for FrontEndError {}

/// Runs `work` on a thread whose stack is large enough for the deepest input that is accepted. A
/// panic of the library becomes an error.
pub fn on_large_stack<R: Send>(work: impl FnOnce() -> R + Send) -> Result<R, FrontEndError> {
    // Reserved, not used: pages are taken as the recursion touches them.
    const STACK: usize = 1 << 30;
    std::thread::scope(|scope| {
        let failed = |what: String| FrontEndError::Internal { what };
        let thread = std::thread::Builder::new()
            .name("front-end".to_string())
            .stack_size(STACK)
            .spawn_scoped(scope, work)
            .map_err(|error| failed(error.to_string()))?;
        thread.join().map_err(|panic| {
            let text = panic.downcast_ref::<String>().cloned();
            let text = text.or_else(|| panic.downcast_ref::<&str>().map(|s| (*s).to_string()));
            failed(text.unwrap_or_else(|| "unknown failure".to_string()))
        })
    })
}

/// Reads, preprocesses, parses and checks one file. The caller is on a large stack.
pub fn read_unit(input: &Input, sources: &mut SourceMap) -> Result<Unit, FrontEndError> {
    let path = &input.path;
    let bytes = read_source(path)?;
    let needs_preprocessor = preprocess::has_directives(&bytes);
    let first = check(path, bytes, &input.options, sources);
    // The system's compiler is asked only about files that are not preprocessed, because it gives
    // positions of its own output.
    if let (Err(FrontEndError::Rejected(_)), true) = (&first, needs_preprocessor)
        && let Some(text) = preprocess::with_compiler(path, &input.options)
        && let Ok(unit) = check(path, text, &input.options, sources)
    {
        return Ok(unit);
    }
    first
}

/// Checks a text that is not in a file, for tests and generated programs.
pub fn read_text(name: &str, text: &str, options: &Options, sources: &mut SourceMap) -> Result<Unit, FrontEndError> {
    check(Path::new(name), text.as_bytes().to_vec(), options, sources)
}

fn read_source(path: &Path) -> Result<Vec<u8>, FrontEndError> {
    if path.is_dir() {
        return Err(FrontEndError::Directory { path: path.to_path_buf() });
    }
    let bytes = std::fs::read(path).map_err(|error| FrontEndError::Unreadable { path: path.to_path_buf(), reason: error.to_string() })?;
    if bytes.contains(&0) {
        return Err(FrontEndError::Binary { path: path.to_path_buf() });
    }
    Ok(bytes)
}

fn check(path: &Path, bytes: Vec<u8>, options: &Options, sources: &mut SourceMap) -> Result<Unit, FrontEndError> {
    let first = check_with(path, bytes.clone(), options, sources, &[]);
    let mut mends: Vec<mend::Mend> = Vec::new();
    // What one change makes readable may need another one.
    let mut rejected = match &first {
        Err(FrontEndError::Rejected(messages)) => mend::mends(messages),
        _ => Vec::new(),
    };
    while rejected.iter().any(|mend| !mends.contains(mend)) && mends.len() < MOST_MENDS {
        rejected.retain(|mend| !mends.contains(mend));
        mends.append(&mut rejected);
        match check_with(path, bytes.clone(), options, sources, &mends) {
            Ok(unit) => return Ok(unit),
            Err(FrontEndError::Rejected(messages)) => rejected = mend::mends(&messages),
            Err(_) => break,
        }
    }
    first
}

fn check_with(
    path: &Path,
    mut bytes: Vec<u8>,
    options: &Options,
    sources: &mut SourceMap,
    mends: &[mend::Mend],
) -> Result<Unit, FrontEndError> {
    if let Some(define) = options.defines.iter().find(|define| paste::is_refused(define)) {
        let message = format!("{} (-D {define})", paste::MESSAGE);
        return Err(FrontEndError::Rejected(vec![Diagnostic::error(Span::NONE, message)]));
    }
    paste::mark(&mut bytes);
    let std = options.standard.0;
    let mut names = Interner::new();
    let keywords = Keywords::new(&mut names, std, true);
    let triple = match options.model {
        DataModel::Ilp32 => "i686-unknown-linux-gnu",
        DataModel::Lp64 => "x86_64-unknown-linux-gnu",
    };
    let triple: Triple = triple.parse().map_err(|_| FrontEndError::Internal { what: format!("no target {triple}") })?;
    let target = TargetInfo::new(triple);
    let type_names: Vec<Symbol> = target.type_names().iter().map(|&(name, _)| names.intern(name)).collect();

    let mut map = rucc_diag::SourceMap::new();
    let full = |_| FrontEndError::Unreadable { path: path.to_path_buf(), reason: "the file is too large".to_string() };
    let search = preprocess::search_path(options);
    let mut preprocessor = Preprocessor::new();
    let pp = {
        let mut context = rucc_pp::Context::new(&mut names, &mut map, &preprocess::Disk, &search);
        let predefined = Predef { std, defines: options.defines.clone(), undefines: options.undefines.clone(), ..Predef::new() };
        preprocessor.predefine(&target, &predefined, &mut context).map_err(full)?;
        let file = context.sources.add(preprocess::display_name(path), bytes).map_err(full)?;
        preprocessor.run(file, &mut context)
    };
    let mut messages = preprocessor.take_diagnostics();
    let pp_tokens: Vec<PpToken> = pp.into_iter().map(|token| token.to_pp()).collect();
    let convert = Convert { keywords: &keywords, interner: &names, target: &target, std, gnu: true, pedantic: false };
    let (mut tokens, more) = rucc_lex::convert(&pp_tokens, &convert);
    drop(pp_tokens);
    messages.extend(more);

    if let Err(refused) = intrinsics::replace(&mut tokens, &mut names, options.model) {
        let mut positions = Positions::new(map);
        let mut report = positions.report(messages, sources);
        positions.register(sources);
        report.push(Diagnostic::error(positions.span(refused.span), refused.message));
        return Err(FrontEndError::Rejected(report));
    }
    rewrite::declare_known(&mut tokens, &mut names, options.model == DataModel::Lp64);
    mend::apply(mends, &mut tokens, &mut names);
    if options.model == DataModel::Ilp32 {
        mend::prefer_alignment(&mut tokens);
    }
    let mut positions = Positions::new(map);
    let parts = match regroup::regroup(&mut tokens) {
        Ok(true) => {
            let partner = regroup::partners(&tokens.tokens);
            deep::take_out(&mut tokens, &partner, &mut names)
        }
        Ok(false) => deep::Parts::default(),
        Err(refused) => {
            let mut report = positions.report(messages, sources);
            positions.register(sources);
            report.push(Diagnostic::error(positions.span(refused.span), refused.message));
            return Err(FrontEndError::Rejected(report));
        }
    };
    let context = rucc_parse::Context { error_limit: ERROR_LIMIT, type_names: &type_names, ..rucc_parse::Context::new(&names, std) };
    let mut parsed = rucc_parse::parse(&tokens, context);
    drop(tokens);
    messages.extend(parsed.diagnostics.iter().cloned());
    if messages.iter().any(|m| m.severity.is_fatal()) {
        return Err(FrontEndError::Rejected(positions.report(messages, sources)));
    }
    // Calls of these stay calls, so that a program's own function of that name is respected.
    let own_calls = PLAIN_CALLS.map(String::from);
    let context = rucc_sema::Context {
        permissive: true,
        no_builtin: &own_calls,
        error_limit: ERROR_LIMIT,
        ..rucc_sema::Context::new(&names, &target, std)
    };
    let whole = if parts.is_empty() { None } else { deep::put_back(&mut parsed.ast, &parts) };
    if !parts.is_empty() && whole.is_none() {
        let message = "brackets are nested more deeply than 256 levels in a place where that is not understood";
        messages.push(rucc_diag::Diagnostic::error(message.to_string(), rucc_diag::Span::DUMMY));
        return Err(FrontEndError::Rejected(positions.report(messages, sources)));
    }
    let mut checker = rucc_sema::Checker::new(&parsed.ast, context);
    match whole {
        Some(declarations) => declarations.into_iter().for_each(|decl| {
            checker.check_decl(decl);
        }),
        None => checker.check_unit(),
    }
    for weak in &parsed.weak_pragmas {
        checker.pragma_weak(weak.name, weak.target, weak.span);
    }
    let mut checked = checker.finish();
    diagnostics::demote(&mut checked.diagnostics);
    if checked.failed() {
        messages.append(&mut checked.diagnostics);
        return Err(FrontEndError::Rejected(positions.report(messages, sources)));
    }
    let initialisers = initialisers::steps(&parsed.ast, &checked.tast, &checked.types, &target);
    let lost = lost::functions(&parsed.ast, &checked.tast, &checked.types);
    drop(parsed);
    positions.register(sources);
    Ok(Unit { names, target, tast: checked.tast, types: checked.types, initialisers, lost, positions, is_library: false })
}

/// Library functions that the library would turn into operators.
const PLAIN_CALLS: [&str; 14] =
    ["abs", "labs", "llabs", "imaxabs", "fabs", "fabsf", "fabsl", "copysign", "copysignf", "copysignl", "alloca", "creal", "cimag", "conj"];

/// So many changes of one file are tried.
const MOST_MENDS: usize = 40;

/// After so many errors a file is given up.
const ERROR_LIMIT: usize = 50;
