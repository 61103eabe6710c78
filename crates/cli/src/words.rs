//! The words of options that take one of a few, each with what it stands for: the option table shows them, and the
//! readers of the command line get values.

use assay_c::{Externals, OutsidePointers};
use assay_cfa::DataModel;
use assay_driver::Rules;
use assay_results::path::Detail;

/// How an automaton or a portfolio is printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Shape {
    Text,
    Dot,
    Json,
    Summary,
}

/// What is asked to be seen of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Seen {
    /// What fits where it is shown.
    Auto,
    /// A line for each analysis.
    Plain,
    Nothing,
}

pub(crate) const MODELS: [(&str, DataModel); 2] = [("ILP32", DataModel::Ilp32), ("LP64", DataModel::Lp64)];
pub(crate) const RULES: [(&str, Rules); 2] = [("own-code", Rules::OwnCode), ("competition", Rules::Competition)];
pub(crate) const DETAILS: [(&str, Detail); 2] = [("folded", Detail::Folded), ("full", Detail::Full)];
pub(crate) const PROGRESS: [(&str, Seen); 3] = [("auto", Seen::Auto), ("plain", Seen::Plain), ("none", Seen::Nothing)];
pub(crate) const SHAPES: [(&str, Shape); 4] =
    [("text", Shape::Text), ("dot", Shape::Dot), ("json", Shape::Json), ("summary", Shape::Summary)];

pub(crate) const MODEL_WORDS: &[&str] = &of(&MODELS);
pub(crate) const RULE_WORDS: &[&str] = &of(&RULES);
pub(crate) const DETAIL_WORDS: &[&str] = &of(&DETAILS);
pub(crate) const SEEN_WORDS: &[&str] = &of(&PROGRESS);
pub(crate) const SHAPE_WORDS: &[&str] = &of(&SHAPES);
pub(crate) const OUTSIDE_WORDS: &[&str] = &of(&OutsidePointers::WORDS);
pub(crate) const EXTERNAL_WORDS: &[&str] = &of(&Externals::WORDS);

/// The words of a table.
const fn of<T: Copy, const N: usize>(table: &[(&'static str, T); N]) -> [&'static str; N] {
    let mut words = [""; N];
    let mut index = 0;
    while index < N {
        words[index] = table[index].0;
        index += 1;
    }
    words
}
