//! Verdict tests as data: every C file in `verdicts/` says in its first line what must come out.
//!
//! `// expect: true`, `// expect: false(<property>)`, `// expect: unknown`, or several joined by ` | `; then, in any
//! order, `property: NAME`, `model: ILP32` (or `model: LP64,ILP32`, if both must come to the same answer), `config:
//! NAME`, `set: key=value` (several times), `outside-pointers: own-memory`, `externals: pure`, `malloc-may-fail`,
//! `time: 5s`, `also: NAME,NAME` for configurations that must come to the same answer, `each: key=value,value` for
//! values of an option that must, and `unknown-ok` for programs that no analysis solves yet. A file that accepts two
//! answers says why in its second line: `// two answers: …`. A line that ends in `// violation` is where a
//! counterexample must end. Every violation is also compiled with its harness and run.
//!
//! Every file is a test of its own (`cargo test -p assay --test verdicts NAME`), and one more for each configuration in
//! `also:`. An ignored test runs all programs with all presets; `ASSAY_TENTH=N` picks the pairs whose number ends in
//! that digit, and `ASSAY_SECONDS=N` begins nothing new after that time. Another one runs them with each pass; some of
//! these are in every run.

use assay_passes::Pass;
use assay_portfolio::PORTFOLIOS;
use libtest_mimic::{Arguments, Failed, Trial};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Every preset must be named by so many files.
const FILES_FOR_A_PRESET: usize = 10;

#[derive(Clone)]
struct Case {
    path: PathBuf,
    expected: Vec<String>,
    property: Option<String>,
    model: String,
    /// Other data models that must come to the same answer.
    models: Vec<String>,
    config: Option<String>,
    settings: Vec<String>,
    time: String,
    unknown_ok: bool,
    /// The value of `--externals`.
    externals: Option<String>,
    malloc_may_fail: bool,
    /// The value of `--outside-pointers`.
    outside: Option<String>,
    /// Other configurations that must come to the same answer.
    also: Vec<String>,
    /// Settings of an option that must come to the same answer, instead of a run without them.
    each: Vec<String>,
    /// What the second line says of a file that accepts two answers.
    excuse: Option<String>,
    violation_line: Option<usize>,
}

/// The words that the header of a file may have.
const HEADER: [&str; 11] = [
    "property:",
    "model:",
    "config:",
    "set:",
    "time:",
    "outside-pointers:",
    "also:",
    "each:",
    "externals:",
    "malloc-may-fail",
    "unknown-ok",
];

fn read_case(path: &Path) -> Case {
    let text = std::fs::read_to_string(path).unwrap();
    let first = text.lines().next().unwrap_or_default();
    let rest = first.strip_prefix("// expect: ").unwrap_or_else(|| panic!("{}: the first line must be `// expect: …`", path.display()));
    // Words of the header may stand in lines of their own below the first.
    let is_header = |line: &&str| line.split_whitespace().nth(1).is_some_and(|word| HEADER.contains(&word));
    let more = text.lines().skip(1).take_while(|line| line.starts_with("// ")).filter(is_header);
    let all = more.fold(rest.to_string(), |all, line| format!("{all} {}", line.trim_start_matches("// ")));
    let mut words = all.split_whitespace().peekable();
    let mut expected = vec![words.next().expect("a verdict").to_string()];
    while words.peek() == Some(&"|") {
        words.next();
        expected.push(words.next().expect("a verdict").to_string());
    }
    let mut case = Case {
        path: path.to_path_buf(),
        expected,
        property: Some("unreach-call".to_string()),
        model: "LP64".to_string(),
        models: vec![],
        config: None,
        settings: vec![],
        time: "20s".to_string(),
        unknown_ok: false,
        outside: None,
        also: vec![],
        each: vec![],
        excuse: text.lines().nth(1).and_then(|line| line.strip_prefix("// two answers: ")).map(str::to_string),
        externals: None,
        malloc_may_fail: false,
        violation_line: text.lines().position(|line| line.trim_end().ends_with("// violation")).map(|index| index + 1),
    };
    while let Some(word) = words.next() {
        let mut value = || words.next().unwrap_or_else(|| panic!("{}: {word} needs a value", path.display())).to_string();
        match word {
            "property:" => case.property = Some(value()),
            "model:" => {
                let mut models = value().split(',').map(str::to_string).collect::<Vec<_>>();
                case.model = models.remove(0);
                case.models = models;
            }
            "config:" => case.config = Some(value()),
            "set:" => case.settings.push(value()),
            "time:" => case.time = value(),
            "outside-pointers:" => case.outside = Some(value()),
            "also:" => case.also = value().split(',').map(str::to_string).collect(),
            "each:" => {
                let value = value();
                let (key, values) = value.split_once('=').unwrap_or_else(|| panic!("{}: each: key=value,value", path.display()));
                case.each = values.split(',').map(|value| format!("{key}={value}")).collect();
            }
            "externals:" => case.externals = Some(value()),
            "malloc-may-fail" => case.malloc_may_fail = true,
            "unknown-ok" => case.unknown_ok = true,
            other => panic!("{}: unknown word {other}", path.display()),
        }
    }
    case
}

/// `Ok(true)` if the case was solved, `Ok(false)` for a tolerated unknown.
fn run(case: &Case) -> Result<bool, String> {
    let name = case.path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut command = Command::new(env!("CARGO_BIN_EXE_assay"));
    let configuration = case.config.as_deref().unwrap_or("");
    // The same file may be tried with the same configuration and other settings at the same time.
    static RUNS: AtomicUsize = AtomicUsize::new(0);
    let number = RUNS.fetch_add(1, Ordering::Relaxed);
    let folder = Folder(std::env::temp_dir().join(format!("assay-verdict-{}-{number}-{name}-{configuration}", std::process::id())));
    std::fs::create_dir_all(&folder.0).map_err(|error| format!("{name}: {error}"))?;
    let harness = folder.0.join("harness.c");
    command.args(["verify", "--json", "--time-limit", &case.time, "--memory-limit", "2GiB", "--data-model", &case.model]);
    command.arg("--harness").arg(&harness);
    if let Some(property) = &case.property {
        command.args(["--property", property]);
    }
    if let Some(config) = &case.config {
        command.args(["--config", config]);
    }
    if case.malloc_may_fail {
        command.arg("--malloc-may-fail");
    }
    if let Some(externals) = &case.externals {
        command.args(["--externals", externals]);
    }
    if let Some(outside) = &case.outside {
        command.args(["--outside-pointers", outside]);
    }
    for setting in &case.settings {
        command.args(["--set", setting]);
    }
    let output = command.arg(&case.path).output().map_err(|error| format!("{name}: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    let document: serde_json::Value = serde_json::from_str(&text).map_err(|_| format!("{name}: no verdict: {text}{errors}"))?;
    let word = document["verdict"].as_str().unwrap_or_default();
    let verdict = match document["violated"].as_str() {
        Some(property) => format!("{word}({property})"),
        None => word.to_string(),
    };
    let status = output.status.code();
    let agreed = match word {
        "true" => Some(0),
        "false" => Some(10),
        _ => Some(20),
    };
    if status != agreed {
        return Err(format!("{name}: verdict {verdict}, but exit status {status:?}"));
    }
    // A defect is never what was expected, whatever the verdict.
    if document["reason"].as_str().is_some_and(|reason| reason.contains("internal error")) {
        return Err(format!("{name}: {}", document["reason"]));
    }
    if !case.expected.contains(&verdict) {
        if word == "unknown" && case.unknown_ok {
            return Ok(false);
        }
        return Err(format!("{name}: expected {}, got {verdict} {}", case.expected.join(" or "), document["reason"]));
    }
    if let (Some(line), "false") = (case.violation_line, word) {
        let place = document["evidence"]["path"].as_array().and_then(|steps| steps.last()).and_then(|step| step["place"].as_str());
        let found = place.and_then(|place| place.rsplit(':').nth(1)?.parse().ok());
        if found != Some(line) {
            return Err(format!("{name}: the violation is in line {line}, the counterexample ends at {}", place.unwrap_or("no place")));
        }
    }
    if word == "false" {
        let runs = verdict == "false(unreach-call)" && case.property.as_deref() == Some("unreach-call");
        check_harness(case, &harness, runs).map_err(|problem| format!("{name}: {problem}"))?;
    }
    Ok(true)
}

/// A folder that is removed at the end.
struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The program compiles and links with its harness, and reaches the error function; not without a compiler, and where
/// the path depends on uninitialised memory it is not run.
fn check_harness(case: &Case, harness: &Path, runs: bool) -> Result<(), String> {
    let text = std::fs::read_to_string(harness).map_err(|error| format!("no harness: {error}"))?;
    if case.model != "LP64" {
        return Ok(());
    }
    let binary = harness.with_file_name("a.out");
    let compiled = Command::new("cc")
        .args(["-w", "-O0", "-fwrapv", "-finstrument-functions"])
        .args([&case.path, harness])
        .arg("-o")
        .arg(&binary)
        .arg("-lm")
        .output();
    let Ok(compiled) = compiled else { return Ok(()) };
    if !compiled.status.success() {
        return Err(format!("the harness does not compile: {}", String::from_utf8_lossy(&compiled.stderr)));
    }
    if !runs || text.contains("cannot choose them") {
        return Ok(());
    }
    let run = Command::new(&binary).output().map_err(|error| error.to_string())?;
    let said = String::from_utf8_lossy(&run.stderr);
    let reached = said.contains("was reached") || said.contains("Assertion");
    reached.then_some(()).ok_or_else(|| format!("the compiled program does not reach the error: {} {said}", run.status))
}

/// All cases, in order; `ASSAY_ONLY` selects by a part of the path.
fn cases() -> Vec<Case> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/verdicts");
    let only = std::env::var("ASSAY_ONLY").unwrap_or_default();
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|e| e == "c") && path.to_string_lossy().contains(&only));
    paths.sort();
    assert!(!paths.is_empty());
    paths.iter().map(|path| read_case(path)).collect()
}

/// The tests of a file: with its own configuration, and with each of the others; in each of its data models.
fn trials_of(case: &Case) -> Vec<Trial> {
    let name = case.path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let others = case.also.iter().map(|config| (format!("{name}@{config}"), Case { config: Some(config.clone()), ..case.clone() }));
    let with = |setting: &String| Case { settings: [&case.settings[..], std::slice::from_ref(setting)].concat(), ..case.clone() };
    let each = case.each.iter().map(|setting| (format!("{name}@{setting}"), with(setting)));
    let models = case.models.iter().map(|model| (format!("{name}@{model}"), Case { model: model.clone(), ..case.clone() }));
    let alone = case.each.is_empty().then(|| (name.clone(), case.clone()));
    alone
        .into_iter()
        .chain(each)
        .chain(others)
        .chain(models)
        .map(|(name, case)| {
            Trial::test(name, move || match run(&case) {
                Ok(true) => Ok(()),
                Ok(false) => {
                    println!("{}: tolerated as unknown", case.path.display());
                    Ok(())
                }
                Err(message) => Err(Failed::from(message)),
            })
        })
        .collect()
}

fn presets() -> Vec<String> {
    let output = Command::new(env!("CARGO_BIN_EXE_assay")).args(["configs", "--json"]).output().unwrap();
    let presets: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    presets.as_array().unwrap().iter().map(|preset| preset["name"].as_str().unwrap().to_string()).collect()
}

/// What must hold of the files as a whole.
fn the_files_are_in_order(cases: &[Case]) -> Result<(), Failed> {
    let mut named: BTreeMap<&str, usize> = BTreeMap::new();
    let mut problems = Vec::new();
    for case in cases {
        for config in case.config.iter().chain(&case.also) {
            *named.entry(config).or_default() += 1;
        }
        if case.expected.len() > 1 && case.excuse.is_none() {
            problems.push(format!("{}: two answers, and no second line `// two answers: …` that says why", case.path.display()));
        }
    }
    let presets = presets();
    for preset in presets.iter().filter(|preset| !PORTFOLIOS.iter().any(|(name, _)| *name == preset.as_str())) {
        let files = named.get(preset.as_str()).copied().unwrap_or(0);
        if files < FILES_FOR_A_PRESET {
            problems.push(format!("the preset {preset} is named by {files} files; {FILES_FOR_A_PRESET} are asked for (`also: {preset}`)"));
        }
    }
    problems.extend(named.keys().filter(|name| !presets.iter().any(|p| p == *name)).map(|name| format!("there is no preset {name}")));
    if problems.is_empty() { Ok(()) } else { Err(Failed::from(problems.join("\n"))) }
}

/// The programs of which every analysis may be asked: what one preset cannot say is no statement about the program, and
/// settings of one analysis need not go with another.
fn definite(cases: &[Case]) -> Vec<&Case> {
    let definite =
        |case: &&Case| case.expected.len() == 1 && case.expected[0] != "unknown" && case.settings.is_empty() && case.each.is_empty();
    cases.iter().filter(definite).collect()
}

/// Tries all of them on a few threads, none after so many seconds; what went wrong.
fn try_all(list: &[Case], seconds: Option<u64>, judge: impl Fn(&Case) -> Result<(), String> + Sync) -> Result<(), Failed> {
    let (start, next) = (Instant::now(), AtomicUsize::new(0));
    let late = || seconds.is_some_and(|seconds| start.elapsed() > Duration::from_secs(seconds));
    let failures = std::thread::scope(|scope| {
        let work = || {
            let mut failures = Vec::new();
            while let Some(case) = list.get(next.fetch_add(1, Ordering::Relaxed)).filter(|_| !late()) {
                let with = || format!("{} {}", case.config.as_deref().unwrap_or_default(), case.settings.join(" "));
                failures.extend(judge(case).err().map(|message| format!("{}: {message}", with().trim())));
            }
            failures
        };
        let workers = std::thread::available_parallelism().map_or(1, |n| n.get()).min(4);
        let handles: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        handles.into_iter().flat_map(|handle| handle.join().unwrap()).collect::<Vec<String>>()
    });
    println!("{} of {} runs were tried", next.into_inner().min(list.len()), list.len());
    if failures.is_empty() { Ok(()) } else { Err(Failed::from(failures.join("\n"))) }
}

/// All programs with all presets: any of them may be unable to answer, but none may be wrong.
fn no_preset_is_ever_wrong(cases: &[Case]) -> Result<(), Failed> {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let (digit, seconds) = (number("ASSAY_TENTH"), number("ASSAY_SECONDS"));
    let cases = definite(cases);
    let mut pairs = Vec::new();
    for preset in presets() {
        for &case in &cases {
            pairs.push(Case { config: Some(preset.clone()), time: "3s".to_string(), unknown_ok: true, ..case.clone() });
        }
    }
    // A file meets other presets on other days: the number of files and ten may have a divisor in common.
    let mut index = 0;
    pairs.retain(|_| {
        index += 1;
        digit.is_none_or(|digit| (index - 1 + (index - 1) / cases.len() as u64) % 10 == digit % 10)
    });
    // Where the time ends before the list, every preset has had its turn.
    let mut turns: Vec<(u64, Case)> = (1u64..).map(|turn| turn.wrapping_mul(0x9e37_79b9_7f4a_7c15)).zip(pairs).collect();
    turns.sort_by_key(|(turn, _)| *turn);
    let pairs: Vec<Case> = turns.into_iter().map(|(_, case)| case).collect();
    try_all(&pairs, seconds, |case| run(case).map(|_| ()))
}

/// One program in so many for each pass in every run of the tests.
const PASSES_SHARE: usize = 25;

/// Programs with each pass, and with all of them: none changes a verdict, nor loses one. Every `share`th program is
/// tried, others with other passes.
fn no_pass_changes_a_verdict(cases: &[Case], share: usize) -> Result<(), Failed> {
    let names = Pass::ALL.map(Pass::name);
    let lists: Vec<String> = names.iter().map(|name| name.to_string()).chain([names.join("+")]).collect();
    let mut list = Vec::new();
    for (turn, passes) in lists.iter().enumerate() {
        for (index, &case) in definite(cases).iter().enumerate().filter(|(index, _)| (index + 7 * turn).is_multiple_of(share)) {
            let config = Some(if index % 2 == 0 { "symbolic" } else { "value-cegar" }.to_string());
            let settings = vec![format!("passes={passes}")];
            list.push(Case { config, settings, time: "5s".to_string(), unknown_ok: true, ..case.clone() });
        }
    }
    try_all(&list, None, |case| match run(case)? {
        true => Ok(()),
        // Without the pass it may be as hard.
        false => match run(&Case { settings: vec![], time: "3s".to_string(), ..case.clone() })? {
            true => Err(format!("{}: the verdict is lost", case.path.display())),
            false => Ok(()),
        },
    })
}

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let cases = Arc::new(cases());
    let mut trials: Vec<Trial> = cases.iter().flat_map(trials_of).collect();
    // With a selection, the files are not all there.
    if std::env::var_os("ASSAY_ONLY").is_none() {
        let all = cases.clone();
        trials.push(Trial::test("the_files_are_in_order", move || the_files_are_in_order(&all)));
    }
    let all = cases.clone();
    trials.push(Trial::test("no_preset_is_ever_wrong", move || no_preset_is_ever_wrong(&all)).with_ignored_flag(true));
    let all = cases.clone();
    trials.push(Trial::test("no_pass_changes_a_verdict", move || no_pass_changes_a_verdict(&all, 1)).with_ignored_flag(true));
    if std::env::var_os("ASSAY_ONLY").is_none() {
        let all = cases.clone();
        trials.push(Trial::test("passes_keep_verdicts", move || no_pass_changes_a_verdict(&all, PASSES_SHARE)));
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}
