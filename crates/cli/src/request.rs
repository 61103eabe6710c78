//! From the command line to what is asked of the driver.

use crate::arguments::{Arguments, UsageError};
use crate::errors::Error;
use crate::{memory, monitor, words};
use assay_base::Limits;
use assay_c::{Externals, OutsidePointers, Standard};
use assay_cfa::DataModel;
use assay_driver::{Asked, Choice, EvidenceFile, FORMATS, Input, Meters, Request, Rules};

/// What the reading commands have in common; `default` is asked for where the command line names no property.
pub(crate) fn request(arguments: &Arguments, choice: Choice, default: Asked) -> Result<Request, Error> {
    if arguments.operands.is_empty() {
        return Err(UsageError("no input file is given".to_string()).into());
    }
    let mut asked = vec![];
    for word in arguments.texts("property") {
        asked.push(Asked::parse(word)?);
    }
    if asked.is_empty() {
        asked.push(default);
    }
    Ok(Request {
        input: input(arguments, &asked),
        asked,
        choice,
        limits: limits(arguments),
        threads: arguments.number("threads").map_or_else(all_cores, |n| n as usize),
        max_violations: arguments.number("max-violations").map(|most| most as usize),
        evidence: FORMATS.iter().filter_map(|format| Some(EvidenceFile { format, path: arguments.path(format.name)? })).collect(),
        // Every command of ours ends the process with its answer.
        ends_process: true,
        meters: Meters { cpu_time: monitor::cpu_time, memory: memory::in_use },
    })
}

fn input(arguments: &Arguments, asked: &[Asked]) -> Input {
    // A property file is that of a competition.
    let of_property = if matches!(asked.first(), Some(Asked::File(_))) { Rules::Competition } else { Rules::OwnCode };
    let rules = arguments.choice("rules", &words::RULES).unwrap_or(of_property);
    Input {
        model: arguments.choice("data-model", &words::MODELS).unwrap_or(DataModel::Lp64),
        entry: arguments.text("entry").unwrap_or("main").to_string(),
        include: arguments.paths("include"),
        defines: arguments.texts("define").into_iter().map(str::to_string).collect(),
        rules,
        outside_pointers: arguments.choice("outside-pointers", &OutsidePointers::WORDS),
        externals: arguments.choice("externals", &Externals::WORDS).unwrap_or_default(),
        malloc_may_fail: arguments.flag("malloc-may-fail"),
        models: arguments.paths("models").into_iter().next(),
        standard: arguments.text("std").and_then(Standard::named),
        ..Input::new(arguments.operands.clone())
    }
}

/// What the command line allows; without a word about memory, that of the machine.
fn limits(arguments: &Arguments) -> Limits {
    let memory_bytes = arguments.number("memory-limit").or_else(assay_driver::usage::memory_of_machine);
    Limits { cpu_time: arguments.duration("time-limit"), memory_bytes }
}

fn all_cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// The analysis that is asked for; `--unwind` names one.
pub(crate) fn choice(arguments: &Arguments) -> Result<Choice, Error> {
    let mut settings: Vec<String> = arguments.texts("set").iter().map(ToString::to_string).collect();
    // Options that are short for a key.
    for name in ["cache", "trace-jobs", "dump-queries"] {
        settings.extend(arguments.path(name).map(|path| format!("{name}={}", path.display())));
    }
    let Some(rounds) = arguments.number("unwind") else { return Ok(Choice::new(arguments.text("config"), &settings)?) };
    if arguments.text("config").is_some_and(|name| name != "bmc") {
        return Err(UsageError("--unwind is an analysis of its own: leave out --config".to_string()).into());
    }
    settings.push(format!("max-bound={rounds}"));
    Ok(Choice::new(Some("bmc"), &settings)?)
}

/// Finds out before the run that a file of evidence cannot be written.
pub(crate) fn check_writable(request: &Request) -> Result<(), Error> {
    // What is written must not be what is read, nor something else that is written.
    let same =
        |path: &std::path::Path| std::fs::canonicalize(path).or_else(|_| std::path::absolute(path)).unwrap_or_else(|_| path.to_path_buf());
    let inputs: Vec<_> = request.input.files.iter().map(|file| same(file)).collect();
    let mut outputs = vec![];
    for file in &request.evidence {
        let path = same(&file.path);
        if inputs.contains(&path) {
            let text = format!("--{} {} would overwrite an input", file.format.name, file.path.display());
            return Err(crate::arguments::UsageError(text).into());
        }
        if outputs.contains(&path) && (path.is_file() || !path.exists()) {
            let text = format!("--{} {} would overwrite another output", file.format.name, file.path.display());
            return Err(crate::arguments::UsageError(text).into());
        }
        outputs.push(path);
        let refused = |error: std::io::Error| crate::errors::Fault::Unwritable { path: file.path.clone(), reason: error.to_string() };
        file.check_writable().map_err(refused)?;
    }
    Ok(())
}
