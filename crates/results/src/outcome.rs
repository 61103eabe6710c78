//! Verdicts and the evidence that goes with them.

use crate::Counterexample;
use assay_base::{Assumption, AssumptionClass, Ledger, Obstacle, ObstacleKind, Span, Stats, StopReason};
use assay_cfa::{LocationId, Program};
use std::time::Duration;

/// The answer of a run, with what can be shown for it.
pub type Verdict = assay_base::Verdict<Proof, Violations>;

/// What is known of a proof.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Proof {
    /// What holds at some locations; it may be empty.
    pub invariants: Vec<Invariant>,
}

/// The violations of a run, each of which was replayed. Its `Display` names the property.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Violations {
    /// The one that was found first.
    pub first: Box<Counterexample>,
}

impl std::fmt::Display for Violations {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.first.target.name())
    }
}

/// What an analysis returns.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The answer.
    pub verdict: Verdict,
    /// The lines of the run's ledger, the front end's included.
    pub assumptions: Vec<Assumption>,
    /// Counters and times, for `--stats`.
    pub statistics: Stats,
    /// What else the user should know: nothing in it bears on the verdict.
    pub notes: Vec<String>,
    /// What the analyses of a portfolio did, in the order in which they ended; empty for a single analysis.
    pub story: Vec<Chapter>,
    /// What was seen before an analysis gave up.
    pub how_far: HowFar,
}

/// How far analyses came that have no verdict.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct HowFar {
    /// Within so many rounds of each loop there is no violation.
    pub rounds: u32,
    /// So many paths were followed to their end.
    pub paths: u64,
    /// The loop with most of the states, and how many are at its head.
    pub busiest: Option<(Span, u64)>,
}

impl HowFar {
    /// Takes over what another analysis has seen further.
    pub fn merge(&mut self, other: &HowFar) {
        self.rounds = self.rounds.max(other.rounds);
        self.paths = self.paths.max(other.paths);
        if other.busiest.map_or(0, |(_, states)| states) > self.busiest.map_or(0, |(_, states)| states) {
            self.busiest = other.busiest;
        }
    }

    /// In one sentence; `None` where there is nothing to say.
    pub fn describe(&self, program: &Program) -> Option<String> {
        let mut seen = Vec::new();
        if self.rounds > 0 {
            seen.push(format!("within {} of each loop", counted(self.rounds.into(), "round", "rounds")));
        }
        if self.paths > 0 {
            seen.push(format!("on {}", counted(self.paths, "complete path", "complete paths")));
        }
        let mut parts = Vec::new();
        if !seen.is_empty() {
            parts.push(format!("no violation {}", seen.join(" and ")));
        }
        if let Some((span, states)) = self.busiest.filter(|(span, _)| span.is_known()) {
            let place = program.sources.describe(span);
            parts.push(format!(
                "most of the work was {} {place} ({})",
                if is_loop(program, span) { "in the loop at" } else { "at" },
                counted(states, "state", "states")
            ));
        }
        (!parts.is_empty()).then(|| parts.join("; "))
    }
}

/// Whether a loop's keyword stands at a place: what a library function repeats is where it is called.
fn is_loop(program: &Program, span: Span) -> bool {
    let line = program.sources.files.get(span.file).and_then(|file| file.text.lines().nth((span.line as usize).checked_sub(1)?));
    let rest = line.and_then(|line| line.get((span.column as usize).saturating_sub(1)..)).unwrap_or_default();
    ["while", "for", "do", "goto"].iter().any(|word| rest.starts_with(word))
}

/// A number with its noun, thousands apart.
fn counted(number: u64, one: &str, many: &str) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    format!("{text} {}", if number == 1 { one } else { many })
}

/// One analysis of a portfolio.
#[derive(Clone, PartialEq, Debug)]
pub struct Chapter {
    /// Its name in the portfolio.
    pub node: String,
    /// The preset behind it.
    pub analysis: String,
    /// What it was chosen for.
    pub why: String,
    /// Why it ended without a verdict; `None` where it has one.
    pub obstacle: Option<Obstacle>,
    /// Its verdict, with the reason where there is none.
    pub text: String,
    /// What it used.
    pub cpu: Duration,
    /// Abstract states.
    pub states: u64,
    /// Paths that were refuted.
    pub refinements: u64,
}

impl Chapter {
    /// Why it ended, in a word.
    pub fn ending(&self) -> &'static str {
        self.obstacle.as_ref().map_or("solved", |obstacle| obstacle.kind.name())
    }
}

/// A fact that holds whenever control is at a location.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Invariant {
    /// What kind of place it is at.
    pub kind: InvariantKind,
    /// Where it holds.
    pub location: LocationId,
    /// A C expression over the variables in scope, without side effects.
    pub expression: String,
    /// For a loop the place of its keyword, otherwise the statement before which it holds.
    pub span: Span,
    /// Whether the fact was weakened because C cannot express all that was proved.
    pub weakened: bool,
}

/// Where an invariant holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InvariantKind {
    /// At the head of a loop.
    Loop,
    /// Before a statement.
    Location,
}

impl Outcome {
    /// An answer, and nothing else to tell.
    pub fn new(verdict: Verdict) -> Outcome {
        Outcome { verdict, assumptions: vec![], statistics: Stats::default(), notes: vec![], story: vec![], how_far: HowFar::default() }
    }
    /// No answer, because of this.
    pub fn unknown(obstacle: Obstacle) -> Outcome {
        Outcome::new(Verdict::Unknown(obstacle))
    }
    /// No answer, because the token was stopped.
    pub fn stopped(reason: StopReason) -> Outcome {
        Outcome::unknown(Obstacle::stopped(reason))
    }
    /// A counterexample that was replayed.
    pub fn violation(counterexample: Counterexample) -> Outcome {
        Outcome::new(Verdict::False(Violations { first: Box::new(counterexample) }))
    }
    /// Proved; the invariants are for the witness.
    pub fn proof(invariants: Vec<Invariant>) -> Outcome {
        Outcome::new(Verdict::True(Proof { invariants }))
    }
    /// The violation that was found first, if there is one.
    pub fn counterexample(&self) -> Option<&Counterexample> {
        match &self.verdict {
            Verdict::False(violations) => Some(&violations.first),
            Verdict::True(_) | Verdict::Unknown(_) => None,
        }
    }

    /// Takes over lines of a ledger, each once, in their order.
    pub fn assume(&mut self, lines: impl IntoIterator<Item = Assumption>) {
        self.assumptions.extend(lines);
        self.assumptions.sort();
        self.assumptions.dedup();
    }

    /// Takes over the ledger and gives up a proof that one of its lines forbids. Every run ends with this.
    #[must_use]
    pub fn sealed(mut self, ledger: &Ledger, front_end: &[Assumption]) -> Outcome {
        self.assume(ledger.lines().into_iter().chain(front_end.iter().cloned()));
        if self.verdict.is_true()
            && let Some(line) = self.assumptions.iter().find(|line| line.class == AssumptionClass::Under)
        {
            self.verdict = Verdict::Unknown(Obstacle::new(ObstacleKind::Incomplete, format!("incomplete: {}", line.fact)));
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use assay_cfa::Target;

    #[test]
    fn verdicts_are_printed_as_the_contract_wants() {
        let violation = Counterexample::new(vec![], vec![], Target::UnreachCall, String::new());
        let cases = [
            (Outcome::proof(vec![]), "true", "solved"),
            (Outcome::violation(violation), "false(unreach-call)", "solved"),
            (Outcome::stopped(StopReason::Time), "unknown(time limit)", "time"),
            (Outcome::unknown(Obstacle::failed("oops")), "unknown(internal error: oops)", "failed"),
            (
                Outcome::unknown(Obstacle::of_targets(vec![Obstacle::stuck("b"), Obstacle::unsupported("a")])),
                "unknown(unsupported: a)",
                "unsupported",
            ),
        ];
        for (outcome, text, ending) in cases {
            assert_eq!((outcome.verdict.to_string().as_str(), outcome.verdict.ending()), (text, ending));
        }
    }

    #[test]
    fn how_far_analyses_came_is_one_sentence() {
        let program = assay_cfa::text::read("program LP64 main\nfunction main entry L0 exit L1\nL0 -> L1 skip\nend").unwrap();
        let said = |how_far: &HowFar| how_far.describe(&program).unwrap_or_default();
        let mut bounded = HowFar { rounds: 37, ..HowFar::default() };
        assert_eq!(said(&bounded), "no violation within 37 rounds of each loop");
        bounded.merge(&HowFar { rounds: 1, paths: 1204, busiest: None });
        assert_eq!(said(&bounded), "no violation within 37 rounds of each loop and on 1,204 complete paths");
        assert_eq!(said(&HowFar { paths: 1, ..HowFar::default() }), "no violation on 1 complete path");
        assert_eq!(HowFar::default().describe(&program), None);
    }

    #[test]
    fn an_under_approximation_takes_back_a_proof_but_not_a_violation() {
        let ledger = Ledger::new();
        ledger.note(AssumptionClass::Rules, Span::NONE, "malloc never fails");
        assert!(Outcome::proof(vec![]).sealed(&ledger, &[]).verdict.is_true());
        ledger.note(AssumptionClass::Under, Span::NONE, "recursion was cut at depth 5");
        let sealed = Outcome::proof(vec![]).sealed(&ledger, &[]);
        assert_eq!(sealed.verdict.kind(), Some(ObstacleKind::Incomplete));
        assert_eq!(sealed.verdict.to_string(), "unknown(incomplete: recursion was cut at depth 5)");
        assert_eq!(sealed.assumptions.len(), 2);
        let violation = Counterexample::new(vec![], vec![], Target::UnreachCall, String::new());
        assert!(Outcome::violation(violation).sealed(&ledger, &[]).counterexample().is_some());
    }
}
