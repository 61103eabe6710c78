//! Strategies as data, and those that are built in.

use crate::sequence::{Sequence, Stage};
use assay_results::Analysis;
use std::time::Duration;

/// A list of stages: the name of an analysis, and its share of the time that remains when it begins.
#[derive(Clone, PartialEq, Debug)]
pub struct Strategy {
    pub name: String,
    pub description: String,
    pub stages: Vec<(String, f64)>,
}

/// Why a strategy cannot be used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StrategyError {
    Syntax(String),
    /// A stage is not written as `name share`, with a share above 0 and at most 1.
    Stage(String),
    Empty,
    /// The analysis of a stage cannot be made.
    Analysis(String),
}

impl std::fmt::Display for StrategyError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            StrategyError::Syntax(text) => write!(f, "the strategy cannot be read: {text}"),
            StrategyError::Stage(text) => {
                write!(f, "the stage `{text}` must be a preset and a share above 0 and at most 1, as in `symbolic 0.5`")
            }
            StrategyError::Empty => f.write_str("the strategy has no stages"),
            StrategyError::Analysis(text) => f.write_str(text),
        }
    }
}

impl std::error::Error for StrategyError {}

/// The strategies that are built in, by name.
pub const STRATEGIES: &[(&str, &str)] = &[("default", include_str!("../strategies/default.toml"))];

impl Strategy {
    /// A built-in strategy.
    pub fn named(name: &str) -> Option<Strategy> {
        let (name, text) = STRATEGIES.iter().find(|(known, _)| *known == name)?;
        Strategy::parse(name, text).ok()
    }

    /// Reads a strategy: `stages = ["symbolic 0.5", "value-cegar 1"]`.
    ///
    /// # Errors
    /// What is wrong with the text.
    pub fn parse(name: &str, text: &str) -> Result<Strategy, StrategyError> {
        let table: toml::Table = text.parse().map_err(|e: toml::de::Error| StrategyError::Syntax(e.message().to_string()))?;
        let description = table.get("description").and_then(|v| v.as_str()).unwrap_or_default().to_string();
        let mut stages = Vec::new();
        for entry in table.get("stages").and_then(|v| v.as_array()).into_iter().flatten() {
            let text = entry.as_str().unwrap_or_default();
            let parsed = text.split_once(' ').and_then(|(name, share)| Some((name.to_string(), share.trim().parse::<f64>().ok()?)));
            match parsed {
                Some((name, share)) if share > 0.0 && share <= 1.0 => stages.push((name, share)),
                _ => return Err(StrategyError::Stage(entry.to_string())),
            }
        }
        if stages.is_empty() {
            return Err(StrategyError::Empty);
        }
        Ok(Strategy { name: name.to_string(), description, stages })
    }

    /// Whether a configuration file is a strategy.
    pub fn is_strategy(text: &str) -> bool {
        text.parse::<toml::Table>().is_ok_and(|table| table.contains_key("stages"))
    }

    /// Makes the analysis. `build` makes the one of a stage, `clock` tells the CPU time that the process has used.
    ///
    /// # Errors
    /// The first stage that cannot be made.
    pub fn build(
        &self,
        build: &dyn Fn(&str) -> Result<Box<dyn Analysis>, String>,
        clock: fn() -> Duration,
    ) -> Result<Sequence, StrategyError> {
        let stages = self.stages.iter().map(|(name, share)| {
            let analysis = build(name).map_err(StrategyError::Analysis)?;
            Ok(Stage { analysis, share: *share })
        });
        Ok(Sequence::new(self.name.clone(), stages.collect::<Result<_, StrategyError>>()?, clock))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn built_in_strategies_are_valid() {
        for (name, text) in STRATEGIES {
            let strategy = Strategy::parse(name, text).unwrap();
            assert!(!strategy.description.is_empty());
            assert_eq!(Strategy::named(name), Some(strategy));
            assert!(Strategy::is_strategy(text));
        }
    }

    #[test]
    fn mistakes_are_named() {
        assert_eq!(Strategy::parse("x", "stages = []"), Err(StrategyError::Empty));
        assert!(matches!(Strategy::parse("x", "stages = [\"symbolic\"]"), Err(StrategyError::Stage(_))));
        assert!(matches!(Strategy::parse("x", "stages = [\"symbolic 2\"]"), Err(StrategyError::Stage(_))));
        assert!(matches!(Strategy::parse("x", "="), Err(StrategyError::Syntax(_))));
        assert!(!Strategy::is_strategy("domain = \"value\""));
    }
}
