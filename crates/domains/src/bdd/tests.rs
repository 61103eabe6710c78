//! Laws of the domain on random programs, and what it keeps on small ones.

use super::{BddDomain, BddState};
use crate::interval::tests::program::{Style, random_program};
use crate::interval::tests::soundness::{check_blocks, check_exploration, check_runs};
use assay_base::{CancelToken, Ledger};
use assay_cfa::structure::Structure;
use assay_cfa::{Program, VarId};
use assay_cpa::{CallStacks, Domain, Environment, Exploration, ExploreConfig, Forget, LocationOrders, Merge, Status};
use assay_term::{Bits, Terms};

const LOGIC: Style = Style { widths: &[1, 3, 8], arithmetic: false, recursion: false };
const MIXED: Style = Style { widths: &[1, 4, 8], arithmetic: true, recursion: false };

fn with_domain<R>(program: &Program, use_it: impl FnOnce(&BddDomain<'_>, &Terms) -> R) -> R {
    let terms = Terms::overlay(program.terms.clone());
    let structure = Structure::new(program);
    use_it(&BddDomain::new(&structure, &terms), &terms)
}

/// Whether the state has an assignment of codes for the values: constants have theirs, and other values of one class
/// have equal codes where they are equal and only there.
fn allows(domain: &BddDomain<'_>, state: &BddState, registers: &[(VarId, Bits)]) -> bool {
    let encoding = &domain.encoding;
    let mut set = state.bdd().clone();
    let mut others: Vec<(VarId, Bits)> = vec![];
    for &(variable, value) in registers {
        let Some(index) = encoding.class(variable) else { continue };
        let class = &encoding.classes[index];
        match class.code_of(value.value()) {
            Some(code) => set = set.and(&encoding.has_code(variable, code)),
            None => {
                set = set.and(&encoding.has_other(variable));
                if class.identity {
                    for &(other, known) in others.iter().filter(|(o, _)| encoding.class(*o) == Some(index)) {
                        let same = encoding.same_code(variable, other);
                        set = if known == value { set.and(&same) } else { set.and_not(&same) };
                    }
                    others.push((variable, value));
                }
            }
        }
    }
    !set.is_false()
}

#[test]
fn transfer_contains_what_runs_do() {
    let mut tracked = 0;
    for seed in 0..160 {
        let style = Style { recursion: seed % 5 == 0, ..if seed % 4 == 0 { MIXED } else { LOGIC } };
        let program = random_program(seed, style);
        with_domain(&program, |domain, _| {
            tracked += domain.tracked().count();
            check_runs(&program, domain, 6, &|state, registers| allows(domain, state, registers));
        });
    }
    assert!(tracked > 400, "{tracked} registers");
}

#[test]
fn explorations_end_and_contain_what_runs_do() {
    for seed in 0..60 {
        let program = random_program(seed, if seed % 4 == 0 { MIXED } else { LOGIC });
        for merge in [Merge::Join, Merge::Sep] {
            with_domain(&program, |domain, _| {
                check_exploration(&program, domain, 4, merge, &|state, registers| allows(domain, state, registers));
            });
        }
    }
}

#[test]
fn blocks_give_back_what_runs_do() {
    let mut passed = 0;
    for seed in 0..100 {
        let program = random_program(seed, Style { recursion: seed % 5 == 0, ..LOGIC });
        with_domain(&program, |domain, _| {
            passed += check_blocks(&program, domain, 4, &|state, registers| allows(domain, state, registers));
        });
    }
    assert!(passed > 150, "{passed} blocks");
}

#[test]
fn forgetting_widens_until_nothing_is_known() {
    for seed in 0..40 {
        let program = random_program(seed, LOGIC);
        with_domain(&program, |domain, _| {
            let mut worker = domain.worker();
            let mut state = domain.initial(&mut worker);
            let mut items = vec![];
            domain.remembered(&state, &mut items);
            for item in items {
                let before = state.clone();
                domain.forget(&mut worker, &mut state, &item);
                assert!(before.is_below(&state));
            }
            assert!(state.bdd().is_true());
        });
    }
}

/// Explores a program in text form with merge join and gives what is known where it ends.
fn final_state(text: &str) -> String {
    let program = assay_cfa::text::read(text).unwrap_or_else(|error| panic!("{error:?}"));
    with_domain(&program, |domain, _| {
        let stacks = CallStacks::new(None);
        let orders = LocationOrders::new(&program);
        let (ledger, cancel) = (Ledger::new(), CancelToken::default());
        let environment = Environment { program: &program, stacks: &stacks, orders: &orders, ledger: &ledger, cancel: &cancel };
        let config = ExploreConfig { merge: Merge::Join, ..ExploreConfig::default() };
        let mut worker = domain.worker();
        let mut exploration = Exploration::new(environment, domain, config, domain.initial_precision());
        exploration.start_program(&mut worker);
        assert_eq!(exploration.run(&mut worker), Status::Exhausted);
        let exit = program.functions[program.entry].exit;
        let states = exploration.reached.states();
        let ends = states.filter(|(node, _)| exploration.arg.head(*node).location == exit && !exploration.arg.is_covered(*node));
        ends.map(|(_, state)| domain.describe(state)).collect::<Vec<_>>().join(" | ")
    })
}

/// A program with the registers `a`, `b` and `c` of 32 bits.
fn check(edges: &str, expected: &str) {
    let mut text = String::from("program ILP32 main\nsource n0 input \"input\" 0:0:0\n");
    for name in ["a", "b", "c"] {
        text.push_str(&format!("global {name} (register 32) (int 32 signed \"int\") source \"{name}\"\n"));
    }
    text.push_str(&format!("function main entry L0 exit L1\n{edges}end\n"));
    assert_eq!(final_state(&text), expected);
}

#[test]
fn relations_survive_a_join() {
    // b is 1 where a is not 0 and 0 elsewhere; after both branches meet, a = 0 and b = 1 exclude each other.
    check(
        "  E0: L0 -> L2 havoc a n0\n  \
         E1: L2 -> L3 assume (~ (== a 0:32))\n  \
         E2: L2 -> L4 assume (== a 0:32)\n  \
         E3: L3 -> L5 assign b 1:32\n  \
         E4: L4 -> L5 assign b 0:32\n  \
         E5: L5 -> L6 assume (== a 0:32)\n  \
         E6: L6 -> L1 assign c (ite (== b 0:32) 7:32 9:32)\n",
        "a = 0, b = 0, c = 7",
    );
}

#[test]
fn equality_of_unknown_values_is_remembered() {
    check(
        "  E0: L0 -> L2 havoc a n0\n  \
         E1: L2 -> L3 assume (~ (== a 5:32))\n  \
         E2: L3 -> L4 assign b a\n  \
         E3: L4 -> L5 assume (~ (== a b))\n  \
         E4: L5 -> L1 assign c 1:32\n",
        "",
    );
}

#[test]
fn truth_values_are_computed_with() {
    check(
        "  E0: L0 -> L2 assign a 1:32\n  \
         E1: L2 -> L3 assign b (zext 32 (== a 0:32))\n  \
         E2: L3 -> L1 assign c (zext 32 (~ (& (== a 1:32) (== b 1:32))))\n",
        "a = 1, b = 0, c = 1",
    );
}
