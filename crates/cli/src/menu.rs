//! From `--config` and `--set` to an analysis.

use crate::errors::Error;
use assay_analyses::{Config, ConfigError, PRESETS};
use assay_results::Analysis;
use std::path::Path;

/// The preset that runs when none is asked for.
pub const DEFAULT_PRESET: &str = "symbolic";

/// A configuration that was asked for and is complete.
#[derive(Clone, Debug)]
pub struct Choice {
    /// The name of the preset, or of the file.
    pub name: String,
    config: Config,
}

impl Choice {
    /// The preset or file, changed by `key=value` settings.
    pub fn new(name: Option<&str>, settings: &[&str]) -> Result<Choice, Error> {
        let name = name.unwrap_or(DEFAULT_PRESET);
        let bad = |error: ConfigError| Error::Configuration(error.to_string());
        let mut config = match PRESETS.iter().any(|preset| preset.name == name) {
            true => assay_analyses::preset(name).map_err(bad)?,
            false => read_file(name)?,
        };
        for setting in settings {
            let Some((key, value)) = setting.split_once('=') else {
                return Err(Error::Configuration(format!("--set {setting}: write it as KEY=VALUE")));
            };
            config.set(key.trim(), value.trim()).map_err(|error| Error::Configuration(format!("--set {setting}: {error}")))?;
        }
        config.validate().map_err(bad)?;
        Ok(Choice { name: name.to_string(), config })
    }

    pub fn build(self) -> Result<Box<dyn Analysis>, Error> {
        assay_analyses::build(self.config).map_err(|error| Error::Configuration(error.to_string()))
    }
}

fn read_file(name: &str) -> Result<Config, Error> {
    let path = Path::new(name);
    // A word that looks like no file is a slip in the name of a preset.
    if !path.exists() && path.extension().is_none() {
        let known: Vec<&str> = PRESETS.iter().map(|preset| preset.name).collect();
        return Err(Error::Configuration(format!("--config: there is no preset or file `{name}`; presets are {}", known.join(", "))));
    }
    let text = std::fs::read_to_string(path).map_err(|error| Error::Unreadable { path: path.into(), reason: error.to_string() })?;
    Config::parse(name, &text).map_err(|error| Error::Malformed { path: path.into(), reason: error.to_string() })
}
