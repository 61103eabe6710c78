//! Reads portfolios from TOML. Every mistake is told with its line.

use crate::check;
use crate::condition::Condition;
use crate::machine::{Edge, Node, Portfolio};
use assay_base::ObstacleKind;
use std::time::Duration;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// What is wrong with a portfolio, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mistake {
    /// From 1.
    pub line: usize,
    /// What is wrong there.
    pub text: String,
}

impl std::fmt::Display for Mistake {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "line {}: {}", self.line, self.text)
    }
}

impl std::error::Error for Mistake {}

/// Whether a configuration file is a portfolio.
pub fn is_portfolio(text: &str) -> bool {
    text.parse::<toml::Table>().is_ok_and(|table| table.contains_key("node") || table.contains_key("stages"))
}

/// Reads a portfolio and checks it. `known` says whether there is a preset that takes the settings.
///
/// # Errors
/// The first mistake.
pub fn read(name: &str, text: &str, known: &dyn Fn(&str, &[(String, String)]) -> Result<(), String>) -> Result<Portfolio, Mistake> {
    let reader = Reader { text };
    let table = DeTable::parse(text).map_err(|error| {
        let line = error.span().map_or(1, |span| reader.line(span.start));
        Mistake { line, text: error.message().to_string() }
    })?;
    let portfolio = reader.portfolio(name, table.get_ref())?;
    for node in &portfolio.nodes {
        known(&node.preset, &node.settings).map_err(|text| Mistake { line: node.line, text: format!("node `{}`: {text}", node.name) })?;
    }
    check::check(&portfolio)?;
    Ok(portfolio)
}

struct Reader<'t> {
    text: &'t str,
}

type Value<'t> = Spanned<DeValue<'t>>;

impl<'t> Reader<'t> {
    fn line(&self, offset: usize) -> usize {
        1 + self.text.as_bytes().iter().take(offset).filter(|&&byte| byte == b'\n').count()
    }
    fn mistake<T>(&self, place: usize, text: impl Into<String>) -> Result<T, Mistake> {
        Err(Mistake { line: self.line(place), text: text.into() })
    }

    fn portfolio(&self, name: &str, table: &DeTable<'t>) -> Result<Portfolio, Mistake> {
        let mut portfolio = Portfolio { name: name.to_string(), description: String::new(), nodes: Vec::new() };
        let (mut nodes, mut stages) = (None, None);
        for (key, value) in table {
            match key.get_ref().as_ref() {
                "description" => portfolio.description = self.string(value)?,
                "node" => nodes = Some(value),
                "stages" => stages = Some(value),
                other => {
                    return self
                        .mistake(key.span().start, format!("`{other}` is not known; a portfolio has `description` and `[node.NAME]`"));
                }
            }
        }
        portfolio.nodes = match (nodes, stages) {
            (Some(nodes), None) => self.nodes(nodes)?,
            (None, Some(stages)) => self.stages(stages)?,
            (Some(_), Some(stages)) => return self.mistake(stages.span().start, "`stages` is short for nodes; there cannot be both"),
            (None, None) => return self.mistake(0, "a portfolio has at least one `[node.NAME]`"),
        };
        if portfolio.nodes.is_empty() {
            return self.mistake(0, "the portfolio has no nodes");
        }
        Ok(portfolio)
    }

    /// `stages = ["preset share", …]`: one node after the other.
    fn stages(&self, value: &Value<'t>) -> Result<Vec<Node>, Mistake> {
        let DeValue::Array(entries) = value.get_ref() else {
            return self.mistake(value.span().start, "stages are a list, as in `[\"symbolic 0.5\", \"value-cegar 1\"]`");
        };
        let mut nodes = Vec::new();
        for (index, entry) in entries.iter().enumerate() {
            let (place, text) = (entry.span().start, self.string(entry)?);
            let Some((preset, share)) = text.split_once(' ').and_then(|(name, share)| Some((name, share.trim().parse::<f64>().ok()?)))
            else {
                return self.mistake(place, format!("the stage `{text}` must be a preset and a share, as in `symbolic 0.5`"));
            };
            let line = self.line(place);
            let last = index + 1 == entries.len();
            let edges = if last { vec![] } else { vec![Edge { to: index + 1, on: vec![], when: Condition::default(), line }] };
            nodes.push(Node {
                name: preset.to_string(),
                preset: preset.to_string(),
                settings: vec![],
                share: self.share(place, share)?,
                at_most: None,
                when: Condition::default(),
                why: String::new(),
                limit: None,
                edges,
                line,
            });
        }
        Ok(nodes)
    }

    fn nodes(&self, value: &Value<'t>) -> Result<Vec<Node>, Mistake> {
        let DeValue::Table(table) = value.get_ref() else { return self.mistake(value.span().start, "nodes are written as `[node.NAME]`") };
        // In the order of the file, which the table does not keep.
        let mut entries: Vec<_> = table.iter().collect();
        entries.sort_by_key(|(key, _)| key.span().start);
        let names: Vec<String> = entries.iter().map(|(key, _)| key.get_ref().to_string()).collect();
        let mut nodes = Vec::new();
        for (index, (key, value)) in entries.into_iter().enumerate() {
            let DeValue::Table(table) = value.get_ref() else {
                return self.mistake(key.span().start, format!("`{}` is no node: write `[node.{}]`", key.get_ref(), key.get_ref()));
            };
            nodes.push(self.node(index, key, table, &names)?);
        }
        Ok(nodes)
    }

    fn node(&self, index: usize, key: &Spanned<toml::de::DeString<'t>>, table: &DeTable<'t>, names: &[String]) -> Result<Node, Mistake> {
        let line = self.line(key.span().start);
        let mut node = Node {
            name: names[index].clone(),
            preset: String::new(),
            settings: vec![],
            share: 1.0,
            at_most: None,
            when: Condition::default(),
            why: String::new(),
            limit: None,
            edges: vec![],
            line,
        };
        let mut edges = None;
        for (key, value) in table {
            let place = value.span().start;
            match key.get_ref().as_ref() {
                "preset" => node.preset = self.string(value)?,
                "why" => node.why = self.string(value)?,
                "when" => node.when = self.condition(value)?,
                "share" => node.share = self.share(place, self.number(value)?)?,
                "seconds" => match self.number(value)? {
                    seconds if seconds > 0.0 && seconds.is_finite() => node.at_most = Some(Duration::from_secs_f64(seconds)),
                    _ => return self.mistake(place, "`seconds` is a number above 0"),
                },
                "limit" => match self.number(value)? {
                    limit if (1.0..=1000.0).contains(&limit) && limit.fract() == 0.0 => node.limit = Some(limit as u32),
                    _ => return self.mistake(place, "`limit` says how often the node may run: a whole number from 1 to 1000"),
                },
                "set" => node.settings = self.settings(value)?,
                "next" => edges = Some(self.edges(value, names)?),
                other => {
                    let known = "preset, set, share, seconds, when, why, limit and next";
                    return self.mistake(key.span().start, format!("`{other}` is not known; a node has {known}"));
                }
            }
        }
        if node.preset.is_empty() {
            node.preset.clone_from(&node.name);
        }
        node.edges = match edges {
            Some(edges) => edges,
            // Without edges it goes on with what follows in the file.
            None if index + 1 < names.len() => vec![Edge { to: index + 1, on: vec![], when: Condition::default(), line }],
            None => vec![],
        };
        Ok(node)
    }

    fn edges(&self, value: &Value<'t>, names: &[String]) -> Result<Vec<Edge>, Mistake> {
        let wanted = "`next` is a list of edges, as in `[{ to = \"bmc\", on = \"time stuck\", when = \"loops > 0\" }]`";
        let DeValue::Array(entries) = value.get_ref() else { return self.mistake(value.span().start, wanted) };
        let mut edges = Vec::new();
        for entry in entries {
            let place = entry.span().start;
            let DeValue::Table(table) = entry.get_ref() else { return self.mistake(place, wanted) };
            let mut to = None;
            let mut edge = Edge { to: 0, on: vec![], when: Condition::default(), line: self.line(place) };
            for (key, value) in table {
                match key.get_ref().as_ref() {
                    "to" => {
                        let name = self.string(value)?;
                        let Some(found) = names.iter().position(|known| *known == name) else {
                            return self.mistake(value.span().start, format!("there is no node `{name}`"));
                        };
                        to = Some(found);
                    }
                    "when" => edge.when = self.condition(value)?,
                    "on" => {
                        for word in self.string(value)?.split_whitespace() {
                            let Some(kind) = ObstacleKind::named(word) else {
                                let known: Vec<&str> = ObstacleKind::ALL.iter().map(|(_, name, _)| *name).collect();
                                return self.mistake(value.span().start, format!("`{word}` is no reason; there are {}", known.join(", ")));
                            };
                            edge.on.push(kind);
                        }
                    }
                    other => return self.mistake(key.span().start, format!("`{other}` is not known; an edge has to, on and when")),
                }
            }
            edge.to = match to {
                Some(to) => to,
                None => return self.mistake(place, "an edge says where it leads: `to = \"NODE\"`"),
            };
            edges.push(edge);
        }
        Ok(edges)
    }

    fn settings(&self, value: &Value<'t>) -> Result<Vec<(String, String)>, Mistake> {
        let DeValue::Table(table) = value.get_ref() else {
            return self.mistake(value.span().start, "`set` is a table of options, as in `{ max-bound = 8 }`");
        };
        table.iter().map(|(key, value)| Ok((key.get_ref().to_string(), self.plain(value)?))).collect()
    }

    fn string(&self, value: &Value<'t>) -> Result<String, Mistake> {
        match value.get_ref() {
            DeValue::String(text) => Ok(text.to_string()),
            _ => self.mistake(value.span().start, "this must be a text in quotes"),
        }
    }
    fn condition(&self, value: &Value<'t>) -> Result<Condition, Mistake> {
        Condition::parse(&self.string(value)?).or_else(|text| self.mistake(value.span().start, text))
    }
    fn number(&self, value: &Value<'t>) -> Result<f64, Mistake> {
        self.plain(value)?.parse().or_else(|_| self.mistake(value.span().start, "this must be a number"))
    }
    fn share(&self, place: usize, share: f64) -> Result<f64, Mistake> {
        if share > 0.0 && share <= 1.0 { Ok(share) } else { self.mistake(place, "a share is above 0 and at most 1") }
    }
    fn plain(&self, value: &Value<'t>) -> Result<String, Mistake> {
        match value.get_ref() {
            DeValue::String(text) => Ok(text.to_string()),
            DeValue::Integer(number) => Ok(number.to_string()),
            DeValue::Float(number) => Ok(number.to_string()),
            DeValue::Boolean(on) => Ok(on.to_string()),
            _ => self.mistake(value.span().start, "this must be a text, a number, true or false"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PORTFOLIOS;

    fn known(preset: &str, _: &[(String, String)]) -> Result<(), String> {
        if preset == "nonsense" { Err("there is no preset `nonsense`".to_string()) } else { Ok(()) }
    }

    fn mistake(text: &str) -> String {
        read("x", text, &known).unwrap_err().to_string()
    }

    #[test]
    fn built_in_portfolios_are_valid() {
        for (name, text) in PORTFOLIOS {
            let portfolio = read(name, text, &known).unwrap_or_else(|error| panic!("{name}: {error}"));
            assert!(!portfolio.description.is_empty(), "{name}");
            assert!(is_portfolio(text));
        }
    }

    #[test]
    fn nodes_and_edges_are_read() {
        let text = "description = \"d\"\n[node.b]\npreset = \"symbolic\"\nshare = 0.1\nseconds = 2\nset = { max-bound = 8 }\n\
                    next = [{ to = \"a\", on = \"time stuck\", when = \"loops > 0\" }, { to = \"c\" }]\n[node.a]\n[node.c]\n";
        let portfolio = read("x", text, &known).unwrap();
        let names: Vec<&str> = portfolio.nodes.iter().map(|node| node.name.as_str()).collect();
        assert_eq!(names, ["b", "a", "c"]);
        let first = &portfolio.nodes[0];
        assert_eq!((first.preset.as_str(), first.share, first.at_most), ("symbolic", 0.1, Some(Duration::from_secs(2))));
        assert_eq!(first.settings, [("max-bound".to_string(), "8".to_string())]);
        assert_eq!((first.edges[0].to, first.edges[0].on.as_slice()), (1, [ObstacleKind::Time, ObstacleKind::Stuck].as_slice()));
        assert_eq!(first.edges[0].line, 7);
        assert_eq!(portfolio.nodes[1].edges[0].to, 2);
        assert!(portfolio.nodes[2].edges.is_empty());
        let stages = read("x", "stages = [\"symbolic 0.5\", \"value 1\"]", &known).unwrap();
        assert_eq!(stages.nodes[0].edges[0].to, 1);
        assert!(!is_portfolio("domain = \"value\""));
    }

    #[test]
    fn mistakes_have_lines() {
        let cases = [
            ("[node.a]\nshare = 2\n", "line 2: a share is above 0 and at most 1"),
            ("[node.a]\nshre = 1\n", "line 2: `shre` is not known"),
            ("nodes = 1\n", "line 1: `nodes` is not known"),
            ("[node.a]\nnext = [{ to = \"z\" }]\n", "line 2: there is no node `z`"),
            ("[node.a]\nnext = [\n  { to = \"b\", on = \"tired\" } ]\n[node.b]\n", "line 3: `tired` is no reason"),
            ("[node.a]\nwhen = \"lops\"\n", "line 2: there is no feature `lops`"),
            ("\n[node.a]\npreset = \"nonsense\"\n", "line 2: node `a`: there is no preset `nonsense`"),
            ("[node.a]\nnext = []\n\n[node.b]\n", "line 4: no edge leads to the node `b`"),
            ("[node.a]\nlimit = 2\nnext = [{ to = \"a\" }]\n[node.b]\n", "line 4: no edge leads"),
            ("[node.a]\nshare = 0.5\nnext = [{ to = \"b\" }]\n[node.b]\nshare = 0.5\nnext = [{ to = \"a\" }]\n", "line 6: "),
            ("[node.a]\nnext = [{ to = \"b\", on = \"time\" }]\n[node.b]\n", "line 2: "),
            ("stages = [\"symbolic\"]", "line 1: the stage `symbolic`"),
            ("stages = []", "line 1: the portfolio has no nodes"),
            ("= 1", "line 1: "),
        ];
        for (text, expected) in cases {
            let found = mistake(text);
            assert!(found.starts_with(expected), "{text}: {found}");
        }
    }
}
