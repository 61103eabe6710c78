//! Which sliced prefix to refine with: scores of prefixes and their interpolants, and lists of scores that compare one
//! after the other.

use crate::cone::Reads;
use crate::facts::Scores;
use assay_base::IdVec;
use assay_base::hash::mix;
use assay_cfa::{Operation, Program, VarId};
use std::cmp::Ordering;

/// What a prefix is measured by.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Score {
    /// The number of its steps.
    Length,
    /// One plus the weights of the variables that its interpolants are about; infinite with a loop counter among them.
    Domain,
    /// How often these variables are assigned in the program.
    Assignments,
    /// How often these variables occur in assumptions of the program.
    Assumptions,
    /// The position of the first interpolant that is not *true*.
    Pivot,
    /// How many interpolants are not *true*.
    Width,
    /// A number from the seed.
    Random,
}

/// Which end of a score is better.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Direction {
    /// The smaller, the better.
    Least,
    /// The greater, the better.
    Most,
}

/// A score and which end of it is better.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Criterion {
    /// What is measured.
    pub score: Score,
    /// What is preferred.
    pub direction: Direction,
}

/// A list of criteria: later ones decide between prefixes that are equal by those before; the earliest prefix wins what
/// is left. The empty list takes the first prefix and looks for no other.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Preference {
    /// The first decides first.
    pub criteria: Vec<Criterion>,
}

/// The names that begin with these are followed by `-short` or `-long`, the second criterion.
const NAMED: &[(&str, &[(Score, Direction)])] = &[
    ("length", &[]),
    ("domain-good", &[(Score::Domain, Direction::Least)]),
    ("domain-good-narrow", &[(Score::Domain, Direction::Least), (Score::Width, Direction::Least)]),
    ("assignments-fewest", &[(Score::Assignments, Direction::Least)]),
    ("assignments-most", &[(Score::Assignments, Direction::Most)]),
    ("assumptions-fewest", &[(Score::Assumptions, Direction::Least)]),
    ("assumptions-most", &[(Score::Assumptions, Direction::Most)]),
    ("pivot-shallow", &[(Score::Pivot, Direction::Least)]),
    ("pivot-deep", &[(Score::Pivot, Direction::Most)]),
    ("width-narrow", &[(Score::Width, Direction::Least)]),
    ("width-wide", &[(Score::Width, Direction::Most)]),
];

impl Preference {
    /// The first prefix, without looking for others.
    pub fn none() -> Self {
        Preference::default()
    }

    /// In the order in which they decide.
    pub fn new(criteria: impl IntoIterator<Item = (Score, Direction)>) -> Self {
        Preference { criteria: criteria.into_iter().map(|(score, direction)| Criterion { score, direction }).collect() }
    }

    /// All names that [`parse`](Self::parse) knows, in the order of the documentation.
    pub fn names() -> Vec<String> {
        let mut names: Vec<String> = ["none", "random"].map(String::from).to_vec();
        for (name, _) in NAMED {
            names.push(format!("{name}-short"));
            names.push(format!("{name}-long"));
        }
        names
    }

    /// The preference of a name.
    pub fn parse(name: &str) -> Option<Preference> {
        match name {
            "none" => return Some(Preference::none()),
            "random" => return Some(Preference::new([(Score::Random, Direction::Least)])),
            _ => {}
        }
        let (first, length) = match name.strip_suffix("-short") {
            Some(first) => (first, Direction::Least),
            None => (name.strip_suffix("-long")?, Direction::Most),
        };
        let (_, criteria) = NAMED.iter().find(|(known, _)| *known == first)?;
        Some(Preference::new(criteria.iter().copied().chain([(Score::Length, length)])))
    }

    /// Whether one prefix is as good as the other candidates, so that only the first is looked for.
    pub fn is_none(&self) -> bool {
        self.criteria.is_empty()
    }

    /// Whether interpolants must be known to compare.
    pub fn needs_interpolants(&self) -> bool {
        self.criteria.iter().any(|criterion| !matches!(criterion.score, Score::Length | Score::Random))
    }

    /// `Less` if `a` is to be preferred.
    pub fn compare(&self, a: &Measures, b: &Measures) -> Ordering {
        for Criterion { score, direction } in &self.criteria {
            let order = a.get(*score).cmp(&b.get(*score));
            let order = if *direction == Direction::Least { order } else { order.reverse() };
            if order != Ordering::Equal {
                return order;
            }
        }
        Ordering::Equal
    }
}

/// The scores of one prefix.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Measures {
    /// See [`Score::Length`].
    pub length: u64,
    /// `u64::MAX` is infinite.
    pub domain: u64,
    /// See [`Score::Assignments`].
    pub assignments: u64,
    /// See [`Score::Assumptions`].
    pub assumptions: u64,
    /// See [`Score::Pivot`].
    pub pivot: u64,
    /// See [`Score::Width`].
    pub width: u64,
    /// See [`Score::Random`].
    pub random: u64,
}

impl Measures {
    /// The measure of a score.
    pub fn get(&self, score: Score) -> u64 {
        match score {
            Score::Length => self.length,
            Score::Domain => self.domain,
            Score::Assignments => self.assignments,
            Score::Assumptions => self.assumptions,
            Score::Pivot => self.pivot,
            Score::Width => self.width,
            Score::Random => self.random,
        }
    }

    /// What can be said without interpolants. `turn` is the number of the refinement, so that random choices differ
    /// from one to the next.
    pub fn of_prefix(length: usize, seed: u64, turn: u64, index: usize) -> Measures {
        let random = mix(seed ^ mix(turn.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ mix(index as u64 + 1)));
        Measures { length: length as u64, random, ..Measures::default() }
    }

    /// Adds what the variables of the interpolants say; `others` is the number of things without a variable.
    pub fn add_variables(&mut self, variables: &[VarId], others: u64, scores: &dyn Scores, occurrences: &Occurrences) {
        let weights = variables.iter().map(|&variable| scores.class(variable).weight());
        let sum: Option<u64> = weights.sum();
        self.domain = sum.map_or(u64::MAX, |sum| 1 + sum + 4 * others);
        self.assignments = variables.iter().map(|&variable| u64::from(occurrences.assignments[variable])).sum();
        self.assumptions = variables.iter().map(|&variable| u64::from(occurrences.assumptions[variable])).sum();
    }
}

/// How often each variable is assigned and occurs in assumptions of a program.
#[derive(Clone, Debug)]
pub struct Occurrences {
    /// Edges that assign it.
    pub assignments: IdVec<VarId, u32>,
    /// Assumptions in which it occurs.
    pub assumptions: IdVec<VarId, u32>,
}

impl Occurrences {
    /// Counts once over the program.
    pub fn of(program: &Program, reads: &mut Reads) -> Self {
        let zero = IdVec::filled(0, program.variables.len());
        let mut counts = Occurrences { assignments: zero.clone(), assumptions: zero };
        for edge in program.edges.iter() {
            match &edge.operation {
                Operation::Assume { condition } => {
                    reads.of(*condition).iter().for_each(|&variable| counts.assumptions[variable] += 1);
                }
                Operation::Call { callee, result, .. } => {
                    let parameters = &program.functions[*callee].parameters;
                    parameters.iter().chain(result).for_each(|&variable| counts.assignments[variable] += 1);
                }
                operation => {
                    if let Some(variable) = operation.written_register() {
                        counts.assignments[variable] += 1;
                    }
                }
            }
        }
        counts
    }
}
