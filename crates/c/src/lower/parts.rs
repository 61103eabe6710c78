//! Values of several parts: GNU's vectors and complex numbers. Such a value lies in an object, as a structure does; an
//! operator takes its operands apart, computes each part as C computes a number of its type, and puts the result into
//! an object of its own. What multiplies and divides complex numbers is in [`complex`](super::complex).

use super::Class;
use super::body::{Body, Value};
use super::condition::EFFECTS;
use super::place::Place;
use crate::adapter::Unit;
use assay_term::Term;
use rucc_ast::{BinaryOp, UnaryOp};
use rucc_sema::{Const, Conversion, Elementwise, ExprId, ExprKind};
use rucc_types::{TypeId, TypeKind};

/// How a type is made of parts, one behind the other.
#[derive(Clone, Copy)]
pub(crate) struct Parts {
    pub element: TypeId,
    pub class: Class,
    pub count: u64,
    /// The bytes of one part.
    pub size: u64,
    pub is_complex: bool,
}

/// An operand of an operator on complex numbers.
#[derive(Clone, Copy)]
pub(super) enum Half {
    /// A real number, which C does not turn into a complex one before it computes.
    Real(Term),
    Both(Term, Term),
}

impl Half {
    pub(super) fn real(self) -> Term {
        match self {
            Half::Real(real) | Half::Both(real, _) => real,
        }
    }
}

impl Unit {
    /// The parts of a type that has some; none for types whose parts are no numbers that are known.
    pub(crate) fn parts(&self, ty: TypeId) -> Option<Parts> {
        let (element, count, is_complex) = match self.kind(ty) {
            TypeKind::Complex(element) => (element, 2, true),
            TypeKind::Vector { elem, len } => (elem, u64::from(len), false),
            _ => return None,
        };
        let class = self.class(element);
        let size = self.size_of(element)?;
        matches!(class, Class::Int { .. } | Class::Float { .. }).then_some(Parts { element, class, count, size, is_complex })
    }

    /// Whether values of the type have parts.
    pub(crate) fn has_parts(&self, ty: TypeId) -> bool {
        self.parts(ty).is_some()
    }
}

/// What is said where the order of operands matters that have parts.
const OPEN_ORDER: &str = "operands of vector or complex type of which one changes another";

impl Body<'_, '_> {
    pub(super) fn parts_type(&self, expr: ExprId) -> Option<Parts> {
        self.unit.parts(self.unit.tast[expr].ty)
    }

    /// The value of an operator whose result has parts; none for what other values have as well.
    pub(super) fn value_of_parts(&mut self, expr: ExprId) -> Option<Value> {
        let ty = self.unit.tast[expr].ty;
        let parts = self.unit.parts(ty)?;
        let computed = match self.unit.tast[expr].kind {
            ExprKind::Const(_)
            | ExprKind::Unary { op: UnaryOp::Plus | UnaryOp::Minus | UnaryOp::BitNot | UnaryOp::Not, .. }
            | ExprKind::Binary { .. }
            | ExprKind::Complex { .. }
            | ExprKind::ConvertVector { .. }
            | ExprKind::Elementwise { .. }
            | ExprKind::Shuffle { .. }
            | ExprKind::ShuffleVector { .. } => true,
            ExprKind::Convert { kind, .. } => !matches!(kind, Conversion::Lvalue | Conversion::Void),
            ExprKind::Cast(_) => true,
            ExprKind::Unary { op: UnaryOp::PreInc | UnaryOp::PreDec | UnaryOp::PostInc | UnaryOp::PostDec, .. } => {
                return Some(self.step_of_parts(expr, parts));
            }
            ExprKind::Assign { op: Some(op), lhs, rhs, computation } => {
                return Some(self.compound_of_parts(op, computation, lhs, rhs));
            }
            _ => false,
        };
        if !computed {
            return None;
        }
        let values = self.parts_of(expr, parts);
        Some(self.put_together(ty, parts, &values))
    }

    /// An object with these parts.
    fn put_together(&mut self, ty: TypeId, parts: Parts, values: &[Term]) -> Value {
        let object = self.temporary_object(ty);
        let address = self.l.builder.address_of(object);
        self.write_parts(address, parts, values);
        Value::Aggregate(address)
    }

    fn write_parts(&mut self, address: Term, parts: Parts, values: &[Term]) {
        for (number, &value) in values.iter().enumerate() {
            let at = self.offset(address, parts.size * number as u64);
            self.write_place(Place::Memory(at), parts.element, value);
        }
    }

    fn read_parts(&mut self, address: Term, parts: Parts) -> Vec<Term> {
        (0..parts.count)
            .map(|number| {
                let at = self.offset(address, parts.size * number);
                self.read_place(Place::Memory(at), parts.element)
            })
            .collect()
    }

    /// The parts of an expression's value, as they are now.
    fn parts_of(&mut self, expr: ExprId, parts: Parts) -> Vec<Term> {
        if self.shared.contains_key(&expr.index()) {
            return self.parts_of_value(expr, parts);
        }
        match self.unit.tast[expr].kind {
            ExprKind::Const(id) => self.parts_of_constant(self.unit.tast[id], parts),
            ExprKind::Unary { op: UnaryOp::Plus, operand } => self.parts_of(operand, parts),
            ExprKind::Unary { op: UnaryOp::Minus, operand } => {
                let values = self.parts_of(operand, parts);
                values.into_iter().map(|value| self.negate(value, parts.class)).collect()
            }
            // Of a complex number it is the conjugate.
            ExprKind::Unary { op: UnaryOp::BitNot, operand } => {
                let mut values = self.parts_of(operand, parts);
                match values[..] {
                    [_, imaginary] if parts.is_complex => values[1] = self.negate(imaginary, parts.class),
                    _ => values.iter_mut().for_each(|value| *value = self.terms().not(*value)),
                }
                values
            }
            ExprKind::Unary { op: UnaryOp::Not, operand } => {
                let Some(from) = self.parts_type(operand) else { return self.no_parts(parts) };
                let values = self.parts_of(operand, from);
                values
                    .into_iter()
                    .map(|value| {
                        let truth = self.truth(value, from.class);
                        let zero = self.terms().not(truth);
                        self.mask(zero, parts)
                    })
                    .collect()
            }
            ExprKind::Binary { op, lhs, rhs } if parts.is_complex => {
                let (a, b) = self.halves(lhs, rhs, parts);
                let (real, imaginary) = self.complex_arithmetic(op, parts.class, a, b);
                vec![real, imaginary]
            }
            ExprKind::Binary { op, lhs, rhs } => self.vector_operation(op, lhs, rhs, parts),
            ExprKind::Complex { real, imag } => {
                let (real, imaginary) = self.operands(None, real, imag);
                vec![real, imaginary]
            }
            ExprKind::Convert { kind: Conversion::Broadcast, operand } => {
                let from = self.class_of(operand);
                let value = self.scalar(operand);
                let value = self.convert(value, from, parts.class);
                let value = self.snapshot(value);
                vec![value; parts.count as usize]
            }
            ExprKind::Convert { kind: Conversion::Arithmetic | Conversion::Pointer, operand } | ExprKind::Cast(operand) => {
                self.converted_parts(operand, parts)
            }
            ExprKind::ConvertVector { operand } => match self.parts_type(operand) {
                Some(from) if from.count == parts.count => {
                    let values = self.parts_of(operand, from);
                    values.into_iter().map(|value| self.convert(value, from.class, parts.class)).collect()
                }
                _ => self.no_parts(parts),
            },
            ExprKind::Elementwise { op, lhs, rhs } => self.elementwise(op, lhs, rhs, parts),
            ExprKind::Shuffle { lhs, rhs, mask } => self.shuffle(lhs, rhs, mask, parts),
            ExprKind::ShuffleVector { operands } => {
                let operands = self.unit.tast[operands].to_vec();
                let [lhs, rhs, ref picks @ ..] = operands[..] else { return self.no_parts(parts) };
                let (Some(left), Some(right)) = (self.parts_type(lhs), self.parts_type(rhs)) else { return self.no_parts(parts) };
                let (mut all, more) = self.both_parts(lhs, left, rhs, right);
                all.extend(more);
                let picks: Vec<Option<i128>> = picks.iter().map(|&pick| self.constant_number(pick)).collect();
                picks
                    .into_iter()
                    .map(|pick| match pick.and_then(|pick| usize::try_from(pick).ok()).and_then(|pick| all.get(pick).copied()) {
                        Some(value) => value,
                        None => {
                            let width = parts.class.width(self.pointer_width()).unwrap_or(8);
                            self.approximation(width, "a part of a vector that is left open")
                        }
                    })
                    .collect()
            }
            _ => self.parts_of_value(expr, parts),
        }
    }

    fn parts_of_value(&mut self, expr: ExprId, parts: Parts) -> Vec<Term> {
        match self.value(expr) {
            Value::Aggregate(address) => self.read_parts(address, parts),
            _ => self.no_parts(parts),
        }
    }

    /// Stands for the parts of something that is not understood.
    fn no_parts(&mut self, parts: Parts) -> Vec<Term> {
        self.unsupported("an operator on vectors or complex numbers");
        let width = parts.class.width(self.pointer_width()).unwrap_or(8);
        vec![self.terms().number(width, 0); parts.count as usize]
    }

    fn parts_of_constant(&mut self, constant: Const, parts: Parts) -> Vec<Term> {
        match constant_parts(constant) {
            Some(values) => {
                let width = parts.class.width(self.pointer_width()).unwrap_or(8);
                values.into_iter().map(|value| self.terms().number(width, value)).collect()
            }
            None => self.no_parts(parts),
        }
    }

    /// All ones where something holds.
    fn mask(&self, truth: Term, parts: Parts) -> Term {
        let width = parts.class.width(self.pointer_width()).unwrap_or(8);
        self.terms().resize(truth, width, true)
    }

    /// Both operands of an operator, the left one before the right. Where that matters it is not said, because gcc
    /// keeps such values in variables or in memory as their size has it.
    fn both_parts(&mut self, lhs: ExprId, left: Parts, rhs: ExprId, right: Parts) -> (Vec<Term>, Vec<Term>) {
        self.refuse_open_order(lhs, rhs);
        let mut a = self.parts_of(lhs, left);
        if self.purity(rhs) == EFFECTS {
            a.iter_mut().for_each(|value| *value = self.snapshot(*value));
        }
        (a, self.parts_of(rhs, right))
    }

    fn refuse_open_order(&mut self, lhs: ExprId, rhs: ExprId) {
        if self.conflicts(&[lhs, rhs]) {
            self.unsupported(OPEN_ORDER);
        }
    }

    /// The operands of an operator that computes with complex numbers.
    fn halves(&mut self, lhs: ExprId, rhs: ExprId, parts: Parts) -> (Half, Half) {
        self.refuse_open_order(lhs, rhs);
        let mut a = self.half(lhs, parts);
        if self.purity(rhs) == EFFECTS {
            a = match a {
                Half::Real(real) => Half::Real(self.snapshot(real)),
                Half::Both(real, imaginary) => Half::Both(self.snapshot(real), self.snapshot(imaginary)),
            };
        }
        (a, self.half(rhs, parts))
    }

    fn half(&mut self, expr: ExprId, parts: Parts) -> Half {
        let operand = match self.unit.tast[expr].kind {
            ExprKind::Convert { kind: Conversion::Arithmetic, operand } if !self.shared.contains_key(&expr.index()) => operand,
            _ => expr,
        };
        let class = self.class_of(operand);
        if class.is_scalar() {
            let value = self.scalar(operand);
            return Half::Real(self.convert(value, class, parts.class));
        }
        match self.parts_of(expr, parts)[..] {
            [real, imaginary] => Half::Both(real, imaginary),
            _ => {
                let zero = self.no_parts(parts);
                Half::Real(zero[0])
            }
        }
    }

    fn vector_operation(&mut self, op: BinaryOp, lhs: ExprId, rhs: ExprId, parts: Parts) -> Vec<Term> {
        let (Some(left), Some(right)) = (self.parts_type(lhs), self.parts_type(rhs)) else { return self.no_parts(parts) };
        if left.count != right.count || matches!(op, BinaryOp::LogAnd | BinaryOp::LogOr) {
            return self.no_parts(parts);
        }
        let (a, b) = self.both_parts(lhs, left, rhs, right);
        self.part_by_part(op, left, right, parts, &a, &b)
    }

    fn part_by_part(&mut self, op: BinaryOp, left: Parts, right: Parts, parts: Parts, a: &[Term], b: &[Term]) -> Vec<Term> {
        a.iter()
            .zip(b)
            .map(|(&a, &b)| {
                if op.is_comparison() {
                    let truth = self.compare(op, left.class, a, b);
                    self.mask(truth, parts)
                } else {
                    self.arithmetic(op, left.class, a, b, right.class)
                }
            })
            .collect()
    }

    /// What a conversion to a type with parts gives.
    fn converted_parts(&mut self, operand: ExprId, parts: Parts) -> Vec<Term> {
        let from = self.parts_type(operand);
        let class = self.class_of(operand);
        match from {
            Some(from) if from.is_complex && parts.is_complex => {
                let values = self.parts_of(operand, from);
                values.into_iter().map(|value| self.convert(value, from.class, parts.class)).collect()
            }
            // Between vectors, and between a vector and a number of its size, the bits stay.
            Some(from) if !from.is_complex && !parts.is_complex && from.size * from.count == parts.size * parts.count => {
                let values = self.parts_of(operand, from);
                let bytes = self.bytes_of(&values);
                self.parts_of_bytes(&bytes, parts)
            }
            None if parts.is_complex && class.is_scalar() => {
                let value = self.scalar(operand);
                let real = self.convert(value, class, parts.class);
                let width = self.terms().width(real);
                vec![real, self.terms().number(width, 0)]
            }
            None if !parts.is_complex && matches!(class, Class::Int { width, .. } if u64::from(width) == 8 * parts.size * parts.count) => {
                let value = self.scalar(operand);
                let bytes = self.bytes_of(&[value]);
                self.parts_of_bytes(&bytes, parts)
            }
            _ => self.no_parts(parts),
        }
    }

    fn bytes_of(&mut self, values: &[Term]) -> Vec<Term> {
        let mut bytes = Vec::new();
        for &value in values {
            let value = self.snapshot(value);
            let width = self.terms().width(value);
            bytes.extend((0..width).step_by(8).map(|low| self.terms().extract(value, low + 7, low)));
        }
        bytes
    }

    fn parts_of_bytes(&self, bytes: &[Term], parts: Parts) -> Vec<Term> {
        let join = |part: &[Term]| part[1..].iter().fold(part[0], |low, &high| self.terms().concat(high, low));
        bytes.chunks(parts.size as usize).map(join).collect()
    }

    /// A conversion of something with parts to a number.
    pub(super) fn number_of_parts(&mut self, operand: ExprId, to: Class) -> Option<Term> {
        let parts = self.parts_type(operand)?;
        let values = self.parts_of(operand, parts);
        let width = to.width(self.pointer_width())?;
        Some(if parts.is_complex {
            if to == Class::Bool {
                let truth = self.truth_of_complex(&values, parts);
                self.number_of(truth, 8)
            } else {
                self.convert(values[0], parts.class, to)
            }
        } else if u64::from(width) == 8 * parts.size * parts.count {
            let bytes = self.bytes_of(&values);
            bytes[1..].iter().fold(bytes[0], |low, &high| self.terms().concat(high, low))
        } else {
            self.no_parts(parts);
            self.terms().number(width, 0)
        })
    }

    /// Whether something with parts is not zero.
    pub(super) fn truth_of_parts(&mut self, expr: ExprId) -> Option<Term> {
        let parts = self.parts_type(expr)?;
        if !parts.is_complex {
            self.no_parts(parts);
            return Some(self.terms().false_());
        }
        let values = self.parts_of(expr, parts);
        Some(self.truth_of_complex(&values, parts))
    }

    fn truth_of_complex(&self, values: &[Term], parts: Parts) -> Term {
        values.iter().fold(self.terms().false_(), |truth, &value| self.terms().or(truth, self.truth(value, parts.class)))
    }

    /// Whether two complex numbers are equal, or not.
    pub(super) fn compared_parts(&mut self, op: BinaryOp, lhs: ExprId, rhs: ExprId) -> Option<Term> {
        let (Some(left), Some(right)) = (self.parts_type(lhs), self.parts_type(rhs)) else { return None };
        if !left.is_complex || !matches!(op, BinaryOp::Eq | BinaryOp::Ne) {
            self.no_parts(left);
            return Some(self.terms().false_());
        }
        let (a, b) = self.both_parts(lhs, left, rhs, right);
        let equal = a.iter().zip(&b).fold(self.terms().true_(), |equal, (&a, &b)| {
            let same = self.compare(BinaryOp::Eq, left.class, a, b);
            self.terms().and(equal, same)
        });
        Some(if op == BinaryOp::Eq { equal } else { self.terms().not(equal) })
    }

    /// The place of the real or the imaginary half of a complex number.
    pub(super) fn place_of_half(&mut self, operand: ExprId, imaginary: bool) -> Option<Place> {
        let parts = self.parts_type(operand)?;
        let Place::Memory(address) = self.place(operand) else { return None };
        Some(Place::Memory(self.offset(address, if imaginary { parts.size } else { 0 })))
    }

    /// `__real__` and `__imag__` of a value.
    pub(super) fn half_of(&mut self, operand: ExprId, imaginary: bool) -> Term {
        match self.parts_type(operand) {
            Some(parts) => self.parts_of(operand, parts)[usize::from(imaginary)],
            None => {
                let value = self.scalar(operand);
                let width = self.terms().width(value);
                if imaginary { self.terms().number(width, 0) } else { value }
            }
        }
    }

    fn step_of_parts(&mut self, expr: ExprId, parts: Parts) -> Value {
        let ExprKind::Unary { op, operand } = self.unit.tast[expr].kind else { return Value::Void };
        let ty = self.unit.tast[operand].ty;
        let (up, old) = (matches!(op, UnaryOp::PreInc | UnaryOp::PostInc), matches!(op, UnaryOp::PostInc | UnaryOp::PostDec));
        let Place::Memory(address) = self.place(operand) else { return self.zero(Class::Aggregate) };
        let address = self.snapshot(address);
        let before = self.read_parts(address, parts);
        let one = self.terms().number(32, 1);
        let one = self.convert(one, Class::Int { width: 32, signed: true }, parts.class);
        let op = if up { BinaryOp::Add } else { BinaryOp::Sub };
        // A complex number moves along the real axis.
        let moved = if parts.is_complex { 1 } else { before.len() };
        let mut after = before.clone();
        for value in &mut after[..moved] {
            *value = self.arithmetic(op, parts.class, *value, one, parts.class);
        }
        self.write_parts(address, parts, &after);
        self.put_together(ty, parts, if old { &before } else { &after })
    }

    /// A compound assignment in which one side has parts.
    pub(super) fn compound_of_parts(&mut self, op: BinaryOp, computation: TypeId, lhs: ExprId, rhs: ExprId) -> Value {
        let ty = self.unit.tast[lhs].ty;
        self.refuse_open_order(lhs, rhs);
        let (target, working) = (self.unit.parts(ty), self.unit.parts(computation));
        let place = self.place(lhs);
        let place = self.keep(place);
        match (target, working) {
            (Some(target), Some(working)) if working.is_complex => {
                let b = self.half(rhs, working);
                let Place::Memory(address) = place else { return self.zero(Class::Aggregate) };
                let old = self.read_parts(address, target);
                let old: Vec<Term> = old.into_iter().map(|value| self.convert(value, target.class, working.class)).collect();
                let (real, imaginary) = self.complex_arithmetic(op, working.class, Half::Both(old[0], old[1]), b);
                let new = [real, imaginary].map(|value| self.convert(value, working.class, target.class));
                self.write_parts(address, target, &new);
                self.put_together(ty, target, &new)
            }
            (None, Some(working)) if working.is_complex => {
                let class = self.unit.class(ty);
                let b = self.half(rhs, working);
                let old = self.read_place(place, ty);
                let old = self.convert(old, class, working.class);
                let (real, _) = self.complex_arithmetic(op, working.class, Half::Real(old), b);
                let new = self.convert(real, working.class, class);
                Value::Scalar(self.write_place(place, ty, new))
            }
            (Some(target), _) if !target.is_complex => {
                let Some(right) = self.parts_type(rhs).filter(|right| right.count == target.count) else {
                    return self.unsupported_value("an operator on vectors of different sizes", Class::Aggregate);
                };
                let b = self.parts_of(rhs, right);
                let Place::Memory(address) = place else { return self.zero(Class::Aggregate) };
                let a = self.read_parts(address, target);
                let new = self.part_by_part(op, target, right, target, &a, &b);
                self.write_parts(address, target, &new);
                self.put_together(ty, target, &new)
            }
            _ => self.unsupported_value("an assignment with complex numbers", self.unit.class(ty)),
        }
    }

    fn shuffle(&mut self, lhs: ExprId, rhs: Option<ExprId>, mask: ExprId, parts: Parts) -> Vec<Term> {
        let Some(picks) = self.parts_type(mask) else { return self.no_parts(parts) };
        let all: Vec<ExprId> = [Some(lhs), rhs, Some(mask)].into_iter().flatten().collect();
        if self.conflicts(&all) {
            self.unsupported(OPEN_ORDER);
        }
        let mut from = self.parts_of(lhs, parts);
        if let Some(rhs) = rhs {
            from.extend(self.parts_of(rhs, parts));
        }
        let from: Vec<Term> = from.into_iter().map(|value| self.snapshot(value)).collect();
        let picks: Vec<Term> = self.parts_of(mask, picks).into_iter().map(|pick| self.snapshot(pick)).collect();
        let terms = self.terms();
        picks
            .into_iter()
            .map(|pick| {
                // Only so many bits of the index count as it takes to name a part.
                let width = terms.width(pick);
                let pick = terms.and(pick, terms.number(width, from.len() as u128 - 1));
                let equals = |number: usize| terms.eq(pick, terms.number(width, number as u128));
                from.iter().enumerate().skip(1).fold(from[0], |rest, (number, &value)| terms.ite(equals(number), value, rest))
            })
            .collect()
    }

    fn elementwise(&mut self, op: Elementwise, lhs: ExprId, rhs: Option<ExprId>, parts: Parts) -> Vec<Term> {
        let (Elementwise::Min | Elementwise::Max, Some(rhs)) = (op, rhs) else { return self.no_parts(parts) };
        if matches!(parts.class, Class::Float { .. }) {
            return self.no_parts(parts);
        }
        let (a, b) = self.both_parts(lhs, parts, rhs, parts);
        a.into_iter()
            .zip(b)
            .map(|(a, b)| {
                let less = self.compare(BinaryOp::Lt, parts.class, a, b);
                if op == Elementwise::Min { self.terms().ite(less, a, b) } else { self.terms().ite(less, b, a) }
            })
            .collect()
    }
}

/// The bits of a constant's parts.
pub(super) fn constant_parts(constant: Const) -> Option<[u128; 2]> {
    match constant {
        Const::Complex { real, imag } => Some([real.to_bits(), imag.to_bits()]),
        Const::ComplexInt { real, imag } => Some([real as u128, imag as u128]),
        _ => None,
    }
}
