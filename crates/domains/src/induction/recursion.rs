//! Recursion cut by induction over the depth of calls.
//!
//! A call of a recursive function has two successors. One goes *past* it: what the function and all that it calls may
//! change takes any value, and so does the result. The other goes *into* any activation of the function that the call
//! leads to: parameters and everything that the function may change take any value, and where the activation returns,
//! the path ends. Into each function a path goes at most once, so the exploration ends.
//!
//! *Why this is sound.* Take an execution that runs into a violation for the first time, and the activations of
//! recursive functions that are on its stack then. The first of them belongs to some function; a path goes into the
//! last activation of that function, for which the values at hand (any for whatever was changed in between) are among
//! those that it has. It follows the execution from there, past calls that are complete at the end, up to the next
//! activation on the stack, which belongs to another function that the path was not in; and so on, up to the last one.
//! Candidates for what holds at entries (about parameters) and at exits (about parameters and result) are checked
//! wherever a function is called, or an activation returns, and assumed where a path goes into one, or past it. One
//! that fails counts as a violation, except that it is dropped and everything repeated: the activation in which the
//! first one fails at its exit is followed in the same path.

use super::InductionDomain;
use super::candidates::{Candidate, Candidates, Met, Spot};
use super::state::{Activation, InductionState, Surroundings};
use crate::value::{ValueSemantics, ValueState, ValueWorker};
use assay_base::FastMap;
use assay_cfa::structure::Structure;
use assay_cfa::types::CType;
use assay_cfa::{EdgeId, FunctionId, Operation, Program, VarId};
use assay_cpa::{Move, Step};
use assay_passes::recursion::CutCalls;
use assay_semantics::state::{Executor, Value};
use assay_term::{Bits, Op, Term, Terms};

/// How many conditions of a function are looked at as parts of candidates.
const MOST_GUARDS: usize = 6;
/// How many values the result is compared with.
const MOST_VALUES: usize = 16;
/// How many constants of the program's conditions are looked at.
const MOST_CONSTANTS: usize = 6;

/// Why a path does not go on.
pub(super) enum Ended {
    Here,
    Unresolved(Box<ValueState>, &'static str),
}

/// What is known of the recursive functions of a program.
pub(super) struct Recursion<'d> {
    calls: &'d CutCalls,
    /// For each parameter of a recursive function whether all activations on the stack agree on it.
    stable: FastMap<FunctionId, Vec<bool>>,
}

impl<'d> Recursion<'d> {
    pub(super) fn of(structure: &Structure<'_>, terms: &Terms, calls: &'d CutCalls, candidates: &mut Candidates) -> Self {
        let program = structure.program;
        let constants = constants(program, terms);
        let mut stable = FastMap::default();
        for function in program.functions.ids().filter(|&f| structure.calls().recursive[f]) {
            stable.insert(function, stable_parameters(structure, terms, function));
            let contract = Contract { program, terms, function, constants: &constants };
            candidates.add(terms, Spot::Entry(function), contract.entry());
            candidates.add(terms, Spot::Exit(function), contract.exit());
        }
        Recursion { calls, stable }
    }
}

impl InductionDomain<'_, '_> {
    /// What recursion makes of a step: `next` is the state after it as if nothing were cut.
    pub(super) fn cut_recursion(
        &self,
        worker: &mut ValueWorker,
        met: &mut Met<'_>,
        state: &InductionState,
        next: ValueState,
        surroundings: &mut Surroundings,
        step: &Move<'_>,
    ) -> Result<ValueState, Ended> {
        let Some(recursion) = &self.recursion else { return Ok(next) };
        if let Step::Edge(edge) = step.step
            && let Some(&call) = recursion.calls.past.get(&edge)
        {
            return self.go_past(worker, met, state, next, surroundings, call, step);
        }
        match (step.step, &step.edge.operation) {
            (Step::Edge(_), Operation::Call { callee, .. }) if self.structure.calls().recursive[*callee] => {
                self.go_into(worker, met, next, surroundings, recursion, *callee, step)
            }
            (Step::Return(_), Operation::Call { callee, .. }) if self.structure.calls().recursive[*callee] => {
                self.come_back(worker, met, state, surroundings, *callee, step);
                Err(Ended::Here)
            }
            _ => Ok(next),
        }
    }

    fn go_past(
        &self,
        worker: &mut ValueWorker,
        met: &mut Met<'_>,
        state: &InductionState,
        mut next: ValueState,
        surroundings: &Surroundings,
        call: EdgeId,
        step: &Move<'_>,
    ) -> Result<ValueState, Ended> {
        let program = self.structure.program;
        let (Step::Edge(edge), Operation::Call { callee, arguments, result }) = (step.step, &program.edges[call].operation) else {
            return Err(Ended::Here);
        };
        let function = &program.functions[*callee];
        let machine = Executor::new(program, &self.values.terms);
        let mut semantics = ValueSemantics { symbolic: true, log: None };
        let mut values = state.values.values.clone();
        let mut known: Vec<(VarId, Value)> = Vec::new();
        for (&parameter, &argument) in function.parameters.iter().zip(arguments) {
            known.push((parameter, machine.eval(&mut semantics, &mut values, argument)));
        }
        let conditions = self.conditions(met, &next, Spot::Entry(*callee), &known);
        let (head, ignores) = (step.target.location, surroundings.ignores(self.depth));
        next = self.settle(worker, met, next, Spot::Entry(*callee), &conditions, edge, head, ignores).ok_or(Ended::Here)?;
        let effects = &self.structure.effects().functions[*callee];
        if effects.touches_everything {
            return Err(Ended::Unresolved(Box::new(next), UNKNOWN_EFFECTS));
        }
        // Locals of other activations are other variables.
        let global = |variable: VarId| program.variables[variable].is_global();
        self.forget(&mut next, effects, global, |state, variable| self.values.forget_register_for(state, variable, edge));
        next.model = None;
        let Some(target) = *result else { return Ok(next) };
        let Some(symbol) = self.values.forget_register_for(&mut next, target, edge) else { return Ok(next) };
        if let Some(returned) = function.result {
            known.push((returned, Value::Term(symbol)));
        }
        let conditions = self.conditions(met, &next, Spot::Exit(*callee), &known);
        self.settle(worker, met, next, Spot::Exit(*callee), &conditions, edge, head, true).ok_or(Ended::Here)
    }

    fn go_into(
        &self,
        worker: &mut ValueWorker,
        met: &mut Met<'_>,
        mut next: ValueState,
        surroundings: &mut Surroundings,
        recursion: &Recursion<'_>,
        callee: FunctionId,
        step: &Move<'_>,
    ) -> Result<ValueState, Ended> {
        let Step::Edge(edge) = step.step else { return Err(Ended::Here) };
        if surroundings.activations.iter().any(|activation| activation.function == callee) {
            return Err(Ended::Here);
        }
        let program = self.structure.program;
        let parameters = &program.functions[callee].parameters;
        let (spot, head, ignores) = (Spot::Entry(callee), step.target.location, surroundings.ignores(self.depth));
        let known = |state: &ValueState| -> Vec<(VarId, Value)> { parameters.iter().map(|&p| (p, state.values.get(program, p))).collect() };
        let conditions = self.conditions(met, &next, spot, &known(&next));
        next = self.settle(worker, met, next, spot, &conditions, edge, head, ignores).ok_or(Ended::Here)?;
        let effects = &self.structure.effects().functions[callee];
        if effects.touches_everything {
            return Err(Ended::Unresolved(Box::new(next), UNKNOWN_EFFECTS));
        }
        let stable = &recursion.stable[&callee];
        let changes = |variable: VarId| match parameters.iter().position(|&p| p == variable) {
            Some(index) => !stable[index],
            None => program.variables[variable].is_global(),
        };
        self.forget(&mut next, effects, changes, |state, variable| self.values.forget_register(state, variable, edge));
        next.model = None;
        let entry = known(&next);
        let conditions = self.conditions(met, &next, spot, &entry);
        next = self.settle(worker, met, next, spot, &conditions, edge, head, true).ok_or(Ended::Here)?;
        surroundings.activations.push(Activation { function: callee, entry: entry.into() });
        Ok(next)
    }

    /// Checks what holds where an activation returns.
    fn come_back(
        &self,
        worker: &mut ValueWorker,
        met: &mut Met<'_>,
        state: &InductionState,
        surroundings: &Surroundings,
        callee: FunctionId,
        step: &Move<'_>,
    ) {
        let Step::Return(edge) = step.step else { return };
        let program = self.structure.program;
        let Some(activation) = surroundings.activations.iter().find(|activation| activation.function == callee) else { return };
        if surroundings.ignores(self.depth) {
            return;
        }
        let mut known = activation.entry.to_vec();
        if let Some(result) = program.functions[callee].result {
            known.push((result, state.values.values.get(program, result)));
        }
        let conditions = self.conditions(met, &state.values, Spot::Exit(callee), &known);
        self.settle(worker, met, state.values.clone(), Spot::Exit(callee), &conditions, edge, step.target.location, false);
    }

    /// The candidates of a spot with the values that registers have.
    fn conditions(&self, met: &Met<'_>, state: &ValueState, spot: Spot, known: &[(VarId, Value)]) -> Vec<(Candidate, Value)> {
        let (program, terms) = (self.structure.program, &*self.values.terms);
        let machine = Executor::new(program, terms);
        let values: Vec<(VarId, Option<Term>)> = known.iter().map(|&(variable, value)| (variable, self.as_term(value))).collect();
        let mut memo = FastMap::default();
        let conditions = met.at(spot).map(|candidate| {
            let condition = terms.substitute_with(
                candidate.term(),
                &mut |node| {
                    let variable = (node.op == Op::Symbol).then(|| program.variable_of(node.symbol())).flatten()?;
                    values.iter().find(|(known, _)| *known == variable)?.1
                },
                &mut memo,
            );
            let open = terms.free_symbols(condition).into_iter().any(|symbol| program.variable_of(symbol).is_some());
            (candidate, if open { Value::Unknown } else { machine.normalise(&state.values, condition) })
        });
        conditions.collect()
    }
}

const UNKNOWN_EFFECTS: &str = "a recursion that is not cut: what it may change is not known";

/// Which parameters every activation on the stack has with the same value: no statement changes them, and the function
/// hands them on to itself.
fn stable_parameters(structure: &Structure<'_>, terms: &Terms, function: FunctionId) -> Vec<bool> {
    let program = structure.program;
    let calls = structure.calls();
    let alone = calls.components[calls.component[function] as usize].len() == 1;
    let own = |edge: &&EdgeId| program.locations[program.edges[**edge].source].function == function;
    let parameters = program.functions[function].parameters.iter().enumerate();
    let stable = parameters.map(|(index, &parameter)| {
        let is_it = |term: Term| {
            let node = terms.node(term);
            node.op == Op::Symbol && program.variable_of(node.symbol()) == Some(parameter)
        };
        let handed_on = calls.sites[function].iter().filter(own).all(|&edge| match &program.edges[edge].operation {
            Operation::Call { arguments, .. } => arguments.get(index).is_some_and(|&argument| is_it(argument)),
            _ => false,
        });
        let written = program.edges.iter().any(|edge| edge.operation.written_register() == Some(parameter));
        alone && handed_on && !written
    });
    stable.collect()
}

/// The constants that conditions of the program compare with.
fn constants(program: &Program, terms: &Terms) -> Vec<Bits> {
    let mut found: Vec<Bits> = Vec::new();
    for edge in program.edges.iter() {
        let Operation::Assume { condition } = edge.operation else { continue };
        terms.post_order([condition], |_, node| {
            if node.op == Op::Const && node.width() > 1 {
                let bits = Bits::new(node.width(), node.constant());
                if found.len() < MOST_CONSTANTS && !found.contains(&bits) {
                    found.push(bits);
                }
            }
        });
    }
    found
}

/// Finds candidates for what holds at the entry and at the exit of a function.
struct Contract<'a> {
    program: &'a Program,
    terms: &'a Terms,
    function: FunctionId,
    constants: &'a [Bits],
}

impl Contract<'_> {
    /// The symbols of registers of integers.
    fn integers(&self, variables: impl IntoIterator<Item = VarId>) -> Vec<Term> {
        let is_integer = |&variable: &VarId| {
            let info = &self.program.variables[variable];
            info.register_width().is_some_and(|width| width > 1 && width <= 64) && matches!(info.ctype, CType::Integer { .. })
        };
        variables.into_iter().filter(is_integer).map(|variable| self.terms.symbol(variable.symbol())).collect()
    }

    fn parameters(&self) -> Vec<Term> {
        self.integers(self.program.functions[self.function].parameters.iter().copied())
    }

    fn numbers(&self, width: u32) -> Vec<Term> {
        let others = self.constants.iter().filter(|bits| bits.width() == width).map(|bits| bits.value());
        let mut numbers: Vec<Term> = [0, 1].into_iter().chain(others).map(|number| self.terms.number(width, number)).collect();
        let mut seen = assay_base::FastSet::default();
        numbers.retain(|&number| seen.insert(number));
        numbers
    }

    /// Bounds of parameters.
    fn entry(&self) -> Vec<Candidate> {
        let terms = self.terms;
        let mut found = Vec::new();
        for parameter in self.parameters() {
            let width = terms.width(parameter);
            // One step away from an overflow.
            let edges = [(1 << (width - 1)) - 2, (1 << (width - 1)) + 1].map(|number| terms.number(width, number));
            for number in self.numbers(width).into_iter().chain(edges) {
                found.extend([terms.sle(number, parameter), terms.sle(parameter, number)].map(Candidate::Holds));
            }
        }
        found
    }

    /// Comparisons of the result, in general and where conditions of the function hold of its parameters.
    fn exit(&self) -> Vec<Candidate> {
        let terms = self.terms;
        let Some(&result) = self.integers(self.program.functions[self.function].result).first() else { return vec![] };
        let values = self.values(terms.width(result));
        let mut guards = vec![terms.true_()];
        guards.extend(self.guards());
        let mut found = Vec::new();
        for guard in guards {
            for &value in &values {
                for relation in [terms.eq(result, value), terms.sle(value, result), terms.sle(result, value)] {
                    found.push(Candidate::Holds(terms.implies(guard, relation)));
                }
            }
        }
        found
    }

    fn edges(&self) -> impl Iterator<Item = &Operation> {
        let inside = |edge: &&assay_cfa::Edge| self.program.locations[edge.source].function == self.function;
        self.program.edges.iter().filter(inside).map(|edge| &edge.operation)
    }

    fn is_over_parameters(&self, term: Term) -> bool {
        let parameters = &self.program.functions[self.function].parameters;
        let known = |symbol| self.program.variable_of(symbol).is_some_and(|variable| parameters.contains(&variable));
        self.terms.free_symbols(term).into_iter().all(known)
    }

    fn guards(&self) -> Vec<Term> {
        let mut found: Vec<Term> = Vec::new();
        for operation in self.edges() {
            let Operation::Assume { condition } = *operation else { continue };
            if self.is_over_parameters(condition) && !found.contains(&condition) && found.len() < MOST_GUARDS {
                found.push(condition);
            }
        }
        found
    }

    /// What the result may be: constants, what the function returns in terms of its parameters, parameters, their sums
    /// and lowest bits.
    fn values(&self, width: u32) -> Vec<Term> {
        let terms = self.terms;
        let result = self.program.functions[self.function].result;
        let returned = self.edges().filter_map(|operation| match *operation {
            Operation::Assign { target, value } if Some(target) == result && self.is_over_parameters(value) => Some(value),
            _ => None,
        });
        let mut found: Vec<Term> = returned.collect();
        found.extend(self.numbers(width));
        let parameters: Vec<Term> = self.parameters().into_iter().filter(|&parameter| terms.width(parameter) == width).collect();
        found.extend(&parameters);
        for (index, &a) in parameters.iter().enumerate() {
            found.extend(parameters[index + 1..].iter().map(|&b| terms.add(a, b)));
        }
        let one = terms.number(width, 1);
        for &parameter in &parameters {
            let odd = terms.and(parameter, one);
            found.extend([odd, terms.sub(one, odd)]);
        }
        let mut seen = assay_base::FastSet::default();
        found.retain(|&value| seen.insert(value));
        found.truncate(MOST_VALUES);
        found
    }
}
