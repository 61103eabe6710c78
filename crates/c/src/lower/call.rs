//! Calls: of functions with a body, of models, of functions nobody knows, and through pointers.

use super::body::{Body, Ends, Value, Wanted};
use super::condition::EFFECTS;
use super::facts::direct_callee;
use super::{Class, Entity, Signature};
use crate::models::Model;
use assay_base::Span;
use assay_cfa::{CType, CheckKind, MarkKind, Operation, Origin, ThreadOperation, ValueSourceKind, VarId};
use assay_term::Term;
use rucc_sema::{DeclFlags, ExprId, ExprList};
use rucc_types::{TypeId, TypeKind};

/// An argument that has been evaluated.
#[derive(Clone, Copy)]
pub(crate) struct Argument {
    pub value: Value,
    pub class: Class,
    pub ty: TypeId,
    /// The expression it came from, where a model looks at it.
    pub expr: Option<ExprId>,
}

/// A call of which everything is there but the call itself.
pub(crate) struct PreparedCall {
    expr: ExprId,
    callee: ExprId,
    direct: Option<usize>,
    pointer: Option<Term>,
    arguments: Vec<Argument>,
    wanted: Wanted,
    pointee: Option<TypeId>,
}

/// The bytes that one variable argument takes in the hidden list.
const SLOT: u64 = 16;

/// Where more functions have their address taken, a pointer that leads to none of them is only undefined.
const MOST_COMPARED: usize = 256;

impl Body<'_, '_> {
    /// A call; a result that fits goes directly to `target`.
    pub(super) fn call(&mut self, expr: ExprId, callee: ExprId, args: ExprList, target: Option<VarId>) -> Value {
        let call = self.prepare_call(expr, callee, args);
        self.finish_call(call, target)
    }

    /// Evaluates who is called, and the arguments.
    pub(super) fn prepare_call(&mut self, expr: ExprId, callee: ExprId, args: ExprList) -> PreparedCall {
        let args = self.unit.tast[args].to_vec();
        let wanted = std::mem::take(&mut self.wanted);
        let pointee = self.pointee.take();
        let mut pointer = None;
        let direct = direct_callee(self.unit, callee).and_then(|id| match self.l.entity(self.unit_index, id) {
            Some(Entity::Function(index)) => Some(index),
            _ => None,
        });
        if direct.is_none() {
            let mut address = self.scalar(callee);
            if args.iter().any(|&a| self.purity(a) == EFFECTS) {
                address = self.snapshot(address);
            }
            pointer = Some(address);
        }
        let arguments = self.arguments(&args);
        // A call of a weak function that is nowhere is one through a null pointer.
        if let Some(index) = direct {
            let global = self.l.functions[index].global;
            if self.l.is_absent(global.unit, global.id()) {
                return PreparedCall { expr, callee, direct: None, pointer: Some(self.word(0)), arguments, wanted, pointee };
            }
        }
        PreparedCall { expr, callee, direct, pointer, arguments, wanted, pointee }
    }

    /// Keeps what has been evaluated of a call as it is, because something else comes before the call.
    pub(super) fn keep_arguments(&mut self, call: &mut PreparedCall) {
        call.pointer = call.pointer.map(|pointer| self.snapshot(pointer));
        for argument in &mut call.arguments {
            argument.value = self.kept(argument.value);
        }
    }

    /// A number as it is now; of an object, where it is: what it holds is copied when the call is made.
    fn kept(&mut self, value: Value) -> Value {
        match value {
            Value::Scalar(term) => Value::Scalar(self.snapshot(term)),
            Value::Aggregate(address) => Value::Aggregate(self.snapshot(address)),
            Value::Void => Value::Void,
        }
    }

    /// What an object holds now, in an object of its own.
    fn copied(&mut self, value: Value, ty: TypeId) -> Value {
        let Value::Aggregate(source) = value else { return value };
        let object = self.temporary_object(ty);
        let to = self.l.builder.address_of(object);
        self.copy(to, source, self.unit.size_of(ty).unwrap_or(0));
        Value::Aggregate(to)
    }

    pub(super) fn finish_call(&mut self, call: PreparedCall, target: Option<VarId>) -> Value {
        let PreparedCall { expr, callee, direct, pointer, arguments, wanted, pointee } = call;
        let place = self.unit.tast.expr_span(expr);
        let close = self.unit.span(rucc_diag::Span::new(place.hi.saturating_sub(1), place.hi));
        let ty = self.unit.tast[expr].ty;
        self.set_span(expr);
        if self.is_return_place(expr) {
            let buffer = self.word_argument(&arguments, 0);
            let width = self.unit.class(ty).width(self.pointer_width()).unwrap_or(32);
            return self.remember_place(expr, buffer, width);
        }
        match (direct, pointer) {
            (Some(index), _) => {
                self.pointee = pointee;
                let value = self.direct_call(index, arguments, ty, target, close, wanted);
                self.pointee = None;
                value
            }
            (None, pointer) => {
                let pointer = pointer.unwrap_or_else(|| self.word(0));
                self.indirect_call(callee, pointer, arguments, ty, close)
            }
        }
    }

    /// Evaluates arguments, the last first.
    fn arguments(&mut self, args: &[ExprId]) -> Vec<Argument> {
        if args.iter().any(|&arg| self.purity(arg) == EFFECTS) {
            self.watch_order(args);
        }
        self.note_order(args);
        let mut values = Vec::with_capacity(args.len());
        for (index, &arg) in args.iter().enumerate().rev() {
            let mut value = self.value(arg);
            let ty = self.unit.tast[arg].ty;
            if args[..index].iter().any(|&other| self.purity(other) == EFFECTS) {
                value = if self.unit.has_parts(ty) { self.copied(value, ty) } else { self.kept(value) };
            }
            values.push(Argument { value, class: self.unit.class(ty), ty, expr: Some(arg) });
        }
        values.reverse();
        values
    }

    pub(super) fn direct_call(
        &mut self,
        index: usize,
        arguments: Vec<Argument>,
        ty: TypeId,
        target: Option<VarId>,
        close: Span,
        wanted: Wanted,
    ) -> Value {
        let value = self.call_by_name(index, arguments, ty, target, close, wanted);
        if self.may_set_errno(index) {
            let name = self.l.functions[index].name.clone();
            self.any_errno(&name);
        }
        value
    }

    fn call_by_name(
        &mut self,
        index: usize,
        arguments: Vec<Argument>,
        ty: TypeId,
        target: Option<VarId>,
        close: Span,
        wanted: Wanted,
    ) -> Value {
        let name = self.l.functions[index].name.clone();
        let class = self.unit.class(ty);
        if self.l.functions[index].has_body {
            return self.defined_call(index, &name, &arguments, ty, target, close, wanted);
        }
        self.mark(MarkKind::Call, &name, Origin::Call { close });
        self.give(&arguments);
        if let Some(shape) = self.l.library_shape(index) {
            self.demands(shape, &arguments);
        }
        if let Some(model) = self.l.model(index) {
            return self.model_call(&model, &name, &arguments, ty, target, wanted);
        }
        let global = self.l.functions[index].global;
        if self.l.is_declared_inside(global) {
            self.unsupported("a function inside of a function that is called before its definition");
            return self.zero(class);
        }
        if self.l.units[global.unit].tast[global.id()].flags.contains(DeclFlags::NORETURN) {
            self.halt();
            return self.zero(class);
        }
        // Only the compiler knows what it does.
        if name.starts_with("__builtin_") {
            self.unsupported(format!("{name}, an operator of the machine"));
            return self.unknown_result(ty, target, ValueSourceKind::Approximation, &name);
        }
        self.l.note_external(&name, self.span);
        self.external_effects(&name, &arguments);
        // What a function returns that nobody declared is called an integer, whatever it is: nobody may choose it.
        let undeclared = self.l.facts.undeclared.contains(&global);
        let kind = if undeclared { ValueSourceKind::Approximation } else { ValueSourceKind::External };
        self.unknown_result(ty, target, kind, &name)
    }

    /// A call of a function with a body: the program's, or a model in C. A format that the model does not know is left
    /// to the contract.
    #[allow(clippy::too_many_arguments)]
    fn defined_call(
        &mut self,
        index: usize,
        name: &str,
        arguments: &[Argument],
        ty: TypeId,
        target: Option<VarId>,
        close: Span,
        wanted: Wanted,
    ) -> Value {
        let entry = self.l.units[self.l.functions[index].global.unit].is_library.then(|| self.l.library.entry(name)).flatten();
        if let Some(entry) = &entry {
            self.demands(entry.shape, arguments);
        }
        if let Some(model @ Model::Formatted(format)) = entry.as_ref().and_then(|entry| entry.model.as_ref())
            && !self.is_computed(format, arguments)
        {
            self.give(arguments);
            return self.model_call(model, name, arguments, ty, target, wanted);
        }
        // Functions of such a name run without others coming between.
        let atomic = self.l.library.has_threads() && name.starts_with("__VERIFIER_atomic_");
        if atomic {
            self.emit(Operation::Thread(ThreadOperation::AtomicBegin));
        }
        let value = self.known_call(index, arguments, ty, target, close);
        if atomic {
            self.emit(Operation::Thread(ThreadOperation::AtomicEnd));
        }
        match (value, entry) {
            (Value::Scalar(value), Some(entry)) if entry.truth => Value::Scalar(self.any_truth(value, wanted, name)),
            (Value::Scalar(value), Some(entry)) if entry.sign => Value::Scalar(self.any_size(value, wanted, name)),
            _ => value,
        }
    }

    /// Arguments of a function without a body are looked at by somebody: they must have been written.
    fn give(&mut self, arguments: &[Argument]) {
        for argument in arguments {
            if let Value::Scalar(value) = argument.value
                && !self.terms().free_symbols(value).is_empty()
            {
                let fails = self.terms().false_();
                self.emit_as(Operation::Check { kind: CheckKind::Given, fails }, Origin::Use { value });
            }
        }
    }

    /// Ends the program here.
    pub(super) fn halt(&mut self) {
        self.emit(Operation::Skip);
        if !self.is_dead() {
            let end = self.fresh_location();
            self.lead_to(end);
        }
    }

    /// Any value of the type, as the result of something.
    pub(super) fn unknown_result(&mut self, ty: TypeId, target: Option<VarId>, kind: ValueSourceKind, name: &str) -> Value {
        let class = self.unit.class(ty);
        let kind = if kind == ValueSourceKind::External { self.l.foreign(&self.unit.ctype(ty)) } else { kind };
        if class == Class::Aggregate {
            let object = self.temporary_object(ty);
            let address = self.l.builder.address_of(object);
            let size = self.word(self.unit.size_of(ty).unwrap_or(0));
            let source = self.source(kind, name);
            self.emit(Operation::HavocMemory { address, size, source });
            return Value::Aggregate(address);
        }
        let Some(width) = class.width(self.pointer_width()) else { return Value::Void };
        if class == Class::Bool {
            let bit = self.unknown(1, CType::Bool, kind, name);
            return Value::Scalar(self.number_of(bit, 8));
        }
        let source = self.source(kind, name);
        let register = self.result_register(target, width, ty);
        self.emit(Operation::Havoc { target: register, source });
        Value::Scalar(self.read(register))
    }

    fn result_register(&mut self, target: Option<VarId>, width: u32, ty: TypeId) -> VarId {
        match target {
            Some(target) if self.l.builder.variables[target].register_width() == Some(width) => target,
            _ => {
                let ctype = self.unit.ctype(ty);
                self.temporary(width, ctype)
            }
        }
    }

    /// A call of a function on the automaton.
    pub(super) fn known_call(&mut self, index: usize, arguments: &[Argument], ty: TypeId, target: Option<VarId>, close: Span) -> Value {
        let Some(callee) = self.l.functions[index].id else { return self.zero(self.unit.class(ty)) };
        let signature = self.l.functions[index].signature.clone();
        let class = self.unit.class(ty);
        let pointer_width = self.pointer_width();
        let mut terms = Vec::with_capacity(arguments.len() + 2);
        let mut object = None;
        if signature.result == Class::Aggregate {
            let place = if class == Class::Aggregate { self.temporary_object(ty) } else { self.object(256, 16, CType::Void) };
            object = Some(place);
            terms.push(self.l.builder.address_of(place));
        }
        for (number, &parameter) in signature.parameters.iter().enumerate() {
            let term = match arguments.get(number) {
                Some(argument) => self.pass(argument, parameter),
                None => self.approximation(parameter.width(pointer_width).unwrap_or(pointer_width), "a missing argument"),
            };
            terms.push(term);
        }
        if signature.variadic {
            let rest = arguments.get(signature.parameters.len()..).unwrap_or_default();
            terms.push(self.pack(rest));
        } else if !signature.known {
            for argument in arguments.iter().skip(signature.parameters.len()) {
                terms.push(self.pass(argument, argument.class));
            }
        }
        let result = signature.result.width(pointer_width).map(|width| {
            let fits = if signature.result == class { target } else { None };
            self.result_register(fits, width, ty)
        });
        self.hand_variables_on(index);
        self.statement = None;
        let result_used = if class == Class::Void { None } else { result };
        self.emit_as(Operation::Call { callee, arguments: terms, result: result_used }, Origin::Call { close });
        self.catch_jump(index);
        match (object, result) {
            (Some(object), _) => Value::Aggregate(self.l.builder.address_of(object)),
            (None, Some(register)) if class.is_scalar() => {
                let value = self.read(register);
                Value::Scalar(self.convert(value, signature.result, class))
            }
            _ if class.is_scalar() => self.unknown_result(ty, None, ValueSourceKind::Approximation, "the result of a function without one"),
            _ => Value::Void,
        }
    }

    /// An argument as the parameter's type has it.
    fn pass(&mut self, argument: &Argument, parameter: Class) -> Term {
        let width = parameter.width(self.pointer_width()).unwrap_or(self.pointer_width());
        match argument.value {
            Value::Aggregate(address) => self.terms().resize(address, width, false),
            Value::Scalar(value) if parameter.is_scalar() => self.convert(value, argument.class, parameter),
            Value::Scalar(value) => self.terms().resize(value, width, false),
            Value::Void => self.terms().number(width, 0),
        }
    }

    /// The hidden list of variable arguments: one slot each, aggregates by address.
    fn pack(&mut self, arguments: &[Argument]) -> Term {
        if arguments.is_empty() {
            return self.word(0);
        }
        let object = self.object(SLOT * arguments.len() as u64, 16, CType::Void);
        let address = self.l.builder.address_of(object);
        for (number, argument) in arguments.iter().enumerate() {
            let slot = self.offset(address, SLOT * number as u64);
            match argument.value {
                Value::Scalar(value) => self.store(slot, value),
                Value::Aggregate(source) => {
                    // The callee may read it after the caller's object has changed.
                    let copy = self.temporary_object(argument.ty);
                    let to = self.l.builder.address_of(copy);
                    let size = self.unit.size_of(argument.ty).unwrap_or(0);
                    self.copy(to, source, size);
                    self.store(slot, to);
                }
                Value::Void => {}
            }
        }
        address
    }

    /// Reads the next variable argument; `list` is the address of the `va_list`.
    pub(super) fn next_argument(&mut self, list: Term, ty: TypeId) -> Value {
        let width = self.pointer_width();
        let slot = self.load(list, width, CType::Pointer);
        let step = self.word(SLOT);
        let next = self.terms().add(slot, step);
        self.store(list, next);
        match self.unit.class(ty) {
            Class::Aggregate => Value::Aggregate(self.load(slot, width, CType::Pointer)),
            class => match class.width(width) {
                Some(bits) => {
                    let ctype = self.unit.ctype(ty);
                    Value::Scalar(self.load(slot, bits, ctype))
                }
                None => Value::Void,
            },
        }
    }

    fn indirect_call(&mut self, callee: ExprId, pointer: Term, arguments: Vec<Argument>, ty: TypeId, close: Span) -> Value {
        let class = self.unit.class(ty);
        let (candidates, refused) = self.candidates(callee, &arguments, class);
        let pointer = self.snapshot(pointer);
        let object = (class == Class::Aggregate).then(|| self.temporary_object(ty));
        let register = class.width(self.pointer_width()).map(|width| {
            let ctype = self.unit.ctype(ty);
            self.temporary(width, ctype)
        });
        let mut after: Ends = Vec::new();
        for (index, exact) in candidates {
            let address = self.function_address(index);
            let condition = self.terms().eq(pointer, address);
            let (yes, no) = self.split(condition, None);
            self.ends = yes;
            if !self.l.functions[index].has_body && !self.fits(index, &arguments, class) {
                // Nobody knows what the machine does with such a call of a function that is not here.
                let name = self.l.functions[index].name.clone();
                self.unsupported(format!("a call of {name} through a pointer of another type"));
                after.append(&mut self.ends);
                self.ends = no;
                continue;
            }
            let arguments = if exact { arguments.clone() } else { self.adapted(index, &arguments) };
            let value = self.direct_call(index, arguments, ty, register, close, Wanted::Value);
            match (value, register, object) {
                (Value::Scalar(value), Some(register), _) if value != self.read(register) => self.assign(register, value),
                (Value::Aggregate(source), _, Some(object)) => {
                    let to = self.l.builder.address_of(object);
                    let size = self.unit.size_of(ty).unwrap_or(0);
                    self.copy(to, source, size);
                }
                _ => {}
            }
            after.append(&mut self.ends);
            self.ends = no;
        }
        for index in refused {
            let address = self.function_address(index);
            let condition = self.terms().eq(pointer, address);
            let (yes, no) = self.split(condition, None);
            self.ends = yes;
            let name = self.l.functions[index].name.clone();
            self.unsupported(format!("a call of {name} through a pointer of another type"));
            after.append(&mut self.ends);
            self.ends = no;
        }
        self.no_function(pointer);
        if let Some(register) = register {
            let source = self.source(ValueSourceKind::Approximation, "a call of an unknown function");
            self.emit(Operation::Havoc { target: register, source });
        }
        self.ends.append(&mut after);
        match (register, object) {
            (_, Some(object)) => Value::Aggregate(self.l.builder.address_of(object)),
            (Some(register), _) => Value::Scalar(self.read(register)),
            _ => Value::Void,
        }
    }

    /// Whether a call passes and takes values of the widths that the function's declaration says.
    fn fits(&self, index: usize, arguments: &[Argument], class: Class) -> bool {
        let signature = &self.l.functions[index].signature;
        let count = signature.parameters.len();
        let width = |class: Class| (matches!(class, Class::Float { .. }), class.width(self.pointer_width()));
        let same = signature.parameters.iter().zip(arguments).all(|(&parameter, argument)| width(parameter) == width(argument.class));
        let arity = arguments.len() == count || signature.variadic && arguments.len() > count;
        let result = class == Class::Void || width(class) == width(signature.result);
        !signature.known && result || arity && same && result
    }

    /// A call of none of the functions that the pointer's type allows for. Where memory is the question, the address of
    /// a function of another type is another matter than that of none.
    fn no_function(&mut self, pointer: Term) {
        if self.l.facts.address_taken.len() <= MOST_COMPARED {
            let mut none = self.terms().true_();
            for global in self.l.facts.address_taken.clone() {
                let Some(Entity::Function(index)) = self.l.entity(global.unit, global.id()) else { continue };
                let address = self.function_address(index);
                none = self.terms().and(none, self.terms().ne(pointer, address));
            }
            self.emit(Operation::Check { kind: CheckKind::CallTarget, fails: none });
        }
        let fails = self.terms().true_();
        self.emit(Operation::Check { kind: CheckKind::Other, fails });
    }

    /// The functions that a pointer of this type may lead to, each with whether its type fits; and those that are
    /// called wrongly and in a way that no machine gives a meaning.
    fn candidates(&self, callee: ExprId, arguments: &[Argument], class: Class) -> (Vec<(usize, bool)>, Vec<usize>) {
        let prototyped = match self.unit.pointee(self.unit.tast[callee].ty).map(|to| self.unit.kind(to)) {
            Some(TypeKind::Function(id)) => self.unit.types.signature(id).prototyped,
            _ => false,
        };
        let width = |class: Class| match class {
            Class::Void => None,
            Class::Float { width } => Some((true, width)),
            Class::Aggregate => Some((false, 0)),
            class => class.width(self.pointer_width()).map(|width| (false, width)),
        };
        let (mut found, mut refused) = (Vec::new(), Vec::new());
        for &global in &self.l.facts.address_taken {
            let Some(Entity::Function(index)) = self.l.entity(global.unit, global.id()) else { continue };
            let signature = &self.l.functions[index].signature;
            let count = signature.parameters.len();
            // Through a pointer without a prototype people call functions with too few or too many arguments, and it
            // works.
            let arity = !prototyped || !signature.known || arguments.len() == count || (signature.variadic && arguments.len() >= count);
            let same = signature.parameters.iter().zip(arguments).all(|(&p, a)| !prototyped || width(p) == width(a.class));
            // An integer of another size is converted, as machines do it.
            let result = class == Class::Void || width(signature.result) == width(class) || is_word(class) && is_word(signature.result);
            if arity && same && result {
                found.push((index, true));
            } else if self.l.facts.retyped.contains(global, signature) {
                if self.machine_passes(signature, arguments, class) {
                    found.push((index, false));
                } else {
                    refused.push(index);
                }
            }
        }
        (found, refused)
    }

    /// Whether a function gets what it needs on x86 although its type is not that of the call: every argument that both
    /// sides know is passed in the same place, and the result comes back in one.
    fn machine_passes(&self, signature: &Signature, arguments: &[Argument], class: Class) -> bool {
        let pointer = self.pointer_width();
        let pairs = signature.parameters.iter().zip(arguments).all(|(&parameter, argument)| match (parameter, argument.class) {
            (Class::Float { width: a }, Class::Float { width: b }) => a == b,
            // On the stack of a 32-bit machine an argument of 64 bits takes two places.
            (a, b) if is_word(a) && is_word(b) => {
                pointer == 64 || a.width(pointer).unwrap_or(0).div_ceil(32) == b.width(pointer).unwrap_or(0).div_ceil(32)
            }
            _ => false,
        });
        let rest = signature.parameters.iter().all(|&p| p != Class::Aggregate) && arguments.iter().all(|a| a.class != Class::Aggregate);
        let result = match (signature.result, class) {
            (Class::Aggregate, _) | (_, Class::Aggregate) => false,
            (_, Class::Void) | (Class::Void, _) => true,
            (Class::Float { width: a }, Class::Float { width: b }) => a == b,
            (a, b) => is_word(a) && is_word(b),
        };
        pairs && rest && result && !signature.variadic
    }

    /// The arguments as a function of another type finds them: the upper part of one that is too narrow is anything.
    fn adapted(&mut self, index: usize, arguments: &[Argument]) -> Vec<Argument> {
        let parameters = self.l.functions[index].signature.parameters.clone();
        let pointer = self.pointer_width();
        let mut adapted = arguments.to_vec();
        for (argument, parameter) in adapted.iter_mut().zip(parameters) {
            let (Some(has), Some(wants)) = (argument.class.width(pointer), parameter.width(pointer)) else { continue };
            let Value::Scalar(value) = argument.value else { continue };
            if has < wants && is_word(parameter) {
                let upper = self.approximation(wants - has, "the upper part of an argument");
                argument.value = Value::Scalar(self.terms().concat(upper, value));
                argument.class = parameter;
            }
        }
        adapted
    }
}

fn is_word(class: Class) -> bool {
    matches!(class, Class::Bool | Class::Int { .. } | Class::Pointer)
}
