//! A program in a few lines: how large it is, and what of it is not modelled exactly.

use crate::operation::Operation;
use crate::program::Program;
use crate::structure::Structure;
use std::fmt::Write;

/// Sizes, the unsupported constructs that can be reached on the automaton, each with its place, and the assumptions.
pub fn summary(program: &Program) -> String {
    let structure = Structure::new(program);
    let (calls, order) = (structure.calls(), structure.order());
    let reached: Vec<_> = program.functions.ids().filter(|&function| calls.reached[function]).collect();
    let locations: usize = reached.iter().map(|&function| order.sequence[function].len()).sum();
    let mut edges = 0;
    let mut lines = String::new();
    for &function in &reached {
        for &location in &order.sequence[function] {
            for &edge in &program.locations[location].outgoing {
                edges += 1;
                if let Operation::Unsupported { what } = &program.edges[edge].operation {
                    let _ = writeln!(lines, "unsupported: {what} at {}", program.sources.describe(program.edges[edge].span));
                }
            }
        }
    }
    for assumption in &program.assumptions {
        let _ = writeln!(lines, "assumption: {} at {}", assumption.fact, program.sources.describe(assumption.span));
    }
    format!("functions: {}\nlocations: {locations}\nedges: {edges}\n{lines}", reached.len())
}
