//! The result as SARIF 2.1.0, which editors and code hosts show at the source line.

use crate::path::{self, RowKind};
use crate::task::{Producer, Task};
use crate::{Evidence, Outcome, Verdict};
use assay_base::Span;
use assay_cfa::Program;
use serde_json::{Value, json};

/// The whole document.
pub fn sarif(program: &Program, task: &Task, producer: &Producer, outcome: &Outcome) -> Value {
    let rule = |id: &str| json!({"id": id, "shortDescription": {"text": format!("violation of {id}")}});
    let mut rules = vec![];
    let mut results = vec![];
    if let (Verdict::False(target), Evidence::Violation(counterexample)) = (&outcome.verdict, &outcome.evidence) {
        rules.push(rule(target.name()));
        let steps: Vec<Value> = path::rows(program, counterexample)
            .iter()
            .take(1000)
            .filter(|row| row.span.is_known())
            .map(|row| {
                let mut parts: Vec<String> = row.values.iter().map(|(name, value)| format!("{name} = {value}")).collect();
                parts.extend(row.branches.iter().map(|taken| format!("condition is {taken}")));
                let text = match &row.kind {
                    RowKind::Enter(name) => format!("enters {name}({})", parts.join(", ")),
                    RowKind::Leave(name) => format!("leaves {name}"),
                    _ => parts.join(", "),
                };
                json!({"nestingLevel": row.depth, "location": {"physicalLocation": place(program, row.span), "message": {"text": text}}})
            })
            .collect();
        let span = path::target_span(program, counterexample).unwrap_or(Span::NONE);
        results.push(json!({
            "ruleId": target.name(),
            "level": "error",
            "message": {"text": format!("the property {} is violated", target.name())},
            "locations": [{"physicalLocation": place(program, span)}],
            "codeFlows": [{"threadFlows": [{"locations": steps}]}],
        }));
    }
    let notes: Vec<Value> = match &outcome.verdict {
        Verdict::Unknown(reason) => vec![json!({"level": "warning", "message": {"text": format!("unknown: {reason}")}})],
        _ => vec![],
    };
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {"name": producer.name, "version": producer.version, "rules": rules}},
            "artifacts": task.input_files.iter().map(|f| json!({"location": {"uri": f.name}, "hashes": {"sha-256": f.hash}})).collect::<Vec<_>>(),
            "invocations": [{"executionSuccessful": true, "toolExecutionNotifications": notes}],
            "results": results,
        }],
    })
}

fn place(program: &Program, span: Span) -> Value {
    let file = program.sources.files.get(span.file).map_or("", |f| f.name.as_str());
    json!({"artifactLocation": {"uri": file}, "region": {"startLine": span.line.max(1), "startColumn": span.column.max(1)}})
}
