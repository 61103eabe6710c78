//! Rules of summaries: for which other entries a block would be explored over the same steps, and what its exits would
//! be.
//!
//! The registers of the entry that hold constants are taken for symbols, and the steps of the finished graph are gone
//! over once more with terms over them. A condition that these terms decide is a *demand* of the rule: where it has the
//! same truth value, the same steps are taken. What is done with a constant in any other path (it chooses an address,
//! or meets something unknown) *pins* the registers it was made of: the rule speaks only of entries that have the same
//! constants there. All that is no constant at the entry (pointers, symbols, constraints, memory) must be the same.
//!
//! So by induction over the steps, each register that holds a constant in the graph has, for every entry that meets the
//! demands and the pins, the value of its term, and what is no constant is as it is in the graph.

use super::transfer::ValueSemantics;
use super::{ValueDomain, ValueState, ValueWorker};
use assay_base::{FastMap, FastSet, Id};
use assay_cfa::{EdgeId, Operation, Program, Scope, Step, VarId};
use assay_cpa::{ArgStep, NodeId, StackId};
use assay_memo::{BlockGraph, BlockScope, KnownRule, Summary, SummaryId};
use assay_semantics::state::{Executor, State, Truth, Value};
use assay_term::eval::Evaluation;
use assay_term::{Bits, Node, Op, Term, Terms};
use std::sync::Arc;

/// Graphs with more nodes are not gone over, nor is anything said that makes more demands, or of larger terms (all of
/// them together, what they share counted once): the caller that asks the rule evaluates them.
const MAX_NODES: usize = 20_000;
const MAX_DEMANDS: usize = 4_000;
const MAX_TERMS: usize = 8_000;

/// What one summary says about other entries.
pub struct ValueRule {
    entry: ValueState,
    /// Registers of the entry that must be the same.
    pinned: FastSet<VarId>,
    /// What is demanded of a single register of the entry.
    single: FastMap<VarId, Single>,
    /// Conditions over the registers of the entry, and their truth values.
    demands: Vec<(Term, bool)>,
    /// The same with those that `pinned` and `single` stand for, for rules that rest on this one.
    all_demands: Vec<(Term, bool)>,
    exits: Vec<ExitRule>,
}

/// Bounds and gaps of one register, as words of its width.
#[derive(Clone, Debug)]
struct Single {
    signed: (i128, i128),
    unsigned: (u128, u128),
    /// Sorted.
    not: Vec<u128>,
}

struct ExitRule {
    state: ValueState,
    /// Registers whose values are terms over the entry other than themselves.
    computed: Vec<(VarId, Term)>,
    /// Registers that do not keep the value of the entry, the computed ones among them.
    written: FastSet<VarId>,
}

impl Single {
    fn new(width: u32) -> Self {
        let most = u128::MAX >> (128 - width);
        let signed = (-1 - (most >> 1) as i128, (most >> 1) as i128);
        Single { signed, unsigned: (0, most), not: Vec::new() }
    }
    fn allows(&self, value: Bits) -> bool {
        let (signed, unsigned) = (value.signed(), value.value());
        self.signed.0 <= signed
            && signed <= self.signed.1
            && self.unsigned.0 <= unsigned
            && unsigned <= self.unsigned.1
            && self.not.binary_search(&unsigned).is_err()
    }
}

impl ValueDomain<'_> {
    /// The exits for another entry, if the rule speaks of it.
    pub(super) fn exits_by_rule(&self, rule: &ValueRule, entry: &ValueState) -> Option<Vec<ValueState>> {
        if rule.entry.constraints != entry.constraints {
            return None;
        }
        let mut different: Vec<(VarId, Value)> = Vec::new();
        let same = rule.entry.values.differs_in_registers(self.program, &entry.values, &mut |variable, there, here| {
            let (Some(there), Some(bits)) = (there.as_bits(), here.as_bits()) else { return false };
            let fits = there.width() == bits.width()
                && !rule.pinned.contains(&variable)
                && rule.single.get(&variable).is_none_or(|single| single.allows(bits));
            different.push((variable, here));
            fits
        });
        if !same {
            return None;
        }
        let mut values = AtEntry { program: self.program, state: &entry.values, known: Evaluation::default() };
        for &(demand, wanted) in &rule.demands {
            if values.of(&self.terms, demand)?.is_true() != wanted {
                return None;
            }
        }
        let mut exits = Vec::with_capacity(rule.exits.len());
        for exit in &rule.exits {
            let mut state = exit.state.clone();
            for &(variable, value) in &different {
                if !exit.written.contains(&variable) && state.values.get(self.program, variable).is_known() {
                    state.values.set(self.program, variable, value);
                }
            }
            for &(variable, term) in &exit.computed {
                let bits = values.of(&self.terms, term)?;
                state.values.set(self.program, variable, Value::known(bits));
            }
            exits.push(state);
        }
        Some(exits)
    }

    /// The rule of a finished summary, if its graph is understood.
    pub(super) fn rule_of(
        &self,
        worker: &mut ValueWorker,
        summary: &Summary<'_, Self>,
        block: &BlockScope<'_>,
        inner: &dyn Fn(SummaryId) -> Option<KnownRule<ValueRule>>,
    ) -> Option<ValueRule> {
        let graph = summary.graph()?;
        if graph.exploration.arg.len() > MAX_NODES || summary.entry.values.has_chains() {
            return None;
        }
        let mut walk = Walk {
            domain: self,
            block,
            graph: &graph,
            entry: &summary.entry,
            free: std::mem::take(&mut worker.free),
            at: vec![None; graph.exploration.arg.len()],
            meetings: Vec::new(),
            pinned: FastSet::default(),
            demands: Vec::new(),
            asked: FastSet::default(),
        };
        let rule = walk.go(summary, inner);
        worker.free = std::mem::take(&mut walk.free);
        rule
    }
}

/// The values of terms over the constants of an entry; what they share is evaluated once.
struct AtEntry<'e> {
    program: &'e Program,
    state: &'e State,
    known: Evaluation,
}

impl AtEntry<'_> {
    fn of(&mut self, terms: &Terms, term: Term) -> Option<Bits> {
        let AtEntry { program, state, known } = self;
        let mut register = |leaf: &Node| {
            let variable = (leaf.op == Op::Symbol).then(|| program.variable_of(leaf.symbol())).flatten()?;
            state.get(program, variable).as_bits()
        };
        known.evaluate_one(terms, term, &mut register)
    }
}

/// What a register holds, seen from the entry.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Seen {
    /// This term over the registers of the entry.
    Term(Term),
    /// What the graph says: no constant, or a constant that pinned registers decide.
    There,
}

/// Registers that were written since the entry, the latest first. States share what was written before.
struct Written {
    before: Option<Arc<Written>>,
    what: Vec<(VarId, Seen)>,
    length: u32,
}

type Known = Option<Arc<Written>>;

fn look(mut known: &Known, variable: VarId) -> Option<Seen> {
    while let Some(written) = known {
        if let Some(&(_, seen)) = written.what.iter().rev().find(|(other, _)| *other == variable) {
            return Some(seen);
        }
        known = &written.before;
    }
    None
}

fn with(known: &Known, what: Vec<(VarId, Seen)>) -> Known {
    if what.is_empty() {
        return known.clone();
    }
    let length = known.as_ref().map_or(0, |written| written.length) + 1;
    if length > 24 {
        let mut all: Vec<(VarId, Seen)> = everything(known).into_iter().collect();
        all.extend(what);
        return Some(Arc::new(Written { before: None, what: all, length: 1 }));
    }
    Some(Arc::new(Written { before: known.clone(), what, length }))
}

fn everything(known: &Known) -> FastMap<VarId, Seen> {
    let mut all = FastMap::default();
    let mut at = known;
    while let Some(written) = at {
        for &(variable, seen) in written.what.iter().rev() {
            all.entry(variable).or_insert(seen);
        }
        at = &written.before;
    }
    all
}

/// The variables in terms of the program; `None` where a term speaks of anything else.
pub(super) type FreeVariables = FastMap<Term, Option<Arc<[VarId]>>>;

struct Walk<'w, 'd, 'g> {
    domain: &'w ValueDomain<'d>,
    block: &'w BlockScope<'w>,
    graph: &'w BlockGraph<'g, ValueDomain<'d>>,
    entry: &'w ValueState,
    free: FreeVariables,
    /// What is known at each node; `None` before the node is come to.
    at: Vec<Option<Known>>,
    /// Steps to nodes that were there before, with what is known over them.
    meetings: Vec<(NodeId, Known)>,
    pinned: FastSet<VarId>,
    demands: Vec<(Term, bool)>,
    asked: FastSet<(Term, bool)>,
}

type InnerRules<'r> = dyn Fn(SummaryId) -> Option<KnownRule<ValueRule>> + 'r;

impl Walk<'_, '_, '_> {
    fn go(&mut self, summary: &Summary<'_, ValueDomain<'_>>, inner: &InnerRules<'_>) -> Option<ValueRule> {
        let arg = &self.graph.exploration.arg;
        self.at[arg.root()?.index()] = Some(None);
        // Nodes come after those that they were made from.
        for node in arg.live() {
            let known = self.at[node.index()].clone()?;
            if arg.is_covered(node) || !arg.is_expanded(node) || arg.is_target(node) || self.is_too_much() {
                return None;
            }
            let head = arg.head(node);
            if head.stack != StackId::EMPTY || !self.block.block.exits.contains(&head.location) {
                self.expand(node, &known, inner)?;
            }
        }
        for (node, known) in std::mem::take(&mut self.meetings) {
            self.meet(node, &known)?;
        }
        let exits = summary.exits.iter().map(|exit| self.exit(exit.node, &exit.state)).collect::<Option<Vec<_>>>()?;
        let rule = self.rule(exits);
        let computed = rule.exits.iter().flat_map(|exit| exit.computed.iter().map(|&(_, term)| term));
        let mut size = 0;
        self.terms().post_order(rule.demands.iter().map(|&(term, _)| term).chain(computed), |_, _| size += 1);
        (size <= MAX_TERMS).then_some(rule)
    }

    fn is_too_much(&self) -> bool {
        self.demands.len() > MAX_DEMANDS || self.domain.cancel.stopped().is_some()
    }

    fn terms(&self) -> &Terms {
        &self.domain.terms
    }

    fn state(&self, node: NodeId) -> Option<&ValueState> {
        self.graph.exploration.reached.get(node)
    }

    /// The variables of a term.
    fn variables(&mut self, term: Term) -> Option<Arc<[VarId]>> {
        let (domain, mut stack) = (self.domain, vec![term]);
        while let Some(&term) = stack.last() {
            if self.free.contains_key(&term) {
                stack.pop();
                continue;
            }
            let node = domain.terms.node(term);
            let waiting = stack.len();
            stack.extend(domain.terms.operands_of(&node).filter(|operand| !self.free.contains_key(operand)));
            if stack.len() > waiting {
                continue;
            }
            stack.pop();
            let variables = match node.op {
                Op::Symbol => domain.program.variable_of(node.symbol()).map(|variable| Arc::from([variable])),
                Op::Address => None,
                _ => self.all_of(&node),
            };
            self.free.insert(term, variables);
        }
        self.free[&term].clone()
    }

    /// The variables of all operands, which are known.
    fn all_of(&self, node: &Node) -> Option<Arc<[VarId]>> {
        let mut all: Arc<[VarId]> = Arc::default();
        for operand in self.terms().operands_of(node) {
            let variables = self.free[&operand].as_ref()?;
            if all.is_empty() {
                all = variables.clone();
            } else if variables.iter().any(|variable| !all.contains(variable)) {
                let others = variables.iter().copied().filter(|variable| !all.contains(variable));
                all = all.iter().copied().chain(others).collect();
            }
        }
        Some(all)
    }

    /// The constant in a register as a term over the entry; `None` if the register holds no constant.
    fn seen(&self, state: &ValueState, known: &Known, variable: VarId) -> Option<Term> {
        let program = self.domain.program;
        let bits = state.values.get(program, variable).as_bits()?;
        let is_own = match program.variables[variable].scope {
            Scope::Global => true,
            Scope::Local(function) => function == self.block.block.function,
        };
        match look(known, variable) {
            Some(Seen::Term(term)) => Some(term),
            None if is_own && self.entry.values.get(program, variable).is_known() => Some(self.terms().symbol(variable.symbol())),
            _ => Some(self.terms().constant(bits)),
        }
    }

    /// A term of the program over the entry, if all its registers hold constants.
    fn resolve(&mut self, state: &ValueState, known: &Known, term: Term) -> Option<Term> {
        let variables = self.variables(term)?;
        let mut found: Vec<(VarId, Term)> = Vec::with_capacity(variables.len());
        for &variable in variables.iter() {
            found.push((variable, self.seen(state, known, variable)?));
        }
        if found.iter().all(|&(variable, seen)| seen == self.terms().symbol(variable.symbol())) {
            return Some(term);
        }
        Some(self.terms().substitute(term, &mut |node| {
            let variable = (node.op == Op::Symbol).then(|| self.domain.program.variable_of(node.symbol())).flatten()?;
            found.iter().find(|(other, _)| *other == variable).map(|&(_, seen)| seen)
        }))
    }

    /// The same for one of many terms that share what they are made of. The memo is of this state.
    fn resolve_with(&mut self, state: &ValueState, known: &Known, term: Term, memo: &mut FastMap<Term, Term>) -> Option<Term> {
        let variables = self.variables(term)?;
        if variables.iter().any(|&variable| self.seen(state, known, variable).is_none()) {
            return None;
        }
        let mut seen = |node: &Node| {
            let variable = (node.op == Op::Symbol).then(|| self.domain.program.variable_of(node.symbol())).flatten()?;
            self.seen(state, known, variable)
        };
        Some(self.terms().substitute_with(term, &mut seen, memo))
    }

    /// The registers in a term.
    fn registers(&mut self, term: Term) -> Arc<[VarId]> {
        self.variables(term).unwrap_or_else(|| {
            let symbols = self.domain.terms.free_symbols(term).into_iter();
            symbols.filter_map(|symbol| self.domain.program.variable_of(symbol)).collect()
        })
    }

    /// The rule speaks only of entries that make the same constants of these registers.
    fn pin(&mut self, term: Term) {
        let registers = self.registers(term);
        self.pinned.extend(registers.iter().copied());
    }

    /// The same for all constants that a term of the program is made of.
    fn pin_operands(&mut self, state: &ValueState, known: &Known, term: Term) {
        for &register in self.registers(term).iter() {
            if let Some(seen) = self.seen(state, known, register) {
                self.pin(seen);
            }
        }
    }

    fn demand(&mut self, term: Term, truth: bool) {
        if self.terms().as_constant(term).is_none() && self.asked.insert((term, truth)) {
            self.demands.push((term, truth));
        }
    }

    fn truth(&self, state: &ValueState, condition: Term) -> Truth {
        let mut semantics = ValueSemantics { symbolic: false, log: None };
        Executor::new(self.domain.program, self.terms()).truth(&mut semantics, &mut state.values.clone(), condition)
    }

    /// Demands what makes a condition have this truth value, as it has in the state.
    fn decided(&mut self, state: &ValueState, known: &Known, condition: Term, truth: bool) {
        let node = self.terms().node(condition);
        match node.op {
            Op::Not => return self.decided(state, known, node.operand(0), !truth),
            Op::And | Op::Or if node.width() == 1 => {
                let parts = [node.operand(0), node.operand(1)];
                let both = (node.op == Op::And) == truth;
                let wanted = if truth { Truth::Yes } else { Truth::No };
                if both {
                    return parts.into_iter().for_each(|part| self.decided(state, known, part, truth));
                }
                if let Some(part) = parts.into_iter().find(|&part| self.truth(state, part) == wanted) {
                    return self.decided(state, known, part, truth);
                }
            }
            _ => {}
        }
        match self.resolve(state, known, condition) {
            Some(term) => self.demand(term, truth),
            None => self.pin_operands(state, known, condition),
        }
    }

    /// The condition is open in the state, and must be open in the same path.
    fn open(&mut self, state: &ValueState, known: &Known, condition: Term) {
        let node = self.terms().node(condition);
        match node.op {
            Op::Not => self.open(state, known, node.operand(0)),
            Op::And | Op::Or if node.width() == 1 => {
                for part in [node.operand(0), node.operand(1)] {
                    match self.truth(state, part) {
                        Truth::Yes => self.decided(state, known, part, true),
                        Truth::No => self.decided(state, known, part, false),
                        _ => self.open(state, known, part),
                    }
                }
            }
            _ => self.pin_operands(state, known, condition),
        }
    }

    fn children(&self, node: NodeId, step: ArgStep) -> Vec<NodeId> {
        self.graph.exploration.arg.children(node).filter(|(taken, _)| *taken == step).map(|(_, child)| child).collect()
    }

    fn arrive(&mut self, node: NodeId, step: ArgStep, child: NodeId, known: Known) {
        if self.graph.exploration.arg.creator(child) == Some((step, node)) {
            self.at[child.index()] = Some(known);
        } else {
            self.meetings.push((child, known));
        }
    }

    fn expand(&mut self, node: NodeId, known: &Known, inner: &InnerRules<'_>) -> Option<()> {
        let state = self.state(node)?.clone();
        if let Some(&id) = self.graph.applied.get(&node) {
            return self.apply(node, &state, known, &inner(id)?);
        }
        let program = self.domain.program;
        let head = self.graph.exploration.arg.head(node);
        let location = &program.locations[head.location];
        if program.functions[location.function].exit != head.location {
            return location.outgoing.iter().try_for_each(|&edge| self.follow(node, &state, known, edge));
        }
        let returns = self.graph.exploration.arg.children(node).collect::<Vec<_>>();
        for (step, child) in returns {
            let ArgStep::Step(Step::Return(call)) = step else { return None };
            let Operation::Call { callee, result, .. } = &program.edges[call].operation else { return None };
            let value = program.functions[*callee].result.and_then(|register| self.seen(&state, known, register));
            let what = result.map(|target| (target, value.map_or(Seen::There, Seen::Term)));
            self.arrive(node, step, child, with(known, what.into_iter().collect()));
        }
        Some(())
    }

    /// The successors over one edge.
    fn follow(&mut self, node: NodeId, state: &ValueState, known: &Known, edge: EdgeId) -> Option<()> {
        let program = self.domain.program;
        let step = ArgStep::Step(Step::Edge(edge));
        let children = self.children(node, step);
        match &program.edges[edge].operation {
            Operation::Skip | Operation::Check { .. } => {
                children.into_iter().for_each(|child| self.arrive(node, step, child, known.clone()));
            }
            Operation::Assume { condition } => {
                let truth = self.truth(state, *condition);
                match truth {
                    Truth::Yes if !children.is_empty() => self.decided(state, known, *condition, true),
                    Truth::No if children.is_empty() => self.decided(state, known, *condition, false),
                    Truth::Yes | Truth::No => return None,
                    Truth::Maybe(_) | Truth::MaybeIf(_) => self.open(state, known, *condition),
                }
                let registers = if truth == Truth::Yes { Arc::default() } else { self.registers(*condition) };
                for child in children {
                    let after = self.state(child)?;
                    // What the condition tells of a register is decided by what is pinned.
                    let learned = |variable: VarId| {
                        let is_known = |state: &ValueState| state.values.get(program, variable).is_known();
                        (is_known(after) && !is_known(state)).then_some((variable, Seen::There))
                    };
                    let what = registers.iter().filter_map(|&register| learned(register)).collect();
                    self.arrive(node, step, child, with(known, what));
                }
            }
            Operation::Assign { target, value } => {
                let term = self.resolve(state, known, *value);
                for child in children {
                    let what = self.written(state, known, *value, term, child, *target)?;
                    self.arrive(node, step, child, with(known, vec![what]));
                }
            }
            Operation::Call { callee, arguments, .. } => {
                let function = &program.functions[*callee];
                let found: Vec<_> = arguments.iter().map(|&argument| (argument, self.resolve(state, known, argument))).collect();
                for child in children {
                    let stale = function.locals.iter().filter(|&&local| look(known, local).is_some());
                    let mut what: Vec<(VarId, Seen)> = stale.map(|&local| (local, Seen::There)).collect();
                    for (&parameter, &(argument, term)) in function.parameters.iter().zip(&found) {
                        what.push(self.written(state, known, argument, term, child, parameter)?);
                    }
                    self.arrive(node, step, child, with(known, what));
                }
            }
            Operation::Unsupported { .. } => return None,
            operation => {
                for term in operation.terms() {
                    self.pin_operands(state, known, term);
                }
                let what: Vec<_> = operation.written_register().map(|register| (register, Seen::There)).into_iter().collect();
                children.into_iter().for_each(|child| self.arrive(node, step, child, with(known, what.clone())));
            }
        }
        Some(())
    }

    /// What a register holds after a term of the program was written to it; `resolved` is the term over the entry.
    fn written(
        &mut self,
        before: &ValueState,
        known: &Known,
        value: Term,
        resolved: Option<Term>,
        child: NodeId,
        target: VarId,
    ) -> Option<(VarId, Seen)> {
        let is_register = self.domain.program.variables[target].register_width().is_some();
        if let Some(term) = resolved.filter(|_| is_register) {
            return Some((target, Seen::Term(term)));
        }
        // Of what is unknown nothing is decided.
        if !is_register || self.state(child)?.values.get(self.domain.program, target) != Value::Unknown {
            self.pin_operands(before, known, value);
        }
        Some((target, Seen::There))
    }

    /// The successors behind an inner block, by its own rule.
    fn apply(&mut self, node: NodeId, state: &ValueState, known: &Known, inner: &KnownRule<ValueRule>) -> Option<()> {
        let rule = inner.rule.clone();
        for &variable in &rule.pinned {
            if let Some(seen) = self.seen(state, known, variable) {
                self.pin(seen);
            }
        }
        let mut memo = FastMap::default();
        for &(demand, truth) in &rule.all_demands {
            let term = self.resolve_with(state, known, demand, &mut memo)?;
            self.demand(term, truth);
        }
        let children: Vec<_> = self.graph.exploration.arg.children(node).collect();
        for (step, child) in children {
            let ArgStep::Block(number) = step else { return None };
            let (_, exit) = *self.graph.applications.get(number as usize)?;
            let exit = &rule.exits[inner.exits.iter().position(|&other| other == exit)?];
            let mut what: Vec<(VarId, Seen)> = exit.written.iter().map(|&variable| (variable, Seen::There)).collect();
            for &(variable, term) in &exit.computed {
                what.push((variable, Seen::Term(self.resolve_with(state, known, term, &mut memo)?)));
            }
            self.arrive(node, step, child, with(known, what));
        }
        Some(())
    }

    /// A state that another one covers must be covered by it for every entry that the rule speaks of.
    fn meet(&mut self, node: NodeId, known: &Known) -> Option<()> {
        let there = self.at[node.index()].clone()?;
        let state = self.state(node)?.clone();
        let mut variables: Vec<VarId> = everything(known).into_keys().chain(everything(&there).into_keys()).collect();
        variables.sort_unstable();
        variables.dedup();
        for variable in variables {
            if let (Some(here), Some(there)) = (self.seen(&state, known, variable), self.seen(&state, &there, variable))
                && here != there
            {
                self.pin(here);
                self.pin(there);
            }
        }
        Some(())
    }

    fn exit(&self, node: NodeId, state: &ValueState) -> Option<ExitRule> {
        let known = self.at[node.index()].clone()?;
        let (mut computed, mut written) = (Vec::new(), FastSet::default());
        for (variable, seen) in everything(&known) {
            if seen == Seen::Term(self.terms().symbol(variable.symbol())) {
                continue;
            }
            written.insert(variable);
            if let Some(term) = self.seen(state, &known, variable)
                && self.terms().as_constant(term).is_none()
            {
                computed.push((variable, term));
            }
        }
        computed.sort_unstable();
        Some(ExitRule { state: ValueState { model: None, ..state.clone() }, computed, written })
    }

    /// Puts together what was found. Demands on one register become bounds and gaps.
    fn rule(&mut self, exits: Vec<ExitRule>) -> ValueRule {
        let all_demands = std::mem::take(&mut self.demands);
        for &(demand, truth) in &all_demands {
            if let Some((variable, Op::Eq, ..)) = self.single(demand).filter(|_| truth) {
                self.pinned.insert(variable);
            }
        }
        let (mut single, mut demands): (FastMap<VarId, Single>, Vec<(Term, bool)>) = Default::default();
        for &(demand, truth) in &all_demands {
            if self.registers(demand).iter().all(|register| self.pinned.contains(register)) {
                continue;
            }
            let Some((variable, op, bits, first)) = self.single(demand) else {
                demands.push((demand, truth));
                continue;
            };
            single.entry(variable).or_insert_with(|| Single::new(bits.width())).add(op, bits, first, truth);
        }
        for single in single.values_mut() {
            single.not.sort_unstable();
            single.not.dedup();
        }
        ValueRule { entry: self.entry.clone(), pinned: std::mem::take(&mut self.pinned), single, demands, all_demands, exits }
    }

    /// A comparison of one register with a constant: whether the register comes first is told, too.
    fn single(&self, demand: Term) -> Option<(VarId, Op, Bits, bool)> {
        let node = self.terms().node(demand);
        if !matches!(node.op, Op::Eq | Op::UnsignedLess | Op::SignedLess) {
            return None;
        }
        let (a, b) = (node.operand(0), node.operand(1));
        let variable = |term: Term| {
            let node = self.terms().node(term);
            (node.op == Op::Symbol).then(|| self.domain.program.variable_of(node.symbol())).flatten()
        };
        match (variable(a), self.terms().as_constant(b), self.terms().as_constant(a), variable(b)) {
            (Some(variable), Some(bits), ..) => Some((variable, node.op, bits, true)),
            (_, _, Some(bits), Some(variable)) => Some((variable, node.op, bits, false)),
            _ => None,
        }
    }
}

impl Single {
    /// Takes in a comparison that must have this truth value. (Equations that hold pin the register.)
    fn add(&mut self, op: Op, bits: Bits, first: bool, truth: bool) {
        let (signed, unsigned) = (bits.signed(), bits.value());
        match (op, first == truth) {
            (Op::SignedLess, true) if truth => self.signed.1 = self.signed.1.min(signed.saturating_sub(1)),
            (Op::SignedLess, true) => self.signed.1 = self.signed.1.min(signed),
            (Op::SignedLess, false) if truth => self.signed.0 = self.signed.0.max(signed.saturating_add(1)),
            (Op::SignedLess, false) => self.signed.0 = self.signed.0.max(signed),
            (Op::UnsignedLess, true) if truth => self.unsigned.1 = self.unsigned.1.min(unsigned.saturating_sub(1)),
            (Op::UnsignedLess, true) => self.unsigned.1 = self.unsigned.1.min(unsigned),
            (Op::UnsignedLess, false) if truth => self.unsigned.0 = self.unsigned.0.max(unsigned.saturating_add(1)),
            (Op::UnsignedLess, false) => self.unsigned.0 = self.unsigned.0.max(unsigned),
            _ => self.not.push(unsigned),
        }
    }
}
