//! What a configuration does to the program before it is looked at, and the way back: a verdict on the changed program
//! told of the one that the user has.

use crate::values::words;
use assay_cfa::Program;
use assay_passes::Pass;
use assay_results::{Counterexample, Outcome, RunContext, Verdict, Violations, replay};

/// Reads the names of passes; `None` where one is unknown.
pub(crate) fn parse(text: &str) -> Option<Vec<Pass>> {
    words(text).map(|name| Pass::ALL.into_iter().find(|pass| pass.name() == name)).collect()
}

/// What [`parse`] takes, in words.
pub(crate) fn describe() -> String {
    let names: Vec<&str> = Pass::ALL.iter().map(|pass| pass.name()).collect();
    format!("nothing, or a list of {}", names.join(", "))
}

/// Steps of a replay of the whole program, per step of the changed one.
const REPLAY_FACTOR: u64 = 100;

/// What the outcome on the changed program says about the program as it was. `None` for a violation that the inputs do
/// not lead to there.
pub(crate) fn back(program: &Program, mut outcome: Outcome, context: &RunContext<'_>) -> Option<Outcome> {
    if let Verdict::True(proof) = &mut outcome.verdict {
        // Invariants are at places that have other numbers now.
        proof.invariants.clear();
    }
    violation_back(program, outcome, context)
}

/// As [`back`], where places have the numbers that they had: only a violation must be told anew.
pub(crate) fn violation_back(program: &Program, mut outcome: Outcome, context: &RunContext<'_>) -> Option<Outcome> {
    if let Verdict::False(Violations { first: found }) = &mut outcome.verdict {
        let steps = found.path.len() as u64 * REPLAY_FACTOR + 100_000;
        let again: Counterexample = replay(program, &found.inputs, steps, context.cancel).ok()?;
        if again.target != found.target {
            return None;
        }
        **found = again;
    }
    Some(outcome)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_read() {
        assert_eq!(parse(""), Some(vec![]));
        assert_eq!(parse("[\"constants\", \"skip\"]"), Some(vec![Pass::Constants, Pass::Skip]));
        assert_eq!(parse("constants+skip"), Some(vec![Pass::Constants, Pass::Skip]));
        assert_eq!(parse("constant"), None);
        assert!(Pass::ALL.into_iter().all(|pass| parse(pass.name()) == Some(vec![pass])));
    }
}
