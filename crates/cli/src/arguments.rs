//! Reads the command line against the option table. Every value is checked here, so that commands see only good ones.

use crate::options::{COMMANDS, Command, Kind, OptionSpec, options_of, spec_of};
use crate::words;
use assay_base::nearest;
use assay_results::path::Detail;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

/// A command line that follows the table.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Arguments {
    pub command: Command,
    values: BTreeMap<&'static str, Vec<Value>>,
    /// What is no option: input files, or a name.
    pub operands: Vec<PathBuf>,
}

#[derive(Clone, PartialEq, Debug)]
enum Value {
    Present,
    Text(String),
    Path(PathBuf),
    Duration(Duration),
    Number(u64),
}

/// A command line that does not; the text says what is wrong and what would be right.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct UsageError(pub String);

impl std::fmt::Display for UsageError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for UsageError {}

impl From<lexopt::Error> for UsageError {
    fn from(error: lexopt::Error) -> Self {
        UsageError(error.to_string())
    }
}

/// Reads the words after the program's name.
pub(crate) fn parse(words: impl IntoIterator<Item = std::ffi::OsString>) -> Result<Arguments, UsageError> {
    use lexopt::prelude::*;
    let mut parser = lexopt::Parser::from_args(words);
    let command = match parser.next()? {
        None => return Ok(Arguments::empty(Command::Help)),
        Some(Short('h') | Long("help")) => Command::Help,
        Some(Short('V') | Long("version")) => Command::Version,
        Some(Value(word)) => find_command(&word.to_string_lossy())?,
        Some(other) => return Err(UsageError(format!("{}; the first word is a command, see `assay help`", other.unexpected()))),
    };
    let mut arguments = Arguments::empty(command);
    while let Some(argument) = parser.next()? {
        let name = match argument {
            Value(operand) => {
                arguments.operands.push(operand.into());
                continue;
            }
            Short(letter) => letter.to_string(),
            Long(name) => name.to_string(),
        };
        let spec = find_option(command, &name)?;
        let value = read_value(spec, &mut parser)?;
        let slot = arguments.values.entry(spec.name).or_default();
        if !spec.repeated && spec.kind != Kind::Flag && !slot.is_empty() {
            return Err(UsageError(format!("--{} is given twice", spec.name)));
        }
        slot.push(value);
    }
    Ok(arguments)
}

fn find_command(word: &str) -> Result<Command, UsageError> {
    let found = COMMANDS.iter().find(|spec| spec.name == word);
    found.map(|spec| spec.command).ok_or_else(|| {
        let near = nearest(word, COMMANDS.iter().map(|spec| spec.name));
        UsageError(match near {
            Some(name) => format!("there is no command `{word}`; did you mean `{name}`?"),
            None => format!("there is no command `{word}`; see `assay help`"),
        })
    })
}

fn find_option(command: Command, name: &str) -> Result<&'static OptionSpec, UsageError> {
    let matches = |spec: &&OptionSpec| spec.name == name || spec.short.is_some_and(|s| name.chars().eq([s]));
    options_of(command).find(matches).ok_or_else(|| {
        let dashes = if name.chars().count() == 1 { "-" } else { "--" };
        let of = spec_of(command).name;
        UsageError(match nearest(name, options_of(command).map(|spec| spec.name)) {
            Some(near) => format!("`assay {of}` has no option {dashes}{name}; did you mean --{near}?"),
            None => format!("`assay {of}` has no option {dashes}{name}; see `assay help {of}`"),
        })
    })
}

fn read_value(spec: &OptionSpec, parser: &mut lexopt::Parser) -> Result<Value, UsageError> {
    if spec.kind == Kind::Flag {
        return Ok(Value::Present);
    }
    let word = parser
        .value()
        .map_err(|_| UsageError(format!("--{} needs a value: --{} {}", spec.name, spec.name, spec.value_name().unwrap_or_default())))?;
    if matches!(spec.kind, Kind::File | Kind::Directory) {
        return Ok(Value::Path(word.into()));
    }
    let text = word.into_string().map_err(|w| UsageError(format!("--{}: {w:?} is not valid UTF-8", spec.name)))?;
    let bad = |what: &str| UsageError(format!("--{}: `{text}` is not {what}", spec.name));
    Ok(match spec.kind {
        Kind::Choice(words) => match words.iter().find(|w| w.eq_ignore_ascii_case(&text)) {
            Some(word) => Value::Text(word.to_string()),
            None => return Err(bad(&format!("one of {}", words.join(", ")))),
        },
        Kind::Duration => Value::Duration(parse_duration(&text).ok_or_else(|| bad("a time span such as 30s, 5min or 250ms"))?),
        Kind::Size => Value::Number(parse_size(&text).ok_or_else(|| bad("an amount of memory such as 6GiB or 500MB"))?),
        Kind::Count => Value::Number(text.parse().ok().filter(|&n| n >= 1).ok_or_else(|| bad("a whole number of at least 1"))?),
        Kind::Number => Value::Number(text.parse().map_err(|_| bad("a whole number"))?),
        _ => Value::Text(text),
    })
}

/// `30s`, `1.5h`, `250ms`, `900` (seconds).
pub(crate) fn parse_duration(text: &str) -> Option<Duration> {
    let (number, unit) = split_unit(text)?;
    let factor = match unit {
        "" | "s" | "sec" => 1.0,
        "ms" => 0.001,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return None,
    };
    Duration::try_from_secs_f64(number * factor).ok()
}

/// `6GiB`, `500MB`, `15 GB`, `1000000` (bytes).
fn parse_size(text: &str) -> Option<u64> {
    let (number, unit) = split_unit(text)?;
    let factor: f64 = match unit.to_ascii_lowercase().as_str() {
        "" | "b" => 1.0,
        "k" | "kb" => 1e3,
        "m" | "mb" => 1e6,
        "g" | "gb" => 1e9,
        "kib" => 1024.0,
        "mib" => 1048576.0,
        "gib" => 1073741824.0,
        _ => return None,
    };
    let bytes = number * factor;
    (1.0..1e18).contains(&bytes).then_some(bytes as u64)
}

fn split_unit(text: &str) -> Option<(f64, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let number: f64 = text[..end].parse().ok()?;
    Some((number, text[end..].trim()))
}

impl Arguments {
    fn empty(command: Command) -> Self {
        Arguments { command, values: BTreeMap::new(), operands: vec![] }
    }
    /// Options that were given and that another command has as well, as words without dashes, in the order of the
    /// table; flags have no value.
    pub(crate) fn shared_with(&self, other: Command) -> Vec<(String, Option<String>)> {
        let text = |value: &Value| match value {
            Value::Present => None,
            Value::Text(text) => Some(text.clone()),
            Value::Path(path) => Some(path.display().to_string()),
            Value::Duration(duration) => Some(format!("{}ms", duration.as_millis())),
            Value::Number(number) => Some(number.to_string()),
        };
        let given = options_of(other).filter_map(|spec| Some((spec.name, self.values.get(spec.name)?)));
        given.flat_map(|(name, values)| values.iter().map(move |value| (name.to_string(), text(value)))).collect()
    }
    /// What the word of an option stands for, by the table that says which words there are.
    pub(crate) fn choice<T: Copy>(&self, name: &'static str, table: &[(&str, T)]) -> Option<T> {
        let word = self.text(name)?;
        table.iter().find(|(known, _)| *known == word).map(|(_, value)| *value)
    }
    /// How much of a path `--path` asks for.
    pub(crate) fn detail(&self) -> Detail {
        self.choice("path", &words::DETAILS).unwrap_or(Detail::Folded)
    }
    pub(crate) fn flag(&self, name: &'static str) -> bool {
        self.values.contains_key(name)
    }
    pub(crate) fn text(&self, name: &'static str) -> Option<&str> {
        match self.values.get(name)?.first()? {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }
    pub(crate) fn texts(&self, name: &'static str) -> Vec<&str> {
        let all = self.values.get(name).map(Vec::as_slice).unwrap_or_default();
        all.iter().filter_map(|v| if let Value::Text(text) = v { Some(text.as_str()) } else { None }).collect()
    }
    pub(crate) fn path(&self, name: &'static str) -> Option<PathBuf> {
        self.paths(name).into_iter().next()
    }
    pub(crate) fn paths(&self, name: &'static str) -> Vec<PathBuf> {
        let all = self.values.get(name).map(Vec::as_slice).unwrap_or_default();
        all.iter().filter_map(|v| if let Value::Path(path) = v { Some(path.clone()) } else { None }).collect()
    }
    pub(crate) fn duration(&self, name: &'static str) -> Option<Duration> {
        match self.values.get(name)?.first()? {
            Value::Duration(duration) => Some(*duration),
            _ => None,
        }
    }
    pub(crate) fn number(&self, name: &'static str) -> Option<u64> {
        match self.values.get(name)?.first()? {
            Value::Number(number) => Some(*number),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Result<Arguments, UsageError> {
        parse(line.split_whitespace().map(Into::into))
    }

    #[test]
    fn the_contract_of_the_scoreboard_is_understood() {
        let arguments =
            read("verify --property p.prp --data-model ILP32 --time-limit 30s --memory-limit 6GiB --threads 2 --set a=1 --set=b=2 x.c y.c")
                .unwrap();
        assert_eq!(arguments.command, Command::Verify);
        assert_eq!(arguments.text("property"), Some("p.prp"));
        assert_eq!(arguments.text("data-model"), Some("ILP32"));
        assert_eq!(arguments.duration("time-limit"), Some(Duration::from_secs(30)));
        assert_eq!(arguments.number("memory-limit"), Some(6 << 30));
        assert_eq!(arguments.number("threads"), Some(2));
        assert_eq!(arguments.texts("set"), ["a=1", "b=2"]);
        assert_eq!(arguments.operands, [PathBuf::from("x.c"), PathBuf::from("y.c")]);
    }

    #[test]
    fn slips_get_a_helpful_message() {
        let cases = [
            ("verfy x.c", "there is no command `verfy`; did you mean `verify`?"),
            ("verify --propert p x.c", "`assay verify` has no option --propert; did you mean --property?"),
            ("verify --format dot x.c", "`assay verify` has no option --format; see `assay help verify`"),
            ("verify --data-model ILP64 x.c", "--data-model: `ILP64` is not one of ILP32, LP64"),
            ("verify --time-limit soon x.c", "--time-limit: `soon` is not a time span such as 30s, 5min or 250ms"),
            ("verify --memory-limit 0 x.c", "--memory-limit: `0` is not an amount of memory such as 6GiB or 500MB"),
            ("verify --threads 0 x.c", "--threads: `0` is not a whole number of at least 1"),
            ("verify --config a --config b x.c", "--config is given twice"),
            ("verify x.c --witness", "--witness needs a value: --witness FILE"),
        ];
        for (line, message) in cases {
            assert_eq!(read(line), Err(UsageError(message.to_string())), "{line}");
        }
    }

    #[test]
    fn times_and_sizes_have_units() {
        assert_eq!(parse_duration("1.5min"), Some(Duration::from_secs(90)));
        assert_eq!(parse_duration("250ms"), Some(Duration::from_millis(250)));
        assert_eq!(parse_duration("-1s"), None);
        assert_eq!(parse_size("15GB"), Some(15_000_000_000));
        assert_eq!(parse_size("1 MiB"), Some(1 << 20));
        assert_eq!(parse_size("1 TeraFlop"), None);
    }
}
