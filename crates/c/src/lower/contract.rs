//! Contracts of library functions: what they read (checked where accesses are the question), what they write, what they
//! return.
//!
//! What the system gives may be chosen by a counterexample, within its range; what C or the library determines and
//! nobody computes here may not. A function that fails writes nothing, so where somebody looks at the result, failure
//! is a path of its own.

use super::body::{Body, End, Ends, Value, Wanted};
use super::call::Argument;
use super::{Class, Entity};
use crate::Externals;
use crate::models::{Access, Contract, Extent, Returns};
use assay_cfa::{CType, Operation, Storage, ValueSourceKind, VarId, Zone};
use assay_term::Term;
use rucc_sema::{ExprId, ExprKind, Linkage};
use rucc_types::TypeId;

impl Body<'_, '_> {
    /// A call of a function with a contract.
    pub(super) fn contract(
        &mut self,
        contract: &Contract,
        name: &str,
        arguments: &[Argument],
        ty: TypeId,
        target: Option<VarId>,
        wanted: Wanted,
    ) -> Value {
        if contract.threads {
            self.l.builder.syntax.threads += 1;
        }
        if !contract.reads.is_empty() {
            self.only_for_accesses(|body| contract.reads.iter().for_each(|read| body.read_through(read, arguments)));
        }
        if let Some(argument) = contract.closes {
            let handle = self.word_argument(arguments, argument);
            self.close_handle(handle);
        }
        let class = self.unit.class(ty);
        if wanted == Wanted::Nothing || contract.returns == Returns::Nothing {
            self.all_written(contract, name, arguments);
            return self.zero(class);
        }
        let kind = if contract.determined { ValueSourceKind::Approximation } else { self.l.given(&self.unit.ctype(ty)) };
        let (Some(width), true) = (class.width(self.pointer_width()), class.is_scalar()) else {
            self.all_written(contract, name, arguments);
            return self.unknown_result(ty, target, kind, name);
        };
        let number = |body: &Self, value: i64| body.terms().number(width, value as u128);
        match contract.returns {
            Returns::Any | Returns::Nothing => {
                self.all_written(contract, name, arguments);
                self.unknown_result(ty, target, kind, name)
            }
            Returns::Range(low, high) => {
                let fails_below = matches!((low, high), (-1, 0) | (-1, i64::MAX) | (-1, 0x7FFF_FFFF));
                let succeeds_at_zero = (low, high) == (0, i64::from(i32::MAX));
                if contract.writes.is_empty() || !(fails_below || succeeds_at_zero) {
                    self.all_written(contract, name, arguments);
                    return self.within(low, high, ty, target, kind, name);
                }
                let value = self.within(low, high, ty, target, kind, name);
                if let Value::Scalar(result) = value {
                    let zero = number(self, 0);
                    let terms = self.terms();
                    let succeeded = if fails_below { terms.sle(zero, result) } else { terms.eq(result, zero) };
                    self.written_where(succeeded, contract, name, arguments);
                }
                value
            }
            Returns::Count(argument) => {
                let most = self.word_argument(arguments, argument);
                self.counted_writes(contract, name, arguments, most, ty, target)
            }
            Returns::UpTo(argument) => {
                let most = self.word_argument(arguments, argument);
                self.all_written(contract, name, arguments);
                self.counted(name, most, false, ty, target)
            }
            Returns::Below(argument) => {
                let most = self.word_argument(arguments, argument);
                self.all_written(contract, name, arguments);
                let source = self.source(kind, name);
                let result = self.temporary(width, self.unit.ctype(ty));
                self.emit(Operation::Havoc { target: result, source });
                let terms = self.terms();
                let (value, zero) = (self.read(result), number(self, 0));
                let wide = width.max(self.pointer_width());
                let below = terms.ult(terms.zero_extend(value, wide), terms.zero_extend(most, wide));
                self.emit(Operation::Assume { condition: terms.or(below, terms.eq(value, zero)) });
                Value::Scalar(value)
            }
            Returns::Handle { kind, nullable } => {
                let handle = self.new_handle(kind, nullable, ty, name);
                self.pointer_result(handle, ty)
            }
            Returns::Text { line, nullable } => {
                let kind = if contract.determined { kind } else { ValueSourceKind::System };
                let text = self.new_text(line, nullable, kind, name);
                self.pointer_result(text, ty)
            }
            Returns::Record { nullable } => {
                let scalar = if contract.determined { kind } else { ValueSourceKind::System };
                match self.new_record(nullable, ty, scalar, name) {
                    Some(record) => self.pointer_result(record, ty),
                    None => self.unknown_result(ty, target, kind, name),
                }
            }
            Returns::Same(argument, false) => {
                self.all_written(contract, name, arguments);
                let same = self.word_argument(arguments, argument);
                Value::Scalar(self.terms().resize(same, width, false))
            }
            Returns::Same(argument, true) => {
                let failed = self.unknown(1, CType::Bool, ValueSourceKind::System, name);
                let succeeded = self.terms().not(failed);
                self.written_where(succeeded, contract, name, arguments);
                let (same, null) = (self.word_argument(arguments, argument), self.word(0));
                let value = self.terms().ite(failed, null, same);
                Value::Scalar(self.terms().resize(value, width, false))
            }
            Returns::Own(argument) => self.own_or_new(contract, argument, name, arguments),
            Returns::Byte(argument) => {
                self.all_written(contract, name, arguments);
                let failed = self.unknown(1, CType::Bool, ValueSourceKind::System, name);
                let character = self.word_argument(arguments, argument);
                let terms = self.terms();
                let byte = terms.zero_extend(terms.extract(character, 7, 0), width);
                Value::Scalar(terms.ite(failed, number(self, -1), byte))
            }
            Returns::Written => {
                let failed = self.unknown(1, CType::Bool, ValueSourceKind::System, name);
                let count = self.approximation(width - 1, name);
                let count = self.terms().zero_extend(count, width);
                Value::Scalar(self.terms().ite(failed, number(self, -1), count))
            }
            Returns::Pointer { nullable } => {
                self.all_written(contract, name, arguments);
                let value = self.unknown_result(ty, target, kind, name);
                if let (Value::Scalar(pointer), false) = (value, nullable) {
                    let condition = self.terms().is_nonzero(pointer);
                    self.emit(Operation::Assume { condition });
                }
                value
            }
        }
    }

    /// Any number within these bounds. Where it can be, it is made of as many bits as it needs, so that a run that
    /// chooses at random never chooses a number outside.
    fn within(&mut self, low: i64, high: i64, ty: TypeId, target: Option<VarId>, kind: ValueSourceKind, name: &str) -> Value {
        let Some(width) = self.unit.class(ty).width(self.pointer_width()) else { return Value::Void };
        let bits = match high {
            i64::MAX => Some(width - 1),
            _ => (high >= 0 && (high as u64 + 1).is_power_of_two()).then(|| (high as u64 + 1).trailing_zeros()),
        };
        let (Some(bits), true) = (bits.filter(|&bits| bits < width), matches!(low, -1 | 0)) else {
            if low != i64::MIN && high != i64::MAX && high.abs_diff(low) < 1 << 31 && (width >= 64 || high < 1 << (width - 1)) {
                return Value::Scalar(self.bounded(low, high, width, kind, name));
            }
            let value = self.unknown_result(ty, target, kind, name);
            self.assume_range(value, low, high);
            return value;
        };
        let number = match bits {
            0 => self.terms().number(width, 0),
            _ => {
                let value = self.unknown(bits, CType::Integer { width: bits, signed: false, name: "unsigned int" }, kind, name);
                self.terms().zero_extend(value, width)
            }
        };
        if low == 0 {
            return Value::Scalar(number);
        }
        let failed = self.unknown(1, CType::Bool, kind, name);
        let minus = self.terms().number(width, u128::MAX);
        let value = self.terms().ite(failed, minus, number);
        Value::Scalar(self.snapshot(value))
    }

    /// The result is within these bounds, read as signed.
    fn assume_range(&mut self, value: Value, low: i64, high: i64) {
        let Value::Scalar(value) = value else { return };
        let terms = self.terms();
        let width = terms.width(value);
        let fits = |bound: i64| width >= 64 || (bound >= -(1 << (width - 1)) && bound < 1 << (width - 1));
        let mut condition = terms.true_();
        if low == high && fits(low) {
            condition = terms.eq(value, terms.number(width, low as u128));
        } else {
            if low != i64::MIN && fits(low) {
                condition = terms.and(condition, terms.sle(terms.number(width, low as u128), value));
            }
            if high != i64::MAX && fits(high) {
                condition = terms.and(condition, terms.sle(value, terms.number(width, high as u128)));
            }
        }
        if !self.terms().is_true(condition) {
            self.emit(Operation::Assume { condition });
        }
    }

    fn all_written(&mut self, contract: &Contract, name: &str, arguments: &[Argument]) {
        for write in &contract.writes {
            self.written_through(write, name, arguments, !contract.determined);
        }
    }

    /// What is written only where a condition holds.
    fn written_where(&mut self, condition: Term, contract: &Contract, name: &str, arguments: &[Argument]) {
        if contract.writes.is_empty() {
            return;
        }
        let (yes, mut no) = self.split(condition, None);
        self.ends = yes;
        self.all_written(contract, name, arguments);
        self.ends.append(&mut no);
    }

    /// A read of up to so many bytes. Nothing is written where it fails or is at the end; a short one leaves the rest
    /// as it was, which is not followed, so that a counterexample reads all.
    fn counted_writes(
        &mut self,
        contract: &Contract,
        name: &str,
        arguments: &[Argument],
        most: Term,
        ty: TypeId,
        target: Option<VarId>,
    ) -> Value {
        if contract.writes.is_empty() {
            return self.counted(name, most, true, ty, target);
        }
        let most = self.snapshot(most);
        let Some(width) = self.unit.class(ty).width(self.pointer_width()) else { return Value::Void };
        let ctype = self.unit.ctype(ty);
        let result = self.temporary(width, ctype.clone());
        let got = self.unknown(1, CType::Bool, ValueSourceKind::System, name);
        let (reading, nothing) = self.split(got, None);
        self.ends = nothing;
        let source = self.source(ValueSourceKind::System, name);
        self.emit(Operation::Havoc { target: result, source });
        self.assume_range(Value::Scalar(self.read(result)), -1, 0);
        let mut done = std::mem::replace(&mut self.ends, reading);
        self.all_written(contract, name, arguments);
        let whole = self.unknown(1, CType::Bool, ValueSourceKind::System, name);
        let part = self.approximation(width, name);
        let terms = self.terms();
        let all = terms.resize(most, width, false);
        let few = terms.and(terms.ult(terms.number(width, 0), part), terms.ult(part, all));
        let part = terms.ite(few, part, terms.number(width, 1));
        let count = terms.ite(terms.or(whole, terms.ule(all, terms.number(width, 1))), all, part);
        self.assign(result, count);
        self.ends.append(&mut done);
        Value::Scalar(self.read(result))
    }

    /// `getcwd`: writes to the argument, or to a new object of the right size where that is null.
    fn own_or_new(&mut self, contract: &Contract, argument: usize, name: &str, arguments: &[Argument]) -> Value {
        let given = self.word_argument(arguments, argument);
        let given = self.snapshot(given);
        let result = self.word_temporary();
        let null = self.word(0);
        self.assign(result, null);
        let failed = self.unknown(1, CType::Bool, ValueSourceKind::System, name);
        let (mut done, going_on) = self.split(failed, None);
        self.ends = going_on;
        let is_null = self.terms().eq(given, null);
        let (making, writing) = self.split(is_null, None);
        self.ends = making;
        if !self.is_dead() {
            let ctype = CType::Integer { width: 12, signed: false, name: "unsigned int" };
            let size = self.unknown(12, ctype, ValueSourceKind::System, name);
            let one = self.word(1);
            let size = self.terms().add(self.terms().zero_extend(size, self.pointer_width()), one);
            let new = self.allocate_surely(size, Zone::Heap, false, None);
            let last = self.terms().sub(self.terms().add(new, size), one);
            let zero = self.terms().number(8, 0);
            self.store(last, zero);
            self.assign(result, new);
        }
        done.append(&mut self.ends);
        self.ends = writing;
        self.all_written(contract, name, arguments);
        self.assign(result, given);
        self.ends.append(&mut done);
        Value::Scalar(self.read(result))
    }

    /// What a function of the program's without a body writes, as far as the user says that it may.
    pub(super) fn external_effects(&mut self, name: &str, arguments: &[Argument]) {
        if self.l.externals == Externals::Pure {
            return;
        }
        for (number, argument) in arguments.iter().enumerate() {
            let (Value::Scalar(_), Class::Pointer) = (argument.value, argument.class) else { continue };
            let known = argument.expr.and_then(|expr| self.pointee_behind_casts(expr)).is_some();
            let is_function = self.unit.pointee(argument.ty).is_some_and(|to| self.unit.class(to) == Class::Function);
            if known && self.l.externals == Externals::HavocArguments {
                let access = Access { argument: number, optional: true, extent: Extent::Pointee };
                self.written_through(&access, name, arguments, true);
            } else if !is_function {
                let address = self.word_argument(arguments, number);
                let there = self.terms().is_nonzero(address);
                let (yes, mut no) = self.split(there, None);
                self.ends = yes;
                self.forget_memory(address, name);
                self.ends.append(&mut no);
            }
        }
        if self.l.externals == Externals::HavocReachable {
            self.forget_globals(name);
            let anywhere = self.approximation(self.pointer_width(), name);
            self.forget_memory(anywhere, name);
        }
    }

    fn forget_memory(&mut self, address: Term, name: &str) {
        let size = self.approximation(self.pointer_width(), name);
        let source = self.source(ValueSourceKind::Approximation, name);
        self.emit(Operation::HavocMemory { address, size, source });
    }

    /// Variables that other files can name take any value.
    fn forget_globals(&mut self, name: &str) {
        for global in self.l.facts.objects.clone() {
            let unit = &self.l.units[global.unit];
            let named = unit.tast[global.id()].linkage == Linkage::External && !unit.is_library;
            let Some(Entity::Variable(variable)) = self.l.entity(global.unit, global.id()).filter(|_| named) else { continue };
            let source = self.source(ValueSourceKind::Approximation, name);
            match self.l.builder.variables[variable].storage {
                Storage::Register { .. } => self.emit(Operation::Havoc { target: variable, source }),
                Storage::Memory { size, .. } => {
                    let (address, size) = (self.l.builder.address_of(variable), self.word(size.unwrap_or(0)));
                    self.emit(Operation::HavocMemory { address, size, source });
                }
            }
        }
    }

    /// The size of what is read or written, where it is known without looking at memory.
    fn extent(&mut self, access: &Access, arguments: &[Argument]) -> Option<Term> {
        let pointee = arguments[access.argument].expr.and_then(|expr| self.pointee_behind_casts(expr));
        match access.extent {
            Extent::Bytes(bytes) => Some(self.word(bytes)),
            Extent::Line => Some(self.word(super::given::LINE)),
            Extent::Argument(count) | Extent::Terminated(count) => Some(self.word_argument(arguments, count)),
            Extent::Product(a, b) => {
                let (a, b) = (self.word_argument(arguments, a), self.word_argument(arguments, b));
                Some(self.terms().mul(a, b))
            }
            Extent::Pointee => pointee.map(|bytes| self.word(bytes)),
            Extent::Elements(count) => pointee.map(|bytes| {
                let (count, bytes) = (self.word_argument(arguments, count), self.word(bytes));
                self.terms().mul(count, bytes)
            }),
            Extent::String => None,
        }
    }

    /// What is emitted here is left out where accesses are not the question.
    pub(super) fn only_for_accesses(&mut self, emit: impl FnOnce(&mut Self)) {
        if self.is_dead() {
            return;
        }
        let start = self.fresh_location();
        self.go_on_at(start);
        emit(self);
        if matches!(self.ends[..], [End::Location(here)] if here == start) {
            return;
        }
        let end = self.fresh_location();
        self.go_on_at(end);
        self.l.builder.marks.reads.push((start, end));
    }

    /// Reads what an argument leads to, where accesses are the question.
    fn read_through(&mut self, access: &Access, arguments: &[Argument]) {
        if access.argument >= arguments.len() {
            return;
        }
        let address = self.word_argument(arguments, access.argument);
        let mut skipped = Vec::new();
        if access.optional {
            let there = self.terms().is_nonzero(address);
            let (yes, no) = self.split(there, None);
            self.ends = yes;
            skipped = no;
        }
        match self.extent(access, arguments) {
            Some(size) => self.check_access(address, size, false),
            None if access.extent == Extent::String => {
                let literal = arguments[access.argument].expr.is_some_and(|expr| self.literal_text(expr).is_some());
                if !literal {
                    self.check_string(address, None);
                }
            }
            None => {}
        }
        self.ends.append(&mut skipped);
    }

    /// A string is read up to its end, or up to a bound.
    pub(super) fn check_string(&mut self, address: Term, bound: Option<Term>) {
        if self.is_dead() {
            return;
        }
        let address = self.snapshot(address);
        let counter = self.word_temporary();
        let (zero, one) = (self.word(0), self.word(1));
        self.assign(counter, zero);
        let head = self.fresh_location();
        self.go_on_at(head);
        let index = self.read(counter);
        let mut done: Ends = Vec::new();
        if let Some(bound) = bound {
            let more = self.terms().ult(index, bound);
            let (yes, no) = self.split(more, None);
            self.ends = yes;
            done = no;
        }
        let at = self.terms().add(address, index);
        let byte = self.load(at, 8, CType::Integer { width: 8, signed: false, name: "unsigned char" });
        let more = self.terms().is_nonzero(byte);
        let (yes, no) = self.split(more, None);
        self.ends = yes;
        let next = self.terms().add(index, one);
        self.assign(counter, next);
        self.lead_to(head);
        self.ends = no;
        self.ends.append(&mut done);
    }

    /// What an argument points to takes any value.
    fn written_through(&mut self, access: &Access, name: &str, arguments: &[Argument], choosable: bool) {
        let number = access.argument;
        if number >= arguments.len() {
            return;
        }
        let address = self.word_argument(arguments, number);
        let size = self.extent(access, arguments);
        let mut skipped = Vec::new();
        if access.optional {
            let there = self.terms().is_nonzero(address);
            if self.terms().is_false(there) {
                return;
            }
            let (yes, no) = self.split(there, None);
            self.ends = yes;
            skipped = no;
        }
        match size {
            Some(size) => {
                let content = self.unit.pointee(arguments[number].ty).map_or(CType::Void, |to| self.unit.ctype(to));
                let kind = if choosable { self.l.given(&content) } else { ValueSourceKind::Approximation };
                let source = self.source(kind, name);
                self.emit(Operation::HavocMemory { address, size, source });
                let kind = if choosable { ValueSourceKind::System } else { ValueSourceKind::Approximation };
                match access.extent {
                    Extent::Terminated(_) => self.terminate(address, size, name),
                    Extent::Line => self.end_line(address),
                    Extent::Pointee => {
                        if let Some(record) = self.unit.pointee(arguments[number].ty) {
                            self.bound_members(address, record, kind, name);
                        }
                    }
                    _ => {}
                }
            }
            None => self.unsupported(format!("{name}, which writes memory of unknown size")),
        }
        self.ends.append(&mut skipped);
    }

    /// Somewhere within the size there is a terminator, if there is any room.
    pub(super) fn terminate(&mut self, address: Term, size: Term, name: &str) {
        let width = self.pointer_width();
        let room = self.terms().is_nonzero(size);
        let (yes, mut no) = self.split(room, None);
        self.ends = yes;
        if !self.is_dead() {
            let end = self.unknown(width, CType::Integer { width, signed: false, name: "unsigned long" }, ValueSourceKind::System, name);
            let condition = self.terms().ult(end, size);
            self.emit(Operation::Assume { condition });
            let (place, zero) = (self.terms().add(address, end), self.terms().number(8, 0));
            self.store(place, zero);
        }
        self.ends.append(&mut no);
    }

    /// `fgets` and `read`: the buffer takes any bytes, the result says how it went.
    pub(super) fn read_into(&mut self, line: bool, name: &str, arguments: &[Argument], ty: TypeId, target: Option<VarId>) -> Value {
        if !line {
            let access = Access { argument: 1, optional: false, extent: Extent::Argument(2) };
            let contract = Contract {
                reads: vec![],
                writes: vec![access],
                returns: Returns::Count(2),
                determined: false,
                threads: false,
                closes: None,
            };
            let most = self.word_argument(arguments, 2);
            return self.counted_writes(&contract, name, arguments, most, ty, target);
        }
        let (buffer, size) = (self.word_argument(arguments, 0), self.word_argument(arguments, 1));
        // A line ends in a zero within the size; where there is no line nothing is written.
        let (buffer, size) = (self.snapshot(buffer), self.snapshot(size));
        let failed = self.unknown(1, CType::Bool, ValueSourceKind::System, name);
        let (mut nothing, read) = self.split(failed, None);
        self.ends = read;
        let source = self.source(ValueSourceKind::System, name);
        self.emit(Operation::HavocMemory { address: buffer, size, source });
        let width = self.pointer_width();
        let end = self.unknown(width, CType::Integer { width, signed: false, name: "unsigned long" }, ValueSourceKind::System, name);
        let condition = self.terms().ult(end, size);
        self.emit(Operation::Assume { condition });
        let (place, zero) = (self.terms().add(buffer, end), self.terms().number(8, 0));
        self.store(place, zero);
        self.ends.append(&mut nothing);
        let null = self.word(0);
        Value::Scalar(self.terms().ite(failed, null, buffer))
    }

    /// Any number from 0 to `most`, or -1 where that says that something failed.
    pub(super) fn counted(&mut self, name: &str, most: Term, may_fail: bool, ty: TypeId, target: Option<VarId>) -> Value {
        let value = self.unknown_result(ty, target, ValueSourceKind::System, name);
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

    /// The size of what an argument points to, as it was written before its conversion to `void *`.
    pub(super) fn pointee_behind_casts(&self, expr: ExprId) -> Option<u64> {
        let own = self.unit.pointee(self.unit.tast[expr].ty).and_then(|to| self.unit.size_of(to));
        match (own, self.unit.tast[expr].kind) {
            (None, ExprKind::Convert { operand, .. } | ExprKind::Cast(operand)) => self.pointee_behind_casts(operand),
            (own, _) => own,
        }
    }
}
