//! Regions against all valuations of small universes.

use super::*;
use crate::predicate::predicates::split;
use assay_base::{CancelToken, FastSet};
use assay_cfa::structure::Structure;
use assay_cpa::{Domain, Head, Move, NoView, StackId, Step, Successors};
use assay_term::{Bits, Term, Terms};
use std::sync::Arc;

/// A loop whose body changes two registers of three bits.
const TEXT: &str = r#"program ILP32 main
function main entry L0 exit L4
  local main::x (register 3) void source "x"
  local main::y (register 3) void source "y"
  E0: L0 -> L1 skip
  E1: L1 -> L2 assume (<u main::x 5:3)
  E2: L2 -> L3 assign main::y (+ main::x main::y)
  E3: L3 -> L1 assume (<u main::y 6:3)
  E4: L1 -> L4 skip
end
"#;

fn predicates(terms: &Terms, x: Term, y: Term) -> Vec<Term> {
    let number = |value| terms.number(3, value);
    vec![
        terms.eq(x, number(2)),
        terms.ult(x, y),
        terms.eq(terms.and(y, number(1)), number(1)),
        terms.slt(terms.add(x, y), number(3)),
        terms.or(terms.eq(x, y), terms.eq(y, number(4))),
    ]
}

/// The values after one iteration of the loop, if it can be gone.
fn iteration(x: u128, y: u128) -> Option<(u128, u128)> {
    let next = (x + y) % 8;
    (x < 5 && next < 6).then_some((x, next))
}

#[test]
fn regions_are_exactly_what_all_valuations_say() {
    let program = assay_cfa::text::read(TEXT).expect("readable");
    let structure = Structure::new(&program);
    let terms = Arc::new(Terms::overlay(program.terms.clone()));
    let variable = |name: &str| program.variables.iter_ids().find(|(_, v)| v.name == name).expect("declared").0;
    let (x, y) = (variable("main::x"), variable("main::y"));
    let list = predicates(&terms, terms.symbol(x.symbol()), terms.symbol(y.symbol()));
    let holds = |term: Term, values: (u128, u128)| {
        let lookup = |symbol| if symbol == x.symbol() { values.0 } else { values.1 };
        let value = assay_term::eval::evaluate(&terms, term, &mut |node| Some(Bits::new(3, lookup(node.symbol()))));
        value.expect("a number").is_true()
    };
    let all = || (0..8u128).flat_map(|x| (0..8u128).map(move |y| (x, y)));
    for kind in [AbstractionKind::Boolean, AbstractionKind::Split, AbstractionKind::Cartesian] {
        let options = PredicateOptions { kind, splitting: Splitting::Whole, ..PredicateOptions::default() };
        let domain = PredicateDomain::new(&structure, terms.clone(), options, &CancelToken::default());
        let mut precision = PredicatePrecision::empty();
        let head = |location: usize| program.locations.ids().nth(location).expect("a location");
        for &term in &list {
            assert!(domain.track(&mut precision, head(1), term));
        }
        // A predicate and its opposite are one; the table says which of them is meant.
        let said: Vec<Term> = (0..list.len()).map(|i| domain.predicate(PredicateId(i as u16))).collect();
        let combination = |values| said.iter().map(|&term| holds(term, values)).collect::<Vec<bool>>();
        let first: FastSet<Vec<bool>> = all().map(combination).collect();
        // From every valuation whose combination is in the first region; that is all of them.
        let second: FastSet<Vec<bool>> = all().filter_map(|(x, y)| iteration(x, y)).map(combination).collect();
        let mut worker = domain.worker();
        let mut states = vec![domain.initial(&mut worker)];
        for (edge, expected) in [(0, Some(&first)), (1, None), (2, None), (3, Some(&second))] {
            let id = program.edges.ids().nth(edge).expect("an edge");
            let mut out = Successors::new();
            for state in &states {
                let [source, target] =
                    [program.edges[id].source, program.edges[id].target].map(|location| Head { location, stack: StackId::EMPTY });
                let step = Move { program: &program, step: Step::Edge(id), edge: &program.edges[id], source, target };
                domain.transfer(&mut worker, state, &precision, &step, &mut NoView, &mut out);
            }
            states = out.items.into_iter().map(|successor| successor.state).collect();
            let Some(expected) = expected else { continue };
            assert!(states.iter().all(PredicateState::is_abstraction));
            for bits in 0..1u32 << list.len() {
                let valuation: Vec<bool> = (0..list.len()).map(|i| bits >> i & 1 == 1).collect();
                let inside = states.iter().any(|state| {
                    let formula = (0..list.len())
                        .fold(state.at.region.clone(), |region, i| region.select(&[(PredicateId(i as u16).variable(), valuation[i])]));
                    !formula.is_false()
                });
                let possible = expected.contains(&valuation);
                assert!(inside || !possible, "{kind:?} loses {valuation:?}");
                assert!(possible || !inside || kind == AbstractionKind::Cartesian, "{kind:?} has {valuation:?} too much");
            }
        }
    }
}

#[test]
fn assertions_are_split_as_they_are_told() {
    let terms = Terms::new();
    let [a, b, c] = ["a", "b", "c"].map(|name| terms.named(name, assay_term::Sort::bv(8)));
    let either = terms.or(terms.ult(a, b), terms.eq(b, c));
    let both = terms.and(either, terms.not(terms.eq(a, c)));
    let count = |splitting| split(&terms, both, splitting).len();
    assert_eq!([Splitting::Whole, Splitting::Conjuncts, Splitting::Atoms].map(count), [1, 2, 3]);
}

/// Facts and predicates over two words of three bits with choices inside of arithmetic, against all valuations.
#[test]
fn combinations_by_diagrams_are_those_of_all_valuations() {
    let program = assay_cfa::text::read(TEXT).expect("readable");
    let structure = Structure::new(&program);
    let terms = Arc::new(Terms::overlay(program.terms.clone()));
    let domain = PredicateDomain::new(&structure, terms.clone(), PredicateOptions::default(), &CancelToken::default());
    let mut worker = domain.worker();
    let variable = |name: &str| program.variables.iter_ids().find(|(_, v)| v.name == name).expect("declared").0;
    let [x, y] = ["main::x", "main::y"].map(|name| variable(name).symbol());
    let mut random = assay_term::random::Random::new(5);
    let holds = |term: Term, values: (u128, u128)| {
        let lookup = |symbol| if symbol == x { values.0 } else { values.1 };
        assay_term::eval::evaluate(&terms, term, &mut |node| Some(Bits::new(3, lookup(node.symbol())))).expect("a number").is_true()
    };
    let (x, y) = (terms.symbol(x), terms.symbol(y));
    let word = |random: &mut assay_term::random::Random| {
        let number = |random: &mut assay_term::random::Random| terms.number(3, random.below(8) as u128);
        let [a, b] = [x, y].map(|word| if random.below(3) == 0 { number(random) } else { word });
        let condition = if random.below(2) == 0 { terms.ult(x, number(random)) } else { terms.eq(y, number(random)) };
        match random.below(4) {
            0 => terms.ite(condition, a, b),
            1 => terms.add(terms.ite(condition, a, number(random)), b),
            2 => terms.add(terms.zero_extend(condition, 3), a),
            _ => a,
        }
    };
    for iteration in 0..150 {
        let atom = |random: &mut assay_term::random::Random| {
            let (a, b) = (word(random), word(random));
            match random.below(3) {
                0 => terms.eq(a, b),
                1 => terms.slt(a, b),
                _ => terms.or(terms.ult(a, b), terms.not(terms.eq(x, b))),
            }
        };
        let mut facts: Vec<Term> = (0..random.below(3)).map(|_| atom(&mut random)).collect();
        let mut list: Vec<Term> = (0..4).map(|_| atom(&mut random)).collect();
        let mut precision = PredicatePrecision::empty();
        let location = program.locations.ids().next().expect("a location");
        // Numbers for as many variables as there are.
        for value in 0..4 {
            domain.track(&mut precision, location, terms.eq(x, terms.number(3, value)));
        }
        // Often from a region of them, behind which some are as they were.
        let diagrams = &domain.predicates.diagrams;
        let literal = |random: &mut assay_term::random::Random| {
            diagrams.mk_literal(PredicateId(random.below(4) as u16).variable(), random.below(2) == 0)
        };
        let region = (0..3).fold(diagrams.mk_false(), |all, _| all.or(&literal(&mut random).and(&literal(&mut random))));
        let from = (iteration % 3 > 0).then_some((&region, 1));
        if from.is_some() {
            facts.insert(0, domain.predicates.term(&terms, &region));
            let kept = random.below(4);
            list[kept] = terms.eq(x, terms.number(3, kept as u128));
        }
        let open: Vec<_> = list.iter().enumerate().map(|(i, &term)| (term, vec![(PredicateId(i as u16), i % 2 == 0)])).collect();
        let Some((region, count)) = domain.image(&mut worker, &facts, from, &open.iter().collect::<Vec<_>>()) else {
            panic!("{iteration} is too large");
        };
        let all = (0..8u128).flat_map(|x| (0..8u128).map(move |y| (x, y)));
        let possible: FastSet<Vec<bool>> = all
            .filter(|&values| facts.iter().all(|&fact| holds(fact, values)))
            .map(|values| list.iter().enumerate().map(|(i, &term)| holds(term, values) == (i % 2 == 0)).collect())
            .collect();
        assert_eq!(count, possible.len() as f64);
        for bits in 0..16u32 {
            let valuation: Vec<bool> = (0..4).map(|i| bits >> i & 1 == 1).collect();
            let rest = (0..4).fold(region.clone(), |region, i| region.select(&[(PredicateId(i as u16).variable(), valuation[i])]));
            assert_eq!(!rest.is_false(), possible.contains(&valuation), "{valuation:?} in iteration {iteration}");
        }
    }
}
