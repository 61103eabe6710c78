//! What the integration tests share.

use assay_base::hash::mix;
use assay_term::eval::{Assignment, evaluate_in};
use assay_term::random::Random;
use assay_term::{Bits, FloatFormat, Node, Op, Term, Terms};

/// A random assignment that needs no tables: the value of a leaf is a function of its name and the seed.
pub(crate) struct Seeded<'a> {
    pub terms: &'a Terms,
    pub seed: u64,
    pub floats: bool,
}

impl Seeded<'_> {
    fn name_hash(&self, leaf: &Node) -> u64 {
        let address = (leaf.op == Op::Address) as u64;
        self.terms.symbol_name(leaf.symbol()).bytes().fold(self.seed ^ address, |hash, byte| mix(hash ^ byte as u64))
    }
}

impl Assignment for Seeded<'_> {
    fn value(&mut self, leaf: &Node) -> Option<Bits> {
        let mut random = Random::new(self.name_hash(leaf));
        Some(match FloatFormat::of_width(leaf.width()) {
            Some(format) if self.floats => random.float(format),
            _ => random.bits(leaf.width()),
        })
    }
    fn element(&mut self, array: &Node, index: Bits) -> Option<Bits> {
        Some(Random::new(mix(self.name_hash(array) ^ mix(index.value() as u64))).bits(array.width()))
    }
    fn apply(&mut self, node: &Node, arguments: &[Option<Bits>]) -> Option<Bits> {
        let mut hash = self.name_hash(node);
        for argument in arguments {
            hash = mix(hash ^ argument.as_ref()?.value() as u64);
        }
        Some(Random::new(hash).bits(node.width()))
    }
}

/// The value of a term under the assignment of a seed.
pub(crate) fn value(terms: &Terms, term: Term, seed: u64, floats: bool) -> Option<Bits> {
    evaluate_in(terms, term, &mut Seeded { terms, seed, floats })
}
