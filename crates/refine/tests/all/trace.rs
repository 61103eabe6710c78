//! The laws of trace checkers on random infeasible paths.

#[path = "../../../formula/tests/all/programs.rs"]
mod random_programs;

use assay_base::FastSet;
use assay_cfa::{Operation, Program, Step};
use assay_formula::PathFormula;
use assay_refine::trace::{TraceMethod, TraceOptions, refute};
use assay_refine::{Assertion, PathInterpolationError};
use assay_smt::interpolate::InterpolationError;
use assay_smt::{Budget, Config, Solver};
use assay_term::random::Random;
use assay_term::{SymbolId, Term, Terms};
use random_programs::random_program;

fn random_path(program: &Program, random: &mut Random, length: usize) -> Vec<Step> {
    let mut location = program.functions[program.entry].entry;
    let (mut calls, mut path) = (Vec::new(), Vec::new());
    for _ in 0..length {
        let here = &program.locations[location];
        if location == program.functions[here.function].exit {
            let Some(call) = calls.pop() else { break };
            path.push(Step::Return(call));
            location = program.edges[call].target;
            continue;
        }
        if here.outgoing.is_empty() {
            break;
        }
        let edge = random.pick(&here.outgoing);
        path.push(Step::Edge(edge));
        location = match program.edges[edge].operation {
            Operation::Call { callee, .. } => {
                calls.push(edge);
                program.functions[callee].entry
            }
            _ => program.edges[edge].target,
        };
    }
    path
}

fn budget() -> Budget {
    Budget { conflicts: Some(20_000), ..Budget::default() }
}

fn symbols(terms: &Terms, formulas: impl IntoIterator<Item = Term>) -> FastSet<SymbolId> {
    formulas.into_iter().flat_map(|formula| terms.free_symbols(formula)).collect()
}

/// Holds the assertions to their laws; how many of them are said of variables and memory, of how many.
fn check(program: &Program, terms: &Terms, path: &PathFormula, list: &[Assertion], options: TraceOptions, what: &str) -> (usize, usize) {
    let groups = &path.groups;
    assert_eq!(list.len() + 1, groups.len(), "{what}");
    let mut solver = Solver::new(Config::default());
    let (mut said, mut all) = (0, 0);
    for (cut, assertion) in list.iter().enumerate() {
        let mut facts = groups[cut].clone();
        facts.extend(cut.checked_sub(1).map(|before| list[before].formula));
        assert_ne!(solver.implies(terms, &facts, assertion.formula, &budget()), Some(false), "{what}: assertion {cut} does not follow");
        if options.live && options.method != TraceMethod::Atoms {
            let before = symbols(terms, groups[..=cut].iter().flatten().copied());
            let after = symbols(terms, groups[cut + 1..].iter().flatten().copied());
            for symbol in symbols(terms, [assertion.formula]) {
                let name = terms.symbol_name(symbol);
                assert!(before.contains(&symbol) && after.contains(&symbol), "{what}: assertion {cut} speaks of {name}");
            }
        }
        if terms.as_constant(assertion.formula).is_some() {
            continue;
        }
        all += 1;
        if let Some(over) = assertion.over_variables {
            said += 1;
            let names = path.names(program, terms, cut).expect("there is a cut");
            let back = names.value(over).expect("what is said has a value where it was said");
            let same = terms.eq(back, assertion.formula);
            assert_ne!(solver.implies(terms, &[], same, &budget()), Some(false), "{what}: assertion {cut} says something else");
        }
    }
    let mut end = groups[groups.len() - 1].clone();
    end.extend(list.last().map(|last| last.formula));
    assert!(!solver.check(terms, &end, &budget()).is_sat(), "{what}: the last assertion allows the last step");
    (said, all)
}

#[test]
fn assertions_of_random_paths_keep_the_laws() {
    let mut found = vec![(0, 0, 0); TraceOptions::ALL.len()];
    for seed in 0..30 {
        let program = random_program(seed, true);
        let terms = Terms::overlay(program.terms.clone());
        let path = random_path(&program, &mut Random::new(seed ^ 0x77), 40);
        let formula = PathFormula::of(&program, &terms, &path).expect("every operation is modelled");
        let mut solver = Solver::new(Config::default());
        for (kind, &(name, options)) in TraceOptions::ALL.iter().enumerate() {
            match refute(&program, &terms, &path, &mut solver, options, &budget()) {
                Ok(_) if options.method == TraceMethod::UnsatCore => found[kind].0 += 1,
                Ok(list) => {
                    let (said, all) = check(&program, &terms, &formula, &list, options, &format!("seed {seed}, {name}"));
                    let counts = &mut found[kind];
                    *counts = (counts.0 + 1, counts.1 + said, counts.2 + all);
                }
                Err(PathInterpolationError::Interpolation(InterpolationError::Satisfiable(_))) => break,
                Err(_) => {}
            }
        }
    }
    for ((name, options), (paths, said, all)) in TraceOptions::ALL.iter().zip(&found) {
        eprintln!("{name}: {paths} paths, {said} of {all} assertions over variables and memory");
        assert!(*paths > 10, "{name}: {paths} paths");
        // Without projection old values need a definition that is often not there.
        assert!(options.method == TraceMethod::UnsatCore || 2 * said > *all, "{name}: {said} of {all}");
    }
}
