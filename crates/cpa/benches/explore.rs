//! What the framework itself costs a state: a domain of one number on a program of counters and calls.
//! `cargo bench -p assay-cpa` prints states a second; under callgrind, divide the instructions by the printed number of
//! states.

use assay_base::{CancelToken, Ledger, Span};
use assay_cfa::{Builder, DataModel, Operation, Origin, Program};
use assay_cpa::{
    CallStacks, Domain, Environment, Exploration, ExploreConfig, LocationOrders, Move, Order, Projection, Status, Successors, View,
    WaitOrder,
};

/// Counts steps modulo a bound, so that every state is new until the count comes round.
struct Counter {
    bound: u64,
}

impl Domain for Counter {
    type State = u64;
    type Precision = ();
    type Worker = ();
    fn worker(&self) {}
    fn initial(&self, _: &mut ()) -> u64 {
        0
    }
    fn initial_precision(&self) {}
    fn transfer(&self, _: &mut (), state: &u64, _: &(), _: &Move<'_>, _: &mut dyn View, out: &mut Successors<u64>) {
        out.push((state + 1) % self.bound);
    }
    fn covers(&self, _: &mut (), smaller: &u64, larger: &u64) -> bool {
        smaller == larger
    }
    fn hash(&self, state: &u64) -> u64 {
        assay_base::hash::mix(*state)
    }
    fn project(&self, state: &u64, _: &u64) -> Projection {
        Projection::Hash(self.hash(state))
    }
}

/// A loop with a branch and a call in it.
fn program() -> Program {
    let mut b = Builder::new(DataModel::Lp64);
    let callee = b.function("callee", Span::NONE);
    let (entry, exit) = (b.functions[callee].entry, b.functions[callee].exit);
    b.edge(entry, exit, Operation::Skip, Span::NONE, Origin::Internal);
    let main = b.function("main", Span::NONE);
    let head = b.functions[main].entry;
    let (left, right, meet) = (b.location(main), b.location(main), b.location(main));
    b.edge(head, left, Operation::Skip, Span::NONE, Origin::Internal);
    b.edge(head, right, Operation::Skip, Span::NONE, Origin::Internal);
    b.edge(left, meet, Operation::Skip, Span::NONE, Origin::Internal);
    b.edge(right, meet, Operation::Skip, Span::NONE, Origin::Internal);
    b.edge(meet, head, Operation::Call { callee, arguments: vec![], result: None }, Span::NONE, Origin::Internal);
    b.finish(main)
}

fn main() {
    // A smaller bound makes a run under callgrind bearable.
    let bound = std::env::args().filter_map(|argument| argument.parse().ok()).next().unwrap_or(500_009);
    let program = program();
    for order in [Order::Bfs, Order::Dfs, Order::ReversePostorder] {
        for keep_covered in [true, false] {
            let domain = Counter { bound };
            let (stacks, orders) = (CallStacks::new(None), LocationOrders::new(&program));
            let (ledger, cancel) = (Ledger::new(), CancelToken::new());
            let environment = Environment { program: &program, stacks: &stacks, orders: &orders, ledger: &ledger, cancel: &cancel };
            let config = ExploreConfig { order: WaitOrder::plain(order), keep_covered, ..Default::default() };
            let mut exploration = Exploration::new(environment, &domain, config, ());
            exploration.start_program(&mut ());
            let start = std::time::Instant::now();
            assert_eq!(exploration.run(&mut ()), Status::Exhausted);
            let states = exploration.counters.states;
            let rate = states as f64 / start.elapsed().as_secs_f64();
            println!("{order:?}, covered states kept: {keep_covered}: {states} states, {:.2} million a second", rate / 1e6);
        }
    }
}
