//! Expressions: values, places and conditions.

use super::Class;
use super::body::{Body, Cut, Value, Wanted};
use super::condition::{EFFECTS, PURE, READS};
use super::place::Place;
use assay_cfa::{Operation, VarId};
use assay_term::Term;
use rucc_ast::{BinaryOp, UnaryOp};
use rucc_sema::{Base, Const, Conversion, ExprId, ExprKind};
use rucc_types::{TypeId, TypeKind};

impl Body<'_, '_> {
    pub(super) fn class_of(&self, expr: ExprId) -> Class {
        self.unit.class(self.unit.tast[expr].ty)
    }

    /// The value of an expression of scalar type.
    pub(super) fn scalar(&mut self, expr: ExprId) -> Term {
        match self.value(expr) {
            Value::Scalar(term) => term,
            Value::Aggregate(address) => address,
            Value::Void => {
                let width = self.class_of(expr).width(self.pointer_width()).unwrap_or(32);
                self.terms().number(width, 0)
            }
        }
    }

    /// Evaluates an expression for its effects.
    pub(super) fn discard(&mut self, expr: ExprId) {
        if self.shared.contains_key(&expr.index()) {
            return;
        }
        match self.unit.tast[expr].kind {
            ExprKind::Convert { kind: Conversion::Void, operand } => self.discard(operand),
            ExprKind::Comma { lhs, rhs } => {
                if !self.hoisted.remove(&expr.index()) {
                    self.discard(lhs);
                }
                self.discard(rhs);
            }
            _ if self.parts_type(expr).is_some() && self.purity(expr) == EFFECTS => drop(self.value(expr)),
            ExprKind::Unary { op: UnaryOp::PostInc | UnaryOp::PreInc, operand } => drop(self.step(expr, operand, true, false)),
            ExprKind::Unary { op: UnaryOp::PostDec | UnaryOp::PreDec, operand } => drop(self.step(expr, operand, false, false)),
            ExprKind::Convert { operand, .. } | ExprKind::Cast(operand) if self.purity(expr) != EFFECTS => {
                // A value nobody takes is computed only if computing it can be undefined.
                if self.purity(expr) == READS {
                    self.value(operand);
                } else {
                    self.discard(operand);
                }
            }
            ExprKind::Unary { .. } | ExprKind::Binary { .. } | ExprKind::Cond { .. } => drop(self.value(expr)),
            _ if self.purity(expr) == PURE => {}
            ExprKind::Call { callee, args } => {
                self.wanted = Wanted::Nothing;
                self.call(expr, callee, args, None);
            }
            _ => drop(self.value(expr)),
        }
    }

    /// The value of an expression; what it changes is emitted on the way.
    pub(super) fn value(&mut self, expr: ExprId) -> Value {
        if let Some(&known) = self.shared.get(&expr.index()) {
            return known;
        }
        if let Some(value) = self.value_of_parts(expr) {
            return value;
        }
        self.note_regrouping(expr);
        let node = self.unit.tast[expr];
        let class = self.unit.class(node.ty);
        match node.kind {
            ExprKind::Const(id) => self.constant(self.unit.tast[id], class),
            ExprKind::Convert { kind, operand } => self.conversion(expr, kind, operand),
            ExprKind::Cast(operand) => {
                if let Some(to) = self.cuts(operand, class) {
                    self.cut.cast = Some(self.cut.cast.map_or(to, |cut| cut.min(to)));
                }
                self.cast(operand, node.ty, false)
            }
            ExprKind::Unary { op, operand } => self.unary(expr, op, operand),
            ExprKind::Binary { op, lhs, rhs } => Value::Scalar(self.binary(expr, op, lhs, rhs)),
            ExprKind::Assign { op, computation, lhs, rhs } => match op {
                None => self.plain_assignment(lhs, rhs),
                Some(op) => self.compound_assignment(op, computation, lhs, rhs),
            },
            ExprKind::Cond { cond, then, otherwise } => self.conditional(expr, cond, then, otherwise),
            ExprKind::Comma { lhs, rhs } => {
                let cut = std::mem::take(&mut self.cut);
                if !self.hoisted.remove(&expr.index()) {
                    self.discard(lhs);
                }
                self.cut = cut;
                self.value(rhs)
            }
            ExprKind::Call { callee, args } => self.call(expr, callee, args, None),
            ExprKind::StmtExpr(stmt) => self.statement_expression(stmt),
            ExprKind::Decl(_) | ExprKind::Member { .. } | ExprKind::Subscript { .. } | ExprKind::Str(_) | ExprKind::CompoundLiteral(_) => {
                let place = self.place(expr);
                match (class, place) {
                    (Class::Aggregate | Class::Function, Place::Memory(address)) => Value::Aggregate(address),
                    _ => Value::Scalar(self.read_place(place, node.ty)),
                }
            }
            ExprKind::LabelAddr(label) => Value::Scalar(self.label_address(label.index())),
            ExprKind::Error => {
                self.unsupported("an expression that was not understood");
                self.zero(class)
            }
            kind => self.builtin(expr, kind),
        }
    }

    /// A value that stands where there is none.
    pub(super) fn zero(&self, class: Class) -> Value {
        match class.width(self.pointer_width()) {
            Some(width) => Value::Scalar(self.terms().number(width, 0)),
            None if class == Class::Aggregate => Value::Aggregate(self.word(0)),
            None => Value::Void,
        }
    }

    pub(super) fn constant(&mut self, constant: Const, class: Class) -> Value {
        let Some(width) = class.width(self.pointer_width()) else { return self.unsupported_value("a constant of this type", class) };
        match constant {
            Const::Int(value) => match class {
                Class::Float { .. } => self.unsupported_value("an integer constant of float type", class),
                Class::Bool => Value::Scalar(self.terms().number(width, u128::from(value != 0))),
                _ => Value::Scalar(self.terms().number(width, value as u128)),
            },
            Const::Float(value) => Value::Scalar(self.terms().number(width, value.to_bits())),
            Const::Address(address) => {
                let base = match address.base {
                    Base::Decl(id) => self.address_of_declaration(id),
                    Base::Str(id) => {
                        let object = self.l.string(self.unit_index, id, self.span);
                        self.l.builder.address_of(object)
                    }
                    Base::Label(label) => self.label_address(label.index()),
                    Base::Absolute => self.word(0),
                };
                let offset = self.terms().number(self.pointer_width(), address.offset as u128);
                let sum = self.terms().add(base, offset);
                Value::Scalar(self.terms().resize(sum, width, false))
            }
            Const::Complex { .. } | Const::ComplexInt { .. } => self.unsupported_value("a complex constant", class),
            Const::Apart { .. } => self.unsupported_value("a difference of labels", class),
        }
    }

    pub(super) fn unsupported_value(&mut self, what: &str, class: Class) -> Value {
        self.unsupported(what);
        self.zero(class)
    }

    fn conversion(&mut self, expr: ExprId, kind: Conversion, operand: ExprId) -> Value {
        let ty = self.unit.tast[expr].ty;
        match kind {
            Conversion::Lvalue => {
                let source = self.unit.tast[operand].ty;
                match self.unit.class(source) {
                    Class::Aggregate => self.value_of_lvalue(operand),
                    Class::Unsupported(what) => self.unsupported_value(what, Class::Void),
                    Class::Void => {
                        self.place(operand);
                        Value::Void
                    }
                    _ => {
                        let place = self.place(operand);
                        Value::Scalar(self.read_place(place, source))
                    }
                }
            }
            Conversion::ArrayDecay | Conversion::FunctionDecay => match self.address_of_lvalue(operand) {
                Value::Aggregate(address) | Value::Scalar(address) => Value::Scalar(address),
                Value::Void => self.zero(Class::Pointer),
            },
            Conversion::Void => {
                self.discard(operand);
                Value::Void
            }
            Conversion::Bool => {
                let truth = self.truth_of(operand);
                Value::Scalar(self.number_of(truth, 8))
            }
            Conversion::NullPointer => {
                self.discard(operand);
                self.zero(Class::Pointer)
            }
            Conversion::Arithmetic | Conversion::Pointer => {
                if let Some(to) = self.cuts(operand, self.unit.class(ty)) {
                    self.cut.folded = Some(self.cut.folded.map_or(to, |cut| cut.min(to)));
                }
                self.cast(operand, ty, true)
            }
            Conversion::Broadcast => self.unsupported_value("vectors of this type", Class::Void),
            Conversion::Hardbool => self.unsupported_value("hardened booleans", self.unit.class(ty)),
        }
    }

    /// The width to which a conversion cuts the operands of an operator.
    fn cuts(&self, operand: ExprId, target: Class) -> Option<u32> {
        match (self.class_of(operand), target) {
            (Class::Int { width: from, .. }, Class::Int { width: to, .. }) if to < from && self.is_cut_operator(operand) => Some(to),
            _ => None,
        }
    }

    fn cast(&mut self, operand: ExprId, to: TypeId, implicit: bool) -> Value {
        let target = self.unit.class(to);
        let source = self.class_of(operand);
        if matches!(self.unit.tast[operand].kind, ExprKind::Call { .. }) {
            self.pointee = self.unit.pointee(to).filter(|&to| self.unit.size_of(to).is_some_and(|size| size > 0));
        }
        match (source, target) {
            (_, Class::Void) => {
                self.discard(operand);
                Value::Void
            }
            (_, Class::Unsupported(what)) | (Class::Unsupported(what), _) => self.unsupported_value(what, target),
            _ if self.parts_type(operand).is_some() && target.is_scalar() => match self.number_of_parts(operand, target) {
                Some(number) => Value::Scalar(number),
                None => self.zero(target),
            },
            (Class::Aggregate, Class::Aggregate) => self.value(operand),
            // GNU's cast to a union: the value lies at the start of a new object.
            (_, Class::Aggregate) => {
                let value = self.scalar(operand);
                let object = self.temporary_object(to);
                let address = self.l.builder.address_of(object);
                self.write_place(Place::Memory(address), self.unit.tast[operand].ty, value);
                Value::Aggregate(address)
            }
            (Class::Void | Class::Function, _) => {
                self.discard(operand);
                self.zero(target)
            }
            (Class::Aggregate, _) => Value::Scalar(self.scalar(operand)),
            (_, Class::Bool) => {
                let truth = self.truth_of(operand);
                Value::Scalar(self.number_of(truth, 8))
            }
            _ => {
                let value = self.scalar(operand);
                self.cut = Cut::default();
                if implicit {
                    self.watch_conversion(value, source, target);
                }
                Value::Scalar(self.convert(value, source, target))
            }
        }
    }

    /// The address of a place of which nothing is accessed.
    fn address_of_lvalue(&mut self, place: ExprId) -> Value {
        self.only_address = matches!(self.unit.tast[place].kind, ExprKind::Subscript { .. } | ExprKind::Unary { op: UnaryOp::Deref, .. });
        let value = self.value_of_lvalue(place);
        self.only_address = false;
        value
    }

    fn unary(&mut self, expr: ExprId, op: UnaryOp, operand: ExprId) -> Value {
        let class = self.class_of(expr);
        if matches!(op, UnaryOp::Minus | UnaryOp::BitNot) && self.is_enumeration_bit_field(operand) {
            self.unsupported("arithmetic on a bit-field of enumeration type");
        }
        match op {
            UnaryOp::Plus => self.value(operand),
            UnaryOp::Minus => {
                let turned = self.negation_turns(operand);
                self.turn(&turned);
                let value = self.scalar(operand);
                self.turn(&turned);
                Value::Scalar(self.negate(value, class))
            }
            UnaryOp::BitNot => {
                let value = self.scalar(operand);
                Value::Scalar(self.terms().not(value))
            }
            UnaryOp::Not => {
                let truth = self.truth_of(operand);
                let not = self.terms().not(truth);
                Value::Scalar(self.number_of(not, 32))
            }
            UnaryOp::AddrOf => match self.address_of_lvalue(operand) {
                Value::Aggregate(address) | Value::Scalar(address) => Value::Scalar(address),
                Value::Void => self.zero(Class::Pointer),
            },
            UnaryOp::Deref => {
                let place = self.place(expr);
                match (class, place) {
                    (Class::Aggregate | Class::Function, Place::Memory(address)) => Value::Aggregate(address),
                    (Class::Void, _) => Value::Void,
                    _ => Value::Scalar(self.read_place(place, self.unit.tast[expr].ty)),
                }
            }
            UnaryOp::PreInc => Value::Scalar(self.step(expr, operand, true, false)),
            UnaryOp::PreDec => Value::Scalar(self.step(expr, operand, false, false)),
            UnaryOp::PostInc => Value::Scalar(self.step(expr, operand, true, true)),
            UnaryOp::PostDec => Value::Scalar(self.step(expr, operand, false, true)),
            UnaryOp::Real | UnaryOp::Imag => Value::Scalar(self.half_of(operand, op == UnaryOp::Imag)),
        }
    }

    /// `++` and `--`: gives the old value if `old`, else the new one.
    pub(super) fn step(&mut self, expr: ExprId, operand: ExprId, up: bool, old: bool) -> Term {
        let ty = self.unit.tast[expr].ty;
        let class = self.unit.class(ty);
        let place = self.place(operand);
        let mut before = self.read_place(place, self.unit.tast[operand].ty);
        if old {
            before = self.snapshot(before);
        }
        let op = if up { BinaryOp::Add } else { BinaryOp::Sub };
        let after = match class {
            Class::Pointer => {
                let size = self.pointee_size(ty);
                if up { self.terms().add(before, size) } else { self.terms().sub(before, size) }
            }
            Class::Bool => {
                let one = self.terms().number(8, 1);
                if up { one } else { self.terms().xor(before, one) }
            }
            Class::Float { width } => {
                let one = self.terms().number(32, 1);
                let one = self.convert(one, Class::Int { width: 32, signed: true }, Class::Float { width });
                self.arithmetic(op, class, before, one, class)
            }
            Class::Int { width, .. } if width < 32 => {
                // Narrow types are promoted, so nothing overflows but the conversion back.
                let one = self.terms().number(width, 1);
                if up { self.terms().add(before, one) } else { self.terms().sub(before, one) }
            }
            Class::Int { width, .. } => {
                let one = self.terms().number(width, 1);
                self.arithmetic(op, class, before, one, class)
            }
            _ => {
                self.unsupported("++ or -- on this type");
                before
            }
        };
        let written = self.write_place(place, self.unit.tast[operand].ty, after);
        if old { before } else { written }
    }

    fn binary(&mut self, expr: ExprId, op: BinaryOp, lhs: ExprId, rhs: ExprId) -> Term {
        let ty = self.unit.tast[expr].ty;
        let (left, right) = (self.class_of(lhs), self.class_of(rhs));
        let width = self.unit.class(ty).width(self.pointer_width()).unwrap_or(32);
        if let Class::Unsupported(what) = left {
            self.unsupported(what);
            return self.terms().number(width, 0);
        }
        match op {
            BinaryOp::LogAnd | BinaryOp::LogOr => {
                let truth = self.truth_of(expr);
                self.number_of(truth, width)
            }
            _ if op.is_comparison() => {
                let truth = self.truth_of(expr);
                self.number_of(truth, width)
            }
            BinaryOp::Add if left == Class::Pointer || right == Class::Pointer => {
                // gcc takes the pointer first, on whichever side it stands.
                let (a, b) = if left == Class::Pointer {
                    self.operands(Some(BinaryOp::Sub), lhs, rhs)
                } else {
                    let (b, a) = self.operands(Some(BinaryOp::Sub), rhs, lhs);
                    (a, b)
                };
                let (pointer, pointer_type, index, index_class) =
                    if left == Class::Pointer { (a, self.unit.tast[lhs].ty, b, right) } else { (b, self.unit.tast[rhs].ty, a, left) };
                self.watch_index(if left == Class::Pointer { lhs } else { rhs }, index, index_class, false);
                self.index(pointer, pointer_type, index, index_class, false)
            }
            BinaryOp::Sub if left == Class::Pointer && right == Class::Pointer => {
                let (a, b) = self.operands(Some(op), lhs, rhs);
                let bytes = self.terms().sub(a, b);
                let size = self.pointee_size(self.unit.tast[lhs].ty);
                let one = self.word(1);
                let count = if size == one { bytes } else { self.terms().binary(assay_term::Op::SignedDiv, bytes, size) };
                self.terms().resize(count, width, true)
            }
            BinaryOp::Sub if left == Class::Pointer => {
                let (a, b) = self.operands(Some(op), lhs, rhs);
                self.index(a, self.unit.tast[lhs].ty, b, right, true)
            }
            _ => {
                let (a, b) = if self.turned.contains(&expr.index()) {
                    self.turned_operands(op, lhs, rhs)
                } else {
                    self.operands(Some(op), lhs, rhs)
                };
                self.arithmetic(op, self.unit.class(ty), a, b, right)
            }
        }
    }

    /// The operand with the width of the other: a pointer may be compared with an integer.
    pub(super) fn match_width(&self, value: Term, class: Class, like: Term) -> Term {
        let width = self.terms().width(like);
        if self.terms().width(value) == width { value } else { self.terms().resize(value, width, class.is_signed()) }
    }

    /// Assigns an expression's value to a register, without a temporary where one edge can do both.
    pub(super) fn value_into(&mut self, expr: ExprId, target: VarId) {
        if self.shared.contains_key(&expr.index()) {
            let value = self.scalar(expr);
            return self.assign(target, value);
        }
        match self.unit.tast[expr].kind {
            ExprKind::Call { callee, args } => {
                if let Value::Scalar(value) = self.call(expr, callee, args, Some(target))
                    && value != self.read(target)
                {
                    self.assign(target, value);
                }
            }
            ExprKind::Convert { kind: Conversion::Lvalue, operand } => {
                let source = self.unit.tast[operand].ty;
                match self.place(operand) {
                    Place::Memory(address)
                        if Some(self.unit.memory_width(source, self.pointer_width()))
                            == self.l.builder.variables[target].register_width()
                            && self.unit.class(source).is_scalar()
                            && self.unit.class(source) != Class::Bool =>
                    {
                        self.emit(Operation::Load { target, address });
                    }
                    place => {
                        let value = self.read_place(place, source);
                        self.assign(target, value);
                    }
                }
            }
            _ => {
                let value = self.scalar(expr);
                self.assign(target, value);
            }
        }
    }

    fn compound_assignment(&mut self, op: BinaryOp, computation: TypeId, lhs: ExprId, rhs: ExprId) -> Value {
        let ty = self.unit.tast[lhs].ty;
        let (class, working) = (self.unit.class(ty), self.unit.class(computation));
        let promoted = self.is_promoted_bit_field(lhs);
        let rhs = if promoted { self.before_conversion(rhs, computation) } else { rhs };
        let right = self.class_of(rhs);
        if let Class::Unsupported(what) = class {
            return self.unsupported_value(what, Class::Void);
        }
        if self.unit.has_parts(computation) {
            return self.compound_of_parts(op, computation, lhs, rhs);
        }
        if self.purity(lhs) == EFFECTS || self.purity(rhs) == EFFECTS {
            self.watch_order_of_assignment(lhs, rhs, true);
        }
        self.note_order_of_compound(lhs, rhs);
        // gcc computes a value that has effects before the place, and any other after it.
        let first = self.purity(rhs) == EFFECTS || self.purity(lhs) == EFFECTS && self.keeps_a_value(rhs);
        let (b, place) = if first {
            let mut b = self.scalar(rhs);
            if self.purity(lhs) == EFFECTS {
                b = self.snapshot(b);
            }
            (b, self.place(lhs))
        } else {
            let place = self.place(lhs);
            (self.scalar(rhs), place)
        };
        let old = self.read_place(place, ty);
        let new = if class == Class::Pointer {
            self.index(old, ty, b, right, op == BinaryOp::Sub)
        } else {
            let shifts = matches!(op, BinaryOp::Shl | BinaryOp::Shr);
            let working = if promoted { with_int(working, right, shifts) } else { working };
            let a = self.convert(old, class, working);
            let b = if shifts { b } else { self.convert(b, right, working) };
            let result = self.arithmetic(op, working, a, b, right);
            self.watch_conversion(result, working, class);
            self.convert(result, working, class)
        };
        Value::Scalar(self.write_place(place, ty, new))
    }

    /// Whether a place is a bit-field all of whose values are values of `int`: it is promoted to that, whatever type it
    /// is declared with.
    fn is_promoted_bit_field(&self, place: ExprId) -> bool {
        let node = self.unit.tast[place];
        let ExprKind::Member { base, field } = node.kind else { return false };
        let TypeKind::Record(id) = self.unit.kind(self.unit.tast[base].ty) else { return false };
        let bits = self.unit.types.record_info(id).fields.get(field as usize).and_then(|field| field.bits);
        match (bits, self.unit.class(node.ty)) {
            (Some(width), Class::Int { signed, .. }) => width < 32 || signed && width == 32,
            _ => false,
        }
    }

    /// The operand of a compound assignment before it was converted to the type in which that computes.
    fn before_conversion(&self, rhs: ExprId, computation: TypeId) -> ExprId {
        match self.unit.tast[rhs].kind {
            ExprKind::Convert { kind: Conversion::Arithmetic, operand } if self.unit.tast[rhs].ty == computation => operand,
            _ => rhs,
        }
    }
}

const INT: Class = Class::Int { width: 32, signed: true };

/// The type in which a compound assignment computes whose place is promoted to `int`; `declared` is what it would be
/// for the declared type.
fn with_int(declared: Class, right: Class, shifts: bool) -> Class {
    match right {
        _ if shifts => INT,
        Class::Bool => INT,
        Class::Int { width, signed } if width < 32 || signed && width == 32 => INT,
        Class::Int { .. } => right,
        _ => declared,
    }
}
