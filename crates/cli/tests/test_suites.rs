//! `assay tests` from outside: the suites it writes are run by a compiler's coverage tool, where there is one, with a
//! harness that feeds the inputs in order.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A folder of its own for each test, removed at its end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("assay-suite-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn assay(folder: &Folder, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_assay")).args(arguments).current_dir(&folder.0).stdin(Stdio::null()).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The inputs of the test cases in a folder, in the order of their names.
fn suite(folder: &Path) -> Vec<Vec<String>> {
    let mut names: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    names.retain(|path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("testcase-")));
    names.sort();
    let inputs = |path: &PathBuf| {
        let content = std::fs::read_to_string(path).unwrap();
        assert!(content.contains("<!DOCTYPE testcase PUBLIC"), "{content}");
        let values = content.split("<input").skip(1).map(|part| {
            let value = part.split('>').nth(1).unwrap();
            value.split('<').next().unwrap().to_string()
        });
        values.collect()
    };
    names.iter().map(inputs).collect()
}

/// Compiles the program for coverage with a harness that reads its inputs from the command line's environment, runs
/// every test case, and gives what gcov says: the branches and how many of them were taken. `None` where there is no
/// compiler or no gcov.
fn gcov(folder: &Path, tests: &[Vec<String>]) -> Option<(f64, u32)> {
    let harness = r#"
extern char *getenv(const char *);
extern double strtod(const char *, char **);
extern long long strtoll(const char *, char **, int);
static char *at;
static int started;
static char *next(void) {
  if (!started) { started = 1; at = getenv("INPUTS"); }
  return at;
}
static long long integer(void) { char *from = next(); return from && *from ? strtoll(from, &at, 10) : 0; }
int __VERIFIER_nondet_int(void) { return (int)integer(); }
unsigned __VERIFIER_nondet_uint(void) { return (unsigned)integer(); }
char __VERIFIER_nondet_char(void) { return (char)integer(); }
_Bool __VERIFIER_nondet_bool(void) { return integer() != 0; }
double __VERIFIER_nondet_double(void) { char *from = next(); return from && *from ? strtod(from, &at) : 0; }
"#;
    std::fs::write(folder.join("harness.c"), harness).unwrap();
    let run = |program: &str, arguments: &[&str]| Command::new(program).args(arguments).current_dir(folder).output();
    run("gcov", &["--version"]).ok()?;
    for part in [&["--coverage", "-c", "program.c"][..], &["-c", "harness.c"], &["--coverage", "program.o", "harness.o", "-o", "program"]] {
        let compiled = run("gcc", &[&["-w", "-O0", "-fwrapv"], part].concat()).ok()?;
        assert!(compiled.status.success(), "{}", text(&compiled.stderr));
    }
    for inputs in tests {
        let status = Command::new(folder.join("program")).current_dir(folder).env("INPUTS", inputs.join(" ")).status();
        assert!(status.is_ok());
    }
    let report = text(&run("gcov", &["-b", "program.c"]).ok()?.stdout);
    let line = report.lines().find(|line| line.starts_with("Taken at least once:"))?;
    let (share, count) = line.trim_start_matches("Taken at least once:").split_once("% of ")?;
    Some((share.parse().ok()?, count.parse().ok()?))
}

const PROGRAM: &str = r#"
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern char __VERIFIER_nondet_char(void);
extern double __VERIFIER_nondet_double(void);

static int grade(int points) {
  if (points < 0)
    return -1;
  if (points >= 90)
    return 1;
  if (points >= 50)
    return 2;
  return 3;
}

static unsigned secret(unsigned x) {
  if (x * 2654435761u == 123456789u)
    return 1;
  return 0;
}

int main(void) {
  int total = 0;
  for (int i = 0; i < 3; i++) {
    int points = __VERIFIER_nondet_int();
    switch (grade(points)) {
    case 1:
      total += 3;
      break;
    case 2:
      total += 1;
      break;
    case 3:
      break;
    default:
      return 1;
    }
  }
  if (total == 7)
    total = 0;
  char c = __VERIFIER_nondet_char();
  if (c == 'x')
    total++;
  double d = __VERIFIER_nondet_double();
  if (d > 0.5)
    if (d < 0.5001)
      total++;
  if (secret(__VERIFIER_nondet_uint()))
    total++;
  return total;
}
"#;

#[test]
fn every_branch_is_covered_as_the_compiler_counts() {
    let folder = Folder::new("branches");
    std::fs::write(folder.0.join("program.c"), PROGRAM).unwrap();
    let output = assay(&folder, &["tests", "--time-limit", "60s", "-o", "suite", "program.c"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let report = text(&output.stdout);
    assert!(report.contains("every branch is covered"), "{report}");
    assert!(report.contains("(100.0%)"), "{report}");
    let metadata = std::fs::read_to_string(folder.0.join("suite/metadata.xml")).unwrap();
    for part in ["<sourcecodelang>C</sourcecodelang>", "COVER EDGES(@DECISIONEDGE)", "<architecture>64bit</architecture>", "program.c"] {
        assert!(metadata.contains(part), "{metadata}");
    }
    let tests = suite(&folder.0.join("suite"));
    assert!(tests.len() >= 3 && tests.len() <= 20, "{tests:?}");
    if let Some((share, count)) = gcov(&folder.0, &tests) {
        assert!(count >= 20, "{count} branches");
        assert_eq!(share, 100.0, "{tests:?}");
    }
}

#[test]
fn what_no_input_reaches_is_said_to_be_so() {
    let folder = Folder::new("dead");
    let program = "extern int __VERIFIER_nondet_int(void);\nint main(void) {\n  int x = __VERIFIER_nondet_int();\n  if (x > 5) {\n    \
                   if (x < 3)\n      return 1;\n  }\n  return 0;\n}\n";
    std::fs::write(folder.0.join("program.c"), program).unwrap();
    let output = assay(&folder, &["tests", "-o", "suite.zip", "--json", "program.c"]);
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((document["branches"].as_u64(), document["covered"].as_u64()), (Some(4), Some(3)), "{document}");
    assert!(document["end"].as_str().unwrap().starts_with("every path was followed"), "{document}");
    assert_eq!(document["open"][0].as_str().unwrap(), "program.c:5:5: true", "{document}");
    let archive = std::fs::read(folder.0.join("suite.zip")).unwrap();
    assert!(archive.starts_with(b"PK\x03\x04"));
    if let Ok(listed) = Command::new("unzip").args(["-t", "suite.zip"]).current_dir(&folder.0).output() {
        assert!(listed.status.success(), "{}", text(&listed.stdout));
    }
}

#[test]
fn an_error_call_gets_one_test() {
    let folder = Folder::new("error");
    let program = "extern void reach_error(void);\nextern int __VERIFIER_nondet_int(void);\nint main(void) {\n  \
                   int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();\n  if (x > 100 && y == x * 3)\n    reach_error();\n  return 0;\n}\n";
    std::fs::write(folder.0.join("program.c"), program).unwrap();
    std::fs::write(folder.0.join("error.prp"), "COVER( init(main()), FQL(COVER EDGES(@CALL(reach_error))) )\n").unwrap();
    let output = assay(&folder, &["tests", "-p", "error.prp", "-o", "suite", "program.c"]);
    assert_eq!((output.status.code(), text(&output.stdout).contains("reach_error is called")), (Some(0), true), "{output:?}");
    let tests = suite(&folder.0.join("suite"));
    assert_eq!(tests.len(), 1);
    let numbers: Vec<i32> = tests[0].iter().map(|value| value.parse().unwrap()).collect();
    assert!(numbers[0] > 100 && numbers[1] == numbers[0].wrapping_mul(3), "{numbers:?}");
    // A second run into the same folder leaves no test of the first.
    let safe = program.replace("x > 100", "x > 100 && x < 50");
    std::fs::write(folder.0.join("program.c"), safe).unwrap();
    let output = assay(&folder, &["tests", "-p", "error.prp", "-o", "suite", "program.c"]);
    assert!(text(&output.stdout).contains("reach_error is never called"), "{output:?}");
    assert!(suite(&folder.0.join("suite")).is_empty());
}

#[test]
fn a_time_limit_leaves_what_was_found() {
    let folder = Folder::new("limit");
    let program = "extern unsigned __VERIFIER_nondet_uint(void);\nint main(void) {\n  unsigned x = __VERIFIER_nondet_uint(), i = 0;\n  \
                   while (1) {\n    x = x * 1664525u + 1013904223u;\n    i++;\n    if (x == 12345u && i == 4000000000u)\n      return 1;\n  }\n}\n";
    std::fs::write(folder.0.join("program.c"), program).unwrap();
    let output = assay(&folder, &["tests", "-t", "2s", "-o", "suite", "program.c"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(text(&output.stdout).contains("stopped: time limit"), "{output:?}");
    assert!(!suite(&folder.0.join("suite")).is_empty());
}
