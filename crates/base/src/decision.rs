//! The answers of the house: what is decided of one path, and what of a whole run.

use crate::{Obstacle, ObstacleKind};

/// What is decided of one path to a target.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Decision<E, R> {
    /// The program can go it, and this shows it.
    Feasible(E),
    /// No execution follows it, for this reason, or with this effect on the precision.
    Infeasible(R),
    /// Neither was shown.
    Open(Obstacle),
}

/// The answer of a run. Its `Display` is what stands after `verdict: `.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict<P, V> {
    /// Proved, with what is known of the proof.
    True(P),
    /// Violated, and the violation was replayed.
    False(V),
    /// Neither was shown.
    Unknown(Obstacle),
}

impl<P, V> Verdict<P, V> {
    /// Whether the property is proved.
    pub fn is_true(&self) -> bool {
        matches!(self, Verdict::True(_))
    }
    /// Whether neither was shown.
    pub fn is_unknown(&self) -> bool {
        matches!(self, Verdict::Unknown(_))
    }
    /// Why there is no answer, where there is none.
    pub fn obstacle(&self) -> Option<&Obstacle> {
        match self {
            Verdict::Unknown(obstacle) => Some(obstacle),
            Verdict::True(_) | Verdict::False(_) => None,
        }
    }
    /// How a run ended, in a word: `solved`, or the kind of the obstacle.
    pub fn ending(&self) -> &'static str {
        self.obstacle().map_or("solved", |obstacle| obstacle.kind.name())
    }
    /// Whether the run was stopped before it had an answer.
    pub fn is_stopped(&self) -> bool {
        self.obstacle().is_some_and(|obstacle| obstacle.kind.is_stop())
    }
    /// The kind of obstacle, where there is no answer.
    pub fn kind(&self) -> Option<ObstacleKind> {
        self.obstacle().map(|obstacle| obstacle.kind)
    }
}

impl<P, V: std::fmt::Display> std::fmt::Display for Verdict<P, V> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Verdict::True(_) => f.write_str("true"),
            Verdict::False(violation) => write!(f, "false({violation})"),
            Verdict::Unknown(obstacle) => write!(f, "unknown({obstacle})"),
        }
    }
}
