//! Proofs by induction: what is proved, no run contradicts; small loops that need one iteration, two iterations, or
//! more than there is.

use crate::programs::random_program;
use assay_base::CancelToken;
use assay_cfa::Program;
use assay_cfa::structure::Structure;
use assay_formula::unroll::Visitor;
use assay_formula::{Encoder, Form, State, UnrollOptions, Unrolling};
use assay_semantics::interpreter::{SeededOracle, Stop, run};
use assay_smt::{Budget, Config, Solver};
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

/// Whether an induction over so many iterations proves that no target is reached.
fn proves(program: &Program, iterations: u32) -> bool {
    let structure = Structure::new(program);
    let terms = Terms::overlay(program.terms.clone());
    let encoder = Encoder { keep_inputs: false, ..Encoder::new(program, &terms, Form::Substituted) };
    let options = UnrollOptions { iterations, induction: true, ..UnrollOptions::default() };
    let unrolling = Unrolling::of(&encoder, &structure, options, &mut Everything);
    assert!(!unrolling.stopped);
    if unrolling.not_inductive.is_some() || !unrolling.unsupported.is_empty() {
        return false;
    }
    let mut solver = Solver::new(Config::default());
    let targets = unrolling.targets.iter().map(|(_, end)| (end, end.state.path()));
    let undefined = unrolling.targets.iter().map(|(_, end)| end).chain(&unrolling.finished).chain(&unrolling.undefined);
    let undefined = undefined.map(|end| (end, end.state.undefined()));
    let cut = unrolling.cut.iter().map(|end| (end, end.state.path()));
    targets.chain(undefined).chain(cut).all(|(end, condition)| {
        let mut query = encoder.facts(&end.state, [condition]);
        query.push(condition);
        solver.check(&terms, &query, &Budget::default()).is_unsat()
    })
}

#[test]
fn what_is_proved_no_run_contradicts() {
    let (mut proved, mut open) = (0, 0);
    for seed in 0..80 {
        let program = random_program(seed, true);
        if !proves(&program, 1 + seed as u32 % 2) {
            open += 1;
            continue;
        }
        proved += 1;
        for inputs in 0..100 {
            let end = run(&program, &mut SeededOracle::new(inputs), 2000, &CancelToken::default(), &mut |_, _, _| {});
            let bad = matches!(end.stop, Stop::Target(..));
            assert!(!bad, "seed {seed}, inputs {inputs}: a proof that is none\n{}", assay_cfa::text::print(&program));
        }
    }
    assert!(proved > 5 && open > 5, "{proved} proved, {open} open");
}

/// `x` counts up by `step` from 0 without end; the target is where `bad` holds at the head.
fn counting(step: &str, bad: &str) -> Program {
    let text = format!(
        r#"program ILP32 main
global x (register 32) void source "x"
global y (register 32) void source "y"
function main entry L0 exit L1
  target L4 unreach-call
  E0: L0 -> L2 skip
  E1: L2 -> L4 assume {bad}
  E2: L2 -> L3 assume (~ {bad})
  E3: L3 -> L2 assign x {step}
  E4: L3 -> L1 skip
end
"#
    );
    assay_cfa::text::read(&text).expect("readable")
}

#[test]
fn one_round_is_enough_for_what_holds_by_itself() {
    let program = counting("(+ x 2:32)", "(== (& x 1:32) 1:32)");
    assert!(proves(&program, 1));
}

#[test]
fn two_rounds_see_what_one_does_not() {
    // From 0 to 1 and back to 0; 5 would be reached from 7, which nothing reaches, but 7 from anything like it.
    let program = counting("(ite (== x 0:32) 1:32 (ite (== x 1:32) 0:32 (ite (== x 7:32) 5:32 6:32)))", "(== x 5:32)");
    assert!(!proves(&program, 1));
    assert!(proves(&program, 2));
}

#[test]
fn what_is_reachable_is_never_proved() {
    for iterations in 1..6 {
        assert!(!proves(&counting("(+ x 1:32)", "(== x 3:32)"), iterations));
    }
}
