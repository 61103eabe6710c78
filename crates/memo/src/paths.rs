//! Paths to the exits of summaries on disk, kept beside them: a run that finds a violation behind summaries of another
//! run needs the steps through their blocks, and would have to explore them for these.
//!
//! A step is an edge, by its function and its place there, or leads through an inner block, by the key of the inner
//! summary and the number of the exit. With them is the code of the functions in which edges lie: a place is that of
//! the same edge only if all of the function is the same.

use super::disk::{Disk, Hash, Store};
use super::reduce::Reduce;
use super::shared::Shared;
use super::summary::{Known, Summary};
use assay_base::{ByteReader, ByteWriter, FastMap};
use assay_cfa::EdgeId;
use assay_cfa::Step;
use assay_cfa::portable::Names;
use assay_cpa::arg::NodeId;
use assay_cpa::stack::ArgStep;

/// Of graphs with more nodes on the paths to their exits no paths are kept; they are found anew by exploring.
const MOST_NODES: usize = 50_000;
/// With all inner blocks opened.
const MOST_FLAT_STEPS: usize = 2_000_000;

/// Where the paths of a summary are.
pub(super) fn key(summary: &Hash) -> Vec<u8> {
    [b"paths".as_slice(), summary].concat()
}

/// One step of a path on disk.
#[derive(Clone, Copy)]
enum Kept {
    Step(Step),
    Block(Hash, usize),
}

/// The tree of the paths to all exits of a summary with a graph: for each node but the root, parents first, how far
/// before it its parent is and the step from there; then the nodes of the exits. `None` where there are too many, or
/// paths lead through summaries that are not on disk.
pub(super) fn write<D: Reduce>(disk: &Disk<'_>, shared: &Shared<'_, D>, names: &Names<'_>, summary: &Summary<'_, D>) -> Option<Vec<u8>> {
    let graph = summary.graph()?;
    let arg = &graph.exploration.arg;
    let mut numbers: FastMap<NodeId, usize> = FastMap::default();
    numbers.insert(arg.root()?, 0);
    let mut tree: Vec<(usize, ArgStep)> = Vec::new();
    for exit in &summary.exits {
        let (mut chain, mut at) = (Vec::new(), exit.node);
        while !numbers.contains_key(&at) {
            let (step, parent) = arg.creator(at)?;
            chain.push((at, step, parent));
            at = parent;
        }
        for (node, step, parent) in chain.into_iter().rev() {
            tree.push((numbers[&parent], step));
            numbers.insert(node, tree.len());
        }
        if tree.len() > MOST_NODES {
            return None;
        }
    }
    let mut out = ByteWriter::default();
    out.number(tree.len() as u64);
    let mut function = "";
    for (index, &(parent, step)) in tree.iter().enumerate() {
        out.number((index + 1 - parent) as u64);
        match step {
            ArgStep::Step(step) => {
                let (own, place) = names.edge_name(step.edge());
                let is_return = u64::from(step.is_return());
                out.number(is_return + if own == function { 0 } else { 2 });
                if own != function {
                    out.text(own);
                    out.note_place(own);
                    function = own;
                }
                out.number(u64::from(place));
            }
            ArgStep::Block(number) => {
                let (inner, node) = *graph.applications.get(number as usize)?;
                let Known::Here(inner) = shared.summaries.get(inner)? else { return None };
                out.number(4);
                out.bytes.extend_from_slice(inner.key.get()?);
                out.number(inner.exits.iter().position(|exit| exit.node == node)? as u64);
            }
        }
    }
    for exit in &summary.exits {
        out.number(numbers[&exit.node] as u64);
    }
    let mut record = ByteWriter::default();
    record.number(out.places_in.len() as u64);
    for name in &out.places_in {
        record.text(name);
        record.bytes.extend_from_slice(disk.function(names.function(name)?));
    }
    record.bytes.extend_from_slice(&out.bytes);
    Some(record.bytes)
}

/// The path to an exit, with all inner blocks opened; `None` if a part of it is not there.
pub(super) fn read(disk: &Disk<'_>, store: &dyn Store, names: &Names<'_>, summary: &Hash, exit: usize) -> Option<Vec<Step>> {
    let mut flat = Vec::new();
    // What is still to be opened, the next on top.
    let mut stack = vec![one(disk, store, names, summary, exit)?.into_iter()];
    while let Some(steps) = stack.last_mut() {
        match steps.next() {
            None => {
                stack.pop();
            }
            Some(Kept::Step(step)) => flat.push(step),
            Some(Kept::Block(inner, exit)) => stack.push(one(disk, store, names, &inner, exit)?.into_iter()),
        }
        if flat.len() > MOST_FLAT_STEPS || stack.len() > MOST_FLAT_STEPS {
            return None;
        }
    }
    Some(flat)
}

/// The path to an exit in the block's own graph.
fn one(disk: &Disk<'_>, store: &dyn Store, names: &Names<'_>, summary: &Hash, exit: usize) -> Option<Vec<Kept>> {
    let bytes = store.get(&key(summary))?;
    let mut from = ByteReader::new(&bytes);
    for _ in 0..from.number()? {
        let name = from.text()?;
        if !disk.is_same(name, from.raw(32)?) {
            return None;
        }
    }
    let count = from.number()?;
    let (mut tree, mut function) = (Vec::new(), "");
    for _ in 0..count {
        let parent = (tree.len() + 1).checked_sub(from.small()? as usize)?;
        let kind = from.number()?;
        let kept = if kind == 4 {
            Kept::Block(from.raw(32)?.try_into().ok()?, from.small()? as usize)
        } else {
            if kind >= 2 {
                function = from.text()?;
            }
            let edge: EdgeId = names.edge(function, from.small()?)?;
            Kept::Step(if kind % 2 == 1 { Step::Return(edge) } else { Step::Edge(edge) })
        };
        if parent > tree.len() {
            return None;
        }
        tree.push((parent, kept));
    }
    for _ in 0..exit {
        from.number()?;
    }
    let mut at = from.small()? as usize;
    let mut path = Vec::new();
    // Parents come before their children, so that this ends.
    while at > 0 {
        let (parent, kept) = tree.get(at - 1)?;
        path.push(*kept);
        at = *parent;
    }
    path.reverse();
    Some(path)
}
