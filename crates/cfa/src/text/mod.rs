//! The text form of programs: stable, complete but for the text of the source files, and read back by [`read()`], so
//! that `print(read(print(p))) == print(p)`. Passes are tested from text to text.
//!
//! ```text
//! program LP64 $start
//! questions valid-deref
//! file "example.c"
//! source n0 input "__VERIFIER_nondet_int" 0:3:11
//! global g (register 32) (int 32 signed "int") source "g" 0:1:5 (init (0 7:32))
//! function main entry L0 exit L1 0:2:5
//!   local main::x (register 32) (int 32 signed "int") source "x" 0:3:7
//!   target L4 unreach-call
//!   E0: L0 -> L2 havoc main::x n0 @0:3:7 statement
//!   E1: L2 -> L4 assume (== main::x 5:32) @0:4:3 (branch taken 0:4:3)
//! end
//! ```
//!
//! `questions` are what is asked about the program besides the kinds of its targets. A line is one item. Terms are as
//! [`Terms::display`](assay_term::Terms::display) writes them and are simplified as they are read; other names that are
//! not plain words stand between bars, and `; …` is a comment. Locations are numbered without gaps; edges may leave out
//! their number and then follow each other. An operation's names and terms are those of [`Operation`](crate::Operation)
//! in the order of its fields.

mod print;
mod read;
mod token;

pub use print::{print, print_operation};
pub use read::{ReadError, read};

use crate::operation::{CheckKind, ValueSourceKind, Zone};
use crate::program::SyntaxCounts;
use assay_base::AssumptionClass;

const CHECK_KINDS: [(&str, CheckKind); 20] = [
    ("overflow", CheckKind::SignedOverflow),
    ("division", CheckKind::DivisionByZero),
    ("division-overflow", CheckKind::DivisionOverflow),
    ("shift", CheckKind::ShiftRange),
    ("float-to-integer", CheckKind::FloatToInteger),
    ("call-target", CheckKind::CallTarget),
    ("given", CheckKind::Given),
    ("unreachable", CheckKind::Unreachable),
    ("bit-count", CheckKind::BitCountOfZero),
    ("array-size", CheckKind::ArraySize),
    ("shift-of-negative", CheckKind::ShiftOfNegative),
    ("element-index", CheckKind::ElementIndex),
    ("misaligned", CheckKind::Misaligned),
    ("unsequenced", CheckKind::Unsequenced),
    ("float-overflow", CheckKind::FloatOverflow),
    ("not-a-number", CheckKind::NotANumber),
    ("unsigned-wrap", CheckKind::UnsignedWrap),
    ("lossy", CheckKind::LossyConversion),
    ("ignored-result", CheckKind::IgnoredResult),
    ("other", CheckKind::Other),
];

const SOURCE_KINDS: [(&str, ValueSourceKind); 10] = [
    ("input", ValueSourceKind::Input),
    ("uninitialised", ValueSourceKind::Uninitialised),
    ("payload", ValueSourceKind::Payload),
    ("unwritten", ValueSourceKind::Unwritten),
    ("external", ValueSourceKind::External),
    ("foreign", ValueSourceKind::Foreign),
    ("system", ValueSourceKind::System),
    ("system-foreign", ValueSourceKind::SystemForeign),
    ("argument", ValueSourceKind::Argument),
    ("approximation", ValueSourceKind::Approximation),
];

const ZONES: [(&str, Zone); 4] = [("heap", Zone::Heap), ("stack", Zone::Stack), ("given", Zone::Given), ("library", Zone::Library)];

const CLASSES: [(&str, AssumptionClass); 3] =
    [("over", AssumptionClass::Over), ("under", AssumptionClass::Under), ("rules", AssumptionClass::Rules)];

type SyntaxField = fn(&mut SyntaxCounts) -> &mut u32;

const SYNTAX: [(&str, SyntaxField); 7] = [
    ("while", |s| &mut s.while_loops),
    ("for", |s| &mut s.for_loops),
    ("do", |s| &mut s.do_loops),
    ("goto", |s| &mut s.gotos),
    ("switch", |s| &mut s.switches),
    ("assembly", |s| &mut s.inline_assembly),
    ("threads", |s| &mut s.threads),
];

/// The spellings of integer types; the reader knows no others.
const INTEGER_NAMES: [&str; 18] = [
    "char",
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned int",
    "long",
    "unsigned long",
    "long long",
    "unsigned long long",
    "__int128",
    "unsigned __int128",
    "enum",
    "_Bool",
    "bool",
    "size_t",
    "handle",
];

fn name_of<T: Copy + PartialEq>(table: &[(&'static str, T)], value: T) -> &'static str {
    table.iter().find(|(_, v)| *v == value).map_or("?", |(name, _)| name)
}

fn value_of<T: Copy>(table: &[(&'static str, T)], name: &str) -> Option<T> {
    table.iter().find(|(n, _)| *n == name).map(|(_, value)| *value)
}

#[cfg(test)]
mod tests;
