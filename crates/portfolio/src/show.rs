//! Portfolios for people: as text, and as a graph for Graphviz.

use crate::machine::{Edge, Node, Portfolio};
use std::fmt::Write;

impl Node {
    /// How long it may run.
    fn time(&self) -> String {
        let share = if self.share >= 1.0 {
            "all of the remaining time".to_string()
        } else {
            format!("{}% of the remaining time", percent(self.share))
        };
        match self.at_most {
            Some(time) => format!("{share}, at most {} s", time.as_secs_f64()),
            None => share,
        }
    }
}

fn percent(share: f64) -> f64 {
    (share * 1000.0).round() / 10.0
}

impl Edge {
    fn reasons(&self) -> String {
        let names: Vec<&str> = self.on.iter().map(|kind| kind.name()).collect();
        let mut text = names.join(" or ");
        if !self.when.is_trivial() {
            text = if text.is_empty() { self.when.text().to_string() } else { format!("{text}, {}", self.when.text()) };
        }
        text
    }
}

impl Portfolio {
    /// For people: nodes, shares and successors; `steps` says what the analysis of a node tries one after the other.
    pub fn text(&self, steps: &dyn Fn(&Node) -> Vec<String>) -> String {
        let mut text = format!("{}: {}\n", self.name, self.description);
        for (index, node) in self.nodes.iter().enumerate() {
            let _ = write!(text, "\n{}", node.name);
            if node.preset != node.name {
                let _ = write!(text, " ({})", node.preset);
            }
            let _ = writeln!(text, ": {}", node.time());
            if !node.why.is_empty() {
                let _ = writeln!(text, "    {}", node.why);
            }
            if !node.when.is_trivial() {
                let _ = writeln!(text, "    only where {}", node.when.text());
            }
            for (key, value) in &node.settings {
                let _ = writeln!(text, "    {key} = {value}");
            }
            for step in steps(node) {
                let _ = writeln!(text, "    step: {step}");
            }
            if let Some(limit) = node.limit {
                let _ = writeln!(text, "    at most {limit} times");
            }
            for edge in &node.edges {
                // The plain path to what follows needs no words.
                if edge.to != index + 1 || !edge.on.is_empty() || !edge.when.is_trivial() {
                    let reasons = edge.reasons();
                    let reasons = if reasons.is_empty() { "else".to_string() } else { reasons };
                    let _ = writeln!(text, "    {reasons} -> {}", self.nodes[edge.to].name);
                }
            }
        }
        text
    }

    /// For Graphviz.
    pub fn dot(&self) -> String {
        let quoted = |text: &str| text.replace('\\', "\\\\").replace('"', "\\\"");
        let mut text = format!("digraph \"{}\" {{\n  node [shape=box];\n", quoted(&self.name));
        for (index, node) in self.nodes.iter().enumerate() {
            let when = if node.when.is_trivial() { String::new() } else { format!("\\nonly where {}", quoted(node.when.text())) };
            let preset = if node.preset == node.name { String::new() } else { format!(" ({})", quoted(&node.preset)) };
            let _ = writeln!(text, "  n{index} [label=\"{}{preset}\\n{}{when}\"];", quoted(&node.name), node.time());
            for edge in &node.edges {
                let _ = writeln!(text, "  n{index} -> n{} [label=\"{}\"];", edge.to, quoted(&edge.reasons()));
            }
        }
        text.push_str("}\n");
        text
    }
}

#[cfg(test)]
mod tests {
    use crate::read;

    #[test]
    fn portfolios_are_shown() {
        let text = "description = \"two\"\n[node.a]\npreset = \"symbolic\"\nshare = 0.25\nnext = [{ to = \"b\", on = \"stuck\" }]\n[node.b]\nwhen = \"loops > 1\"\n";
        let portfolio = read("x", text, &|_, _| Ok(())).unwrap();
        assert_eq!(
            portfolio.text(&|node| if node.name == "a" { vec!["once".to_string()] } else { vec![] }),
            "x: two\n\na (symbolic): 25% of the remaining time\n    step: once\n    stuck -> b\n\nb: all of the remaining time\n    only where loops > 1\n"
        );
        assert!(portfolio.dot().contains("n0 -> n1 [label=\"stuck\"]"), "{}", portfolio.dot());
    }
}
