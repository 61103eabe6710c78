//! The assumptions ledger: every construct that is not modelled exactly writes a line here, and the
//! classes of the lines decide which verdicts a run may still give.

use crate::Span;
use std::sync::Mutex;

/// What a deviation from the program's exact meaning does to verdicts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum AssumptionClass {
    /// More behaviours than the program has: *false* needs the replay's confirmation.
    Over,
    /// Behaviours of the program may be missing (a bound, a skipped effect): forbids *true*.
    Under,
    /// Allowed by the competition's rules: reported, forbids nothing.
    Rules,
}

/// One assumption or approximation, with its place: a line of the ledger.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Assumption {
    /// Which verdicts it forbids.
    pub class: AssumptionClass,
    /// Where in the sources, or [`Span::NONE`] for the whole program.
    pub span: Span,
    /// What was assumed.
    pub fact: Fact,
}

/// What a line of the ledger says. Its `Display` is a sentence for the user.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Fact {
    /// A function of the program's has no body.
    NoBody {
        /// Its name.
        function: String,
        /// What it does besides returning any value: `writes nothing`.
        effect: String,
    },
    /// What no other kind stands for.
    Sentence(String),
}

impl Fact {
    /// The function without a body that it speaks of.
    pub fn function_without_body(&self) -> Option<&str> {
        match self {
            Fact::NoBody { function, .. } => Some(function),
            Fact::Sentence(_) => None,
        }
    }

    /// All that a function without a body may do, for an effect.
    pub fn what_it_may(effect: &str) -> String {
        format!("may return any value and {effect}")
    }
}

impl std::fmt::Display for Fact {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Fact::NoBody { function, effect } => write!(f, "{function} has no body: it {}", Fact::what_it_may(effect)),
            Fact::Sentence(text) => f.write_str(text),
        }
    }
}

impl<T: Into<String>> From<T> for Fact {
    fn from(text: T) -> Fact {
        Fact::Sentence(text.into())
    }
}

/// The ledger of one run; shared by all threads of an analysis.
#[derive(Debug, Default)]
pub struct Ledger {
    lines: Mutex<std::collections::BTreeSet<Assumption>>,
}

impl Ledger {
    /// A ledger without lines.
    pub fn new() -> Self {
        Self::default()
    }
    /// Writes a line; the same line twice is one.
    pub fn note(&self, class: AssumptionClass, span: Span, fact: impl Into<Fact>) {
        let mut lines = self.lines.lock().unwrap_or_else(|e| e.into_inner());
        lines.insert(Assumption { class, span, fact: fact.into() });
    }
    /// All lines, ordered by class and place.
    pub fn lines(&self) -> Vec<Assumption> {
        self.lines.lock().unwrap_or_else(|e| e.into_inner()).iter().cloned().collect()
    }
}
