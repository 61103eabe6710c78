//! Interpolants are valid, small, and cheap to find.

use crate::programs::{Make, straight};
use crate::toy::{Item, Surroundings, Toy, ToyDomain, ToyFacts};
use assay_base::{CancelToken, Id, StopReason};
use assay_cfa::{EdgeId, Operation, Program};
use assay_cpa::{CallStacks, Domain, Forget, Head, PrecisionScope, StackId, Step, StrongestPost};
use assay_refine::cone::Reads;
use assay_refine::interpolate::{Context, interpolate};
use assay_refine::{ForgetOrder, Interpolants, InterpolationOptions, ItemFacts, NoScores, Path, Run, UnknownItems, prefixes};

pub(crate) struct Found {
    pub interpolants: Option<Interpolants<Toy, Item>>,
    pub posts: u64,
}

pub(crate) fn search<F: ItemFacts<Item>>(
    domain: &ToyDomain<'_>,
    path: &Path<'_>,
    facts: &F,
    options: InterpolationOptions,
    values_alone: bool,
) -> Found {
    let cancel = CancelToken::new();
    let context = Context { domain, facts, scores: &NoScores, options, values_alone, cancel: &cancel };
    let mut posts = 0;
    let found = prefixes::extract(&context, &mut posts, path, 1).expect("nobody stops it");
    let Some(prefix) = found.first() else { return Found { interpolants: None, posts } };
    let mut reads = Reads::new(path.program);
    let interpolants = interpolate(&context, &mut posts, prefix, &mut reads).expect("nobody stops it");
    Found { interpolants, posts }
}

pub(crate) fn items(domain: &ToyDomain<'_>, state: &Toy) -> Vec<Item> {
    let mut out = Vec::new();
    domain.remembered(state, &mut out);
    out
}

/// Every interpolant follows from the one before, holds after the prefix, and contradicts the suffix. Where it must be
/// minimal, it is so at the first visit of each location: what a precision tracks there anyway is not tested again.
pub(crate) fn assert_valid(domain: &ToyDomain<'_>, path: &Path<'_>, found: &Interpolants<Toy, Item>, minimal: bool) {
    let cancel = CancelToken::new();
    let worker = &mut 0;
    let mut full = Some(domain.initial(worker));
    let last = found.last_step();
    let path = &path.prefix(last);
    let mut visited = std::collections::BTreeSet::new();
    for position in 0..=last {
        let state = &found.states[position];
        assert_eq!(*found.items[position], *items(domain, state), "position {position}: the items are those of the state");
        let implied = full.as_ref().is_none_or(|full| domain.covers(worker, full, state));
        assert!(implied, "position {position}: the prefix implies the interpolant");
        let contradicts = |worker: &mut u64, state: &Toy| {
            matches!(path.run(domain, worker, position, state.clone(), &cancel), Ok(Run::Contradiction { .. }))
        };
        assert!(contradicts(worker, state), "position {position}: the interpolant contradicts the suffix");
        if visited.insert(path.head(position).location) && minimal {
            for item in items(domain, state) {
                let mut weaker = state.clone();
                domain.forget(worker, &mut weaker, &item);
                assert!(!contradicts(worker, &weaker), "position {position}: {item:?} is not needed");
            }
        }
        let step = path.movement(position);
        let next = if path.is_skipped(position) { Some(state.clone()) } else { domain.post(worker, state, &step) };
        if position == last {
            assert_eq!(next, None, "the last interpolant contradicts its step");
        } else {
            let next = next.expect("only the last step contradicts");
            assert!(domain.covers(worker, &next, &found.states[position + 1]), "position {position}: inductive");
            full = full.and_then(|full| path.post(domain, worker, &full, position));
        }
    }
}

/// The names of what the interpolants remember, position by position; `x!` is a constraint on x.
fn names(program: &Program, domain: &ToyDomain<'_>, found: &Interpolants<Toy, Item>) -> String {
    let name = |item: &Item| match item {
        Item::Value((_, v)) => program.variables[*v].source_name.clone(),
        Item::Constraint((_, v)) => format!("{}!", program.variables[*v].source_name),
    };
    let position = |state: &Toy| items(domain, state).iter().map(name).collect::<Vec<_>>().join(" ");
    found.states.iter().map(position).collect::<Vec<_>>().join(",")
}

fn check_options(program: &Program, constraints: bool, options: InterpolationOptions, values_alone: bool, expected: &str) {
    let stacks = CallStacks::new(None);
    let mut domain = ToyDomain::new(program);
    domain.constraints = constraints;
    let path = straight(program, &stacks);
    let found = search(&domain, &path, &ToyFacts, options, values_alone).interpolants.expect("the path contradicts");
    assert_valid(&domain, &path, &found, options.order != ForgetOrder::ValuesOnly && !values_alone);
    assert_eq!(names(program, &domain, &found), expected);
    if !values_alone {
        let blind = search(&domain, &path, &UnknownItems, options, values_alone).interpolants.expect("the path contradicts");
        assert_valid(&domain, &path, &blind, false);
    }
}

fn check(program: &Program, expected: &str) {
    check_options(program, false, InterpolationOptions::default(), false, expected);
}

#[test]
fn only_what_the_contradiction_needs_is_kept() {
    let mut m = Make::new();
    let (x, y, z) = (m.local("x"), m.local("y"), m.local("z"));
    m.set(x, 1);
    m.set(y, 2);
    m.set(z, 3);
    let more = m.plus(x, 4);
    m.assign(y, more);
    m.set(x, 9);
    m.assume_is(y, 6);
    m.error();
    check(&m.finish(), ",x,x,x,y,y");
}

#[test]
fn tests_teach_values() {
    let mut m = Make::new();
    let (x, y) = (m.local("x"), m.local("y"));
    m.havoc(x);
    m.set(y, 5);
    let same = m.builder.terms.eq(m.read(x), m.read(y));
    m.assume(same);
    m.assume_is_not(x, 5);
    m.error();
    check(&m.finish(), ",,y,x");
}

#[test]
fn the_initial_state_has_an_interpolant() {
    let mut m = Make::new();
    let (g, h) = (m.global("g"), m.global("h"));
    m.set(h, 5);
    m.assume_is(g, 3);
    m.error();
    check(&m.finish(), "g,g");
}

#[test]
fn arguments_and_results_carry_values() {
    let mut m = Make::new();
    let (x, y) = (m.local("x"), m.local("y"));
    let main = (m.function, m.at);
    let inc = m.other("inc");
    let (n, result) = (m.parameter("n"), m.result());
    let more = m.plus(n, 1);
    m.assign(result, more);
    m.leave();
    (m.function, m.at) = main;
    m.set(x, 5);
    m.set(y, 7);
    let argument = m.read(x);
    m.call(inc, vec![argument], Some(y));
    m.assume_is(y, 7);
    m.error();
    // The result register has no name in the source.
    check(&m.finish(), ",x,x,n,,,y");
}

#[test]
fn recursion_keeps_the_frames_apart() {
    let mut m = Make::new();
    let x = m.local("x");
    let main = (m.function, m.at);
    let down = m.other("down");
    let (n, result, k) = (m.parameter("n"), m.result(), m.local("k"));
    let (go_on, done) = (m.new_location(), m.new_location());
    let (positive, zero) = (m.not(m.is(n, 0)), m.is(n, 0));
    m.edge(go_on, Operation::Assume { condition: positive });
    m.edge(done, Operation::Assume { condition: zero });
    m.at = done;
    m.set(result, 7);
    m.leave();
    m.at = go_on;
    let (old, less) = (m.read(n), m.plus(n, u32::MAX));
    m.assign(k, old);
    m.call(down, vec![less], Some(result));
    let sum = m.builder.terms.add(m.read(result), m.read(k));
    m.assign(result, sum);
    m.leave();
    (m.function, m.at) = main;
    let two = m.number(2);
    m.call(down, vec![two], Some(x));
    m.assume_is(x, 11);
    m.error();
    let program = m.finish();
    // The first edges never end the recursion; the path that does is found by exploring.
    let surroundings = Surroundings::new(&program);
    let domain = ToyDomain::new(&program);
    let path = crate::refinement::first_path(&surroundings, &domain);
    let found = search(&domain, &path, &ToyFacts, InterpolationOptions::default(), false).interpolants.expect("it contradicts");
    assert_valid(&domain, &path, &found, true);
}

#[test]
fn constraints_or_values_go_first() {
    let mut m = Make::new();
    let (x, y) = (m.local("x"), m.local("y"));
    m.havoc(x);
    m.havoc(y);
    m.assume_is(y, 3);
    m.assume_is(x, 1);
    m.set(y, 4);
    m.assume_is_not(x, 1);
    m.error();
    let program = m.finish();
    let options = |order| InterpolationOptions { order, ..Default::default() };
    for order in [ForgetOrder::ConstraintsFirst, ForgetOrder::ValuesFirst, ForgetOrder::ValuesOnly] {
        check_options(&program, true, options(order), false, ",,,,x!,x!");
    }
}

#[test]
fn values_alone_may_contradict_later() {
    let mut m = Make::new();
    let (x, y) = (m.local("x"), m.local("y"));
    m.set(y, 4);
    m.havoc(x);
    m.assume_is(x, 1);
    m.assume_is_not(x, 1);
    m.assume_is(y, 5);
    m.error();
    let program = m.finish();
    check_options(&program, true, InterpolationOptions::default(), false, ",,,x!");
    check_options(&program, true, InterpolationOptions::default(), true, ",y,y,y,y");
    let mut domain = ToyDomain::new(&program);
    domain.constraints = true;
    let stacks = CallStacks::new(None);
    let path = straight(&program, &stacks).prefix(3);
    assert!(search(&domain, &path, &ToyFacts, InterpolationOptions::default(), true).interpolants.is_none());
}

#[test]
fn a_path_that_can_be_followed_has_none() {
    let mut m = Make::new();
    let x = m.local("x");
    m.set(x, 1);
    m.assume_is(x, 1);
    m.error();
    let program = m.finish();
    let stacks = CallStacks::new(None);
    let domain = ToyDomain::new(&program);
    assert!(search(&domain, &straight(&program, &stacks), &ToyFacts, InterpolationOptions::default(), false).interpolants.is_none());
}

/// A loop over `x` with a temporary and much that does not matter, as a straight program; it contradicts at its end.
fn unrolled(iterations: u32, globals: u32) -> Program {
    let mut m = Make::new();
    let (x, t, f) = (m.local("x"), m.local("t"), m.local("f"));
    let junk: Vec<_> = (0..globals).map(|i| m.global(&format!("g{i}"))).collect();
    m.set(x, 0);
    m.set(f, 1);
    for iteration in 0..iterations {
        let condition = m.less(x, iterations);
        m.assume(condition);
        let next = m.plus(x, 1);
        m.assign(t, next);
        let moved = m.read(t);
        m.assign(x, moved);
        m.set(junk[(iteration % globals) as usize], iteration);
        m.assume_is(f, 1);
    }
    let condition = m.less(x, iterations);
    m.assume(condition);
    m.error();
    m.finish()
}

/// The loop itself, and the path that iterates it; what does not matter is on it as often as what does.
fn looping(iterations: u32, globals: u32) -> (Program, Vec<Head>, Vec<Step>) {
    let mut m = Make::new();
    let (x, t, f) = (m.local("x"), m.local("t"), m.local("f"));
    let junk: Vec<_> = (0..globals).map(|i| m.global(&format!("g{i}"))).collect();
    m.set(x, 0);
    m.set(f, 1);
    let (head, first) = (m.at, m.builder.edges.len());
    let condition = m.less(x, iterations);
    m.assume(condition);
    let next = m.plus(x, 1);
    m.assign(t, next);
    let moved = m.read(t);
    m.assign(x, moved);
    for &global in &junk {
        let value = m.plus(global, 1);
        m.assign(global, value);
    }
    m.assume_is(f, 1);
    m.jump(head);
    let body: Vec<EdgeId> = (first..m.builder.edges.len()).map(EdgeId::from_index).collect();
    m.at = head;
    let condition = m.not(m.less(x, iterations));
    m.assume(condition);
    m.assume_is_not(x, iterations);
    m.error();
    let program = m.finish();
    let end = (body.len() + first..program.edges.len()).map(EdgeId::from_index);
    let edges = (0..first).map(EdgeId::from_index).chain((0..iterations).flat_map(|_| body.iter().copied())).chain(end);
    let steps: Vec<Step> = edges.map(Step::Edge).collect();
    let mut heads = vec![Head { location: program.functions[program.entry].entry, stack: StackId::EMPTY }];
    for step in &steps {
        let Step::Edge(edge) = step else { unreachable!("there are no calls") };
        heads.push(Head { location: program.edges[*edge].target, stack: StackId::EMPTY });
    }
    (program, heads, steps)
}

/// How many runs of the whole path the interpolation costs.
fn runs(domain: &ToyDomain<'_>, path: &Path<'_>, options: InterpolationOptions) -> u64 {
    let found = search(domain, path, &ToyFacts, options, false);
    let interpolants = found.interpolants.expect("it contradicts");
    assert_eq!(interpolants.last_step() + 2, path.len());
    let most = interpolants.states.iter().map(|state| items(domain, state).len()).max();
    assert_eq!(most, Some(1), "only x or t matters at a time");
    found.posts / path.len() as u64
}

#[test]
fn long_paths_cost_few_runs() {
    let scopes = [PrecisionScope::Global, PrecisionScope::Function, PrecisionScope::Location];
    let (program, heads, steps) = looping(300, 30);
    let path = Path::new(&program, heads, steps).expect("there are no blocks");
    let domain = ToyDomain::new(&program);
    for scope in scopes {
        let runs = runs(&domain, &path, InterpolationOptions { scope, ..Default::default() });
        assert!(runs < 16, "{scope:?}: {runs} runs");
    }
    // Where every location is passed once, each must be tested; the budget ends that.
    let program = unrolled(600, 50);
    let stacks = CallStacks::new(None);
    let (domain, path) = (ToyDomain::new(&program), straight(&program, &stacks));
    for scope in scopes {
        let options = InterpolationOptions { scope, max_posts: 30 * path.len() as u64, ..Default::default() };
        let runs = runs(&domain, &path, options);
        assert!(runs < 36, "{scope:?}: {runs} runs");
    }
}

#[test]
fn the_budget_only_costs_size() {
    let program = unrolled(50, 5);
    let stacks = CallStacks::new(None);
    let domain = ToyDomain::new(&program);
    let path = straight(&program, &stacks);
    for max_posts in [0, 300, 1000, 10_000] {
        for long_path in [0, 10_000] {
            let options = InterpolationOptions { max_posts, long_path, ..Default::default() };
            let found = search(&domain, &path, &ToyFacts, options, false).interpolants.expect("it contradicts");
            assert_valid(&domain, &path, &found, false);
        }
    }
}

#[test]
fn a_stop_is_obeyed() {
    let program = unrolled(50, 5);
    let stacks = CallStacks::new(None);
    let domain = ToyDomain::new(&program);
    let path = straight(&program, &stacks);
    let cancel = CancelToken::new();
    cancel.stop(StopReason::Time);
    let options = InterpolationOptions::default();
    let context = Context { domain: &domain, facts: &ToyFacts, scores: &NoScores, options, values_alone: false, cancel: &cancel };
    assert!(matches!(prefixes::extract(&context, &mut 0, &path, 1), Err(StopReason::Time)));
    assert!(matches!(interpolate(&context, &mut 0, &path, &mut Reads::new(&program)), Err(StopReason::Time)));
}
