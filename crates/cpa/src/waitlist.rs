//! The waitlist: which state is explored next.

use crate::arg::NodeId;
use crate::order::LocationOrders;
use crate::stack::{CallStacks, Head};
use assay_base::hash::mix;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

/// The base order.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Order {
    Bfs,
    #[default]
    Dfs,
    /// Locations that come first in the program first, so that what reaches a location is complete before it is left.
    ReversePostorder,
    /// What is nearest to a target location first.
    DistanceToError,
    Random {
        seed: u64,
    },
    /// States that remember the fewest things first.
    MostAbstract,
}

/// What outweighs the base order.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Before {
    #[default]
    Ignore,
    DeeperFirst,
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

/// The whole order: call depth first, then loop depth, then the base order, then age (for `Dfs` the youngest first, else the oldest).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct WaitOrder {
    pub base: Order,
    pub calls: Before,
    pub loops: Before,
}

impl WaitOrder {
    pub fn plain(base: Order) -> Self {
        WaitOrder { base, ..Default::default() }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Key {
    calls: u32,
    loops: u32,
    base: u64,
    age: u64,
    node: NodeId,
}

/// A queue of nodes. It may hold nodes that are no longer worth exploring; who pops must look.
#[derive(Clone, Debug)]
pub struct Waitlist {
    order: WaitOrder,
    queue: VecDeque<NodeId>,
    heap: BinaryHeap<Reverse<Key>>,
    pushes: u64,
    random: u64,
}

impl Waitlist {
    pub fn new(order: WaitOrder) -> Self {
        let random = if let Order::Random { seed } = order.base { seed } else { 0 };
        Waitlist { order, queue: VecDeque::new(), heap: BinaryHeap::new(), pushes: 0, random }
    }

    fn is_queue(&self) -> bool {
        matches!(self.order.base, Order::Bfs | Order::Dfs) && self.order.calls == Before::Ignore && self.order.loops == Before::Ignore
    }

    /// Whether the order asks for the size of states.
    pub fn needs_size(&self) -> bool {
        self.order.base == Order::MostAbstract
    }

    pub fn push(&mut self, node: NodeId, head: Head, size: usize, orders: &LocationOrders<'_>, stacks: &CallStacks) {
        self.pushes += 1;
        if self.is_queue() {
            self.queue.push_back(node);
            return;
        }
        let base = match self.order.base {
            Order::Bfs | Order::Dfs => 0,
            Order::ReversePostorder => orders.rank(head.location),
            Order::DistanceToError => u64::from(orders.distance(head.location)),
            Order::Random { .. } => {
                self.random = mix(self.random.wrapping_add(0x9E37_79B9_7F4A_7C15));
                self.random
            }
            Order::MostAbstract => size as u64,
        };
        let age = if self.order.base == Order::Dfs { u64::MAX - self.pushes } else { self.pushes };
        let calls = if self.order.calls == Before::Ignore { 0 } else { self.order.calls.key(stacks.depth(head.stack)) };
        let loops = if self.order.loops == Before::Ignore { 0 } else { self.order.loops.key(orders.loop_depth(head.location)) };
        let key = Key { calls, loops, base, age, node };
        self.heap.push(Reverse(key));
    }

    pub fn pop(&mut self) -> Option<NodeId> {
        if !self.is_queue() {
            return self.heap.pop().map(|Reverse(key)| key.node);
        }
        match self.order.base {
            Order::Dfs => self.queue.pop_back(),
            _ => self.queue.pop_front(),
        }
    }

    pub fn len(&self) -> usize {
        self.queue.len() + self.heap.len()
    }
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// The waiting nodes in no particular order.
    pub fn nodes(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.queue.iter().copied().chain(self.heap.iter().map(|Reverse(key)| key.node))
    }
}
