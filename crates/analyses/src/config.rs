//! Configurations: resolved once into plain data, then passed down.

use crate::options::{OPTIONS, find};
use crate::path_check::PathCheckMode;
use assay_cfa::blocks::BlockOptions;
use assay_cpa::{Before, Order, PrecisionScope, Restart, WaitOrder};
use assay_domains::value::{CheckAt, ConstraintPrecision, Coverage, DefiniteAssignments, InitialPrecision};
use assay_refine::{ForgetOrder, Preference};
use std::path::PathBuf;
use std::time::Duration;

/// Which abstract domain explores the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum DomainChoice {
    /// Constants and addresses.
    #[default]
    Value,
    /// Terms over inputs, with constraints.
    Symbolic,
    /// Bounds of registers, widened at loops.
    Interval,
    /// Decision diagrams of registers used as truth values or compared for equality only.
    Bdd,
    /// Terms over inputs, with loops cut by induction.
    Induction,
    /// No abstract states: the program unrolled to a bound as one formula.
    Bounded,
    /// No abstract states: runs of the program with inputs by chance.
    Concrete,
}

/// Which algorithm of memoization runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum BamEngine {
    /// The parallel one, if there is more than one thread.
    #[default]
    Auto,
    Sequential,
    Parallel,
}

/// Everything that an analysis can be told.
#[derive(Clone, Debug)]
pub struct Config {
    /// The name of the preset, or of the file.
    pub name: String,
    pub domain: DomainChoice,
    /// Counterexample-guided refinement.
    pub cegar: bool,
    /// Block-abstraction memoization.
    pub bam: bool,
    /// Which parts of the program become blocks.
    pub blocks: BlockOptions,
    /// Whether states are cut to what a block can touch.
    pub reduction: bool,
    pub engine: BamEngine,
    /// Where summaries are kept from one run to the next.
    pub cache: Option<String>,
    pub cache_megabytes: u64,
    /// In percent of the memory limit: with more in use, graphs of finished blocks are dropped.
    pub drop_graphs_at: u64,
    /// In percent of the memory limit: with more in use, summaries are moved to disk.
    pub spill_at: u64,
    /// Where the timeline of memoization's jobs is written.
    pub trace_jobs: Option<String>,
    pub order: WaitOrder,
    /// Shallow call stacks first where the program has recursion, whatever `order` says of calls.
    pub shallow_recursion: bool,
    pub restart: Restart,
    /// States after which refinement gives way to full precision.
    pub patience: Option<u64>,
    pub scope: PrecisionScope,
    pub initial: InitialPrecision,
    pub preference: Preference,
    pub max_prefixes: usize,
    pub forget_order: ForgetOrder,
    pub delegate: bool,
    pub check_at: CheckAt,
    pub coverage: Coverage,
    pub merge_constraints: bool,
    pub constraint_precision: ConstraintPrecision,
    pub definite: DefiniteAssignments,
    pub simplify_constraints: bool,
    pub forget_independent: bool,
    pub symbolic_parts: bool,
    pub max_enum: u32,
    /// So many cells of each array are watched; 0 for none.
    pub watch_cells: u32,
    /// Whether induction cuts recursion.
    pub cut_recursion: bool,
    /// Rounds of narrowing after widening.
    pub narrowing: u32,
    /// The greatest number of rounds that induction unrolls.
    pub max_rounds: u32,
    pub max_term_size: u32,
    pub solver_time: Duration,
    pub path_time: Duration,
    pub path_check: PathCheckMode,
    /// The largest number of rounds to which loops are unrolled.
    pub max_bound: u32,
    /// Proofs by induction over the rounds of loops.
    pub induction: bool,
    /// Where queries of solvers are written.
    pub dump_queries: Option<PathBuf>,
    pub call_depth: u32,
    pub seed: u64,
}

impl Default for Config {
    fn default() -> Self {
        let mut config = Config {
            name: String::new(),
            domain: DomainChoice::Value,
            cegar: false,
            bam: false,
            blocks: BlockOptions::default(),
            reduction: true,
            engine: BamEngine::Auto,
            cache: None,
            cache_megabytes: 0,
            drop_graphs_at: 0,
            spill_at: 0,
            trace_jobs: None,
            order: WaitOrder::default(),
            shallow_recursion: false,
            restart: Restart::Pivot,
            patience: None,
            scope: PrecisionScope::Global,
            initial: InitialPrecision::Everything,
            preference: Preference::none(),
            max_prefixes: 16,
            forget_order: ForgetOrder::ConstraintsFirst,
            delegate: false,
            check_at: CheckAt::Assumes,
            coverage: Coverage::Subset,
            merge_constraints: false,
            constraint_precision: ConstraintPrecision::Constraint,
            definite: DefiniteAssignments::Equations,
            simplify_constraints: false,
            forget_independent: false,
            symbolic_parts: true,
            max_enum: 0,
            watch_cells: 0,
            cut_recursion: false,
            narrowing: 0,
            max_rounds: 0,
            max_term_size: 0,
            solver_time: Duration::ZERO,
            path_time: Duration::ZERO,
            path_check: PathCheckMode::default(),
            max_bound: 0,
            induction: false,
            dump_queries: None,
            call_depth: 0,
            seed: 0,
        };
        // The table is the one place where defaults are written.
        for option in OPTIONS {
            let applied = (option.set)(&mut config, option.default);
            debug_assert!(applied.is_ok(), "the default of {} is not valid", option.key);
        }
        config
    }
}

/// Why a configuration is not valid.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ConfigError {
    UnknownKey {
        key: String,
        nearest: Option<&'static str>,
    },
    BadValue {
        key: String,
        value: String,
        expected: String,
    },
    /// The settings do not go together.
    Contradiction(String),
    /// The text is not valid TOML.
    Syntax(String),
    UnknownPreset {
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
            let nearest = OPTIONS.iter().map(|o| o.key).min_by_key(|known| distance(known, key)).filter(|known| distance(known, key) <= 4);
            return Err(ConfigError::UnknownKey { key: key.to_string(), nearest });
        };
        (option.set)(self, value).map_err(|expected| ConfigError::BadValue { key: key.to_string(), value: value.to_string(), expected })
    }

    /// Reads a configuration file: a flat TOML table of the options' keys, and `preset = "name"` to begin with another one.
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
        assay_smt::Config { dump_queries: self.dump_queries.clone(), ..Default::default() }
    }

    /// The order of exploration for a program with or without recursion; a random one takes the seed, whichever of the two was set first.
    pub fn wait_order(&self, recursive: bool) -> WaitOrder {
        let mut order = self.order;
        if self.shallow_recursion && recursive {
            order.calls = Before::ShallowerFirst;
        }
        if let Order::Random { seed } | Order::RandomPath { seed } = &mut order.base {
            *seed = self.seed;
        }
        order
    }

    /// Rejects settings that do not go together.
    ///
    /// # Errors
    /// What contradicts what.
    pub fn validate(&self) -> Result<(), ConfigError> {
        if matches!(self.domain, DomainChoice::Bounded | DomainChoice::Concrete) && self.bam {
            return Err(ConfigError::Contradiction("`bam` goes with abstract domains; `bounded` and `concrete` have no blocks".into()));
        }
        if self.domain == DomainChoice::Concrete && self.watch_cells > 0 {
            return Err(ConfigError::Contradiction("`watch-cells` is for proofs; the domain `concrete` finds violations".into()));
        }
        if self.domain != DomainChoice::Bounded && self.induction {
            return Err(ConfigError::Contradiction("`induction` goes with the domain `bounded`".into()));
        }
        let refinable = matches!(self.domain, DomainChoice::Value | DomainChoice::Symbolic);
        if self.cegar && !refinable {
            return Err(ConfigError::Contradiction("`cegar` goes with the domains `value` and `symbolic`; the others merge states".into()));
        }
        if self.bam && self.domain == DomainChoice::Induction {
            return Err(ConfigError::Contradiction("`bam` does not go with the domain `induction`, which counts rounds of loops".into()));
        }
        if self.domain == DomainChoice::Induction && matches!(self.coverage, Coverage::Renamed | Coverage::Aliased) {
            return Err(ConfigError::Contradiction(
                "`coverage` by other names does not go with the domain `induction`, whose loops remember values by their names".into(),
            ));
        }
        if self.cut_recursion && (self.domain != DomainChoice::Induction || self.watch_cells > 0) {
            return Err(ConfigError::Contradiction(
                "`cut-recursion` goes with the domain `induction`, and not with `watch-cells`, which changes the program too".into(),
            ));
        }
        if !self.cegar && self.initial != InitialPrecision::Everything {
            return Err(ConfigError::Contradiction(
                "without `cegar` nothing extends the precision: `initial-precision` must be `everything`".into(),
            ));
        }
        if self.cegar && self.initial == InitialPrecision::Everything {
            return Err(ConfigError::Contradiction("with `initial-precision = everything` there is nothing for `cegar` to refine".into()));
        }
        if self.merge_constraints && (self.cegar || self.bam || self.domain != DomainChoice::Symbolic) {
            return Err(ConfigError::Contradiction(
                "`merge = constraints` goes with symbolic execution alone: refinement and memoization need every path by itself".into(),
            ));
        }
        Ok(())
    }
}

/// Edit distance, for the nearest known key.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut before = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let cost = before + usize::from(x != *y);
            before = row[j + 1];
            row[j + 1] = cost.min(before + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}
