//! What developers run, as one command: `cargo xtask gate`, `score`, `experiments`, `reference`, `hook`,
//! `commit-check`. Each task is a list of programs with arguments; what needs thought is in those programs.

mod gate;
mod hook;
mod stage;
mod tools;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

const HELP: &str = "cargo xtask TASK

  gate [STAGE...]      everything that must pass before a change lands; `.ci/run` calls it. With names, these stages only
  stages               the stages of the gate with their limits
  score [OPTION...]    builds a release and runs the scoreboard on ../shared/tasks with these options
                       (--sample 100 --time 10 where none are given)
  experiments NAME...  the experiments of the papers: benches/experiments.py
  reference            writes the generated pages and golden outputs anew; read the diff
  hook                 installs the checks before a commit (format, subject, lines) in this clone
  commit-check FILE    what the hook runs: FILE has the message
";

/// The root of the repository.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().map(Path::to_path_buf).unwrap_or_default()
}

/// Runs a program in the root; whether it succeeded.
fn run(program: &str, arguments: &[&str], environment: &[(&str, &str)]) -> bool {
    let mut command = Command::new(program);
    command.args(arguments).current_dir(root()).envs(environment.iter().copied());
    match command.status() {
        Ok(status) => status.success(),
        Err(error) => {
            eprintln!("{program}: {error}");
            false
        }
    }
}

fn score(options: &[&str]) -> bool {
    let default = ["--sample", "100", "--time", "10"];
    let options = if options.is_empty() { &default[..] } else { options };
    let mut arguments = vec!["../shared/tools/score.py", "target/release/assay", "--root", "../shared/tasks"];
    arguments.extend(options);
    run("cargo", &["build", "--release", "--bin", "assay"], &[]) && run("python3", &arguments, &[])
}

fn reference() -> bool {
    let test = ["test", "--profile", "ci", "--workspace", "--features", "cluster", "--no-fail-fast"];
    run("cargo", &test, &[("ASSAY_UPDATE", "1")]) & run("python3", &["benches/scores.py"], &[])
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let good = match words.as_slice() {
        ["gate", stages @ ..] => gate::run(stages),
        ["stages"] => gate::list(),
        ["score", options @ ..] => score(options),
        ["experiments", names @ ..] => run("python3", &[&["benches/experiments.py"], names].concat(), &[]),
        ["reference"] => reference(),
        ["hook"] => hook::install(),
        ["commit-check", message] => hook::check(Path::new(message)),
        ["help" | "--help" | "-h"] | [] => {
            print!("{HELP}");
            true
        }
        _ => {
            eprint!("there is no such task\n\n{HELP}");
            false
        }
    };
    if good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
