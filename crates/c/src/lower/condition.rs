//! Conditions and choices: what is one term, what needs branches, and what evaluating an expression changes.

use super::Class;
use super::body::{Body, Cut, Ends, Value, Wanted};
use super::facts::Global;
use assay_base::Span;
use assay_cfa::{CType, VarId};
use assay_term::Term;
use rucc_ast::{BinaryOp, UnaryOp};
use rucc_sema::{Const, Conversion, ExprId, ExprKind};

/// Neither effects nor loads, and defined everywhere but for overflows: the expression is one term. Overflows are
/// checked under the condition under which it is evaluated.
pub(crate) const PURE: u8 = 1;
/// Loads or may be undefined, but changes nothing.
pub(crate) const READS: u8 = 2;
/// Changes something.
pub(crate) const EFFECTS: u8 = 3;

impl Body<'_, '_> {
    pub(super) fn conditional(&mut self, expr: ExprId, cond: ExprId, then: ExprId, otherwise: ExprId) -> Value {
        // GNU's `a ?: b` uses the value of `a` twice and computes it once.
        let once = self.shared_operand(cond, then);
        // A choice that is cut is one of values that are cut.
        let cut = std::mem::take(&mut self.cut);
        if let Some(operand) = once {
            let value = match self.value(operand) {
                Value::Scalar(value) => Value::Scalar(self.snapshot(value)),
                other => other,
            };
            self.shared.insert(operand.index(), value);
        }
        let value = self.choose(expr, cond, then, otherwise, cut);
        if let Some(operand) = once {
            self.shared.remove(&operand.index());
        }
        value
    }

    /// Whether there is a GNU `a ?: b` in an expression: the value that it keeps counts as an effect for gcc.
    pub(super) fn keeps_a_value(&self, expr: ExprId) -> bool {
        let mut todo = vec![expr];
        while let Some(expr) = todo.pop() {
            if let ExprKind::Cond { cond, then, .. } = self.unit.tast[expr].kind
                && self.shared_operand(cond, then).is_some()
            {
                return true;
            }
            super::walk::below_expr(self.unit, expr, &mut |item| {
                if let super::walk::Below::Expr(child) = item {
                    todo.push(child);
                }
            });
        }
        false
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

    fn choose(&mut self, expr: ExprId, cond: ExprId, then: ExprId, otherwise: ExprId, cut: Cut) -> Value {
        let class = self.class_of(expr);
        let pure = |body: &mut Self, e| body.purity(e) == PURE;
        if class.is_scalar() && pure(self, then) && pure(self, otherwise) {
            let truth = self.truth_of(cond);
            let a = self.guarded(truth, |body| body.scalar(then));
            let not = self.terms().not(truth);
            let b = self.guarded(not, |body| body.scalar(otherwise));
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
        self.arm(then, target, cut);
        let first = std::mem::replace(&mut self.ends, no);
        self.arm(otherwise, target, cut);
        self.ends.extend(first);
        match target {
            Some(target) if class == Class::Aggregate => Value::Aggregate(self.read(target)),
            Some(target) => Value::Scalar(self.read(target)),
            None => Value::Void,
        }
    }

    fn arm(&mut self, expr: ExprId, target: Option<VarId>, cut: Cut) {
        match target {
            Some(target) => {
                self.cut = cut.only_if(self.is_cut_operator(expr));
                let value = self.value(expr);
                self.cut = Cut::default();
                if let Value::Scalar(value) | Value::Aggregate(value) = value {
                    self.assign(target, value);
                }
            }
            None => self.discard(expr),
        }
    }

    /// An expression as a condition: a term of width 1.
    pub(super) fn truth_of(&mut self, expr: ExprId) -> Term {
        if !self.shared.contains_key(&expr.index()) {
            self.note_regrouping(expr);
            if let Some(truth) = self.truth_of_parts(expr) {
                return truth;
            }
            match self.unit.tast[expr].kind {
                ExprKind::Binary { op, lhs, rhs } if op.is_comparison() && self.parts_type(lhs).is_some() => {
                    return self.compared_parts(op, lhs, rhs).unwrap_or_else(|| self.terms().false_());
                }
                ExprKind::Convert { kind: Conversion::Bool, operand } => return self.truth_of(operand),
                ExprKind::Unary { op: UnaryOp::Not, operand } => {
                    let truth = self.truth_of(operand);
                    return self.terms().not(truth);
                }
                ExprKind::Binary { op: op @ (BinaryOp::LogAnd | BinaryOp::LogOr), lhs, rhs } => return self.logical(expr, op, lhs, rhs),
                ExprKind::Binary { op, lhs, rhs } if op.is_comparison() && !matches!(self.class_of(lhs), Class::Unsupported(_)) => {
                    let (left, right) = (self.class_of(lhs), self.class_of(rhs));
                    if self.is_zero(rhs) && self.is_call(lhs) {
                        self.wanted = if matches!(op, BinaryOp::Eq | BinaryOp::Ne) { Wanted::Truth } else { Wanted::Sign };
                    }
                    let (a, b) = self.operands(Some(op), lhs, rhs);
                    let b = self.match_width(b, right, a);
                    return self.compare(op, left, a, b);
                }
                // Whether a difference is zero is a comparison, with a comparison's order of operands; but where
                // overflow wraps, `a - (b - c)` is a sum, and `a ^ ~b` is turned around.
                ExprKind::Binary { op: op @ (BinaryOp::Sub | BinaryOp::BitXor), lhs, rhs }
                    if self.purity(expr) == EFFECTS
                        && !(op == BinaryOp::Sub && self.wrapping_difference(rhs).is_some())
                        && !(op == BinaryOp::BitXor && self.is_complement(rhs))
                        && matches!(self.class_of(lhs), Class::Int { .. })
                        && matches!(self.class_of(rhs), Class::Int { .. }) =>
                {
                    let (class, right) = (self.class_of(expr), self.class_of(rhs));
                    let (a, b) = self.operands(Some(BinaryOp::Ne), lhs, rhs);
                    let value = self.arithmetic(op, class, a, b, right);
                    return self.truth(value, class);
                }
                ExprKind::Convert { kind: Conversion::Arithmetic, operand } | ExprKind::Cast(operand)
                    if self.keeps_truth(expr, operand) =>
                {
                    return self.truth_of(operand);
                }
                ExprKind::Expect { value, .. } => return self.truth_of(value),
                ExprKind::Call { .. } | ExprKind::Classify { .. } => self.wanted = Wanted::Truth,
                _ => self.note_order_of_truth(expr),
            }
        }
        let class = self.class_of(expr);
        let value = self.scalar(expr);
        self.truth(value, class)
    }

    fn is_zero(&self, expr: ExprId) -> bool {
        matches!(self.unit.tast[expr].kind, ExprKind::Const(id) if self.unit.tast[id] == Const::Int(0))
    }

    fn is_call(&self, expr: ExprId) -> bool {
        matches!(self.unit.tast[expr].kind, ExprKind::Call { .. } | ExprKind::Classify { .. })
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
            let guard = if op == BinaryOp::LogAnd { a } else { self.terms().not(a) };
            let b = self.guarded(guard, |body| body.truth_of(rhs));
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

    /// Evaluates something that matters only where the condition holds, without a branch.
    fn guarded(&mut self, condition: Term, evaluate: impl FnOnce(&mut Self) -> Term) -> Term {
        let outer = self.guard;
        self.guard = Some(outer.map_or(condition, |outer| self.terms().and(outer, condition)));
        let value = evaluate(self);
        self.guard = outer;
        value
    }

    /// Control after a condition: where it holds, and where it does not. `keyword` is the place of the statement's
    /// keyword and whether it is a loop.
    pub(super) fn branch(&mut self, expr: ExprId, keyword: Option<(Span, bool)>) -> (Ends, Ends) {
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
                    if !self.hoisted.remove(&expr.index()) {
                        self.discard(lhs);
                    }
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
    pub(super) fn purity(&mut self, expr: ExprId) -> u8 {
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
        match self.unit.tast[expr].kind {
            // What has parts is read from memory and put together there.
            ExprKind::Const(_)
            | ExprKind::Binary { .. }
            | ExprKind::Convert { .. }
            | ExprKind::Cast(_)
            | ExprKind::Complex { .. }
            | ExprKind::ConvertVector { .. }
            | ExprKind::Shuffle { .. }
            | ExprKind::ShuffleVector { .. }
            | ExprKind::Elementwise { .. }
            | ExprKind::Unary { op: UnaryOp::Plus | UnaryOp::Minus | UnaryOp::BitNot | UnaryOp::Not, .. }
                if self.parts_type(expr).is_some() =>
            {
                READS
            }
            ExprKind::Binary { lhs: inner, .. } | ExprKind::Convert { operand: inner, .. } | ExprKind::Cast(inner)
                if self.parts_type(inner).is_some() =>
            {
                READS
            }
            ExprKind::Unary { op: UnaryOp::Real | UnaryOp::Imag, .. } => READS,
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
                _ => PURE,
            },
            ExprKind::Binary { op, rhs, .. } => match op {
                BinaryOp::Div | BinaryOp::Rem | BinaryOp::Shl | BinaryOp::Shr => {
                    if self.is_harmless_constant(op, rhs) {
                        PURE
                    } else {
                        READS
                    }
                }
                _ => PURE,
            },
            _ => EFFECTS,
        }
    }

    /// Whether the right operand of a division or shift is a constant for which it is defined.
    fn is_harmless_constant(&self, op: BinaryOp, rhs: ExprId) -> bool {
        let ExprKind::Const(id) = self.unit.tast[rhs].kind else { return false };
        match self.unit.tast[id] {
            // The smallest number divided by -1 is undefined, too.
            Const::Int(value) if matches!(op, BinaryOp::Div | BinaryOp::Rem) => (1..1 << 31).contains(&value),
            Const::Int(value) => (0..32).contains(&value),
            _ => true,
        }
    }
}
