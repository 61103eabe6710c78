//! The CEGAR loop with a toy refiner.

use crate::programs;
use crate::random::Random;
use crate::toy::{Constants, Surroundings, ToyRefiner};
use assay_base::{Decision, ObstacleKind, StopReason, Verdict};
use assay_cfa::Program;
use assay_cpa::cegar::{CegarError, validate};
use assay_cpa::{
    Answer, Cegar, CegarConfig, Domain, Exploration, ExploreConfig, Merge, Order, PrecisionScope, Refinement, Refiner, Restart, TargetPath,
    WaitOrder,
};

const SCOPES: [PrecisionScope; 3] = [PrecisionScope::Location, PrecisionScope::Function, PrecisionScope::Global];
const RESTARTS: [Restart; 3] = [Restart::Root, Restart::Pivot, Restart::CommonAncestor];

struct Run {
    outcome: Answer<usize>,
    refinements: u64,
    live: usize,
}

fn run(program: &Program, refiner: &mut ToyRefiner, restart: Restart, order: Order) -> Run {
    run_with(program, refiner, restart, order, true)
}

fn run_with(program: &Program, refiner: &mut ToyRefiner, restart: Restart, order: Order, keep_covered: bool) -> Run {
    let domain = Constants::lazy(program);
    let surroundings = Surroundings::new(program, None);
    let config = ExploreConfig { order: WaitOrder::plain(order), max_states: Some(100_000), keep_covered, ..Default::default() };
    let exploration = Exploration::new(surroundings.environment(), &domain, config, domain.initial_precision());
    let mut cegar = Cegar::new(exploration, CegarConfig { restart, ..Default::default() });
    let outcome = cegar.run(&mut (), refiner);
    Run { outcome, refinements: cegar.counters.refinements, live: cegar.exploration.arg.live_len() }
}

#[test]
fn every_restart_and_scope_gives_the_verdict() {
    let cases = [
        (programs::irrelevant_counter(1), true),
        (programs::irrelevant_counter(2), false),
        (programs::counting(6, 6), true),
        (programs::counting(6, 7), false),
        (programs::calls(7), true),
        (programs::calls(8), false),
        (programs::diamond(2), true),
    ];
    for (index, (program, safe)) in cases.iter().enumerate() {
        for scope in SCOPES {
            for restart in RESTARTS {
                for order in [Order::Bfs, Order::Dfs, Order::ReversePostorder, Order::DistanceToError, Order::Random { seed: 3 }] {
                    for keep_covered in [true, false] {
                        let run = run_with(program, &mut ToyRefiner::new(scope), restart, order, keep_covered);
                        let what = format!("case {index}, {scope:?}, {restart:?}, {order:?}, {keep_covered}: {:?}", run.outcome);
                        assert_eq!(matches!(run.outcome, Verdict::True(_)), *safe, "{what}");
                        assert_eq!(matches!(run.outcome, Verdict::False(_)), !*safe, "{what}");
                    }
                }
            }
        }
    }
}

#[test]
fn only_what_matters_is_tracked() {
    // Tracking the counter would never end.
    let program = programs::irrelevant_counter(1);
    let run = run(&program, &mut ToyRefiner::new(PrecisionScope::Location), Restart::Pivot, Order::Bfs);
    assert!(run.live < 30, "{}", run.live);
    assert!((1..=3).contains(&run.refinements), "{}", run.refinements);
}

#[test]
fn a_useless_refinement_is_noticed() {
    let program = programs::irrelevant_counter(1);
    let mut refiner = ToyRefiner { useless: true, ..ToyRefiner::new(PrecisionScope::Location) };
    let run = run(&program, &mut refiner, Restart::Pivot, Order::Bfs);
    assert_eq!(run.outcome.kind(), Some(ObstacleKind::Stuck), "{:?}", run.outcome);
}

#[test]
fn an_unresolved_target_forbids_true_but_not_false() {
    let safe = programs::irrelevant_counter(1);
    let mut refiner = ToyRefiner { give_up: 1, ..ToyRefiner::new(PrecisionScope::Location) };
    let outcome = run(&safe, &mut refiner, Restart::Pivot, Order::Bfs).outcome;
    assert_eq!(outcome, Verdict::Unknown(assay_base::Obstacle::of_targets(vec![assay_base::Obstacle::unconfirmed("given up")])));
    let unsafe_program = programs::irrelevant_counter(2);
    let mut refiner = ToyRefiner { give_up: 0, ..ToyRefiner::new(PrecisionScope::Location) };
    assert!(matches!(run(&unsafe_program, &mut refiner, Restart::Pivot, Order::Bfs).outcome, Verdict::False(_)));
    // Two different targets: the first stays unresolved, the second is confirmed.
    let mut m = programs::Make::new();
    let main = m.function("main");
    let x = m.local(main, "x");
    let at = m.havoc(m.entry(main), x);
    let at = m.assert_equals(at, x, 1);
    let at = m.assert_equals(at, x, 2);
    m.jump(at, m.exit(main));
    let two = m.finish(main);
    let mut refiner = ToyRefiner { give_up: 1, ..ToyRefiner::new(PrecisionScope::Location) };
    assert!(matches!(run(&two, &mut refiner, Restart::Pivot, Order::Bfs).outcome, Verdict::False(_)));
    assert_eq!(refiner.paths, 2);
}

/// Is stopped in its first refinement and believes the second.
struct Interrupted(u32);

impl<D: Domain> Refiner<D> for Interrupted {
    type Evidence = usize;
    fn refine(&mut self, _: &mut D::Worker, _: &TargetPath<'_, '_, D>, _: &mut D::Precision) -> Decision<usize, Refinement> {
        self.0 += 1;
        if self.0 == 1 { Decision::Open(assay_base::Obstacle::stopped(StopReason::Time)) } else { Decision::Feasible(0) }
    }
}

#[test]
fn a_stop_inside_the_refiner_loses_no_target() {
    let program = programs::counting(3, 4);
    let domain = Constants::new(&program);
    let surroundings = Surroundings::new(&program, None);
    let exploration = Exploration::new(surroundings.environment(), &domain, ExploreConfig::default(), domain.initial_precision());
    let mut cegar = Cegar::new(exploration, CegarConfig::default());
    let mut refiner = Interrupted(0);
    assert_eq!(cegar.run(&mut (), &mut refiner), Verdict::Unknown(assay_base::Obstacle::stopped(StopReason::Time)));
    assert!(matches!(cegar.run(&mut (), &mut refiner), Verdict::False(_)));
}

/// Has a last resort: to go on breadth-first.
struct Impatient {
    refiner: ToyRefiner,
    /// Before the first path, and after it.
    patience: [u64; 2],
    paths: usize,
    resorted: bool,
}

impl<'p> Refiner<Constants<'p>> for Impatient {
    type Evidence = usize;
    fn refine(
        &mut self,
        worker: &mut (),
        path: &TargetPath<'_, '_, Constants<'p>>,
        precision: &mut <Constants<'p> as Domain>::Precision,
    ) -> Decision<usize, Refinement> {
        self.paths += 1;
        self.refiner.refine(worker, path, precision)
    }
    fn order(&self) -> Option<WaitOrder> {
        self.resorted.then(|| WaitOrder::plain(Order::Bfs))
    }
    fn patience(&self, _configured: u64) -> u64 {
        self.patience[self.paths.min(1)]
    }
    fn last_resort(
        &mut self,
        _: &Constants<'p>,
        precision: &<Constants<'p> as Domain>::Precision,
    ) -> Option<<Constants<'p> as Domain>::Precision> {
        self.resorted = true;
        Some(precision.clone())
    }
}

#[test]
fn the_refiner_says_when_patience_is_lost_and_in_which_order_exploration_goes_on() {
    let program = programs::counting(6, 6);
    let domain = Constants::lazy(&program);
    let surroundings = Surroundings::new(&program, None);
    for (patience, escalations) in [([u64::MAX, u64::MAX], 0), ([u64::MAX, 1], 1), ([1, u64::MAX], 1)] {
        let config = ExploreConfig { order: WaitOrder::plain(Order::Dfs), ..Default::default() };
        let exploration = Exploration::new(surroundings.environment(), &domain, config, domain.initial_precision());
        let mut cegar = Cegar::new(exploration, CegarConfig { patience: Some(3), ..Default::default() });
        let refiner = ToyRefiner::new(PrecisionScope::Location);
        let mut refiner = Impatient { refiner, patience, paths: 0, resorted: false };
        let outcome = cegar.run(&mut (), &mut refiner);
        assert!(matches!(outcome, Verdict::True(_)), "{patience:?}: {outcome:?}");
        assert_eq!(cegar.counters.escalations, escalations, "{patience:?}");
        let order = if escalations > 0 { Order::Bfs } else { Order::Dfs };
        assert_eq!(cegar.exploration.config.order, WaitOrder::plain(order), "{patience:?}");
    }
}

#[test]
fn refinements_can_be_limited() {
    let program = programs::counting(6, 6);
    let domain = Constants::lazy(&program);
    let surroundings = Surroundings::new(&program, None);
    let exploration = Exploration::new(surroundings.environment(), &domain, ExploreConfig::default(), domain.initial_precision());
    let mut cegar = Cegar::new(exploration, CegarConfig { max_refinements: Some(0), ..Default::default() });
    let outcome = cegar.run(&mut (), &mut ToyRefiner::new(PrecisionScope::Location));
    assert_eq!(outcome, Verdict::Unknown(assay_base::Obstacle::bound("more than 0 refinements")));
}

#[test]
fn merging_does_not_go_with_refinement() {
    assert_eq!(validate(&ExploreConfig::default()), Ok(()));
    assert_eq!(validate(&ExploreConfig { merge: Merge::Join, ..Default::default() }), Err(CegarError::MergeWithRefinement));
}

#[test]
fn random_programs_have_one_verdict() {
    let mut solved = 0;
    for seed in 0..40 {
        let program = Random::program(seed, false);
        let domain = Constants::new(&program);
        let surroundings = Surroundings::new(&program, None);
        let exploration = Exploration::new(surroundings.environment(), &domain, ExploreConfig::default(), domain.initial_precision());
        // Everything is tracked from the start, so the refiner only confirms.
        let full = Cegar::new(exploration, CegarConfig::default()).run(&mut (), &mut ToyRefiner::new(PrecisionScope::Global));
        for (scope, restart, order) in [
            (PrecisionScope::Location, Restart::Pivot, Order::Bfs),
            (PrecisionScope::Location, Restart::CommonAncestor, Order::Dfs),
            (PrecisionScope::Function, Restart::Root, Order::ReversePostorder),
            (PrecisionScope::Global, Restart::Pivot, Order::Random { seed }),
        ] {
            for keep_covered in [true, false] {
                let outcome = run_with(&program, &mut ToyRefiner::new(scope), restart, order, keep_covered).outcome;
                match (&outcome, &full) {
                    (Verdict::True(_), Verdict::True(_)) | (Verdict::False(_), Verdict::False(_)) => {
                        solved += 1;
                    }
                    (Verdict::Unknown(obstacle), _) if obstacle.kind <= ObstacleKind::Bound => {}
                    _ => panic!("seed {seed}, {scope:?}, {restart:?}, {order:?}: {outcome:?} against {full:?}"),
                }
            }
        }
    }
    assert!(solved > 270, "{solved} of 320");
}
