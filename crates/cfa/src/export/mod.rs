//! Pictures of a program for people and other programs: DOT and JSON, with source lines on the edges, and a summary.

mod dot;
pub mod infix;
mod json;
mod summary;

pub use dot::dot;
pub use json::json;
pub use summary::summary;

use crate::program::{EdgeId, Program};

/// The place of an edge as `line: text of the line`, where it is known.
fn source_line(program: &Program, edge: EdgeId) -> Option<String> {
    let span = program.edges[edge].span;
    if !span.is_known() {
        return None;
    }
    let file = program.sources.files.get(span.file)?;
    let text = file.line(span.line).unwrap_or_default().trim();
    Some(format!("{}: {text}", span.line).trim_end().to_string())
}

/// Cuts a text to a length that fits on a label.
fn shortened(text: &str, length: usize) -> String {
    match text.char_indices().nth(length) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_string(),
    }
}

#[cfg(test)]
mod tests;
