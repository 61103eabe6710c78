//! Portfolios as plain data, and those that are built in.

use crate::condition::{Condition, Facts};
use assay_base::ObstacleKind;
use std::time::Duration;

/// A state machine over analyses.
#[derive(Clone, PartialEq, Debug)]
pub struct Portfolio {
    /// Of the file, or the built-in one.
    pub name: String,
    /// What it is for, in a sentence.
    pub description: String,
    /// In the order of the file; the run begins with the first.
    pub nodes: Vec<Node>,
}

/// One analysis and when it runs.
#[derive(Clone, PartialEq, Debug)]
pub struct Node {
    /// As edges name it.
    pub name: String,
    /// The configuration that it starts from.
    pub preset: String,
    /// Settings that differ from the preset's.
    pub settings: Vec<(String, String)>,
    /// Part of the time that remains when the node begins.
    pub share: f64,
    /// And at most this long.
    pub at_most: Option<Duration>,
    /// Where it does not hold, the node is passed over as one that has nothing to do.
    pub when: Condition,
    /// What it is there for, in a few words.
    pub why: String,
    /// How often it may run; every cycle has a node that says so.
    pub limit: Option<u32>,
    /// The successors, the first that fits is taken.
    pub edges: Vec<Edge>,
    /// The line of the file where it begins.
    pub line: usize,
}

/// Where a run goes on: the first edge of a node whose reasons and condition hold.
#[derive(Clone, PartialEq, Debug)]
pub struct Edge {
    /// The place of a node in [`Portfolio::nodes`].
    pub to: usize,
    /// Reasons for which the node stopped; without any, all.
    pub on: Vec<ObstacleKind>,
    /// What must hold of the program, too.
    pub when: Condition,
    /// The line of the file.
    pub line: usize,
}

/// The portfolios that are built in, by name.
pub const PORTFOLIOS: &[(&str, &str)] = &[
    ("auto", include_str!("../portfolios/auto.toml")),
    ("sequential", include_str!("../portfolios/sequential.toml")),
    ("default", include_str!("../portfolios/default.toml")),
    ("theta-2021", include_str!("../portfolios/theta-2021.toml")),
];

impl Portfolio {
    /// Whether two nodes run the same analysis.
    pub(crate) fn same_analysis(&self, one: usize, other: usize) -> bool {
        let (one, other) = (&self.nodes[one], &self.nodes[other]);
        one.preset == other.preset && one.settings == other.settings
    }

    /// Whether a later node may go on with the analysis of this one.
    pub(crate) fn is_taken_up(&self, node: usize) -> bool {
        (node + 1..self.nodes.len()).any(|later| self.same_analysis(node, later))
    }

    /// The node that follows one that ended; `visits` says how often each ran.
    pub fn next(&self, from: usize, obstacle: ObstacleKind, facts: &Facts<'_>, visits: &[u32]) -> Option<&Edge> {
        self.nodes[from].edges.iter().find(|edge| {
            (edge.on.is_empty() || edge.on.contains(&obstacle))
                && self.nodes[edge.to].limit.is_none_or(|limit| visits[edge.to] < limit)
                && edge.when.holds(facts)
        })
    }

    /// The first node from here on that has something to do, with the edge that led to it; nodes along the path are
    /// passed over.
    pub fn settle(&self, at: usize, facts: &Facts<'_>, visits: &mut [u32]) -> Option<usize> {
        let mut at = at;
        while !self.nodes[at].when.holds(facts) {
            visits[at] += 1;
            at = self.next(at, ObstacleKind::NothingToDo, facts, visits)?.to;
        }
        Some(at)
    }

    /// The nodes that a run takes if each of them uses up its time, in order.
    pub fn path(&self, facts: &Facts<'_>) -> Vec<usize> {
        let mut visits = vec![0; self.nodes.len()];
        let mut path = Vec::new();
        let mut at = self.settle(0, facts, &mut visits);
        while let Some(node) = at {
            path.push(node);
            visits[node] += 1;
            let next = self.next(node, ObstacleKind::Time, facts, &visits).map(|edge| edge.to);
            at = next.and_then(|next| self.settle(next, facts, &mut visits));
        }
        path
    }
}
