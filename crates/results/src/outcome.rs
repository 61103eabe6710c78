//! Verdicts and the evidence that goes with them.

use crate::Counterexample;
use assay_base::{Assumption, AssumptionClass, Ledger, Span, Stats, StopReason};
use assay_cfa::{LocationId, Target};

/// The answer of a run. Its `Display` is what stands after `verdict: `.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Proved.
    True,
    /// Violated, and the violation was replayed.
    False(Target),
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
    /// The analysis came to its own end: it cannot refine further, a bound was reached.
    GaveUp(String),
    /// A bound or a skipped effect forbids the proof (a line of class `Under` in the ledger).
    Incomplete(String),
    /// A defect of the verifier.
    Internal(String),
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
            UnknownReason::Property(text) | UnknownReason::GaveUp(text) => f.write_str(text),
            UnknownReason::Unconfirmed(text) => write!(f, "unconfirmed violation: {text}"),
            UnknownReason::Incomplete(text) => write!(f, "incomplete: {text}"),
            UnknownReason::Internal(text) => write!(f, "internal error: {text}"),
        }
    }
}

/// What an analysis returns.
#[derive(Clone, Debug)]
pub struct Outcome {
    pub verdict: Verdict,
    pub evidence: Evidence,
    /// The lines of the run's ledger, the front end's included.
    pub assumptions: Vec<Assumption>,
    pub statistics: Stats,
    /// What else the user should know: nothing in it bears on the verdict.
    pub notes: Vec<String>,
}

/// What can be shown for a verdict.
#[derive(Clone, Debug, Default)]
pub enum Evidence {
    #[default]
    None,
    Violation(Counterexample),
    Proof(Vec<Invariant>),
}

/// A fact that holds whenever control is at a location.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Invariant {
    pub kind: InvariantKind,
    pub location: LocationId,
    /// A C expression over the variables in scope, without side effects.
    pub expression: String,
    /// For a loop the place of its keyword, otherwise the statement before which it holds.
    pub span: Span,
    /// Whether the fact was weakened because C cannot express all that was proved.
    pub weakened: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InvariantKind {
    Loop,
    Location,
}

impl Outcome {
    pub fn unknown(reason: UnknownReason) -> Outcome {
        Outcome {
            verdict: Verdict::Unknown(reason),
            evidence: Evidence::None,
            assumptions: vec![],
            statistics: Stats::default(),
            notes: vec![],
        }
    }
    pub fn stopped(reason: StopReason) -> Outcome {
        Outcome::unknown(UnknownReason::Stopped(reason))
    }
    pub fn violation(counterexample: Counterexample) -> Outcome {
        Outcome {
            verdict: Verdict::False(counterexample.target),
            evidence: Evidence::Violation(counterexample),
            assumptions: vec![],
            statistics: Stats::default(),
            notes: vec![],
        }
    }
    pub fn proof(invariants: Vec<Invariant>) -> Outcome {
        Outcome {
            verdict: Verdict::True,
            evidence: Evidence::Proof(invariants),
            assumptions: vec![],
            statistics: Stats::default(),
            notes: vec![],
        }
    }

    /// Takes over the ledger and gives up a proof that one of its lines forbids. Every run ends with this.
    #[must_use]
    pub fn sealed(mut self, ledger: &Ledger, front_end: &[Assumption]) -> Outcome {
        self.assumptions.extend(ledger.lines());
        self.assumptions.extend(front_end.iter().cloned());
        self.assumptions.sort();
        self.assumptions.dedup();
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
    fn an_under_approximation_takes_back_a_proof_but_not_a_violation() {
        let ledger = Ledger::new();
        ledger.note(AssumptionClass::Rules, Span::NONE, "malloc never fails");
        assert_eq!(Outcome::proof(vec![]).sealed(&ledger, &[]).verdict, Verdict::True);
        ledger.note(AssumptionClass::Under, Span::NONE, "recursion was cut at depth 5");
        let sealed = Outcome::proof(vec![]).sealed(&ledger, &[]);
        assert_eq!(sealed.verdict, Verdict::Unknown(UnknownReason::Incomplete("recursion was cut at depth 5".into())));
        assert_eq!(sealed.assumptions.len(), 2);
        let violation = Counterexample { path: vec![], inputs: vec![], target: Target::UnreachCall };
        assert_eq!(Outcome::violation(violation).sealed(&ledger, &[]).verdict, Verdict::False(Target::UnreachCall));
    }
}
