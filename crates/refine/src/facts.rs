//! What refinement asks about remembered things and variables; answered where domains and classifications are known.

use assay_cfa::classify::Classification;
use assay_cfa::{EdgeId, VarId};
use assay_semantics::state::ObjectName;

/// Which of the two sides a remembered thing belongs to, for delegation and for the order of forgetting.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ItemKind {
    /// What a variable or cell holds.
    Value,
    /// What is known of values: constraints and predicates, whose posts are expensive.
    Constraint,
}

/// Facts about a domain's items.
///
/// *Minimum to implement*: nothing; without knowledge every item is a value of unknown footprint, and interpolation
/// tests each. The answers steer and speed up interpolation; wrong ones make interpolants worse or slower, never wrong,
/// because what is forgotten is always tested. *Threads*: shared.
pub trait ItemFacts<I>: Sync {
    /// Whether it is a value or a constraint.
    fn kind(&self, _item: &I) -> ItemKind {
        ItemKind::Value
    }

    /// Pushes the registers that the item speaks about. `true` if it depends on these alone: steps that touch none of
    /// them leave the item and its use as they are. `false` for memory cells and for constraints over values that no
    /// register need hold any more.
    fn registers(&self, _item: &I, _out: &mut Vec<VarId>) -> bool {
        false
    }

    /// The one item that a state remembers when it remembers what the register holds, in whichever frame; `None` where
    /// it cannot be told. Knowing it spares looking through whole states after each step.
    fn of_register(&self, _register: VarId) -> Option<I> {
        None
    }

    /// All that a precision tracks for a register that an assertion speaks of: what it holds, and perhaps conditions
    /// over it.
    fn of_variable(&self, register: VarId, out: &mut Vec<I>) {
        out.extend(self.of_register(register));
    }

    /// The item that a state remembers of a cell of memory.
    fn of_cell(&self, _object: ObjectName, _offset: u64) -> Option<I> {
        None
    }

    /// The item that a state remembers of the test on this edge itself, where there is one. Asked only if `of_register`
    /// tells items.
    fn of_test(&self, _edge: EdgeId) -> Option<I> {
        None
    }

    /// Whether the item is a cell of memory, which matters only where memory is read later. Asked if `registers` said
    /// `false`.
    fn is_memory(&self, _item: &I) -> bool {
        false
    }
}

/// No facts: for domains that have none to give.
#[derive(Clone, Copy, Debug, Default)]
pub struct UnknownItems;

impl<I> ItemFacts<I> for UnknownItems {}

/// How a variable is used, from the easiest to the hardest for an analysis to track.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Difficulty {
    /// Only ever 0 or 1.
    Boolean,
    /// Only assigned and compared for equality.
    EqualityOnly,
    /// Anything else.
    Arithmetic,
    /// Counts the iterations of a loop: tracking it unrolls the loop.
    LoopCounter,
}

impl Difficulty {
    /// The variable's part of a domain score; `None` is infinite.
    pub fn weight(self) -> Option<u64> {
        match self {
            Difficulty::Boolean => Some(1),
            Difficulty::EqualityOnly => Some(2),
            Difficulty::Arithmetic => Some(4),
            Difficulty::LoopCounter => None,
        }
    }
}

/// The classification of variables that the scores of prefixes use.
pub trait Scores: Sync {
    /// How the program uses the variable.
    fn class(&self, variable: VarId) -> Difficulty;
}

/// No classification: every variable is the same.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoScores;

impl Scores for NoScores {
    fn class(&self, _: VarId) -> Difficulty {
        Difficulty::Arithmetic
    }
}

impl Scores for Classification {
    fn class(&self, variable: VarId) -> Difficulty {
        let uses = &self.variables[variable];
        if uses.loop_counter {
            Difficulty::LoopCounter
        } else if uses.boolean {
            Difficulty::Boolean
        } else if uses.equality_only {
            Difficulty::EqualityOnly
        } else {
            Difficulty::Arithmetic
        }
    }
}
