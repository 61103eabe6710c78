//! `assay verify`: the whole way from the files to one verdict line and its evidence.

use crate::answer;
use crate::arguments::Arguments;
use crate::errors::Error;
use crate::input::InputOptions;
use crate::{memory, monitor, worker};
use assay_base::{CancelToken, Limits};
use assay_results::{Outcome, UnknownReason, Verdict};

/// What the command line asks for, as plain data.
#[derive(Clone, Debug)]
struct VerifyOptions {
    input: InputOptions,
    limits: Limits,
    json: bool,
}

/// Never returns normally once the run has begun: the verdict ends the process.
pub fn run(arguments: &Arguments) -> Result<i32, Error> {
    let options = VerifyOptions {
        input: InputOptions::from_arguments(arguments)?,
        limits: Limits {
            cpu_time: arguments.duration("time-limit"),
            memory_bytes: arguments.number("memory-limit").or_else(memory::of_machine),
        },
        json: arguments.flag("json"),
    };
    answer::set_json(options.json);
    let cancel = CancelToken::new();
    monitor::start(cancel.clone(), options.limits);
    let outcome = worker::on_large_stack(move || verify(&options, &cancel));
    match outcome {
        Ok(Ok(outcome)) => answer::give(&format!("verdict: {}\n", one_line(&outcome.verdict)), exit_status(&outcome.verdict)),
        Ok(Err(error)) => Err(error),
        Err(panic) => {
            let verdict = Verdict::Unknown(UnknownReason::Internal(panic));
            answer::give(&format!("verdict: {}\n", one_line(&verdict)), exit_status(&verdict))
        }
    }
}

fn verify(options: &VerifyOptions, _cancel: &CancelToken) -> Result<Outcome, Error> {
    options.input.property()?;
    options.input.check()?;
    Ok(Outcome::unknown(UnknownReason::GaveUp("no analysis yet".to_string())))
}

fn exit_status(verdict: &Verdict) -> i32 {
    match verdict {
        Verdict::True => 0,
        Verdict::False(_) => 10,
        Verdict::Unknown(_) => answer::UNKNOWN,
    }
}

/// The verdict on one line of bearable length.
fn one_line(verdict: &Verdict) -> String {
    let text: String = verdict.to_string().chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    match text.char_indices().nth(300) {
        Some((cut, _)) => format!("{}…)", &text[..cut]),
        None => text,
    }
}
