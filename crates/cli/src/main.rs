//! The `assay` command: reads the command line, runs one command, turns errors into messages and exit codes.

mod answer;
mod arguments;
mod batch;
mod cluster;
mod commands;
mod completions;
mod errors;
mod help;
mod memory;
mod monitor;
mod options;
mod progress;
#[cfg(test)]
mod reference;
mod request;
mod words;
mod worker;

use arguments::Arguments;
use errors::Error;
use options::Command;
use std::io::Write;

fn main() {
    memory::prefer_small_pages();
    let status = match arguments::parse(std::env::args_os().skip(1)) {
        Ok(arguments) => run(&arguments),
        Err(error) => Err(Error::Usage(error)),
    };
    let status = status.unwrap_or_else(|error| {
        eprintln!("{error}");
        error.exit_status()
    });
    let _ = std::io::stdout().flush();
    std::process::exit(status);
}

/// Runs the command and says with which status the process ends.
fn run(arguments: &Arguments) -> Result<i32, Error> {
    if arguments.flag("help") {
        print(&help::command(arguments.command));
        return Ok(0);
    }
    match arguments.command {
        Command::Verify => commands::verify::run(arguments),
        Command::Batch => commands::batch::run(arguments),
        Command::Worker => commands::worker::run(arguments),
        Command::Cluster => commands::cluster::run(arguments),
        Command::Cfa => commands::cfa::automaton(arguments),
        Command::Features => commands::cfa::features(arguments),
        Command::Solvers => commands::lists::solvers(arguments),
        Command::Interpret => commands::interpret::run(arguments),
        Command::Tests => commands::tests::run(arguments),
        Command::Configs => commands::lists::configs(arguments),
        Command::Portfolio => commands::portfolio::run(arguments),
        Command::Completions => commands::lists::completions(arguments),
        Command::Help => commands::lists::help(arguments),
        Command::Version => {
            print(&format!("assay {}\n", env!("CARGO_PKG_VERSION")));
            Ok(0)
        }
    }
}

/// Prints on the standard output; a reader that has gone away (a closed pipe) is no error.
fn print(text: &str) {
    let _ = std::io::stdout().write_all(text.as_bytes());
}
