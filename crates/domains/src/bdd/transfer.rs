//! What each step does to a state. An edge is compiled once into the diagrams that its application needs.

use super::cases::{CaseValue, Cases};
use super::domain::{BddDomain, BddWorker};
use super::state::BddState;
use assay_cfa::{Operation, VarId};
use assay_cpa::{Move, View};
use assay_term::Term;
use biodivine_lib_bdd::{Bdd, BddVariable, op_function};
use std::sync::Arc;

/// Larger diagrams are made smaller by forgetting registers.
const MOST_NODES: usize = 500;

/// An edge, ready to be applied.
#[derive(Debug)]
pub(super) enum Action {
    /// It changes nothing that is tracked.
    Keep,
    /// The path goes on where the diagram allows it.
    Assume(Bdd),
    /// Registers take values, one after the other; then others lose theirs.
    Write(Vec<Write>, Vec<BddVariable>),
}

/// One register takes a value.
#[derive(Debug)]
pub(super) struct Write {
    target: Vec<BddVariable>,
    /// Conditions on the state before, and what the target is after.
    cases: Vec<(Bdd, Bdd)>,
    /// The term whose value it is, where that is not known under some conditions.
    unknown: Option<Term>,
    register: VarId,
}

impl BddDomain<'_> {
    /// Globals have their initial values.
    pub(super) fn initial_state(&self, worker: &mut BddWorker) -> BddState {
        let mut bdd = self.encoding.set.mk_true();
        for &id in self.program.globals.iter().filter(|&&id| self.encoding.is_tracked(id)) {
            let Some(index) = self.encoding.class(id) else { continue };
            let value = match self.program.variables[id].initial.first() {
                Some(&(_, term)) => match self.cases(&mut worker.memo, term).list.as_slice() {
                    [(CaseValue::Known(bits), _)] => Some(bits.value()),
                    _ => None,
                },
                None => Some(0),
            };
            if let Some(value) = value {
                let place = match self.encoding.classes[index].code_of(value) {
                    Some(code) => self.encoding.has_code(id, code),
                    None => self.encoding.has_other(id),
                };
                bdd = bdd.and(&place);
            }
        }
        BddState::new(bdd)
    }

    /// The successor over one step; `None` if there is none.
    pub(super) fn step(&self, worker: &mut BddWorker, state: &BddState, step: &Move<'_>) -> Option<BddState> {
        match &*self.action(worker, step) {
            Action::Keep => Some(state.clone()),
            Action::Assume(condition) => {
                if condition.is_true() {
                    return Some(state.clone());
                }
                let bdd = state.bdd().and(condition);
                (!bdd.is_false()).then(|| BddState::new(self.bounded(bdd)))
            }
            Action::Write(writes, gone) => {
                let mut bdd = state.bdd().clone();
                for write in writes {
                    bdd = self.bounded(self.write(&bdd, write));
                }
                Some(BddState::new(self.forget_bits(bdd, gone)))
            }
        }
    }

    fn write(&self, bdd: &Bdd, write: &Write) -> Bdd {
        let mut result: Option<Bdd> = None;
        for (before, after) in &write.cases {
            let kept = if before.is_true() {
                self.forget_bits(bdd.clone(), &write.target)
            } else {
                Bdd::binary_op_with_exists(bdd, before, op_function::and, &write.target)
            };
            if kept.is_false() {
                continue;
            }
            let part = if after.is_true() { kept } else { kept.and(after) };
            result = Some(match result {
                Some(r) => r.or(&part),
                None => part,
            });
        }
        result.unwrap_or_else(|| self.forget_bits(bdd.clone(), &write.target))
    }

    /// Forgets registers until the diagram is small enough to be worked with, those first that take most of its nodes.
    pub(super) fn bounded(&self, mut bdd: Bdd) -> Bdd {
        while bdd.size() > MOST_NODES {
            let mut weights: std::collections::BTreeMap<VarId, usize> = Default::default();
            for (bit, nodes) in bdd.size_per_variable() {
                *weights.entry(self.encoding.owners[bit.to_index()]).or_default() += nodes;
            }
            let Some((&heaviest, _)) = weights.iter().max_by_key(|(id, nodes)| (**nodes, std::cmp::Reverse(**id))) else { break };
            bdd = self.forget_bits(bdd, self.encoding.bits(heaviest));
        }
        bdd
    }

    pub(super) fn forget_bits(&self, bdd: Bdd, bits: &[BddVariable]) -> Bdd {
        let used = bdd.support_set();
        let present: Vec<BddVariable> = bits.iter().copied().filter(|bit| used.contains(bit)).collect();
        if present.is_empty() { bdd } else { bdd.exists(&present) }
    }

    fn action(&self, worker: &mut BddWorker, step: &Move<'_>) -> Arc<Action> {
        let (edge, returning) = (step.step.edge(), step.is_return());
        if let Some(action) = worker.actions.get(&(edge, returning)) {
            return action.clone();
        }
        let action = Arc::new(self.compile(worker, &step.edge.operation, returning));
        worker.actions.insert((edge, returning), action.clone());
        action
    }

    fn compile(&self, worker: &mut BddWorker, operation: &Operation, returning: bool) -> Action {
        let encoding = &self.encoding;
        let mut writes = vec![];
        let mut gone = vec![];
        match operation {
            Operation::Assume { condition } => {
                let cases = self.cases(&mut worker.memo, *condition);
                return Action::Assume(cases.may_hold(encoding.set.mk_false(), true));
            }
            Operation::Assign { target, value } => writes.extend(self.write_of(worker, *target, *value)),
            Operation::Call { callee, result, .. } if returning => {
                let function = &self.program.functions[*callee];
                match (*result, function.result) {
                    (Some(target), Some(value)) => writes.extend(self.read(value).and_then(|term| self.write_of(worker, target, term))),
                    (Some(target), None) => gone.extend(encoding.bits(target)),
                    _ => {}
                }
                gone.extend(function.locals.iter().flat_map(|&local| encoding.bits(local)));
            }
            Operation::Call { callee, arguments, .. } => {
                for (&parameter, &argument) in self.program.functions[*callee].parameters.iter().zip(arguments) {
                    writes.extend(self.write_of(worker, parameter, argument));
                }
            }
            other => gone.extend(other.written_register().into_iter().flat_map(|register| encoding.bits(register))),
        }
        if writes.is_empty() && gone.is_empty() { Action::Keep } else { Action::Write(writes, gone) }
    }

    /// `None` if the target is not tracked.
    fn write_of(&self, worker: &mut BddWorker, target: VarId, value: Term) -> Option<Write> {
        let encoding = &self.encoding;
        let index = encoding.class(target)?;
        let always = encoding.set.mk_true();
        let mut write = Write { target: encoding.bits(target).to_vec(), cases: vec![], unknown: None, register: target };
        let node = self.terms.node(value);
        if node.op == assay_term::Op::Symbol
            && let Some(source) = self.program.variable_of(node.symbol())
            && encoding.class(source) == Some(index)
        {
            // A copy is a relation of bits; to itself it changes nothing.
            if source == target {
                write.target.clear();
                write.cases.push((always.clone(), always));
            } else {
                write.cases.push((always, encoding.same_code(target, source)));
            }
            return Some(write);
        }
        let cases: Arc<Cases> = self.cases(&mut worker.memo, value);
        for (value, guard) in &cases.list {
            let after = match *value {
                CaseValue::Known(bits) => match encoding.classes[index].code_of(bits.value()) {
                    Some(code) if bits.width() == encoding.classes[index].width => encoding.has_code(target, code),
                    None if bits.width() == encoding.classes[index].width => encoding.has_other(target),
                    _ => always.clone(),
                },
                CaseValue::Other { class, code } if class == index => encoding.has_code(target, code),
                CaseValue::Other { .. } | CaseValue::Unknown => always.clone(),
            };
            write.cases.push((guard.clone(), after));
        }
        if cases.can_be_unknown() {
            write.unknown = Some(value);
        }
        Some(write)
    }

    /// What siblings know of the register that the step wrote, where this domain does not.
    pub(super) fn ask_siblings(&self, worker: &mut BddWorker, state: &mut BddState, step: &Move<'_>, others: &mut dyn View) -> bool {
        let written = match &*self.action(worker, step) {
            Action::Write(writes, _) => match writes.as_slice() {
                [write] if write.unknown.is_some() => write.register,
                [] => match step.edge.operation.written_register() {
                    Some(register) => register,
                    None => return true,
                },
                _ => return true,
            },
            _ => return true,
        };
        let (Some(index), Some(term)) = (self.encoding.class(written), self.read(written)) else { return true };
        let class = &self.encoding.classes[index];
        let Some(value) = others.value_of(term).filter(|value| value.width() == class.width) else { return true };
        let place = match class.code_of(value.value()) {
            Some(code) => self.encoding.has_code(written, code),
            None => self.encoding.has_other(written),
        };
        let bdd = state.bdd().and(&place);
        let possible = !bdd.is_false();
        if possible {
            *state = BddState::new(bdd);
        }
        possible
    }
}
