//! Whether one state with chains stands above another one.

use super::{Chain, LAST, content, moved, own_pointer};
use crate::state::object::{Cell, Lifetime, Object};
use crate::state::state::State;
use crate::state::value::{ObjectId, Value};
use assay_base::{FastMap, FastSet, Id};

/// What one step of a comparison knows.
struct Embedding<'s> {
    small: &'s State,
    large: &'s State,
    width: u32,
    /// For objects of the larger state that are no chains: which object of the smaller one it is.
    single: FastMap<ObjectId, ObjectId>,
    /// For chains of the larger state: what pointers to byte `head` of the first node and of the last one (if there are
    /// nodes) are in the smaller one.
    chains: FastMap<ObjectId, (Value, Option<Value>)>,
    /// Objects of the smaller state that stand for something in the larger one.
    used: FastSet<ObjectId>,
    /// Pairs of values still to be compared, the smaller one first.
    work: Vec<(Value, Value)>,
    /// Pairs whose larger value is a pointer to a chain.
    waiting: Vec<(Value, ObjectId, u64)>,
}

impl State {
    /// Whether every concrete state that `self` stands for is one that `larger` stands for, whatever the numbers of the
    /// objects are, and with stretches of lists in `self` for chains of `larger`. Pointers have `width` bits.
    pub fn is_embedded_in(&self, larger: &Self, width: u32) -> bool {
        if self.doubtful_heap && !larger.doubtful_heap {
            return false;
        }
        let mut embedding = Embedding {
            small: self,
            large: larger,
            width,
            single: FastMap::default(),
            chains: FastMap::default(),
            used: FastSet::default(),
            work: Vec::new(),
            waiting: Vec::new(),
        };
        embedding.registers() && embedding.static_objects() && embedding.compare() && embedding.is_complete()
    }
}

impl Embedding<'_> {
    fn registers(&mut self) -> bool {
        let (small, large) = (self.small, self.large);
        let (mut values, mut others) = (Vec::new(), Vec::new());
        let collect = |state: &State, out: &mut Vec<_>| {
            state.for_each_register(|function, depth, slot, value| {
                if value != Value::Unknown {
                    out.push(((depth, slot, function.map(Id::index)), value));
                }
            })
        };
        if !small.same_functions(large) {
            return false;
        }
        collect(small, &mut values);
        collect(large, &mut others);
        let values: FastMap<_, Value> = values.into_iter().collect();
        for (place, value) in others {
            self.work.push((values.get(&place).copied().unwrap_or_default(), value));
        }
        true
    }

    /// Objects of fixed number: they are the same ones in both states.
    fn static_objects(&mut self) -> bool {
        let (small, large) = (self.small, self.large);
        (0..small.first_dynamic).map(ObjectId).all(|id| match (small.object(id), large.object(id)) {
            (Some(a), Some(b)) if std::ptr::eq(a, b) => {
                a.for_each_cell(|cell| {
                    if cell.value.object().is_some_and(|object| object.0 >= small.first_dynamic) {
                        self.work.push((cell.value, cell.value));
                    }
                });
                true
            }
            (Some(a), Some(b)) => self.objects((id, a), (id, b)),
            (None, None) => true,
            _ => false,
        })
    }

    /// Compares what two objects say; pointers are put aside.
    fn objects(&mut self, (own, small): (ObjectId, &Object), (id, large): (ObjectId, &Object)) -> bool {
        let heads = small.name == large.name
            && small.lifetime == large.lifetime
            && small.alive == large.alive
            && small.size == large.size
            && (!small.escaped || large.escaped)
            && (!small.overlaid || large.overlaid)
            && small.base == large.base;
        heads && self.cells((own, small), (id, large), None)
    }

    /// Compares cells, for a node of a chain without its links.
    fn cells(&mut self, (own, small): (ObjectId, &Object), (id, large): (ObjectId, &Object), chain: Option<Chain>) -> bool {
        let is_link = |cell: &Cell| chain.is_some_and(|chain| cell.offset == chain.next || Some(cell.offset) == chain.prev);
        if large.zero && !small.zero || !large.written.is_subset_of(&small.written) {
            return false;
        }
        let mut fits = true;
        large.for_each_cell(|cell| {
            if cell.value == Value::Unknown || is_link(cell) {
                return;
            }
            let value = content(small, cell.offset, cell.width).unwrap_or_default();
            match own_pointer(id, large, cell.value).filter(|_| chain.is_some()) {
                Some(offset) => fits &= own_pointer(own, small, value) == Some(offset),
                None => self.work.push((value, cell.value)),
            }
        });
        if large.zero {
            small.for_each_cell(|cell| {
                let covered = large.cell_at(cell.offset).is_some_and(|other| other.width == cell.width);
                fits &= is_link(cell)
                    || covered
                    || cell.value == Value::number(cell.width, 0) && large.overlapping(cell.offset, cell.end()).is_empty();
            });
        }
        fits
    }

    fn compare(&mut self) -> bool {
        loop {
            while let Some((small, large)) = self.work.pop() {
                if !self.value(small, large) {
                    return false;
                }
            }
            // Chains after everything else, so that it is known where they end; from their first nodes where possible.
            let position = self.waiting.iter().position(|&(_, chain, offset)| self.chains.contains_key(&chain) || offset < LAST);
            let Some((value, chain, offset)) = position.map(|at| self.waiting.swap_remove(at)).or_else(|| self.waiting.pop()) else {
                return true;
            };
            if !self.chain(value, chain, offset) {
                return false;
            }
        }
    }

    fn value(&mut self, small: Value, large: Value) -> bool {
        match large {
            Value::Unknown => true,
            Value::Known { .. } | Value::Term(_) => small == large,
            Value::Within(id) | Value::Pointer { object: id, .. } if id.0 < self.large.first_dynamic => small == large,
            Value::Pointer { object, offset } if self.large.is_chain(object) => {
                self.waiting.push((small, object, offset));
                true
            }
            Value::Within(object) => match small.object() {
                Some(own) => !self.large.is_chain(object) && self.pair(own, object),
                None => false,
            },
            Value::Pointer { object, offset } => match small {
                Value::Pointer { object: own, offset: at } => at == offset && self.pair(own, object),
                _ => false,
            },
        }
    }

    /// An object of the smaller state is this one of the larger state.
    fn pair(&mut self, own: ObjectId, object: ObjectId) -> bool {
        if let Some(&known) = self.single.get(&object) {
            return known == own;
        }
        let (Some(small), Some(large)) = (self.small.object(own), self.large.object(object)) else { return false };
        if own.0 < self.small.first_dynamic || small.chain.is_some() || !self.used.insert(own) {
            return false;
        }
        self.single.insert(object, own);
        self.objects((own, small), (object, large))
    }

    /// The smaller state's value of a pointer to a chain.
    fn chain(&mut self, value: Value, id: ObjectId, offset: u64) -> bool {
        let Some(object) = self.large.object(id) else { return false };
        let Some(chain) = object.chain else { return false };
        let last = offset >= LAST;
        // The pointer to byte `head` of the node.
        let pointer = moved(value, chain.head.wrapping_sub(if last { offset - LAST } else { offset }), self.width);
        if pointer == Value::Unknown {
            return false;
        }
        if let Some(&(first, end)) = self.chains.get(&id) {
            return match (last, end) {
                (false, _) => pointer == first,
                (true, Some(end)) => pointer == end,
                // No nodes: the caller that leads to the last one leads to what is before the chain.
                (true, None) => {
                    self.work.push((pointer, chain.prev.and_then(|prev| object.cell_at(prev)).map(|cell| cell.value).unwrap_or_default()));
                    true
                }
            };
        }
        match last {
            false => self.nodes(pointer, id, object, chain),
            true => self.nodes_backwards(pointer, id, object, chain),
        }
    }

    /// Whether a pointer of the smaller state leads to what can be the next node or nodes of the chain: the object, and
    /// its own chain.
    fn node_at(&self, pointer: Value, object: &Object, chain: Chain, backwards: bool) -> Option<(ObjectId, Option<Chain>)> {
        let Value::Pointer { object: own, offset } = pointer else { return None };
        let node = self.small.object(own)?;
        let fits = node.alive
            && node.lifetime == Lifetime::Heap
            && (node.name, node.size) == (object.name, object.size)
            && (!node.escaped || object.escaped)
            && node.base.is_none()
            && !self.used.contains(&own);
        let at = if backwards && node.chain.is_some() { chain.head + LAST } else { chain.head };
        let same = node.chain.is_none_or(|other| Chain { least: 0, ..other } == Chain { least: 0, ..chain });
        (fits && same && offset == at).then_some((own, node.chain))
    }

    /// Takes a node for a part of the chain, if its content allows it.
    fn take(&mut self, own: ObjectId, (id, object): (ObjectId, &Object), chain: Chain) -> bool {
        let Some(node) = self.small.object(own) else { return false };
        let waiting = self.work.len();
        let fits = self.cells((own, node), (id, object), Some(chain));
        // Numbers are compared at once: they tell where one chain ends and another one begins.
        let plain = self.work[waiting..].iter().all(|&(small, large)| !matches!(large, Value::Known { .. }) || small == large);
        if !fits || !plain {
            self.work.truncate(waiting);
            return false;
        }
        self.used.insert(own);
        true
    }

    /// Follows a list of the smaller state from its first node, as far as it can be the chain.
    fn nodes(&mut self, first: Value, id: ObjectId, object: &Object, chain: Chain) -> bool {
        let end = self.end_of(object.cell_at(chain.next).map(|cell| cell.value));
        let (mut at, mut least, mut last) = (first, 0u8, None);
        while end != Some(at)
            && let Some((own, part)) = self.node_at(at, object, chain, false)
        {
            let Some(node) = self.small.object(own) else { return false };
            let before = chain.prev.map(|prev| content(node, prev, self.width).unwrap_or_default());
            if before.zip(last).is_some_and(|(before, expected)| before != expected) || !self.take(own, (id, object), chain) {
                break;
            }
            if let (Some(before), None) = (before, last) {
                self.work.push((before, chain.prev.and_then(|prev| object.cell_at(prev)).map(|cell| cell.value).unwrap_or_default()));
            }
            last = Some(Value::Pointer { object: own, offset: if part.is_some() { chain.head + LAST } else { chain.head } });
            least = least.saturating_add(part.map_or(1, |part| part.least));
            at = content(node, chain.next, self.width).unwrap_or_default();
        }
        self.work.push((at, object.cell_at(chain.next).map(|cell| cell.value).unwrap_or_default()));
        self.chains.insert(id, (first, last));
        least >= chain.least
    }

    /// The same from the last node, where nothing leads to the first one but the list itself.
    fn nodes_backwards(&mut self, last: Value, id: ObjectId, object: &Object, chain: Chain) -> bool {
        let Some(prev) = chain.prev else { return false };
        let end = self.end_of(object.cell_at(prev).map(|cell| cell.value));
        let (mut at, mut least, mut first) = (last, 0u8, None);
        while end != Some(at)
            && let Some((own, part)) = self.node_at(at, object, chain, true)
        {
            let Some(node) = self.small.object(own) else { return false };
            let after = content(node, chain.next, self.width).unwrap_or_default();
            if first.is_some_and(|expected| after != expected) || !self.take(own, (id, object), chain) {
                break;
            }
            if first.is_none() {
                self.work.push((after, object.cell_at(chain.next).map(|cell| cell.value).unwrap_or_default()));
            }
            first = Some(Value::Pointer { object: own, offset: chain.head });
            least = least.saturating_add(part.map_or(1, |part| part.least));
            at = content(node, prev, self.width).unwrap_or_default();
        }
        let Some(first) = first else { return false };
        self.work.push((at, object.cell_at(prev).map(|cell| cell.value).unwrap_or_default()));
        self.chains.insert(id, (first, Some(last)));
        least >= chain.least
    }

    /// The pointer of the smaller state at which a chain ends, where that is known already.
    fn end_of(&self, large: Option<Value>) -> Option<Value> {
        match large? {
            Value::Pointer { object, offset } if object.0 >= self.large.first_dynamic => {
                self.single.get(&object).map(|&own| Value::Pointer { object: own, offset })
            }
            value => Some(value),
        }
    }

    /// Whether everything that is allocated in one state is something in the other one.
    fn is_complete(&self) -> bool {
        let is_heap = |object: &Object| object.alive && object.lifetime == Lifetime::Heap;
        let mut complete = true;
        self.small.for_each_object(|id, object| complete &= !is_heap(object) || self.used.contains(&id));
        self.large.for_each_object(|id, object| {
            complete &= !is_heap(object) || self.single.contains_key(&id) || self.chains.contains_key(&id);
        });
        complete
    }
}
