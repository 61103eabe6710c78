//! The presets that are built into the binary, each a small TOML file in `presets/`.

use crate::config::{Config, ConfigError};

/// A named configuration.
pub struct Preset {
    /// The name of its file, and after `--config`.
    pub name: &'static str,
    /// The file: a line of description, then settings in TOML.
    pub text: &'static str,
}

impl Preset {
    /// The one line that says what it is for.
    pub fn description(&self) -> String {
        let table = self.text.parse::<toml::Table>().unwrap_or_default();
        table.get("description").and_then(|v| v.as_str()).unwrap_or_default().to_string()
    }
}

/// All presets by name; the build script makes the list from the files.
pub const PRESETS: &[Preset] = include!(concat!(env!("OUT_DIR"), "/presets.rs"));

/// Names that presets had, and what they are called now.
pub(crate) const RENAMED: &[(&str, &str)] = &[("induction", "k-induction-paths"), ("k-induction", "k-induction-formulas")];

/// The name that a preset has today.
pub fn current_name(name: &str) -> &str {
    RENAMED.iter().find(|(old, _)| *old == name).map_or(name, |(_, new)| new)
}

/// The configuration of a preset; names of earlier versions are known.
///
/// # Errors
/// There is no preset of this name.
pub fn preset(name: &str) -> Result<Config, ConfigError> {
    let name = current_name(name);
    let found = PRESETS.iter().find(|preset| preset.name == name);
    let preset = found.ok_or_else(|| ConfigError::UnknownPreset { name: name.to_string() })?;
    Config::parse(name, preset.text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_preset_is_valid_and_described() {
        for entry in PRESETS {
            let config = preset(entry.name).unwrap();
            assert_eq!(config.name, entry.name);
            config.validate().unwrap();
            assert!(!entry.description().is_empty(), "{}", entry.name);
        }
    }

    #[test]
    fn a_random_order_takes_the_seed_whichever_is_set_first() {
        for keys in [[("order", "random"), ("seed", "7")], [("seed", "7"), ("order", "random")]] {
            let mut config = Config::default();
            keys.iter().for_each(|(key, value)| config.set(key, value).unwrap());
            assert_eq!(config.wait_order(false).base, assay_cpa::Order::Random { seed: 7 });
        }
    }

    #[test]
    fn mistakes_are_named() {
        let mut config = Config::default();
        assert!(config.set("ordr", "bfs").unwrap_err().to_string().contains("did you mean `order`"));
        assert!(config.set("order", "best").unwrap_err().to_string().contains("one of bfs"));
        assert!(preset("nonsense").unwrap_err().to_string().contains("assay configs"));
        assert!(Config::parse("x", "analysis = \"run\"\nprecision = \"refined\"").unwrap().validate().is_err());
        assert!(matches!(Config::parse("x", "= 1"), Err(ConfigError::Syntax(_))));
    }
}
