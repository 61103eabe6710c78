//! The CPA algorithm over one reached set. It can be stopped at any step and goes on where it was, so that refinement
//! can work on the graph in between.

use crate::arg::{Arg, NodeId, Removal, TargetKind};
use crate::domain::{Adjustment, Domain, Mark, Move, Position, Successor, Successors};
use crate::order::LocationOrders;
use crate::reached::{Reached, StopOperator};
use crate::scope::{ExplorationScope, Visit, WholeProgram};
use crate::stack::{ArgStep, CallStacks, Head, StackId};
use crate::view::NoView;
use crate::waitlist::{WaitOrder, Waitlist};
use assay_base::{AssumptionClass, CancelToken, Counter, FastMap, Gauge, Id, Ledger, Obstacle, Stats, StopReason};
use assay_cfa::Step;
use assay_cfa::{Operation, Program};
use std::collections::VecDeque;
use std::sync::Arc;

/// When a new state is merged with one that is already reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Merge {
    /// Never.
    #[default]
    Sep,
    /// Whenever the domain joins.
    Join,
    /// Only if the result covers both.
    Agree,
    /// Whenever the domain joins, but only into states that wait to be explored. Nothing is explored twice, and what is
    /// below a state depends on it alone: so refinement goes with it, where the domain's join loses nothing.
    Waiting,
}

/// How one reached set is explored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ExploreConfig {
    /// When states at one place become one.
    pub merge: Merge,
    /// What a new state may be covered by.
    pub stop: StopOperator,
    /// Which waiting state is taken up next.
    pub order: WaitOrder,
    /// Covered states get nodes of their own. Without it, a covered successor is only a link to what covers it, which
    /// saves memory; when that is removed, the successor is computed anew.
    pub keep_covered: bool,
    /// Coverage is looked for only where several edges meet. Elsewhere the state before would have been covered
    /// already, and looking costs more than it finds.
    pub cover_at_joins: bool,
    /// Gives up after this many nodes.
    pub max_states: Option<u64>,
}

impl Default for ExploreConfig {
    fn default() -> Self {
        ExploreConfig {
            merge: Merge::Sep,
            stop: StopOperator::Sep,
            order: WaitOrder::default(),
            keep_covered: true,
            cover_at_joins: false,
            max_states: None,
        }
    }
}

/// What all explorations of a run share.
#[derive(Clone, Copy)]
pub struct Environment<'a> {
    /// What is explored.
    pub program: &'a Program,
    /// Call stacks by id.
    pub stacks: &'a CallStacks,
    /// Positions of locations, for orders that need them.
    pub orders: &'a LocationOrders<'a>,
    /// Where transfers write what they approximate.
    pub ledger: &'a Ledger,
    /// Asked between states.
    pub cancel: &'a CancelToken,
}

/// Why an exploration returned.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Status {
    /// Nothing is waiting. (Targets that were reported before may still stand in the graph.)
    Exhausted,
    /// A target was found; going on explores further.
    Target(NodeId),
    /// The token was stopped.
    Stopped(StopReason),
    /// Precision adjustment broke off at this node.
    Broken {
        /// Where.
        node: NodeId,
        /// What the domain said.
        reason: Arc<str>,
    },
    /// The configured number of states is reached.
    StateLimit(u64),
    /// The scope or [`Exploration::pause_at`] asked for a break; going on explores further.
    Interrupted,
}

/// Counters of an exploration.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counters {
    /// Nodes whose successors were computed.
    pub expanded: u64,
    /// Successors over one step: the measure of speed.
    pub states: u64,
    /// Infeasible steps: those that the domain gave no successor for.
    pub refuted: u64,
    /// Successors that another state covers.
    pub covered: u64,
    /// Successors that were joined into another state.
    pub merged: u64,
    /// Targets that were found, infeasible ones included.
    pub targets: u64,
    /// Nodes that refinement took out.
    pub removed: u64,
    /// The most states that waited at one time.
    pub max_waiting: u64,
    /// Calls that the bound of the call stack cut off.
    pub cut_calls: u64,
}

impl Counters {
    /// Adds the counters to the statistics under the names that `--stats` prints.
    pub fn add_to(&self, stats: &mut Stats) {
        stats.add(Counter::STATES, self.states);
        stats.add("expanded states", self.expanded);
        stats.add("refuted steps", self.refuted);
        stats.add("covered states", self.covered);
        stats.add("merged states", self.merged);
        stats.add("targets found", self.targets);
        stats.add("removed states", self.removed);
        stats.max("longest waitlist", self.max_waiting);
        stats.add("calls cut by the bound", self.cut_calls);
    }
    /// Adds those of another exploration.
    pub fn merge(&mut self, other: &Counters) {
        self.expanded += other.expanded;
        self.states += other.states;
        self.refuted += other.refuted;
        self.covered += other.covered;
        self.merged += other.merged;
        self.targets += other.targets;
        self.removed += other.removed;
        self.max_waiting = self.max_waiting.max(other.max_waiting);
        self.cut_calls += other.cut_calls;
    }
}

/// How many states are explored between two reports to the meter.
const REPORT: u64 = 512;

/// One reached set with its graph and waitlist.
pub struct Exploration<'a, D: Domain> {
    /// What it shares with others.
    pub environment: Environment<'a>,
    /// Makes states and successors.
    pub domain: &'a D,
    /// How it is explored.
    pub config: ExploreConfig,
    /// The precision of everything that is computed from now on.
    pub precision: D::Precision,
    /// The graph of what was reached.
    pub arg: Arg,
    /// The states of the graph's nodes, indexed for coverage.
    pub reached: Reached<D::State>,
    /// Nodes whose successors are still to be computed.
    pub waitlist: Waitlist,
    /// What is explored when nothing else waits.
    later: VecDeque<NodeId>,
    /// What was done so far, removed nodes included.
    pub counters: Counters,
    /// The exploration returns [`Status::Interrupted`] once when it has counted so many states.
    pub pause_at: Option<u64>,
    /// It returns [`Status::Interrupted`] when no more nodes wait than so many; 0 for never.
    pub floor: usize,
    /// Targets that were found and not yet reported.
    pending: VecDeque<NodeId>,
    /// The steps that must be repeated from nodes that lost children.
    redo: FastMap<NodeId, Vec<Step>>,
    broken: Option<(NodeId, Arc<str>)>,
    /// Calls that the bound cut off.
    cut_calls: Vec<assay_cfa::EdgeId>,
    out: Successors<D::State>,
    block_out: Vec<(Head, ArgStep, Successor<D::State>)>,
    scratch: Vec<NodeId>,
    /// For orders that ask: how many choices the path to each node makes.
    choices: Vec<u32>,
    /// For orders that ask: the node at the last loop head of the path to each node.
    parts: Vec<u32>,
}

impl<'a, D: Domain> Exploration<'a, D> {
    /// An empty reached set. [`start`](Self::start) gives it a root.
    pub fn new(environment: Environment<'a>, domain: &'a D, config: ExploreConfig, precision: D::Precision) -> Self {
        Exploration {
            environment,
            domain,
            config,
            precision,
            arg: Arg::new(),
            reached: Reached::new(),
            waitlist: Waitlist::new(config.order),
            later: VecDeque::new(),
            counters: Counters::default(),
            pause_at: None,
            floor: 0,
            pending: VecDeque::new(),
            redo: FastMap::default(),
            broken: None,
            cut_calls: Vec::new(),
            out: Successors::new(),
            block_out: Vec::new(),
            scratch: Vec::new(),
            choices: Vec::new(),
            parts: Vec::new(),
        }
    }

    /// Begins at the program's entry with the domain's initial state, cut to the precision.
    pub fn start_program(&mut self, worker: &mut D::Worker) -> NodeId {
        let program = self.environment.program;
        let head = Head { location: program.functions[program.entry].entry, stack: StackId::EMPTY };
        let state = self.domain.initial(worker);
        self.start(worker, head, state)
    }

    /// Makes a root of a state, cut to the precision, and puts it on the waitlist.
    pub fn start(&mut self, worker: &mut D::Worker, head: Head, mut state: D::State) -> NodeId {
        let adjustment = self.domain.adjust(worker, &mut state, &self.precision, &Position { program: self.environment.program, head });
        let node = self.arg.add_root(head);
        if let Adjustment::Break(reason) = adjustment {
            self.broken = Some((node, reason));
        }
        let target = self.environment.program.locations[head.location].target;
        self.reached.store(node, state);
        match target {
            Some(target) => self.add_target(node, TargetKind::Property(target)),
            None => {
                self.reached.index(self.domain, node, head);
                self.wait(node);
            }
        }
        node
    }

    /// Throws the graph away, for a start from the beginning. Counters stay.
    pub fn clear(&mut self) {
        self.counters.removed += self.arg.live_len() as u64;
        self.arg = Arg::new();
        self.reached = Reached::new();
        self.waitlist = Waitlist::new(self.config.order);
        self.later.clear();
        self.pending.clear();
        self.redo.clear();
        self.cut_calls.clear();
        self.choices.clear();
        self.parts.clear();
        self.broken = None;
    }

    /// Explores until nothing waits or something must be reported.
    pub fn run(&mut self, worker: &mut D::Worker) -> Status {
        self.run_in(worker, &mut WholeProgram)
    }

    /// Explores a part of the program.
    pub fn run_in<T: ExplorationScope<D>>(&mut self, worker: &mut D::Worker, scope: &mut T) -> Status {
        loop {
            if let Some((node, reason)) = self.broken.take() {
                return Status::Broken { node, reason };
            }
            while let Some(node) = self.pending.pop_front() {
                if !self.arg.is_removed(node) {
                    return Status::Target(node);
                }
            }
            if let Some(reason) = self.environment.cancel.stopped() {
                return Status::Stopped(reason);
            }
            if self.config.max_states.is_some_and(|limit| self.arg.live_len() as u64 >= limit) {
                return Status::StateLimit(self.arg.live_len() as u64);
            }
            if self.pause_at.is_some_and(|states| self.counters.states >= states) {
                self.pause_at = None;
                return Status::Interrupted;
            }
            if self.counters.expanded.is_multiple_of(REPORT) {
                let meter = self.environment.cancel.meter();
                meter.set(Gauge::States, self.counters.states);
                meter.set(Gauge::Waiting, self.waitlist.len() as u64);
            }
            if self.floor > 0 && self.waitlist.len() <= self.floor {
                return Status::Interrupted;
            }
            let Some(node) = self.next(worker) else { return Status::Exhausted };
            if self.counters.expanded.is_multiple_of(REPORT) {
                let function = self.environment.program.locations[self.arg.head(node).location].function;
                self.environment.cancel.meter().set(Gauge::Function, function.index() as u64 + 1);
            }
            self.expand(worker, scope, node);
            if scope.is_interrupted() {
                return Status::Interrupted;
            }
        }
    }

    /// The next node that must be explored.
    fn next(&mut self, worker: &mut D::Worker) -> Option<NodeId> {
        loop {
            let node = self.waitlist.pop(self.environment.orders).or_else(|| self.later.pop_front())?;
            if self.arg.is_removed(node) || !self.arg.is_waiting(node) {
                continue;
            }
            self.arg.set_waiting(node, false);
            let head = self.arg.head(node);
            if self.reached.is_indexed(node) || !self.looks_for_coverage(head) {
                return Some(node);
            }
            // It was covered once and lost that. Perhaps another state covers it by now.
            let mut coverers = std::mem::take(&mut self.scratch);
            let covered = self
                .reached
                .get(node)
                .is_some_and(|state| self.reached.find_coverers(self.domain, worker, head, state, self.config.stop, &mut coverers));
            for coverer in coverers.drain(..) {
                self.arg.cover(node, coverer);
            }
            self.scratch = coverers;
            if !covered {
                self.reached.index(self.domain, node, head);
                return Some(node);
            }
            self.counters.covered += 1;
        }
    }

    fn looks_for_coverage(&self, head: Head) -> bool {
        !self.config.cover_at_joins || self.environment.program.locations[head.location].incoming.len() > 1
    }

    fn wait(&mut self, node: NodeId) {
        if self.arg.is_waiting(node) {
            return;
        }
        self.arg.set_waiting(node, true);
        let measure = if self.waitlist.needs_size() {
            self.reached.get(node).map_or(0, |state| self.domain.size(state))
        } else if self.waitlist.needs_choices() {
            self.choices_of(node)
        } else if self.waitlist.needs_parts() {
            self.part_of(node)
        } else {
            0
        };
        self.waitlist.push(node, self.arg.head(node), measure, self.environment.orders, self.environment.stacks);
        self.counters.max_waiting = self.counters.max_waiting.max(self.waitlist.len() as u64);
    }

    /// How many choices the path to a node makes.
    fn choices_of(&mut self, node: NodeId) -> usize {
        let choices = self.arg.creator(node).map_or(0, |(_, parent)| {
            let several = self.environment.program.locations[self.arg.head(parent).location].outgoing.len() > 1;
            self.choices.get(parent.index()).copied().unwrap_or(0) + u32::from(several)
        });
        if self.choices.len() <= node.index() {
            self.choices.resize(node.index() + 1, 0);
        }
        self.choices[node.index()] = choices;
        choices as usize
    }

    /// The node at which the path to a node came by its last loop head, by number.
    fn part_of(&mut self, node: NodeId) -> usize {
        let loops = self.environment.orders.structure.loops();
        let before = self.arg.creator(node).filter(|_| !loops.is_head(self.arg.head(node).location));
        let part = before.and_then(|(_, parent)| self.parts.get(parent.index()).copied()).unwrap_or(node.index() as u32);
        if self.parts.len() <= node.index() {
            self.parts.resize(node.index() + 1, 0);
        }
        self.parts[node.index()] = part;
        part as usize
    }

    /// Puts a suspended node back.
    pub fn resume(&mut self, node: NodeId) {
        if !self.arg.is_removed(node) && !self.arg.is_covered(node) {
            self.wait(node);
        }
    }

    fn expand<T: ExplorationScope<D>>(&mut self, worker: &mut D::Worker, scope: &mut T, node: NodeId) {
        let head = self.arg.head(node);
        let Some(state) = self.reached.get(node) else { return };
        match scope.visit(self.domain, worker, node, head, state, &mut self.block_out) {
            Visit::Expand => {}
            Visit::Suspend => return,
            Visit::Leave => {
                self.arg.set_expanded(node, true);
                return;
            }
            applied @ (Visit::Applied | Visit::AppliedInPart) => {
                self.arg.set_expanded(node, true);
                self.counters.expanded += 1;
                let mut successors = std::mem::take(&mut self.block_out);
                for (head, step, successor) in successors.drain(..) {
                    self.add_successor(worker, node, step, head, successor);
                }
                self.block_out = successors;
                if applied == Visit::AppliedInPart {
                    self.wait(node);
                }
                return;
            }
        }
        self.counters.expanded += 1;
        let only = if self.arg.is_expanded(node) { self.redo.remove(&node) } else { None };
        self.arg.set_expanded(node, true);
        let program = self.environment.program;
        let location = &program.locations[head.location];
        if program.functions[location.function].exit == head.location {
            if let Some((call, below)) = self.environment.stacks.pop(head.stack) {
                let target = Head { location: program.edges[call].target, stack: below };
                self.step(worker, node, head, Step::Return(call), target);
            }
            return;
        }
        for &edge in &location.outgoing {
            let step = Step::Edge(edge);
            if only.as_ref().is_some_and(|steps| !steps.contains(&step)) {
                continue;
            }
            let target = match &program.edges[edge].operation {
                Operation::Call { callee, .. } => match self.environment.stacks.push(head.stack, edge) {
                    Some(stack) => Head { location: program.functions[*callee].entry, stack },
                    None => {
                        self.note_cut(edge);
                        continue;
                    }
                },
                _ => Head { location: program.edges[edge].target, stack: head.stack },
            };
            self.step(worker, node, head, step, target);
        }
    }

    fn note_cut(&mut self, edge: assay_cfa::EdgeId) {
        self.counters.cut_calls += 1;
        if !self.cut_calls.contains(&edge) {
            self.cut_calls.push(edge);
        }
    }

    /// Writes into the ledger which calls were not followed. The caller that draws a verdict from the graph must do it
    /// first; a graph that is thrown away takes its cuts with it.
    pub fn flush_cuts(&mut self) {
        let text = match self.environment.stacks.bound() {
            Some(bound) => format!("calls nested deeper than {bound} are not followed"),
            None => "more call stacks than can be told apart are not followed".to_string(),
        };
        for edge in self.cut_calls.drain(..) {
            let span = self.environment.program.edges[edge].span;
            self.environment.ledger.note(AssumptionClass::Under, span, text.clone());
        }
    }

    /// The successors over one step, added to the graph.
    fn step(&mut self, worker: &mut D::Worker, node: NodeId, source: Head, step: Step, target: Head) {
        let Some(state) = self.reached.get(node) else { return };
        let mut out = std::mem::take(&mut self.out);
        let unsupported = post(self.domain, worker, &self.precision, self.environment.program, state, source, step, target, &mut out);
        if out.items.is_empty() {
            self.counters.refuted += 1;
        } else if self.waitlist.needs_coverage()
            && self.environment.orders.coverage.automatic
            && let Step::Edge(edge) = step
        {
            self.environment.orders.coverage.take(edge);
        }
        for successor in out.items.drain(..) {
            if unsupported && let Step::Edge(edge) = step {
                self.counters.states += 1;
                let child = self.arg.add_child(node, step, target);
                self.reached.store(child, successor.state);
                self.add_target(child, TargetKind::unsupported(self.environment.program, edge));
            } else {
                self.add_successor(worker, node, step.into(), target, successor);
            }
        }
        self.out = out;
    }

    fn add_target(&mut self, node: NodeId, kind: TargetKind) {
        self.arg.set_target(node, kind);
        self.pending.push_back(node);
        self.counters.targets += 1;
    }

    fn add_successor(&mut self, worker: &mut D::Worker, parent: NodeId, step: ArgStep, head: Head, successor: Successor<D::State>) {
        let Successor { mut state, mark } = successor;
        self.counters.states += 1;
        let place = Position { program: self.environment.program, head };
        // A summary's states were adjusted inside their block, with the precision of their place.
        let adjustment = match step {
            ArgStep::Block(_) => Adjustment::Continue,
            ArgStep::Step(_) => self.domain.adjust(worker, &mut state, &self.precision, &place),
        };
        let target = match mark {
            Some(Mark::Unresolved(reason)) => Some(TargetKind::Open(Obstacle::imprecise(&*reason))),
            Some(Mark::Target(target)) => Some(TargetKind::Property(target)),
            None => self.environment.program.locations[head.location].target.map(TargetKind::Property),
        };
        // Targets neither cover nor are covered: each may be the one that is feasible.
        if let Some(kind) = target {
            let child = self.arg.add_child(parent, step, head);
            self.reached.store(child, state);
            self.add_target(child, kind);
            return;
        }
        if self.config.merge != Merge::Sep {
            self.merge_into_reached(worker, &state, &place);
        }
        let mut coverers = std::mem::take(&mut self.scratch);
        let look = self.looks_for_coverage(head);
        let covered = look && self.reached.find_coverers(self.domain, worker, head, &state, self.config.stop, &mut coverers);
        if covered && !self.config.keep_covered && coverers.len() == 1 {
            self.counters.covered += 1;
            self.arg.add_parent(parent, step, coverers[0]);
        } else {
            let child = self.arg.add_child(parent, step, head);
            self.reached.store(child, state);
            if covered {
                self.counters.covered += 1;
                for &coverer in &coverers {
                    self.arg.cover(child, coverer);
                }
            } else {
                if look {
                    self.reached.index(self.domain, child, head);
                }
                self.wait(child);
            }
            if let Adjustment::Break(reason) = adjustment {
                self.broken = Some((child, reason));
            }
        }
        coverers.clear();
        self.scratch = coverers;
    }

    /// Merges the new state into those that are reached. A state that grows keeps its node and is explored again.
    fn merge_into_reached(&mut self, worker: &mut D::Worker, state: &D::State, place: &Position<'_>) {
        let mut candidates = std::mem::take(&mut self.scratch);
        self.reached.candidates(self.domain, place.head, state, &mut candidates);
        for old_node in candidates.drain(..) {
            if self.config.merge == Merge::Waiting && (!self.arg.is_waiting(old_node) || self.arg.is_expanded(old_node)) {
                continue;
            }
            let Some(old) = self.reached.get(old_node) else { continue };
            let Some(merged) = self.domain.join(worker, state, old, &self.precision, place) else { continue };
            if merged == *old {
                continue;
            }
            if self.config.merge == Merge::Agree
                && !(self.domain.covers(worker, state, &merged) && self.domain.covers(worker, old, &merged))
            {
                continue;
            }
            self.counters.merged += 1;
            self.reached.unindex(old_node);
            self.reached.store(old_node, merged);
            self.reached.index(self.domain, old_node, place.head);
            self.arg.set_expanded(old_node, false);
            self.redo.remove(&old_node);
            self.wait(old_node);
        }
        self.scratch = candidates;
    }

    /// Removes a node and everything below it; its parents and what lost its cover wait again. The root can only lose
    /// its children.
    pub fn remove_subtree(&mut self, node: NodeId) {
        let root = self.arg.root() == Some(node);
        self.remove_below(node, root);
        if root {
            self.redo.remove(&node);
            self.wait(node);
        }
    }

    /// Takes a target out of a graph that is thrown away in the end: nothing is explored again for it.
    pub(crate) fn discard(&mut self, target: NodeId) {
        for gone in self.arg.remove_subtree(target, false).removed {
            self.reached.remove(gone);
        }
    }

    fn remove_below(&mut self, node: NodeId, keep_root: bool) {
        let Removal { removed, redo, uncovered } = self.arg.remove_subtree(node, keep_root);
        self.counters.removed += removed.len() as u64;
        for &gone in &removed {
            self.reached.remove(gone);
            self.redo.remove(&gone);
        }
        for (parent, step) in redo {
            match step {
                ArgStep::Block(_) => self.arg.set_expanded(parent, false),
                ArgStep::Step(step) if self.arg.is_expanded(parent) => {
                    let steps = self.redo.entry(parent).or_default();
                    if !steps.contains(&step) {
                        steps.push(step);
                    }
                }
                ArgStep::Step(_) => {}
            }
            self.wait(parent);
        }
        for node in uncovered {
            self.wait(node);
        }
    }

    /// Goes on in another order.
    pub fn reorder(&mut self, order: WaitOrder) {
        let waiting: Vec<NodeId> = self.waitlist.nodes().chain(self.later.drain(..)).collect();
        self.config.order = order;
        self.waitlist = Waitlist::new(order);
        for node in waiting {
            if !self.arg.is_removed(node) && self.arg.is_waiting(node) {
                self.arg.set_waiting(node, false);
                self.wait(node);
            }
        }
    }

    /// Makes an open end of the path's last node: everything below it is removed, and no node of the path covers
    /// anything any more. What they covered is explored when nothing else waits, in the order in which it came.
    pub fn bury(&mut self, path: &[NodeId]) {
        let Some(&end) = path.last() else { return };
        if !self.arg.is_target(end) {
            self.remove_below(end, true);
            self.redo.remove(&end);
            self.arg.set_waiting(end, false);
            self.arg.set_expanded(end, true);
        }
        for &node in path {
            self.reached.unindex(node);
            let covered: Vec<NodeId> = self.arg.covered(node).collect();
            for covered in covered {
                self.arg.uncover(covered);
                if !self.arg.is_waiting(covered) {
                    self.arg.set_waiting(covered, true);
                    self.later.push_back(covered);
                }
            }
        }
    }

    /// The targets that were found and not reported yet.
    pub fn take_targets(&mut self) -> Vec<NodeId> {
        let arg = &self.arg;
        self.pending.drain(..).filter(|&node| !arg.is_removed(node)).collect()
    }

    /// Reports a target once more, before anything else is explored.
    pub fn report_again(&mut self, target: NodeId) {
        self.pending.push_front(target);
    }

    /// Whether nothing waits and nothing is left to be reported.
    pub fn is_exhausted(&self) -> bool {
        self.pending.is_empty()
            && self.broken.is_none()
            && self.waitlist.nodes().chain(self.later.iter().copied()).all(|node| self.arg.is_removed(node) || !self.arg.is_waiting(node))
    }
}

/// The successors of a state over one step, before precision adjustment. `true` if the step is over an unsupported
/// construct: its one successor, if there is any, is then a target that nothing can confirm.
pub fn post<D: Domain>(
    domain: &D,
    worker: &mut D::Worker,
    precision: &D::Precision,
    program: &Program,
    state: &D::State,
    source: Head,
    step: Step,
    target: Head,
    out: &mut Successors<D::State>,
) -> bool {
    let edge = &program.edges[step.edge()];
    if matches!(edge.operation, Operation::Unsupported { .. }) {
        if domain.is_possible(worker, state) {
            out.push(state.clone());
        }
        return true;
    }
    domain.transfer(worker, state, precision, &Move { program, step, edge, source, target }, &mut NoView, out);
    false
}
