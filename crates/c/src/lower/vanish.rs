//! Operators that gcc may compute, or take for something simpler, before it chooses an order: `f() * 0` becomes
//! `f(), 0`, `*p > *p + 9` is 0, `(f() & 3) < 0` is 0, and what is left decides which operand comes first. No list of
//! these is complete, so that they are recognised by what they have in common: the value follows from the types and
//! constants alone, or the same place is read on both sides of an operator that can cancel it. Where the order matters,
//! such an expression is not followed.

use super::Class;
use super::body::Body;
use super::walk::{Below, below_expr};
use rucc_ast::{BinaryOp, UnaryOp};
use rucc_sema::{Const, Conversion, ExprId, ExprKind};
use rucc_types::{Qualifiers, TypeKind};

/// Beyond so many places that are read, an operator counts as one that may cancel some.
const MOST_READS: usize = 24;

/// What values an integer can have: between two bounds, and with bits that are known to be 0 or 1 (of 128).
#[derive(Clone, Copy, PartialEq, Debug)]
struct Range {
    low: i128,
    high: i128,
    zeros: u128,
    ones: u128,
}

impl Range {
    fn single(value: i128) -> Range {
        Range { low: value, high: value, zeros: !(value as u128), ones: value as u128 }
    }

    fn between(low: i128, high: i128) -> Range {
        Range { low, high, zeros: 0, ones: 0 }.settled()
    }

    fn truth(value: Option<bool>) -> Range {
        value.map_or(Range::between(0, 1), |value| Range::single(value.into()))
    }

    /// What the bounds say of the bits, and the other way round.
    fn settled(mut self) -> Range {
        if self.low == self.high {
            return Range::single(self.low);
        }
        if self.low >= 0 {
            self.zeros |= !(u128::MAX.checked_shr(self.high.leading_zeros()).unwrap_or(0));
        }
        if self.zeros >> 127 == 1 {
            self.low = self.low.max(self.ones as i128);
            self.high = self.high.min(!self.zeros as i128);
        }
        if self.zeros | self.ones == u128::MAX { Range::single(self.ones as i128) } else { self }
    }

    fn known(self) -> Option<i128> {
        (self.low == self.high).then_some(self.low)
    }

    fn of(class: Class) -> Range {
        match class {
            Class::Bool => Range::between(0, 1),
            Class::Int { width, signed: true } if width < 128 => Range::between(-1 << (width - 1), (1 << (width - 1)) - 1),
            Class::Int { width, signed: false } if width < 127 => Range::between(0, (1 << width) - 1),
            _ => Range { low: i128::MIN, high: i128::MAX, zeros: 0, ones: 0 },
        }
    }

    /// The values after a conversion, which cuts.
    fn cut(self, class: Class) -> Range {
        let all = Range::of(class);
        if self.low >= all.low && self.high <= all.high {
            return self;
        }
        let Class::Int { width, signed } = class else { return all };
        if width >= 127 {
            return all;
        }
        let (mask, sign) = ((1u128 << width) - 1, 1u128 << (width - 1));
        let (mut zeros, mut ones) = (self.zeros & mask, self.ones & mask);
        if !signed || zeros & sign != 0 {
            zeros |= !mask;
        } else if ones & sign != 0 {
            ones |= !mask;
        }
        Range { zeros, ones, ..all }.settled()
    }

    /// The values of an operator whose exact results have these bounds: too large ones are undefined, or wrap.
    fn computed(low: Option<i128>, high: Option<i128>, even: u32, class: Class) -> Range {
        let all = Range::of(class);
        let exact = match (low, high) {
            (Some(low), Some(high)) if class.is_signed() => Range::between(low.clamp(all.low, all.high), high.clamp(all.low, all.high)),
            (Some(low), Some(high)) if low >= all.low && high <= all.high => Range::between(low, high),
            (Some(low), Some(high)) if low == high => Range::single(low).cut(class),
            _ => all,
        };
        Range { zeros: exact.zeros | low_bits(even), ..exact }.settled()
    }

    /// How many of the lowest bits are 0.
    fn even(self) -> u32 {
        self.zeros.trailing_ones()
    }
}

fn low_bits(count: u32) -> u128 {
    1u128.checked_shl(count).map_or(u128::MAX, |bit| bit - 1)
}

impl Body<'_, '_> {
    /// Whether gcc may compute an operator, or write it differently, before it chooses the order of its operands.
    pub(super) fn vanishes_itself(&self, op: BinaryOp, lhs: ExprId, rhs: ExprId) -> bool {
        if !self.shared.is_empty() && (self.uses_shared(lhs) || self.uses_shared(rhs)) {
            return false;
        }
        let known = || self.binary_range(op, lhs, rhs, self.class_of(lhs)).known().is_some();
        // Where overflow wraps, `(a + 4) + b` is `(a + b) + 4`, and `a` a variable.
        let regroups = matches!(op, BinaryOp::Add | BinaryOp::Sub) && matches!(self.class_of(lhs), Class::Int { signed: false, .. });
        if regroups && (self.is_sum_with_constant(lhs) || self.is_sum_with_constant(rhs)) {
            return true;
        }
        self.cancels(op, lhs, rhs) || self.is_negated_twice(op, lhs, rhs) || known()
    }

    /// Whether a value is a sum or difference of a variable and a constant.
    fn is_sum_with_constant(&self, expr: ExprId) -> bool {
        match self.unit.tast[expr].kind {
            ExprKind::Convert { kind: Conversion::Arithmetic, operand: inner }
            | ExprKind::Cast(inner)
            | ExprKind::Comma { rhs: inner, .. }
            | ExprKind::Unary { op: UnaryOp::Plus, operand: inner } => self.is_sum_with_constant(inner),
            ExprKind::StmtExpr(stmt) => self.only_expression(stmt).is_some_and(|only| self.is_sum_with_constant(only)),
            ExprKind::Binary { op: BinaryOp::Add | BinaryOp::Sub, lhs, rhs } => {
                self.constant_number(rhs).is_some() && self.variable_width(lhs).is_some()
                    || self.constant_number(lhs).is_some() && self.variable_width(rhs).is_some()
            }
            _ => false,
        }
    }

    /// The operators inside of an operand that gcc may compute, or write differently.
    pub(super) fn vanishing(&self, operand: ExprId) -> Vec<ExprId> {
        let (mut found, mut todo) = (vec![], vec![operand]);
        while let Some(expr) = todo.pop() {
            // The length of an array has been computed.
            if self.shared.contains_key(&expr.index()) {
                continue;
            }
            if self.vanishes(expr) {
                found.push(expr);
                continue;
            }
            match self.unit.tast[expr].kind {
                // These are computed on their own.
                ExprKind::Call { .. }
                | ExprKind::Assign { .. }
                | ExprKind::Cond { .. }
                | ExprKind::Binary { op: BinaryOp::LogAnd | BinaryOp::LogOr, .. } => {}
                ExprKind::Comma { rhs, .. } => todo.push(rhs),
                ExprKind::StmtExpr(stmt) => todo.extend(self.only_expression(stmt)),
                _ => below_expr(self.unit, expr, &mut |item| {
                    if let Below::Expr(child) = item {
                        todo.push(child);
                    }
                }),
            }
        }
        found
    }

    /// Whether gcc may find a value that is to be assigned to be a call or a load, which then comes after the place.
    pub(super) fn may_end_otherwise(&self, value: ExprId) -> bool {
        match self.unit.tast[value].kind {
            ExprKind::Comma { rhs: inner, .. }
            | ExprKind::Cast(inner)
            | ExprKind::Convert { kind: Conversion::Arithmetic | Conversion::Pointer, operand: inner }
            | ExprKind::Unary { op: UnaryOp::Plus, operand: inner } => self.may_end_otherwise(inner),
            // Two of them may be none.
            ExprKind::Unary { op: UnaryOp::Minus | UnaryOp::BitNot, operand } => {
                matches!(self.unit.tast[operand].kind, ExprKind::Unary { .. } | ExprKind::Binary { .. }) || self.may_end_otherwise(operand)
            }
            ExprKind::StmtExpr(stmt) => self.only_expression(stmt).is_some_and(|only| self.may_end_otherwise(only)),
            ExprKind::Cond { cond, then, otherwise } => self.same(then, otherwise) || self.truth_known(cond).is_some(),
            ExprKind::Binary { op, lhs, rhs } => {
                let neutral = match op {
                    BinaryOp::Mul | BinaryOp::Div => 1,
                    BinaryOp::BitAnd => -1,
                    _ => 0,
                };
                let is_neutral = |expr| {
                    let known = self.range(expr).known();
                    known == Some(neutral) || neutral == -1 && known.is_some_and(|value| value > 0)
                };
                self.cancels(op, lhs, rhs)
                    || self.is_written_as_negation(op, lhs, rhs)
                    || [lhs, rhs].into_iter().any(|operand| is_neutral(operand) || self.vanishes(operand))
            }
            _ => false,
        }
    }

    pub(super) fn vanishes(&self, expr: ExprId) -> bool {
        if !self.shared.is_empty() && self.uses_shared(expr) {
            return false;
        }
        let is_number = matches!(self.class_of(expr), Class::Int { .. } | Class::Bool);
        match self.unit.tast[expr].kind {
            ExprKind::Binary { op, lhs, rhs } => {
                self.cancels(op, lhs, rhs)
                    || self.is_written_as_negation(op, lhs, rhs)
                    || is_number && self.range(expr).known().is_some() && self.depends(expr)
            }
            ExprKind::Cond { then, otherwise, .. } => self.same(then, otherwise),
            ExprKind::Unary { op: UnaryOp::Minus, operand } if self.is_of_negations(operand) => true,
            // `~(a - 1)` is `-a`, and `~-a` is `a - 1`.
            ExprKind::Unary { op: UnaryOp::BitNot, operand }
                if matches!(
                    self.unit.tast[operand].kind,
                    ExprKind::Unary { op: UnaryOp::Minus, .. } | ExprKind::Binary { op: BinaryOp::Add | BinaryOp::Sub, .. }
                ) =>
            {
                true
            }
            ExprKind::Unary { .. } | ExprKind::Cast(_) | ExprKind::Convert { .. } => {
                is_number && self.range(expr).known().is_some() && self.depends(expr)
            }
            _ => false,
        }
    }

    /// Whether an expression has a part that was computed before.
    fn uses_shared(&self, expr: ExprId) -> bool {
        let mut todo = vec![expr];
        while let Some(expr) = todo.pop() {
            if self.shared.contains_key(&expr.index()) {
                return true;
            }
            below_expr(self.unit, expr, &mut |item| {
                if let Below::Expr(child) = item {
                    todo.push(child);
                }
            });
        }
        false
    }

    /// `0 - a`, `a * -1`, `a / -1` and `~a + 1` are `-a`.
    fn is_written_as_negation(&self, op: BinaryOp, lhs: ExprId, rhs: ExprId) -> bool {
        match op {
            BinaryOp::Sub => self.constant_number(lhs) == Some(0) || self.is_complement(lhs) && self.is_minus_one(rhs),
            BinaryOp::Add => [(lhs, rhs), (rhs, lhs)].into_iter().any(|(a, b)| self.is_complement(a) && self.constant_number(b) == Some(1)),
            BinaryOp::Mul => self.is_minus_one(lhs) || self.is_minus_one(rhs),
            BinaryOp::Div => self.is_minus_one(rhs),
            _ => false,
        }
    }

    pub(super) fn is_complement(&self, expr: ExprId) -> bool {
        match self.unit.tast[expr].kind {
            ExprKind::Unary { op: UnaryOp::BitNot, .. } => true,
            ExprKind::Binary { op: BinaryOp::BitXor, lhs, rhs } => self.is_minus_one(lhs) || self.is_minus_one(rhs),
            ExprKind::Comma { rhs: inner, .. } | ExprKind::Cast(inner) | ExprKind::Convert { operand: inner, .. } => {
                self.is_complement(inner)
            }
            _ => false,
        }
    }

    /// The value of an operator on constants.
    pub(super) fn computed_number(&self, expr: ExprId) -> Option<i128> {
        let is_number = matches!(self.class_of(expr), Class::Int { .. } | Class::Bool);
        if is_number && !self.depends(expr) { self.range(expr).known() } else { None }
    }

    /// The value of an expression that can have no other, whatever it reads or calls.
    pub(super) fn known_number(&self, expr: ExprId) -> Option<i128> {
        let is_number = matches!(self.class_of(expr), Class::Int { .. } | Class::Bool);
        if is_number { self.range(expr).known() } else { None }
    }

    /// Whether evaluating an expression reads or calls anything.
    fn depends(&self, expr: ExprId) -> bool {
        let mut todo = vec![expr];
        while let Some(expr) = todo.pop() {
            match self.unit.tast[expr].kind {
                ExprKind::Convert { kind: Conversion::Lvalue | Conversion::ArrayDecay, .. }
                | ExprKind::Unary {
                    op: UnaryOp::AddrOf | UnaryOp::PreInc | UnaryOp::PreDec | UnaryOp::PostInc | UnaryOp::PostDec, ..
                }
                | ExprKind::Call { .. }
                | ExprKind::Assign { .. }
                | ExprKind::StmtExpr(_) => return true,
                // What is never evaluated is no matter.
                ExprKind::Binary { op: BinaryOp::LogAnd, lhs, .. } if self.constant_number(lhs) == Some(0) => {}
                ExprKind::Binary { op: BinaryOp::LogOr, lhs, .. } if self.constant_number(lhs).is_some_and(|value| value != 0) => {}
                _ => below_expr(self.unit, expr, &mut |item| {
                    if let Below::Expr(child) = item {
                        todo.push(child);
                    }
                }),
            }
        }
        false
    }

    /// Whether an operator may be simpler than its range tells.
    pub(super) fn is_cancelled(&self, expr: ExprId) -> bool {
        self.range(expr).known().is_none()
    }

    /// Whether both sides of an operator read the same place, and the operator can do away with it; or a comparison is
    /// one that gcc decides by what it knows of addresses and floats.
    fn cancels(&self, op: BinaryOp, lhs: ExprId, rhs: ExprId) -> bool {
        if op.is_comparison() && self.compares_integer_as_float(lhs, rhs) {
            return true;
        }
        if op.is_comparison() || op == BinaryOp::Sub {
            let (left, right) = (self.is_address(lhs), self.is_address(rhs));
            if left && (right || self.is_null(rhs)) || right && self.is_null(lhs) {
                return true;
            }
        }
        if matches!(op, BinaryOp::LogAnd | BinaryOp::LogOr | BinaryOp::Shl | BinaryOp::Shr) {
            return false;
        }
        let (mut left, mut right) = (Reads::default(), Reads::default());
        self.reads(lhs, &mut left);
        self.reads(rhs, &mut right);
        if matches!(op, BinaryOp::Add | BinaryOp::Mul) && !left.negated && !right.negated {
            return false;
        }
        let many = left.places.len().max(right.places.len()) > MOST_READS;
        many || left.places.iter().any(|&a| right.places.iter().any(|&b| self.same(a, b)))
    }

    fn reads(&self, expr: ExprId, reads: &mut Reads) {
        let mut todo = vec![expr];
        while let Some(expr) = todo.pop() {
            match self.unit.tast[expr].kind {
                ExprKind::Convert { kind: Conversion::Lvalue, .. } => {
                    let ty = self.unit.tast[expr].ty;
                    if !self.unit.types.quals(ty).has(Qualifiers::VOLATILE) {
                        reads.places.push(expr);
                    }
                }
                ExprKind::Call { .. } | ExprKind::Assign { .. } => {}
                ExprKind::StmtExpr(stmt) => todo.extend(self.only_expression(stmt)),
                kind => {
                    let negates = matches!(kind, ExprKind::Unary { op: UnaryOp::Minus | UnaryOp::BitNot, .. });
                    reads.negated |= negates || matches!(kind, ExprKind::Binary { op: BinaryOp::Sub | BinaryOp::Div, .. });
                    below_expr(self.unit, expr, &mut |item| {
                        if let Below::Expr(child) = item {
                            todo.push(child);
                        }
                    });
                }
            }
        }
    }

    fn is_address(&self, expr: ExprId) -> bool {
        match self.unit.tast[expr].kind {
            ExprKind::Convert { kind: Conversion::ArrayDecay | Conversion::FunctionDecay, .. }
            | ExprKind::Unary { op: UnaryOp::AddrOf, .. }
            | ExprKind::Str(_) => true,
            ExprKind::Convert { kind: Conversion::Pointer | Conversion::Arithmetic, operand } | ExprKind::Cast(operand) => {
                self.is_address(operand)
            }
            ExprKind::Comma { rhs, .. } => self.is_address(rhs),
            ExprKind::Binary { op: BinaryOp::Add | BinaryOp::Sub, lhs, .. } => self.is_address(lhs),
            _ => false,
        }
    }

    fn is_null(&self, expr: ExprId) -> bool {
        match self.unit.tast[expr].kind {
            ExprKind::Convert { operand: inner, .. } | ExprKind::Cast(inner) | ExprKind::Comma { rhs: inner, .. } => self.is_null(inner),
            _ => self.constant_number(expr) == Some(0),
        }
    }

    fn compares_integer_as_float(&self, lhs: ExprId, rhs: ExprId) -> bool {
        let is_integer = |expr: ExprId| match self.unit.tast[expr].kind {
            ExprKind::Convert { kind: Conversion::Arithmetic, operand } | ExprKind::Cast(operand) => {
                matches!(self.class_of(operand), Class::Int { .. } | Class::Bool)
            }
            _ => false,
        };
        // A NaN is a constant that compares like no other.
        let is_nan = |expr: ExprId| match self.unit.tast[expr].kind {
            ExprKind::Const(id) => matches!(self.unit.tast[id], Const::Float(value) if value.is_nan()),
            _ => false,
        };
        matches!(self.class_of(lhs), Class::Float { .. }) && (is_integer(lhs) || is_integer(rhs) || is_nan(lhs) || is_nan(rhs))
    }

    /// Whether two expressions are written alike, but for the two ways to write an element.
    pub(super) fn same(&self, a: ExprId, b: ExprId) -> bool {
        let (left, right) = (self.unit.tast[a], self.unit.tast[b]);
        if left.ty != right.ty {
            return false;
        }
        if let (Some((a, i)), Some((b, j))) = (self.element(left.kind), self.element(right.kind)) {
            let zero = |index: Option<ExprId>| index.is_none_or(|index| self.constant_number(index) == Some(0));
            return self.same(a, b) && (zero(i) && zero(j) || i.zip(j).is_some_and(|(i, j)| self.same(i, j)));
        }
        match (left.kind, right.kind) {
            (ExprKind::Decl(a), ExprKind::Decl(b)) => a == b,
            (ExprKind::Const(a), ExprKind::Const(b)) => match (self.unit.tast[a], self.unit.tast[b]) {
                (Const::Int(a), Const::Int(b)) => a == b,
                _ => true,
            },
            (ExprKind::Member { base: a, field: f }, ExprKind::Member { base: b, field: g }) => f == g && self.same(a, b),
            (ExprKind::Unary { op: f, operand: a }, ExprKind::Unary { op: g, operand: b }) => f == g && self.same(a, b),
            (ExprKind::Binary { op: f, lhs: a, rhs: i }, ExprKind::Binary { op: g, lhs: b, rhs: j }) => {
                f == g && self.same(a, b) && self.same(i, j)
            }
            (ExprKind::Cast(a), ExprKind::Cast(b)) => self.same(a, b),
            (ExprKind::Convert { kind: f, operand: a }, ExprKind::Convert { kind: g, operand: b }) => f == g && self.same(a, b),
            _ => false,
        }
    }

    /// The pointer and the index of `p[i]`, `*(p + i)` and `*p`.
    fn element(&self, kind: ExprKind) -> Option<(ExprId, Option<ExprId>)> {
        match kind {
            ExprKind::Subscript { base, index } => Some((base, Some(index))),
            ExprKind::Unary { op: UnaryOp::Deref, operand } => match self.unit.tast[operand].kind {
                ExprKind::Binary { op: BinaryOp::Add, lhs, rhs } => Some((lhs, Some(rhs))),
                _ => Some((operand, None)),
            },
            _ => None,
        }
    }

    fn range(&self, expr: ExprId) -> Range {
        let class = self.class_of(expr);
        let all = Range::of(class);
        match self.unit.tast[expr].kind {
            ExprKind::Const(_) => self.constant_number(expr).map_or(all, Range::single),
            ExprKind::Convert { kind: Conversion::Lvalue, operand } | ExprKind::Assign { lhs: operand, .. } => self.range_of_place(operand),
            ExprKind::Unary { op: UnaryOp::PreInc | UnaryOp::PreDec | UnaryOp::PostInc | UnaryOp::PostDec, operand } => {
                self.range_of_place(operand)
            }
            ExprKind::Convert { kind: Conversion::Bool, operand } => Range::truth(self.truth_known(operand)),
            ExprKind::Convert { kind: Conversion::Arithmetic, operand } | ExprKind::Cast(operand) => {
                match (self.class_of(operand), class) {
                    (_, Class::Bool) => Range::truth(self.truth_known(operand)),
                    (Class::Int { .. } | Class::Bool, Class::Int { .. }) => self.range(operand).cut(class),
                    _ => all,
                }
            }
            ExprKind::Comma { rhs, .. } => self.range(rhs),
            ExprKind::StmtExpr(stmt) => self.only_expression(stmt).map_or(all, |only| self.range(only)),
            ExprKind::Cond { cond, then, otherwise } => match self.truth_known(cond) {
                Some(truth) => self.range(if truth { then } else { otherwise }),
                None => {
                    let (a, b) = (self.range(then), self.range(otherwise));
                    Range { low: a.low.min(b.low), high: a.high.max(b.high), zeros: a.zeros & b.zeros, ones: a.ones & b.ones }
                }
            },
            ExprKind::Unary { op: UnaryOp::Plus, operand } => self.range(operand),
            ExprKind::Unary { op: UnaryOp::Not, operand } => Range::truth(self.truth_known(operand).map(|truth| !truth)),
            ExprKind::Unary { op: UnaryOp::Minus, operand } => {
                let inner = self.range(operand);
                Range::computed(inner.high.checked_neg(), inner.low.checked_neg(), inner.even(), class)
            }
            ExprKind::Unary { op: UnaryOp::BitNot, operand } => {
                let inner = self.range(operand);
                Range { low: !inner.high, high: !inner.low, zeros: inner.ones, ones: inner.zeros }.cut(class)
            }
            ExprKind::Binary { op, lhs, rhs } => self.binary_range(op, lhs, rhs, class),
            ExprKind::Abs { .. } => Range::between(0, all.high),
            ExprKind::BitCount { .. } => Range::between(0, 128),
            ExprKind::Classify { .. } => Range::between(0, 1),
            _ => all,
        }
    }

    fn range_of_place(&self, place: ExprId) -> Range {
        let class = self.class_of(place);
        if let ExprKind::Member { base, field } = self.unit.tast[place].kind
            && let TypeKind::Record(id) = self.unit.kind(self.unit.tast[base].ty)
            && let Some(width) = self.unit.types.record_info(id).fields.get(field as usize).and_then(|field| field.bits)
            && let Class::Int { signed, .. } = class
            && width > 0
        {
            return Range::of(Class::Int { width, signed });
        }
        Range::of(class)
    }

    /// Whether a value is known to be zero or not.
    fn truth_known(&self, expr: ExprId) -> Option<bool> {
        match self.class_of(expr) {
            Class::Int { .. } | Class::Bool => {
                let range = self.range(expr);
                let nonzero = range.low > 0 || range.high < 0 || range.ones != 0;
                if nonzero { Some(true) } else { range.known().map(|_| false) }
            }
            Class::Pointer => self.is_address(expr).then_some(true),
            _ => None,
        }
    }

    fn binary_range(&self, op: BinaryOp, lhs: ExprId, rhs: ExprId, class: Class) -> Range {
        use BinaryOp::*;
        let all = Range::of(class);
        if matches!(op, LogAnd | LogOr) {
            let both = [self.truth_known(lhs), self.truth_known(rhs)];
            let decides = op == LogOr;
            return Range::truth(if both.contains(&Some(decides)) { Some(decides) } else { both[0].and(both[1]) });
        }
        let is_number = |expr: ExprId| matches!(self.class_of(expr), Class::Int { .. } | Class::Bool);
        if !is_number(lhs) || !is_number(rhs) {
            return if op.is_comparison() { Range::between(0, 1) } else { all };
        }
        let (a, b) = (self.range(lhs), self.range(rhs));
        let corners = |f: &dyn Fn(i128, i128) -> Option<i128>| {
            let ends = [f(a.low, b.low), f(a.low, b.high), f(a.high, b.low), f(a.high, b.high)];
            let ends: Option<Vec<i128>> = ends.into_iter().collect();
            ends.map(|ends| (ends.iter().copied().min(), ends.iter().copied().max())).unwrap_or((None, None))
        };
        match op {
            Add => Range::computed(a.low.checked_add(b.low), a.high.checked_add(b.high), a.even().min(b.even()), class),
            Sub => Range::computed(a.low.checked_sub(b.high), a.high.checked_sub(b.low), a.even().min(b.even()), class),
            Mul if a.known() == Some(0) || b.known() == Some(0) => Range::single(0),
            Mul => {
                let (low, high) = corners(&|x, y| x.checked_mul(y));
                Range::computed(low, high, (a.even() + b.even()).min(128), class)
            }
            Div | Rem if a.known() == Some(0) => Range::single(0),
            Div => match b.known() {
                Some(by) if by != 0 => {
                    let (low, high) = corners(&|x, _| x.checked_div(by));
                    Range::computed(low, high, 0, class)
                }
                _ => all,
            },
            Rem => match b.known() {
                Some(by) if by != 0 && self.is_multiple(lhs, by) => Range::single(0),
                Some(by) if by != 0 => {
                    let most = by.unsigned_abs().min(1 << 100) as i128 - 1;
                    Range::between(if a.low < 0 { -most } else { 0 }, if a.high > 0 { most } else { 0 })
                }
                _ => all,
            },
            Shl if a.known() == Some(0) => Range::single(0),
            Shr if matches!(a.known(), Some(0 | -1)) => a,
            Shl | Shr => match b.known() {
                Some(by @ 0..=127) if op == Shr => Range::between(a.low >> by, a.high >> by),
                Some(by @ 0..=127) => {
                    let zeros = a.zeros << by | low_bits(by as u32);
                    Range { low: i128::MIN, high: i128::MAX, zeros, ones: a.ones << by }.cut(class)
                }
                _ => all,
            },
            BitAnd => Range { zeros: a.zeros | b.zeros, ones: a.ones & b.ones, ..all }.settled(),
            BitOr => Range { zeros: a.zeros & b.zeros, ones: a.ones | b.ones, ..all }.settled(),
            BitXor => Range { zeros: a.zeros & b.zeros | a.ones & b.ones, ones: a.zeros & b.ones | a.ones & b.zeros, ..all }.settled(),
            Lt => Range::truth(less(a, b)),
            Gt => Range::truth(less(b, a)),
            Ge => Range::truth(less(a, b).map(|truth| !truth)),
            Le => Range::truth(less(b, a).map(|truth| !truth)),
            Eq | Ne => {
                let apart = a.high < b.low || b.high < a.low || a.ones & b.zeros != 0 || a.zeros & b.ones != 0;
                let apart = apart || self.is_no_multiple(lhs, b) || self.is_no_multiple(rhs, a);
                let equal = if apart { Some(false) } else { a.known().and(b.known()).map(|_| true) };
                Range::truth(equal.map(|equal| equal == (op == Eq)))
            }
            LogAnd | LogOr => all,
        }
    }

    fn is_multiple(&self, expr: ExprId, of: i128) -> bool {
        let ExprKind::Binary { op: BinaryOp::Mul, lhs, rhs } = self.unit.tast[expr].kind else { return false };
        [self.constant_number(lhs), self.constant_number(rhs)].into_iter().flatten().any(|factor| factor.checked_rem(of) == Some(0))
    }

    /// Whether a value is a product with a factor that the other number does not have.
    fn is_no_multiple(&self, expr: ExprId, other: Range) -> bool {
        let ExprKind::Binary { op: BinaryOp::Mul, lhs, rhs } = self.unit.tast[expr].kind else { return false };
        let Some(number) = other.known() else { return false };
        let mut factors = [self.constant_number(lhs), self.constant_number(rhs)].into_iter().flatten();
        factors.any(|factor| factor != 0 && number.checked_rem(factor).is_some_and(|rest| rest != 0))
    }
}

fn less(a: Range, b: Range) -> Option<bool> {
    if a.high < b.low {
        Some(true)
    } else if a.low >= b.high {
        Some(false)
    } else {
        None
    }
}

/// The places that an expression reads, and whether something in it is taken away from something.
#[derive(Default)]
struct Reads {
    places: Vec<ExprId>,
    negated: bool,
}
