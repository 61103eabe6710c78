//! The fixed head of every abstract state: the location and the call stack, and the store of call stacks.

use assay_base::{Id, id_type};
use assay_cfa::{EdgeId, LocationId, Step};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, OnceLock};

id_type! {
    /// A call stack: equal ids mean equal stacks of call edges.
    pub struct StackId("S");
}

impl StackId {
    /// The stack of the function where the exploration began: no call is open.
    pub const EMPTY: StackId = StackId(0);
}

/// Where an abstract state is. States with different heads never cover each other and are never merged.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Head {
    /// Where control is in the innermost frame.
    pub location: LocationId,
    /// The calls that are open.
    pub stack: StackId,
}

/// One link of a graph of abstract states.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ArgStep {
    /// A step of the program.
    Step(Step),
    /// Through a whole block by its summary, entered from this number of application. Domains never see it.
    Block(u32),
}

impl From<Step> for ArgStep {
    fn from(step: Step) -> Self {
        ArgStep::Step(step)
    }
}

const CHUNK_BITS: u32 = 10;
const CHUNK: usize = 1 << CHUNK_BITS;
const NONE: u32 = u32::MAX;

struct Entry {
    parent: u32,
    /// The call edge on top.
    edge: u32,
    depth: u32,
    /// The list of the stacks with one call more: `first_child` grows at its front, `next_sibling` never changes after
    /// the entry is published.
    first_child: AtomicU32,
    next_sibling: u32,
}

/// A hash-consed, append-only store of call stacks. Reading takes no lock; a stack that is new takes one.
pub struct CallStacks {
    chunks: Box<[OnceLock<Box<[OnceLock<Entry>]>>]>,
    len: Mutex<u32>,
    bound: Option<u32>,
}

impl CallStacks {
    /// `bound` is the greatest number of open calls; [`push`](Self::push) refuses to go beyond it.
    pub fn new(bound: Option<u32>) -> Self {
        let chunks: Box<[_]> = (0..1 << 14).map(|_| OnceLock::new()).collect();
        let stacks = CallStacks { chunks, len: Mutex::new(1), bound };
        stacks.publish(0, Entry { parent: NONE, edge: NONE, depth: 0, first_child: AtomicU32::new(NONE), next_sibling: NONE });
        stacks
    }

    /// The greatest number of open calls.
    pub fn bound(&self) -> Option<u32> {
        self.bound
    }

    fn publish(&self, index: u32, entry: Entry) {
        let chunk = self.chunks[(index >> CHUNK_BITS) as usize].get_or_init(|| (0..CHUNK).map(|_| OnceLock::new()).collect());
        let fresh = chunk[index as usize & (CHUNK - 1)].set(entry).is_ok();
        debug_assert!(fresh, "an entry is written once");
    }

    #[inline]
    fn entry(&self, stack: StackId) -> &Entry {
        self.chunks[stack.index() >> CHUNK_BITS]
            .get()
            .and_then(|chunk| chunk[stack.index() & (CHUNK - 1)].get())
            .expect("a stack id comes from the store that made it")
    }

    fn find_child(&self, parent: &Entry, edge: EdgeId) -> Option<StackId> {
        let mut child = parent.first_child.load(Ordering::Acquire);
        while child != NONE {
            let entry = self.entry(StackId(child));
            if entry.edge == edge.0 {
                return Some(StackId(child));
            }
            child = entry.next_sibling;
        }
        None
    }

    /// The stack with one call more, or `None` where the bound (or the room of the store) forbids it.
    pub fn push(&self, stack: StackId, edge: EdgeId) -> Option<StackId> {
        let parent = self.entry(stack);
        if self.bound.is_some_and(|bound| parent.depth >= bound) {
            return None;
        }
        self.insert(stack, edge)
    }

    fn insert(&self, stack: StackId, edge: EdgeId) -> Option<StackId> {
        let parent = self.entry(stack);
        if let Some(found) = self.find_child(parent, edge) {
            return Some(found);
        }
        let mut len = self.len.lock().unwrap_or_else(|e| e.into_inner());
        if let Some(found) = self.find_child(parent, edge) {
            return Some(found);
        }
        let index = *len;
        if (index >> CHUNK_BITS) as usize >= self.chunks.len() {
            return None;
        }
        let next_sibling = parent.first_child.load(Ordering::Relaxed);
        let entry = Entry { parent: stack.0, edge: edge.0, depth: parent.depth + 1, first_child: AtomicU32::new(NONE), next_sibling };
        self.publish(index, entry);
        parent.first_child.store(index, Ordering::Release);
        *len += 1;
        Some(StackId(index))
    }

    /// The stack with one call more, whatever the bound: for paths that are put together from blocks. `None`
    /// where the room of the store ends.
    pub fn push_unbounded(&self, stack: StackId, edge: EdgeId) -> Option<StackId> {
        self.insert(stack, edge)
    }

    /// The call on top and the stack below it; `None` for the empty stack.
    #[inline]
    pub fn pop(&self, stack: StackId) -> Option<(EdgeId, StackId)> {
        let entry = self.entry(stack);
        (entry.parent != NONE).then_some((EdgeId(entry.edge), StackId(entry.parent)))
    }

    /// The number of open calls.
    #[inline]
    pub fn depth(&self, stack: StackId) -> u32 {
        self.entry(stack).depth
    }

    /// The open calls, outermost first.
    pub fn calls(&self, stack: StackId) -> Vec<EdgeId> {
        let mut calls = Vec::with_capacity(self.depth(stack) as usize);
        let mut at = stack;
        while let Some((edge, below)) = self.pop(at) {
            calls.push(edge);
            at = below;
        }
        calls.reverse();
        calls
    }

    /// How many stacks were made, the empty one included.
    pub fn len(&self) -> usize {
        *self.len.lock().unwrap_or_else(|e| e.into_inner()) as usize
    }

    /// Never: the empty stack is always there.
    pub fn is_empty(&self) -> bool {
        false
    }
}

impl std::fmt::Debug for CallStacks {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "CallStacks({} stacks, bound {:?})", self.len(), self.bound)
    }
}
