//! The stages of the gate. Everything is built in the one profile `ci` (optimised, assertions on), so that a cold run
//! on two cores stays below 30 minutes.

use crate::stage::{Stage, Work};
use crate::tools;
use std::process::Command;

/// The target folder that all stages share.
fn target() -> String {
    std::env::var("CARGO_TARGET_DIR").unwrap_or_else(|_| "target".to_string())
}

fn command(name: &'static str, limit: u64, line: &str, environment: Vec<(&'static str, String)>) -> Stage {
    let words = line.split_whitespace().map(str::to_string).collect();
    Stage { name, limit, work: Work::Command(words, environment) }
}

/// All stages in their order.
fn stages() -> Vec<Stage> {
    let target = target();
    let require = ("ASSAY_REQUIRE", tools::required().join(","));
    let text = |value: &str| value.to_string();
    let mut stages = vec![
        Stage { name: "tools", limit: 900, work: Work::Here(tools::provide) },
        command("format", 60, "cargo fmt --all --check", vec![]),
        command("dependencies", 60, "python3 .ci/dependencies.py", vec![]),
        command("dead code", 60, "python3 .ci/dead_code.py", vec![]),
        command("lints", 600, "cargo clippy --quiet --profile ci --workspace --all-targets --features cluster -- -D warnings", vec![]),
        command(
            "documentation",
            600,
            "cargo doc --quiet --profile ci --workspace --features cluster --no-deps --document-private-items",
            vec![("RUSTDOCFLAGS", text("-D warnings -A rustdoc::private-intra-doc-links"))],
        ),
        Stage { name: "oldest Rust", limit: 600, work: Work::Here(oldest) },
        command("tests", 1400, "cargo test --quiet --profile ci --workspace --features cluster --no-fail-fast", vec![require.clone()]),
        command(
            "interleavings",
            300,
            &format!("cargo test --quiet --package assay-base --lib --target-dir {target}/loom models"),
            vec![("RUSTFLAGS", text("--cfg loom"))],
        ),
        // All presets on a tenth of the verdict programs, another tenth each day of the month.
        command(
            "presets",
            400,
            "cargo test --quiet --profile ci --package assay --features cluster --test verdicts -- --ignored --exact \
             no_preset_is_ever_wrong",
            vec![("ASSAY_TENTH", day()), ("ASSAY_SECONDS", text("240")), require],
        ),
        command("binary", 300, "cargo build --quiet --profile ci --features cluster --bin assay", vec![]),
    ];
    if crate::root().join("../shared/tasks").is_dir() {
        stages.push(command("smoke score", 500, &format!("python3 .ci/smoke.py {target}/ci/assay"), vec![]));
    }
    stages
}

/// Prints the stages with their limits.
pub(crate) fn list() -> bool {
    stages().iter().for_each(|stage| println!("{:14} {:5} s", stage.name, stage.limit));
    true
}

/// Runs the stages of these names, or all.
pub(crate) fn run(names: &[&str]) -> bool {
    let stages = stages();
    if let Some(unknown) = names.iter().find(|name| !stages.iter().any(|stage| stage.name == **name)) {
        eprintln!("the gate has no stage `{unknown}`: `cargo xtask stages` lists them");
        return false;
    }
    let chosen = stages.iter().filter(|stage| names.is_empty() || names.contains(&stage.name));
    let failed: Vec<&str> = chosen.filter(|stage| !stage.run()).map(|stage| stage.name).collect();
    match failed.as_slice() {
        [] => println!("all stages passed"),
        failed => println!("FAILED: {}", failed.join(", ")),
    }
    failed.is_empty()
}

/// The day of the month.
fn day() -> String {
    let said = Command::new("date").arg("+%-d").output();
    said.ok().and_then(|said| String::from_utf8(said.stdout).ok()).map_or("1".to_string(), |day| day.trim().to_string())
}

/// The oldest Rust that Cargo.toml promises builds everything. Without a path to get it there is nothing to check with,
/// and the stage says so. It is also the only stage that builds what a build without the cluster has in its place.
fn oldest() -> Result<String, String> {
    let manifest = std::fs::read_to_string(crate::root().join("Cargo.toml")).map_err(|error| error.to_string())?;
    let line = manifest.lines().find_map(|line| line.strip_prefix("rust-version = \""));
    let version = line.and_then(|rest| rest.strip_suffix('"')).ok_or("Cargo.toml has no rust-version")?;
    let listed = Command::new("rustup").args(["toolchain", "list"]).output().map(|said| String::from_utf8_lossy(&said.stdout).to_string());
    let is_there = listed.is_ok_and(|listed| listed.lines().any(|line| line.starts_with(version)));
    let install = ["200", "rustup", "toolchain", "install", version, "--profile", "minimal", "--no-self-update"];
    if !is_there && !Command::new("timeout").args(install).output().is_ok_and(|said| said.status.success()) {
        return Ok(format!("skipped: Rust {version} cannot be installed here\n"));
    }
    let (toolchain, folder) = (format!("+{version}"), format!("{}/oldest", target()));
    for package in [&["--workspace"][..], &["--package", "assay-cluster", "--features", "cluster"]] {
        let arguments = [&[toolchain.as_str(), "check", "--quiet", "--target-dir", folder.as_str()], package].concat();
        if !crate::run("cargo", &arguments, &[]) {
            return Err(format!("Rust {version} does not build it"));
        }
    }
    Ok(String::new())
}
