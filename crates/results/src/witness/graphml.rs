//! Witnesses in SV-COMP's format 1.0 (GraphML), which older validators read.

use super::{WaypointKind, waypoints};
use crate::task::{Producer, Task, iso_time};
use crate::{Counterexample, Invariant};
use assay_cfa::{DataModel, Program};
use std::fmt::Write;

/// The keys of the format that we use: name, element, type.
const KEYS: &[(&str, &str, &str)] = &[
    ("witness-type", "graph", "string"),
    ("sourcecodelang", "graph", "string"),
    ("producer", "graph", "string"),
    ("specification", "graph", "string"),
    ("programfile", "graph", "string"),
    ("programhash", "graph", "string"),
    ("architecture", "graph", "string"),
    ("creationtime", "graph", "string"),
    ("entry", "node", "boolean"),
    ("violation", "node", "boolean"),
    ("sink", "node", "boolean"),
    ("cyclehead", "node", "boolean"),
    ("invariant", "node", "string"),
    ("invariant.scope", "node", "string"),
    ("startline", "edge", "int"),
    ("endline", "edge", "int"),
    ("control", "edge", "string"),
    ("enterFunction", "edge", "string"),
    ("assumption", "edge", "string"),
    ("assumption.scope", "edge", "string"),
    ("assumption.resultfunction", "edge", "string"),
];

/// The witness; `None` if the path has no place in the source.
pub fn violation_graphml(program: &Program, task: &Task, producer: &Producer, counterexample: &Counterexample) -> Option<String> {
    let stations = waypoints(program, counterexample);
    if stations.is_empty() {
        return None;
    }
    // Where the loop of an execution that never ends begins: its last step leads there.
    let cycle = counterexample.lasso.as_ref().map(|lasso| {
        let path = counterexample.path[..lasso.start.min(counterexample.path.len())].to_vec();
        let stem = waypoints(program, &Counterexample { path, lasso: None, ..counterexample.clone() });
        stem.len().saturating_sub(1).min(stations.len() - 1)
    });
    let mut text = head(task, producer, "violation_witness");
    for index in 0..=stations.len() {
        let mark = match index {
            last if cycle.is_some() && last == stations.len() => continue,
            head if cycle == Some(head) => "<data key=\"cyclehead\">true</data>",
            0 => "<data key=\"entry\">true</data>",
            last if last == stations.len() => "<data key=\"violation\">true</data>",
            _ => "",
        };
        let _ = writeln!(text, "  <node id=\"N{index}\">{mark}</node>");
    }
    for (index, station) in stations.iter().enumerate() {
        let next = cycle.filter(|_| index + 1 == stations.len()).unwrap_or(index + 1);
        let _ = writeln!(text, "  <edge source=\"N{index}\" target=\"N{next}\">");
        data(&mut text, "   ", "startline", &station.span.line.to_string());
        data(&mut text, "   ", "endline", &station.span.line.to_string());
        match &station.kind {
            WaypointKind::Branching(taken) => data(&mut text, "   ", "control", if *taken { "condition-true" } else { "condition-false" }),
            WaypointKind::FunctionReturn(value) => {
                data(&mut text, "   ", "assumption", &format!("\\result == {value};"));
                data(&mut text, "   ", "assumption.scope", &station.function);
                if let Some(name) = called_function(program, station.span) {
                    data(&mut text, "   ", "assumption.resultfunction", &name);
                }
            }
            WaypointKind::FunctionEnter(name) => data(&mut text, "   ", "enterFunction", name),
            WaypointKind::Target => {}
        }
        text.push_str("  </edge>\n");
    }
    text.push_str(" </graph>\n</graphml>\n");
    Some(text)
}

/// The witness of a proof: a program that does what it likes, with the invariants at their places.
pub fn correctness_graphml(program: &Program, task: &Task, producer: &Producer, invariants: &[Invariant]) -> String {
    let mut text = head(task, producer, "correctness_witness");
    text.push_str("  <node id=\"N0\"><data key=\"entry\">true</data></node>\n");
    for (index, invariant) in invariants.iter().enumerate() {
        let node = index + 1;
        let _ = writeln!(text, "  <node id=\"N{node}\">");
        data(&mut text, "   ", "invariant", &invariant.expression);
        let function = &program.functions[program.locations[invariant.location].function].name;
        data(&mut text, "   ", "invariant.scope", function);
        let _ = writeln!(text, "  </node>\n  <edge source=\"N0\" target=\"N{node}\">");
        data(&mut text, "   ", "startline", &invariant.span.line.to_string());
        data(&mut text, "   ", "endline", &invariant.span.line.to_string());
        text.push_str("  </edge>\n");
    }
    text.push_str(" </graph>\n</graphml>\n");
    text
}

/// Everything up to the nodes.
fn head(task: &Task, producer: &Producer, kind: &str) -> String {
    let mut text = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n\
         <graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\" xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\">\n",
    );
    for (name, element, sort) in KEYS {
        let default = if *sort == "boolean" { "<default>false</default>" } else { "" };
        let _ = writeln!(text, " <key attr.name=\"{name}\" attr.type=\"{sort}\" for=\"{element}\" id=\"{name}\">{default}</key>");
    }
    text.push_str(" <graph edgedefault=\"directed\">\n");
    let first = task.input_files.first();
    let architecture = match task.model {
        DataModel::Ilp32 => "32bit",
        DataModel::Lp64 => "64bit",
    };
    for (key, value) in [
        ("witness-type", kind.to_string()),
        ("sourcecodelang", "C".to_string()),
        ("producer", format!("{} {}", producer.name, producer.version)),
        ("specification", task.specification()),
        ("programfile", first.map_or(String::new(), |f| f.name.clone())),
        ("programhash", first.map_or(String::new(), |f| f.hash.clone())),
        ("architecture", architecture.to_string()),
        ("creationtime", iso_time(producer.time)),
    ] {
        data(&mut text, "  ", key, &value);
    }
    text
}

/// The name before the parentheses that close at the place.
fn called_function(program: &Program, close: assay_base::Span) -> Option<String> {
    let line = program.sources.files.get(close.file)?.line(close.line)?;
    let before = line.get(..close.column as usize - 1)?;
    let open = before.rfind('(')?;
    let name = before[..open].trim_end();
    let start = name.rfind(|c: char| !c.is_alphanumeric() && c != '_').map_or(0, |i| i + 1);
    (start < name.len()).then(|| name[start..].to_string())
}

fn data(text: &mut String, indent: &str, key: &str, value: &str) {
    let _ = writeln!(text, "{indent}<data key=\"{key}\">{}</data>", escaped(value));
}

/// Text inside an XML element.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
