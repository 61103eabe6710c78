//! Random programs with registers, calls, branches, loops, and memory of every kind.

use assay_cfa::{Operation, Program, Step};
use assay_term::random::Random;
use std::fmt::Write;

struct Maker {
    random: Random,
    locations: u32,
    sources: u32,
    body: String,
    function: &'static str,
    loops: bool,
}

/// Places in memory that are always valid: in small and large objects, at constant and computed offsets.
const PLACES: [&str; 9] = [
    "&m:64",
    "(+ &m:64 4:64)",
    "(+ &m:64 2:64)",
    "p",
    "(+ &arr:64 (zext 64 (* (& a 7:32) 4:32)))",
    "(+ &arr:64 (zext 64 (& b 15:32)))",
    "(+ &big:64 (zext 64 (* (& c 63:32) 4:32)))",
    "(+ &big:64 (zext 64 (& a 63:32)))",
    "(ite (<u a b) &m:64 p)",
];

impl Maker {
    fn edge(&mut self, from: u32, operation: &str) -> u32 {
        let to = self.locations;
        self.locations += 1;
        let _ = writeln!(self.body, "L{from} -> L{to} {operation}");
        to
    }

    fn variable(&mut self) -> String {
        let f = self.function;
        let names = ["a".into(), "b".into(), "c".into(), format!("{f}::t"), format!("{f}::u")];
        names[self.random.below(names.len())].clone()
    }

    fn expression(&mut self, depth: u32) -> String {
        if depth == 0 || self.random.chance(30) {
            return if self.random.chance(40) { format!("{}:32", self.random.below(9)) } else { self.variable() };
        }
        let op = self.random.pick(&["+", "*", "&", "or", "^", "/u", "<<"]);
        let (x, y) = (self.expression(depth - 1), self.expression(depth - 1));
        format!("({op} {x} {y})")
    }

    fn condition(&mut self) -> String {
        let op = self.random.pick(&["==", "<u", "<s"]);
        let (x, y) = (self.expression(1), self.expression(1));
        format!("({op} {x} {y})")
    }

    fn branch(&mut self, at: u32) -> (u32, u32) {
        let condition = self.condition();
        (self.edge(at, &format!("assume {condition}")), self.edge(at, &format!("assume (~ {condition})")))
    }

    fn statements(&mut self, mut at: u32, count: usize, depth: u32) -> u32 {
        for _ in 0..count {
            at = self.statement(at, depth);
        }
        at
    }

    fn statement(&mut self, at: u32, depth: u32) -> u32 {
        let target = self.variable();
        let place = self.random.pick(&PLACES);
        match self.random.below(if depth == 0 { 11 } else { 15 }) {
            0 | 1 => {
                let value = self.expression(2);
                self.edge(at, &format!("assign {target} {value}"))
            }
            2 => {
                let source = self.sources;
                self.sources += 1;
                self.edge(at, &format!("havoc {target} n{source}"))
            }
            3 | 4 => self.edge(at, &format!("load {target} {place}")),
            5 | 6 => {
                let value = self.expression(1);
                self.edge(at, &format!("store {place} {value}"))
            }
            7 => {
                let bytes = self.random.pick(&[1, 3, 4, 8]);
                self.edge(at, &format!("copy &arr:64 &m:64 {bytes}:64"))
            }
            8 => {
                let (byte, bytes) = (self.random.below(256), self.random.pick(&[1, 4, 7, 16]));
                self.edge(at, &format!("fill (+ &arr:64 8:64) {byte}:8 {bytes}:64"))
            }
            9 => {
                let at = self.edge(at, "allocate h 12:64 heap");
                let value = self.expression(1);
                let at = self.edge(at, &format!("store (+ h 4:64) {value}"));
                let at = self.edge(at, &format!("load {target} (+ h (zext 64 (& a 7:32)))"));
                let at = self.edge(at, "assign p (+ h 8:64)");
                if self.random.chance(30) {
                    let at = self.edge(at, "assign p &m:64");
                    self.edge(at, "free h")
                } else {
                    at
                }
            }
            10 => {
                let (bad, good) = self.branch(at);
                let end = self.edge(bad, "skip");
                let _ = writeln!(self.body, "target L{end} unreach-call");
                good
            }
            11 if self.function == "main" => {
                let (x, y) = (self.expression(1), self.expression(1));
                self.edge(at, &format!("call f {x} {y} result {target}"))
            }
            11 | 12 => {
                let (yes, no) = self.branch(at);
                let (n, m) = (self.random.below(3), self.random.below(3));
                let (yes, no) = (self.statements(yes, n, depth - 1), self.statements(no, m, depth - 1));
                let after = self.edge(yes, "skip");
                let _ = writeln!(self.body, "L{no} -> L{after} skip");
                after
            }
            13 if self.loops => {
                let f = self.function;
                let at = self.edge(at, &format!("assign {f}::i 0:32"));
                let head = self.edge(at, "skip");
                let bound = 1 + self.random.below(3);
                let inside = self.edge(head, &format!("assume (<u {f}::i {bound}:32)"));
                let outside = self.edge(head, &format!("assume (~ (<u {f}::i {bound}:32))"));
                // No loop inside: it would count with the same register.
                let count = self.random.below(3);
                let end = self.statements(inside, count, 0);
                let _ = writeln!(self.body, "L{end} -> L{head} assign {f}::i (+ {f}::i 1:32)");
                outside
            }
            _ => {
                let f = self.function;
                let at = self.edge(at, &format!("declare {f}::v"));
                let at = if self.random.chance(50) {
                    let value = self.expression(1);
                    self.edge(at, &format!("store &{f}::v:64 {value}"))
                } else {
                    at
                };
                let at = self.edge(at, &format!("load {target} &{f}::v:64"));
                if self.random.chance(50) { self.edge(at, &format!("end-life {f}::v")) } else { at }
            }
        }
    }
}

pub(super) fn random_program(seed: u64, loops: bool) -> Program {
    let mut maker = Maker { random: Random::new(seed), locations: 4, sources: 0, body: String::new(), function: "main", loops };
    let mut functions = String::new();
    for (function, entry, exit) in [("main", 0, 1), ("f", 2, 3)] {
        maker.function = function;
        let count = 4 + maker.random.below(8);
        let mut first = entry;
        for name in ["t", "u", "i"] {
            first = maker.edge(first, &format!("assign {function}::{name} 0:32"));
        }
        let last = maker.statements(first, count, 2);
        let last = if function == "f" { maker.edge(last, "assign f::r (+ a f::q)") } else { last };
        let _ = writeln!(maker.body, "L{last} -> L{exit} skip");
        let _ = writeln!(functions, "function {function} entry L{entry} exit L{exit}");
        for name in ["t", "u", "i"] {
            let _ = writeln!(functions, "local {function}::{name} (register 32) void source \"{name}\"");
        }
        let _ = writeln!(functions, "local {function}::v (memory 8 4) void source \"v\"");
        if function == "f" {
            functions.push_str("local f::p (register 32) void (parameter 0) \"p\"\nlocal f::q (register 32) void (parameter 1) \"q\"\n");
            functions.push_str("local f::r (register 32) void result \"\"\n");
        }
        functions.push_str(&std::mem::take(&mut maker.body));
        functions.push_str("end\n");
    }
    let mut text = String::from("program LP64 main\n");
    for source in 0..maker.sources {
        let _ = writeln!(text, "source n{source} input \"nondet\" 0:0:0");
    }
    for name in ["a", "b", "c"] {
        let _ = writeln!(text, "global {name} (register 32) void source \"{name}\" (init (0 2:32))");
    }
    text.push_str("global p (register 64) pointer source \"p\" (init (0 &arr:64))\n");
    text.push_str("global h (register 64) pointer source \"h\"\n");
    text.push_str("global m (memory 8 4) void source \"m\" (init (0 5:32))\n");
    text.push_str("global arr (memory 40 4) (array (int 32 signed \"int\") 10) source \"arr\"\n");
    text.push_str("global big (memory 400 4) (array (int 32 signed \"int\") 100) source \"big\"\n");
    text.push_str(&functions);
    assay_cfa::text::read(&text).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

/// A path that follows random edges.
pub(crate) fn random_path(program: &Program, random: &mut Random, length: usize) -> Vec<Step> {
    let mut location = program.functions[program.entry].entry;
    let (mut calls, mut path) = (Vec::new(), Vec::new());
    for _ in 0..length {
        let here = &program.locations[location];
        if location == program.functions[here.function].exit {
            let Some(call) = calls.pop() else { break };
            path.push(Step::Return(call));
            location = program.edges[call].target;
            continue;
        }
        if here.outgoing.is_empty() {
            break;
        }
        let edge = random.pick(&here.outgoing);
        path.push(Step::Edge(edge));
        location = match program.edges[edge].operation {
            Operation::Call { callee, .. } => {
                calls.push(edge);
                program.functions[callee].entry
            }
            _ => program.edges[edge].target,
        };
    }
    path
}
