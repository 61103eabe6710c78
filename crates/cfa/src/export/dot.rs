//! The automaton as a graph for Graphviz, one cluster a function.

use super::{infix, shortened, source_line};
use crate::operation::Operation;
use crate::program::{LocationId, Program};
use crate::structure::Structure;
use assay_base::IdVec;
use assay_term::Terms;
use std::fmt::Write;

/// The program in the language DOT: entries are boxes, exits double circles, loop heads bold, targets red; labels of
/// edges carry the operation and the source line.
pub fn dot(program: &Program) -> String {
    let terms = Terms::overlay(program.terms.clone());
    let structure = Structure::new(program);
    let mut of_function: IdVec<crate::FunctionId, Vec<LocationId>> = IdVec::filled(vec![], program.functions.len());
    for (id, location) in program.locations.iter_ids() {
        of_function[location.function].push(id);
    }
    let mut out = String::from("digraph cfa {\n  node [shape=circle, fontsize=10];\n  edge [fontsize=9];\n");
    for (function, locations) in of_function.iter_ids() {
        let name = escape(&program.functions[function].name);
        let _ = writeln!(out, "  subgraph cluster_{} {{\n    label=\"{name}\";", function.0);
        for &location in locations {
            let _ = writeln!(out, "    {location} [{}];", attributes(program, &structure, location));
        }
        out.push_str("  }\n");
    }
    for (id, edge) in program.edges.iter_ids() {
        let mut label = escape(&shortened(&infix::operation(program, &terms, &edge.operation), 120));
        if let Some(line) = source_line(program, id) {
            let _ = write!(label, "\\n{}", escape(&shortened(&line, 80)));
        }
        let style = if matches!(edge.operation, Operation::Call { .. }) { ", style=dashed" } else { "" };
        let _ = writeln!(out, "  {} -> {} [label=\"{label}\"{style}];", edge.source, edge.target);
    }
    out.push_str("}\n");
    out
}

fn attributes(program: &Program, structure: &Structure<'_>, id: LocationId) -> String {
    let location = &program.locations[id];
    let function = &program.functions[location.function];
    let mut label = id.to_string();
    let mut rest = String::new();
    if let Some(target) = location.target {
        let _ = write!(label, "\\n{}", target.name());
        rest.push_str(", style=filled, fillcolor=red");
    } else if function.entry == id {
        rest.push_str(", shape=box");
    } else if function.exit == id {
        rest.push_str(", shape=doublecircle");
    } else if location.outgoing.is_empty() {
        rest.push_str(", shape=octagon");
    }
    if structure.loops().is_head(id) {
        rest.push_str(", penwidth=3");
    }
    format!("label=\"{label}\"{rest}")
}

fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}
