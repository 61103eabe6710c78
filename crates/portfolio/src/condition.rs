//! Conditions over the features of a program: `recursion > 0 and not floats`.

use assay_cfa::features::Features;
use assay_cfa::structure::Structure;
use assay_cfa::{Program, Target};
use std::cell::OnceCell;

/// What conditions ask about: the features of one program, computed when the first condition asks.
pub struct Facts<'p> {
    program: &'p Program,
    rows: OnceCell<Vec<(&'static str, u64)>>,
    cache: bool,
    parallel: bool,
}

/// Names beside the features' own, each a sum of features; a condition is easier to read with them.
const SUMS: &[(&str, &[&str])] = &[
    ("recursion", &["recursive_functions"]),
    ("arrays", &["array_variables"]),
    ("floats", &["float_variables", "float_operations"]),
    ("heap", &["allocations"]),
    ("complexity", &["cyclomatic_complexity"]),
    ("size", &["edges"]),
    ("bit_arithmetic", &["bit_operations", "float_operations"]),
];
/// What is asked of the program: whether it has targets of a kind.
const PROPERTIES: &[&str] = &["reachability", "overflows", "memory", "termination"];
/// What the run has: a folder for what it leaves to the next one, and more than one thread.
const MEANS: &[&str] = &["cache", "parallel"];

impl<'p> Facts<'p> {
    /// Nothing is computed before it is asked for.
    pub fn new(program: &'p Program) -> Self {
        Facts { program, rows: OnceCell::new(), cache: false, parallel: false }
    }

    /// The same for a run that has, or does not have, a folder for what it leaves to the next one.
    #[must_use]
    pub fn with_cache(self, cache: bool) -> Self {
        Facts { cache, ..self }
    }

    /// The same for a run that may, or may not, keep several threads busy.
    #[must_use]
    pub fn with_threads(self, threads: usize) -> Self {
        Facts { parallel: threads > 1, ..self }
    }

    /// The value of a feature; nothing for a name that is none.
    pub fn value(&self, name: &str) -> Option<u64> {
        if let Some(at) = MEANS.iter().position(|known| *known == name) {
            return Some(u64::from([self.cache, self.parallel][at]));
        }
        let rows = self.rows.get_or_init(|| rows(self.program));
        rows.iter().find(|(known, _)| *known == name).map(|(_, value)| *value)
    }
}

fn rows(program: &Program) -> Vec<(&'static str, u64)> {
    let mut rows = Features::of(&Structure::new(program)).rows();
    for (name, parts) in SUMS {
        let sum = parts.iter().map(|part| rows.iter().find(|(known, _)| known == part).map_or(0, |(_, value)| *value)).sum();
        rows.push((name, sum));
    }
    let has = |kind: fn(Target) -> bool| u64::from(program.targets().any(|(_, target)| kind(target)));
    rows.push((PROPERTIES[0], has(|target| target == Target::UnreachCall)));
    rows.push((PROPERTIES[1], has(|target| target == Target::NoOverflow)));
    rows.push((PROPERTIES[2], has(|target| !matches!(target, Target::UnreachCall | Target::NoOverflow))));
    rows.push((PROPERTIES[3], u64::from(program.questions.contains(Target::Termination))));
    rows
}

/// All names that conditions may use.
pub fn feature_names() -> Vec<&'static str> {
    let own = Features::default().rows().into_iter().map(|(name, _)| name);
    own.chain(SUMS.iter().map(|(name, _)| *name)).chain(PROPERTIES.iter().copied()).chain(MEANS.iter().copied()).collect()
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Comparison {
    Less,
    AtMost,
    Equal,
    Different,
    AtLeast,
    More,
}

const COMPARISONS: &[(&str, Comparison)] = &[
    ("<=", Comparison::AtMost),
    (">=", Comparison::AtLeast),
    ("==", Comparison::Equal),
    ("!=", Comparison::Different),
    ("<", Comparison::Less),
    (">", Comparison::More),
];

/// A comparison of a feature with a number.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Clause {
    feature: &'static str,
    comparison: Comparison,
    number: u64,
}

/// Alternatives (`or`) of clauses that hold together (`and`). Without any it always holds.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Condition {
    text: String,
    alternatives: Vec<Vec<Clause>>,
}

impl Condition {
    /// Reads `loops > 0 and not recursion or size < 100`; a name alone means more than none of it.
    ///
    /// # Errors
    /// What is wrong with the text.
    pub fn parse(text: &str) -> Result<Condition, String> {
        let mut alternatives = Vec::new();
        for alternative in split(text, "or") {
            alternatives.push(split(&alternative, "and").iter().map(|clause| parse_clause(clause)).collect::<Result<_, _>>()?);
        }
        Ok(Condition { text: text.to_string(), alternatives })
    }

    /// Whether it holds in every program.
    pub fn is_trivial(&self) -> bool {
        self.alternatives.is_empty()
    }

    /// Whether it holds of the program.
    pub fn holds(&self, facts: &Facts<'_>) -> bool {
        let clause = |clause: &Clause| {
            let value = facts.value(clause.feature).unwrap_or(0);
            match clause.comparison {
                Comparison::Less => value < clause.number,
                Comparison::AtMost => value <= clause.number,
                Comparison::Equal => value == clause.number,
                Comparison::Different => value != clause.number,
                Comparison::AtLeast => value >= clause.number,
                Comparison::More => value > clause.number,
            }
        };
        self.is_trivial() || self.alternatives.iter().any(|clauses| clauses.iter().all(clause))
    }

    /// The text it was read from.
    pub fn text(&self) -> &str {
        &self.text
    }
}

/// The parts between whole words.
fn split(text: &str, word: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    for token in text.split_whitespace() {
        match parts.last_mut() {
            Some(last) if token != word => {
                last.push_str(token);
                last.push(' ');
            }
            _ => parts.push(String::new()),
        }
    }
    parts
}

fn parse_clause(text: &str) -> Result<Clause, String> {
    let text = text.trim();
    let name = |name: &str| {
        let wanted = name.trim().replace('-', "_");
        let known = feature_names().into_iter().find(|known| *known == wanted);
        known.ok_or_else(|| format!("there is no feature `{}`; `assay features` shows them", name.trim()))
    };
    if let Some((symbol, comparison)) = COMPARISONS.iter().find(|(symbol, _)| text.contains(symbol)) {
        let (left, right) = text.split_once(symbol).unwrap_or((text, ""));
        let number = right.trim().parse().map_err(|_| format!("`{}` is no number", right.trim()))?;
        return Ok(Clause { feature: name(left)?, comparison: *comparison, number });
    }
    match text.strip_prefix("not ") {
        Some(rest) => Ok(Clause { feature: name(rest)?, comparison: Comparison::Equal, number: 0 }),
        None => Ok(Clause { feature: name(text)?, comparison: Comparison::More, number: 0 }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use assay_cfa::{Builder, DataModel};

    #[test]
    fn conditions_are_read_and_hold() {
        let mut builder = Builder::new(DataModel::Ilp32);
        let main = builder.function("main", assay_base::Span::NONE);
        let program = builder.finish(main);
        let facts = Facts::new(&program);
        let check = |text: &str, expected: bool| assert_eq!(Condition::parse(text).unwrap().holds(&facts), expected, "{text}");
        check("functions == 1 and not recursion", true);
        check("functions > 1 or loops <= 0", true);
        check("functions >= 2", false);
        check("floats", false);
        check("functions", true);
        check("cache", false);
        check("functions != 1 or functions<1 and loops == 0", false);
        assert!(Condition::default().holds(&facts));
        check("parallel", false);
        assert!(Condition::parse("parallel and not cache").unwrap().holds(&Facts::new(&program).with_threads(2)));
        assert!(Condition::parse("cache and functions").unwrap().holds(&facts.with_cache(true)));
    }

    #[test]
    fn mistakes_are_named() {
        assert!(Condition::parse("lops > 0").unwrap_err().contains("no feature `lops`"));
        assert!(Condition::parse("loops > many").unwrap_err().contains("`many` is no number"));
        assert!(Condition::parse("").is_err());
    }
}
