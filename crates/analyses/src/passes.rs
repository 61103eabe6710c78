//! What a configuration does to the program before it is looked at, and the way back: a verdict on the changed program
//! told of the one that the user has.

use crate::values::words;
use assay_base::{Obstacle, ObstacleKind};
use assay_cfa::Program;
use assay_passes::{Keeps, Pass};
use assay_results::{Outcome, RunContext, Verdict, Violations, replay};

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

/// What the outcome on the changed program says about the program as it was, by what the passes keep.
pub(crate) fn back(program: &Program, keeps: Keeps, mut outcome: Outcome, context: &RunContext<'_>) -> Outcome {
    let unproved = |outcome: &mut Outcome, obstacle: Obstacle| {
        let statistics = std::mem::take(&mut outcome.statistics);
        *outcome = Outcome { statistics, ..Outcome::unknown(obstacle) };
    };
    match &mut outcome.verdict {
        // Invariants speak of places that have other numbers, or of registers that the program does not have.
        Verdict::True(proof) if keeps != Keeps::Places => proof.invariants.clear(),
        Verdict::True(_) | Verdict::Unknown(_) => {}
        Verdict::False(_) if keeps == Keeps::Proofs => {
            unproved(&mut outcome, Obstacle::imprecise("the program after passes for proofs does not prove it"))
        }
        // An execution that never ends is found in the program as it is.
        Verdict::False(Violations { first: found }) if found.lasso.is_some() => {
            unproved(&mut outcome, Obstacle::new(ObstacleKind::Changed, "an execution that never ends is none without the passes"))
        }
        Verdict::False(Violations { first: found }) => {
            let steps = found.path.len() as u64 * REPLAY_FACTOR + 100_000;
            match replay(program, &found.inputs, steps, context.cancel) {
                Ok(again) if again.target == found.target => **found = again,
                _ => unproved(&mut outcome, Obstacle::new(ObstacleKind::Changed, "a violation is none without the passes")),
            }
        }
    }
    outcome
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
