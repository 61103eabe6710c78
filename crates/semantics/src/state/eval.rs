//! Evaluation of terms in a state.

use super::executor::{Executor, Semantics};
use super::object::Lifetime;
use super::state::State;
use super::value::{FreshOrigin, ObjectId, Value};
use crate::environment::{HIGHEST_REACH, LOWEST_OBJECT, last_address};
use assay_base::FastMap;
use assay_term::{Bits, Node, Op, Term, eval};

/// Terms of at most this tree size are walked without a memo table.
const SMALL: u16 = 4000;

impl Executor<'_> {
    /// The value of a term over the registers of the state. In symbolic mode a forgotten register gets a fresh value,
    /// which is why the state may change.
    pub fn eval<S: Semantics>(&self, semantics: &mut S, state: &mut State, term: Term) -> Value {
        let node = self.terms.node(term);
        if node.tree_size() <= SMALL {
            return self.eval_small(semantics, state, &node);
        }
        let mut memo: FastMap<Term, Value> = FastMap::default();
        let mut order = Vec::new();
        self.terms.post_order([term], |term, node| order.push((term, *node)));
        for (term, node) in order {
            let (operands, arity) = node.operands();
            let value = match node.op {
                Op::Const | Op::Symbol | Op::Address | Op::Apply => self.leaf(semantics, state, &node),
                _ => {
                    let values = [0, 1, 2].map(|i| if i < arity { memo[&operands[i]] } else { Value::Unknown });
                    self.combine(semantics, state, &node, &values[..arity])
                }
            };
            memo.insert(term, value);
        }
        memo[&term]
    }

    fn eval_small<S: Semantics>(&self, semantics: &mut S, state: &mut State, node: &Node) -> Value {
        let (operands, arity) = node.operands();
        match node.op {
            Op::Const | Op::Symbol | Op::Address | Op::Apply => return self.leaf(semantics, state, node),
            Op::And | Op::Or if node.width() == 1 => {
                // The second operand need not be looked at where the first decides.
                let first = self.eval_small(semantics, state, &self.terms.node(operands[0]));
                let decided = (node.op == Op::Or) as u64;
                if matches!(first, Value::Known { low, .. } if low == decided) {
                    return first;
                }
                let second = self.eval_small(semantics, state, &self.terms.node(operands[1]));
                return self.combine(semantics, state, node, &[first, second]);
            }
            Op::Ite => {
                let condition = self.eval_small(semantics, state, &self.terms.node(operands[0]));
                if let Value::Known { low, .. } = condition {
                    let chosen = operands[if low & 1 == 1 { 1 } else { 2 }];
                    return self.eval_small(semantics, state, &self.terms.node(chosen));
                }
                let then = self.eval_small(semantics, state, &self.terms.node(operands[1]));
                let otherwise = self.eval_small(semantics, state, &self.terms.node(operands[2]));
                return self.combine(semantics, state, node, &[condition, then, otherwise]);
            }
            _ => {}
        }
        let mut values = [Value::Unknown; 3];
        for i in 0..arity {
            values[i] = self.eval_small(semantics, state, &self.terms.node(operands[i]));
        }
        self.combine(semantics, state, node, &values[..arity])
    }

    fn leaf<S: Semantics>(&self, semantics: &mut S, state: &mut State, node: &Node) -> Value {
        match node.op {
            Op::Const => Value::number(node.width(), node.constant()),
            Op::Symbol => {
                let Some(variable) = self.program.variable_of(node.symbol()) else { return Value::Unknown };
                let value = state.get(self.program, variable);
                if value == Value::Unknown && semantics.symbolic() {
                    let fresh = semantics.fresh(self.terms, state, node.width(), FreshOrigin::Forgotten(variable));
                    state.set(self.program, variable, fresh);
                    return fresh;
                }
                value
            }
            Op::Address => {
                if let Some(variable) = self.program.variable_of(node.symbol()) {
                    return state.get(self.program, variable);
                }
                match self.program.function_of(node.symbol()) {
                    Some(function) => Value::Pointer { object: State::function_object(self.program, function), offset: 0 },
                    None => Value::Unknown,
                }
            }
            _ => Value::Unknown,
        }
    }

    /// One operator on values.
    pub(super) fn combine<S: Semantics>(&self, semantics: &mut S, state: &mut State, node: &Node, values: &[Value]) -> Value {
        let mut bits = [Bits::FALSE; 3];
        let mut all = true;
        for (slot, value) in bits.iter_mut().zip(values) {
            match value.as_bits() {
                Some(b) => *slot = b,
                None => all = false,
            }
        }
        if all {
            return eval::apply(node, &bits[..values.len()]).map_or(Value::Unknown, Value::known);
        }
        let width = node.width();
        // Results that one operand decides.
        if let [a, b] = values {
            for value in [a, b] {
                if let Some(k) = value.as_bits() {
                    match node.op {
                        Op::And | Op::Mul if k.is_zero() => return *value,
                        Op::Or if k.is_all_ones() => return *value,
                        _ => {}
                    }
                }
            }
        }
        if let Some(value) = self.low_bits(state, node, values).or_else(|| self.pointer_operation(state, node, values)) {
            return value;
        }
        if node.op == Op::Ite && values[1] == values[2] {
            return values[1];
        }
        if values.contains(&Value::Unknown) || values.iter().any(|v| matches!(v, Value::Within(_))) || width > 128 {
            return Value::Unknown;
        }
        // Everything else is a term; without symbols only what reduces to a constant or an address is kept.
        let mut operands = [Term(0); 3];
        for (slot, &value) in operands.iter_mut().zip(values) {
            match self.as_term(state, value) {
                Some(term) => *slot = term,
                None => return Value::Unknown,
            }
        }
        let term = self.terms.rebuild(node, &operands[..values.len()]);
        match self.normalise(state, term) {
            // Sums of addresses are kept: a difference of pointers into one object is a number in the end.
            Value::Term(_) if !semantics.symbolic() && !matches!(node.op, Op::Neg | Op::Add) => Value::Unknown,
            value => value,
        }
    }

    /// The value as a term. `None` where nothing is known of it.
    pub fn as_term(&self, state: &mut State, value: Value) -> Option<Term> {
        match value {
            Value::Unknown | Value::Within(_) => None,
            Value::Known { .. } => value.as_bits().map(|bits| self.terms.constant(bits)),
            Value::Pointer { object, offset } => {
                let base = state.base(self.terms, self.program, object);
                let offset = self.terms.number(self.program.model.pointer_width(), offset as u128);
                Some(self.terms.add(base, offset))
            }
            Value::Term(term) => Some(term),
        }
    }

    /// A term as a value: constants and plain addresses get their own forms back.
    pub fn normalise(&self, state: &State, term: Term) -> Value {
        let node = self.terms.node(term);
        match node.op {
            Op::Const => Value::number(node.width(), node.constant()),
            Op::Symbol => match state.object_of_base(term) {
                Some(object) => Value::Pointer { object, offset: 0 },
                None => Value::Term(term),
            },
            Op::Add => match (state.object_of_base(node.operand(0)), self.terms.as_constant(node.operand(1))) {
                (Some(object), Some(k)) => Value::Pointer { object, offset: k.value() as u64 },
                _ => Value::Term(term),
            },
            _ => Value::Term(term),
        }
    }

    /// Arithmetic and comparison of pointers, as far as objects decide it.
    /// The lowest bits of an address, as far as the alignment of its object gives them.
    fn low_bits(&self, state: &State, node: &Node, values: &[Value]) -> Option<Value> {
        let (object, offset, modulus, low) = match (node.op, values) {
            (Op::And, &[Value::Pointer { object, offset }, Value::Known { low, high: 0, .. }])
            | (Op::And, &[Value::Known { low, high: 0, .. }, Value::Pointer { object, offset }]) => {
                (object, offset & low, low.checked_add(1)?.checked_next_power_of_two()?, 0)
            }
            (Op::UnsignedRem, &[Value::Pointer { object, offset }, Value::Known { low, high: 0, .. }]) if low.is_power_of_two() => {
                (object, offset & (low - 1), low, 0)
            }
            (Op::SignedRem, &[Value::Pointer { object, offset }, Value::Known { low, high: 0, .. }])
                if low.is_power_of_two() && offset & (low - 1) == 0 =>
            {
                (object, 0, low, 0)
            }
            (Op::Extract, &[Value::Pointer { object, offset }]) => {
                let modulus = 1u64.checked_shl(node.low() + node.width())?;
                (object, offset & (modulus - 1), modulus, node.low())
            }
            _ => return None,
        };
        let name = state.object(object)?.name;
        (modulus <= name.alignment(self.program)).then(|| Value::number(node.width(), u128::from(offset >> low)))
    }

    fn pointer_operation(&self, state: &State, node: &Node, values: &[Value]) -> Option<Value> {
        let &[a, b] = values else { return None };
        let width = self.program.model.pointer_width();
        if node.op == Op::UnsignedLess
            && let Some(less) = self.ordered(state, a, b)
        {
            return Some(less);
        }
        match node.op {
            Op::Add => match (a, b) {
                (Value::Pointer { object, offset }, other) | (other, Value::Pointer { object, offset }) => match other {
                    Value::Known { low, .. } => {
                        let mask = Bits::mask(node.width()) as u64;
                        Some(Value::Pointer { object, offset: offset.wrapping_add(low) & mask })
                    }
                    Value::Unknown => Some(Value::Within(object)),
                    _ => None,
                },
                (Value::Within(object), Value::Known { .. } | Value::Unknown)
                | (Value::Known { .. } | Value::Unknown, Value::Within(object)) => Some(Value::Within(object)),
                _ => None,
            },
            Op::Eq => self.pointers_equal(state, a, b).map(|e| Value::known(Bits::from_bool(e))),
            Op::UnsignedLess => match (a, b) {
                // No object lies in the last page. (That none lies in the first one is not said here: there are models
                // of kernels in which pointers above 2012 are errors, and those that malloc gives are not.)
                (Value::Known { low: k, high: 0, .. }, Value::Pointer { object, offset }) => {
                    let above = k >= last_address(width) && self.offset_within(state, object, offset, true);
                    above.then(|| Value::known(Bits::FALSE))
                }
                (Value::Pointer { object, offset }, Value::Known { low: k, high: 0, .. }) => {
                    let below = k > last_address(width) && self.offset_within(state, object, offset, true);
                    below.then(|| Value::known(Bits::TRUE))
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// The order of two addresses of one object. It is that of their offsets, which may well lie outside of the object
    /// as long as they cannot wrap around: programs compare with `end - 16` of buffers that are shorter than that, and
    /// every machine has an answer.
    fn ordered(&self, state: &State, a: Value, b: Value) -> Option<Value> {
        let ((x, i), (y, j)) = (self.place_of(state, a)?, self.place_of(state, b)?);
        if x != y {
            return None;
        }
        let terms = self.terms;
        let (least, greatest) = self.reach_of(state, x);
        let near = |offset: Term| {
            let (low, high) = terms.signed_range(offset);
            least <= low && high <= greatest
        };
        if let (Value::Known { .. }, Value::Known { .. }) = (i, j) {
            let offset = |value: Value| value.as_bits().map(Bits::signed).filter(|offset| (least..=greatest).contains(offset));
            return Some(Value::known(Bits::from_bool(offset(i)? < offset(j)?)));
        }
        let term = |value: Value| match value {
            Value::Term(term) => Some(term),
            _ => value.as_bits().map(|bits| terms.constant(bits)),
        };
        let (i, j) = (term(i)?, term(j)?);
        (near(i) && near(j)).then(|| self.normalise(state, terms.slt(i, j)))
    }

    /// A pointer as object and offset.
    fn place_of(&self, state: &State, value: Value) -> Option<(ObjectId, Value)> {
        match value {
            Value::Pointer { object, offset } => Some((object, Value::number(self.program.model.pointer_width(), u128::from(offset)))),
            Value::Term(term) if self.terms.width(term) == self.program.model.pointer_width() => {
                let (object, offset) = self.split_address(state, term)?;
                Some((object, Value::Term(offset)))
            }
            _ => None,
        }
    }

    /// The offsets, read as signed numbers, whose addresses do not wrap around wherever the object lies.
    fn reach_of(&self, state: &State, object: ObjectId) -> (i128, i128) {
        let greatest = match (self.program.model.pointer_width(), state.object(object).map(|object| object.size)) {
            (64, _) => HIGHEST_REACH,
            (_, Some(Value::Known { low: size, .. })) => i128::from(size) + 4095,
            _ => 4095,
        };
        (-i128::from(LOWEST_OBJECT), greatest)
    }

    fn pointers_equal(&self, state: &State, a: Value, b: Value) -> Option<bool> {
        match (a, b) {
            (Value::Pointer { object: x, offset: i }, Value::Pointer { object: y, offset: j }) => {
                if x == y {
                    return Some(i == j);
                }
                // A dead object was alive together with all others that are there, unless something was made after its
                // end. (One that counts as alive may have such an end, too: `doubt_places`.)
                // Nothing on the heap is put where something else was, nor in reverse.
                let placed = |o| state.object(o).is_some_and(|object| !object.overlaid);
                let on_heap = |o| state.object(o).map(|object| object.lifetime == Lifetime::Heap);
                let apart = placed(x) && placed(y) || matches!((on_heap(x), on_heap(y)), (Some(a), Some(b)) if a != b);
                // Equal addresses would put the second object's start this far behind the first one's, and objects do
                // not overlap. (Comparing offsets with the objects one by one would not do: both may have been moved by
                // the same constant.)
                let shift = 64 - self.program.model.pointer_width();
                let distance = i128::from(((i.wrapping_sub(j) << shift) as i64) >> shift);
                let size = |o| match state.object(o).map(|object| object.size) {
                    Some(Value::Known { low, .. }) => i128::from(low).max(1),
                    _ => 1,
                };
                (apart && -size(y) < distance && distance < size(x)).then_some(false)
            }
            // `base + offset == k` is `base + (offset - k) == 0`, and no byte of an object, nor its end, is at null.
            (Value::Pointer { object, offset }, Value::Known { low, high: 0, .. })
            | (Value::Known { low, high: 0, .. }, Value::Pointer { object, offset }) => {
                let mask = Bits::mask(self.program.model.pointer_width()) as u64;
                self.offset_within(state, object, offset.wrapping_sub(low) & mask, true).then_some(false)
            }
            _ => None,
        }
    }

    /// Whether an offset surely lies in the object; with `end`, one past its last byte counts too. The start always
    /// does.
    fn offset_within(&self, state: &State, object: ObjectId, offset: u64, end: bool) -> bool {
        match state.object(object).map(|o| o.size) {
            Some(Value::Known { low: size, .. }) => offset < size || offset == 0 || end && offset == size,
            _ => offset == 0,
        }
    }
}
