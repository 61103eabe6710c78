//! The meaning of the models of library functions.

use super::Class;
use super::body::{Body, Value};
use super::call::Argument;
use crate::models::{Extent, FloatFunction, Model, Outcome};
use assay_base::AssumptionClass;
use assay_cfa::{CType, Operation, ValueSourceKind, VarId, Zone};
use assay_term::{Op, Round, Term};
use rucc_ast::BinaryOp;
use rucc_types::{TypeId, TypeKind};

impl Body<'_, '_> {
    /// A call of a model.
    pub fn model_call(&mut self, model: Model, name: &str, arguments: &[Argument], ty: TypeId, target: Option<VarId>) -> Value {
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
            Model::Halt => {
                self.halt();
                self.zero(class)
            }
            Model::NoEffect => {
                self.refuse_counting(name, arguments);
                self.unknown_result(ty, target, ValueSourceKind::External, name)
            }
            Model::Zero => {
                if name.starts_with("pthread") {
                    self.l.builder.syntax.threads += 1;
                }
                self.zero(class)
            }
            Model::Float(function) => self.float_call(function, name, arguments, ty),
            Model::Thread(what) => {
                self.l.builder.syntax.threads += 1;
                self.unsupported(format!("threads ({what})"));
                self.unknown_result(ty, target, ValueSourceKind::Approximation, name)
            }
            Model::SetRounding => {
                let mode = arguments.first().map(|argument| argument.value);
                let nearest =
                    matches!(mode, Some(Value::Scalar(mode)) if self.terms().as_constant(mode).is_some_and(|bits| bits.is_zero()));
                if !nearest {
                    self.unsupported("a rounding mode other than to nearest (fesetround)");
                }
                self.zero(class)
            }
            Model::NonLocalJump => {
                self.unsupported("setjmp and longjmp");
                self.unknown_result(ty, target, ValueSourceKind::Approximation, name)
            }
            Model::ReadItems => {
                let (buffer, size, count) =
                    (self.word_argument(arguments, 0), self.word_argument(arguments, 1), self.word_argument(arguments, 2));
                let size = self.terms().mul(size, count);
                let source = self.source(ValueSourceKind::External, name);
                self.emit(Operation::HavocMemory { address: buffer, size, source });
                self.counted(name, count, false, ty, target)
            }
            Model::SignalHandler => {
                // To ignore a signal or to leave it to the system calls nothing.
                let handler = self.word_argument(arguments, 1);
                if self.terms().as_constant(handler).is_none() {
                    self.unsupported("a signal handler");
                }
                self.unknown_result(ty, target, ValueSourceKind::External, name)
            }
            Model::Unmodelled => {
                self.unsupported(format!("{name}, whose effects are not modelled"));
                self.unknown_result(ty, target, ValueSourceKind::Approximation, name)
            }
            Model::Writes(list, outcome) => {
                for &(number, extent) in list {
                    self.written_through(number, extent, name, arguments);
                }
                match outcome {
                    Outcome::Any => self.unknown_result(ty, target, ValueSourceKind::External, name),
                    Outcome::Status => {
                        let most = self.word(0);
                        self.counted(name, most, true, ty, target)
                    }
                    Outcome::Count(number) => {
                        let most = self.word_argument(arguments, number);
                        self.counted(name, most, true, ty, target)
                    }
                    Outcome::Same(number) => self.same_or_null(name, arguments, number),
                }
            }
            Model::ReadOptions => {
                for variable in ["optarg", "optind", "opterr", "optopt"] {
                    self.havoc_global(variable, name);
                }
                self.unknown_result(ty, target, ValueSourceKind::External, name)
            }
            Model::Scan(first) => {
                self.scan(first, name, arguments);
                let most = self.word(arguments.len().saturating_sub(first) as u64);
                self.counted(name, most, true, ty, target)
            }
            Model::PrintInto { bounded } => self.print_into(bounded, name, arguments, ty),
            Model::Any => self.unknown_result(ty, target, ValueSourceKind::Approximation, name),
            Model::ReadLine | Model::ReadBytes => self.read_into(model, name, arguments, ty, target),
            _ => self.memory_call(model, arguments, class, target),
        }
    }

    /// The body of a model that is called through a pointer; its arguments are the parameters.
    pub fn model_body(&mut self, model: Model, name: &str) -> Value {
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
        self.model_call(model, name, &arguments, ret, result)
    }

    fn word_argument(&mut self, arguments: &[Argument], number: usize) -> Term {
        match arguments.get(number) {
            Some(&Argument { value: Value::Scalar(value), class, .. }) => {
                self.terms().resize(value, self.pointer_width(), class.is_signed())
            }
            Some(&Argument { value: Value::Aggregate(address), .. }) => address,
            _ => self.word(0),
        }
    }

    fn memory_call(&mut self, model: Model, arguments: &[Argument], class: Class, target: Option<VarId>) -> Value {
        let first = self.word_argument(arguments, 0);
        let second = self.word_argument(arguments, 1);
        let third = self.word_argument(arguments, 2);
        let address = match model {
            Model::Allocate => self.allocate(first, Zone::Heap, false, target),
            Model::AllocateAligned => self.allocate(second, Zone::Heap, false, target),
            Model::AllocateStack => self.allocate(first, Zone::Stack, false, target),
            Model::AllocateZeroed => {
                let size = self.terms().mul(first, second);
                self.allocate(size, Zone::Heap, true, target)
            }
            Model::Reallocate => self.reallocate(first, second),
            Model::Free => {
                self.emit(Operation::Free { address: first });
                return self.zero(class);
            }
            Model::CopyMemory { end } => {
                self.emit(Operation::Copy { destination: first, source: second, size: third });
                if end { self.terms().add(first, third) } else { first }
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

    pub fn allocate(&mut self, size: Term, zone: Zone, zeroed: bool, target: Option<VarId>) -> Term {
        let width = self.pointer_width();
        let register = match target {
            Some(target) if self.l.builder.variables[target].register_width() == Some(width) => target,
            _ => self.word_temporary(),
        };
        self.emit(Operation::Allocate { target: register, size, zone, zeroed });
        self.read(register)
    }

    /// `realloc`: a new object, the old content as far as both reach, the old object freed. The size of the old
    /// object is not known here, so the copy is of as many bytes as lie in it. With size 0 an object is freed and the result
    /// is null, as glibc has it.
    fn reallocate(&mut self, old: Term, size: Term) -> Term {
        let old = self.snapshot(old);
        let size = self.snapshot(size);
        let null = self.word(0);
        let result = self.word_temporary();
        let only_free = self.terms().and(self.terms().eq(size, null), self.terms().ne(old, null));
        let (freeing, moving) = self.split(only_free, None);
        self.ends = freeing;
        self.emit(Operation::Free { address: old });
        self.assign(result, null);
        let mut freed = std::mem::replace(&mut self.ends, moving);
        let new = self.moved(old, size);
        self.assign(result, new);
        self.ends.append(&mut freed);
        self.read(result)
    }

    /// A new object with the content of an old one, which is freed unless it is null.
    fn moved(&mut self, old: Term, size: Term) -> Term {
        let new = self.allocate(size, Zone::Heap, false, None);
        let null = self.word(0);
        let is_null = self.terms().eq(old, null);
        let (mut done, no) = self.split(is_null, None);
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
        let condition = assay_cfa::MemoryCondition::Accessible { address: from, size: one, write: false };
        let mut outside = Vec::new();
        if !self.is_dead() {
            let here = self.here();
            let end = |holds| super::body::End::Edge {
                source: here,
                operation: Operation::AssumeMemory { condition: condition.clone(), holds },
                span: self.span,
                origin: assay_cfa::Origin::Internal,
            };
            outside.push(end(false));
            self.ends = vec![end(true)];
        }
        let byte = self.load(from, 8, CType::Integer { width: 8, signed: false, name: "unsigned char" });
        let to = self.terms().add(new, index);
        self.store(to, byte);
        let next = self.terms().add(index, one);
        self.assign(counter, next);
        self.lead_to(head);
        self.ends = full;
        self.ends.extend(outside);
        self.emit(Operation::Free { address: old });
        self.ends.append(&mut done);
        new
    }

    /// What an argument points to takes any value, unless the argument is null.
    fn written_through(&mut self, number: usize, extent: Extent, name: &str, arguments: &[Argument]) {
        if number >= arguments.len() {
            return;
        }
        let address = self.word_argument(arguments, number);
        let pointee = arguments[number].expr.and_then(|expr| self.pointee_behind_casts(expr));
        let size = match extent {
            Extent::Bytes(bytes) => Some(self.word(bytes)),
            Extent::Argument(count) => Some(self.word_argument(arguments, count)),
            Extent::Pointee => pointee.map(|bytes| self.word(bytes)),
            Extent::Elements(count) => pointee.map(|bytes| {
                let (count, bytes) = (self.word_argument(arguments, count), self.word(bytes));
                self.terms().mul(count, bytes)
            }),
        };
        let null = self.word(0);
        let there = self.terms().ne(address, null);
        if self.terms().is_false(there) {
            return;
        }
        let (yes, mut no) = self.split(there, None);
        self.ends = yes;
        match size {
            Some(size) => {
                let content = self.unit.pointee(arguments[number].ty).map_or(CType::Void, |to| self.unit.ctype(to));
                let source = self.source(self.l.foreign(&content), name);
                self.emit(Operation::HavocMemory { address, size, source });
            }
            None => self.unsupported(format!("{name}, which writes memory of unknown size")),
        }
        self.ends.append(&mut no);
    }

    /// A variable of the library, if the program knows it, takes any value.
    fn havoc_global(&mut self, variable: &str, name: &str) {
        let Some(global) = self.l.links.find(variable) else { return };
        let Some(super::Entity::Variable(variable)) = self.l.entity(global.unit, global.id()) else { return };
        let kind = self.l.foreign(&self.l.builder.variables[variable].ctype);
        let source = self.source(kind, name);
        match self.l.builder.variables[variable].storage {
            assay_cfa::Storage::Register { .. } => self.emit(Operation::Havoc { target: variable, source }),
            assay_cfa::Storage::Memory { size, .. } => {
                let (address, size) = (self.l.builder.address_of(variable), self.word(size.unwrap_or(0)));
                self.emit(Operation::HavocMemory { address, size, source });
            }
        }
    }

    /// What `scanf` reads goes where the pointers lead: characters as many as the format says, other values in the size
    /// of what they point to.
    fn scan(&mut self, first: usize, name: &str, arguments: &[Argument]) {
        let format = arguments.get(first - 1).and_then(|a| a.expr).and_then(|expr| self.literal_text(expr));
        let sizes = format.as_deref().map(scanned_sizes);
        for (number, argument) in arguments.iter().skip(first).enumerate() {
            let Value::Scalar(address) = argument.value else { continue };
            let declared = argument.expr.and_then(|expr| self.pointee_behind_casts(expr));
            let size = match sizes.as_ref().and_then(|sizes| sizes.get(number)) {
                Some(Scanned::Characters(Some(count))) => Some(*count),
                Some(Scanned::Characters(None)) => None,
                Some(Scanned::Value) => declared,
                None => declared.filter(|&size| size != 1),
            };
            let Some(size) = size else {
                self.unsupported(format!("{name} with a conversion of unknown length"));
                continue;
            };
            let size = self.word(size);
            let source = self.source(ValueSourceKind::External, name);
            self.emit(Operation::HavocMemory { address, size, source });
        }
    }

    /// The size of what an argument points to, as it was written before its conversion to `void *`.
    fn pointee_behind_casts(&self, expr: rucc_sema::ExprId) -> Option<u64> {
        let own = self.unit.pointee(self.unit.tast[expr].ty).and_then(|to| self.unit.size_of(to));
        match (own, self.unit.tast[expr].kind) {
            (None, rucc_sema::ExprKind::Convert { operand, .. } | rucc_sema::ExprKind::Cast(operand)) => self.pointee_behind_casts(operand),
            (own, _) => own,
        }
    }

    /// Whether an argument is an array with room for this many bytes.
    fn is_array_of(&self, argument: Option<&Argument>, bytes: Term) -> bool {
        let array = argument.and_then(|argument| argument.expr).map(|expr| self.unit.tast[strip_conversions(self.unit, expr)].ty);
        let size = array.filter(|&ty| matches!(self.unit.kind(ty), TypeKind::Array { .. })).and_then(|ty| self.unit.size_of(ty));
        let bytes = self.terms().as_constant(bytes).map(|bits| bits.value());
        size.zip(bytes).is_some_and(|(size, bytes)| bytes <= u128::from(size))
    }

    /// The text of a string literal argument.
    fn literal_text(&self, expr: rucc_sema::ExprId) -> Option<String> {
        match self.unit.tast[expr].kind {
            rucc_sema::ExprKind::Str(id) => Some(super::facts::unit_string(self.unit, id)),
            rucc_sema::ExprKind::Convert { operand, .. } | rucc_sema::ExprKind::Cast(operand) => self.literal_text(operand),
            // A pointer into the literal: the rest of the text.
            rucc_sema::ExprKind::Binary { op: BinaryOp::Add, lhs, rhs } => {
                let text = self.literal_text(lhs)?;
                let skipped = match self.unit.tast[strip_conversions(self.unit, rhs)].kind {
                    rucc_sema::ExprKind::Const(id) => match self.unit.tast[id] {
                        rucc_sema::Const::Int(count) => usize::try_from(count).ok()?,
                        _ => return None,
                    },
                    _ => return None,
                };
                text.get(skipped..).map(str::to_string)
            }
            _ => None,
        }
    }

    /// Printing writes through its arguments where the format has a `%n`.
    fn refuse_counting(&mut self, name: &str, arguments: &[Argument]) {
        let printing = name.contains("print") || name == "syslog";
        let counts = |argument: &Argument| argument.expr.and_then(|expr| self.literal_text(expr)).is_some_and(|format| has_count(&format));
        if printing && arguments.iter().any(counts) {
            self.unsupported(format!("{name} with %n"));
        }
    }

    /// `sprintf` and `snprintf`: any text of any length within the size that is given.
    fn print_into(&mut self, bounded: bool, name: &str, arguments: &[Argument], ty: TypeId) -> Value {
        self.refuse_counting(name, arguments);
        self.note(AssumptionClass::Over, format!("{name} writes text that is not computed"));
        let buffer = self.word_argument(arguments, 0);
        let bound = bounded.then(|| self.word_argument(arguments, 1));
        let size = match bound {
            Some(bound) if self.is_array_of(arguments.first(), bound) => bound,
            // The text may be shorter, so that nobody may say that what is given is used up.
            _ => {
                let length = self.approximation(self.pointer_width(), name);
                let (none, one, limit) = (self.word(0), self.word(1), self.word(1 << 24));
                let terms = self.terms();
                let condition = match bound {
                    Some(bound) => terms.and(terms.ule(length, bound), terms.eq(terms.eq(length, none), terms.eq(bound, none))),
                    None => terms.and(terms.ule(one, length), terms.ult(length, limit)),
                };
                self.emit(Operation::Assume { condition });
                length
            }
        };
        let source = self.source(ValueSourceKind::Approximation, name);
        self.emit(Operation::HavocMemory { address: buffer, size, source });
        self.unknown_result(ty, None, ValueSourceKind::Approximation, name)
    }

    /// `fgets` and `read`: the buffer takes any bytes, the result says how it went.
    fn read_into(&mut self, model: Model, name: &str, arguments: &[Argument], ty: TypeId, target: Option<VarId>) -> Value {
        let line = model == Model::ReadLine;
        let buffer = self.word_argument(arguments, if line { 0 } else { 1 });
        let size = self.word_argument(arguments, if line { 1 } else { 2 });
        if !line {
            let source = self.source(ValueSourceKind::External, name);
            self.emit(Operation::HavocMemory { address: buffer, size, source });
            return self.counted(name, size, true, ty, target);
        }
        // A line ends in a zero within the size; where there is no line nothing is written.
        let (buffer, size) = (self.snapshot(buffer), self.snapshot(size));
        let failed = self.unknown(1, CType::Bool, ValueSourceKind::External, name);
        let (mut nothing, read) = self.split(failed, None);
        self.ends = read;
        let source = self.source(ValueSourceKind::External, name);
        self.emit(Operation::HavocMemory { address: buffer, size, source });
        let width = self.pointer_width();
        let end = self.unknown(width, CType::Integer { width, signed: false, name: "unsigned long" }, ValueSourceKind::External, name);
        let condition = self.terms().ult(end, size);
        self.emit(Operation::Assume { condition });
        let (place, zero) = (self.terms().add(buffer, end), self.terms().number(8, 0));
        self.store(place, zero);
        self.ends.append(&mut nothing);
        let null = self.word(0);
        Value::Scalar(self.terms().ite(failed, null, buffer))
    }

    /// Any number from 0 to `most`, or -1 where that says that something failed.
    fn counted(&mut self, name: &str, most: Term, may_fail: bool, ty: TypeId, target: Option<VarId>) -> Value {
        let value = self.unknown_result(ty, target, ValueSourceKind::External, name);
        if let Value::Scalar(count) = value {
            let terms = self.terms();
            let width = terms.width(count);
            let pointer = self.pointer_width();
            let wide = width.max(pointer);
            let inside = terms.ule(terms.zero_extend(count, wide), terms.zero_extend(most, wide));
            let failed = terms.eq(count, terms.number(width, u128::MAX));
            let condition = if may_fail { terms.or(inside, failed) } else { inside };
            self.emit(Operation::Assume { condition });
        }
        value
    }

    /// An argument, or null where something failed.
    fn same_or_null(&mut self, name: &str, arguments: &[Argument], number: usize) -> Value {
        let failed = self.unknown(1, CType::Bool, ValueSourceKind::External, name);
        let (same, null) = (self.word_argument(arguments, number), self.word(0));
        Value::Scalar(self.terms().ite(failed, null, same))
    }

    fn float_call(&mut self, function: FloatFunction, name: &str, arguments: &[Argument], ty: TypeId) -> Value {
        let class = self.unit.class(ty);
        let result = class.width(self.pointer_width()).unwrap_or(32);
        let operand = |number: usize| match arguments.get(number) {
            Some(&Argument { value: Value::Scalar(value), class: class @ Class::Float { .. }, .. }) => Some((value, class)),
            _ => None,
        };
        if matches!(function, FloatFunction::Nan | FloatFunction::Infinity) {
            let nan = assay_term::FloatFormat::of_width(result).map_or(0, |format| format.nan());
            let value = if function == FloatFunction::Nan { self.terms().number(result, nan) } else { self.infinity(result) };
            return Value::Scalar(value);
        }
        let two = matches!(
            function,
            FloatFunction::CopySign
                | FloatFunction::Remainder
                | FloatFunction::Minimum
                | FloatFunction::Maximum
                | FloatFunction::PositiveDifference
        );
        let (Some((a, from)), true) = (operand(0), !two || operand(1).is_some()) else {
            return self.approximated(name, ty);
        };
        let b = operand(1).map_or(a, |(b, _)| b);
        let width = self.terms().width(a);
        if self.terms().width(b) != width {
            return self.approximated(name, ty);
        }
        let terms = self.terms();
        let round = |mode| terms.float_unary(Op::FRoundToIntegral, mode, a);
        let float = match function {
            FloatFunction::Magnitude => self.magnitude(a),
            FloatFunction::CopySign => {
                let sign = terms.and(b, self.sign_bit(width));
                terms.or(self.magnitude(a), sign)
            }
            FloatFunction::SquareRoot => terms.float_unary(Op::FSqrt, Round::NearestEven, a),
            FloatFunction::Floor => round(Round::TowardNegative),
            FloatFunction::Ceiling => round(Round::TowardPositive),
            FloatFunction::Truncate => round(Round::TowardZero),
            FloatFunction::Round => round(Round::NearestAway),
            FloatFunction::RoundEven => round(Round::NearestEven),
            FloatFunction::RoundToInteger | FloatFunction::RoundEvenToInteger => {
                let mode = if function == FloatFunction::RoundToInteger { Round::NearestAway } else { Round::NearestEven };
                let rounded = round(mode);
                return Value::Scalar(self.convert(rounded, from, class));
            }
            FloatFunction::Remainder => terms.float_binary(Op::FRem, Round::NearestEven, a, b),
            FloatFunction::Minimum | FloatFunction::Maximum => {
                let op = if function == FloatFunction::Minimum { BinaryOp::Lt } else { BinaryOp::Gt };
                let better = self.compare(op, from, a, b);
                let chosen = terms.ite(better, a, b);
                let chosen = terms.ite(self.is_nan(b), a, chosen);
                terms.ite(self.is_nan(a), b, chosen)
            }
            FloatFunction::PositiveDifference => {
                let difference = terms.float_binary(Op::FSub, Round::NearestEven, a, b);
                let less = self.compare(BinaryOp::Le, from, a, b);
                terms.ite(less, terms.number(width, 0), difference)
            }
            FloatFunction::Approximated | FloatFunction::Nan | FloatFunction::Infinity => return self.approximated(name, ty),
            FloatFunction::IsNan => return self.flag(self.is_nan(a), result),
            FloatFunction::IsFinite => return self.flag(self.is_finite(a), result),
            FloatFunction::IsNormal => return self.flag(self.is_normal(a), result),
            FloatFunction::SignBit => return self.flag(terms.extract(a, width - 1, width - 1), result),
            FloatFunction::IsInfinite => {
                // glibc gives 1 for plus and -1 for minus infinity.
                let infinite = terms.eq(self.magnitude(a), self.infinity(width));
                let negative = terms.extract(a, width - 1, width - 1);
                let (one, minus, zero) = (terms.number(result, 1), terms.number(result, u128::MAX), terms.number(result, 0));
                return Value::Scalar(terms.ite(infinite, terms.ite(negative, minus, one), zero));
            }
            FloatFunction::Classify => return Value::Scalar(self.fp_class(a, [0, 1, 4, 3, 2].map(|n| terms.number(result, n)))),
        };
        let keeps_bits = matches!(function, FloatFunction::Magnitude | FloatFunction::CopySign);
        let float = if keeps_bits { float } else { self.any_nan(float) };
        Value::Scalar(self.convert(float, from, class))
    }

    fn flag(&self, truth: Term, width: u32) -> Value {
        Value::Scalar(self.number_of(truth, width))
    }

    fn approximated(&mut self, name: &str, ty: TypeId) -> Value {
        self.note(AssumptionClass::Over, format!("{name} is not computed: it may return any value"));
        self.unknown_result(ty, None, ValueSourceKind::Approximation, name)
    }

    pub fn is_finite(&self, value: Term) -> Term {
        let width = self.terms().width(value);
        let magnitude = self.magnitude(value);
        self.terms().compare(Op::FLess, magnitude, self.infinity(width))
    }

    pub fn is_normal(&self, value: Term) -> Term {
        let terms = self.terms();
        let magnitude = self.magnitude(value);
        let large = terms.not(terms.compare(Op::FLess, magnitude, self.smallest_normal(terms.width(value))));
        terms.and(self.is_finite(value), large)
    }

    fn smallest_normal(&self, width: u32) -> Term {
        let bits = match width {
            16 => 1 << 10,
            32 => 1 << 23,
            64 => 1 << 52,
            80 => (1 << 64) | (1 << 63),
            _ => 1 << 112,
        };
        self.terms().number(width, bits)
    }

    /// One of five answers: NaN, infinite, normal, subnormal, zero.
    pub fn fp_class(&self, value: Term, answers: [Term; 5]) -> Term {
        let terms = self.terms();
        let zero = terms.compare(Op::FEq, value, terms.number(terms.width(value), 0));
        let rest = terms.ite(zero, answers[4], answers[3]);
        let rest = terms.ite(self.is_normal(value), answers[2], rest);
        let rest = terms.ite(terms.or(self.is_finite(value), self.is_nan(value)), rest, answers[1]);
        terms.ite(self.is_nan(value), answers[0], rest)
    }
}

fn strip_conversions(unit: &crate::adapter::Unit, expr: rucc_sema::ExprId) -> rucc_sema::ExprId {
    match unit.tast[expr].kind {
        rucc_sema::ExprKind::Convert { operand, .. } | rucc_sema::ExprKind::Cast(operand) => strip_conversions(unit, operand),
        _ => expr,
    }
}

/// What one conversion of a `scanf` format writes.
enum Scanned {
    /// This many characters, terminator included; unknown without a field width.
    Characters(Option<u64>),
    /// One value of the type that the argument points to.
    Value,
}

/// The conversions of a `scanf` format that store something, in order.
fn scanned_sizes(format: &str) -> Vec<Scanned> {
    let mut sizes = Vec::new();
    let mut rest = format.chars().peekable();
    while let Some(c) = rest.next() {
        if c != '%' {
            continue;
        }
        let mut stored = true;
        let mut width: Option<u64> = None;
        while let Some(&next) = rest.peek() {
            match next {
                '*' => stored = false,
                '0'..='9' => width = Some(width.unwrap_or(0) * 10 + u64::from(next as u8 - b'0')),
                'h' | 'l' | 'j' | 'z' | 't' | 'L' | 'q' => {}
                _ => break,
            }
            rest.next();
        }
        let conversion = match rest.next() {
            Some('%') | None => continue,
            Some('[') => {
                // A bracket right after the opening one, or after `^`, belongs to the set.
                if rest.peek() == Some(&'^') {
                    rest.next();
                }
                rest.next();
                while rest.next().is_some_and(|c| c != ']') {}
                Scanned::Characters(width.map(|w| w + 1))
            }
            Some('s') => Scanned::Characters(width.map(|w| w + 1)),
            Some('c') => Scanned::Characters(Some(width.unwrap_or(1))),
            Some(_) => Scanned::Value,
        };
        if stored {
            sizes.push(conversion);
        }
    }
    sizes
}

/// Whether a format for printing stores the number of characters so far.
fn has_count(format: &str) -> bool {
    let mut rest = format.chars();
    while let Some(character) = rest.next() {
        // `%%` is no conversion; flags, width, precision and length come before the letter of one.
        if character == '%' && rest.find(|c| !"0123456789-+ #'.*$hlLqjzt".contains(*c)) == Some('n') {
            return true;
        }
    }
    false
}
