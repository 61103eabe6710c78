//! Witnesses in SV-COMP's format 2.0.

use super::{Waypoint, WaypointKind, waypoints};
use crate::task::{Producer, Task, iso_time, uuid};
use crate::{Counterexample, Invariant, InvariantKind};
use assay_base::Span;
use assay_cfa::Program;
use std::fmt::Write;

/// A `violation_sequence`; `None` if the path has no place in the source, or never ends, which this version of the
/// format cannot say.
pub fn violation_yaml(program: &Program, task: &Task, producer: &Producer, counterexample: &Counterexample) -> Option<String> {
    let stations = waypoints(program, counterexample);
    if stations.is_empty() || counterexample.lasso.is_some() {
        return None;
    }
    let mut content = String::from("  content:\n");
    for station in &stations {
        content.push_str(&segment(program, station));
    }
    Some(format!("- entry_type: violation_sequence\n{}{content}", metadata(task, producer, &content)))
}

/// An `invariant_set`; without invariants the list is empty, which validators accept as the trivial proof.
pub fn correctness_yaml(program: &Program, task: &Task, producer: &Producer, invariants: &[Invariant]) -> String {
    let mut content = String::from(if invariants.is_empty() { "  content: []\n" } else { "  content:\n" });
    for invariant in invariants {
        let kind = match invariant.kind {
            InvariantKind::Loop => "loop_invariant",
            InvariantKind::Location => "location_invariant",
        };
        let function = program.locations.get(invariant.location).map(|l| program.functions[l.function].name.as_str());
        let _ = write!(
            content,
            "  - invariant:\n      type: {kind}\n      location:\n{}      value: {}\n      format: c_expression\n",
            location(program, invariant.span, function.unwrap_or_default(), 8),
            quoted(&invariant.expression)
        );
    }
    format!("- entry_type: invariant_set\n{}{content}", metadata(task, producer, &content))
}

fn segment(program: &Program, waypoint: &Waypoint) -> String {
    let (kind, constraint) = match &waypoint.kind {
        WaypointKind::Branching(taken) => ("branching", Some((taken.to_string(), None))),
        WaypointKind::FunctionReturn(value) => ("function_return", Some((format!("\\result == {value}"), Some("acsl_expression")))),
        WaypointKind::FunctionEnter(_) => ("function_enter", None),
        WaypointKind::Target => ("target", None),
    };
    let mut text = format!("  - segment:\n    - waypoint:\n        type: {kind}\n        action: follow\n");
    if let Some((value, format)) = constraint {
        let _ = writeln!(text, "        constraint:\n          value: {}", quoted(&value));
        if let Some(format) = format {
            let _ = writeln!(text, "          format: {format}");
        }
    }
    let _ = write!(text, "        location:\n{}", location(program, waypoint.span, &waypoint.function, 10));
    text
}

fn location(program: &Program, span: Span, function: &str, indent: usize) -> String {
    let space = " ".repeat(indent);
    let file = program.sources.files.get(span.file).map_or("", |f| f.name.as_str());
    let mut text = format!("{space}file_name: {}\n{space}line: {}\n{space}column: {}\n", quoted(file), span.line, span.column.max(1));
    if !function.is_empty() {
        let _ = writeln!(text, "{space}function: {}", quoted(function));
    }
    text
}

fn metadata(task: &Task, producer: &Producer, content: &str) -> String {
    let time = iso_time(producer.time);
    let mut text = format!(
        "  metadata:\n    format_version: \"2.0\"\n    uuid: \"{}\"\n    creation_time: \"{time}\"\n    producer:\n      name: {}\n      version: {}\n",
        uuid(&format!("{time}{}{content}", task.specification())),
        quoted(&producer.name),
        quoted(&producer.version),
    );
    if !producer.configuration.is_empty() {
        let _ = writeln!(text, "      configuration: {}", quoted(&producer.configuration));
    }
    text.push_str("    task:\n      input_files:\n");
    for file in &task.input_files {
        let _ = writeln!(text, "      - {}", quoted(&file.name));
    }
    text.push_str("      input_file_hashes:\n");
    for file in &task.input_files {
        let _ = writeln!(text, "        {}: \"{}\"", quoted(&file.name), file.hash);
    }
    let _ = writeln!(
        text,
        "      specification: {}\n      data_model: {}\n      language: C",
        quoted(&task.specification()),
        task.model.name()
    );
    text
}

/// A double-quoted YAML scalar; JSON's escapes are YAML's.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
