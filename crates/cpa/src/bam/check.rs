//! The checker of proofs by memoization: the root's graph and every summary that it rests on.

use super::reduce::Reduce;
use super::shared::Shared;
use super::summary::Summary;
use crate::arg::NodeId;
use crate::checker::{Border, Borders, Checked, Defect, check_graph};
use crate::domain::Place;
use crate::stack::{Head, StackId};
use std::sync::Arc;

/// Checks that the graphs together are a proof: the root contains the initial state; each graph is closed up to its block's exits; at
/// each inner block, the summary's entry contains the reduced state, and every exit, expanded, is in a child.
///
/// # Errors
/// The first defect found.
pub fn check<'a, D: Reduce>(shared: &Shared<'a, D>, worker: &mut D::Worker, root: &Arc<Summary<'a, D>>) -> Result<Checked, Defect> {
    let program = shared.environment.program;
    let exploration = &root.graph.exploration;
    let node = exploration.arg.root().ok_or(Defect::NoRoot)?;
    let head = Head { location: program.functions[program.entry].entry, stack: StackId::EMPTY };
    if exploration.arg.head(node) != head {
        return Err(Defect::WrongHead(node));
    }
    let mut initial = shared.domain.initial(worker);
    shared.domain.adjust(worker, &mut initial, &exploration.precision, &Place { program, head });
    let stored = exploration.reached.get(node).ok_or(Defect::MissingState(node))?;
    if initial != *stored && !shared.domain.covers(worker, &initial, stored) {
        return Err(Defect::RootTooSmall(node));
    }
    let mut checked = Checked::default();
    for summary in shared.summaries.closure(vec![root.clone()]) {
        let mut borders = SummaryBorders { shared, summary: &summary };
        let part = check_graph(&summary.graph.exploration, worker, &mut borders)?;
        checked.nodes += part.nodes;
        checked.steps += part.steps;
    }
    Ok(checked)
}

struct SummaryBorders<'c, 'a, D: Reduce> {
    shared: &'c Shared<'a, D>,
    summary: &'c Summary<'a, D>,
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
        let own = self.summary.graph.block;
        if own.is_some_and(|block| self.shared.is_exit(block, head)) {
            return Ok(Border::Leave);
        }
        let Some(block) = self.shared.inner_block(own, head) else { return Ok(Border::Inside) };
        let applied = self.summary.graph.applied.get(&node).and_then(|&id| self.shared.summaries.get(id));
        let applied = applied.ok_or(Defect::NotExplored(node))?;
        let inner = &applied.graph.exploration;
        let entry = inner.arg.root().ok_or(Defect::NoRoot)?;
        let wanted = Head { location: self.shared.blocks.blocks[block].entry, stack: StackId::EMPTY };
        if applied.graph.block != Some(block) || inner.arg.head(entry) != wanted {
            return Err(Defect::Block(node));
        }
        let scope = self.shared.scope(block);
        let reduced = self.shared.domain.reduce(worker, state, &scope);
        let stored = inner.reached.get(entry).ok_or(Defect::MissingState(entry))?;
        if reduced != *stored && !self.shared.domain.covers(worker, &reduced, stored) {
            return Err(Defect::NotCovered(node));
        }
        // The exits are collected anew, not taken from the list that was applied.
        for exit in applied.graph.exits(self.shared) {
            let exit_state = inner.reached.get(exit).ok_or(Defect::MissingState(exit))?;
            let target = Head { location: inner.arg.head(exit).location, stack: head.stack };
            let place = Place { program: self.shared.environment.program, head: target };
            if let Some(expanded) = self.shared.domain.expand(worker, state, exit_state, &place, &scope) {
                out.push((target, expanded));
            }
        }
        Ok(Border::Block)
    }
}
