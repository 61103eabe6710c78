//! `assay solvers --replay`: the queries of a log again, by one solver or by all that are found.

use crate::arguments::{Arguments, UsageError};
use crate::errors::{Error, Fault};
use crate::print;
use assay_smt::backend::process::Process;
use assay_smt::log::{LogError, Session, read_log};
use assay_smt::{Answer, Backend, Budget, Config, Solver, list_backends};
use serde_json::json;
use std::path::Path;
use std::time::{Duration, Instant};

/// What a solver made of a log.
#[derive(Default)]
struct Result {
    sat: usize,
    unsat: usize,
    unknown: usize,
    /// Files whose answer contradicts the log's.
    contradictions: Vec<String>,
    /// The first reason of an unknown answer.
    reason: Option<String>,
    time: Duration,
    slowest: Duration,
}

pub(crate) fn run(arguments: &Arguments, folder: &Path) -> std::result::Result<i32, Error> {
    let sessions = read_log(folder).map_err(|error| match error {
        LogError::Malformed { path, error } => Error::Fault(Fault::Malformed { path, reason: error.to_string() }),
        LogError::Unreadable { path, error } => Error::Fault(Fault::Unreadable { path, reason: error.to_string() }),
        LogError::Empty { path } => Error::Fault(Fault::Unreadable { path, reason: "there is no query (*.smt2) in it".to_string() }),
    })?;
    let config = Config { chain: !arguments.flag("no-chain"), ..Config::default() };
    let limit = arguments.duration("query-time").unwrap_or(Duration::from_secs(10));
    let count: usize = sessions.iter().map(|session| session.queries.len()).sum();
    let mut text = format!("{count} queries, {}\n", if config.chain { "with the chain" } else { "without the chain" });
    text.push_str(&format!(
        "{:<28} {:>8} {:>8} {:>8} {:>12} {:>14} {:>14}\n",
        "solver", "sat", "unsat", "unknown", "time", "a query", "slowest"
    ));
    let mut documents = Vec::new();
    let mut contradicted = false;
    for (name, backend) in solvers(arguments.text("solver"))? {
        let result = replay(&sessions, &config, backend, limit);
        contradicted |= !result.contradictions.is_empty();
        text.push_str(&line(&name, &result, count));
        documents.push(json!({
            "solver": name, "sat": result.sat, "unsat": result.unsat, "unknown": result.unknown,
            "seconds": result.time.as_secs_f64(), "slowest": result.slowest.as_secs_f64(), "contradictions": result.contradictions,
        }));
    }
    print(&if arguments.flag("json") { format!("{:#}\n", json!({"queries": count, "solvers": documents})) } else { text });
    Ok(if contradicted { 20 } else { 0 })
}

/// The embedded engine stands without a back end.
type Named = (String, Option<Box<dyn Backend>>);

/// The solver of this name or path, or all that are found.
fn solvers(wanted: Option<&str>) -> std::result::Result<Vec<Named>, Error> {
    let mut list = Vec::new();
    for listed in list_backends() {
        let version = listed.found.as_ref().map_or(String::new(), |description| description.version.clone());
        match (wanted, listed.open()) {
            (Some(wanted), _) if wanted != listed.name => {}
            (Some(_), Err(help)) => return Err(UsageError(format!("{} is not found: {help}", listed.name)).into()),
            (None, Err(_)) => {}
            (_, Ok(_)) if listed.name == "embedded" => list.push((format!("embedded {version}"), None)),
            (_, Ok(backend)) => list.push((format!("{} {version}", listed.name), Some(backend))),
        }
    }
    match wanted {
        Some(path) if list.is_empty() && Path::new(path).is_file() => {
            let arguments: &[&str] = if path.ends_with("z3") { &["-in", "-smt2"] } else { &[] };
            Ok(vec![(path.to_string(), Some(Box::new(Process::new(path, arguments))))])
        }
        Some(name) if list.is_empty() => Err(UsageError(format!("there is no solver `{name}`; `assay solvers` lists them")).into()),
        _ => Ok(list),
    }
}

fn replay(sessions: &[Session], config: &Config, backend: Option<Box<dyn Backend>>, limit: Duration) -> Result {
    let mut solver = match backend {
        Some(backend) => Solver::with_backend(config.clone(), backend),
        None => Solver::new(config.clone()),
    };
    let budget = Budget { time: Some(limit), ..Budget::default() };
    let mut result = Result::default();
    for session in sessions {
        for query in &session.queries {
            let start = Instant::now();
            let answer = solver.check(&session.terms, &query.constraints, &budget);
            let time = start.elapsed();
            result.time += time;
            result.slowest = result.slowest.max(time);
            let found = match answer {
                Answer::Sat(_) => Some(true),
                Answer::Unsat(_) => Some(false),
                Answer::Unknown(reason) => {
                    result.reason.get_or_insert_with(|| reason.to_string());
                    None
                }
            };
            match found {
                Some(true) => result.sat += 1,
                Some(false) => result.unsat += 1,
                None => result.unknown += 1,
            }
            if let (Some(found), Some(expected)) = (found, query.satisfiable)
                && found != expected
            {
                result.contradictions.push(query.file.display().to_string());
            }
        }
    }
    result
}

fn line(name: &str, result: &Result, count: usize) -> String {
    let seconds = result.time.as_secs_f64();
    let mut text = format!(
        "{name:<28} {:>8} {:>8} {:>8} {:>10.3} s {:>11.1} µs {:>11.1} ms\n",
        result.sat,
        result.unsat,
        result.unknown,
        seconds,
        seconds * 1e6 / count.max(1) as f64,
        result.slowest.as_secs_f64() * 1e3
    );
    if let Some(reason) = &result.reason {
        text.push_str(&format!("  unknown: {reason}\n"));
    }
    for file in &result.contradictions {
        text.push_str(&format!("  contradicts the log: {file}\n"));
    }
    text
}
