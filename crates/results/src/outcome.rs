//! Verdicts and the evidence that goes with them.

use crate::Counterexample;
use assay_base::{Assumption, AssumptionClass, Ledger, Obstacle, ObstacleKind, Span, Stats, StopReason};
use assay_cfa::{LocationId, Program, Target};
use std::collections::BTreeMap;
use std::time::Duration;

/// The answer of a run. Its `Display` is what stands after `verdict: `.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Proved.
    True,
    /// Violated, and the violation was replayed.
    False(Target),
    /// Neither was shown.
    Unknown(UnknownReason),
}

/// Why there is no answer. A portfolio decides by this what to try next.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum UnknownReason {
    /// A limit, or someone from outside.
    Stopped(StopReason),
    /// A construct that is not modelled can matter; the text names it and its line.
    Unsupported(String),
    /// The property itself is not supported.
    Property(String),
    /// A target was found but could not be confirmed by the replay.
    Unconfirmed(String),
    /// A path to a target is infeasible, and the abstraction cannot see it.
    Imprecise(String),
    /// The analysis began to repeat itself: refinement brings nothing new.
    Stuck(String),
    /// The solver gave no answer where one was needed.
    Solver(String),
    /// Nothing was found within a bound of the analysis' own: rounds of loops, runs, places.
    Bound(String),
    /// The program has nothing that the analysis is made for, or something that it is not made for.
    NothingToDo(String),
    /// A bound or a skipped effect forbids the proof (a line of class `Under` in the ledger).
    Incomplete(String),
    /// A defect of the verifier.
    Internal(String),
    /// What the analyses of a portfolio said, by their names and in their order.
    Several(Vec<(String, UnknownReason)>),
}

/// Why an analysis came to its end, as far as a portfolio chooses by it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Ending {
    /// There is a verdict.
    Solved,
    /// Refinement repeats itself.
    Stuck,
    /// Its own time was over, or that of the run.
    OutOfTime,
    /// Its memory was used up.
    OutOfMemory,
    /// A construct is not modelled.
    Unsupported,
    /// The solver gave no answer.
    SolverGaveUp,
    /// A counterexample could not be confirmed.
    Unconfirmed,
    /// The abstraction is too coarse.
    Imprecise,
    /// Nothing was found within its bound.
    BoundReached,
    /// The program is not of its kind.
    NothingToDo,
    /// Something that the proof leaves out forbids it.
    Incomplete,
    /// A defect of the verifier.
    Failed,
    /// Somebody from outside stopped it.
    Interrupted,
}

impl Ending {
    /// All of them with the names that portfolios use, and what they mean in a few words.
    pub const ALL: &[(Ending, &str, &str)] = &[
        (Ending::Solved, "solved", "there is a verdict"),
        (Ending::Stuck, "stuck", "refinement repeats itself"),
        (Ending::OutOfTime, "time", "its time was over"),
        (Ending::OutOfMemory, "memory", "it needs more memory"),
        (Ending::Unsupported, "unsupported", "a construct is not modelled"),
        (Ending::SolverGaveUp, "solver", "the solver gave no answer"),
        (Ending::Unconfirmed, "unconfirmed", "a counterexample could not be confirmed"),
        (Ending::Imprecise, "imprecise", "the abstraction is too coarse"),
        (Ending::BoundReached, "bound", "nothing was found within its bound"),
        (Ending::NothingToDo, "nothing-to-do", "the program is not of its kind"),
        (Ending::Incomplete, "incomplete", "the proof leaves something out"),
        (Ending::Failed, "failed", "a defect of the verifier"),
        (Ending::Interrupted, "interrupted", "it was stopped from outside"),
    ];

    /// As portfolios write it.
    pub fn name(self) -> &'static str {
        Ending::ALL.iter().find(|(ending, ..)| *ending == self).map_or("", |(_, name, _)| name)
    }
    /// What it means, in a few words.
    pub fn meaning(self) -> &'static str {
        Ending::ALL.iter().find(|(ending, ..)| *ending == self).map_or("", |(.., meaning)| meaning)
    }
    /// From the name that portfolios use.
    pub fn named(name: &str) -> Option<Ending> {
        Ending::ALL.iter().find(|(_, known, _)| *known == name).map(|(ending, ..)| *ending)
    }
}

impl Verdict {
    /// Why the analysis came to its end.
    pub fn ending(&self) -> Ending {
        match self {
            Verdict::True | Verdict::False(_) => Ending::Solved,
            Verdict::Unknown(reason) => reason.ending(),
        }
    }
}

impl UnknownReason {
    /// What a portfolio sees of it.
    pub fn ending(&self) -> Ending {
        match self {
            UnknownReason::Stopped(StopReason::Time) => Ending::OutOfTime,
            UnknownReason::Stopped(StopReason::Memory) => Ending::OutOfMemory,
            UnknownReason::Stopped(StopReason::Interrupt | StopReason::Cancelled) => Ending::Interrupted,
            UnknownReason::Unsupported(_) => Ending::Unsupported,
            UnknownReason::Property(_) | UnknownReason::NothingToDo(_) => Ending::NothingToDo,
            UnknownReason::Unconfirmed(_) => Ending::Unconfirmed,
            UnknownReason::Imprecise(_) => Ending::Imprecise,
            UnknownReason::Stuck(_) => Ending::Stuck,
            UnknownReason::Solver(_) => Ending::SolverGaveUp,
            UnknownReason::Bound(_) => Ending::BoundReached,
            UnknownReason::Incomplete(_) => Ending::Incomplete,
            UnknownReason::Internal(_) => Ending::Failed,
            UnknownReason::Several(all) => {
                let endings = || all.iter().map(|(_, reason)| reason.ending());
                // With more time one of them may come further; otherwise the last word is the last analysis'.
                let out_of_time = endings().find(|ending| *ending == Ending::OutOfTime);
                out_of_time.or_else(|| endings().rfind(|ending| *ending != Ending::NothingToDo)).unwrap_or(Ending::NothingToDo)
            }
        }
    }

    /// What would help, in one sentence.
    pub fn advice(&self) -> &'static str {
        match self.ending() {
            Ending::OutOfTime => {
                "more time may help (--time-limit), a bounded answer may do (--unwind N), or another analysis (--config, see `assay configs`)"
            }
            Ending::OutOfMemory => "more memory may help (--memory-limit), or an analysis that needs less (--config value-cegar)",
            Ending::Unsupported => "the named construct is not modelled; without it on the way to the property there may be a verdict",
            Ending::SolverGaveUp => "more time for a query may help (--set solver-time=60 --set path-time=300)",
            Ending::Unconfirmed => {
                "give functions without a body one, or initialise what is read, so that a run is determined by its inputs"
            }
            Ending::Imprecise | Ending::Stuck | Ending::BoundReached => {
                "another analysis may see what these do not (--config, see `assay configs`)"
            }
            Ending::NothingToDo => "another analysis is made for such programs (--config auto)",
            Ending::Incomplete => "the note above names what was left out",
            Ending::Failed => "this is a defect of Assay; please report it with the input and the command line",
            Ending::Interrupted | Ending::Solved => "nothing was decided before the end",
        }
    }

    /// What stands for several obstacles: the gravest kind decides, and its texts are told.
    pub fn of_obstacles(obstacles: &[Obstacle]) -> UnknownReason {
        let Some(kind) = obstacles.iter().map(|obstacle| obstacle.kind).min() else {
            return UnknownReason::Imprecise("nothing is known of the targets".to_string());
        };
        let texts: Vec<&str> = obstacles.iter().filter(|o| o.kind == kind).map(|o| o.text.as_str()).collect();
        match kind {
            // One construct is enough to know what is missing.
            ObstacleKind::Unsupported => UnknownReason::Unsupported(texts[0].to_string()),
            ObstacleKind::Solver => UnknownReason::Solver(texts.join("; ")),
            ObstacleKind::Unconfirmed => UnknownReason::Unconfirmed(texts.join("; ")),
            ObstacleKind::Stuck => UnknownReason::Stuck(texts.join("; ")),
            ObstacleKind::Imprecise => UnknownReason::Imprecise(texts.join("; ")),
        }
    }
}

impl std::fmt::Display for Verdict {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Verdict::True => f.write_str("true"),
            Verdict::False(target) => write!(f, "false({})", target.name()),
            Verdict::Unknown(reason) => write!(f, "unknown({reason})"),
        }
    }
}

impl std::fmt::Display for UnknownReason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            UnknownReason::Stopped(reason) => write!(f, "{reason}"),
            UnknownReason::Unsupported(text) => write!(f, "unsupported: {text}"),
            UnknownReason::Property(text)
            | UnknownReason::Imprecise(text)
            | UnknownReason::Stuck(text)
            | UnknownReason::Solver(text)
            | UnknownReason::Bound(text)
            | UnknownReason::NothingToDo(text) => f.write_str(text),
            UnknownReason::Unconfirmed(text) => write!(f, "unconfirmed violation: {text}"),
            UnknownReason::Incomplete(text) => write!(f, "incomplete: {text}"),
            UnknownReason::Internal(text) => write!(f, "internal error: {text}"),
            UnknownReason::Several(all) => {
                // How many ended how; who said what in which words is in the story.
                let mut counts: BTreeMap<Ending, usize> = BTreeMap::new();
                all.iter().for_each(|(_, reason)| *counts.entry(reason.ending()).or_default() += 1);
                counts.remove(&Ending::NothingToDo);
                let texts: Vec<String> = counts.iter().map(|(ending, count)| format!("{count}x {}", ending.meaning())).collect();
                write!(f, "no analysis decides it: {}", texts.join(", "))
            }
        }
    }
}

/// What an analysis returns.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The answer.
    pub verdict: Verdict,
    /// What can be shown for it.
    pub evidence: Evidence,
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
            parts.push(format!("most of the work was in the loop at {place} ({})", counted(states, "state", "states")));
        }
        (!parts.is_empty()).then(|| parts.join("; "))
    }
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
    /// Why it ended.
    pub ending: Ending,
    /// Its verdict, with the reason where there is none.
    pub text: String,
    /// What it used.
    pub cpu: Duration,
    /// Abstract states.
    pub states: u64,
    /// Paths that were refuted.
    pub refinements: u64,
}

/// What can be shown for a verdict.
#[derive(Clone, Debug, Default)]
pub enum Evidence {
    /// Nothing.
    #[default]
    None,
    /// An execution that was replayed.
    Violation(Counterexample),
    /// What holds at some locations; it may be empty.
    Proof(Vec<Invariant>),
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
    /// No answer, for this reason.
    pub fn unknown(reason: UnknownReason) -> Outcome {
        Outcome {
            verdict: Verdict::Unknown(reason),
            evidence: Evidence::None,
            assumptions: vec![],
            statistics: Stats::default(),
            notes: vec![],
            story: vec![],
            how_far: HowFar::default(),
        }
    }
    /// No answer, because the token was stopped.
    pub fn stopped(reason: StopReason) -> Outcome {
        Outcome::unknown(UnknownReason::Stopped(reason))
    }
    /// A counterexample that was replayed.
    pub fn violation(counterexample: Counterexample) -> Outcome {
        Outcome {
            verdict: Verdict::False(counterexample.target),
            evidence: Evidence::Violation(counterexample),
            assumptions: vec![],
            statistics: Stats::default(),
            notes: vec![],
            story: vec![],
            how_far: HowFar::default(),
        }
    }
    /// Proved; the invariants are for the witness.
    pub fn proof(invariants: Vec<Invariant>) -> Outcome {
        Outcome {
            verdict: Verdict::True,
            evidence: Evidence::Proof(invariants),
            assumptions: vec![],
            statistics: Stats::default(),
            notes: vec![],
            story: vec![],
            how_far: HowFar::default(),
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
        if self.verdict == Verdict::True
            && let Some(line) = self.assumptions.iter().find(|line| line.class == AssumptionClass::Under)
        {
            self.verdict = Verdict::Unknown(UnknownReason::Incomplete(line.text.clone()));
            self.evidence = Evidence::None;
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_are_printed_as_the_contract_wants() {
        let cases = [
            (Verdict::True, "true"),
            (Verdict::False(Target::UnreachCall), "false(unreach-call)"),
            (Verdict::Unknown(UnknownReason::Stopped(StopReason::Time)), "unknown(time limit)"),
            (Verdict::Unknown(UnknownReason::Internal("oops".into())), "unknown(internal error: oops)"),
        ];
        for (verdict, text) in cases {
            assert_eq!(verdict.to_string(), text);
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
        assert_eq!(Outcome::proof(vec![]).sealed(&ledger, &[]).verdict, Verdict::True);
        ledger.note(AssumptionClass::Under, Span::NONE, "recursion was cut at depth 5");
        let sealed = Outcome::proof(vec![]).sealed(&ledger, &[]);
        assert_eq!(sealed.verdict, Verdict::Unknown(UnknownReason::Incomplete("recursion was cut at depth 5".into())));
        assert_eq!(sealed.assumptions.len(), 2);
        let violation = Counterexample::new(vec![], vec![], Target::UnreachCall, String::new());
        assert_eq!(Outcome::violation(violation).sealed(&ledger, &[]).verdict, Verdict::False(Target::UnreachCall));
    }
}
