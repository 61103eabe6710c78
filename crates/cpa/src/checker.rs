//! The independent checker of final graphs, run before each *true*.
//!
//! It trusts nothing that the algorithm noted about its own progress: it walks from the root over children and
//! coverings, repeats every transfer, and asks the domain whether what it gets is covered by what stands in the graph.

use crate::algorithm::{Exploration, post};
use crate::arg::NodeId;
use crate::domain::{Domain, Position, Successors};
use crate::endless::lost_for_ever;
use crate::reached::StopOperator;
use crate::stack::{ArgStep, Head, StackId};
use assay_base::{FastMap, Id, Obstacle, StopReason};
use assay_cfa::Operation;
use assay_cfa::Step;

/// Why a graph is no proof.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Defect {
    /// There is no node at the program's entry.
    NoRoot,
    /// The root does not contain the initial state.
    RootTooSmall(NodeId),
    /// A link or a covering leads to a node that was removed.
    Removed(NodeId),
    /// A node has no state.
    MissingState(NodeId),
    /// The waitlist is not empty: this node still waits.
    Waiting(NodeId),
    /// Neither covered nor explored.
    NotExplored(NodeId),
    /// A target is left, confirmed or not.
    Target(NodeId),
    /// The successor over this step is in no child.
    MissingSuccessor(NodeId, ArgStep),
    /// A child stands where its step does not lead.
    WrongHead(NodeId),
    /// The state that is said to cover it does not.
    NotCovered(NodeId),
    /// It is covered by a state of another head.
    CoveredElsewhere(NodeId),
    /// Following the coverings from here leads in a circle.
    CoveredInACycle(NodeId),
    /// A call is not followed because of the bound of the call stack.
    CutCall(NodeId),
    /// A summary of another block, or none where one is needed.
    Block(NodeId),
    /// From here the program never ends, and lost memory is looked for only where it does.
    Endless(NodeId),
    /// The check itself was stopped.
    Stopped(StopReason),
}

impl std::fmt::Display for Defect {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Defect::NoRoot => write!(f, "the graph has no root"),
            Defect::RootTooSmall(node) => write!(f, "the root {node} does not contain the initial state"),
            Defect::Removed(node) => write!(f, "the graph leads to the removed state {node}"),
            Defect::MissingState(node) => write!(f, "the state of {node} is missing"),
            Defect::Waiting(node) => write!(f, "{node} still waits to be explored"),
            Defect::NotExplored(node) => write!(f, "{node} is neither covered nor explored"),
            Defect::Target(node) => write!(f, "the target {node} is left"),
            Defect::MissingSuccessor(node, step) => write!(f, "the successor of {node} over {step:?} is missing"),
            Defect::WrongHead(node) => write!(f, "{node} stands where its step does not lead"),
            Defect::NotCovered(node) => write!(f, "{node} is not covered by what is said to cover it"),
            Defect::CoveredElsewhere(node) => write!(f, "{node} is covered by a state of another place"),
            Defect::CoveredInACycle(node) => write!(f, "{node} is covered in a circle"),
            Defect::CutCall(node) => write!(f, "a call from {node} is not followed"),
            Defect::Block(node) => write!(f, "{node} uses the summary of another block"),
            Defect::Endless(node) => write!(f, "the program may run for ever after {node}, and memory may be lost there"),
            Defect::Stopped(reason) => write!(f, "the check was stopped ({reason})"),
        }
    }
}

impl From<Defect> for Obstacle {
    fn from(defect: Defect) -> Obstacle {
        match defect {
            Defect::Stopped(reason) => Obstacle::stopped(reason),
            Defect::Endless(_) => Obstacle::imprecise("the program may run for ever, and memory may be lost along the path"),
            Defect::CutCall(_) => Obstacle::bound("calls nested deeper than `call-depth` are not followed"),
            defect => Obstacle::failed(format!("the proof was rejected: {defect}")),
        }
    }
}

/// What a successful check has seen.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Checked {
    /// Nodes that were looked at.
    pub nodes: u64,
    /// Steps whose successors were computed anew.
    pub steps: u64,
}

/// Checks that the graph of an exploration of the whole program is a proof: from its root, everything that can happen
/// stays inside the graph, and nothing in it is a target.
///
/// # Errors
/// The first defect found.
pub fn check<D: Domain>(exploration: &Exploration<'_, D>, worker: &mut D::Worker) -> Result<Checked, Defect> {
    let root = exploration.arg.root().ok_or(Defect::NoRoot)?;
    let program = exploration.environment.program;
    let head = Head { location: program.functions[program.entry].entry, stack: StackId::EMPTY };
    if exploration.arg.head(root) != head {
        return Err(Defect::WrongHead(root));
    }
    let mut initial = exploration.domain.initial(worker);
    exploration.domain.adjust(worker, &mut initial, &exploration.precision, &Position { program, head });
    let stored = exploration.reached.get(root).ok_or(Defect::MissingState(root))?;
    if initial != *stored && !exploration.domain.covers(worker, &initial, stored) {
        return Err(Defect::RootTooSmall(root));
    }
    let (checked, seen) = check_graph(exploration, worker, &mut NoBorders)?;
    match lost_for_ever(exploration, worker, &seen) {
        Some(node) => Err(Defect::Endless(node)),
        None => Ok(checked),
    }
}

/// What the checker must expect of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Border {
    /// Successors over all its edges.
    Inside,
    /// None: the graph ends here.
    Leave,
    /// The pushed ones, over steps through a block.
    Block,
}

/// Where a graph ends, and where it goes through blocks.
pub trait Borders<D: Domain> {
    /// What is expected at a node; behind a block, the states that must be contained are put into `out`.
    fn at(
        &mut self,
        worker: &mut D::Worker,
        node: NodeId,
        head: Head,
        state: &D::State,
        out: &mut Vec<(Head, D::State)>,
    ) -> Result<Border, Defect>;
}

struct NoBorders;

impl<D: Domain> Borders<D> for NoBorders {
    fn at(&mut self, _: &mut D::Worker, _: NodeId, _: Head, _: &D::State, _: &mut Vec<(Head, D::State)>) -> Result<Border, Defect> {
        Ok(Border::Inside)
    }
}

/// Checks that a graph is closed: whatever can happen from its root stays inside it up to its borders, and nothing in
/// it is a target. Says as well which nodes the graph consists of.
pub fn check_graph<D: Domain, B: Borders<D>>(
    exploration: &Exploration<'_, D>,
    worker: &mut D::Worker,
    borders: &mut B,
) -> Result<(Checked, Vec<bool>), Defect> {
    let root = exploration.arg.root().ok_or(Defect::NoRoot)?;
    if let Some(waiting) = exploration.waitlist.nodes().find(|&n| exploration.arg.is_waiting(n) && !exploration.arg.is_removed(n)) {
        return Err(Defect::Waiting(waiting));
    }
    if let Some((target, _)) = exploration.arg.targets().next() {
        return Err(Defect::Target(target));
    }
    let seen = vec![false; exploration.arg.len()];
    let mut checker = Checker { exploration, borders, seen, stack: vec![], out: Successors::new(), expected: vec![] };
    checker.push(root)?;
    let mut checked = Checked::default();
    while let Some(node) = checker.stack.pop() {
        if let Some(reason) = exploration.environment.cancel.stopped() {
            return Err(Defect::Stopped(reason));
        }
        checked.nodes += 1;
        checked.steps += checker.check_node(worker, node)?;
    }
    Ok((checked, checker.seen))
}

struct Checker<'c, 'a, D: Domain, B> {
    exploration: &'c Exploration<'a, D>,
    borders: &'c mut B,
    seen: Vec<bool>,
    stack: Vec<NodeId>,
    out: Successors<D::State>,
    expected: Vec<(Head, D::State)>,
}

impl<D: Domain, B: Borders<D>> Checker<'_, '_, D, B> {
    fn push(&mut self, node: NodeId) -> Result<(), Defect> {
        if self.exploration.arg.is_removed(node) {
            return Err(Defect::Removed(node));
        }
        if !std::mem::replace(&mut self.seen[node.index()], true) {
            self.stack.push(node);
        }
        Ok(())
    }

    fn check_node(&mut self, worker: &mut D::Worker, node: NodeId) -> Result<u64, Defect> {
        let Exploration { arg, reached, .. } = self.exploration;
        let state = reached.get(node).ok_or(Defect::MissingState(node))?;
        if arg.is_target(node) || self.exploration.environment.program.locations[arg.head(node).location].target.is_some() {
            return Err(Defect::Target(node));
        }
        if arg.is_covered(node) {
            return self.check_covering(worker, node, state).map(|()| 0);
        }
        if !arg.is_expanded(node) {
            return Err(Defect::NotExplored(node));
        }
        self.check_successors(worker, node, state)
    }

    fn check_covering(&mut self, worker: &mut D::Worker, node: NodeId, state: &D::State) -> Result<(), Defect> {
        let Exploration { arg, reached, domain, .. } = self.exploration;
        let mut others = Vec::new();
        for coverer in arg.coverers(node) {
            self.push(coverer)?;
            if arg.head(coverer) != arg.head(node) {
                return Err(Defect::CoveredElsewhere(node));
            }
            others.push(reached.get(coverer).ok_or(Defect::MissingState(coverer))?);
        }
        let covered = match others[..] {
            [one] => one == state || domain.covers(worker, state, one),
            _ => domain.covered_by_union(worker, state, &others),
        };
        if !covered {
            return Err(Defect::NotCovered(node));
        }
        // The chain of first coverers is enough to find a circle, since every node of it is checked too.
        let (mut slow, mut fast) = (node, node);
        loop {
            for _ in 0..2 {
                match arg.coverers(fast).next() {
                    Some(next) => fast = next,
                    None => return Ok(()),
                }
            }
            slow = arg.coverers(slow).next().unwrap_or(slow);
            if slow == fast {
                return Err(Defect::CoveredInACycle(node));
            }
        }
    }

    fn check_successors(&mut self, worker: &mut D::Worker, node: NodeId, state: &D::State) -> Result<u64, Defect> {
        let Exploration { arg, environment, .. } = self.exploration;
        let head = arg.head(node);
        for (_, child) in arg.children(node) {
            self.push(child)?;
        }
        let mut expected = std::mem::take(&mut self.expected);
        expected.clear();
        match self.borders.at(worker, node, head, state, &mut expected)? {
            Border::Leave => return Ok(0),
            Border::Block => {
                let children = self.block_children(node);
                for (target, successor) in &expected {
                    self.check_behind_block(worker, node, &children, *target, successor)?;
                }
                let count = expected.len() as u64;
                self.expected = expected;
                return Ok(count);
            }
            Border::Inside => self.expected = expected,
        }
        let program = environment.program;
        let location = &program.locations[head.location];
        if head.location == program.functions[location.function].exit {
            return match environment.stacks.pop(head.stack) {
                Some((call, below)) => {
                    let target = Head { location: program.edges[call].target, stack: below };
                    self.check_step(worker, node, state, head, Step::Return(call), target).map(|()| 1)
                }
                None => Ok(0),
            };
        }
        for &edge in &location.outgoing {
            let target = match &program.edges[edge].operation {
                Operation::Call { callee, .. } => Head {
                    location: program.functions[*callee].entry,
                    stack: environment.stacks.push(head.stack, edge).ok_or(Defect::CutCall(node))?,
                },
                _ => Head { location: program.edges[edge].target, stack: head.stack },
            };
            self.check_step(worker, node, state, head, Step::Edge(edge), target)?;
        }
        Ok(location.outgoing.len() as u64)
    }

    fn check_step(
        &mut self,
        worker: &mut D::Worker,
        node: NodeId,
        state: &D::State,
        source: Head,
        step: Step,
        target: Head,
    ) -> Result<(), Defect> {
        let Exploration { arg, domain, precision, environment, .. } = self.exploration;
        let domain = *domain;
        if let Some((_, child)) = arg.children(node).find(|&(s, child)| s == step.into() && arg.head(child) != target) {
            return Err(Defect::WrongHead(child));
        }
        self.out.items.clear();
        let unsupported = post(domain, worker, precision, environment.program, state, source, step, target, &mut self.out);
        let place = Position { program: environment.program, head: target };
        for successor in &mut self.out.items {
            if unsupported || successor.mark.is_some() || environment.program.locations[target.location].target.is_some() {
                return Err(Defect::Target(node));
            }
            domain.adjust(worker, &mut successor.state, precision, &place);
        }
        let successors = std::mem::take(&mut self.out);
        for successor in &successors.items {
            self.check_contained(worker, node, Some(step), target, &successor.state)?;
        }
        self.out = successors;
        Ok(())
    }

    /// The children behind a block by their state, because a block can have many exits, and most of them are equal to a
    /// child.
    fn block_children(&self, node: NodeId) -> FastMap<(Head, u64), Vec<NodeId>> {
        let Exploration { arg, reached, domain, .. } = self.exploration;
        let mut children: FastMap<(Head, u64), Vec<NodeId>> = FastMap::default();
        for (_, child) in arg.children(node).filter(|(taken, _)| matches!(taken, ArgStep::Block(_))) {
            if let Some(state) = reached.get(child) {
                children.entry((arg.head(child), domain.hash(state))).or_default().push(child);
            }
        }
        children
    }

    /// Checks that an exit of a block is in a child or another node. Where to look is what the exploration's index
    /// says; that the state is there is found out here.
    fn check_behind_block(
        &mut self,
        worker: &mut D::Worker,
        node: NodeId,
        children: &FastMap<(Head, u64), Vec<NodeId>>,
        target: Head,
        successor: &D::State,
    ) -> Result<(), Defect> {
        let Exploration { arg, reached, domain, .. } = self.exploration;
        let same = children.get(&(target, domain.hash(successor)));
        if same.is_some_and(|list| list.iter().any(|&child| reached.get(child) == Some(successor))) {
            return Ok(());
        }
        let mut found = Vec::new();
        reached.find_coverers(*domain, worker, target, successor, StopOperator::Sep, &mut found);
        if let [other] = found[..]
            && arg.head(other) == target
            && reached.get(other).is_some_and(|larger| larger == successor || domain.covers(worker, successor, larger))
        {
            return self.push(other);
        }
        self.check_contained(worker, node, None, target, successor)
    }

    /// Checks that a successor is in a child: over the step, or over any step through a block.
    fn check_contained(
        &self,
        worker: &mut D::Worker,
        node: NodeId,
        step: Option<Step>,
        target: Head,
        successor: &D::State,
    ) -> Result<(), Defect> {
        let Exploration { arg, reached, domain, .. } = self.exploration;
        let mut children = Vec::new();
        for (taken, child) in arg.children(node) {
            let same = step.map_or(matches!(taken, ArgStep::Block(_)), |step| taken == step.into());
            if !same || arg.head(child) != target {
                continue;
            }
            let larger = reached.get(child).ok_or(Defect::MissingState(child))?;
            if larger == successor || domain.covers(worker, successor, larger) {
                return Ok(());
            }
            children.push(larger);
        }
        if children.len() >= 2 && domain.covered_by_union(worker, successor, &children) {
            return Ok(());
        }
        Err(Defect::MissingSuccessor(node, step.map_or(ArgStep::Block(0), ArgStep::Step)))
    }
}
