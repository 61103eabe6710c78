//! The embedded engine: bit-blasting with structural hashing, a small incremental SAT search, CaDiCaL behind it,
//! arrays and functions by lemmas on demand. Always there, nothing to install.

mod blast;
mod cadical;
mod circuit;
mod clauses;
mod combinations;
mod cone;
#[cfg(test)]
mod float_tests;
mod floats;
mod heap;
mod lit;
mod operators;
mod restarts;
mod sat;
#[cfg(test)]
mod tests;
mod theory;
mod words;

pub(crate) use blast::{Blaster, Owner};
pub(crate) use circuit::{Circuit, GateKind};
pub(crate) use clauses::ClauseRef;
pub(crate) use lit::{Lit, Var};
pub(crate) use operators::apply as apply_operator;
pub(crate) use sat::{Sat, SatOutcome};

use crate::answer::{Budget, NoAnswer};
use crate::model::ModelData;
use assay_base::{Stats, WorkTime};
use assay_term::{Term, Terms};
use cadical::Large;
use cone::Cone;
use operators::Unsupported;

/// What the engine says; models are not checked yet.
pub(crate) enum EngineAnswer {
    Sat(ModelData),
    /// Indices of constraints, ascending.
    Unsat(Vec<usize>),
    Unknown(NoAnswer),
}

/// When an instance is started afresh: it must have grown large, and mostly with what recent queries do not use.
const STALE_VARS: usize = 2_000;
const STALE_FACTOR: usize = 12;
/// An upper bound of lemmas for one query, after which it is given up.
const LEMMA_ROUNDS: usize = 2_000;

/// One incremental instance and its memory of terms.
pub(crate) struct Engine {
    small_conflicts: u64,
    blaster: Blaster,
    cone: Cone,
    large: Option<Large>,
    assumptions: Vec<Lit>,
    /// The size of recent queries, decaying.
    recent: usize,
    pub stats: Stats,
}

/// The limits of one query as absolute values.
pub(crate) struct Limits<'a> {
    pub budget: &'a Budget,
    pub deadline: Option<WorkTime>,
    /// Conflicts left for this query.
    pub conflicts: u64,
}

impl Limits<'_> {
    pub(crate) fn of(budget: &Budget) -> Limits<'_> {
        Limits { budget, deadline: budget.time.map(|t| WorkTime::now() + t), conflicts: budget.conflicts.unwrap_or(u64::MAX) }
    }
    pub(crate) fn stopped(&self) -> Option<NoAnswer> {
        if let Some(reason) = self.budget.cancel.stopped() {
            return Some(NoAnswer::Stopped(reason));
        }
        self.deadline.is_some_and(WorkTime::is_over).then_some(NoAnswer::Time)
    }
}

impl Engine {
    pub(crate) fn new(small_conflicts: u64) -> Self {
        Engine {
            small_conflicts,
            blaster: Blaster::default(),
            cone: Cone::default(),
            large: None,
            assumptions: Vec::new(),
            recent: 0,
            stats: Stats::default(),
        }
    }

    /// Forgets everything; the next query starts a new instance.
    pub(crate) fn reset(&mut self) {
        self.blaster = Blaster::default();
        self.cone = Cone::default();
        self.large = None;
        self.recent = 0;
    }

    /// Before a query: an instance that is mostly of others is thrown away, and the time that there is is noted.
    fn prepare(&mut self, limits: &Limits<'_>) {
        let vars = self.blaster.circuit.var_count();
        if vars > STALE_VARS && vars > STALE_FACTOR * self.recent {
            self.stats.add("solver.instances recycled", 1);
            self.reset();
        }
        self.blaster.until = Some((limits.budget.cancel.clone(), limits.deadline));
    }

    /// Is the conjunction satisfiable? The constraints are truth values.
    pub(crate) fn check(&mut self, terms: &Terms, constraints: &[Term], limits: &mut Limits<'_>) -> EngineAnswer {
        self.prepare(limits);
        match self.check_in_instance(terms, constraints, limits) {
            Ok(answer) => answer,
            Err(Unsupported(what)) => {
                // What was built of it may be large, and nobody asks for it again.
                self.reset();
                EngineAnswer::Unknown(limits.stopped().unwrap_or(NoAnswer::Unsupported(what)))
            }
        }
    }

    fn check_in_instance(&mut self, terms: &Terms, constraints: &[Term], limits: &mut Limits<'_>) -> Result<EngineAnswer, Unsupported> {
        let mut assumptions = std::mem::take(&mut self.assumptions);
        assumptions.clear();
        for (index, &constraint) in constraints.iter().enumerate() {
            let lit = self.blaster.literal(terms, constraint)?;
            if lit == Lit::FALSE {
                self.assumptions = assumptions;
                return Ok(EngineAnswer::Unsat(vec![index]));
            }
            assumptions.push(lit);
        }
        self.cone.change(&mut self.blaster, &assumptions);
        self.recent = if self.recent == 0 { self.cone.size() } else { (7 * self.recent + self.cone.size()) / 8 };
        let answer = self.search(terms, &assumptions, limits);
        self.assumptions = assumptions;
        answer
    }

    fn search(&mut self, terms: &Terms, assumptions: &[Lit], limits: &mut Limits<'_>) -> Result<EngineAnswer, Unsupported> {
        for _ in 0..LEMMA_ROUNDS {
            if let Some(reason) = limits.stopped() {
                return Ok(EngineAnswer::Unknown(reason));
            }
            let before = self.blaster.circuit.sat.conflicts();
            let limit = self.small_conflicts.min(limits.conflicts);
            let mut outcome = self.blaster.circuit.sat.solve(assumptions, limit, &mut || limits.stopped().is_some());
            self.stats.add("solver.small conflicts", self.blaster.circuit.sat.conflicts() - before);
            limits.conflicts -= (self.blaster.circuit.sat.conflicts() - before).min(limits.conflicts);
            let mut from_large = false;
            if outcome == SatOutcome::Limit && limits.conflicts > 0 {
                outcome = self.search_large(assumptions, limits);
                from_large = true;
            } else {
                self.stats.add("solver.small searches", 1);
            }
            match outcome {
                SatOutcome::Unsat => return Ok(EngineAnswer::Unsat(self.failed(assumptions, from_large))),
                SatOutcome::Limit => return Ok(EngineAnswer::Unknown(NoAnswer::Conflicts)),
                SatOutcome::Stopped => return Ok(EngineAnswer::Unknown(limits.stopped().unwrap_or(NoAnswer::Time))),
                SatOutcome::Sat => {}
            }
            let Engine { blaster, cone, large, .. } = &*self;
            let value = |sat: &sat::Sat, lit: Lit| {
                if lit.is_constant() {
                    return lit == Lit::TRUE;
                }
                let found = match large {
                    Some(large) if from_large => large.value(lit),
                    _ => sat.value(lit),
                };
                found.unwrap_or(lit.is_negative())
            };
            let model = theory::extract(blaster, cone.owners(), &value);
            if !blaster.has_arrays {
                return Ok(EngineAnswer::Sat(model));
            }
            let violated = theory::violations(blaster, cone.owners(), &value, terms, &model);
            if violated.is_empty() {
                return Ok(EngineAnswer::Sat(model));
            }
            self.stats.add("solver.lemmas", violated.len() as u64);
            theory::add_lemmas(&mut self.blaster, terms, violated)?;
            // A lemma may speak of new reads, which the query then depends on.
            self.cone.change(&mut self.blaster, &[]);
            self.cone.change(&mut self.blaster, assumptions);
        }
        Err(Unsupported("arrays or functions that need too many lemmas".into()))
    }

    fn search_large(&mut self, assumptions: &[Lit], limits: &mut Limits<'_>) -> SatOutcome {
        self.stats.add("solver.large searches", 1);
        let stale = self.large.as_ref().is_some_and(|l| l.size() > STALE_VARS && l.size() > 8 * self.cone.size());
        if stale {
            self.large = None;
        }
        let large = self.large.get_or_insert_with(Large::new);
        let conflicts = (limits.conflicts < u64::MAX).then_some(limits.conflicts);
        let roots: Vec<Lit> = assumptions.iter().copied().chain(self.cone.vars().iter().map(|&v| Lit::new(v, false))).collect();
        large.solve(&self.blaster, &roots, assumptions, conflicts, &limits.budget.cancel, limits.deadline)
    }

    fn failed(&self, assumptions: &[Lit], from_large: bool) -> Vec<usize> {
        let sat_core = self.blaster.circuit.sat.core();
        let in_core = |lit: Lit| match &self.large {
            Some(large) if from_large => large.failed(lit),
            _ => sat_core.contains(&lit),
        };
        let mut core: Vec<usize> = Vec::new();
        for (i, &lit) in assumptions.iter().enumerate() {
            if lit != Lit::TRUE && in_core(lit) && !assumptions[..i].contains(&lit) {
                core.push(i);
            }
        }
        core
    }
}
