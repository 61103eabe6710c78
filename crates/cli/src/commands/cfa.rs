//! `assay cfa` and `assay features`: print the automaton, and the numbers by which an analysis is chosen.

use crate::arguments::Arguments;
use crate::errors::Error;
use crate::input::InputOptions;
use crate::{print, worker};
use assay_cfa::features::Features;
use assay_cfa::structure::Structure;
use assay_cfa::{Program, export, text};

/// `assay cfa`.
pub fn automaton(arguments: &Arguments) -> Result<i32, Error> {
    match arguments.text("format") {
        Some("dot") => show(arguments, export::dot),
        Some("json") => show(arguments, |program| format!("{:#}\n", export::json(program))),
        Some("summary") => show(arguments, export::summary),
        _ => show(arguments, text::print),
    }
}

/// `assay features`.
pub fn features(arguments: &Arguments) -> Result<i32, Error> {
    match arguments.flag("json") {
        true => show(arguments, |program| format!("{:#}\n", Features::of(&Structure::new(program)).json())),
        false => show(arguments, |program| Features::of(&Structure::new(program)).table()),
    }
}

fn show(arguments: &Arguments, text_of: fn(&Program) -> String) -> Result<i32, Error> {
    let input = InputOptions::from_arguments(arguments)?;
    let text = worker::on_large_stack(move || {
        input.load().map(|loaded| {
            let text = text_of(&loaded.program);
            // The process ends after this; nothing is gained by taking the program apart.
            std::mem::forget(loaded);
            text
        })
    });
    print(&text.map_err(Error::Defect)??);
    Ok(0)
}
