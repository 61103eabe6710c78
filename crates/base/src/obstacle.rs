//! What stood in the way of a decision: a kind that programs choose by, and words for people.

/// Why a path, a target or a query stayed without an answer. Ordered by how much it says about the whole run: what
/// nobody models comes first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ObstacleKind {
    /// A construct that is not modelled lies on the way.
    Unsupported,
    /// The solver had no answer within its time, or has no theory for the formula.
    Solver,
    /// A run with the inputs that were found does not reach the target, or not without undefined behaviour.
    Unconfirmed,
    /// The path is infeasible, and the refinement that should say so brings nothing new.
    Stuck,
    /// The path is infeasible, and the abstraction cannot express why.
    Imprecise,
}

/// One obstacle.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Obstacle {
    pub kind: ObstacleKind,
    pub text: String,
}

impl Obstacle {
    pub fn new(kind: ObstacleKind, text: impl Into<String>) -> Self {
        Obstacle { kind, text: text.into() }
    }
    pub fn unsupported(text: impl Into<String>) -> Self {
        Self::new(ObstacleKind::Unsupported, text)
    }
    pub fn solver(text: impl Into<String>) -> Self {
        Self::new(ObstacleKind::Solver, text)
    }
    pub fn unconfirmed(text: impl Into<String>) -> Self {
        Self::new(ObstacleKind::Unconfirmed, text)
    }
    pub fn stuck(text: impl Into<String>) -> Self {
        Self::new(ObstacleKind::Stuck, text)
    }
    pub fn imprecise(text: impl Into<String>) -> Self {
        Self::new(ObstacleKind::Imprecise, text)
    }
}

impl std::fmt::Display for Obstacle {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text)
    }
}
