//! Abstract states: regions at the ends of blocks, and paths inside of them.

use super::iterations::Iteration;
use assay_base::hash::mix;
use assay_cpa::Step;
use assay_formula::{KnownPointer, ObjectKey, State};
use assay_term::Term;
use biodivine_lib_bdd::Bdd;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// An abstraction point: the region of predicates at the end of a block.
#[derive(Debug)]
pub struct Abstraction {
    /// Tells the blocks of a run apart.
    pub serial: u64,
    /// Over the predicates' variables.
    pub region: Bdd,
    /// The region as a term over stable symbols.
    pub formula: Term,
    /// What the program's memory is made of, besides globals: objects and their sizes.
    pub shape: Vec<SizedObject>,
    /// Addresses that registers and cells hold; ascending.
    pub pointers: Vec<KnownPointer>,
    /// The start of the program is no region: its globals have values.
    pub initial: bool,
    /// The empty path from here.
    pub start: Arc<Segment>,
    /// The path that led here from the abstraction before.
    pub arrived: Option<Arc<Segment>>,
}

/// An object with its size.
pub(super) type SizedObject = (ObjectKey, Term);

/// The path formula of a block so far: all paths from its last abstraction to here, merged.
#[derive(Debug)]
pub struct Segment {
    /// Tells the paths of a run apart.
    pub serial: u64,
    /// From the abstraction to here, over stable symbols.
    pub formula: State,
    /// Edges on the longest of them.
    pub length: u32,
    /// How it came to be.
    pub origin: Origin,
    /// What others than the formula know here.
    pub known: Term,
    /// Loops that it is in, whose heads it passed; outer ones first.
    pub(super) iterations: Vec<Iteration>,
    /// How many calls were open where it left the places that all paths go through (`cuts`), if it did.
    pub(super) aside: Option<usize>,
    /// Of a merged path: those that it consists of, which are not merged themselves.
    parts: Vec<Arc<Segment>>,
}

/// Where a path comes from.
#[derive(Clone, Debug)]
pub enum Origin {
    /// It is empty.
    Start,
    /// A path that goes on by one step.
    Step {
        /// The path before.
        from: Arc<Segment>,
        /// An edge, or the return of a call.
        step: Step,
    },
    /// The first where the choice holds, else the second.
    Merge {
        /// Taken where the choice holds.
        first: Arc<Segment>,
        /// Taken elsewhere.
        second: Arc<Segment>,
        /// A truth value over symbols of both.
        choice: Term,
    },
}

impl Segment {
    /// The empty path.
    pub fn start(serial: u64, formula: State, known: Term) -> Self {
        Segment { serial, formula, length: 0, origin: Origin::Start, known, iterations: vec![], aside: None, parts: vec![] }
    }

    /// The path with one step appended.
    pub fn step(serial: u64, from: &Arc<Segment>, step: Step, formula: State, known: Term) -> Self {
        let origin = Origin::Step { from: from.clone(), step };
        let (iterations, aside) = (from.iterations.clone(), from.aside);
        Segment { serial, formula, length: from.length + 1, origin, known, iterations, aside, parts: vec![] }
    }

    /// Two paths that meet at one place.
    pub fn merge(serial: u64, first: &Arc<Segment>, second: &Arc<Segment>, formula: State, choice: Term, known: Term) -> Self {
        let parts = [first, second].into_iter().flat_map(|segment| segment.leaves()).cloned().collect();
        let origin = Origin::Merge { first: first.clone(), second: second.clone(), choice };
        let (iterations, aside) = (first.iterations.clone(), first.aside);
        Segment { serial, formula, length: first.length.max(second.length), origin, known, iterations, aside, parts }
    }

    fn leaves(self: &Arc<Segment>) -> &[Arc<Segment>] {
        if self.parts.is_empty() { std::slice::from_ref(self) } else { &self.parts }
    }

    /// Whether two paths are the same: the same step from the same path, with the same knowledge.
    fn is(self: &Arc<Segment>, other: &Arc<Segment>) -> bool {
        Arc::ptr_eq(self, other)
            || match (&self.origin, &other.origin) {
                (Origin::Step { from: a, step: x }, Origin::Step { from: b, step: y }) => {
                    x == y && Arc::ptr_eq(a, b) && self.known == other.known
                }
                _ => false,
            }
    }

    /// Paths of one abstraction that are in the same iterations of the same loops are merged where they meet.
    pub(super) fn partition(&self, abstraction: u64) -> u64 {
        let mut hasher = assay_base::hash::FastHasher::default();
        self.iterations.hash(&mut hasher);
        mix(abstraction ^ hasher.finish())
    }

    /// Whether every part of so is one of the other's.
    pub fn is_within(self: &Arc<Segment>, other: &Arc<Segment>) -> bool {
        self.is(other) || self.leaves().iter().all(|mine| other.leaves().iter().any(|theirs| mine.is(theirs)))
    }

    fn hash(&self) -> u64 {
        match &self.origin {
            Origin::Step { from, step } => {
                let number = match *step {
                    Step::Edge(edge) => u64::from(edge.0) << 1,
                    Step::Return(edge) => u64::from(edge.0) << 1 | 1,
                };
                mix(mix(from.serial) ^ number)
            }
            _ => mix(self.serial),
        }
    }
}

impl Drop for Segment {
    /// Long paths are taken down without recursion.
    fn drop(&mut self) {
        let mut work = Vec::new();
        self.release(&mut work);
        while let Some(segment) = work.pop() {
            if let Ok(mut segment) = Arc::try_unwrap(segment) {
                segment.release(&mut work);
            }
        }
    }
}

impl Segment {
    fn release(&mut self, work: &mut Vec<Arc<Segment>>) {
        work.append(&mut self.parts);
        match std::mem::replace(&mut self.origin, Origin::Start) {
            Origin::Start => {}
            Origin::Step { from, .. } => work.push(from),
            Origin::Merge { first, second, .. } => work.extend([first, second]),
        }
    }
}

/// A state: an abstraction, and the path from it, unless it is at the abstraction itself.
#[derive(Clone, Debug)]
pub struct PredicateState {
    /// Where the last block ended.
    pub at: Arc<Abstraction>,
    /// `None` at the end of a block.
    pub segment: Option<Arc<Segment>>,
}

impl PredicateState {
    /// The path so far; empty at an abstraction.
    pub fn current(&self) -> &Arc<Segment> {
        self.segment.as_ref().unwrap_or(&self.at.start)
    }

    /// Whether it is at the end of a block.
    pub fn is_abstraction(&self) -> bool {
        self.segment.is_none()
    }

    pub(super) fn hash_value(&self) -> u64 {
        match &self.segment {
            Some(segment) => segment.hash(),
            None => {
                let mut hasher = assay_base::hash::FastHasher::default();
                self.at.region.hash(&mut hasher);
                self.at.shape.hash(&mut hasher);
                self.at.pointers.hash(&mut hasher);
                self.at.initial.hash(&mut hasher);
                hasher.finish()
            }
        }
    }
}

impl PartialEq for PredicateState {
    fn eq(&self, other: &Self) -> bool {
        match (&self.segment, &other.segment) {
            (Some(a), Some(b)) => self.at.serial == other.at.serial && a.is(b),
            (None, None) => {
                let of = |state: &Self| (state.at.initial, state.at.shape.clone(), state.at.pointers.clone());
                of(self) == of(other) && self.at.region == other.at.region
            }
            _ => false,
        }
    }
}

impl Eq for PredicateState {}
