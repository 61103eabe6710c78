//! Transformations of programs, each a [`Pass`] that says what it keeps ([`Keeps`]): every verdict, or proofs alone.
//!
//! Variables, functions and value sources keep their ids (and so their symbols) in every pass that keeps verdicts;
//! locations and edges may be renumbered. Passes for proofs move the symbols of functions to make room for new
//! variables.

pub mod cells;
pub mod constants;
mod initialised;
pub mod large_block;
pub mod latches;
pub mod property;
mod rebuild;
pub mod recursion;
pub mod skip;
mod strip;
pub mod unreachable;

use assay_cfa::program::Program;
use assay_cfa::structure::Structure;

/// The passes over the automaton.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Pass {
    /// Drops what no path from the entry reaches.
    Unreachable,
    /// Puts constants in the place of registers that hold them on every path.
    Constants,
    /// Joins locations that only a skip parts.
    Skip,
    /// Merges conditions, and puts values that are used once in place.
    LargeBlock,
    /// Paths to a loop head meet before it.
    Meet,
    /// Paths to a place that every path comes by meet before it, too.
    MeetEverywhere,
    /// Makes a path past each call of a recursive function.
    Recursion,
    /// Watches so many cells of each array whose uses are understood.
    Cells(u32),
}

/// What is true of a program where it is true of the one that a pass made of it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Keeps {
    /// That it is safe. A violation says nothing, and the pass has nothing to do where it changes nothing.
    Proofs,
    /// Every verdict; locations and edges have other numbers.
    Verdicts,
    /// Every verdict, and what holds at its locations: places are only added.
    Places,
}

/// What a pass made of a program.
#[derive(Clone, Debug)]
pub struct Changed {
    /// The new program.
    pub program: Program,
    /// Which registers stand for cells of arrays.
    pub arrays: Vec<cells::WatchedArray>,
    /// Which paths lead past calls.
    pub calls: Option<recursion::CutCalls>,
}

impl Changed {
    fn program(program: Program) -> Changed {
        Changed { program, arrays: vec![], calls: None }
    }
}

impl Pass {
    /// Every pass that the key `passes` takes, once. None of them changes whether a target is reached.
    pub const ALL: [Pass; 4] = [Pass::Unreachable, Pass::Constants, Pass::Skip, Pass::LargeBlock];

    /// As in options, or the option that asks for it.
    pub const fn name(self) -> &'static str {
        match self {
            Pass::Unreachable => "unreachable",
            Pass::Constants => "constants",
            Pass::Skip => "skip",
            Pass::LargeBlock => "large-block",
            Pass::Meet => "meet",
            Pass::MeetEverywhere => "meet-everywhere",
            Pass::Recursion => "cut-recursion",
            Pass::Cells(_) => "watch-cells",
        }
    }

    /// What its result says of the program before it.
    pub const fn keeps(self) -> Keeps {
        match self {
            Pass::Unreachable | Pass::Constants | Pass::Skip | Pass::LargeBlock => Keeps::Verdicts,
            Pass::Meet | Pass::MeetEverywhere => Keeps::Places,
            Pass::Recursion | Pass::Cells(_) => Keeps::Proofs,
        }
    }

    /// Why it has nothing to do where it changes nothing.
    pub const fn nothing_to_do(self) -> &'static str {
        match self {
            Pass::Recursion => "there is no recursion to be cut",
            Pass::Cells(_) => "no array has only uses that are understood",
            _ => "the program is as the pass would make it",
        }
    }

    /// The new program; `None` where it is as it was.
    pub fn apply(self, structure: &Structure<'_>) -> Option<Changed> {
        let program = || structure.program.clone();
        Some(match self {
            Pass::Unreachable => Changed::program(unreachable::remove_unreachable(program())),
            Pass::Constants => Changed::program(constants::propagate_constants(program())),
            Pass::Skip => Changed::program(skip::collapse_skips(program())),
            Pass::LargeBlock => Changed::program(large_block::merge_edges(program())),
            Pass::Meet => Changed::program(latches::add(structure, false)?),
            Pass::MeetEverywhere => Changed::program(latches::add(structure, true)?),
            Pass::Recursion => {
                let cut = recursion::cut(structure)?;
                Changed { program: cut.program, arrays: vec![], calls: Some(cut.calls) }
            }
            // Watched cells are no memory: what they point to would be lost, or kept.
            Pass::Cells(_) if structure.program.questions.about_leaks() => return None,
            Pass::Cells(count) => {
                let watched = cells::watch(structure, count as usize)?;
                Changed { program: watched.program, arrays: watched.arrays, calls: None }
            }
        })
    }
}

impl std::fmt::Display for Pass {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Pass::Cells(count) => write!(f, "{} {count}", self.name()),
            _ => f.write_str(self.name()),
        }
    }
}

/// Reads the program, runs the pass, and compares what it prints without its header lines.
#[cfg(test)]
pub(crate) fn check(text: &str, pass: impl FnOnce(Program) -> Program, expected: &str) {
    let program = assay_cfa::text::read(text).expect("the fixture is readable");
    let errors = assay_cfa::verifier::verify(&program);
    assert!(errors.is_empty(), "the fixture is damaged: {errors:?}");
    let program = pass(program);
    let printed = assay_cfa::text::print(&program);
    let errors = assay_cfa::verifier::verify(&program);
    assert!(errors.is_empty(), "{errors:?}\n{printed}");
    let lines = |text: &str| -> Vec<String> {
        let kept = text.lines().map(str::trim).filter(|l| !l.is_empty());
        kept.filter(|l| !["program", "questions", "local", "global", "source"].iter().any(|k| l.split(' ').next() == Some(k)))
            .map(String::from)
            .collect()
    };
    assert_eq!(lines(&printed), lines(expected), "printed:\n{printed}");
}

#[cfg(test)]
mod tests;
