//! The command from outside: messages, exit statuses, limits and signals.

use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// A folder of its own for each test, removed at its end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("assay-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }
    fn file(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        let path = self.0.join(name);
        std::fs::write(&path, content).unwrap();
        path.to_string_lossy().into_owned()
    }
    fn path(&self, name: &str) -> String {
        self.0.join(name).to_string_lossy().into_owned()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn assay(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_assay")).args(arguments).stdin(Stdio::null()).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

const SAFE: &str = "extern void reach_error(void);\nint main(void) {\n  int x = 1;\n  if (x == 2)\n    reach_error();\n  return 0;\n}\n";
const UNSAFE: &str = "extern void reach_error(void);\nextern int __VERIFIER_nondet_int(void);\nint main(void) {\n  \
                      if (__VERIFIER_nondet_int() == 7)\n    reach_error();\n  return 0;\n}\n";
/// No analysis by enumeration ends here soon: a long loop over values that depend on an input.
const ENDLESS: &str = "extern void reach_error(void);\nextern unsigned __VERIFIER_nondet_uint(void);\nint main(void) {\n  \
                       unsigned x = __VERIFIER_nondet_uint(), i = 0;\n  while (1) {\n    x = x * 1664525u + 1013904223u;\n    i++;\n    \
                       if (x == 12345u && i == 4000000000u)\n      reach_error();\n  }\n}\n";

#[test]
fn verdicts_and_exit_statuses_agree() {
    let folder = Folder::new("verdicts");
    let (safe, violated) = (folder.file("safe.c", SAFE), folder.file("unsafe.c", UNSAFE));
    let output = assay(&["verify", "--quiet", &safe]);
    assert_eq!((text(&output.stdout).as_str(), output.status.code()), ("verdict: true\n", Some(0)));
    let output = assay(&["verify", "--quiet", &violated]);
    assert_eq!((text(&output.stdout).as_str(), output.status.code()), ("verdict: false(unreach-call)\n", Some(10)));
    let output = assay(&["verify", "--quiet", "--property", "termination", &safe]);
    assert_eq!((text(&output.stdout).as_str(), output.status.code()), ("verdict: true\n", Some(0)));
}

#[test]
fn bad_command_lines_say_what_is_wrong() {
    let folder = Folder::new("usage");
    let safe = folder.file("safe.c", SAFE);
    for (arguments, message) in [
        (vec!["verify"], "no input file is given"),
        (vec!["prove", "x.c"], "there is no command `prove`"),
        (vec!["verify", "--data-model", "ILP64", &safe], "--data-model: `ILP64` is not one of ILP32, LP64"),
        (vec!["verify", "--config", "nonsense", &safe], "there is no preset or file `nonsense`"),
        (vec!["verify", "--set", "nonsense=1", &safe], "--set nonsense=1: there is no option `nonsense`"),
        (vec!["verify", "--set", "nonsense", &safe], "write it as KEY=VALUE"),
        (vec!["interpret", "--input", "many", &safe], "`many` is not a number"),
        (vec!["completions", "csh"], "name a shell"),
        (vec!["configs", "nonsense"], "there is no preset `nonsense`"),
    ] {
        let output = assay(&arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(text(&output.stderr).contains(message), "{arguments:?}: {}", text(&output.stderr));
        assert!(output.stdout.is_empty(), "{arguments:?}");
    }
}

#[test]
fn bad_inputs_say_what_is_wrong() {
    let folder = Folder::new("inputs");
    let safe = folder.file("safe.c", SAFE);
    let missing = folder.path("missing.c");
    let binary = folder.file("binary.c", b"int main(void)\0{}");
    let syntax = folder.file("syntax.c", "int main(void) {\n  return 1 +;\n}\n");
    let unknown_type = folder.file("type.c", "int main(void) {\n  number x = 1;\n  return x;\n}\n");
    let no_main = folder.file("nomain.c", "int helper(void) { return 1; }\n");
    let property = folder.file("odd.prp", "CHECK( init(main()), LTL(G love) )\n");
    let config = folder.file("odd.toml", "domain = [");
    let paste = folder.file("paste.c", "#define JOIN(a) a ##\nint main(void) { return JOIN(1); }\n");
    let deep = folder.file("deep.c", format!("int main(void) {{ return {}1{}; }}", "(".repeat(10_000), ")".repeat(10_000)));
    let several = folder.file("several.c", "int main(void) {\n  int x = y;\n  return z;\n}\n");
    std::fs::create_dir_all(folder.path("db")).unwrap();
    let database = folder.file("db/compile_commands.json", "{}");
    for (arguments, messages) in [
        (vec!["verify", &missing], vec!["missing.c", "No such file"]),
        (vec!["verify", folder.0.to_str().unwrap()], vec!["folder"]),
        (vec!["verify", &binary], vec!["binary.c", "not a text file"]),
        (vec!["verify", &syntax], vec!["syntax.c:2:", "error:", "    2 |   return 1 +;", "^"]),
        (vec!["verify", &unknown_type], vec!["type.c:2:", "number"]),
        (vec!["verify", &no_main], vec!["no function `main`"]),
        (vec!["verify", "--property", &property, &safe], vec!["G love", "not known"]),
        (vec!["verify", "--property", "nonsense", &safe], vec!["cannot read nonsense", "a property is a file, or one of"]),
        (vec!["verify", "--config", &config, &safe], vec!["odd.toml", "cannot be read"]),
        (vec!["cfa", &syntax], vec!["syntax.c:2:"]),
        (vec!["cfa", &missing], vec!["missing.c", "No such file"]),
        (vec!["features", &binary], vec!["binary.c", "not a text file"]),
        (vec!["interpret", folder.0.to_str().unwrap()], vec!["folder"]),
        (vec!["verify", &paste], vec!["paste.c:1:", "`##` cannot appear at the end", "#define JOIN(a) a ##"]),
        (vec!["verify", &deep], vec!["deep.c:1:", "nested more deeply than 5000 levels"]),
        (vec!["verify", &several], vec!["several.c:2:11: error:", "several.c:3:10: error:", "    2 |   int x = y;"]),
        (vec!["verify", &database], vec!["compile_commands.json is not a compilation database"]),
    ] {
        let output = assay(&arguments);
        assert_eq!(output.status.code(), Some(3), "{arguments:?}: {}", text(&output.stderr));
        for message in messages {
            assert!(text(&output.stderr).contains(message), "{arguments:?} lacks {message}: {}", text(&output.stderr));
        }
        assert!(!text(&output.stdout).contains("verdict"), "{arguments:?}");
    }
}

#[test]
fn unsupported_constructs_are_named_with_their_place() {
    let folder = Folder::new("unsupported");
    let source = "int pthread_cancel(unsigned long);\nextern void reach_error(void);\n\
                int other;\nint main(int argc, char **argv) {\n  if (argc > 3)\n    pthread_cancel(1);\n  \
                return 0;\n}\n";
    let threads = folder.file("threads.c", source);
    let output = assay(&["verify", "--quiet", &threads]);
    assert_eq!(output.status.code(), Some(20));
    let verdict = text_of_last_line(&output.stdout);
    assert!(verdict.starts_with("verdict: unknown(unsupported: threads (pthread_cancel) at "), "{verdict}");
    assert!(verdict.ends_with("threads.c:6:5)"), "{verdict}");
    let output = assay(&["cfa", "--format", "summary", &threads]);
    assert!(text(&output.stdout).contains("unsupported: threads (pthread_cancel) at "), "{}", text(&output.stdout));
    // What cannot be reached does not matter.
    let guarded = folder.file("guarded.c", source.replace("argc > 3", "argc > 3 && argc < 2"));
    assert_eq!(assay(&["verify", "--quiet", &guarded]).status.code(), Some(0));
}

fn text_of_last_line(bytes: &[u8]) -> String {
    text(bytes).lines().last().unwrap_or_default().to_string()
}

#[test]
fn a_project_is_read_by_its_compilation_database() {
    let folder = Folder::new("project");
    std::fs::create_dir_all(folder.path("inc")).unwrap();
    folder.file("inc/h.h", "#ifndef H\n#define H\nint helper(int);\nextern int shared;\n#endif\n");
    let main = "#include \"h.h\"\n#include <assert.h>\n#include <stdlib.h>\nextern int __VERIFIER_nondet_int(void);\n\
                int main(void) {\n  assert(helper(__VERIFIER_nondet_int()) != LIMIT);\n  return 0;\n}\n";
    let a = folder.file("a.c", main);
    let b = folder.file("b.c", "#include \"h.h\"\nint shared = 3;\nint helper(int x) { return (x & 7) + shared; }\n");
    for (limit, status) in [(10, 10), (11, 0)] {
        let text = format!(
            "[{{\"directory\": \".\", \"command\": \"cc -Iinc -DLIMIT={limit} -c a.c\", \"file\": \"a.c\"}},\n \
             {{\"directory\": \".\", \"arguments\": [\"cc\", \"-I\", \"inc\", \"-c\", \"b.c\"], \"file\": \"b.c\"}}]\n"
        );
        let database = folder.file("compile_commands.json", text);
        let output = assay(&["verify", "--quiet", &database]);
        assert_eq!(output.status.code(), Some(status), "{}{}", self::text(&output.stdout), self::text(&output.stderr));
        let (include, define) = (folder.path("inc"), format!("LIMIT={limit}"));
        for model in ["ILP32", "LP64"] {
            let output = assay(&["verify", "--quiet", "-m", model, "-I", &include, "-D", &define, &a, &b]);
            assert_eq!(output.status.code(), Some(status), "{model}: {}", self::text(&output.stderr));
        }
    }
}

#[test]
fn an_output_that_cannot_be_written_is_found_before_the_run() {
    let folder = Folder::new("outputs");
    let endless = folder.file("endless.c", ENDLESS);
    let output = assay(&["verify", "--witness", &folder.path("no/such/folder.yml"), &endless]);
    assert_eq!(output.status.code(), Some(4));
    assert!(text(&output.stderr).contains("cannot write"));
}

#[test]
fn evidence_files_are_written() {
    let folder = Folder::new("evidence");
    let violated = folder.file("unsafe.c", UNSAFE);
    let names = ["w.yml", "w.graphml", "h.c", "r.html", "s.sarif"].map(|name| folder.path(name));
    let [yaml, graphml, harness, report, sarif] = &names;
    let all = ["verify", "--witness", yaml, "--harness", harness, "--report", report, "--sarif", sarif, &violated];
    assert_eq!(assay(&all).status.code(), Some(10));
    assert_eq!(assay(&["verify", "--witness", graphml, &violated]).status.code(), Some(10));
    for (name, part) in names.iter().zip(["violation_sequence", "<graphml", "__VERIFIER_nondet_int", "<svg", "\"2.1.0\""]) {
        assert!(std::fs::read_to_string(name).unwrap().contains(part), "{name} lacks {part}");
    }
    let safe = folder.file("safe.c", SAFE);
    assert_eq!(assay(&["verify", "--witness", yaml, &safe]).status.code(), Some(0));
    assert!(std::fs::read_to_string(yaml).unwrap().contains("invariant_set"));
}

#[test]
fn the_json_document_is_the_whole_output() {
    let folder = Folder::new("json");
    let violated = folder.file("unsafe.c", UNSAFE);
    let output = assay(&["verify", "--json", &violated]);
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(document["verdict"], "false");
    assert_eq!(document["violated"], "unreach-call");
    assert_eq!(document["evidence"]["inputs"][0]["value"], "7");
}

#[test]
fn the_time_limit_is_kept() {
    let folder = Folder::new("time");
    let endless = folder.file("endless.c", ENDLESS);
    let output = assay(&["verify", "--quiet", "--time-limit", "1s", &endless]);
    assert_eq!(output.status.code(), Some(20), "{}", text(&output.stderr));
    assert_eq!(text(&output.stdout), "verdict: unknown(time limit)\n");
}

/// Reading a large program takes longer than the limit: what was asked for is there all the same.
#[test]
fn files_are_written_while_the_program_is_still_read() {
    let folder = Folder::new("large");
    let function =
        |i: u32| format!("int f{i}(int x) {{ int a[4] = {{x}}; for (int i = 0; i < 4; i++) a[i] += x % {}; return a[3]; }}\n", i + 1);
    let mut program: String = (0..20_000).map(function).collect();
    program.push_str("int main(void) { return f1(2); }\n");
    let large = folder.file("large.c", &program);
    let [report, sarif] = ["large.html", "large.sarif"].map(|name| folder.file(name, ""));
    let output = assay(&["verify", "--json", "--time-limit", "100ms", "--report", &report, "--sarif", &sarif, &large]);
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&document["verdict"], &document["reason"]), (&"unknown".into(), &"time limit".into()));
    assert!(document["checks"].is_object() && document["properties"].is_array(), "{document:#}");
    assert!(std::fs::read_to_string(report).unwrap().contains("unknown"));
    assert!(std::fs::read_to_string(sarif).unwrap().contains("\"2.1.0\""));
}

#[test]
fn the_memory_limit_is_kept() {
    let folder = Folder::new("memory");
    let endless = folder.file("endless.c", ENDLESS);
    let output = assay(&["verify", "--quiet", "--time-limit", "60s", "--memory-limit", "60MB", &endless]);
    assert_eq!(output.status.code(), Some(20), "{}", text(&output.stderr));
    let verdict = text(&output.stdout);
    assert!(verdict == "verdict: unknown(memory limit)\n" || verdict == "verdict: unknown(time limit)\n", "{verdict}");
}

#[test]
fn a_signal_is_answered_at_once() {
    let folder = Folder::new("signal");
    let endless = folder.file("endless.c", ENDLESS);
    let mut command = Command::new(env!("CARGO_BIN_EXE_assay"));
    command.args(["verify", "--quiet", "--time-limit", "60s", &endless]).stdout(Stdio::piped()).stderr(Stdio::null());
    let child = command.spawn().unwrap();
    std::thread::sleep(Duration::from_millis(700));
    let begin = Instant::now();
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(text(&output.stdout), "verdict: unknown(interrupted)\n");
    assert_eq!(output.status.code(), Some(20));
    assert!(begin.elapsed() < Duration::from_secs(5));
}

#[test]
fn another_solver_answers() {
    let folder = Folder::new("solver");
    let violated = folder.file("unsafe.c", UNSAFE);
    let verify = |solver: &str| assay(&["verify", "--config", "symbolic", "--set", &format!("solver={solver}"), &violated]);
    let unknown = verify("nonesuch");
    assert_eq!(unknown.status.code(), Some(2), "{}", text(&unknown.stdout));
    assert!(text(&unknown.stderr).contains("`assay solvers`"), "{}", text(&unknown.stderr));
    assert_eq!(verify("embedded").status.code(), Some(10));
    if assay_smt::list_backends().iter().any(|listed| listed.name == "z3" && listed.open().is_ok()) {
        assert_eq!(verify("z3").status.code(), Some(10));
    } else {
        let required = std::env::var("ASSAY_REQUIRE").is_ok_and(|tools| tools.split(',').any(|tool| tool == "z3"));
        assert!(!required, "ASSAY_REQUIRE asks for Z3, and there is none");
        eprintln!("skipped: there is no Z3");
    }
}

#[test]
fn the_other_commands_answer() {
    let folder = Folder::new("others");
    let violated = folder.file("unsafe.c", UNSAFE);
    for (arguments, status, part) in [
        (vec!["help"], 0, "commands:"),
        (vec!["help", "verify"], 0, "--time-limit"),
        (vec!["verify", "--help"], 0, "--time-limit"),
        (vec!["version"], 0, "assay "),
        (vec!["--version"], 0, "assay "),
        (vec!["configs"], 0, "(default)"),
        (vec!["configs"], 0, "value+predicate"),
        (vec!["configs", "value"], 0, "description"),
        (vec!["solvers"], 0, "embedded"),
        (vec!["completions", "fish"], 0, "complete -c assay"),
        (vec!["cfa", &violated], 0, "function main"),
        (vec!["cfa", "--format", "dot", &violated], 0, "digraph"),
        (vec!["cfa", "--format", "summary", &violated], 0, "functions: "),
        (vec!["features", &violated], 0, "inputs"),
        (vec!["features", "--json", &violated], 0, "\"inputs\": 1"),
        (vec!["interpret", "-i", "7", &violated], 10, "violation of unreach-call"),
        (vec!["interpret", "-i", "8", "--trace", &violated], 0, "the program ended"),
    ] {
        let output = assay(&arguments);
        assert_eq!(output.status.code(), Some(status), "{arguments:?}: {}", text(&output.stderr));
        assert!(text(&output.stdout).contains(part), "{arguments:?}: {}", text(&output.stdout));
    }
}

#[test]
fn the_interpreter_detects_undefined_behaviour() {
    let folder = Folder::new("undefined");
    let input = "extern int __VERIFIER_nondet_int(void);\nextern void *malloc(unsigned long);\nextern void free(void *);\n";
    let file = |name: &str, body: &str| folder.file(name, format!("{input}int main(void) {{\n{body}\n}}\n"));
    let division = file("division.c", "  int a = __VERIFIER_nondet_int();\n  return 10 / a;");
    let bounds = file("bounds.c", "  int a[3] = {0}, i = __VERIFIER_nondet_int();\n  a[i] = 1;\n  return a[0];");
    let freed = file("freed.c", "  int *p = malloc(4);\n  *p = 1;\n  free(p);\n  return *p;");
    let overflow = file("overflow.c", "  int a = __VERIFIER_nondet_int();\n  return a + 1;");
    for (arguments, status, part) in [
        (vec!["interpret", "-i", "0", &division], 20, "undefined behaviour (division by zero) at "),
        (vec!["interpret", "-i", "2", &division], 0, "the program ended"),
        (vec!["interpret", "-i", "3", &bounds], 20, "undefined behaviour (access outside of any live object) at "),
        (vec!["interpret", "-i", "2", &bounds], 0, "the program ended"),
        (vec!["interpret", &freed], 20, "undefined behaviour (access outside of any live object) at "),
        (vec!["interpret", "-p", "valid-memsafety", &freed], 10, "freed.c:8:"),
        (vec!["interpret", "-i", "2147483647", &overflow], 0, "the program ended"),
        (vec!["interpret", "-p", "no-overflow", "-i", "2147483647", &overflow], 10, "violation of no-overflow at "),
    ] {
        let output = assay(&arguments);
        assert_eq!(output.status.code(), Some(status), "{arguments:?}: {}", text(&output.stdout));
        assert!(text(&output.stdout).contains(part), "{arguments:?}: {}", text(&output.stdout));
    }
}

#[test]
fn the_printed_automaton_is_read_back() {
    let folder = Folder::new("readback");
    for (name, source, status) in [("safe", SAFE, 0), ("unsafe", UNSAFE, 10)] {
        let printed = text(&assay(&["cfa", &folder.file(&format!("{name}.c"), source)]).stdout);
        let automaton = folder.file(&format!("{name}.cfa"), &printed);
        assert_eq!(text(&assay(&["cfa", &automaton]).stdout), printed);
        assert_eq!(assay(&["verify", "--quiet", &automaton]).status.code(), Some(status));
    }
    let bad = folder.file("bad.cfa", "program LP64 $start\nnonsense\n");
    let output = assay(&["verify", &bad]);
    assert_eq!(output.status.code(), Some(3));
    assert!(text(&output.stderr).contains("bad.cfa"), "{}", text(&output.stderr));
}

#[test]
fn the_automaton_can_be_exported_as_json() {
    let folder = Folder::new("cfajson");
    let output = assay(&["cfa", "--format", "json", &folder.file("safe.c", SAFE)]);
    assert!(serde_json::from_slice::<serde_json::Value>(&output.stdout).is_ok());
}

#[test]
fn the_bounded_answer_is_named_as_such() {
    let folder = Folder::new("unwind");
    let program = "extern void reach_error(void);\nint main(void) {\n  for (int i = 0; i < 20; i++)\n    if (i == 9)\n      \
                   reach_error();\n  return 0;\n}\n";
    let (loops, safe) = (folder.file("loops.c", program), folder.file("safe.c", SAFE));
    let verdict = |arguments: &[&str]| text_of_last_line(&assay(&[&["verify", "-p", "unreach-call"], arguments].concat()).stdout);
    assert_eq!(verdict(&["--unwind", "5", &loops]), "verdict: unknown(no violation within 5 rounds of each loop)");
    assert_eq!(verdict(&["--unwind", "12", &loops]), "verdict: false(unreach-call)");
    // Where nothing goes on beyond the bound, the answer is whole.
    assert_eq!(verdict(&["--unwind", "1", &safe]), "verdict: true");
    let output = assay(&["verify", "--unwind", "5", "--config", "value", &loops]);
    assert!(text(&output.stderr).contains("--unwind is an analysis of its own"), "{}", text(&output.stderr));
}

#[test]
fn an_unknown_says_how_far_it_came() {
    let folder = Folder::new("far");
    let program = "extern void reach_error(void);\nextern unsigned __VERIFIER_nondet_uint(void);\nint main(void) {\n  \
                   unsigned n = __VERIFIER_nondet_uint(), sum = 0;\n  for (unsigned i = 0; i < n; i++) {\n    sum += i * i;\n    \
                   if (sum * 7 == 12345677u && i > 90000)\n      reach_error();\n  }\n  return 0;\n}\n";
    let file = folder.file("far.c", program);
    let said = |more: &[&str]| {
        let output = text(&assay(&[&["verify", "-p", "unreach-call", &file], more].concat()).stdout);
        output.lines().find(|line| line.starts_with("so far: ")).unwrap_or_default().to_string()
    };
    assert_eq!(said(&["--unwind", "8"]), "so far: no violation within 8 rounds of each loop");
    // Nothing was stopped: the domain is too coarse, and that is what is said.
    assert_eq!(said(&["--config", "interval"]), "");
}

#[test]
fn long_calls_are_folded_unless_everything_is_asked_for() {
    let folder = Folder::new("path");
    let steps: Vec<String> = (0..70).map(|i| format!("  x = x * 3 + {i};\n  x %= 1000;\n")).collect();
    let program = format!(
        "extern void reach_error(void);\nstatic int busy(int x) {{\n{}  return x;\n}}\nint main(void) {{\n  int x = busy(1);\n  if (x < 1000)\n    \
         reach_error();\n  return 0;\n}}\n",
        steps.concat()
    );
    let file = folder.file("busy.c", program);
    let shown = |more: &[&str]| text(&assay(&[&["verify", "-p", "unreach-call", &file], more].concat()).stdout);
    let folded = shown(&[]);
    assert!(folded.contains("→ busy(x = 1)") && folded.contains("lines (--path full)") && folded.lines().count() < 30, "{folded}");
    let full = shown(&["--path", "full"]);
    assert!(full.lines().count() > 140 && !full.contains("--path full"), "{full}");
}

#[test]
fn large_tables_cost_little() {
    let folder = Folder::new("tables");
    let entries: Vec<String> = (0..100_000u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 8).to_string()).collect();
    let wanted = 77_777u32.wrapping_mul(2_654_435_761) >> 8;
    let program = |condition: &str| {
        format!(
            "extern void reach_error(void);\nstatic const unsigned table[] = {{{}}};\nint main(void) {{\n  if (table[77777] {condition} \
             {wanted}u)\n    reach_error();\n  return 0;\n}}\n",
            entries.join(",")
        )
    };
    let (safe, violated) = (folder.file("safe.c", program("!=")), folder.file("violated.c", program("==")));
    for (file, expected) in [(&safe, "verdict: true"), (&violated, "verdict: false(unreach-call)")] {
        let output = assay(&["verify", "-p", "unreach-call", "--config", "bmc", "--time-limit", "5", "--stats", file]);
        assert_eq!(text_of_last_line(&output.stdout), expected);
        let stats = text(&output.stderr);
        let line = stats.lines().find(|line| line.starts_with("total (CPU)")).unwrap_or_default();
        let seconds: f64 = line.split_whitespace().rev().nth(1).and_then(|word| word.parse().ok()).unwrap_or(f64::MAX);
        // Reading the file is a part of it; an optimised build needs a fraction.
        assert!(seconds < 2.0, "{line}");
    }
}
