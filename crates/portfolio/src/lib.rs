//! Several analyses one after the other on one program, in one process. A strategy is data: a list of stages with shares of
//! the time that remains; a stage that gives up early leaves its time to the next. The portfolio sees only `dyn Analysis`.

mod sequence;
mod strategy;

pub use sequence::{Sequence, Stage};
pub use strategy::{STRATEGIES, Strategy, StrategyError};
