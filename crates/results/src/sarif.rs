//! The result as SARIF 2.1.0, which editors and code hosts show at the source line.

use crate::path::{self, RowKind};
use crate::task::{Producer, Task};
use crate::{Counterexample, Outcome, OwnViolation, Verdict};
use assay_base::Span;
use assay_cfa::Program;
use serde_json::{Value, json};

/// The whole document; `further` are the violations after the first.
pub fn sarif(program: &Program, task: &Task, producer: &Producer, outcome: &Outcome, further: &[OwnViolation]) -> Value {
    let mut rules: Vec<Value> = vec![];
    let mut results = vec![];
    let first = outcome.counterexample().map(|counterexample| (program, counterexample));
    let further = further.iter().map(|one| (&*one.program, &one.counterexample));
    for (program, counterexample) in first.into_iter().chain(further) {
        let name = counterexample.target.name();
        if !rules.iter().any(|rule| rule["id"] == name) {
            rules.push(json!({
                "id": name,
                "shortDescription": {"text": format!("violation of {name}")},
                "help": {"text": format!("Checks {}. The steps of the code flow are those of an execution that was replayed.", counterexample.target.plural())},
            }));
        }
        results.push(result(program, counterexample));
    }
    let notes: Vec<Value> = match &outcome.verdict {
        Verdict::Unknown(reason) => vec![json!({"level": "warning", "message": {"text": format!("unknown: {reason}")}})],
        _ => vec![],
    };
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "originalUriBaseIds": base_ids(),
            "tool": {"driver": {"name": producer.name, "version": producer.version, "rules": rules}},
            "artifacts": task.input_files.iter().map(|f| json!({"location": location(&f.name), "hashes": {"sha-256": f.hash}})).collect::<Vec<_>>(),
            "invocations": [{"executionSuccessful": true, "toolExecutionNotifications": notes}],
            "results": results,
        }],
    })
}

fn result(program: &Program, counterexample: &Counterexample) -> Value {
    let name = counterexample.target.name();
    let steps: Vec<Value> = path::rows(program, counterexample)
        .iter()
        .take(1000)
        .filter(|row| row.span.is_known())
        .map(|row| {
            let mut parts: Vec<String> = row.values.iter().map(|(name, value)| format!("{name} = {value}")).collect();
            parts.extend(row.branches.iter().map(|taken| format!("condition is {taken}")));
            if row.passed_over > 0 {
                parts.push(format!("{} more iterations like the last one", row.passed_over));
            }
            let text = match &row.kind {
                RowKind::Enter(name) => format!("enters {name}({})", parts.join(", ")),
                RowKind::Leave(name) => format!("leaves {name}"),
                RowKind::Violation if !counterexample.what.is_empty() => counterexample.what.clone(),
                _ if parts.is_empty() => {
                    let line = program.sources.files.get(row.span.file).and_then(|file| file.line(row.span.line));
                    line.unwrap_or_default().trim().to_string()
                }
                _ => parts.join(", "),
            };
            json!({"nestingLevel": row.depth, "location": {"physicalLocation": place(program, row.span), "message": {"text": text}}})
        })
        .collect();
    let span = path::target_span(program, counterexample).unwrap_or(Span::NONE);
    let line = program.sources.files.get(span.file).and_then(|file| file.line(span.line)).unwrap_or_default().trim();
    let file = program.sources.files.get(span.file).map_or("", |file| file.name.as_str());
    let message = if counterexample.what.is_empty() { format!("the property {name} is violated") } else { counterexample.what.clone() };
    json!({
        "ruleId": name,
        "level": "error",
        "message": {"text": message},
        "locations": [{"physicalLocation": place(program, span)}],
        // The text of the line and not its number, so that edits elsewhere do not make it another one.
        "partialFingerprints": {"violation/v1": crate::task::sha256(format!("{name}\n{file}\n{line}").as_bytes())},
        "codeFlows": [{"threadFlows": [{"locations": steps}]}],
    })
}

/// What relative places start from; which folder that is, the reader of the log knows.
pub fn base_ids() -> Value {
    json!({"ROOT": {"description": {"text": "the folder in which the command was run"}}})
}

/// Where a file is, from the root if it is below it.
fn location(path: &str) -> Value {
    let root = std::env::current_dir().unwrap_or_default();
    let relative = std::path::Path::new(path).strip_prefix(&root).map(|rest| rest.to_string_lossy().into_owned());
    let path = relative.unwrap_or_else(|_| path.to_string());
    if path.starts_with('/') { json!({"uri": uri(&path)}) } else { json!({"uri": uri(&path), "uriBaseId": "ROOT"}) }
}

/// A path as a URI reference: what is not allowed in one is percent-encoded.
fn uri(path: &str) -> String {
    let path = path.strip_prefix("./").unwrap_or(path);
    let mut text = if path.starts_with('/') { "file://".to_string() } else { String::new() };
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' | b'~' => text.push(char::from(byte)),
            _ => text.push_str(&format!("%{byte:02X}")),
        }
    }
    text
}

fn place(program: &Program, span: Span) -> Value {
    let file = location(program.sources.files.get(span.file).map_or("", |f| f.name.as_str()));
    json!({"artifactLocation": file, "region": {"startLine": span.line.max(1), "startColumn": span.column.max(1)}})
}
