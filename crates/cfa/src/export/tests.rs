use super::{dot, json};
use crate::Program;

fn example() -> Program {
    let mut program = crate::text::read(
        "program LP64 main
source n0 input \"nondet\" 0:0:0
global g (memory 8 4) void source \"g\"
function main entry L0 exit L1
  local main::x (register 32) void source \"x\"
  local main::$1 (register 32) void temporary \"\"
  target L4 unreach-call
  L0 -> L2 havoc main::x n0 @0:1:1
  L2 -> L3 assume (& (~ (<s main::x 5:32)) (~ (== main::$1 4294967295:32))) @0:2:1
  L2 -> L1 assume (~ (& (~ (<s main::x 5:32)) (~ (== main::$1 4294967295:32))))
  L3 -> L2 store (+ &g:64 (sext 64 main::x)) (ite (<u main::x 3:32) (extract 7 0 main::x) 1:8)
  L3 -> L4 call main
end
",
    )
    .expect("readable");
    program.sources.add("example.c", "int x = nondet();\n  while (x >= \"5\")\n");
    program
}

#[test]
fn dot_shows_operations_and_lines() {
    assert_eq!(
        dot(&example()),
        r#"digraph cfa {
  node [shape=circle, fontsize=10];
  edge [fontsize=9];
  subgraph cluster_0 {
    label="main";
    L0 [label="L0", shape=box];
    L1 [label="L1", shape=doublecircle];
    L2 [label="L2", penwidth=3];
    L3 [label="L3"];
    L4 [label="L4\nunreach-call", style=filled, fillcolor=red];
  }
  L0 -> L2 [label="x = nondet()\n1: int x = nondet();"];
  L2 -> L3 [label="[(($1 != -1) && (x >= 5))]\n2: while (x >= \"5\")"];
  L2 -> L1 [label="[!(($1 != -1) && (x >= 5))]"];
  L3 -> L2 [label="*((&g + (i64)x)) = ((x <u 3) ? x[7:0] : 1)"];
  L3 -> L4 [label="main()", style=dashed];
}
"#
    );
}

#[test]
fn json_has_every_part() {
    let value = json(&example());
    assert_eq!(value["entry"], "main");
    assert_eq!(value["edges"][1]["line"], "2: while (x >= \"5\")");
    assert_eq!(value["edges"][0]["operation"], "havoc main::x n0");
    assert_eq!(value["locations"][4]["target"], "unreach-call");
    assert_eq!(value["locations"][0]["distanceToTarget"], 2);
    assert_eq!(value["locations"][2]["loopHead"], true);
    assert_eq!(value["functions"][0]["locals"][0]["name"], "main::x");
}
