//! The checker of final graphs rejects damaged ones, each for the reason that it has.

use crate::programs;
use crate::toy::{Constants, Surroundings};
use assay_cfa::{LocationId, Program, Target};
use assay_cpa::checker::{Checked, Defect, check};
use assay_cpa::{ArgStep, Domain, Exploration, ExploreConfig, Head, NodeId, Order, StackId, Status, Step, TargetKind, WaitOrder};
use assay_term::Bits;

type Toy<'a> = Exploration<'a, Constants<'a>>;

/// Explores a program, damages the graph, and checks it.
fn damaged(program: &Program, damage: impl FnOnce(&mut Toy<'_>)) -> Result<Checked, Defect> {
    let mut domain = Constants::new(program);
    // Nothing but `flag` is tracked in the program with the counter, so that states are covered.
    if let Some(flag) = program.variables.ids().find(|&v| program.variables[v].source_name == "flag") {
        domain.precision = assay_cpa::ScopedPrecision::empty();
        domain.precision.track(program, program.functions[program.entry].entry, assay_cpa::PrecisionScope::Global, &flag);
    }
    let surroundings = Surroundings::new(program, None);
    let config = ExploreConfig { order: WaitOrder::plain(Order::Bfs), ..Default::default() };
    let mut exploration = Exploration::new(surroundings.environment(), &domain, config, domain.initial_precision());
    exploration.start_program(&mut ());
    assert_eq!(exploration.run(&mut ()), Status::Exhausted);
    assert!(exploration.is_exhausted());
    damage(&mut exploration);
    check(&exploration, &mut ())
}

fn covered_node(toy: &Toy<'_>) -> NodeId {
    toy.arg.live().find(|&node| toy.arg.is_covered(node)).expect("a state is covered")
}

fn inner_node(toy: &Toy<'_>) -> NodeId {
    toy.arg.live().nth(3).expect("there are nodes")
}

#[test]
fn undamaged_graphs_are_proofs() {
    for program in
        [programs::counting(5, 5), programs::irrelevant_counter(1), programs::calls(7), programs::recursion(3), programs::diamond(2)]
    {
        let checked = damaged(&program, |_| ()).expect("it is a proof");
        assert!(checked.nodes > 3 && checked.steps >= checked.nodes / 2, "{checked:?}");
    }
}

#[test]
fn a_graph_without_root_or_with_a_removed_root() {
    let program = programs::counting(5, 5);
    assert_eq!(damaged(&program, |toy| toy.arg = assay_cpa::Arg::new()), Err(Defect::NoRoot));
    let result = damaged(&program, |toy| {
        let root = toy.arg.root().expect("it is there");
        toy.arg.force_removed(root);
    });
    assert_eq!(result, Err(Defect::NoRoot));
}

#[test]
fn a_root_that_misses_the_initial_state() {
    let program = programs::counting(5, 5);
    let x = program.functions[program.entry].locals[0];
    let result = damaged(&program, |toy| {
        let root = toy.arg.root().expect("it is there");
        let mut state = toy.reached.get(root).expect("it has a state").clone();
        state.known.insert((1, x), Bits::new(32, 0));
        toy.reached.store(root, state);
    });
    assert!(matches!(result, Err(Defect::RootTooSmall(_))), "{result:?}");
}

#[test]
fn a_root_elsewhere() {
    let program = programs::counting(5, 5);
    let result = damaged(&program, |toy| {
        let state = toy.domain.initial(&mut ());
        toy.clear();
        let node = toy.start(&mut (), Head { location: LocationId(1), stack: StackId::EMPTY }, state);
        toy.arg.set_expanded(node, true);
        assert_eq!(toy.run(&mut ()), Status::Exhausted);
    });
    assert!(matches!(result, Err(Defect::WrongHead(_))), "{result:?}");
}

#[test]
fn a_missing_subtree() {
    for program in [programs::counting(5, 5), programs::calls(7)] {
        let result = damaged(&program, |toy| {
            let node = inner_node(toy);
            for gone in toy.arg.remove_subtree(node, false).removed {
                toy.reached.remove(gone);
            }
        });
        assert!(matches!(result, Err(Defect::MissingSuccessor(..))), "{result:?}");
    }
}

#[test]
fn a_missing_return() {
    let program = programs::calls(7);
    let result = damaged(&program, |toy| {
        let returned =
            toy.arg.live().find(|&n| matches!(toy.arg.creator(n), Some((ArgStep::Step(Step::Return(_)), _)))).expect("it returns");
        toy.arg.remove_subtree(returned, false);
    });
    assert!(matches!(result, Err(Defect::MissingSuccessor(_, ArgStep::Step(Step::Return(_))))), "{result:?}");
}

#[test]
fn a_state_that_waits() {
    let program = programs::counting(5, 5);
    let result = damaged(&program, |toy| {
        let node = inner_node(toy);
        toy.resume(node);
    });
    assert!(matches!(result, Err(Defect::Waiting(_))), "{result:?}");
}

#[test]
fn a_state_that_was_forgotten() {
    let program = programs::counting(5, 5);
    let result = damaged(&program, |toy| {
        let node = inner_node(toy);
        toy.arg.set_expanded(node, false);
    });
    assert!(matches!(result, Err(Defect::NotExplored(_))), "{result:?}");
}

#[test]
fn a_target_that_is_left() {
    let program = programs::counting(5, 5);
    let result = damaged(&program, |toy| toy.arg.set_target(inner_node(toy), TargetKind::Property(Target::UnreachCall)));
    assert!(matches!(result, Err(Defect::Target(_))), "{result:?}");
    // Resolved or not makes no difference.
    let result = damaged(&program, |toy| {
        let node = inner_node(toy);
        toy.arg.set_target(node, TargetKind::Open(assay_base::Obstacle::imprecise("why not")));
        toy.arg.set_unresolved(node, assay_base::Obstacle::unconfirmed("nobody knows"));
    });
    assert!(matches!(result, Err(Defect::Target(_))), "{result:?}");
}

#[test]
fn a_target_whose_node_was_dropped() {
    // The violation is real; its node is taken out of the graph.
    let program = programs::counting(5, 6);
    let domain = Constants::new(&program);
    let surroundings = Surroundings::new(&program, None);
    let mut toy = Exploration::new(surroundings.environment(), &domain, ExploreConfig::default(), domain.initial_precision());
    toy.start_program(&mut ());
    let Status::Target(target) = toy.run(&mut ()) else { panic!("the target is there") };
    assert_eq!(toy.run(&mut ()), Status::Exhausted);
    toy.arg.remove_subtree(target, false);
    assert!(matches!(check(&toy, &mut ()), Err(Defect::Target(_) | Defect::MissingSuccessor(..))));
}

#[test]
fn a_covering_by_a_removed_state() {
    let program = programs::irrelevant_counter(1);
    let result = damaged(&program, |toy| {
        let node = covered_node(toy);
        let coverer = toy.arg.coverers(node).next().expect("it is covered");
        toy.arg.force_removed(coverer);
    });
    assert!(matches!(result, Err(Defect::Removed(_))), "{result:?}");
}

#[test]
fn a_covering_that_does_not_cover() {
    let program = programs::irrelevant_counter(1);
    let result = damaged(&program, |toy| {
        let node = covered_node(toy);
        let mut state = toy.reached.get(node).expect("it has a state").clone();
        state.known.clear();
        toy.reached.store(node, state);
    });
    assert!(matches!(result, Err(Defect::NotCovered(_) | Defect::MissingSuccessor(..))), "{result:?}");
}

#[test]
fn a_covering_by_a_state_elsewhere() {
    let program = programs::irrelevant_counter(1);
    let result = damaged(&program, |toy| {
        let node = covered_node(toy);
        let other = toy.arg.live().find(|&n| toy.arg.head(n) != toy.arg.head(node)).expect("there are other places");
        toy.arg.uncover(node);
        toy.arg.cover(node, other);
    });
    assert!(matches!(result, Err(Defect::CoveredElsewhere(_))), "{result:?}");
}

#[test]
fn coverings_in_a_circle() {
    let program = programs::irrelevant_counter(1);
    let result = damaged(&program, |toy| {
        let node = covered_node(toy);
        let coverer = toy.arg.coverers(node).next().expect("it is covered");
        toy.arg.cover(coverer, node);
    });
    assert!(matches!(result, Err(Defect::CoveredInACycle(_))), "{result:?}");
    let result = damaged(&program, |toy| {
        let node = covered_node(toy);
        toy.arg.uncover(node);
        toy.arg.cover(node, node);
    });
    assert!(matches!(result, Err(Defect::CoveredInACycle(_))), "{result:?}");
}

#[test]
fn a_child_at_the_wrong_place() {
    let program = programs::counting(5, 5);
    let result = damaged(&program, |toy| {
        let node = inner_node(toy);
        let (step, _) = toy.arg.children(node).next().expect("it has a child");
        let other = toy.arg.live().find(|&n| toy.arg.children(node).all(|(_, c)| toy.arg.head(c) != toy.arg.head(n)));
        toy.arg.add_parent(node, step, other.expect("there are other places"));
    });
    assert!(matches!(result, Err(Defect::WrongHead(_))), "{result:?}");
}

#[test]
fn a_child_that_misses_states() {
    let program = programs::counting(5, 5);
    let result = damaged(&program, |toy| {
        let node = inner_node(toy);
        let mut state = toy.reached.get(node).expect("it has a state").clone();
        state.known.values_mut().for_each(|value| *value = Bits::new(value.width(), 4));
        toy.reached.store(node, state);
    });
    assert!(matches!(result, Err(Defect::MissingSuccessor(..))), "{result:?}");
}

#[test]
fn a_state_that_is_gone() {
    let program = programs::counting(5, 5);
    let result = damaged(&program, |toy| toy.reached.remove(inner_node(toy)));
    assert!(matches!(result, Err(Defect::MissingState(_))), "{result:?}");
}

#[test]
fn a_check_can_be_stopped() {
    let program = programs::counting(5, 5);
    let result = damaged(&program, |toy| toy.environment.cancel.stop(assay_base::StopReason::Time));
    assert_eq!(result, Err(Defect::Stopped(assay_base::StopReason::Time)));
}
