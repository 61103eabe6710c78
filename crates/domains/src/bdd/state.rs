//! A state: one decision diagram over the bits of all tracked registers.

use biodivine_lib_bdd::Bdd;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// A set of assignments of codes to registers. Never empty.
#[derive(Clone, Debug)]
pub struct BddState {
    bdd: Arc<Bdd>,
    hash: u64,
}

impl BddState {
    /// The assignments in which the diagram is true.
    pub fn new(bdd: Bdd) -> Self {
        let mut hasher = assay_base::hash::FastHasher::default();
        bdd.hash(&mut hasher);
        BddState { hash: hasher.finish(), bdd: Arc::new(bdd) }
    }
    /// The diagram over the bits of codes.
    pub fn bdd(&self) -> &Bdd {
        &self.bdd
    }
    /// For look-up tables within one run.
    pub fn hash64(&self) -> u64 {
        self.hash
    }
    /// Whether everything that it allows is allowed by the larger one.
    pub fn is_below(&self, larger: &Self) -> bool {
        self == larger || larger.bdd.is_true() || self.bdd.and_not(&larger.bdd).is_false()
    }
}

/// Diagrams are canonical, so that equal contents are equal sets.
impl PartialEq for BddState {
    fn eq(&self, other: &Self) -> bool {
        self.hash == other.hash && (Arc::ptr_eq(&self.bdd, &other.bdd) || self.bdd == other.bdd)
    }
}
impl Eq for BddState {}
