//! The graph as DOT and as JSON, for people and for other tools.

use super::{Arg, NodeId, TargetKind};
use crate::stack::ArgStep;
use assay_cfa::Program;
use assay_cfa::Step;
use std::fmt::Write;

impl Arg {
    /// The graph in the DOT language. `describe` says what stands in a node beside its location.
    pub fn to_dot(&self, program: &Program, describe: &dyn Fn(NodeId) -> String) -> String {
        let mut text = String::from("digraph arg {\n  node [shape=box, fontname=monospace];\n");
        for node in self.live() {
            let colour = match self.target(node) {
                Some(info) if info.unresolved.is_some() => ", style=filled, fillcolor=orange",
                Some(_) => ", style=filled, fillcolor=salmon",
                None if self.is_covered(node) => ", style=filled, fillcolor=palegreen",
                None if !self.is_expanded(node) => ", style=filled, fillcolor=lightgrey",
                None => "",
            };
            let label = self.label(program, node, describe);
            let _ = writeln!(text, "  {node} [label=\"{}\"{colour}];", escape(&label).replace("\\n", "\\l"));
            for (step, child) in self.children(node) {
                let _ = writeln!(text, "  {node} -> {child} [label=\"{}\"];", step_name(step));
            }
            for coverer in self.coverers(node) {
                let _ = writeln!(text, "  {node} -> {coverer} [style=dashed, color=darkgreen];");
            }
        }
        text.push_str("}\n");
        text
    }

    /// The graph as JSON: `{"nodes": [{"id", "location", "stack", "label", "target"?, "coveredBy", "children": [{"step", "node"}]}]}`.
    pub fn to_json(&self, program: &Program, describe: &dyn Fn(NodeId) -> String) -> String {
        let mut text = String::from("{\"nodes\":[");
        for (index, node) in self.live().enumerate() {
            let head = self.head(node);
            let comma = if index == 0 { "\n" } else { ",\n" };
            let label = escape(&self.label(program, node, describe));
            let _ = write!(
                text,
                "{comma}{{\"id\":\"{node}\",\"location\":\"{}\",\"stack\":\"{}\",\"label\":\"{label}\"",
                head.location, head.stack
            );
            if let Some(info) = self.target(node) {
                let kind = match &info.kind {
                    TargetKind::Property(target) => target.name().to_string(),
                    TargetKind::Unsupported(edge) => format!("unsupported {edge}"),
                    TargetKind::Unresolved(reason) => reason.to_string(),
                };
                let _ = write!(text, ",\"target\":\"{}\",\"unresolved\":{}", escape(&kind), info.unresolved.is_some());
            }
            let coverers: Vec<String> = self.coverers(node).map(|c| format!("\"{c}\"")).collect();
            let children: Vec<String> =
                self.children(node).map(|(s, c)| format!("{{\"step\":\"{}\",\"node\":\"{c}\"}}", step_name(s))).collect();
            let _ = write!(text, ",\"coveredBy\":[{}],\"children\":[{}]}}", coverers.join(","), children.join(","));
        }
        text.push_str("\n]}\n");
        text
    }

    fn label(&self, program: &Program, node: NodeId, describe: &dyn Fn(NodeId) -> String) -> String {
        let head = self.head(node);
        let function = &program.functions[program.locations[head.location].function].name;
        let state = describe(node);
        let separator = if state.is_empty() { "" } else { "\n" };
        format!("{node} {} {function} {}{separator}{state}", head.location, head.stack)
    }
}

fn step_name(step: ArgStep) -> String {
    match step {
        ArgStep::Step(Step::Edge(edge)) => edge.to_string(),
        ArgStep::Step(Step::Return(edge)) => format!("return {edge}"),
        ArgStep::Block(number) => format!("block {number}"),
    }
}

fn escape(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '"' => result.push_str("\\\""),
            '\\' => result.push_str("\\\\"),
            '\n' => result.push_str("\\n"),
            c if (c as u32) < 0x20 => {
                let _ = write!(result, "\\u{:04x}", c as u32);
            }
            c => result.push(c),
        }
    }
    result
}
