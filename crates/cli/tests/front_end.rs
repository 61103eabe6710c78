//! What the front end accepts, from outside: deep nesting, versions of C, several files, models of the user's.

use std::path::PathBuf;
use std::process::Command;

/// Writes files into a folder of this test's own.
fn folder(test: &str, files: &[(&str, &str)]) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("assay-front-end-{test}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    for (name, text) in files {
        let path = folder.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    folder
}

/// The last line of a run in a folder, which is removed.
fn last_line(folder: PathBuf, arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_assay")).current_dir(&folder).args(arguments).output().unwrap();
    std::fs::remove_dir_all(folder).unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    text.lines().rfind(|line| !line.trim().is_empty()).unwrap_or_default().to_string()
}

const REACH: &str = "extern void reach_error(void);\n";

#[test]
fn deep_nesting_means_what_it_says() {
    let n = 4_900;
    let close = "}".repeat(n);
    let programs = [
        format!(
            "int g; int main(void) {{ int x = 0; {} {close} if (x != {n}) reach_error(); return 0; }}",
            "if (g == 0) { x++; ".repeat(n)
        ),
        format!("int main(void) {{ int x = 0; {} {close} if (x != {n}) reach_error(); return 0; }}", "{ int y = x + 1; x = y; ".repeat(n)),
        format!(
            "int g; int main(void) {{ int x = 0; {} x += 5; {close} if (x != {n} + 5) reach_error(); return 0; }}",
            "if (g) { x = 9; } else { x++; ".repeat(n)
        ),
        format!("int g; int main(void) {{ int x = g; x = {}1{}; if (x != 1) reach_error(); return 0; }}", "(x + ".repeat(n), ")".repeat(n)),
        format!(
            "int g; int main(void) {{ int x = 0; {} {} if (x != 1000) reach_error(); return 0; }}",
            "switch (g) { case 0: x++; while (1) { ".repeat(1_000),
            "break; } }".repeat(1_000)
        ),
    ];
    for program in programs {
        let said = last_line(folder("deep", &[("a.c", &format!("{REACH}{program}"))]), &["interpret", "a.c"]);
        assert!(said.starts_with("the program ended"), "{said}");
    }
}

#[test]
fn nesting_that_is_not_understood_is_told() {
    let blocks = format!("int main(void) {} {}", "{".repeat(6_000), "}".repeat(6_000));
    let folder = folder("told", &[("a.c", &blocks)]);
    let output = Command::new(env!("CARGO_BIN_EXE_assay")).current_dir(&folder).args(["interpret", "a.c"]).output().unwrap();
    std::fs::remove_dir_all(folder).unwrap();
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.code() == Some(3) && text.contains("nested more deeply than"), "{text}");
}

#[test]
fn c23_is_read_where_it_is_asked_for() {
    let program = format!(
        "{REACH}constexpr int k = 4; static_assert(k == 4);\n\
         [[nodiscard]] static int f([[maybe_unused]] int x) {{ return 0b101 + 1'000; }}\n\
         enum e : unsigned char {{ A, B = 255 }};\n\
         int main() {{ bool b = true; typeof(b) c = false; auto z = 3L; int *p = nullptr; int a[k] = {{}};\n\
         if (!b || c || p != nullptr || a[3] || sizeof(z) != sizeof(long) || f(1) != 1005 || sizeof(enum e) != 1) reach_error(); return 0; }}\n"
    );
    let files: [(&str, &str); 1] = [("a.c", &program)];
    assert!(last_line(folder("c23", &files), &["interpret", "--std", "c23", "a.c"]).starts_with("the program ended"));
    assert!(!last_line(folder("c17", &files), &["interpret", "--std", "c17", "a.c"]).starts_with("the program ended"));
}

#[test]
fn embedded_files_are_read_or_told() {
    let program = format!(
        "{REACH}int x[] = {{\n#embed \"data\"\n}};\nint main(void) {{ if (x[1] != 'b' || sizeof x != 8) reach_error(); return 0; }}\n"
    );
    let there = folder("embed", &[("a.c", &program), ("data", "ab")]);
    assert!(last_line(there, &["interpret", "--std", "c23", "a.c"]).starts_with("the program ended"));
    let missing = folder("no-embed", &[("a.c", &program)]);
    assert!(last_line(missing, &["interpret", "--std", "c23", "a.c"]).contains("`#embed` resource"));
}

#[test]
fn files_are_linked() {
    let one = format!(
        "{REACH}int g; static int h(void) {{ return 1; }} int f(void); int main(void) {{ g = 3; if (f() + h() != 6) reach_error(); return 0; }}"
    );
    let two = "extern int g; static int h(void) { return 2; } int f(void) { return g + h(); }";
    let files: [(&str, &str); 2] = [("one.c", &one), ("two.c", two)];
    assert!(last_line(folder("link", &files), &["interpret", "one.c", "two.c"]).starts_with("the program ended"));
}

#[test]
fn models_of_the_users_give_bodies() {
    let program = format!("{REACH}int twice(int x); int main(void) {{ if (twice(21) != 42) reach_error(); return 0; }}");
    let files: [(&str, &str); 2] = [("a.c", &program), ("models/twice.c", "int twice(int x) { return 2 * x; }")];
    assert!(last_line(folder("models", &files), &["interpret", "--models", "models", "a.c"]).starts_with("the program ended"));
    let said = last_line(folder("no-models", &files), &["verify", "--property", "unreach-call", "a.c"]);
    assert_eq!(said, "verdict: false(unreach-call)");
}
