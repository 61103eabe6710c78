//! What prevents a decision: a kind that programs choose by, and words for people.

use crate::StopReason;

/// Why a path, a target, a query or a whole run stayed without an answer. The first five are about single targets;
/// they are ordered by how much they say about the whole run: what is not modelled comes first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ObstacleKind {
    /// A construct that is not modelled can matter.
    Unsupported,
    /// The solver had no answer within its time, or has no theory for the formula.
    Solver,
    /// A run with the inputs that were found does not reach the target, or not without undefined behaviour.
    Unconfirmed,
    /// The path is infeasible, and the refinement that should say so brings nothing new.
    Stuck,
    /// The path is infeasible, and the abstraction cannot express why.
    Imprecise,
    /// Nothing was found within a bound of the analysis' own: iterations of loops, runs, states.
    Bound,
    /// Formulas of blocks are too large for exact regions of predicates.
    LargeBlocks,
    /// Memoized blocks cost more than they save.
    CostlyBlocks,
    /// Values beside predicates refute hardly any path.
    IdleValues,
    /// The violation is one of the program that passes made, and not of the program before them.
    Changed,
    /// The program has nothing that the analysis is made for, or something that it is not made for.
    NothingToDo,
    /// A bound or a skipped effect forbids the proof (a line of class `Under` in the ledger).
    Incomplete,
    /// The time was over.
    Time,
    /// The memory was used up.
    Memory,
    /// It was stopped from outside.
    Interrupted,
    /// A defect of the verifier.
    Failed,
}

impl ObstacleKind {
    /// All of them with the names that portfolios use, and what they mean in a few words.
    pub const ALL: &[(ObstacleKind, &str, &str)] = &[
        (ObstacleKind::Stuck, "stuck", "refinement repeats itself"),
        (ObstacleKind::Time, "time", "its time was over"),
        (ObstacleKind::Memory, "memory", "it needs more memory"),
        (ObstacleKind::Unsupported, "unsupported", "a construct is not modelled"),
        (ObstacleKind::Solver, "solver", "the solver gave no answer"),
        (ObstacleKind::Unconfirmed, "unconfirmed", "a counterexample could not be confirmed"),
        (ObstacleKind::Imprecise, "imprecise", "the abstraction is too coarse"),
        (ObstacleKind::Bound, "bound", "nothing was found within its bound"),
        (ObstacleKind::LargeBlocks, "large-blocks", "blocks are too large for exact regions"),
        (ObstacleKind::CostlyBlocks, "costly-blocks", "memoized blocks cost more than they save"),
        (ObstacleKind::IdleValues, "idle-values", "values refute hardly any path"),
        (ObstacleKind::Changed, "changed", "only the program after passes is violated"),
        (ObstacleKind::NothingToDo, "nothing-to-do", "the program is not of its kind"),
        (ObstacleKind::Incomplete, "incomplete", "the proof leaves something out"),
        (ObstacleKind::Failed, "failed", "a defect of the verifier"),
        (ObstacleKind::Interrupted, "interrupted", "it was stopped from outside"),
    ];

    /// As portfolios write it.
    pub fn name(self) -> &'static str {
        ObstacleKind::ALL.iter().find(|(kind, ..)| *kind == self).map_or("", |(_, name, _)| name)
    }
    /// What it means, in a few words.
    pub fn meaning(self) -> &'static str {
        ObstacleKind::ALL.iter().find(|(kind, ..)| *kind == self).map_or("", |(.., meaning)| meaning)
    }
    /// From the name that portfolios use.
    pub fn named(name: &str) -> Option<ObstacleKind> {
        ObstacleKind::ALL.iter().find(|(_, known, _)| *known == name).map(|(kind, ..)| *kind)
    }
    /// Whether it says that the run was stopped.
    pub fn is_stop(self) -> bool {
        matches!(self, ObstacleKind::Time | ObstacleKind::Memory | ObstacleKind::Interrupted)
    }
    /// Whether it is about one target, so that others may still be decided.
    pub fn is_of_a_target(self) -> bool {
        self <= ObstacleKind::Imprecise
    }
    /// Whether the analysis gave itself up because it does better in another configuration.
    pub fn is_for_another(self) -> bool {
        matches!(self, ObstacleKind::LargeBlocks | ObstacleKind::CostlyBlocks | ObstacleKind::IdleValues)
    }
    /// What would help, in one sentence.
    pub fn advice(self) -> &'static str {
        match self {
            ObstacleKind::Time => {
                "more time may help (--time-limit), a bounded answer may do (--unwind N), or another analysis (--config, see `assay configs`)"
            }
            ObstacleKind::Memory => "more memory may help (--memory-limit), or an analysis that needs less (--config value-cegar)",
            ObstacleKind::Unsupported => "the named construct is not modelled; without it before the property there may be a verdict",
            ObstacleKind::Solver => "more time for a query may help (--set solver-time=60 --set path-time=300)",
            ObstacleKind::Unconfirmed => {
                "give functions without a body one, or initialise what is read, so that a run is determined by its inputs"
            }
            ObstacleKind::Imprecise
            | ObstacleKind::Stuck
            | ObstacleKind::Bound
            | ObstacleKind::LargeBlocks
            | ObstacleKind::CostlyBlocks
            | ObstacleKind::IdleValues
            | ObstacleKind::Changed => "another analysis may see what these do not (--config, see `assay configs`)",
            ObstacleKind::NothingToDo => "another analysis is made for such programs (--config auto)",
            ObstacleKind::Incomplete => "the note above names what was left out",
            ObstacleKind::Failed => "this is a defect of Assay; please report it with the input and the command line",
            ObstacleKind::Interrupted => "nothing was decided before the end",
        }
    }
}

/// Why something could not be decided: a kind to choose by, and a sentence for people.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Obstacle {
    /// What portfolios and verdicts choose by.
    pub kind: ObstacleKind,
    /// What the user reads.
    pub text: String,
}

impl Obstacle {
    /// An obstacle of any kind; the functions below name the usual ones.
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
    /// See [`ObstacleKind::Bound`].
    pub fn bound(text: impl Into<String>) -> Self {
        Self::new(ObstacleKind::Bound, text)
    }
    /// See [`ObstacleKind::NothingToDo`].
    pub fn nothing_to_do(text: impl Into<String>) -> Self {
        Self::new(ObstacleKind::NothingToDo, text)
    }
    /// See [`ObstacleKind::Failed`].
    pub fn failed(text: impl std::fmt::Display) -> Self {
        Self::new(ObstacleKind::Failed, format!("internal error: {text}"))
    }
    /// The token was stopped.
    pub fn stopped(reason: StopReason) -> Self {
        let kind = match reason {
            StopReason::Time => ObstacleKind::Time,
            StopReason::Memory => ObstacleKind::Memory,
            StopReason::Interrupt | StopReason::Cancelled => ObstacleKind::Interrupted,
        };
        Self::new(kind, reason.to_string())
    }

    /// Why a run has no verdict, from the obstacles of its targets: the gravest kind decides, and its texts are told.
    pub fn of_targets(mut obstacles: Vec<Obstacle>) -> Obstacle {
        obstacles.sort();
        obstacles.dedup();
        let Some(kind) = obstacles.first().map(|gravest| gravest.kind) else {
            return Obstacle::imprecise("nothing is known of the targets");
        };
        let texts: Vec<&str> = obstacles.iter().filter(|other| other.kind == kind).map(|other| other.text.as_str()).collect();
        match kind {
            // One construct is enough to know what is missing.
            ObstacleKind::Unsupported => Obstacle::unsupported(format!("unsupported: {}", texts[0])),
            ObstacleKind::Unconfirmed => Obstacle::unconfirmed(format!("unconfirmed violation: {}", texts.join("; "))),
            _ => Obstacle::new(kind, texts.join("; ")),
        }
    }

    /// Why several analyses together have no verdict: how many ended how. With more time one of them may come
    /// further; otherwise the last word is the last analysis'.
    pub fn of_analyses(obstacles: &[Obstacle]) -> Obstacle {
        let kinds = || obstacles.iter().map(|obstacle| obstacle.kind);
        let out_of_time = kinds().find(|kind| *kind == ObstacleKind::Time);
        let last = || kinds().rfind(|kind| *kind != ObstacleKind::NothingToDo);
        let count = |kind: ObstacleKind| kinds().filter(|other| *other == kind).count();
        let named = ObstacleKind::ALL.iter().filter(|(kind, ..)| *kind != ObstacleKind::NothingToDo && count(*kind) > 0);
        let texts: Vec<String> = named.map(|(kind, _, meaning)| format!("{}x {meaning}", count(*kind))).collect();
        let kind = out_of_time.or_else(last).unwrap_or(ObstacleKind::NothingToDo);
        Obstacle::new(kind, format!("no analysis decides it: {}", texts.join(", ")))
    }
}

impl std::fmt::Display for Obstacle {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text)
    }
}
