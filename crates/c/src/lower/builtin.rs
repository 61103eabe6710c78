//! The compiler's own operators: `__builtin_…`, `__atomic_…`, `va_arg` and their like.

use super::Class;
use super::body::{Body, Value};
use super::condition::PURE;
use super::place::Place;
use assay_base::AssumptionClass;
use assay_cfa::{CType, CheckKind, Operation, ThreadOperation, ValueSourceKind, Zone};
use assay_term::{Op, Term};
use rucc_ast::BinaryOp;
use rucc_sema::{AtomicOp, BitCount, Classify, ExprId, ExprKind, ExprList, JumpAsk, OverflowOp, Rmw, Sign};
use rucc_types::TypeId;

impl Body<'_, '_> {
    pub(super) fn builtin(&mut self, expr: ExprId, kind: ExprKind) -> Value {
        let ty = self.unit.tast[expr].ty;
        let class = self.unit.class(ty);
        let width = class.width(self.pointer_width()).unwrap_or(32);
        match kind {
            ExprKind::Expect { value, .. } => self.value(value),
            ExprKind::ConstantP { value } => {
                let constant = matches!(self.unit.tast[value].kind, ExprKind::Const(_));
                Value::Scalar(self.terms().number(width, u128::from(constant)))
            }
            ExprKind::Prefetch { address, .. } => {
                self.discard(address);
                Value::Void
            }
            ExprKind::Unreachable => {
                let fails = self.terms().true_();
                self.emit(Operation::Check { kind: CheckKind::Unreachable, fails });
                self.halt();
                Value::Void
            }
            ExprKind::Trap => {
                self.halt();
                Value::Void
            }
            // Sizes of objects are not tracked here; these are the answers that mean "unknown".
            ExprKind::ObjectSize { address, kind } => {
                if self.purity(address) != PURE {
                    self.discard(address);
                }
                let unknown = if kind & 2 == 0 { u128::MAX } else { 0 };
                Value::Scalar(self.terms().number(width, unknown))
            }
            ExprKind::Alloca { size } => {
                let from = self.class_of(size);
                let size = self.scalar(size);
                let size = self.terms().resize(size, self.pointer_width(), from.is_signed());
                Value::Scalar(self.allocate(size, Zone::Stack, false, None))
            }
            ExprKind::Abs { operand } => {
                let value = self.scalar(operand);
                let negated = self.negate(value, class);
                let zero = self.terms().number(width, 0);
                let negative = self.terms().slt(value, zero);
                Value::Scalar(self.terms().ite(negative, negated, value))
            }
            ExprKind::ByteSwap { operand } => {
                let value = self.scalar(operand);
                let terms = self.terms();
                let mut swapped = terms.extract(value, 7, 0);
                for low in (8..width).step_by(8) {
                    swapped = terms.concat(swapped, terms.extract(value, low + 7, low));
                }
                Value::Scalar(swapped)
            }
            ExprKind::BitCount { operand, count } => {
                let value = self.scalar(operand);
                let value = self.snapshot(value);
                if matches!(count, BitCount::Leading | BitCount::Trailing) {
                    let fails = self.terms().not(self.terms().is_nonzero(value));
                    self.watch(CheckKind::BitCountOfZero, fails);
                }
                Value::Scalar(self.bit_count(value, count, width))
            }
            ExprKind::Overflow { op, args, stores, .. } => self.overflow_builtin(op, args, stores, width),
            ExprKind::Classify { op, lhs, rhs } => {
                let wanted = std::mem::take(&mut self.wanted);
                let a = self.scalar(lhs);
                let b = rhs.map(|rhs| self.scalar(rhs));
                if op == Classify::SignBit {
                    let sign = self.known_sign(a);
                    let flag = self.number_of(sign, width);
                    return Value::Scalar(self.any_truth(flag, wanted, "__builtin_signbit"));
                }
                Value::Scalar(self.classify(op, a, b, width))
            }
            ExprKind::FpClassify { value, answers } => {
                let value = self.scalar(value);
                let answers: Vec<Term> = self.unit.tast[answers].iter().copied().map(|a| self.scalar(a)).collect();
                match <[Term; 5]>::try_from(answers) {
                    Ok(answers) => Value::Scalar(self.fp_class(value, answers)),
                    Err(_) => self.unsupported_value("__builtin_fpclassify", class),
                }
            }
            ExprKind::Sign { op, lhs, rhs } => {
                let a = self.scalar(lhs);
                let magnitude = self.magnitude(a);
                match (op, rhs) {
                    (Sign::Of, Some(rhs)) => {
                        let b = self.scalar(rhs);
                        let sign = self.known_sign(b);
                        let sign = self.terms().concat(sign, self.terms().number(width - 1, 0));
                        Value::Scalar(self.terms().or(magnitude, sign))
                    }
                    _ => Value::Scalar(magnitude),
                }
            }
            ExprKind::VaArg { list } => {
                let list = self.scalar(list);
                self.next_argument(list, ty)
            }
            ExprKind::VaStart { list } => {
                let list = self.scalar(list);
                let first = self.varargs.map_or_else(|| self.word(0), |register| self.read(register));
                self.store(list, first);
                Value::Void
            }
            ExprKind::VaEnd { list } => {
                self.discard(list);
                Value::Void
            }
            ExprKind::VaCopy { dst, src } => {
                let (to, from) = self.operands(None, dst, src);
                let word = self.pointer_width();
                let value = self.load(from, word, CType::Pointer);
                self.store(to, value);
                Value::Void
            }
            ExprKind::Atomic { op, args, .. } => self.atomic(op, args, ty),
            ExprKind::FrameAddress { .. } | ExprKind::ThreadPointer | ExprKind::SpEntry | ExprKind::TimeStamp { .. } => {
                self.note(AssumptionClass::Over, "a fact about the machine's stack or clock: it may be any value");
                self.unknown_result(ty, None, ValueSourceKind::Approximation, "a machine register")
            }
            ExprKind::Jump { ask: JumpAsk::Save, buffer } => {
                let buffer = self.scalar(buffer);
                self.remember_place(expr, buffer, width)
            }
            ExprKind::Jump { ask: JumpAsk::Restore, buffer } => {
                let buffer = self.scalar(buffer);
                self.jump_back(buffer, None);
                Value::Void
            }
            _ => self.unsupported_value("an operator of the machine", class),
        }
    }

    fn bit_count(&mut self, value: Term, count: BitCount, result: u32) -> Term {
        let terms = self.terms();
        let width = terms.width(value);
        let number = |n: u32| terms.number(result, u128::from(n));
        let bit = |at: u32| terms.extract(value, at, at);
        match count {
            BitCount::Ones => (0..width).fold(number(0), |sum, at| terms.add(sum, terms.zero_extend(bit(at), result))),
            BitCount::Parity => {
                let odd = (0..width).fold(terms.false_(), |odd, at| terms.xor(odd, bit(at)));
                terms.zero_extend(odd, result)
            }
            // Zero has no first or last one: gcc leaves the result open, and this is what the usual instruction gives.
            BitCount::Leading => (0..width).fold(number(width), |rest, at| terms.ite(bit(at), number(width - 1 - at), rest)),
            BitCount::Trailing => (0..width).rev().fold(number(width), |rest, at| terms.ite(bit(at), number(at), rest)),
            BitCount::FirstSet => (0..width).rev().fold(number(0), |rest, at| terms.ite(bit(at), number(at + 1), rest)),
            BitCount::RedundantSign => {
                let sign = bit(width - 1);
                (0..width - 1).fold(number(width - 1), |rest, at| {
                    let differs = terms.xor(bit(at), sign);
                    terms.ite(differs, number(width - 2 - at), rest)
                })
            }
        }
    }

    /// Computes in enough bits to be exact, and says whether the destination cannot hold the result.
    fn overflow_builtin(&mut self, op: OverflowOp, args: ExprList, stores: bool, result: u32) -> Value {
        let args = self.unit.tast[args].to_vec();
        let [lhs, rhs, to] = args[..] else { return self.unsupported_value("an overflow builtin", Class::Bool) };
        let (left, right) = (self.class_of(lhs), self.class_of(rhs));
        let destination =
            if stores { self.unit.pointee(self.unit.tast[to].ty).unwrap_or(self.unit.tast[to].ty) } else { self.unit.tast[to].ty };
        let target = self.unit.class(destination);
        let (a, b) = self.operands(None, lhs, rhs);
        let address = stores.then(|| self.scalar(to));
        let Some(width) = target.width(self.pointer_width()) else { return self.unsupported_value("an overflow builtin", Class::Bool) };
        let terms = self.terms();
        // A product of two numbers of 64 bits fits into 128 if it is read as signed where one of them is, and as
        // unsigned where none is; no such product looks like the extension of a number of another sign.
        let widest = width.max(terms.width(a)).max(terms.width(b));
        let wide = if op == OverflowOp::Mul { 2 * widest } else { widest + 2 };
        if wide > 128 {
            return self.unsupported_value("an overflow builtin on 128 bits", Class::Bool);
        }
        let (a, b) = (terms.resize(a, wide, left.is_signed()), terms.resize(b, wide, right.is_signed()));
        let exact = match op {
            OverflowOp::Add => terms.add(a, b),
            OverflowOp::Sub => terms.sub(a, b),
            OverflowOp::Mul => terms.mul(a, b),
        };
        let cut = terms.extract(exact, width - 1, 0);
        let overflows = terms.ne(terms.resize(cut, wide, target.is_signed()), exact);
        let flag = terms.zero_extend(overflows, result);
        if let Some(address) = address {
            let flag = self.snapshot(flag);
            self.write_place(Place::Memory(address), destination, cut);
            return Value::Scalar(flag);
        }
        Value::Scalar(flag)
    }

    fn classify(&mut self, op: Classify, a: Term, b: Option<Term>, result: u32) -> Term {
        let terms = self.terms();
        let width = terms.width(a);
        let infinite = |body: &Self| terms.eq(body.magnitude(a), body.infinity(width));
        let negative = terms.extract(a, width - 1, width - 1);
        let truth = match op {
            Classify::Unordered => terms.or(self.is_nan(a), self.is_nan(b.unwrap_or(a))),
            Classify::LessGreater => {
                let b = b.unwrap_or(a);
                terms.or(terms.compare(Op::FLess, a, b), terms.compare(Op::FLess, b, a))
            }
            Classify::Nan => self.is_nan(a),
            Classify::Infinite => infinite(self),
            Classify::Finite => self.is_finite(a),
            Classify::Normal => self.is_normal(a),
            Classify::SignBit => negative,
            Classify::InfiniteSign => {
                let (one, minus, zero) = (terms.number(result, 1), terms.number(result, u128::MAX), terms.number(result, 0));
                return terms.ite(infinite(self), terms.ite(negative, minus, one), zero);
            }
        };
        terms.zero_extend(truth, result)
    }

    /// Atomic operations: nothing comes between their accesses.
    fn atomic(&mut self, op: AtomicOp, args: ExprList, ty: TypeId) -> Value {
        let args = self.unit.tast[args].to_vec();
        let class = self.unit.class(ty);
        if args.is_empty() {
            return Value::Void;
        }
        // The flags touch one byte, whatever the pointer points to: what is written has the type of the access.
        let object = match (op, args.get(1)) {
            (AtomicOp::Store | AtomicOp::TestAndSet, Some(&value)) => self.unit.tast[value].ty,
            _ => self.unit.pointee(self.unit.tast[args[0]].ty).unwrap_or(ty),
        };
        let object_class = self.unit.class(object);
        if !object_class.is_scalar() {
            return self.unsupported_value("an atomic operation on this type", class);
        }
        let classes: Vec<Class> = args.iter().map(|&a| self.class_of(a)).collect();
        let mut values: Vec<Term> = Vec::new();
        for &arg in &args {
            let value = self.scalar(arg);
            values.push(self.snapshot(value));
        }
        if !self.l.library.has_threads() {
            return self.atomic_step(op, object, &classes, &values, class);
        }
        self.emit(Operation::Thread(ThreadOperation::AtomicBegin));
        let value = match self.atomic_step(op, object, &classes, &values, class) {
            Value::Scalar(value) => Value::Scalar(self.snapshot(value)),
            other => other,
        };
        self.emit(Operation::Thread(ThreadOperation::AtomicEnd));
        value
    }

    /// What an atomic operation does once its operands are known.
    fn atomic_step(&mut self, op: AtomicOp, object: TypeId, classes: &[Class], values: &[Term], class: Class) -> Value {
        let object_class = self.unit.class(object);
        let place = Place::Memory(values[0]);
        let operand = |body: &mut Self, at: usize| match values.get(at) {
            Some(&value) => body.convert(value, classes[at], object_class),
            None => body.terms().number(object_class.width(body.pointer_width()).unwrap_or(32), 0),
        };
        let pointee = |body: &mut Self, at: usize| Place::Memory(values.get(at).copied().unwrap_or_else(|| body.word(0)));
        let old = |body: &mut Self| {
            let value = body.read_place(place, object);
            body.snapshot(value)
        };
        match op {
            AtomicOp::Fence | AtomicOp::SignalFence => Value::Void,
            AtomicOp::Load => Value::Scalar(self.read_place(place, object)),
            AtomicOp::LoadInto => {
                let value = old(self);
                let to = pointee(self, 1);
                self.write_place(to, object, value);
                Value::Void
            }
            AtomicOp::Store => {
                let value = operand(self, 1);
                self.write_place(place, object, value);
                Value::Void
            }
            AtomicOp::Exchange => {
                let before = old(self);
                let value = operand(self, 1);
                self.write_place(place, object, value);
                Value::Scalar(before)
            }
            AtomicOp::ExchangeInto => {
                let before = old(self);
                let value = operand(self, 1);
                self.write_place(place, object, value);
                let to = pointee(self, 2);
                self.write_place(to, object, before);
                Value::Void
            }
            AtomicOp::TestAndSet => {
                let before = old(self);
                let one = self.terms().number(self.terms().width(before), 1);
                self.write_place(place, object, one);
                let truth = self.terms().is_nonzero(before);
                let width = class.width(self.pointer_width()).unwrap_or(8);
                Value::Scalar(self.number_of(truth, width))
            }
            AtomicOp::Fetch(rmw) | AtomicOp::Update(rmw) => {
                let before = old(self);
                let value = operand(self, 1);
                let after = self.modify(rmw, before, value);
                let after = self.snapshot(after);
                self.write_place(place, object, after);
                Value::Scalar(if matches!(op, AtomicOp::Fetch(_)) { before } else { after })
            }
            AtomicOp::SwapBool | AtomicOp::SwapValue => {
                let before = old(self);
                let (expected, value) = (operand(self, 1), operand(self, 2));
                let equal = self.compare(BinaryOp::Eq, object_class, before, expected);
                let after = self.terms().ite(equal, value, before);
                self.write_place(place, object, after);
                if op == AtomicOp::SwapValue {
                    return Value::Scalar(before);
                }
                let width = class.width(self.pointer_width()).unwrap_or(8);
                Value::Scalar(self.number_of(equal, width))
            }
            AtomicOp::CompareExchange => {
                let before = old(self);
                let expected_place = pointee(self, 1);
                let expected = self.read_place(expected_place, object);
                let expected = self.snapshot(expected);
                let value = operand(self, 2);
                let equal = self.compare(BinaryOp::Eq, object_class, before, expected);
                let after = self.terms().ite(equal, value, before);
                self.write_place(place, object, after);
                self.write_place(expected_place, object, before);
                let width = class.width(self.pointer_width()).unwrap_or(8);
                Value::Scalar(self.number_of(equal, width))
            }
        }
    }

    fn modify(&self, rmw: Rmw, old: Term, value: Term) -> Term {
        let terms = self.terms();
        match rmw {
            Rmw::Add => terms.add(old, value),
            Rmw::Sub => terms.sub(old, value),
            Rmw::And => terms.and(old, value),
            Rmw::Nand => terms.not(terms.and(old, value)),
            Rmw::Or => terms.or(old, value),
            Rmw::Xor => terms.xor(old, value),
        }
    }
}
