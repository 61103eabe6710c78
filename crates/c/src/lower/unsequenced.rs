//! Where an answer may rest on an order of evaluation that C leaves open: one operand changes what the other one reads
//! or changes. Such a place writes a line into the ledger. What a call does is what all functions that it can reach do
//! to objects that outlive them, with memory behind pointers told apart by the kind of number that is accessed.

use super::body::Body;
use super::condition::{EFFECTS, PURE};
use super::facts::{Global, direct_callee};
use super::walk::{Below, below_expr, below_stmt};
use super::{Class, Entity, Lowering};
use assay_base::{AssumptionClass, FastSet};
use rucc_ast::{BinaryOp, UnaryOp};
use rucc_sema::{Conversion, ExprId, ExprKind, StorageDuration};
use rucc_types::TypeKind;
use std::rc::Rc;

/// Beyond so many functions, a call is taken to do anything.
const MOST_FUNCTIONS: usize = 2_000;

/// So many nodes are looked at for one program; what is left then counts as a place where the order matters.
const MOST_NODES: usize = 4_000_000;

/// Where gcc may compute an operator before it chooses an order that matters.
pub(super) const VANISHES: &str = "an order of evaluation that depends on what the compiler computes";

/// What is accessed.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Access {
    /// An object by its name.
    Named(Global),
    /// A number of this class, somewhere.
    Behind(Option<Class>),
}

/// What evaluating something reads and changes.
#[derive(Clone, Default)]
pub(crate) struct Uses {
    reads: FastSet<Access>,
    writes: FastSet<Access>,
    calls: FastSet<Global>,
    /// A call that leads anywhere.
    anything: bool,
}

impl Uses {
    fn add(&mut self, other: &Uses) {
        self.reads.extend(&other.reads);
        self.writes.extend(&other.writes);
        self.calls.extend(&other.calls);
        self.anything |= other.anything;
    }
}

impl Lowering<'_> {
    fn overlap(&self, a: Access, b: Access) -> bool {
        let same = |x: Option<Class>, y: Option<Class>| x.is_none() || y.is_none() || x == y;
        match (a, b) {
            (Access::Named(a), Access::Named(b)) => a == b,
            (Access::Behind(a), Access::Behind(b)) => same(a, b),
            (Access::Named(object), Access::Behind(class)) | (Access::Behind(class), Access::Named(object)) => {
                let unit = &self.units[object.unit];
                let own = unit.class(unit.tast[object.id()].ty);
                !self.is_register(object) && (own == Class::Aggregate || same(Some(unsigned(own)), class))
            }
        }
    }

    fn conflict(&self, a: &Uses, b: &Uses) -> bool {
        let changed = |writes: &FastSet<Access>, other: &Uses| {
            writes.iter().any(|&written| other.reads.iter().chain(&other.writes).any(|&used| self.overlap(written, used)))
        };
        // A call through a pointer may do what any function does: it counts where both sides are such calls, or the
        // other changes something.
        a.anything && (b.anything || !b.writes.is_empty())
            || b.anything && !a.writes.is_empty()
            || changed(&a.writes, b)
            || changed(&b.writes, a)
    }

    /// What is done below an expression or statement of a file, calls not followed.
    fn collect(&mut self, unit: usize, start: Below, uses: &mut Uses) {
        let units = self.units;
        let tree = &units[unit];
        let mut todo = vec![start];
        while let Some(item) = todo.pop() {
            self.looked_at += 1;
            if self.looked_at > MOST_NODES {
                uses.anything = true;
                return;
            }
            match item {
                Below::Expr(expr) => {
                    self.uses_of(unit, expr, uses);
                    below_expr(tree, expr, &mut |below| todo.push(below));
                }
                Below::Stmt(stmt) => {
                    uses.anything |= matches!(tree.tast[stmt], rucc_sema::Stmt::Asm(_));
                    below_stmt(tree, stmt, &mut |below| todo.push(below));
                }
                Below::Decl(decl) => {
                    if let Some(list) = tree.tast[decl].init {
                        todo.extend(tree.tast[list].iter().map(|entry| Below::Expr(entry.value)));
                    }
                }
            }
        }
    }

    fn uses_of(&self, unit: usize, expr: ExprId, uses: &mut Uses) {
        let tree = &self.units[unit];
        match tree.tast[expr].kind {
            ExprKind::Convert { kind: Conversion::Lvalue, operand } => {
                uses.reads.insert(self.access(unit, operand));
            }
            ExprKind::Assign { op, lhs, .. } => {
                let access = self.access(unit, lhs);
                uses.writes.insert(access);
                if op.is_some() {
                    uses.reads.insert(access);
                }
            }
            ExprKind::Unary { op: UnaryOp::PreInc | UnaryOp::PreDec | UnaryOp::PostInc | UnaryOp::PostDec, operand } => {
                let access = self.access(unit, operand);
                uses.writes.insert(access);
                uses.reads.insert(access);
            }
            ExprKind::Call { callee, args } => match direct_callee(tree, callee).and_then(|id| self.entity(unit, id)) {
                Some(Entity::Function(index)) => {
                    let function = &self.functions[index];
                    if function.has_body {
                        uses.calls.insert(function.global);
                    } else if tree.tast[args].iter().any(|&argument| self.is_writable(unit, argument)) {
                        uses.writes.insert(Access::Behind(None));
                    }
                }
                _ => uses.anything = true,
            },
            ExprKind::Atomic { .. } | ExprKind::VaArg { .. } => {
                uses.writes.insert(Access::Behind(None));
            }
            _ => {}
        }
    }

    /// Whether a value is a pointer through which may be written.
    fn is_writable(&self, unit: usize, expr: ExprId) -> bool {
        let tree = &self.units[unit];
        match tree.kind(tree.tast[expr].ty) {
            TypeKind::Pointer(to) => !tree.types.quals(to).has(rucc_types::Qualifiers::CONST),
            _ => false,
        }
    }

    fn access(&self, unit: usize, place: ExprId) -> Access {
        let tree = &self.units[unit];
        let mut at = place;
        loop {
            at = match tree.tast[at].kind {
                ExprKind::Decl(id) => return Access::Named(self.links.resolve(self.units, Global::new(unit, id))),
                ExprKind::Member { base, .. } => base,
                ExprKind::Subscript { base, .. } | ExprKind::Convert { operand: base, .. }
                    if matches!(tree.kind(tree.tast[base].ty), TypeKind::Array { .. } | TypeKind::Record(_)) || is_decayed(tree, base) =>
                {
                    base
                }
                _ => {
                    let class = tree.class(tree.tast[place].ty);
                    return Access::Behind(class.is_scalar().then(|| unsigned(class)));
                }
            };
        }
    }

    /// What a function does to what outlives it, with all that it calls.
    fn uses_of_function(&mut self, root: Global) -> Rc<Uses> {
        if let Some(known) = self.uses.get(&root) {
            return known.clone();
        }
        let mut all = Uses::default();
        let mut seen: FastSet<Global> = [root].into_iter().collect();
        let mut todo = vec![root];
        while let Some(function) = todo.pop() {
            if seen.len() > MOST_FUNCTIONS {
                all.anything = true;
                break;
            }
            let Some(body) = self.units[function.unit].tast[function.id()].body else { continue };
            let mut own = Uses::default();
            self.collect(function.unit, Below::Stmt(body), &mut own);
            own.reads.retain(|&access| self.outlives(access));
            own.writes.retain(|&access| self.outlives(access));
            todo.extend(own.calls.iter().filter(|&&callee| seen.insert(callee)));
            all.add(&own);
        }
        let all = Rc::new(all);
        self.uses.insert(root, all.clone());
        all
    }

    fn outlives(&self, access: Access) -> bool {
        match access {
            Access::Named(object) => {
                self.units[object.unit].tast[object.id()].duration != StorageDuration::Automatic || self.nested.is_captured(object)
            }
            Access::Behind(_) => true,
        }
    }
}

impl Body<'_, '_> {
    fn uses(&mut self, expr: ExprId) -> Uses {
        let mut uses = Uses::default();
        self.l.collect(self.unit_index, Below::Expr(expr), &mut uses);
        let calls: Vec<Global> = uses.calls.iter().copied().collect();
        for callee in calls {
            let below = self.l.uses_of_function(callee);
            uses.add(&below);
        }
        uses
    }

    /// Notes that the order of these expressions is open, and that it may matter; whether it may.
    pub(super) fn note_order(&mut self, exprs: &[ExprId]) -> bool {
        if self.unit.is_library || !self.conflicts(exprs) {
            return false;
        }
        self.note_open_order();
        true
    }

    /// Whether one of these expressions changes what another one reads or changes.
    pub(super) fn conflicts(&mut self, exprs: &[ExprId]) -> bool {
        if !exprs.iter().any(|&expr| self.purity(expr) == EFFECTS) {
            return false;
        }
        let mut before: Vec<Uses> = Vec::new();
        for &expr in exprs {
            if self.purity(expr) == PURE && matches!(self.unit.tast[expr].kind, ExprKind::Const(_)) {
                continue;
            }
            let uses = self.uses(expr);
            if before.iter().any(|other| self.l.conflict(other, &uses)) {
                return true;
            }
            before.push(uses);
        }
        false
    }

    /// The order of the operands of an operator.
    pub(super) fn note_order_of_operands(&mut self, op: Option<BinaryOp>, lhs: ExprId, rhs: ExprId) {
        if !self.note_order(&[lhs, rhs]) {
            return;
        }
        let itself = op.is_some_and(|op| self.vanishes_itself(op, lhs, rhs));
        if itself || self.is_moved(lhs, rhs) || self.is_moved(rhs, lhs) {
            self.unsupported(VANISHES);
        }
    }

    /// Whether something in an operand may be moved by gcc to where it matters for the other operand: what it computes
    /// itself comes first, and what is left may be a variable, which comes last.
    fn is_moved(&mut self, operand: ExprId, other: ExprId) -> bool {
        let vanishing = self.vanishing(operand);
        if vanishing.is_empty() {
            return false;
        }
        // What has no effects is not moved, but what it is an operand of may be, if its value is not in its range.
        let hides = |body: &mut Self, expr: ExprId| body.purity(expr) != EFFECTS && body.is_cancelled(expr);
        if self.may_end_otherwise(operand) || vanishing.iter().any(|&expr| hides(self, expr)) {
            return true;
        }
        let uses = self.uses(other);
        vanishing.into_iter().any(|expr| {
            let moved = self.uses(expr);
            self.l.conflict(&moved, &uses)
        })
    }

    /// The order of the sides of an assignment.
    pub(super) fn note_order_of_assignment(&mut self, lhs: ExprId, rhs: ExprId) {
        if self.note_order(&[lhs, rhs]) && self.may_end_otherwise(rhs) {
            self.unsupported(VANISHES);
        }
    }

    /// The place of a compound assignment is read, too, and what its value changes may be what is there.
    pub(super) fn note_order_of_compound(&mut self, lhs: ExprId, rhs: ExprId) {
        if self.unit.is_library || self.purity(lhs) != EFFECTS && self.purity(rhs) != EFFECTS {
            return;
        }
        let (mut place, value) = (self.uses(lhs), self.uses(rhs));
        place.reads.insert(self.l.access(self.unit_index, lhs));
        if self.l.conflict(&place, &value) {
            self.note_open_order();
        }
    }

    fn note_open_order(&mut self) {
        self.note(AssumptionClass::Rules, "operands are evaluated in gcc's order, which C leaves open, and it may matter here");
    }
}

fn unsigned(class: Class) -> Class {
    match class {
        Class::Int { width, .. } => Class::Int { width, signed: false },
        other => other,
    }
}

/// Whether a value is an array that became a pointer to its first element.
pub(super) fn is_decayed(tree: &crate::adapter::Unit, expr: ExprId) -> bool {
    match tree.tast[expr].kind {
        ExprKind::Convert { operand, .. } => matches!(tree.kind(tree.tast[operand].ty), TypeKind::Array { .. }),
        _ => false,
    }
}
