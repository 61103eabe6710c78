//! The formula of a path in the defined form: one group of constraints for every step, so that interpolants between groups
//! are assertions between steps.

use crate::encoder::{Encoder, Form, StepOutcome};
use crate::state::{Frame, State};
use assay_base::FastMap;
use assay_cfa::Step;
use assay_cfa::{FunctionId, Program, VarId};
use assay_semantics::state::PersistentVec;
use assay_term::{Op, Term, Terms};
use std::sync::Arc;

/// A path as groups of constraints over instances `x@n`.
#[derive(Clone, Debug)]
pub struct PathFormula {
    /// The first group is the start of the program, then one a step. In a path that is infeasible whatever the inputs, the
    /// last group is the step that is.
    pub groups: Vec<Vec<Term>>,
    /// The state at the end.
    pub state: State,
    cuts: Vec<Cut>,
}

/// Which instances are current after a group.
#[derive(Clone, Debug)]
struct Cut {
    globals: PersistentVec<Option<Term>>,
    frame: Option<Arc<Frame>>,
}

/// A step that has no formula.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unsupported {
    pub position: usize,
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
        Ok(PathFormula { groups, state, cuts })
    }

    /// The function that is active after a group.
    pub fn function(&self, group: usize) -> Option<FunctionId> {
        self.cuts.get(group)?.frame.as_ref().map(|frame| frame.function)
    }

    /// An assertion after a group, said of program variables; `None` where it speaks of memory, of callers' variables, or of
    /// values that no variable holds any more.
    pub fn over_variables(&self, program: &Program, terms: &Terms, group: usize, assertion: Term) -> Option<Term> {
        let names = self.cuts.get(group)?.names(program, terms);
        let mut known = true;
        let result = terms.substitute(assertion, &mut |node| {
            if node.op == Op::Address {
                return None;
            }
            let name = names.get(&terms.symbol(node.symbol())).copied();
            known &= name.is_some();
            name
        });
        known.then_some(result)
    }
}

impl Cut {
    fn of(state: &State) -> Cut {
        Cut { globals: state.globals.clone(), frame: state.frame.clone() }
    }

    /// The variables that current instances belong to.
    fn names(&self, program: &Program, terms: &Terms) -> FastMap<Term, Term> {
        let mut names = FastMap::default();
        let mut add = |value: &Option<Term>, variable: VarId| {
            if let Some(value) = value
                && terms.node(*value).op == Op::Symbol
            {
                names.insert(*value, terms.symbol(variable.symbol()));
            }
        };
        self.globals.for_each(|slot, value| add(value, program.globals[slot as usize]));
        if let Some(frame) = &self.frame {
            frame.registers.for_each(|slot, value| add(value, program.functions[frame.function].locals[slot as usize]));
        }
        names
    }
}
