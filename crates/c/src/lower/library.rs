//! The meaning of the models of library functions: operations on memory, ends of the program, and what is not followed.

use super::Class;
use super::body::{Body, Value, Wanted};
use super::call::Argument;
use crate::models::{Concurrent, Model};
use assay_base::AssumptionClass;
use assay_cfa::{CType, MarkKind, Operation, Origin, ThreadOperation, ValueSourceKind, VarId, Zone};
use assay_term::Term;
use rucc_types::TypeId;

impl Body<'_, '_> {
    /// A call of a model.
    pub(super) fn model_call(
        &mut self,
        model: &Model,
        name: &str,
        arguments: &[Argument],
        ty: TypeId,
        target: Option<VarId>,
        wanted: Wanted,
    ) -> Value {
        let class = self.unit.class(ty);
        match model {
            Model::Nondet => self.unknown_result(ty, target, ValueSourceKind::Input, name),
            Model::NondetBool => {
                let bit = self.unknown(1, CType::Bool, ValueSourceKind::Input, name);
                let width = class.width(self.pointer_width()).unwrap_or(8);
                Value::Scalar(self.number_of(bit, width))
            }
            Model::NondetMemory => {
                let (address, size) = (self.word_argument(arguments, 0), self.word_argument(arguments, 1));
                let source = self.source(ValueSourceKind::Input, name);
                self.emit(Operation::HavocMemory { address, size, source });
                self.zero(class)
            }
            Model::Assume => {
                if let Some(&Argument { value: Value::Scalar(value), class: from, .. }) = arguments.first() {
                    let condition = self.truth(value, from);
                    if self.terms().is_false(condition) {
                        self.halt();
                    } else if !self.terms().is_true(condition) {
                        self.emit(Operation::Assume { condition });
                    }
                }
                self.zero(class)
            }
            Model::Assert => {
                if let Some(&Argument { value: Value::Scalar(value), class: from, .. }) = arguments.first() {
                    let holds = self.truth(value, from);
                    let (going_on, failing) = self.split(holds, None);
                    self.ends = failing;
                    self.assertion_fails();
                    self.ends = going_on;
                }
                self.zero(class)
            }
            Model::Error => {
                self.assertion_fails();
                self.zero(class)
            }
            Model::Accessible { write } => self.accessible(*write, arguments, class),
            Model::Intrinsic => {
                self.unsupported(format!("{name}, a function of another verifier's that is not known here: give it a body"));
                self.unknown_result(ty, target, ValueSourceKind::Approximation, name)
            }
            Model::Halt => {
                self.finish_by(name);
                self.halt();
                self.zero(class)
            }
            Model::HaltUnlessZero => {
                let status = self.word_argument(arguments, 0);
                let ends = self.terms().is_nonzero(status);
                let (ending, going_on) = self.split(ends, None);
                self.ends = ending;
                self.finish_by(name);
                self.halt();
                self.ends = going_on;
                self.zero(class)
            }
            Model::Zero => self.zero(class),
            Model::Lock => {
                self.l.builder.syntax.threads += 1;
                self.zero(class)
            }
            Model::Float(function) => self.float_call(*function, name, arguments, ty, wanted),
            Model::Enclosed { bounds, total } => self.enclosed(bounds, *total, name, arguments, ty),
            Model::Thread => {
                self.l.builder.syntax.threads += 1;
                self.unsupported(format!("threads ({name})"));
                self.unknown_result(ty, target, ValueSourceKind::Approximation, name)
            }
            Model::Concurrent(operation) => self.concurrent(*operation, arguments, class),
            Model::SetRounding => {
                let mode = self.word_argument(arguments, 0);
                self.set_rounding(mode, class.width(self.pointer_width()).unwrap_or(32))
            }
            Model::Rounding => self.rounding(class.width(self.pointer_width()).unwrap_or(32)),
            Model::NonLocalJump if super::graph::jumps(name) => {
                let buffer = self.word_argument(arguments, 0);
                let handed = match arguments.get(1) {
                    Some(&Argument { value: Value::Scalar(value), .. }) => Some(value),
                    _ => None,
                };
                self.jump_back(buffer, handed);
                self.zero(class)
            }
            Model::NonLocalJump => {
                self.unsupported(format!("{name} in this place"));
                self.unknown_result(ty, target, ValueSourceKind::Approximation, name)
            }
            Model::SignalHandler => {
                // To ignore a signal or to leave it to the system calls nothing.
                let handler = self.word_argument(arguments, 1);
                if self.terms().as_constant(handler).is_none() {
                    self.unsupported("a signal handler");
                }
                self.unknown_result(ty, target, ValueSourceKind::Approximation, name)
            }
            Model::Unmodelled => {
                self.unsupported(format!("{name}, whose effects are not modelled"));
                self.unknown_result(ty, target, ValueSourceKind::Approximation, name)
            }
            Model::Contract(contract) => self.contract(contract, name, arguments, ty, target, wanted),
            Model::Formatted(format) => self.formatted(format, name, arguments, ty, target, wanted),
            Model::Any => self.unknown_result(ty, target, ValueSourceKind::Approximation, name),
            Model::Given => {
                let kind = self.l.given(&self.unit.ctype(ty));
                self.unknown_result(ty, target, kind, name)
            }
            Model::Read => {
                let (address, size) = (self.word_argument(arguments, 0), self.word_argument(arguments, 1));
                self.only_for_accesses(|body| body.check_access(address, size, false));
                Value::Void
            }
            Model::ReadItems => {
                let (buffer, size, count) =
                    (self.word_argument(arguments, 0), self.word_argument(arguments, 1), self.word_argument(arguments, 2));
                let size = self.terms().mul(size, count);
                let source = self.source(ValueSourceKind::System, name);
                self.emit(Operation::HavocMemory { address: buffer, size, source });
                self.counted(name, count, false, ty, target)
            }
            Model::ReadLine | Model::ReadBytes => self.read_into(*model == Model::ReadLine, name, arguments, ty, target),
            _ => self.memory_call(model, arguments, class, target),
        }
    }

    /// A violated assertion, as the header's `assert` has it: the program ends.
    fn assertion_fails(&mut self) {
        self.mark(MarkKind::Call, "__assert_fail", Origin::Call { close: self.span });
        self.halt();
    }

    /// Whether bytes are there, as a number.
    fn accessible(&mut self, write: bool, arguments: &[Argument], class: Class) -> Value {
        let address = self.word_argument(arguments, 0);
        let size = match arguments {
            [_, _, ..] => self.word_argument(arguments, 1),
            _ => match arguments.first().and_then(|argument| argument.expr).and_then(|expr| self.pointee_behind_casts(expr)) {
                Some(size) => self.word(size),
                None => return self.unsupported_value("an intrinsic that asks for memory of unknown size", class),
            },
        };
        let Some(width) = class.width(self.pointer_width()).filter(|_| !self.is_dead()) else { return self.zero(class) };
        let address = self.snapshot(address);
        let size = self.snapshot(size);
        let result = self.temporary(width, CType::Integer { width, signed: false, name: "unsigned int" });
        let (inside, outside) = self.split_access(address, size, write);
        self.ends = inside;
        let one = self.terms().number(width, 1);
        self.assign(result, one);
        let inside = std::mem::replace(&mut self.ends, outside);
        let zero = self.terms().number(width, 0);
        self.assign(result, zero);
        self.ends.extend(inside);
        Value::Scalar(self.read(result))
    }

    /// An operation that concerns other threads; in a program that starts none there is nothing to do.
    fn concurrent(&mut self, operation: Concurrent, arguments: &[Argument], class: Class) -> Value {
        self.l.builder.syntax.threads += 1;
        if !self.l.library.has_threads() {
            return self.zero(class);
        }
        let (first, second) = (self.word_argument(arguments, 0), self.word_argument(arguments, 1));
        let word = |body: &mut Self| body.word_temporary();
        let operation = match operation {
            Concurrent::Spawn => ThreadOperation::Spawn { target: word(self), start: first, argument: second },
            Concurrent::Join => ThreadOperation::Join { target: word(self), thread: first },
            Concurrent::Exit => ThreadOperation::Exit { value: first },
            Concurrent::Current => ThreadOperation::Current { target: word(self) },
            Concurrent::AtomicBegin => ThreadOperation::AtomicBegin,
            Concurrent::AtomicEnd => ThreadOperation::AtomicEnd,
            Concurrent::Acquire => ThreadOperation::Acquire { lock: first },
            Concurrent::TryAcquire => {
                let target = self.temporary(32, CType::Integer { width: 32, signed: true, name: "int" });
                ThreadOperation::TryAcquire { target, lock: first }
            }
            Concurrent::Release => ThreadOperation::Release { lock: first },
        };
        let target = operation.written_register();
        let ends = matches!(operation, ThreadOperation::Exit { .. });
        self.emit(Operation::Thread(operation));
        if ends {
            self.halt();
        }
        match (target, class.width(self.pointer_width())) {
            (Some(target), Some(width)) => {
                let value = self.read(target);
                Value::Scalar(self.terms().resize(value, width, false))
            }
            _ => self.zero(class),
        }
    }

    /// The body of a model that is called through a pointer; its arguments are the parameters.
    pub(super) fn model_body(&mut self, model: &Model, name: &str) -> Value {
        let parameters = self.l.builder.functions[self.function].parameters.clone();
        let result = self.l.builder.functions[self.function].result;
        let pointer = self.pointer_width();
        let decl = &self.unit.tast[self
            .l
            .functions
            .iter()
            .find(|f| f.id == Some(self.function))
            .map_or_else(|| rucc_base::Idx::from_usize(0), |f| f.global.id())];
        let (ret, types) = match self.unit.kind(decl.ty) {
            rucc_types::TypeKind::Function(id) => {
                let signature = self.unit.types.signature(id);
                (signature.ret, signature.params.clone())
            }
            _ => (decl.ty, vec![]),
        };
        let arguments: Vec<Argument> = parameters
            .iter()
            .zip(types)
            .map(|(&register, ty)| {
                let value = Value::Scalar(self.read(register));
                let class = self.unit.class(ty);
                let class = if class.width(pointer).is_some() { class } else { Class::Pointer };
                Argument { value, class, ty, expr: None }
            })
            .collect();
        self.model_call(model, name, &arguments, ret, result, Wanted::Value)
    }

    pub(super) fn word_argument(&mut self, arguments: &[Argument], number: usize) -> Term {
        match arguments.get(number) {
            Some(&Argument { value: Value::Scalar(value), class, .. }) => {
                self.terms().resize(value, self.pointer_width(), class.is_signed())
            }
            // glibc declares addresses of sockets as unions of pointers: the pointer is what the union holds.
            Some(&Argument { value: Value::Aggregate(address), ty, .. }) if self.unit.is_union_of_pointers(ty) => {
                let width = self.pointer_width();
                self.load(address, width, CType::Pointer)
            }
            Some(&Argument { value: Value::Aggregate(address), .. }) => address,
            _ => self.word(0),
        }
    }

    fn memory_call(&mut self, model: &Model, arguments: &[Argument], class: Class, target: Option<VarId>) -> Value {
        let first = self.word_argument(arguments, 0);
        let second = self.word_argument(arguments, 1);
        let third = self.word_argument(arguments, 2);
        let address = match model {
            Model::Allocate => self.allocate(first, Zone::Heap, false, target),
            Model::AllocateAligned => self.allocate(second, Zone::Heap, false, target),
            Model::AllocateStack => self.allocate(first, Zone::Stack, false, target),
            Model::AllocateZeroed => self.allocate_zeroed(first, second, target),
            Model::Reallocate => self.reallocate(first, second),
            Model::Free => {
                self.emit(Operation::Free { address: first });
                return self.zero(class);
            }
            Model::CopyMemory { end } => {
                self.emit(Operation::Copy { destination: first, source: second, size: third });
                if *end { self.terms().add(first, third) } else { first }
            }
            Model::FillMemory => {
                let byte = self.terms().extract(second, 7, 0);
                self.emit(Operation::Fill { destination: first, byte, size: third });
                first
            }
            Model::ZeroMemory => {
                let byte = self.terms().number(8, 0);
                self.emit(Operation::Fill { destination: first, byte, size: second });
                return self.zero(class);
            }
            _ => {
                self.unsupported("this library function");
                self.word(0)
            }
        };
        match class.width(self.pointer_width()) {
            Some(width) => Value::Scalar(self.terms().resize(address, width, false)),
            None => Value::Void,
        }
    }

    pub(super) fn allocate(&mut self, size: Term, zone: Zone, zeroed: bool, target: Option<VarId>) -> Term {
        if zone == Zone::Heap && self.is_too_large(size) {
            return self.allocate_within(size, zone, zeroed);
        }
        self.allocate_of(size, zone, zeroed, target)
    }

    /// The size of the largest object, which the difference of two pointers can still say.
    fn largest(&self) -> u128 {
        (1 << (self.pointer_width() - 1)) - 1
    }

    /// Whether no allocation of the size can succeed. Of a size that only some inputs make so large, the rule that
    /// allocation does not fail holds: a branch there would hide from every analysis that the array is as long as it
    /// says.
    fn is_too_large(&self, size: Term) -> bool {
        self.terms().unsigned_range(size).0 > self.largest()
    }

    /// `malloc` gives no object that is larger than the difference of two pointers can say: there it fails, whatever
    /// else it may do.
    fn allocate_within(&mut self, size: Term, zone: Zone, zeroed: bool) -> Term {
        let size = self.snapshot(size);
        let limit = self.terms().number(self.pointer_width(), self.largest() + 1);
        let fits = self.terms().ult(size, limit);
        let (fitting, too_large) = self.split(fits, None);
        let result = self.word_temporary();
        self.ends = fitting;
        let new = self.allocate_of(size, zone, zeroed, None);
        self.assign(result, new);
        let mut done = std::mem::replace(&mut self.ends, too_large);
        let null = self.word(0);
        self.assign(result, null);
        self.ends.append(&mut done);
        self.read(result)
    }

    fn allocate_of(&mut self, size: Term, zone: Zone, zeroed: bool, target: Option<VarId>) -> Term {
        if zone == Zone::Heap && self.l.malloc_may_fail {
            return self.allocate_or_fail(size, zeroed);
        }
        if zone == Zone::Heap {
            let text = "malloc and its family never fail (see --malloc-may-fail)";
            self.l.builder.note(AssumptionClass::Rules, self.span, text);
        }
        self.allocate_surely(size, zone, zeroed, target)
    }

    /// A new object or null, as the system decides.
    fn allocate_or_fail(&mut self, size: Term, zeroed: bool) -> Term {
        let fails = self.unknown(1, CType::Bool, ValueSourceKind::System, "malloc fails");
        let result = self.word_temporary();
        let (failing, going) = self.split(fails, None);
        self.ends = going;
        let new = self.allocate_surely(size, Zone::Heap, zeroed, None);
        self.assign(result, new);
        let mut done = std::mem::replace(&mut self.ends, failing);
        let null = self.word(0);
        self.assign(result, null);
        self.ends.append(&mut done);
        self.read(result)
    }

    /// A new object, where failing is no question or has been asked already.
    pub(super) fn allocate_surely(&mut self, size: Term, zone: Zone, zeroed: bool, target: Option<VarId>) -> Term {
        let width = self.pointer_width();
        let register = match target {
            Some(target) if self.l.builder.variables[target].register_width() == Some(width) => target,
            // The type of the register says what the object is, for whoever shows it.
            _ => match self.pointee {
                Some(element) => {
                    let element = Box::new(self.unit.ctype(element));
                    self.temporary(width, CType::Array { element, length: None })
                }
                None => self.word_temporary(),
            },
        };
        self.emit(Operation::Allocate { target: register, size, zone, zeroed });
        self.read(register)
    }

    /// `calloc`: null where the product of its arguments does not fit.
    fn allocate_zeroed(&mut self, count: Term, size: Term, target: Option<VarId>) -> Term {
        let width = self.pointer_width();
        let terms = self.terms();
        let wide = terms.mul(terms.zero_extend(count, 2 * width), terms.zero_extend(size, 2 * width));
        let product = terms.mul(count, size);
        let fits = terms.eq(terms.extract(wide, 2 * width - 1, width), terms.number(width, 0));
        if terms.is_true(fits) {
            return self.allocate(product, Zone::Heap, true, target);
        }
        let result = self.word_temporary();
        let (fitting, wrapping) = self.split(fits, None);
        self.ends = fitting;
        let new = self.allocate(product, Zone::Heap, true, None);
        self.assign(result, new);
        let mut done = std::mem::replace(&mut self.ends, wrapping);
        let null = self.word(0);
        self.assign(result, null);
        self.ends.append(&mut done);
        self.read(result)
    }

    /// `realloc`: a new object, the old content as far as both reach, the old object freed. The size of the old
    /// object is not known here, so the copy is of as many bytes as lie in it. With size 0 an object is freed and the
    /// result is null, as glibc has it.
    fn reallocate(&mut self, old: Term, size: Term) -> Term {
        let old = self.snapshot(old);
        let is_too_large = self.is_too_large(size);
        let size = self.snapshot(size);
        let null = self.word(0);
        let result = self.word_temporary();
        let only_free = self.terms().and(self.terms().eq(size, null), self.terms().ne(old, null));
        let (freeing, moving) = self.split(only_free, None);
        self.ends = freeing;
        self.emit(Operation::Free { address: old });
        self.assign(result, null);
        let mut freed = std::mem::replace(&mut self.ends, moving);
        let new = self.moved(old, size, is_too_large);
        self.assign(result, new);
        self.ends.append(&mut freed);
        self.read(result)
    }

    /// A new object with the content of an old one, which is freed unless it is null. Where there is none, the old one
    /// stays.
    fn moved(&mut self, old: Term, size: Term, is_too_large: bool) -> Term {
        let new = match is_too_large {
            true => self.allocate_within(size, Zone::Heap, false),
            false => self.allocate_of(size, Zone::Heap, false, None),
        };
        let null = self.word(0);
        let mut done = vec![];
        if self.l.malloc_may_fail || is_too_large {
            let failed = self.terms().eq(new, null);
            let (failed, there) = self.split(failed, None);
            self.ends = there;
            done = failed;
        }
        let is_null = self.terms().eq(old, null);
        let (nothing, no) = self.split(is_null, None);
        done.extend(nothing);
        self.ends = no;
        // Growing: the copy is cut where the old object ends, byte by byte.
        let counter = self.word_temporary();
        self.assign(counter, null);
        let head = self.fresh_location();
        self.go_on_at(head);
        let index = self.read(counter);
        let more = self.terms().ult(index, size);
        let (inside, full) = self.split(more, None);
        self.ends = inside;
        let from = self.terms().add(old, index);
        let one = self.word(1);
        let (there, outside) = self.split_access(from, one, false);
        self.ends = there;
        let byte = self.load(from, 8, CType::Integer { width: 8, signed: false, name: "unsigned char" });
        let to = self.terms().add(new, index);
        self.store(to, byte);
        let next = self.terms().add(index, one);
        self.assign(counter, next);
        self.lead_to(head);
        self.ends = full;
        self.ends.extend(outside);
        self.emit(Operation::Free { address: old });
        // The library may have grown the object where it is: something that is made after the end of the old one may
        // lie in its place.
        let one = self.word(1);
        let other = self.allocate_surely(one, Zone::Heap, false, None);
        self.emit(Operation::Free { address: other });
        self.ends.append(&mut done);
        new
    }
}
