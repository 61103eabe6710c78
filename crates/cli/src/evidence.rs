//! Writes the evidence files that the command line asks for, and the counterexample of the JSON document.

use crate::arguments::Arguments;
use crate::errors::Error;
use assay_cfa::{CType, Operation, Program, Property, ValueSourceKind};
use assay_results::path::RowKind;
use assay_results::{
    Counterexample, Evidence, InputOrigin, InputValue, Outcome, Producer, Task, Verdict, harness, path, report, sarif, witness,
};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// Where evidence goes.
#[derive(Clone, Debug, Default)]
pub(crate) struct EvidenceFiles {
    pub witness: Option<PathBuf>,
    pub harness: Option<PathBuf>,
    pub report: Option<PathBuf>,
    pub sarif: Option<PathBuf>,
}

/// What the evidence is about.
#[derive(Clone, Copy)]
pub(crate) struct Subject<'a> {
    pub program: &'a Program,
    pub property: &'a Property,
    pub task: &'a Task,
    pub producer: &'a Producer,
    pub outcome: &'a Outcome,
    /// The violations after the first.
    pub further: &'a [Counterexample],
}

impl EvidenceFiles {
    pub(crate) fn from_arguments(arguments: &Arguments) -> Self {
        EvidenceFiles {
            witness: arguments.path("witness"),
            harness: arguments.path("harness"),
            report: arguments.path("report"),
            sarif: arguments.path("sarif"),
        }
    }

    /// Finds out before the run, and not after an hour, that a file cannot be written.
    pub(crate) fn check_writable(&self) -> Result<(), Error> {
        for path in [&self.witness, &self.harness, &self.report, &self.sarif].into_iter().flatten() {
            let existed = path.exists();
            let opened = std::fs::OpenOptions::new().append(true).create(true).open(path);
            opened.map_err(|error| Error::Unwritable { path: path.clone(), reason: error.to_string() })?;
            if !existed {
                let _ = std::fs::remove_file(path);
            }
        }
        Ok(())
    }

    /// Whether any file is asked for.
    pub(crate) fn any(&self) -> bool {
        [&self.witness, &self.harness, &self.report, &self.sarif].into_iter().any(Option::is_some)
    }

    /// Writes what there is to write; gives the kinds and names of the files.
    pub(crate) fn write(&self, subject: &Subject<'_>) -> Result<Vec<(&'static str, String)>, Error> {
        let mut written = Vec::new();
        let mut put = |kind, path: &Option<PathBuf>, text: &dyn Fn(&Path) -> Option<String>| -> Result<(), Error> {
            let Some(path) = path else { return Ok(()) };
            let Some(text) = text(path) else { return Ok(()) };
            std::fs::write(path, text).map_err(|error| Error::Unwritable { path: path.clone(), reason: error.to_string() })?;
            written.push((kind, path.display().to_string()));
            Ok(())
        };
        let Subject { program, property, task, producer, outcome, further } = *subject;
        put("witness", &self.witness, &|path| match &outcome.evidence {
            Evidence::Violation(counterexample) if is_graphml(path) => witness::violation_graphml(program, task, producer, counterexample),
            Evidence::Violation(counterexample) => witness::violation_yaml(program, task, producer, counterexample),
            Evidence::Proof(invariants) if is_graphml(path) => Some(witness::correctness_graphml(program, task, producer, invariants)),
            Evidence::Proof(invariants) => Some(witness::correctness_yaml(program, task, producer, invariants)),
            Evidence::None if outcome.verdict == Verdict::True => Some(witness::correctness_yaml(program, task, producer, &[])),
            Evidence::None => None,
        })?;
        put("harness", &self.harness, &|_| match &outcome.evidence {
            Evidence::Violation(counterexample) => Some(harness::harness(program, property, counterexample)),
            _ => None,
        })?;
        put("report", &self.report, &|_| Some(report::report(program, task, producer, outcome)))?;
        put("sarif", &self.sarif, &|_| Some(format!("{:#}\n", sarif::sarif(program, task, producer, outcome, further))))?;
        Ok(written)
    }
}

fn is_graphml(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "graphml")
}

/// One chosen value with its name and place.
pub(crate) fn describe_input(program: &Program, input: &InputValue) -> String {
    let place = if input.span.is_known() { format!(" at {}", program.sources.describe(input.span)) } else { String::new() };
    let name = input.name(program);
    let value = match input.origin {
        // A number of so many bytes says nothing; bytes do.
        InputOrigin::Memory { .. } => {
            let bytes = (0..input.bits.width() / 8).map(|at| format!("{:02x}", (input.bits.value() >> (8 * at)) as u8));
            bytes.collect::<Vec<_>>().join(" ")
        }
        InputOrigin::Source(_) => assay_results::value::describe(&input_type(program, input), input.bits),
    };
    let source = match input.origin {
        InputOrigin::Source(source) => program.value_sources.get(source).map(|source| source.kind),
        InputOrigin::Memory { .. } => None,
    };
    let unset = if source == Some(ValueSourceKind::Uninitialised) { " (never initialised)" } else { "" };
    format!("{name}{unset} = {value}{place}")
}

/// The type of the variable that takes the value; a signed number where there is none.
fn input_type(program: &Program, input: &InputValue) -> CType {
    let taken = program.edges.iter().find_map(|edge| match (&edge.operation, input.origin) {
        (Operation::Havoc { target, source }, InputOrigin::Source(wanted)) if *source == wanted => Some(&program.variables[*target].ctype),
        _ => None,
    });
    taken.cloned().unwrap_or(CType::Integer { width: input.bits.width(), signed: true, name: "" })
}

/// Inputs and path, for other programs to read.
pub(crate) fn counterexample_json(program: &Program, counterexample: &Counterexample) -> Value {
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
