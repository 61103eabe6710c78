//! The example of the front page does what it says.

#[allow(dead_code)]
#[path = "../examples/embed.rs"]
mod embed;

use assay_base::CancelToken;
use assay_cfa::{Program, Property};
use assay_driver::{Asked, Error, Events, Request, Session, Verdict};
use assay_results::{Counterexample, NoProgress, Progress, ProgressSink};
use std::path::PathBuf;
use std::sync::Mutex;
use std::time::Duration;

fn example(name: &str) -> String {
    format!("{}/../../examples/{name}", env!("CARGO_MANIFEST_DIR"))
}

/// A file of its own for a test.
fn program(name: &str, text: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("assay-driver-{}-{name}", std::process::id()));
    std::fs::write(&path, text).unwrap();
    path
}

/// Runs on a stack that is large enough for any analysis.
fn deep<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(256 << 20).spawn_scoped(scope, work);
        thread.unwrap().join().unwrap()
    })
}

#[test]
fn the_example_prints_findings() {
    let text = deep(|| embed::findings([example("lock.c")])).unwrap();
    assert_eq!(text, "true\n");
    let text = deep(|| embed::findings([example("midpoint.c")])).unwrap();
    assert!(text.contains("midpoint.c:") && text.ends_with("false(no-overflow)\n"), "{text}");
    assert!(include_str!("../examples/embed.rs").lines().count() <= 30);
}

#[test]
fn an_input_that_cannot_be_read_is_an_error_and_no_verdict() {
    assert!(matches!(deep(|| embed::findings(["no such file.c".to_string()])), Err(Error::Source { .. })));
}

/// Remembers what is told while a session runs.
#[derive(Default)]
struct Told(Mutex<Vec<String>>);

impl ProgressSink for Told {
    fn report(&self, _: &Progress<'_>) {}
}

impl Events for Told {
    fn violation(&self, _: &Program, violation: &Counterexample) {
        self.0.lock().unwrap().push(violation.target.name().to_string());
    }
}

#[test]
fn findings_are_told_as_they_come() {
    let path = program("two.c", "int main(int c, char **v) { int a = 7 / (c - 1); return a << (c + 90); }\n");
    let (report, told) = deep(|| {
        let mut request = Request::new([&path]).unwrap();
        request.limits.cpu_time = Some(Duration::from_secs(60));
        let told = Told::default();
        let report = Session::open(request, CancelToken::new()).unwrap().run(&told).unwrap();
        (report, told.0.into_inner().unwrap())
    });
    let mut found: Vec<String> = report.violations().map(|one| one.target.name().to_string()).collect();
    assert_eq!(told[0], found[0]);
    found.retain(|name| !told.contains(name));
    assert_eq!((report.checks.violated.len() >= 2, found), (true, vec![]));
    let _ = std::fs::remove_file(path);
}

#[test]
fn limits_of_a_request_stop_the_session() {
    // Collatz with an unbounded number: no analysis decides it.
    let text = "unsigned __VERIFIER_nondet_uint(void); void reach_error(void);\n\
                int main(void) { unsigned n = __VERIFIER_nondet_uint(), s = 0; while (n > 1) { n = n % 2 ? 3 * n + 1 : n / 2; s++; }\n\
                if (s == 77777) reach_error(); return 0; }\n";
    let path = program("collatz.c", text);
    let verdict = deep(|| {
        let mut request = Request::new([&path]).unwrap();
        request.asked = vec![Asked::ErrorCall];
        let used = (request.meters.cpu_time)();
        request.limits.cpu_time = Some(used + Duration::from_secs(2));
        Session::open(request, CancelToken::new()).unwrap().run(&Told::default()).unwrap().outcome.verdict
    });
    assert!(matches!(verdict, Verdict::Unknown(_)), "{verdict}");
    let _ = std::fs::remove_file(path);
}

#[test]
fn error_functions_come_from_the_program_and_not_from_its_text() {
    let text = "/* reach_error is only spoken of, as is assert */ void __VERIFIER_error(void);\n\
                int main(int c, char **v) { if (c > 3) __VERIFIER_error(); return 0; }\n";
    let path = program("mentioned.c", text);
    let properties = deep(|| {
        let mut request = Request::new([&path]).unwrap();
        request.asked = vec![Asked::ErrorCall];
        Session::open(request, CancelToken::new()).unwrap().properties().to_vec()
    });
    assert_eq!(properties, [Property::UnreachCall { function: "__VERIFIER_error".to_string() }]);
    let _ = std::fs::remove_file(path);
}

/// The kinds of checks that are violated, and how many are proved and open.
fn checks_of(name: &str, text: &str) -> (Vec<&'static str>, usize, usize, Verdict) {
    let path = program(name, text);
    let report = deep(|| {
        let mut request = Request::new([&path]).unwrap();
        request.limits.cpu_time = Some((request.meters.cpu_time)() + Duration::from_secs(40));
        Session::open(request, CancelToken::new()).unwrap().run(&NoProgress).unwrap()
    });
    let _ = std::fs::remove_file(path);
    let mut violated: Vec<_> = report.checks.violated.iter().map(|(kind, _)| kind.name()).collect();
    violated.sort_unstable();
    // Each violation is told with a path of its own.
    assert_eq!(report.violations().filter(|violation| !report.place(*violation).is_empty()).count(), violated.len());
    (violated, report.checks.proved.len(), report.checks.open().count(), report.outcome.verdict)
}

#[test]
fn one_check_takes_nothing_from_another() {
    // The null pointer is behind the uninitialised value on every path.
    let (violated, _, open, _) = checks_of("behind.c", "int main(void) { int x, *p = 0; if (x) return 1; return *p; }\n");
    assert_eq!((violated, open), (vec!["no-uninitialised-read", "valid-deref"], 0));
    // Bytes that a bit-field shares are not decided; all else is.
    let text = "#include <stdlib.h>\nstruct b { unsigned x : 3, y : 5; int z : 7; };\n\
                int main(void) { struct b *p = malloc(sizeof *p); p->x = 3; p->y = 9; p->z = -2; int r = p->x + p->y + p->z; free(p); \
                return r; }\n";
    let (violated, proved, open, _) = checks_of("fields.c", text);
    assert!(violated.is_empty() && proved >= 7 && open <= 1, "{violated:?} {proved} {open}");
}

#[test]
fn without_the_functions_nothing_is_proved() {
    let (.., verdict) = checks_of("missing.c", "void helper(int);\nint main(void) { helper(3); return 0; }\n");
    assert!(verdict.to_string().contains("helper has no body"), "{verdict}");
    let (.., verdict) = checks_of("nothing.c", "int main(void) { return 0; }\n");
    assert!(verdict.is_true(), "{verdict}");
}
