//! Operators that gcc may regroup before it chooses an order: where overflow wraps, `a + b * 10 + c * 100` and
//! `(1 - a) + b` become other sums, `(a - b) * -1` and `~(a - b)` turn the difference around, and `a * (b * 3)` is
//! `(b * a) * 3`. Which operand comes first then follows from gcc's rules for all operators together. No list of these
//! rules is complete, so that whole groups of operators are recognised by what makes gcc look at them: a constant, a
//! product, a negation or a complement among several operators that can be exchanged. Where the operands of such a
//! group change what others read or change, the group is not followed.

use super::Class;
use super::body::Body;
use super::condition::EFFECTS;
use super::unsequenced::VANISHES;
use rucc_ast::{BinaryOp, UnaryOp};
use rucc_sema::{Conversion, ExprId, ExprKind};

/// Beyond so many operators that can be exchanged, a group counts as one that gcc regroups.
const MOST_OPERATORS: usize = 1_000;

/// What a group of operators is made of.
#[derive(Default)]
struct Group {
    /// How many operators have two operands; a complement is counted, because `~a` is `-a - 1`.
    operators: usize,
    /// Whether something in it makes gcc write it differently.
    is_odd: bool,
    /// How many operands are negated.
    negations: usize,
    /// How many products are among its operands: gcc puts two of them together.
    products: usize,
    /// Whether overflow wraps somewhere in it.
    wraps: bool,
}

impl Body<'_, '_> {
    /// Says that an expression is not followed if the order in it depends on how gcc regroups it.
    pub(super) fn note_regrouping(&mut self, expr: ExprId) {
        if self.unit.is_library || !self.is_grouped(expr) || self.purity(expr) != EFFECTS {
            return;
        }
        let is_open = match self.regrouped.get(&expr.index()) {
            Some(&known) => known,
            None => {
                let is_open = self.is_regrouped(expr);
                self.regrouped.insert(expr.index(), is_open);
                is_open
            }
        };
        if is_open {
            self.unsupported(VANISHES);
        }
    }

    /// Says that a value whose truth alone is wanted is not followed where gcc takes it for a comparison in an order of
    /// its own.
    pub(super) fn note_order_of_truth(&mut self, expr: ExprId) {
        let is_open = !self.unit.is_library
            && self.purity(expr) == EFFECTS
            && self.may_become_comparison(self.behind_conversions(expr))
            && self.is_open_inside(expr);
        if is_open {
            self.unsupported(VANISHES);
        }
    }

    /// Whether gcc folds an operator together with what it is an operand of.
    fn is_grouped(&self, expr: ExprId) -> bool {
        match self.unit.tast[expr].kind {
            ExprKind::Unary { op: UnaryOp::Plus | UnaryOp::Minus | UnaryOp::BitNot, .. }
            | ExprKind::Cast(_)
            | ExprKind::Convert { kind: Conversion::Arithmetic, .. }
            | ExprKind::Comma { .. }
            | ExprKind::StmtExpr(_)
            | ExprKind::Cond { .. } => true,
            ExprKind::Binary { op, .. } => !matches!(op, BinaryOp::LogAnd | BinaryOp::LogOr),
            _ => false,
        }
    }

    /// Whether there is a group below an expression that gcc may regroup, and in which the order matters. All that was
    /// looked at is not looked at again on its own.
    fn is_regrouped(&mut self, root: ExprId) -> bool {
        // With each goes whether a result is cut, which makes it wrap, and whether it is a part of the group above.
        let mut todo = vec![(root, false, false)];
        while let Some((expr, is_cut, is_part)) = todo.pop() {
            if self.purity(expr) != EFFECTS || self.shared.contains_key(&expr.index()) || !self.is_grouped(expr) {
                continue;
            }
            if expr != root {
                self.regrouped.insert(expr.index(), false);
            }
            match self.unit.tast[expr].kind {
                ExprKind::Cast(operand) | ExprKind::Convert { operand, .. } => match (self.class_of(operand), self.class_of(expr)) {
                    (Class::Int { width: from, .. }, Class::Int { width: to, .. }) => {
                        todo.push((operand, is_cut || to < from, is_part && from == to));
                    }
                    _ => todo.push((operand, false, false)),
                },
                ExprKind::Comma { rhs, .. } => todo.push((rhs, is_cut, is_part)),
                ExprKind::StmtExpr(stmt) => todo.extend(self.only_expression(stmt).map(|only| (only, is_cut, is_part))),
                ExprKind::Cond { then, otherwise, .. } => todo.extend([(then, is_cut, false), (otherwise, is_cut, false)]),
                ExprKind::Unary { operand, .. } => {
                    if self.may_regroup(expr, is_cut, is_part) && self.is_open_inside(expr) {
                        return true;
                    }
                    todo.push((operand, is_cut, true));
                }
                ExprKind::Binary { op, lhs, rhs } => {
                    if self.may_regroup(expr, is_cut, is_part) && self.is_open_inside(expr) {
                        return true;
                    }
                    let is_cut = is_cut && (op == BinaryOp::Shl || super::order::cuts_operands(op));
                    let is_part = matches!(op, BinaryOp::Add | BinaryOp::Sub);
                    todo.extend([(lhs, is_cut, is_part), (rhs, is_cut && op != BinaryOp::Shl, is_part)]);
                }
                _ => {}
            }
        }
        false
    }

    /// Whether gcc may regroup what is below an operator.
    fn may_regroup(&mut self, expr: ExprId, is_cut: bool, is_part: bool) -> bool {
        if !matches!(self.class_of(expr), Class::Int { .. }) {
            return false;
        }
        if let ExprKind::Binary { op, lhs, rhs } = self.unit.tast[expr].kind
            && op.is_comparison()
            && self.may_move_in_comparison(op, lhs, rhs)
        {
            return true;
        }
        if self.negated(expr).is_some_and(|inner| self.takes_part(inner))
            || is_part && self.is_neutral(expr)
            || self.is_narrow_variable_with_operator(expr)
        {
            return true;
        }
        match self.unit.tast[expr].kind {
            // The negation of a choice is a choice of negations.
            ExprKind::Unary { op: UnaryOp::Minus, operand }
                if matches!(self.unit.tast[self.behind_conversions(operand)].kind, ExprKind::Cond { .. }) =>
            {
                true
            }
            // Whether the conversion is in the way depends on what else is done with it.
            ExprKind::Unary { op: UnaryOp::Minus, operand }
                if !matches!(self.unit.tast[operand].kind, ExprKind::Comma { .. } | ExprKind::Unary { .. })
                    && self.behind_conversions(operand) != operand
                    && self.is_sum(self.behind_conversions(operand)) =>
            {
                true
            }
            // `a * -2 + b * 2` is `(b - a) * 2`.
            ExprKind::Binary { op: BinaryOp::Add, lhs, rhs }
                if self.has_negative_factor(self.behind_conversions(lhs)) && self.multiplied(self.behind_conversions(rhs)).is_some() =>
            {
                true
            }
            ExprKind::Unary { op: UnaryOp::Minus, .. } | ExprKind::Binary { op: BinaryOp::Add | BinaryOp::Sub, .. } if !is_part => {
                let mut group = Group { wraps: is_cut, ..Group::default() };
                self.sum(self.without_last_constants(expr), &mut group);
                let is_odd = group.products > 1 || group.is_odd && !self.is_plain_sum(expr);
                let are_many = group.operators > 1 || group.operators == 1 && (is_cut || group.negations > 1) && group.negations > 0;
                group.wraps && is_odd && are_many
            }
            ExprKind::Binary { op: BinaryOp::Mul, lhs, rhs } => {
                // `a + a` is `a * 2`.
                let is_factor = |expr| {
                    let inner = self.behind_conversions(expr);
                    let is_twice = match self.unit.tast[inner].kind {
                        ExprKind::Binary { op: BinaryOp::Add, lhs, rhs } => self.same(lhs, rhs),
                        _ => false,
                    };
                    is_twice || self.multiplied(inner).is_some()
                };
                self.multiplied(expr).is_none() && (is_factor(lhs) || is_factor(rhs))
            }
            ExprKind::Binary { op: op @ (BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor), lhs, rhs } => {
                let is_subtracted = |expr: ExprId| {
                    let inner = self.behind_conversions(expr);
                    self.is_sum(inner) && self.negated(inner).is_some()
                };
                // `a ^ ~b` is turned around, unless something else is done with the complement.
                let is_operator = |expr: ExprId| matches!(self.unit.tast[expr].kind, ExprKind::Binary { .. } | ExprKind::Unary { .. });
                let is_moved = |side: ExprId, other: ExprId| match self.unit.tast[self.behind_conversions(side)].kind {
                    ExprKind::Unary { op: UnaryOp::BitNot, operand } => {
                        is_cut || self.variable_width(operand).is_some() || is_operator(self.behind_conversions(other))
                    }
                    _ => false,
                };
                op == BinaryOp::BitXor && (is_moved(lhs, rhs) || is_moved(rhs, lhs))
                    || is_subtracted(lhs)
                    || is_subtracted(rhs)
                    || [(lhs, rhs), (rhs, lhs)].into_iter().any(|(a, b)| {
                        let inner = self.behind_conversions(a);
                        let ExprKind::Binary { op: again, lhs, rhs } = self.unit.tast[inner].kind else { return false };
                        let is_constant = self.known_number(lhs).is_some() || self.known_number(rhs).is_some();
                        let is_complement = [lhs, rhs, b].into_iter().any(|expr| self.is_complement(self.behind_conversions(expr)));
                        let is_bits = matches!(again, BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor);
                        self.known_number(b).is_none() && (again == op && is_constant || is_bits && is_complement)
                    })
            }
            _ => false,
        }
    }

    /// Whether gcc may take away from both sides of a comparison what they have in common, so that a variable is left,
    /// which comes last; or write a sum on one of them differently.
    fn may_move_in_comparison(&mut self, op: BinaryOp, lhs: ExprId, rhs: ExprId) -> bool {
        let (left, right) = (self.behind_conversions(lhs), self.behind_conversions(rhs));
        if !matches!(self.class_of(left), Class::Int { .. }) || !matches!(self.class_of(right), Class::Int { .. }) {
            return false;
        }
        let is_operator = |expr: ExprId| match self.unit.tast[expr].kind {
            _ if self.known_number(expr).is_some() => false,
            ExprKind::Binary { op, .. } => !op.is_comparison(),
            ExprKind::Unary { op: UnaryOp::Minus | UnaryOp::BitNot, .. } => true,
            _ => false,
        };
        // `a - b > -1` is `a - b >= 0`.
        let most = if matches!(op, BinaryOp::Eq | BinaryOp::Ne) { 0 } else { 1 };
        let is_near_zero = |expr| self.known_number(expr).is_some_and(|number| (-most..=most).contains(&number));
        let (both, near) = (is_operator(left) && is_operator(right), [is_near_zero(right), is_near_zero(left)]);
        both && (self.has_variable(left, rhs) || self.has_variable(right, lhs))
            || near[0] && self.may_become_comparison(left)
            || near[1] && self.may_become_comparison(right)
            || self.adds_to_choice(left)
            || self.adds_to_choice(right)
    }

    /// Whether a variable is an operand of an operator, and something else changes it.
    fn has_variable(&mut self, expr: ExprId, other: ExprId) -> bool {
        let kind = self.unit.tast[expr].kind;
        let mut is_changed = |side: ExprId| self.variable_width(side).is_some() && self.conflicts(&[side, other]);
        match kind {
            ExprKind::Binary { lhs, rhs, .. } => is_changed(lhs) || is_changed(rhs),
            ExprKind::Unary { operand, .. } => is_changed(operand),
            _ => false,
        }
    }

    /// Whether gcc may take the question whether a value is zero, or less, for a comparison of its operands that it
    /// puts in another order.
    fn may_become_comparison(&mut self, expr: ExprId) -> bool {
        match self.unit.tast[expr].kind {
            ExprKind::Unary { op: UnaryOp::Minus, .. } => true,
            ExprKind::Binary { op: BinaryOp::Add, lhs, rhs } => {
                let is_negation =
                    |side| matches!(self.unit.tast[self.behind_conversions(side)].kind, ExprKind::Unary { op: UnaryOp::Minus, .. });
                is_negation(lhs) || is_negation(rhs)
            }
            ExprKind::Binary { op: BinaryOp::Sub | BinaryOp::BitXor, .. } => self.has_variable(expr, expr),
            ExprKind::Cond { then, otherwise, .. } => [then, otherwise].into_iter().any(|arm| {
                let inner = self.behind_conversions(arm);
                self.may_become_comparison(inner)
            }),
            _ => false,
        }
    }

    /// Whether a constant is added to a choice, which gcc may take for a choice of sums, or to a product.
    fn adds_to_choice(&self, expr: ExprId) -> bool {
        let ExprKind::Binary { op: BinaryOp::Add | BinaryOp::Sub, lhs, rhs } = self.unit.tast[expr].kind else { return false };
        let is_chosen = |side: ExprId| {
            let inner = self.behind_conversions(side);
            match self.unit.tast[inner].kind {
                ExprKind::Cond { .. } | ExprKind::Unary { op: UnaryOp::Not, .. } => true,
                ExprKind::Binary { op, .. } => {
                    op.is_comparison() || matches!(op, BinaryOp::LogAnd | BinaryOp::LogOr) || self.multiplied(inner).is_some()
                }
                _ => false,
            }
        };
        self.known_number(rhs).is_some() && is_chosen(lhs) || self.known_number(lhs).is_some() && is_chosen(rhs)
    }

    /// Whether a negation may go on into a value: into anything but an operator on two values that have no signs.
    fn takes_part(&self, expr: ExprId) -> bool {
        match self.unit.tast[self.behind_conversions(expr)].kind {
            ExprKind::Binary { op: BinaryOp::Add | BinaryOp::Sub | BinaryOp::BitXor, .. } => true,
            ExprKind::Binary { lhs, rhs, .. } => [lhs, rhs].into_iter().any(|side| {
                matches!(
                    self.unit.tast[self.behind_conversions(side)].kind,
                    ExprKind::Binary { .. } | ExprKind::Unary { .. } | ExprKind::Cond { .. }
                )
            }),
            _ => true,
        }
    }

    /// What is negated by an operator other than `-`: `~a` and `-1 - a` are `-a - 1`.
    fn negated(&self, expr: ExprId) -> Option<ExprId> {
        let inner = match self.unit.tast[expr].kind {
            ExprKind::Unary { op: UnaryOp::BitNot, operand } => operand,
            ExprKind::Binary { op: BinaryOp::Mul | BinaryOp::BitXor, lhs, rhs } if self.is_minus_one(rhs) => lhs,
            ExprKind::Binary { op: BinaryOp::Mul | BinaryOp::BitXor, lhs, rhs } if self.is_minus_one(lhs) => rhs,
            ExprKind::Binary { op: BinaryOp::Div, lhs, rhs } if self.is_minus_one(rhs) => lhs,
            ExprKind::Binary { op: BinaryOp::Div, lhs, rhs } if self.known_number(rhs).is_some_and(|number| number < 0) => lhs,
            ExprKind::Binary { op: BinaryOp::Sub, lhs, rhs }
                if self.is_minus_one(lhs) || self.known_number(lhs) == Some(0) || self.vanishes(lhs) =>
            {
                rhs
            }
            _ => return None,
        };
        Some(inner)
    }

    /// Whether an operator leaves the value of an operand as it is.
    fn is_neutral(&self, expr: ExprId) -> bool {
        let ExprKind::Binary { op, lhs, rhs } = self.unit.tast[expr].kind else { return false };
        let (left, right) = (self.known_number(lhs), self.known_number(rhs));
        match op {
            BinaryOp::Add | BinaryOp::BitOr | BinaryOp::BitXor => left == Some(0) || right == Some(0),
            BinaryOp::Sub | BinaryOp::Shl | BinaryOp::Shr => right == Some(0),
            BinaryOp::Mul => left == Some(1) || right == Some(1),
            BinaryOp::Div => right == Some(1),
            BinaryOp::BitAnd => self.is_minus_one(lhs) || self.is_minus_one(rhs),
            _ => false,
        }
    }

    /// Whether an operator that gcc computes in few bits, if both operands fit, has a variable of few bits on one side:
    /// whether the other one fits depends on the operators in it.
    fn is_narrow_variable_with_operator(&self, expr: ExprId) -> bool {
        let ExprKind::Binary { op, lhs, rhs } = self.unit.tast[expr].kind else { return false };
        if !op.is_comparison() && !matches!(op, BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor) {
            return false;
        }
        let Class::Int { width, .. } = self.class_of(lhs) else { return false };
        let is_narrow = |expr| self.variable_width(expr).is_some_and(|narrow| narrow < width);
        let is_operator = |expr| match self.unit.tast[self.behind_conversions(expr)].kind {
            _ if self.known_number(expr).is_some() => false,
            ExprKind::Binary { op, .. } => !op.is_comparison(),
            ExprKind::Cond { .. } | ExprKind::Unary { op: UnaryOp::Minus | UnaryOp::BitNot, .. } => true,
            _ => false,
        };
        is_narrow(lhs) && is_operator(rhs) || is_narrow(rhs) && is_operator(lhs)
    }

    fn has_negative_factor(&self, expr: ExprId) -> bool {
        let ExprKind::Binary { op: BinaryOp::Mul, lhs, rhs } = self.unit.tast[expr].kind else { return false };
        let Class::Int { width, .. } = self.class_of(expr) else { return false };
        let is_negative = |number: i128| number < 0 || width < 127 && number >> (width - 1) != 0;
        [lhs, rhs].into_iter().any(|factor| self.known_number(factor).is_some_and(is_negative))
    }

    /// Whether a value is a constant all of whose bits are 1.
    pub(super) fn is_minus_one(&self, expr: ExprId) -> bool {
        let Some(number) = self.known_number(expr) else { return false };
        let Class::Int { width, signed } = self.class_of(expr) else { return false };
        number == -1 || !signed && width < 127 && number == (1 << width) - 1
    }

    /// The other factor of a product with a constant.
    fn multiplied(&self, expr: ExprId) -> Option<ExprId> {
        match self.unit.tast[expr].kind {
            ExprKind::Binary { op: BinaryOp::Mul, lhs, rhs } if self.known_number(rhs).is_some() => Some(lhs),
            ExprKind::Binary { op: BinaryOp::Mul, lhs, rhs } if self.known_number(lhs).is_some() => Some(rhs),
            _ => None,
        }
    }

    /// What is left of a value without the conversions, commas and blocks around it.
    fn behind_conversions(&self, mut expr: ExprId) -> ExprId {
        loop {
            expr = match self.unit.tast[expr].kind {
                ExprKind::Cast(operand)
                | ExprKind::Convert { kind: Conversion::Arithmetic, operand }
                | ExprKind::Comma { rhs: operand, .. }
                | ExprKind::Unary { op: UnaryOp::Plus, operand } => operand,
                ExprKind::StmtExpr(stmt) => match self.only_expression(stmt) {
                    Some(only) => only,
                    None => return expr,
                },
                _ => return expr,
            };
        }
    }

    /// A sum without the constants that are added to it last: they stay there.
    fn without_last_constants(&self, mut expr: ExprId) -> ExprId {
        while let ExprKind::Binary { op: op @ (BinaryOp::Add | BinaryOp::Sub), lhs, rhs } = self.unit.tast[expr].kind {
            expr = match (self.known_number(lhs).is_some(), self.known_number(rhs).is_some()) {
                (false, true) => lhs,
                (true, false) if op == BinaryOp::Add => rhs,
                _ => return expr,
            };
        }
        expr
    }

    /// Whether a sum goes from left to right, with nothing but one constant among calls and the like: that constant is
    /// moved to the end, and the rest stays in its order.
    fn is_plain_sum(&self, expr: ExprId) -> bool {
        let is_plain = |expr: ExprId| {
            let inner = self.behind_conversions(expr);
            let is_operator = match self.unit.tast[inner].kind {
                ExprKind::Binary { op, .. } => {
                    let stays = matches!(op, BinaryOp::Mul | BinaryOp::Div | BinaryOp::Rem | BinaryOp::Shl | BinaryOp::Shr);
                    !op.is_comparison() && (!stays || self.multiplied(inner).is_some() || self.negated(inner).is_some())
                }
                kind => matches!(kind, ExprKind::Unary { .. }),
            };
            !is_operator && self.known_number(inner).is_none() && self.variable_width(inner).is_none()
        };
        let (mut expr, mut constants) = (expr, 0);
        while let ExprKind::Binary { op: op @ (BinaryOp::Add | BinaryOp::Sub), lhs, rhs } = self.unit.tast[expr].kind {
            if self.known_number(rhs).is_some() {
                constants += 1;
            } else if op == BinaryOp::Add && self.known_number(lhs).is_some() {
                return constants == 0 && is_plain(rhs);
            } else if !is_plain(rhs) {
                return false;
            }
            expr = lhs;
        }
        constants <= 1 && is_plain(expr)
    }

    /// Adds what a sum is made of.
    fn sum(&self, expr: ExprId, group: &mut Group) {
        let mut todo = vec![expr];
        while let Some(expr) = todo.pop() {
            let expr = self.behind_conversions(expr);
            let Class::Int { signed, .. } = self.class_of(expr) else { continue };
            if self.known_number(expr).is_some() {
                group.is_odd = true;
                continue;
            }
            if let Some(inner) = self.multiplied(expr) {
                group.products += 1;
                group.is_odd |= self.has_negative_factor(expr) || self.is_sum(self.behind_conversions(inner));
                todo.push(inner);
                continue;
            }
            // `a ^ -1` is `~a`.
            if self.is_complement(expr) {
                group.operators += 1;
                group.is_odd = true;
                group.wraps |= !signed;
            }
            match self.unit.tast[expr].kind {
                ExprKind::Binary { op: op @ (BinaryOp::Add | BinaryOp::Sub), lhs, rhs } => {
                    group.operators += 1;
                    group.wraps |= !signed;
                    // `a - ((b - c) + d)` is `a + ((c - b) - d)`, and a difference that wraps because it is cut turns
                    // around.
                    let right = self.behind_conversions(rhs);
                    group.is_odd |= op == BinaryOp::Sub && (signed && self.is_sum(right) || self.is_sum_of_sums(right));
                    todo.extend([lhs, rhs]);
                }
                ExprKind::Binary { op: BinaryOp::Mul, .. } => group.products += 1,
                // `~a & ~b` is `~(a | b)`.
                ExprKind::Binary { op: BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor, lhs, rhs } => {
                    let is_complement = [lhs, rhs].into_iter().any(|side| self.is_complement(self.behind_conversions(side)));
                    group.operators += usize::from(is_complement);
                    group.is_odd |= is_complement;
                    group.wraps |= is_complement && !signed;
                }
                ExprKind::Unary { op: UnaryOp::BitNot, operand } => todo.push(operand),
                ExprKind::Unary { op: UnaryOp::Minus, operand } => {
                    group.wraps |= !signed;
                    let inner = self.behind_conversions(operand);
                    // The negation of a sum turns it around, which is followed.
                    group.is_odd |= !self.is_sum(inner);
                    group.negations += usize::from(!self.is_sum(inner));
                    todo.push(operand);
                }
                _ => {}
            }
            if group.operators > MOST_OPERATORS {
                group.is_odd = true;
                return;
            }
        }
    }

    fn is_sum(&self, expr: ExprId) -> bool {
        matches!(self.unit.tast[expr].kind, ExprKind::Binary { op: BinaryOp::Add | BinaryOp::Sub, .. })
    }

    fn is_sum_of_sums(&self, expr: ExprId) -> bool {
        match self.unit.tast[expr].kind {
            ExprKind::Binary { op: BinaryOp::Add, lhs, rhs } => {
                [lhs, rhs].into_iter().any(|side| self.is_sum(self.behind_conversions(side)))
            }
            _ => false,
        }
    }

    /// Whether two operands below an operator change what the other reads or changes.
    fn is_open_inside(&mut self, root: ExprId) -> bool {
        let mut todo = vec![root];
        while let Some(expr) = todo.pop() {
            if self.purity(expr) != EFFECTS || self.shared.contains_key(&expr.index()) {
                continue;
            }
            match self.unit.tast[expr].kind {
                ExprKind::Unary { op: UnaryOp::Plus | UnaryOp::Minus | UnaryOp::BitNot, operand }
                | ExprKind::Cast(operand)
                | ExprKind::Convert { kind: Conversion::Arithmetic, operand }
                | ExprKind::Comma { rhs: operand, .. } => todo.push(operand),
                ExprKind::StmtExpr(stmt) => todo.extend(self.only_expression(stmt)),
                ExprKind::Cond { then, otherwise, .. } => todo.extend([then, otherwise]),
                ExprKind::Binary { op, lhs, rhs } if !matches!(op, BinaryOp::LogAnd | BinaryOp::LogOr) => {
                    if self.conflicts(&[lhs, rhs]) {
                        return true;
                    }
                    todo.extend([lhs, rhs]);
                }
                _ => {}
            }
        }
        false
    }
}
