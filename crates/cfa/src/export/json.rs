//! The automaton as JSON. Operations are given in the text form (to be read by programs) and in C's manner (by people).

use super::{infix, source_line};
use crate::program::{Program, Storage, VarId};
use crate::structure::{Structure, UNREACHABLE};
use crate::text::print_operation;
use assay_base::Span;
use assay_term::Terms;
use serde_json::{Value, json};

/// The program as one JSON object. Ids are the numbers of the text form.
pub fn json(program: &Program) -> Value {
    let terms = Terms::overlay(program.terms.clone());
    let structure = Structure::new(program);
    let (loops, distances) = (structure.loops(), structure.distances());
    let place = |span: Span| match program.sources.files.get(span.file) {
        Some(file) if span.is_known() => json!({"file": file.name, "line": span.line, "column": span.column}),
        _ => Value::Null,
    };
    let variable = |id: VarId| {
        let variable = &program.variables[id];
        let (kind, size) = match variable.storage {
            Storage::Register { width } => ("register", Some(u64::from(width) / 8)),
            Storage::Memory { size, .. } => ("memory", size),
        };
        json!({"name": variable.name, "source": variable.source_name, "kind": kind, "size": size, "place": place(variable.span)})
    };
    let functions: Vec<Value> = program
        .functions
        .iter()
        .map(|function| {
            json!({
                "name": function.name,
                "entry": function.entry.0,
                "exit": function.exit.0,
                "parameters": function.parameters.iter().map(|&p| &program.variables[p].name).collect::<Vec<_>>(),
                "locals": function.locals.iter().map(|&l| variable(l)).collect::<Vec<_>>(),
                "place": place(function.span),
            })
        })
        .collect();
    let locations: Vec<Value> = program
        .locations
        .iter_ids()
        .map(|(id, location)| {
            let distance = distances.to_target[id];
            json!({
                "id": id.0,
                "function": program.functions[location.function].name,
                "target": location.target.map(|t| t.name()),
                "loopHead": loops.is_head(id),
                "distanceToTarget": (distance != UNREACHABLE).then_some(distance),
            })
        })
        .collect();
    let edges: Vec<Value> = program
        .edges
        .iter_ids()
        .map(|(id, edge)| {
            json!({
                "id": id.0,
                "source": edge.source.0,
                "target": edge.target.0,
                "operation": print_operation(program, &terms, &edge.operation),
                "text": infix::operation(program, &terms, &edge.operation),
                "place": place(edge.span),
                "line": source_line(program, id),
            })
        })
        .collect();
    json!({
        "dataModel": program.model.name(),
        "entry": program.functions[program.entry].name,
        "files": program.sources.files.iter().map(|f| &f.name).collect::<Vec<_>>(),
        "globals": program.globals.iter().map(|&g| variable(g)).collect::<Vec<_>>(),
        "functions": functions,
        "locations": locations,
        "edges": edges,
    })
}
