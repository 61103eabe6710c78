//! Whether a value that was never written decides something: the same run with other values in what was never written.
//!
//! Two runs with the same inputs take the same way as long as only written values decide. So where a test says that an
//! unwritten value is about to be used, both come there, and the value that is used differs. If it does not (the bits
//! of a field that were written beside others that were not, a product with zero), nothing is decided by it.

use crate::InputValue;
use crate::places::Reader;
use crate::replay::QueueOracle;
use assay_base::hash::mix;
use assay_base::{CancelToken, FastMap};
use assay_cfa::operation::ValueSourceKind;
use assay_cfa::{EdgeId, Origin, Program, SourceId, Target};
use assay_semantics::interpreter::{Oracle, Stop, run};
use assay_semantics::state::{Executor, Value};
use assay_term::{Bits, Node, Op, Term, Terms};

/// How often other values are tried.
const TRIES: u64 = 6;

/// Whether the value at a test that the inputs lead to depends on what was never written.
pub(crate) fn decides(program: &Program, inputs: &[InputValue], edge: EdgeId, max_steps: u64, cancel: &CancelToken) -> bool {
    let Origin::Use { value } = program.edges[edge].origin else { return false };
    let terms = Terms::overlay(program.terms.clone());
    let mut nodes = vec![];
    terms.post_order([value], |term, node| nodes.push((term, *node)));
    let seen = |seed: Option<u64>| values(program, inputs, seed, edge, &nodes, max_steps, cancel);
    let Some(first) = seen(None) else { return false };
    (0..TRIES).filter_map(|seed| seen(Some(seed))).any(|other| !is_same(&terms, &nodes, &first, &other))
}

/// The values of a term's parts where the run ends, if it ends at this edge and all of them are known.
fn values(
    program: &Program,
    inputs: &[InputValue],
    seed: Option<u64>,
    edge: EdgeId,
    nodes: &[(Term, Node)],
    max_steps: u64,
    cancel: &CancelToken,
) -> Option<FastMap<Term, Value>> {
    let mut oracle = Other { chosen: QueueOracle::new(inputs), program, seed, asked: 0 };
    let mut found: FastMap<Term, Value> = FastMap::default();
    let run = run(program, &mut oracle, max_steps, cancel, &mut |step, state, terms| {
        if step.edge() == edge {
            let (machine, mut state) = (Executor::new(program, terms), state.clone());
            found = nodes.iter().map(|&(term, _)| (term, machine.eval(&mut Reader, &mut state, term))).collect();
        }
    });
    let ended = matches!(run.stop, Stop::Target(Target::UninitialisedRead, _));
    (ended && !found.is_empty() && found.values().all(|value| *value != Value::Unknown)).then_some(found)
}

/// Whether two runs use the same: what is compared does not differ, or does not count, because something else decides
/// alone.
fn is_same(terms: &Terms, nodes: &[(Term, Node)], first: &FastMap<Term, Value>, other: &FastMap<Term, Value>) -> bool {
    let mut same: FastMap<Term, bool> = FastMap::default();
    let holds = |term: Term| first[&term].as_bits().is_some_and(|bits| !bits.is_zero());
    for &(term, node) in nodes {
        let operands = terms.children(&node);
        let of = |i: usize| same[&node.operand(i)];
        let result = match node.op {
            Op::And | Op::Or if node.width() == 1 => {
                let decides = |i: usize| of(i) && holds(node.operand(i)) == (node.op == Op::Or);
                of(0) && of(1) || decides(0) || decides(1)
            }
            Op::Ite => of(0) && if holds(node.operand(0)) { of(1) } else { of(2) },
            // A truth is as good as what it compares; a number is what it is.
            _ if node.width() == 1 && !operands.is_empty() => operands.iter().all(|operand| same[operand]),
            _ => first[&term] == other[&term],
        };
        same.insert(term, result);
    }
    nodes.last().is_none_or(|(term, _)| same[term])
}

/// The chosen inputs, with other values of what was never written.
struct Other<'a> {
    chosen: QueueOracle,
    program: &'a Program,
    seed: Option<u64>,
    asked: u64,
}

impl Other<'_> {
    fn other(&mut self, bits: Bits) -> Bits {
        self.asked += 1;
        let changed = match self.seed {
            None => return bits,
            Some(0) => !bits.value(),
            // Truths that were computed differ only for some values.
            Some(small @ 1..=3) => u128::from(small) - 1,
            Some(seed) => u128::from(mix(seed ^ self.asked << 8)) | u128::from(mix(seed ^ self.asked << 9)) << 64,
        };
        Bits::new(bits.width(), changed)
    }
}

impl Oracle for Other<'_> {
    fn source(&mut self, source: SourceId, width: u32) -> Bits {
        let bits = self.chosen.source(source, width);
        match self.program.value_sources[source].kind {
            ValueSourceKind::Uninitialised => self.other(bits),
            _ => bits,
        }
    }
    fn memory(&mut self, birth: u32, offset: u64, width: u32) -> Bits {
        self.chosen.memory(birth, offset, width)
    }
    fn unwritten(&mut self, birth: u32, offset: u64, width: u32) -> Bits {
        let bits = self.chosen.memory(birth, offset, width);
        self.other(bits)
    }
}
