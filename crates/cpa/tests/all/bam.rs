//! Memoization: sequential and parallel runs agree with each other and with exploration without blocks.

use crate::programs;
use crate::random::Random;
use crate::toy::{Constants, Lie, Surroundings, ToyRefiner, Values};
use assay_base::{Decision, Obstacle, ObstacleKind, Stats, StopReason, Verdict};
use assay_cfa::Program;
use assay_cfa::blocks::{BlockId, BlockOptions, Blocks};
use assay_cfa::portable::Names;
use assay_cpa::{
    Answer, Cegar, CegarConfig, Defect, Domain, Exploration, ExploreConfig, Merge, Order, PrecisionScope, Refinement, Refiner, Step,
    TargetPath, WaitOrder,
};
use assay_memo::{Bam, BamConfig, Spill, check};
use std::path::Path;

/// Believes every target and keeps its path.
struct Believer;

impl<D: Domain> Refiner<D> for Believer {
    type Evidence = Vec<Step>;
    fn refine(&mut self, _: &mut D::Worker, path: &TargetPath<'_, '_, D>, _: &mut D::Precision) -> Decision<Vec<Step>, Refinement> {
        // The path must be one of the program.
        for (move_, &step) in crate::toy::moves(path).iter().zip(&path.steps) {
            let program = path.environment.program;
            match step {
                Step::Edge(edge) => assert_eq!(program.edges[edge].source, move_.source.location),
                Step::Return(edge) => {
                    let (call, below) = path.environment.stacks.pop(move_.source.stack).expect("a call is open");
                    assert_eq!((call, below), (edge, move_.target.stack));
                }
            }
        }
        Decision::Feasible(path.steps.clone())
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Said {
    Safe,
    Unsafe,
    Unknown,
}

fn without_blocks<'p, R: Refiner<Constants<'p>>>(program: &'p Program, domain: &Constants<'p>, refiner: &mut R) -> Said {
    let surroundings = Surroundings::new(program, Some(20));
    let config = ExploreConfig { max_states: Some(200_000), ..Default::default() };
    let exploration = Exploration::new(surroundings.environment(), domain, config, domain.initial_precision());
    verdict(&Cegar::new(exploration, CegarConfig::default()).run(&mut (), refiner))
}

fn verdict<E>(outcome: &Answer<E>) -> Said {
    match outcome {
        Verdict::True(_) => Said::Safe,
        Verdict::False(_) => Said::Unsafe,
        Verdict::Unknown(_) => Said::Unknown,
    }
}

struct Done {
    verdict: Said,
    unknown: Option<Obstacle>,
    entries: Vec<(BlockId, Values)>,
    stats: Stats,
}

fn with_blocks<'p, R: Refiner<Constants<'p>>>(
    program: &'p Program,
    domain: &Constants<'p>,
    options: BlockOptions,
    config: BamConfig,
    refiner: &mut R,
) -> Done {
    run_with_blocks(program, domain, options, config, None, refiner)
}

/// With a folder, summaries leave memory as soon as they can.
fn run_with_blocks<'p, R: Refiner<Constants<'p>>>(
    program: &'p Program,
    domain: &Constants<'p>,
    options: BlockOptions,
    config: BamConfig,
    spill: Option<&Path>,
    refiner: &mut R,
) -> Done {
    let names = Names::new(program);
    let surroundings = Surroundings::new(program, Some(20));
    // Matters only where a limit for graphs is set.
    surroundings.cancel.set_memory_in_use(1);
    let blocks = Blocks::of(&surroundings.orders.structure, options);
    let mut bam = Bam::new(surroundings.environment(), domain, &blocks, config, domain.initial_precision());
    if let Some(folder) = spill {
        bam.use_spill(Spill::new(folder.to_path_buf(), &names), 0);
    }
    let mut workers = vec![(); config.threads.max(1)];
    let outcome = bam.run(&mut workers, refiner);
    let mut stats = Stats::default();
    bam.add_to(&mut stats);
    let mut entries = bam.shared().cache.entries();
    entries.sort_by(|a, b| (a.0, &a.1.known).cmp(&(b.0, &b.1.known)));
    let (verdict, unknown) = match outcome {
        Verdict::True(_) => (Said::Safe, None),
        Verdict::False(_) => (Said::Unsafe, None),
        Verdict::Unknown(reason) => (Said::Unknown, Some(reason)),
    };
    Done { verdict, unknown, entries, stats }
}

const OPTIONS: [BlockOptions; 5] = [
    options(true, true),
    options(true, false),
    options(false, true),
    BlockOptions { part_size: 1, ..options(true, true) },
    BlockOptions { part_size: 2, ..options(false, false) },
];

const fn options(functions: bool, loops: bool) -> BlockOptions {
    BlockOptions { functions, loops, part_size: 0, min_size: 0, inline_size: 0, min_calls: 0, nested: true }
}

fn threads(threads: usize) -> BamConfig {
    BamConfig { threads, ..Default::default() }
}

fn samples() -> Vec<Program> {
    let mut all = vec![
        programs::counting(10, 10),
        programs::counting(10, 11),
        programs::calls(7),
        programs::calls(8),
        programs::recursion(5),
        programs::diamond(2),
        programs::unsupported_behind(1),
        programs::unsupported_behind(2),
    ];
    all.extend((0..150).map(|seed| Random::program(seed, false)));
    all
}

#[test]
fn blocks_change_no_verdict() {
    let mut counts = [0; 3];
    for (index, program) in samples().iter().enumerate() {
        let domain = Constants::new(program);
        let expected = without_blocks(program, &domain, &mut Believer);
        counts[expected as usize] += 1;
        for options in OPTIONS {
            let reference = with_blocks(program, &domain, options, threads(0), &mut Believer);
            assert_eq!(reference.verdict, expected, "program {index}, {options:?}: {:?}", reference.unknown);
            // Without threads, paths go on behind blocks that are not finished, which is another order.
            let mut entries = None;
            for count in [1, 2, 8] {
                let done = with_blocks(program, &domain, options, threads(count), &mut Believer);
                assert_eq!(done.verdict, expected, "program {index}, {options:?}, {count} threads: {:?}", done.unknown);
                if expected == Said::Safe {
                    let same = entries.get_or_insert_with(|| done.entries.clone());
                    assert_eq!(done.entries, *same, "program {index}, {options:?}, {count} threads");
                }
            }
        }
    }
    assert!(counts[0] > 20 && counts[1] > 20, "{counts:?}");
}

#[test]
fn the_order_of_blocks_changes_no_verdict() {
    for (index, program) in samples().iter().enumerate() {
        let domain = Constants::new(program);
        let expected = without_blocks(program, &domain, &mut Believer);
        for options in OPTIONS {
            // Stretches that are shorter than most blocks leave all kinds of things unfinished.
            for base in [Order::Bfs, Order::Alternating { stretch: 1 }, Order::Alternating { stretch: 5 }] {
                let explore = ExploreConfig { order: WaitOrder::plain(base), ..threads(0).explore };
                let done = with_blocks(program, &domain, options, BamConfig { explore, ..threads(0) }, &mut Believer);
                assert_eq!(done.verdict, expected, "program {index}, {options:?}, {base:?}: {:?}", done.unknown);
            }
        }
    }
}

#[test]
fn summaries_are_used_again() {
    // The same function is called twice with the same argument, and what it cannot see differs.
    let mut m = programs::Make::new();
    let inc = m.function("inc");
    let (n, result) = (m.parameter(inc, "n"), m.result(inc));
    let value = m.add(n, 1);
    let at = m.assign(m.entry(inc), result, value);
    m.jump(at, m.exit(inc));
    let main = m.function("main");
    let (x, y) = (m.local(main, "x"), m.local(main, "y"));
    let (five, six) = (m.number(5), m.number(6));
    let at = m.call(m.entry(main), inc, vec![five], Some(x));
    let at = m.assign(at, y, six);
    let at = m.call(at, inc, vec![five], Some(x));
    let at = m.assert_equals(at, x, 6);
    let at = m.assert_equals(at, y, 6);
    m.jump(at, m.exit(main));
    let program = m.finish(main);
    for count in [0, 1, 2] {
        let done = with_blocks(&program, &Constants::new(&program), OPTIONS[0], threads(count), &mut Believer);
        assert_eq!(done.verdict, Said::Safe);
        assert_eq!(done.entries.len(), 1);
        assert_eq!(done.stats.counters["summaries used again"], 1);
        assert_eq!(done.stats.counters["block summaries"], 2, "with the program's own");
    }
}

#[test]
fn refinement_reaches_into_blocks() {
    let mut counts = [0; 3];
    for (index, program) in samples().iter().enumerate() {
        let full = without_blocks(program, &Constants::new(program), &mut Believer);
        for scope in [PrecisionScope::Location, PrecisionScope::Function, PrecisionScope::Global] {
            let domain = Constants::lazy(program);
            for count in [0, 2] {
                let config = BamConfig { explore: ExploreConfig { max_states: Some(50_000), ..threads(0).explore }, ..threads(count) };
                let done = with_blocks(program, &domain, OPTIONS[0], config, &mut ToyRefiner::new(scope));
                counts[done.verdict as usize] += 1;
                // Refinement may give up where full tracking does not, but it must not contradict it.
                let contradiction = done.verdict != full && done.verdict != Said::Unknown && full != Said::Unknown;
                assert!(!contradiction, "program {index}, {scope:?}, {count} threads: {:?} against {full:?}", done.verdict);
            }
        }
    }
    assert!(counts[2] * 10 < counts[0] + counts[1], "most are solved: {counts:?}");
}

/// Takes its time, so that other threads finish blocks and find targets meanwhile.
struct Slow(ToyRefiner);

impl<'p> Refiner<Constants<'p>> for Slow {
    type Evidence = usize;
    fn refine(
        &mut self,
        worker: &mut (),
        path: &TargetPath<'_, '_, Constants<'p>>,
        precision: &mut <Constants<'p> as Domain>::Precision,
    ) -> Decision<usize, Refinement> {
        std::thread::sleep(std::time::Duration::from_millis(1));
        self.0.refine(worker, path, precision)
    }
}

#[test]
fn others_go_on_beside_a_refinement() {
    let (mut beside, mut solved) = (0, 0);
    for (index, program) in samples().iter().enumerate() {
        let full = without_blocks(program, &Constants::new(program), &mut Believer);
        for count in [2, 4] {
            let domain = Constants::lazy(program);
            let config = BamConfig { explore: ExploreConfig { max_states: Some(50_000), ..threads(0).explore }, ..threads(count) };
            let done = with_blocks(program, &domain, OPTIONS[0], config, &mut Slow(ToyRefiner::new(PrecisionScope::Function)));
            let contradiction = done.verdict != full && done.verdict != Said::Unknown && full != Said::Unknown;
            assert!(!contradiction, "program {index}, {count} threads: {:?} against {full:?}", done.verdict);
            beside += done.stats.counters.get("summaries finished beside refinements").copied().unwrap_or(0);
            solved += usize::from(done.verdict != Said::Unknown);
        }
    }
    assert!(beside > 20 && solved > 200, "{beside} summaries, {solved} verdicts");
}

#[test]
fn joins_inside_blocks_are_sound() {
    for (index, program) in samples().iter().enumerate() {
        let domain = Constants::new(program);
        let exact = without_blocks(program, &domain, &mut Believer);
        for merge in [Merge::Join, Merge::Agree] {
            for count in [0, 1, 4] {
                let order = WaitOrder::plain(Order::ReversePostorder);
                let explore = ExploreConfig { merge, order, ..threads(0).explore };
                let done = with_blocks(program, &domain, OPTIONS[0], BamConfig { explore, ..threads(count) }, &mut Believer);
                if done.verdict == Said::Safe {
                    assert_eq!(exact, Said::Safe, "program {index}, {merge:?}, {count} threads");
                }
                assert!(
                    done.unknown.as_ref().is_none_or(|obstacle| obstacle.kind != ObstacleKind::Failed),
                    "program {index}, {merge:?}: {:?}",
                    done.unknown
                );
            }
        }
    }
}

#[test]
fn an_unresolved_target_in_a_block_forbids_true() {
    let program = programs::calls(7);
    for count in [0, 1, 3] {
        let mut domain = Constants::new(&program);
        domain.unresolved_at = Some(7);
        let done = with_blocks(&program, &domain, OPTIONS[0], threads(count), &mut Believer);
        assert_eq!(
            done.unknown,
            Some(assay_base::Obstacle::of_targets(vec![assay_base::Obstacle::imprecise("a value that the toy cannot bear")]))
        );
    }
}

#[test]
fn a_stop_reaches_every_job() {
    let program = programs::counting(100_000_000, 1);
    for count in [0, 1, 2] {
        let domain = Constants::new(&program);
        let surroundings = Surroundings::new(&program, None);
        let blocks = Blocks::of(&surroundings.orders.structure, OPTIONS[0]);
        let mut bam = Bam::new(surroundings.environment(), &domain, &blocks, threads(count), domain.initial_precision());
        let token = surroundings.cancel.clone();
        let waited = std::thread::scope(|scope| {
            let canceller = scope.spawn(move || {
                std::thread::sleep(std::time::Duration::from_millis(20));
                token.stop(StopReason::Interrupt);
                std::time::Instant::now()
            });
            let outcome = bam.run(&mut [(), ()], &mut Believer);
            assert_eq!(outcome, Verdict::Unknown(assay_base::Obstacle::stopped(StopReason::Interrupt)));
            let now = std::time::Instant::now();
            now.duration_since(canceller.join().expect("the canceller does not panic"))
        });
        assert!(waited.as_millis() < 100, "{waited:?}");
    }
}

#[test]
fn jobs_leave_a_timeline() {
    let program = programs::calls(7);
    let domain = Constants::new(&program);
    let surroundings = Surroundings::new(&program, None);
    let blocks = Blocks::of(&surroundings.orders.structure, OPTIONS[0]);
    let mut bam = Bam::new(surroundings.environment(), &domain, &blocks, threads(2), domain.initial_precision());
    bam.trace_jobs();
    assert!(matches!(bam.run(&mut [(), ()], &mut Believer), Verdict::True(_)));
    let json = bam.trace().expect("it was asked for").to_json(&program, &blocks);
    assert!(json.contains("\"name\":\"inc\"") && json.contains("\"cat\":\"finished\""), "{json}");
}

#[test]
fn recursion_contradicts_nothing() {
    let mut counts = [0; 3];
    for seed in 0..60 {
        let program = Random::program(seed, true);
        let domain = Constants::new(&program);
        let surroundings = Surroundings::new(&program, Some(3));
        let explore = ExploreConfig { max_states: Some(3000), ..threads(0).explore };
        let exploration = Exploration::new(surroundings.environment(), &domain, explore, domain.initial_precision());
        let expected = verdict(&Cegar::new(exploration, CegarConfig::default()).run(&mut (), &mut Believer));
        let blocks = Blocks::of(&surroundings.orders.structure, OPTIONS[0]);
        for count in [0, 2] {
            let config = BamConfig { explore, ..threads(count) };
            let mut bam = Bam::new(surroundings.environment(), &domain, &blocks, config, domain.initial_precision());
            match bam.run(&mut [(), ()], &mut Believer) {
                Verdict::True(_) => {
                    counts[0] += 1;
                    assert_ne!(expected, Said::Unsafe, "seed {seed}");
                }
                Verdict::False(_) => {
                    counts[1] += 1;
                    assert_ne!(expected, Said::Safe, "seed {seed}");
                }
                Verdict::Unknown(obstacle) if obstacle.kind == ObstacleKind::Bound => counts[2] += 1,
                Verdict::Unknown(reason) => panic!("seed {seed}: {reason:?}"),
            }
        }
    }
    assert!(counts[0] > 5 && counts[1] > 5, "{counts:?}");
}

#[test]
fn recursion_is_a_fixpoint() {
    let cases = [
        (programs::recursion(50), Said::Safe),
        (programs::recursion_of_unknown_depth(7), Said::Safe),
        (programs::recursion_of_unknown_depth(8), Said::Unsafe),
        (programs::mutual_recursion(30, 1), Said::Safe),
        (programs::mutual_recursion(31, 0), Said::Safe),
        (programs::mutual_recursion(31, 1), Said::Unsafe),
    ];
    for (index, (program, expected)) in cases.iter().enumerate() {
        for options in OPTIONS.into_iter().filter(|options| options.functions) {
            for count in [0, 1, 2, 8] {
                let done = with_blocks(program, &Constants::new(program), options, threads(count), &mut Believer);
                assert_eq!(done.verdict, *expected, "case {index}, {count} threads: {:?}", done.unknown);
                let lazy = Constants::lazy(program);
                let done = with_blocks(program, &lazy, options, threads(count), &mut ToyRefiner::new(PrecisionScope::Global));
                assert!(done.verdict == *expected || done.verdict == Said::Unknown, "case {index}, {count} threads, refined");
            }
        }
    }
}

#[test]
fn graphs_that_are_dropped_are_explored_again_for_paths() {
    let mut dropped = 0;
    for (index, program) in samples().iter().enumerate() {
        let domain = Constants::new(program);
        for options in OPTIONS {
            let expected = with_blocks(program, &domain, options, threads(0), &mut Believer);
            for count in [0, 1, 2, 8] {
                let config = BamConfig { drop_graphs_above: Some(0), ..threads(count) };
                let done = with_blocks(program, &domain, options, config, &mut Believer);
                assert_eq!(done.verdict, expected.verdict, "program {index}, {options:?}, {count} threads: {:?}", done.unknown);
                dropped += done.stats.counters["graphs dropped to save memory"];
            }
        }
    }
    assert!(dropped > 1000, "{dropped}");
}

#[test]
fn summaries_that_left_memory_are_read_back() {
    let folder = std::env::temp_dir().join(format!("assay-spill-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let (mut spilled, mut read_back) = (0, 0);
    for (index, program) in samples().iter().enumerate().filter(|(index, _)| index % 3 == 0 || *index < 8) {
        let domain = Constants::new(program);
        let lazy = Constants::lazy(program);
        for options in OPTIONS {
            let expected = with_blocks(program, &domain, options, threads(0), &mut Believer);
            let mut refiner = ToyRefiner::new(PrecisionScope::Function);
            let refined = with_blocks(program, &lazy, options, threads(0), &mut refiner);
            for count in [0, 1, 2, 8] {
                let config = BamConfig { drop_graphs_above: Some(0), ..threads(count) };
                let done = run_with_blocks(program, &domain, options, config, Some(&folder), &mut Believer);
                assert_eq!(done.verdict, expected.verdict, "program {index}, {options:?}, {count} threads: {:?}", done.unknown);
                spilled += done.stats.counters["summaries moved to disk"];
                read_back += done.stats.counters["summaries read back"];
                if count < 2 {
                    let mut refiner = ToyRefiner::new(PrecisionScope::Function);
                    let done = run_with_blocks(program, &lazy, options, config, Some(&folder), &mut refiner);
                    assert_eq!(done.verdict, refined.verdict, "program {index}, {options:?}, {count} threads: {:?}", done.unknown);
                }
            }
        }
    }
    assert!(spilled > 1000 && read_back > 100, "{spilled} left, {read_back} came back");
    assert_eq!(std::fs::read_dir(&folder).expect("still there").count(), 0, "nothing is left behind");
    std::fs::remove_dir(&folder).expect("an empty folder");
}

/// A folder in which nothing can be written is named, and the run goes on in memory.
#[test]
fn summaries_stay_where_there_is_no_disk() {
    let program = programs::calls(7);
    let domain = Constants::new(&program);
    let names = Names::new(&program);
    let surroundings = Surroundings::new(&program, None);
    surroundings.cancel.set_memory_in_use(1);
    let blocks = Blocks::of(&surroundings.orders.structure, OPTIONS[0]);
    let config = BamConfig { drop_graphs_above: Some(0), ..threads(1) };
    let mut bam = Bam::new(surroundings.environment(), &domain, &blocks, config, domain.initial_precision());
    bam.use_spill(Spill::new(Path::new("/dev/null/none").to_path_buf(), &names), 0);
    assert!(matches!(bam.run(&mut [()], &mut Believer), Verdict::True(_)));
    assert!(bam.spill_note().is_some_and(|note| note.contains("/dev/null/none")), "{:?}", bam.spill_note());
}

#[test]
fn size_and_calls_of_blocks_change_no_verdict() {
    for (index, program) in samples().iter().enumerate() {
        let domain = Constants::new(program);
        let expected = with_blocks(program, &domain, OPTIONS[0], threads(0), &mut Believer).verdict;
        for changed in [
            BlockOptions { min_size: 6, ..OPTIONS[0] },
            BlockOptions { min_calls: 2, ..OPTIONS[0] },
            BlockOptions { nested: false, ..OPTIONS[0] },
            BlockOptions { nested: false, ..OPTIONS[2] },
        ] {
            let done = with_blocks(program, &domain, changed, threads(2), &mut Believer);
            let agree = done.verdict == expected || done.verdict == Said::Unknown || expected == Said::Unknown;
            assert!(agree, "program {index}, {changed:?}: {:?}", done.verdict);
        }
    }
}

#[test]
fn many_small_blocks_under_stress() {
    for seed in 1000..1020 {
        let program = Random::program(seed, seed % 2 == 0);
        let domain = Constants::new(&program);
        let config = |count| BamConfig { explore: ExploreConfig { max_states: Some(3000), ..threads(0).explore }, ..threads(count) };
        let reference = with_blocks(&program, &domain, OPTIONS[0], config(0), &mut Believer);
        for _ in 0..20 {
            let done = with_blocks(&program, &domain, OPTIONS[0], config(4), &mut Believer);
            assert_eq!(done.verdict, reference.verdict, "seed {seed}: {:?}", done.unknown);
        }
    }
}

#[test]
fn the_checker_rejects_wrong_summaries() {
    for program in [programs::calls(7), programs::counting(5, 5), programs::recursion(3)] {
        for (lie, count) in [(Lie::Expand, 0), (Lie::Expand, 2), (Lie::Reduce, 0), (Lie::Reduce, 2)] {
            let domain = Constants::new(&program);
            *domain.lie.lock().expect("no panic") = lie;
            let surroundings = Surroundings::new(&program, None);
            let blocks = Blocks::of(&surroundings.orders.structure, OPTIONS[0]);
            let config = BamConfig { check: false, ..threads(count) };
            let mut bam = Bam::new(surroundings.environment(), &domain, &blocks, config, domain.initial_precision());
            // A lie may also lead to a target; then there is no proof to be rejected.
            if let Verdict::True(_) = bam.run(&mut [(), ()], &mut Believer) {
                let root = bam.root().expect("a proof has a root");
                *domain.lie.lock().expect("no panic") = Lie::None;
                let defect = check(bam.shared(), &mut [()], root);
                assert!(matches!(defect, Err(Defect::MissingSuccessor(..) | Defect::NotCovered(_))), "{lie:?}: {defect:?}");
            }
        }
    }
}

/// What a rule says decides what is explored and no verdict: a proof that rests on a false one is rejected, and the run
/// begins again without rules.
#[test]
fn false_rules_change_no_verdict() {
    let (mut used, mut rejected, mut equal) = (0, 0, 0);
    for (index, program) in samples().iter().enumerate() {
        let domain = Constants::new(program);
        // It believes only paths that the program can go.
        let refiner = || ToyRefiner { useless: true, ..ToyRefiner::new(PrecisionScope::Global) };
        let expected = without_blocks(program, &domain, &mut refiner());
        *domain.lie.lock().expect("no panic") = Lie::Rule;
        for count in [0, 2] {
            let config = BamConfig { rules_after: Some(1), ..threads(count) };
            let done = with_blocks(program, &domain, OPTIONS[0], config, &mut refiner());
            used += done.stats.counters.get("summaries made by rules").copied().unwrap_or(0);
            rejected += done.stats.counters.get("begun again without rules").copied().unwrap_or(0);
            equal += u32::from(done.verdict == expected);
            // What a rule invents may lead to targets that no path confirms.
            let allowed = done.verdict == expected || done.verdict == Said::Unknown;
            assert!(allowed, "program {index}, {count} threads: {:?}, not {expected:?}", done.verdict);
        }
    }
    assert!(used > 20 && rejected > 5 && equal > 200, "{used} {rejected} {equal}");
}
