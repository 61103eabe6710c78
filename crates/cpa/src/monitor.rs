//! Monitors of refinement: they see each counterexample before it is refined, with the graph and the precision that it
//! was found in, and say whether that leads anywhere. None of them changes a verdict; what they pass over stays in the
//! graph as an unresolved target.

use assay_base::{FastMap, FastSet, Fingerprint, Obstacle, Stats};
use std::time::Duration;

/// Which monitors watch.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Monitoring {
    /// Nothing watches.
    Off,
    /// Only the one that notices repetition, which never gives up what could still be solved.
    #[default]
    Repetition,
    /// Also those that give up what others may solve sooner; for portfolios.
    All,
}

/// What monitors see at a counterexample.
#[derive(Clone, Copy, Debug)]
pub struct Sight {
    /// The graph together with the precision.
    pub situation: Fingerprint,
    /// The steps of the counterexample.
    pub path: Fingerprint,
    /// The edges of the path, each once and in no order: iterations of loops more or less do not change it.
    pub paths: u64,
    /// How long the path is.
    pub steps: usize,
    /// How often the precision has grown.
    pub growth: u64,
    /// States so far.
    pub states: u64,
    /// States so far that others cover.
    pub covered: u64,
    /// How long the refinement before this one took.
    pub refining: Duration,
    /// The run is to look at all counterexamples of a graph at once.
    pub all_at_once: bool,
}

/// What a monitor says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Advice {
    /// Nothing speaks against it.
    GoOn,
    /// This counterexample leads nowhere; another one in the graph may.
    Another(Obstacle),
    /// Nothing will come of it.
    Stop(Obstacle),
}

/// One monitor. It is asked at every counterexample, and at intervals while states are explored.
pub trait Monitor: Send {
    /// Its advice, before the counterexample is refined.
    fn look(&mut self, sight: &Sight) -> Advice;
    /// A counterexample was refined.
    fn refined(&mut self, _: Fingerprint) {}
}

/// Graph and precision are as they were at an earlier counterexample, and this one was refined before: the analysis
/// repeats itself.
#[derive(Default)]
struct Repetition {
    situations: FastSet<Fingerprint>,
    refined: FastSet<Fingerprint>,
}

impl Monitor for Repetition {
    fn look(&mut self, sight: &Sight) -> Advice {
        let known = !self.situations.insert(sight.situation);
        let obstacle = || Obstacle::stuck("the analysis repeats itself: graph, precision and counterexample were there before");
        match known && self.refined.contains(&sight.path) {
            true if sight.all_at_once => Advice::Stop(obstacle()),
            true => Advice::Another(obstacle()),
            false => Advice::GoOn,
        }
    }
    fn refined(&mut self, path: Fingerprint) {
        self.refined.insert(path);
    }
}

/// One and the same path comes back although the precision grew.
#[derive(Default)]
struct Effect {
    seen: FastMap<Fingerprint, (u64, u32)>,
}
const RETURNS: u32 = 4;

impl Monitor for Effect {
    fn look(&mut self, sight: &Sight) -> Advice {
        let (growth, returns) = self.seen.entry(sight.path).or_insert((sight.growth, 0));
        if *growth != sight.growth {
            (*growth, *returns) = (sight.growth, *returns + 1);
        }
        match *returns >= RETURNS {
            true => Advice::Another(Obstacle::stuck("a path comes back although the precision grows")),
            false => Advice::GoOn,
        }
    }
}

/// Each counterexample goes the same paths as the one before, with some iterations more.
#[derive(Default)]
struct Iterations {
    paths: u64,
    steps: usize,
    longer: u32,
}
const LONGER: u32 = 60;

impl Monitor for Iterations {
    fn look(&mut self, sight: &Sight) -> Advice {
        let same = self.paths == sight.paths && sight.steps > self.steps;
        self.longer = if same { self.longer + 1 } else { 0 };
        (self.paths, self.steps) = (sight.paths, sight.steps);
        match self.longer >= LONGER {
            true => Advice::Stop(Obstacle::stuck(format!("{LONGER} counterexamples in a row differ only in iterations of loops"))),
            false => Advice::GoOn,
        }
    }
}

/// The solver needs more and more time for a refinement.
#[derive(Default)]
struct Effort {
    total: Duration,
    count: u32,
}
const LONG: Duration = Duration::from_secs(2);

impl Monitor for Effort {
    fn look(&mut self, sight: &Sight) -> Advice {
        let usual = self.total / self.count.max(1);
        self.total += sight.refining;
        self.count += 1;
        match self.count > 5 && sight.refining > LONG && sight.refining > usual * 10 {
            true => Advice::Stop(Obstacle::solver("a refinement took ten times as long as those before")),
            false => Advice::GoOn,
        }
    }
}

/// Many states, and none of them is like another.
struct NothingCovered;
const MANY: u64 = 200_000;

impl Monitor for NothingCovered {
    fn look(&mut self, sight: &Sight) -> Advice {
        match sight.states >= MANY && sight.covered == 0 {
            true => Advice::Stop(Obstacle::stuck(format!("none of {} states covers another", sight.states))),
            false => Advice::GoOn,
        }
    }
}

/// The monitors of a run, with what they said.
pub struct Monitors {
    all: Vec<Box<dyn Monitor>>,
    /// How often they were asked.
    pub looks: u64,
    /// How often they said [`Advice::Another`].
    pub passed_over: u64,
    /// How often they said [`Advice::Stop`].
    pub stops: u64,
}

impl Monitors {
    /// Those that have seen nothing yet.
    pub fn new(which: Monitoring) -> Self {
        let all: Vec<Box<dyn Monitor>> = match which {
            Monitoring::Off => vec![],
            Monitoring::Repetition => vec![Box::<Repetition>::default()],
            Monitoring::All => vec![
                Box::<Repetition>::default(),
                Box::<Effect>::default(),
                Box::<Iterations>::default(),
                Box::<Effort>::default(),
                Box::new(NothingCovered),
            ],
        };
        Monitors { all, looks: 0, passed_over: 0, stops: 0 }
    }

    /// Whether nothing watches.
    pub fn is_off(&self) -> bool {
        self.all.is_empty()
    }

    /// The gravest of their advice.
    pub fn look(&mut self, sight: &Sight) -> Advice {
        self.looks += 1;
        let mut advice = Advice::GoOn;
        // All of them look, because each remembers what it saw.
        for monitor in &mut self.all {
            match (monitor.look(sight), &advice) {
                (stop @ Advice::Stop(_), Advice::GoOn | Advice::Another(_)) => advice = stop,
                (another @ Advice::Another(_), Advice::GoOn) => advice = another,
                _ => {}
            }
        }
        match advice {
            Advice::GoOn => {}
            Advice::Another(_) => self.passed_over += 1,
            Advice::Stop(_) => self.stops += 1,
        }
        advice
    }

    /// Tells all of them that a counterexample was refined.
    pub fn refined(&mut self, path: Fingerprint) {
        self.all.iter_mut().for_each(|monitor| monitor.refined(path));
    }

    /// Puts the counters under their names, if they were ever asked.
    pub fn add_to(&self, stats: &mut Stats) {
        if self.looks > 0 {
            stats.add("monitor: counterexamples seen", self.looks);
            stats.add("monitor: counterexamples passed over", self.passed_over);
            stats.add("monitor: stops", self.stops);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sight(situation: u128, path: u128, growth: u64) -> Sight {
        Sight {
            situation: Fingerprint(situation),
            path: Fingerprint(path),
            paths: 1,
            steps: 1,
            growth,
            states: 1,
            covered: 0,
            refining: Duration::ZERO,
            all_at_once: false,
        }
    }

    #[test]
    fn repetition_needs_the_situation_and_the_path() {
        let mut monitors = Monitors::new(Monitoring::Repetition);
        assert_eq!(monitors.look(&sight(1, 1, 0)), Advice::GoOn);
        monitors.refined(Fingerprint(1));
        assert_eq!(monitors.look(&sight(2, 1, 0)), Advice::GoOn, "another graph");
        assert_eq!(monitors.look(&sight(1, 2, 0)), Advice::GoOn, "another path");
        assert!(matches!(monitors.look(&sight(1, 1, 0)), Advice::Another(_)));
        assert!(matches!(monitors.look(&Sight { all_at_once: true, ..sight(1, 1, 0) }), Advice::Stop(_)));
        assert_eq!((monitors.looks, monitors.passed_over, monitors.stops), (5, 1, 1));
    }

    #[test]
    fn growth_without_effect_rounds_and_coverage_are_noticed() {
        let mut monitors = Monitors::new(Monitoring::All);
        let advice: Vec<Advice> = (0..6).map(|growth| monitors.look(&sight(u128::from(growth), 7, growth))).collect();
        assert!(advice[..4].iter().all(|advice| *advice == Advice::GoOn) && matches!(advice[4], Advice::Another(_)), "{advice:?}");
        let longer = |steps: usize| Sight { steps, ..sight(100 + steps as u128, 100 + steps as u128, 9) };
        let stopped = (0..100).map(|steps| monitors.look(&longer(10 + steps))).position(|advice| matches!(advice, Advice::Stop(_)));
        assert_eq!(stopped, Some(LONGER as usize - 1));
        assert!(matches!(monitors.look(&Sight { states: MANY, ..sight(999, 999, 9) }), Advice::Stop(_)));
    }
}
