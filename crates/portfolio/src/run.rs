//! Running a portfolio: one node after the other, or as many side by side as there are threads, under one CPU budget.
//! The first verdict is the only one; who is still running is stopped at once.
//!
//! Side by side run the node whose turn it is and those that would follow if the time of each were over. What came out
//! of them counts when their turn comes, so that more threads change when an answer is found, not which nodes are
//! asked.
//!
//! A node whose time is over is kept where a later one has the same analysis: that goes on where it stopped.

use crate::condition::Facts;
use crate::machine::{Node, Portfolio};
use crate::watch::Watched;
use assay_base::{Counter, Gauge, Ledger, Obstacle, ObstacleKind, Stats, StopReason};
use assay_cfa::Program;
use assay_results::{Activity, Analysis, Chapter, HowFar, Outcome, RunContext};
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::mpsc::{self, Sender};
use std::thread::Scope;
use std::time::{Duration, Instant};

/// Without a time limit, shares are of this.
const UNLIMITED: Duration = Duration::from_secs(900);
/// How often the time of nodes is looked at.
const PERIOD: Duration = Duration::from_millis(10);
/// A node runs alone for this long before the next one starts beside it: most programs need no second.
const HEAD_START: Duration = Duration::from_millis(60);
/// Nodes that wait are heard for this long in the end.
const HEARING: Duration = Duration::from_millis(300);
/// In thousandths of the memory limit: beyond it no node that waits is kept.
const MEMORY_FOR_WAITING: u64 = 500;
/// Stacks of the nodes' threads. The address space is reserved, not used; where even that is refused, less has to do.
const STACK_MEGABYTES: [usize; 3] = [1024, 256, 64];

/// An analysis that is ready to run at a node.
pub struct Prepared {
    /// What runs.
    pub analysis: Box<dyn Analysis>,
    /// It keeps all threads busy itself, so that nothing runs beside it.
    pub uses_threads: bool,
    /// It leaves something to the next run, and uses what an earlier one left.
    pub uses_cache: bool,
}

/// A portfolio with the analyses of its nodes.
pub struct Running {
    portfolio: Portfolio,
    analyses: Vec<Mutex<Box<dyn Analysis>>>,
    uses_threads: Vec<bool>,
    uses_cache: Vec<bool>,
    clock: fn() -> Duration,
}

impl Running {
    /// `build` makes the analysis of a node, `clock` tells the CPU time that the process has used.
    ///
    /// # Errors
    /// The first node whose analysis cannot be made.
    pub fn new(portfolio: Portfolio, build: &dyn Fn(&Node) -> Result<Prepared, String>, clock: fn() -> Duration) -> Result<Self, String> {
        let prepared: Vec<Prepared> = portfolio.nodes.iter().map(build).collect::<Result<_, _>>()?;
        let uses_threads = prepared.iter().map(|prepared| prepared.uses_threads).collect();
        let uses_cache = prepared.iter().map(|prepared| prepared.uses_cache).collect();
        let analyses = prepared.into_iter().map(|prepared| Mutex::new(prepared.analysis)).collect();
        Ok(Running { portfolio, analyses, uses_threads, uses_cache, clock })
    }
}

impl Analysis for Running {
    fn name(&self) -> &str {
        &self.portfolio.name
    }

    fn run(&mut self, program: &Program, context: &RunContext<'_>) -> Outcome {
        let count = self.portfolio.nodes.len();
        let mut course = Course {
            running: self,
            program,
            context,
            facts: Facts::new(program).with_cache(self.uses_cache.contains(&true)).with_threads(context.threads),
            visits: vec![0; count],
            chosen: vec![String::new(); count],
            active: BTreeMap::new(),
            paused: BTreeMap::new(),
            goes_on: BTreeMap::new(),
            ended: BTreeMap::new(),
            story: Vec::new(),
            statistics: Stats::default(),
            obstacles: Vec::new(),
            notes: Vec::new(),
            cache_notes: Vec::new(),
            how_far: HowFar::default(),
        };
        let mut outcome = course.run();
        // A verdict has the notes of the node that came to it, and the caller that keeps a cache wants to know what
        // became of it.
        if outcome.verdict.is_unknown() {
            outcome.notes = course.notes;
            outcome.how_far = course.how_far;
        } else {
            outcome.notes.splice(0..0, course.cache_notes);
        }
        outcome.statistics = course.statistics;
        outcome.story = course.story;
        outcome
    }
}

/// One run.
struct Course<'r> {
    running: &'r Running,
    program: &'r Program,
    context: &'r RunContext<'r>,
    facts: Facts<'r>,
    visits: Vec<u32>,
    /// Why each node was chosen.
    chosen: Vec<String>,
    active: BTreeMap<usize, (Watched, Instant)>,
    /// Nodes whose time is over and which a later one goes on with.
    paused: BTreeMap<usize, Watched>,
    /// The node that goes on with what another one began.
    goes_on: BTreeMap<usize, usize>,
    /// Nodes that came to an end and whose turn is not over.
    ended: BTreeMap<usize, ObstacleKind>,
    story: Vec<Chapter>,
    statistics: Stats,
    obstacles: Vec<Obstacle>,
    /// What nodes without a verdict had to tell, each once.
    notes: Vec<String>,
    /// Of these, those of nodes that use the cache, with their names.
    cache_notes: Vec<String>,
    how_far: HowFar,
}

impl<'r> Course<'r> {
    fn run(&mut self) -> Outcome {
        let Some(first) = self.running.portfolio.settle(0, &self.facts, &mut self.visits) else {
            return Outcome::unknown(Obstacle::nothing_to_do("no node of the portfolio is made for the program"));
        };
        std::thread::scope(|scope| {
            let (sender, receiver) = mpsc::channel::<(usize, Outcome)>();
            let mut turn = first;
            let mut clock = (self.running.clock)();
            loop {
                for node in self.wanted(turn) {
                    self.start(scope, node, &sender);
                }
                let done = receiver.recv_timeout(PERIOD);
                let now = (self.running.clock)();
                let passed = now.saturating_sub(clock) / u32::try_from(self.active.len().max(1)).unwrap_or(1);
                clock = now;
                for (watched, _) in self.active.values_mut() {
                    watched.charge(passed, self.context.limits);
                }
                let mut news = self.put_aside();
                if let Ok((begun_by, outcome)) = done {
                    news = true;
                    if self.paused.remove(&begun_by).is_none() {
                        let node = self.goes_on.remove(&begun_by).unwrap_or(begun_by);
                        self.record(node, &outcome);
                    }
                    if !outcome.verdict.is_unknown() {
                        self.stop_others(&[]);
                        return outcome;
                    }
                }
                if !news {
                    continue;
                }
                if let Some(reason) = self.context.cancel.stopped() {
                    self.hear(&receiver);
                    return Outcome::stopped(reason);
                }
                match self.advance(turn) {
                    Some(next) => turn = next,
                    None => {
                        self.stop_others(&[]);
                        self.hear(&receiver);
                        return Outcome::unknown(self.conclusion());
                    }
                }
            }
        })
    }

    /// Nodes whose time is over and which wait to be gone on with are put aside. Says whether there are any.
    fn put_aside(&mut self) -> bool {
        let waiting: Vec<usize> = self.active.iter().filter(|(_, (watched, _))| watched.token.waits()).map(|(&node, _)| node).collect();
        for &node in &waiting {
            let Some((watched, _)) = self.active.get(&node) else { continue };
            let (token, replaceable) = (watched.token.clone(), watched.replaceable);
            let mut outcome = Outcome::stopped(StopReason::Time);
            outcome.statistics.add(Counter::STATES, token.meter().get(Gauge::States));
            outcome.statistics.add(Counter::REFINEMENTS, token.meter().get(Gauge::Refinements));
            self.tell(node, &outcome);
            let begun_by = self.goes_on.iter().find(|(_, current)| **current == node).map_or(node, |(&begun_by, _)| begun_by);
            self.goes_on.remove(&begun_by);
            self.paused.insert(begun_by, Watched::new(token, None, replaceable, false));
        }
        !waiting.is_empty()
    }

    /// Nodes that wait come to their end, and say how far they got.
    fn hear(&mut self, receiver: &mpsc::Receiver<(usize, Outcome)>) {
        let paused = std::mem::take(&mut self.paused);
        for watched in paused.values() {
            watched.token.stop(StopReason::Time);
        }
        let begin = Instant::now();
        for _ in 0..paused.len() {
            let Ok((_, outcome)) = receiver.recv_timeout(HEARING.saturating_sub(begin.elapsed())) else { return };
            self.how_far.merge(&outcome.how_far);
        }
    }

    /// Goes over nodes that have ended to the one whose turn it is.
    fn advance(&mut self, turn: usize) -> Option<usize> {
        let portfolio = &self.running.portfolio;
        let mut turn = turn;
        while let Some(kind) = self.ended.remove(&turn) {
            let edge = portfolio.next(turn, kind, &self.facts, &self.visits)?;
            let next = portfolio.settle(edge.to, &self.facts, &mut self.visits)?;
            self.chosen[next] = format!("{}: {}", portfolio.nodes[turn].name, kind.meaning());
            turn = next;
        }
        let path = self.path(turn);
        self.stop_others(&path);
        Some(turn)
    }

    /// The node whose turn it is and those that follow if the time of each is over.
    fn path(&self, turn: usize) -> Vec<usize> {
        let portfolio = &self.running.portfolio;
        let mut visits = self.visits.clone();
        let mut path = vec![turn];
        let mut at = turn;
        loop {
            if !self.active.contains_key(&at) && !self.ended.contains_key(&at) {
                visits[at] += 1;
            }
            let kind = self.ended.get(&at).copied().unwrap_or(ObstacleKind::Time);
            let next = portfolio.next(at, kind, &self.facts, &visits).map(|edge| edge.to);
            match next.and_then(|next| portfolio.settle(next, &self.facts, &mut visits)) {
                Some(next) if !path.contains(&next) => {
                    path.push(next);
                    at = next;
                }
                _ => return path,
            }
        }
    }

    /// Nodes that are to be started now.
    fn wanted(&self, turn: usize) -> Vec<usize> {
        let idle = |node: usize| !self.active.contains_key(&node) && !self.ended.contains_key(&node);
        if idle(turn) {
            // It may use all threads only once nothing else does.
            return if self.running.uses_threads[turn] && !self.active.is_empty() { vec![] } else { vec![turn] };
        }
        let threads = self.context.threads;
        let crowded = self.active.len() >= threads || self.active.keys().any(|&node| self.running.uses_threads[node]);
        let fresh = self.active.values().any(|(_, since)| since.elapsed() < HEAD_START);
        if crowded || fresh || self.context.cancel.is_stopped() {
            return vec![];
        }
        let next = self.path(turn).into_iter().find(|&node| idle(node));
        next.filter(|&node| !self.running.uses_threads[node]).into_iter().collect()
    }

    fn start<'scope>(&mut self, scope: &'scope Scope<'scope, '_>, node: usize, sender: &Sender<(usize, Outcome)>)
    where
        'r: 'scope,
    {
        let entry = &self.running.portfolio.nodes[node];
        let last = entry.edges.is_empty();
        let used = (self.running.clock)();
        let left = self.context.limits.cpu_time.map_or(UNLIMITED, |limit| limit.saturating_sub(used));
        // The last one may use all that is left, and without a limit it is not stopped at all.
        let share = left.mul_f64(entry.share);
        let budget = (!last || entry.at_most.is_some()).then(|| entry.at_most.map_or(share, |most| share.min(most)));
        let begun_by = self.paused.keys().copied().find(|&other| self.running.portfolio.same_analysis(other, node));
        let earlier = begun_by.and_then(|begun_by| self.paused.remove(&begun_by));
        let token = earlier.as_ref().map_or_else(|| self.context.cancel.child(), |earlier| earlier.token.clone());
        let kept = !self.running.uses_threads[node] && self.memory_is_free() && self.running.portfolio.is_taken_up(node);
        let watched = Watched::new(token.clone(), budget, !last, kept);
        self.visits[node] += 1;
        self.active.insert(node, (watched, Instant::now()));
        let next = self.path(node).get(1).map_or("", |&next| self.running.portfolio.nodes[next].name.as_str());
        self.context.progress.begin(&Activity { name: &entry.name, why: &self.why(node), next, token: &token });
        if let Some(begun_by) = begun_by {
            self.goes_on.insert(begun_by, node);
            return token.resume();
        }
        let (running, program, context, sender) = (self.running, self.program, *self.context, sender.clone());
        let threads = if running.uses_threads[node] { context.threads } else { 1 };
        let work = move || {
            // What one node assumed or cut off does not bind the next.
            let ledger = Ledger::new();
            let inner = RunContext { cancel: &token, ledger: &ledger, threads, last: last && context.last, ..context };
            let outcome = guarded(|| {
                let mut analysis = running.analyses[node].lock().unwrap_or_else(|poisoned| poisoned.into_inner());
                analysis.run(program, &inner)
            });
            // The caller that waited for it may have an answer already.
            let _ = sender.send((node, outcome));
        };
        let started = STACK_MEGABYTES.iter().any(|megabytes| {
            let builder = std::thread::Builder::new().name("node".into()).stack_size(megabytes << 20);
            builder.spawn_scoped(scope, work.clone()).is_ok()
        });
        if !started {
            work();
        }
    }

    fn why(&self, node: usize) -> String {
        let entry = &self.running.portfolio.nodes[node];
        let because = if entry.when.is_trivial() { String::new() } else { entry.when.text().to_string() };
        let parts = [entry.why.clone(), because, self.chosen[node].clone()];
        let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        parts.join("; ")
    }

    /// Whether there is memory for nodes that wait.
    fn memory_is_free(&self) -> bool {
        let limit = self.context.limits.memory_bytes.unwrap_or(u64::MAX);
        self.context.cancel.memory_in_use() < limit / 1000 * MEMORY_FOR_WAITING
    }

    /// Notes how a node ended.
    fn record(&mut self, node: usize, outcome: &Outcome) {
        self.statistics.merge(&outcome.statistics);
        self.tell(node, outcome);
    }

    /// The chapter of a node whose turn is over.
    fn tell(&mut self, node: usize, outcome: &Outcome) {
        let entry = &self.running.portfolio.nodes[node];
        let obstacle = outcome.verdict.obstacle();
        let Some((watched, _)) = self.active.remove(&node) else { return };
        let text = outcome.verdict.to_string();
        let why = self.why(node);
        let chapter = Chapter {
            node: entry.name.clone(),
            analysis: entry.preset.clone(),
            why,
            obstacle: obstacle.cloned(),
            text,
            cpu: watched.spent,
            states: outcome.statistics.count(Counter::STATES),
            refinements: outcome.statistics.count(Counter::REFINEMENTS),
        };
        self.context.progress.end(&chapter, outcome);
        self.story.push(chapter);
        if let Some(obstacle) = obstacle {
            self.obstacles.push(obstacle.clone());
            self.how_far.merge(&outcome.how_far);
            for note in &outcome.notes {
                if !self.notes.contains(note) {
                    self.notes.push(note.clone());
                }
                if self.running.uses_cache[node] {
                    self.cache_notes.push(format!("{}: {note}", entry.name));
                }
            }
        }
        let Some(obstacle) = obstacle else { return };
        if obstacle.kind == ObstacleKind::Interrupted {
            // It was on no path any more; should its turn come, it begins anew.
            self.visits[node] -= 1;
        } else {
            self.ended.insert(node, obstacle.kind);
        }
    }

    /// Stops nodes that run and are not among these, and nodes that wait where the memory is needed or all is over.
    fn stop_others(&self, these: &[usize]) {
        for (node, (watched, _)) in &self.active {
            if !these.contains(node) {
                watched.token.stop(StopReason::Cancelled);
            }
        }
        if these.is_empty() || !self.memory_is_free() {
            self.paused.values().for_each(|watched| watched.token.stop(StopReason::Cancelled));
        }
    }

    /// What is said when no node has a verdict.
    fn conclusion(&mut self) -> Obstacle {
        let obstacles = std::mem::take(&mut self.obstacles);
        match obstacles.as_slice() {
            // A limit of the whole run is the plainest answer.
            [.., last] if last.kind.is_stop() => last.clone(),
            [first, rest @ ..] if rest.iter().all(|other| other == first) => first.clone(),
            // What no analysis can follow is the same for all of them, whatever they call it.
            all => match all.iter().find(|obstacle| obstacle.kind == ObstacleKind::Unsupported) {
                Some(obstacle) => obstacle.clone(),
                None => Obstacle::of_analyses(all),
            },
        }
    }
}

/// A defect of one analysis does not end the others: it is one more reason for *unknown*.
fn guarded(work: impl FnOnce() -> Outcome) -> Outcome {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(work)).unwrap_or_else(|payload| {
        let text = payload.downcast_ref::<&str>().map(|text| text.to_string()).or_else(|| payload.downcast_ref::<String>().cloned());
        Outcome::unknown(Obstacle::failed(text.unwrap_or_else(|| "unknown failure".to_string())))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read;
    use assay_base::CancelToken;
    use assay_cfa::{Builder, DataModel};
    use assay_results::{Findings, NoProgress, Proof, Verdict};

    /// What it does is in its name.
    struct Fixed(String);
    impl Analysis for Fixed {
        fn name(&self) -> &str {
            &self.0
        }
        fn run(&mut self, _: &Program, context: &RunContext<'_>) -> Outcome {
            assert!(self.0 != "broken", "a defect");
            match self.0.as_str() {
                "slow" => {
                    while !context.cancel.is_stopped() {
                        std::thread::sleep(Duration::from_millis(1));
                    }
                    Outcome::stopped(context.cancel.stopped().unwrap_or(StopReason::Time))
                }
                // Comes to a proof after it was asked to wait once, and never if it begins anew.
                "patient" => {
                    let mut paused = false;
                    loop {
                        let begin = Instant::now();
                        if context.cancel.is_stopped() {
                            return Outcome::stopped(StopReason::Time);
                        }
                        paused |= begin.elapsed() > Duration::from_millis(20);
                        if paused {
                            return Outcome::proof(vec![]);
                        }
                        std::thread::sleep(Duration::from_millis(1));
                    }
                }
                "proof" => Outcome::proof(vec![]),
                "late" => {
                    std::thread::sleep(Duration::from_millis(150));
                    Outcome::proof(vec![])
                }
                "stuck" => Outcome::unknown(Obstacle::stuck("stuck")),
                other => Outcome::unknown(Obstacle::bound(other)),
            }
        }
    }

    fn clock() -> Duration {
        use std::sync::OnceLock;
        static START: OnceLock<Instant> = OnceLock::new();
        START.get_or_init(Instant::now).elapsed()
    }

    fn run_with(text: &str, threads: usize) -> Outcome {
        let mut builder = Builder::new(DataModel::Ilp32);
        let main = builder.function("main", assay_base::Span::NONE);
        let program = builder.finish(main);
        let portfolio = read("test", text, &|_, _| Ok(())).unwrap();
        let build = |node: &Node| Ok(Prepared { analysis: Box::new(Fixed(node.preset.clone())), uses_threads: false, uses_cache: false });
        let limits = assay_base::Limits { cpu_time: Some(clock() + Duration::from_millis(500)), memory_bytes: None };
        let (cancel, ledger) = (CancelToken::new(), Ledger::new());
        let context = RunContext {
            cancel: &cancel,
            limits,
            threads,
            ledger: &ledger,
            progress: &NoProgress,
            last: false,
            findings: &Findings::default(),
        };
        Running::new(portfolio, &build, clock).unwrap().run(&program, &context)
    }

    fn check(text: &str, expected: Verdict, nodes: &[&str]) {
        let outcome = run_with(text, 1);
        let found: Vec<&str> = outcome.story.iter().map(|chapter| chapter.node.as_str()).collect();
        assert_eq!((outcome.verdict, found.as_slice()), (expected, nodes), "{text}");
    }

    #[test]
    fn the_first_verdict_wins_and_a_slow_node_is_stopped() {
        check("stages = [\"slow 0.1\", \"proof 1\"]", Verdict::True(Proof::default()), &["slow", "proof"]);
        let several = Obstacle::of_analyses(&[Obstacle::bound("a"), Obstacle::bound("b")]);
        check("stages = [\"a 0.1\", \"b 1\"]", Verdict::Unknown(several), &["a", "b"]);
        check("stages = [\"a 1\"]", Verdict::Unknown(Obstacle::bound("a")), &["a"]);
    }

    #[test]
    fn edges_are_taken_on_reasons_and_features() {
        let text = "[node.stuck]\nnext = [{ to = \"slow\", on = \"time\", when = \"size < 9\" }, { to = \"loops\", on = \"stuck\" }]\n\
                    [node.slow]\n[node.loops]\nwhen = \"loops > 0\"\nnext = [{ to = \"proof\", on = \"nothing-to-do\" }]\n[node.proof]\n";
        check(&text.replacen("[node.stuck]\n", "[node.stuck]\nshare = 0.5\n", 1), Verdict::True(Proof::default()), &["stuck", "proof"]);
        let again = "[node.stuck]\nlimit = 3\nnext = [{ to = \"stuck\" }, { to = \"proof\" }]\n[node.proof]\n";
        check(again, Verdict::True(Proof::default()), &["stuck", "stuck", "stuck", "proof"]);
    }

    #[test]
    fn a_later_node_goes_on_where_an_earlier_one_stopped() {
        check("stages = [\"patient 0.1\", \"slow 0.2\", \"patient 1\"]", Verdict::True(Proof::default()), &["patient", "slow", "patient"]);
        // Who waits is no obstacle to the end.
        let late = "stages = [\"patient 0.1\", \"late 0.9\", \"patient 1\"]";
        check(late, Verdict::True(Proof::default()), &["patient", "late"]);
    }

    #[test]
    fn a_defect_of_one_node_does_not_end_the_others() {
        check("stages = [\"broken 0.1\", \"proof 1\"]", Verdict::True(Proof::default()), &["broken", "proof"]);
        check("stages = [\"broken 1\"]", Verdict::Unknown(Obstacle::failed("a defect")), &["broken"]);
    }

    #[test]
    fn nodes_run_side_by_side_and_the_loser_is_stopped() {
        let begin = Instant::now();
        let outcome = run_with("stages = [\"slow 0.9\", \"late 1\"]", 2);
        assert!(outcome.verdict.is_true());
        assert!(begin.elapsed() < Duration::from_millis(440), "the second waited for the first: {:?}", begin.elapsed());
    }
}
