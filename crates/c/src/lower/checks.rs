//! The marks of the further checks (`assay_cfa::checks`): what each of them asks about an expression. Where a check is
//! not asked for, the pass of properties takes its marks out again. Models of the library are not looked at.

use super::Class;
use super::body::Body;
use super::facts::{Global, direct_callee};
use super::walk::{Below, below_expr};
use assay_base::FastSet;
use assay_cfa::{CheckKind, Operation, Origin};
use assay_term::{Op, Term};
use rucc_ast::{BinaryOp, UnaryOp};
use rucc_sema::{Conversion, ExprId, ExprKind};
use rucc_types::{ArrayLen, TypeId, TypeKind};

/// A variable, or a member of one: its declaration and the numbers of the members that lead to it.
type Named = (Global, Vec<u32>);

/// Expressions of more nodes are not searched for side effects without an order.
const MOST_NODES: usize = 400;

/// Library functions whose result is the only word about a failure, as CERT's rule ERR33-C lists them, and those of
/// POSIX that are like them. Those that print are no part of it.
const MAY_FAIL: &str = "malloc calloc realloc aligned_alloc reallocarray strdup strndup posix_memalign fopen freopen fdopen \
    tmpfile tmpnam fread fwrite fgets scanf fscanf sscanf fseek fsetpos fgetpos ftell fclose fflush remove \
    rename setvbuf setlocale signal atexit at_quick_exit bsearch getenv strtol strtoll strtoul strtoull \
    strtod strtof strtold mktime strftime gmtime localtime mbtowc wctomb mbstowcs wcstombs thrd_create \
    mtx_init mtx_lock mtx_unlock cnd_init cnd_wait tss_create read write open close lseek dup dup2 pipe fork \
    chdir mkdir rmdir unlink socket bind listen accept connect send recv mmap munmap pthread_create \
    pthread_join pthread_mutex_init pthread_mutex_lock setuid setgid";

/// What an expression does to variables by their names, as far as it is certain to be done.
#[derive(Default)]
struct Effects {
    reads: FastSet<Named>,
    writes: FastSet<Named>,
    /// Writes that nothing orders before the value of the expression.
    last: FastSet<Named>,
    nodes: usize,
}

impl Effects {
    fn conflict(&self, other: &Effects) -> bool {
        let changes = |a: &Effects, b: &Effects| a.writes.iter().any(|named| b.reads.contains(named) || b.writes.contains(named));
        self.nodes.max(other.nodes) <= MOST_NODES && (changes(self, other) || changes(other, self))
    }
}

impl Body<'_, '_> {
    /// Marks a check of which the program goes on as if nothing were.
    pub(super) fn watch(&mut self, kind: CheckKind, fails: Term) {
        let fails = self.guard.map_or(fails, |guard| self.terms().and(guard, fails));
        if !self.unit.is_library && !self.terms().is_false(fails) {
            // Where it comes first in a statement, the edge after it is the one that says so.
            let (span, statement) = (self.span, self.statement.take());
            self.span = statement.unwrap_or(span);
            self.emit_as(Operation::Check { kind, fails }, Origin::Internal);
            (self.span, self.statement) = (span, statement);
        }
    }

    /// The length of an array: more than 0, and so that all elements have room.
    pub(super) fn watch_length(&mut self, length: Term, class: Class, element: TypeId) {
        let size = self.size_term(element);
        let (terms, pointer) = (self.terms(), self.pointer_width());
        let width = terms.width(length);
        let zero = terms.number(width, 0);
        let none = if class.is_signed() { terms.sle(length, zero) } else { terms.eq(length, zero) };
        let wide = 2 * pointer.max(width);
        let most = (1u128 << (pointer - 1)) - 1;
        let too_large = match terms.as_constant(size).map(|size| size.value()) {
            _ if width > pointer => terms.false_(),
            Some(0) => terms.false_(),
            Some(size) => {
                let length = terms.resize(length, pointer, class.is_signed());
                terms.ult(terms.number(pointer, most / size), length)
            }
            None => {
                let length = terms.zero_extend(terms.resize(length, pointer, class.is_signed()), wide);
                terms.ult(terms.number(wide, most), terms.mul(length, terms.zero_extend(size, wide)))
            }
        };
        let fails = terms.or(none, too_large);
        self.watch(CheckKind::ArraySize, fails);
    }

    /// The index of an array that is a part of an object; that of a whole object is a question of its memory. One
    /// behind the last element is good where nothing is accessed.
    pub(super) fn watch_index(&mut self, base: ExprId, index: Term, class: Class, accessed: bool) {
        let Some(count) = self.part_length(base) else { return };
        let (terms, pointer) = (self.terms(), self.pointer_width());
        let index = terms.resize(index, pointer.max(terms.width(index)), class.is_signed());
        let width = terms.width(index);
        let inside = terms.ult(index, terms.number(width, u128::from(count) + u128::from(!accessed)));
        let fails = terms.not(inside);
        self.watch(CheckKind::ElementIndex, fails);
    }

    /// How many elements an array has that is a member or an element of something. Members at the end that have none or
    /// one stand for as many as there is room for.
    fn part_length(&self, base: ExprId) -> Option<u64> {
        let ExprKind::Convert { kind: Conversion::ArrayDecay, operand } = self.unit.tast[base].kind else { return None };
        let TypeKind::Array { len: ArrayLen::Fixed(count), .. } = self.unit.kind(self.unit.tast[operand].ty) else { return None };
        let is_part = match self.unit.tast[operand].kind {
            ExprKind::Member { base, field } => match self.unit.kind(self.unit.tast[base].ty) {
                TypeKind::Record(id) => {
                    let fields = &self.unit.types.record_info(id).fields;
                    count > 1 || count == 1 && field as usize + 1 < fields.len()
                }
                _ => false,
            },
            ExprKind::Subscript { .. } | ExprKind::Unary { op: UnaryOp::Deref, .. } => true,
            _ => false,
        };
        is_part.then_some(count)
    }

    /// An access through a pointer to a type.
    pub(super) fn watch_alignment(&mut self, address: Term, ty: TypeId) {
        if !self.l.facts.alignment.may_be_missing() || matches!(self.unit.class(ty), Class::Void | Class::Function) {
            return;
        }
        let align = self.unit.align_of(ty);
        if align > 1 && align.is_power_of_two() {
            let terms = self.terms();
            let width = terms.width(address);
            let low = terms.and(address, terms.number(width, u128::from(align - 1)));
            let fails = terms.ne(low, terms.number(width, 0));
            self.watch(CheckKind::Misaligned, fails);
        }
    }

    /// The result of an operation on floats (or of the conversion of one).
    pub(super) fn watch_float(&mut self, operands: &[Term], result: Term) {
        let (all_finite, all_numbers) =
            operands.iter().fold((self.terms().true_(), self.terms().true_()), |(finite, numbers), &operand| {
                let (this, nan) = (self.is_finite(operand), self.is_nan(operand));
                (self.terms().and(finite, this), self.terms().and(numbers, self.terms().not(nan)))
            });
        let width = self.terms().width(result);
        let infinite = self.terms().eq(self.magnitude(result), self.infinity(width));
        let overflows = self.terms().and(all_finite, infinite);
        self.watch(CheckKind::FloatOverflow, overflows);
        let nan = self.is_nan(result);
        let fails = self.terms().and(all_numbers, nan);
        self.watch(CheckKind::NotANumber, fails);
    }

    /// An unsigned sum, difference or product.
    pub(super) fn watch_wrap(&mut self, op: BinaryOp, a: Term, b: Term) {
        let terms = self.terms();
        let width = terms.width(a);
        let fails = match op {
            BinaryOp::Add => terms.ult(terms.add(a, b), a),
            BinaryOp::Sub => terms.ult(a, b),
            BinaryOp::Mul if 2 * width <= 128 => {
                let exact = terms.mul(terms.zero_extend(a, 2 * width), terms.zero_extend(b, 2 * width));
                let high = terms.extract(exact, 2 * width - 1, width);
                terms.ne(high, terms.number(width, 0))
            }
            BinaryOp::Mul => {
                let back = terms.binary(Op::UnsignedDiv, terms.mul(a, b), a);
                terms.and(terms.ne(a, terms.number(width, 0)), terms.ne(back, b))
            }
            _ => return,
        };
        self.watch(CheckKind::UnsignedWrap, fails);
    }

    /// An implicit conversion between integers.
    pub(super) fn watch_conversion(&mut self, value: Term, from: Class, to: Class) {
        let (Class::Int { width: source, signed }, Class::Int { width, signed: becomes }) = (from, to) else { return };
        let terms = self.terms();
        let wide = source.max(width) + 1;
        if wide > 128 || terms.width(value) != source {
            return;
        }
        let exact = terms.resize(value, wide, signed);
        let changed = terms.resize(terms.resize(value, width, signed), wide, becomes);
        let fails = terms.ne(exact, changed);
        self.watch(CheckKind::LossyConversion, fails);
    }

    /// The call of a statement whose value is not used.
    pub(super) fn watch_result(&mut self, expr: ExprId) {
        let ExprKind::Call { callee, .. } = self.unit.tast[expr].kind else { return };
        let Some(id) = direct_callee(self.unit, callee) else { return };
        let (decl, ty) = (&self.unit.tast[id], self.unit.tast[expr].ty);
        let fails = decl.body.is_none() && self.unit.class(ty) != Class::Void;
        if fails && decl.name.is_some_and(|name| MAY_FAIL.split(' ').any(|one| one == self.unit.text(name))) {
            self.set_span(expr);
            let fails = self.terms().true_();
            self.watch(CheckKind::IgnoredResult, fails);
        }
    }

    /// Expressions between which there is no order.
    pub(super) fn watch_order(&mut self, exprs: &[ExprId]) {
        let effects: Vec<Effects> = exprs.iter().map(|&expr| self.effects(expr)).collect();
        let conflict = effects.iter().enumerate().any(|(at, one)| effects[..at].iter().any(|other| one.conflict(other)));
        self.unsequenced(conflict);
    }

    /// An assignment: its sides, and the variable itself. A compound one reads it, too.
    pub(super) fn watch_order_of_assignment(&mut self, lhs: ExprId, rhs: ExprId, compound: bool) {
        let (place, value) = (self.effects(lhs), self.effects(rhs));
        let again = self.named(lhs).is_some_and(|named| {
            value.nodes <= MOST_NODES && if compound { value.writes.contains(&named) } else { value.last.contains(&named) }
        });
        self.unsequenced(again || place.conflict(&value));
    }

    fn unsequenced(&mut self, conflict: bool) {
        if conflict {
            let fails = self.terms().true_();
            self.watch(CheckKind::Unsequenced, fails);
        }
    }

    fn effects(&self, expr: ExprId) -> Effects {
        let mut effects = Effects::default();
        self.collect_effects(expr, true, &mut effects);
        effects
    }

    fn collect_effects(&self, expr: ExprId, last: bool, effects: &mut Effects) {
        effects.nodes += 1;
        if effects.nodes > MOST_NODES {
            return;
        }
        let mut write = |place: ExprId| {
            if let Some(named) = self.named(place) {
                if last {
                    effects.last.insert(named.clone());
                }
                effects.writes.insert(named);
            }
        };
        match self.unit.tast[expr].kind {
            ExprKind::Convert { kind: Conversion::Lvalue, operand } => effects.reads.extend(self.named(operand)),
            ExprKind::Assign { lhs, .. } => write(lhs),
            ExprKind::Unary { op: UnaryOp::PreInc | UnaryOp::PreDec | UnaryOp::PostInc | UnaryOp::PostDec, operand } => write(operand),
            // What comes first is done before the rest; what is chosen may not be done.
            ExprKind::Comma { lhs, rhs } => {
                self.collect_effects(lhs, false, effects);
                return self.collect_effects(rhs, last, effects);
            }
            ExprKind::Cond { cond, .. } => return self.collect_effects(cond, false, effects),
            ExprKind::Binary { op: BinaryOp::LogAnd | BinaryOp::LogOr, lhs, .. } => return self.collect_effects(lhs, false, effects),
            _ => {}
        }
        let last = last && !matches!(self.unit.tast[expr].kind, ExprKind::Call { .. });
        below_expr(self.unit, expr, &mut |below| {
            if let Below::Expr(child) = below {
                self.collect_effects(child, last, effects);
            }
        });
    }

    /// A variable of scalar type, or a member of one.
    fn named(&self, place: ExprId) -> Option<Named> {
        if !self.class_of(place).is_scalar() {
            return None;
        }
        let (mut at, mut members) = (place, vec![]);
        loop {
            match self.unit.tast[at].kind {
                ExprKind::Decl(id) => return Some((Global::new(self.unit_index, id), members)),
                ExprKind::Member { base, field } => {
                    members.push(field);
                    at = base;
                }
                _ => return None,
            }
        }
    }
}
