//! The data model, and as much of C's types as output and classification need.

use std::sync::Arc;

/// Sizes of C's types, as in the SV-COMP rules.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum DataModel {
    Ilp32,
    Lp64,
}

impl DataModel {
    pub const fn pointer_width(self) -> u32 {
        match self {
            DataModel::Ilp32 => 32,
            DataModel::Lp64 => 64,
        }
    }
    pub const fn name(self) -> &'static str {
        match self {
            DataModel::Ilp32 => "ILP32",
            DataModel::Lp64 => "LP64",
        }
    }
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
    Void,
    Bool,
    /// Any integer type; `name` is its spelling in C ("unsigned int").
    Integer {
        width: u32,
        signed: bool,
        name: &'static str,
    },
    /// Stored in `width` bits (80 for the x87 format).
    Float {
        width: u32,
    },
    Pointer,
    /// An array with its element type and, where it is constant, its length.
    Array {
        element: Box<CType>,
        length: Option<u64>,
    },
    /// A structure or union.
    Record {
        name: String,
        size: u64,
        /// Of a structure, in order; those without a name or an address are left out.
        members: Arc<[Member]>,
    },
    Function,
}

/// A member of a structure.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Member {
    pub name: String,
    /// In bytes.
    pub offset: u64,
    pub ctype: CType,
}

impl CType {
    pub fn is_signed(&self) -> bool {
        matches!(self, CType::Integer { signed: true, .. })
    }
}
