//! The framework of configurable program analysis: traits of domains, the reachability graph, reached sets, the CPA
//! algorithm, the CEGAR loop and the checker of final graphs. It knows no domain and no solver. Block-abstraction
//! memoization is built on it (`assay_memo`), which is why the parts of the loop are public.
//!
//! A domain implements [`Domain`]; location and call stack are not part of its states but the fixed [`Head`] that the
//! framework keeps beside them.

pub mod algorithm;
pub mod arg;
pub mod capability;
pub mod cegar;
pub mod checker;
pub mod coverage;
pub mod domain;
pub mod endless;
pub mod monitor;
pub mod optional;
pub mod order;
pub mod precision;
pub mod product;
pub mod reached;
pub mod scope;
pub mod stack;
pub mod view;
pub mod waitlist;

pub use algorithm::{Counters, Environment, Exploration, ExploreConfig, Merge, Status};
pub use arg::{Arg, ArgPath, NodeId, TargetInfo, TargetKind};
pub use assay_cfa::Step;
pub use capability::{Forget, PrecisionScope, Refinable, StrongestPost};
pub use cegar::{Answer, Cegar, CegarConfig, Refinement, Refiner, Restart, TargetPath, Violation};
pub use checker::{Checked, Defect};
pub use coverage::Coverage;
pub use domain::{Adjustment, Domain, Mark, Move, Position, Projection, Successor, Successors};
pub use monitor::Monitoring;
pub use optional::Optional;
pub use order::LocationOrders;
pub use precision::{PrecisionPlace, ScopedPrecision};
pub use product::{Either, Product};
pub use reached::{Reached, StopOperator};
pub use scope::{ExplorationScope, Visit, WholeProgram};
pub use stack::{ArgStep, CallStacks, Head, StackId};
pub use view::{NoView, Pointee, StateView, View};
pub use waitlist::{Before, Order, WaitOrder, Waitlist};
