//! The part of the program that an exploration stays in, and what is to be done with a state at its borders.

use crate::arg::NodeId;
use crate::domain::{Domain, Successor};
use crate::stack::{ArgStep, Head};

/// What to do with a state that is popped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Visit {
    /// Compute its successors over the edges.
    Expand,
    /// It is at the end of the explored part: it has no successors here.
    Leave,
    /// Its successors were pushed, each with its step.
    Applied,
    /// Some of them were, and it waits to be visited again for the others: a run must be able to stop between them.
    AppliedInPart,
    /// It cannot be explored yet. It leaves the waitlist until [`Exploration::resume`](crate::Exploration::resume) puts
    /// it back.
    Suspend,
}

/// The part of the program that an exploration stays in. Block-abstraction memoization has its own; [`WholeProgram`] is
/// the plain one.
pub trait ExplorationScope<D: Domain> {
    /// What is to be done with a state; without borders its successors are computed.
    #[inline]
    fn visit(
        &mut self,
        _domain: &D,
        _worker: &mut D::Worker,
        _node: NodeId,
        _head: Head,
        _state: &D::State,
        _out: &mut Vec<(Head, ArgStep, Successor<D::State>)>,
    ) -> Visit {
        Visit::Expand
    }

    /// Asked after each explored state; `true` makes the exploration return
    /// [`Status::Interrupted`](crate::Status::Interrupted).
    fn is_interrupted(&self) -> bool {
        false
    }
}

/// The scope of an exploration without blocks: all of the program.
pub struct WholeProgram;

impl<D: Domain> ExplorationScope<D> for WholeProgram {}
