//! One step of a path: how executions, paths of formulas, abstract paths and counterexamples all say where they go.

use crate::EdgeId;

/// One step of a path.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Step {
    /// Over an edge. Over a call edge: into the callee, at whose entry the step ends, with a new frame.
    Edge(EdgeId),
    /// Out of the callee of this call edge: the frame is dropped, the call's result register is written, and control
    /// goes on at the edge's target.
    Return(EdgeId),
}

impl Step {
    /// The edge that is taken; of a return, the edge of its call.
    #[inline]
    pub fn edge(self) -> EdgeId {
        match self {
            Step::Edge(edge) | Step::Return(edge) => edge,
        }
    }

    /// Whether it comes back from a call.
    #[inline]
    pub fn is_return(self) -> bool {
        matches!(self, Step::Return(_))
    }
}
