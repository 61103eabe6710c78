//! What an answer says, example by example: which checks a run makes, what it rests on, values by their names in C,
//! what blocked it, and files that are written whatever happens.

use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// A folder of its own for each test, removed at its end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str, files: &[(&str, &str)]) -> Self {
        let folder = Folder(std::env::temp_dir().join(format!("assay-answers-{name}-{}", std::process::id())));
        std::fs::create_dir_all(&folder.0).expect("a folder");
        for (file, text) in files {
            std::fs::write(folder.0.join(file), text).expect("a file");
        }
        folder
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_assay"));
        command.current_dir(&self.0).args(arguments).stdin(Stdio::null());
        command
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().expect("assay runs")
    }

    /// What is printed on the standard output.
    fn said(&self, arguments: &[&str]) -> String {
        String::from_utf8_lossy(&self.run(arguments).stdout).into_owned()
    }

    fn json(&self, arguments: &[&str]) -> serde_json::Value {
        let text = self.said(arguments);
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{arguments:?}: {error}: {text}"))
    }

    fn text(&self, file: &str) -> String {
        std::fs::read_to_string(self.0.join(file)).unwrap_or_default()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// All of the parts must be there, each on a line of its own.
fn has_lines(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.lines().any(|line| line.contains(part)), "lacks `{part}`:\n{text}");
    }
}

#[test]
fn a_run_says_what_it_checks() {
    let read = "int main(void) {\n  int a[2] = {1, 2}, i = 5;\n  return a[i];\n}\n";
    let folder = Folder::new("checks", &[("read.c", read), ("nothing.c", "int main(void) { return 3; }\n")]);
    for arguments in [&["verify", "read.c"][..], &["verify", "-p", "all", "read.c"]] {
        let text = folder.said(arguments);
        has_lines(&text, &["property: all (memory safety,", "read of 4 bytes at a[5]; `a` has 8 bytes (read.c:2:7)", "1 violated"]);
        assert!(text.ends_with("verdict: false(valid-deref)\n"), "{text}");
    }
    has_lines(&folder.said(&["verify", "nothing.c"]), &["note: there is nothing to check", "verdict: true"]);
}

#[test]
fn every_failing_place_is_listed() {
    let program = "extern int f(void);\nint main(void) {\n  int a[2] = {0}, x = f();\n  if (x == 1)\n    return a[2];\n  if (x == 2)\n    \
                   return a[3];\n  if (x == 3)\n    return a[4];\n  return a[1];\n}\n";
    let call = "CHECK( init(main()), LTL(G ! call(reach_error())) )\n";
    let folder = Folder::new("places", &[("three.c", program), ("reach.prp", call)]);
    for (most, places) in [("1", 1), ("2", 2), ("10", 3)] {
        let document = folder.json(&["verify", "--json", "--max-violations", most, "three.c"]);
        assert_eq!(document["violations"].as_array().map(Vec::len), Some(places), "{document:#}");
    }
    has_lines(&folder.said(&["verify", "three.c"]), &["3 violated, 0 open"]);
    // A property file asks for one property and gets one line.
    assert_eq!(folder.said(&["verify", "--quiet", "-p", "reach.prp", "three.c"]), "verdict: true\n");
}

#[test]
fn what_a_proof_rests_on_stands_above_it() {
    let program = "#include <stdlib.h>\nextern void first(int *);\nextern int second(void);\nint main(void) {\n  int x = 1;\n  first(&x);\n  \
                   first(&x);\n  char *p = malloc(4);\n  p[0] = (char)second();\n  free(p);\n  return x;\n}\n";
    let folder = Folder::new("assumed", &[("assumed.c", program)]);
    let text = folder.said(&["verify", "assumed.c"]);
    let first = "functions without a body: each may return any value and writes nothing: first (assumed.c:6:3, assumed.c:7:3), second (assumed.c:9:16)";
    let second = "malloc and its family never fail (see --malloc-may-fail): assumed.c:8:13";
    has_lines(&text, &[&format!("warning: assumed: {first}"), &format!("warning: assumed: {second}"), "verdict: true"]);
    let text = folder.said(&["verify", "--malloc-may-fail", "assumed.c"]);
    has_lines(&text, &["write of 1 byte through a null pointer; `p` is null since assumed.c:8:3", "malloc fails = 1"]);
}

#[test]
fn values_have_their_names_in_c() {
    let program = "#include <stdlib.h>\nextern void reach_error(void);\nextern int __VERIFIER_nondet_int(void);\nstruct frame { int len; char \
                   tag; const char *name; };\nstruct node { struct node *next; };\nint main(void) {\n  struct frame f = {0};\n  f.len = \
                   __VERIFIER_nondet_int();\n  f.tag = 'x';\n  f.name = \"abc\";\n  struct node *list = 0;\n  for (int i = 0; i < 2; i++) \
                   {\n    struct node *made = malloc(sizeof *made);\n    made->next = list;\n    list = made;\n  }\n  char word[8] = \
                   \"hello\";\n  char *inside = word + 1;\n  int numbers[4] = {1, 2, 3, 4}, *third = &numbers[2];\n  if (f.len == 47 && \
                   list->next && inside && third)\n    reach_error();\n  return 0;\n}\n";
    let folder = Folder::new("values", &[("values.c", program)]);
    let text = folder.said(&["verify", "-p", "unreach-call", "values.c"]);
    has_lines(&text, &["f.len = 47", "f.tag = 'x'", "f.name = \"abc\"", "list = NULL", "node#1->next = NULL", "node#2->next = &node#1"]);
    has_lines(&text, &["word = \"hello\"", "inside = &word[1] (\"ello\")", "third = &numbers[2]", "values.c:21:5: the error function"]);
    has_lines(&text, &["input: __VERIFIER_nondet_int = 47 at values.c:8:11"]);
}

#[test]
fn arguments_are_called_by_their_names() {
    let program = "#include <string.h>\nint main(int argc, char **argv) {\n  return strcmp(argv[1], \"-v\") == 0;\n}\n";
    let folder = Folder::new("arguments", &[("options.c", program)]);
    let text = folder.said(&["verify", "--time-limit", "20s", "options.c"]);
    has_lines(&text, &["read of 8 bytes at argv[1]; `argv` has 8 bytes (options.c:2:5)", "`a` is null since options.c:3:10"]);
    assert!(text.ends_with("verdict: false(valid-deref)\n"), "{text}");
}

#[test]
fn rounds_of_loops_are_folded_unless_everything_is_asked_for() {
    let program = "extern void reach_error(void);\nint main(void) {\n  int s = 0;\n  for (int i = 0; i < 40; i++)\n    s += i;\n  if (s == \
                   780)\n    reach_error();\n  return 0;\n}\n";
    let folder = Folder::new("rounds", &[("rounds.c", program)]);
    let text = folder.said(&["verify", "-p", "unreach-call", "rounds.c"]);
    assert!(text.contains("more iterations like this") && text.lines().count() < 20, "{text}");
    let text = folder.said(&["verify", "-p", "unreach-call", "--path", "full", "rounds.c"]);
    assert!(text.lines().filter(|line| line.contains("s += i;")).count() == 40, "{text}");
}

#[test]
fn an_unknown_names_what_blocked() {
    let program = "extern void reach_error(void);\nextern unsigned __VERIFIER_nondet_uint(void);\nint main(void) {\n  unsigned x = \
                   __VERIFIER_nondet_uint(), i = 0;\n  while (1) {\n    x = x * 1664525u + 1013904223u;\n    i++;\n    if (x == 12345u && i == \
                   4000000000u)\n      reach_error();\n  }\n}\n";
    let folder = Folder::new("blocked", &[("endless.c", program)]);
    let text = folder.said(&["verify", "-p", "unreach-call", "--time-limit", "2s", "endless.c"]);
    has_lines(&text, &["blocked: time limit (", "so far: no violation within ", "rounds of each loop", "hint: more time may help"]);
    assert!(text.ends_with("verdict: unknown(time limit)\n"), "{text}");
    // One analysis alone tells which loop held it up.
    let text = folder.said(&["verify", "-p", "unreach-call", "--time-limit", "1s", "--config", "symbolic", "endless.c"]);
    has_lines(&text, &["most of the work was at endless.c:", "verdict: unknown(time limit)"]);
}

#[test]
fn evidence_fits_its_violation() {
    let shift = "extern void reach_error(void);\nextern int __VERIFIER_nondet_int(void);\nint main(void) {\n  int by = \
                 __VERIFIER_nondet_int();\n  if (by == 2)\n    reach_error();\n  return by > 31 ? 1 << by : 0;\n}\n";
    let sum = "extern void reach_error(void);\nextern int __VERIFIER_nondet_int(void);\nint main(void) {\n  int by = \
               __VERIFIER_nondet_int();\n  if (by == 2)\n    reach_error();\n  return by > 31 ? by + 2147483600 : 0;\n}\n";
    let label = "extern int __VERIFIER_nondet_int(void);\nint main(void) {\n  if (__VERIFIER_nondet_int() == 4)\n    goto ERROR;\n  return \
                 0;\nERROR:\n  return 1;\n}\n";
    let folder = Folder::new("evidence", &[("shift.c", shift), ("sum.c", sum), ("label.c", label)]);
    for (property, file, sanitizer) in
        [("no-invalid-shift", "shift.c", "-fsanitize=shift"), ("no-overflow", "sum.c", "-fsanitize=signed-integer-overflow")]
    {
        assert_eq!(folder.run(&["verify", "-p", property, "--harness", "h.c", file]).status.code(), Some(10));
        assert!(folder.text("h.c").contains(sanitizer), "{}", folder.text("h.c"));
        // It links where the program calls an error function that nobody defines.
        let compiled = Command::new("cc").current_dir(&folder.0).args(["-w", sanitizer, file, "h.c"]).output().expect("cc runs");
        assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
        let run = Command::new("./a.out").current_dir(&folder.0).output().expect("the program runs");
        let said = String::from_utf8_lossy(&run.stderr);
        assert!(said.contains("runtime error:"), "{file}: {said}");
    }
    assert!(folder.said(&["verify", "-p", "unreach-label", "label.c"]).ends_with("verdict: false(unreach-label)\n"));
    // The form of a witness follows the name of its file, for proofs as well.
    assert_eq!(folder.run(&["verify", "-p", "no-overflow", "--witness", "p.graphml", "label.c"]).status.code(), Some(0));
    assert!(folder.text("p.graphml").starts_with("<?xml") && folder.text("p.graphml").contains("correctness_witness"));
}

#[test]
fn options_that_do_nothing_are_refused() {
    let folder = Folder::new("refused", &[]);
    for option in [&["--query-time", "3s"][..], &["--no-chain"]] {
        let output = folder.run(&[&["solvers"], option].concat());
        assert_eq!(output.status.code(), Some(2));
        assert!(String::from_utf8_lossy(&output.stderr).contains("goes with --replay"));
    }
    assert_eq!(folder.run(&["solvers", "--replay", "x", "--query-time", "soon"]).status.code(), Some(2));
}

#[test]
fn the_interpreter_answers_in_its_own_form() {
    let folder = Folder::new("hang", &[("hang.c", "int main(void) { volatile unsigned x = 0; while (1) x++; }\n")]);
    let document = folder.json(&["interpret", "--json", "--time-limit", "300ms", "hang.c"]);
    assert_eq!(document["end"], "the run was stopped", "{document:#}");
}

/// A program whose reading takes longer than the run has.
fn large() -> String {
    let function =
        |i: u32| format!("int f{i}(int x) {{ int a[4] = {{x}}; for (int i = 0; i < 4; i++) a[i] += x % {}; return a[3]; }}\n", i + 1);
    (0..40_000).map(function).chain(["int main(void) { return f1(2); }\n".to_string()]).collect()
}

/// A violation that nobody finds, in a program that is read at once.
const HARD: &str = "extern void reach_error(void);\nextern unsigned __VERIFIER_nondet_uint(void);\nint main(void) {\n  unsigned x = \
                    __VERIFIER_nondet_uint(), i = 0;\n  while (1) {\n    x = x * 1664525u + 1013904223u;\n    i++;\n    if (x == 12345u && i \
                    == 4000000000u)\n      reach_error();\n  }\n}\n";

#[test]
fn an_interrupted_run_tells_everything_it_can() {
    let folder = Folder::new("interrupted", &[("large.c", &large()), ("hard.c", HARD)]);
    for (file, wait, read) in [("large.c", 200, false), ("hard.c", 900, true)] {
        let arguments = ["verify", "--json", "--stats", "--report", "r.html", "--sarif", "s.sarif", "--time-limit", "60s", file];
        let child = folder.command(&arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("assay runs");
        std::thread::sleep(Duration::from_millis(wait));
        let begin = Instant::now();
        assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill runs").success());
        let output = child.wait_with_output().expect("it ends");
        assert!(begin.elapsed() < Duration::from_secs(5), "{file}");
        let document: serde_json::Value =
            serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{file}: {error}: {output:?}"));
        assert_eq!((&document["verdict"], &document["reason"]), (&"unknown".into(), &"interrupted".into()), "{file}");
        for key in ["checks", "counters", "seconds", "portfolio", "notes", "properties", "written", "assumptions"] {
            assert!(!document[key].is_null(), "{file} lacks {key}: {document:#}");
        }
        assert_eq!(document["portfolio"].as_array().is_some_and(|story| !story.is_empty()), read, "{file}: {document:#}");
        assert!(String::from_utf8_lossy(&output.stderr).contains("total (CPU)"), "{file}");
        assert!(folder.text("r.html").contains("unknown") && folder.text("s.sarif").contains("\"2.1.0\""), "{file}");
        for written in ["r.html", "s.sarif"] {
            std::fs::remove_file(folder.0.join(written)).expect("it was there");
        }
    }
}
