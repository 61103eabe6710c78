//! The structures under the algorithm: call stacks, the graph, orders, precisions.

use crate::programs;
use assay_cfa::{EdgeId, LocationId};
use assay_cpa::{Arg, CallStacks, Head, PrecisionScope, ScopedPrecision, StackId, Step};

fn head(location: u32) -> Head {
    Head { location: LocationId(location), stack: StackId::EMPTY }
}

#[test]
fn equal_stacks_have_equal_ids_in_all_threads() {
    let stacks = CallStacks::new(Some(2000));
    let run = |offset: u32| {
        let mut ids = Vec::new();
        for start in 0..20 {
            let mut stack = StackId::EMPTY;
            for depth in 0..100 {
                stack = stacks.push(stack, EdgeId((start + offset) % 20 + depth)).expect("within the bound");
                ids.push(((start + offset) % 20, depth, stack));
            }
        }
        ids.sort_unstable();
        ids
    };
    let (first, second) = std::thread::scope(|scope| {
        let (a, b) = (scope.spawn(|| run(0)), scope.spawn(|| run(7)));
        (a.join().expect("no panic"), b.join().expect("no panic"))
    });
    assert_eq!(first, second);
    assert_eq!(stacks.len(), 2001);
    let (_, _, last) = first[99];
    assert_eq!(stacks.depth(last), 100);
    assert_eq!(stacks.calls(last), (0..100).map(EdgeId).collect::<Vec<_>>());
}

#[test]
fn the_bound_refuses() {
    let stacks = CallStacks::new(Some(1));
    let one = stacks.push(StackId::EMPTY, EdgeId(0)).expect("one call is allowed");
    assert_eq!(stacks.push(one, EdgeId(0)), None);
    assert_eq!(stacks.pop(one), Some((EdgeId(0), StackId::EMPTY)));
    assert_eq!(stacks.pop(StackId::EMPTY), None);
}

#[test]
fn removal_says_what_is_left_to_do() {
    let mut arg = Arg::new();
    let root = arg.add_root(head(0));
    let a = arg.add_child(root, Step::Edge(EdgeId(0)), head(1));
    let b = arg.add_child(root, Step::Edge(EdgeId(1)), head(2));
    let c = arg.add_child(a, Step::Edge(EdgeId(2)), head(3));
    let d = arg.add_child(b, Step::Edge(EdgeId(3)), head(3));
    let e = arg.add_child(c, Step::Edge(EdgeId(4)), head(4));
    arg.cover(d, c);
    assert!(arg.is_covered(d));
    let outside = arg.add_child(b, Step::Edge(EdgeId(5)), head(4));
    arg.add_parent(b, Step::Edge(EdgeId(6)), e);
    arg.add_parent(b, Step::Edge(EdgeId(6)), e);
    assert_eq!(arg.children(b).count(), 3);
    let removal = arg.remove_subtree(a, false);
    assert_eq!(removal.removed, [a, c, e]);
    assert_eq!(removal.redo, [(root, Step::Edge(EdgeId(0)).into()), (b, Step::Edge(EdgeId(6)).into())]);
    assert_eq!(removal.uncovered, [d]);
    assert!(!arg.is_covered(d));
    assert_eq!(arg.live().collect::<Vec<_>>(), [root, b, d, outside]);
    assert_eq!(arg.children(b).map(|(_, n)| n).collect::<Vec<_>>(), [outside, d]);
    // Freed links and coverings are used again without harm.
    let again = arg.add_child(root, Step::Edge(EdgeId(0)), head(1));
    arg.cover(again, outside);
    arg.cover(d, outside);
    assert_eq!(arg.covered(outside).collect::<Vec<_>>(), [d, again]);
    arg.uncover(again);
    assert_eq!(arg.covered(outside).collect::<Vec<_>>(), [d]);
    assert_eq!(arg.common_ancestor(d, outside), b);
    assert_eq!(arg.common_ancestor(again, outside), root);
    let removal = arg.remove_subtree(root, true);
    assert_eq!(removal.removed.len(), 4);
    assert_eq!(arg.live().collect::<Vec<_>>(), [root]);
    assert!(removal.redo.is_empty() && removal.uncovered.is_empty());
}

#[test]
fn precisions_differ_from_place_to_place() {
    let program = programs::calls(7);
    let function = |name| program.function(name).expect("it is there");
    let (inc, main) = (function("inc"), function("main"));
    let (here, there) = (program.functions[inc].entry, program.functions[inc].exit);
    let elsewhere = program.functions[main].entry;
    let mut precision = ScopedPrecision::empty();
    assert!(precision.track(&program, here, PrecisionScope::Location, &1u32));
    assert!(!precision.track(&program, here, PrecisionScope::Location, &1));
    assert!(precision.tracks(here, inc, &1) && !precision.tracks(there, inc, &1));
    assert!(precision.track(&program, here, PrecisionScope::Function, &2));
    assert!(precision.tracks(there, inc, &2) && !precision.tracks(elsewhere, main, &2));
    assert!(precision.track(&program, here, PrecisionScope::Global, &3));
    assert!(precision.tracks(elsewhere, main, &3));
    assert_eq!(precision.len(), 3);
    let hash = |item: &u32| u64::from(*item);
    let part = precision.restricted(|f| f == main, |_| false, |_| true);
    assert_eq!(part.len(), 1);
    assert_ne!(part.fingerprint(hash), precision.fingerprint(hash));
    let mut same = ScopedPrecision::empty();
    same.track(&program, here, PrecisionScope::Global, &3);
    assert!(same == part && same.fingerprint(hash) == part.fingerprint(hash));
}
