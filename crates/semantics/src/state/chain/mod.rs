//! Chains: one object that stands for a list of any length. Shape analysis folds lists into them and takes them apart
//! again.
//!
//! A chain is a heap object that stands for n ≥ `least` objects, its *nodes*, one behind the other: the pointer at
//! offset `next` of a node leads to byte `head` of the following node, and the pointer at `prev`, where there is one,
//! to byte `head` of the node before. The cells of the chain at `next` and `prev` say where the last node leads to and
//! what the first one leads back to; what its other cells say holds for every node. A pointer to the chain is a pointer
//! to its first node, and with [`LAST`] added to its offset, one to its last node; if there are no nodes, they are what
//! the cells at `next` and `prev` say.
//!
//! No operation is executed on a chain: the caller that evaluates a term that reads a pointer to one calls
//! [`State::open_chain`] before.

mod embedding;
mod fold;

use super::object::{Cell, Object};
use super::state::State;
use super::value::{ObjectId, Value};

/// Added to the offset of a pointer to the last node.
const LAST: u64 = 1 << 30;
/// Added to the offset of a pointer in a chain that leads to the very node that it is in. Nodes are smaller.
const OWN: u64 = 1 << 29;
/// Whether a list has at least one or two nodes is remembered, and no more than that.
const MOST: u8 = 2;

/// What makes an object a chain.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Chain {
    next: u64,
    prev: Option<u64>,
    head: u64,
    /// It has at least so many nodes.
    least: u8,
}

impl Chain {
    pub(super) fn hash64(self) -> u64 {
        self.next ^ self.prev.map_or(0, |prev| (prev + 1) << 16) ^ self.head << 32 ^ u64::from(self.least) << 48 ^ 1 << 60
    }
    /// Whether it may have no nodes.
    pub(super) fn may_be_empty(self) -> bool {
        self.least == 0
    }
}

/// The same pointer, moved by a number of bytes.
fn moved(value: Value, by: u64, width: u32) -> Value {
    let mask = if width >= 64 { u64::MAX } else { (1 << width) - 1 };
    match value {
        _ if by == 0 => value,
        Value::Pointer { object, offset } => Value::Pointer { object, offset: offset.wrapping_add(by) & mask },
        Value::Known { low, .. } => Value::number(width, u128::from(low.wrapping_add(by) & mask)),
        Value::Within(_) => value,
        Value::Unknown | Value::Term(_) => Value::Unknown,
    }
}

/// The offset in its own node of a pointer that an object holds, where it is one.
fn own_pointer(id: ObjectId, object: &Object, value: Value) -> Option<u64> {
    let Value::Pointer { object: to, offset } = value else { return None };
    match object.chain {
        None => (to == id && offset < OWN).then_some(offset),
        Some(_) => (to == id && (OWN..LAST).contains(&offset)).then(|| offset - OWN),
    }
}

/// The pointer that every node of a chain has to itself.
fn shared_pointer(chain: ObjectId, offset: u64) -> Value {
    Value::Pointer { object: chain, offset: offset + OWN }
}

/// What an object says about a number of bytes that are one cell of another object; `None` for nothing.
fn content(object: &Object, offset: u64, width: u32) -> Option<Value> {
    match object.cell_at(offset) {
        Some(cell) if cell.width == width => Some(cell.value).filter(|value| *value != Value::Unknown),
        Some(_) => None,
        None => {
            let zero = object.zero && object.overlapping(offset, offset + u64::from(width) / 8).is_empty();
            zero.then(|| Value::number(width, 0))
        }
    }
}

impl State {
    /// Whether any of the objects is a chain.
    pub fn has_chains(&self) -> bool {
        self.chains > 0
    }
    /// Whether the object is a chain.
    pub fn is_chain(&self, id: ObjectId) -> bool {
        self.chains > 0 && self.object(id).is_some_and(|object| object.chain.is_some())
    }
    /// Whether a write of unknown target has gone over a chain, so that nothing knows how its nodes hang together.
    pub fn has_broken_chain(&self) -> bool {
        let mut broken = false;
        if self.chains > 0 {
            self.for_each_object(|_, object| broken |= object.chain.is_some_and(|chain| object.cell_at(chain.next).is_none()));
        }
        broken
    }

    fn set_chain(&mut self, id: ObjectId, chain: Option<Chain>) {
        let before = self.object(id).is_some_and(|object| object.chain.is_some());
        self.chains = self.chains + u32::from(chain.is_some()) - u32::from(before);
        self.change_object(id, |object| object.chain = chain);
    }

    /// The states that this one stands for, with the node that the pointer leads to as an object of its own; where the
    /// chain may have no nodes, also the state without it. Pointers have `width` bits. The state itself if the pointer
    /// leads to no chain.
    pub fn open_chain(mut self, pointer: Value, width: u32) -> Vec<State> {
        let (object, at_end) = match pointer {
            Value::Pointer { object, offset } => (object, offset >= LAST),
            Value::Within(object) => (object, false),
            _ => return vec![self],
        };
        let Some(chain) = self.object(object).and_then(|object| object.chain) else { return vec![self] };
        let mut states = Vec::with_capacity(2);
        if chain.least == 0 {
            let mut empty = self.clone();
            empty.remove_chain(object, chain, width);
            states.push(empty);
        }
        self.take_node(object, chain, at_end);
        states.push(self);
        states
    }

    /// The chain has no nodes.
    fn remove_chain(&mut self, id: ObjectId, chain: Chain, width: u32) {
        let Some(object) = self.object(id) else { return };
        let itself = |value: &Value| value.object() == Some(id);
        let after = content(object, chain.next, width).filter(|value| !itself(value)).unwrap_or_default();
        let before = chain.prev.and_then(|prev| content(object, prev, width)).filter(|value| !itself(value)).unwrap_or_default();
        self.set_chain(id, None);
        self.drop_object(id);
        self.map_values(&mut |value| match value {
            Value::Pointer { object, offset } if object == id && offset >= LAST => {
                Some(moved(before, (offset - LAST).wrapping_sub(chain.head), width))
            }
            Value::Pointer { object, offset } if object == id => Some(moved(after, offset.wrapping_sub(chain.head), width)),
            Value::Within(object) if object == id => Some(Value::Unknown),
            _ => None,
        });
    }

    /// Makes the first node of a chain, or its last one, an object of its own.
    fn take_node(&mut self, id: ObjectId, chain: Chain, at_end: bool) {
        let Some(old) = self.object(id).cloned() else { return };
        let node = self.new_object(old.name, old.size, old.lifetime, old.zero);
        self.change_object(node, |object| (object.escaped, object.written) = (old.escaped, old.written.clone()));
        old.for_each_cell(|cell| {
            let own = own_pointer(id, &old, cell.value).map(|offset| Value::Pointer { object: node, offset });
            self.insert_cell(node, Cell { value: own.unwrap_or(cell.value), ..*cell });
        });
        self.set_chain(id, Some(Chain { least: chain.least.saturating_sub(1), ..chain }));
        self.map_values(&mut |value| match value {
            Value::Pointer { object, offset } if object == id && !(OWN..LAST).contains(&offset) && (offset >= LAST) == at_end => {
                Some(Value::Pointer { object: node, offset: if at_end { offset - LAST } else { offset } })
            }
            Value::Within(object) if object == id && !at_end => Some(Value::Within(node)),
            _ => None,
        });
        let mut link = |from: ObjectId, offset: u64, to: ObjectId, last: bool| {
            let Some(cell) = old.cell_at(offset) else { return };
            let pointer = Value::Pointer { object: to, offset: if last { chain.head + LAST } else { chain.head } };
            self.insert_cell(from, Cell { value: pointer, ..cell });
        };
        match at_end {
            false => {
                link(node, chain.next, id, false);
                chain.prev.into_iter().for_each(|prev| link(id, prev, node, false));
            }
            true => {
                link(id, chain.next, node, false);
                chain.prev.into_iter().for_each(|prev| link(node, prev, id, true));
            }
        }
    }
}
