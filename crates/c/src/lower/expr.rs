//! Expressions: values, places and conditions.

use super::body::{Body, Ends, Value};
use super::facts::Global;
use super::{Class, Entity};
use assay_base::Span;
use assay_cfa::{CType, Operation, VarId};
use assay_term::Term;
use rucc_ast::{BinaryOp, UnaryOp};
use rucc_sema::{Base, Category, Const, Conversion, DeclId, DeclKind, ExprId, ExprKind};
use rucc_types::{ArrayLen, TypeId, TypeKind};

/// Something that can be read and written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Place {
    Register(VarId),
    Memory(Term),
    /// A bit-field: so many bits from bit `low` of the byte at the address.
    Bits {
        address: Term,
        low: u32,
        width: u32,
    },
}

/// Neither effects nor loads nor checks: the expression is one term.
pub(crate) const PURE: u8 = 1;
/// Loads or checks, but changes nothing.
pub(crate) const READS: u8 = 2;
/// Changes something.
pub(crate) const EFFECTS: u8 = 3;

impl Body<'_, '_> {
    pub fn class_of(&self, expr: ExprId) -> Class {
        self.unit.class(self.unit.tast[expr].ty)
    }

    /// The value of an expression of scalar type.
    pub fn scalar(&mut self, expr: ExprId) -> Term {
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
    pub fn discard(&mut self, expr: ExprId) {
        match self.unit.tast[expr].kind {
            ExprKind::Convert { kind: Conversion::Void, operand } => self.discard(operand),
            ExprKind::Comma { lhs, rhs } => {
                self.discard(lhs);
                self.discard(rhs);
            }
            ExprKind::Unary { op: UnaryOp::PostInc | UnaryOp::PreInc, operand } => drop(self.step(expr, operand, true, false)),
            ExprKind::Unary { op: UnaryOp::PostDec | UnaryOp::PreDec, operand } => drop(self.step(expr, operand, false, false)),
            ExprKind::Convert { operand, .. } | ExprKind::Cast(operand) if self.purity(expr) != EFFECTS => {
                // A value nobody takes is computed only if computing it can be undefined.
                if self.purity(expr) == READS {
                    self.value(operand);
                }
            }
            _ if self.purity(expr) == PURE => {}
            _ => drop(self.value(expr)),
        }
    }

    /// The value of an expression; what it changes is emitted on the way.
    pub fn value(&mut self, expr: ExprId) -> Value {
        if let Some(&known) = self.shared.get(&expr.index()) {
            return known;
        }
        let node = self.unit.tast[expr];
        let class = self.unit.class(node.ty);
        match node.kind {
            ExprKind::Const(id) => self.constant(self.unit.tast[id], class),
            ExprKind::Convert { kind, operand } => self.conversion(expr, kind, operand),
            ExprKind::Cast(operand) => self.cast(operand, node.ty),
            ExprKind::Unary { op, operand } => self.unary(expr, op, operand),
            ExprKind::Binary { op, lhs, rhs } => Value::Scalar(self.binary(expr, op, lhs, rhs)),
            ExprKind::Assign { op, computation, lhs, rhs } => match op {
                None => self.plain_assignment(lhs, rhs),
                Some(op) => self.compound_assignment(op, computation, lhs, rhs),
            },
            ExprKind::Cond { cond, then, otherwise } => self.conditional(expr, cond, then, otherwise),
            ExprKind::Comma { lhs, rhs } => {
                self.discard(lhs);
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
    pub fn zero(&self, class: Class) -> Value {
        match class.width(self.pointer_width()) {
            Some(width) => Value::Scalar(self.terms().number(width, 0)),
            None if class == Class::Aggregate => Value::Aggregate(self.word(0)),
            None => Value::Void,
        }
    }

    pub fn constant(&mut self, constant: Const, class: Class) -> Value {
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
                        let object = self.l.string(self.unit_index, id);
                        self.l.builder.address_of(object)
                    }
                    Base::Label(label) => self.label_address(label.index()),
                    Base::Absolute => self.word(0),
                };
                let offset = self.terms().number(self.pointer_width(), address.offset as u128);
                let sum = self.terms().add(base, offset);
                Value::Scalar(self.terms().resize(sum, width, false))
            }
            Const::Complex { .. } | Const::ComplexInt { .. } => self.unsupported_value("complex numbers", class),
            Const::Apart { .. } => self.unsupported_value("a difference of labels", class),
        }
    }

    pub fn unsupported_value(&mut self, what: &str, class: Class) -> Value {
        self.unsupported(what);
        self.zero(class)
    }

    fn address_of_declaration(&mut self, id: DeclId) -> Term {
        match self.variable(id) {
            Some(variable) if self.l.builder.variables[variable].register_width().is_none() => self.l.builder.address_of(variable),
            _ => match self.l.entity(self.unit_index, id) {
                Some(Entity::Function(index)) => self.function_address(index),
                _ => {
                    self.unsupported("the address of a register");
                    self.word(0)
                }
            },
        }
    }

    pub fn function_address(&mut self, index: usize) -> Term {
        match self.l.functions[index].id {
            Some(id) => self.l.builder.address_of_function(id),
            None => {
                self.unsupported("the address of this function");
                self.word(0)
            }
        }
    }

    /// The variable of a declaration.
    pub fn variable(&mut self, id: DeclId) -> Option<VarId> {
        if let Some(&local) = self.locals.get(&(id.index() as u32)) {
            return Some(local);
        }
        match self.l.entity(self.unit_index, id) {
            Some(Entity::Variable(variable)) => Some(variable),
            // A jump past a declaration may lead to uses of it before it is lowered.
            None if self.unit.tast[id].kind == DeclKind::Object => Some(self.local(id)),
            _ => None,
        }
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
            Conversion::ArrayDecay | Conversion::FunctionDecay => match self.value_of_lvalue(operand) {
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
            Conversion::Arithmetic | Conversion::Pointer => self.cast(operand, ty),
            Conversion::Broadcast => self.unsupported_value("vector types", Class::Void),
            Conversion::Hardbool => self.unsupported_value("hardened booleans", self.unit.class(ty)),
        }
    }

    /// The object or function that an expression of aggregate or function type names.
    fn value_of_lvalue(&mut self, expr: ExprId) -> Value {
        match self.unit.tast[expr].kind {
            ExprKind::Decl(id) if self.unit.tast[id].kind == DeclKind::Function => Value::Aggregate(self.address_of_declaration(id)),
            _ => match self.place(expr) {
                Place::Memory(address) => Value::Aggregate(address),
                _ => Value::Aggregate(self.word(0)),
            },
        }
    }

    fn cast(&mut self, operand: ExprId, to: TypeId) -> Value {
        let target = self.unit.class(to);
        let source = self.class_of(operand);
        match (source, target) {
            (_, Class::Void) => {
                self.discard(operand);
                Value::Void
            }
            (_, Class::Unsupported(what)) | (Class::Unsupported(what), _) => self.unsupported_value(what, target),
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
                Value::Scalar(self.convert(value, source, target))
            }
        }
    }

    fn unary(&mut self, expr: ExprId, op: UnaryOp, operand: ExprId) -> Value {
        let class = self.class_of(expr);
        match op {
            UnaryOp::Plus => self.value(operand),
            UnaryOp::Minus => {
                let value = self.scalar(operand);
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
            UnaryOp::AddrOf => match self.value_of_lvalue(operand) {
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
            UnaryOp::Real | UnaryOp::Imag => self.unsupported_value("complex numbers", class),
        }
    }

    /// `++` and `--`: gives the old value if `old`, else the new one.
    fn step(&mut self, expr: ExprId, operand: ExprId, up: bool, old: bool) -> Term {
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
                let (a, b) = self.operands(lhs, rhs);
                let b = self.match_width(b, right, a);
                let truth = self.compare(op, left, a, b);
                self.number_of(truth, width)
            }
            BinaryOp::Add if left == Class::Pointer || right == Class::Pointer => {
                let (a, b) = self.operands(lhs, rhs);
                let (pointer, pointer_type, index, index_class) =
                    if left == Class::Pointer { (a, self.unit.tast[lhs].ty, b, right) } else { (b, self.unit.tast[rhs].ty, a, left) };
                self.index(pointer, pointer_type, index, index_class, false)
            }
            BinaryOp::Sub if left == Class::Pointer && right == Class::Pointer => {
                let (a, b) = self.operands(lhs, rhs);
                let bytes = self.terms().sub(a, b);
                let size = self.pointee_size(self.unit.tast[lhs].ty);
                let one = self.word(1);
                let count = if size == one { bytes } else { self.terms().binary(assay_term::Op::SignedDiv, bytes, size) };
                self.terms().resize(count, width, true)
            }
            BinaryOp::Sub if left == Class::Pointer => {
                let (a, b) = self.operands(lhs, rhs);
                self.index(a, self.unit.tast[lhs].ty, b, right, true)
            }
            _ => {
                let (a, b) = self.operands(lhs, rhs);
                self.arithmetic(op, self.unit.class(ty), a, b, right)
            }
        }
    }

    /// The operand with the width of the other: a pointer may be compared with an integer.
    fn match_width(&self, value: Term, class: Class, like: Term) -> Term {
        let width = self.terms().width(like);
        if self.terms().width(value) == width { value } else { self.terms().resize(value, width, class.is_signed()) }
    }

    /// Both operands, left before right.
    pub fn operands(&mut self, lhs: ExprId, rhs: ExprId) -> (Term, Term) {
        let mut a = self.scalar(lhs);
        if self.purity(rhs) == EFFECTS {
            a = self.snapshot(a);
        }
        let b = self.scalar(rhs);
        (a, b)
    }

    /// A pointer moved by an index.
    fn index(&mut self, pointer: Term, pointer_type: TypeId, index: Term, class: Class, back: bool) -> Term {
        let size = self.pointee_size(pointer_type);
        let index = self.terms().resize(index, self.pointer_width(), class.is_signed());
        let bytes = self.terms().mul(index, size);
        if back { self.terms().sub(pointer, bytes) } else { self.terms().add(pointer, bytes) }
    }

    fn pointee_size(&mut self, pointer: TypeId) -> Term {
        match self.unit.pointee(pointer) {
            Some(to) => self.size_term(to),
            None => self.word(1),
        }
    }

    /// The size of a type in bytes; functions and `void` count as one, as gcc has it.
    pub fn size_term(&mut self, ty: TypeId) -> Term {
        if let Some(size) = self.unit.size_of(ty) {
            return self.word(size);
        }
        match self.unit.kind(ty) {
            TypeKind::Void | TypeKind::Function(_) => self.word(1),
            TypeKind::Array { elem, len } => {
                let element = self.size_term(elem);
                match len {
                    ArrayLen::Variable(id) => {
                        let length = self.unit.tast.vla_size(id);
                        let class = self.class_of(length);
                        let length = self.scalar(length);
                        let length = self.terms().resize(length, self.pointer_width(), class.is_signed());
                        self.terms().mul(length, element)
                    }
                    ArrayLen::Fixed(count) => {
                        let count = self.word(count);
                        self.terms().mul(count, element)
                    }
                    _ => self.word(0),
                }
            }
            _ => {
                self.unsupported("the size of this type");
                self.word(1)
            }
        }
    }

    pub fn place(&mut self, expr: ExprId) -> Place {
        let node = self.unit.tast[expr];
        match node.kind {
            ExprKind::Decl(id) => match self.variable(id) {
                Some(variable) if self.l.builder.variables[variable].register_width().is_some() => Place::Register(variable),
                Some(variable) => Place::Memory(self.l.builder.address_of(variable)),
                None => Place::Memory(self.address_of_declaration(id)),
            },
            ExprKind::Member { base, field } => self.member(base, field),
            ExprKind::Subscript { base, index } => {
                let class = self.class_of(index);
                let pointer_type = self.unit.tast[base].ty;
                let (pointer, index) = self.operands(base, index);
                Place::Memory(self.index(pointer, pointer_type, index, class, false))
            }
            ExprKind::Unary { op: UnaryOp::Deref, operand } => Place::Memory(self.scalar(operand)),
            ExprKind::Str(id) => {
                let object = self.l.string(self.unit_index, id);
                Place::Memory(self.l.builder.address_of(object))
            }
            ExprKind::CompoundLiteral(id) => {
                let object = self.literal(id);
                Place::Memory(self.l.builder.address_of(object))
            }
            _ => match self.value(expr) {
                Value::Aggregate(address) => Place::Memory(address),
                Value::Scalar(value) => {
                    // A value used as a place: it is put into a temporary.
                    let width = self.terms().width(value);
                    let ctype = self.unit.ctype(node.ty);
                    let kept = self.temporary(width, ctype);
                    self.assign(kept, value);
                    Place::Register(kept)
                }
                Value::Void => Place::Memory(self.word(0)),
            },
        }
    }

    fn member(&mut self, base: ExprId, field: u32) -> Place {
        let ty = self.unit.tast[base].ty;
        let address = if self.unit.tast[base].category == Category::Rvalue {
            match self.value(base) {
                Value::Aggregate(address) | Value::Scalar(address) => address,
                Value::Void => self.word(0),
            }
        } else {
            match self.place(base) {
                Place::Memory(address) => address,
                _ => self.word(0),
            }
        };
        let TypeKind::Record(id) = self.unit.kind(ty) else {
            self.unsupported("a member of something that is no structure");
            return Place::Memory(address);
        };
        let info = self.unit.types.record_info(id);
        if info.variable.is_some() || info.reverse {
            self.unsupported("a structure of variable size or of the other byte order");
        }
        let Some(field) = info.fields.get(field as usize).copied() else { return Place::Memory(address) };
        let at = self.offset(address, field.offset);
        match field.bits {
            Some(width) => {
                let bytes = u64::from(field.bit / 8);
                Place::Bits { address: self.offset(at, bytes), low: field.bit % 8, width }
            }
            None => Place::Memory(at),
        }
    }

    pub fn read_place(&mut self, place: Place, ty: TypeId) -> Term {
        let class = self.unit.class(ty);
        let width = class.width(self.pointer_width()).unwrap_or(8);
        match place {
            Place::Register(variable) => self.read(variable),
            Place::Memory(address) => {
                let ctype = self.unit.ctype(ty);
                let stored = self.unit.memory_width(ty, self.pointer_width());
                let value = self.load(address, stored, ctype);
                if stored == width { value } else { self.terms().extract(value, width - 1, 0) }
            }
            Place::Bits { address, low, width: bits } => {
                let bytes = (low + bits).div_ceil(8);
                let word = self.load(address, bytes * 8, CType::Integer { width: bytes * 8, signed: false, name: "unsigned int" });
                let field = self.terms().extract(word, low + bits - 1, low);
                self.terms().resize(field, width.max(bits), class.is_signed())
            }
        }
    }

    /// Writes a value and gives what the place then holds.
    pub fn write_place(&mut self, place: Place, ty: TypeId, value: Term) -> Term {
        match place {
            Place::Register(variable) => {
                self.assign(variable, value);
                self.read(variable)
            }
            Place::Memory(address) => {
                let stored = self.unit.memory_width(ty, self.pointer_width());
                let signed = self.unit.class(ty).is_signed();
                let extended = if stored > self.terms().width(value) { self.terms().resize(value, stored, signed) } else { value };
                self.store(address, extended);
                value
            }
            Place::Bits { address, low, width } => {
                let bytes = (low + width).div_ceil(8);
                let total = bytes * 8;
                let class = self.unit.class(ty);
                let cut = if self.terms().width(value) > width { self.terms().extract(value, width - 1, 0) } else { value };
                let cut = if self.terms().width(cut) < width { self.terms().zero_extend(cut, width) } else { cut };
                let whole = if width == total {
                    cut
                } else {
                    let old = self.load(address, total, CType::Integer { width: total, signed: false, name: "unsigned int" });
                    let terms = self.terms();
                    let mut word = cut;
                    if low > 0 {
                        word = terms.concat(word, terms.extract(old, low - 1, 0));
                    }
                    if low + width < total {
                        word = terms.concat(terms.extract(old, total - 1, low + width), word);
                    }
                    word
                };
                self.store(address, whole);
                let full = class.width(self.pointer_width()).unwrap_or(width).max(width);
                self.terms().resize(cut, full, class.is_signed())
            }
        }
    }

    fn plain_assignment(&mut self, lhs: ExprId, rhs: ExprId) -> Value {
        let ty = self.unit.tast[lhs].ty;
        match self.unit.class(ty) {
            Class::Aggregate => {
                let mut destination = match self.place(lhs) {
                    Place::Memory(address) => address,
                    _ => self.word(0),
                };
                if self.purity(rhs) == EFFECTS {
                    destination = self.snapshot(destination);
                }
                if let Value::Aggregate(source) = self.value(rhs) {
                    let size = self.unit.size_of(ty).unwrap_or(0);
                    self.copy(destination, source, size);
                }
                Value::Aggregate(destination)
            }
            Class::Unsupported(what) => self.unsupported_value(what, Class::Void),
            _ => {
                let mut place = self.place(lhs);
                if self.purity(rhs) == EFFECTS {
                    place = self.keep(place);
                }
                if let Place::Register(variable) = place {
                    self.value_into(rhs, variable);
                    return Value::Scalar(self.read(variable));
                }
                let value = self.scalar(rhs);
                Value::Scalar(self.write_place(place, ty, value))
            }
        }
    }

    fn keep(&mut self, place: Place) -> Place {
        match place {
            Place::Memory(address) => Place::Memory(self.snapshot(address)),
            Place::Bits { address, low, width } => Place::Bits { address: self.snapshot(address), low, width },
            register => register,
        }
    }

    /// Assigns an expression's value to a register, without a temporary where one edge can do both.
    pub fn value_into(&mut self, expr: ExprId, target: VarId) {
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
                            && self.unit.class(source).is_scalar() =>
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
        let right = self.class_of(rhs);
        if let Class::Unsupported(what) = class {
            return self.unsupported_value(what, Class::Void);
        }
        let mut b = self.scalar(rhs);
        if self.purity(lhs) == EFFECTS {
            b = self.snapshot(b);
        }
        let place = self.place(lhs);
        let old = self.read_place(place, ty);
        let new = if class == Class::Pointer {
            self.index(old, ty, b, right, op == BinaryOp::Sub)
        } else {
            let a = self.convert(old, class, working);
            let shifts = matches!(op, BinaryOp::Shl | BinaryOp::Shr);
            let b = if shifts { b } else { self.convert(b, right, working) };
            let result = self.arithmetic(op, working, a, b, right);
            self.convert(result, working, class)
        };
        Value::Scalar(self.write_place(place, ty, new))
    }

    fn conditional(&mut self, expr: ExprId, cond: ExprId, then: ExprId, otherwise: ExprId) -> Value {
        // GNU's `a ?: b` uses the value of `a` twice and computes it once.
        let once = self.shared_operand(cond, then);
        if let Some(operand) = once {
            let value = match self.value(operand) {
                Value::Scalar(value) => Value::Scalar(self.snapshot(value)),
                other => other,
            };
            self.shared.insert(operand.index(), value);
        }
        let value = self.choose(expr, cond, then, otherwise);
        if let Some(operand) = once {
            self.shared.remove(&operand.index());
        }
        value
    }

    fn shared_operand(&self, cond: ExprId, then: ExprId) -> Option<ExprId> {
        let peel = |mut expr: ExprId| {
            let mut chain = vec![expr];
            while let ExprKind::Convert { kind, operand } = self.unit.tast[expr].kind {
                if kind == Conversion::Lvalue {
                    break;
                }
                expr = operand;
                chain.push(expr);
            }
            chain
        };
        let conditions = peel(cond);
        let found = peel(then).into_iter().find(|e| conditions.contains(e))?;
        (!matches!(self.unit.tast[found].kind, ExprKind::Const(_))).then_some(found)
    }

    fn choose(&mut self, expr: ExprId, cond: ExprId, then: ExprId, otherwise: ExprId) -> Value {
        let class = self.class_of(expr);
        let pure = |body: &mut Self, e| body.purity(e) == PURE;
        if class.is_scalar() && pure(self, then) && pure(self, otherwise) {
            let truth = self.truth_of(cond);
            let (a, b) = (self.scalar(then), self.scalar(otherwise));
            return Value::Scalar(self.terms().ite(truth, a, b));
        }
        let keyword = self.unit.span(self.unit.tast.expr_span(cond));
        let (yes, no) = self.branch(cond, Some((keyword, false)));
        let width = match class {
            Class::Aggregate => Some(self.pointer_width()),
            _ => class.width(self.pointer_width()),
        };
        let target = width.map(|width| {
            self.temporary(width, if class == Class::Aggregate { CType::Pointer } else { self.unit.ctype(self.unit.tast[expr].ty) })
        });
        self.ends = yes;
        self.arm(then, target);
        let first = std::mem::replace(&mut self.ends, no);
        self.arm(otherwise, target);
        self.ends.extend(first);
        match target {
            Some(target) if class == Class::Aggregate => Value::Aggregate(self.read(target)),
            Some(target) => Value::Scalar(self.read(target)),
            None => Value::Void,
        }
    }

    fn arm(&mut self, expr: ExprId, target: Option<VarId>) {
        match target {
            Some(target) => match self.value(expr) {
                Value::Scalar(value) | Value::Aggregate(value) => self.assign(target, value),
                Value::Void => {}
            },
            None => self.discard(expr),
        }
    }

    /// An expression as a condition: a term of width 1.
    pub fn truth_of(&mut self, expr: ExprId) -> Term {
        if !self.shared.contains_key(&expr.index()) {
            match self.unit.tast[expr].kind {
                ExprKind::Convert { kind: Conversion::Bool, operand } => return self.truth_of(operand),
                ExprKind::Unary { op: UnaryOp::Not, operand } => {
                    let truth = self.truth_of(operand);
                    return self.terms().not(truth);
                }
                ExprKind::Binary { op: op @ (BinaryOp::LogAnd | BinaryOp::LogOr), lhs, rhs } => return self.logical(expr, op, lhs, rhs),
                ExprKind::Binary { op, lhs, rhs } if op.is_comparison() && !matches!(self.class_of(lhs), Class::Unsupported(_)) => {
                    let (left, right) = (self.class_of(lhs), self.class_of(rhs));
                    let (a, b) = self.operands(lhs, rhs);
                    let b = self.match_width(b, right, a);
                    return self.compare(op, left, a, b);
                }
                ExprKind::Convert { kind: Conversion::Arithmetic, operand } | ExprKind::Cast(operand)
                    if self.keeps_truth(expr, operand) =>
                {
                    return self.truth_of(operand);
                }
                ExprKind::Expect { value, .. } => return self.truth_of(value),
                _ => {}
            }
        }
        let class = self.class_of(expr);
        let value = self.scalar(expr);
        self.truth(value, class)
    }

    /// Whether a conversion of integers loses no bits.
    fn keeps_truth(&self, expr: ExprId, operand: ExprId) -> bool {
        let width = |class| match class {
            Class::Int { width, .. } => Some(width),
            Class::Bool => Some(8),
            _ => None,
        };
        match (width(self.class_of(operand)), width(self.class_of(expr))) {
            (Some(from), Some(to)) => from <= to && self.class_of(expr) != Class::Bool,
            _ => false,
        }
    }

    fn logical(&mut self, expr: ExprId, op: BinaryOp, lhs: ExprId, rhs: ExprId) -> Term {
        if self.purity(rhs) == PURE {
            let a = self.truth_of(lhs);
            let b = self.truth_of(rhs);
            return if op == BinaryOp::LogAnd { self.terms().and(a, b) } else { self.terms().or(a, b) };
        }
        let (yes, no) = self.branch(expr, None);
        let target = self.temporary(8, CType::Bool);
        self.ends = yes;
        let (one, zero) = (self.terms().number(8, 1), self.terms().number(8, 0));
        self.assign(target, one);
        let first = std::mem::replace(&mut self.ends, no);
        self.assign(target, zero);
        self.ends.extend(first);
        let value = self.read(target);
        self.terms().is_nonzero(value)
    }

    /// Control after a condition: where it holds, and where it does not. `keyword` is the place of the statement's
    /// keyword and whether it is a loop.
    pub fn branch(&mut self, expr: ExprId, keyword: Option<(Span, bool)>) -> (Ends, Ends) {
        if self.purity(expr) != PURE && !self.shared.contains_key(&expr.index()) {
            match self.unit.tast[expr].kind {
                ExprKind::Convert { kind: Conversion::Bool, operand } => return self.branch(operand, keyword),
                ExprKind::Convert { kind: Conversion::Arithmetic, operand } | ExprKind::Cast(operand)
                    if self.keeps_truth(expr, operand) =>
                {
                    return self.branch(operand, keyword);
                }
                ExprKind::Expect { value, .. } => return self.branch(value, keyword),
                ExprKind::Unary { op: UnaryOp::Not, operand } => {
                    let (yes, no) = self.branch(operand, keyword);
                    return (no, yes);
                }
                ExprKind::Comma { lhs, rhs } => {
                    self.discard(lhs);
                    return self.branch(rhs, keyword);
                }
                ExprKind::Binary { op: BinaryOp::LogAnd, lhs, rhs } => {
                    let (yes, mut no) = self.branch(lhs, keyword);
                    self.ends = yes;
                    let (yes, more) = self.branch(rhs, keyword);
                    no.extend(more);
                    return (yes, no);
                }
                ExprKind::Binary { op: BinaryOp::LogOr, lhs, rhs } => {
                    let (mut yes, no) = self.branch(lhs, keyword);
                    self.ends = no;
                    let (more, no) = self.branch(rhs, keyword);
                    yes.extend(more);
                    return (yes, no);
                }
                _ => {}
            }
        }
        let condition = self.truth_of(expr);
        self.split(condition, keyword)
    }

    /// Whether evaluating an expression changes something, or loads or checks something.
    pub fn purity(&mut self, expr: ExprId) -> u8 {
        let known = self.l.purity[self.unit_index][expr.index()];
        if known != 0 {
            return known;
        }
        let own = self.own_purity(expr);
        let mut purity = own;
        if own != EFFECTS {
            let mut children = Vec::new();
            super::walk::below_expr(self.unit, expr, &mut |item| children.push(item));
            for child in children {
                purity = purity.max(match child {
                    super::walk::Below::Expr(child) => self.purity(child),
                    _ => EFFECTS,
                });
            }
        }
        self.l.purity[self.unit_index][expr.index()] = purity;
        purity
    }

    fn own_purity(&self, expr: ExprId) -> u8 {
        let watches = self.l.property == assay_cfa::Property::NoOverflow;
        match self.unit.tast[expr].kind {
            ExprKind::Const(_) | ExprKind::Str(_) | ExprKind::Decl(_) | ExprKind::Member { .. } | ExprKind::Subscript { .. } => PURE,
            ExprKind::Comma { .. } | ExprKind::Cond { .. } | ExprKind::Expect { .. } | ExprKind::ConstantP { .. } => PURE,
            ExprKind::Convert { kind: Conversion::Lvalue, operand } => match self.unit.tast[operand].kind {
                _ if self.class_of(operand) == Class::Aggregate => PURE,
                ExprKind::Decl(id) if self.l.is_register(self.l.links.resolve(self.l.units, Global::new(self.unit_index, id))) => PURE,
                _ => READS,
            },
            ExprKind::Convert { operand, .. } | ExprKind::Cast(operand) => {
                let (from, to) = (self.class_of(operand), self.class_of(expr));
                match (from, to) {
                    (Class::Float { .. }, Class::Int { .. }) => READS,
                    (Class::Unsupported(_), _) | (_, Class::Unsupported(_)) => EFFECTS,
                    (from, Class::Aggregate) if from != Class::Aggregate => EFFECTS,
                    _ => PURE,
                }
            }
            ExprKind::Unary { op, .. } => match op {
                UnaryOp::PreInc | UnaryOp::PreDec | UnaryOp::PostInc | UnaryOp::PostDec => EFFECTS,
                UnaryOp::Minus if watches => READS,
                UnaryOp::Real | UnaryOp::Imag => EFFECTS,
                _ => PURE,
            },
            ExprKind::Binary { op, rhs, .. } => match op {
                BinaryOp::Div | BinaryOp::Rem | BinaryOp::Shl | BinaryOp::Shr => {
                    let constant = matches!(self.unit.tast[rhs].kind, ExprKind::Const(_));
                    if constant && !watches { PURE } else { READS }
                }
                BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul if watches => READS,
                _ => PURE,
            },
            _ => EFFECTS,
        }
    }

    /// The address that stands for a label; computed jumps compare with it.
    pub fn label_address(&mut self, label: usize) -> Term {
        if let Some((_, address)) = self.label_addresses.iter().find(|(known, _)| *known == label) {
            return *address;
        }
        // Any constants do that are not null and differ; nothing else may be done with them.
        let address = self.word(8 * (label as u64 + 1));
        self.label_addresses.push((label, address));
        address
    }
}
