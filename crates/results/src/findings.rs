//! What one analysis found and others may try: assertions at places of the program, as text, with who found them.
//!
//! A finding is a suggestion and never a fact: whoever uses one proves it first, or uses it where nothing depends on
//! whether it holds.

use assay_cfa::LocationId;
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// More of one place are not kept.
const MOST_AT_A_PLACE: usize = 32;
/// Longer ones are nothing that an induction would prove.
const LONGEST: usize = 2_000;

/// An assertion that somebody found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// The analysis that found it.
    pub by: String,
    /// A truth value over registers of the program, in the text form of terms.
    pub assertion: String,
}

/// The findings of a run, by place. All analyses of a portfolio share one.
#[derive(Default, Debug)]
pub struct Findings {
    places: Mutex<BTreeMap<LocationId, Vec<Finding>>>,
}

impl Findings {
    /// Adds what was found about a place, if it is new.
    pub fn offer(&self, at: LocationId, by: &str, assertion: String) {
        let mut places = self.places.lock().unwrap_or_else(PoisonError::into_inner);
        let list = places.entry(at).or_default();
        if assertion.len() <= LONGEST && list.len() < MOST_AT_A_PLACE && list.iter().all(|known| known.assertion != assertion) {
            list.push(Finding { by: by.to_string(), assertion });
        }
    }

    /// All that was found so far, by place, in the order in which it was found.
    pub fn all(&self) -> Vec<(LocationId, Finding)> {
        let places = self.places.lock().unwrap_or_else(PoisonError::into_inner);
        places.iter().flat_map(|(&at, list)| list.iter().map(move |finding| (at, finding.clone()))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_is_kept_once() {
        let findings = Findings::default();
        for (at, text) in [(2, "a"), (1, "b"), (2, "a"), (2, "c")] {
            findings.offer(LocationId(at), "somebody", text.to_string());
        }
        findings.offer(LocationId(1), "somebody", "x".repeat(LONGEST + 1));
        let all: Vec<(u32, String)> = findings.all().into_iter().map(|(at, finding)| (at.0, finding.assertion)).collect();
        assert_eq!(all, [(1, "b".to_string()), (2, "a".to_string()), (2, "c".to_string())]);
    }
}
