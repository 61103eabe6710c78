//! Terms as case distinctions: under which codes of the tracked registers a term has which value. What depends on
//! something that is not tracked is unknown. Cases do not depend on a state, so each term is taken apart once.

use super::domain::BddDomain;
use assay_base::FastMap;
use assay_term::{Bits, Node, Op, Term, eval};
use biodivine_lib_bdd::Bdd;
use std::sync::Arc;

/// Distinctions of more cases than this are not made.
const MOST_CASES: usize = 1024;
/// Terms of more nodes than this are unknown.
const LARGEST: usize = 20_000;

/// A value as far as it is known.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum CaseValue {
    Known(Bits),
    /// A value that no constant of the class has; equal codes mean equal values where the class says so.
    Other {
        class: usize,
        code: u32,
    },
    Unknown,
}

/// Values with the conditions under which they hold. The conditions exclude each other and leave nothing out.
#[derive(Clone, Debug)]
pub(super) struct Cases {
    pub list: Vec<(CaseValue, Bdd)>,
}

impl Cases {
    fn one(value: CaseValue, always: Bdd) -> Cases {
        Cases { list: vec![(value, always)] }
    }
    /// Where the value may be one that satisfies the condition.
    pub(super) fn may_be(&self, never: Bdd, wanted: impl Fn(CaseValue) -> bool) -> Bdd {
        self.list.iter().filter(|(value, _)| wanted(*value)).fold(never, |all, (_, guard)| all.or(guard))
    }
    /// Where a truth value may be this one.
    pub(super) fn may_hold(&self, never: Bdd, truth: bool) -> Bdd {
        self.may_be(never, |value| match value {
            CaseValue::Known(bits) => bits.is_true() == truth,
            _ => true,
        })
    }
    pub(super) fn is_unknown(&self) -> bool {
        matches!(self.list.as_slice(), [(CaseValue::Unknown, _)])
    }
    pub(super) fn can_be_unknown(&self) -> bool {
        self.list.iter().any(|(value, _)| *value == CaseValue::Unknown)
    }
}

/// Cases of terms that were taken apart before.
pub(super) type Memo = FastMap<Term, Arc<Cases>>;

impl BddDomain<'_> {
    /// The cases of a term.
    pub(super) fn cases(&self, memo: &mut Memo, term: Term) -> Arc<Cases> {
        if let Some(known) = memo.get(&term) {
            return known.clone();
        }
        let mut order = Vec::new();
        self.terms.post_order([term], |term, node| order.push((term, *node)));
        let unknown = || Arc::new(Cases::one(CaseValue::Unknown, self.encoding.set.mk_true()));
        if order.len() > LARGEST {
            memo.insert(term, unknown());
            return unknown();
        }
        for (term, node) in order {
            if memo.contains_key(&term) {
                continue;
            }
            let (operands, arity) = node.operands();
            let cases = match node.op {
                _ if node.sort.is_array() || node.width() > Bits::MAX_WIDTH => unknown(),
                Op::Const => Arc::new(Cases::one(CaseValue::Known(Bits::new(node.width(), node.constant())), self.encoding.set.mk_true())),
                Op::Symbol => self.register_cases(&node).map_or_else(unknown, Arc::new),
                _ if arity == 0 => unknown(),
                Op::Eq => self.equality(memo, &node).map_or_else(unknown, Arc::new),
                _ => self.combine(memo, &node, &operands[..arity]).map_or_else(unknown, Arc::new),
            };
            memo.insert(term, cases);
        }
        memo.get(&term).cloned().unwrap_or_else(unknown)
    }

    fn register_cases(&self, node: &Node) -> Option<Cases> {
        let variable = self.program.variable_of(node.symbol())?;
        let index = self.encoding.class(variable)?;
        let class = &self.encoding.classes[index];
        let value = |code| match class.value_of(code) {
            Some(value) => CaseValue::Known(Bits::new(class.width, value)),
            None => CaseValue::Other { class: index, code },
        };
        Some(Cases { list: (0..class.codes()).map(|code| (value(code), self.encoding.has_code(variable, code))).collect() })
    }

    /// Equality of two registers of one class is equality of their bits, that with a constant a single code; other
    /// comparisons go case by case.
    fn equality(&self, memo: &Memo, node: &Node) -> Option<Cases> {
        let register = |term: Term| {
            let node = self.terms.node(term);
            if node.op == Op::Symbol { self.program.variable_of(node.symbol()) } else { None }
        };
        if let (Some(a), Some(b)) = (register(node.operand(0)), register(node.operand(1)))
            && let (Some(class), Some(other)) = (self.encoding.class(a), self.encoding.class(b))
            && class == other
            && self.encoding.classes[class].identity
        {
            let same = self.encoding.same_code(a, b);
            let different = same.not();
            return Some(Cases { list: vec![(CaseValue::Known(Bits::TRUE), same), (CaseValue::Known(Bits::FALSE), different)] });
        }
        for (this, other) in [(0, 1), (1, 0)] {
            if let (Some(register), Some(constant)) = (register(node.operand(this)), self.terms.as_constant(node.operand(other)))
                && let Some(class) = self.encoding.class(register)
                && let Some(code) = self.encoding.classes[class].code_of(constant.value())
            {
                let here = self.encoding.has_code(register, code);
                let elsewhere = here.not();
                return Some(Cases { list: vec![(CaseValue::Known(Bits::TRUE), here), (CaseValue::Known(Bits::FALSE), elsewhere)] });
            }
        }
        self.combine(memo, node, &[node.operand(0), node.operand(1)])
    }

    /// All combinations of the operands' cases; those of equal results are put together.
    fn combine(&self, memo: &Memo, node: &Node, operands: &[Term]) -> Option<Cases> {
        let parts: Vec<&Cases> = operands.iter().map(|t| memo.get(t).map(|c| &**c)).collect::<Option<_>>()?;
        let count = parts.iter().map(|p| p.list.len()).try_fold(1usize, |n, len| n.checked_mul(len))?;
        if count > MOST_CASES || parts.iter().all(|p| p.is_unknown()) {
            return None;
        }
        let mut list: Vec<(CaseValue, Bdd)> = Vec::new();
        let mut places: FastMap<CaseValue, usize> = FastMap::default();
        let mut chosen: Vec<(Vec<CaseValue>, Bdd)> = vec![(vec![], self.encoding.set.mk_true())];
        for part in &parts {
            let mut longer = Vec::with_capacity(chosen.len() * part.list.len());
            for (values, guard) in &chosen {
                for (value, when) in &part.list {
                    let both = if guard.is_true() { when.clone() } else { guard.and(when) };
                    if !both.is_false() {
                        longer.push((values.iter().copied().chain([*value]).collect(), both));
                    }
                }
            }
            chosen = longer;
        }
        for (values, guard) in chosen {
            let value = self.apply(node, &values);
            match places.get(&value) {
                Some(&place) => list[place].1 = list[place].1.or(&guard),
                None => {
                    places.insert(value, list.len());
                    list.push((value, guard));
                }
            }
        }
        Some(Cases { list })
    }

    /// One operator on values.
    fn apply(&self, node: &Node, values: &[CaseValue]) -> CaseValue {
        use CaseValue::{Known, Other, Unknown};
        let mut bits = [Bits::FALSE; 3];
        let mut all = true;
        for (slot, value) in bits.iter_mut().zip(values) {
            match value {
                Known(b) => *slot = *b,
                _ => all = false,
            }
        }
        if all {
            return eval::apply(node, &bits[..values.len()]).map_or(Unknown, Known);
        }
        match (node.op, values) {
            (Op::Ite, [Known(c), a, b]) => {
                if c.is_true() {
                    *a
                } else {
                    *b
                }
            }
            (Op::Ite, [_, a, b]) if a == b && self.is_identity(*a) => *a,
            (Op::And, [Known(k), _] | [_, Known(k)]) if k.is_zero() => Known(*k),
            (Op::Or, [Known(k), _] | [_, Known(k)]) if k.is_all_ones() => Known(*k),
            (Op::Eq, [Known(k), Other { class, .. }] | [Other { class, .. }, Known(k)]) => {
                if self.encoding.classes[*class].code_of(k.value()).is_some() { Known(Bits::FALSE) } else { Unknown }
            }
            (Op::Eq, [Other { class: a, code: x }, Other { class: b, code: y }]) if a == b && self.encoding.classes[*a].identity => {
                Known(Bits::from_bool(x == y))
            }
            _ => Unknown,
        }
    }

    /// Whether two equal case values are equal values.
    fn is_identity(&self, value: CaseValue) -> bool {
        match value {
            CaseValue::Known(_) => true,
            CaseValue::Other { class, .. } => self.encoding.classes[class].identity,
            CaseValue::Unknown => false,
        }
    }
}
