//! The table of the C library: `table.txt`, read as a whole once for each compilation, and line by line as functions
//! are called.

use super::{Concurrent, Demand, FloatFunction, Model};
use assay_base::{FastMap, FastSet};

/// The text of the table; its head says what the words mean.
pub(super) const TABLE: &str = include_str!("table.txt");

/// The functions that verifiers give; its head says what its words mean.
pub(super) const INTRINSICS: &str = include_str!("intrinsics.txt");

/// How much is read or written through an argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Extent {
    /// What the argument's type points to.
    Pointee,
    Bytes(u64),
    /// As many bytes as this argument says.
    Argument(usize),
    /// As many bytes as the product of two arguments.
    Product(usize, usize),
    /// As many elements of the type that is pointed to as this argument says.
    Elements(usize),
    /// Up to a terminating zero.
    String,
    /// A terminated string within as many bytes as this argument says.
    Terminated(usize),
    /// The line with its terminator that `ctime` and `asctime` write.
    Line,
}

/// What happens to the memory behind an argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Access {
    pub argument: usize,
    /// Nothing happens where the argument is null.
    pub optional: bool,
    pub extent: Extent,
}

/// What a function returns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Returns {
    Any,
    Nothing,
    /// Within these bounds.
    Range(i64, i64),
    /// -1, or a number up to this argument.
    Count(usize),
    /// A number up to this argument.
    UpTo(usize),
    /// 0, or a number less than this argument.
    Below(usize),
    /// This argument; or null, where the flag is set.
    Same(usize, bool),
    /// This argument or null, or a new object where it is null.
    Own(usize),
    /// This argument as a byte, or -1.
    Byte(usize),
    /// A number that is not computed, or -1.
    Written,
    Pointer {
        nullable: bool,
    },
    /// A stream or a directory that is open.
    Handle {
        kind: Demand,
        nullable: bool,
    },
    /// A text in memory of the library; the line of `ctime` where the flag is set.
    Text {
        line: bool,
        nullable: bool,
    },
    /// A structure in memory of the library.
    Record {
        nullable: bool,
    },
}

/// What a function does to the program, as far as its results and the memory behind its arguments go.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Contract {
    pub reads: Vec<Access>,
    pub writes: Vec<Access>,
    pub returns: Returns,
    /// No counterexample may choose the result.
    pub determined: bool,
    pub threads: bool,
    /// The argument whose stream or directory ends.
    pub closes: Option<usize>,
}

/// Formatted input or output.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Format {
    /// The argument that is the format.
    pub place: usize,
    /// Whether the values are in a list, and not arguments.
    pub listed: bool,
    pub direction: Direction,
    /// The argument that bounds what is printed into.
    pub bound: Option<usize>,
    pub allocates: bool,
    pub has_result: bool,
    /// What is scanned is the text that argument 0 leads to, and no input.
    pub from_memory: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Direction {
    Print,
    PrintInto,
    Scan,
}

/// A line of the table.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub shape: &'static str,
    /// The file of the model in C.
    pub file: Option<&'static str>,
    /// What a call means where no model in C is used.
    pub model: Option<Model>,
    /// The result is 0 or any other number.
    pub truth: bool,
    /// Of the result only the sign is to be relied upon.
    pub sign: bool,
    /// A verifier's function without a verifier's prefix: the rules of a competition do not know it.
    pub plain: bool,
    /// A verifier's function.
    pub intrinsic: bool,
    /// The error number stays as it is.
    keeps_errno: bool,
}

impl Entry {
    /// Whether a call leaves the error number as it is; a function that allocates sets it where that may fail.
    pub(crate) fn keeps_errno(&self, malloc_may_fail: bool) -> bool {
        let allocates = matches!(
            self.model,
            Some(Model::Allocate | Model::AllocateZeroed | Model::AllocateAligned | Model::Reallocate | Model::AllocateStack)
        );
        let computes = matches!(
            self.model,
            Some(
                Model::Halt
                    | Model::HaltUnlessZero
                    | Model::Free
                    | Model::CopyMemory { .. }
                    | Model::FillMemory
                    | Model::ZeroMemory
                    | Model::Zero
                    | Model::Rounding
                    | Model::SetRounding
            )
        );
        self.keeps_errno
            || self.intrinsic
            || computes
            || matches!(self.file, Some("errno" | "ctype" | "network"))
            || !malloc_may_fail && (allocates || self.file == Some("string"))
    }
}

/// The lines by name, each with whether it stands for the suffixes f and l as well.
pub(crate) struct Library {
    lines: FastMap<&'static str, (bool, &'static str)>,
    intrinsics: FastSet<&'static str>,
    threads: bool,
}

impl Library {
    pub(crate) fn new() -> Self {
        let lines = TABLE.lines().chain(INTRINSICS.lines()).filter(|line| !line.is_empty() && !line.starts_with(['#', '[']));
        let lines = lines.filter_map(|line| line.split_once(' ')).map(|(name, rest)| match name.strip_suffix('*') {
            Some(stem) => (stem, (true, rest)),
            None => (name, (false, rest)),
        });
        let is_line = |line: &&str| !line.is_empty() && !line.starts_with(['#', '[']);
        let intrinsics = INTRINSICS.lines().filter(is_line).filter_map(|line| line.split_whitespace().next());
        Library { lines: lines.collect(), intrinsics: intrinsics.collect(), threads: false }
    }

    /// The same library for a program that starts threads.
    pub(crate) fn threaded(self) -> Self {
        Library { threads: true, ..self }
    }

    /// Whether the program starts threads.
    pub(crate) fn has_threads(&self) -> bool {
        self.threads
    }

    /// The line of a function.
    pub(crate) fn entry(&self, name: &str) -> Option<Entry> {
        let plain = name.strip_prefix("__builtin_").unwrap_or(name);
        let found = self.lines.get(plain).copied().or_else(|| {
            let stem = plain.strip_suffix('f').or_else(|| plain.strip_suffix('l'))?;
            self.lines.get(stem).copied().filter(|line| line.0)
        });
        if let Some((_, line)) = found {
            return Some(Entry { intrinsic: self.intrinsics.contains(plain), ..parse(line, self.threads) });
        }
        // What the compiler knows and this does not.
        if plain != name {
            return Some(Entry {
                shape: "?",
                file: None,
                model: Some(Model::Unmodelled),
                truth: false,
                sign: false,
                plain: false,
                intrinsic: false,
                keeps_errno: false,
            });
        }
        // The types `_FloatN` have a copy of each function on floats.
        let stem = ["f32x", "f64x", "f32", "f64", "f128"].into_iter().find_map(|suffix| plain.strip_suffix(suffix))?;
        let (_, line) = self.lines.get(stem).or_else(|| self.lines.get(format!("{stem}d").as_str()))?;
        let floats = line.trim_start().split(' ').next().is_some_and(|shape| shape.contains(['f', 'c']));
        floats.then_some(Entry {
            shape: "?",
            file: None,
            model: Some(Model::Unmodelled),
            truth: false,
            sign: false,
            plain: false,
            intrinsic: false,
            keeps_errno: false,
        })
    }
}

fn parse(line: &'static str, threads: bool) -> Entry {
    let mut words = line.split_whitespace();
    let shape = words.next().unwrap_or("?");
    let mut entry = Entry { shape, file: None, model: None, truth: false, sign: false, plain: false, intrinsic: false, keeps_errno: false };
    let mut contract = Contract { reads: vec![], writes: vec![], returns: Returns::Any, determined: false, threads: false, closes: None };
    let mut format: Option<Format> = None;
    let mut threaded = None;
    let (mut bound, mut allocates, mut has_result, mut has_contract) = (None, false, true, false);
    for word in words {
        let (key, value) = word.split_once(':').unwrap_or((word, ""));
        match key {
            "exact" | "partly" => entry.file = Some(value),
            "threaded" => threaded = Some(value).filter(|_| threads),
            "op" => entry.model = operation(value),
            "float" => entry.model = float_function(value).map(Model::Float),
            "enclosed" | "enclosed-total" => entry.model = Some(Model::Enclosed { bounds: value, total: key == "enclosed-total" }),
            "unknown" => entry.model = Some(Model::Unmodelled),
            "truth" => entry.truth = true,
            "sign" => entry.sign = true,
            "plain" => entry.plain = true,
            "keeps-errno" => entry.keeps_errno = true,
            "determined" => contract.determined = true,
            "threads" => contract.threads = true,
            "closes" => contract.closes = value.parse().ok(),
            "allocates" => allocates = true,
            "no-result" => has_result = false,
            "bound" => bound = value.parse().ok(),
            "print" | "printv" | "print-into" | "print-into-v" | "scan" | "scan-v" => {
                let direction = match key {
                    "print" | "printv" => Direction::Print,
                    "scan" | "scan-v" => Direction::Scan,
                    _ => Direction::PrintInto,
                };
                let (place, listed) = (value.parse().unwrap_or(0), key.ends_with('v'));
                format = Some(Format { place, listed, direction, bound: None, allocates: false, has_result: true, from_memory: false });
            }
            "reads" => contract.reads.extend(access(value)),
            "writes" => contract.writes.extend(access(value)),
            "returns" => contract.returns = returns(value),
            "nothing" => contract.returns = Returns::Nothing,
            _ => debug_assert!(false, "the table has no word `{word}`"),
        }
        has_contract |= matches!(key, "reads" | "writes" | "returns" | "nothing");
    }
    if let Some(format) = format {
        // Input of streams has no model in C.
        let from_memory = format.direction == Direction::Scan && entry.file.is_some();
        entry.model = Some(Model::Formatted(Format { bound, allocates, has_result, from_memory, ..format }));
    } else if has_contract {
        entry.model = Some(Model::Contract(Box::new(contract)));
    }
    if threaded.is_some() {
        (entry.file, entry.model) = (threaded, None);
    }
    entry
}

fn number(text: &str) -> usize {
    text.trim_start_matches("arg").parse().unwrap_or(0)
}

fn access(text: &str) -> Option<Access> {
    let (argument, extent) = text.split_once('=')?;
    let optional = argument.ends_with('?');
    let argument = argument.trim_end_matches('?').parse().ok()?;
    let extent = match extent.split_once('*') {
        Some((count, "pointee")) => Extent::Elements(number(count)),
        Some((a, b)) => Extent::Product(number(a), number(b)),
        None => match extent.split_once(':') {
            Some((_, bound)) => Extent::Terminated(number(bound)),
            None => match extent {
                "pointee" => Extent::Pointee,
                "string" => Extent::String,
                "line" => Extent::Line,
                _ if extent.starts_with("arg") => Extent::Argument(number(extent)),
                _ => Extent::Bytes(extent.parse().unwrap_or(0)),
            },
        },
    };
    Some(Access { argument, optional, extent })
}

fn returns(text: &str) -> Returns {
    let most = i64::from(i32::MAX);
    match text.split_once(':') {
        Some(("count", argument)) => Returns::Count(number(argument)),
        Some(("upto", argument)) => Returns::UpTo(number(argument)),
        Some(("below", argument)) => Returns::Below(number(argument)),
        Some(("same", argument)) => Returns::Same(number(argument), false),
        Some(("same?", argument)) => Returns::Same(number(argument), true),
        Some(("own?", argument)) => Returns::Own(number(argument)),
        Some(("byte", argument)) => Returns::Byte(number(argument)),
        _ => match text {
            "zero" => Returns::Range(0, 0),
            "bool" => Returns::Range(0, 1),
            "status" => Returns::Range(-1, 0),
            "error" | "nonneg" => Returns::Range(0, most),
            "fd" => Returns::Range(-1, most),
            "written" => Returns::Written,
            "pointer" => Returns::Pointer { nullable: false },
            "pointer?" => Returns::Pointer { nullable: true },
            "stream?" => Returns::Handle { kind: Demand::Stream, nullable: true },
            "directory?" => Returns::Handle { kind: Demand::Directory, nullable: true },
            "text" | "text?" => Returns::Text { line: false, nullable: text.ends_with('?') },
            "line" | "line?" => Returns::Text { line: true, nullable: text.ends_with('?') },
            "record" | "record?" => Returns::Record { nullable: text.ends_with('?') },
            _ => match text.split_once("..") {
                Some((low, high)) => Returns::Range(low.parse().unwrap_or(i64::MIN), high.parse().unwrap_or(i64::MAX)),
                None => Returns::Any,
            },
        },
    }
}

fn operation(name: &str) -> Option<Model> {
    Some(match name {
        "halt" => Model::Halt,
        "halt-unless-zero" => Model::HaltUnlessZero,
        "allocate" => Model::Allocate,
        "allocate-zeroed" => Model::AllocateZeroed,
        "reallocate" => Model::Reallocate,
        "allocate-aligned" => Model::AllocateAligned,
        "allocate-stack" => Model::AllocateStack,
        "free" => Model::Free,
        "copy" => Model::CopyMemory { end: false },
        "copy-end" => Model::CopyMemory { end: true },
        "fill" => Model::FillMemory,
        "zero-memory" => Model::ZeroMemory,
        "read-line" => Model::ReadLine,
        "read-items" => Model::ReadItems,
        "read-bytes" => Model::ReadBytes,
        "thread" => Model::Thread,
        "atomic-begin" => Model::Concurrent(Concurrent::AtomicBegin),
        "atomic-end" => Model::Concurrent(Concurrent::AtomicEnd),
        "lock" => Model::Lock,
        "jump" => Model::NonLocalJump,
        "signal" => Model::SignalHandler,
        "set-rounding" => Model::SetRounding,
        "rounding" => Model::Rounding,
        "zero" => Model::Zero,
        "assume" => Model::Assume,
        "assert" => Model::Assert,
        "error" => Model::Error,
        "input" => Model::Nondet,
        "input-bool" => Model::NondetBool,
        "input-memory" => Model::NondetMemory,
        "readable" => Model::Accessible { write: false },
        "writable" => Model::Accessible { write: true },
        _ => {
            debug_assert!(false, "the table has no operation `{name}`");
            return None;
        }
    })
}

fn float_function(name: &str) -> Option<FloatFunction> {
    use FloatFunction::*;
    Some(match name {
        "magnitude" => Magnitude,
        "copy-sign" => CopySign,
        "square-root" => SquareRoot,
        "floor" => Floor,
        "ceiling" => Ceiling,
        "truncate" => Truncate,
        "round" => Round,
        "round-even" => RoundEven,
        "round-by-mode" => RoundByMode,
        "round-to-integer" => RoundToInteger,
        "round-by-mode-to-integer" => RoundByModeToInteger,
        "remainder" => Remainder,
        "minimum" => Minimum,
        "maximum" => Maximum,
        "positive-difference" => PositiveDifference,
        "is-nan" => IsNan,
        "is-infinite" => IsInfinite,
        "is-finite" => IsFinite,
        "is-normal" => IsNormal,
        "sign-bit" => SignBit,
        "classify" => Classify,
        "nan" => Nan,
        "infinity" => Infinity,
        _ => {
            debug_assert!(false, "the table has no function on floats `{name}`");
            return None;
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_means_something() {
        let library = Library::new();
        let mut count = 0;
        for line in TABLE.lines().chain(INTRINSICS.lines()).filter(|line| !line.is_empty() && !line.starts_with(['#', '['])) {
            let name = line.split_whitespace().next().unwrap().trim_end_matches('*');
            let entry = library.entry(name).unwrap_or_else(|| panic!("{name} is not found"));
            assert!(entry.file.is_some() || entry.model.is_some(), "{name} means nothing");
            if let Some(file) = entry.file {
                let text = super::super::source(file).unwrap_or_else(|| panic!("{name}: there is no file {file}.c"));
                // Functions on several types of floats are made by a macro.
                let bare = name.trim_end_matches('f');
                let defined =
                    [name.to_string(), format!("{name}##x_"), format!("{bare}##x_")].iter().any(|name| text.contains(&format!(" {name}(")));
                let by_macro = text.contains(&format!("({name},"));
                assert!(defined || by_macro || text.contains(&format!("*{name}(")), "{file}.c does not define {name}");
            }
            count += 1;
        }
        assert!(count >= 900, "{count} functions");
    }

    /// Every pointer that a function takes has a letter that says what it must lead to, or something else on its line
    /// does.
    #[test]
    fn every_pointer_has_a_demand() {
        let mut without = Vec::new();
        let mut pointers = 0;
        for line in TABLE.lines().filter(|line| !line.is_empty() && !line.starts_with(['#', '['])) {
            let words: Vec<&str> = line.split_whitespace().collect();
            let (name, shape, words) = (words[0], words[1], &words[2..]);
            // A model in C and an operation follow the pointers that they are given.
            let follow = ["exact", "partly", "op:copy", "op:fill", "op:zero-memory", "op:free", "op:reallocate", "op:read"];
            let followed = words.iter().any(|word| follow.iter().any(|other| word.starts_with(other)));
            let free = ["op:", "float:", "unknown", "nothing", "determined"];
            if shape == "?" && !followed && !words.iter().any(|word| free.iter().any(|other| word.starts_with(other))) {
                without.push(name.to_string());
            }
            let Some((_, parameters)) = shape.trim_end_matches(')').split_once('(') else { continue };
            for (number, letter) in parameters.bytes().enumerate() {
                assert!(b"ifcs.".contains(&letter) || crate::models::is_pointer(letter), "{name} has a letter that means nothing");
                pointers += usize::from(crate::models::is_pointer(letter));
                let said = |word: &&str| {
                    let (key, value) = word.split_once(':').unwrap_or((word, ""));
                    let place = value.split(['=', '?']).next().unwrap_or_default() == number.to_string();
                    let format = ["print", "scan"].iter().any(|other| key.starts_with(other));
                    key.starts_with("print-into") && number == 0 || (format || key == "reads" || key == "writes") && place
                };
                if letter == b'p' && !followed && !words.iter().any(said) {
                    without.push(format!("{name}, argument {number}"));
                }
            }
        }
        assert!(pointers > 2000, "{pointers} pointers");
        assert!(without.is_empty(), "without a demand: {without:?}");
    }

    #[test]
    fn suffixes_are_found() {
        let library = Library::new();
        assert!(library.entry("sinl").is_some() && library.entry("floorf").is_some() && library.entry("__builtin_sin").is_some());
        assert!(library.entry("strlenf").is_none() && library.entry("no_such_function").is_none());
        assert!(library.entry("sinf64").is_some_and(|entry| entry.model == Some(Model::Unmodelled)));
    }
}
