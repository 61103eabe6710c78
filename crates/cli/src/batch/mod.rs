//! Many tasks: where they come from, how one runs as a process of its own, what is kept of it, and how all of them are
//! shown.

pub(crate) mod journal;
pub(crate) mod list;
pub(crate) mod output;
pub(crate) mod process;
pub(crate) mod remote;
pub(crate) mod screen;
pub(crate) mod sources;

use serde_json::{Value, json};
use std::path::PathBuf;

/// One thing to verify.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Task {
    /// What it is called in every output; unique in a batch.
    pub(crate) id: String,
    pub(crate) category: String,
    /// The name of the property, as the list has it; empty where the list has none.
    pub(crate) property: String,
    /// The verdict that the list expects (`true` or `false`); empty where it has none.
    pub(crate) expected: String,
    /// The part of a property of several parts that a violation has to name.
    pub(crate) subproperty: String,
    pub(crate) inputs: Vec<PathBuf>,
    /// Options of `assay verify` that this task has by itself, without dashes.
    pub(crate) options: Vec<(String, String)>,
    /// Why it cannot be run, if so.
    pub(crate) refused: Option<String>,
}

/// What became of a task.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Finished {
    /// `true`, `false`, `unknown`, or `error` for what could not be asked at all.
    pub(crate) verdict: String,
    /// The violated part, the reason, or the message.
    pub(crate) detail: String,
    pub(crate) cpu_seconds: f64,
    pub(crate) wall_seconds: f64,
    pub(crate) memory_bytes: u64,
    /// What the run printed, without paths and counters.
    pub(crate) document: Value,
    pub(crate) sarif: Value,
    /// Who ran it; empty for this process.
    pub(crate) worker: String,
}

impl Finished {
    /// Something that is no answer of a run.
    pub(crate) fn error(detail: impl Into<String>) -> Finished {
        Finished { verdict: "error".to_string(), detail: detail.into(), ..Finished::default() }
    }

    pub(crate) fn to_json(&self) -> Value {
        json!({
            "verdict": self.verdict, "detail": self.detail, "cpu": self.cpu_seconds, "wall": self.wall_seconds,
            "memory": self.memory_bytes, "document": self.document, "sarif": self.sarif, "worker": self.worker,
        })
    }

    /// Reads back what [`to_json`](Self::to_json) wrote; `None` for anything else.
    pub(crate) fn from_json(value: &Value) -> Option<Finished> {
        let verdict = value["verdict"].as_str().filter(|verdict| ["true", "false", "unknown", "error"].contains(verdict))?;
        Some(Finished {
            verdict: verdict.to_string(),
            detail: value["detail"].as_str()?.to_string(),
            cpu_seconds: value["cpu"].as_f64()?,
            wall_seconds: value["wall"].as_f64()?,
            memory_bytes: value["memory"].as_u64()?,
            document: value["document"].clone(),
            sarif: value["sarif"].clone(),
            worker: value["worker"].as_str()?.to_string(),
        })
    }
}

impl Task {
    /// What a verdict is worth, where the list says what is expected: `correct true`, `wrong false`, … or `unknown`;
    /// else the verdict.
    pub(crate) fn judge(&self, finished: &Finished) -> String {
        let verdict = finished.verdict.as_str();
        if self.expected.is_empty() || !["true", "false"].contains(&verdict) {
            return verdict.to_string();
        }
        let parts = ["valid-deref", "valid-free", "valid-memtrack"];
        let named = match self.property.as_str() {
            "valid-memsafety" => parts.contains(&finished.detail.as_str()),
            "unreach-label" => ["unreach-call", "unreach-label"].contains(&finished.detail.as_str()),
            "unreach-call-reach_error" => finished.detail == "unreach-call",
            property => finished.detail == property,
        };
        if verdict == "false" && !named {
            return "unknown".to_string();
        }
        let other = verdict == "false" && !self.subproperty.is_empty() && finished.detail != self.subproperty;
        if verdict == self.expected && !other { format!("correct {verdict}") } else { format!("wrong {verdict}") }
    }
}
