//! The reached set: the states of the graph's nodes, indexed so that coverage is looked up and not scanned.

use crate::arg::NodeId;
use crate::domain::{Domain, Projection};
use crate::stack::Head;
use assay_base::hash::mix;
use assay_base::{FastMap, Id};

/// When a new state counts as covered.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum StopOperator {
    /// One state of the same head covers it.
    #[default]
    Sep,
    /// The states of the same head together cover it; only for domains where that is exact.
    Join,
    /// Only an equal state covers it.
    Equality,
    /// Never: every path is followed on its own.
    Never,
}

const NONE: u32 = u32::MAX;
/// How many shapes of one place are asked for a covering state, and how many states of a shape that must be scanned.
const MAX_SHAPES: usize = 24;
const MAX_SCANNED: usize = 256;

#[derive(Clone, Debug)]
struct Slot<S> {
    state: Option<S>,
    /// `mix` of bucket and state; the key of the table of equal states.
    key: u64,
    next_same_key: u32,
    /// `NONE` while the state is not indexed (covered states, targets).
    bucket: u32,
    class: u32,
    position: u32,
}

/// The states of one shape in a bucket.
#[derive(Clone, Debug)]
struct ShapeClass<S> {
    shape: u64,
    like: S,
    members: Vec<NodeId>,
}

/// States by node. Only indexed states can cover others.
#[derive(Clone, Debug)]
pub struct Reached<S> {
    slots: Vec<Slot<S>>,
    by_head: FastMap<(Head, u64), u32>,
    /// The classes of each (head, partition).
    buckets: Vec<Vec<ShapeClass<S>>>,
    by_key: FastMap<u64, u32>,
    indexed: usize,
}

impl<S> Default for Reached<S> {
    fn default() -> Self {
        Reached { slots: Vec::new(), by_head: Default::default(), buckets: Vec::new(), by_key: Default::default(), indexed: 0 }
    }
}

#[inline]
fn key_of(bucket: u32, hash: u64) -> u64 {
    mix(hash.wrapping_add(u64::from(bucket).wrapping_mul(0x9E37_79B9_7F4A_7C15)))
}

impl<S: Clone + Eq> Reached<S> {
    /// Without states.
    pub fn new() -> Self {
        Self::default()
    }

    /// How many states are indexed.
    pub fn len(&self) -> usize {
        self.indexed
    }
    /// Whether no state is indexed.
    pub fn is_empty(&self) -> bool {
        self.indexed == 0
    }

    /// The state of a node; `None` for removed nodes.
    #[inline]
    pub fn get(&self, node: NodeId) -> Option<&S> {
        self.slots.get(node.index())?.state.as_ref()
    }

    /// Whether it can cover others.
    #[inline]
    pub fn is_indexed(&self, node: NodeId) -> bool {
        self.slots[node.index()].bucket != NONE
    }

    /// Keeps the state of a node without indexing it. Nodes come in the order of their ids.
    pub fn store(&mut self, node: NodeId, state: S) {
        let index = node.index();
        while self.slots.len() <= index {
            self.slots.push(Slot { state: None, key: 0, next_same_key: NONE, bucket: NONE, class: 0, position: 0 });
        }
        self.slots[index].state = Some(state);
    }

    /// Indexes the stored state of a node, so that it can cover others.
    pub fn index<D: Domain<State = S>>(&mut self, domain: &D, node: NodeId, head: Head) {
        let Some(state) = self.slots[node.index()].state.as_ref() else { return };
        let bucket = *self.by_head.entry((head, domain.partition(state))).or_insert_with(|| {
            self.buckets.push(Vec::new());
            (self.buckets.len() - 1) as u32
        });
        let shape = domain.shape(state);
        let classes = &mut self.buckets[bucket as usize];
        let class = classes.iter().position(|class| class.shape == shape).unwrap_or_else(|| {
            classes.push(ShapeClass { shape, like: state.clone(), members: Vec::new() });
            classes.len() - 1
        });
        let members = &mut classes[class].members;
        let position = members.len() as u32;
        members.push(node);
        let key = key_of(bucket, domain.hash(state));
        let first = self.by_key.insert(key, node.0).unwrap_or(NONE);
        let slot = &mut self.slots[node.index()];
        (slot.key, slot.next_same_key, slot.bucket, slot.class, slot.position) = (key, first, bucket, class as u32, position);
        self.indexed += 1;
    }

    /// Takes a node out of the index; its state stays.
    pub fn unindex(&mut self, node: NodeId) {
        let slot = &mut self.slots[node.index()];
        if slot.bucket == NONE {
            return;
        }
        let (key, next, bucket, class, position) = (slot.key, slot.next_same_key, slot.bucket, slot.class, slot.position);
        slot.bucket = NONE;
        let members = &mut self.buckets[bucket as usize][class as usize].members;
        members.swap_remove(position as usize);
        if let Some(moved) = members.get(position as usize) {
            self.slots[moved.index()].position = position;
        }
        match self.by_key.get_mut(&key) {
            Some(first) if *first == node.0 => {
                if next == NONE {
                    self.by_key.remove(&key);
                } else {
                    *first = next;
                }
            }
            Some(first) => {
                let mut at = *first;
                while at != NONE && self.slots[at as usize].next_same_key != node.0 {
                    at = self.slots[at as usize].next_same_key;
                }
                if at != NONE {
                    self.slots[at as usize].next_same_key = next;
                }
            }
            None => {}
        }
        self.indexed -= 1;
    }

    /// Takes a node out of the index and drops its state.
    pub fn remove(&mut self, node: NodeId) {
        if node.index() < self.slots.len() {
            self.unindex(node);
            self.slots[node.index()].state = None;
        }
    }

    fn with_key<'a>(&'a self, bucket: u32, hash: u64) -> impl Iterator<Item = (NodeId, &'a S)> + 'a {
        let mut at = self.by_key.get(&key_of(bucket, hash)).copied().unwrap_or(NONE);
        std::iter::from_fn(move || {
            let slot = self.slots.get(at as usize)?;
            let node = NodeId(at);
            at = slot.next_same_key;
            slot.state.as_ref().map(|state| (node, state))
        })
        // Two buckets can share a key by accident; such a state must not cover.
        .filter(move |(node, _)| self.slots[node.index()].bucket == bucket)
    }

    /// The nodes that cover the state, pushed into `out`: one, or under stop *join* all that do it together. `false` if
    /// it is not covered.
    pub fn find_coverers<D: Domain<State = S>>(
        &self,
        domain: &D,
        worker: &mut D::Worker,
        head: Head,
        state: &S,
        stop: StopOperator,
        out: &mut Vec<NodeId>,
    ) -> bool {
        if stop == StopOperator::Never {
            return false;
        }
        let Some(&bucket) = self.by_head.get(&(head, domain.partition(state))) else { return false };
        let hash = domain.hash(state);
        for (node, other) in self.with_key(bucket, hash) {
            if other == state || stop != StopOperator::Equality && domain.covers(worker, state, other) {
                out.push(node);
                return true;
            }
        }
        if stop == StopOperator::Equality {
            return false;
        }
        // The youngest shapes are the likeliest to cover; where there are very many, the others are not worth asking.
        for class in self.buckets[bucket as usize].iter().rev().take(MAX_SHAPES) {
            if class.members.is_empty() {
                continue;
            }
            let found = match domain.project(state, &class.like) {
                Projection::Never => None,
                // That was looked up just now.
                Projection::Hash(same) if same == hash => None,
                Projection::Hash(hash) => self.with_key(bucket, hash).find(|(_, other)| domain.covers(worker, state, other)),
                Projection::Scan => {
                    let states = class.members.iter().rev().take(MAX_SCANNED).filter_map(|&node| Some((node, self.get(node)?)));
                    states.into_iter().find(|(_, other)| domain.covers(worker, state, other))
                }
            };
            if let Some((node, _)) = found {
                out.push(node);
                return true;
            }
        }
        stop == StopOperator::Join && self.find_union(domain, worker, bucket, state, out)
    }

    fn find_union<D: Domain<State = S>>(&self, domain: &D, worker: &mut D::Worker, bucket: u32, state: &S, out: &mut Vec<NodeId>) -> bool {
        let nodes: Vec<NodeId> = self.buckets[bucket as usize].iter().flat_map(|class| class.members.iter().copied()).collect();
        let states: Vec<&S> = nodes.iter().filter_map(|&node| self.get(node)).collect();
        let covered = !states.is_empty() && domain.covered_by_union(worker, state, &states);
        if covered {
            out.extend(nodes);
        }
        covered
    }

    /// The indexed nodes that a state at this head could be merged with, pushed into `out`.
    pub fn candidates<D: Domain<State = S>>(&self, domain: &D, head: Head, state: &S, out: &mut Vec<NodeId>) {
        if let Some(&bucket) = self.by_head.get(&(head, domain.partition(state))) {
            out.extend(self.buckets[bucket as usize].iter().flat_map(|class| class.members.iter().copied()));
        }
    }

    /// All nodes with their states, removed ones left out.
    pub fn states(&self) -> impl Iterator<Item = (NodeId, &S)> {
        self.slots.iter().enumerate().filter_map(|(index, slot)| Some((NodeId::from_index(index), slot.state.as_ref()?)))
    }
}
