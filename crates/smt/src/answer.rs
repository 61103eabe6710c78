//! What a query is answered with, and how much work may go into it.

use crate::model::Model;
use assay_base::{CancelToken, StopReason};
use std::time::Duration;

/// The answer to a conjunction of constraints.
#[derive(Clone, Debug)]
pub enum Answer {
    /// Satisfiable; the model was evaluated on every constraint before it was handed out.
    Sat(Model),
    /// Unsatisfiable; the indices (ascending, each once) of constraints that contradict each other.
    Unsat(Vec<usize>),
    /// No answer within the budget or the abilities of the solver.
    Unknown(NoAnswer),
}

impl Answer {
    /// Whether there is a model.
    pub fn is_sat(&self) -> bool {
        matches!(self, Answer::Sat(_))
    }
    /// Whether the constraints contradict each other.
    pub fn is_unsat(&self) -> bool {
        matches!(self, Answer::Unsat(_))
    }
    /// Whether there was no answer.
    pub fn is_unknown(&self) -> bool {
        matches!(self, Answer::Unknown(_))
    }
    /// The model, if there is one.
    pub fn model(&self) -> Option<&Model> {
        match self {
            Answer::Sat(model) => Some(model),
            _ => None,
        }
    }
    /// The core, if there is one.
    pub fn core(&self) -> Option<&[usize]> {
        match self {
            Answer::Unsat(core) => Some(core),
            _ => None,
        }
    }
}

/// Which link of the chain answered a query.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum AnsweredBy {
    /// The constraints were decided, or contradicted each other, as they stand.
    #[default]
    Simplification,
    /// A model of an earlier query: the constraints are a subset of those that it satisfies.
    RememberedModel,
    /// The constraints are a superset of a set that is known to be unsatisfiable.
    KnownCore,
    /// Each independent part was answered before.
    CachedResult,
    /// The engine, or another solver in its place, for one part at least.
    Engine,
}

/// Why a query has no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoAnswer {
    /// The budget's conflicts are used up.
    Conflicts,
    /// The budget's time is used up.
    Time,
    /// The token was stopped from outside.
    Stopped(StopReason),
    /// The formula has an operation that the solver has no theory for, or is too large for it.
    Unsupported(String),
    /// The solver answered, but its answer failed the check; nothing is concluded from it.
    WrongAnswer(String),
    /// A back end died, hung or talked nonsense.
    Backend(String),
}

impl std::fmt::Display for NoAnswer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            NoAnswer::Conflicts => f.write_str("the solver's conflict limit was reached"),
            NoAnswer::Time => f.write_str("the solver's time limit was reached"),
            NoAnswer::Stopped(reason) => write!(f, "the solver was stopped: {reason}"),
            NoAnswer::Unsupported(what) => write!(f, "the solver cannot decide {what}"),
            NoAnswer::WrongAnswer(what) => write!(f, "the solver's answer failed its check: {what}"),
            NoAnswer::Backend(what) => write!(f, "the solver back end failed: {what}"),
        }
    }
}

/// How much work may go into one query. The default has no limit but the token.
#[derive(Clone, Debug, Default)]
pub struct Budget {
    /// Conflicts of the SAT search, summed over the parts of the query.
    pub conflicts: Option<u64>,
    /// Wall time.
    pub time: Option<Duration>,
    /// Ends the query soon after it is stopped.
    pub cancel: CancelToken,
}

impl Budget {
    /// No limit of its own, only the token.
    pub fn unlimited(cancel: &CancelToken) -> Self {
        Budget { conflicts: None, time: None, cancel: cancel.clone() }
    }
    /// At most this long, and only until the token is stopped.
    pub fn with_time(cancel: &CancelToken, time: Duration) -> Self {
        Budget { conflicts: None, time: Some(time), cancel: cancel.clone() }
    }
}
