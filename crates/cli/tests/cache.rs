//! Summaries on disk: a second run on a changed program explores what depends on the change, says how much it found,
//! and comes to the verdict of a fresh run, whatever happened to the files.

use serde_json::Value;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// A folder of its own for each test, removed at its end.
struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// What a run said.
struct Run {
    verdict: String,
    /// Summaries that were found, and blocks that were explored.
    found: u64,
    explored: u64,
    /// Paths that were found, and blocks that were explored for one.
    paths: u64,
    again: u64,
    /// Whether the violation of an earlier run was found again by its inputs.
    by_inputs: bool,
    refinements: u64,
    /// Summaries that were looked for in vain.
    missing: u64,
    notes: String,
}

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("assay-cache-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    fn verify(&self, program: &str, config: &str, threads: &str) -> Run {
        self.verify_with(program, config, threads, &[])
    }

    fn verify_with(&self, program: &str, config: &str, threads: &str, settings: &[&str]) -> Run {
        let file = self.0.join("program.c");
        std::fs::write(&file, program).unwrap();
        let output = Command::new(env!("CARGO_BIN_EXE_assay"))
            .args([
                "verify",
                "--json",
                "--property",
                "unreach-call",
                "--time-limit",
                "60s",
                "--config",
                config,
                "--threads",
                threads,
                "--cache",
            ])
            .arg(self.0.join("cache"))
            .args(settings.iter().flat_map(|setting| ["--set", setting]))
            .arg(&file)
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let document: Value = serde_json::from_slice(&output.stdout).unwrap();
        let count = |name: &str| document["counters"][name].as_u64().unwrap_or(0);
        Run {
            verdict: document["verdict"].as_str().unwrap_or_default().to_string(),
            found: count("summaries from the cache"),
            explored: count("block summaries"),
            paths: count("paths from the cache"),
            again: count("blocks explored again for paths"),
            by_inputs: count("violations of earlier runs found again") > 0,
            refinements: count("refinements"),
            missing: count("summaries not in the cache"),
            notes: document["notes"].to_string(),
        }
    }

    fn segments(&self) -> Vec<PathBuf> {
        let files = std::fs::read_dir(self.0.join("cache")).unwrap().map(|entry| entry.unwrap().path());
        files.filter(|path| path.extension().is_some_and(|e| e == "seg")).collect()
    }
}

/// Functions with registers, arrays, a structure, heap, a pointer to a local, an input, a loop and recursion.
const PROGRAM: &str = "
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long);
extern void free(void *);
struct pair { int first; int second; };
int table[4] = {1, 2, 3, 4};
int counter;
int sum(void) { int s = 0; for (int i = 0; i < 4; i++) s += table[i]; return s; }
void set(struct pair *p, int a, int b) { p->first = a; p->second = b; }
int fact(int n) { return n <= 1 ? 1 : n * fact(n - 1); }
int heap(int v) { int *p = malloc(sizeof(int)); *p = v; int r = *p + 1; free(p); return r; }
int choose(int x) { if (x > 10) return 1; if (x < 0) return 2; return 3; }
int other(int v) { return v * 2; }
int main(void) {
  struct pair p;
  counter = sum();
  set(&p, counter, 7);
  int c = choose(__VERIFIER_nondet_int());
  counter += other(c);
  if (p.first != 10 || p.second != 7 || fact(5) != 120 || heap(4) != 5 || c < 1 || c > 3) reach_error();
  return 0;
}
";

/// What a block allocates may lie where something dead was, also where the block has no pointer to that: a summary of a
/// call before the object died does not fit one after it.
#[test]
fn a_summary_knows_what_is_dead_around_it() {
    let program = "#include <stdlib.h>\nextern void reach_error(void);\nstatic int *make(void) { return malloc(4); }\n\
                   int main(void) { int *a = make(); int *p = malloc(4); free(p); int *q = make(); if (p == q) reach_error(); return a == q; }\n";
    let folder = Folder::new("dead");
    for config in ["bam-value", "bam-symbolic"] {
        for _ in 0..3 {
            assert_eq!(folder.verify(program, config, "1").verdict, "unknown", "{config}");
        }
    }
}

#[test]
fn a_second_run_finds_everything() {
    for config in ["bam-value", "bam-symbolic", "bam-value-cegar", "bam-symbolic-cegar", "bam-interval", "bam-bdd"] {
        let folder = Folder::new(&format!("second-{config}"));
        let first = folder.verify(PROGRAM, config, "1");
        let second = folder.verify(PROGRAM, config, "2");
        assert_eq!((first.verdict.as_str(), first.found), (second.verdict.as_str(), 0), "{config}: {}", first.notes);
        assert!(second.found > 0 && second.explored * 2 < first.explored, "{config}: {}", second.notes);
    }
}

#[test]
fn changes_redo_what_depends_on_them() {
    let folder = Folder::new("changes");
    let first = folder.verify(PROGRAM, "bam-value", "1");
    assert_eq!(first.verdict, "true", "{}", first.notes);
    let edits = [
        ("return v * 2;", "return v * 3;", "true"),
        ("int counter;", "int counter; int one_more_global; int another[3];", "true"),
        ("struct pair { int first;", "struct pair { char before; int first;", "true"),
        ("if (x < 0) return 2;", "if (x < 0) return 2; if (x == 5) return 1;", "true"),
        ("int r = *p + 1;", "int r = *p + 1; int *q = &r; *q = *q + 0;", "true"),
        ("*p + 1", "*p + 2", "false"),
        ("{1, 2, 3, 4}", "{1, 2, 3, 5}", "false"),
        ("return 3; }", "return 4; }", "false"),
        ("n * fact(n - 1)", "n + fact(n - 1)", "false"),
        ("p->second = b", "p->second = a", "false"),
    ];
    for (old, new, expected) in edits {
        let changed = PROGRAM.replacen(old, new, 1);
        assert_ne!(changed, PROGRAM, "{old}");
        let run = folder.verify(&changed, "bam-value", "1");
        assert_eq!(run.verdict, expected, "{old} -> {new}: {}", run.notes);
        assert!(run.by_inputs || run.found > 0 && run.explored < first.explored, "{old} -> {new}: {}", run.notes);
        // A fixed bug is a proof again.
        assert_eq!(folder.verify(PROGRAM, "bam-value", "1").verdict, "true", "{old} -> {new}, taken back");
    }
}

/// Registers only, in classes that share constants, with a loop: what intervals and decision diagrams keep.
const REGISTERS: &str = "
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int mode;
int level;
int next(int m) { if (m == 3) return 5; if (m == 5) return 9; return 3; }
int other(int v) { return v == 4 ? 1 : 2; }
void climb(void) { level = 0; while (level < 20) level++; }
int main(void) {
  mode = 3;
  climb();
  while (__VERIFIER_nondet_int()) mode = next(mode);
  if (mode != 3 && mode != 5 && mode != 9) reach_error();
  if (level > 20) reach_error();
  return other(mode) - 1;
}
";

#[test]
fn intervals_and_diagrams_redo_what_depends_on_a_change() {
    let edits = [
        // The thresholds of the loop and the codes of the class change with these; other functions are found as far as
        // they do not use them.
        ("v == 4", "v == 6", None),
        ("int mode;", "int mode; int one_more;", None),
        ("return 5;", "return 6;", Some("bam-bdd")),
        ("level < 20", "level < 21", Some("bam-interval")),
    ];
    for config in ["bam-interval", "bam-bdd"] {
        let folder = Folder::new(&format!("domains-{config}"));
        let first = folder.verify(REGISTERS, config, "1");
        for (old, new, breaks) in edits {
            let changed = REGISTERS.replacen(old, new, 1);
            let fresh = Folder::new(&format!("fresh-{config}")).verify(&changed, config, "1");
            let run = folder.verify(&changed, config, "1");
            assert_eq!(run.verdict, fresh.verdict, "{config}: {old} -> {new}: {}", run.notes);
            assert!(run.explored <= fresh.explored, "{config}: {old} -> {new}: {}", run.notes);
            assert!(breaks.is_none_or(|breaks| breaks != config) || run.verdict != "true", "{config}: {old} -> {new}");
            assert_eq!(folder.verify(REGISTERS, config, "2").verdict, first.verdict, "{config}: {old} -> {new}, taken back");
        }
    }
}

/// Regions and predicates are read back under other numbers, by one thread and by two; what changed is explored again.
#[test]
fn predicates_redo_what_depends_on_a_change() {
    let settings = ["blocks=both", "block-size=0"];
    let edits = [
        ("v == 4", "v == 6", "true"),
        ("int mode;", "int before; int mode;", "true"),
        ("return 5;", "return 6;", "false"),
        ("level < 20", "level < 21", "false"),
        ("climb();", "climb(); if (__VERIFIER_nondet_int()) level = 25;", "false"),
    ];
    let folder = Folder::new("predicates");
    let first = folder.verify_with(REGISTERS, "bam-predicate", "1", &settings);
    assert_eq!((first.verdict.as_str(), first.found), ("true", 0), "{}", first.notes);
    for threads in ["1", "2"] {
        let second = folder.verify_with(REGISTERS, "bam-predicate", threads, &settings);
        assert_eq!(second.verdict, "true", "{}", second.notes);
        assert!(second.found > 0 && second.explored * 2 < first.explored, "{}", second.notes);
    }
    for (old, new, expected) in edits {
        let changed = REGISTERS.replacen(old, new, 1);
        let run = folder.verify_with(&changed, "bam-predicate", "1", &settings);
        assert_eq!(run.verdict, expected, "{old} -> {new}: {}", run.notes);
        let again = folder.verify_with(REGISTERS, "bam-predicate", "2", &settings);
        assert_eq!(again.verdict, "true", "{old} -> {new}, taken back: {}", again.notes);
    }
}

/// A new object in the frame of the caller shifts the numbers of others; only blocks that write through pointers can
/// tell.
#[test]
fn objects_elsewhere_do_not_matter() {
    let folder = Folder::new("objects");
    // With small functions as blocks, too.
    let settings = ["block-inlining=0"];
    let first = folder.verify_with(PROGRAM, "bam-value", "1", &settings);
    let changed = PROGRAM.replacen("struct pair p;", "int new_local = 3; int *pointer = &new_local; struct pair p; counter = *pointer;", 1);
    let run = folder.verify_with(&changed, "bam-value", "1", &settings);
    assert_eq!(run.verdict, "true", "{}", run.notes);
    assert!(run.explored <= 4 && run.found >= 5, "{}; first {}", run.notes, first.explored);
    // What is found must not hide what the change brings: here the new object is what the callee writes to.
    let program = "
extern void reach_error(void);
void set(int *p) { *p = 1; }
int get(int *p) { return *p; }
int main(void) { int a = 0; set(&a); if (get(&a) != 1) reach_error(); return 0; }
";
    assert_eq!(folder.verify_with(program, "bam-value", "1", &settings).verdict, "true");
    let changed = program.replacen("int a = 0; set(&a);", "int b = 0; int a = 0; set(&b);", 1);
    assert_eq!(folder.verify_with(&changed, "bam-value", "1", &settings).verdict, "false");
    let changed = program.replacen("int a = 0; set(&a);", "int b = 2; int a = 0; int *q = &b; set(&a); if (*q != 2) reach_error();", 1);
    assert_eq!(folder.verify_with(&changed, "bam-value", "1", &settings).verdict, "true");
}

/// A violation behind summaries of an earlier run is shown without exploring their blocks. (One thread alone keeps what
/// is complete, and in a run that a violation ends nothing is.)
#[test]
fn paths_lead_through_what_was_found() {
    let folder = Folder::new("paths");
    let wrong = PROGRAM.replacen("c > 3) reach_error();", "c > 2) reach_error();", 1);
    let first = folder.verify_with(&wrong, "bam-value", "1", &["engine=parallel", "blocks=both"]);
    // The inputs of the first violation do not lead to this one.
    let wrong = PROGRAM.replacen("c < 1 ||", "c < 2 ||", 1);
    let second = folder.verify_with(&wrong, "bam-value", "1", &["engine=parallel", "blocks=both"]);
    assert_eq!((first.verdict.as_str(), second.verdict.as_str()), ("false", "false"), "{} {}", first.notes, second.notes);
    assert!(second.paths > 0 && second.found > 0 && second.again == 0, "{}", second.notes);
}

/// A table of cases of which most are never taken, a loop in main and one in another function.
const CASES: &str = "
extern void reach_error(void);
int state = 1;
int rare;
int step(int event) {
  if (state == 1 && event == 0) { state = 2; return 1; }
  if (state == 2 && event == 1) { state = 1; return 2; }
  if (state == 7) { rare = 5; state = 8; return 3; }
  if (state == 8) { while (rare > 0) rare = rare - 1; return 4; }
  return 0;
}
int sum(int n) { int s = 0; for (int i = 0; i < n; i++) s += i; return s; }
int main(void) {
  int last = 0;
  for (int i = 0; i < 10; i++) {
    last = step(i % 2);
    if (state > 2) reach_error();
  }
  if (last != 2 || sum(6) != 15) reach_error();
  return 0;
}
";

#[test]
fn code_that_is_never_executed_does_not_matter() {
    let folder = Folder::new("cases");
    let first = folder.verify(CASES, "bam-value", "1");
    assert_eq!(first.verdict, "true", "{}", first.notes);
    for (old, new) in [
        ("state = 8;", "state = 9; rare = 6;"),
        ("rare = 5;", "rare = 5; for (int k = 0; k < 3; k++) rare++;"),
        ("rare > 0", "rare > 1"),
        ("if (state == 8)", "if (state == 8 && event == 2)"),
    ] {
        let run = folder.verify(&CASES.replacen(old, new, 1), "bam-value", "1");
        let (verdict, explored) = (run.verdict.as_str(), run.explored);
        // The last edit is in a condition that is evaluated, as far as `state == 8`; what is behind it is not.
        assert!(verdict == "true" && run.found > 0 && explored == 0, "{old} -> {new}: {}", run.notes);
    }
    for (old, new, verdict) in [
        ("int state = 1;", "int state = 7;", "false"),
        ("state = 2; return 1;", "state = 7; return 1;", "false"),
        ("event == 1", "event == 3", "false"),
        ("return 2;", "return 6;", "false"),
        ("s += i;", "s += i == 5 ? 6 : i;", "false"),
        ("int last = 0;", "int last = 0; int other = 3; while (other > 0) other--;", "true"),
    ] {
        let changed = CASES.replacen(old, new, 1);
        let fresh = Folder::new("cases-fresh").verify(&changed, "bam-value", "1");
        let run = folder.verify(&changed, "bam-value", "1");
        assert_eq!((fresh.verdict.as_str(), run.verdict.as_str()), (verdict, verdict), "{old} -> {new}: {}", run.notes);
        assert!(run.by_inputs || run.explored > 0, "{old} -> {new}: {}", run.notes);
    }
}

#[test]
fn a_run_says_what_it_did_not_find_and_why() {
    let folder = Folder::new("why");
    folder.verify(CASES, "bam-value", "1");
    let run = folder.verify(&CASES.replacen("int s = 0;", "int s = 0; s = n; s = 0;", 1), "bam-value", "1");
    assert_eq!(run.verdict, "true");
    assert!(run.notes.contains("because code changed in") && run.notes.contains("sum"), "{}", run.notes);
    let run = folder.verify(&CASES.replacen("i < 10", "i < 12", 1), "bam-value", "1");
    assert!(run.notes.contains("because code changed in main"), "{}", run.notes);
}

#[test]
fn an_earlier_violation_is_tried_first() {
    let folder = Folder::new("inputs");
    let wrong = "
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int check(int x) { return x == 4711; }
int main(void) {
  int i = __VERIFIER_nondet_int();
  if (check(i)) reach_error();
  return 0;
}
";
    let first = folder.verify(wrong, "bam-symbolic", "1");
    assert!(first.verdict == "false" && !first.by_inputs, "{}", first.notes);
    let edited = wrong.replacen("int i =", "int more = 3; while (more > 0) more--; int i =", 1);
    let run = folder.verify(&edited, "bam-symbolic", "1");
    assert!(run.verdict == "false" && run.by_inputs && run.explored == 0, "{}", run.notes);
    let fixed = wrong.replacen("x == 4711", "x == 4711 && x == 0", 1);
    let run = folder.verify(&fixed, "bam-symbolic", "1");
    assert!(run.verdict == "true" && !run.by_inputs, "{}", run.notes);
    let other = wrong.replacen("x == 4711", "x == 4712", 1);
    let run = folder.verify(&other, "bam-symbolic", "1");
    assert!(run.verdict == "false" && !run.by_inputs, "{}", run.notes);
}

/// Also where nothing is explored by blocks, and by whatever node of a portfolio the violation was found.
#[test]
fn whoever_finds_a_violation_leaves_it_to_later_runs() {
    let wrong = "extern void reach_error(void);\nextern int __VERIFIER_nondet_int(void);\n\
                 int main(void) { if (__VERIFIER_nondet_int() > 7) reach_error(); return 0; }\n";
    for config in ["symbolic", "random", "bmc", "predicate", "auto"] {
        let folder = Folder::new(&format!("whoever-{config}"));
        let first = folder.verify(wrong, config, "1");
        assert!(first.verdict == "false" && !first.by_inputs, "{config}: {}", first.notes);
        assert_eq!(first.notes.contains("explores no blocks"), config != "auto", "{config}: {}", first.notes);
        let run = folder.verify(&format!("int unused;\n{wrong}"), config, "1");
        assert!(run.verdict == "false" && run.by_inputs, "{config}: {}", run.notes);
        assert!(run.notes.contains("the inputs of an earlier run's violation"), "{config}: {}", run.notes);
    }
}

/// A block that is entered again and again before its summary is complete is looked for once.
#[test]
fn the_cache_is_asked_once_for_each_entry() {
    let program = "extern void reach_error(void);\nunsigned total;\n\
                   unsigned work(unsigned x) { for (int i = 0; i < 3; i++) x += i; return x; }\n\
                   int main(void) { for (int i = 0; i < 200; i++) { total = work(i % 4); if (total > 6) reach_error(); } return 0; }\n";
    let folder = Folder::new("once");
    let first = folder.verify(program, "bam-value", "1");
    assert_eq!(first.verdict, "true", "{}", first.notes);
    // The program itself is asked for before anything is explored.
    assert!(first.missing <= first.explored + 1, "{} for {} summaries: {}", first.missing, first.explored, first.notes);
    let again = folder.verify(&program.replacen("total > 6", "total > 7", 1), "bam-value", "1");
    assert!(again.verdict == "true" && again.found >= 4 && again.missing <= again.explored + 1, "{}", again.notes);
}

#[test]
fn runs_that_cannot_use_each_others_summaries_say_so() {
    let folder = Folder::new("others");
    let first = folder.verify(CASES, "bam-value", "1");
    assert!(!first.notes.contains("configuration"), "{}", first.notes);
    let other = folder.verify_with(CASES, "bam-value", "1", &["block-parts=20"]);
    assert!(other.found == 0 && other.notes.contains("another configuration"), "{}", other.notes);
    let again = folder.verify(CASES, "bam-value", "1");
    assert!(again.found > 0 && !again.notes.contains("another configuration"), "{}", again.notes);
}

/// A portfolio says what became of the cache, whichever of its nodes has the verdict.
#[test]
fn a_portfolio_tells_what_its_nodes_did_with_the_cache() {
    let program = "extern void reach_error(void);\nextern unsigned __VERIFIER_nondet_uint(void);\n\
                   int main(void) { unsigned n = __VERIFIER_nondet_uint(), i = 0; while (i < n) i++; if (i != n) reach_error(); return 0; }\n";
    let folder = Folder::new("portfolio");
    let run = folder.verify_with(program, "auto", "1", &[]);
    assert_eq!(run.verdict, "true", "{}", run.notes);
    assert!(run.notes.contains("remembered: the cache had 0 of "), "{}", run.notes);
}

#[test]
fn refinement_begins_with_the_precision_of_an_earlier_run() {
    for config in ["bam-value-cegar", "bam-symbolic-cegar"] {
        let folder = Folder::new(&format!("precision-{config}"));
        let first = folder.verify(CASES, config, "1");
        assert!(first.verdict == "true" && first.refinements > 0, "{config}: {}", first.notes);
        let changed = CASES.replacen("int last = 0;", "int last = 0; int other = 3; while (other > 0) other--;", 1);
        let run = folder.verify(&changed, config, "1");
        assert!(run.verdict == "true" && run.refinements < first.refinements, "{config}: {}", run.notes);
        assert!(run.notes.contains("refinement began with what an earlier run tracked: state, "), "{config}: {}", run.notes);
    }
}

#[test]
fn damage_is_named_and_harmless() {
    let folder = Folder::new("damage");
    let first = folder.verify(PROGRAM, "bam-value", "1");
    for segment in folder.segments() {
        let mut bytes = std::fs::read(&segment).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 0x40;
        bytes.truncate(bytes.len() - 1);
        std::fs::write(&segment, bytes).unwrap();
    }
    let run = folder.verify(PROGRAM, "bam-value", "1");
    assert_eq!((run.verdict.as_str(), run.found, run.explored), ("true", 0, first.explored));
    assert!(run.notes.contains("was not used"), "{}", run.notes);
    // No folder at all.
    std::fs::remove_dir_all(folder.0.join("cache")).unwrap();
    std::fs::write(folder.0.join("cache"), "a file").unwrap();
    let run = folder.verify(PROGRAM, "bam-value", "2");
    assert_eq!(run.verdict, "true");
    assert!(run.notes.contains("cannot be used"), "{}", run.notes);
}

#[test]
fn runs_at_the_same_time_do_not_disturb_each_other() {
    let folder = Folder::new("together");
    std::thread::scope(|scope| {
        let runs: Vec<_> = (0..4)
            .map(|number| {
                let other = Folder(folder.0.join(format!("run-{number}")));
                std::fs::create_dir_all(&other.0).unwrap();
                std::os::unix::fs::symlink(folder.0.join("shared"), other.0.join("cache")).unwrap();
                std::fs::create_dir_all(folder.0.join("shared")).unwrap();
                scope.spawn(move || (0..3).map(|_| other.verify(PROGRAM, "bam-value", "2").verdict).collect::<Vec<_>>())
            })
            .collect();
        for run in runs {
            assert_eq!(run.join().unwrap(), ["true"; 3]);
        }
    });
}

/// Many entries of one function, twice over: the second time, what had left memory is read back.
const MANY: &str = "
extern void reach_error(void);
int sum(int n, int x) { int s = 0; for (int i = 0; i < n; i++) s += x; return s; }
int main(void) {
  for (int x = 0; x < 1500; x++)
    if (sum(4, x) != 4 * x) reach_error();
  for (int x = 0; x < 1500; x++)
    if (sum(4, x) + 1 != 4 * x + 1) reach_error();
  return 0;
}
";

/// Verifies with a folder for temporary files and with so little memory allowed that everything leaves it as soon as it
/// can.
fn without_memory(folder: &Folder, program: &str, threads: &str) -> Command {
    let file = folder.0.join("program.c");
    std::fs::write(&file, program).unwrap();
    std::fs::create_dir_all(folder.0.join("temporary")).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_assay"));
    command.args([
        "verify",
        "--json",
        "--property",
        "unreach-call",
        "--time-limit",
        "60s",
        "--memory-limit",
        "2GB",
        "--config",
        "bam-value",
        "--threads",
        threads,
    ]);
    // Blocks that cost more than they save are kept here: it is their summaries that leave. Rules would make most of
    // them unnecessary.
    command.args(["--set", "drop-graphs=0", "--set", "spill=0", "--set", "engine=parallel", "--set", "blocks=both"]);
    command.args(["--set", "block-rules=0"]).arg(&file);
    command.env("TMPDIR", folder.0.join("temporary")).stdin(Stdio::null());
    command
}

#[test]
fn summaries_leave_memory_and_come_back() {
    let folder = Folder::new("spill");
    let wrong = MANY.replacen("s += x", "s += x == 1400 ? 0 : x", 1);
    for (program, verdict) in [(MANY, "true"), (&wrong, "false")] {
        for threads in ["1", "2"] {
            let output = without_memory(&folder, program, threads).output().unwrap();
            let document: Value = serde_json::from_slice(&output.stdout).unwrap();
            assert_eq!(document["verdict"], verdict, "{}", document["reason"]);
            let count = |name: &str| document["counters"][name].as_u64().unwrap_or(0);
            assert!(count("summaries moved to disk") > 500, "{}", document["counters"]);
            assert!(verdict == "false" || count("summaries read back") > 100, "{}", document["counters"]);
        }
    }
    // However a run ends, nothing is left of what it wrote.
    for moment in [30, 120, 250] {
        let mut child = without_memory(&folder, MANY, "2").stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(std::time::Duration::from_millis(moment));
        let _ = child.kill();
        child.wait().unwrap();
    }
    assert_eq!(std::fs::read_dir(folder.0.join("temporary")).unwrap().count(), 0);
}
