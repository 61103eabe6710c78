use super::{print, read};

const EXAMPLE: &str = r#"program LP64 $start
file "example.c"
syntax while 1 goto 2
assumption over 0:3:1 "a \"quoted\" text"
source n0 input "__VERIFIER_nondet_int" 0:3:11
source n1 uninitialised "b" 0:0:0
global g (register 32) (int 32 signed "int") source "g" 0:1:5 (init (0 7:32))
global t (memory 16 8) (array (array pointer 2) ?) source "t" 0:1:9 (init (0 &|fn f|:64) (8 (+ &t:64 4:64)))
global |strange name| (memory 4 1 constant exposed) (array (int 8 signed "char") 4) literal "" (init (0 97:8))
function $start entry L0 exit L1
  E0: L0 -> L1 call main
end
function f entry L2 exit L3 0:5:5
  local f::a (register 32) (int 32 signed "int") (parameter 0) "a" 0:5:11
  local f::b (memory ? 4) (array (int 32 unsigned "unsigned int") ?) source "b"
  local f::$result (register 32) (int 32 signed "int") result ""
  local f::$1 (register 64) (record "struct s" 8) temporary ""
  local f::$2 (register 64) (float 64) temporary ""
  E1: L2 -> L4 declare f::b size (* (sext 64 f::a) 4:64) @0:6:3 statement
  E2: L4 -> L5 store (+ (zext 64 f::a) &f::b:64) (extract 15 8 f::a)
  E3: L5 -> L6 load f::$1 &f::b:64
  E4: L6 -> L7 copy f::$1 &t:64 8:64
  E5: L7 -> L8 fill f::$1 0:8 8:64
  E6: L8 -> L9 havoc-memory f::$1 8:64 n1
  E7: L9 -> L10 allocate f::$1 16:64 heap zeroed
  E8: L10 -> L11 free f::$1
  E9: L11 -> L12 end-life f::b
  E10: L12 -> L13 assign f::$2 (fadd (fromsigned 64 f::a) f::$2)
  E11: L13 -> L14 check shift (~ (<u f::a 32:32))
  E12: L14 -> L15 assume-memory holds accessible f::$1 4:64
  E13: L14 -> L16 assume-memory fails all-reachable
  E14: L15 -> L3 assign f::$result (ite (f< f::$2 0:64) g f::a) @0:9:3 statement
end
function main entry L17 exit L18 0:10:5
  local main::x (register 32) (int 32 signed "int") source "x" 0:11:7
  target L19 unreach-call
  location L20
  E15: L17 -> L21 havoc main::x n0 @0:11:7 statement
  E16: L21 -> L22 assume (== main::x 5:32) @0:12:7 (branch taken 0:12:3)
  E17: L21 -> L23 assume (~ (== main::x 5:32)) @0:12:7 (branch not-taken 0:12:3 loop)
  E18: L22 -> L19 skip (case 0:13:1)
  E19: L23 -> L24 call f main::x result main::x @0:14:7 (call 0:14:10)
  E20: L24 -> L18 unsupported "setjmp"
end
"#;

#[test]
fn every_item_is_printed_as_it_was_read() {
    let program = read(EXAMPLE).expect("the example is readable");
    assert_eq!(print(&program), EXAMPLE);
}

#[test]
fn large_terms_name_what_they_share() {
    let mut sum = "x".to_string();
    for index in 0..10 {
        sum = format!("(/u (+ {sum} y) (^ {sum} {index}:32))");
    }
    let variables = "global x (register 32) void source \"x\"\nglobal y (register 32) void source \"y\"";
    let text = format!("program ILP32 f\n{variables}\nfunction f entry L0 exit L1\n  E0: L0 -> L1 assign x {sum}\nend\n");
    let printed = print(&read(&text).expect("readable"));
    assert!(printed.contains("assign x (let $0 = "), "{printed}");
    assert!(printed.len() < 2000, "{printed}");
    assert_eq!(print(&read(&printed).expect("readable again")), printed);
}

#[test]
fn deep_terms_need_no_deep_stack() {
    let depth = 100_000;
    let text = format!(
        "program ILP32 f\nglobal x (register 32) void source \"x\"\nfunction f entry L0 exit L1\n  E0: L0 -> L1 assign x {}x{}\nend\n",
        "(fsqrt ".repeat(depth),
        ")".repeat(depth)
    );
    let printed = print(&read(&text).expect("readable"));
    assert_eq!(print(&read(&printed).expect("readable again")), printed);
}

#[test]
fn mistakes_are_named_with_their_line() {
    let head = "program ILP32 f\nglobal x (register 32) void source \"x\"\nfunction f entry L0 exit L1\n";
    let cases = [
        ("L0 -> L1 assign y 1:32", "line 4: the variable `y` is not declared"),
        ("L0 -> L1 assign x 1:0", "line 4: at byte 0: expected a term, found `1:0`"),
        ("L0 -> L1 assign x", "line 4: a term is missing"),
        ("L0 -> L1 assign x (+ x 1:8)", "line 4: at byte 1: operands do not fit `+`"),
        ("L0 -> L1 assign x (+ x)", "line 4: at byte 1: operands do not fit `+`"),
        ("L0 -> L1 assign x (frob x)", "line 4: at byte 1: `frob` is not supported"),
        ("L0 -> L1 assign x (+ x", "line 4: the text ends in the middle of a term"),
        ("L0 -> L1 dance", "line 4: `dance` is not an operation"),
        ("L0 -> L1 call g", "line 4: the function `g` is not there"),
        ("L0 -> L1 skip skip", "line 4: Word(\"skip\") is one token too many"),
        ("L0 -> L3 skip", "L2 is missing: locations are numbered without gaps"),
        ("E1: L0 -> L1 skip", "E0 is missing: edges are numbered without gaps"),
        ("L0 -> L1 unsupported \"x", "line 4: a closing \" is missing"),
        ("target L1 love", "line 4: `love` is not a target"),
    ];
    for (line, expected) in cases {
        let error = read(&format!("{head}  {line}\nend\n")).expect_err(line);
        assert_eq!(error.to_string(), expected, "{line}");
    }
}
