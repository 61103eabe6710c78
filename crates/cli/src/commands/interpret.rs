//! `assay interpret`: runs a program in the concrete interpreter and says how it ended.

use crate::answer::{self, UNKNOWN};
use crate::arguments::{Arguments, UsageError};
use crate::errors::Error;
use crate::request::request;
use crate::{monitor, print, worker};
use assay_base::{CancelToken, Span};
use assay_cfa::{EdgeId, Program, SourceId};
use assay_driver::{Asked, Choice, Request, Session};
use assay_results::replay::Recorder;
use assay_results::{Counterexample, PathStep, path};
use assay_semantics::interpreter::{Oracle, SeededOracle, Stop};
use assay_semantics::state::Undefined;
use assay_term::Bits;
use serde_json::json;
use std::collections::VecDeque;

/// What the command line asks for, as plain data.
#[derive(Clone, Debug)]
struct InterpretOptions {
    request: Request,
    values: VecDeque<u128>,
    seed: u64,
    max_steps: u64,
    trace: bool,
    path: path::Detail,
    json: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<i32, Error> {
    let mut values = VecDeque::new();
    for word in arguments.texts("input").iter().flat_map(|text| text.split(',')) {
        values.push_back(
            parse_value(word.trim()).ok_or_else(|| UsageError(format!("--input: `{word}` is not a number of at most 64 bits")))?,
        );
    }
    let options = InterpretOptions {
        request: request(arguments, Choice::new(None, &[] as &[&str])?, Asked::ErrorCall)?,
        values,
        seed: arguments.number("seed").unwrap_or(0),
        max_steps: arguments.number("max-steps").unwrap_or(100_000_000),
        trace: arguments.flag("trace"),
        path: arguments.detail(),
        json: arguments.flag("json"),
    };
    answer::set_form(if options.json { answer::Form::Json } else { answer::Form::Stopped });
    let cancel = CancelToken::new();
    monitor::start(cancel.clone(), options.request.limits);
    let finished = worker::on_large_stack(move || interpret(&options, &cancel));
    let (text, status) = finished.map_err(Error::defect)??;
    print(&text);
    Ok(status)
}

/// Decimal (with a sign) or hexadecimal; negative numbers in two's complement.
fn parse_value(word: &str) -> Option<u128> {
    let (negative, digits) = word.strip_prefix('-').map_or((false, word), |rest| (true, rest));
    let value = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(hex) => u128::from_str_radix(hex, 16).ok()?,
        None => digits.parse().ok()?,
    };
    // No input has more bits.
    let fits = if negative { value <= 1 << 63 } else { value <= u128::from(u64::MAX) };
    fits.then(|| if negative { value.wrapping_neg() } else { value })
}

/// The given values first, then the seed's.
struct GivenThenSeeded {
    given: VecDeque<u128>,
    seeded: SeededOracle,
}

impl Oracle for GivenThenSeeded {
    fn source(&mut self, source: SourceId, width: u32) -> Bits {
        match self.given.pop_front() {
            Some(value) => Bits::new(width, value),
            None => self.seeded.source(source, width),
        }
    }
    fn memory(&mut self, birth: u32, offset: u64, width: u32) -> Bits {
        self.seeded.memory(birth, offset, width)
    }
}

fn interpret(options: &InterpretOptions, cancel: &CancelToken) -> Result<(String, i32), Error> {
    let session = Session::open(options.request.clone(), cancel.clone())?;
    let program = session.program();
    let mut oracle = GivenThenSeeded { given: options.values.clone(), seeded: SeededOracle::new(options.seed) };
    let mut recorder = Recorder::new(program, &mut oracle);
    let (stop, steps) = recorder.run(options.max_steps, cancel);
    let inputs = std::mem::take(&mut recorder.asked);
    let end = describe(program, &stop, &steps);
    let status = match stop {
        Stop::Target(..) => 10,
        Stop::Finished | Stop::Halted(_) => 0,
        _ => UNKNOWN,
    };
    let mut text = String::new();
    if options.json {
        let inputs: Vec<_> =
            inputs.iter().map(|input| json!({"from": input.name(program), "value": input.bits.value().to_string()})).collect();
        text = format!("{:#}\n", json!({"end": end, "steps": steps.len(), "inputs": inputs}));
        return Ok((text, status));
    }
    if options.trace {
        // The target only decides which line is marked; a run that ended otherwise marks none.
        let target = if let Stop::Target(target, _) = stop { target } else { assay_cfa::Target::UnreachCall };
        text.push_str(&path::render(program, &Counterexample::new(steps.clone(), inputs.clone(), target, String::new()), options.path));
    }
    for input in &inputs {
        let place = if input.span.is_known() { format!(" at {}", program.sources.describe(input.span)) } else { String::new() };
        text.push_str(&format!("input: {} = {}{place}\n", input.name(program), input.bits.signed()));
    }
    text.push_str(&format!("{end} after {} steps\n", steps.len()));
    Ok((text, status))
}

fn describe(program: &Program, stop: &Stop, steps: &[PathStep]) -> String {
    let at_span = |span: Span| if span.is_known() { format!(" at {}", program.sources.describe(span)) } else { String::new() };
    let at = |edge: EdgeId| at_span(program.edges[edge].span);
    match stop {
        Stop::Target(target, _) => {
            let span = steps.iter().rev().map(|step| program.edges[step.step.edge()].span).find(|span| span.is_known());
            format!("violation of {}{}", target.name(), at_span(span.unwrap_or(Span::NONE)))
        }
        Stop::Finished => "the program ended".to_string(),
        Stop::Halted(_) => "the program was ended (abort, exit or a false assumption)".to_string(),
        Stop::Undefined(what, edge) => format!("undefined behaviour ({}){}", undefined(*what), at(*edge)),
        Stop::Undetermined(edge) => format!("the way on is not determined{}", at(*edge)),
        Stop::Unsupported(edge) => match &program.edges[*edge].operation {
            assay_cfa::Operation::Unsupported { what } => format!("unsupported: {what}{}", at(*edge)),
            _ => format!("unsupported construct{}", at(*edge)),
        },
        Stop::Limit => "the run was stopped".to_string(),
    }
}

fn undefined(what: Undefined) -> &'static str {
    match what {
        Undefined::Access => "access outside of any live object",
        Undefined::Free => "free of what is not an allocated object",
        Undefined::Check(kind) => assay_results::explain::undefined(kind),
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn input_values_have_signs_and_bases() {
        assert_eq!(super::parse_value("-1"), Some(u128::MAX));
        assert_eq!(super::parse_value("0x10"), Some(16));
        assert_eq!(super::parse_value("ten"), None);
        assert_eq!(super::parse_value("18446744073709551615"), Some(u128::from(u64::MAX)));
        assert_eq!((super::parse_value("18446744073709551616"), super::parse_value("-9223372036854775809")), (None, None));
    }
}
