//! Counterexample-guided abstraction refinement: one loop over any domain and any refiner, with lazy abstraction.

use crate::algorithm::{Environment, Exploration, ExploreConfig, Merge, Status};
use crate::arg::{ArgPath, NodeId, TargetKind};
use crate::checker::{self, Checked};
use crate::domain::Domain;
use crate::monitor::{Advice, Monitoring, Monitors, Sight};
use crate::stack::Head;
use crate::waitlist::{Order, WaitOrder};
use assay_base::{Counter, Decision, FastSet, Fingerprint, Gauge, Obstacle, Stats, Verdict};
use assay_cfa::{Step, Target};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// A path to a target, as a refiner sees it: `heads[i]` is where `steps[i]` begins, and the last head is the target's.
pub struct TargetPath<'p, 'a, D: Domain> {
    /// What the exploration shares.
    pub environment: Environment<'a>,
    /// Whose states they are.
    pub domain: &'a D,
    /// What it violates.
    pub kind: TargetKind,
    /// One more than there are steps.
    pub heads: Vec<Head>,
    /// `Edge` and `Return` only: blocks are flattened.
    pub steps: Vec<Step>,
    /// The abstract states along the path, where they are known in the context of the whole program.
    pub states: Vec<Option<&'p D::State>>,
}

/// What the refutation of an infeasible path did to the precision.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refinement {
    /// The precision was extended such that the abstraction refutes the path, beginning with the state at position
    /// `cut` of the path, the first whose precision changed. `grew` says whether anything was new to the precision.
    Extended {
        /// A position of the path.
        cut: usize,
        /// Whether the precision is another than before.
        grew: bool,
    },
    /// No execution follows the path up to and with this step, but no precision shows it. The state behind the step
    /// stays as an open end, so that the run can no more end in *true*; what it covered is explored, because other
    /// paths to the target may lie there.
    Excluded {
        /// A position in the steps.
        step: usize,
        /// Why no precision shows it.
        reason: Obstacle,
    },
    /// The precision holds assumptions that transfers check and rely on, and the target says that some do not hold. The
    /// precision is without them now. States that were made with them may be too small, so that the graph is no proof:
    /// it is explored to its end, because that finds what else does not hold, and then from the beginning.
    Retracted,
}

/// A feasible path to a target.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Violation<E> {
    /// What it violates.
    pub target: Target,
    /// From the program's entry to the target.
    pub steps: Vec<Step>,
    /// What the refiner showed.
    pub evidence: E,
}

/// How a run ended: the state space is exhausted, no target is left, and the checker agreed (the ledger may still
/// forbid *true*); or with a violation; or with neither.
pub type Answer<E> = Verdict<Checked, Violation<E>>;

/// Decides about paths to targets and extends the precision. Laws: `Feasible` only with evidence that holds for the
/// program as it is; `Infeasible` only if no concrete execution follows the path. An obstacle that is not of a target
/// ends the run.
pub trait Refiner<D: Domain> {
    /// What is shown for a feasible path: inputs that were replayed, in most.
    type Evidence;

    /// Decides about one path, and extends the precision if it is infeasible.
    fn refine(
        &mut self,
        worker: &mut D::Worker,
        path: &TargetPath<'_, '_, D>,
        precision: &mut D::Precision,
    ) -> Decision<Self::Evidence, Refinement>;

    /// The order in which exploration goes on, where refinement has found out which is best. Asked after each path and
    /// after the last resort.
    fn order(&self) -> Option<WaitOrder> {
        None
    }

    /// After how many states the loop loses its patience, as refinement sees it. Asked at the beginning and after each
    /// path, until it is lost.
    fn patience(&self, configured: u64) -> u64 {
        configured
    }

    /// A precision to begin again with where refinement does not get on: it brought nothing new, or the loop has lost
    /// its patience. `None` where there is none.
    fn last_resort(&mut self, _domain: &D, _precision: &D::Precision) -> Option<D::Precision> {
        None
    }
}

/// The states that a decision about a target changes: those of one graph after each counterexample, those of one graph
/// after all of them, or those of blocks. Where an obstacle is returned, the run ends with it.
pub trait States {
    /// The target stays, and no proof comes of the graph while it does.
    fn leave(&mut self, reason: Obstacle) -> Option<Obstacle>;
    /// The path is cut off at a step; see [`Refinement::Excluded`].
    fn exclude(&mut self, step: usize, reason: Obstacle) -> Option<Obstacle>;
    /// Assumptions were taken back; see [`Refinement::Retracted`].
    fn retract(&mut self);
    /// The precision was extended; see [`Refinement::Extended`].
    fn extend(&mut self, cut: usize, grew: bool) -> Option<Obstacle>;
    /// The run ends before the target is decided: should it go on, the target must be seen again.
    fn postpone(&mut self) {}
}

/// Applies what was decided of a target to the states; gives the answer of the run where that ends it.
pub fn apply<E>(decision: Decision<E, Refinement>, kind: TargetKind, steps: Vec<Step>, states: &mut dyn States) -> Option<Answer<E>> {
    let end = match decision {
        Decision::Feasible(evidence) => match kind {
            TargetKind::Property(target) => return Some(Verdict::False(Violation { target, steps, evidence })),
            TargetKind::Open(reason) => states.leave(reason),
        },
        Decision::Open(reason) if reason.kind.is_of_a_target() => states.leave(reason),
        Decision::Open(reason) => {
            states.postpone();
            Some(reason)
        }
        Decision::Infeasible(Refinement::Extended { cut, grew }) => states.extend(cut, grew),
        Decision::Infeasible(Refinement::Excluded { step, reason }) => states.exclude(step, reason),
        Decision::Infeasible(Refinement::Retracted) => {
            states.retract();
            None
        }
    };
    end.map(Verdict::Unknown)
}

/// Why a run ends whose exploration does.
pub fn obstacle_of(status: Status) -> Obstacle {
    match status {
        Status::Stopped(reason) => Obstacle::stopped(reason),
        Status::Broken { reason, .. } => broken_off(&reason),
        Status::StateLimit(count) => Obstacle::bound(format!("more than {count} abstract states")),
        Status::Exhausted | Status::Target(_) | Status::Interrupted => broken_off("the exploration stopped early"),
    }
}

/// The run ends because something broke off.
pub fn broken_off(reason: &str) -> Obstacle {
    Obstacle::imprecise(format!("broken off: {reason}"))
}

/// Where the exploration goes on after a refinement.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Restart {
    /// From the beginning.
    Root,
    /// At the first state whose precision changed.
    #[default]
    Pivot,
    /// At the last common ancestor of this pivot and the one before.
    CommonAncestor,
}

/// How exploration and refinement take turns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CegarConfig {
    /// Where exploration goes on after a refinement.
    pub restart: Restart,
    /// Gives up after so many.
    pub max_refinements: Option<u64>,
    /// After this many states without a verdict the refiner's last resort is taken.
    pub patience: Option<u64>,
    /// Gives up when this many targets are unresolved.
    pub max_unresolved: u64,
    /// Who watches refinement.
    pub monitoring: Monitoring,
    /// Whether all counterexamples of a finished graph are refined at once, instead of each as it is found.
    pub all_at_once: bool,
    /// Whether the final graph is checked before the program is called safe. Only benchmarks switch it off.
    pub check: bool,
}

impl Default for CegarConfig {
    fn default() -> Self {
        CegarConfig {
            restart: Restart::Pivot,
            max_refinements: None,
            patience: None,
            max_unresolved: 1000,
            monitoring: Monitoring::default(),
            all_at_once: false,
            check: true,
        }
    }
}

/// A configuration that CEGAR does not go with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CegarError {
    /// A merged state is on several paths, so refuting one of them does not remove it.
    MergeWithRefinement,
}

impl std::fmt::Display for CegarError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            CegarError::MergeWithRefinement => "refinement does not go with merging states",
        })
    }
}
impl std::error::Error for CegarError {}

/// Says whether refinement goes with an exploration's configuration.
///
/// # Errors
/// What does not go with it.
pub fn validate(config: &ExploreConfig) -> Result<(), CegarError> {
    if !matches!(config.merge, Merge::Sep | Merge::Waiting) {
        return Err(CegarError::MergeWithRefinement);
    }
    Ok(())
}

/// Counters of the loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct CegarCounters {
    /// Paths that were refuted.
    pub refinements: u64,
    /// Refinements that brought nothing new.
    pub repeated: u64,
    /// Targets that were neither confirmed nor refuted.
    pub unresolved: u64,
    /// Paths that were excluded one by one, because no precision refutes them.
    pub excluded: u64,
    /// Whether the last resort was taken.
    pub escalations: u64,
    /// How often assumptions were taken back.
    pub retractions: u64,
    /// Nodes that the checker has seen.
    pub checked_nodes: u64,
}

impl CegarCounters {
    /// Adds the counters to the statistics under the names that `--stats` prints.
    pub fn add_to(&self, stats: &mut Stats) {
        stats.add(Counter::REFINEMENTS, self.refinements);
        stats.add("refinements without news", self.repeated);
        stats.add("unresolved targets", self.unresolved);
        stats.add("excluded paths", self.excluded);
        stats.add("escalations", self.escalations);
        if self.retractions > 0 {
            stats.add("retractions", self.retractions);
        }
        stats.add("checked states", self.checked_nodes);
    }
}

/// The loop. A refiner that never answers `Infeasible` makes it an analysis without refinement, which any merge goes
/// with; for one that does, call [`validate`] first.
pub struct Cegar<'a, D: Domain> {
    /// What is explored, with the present precision.
    pub exploration: Exploration<'a, D>,
    /// How it takes turns with refinement.
    pub config: CegarConfig,
    /// What was done so far.
    pub counters: CegarCounters,
    /// Paths that were refined without growth since the precision grew last.
    stale: FastSet<Fingerprint>,
    last_pivot: Option<NodeId>,
    /// Open ends: states on paths that no execution follows and no precision refutes, with the reason.
    excluded: BTreeMap<NodeId, Obstacle>,
    scattered: bool,
    /// Who watches refinement.
    pub monitors: Monitors,
    /// How often the precision grew, or another one was taken: with it, equal precisions have equal numbers.
    growth: u64,
    /// How long the last refinement took.
    refining: Duration,
    /// Whether assumptions were taken back that states of the graph may have been made with.
    retracted: bool,
}

/// After so many excluded paths the exploration goes on at random: paths that lie side by side are likely infeasible
/// for the same reason.
const SCATTER: u64 = 20;

impl<'a, D: Domain> Cegar<'a, D> {
    /// Explores nothing yet.
    pub fn new(exploration: Exploration<'a, D>, config: CegarConfig) -> Self {
        Cegar {
            exploration,
            config,
            counters: CegarCounters::default(),
            stale: FastSet::default(),
            last_pivot: None,
            excluded: BTreeMap::new(),
            scattered: false,
            monitors: Monitors::new(config.monitoring),
            growth: 0,
            refining: Duration::ZERO,
            retracted: false,
        }
    }

    /// Runs to a verdict. A run that was stopped goes on where it was when it is called again.
    pub fn run<R: Refiner<D>>(&mut self, worker: &mut D::Worker, refiner: &mut R) -> Answer<R::Evidence> {
        if self.exploration.arg.is_empty() {
            self.exploration.pause_at = self.config.patience.map(|states| refiner.patience(states));
            self.exploration.start_program(worker);
        }
        loop {
            let target = match self.exploration.run(worker) {
                Status::Exhausted => match self.handle_all(worker, refiner) {
                    Some(outcome) => return outcome,
                    None => continue,
                },
                Status::Target(_) if self.config.all_at_once => continue,
                Status::Target(target) => target,
                Status::Interrupted => {
                    self.escalate(worker, refiner);
                    continue;
                }
                ended => return Verdict::Unknown(obstacle_of(ended)),
            };
            if let Some(outcome) = self.handle(worker, refiner, target) {
                return outcome;
            }
        }
    }

    /// Begins again with another precision, for analyses that win precision back from a finished graph.
    pub fn restart(&mut self, worker: &mut D::Worker, precision: D::Precision) {
        self.exploration.precision = precision;
        self.growth += 1;
        self.counters.unresolved = 0;
        self.stale.clear();
        self.begin(worker);
    }

    fn begin(&mut self, worker: &mut D::Worker) {
        self.retracted = false;
        self.last_pivot = None;
        self.excluded.clear();
        self.exploration.clear();
        self.exploration.start_program(worker);
    }

    fn conclude<E>(&mut self, worker: &mut D::Worker) -> Answer<E> {
        self.exploration.flush_cuts();
        let mut reasons: Vec<Obstacle> = self
            .exploration
            .arg
            .targets()
            .map(|(node, info)| {
                info.unresolved.clone().unwrap_or_else(|| Obstacle::unconfirmed(format!("the target {node} was not examined")))
            })
            .collect();
        let arg = &self.exploration.arg;
        reasons.extend(self.excluded.iter().filter(|(node, _)| !arg.is_removed(**node)).map(|(_, reason)| reason.clone()));
        if !reasons.is_empty() {
            return Verdict::Unknown(Obstacle::of_targets(reasons));
        }
        if !self.config.check {
            return Verdict::True(Checked::default());
        }
        match checker::check(&self.exploration, worker) {
            Ok(checked) => {
                self.counters.checked_nodes = checked.nodes;
                Verdict::True(checked)
            }
            Err(defect) => Verdict::Unknown(defect.into()),
        }
    }

    fn handle<R: Refiner<D>>(&mut self, worker: &mut D::Worker, refiner: &mut R, target: NodeId) -> Option<Answer<R::Evidence>> {
        let exploration = &mut self.exploration;
        let path = exploration.arg.path_to(target);
        let print = path.print();
        match self.sight(&path, print).map(|sight| self.monitors.look(&sight)) {
            Some(Advice::Another(obstacle)) => {
                if self.escalate(worker, refiner) {
                    return None;
                }
                return self.leave_unresolved(target, obstacle).map(Verdict::Unknown);
            }
            Some(Advice::Stop(obstacle)) => return Some(Verdict::Unknown(Obstacle::of_targets(vec![obstacle]))),
            None | Some(Advice::GoOn) => {}
        }
        let mut precision = self.exploration.precision.clone();
        let begin = Instant::now();
        let (decision, kind, steps) = self.decide(worker, refiner, &path, &mut precision)?;
        self.refining = begin.elapsed();
        apply(decision, kind, steps, &mut OneByOne { cegar: self, worker, refiner, path: &path, target, precision })
    }

    /// Asks the refiner about the path to a target.
    fn decide<R: Refiner<D>>(
        &self,
        worker: &mut D::Worker,
        refiner: &mut R,
        path: &ArgPath,
        precision: &mut D::Precision,
    ) -> Option<(Decision<R::Evidence, Refinement>, TargetKind, Vec<Step>)> {
        let exploration = &self.exploration;
        let seen = TargetPath {
            environment: exploration.environment,
            domain: exploration.domain,
            kind: exploration.arg.target(path.end())?.kind.clone(),
            heads: path.nodes.iter().map(|&node| exploration.arg.head(node)).collect(),
            steps: path.program_steps()?,
            states: path.nodes.iter().map(|&node| exploration.reached.get(node)).collect(),
        };
        let decision = refiner.refine(worker, &seen, precision);
        Some((decision, seen.kind, seen.steps))
    }

    /// What monitors see of a counterexample; nothing where none looks.
    fn sight(&mut self, path: &ArgPath, print: Fingerprint) -> Option<Sight> {
        if self.monitors.is_off() {
            return None;
        }
        let mut edges: FastSet<_> = FastSet::default();
        let paths = path.steps.iter().filter(|&&step| edges.insert(step)).fold(0u64, |sum, step| {
            let hash = std::hash::BuildHasher::hash_one(&std::hash::BuildHasherDefault::<assay_base::hash::FastHasher>::default(), step);
            sum.wrapping_add(hash)
        });
        Some(Sight {
            situation: self.exploration.arg.fingerprint().with(u128::from(self.growth)),
            path: print,
            paths,
            steps: path.len(),
            growth: self.growth,
            states: self.exploration.counters.states,
            covered: self.exploration.counters.covered,
            refining: self.refining,
            all_at_once: self.config.all_at_once,
        })
    }

    /// The graph is finished. Where all counterexamples are refined at once, this is when; otherwise, and without any,
    /// the run concludes.
    fn handle_all<R: Refiner<D>>(&mut self, worker: &mut D::Worker, refiner: &mut R) -> Option<Answer<R::Evidence>> {
        if self.retracted {
            self.begin(worker);
            return None;
        }
        if !self.config.all_at_once {
            return Some(self.conclude(worker));
        }
        let open = self.exploration.arg.targets().filter(|(_, info)| info.unresolved.is_none());
        let targets: Vec<NodeId> = open.map(|(node, _)| node).collect();
        let before = self.exploration.precision.clone();
        let mut pending: Option<D::Precision> = None;
        let (mut grew_at_all, mut first) = (false, true);
        for target in targets {
            let path = self.exploration.arg.path_to(target);
            let print = path.print();
            // The graph is one for all of them, so one look is enough.
            if std::mem::replace(&mut first, false)
                && let Some(sight) = self.sight(&path, print)
                && let Advice::Stop(obstacle) = self.monitors.look(&sight)
            {
                return Some(Verdict::Unknown(Obstacle::of_targets(vec![obstacle])));
            }
            let mut precision = pending.clone().unwrap_or_else(|| before.clone());
            let Some((decision, kind, steps)) = self.decide(worker, refiner, &path, &mut precision) else { continue };
            let mut states = AllAtOnce { cegar: self, target, print, changed: false, grew: false };
            if let Some(answer) = apply(decision, kind, steps, &mut states) {
                return Some(answer);
            }
            grew_at_all |= states.grew;
            if states.changed {
                pending = Some(precision);
            }
        }
        let limit = self.config.max_refinements.filter(|&limit| self.counters.refinements > limit);
        if let Some(limit) = limit {
            return Some(Verdict::Unknown(too_many_refinements(limit)));
        }
        let Some(precision) = pending else { return Some(self.conclude(worker)) };
        if !grew_at_all {
            // Every state was made with this very precision, so the same graph would come back.
            self.counters.repeated += 1;
            if self.escalate(worker, refiner) {
                return None;
            }
            let stuck = Obstacle::stuck("the refinement of all counterexamples brought nothing new");
            return Some(Verdict::Unknown(stuck));
        }
        self.growth += 1;
        self.exploration.precision = precision;
        self.begin(worker);
        None
    }

    fn leave_unresolved(&mut self, target: NodeId, reason: Obstacle) -> Option<Obstacle> {
        self.counters.unresolved += 1;
        self.exploration.arg.set_unresolved(target, reason);
        if self.counters.unresolved < self.config.max_unresolved {
            return None;
        }
        let reasons = self.exploration.arg.targets().filter_map(|(_, info)| info.unresolved.clone());
        Some(Obstacle::of_targets(reasons.collect()))
    }

    /// Begins again with the refiner's last resort; `false` if there is none.
    fn escalate<R: Refiner<D>>(&mut self, worker: &mut D::Worker, refiner: &mut R) -> bool {
        let Some(precision) = refiner.last_resort(self.exploration.domain, &self.exploration.precision) else { return false };
        self.counters.escalations += 1;
        self.reorder(refiner);
        self.restart(worker, precision);
        true
    }

    /// Goes on in the order that refinement has found to be best.
    fn reorder<R: Refiner<D>>(&mut self, refiner: &R) {
        if let Some(order) = refiner.order().filter(|&order| order != self.exploration.config.order) {
            self.exploration.reorder(order);
        }
    }

    /// Removes what the refinement refuted.
    fn cut<R: Refiner<D>>(&mut self, worker: &mut D::Worker, refiner: &mut R, path: &ArgPath, cut: usize, grew: bool) -> Option<Obstacle> {
        let mut restart = self.config.restart;
        if grew {
            self.growth += 1;
            self.stale.clear();
        } else {
            self.counters.repeated += 1;
            // Older states may stand from before the precision grew. Rebuilding all of them once settles whether the
            // precision suffices; if the path comes back after that, no refinement of this kind will help.
            if !self.stale.insert(path.print()) {
                if self.escalate(worker, refiner) {
                    return None;
                }
                return self.leave_unresolved(path.end(), Obstacle::stuck("the refinement of an infeasible path brought nothing new"));
            }
            restart = Restart::Root;
        }
        let pivot = path.nodes[cut];
        let place = match (restart, self.last_pivot) {
            (Restart::Root, _) => path.nodes[0],
            (Restart::CommonAncestor, Some(last)) if !self.exploration.arg.is_removed(last) => {
                self.exploration.arg.common_ancestor(pivot, last)
            }
            _ => pivot,
        };
        if self.exploration.arg.root() == Some(place) {
            // The root's own state depends on the precision, too.
            self.begin(worker);
        } else {
            self.last_pivot = self.exploration.arg.creator(place).map(|(_, parent)| parent);
            self.exploration.remove_subtree(place);
        }
        None
    }
}

/// The run ends because of the configured number of refinements.
pub fn too_many_refinements(limit: u64) -> Obstacle {
    Obstacle::bound(format!("more than {limit} refinements"))
}

/// The states of one graph, of which each counterexample is refined as it is found.
struct OneByOne<'c, 'a, D: Domain, R> {
    cegar: &'c mut Cegar<'a, D>,
    worker: &'c mut D::Worker,
    refiner: &'c mut R,
    path: &'c ArgPath,
    target: NodeId,
    /// As the refiner has left it.
    precision: D::Precision,
}

impl<D: Domain, R: Refiner<D>> States for OneByOne<'_, '_, D, R> {
    fn leave(&mut self, reason: Obstacle) -> Option<Obstacle> {
        self.cegar.leave_unresolved(self.target, reason)
    }

    fn exclude(&mut self, step: usize, reason: Obstacle) -> Option<Obstacle> {
        let Cegar { exploration, counters, scattered, excluded, .. } = &mut *self.cegar;
        counters.excluded += 1;
        if counters.excluded == SCATTER && !std::mem::replace(scattered, true) {
            exploration.reorder(WaitOrder::plain(Order::Random { seed: 1 }));
        }
        let length = (step + 2).min(self.path.nodes.len());
        let end = self.path.nodes[length - 1];
        exploration.bury(&self.path.nodes[..length]);
        if end == self.target {
            exploration.arg.set_unresolved(self.target, reason);
        } else {
            excluded.insert(end, reason);
        }
        None
    }

    fn retract(&mut self) {
        let cegar = &mut *self.cegar;
        cegar.counters.retractions += 1;
        cegar.growth += 1;
        cegar.retracted = true;
        cegar.exploration.precision = self.precision.clone();
        cegar.exploration.discard(self.target);
    }

    fn extend(&mut self, cut: usize, grew: bool) -> Option<Obstacle> {
        let cegar = &mut *self.cegar;
        cegar.counters.refinements += 1;
        let refinements = cegar.counters.refinements;
        cegar.exploration.environment.cancel.meter().set(Gauge::Refinements, refinements);
        if cegar.config.max_refinements.is_some_and(|limit| refinements > limit) {
            return Some(too_many_refinements(refinements - 1));
        }
        cegar.exploration.precision = self.precision.clone();
        if cegar.exploration.pause_at.is_some() {
            cegar.exploration.pause_at = cegar.config.patience.map(|states| self.refiner.patience(states));
        }
        cegar.reorder(self.refiner);
        cegar.monitors.refined(self.path.print());
        cegar.cut(self.worker, self.refiner, self.path, cut.min(self.path.nodes.len() - 1), grew)
    }

    fn postpone(&mut self) {
        self.cegar.exploration.report_again(self.target);
    }
}

/// The states of a finished graph, all of whose counterexamples are refined before it is explored again.
struct AllAtOnce<'c, 'a, D: Domain> {
    cegar: &'c mut Cegar<'a, D>,
    target: NodeId,
    print: Fingerprint,
    /// Whether the precision is of use.
    changed: bool,
    /// Whether it is another than before.
    grew: bool,
}

impl<D: Domain> States for AllAtOnce<'_, '_, D> {
    fn leave(&mut self, reason: Obstacle) -> Option<Obstacle> {
        self.cegar.counters.unresolved += 1;
        self.cegar.exploration.arg.set_unresolved(self.target, reason);
        None
    }

    fn exclude(&mut self, _: usize, reason: Obstacle) -> Option<Obstacle> {
        self.leave(reason)
    }

    fn retract(&mut self) {
        self.cegar.counters.retractions += 1;
        (self.changed, self.grew) = (true, true);
    }

    fn extend(&mut self, _: usize, grew: bool) -> Option<Obstacle> {
        self.cegar.counters.refinements += 1;
        self.cegar.monitors.refined(self.print);
        (self.changed, self.grew) = (true, grew);
        None
    }
}
