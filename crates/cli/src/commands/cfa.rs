//! `assay cfa`: prints the automaton.

use crate::arguments::Arguments;
use crate::errors::Error;
use crate::input::InputOptions;
use crate::{print, worker};

pub fn run(arguments: &Arguments) -> Result<i32, Error> {
    let input = InputOptions::from_arguments(arguments)?;
    let format = arguments.text("format").unwrap_or("text").to_string();
    let printed = worker::on_large_stack(move || input.load().map(|loaded| (format.clone(), assay_cfa::text::print(&loaded.program))));
    let (_, text) = printed.map_err(Error::Defect)??;
    print(&text);
    Ok(0)
}
