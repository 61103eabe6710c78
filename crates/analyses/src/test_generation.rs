//! Test generation: symbolic execution looks for branches that no test takes yet; a model of the path's conditions
//! gives the inputs, and the interpreter runs them before they count. Only values of nondeterministic functions are
//! inputs of a test, so a branch that depends on something else (uninitialised memory, functions without a body) is
//! covered only if zeros happen to do it.

use crate::config::{AnalysisKind, Config, ConfigError, DomainChoice};
use crate::path_check::PathChecker;
use crate::run::value_options;
use assay_base::{Assumption, AssumptionClass, FastMap, Id, Stats, StopReason};
use assay_cfa::{EdgeId, Origin, Program, SourceId, ValueSourceKind};
use assay_cpa::{ArgStep, CallStacks, Domain, Environment, Exploration, ExploreConfig, LocationOrders, NodeId, Order, Status, Step};
use assay_cpa::{ExplorationScope, WaitOrder};
use assay_domains::value::{ValueDomain, ValueWorker};
use assay_results::{InputOrigin, Progress, RunContext};
use assay_semantics::interpreter::{Oracle, SeededOracle, Stop, run};
use assay_term::{Bits, Terms};
use std::collections::VecDeque;
use std::sync::Arc;

/// A run with chosen inputs; steps beyond this are not looked at.
const MAX_STEPS: u64 = 2_000_000;
/// Runs with arbitrary inputs before anything is solved: they cover the easy part.
const RANDOM_RUNS: u64 = 12;
const RANDOM_STEPS: u64 = 100_000;
/// A test with more inputs than this is of no use to anybody.
const MAX_INPUTS: usize = 20_000;
/// How often inputs for one branch are looked for in vain before it is left alone.
const MAX_ATTEMPTS: u32 = 12;

/// The branches of a program and which of them are taken.
#[derive(Clone, Debug)]
pub struct BranchCoverage {
    /// One for each way of a decision in the source, in the order of the program.
    pub branches: Vec<Branch>,
    by_edge: FastMap<EdgeId, usize>,
}

/// A goal of branch coverage.
#[derive(Clone, Copy, Debug)]
pub struct Branch {
    /// One way of a decision.
    pub edge: EdgeId,
    /// Whether a test takes it.
    pub covered: bool,
}

impl BranchCoverage {
    /// The decisions of functions that the program can call, nothing covered.
    pub fn of(program: &Program) -> Self {
        let calls = assay_cfa::structure::CallGraph::of(program);
        let is_goal = |origin: Origin| matches!(origin, Origin::Branch { .. } | Origin::Case { .. });
        let branches: Vec<Branch> = program
            .edges
            .iter_ids()
            .filter(|(_, edge)| is_goal(edge.origin) && program.locations[edge.source].outgoing.len() > 1)
            .filter(|(_, edge)| calls.reached[program.locations[edge.source].function])
            .map(|(edge, _)| Branch { edge, covered: false })
            .collect();
        let by_edge = branches.iter().enumerate().map(|(index, branch)| (branch.edge, index)).collect();
        BranchCoverage { branches, by_edge }
    }

    /// An edge was taken; `true` if it is a branch that was not covered before.
    pub fn take(&mut self, edge: EdgeId) -> bool {
        match self.by_edge.get(&edge) {
            Some(&index) => !std::mem::replace(&mut self.branches[index].covered, true),
            None => false,
        }
    }
    /// Whether it is a goal that no test takes yet.
    pub fn is_open(&self, edge: EdgeId) -> bool {
        self.by_edge.get(&edge).is_some_and(|&index| !self.branches[index].covered)
    }
    /// How many goals are covered.
    pub fn covered(&self) -> usize {
        self.branches.iter().filter(|branch| branch.covered).count()
    }
    /// Whether all goals are covered.
    pub fn is_complete(&self) -> bool {
        self.branches.iter().all(|branch| branch.covered)
    }
}

/// Inputs that were run: those that the program asked for, in order.
#[derive(Clone, PartialEq, Debug)]
pub struct TestRun {
    /// Each with who asked.
    pub inputs: Vec<(SourceId, Bits)>,
    /// How it ended.
    pub stop: Stop,
    /// The edges that were taken, each once.
    pub edges: Vec<EdgeId>,
}

/// Runs a test as it will be run elsewhere: the inputs in order, zeros where they end and for everything that is no
/// input.
pub fn run_test(program: &Program, inputs: &[Bits], context: &RunContext<'_>) -> TestRun {
    let queue = inputs.iter().copied().collect();
    run_with(program, Source::Given(queue), MAX_STEPS, context)
}

enum Source {
    Given(VecDeque<Bits>),
    Random(SeededOracle),
}

struct TestOracle<'p> {
    program: &'p Program,
    source: Source,
    asked: Vec<(SourceId, Bits)>,
}

impl Oracle for TestOracle<'_> {
    fn source(&mut self, source: SourceId, width: u32) -> Bits {
        if self.program.value_sources[source].kind != ValueSourceKind::Input {
            return Bits::new(width, 0);
        }
        let bits = match &mut self.source {
            Source::Given(queue) => Bits::new(width, queue.pop_front().map_or(0, Bits::value)),
            Source::Random(oracle) => oracle.source(source, width),
        };
        self.asked.push((source, bits));
        bits
    }
    fn memory(&mut self, _: u32, _: u64, width: u32) -> Bits {
        Bits::new(width, 0)
    }
}

fn run_with(program: &Program, source: Source, max_steps: u64, context: &RunContext<'_>) -> TestRun {
    let mut oracle = TestOracle { program, source, asked: vec![] };
    let mut taken = vec![false; program.edges.len()];
    let mut edges = Vec::new();
    let finished = run(program, &mut oracle, max_steps, context.cancel, &mut |step, _, _| {
        if !std::mem::replace(&mut taken[step.edge().index()], true) {
            edges.push(step.edge());
        }
    });
    TestRun { inputs: oracle.asked, stop: finished.stop, edges }
}

/// What a generation came to.
#[derive(Debug)]
pub struct Generation {
    /// Which branches the tests take.
    pub coverage: BranchCoverage,
    /// How many tests were handed out.
    pub tests: usize,
    /// Why it ended before every path was looked at; `None` also where all branches are covered.
    pub stopped: Option<StopReason>,
    /// Whether every path was followed to its end, so that what is not covered cannot be (but for what is no input).
    pub exhausted: bool,
    /// Counters and times, for `--stats`.
    pub statistics: Stats,
}

/// Looks for tests that together take every branch. Each is handed out as soon as the interpreter has confirmed that it
/// takes a branch that none before it took; `found` answers whether more are wanted.
///
/// # Errors
/// A configuration that does not execute symbolically.
pub fn generate(
    program: &Program,
    config: &Config,
    context: &RunContext<'_>,
    found: &mut dyn FnMut(&TestRun) -> bool,
) -> Result<Generation, ConfigError> {
    config.validate()?;
    if config.analysis != AnalysisKind::Explore
        || !config.domain.is(DomainChoice::Symbolic)
        || config.refines()
        || config.bam
        || !config.passes.is_empty()
    {
        let text = "test generation needs `domain = symbolic` without `cegar`, `bam` and `passes`: its paths must be those of the program";
        return Err(ConfigError::Contradiction(text.into()));
    }
    let mut orders = LocationOrders::new(program);
    // Only what a test takes counts.
    orders.coverage.automatic = false;
    let mut generator = Generator {
        program,
        context,
        coverage: BranchCoverage::of(program),
        orders: &orders,
        checker: PathChecker::new(program, context.cancel, config.path_time, config.path_check, config.solver()),
        attempts: FastMap::default(),
        tests: 0,
        wanted: true,
        statistics: Stats::default(),
        found,
    };
    generator.arbitrary_inputs();
    let (stopped, exhausted) = generator.explore(config);
    // What was not modelled may hold more paths.
    let all_seen = |line: &Assumption| line.class != AssumptionClass::Under;
    let exhausted = exhausted && program.assumptions.iter().chain(&context.ledger.lines()).all(all_seen);
    let Generator { coverage, tests, statistics, .. } = generator;
    Ok(Generation { coverage, tests, stopped, exhausted, statistics })
}

struct Generator<'g, 'p> {
    program: &'p Program,
    context: &'g RunContext<'g>,
    coverage: BranchCoverage,
    orders: &'g LocationOrders<'p>,
    checker: PathChecker<'p>,
    attempts: FastMap<EdgeId, u32>,
    tests: usize,
    wanted: bool,
    statistics: Stats,
    found: &'g mut dyn FnMut(&TestRun) -> bool,
}

/// Comes back after every state, so that new paths are seen at once.
struct StepByStep;

impl<D: Domain> ExplorationScope<D> for StepByStep {
    fn is_interrupted(&self) -> bool {
        true
    }
}

impl Generator<'_, '_> {
    fn arbitrary_inputs(&mut self) {
        for round in 0..RANDOM_RUNS {
            if self.is_done() {
                return;
            }
            let source = if round == 0 { Source::Given(VecDeque::new()) } else { Source::Random(SeededOracle::new(round)) };
            let test = run_with(self.program, source, RANDOM_STEPS, self.context);
            let without_inputs = test.inputs.is_empty();
            self.keep_if_new(&test);
            self.statistics.add("tests: runs with arbitrary inputs", 1);
            if without_inputs && test.stop != Stop::Limit {
                return; // Every run is this one.
            }
        }
    }

    fn is_done(&self) -> bool {
        !self.wanted || self.coverage.is_complete() || self.context.cancel.is_stopped()
    }

    /// Hands a test out if it takes a branch that no other does. `true` if it did.
    fn keep_if_new(&mut self, test: &TestRun) -> bool {
        if test.inputs.len() > MAX_INPUTS || !(test.edges.iter().any(|&edge| self.coverage.is_open(edge)) || self.tests == 0) {
            return false;
        }
        for &edge in &test.edges {
            self.coverage.take(edge);
            self.orders.coverage.take(edge);
        }
        self.tests += 1;
        self.wanted &= (self.found)(test);
        true
    }

    /// Explores symbolically until everything is covered, explored or forbidden. Why it stopped, and whether all paths
    /// were followed.
    fn explore(&mut self, config: &Config) -> (Option<StopReason>, bool) {
        if self.is_done() {
            return (self.context.cancel.stopped(), false);
        }
        let terms = Arc::new(Terms::overlay(self.program.terms.clone()));
        let domain = ValueDomain::new(self.program, terms, value_options(config), self.context.cancel);
        let stacks = CallStacks::new(Some(config.call_depth));
        let environment = Environment {
            program: self.program,
            stacks: &stacks,
            orders: self.orders,
            ledger: self.context.ledger,
            cancel: self.context.cancel,
        };
        let order = if config.order == Order::Dfs { WaitOrder::plain(Order::Coverage) } else { config.wait_order(false) };
        let explore = ExploreConfig { order, cover_at_joins: true, ..ExploreConfig::default() };
        let mut exploration = Exploration::new(environment, &domain, explore, domain.initial_precision());
        let mut worker = domain.worker();
        exploration.start_program(&mut worker);
        let mut seen = 0;
        let mut sure = true;
        let (stopped, exhausted) = loop {
            if self.is_done() {
                break (self.context.cancel.stopped(), false);
            }
            match exploration.run_in(&mut worker, &mut StepByStep) {
                Status::Exhausted => break (None, sure && exploration.counters.cut_calls == 0),
                Status::Stopped(reason) => break (Some(reason), false),
                // A construct that is not supported: what lies behind it is not seen.
                Status::Target(_) => sure = false,
                Status::Interrupted => {}
                Status::Broken { .. } | Status::StateLimit(_) => break (None, false),
            }
            while seen < exploration.arg.len() {
                sure &= self.look_at(&exploration, NodeId::from_index(seen));
                seen += 1;
            }
            if exploration.counters.expanded.is_multiple_of(1024) {
                let waiting = exploration.waitlist.len() as u64;
                let progress = Progress { phase: "test generation", states: exploration.counters.states, waiting, refinements: 0 };
                self.context.progress.report(&progress);
            }
        };
        exploration.counters.add_to(&mut self.statistics);
        add_statistics(&worker, &mut self.statistics);
        (stopped, exhausted)
    }

    /// Makes a test if the state is the first behind an open branch. `false` if that failed.
    fn look_at(&mut self, exploration: &Exploration<'_, ValueDomain<'_>>, node: NodeId) -> bool {
        if exploration.arg.is_removed(node) {
            return true;
        }
        let Some((ArgStep::Step(Step::Edge(edge)), _)) = exploration.arg.creator(node) else { return true };
        if !self.coverage.is_open(edge) {
            return true;
        }
        let attempts = self.attempts.entry(edge).or_default();
        *attempts += 1;
        if *attempts > MAX_ATTEMPTS {
            return false;
        }
        let Some(steps) = exploration.arg.path_to(node).program_steps() else { return false };
        self.statistics.add("tests: paths to open branches", 1);
        let Ok(values) = self.checker.inputs(&steps) else {
            self.statistics.add("tests: paths without inputs", 1);
            return false;
        };
        let is_input = |source: SourceId| self.program.value_sources[source].kind == ValueSourceKind::Input;
        let inputs: Vec<Bits> = values
            .iter()
            .filter(|value| matches!(value.origin, InputOrigin::Source(source) if is_input(source)))
            .map(|value| value.bits)
            .collect();
        let test = run_test(self.program, &inputs, self.context);
        self.keep_if_new(&test);
        let taken = !self.coverage.is_open(edge);
        if !taken {
            self.statistics.add("tests: runs that went another way", 1);
        }
        taken
    }
}

fn add_statistics(worker: &ValueWorker, stats: &mut Stats) {
    stats.merge(&worker.stats);
    stats.merge(&worker.solver.stats());
}
