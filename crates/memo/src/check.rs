//! The independent check of a memoized proof: every graph that the root rests on is closed, with the exits of applied
//! summaries in place of the steps through their blocks.
//!
//! Graphs are checked one by one against the exits of others, so that a graph can be checked (and then dropped) as soon
//! as it is finished, and many at a time.

use super::reduce::Reduce;
use super::shared::Shared;
use super::summary::{BlockGraph, Known, Summary, SummaryId};
use assay_base::{FastMap, FastSet, Id};
use assay_cfa::{Operation, Step};
use assay_cpa::algorithm::{Environment, post};
use assay_cpa::arg::NodeId;
use assay_cpa::checker::{Border, Borders, Checked, Defect, check_graph};
use assay_cpa::domain::{Position, Successors};
use assay_cpa::endless::{endless_nodes, lost_memory};
use assay_cpa::reached::{Reached, StopOperator};
use assay_cpa::stack::{Head, StackId};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

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
    shared.domain.adjust(worker, &mut entry, &graph.exploration.precision, &Position { program, head });
    let stored = graph.exploration.reached.get(node).ok_or(Defect::MissingState(node))?;
    if entry != *stored && !shared.domain.covers(worker, &entry, stored) {
        return Err(Defect::RootTooSmall(node));
    }
    let mut borders = SummaryBorders { shared, summary, graph: &graph, by_rules: Checked::default() };
    let (mut checked, seen) = check_graph(&graph.exploration, worker, &mut borders)?;
    checked.nodes += borders.by_rules.nodes;
    checked.steps += borders.by_rules.steps;
    // A state of a block does not know all memory, so that it cannot be asked what was lost.
    if let Some(&node) = endless_nodes(&graph.exploration, &seen).first()
        && lost_memory(program).is_some()
    {
        return Err(Defect::Endless(node));
    }
    summary.set_checked();
    Ok(checked)
}

/// What was checked because of rules. All of it is true for good: summaries and rules do not change.
pub(super) struct ByRules<S> {
    /// Entries of which a rule speaks rightly, by its number and their hash.
    entries: Mutex<FastMap<(SummaryId, u64), Vec<S>>>,
    /// Summaries that were met while such entries were explored, and all that they rest on.
    met: Mutex<FastSet<SummaryId>>,
}

impl<S> Default for ByRules<S> {
    fn default() -> Self {
        ByRules { entries: Mutex::default(), met: Mutex::default() }
    }
}

impl<S> ByRules<S> {
    /// Forgets what is about others than these.
    pub(super) fn retain_those_of(&self, kept: &FastSet<SummaryId>) {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner).retain(|(rule, _), _| kept.contains(rule));
        self.met.lock().unwrap_or_else(PoisonError::into_inner).retain(|met| kept.contains(met));
    }
}

/// Checks what a rule said of an entry, once for all places where it is used.
fn check_derived<'a, D: Reduce>(shared: &Shared<'a, D>, worker: &mut D::Worker, summary: &Summary<'a, D>) -> Result<Checked, Defect> {
    let entries = || shared.rules.checked.entries.lock().unwrap_or_else(PoisonError::into_inner);
    let key = (summary.id, shared.domain.hash(&summary.entry));
    if entries().get(&key).is_some_and(|same| same.contains(&summary.entry)) {
        return Ok(Checked::default());
    }
    let checked = explore_derived(shared, worker, summary)?;
    entries().entry(key).or_default().push(summary.entry.clone());
    Ok(checked)
}

/// Checks a summary that the proof may not rest on otherwise, with all that it rests on itself.
fn check_met<'a, D: Reduce>(shared: &Shared<'a, D>, worker: &mut D::Worker, summary: &Summary<'a, D>) -> Result<Checked, Defect> {
    let met = || shared.rules.checked.met.lock().unwrap_or_else(PoisonError::into_inner);
    let (mut checked, mut all, mut seen) = (Checked::default(), vec![summary.id], FastSet::default());
    while let Some(id) = all.pop() {
        if met().contains(&id) || !seen.insert(id) {
            continue;
        }
        let known = shared.summaries.get(id).ok_or(Defect::NoRoot)?;
        all.extend(known.rests_on());
        if let Some(summary) = known.here() {
            let part = check_summary(shared, worker, summary)?;
            checked.nodes += part.nodes;
            checked.steps += part.steps;
        }
    }
    met().extend(seen);
    Ok(checked)
}

/// Nothing of an entry that a rule speaks of was explored, so that is done here, with everything that can happen from
/// it on: it must stay in the block, come to no target, and leave it only where the summary says so. Inner blocks are
/// taken by their summaries, which are checked, too.
fn explore_derived<'a, D: Reduce>(shared: &Shared<'a, D>, worker: &mut D::Worker, summary: &Summary<'a, D>) -> Result<Checked, Defect> {
    let Environment { program, stacks, cancel, .. } = shared.environment;
    let block = summary.block.ok_or(Defect::NoRoot)?;
    let (domain, precision) = (shared.domain, &shared.precision_of(block).0);
    let mut walk = Walk { shared, reached: Reached::new(), heads: Vec::new(), found: Vec::new() };
    let mut entry = summary.entry.clone();
    let head = Head { location: shared.blocks.blocks[block].entry, stack: StackId::EMPTY };
    domain.adjust(worker, &mut entry, precision, &Position { program, head });
    walk.arrive(worker, head, entry);
    let (mut checked, mut out, mut at) = (Checked::default(), Successors::new(), 0);
    while at < walk.heads.len() {
        let (node, head) = (NodeId::from_index(at), walk.heads[at]);
        at += 1;
        if let Some(reason) = cancel.stopped() {
            return Err(Defect::Stopped(reason));
        }
        checked.nodes += 1;
        let state = walk.reached.get(node).ok_or(Defect::MissingState(node))?.clone();
        if program.locations[head.location].target.is_some() {
            return Err(Defect::Target(node));
        }
        if shared.is_exit(block, head) {
            let there = || summary.exits.iter().filter(|exit| exit.location == head.location);
            if !there().any(|exit| exit.state == state) && !there().any(|exit| domain.covers(worker, &state, &exit.state)) {
                return Err(Defect::NotCovered(node));
            }
            continue;
        }
        if let Some(inner) = shared.inner_block(Some(block), head) {
            let scope = shared.scope(inner);
            let reduced = domain.reduce(worker, &state, &scope);
            let known = shared.cache.peek(shared, inner, &reduced).or_else(|| shared.derive(worker, inner, &reduced));
            if let Some(known) = known {
                let check = if known.base.is_some() { check_derived } else { check_met };
                let part = check(shared, worker, &known)?;
                checked.nodes += part.nodes;
                checked.steps += part.steps;
                for exit in &known.exits {
                    let target = Head { location: exit.location, stack: head.stack };
                    if let Some(expanded) = domain.expand(worker, &state, &exit.state, &Position { program, head: target }, &scope) {
                        walk.arrive(worker, target, expanded);
                    }
                }
                continue;
            }
        }
        let location = &program.locations[head.location];
        let mut steps: Vec<(Step, Head)> = Vec::new();
        if program.functions[location.function].exit == head.location {
            // The entry's own frame is left over exits alone.
            let (call, below) = stacks.pop(head.stack).ok_or(Defect::NotExplored(node))?;
            steps.push((Step::Return(call), Head { location: program.edges[call].target, stack: below }));
        } else {
            for &edge in &location.outgoing {
                let target = match &program.edges[edge].operation {
                    Operation::Call { callee, .. } => Head {
                        location: program.functions[*callee].entry,
                        stack: stacks.push(head.stack, edge).ok_or(Defect::CutCall(node))?,
                    },
                    _ => Head { location: program.edges[edge].target, stack: head.stack },
                };
                steps.push((Step::Edge(edge), target));
            }
        }
        for (step, target) in steps {
            checked.steps += 1;
            let unsupported = post(domain, worker, precision, program, &state, head, step, target, &mut out);
            for mut successor in out.items.drain(..) {
                if unsupported || successor.mark.is_some() {
                    return Err(Defect::Target(node));
                }
                domain.adjust(worker, &mut successor.state, precision, &Position { program, head: target });
                walk.arrive(worker, target, successor.state);
            }
        }
    }
    Ok(checked)
}

/// What was reached from an entry, in order.
struct Walk<'w, 'a, D: Reduce> {
    shared: &'w Shared<'a, D>,
    reached: Reached<D::State>,
    heads: Vec<Head>,
    found: Vec<NodeId>,
}

impl<D: Reduce> Walk<'_, '_, D> {
    /// Notes a state, unless one that was noted covers it.
    fn arrive(&mut self, worker: &mut D::Worker, head: Head, state: D::State) {
        let joins = self.shared.environment.program.locations[head.location].incoming.len() > 1;
        self.found.clear();
        if joins && self.reached.find_coverers(self.shared.domain, worker, head, &state, StopOperator::Sep, &mut self.found) {
            return;
        }
        let node = NodeId::from_index(self.heads.len());
        self.heads.push(head);
        self.reached.store(node, state);
        if joins {
            self.reached.index(self.shared.domain, node, head);
        }
    }
}

struct SummaryBorders<'c, 'a, D: Reduce> {
    shared: &'c Shared<'a, D>,
    summary: &'c Summary<'a, D>,
    graph: &'c BlockGraph<'a, D>,
    /// What was looked at because of rules.
    by_rules: Checked,
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
            // The caller that applies the summary relies on the list of exits.
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
        if applied.base.is_some() {
            let part = check_derived(self.shared, worker, &applied)?;
            self.by_rules.nodes += part.nodes;
            self.by_rules.steps += part.steps;
        }
        // A recursion that never comes back is a circle, too.
        if applied.exits.is_empty() && self.shared.component(block).is_some() && lost_memory(self.shared.environment.program).is_some() {
            return Err(Defect::Endless(node));
        }
        for exit in &applied.exits {
            let target = Head { location: exit.location, stack: head.stack };
            let place = Position { program: self.shared.environment.program, head: target };
            if let Some(expanded) = self.shared.domain.expand(worker, state, &exit.state, &place, &scope) {
                out.push((target, expanded));
            }
        }
        Ok(Border::Block)
    }
}
