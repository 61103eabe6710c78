//! Whether any pointer of a program may lead to something that is not aligned for its type. Where none can, no access
//! has to be looked at.

use super::Class;
use crate::adapter::Unit;
use rucc_sema::{Conversion, ExprId, ExprKind};
use rucc_types::TypeId;

/// What the conversions of a program do to the alignment of what pointers lead to.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct PointerAlignment {
    /// A pointer to a type that demands less is converted, or a number is, or the address of a packed member is taken.
    raised: bool,
    /// A pointer to a type that demands little becomes one to `void`.
    forgotten: bool,
    /// A pointer to `void` that is no result of a call becomes one to a type that demands some.
    demanded: bool,
}

impl PointerAlignment {
    /// Whether some access may be misaligned.
    pub(super) fn may_be_missing(self) -> bool {
        self.raised || self.forgotten && self.demanded
    }

    /// A value is converted.
    pub(super) fn conversion(&mut self, unit: &Unit, operand: ExprId, to: TypeId) {
        let source = unit.tast[operand].ty;
        let Some(to) = unit.pointee(to).filter(|_| !unit.is_library && !matches!(unit.tast[operand].kind, ExprKind::Const(_))) else {
            return;
        };
        let demands = |ty| if matches!(unit.class(ty), Class::Void | Class::Function) { 1 } else { unit.align_of(ty) };
        let Some(from) = unit.pointee(source) else {
            self.raised |= matches!(unit.class(source), Class::Int { .. }) && demands(to) > 1;
            return;
        };
        let is_void = |ty| unit.class(ty) == Class::Void;
        match (is_void(from), is_void(to)) {
            (false, false) => self.raised |= demands(from) < demands(to),
            // What `malloc` gives is aligned for everything, and the library gives nothing that is not.
            (true, false) => self.demanded |= demands(to) > 1 && !matches!(unit.tast[operand].kind, ExprKind::Call { .. }),
            (false, true) => self.forgotten |= demands(from) < 8,
            (true, true) => {}
        }
    }

    /// The address of a place is taken.
    pub(super) fn address(&mut self, unit: &Unit, place: ExprId) {
        self.raised |= is_packed(unit, place);
    }
}

/// Whether a place is a member that its structure holds with less alignment than its type has.
fn is_packed(unit: &Unit, place: ExprId) -> bool {
    match unit.tast[place].kind {
        ExprKind::Member { base, .. } => unit.align_of(unit.tast[base].ty) < unit.align_of(unit.tast[place].ty) || is_packed(unit, base),
        ExprKind::Subscript { base, .. } | ExprKind::Convert { kind: Conversion::ArrayDecay, operand: base } => is_packed(unit, base),
        _ => false,
    }
}
