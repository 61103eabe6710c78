//! Places: what can be read and written, and the addresses of things.

use super::body::{Body, Value};
use super::parts::Parts;
use super::unsequenced::is_decayed;
use super::{Class, Entity};
use assay_cfa::{CType, VarId};
use assay_term::Term;
use rucc_ast::UnaryOp;
use rucc_sema::{Category, DeclId, DeclKind, ExprId, ExprKind};
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

impl Body<'_, '_> {
    pub(super) fn address_of_declaration(&mut self, id: DeclId) -> Term {
        if self.l.is_absent(self.unit_index, id) {
            return self.word(0);
        }
        if let Some(&address) = self.captured.get(&(id.index() as u32)) {
            return self.read(address);
        }
        match self.variable(id) {
            // In a register, so that the address can be forgotten where memory is in question.
            Some(variable) if self.l.has_unknown_size(variable) => {
                let address = self.l.builder.address_of(variable);
                let register = self.word_temporary();
                self.assign(register, address);
                self.read(register)
            }
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

    pub(super) fn function_address(&mut self, index: usize) -> Term {
        self.hand_variables_on(index);
        match self.l.functions[index].id {
            Some(id) => self.l.builder.address_of_function(id),
            None => {
                self.unsupported("the address of this function");
                self.word(0)
            }
        }
    }

    /// The variable of a declaration.
    pub(super) fn variable(&mut self, id: DeclId) -> Option<VarId> {
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

    /// The object or function that an expression of aggregate or function type names.
    pub(super) fn value_of_lvalue(&mut self, expr: ExprId) -> Value {
        match self.unit.tast[expr].kind {
            ExprKind::Decl(id) if self.unit.tast[id].kind == DeclKind::Function => Value::Aggregate(self.address_of_declaration(id)),
            _ => match self.place(expr) {
                Place::Memory(address) => Value::Aggregate(address),
                _ => Value::Aggregate(self.word(0)),
            },
        }
    }

    /// A pointer moved by an index.
    pub(super) fn index(&mut self, pointer: Term, pointer_type: TypeId, index: Term, class: Class, back: bool) -> Term {
        let size = self.pointee_size(pointer_type);
        let index = self.terms().resize(index, self.pointer_width(), class.is_signed());
        let bytes = self.terms().mul(index, size);
        if back { self.terms().sub(pointer, bytes) } else { self.terms().add(pointer, bytes) }
    }

    pub(super) fn pointee_size(&mut self, pointer: TypeId) -> Term {
        match self.unit.pointee(pointer) {
            Some(to) => self.size_term(to),
            None => self.word(1),
        }
    }

    /// The size of a type in bytes; functions and `void` count as one, as gcc has it.
    pub(super) fn size_term(&mut self, ty: TypeId) -> Term {
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

    pub(super) fn place(&mut self, expr: ExprId) -> Place {
        let node = self.unit.tast[expr];
        let accessed = !std::mem::take(&mut self.only_address);
        match node.kind {
            ExprKind::Decl(id) if self.captured.contains_key(&(id.index() as u32)) => Place::Memory(self.address_of_declaration(id)),
            ExprKind::Decl(id) => match self.variable(id) {
                Some(variable) if self.l.builder.variables[variable].register_width().is_some() => Place::Register(variable),
                _ => Place::Memory(self.address_of_declaration(id)),
            },
            ExprKind::Member { base, field } => self.member(base, field),
            ExprKind::Subscript { base, index } => {
                if let Class::Unsupported(what) = self.class_of(base) {
                    self.unsupported(what);
                    return Place::Memory(self.word(0));
                }
                if let Some(parts) = self.parts_type(base) {
                    return self.part(base, index, parts);
                }
                let class = self.class_of(index);
                let pointer_type = self.unit.tast[base].ty;
                let (pointer, index) = self.operands(None, base, index);
                self.watch_index(base, index, class, accessed);
                let address = self.index(pointer, pointer_type, index, class, false);
                if accessed && !is_decayed(self.unit, base) {
                    self.watch_alignment(address, node.ty);
                }
                Place::Memory(address)
            }
            ExprKind::Unary { op: UnaryOp::Deref, operand } => {
                let address = self.scalar(operand);
                if accessed {
                    self.watch_alignment(address, node.ty);
                }
                Place::Memory(address)
            }
            ExprKind::Unary { op: op @ (UnaryOp::Real | UnaryOp::Imag), operand }
                if self.parts_type(operand).is_some() && self.unit.tast[operand].category != Category::Rvalue =>
            {
                self.place_of_half(operand, op == UnaryOp::Imag).unwrap_or_else(|| Place::Memory(self.word(0)))
            }
            ExprKind::Unary { op: UnaryOp::Real, operand } if self.unit.tast[operand].category != Category::Rvalue => self.place(operand),
            ExprKind::Str(id) => {
                let object = self.l.string(self.unit_index, id, self.span);
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

    /// A part of a vector, which is no pointer.
    fn part(&mut self, base: ExprId, index: ExprId, parts: Parts) -> Place {
        if self.conflicts(&[base, index]) {
            self.unsupported("an index that changes its vector");
        }
        let address = match self.unit.tast[base].category {
            Category::Rvalue => match self.value(base) {
                Value::Aggregate(address) => address,
                _ => self.word(0),
            },
            _ => match self.place(base) {
                Place::Memory(address) => address,
                _ => self.word(0),
            },
        };
        let class = self.class_of(index);
        let index = self.scalar(index);
        let index = self.terms().resize(index, self.pointer_width(), class.is_signed());
        let bytes = self.terms().mul(index, self.word(parts.size));
        Place::Memory(self.terms().add(address, bytes))
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

    pub(super) fn read_place(&mut self, place: Place, ty: TypeId) -> Term {
        let class = self.unit.class(ty);
        let width = class.width(self.pointer_width()).unwrap_or(8);
        match place {
            Place::Register(variable) => self.read(variable),
            Place::Memory(address) => {
                let ctype = self.unit.ctype(ty);
                let stored = self.unit.memory_width(ty, self.pointer_width());
                let value = self.load(address, stored, ctype);
                if class == Class::Bool {
                    // Memory that was never written holds any bits, but a boolean is 0 or 1.
                    let zero = self.terms().number(stored, 0);
                    let truth = self.terms().ne(value, zero);
                    return self.number_of(truth, width);
                }
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
    pub(super) fn write_place(&mut self, place: Place, ty: TypeId, value: Term) -> Term {
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

    pub(super) fn keep(&mut self, place: Place) -> Place {
        match place {
            Place::Memory(address) => Place::Memory(self.snapshot(address)),
            Place::Bits { address, low, width } => Place::Bits { address: self.snapshot(address), low, width },
            register => register,
        }
    }

    /// The address that stands for a label; computed jumps compare with it.
    pub(super) fn label_address(&mut self, label: usize) -> Term {
        if let Some((_, address)) = self.label_addresses.iter().find(|(known, _)| *known == label) {
            return *address;
        }
        // Any constants do that are not null and differ; nothing else may be done with them.
        let address = self.word(8 * (label as u64 + 1));
        self.label_addresses.push((label, address));
        address
    }
}
