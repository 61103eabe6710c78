//! The data model, and as much of C's types as output and classification need.

use std::sync::Arc;

/// Sizes of C's types, as in the SV-COMP rules.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum DataModel {
    /// Pointers and `long` have 32 bits.
    Ilp32,
    /// Pointers and `long` have 64 bits.
    Lp64,
}

impl DataModel {
    /// In bits.
    pub const fn pointer_width(self) -> u32 {
        match self {
            DataModel::Ilp32 => 32,
            DataModel::Lp64 => 64,
        }
    }
    /// As options and task files write it.
    pub const fn name(self) -> &'static str {
        match self {
            DataModel::Ilp32 => "ILP32",
            DataModel::Lp64 => "LP64",
        }
    }
    /// From its name, in upper or lower case.
    pub fn parse(text: &str) -> Option<DataModel> {
        match text.to_ascii_uppercase().as_str() {
            "ILP32" => Some(DataModel::Ilp32),
            "LP64" => Some(DataModel::Lp64),
            _ => None,
        }
    }
}

/// The C type of a variable, as far as printing values and choosing analyses needs it. Meaning is in the
/// operations; nothing is computed from this.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum CType {
    /// No value.
    Void,
    /// `_Bool`.
    Bool,
    /// Any integer type; `name` is its spelling in C ("unsigned int").
    Integer {
        /// In bits.
        width: u32,
        /// Whether negative values exist.
        signed: bool,
        /// As C spells it.
        name: &'static str,
    },
    /// Stored in `width` bits (80 for the x87 format).
    Float {
        /// In bits.
        width: u32,
    },
    /// To anything.
    Pointer,
    /// An array with its element type and, where it is constant, its length.
    Array {
        /// The type of each element.
        element: Box<CType>,
        /// The number of elements.
        length: Option<u64>,
    },
    /// A structure or union.
    Record {
        /// With its keyword, as C spells it.
        name: String,
        /// In bytes.
        size: u64,
        /// Of a structure, in order; those without a name or an address are left out.
        members: Arc<[Member]>,
    },
    /// What a function's name is before it becomes a pointer.
    Function,
}

/// A member of a structure.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Member {
    /// As C spells it.
    pub name: String,
    /// In bytes.
    pub offset: u64,
    /// The type of the member.
    pub ctype: CType,
}

impl CType {
    /// Whether it is an integer type with negative values.
    pub fn is_signed(&self) -> bool {
        matches!(self, CType::Integer { signed: true, .. })
    }
}
