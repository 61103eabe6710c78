//! Running stages one after the other, each with a part of the time that is left.

use assay_base::{CancelToken, Ledger, Stats, StopReason};
use assay_cfa::Program;
use assay_results::{Analysis, Outcome, RunContext, UnknownReason, Verdict};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// One analysis and its share of the time that remains when it begins.
pub struct Stage {
    pub analysis: Box<dyn Analysis>,
    pub share: f64,
}

/// Without a time limit, shares are of this.
const UNLIMITED: Duration = Duration::from_secs(900);
/// How often a stage's time is looked at.
const PERIOD: Duration = Duration::from_millis(20);

/// A portfolio that tries its stages in order until one of them has a verdict.
pub struct Sequence {
    name: String,
    stages: Vec<Stage>,
    clock: fn() -> Duration,
}

impl Sequence {
    pub fn new(name: String, stages: Vec<Stage>, clock: fn() -> Duration) -> Self {
        Sequence { name, stages, clock }
    }
}

impl Analysis for Sequence {
    fn name(&self) -> &str {
        &self.name
    }

    fn run(&mut self, program: &Program, context: &RunContext<'_>) -> Outcome {
        let mut statistics = Stats::default();
        let mut reasons: Vec<(String, UnknownReason)> = Vec::new();
        let count = self.stages.len();
        for (index, stage) in self.stages.iter_mut().enumerate() {
            let used = (self.clock)();
            let left = context.limits.cpu_time.map_or(UNLIMITED, |limit| limit.saturating_sub(used));
            // The last stage may use all that is left, and without a limit it is not stopped at all.
            let last = index + 1 == count;
            let deadline = (!last).then(|| used + left.mul_f64(stage.share));
            // What one stage assumed or cut off does not bind the next.
            let ledger = Ledger::new();
            let token = context.cancel.child();
            let inner = RunContext { cancel: &token, ledger: &ledger, last: last && context.last, ..*context };
            let outcome = with_deadline(&token, deadline, self.clock, || guarded(|| stage.analysis.run(program, &inner)));
            statistics.merge(&outcome.statistics);
            match outcome.verdict {
                Verdict::Unknown(reason) => {
                    if let Some(stopped) = context.cancel.stopped() {
                        return Outcome { statistics, ..Outcome::stopped(stopped) };
                    }
                    reasons.push((stage.analysis.name().to_string(), reason));
                }
                _ => return Outcome { statistics, ..outcome },
            }
        }
        let reason = match reasons.as_slice() {
            // A limit of the whole run is the plainest answer.
            [.., (_, UnknownReason::Stopped(reason))] => UnknownReason::Stopped(*reason),
            [(_, reason), rest @ ..] if rest.iter().all(|(_, other)| other == reason) => reason.clone(),
            // What no analysis can follow is the same for all of them, whatever they call it.
            all => match all.iter().find(|(_, reason)| matches!(reason, UnknownReason::Unsupported(_))) {
                // What no analysis can follow is the same for all of them, whatever they call it.
                Some((_, reason)) => reason.clone(),
                None => UnknownReason::Several(reasons),
            },
        };
        Outcome { statistics, ..Outcome::unknown(reason) }
    }
}

/// Runs `work` while a thread of its own stops the token when the process has used the CPU time of the deadline.
fn with_deadline<T>(token: &CancelToken, deadline: Option<Duration>, clock: fn() -> Duration, work: impl FnOnce() -> T) -> T {
    let Some(deadline) = deadline else { return work() };
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::Acquire) {
                if clock() >= deadline {
                    token.stop(StopReason::Time);
                    return;
                }
                std::thread::park_timeout(PERIOD);
            }
        });
        // Also where the work panics: processor time does not go on then, and the watching thread would wait for ever.
        let _done = SetOnDrop(&done);
        work()
    })
}

struct SetOnDrop<'a>(&'a AtomicBool);

impl Drop for SetOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Release);
    }
}

/// A defect of one analysis does not end the others: it is one more reason for *unknown*.
fn guarded(work: impl FnOnce() -> Outcome) -> Outcome {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(work)).unwrap_or_else(|payload| {
        let text = payload.downcast_ref::<&str>().map(|text| text.to_string()).or_else(|| payload.downcast_ref::<String>().cloned());
        Outcome::unknown(UnknownReason::Internal(text.unwrap_or_else(|| "unknown failure".to_string())))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use assay_cfa::{Builder, DataModel};
    use assay_results::NoProgress;

    struct Fixed(&'static str, Verdict);
    impl Analysis for Fixed {
        fn name(&self) -> &str {
            self.0
        }
        fn run(&mut self, _: &Program, context: &RunContext<'_>) -> Outcome {
            assert!(self.0 != "broken", "a defect");
            if self.0 == "slow" {
                while !context.cancel.is_stopped() {
                    std::thread::sleep(Duration::from_millis(1));
                }
                return Outcome::stopped(StopReason::Time);
            }
            Outcome { verdict: self.1.clone(), ..Outcome::unknown(UnknownReason::Bound(String::new())) }
        }
    }

    fn clock() -> Duration {
        use std::sync::OnceLock;
        static START: OnceLock<std::time::Instant> = OnceLock::new();
        START.get_or_init(std::time::Instant::now).elapsed()
    }

    fn run(stages: Vec<Fixed>) -> Verdict {
        let mut builder = Builder::new(DataModel::Ilp32);
        let main = builder.function("main", assay_base::Span::NONE);
        let program = builder.finish(main);
        let stages = stages.into_iter().map(|fixed| Stage { analysis: Box::new(fixed), share: 0.1 }).collect();
        let limits = assay_base::Limits { cpu_time: Some(clock() + Duration::from_millis(500)), memory_bytes: None };
        let (cancel, ledger) = (CancelToken::new(), Ledger::new());
        let context = RunContext { cancel: &cancel, limits, threads: 1, ledger: &ledger, progress: &NoProgress, last: false };
        Sequence::new("test".to_string(), stages, clock).run(&program, &context).verdict
    }

    #[test]
    fn the_first_verdict_wins_and_a_slow_stage_is_stopped() {
        let reason = |text: &str| UnknownReason::Bound(text.to_string());
        let gave_up = |text: &str| Verdict::Unknown(reason(text));
        assert_eq!(run(vec![Fixed("slow", Verdict::True), Fixed("b", Verdict::True)]), Verdict::True);
        assert_eq!(
            run(vec![Fixed("a", gave_up("x")), Fixed("b", gave_up("y"))]),
            Verdict::Unknown(UnknownReason::Several(vec![("a".to_string(), reason("x")), ("b".to_string(), reason("y"))]))
        );
        assert_eq!(run(vec![Fixed("a", gave_up("x"))]), gave_up("x"));
    }

    #[test]
    fn a_defect_of_one_stage_does_not_end_the_others() {
        assert_eq!(run(vec![Fixed("broken", Verdict::True), Fixed("b", Verdict::True)]), Verdict::True);
        let only = run(vec![Fixed("broken", Verdict::True)]);
        assert_eq!(only, Verdict::Unknown(UnknownReason::Internal("a defect".to_string())));
    }
}
