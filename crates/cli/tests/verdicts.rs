//! Verdict tests as data: every C file in `verdicts/` says in its first line what must come out.
//!
//! `// expect: true`, `// expect: false(<property>)`, `// expect: unknown`, or several joined by ` | `; then, in any order,
//! `property: NAME`, `model: ILP32`, `config: NAME`, `set: key=value` (several times), `outside-pointers: own-memory`, `time: 5s`, and `unknown-ok` for programs that no
//! analysis solves yet. A line that ends in `// violation` is where a counterexample must end. Every violation is also compiled with its harness and run.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

struct Case {
    path: PathBuf,
    expected: Vec<String>,
    property: Option<String>,
    model: String,
    config: Option<String>,
    settings: Vec<String>,
    time: String,
    unknown_ok: bool,
    /// The value of `--outside-pointers`.
    outside: Option<String>,
    violation_line: Option<usize>,
}

fn read_case(path: &Path) -> Case {
    let text = std::fs::read_to_string(path).unwrap();
    let first = text.lines().next().unwrap_or_default();
    let rest = first.strip_prefix("// expect: ").unwrap_or_else(|| panic!("{}: the first line must be `// expect: …`", path.display()));
    let mut words = rest.split_whitespace().peekable();
    let mut expected = vec![words.next().expect("a verdict").to_string()];
    while words.peek() == Some(&"|") {
        words.next();
        expected.push(words.next().expect("a verdict").to_string());
    }
    let mut case = Case {
        path: path.to_path_buf(),
        expected,
        property: None,
        model: "LP64".to_string(),
        config: None,
        settings: vec![],
        time: "20s".to_string(),
        unknown_ok: false,
        outside: None,
        violation_line: text.lines().position(|line| line.trim_end().ends_with("// violation")).map(|index| index + 1),
    };
    while let Some(word) = words.next() {
        let mut value = || words.next().unwrap_or_else(|| panic!("{}: {word} needs a value", path.display())).to_string();
        match word {
            "property:" => case.property = Some(value()),
            "model:" => case.model = value(),
            "config:" => case.config = Some(value()),
            "set:" => case.settings.push(value()),
            "time:" => case.time = value(),
            "outside-pointers:" => case.outside = Some(value()),
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
    let folder = std::env::temp_dir().join(format!("assay-verdict-{}-{name}", std::process::id()));
    let folder = Folder(folder);
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
    if verdict == "false(unreach-call)" && case.property.is_none() {
        check_harness(case, &harness).map_err(|problem| format!("{name}: {problem}"))?;
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

/// The compiled program with its harness reaches the error. Without a compiler, and where the path depends on
/// uninitialised memory, there is nothing to check.
fn check_harness(case: &Case, harness: &Path) -> Result<(), String> {
    let text = std::fs::read_to_string(harness).map_err(|error| format!("no harness: {error}"))?;
    if case.model != "LP64" || text.contains("cannot choose them") {
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

/// Runs all cases on a few threads; fails with the messages of those that went wrong.
fn run_all(cases: &[Case]) {
    let next = AtomicUsize::new(0);
    let (mut failures, mut tolerated) = (Vec::new(), Vec::new());
    std::thread::scope(|scope| {
        let workers = std::thread::available_parallelism().map_or(1, |n| n.get()).min(4);
        let work = || {
            let mut results = Vec::new();
            while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                results.push((case, run(case)));
            }
            results
        };
        let handles: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        for (case, result) in handles.into_iter().flat_map(|handle| handle.join().unwrap()) {
            match result {
                Ok(true) => {}
                Ok(false) => tolerated.push(case.path.file_name().unwrap_or_default().to_string_lossy().into_owned()),
                Err(message) => failures.push(message),
            }
        }
    });
    tolerated.sort();
    failures.sort();
    println!("{} programs, {} tolerated as unknown: {}", cases.len(), tolerated.len(), tolerated.join(", "));
    assert!(failures.is_empty(), "{} of {} programs failed:\n{}", failures.len(), cases.len(), failures.join("\n"));
}

#[test]
fn every_program_gets_its_verdict() {
    run_all(&cases());
}

#[test]
#[ignore = "takes minutes; run it after a change of a domain, of refinement or of the framework"]
fn no_preset_is_ever_wrong() {
    let output = Command::new(env!("CARGO_BIN_EXE_assay")).args(["configs", "--json"]).output().unwrap();
    let presets: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    for preset in presets.as_array().unwrap() {
        let name = preset["name"].as_str().unwrap();
        println!("preset {name}");
        let mut cases = cases();
        for case in &mut cases {
            case.config = Some(name.to_string());
            case.time = "3s".to_string();
            case.unknown_ok = true;
        }
        run_all(&cases);
    }
}
