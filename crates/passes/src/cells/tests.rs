//! Which arrays are watched, and that the programs with watched cells are whole.

use super::*;
use assay_cfa::structure::Structure;

/// A program whose function `main` has these locals and edges.
fn program(locals: &str, edges: &str) -> Program {
    let text = format!("program LP64 main\nfunction main entry L0 exit L1\n{locals}\n target L2 unreach-call\n{edges}\nend\n");
    let program = assay_cfa::text::read(&text).expect("the fixture is readable");
    assert!(assay_cfa::verifier::verify(&program).is_empty());
    program
}

const LOCALS: &str = r#"
  local main::a (memory 40 4) (array (int 32 signed "int") 10) source "a"
  local main::p (register 64) (int 64 unsigned "unsigned int") source "p"
  local main::i (register 32) (int 32 signed "int") source "i"
  local main::x (register 32) (int 32 signed "int") source "x"
"#;

fn watched(edges: &str) -> usize {
    let program = program(LOCALS, edges);
    let watched = watch(&Structure::new(&program), 2);
    if let Some(watched) = &watched {
        let errors = assay_cfa::verifier::verify(&watched.program);
        assert!(errors.is_empty(), "{errors:?}\n{}", assay_cfa::text::print(&watched.program));
    }
    watched.map_or(0, |watched| watched.arrays.len())
}

/// From L3, the error or the end.
const ENDS: &str = "L3 -> L2 skip\nL3 -> L1 skip";

#[test]
fn an_array_with_plain_accesses_is_watched() {
    let edges = format!(
        "L0 -> L4 declare main::a\nL4 -> L5 store (+ &main::a:64 (* (sext 64 main::i) 4:64)) 7:32\n\
         L5 -> L6 assign main::p (+ &main::a:64 8:64)\nL6 -> L3 load main::x (+ main::p (* (sext 64 main::i) 4:64))\n{ENDS}"
    );
    assert_eq!(watched(&edges), 1);
}

#[test]
fn what_is_not_understood_is_not_watched() {
    for odd in [
        // The address is compared, stored, cut, or mixed with a number.
        "assume (== main::p &main::a:64)",
        "store main::p &main::a:64",
        "assign main::x (extract 31 0 &main::a:64)",
        "assign main::p (* &main::a:64 2:64)",
        // Accesses of another width, at an odd offset, or surely outside.
        "store (+ &main::a:64 4:64) 7:16",
        "store (+ &main::a:64 (sext 64 main::i)) 7:32",
        "store (+ &main::a:64 40:64) 7:32",
        // A part of it is filled.
        "fill &main::a:64 0:8 8:64",
    ] {
        let edges = format!("L0 -> L4 declare main::a\nL4 -> L5 store &main::a:64 7:32\nL5 -> L3 {odd}\n{ENDS}");
        assert_eq!(watched(&edges), 0, "{odd}");
    }
    // The register holds an address in the array, and something else.
    let edges = format!(
        "L0 -> L4 declare main::a\nL4 -> L5 assign main::p &main::a:64\nL5 -> L6 assign main::p 0:64\n\
         L6 -> L3 store main::p 7:32\n{ENDS}"
    );
    assert_eq!(watched(&edges), 0);
}

#[test]
fn an_allocation_that_happens_once_is_watched() {
    let once = format!("L0 -> L4 allocate main::p 40:64 heap\nL4 -> L3 store (+ main::p (* (sext 64 main::i) 4:64)) 7:32\n{ENDS}");
    assert_eq!(watched(&once), 1);
    let again = format!("{once}\nL3 -> L0 skip");
    assert_eq!(watched(&again), 0);
}

#[test]
fn a_target_is_guarded_after_the_operation_that_leads_to_it() {
    let text = format!(
        "program LP64 main\nfunction main entry L0 exit L1\n{LOCALS}\n target L2 unreach-call\nL0 -> L3 declare main::a\n\
         L3 -> L4 load main::x &main::a:64\nL4 -> L2 call other\nL4 -> L1 skip\nend\n\
         function other entry L5 exit L6\nL5 -> L6 skip\nend\n"
    );
    let program = assay_cfa::text::read(&text).expect("the fixture is readable");
    let watched = watch(&Structure::new(&program), 1).expect("the array is watched").program;
    let (target, _) = watched.targets().next().expect("the target stays");
    let last: Vec<_> = watched.locations[target].incoming.iter().map(|&edge| &watched.edges[edge].operation).collect();
    assert!(matches!(last[..], [Operation::Assume { .. }]), "{last:?}");
}
