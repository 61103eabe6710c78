//! States that begin anywhere: what a state looks like to the caller that knows where the program is, but not with
//! which values.
//!
//! [`Encoder::opened`] keeps the call stack and the objects that can be named for good, and gives every register, cell
//! and address a symbol that depends on nothing but what it belongs to. Assertions between two blocks of a program are
//! terms over these *stable* symbols ([`Stable`]); [`Encoder::stable_value`] says what one stands for at the end of a
//! block.
//!
//! | what | symbol |
//! |---|---|
//! | a register of the first activation of its function, or a global | the program's own |
//! | a register of an activation above `n` others of the function | `name^n` |
//! | bytes of an object | `object[offset:bytes]`, or the array `object[:bytes]` |
//! | memory of no object that is kept | the array `memory`, by address |

use crate::content::{Content, Elements};
use crate::encoder::Encoder;
use crate::pointers::{Bases, KnownPointer};
use crate::state::{Frame, Lifetime, Object, ObjectKey, State};
use assay_base::{FastMap, FastSet};
use assay_cfa::{CType, EdgeId, Scope, Storage, VarId};
use assay_semantics::state::{ObjectName, PersistentVec};
use assay_term::{Op, Sort, SymbolId, Term};
use std::sync::Arc;

/// An object that has the same name in every block.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum StableObject {
    /// A global, or a memory local of the activation above `level` others of its function.
    Variable {
        /// Global or local.
        variable: VarId,
        /// 0 for globals.
        level: u32,
    },
    /// The one object that an edge has allocated.
    Site(EdgeId),
}

/// What a stable symbol stands for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Stable {
    /// The value of a register.
    Register {
        /// Global or local.
        variable: VarId,
        /// As in [`StableObject::Variable`].
        level: u32,
    },
    /// A few bytes of an object.
    Cell {
        /// Where it is.
        object: StableObject,
        /// In bytes.
        offset: u64,
        /// Its size.
        bytes: u32,
    },
    /// All of a large object.
    Array {
        /// Whose content it is.
        object: StableObject,
        /// Of each element.
        bytes: u32,
    },
    /// The address of an object.
    Base(StableObject),
    /// The memory of the environment.
    Memory,
}

const MEMORY: &str = "$memory";

impl Encoder<'_> {
    /// The start of the program with memory of no object as an array, so that accesses outside of all objects are
    /// followed.
    pub fn initial_in_memory(&self) -> State {
        let mut state = self.initial();
        state.rest = Some(self.memory());
        state
    }

    fn memory(&self) -> Term {
        self.terms.named(MEMORY, Sort::array(self.pointer(), 8))
    }

    /// All global objects with unknown content: what every opened state shares.
    pub fn open_globals(&self) -> State {
        let mut state = self.empty(true);
        for &id in &self.program.globals {
            let variable = &self.program.variables[id];
            let Storage::Memory { size, constant, .. } = variable.storage else { continue };
            let lifetime = if constant { Lifetime::Constant } else { Lifetime::Static };
            let size = self.address_number(size.unwrap_or(0));
            let name = self.object_label(StableObject::Variable { variable: id, level: 0 });
            let base = self.terms.address(id.symbol(), self.pointer());
            let content = self.content(size, self.beginning(&name, &variable.ctype, None), &name, &variable.ctype);
            self.add_object(
                &mut state,
                ObjectName::Variable(id),
                Object { base, size, lifetime, birth: 0, alive: self.terms.true_(), content, unwritten: None },
            );
        }
        state.rest = Some(self.memory());
        state
    }

    /// Global registers that the program never writes, and the numbers that they hold.
    pub fn unwritten_globals(&self) -> Vec<(VarId, Term)> {
        let mut written: FastSet<VarId> = FastSet::default();
        written.extend(self.program.edges.iter().filter_map(|edge| edge.operation.written_register()));
        let unwritten = self.program.globals.iter().filter(|global| !written.contains(global));
        let value = |&id: &VarId| {
            let variable = &self.program.variables[id];
            let width = variable.register_width()?;
            let value = variable.initial.first().map_or_else(|| self.terms.number(width, 0), |&(_, term)| term);
            self.terms.as_constant(value).map(|_| (id, value))
        };
        unwritten.filter_map(value).collect()
    }

    /// Where these registers hold these values.
    #[must_use]
    pub fn with_registers(&self, mut state: State, values: &[(VarId, Term)]) -> State {
        for &(variable, value) in values {
            self.assign(&mut state, variable, value);
        }
        state
    }

    /// A state at the same place, of which nothing is known but the calls that are open, the objects that `keep` names,
    /// and the addresses of such objects that something holds ([`crate::pointers`]; `fixed` is said there).
    pub fn opened(
        &self,
        state: &State,
        globals: &State,
        keep: &dyn Fn(StableObject) -> bool,
        fixed: &dyn Fn(VarId) -> bool,
    ) -> (State, Vec<KnownPointer>) {
        let mut open = State { frames: 0, ..globals.clone() };
        let mut bases = Bases { map: FastMap::default(), keys: vec![] };
        for (key, object) in open.objects.iter() {
            bases.map.insert(object.base, object.base);
            bases.keys.push((*key, *key));
        }
        let frames: Vec<Arc<Frame>> = std::iter::successors(state.frame.clone(), |frame| frame.caller.clone()).collect();
        for frame in frames.iter().rev() {
            let number = open.frames;
            open.frames += 1;
            let caller = open.frame.take();
            let (function, level) = (frame.function, frame.level);
            let new = Frame { function, number, level, open: true, registers: PersistentVec::new(), caller };
            open.frame = Some(Arc::new(new));
            for &variable in &self.program.functions[function].locals {
                let object = StableObject::Variable { variable, level };
                if self.program.variables[variable].register_width().is_some() || !keep(object) {
                    continue;
                }
                if let Some(key) = self.stable_key(state, object) {
                    let base = self.keep_object(&mut open, &mut bases, &state.objects[&key], key, object, Lifetime::Frame(number));
                    if let Some(frame) = open.frame_mut() {
                        let slot = u64::from(self.program.variables[variable].slot);
                        *frame.registers.get_mut(slot) = Some(base);
                    }
                }
            }
        }
        for (key, object) in state.objects.iter() {
            if let ObjectName::Site(edge) = key.name
                && keep(StableObject::Site(edge))
                && matches!(object.lifetime, Lifetime::Heap | Lifetime::Static)
                && self.stable_key(state, StableObject::Site(edge)).is_some()
            {
                self.keep_object(&mut open, &mut bases, object, *key, StableObject::Site(edge), object.lifetime);
            }
        }
        // What is never written stays as it is.
        for (key, object) in state.objects.iter().filter(|(_, object)| object.lifetime == Lifetime::Constant) {
            if open.objects.get(key).is_some_and(|known| known != object) {
                Arc::make_mut(&mut open.objects).insert(*key, object.clone());
            }
        }
        let pointers = self.keep_pointers(state, &mut open, &bases, fixed);
        (open, pointers)
    }

    /// The objects of an opened state that are not global, with their sizes.
    pub fn kept_objects(&self, open: &State) -> Vec<(ObjectKey, Term)> {
        let local =
            |key: &ObjectKey, lifetime| matches!(lifetime, Lifetime::Frame(_) | Lifetime::Heap) || matches!(key.name, ObjectName::Site(_));
        open.objects().filter(|(key, object)| local(key, object.lifetime)).map(|(key, object)| (key, object.size)).collect()
    }

    fn keep_object(
        &self,
        open: &mut State,
        bases: &mut Bases,
        object: &Object,
        key: ObjectKey,
        stable: StableObject,
        lifetime: Lifetime,
    ) -> Term {
        let name = self.object_label(stable);
        let symbol = match stable {
            StableObject::Variable { variable, level: 0 } => variable.symbol(),
            _ => self.terms.intern_symbol(&name, Sort::bv(self.pointer())),
        };
        let base = self.terms.address(symbol, self.pointer());
        let ctype = match stable {
            StableObject::Variable { variable, .. } => &self.program.variables[variable].ctype,
            StableObject::Site(_) => &CType::Void,
        };
        let content = self.content(object.size, self.beginning(&name, ctype, None), &name, ctype);
        let new = Object { base, size: object.size, lifetime, birth: 0, alive: self.terms.true_(), content, unwritten: None };
        bases.map.insert(object.base, base);
        bases.keys.push((key, self.add_object(open, key.name, new)));
        base
    }

    fn object_label(&self, object: StableObject) -> String {
        match object {
            StableObject::Variable { variable, level } => self.register_label(variable, level),
            StableObject::Site(edge) => format!("heap.{}", assay_base::Id::index(edge)),
        }
    }

    fn register_label(&self, variable: VarId, level: u32) -> String {
        let name = self.terms.symbol_name(variable.symbol());
        if level == 0 { name.to_string() } else { format!("{name}^{level}") }
    }

    /// The symbol of a register in an activation.
    pub(crate) fn register_symbol(&self, variable: VarId, level: u32) -> Term {
        let info = &self.program.variables[variable];
        match (level, info.register_width()) {
            (0, _) => self.terms.symbol(variable.symbol()),
            (_, width) => self.terms.named(&self.register_label(variable, level), Sort::bv(width.unwrap_or(self.pointer()))),
        }
    }

    /// What a symbol (of an `Address` or a `Symbol` term) stands for, if it is a stable one; functions are addresses
    /// for good.
    pub fn stable_of(&self, symbol: SymbolId, op: Op) -> Option<Stable> {
        let name = self.terms.symbol_name(symbol);
        let result = if op == Op::Address {
            Stable::Base(self.stable_object(symbol, name)?)
        } else if name == MEMORY {
            Stable::Memory
        } else if let Some(variable) = self.program.variable_of(symbol) {
            Stable::Register { variable, level: 0 }
        } else if let Some((object, place)) = name.strip_suffix(']').and_then(|name| name.rsplit_once('[')) {
            let object = self.stable_object(self.terms.find_symbol(object)?, object)?;
            let (offset, bytes) = place.split_once(':')?;
            let bytes = bytes.parse().ok()?;
            match offset {
                "" => Stable::Array { object, bytes },
                offset => Stable::Cell { object, offset: offset.parse().ok()?, bytes },
            }
        } else {
            let (variable, level) = name.split_once('^')?;
            Stable::Register { variable: self.program.variable_of(self.terms.find_symbol(variable)?)?, level: level.parse().ok()? }
        };
        Some(result)
    }

    fn stable_object(&self, symbol: SymbolId, name: &str) -> Option<StableObject> {
        if let Some(variable) = self.program.variable_of(symbol) {
            return Some(StableObject::Variable { variable, level: 0 });
        }
        if let Some(edge) = name.strip_prefix("heap.") {
            return Some(StableObject::Site(EdgeId(edge.parse().ok()?)));
        }
        let (variable, level) = name.split_once('^')?;
        let variable = self.program.variable_of(self.terms.find_symbol(variable)?)?;
        Some(StableObject::Variable { variable, level: level.parse().ok()? })
    }

    /// What a stable thing is in a state; `None` where it is not there, or cannot be said.
    pub fn stable_value(&self, state: &State, stable: Stable) -> Option<Term> {
        let t = self.terms;
        let sound = || t.is_false(state.tainted);
        match stable {
            Stable::Register { variable, level } => match self.program.variables[variable].scope {
                Scope::Global => Some(self.get(state, variable)),
                Scope::Local(_) => self.frame_of(state, variable, level).map(|frame| self.in_frame(frame, variable)),
            },
            Stable::Base(StableObject::Variable { variable, .. }) if self.program.variables[variable].is_global() => {
                Some(t.address(variable.symbol(), self.pointer()))
            }
            Stable::Base(object) => self.stable_key(state, object).map(|key| state.objects[&key].base),
            Stable::Cell { object: name, offset, bytes } => {
                let object = &state.objects[&self.stable_key(state, name)?];
                let value = match &object.content {
                    Content::Cells(cells) => cells.read(t, offset, bytes, &mut |_, _| {}),
                    Content::Table(_) => self.read(&object.content, object.size, self.address_number(offset), bytes, &mut vec![])?,
                    Content::Array { bytes: grain, term } => {
                        Elements { terms: t, bytes: *grain }.read(*term, self.address_number(offset), bytes)
                    }
                };
                // Where something was written outside of all objects, it holds anything.
                if sound() || object.lifetime == Lifetime::Constant {
                    return Some(value);
                }
                let anything = t.named(&format!("tainted!{}!{offset}!{bytes}", self.object_label(name)), Sort::bv(bytes * 8));
                Some(t.ite(state.tainted, anything, value))
            }
            Stable::Array { object, bytes } if sound() => match &state.objects[&self.stable_key(state, object)?].content {
                Content::Array { bytes: grain, term } if *grain == bytes => Some(*term),
                Content::Table(table) if table.bytes == bytes => Some(self.array_of(table)),
                _ => None,
            },
            // Objects that are not kept go over into it, which no term says.
            Stable::Memory if sound() => {
                let is_lost = |key: &ObjectKey, object: &Object| {
                    matches!(object.lifetime, Lifetime::Heap | Lifetime::Frame(_)) || matches!(key.name, ObjectName::Site(_))
                };
                if state.objects.iter().any(|(key, object)| is_lost(key, object)) { None } else { state.rest }
            }
            _ => None,
        }
    }

    fn frame_of<'s>(&self, state: &'s State, variable: VarId, level: u32) -> Option<&'s Frame> {
        let Scope::Local(function) = self.program.variables[variable].scope else { return None };
        let mut frames = std::iter::successors(state.frame.as_ref(), |frame| frame.caller.as_ref());
        frames.find(|frame| frame.function == function && frame.level == level).map(|frame| &**frame)
    }

    /// The value of a local in a frame.
    pub(crate) fn in_frame(&self, frame: &Frame, variable: VarId) -> Term {
        let info = &self.program.variables[variable];
        if let Some(Some(value)) = frame.registers.get(u64::from(info.slot)) {
            return *value;
        }
        if frame.open {
            return self.register_symbol(variable, frame.level);
        }
        let width = info.register_width().unwrap_or(self.pointer());
        self.terms.named(&format!("{}~{}", info.name, frame.number), Sort::bv(width))
    }

    /// The object of a state, where there is just one, alive for sure and of a size that is known.
    fn stable_key(&self, state: &State, object: StableObject) -> Option<ObjectKey> {
        let known = |object: &Object| self.terms.is_true(object.alive) && self.terms.as_constant(object.size).is_some();
        match object {
            StableObject::Variable { variable, .. } if self.program.variables[variable].is_global() => {
                let key = ObjectKey { name: ObjectName::Variable(variable), occurrence: 0 };
                state.objects.contains_key(&key).then_some(key)
            }
            StableObject::Variable { variable, level } => {
                let slot = u64::from(self.program.variables[variable].slot);
                let base = self.frame_of(state, variable, level)?.registers.get(slot).copied()??;
                let mut named = state.objects.iter().filter(|(key, _)| key.name == ObjectName::Variable(variable));
                named.find(|(_, object)| object.base == base && known(object)).map(|(key, _)| *key)
            }
            StableObject::Site(edge) => {
                let mut there = state.objects.iter().filter(|(key, _)| key.name == ObjectName::Site(edge));
                match (there.next(), there.next()) {
                    (Some((key, object)), None) if known(object) => Some(*key),
                    _ => None,
                }
            }
        }
    }
}
