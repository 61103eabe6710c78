//! Trace checkers: from a path that cannot be taken to one assertion for every position of it. They are
//! interchangeable: each gives an inductive sequence over variables and memory, and they differ in what it generalises
//! to.
//!
//! | kind | where assertions come from |
//! |---|---|
//! | `sequence` | one resolution proof of the whole contradiction, cut at every position |
//! | `binary-forward` | a proof of its own for every position, from the assertion before it; what lies behind the first contradiction is *false* |
//! | `binary-backward` | likewise from the assertion after it; what lies before the last contradiction is *true* |
//! | `newton-sp` | strongest postconditions in the program's own terms |
//! | `newton-wp` | weakest preconditions in the program's own terms |
//! | `atoms` | candidates that the path suggests, chosen by testing ([`atoms`]); where none refute the path, `newton-sp-core-live` |
//! | `unsat-core` | nothing is asserted: the variables of a minimal contradiction, and the conditions of its assumptions as predicates |
//!
//! Both of Newton's can be made over the contradicting steps alone (`-core`: what the others assign is any value), and
//! over the variables that the rest of the path reads (`-live`).

mod atoms;

use crate::path::Path;
use crate::path_interpolants::{Assertion, PathInterpolationError, formula};
use assay_base::{CancelToken, FastMap};
use assay_cfa::Step;
use assay_cfa::{Operation, Program};
use assay_formula::{Names, PathFormula, naming};
use assay_smt::interpolate::{self, Direction, Method, Newton, Vocabulary};
use assay_smt::{Budget, NoAnswer, Solver};
use assay_term::{Op, SymbolId, Term, Terms};
use std::cell::RefCell;
use std::time::Duration;

/// Where assertions come from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TraceMethod {
    /// One proof for the whole path.
    Sequence,
    /// A proof for every position.
    Binary(Direction),
    /// Postconditions or preconditions, step by step.
    Newton(Direction),
    /// No assertions: what a minimal contradiction speaks of.
    UnsatCore,
    /// Candidates that the path suggests, chosen by testing.
    Atoms,
}

/// A kind of refinement.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TraceOptions {
    /// How assertions are found.
    pub method: TraceMethod,
    /// Newton: only over the steps of a minimal contradiction. The others always are.
    pub core: bool,
    /// Newton: only over variables that the rest of the path reads. The others always are.
    pub live: bool,
}

impl TraceOptions {
    /// All kinds by name.
    pub const ALL: &[(&str, TraceOptions)] = &[
        ("atoms", TraceOptions::plain(TraceMethod::Atoms)),
        ("sequence", TraceOptions::plain(TraceMethod::Sequence)),
        ("binary-forward", TraceOptions::plain(TraceMethod::Binary(Direction::Forwards))),
        ("binary-backward", TraceOptions::plain(TraceMethod::Binary(Direction::Backwards))),
        ("newton-sp", TraceOptions::newton(Direction::Forwards, false, false)),
        ("newton-sp-live", TraceOptions::newton(Direction::Forwards, false, true)),
        ("newton-sp-core", TraceOptions::newton(Direction::Forwards, true, false)),
        ("newton-sp-core-live", TraceOptions::newton(Direction::Forwards, true, true)),
        ("newton-wp", TraceOptions::newton(Direction::Backwards, false, false)),
        ("newton-wp-live", TraceOptions::newton(Direction::Backwards, false, true)),
        ("newton-wp-core", TraceOptions::newton(Direction::Backwards, true, false)),
        ("newton-wp-core-live", TraceOptions::newton(Direction::Backwards, true, true)),
        ("unsat-core", TraceOptions::plain(TraceMethod::UnsatCore)),
    ];

    const fn plain(method: TraceMethod) -> Self {
        TraceOptions { method, core: true, live: true }
    }

    const fn newton(direction: Direction, core: bool, live: bool) -> Self {
        TraceOptions { method: TraceMethod::Newton(direction), core, live }
    }

    /// From the name in [`ALL`](Self::ALL).
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|(known, _)| *known == name).map(|(_, options)| *options)
    }

    /// As in [`ALL`](Self::ALL).
    pub fn name(&self) -> &'static str {
        Self::ALL.iter().find(|(_, options)| options == self).map_or("", |(name, _)| name)
    }
}

impl Default for TraceOptions {
    fn default() -> Self {
        TraceOptions::newton(Direction::Forwards, true, true)
    }
}

/// One assertion for every position: the n-th holds after n steps (the first before any) and follows from the one
/// before it and the step between them; after the last one no step is possible. A path that ends early has fewer
/// assertions than steps.
///
/// # Errors
/// Where the path has no formula, is feasible, or the solver does not find out.
pub fn refute(
    program: &Program,
    terms: &Terms,
    steps: &[Step],
    solver: &mut Solver,
    options: TraceOptions,
    budget: &Budget,
) -> Result<Vec<Assertion>, PathInterpolationError> {
    let formula = formula(program, terms, steps)?;
    let trace = Trace { program, terms, formula: &formula, budget };
    let list = match options.method {
        TraceMethod::Sequence => interpolate::sequence(solver, terms, &formula.groups, Method::Craig, budget)?,
        TraceMethod::Binary(direction) => {
            let groups = interpolate::core(solver, terms, &formula.groups, budget)?;
            interpolate::one_by_one(solver, terms, &groups, direction, budget)?
        }
        TraceMethod::Newton(direction) => trace.newton(solver, direction, options)?,
        TraceMethod::Atoms => trace.atoms(solver, steps)?,
        TraceMethod::UnsatCore => return trace.unsat_core(solver, steps),
    };
    Ok(trace.assertions(list))
}

/// What a refiner keeps from path to path: a solver and a store of terms of its own.
pub struct Tracer {
    terms: Terms,
    /// For proofs and tests of assertions.
    pub solver: Solver,
}

impl Tracer {
    /// With an overlay of its own on the program's terms.
    pub fn new(program: &Program) -> Tracer {
        Tracer { terms: Terms::overlay(program.terms.clone()), solver: Solver::new(assay_smt::Config::default()) }
    }

    /// The assertions of a path; `None` where there are none, for whatever reason.
    pub(crate) fn assertions(
        &mut self,
        path: &Path<'_>,
        options: TraceOptions,
        time: Duration,
        cancel: &CancelToken,
    ) -> Option<Vec<Assertion>> {
        let steps: Vec<Step> = (0..path.len()).map(|index| path.step(index)).collect();
        let budget = Budget::with_time(cancel, time);
        refute(path.program, &self.terms, &steps, &mut self.solver, options, &budget).ok()
    }
}

/// A path as far as it was followed towards assertions.
struct Trace<'t> {
    program: &'t Program,
    terms: &'t Terms,
    formula: &'t PathFormula,
    budget: &'t Budget,
}

impl<'t> Trace<'t> {
    fn names(&self, group: usize) -> Option<Names<'t>> {
        self.formula.names(self.program, self.terms, group)
    }

    fn newton(&self, solver: &mut Solver, direction: Direction, options: TraceOptions) -> Result<Vec<Term>, PathInterpolationError> {
        // Without the core the contradiction must be known all the same.
        let core = interpolate::core(solver, self.terms, &self.formula.groups, self.budget)?;
        let groups = if options.core { &core } else { &self.formula.groups };
        // The names of one cut are asked for many times in a row.
        let last: RefCell<Option<(usize, Names<'t>)>> = RefCell::new(None);
        let current = |cut: usize, symbol: SymbolId| {
            let mut last = last.borrow_mut();
            if last.as_ref().is_none_or(|(known, _)| *known != cut) {
                *last = self.names(cut).map(|names| (cut, names));
            }
            last.as_ref().is_some_and(|(_, names)| names.has(self.terms.symbol(symbol)))
        };
        let vocabulary = if options.live { Vocabulary::Shared } else { Vocabulary::Current(&current) };
        let newton = Newton { direction, vocabulary, prune: options.core };
        let found = newton.sequence(solver, self.terms, groups, self.budget);
        found.ok_or_else(|| {
            let what = "values that nothing defines or holds".to_string();
            PathInterpolationError::Interpolation(interpolate::InterpolationError::Unknown(NoAnswer::Unsupported(what)))
        })
    }

    /// Chosen atoms; where they do not do, what Newton says, or else the proof.
    fn atoms(&self, solver: &mut Solver, steps: &[Step]) -> Result<Vec<Term>, PathInterpolationError> {
        /// The share of the time that goes into atoms.
        const SHARE: u32 = 3;
        const MOST: Duration = Duration::from_secs(4);
        let best = TraceOptions::newton(Direction::Forwards, true, true);
        let forwards = self.newton(solver, Direction::Forwards, best);
        if let Err(PathInterpolationError::Interpolation(interpolate::InterpolationError::Satisfiable(_))) = forwards {
            return forwards;
        }
        let backwards = self.newton(solver, Direction::Backwards, TraceOptions::newton(Direction::Backwards, true, true));
        let mut hints = Vec::new();
        for list in [&forwards, &backwards].into_iter().flatten() {
            for (group, &term) in list.iter().enumerate() {
                if self.terms.as_constant(term).is_none()
                    && let Some(names) = self.names(group)
                {
                    hints.push(self.terms.conjuncts(term).into_iter().filter_map(|part| names.say(part)).collect());
                }
            }
        }
        let time = self.budget.time.map_or(MOST, |time| (time / SHARE).min(MOST));
        if let Some(list) = atoms::Atoms::sequence(self, solver, steps, &hints, time)? {
            return Ok(list);
        }
        forwards.or(backwards).or_else(|_| Ok(interpolate::sequence(solver, self.terms, &self.formula.groups, Method::Craig, self.budget)?))
    }

    /// The variables of a minimal contradiction, and the conditions of its assumptions where all their variables
    /// matter.
    fn unsat_core(&self, solver: &mut Solver, steps: &[Step]) -> Result<Vec<Assertion>, PathInterpolationError> {
        let core = interpolate::core(solver, self.terms, &self.formula.groups, self.budget)?;
        let mut conditions: Vec<Term> = Vec::new();
        for (step, _) in steps.iter().zip(&core[1..]).filter(|(_, group)| !group.is_empty()) {
            if let Step::Edge(edge) = step
                && let Operation::Assume { condition } = self.program.edges[*edge].operation
                && !conditions.contains(&condition)
            {
                conditions.push(condition);
            }
        }
        let spans = Spans::of(self.terms, &core);
        let mut list: Vec<Assertion> = Vec::with_capacity(core.len() - 1);
        for group in 0..core.len() - 1 {
            let (mut variables, mut cells) = (Vec::new(), Vec::new());
            if let Some(names) = self.names(group) {
                for (name, value) in names.all() {
                    let (name, value) = (self.terms.node(name), self.terms.node(value));
                    if value.op != Op::Symbol || !spans.crosses(value.symbol(), group) {
                        continue;
                    }
                    match naming::register(self.program, self.terms, &name) {
                        Some((variable, _)) => variables.push(variable),
                        None => cells.extend(names.cell(&name)),
                    }
                }
            }
            variables.sort_unstable();
            variables.dedup();
            let matters = |symbol: SymbolId| self.program.variable_of(symbol).is_some_and(|v| variables.binary_search(&v).is_ok());
            let is_about = |condition: &&Term| self.terms.free_symbols(**condition).into_iter().all(matters);
            let parts: Vec<Term> = if variables.is_empty() { vec![] } else { conditions.iter().filter(is_about).copied().collect() };
            let nothing = self.terms.true_();
            let function = self.formula.function(group);
            list.push(Assertion { formula: nothing, over_variables: Some(nothing), parts, variables, cells, function });
        }
        Ok(list)
    }

    /// Says formulas over instances of variables and memory.
    fn assertions(&self, list: Vec<Term>) -> Vec<Assertion> {
        let mut result: Vec<Assertion> = Vec::with_capacity(list.len());
        for (group, term) in list.into_iter().enumerate() {
            if let Some(before) = group.checked_sub(1)
                && result[before].formula == term
                && self.formula.is_same(before, group)
            {
                result.push(result[before].clone());
                continue;
            }
            result.push(Assertion::of(self.program, self.terms, self.formula, group, term));
        }
        result
    }
}

/// In which groups symbols occur first and last.
struct Spans(FastMap<SymbolId, (usize, usize)>);

impl Spans {
    fn of(terms: &Terms, groups: &[Vec<Term>]) -> Spans {
        let mut spans = FastMap::default();
        for (group, constraints) in groups.iter().enumerate() {
            terms.post_order(constraints.iter().copied(), |_, node| {
                if node.op == Op::Symbol {
                    spans.entry(node.symbol()).or_insert((group, group)).1 = group;
                }
            });
        }
        Spans(spans)
    }

    /// Whether both sides of the cut after a group speak of the symbol.
    fn crosses(&self, symbol: SymbolId, group: usize) -> bool {
        self.0.get(&symbol).is_some_and(|&(first, last)| first <= group && last > group)
    }
}
