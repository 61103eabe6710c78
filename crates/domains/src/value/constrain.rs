//! What a condition does to a state: it joins the path's constraints, which must stay satisfiable, and may determine
//! values.

use super::bounds::{self, Insertion};
use super::constraints::Constraint;
use super::transfer::{is_entry_symbol, is_input_symbol};
use super::{CheckAt, DefiniteAssignments, ValueDomain, ValueState, ValueWorker};
use assay_base::Counter;
use assay_cfa::{EdgeId, LocationId};
use assay_semantics::state::Executor;
use assay_smt::{Answer, AnsweredBy, Budget};
use assay_term::{Bits, Op, Term};

/// Conflicts of the solver for the question whether a symbol has only one value.
const DEFINITE_CONFLICTS: u64 = 100;

impl ValueDomain<'_> {
    /// Adds a condition to the path. `None` where the path is infeasible. Conditions without symbols do not come here:
    /// they are decided already.
    pub(super) fn constrain(
        &self,
        worker: &mut ValueWorker,
        mut state: ValueState,
        condition: Term,
        origin: EdgeId,
        at: LocationId,
    ) -> Option<ValueState> {
        worker.stats.add(Counter::QUERIES, 1);
        let mut work = vec![condition];
        let mut added = Vec::new();
        while let Some(term) = work.pop() {
            let node = self.terms.node(term);
            if node.op == Op::And {
                work.push(node.operand(1));
                work.push(node.operand(0));
            } else if self.terms.is_false(term) {
                worker.stats.add("queries answered by simplification", 1);
                return None;
            } else if !self.terms.is_true(term) && !state.constraints.contains(term) {
                if state.constraints.contains(self.terms.not(term)) {
                    worker.stats.add("queries answered by simplification", 1);
                    return None;
                }
                let constraint = Constraint { term, origin };
                if !self.options.simplify_constraints {
                    state.constraints.push(constraint);
                    added.push(term);
                    continue;
                }
                match bounds::insert(&self.terms, &mut state.constraints, constraint) {
                    Insertion::Contradiction => {
                        worker.stats.add("queries answered by simplification", 1);
                        return None;
                    }
                    Insertion::Implied => {}
                    Insertion::Added => added.push(term),
                }
            }
        }
        if added.is_empty() {
            worker.stats.add("queries answered by simplification", 1);
            return Some(state);
        }
        let by_model = state.model.as_ref().is_some_and(|model| added.iter().all(|&t| model.holds(&self.terms, t) == Some(true)));
        if by_model {
            worker.stats.add("queries answered by the parent's model", 1);
        } else {
            state.model = None;
            let now = match self.options.check_at {
                CheckAt::Assumes => true,
                CheckAt::Targets => self.program.locations[at].target.is_some(),
            };
            if !now {
                worker.stats.add("queries put off", 1);
            } else if !self.check(worker, &mut state) {
                return None;
            }
        }
        match self.options.definite {
            DefiniteAssignments::Never => {}
            DefiniteAssignments::Equations => added.into_iter().for_each(|term| self.assign_equation(&mut state, term)),
            DefiniteAssignments::Model => {
                added.iter().for_each(|&term| self.assign_equation(&mut state, term));
                self.assign_by_model(worker, &mut state, &added);
            }
        }
        Some(state)
    }

    /// Adds a condition that a block has found out. `None` where it contradicts what is known. No solver is asked: the
    /// block has done that.
    pub(super) fn learn(&self, state: &mut ValueState, constraint: Constraint) -> Option<()> {
        let term = constraint.term;
        if self.terms.is_true(term) || state.constraints.contains(term) {
            return Some(());
        }
        if self.terms.is_false(term) || state.constraints.contains(self.terms.not(term)) {
            return None;
        }
        if self.options.simplify_constraints {
            match bounds::insert(&self.terms, &mut state.constraints, constraint) {
                Insertion::Contradiction => return None,
                Insertion::Implied => return Some(()),
                Insertion::Added => {}
            }
        } else {
            state.constraints.push(constraint);
        }
        if self.options.definite != DefiniteAssignments::Never {
            self.assign_equation(state, term);
        }
        Some(())
    }

    /// Asks the solver; `false` if the constraints contradict each other.
    fn check(&self, worker: &mut ValueWorker, state: &mut ValueState) -> bool {
        state.constraints.terms_into(&mut worker.scratch);
        let facts = std::mem::take(&mut worker.scratch);
        let answer = worker.solver.check(&self.terms, &facts, &self.budget());
        worker.scratch = facts;
        worker.stats.add(
            match (worker.solver.answered_by(), &answer) {
                (AnsweredBy::Engine, Answer::Unknown(_)) => Counter::UNANSWERED.into(),
                (AnsweredBy::Engine, _) => Counter::ANSWERED_BY_SOLVER.into(),
                (AnsweredBy::Simplification, _) => "queries answered by simplification",
                (AnsweredBy::RememberedModel, _) => "queries answered by a remembered model",
                (AnsweredBy::KnownCore, _) => "queries answered by a known contradiction",
                (AnsweredBy::CachedResult, _) => "queries answered by a cached result",
            },
            1,
        );
        match answer {
            Answer::Unsat(_) => return false,
            Answer::Sat(model) => state.model = Some(model),
            Answer::Unknown(_) => {}
        }
        true
    }

    /// The thesis' algorithm 10 for the symbols of new constraints: a value in the model that is the only possible one
    /// is assigned.
    fn assign_by_model(&self, worker: &mut ValueWorker, state: &mut ValueState, added: &[Term]) {
        let Some(model) = state.model.clone() else { return };
        let mut symbols: Vec<_> = added.iter().flat_map(|&term| self.terms.free_symbols(term)).collect();
        symbols.sort_unstable();
        symbols.dedup();
        for symbol in symbols {
            let info = self.terms.symbol_info(symbol);
            let name = self.terms.symbol_name(symbol);
            // (An entry symbol would vanish from the constraints, which its block's caller is to see.)
            if !is_input_symbol(name) || info.sort.is_array() || info.sort.width() > Bits::MAX_WIDTH {
                continue;
            }
            let term = self.terms.named(name, info.sort);
            let Some(value) = model.eval(&self.terms, term) else { continue };
            state.constraints.terms_into(&mut worker.scratch);
            let facts = std::mem::take(&mut worker.scratch);
            let claim = self.terms.eq(term, self.terms.constant(value));
            let budget = Budget { conflicts: Some(DEFINITE_CONFLICTS), ..self.budget() };
            let only = worker.solver.implies(&self.terms, &facts, claim, &budget) == Some(true);
            worker.scratch = facts;
            if only {
                worker.stats.add("definite assignments by a model", 1);
                self.assign(state, term, value, None);
            }
        }
    }

    /// `symbol == constant` makes the symbol that constant everywhere.
    fn assign_equation(&self, state: &mut ValueState, term: Term) {
        let terms = &*self.terms;
        let node = terms.node(term);
        let (symbol, value) = match node.op {
            Op::Eq if terms.node(node.operand(0)).op == Op::Symbol => match terms.as_constant(node.operand(1)) {
                Some(bits) => (node.operand(0), bits),
                None => return,
            },
            Op::Symbol => (term, Bits::TRUE),
            Op::Not if terms.node(node.operand(0)).op == Op::Symbol => (node.operand(0), Bits::FALSE),
            _ => return,
        };
        let name = terms.symbol_name(terms.node(symbol).symbol());
        if is_input_symbol(name) || is_entry_symbol(name) {
            self.assign(state, symbol, value, Some(term));
        }
    }

    /// Puts a constant in a symbol's place. The equation, where there is one, has done its work then: nothing in the
    /// state mentions the symbol any more. But for an entry symbol of a block it stays, because it says something to
    /// the caller that entered the block.
    fn assign(&self, state: &mut ValueState, symbol: Term, value: Bits, equation: Option<Term>) {
        let terms = &*self.terms;
        let name = terms.node(symbol).symbol();
        let constant = terms.constant(value);
        let keeps = self.options.keep_equations || is_entry_symbol(terms.symbol_name(name));
        let mut memo = Default::default();
        let mut replace = |node: &assay_term::Node| (node.op == Op::Symbol && node.symbol() == name).then_some(constant);
        let values = state.values.clone();
        let machine = Executor::new(self.program, terms);
        state.values.map_terms(&mut |term| {
            let new = terms.substitute_with(term, &mut replace, &mut memo);
            (new != term).then(|| machine.normalise(&values, new))
        });
        let mut contradiction = false;
        state.constraints = state.constraints.mapped(|c| {
            if Some(c.term) == equation {
                return keeps.then_some(c.term);
            }
            let new = terms.substitute_with(c.term, &mut replace, &mut memo);
            contradiction |= terms.is_false(new);
            (!terms.is_true(new)).then_some(new)
        });
        debug_assert!(!contradiction || state.model.is_none(), "a satisfiable set has no false member");
    }
}
