//! Sliced prefixes and the preferences among them.

use crate::interpolation::assert_valid;
use crate::programs::{Make, straight};
use crate::refinement::{outcome_of, tracked};
use crate::toy::{ByName, ToyDomain, ToyFacts};
use assay_base::CancelToken;
use assay_cfa::Program;
use assay_cpa::CallStacks;
use assay_refine::cone::Reads;
use assay_refine::interpolate::{Context, interpolate};
use assay_refine::{InterpolationOptions, NoScores, Preference, RefineOptions, prefixes};

/// Three contradictions: a loop counter `i` early, a boolean `b` in the middle, two arithmetic variables `x` and `y` at
/// the end.
fn three() -> Program {
    let mut m = Make::new();
    let (b, i, x, y) = (m.local("b"), m.local("i"), m.local("x"), m.local("y"));
    m.set(x, 1);
    m.set(y, 2);
    m.set(i, 0);
    m.set(b, 1);
    m.assume_is(i, 5);
    m.assume_is(b, 0);
    m.set(b, 0);
    let sum = m.builder.terms.add(m.read(x), m.read(y));
    let condition = m.builder.terms.eq(sum, m.number(7));
    m.assume(condition);
    m.error();
    m.finish()
}

#[test]
fn all_prefixes_are_found_and_each_refutes() {
    let program = three();
    let stacks = CallStacks::new(None);
    let domain = ToyDomain::new(&program);
    let path = straight(&program, &stacks);
    let cancel = CancelToken::new();
    let options = InterpolationOptions::default();
    let context = Context { domain: &domain, facts: &ToyFacts, scores: &NoScores, options, values_alone: false, cancel: &cancel };
    let found = prefixes::extract(&context, &mut 0, &path, 10).expect("nobody stops it");
    let ends: Vec<usize> = found.iter().map(|prefix| prefix.len() - 1).collect();
    assert_eq!(ends, [4, 5, 7]);
    assert!(found[2].is_skipped(4) && found[2].is_skipped(5) && !found[2].is_skipped(7));
    for prefix in &found {
        let interpolants = interpolate(&context, &mut 0, prefix, &mut Reads::new(&program)).expect("nobody stops it");
        assert_valid(&domain, prefix, &interpolants.expect("it contradicts"), true);
    }
    assert_eq!(prefixes::extract(&context, &mut 0, &path, 2).expect("nobody stops it").len(), 2);
}

/// The variables that the first refinement of `three` tracks with this preference.
fn chosen(name: &str, seed: u64) -> String {
    let program = three();
    let domain = ToyDomain::new(&program);
    let preference = Preference::parse(name).unwrap_or_else(|| panic!("{name} is no preference"));
    let options = RefineOptions { preference, seed, ..Default::default() };
    let (outcome, precision) = outcome_of(&domain, &ByName(&program), options, Default::default());
    assert!(matches!(outcome, assay_base::Verdict::True(_)), "{outcome:?}");
    tracked(&program, &precision)
}

#[test]
fn preferences_choose_as_they_say() {
    let cases = [
        ("none", "i"),
        ("length-short", "i"),
        ("length-long", "x y"),
        ("domain-good-short", "b"),
        ("domain-good-long", "b"),
        ("domain-good-narrow-short", "b"),
        ("assignments-fewest-short", "i"),
        ("assignments-most-short", "b"),
        ("assignments-most-long", "x y"),
        ("assumptions-most-short", "x y"),
        ("assumptions-fewest-short", "i"),
        ("assumptions-fewest-long", "b"),
        ("pivot-shallow-short", "x y"),
        ("pivot-deep-short", "b"),
        ("width-narrow-short", "i"),
        ("width-narrow-long", "b"),
        ("width-wide-long", "x y"),
    ];
    for (name, expected) in cases {
        assert_eq!(chosen(name, 0), expected, "{name}");
    }
}

#[test]
fn random_choices_depend_on_the_seed_only() {
    let choices: Vec<String> = (0..20).map(|seed| chosen("random", seed)).collect();
    assert_eq!(choices, (0..20).map(|seed| chosen("random", seed)).collect::<Vec<_>>());
    for expected in ["i", "b", "x y"] {
        assert!(choices.iter().any(|choice| choice == expected), "{expected} is never chosen");
    }
}

#[test]
fn every_name_is_a_preference() {
    let names = Preference::names();
    assert_eq!(names.len(), 24);
    for name in &names {
        assert!(Preference::parse(name).is_some(), "{name}");
    }
    for wrong in ["", "short", "-short", "domain-good", "random-short", "none-long"] {
        assert_eq!(Preference::parse(wrong), None, "{wrong}");
    }
}
