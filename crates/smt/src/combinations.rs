//! Which combinations of truth values a conjunction allows: the question of predicate abstraction, without a query for
//! each.

use crate::answer::Budget;
use crate::engine::Limits;
use crate::solver::Solver;
use assay_term::{Term, Terms};
use std::time::Instant;

/// The values of some truth values (in their order) in models of a conjunction.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Combinations {
    /// Each once.
    pub list: Vec<Vec<bool>>,
    /// Whether there are no others.
    pub complete: bool,
}

impl Solver {
    /// Finds at most `most` combinations of the atoms in models of the constraints. Nothing is checked by evaluation:
    /// that a combination is possible is the engine's word. Incomplete where the small engine gives up, and with
    /// another back end.
    pub fn combinations(&mut self, terms: &Terms, constraints: &[Term], atoms: &[Term], most: usize, budget: &Budget) -> Combinations {
        let Some(engine) = self.engine_of(terms) else { return Combinations::default() };
        let begin = Instant::now();
        let found = engine.combinations(terms, constraints, atoms, most, &mut Limits::of(budget));
        let result = found.map_or_else(|_| Combinations::default(), |found| Combinations { list: found.list, complete: found.complete });
        self.count_combinations(&result, begin.elapsed());
        result
    }

    /// Places of the constraints, and then of the atoms, in parts that share no symbol.
    pub fn independent(&mut self, terms: &Terms, constraints: &[Term], atoms: &[Term]) -> Vec<Vec<usize>> {
        let all: Vec<Term> = constraints.iter().chain(atoms).copied().collect();
        self.splitter_of(terms).split(terms, &all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::Config;
    use assay_base::CancelToken;
    use assay_term::random::Random;
    use assay_term::{Bits, Op, Sort, eval};
    use std::collections::BTreeSet;

    /// Conjunctions and atoms over two words of three bits, asked one after the other in one solver, against all
    /// valuations.
    #[test]
    fn combinations_are_those_of_all_valuations() {
        let terms = Terms::new();
        let (x, y) = (terms.named("x", Sort::bv(3)), terms.named("y", Sort::bv(3)));
        let mut random = Random::new(7);
        let mut solver = Solver::new(Config { chain: false, ..Config::default() });
        let budget = Budget::unlimited(&CancelToken::default());
        let atom = |random: &mut Random| {
            let words = [x, y, terms.add(x, y), terms.mul(x, y), terms.number(3, random.below(8) as u128)];
            let [a, b] = [random.below(5), random.below(5)].map(|index| words[index]);
            match random.below(4) {
                0 => terms.eq(a, b),
                1 => terms.ult(a, b),
                2 => terms.or(terms.eq(a, x), terms.slt(y, b)),
                _ => terms.extract(terms.binary(Op::Xor, a, b), 1, 1),
            }
        };
        for _ in 0..300 {
            let facts: Vec<Term> = (0..random.below(4)).map(|_| atom(&mut random)).collect();
            let atoms: Vec<Term> = (0..random.below(5)).map(|_| atom(&mut random)).collect();
            let found = solver.combinations(&terms, &facts, &atoms, 100, &budget);
            let mut expected = BTreeSet::new();
            for value in 0..64u128 {
                let mut lookup = |node: &assay_term::Node| {
                    let value = if Some(node.symbol()) == terms.find_symbol("x") { value & 7 } else { value >> 3 };
                    Some(Bits::new(3, value))
                };
                let mut holds = |term: Term| eval::evaluate(&terms, term, &mut lookup).is_some_and(|bits| bits.is_true());
                if facts.iter().all(|&fact| holds(fact)) {
                    expected.insert(atoms.iter().map(|&atom| holds(atom)).collect::<Vec<bool>>());
                }
            }
            assert!(found.complete);
            let list: BTreeSet<Vec<bool>> = found.list.iter().cloned().collect();
            assert_eq!(list.len(), found.list.len(), "a combination came twice");
            assert_eq!(list, expected);
            assert_eq!(solver.check(&terms, &facts, &budget).is_unsat(), expected.is_empty());
        }
    }
}
