//! The comparison with compilers at a small size: generated programs must compute in the interpreter what gcc's executables compute.
//! `ASSAY_CONFORMANCE` sets how many programs of each comparison are tried (50 by default); nothing is tried where Python or gcc is missing.
//! The nightly size is `benches/conformance.py constructs target/ci/assay --count 20000`.

use std::path::Path;
use std::process::Command;

fn is_there(command: &str) -> bool {
    Command::new(command).arg("--version").output().is_ok_and(|output| output.status.success())
}

#[test]
fn constructs_mean_what_gcc_does() {
    if !is_there("python3") || !is_there("gcc") {
        println!("skipped: there is no Python or no gcc");
        return;
    }
    let count = std::env::var("ASSAY_CONFORMANCE").unwrap_or_else(|_| "50".to_string());
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../benches/conformance.py");
    let output = Command::new("python3")
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .arg(script)
        .args(["constructs", env!("CARGO_BIN_EXE_assay"), "--no-clang", "--seed", "7", "--batch", "50", "--count", &count])
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
}
