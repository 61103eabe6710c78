//! Which inductions are tried, and when: those that need more time than there is wait for a later bound.

use std::time::Duration;

/// Inductions over more rounds are not tried: what they would find, larger bounds find as well.
const MAX_ROUNDS: u32 = 8;
/// Inductions with bounds of variables and relations with a loop's entry are tried from this bound on. They cost
/// several times as much as those without, and many loops are left for good by then.
const STRONGER_FROM: u32 = 4;
/// What inductions may take in any case; beyond it, [`INDUCTION_SHARE`] times as long as unrolling from the start.
/// Where loops end after a few rounds, unrolling is the proof, and an induction over the same rounds may cost a hundred
/// times as much.
const INDUCTION_TIME: Duration = Duration::from_secs(4);
const INDUCTION_SHARE: u32 = 3;
/// As long as unrolling has taken no more than this, larger bounds cost next to nothing and come first: inductions over
/// more than one round have only this time and their share.
const CHEAP: Duration = Duration::from_millis(100);
/// No induction is begun with less time than this.
const SHORTEST_INDUCTION: Duration = Duration::from_millis(20);

/// An induction that is tried when there is time for it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Attempt {
    pub rounds: u32,
    /// With bounds of variables and relations with the loop's entry.
    pub relations: bool,
    /// The time that was not enough for it.
    had: Duration,
}

/// All inductions of a run that were not tried yet, or were put off.
#[derive(Default)]
pub(super) struct Attempts {
    waiting: Vec<Attempt>,
    /// Whether those with relations have begun.
    stronger: bool,
    /// The time that unrolling took so far, and what inductions took.
    unrolled: Duration,
    induced: Duration,
}

impl Attempts {
    /// The program was unrolled to a bound in this time; `true` if inductions with relations come with it.
    pub(super) fn unrolled(&mut self, bound: u32, max_bound: u32, time: Duration) -> bool {
        self.unrolled += time;
        if bound > MAX_ROUNDS {
            return false;
        }
        self.waiting.push(Attempt { rounds: bound, relations: false, had: Duration::ZERO });
        let stronger = bound >= STRONGER_FROM.min(max_bound);
        if stronger {
            // One round costs least, and was left out before.
            let first = !std::mem::replace(&mut self.stronger, true) && bound > 1;
            let rounds = [1, bound].into_iter().skip(usize::from(!first));
            self.waiting.extend(rounds.map(|rounds| Attempt { rounds, relations: true, had: Duration::ZERO }));
        }
        stronger
    }

    /// All that wait; each that has no time yet comes back by [`time_for`](Self::time_for).
    pub(super) fn take(&mut self) -> Vec<Attempt> {
        std::mem::take(&mut self.waiting)
    }

    /// What an induction may take now; `None` if it has to wait, and it does.
    pub(super) fn time_for(&mut self, attempt: Attempt) -> Option<Duration> {
        let in_any_case = if attempt.rounds > 1 && self.unrolled <= CHEAP { CHEAP } else { INDUCTION_TIME };
        let time = (in_any_case + self.unrolled * INDUCTION_SHARE).saturating_sub(self.induced);
        if time < SHORTEST_INDUCTION.max(attempt.had * 2) {
            self.waiting.push(attempt);
            return None;
        }
        Some(time)
    }

    /// An induction took this long.
    pub(super) fn tried(&mut self, took: Duration) {
        self.induced += took;
    }

    /// An induction was not finished in its time; it is tried again with twice that.
    pub(super) fn put_off(&mut self, attempt: Attempt, had: Duration) {
        self.waiting.push(Attempt { had, ..attempt });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(list: &[Attempt]) -> Vec<(u32, bool)> {
        list.iter().map(|attempt| (attempt.rounds, attempt.relations)).collect()
    }

    #[test]
    fn relations_begin_with_one_round() {
        let mut attempts = Attempts::default();
        assert!(!attempts.unrolled(1, 100, Duration::ZERO));
        assert!(!attempts.unrolled(2, 100, Duration::ZERO));
        assert!(attempts.unrolled(4, 100, Duration::ZERO));
        assert_eq!(shown(&attempts.take()), [(1, false), (2, false), (4, false), (1, true), (4, true)]);
        assert!(attempts.unrolled(8, 100, Duration::ZERO));
        assert_eq!(shown(&attempts.take()), [(8, false), (8, true)]);
        assert!(!attempts.unrolled(16, 100, Duration::ZERO));
        assert!(attempts.take().is_empty());
    }

    #[test]
    fn a_small_largest_bound_has_relations_too() {
        let mut attempts = Attempts::default();
        assert!(attempts.unrolled(1, 1, Duration::ZERO));
        assert_eq!(shown(&attempts.take()), [(1, false), (1, true)]);
    }

    #[test]
    fn what_was_put_off_waits_for_twice_its_time() {
        let mut attempts = Attempts::default();
        attempts.unrolled(1, 100, Duration::ZERO);
        let attempt = attempts.take()[0];
        assert_eq!(attempts.time_for(attempt), Some(INDUCTION_TIME), "one round costs least");
        attempts.unrolled(2, 100, Duration::ZERO);
        let attempt = attempts.take()[0];
        let time = attempts.time_for(attempt).unwrap();
        assert_eq!(time, CHEAP, "unrolling is cheap");
        attempts.tried(time);
        attempts.put_off(attempt, time);
        let again = attempts.take()[0];
        assert_eq!(attempts.time_for(again), None, "there is no time left");
        let dear = CHEAP * 2;
        attempts.unrolled(16, 100, dear);
        let again = attempts.take()[0];
        let time = attempts.time_for(again).unwrap();
        assert_eq!(time, INDUCTION_TIME + dear * INDUCTION_SHARE - CHEAP);
        attempts.tried(time);
        attempts.put_off(again, time);
        let again = attempts.take()[0];
        assert_eq!(attempts.time_for(again), None, "there is no time left");
        attempts.unrolled(32, 100, time);
        let again = attempts.take()[0];
        assert_eq!(attempts.time_for(again), Some(time * INDUCTION_SHARE));
    }
}
