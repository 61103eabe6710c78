//! The CPA algorithm: loops, calls, recursion, merge and stop variants, orders, limits.

use crate::programs::{self, Make};
use crate::toy::{Constants, Surroundings};
use assay_base::{Decision, ObstacleKind, StopReason, Verdict};
use assay_cfa::Program;
use assay_cpa::{
    Answer, Before, Cegar, CegarConfig, Domain, Exploration, ExploreConfig, Merge, Optional, Order, Product, Refinement, Refiner, Status,
    StopOperator, TargetKind, TargetPath, WaitOrder,
};

/// Believes every target.
struct Believer;

impl<D: Domain> Refiner<D> for Believer {
    type Evidence = usize;
    fn refine(&mut self, _: &mut D::Worker, path: &TargetPath<'_, '_, D>, _: &mut D::Precision) -> Decision<usize, Refinement> {
        Decision::Feasible(path.steps.len())
    }
}

fn explore(program: &Program, config: ExploreConfig, bound: Option<u32>) -> (Answer<usize>, u64, u64) {
    let domain = Constants::new(program);
    let surroundings = Surroundings::new(program, bound);
    let exploration = Exploration::new(surroundings.environment(), &domain, config, domain.initial_precision());
    let mut cegar = Cegar::new(exploration, CegarConfig::default());
    let outcome = cegar.run(&mut (), &mut Believer);
    (outcome, cegar.exploration.counters.states, cegar.exploration.counters.covered)
}

fn is_safe(outcome: &Answer<usize>) -> bool {
    matches!(outcome, Verdict::True(_))
}

#[test]
fn all_orders_agree_on_the_verdict() {
    let bases = [
        Order::Bfs,
        Order::Dfs,
        Order::ReversePostorder,
        Order::DistanceToError,
        Order::Random { seed: 1 },
        Order::Random { seed: 2 },
        Order::MostAbstract,
        Order::Alternating { stretch: 3 },
    ];
    let befores = [Before::Ignore, Before::DeeperFirst, Before::ShallowerFirst];
    let cases = [
        (programs::counting(10, 10), true),
        (programs::counting(10, 11), false),
        (programs::calls(7), true),
        (programs::calls(8), false),
        (programs::recursion(5), true),
        (programs::diamond(2), true),
    ];
    for (program, safe) in &cases {
        for base in bases {
            for calls in befores {
                for loops in befores {
                    for (keep_covered, cover_at_joins) in [(false, false), (true, false), (false, true), (true, true)] {
                        let order = WaitOrder { base, calls, loops };
                        let config = ExploreConfig { order, keep_covered, cover_at_joins, ..Default::default() };
                        let (outcome, ..) = explore(program, config, None);
                        assert_eq!(is_safe(&outcome), *safe, "{order:?}: {outcome:?}");
                        assert_eq!(matches!(outcome, Verdict::False(_)), !safe);
                    }
                }
            }
        }
    }
}

#[test]
fn merge_and_stop_decide_how_many_states_there_are() {
    let program = programs::diamond(2);
    let explore = |merge, stop, keep_covered| {
        let order = WaitOrder::plain(Order::ReversePostorder);
        let (outcome, states, covered) = explore(&program, ExploreConfig { merge, stop, order, keep_covered, ..Default::default() }, None);
        assert!(is_safe(&outcome), "{merge:?} {stop:?}: {outcome:?}");
        (states, covered)
    };
    let (sep, sep_covered) = explore(Merge::Sep, StopOperator::Sep, true);
    assert_eq!(sep_covered, 0, "x differs on the branches");
    let (join, _) = explore(Merge::Join, StopOperator::Sep, false);
    assert!(join < sep, "{join} < {sep}");
    let (agree, _) = explore(Merge::Agree, StopOperator::Sep, false);
    assert_eq!(join, agree);
    assert_eq!(explore(Merge::Sep, StopOperator::Join, true).0, sep);
    assert_eq!(explore(Merge::Sep, StopOperator::Never, true).0, sep);
    let same = programs::diamond(1);
    for (stop, covered) in [(StopOperator::Sep, 1), (StopOperator::Equality, 1), (StopOperator::Join, 1), (StopOperator::Never, 0)] {
        let config = ExploreConfig { stop, ..Default::default() };
        assert_eq!(self::explore(&same, config, None).2, covered, "{stop:?}");
    }
}

#[test]
fn a_joined_loop_reaches_its_fixpoint() {
    // Joined, x is unknown in the loop: the assertion cannot be proved, but the exploration ends.
    let program = programs::counting(1_000_000, 1_000_000);
    let config =
        ExploreConfig { merge: Merge::Join, keep_covered: false, order: WaitOrder::plain(Order::ReversePostorder), ..Default::default() };
    let (outcome, states, _) = explore(&program, config, None);
    assert!(matches!(outcome, Verdict::False(_)));
    assert!(states < 50, "{states}");
}

#[test]
fn a_bound_of_the_call_stack_cuts_and_says_so() {
    let program = programs::recursion(5);
    assert!(is_safe(&explore(&program, ExploreConfig::default(), Some(6)).0));
    let domain = Constants::new(&program);
    let surroundings = Surroundings::new(&program, Some(3));
    let exploration = Exploration::new(surroundings.environment(), &domain, ExploreConfig::default(), domain.initial_precision());
    let mut cegar = Cegar::new(exploration, CegarConfig::default());
    let outcome = cegar.run(&mut (), &mut Believer);
    assert_eq!(outcome.kind(), Some(ObstacleKind::Bound), "{outcome:?}");
    assert!(surroundings.ledger.lines().iter().any(|line| line.class == assay_base::AssumptionClass::Under));
    assert_eq!(cegar.exploration.counters.cut_calls, 1);
}

#[test]
fn the_path_to_a_target_goes_through_calls_and_returns() {
    let program = programs::calls(8);
    let domain = Constants::new(&program);
    let surroundings = Surroundings::new(&program, None);
    let mut exploration = Exploration::new(surroundings.environment(), &domain, ExploreConfig::default(), domain.initial_precision());
    exploration.start_program(&mut ());
    let Status::Target(target) = exploration.run(&mut ()) else { panic!("a target is there") };
    let path = exploration.arg.path_to(target);
    let returns = path.steps.iter().filter(|step| matches!(step, assay_cpa::ArgStep::Step(assay_cpa::Step::Return(_)))).count();
    assert_eq!((returns, path.len(), path.nodes.len()), (2, 10, 11));
    assert_eq!(path.end(), target);
}

#[test]
fn limits_and_cancellation_stop_and_the_run_can_go_on() {
    let program = programs::counting(100_000_000, 1);
    let domain = Constants::new(&program);
    let surroundings = Surroundings::new(&program, None);
    let config = ExploreConfig { max_states: Some(1000), ..Default::default() };
    let mut exploration = Exploration::new(surroundings.environment(), &domain, config, domain.initial_precision());
    exploration.start_program(&mut ());
    assert_eq!(exploration.run(&mut ()), Status::StateLimit(1000));
    exploration.config.max_states = Some(2000);
    assert!(matches!(exploration.run(&mut ()), Status::StateLimit(2000)));
    exploration.config.max_states = None;
    let started = std::time::Instant::now();
    let waited = std::thread::scope(|scope| {
        let token = surroundings.cancel.clone();
        let canceller = scope.spawn(move || {
            std::thread::sleep(std::time::Duration::from_millis(30));
            token.stop(StopReason::Interrupt);
            std::time::Instant::now()
        });
        assert_eq!(exploration.run(&mut ()), Status::Stopped(StopReason::Interrupt));
        let stopped = std::time::Instant::now();
        stopped.duration_since(canceller.join().expect("the canceller does not panic"))
    });
    assert!(waited.as_millis() < 100, "{waited:?} of {:?}", started.elapsed());
}

#[test]
fn precision_adjustment_can_break_off() {
    let program = programs::counting(10, 10);
    let mut domain = Constants::new(&program);
    domain.break_at = Some(4);
    let surroundings = Surroundings::new(&program, None);
    let exploration = Exploration::new(surroundings.environment(), &domain, ExploreConfig::default(), domain.initial_precision());
    let mut cegar = Cegar::new(exploration, CegarConfig::default());
    let outcome = cegar.run(&mut (), &mut Believer);
    assert_eq!(outcome, Verdict::Unknown(assay_base::Obstacle::imprecise("broken off: too large")));
}

#[test]
fn what_is_not_modelled_is_a_target_nobody_can_confirm() {
    let reached = programs::unsupported_behind(1);
    let (outcome, ..) = explore(&reached, ExploreConfig::default(), None);
    assert_eq!(outcome.kind(), Some(ObstacleKind::Unsupported), "{outcome:?}");
    let unreached = programs::unsupported_behind(2);
    assert!(is_safe(&explore(&unreached, ExploreConfig::default(), None).0));
}

#[test]
fn a_domain_can_mark_what_it_cannot_do() {
    let program = programs::counting(10, 10);
    let mut domain = Constants::new(&program);
    domain.unresolved_at = Some(4);
    let surroundings = Surroundings::new(&program, None);
    let exploration = Exploration::new(surroundings.environment(), &domain, ExploreConfig::default(), domain.initial_precision());
    let mut cegar = Cegar::new(exploration, CegarConfig::default());
    let outcome = cegar.run(&mut (), &mut Believer);
    assert_eq!(
        outcome,
        Verdict::Unknown(assay_base::Obstacle::of_targets(vec![assay_base::Obstacle::imprecise("a value that the toy cannot bear")])),
        "never true, and never false"
    );
    let (_, info) = cegar.exploration.arg.targets().next().expect("the target stays");
    assert!(matches!(info.kind, TargetKind::Open(_)));
}

#[test]
fn a_product_knows_what_its_components_know() {
    let program = programs::counting(5, 5);
    let product = Product::new(Constants::lazy(&program), Optional::new(true, || Constants::new(&program)));
    let surroundings = Surroundings::new(&program, None);
    let run = |product: &Product<Constants<'_>, Optional<Constants<'_>>>| {
        let precision = product.initial_precision();
        let exploration = Exploration::new(surroundings.environment(), product, ExploreConfig::default(), precision);
        Cegar::new(exploration, CegarConfig::default()).run(&mut product.worker(), &mut Believer)
    };
    assert!(is_safe(&run(&product)));
    let product = Product::new(Constants::lazy(&program), Optional::new(false, || Constants::new(&program)));
    assert!(!is_safe(&run(&product)));
}

#[test]
fn a_component_sleeps_until_it_is_woken() {
    let program = programs::counting(5, 5);
    let product = Product::new(Constants::lazy(&program), Optional::asleep(Constants::new(&program)));
    let surroundings = Surroundings::new(&program, None);
    let precision = product.initial_precision();
    let asleep = (precision.0.clone(), None);
    let awake = (precision.0.clone(), Some(Constants::new(&program).initial_precision()));
    assert!(precision.1.is_none());
    let mut worker = product.worker();
    let exploration = Exploration::new(surroundings.environment(), &product, ExploreConfig::default(), precision);
    let mut cegar = Cegar::new(exploration, CegarConfig::default());
    assert!(!is_safe(&cegar.run(&mut worker, &mut Believer)));
    for (precision, safe) in [(awake, true), (asleep, false)] {
        cegar.restart(&mut worker, precision);
        assert_eq!(is_safe(&cegar.run(&mut worker, &mut Believer)), safe);
        let known = cegar.exploration.arg.live().filter_map(|node| cegar.exploration.reached.get(node)).any(|state| state.1.is_some());
        assert_eq!(known, safe, "a sleeping component knows nothing");
    }
}

#[test]
fn looked_up_and_scanned_coverage_find_the_same() {
    for program in [programs::irrelevant_counter(1), programs::diamond(1), programs::counting(20, 20)] {
        let mut counts = Vec::new();
        for look_up in [false, true] {
            let mut domain = Constants::new(&program);
            domain.look_up = look_up;
            let surroundings = Surroundings::new(&program, None);
            let config = ExploreConfig { max_states: Some(500), order: WaitOrder::plain(Order::Bfs), ..Default::default() };
            let mut exploration = Exploration::new(surroundings.environment(), &domain, config, domain.initial_precision());
            exploration.start_program(&mut ());
            while let Status::Target(_) = exploration.run(&mut ()) {}
            counts.push(exploration.counters);
        }
        assert_eq!(counts[0], counts[1]);
    }
}

#[test]
fn an_empty_program_is_safe() {
    let mut m = Make::new();
    let main = m.function("main");
    m.jump(m.entry(main), m.exit(main));
    assert!(is_safe(&explore(&m.finish(main), ExploreConfig::default(), None).0));
}
