//! The waitlist: which state is explored next.

use crate::arg::NodeId;
use crate::order::LocationOrders;
use crate::stack::{CallStacks, Head};
use assay_base::hash::mix;
use assay_cfa::LocationId;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

/// The base order.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Order {
    /// The oldest first.
    Bfs,
    /// The youngest first.
    #[default]
    Dfs,
    /// Locations that come first in the program first, so that what reaches a location is complete before it is left.
    ReversePostorder,
    /// The part of a path since its last loop head that began last first, and locations inside of it as in
    /// `ReversePostorder`: paths that meet between loop heads still meet before they are left, and deep paths are found
    /// soon.
    YoungestPart,
    /// What is nearest to a target location first.
    DistanceToError,
    /// Any, by chance.
    Random {
        /// The same seed gives the same choices.
        seed: u64,
    },
    /// A state by chance, one with many choices on its path as much less likely as there are: that is what walking down
    /// the tree of paths by the toss of a coin comes to, and keeps loops from swallowing everything.
    RandomPath {
        /// The same seed gives the same choices.
        seed: u64,
    },
    /// What is nearest to a branch that was not taken yet first; places that were explored often wait.
    Coverage,
    /// States that remember the fewest things first.
    MostAbstract,
    /// For some time the youngest first, then the oldest, and so on: what lies deep is found and what lies near, too.
    /// Where depths of calls or loops are looked at, as `Dfs`.
    Alternating {
        /// How many states are explored in the first stretch. Each two stretches, one of either kind, are twice as long
        /// as the two before.
        stretch: u64,
    },
}

/// Where an alternating search is.
#[derive(Clone, Copy, Debug)]
pub struct Alternation {
    /// Whether the oldest comes first now.
    pub breadth: bool,
    length: u64,
    left: u64,
}

impl Alternation {
    fn new(stretch: u64) -> Self {
        Alternation { breadth: false, length: stretch, left: stretch }
    }

    /// How many states are left in this stretch; never 0.
    pub fn left(&self) -> u64 {
        self.left
    }

    /// Notes explored states. `true` if another stretch begins.
    pub fn explored(&mut self, states: u64) -> bool {
        self.left = self.left.saturating_sub(states);
        if self.left > 0 {
            return false;
        }
        if self.breadth {
            self.length = self.length.saturating_mul(2);
        }
        self.breadth = !self.breadth;
        self.left = self.length;
        true
    }
}

/// What outweighs the base order.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Before {
    /// Nothing does.
    #[default]
    Ignore,
    /// The greater depth goes first.
    DeeperFirst,
    /// The smaller depth goes first.
    ShallowerFirst,
}

impl Before {
    fn key(self, depth: u32) -> u32 {
        match self {
            Before::Ignore => 0,
            Before::DeeperFirst => u32::MAX - depth,
            Before::ShallowerFirst => depth,
        }
    }
}

/// The whole order: call depth first, then loop depth, then the base order, then age (for `Dfs` the youngest first,
/// else the oldest).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct WaitOrder {
    /// The order among nodes that the depths of calls and loops do not tell apart.
    pub base: Order,
    /// By the number of open calls.
    pub calls: Before,
    /// By the number of loops around the location.
    pub loops: Before,
}

impl WaitOrder {
    /// The base order alone.
    pub fn plain(base: Order) -> Self {
        WaitOrder { base, ..Default::default() }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Key {
    calls: u32,
    loops: u32,
    part: u64,
    base: u64,
    age: u64,
    node: NodeId,
    /// For costs that change: where the node is, and of which version the cost is.
    location: LocationId,
    version: u32,
}

/// A queue of nodes. It may hold nodes that are no longer worth exploring; who pops must look.
#[derive(Clone, Debug)]
pub struct Waitlist {
    order: WaitOrder,
    queue: VecDeque<NodeId>,
    heap: BinaryHeap<Reverse<Key>>,
    pushes: u64,
    random: u64,
    alternation: Alternation,
    /// For random paths: the logarithm of the key that was taken last.
    now: f64,
}

impl Waitlist {
    /// A waitlist without nodes.
    pub fn new(order: WaitOrder) -> Self {
        let random = match order.base {
            Order::Random { seed } | Order::RandomPath { seed } => seed,
            _ => 0,
        };
        let stretch = if let Order::Alternating { stretch } = order.base { stretch } else { 0 };
        let (queue, heap, alternation) = (VecDeque::new(), BinaryHeap::new(), Alternation::new(stretch));
        Waitlist { order, queue, heap, pushes: 0, random, alternation, now: f64::NEG_INFINITY }
    }

    fn is_queue(&self) -> bool {
        let base = matches!(self.order.base, Order::Bfs | Order::Dfs | Order::Alternating { .. });
        base && self.order.calls == Before::Ignore && self.order.loops == Before::Ignore
    }

    /// Whether it is a stack: what was pushed last is popped first, whatever it is.
    pub fn is_stack(&self) -> bool {
        self.is_queue() && self.order.base == Order::Dfs
    }

    /// Where an alternating search begins, if it is one.
    pub fn alternation(&self) -> Option<Alternation> {
        (self.is_queue() && matches!(self.order.base, Order::Alternating { .. })).then_some(self.alternation)
    }

    /// From now on the oldest first, or the youngest: the caller that alternates between several waitlists says so.
    /// Only for one that alternates or was told so before.
    pub fn set_breadth(&mut self, breadth: bool) {
        self.order.base = if breadth { Order::Bfs } else { Order::Dfs };
    }

    /// Whether the order asks for the size of states.
    pub fn needs_size(&self) -> bool {
        self.order.base == Order::MostAbstract
    }

    /// Whether the order asks for the number of choices on a path.
    pub fn needs_choices(&self) -> bool {
        matches!(self.order.base, Order::RandomPath { .. })
    }

    /// Whether the order asks where a path came by its last loop head.
    pub fn needs_parts(&self) -> bool {
        self.order.base == Order::YoungestPart
    }

    /// Whether the order asks what is covered.
    pub fn needs_coverage(&self) -> bool {
        self.order.base == Order::Coverage
    }

    fn toss(&mut self) -> u64 {
        self.random = mix(self.random.wrapping_add(0x9E37_79B9_7F4A_7C15));
        self.random
    }

    /// `measure` is the size of the state, the number of choices on its path or the number of the node at its last loop
    /// head, as the order asks.
    pub fn push(&mut self, node: NodeId, head: Head, measure: usize, orders: &LocationOrders<'_>, stacks: &CallStacks) {
        self.pushes += 1;
        if self.is_queue() {
            self.queue.push_back(node);
            return;
        }
        let base = match self.order.base {
            Order::Bfs | Order::Dfs | Order::Alternating { .. } => 0,
            Order::ReversePostorder | Order::YoungestPart => orders.rank(head.location),
            Order::DistanceToError => u64::from(orders.distance(head.location)),
            Order::Random { .. } => self.toss(),
            Order::RandomPath { .. } => {
                // Waiting times that are distributed exponentially, at a rate that halves with each choice: the
                // shortest belongs to each state with a probability in proportion to its rate. In logarithms, because
                // rates become tiny.
                let uniform = ((self.toss() >> 11) as f64 + 1.0) / (1u64 << 53) as f64;
                let wait = (-uniform.ln()).max(f64::MIN_POSITIVE).ln() + measure as f64 * std::f64::consts::LN_2;
                ordered(log_sum(self.now, wait))
            }
            Order::Coverage => orders.coverage.cost(head.location),
            Order::MostAbstract => measure as u64,
        };
        let age = if matches!(self.order.base, Order::Dfs | Order::Alternating { .. }) { u64::MAX - self.pushes } else { self.pushes };
        let calls = if self.order.calls == Before::Ignore { 0 } else { self.order.calls.key(stacks.depth(head.stack)) };
        let loops = if self.order.loops == Before::Ignore { 0 } else { self.order.loops.key(orders.loop_depth(head.location)) };
        let part = if self.needs_parts() { u64::MAX - measure as u64 } else { 0 };
        let version = if self.needs_coverage() { orders.coverage.version() } else { 0 };
        let key = Key { calls, loops, part, base, age, node, location: head.location, version };
        self.heap.push(Reverse(key));
    }

    /// The next node; `orders` is what some orders look at.
    pub fn pop(&mut self, orders: &LocationOrders<'_>) -> Option<NodeId> {
        if !self.is_queue() {
            return self.pop_least(orders);
        }
        match self.order.base {
            Order::Dfs => self.queue.pop_back(),
            Order::Alternating { .. } => {
                let breadth = self.alternation.breadth;
                self.alternation.explored(1);
                if breadth { self.queue.pop_front() } else { self.queue.pop_back() }
            }
            _ => self.queue.pop_front(),
        }
    }

    fn pop_least(&mut self, orders: &LocationOrders<'_>) -> Option<NodeId> {
        let version = if self.needs_coverage() { orders.coverage.version() } else { 0 };
        loop {
            let Reverse(mut key) = self.heap.pop()?;
            if key.version != version {
                // The cost may have grown since; then the node goes back to its place.
                (key.version, key.base) = (version, orders.coverage.cost(key.location));
                if self.heap.peek().is_some_and(|Reverse(next)| *next < key) {
                    self.heap.push(Reverse(key));
                    continue;
                }
            }
            match self.order.base {
                Order::Coverage => orders.coverage.visit(key.location),
                Order::RandomPath { .. } => self.now = unordered(key.base),
                _ => {}
            }
            return Some(key.node);
        }
    }

    /// How many nodes wait.
    pub fn len(&self) -> usize {
        self.queue.len() + self.heap.len()
    }
    /// Whether nothing waits.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// The waiting nodes in no particular order.
    pub fn nodes(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.queue.iter().copied().chain(self.heap.iter().map(|Reverse(key)| key.node))
    }
}

/// The logarithm of the sum of two numbers given by their logarithms.
fn log_sum(a: f64, b: f64) -> f64 {
    let (large, small) = if a > b { (a, b) } else { (b, a) };
    if small == f64::NEG_INFINITY { large } else { large + (small - large).exp().ln_1p() }
}

/// Floats as integers in the same order.
fn ordered(value: f64) -> u64 {
    let bits = value.to_bits();
    if bits >> 63 == 1 { !bits } else { bits | 1 << 63 }
}

fn unordered(key: u64) -> f64 {
    f64::from_bits(if key >> 63 == 1 { key & !(1 << 63) } else { !key })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_keep_their_order_as_integers() {
        let values = [f64::NEG_INFINITY, -1e300, -1.5, -0.0, 0.0, 1e-300, 2.0, 1e300];
        for pair in values.windows(2) {
            assert!(ordered(pair[0]) <= ordered(pair[1]), "{pair:?}");
        }
        values.iter().for_each(|&value| assert_eq!(unordered(ordered(value)).to_bits(), value.to_bits()));
        assert!((log_sum(0.0, 0.0) - std::f64::consts::LN_2).abs() < 1e-12);
        assert_eq!(log_sum(f64::NEG_INFINITY, 3.0), 3.0);
    }
}
