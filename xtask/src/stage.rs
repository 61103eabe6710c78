//! One stage of the gate: a command under a time limit, in a process group that ends with it.

use std::os::unix::process::CommandExt;
use std::process::Command;
use std::time::{Duration, Instant};

/// A stage: its name, its limit in seconds, and what it runs.
pub(crate) struct Stage {
    pub(crate) name: &'static str,
    pub(crate) limit: u64,
    pub(crate) work: Work,
}

/// What a stage runs.
pub(crate) enum Work {
    /// A program with its arguments and environment.
    Command(Vec<String>, Vec<(&'static str, String)>),
    /// A part of this program that needs no limit of its own. The text says what is wrong.
    Here(fn() -> Result<String, String>),
}

impl Stage {
    /// Runs the stage and prints how it went.
    pub(crate) fn run(&self) -> bool {
        println!("=== {}", self.name);
        let begin = Instant::now();
        let result = match &self.work {
            Work::Here(work) => work().map(|said| print!("{said}")),
            Work::Command(words, environment) => self.command(words, environment),
        };
        let seconds = begin.elapsed().as_secs();
        match &result {
            Ok(()) => println!("--- {}: ok, {seconds} s", self.name),
            Err(why) => println!("--- {}: FAILED, {why}, {seconds} s", self.name),
        }
        result.is_ok()
    }

    fn command(&self, words: &[String], environment: &[(&str, String)]) -> Result<(), String> {
        let [program, arguments @ ..] = words else { return Ok(()) };
        let mut command = Command::new(program);
        command.args(arguments).current_dir(crate::root());
        command.envs(environment.iter().map(|(name, value)| (name, value)));
        // A group of its own, so that what the stage has started can be ended with it.
        let mut child = command.process_group(0).spawn().map_err(|error| format!("{program}: {error}"))?;
        let end = Instant::now() + Duration::from_secs(self.limit);
        loop {
            match child.try_wait() {
                Ok(Some(status)) if status.success() => return Ok(()),
                Ok(Some(status)) => return Err(status.to_string()),
                Ok(None) if Instant::now() < end => std::thread::sleep(Duration::from_millis(50)),
                Ok(None) => {
                    let _ = Command::new("kill").args(["-KILL", "--", &format!("-{}", child.id())]).status();
                    let _ = child.wait();
                    return Err(format!("past its limit of {} s", self.limit));
                }
                Err(error) => return Err(error.to_string()),
            }
        }
    }
}
