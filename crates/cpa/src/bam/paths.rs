//! Paths to the exits of summaries on disk, kept beside them: a run that finds a violation behind summaries of another run needs the
//! steps through their blocks, and would have to explore them for these.
//!
//! A path is a list of edges, each by its function and its place there, and of steps through inner blocks, each by the key of the inner
//! summary and the number of the exit. The keys say that the text of all functions on the way is the same.

use super::disk::{Hash, Store};
use super::reduce::Reduce;
use super::shared::Shared;
use super::summary::{Known, Summary};
use crate::stack::Step;
use assay_base::{ByteReader, ByteWriter};
use assay_cfa::EdgeId;
use assay_cfa::portable::Names;

/// Longer paths are not kept, but found anew by exploring.
const MOST_STEPS: usize = 5000;
/// With all inner blocks opened.
const MOST_FLAT_STEPS: usize = 2_000_000;

/// Where the paths of a summary are.
pub(super) fn key(summary: &Hash) -> Vec<u8> {
    [b"paths".as_slice(), summary].concat()
}

/// One step of a path on disk.
enum Kept {
    Step(Step),
    Block(Hash, usize),
}

/// The paths to all exits of a summary with a graph; `None` where they are too long, or lead through summaries that are not on disk.
pub(super) fn write<D: Reduce>(shared: &Shared<'_, D>, names: &Names<'_>, summary: &Summary<'_, D>) -> Option<Vec<u8>> {
    let graph = summary.graph()?;
    let mut out = ByteWriter::default();
    let mut left = MOST_STEPS;
    for exit in &summary.exits {
        let steps = graph.exploration.arg.path_to(exit.node).steps;
        left = left.checked_sub(steps.len())?;
        let mut path = ByteWriter::default();
        let mut function = "";
        for step in steps {
            match step {
                Step::Edge(edge) | Step::Return(edge) => {
                    let (own, place) = names.edge_name(edge);
                    let is_return = u64::from(matches!(step, Step::Return(_)));
                    path.number(is_return + if own == function { 0 } else { 2 });
                    if own != function {
                        path.text(own);
                        function = own;
                    }
                    path.number(u64::from(place));
                }
                Step::Block(number) => {
                    let (inner, node) = *graph.applications.get(number as usize)?;
                    let Known::Here(inner) = shared.summaries.get(inner)? else { return None };
                    path.number(4);
                    path.bytes.extend_from_slice(inner.key.get()?);
                    path.number(inner.exits.iter().position(|exit| exit.node == node)? as u64);
                }
            }
        }
        out.data(&path.bytes);
    }
    Some(out.bytes)
}

/// The path to an exit, with all inner blocks opened; `None` if a part of it is not there.
pub(super) fn read(store: &dyn Store, names: &Names<'_>, summary: &Hash, exit: usize) -> Option<Vec<Step>> {
    let mut flat = Vec::new();
    // What is still to be opened, the next on top.
    let mut stack = vec![one(store, names, summary, exit)?.into_iter()];
    while let Some(steps) = stack.last_mut() {
        match steps.next() {
            None => {
                stack.pop();
            }
            Some(Kept::Step(step)) => flat.push(step),
            Some(Kept::Block(inner, exit)) => stack.push(one(store, names, &inner, exit)?.into_iter()),
        }
        if flat.len() > MOST_FLAT_STEPS || stack.len() > MOST_FLAT_STEPS {
            return None;
        }
    }
    Some(flat)
}

fn one(store: &dyn Store, names: &Names<'_>, summary: &Hash, exit: usize) -> Option<Vec<Kept>> {
    let bytes = store.get(&key(summary))?;
    let mut from = ByteReader::new(&bytes);
    for _ in 0..exit {
        from.data()?;
    }
    let mut path = ByteReader::new(from.data()?);
    let (mut kept, mut function) = (Vec::new(), String::new());
    while !path.is_at_end() {
        let kind = path.number()?;
        if kind == 4 {
            kept.push(Kept::Block(path.raw(32)?.try_into().ok()?, path.small()? as usize));
            continue;
        }
        if kind >= 2 {
            function = path.text()?.to_string();
        }
        let edge: EdgeId = names.edge(&function, path.small()?)?;
        kept.push(Kept::Step(if kind % 2 == 1 { Step::Return(edge) } else { Step::Edge(edge) }));
    }
    Some(kept)
}
