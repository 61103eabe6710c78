//! Properties to verify, the property files that name them, and the targets on the automaton that violate them.

use crate::checks::{CHECKS, Check};
use assay_base::Span;

/// What a run is asked to prove.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Property {
    /// The function is never called.
    UnreachCall {
        /// Its name in C.
        function: String,
    },
    /// The label is never reached.
    UnreachLabel {
        /// Its name in C.
        label: String,
    },
    /// No signed integer operation overflows.
    NoOverflow,
    /// No number is divided by zero.
    NoDivisionByZero,
    /// No shift is by a negative amount or by at least the width.
    NoInvalidShift,
    /// Nothing is decided by, computed as an address from, or given away of a value that was never written.
    NoUninitialisedRead,
    /// `valid-deref`, `valid-free` and `valid-memtrack` together.
    MemorySafety,
    /// Every access is to memory that is there.
    ValidDeref,
    /// Only the start of a live heap object is released.
    ValidFree,
    /// No heap memory is lost.
    ValidMemtrack,
    /// All heap memory is freed when the program ends.
    MemoryCleanup,
    /// No violation of this kind: one of the further checks ([`CHECKS`]).
    Never(Target),
    /// Every run ends.
    Termination,
    /// No two accesses of different threads to the same bytes, of which one writes, can happen at the same time.
    NoDataRace,
    /// `COVER(…)` of Test-Comp: a test suite is asked for, not a proof. This one must take every branch.
    CoverBranches,
    /// A test that calls the function.
    CoverCall {
        /// Its name in C.
        function: String,
    },
}

/// The kind of violation that a target location stands for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Target {
    /// A function that must not be called is called.
    UnreachCall,
    /// A label that must not be reached is reached.
    UnreachLabel,
    /// A signed operation overflows.
    NoOverflow,
    /// A division by zero.
    DivisionByZero,
    /// A shift by a negative amount or by at least the width.
    InvalidShift,
    /// A value that was never written decides something.
    UninitialisedRead,
    /// An access to memory that is not there.
    ValidDeref,
    /// A release of what is no start of a live heap object.
    ValidFree,
    /// Heap memory that nothing leads to any more.
    ValidMemtrack,
    /// Heap memory that is left when the program ends.
    ValidMemcleanup,
    /// An execution that never ends: no place is its end, so that no location has this target.
    Termination,
    /// `__builtin_unreachable()` is reached.
    Unreachable,
    /// The leading or trailing zeros of 0 are counted.
    BitCountOfZero,
    /// A variable-length array of no or of too many elements.
    ArraySize,
    /// A float out of the integer's range.
    FloatToInteger,
    /// A negative number is shifted to the left.
    ShiftOfNegative,
    /// An index beyond an array that is a part of an object.
    ElementIndex,
    /// An access through a pointer that is not aligned for its type.
    Misaligned,
    /// A variable is changed and used without an order between the two.
    Unsequenced,
    /// Finite floats give an infinite result.
    FloatOverflow,
    /// Floats that are numbers give a result that is none.
    NotANumber,
    /// An unsigned operation wraps around.
    UnsignedWrap,
    /// An implicit conversion changes the value of an integer.
    LossyConversion,
    /// A result that tells of a failure is not looked at.
    IgnoredResult,
    /// Two threads access the same bytes at the same time, and one of them writes.
    DataRace,
}

impl Target {
    /// Every kind once.
    pub const ALL: [Target; 25] = [
        Target::UnreachCall,
        Target::UnreachLabel,
        Target::NoOverflow,
        Target::DivisionByZero,
        Target::InvalidShift,
        Target::UninitialisedRead,
        Target::ValidDeref,
        Target::ValidFree,
        Target::ValidMemtrack,
        Target::ValidMemcleanup,
        Target::Termination,
        Target::Unreachable,
        Target::BitCountOfZero,
        Target::ArraySize,
        Target::FloatToInteger,
        Target::ShiftOfNegative,
        Target::ElementIndex,
        Target::Misaligned,
        Target::Unsequenced,
        Target::FloatOverflow,
        Target::NotANumber,
        Target::UnsignedWrap,
        Target::LossyConversion,
        Target::IgnoredResult,
        Target::DataRace,
    ];
    /// Its row in the table of further checks; that of a kind that has none is the first.
    fn check(self) -> &'static Check {
        Check::of(self).unwrap_or(&CHECKS[0])
    }

    /// As in a verdict: `false(unreach-call)`.
    pub fn name(self) -> &'static str {
        match self {
            Target::UnreachCall => "unreach-call",
            Target::UnreachLabel => "unreach-label",
            Target::NoOverflow => "no-overflow",
            Target::DivisionByZero => "no-division-by-zero",
            Target::InvalidShift => "no-invalid-shift",
            Target::UninitialisedRead => "no-uninitialised-read",
            Target::ValidDeref => "valid-deref",
            Target::ValidFree => "valid-free",
            Target::ValidMemtrack => "valid-memtrack",
            Target::ValidMemcleanup => "valid-memcleanup",
            Target::Termination => "termination",
            Target::DataRace => "no-data-race",
            _ => self.check().name,
        }
    }

    /// What a kind of check is called where checks are counted.
    pub fn plural(self) -> &'static str {
        match self {
            Target::UnreachCall => "calls of error functions and assertions",
            Target::UnreachLabel => "error labels",
            Target::NoOverflow => "signed overflow",
            Target::DivisionByZero => "division by zero",
            Target::InvalidShift => "invalid shifts",
            Target::UninitialisedRead => "uninitialised reads",
            Target::ValidDeref => "accesses to memory",
            Target::ValidFree => "releases of memory",
            Target::ValidMemtrack => "lost memory",
            Target::ValidMemcleanup => "memory that is not released",
            Target::Termination => "loops and recursion",
            Target::DataRace => "data races",
            _ => self.check().plural,
        }
    }
}

/// A place at which something is checked: what, and where.
pub type CheckedPlace = (Target, Span);

/// What is asked about a program: the kinds of violations that are looked for. The caller that must know whether memory
/// is in question asks here, whether or not there are places at which it could go wrong.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Questions(u32);

impl Questions {
    /// Asks for one kind more.
    pub fn insert(&mut self, target: Target) {
        self.0 |= 1 << target as u32;
    }

    /// Asks for one kind less.
    pub fn remove(&mut self, target: Target) {
        self.0 &= !(1 << target as u32);
    }

    /// Whether this kind is asked for.
    pub fn contains(self, target: Target) -> bool {
        self.0 & 1 << target as u32 != 0
    }

    /// The kinds that are asked for, in their order.
    pub fn iter(self) -> impl Iterator<Item = Target> {
        Target::ALL.into_iter().filter(move |&target| self.contains(target))
    }

    /// Whether accesses to memory or releases of it are in question.
    pub fn about_accesses(self) -> bool {
        self.contains(Target::ValidDeref) || self.contains(Target::ValidFree)
    }

    /// Whether it is in question what becomes of allocated memory.
    pub fn about_leaks(self) -> bool {
        self.contains(Target::ValidMemtrack) || self.contains(Target::ValidMemcleanup)
    }

    /// Whether any property of memory is in question.
    pub fn about_memory(self) -> bool {
        self.about_accesses() || self.about_leaks()
    }
}

/// Why a property file was not understood.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PropertyError {
    /// There is no `CHECK(…)` or `COVER(…)` line.
    Empty,
    /// The formula is none of the known ones.
    Unknown(String),
    /// The lines ask for properties that do not belong together.
    Mixed(String),
}

impl std::fmt::Display for PropertyError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            PropertyError::Empty => write!(f, "no CHECK(…) line was found"),
            PropertyError::Unknown(formula) => write!(
                f,
                "the formula `{formula}` is not known; known are G ! call(f()), G ! label(L), G ! overflow, G valid-deref, G valid-free, \
                 G valid-memtrack, G valid-memcleanup, COVER EDGES(@DECISIONEDGE), COVER EDGES(@CALL(f))"
            ),
            PropertyError::Mixed(formula) => write!(f, "`{formula}` cannot be checked together with the formulas before it"),
        }
    }
}

impl std::error::Error for PropertyError {}

/// A property that has no argument: everything that is known of it by its name. Checks have a table of their own
/// ([`CHECKS`]), whose rows are properties, too.
struct Row {
    property: Property,
    name: &'static str,
    /// What property files say, a line each: `G ! overflow`.
    formulas: &'static [&'static str],
    /// The kinds of violations.
    targets: &'static [Target],
    /// What it is called among all that a run without a property checks; empty where such a run leaves it out.
    by_default: &'static str,
    /// The sanitizer of gcc that reports a violation; empty where none does.
    sanitizer: &'static str,
}

const fn row(property: Property, name: &'static str, formulas: &'static [&'static str], targets: &'static [Target]) -> Row {
    Row { property, name, formulas, targets, by_default: "", sanitizer: "address" }
}

impl Row {
    /// A run without a property checks it, under this word.
    const fn by_default(mut self, word: &'static str) -> Row {
        self.by_default = word;
        self
    }

    const fn sanitizer(mut self, name: &'static str) -> Row {
        self.sanitizer = name;
        self
    }
}

/// The table of properties. A new one is its row, and what `assay_passes::property` puts on the automaton for it.
static ROWS: &[Row] = &[
    row(Property::NoOverflow, "no-overflow", &["G ! overflow"], &[Target::NoOverflow])
        .by_default("overflow")
        .sanitizer("signed-integer-overflow,shift"),
    row(Property::NoDivisionByZero, "no-division-by-zero", &["G ! division-by-zero"], &[Target::DivisionByZero])
        .by_default("division")
        .sanitizer("integer-divide-by-zero"),
    row(Property::NoInvalidShift, "no-invalid-shift", &["G ! invalid-shift"], &[Target::InvalidShift])
        .by_default("shifts")
        .sanitizer("shift"),
    // clang's -fsanitize=memory looks for it, and valgrind.
    row(Property::NoUninitialisedRead, "no-uninitialised-read", &["G ! uninitialised-read"], &[Target::UninitialisedRead])
        .by_default("uninitialised reads")
        .sanitizer(""),
    row(
        Property::MemorySafety,
        "valid-memsafety",
        &["G valid-free", "G valid-deref", "G valid-memtrack"],
        &[Target::ValidDeref, Target::ValidFree, Target::ValidMemtrack],
    )
    .by_default("memory safety"),
    row(Property::ValidDeref, "valid-deref", &["G valid-deref"], &[Target::ValidDeref]),
    row(Property::ValidFree, "valid-free", &["G valid-free"], &[Target::ValidFree]),
    row(Property::ValidMemtrack, "valid-memtrack", &["G valid-memtrack"], &[Target::ValidMemtrack]),
    row(Property::MemoryCleanup, "valid-memcleanup", &["G valid-memcleanup"], &[Target::ValidMemcleanup]),
    row(Property::Termination, "termination", &["F end"], &[Target::Termination]),
    row(Property::NoDataRace, "no-data-race", &["G ! data-race"], &[Target::DataRace]),
    row(Property::CoverBranches, "coverage-branches", &[], &[]),
];

impl Property {
    fn row(&self) -> Option<&'static Row> {
        ROWS.iter().find(|row| row.property == *self)
    }

    /// The kinds of violations that it forbids.
    pub fn targets(&self) -> &[Target] {
        match self {
            Property::Never(target) => std::slice::from_ref(target),
            Property::UnreachCall { .. } | Property::CoverCall { .. } => &[Target::UnreachCall],
            Property::UnreachLabel { .. } => &[Target::UnreachLabel],
            other => other.row().map_or(&[], |row| row.targets),
        }
    }

    /// The words for the old parts of what a run checks that is asked for nothing in particular.
    pub fn default_words() -> impl Iterator<Item = &'static str> {
        // Memory comes first in every list.
        let memory = |row: &&Row| row.property == Property::MemorySafety;
        let rest = ROWS.iter().filter(move |row| !memory(row));
        ROWS.iter().filter(memory).chain(rest).map(|row| row.by_default).filter(|word| !word.is_empty())
    }

    /// All that a run checks in every program if it is asked for nothing in particular.
    pub fn defaults() -> impl Iterator<Item = Property> {
        let rows = Self::default_words().filter_map(|word| ROWS.iter().find(|row| row.by_default == word));
        let further = CHECKS.iter().filter(|check| check.by_default).map(|check| Property::Never(check.target));
        rows.map(|row| row.property.clone()).chain(further)
    }

    /// The sanitizer of gcc that reports a violation; empty where none does.
    pub fn sanitizer(&self) -> &'static str {
        match self {
            // That of clang alone has a word behind it.
            Property::Never(target) => Some(target.check().sanitizer).filter(|name| !name.contains(' ')).unwrap_or_default(),
            other => other.row().map_or("", |row| row.sanitizer),
        }
    }

    /// The property of a name, if it needs nothing else.
    pub fn named(name: &str) -> Option<Property> {
        let plain = ROWS.iter().find(|row| row.name == name).map(|row| row.property.clone());
        plain.or_else(|| Check::named(name).map(|check| Property::Never(check.target)))
    }

    /// The names that [`named`](Self::named) knows.
    pub fn names() -> impl Iterator<Item = &'static str> {
        ROWS.iter().map(|row| row.name).chain(CHECKS.iter().map(|check| check.name))
    }

    /// Reads an SV-COMP property file: one property for each line, but for the three of memory safety where they stand
    /// together.
    ///
    /// # Errors
    /// A line that is not understood, or that does not go with the others.
    pub fn parse(text: &str) -> Result<Vec<Property>, PropertyError> {
        let mut found: Vec<Property> = vec![];
        for line in text.lines().map(str::trim).filter(|l| !l.is_empty() && !l.starts_with("//") && !l.starts_with('#')) {
            let one = Self::parse_line(line)?;
            if !found.is_empty() && (found[0].is_cover() || one.is_cover()) && !found.contains(&one) {
                return Err(PropertyError::Mixed(line.to_string()));
            }
            if !found.contains(&one) {
                found.push(one);
            }
        }
        let parts = [Property::ValidDeref, Property::ValidFree, Property::ValidMemtrack];
        if parts.iter().all(|part| found.contains(part)) {
            found.retain(|property| !parts.contains(property));
            found.insert(0, Property::MemorySafety);
        }
        if found.is_empty() { Err(PropertyError::Empty) } else { Ok(found) }
    }

    /// Whether a test suite is asked for.
    fn is_cover(&self) -> bool {
        matches!(self, Property::CoverBranches | Property::CoverCall { .. })
    }

    /// The property as a property file writes it.
    pub fn specification(&self) -> String {
        let check = |formula: &str| format!("CHECK( init(main()), LTL({formula}) )");
        match self {
            Property::UnreachCall { function } => check(&format!("G ! call({function}())")),
            Property::UnreachLabel { label } => check(&format!("G ! label({label})")),
            Property::Never(target) => check(&format!("G {}", target.name())),
            Property::CoverBranches => "COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )".to_string(),
            Property::CoverCall { function } => format!("COVER( init(main()), FQL(COVER EDGES(@CALL({function}))) )"),
            other => other.row().map_or(vec![], |row| row.formulas.iter().map(|formula| check(formula)).collect()).join("\n"),
        }
    }

    fn parse_line(line: &str) -> Result<Property, PropertyError> {
        let compact: String = line.chars().filter(|c| !c.is_whitespace()).collect();
        let unknown = || PropertyError::Unknown(line.to_string());
        if compact.starts_with("COVER(") {
            if compact.contains("EDGES(@DECISIONEDGE)") {
                return Ok(Property::CoverBranches);
            }
            let call = compact.split("EDGES(@CALL(").nth(1).ok_or_else(unknown)?;
            let function = call.split([')', '(']).next().filter(|name| !name.is_empty()).ok_or_else(unknown)?;
            return Ok(Property::CoverCall { function: function.to_string() });
        }
        let start = compact.find("LTL(").ok_or_else(unknown)? + 4;
        let formula = compact[start..].trim_end_matches(')');
        if let Some(call) = formula.strip_prefix("G!call(") {
            let name = call.split('(').next().unwrap_or_default();
            return Ok(Property::UnreachCall { function: name.to_string() });
        }
        if let Some(label) = formula.strip_prefix("G!label(") {
            return Ok(Property::UnreachLabel { label: label.to_string() });
        }
        let is = |row: &&Row| matches!(row.formulas, [one] if one.chars().filter(|c| !c.is_whitespace()).eq(formula.chars()));
        let plain = ROWS.iter().find(is).map(|row| row.property.clone());
        let further = || formula.strip_prefix('G').and_then(Check::named).map(|check| Property::Never(check.target));
        plain.or_else(further).ok_or_else(unknown)
    }

    /// The name by which the property is known in SV-COMP.
    pub fn name(&self) -> &'static str {
        match self {
            Property::UnreachCall { .. } => "unreach-call",
            Property::UnreachLabel { .. } => "unreach-label",
            Property::CoverCall { .. } => "coverage-error-call",
            Property::Never(target) => target.name(),
            other => other.row().map_or("", |row| row.name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn property_files_are_read() {
        let call = |name: &str| Property::UnreachCall { function: name.to_string() };
        let cases = [
            ("CHECK( init(main()), LTL(G ! call(__VERIFIER_error())) )\n", Ok(call("__VERIFIER_error"))),
            ("CHECK( init(main()), LTL(G ! call(reach_error())) )", Ok(call("reach_error"))),
            ("CHECK( init(main()), LTL(G ! label(ERROR)) )", Ok(Property::UnreachLabel { label: "ERROR".into() })),
            ("CHECK( init(main()), LTL(G ! overflow) )", Ok(Property::NoOverflow)),
            (
                "CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )\n\nCHECK( init(main()), LTL(G valid-memtrack) )",
                Ok(Property::MemorySafety),
            ),
            ("CHECK( init(main()), LTL(G valid-deref) )", Ok(Property::ValidDeref)),
            ("CHECK( init(main()), LTL(G valid-memcleanup) )", Ok(Property::MemoryCleanup)),
            ("CHECK( init(main()), LTL(F end) )", Ok(Property::Termination)),
            ("COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )", Ok(Property::CoverBranches)),
            ("COVER( init(main()), FQL(COVER EDGES(@CALL(reach_error))) )", Ok(Property::CoverCall { function: "reach_error".into() })),
            (
                "COVER( init(main()), FQL(COVER EDGES(@BASICBLOCKENTRY)) )",
                Err(PropertyError::Unknown("COVER( init(main()), FQL(COVER EDGES(@BASICBLOCKENTRY)) )".into())),
            ),
            ("", Err(PropertyError::Empty)),
            ("CHECK( init(main()), LTL(G love) )", Err(PropertyError::Unknown("CHECK( init(main()), LTL(G love) )".into()))),
        ];
        for (text, expected) in cases {
            assert_eq!(Property::parse(text), expected.map(|one| vec![one]), "{text}");
        }
    }

    #[test]
    fn what_is_written_is_read() {
        let arguments = [
            Property::UnreachCall { function: "reach_error".into() },
            Property::UnreachLabel { label: "ERROR".into() },
            Property::CoverCall { function: "f".into() },
        ];
        for property in ROWS.iter().map(|row| row.property.clone()).chain(arguments) {
            assert_eq!(Property::parse(&property.specification()), Ok(vec![property.clone()]), "{property:?}");
        }
        let both = [Property::ValidFree.specification(), Property::ValidDeref.specification()].join("\n");
        assert_eq!(Property::parse(&both), Ok(vec![Property::ValidFree, Property::ValidDeref]));
        let mixed = [Property::CoverBranches.specification(), Property::NoOverflow.specification()].join("\n");
        assert!(matches!(Property::parse(&mixed), Err(PropertyError::Mixed(_))));
        // Every violation belongs to a property that a name can ask for, or to one with an argument.
        let named: Vec<Property> = Property::names().filter_map(Property::named).collect();
        let asked = |target: &Target| named.iter().any(|property| property.targets().contains(target));
        assert!(Target::ALL.iter().all(|target| asked(target) || matches!(target, Target::UnreachCall | Target::UnreachLabel)));
        assert_eq!(Property::default_words().next(), Some("memory safety"));
        assert!(Property::names().all(|name| Property::named(name).is_some_and(|property| property.name() == name)));
    }
}
