//! The value domain: what registers and memory cells hold, as constants and addresses (value analysis) or as terms over
//! inputs with the constraints that the path put on them (symbolic execution). Both are one domain: value
//! analysis is symbolic execution without symbols. Constraints live in the same state because coverage and renaming
//! must treat values and constraints together.

mod bounds;
mod constrain;
mod constraints;
mod enumerate;
mod havoc;
mod liveness;
mod matching;
mod names;
mod precision;
mod reduce;
mod refine;
mod rule;
mod saved;
mod shape;
mod state;
mod tidy;
mod transfer;

pub use constraints::{Constraint, Constraints};
pub use havoc::Implication;
pub use liveness::Liveness;
pub use precision::Unit;
pub use state::ValueState;
pub use transfer::{PathSymbol, PathSymbols, ValueSemantics};

use assay_base::{CancelToken, FastMap, FastSet, Stats};
use assay_cfa::blocks::BlockId;
use assay_cfa::structure::Structure;
use assay_cfa::{LocationId, Program, Target};
use assay_cpa::{PrecisionScope, ScopedPrecision};
use assay_smt::{Budget, Solver};
use assay_term::{Term, Terms};
use std::sync::Arc;
use std::time::Duration;

/// When the satisfiability of a path's constraints is checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum CheckAt {
    /// At every assumption.
    #[default]
    Assumes,
    /// Only where a target is reached.
    Targets,
}

/// When a symbolic state covers another one with the same values.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum CoverageRule {
    /// Its constraints are a subset of the other's.
    #[default]
    Subset,
    /// Its constraints are implied by the other's, as the solver says.
    Implication,
    /// As `Subset`, up to the names of symbols: one substitution for values and constraints together.
    Renamed,
    /// The thesis' aliased subset: values and constraints up to names, each by itself. Not sound; it forbids proofs.
    Aliased,
}

/// Which constraints on the path a precision lets into states.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ConstraintPrecision {
    /// Those of single assumptions that refinement found.
    #[default]
    Constraint,
    /// All that arise where refinement found one.
    Location,
    /// All whose assumption reads only variables of those that refinement found.
    Variables,
}

/// Which symbols are replaced by the one value that the constraints leave them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum DefiniteAssignments {
    /// No symbol is replaced.
    Never,
    /// Those with an equation that says so.
    #[default]
    Equations,
    /// Those whose value in a model is the only one, as the solver says.
    Model,
}

/// What is tracked before any refinement.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum InitialPrecision {
    /// All that there is.
    #[default]
    Everything,
    /// Nothing.
    Nothing,
    /// The variables that occur in assumptions.
    Assumptions,
}

/// How values are tracked.
#[derive(Clone, Debug)]
pub struct ValueOptions {
    /// Terms as values, with constraints: symbolic execution.
    pub symbolic: bool,
    /// Lists of any length are followed: shape analysis.
    pub shape: bool,
    /// When constraints are checked.
    pub check_at: CheckAt,
    /// When a state covers another.
    pub coverage: CoverageRule,
    /// Which constraints refinement brings into states.
    pub constraint_precision: ConstraintPrecision,
    /// When a symbol gets the one value that it can have.
    pub definite: DefiniteAssignments,
    /// Whether an equation stays after the symbol got its value: where something beside the state mentions the symbol.
    pub keep_equations: bool,
    /// Bounds that others imply are not kept, and contradicting ones end a path.
    pub simplify_constraints: bool,
    /// A precision tracks addresses, or forgets them, like numbers; otherwise they are always tracked.
    pub forget_addresses: bool,
    /// At loop heads, values that take every value independently of everything else are forgotten.
    pub forget_independent: bool,
    /// Symbolic values are kept in parts of arrays and structs, too; otherwise these are read anew each time.
    pub symbolic_parts: bool,
    /// States that differ only in the truth of some constraints are merged (section 4.1 of the thesis).
    pub merge_constraints: bool,
    /// What is tracked before any refinement.
    pub initial: InitialPrecision,
    /// How far a variable found by refinement is tracked.
    pub scope: PrecisionScope,
    /// A register of unknown value is followed with each of its values where these are at most so many; 0 for never.
    pub max_enum: u32,
    /// How the workers' solvers work.
    pub solver: assay_smt::Config,
    /// Terms larger than this (as trees) are replaced by fresh values.
    pub max_term_size: u32,
    /// Time for one satisfiability check during exploration; without an answer the path is kept.
    pub solver_time: Duration,
    /// Whether memoization cuts states to what a block can touch; otherwise only the frames below are cut.
    pub reduction: bool,
}

impl Default for ValueOptions {
    fn default() -> Self {
        ValueOptions {
            symbolic: false,
            shape: false,
            check_at: CheckAt::Assumes,
            coverage: CoverageRule::Subset,
            constraint_precision: ConstraintPrecision::Constraint,
            definite: DefiniteAssignments::Equations,
            keep_equations: false,
            simplify_constraints: false,
            forget_addresses: false,
            forget_independent: false,
            symbolic_parts: true,
            merge_constraints: false,
            initial: InitialPrecision::Everything,
            scope: PrecisionScope::Global,
            max_enum: 0,
            solver: assay_smt::Config::default(),
            max_term_size: 20_000,
            solver_time: Duration::from_secs(5),
            reduction: true,
        }
    }
}

/// The domain. It owns the overlay in which the run's terms are made.
pub struct ValueDomain<'p> {
    /// What is explored.
    pub program: &'p Program,
    /// The run's overlay on the program's.
    pub terms: Arc<Terms>,
    /// How values are tracked.
    pub options: ValueOptions,
    liveness: Arc<Liveness>,
    /// Whether a precision can forget addresses: as the options say, where no question is about memory.
    forgets_addresses: bool,
    /// Where symbolic states are brought to their normal form.
    loop_heads: Arc<FastSet<LocationId>>,
    cancel: CancelToken,
}

/// A thread's solver and counters.
pub struct ValueWorker {
    /// For the constraints of paths.
    pub solver: Solver,
    /// What was asked and found.
    pub stats: Stats,
    scratch: Vec<Term>,
    /// The names at the border of the block that was entered or left last.
    border: Option<names::Border>,
    /// The registers in terms of the program.
    free: rule::FreeVariables,
    /// What states at the entries of blocks are read on top of.
    bases: FastMap<BlockId, assay_semantics::state::State>,
}

impl<'p> ValueDomain<'p> {
    /// Computes the liveness of registers and the heads of loops.
    pub fn new(program: &'p Program, terms: Arc<Terms>, options: ValueOptions, cancel: &CancelToken) -> Self {
        let liveness = Arc::new(Liveness::new(program, &terms));
        let loop_heads = Arc::new(loop_heads(program));
        let in_question = program.questions.about_memory() || program.questions.contains(Target::UninitialisedRead);
        let forgets_addresses = options.forget_addresses && !options.shape && !in_question;
        ValueDomain { program, terms, options, liveness, forgets_addresses, loop_heads, cancel: cancel.clone() }
    }

    fn budget(&self) -> Budget {
        Budget::with_time(&self.cancel, self.options.solver_time)
    }
}

fn loop_heads(program: &Program) -> FastSet<LocationId> {
    let structure = Structure::new(program);
    let loops = structure.loops();
    program.locations.ids().filter(|&location| loops.is_head(location)).collect()
}

/// A precision of the value domain.
pub type ValuePrecision = ScopedPrecision<Unit>;
