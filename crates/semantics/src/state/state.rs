//! The state itself: registers, frames and objects, with a hash that every write keeps up to date.

use super::object::{Cell, Lifetime, Object, ObjectName};
use super::persistent::PersistentVec;
use super::value::{ObjectId, Value};
use crate::environment::ENVIRONMENT_BIRTH;
use assay_base::ByteRanges;
use assay_base::Id;
use assay_base::hash::mix;
use assay_cfa::program::{FunctionId, Program, Scope, Storage, VarId};
use assay_term::{Op, Sort, Term, Terms};
use std::sync::Arc;

/// One activation of a function. The slot of a memory local holds the pointer to its object.
#[derive(Clone, Debug)]
pub struct Frame {
    /// Whose activation it is.
    pub function: FunctionId,
    /// How many frames are around it: 0 for the entry function.
    pub depth: u32,
    pub(super) registers: PersistentVec<Value>,
    /// Objects that end with the frame. Some may have ended before.
    pub(super) owned: Vec<ObjectId>,
    pub(super) parent: Option<Arc<Frame>>,
}

impl Drop for Frame {
    /// Deep stacks are taken down without recursion.
    fn drop(&mut self) {
        let mut next = self.parent.take();
        while let Some(frame) = next {
            match Arc::try_unwrap(frame) {
                Ok(mut frame) => next = frame.parent.take(),
                Err(_) => break,
            }
        }
    }
}

/// The state of a program at one moment. Clones share what did not change.
#[derive(Clone, Debug)]
pub struct State {
    pub(super) globals: PersistentVec<Value>,
    pub(super) frame: Option<Arc<Frame>>,
    pub(super) objects: PersistentVec<Option<Arc<Object>>>,
    /// Ids from here on are given to locals and the heap.
    pub(super) first_dynamic: u32,
    /// Ids from here on were never used.
    pub(super) next_object: u32,
    /// Ids below this one are never given away, even when nothing seems to point to them: this state is a part of
    /// another one.
    pub(super) pinned: u32,
    /// Dead objects that may still be pointed to.
    dead: u32,
    /// Objects that are chains.
    pub(super) chains: u32,
    pub(super) hash: u64,
    /// A hash of which things are known, whatever their values.
    shape: u64,
    /// A release of unknown target happened: any heap object may be gone.
    pub(super) doubtful_heap: bool,
    /// The base symbols in use, and whose they are.
    pub(super) bases: Arc<Vec<(Term, ObjectId)>>,
    /// Symbols and objects made on the path; not part of the state's identity.
    pub symbols: u32,
    /// Objects made on the path so far.
    pub births: u32,
}

impl PartialEq for State {
    fn eq(&self, other: &Self) -> bool {
        self.hash == other.hash
            && self.doubtful_heap == other.doubtful_heap
            && self.pinned == other.pinned
            && self.globals == other.globals
            && self.same_frames(other)
            && self.objects == other.objects
    }
}

pub(super) fn register_hash(depth: u32, slot: u32, value: Value) -> u64 {
    match value {
        Value::Unknown => 0,
        _ => mix(value.hash64() ^ mix((depth as u64) << 32 | slot as u64)),
    }
}

fn register_shape(depth: u32, slot: u32, value: Value) -> u64 {
    match value {
        Value::Unknown => 0,
        _ => mix((depth as u64) << 32 | slot as u64 | 1 << 31),
    }
}

/// Depth of the globals in hashes; frames count from 0.
pub(super) const GLOBAL_DEPTH: u32 = u32::MAX;

impl State {
    /// Globals and functions as the program starts, and the frame of the entry function.
    pub fn initial(program: &Program, terms: &Terms) -> State {
        let mut state = State {
            globals: PersistentVec::new(),
            frame: None,
            objects: PersistentVec::new(),
            first_dynamic: (program.globals.len() + program.functions.len()) as u32,
            next_object: (program.globals.len() + program.functions.len()) as u32,
            pinned: 0,
            dead: 0,
            chains: 0,
            hash: 0,
            shape: 0,
            doubtful_heap: false,
            bases: Arc::default(),
            symbols: 0,
            births: 0,
        };
        let pointer = program.model.pointer_width();
        for (slot, &id) in program.globals.iter().enumerate() {
            let variable = &program.variables[id];
            match variable.storage {
                Storage::Register { width } => {
                    let value = match variable.initial.first() {
                        Some(&(_, term)) => initial_value(program, terms, term),
                        None => Value::number(width, 0),
                    };
                    state.set_global(slot as u32, value);
                }
                Storage::Memory { size, constant, .. } => {
                    let lifetime = if constant { Lifetime::Constant } else { Lifetime::Static };
                    let size = Value::number(pointer, size.unwrap_or(0) as u128);
                    let mut object = Object::new(ObjectName::Variable(id), size, lifetime, true, 0);
                    object.escaped = true;
                    let cell = |&(offset, term): &(u64, Term)| {
                        let value = initial_value(program, terms, term);
                        Cell { offset, width: terms.width(term), value }
                    };
                    object.insert_all(variable.initial.iter().map(cell).collect());
                    let object_id = ObjectId::from_index(slot);
                    state.put_object(object_id, object);
                    state.set_global(slot as u32, Value::Pointer { object: object_id, offset: 0 });
                }
            }
        }
        for (id, _) in program.functions.iter_ids() {
            let size = Value::number(pointer, 1);
            let mut object = Object::new(ObjectName::Function(id), size, Lifetime::Function, true, 0);
            object.escaped = true;
            state.put_object(ObjectId::from_index(program.globals.len() + id.index()), object);
        }
        state.push_frame(program.entry);
        state
    }

    /// The object of a function.
    pub fn function_object(program: &Program, function: FunctionId) -> ObjectId {
        ObjectId::from_index(program.globals.len() + function.index())
    }
    /// The function whose object it is.
    pub fn object_function(program: &Program, object: ObjectId) -> Option<FunctionId> {
        let index = object.index().checked_sub(program.globals.len())?;
        (index < program.functions.len()).then(|| FunctionId::from_index(index))
    }

    /// A hash of everything that equality looks at.
    #[inline]
    pub fn hash64(&self) -> u64 {
        self.hash
    }
    /// A hash of which registers and cells are known: states of different shape may cover each other, and
    /// [`hash_in_shape`](Self::hash_in_shape) then finds the one that does.
    #[inline]
    pub fn shape64(&self) -> u64 {
        self.shape
    }

    /// Whether any heap object may have been released through a pointer of unknown target.
    pub fn has_doubtful_heap(&self) -> bool {
        self.doubtful_heap
    }
    pub(super) fn doubt_heap(&mut self) {
        self.doubtful_heap = true;
    }
    pub(super) fn set_doubtful_heap(&mut self, doubtful: bool) {
        self.doubtful_heap = doubtful;
    }
    /// The innermost frame; none once the program has ended.
    pub fn frame(&self) -> Option<&Frame> {
        self.frame.as_deref()
    }
    /// How many frames there are.
    pub fn depth(&self) -> u32 {
        self.frame.as_ref().map_or(0, |f| f.depth + 1)
    }

    /// The value of a register, or the address of a memory object.
    #[inline]
    pub fn get(&self, program: &Program, variable: VarId) -> Value {
        let info = &program.variables[variable];
        match info.scope {
            Scope::Global => self.globals.get(info.slot as u64).copied().unwrap_or_default(),
            Scope::Local(function) => match self.frame.as_deref() {
                Some(frame) if frame.function == function => frame.registers.get(info.slot as u64).copied().unwrap_or_default(),
                _ => Value::Unknown,
            },
        }
    }
    /// Writes a register.
    #[inline]
    pub fn set(&mut self, program: &Program, variable: VarId, value: Value) {
        let info = &program.variables[variable];
        match info.scope {
            Scope::Global => {
                self.set_global(info.slot, value);
                self.escape(value);
            }
            Scope::Local(function) => {
                debug_assert!(self.frame.as_deref().is_some_and(|f| f.function == function), "{} is not in the frame", info.name);
                self.set_local(info.slot, value);
            }
        }
    }

    pub(super) fn set_global(&mut self, slot: u32, value: Value) {
        let old = self.globals.get(slot as u64).copied().unwrap_or_default();
        if old != value {
            self.hash ^= register_hash(GLOBAL_DEPTH, slot, old) ^ register_hash(GLOBAL_DEPTH, slot, value);
            self.shape ^= register_shape(GLOBAL_DEPTH, slot, old) ^ register_shape(GLOBAL_DEPTH, slot, value);
            *self.globals.get_mut(slot as u64) = value;
        }
    }
    pub(super) fn set_local(&mut self, slot: u32, value: Value) {
        let Some(frame) = self.frame.as_mut() else { return };
        let old = frame.registers.get(slot as u64).copied().unwrap_or_default();
        if old != value {
            let depth = frame.depth;
            *Arc::make_mut(frame).registers.get_mut(slot as u64) = value;
            self.hash ^= register_hash(depth, slot, old) ^ register_hash(depth, slot, value);
            self.shape ^= register_shape(depth, slot, old) ^ register_shape(depth, slot, value);
        }
    }

    /// Forgets a slot in every frame of a function.
    pub fn forget_local(&mut self, function: FunctionId, slot: u32) {
        let mut levels = 0;
        let mut last = 0;
        let mut frame = self.frame.as_deref();
        while let Some(f) = frame {
            levels += 1;
            if f.function == function && f.registers.get(slot as u64).is_some_and(|v| *v != Value::Unknown) {
                last = levels;
            }
            frame = f.parent.as_deref();
        }
        let mut slot_ref = &mut self.frame;
        for _ in 0..last {
            let Some(arc) = slot_ref.as_mut() else { break };
            let frame = Arc::make_mut(arc);
            if frame.function == function {
                let old = std::mem::take(frame.registers.get_mut(slot as u64));
                self.hash ^= register_hash(frame.depth, slot, old);
                self.shape ^= register_shape(frame.depth, slot, old);
            }
            slot_ref = &mut frame.parent;
        }
    }

    /// Forgets the content of a cell of an object.
    pub fn forget_cell(&mut self, id: ObjectId, cell: &Cell) {
        if self.object(id).is_some_and(|o| o.zero) {
            self.insert_cell(id, Cell { value: Value::Unknown, ..*cell });
        } else {
            self.remove_cell(id, cell);
        }
    }

    /// Enters a function; its registers are unknown at first.
    pub fn push_frame(&mut self, function: FunctionId) {
        let depth = self.depth();
        let parent = self.frame.take();
        self.hash ^= mix((function.0 as u64) << 32 ^ depth as u64 ^ 1 << 63);
        self.frame = Some(Arc::new(Frame { function, depth, registers: PersistentVec::new(), owned: vec![], parent }));
    }

    /// Drops the top frame; its objects die.
    pub fn pop_frame(&mut self) {
        let Some(frame) = self.frame.take() else { return };
        self.hash ^= mix((frame.function.0 as u64) << 32 ^ frame.depth as u64 ^ 1 << 63);
        frame.registers.for_each(|slot, value| {
            self.hash ^= register_hash(frame.depth, slot as u32, *value);
            self.shape ^= register_shape(frame.depth, slot as u32, *value);
        });
        self.frame = frame.parent.clone();
        for &id in &frame.owned {
            // The id of an object that ended before may be another's by now.
            if self.object(id).is_some_and(|object| object.lifetime == Lifetime::Frame(frame.depth)) {
                self.kill(id);
            }
        }
    }

    /// The object with an id that is in use.
    #[inline]
    pub fn object(&self, id: ObjectId) -> Option<&Object> {
        self.objects.get(id.0 as u64)?.as_deref()
    }

    pub(super) fn put_object(&mut self, id: ObjectId, object: Object) {
        self.drop_object(id);
        self.toggle_object(id, &object);
        *self.objects.get_mut(id.0 as u64) = Some(Arc::new(object));
    }

    pub(super) fn drop_object(&mut self, id: ObjectId) {
        if let Some(old) = self.objects.get_mut(id.0 as u64).take() {
            self.toggle_object(id, &old);
            if !old.alive {
                self.dead -= 1;
            }
        }
    }

    /// Puts an object into the hashes, or takes it out.
    fn toggle_object(&mut self, id: ObjectId, object: &Object) {
        self.hash ^= object.hash_head(id.0);
        self.shape ^= object.hash_head(id.0);
        object.for_each_cell(|cell| {
            self.hash ^= cell.hash64(id.0);
            self.shape ^= cell.shape64(id.0);
        });
    }

    /// Changes an object's head (not its cells).
    pub(super) fn change_object(&mut self, id: ObjectId, change: impl FnOnce(&mut Object)) {
        if let Some(slot) = self.objects.get_mut(id.0 as u64) {
            let object = Arc::make_mut(slot);
            let before = object.hash_head(id.0);
            change(object);
            self.hash ^= before ^ object.hash_head(id.0);
            self.shape ^= before ^ object.hash_head(id.0);
        }
    }

    pub(super) fn insert_cell(&mut self, id: ObjectId, cell: Cell) {
        if let Some(slot) = self.objects.get_mut(id.0 as u64) {
            let object = Arc::make_mut(slot);
            if let Some(old) = object.cell_at(cell.offset) {
                self.hash ^= old.hash64(id.0);
                self.shape ^= old.shape64(id.0);
            }
            self.hash ^= cell.hash64(id.0);
            self.shape ^= cell.shape64(id.0);
            object.insert(cell);
        }
    }

    pub(super) fn remove_cell(&mut self, id: ObjectId, cell: &Cell) {
        if let Some(slot) = self.objects.get_mut(id.0 as u64) {
            self.hash ^= cell.hash64(id.0);
            self.shape ^= cell.shape64(id.0);
            Arc::make_mut(slot).remove(cell.offset);
        }
    }

    /// All content becomes the default; `zero` says which.
    pub(super) fn clear_object(&mut self, id: ObjectId, zero: bool) {
        if let Some(object) = self.object(id).cloned() {
            object.for_each_cell(|cell| {
                self.hash ^= cell.hash64(id.0);
                self.shape ^= cell.shape64(id.0);
            });
            self.change_object(id, |object| {
                object.clear();
                object.zero = zero;
            });
        }
    }

    /// The symbol that stands for an object's address; made when it is first needed.
    pub fn base(&mut self, terms: &Terms, program: &Program, id: ObjectId) -> Term {
        if let Some(base) = self.object(id).and_then(|o| o.base) {
            return base;
        }
        let birth = self.object(id).map_or(0, |o| o.birth);
        let base = terms.named(&format!("base!{}!{birth}", id.0), Sort::bv(program.model.pointer_width()));
        self.change_object(id, |object| object.base = Some(base));
        Arc::make_mut(&mut self.bases).push((base, id));
        base
    }
    /// The object whose base symbol it is.
    pub fn object_of_base(&self, base: Term) -> Option<ObjectId> {
        self.bases.iter().find(|(term, _)| *term == base).map(|(_, id)| *id)
    }

    /// Computes the hashes anew, and what else follows from the content.
    pub(super) fn rehash(&mut self) {
        let (mut hash, mut shape, mut dead) = (mix(u64::from(self.pinned) | 1 << 50), mix(u64::from(self.pinned) | 1 << 50), 0);
        if self.pinned == 0 {
            (hash, shape) = (0, 0);
        }
        let mut frame = self.frame.as_deref();
        while let Some(f) = frame {
            hash ^= mix((f.function.0 as u64) << 32 ^ f.depth as u64 ^ 1 << 63);
            frame = f.parent.as_deref();
        }
        self.for_each_register(|_, depth, slot, value| {
            hash ^= register_hash(depth, slot, value);
            shape ^= register_shape(depth, slot, value);
        });
        self.for_each_object(|id, object| {
            hash ^= object.hash_head(id.0);
            shape ^= object.hash_head(id.0);
            dead += u32::from(!object.alive);
            object.for_each_cell(|cell| {
                hash ^= cell.hash64(id.0);
                shape ^= cell.shape64(id.0);
            });
        });
        (self.hash, self.shape, self.dead) = (hash, shape, dead);
    }

    /// A new object with the lowest free id. Dead objects that nothing points to make room first.
    pub fn new_object(&mut self, name: ObjectName, size: Value, lifetime: Lifetime, zero: bool) -> ObjectId {
        if self.dead > 0 {
            self.collect();
        }
        let mut id = self.first_dynamic;
        while id < self.next_object && self.object(ObjectId(id)).is_some() {
            id += 1;
        }
        self.next_object = self.next_object.max(id + 1);
        self.births += 1;
        let birth = self.births;
        self.put_object(ObjectId(id), Object::new(name, size, lifetime, zero, birth));
        if let (Lifetime::Frame(_), Some(frame)) = (lifetime, self.frame.as_mut())
            && !frame.owned.contains(&ObjectId(id))
        {
            Arc::make_mut(frame).owned.push(ObjectId(id));
        }
        ObjectId(id)
    }

    /// Notes that an object is about to be made on the heap, or elsewhere: it may lie where dead ones of the same kind
    /// were.
    pub(super) fn overlay(&mut self, heap: bool) {
        if self.dead == 0 {
            return;
        }
        let mut dead = Vec::new();
        self.for_each_object(|id, object| {
            if !object.alive && !object.overlaid && (object.lifetime == Lifetime::Heap) == heap {
                dead.push(id);
            }
        });
        dead.into_iter().for_each(|id| self.change_object(id, |object| object.overlaid = true));
    }

    /// From now on each object of the heap that is alive may be one that has ended, and something else may lie at its
    /// place: for the caller that leaves out steps in which memory was released.
    pub fn doubt_places(&mut self) {
        let mut alive = Vec::new();
        self.for_each_object(|id, object| {
            if object.alive && !object.overlaid && object.lifetime == Lifetime::Heap {
                alive.push(id);
            }
        });
        alive.into_iter().for_each(|id| self.change_object(id, |object| object.overlaid = true));
    }

    /// Adds the memory of the environment, for runs with chosen values.
    pub fn add_environment(&mut self, size: Value) -> ObjectId {
        let id = ObjectId(self.next_object);
        self.next_object += 1;
        let mut object = Object::new(ObjectName::Environment, size, Lifetime::Static, false, ENVIRONMENT_BIRTH);
        object.written = ByteRanges::all();
        self.put_object(id, object);
        id
    }

    /// Forgets an object's content; the unknown values that it holds from now on are other ones than before.
    pub(super) fn renew(&mut self, id: ObjectId) {
        self.clear_object(id, false);
        self.births += 1;
        let birth = self.births;
        self.change_object(id, |object| (object.birth, object.written) = (birth, ByteRanges::default()));
    }

    /// Ends an object's life. It stays as a tombstone while a pointer to it may exist.
    pub fn kill(&mut self, id: ObjectId) {
        let Some(object) = self.object(id) else { return };
        if !object.alive {
            return;
        }
        if matches!(object.lifetime, Lifetime::Frame(depth) if depth >= self.depth()) && !object.escaped && object.base.is_none() {
            self.drop_object(id);
            return;
        }
        self.clear_object(id, false);
        self.change_object(id, |object| object.alive = false);
        self.dead += 1;
    }

    /// Remembers that a value left the frame.
    pub(super) fn escape(&mut self, value: Value) {
        if let Some(object) = value.object()
            && self.object(object).is_some_and(|o| !o.escaped)
        {
            self.change_object(object, |o| o.escaped = true);
        }
    }

    /// Removes dead objects that nothing points to any more. Objects whose base occurs in terms stay.
    fn collect(&mut self) {
        let mut used = assay_base::FastSet::default();
        self.for_each_value(|value| {
            used.extend(value.object());
        });
        let mut gone = Vec::new();
        self.objects.for_each(|index, object| {
            if let Some(object) = object
                && !object.alive
                && object.base.is_none()
                && index >= u64::from(self.pinned)
                && !used.contains(&ObjectId(index as u32))
            {
                gone.push(ObjectId(index as u32));
            }
        });
        for id in gone {
            self.drop_object(id);
        }
    }

    /// Removes objects of the heap, and dead ones, that nothing points to. What may still reach one of them is an
    /// address of which nothing is known; so this is for questions that are not about memory.
    pub fn drop_unreachable(&mut self) {
        let is_candidate = |object: &Object| (object.lifetime == Lifetime::Heap || !object.alive) && object.base.is_none();
        let mut left: Vec<ObjectId> = vec![];
        self.for_each_object(|id, object| left.extend((is_candidate(object) && id.0 >= self.pinned).then_some(id)));
        // Objects can lead to each other: what is dropped first may be what kept the next one.
        while !left.is_empty() {
            let mut used = assay_base::FastSet::default();
            self.for_each_value(|value| used.extend(value.object()));
            let (kept, gone): (Vec<ObjectId>, Vec<ObjectId>) = left.into_iter().partition(|id| used.contains(id));
            gone.iter().for_each(|&id| self.drop_object(id));
            left = if gone.is_empty() { vec![] } else { kept };
        }
    }

    /// Visits every value in registers and live memory, and the sizes of objects: they are values of the program too.
    pub fn for_each_value(&self, mut visit: impl FnMut(Value)) {
        self.globals.for_each(|_, value| visit(*value));
        let mut frame = self.frame.as_deref();
        while let Some(f) = frame {
            f.registers.for_each(|_, value| visit(*value));
            frame = f.parent.as_deref();
        }
        self.objects.for_each_slot(|_, object| {
            if let Some(object) = object {
                visit(object.size);
                object.for_each_cell(|cell| visit(cell.value));
            }
        });
    }

    /// Calls the function with each object, in the order of their ids.
    pub fn for_each_object(&self, mut visit: impl FnMut(ObjectId, &Object)) {
        self.objects.for_each_slot(|index, object| {
            if let Some(object) = object {
                visit(ObjectId(index as u32), object);
            }
        });
    }

    /// Visits the registers of all frames (innermost first) and the globals: function (`None` for globals), depth,
    /// slot, value.
    pub fn for_each_register(&self, mut visit: impl FnMut(Option<FunctionId>, u32, u32, Value)) {
        let mut frame = self.frame.as_deref();
        while let Some(f) = frame {
            f.registers.for_each(|slot, value| visit(Some(f.function), f.depth, slot as u32, *value));
            frame = f.parent.as_deref();
        }
        self.globals.for_each(|slot, value| visit(None, GLOBAL_DEPTH, slot as u32, *value));
    }

    /// Replaces terms in all registers, cells and sizes of objects: `change` answers the new value where there is one.
    pub fn map_terms(&mut self, change: &mut dyn FnMut(Term) -> Option<Value>) {
        // Most values are no terms.
        self.map_values(&mut |value| match value {
            Value::Term(term) => change(term),
            _ => None,
        });
    }

    /// The same for all values, unknown ones among them.
    pub(super) fn map_values(&mut self, change: &mut impl FnMut(Value) -> Option<Value>) {
        let mut registers = Vec::new();
        self.globals.for_each_slot(|slot, value| {
            if let Some(new) = change(*value) {
                registers.push((slot as u32, new));
            }
        });
        for (slot, value) in registers.drain(..) {
            self.set_global(slot, value);
        }
        let mut changes: Vec<Vec<(u32, Value, Value)>> = Vec::new();
        let mut frame = self.frame.as_deref();
        while let Some(f) = frame {
            let mut here = Vec::new();
            f.registers.for_each_slot(|slot, value| {
                if let Some(new) = change(*value) {
                    here.push((slot as u32, *value, new));
                }
            });
            changes.push(here);
            frame = f.parent.as_deref();
        }
        let last = changes.iter().rposition(|c| !c.is_empty()).map_or(0, |i| i + 1);
        let mut slot_ref = &mut self.frame;
        for here in changes.into_iter().take(last) {
            let Some(arc) = slot_ref.as_mut() else { break };
            let frame = Arc::make_mut(arc);
            for (slot, old, new) in here {
                *frame.registers.get_mut(slot as u64) = new;
                self.hash ^= register_hash(frame.depth, slot, old) ^ register_hash(frame.depth, slot, new);
                self.shape ^= register_shape(frame.depth, slot, old) ^ register_shape(frame.depth, slot, new);
            }
            slot_ref = &mut frame.parent;
        }
        let (mut cells, mut sizes) = (Vec::new(), Vec::new());
        self.for_each_object(|id, object| {
            sizes.extend(change(object.size).map(|size| (id, size)));
            object.for_each_cell(|cell| {
                if let Some(value) = change(cell.value) {
                    cells.push((id, Cell { value, ..*cell }));
                }
            });
        });
        for (id, size) in sizes {
            self.change_object(id, |object| object.size = size);
        }
        for (id, cell) in cells {
            self.insert_cell(id, cell);
        }
    }

    /// Whether the same functions are open in both states.
    pub(super) fn same_functions(&self, other: &Self) -> bool {
        let functions = |state: &'_ Self| {
            let frames = std::iter::successors(state.frame.as_deref(), |frame| frame.parent.as_deref());
            frames.map(|frame| frame.function).collect::<Vec<_>>()
        };
        functions(self) == functions(other)
    }

    fn same_frames(&self, other: &Self) -> bool {
        let (mut a, mut b) = (self.frame.as_ref(), other.frame.as_ref());
        loop {
            match (a, b) {
                (None, None) => return true,
                (Some(x), Some(y)) if Arc::ptr_eq(x, y) => return true,
                (Some(x), Some(y)) if x.function == y.function && x.registers == y.registers => {
                    a = x.parent.as_ref();
                    b = y.parent.as_ref();
                }
                _ => return false,
            }
        }
    }
}

fn initial_value(program: &Program, terms: &Terms, term: Term) -> Value {
    let node = terms.node(term);
    let address = |symbol| {
        if let Some(variable) = program.variable_of(symbol) {
            Some(ObjectId::from_index(program.variables[variable].slot as usize))
        } else {
            program.function_of(symbol).map(|f| State::function_object(program, f))
        }
    };
    match node.op {
        Op::Const => Value::number(node.width(), node.constant()),
        Op::Address => address(node.symbol()).map_or(Value::Unknown, |object| Value::Pointer { object, offset: 0 }),
        Op::Add => match (initial_value(program, terms, node.operand(0)), terms.as_constant(node.operand(1))) {
            (Value::Pointer { object, offset }, Some(k)) => {
                let mask = if node.width() == 32 { 0xFFFF_FFFF } else { u64::MAX };
                Value::Pointer { object, offset: offset.wrapping_add(k.value() as u64) & mask }
            }
            _ => Value::Unknown,
        },
        _ => Value::Unknown,
    }
}
