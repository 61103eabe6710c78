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
    /// What was assumed, as a sentence for the user.
    pub text: String,
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
    pub fn note(&self, class: AssumptionClass, span: Span, text: impl Into<String>) {
        let mut lines = self.lines.lock().unwrap_or_else(|e| e.into_inner());
        lines.insert(Assumption { class, span, text: text.into() });
    }
    /// All lines, ordered by class and place.
    pub fn lines(&self) -> Vec<Assumption> {
        self.lines.lock().unwrap_or_else(|e| e.into_inner()).iter().cloned().collect()
    }
}
