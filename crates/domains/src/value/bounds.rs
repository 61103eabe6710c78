//! Simplification of constraints: bounds of one term that others imply are not kept, and bounds that contradict each
//! other end the path without a solver.

use super::constraints::{Constraint, Constraints};
use assay_term::{Bits, Op, Term, Terms};

/// What became of a constraint that was to be added.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Insertion {
    /// It contradicts one that is there.
    Contradiction,
    /// One that is there implies it.
    Implied,
    Added,
}

/// The values that a constraint leaves to a term.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Allowed {
    /// From the first to the second, both included. Signed values are shifted, so that their order is that of the
    /// numbers.
    Range { signed: bool, low: u128, high: u128 },
    /// All but this one, read as unsigned.
    AllBut(u128),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Bound {
    subject: Term,
    width: u32,
    allowed: Allowed,
}

/// Reads `t < c`, `c < t`, `t == c` and their negations.
fn bound_of(terms: &Terms, constraint: Term) -> Option<Bound> {
    let mut node = terms.node(constraint);
    let mut holds = true;
    if node.op == Op::Not {
        holds = false;
        node = terms.node(node.operand(0));
    }
    if !matches!(node.op, Op::Eq | Op::UnsignedLess | Op::SignedLess) {
        return None;
    }
    let (a, b) = (node.operand(0), node.operand(1));
    let width = terms.width(a);
    if terms.sort(a).is_array() || width > Bits::MAX_WIDTH {
        return None;
    }
    let signed = node.op == Op::SignedLess;
    let last = Bits::mask(width);
    let shifted = |value: u128| if signed { value ^ (1 << (width - 1)) } else { value };
    let range = |subject, low, high| Some(Bound { subject, width, allowed: Allowed::Range { signed, low, high } });
    match (node.op, terms.as_constant(a), terms.as_constant(b)) {
        (Op::Eq, None, Some(value)) if holds => range(a, value.value(), value.value()),
        (Op::Eq, None, Some(value)) => Some(Bound { subject: a, width, allowed: Allowed::AllBut(value.value()) }),
        (Op::Eq, ..) => None,
        // Nothing is below the least value and above the greatest: the simplifier has decided those.
        (_, None, Some(limit)) if holds => range(a, 0, shifted(limit.value()).checked_sub(1)?),
        (_, None, Some(limit)) => range(a, shifted(limit.value()), last),
        (_, Some(limit), None) if holds => range(b, shifted(limit.value()).checked_add(1).filter(|&low| low <= last)?, last),
        (_, Some(limit), None) => range(b, 0, shifted(limit.value())),
        _ => None,
    }
}

impl Bound {
    /// The same in the other order, where it is one value.
    fn in_order(self, wanted: bool) -> Option<(u128, u128)> {
        match self.allowed {
            Allowed::Range { signed, low, high } if signed == wanted => Some((low, high)),
            Allowed::Range { low, high, .. } if low == high => {
                let other = low ^ (1 << (self.width - 1));
                Some((other, other))
            }
            _ => None,
        }
    }

    /// Whether the value, read as unsigned, is left.
    fn contains(self, value: u128) -> bool {
        match self.allowed {
            Allowed::Range { signed, low, high } => {
                let value = if signed { value ^ (1 << (self.width - 1)) } else { value };
                low <= value && value <= high
            }
            Allowed::AllBut(hole) => value != hole,
        }
    }

    /// Whether no value satisfies both.
    fn contradicts(self, other: Bound) -> bool {
        match (self.allowed, other.allowed) {
            (Allowed::Range { signed, low, high }, Allowed::Range { .. }) => {
                // Ranges of the two orders are compared only where one of them is a single value.
                let orders = [signed, !signed];
                let in_both = |order: bool| Some((self.in_order(order)?, other.in_order(order)?));
                debug_assert!(low <= high);
                orders.into_iter().filter_map(in_both).any(|((low, high), (from, to))| high < from || to < low)
            }
            (Allowed::Range { .. }, Allowed::AllBut(hole)) => self.is_only(hole),
            (Allowed::AllBut(hole), Allowed::Range { .. }) => other.is_only(hole),
            (Allowed::AllBut(_), Allowed::AllBut(_)) => false,
        }
    }

    fn is_only(self, value: u128) -> bool {
        matches!(self.allowed, Allowed::Range { low, high, .. } if low == high) && self.contains(value)
    }

    /// Whether every value that `self` leaves, the other leaves too.
    fn implies(self, other: Bound) -> bool {
        match (self.allowed, other.allowed) {
            (Allowed::Range { .. }, Allowed::Range { signed, low, high }) => {
                self.in_order(signed).is_some_and(|(from, to)| low <= from && to <= high)
            }
            (Allowed::Range { .. }, Allowed::AllBut(hole)) => !self.contains(hole),
            (Allowed::AllBut(a), Allowed::AllBut(b)) => a == b,
            (Allowed::AllBut(_), Allowed::Range { .. }) => false,
        }
    }
}

/// Adds a constraint, leaving out what is implied on either side.
pub(super) fn insert(terms: &Terms, constraints: &mut Constraints, new: Constraint) -> Insertion {
    let Some(bound) = bound_of(terms, new.term) else {
        constraints.push(new);
        return Insertion::Added;
    };
    let mut weaker = Vec::new();
    for old in constraints.iter() {
        let Some(known) = bound_of(terms, old.term).filter(|known| known.subject == bound.subject) else { continue };
        if known.contradicts(bound) {
            return Insertion::Contradiction;
        }
        if known.implies(bound) {
            return Insertion::Implied;
        }
        if bound.implies(known) {
            weaker.push(old.term);
        }
    }
    if !weaker.is_empty() {
        *constraints = constraints.filtered(|old| !weaker.contains(&old.term));
    }
    constraints.push(new);
    Insertion::Added
}

#[cfg(test)]
mod tests {
    use super::*;
    use assay_cfa::EdgeId;
    use assay_term::Sort;

    /// Every pair of bounds of a term of three bits, against all eight values.
    #[test]
    fn bounds_are_decided_as_their_values_say() {
        let terms = Terms::new();
        let x = terms.named("in!0!3", Sort::bv(3));
        let number = |value: u128| terms.number(3, value);
        let mut atoms = Vec::new();
        for value in 0..8 {
            for atom in [terms.ult(x, number(value)), terms.ult(number(value), x), terms.slt(x, number(value)), terms.slt(number(value), x)]
            {
                atoms.extend([atom, terms.not(atom)]);
            }
            atoms.extend([terms.eq(x, number(value)), terms.ne(x, number(value))]);
        }
        atoms.retain(|&atom| terms.as_constant(atom).is_none());
        atoms.sort();
        atoms.dedup();
        let symbol = terms.node(x).symbol();
        let values = |atom: Term| -> Vec<bool> {
            (0..8)
                .map(|value| {
                    let constant = number(value);
                    let decided =
                        terms.substitute(atom, &mut |node| (node.op == Op::Symbol && node.symbol() == symbol).then_some(constant));
                    terms.is_true(decided)
                })
                .collect()
        };
        assert!(atoms.iter().filter(|&&atom| bound_of(&terms, atom).is_some()).count() > 20);
        let origin = EdgeId(0);
        for &first in &atoms {
            for &second in &atoms {
                let mut constraints = Constraints::default();
                constraints.push(Constraint { term: first, origin });
                let result = insert(&terms, &mut constraints, Constraint { term: second, origin });
                let (a, b) = (values(first), values(second));
                let both: Vec<bool> = a.iter().zip(&b).map(|(x, y)| *x && *y).collect();
                let what = format!("{} and {}", terms.display(first), terms.display(second));
                match result {
                    Insertion::Contradiction => assert!(both.iter().all(|x| !x), "{what}"),
                    Insertion::Implied => assert_eq!(both, a, "{what}"),
                    Insertion::Added => {
                        let kept =
                            constraints.iter().fold(vec![true; 8], |all, c| all.iter().zip(values(c.term)).map(|(x, y)| *x && y).collect());
                        assert_eq!(kept, both, "{what}");
                    }
                }
            }
        }
    }
}
