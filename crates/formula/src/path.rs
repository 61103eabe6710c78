//! The formula of a path in the defined form: one group of constraints for every step, so that interpolants between
//! groups are assertions between steps.

use crate::encoder::{Encoder, Form, StepOutcome};
use crate::naming::Names;
use crate::state::{Frame, Objects, State};
use assay_cfa::{FunctionId, Program, Step};
use assay_semantics::state::PersistentVec;
use assay_term::{Term, Terms};
use std::sync::Arc;

/// A path as groups of constraints over instances `x@n`.
#[derive(Clone, Debug)]
pub struct PathFormula {
    /// The first group is the start of the program, then one a step. In a path that is infeasible whatever the inputs,
    /// the last group is the step that is.
    pub groups: Vec<Vec<Term>>,
    /// The state at the end.
    pub state: State,
    cuts: Vec<Cut>,
    /// The state at the end without conditions and inputs.
    shell: State,
}

/// The values that are current after a group: a state without its history.
#[derive(Clone, Debug)]
struct Cut {
    globals: PersistentVec<Option<Term>>,
    frame: Option<Arc<Frame>>,
    objects: Arc<Objects>,
    /// The number of the next instance.
    fresh: u32,
}

/// A step that has no formula.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unsupported {
    /// The step of the path.
    pub position: usize,
    /// The construct, for the user.
    pub what: String,
}

impl std::fmt::Display for Unsupported {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "step {} of the path has no formula: {}", self.position, self.what)
    }
}

impl std::error::Error for Unsupported {}

impl PathFormula {
    /// The formula of a path from the program's start.
    ///
    /// # Errors
    /// Where a step is an operation that is not modelled.
    pub fn of(program: &Program, terms: &Terms, steps: &[Step]) -> Result<PathFormula, Unsupported> {
        let encoder = Encoder::new(program, terms, Form::Defined);
        let mut state = encoder.initial();
        let mut groups = vec![state.conditions().to_vec()];
        let mut cuts = vec![Cut::of(&state)];
        for (position, &step) in steps.iter().enumerate() {
            let before = state.conditions().len();
            let outcome = encoder.follow(&mut state, step);
            groups.push(state.conditions()[before..].to_vec());
            cuts.push(Cut::of(&state));
            match outcome {
                StepOutcome::Continue => {}
                StepOutcome::Infeasible => break,
                StepOutcome::Unsupported(what) => return Err(Unsupported { position, what }),
            }
        }
        let shell = state.without_history(terms);
        Ok(PathFormula { groups, state, cuts, shell })
    }

    /// The function that is active after a group.
    pub fn function(&self, group: usize) -> Option<FunctionId> {
        self.cuts.get(group)?.frame.as_ref().map(|frame| frame.function)
    }

    /// The number of cuts: one after each group.
    pub fn len(&self) -> usize {
        self.cuts.len()
    }

    /// Whether the path has no steps.
    pub fn is_empty(&self) -> bool {
        self.cuts.is_empty()
    }

    /// The state after a group, as far as terms can speak of it: without conditions and inputs.
    fn state_after(&self, group: usize) -> Option<State> {
        let cut = self.cuts.get(group)?;
        let mut state = self.shell.clone();
        state.globals = cut.globals.clone();
        state.frame = cut.frame.clone();
        state.objects = cut.objects.clone();
        state.fresh = cut.fresh;
        Some(state)
    }

    /// What the values after a group are called.
    pub fn names<'a>(&self, program: &'a Program, terms: &'a Terms, group: usize) -> Option<Names<'a>> {
        Some(Names::of(program, terms, &self.state_after(group)?))
    }

    /// Whether two cuts have the same values, so that their names are the same.
    pub fn is_same(&self, group: usize, other: usize) -> bool {
        match (self.cuts.get(group), self.cuts.get(other)) {
            (Some(a), Some(b)) => a.fresh == b.fresh && Arc::ptr_eq(&a.objects, &b.objects) && same_frame(&a.frame, &b.frame),
            _ => false,
        }
    }

    /// An assertion after a group, said of variables and memory (see [`naming`](crate::naming)); `None` where it speaks
    /// of values that nothing holds any more.
    pub fn over_variables(&self, program: &Program, terms: &Terms, group: usize, assertion: Term) -> Option<Term> {
        self.names(program, terms, group)?.say(assertion)
    }
}

fn same_frame(a: &Option<Arc<Frame>>, b: &Option<Arc<Frame>>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => Arc::ptr_eq(a, b),
        (None, None) => true,
        _ => false,
    }
}

impl Cut {
    fn of(state: &State) -> Cut {
        Cut { globals: state.globals.clone(), frame: state.frame.clone(), objects: state.objects.clone(), fresh: state.fresh }
    }
}
