//! Cuts recursion: beside each call of a recursive function there is a path past it, so that an analysis can follow the
//! call or take what it does as a whole. What the path past it does is the analysis' business: its edges are skips
//! here.

use assay_base::FastMap;
use assay_cfa::builder::Builder;
use assay_cfa::operation::Operation;
use assay_cfa::program::{EdgeId, Origin, Program};
use assay_cfa::structure::Structure;

/// A program whose recursive calls can be passed by. Only an analysis that knows what to do there can use it.
#[derive(Clone, Debug)]
pub struct Cut {
    /// With a path past each call of a recursive function.
    pub program: Program,
    /// Which paths these are.
    pub calls: CutCalls,
}

/// The paths past calls of recursive functions, each with the call.
#[derive(Clone, Debug, Default)]
pub struct CutCalls {
    /// From the path past a call to the call.
    pub past: FastMap<EdgeId, EdgeId>,
}

/// Makes the paths past recursive calls; `None` where there are none. All ids stay: the edge of a call becomes the path
/// past it, and the call itself leads to a new location, at which a path ends.
pub fn cut(structure: &Structure<'_>) -> Option<Cut> {
    let program = structure.program;
    let recursive = &structure.calls().recursive;
    let mut builder = Builder::of(program);
    let mut calls = CutCalls::default();
    for (id, edge) in program.edges.iter_ids() {
        let Operation::Call { callee, .. } = edge.operation else { continue };
        if !recursive[callee] {
            continue;
        }
        builder.edges[id].operation = Operation::Skip;
        let end = builder.location(program.locations[edge.source].function);
        calls.past.insert(id, builder.edge(edge.source, end, edge.operation.clone(), edge.span, Origin::Internal));
    }
    if calls.past.is_empty() {
        return None;
    }
    Some(Cut { program: builder.finish(program.entry), calls })
}

#[cfg(test)]
mod tests {
    use super::*;

    const RECURSIVE: &str = r#"
program LP64 main
function f entry L0 exit L1
  local f::n (register 32) (int 32 signed "int") (parameter 0) "n"
  local f::return (register 32) (int 32 signed "int") result ""
  L0 -> L2 assume (== f::n 0:32)
  L0 -> L3 assume (~ (== f::n 0:32))
  L2 -> L1 assign f::return 0:32
  L3 -> L1 call f (+ f::n 4294967295:32) result f::return
end
function main entry L4 exit L5
  target L6 unreach-call
  local main::x (register 32) (int 32 signed "int") source "x"
  L4 -> L7 call f 5:32 result main::x
  L7 -> L5 assume (== main::x 0:32)
  L7 -> L6 assume (~ (== main::x 0:32))
end
"#;

    #[test]
    fn each_recursive_call_has_a_way_past_it() {
        let program = assay_cfa::text::read(RECURSIVE).expect("the fixture is readable");
        let cut = cut(&Structure::new(&program)).expect("there is a recursion");
        let errors = assay_cfa::verifier::verify(&cut.program);
        assert!(errors.is_empty(), "{errors:?}\n{}", assay_cfa::text::print(&cut.program));
        assert_eq!(cut.calls.past.len(), 2);
        for (&past, &call) in &cut.calls.past {
            let (past, call) = (&cut.program.edges[past], &cut.program.edges[call]);
            assert_eq!(past.operation, Operation::Skip);
            assert!(matches!(call.operation, Operation::Call { .. }));
            assert_eq!(past.source, call.source);
            assert!(cut.program.locations[call.target].outgoing.is_empty(), "a path ends where the call returns");
        }
    }

    #[test]
    fn without_recursion_there_is_nothing_to_cut() {
        let text = RECURSIVE.replace("call f (+ f::n 4294967295:32) result f::return", "assign f::return f::n");
        let program = assay_cfa::text::read(&text).expect("the fixture is readable");
        assert!(cut(&Structure::new(&program)).is_none());
    }
}
