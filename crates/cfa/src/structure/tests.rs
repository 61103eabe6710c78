use super::*;
use crate::program::{EdgeId, FunctionId, LocationId, VarId};
use crate::text::read;
use assay_base::{FastSet, Id};

fn program(text: &str) -> Program {
    let program = read(text).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(crate::verifier::verify(&program), vec![]);
    program
}

/// One function whose locations are numbered from its entry 0; location 1 is the exit.
fn graph(edges: &[(u32, u32)]) -> Program {
    let mut text = "program LP64 main\nfunction main entry L0 exit L1\n".to_string();
    let count = edges.iter().map(|&(a, b)| a.max(b)).max().unwrap_or(0).max(1);
    let used: FastSet<u32> = edges.iter().flat_map(|&(a, b)| [a, b]).collect();
    (2..=count).filter(|l| !used.contains(l)).for_each(|l| text.push_str(&format!("location L{l}\n")));
    edges.iter().for_each(|(a, b)| text.push_str(&format!("L{a} -> L{b} skip\n")));
    text.push_str("end\n");
    program(&text)
}

fn loops_of(edges: &[(u32, u32)]) -> Vec<(u32, u32, Vec<u32>, bool)> {
    let program = graph(edges);
    let structure = Structure::new(&program);
    let mut found: Vec<(u32, u32, Vec<u32>, bool)> = structure
        .loops()
        .loops
        .iter()
        .map(|l| {
            let mut locations: Vec<u32> = l.locations.iter().map(|l| l.0).collect();
            locations.sort_unstable();
            (l.head.0, l.depth, locations, l.irreducible)
        })
        .collect();
    found.sort();
    found
}

#[test]
fn loops_are_found_with_their_nesting() {
    // A loop in a loop, and one that only goes to itself.
    let nested = [(0, 2), (2, 3), (3, 4), (4, 3), (4, 2), (2, 5), (5, 5), (5, 1)];
    assert_eq!(loops_of(&nested), [(2, 1, vec![2, 3, 4], false), (3, 2, vec![3, 4], false), (5, 1, vec![5], false)]);
    // Two paths into a cycle.
    assert_eq!(loops_of(&[(0, 2), (0, 3), (2, 3), (3, 2), (3, 1)]), [(3, 1, vec![2, 3], true)]);
    // Two continues to one head are one loop.
    assert_eq!(loops_of(&[(0, 2), (2, 3), (2, 4), (3, 2), (4, 2), (2, 1)]), [(2, 1, vec![2, 3, 4], false)]);
    assert_eq!(loops_of(&[(0, 2), (2, 1)]), []);
}

#[test]
fn a_loop_knows_its_edges() {
    let program = graph(&[(0, 2), (2, 3), (3, 2), (3, 4), (2, 1), (4, 1)]);
    let structure = Structure::new(&program);
    let found = &structure.loops().loops[LoopId(0)];
    assert_eq!((&found.entries[..], &found.back[..]), (&[EdgeId(0)][..], &[EdgeId(2)][..]));
    let mut exits = found.exits.clone();
    exits.sort();
    assert_eq!(exits, [EdgeId(3), EdgeId(4)]);
}

/// A small generator of numbers, the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u32) -> u32 {
        self.0 = assay_base::hash::mix(self.0.wrapping_add(0x9E37_79B9_7F4A_7C15));
        (self.0 % u64::from(bound)) as u32
    }
}

fn random_graph(random: &mut Random) -> Program {
    let size = 3 + random.below(9);
    let mut edges: Vec<(u32, u32)> = vec![];
    for _ in 0..size + random.below(2 * size) {
        let (mut from, to) = (random.below(size), random.below(size));
        if from == 1 {
            from = 0;
        }
        edges.push((from, to));
    }
    graph(&edges)
}

/// What the entry reaches when `without` is taken out.
fn reach(program: &Program, from: LocationId, without: Option<LocationId>) -> FastSet<LocationId> {
    let mut seen: FastSet<LocationId> = FastSet::default();
    let mut stack = vec![from];
    while let Some(location) = stack.pop() {
        if Some(location) != without && seen.insert(location) {
            stack.extend(program.locations[location].outgoing.iter().map(|&e| program.edges[e].target));
        }
    }
    seen
}

#[test]
fn orders_dominators_and_loops_agree_with_their_definitions() {
    let mut random = Random(7);
    for iteration in 0..2000 {
        let program = random_graph(&mut random);
        let structure = Structure::new(&program);
        let (order, loops, dominators) = (structure.order(), structure.loops(), structure.dominators());
        let entry = program.functions[FunctionId(0)].entry;
        let reached = reach(&program, entry, None);
        for a in program.locations.ids() {
            assert_eq!(order.is_reached(a), reached.contains(&a), "iteration {iteration}");
            let rest = reach(&program, entry, Some(a));
            for b in program.locations.ids() {
                let expected = reached.contains(&a) && reached.contains(&b) && !rest.contains(&b);
                assert_eq!(dominators.dominates(a, b), expected, "iteration {iteration}: {a} dominates {b}");
                if let Some(immediate) = dominators.immediate[b] {
                    assert!(dominators.dominates(immediate, b) && immediate != b);
                    assert!(a == b || !dominators.dominates(a, b) || dominators.dominates(a, immediate));
                }
            }
        }
        // Without the edges into heads nothing iterates any more, and forward edges go forward in both orders.
        let retreating: FastSet<EdgeId> = order.retreating.iter().copied().collect();
        for (id, edge) in program.edges.iter_ids().filter(|(_, e)| reached.contains(&e.source)) {
            let (from, to) = (order.position[edge.source], order.position[edge.target]);
            assert_eq!(from >= to, retreating.contains(&id), "iteration {iteration}: {id}");
            let (from, to) = (loops.weak_position[edge.source], loops.weak_position[edge.target]);
            let goes_back = loops.head_of(edge.target).is_some_and(|l| loops.contains(l, edge.source));
            assert_eq!(from >= to, goes_back, "iteration {iteration}: {id} in the weak topological order");
        }
        for (id, found) in loops.loops.iter_ids() {
            let mut places: Vec<u32> = found.locations.iter().map(|&l| loops.weak_position[l]).collect();
            assert_eq!(loops.weak_position[found.head], *places.iter().min().unwrap_or(&0));
            places.sort_unstable();
            assert!(places.windows(2).all(|w| w[0] + 1 == w[1]), "iteration {iteration}: {id} is not one piece");
            assert_eq!(
                found.irreducible,
                found.locations.iter().any(|&l| !dominators.dominates(found.head, l)),
                "iteration {iteration}: {id}"
            );
            for &location in &found.locations {
                assert!(loops.contains(id, location));
                assert!(loops.around(location).any(|l| l == id));
            }
        }
    }
}

const CALLS: &str = "program LP64 start
global a (register 32) void source \"a\"
global b (register 32) void source \"b\"
global m (memory 4 4) void source \"m\"
global k (memory 4 4) void source \"k\"
global p (register 64) pointer source \"p\"
source n0 input \"nondet\" 0:0:0
function start entry L0 exit L1
  L0 -> L2 call main
  L2 -> L3 assume (== a 1:32)
  L3 -> L4 skip
  L4 -> L1 skip
  target L5 unreach-call
  L4 -> L5 skip
end
function main entry L6 exit L7
  local main::x (register 32) void source \"x\"
  L6 -> L8 call even main::x
  L8 -> L9 assign main::x (+ a main::x)
  L9 -> L8 load main::x &m:64
  L8 -> L7 skip
end
function even entry L10 exit L11
  local even::n (register 32) void (parameter 0) \"n\"
  L10 -> L12 call odd even::n
  L10 -> L11 assume (== even::n 0:32)
  L12 -> L11 skip
end
function odd entry L13 exit L14
  local odd::n (register 32) void (parameter 0) \"n\"
  L13 -> L15 assign b odd::n
  L15 -> L14 call even odd::n
end
function lone entry L16 exit L17
  L16 -> L18 store (+ p 4:64) a
  L18 -> L17 assign p &k:64
end
";

#[test]
fn the_call_graph_knows_recursion() {
    let program = program(CALLS);
    let structure = Structure::new(&program);
    let calls = structure.calls();
    let names = |ids: &[FunctionId]| ids.iter().map(|&f| program.functions[f].name.as_str()).collect::<Vec<_>>();
    let components: Vec<Vec<&str>> = calls.components.iter().map(|c| names(c)).collect();
    assert_eq!(components, [vec!["even", "odd"], vec!["main"], vec!["start"], vec!["lone"]]);
    let of = |name: &str| program.function(name).expect("the function is there");
    assert_eq!(["start", "main", "even", "odd", "lone"].map(|f| calls.recursive[of(f)]), [false, false, true, true, false]);
    assert_eq!(["start", "main", "even", "odd", "lone"].map(|f| calls.reached[of(f)]), [true, true, true, true, false]);
    assert_eq!(names(&calls.callers[of("even")]), ["main", "odd"]);
    assert_eq!(calls.sites[of("even")], [EdgeId(5), EdgeId(13)]);
}

#[test]
fn distances_go_through_calls_and_returns() {
    let program = program(CALLS);
    let structure = Structure::new(&program);
    let distances = structure.distances();
    let of = |l: u32| distances.to_target[LocationId(l)];
    assert_eq!([of(5), of(4), of(3), of(2)], [0, 1, 2, 3]);
    // Through `main`, whose shortest path calls `even`, whose shortest path is one edge: 1 + (1 + 1) + 1, and then the
    // rest.
    assert_eq!((distances.to_exit[LocationId(6)], of(0)), (3, 3 + 1 + 3));
    // From inside of callees: to the exit, then the shortest caller's rest.
    assert_eq!(of(11), of(8));
    assert_eq!((of(8), of(12)), (1 + 3, 1 + 1 + 3));
    assert_eq!(of(1), UNREACHABLE);
    assert_eq!(distances.to_target_inside[LocationId(6)], UNREACHABLE);
    assert_eq!((of(16), distances.to_exit[LocationId(16)]), (UNREACHABLE, 2));
}

#[test]
fn effects_are_transitive() {
    let program = program(CALLS);
    let structure = Structure::new(&program);
    let effects = structure.effects();
    let names = |ids: &[VarId]| ids.iter().map(|&v| program.variables[v].name.as_str()).collect::<Vec<_>>();
    let of = |name: &str| &effects.functions[program.function(name).expect("the function is there")];
    assert_eq!((names(&of("odd").reads), names(&of("odd").writes)), (vec!["odd::n"], vec!["b", "odd::n"]));
    assert_eq!(names(&of("even").writes), ["b", "even::n"]);
    assert_eq!((names(&of("main").reads), names(&of("main").writes)), (vec!["a", "m", "main::x"], vec!["b", "main::x"]));
    assert_eq!((names(&of("start").reads), names(&of("start").writes)), (vec!["a", "m"], vec!["b"]));
    assert!(!of("start").accesses_memory() && of("lone").writes_unknown_memory && !of("lone").reads_unknown_memory);
    let escaped: Vec<VarId> = effects.escaped.iter_ids().filter(|(_, e)| **e).map(|(v, _)| v).collect();
    assert_eq!(names(&escaped), ["k"]);
    let looping = &structure.loops().loops[LoopId(0)];
    let edges = looping.locations.iter().flat_map(|&l| program.locations[l].outgoing.clone()).filter(|e| !looping.exits.contains(e));
    let inside = effects.of_edges(&program, edges);
    assert_eq!((names(&inside.reads), names(&inside.writes)), (vec!["a", "m", "main::x"], vec!["main::x"]));
}

#[test]
fn large_functions_take_no_long_time() {
    // A ladder of branches to the exit inside one loop: quadratic methods would need 10^10 steps.
    let count = 100_000;
    let mut edges = vec![(0, 2)];
    for l in 2..count {
        edges.extend([(l, l + 1), (l, 1)]);
    }
    edges.push((count, 2));
    let program = graph(&edges);
    let structure = Structure::new(&program);
    assert_eq!(structure.loops().loops[LoopId(0)].locations.len() as u32, count - 1);
    assert_eq!(structure.dominators().immediate[LocationId(1)], Some(LocationId(2)));
    assert_eq!(structure.distances().to_exit[LocationId::from_index(0)], 2);
}
