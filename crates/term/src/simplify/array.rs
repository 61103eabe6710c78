//! Rules of arrays: reads that see through writes, writes that hide writes.

use super::{Goal, Rules};
use crate::node::{Op, Term};

/// How many writes a read looks through.
const CHAIN: usize = 64;

impl Rules<'_> {
    pub(super) fn simplify_select(&self, g: &Goal) -> Option<Term> {
        let mut array = g.a;
        let mut node = g.x;
        for _ in 0..CHAIN {
            match node.op {
                Op::ConstArray => return Some(node.operand(0)),
                Op::Store if node.operand(1) == g.b => return Some(node.operand(2)),
                Op::Store if self.differ(node.operand(1), g.b) => {
                    array = node.operand(0);
                    node = self.node(array);
                }
                _ => break,
            }
        }
        (array != g.a).then(|| self.make(Op::Select, g.round, g.sort, [array.0, g.b.0, 0, 0]))
    }

    /// Whether two indices can never be equal: the same base with different offsets.
    fn differ(&self, a: Term, b: Term) -> bool {
        let split = |term: Term| {
            let node = self.node(term);
            match node.op {
                Op::Const => (None, node.constant()),
                Op::Add => match self.value(node.operand(1)) {
                    Some(k) => (Some(node.operand(0)), k),
                    None => (Some(term), 0),
                },
                _ => (Some(term), 0),
            }
        };
        let (base, offset) = split(a);
        let (other_base, other_offset) = split(b);
        base == other_base && offset != other_offset
    }

    pub(super) fn simplify_store(&self, g: &Goal) -> Option<Term> {
        match g.x.op {
            // A second write to the same place hides the first.
            Op::Store if g.x.operand(1) == g.b => {
                return Some(self.make(Op::Store, g.round, g.sort, [g.x.a, g.b.0, g.c.0, 0]));
            }
            Op::ConstArray if g.x.operand(0) == g.c => return Some(g.a),
            _ => {}
        }
        // Writing back what was read changes nothing.
        (g.z.op == Op::Select && g.z.a == g.a.0 && g.z.b == g.b.0).then_some(g.a)
    }
}
