//! The refiner in the loop: verdicts, delegation, checks of paths.

use crate::programs::Make;
use crate::toy::{Item, Says, Surroundings, ToyDomain, ToyFacts};
use assay_base::{Decision, Verdict};
use assay_cfa::{Operation, Program};
use assay_cpa::{Answer, Cegar, CegarConfig, Domain, Exploration, ExploreConfig, PrecisionScope, Restart, ScopedPrecision, Status};
use assay_refine::refiner::RefineCounters;
use assay_refine::{DomainRefiner, InterpolationOptions, ItemFacts, NoScores, Path, RefineOptions, Scores};
use std::cell::Cell;

type Run = (Answer<usize>, ScopedPrecision<Item>);

pub(crate) fn run_with(
    domain: &ToyDomain<'_>,
    scores: &dyn Scores,
    options: RefineOptions,
    config: CegarConfig,
    says: Says,
) -> (Run, RefineCounters, u64) {
    run_knowing(domain, &ToyFacts, scores, options, config, says)
}

pub(crate) fn run_knowing<F: ItemFacts<Item>>(
    domain: &ToyDomain<'_>,
    facts: &F,
    scores: &dyn Scores,
    options: RefineOptions,
    config: CegarConfig,
    says: Says,
) -> (Run, RefineCounters, u64) {
    let surroundings = Surroundings::new(domain.program);
    let explore = ExploreConfig { max_states: Some(100_000), ..Default::default() };
    let exploration = Exploration::new(surroundings.environment(), domain, explore, domain.initial_precision());
    let mut cegar = Cegar::new(exploration, config);
    let mut refiner = DomainRefiner::new(options, facts, scores, says);
    let outcome = cegar.run(&mut 0, &mut refiner);
    ((outcome, cegar.exploration.precision.clone()), refiner.counters, cegar.counters.refinements)
}

pub(crate) fn outcome_of(domain: &ToyDomain<'_>, scores: &dyn Scores, options: RefineOptions, config: CegarConfig) -> Run {
    run_with(domain, scores, options, config, Says::confirmed()).0
}

/// The names of what a precision tracks, sorted; `x!` is a constraint on x.
pub(crate) fn tracked(program: &Program, precision: &ScopedPrecision<Item>) -> String {
    let name = |item: &Item| match item {
        Item::Value((_, v)) => program.variables[*v].source_name.clone(),
        Item::Constraint((_, v)) => format!("{}!", program.variables[*v].source_name),
    };
    let mut names: Vec<String> = precision.items().map(name).collect();
    names.sort();
    names.dedup();
    names.join(" ")
}

/// The path to the first target that an exploration without any precision finds and that is not over calls which never
/// return.
pub(crate) fn first_path<'a>(surroundings: &'a Surroundings<'a>, domain: &ToyDomain<'_>) -> Path<'a> {
    let mut exploration = Exploration::new(surroundings.environment(), domain, ExploreConfig::default(), ScopedPrecision::everything());
    exploration.start_program(&mut 0);
    let status = exploration.run(&mut 0);
    // Followed with everything tracked, the last step is refuted; the path to it is that of the last node, and one step
    // more.
    assert_eq!(status, Status::Exhausted);
    let last = exploration.arg.live().last().expect("there are nodes");
    let path = exploration.arg.path_to(last);
    let mut heads: Vec<_> = path.nodes.iter().map(|&node| exploration.arg.head(node)).collect();
    let mut steps = path.program_steps().expect("there are no blocks");
    let head = heads[heads.len() - 1];
    let program = surroundings.program;
    let edge = program.locations[head.location].outgoing[0];
    steps.push(assay_cpa::Step::Edge(edge));
    heads.push(assay_cpa::Head { location: program.edges[edge].target, stack: head.stack });
    Path::new(program, heads, steps).expect("places and steps match")
}

/// `flag = 1; i = 0; while (nondet) i++; assert(flag == expected)`.
fn irrelevant_counter(expected: u32) -> Program {
    let mut m = Make::new();
    let (flag, i, choice) = (m.local("flag"), m.local("i"), m.local("choice"));
    m.set(flag, 1);
    m.set(i, 0);
    let head = m.at;
    m.havoc(choice);
    let (inside, after) = (m.new_location(), m.new_location());
    let (yes, no) = (m.is(choice, 0), m.not(m.is(choice, 0)));
    m.edge(after, Operation::Assume { condition: yes });
    m.edge(inside, Operation::Assume { condition: no });
    m.at = inside;
    let next = m.plus(i, 1);
    m.assign(i, next);
    m.jump(head);
    m.at = after;
    let good = m.is(flag, expected);
    m.assert(good);
    m.leave();
    m.finish()
}

/// `x = 0; while (x < bound) x++; assert(x == expected)`.
fn counting(bound: u32, expected: u32) -> Program {
    let mut m = Make::new();
    let x = m.local("x");
    m.set(x, 0);
    let head = m.at;
    let (inside, after) = (m.new_location(), m.new_location());
    let (yes, no) = (m.less(x, bound), m.not(m.less(x, bound)));
    m.edge(inside, Operation::Assume { condition: yes });
    m.edge(after, Operation::Assume { condition: no });
    m.at = inside;
    let next = m.plus(x, 1);
    m.assign(x, next);
    m.jump(head);
    m.at = after;
    let good = m.is(x, expected);
    m.assert(good);
    m.leave();
    m.finish()
}

/// A global counter that a function raises; `assert(g == expected)` after three calls.
fn global_counter(expected: u32) -> Program {
    let mut m = Make::new();
    let (g, h) = (m.global("g"), m.global("h"));
    let main = (m.function, m.at);
    let raise = m.other("raise");
    let (n, next) = (m.parameter("n"), m.builder.terms.add(m.read(g), m.number(1)));
    m.assign(g, next);
    let again = m.read(n);
    m.assign(h, again);
    m.leave();
    (m.function, m.at) = main;
    for value in 0..3 {
        let argument = m.number(value);
        m.call(raise, vec![argument], None);
    }
    let good = m.is(g, expected);
    m.assert(good);
    m.leave();
    m.finish()
}

#[test]
fn every_scope_and_restart_gives_the_verdict() {
    let cases = [
        (irrelevant_counter(1), true, "flag"),
        (irrelevant_counter(2), false, ""),
        (counting(6, 6), true, "x"),
        (counting(6, 7), false, "x"),
        (global_counter(3), true, "g"),
        (global_counter(4), false, ""),
    ];
    for (index, (program, safe, names)) in cases.iter().enumerate() {
        for scope in [PrecisionScope::Location, PrecisionScope::Function, PrecisionScope::Global] {
            for restart in [Restart::Root, Restart::Pivot, Restart::CommonAncestor] {
                for long_path in [0, 400] {
                    let domain = ToyDomain::new(program);
                    let interpolation = InterpolationOptions { scope, long_path, ..Default::default() };
                    let options = RefineOptions { interpolation, ..Default::default() };
                    let config = CegarConfig { restart, ..Default::default() };
                    let (outcome, precision) = outcome_of(&domain, &NoScores, options, config);
                    let what = format!("case {index}, {scope:?}, {restart:?}: {outcome:?}");
                    assert_eq!(matches!(outcome, Verdict::True(_)), *safe, "{what}");
                    assert_eq!(matches!(outcome, Verdict::False(_)), !*safe, "{what}");
                    assert_eq!(tracked(program, &precision), *names, "{what}");
                }
            }
        }
    }
}

#[test]
fn one_refinement_excludes_the_path() {
    let program = irrelevant_counter(1);
    let domain = ToyDomain::new(&program);
    let (run, counters, refinements) = run_with(&domain, &NoScores, RefineOptions::default(), CegarConfig::default(), Says::confirmed());
    assert!(matches!(run.0, Verdict::True(_)));
    // The second path goes through the loop: at its locations the flag must be tracked, too.
    assert!(refinements <= 2, "{refinements}");
    assert_eq!((counters.widened, counters.checked, counters.refuted), (0, 0, refinements));
}

/// `y = 4; x = nondet; if (x == 1) if (x != 1) error; assert(y == 4)`, with values or constraints for `x`.
fn two_ways() -> Program {
    let mut m = Make::new();
    let (x, y) = (m.local("x"), m.local("y"));
    m.set(y, 4);
    m.havoc(x);
    m.assume_is(x, 1);
    m.assume_is_not(x, 1);
    m.assume_is(y, 5);
    m.error();
    m.finish()
}

#[test]
fn delegation_prefers_values() {
    let program = two_ways();
    let mut domain = ToyDomain::new(&program);
    domain.constraints = true;
    for (delegate_to_values, names) in [(false, "x!"), (true, "y")] {
        let options = RefineOptions { delegate_to_values, ..Default::default() };
        let (outcome, precision) = outcome_of(&domain, &NoScores, options, CegarConfig::default());
        assert!(matches!(outcome, Verdict::True(_)), "{outcome:?}");
        assert_eq!(tracked(&program, &precision), names);
    }
    // Where values do not suffice, constraints are used.
    let mut m = Make::new();
    let x = m.local("x");
    m.havoc(x);
    m.assume_is(x, 1);
    m.assume_is_not(x, 1);
    m.error();
    let program = m.finish();
    let mut domain = ToyDomain::new(&program);
    domain.constraints = true;
    let options = RefineOptions { delegate_to_values: true, ..Default::default() };
    let (run, counters, _) = run_with(&domain, &NoScores, options, CegarConfig::default(), Says::confirmed());
    assert!(matches!(run.0, Verdict::True(_)), "{:?}", run.0);
    assert_eq!(tracked(&program, &run.1), "x!");
    assert_eq!((counters.refuted, counters.refuted_by_values), (1, 0));
}

#[test]
fn what_the_domain_cannot_refute_is_checked() {
    let program = irrelevant_counter(2);
    let domain = ToyDomain::new(&program);
    let run = |answer| {
        let says = Says(answer, Cell::new(0));
        let config = CegarConfig { max_unresolved: 1, ..Default::default() };
        run_with(&domain, &NoScores, RefineOptions::default(), config, says).0.0
    };
    assert!(matches!(run(Decision::Feasible(3)), Verdict::False(violation) if violation.evidence == 3));
    let unknown = run(Decision::Open(assay_base::Obstacle::solver("too hard")));
    assert_eq!(unknown, Verdict::Unknown(assay_base::Obstacle::of_targets(vec![assay_base::Obstacle::solver("too hard")])));
    let Verdict::Unknown(obstacle) = run(Decision::Infeasible(vec![1, 4])) else {
        panic!("an infeasible path is no violation, and no proof either")
    };
    assert!(obstacle.text.contains("infeasible"), "{obstacle:?}");
}

#[test]
fn a_precision_that_cannot_follow_is_noticed() {
    // The interpolants need `y`, which cannot be tracked; tracking all else on the path does not help, and the loop
    // says so.
    let program = two_ways();
    let mut domain = ToyDomain::new(&program);
    domain.untrackable = program.functions[program.entry].locals.get(1).copied();
    domain.constraints = true;
    let options = RefineOptions { delegate_to_values: true, ..Default::default() };
    let (run, counters, _) = run_with(&domain, &NoScores, options.clone(), CegarConfig::default(), Says::confirmed());
    // The constraint on `x` is on the path, too, and refutes it.
    assert!(matches!(run.0, Verdict::True(_)), "{:?}", run.0);
    assert_eq!(counters.widened, 1);
    assert_eq!(tracked(&program, &run.1), "x!");
    domain.constraints = false;
    domain.untrackable = program.functions[program.entry].locals.first().copied();
    let (run, counters, _) = run_with(&domain, &NoScores, options, CegarConfig::default(), Says::confirmed());
    assert!(run.0.is_unknown(), "{:?}", run.0);
    assert!(counters.widened >= 1);
}
