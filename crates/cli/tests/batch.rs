//! Many tasks in one command: tables, folders and compilation databases; a batch that was killed goes on and repeats
//! nothing.

use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

const SAFE: &str = "extern void reach_error(void);\nint main(void) { int x = 1; if (x != 1) reach_error(); return 0; }\n";
const UNSAFE: &str = "extern void reach_error(void);\nextern int __VERIFIER_nondet_int(void);\n\
                      int main(void) { if (__VERIFIER_nondet_int() % 9 + 1 == 7) reach_error(); return 0; }\n";

/// A folder of its own for each test, removed at its end.
struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("assay-batch-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(path.join("tasks")).unwrap();
        Folder(path)
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.0.join(name), text).unwrap();
    }

    fn command(&self, operand: &str, options: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_assay"));
        command.arg("batch").arg(operand).args(["--output", "results", "--jobs", "2"]).args(options);
        command.current_dir(&self.0).stdin(Stdio::null());
        command
    }

    fn run(&self, operand: &str, options: &[&str]) -> Output {
        self.command(operand, options).output().unwrap()
    }

    /// Lines of the table by name: verdict and judgement.
    fn table(&self) -> BTreeMap<String, (String, String)> {
        let text = std::fs::read_to_string(self.0.join("results/results.tsv")).unwrap();
        let line = |line: &str| {
            let fields: Vec<&str> = line.split('\t').collect();
            (fields[0].to_string(), (fields[3].to_string(), fields[5].to_string()))
        };
        text.lines().skip(1).map(line).collect()
    }

    fn journal(&self) -> Vec<String> {
        let text = std::fs::read_to_string(self.0.join("results/journal.jsonl")).unwrap_or_default();
        let key = |line: &str| Some(serde_json::from_str::<Value>(line).ok()?["key"].as_str()?.to_string());
        text.lines().filter_map(key).collect()
    }
}

/// How many processes have the folder as their working directory.
fn processes_below(folder: &Path) -> usize {
    let folder = folder.canonicalize().unwrap();
    let here = |entry: &std::fs::DirEntry| std::fs::read_link(entry.path().join("cwd")).is_ok_and(|cwd| cwd == folder);
    std::fs::read_dir("/proc").unwrap().flatten().filter(here).count()
}

#[test]
fn a_table_is_run_and_judged() {
    let folder = Folder::new("table");
    folder.write("tasks/safe.c", SAFE);
    folder.write("tasks/unsafe.c", UNSAFE);
    folder.write(
        "list.tsv",
        "category\tproperty\ttask\texpected_verdict\tarchitecture\n\
         A\tunreach-call\ttasks/safe.c\ttrue\t32\nA\tunreach-call\ttasks/unsafe.c\tfalse\t64\nB\tno-overflow\ttasks/unsafe.c\tfalse\t64\n\
         B\tunreach-call\ttasks/missing.c\ttrue\t64\n",
    );
    let output = folder.run("list.tsv", &["--time-limit", "20s"]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(10), "{text}{}", String::from_utf8_lossy(&output.stderr));
    let pair = |a: &str, b: &str| (a.to_string(), b.to_string());
    let expected = BTreeMap::from([
        ("tasks/safe.c:unreach-call".to_string(), pair("true", "correct true")),
        ("tasks/unsafe.c:unreach-call".to_string(), pair("false", "correct false")),
        // The list is wrong here, and the table says so.
        ("tasks/unsafe.c:no-overflow".to_string(), pair("true", "wrong true")),
        ("tasks/missing.c:unreach-call".to_string(), pair("error", "error")),
    ]);
    assert_eq!(folder.table(), expected);
    let sarif: Value = serde_json::from_slice(&std::fs::read(folder.0.join("results/results.sarif")).unwrap()).unwrap();
    assert_eq!(sarif["runs"][0]["results"].as_array().unwrap().len(), 1);
    assert_eq!(sarif["runs"][0]["results"][0]["ruleId"], "unreach-call");
    let document: Value = serde_json::from_slice(&std::fs::read(folder.0.join("results/results.json")).unwrap()).unwrap();
    assert_eq!(document.as_array().unwrap().len(), 4);
    assert_eq!(document[1]["detail"], "unreach-call");
}

#[test]
fn folders_definitions_and_databases_are_tasks_too() {
    let folder = Folder::new("folder");
    folder.write("tasks/alone.c", SAFE);
    folder.write("tasks/defined.c", UNSAFE);
    folder.write("tasks/p.prp", "CHECK( init(main()), LTL(G ! call(reach_error())) )\n");
    folder.write(
        "tasks/defined.yml",
        "format_version: '2.0'\ninput_files: 'defined.c'\nproperties:\n  - property_file: p.prp\n    expected_verdict: false\n\
         options:\n  language: C\n  data_model: ILP32\n",
    );
    folder.run("tasks", &["--property", "unreach-call", "--time-limit", "20s"]);
    let verdicts: Vec<String> = folder.table().values().map(|(verdict, _)| verdict.clone()).collect();
    assert_eq!(verdicts, ["true", "false"], "{:?}", folder.table());
    folder.write("tasks/flags.c", "extern void reach_error(void);\nint main(void) { if (VALUE != 3) reach_error(); return 0; }\n");
    folder.write("compile_commands.json", "[{\"directory\": \"tasks\", \"file\": \"flags.c\", \"command\": \"cc -DVALUE=3 -c flags.c\"}]");
    let output = folder.run("compile_commands.json", &["--property", "unreach-call", "--time-limit", "20s"]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn what_changed_is_run_again_and_nothing_else() {
    let folder = Folder::new("changed");
    folder.write("tasks/a.c", &format!("#include \"limit.h\"\n{}", SAFE.replace("x != 1", "x != LIMIT")));
    folder.write("tasks/b.c", SAFE);
    folder.write("tasks/limit.h", "#define LIMIT 1\n");
    let options = ["--property", "unreach-call", "--time-limit", "20s"];
    folder.run("tasks", &options);
    assert_eq!(folder.journal().len(), 2);
    folder.run("tasks", &options);
    assert_eq!(folder.journal().len(), 2);
    // A header belongs to the program that includes it.
    folder.write("tasks/limit.h", "#define LIMIT 2\n");
    folder.run("tasks", &options);
    assert_eq!(folder.journal().len(), 3);
    let verdicts: Vec<String> = folder.table().values().map(|(verdict, _)| verdict.clone()).collect();
    assert_eq!(verdicts, ["false", "true"]);
}

#[test]
fn a_kill_of_everything_repeats_no_finished_task() {
    let folder = Folder::new("killed");
    for number in 0..24 {
        folder.write(&format!("tasks/t{number:02}.c"), if number % 3 == 0 { UNSAFE } else { SAFE });
    }
    let options = ["--property", "unreach-call", "--time-limit", "20s"];
    let (mut kills, mut before) = (0, 0);
    while kills < 4 {
        let mut child = folder.command("tasks", &options).stderr(Stdio::null()).stdout(Stdio::null()).spawn().unwrap();
        let begin = Instant::now();
        while folder.journal().len() < before + 3 && begin.elapsed() < Duration::from_secs(60) {
            std::thread::sleep(Duration::from_millis(2));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        kills += 1;
        before = folder.journal().len();
    }
    let begin = Instant::now();
    while processes_below(&folder.0) > 0 && begin.elapsed() < Duration::from_secs(5) {
        std::thread::sleep(Duration::from_millis(10));
    }
    assert_eq!(processes_below(&folder.0), 0, "processes outlived the batch");
    let output = folder.run("tasks", &options);
    assert_eq!(output.status.code(), Some(10));
    let keys = folder.journal();
    let unique: std::collections::BTreeSet<&String> = keys.iter().collect();
    assert_eq!((keys.len(), unique.len()), (24, 24));
    assert_eq!(folder.table().values().filter(|(verdict, _)| verdict == "false").count(), 8);
    let left: Vec<String> = std::fs::read_dir(folder.0.join("results"))
        .unwrap()
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    assert_eq!(left.len(), 4, "{left:?}");
}
