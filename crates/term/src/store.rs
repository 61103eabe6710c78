//! The store of hash-consed terms: a frozen base that is read without locks, and an append-only overlay
//! that many threads extend at once.

use crate::node::{Node, Op, Round, Shape, Sort, SymbolId, Term};
use assay_base::Id;
use assay_base::hash::mix;
use hashbrown::HashTable;
use parking_lot::Mutex;
use std::sync::Arc;

/// A named free symbol.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SymbolInfo {
    /// Unique in its store.
    pub name: Arc<str>,
    /// Fixed when the name is first interned.
    pub sort: Sort,
    /// The name's part in fingerprints, computed once.
    hash: u64,
}

/// A store that no longer grows.
#[derive(Default)]
pub struct Frozen {
    nodes: Vec<Node>,
    lists: Vec<Box<[Term]>>,
    symbols: Vec<SymbolInfo>,
    table: HashTable<u32>,
    symbol_table: HashTable<u32>,
}

const SHARDS: usize = 32;

/// A growing store on top of a frozen one. `Send + Sync`; a lock is held only while one node is looked up or
/// added, never while anything else runs.
pub struct Terms {
    base: Arc<Frozen>,
    nodes: boxcar::Vec<Node>,
    lists: boxcar::Vec<Box<[Term]>>,
    symbols: boxcar::Vec<SymbolInfo>,
    shards: Box<[Mutex<HashTable<u32>>]>,
    symbol_table: Mutex<HashTable<u32>>,
    identity: u64,
}

/// Only tells stores apart; nothing visible depends on its values.
static NEXT_IDENTITY: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(1);

impl Default for Terms {
    fn default() -> Self {
        Self::new()
    }
}

impl Terms {
    /// An empty store.
    pub fn new() -> Self {
        Self::overlay(Arc::new(Frozen::default()))
    }

    /// An empty overlay: sees the base's terms, adds its own, and is dropped as a whole.
    pub fn overlay(base: Arc<Frozen>) -> Self {
        Terms {
            base,
            nodes: boxcar::Vec::new(),
            lists: boxcar::Vec::new(),
            symbols: boxcar::Vec::new(),
            shards: (0..SHARDS).map(|_| Mutex::new(HashTable::new())).collect(),
            symbol_table: Mutex::new(HashTable::new()),
            identity: NEXT_IDENTITY.fetch_add(1, std::sync::atomic::Ordering::Relaxed),
        }
    }

    /// Different for every store of a process, so that whoever keeps ids can tell when they mean something else.
    pub fn identity(&self) -> u64 {
        self.identity
    }

    /// The frozen store below the overlay.
    pub fn base(&self) -> &Arc<Frozen> {
        &self.base
    }

    /// Ends growth: the result (base and overlay together, all ids kept) is the base of further overlays.
    pub fn freeze(self) -> Arc<Frozen> {
        let base = Arc::try_unwrap(self.base).unwrap_or_else(|shared| Frozen {
            nodes: shared.nodes.clone(),
            lists: shared.lists.clone(),
            symbols: shared.symbols.clone(),
            table: shared.table.clone(),
            symbol_table: shared.symbol_table.clone(),
        });
        let mut frozen = base;
        let first = frozen.nodes.len();
        frozen.nodes.extend(self.nodes);
        frozen.lists.extend(self.lists);
        let first_symbol = frozen.symbols.len();
        frozen.symbols.extend(self.symbols);
        let nodes = &frozen.nodes;
        for id in first..nodes.len() {
            frozen.table.insert_unique(nodes[id].fingerprint, id as u32, |&i| nodes[i as usize].fingerprint);
        }
        let symbols = &frozen.symbols;
        for id in first_symbol..symbols.len() {
            frozen.symbol_table.insert_unique(symbols[id].hash, id as u32, |&i| symbols[i as usize].hash);
        }
        Arc::new(frozen)
    }

    /// How many terms the base and the overlay hold.
    pub fn len(&self) -> usize {
        self.base.nodes.len() + self.nodes.count()
    }
    /// Whether there are no terms at all.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// How many symbols the base and the overlay hold.
    pub fn symbol_count(&self) -> usize {
        self.base.symbols.len() + self.symbols.count()
    }

    /// A copy of a term's node.
    #[inline]
    pub fn node(&self, term: Term) -> Node {
        *self.node_ref(term)
    }
    /// The node where it lies: the store only grows, so it stays there.
    #[inline]
    pub(crate) fn node_ref(&self, term: Term) -> &Node {
        let index = term.index();
        match self.base.nodes.get(index) {
            Some(node) => node,
            None => &self.nodes[index - self.base.nodes.len()],
        }
    }
    /// The sort of a term.
    #[inline]
    pub fn sort(&self, term: Term) -> Sort {
        self.node_ref(term).sort
    }
    /// The width of a bit-vector, or of an array's elements.
    #[inline]
    pub fn width(&self, term: Term) -> u32 {
        self.node_ref(term).sort.width()
    }
    /// The arguments of an `Apply` node.
    pub fn arguments(&self, node: &Node) -> &[Term] {
        debug_assert!(node.op == Op::Apply);
        let index = node.b as usize;
        match self.base.lists.get(index) {
            Some(list) => list,
            None => &self.lists[index - self.base.lists.len()],
        }
    }
    /// Name and sort of a symbol.
    pub fn symbol_info(&self, symbol: SymbolId) -> &SymbolInfo {
        let index = symbol.index();
        match self.base.symbols.get(index) {
            Some(info) => info,
            None => &self.symbols[index - self.base.symbols.len()],
        }
    }
    /// The name that the symbol was interned with.
    pub fn symbol_name(&self, symbol: SymbolId) -> &str {
        &self.symbol_info(symbol).name
    }

    /// The symbol with this name; a name has one sort.
    pub fn intern_symbol(&self, name: &str, sort: Sort) -> SymbolId {
        let hash = name_hash(name);
        if let Some(&id) = self.base.symbol_table.find(hash, |&id| &*self.base.symbols[id as usize].name == name) {
            assert!(self.base.symbols[id as usize].sort == sort, "symbol {name} has two sorts");
            return SymbolId(id);
        }
        let offset = self.base.symbols.len();
        let mut table = self.symbol_table.lock();
        if let Some(&id) = table.find(hash, |&id| &*self.symbols[id as usize - offset].name == name) {
            assert!(self.symbols[id as usize - offset].sort == sort, "symbol {name} has two sorts");
            return SymbolId(id);
        }
        let id = (offset + self.symbols.push(SymbolInfo { name: name.into(), sort, hash })) as u32;
        table.insert_unique(hash, id, |&i| self.symbols[i as usize - offset].hash);
        SymbolId(id)
    }

    /// The symbol of this name, if there is one.
    pub fn find_symbol(&self, name: &str) -> Option<SymbolId> {
        let hash = name_hash(name);
        if let Some(&id) = self.base.symbol_table.find(hash, |&id| &*self.base.symbols[id as usize].name == name) {
            return Some(SymbolId(id));
        }
        let offset = self.base.symbols.len();
        let table = self.symbol_table.lock();
        table.find(hash, |&id| &*self.symbols[id as usize - offset].name == name).map(|&id| SymbolId(id))
    }

    /// Adds or finds a node as it is, without simplification. The constructors in `build` are the front door.
    pub fn intern(&self, op: Op, round: Round, sort: Sort, words: [u32; 4]) -> Term {
        let (fingerprint, shape) = self.describe(op, round, sort, words);
        self.intern_described(op, round, sort, words, fingerprint, shape)
    }

    /// As [`intern`](Self::intern), with the operands' nodes at hand.
    pub(crate) fn intern_loaded(&self, op: Op, round: Round, sort: Sort, words: [u32; 4], operands: [&Node; 3]) -> Term {
        let mut hash = head_hash(op, round, sort);
        let mut shape = Shape::new(1, op == Op::Address);
        let arity = op.arity();
        for (index, &word) in words.iter().enumerate() {
            let part = if index < arity {
                shape = shape.with(operands[index].shape, op.hands_on(index));
                operands[index].fingerprint
            } else {
                word as u64
            };
            hash = mix(hash.rotate_left(9) ^ part);
        }
        self.intern_described(op, round, sort, words, hash, shape)
    }

    fn intern_described(&self, op: Op, round: Round, sort: Sort, words: [u32; 4], fingerprint: u64, shape: Shape) -> Term {
        let same = |node: &Node| node.op == op && node.round == round && node.sort == sort && [node.a, node.b, node.c, node.d] == words;
        if let Some(&id) = self.base.table.find(fingerprint, |&id| same(&self.base.nodes[id as usize])) {
            return Term(id);
        }
        let offset = self.base.nodes.len();
        let mut table = self.shards[(fingerprint >> 59) as usize % SHARDS].lock();
        if let Some(&id) = table.find(fingerprint, |&id| same(&self.nodes[id as usize - offset])) {
            return Term(id);
        }
        let [a, b, c, d] = words;
        let index = offset + self.nodes.push(Node { op, round, shape, sort, a, b, c, d, fingerprint });
        table.insert_unique(fingerprint, index as u32, |&i| self.nodes[i as usize - offset].fingerprint);
        Term::from_index(index)
    }

    /// An uninterpreted function applied to arguments.
    pub fn apply(&self, function: SymbolId, arguments: &[Term], sort: Sort) -> Term {
        // Argument lists are found again through the node table: same function, same arguments, same list.
        let mut hash = mix(self.symbol_info(function).hash ^ sort.raw() as u64);
        let mut shape = Shape::new(1, false);
        for &argument in arguments {
            let node = self.node(argument);
            hash = mix(hash.rotate_left(7) ^ node.fingerprint);
            shape = shape.with(node.shape, true);
        }
        let same = |node: &Node| node.op == Op::Apply && node.a == function.0 && node.sort == sort && self.arguments(node) == arguments;
        if let Some(&id) = self.base.table.find(hash, |&id| same(&self.base.nodes[id as usize])) {
            return Term(id);
        }
        let offset = self.base.nodes.len();
        let mut table = self.shards[(hash >> 59) as usize % SHARDS].lock();
        if let Some(&id) = table.find(hash, |&id| same(&self.nodes[id as usize - offset])) {
            return Term(id);
        }
        let list = (self.base.lists.len() + self.lists.push(arguments.into())) as u32;
        let node = Node {
            op: Op::Apply,
            round: Round::NearestEven,
            shape,
            sort,
            a: function.0,
            b: list,
            c: arguments.len() as u32,
            d: 0,
            fingerprint: hash,
        };
        let index = offset + self.nodes.push(node);
        table.insert_unique(hash, index as u32, |&i| self.nodes[i as usize - offset].fingerprint);
        Term::from_index(index)
    }

    fn describe(&self, op: Op, round: Round, sort: Sort, words: [u32; 4]) -> (u64, Shape) {
        let mut hash = head_hash(op, round, sort);
        let mut shape = Shape::new(1, op == Op::Address);
        let arity = op.arity();
        for (index, &word) in words.iter().enumerate() {
            let part = if index < arity {
                let node = self.node_ref(Term(word));
                shape = shape.with(node.shape, op.hands_on(index));
                node.fingerprint
            } else if index == 0 && matches!(op, Op::Symbol | Op::Address) {
                self.symbol_info(SymbolId(word)).hash
            } else {
                word as u64
            };
            hash = mix(hash.rotate_left(9) ^ part);
        }
        (hash, shape)
    }
}

/// The start of a node's fingerprint.
#[inline]
fn head_hash(op: Op, round: Round, sort: Sort) -> u64 {
    mix((op as u64) << 40 | (round as u64) << 32 | sort.raw() as u64)
}

fn name_hash(name: &str) -> u64 {
    assay_base::Fingerprint::of_bytes(name.as_bytes()).0 as u64
}

impl std::fmt::Debug for Terms {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Terms({} terms)", self.len())
    }
}

impl std::fmt::Debug for Frozen {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Frozen({} terms)", self.nodes.len())
    }
}
