//! Constraints as an SMT-LIB script.

use super::NAMES;
use super::floats::{Piece, binary_digits, float_of_vector, template};
use crate::float::{FloatFormat, makes_float};
use crate::node::{Node, Op, Sort, SymbolId, Term};
use crate::store::Terms;
use crate::syntax::named_parts;
use assay_base::FastMap;
use std::fmt::Write;

impl Terms {
    /// A script that declares the constraints' symbols, asserts the constraints (of width 1) and asks whether
    /// they are satisfiable together. The same in every run for the same constraints.
    pub fn to_smtlib(&self, constraints: &[Term]) -> String {
        let (named, names) = named_parts(self, constraints);
        let mut printer = Printer { terms: self, names, functions: FastMap::default(), prefix: "$".into(), out: String::new() };
        printer.out.push_str("(set-logic ALL)\n");
        printer.declare(constraints);
        for (number, &part) in named.iter().enumerate() {
            let node = self.node(part);
            let (sort, want) = if is_truth(&node) { ("Bool".into(), Want::Truth) } else { (sort_text(node.sort), Want::Vector) };
            let _ = write!(printer.out, "(define-fun {}{number} () {sort} ", printer.prefix);
            printer.write(part, want, Some(part));
            printer.out.push_str(")\n");
        }
        for &constraint in constraints {
            printer.out.push_str("(assert ");
            printer.write(constraint, Want::Truth, None);
            printer.out.push_str(")\n");
        }
        printer.out.push_str("(check-sat)\n");
        printer.out
    }
}

/// As what an operand is needed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Want {
    Truth,
    /// A bit-vector, or an array.
    Vector,
    Float,
}

/// Whether the node's own text is of sort `Bool`.
fn is_truth(node: &Node) -> bool {
    use Op::*;
    node.sort == Sort::BOOL
        && matches!(node.op, Eq | UnsignedLess | SignedLess | IntegerLess | FEq | FLess | FLessEq | Not | And | Or | Ite)
}

fn sort_text(sort: Sort) -> String {
    if sort.is_integer() {
        "Int".into()
    } else if sort.is_array() {
        format!("(Array (_ BitVec {}) (_ BitVec {}))", sort.index_width(), sort.width())
    } else {
        format!("(_ BitVec {})", sort.width())
    }
}

/// A numeral; negative ones are negations.
fn integer_text(value: i128) -> String {
    if value < 0 { format!("(- {})", value.unsigned_abs()) } else { value.to_string() }
}

/// Two to a power of any size, in decimal digits.
fn power_of_two(power: u32) -> String {
    // Low digit first.
    let mut digits = vec![1u8];
    for _ in 0..power {
        let mut carry = 0;
        for digit in &mut digits {
            let double = *digit * 2 + carry;
            (*digit, carry) = (double % 10, double / 10);
        }
        if carry > 0 {
            digits.push(carry);
        }
    }
    digits.iter().rev().map(|digit| (b'0' + digit) as char).collect()
}

/// Names that mean something in SMT-LIB or to a solver, as a whole or as a beginning.
const TAKEN: [&str; 48] = [
    "true",
    "false",
    "not",
    "and",
    "or",
    "xor",
    "ite",
    "let",
    "forall",
    "exists",
    "match",
    "par",
    "as",
    "_",
    "!",
    "distinct",
    "concat",
    "extract",
    "select",
    "store",
    "const",
    "repeat",
    "zero_extend",
    "sign_extend",
    "rotate_left",
    "rotate_right",
    "abs",
    "div",
    "mod",
    "rem",
    "implies",
    "iff",
    "if",
    "map",
    "default",
    "union",
    "intersection",
    "complement",
    "subset",
    "lambda",
    "RNE",
    "RNA",
    "RTP",
    "RTN",
    "RTZ",
    "pi",
    "euler",
    "exit",
];
const TAKEN_BEGINNINGS: [&str; 14] =
    ["bv", "fp", "to_", "is_", "is-", "int", "re.", "str.", "seq.", "set.", "round", "ext_", "array", "char."];

/// A symbol's name as SMT-LIB can say it: quoted where it is not a simple word, with `%` and two hexadecimal
/// digits for characters that quotes cannot hold and for the first one of names that are taken.
fn quoted(name: &str) -> String {
    let taken = TAKEN.contains(&name) || TAKEN_BEGINNINGS.iter().any(|word| name.starts_with(word));
    let simple = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '!' | '@'));
    if simple && !taken {
        return name.to_string();
    }
    let mut text = String::from("|");
    for (index, c) in name.chars().enumerate() {
        if matches!(c, '%' | '|' | '\\') || taken && index == 0 {
            let _ = write!(text, "%{:02X}", c as u32);
        } else {
            text.push(c);
        }
    }
    text.push('|');
    text
}

enum Item {
    Text(String),
    Term(Term, Want),
}

struct Printer<'a> {
    terms: &'a Terms,
    names: FastMap<Term, u32>,
    /// The names of uninterpreted functions by symbol, argument sorts and result sort.
    functions: FastMap<(SymbolId, Vec<Sort>, Sort), String>,
    prefix: String,
    out: String,
}

impl Printer<'_> {
    fn declare(&mut self, constraints: &[Term]) {
        let mut names: Vec<String> = Vec::new();
        let mut declarations = String::new();
        let mut overloads: FastMap<SymbolId, usize> = FastMap::default();
        self.terms.post_order(constraints.iter().copied(), |_, node| match node.op {
            Op::Symbol | Op::Address => {
                let plain = self.terms.symbol_name(node.symbol());
                let name = if node.op == Op::Address { format!("&{plain}") } else { plain.to_string() };
                let _ = writeln!(declarations, "(declare-fun {} () {})", quoted(&name), sort_text(node.sort));
                names.push(name);
            }
            Op::Apply => {
                let arguments: Vec<Sort> = self.terms.arguments(node).iter().map(|&a| self.terms.sort(a)).collect();
                let key = (node.symbol(), arguments, node.sort);
                if self.functions.contains_key(&key) {
                    return;
                }
                let count = overloads.entry(node.symbol()).or_default();
                *count += 1;
                let plain = self.terms.symbol_name(node.symbol());
                let name = if *count == 1 { plain.to_string() } else { format!("{plain}/{count}") };
                let sorts: Vec<String> = key.1.iter().map(|&s| sort_text(s)).collect();
                let _ = writeln!(declarations, "(declare-fun {} ({}) {})", quoted(&name), sorts.join(" "), sort_text(node.sort));
                self.functions.insert(key, quoted(&name));
                names.push(name);
            }
            _ => {}
        });
        // The names of shared parts must not be a symbol's.
        while names.iter().any(|name| name.starts_with(&self.prefix)) {
            self.prefix.push('$');
        }
        self.out.push_str(&declarations);
    }

    /// Writes a term; parts with a name by it, apart from `spell`, which is being given its name.
    fn write(&mut self, root: Term, want: Want, spell: Option<Term>) {
        let mut work = vec![Item::Term(root, want)];
        while let Some(item) = work.pop() {
            let (term, want) = match item {
                Item::Text(text) => {
                    self.out.push_str(&text);
                    continue;
                }
                Item::Term(term, want) => (term, want),
            };
            let node = self.terms.node(term);
            let named = if spell == Some(term) { None } else { self.names.get(&term) };
            let start = work.len();
            let has = if is_truth(&node) {
                Want::Truth
            } else if named.is_none() && makes_float(node.op) && want == Want::Float {
                Want::Float
            } else {
                Want::Vector
            };
            let (before, after) = match (has, want) {
                _ if node.op == Op::Const && node.width() == 1 => (String::new(), String::new()),
                (Want::Vector, Want::Truth) => ("(= ".into(), " #b1)".into()),
                (Want::Truth, Want::Vector) => ("(ite ".into(), " #b1 #b0)".into()),
                (Want::Vector, Want::Float) => FloatFormat::of_width(node.width()).map(float_of_vector).unwrap_or_default(),
                _ => (String::new(), String::new()),
            };
            work.push(Item::Text(before));
            match named {
                Some(number) => work.push(Item::Text(format!("{}{number}", self.prefix))),
                None => self.expand(&node, want, &mut work),
            }
            work.push(Item::Text(after));
            work[start..].reverse();
        }
    }

    /// The pieces of one node, in order.
    fn expand(&self, node: &Node, want: Want, work: &mut Vec<Item>) {
        let text = |value: String| Item::Text(value);
        if node.op.is_float() {
            let pieces = template(node, self.terms.width(node.operand(0)), want == Want::Float);
            work.extend(pieces.into_iter().map(|piece| match piece {
                Piece::Text(value) => Item::Text(value),
                Piece::Vector(i) => Item::Term(node.operand(i), Want::Vector),
                Piece::Float(i) => Item::Term(node.operand(i), Want::Float),
            }));
            return;
        }
        let head = match node.op {
            Op::Const if node.width() == 1 && want == Want::Truth => {
                work.push(text(if node.constant() == 1 { "true".into() } else { "false".into() }));
                return;
            }
            Op::Const if node.sort.is_integer() => {
                work.push(text(integer_text(node.constant() as i128)));
                return;
            }
            Op::IntegerOfSigned => {
                // The unsigned value, less two to the width where the sign is set.
                let width = self.terms.width(node.operand(0));
                let digits = power_of_two(width);
                work.push(text("(let ((v ".into()));
                work.push(Item::Term(node.operand(0), Want::Vector));
                let sign = format!("((_ extract {0} {0}) v)", width - 1);
                work.push(text(format!(")) (- (bv2nat v) (ite (= {sign} #b1) {digits} 0)))")));
                return;
            }
            Op::Const => {
                work.push(text(binary_digits(node.width(), node.constant())));
                return;
            }
            Op::Symbol => {
                work.push(text(quoted(self.terms.symbol_name(node.symbol()))));
                return;
            }
            Op::Address => {
                work.push(text(quoted(&format!("&{}", self.terms.symbol_name(node.symbol())))));
                return;
            }
            Op::Apply => {
                let sorts: Vec<Sort> = self.terms.arguments(node).iter().map(|&a| self.terms.sort(a)).collect();
                let empty = sorts.is_empty();
                let name = self.functions.get(&(node.symbol(), sorts, node.sort)).cloned().unwrap_or_default();
                if empty {
                    work.push(text(name));
                    return;
                }
                name
            }
            Op::Extract => format!("(_ extract {} {})", node.high(), node.low()),
            Op::ZeroExtend => format!("(_ zero_extend {})", node.width() - self.terms.width(node.operand(0))),
            Op::SignExtend => format!("(_ sign_extend {})", node.width() - self.terms.width(node.operand(0))),
            Op::IntegerOfUnsigned => "bv2nat".into(),
            Op::IntegerToBits => format!("(_ int2bv {})", node.width()),
            Op::ConstArray => format!("(as const {})", sort_text(node.sort)),
            Op::Not if is_truth(node) => "not".into(),
            Op::And if is_truth(node) => "and".into(),
            Op::Or if is_truth(node) => "or".into(),
            op => NAMES.iter().find(|(o, _)| *o == op).map_or(String::new(), |(_, name)| (*name).into()),
        };
        work.push(text(format!("({head}")));
        let connective = is_truth(node) && matches!(node.op, Op::Not | Op::And | Op::Or | Op::Ite);
        for (index, operand) in self.terms.operands_of(node).enumerate() {
            work.push(text(" ".into()));
            let truth = connective || node.op == Op::Ite && index == 0 || node.op == Op::Eq && self.both_truths(node);
            work.push(Item::Term(operand, if truth { Want::Truth } else { Want::Vector }));
        }
        work.push(text(")".into()));
    }

    /// Whether an equality is between formulas rather than data.
    fn both_truths(&self, node: &Node) -> bool {
        [node.a, node.b].iter().any(|&operand| is_truth(&self.terms.node(Term(operand))))
    }
}
