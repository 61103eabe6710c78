//! When one state stands above another, and how such a state is found by its hash.

use super::object::{Cell, Object};
use super::persistent::PersistentVec;
use super::state::{GLOBAL_DEPTH, State, register_hash};
use super::value::Value;
use assay_cfa::program::{Program, VarId};
use std::sync::Arc;

impl State {
    /// The hash that a state with the shape of `like` must have to stand above this one with equal values: `Ok(None)`
    /// where none can, `Err(())` where the memory differs such that a hash cannot tell.
    #[allow(clippy::result_unit_err)]
    pub fn hash_in_shape(&self, like: &Self) -> Result<Option<u64>, ()> {
        let mut hash = self.hash;
        let mut possible = true;
        let mut registers = |depth: u32, mine: &PersistentVec<Value>, other: &PersistentVec<Value>| {
            mine.differences(other, &mut |slot, a, b| {
                if *b == Value::Unknown {
                    hash ^= register_hash(depth, slot as u32, *a);
                } else if *a == Value::Unknown {
                    possible = false;
                }
                possible
            })
        };
        if !registers(GLOBAL_DEPTH, &self.globals, &like.globals) {
            return Ok(None);
        }
        let (mut a, mut b) = (self.frame.as_ref(), like.frame.as_ref());
        loop {
            match (a, b) {
                (None, None) => break,
                (Some(x), Some(y)) if Arc::ptr_eq(x, y) => break,
                (Some(x), Some(y)) if x.function == y.function => {
                    if !registers(x.depth, &x.registers, &y.registers) {
                        return Ok(None);
                    }
                    a = x.parent.as_ref();
                    b = y.parent.as_ref();
                }
                _ => return Ok(None),
            }
        }
        // States of one shape have the same objects with the same heads, and cells at the same places.
        let mut never = false;
        let exact = self.objects.differences(&like.objects, &mut |index, x, y| {
            let id = index as u32;
            match (x, y) {
                (Some(x), Some(y)) => {
                    let (head, other) = (x.hash_head(id), y.hash_head(id));
                    if head != other {
                        let fits = x.lifetime == y.lifetime && x.alive == y.alive && x.size == y.size;
                        never = !fits || x.escaped && !y.escaped || x.overlaid && !y.overlaid || !x.zero && y.zero;
                        never |= !y.written.is_subset_of(&x.written);
                        hash ^= head ^ other;
                        if never || x.zero != y.zero {
                            return false;
                        }
                    }
                    x.differing_cells(y, &mut |a, b| match (a, b) {
                        (Some(a), None) => {
                            never = y.zero && a.value != Value::number(a.width, 0);
                            hash ^= a.hash64(id);
                            !never
                        }
                        (Some(a), Some(b)) if a.width == b.width => {
                            if b.value == Value::Unknown {
                                hash ^= a.hash64(id) ^ b.hash64(id);
                            }
                            true
                        }
                        // Only a state that knows nothing of the cell can stand above one that has none there.
                        (None, Some(b)) if !x.zero => {
                            hash ^= Cell { value: Value::Unknown, ..*b }.hash64(id);
                            true
                        }
                        (None, _) => false,
                        _ => {
                            never = true;
                            false
                        }
                    })
                }
                // A tombstone that the other state does not know is a pointer that nothing has.
                (Some(x), None) if !x.alive => {
                    hash ^= x.hash_head(id);
                    x.for_each_cell(|cell| hash ^= cell.hash64(id));
                    true
                }
                _ => {
                    never = true;
                    false
                }
            }
        });
        if never {
            return Ok(None);
        }
        if exact { Ok(Some(hash)) } else { Err(()) }
    }

    /// Visits the registers in which two states with one frame each differ: the variable, its value here, and there.
    /// `false` where they differ in anything else, also in the names of what is yet to be made, or `visit` says so.
    pub fn differs_in_registers(&self, program: &Program, other: &Self, visit: &mut dyn FnMut(VarId, Value, Value) -> bool) -> bool {
        let (Some(own), Some(theirs)) = (&self.frame, &other.frame) else { return false };
        let counters = |state: &State| {
            (state.first_dynamic, state.next_object, state.pinned, state.symbols, state.births, state.doubtful_heap, state.chains)
        };
        if counters(self) != counters(other)
            || own.function != theirs.function
            || own.depth != theirs.depth
            || own.owned != theirs.owned
            || own.parent.is_some()
            || theirs.parent.is_some()
            || !(Arc::ptr_eq(&self.bases, &other.bases) || self.bases == other.bases)
        {
            return false;
        }
        let locals = &program.functions[own.function].locals;
        own.registers.differences(&theirs.registers, &mut |slot, a, b| visit(locals[slot as usize], *a, *b))
            && self.globals.differences(&other.globals, &mut |slot, a, b| visit(program.globals[slot as usize], *a, *b))
            && self.objects.differences(&other.objects, &mut |_, a, b| match (a, b) {
                (Some(a), Some(b)) => Arc::ptr_eq(a, b) || a == b,
                _ => false,
            })
    }

    /// Whether every concrete state that `self` stands for is one that `larger` stands for, values being compared by
    /// `fits(smaller value, larger value)`; called only where they differ and the larger one is not `Unknown`.
    pub fn is_below(&self, larger: &Self, fits: &mut dyn FnMut(Value, Value) -> bool) -> bool {
        let mut below = |_: u64, small: &Value, large: &Value| *large == Value::Unknown || fits(*small, *large);
        if self.doubtful_heap && !larger.doubtful_heap || !self.globals.differences(&larger.globals, &mut below) {
            return false;
        }
        let (mut a, mut b) = (self.frame.as_ref(), larger.frame.as_ref());
        loop {
            match (a, b) {
                (None, None) => break,
                (Some(x), Some(y)) if Arc::ptr_eq(x, y) => break,
                (Some(x), Some(y)) if x.function == y.function && x.registers.differences(&y.registers, &mut below) => {
                    a = x.parent.as_ref();
                    b = y.parent.as_ref();
                }
                _ => return false,
            }
        }
        self.objects.differences(&larger.objects, &mut |_, x, y| match (x, y) {
            (Some(x), Some(y)) if Arc::ptr_eq(x, y) => true,
            (Some(x), Some(y)) => objects_below(x, y, &mut below),
            // A tombstone that the larger state does not know is a pointer that nothing has.
            (Some(x), None) => !x.alive,
            _ => false,
        })
    }
}

fn objects_below(small: &Object, large: &Object, below: &mut impl FnMut(u64, &Value, &Value) -> bool) -> bool {
    let heads = small.name == large.name
        && small.lifetime == large.lifetime
        && small.alive == large.alive
        && small.size == large.size
        && (!small.escaped || large.escaped)
        && (!small.overlaid || large.overlaid)
        && (small.zero || !large.zero)
        && large.written.is_subset_of(&small.written)
        && (small.base == large.base)
        && small.chain == large.chain;
    heads
        && small.differing_cells(large, &mut |a, b| match (a, b) {
            (Some(a), Some(b)) if a.width == b.width => a.value == b.value || below(0, &a.value, &b.value),
            // Where the larger state has no cell it says its default about those bytes.
            (Some(a), None) => !large.zero || a.value == Value::number(a.width, 0),
            (None, Some(b)) => {
                let is_zero = small.zero && b.value == Value::number(b.width, 0);
                b.value == Value::Unknown || is_zero && small.overlapping(b.offset, b.end()).is_empty()
            }
            _ => false,
        })
}
