//! Small programs with threads: where they may give way, and what is left of them.

use super::sequentialise;
use assay_cfa::operation::Operation;
use assay_cfa::program::Program;
use assay_cfa::property::Target;

/// `main` starts a thread in `t`; both then take these steps.
fn program(steps: &[&str], asked: &str) -> Program {
    let body = |first: usize, last: usize, middle: usize| {
        let mut text = String::new();
        for (index, step) in steps.iter().enumerate() {
            let from = if index == 0 { first } else { middle + index };
            let to = if index + 1 == steps.len() { last } else { middle + index + 1 };
            text.push_str(&format!("  L{from} -> L{to} {step}\n"));
        }
        text
    };
    let inner = steps.len() - 1;
    let text = format!(
        "program LP64 main\nquestions {asked}\nglobal x (memory 4 4) void source \"x\"\nglobal m (memory 4 4) void source \"m\"\n\
         function main entry L0 exit L1\n  local main::$1 (register 64) void temporary \"\"\n\
         \x20 L0 -> L2 spawn main::$1 &|fn t|:64 0:64\n{}end\n\
         function t entry L3 exit L4\n  local t::p (register 64) void (parameter 0) \"p\"\n{}end\n",
        body(2, 1, 4),
        body(3, 4, 4 + inner),
    );
    let program = assay_cfa::text::read(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let defects = assay_cfa::verifier::verify(&program);
    assert!(defects.is_empty(), "{defects:?}\n{text}");
    let program = sequentialise(program, &[]);
    let defects = assay_cfa::verifier::verify(&program);
    assert!(defects.is_empty(), "{defects:?}");
    program
}

/// How often an input says who goes on.
fn choices(program: &Program) -> usize {
    program.edges.iter().filter(|edge| matches!(edge.operation, Operation::Havoc { .. })).count()
}

fn has_race(program: &Program) -> bool {
    program.targets().any(|(_, target)| target == Target::DataRace)
}

const ACCESSES: [&str; 2] = ["store &x:64 1:32", "store &x:64 2:32"];
const LOCKED: [&str; 4] = ["acquire &m:64", ACCESSES[0], ACCESSES[1], "release &m:64"];
const ATOMIC: [&str; 4] = ["atomic-begin", ACCESSES[0], ACCESSES[1], "atomic-end"];

#[test]
fn threads_give_way_only_where_it_matters() {
    // Two more in each program: at the end of the thread and before that of the program.
    assert_eq!(choices(&program(&ACCESSES, "unreach-call")), 2 + 4);
    assert_eq!(choices(&program(&LOCKED, "unreach-call")), 2 + 2, "what a lock protects needs no choice, and giving it back neither");
    assert_eq!(choices(&program(&ATOMIC, "unreach-call")), 2 + 2, "a section is one step");
    assert_eq!(choices(&program(&["skip"], "unreach-call")), 2, "what nobody shares needs no choice");
}

#[test]
fn races_are_targets_where_nothing_protects() {
    assert!(has_race(&program(&ACCESSES, "no-data-race")));
    for protected in [&LOCKED, &ATOMIC] {
        let program = program(protected, "no-data-race");
        assert!(!has_race(&program));
        assert_eq!(program.edges.len(), 1, "nothing is left to be explored");
    }
    assert!(!has_race(&program(&["skip"], "no-data-race")));
}

#[test]
fn variables_are_registers_again() {
    let program = program(&ACCESSES, "unreach-call");
    assert!(!program.edges.iter().any(|edge| matches!(edge.operation, Operation::Load { .. } | Operation::Store { .. })));
}
