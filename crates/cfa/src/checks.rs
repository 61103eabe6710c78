//! The checks that are no property of SV-COMP, in one table: each has a name, whether a run without a property makes
//! it, what a violation is called, where the C standard speaks of it, and which sanitizers look for it.

use crate::operation::CheckKind;
use crate::property::Target;

/// A check.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Check {
    /// The violation.
    pub target: Target,
    /// As in a verdict and behind `--property`.
    pub name: &'static str,
    /// What the places are called where they are counted.
    pub plural: &'static str,
    /// What happened, in a sentence about a violation.
    pub what: &'static str,
    /// Whether a run without a property makes it.
    pub by_default: bool,
    /// Where C11 says that it is undefined or goes wrong; otherwise what says so.
    pub paragraph: &'static str,
    /// The part of gcc's or clang's `-fsanitize=` that reports it; empty where none does.
    pub sanitizer: &'static str,
    /// What the front end marks for it; empty where it is a condition on memory.
    pub kind: Option<CheckKind>,
}

const fn check(target: Target, kind: CheckKind, name: &'static str, by_default: bool) -> Check {
    Check { target, name, plural: "", what: "", by_default, paragraph: "", sanitizer: "", kind: Some(kind) }
}

impl Check {
    const fn says(self, plural: &'static str, what: &'static str) -> Check {
        Check { plural, what, ..self }
    }

    const fn source(self, paragraph: &'static str, sanitizer: &'static str) -> Check {
        Check { paragraph, sanitizer, ..self }
    }

    /// The check that a violation belongs to.
    pub fn of(target: Target) -> Option<&'static Check> {
        CHECKS.iter().find(|check| check.target == target)
    }

    /// The check of a name.
    pub fn named(name: &str) -> Option<&'static Check> {
        CHECKS.iter().find(|check| check.name == name)
    }
}

/// Every check that is no property of SV-COMP and none that is as old as those.
pub const CHECKS: [Check; 13] = [
    check(Target::Unreachable, CheckKind::Unreachable, "no-builtin-unreachable", true)
        .says("places that are said to be unreachable", "__builtin_unreachable() is reached")
        .source("the manual of gcc, 6.59", "unreachable"),
    check(Target::BitCountOfZero, CheckKind::BitCountOfZero, "no-bit-count-of-zero", true)
        .says("counts of leading or trailing zeros", "the leading or trailing zeros of 0 are counted")
        .source("the manual of gcc, 6.59", "builtin"),
    check(Target::ArraySize, CheckKind::ArraySize, "valid-array-size", true)
        .says("sizes of arrays", "the length of an array is not positive, or the array is larger than the address space allows")
        .source("6.7.6.2p5", "vla-bound"),
    check(Target::FloatToInteger, CheckKind::FloatToInteger, "no-float-to-integer-overflow", true)
        .says("conversions of floats to integers", "the value of a float is outside of the integer's range")
        .source("6.3.1.4p1", "float-cast-overflow"),
    check(Target::ShiftOfNegative, CheckKind::ShiftOfNegative, "no-shift-of-negative", true)
        .says("left shifts of signed numbers", "a negative number is shifted to the left")
        .source("6.5.7p4", "shift"),
    check(Target::ElementIndex, CheckKind::ElementIndex, "no-index-out-of-bounds", true)
        .says("indices of arrays in objects", "the index is outside of the array")
        .source("J.2", "bounds"),
    check(Target::Misaligned, CheckKind::Misaligned, "no-misaligned-access", true)
        .says("alignments of accesses", "an access through a pointer that is not aligned for its type")
        .source("6.3.2.3p7", "alignment"),
    check(Target::Unsequenced, CheckKind::Unsequenced, "no-unsequenced", true)
        .says("unsequenced side effects", "a variable is changed and used without an order between the two")
        .source("6.5p2", ""),
    check(Target::FloatOverflow, CheckKind::FloatOverflow, "no-float-overflow", false)
        .says("results of floats that may be infinite", "finite numbers give an infinite result")
        .source("6.5p5", ""),
    check(Target::NotANumber, CheckKind::NotANumber, "no-nan", false)
        .says("results of floats that may be no number", "the result is not a number (NaN)")
        .source("6.5p5", ""),
    check(Target::UnsignedWrap, CheckKind::UnsignedWrap, "no-unsigned-wrap", false)
        .says("unsigned wrap-around", "an unsigned operation wraps around")
        .source("6.2.5p9 (defined)", "unsigned-integer-overflow (clang)"),
    check(Target::LossyConversion, CheckKind::LossyConversion, "no-lossy-conversion", false)
        .says("implicit conversions of integers", "an implicit conversion changes the value")
        .source("6.3.1.3 (defined)", "implicit-conversion (clang)"),
    check(Target::IgnoredResult, CheckKind::IgnoredResult, "no-ignored-result", false)
        .says("calls whose result tells of a failure", "the result, which tells of a failure, is not looked at")
        .source("CERT C ERR33-C", ""),
];
