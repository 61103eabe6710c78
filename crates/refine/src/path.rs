//! A path through the program, and whether a domain at full precision can follow it.

use assay_base::{CancelToken, StopReason};
use assay_cfa::{Operation, Program};
use assay_cpa::{Head, Move, Step, StrongestPost};

/// A path from the root: `steps[i]` leads from `heads[i]` to `heads[i + 1]`. *Position i* is the point before step i.
/// In a sliced prefix some assumptions are skipped: their steps change nothing.
#[derive(Clone, Debug)]
pub struct Path<'a> {
    /// The program that it is a path of.
    pub program: &'a Program,
    heads: Vec<Head>,
    steps: Vec<Step>,
    skipped: Vec<bool>,
}

/// Why something is no path that refinement can work on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PathError {
    /// There must be one head more than steps.
    Length,
}

impl std::fmt::Display for PathError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            PathError::Length => f.write_str("the path's steps and places do not match"),
        }
    }
}
impl std::error::Error for PathError {}

impl<'a> Path<'a> {
    /// # Errors
    /// If steps and heads do not match.
    pub fn new(program: &'a Program, heads: Vec<Head>, steps: Vec<Step>) -> Result<Self, PathError> {
        if heads.len() != steps.len() + 1 {
            return Err(PathError::Length);
        }
        let skipped = vec![false; steps.len()];
        Ok(Path { program, heads, steps, skipped })
    }

    /// The number of steps.
    pub fn len(&self) -> usize {
        self.steps.len()
    }
    /// Whether there are no steps.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }
    /// Where the path is at a position.
    pub fn head(&self, position: usize) -> Head {
        self.heads[position]
    }
    /// An edge, or the return of a call.
    pub fn step(&self, index: usize) -> Step {
        self.steps[index]
    }
    /// The step as a domain sees it.
    pub fn movement(&self, index: usize) -> Move<'a> {
        let step = self.steps[index];
        let edge = &self.program.edges[step.edge()];
        Move { program: self.program, step, edge, source: self.heads[index], target: self.heads[index + 1] }
    }
    /// The operation of the step; `None` where nothing happens: skipped steps, and constructs that are not modelled,
    /// beyond which the framework itself carries states unchanged to a target.
    pub fn operation(&self, index: usize) -> Option<&'a Operation> {
        if self.skipped[index] {
            return None;
        }
        match &self.movement(index).edge.operation {
            Operation::Skip | Operation::Unsupported { .. } => None,
            operation => Some(operation),
        }
    }
    /// Whether the step only tests something, so that a prefix may skip it.
    pub fn is_test(&self, index: usize) -> bool {
        matches!(self.operation(index), Some(Operation::Assume { .. } | Operation::AssumeMemory { .. }))
    }
    /// Leaves out what a step demands: it becomes one that always goes on.
    pub fn skip(&mut self, index: usize) {
        self.skipped[index] = true;
    }
    /// Whether its demand is left out.
    pub fn is_skipped(&self, index: usize) -> bool {
        self.skipped[index]
    }
    /// The path up to and with the step.
    #[must_use]
    pub fn prefix(&self, last: usize) -> Path<'a> {
        Path {
            program: self.program,
            heads: self.heads[..last + 2].to_vec(),
            steps: self.steps[..=last].to_vec(),
            skipped: self.skipped[..=last].to_vec(),
        }
    }

    /// The strongest post of one step; `None` is a contradiction.
    pub fn post<D: StrongestPost>(&self, domain: &D, worker: &mut D::Worker, state: &D::State, index: usize) -> Option<D::State> {
        let unchanged = self.skipped[index] || matches!(self.movement(index).edge.operation, Operation::Unsupported { .. });
        if unchanged { Some(state.clone()) } else { domain.post(worker, state, &self.movement(index)) }
    }

    /// Follows the path from a position at full precision.
    ///
    /// # Errors
    /// The reason, if the run is stopped.
    pub fn run<D: StrongestPost>(
        &self,
        domain: &D,
        worker: &mut D::Worker,
        from: usize,
        state: D::State,
        cancel: &CancelToken,
    ) -> Result<Run<D::State>, StopReason> {
        let mut state = state;
        for index in from..self.len() {
            if let Some(reason) = cancel.stopped() {
                return Err(reason);
            }
            match self.post(domain, worker, &state, index) {
                Some(next) => state = next,
                None => return Ok(Run::Contradiction { step: index, before: state }),
            }
        }
        Ok(Run::Feasible(state))
    }
}

/// Where following a path ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Run<S> {
    /// At the end, in this state.
    Feasible(S),
    /// No state can take this step.
    Contradiction {
        /// The position of the step.
        step: usize,
        /// The state that cannot take it.
        before: S,
    },
}
