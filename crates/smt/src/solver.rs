//! The front door: the chain of cheap links before the incremental engine.

use crate::answer::{Answer, AnsweredBy, Budget, NoAnswer};
use crate::backend::{Backend, Listed};
use crate::chain::cache::Cache;
use crate::chain::flatten::{Flat, Flattener};
use crate::chain::models::Models;
use crate::chain::parts::{Key, Splitter};
use crate::chain::whole::Whole;
use crate::combinations::Combinations;
use crate::engine::{Engine, EngineAnswer, Limits};
use crate::log::Log;
use crate::model::{Model, ModelData};
use assay_base::hash::FastHasher;
use assay_base::{Counter, FastSet, Stats};
use assay_term::{SymbolId, Term, Terms};
use std::hash::{BuildHasher, BuildHasherDefault};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// How a solver works; plain data, resolved once.
#[derive(Clone, Debug)]
pub struct Config {
    /// Whether the chain (simplification, remembered models, cached results, independent parts) comes before
    /// the engine. Off only to measure what it is worth.
    pub chain: bool,
    /// How many models are remembered and tried on new queries.
    pub models: usize,
    /// After so many conflicts of the small engine a query goes to the large one.
    pub small_conflicts: u64,
    /// Where queries are written as SMT-LIB, one file each.
    pub dump_queries: Option<PathBuf>,
    /// Another solver in the embedded engine's place, behind the chain.
    pub backend: Option<Listed>,
    /// Whether answers to whole queries are kept, and queries that are asked again all the same are counted.
    pub remember: bool,
}

impl Default for Config {
    fn default() -> Self {
        Config { chain: true, models: 16, small_conflicts: 2000, dump_queries: None, backend: None, remember: false }
    }
}

/// One a thread. Consecutive queries should share a prefix: work done for it is kept. The store may change from
/// query to query; what was remembered of another store is forgotten.
pub struct Solver {
    config: Config,
    engine: Engine,
    /// Another solver in the embedded engine's place.
    backend: Option<Box<dyn Backend>>,
    flattener: Flattener,
    splitter: Splitter,
    models: Models,
    cache: Cache,
    whole: Whole,
    /// The store that everything remembered belongs to.
    store: u64,
    stats: Stats,
    answered_by: AnsweredBy,
    /// Hashes of all queries so far, where repetitions are counted.
    asked: FastSet<u64>,
    log: Option<Log>,
}

impl Solver {
    /// Nothing is started before the first query.
    pub fn new(config: Config) -> Self {
        Solver {
            engine: Engine::new(config.small_conflicts),
            // It was opened when the configuration was read; should that fail now, the embedded engine answers.
            backend: config.backend.as_ref().and_then(|listed| listed.open().ok()),
            flattener: Flattener::default(),
            splitter: Splitter::default(),
            models: Models::new(config.models),
            cache: Cache::default(),
            whole: Whole::default(),
            store: 0,
            stats: Stats::default(),
            answered_by: AnsweredBy::default(),
            asked: FastSet::default(),
            log: config.dump_queries.as_deref().map(Log::new),
            config,
        }
    }

    /// With the chain before another solver.
    pub fn with_backend(config: Config, backend: Box<dyn Backend>) -> Self {
        Solver { backend: Some(backend), ..Self::new(config) }
    }

    /// The solver in the embedded engine's place, if there is one.
    pub(crate) fn backend_mut(&mut self) -> Option<&mut (dyn Backend + 'static)> {
        self.backend.as_deref_mut()
    }

    /// What it was made with.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// What the links of the chain answered, counted.
    pub fn stats(&self) -> Stats {
        let mut stats = self.stats.clone();
        stats.merge(&self.engine.stats);
        stats
    }

    /// Counts something that was done with the solver's help.
    pub(crate) fn count(&mut self, what: &'static str) {
        self.stats.add(what, 1);
    }

    /// Who answered the last query.
    pub fn answered_by(&self) -> AnsweredBy {
        self.answered_by
    }

    /// Is the conjunction of the constraints (terms of width 1, in path order) satisfiable?
    pub fn check(&mut self, terms: &Terms, constraints: &[Term], budget: &Budget) -> Answer {
        self.belong_to(terms);
        self.stats.add("solver.queries", 1);
        let key = self.config.remember.then(|| Whole::key(constraints));
        if let Some(key) = &key {
            if let Some(answer) = self.whole.find(key, constraints) {
                self.stats.add("solver.by the same query", 1);
                self.answered_by = AnsweredBy::CachedResult;
                return answer;
            }
            let print = BuildHasherDefault::<FastHasher>::default().hash_one(key);
            self.stats.add("solver.queries asked before", u64::from(!self.asked.insert(print)));
        }
        let begin = Instant::now();
        self.answered_by = AnsweredBy::Simplification;
        let mut limits = Limits::of(budget);
        let answer = if self.config.chain {
            self.check_chain(terms, constraints, &mut limits)
        } else {
            self.check_engine(terms, constraints, &mut limits)
        };
        self.stats.time(Counter::SOLVER, begin.elapsed());
        if let Some(key) = key {
            self.whole.add(key, constraints, &answer);
        }
        if let Some(log) = &mut self.log
            && log.write(terms, constraints, &answer).is_err()
        {
            self.stats.add("solver.queries that could not be logged", 1);
        }
        answer
    }

    fn belong_to(&mut self, terms: &Terms) {
        if self.store != terms.identity() {
            self.forget();
            self.store = terms.identity();
        }
    }

    /// The embedded engine, unless another solver is in its place.
    pub(crate) fn engine_of(&mut self, terms: &Terms) -> Option<&mut Engine> {
        self.belong_to(terms);
        self.backend.is_none().then_some(&mut self.engine)
    }

    pub(crate) fn splitter_of(&mut self, terms: &Terms) -> &mut Splitter {
        self.belong_to(terms);
        &mut self.splitter
    }

    pub(crate) fn count_combinations(&mut self, found: &Combinations, time: Duration) {
        self.stats.add("solver.combinations", found.list.len() as u64);
        self.stats.time(Counter::SOLVER, time);
        self.stats.time("solver: engine", time);
    }

    /// Whether the facts imply the claim; `None` when unknown.
    pub fn implies(&mut self, terms: &Terms, facts: &[Term], claim: Term, budget: &Budget) -> Option<bool> {
        let mut constraints = facts.to_vec();
        constraints.push(terms.not(claim));
        match self.check(terms, &constraints, budget) {
            Answer::Unsat(_) => Some(true),
            Answer::Sat(_) => Some(false),
            Answer::Unknown(_) => None,
        }
    }

    /// As [`check`](Self::check), but no constraint can be left out of a core: each was tried, within a small budget.
    pub fn check_minimal(&mut self, terms: &Terms, constraints: &[Term], budget: &Budget) -> Answer {
        let mut core = match self.check(terms, constraints, budget) {
            Answer::Unsat(core) => core,
            other => return other,
        };
        let trial = Budget { conflicts: Some(1000), ..budget.clone() };
        let mut fixed = 0;
        while fixed < core.len() && core.len() > 1 && !budget.cancel.is_stopped() {
            // The latest first: what remains is then the earliest explanation.
            let candidate = core.len() - 1 - fixed;
            let mut rest = core.clone();
            rest.remove(candidate);
            let list: Vec<Term> = rest.iter().map(|&i| constraints[i]).collect();
            match self.check(terms, &list, &trial) {
                Answer::Unsat(smaller) => {
                    core = smaller.iter().map(|&i| rest[i]).collect();
                    fixed = fixed.min(core.len());
                }
                _ => fixed += 1,
            }
        }
        Answer::Unsat(core)
    }

    /// Forgets all results and instances.
    pub fn forget(&mut self) {
        self.engine.reset();
        self.flattener.clear();
        self.splitter.clear();
        self.models.clear();
        self.cache.clear();
        self.whole.clear();
        self.asked.clear();
    }

    /// Without the chain: all constraints to the engine.
    fn check_engine(&mut self, terms: &Terms, constraints: &[Term], limits: &mut Limits<'_>) -> Answer {
        self.answered_by = AnsweredBy::Engine;
        let begin = Instant::now();
        let answer = self.ask_engine(terms, constraints, limits);
        self.stats.time("solver: engine", begin.elapsed());
        answer
    }

    fn ask_engine(&mut self, terms: &Terms, constraints: &[Term], limits: &mut Limits<'_>) -> Answer {
        if let Some(backend) = &mut self.backend {
            return backend.check(terms, constraints, limits.budget);
        }
        match self.engine.check(terms, constraints, limits) {
            EngineAnswer::Sat(model) => match verified(terms, constraints, model) {
                Ok(model) => Answer::Sat(model),
                Err(reason) => Answer::Unknown(reason),
            },
            EngineAnswer::Unsat(core) if core.is_empty() && !constraints.is_empty() => Answer::Unknown(empty_core()),
            EngineAnswer::Unsat(core) => Answer::Unsat(core),
            EngineAnswer::Unknown(reason) => Answer::Unknown(reason),
        }
    }

    fn check_chain(&mut self, terms: &Terms, constraints: &[Term], limits: &mut Limits<'_>) -> Answer {
        let flat = match self.flattener.flatten(terms, constraints) {
            Ok(flat) => flat,
            Err(core) => {
                self.stats.add("solver.by contradiction", 1);
                return Answer::Unsat(core);
            }
        };
        if flat.conjuncts.is_empty() {
            self.stats.add("solver.by triviality", 1);
            return Answer::Sat(Model::default());
        }
        if let Some(model) = self.models.find(terms, &flat.conjuncts) {
            self.stats.add("solver.by remembered model", 1);
            self.answered_by = AnsweredBy::RememberedModel;
            return Answer::Sat(model);
        }
        if let Some(core) = self.cache.find_core(&flat.conjuncts, |c| flat.place.contains_key(&c)) {
            self.stats.add("solver.by known core", 1);
            self.answered_by = AnsweredBy::KnownCore;
            let places: Vec<usize> = core.iter().map(|c| flat.place[c]).collect();
            return Answer::Unsat(origins(&flat, &places));
        }
        self.check_parts(terms, &flat, limits)
    }

    fn check_parts(&mut self, terms: &Terms, flat: &Flat, limits: &mut Limits<'_>) -> Answer {
        let parts = self.splitter.split(terms, &flat.conjuncts);
        self.answered_by = AnsweredBy::CachedResult;
        let several = parts.len() > 1;
        let mut whole = ModelData::default();
        let mut unknown = None;
        for part in &parts {
            let conjuncts: Vec<Term> = part.iter().map(|&p| flat.conjuncts[p]).collect();
            match self.check_part(terms, &conjuncts, several, limits) {
                Answer::Sat(model) if several => {
                    for &conjunct in &conjuncts {
                        let keys = self.splitter.keys(terms, conjunct);
                        copy_values(&mut whole, model.data(), &keys);
                    }
                }
                Answer::Sat(model) => {
                    self.models.remember(model.clone(), &flat.conjuncts);
                    return Answer::Sat(model);
                }
                Answer::Unsat(core) => {
                    let places: Vec<usize> = core.iter().map(|&i| part[i]).collect();
                    return Answer::Unsat(origins(flat, &places));
                }
                // Another part may still be unsatisfiable.
                Answer::Unknown(reason) => unknown = unknown.or(Some(reason)),
            }
        }
        if let Some(reason) = unknown {
            return Answer::Unknown(reason);
        }
        match verified(terms, &flat.conjuncts, whole) {
            Ok(model) => {
                self.models.remember(model.clone(), &flat.conjuncts);
                Answer::Sat(model)
            }
            Err(reason) => Answer::Unknown(reason),
        }
    }

    /// One independent part; a core's indices are places in `conjuncts`.
    fn check_part(&mut self, terms: &Terms, conjuncts: &[Term], several: bool, limits: &mut Limits<'_>) -> Answer {
        let mut sorted = conjuncts.to_vec();
        sorted.sort_unstable();
        if let Some(model) = self.cache.find_model(&sorted) {
            self.stats.add("solver.parts by cached result", 1);
            return Answer::Sat(model.clone());
        }
        if several && let Some(model) = self.models.find(terms, conjuncts) {
            self.stats.add("solver.parts by remembered model", 1);
            return Answer::Sat(model);
        }
        self.stats.add("solver.parts by engine", 1);
        let answer = self.check_engine(terms, conjuncts, limits);
        match &answer {
            Answer::Sat(model) => self.cache.add_model(sorted, model.clone()),
            Answer::Unsat(core) => self.cache.add_core(core.iter().map(|&i| conjuncts[i]).collect()),
            Answer::Unknown(_) => {}
        }
        answer
    }
}

fn origins(flat: &Flat, places: &[usize]) -> Vec<usize> {
    let mut core: Vec<usize> = places.iter().map(|&p| flat.origins[p]).collect();
    core.sort_unstable();
    core.dedup();
    core
}

fn empty_core() -> NoAnswer {
    debug_assert!(false, "the engine contradicts itself without any constraint");
    NoAnswer::WrongAnswer("a contradiction without constraints".into())
}

/// The model, if every constraint evaluates to true in it.
fn verified(terms: &Terms, constraints: &[Term], model: ModelData) -> Result<Model, NoAnswer> {
    let model = Model::from(model);
    let mut evaluator = model.evaluator(terms);
    for &constraint in constraints {
        match evaluator.holds(constraint) {
            Some(true) => {}
            Some(false) => {
                debug_assert!(false, "a model does not satisfy {}", terms.display(constraint));
                return Err(NoAnswer::WrongAnswer("a model that does not satisfy its constraints".into()));
            }
            None => return Err(NoAnswer::Unsupported("a model that cannot be checked".into())),
        }
    }
    Ok(model)
}

fn copy_values(to: &mut ModelData, from: &ModelData, keys: &[Key]) {
    for &key in keys {
        let symbol = SymbolId(key >> 1);
        if key & 1 == 1 {
            if let Some(value) = from.addresses.get(&symbol) {
                to.addresses.insert(symbol, *value);
            }
            continue;
        }
        if let Some(value) = from.symbols.get(&symbol) {
            to.symbols.insert(symbol, *value);
        } else if let Some(value) = from.arrays.get(&symbol) {
            to.arrays.insert(symbol, value.clone());
        } else if let Some(value) = from.functions.get(&symbol) {
            to.functions.insert(symbol, value.clone());
        } else if let Some(value) = from.wide.get(&symbol) {
            to.wide.insert(symbol, value.clone());
        }
    }
}
