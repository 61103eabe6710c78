//! The large tier: CaDiCaL on the same formula, for queries that the small search could not finish.

use super::blast::Blaster;
use super::lit::{Lit, Var};
use super::sat::SatOutcome;
use assay_base::{CancelToken, WorkTime};

/// CaDiCaL asks after every few decisions, and the clock takes as long as one of them.
const ASKED_BETWEEN: u32 = 32;

/// Asked by CaDiCaL now and then.
struct Interrupt {
    cancel: CancelToken,
    deadline: Option<WorkTime>,
    asked: u32,
}

impl Interrupt {
    fn is_late(&mut self) -> bool {
        self.asked = self.asked.wrapping_add(1);
        self.asked.is_multiple_of(ASKED_BETWEEN) && self.deadline.is_some_and(WorkTime::is_over)
    }
}

impl cadical::Callbacks for Interrupt {
    fn terminate(&mut self) -> bool {
        self.cancel.is_stopped() || self.is_late()
    }
}

/// An incremental CaDiCaL instance that holds the part of a circuit that hard queries needed so far.
pub(super) struct Large {
    solver: cadical::Solver<Interrupt>,
    sent: Vec<bool>,
    lemmas: usize,
    facts: usize,
    vars: usize,
    stack: Vec<Var>,
}

impl Large {
    pub(super) fn new() -> Self {
        let mut solver = cadical::Solver::new();
        solver.add_clause([Lit::TRUE.dimacs()]);
        Large { solver, sent: vec![true], lemmas: 0, facts: 0, vars: 1, stack: Vec::new() }
    }

    /// How many variables were sent.
    pub(super) fn size(&self) -> usize {
        self.vars
    }

    fn send_cone(&mut self, blaster: &Blaster, roots: &[Lit]) {
        self.sent.resize(blaster.circuit.var_count(), false);
        self.stack.extend(roots.iter().map(|l| l.var()));
        while let Some(var) = self.stack.pop() {
            if std::mem::replace(&mut self.sent[var as usize], true) {
                continue;
            }
            self.vars += 1;
            self.stack.extend(blaster.circuit.gate_inputs(var).iter().map(|l| l.var()));
            let solver = &mut self.solver;
            blaster.circuit.definition(var, &mut |clause| solver.add_clause(clause.iter().map(|l| l.dimacs())));
        }
    }

    /// `roots` is all that the query depends on, assumptions included.
    pub(super) fn solve(
        &mut self,
        blaster: &Blaster,
        roots: &[Lit],
        assumptions: &[Lit],
        conflicts: Option<u64>,
        cancel: &CancelToken,
        deadline: Option<WorkTime>,
    ) -> SatOutcome {
        self.send_cone(blaster, roots);
        // Facts only where all of their gates are needed anyway.
        for fact in &blaster.circuit.facts()[self.facts..] {
            if fact.iter().all(|l| self.sent.get(l.var() as usize) == Some(&true)) {
                self.solver.add_clause(fact.iter().map(|l| l.dimacs()));
            }
        }
        self.facts = blaster.circuit.facts().len();
        while self.lemmas < blaster.lemmas.len() {
            let lemma = &blaster.lemmas[self.lemmas];
            self.lemmas += 1;
            self.send_cone(blaster, lemma);
            self.solver.add_clause(lemma.iter().map(|l| l.dimacs()));
        }
        self.solver.set_callbacks(Some(Interrupt { cancel: cancel.clone(), deadline, asked: 0 }));
        if let Some(limit) = conflicts {
            // The name is one that CaDiCaL knows, so this cannot fail.
            let _ = self.solver.set_limit("conflicts", limit.min(i32::MAX as u64) as i32);
        }
        match self.solver.solve_with(assumptions.iter().map(|l| l.dimacs())) {
            Some(true) => SatOutcome::Sat,
            Some(false) => SatOutcome::Unsat,
            None if cancel.is_stopped() || deadline.is_some_and(WorkTime::is_over) => SatOutcome::Stopped,
            None => SatOutcome::Limit,
        }
    }

    pub(super) fn failed(&self, assumption: Lit) -> bool {
        self.solver.failed(assumption.dimacs())
    }

    pub(super) fn value(&self, lit: Lit) -> Option<bool> {
        if !self.sent.get(lit.var() as usize).copied().unwrap_or(false) {
            return None;
        }
        self.solver.value(Lit::new(lit.var(), false).dimacs()).map(|value| value != lit.is_negative())
    }
}
