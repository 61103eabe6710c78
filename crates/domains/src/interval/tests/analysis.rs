//! The whole domain on random programs, and what it proves on small ones.

use super::program::{Style, random_program};
use super::soundness::{check_answers, check_blocks, check_exploration, check_runs};
use crate::interval::{IntervalDomain, IntervalState, Range, narrowed};
use assay_base::{CancelToken, Ledger};
use assay_cfa::structure::Structure;
use assay_cfa::{Operation, Program, VarId};
use assay_cpa::{CallStacks, Domain, Environment, Exploration, ExploreConfig, Forget, LocationOrders, Merge, Status};
use assay_term::random::Random;
use assay_term::{Bits, Terms};

const SMALL: Style = Style { widths: &[1, 3, 4], arithmetic: true, recursion: false };
const BYTES: Style = Style { widths: &[1, 8, 32], arithmetic: true, recursion: false };

fn with_domain<R>(program: &Program, use_it: impl FnOnce(&IntervalDomain<'_>, &Terms) -> R) -> R {
    let terms = Terms::overlay(program.terms.clone());
    let structure = Structure::new(program);
    use_it(&IntervalDomain::new(program, &terms, structure.loops()), &terms)
}

fn allows(program: &Program, state: &IntervalState, registers: &[(VarId, Bits)]) -> bool {
    registers.iter().all(|&(variable, value)| state.get(program, variable).is_none_or(|range| range.contains(value.value())))
}

#[test]
fn blocks_give_back_what_runs_do() {
    let mut passed = 0;
    for seed in 0..200 {
        let style = Style { recursion: seed % 4 == 0, ..if seed % 2 == 0 { SMALL } else { BYTES } };
        let program = random_program(seed, style);
        with_domain(&program, |domain, _| {
            passed += check_blocks(&program, domain, 4, &|state, registers| allows(&program, state, registers));
        });
    }
    assert!(passed > 500, "{passed} blocks");
}

#[test]
fn transfer_contains_what_runs_do() {
    for seed in 0..400 {
        let style = Style { recursion: seed % 4 == 0, ..if seed % 2 == 0 { SMALL } else { BYTES } };
        let program = random_program(seed, style);
        with_domain(&program, |domain, _| {
            check_runs(&program, domain, 8, &|state, registers| allows(&program, state, registers));
        });
    }
}

#[test]
fn explorations_end_and_contain_what_runs_do() {
    for seed in 0..250 {
        let program = random_program(seed, if seed % 2 == 0 { SMALL } else { BYTES });
        with_domain(&program, |domain, _| {
            check_exploration(&program, domain, 6, Merge::Join, &|state, registers| allows(&program, state, registers));
        });
    }
}

#[test]
fn assumptions_lose_no_value_and_answers_hold() {
    let mut random = Random::new(3);
    for seed in 0..300 {
        let program = random_program(seed, if seed % 2 == 0 { SMALL } else { BYTES });
        with_domain(&program, |domain, terms| {
            let registers: Vec<_> = program.globals.iter().copied().filter(|&v| program.variables[v].register_width().is_some()).collect();
            for edge in program.edges.iter() {
                let Operation::Assume { condition } = edge.operation else { continue };
                for _ in 0..20 {
                    // Globals lie in random ranges around their values; locals have any value.
                    let mut state = IntervalState::unknown(program.entry);
                    let mut values = assay_base::FastMap::default();
                    for (id, variable) in program.variables.iter_ids() {
                        let Some(width) = variable.register_width() else { continue };
                        let value = random.bits(width);
                        values.insert(id, value);
                        if registers.contains(&id) {
                            let other = random.bits(width);
                            state.set(&program, id, Some(Range::point(value).join(Range::point(other))));
                        }
                    }
                    let lookup = |id| values.get(&id).copied();
                    let truth = assay_term::eval::evaluate(terms, condition, &mut |n| lookup(VarId(n.symbol().0)));
                    check_answers(domain, &state, terms, condition, &lookup);
                    let Some(truth) = truth else { continue };
                    let before = domain.describe(&state);
                    assert!(domain.assume(&mut state, condition, truth.is_true()), "{before} excludes {values:?}");
                    for &id in &registers {
                        let kept = state.get(&program, id).is_none_or(|r| r.contains(values[&id].value()));
                        assert!(kept, "{before} became {}, without {values:?}", domain.describe(&state));
                    }
                }
            }
        });
    }
}

#[test]
fn joins_contain_and_coverage_agrees() {
    let mut random = Random::new(11);
    let program = random_program(1, BYTES);
    with_domain(&program, |domain, _| {
        let make = |random: &mut Random| {
            let mut state = IntervalState::unknown(program.entry);
            for (id, variable) in program.variables.iter_ids() {
                if let Some(width) = variable.register_width().filter(|_| random.chance(70)) {
                    let range = Range::point(Bits::new(width, random.below(4) as u128)).join(Range::point(random.bits(width)));
                    state.set(&program, id, random.chance(80).then_some(range));
                }
            }
            state
        };
        for _ in 0..3000 {
            let (a, b) = (make(&mut random), make(&mut random));
            let mut both = a.clone();
            domain.join_into(&mut both, &b);
            assert!(domain.covers(&mut (), &a, &both) && domain.covers(&mut (), &b, &both));
            assert_eq!(a.is_below(&b) && b.is_below(&a), a == b);
            assert!(a != b || a.hash64() == b.hash64());
            let mut remembered = vec![];
            domain.remembered(&a, &mut remembered);
            let mut rest = a.clone();
            for item in &remembered {
                let before = rest.clone();
                domain.forget(&mut (), &mut rest, item);
                assert!(before.is_below(&rest));
            }
            assert!(rest.is_empty());
            assert_eq!(rest, IntervalState::unknown(program.entry));
            assert_eq!(rest.hash64(), IntervalState::unknown(program.entry).hash64());
        }
    });
}

/// Explores a program in text form and gives what is known in the end where `main` exits, after `phases` iterations of
/// narrowing.
fn final_state(text: &str, phases: usize) -> String {
    let program = assay_cfa::text::read(text).unwrap_or_else(|error| panic!("{error:?}"));
    with_domain(&program, |domain, _| {
        let stacks = CallStacks::new(None);
        let orders = LocationOrders::new(&program);
        let (ledger, cancel) = (Ledger::new(), CancelToken::default());
        let environment = Environment { program: &program, stacks: &stacks, orders: &orders, ledger: &ledger, cancel: &cancel };
        let config = ExploreConfig { merge: Merge::Join, ..ExploreConfig::default() };
        let mut precision = domain.initial_precision();
        let mut phase = 0;
        loop {
            let mut exploration = Exploration::new(environment, domain, config, precision);
            exploration.start_program(&mut ());
            assert_eq!(exploration.run(&mut ()), Status::Exhausted);
            if phase == phases {
                let exit = program.functions[program.entry].exit;
                let states: Vec<String> = exploration
                    .reached
                    .states()
                    .filter(|(node, _)| exploration.arg.head(*node).location == exit && !exploration.arg.is_covered(*node))
                    .map(|(_, state)| domain.describe(state))
                    .collect();
                return states.join(" | ");
            }
            phase += 1;
            precision = narrowed(&exploration).expect("the program has a loop");
        }
    })
}

/// A function `main` with the registers `i` and `n`.
fn main_program(edges: &str) -> String {
    format!(
        "program ILP32 main\nsource n0 input \"input\" 0:0:0\n\
         function main entry L0 exit L1\n  \
         local main::i (register 32) (int 32 signed \"int\") source \"i\"\n  \
         local main::n (register 32) (int 32 signed \"int\") source \"n\"\n{edges}end\n"
    )
}

fn check(edges: &str, phases: usize, expected: &str) {
    assert_eq!(final_state(&main_program(edges), phases), expected);
}

#[test]
fn counting_loops_end_at_their_bound() {
    check(
        "  E0: L0 -> L2 assign main::i 0:32\n  \
         E1: L2 -> L3 assume (<s main::i 1000:32)\n  \
         E2: L3 -> L2 assign main::i (+ main::i 1:32)\n  \
         E3: L2 -> L1 assume (~ (<s main::i 1000:32))\n",
        0,
        "main::i = 1000",
    );
}

#[test]
fn unsigned_countdown_stops_at_zero() {
    check(
        "  E0: L0 -> L2 assign main::i 50:32\n  \
         E1: L2 -> L3 assume (<u 0:32 main::i)\n  \
         E2: L3 -> L2 assign main::i (+ main::i 4294967295:32)\n  \
         E3: L2 -> L1 assume (~ (<u 0:32 main::i))\n",
        0,
        "main::i = 0",
    );
}

#[test]
fn narrowing_wins_back_what_widening_lost() {
    // The bound is twice an input that is at most 70: no constant of the program is near it.
    let text = "  E0: L0 -> L2 havoc main::n n0\n  \
         E1: L2 -> L3 assume (<u main::n 70:32)\n  \
         E2: L3 -> L4 assign main::n (* main::n 2:32)\n  \
         E3: L4 -> L5 assign main::i 0:32\n  \
         E4: L5 -> L6 assume (<s main::i main::n)\n  \
         E5: L6 -> L5 assign main::i (+ main::i 1:32)\n  \
         E6: L5 -> L1 assume (~ (<s main::i main::n))\n";
    check(text, 0, "main::i = [0, 255], main::n = [0, 138]");
    check(text, 1, "main::i = [0, 138], main::n = [0, 138]");
}

#[test]
fn both_signs_are_told_apart() {
    check(
        "  E0: L0 -> L2 havoc main::i n0\n  \
         E1: L2 -> L3 assume (& (<s 4294967291:32 main::i) (<s main::i 6:32))\n  \
         E2: L3 -> L4 assume (~ (== main::i 0:32))\n  \
         E3: L4 -> L1 assign main::n (/s 100:32 main::i)\n",
        0,
        "main::i = [-4, -1] or [1, 5], main::n = [-100, -25] or [20, 100]",
    );
}
