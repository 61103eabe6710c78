//! Equalities of words decided as equalities of polynomials modulo a power of two: distributivity, quotient times
//! divisor plus remainder, and mixes of sums with bitwise operators, all of which are hard for a SAT solver.

use assay_term::{Op, Term, Terms};
use std::collections::BTreeMap;

/// Products of atoms (sorted, with repetition) with their coefficients.
type Polynomial = BTreeMap<Vec<Term>, u128>;

/// Larger polynomials are given up.
const MAX_MONOMIALS: usize = 64;
const MAX_DEGREE: usize = 6;
const MAX_STEPS: usize = 400;

/// Whether two terms of one width are equal for all values, or different for all; `None` if neither is seen.
pub(crate) fn compare(terms: &Terms, a: Term, b: Term) -> Option<bool> {
    let width = terms.width(a);
    if terms.sort(a).is_array() || !(2..=128).contains(&width) {
        return None;
    }
    let mut expander = Expander { terms, mask: assay_term::Bits::mask(width), steps: 0 };
    let mut difference = expander.expand(a)?;
    let other = expander.expand(b)?;
    expander.add(&mut difference, &other, u128::MAX)?;
    match (difference.len(), difference.get(&Vec::new())) {
        (0, _) => Some(true),
        (1, Some(_)) => Some(false),
        _ => None,
    }
}

struct Expander<'a> {
    terms: &'a Terms,
    mask: u128,
    steps: usize,
}

impl Expander<'_> {
    /// `to += factor * from`; `None` when it grows too large.
    fn add(&self, to: &mut Polynomial, from: &Polynomial, factor: u128) -> Option<()> {
        for (monomial, &coefficient) in from {
            let slot = to.entry(monomial.clone()).or_default();
            *slot = slot.wrapping_add(coefficient.wrapping_mul(factor)) & self.mask;
            if *slot == 0 {
                to.remove(monomial);
            }
        }
        (to.len() <= MAX_MONOMIALS).then_some(())
    }

    fn multiply(&self, a: &Polynomial, b: &Polynomial) -> Option<Polynomial> {
        if a.len() * b.len() > 4 * MAX_MONOMIALS {
            return None;
        }
        let mut result = Polynomial::new();
        for (left, &x) in a {
            for (right, &y) in b {
                let mut monomial = left.clone();
                monomial.extend_from_slice(right);
                if monomial.len() > MAX_DEGREE {
                    return None;
                }
                monomial.sort_unstable();
                self.add(&mut result, &Polynomial::from([(monomial, x.wrapping_mul(y) & self.mask)]), 1)?;
            }
        }
        Some(result)
    }

    fn number(&self, value: u128) -> Polynomial {
        let value = value & self.mask;
        if value == 0 { Polynomial::new() } else { Polynomial::from([(Vec::new(), value)]) }
    }

    /// The polynomial of a term. The depth of the recursion is bounded by the number of steps.
    fn expand(&mut self, term: Term) -> Option<Polynomial> {
        self.steps += 1;
        if self.steps > MAX_STEPS {
            return None;
        }
        let node = self.terms.node(term);
        let mut result = Polynomial::new();
        match node.op {
            Op::Const => return Some(self.number(node.constant())),
            Op::Neg | Op::Not => {
                let inner = self.expand(node.operand(0))?;
                self.add(&mut result, &inner, u128::MAX)?;
                if node.op == Op::Not {
                    self.add(&mut result, &self.number(u128::MAX), 1)?;
                }
            }
            Op::Add => {
                for i in 0..2 {
                    let part = self.expand(node.operand(i))?;
                    self.add(&mut result, &part, 1)?;
                }
            }
            Op::Mul => {
                let (a, b) = (self.expand(node.operand(0))?, self.expand(node.operand(1))?);
                return self.multiply(&a, &b);
            }
            Op::ShiftLeft if self.terms.as_constant(node.operand(1)).is_some_and(|k| k.value() < node.width() as u128) => {
                let shift = self.terms.as_constant(node.operand(1)).map_or(0, |k| k.value());
                let inner = self.expand(node.operand(0))?;
                self.add(&mut result, &inner, 1 << shift)?;
            }
            // x | y = x + y - (x & y) and x ^ y = x + y - 2 (x & y).
            Op::Or | Op::Xor => {
                let (a, b) = (node.operand(0), node.operand(1));
                for part in [a, b] {
                    let part = self.expand(part)?;
                    self.add(&mut result, &part, 1)?;
                }
                let both = self.expand(self.terms.and(a, b))?;
                self.add(&mut result, &both, if node.op == Op::Or { u128::MAX } else { u128::MAX - 1 })?;
            }
            // The remainder is what the quotient leaves, by zero too.
            Op::UnsignedRem | Op::SignedRem => {
                let (a, b) = (node.operand(0), node.operand(1));
                let division = if node.op == Op::UnsignedRem { Op::UnsignedDiv } else { Op::SignedDiv };
                let quotient = self.expand(self.terms.binary(division, a, b))?;
                let divisor = self.expand(b)?;
                let product = self.multiply(&quotient, &divisor)?;
                let dividend = self.expand(a)?;
                self.add(&mut result, &dividend, 1)?;
                self.add(&mut result, &product, u128::MAX)?;
            }
            _ => {
                result.insert(vec![term], 1);
            }
        }
        Some(result)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use assay_term::random::{Generator, Random, Shape};
    use assay_term::{Bits, Sort, SymbolId, eval};

    #[test]
    fn identities_are_seen() {
        let t = Terms::new();
        let (x, y, z) = (t.named("x", Sort::bv(32)), t.named("y", Sort::bv(32)), t.named("z", Sort::bv(32)));
        let same = |a, b| assert_eq!(compare(&t, a, b), Some(true), "{} = {}", t.display(a), t.display(b));
        same(t.mul(x, t.add(y, z)), t.add(t.mul(x, y), t.mul(x, z)));
        let quotient = t.binary(Op::UnsignedDiv, x, y);
        same(t.add(t.mul(quotient, y), t.binary(Op::UnsignedRem, x, y)), x);
        same(t.add(t.xor(x, y), t.add(t.and(x, y), t.and(x, y))), t.add(x, y));
        assert_eq!(compare(&t, t.mul(x, y), t.mul(x, z)), None);
    }

    #[test]
    fn decided_equalities_agree_with_the_evaluator() {
        let t = Terms::new();
        let mut generator = Generator::new(&t, Shape { widths: vec![2, 3, 4, 8], floats: false, arrays: false }, 5);
        let symbols = generator.pool().len();
        let mut random = Random::new(6);
        let mut decided = 0;
        for _ in 0..3000 {
            generator.cut_to(symbols);
            for _ in 0..6 {
                generator.step();
            }
            let pairs: Vec<_> = generator.pool().to_vec();
            let a = random.pick(&pairs).plain;
            let b = random.pick(&pairs).simple;
            if t.sort(a) != t.sort(b) {
                continue;
            }
            let Some(answer) = compare(&t, a, b) else { continue };
            decided += 1;
            for _ in 0..20 {
                let values: Vec<Bits> =
                    (0..t.symbol_count()).map(|i| random.bits(t.symbol_info(SymbolId(i as u32)).sort.width())).collect();
                let value = |term| eval::evaluate(&t, term, &mut |n| Some(values[n.symbol().0 as usize]));
                assert_eq!(value(a) == value(b), answer, "{} and {}", t.display(a), t.display(b));
            }
        }
        assert!(decided > 50, "{decided}");
    }
}
