//! The abstract reachability graph: ids outside the states, not generic, so that it compiles once.
//!
//! Nodes are never renumbered; removed ones stay as marked ids. Links (parent, step, child) and coverings live in
//! arenas with intrusive lists, so that a node costs no allocation of its own.

mod fingerprint;

use crate::stack::{ArgStep, Head};
use assay_base::{IdVec, Obstacle, ObstacleKind, id_type};
use assay_cfa::Step;
use assay_cfa::{EdgeId, Program, Target};
use std::collections::BTreeMap;

id_type! {
    /// A node of a reachability graph.
    pub struct NodeId("N");
}

/// Why a node is a target.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TargetKind {
    /// Its location, or its domain, says that the property is violated.
    Property(Target),
    /// The step into it could not be followed: it carries a construct that is not modelled, or the domain could not go
    /// on. It counts where an execution gets there.
    Open(Obstacle),
}

impl TargetKind {
    /// A target behind an edge with a construct that is not modelled.
    pub(crate) fn unsupported(program: &Program, edge: EdgeId) -> TargetKind {
        TargetKind::Open(Obstacle::unsupported(program.unsupported_at(edge)))
    }
    /// Whether the edge into it carries a construct that is not modelled.
    pub fn is_unsupported(&self) -> bool {
        matches!(self, TargetKind::Open(obstacle) if obstacle.kind == ObstacleKind::Unsupported)
    }
}

/// What is known about a target.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TargetInfo {
    /// Why it counts as a target.
    pub kind: TargetKind,
    /// Set when nothing could confirm or refute it: while it stands, the graph proves nothing.
    pub unresolved: Option<Obstacle>,
}

/// A path from the root: `steps[i]` leads from `nodes[i]` to `nodes[i + 1]`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ArgPath {
    /// From the root to the last one; one more than there are steps.
    pub nodes: Vec<NodeId>,
    /// What leads from each node to the next.
    pub steps: Vec<ArgStep>,
}

impl ArgPath {
    /// The steps of the program; `None` where the path leads through a block.
    pub fn program_steps(&self) -> Option<Vec<Step>> {
        let single = |step: &ArgStep| match *step {
            ArgStep::Step(step) => Some(step),
            ArgStep::Block(_) => None,
        };
        self.steps.iter().map(single).collect()
    }

    /// The steps, each with the node from which it leads.
    pub fn into_moves(self) -> std::vec::IntoIter<(NodeId, ArgStep)> {
        self.nodes.into_iter().zip(self.steps).collect::<Vec<_>>().into_iter()
    }
}

/// What the removal of a subtree leaves to do.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Removal {
    /// No longer in the graph; their states are to be dropped.
    pub removed: Vec<NodeId>,
    /// Nodes that stay but lost a child over this step.
    pub redo: Vec<(NodeId, ArgStep)>,
    /// Nodes that stay but are no longer covered.
    pub uncovered: Vec<NodeId>,
}

const NONE: u32 = u32::MAX;

const REMOVED: u8 = 1;
const EXPANDED: u8 = 2;
const TARGET: u8 = 4;
const WAITING: u8 = 8;

#[derive(Clone, Debug)]
struct Node {
    head: Head,
    /// Lists of links; `creator` is the link that the node was made with (none for a root).
    first_child: u32,
    first_parent: u32,
    creator: u32,
    /// Lists of coverings: those where this node is covered, and those where it covers.
    covered_by: u32,
    covers: u32,
    flags: u8,
}

#[derive(Clone, Debug)]
struct Link {
    parent: NodeId,
    child: NodeId,
    step: ArgStep,
    next_child: u32,
    next_parent: u32,
}

#[derive(Clone, Debug)]
struct Covering {
    coverer: NodeId,
    covered: NodeId,
    next_of_covered: u32,
    next_of_coverer: u32,
    previous_of_coverer: u32,
}

/// The graph. All operations take ids of this graph.
#[derive(Clone, Debug, Default)]
pub struct Arg {
    nodes: IdVec<NodeId, Node>,
    links: Vec<Link>,
    free_links: Vec<u32>,
    coverings: Vec<Covering>,
    free_coverings: Vec<u32>,
    targets: BTreeMap<NodeId, TargetInfo>,
    root: Option<NodeId>,
    removed: usize,
    prints: fingerprint::Prints,
}

impl Arg {
    /// A graph without nodes.
    pub fn new() -> Self {
        Self::default()
    }

    /// A node without parents; the first one is the root.
    pub fn add_root(&mut self, head: Head) -> NodeId {
        let id =
            self.nodes.push(Node { head, first_child: NONE, first_parent: NONE, creator: NONE, covered_by: NONE, covers: NONE, flags: 0 });
        self.root.get_or_insert(id);
        id
    }

    /// A new node reached from `parent`.
    pub fn add_child(&mut self, parent: NodeId, step: impl Into<ArgStep>, head: Head) -> NodeId {
        let id =
            self.nodes.push(Node { head, first_child: NONE, first_parent: NONE, creator: NONE, covered_by: NONE, covers: NONE, flags: 0 });
        let link = self.link(parent, step.into(), id);
        self.nodes[id].creator = link;
        id
    }

    /// One more parent of a node, unless the same link is there already.
    pub fn add_parent(&mut self, parent: NodeId, step: impl Into<ArgStep>, child: NodeId) {
        let step = step.into();
        if !self.children(parent).any(|(s, c)| s == step && c == child) {
            self.link(parent, step, child);
        }
    }

    fn link(&mut self, parent: NodeId, step: ArgStep, child: NodeId) -> u32 {
        let link = Link { parent, child, step, next_child: self.nodes[parent].first_child, next_parent: self.nodes[child].first_parent };
        let index = match self.free_links.pop() {
            Some(index) => {
                self.links[index as usize] = link;
                index
            }
            None => {
                self.links.push(link);
                (self.links.len() - 1) as u32
            }
        };
        self.nodes[parent].first_child = index;
        self.nodes[child].first_parent = index;
        index
    }

    /// The node at the program's entry.
    pub fn root(&self) -> Option<NodeId> {
        self.root.filter(|&root| !self.is_removed(root))
    }
    /// Location and call stack of a node.
    #[inline]
    pub fn head(&self, node: NodeId) -> Head {
        self.nodes[node].head
    }
    /// How many ids were given, removed ones included.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }
    /// Whether there is no node.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }
    /// How many nodes are in the graph now.
    pub fn live_len(&self) -> usize {
        self.nodes.len() - self.removed
    }
    /// The nodes that are in the graph now, in the order in which they were made.
    pub fn live(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.nodes.ids().filter(|&id| !self.is_removed(id))
    }
    /// Whether it was taken out of the graph; its id is not used again.
    #[inline]
    pub fn is_removed(&self, node: NodeId) -> bool {
        self.has(node, REMOVED)
    }
    /// Whether it is covered: another node, or several, stand for it and it is not expanded.
    #[inline]
    pub fn is_covered(&self, node: NodeId) -> bool {
        self.nodes[node].covered_by != NONE
    }
    /// Whether it counts as a target.
    #[inline]
    pub fn is_target(&self, node: NodeId) -> bool {
        self.has(node, TARGET)
    }
    /// Whether its successors were computed.
    #[inline]
    pub fn is_expanded(&self, node: NodeId) -> bool {
        self.has(node, EXPANDED)
    }
    /// Whether it is on the waitlist.
    #[inline]
    pub fn is_waiting(&self, node: NodeId) -> bool {
        self.has(node, WAITING)
    }
    /// For the exploration, when successors are computed or to be computed anew.
    #[inline]
    pub fn set_expanded(&mut self, node: NodeId, on: bool) {
        self.set(node, EXPANDED, on);
    }
    /// For the exploration, when it goes on the waitlist or comes off it.
    #[inline]
    pub fn set_waiting(&mut self, node: NodeId, on: bool) {
        self.set(node, WAITING, on);
    }
    #[inline]
    fn has(&self, node: NodeId, flag: u8) -> bool {
        self.nodes[node].flags & flag != 0
    }
    #[inline]
    fn set(&mut self, node: NodeId, flag: u8, on: bool) {
        let flags = &mut self.nodes[node].flags;
        *flags = if on { *flags | flag } else { *flags & !flag };
    }

    /// The children with the steps to them, newest first.
    pub fn children(&self, node: NodeId) -> impl Iterator<Item = (ArgStep, NodeId)> + '_ {
        let mut at = self.nodes[node].first_child;
        std::iter::from_fn(move || {
            let link = self.links.get(at as usize)?;
            at = link.next_child;
            Some((link.step, link.child))
        })
    }
    /// The parent that the node was made from.
    pub fn creator(&self, node: NodeId) -> Option<(ArgStep, NodeId)> {
        self.links.get(self.nodes[node].creator as usize).map(|link| (link.step, link.parent))
    }
    /// The nodes that cover this one: one under stop *sep*.
    pub fn coverers(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let mut at = self.nodes[node].covered_by;
        std::iter::from_fn(move || {
            let covering = self.coverings.get(at as usize)?;
            at = covering.next_of_covered;
            Some(covering.coverer)
        })
    }
    /// The nodes that this one covers, newest first.
    pub fn covered(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let mut at = self.nodes[node].covers;
        std::iter::from_fn(move || {
            let covering = self.coverings.get(at as usize)?;
            at = covering.next_of_coverer;
            Some(covering.covered)
        })
    }

    /// Notes that `coverer` (alone, or together with others) covers `covered`, which must not have children.
    pub fn cover(&mut self, covered: NodeId, coverer: NodeId) {
        self.prints.touch(covered);
        let next_of_coverer = self.nodes[coverer].covers;
        let covering =
            Covering { coverer, covered, next_of_covered: self.nodes[covered].covered_by, next_of_coverer, previous_of_coverer: NONE };
        let index = match self.free_coverings.pop() {
            Some(index) => {
                self.coverings[index as usize] = covering;
                index
            }
            None => {
                self.coverings.push(covering);
                (self.coverings.len() - 1) as u32
            }
        };
        if let Some(next) = self.coverings.get_mut(next_of_coverer as usize) {
            next.previous_of_coverer = index;
        }
        self.nodes[covered].covered_by = index;
        self.nodes[coverer].covers = index;
    }

    /// Takes all coverings of a covered node away.
    pub fn uncover(&mut self, covered: NodeId) {
        self.prints.touch(covered);
        let mut at = std::mem::replace(&mut self.nodes[covered].covered_by, NONE);
        while let Some(covering) = self.coverings.get(at as usize) {
            let Covering { coverer, next_of_covered, next_of_coverer, previous_of_coverer, .. } = *covering;
            match self.coverings.get_mut(previous_of_coverer as usize) {
                Some(previous) => previous.next_of_coverer = next_of_coverer,
                None => self.nodes[coverer].covers = next_of_coverer,
            }
            if let Some(next) = self.coverings.get_mut(next_of_coverer as usize) {
                next.previous_of_coverer = previous_of_coverer;
            }
            self.free_coverings.push(at);
            at = next_of_covered;
        }
    }

    /// Marks it as a target that is neither confirmed nor refuted.
    pub fn set_target(&mut self, node: NodeId, kind: TargetKind) {
        self.set(node, TARGET, true);
        self.prints.touch(node);
        self.targets.insert(node, TargetInfo { kind, unresolved: None });
    }
    /// The target stays in the graph, and the graph proves nothing while it does.
    pub fn set_unresolved(&mut self, node: NodeId, reason: Obstacle) {
        if let Some(info) = self.targets.get_mut(&node) {
            info.unresolved = Some(reason);
        }
    }
    /// The targets that are in the graph now.
    pub fn targets(&self) -> impl Iterator<Item = (NodeId, &TargetInfo)> {
        self.targets.iter().map(|(node, info)| (*node, info))
    }
    /// What is known about it, if it is a target.
    pub fn target(&self, node: NodeId) -> Option<&TargetInfo> {
        self.targets.get(&node)
    }

    /// The path on which the node was found.
    pub fn path_to(&self, node: NodeId) -> ArgPath {
        let mut nodes = vec![node];
        let mut steps = Vec::new();
        let mut at = node;
        while let Some((step, parent)) = self.creator(at) {
            nodes.push(parent);
            steps.push(step);
            at = parent;
        }
        nodes.reverse();
        steps.reverse();
        ArgPath { nodes, steps }
    }

    /// The deepest node on the creation paths of both.
    pub fn common_ancestor(&self, a: NodeId, b: NodeId) -> NodeId {
        // A creator is always older than what it creates, so the younger of two nodes can go up.
        let (mut a, mut b) = (a, b);
        while a != b {
            let younger = if a > b { &mut a } else { &mut b };
            match self.creator(*younger) {
                Some((_, parent)) => *younger = parent,
                None => return *younger,
            }
        }
        a
    }

    /// Removes a node and everything below it. With `keep_root` the node itself stays, without children.
    pub fn remove_subtree(&mut self, root: NodeId, keep_root: bool) -> Removal {
        let mut removal = Removal::default();
        let mut stack: Vec<NodeId> = if keep_root { self.children(root).map(|(_, child)| child).collect() } else { vec![root] };
        // A kept root that its own subtree leads back to (only possible with merges) is protected here.
        while let Some(node) = stack.pop() {
            if self.is_removed(node) || (keep_root && node == root) {
                continue;
            }
            self.set(node, REMOVED, true);
            self.prints.touch(node);
            removal.removed.push(node);
            stack.extend(self.children(node).map(|(_, child)| child));
        }
        self.removed += removal.removed.len();
        for index in 0..removal.removed.len() {
            self.detach(removal.removed[index], &mut removal);
        }
        if keep_root {
            self.set(root, EXPANDED, false);
            removal.redo.retain(|&(node, _)| node != root);
        }
        removal
    }

    /// Unlinks a removed node from what stays.
    fn detach(&mut self, node: NodeId, removal: &mut Removal) {
        self.targets.remove(&node);
        self.set(node, TARGET, false);
        let mut at = std::mem::replace(&mut self.nodes[node].first_parent, NONE);
        while let Some(link) = self.links.get(at as usize) {
            let (parent, step, next) = (link.parent, link.step, link.next_parent);
            if !self.is_removed(parent) {
                self.unlink_child(parent, at);
                removal.redo.push((parent, step));
                self.free_links.push(at);
            }
            // A removed parent frees its links itself, with its list of children.
            at = next;
        }
        self.nodes[node].creator = NONE;
        let mut at = std::mem::replace(&mut self.nodes[node].first_child, NONE);
        while let Some(link) = self.links.get(at as usize) {
            let (child, next) = (link.child, link.next_child);
            if !self.is_removed(child) {
                // Only the protected root: it loses a parent that was not its creator.
                self.unlink_parent(child, at);
            }
            self.free_links.push(at);
            at = next;
        }
        self.uncover(node);
        while let Some(covering) = self.coverings.get(self.nodes[node].covers as usize) {
            let covered = covering.covered;
            self.uncover(covered);
            if !self.is_removed(covered) {
                removal.uncovered.push(covered);
            }
        }
    }

    fn unlink_child(&mut self, parent: NodeId, link: u32) {
        let next = self.links[link as usize].next_child;
        let mut at = self.nodes[parent].first_child;
        if at == link {
            self.nodes[parent].first_child = next;
            return;
        }
        while let Some(current) = self.links.get_mut(at as usize) {
            if current.next_child == link {
                current.next_child = next;
                return;
            }
            at = current.next_child;
        }
    }

    fn unlink_parent(&mut self, child: NodeId, link: u32) {
        let next = self.links[link as usize].next_parent;
        let mut at = self.nodes[child].first_parent;
        if at == link {
            self.nodes[child].first_parent = next;
            return;
        }
        while let Some(current) = self.links.get_mut(at as usize) {
            if current.next_parent == link {
                current.next_parent = next;
                return;
            }
            at = current.next_parent;
        }
    }

    /// Damages the graph, for tests of the checker.
    #[doc(hidden)]
    pub fn force_removed(&mut self, node: NodeId) {
        self.set(node, REMOVED, true);
    }
}

impl ArgPath {
    /// How many steps the path has.
    pub fn len(&self) -> usize {
        self.steps.len()
    }
    /// Whether it has no steps.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }
    /// The last node.
    pub fn end(&self) -> NodeId {
        self.nodes[self.nodes.len() - 1]
    }
}

impl Arg {
    /// An estimate of the bytes that the graph takes.
    pub fn memory(&self) -> usize {
        self.nodes.len() * size_of::<Node>() + self.links.len() * size_of::<Link>() + self.coverings.len() * size_of::<Covering>()
    }
}
