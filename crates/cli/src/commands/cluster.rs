//! `assay cluster`: what is to be seen of a server and its workers.

use crate::arguments::{Arguments, UsageError};
use crate::cluster;
use crate::errors::Error;
use serde_json::{Value, json};
use std::fmt::Write;

pub(crate) fn run(arguments: &Arguments) -> Result<i32, Error> {
    let words: Vec<&str> = arguments.operands.iter().filter_map(|word| word.to_str()).collect();
    let ["status", url] = words.as_slice() else {
        return Err(UsageError("write it as `assay cluster status URL`".to_string()).into());
    };
    let access = cluster::access_to(url.to_string(), arguments)?;
    let connected = cluster::connect(&access)?;
    let status = connected.status().map_err(Error::Cluster)?;
    if arguments.flag("json") {
        let queues: Vec<Value> = status
            .queues
            .iter()
            .map(|queue| json!({"build": queue.build, "waiting": queue.waiting, "running": queue.running, "again": queue.again}))
            .collect();
        let document = json!({
            "build": connected.build(), "workers": status.workers, "queues": queues, "results": status.results,
            "content_bytes": status.content_bytes,
        });
        crate::print(&format!("{document:#}\n"));
        return Ok(0);
    }
    let mut text = String::new();
    let number = |worker: &Value, key: &str| worker[key].as_u64().unwrap_or(0);
    let _ = writeln!(text, "workers: {} (this build: {})", status.workers.len(), connected.build());
    for worker in &status.workers {
        let own = if worker["build"] == connected.build() { "" } else { "  another build" };
        let name: String = worker["name"].as_str().unwrap_or("?").chars().filter(|c| !c.is_control()).take(60).collect();
        let _ = writeln!(
            text,
            "  {name}: {} of {} slots busy, {} jobs done, {:.1} s CPU{own}",
            number(worker, "busy"),
            number(worker, "slots"),
            number(worker, "done"),
            worker["cpu_seconds"].as_f64().unwrap_or(0.0)
        );
    }
    for queue in &status.queues {
        let own = if queue.build == connected.build() { "" } else { "  another build" };
        let _ = writeln!(
            text,
            "queue {}: {} waiting, {} running, {} delivered again{own}",
            queue.build, queue.waiting, queue.running, queue.again
        );
    }
    let sum = |key: &str| status.workers.iter().map(|worker| number(worker, key)).sum::<u64>();
    let (found, fetched) = (sum("content_found"), sum("content_fetched"));
    let _ = writeln!(text, "jobs a second, over the last minute: {:.2}", sum("jobs_last_minute") as f64 / 60.0);
    let _ = writeln!(text, "files that workers had already: {found} of {}", found + fetched);
    let _ = writeln!(text, "dropped: {} messages, {} jobs refused", sum("dropped"), sum("refused"));
    let _ = writeln!(text, "kept on the server: {} results, {} KiB of content", status.results, status.content_bytes >> 10);
    crate::print(&text);
    Ok(0)
}
