//! Which equalities between symbols and numbers, with differences, go together: found without a solver.

use assay_base::FastMap;
use assay_term::{Op, SymbolId, Term, Terms};

/// Words of fewer bits may have too few values to keep apart what need not be equal.
const FEWEST_BITS: u32 = 8;
const MOST_ATOMS: usize = 100;
/// More combinations are not listed.
const MOST: usize = 4_000;

/// A symbol, or zero of a width, by number.
type Thing = usize;

/// One thing and a number are the other and a number.
#[derive(Clone, Copy)]
struct Equality {
    sides: [(Thing, u128); 2],
    mask: u128,
}

/// All combinations of truth values that equalities can have; `None` where one of the terms is no such equality, and
/// where there are too many.
///
/// A combination is possible if those that hold do not contradict each other and imply none that does not: things that
/// are not connected can be kept apart, because there are fewer equalities than values.
pub(super) fn equalities(terms: &Terms, atoms: &[Term]) -> Option<Vec<Vec<bool>>> {
    if atoms.len() > MOST_ATOMS {
        return None;
    }
    let mut things: FastMap<(Option<SymbolId>, u32), Thing> = FastMap::default();
    let mut list = Vec::new();
    for &atom in atoms {
        let node = terms.node(atom);
        if node.op != Op::Eq || terms.sort(node.operand(0)).is_array() || terms.width(node.operand(0)) < FEWEST_BITS {
            return None;
        }
        let width = terms.width(node.operand(0));
        let mask = if width >= 128 { u128::MAX } else { (1 << width) - 1 };
        let mut sides = [(0, 0); 2];
        for (place, side) in sides.iter_mut().enumerate() {
            let (symbol, number) = parse(terms, node.operand(place))?;
            let next = things.len();
            *side = (*things.entry((symbol, width)).or_insert(next), number & mask);
        }
        list.push(Equality { sides, mask });
    }
    let start = Partial { roots: (0..things.len()).map(|thing| (thing, 0)).collect(), values: vec![] };
    let mut found = Vec::new();
    let mut work = vec![start];
    while let Some(partial) = work.pop() {
        if found.len() + work.len() > MOST {
            return None;
        }
        let Some(equality) = list.get(partial.values.len()) else {
            found.push(partial.values);
            continue;
        };
        match partial.holds(equality) {
            Some(value) => work.push(partial.with(value)),
            None => {
                work.extend(partial.joined(equality).with_all(&list));
                work.push(partial.with(false));
            }
        }
    }
    Some(found)
}

/// A symbol and what is added to it, or a number.
fn parse(terms: &Terms, term: Term) -> Option<(Option<SymbolId>, u128)> {
    let node = terms.node(term);
    let number = |term: Term| terms.as_constant(term).map(|bits| bits.value());
    let symbol = |term: Term| {
        let node = terms.node(term);
        (node.op == Op::Symbol).then(|| node.symbol())
    };
    match node.op {
        Op::Symbol => Some((Some(node.symbol()), 0)),
        Op::Const => Some((None, number(term)?)),
        Op::Add => {
            let [a, b] = [node.operand(0), node.operand(1)];
            match (symbol(a), number(b), number(a), symbol(b)) {
                (Some(symbol), Some(number), ..) | (.., Some(number), Some(symbol)) => Some((Some(symbol), number)),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Truth values of the first equalities.
#[derive(Clone)]
struct Partial {
    /// What each thing is: another one, its own root, and a number.
    roots: Vec<(Thing, u128)>,
    values: Vec<bool>,
}

impl Partial {
    /// Whether an equality holds, where that is decided.
    fn holds(&self, equality: &Equality) -> Option<bool> {
        let [(a, x), (b, y)] = equality.sides.map(|(thing, number)| {
            let (root, offset) = self.roots[thing];
            (root, offset.wrapping_add(number) & equality.mask)
        });
        (a == b).then_some(x == y)
    }

    fn with(mut self, value: bool) -> Partial {
        self.values.push(value);
        self
    }

    /// Where the equality holds too.
    fn joined(&self, equality: &Equality) -> Partial {
        let mut next = self.clone();
        let [(a, x), (b, y)] = equality.sides.map(|(thing, number)| {
            let (root, offset) = self.roots[thing];
            (root, offset.wrapping_add(number))
        });
        // a + x = b + y
        let difference = y.wrapping_sub(x);
        for (root, offset) in &mut next.roots {
            if *root == a {
                *root = b;
                *offset = offset.wrapping_add(difference) & equality.mask;
            }
        }
        next.with(true)
    }

    /// Itself, unless an equality that was taken not to hold does by now.
    fn with_all(self, list: &[Equality]) -> Option<Partial> {
        let fits = list.iter().zip(&self.values).all(|(equality, &value)| self.holds(equality).is_none_or(|holds| holds == value));
        fits.then_some(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use assay_base::CancelToken;
    use assay_smt::{Budget, Config, Solver};
    use assay_term::Sort;
    use assay_term::random::Random;
    use std::collections::BTreeSet;

    #[test]
    fn combinations_are_those_of_the_solver() {
        let terms = Terms::new();
        let words = ["x", "y", "z"].map(|name| terms.named(name, Sort::bv(8)));
        let mut random = Random::new(11);
        let mut solver = Solver::new(Config { chain: false, ..Config::default() });
        let budget = Budget::unlimited(&CancelToken::default());
        let mut compared = 0;
        for _ in 0..200 {
            let mut side = || {
                let number = terms.number(8, random.below(3) as u128);
                if random.below(4) == 0 { number } else { terms.add(words[random.below(3)], number) }
            };
            let atoms: Vec<Term> = (0..5).map(|_| terms.eq(side(), side())).filter(|&atom| terms.as_constant(atom).is_none()).collect();
            let Some(found) = equalities(&terms, &atoms) else { continue };
            let expected = solver.combinations(&terms, &[], &atoms, 1000, &budget);
            assert!(expected.complete);
            let sets = [found, expected.list].map(|list| list.into_iter().collect::<BTreeSet<Vec<bool>>>());
            assert_eq!(sets[0], sets[1], "{atoms:?}");
            compared += 1;
        }
        assert!(compared > 100, "only {compared} were equalities");
    }
}
