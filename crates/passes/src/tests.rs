//! Random programs run before and after each pass, with the same inputs: a target is reached in both or in neither.

use super::*;
use assay_base::{CancelToken, FastMap};
use assay_cfa::program::SourceId;
use assay_semantics::interpreter::{Oracle, Stop, run};
use assay_term::Bits;
use std::fmt::Write;

/// The same value for the same occurrence of the same source, whatever else was taken out.
struct BySource {
    seed: u64,
    counts: FastMap<SourceId, u64>,
}

impl Oracle for BySource {
    fn source(&mut self, source: SourceId, width: u32) -> Bits {
        let count = self.counts.entry(source).or_default();
        *count += 1;
        let value = assay_base::hash::mix(self.seed ^ (u64::from(source.0) << 32) ^ *count);
        Bits::new(width, u128::from(value % 5))
    }
    fn memory(&mut self, _: u32, _: u64, width: u32) -> Bits {
        Bits::new(width, 0)
    }
}

struct Generator {
    seed: u64,
    locations: u32,
    sources: u32,
    body: String,
    /// How deep in branches and loops the statement is.
    depth: u32,
    function: &'static str,
}

impl Generator {
    fn below(&mut self, bound: u64) -> u64 {
        self.seed = self.seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
        assay_base::hash::mix(self.seed) % bound
    }
    fn location(&mut self) -> u32 {
        self.locations += 1;
        self.locations - 1
    }
    fn variable(&mut self) -> String {
        match self.below(6) {
            0 => format!("{}::t", self.function),
            1 => format!("{}::u", self.function),
            n => ["a", "b", "c", "k"][n as usize - 2].to_string(),
        }
    }
    fn expression(&mut self, depth: u32) -> String {
        match self.below(if depth == 0 { 2 } else { 5 }) {
            0 => format!("{}:32", self.below(4)),
            1 => self.variable(),
            2 => format!("(+ {} {})", self.expression(depth - 1), self.expression(depth - 1)),
            3 => format!("(* {} {})", self.expression(depth - 1), self.expression(depth - 1)),
            _ => format!("(ite {} {} {})", self.condition(), self.expression(depth - 1), self.expression(depth - 1)),
        }
    }
    fn condition(&mut self) -> String {
        let (a, b) = (self.expression(1), self.expression(1));
        let operator = if self.below(2) == 0 { "==" } else { "<s" };
        format!("({operator} {a} {b})")
    }
    fn edge(&mut self, from: u32, operation: &str) -> u32 {
        let to = self.location();
        let _ = writeln!(self.body, "L{from} -> L{to} {operation}");
        to
    }
    fn branch(&mut self, from: u32) -> (u32, u32) {
        let condition = self.condition();
        (self.edge(from, &format!("assume {condition}")), self.edge(from, &format!("assume (~ {condition})")))
    }
    fn statements(&mut self, mut at: u32, count: u64) -> u32 {
        for _ in 0..count {
            at = self.statement(at);
        }
        at
    }
    fn statement(&mut self, at: u32) -> u32 {
        let kind = self.below(if self.depth < 3 { 11 } else { 8 });
        let target = loop {
            let name = self.variable();
            // `k` is a constant, for constant propagation.
            if name != "k" {
                break name;
            }
        };
        match kind {
            0 | 1 => {
                let value = self.expression(2);
                self.edge(at, &format!("assign {target} {value}"))
            }
            2 => {
                self.sources += 1;
                let source = self.sources - 1;
                self.edge(at, &format!("havoc {target} n{source}"))
            }
            3 => {
                let address = ["&m:64", "(+ &m:64 4:64)", "p", "&escaped:64"][self.below(4) as usize];
                self.edge(at, &format!("load {target} {address}"))
            }
            4 => {
                let (address, value) = (["&m:64", "(+ &m:64 4:64)", "p", "&escaped:64"][self.below(4) as usize], self.expression(1));
                self.edge(at, &format!("store {address} {value}"))
            }
            5 => {
                let (bad, good) = self.branch(at);
                let (bad_end, _) = (self.edge(bad, "skip"), ());
                let _ = writeln!(self.body, "target L{bad_end} unreach-call");
                good
            }
            6 if self.function == "main" => {
                let (x, y) = (self.expression(1), self.expression(1));
                self.edge(at, &format!("call f {x} {y} result {target}"))
            }
            6 | 7 => self.edge(at, "skip"),
            8 | 9 => {
                self.depth += 1;
                let (yes, no) = self.branch(at);
                let (n, m) = (self.below(3), self.below(3));
                let (yes, no) = (self.statements(yes, n), self.statements(no, m));
                self.depth -= 1;
                let after = self.edge(yes, "skip");
                let _ = writeln!(self.body, "L{no} -> L{after} skip");
                after
            }
            _ => {
                self.depth += 1;
                let head = self.edge(at, "skip");
                let (inside, outside) = self.branch(head);
                let count = self.below(3);
                let end = self.statements(inside, count);
                let _ = writeln!(self.body, "L{end} -> L{head} assign a (+ a 1:32)");
                self.depth -= 1;
                outside
            }
        }
    }
}

fn random_program(seed: u64) -> Program {
    let mut generator = Generator { seed, locations: 4, sources: 0, body: String::new(), depth: 0, function: "main" };
    let mut functions = String::new();
    for (function, entry, exit) in [("main", 0, 1), ("f", 2, 3)] {
        generator.function = function;
        let count = 4 + generator.below(8);
        let first = generator.edge(entry, &format!("assign {function}::t 0:32"));
        let first = generator.edge(first, &format!("assign {function}::u 3:32"));
        let last = generator.statements(first, count);
        let last = if function == "f" { generator.edge(last, "assign f::r (+ a f::q)") } else { last };
        let _ = writeln!(generator.body, "L{last} -> L{exit} skip");
        let _ = writeln!(functions, "function {function} entry L{entry} exit L{exit}");
        for name in ["t", "u"] {
            let _ = writeln!(functions, "local {function}::{name} (register 32) void source \"{name}\"");
        }
        if function == "f" {
            functions.push_str("local f::p (register 32) void (parameter 0) \"p\"\nlocal f::q (register 32) void (parameter 1) \"q\"\n");
            functions.push_str("local f::r (register 32) void result \"\"\n");
        }
        functions.push_str(&std::mem::take(&mut generator.body));
        functions.push_str("end\n");
    }
    let mut text = String::from("program LP64 main\n");
    for source in 0..generator.sources {
        let _ = writeln!(text, "source n{source} input \"nondet\" 0:0:0");
    }
    for name in ["a", "b", "c", "k"] {
        let _ = writeln!(text, "global {name} (register 32) void source \"{name}\" (init (0 2:32))");
    }
    text.push_str("global p (register 64) pointer source \"p\" (init (0 &escaped:64))\n");
    text.push_str("global m (memory 8 4) void source \"m\"\nglobal escaped (memory 4 4) void source \"escaped\"\n");
    text.push_str(&functions);
    assay_cfa::text::read(&text).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

/// Whether a target was reached; `None` where the run took too long.
fn reaches(program: &Program, seed: u64) -> Option<bool> {
    let mut oracle = BySource { seed, counts: FastMap::default() };
    match run(program, &mut oracle, 2000, &CancelToken::default(), &mut |_, _, _| {}).stop {
        Stop::Target(..) => Some(true),
        Stop::Finished | Stop::Halted(_) => Some(false),
        Stop::Limit => None,
        other => panic!("{other:?}\n{}", assay_cfa::text::print(program)),
    }
}

fn compare(passes: &[Pass]) {
    let (mut reached, mut missed, mut edges_before, mut edges_after) = (0, 0, 0, 0);
    for iteration in 0..300 {
        let before = random_program(iteration);
        let errors = assay_cfa::verifier::verify(&before);
        assert!(errors.is_empty(), "{errors:?}");
        let apply = |program: Program, pass: &Pass| {
            pass.apply(&Structure::new(&program)).map_or_else(|| program.clone(), |changed| changed.program)
        };
        let after = passes.iter().fold(before.clone(), apply);
        let errors = assay_cfa::verifier::verify(&after);
        assert!(errors.is_empty(), "{passes:?}, iteration {iteration}: {errors:?}\n{}", assay_cfa::text::print(&after));
        edges_before += before.edges.len();
        edges_after += after.edges.len();
        for seed in 0..5 {
            let Some(expected) = reaches(&before, seed) else { continue };
            if expected {
                reached += 1;
            } else {
                missed += 1;
            }
            let found = reaches(&after, seed);
            let show = || format!("{}\n=>\n{}", assay_cfa::text::print(&before), assay_cfa::text::print(&after));
            assert_eq!(found, Some(expected), "{passes:?}, iteration {iteration}, seed {seed}\n{}", show());
        }
    }
    assert!(reached > 50 && missed > 50, "the programs are too one-sided: {reached} to {missed}");
    assert!(edges_after <= edges_before, "{passes:?} made programs larger");
}

#[test]
fn each_pass_keeps_the_meaning() {
    for pass in Pass::ALL {
        compare(&[pass]);
    }
}

#[test]
fn passes_in_a_row_keep_the_meaning() {
    compare(&[Pass::Constants, Pass::Skip, Pass::LargeBlock]);
}
