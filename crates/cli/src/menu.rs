//! From `--config` and `--set` to an analysis.

use crate::errors::Error;
use assay_analyses::{Config, ConfigError, PRESETS};
use assay_portfolio::{STRATEGIES, Strategy};
use assay_results::Analysis;
use std::path::Path;

/// The preset that runs when none is asked for.
pub const DEFAULT_PRESET: &str = "default";

/// A configuration that is built in: a strategy of several stages, or one analysis.
pub struct BuiltIn {
    pub name: &'static str,
    /// The TOML text behind the name.
    pub text: &'static str,
    pub description: String,
}

/// All that are built in, strategies first.
pub fn built_in() -> Vec<BuiltIn> {
    let strategies = STRATEGIES.iter().map(|&(name, text)| BuiltIn {
        name,
        text,
        description: Strategy::named(name).map(|strategy| strategy.description).unwrap_or_default(),
    });
    let presets = PRESETS.iter().map(|preset| BuiltIn { name: preset.name, text: preset.text, description: preset.description() });
    strategies.chain(presets).collect()
}

/// A configuration that was asked for and is complete.
#[derive(Clone, Debug)]
pub struct Choice {
    /// The name of the preset, or of the file.
    pub name: String,
    plan: Plan,
}

/// One analysis, or several in a row.
#[derive(Clone, Debug)]
enum Plan {
    One(Box<Config>),
    /// The settings change every stage.
    Many(Strategy, Vec<(String, String)>),
}

impl Choice {
    /// The preset or file, changed by `key=value` settings.
    pub fn new(name: Option<&str>, settings: &[impl AsRef<str>]) -> Result<Choice, Error> {
        let name = name.unwrap_or(DEFAULT_PRESET);
        let mut pairs = Vec::new();
        for setting in settings.iter().map(AsRef::as_ref) {
            let Some((key, value)) = setting.split_once('=') else {
                return Err(Error::Configuration(format!("--set {setting}: write it as KEY=VALUE")));
            };
            pairs.push((key.trim().to_string(), value.trim().to_string()));
        }
        let plan = match STRATEGIES.iter().find(|(known, _)| *known == name) {
            Some((_, text)) => many(name, text, pairs)?,
            None if PRESETS.iter().any(|preset| preset.name == name) => {
                let config = assay_analyses::preset(name).map_err(bad)?;
                Plan::One(Box::new(changed(config, &pairs)?))
            }
            None => {
                let text = read_file(name)?;
                if Strategy::is_strategy(&text) {
                    many(name, &text, pairs)?
                } else {
                    let malformed = |error: ConfigError| Error::Malformed { path: name.into(), reason: error.to_string() };
                    Plan::One(Box::new(changed(Config::parse(name, &text).map_err(malformed)?, &pairs)?))
                }
            }
        };
        Ok(Choice { name: name.to_string(), plan })
    }

    /// The configuration, if it is one analysis.
    pub fn single(&self) -> Option<&Config> {
        match &self.plan {
            Plan::One(config) => Some(config),
            Plan::Many(..) => None,
        }
    }

    pub fn build(self) -> Result<Box<dyn Analysis>, Error> {
        match self.plan {
            Plan::One(config) => assay_analyses::build(*config).map_err(bad),
            Plan::Many(strategy, pairs) => {
                let stage = |name: &str| {
                    let config = assay_analyses::preset(name).map_err(|error| error.to_string())?;
                    let config = changed(config, &pairs).map_err(|error| error.to_string())?;
                    assay_analyses::build(config).map_err(|error| error.to_string())
                };
                let sequence = strategy.build(&stage, crate::monitor::cpu_time);
                Ok(Box::new(sequence.map_err(|error| Error::Configuration(error.to_string()))?))
            }
        }
    }
}

fn bad(error: ConfigError) -> Error {
    Error::Configuration(error.to_string())
}

/// A strategy whose stages all exist and take the settings.
fn many(name: &str, text: &str, pairs: Vec<(String, String)>) -> Result<Plan, Error> {
    let strategy = Strategy::parse(name, text).map_err(|error| Error::Configuration(error.to_string()))?;
    for (stage, _) in &strategy.stages {
        changed(assay_analyses::preset(stage).map_err(bad)?, &pairs)?;
    }
    Ok(Plan::Many(strategy, pairs))
}

/// The configuration with single settings changed.
fn changed(mut config: Config, pairs: &[(String, String)]) -> Result<Config, Error> {
    for (key, value) in pairs {
        config.set(key, value).map_err(|error| Error::Configuration(format!("--set {key}={value}: {error}")))?;
    }
    config.validate().map_err(bad)?;
    Ok(config)
}

fn read_file(name: &str) -> Result<String, Error> {
    let path = Path::new(name);
    // A word that looks like no file is a slip in the name of a preset.
    if !path.exists() && path.extension().is_none() {
        let known: Vec<&str> = built_in().into_iter().map(|entry| entry.name).collect();
        return Err(Error::Configuration(format!("--config: there is no preset or file `{name}`; presets are {}", known.join(", "))));
    }
    std::fs::read_to_string(path).map_err(|error| Error::Unreadable { path: path.into(), reason: error.to_string() })
}
