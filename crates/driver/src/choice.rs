//! From the name of a configuration and single settings to an analysis.

use crate::error::Error;
use crate::request::Meters;
use assay_analyses::{AnalysisKind, Config, ConfigError, Machines, PRESETS, Questions, current_name};
use assay_portfolio::{Node, PORTFOLIOS, Portfolio, Prepared, Running, is_portfolio};
use assay_results::Analysis;
use std::path::Path;
use std::sync::Arc;

/// What runs when nothing is asked for.
pub const DEFAULT_PRESET: &str = "auto";

/// A configuration that is built in: a portfolio of several analyses, or one analysis.
pub struct BuiltIn {
    /// What `--config` takes.
    pub name: &'static str,
    /// The TOML text behind the name.
    pub text: &'static str,
    /// What it is for.
    pub description: String,
}

/// All that are built in, portfolios first.
pub fn built_in() -> Vec<BuiltIn> {
    let portfolios = PORTFOLIOS.iter().map(|&(name, text)| BuiltIn {
        name,
        text,
        description: portfolio(name, text).map(|portfolio| portfolio.description).unwrap_or_default(),
    });
    let presets = PRESETS.iter().map(|preset| BuiltIn { name: preset.name, text: preset.text, description: preset.description() });
    portfolios.chain(presets).collect()
}

/// A portfolio that is built in or in a file.
///
/// # Errors
/// There is none, or it is not understood.
pub fn portfolio_named(name: &str) -> Result<Portfolio, Error> {
    match PORTFOLIOS.iter().find(|(known, _)| *known == name) {
        Some((_, text)) => portfolio(name, text),
        None if PRESETS.iter().any(|preset| preset.name == name) => {
            Err(Error::Configuration(format!("`{name}` is one analysis; `assay configs {name}` shows it")))
        }
        None => portfolio(name, &read_file(name)?),
    }
}

/// Other machines, on which analyses run for this one.
pub trait Elsewhere: Send + Sync {
    /// The analysis of a portfolio's node.
    fn node(&self, preset: &str, settings: &[(String, String)]) -> Box<dyn Analysis>;
    /// The only analysis of a run.
    fn single(&self, name: &str) -> Box<dyn Analysis>;
    /// An analysis that runs here and has blocks of the program explored there.
    fn sharing_blocks(&self, config: Config) -> Box<dyn Analysis>;
}

/// A configuration that was asked for and is complete.
#[derive(Clone)]
pub struct Choice {
    /// The name of the preset, or of the file.
    pub name: String,
    plan: Plan,
    /// Where its analyses run, if not here.
    nodes: Option<Arc<dyn Elsewhere>>,
    /// For whom it explores blocks, if that is all it does.
    session: Option<Arc<dyn Questions>>,
}

impl std::fmt::Debug for Choice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.name)
    }
}

/// One analysis, or several.
#[derive(Clone)]
enum Plan {
    One(Box<Config>),
    /// The settings change every node.
    Many(Portfolio, Vec<(String, String)>),
}

impl Choice {
    /// The preset, the portfolio or the file of this name, `auto` without one, changed by `key=value` settings.
    ///
    /// # Errors
    /// A name or a setting that is not known, or a file that cannot be read or understood.
    pub fn new(name: Option<&str>, settings: &[impl AsRef<str>]) -> Result<Choice, Error> {
        let name = name.unwrap_or(DEFAULT_PRESET);
        let mut pairs = Vec::new();
        for setting in settings.iter().map(AsRef::as_ref) {
            let Some((key, value)) = setting.split_once('=') else {
                return Err(Error::Configuration(format!("--set {setting}: write it as KEY=VALUE")));
            };
            pairs.push((key.trim().to_string(), value.trim().to_string()));
        }
        let plan = match PORTFOLIOS.iter().find(|(known, _)| *known == name) {
            Some((_, text)) => many(name, text, pairs)?,
            None if PRESETS.iter().any(|preset| preset.name == current_name(name)) => {
                let config = assay_analyses::preset(name).map_err(bad)?;
                Plan::One(Box::new(changed(config, &pairs)?))
            }
            None => {
                let text = read_file(name)?;
                if is_portfolio(&text) {
                    many(name, &text, pairs)?
                } else {
                    let malformed = |error: ConfigError| Error::Malformed { path: name.into(), reason: error.to_string() };
                    Plan::One(Box::new(changed(Config::parse(name, &text).map_err(malformed)?, &pairs)?))
                }
            }
        };
        Ok(Choice { name: name.to_string(), plan, nodes: None, session: None })
    }

    /// What to tell the caller that asked by a name of an earlier version.
    pub fn renamed(&self) -> Option<String> {
        let current = current_name(&self.name);
        (current != self.name).then(|| format!("the preset `{}` is called `{current}` now", self.name))
    }

    /// The configuration, if it is one analysis.
    pub fn single(&self) -> Option<&Config> {
        match &self.plan {
            Plan::One(config) => Some(config),
            Plan::Many(..) => None,
        }
    }

    /// The portfolio, if it is one.
    pub fn portfolio(&self) -> Option<&Portfolio> {
        match &self.plan {
            Plan::One(_) => None,
            Plan::Many(portfolio, _) => Some(portfolio),
        }
    }

    /// From now on every analysis is a job of a cluster. The name and settings of a single one are among the options of
    /// the jobs.
    pub fn run_on(&mut self, nodes: Arc<dyn Elsewhere>) {
        self.nodes = Some(nodes);
    }

    /// It explores blocks for another run, and nothing else.
    pub fn serve(&mut self, session: Arc<dyn Questions>) {
        self.session = Some(session);
    }

    /// Whether its blocks can be explored on several machines while it runs on this one.
    pub fn shares_blocks(&self) -> bool {
        self.single().is_some_and(|config| config.bam && config.analysis == AnalysisKind::Explore)
    }

    /// Whether it runs on workers.
    pub fn is_elsewhere(&self) -> bool {
        self.nodes.is_some()
    }

    /// Whether it works for a run on another machine.
    pub fn serves(&self) -> bool {
        self.session.is_some()
    }

    /// Makes the analysis.
    ///
    /// # Errors
    /// Settings that do not go together.
    pub fn build(self, meters: Meters) -> Result<Box<dyn Analysis>, Error> {
        let shares = self.shares_blocks();
        let remembers = if self.session.is_none() { self.cache() } else { None };
        let nodes = self.nodes;
        let built: Box<dyn Analysis> = match self.plan {
            Plan::One(config) => match nodes {
                Some(nodes) if shares => nodes.sharing_blocks(*config),
                Some(nodes) => nodes.single(&self.name),
                None => {
                    let machines = self.session.map(Machines::Serve);
                    assay_analyses::build_with(*config, machines).map_err(bad)?
                }
            },
            Plan::Many(portfolio, pairs) => {
                let prepare = |node: &Node| {
                    if let Some(nodes) = &nodes {
                        let analysis = nodes.node(&node.preset, &node.settings);
                        return Ok(Prepared { analysis, uses_threads: false, uses_cache: false });
                    }
                    let config = configuration(&node.preset, &node.settings, &pairs).map_err(|error| error.to_string())?;
                    let (uses_threads, uses_cache) = (config.bam, config.bam && config.cache.is_some());
                    let analysis = assay_analyses::build(config).map_err(|error| error.to_string())?;
                    Ok(Prepared { analysis, uses_threads, uses_cache })
                };
                Box::new(Running::new(portfolio, &prepare, meters.cpu_time).map_err(Error::Configuration)?)
            }
        };
        Ok(match remembers {
            Some((folder, megabytes, keeps_summaries)) => assay_analyses::remembering(built, &folder, megabytes, keeps_summaries),
            None => built,
        })
    }

    /// The folder for what a run leaves to the next one, its size, and whether some analysis keeps summaries there.
    fn cache(&self) -> Option<(String, u64, bool)> {
        let of = |config: &Config| Some((config.cache.clone()?, config.cache_megabytes, config.bam));
        match &self.plan {
            Plan::One(config) => of(config),
            Plan::Many(portfolio, pairs) => {
                let of_node = |node: &Node| of(&configuration(&node.preset, &node.settings, pairs).ok()?);
                let found: Vec<_> = portfolio.nodes.iter().filter_map(of_node).collect();
                let keeps_summaries = found.iter().any(|(.., bam)| *bam);
                found.into_iter().next().map(|(folder, megabytes, _)| (folder, megabytes, keeps_summaries))
            }
        }
    }
}

fn bad(error: ConfigError) -> Error {
    Error::Configuration(error.to_string())
}

/// A portfolio whose nodes all exist and take the settings.
fn many(name: &str, text: &str, pairs: Vec<(String, String)>) -> Result<Plan, Error> {
    let portfolio = portfolio(name, text)?;
    for node in &portfolio.nodes {
        configuration(&node.preset, &node.settings, &pairs)?;
    }
    Ok(Plan::Many(portfolio, pairs))
}

fn portfolio(name: &str, text: &str) -> Result<Portfolio, Error> {
    let known =
        |preset: &str, settings: &[(String, String)]| configuration(preset, settings, &[]).map(|_| ()).map_err(|error| error.to_string());
    assay_portfolio::read(name, text, &known).map_err(|mistake| Error::Malformed { path: name.into(), reason: mistake.to_string() })
}

/// The configuration of a node: its preset, its own settings, then those of the command line.
fn configuration(preset: &str, settings: &[(String, String)], pairs: &[(String, String)]) -> Result<Config, Error> {
    let mut config = assay_analyses::preset(preset).map_err(bad)?;
    for (key, value) in settings {
        config.set(key, value).map_err(bad)?;
    }
    changed(config, pairs)
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
        let known: Vec<&str> = PORTFOLIOS.iter().map(|(name, _)| *name).chain(PRESETS.iter().map(|preset| preset.name)).collect();
        return Err(Error::Configuration(format!("--config: there is no preset or file `{name}`; presets are {}", known.join(", "))));
    }
    std::fs::read_to_string(path).map_err(|error| Error::Unreadable { path: path.into(), reason: error.to_string() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_built_in_configuration_can_be_built() {
        for entry in built_in() {
            assert!(!entry.description.is_empty(), "{}", entry.name);
            let choice = Choice::new(Some(entry.name), &[] as &[&str]).unwrap_or_else(|error| panic!("{}: {error}", entry.name));
            assert!(choice.build(Meters::default()).is_ok(), "{}", entry.name);
        }
    }
}
