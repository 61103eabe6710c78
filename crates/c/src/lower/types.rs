//! Questions about C types: how a value of a type is represented and how large it is.

use super::parts::Parts;
use crate::adapter::Unit;
use assay_cfa::{CType, Member};
use rucc_types::{ArrayLen, FloatKind, IntKind, RecordKind, TypeId, TypeKind};

/// How values of a type are represented.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Class {
    Void,
    /// Eight bits, 0 or 1.
    Bool,
    Int {
        width: u32,
        signed: bool,
    },
    Pointer,
    Float {
        width: u32,
    },
    /// Structures, unions, arrays, vectors, complex numbers: values are addresses of objects that hold them.
    Aggregate,
    Function,
    /// Decimal floats, wide `_BitInt`.
    Unsupported(&'static str),
}

impl Class {
    pub(crate) fn is_scalar(self) -> bool {
        matches!(self, Class::Bool | Class::Int { .. } | Class::Pointer | Class::Float { .. })
    }

    /// The width of a value in a register; `None` for what no register holds.
    pub(crate) fn width(self, pointer_width: u32) -> Option<u32> {
        match self {
            Class::Bool => Some(8),
            Class::Int { width, .. } | Class::Float { width } => Some(width),
            Class::Pointer => Some(pointer_width),
            _ => None,
        }
    }

    pub(crate) fn is_signed(self) -> bool {
        matches!(self, Class::Int { signed: true, .. })
    }
}

impl Unit {
    pub(crate) fn kind(&self, ty: TypeId) -> TypeKind {
        match self.types.kind(self.types.canonical(ty)) {
            TypeKind::Atomic(inner) => self.kind(inner),
            kind => kind,
        }
    }

    pub(crate) fn class(&self, ty: TypeId) -> Class {
        match self.kind(ty) {
            TypeKind::Void => Class::Void,
            TypeKind::Bool => Class::Bool,
            TypeKind::Int(kind) => {
                Class::Int { width: rucc_types::int_width(kind, &self.target), signed: kind.is_signed(self.target.char_is_signed) }
            }
            TypeKind::Enum(id) => match self.types.enum_info(id).underlying {
                Some(underlying) => self.class(underlying),
                None => Class::Int { width: 32, signed: true },
            },
            // The value of a bit-field wider than `int` has such a type too.
            TypeKind::BitInt { signed, width } if width <= 128 => Class::Int { width, signed },
            TypeKind::BitInt { .. } => Class::Unsupported("_BitInt of more than 128 bits"),
            TypeKind::Float(kind) => match kind {
                FloatKind::Float16 => Class::Float { width: 16 },
                FloatKind::Float | FloatKind::Float32 => Class::Float { width: 32 },
                FloatKind::Double | FloatKind::Float64 | FloatKind::Float32x => Class::Float { width: 64 },
                FloatKind::LongDouble | FloatKind::Float64x => Class::Float { width: 80 },
                FloatKind::Float128 => Class::Float { width: 128 },
                FloatKind::Decimal32 | FloatKind::Decimal64 | FloatKind::Decimal128 => Class::Unsupported("decimal floats"),
            },
            TypeKind::Complex(_) | TypeKind::Vector { .. } if self.has_parts(ty) => Class::Aggregate,
            TypeKind::Complex(_) => Class::Unsupported("complex numbers of this type"),
            TypeKind::Vector { .. } => Class::Unsupported("vectors of this type"),
            TypeKind::Pointer(_) => Class::Pointer,
            TypeKind::Array { .. } | TypeKind::Record(_) => Class::Aggregate,
            TypeKind::Function(_) => Class::Function,
            TypeKind::Atomic(_) | TypeKind::Typedef { .. } => Class::Unsupported("this type"),
        }
    }

    /// The size in bytes; `None` for incomplete types and those whose size is known only when the program runs.
    pub(crate) fn size_of(&self, ty: TypeId) -> Option<u64> {
        rucc_types::layout(&self.types, ty, &self.target).ok().map(|layout| layout.size)
    }

    /// How many bits of memory a value takes: more than the value has where it is no whole number of bytes.
    pub(crate) fn memory_width(&self, ty: TypeId, pointer_width: u32) -> u32 {
        match (self.class(ty), self.size_of(ty)) {
            (Class::Int { .. }, Some(size)) => size as u32 * 8,
            (class, _) => class.width(pointer_width).unwrap_or(8),
        }
    }

    pub(crate) fn align_of(&self, ty: TypeId) -> u32 {
        rucc_types::align(&self.types, ty, &self.target).map_or(1, |align| align as u32)
    }

    /// What a pointer type points to.
    pub(crate) fn pointee(&self, ty: TypeId) -> Option<TypeId> {
        match self.kind(ty) {
            TypeKind::Pointer(to) => Some(to),
            _ => None,
        }
    }

    /// Whether a type is a union of nothing but pointers, as the headers of sockets have for their addresses.
    pub(crate) fn is_union_of_pointers(&self, ty: TypeId) -> bool {
        let TypeKind::Record(id) = self.kind(ty) else { return false };
        let info = self.types.record_info(id);
        let pointers = info.fields.iter().all(|field| self.class(field.ty) == Class::Pointer);
        info.kind == RecordKind::Union && pointers && !info.fields.is_empty()
    }

    /// The type as printing and classification want it.
    pub(crate) fn ctype(&self, ty: TypeId) -> CType {
        match self.kind(ty) {
            TypeKind::Void => CType::Void,
            TypeKind::Bool => CType::Bool,
            TypeKind::Pointer(_) => CType::Pointer,
            TypeKind::Function(_) => CType::Function,
            TypeKind::Int(kind) => self.integer(kind),
            TypeKind::Enum(id) => match self.types.enum_info(id).underlying {
                Some(underlying) => self.ctype(underlying),
                None => self.integer(IntKind::Int),
            },
            TypeKind::Array { elem, len } => {
                let length = if let ArrayLen::Fixed(length) = len { Some(length) } else { None };
                CType::Array { element: Box::new(self.ctype(elem)), length }
            }
            TypeKind::Record(id) => {
                let info = self.types.record_info(id);
                let keyword = if info.kind == RecordKind::Struct { "struct" } else { "union" };
                let name = info.tag.map_or("", |tag| self.text(tag));
                let size = self.size_of(ty).unwrap_or(0);
                let plain = info.kind == RecordKind::Struct && info.variable.is_none();
                let fields = info.fields.iter().filter(|field| plain && field.bits.is_none());
                let members = fields.filter_map(|field| {
                    let name = self.text(field.name?).to_string();
                    Some(Member { name, offset: field.offset, ctype: self.ctype(field.ty) })
                });
                CType::Record { name: format!("{keyword} {name}").trim_end().to_string(), size, members: members.collect() }
            }
            _ if self.has_parts(ty) => {
                let element = |parts: Parts| CType::Array { element: Box::new(self.ctype(parts.element)), length: Some(parts.count) };
                self.parts(ty).map_or(CType::Void, element)
            }
            _ => match self.class(ty) {
                Class::Int { width, signed } => CType::Integer { width, signed, name: if signed { "int" } else { "unsigned int" } },
                Class::Float { width } => CType::Float { width },
                _ => CType::Void,
            },
        }
    }

    fn integer(&self, kind: IntKind) -> CType {
        CType::Integer {
            width: rucc_types::int_width(kind, &self.target),
            signed: kind.is_signed(self.target.char_is_signed),
            name: kind.as_str(),
        }
    }
}

/// Whether a text has GNU's attribute `aligned` with a number that may be smaller than what a type demands. The library
/// says nothing of the attribute, and the text is all that can be looked at.
pub(super) fn may_lower_alignment(text: &str) -> bool {
    text.match_indices("aligned").any(|(at, word)| {
        let rest = text[at + word.len()..].trim_start_matches('_').trim_start();
        let Some(argument) = rest.strip_prefix('(') else { return false };
        let argument = argument.trim_start_matches(|c: char| c == '(' || c.is_whitespace());
        let digits: String = argument.chars().take_while(char::is_ascii_digit).collect();
        !argument.starts_with("__alignof__") && digits.parse::<u64>().is_ok_and(|number| number < 16)
            || digits.is_empty() && !argument.starts_with("__alignof__")
    })
}
