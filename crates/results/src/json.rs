//! A report as other programs read it: one JSON document.

use crate::path::{self, RowKind};
use crate::text::at;
use crate::{Chapter, Counterexample, Proof, Report, Verdict, Violation};
use assay_base::{AssumptionClass, Fact};
use assay_cfa::property::CheckedPlace;
use assay_cfa::{LocationId, Program, Property};
use serde_json::{Value, json};

/// The document; `written` are the kinds and names of the files of evidence.
pub fn document(report: &Report, written: &[(&str, String)]) -> Value {
    let Report { program, task, producer, outcome, .. } = report;
    let class = |class: AssumptionClass| match class {
        AssumptionClass::Over => "over",
        AssumptionClass::Under => "under",
        AssumptionClass::Rules => "rules",
    };
    let assumptions: Vec<Value> = outcome
        .assumptions
        .iter()
        .map(|line| {
            let mut one = json!({"class": class(line.class), "place": program.sources.describe(line.span), "text": line.fact.to_string()});
            // A program that reads the line back has the parts of it.
            if let Fact::NoBody { function, effect } = &line.fact {
                (one["function"], one["effect"]) = (json!(function), json!(effect));
            }
            one
        })
        .collect();
    let (word, violated) = match &outcome.verdict {
        Verdict::True(_) => ("true", Value::Null),
        Verdict::False(violations) => ("false", Value::from(violations.first.target.name())),
        Verdict::Unknown(_) => ("unknown", Value::Null),
    };
    let evidence = match &outcome.verdict {
        Verdict::Unknown(_) => Value::Null,
        Verdict::False(violations) => counterexample_json(program, &violations.first),
        Verdict::True(Proof { invariants }) => invariants
            .iter()
            .map(|i| json!({"place": program.sources.describe(i.span), "expression": i.expression, "weakened": i.weakened, "function": function_at(program, i.location)}))
            .collect(),
    };
    json!({
        "tool": format!("{} {}", producer.name, producer.version),
        "files": task.input_files.iter().map(|f| f.name.clone()).collect::<Vec<_>>(),
        "property": task.property.name(),
        "properties": report.properties.iter().map(Property::name).collect::<Vec<_>>(),
        "data_model": task.model.name(),
        "config": producer.configuration,
        "verdict": word,
        "violated": violated,
        "reason": reason(&outcome.verdict),
        "ending": outcome.verdict.ending(),
        "evidence": evidence,
        "checks": checks(report),
        "violations": report.violations().map(violation).collect::<Vec<_>>(),
        "assumptions": assumptions,
        "notes": outcome.notes,
        "so_far": outcome.how_far.describe(program),
        "portfolio": outcome.story.iter().map(chapter_json).collect::<Vec<_>>(),
        "counters": outcome.statistics.counters,
        "seconds": outcome.statistics.times.iter().map(|(n, t)| (n.to_string(), json!(t.as_secs_f64()))).collect::<serde_json::Map<_, _>>(),
        "written": written.iter().map(|(k, f)| (k.to_string(), json!(f))).collect::<serde_json::Map<_, _>>(),
    })
}

fn checks(report: &Report) -> Value {
    let (program, checks) = (&report.program, &report.checks);
    let list = |places: &mut dyn Iterator<Item = &CheckedPlace>| -> Vec<Value> {
        places.map(|(kind, span)| json!({"check": kind.name(), "place": at(program, *span)})).collect()
    };
    json!({
        "proved": checks.proved.len(), "proved_checks": list(&mut checks.proved.iter()), "violated": list(&mut checks.violated.iter()), "open": list(&mut checks.open()),
    })
}

fn violation(one: Violation<'_>) -> Value {
    let place = path::target_span(one.program, one.counterexample).map(|span| one.program.sources.describe(span));
    json!({"check": one.target.name(), "place": place, "what": one.what})
}

fn function_at(program: &Program, location: LocationId) -> &str {
    program.locations.get(location).map_or("", |location| program.functions[location.function].name.as_str())
}

fn reason(verdict: &Verdict) -> Value {
    match verdict {
        Verdict::Unknown(reason) => Value::from(reason.to_string()),
        _ => Value::Null,
    }
}

fn chapter_json(chapter: &Chapter) -> Value {
    json!({
        "node": chapter.node,
        "analysis": chapter.analysis,
        "why": chapter.why,
        "ending": chapter.ending(),
        "verdict": chapter.text,
        "seconds": chapter.cpu.as_secs_f64(),
        "states": chapter.states,
        "refinements": chapter.refinements,
    })
}

/// Inputs and path, for other programs to read.
fn counterexample_json(program: &Program, counterexample: &Counterexample) -> Value {
    let inputs = counterexample.inputs.iter().map(|input| {
        json!({"from": input.name(program), "place": program.sources.describe(input.span), "bits": input.bits.width(), "value": input.bits.value().to_string()})
    });
    let steps = path::rows(program, counterexample).into_iter().map(|row| {
        let kind = match &row.kind {
            RowKind::Line => json!("line"),
            RowKind::Enter(name) => json!({"enter": name}),
            RowKind::Leave(name) => json!({"leave": name}),
            RowKind::Violation => json!("violation"),
        };
        let mut step = json!({
            "kind": kind,
            "place": program.sources.describe(row.span),
            "values": row.values.iter().map(|(n, v)| (n.clone(), json!(v))).collect::<serde_json::Map<_, _>>(),
            "branches": row.branches,
        });
        if row.passed_over > 0 {
            step["iterationsLikeTheLast"] = json!(row.passed_over);
        }
        step
    });
    json!({"inputs": inputs.collect::<Vec<_>>(), "path": steps.collect::<Vec<_>>()})
}
