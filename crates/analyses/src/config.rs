//! Configurations: resolved once into plain data, then passed down.

use crate::domains::Uses;
pub use crate::domains::{DomainChoice, Domains};
pub use crate::options::Config;
use crate::options::{OPTIONS, find};
use assay_base::nearest;
use assay_cfa::blocks::BlockOptions;
use assay_cpa::{Before, Order, WaitOrder};
use assay_domains::value::{CoverageRule, InitialPrecision};

/// Which algorithm of memoization runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum BamEngine {
    /// The parallel one, if there is more than one thread.
    #[default]
    Auto,
    /// One block after the other, with exits used as they are found.
    Sequential,
    /// Blocks as jobs of several threads.
    Parallel,
}

/// How a program is looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum AnalysisKind {
    /// Abstract states of a domain are explored.
    #[default]
    Explore,
    /// The program unrolled to a bound is one formula.
    Unroll,
    /// Inputs are chosen by chance.
    Run,
    /// Inputs are chosen by what they lead to.
    Fuzz,
    /// Loops and recursion are shown to end, or an execution that does not is looked for.
    Termination,
}

/// Which parts of a program memoization takes as blocks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BlockKinds {
    /// Functions are blocks.
    pub functions: bool,
    /// Loops are blocks.
    pub loops: bool,
    /// Those that cost more than they save are given up.
    pub adapts: bool,
}

/// Whether the depth of the call stack outweighs the order of exploration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CallOrder {
    /// In every program.
    Always(Before),
    /// Only where functions call themselves, and then the smaller depth first.
    ShallowerInRecursion,
}

/// Why a configuration is not valid.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ConfigError {
    /// No option has this key.
    UnknownKey {
        /// As it was written.
        key: String,
        /// A key that is like it.
        nearest: Option<&'static str>,
    },
    /// The option does not take this value.
    BadValue {
        /// The option.
        key: String,
        /// As it was written.
        value: String,
        /// What it takes, in words.
        expected: String,
    },
    /// The settings do not go together.
    Contradiction(String),
    /// The text is not valid TOML.
    Syntax(String),
    /// There is no such preset and no such file.
    UnknownPreset {
        /// As it was written.
        name: String,
    },
}

impl std::fmt::Display for ConfigError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ConfigError::UnknownKey { key, nearest } => {
                write!(f, "there is no option `{key}`")?;
                if let Some(nearest) = nearest {
                    write!(f, "; did you mean `{nearest}`?")?;
                }
                Ok(())
            }
            ConfigError::BadValue { key, value, expected } => write!(f, "`{value}` is no value for `{key}`: expected {expected}"),
            ConfigError::Contradiction(text) => f.write_str(text),
            ConfigError::Syntax(text) => write!(f, "the configuration cannot be read: {text}"),
            ConfigError::UnknownPreset { name } => write!(f, "there is no preset `{name}`; `assay configs` lists them"),
        }
    }
}

impl std::error::Error for ConfigError {}

impl Config {
    /// Sets one option by its key.
    ///
    /// # Errors
    /// An unknown key, or a value that the option does not take.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), ConfigError> {
        let Some(option) = find(key) else {
            let nearest = nearest(key, OPTIONS.iter().map(|option| option.key));
            return Err(ConfigError::UnknownKey { key: key.to_string(), nearest });
        };
        (option.set)(self, value).map_err(|expected| ConfigError::BadValue { key: key.to_string(), value: value.to_string(), expected })
    }

    /// Reads a configuration file: a flat TOML table of the options' keys, and `preset = "name"` to begin with another
    /// one.
    ///
    /// # Errors
    /// What is wrong with the text or one of its settings.
    pub fn parse(name: &str, text: &str) -> Result<Config, ConfigError> {
        let table: toml::Table = text.parse().map_err(|e: toml::de::Error| ConfigError::Syntax(e.message().to_string()))?;
        let mut config = match table.get("preset").and_then(|v| v.as_str()) {
            Some(base) => crate::presets::preset(base)?,
            None => Config::default(),
        };
        config.name = name.to_string();
        for (key, value) in &table {
            if matches!(key.as_str(), "preset" | "description") {
                continue;
            }
            let text = match value {
                toml::Value::String(text) => text.clone(),
                other => other.to_string(),
            };
            config.set(key, &text)?;
        }
        Ok(config)
    }

    /// How solvers work in this configuration.
    pub fn solver(&self) -> assay_smt::Config {
        assay_smt::Config { dump_queries: self.dump_queries.as_ref().map(Into::into), backend: self.backend.clone(), ..Default::default() }
    }

    /// The order of exploration for a program with or without recursion; a random one takes the seed, whichever of the
    /// two was set first.
    pub fn wait_order(&self, recursive: bool) -> WaitOrder {
        let mut order = WaitOrder { base: self.order, loops: self.order_loops, ..WaitOrder::default() };
        order.calls = match self.order_calls {
            CallOrder::Always(before) => before,
            CallOrder::ShallowerInRecursion if recursive => Before::ShallowerFirst,
            CallOrder::ShallowerInRecursion => Before::Ignore,
        };
        if let Order::Random { seed } | Order::RandomPath { seed } = &mut order.base {
            *seed = self.seed;
        }
        order
    }

    /// What memoization takes as blocks.
    pub fn blocks(&self) -> BlockOptions {
        BlockOptions {
            functions: self.block_kinds.functions,
            loops: self.block_kinds.loops,
            // Parts cost a little in each run, and only other runs gain by them.
            part_size: if self.block_kinds.adapts && self.cache.is_some() { self.part_size } else { 0 },
            min_size: self.block_size,
            inline_size: if self.block_kinds.adapts { self.inline_size } else { 0 },
            min_calls: self.block_calls,
            nested: self.nested_blocks,
        }
    }

    /// Whether abstract states of this domain alone are explored.
    fn explores(&self, domain: DomainChoice) -> bool {
        self.analysis == AnalysisKind::Explore && self.domain.is(domain)
    }

    /// Whether the precision is refined by counterexamples.
    pub(crate) fn refines(&self) -> bool {
        self.precision != InitialPrecision::Everything
    }

    /// Whether abstract states have regions of predicates.
    pub(crate) fn uses_predicates(&self) -> bool {
        self.analysis == AnalysisKind::Explore && self.domain.has(DomainChoice::Predicate)
    }

    /// Whether a domain that explores has this use.
    fn has_use(&self, selected: fn(Uses) -> bool) -> bool {
        self.analysis == AnalysisKind::Explore && selected(self.domain.first.uses())
    }

    /// Rejects settings that do not go together.
    ///
    /// # Errors
    /// What contradicts what.
    pub fn validate(&self) -> Result<(), ConfigError> {
        if self.analysis != AnalysisKind::Explore && self.bam {
            return Err(ConfigError::Contradiction("`bam` goes with `analysis = explore`; the others have no blocks".into()));
        }
        if matches!(self.analysis, AnalysisKind::Run | AnalysisKind::Fuzz) && self.watch_cells > 0 {
            return Err(ConfigError::Contradiction("`watch-cells` is for proofs; `analysis = run` and `fuzz` find violations".into()));
        }
        if self.analysis != AnalysisKind::Unroll && self.induction {
            return Err(ConfigError::Contradiction("`induction` goes with `analysis = unroll`".into()));
        }
        let predicates = self.uses_predicates();
        let refinable = self.has_use(|uses| uses.refined);
        if self.refines() && !refinable {
            return Err(ConfigError::Contradiction(format!("`precision = refined` goes with {}", refined_domains())));
        }
        if predicates && !self.refines() {
            return Err(ConfigError::Contradiction("the domain `predicate` goes with `precision = refined`".into()));
        }
        if self.all_counterexamples && (!self.refines() || self.bam) {
            return Err(ConfigError::Contradiction("`counterexamples = all` goes with `precision = refined`, and not with `bam`".into()));
        }
        let lacking = self.domain.all().find(|domain| !domain.uses().memoized);
        if let Some(lacking) = lacking.filter(|_| self.bam) {
            let name = lacking.name();
            return Err(ConfigError::Contradiction(format!(
                "`bam` does not go with the domain `{name}`, which has no summaries of blocks"
            )));
        }
        if predicates && self.bam && !self.explores(DomainChoice::Predicate) {
            return Err(ConfigError::Contradiction("`bam` with predicates goes with the domain `predicate` alone".into()));
        }
        if predicates && self.bam && self.block_length > 0 {
            return Err(ConfigError::Contradiction("`bam` with predicates does not go with `block-length`".into()));
        }
        if self.explores(DomainChoice::Induction) && matches!(self.coverage, CoverageRule::Renamed | CoverageRule::Aliased) {
            return Err(ConfigError::Contradiction(
                "`coverage` by other names does not go with the domain `induction`, whose loops remember values by their names".into(),
            ));
        }
        if self.cut_recursion && !self.explores(DomainChoice::Induction) {
            return Err(ConfigError::Contradiction("`cut-recursion` goes with the domain `induction`".into()));
        }
        if self.cut_recursion && self.watch_cells > 0 {
            return Err(ConfigError::Contradiction("`cut-recursion` does not go with `watch-cells`, which changes the program too".into()));
        }
        if self.trace.is_some() && !(self.refines() && refinable) {
            return Err(ConfigError::Contradiction(format!("`refinement` goes with `precision = refined` and {}", refined_domains())));
        }
        if self.merge_constraints && (self.refines() || self.bam || !self.explores(DomainChoice::Symbolic)) {
            return Err(ConfigError::Contradiction(
                "`merge = constraints` goes with symbolic execution alone: refinement and memoization need every path by itself".into(),
            ));
        }
        Ok(())
    }
}
/// Which domains a refinement can make more precise, for messages.
fn refined_domains() -> String {
    let refined = DomainChoice::ALL.iter().filter(|domain| domain.uses().refined).map(|domain| format!("`{}`", domain.name()));
    format!("`analysis = explore` and one of the domains {}", refined.collect::<Vec<_>>().join(", "))
}
