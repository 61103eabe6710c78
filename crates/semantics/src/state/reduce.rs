//! Cutting a state to what a block of code can touch, and putting back what was cut.
//!
//! A reduced state has one frame, at depth 0. All objects stay, so that ids mean the same inside and outside, but those
//! that the block cannot touch lose their content. Objects that exist at the entry are pinned: inside the block their
//! ids are not given away even when they are dead, because frames that were cut may still point to them.

use super::object::{Lifetime, Object};
use super::persistent::PersistentVec;
use super::state::{Frame, State};
use super::value::{ObjectId, Value};
use assay_cfa::program::{Program, VarId};
use std::sync::Arc;

/// What a block can touch.
pub trait Footprint {
    /// A register, or the object of a variable.
    fn touches(&self, variable: VarId) -> bool;
    /// An object of this state, whatever its name.
    fn touches_object(&self, object: &Object) -> bool;
    /// Whether code of the block can name the variable and touch it: it is global, or a local of a function that the
    /// block executes.
    fn names(&self, variable: VarId) -> bool;
    /// Whether the block may write to or ask about memory that it has no name for.
    fn writes_anywhere(&self) -> bool;
}

impl State {
    /// The state as the block sees it.
    #[must_use]
    pub fn reduced(&self, program: &Program, block: &dyn Footprint) -> State {
        let mut state = self.clone();
        for &variable in &program.globals {
            if !block.touches(variable) && program.variables[variable].register_width().is_some() {
                state.set_global(program.variables[variable].slot, Value::Unknown);
            }
        }
        let depth = self.frame().map_or(0, |f| f.depth);
        if let Some(frame) = self.frame() {
            let mut registers = PersistentVec::new();
            let locals = &program.functions[frame.function].locals;
            frame.registers.for_each(|slot, value| {
                let variable = locals[slot as usize];
                if block.touches(variable) || program.variables[variable].register_width().is_none() {
                    *registers.get_mut(slot) = *value;
                }
            });
            let mut owned = frame.owned.clone();
            owned.sort();
            state.frame = Some(Arc::new(Frame { function: frame.function, depth: 0, registers, owned, parent: None }));
        }
        let mut objects = Vec::new();
        self.for_each_object(|id, object| objects.push((id, object.lifetime, block.touches_object(object))));
        for (id, lifetime, touched) in objects {
            if !touched {
                state.clear_object(id, false);
            }
            if let Lifetime::Frame(d) = lifetime {
                let inner = if d == depth { Lifetime::Frame(0) } else { Lifetime::Static };
                state.change_object(id, |object| object.lifetime = inner);
            }
        }
        state.pinned = self.next_object;
        state.rehash();
        state
    }

    /// The state at the block's exit, seen from outside: `exit` where the block could touch, `self` (the state at the
    /// entry) elsewhere.
    #[must_use]
    pub fn expanded(&self, program: &Program, exit: &State, block: &dyn Footprint) -> State {
        let mut state = exit.clone();
        state.pinned = self.pinned;
        state.first_dynamic = self.first_dynamic;
        state.next_object = exit.next_object.max(self.next_object);
        for &variable in &program.globals {
            let info = &program.variables[variable];
            if !block.touches(variable) && info.register_width().is_some() {
                let value = self.globals.get(info.slot as u64).copied().unwrap_or_default();
                state.set_global(info.slot, value);
            }
        }
        let depth = self.frame().map_or(0, |f| f.depth);
        if let (Some(outer), Some(inner)) = (self.frame(), exit.frame()) {
            let locals = &program.functions[outer.function].locals;
            let mut registers = inner.registers.clone();
            outer.registers.for_each(|slot, value| {
                let variable = locals[slot as usize];
                if !block.touches(variable) && program.variables[variable].register_width().is_some() {
                    *registers.get_mut(slot) = *value;
                }
            });
            state.frame = Some(Arc::new(Frame {
                function: outer.function,
                depth,
                registers,
                owned: inner.owned.clone(),
                parent: outer.parent.clone(),
            }));
        }
        let mut restored: Vec<(ObjectId, Object)> = Vec::new();
        exit.for_each_object(|id, object| {
            let before = self.object(id).filter(|_| id.0 < exit.pinned);
            match before {
                Some(before) if !block.touches_object(before) && object.alive == before.alive => {
                    // Its content is as it was, but the block may have kept its address.
                    let mut before = before.clone();
                    before.overlaid = object.overlaid;
                    before.escaped |= object.escaped;
                    before.base = before.base.or(object.base);
                    restored.push((id, before));
                }
                Some(before) => {
                    let mut object = object.clone();
                    object.lifetime = before.lifetime;
                    object.birth = before.birth;
                    restored.push((id, object));
                }
                None => {
                    if let Lifetime::Frame(d) = object.lifetime {
                        let mut object = object.clone();
                        object.lifetime = Lifetime::Frame(d + depth);
                        restored.push((id, object));
                    }
                }
            }
        });
        for (id, object) in restored {
            *state.objects.get_mut(id.0 as u64) = Some(Arc::new(object));
        }
        let mut bases: Vec<_> = self.bases.to_vec();
        bases.extend(exit.bases.iter().filter(|b| !self.bases.contains(b)).copied());
        state.bases = Arc::new(bases);
        state.births = self.births.max(exit.births);
        state.symbols = self.symbols.max(exit.symbols);
        state.rehash();
        state
    }
}
