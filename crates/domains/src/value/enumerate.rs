//! Enumeration: a register of unknown value that a step leaves only a few values becomes as many states, each with one
//! of them. Where there are more than the option allows, the value stays unknown; a list is never cut short.

use super::precision::Unit;
use super::{ValueDomain, ValuePrecision, ValueState, ValueWorker};
use assay_cfa::{EdgeId, Operation, VarId};
use assay_cpa::{Move, Step, Successors};
use assay_semantics::state::Value;
use assay_smt::Answer;
use assay_term::{Bits, Term};

/// Registers of unknown value, and the terms whose values they have where the condition holds.
struct Question {
    condition: Option<Term>,
    unknowns: Vec<(VarId, Term)>,
}

impl ValueDomain<'_> {
    /// Pushes the successor, or one for each combination of values that the step leaves to registers of unknown value.
    pub(super) fn push_enumerated(
        &self,
        worker: &mut ValueWorker,
        before: &ValueState,
        next: ValueState,
        precision: &ValuePrecision,
        step: &Move<'_>,
        out: &mut Successors<ValueState>,
    ) {
        let limit = self.options.max_enum as usize;
        let combinations = match step.step {
            Step::Edge(edge) if limit > 0 && !self.options.symbolic => self
                .question(before, &next, precision, edge, step)
                .and_then(|question| Some((self.combinations(worker, &question, limit)?, question.unknowns))),
            _ => None,
        };
        let Some((combinations, unknowns)) = combinations else {
            out.push(next);
            return;
        };
        worker.stats.add("enumerated states", combinations.len() as u64);
        for values in combinations {
            let mut state = next.clone();
            for ((variable, _), value) in unknowns.iter().zip(values) {
                state.values.set(self.program, *variable, Value::known(value));
            }
            out.push(state);
        }
    }

    fn question(
        &self,
        before: &ValueState,
        next: &ValueState,
        precision: &ValuePrecision,
        edge: EdgeId,
        step: &Move<'_>,
    ) -> Option<Question> {
        let at = step.target.location;
        let function = self.program.locations[at].function;
        let dead = self.liveness.dead_after(edge);
        let wanted = |variable: VarId| {
            next.values.get(self.program, variable) == Value::Unknown
                && precision.tracks(at, function, &Unit::Register(variable))
                && dead.binary_search(&variable).is_err()
        };
        let (condition, unknowns) = match &step.edge.operation {
            Operation::Assume { condition } => {
                let symbols = self.terms.free_symbols(*condition).into_iter();
                let variables = symbols.filter_map(|symbol| Some((self.program.variable_of(symbol)?, self.terms.symbol(symbol))));
                (Some(self.with_known(before, *condition)), variables.filter(|(variable, _)| wanted(*variable)).collect())
            }
            Operation::Assign { target, value } if wanted(*target) => (None, vec![(*target, self.with_known(before, *value))]),
            Operation::Havoc { target, .. } if wanted(*target) => (None, vec![(*target, self.terms.symbol(target.symbol()))]),
            _ => return None,
        };
        let is_plain = |term: Term| !self.terms.sort(term).is_array() && self.terms.width(term) <= 64;
        let asked = !unknowns.is_empty() && unknowns.iter().all(|(_, term): &(VarId, Term)| is_plain(*term));
        asked.then_some(Question { condition, unknowns })
    }

    /// The term with the values that registers are known to have.
    fn with_known(&self, state: &ValueState, term: Term) -> Term {
        self.terms.substitute(term, &mut |node| {
            if node.op != assay_term::Op::Symbol {
                return None;
            }
            let bits = state.values.get(self.program, self.program.variable_of(node.symbol())?).as_bits()?;
            Some(self.terms.constant(bits))
        })
    }

    /// All combinations of the unknowns' values, or `None` if there are more than the limit or the solver does not
    /// know.
    fn combinations(&self, worker: &mut ValueWorker, question: &Question, limit: usize) -> Option<Vec<Vec<Bits>>> {
        let terms = &*self.terms;
        let mut constraints: Vec<Term> = question.condition.into_iter().collect();
        let mut found = Vec::new();
        loop {
            let model = match worker.solver.check(terms, &constraints, &self.budget()) {
                // Every combination is excluded by now, so the list is complete.
                Answer::Unsat(_) => return Some(found),
                Answer::Unknown(_) => return None,
                Answer::Sat(_) if found.len() == limit => return None,
                Answer::Sat(model) => model,
            };
            let values: Vec<Bits> =
                question.unknowns.iter().map(|(_, term)| model.eval(terms, *term).unwrap_or(Bits::new(terms.width(*term), 0))).collect();
            let mut same = terms.constant(Bits::TRUE);
            for ((_, term), value) in question.unknowns.iter().zip(&values) {
                same = terms.and(same, terms.eq(*term, terms.constant(*value)));
            }
            constraints.push(terms.not(same));
            found.push(values);
        }
    }
}
