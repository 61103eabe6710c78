//! What stood in the path of a decision: a kind that programs choose by, and words for people.

/// Why a path, a target or a query stayed without an answer. Ordered by how much it says about the whole run: what
/// nothing models comes first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ObstacleKind {
    /// A construct that is not modelled lies along the path.
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

/// Why an analysis could not decide something: a kind for the caller that has to choose, and a sentence for people.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Obstacle {
    /// What portfolios and verdicts choose by.
    pub kind: ObstacleKind,
    /// What the user reads.
    pub text: String,
}

impl Obstacle {
    /// An obstacle of any kind; the functions below name the kinds.
    pub fn new(kind: ObstacleKind, text: impl Into<String>) -> Self {
        Obstacle { kind, text: text.into() }
    }
    /// See [`ObstacleKind::Unsupported`].
    pub fn unsupported(text: impl Into<String>) -> Self {
        Self::new(ObstacleKind::Unsupported, text)
    }
    /// See [`ObstacleKind::Solver`].
    pub fn solver(text: impl Into<String>) -> Self {
        Self::new(ObstacleKind::Solver, text)
    }
    /// See [`ObstacleKind::Unconfirmed`].
    pub fn unconfirmed(text: impl Into<String>) -> Self {
        Self::new(ObstacleKind::Unconfirmed, text)
    }
    /// See [`ObstacleKind::Stuck`].
    pub fn stuck(text: impl Into<String>) -> Self {
        Self::new(ObstacleKind::Stuck, text)
    }
    /// See [`ObstacleKind::Imprecise`].
    pub fn imprecise(text: impl Into<String>) -> Self {
        Self::new(ObstacleKind::Imprecise, text)
    }
}

impl std::fmt::Display for Obstacle {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text)
    }
}
