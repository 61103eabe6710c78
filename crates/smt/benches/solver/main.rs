//! The comparisons that decide whether the embedded engine earns its place: the same recorded and generated queries
//! through it and through every other solver that is found, in one run, with the chain before all of them and before
//! none.
//!
//! `cargo bench -p assay-smt --bench solver [-- quick] [log FOLDER]... [only NAME] [threads]` prints a page in
//! Markdown. A log is what `assay verify --dump-queries FOLDER` wrote.

mod queries;

use assay_smt::backend::Backend;
use assay_smt::backend::process::Process;
use assay_smt::backend::z3::{Library, Z3, candidates};
use assay_smt::{Answer, Budget, Config, Solver};
use assay_term::{Term, Terms};
use queries::Workload;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// A way to make a solver: the name, and a factory.
struct Contender {
    name: String,
    make: Box<dyn Fn(bool) -> Solver + Sync>,
    /// Programs are too slow for the long lists.
    slow: bool,
}

fn contenders() -> Vec<Contender> {
    let mut list = vec![Contender {
        name: "embedded".into(),
        make: Box::new(|chain| Solver::new(Config { chain, ..Config::default() })),
        slow: false,
    }];
    for path in candidates() {
        let Ok(library) = Library::open(&path) else { continue };
        let name = format!("Z3 {}", library.version());
        let make = move |chain| Solver::with_backend(Config { chain, ..Config::default() }, Box::new(Z3::new(library.clone())));
        list.push(Contender { name, make: Box::new(make), slow: false });
    }
    if let Some(found) = Process::find() {
        let name = format!("process {}", found.description().name);
        let make = |chain| {
            let config = Config { chain, ..Config::default() };
            match Process::find() {
                Some(process) => Solver::with_backend(config, Box::new(process)),
                None => Solver::new(config),
            }
        };
        list.push(Contender { name, make: Box::new(make), slow: true });
    }
    list
}

/// Answers of a list of queries: how many of each kind, and the time for all.
#[derive(Default, Clone, Copy)]
struct Score {
    sat: usize,
    unsat: usize,
    unknown: usize,
    time: Duration,
}

fn cpu_time() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_whitespace().next()?.parse().ok().map(Duration::from_nanos)
}

fn run(
    terms: &Terms,
    queries: &[Vec<Term>],
    budget: &Budget,
    own_thread: bool,
    mut solver: impl FnMut(&Terms, &[Term], &Budget) -> Answer,
) -> Score {
    let mut score = Score::default();
    let start = Instant::now();
    let cpu = cpu_time();
    for query in queries {
        match solver(terms, query, budget) {
            Answer::Sat(_) => score.sat += 1,
            Answer::Unsat(_) => score.unsat += 1,
            Answer::Unknown(_) => score.unknown += 1,
        }
    }
    // Processor time of this thread where the system tells it: it is steady on a shared machine.
    score.time = match (cpu, cpu_time()) {
        (Some(before), Some(after)) if own_thread => after - before,
        _ => start.elapsed(),
    };
    score
}

fn micros(score: Score) -> f64 {
    let count = (score.sat + score.unsat + score.unknown).max(1);
    score.time.as_secs_f64() * 1e6 / count as f64
}

fn compare(contenders: &[Contender], workload: &Workload, chain: bool) {
    let budget = Budget { time: workload.limit, ..Budget::default() };
    println!("\n### {} ({} queries), chain {}\n", workload.name, workload.queries.len(), if chain { "before all" } else { "before none" });
    println!("| solver | µs a query | embedded is faster by | sat | unsat | unknown |\n|---|---|---|---|---|---|");
    let mut base = None;
    let mut counts = Vec::new();
    for contender in contenders {
        let share = if contender.slow { workload.queries.len().min(20) } else { workload.queries.len() };
        let queries = &workload.queries[..share];
        let score = if workload.fresh {
            run(&workload.terms, queries, &budget, !contender.slow, |terms, query, budget| {
                (contender.make)(chain).check(terms, query, budget)
            })
        } else {
            let mut solver = (contender.make)(chain);
            let score = run(&workload.terms, queries, &budget, !contender.slow, |terms, query, budget| solver.check(terms, query, budget));
            counts.push(solver.stats().counters);
            score
        };
        let time = micros(score);
        let base = *base.get_or_insert(time);
        println!("| {} | {time:.1} | {:.1} | {} | {} | {} |", contender.name, time / base, score.sat, score.unsat, score.unknown);
    }
    if let Some(counts) = counts.first() {
        let list: Vec<String> = counts.iter().map(|(name, count)| format!("{} {count}", name.trim_start_matches("solver."))).collect();
        println!("\nEmbedded: {}.", list.join(", "));
    }
}

/// Runs a workload so often, each time with a new solver.
fn work(workload: &Workload, rounds: usize) {
    let config = Config { chain: false, ..Config::default() };
    for _ in 0..rounds {
        let mut solver = Solver::new(config.clone());
        run(&workload.terms, &workload.queries, &Budget::default(), true, |t, q, b| solver.check(t, q, b));
    }
}

/// What two processes that share nothing reach: the machine's own ceiling for two threads.
fn ceiling(rounds: usize) -> Option<f64> {
    let program = std::env::current_exe().ok()?;
    let start_one = || Command::new(&program).args(["work", &rounds.to_string()]).stdout(Stdio::null()).spawn().ok();
    let begin = Instant::now();
    for _ in 0..2 {
        start_one()?.wait().ok()?;
    }
    let one = begin.elapsed();
    let begin = Instant::now();
    let (mut first, mut second) = (start_one()?, start_one()?);
    first.wait().ok()?;
    second.wait().ok()?;
    Some(one.as_secs_f64() / begin.elapsed().as_secs_f64())
}

/// Two threads with a solver each against one thread for the work of both. The best of some attempts, because others
/// use the machine as well.
fn threads(workload: &Workload, rounds: usize) {
    let work = || work(workload, rounds);
    work();
    println!("\n### Two threads\n\n| one thread | two threads | ratio | two processes | ratio by processor time |\n|---|---|---|---|---|");
    for _ in 0..5 {
        two_threads(&work, rounds);
    }
}

fn two_threads(work: &(impl Fn() + Sync), rounds: usize) {
    // Processor time of the working thread, which tells of contention even while others use the machine.
    let timed = || {
        let before = cpu_time();
        work();
        before.zip(cpu_time()).map_or(Duration::ZERO, |(before, after)| after - before)
    };
    let start = Instant::now();
    let alone = timed() + timed();
    let one = start.elapsed();
    let start = Instant::now();
    let together = std::thread::scope(|scope| {
        let threads = [scope.spawn(timed), scope.spawn(timed)];
        threads.into_iter().map(|thread| thread.join().unwrap_or_default()).sum::<Duration>()
    });
    let two = start.elapsed();
    println!(
        "| {:.3} s | {:.3} s | {:.2} | {:.2} | {:.2} |",
        one.as_secs_f64(),
        two.as_secs_f64(),
        one.as_secs_f64() / two.as_secs_f64(),
        ceiling(rounds).unwrap_or_default(),
        2.0 * alone.as_secs_f64() / together.as_secs_f64()
    );
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    if let Some(rounds) = arguments.iter().skip_while(|a| *a != "work").nth(1).and_then(|n| n.parse().ok()) {
        return work(&queries::prefix(1000, 20), rounds);
    }
    if arguments.iter().any(|a| a == "threads") {
        return threads(&queries::prefix(1000, 20), 4);
    }
    let quick = arguments.iter().any(|a| a == "quick");
    let only = arguments.iter().skip_while(|a| *a != "only").nth(1);
    let contenders = if arguments.iter().any(|a| a == "alone") { contenders().into_iter().take(1).collect() } else { contenders() };
    let scale = if quick { 4 } else { 1 };
    let logs = arguments.windows(2).filter(|pair| pair[0] == "log").map(|pair| pair[1].clone());
    let recorded = logs.filter_map(|folder| queries::recorded(std::path::Path::new(&folder), 2000 / scale));
    let workloads = [
        queries::tiny(2000 / scale),
        queries::prefix(1000 / scale, 20),
        queries::fresh(400 / scale),
        queries::eca(400 / scale, 40),
        queries::hard(if quick { Duration::from_millis(500) } else { Duration::from_secs(2) }),
    ];
    let workloads: Vec<Workload> = workloads.into_iter().chain(recorded).collect();
    for workload in &workloads {
        if only.is_some_and(|name| !workload.name.contains(name.as_str())) {
            continue;
        }
        for chain in [true, false] {
            compare(&contenders, workload, chain);
        }
    }
    if only.is_none() {
        threads(&workloads[1], if quick { 1 } else { 4 });
    }
}
