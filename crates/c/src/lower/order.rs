//! The order in which operands and the two sides of an assignment are evaluated, where C leaves it open: that of gcc on
//! x86 without optimisation, which follows from how gcc folds expressions and then takes them apart.
//!
//! - Operands go from left to right, but gcc swaps those of a commutative operator or a comparison if the left is a
//!   variable: then the variable is read last. `-a + b` becomes `b - a`.
//! - The left side of a comma comes before the whole operator that the comma is an operand of.
//! - Of an assignment, the value is computed before the place, but its last step comes after it: the call of a
//!   function whose arguments are there, or the load from a place that is known.

use super::Class;
use super::body::{Body, Cut, Value};
use super::condition::EFFECTS;
use super::place::Place;
use super::unsequenced::VANISHES;
use rucc_ast::{BinaryOp, UnaryOp};
use rucc_sema::{Const, Conversion, ExprId, ExprKind, Stmt};
use rucc_types::TypeKind;

use assay_term::Term;

impl Body<'_, '_> {
    /// Both operands of an operator.
    pub(super) fn operands(&mut self, op: Option<BinaryOp>, lhs: ExprId, rhs: ExprId) -> (Term, Term) {
        // The widths to which the result is cut: then gcc cuts the operands of these operators.
        let cut = std::mem::take(&mut self.cut).only_if(op.is_some_and(cuts_operands));
        if let Some(op) = op
            && self.is_wrongly_unsigned(op, lhs, rhs)
        {
            self.unsupported("arithmetic on a bit-field of enumeration type");
        }
        if self.purity(lhs) != EFFECTS && self.purity(rhs) != EFFECTS {
            return (self.scalar(lhs), self.scalar(rhs));
        }
        // Where overflow wraps, `a - (b - c)` is `a + (c - b)`.
        let turned = if op == Some(BinaryOp::Sub) { self.wrapping_difference(rhs) } else { None };
        self.turn(turned.as_slice());
        let both = self.ordered_operands(op, lhs, rhs, cut, turned.is_some());
        self.turn(turned.as_slice());
        both
    }

    fn ordered_operands(&mut self, op: Option<BinaryOp>, lhs: ExprId, rhs: ExprId, cut: Cut, adds: bool) -> (Term, Term) {
        self.watch_order(&[lhs, rhs]);
        self.note_order_of_operands(op, lhs, rhs);
        if op.is_some() {
            self.hoist(lhs);
            self.hoist(rhs);
        }
        // `a + -b` is a difference, `a - -b` is a sum, and so is `a + -(b * 3)`, which is `a + b * -3`.
        let (left, right) = (self.is_subtracted(lhs), self.is_subtracted(rhs));
        let swaps = match op {
            Some(BinaryOp::Add) if right => false,
            Some(op) if commutes(op) || adds || op == BinaryOp::Sub && self.is_negation(rhs) => {
                let width = cut.cast.or_else(|| self.shortened(op, lhs, rhs));
                let first = self.is_variable(lhs, width) && !self.is_variable(rhs, width) || self.turns_around(op, lhs, rhs);
                let (left, right) = if first { (rhs, lhs) } else { (lhs, rhs) };
                let again = cut.folded.is_some() && self.is_variable(left, cut.folded) && !self.is_variable(right, cut.folded);
                // Whether gcc gets as far as here with it depends on the other operators.
                if again && cut.is_nested && self.conflicts(&[lhs, rhs]) {
                    self.unsupported(VANISHES);
                }
                first != again
            }
            _ => false,
        };
        // `-a + b` is `b - a`, but `-a + -b` is `-a - b`.
        let turns = left && (op == Some(BinaryOp::Add) && !right || op == Some(BinaryOp::Sub) && right);
        if swaps || turns {
            let b = self.operand(rhs, cut);
            // What the right gives was computed before the left is read, and stays what it was.
            let b = self.snapshot(b);
            return (self.operand(lhs, cut), b);
        }
        let mut a = self.operand(lhs, cut);
        if self.purity(rhs) == EFFECTS {
            a = self.snapshot(a);
        }
        let b = self.operand(rhs, cut);
        (a, b)
    }

    /// The width in which gcc computes a comparison or an operator on bits, if both operands were extended alike from
    /// that width.
    fn shortened(&self, op: BinaryOp, lhs: ExprId, rhs: ExprId) -> Option<u32> {
        if !op.is_comparison() && !matches!(op, BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor) {
            return None;
        }
        let Class::Int { width, signed } = self.class_of(lhs) else { return None };
        let (left, right) = (self.extended(lhs), self.extended(rhs));
        let sign_is_kept = !op.is_comparison() || signed || !left.is_signed();
        let narrow = left.width(self.pointer_width()).filter(|&narrow| narrow < width);
        narrow.filter(|_| left == right && sign_is_kept)
    }

    /// What an integer was before it was extended.
    fn extended(&self, expr: ExprId) -> Class {
        match self.unit.tast[expr].kind {
            ExprKind::Comma { rhs, .. } => self.extended(rhs),
            ExprKind::Convert { kind: Conversion::Arithmetic, operand } | ExprKind::Cast(operand) => {
                match (self.class_of(operand), self.class_of(expr)) {
                    (Class::Bool, Class::Int { .. }) => Class::Bool,
                    (class @ Class::Int { width: from, signed }, Class::Int { width: to, .. }) if from < to => {
                        let inner = self.extended(operand);
                        // A sign that was extended and then taken for a part of the number is one.
                        if !inner.is_signed() || signed { inner } else { class }
                    }
                    (_, class) => class,
                }
            }
            _ => self.class_of(expr),
        }
    }

    /// Has these operators evaluated the other way round, or no longer.
    pub(super) fn turn(&mut self, operators: &[ExprId]) {
        for operator in operators {
            if !self.turned.insert(operator.index()) {
                self.turned.remove(&operator.index());
            }
        }
    }

    /// The operands of a sum or difference that is turned around.
    pub(super) fn turned_operands(&mut self, op: BinaryOp, lhs: ExprId, rhs: ExprId) -> (Term, Term) {
        if op == BinaryOp::Add && self.is_negation(lhs) {
            // `-a + b` is `b - a`, and its negation `a - b`.
            return self.operands(Some(BinaryOp::Sub), lhs, rhs);
        }
        let (b, a) = self.operands(Some(BinaryOp::Sub), rhs, lhs);
        (a, b)
    }

    /// The operators that a negation turns around: `-(a - b)` is `b - a`, and where overflow wraps, `-(a + (b - c))` is
    /// `(c - b) - a`, and `-((a - b) + c)` is `(b - a) - c`.
    pub(super) fn negation_turns(&self, operand: ExprId) -> Vec<ExprId> {
        if !matches!(self.class_of(operand), Class::Int { .. }) {
            return vec![];
        }
        match self.unit.tast[operand].kind {
            ExprKind::Binary { op: BinaryOp::Sub, lhs, .. } if matches!(self.class_of(lhs), Class::Int { .. }) => vec![operand],
            ExprKind::Binary { op: BinaryOp::Add, lhs, rhs } => match (self.wrapping_difference(rhs), self.wrapping_difference(lhs)) {
                (Some(right), _) => vec![operand, right],
                (None, Some(left)) => vec![left],
                // A sum with `-b` is a difference.
                (None, None) if self.is_negation(lhs) || self.is_negation(rhs) => vec![operand],
                (None, None) => vec![],
            },
            ExprKind::Unary { op: UnaryOp::Minus, operand } | ExprKind::Comma { rhs: operand, .. } => self.negation_turns(operand),
            _ => vec![],
        }
    }

    /// A difference of integers whose overflow wraps.
    pub(super) fn wrapping_difference(&self, expr: ExprId) -> Option<ExprId> {
        match (self.class_of(expr), self.unit.tast[expr].kind) {
            (Class::Int { signed: false, .. }, ExprKind::Binary { op: BinaryOp::Sub, .. }) => Some(expr),
            (
                Class::Int { signed: false, .. },
                ExprKind::Comma { rhs: inner, .. } | ExprKind::Unary { op: UnaryOp::Minus, operand: inner },
            ) => self.wrapping_difference(inner),
            _ => None,
        }
    }

    /// Whether an operand is a bit-field of an enumeration that compilers promote to `int` and the library to
    /// `unsigned`, and the result tells.
    fn is_wrongly_unsigned(&self, op: BinaryOp, lhs: ExprId, rhs: ExprId) -> bool {
        let (left, right) = (self.is_enumeration_bit_field(lhs), self.is_enumeration_bit_field(rhs));
        // As long as nothing is negative, both types give the same.
        let harmless = |mut other: ExprId| {
            while let ExprKind::Convert { kind: Conversion::Arithmetic, operand } = self.unit.tast[other].kind {
                other = operand;
            }
            self.constant_number(other).is_some_and(|value| (0..1 << 31).contains(&value))
        };
        let small = (left || harmless(lhs)) && (right || harmless(rhs));
        (left || right) && !matches!(op, BinaryOp::Eq | BinaryOp::Ne) && (!small || op == BinaryOp::Sub)
    }

    /// Whether a value is `unsigned` to the library only because of such a bit-field.
    pub(super) fn is_enumeration_bit_field(&self, expr: ExprId) -> bool {
        if self.class_of(expr) != (Class::Int { width: 32, signed: false }) {
            return false;
        }
        match self.unit.tast[expr].kind {
            ExprKind::Convert { kind: Conversion::Arithmetic, operand } => {
                self.is_enumeration_bit_field_place(operand) || self.is_enumeration_bit_field(operand)
            }
            ExprKind::Binary { op: BinaryOp::Shl | BinaryOp::Shr, lhs, .. } => self.is_enumeration_bit_field(lhs),
            ExprKind::Binary { lhs, rhs, .. } => self.is_enumeration_bit_field(lhs) || self.is_enumeration_bit_field(rhs),
            ExprKind::Cond { then, otherwise, .. } => self.is_enumeration_bit_field(then) || self.is_enumeration_bit_field(otherwise),
            ExprKind::Comma { rhs, .. } => self.is_enumeration_bit_field(rhs),
            ExprKind::Unary { op: UnaryOp::Plus | UnaryOp::Minus | UnaryOp::BitNot, operand } => self.is_enumeration_bit_field(operand),
            _ => false,
        }
    }

    fn is_enumeration_bit_field_place(&self, operand: ExprId) -> bool {
        let ExprKind::Convert { kind: Conversion::Lvalue, operand: place } = self.unit.tast[operand].kind else { return false };
        let ExprKind::Member { base, field } = self.unit.tast[place].kind else { return false };
        let TypeKind::Record(id) = self.unit.kind(self.unit.tast[base].ty) else { return false };
        let bits = self.unit.types.record_info(id).fields.get(field as usize).and_then(|field| field.bits);
        matches!(self.unit.kind(self.unit.tast[place].ty), TypeKind::Enum(_)) && bits.is_some_and(|bits| bits < 32)
    }

    /// Whether gcc turns an operator around: `a < b + 4` becomes `b + 3 >= a` where overflow is undefined, `~a < ~b`
    /// becomes `b < a`, and `a ^ ~b` becomes `~b ^ a`.
    fn turns_around(&self, op: BinaryOp, lhs: ExprId, rhs: ExprId) -> bool {
        // The complement of a complement is none.
        let is_not = |expr: ExprId| match self.unit.tast[expr].kind {
            ExprKind::Unary { op: UnaryOp::BitNot, operand } => {
                !matches!(self.unit.tast[operand].kind, ExprKind::Unary { op: UnaryOp::BitNot, .. })
            }
            _ => false,
        };
        if op == BinaryOp::BitXor {
            // The complement of a choice is a choice of complements.
            let chooses = match self.unit.tast[rhs].kind {
                ExprKind::Unary { operand, .. } => matches!(self.unit.tast[operand].kind, ExprKind::Cond { .. }),
                _ => false,
            };
            return is_not(rhs) && !is_not(lhs) && !chooses;
        }
        let class = self.class_of(lhs);
        if !op.is_comparison() || !matches!(class, Class::Int { .. }) || self.class_of(rhs) != class {
            return false;
        }
        if is_not(lhs) && is_not(rhs) {
            return true;
        }
        if !class.is_signed() {
            return false;
        }
        let (mut left, mut right) = (self.added(lhs), self.added(rhs));
        if left != 0 && right != 0 {
            // `a + 2 < b + 5` is `a < b + 3`, if the number gets smaller and keeps its sign.
            let shrinks = |number: i128, by: i128| {
                let rest = number - by;
                (rest.signum() == number.signum() && (number - rest).signum() == number.signum()).then_some(rest)
            };
            if let Some(rest) = shrinks(right, left) {
                (left, right) = (0, rest);
            } else if let Some(rest) = shrinks(left, right) {
                (left, right) = (rest, 0);
            }
        }
        let (more, less) = ([BinaryOp::Gt, BinaryOp::Le], [BinaryOp::Lt, BinaryOp::Ge]);
        let stays = left > 0 && more.contains(&op) || left < 0 && less.contains(&op);
        // Seen from the right, `<` is `>`.
        let turns = right > 0 && less.contains(&op) || right < 0 && more.contains(&op);
        turns && !stays
    }

    /// The constant that an expression adds to another one.
    fn added(&self, expr: ExprId) -> i128 {
        let ExprKind::Binary { op: op @ (BinaryOp::Add | BinaryOp::Sub), lhs, rhs } = self.unit.tast[expr].kind else { return 0 };
        match (op, self.constant_number(lhs), self.constant_number(rhs)) {
            // `4 + -a` is a difference.
            (BinaryOp::Add, Some(_), None) if self.is_subtracted(rhs) => 0,
            (BinaryOp::Add, None, Some(_)) if self.is_subtracted(lhs) => 0,
            (BinaryOp::Add, Some(number), None) => self.added(rhs) + number,
            (BinaryOp::Add, None, Some(number)) => self.added(lhs) + number,
            (BinaryOp::Sub, None, Some(number)) => self.added(lhs) - number,
            _ => 0,
        }
    }

    fn operand(&mut self, expr: ExprId, cut: Cut) -> Term {
        self.cut = Cut { is_nested: true, ..cut }.only_if(self.is_cut_operator(expr));
        let value = self.scalar(expr);
        self.cut = Cut::default();
        value
    }

    /// Whether the expression, behind its conversions, signs and choices, is an operator whose operands are cut when
    /// its result is.
    pub(super) fn is_cut_operator(&self, expr: ExprId) -> bool {
        match self.unit.tast[expr].kind {
            _ if !matches!(self.class_of(expr), Class::Int { .. }) => false,
            ExprKind::Convert { kind: Conversion::Arithmetic, operand }
            | ExprKind::Cast(operand)
            | ExprKind::Comma { rhs: operand, .. }
            | ExprKind::Unary { op: UnaryOp::Plus | UnaryOp::Minus | UnaryOp::BitNot, operand } => self.is_cut_operator(operand),
            ExprKind::Cond { then, otherwise, .. } => self.is_cut_operator(then) || self.is_cut_operator(otherwise),
            ExprKind::Binary { op, .. } => cuts_operands(op),
            _ => false,
        }
    }

    /// Evaluates the left sides of commas that gcc moves to the front of an operator.
    fn hoist(&mut self, expr: ExprId) {
        // A length that was computed before is not computed again.
        if self.purity(expr) != EFFECTS || self.shared.contains_key(&expr.index()) {
            return;
        }
        match self.unit.tast[expr].kind {
            ExprKind::Comma { lhs, rhs } => {
                if !self.hoisted.insert(expr.index()) {
                    return;
                }
                self.discard(lhs);
                self.hoist(rhs);
            }
            ExprKind::Convert { kind: Conversion::Arithmetic | Conversion::Bool | Conversion::Pointer, operand }
            | ExprKind::Cast(operand)
            | ExprKind::Unary { op: UnaryOp::Plus | UnaryOp::Minus | UnaryOp::BitNot | UnaryOp::Not, operand } => self.hoist(operand),
            ExprKind::StmtExpr(stmt) => {
                if let Some(only) = self.only_expression(stmt) {
                    self.hoist(only);
                }
            }
            ExprKind::Binary { op, lhs, rhs } if !matches!(op, BinaryOp::LogAnd | BinaryOp::LogOr) => {
                self.hoist(lhs);
                self.hoist(rhs);
            }
            // A choice that is none.
            ExprKind::Cond { cond, then, otherwise } => match self.constant_number(cond) {
                Some(0) => self.hoist(otherwise),
                Some(_) => self.hoist(then),
                None => {}
            },
            _ => {}
        }
    }

    /// Whether the value is that of a variable, as gcc sees it: behind conversions that change nothing, commas and
    /// trivial blocks. `cut` is the width to which it will be cut.
    fn is_variable(&self, expr: ExprId, cut: Option<u32>) -> bool {
        let node = self.unit.tast[expr];
        let wanted = cut.or_else(|| self.unit.class(node.ty).width(self.pointer_width()));
        self.variable_width(expr).is_some_and(|width| Some(width) == wanted)
    }

    /// The width of the variable that an expression is, behind conversions that lose none of its bits.
    pub(super) fn variable_width(&self, expr: ExprId) -> Option<u32> {
        let node = self.unit.tast[expr];
        let class = self.unit.class(node.ty);
        let width = class.width(self.pointer_width())?;
        match node.kind {
            ExprKind::Convert { kind: Conversion::Lvalue, operand } => match self.unit.tast[operand].kind {
                ExprKind::Decl(_) => Some(width),
                _ => None,
            },
            ExprKind::Convert { kind: Conversion::Arithmetic | Conversion::Pointer, operand } | ExprKind::Cast(operand) => {
                let words = |class: Class| matches!(class, Class::Int { .. } | Class::Pointer);
                let inner = self.variable_width(operand)?;
                (words(class) && words(self.class_of(operand)) && inner <= width || class == self.class_of(operand)).then_some(inner)
            }
            ExprKind::Unary { op: UnaryOp::Plus, operand } => self.variable_width(operand),
            // `- -a` and `~~a` are `a`.
            ExprKind::Unary { op: op @ (UnaryOp::Minus | UnaryOp::BitNot), operand } => match self.unit.tast[operand].kind {
                ExprKind::Unary { op: again, operand } if again == op && matches!(class, Class::Int { .. }) => self.variable_width(operand),
                _ => None,
            },
            ExprKind::Comma { rhs, .. } => self.variable_width(rhs),
            ExprKind::Cond { cond, then, otherwise } => match self.constant_number(cond)? {
                0 => self.variable_width(otherwise),
                _ => self.variable_width(then),
            },
            ExprKind::StmtExpr(stmt) => self.variable_width(self.only_expression(stmt)?),
            ExprKind::Binary { op, lhs, rhs } => {
                let neutral = match op {
                    BinaryOp::Add | BinaryOp::Sub | BinaryOp::BitOr | BinaryOp::BitXor | BinaryOp::Shl | BinaryOp::Shr => 0,
                    BinaryOp::Mul | BinaryOp::Div => 1,
                    BinaryOp::BitAnd if class.is_signed() => -1,
                    BinaryOp::BitAnd if width < 127 => (1 << width) - 1,
                    _ => return None,
                };
                let rest = match (self.constant_number(lhs), self.constant_number(rhs)) {
                    (_, Some(number)) if number == neutral => lhs,
                    (Some(number), _) if number == neutral && commutes(op) => rhs,
                    _ => return None,
                };
                matches!(class, Class::Int { .. }).then(|| self.variable_width(rest)).flatten()
            }
            _ => None,
        }
    }

    /// The number that an expression of constants is.
    pub(super) fn constant_number(&self, expr: ExprId) -> Option<i128> {
        match self.unit.tast[expr].kind {
            ExprKind::Const(id) => match self.unit.tast[id] {
                Const::Int(value) => Some(value),
                _ => None,
            },
            ExprKind::Unary { .. } | ExprKind::Binary { .. } | ExprKind::Convert { .. } | ExprKind::Cast(_) | ExprKind::Cond { .. } => {
                self.computed_number(expr)
            }
            _ => None,
        }
    }

    /// The expression of a block that has nothing else.
    pub(super) fn only_expression(&self, stmt: rucc_sema::StmtId) -> Option<ExprId> {
        let Stmt::Block(list) = self.unit.tast[stmt] else { return None };
        match self.unit.tast[list][..] {
            [only] => match self.unit.tast[only] {
                Stmt::Expr(expr) => Some(expr),
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether gcc computes the negation of an integer without one: `-(a + 9)` is `-9 - a`, `-~a` is `a + 1`.
    fn takes_negation(&self, operand: ExprId) -> bool {
        let class = self.class_of(operand);
        let Class::Int { width, signed } = class else { return false };
        let constant = |expr: ExprId| match self.unit.tast[expr].kind {
            ExprKind::Convert { kind: Conversion::Arithmetic, operand } => self.constant_number(operand).is_some(),
            _ => self.constant_number(expr).is_some(),
        };
        match self.unit.tast[operand].kind {
            ExprKind::Const(_) | ExprKind::Unary { op: UnaryOp::Minus | UnaryOp::BitNot, .. } => true,
            ExprKind::Binary { op, lhs, rhs } => match op {
                BinaryOp::Sub => true,
                BinaryOp::Add => signed && (constant(lhs) || constant(rhs)) || self.is_negation(lhs) || self.is_negation(rhs),
                BinaryOp::Mul => signed && (self.is_negation(lhs) || self.is_negation(rhs)),
                BinaryOp::Shr => signed && self.constant_number(rhs) == Some(i128::from(width) - 1),
                _ => false,
            },
            ExprKind::Cond { then, otherwise, .. } => constant(then) || constant(otherwise),
            ExprKind::Comma { rhs, .. } => self.takes_negation(rhs),
            _ => false,
        }
    }

    /// Whether the value is `-(a * 3)` or `-(a / 3)`, which is `a * -3` or `a / -3`: then nothing is left for an
    /// addition.
    fn negates_factor(&self, expr: ExprId) -> bool {
        let ExprKind::Unary { op: UnaryOp::Minus, operand } = self.unit.tast[expr].kind else { return false };
        let ExprKind::Binary { op: BinaryOp::Mul | BinaryOp::Div, lhs, rhs } = self.unit.tast[operand].kind else { return false };
        self.class_of(operand).is_signed() && (self.constant_number(lhs).is_some() || self.constant_number(rhs).is_some())
    }

    /// Whether a sum with this operand is a difference.
    fn is_subtracted(&self, expr: ExprId) -> bool {
        self.is_negation(expr) && !self.negates_factor(expr)
    }

    /// Whether a sum or difference has negations on both sides that gcc moves around further: `-a - b * 3` is
    /// `b * -3 - a`.
    pub(super) fn is_negated_twice(&self, op: BinaryOp, lhs: ExprId, rhs: ExprId) -> bool {
        let (left, right) = (self.is_negation(lhs), self.is_negation(rhs));
        let is_behind = |expr: ExprId| matches!(self.unit.tast[expr].kind, ExprKind::Comma { .. } | ExprKind::StmtExpr(_));
        let is_product = |expr: ExprId| match self.unit.tast[expr].kind {
            ExprKind::Binary { op: BinaryOp::Mul | BinaryOp::Div, lhs, rhs } => {
                self.constant_number(lhs).is_some() || self.constant_number(rhs).is_some()
            }
            _ => false,
        };
        match op {
            BinaryOp::Sub => left && !right && self.constant_number(rhs).is_none() && (self.takes_negation(rhs) || is_product(rhs)),
            BinaryOp::Add => left && right && (is_behind(lhs) || is_behind(rhs)),
            _ => false,
        }
    }

    /// Whether a sum or difference is one of two negations.
    pub(super) fn is_of_negations(&self, expr: ExprId) -> bool {
        match self.unit.tast[expr].kind {
            ExprKind::Binary { op: BinaryOp::Add | BinaryOp::Sub, lhs, rhs } => self.is_negation(lhs) && self.is_negation(rhs),
            ExprKind::Comma { rhs, .. } => self.is_of_negations(rhs),
            _ => false,
        }
    }

    /// Whether the value is `-x`, which an addition turns into a subtraction.
    fn is_negation(&self, expr: ExprId) -> bool {
        match self.unit.tast[expr].kind {
            ExprKind::Unary { op: UnaryOp::Minus, operand } => !self.takes_negation(operand),
            ExprKind::Convert { kind: Conversion::Arithmetic, operand } | ExprKind::Cast(operand) => {
                self.class_of(operand).width(self.pointer_width()) == self.class_of(expr).width(self.pointer_width())
                    && matches!((self.class_of(operand), self.class_of(expr)), (Class::Int { .. }, Class::Int { .. }))
                    && self.is_negation(operand)
            }
            ExprKind::Comma { rhs, .. } => self.is_negation(rhs),
            ExprKind::StmtExpr(stmt) => self.only_expression(stmt).is_some_and(|only| self.is_negation(only)),
            _ => false,
        }
    }

    pub(super) fn plain_assignment(&mut self, lhs: ExprId, rhs: ExprId) -> Value {
        if self.purity(lhs) == EFFECTS || self.purity(rhs) == EFFECTS {
            self.watch_order_of_assignment(lhs, rhs, false);
        }
        match self.unit.class(self.unit.tast[lhs].ty) {
            Class::Aggregate => self.aggregate_assignment(lhs, rhs),
            Class::Unsupported(what) => self.unsupported_value(what, Class::Void),
            _ => self.scalar_assignment(lhs, rhs),
        }
    }

    fn scalar_assignment(&mut self, lhs: ExprId, rhs: ExprId) -> Value {
        let ty = self.unit.tast[lhs].ty;
        if self.purity(lhs) != EFFECTS && (self.purity(rhs) != EFFECTS || matches!(self.unit.tast[lhs].kind, ExprKind::Decl(_))) {
            let place = self.place(lhs);
            if let Place::Register(variable) = place {
                self.value_into(rhs, variable);
                return Value::Scalar(self.read(variable));
            }
            let value = self.scalar(rhs);
            return Value::Scalar(self.write_place(place, ty, value));
        }
        self.note_order_of_assignment(lhs, rhs);
        let (place, value) = match self.last_step(lhs, rhs) {
            Last::Call { expr, callee, args } => {
                self.pointee = self.unit.pointee(ty).filter(|&to| self.unit.size_of(to).is_some_and(|size| size > 0));
                let mut call = self.prepare_call(expr, callee, args);
                self.keep_arguments(&mut call);
                let place = self.place(lhs);
                let place = self.keep(place);
                let value = match self.finish_call(call, None) {
                    Value::Scalar(value) => value,
                    _ => self.approximation(self.class_of(lhs).width(self.pointer_width()).unwrap_or(8), "a value of no type"),
                };
                (place, value)
            }
            Last::Load(from) => {
                let source = self.place(from);
                let source = self.keep(source);
                let place = self.place(lhs);
                (place, self.read_place(source, self.unit.tast[from].ty))
            }
            Last::Other(rhs) => {
                let value = self.scalar(rhs);
                let value = self.snapshot(value);
                (self.place(lhs), value)
            }
        };
        Value::Scalar(self.write_place(place, ty, value))
    }

    /// What of an assignment's value remains when its operands are there. Evaluates the left sides of commas.
    fn last_step(&mut self, lhs: ExprId, rhs: ExprId) -> Last {
        let mut expr = rhs;
        while let ExprKind::Comma { lhs, rhs } = self.unit.tast[expr].kind
            && !self.shared.contains_key(&expr.index())
        {
            if !self.hoisted.remove(&expr.index()) {
                self.discard(lhs);
            }
            expr = rhs;
        }
        // A conversion that changes nothing is none; there and back is no conversion either.
        let class = self.class_of(lhs);
        let mut core = expr;
        let mut commas = Vec::new();
        loop {
            core = match self.unit.tast[core].kind {
                // One inside of a block: its left side comes first here, too, whatever becomes of the rest.
                ExprKind::Comma { lhs, rhs } if !self.shared.contains_key(&core.index()) => {
                    if self.hoisted.insert(core.index()) {
                        self.discard(lhs);
                    }
                    commas.push(core.index());
                    rhs
                }
                ExprKind::Convert { kind: Conversion::Arithmetic | Conversion::Pointer, operand } | ExprKind::Cast(operand) => {
                    let width = |class: Class| class.width(self.pointer_width());
                    let words = matches!(self.class_of(operand), Class::Int { .. } | Class::Pointer);
                    if !words || width(self.class_of(core)) < width(class) {
                        return Last::Other(expr);
                    }
                    operand
                }
                ExprKind::StmtExpr(stmt) => match self.only_expression(stmt) {
                    Some(only) => only,
                    None => return Last::Other(expr),
                },
                ExprKind::Unary { op: UnaryOp::Plus, operand } => operand,
                _ => break,
            };
        }
        if self.class_of(core) != class || self.is_bit_field(lhs) {
            return Last::Other(expr);
        }
        let last = match self.unit.tast[core].kind {
            ExprKind::Call { callee, args } => Last::Call { expr: core, callee, args },
            ExprKind::Convert { kind: Conversion::Lvalue, operand } if !self.is_bit_field(operand) => Last::Load(operand),
            // The value of an assignment is what its variable then holds, read when it is needed.
            ExprKind::Assign { lhs: variable, .. } if matches!(self.unit.tast[variable].kind, ExprKind::Decl(_)) => {
                self.discard(core);
                Last::Load(variable)
            }
            _ => return Last::Other(expr),
        };
        for comma in commas {
            self.hoisted.remove(&comma);
        }
        last
    }

    fn is_bit_field(&self, place: ExprId) -> bool {
        let ExprKind::Member { base, field } = self.unit.tast[place].kind else { return false };
        let TypeKind::Record(id) = self.unit.kind(self.unit.tast[base].ty) else { return false };
        self.unit.types.record_info(id).fields.get(field as usize).is_some_and(|field| field.bits.is_some())
    }

    fn aggregate_assignment(&mut self, lhs: ExprId, rhs: ExprId) -> Value {
        let size = self.unit.size_of(self.unit.tast[lhs].ty).unwrap_or(0);
        self.note_order_of_assignment(lhs, rhs);
        let mut rhs = rhs;
        while let ExprKind::Comma { lhs, rhs: last } = self.unit.tast[rhs].kind {
            if !self.hoisted.remove(&rhs.index()) {
                self.discard(lhs);
            }
            rhs = last;
        }
        let destination = |body: &mut Self| match body.place(lhs) {
            Place::Memory(address) => body.snapshot(address),
            _ => body.word(0),
        };
        let (to, from) = match self.unit.tast[rhs].kind {
            ExprKind::Call { callee, args } => {
                let mut call = self.prepare_call(rhs, callee, args);
                if self.purity(lhs) == EFFECTS {
                    self.keep_arguments(&mut call);
                }
                let to = destination(self);
                (to, self.finish_call(call, None))
            }
            ExprKind::Cond { .. } | ExprKind::CompoundLiteral(_) if !self.unit.has_parts(self.unit.tast[lhs].ty) => {
                let to = destination(self);
                (to, self.value(rhs))
            }
            ExprKind::Convert { kind: Conversion::Lvalue, operand }
                if matches!(self.unit.tast[operand].kind, ExprKind::CompoundLiteral(_)) =>
            {
                let to = destination(self);
                (to, self.value(rhs))
            }
            _ => {
                let from = match self.value(rhs) {
                    Value::Aggregate(address) if self.purity(lhs) == EFFECTS => Value::Aggregate(self.snapshot(address)),
                    other => other,
                };
                (destination(self), from)
            }
        };
        if let Value::Aggregate(from) = from {
            self.copy(to, from, size);
        }
        Value::Aggregate(to)
    }
}

/// The last step of an assignment's value.
enum Last {
    Call {
        expr: ExprId,
        callee: ExprId,
        args: rucc_sema::ExprList,
    },
    /// A load from this place.
    Load(ExprId),
    Other(ExprId),
}

/// Whether gcc swaps the operands if that is better.
fn commutes(op: BinaryOp) -> bool {
    op.is_comparison() || matches!(op, BinaryOp::Add | BinaryOp::Mul | BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor)
}

/// Whether the low bits of the result depend on the low bits of the operands alone.
pub(super) fn cuts_operands(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor)
}
