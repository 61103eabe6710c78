//! Predicate abstraction with adjustable blocks.
//!
//! A state is either an *abstraction*, a region over predicates at the end of a block, or *along the path* from one:
//! the formula of all paths of the block so far. Paths that meet inside a block are merged, which is exact; nothing is
//! lost but at abstractions. Blocks end at loop heads and at entries of recursive functions, and where the options say
//! so ([`BlockEnds`]). Paths back to a loop head meet before it where the program was prepared so
//! (`assay_passes::latches`), and are then one block. Loops whose tests are decided by numbers for a few iterations
//! stay inside of a block (`iterations`). Blocks that are too large for exact regions can be cut where all paths come
//! by (`cuts`).
//!
//! *Many combinations.* Up to some hundred combinations of predicates are listed by the solver; where there are more,
//! a block's formula becomes a decision diagram over its comparisons, and all that are not predicates at its end are
//! taken out of it (`image`). Both are exact.
//!
//! *What a state stands for.* An abstraction: all concrete states of its call stack whose registers and memory satisfy
//! the region, read over stable symbols ([`assay_formula::Stable`]). A state along the path: all that its formula leads
//! to from those of its abstraction.
//!
//! *The proof rule.* A final graph is a proof by the rules of the framework: transfers are repeated by the checker, and
//! a successor must be in a child. For abstractions that is an implication of decision diagrams, whose variables are
//! predicates; it needs no solver. For states along the path it is identity: a path is the paths before it and a step,
//! a merged one has all that were merged into it. What is trusted is what every analysis trusts: the encoder, and
//! answers
//! *unsatisfiable* of the solver. Whatever the solver does not find out, and whatever a predicate cannot say, makes
//! regions larger.
//!
//! *Memory.* After an abstraction the content of memory is unknown but for predicates. Which objects there are stays
//! known for globals, for memory locals of open calls, and for allocations outside of loops; the rest is memory without
//! objects. Global registers that the program never writes keep their number, except where blocks are memoized.
//! Addresses of such objects that registers and cells hold stay known too, without a predicate: a state covers
//! another only if it knows no more.

mod abstraction;
mod copies;
mod cuts;
mod domain;
mod equalities;
mod families;
mod image;
mod iterations;
mod joined_paths;
mod portable;
mod predicates;
mod reduce;
mod segment_path;
mod state;
#[cfg(test)]
mod tests;

pub use abstraction::AbstractionKind;
pub use domain::{BlockEnds, PredicateDomain, PredicateOptions, PredicateWorker};
pub use predicates::{PredicateId, Splitting};
pub use segment_path::Exact;
pub use state::{Abstraction, Origin, PredicateState, Segment};

/// Which predicates are used where.
pub type PredicatePrecision = assay_cpa::ScopedPrecision<PredicateId>;
