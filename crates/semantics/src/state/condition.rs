//! Conditions on memory.

use super::chain::Chain;
use super::executor::{Executor, Semantics, Truth};
use super::object::Lifetime;
use super::state::State;
use super::value::{ObjectId, Value};
use crate::environment::FIRST_ADDRESS;
use assay_base::FastSet;
use assay_cfa::operation::MemoryCondition;
use assay_cfa::program::Role;

impl Executor<'_> {
    /// Whether a condition on memory holds in a state.
    pub fn memory_condition<S: Semantics>(&self, semantics: &mut S, state: &mut State, condition: &MemoryCondition) -> Truth {
        match condition {
            MemoryCondition::Accessible { address, size, write } => {
                let address = self.eval(semantics, state, *address);
                let size = self.eval(semantics, state, *size);
                self.accessible(semantics, state, address, size, *write)
            }
            MemoryCondition::Initialised { address, size } => {
                let address = self.eval(semantics, state, *address);
                let size = self.eval(semantics, state, *size);
                self.initialised(semantics, state, address, size)
            }
            MemoryCondition::Freeable { address } => match self.eval(semantics, state, *address) {
                Value::Known { low: 0, high: 0, .. } => Truth::Yes,
                Value::Known { .. } => Truth::No,
                Value::Pointer { object, offset } => {
                    let heap = state.object(object).is_some_and(|o| o.alive && o.lifetime == Lifetime::Heap);
                    match heap && offset == 0 {
                        true if state.has_doubtful_heap() => Truth::Maybe(None),
                        true => Truth::Yes,
                        false => Truth::No,
                    }
                }
                _ => Truth::Maybe(None),
            },
            MemoryCondition::AllReachable => self.all_reachable(state),
            MemoryCondition::NothingAllocated => {
                let mut allocated = false;
                let mut doubtful = state.has_doubtful_heap();
                state.for_each_object(|_, object| {
                    if object.alive && object.lifetime == Lifetime::Heap {
                        allocated = true;
                        doubtful |= object.chain.is_some_and(Chain::may_be_empty);
                    }
                });
                match allocated {
                    true if doubtful => Truth::Maybe(None),
                    true => Truth::No,
                    false => Truth::Yes,
                }
            }
        }
    }

    /// Whether the bytes were written. Where an analysis has lost track it is open, so only a concrete run says no.
    fn initialised<S: Semantics>(&self, semantics: &S, state: &State, address: Value, size: Value) -> Truth {
        let unsure = if semantics.concrete() { Truth::No } else { Truth::Maybe(None) };
        let address = super::memory::placed(semantics, address);
        let object = match address {
            Value::Term(term) => self.split_address(state, term).map(|(object, _)| object),
            address => address.object(),
        };
        let Some(found) = object.and_then(|object| state.object(object)) else { return Truth::Maybe(None) };
        let known = match (address, size) {
            (Value::Pointer { offset, .. }, Value::Known { low: size, .. }) => found.written.covers(offset, offset.saturating_add(size)),
            _ => found.size.as_bits().is_some_and(|size| found.written.covers(0, size.value() as u64)),
        };
        if known { Truth::Yes } else { unsure }
    }

    fn accessible<S: Semantics>(&self, semantics: &mut S, state: &mut State, address: Value, size: Value, write: bool) -> Truth {
        let pointer = self.program.model.pointer_width();
        if matches!(size, Value::Known { low: 0, .. }) {
            return Truth::Yes;
        }
        let (object, offset) = match address {
            // Small constants are no addresses; other numbers might be.
            Value::Known { low, .. } => return if low < FIRST_ADDRESS { Truth::No } else { Truth::Maybe(None) },
            Value::Pointer { object, offset } => (object, Value::number(pointer, offset as u128)),
            Value::Within(object) => (object, Value::Unknown),
            Value::Unknown => return Truth::Maybe(None),
            Value::Term(term) => match self.split_address(state, term) {
                Some((object, offset)) => (object, self.normalise(state, offset)),
                None if self.mentions_base(state, term) => return Truth::Maybe(None),
                // A pointer that comes from no object: a value that is not small may still be no address of anything.
                None => return Truth::MaybeIf(self.terms.ule(self.terms.number(pointer, u128::from(FIRST_ADDRESS)), term)),
            },
        };
        let Some(target) = state.object(object) else { return Truth::No };
        if !target.alive || target.lifetime == Lifetime::Function {
            return Truth::No;
        }
        if write && target.lifetime == Lifetime::Constant {
            // Writing no bytes is harmless, and a size that is not known may be that.
            return if matches!(size, Value::Known { .. }) { Truth::No } else { Truth::Maybe(None) };
        }
        if target.lifetime == Lifetime::Heap && state.has_doubtful_heap() {
            return Truth::Maybe(None);
        }
        let available = target.size;
        match (offset, size, available) {
            (Value::Known { low: offset, .. }, Value::Known { low: size, .. }, Value::Known { low: available, .. }) => {
                if offset <= available && size <= available - offset { Truth::Yes } else { Truth::No }
            }
            _ if !semantics.symbolic() => Truth::Maybe(None),
            _ => {
                let (Some(offset), Some(size), Some(available)) =
                    (self.as_term(state, offset), self.as_term(state, size), self.as_term(state, available))
                else {
                    return Truth::Maybe(None);
                };
                // size <= available && offset <= available - size, without wrap.
                let terms = self.terms;
                let fits = terms.ule(size, available);
                let room = terms.sub(available, size);
                let inside = terms.ule(offset, room);
                let condition = terms.and(fits, inside);
                match self.normalise(state, condition).as_bits() {
                    Some(bits) if bits.is_true() => Truth::Yes,
                    Some(_) => Truth::No,
                    None => Truth::Maybe(Some(condition)),
                }
            }
        }
    }

    /// Whether every live heap object can be reached from registers and from objects that are reached.
    /// Temporaries of the lowering are no variables: those of the innermost frame are dead where this is asked, at the
    /// end of a statement, and those of callers may still be in use in the middle of an expression, which leaves a
    /// doubt. So do pointers that were moved out of their objects.
    fn all_reachable(&self, state: &mut State) -> Truth {
        let mut doubtful = state.has_doubtful_heap();
        let mut roots: Vec<ObjectId> = Vec::new();
        let mut weak_roots: Vec<ObjectId> = Vec::new();
        let innermost = state.frame().map_or(0, |frame| frame.depth);
        state.for_each_register(|function, depth, slot, value| {
            let temporary = function.is_some_and(|f| {
                let variable = self.program.functions[f].locals[slot as usize];
                self.program.variables[variable].role == Role::Temporary
            });
            match value {
                _ if temporary && depth == innermost => {}
                Value::Pointer { object, .. } | Value::Within(object) if temporary || leads_away(state, value) => weak_roots.push(object),
                Value::Pointer { object, .. } | Value::Within(object) => roots.push(object),
                // What an unknown value or a term points to cannot be told.
                Value::Term(_) | Value::Unknown => doubtful = true,
                Value::Known { .. } => {}
            }
        });
        state.for_each_object(|id, object| {
            if object.alive && object.lifetime != Lifetime::Heap {
                roots.push(id);
            }
        });
        let mut marked: FastSet<ObjectId> = FastSet::default();
        mark(state, &mut marked, roots, &mut weak_roots, &mut doubtful);
        let lost = |marked: &FastSet<ObjectId>, unsure: &mut bool| {
            let mut lost = false;
            state.for_each_object(|id, object| {
                if object.alive && object.lifetime == Lifetime::Heap && !marked.contains(&id) {
                    lost = true;
                    *unsure |= object.chain.is_some_and(Chain::may_be_empty);
                }
            });
            lost
        };
        if !lost(&marked, &mut false) {
            return Truth::Yes;
        }
        while !weak_roots.is_empty() {
            let work = std::mem::take(&mut weak_roots);
            mark(state, &mut marked, work, &mut weak_roots, &mut doubtful);
        }
        if !lost(&marked, &mut doubtful) || doubtful { Truth::Maybe(None) } else { Truth::No }
    }
}

/// Marks everything that can be reached from the objects; pointers of which it is doubtful whether they count are put
/// aside.
fn mark(state: &State, marked: &mut FastSet<ObjectId>, mut work: Vec<ObjectId>, aside: &mut Vec<ObjectId>, doubtful: &mut bool) {
    while let Some(id) = work.pop() {
        if marked.insert(id)
            && let Some(object) = state.object(id)
        {
            object.for_each_cell(|cell| match cell.value {
                Value::Pointer { object, .. } if leads_away(state, cell.value) => aside.push(object),
                Value::Pointer { object, .. } | Value::Within(object) => work.push(object),
                Value::Term(_) | Value::Unknown => *doubtful = true,
                Value::Known { .. } => {}
            });
        }
    }
}

/// Whether a pointer was moved out of its object, farther than to its end: C leaves open what that is, and so it is
/// doubtful whether the object counts as pointed to.
fn leads_away(state: &State, value: Value) -> bool {
    let Value::Pointer { object, offset } = value else { return false };
    if state.is_chain(object) {
        return false;
    }
    matches!(state.object(object).map(|object| object.size), Some(Value::Known { low, .. }) if offset > low)
}
