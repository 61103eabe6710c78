//! Every operator on every small operand: all terms of two levels over a few one- and two-bit symbols and all
//! constants, simplified and compared with the evaluator under all assignments. What a rule gets wrong at a
//! boundary shows here.

use assay_base::FastMap;
use assay_term::{Bits, Node, Op, Round, Sort, Term, Terms, eval};

/// The assignments of two symbols of one bit and two of two bits.
const ASSIGNMENTS: usize = 64;

type Table = Box<[u8]>;

struct Checker<'a> {
    terms: &'a Terms,
    /// The values of interned terms under all assignments.
    tables: FastMap<Term, Table>,
    count: usize,
}

const BINARY: [Op; 12] = [
    Op::And,
    Op::Or,
    Op::Xor,
    Op::Add,
    Op::Mul,
    Op::UnsignedDiv,
    Op::SignedDiv,
    Op::UnsignedRem,
    Op::SignedRem,
    Op::ShiftLeft,
    Op::ShiftRight,
    Op::ShiftRightSigned,
];
const COMPARISONS: [Op; 3] = [Op::Eq, Op::UnsignedLess, Op::SignedLess];
const WIDEST: u32 = 4;

impl Checker<'_> {
    fn symbol_value(&self, node: &Node, assignment: usize) -> u8 {
        match self.terms.symbol_name(node.symbol()) {
            "a" => assignment as u8 & 1,
            "c" => assignment as u8 >> 1 & 1,
            "x" => assignment as u8 >> 2 & 3,
            _ => assignment as u8 >> 4 & 3,
        }
    }

    fn compute(&self, node: &Node, operands: &[&Table], widths: &[u32]) -> Table {
        (0..ASSIGNMENTS)
            .map(|i| {
                let mut values = [Bits::FALSE; 3];
                for (slot, (table, &width)) in values.iter_mut().zip(operands.iter().zip(widths)) {
                    *slot = Bits::new(width, table[i] as u128);
                }
                eval::apply(node, &values[..operands.len()]).expect("a small operator has a value").value() as u8
            })
            .collect()
    }

    fn table(&mut self, root: Term) -> Table {
        if let Some(table) = self.tables.get(&root) {
            return table.clone();
        }
        let mut order = Vec::new();
        self.terms.post_order([root], |term, node| order.push((term, *node)));
        for (term, node) in order {
            if self.tables.contains_key(&term) {
                continue;
            }
            let table = if node.op == Op::Symbol {
                (0..ASSIGNMENTS).map(|i| self.symbol_value(&node, i)).collect()
            } else {
                let (operands, arity) = node.operands();
                let widths: Vec<u32> = operands[..arity].iter().map(|&o| self.terms.width(o)).collect();
                let tables: Vec<&Table> = operands[..arity].iter().map(|o| &self.tables[o]).collect();
                self.compute(&node, &tables, &widths)
            };
            self.tables.insert(term, table);
        }
        self.tables[&root].clone()
    }

    /// Builds an operator through the constructors and compares it with the evaluator on the operands' values.
    fn check(&mut self, op: Op, sort: Sort, operands: &[Term], tail: [u32; 2]) -> Term {
        self.count += 1;
        let mut words = [0, 0, tail[0], tail[1]];
        for (word, operand) in words.iter_mut().zip(operands) {
            *word = operand.0;
        }
        let [a, b, c, d] = words;
        let node = Node { op, round: Round::NearestEven, shape: assay_term::Shape::new(0, false), sort, a, b, c, d, fingerprint: 0 };
        let result = self.terms.rebuild(&node, operands);
        let tables: Vec<Table> = operands.iter().map(|&o| self.table(o)).collect();
        let widths: Vec<u32> = operands.iter().map(|&o| self.terms.width(o)).collect();
        let expected = self.compute(&node, &tables.iter().collect::<Vec<_>>(), &widths);
        let found = self.table(result);
        if expected != found {
            let texts: Vec<String> = operands.iter().map(|&o| self.terms.display(o).to_string()).collect();
            panic!("{op:?} {tail:?} of {texts:?} became {}", self.terms.display(result));
        }
        result
    }

    fn unary(&mut self, a: Term, out: &mut Vec<Term>) {
        let width = self.terms.width(a);
        for op in [Op::Not, Op::Neg] {
            out.push(self.check(op, Sort::bv(width), &[a], [0, 0]));
        }
        for wide in width + 1..=WIDEST {
            for op in [Op::ZeroExtend, Op::SignExtend] {
                out.push(self.check(op, Sort::bv(wide), &[a], [0, 0]));
            }
        }
        for high in 0..width {
            for low in 0..=high {
                if high - low + 1 < width {
                    out.push(self.check(Op::Extract, Sort::bv(high - low + 1), &[a], [high, low]));
                }
            }
        }
    }

    fn binary(&mut self, a: Term, b: Term, out: &mut Vec<Term>) {
        let (width, other) = (self.terms.width(a), self.terms.width(b));
        if width + other <= WIDEST {
            out.push(self.check(Op::Concat, Sort::bv(width + other), &[a, b], [0, 0]));
        }
        if width != other {
            return;
        }
        for op in BINARY {
            out.push(self.check(op, Sort::bv(width), &[a, b], [0, 0]));
        }
        for op in COMPARISONS {
            out.push(self.check(op, Sort::BOOL, &[a, b], [0, 0]));
        }
    }
}

#[test]
fn all_terms_of_two_levels() {
    let terms = Terms::new();
    let mut checker = Checker { terms: &terms, tables: FastMap::default(), count: 0 };
    let mut leaves = Vec::new();
    for (name, width) in [("a", 1), ("c", 1), ("x", 2), ("y", 2)] {
        leaves.push(terms.named(name, Sort::bv(width)));
    }
    for width in 1..=WIDEST {
        // All constants of the small widths, the interesting ones of the widest.
        for value in 0..1u128 << width {
            if width < WIDEST || matches!(value, 0..=2 | 4 | 7..=9 | 12 | 14..=15) {
                leaves.push(terms.number(width, value));
            }
        }
    }
    let truths = [leaves[0], leaves[1]];
    let mut first = Vec::new();
    for &a in &leaves {
        checker.unary(a, &mut first);
        for &b in &leaves {
            checker.binary(a, b, &mut first);
            if terms.sort(a) == terms.sort(b) {
                let sort = terms.sort(a);
                first.push(checker.check(Op::Ite, sort, &[truths[0], a, b], [0, 0]));
            }
        }
    }
    first.sort();
    first.dedup();
    let mut second = Vec::new();
    for &a in &first {
        second.clear();
        checker.unary(a, &mut second);
        for &b in &leaves {
            checker.binary(a, b, &mut second);
            checker.binary(b, a, &mut second);
            if terms.sort(a) == terms.sort(b) {
                for truth in truths {
                    checker.check(Op::Ite, terms.sort(a), &[truth, a, b], [0, 0]);
                    checker.check(Op::Ite, terms.sort(a), &[truth, b, a], [0, 0]);
                }
            }
        }
        if terms.width(a) == 1 {
            for &b in &leaves[..8] {
                for &c in leaves[..8].iter().filter(|&&c| terms.sort(c) == terms.sort(b)) {
                    checker.check(Op::Ite, terms.sort(b), &[a, b, c], [0, 0]);
                }
            }
        }
    }
    println!("{} operators on {} terms of the first level", checker.count, first.len());
    // Pairs of first-level terms: all of them, or a fixed sample where the build is slow.
    let mut number = 0usize;
    for &a in &first {
        for &b in &first {
            number += 1;
            if number.is_multiple_of(if cfg!(debug_assertions) { 67 } else { 1 }) {
                second.clear();
                checker.binary(a, b, &mut second);
                if terms.sort(a) == terms.sort(b) {
                    checker.check(Op::Ite, terms.sort(a), &[truths[1], a, b], [0, 0]);
                }
            }
        }
    }
    println!("{} operators in all", checker.count);
}
