//! Transformations of programs. Each takes a program and gives a program together with a map from the edges of
//! the new one to the edges of the old one, so that a path found after passes can be told in terms of what was before.
//!
//! Variables, functions and value sources keep their ids (and so their symbols) in every pass; locations and edges
//! may be renumbered.
//!
//! [`latches`] keeps all ids and only adds places, so it needs no map.
//!
//! [`cells`] and [`recursion`] stand apart: their programs are for proofs alone, so they have no map back, and the
//! symbols of functions move to make room for new variables.

pub mod cells;
pub mod constants;
mod initialised;
pub mod large_block;
pub mod latches;
pub mod property;
mod rebuild;
pub mod recursion;
pub mod skip;
mod strip;
pub mod unreachable;

use assay_base::Id;
use assay_cfa::program::{EdgeId, Program};

/// The result of a pass.
#[derive(Clone, Debug)]
pub struct Transformed {
    /// The new program.
    pub program: Program,
    /// What each of its edges was, for paths of the old program.
    pub edges: EdgeMap,
}

/// The passes that can be chosen. None of them changes whether a target is reached.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Pass {
    /// Drops what no path from the entry reaches.
    Unreachable,
    /// Puts constants in the place of registers that hold them on every path.
    Constants,
    /// Joins locations that only a skip parts.
    Skip,
    /// Merges conditions, and puts values that are used once in place.
    LargeBlock,
}

impl Pass {
    /// Every pass once.
    pub const ALL: [Pass; 4] = [Pass::Unreachable, Pass::Constants, Pass::Skip, Pass::LargeBlock];

    /// As in options.
    pub const fn name(self) -> &'static str {
        match self {
            Pass::Unreachable => "unreachable",
            Pass::Constants => "constants",
            Pass::Skip => "skip",
            Pass::LargeBlock => "large-block",
        }
    }

    /// The new program, and what became of the edges.
    pub fn apply(self, program: Program) -> Transformed {
        match self {
            Pass::Unreachable => unreachable::remove_unreachable(program),
            Pass::Constants => constants::propagate_constants(program),
            Pass::Skip => skip::collapse_skips(program),
            Pass::LargeBlock => large_block::merge_edges(program),
        }
    }
}

/// Runs passes one after the other; the map leads from the last program's edges to the first one's.
pub fn run(program: Program, passes: &[Pass]) -> Transformed {
    let first = Transformed { edges: EdgeMap::identity(program.edges.len()), program };
    passes.iter().fold(first, |before, pass| {
        let next = pass.apply(before.program);
        Transformed { edges: next.edges.after(&before.edges), program: next.program }
    })
}

/// For each edge of a new program the edges of the old one that it stands for, in the order in which they are taken. An
/// edge that the pass invented has none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EdgeMap {
    /// Where the list of each edge ends in `lists`.
    ends: Vec<u32>,
    lists: Vec<EdgeId>,
}

impl EdgeMap {
    /// The map of a pass that changes nothing.
    pub fn identity(edges: usize) -> Self {
        EdgeMap { ends: (1..=edges as u32).collect(), lists: (0..edges).map(EdgeId::from_index).collect() }
    }

    /// Adds the next edge of the new program.
    pub fn push(&mut self, originals: impl IntoIterator<Item = EdgeId>) {
        self.lists.extend(originals);
        self.ends.push(self.lists.len() as u32);
    }

    /// The number of edges of the new program.
    pub fn len(&self) -> usize {
        self.ends.len()
    }
    /// Whether the new program has no edges.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The old edges of a new one.
    pub fn originals(&self, edge: EdgeId) -> &[EdgeId] {
        let index = edge.index();
        let start = if index == 0 { 0 } else { self.ends[index - 1] as usize };
        &self.lists[start..self.ends[index] as usize]
    }

    /// The map of this pass after an earlier one: new edges to the edges before both.
    #[must_use]
    pub fn after(&self, earlier: &EdgeMap) -> EdgeMap {
        let mut joined = EdgeMap::default();
        for index in 0..self.len() {
            let originals = self.originals(EdgeId::from_index(index));
            joined.push(originals.iter().flat_map(|&middle| earlier.originals(middle).iter().copied()));
        }
        joined
    }
}

/// Reads the program, runs the pass, and compares what it prints without its header lines; `map` says for each new edge
/// where it comes from.
#[cfg(test)]
pub(crate) fn check(text: &str, pass: impl FnOnce(Program) -> Transformed, expected: &str) {
    let program = assay_cfa::text::read(text).expect("the fixture is readable");
    let errors = assay_cfa::verifier::verify(&program);
    assert!(errors.is_empty(), "the fixture is damaged: {errors:?}");
    let edges = program.edges.len();
    let Transformed { program, edges: map } = pass(program);
    let printed = assay_cfa::text::print(&program);
    let errors = assay_cfa::verifier::verify(&program);
    assert!(errors.is_empty(), "{errors:?}\n{printed}");
    assert_eq!(map.len(), program.edges.len(), "every edge has an entry in the map");
    for edge in program.edges.ids() {
        assert!(map.originals(edge).iter().all(|e| e.index() < edges), "{edge} maps to an edge that was not there");
    }
    let lines = |text: &str| -> Vec<String> {
        let kept = text.lines().map(str::trim).filter(|l| !l.is_empty());
        kept.filter(|l| !["program", "questions", "local", "global", "source"].iter().any(|k| l.split(' ').next() == Some(k)))
            .map(String::from)
            .collect()
    };
    assert_eq!(lines(&printed), lines(expected), "printed:\n{printed}");
}

#[cfg(test)]
mod tests;
