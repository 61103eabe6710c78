//! Values of registers and memory cells.

use assay_base::hash::mix;
use assay_base::id_type;
use assay_cfa::program::{EdgeId, SourceId, VarId};
use assay_term::{Bits, Term};

id_type! {
    /// A memory object of a state. Global objects and functions have fixed ids, others the lowest free one.
    pub struct ObjectId("o");
}

/// A value: nothing known, a constant, an address in a known object, or any term over inputs and object bases.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Value {
    /// Anything of its width.
    #[default]
    Unknown,
    /// The bits are kept in two words so that a value needs three.
    Known {
        /// In bits, at most 128.
        width: u32,
        /// The low 64 bits.
        low: u64,
        /// The high bits.
        high: u64,
    },
    /// `base(object) + offset`; the offset is cut to the pointer width.
    Pointer {
        /// Where it points.
        object: ObjectId,
        /// In bytes.
        offset: u64,
    },
    /// Somewhere in the object: `base(object)` plus an offset of which nothing is known.
    Within(ObjectId),
    /// A term over symbols of the run.
    Term(Term),
}

impl Value {
    /// A constant.
    #[inline]
    pub fn known(bits: Bits) -> Value {
        Value::Known { width: bits.width(), low: bits.value() as u64, high: (bits.value() >> 64) as u64 }
    }
    /// A constant; the value is cut to the width.
    #[inline]
    pub fn number(width: u32, value: u128) -> Value {
        Value::known(Bits::new(width, value))
    }
    /// The constant, if it is one.
    #[inline]
    pub fn as_bits(self) -> Option<Bits> {
        match self {
            Value::Known { width, low, high } => Some(Bits::new(width, low as u128 | (high as u128) << 64)),
            _ => None,
        }
    }
    /// The object that a pointer value points into.
    pub fn object(self) -> Option<ObjectId> {
        match self {
            Value::Pointer { object, .. } | Value::Within(object) => Some(object),
            _ => None,
        }
    }
    /// Whether it is a constant.
    pub fn is_known(self) -> bool {
        matches!(self, Value::Known { .. })
    }
    /// A hash for look-up tables within one run.
    #[inline]
    pub fn hash64(self) -> u64 {
        match self {
            Value::Unknown => 0,
            Value::Known { width, low, high } => mix(low ^ mix(high ^ (width as u64) << 1 ^ 1)),
            Value::Pointer { object, offset } => mix(mix(object.0 as u64 | 1 << 40) ^ offset),
            Value::Within(object) => mix(object.0 as u64 | 1 << 42),
            Value::Term(term) => mix(term.0 as u64 | 1 << 41),
        }
    }
}

/// Why an unconstrained value is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FreshOrigin {
    /// A havoc of the program.
    Source(SourceId),
    /// Content of an object that was never written, or that something outside wrote.
    Memory {
        /// The place of the object among those made on the path; 0 for globals.
        birth: u32,
        /// In bytes.
        offset: u64,
        /// Whether something outside wrote it.
        given: bool,
    },
    /// A register whose value an abstraction has forgotten.
    Forgotten(VarId),
    /// The result of something that is not modelled exactly (an access of unknown target, undefined behaviour).
    Approximation {
        /// The edge that asks, if one does.
        edge: Option<EdgeId>,
    },
}
