//! Whole programs unrolled: a target's formula has a model just where some run reaches it, and the model shows the
//! path.

use crate::programs::random_program;
use assay_base::CancelToken;
use assay_cfa::structure::Structure;
use assay_formula::unroll::Visitor;
use assay_formula::{Encoder, Form, State, StepOutcome, UnrollOptions, Unrolling};
use assay_semantics::interpreter::{SeededOracle, Stop, run};
use assay_smt::{Answer, Budget, Config, Solver};
use assay_term::Terms;

struct Everything;

impl Visitor for Everything {
    fn is_reachable(&mut self, _: &State) -> bool {
        true
    }
    fn is_stopped(&mut self) -> bool {
        false
    }
}

#[test]
fn targets_are_reachable_where_runs_reach_them() {
    let (mut reached, mut safe) = (0, 0);
    for seed in 0..80 {
        let program = random_program(seed, true);
        let structure = Structure::new(&program);
        let terms = Terms::overlay(program.terms.clone());
        let encoder = Encoder { keep_inputs: false, ..Encoder::new(&program, &terms, Form::Substituted) };
        let options = UnrollOptions { iterations: 4, ..UnrollOptions::default() };
        let unrolling = Unrolling::of(&encoder, &structure, options, &mut Everything);
        assert!(!unrolling.stopped && unrolling.unsupported.is_empty());
        let text = || assay_cfa::text::print(&program);
        let mut solver = Solver::new(Config::default());
        let budget = Budget::default();
        // The bound is large enough for the counting loops.
        for end in &unrolling.cut {
            assert!(solver.check(&terms, end.state.conditions(), &budget).is_unsat(), "seed {seed}\n{}", text());
        }
        let mut any = false;
        for (_, end) in &unrolling.targets {
            let Answer::Sat(model) = solver.check(&terms, end.state.conditions(), &budget) else { continue };
            any = true;
            let path = unrolling.path_to(end, &mut |term| model.holds(&terms, term) == Some(true));
            let path = path.unwrap_or_else(|| panic!("seed {seed}: no path\n{}", text()));
            // The path by itself is feasible as well.
            let mut state = encoder.initial();
            for &step in &path {
                assert_eq!(encoder.follow(&mut state, step), StepOutcome::Continue, "seed {seed}");
            }
            assert!(solver.check(&terms, state.conditions(), &budget).is_sat(), "seed {seed}: an infeasible path\n{}", text());
        }
        if any {
            reached += 1
        } else {
            safe += 1
        }
        for inputs in 0..60 {
            let end = run(&program, &mut SeededOracle::new(inputs), 2000, &CancelToken::default(), &mut |_, _, _| {});
            if let Stop::Target(..) = end.stop {
                assert!(any, "seed {seed}, inputs {inputs}: a run reaches a target that the formula excludes\n{}", text());
            }
        }
    }
    assert!(reached > 10 && safe > 10, "{reached} reached, {safe} safe");
}
