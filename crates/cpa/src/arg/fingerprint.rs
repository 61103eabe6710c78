//! A fingerprint of the graph as it is now, for the caller that wants to know whether it was like this before. Order
//! matters: it is a chain over the nodes in the order in which they were made, each with the position of its parent,
//! the step, its head and what covers it. Only what changed since the last question is computed.

use super::{Arg, ArgPath, NodeId};
use crate::stack::ArgStep;
use assay_base::{Fingerprint, Id};
use assay_cfa::Step;

/// What is known of a prefix of the nodes.
#[derive(Clone, Debug, Default)]
pub(super) struct Prints {
    /// For each node of the prefix, the chain up to it and its position among the nodes that are in the graph.
    chain: Vec<(Fingerprint, u32)>,
}

impl Prints {
    /// A node changed: what follows it must be computed anew.
    #[inline]
    pub(super) fn touch(&mut self, node: NodeId) {
        if node.index() < self.chain.len() {
            self.chain.truncate(node.index());
        }
    }
}

/// A step as a number that no other step has.
fn code(step: ArgStep) -> u128 {
    match step {
        ArgStep::Step(Step::Edge(edge)) => (edge.index() as u128) << 2,
        ArgStep::Step(Step::Return(edge)) => (edge.index() as u128) << 2 | 1,
        ArgStep::Block(number) => u128::from(number) << 2 | 2,
    }
}

impl Arg {
    /// Equal for graphs of the same structure that were made in the same order, whatever was removed from them in
    /// between.
    pub fn fingerprint(&mut self) -> Fingerprint {
        let mut chain = std::mem::take(&mut self.prints.chain);
        let (mut print, mut position) = chain.last().copied().unwrap_or_default();
        for node in self.nodes.ids().skip(chain.len()) {
            if !self.is_removed(node) {
                position += 1;
                let head = self.head(node);
                let place = |other: NodeId| chain.get(other.index()).map_or(0, |(_, position)| *position);
                let (step, parent) = self.creator(node).map_or((0, 0), |(step, parent)| (1 + code(step), place(parent)));
                print = print.with(step << 32 | u128::from(parent));
                let target = u128::from(self.is_target(node));
                print = print.with(target << 64 | (head.location.index() as u128) << 32 | head.stack.index() as u128);
                for coverer in self.coverers(node) {
                    // One that was made later has no position yet; its place in the order of making says enough.
                    let position = if coverer < node { place(coverer) } else { u32::MAX };
                    print = print.with(1 << 100 | u128::from(position));
                }
            }
            chain.push((print, position));
        }
        self.prints.chain = chain;
        print
    }
}

impl ArgPath {
    /// Equal for paths over the same steps, and for no others.
    pub fn print(&self) -> Fingerprint {
        self.steps.iter().fold(Fingerprint::default(), |print, &step| print.with(code(step)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stack::{Head, StackId};
    use assay_cfa::{EdgeId, LocationId};

    fn head(location: usize) -> Head {
        Head { location: LocationId::from_index(location), stack: StackId::EMPTY }
    }
    fn step(edge: usize) -> Step {
        Step::Edge(EdgeId::from_index(edge))
    }

    #[test]
    fn a_graph_that_is_built_again_is_recognised_and_order_matters() {
        let mut arg = Arg::new();
        let root = arg.add_root(head(0));
        let first = arg.add_child(root, step(0), head(1));
        arg.add_child(first, step(1), head(2));
        let before = arg.fingerprint();
        assert_eq!(arg.fingerprint(), before);
        let other = arg.add_child(root, step(2), head(3));
        let larger = arg.fingerprint();
        assert_ne!(larger, before);
        arg.remove_subtree(other, false);
        assert_eq!(arg.fingerprint(), before);
        arg.remove_subtree(first, false);
        let again = arg.add_child(root, step(0), head(1));
        arg.add_child(again, step(1), head(2));
        assert_eq!(arg.fingerprint(), before, "built again as it was");
        arg.add_child(root, step(2), head(3));
        assert_eq!(arg.fingerprint(), larger);
        // The same nodes, made in another order.
        let mut turned = Arg::new();
        let root = turned.add_root(head(0));
        turned.add_child(root, step(2), head(3));
        let first = turned.add_child(root, step(0), head(1));
        turned.add_child(first, step(1), head(2));
        assert_ne!(turned.fingerprint(), larger);
    }

    #[test]
    fn coverings_count() {
        let mut arg = Arg::new();
        let root = arg.add_root(head(0));
        let (a, b) = (arg.add_child(root, step(0), head(1)), arg.add_child(root, step(1), head(1)));
        let open = arg.fingerprint();
        arg.cover(b, a);
        let covered = arg.fingerprint();
        assert_ne!(open, covered);
        arg.uncover(b);
        assert_eq!(arg.fingerprint(), open);
    }
}
