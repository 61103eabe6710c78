//! The results of a batch: a table for spreadsheets and scripts, a JSON document, one SARIF log of all violations, and
//! a summary for people.

use super::{Finished, Task};
use crate::errors::{Error, Fault};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

const COLUMNS: [&str; 9] = ["id", "category", "expected", "verdict", "detail", "result", "cpu_s", "wall_s", "memory_mb"];

/// Writes the three files into the folder, each in the order of the tasks.
pub(crate) fn write(folder: &Path, results: &[(&Task, &Finished)]) -> Result<(), Error> {
    let files = [("results.tsv", table(results)), ("results.json", document(results)), ("results.sarif", sarif(results))];
    for (name, text) in files {
        let path = folder.join(name);
        std::fs::write(&path, text).map_err(|error| Error::Fault(Fault::Unwritable { path, reason: error.to_string() }))?;
    }
    Ok(())
}

fn table(results: &[(&Task, &Finished)]) -> String {
    let mut text = format!("{}\n", COLUMNS.join("\t"));
    for (task, finished) in results {
        let clean = |text: &str| text.replace(['\t', '\n', '\r'], " ");
        let _ = writeln!(
            text,
            "{}\t{}\t{}\t{}\t{}\t{}\t{:.2}\t{:.2}\t{}",
            clean(&task.id),
            clean(&task.category),
            task.expected,
            finished.verdict,
            clean(&finished.detail),
            task.judge(finished),
            finished.cpu_seconds,
            finished.wall_seconds,
            finished.memory_bytes >> 20
        );
    }
    text
}

fn document(results: &[(&Task, &Finished)]) -> String {
    let list: Vec<Value> = results
        .iter()
        .map(|(task, finished)| {
            json!({
                "id": task.id, "category": task.category, "property": task.property, "expected": task.expected,
                "verdict": finished.verdict, "detail": finished.detail, "result": task.judge(finished),
                "cpu_seconds": finished.cpu_seconds, "wall_seconds": finished.wall_seconds, "memory_bytes": finished.memory_bytes,
                "worker": finished.worker, "run": finished.document,
            })
        })
        .collect();
    format!("{:#}\n", Value::from(list))
}

/// All violations in one run of one log, as code hosts take it; each rule and each file is there once.
fn sarif(results: &[(&Task, &Finished)]) -> String {
    let mut rules: BTreeMap<String, Value> = BTreeMap::new();
    let mut artifacts: BTreeMap<String, Value> = BTreeMap::new();
    let (mut violations, mut notes) = (vec![], vec![]);
    for (task, finished) in results {
        let run = &finished.sarif["runs"][0];
        let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
        for rule in list(&run["tool"]["driver"]["rules"]) {
            rules.insert(rule["id"].to_string(), rule);
        }
        for artifact in list(&run["artifacts"]) {
            artifacts.insert(artifact["location"]["uri"].to_string(), artifact);
        }
        violations.extend(list(&run["results"]));
        if ["unknown", "error"].contains(&finished.verdict.as_str()) {
            let text = format!("{}: {}: {}", task.id, finished.verdict, finished.detail);
            notes.push(json!({"level": "warning", "message": {"text": text}}));
        }
    }
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {"name": "Assay", "version": env!("CARGO_PKG_VERSION"), "rules": rules.into_values().collect::<Vec<_>>()}},
            "originalUriBaseIds": assay_results::sarif::base_ids(),
            "artifacts": artifacts.into_values().collect::<Vec<_>>(),
            "invocations": [{"executionSuccessful": true, "toolExecutionNotifications": notes}],
            "results": violations,
        }],
    });
    format!("{log:#}\n")
}

/// How many of what, by category where there is one.
pub(crate) fn summary(results: &[(&Task, &Finished)]) -> String {
    let mut groups: BTreeMap<&str, Vec<&(&Task, &Finished)>> = BTreeMap::new();
    results.iter().for_each(|one| groups.entry(&one.0.category).or_default().push(one));
    let mut rows: Vec<(&str, Vec<&(&Task, &Finished)>)> = groups.into_iter().collect();
    if rows.len() == 1 {
        rows.clear();
    }
    rows.push(("total", results.iter().collect()));
    let width = rows.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0).max(8);
    let mut text = format!(
        "{:width$}  {:>6} {:>6} {:>6} {:>8} {:>6} {:>6} {:>9}\n",
        "", "tasks", "true", "false", "unknown", "error", "wrong", "cpu s"
    );
    for (name, members) in rows {
        let count = |verdict: &str| members.iter().filter(|(_, finished)| finished.verdict == verdict).count();
        let wrong = members.iter().filter(|(task, finished)| task.judge(finished).starts_with("wrong")).count();
        let cpu: f64 = members.iter().map(|(_, finished)| finished.cpu_seconds).sum();
        let (yes, no, unknown, error) = (count("true"), count("false"), count("unknown"), count("error"));
        let total = members.len();
        let _ = writeln!(text, "{name:width$}  {total:>6} {yes:>6} {no:>6} {unknown:>8} {error:>6} {wrong:>6} {cpu:>9.1}");
    }
    text
}
