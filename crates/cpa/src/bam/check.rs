//! The independent check of a memoized proof: every graph that the root rests on is closed, with the exits of applied
//! summaries in place of the steps through their blocks.
//!
//! Graphs are checked one by one against the exits of others, so that a graph can be checked (and then dropped) as soon
//! as it is finished, and many at a time.

use super::reduce::Reduce;
use super::shared::Shared;
use super::summary::{BlockGraph, Known, Summary};
use crate::arg::NodeId;
use crate::checker::{Border, Borders, Checked, Defect, check_graph};
use crate::domain::Place;
use crate::endless::{endless_nodes, lost_memory};
use crate::stack::{Head, StackId};
use assay_base::Id;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

/// Checks the root of a proof and all that it rests on, except what was checked before. For each graph: its root
/// contains the entry state, every state's successors are in its children or it is covered; at the block's exits,
/// states are among the summary's exits; at each inner block, the summary's entry contains the reduced state, and every
/// exit, expanded, is in a child. All workers take part.
///
/// # Errors
/// A defect, of several any one.
pub fn check<'a, D: Reduce>(shared: &Shared<'a, D>, workers: &mut [D::Worker], root: &Arc<Summary<'a, D>>) -> Result<Checked, Defect> {
    let Some(worker) = workers.first_mut() else { return Err(Defect::NoRoot) };
    check_program_entry(shared, worker, root)?;
    // What was moved to disk was checked before.
    let closure = shared.summaries.closure(root.id);
    let summaries: Vec<_> = closure.iter().filter_map(Known::here).collect();
    let (next, found) = (AtomicUsize::new(0), Mutex::new((Checked::default(), None)));
    let work = |worker: &mut D::Worker| {
        while let Some(summary) = summaries.get(next.fetch_add(1, Ordering::Relaxed)) {
            let part = check_summary(shared, worker, summary);
            let mut found = found.lock().unwrap_or_else(|e| e.into_inner());
            match part {
                Ok(part) => {
                    found.0.nodes += part.nodes;
                    found.0.steps += part.steps;
                }
                Err(defect) => {
                    found.1.get_or_insert(defect);
                    next.store(summaries.len(), Ordering::Relaxed);
                }
            }
        }
    };
    super::parallel::on_all(workers, &|_, worker| work(worker));
    match found.into_inner().unwrap_or_else(|e| e.into_inner()) {
        (_, Some(defect)) => Err(defect),
        (checked, None) => Ok(checked),
    }
}

fn check_program_entry<'a, D: Reduce>(shared: &Shared<'a, D>, worker: &mut D::Worker, root: &Summary<'a, D>) -> Result<(), Defect> {
    if root.block != shared.main_block() {
        return Err(Defect::NoRoot);
    }
    let initial = shared.program_entry(worker);
    if initial != root.entry && !shared.domain.covers(worker, &initial, &root.entry) {
        return Err(Defect::RootTooSmall(NodeId::from_index(0)));
    }
    Ok(())
}

/// Checks one graph against the exits of what it rests on. Does nothing if that was done before.
///
/// # Errors
/// The first defect found.
pub(super) fn check_summary<'a, D: Reduce>(
    shared: &Shared<'a, D>,
    worker: &mut D::Worker,
    summary: &Summary<'a, D>,
) -> Result<Checked, Defect> {
    if summary.is_checked() {
        return Ok(Checked::default());
    }
    let graph = summary.graph().ok_or(Defect::NoRoot)?;
    let node = graph.exploration.arg.root().ok_or(Defect::NoRoot)?;
    let program = shared.environment.program;
    let entry = summary.block.map_or(program.functions[program.entry].entry, |block| shared.blocks.blocks[block].entry);
    let head = Head { location: entry, stack: StackId::EMPTY };
    if graph.block != summary.block || graph.exploration.arg.head(node) != head {
        return Err(Defect::WrongHead(node));
    }
    let mut entry = summary.entry.clone();
    shared.domain.adjust(worker, &mut entry, &graph.exploration.precision, &Place { program, head });
    let stored = graph.exploration.reached.get(node).ok_or(Defect::MissingState(node))?;
    if entry != *stored && !shared.domain.covers(worker, &entry, stored) {
        return Err(Defect::RootTooSmall(node));
    }
    let mut borders = SummaryBorders { shared, summary, graph: &graph };
    let (checked, seen) = check_graph(&graph.exploration, worker, &mut borders)?;
    // A state of a block does not know all memory, so that it cannot be asked what was lost.
    if let Some(&node) = endless_nodes(&graph.exploration, &seen).first()
        && lost_memory(program).is_some()
    {
        return Err(Defect::Endless(node));
    }
    summary.set_checked();
    Ok(checked)
}

struct SummaryBorders<'c, 'a, D: Reduce> {
    shared: &'c Shared<'a, D>,
    summary: &'c Summary<'a, D>,
    graph: &'c BlockGraph<'a, D>,
}

impl<D: Reduce> Borders<D> for SummaryBorders<'_, '_, D> {
    fn at(
        &mut self,
        worker: &mut D::Worker,
        node: NodeId,
        head: Head,
        state: &D::State,
        out: &mut Vec<(Head, D::State)>,
    ) -> Result<Border, Defect> {
        let own = self.graph.block;
        if own.is_some_and(|block| self.shared.is_exit(block, head)) {
            // Whoever applies the summary relies on the list of exits.
            return match self.summary.exit(node) {
                Some(exit) if exit.location == head.location && exit.state == *state => Ok(Border::Leave),
                _ => Err(Defect::NotCovered(node)),
            };
        }
        // Where no summary was applied (there is no block, or it was given up before) the successors must be there
        // themselves.
        let Some(&id) = self.graph.applied.get(&node) else { return Ok(Border::Inside) };
        let applied = self.shared.applied(worker, id, state).ok_or(Defect::NotExplored(node))?;
        let block = applied.block.filter(|&block| self.shared.may_apply(own, head, block)).ok_or(Defect::Block(node))?;
        let scope = self.shared.scope(block);
        let reduced = self.shared.domain.reduce(worker, state, &scope);
        if reduced != applied.entry && !self.shared.domain.covers(worker, &reduced, &applied.entry) {
            return Err(Defect::NotCovered(node));
        }
        // A recursion that never comes back is a circle, too.
        if applied.exits.is_empty() && self.shared.component(block).is_some() && lost_memory(self.shared.environment.program).is_some() {
            return Err(Defect::Endless(node));
        }
        for exit in &applied.exits {
            let target = Head { location: exit.location, stack: head.stack };
            let place = Place { program: self.shared.environment.program, head: target };
            if let Some(expanded) = self.shared.domain.expand(worker, state, &exit.state, &place, &scope) {
                out.push((target, expanded));
            }
        }
        Ok(Border::Block)
    }
}
