//! Abstract states must contain what the interpreter computes: along each run, and in the finished reached set.

use assay_base::{CancelToken, FastMap, FastSet, Ledger};
use assay_cfa::blocks::{BlockOptions, Blocks};
use assay_cfa::structure::Structure;
use assay_cfa::{FunctionId, Operation, Program, Scope, VarId};
use assay_cpa::{
    CallStacks, Domain, Environment, Exploration, ExploreConfig, Head, LocationOrders, Merge, Move, NoView, Position, StackId, Status,
    Step, Successors,
};
use assay_memo::{BlockScope, Reduce};
use assay_semantics::interpreter::{self, SeededOracle};
use assay_semantics::state::{State, Value};
use assay_term::{Bits, Term, Terms};

/// Whether an abstract state allows the values of the registers that can be seen in the concrete one.
pub(crate) type Allows<'a, D> = &'a dyn Fn(&<D as Domain>::State, &[(VarId, Bits)]) -> bool;

/// The registers of the current frame and the globals, with their values.
fn visible(program: &Program, function: FunctionId, state: &State) -> Vec<(VarId, Bits)> {
    let in_sight = |scope: Scope| scope == Scope::Global || scope == Scope::Local(function);
    program
        .variables
        .iter_ids()
        .filter(|(_, v)| v.register_width().is_some() && in_sight(v.scope))
        .filter_map(|(id, _)| match state.get(program, id) {
            value @ Value::Known { .. } => Some((id, value.as_bits()?)),
            _ => None,
        })
        .collect()
}

/// One concrete run as steps with heads and the registers after each.
fn concrete_run(program: &Program, stacks: &CallStacks, seed: u64, limit: u64) -> Vec<(Step, Head, Head, Vec<(VarId, Bits)>)> {
    let mut moves = vec![];
    let mut oracle = SeededOracle::new(seed);
    let mut head = Head { location: program.functions[program.entry].entry, stack: StackId::EMPTY };
    interpreter::run(program, &mut oracle, limit, &CancelToken::default(), &mut |step, state, _| {
        let edge = &program.edges[step.edge()];
        let (step, target) = if step.is_return() {
            let (_, below) = stacks.pop(head.stack).expect("a call is open");
            (step, Head { location: edge.target, stack: below })
        } else if let Operation::Call { callee, .. } = &edge.operation {
            let stack = stacks.push(head.stack, step.edge()).expect("no bound");
            (step, Head { location: program.functions[*callee].entry, stack })
        } else {
            (step, Head { location: edge.target, stack: head.stack })
        };
        let function = program.locations[target.location].function;
        moves.push((step, head, target, visible(program, function, state)));
        head = target;
    });
    moves
}

/// Follows runs with the domain's transfer: there must be a successor that allows the concrete state.
pub(crate) fn check_runs<D: Domain>(program: &Program, domain: &D, runs: u64, allows: Allows<'_, D>) {
    let stacks = CallStacks::new(None);
    let mut worker = domain.worker();
    let precision = domain.initial_precision();
    for seed in 0..runs {
        let mut state = domain.initial(&mut worker);
        for (step, source, target, registers) in concrete_run(program, &stacks, seed, 300) {
            let edge = step.edge();
            let step = Move { program, step, edge: &program.edges[edge], source, target };
            let mut out = Successors::new();
            domain.transfer(&mut worker, &state, &precision, &step, &mut NoView, &mut out);
            match out.items.into_iter().find(|s| allows(&s.state, &registers)) {
                Some(successor) => state = successor.state,
                None => panic!("run {seed}: {:?} loses {registers:?} from {}", step.edge.operation, domain.describe(&state)),
            }
        }
    }
}

/// Explores with merge join until nothing waits, checks the graph, and looks for every state of the runs in it.
pub(crate) fn check_exploration<D: Domain>(program: &Program, domain: &D, runs: u64, merge: Merge, allows: Allows<'_, D>) -> u64 {
    let stacks = CallStacks::new(None);
    let orders = LocationOrders::new(program);
    let (ledger, cancel) = (Ledger::new(), CancelToken::default());
    let environment = Environment { program, stacks: &stacks, orders: &orders, ledger: &ledger, cancel: &cancel };
    let config = ExploreConfig { merge, max_states: Some(20_000), ..ExploreConfig::default() };
    let mut worker = domain.worker();
    let mut exploration = Exploration::new(environment, domain, config, domain.initial_precision());
    exploration.start_program(&mut worker);
    if exploration.run(&mut worker) != Status::Exhausted {
        assert_ne!(merge, Merge::Join, "the exploration did not end");
        return exploration.counters.states;
    }
    assay_cpa::checker::check(&exploration, &mut worker).expect("the graph is a proof");
    let mut reached: FastMap<Head, Vec<&D::State>> = FastMap::default();
    for (node, state) in exploration.reached.states() {
        if !exploration.arg.is_removed(node) {
            reached.entry(exploration.arg.head(node)).or_default().push(state);
        }
    }
    for seed in 0..runs {
        for (step, _, target, registers) in concrete_run(program, &stacks, seed, 300) {
            let found = reached.get(&target).is_some_and(|states| states.iter().any(|s| allows(s, &registers)));
            assert!(found, "run {seed}: after {step:?} nothing contains {registers:?}");
        }
    }
    exploration.counters.states
}

/// Follows runs through blocks, from reduced states: what comes out, expanded, must allow the concrete state, and so
/// must its successor.
pub(crate) fn check_blocks<D: Reduce>(program: &Program, domain: &D, runs: u64, allows: Allows<'_, D>) -> u64 {
    let structure = Structure::new(program);
    let blocks = Blocks::of(&structure, BlockOptions::default());
    let stacks = CallStacks::new(None);
    let mut worker = domain.worker();
    let precision = domain.initial_precision();
    let mut post = |state: &D::State, step: &(Step, Head, Head, Vec<(VarId, Bits)>)| {
        let edge = step.0.edge();
        let step = Move { program, step: step.0, edge: &program.edges[edge], source: step.1, target: step.2 };
        let mut out = Successors::new();
        domain.transfer(&mut worker, state, &precision, &step, &mut NoView, &mut out);
        out.items.pop().expect("a run goes so").state
    };
    let mut passed = 0;
    for seed in 0..runs {
        let moves = concrete_run(program, &stacks, seed, 200);
        let mut state = domain.initial(&mut domain.worker());
        for (index, step) in moves.iter().enumerate() {
            state = post(&state, step);
            for (id, block) in blocks.blocks.iter_ids().filter(|(_, b)| b.entry == step.2.location) {
                let mut callees: FastSet<FunctionId> = FastSet::default();
                let mut waiting = block.callees.clone();
                while let Some(function) = waiting.pop() {
                    if callees.insert(function) {
                        waiting.extend(&structure.calls().callees[function]);
                    }
                }
                let scope = BlockScope { program, structure: &structure, blocks: &blocks, id, block, callees: &callees };
                let is_exit = |head: Head| head.stack == step.2.stack && block.exits.contains(&head.location);
                let mut inside = domain.reduce(&mut domain.worker(), &state, &scope);
                let Some(length) = moves[index + 1..].iter().position(|m| is_exit(m.2)) else { continue };
                let last = index + 1 + length;
                moves[index + 1..=last].iter().for_each(|m| inside = post(&inside, m));
                let place = Position { program, head: moves[last].2 };
                let outside = domain.expand(&mut domain.worker(), &state, &inside, &place, &scope);
                let outside = outside.expect("a run came out of the block");
                assert!(allows(&outside, &moves[last].3), "run {seed}: {:?} becomes {}", moves[last].3, domain.describe(&outside));
                if let Some(next) = moves.get(last + 1) {
                    assert!(allows(&post(&outside, next), &next.3), "run {seed}: after {:?}", next.0);
                }
                passed += 1;
            }
        }
    }
    passed
}

/// Checks the answers to a sibling's questions against a concrete state: known values and ranges must hold.
pub(crate) fn check_answers<D: Domain>(domain: &D, state: &D::State, terms: &Terms, term: Term, lookup: &dyn Fn(VarId) -> Option<Bits>) {
    let value = assay_term::eval::evaluate(terms, term, &mut |node| lookup(VarId(node.symbol().0)));
    let Some(value) = value else { return };
    let mut worker = domain.worker();
    if let Some(told) = domain.value_of(&mut worker, state, term) {
        assert_eq!(told, value, "{}", domain.describe(state));
    }
    if let Some((least, greatest)) = domain.range_of(&mut worker, state, term) {
        assert!(least <= value.value() && value.value() <= greatest, "{}", domain.describe(state));
    }
    if value.width() == 1
        && let Some(told) = domain.implied(&mut worker, state, term)
    {
        assert_eq!(told, value.is_true(), "{}", domain.describe(state));
    }
}
