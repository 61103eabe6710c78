//! Formulas of blocks that begin anywhere: over the program's own symbols, merged, and the same from every thread.

use assay_base::CancelToken;
use assay_cfa::{LocationId, Program, VarId};
use assay_formula::{Encoder, Form, State};
use assay_semantics::interpreter::{ListOracle, run};
use assay_smt::{Budget, Config, Solver};
use assay_term::{Sort, Terms};

const TEXT: &str = r#"program ILP32 main
global x (register 32) void source "x"
global y (register 32) void source "y"
global p (register 32) pointer source "p"
global m (memory 4 4) void source "m"
function main entry L0 exit L1
  E0: L0 -> L2 assume (<s x 10:32)
  E1: L0 -> L3 assume (~ (<s x 10:32))
  E2: L2 -> L4 assign x (+ x 1:32)
  E3: L3 -> L4 assign y 5:32
  E4: L4 -> L5 store &m:32 x
  E5: L5 -> L6 load y p
  E6: L6 -> L1 skip
end
"#;

fn program() -> Program {
    assay_cfa::text::read(TEXT).expect("readable")
}

/// Both branches and what follows them, as one formula.
fn block(program: &Program, terms: &Terms) -> State {
    let encoder = Encoder::new(program, terms, Form::Substituted);
    let start = encoder.block(program.entry);
    let along = |edges: &[u32]| {
        let mut state = start.clone();
        for &edge in edges {
            encoder.step(&mut state, assay_cfa::EdgeId(edge));
        }
        state
    };
    let mut merged = encoder.merge(&along(&[0, 2]), &along(&[1, 3]));
    for edge in [4, 5] {
        encoder.step(&mut merged, assay_cfa::EdgeId(edge));
    }
    merged
}

#[test]
fn a_block_is_one_formula_over_the_programs_symbols() {
    let program = program();
    let terms = Terms::overlay(program.terms.clone());
    let encoder = Encoder::new(&program, &terms, Form::Substituted);
    let state = block(&program, &terms);
    // The branches exclude each other and cover everything: nothing is demanded.
    assert!(terms.is_true(state.path()), "{}", terms.display(state.path()));
    let (x, y) = (VarId(0), VarId(1));
    let before = terms.symbol(x.symbol());
    let less = terms.slt(before, terms.number(32, 10));
    let expected = terms.ite(less, terms.add(before, terms.number(32, 1)), before);
    assert_eq!(encoder.get(&state, x), expected);
    // The pointer may be the object or any other address.
    let p = terms.symbol(VarId(2).symbol());
    let m = terms.address(VarId(3).symbol(), 32);
    let read = encoder.get(&state, y);
    let mut solver = Solver::new(Config::default());
    let budget = Budget::default();
    let facts = [terms.eq(p, m)];
    assert_eq!(solver.implies(&terms, &facts, terms.eq(read, expected), &budget), Some(true));
    let elsewhere = [terms.eq(p, terms.add(m, terms.number(32, 16)))];
    assert_eq!(solver.implies(&terms, &elsewhere, terms.eq(read, expected), &budget), Some(false));
}

#[test]
fn threads_make_the_same_terms() {
    let program = program();
    let terms = Terms::overlay(program.terms.clone());
    let encoder = Encoder::new(&program, &terms, Form::Substituted);
    let results: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(|| encoder.get(&block(&program, &terms), VarId(1)))).collect();
        threads.into_iter().map(|thread| thread.join().expect("no panic")).collect()
    });
    assert!(results.iter().all(|&term| term == results[0]));
    // A formula is reused by substitution: its symbols become instances.
    let state = block(&program, &terms);
    let instance = terms.named("x@7", Sort::bv(32));
    let moved = terms.substitute(encoder.get(&state, VarId(0)), &mut |node| {
        (node.op == assay_term::Op::Symbol && node.symbol() == VarId(0).symbol()).then_some(instance)
    });
    assert!(terms.free_symbols(moved).iter().all(|&symbol| terms.symbol(symbol) == instance));
}

#[test]
fn the_interpreter_agrees() {
    let program = program();
    let end = run(&program, &mut ListOracle::default(), 3, &CancelToken::default(), &mut |_, _, _| {});
    assert_eq!(end.state.get(&program, VarId(0)).as_bits().map(|b| b.value()), Some(1));
    assert!(program.locations.iter_ids().any(|(id, _)| id == LocationId(6)));
}
