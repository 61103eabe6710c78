use super::instrument;
use crate::check;
use assay_cfa::property::Property;

const HEAD: &str = "program LP64 main
source n0 input \"nondet\" 0:0:0
global g (memory 8 4) void source \"g\"
global p (register 64) pointer source \"p\"
global x (register 32) void source \"x\"
";

fn case(property: &Property, body: &str, expected: &str) {
    check(&format!("{HEAD}{body}"), |program| instrument(program, std::slice::from_ref(property)), expected);
}

#[test]
fn overflow_checks_become_branches() {
    case(
        &Property::NoOverflow,
        "function main entry L0 exit L1
           L0 -> L2 check overflow (== x 2147483647:32) @0:2:3 statement
           L2 -> L3 check shift (== x 5:32)
           L3 -> L4 check overflow (== x 1:32)
           L4 -> L1 check overflow 0:1
         end",
        "function main entry L0 exit L1
           target L5 no-overflow
           E0: L0 -> L2 assume (~ (== x 2147483647:32)) @0:2:3 statement
           E1: L2 -> L3 check shift (== x 5:32)
           E2: L3 -> L4 assume (~ (== x 1:32))
           E3: L4 -> L1 skip
           E4: L0 -> L5 assume (== x 2147483647:32) @0:2:3 statement
           E5: L3 -> L5 assume (== x 1:32)
         end",
    );
}

#[test]
fn what_nobody_asks_for_leaves_no_trace() {
    let body = "function main entry L0 exit L1
           local main::a (memory 4 4) void source \"a\"
           E0: L0 -> L2 check overflow (== x 2147483647:32) @0:3:1 statement
           E1: L2 -> L3 load x p
           E2: L3 -> L4 end-life main::a
           E3: L4 -> L1 skip
         end";
    let left = "function main entry L0 exit L1
           E0: L0 -> L2 load x p @0:3:1 statement
           E1: L2 -> L1 skip
         end";
    case(&Property::UnreachCall { function: "reach_error".into() }, body, left);
    case(&Property::NoDataRace, body, left);
}

#[test]
fn undefined_behaviour_ends_an_execution_where_ends_are_asked_for() {
    case(
        &Property::Termination,
        "function main entry L0 exit L1
           E0: L0 -> L2 check overflow (== x 2147483647:32) @0:3:1 statement
           E1: L2 -> L1 check division (== x 0:32)
         end",
        "function main entry L0 exit L1
           E0: L0 -> L2 assume (~ (== x 2147483647:32)) @0:3:1 statement
           E1: L2 -> L1 assume (~ (== x 0:32))
         end",
    );
}

#[test]
fn calls_of_the_error_function_end_in_targets() {
    case(
        &Property::UnreachCall { function: "bad".into() },
        "function main entry L0 exit L1
           L0 -> L2 assume (== x 1:32)
           L2 -> L3 call bad @0:2:3 (call 0:2:9)
           L3 -> L4 store p x
           L4 -> L1 skip
           L0 -> L1 assume (~ (== x 1:32))
         end
         function bad entry L5 exit L6
           L5 -> L6 skip
         end",
        "function main entry L0 exit L1
           target L5 unreach-call
           E0: L0 -> L2 assume (== x 1:32)
           E1: L2 -> L5 skip @0:2:3 (call 0:2:9)
           E2: L0 -> L1 assume (~ (== x 1:32))
         end
         function bad entry L3 exit L4
           E3: L3 -> L4 skip
         end",
    );
}

#[test]
fn accesses_are_tested_unless_they_are_plainly_inside_an_object() {
    case(
        &Property::MemorySafety,
        "function main entry L0 exit L1
           local main::a (memory 4 4) void source \"a\"
           L0 -> L2 load x (+ &g:64 4:64)
           L2 -> L3 load x (+ &g:64 5:64) @0:3:3 statement
           L3 -> L4 store p x @0:4:3 (call 0:4:9)
           L4 -> L5 copy p &g:64 8:64
           L5 -> L6 fill &g:64 0:8 9:64
           L6 -> L7 free p
           L7 -> L8 load x &main::a:64
           L8 -> L9 end-life main::a
           L9 -> L10 load x &main::a:64
           L10 -> L11 declare main::a
           L11 -> L12 load x &main::a:64
           L12 -> L12 allocate p 4:64 heap
         end",
        "function main entry L0 exit L1
           target L14 valid-memtrack
           target L16 valid-deref
           target L21 valid-free
           E0: L0 -> L2 load x (+ &g:64 4:64)
           E1: L15 -> L3 load x (+ &g:64 5:64) @0:3:3
           E2: L17 -> L4 store p x @0:4:3 (call 0:4:9)
           E3: L18 -> L5 copy p &g:64 8:64
           E4: L19 -> L6 fill &g:64 0:8 9:64
           E5: L20 -> L7 free p
           E6: L7 -> L8 load x &main::a:64
           E7: L8 -> L9 end-life main::a
           E8: L22 -> L10 load x &main::a:64
           E9: L10 -> L11 declare main::a
           E10: L11 -> L13 load x &main::a:64
           E11: L12 -> L13 allocate p 4:64 heap
           E12: L13 -> L12 assume-memory holds all-reachable
           E13: L13 -> L14 assume-memory fails all-reachable
           E14: L2 -> L15 assume-memory holds accessible (+ &g:64 5:64) 4:64 @0:3:3 statement
           E15: L2 -> L16 assume-memory fails accessible (+ &g:64 5:64) 4:64 @0:3:3 statement
           E16: L3 -> L17 assume-memory holds writable p 4:64 @0:4:3
           E17: L3 -> L16 assume-memory fails writable p 4:64 @0:4:3
           E18: L4 -> L18 assume-memory holds writable p 8:64
           E19: L4 -> L16 assume-memory fails writable p 8:64
           E20: L5 -> L19 assume-memory holds writable &g:64 9:64
           E21: L5 -> L16 assume-memory fails writable &g:64 9:64
           E22: L6 -> L20 assume-memory holds freeable p
           E23: L6 -> L21 assume-memory fails freeable p
           E24: L9 -> L22 assume-memory holds accessible &main::a:64 4:64
           E25: L9 -> L16 assume-memory fails accessible &main::a:64 4:64
         end",
    );
}

#[test]
fn a_copy_between_unknown_places_is_tested_twice() {
    case(
        &Property::MemorySafety,
        "function main entry L0 exit L1
           L0 -> L0 copy p (+ p 8:64) 8:64
         end",
        "function main entry L0 exit L1
           target L3 valid-deref
           E0: L4 -> L0 copy p (+ p 8:64) 8:64
           E1: L0 -> L2 assume-memory holds writable p 8:64
           E2: L0 -> L3 assume-memory fails writable p 8:64
           E3: L2 -> L4 assume-memory holds accessible (+ p 8:64) 8:64
           E4: L2 -> L3 assume-memory fails accessible (+ p 8:64) 8:64
         end",
    );
}

#[test]
fn without_a_heap_nothing_is_lost() {
    let body = "function main entry L0 exit L1
           E0: L0 -> L1 skip
         end";
    case(&Property::MemorySafety, body, body);
    case(&Property::MemoryCleanup, body, body);
}

#[test]
fn the_ends_of_the_program_are_tested() {
    case(
        &Property::MemoryCleanup,
        "function main entry L0 exit L1
           L0 -> L1 call f @0:9:9 statement
         end
         function f entry L2 exit L3
           L2 -> L4 allocate p 4:64 heap
           L2 -> L3 assume (~ (== x 1:32))
         end",
        "function main entry L0 exit L1
           target L8 valid-memcleanup
           E0: L0 -> L7 call f @0:9:9 statement
           E5: L7 -> L1 assume-memory holds nothing-allocated @0:9:9
           E6: L7 -> L8 assume-memory fails nothing-allocated @0:9:9
         end
         function f entry L2 exit L3
           target L6 valid-memcleanup
           E1: L2 -> L5 allocate p 4:64 heap
           E2: L2 -> L3 assume (~ (== x 1:32))
           E3: L5 -> L4 assume-memory holds nothing-allocated
           E4: L5 -> L6 assume-memory fails nothing-allocated
         end",
    );
}
