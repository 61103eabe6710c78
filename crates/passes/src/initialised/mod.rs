//! Puts the question of uninitialised reads on the automaton: a value that was never written must decide nothing.
//!
//! [`suspects`] finds out, without following paths, which registers may hold such a value where they are read; in most
//! programs there are none, and nothing changes. Each of the others gets a *shadow*, a register of one bit that says
//! whether it was written. The shadow goes the path of the value: a copy of an unwritten value is unwritten, and
//! copying is no defect. Before a value decides something (a branch, an address, the operands of a check, an argument,
//! what is printed) a test of the shadow leads to a target. What was written of memory is known to the analyses
//! (`MemoryCondition::Initialised`); a store of an unwritten value is followed by a note that these bytes count as
//! unwritten.

mod suspects;

use assay_base::{FastMap, IdVec, Span};
use assay_cfa::CType;
use assay_cfa::builder::Builder;
use assay_cfa::operation::{CheckKind, MemoryCondition, Operation, ValueSource, ValueSourceKind};
use assay_cfa::program::{EdgeId, FunctionId, LocationId, Origin, Program, Role, Scope, SourceId, Storage, VarId};
use assay_cfa::property::Target;
use assay_term::{Op, Term};
use suspects::Suspects;

/// Adds shadows and tests.
pub(super) fn instrument(program: Program) -> Program {
    let suspects = suspects::find(&program);
    if suspects.is_empty() {
        return program;
    }
    let mut pass = Pass {
        builder: Builder::of(&program),
        program: &program,
        suspects: &suspects,
        shadows: IdVec::filled(None, program.variables.len()),
        unwritten: None,
        targets: FastMap::default(),
    };
    pass.make_shadows();
    for location in program.locations.ids() {
        pass.location(location);
    }
    for function in program.functions.ids() {
        pass.entry(function);
    }
    pass.builder.finish(program.entry)
}

struct Pass<'a> {
    builder: Builder,
    program: &'a Program,
    suspects: &'a Suspects,
    /// Whether a register holds a value that was written.
    shadows: IdVec<VarId, Option<VarId>>,
    /// Where bytes that count as unwritten come from.
    unwritten: Option<SourceId>,
    targets: FastMap<FunctionId, LocationId>,
}

impl Pass<'_> {
    fn make_shadows(&mut self) {
        for (id, variable) in self.program.variables.iter_ids() {
            if !self.suspects.needs_shadow(id) {
                continue;
            }
            // The result is looked at when the function has returned.
            let scope = if variable.role == Role::Result { Scope::Global } else { variable.scope };
            let shadow = self.builder.variable("", scope, Role::Temporary, Storage::Register { width: 1 }, CType::Bool, variable.span);
            if scope == Scope::Global {
                let written = self.builder.terms.true_();
                self.builder.variables[shadow].initial = vec![(0, written)];
            }
            self.shadows[id] = Some(shadow);
        }
    }

    /// Whether a value was written, as a condition: it was if all that it is computed from was, but where one operand
    /// decides alone (`0 && x`, the side of a choice that is not taken) the other does not count.
    fn all_written(&self, at: LocationId, value: Term) -> Term {
        let terms = &self.builder.terms;
        let suspects = self.suspects.among(self.program, terms, at, value);
        if suspects.is_empty() {
            return terms.true_();
        }
        let mut order = vec![];
        terms.post_order([value], |term, node| order.push((term, *node)));
        let mut written: FastMap<Term, Term> = FastMap::default();
        for (term, node) in order {
            let of = |i: usize| written[&node.operand(i)];
            let condition = match node.op {
                Op::Symbol => {
                    let register = self.program.variable_of(node.symbol()).filter(|register| suspects.contains(register));
                    register.and_then(|register| self.shadows[register]).map_or(terms.true_(), |shadow| self.builder.read(shadow))
                }
                Op::And | Op::Or if node.width() == 1 => {
                    let decides = |i: usize| {
                        let operand = node.operand(i);
                        terms.and(of(i), if node.op == Op::And { terms.not(operand) } else { operand })
                    };
                    terms.or(terms.and(of(0), of(1)), terms.or(decides(0), decides(1)))
                }
                Op::Ite => terms.and(of(0), terms.ite(node.operand(0), of(1), of(2))),
                _ => terms.and_all(terms.children(&node).iter().map(|operand| written[operand])),
            };
            written.insert(term, condition);
        }
        written[&value]
    }

    /// The tests before whatever happens at a location, and the shadows after it.
    fn location(&mut self, at: LocationId) {
        let outgoing = self.program.locations[at].outgoing.clone();
        let mut tests: Vec<(Term, Term, EdgeId)> = vec![];
        for &edge in &outgoing {
            for value in uses(self.program, edge) {
                let written = self.all_written(at, value);
                if !self.builder.terms.is_true(written) && !tests.iter().any(|&(_, other, _)| other == written) {
                    tests.push((value, written, edge));
                }
            }
        }
        let mut first = at;
        for (value, written, edge) in tests {
            first = self.test(first, value, written, edge);
        }
        for edge in outgoing {
            self.follow(edge, first);
        }
    }

    /// A test whether a value was written; gives where the program goes on.
    fn test(&mut self, at: LocationId, value: Term, written: Term, edge: EdgeId) -> LocationId {
        let function = self.program.locations[self.program.edges[edge].source].function;
        let span = self.program.edges[edge].span;
        let violated = match self.targets.get(&function) {
            Some(&known) => known,
            None => {
                let made = self.builder.target(function, Target::UninitialisedRead);
                self.targets.insert(function, made);
                made
            }
        };
        let next = self.builder.location(function);
        let unwritten = self.builder.terms.not(written);
        let origin = Origin::Use { value };
        self.builder.edge(at, next, Operation::Assume { condition: written }, span, origin);
        self.builder.edge(at, violated, Operation::Assume { condition: unwritten }, span, origin);
        next
    }

    /// Takes an edge from its new source on, with what has to be known before and after it.
    fn follow(&mut self, id: EdgeId, source: LocationId) {
        let at = self.program.edges[id].source;
        let function = self.program.locations[at].function;
        let operation = self.program.edges[id].operation.clone();
        let written = operation.written_register().and_then(|register| Some((register, self.shadows[register]?)));
        let mut before = source;
        let mut after = vec![];
        match (&operation, written) {
            (Operation::Load { address, .. }, Some((register, shadow))) if self.suspects.is_suspect_load(id) => {
                before = self.builder.location(function);
                let width = self.program.variables[register].register_width().unwrap_or(8);
                let size = self.builder.terms.number(self.program.model.pointer_width(), u128::from(width / 8));
                for holds in [true, false] {
                    let condition = MemoryCondition::Initialised { address: *address, size };
                    let middle = self.builder.location(function);
                    self.internal(source, middle, Operation::AssumeMemory { condition, holds }, id);
                    let value = self.bit(holds);
                    self.internal(middle, before, Operation::Assign { target: shadow, value }, id);
                }
            }
            (Operation::Assign { value, .. }, Some((_, shadow))) => {
                let value = self.all_written(at, *value);
                after.push(Operation::Assign { target: shadow, value });
            }
            (Operation::Havoc { source, .. }, Some((_, shadow))) => {
                let value = self.bit(self.program.value_sources[*source].kind != ValueSourceKind::Uninitialised);
                after.push(Operation::Assign { target: shadow, value });
            }
            (Operation::Call { callee, .. }, Some((_, shadow))) => {
                let of_result = self.program.functions[*callee].result.and_then(|result| self.shadows[result]);
                let value = of_result.map_or_else(|| self.bit(true), |result| self.builder.read(result));
                after.push(Operation::Assign { target: shadow, value });
            }
            (_, Some((_, shadow))) => {
                let value = self.bit(true);
                after.push(Operation::Assign { target: shadow, value });
            }
            _ => {}
        }
        if before != at {
            self.move_source(id, before);
        }
        let store = match operation {
            Operation::Store { address, value } => {
                let condition = self.all_written(at, value);
                (!self.builder.terms.is_true(condition)).then_some((address, value, condition))
            }
            _ => None,
        };
        if after.is_empty() && store.is_none() && !written.is_some_and(|(register, _)| self.suspects.is_given(register)) {
            return;
        }
        let end = self.program.edges[id].target;
        let mut place = self.builder.location(function);
        self.move_target(id, place);
        // What the first function returns is given to the system.
        let given = written.filter(|(register, _)| self.suspects.is_given(*register));
        for operation in after {
            let next = if given.is_some() { self.builder.location(function) } else { end };
            self.internal(place, next, operation, id);
            place = next;
        }
        if let Some((register, shadow)) = given {
            let (value, written) = (self.builder.read(register), self.builder.read(shadow));
            let next = self.test(place, value, written, id);
            self.internal(next, end, Operation::Skip, id);
        }
        if let Some((address, value, condition)) = store {
            self.internal(place, end, Operation::Assume { condition }, id);
            let unwritten = self.builder.terms.not(condition);
            let middle = self.builder.location(function);
            self.internal(place, middle, Operation::Assume { condition: unwritten }, id);
            place = middle;
            let bytes = self.builder.terms.width(value) / 8;
            let size = self.builder.terms.number(self.program.model.pointer_width(), u128::from(bytes));
            let source = self.unwritten_source();
            self.internal(place, end, Operation::HavocMemory { address, size, source }, id);
        }
    }

    fn bit(&self, value: bool) -> Term {
        if value { self.builder.terms.true_() } else { self.builder.terms.false_() }
    }

    fn unwritten_source(&mut self) -> SourceId {
        let builder = &mut self.builder;
        let new = || ValueSource { kind: ValueSourceKind::Unwritten, name: "a value that was never written".into(), span: Span::NONE };
        *self.unwritten.get_or_insert_with(|| builder.value_source(new()))
    }

    fn internal(&mut self, source: LocationId, target: LocationId, operation: Operation, like: EdgeId) {
        let span = self.program.edges[like].span;
        self.builder.edge(source, target, operation, span, Origin::Internal);
    }

    fn move_source(&mut self, edge: EdgeId, to: LocationId) {
        let old = self.builder.edges[edge].source;
        self.builder.locations[old].outgoing.retain(|&other| other != edge);
        self.builder.locations[to].outgoing.push(edge);
        self.builder.edges[edge].source = to;
    }

    fn move_target(&mut self, edge: EdgeId, to: LocationId) {
        let old = self.builder.edges[edge].target;
        self.builder.locations[old].incoming.retain(|&other| other != edge);
        self.builder.locations[to].incoming.push(edge);
        self.builder.edges[edge].target = to;
    }

    /// Where a jump may pass a declaration, the variable is unwritten from the start of its function.
    fn entry(&mut self, function: FunctionId) {
        let locals = self.program.functions[function].locals.clone();
        let span = self.program.functions[function].span;
        for register in locals {
            let variable = &self.program.variables[register];
            let Some(shadow) = self.shadows[register].filter(|_| self.suspects.may_be_passed(register)) else { continue };
            let (name, declared) = (variable.source_name.clone(), variable.span);
            let source = self.builder.value_source(ValueSource { kind: ValueSourceKind::Uninitialised, name, span: declared });
            let value = self.bit(false);
            for operation in [Operation::Assign { target: shadow, value }, Operation::Havoc { target: register, source }] {
                let old = self.builder.functions[function].entry;
                let new = self.builder.location(function);
                self.builder.edge(new, old, operation, span, Origin::Internal);
                self.builder.functions[function].entry = new;
            }
        }
    }
}

/// The values by which an edge decides something, gives them away, or goes somewhere.
fn uses(program: &Program, edge: EdgeId) -> Vec<Term> {
    let edge = &program.edges[edge];
    match (&edge.operation, edge.origin) {
        (Operation::Check { .. }, Origin::Operation { left, right, .. }) => vec![left, right],
        (Operation::Check { kind: CheckKind::Given, .. }, Origin::Use { value }) => vec![value],
        (Operation::Assign { .. }, _) => vec![],
        (Operation::Store { address, .. }, _) => vec![*address],
        (operation, _) => operation.terms(),
    }
}
