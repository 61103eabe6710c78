//! The comparisons with compilers, the C library and sanitizers at a small size. `ASSAY_CONFORMANCE` sets how many
//! generated programs are tried (50 by default); nothing is tried where a tool is missing. The nightly sizes are in
//! `benches/results/2026-11-16-conformance-nightly.md`.

use std::path::Path;
use std::process::Command;

fn is_there(command: &str) -> bool {
    Command::new(command).arg("--version").output().is_ok_and(|output| output.status.success())
}

/// Runs one comparison; without the tools that it needs it is skipped.
fn compare(tools: &[&str], arguments: &[&str]) {
    if let Some(missing) = ["python3", "gcc"].iter().chain(tools).find(|tool| !is_there(tool)) {
        println!("skipped: there is no {missing}");
        return;
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../benches/conformance.py");
    let mut command = Command::new("python3");
    command.env("PYTHONDONTWRITEBYTECODE", "1").arg(script).arg(arguments[0]).arg(env!("CARGO_BIN_EXE_assay")).args(&arguments[1..]);
    let output = command.output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
}

/// Whether gcc can make programs with AddressSanitizer.
fn has_sanitizer() -> bool {
    let target = std::env::temp_dir().join(format!("assay-sanitizer-{}", std::process::id()));
    let source = target.with_extension("c");
    std::fs::write(&source, "int main(void) { return 0; }").unwrap();
    let built = Command::new("gcc").args(["-fsanitize=address", "-o"]).arg(&target).arg(&source).output();
    let works = built.is_ok_and(|output| output.status.success()) && Command::new(&target).status().is_ok_and(|status| status.success());
    let _ = std::fs::remove_file(&target);
    let _ = std::fs::remove_file(&source);
    works
}

#[test]
fn constructs_mean_what_gcc_does() {
    let count = std::env::var("ASSAY_CONFORMANCE").unwrap_or_else(|_| "50".to_string());
    compare(&[], &["constructs", "--no-clang", "--seed", "7", "--batch", "50", "--count", &count]);
}

#[test]
fn models_give_what_the_library_gives() {
    compare(&[], &["library", "--arguments", "4", "--seed", "7", "--batch", "60", "--count", "60"]);
}

#[test]
fn memory_is_as_safe_as_the_sanitizer_says() {
    if !has_sanitizer() {
        println!("skipped: gcc has no AddressSanitizer");
        return;
    }
    compare(&["clang"], &["memory", "--seed", "7", "--count", "12", "--presets", "0"]);
}

#[test]
fn checks_are_what_the_sanitizers_see() {
    if !has_sanitizer() {
        println!("skipped: gcc has no AddressSanitizer");
        return;
    }
    for check in ["no-index-out-of-bounds", "no-bit-count-of-zero"] {
        compare(&[], &["checks", "--no-clang", "--check", check]);
    }
}
