//! `setjmp` and `longjmp`. Each call of `setjmp` gets a number, which it writes into its buffer and keeps in a register
//! of its frame. `longjmp` puts the number of its buffer into a register of the program and leaves its function; behind
//! every call that may jump, a function looks whether the number is one of its own, goes on behind that `setjmp`, or
//! leaves as well. A frame that is gone has no such register: the jump comes to the start, and is not supported.

use super::Lowering;
use super::body::{Body, Jump, Value};
use super::facts::Global;
use super::graph::CallGraph;
use assay_base::{FastSet, Span};
use assay_cfa::{CType, FunctionId, LocationId, Operation, Origin, Role, Scope, Storage, VarId};
use assay_term::Term;
use rucc_sema::ExprId;

/// What jumps need, in a program that has some.
pub(crate) struct Jumping {
    /// The last number that was given.
    counter: VarId,
    /// The number of the place that a jump leads to, or zero.
    target: VarId,
    /// What `setjmp` then returns.
    value: VarId,
    /// The functions that may be left by a jump.
    functions: FastSet<Global>,
}

/// A `setjmp` of the function.
#[derive(Clone, Copy)]
pub(crate) struct ReturnPlace {
    expr: ExprId,
    /// The number that it has given last.
    number: VarId,
    /// Where jumps lead, among the labels of the function.
    label: usize,
}

/// The width of a value that `longjmp` hands over.
const VALUE: u32 = 32;
/// Labels that no program has.
const FIRST_LABEL: usize = usize::MAX / 2;

impl Lowering<'_> {
    /// Gets ready for jumps if the program has any.
    pub(super) fn follow_jumps(&mut self, graph: &CallGraph) {
        let jumping: FastSet<Global> = graph.callees.iter().filter(|(_, own)| own.jumps).map(|(&global, _)| global).collect();
        if jumping.is_empty() && graph.callees.values().all(|own| own.places.is_empty()) {
            return;
        }
        let functions = self.callers(graph, jumping);
        let width = self.pointer_width();
        let mut register = |width: u32| {
            let ctype = CType::Integer { width, signed: false, name: "unsigned int" };
            self.builder.variable("", Scope::Global, Role::Temporary, Storage::Register { width }, ctype, Span::NONE)
        };
        self.jumping = Some(Jumping { counter: register(width), target: register(width), value: register(VALUE), functions });
    }

    /// Whether a call of the function may end in a jump.
    pub(super) fn may_jump(&self, index: usize) -> bool {
        self.jumping.as_ref().is_some_and(|jumping| jumping.functions.contains(&self.functions[index].global))
    }

    /// Behind a call before `main`: a jump that comes here leads nowhere.
    pub(super) fn jump_is_lost(&mut self, start: FunctionId, at: LocationId, index: usize) -> LocationId {
        let Some(target) = self.jumping.as_ref().map(|jumping| jumping.target).filter(|_| self.may_jump(index)) else { return at };
        let none = self.builder.terms.number(self.pointer_width(), 0);
        let target = self.builder.read(target);
        let (lost, next, end) = (self.builder.location(start), self.builder.location(start), self.builder.location(start));
        let (jumps, returns) = (self.builder.terms.ne(target, none), self.builder.terms.eq(target, none));
        self.builder.edge(at, lost, Operation::Assume { condition: jumps }, Span::NONE, Origin::Internal);
        self.builder.edge(at, next, Operation::Assume { condition: returns }, Span::NONE, Origin::Internal);
        let what = "longjmp to a function that has returned".to_string();
        self.builder.edge(lost, end, Operation::Unsupported { what }, Span::NONE, Origin::Internal);
        next
    }
}

impl Body<'_, '_> {
    /// Makes a register for each `setjmp` of the function.
    pub(super) fn find_return_places(&mut self, graph: &CallGraph, function: Global) {
        let Some(own) = graph.callees.get(&function) else { return };
        for (place, &expr) in own.places.iter().enumerate() {
            let width = self.pointer_width();
            let ctype = CType::Integer { width, signed: false, name: "unsigned int" };
            let number = self.l.builder.temporary(self.function, width, ctype, self.span);
            let zero = self.word(0);
            self.assign(number, zero);
            self.return_places.push(ReturnPlace { expr, number, label: FIRST_LABEL + place });
        }
    }

    pub(super) fn is_return_place(&self, expr: ExprId) -> bool {
        self.return_places.iter().any(|place| place.expr == expr)
    }

    /// A call of `setjmp`: zero, or what a jump to here hands over.
    pub(super) fn remember_place(&mut self, expr: ExprId, buffer: Term, width: u32) -> Value {
        let place = self.return_places.iter().find(|place| place.expr == expr).copied();
        let (Some(place), Some(jumping)) = (place, &self.l.jumping) else {
            return self.unsupported_value("setjmp in this place", super::Class::Int { width, signed: true });
        };
        let (counter, target, value) = (jumping.counter, jumping.target, jumping.value);
        let next = self.terms().add(self.read(counter), self.word(1));
        self.assign(counter, next);
        let number = self.read(counter);
        self.store(buffer, number);
        let number = self.read(counter);
        self.assign(place.number, number);
        let result = self.temporary(VALUE, CType::Integer { width: VALUE, signed: true, name: "int" });
        let zero = self.terms().number(VALUE, 0);
        self.assign(result, zero);
        let first = std::mem::take(&mut self.ends);
        let location = self.label_location(place.label);
        self.label_scopes.insert(place.label, self.scopes.clone());
        self.go_on_at(location);
        let handed = self.read(value);
        self.assign(result, handed);
        let none = self.word(0);
        self.assign(target, none);
        self.ends.extend(first);
        let result = self.read(result);
        Value::Scalar(self.terms().resize(result, width, true))
    }

    /// A call of `longjmp`.
    pub(super) fn jump_back(&mut self, buffer: Term, handed: Option<Term>) {
        let Some(jumping) = &self.l.jumping else { return self.unsupported("longjmp in this place") };
        let (target, value) = (jumping.target, jumping.value);
        let width = self.pointer_width();
        let number = self.load(buffer, width, CType::Integer { width, signed: false, name: "unsigned int" });
        let one = self.terms().number(VALUE, 1);
        let handed = match handed {
            Some(handed) => {
                let handed = self.terms().resize(handed, VALUE, true);
                let zero = self.terms().eq(handed, self.terms().number(VALUE, 0));
                self.terms().ite(zero, one, handed)
            }
            None => one,
        };
        let unset = self.terms().eq(number, self.word(0));
        let (unset, set) = self.split(unset, None);
        self.ends = unset;
        self.unsupported("longjmp with a buffer that no setjmp has filled");
        self.halt();
        self.ends = set;
        self.assign(value, handed);
        self.assign(target, number);
        self.go_where_jump_leads();
    }

    /// Behind a call: goes where a jump leads, if one was made.
    pub(super) fn catch_jump(&mut self, index: usize) {
        let Some(target) = self.l.jumping.as_ref().map(|jumping| jumping.target).filter(|_| self.l.may_jump(index)) else { return };
        let none = self.word(0);
        let jumps = self.terms().ne(self.read(target), none);
        let (jumping, going_on) = self.split(jumps, None);
        self.ends = jumping;
        self.go_where_jump_leads();
        self.ends = going_on;
    }

    /// To the `setjmp` of this frame that has the number, or out of the function.
    fn go_where_jump_leads(&mut self) {
        let Some(target) = self.l.jumping.as_ref().map(|jumping| jumping.target) else { return };
        for place in self.return_places.clone() {
            let here = self.terms().eq(self.read(target), self.read(place.number));
            let (found, rest) = self.split(here, None);
            let statement = self.statement.take();
            self.jumps.push(Jump {
                ends: found,
                label: place.label,
                open: self.scopes.clone(),
                span: self.span,
                statement,
                cleanups: None,
            });
            self.ends = rest;
        }
        let exit = self.l.builder.functions[self.function].exit;
        self.lead_to(exit);
    }
}
