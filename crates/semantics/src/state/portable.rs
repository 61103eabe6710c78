//! States as bytes that a later run on a changed program can read: variables, functions and edges by name, terms as
//! text, objects by their place among those that the block can see.
//!
//! A state is written and read on top of `entry`, the reduced state at the block's entry (an entry on top of itself).
//! What the block cannot see is not written, and is as it is in the entry: contents of objects that the block has no
//! name for and no pointer to. Ids that are free at the entry are numbered in the order in which they are given away,
//! so that what is born in the block has the same number whatever else there is. A state in which addresses occur as
//! numbers is not portable.

use super::object::{Cell, Lifetime, Object, ObjectName};
use super::persistent::PersistentVec;
use super::reduce::Footprint;
use super::state::{Frame, State};
use super::value::{ObjectId, Value};
use assay_base::{ByteReader, ByteWriter, FastSet, Id};
use assay_cfa::portable::Names;
use assay_cfa::program::{FunctionId, Program, Scope, Storage, VarId, Variable};
use assay_cfa::property::Target;
use assay_term::{Sort, Term, Terms};
use std::sync::Arc;

/// More objects than this no state has that is read without the one that it was made from.
const MOST_OBJECTS: u32 = 1 << 20;

/// What a state is written and read with.
#[derive(Clone, Copy)]
pub struct Portable<'n> {
    /// Of the program.
    pub names: &'n Names<'n>,
    /// Where terms that are read are made.
    pub terms: &'n Terms,
    /// What the block can touch.
    pub block: &'n dyn Footprint,
}

/// The objects at the entry of a block, as the block sees them.
struct Seen {
    /// Static objects, by name.
    fixed: Vec<ObjectId>,
    /// Locals and heap objects, in the order of their ids.
    dynamic: Vec<ObjectId>,
    /// Ids below `end` that are free, in order; those from there on are free, too.
    free: Vec<u32>,
    end: u32,
}

impl Seen {
    /// The number of an id that is free at the entry.
    fn rank(&self, id: ObjectId) -> Option<u64> {
        match id.0.checked_sub(self.end) {
            Some(beyond) => Some(self.free.len() as u64 + u64::from(beyond)),
            None => self.free.binary_search(&id.0).ok().map(|at| at as u64),
        }
    }
    fn of_rank(&self, rank: u32) -> Option<ObjectId> {
        let beyond = || self.end.checked_add(rank - self.free.len() as u32);
        self.free.get(rank as usize).copied().or_else(beyond).map(ObjectId)
    }
}

impl Portable<'_> {
    fn program(&self) -> &Program {
        self.names.program
    }

    /// What the block can see or change: what it can name, what pointers lead to from there and from registers, and
    /// what is dead and in whose place something new may lie. A block that writes through pointers may do so anywhere.
    fn seen(&self, entry: &State) -> Seen {
        let program = self.program();
        let everything = self.block.writes_anywhere();
        let mut seen: FastSet<ObjectId> = FastSet::default();
        let mut work: Vec<ObjectId> = Vec::new();
        entry.for_each_object(|id, object| {
            let named = match object.name {
                ObjectName::Variable(variable) => self.block.names(variable),
                ObjectName::Site(_) | ObjectName::Function(_) | ObjectName::Environment => false,
            };
            // Whatever the block allocates may lie where something was that is gone.
            let may_be_overlaid = !object.alive && !object.overlaid;
            if everything || named || may_be_overlaid {
                work.push(id);
            }
        });
        entry.globals.for_each(|slot, value| {
            if !is_fixed(program, program.globals[slot as usize]) {
                work.extend(value.object());
            }
        });
        if let Some(frame) = entry.frame() {
            frame.registers.for_each(|_, value| work.extend(value.object()));
            work.extend(&frame.owned);
        }
        while let Some(id) = work.pop() {
            if seen.insert(id)
                && let Some(object) = entry.object(id)
            {
                work.extend(object.size.object());
                object.for_each_cell(|cell| work.extend(cell.value.object()));
            }
        }
        let holds = |id: &ObjectId| entry.object(*id).is_some_and(|object| object.lifetime != Lifetime::Function);
        let (mut dynamic, mut fixed): (Vec<ObjectId>, Vec<ObjectId>) =
            seen.into_iter().filter(holds).partition(|id| id.0 >= entry.first_dynamic);
        dynamic.sort();
        let name = |id: &ObjectId| program.globals.get(id.index()).map(|&variable| program.variables[variable].name.as_str());
        fixed.sort_by(|a, b| name(a).cmp(&name(b)));
        let free = (entry.first_dynamic..entry.next_object).filter(|&id| entry.object(ObjectId(id)).is_none()).collect();
        Seen { fixed, dynamic, free, end: entry.next_object }
    }

    /// Writes a state of the block that begins in `entry`; `None` if it is not portable.
    pub fn write(&self, entry: &State, state: &State, out: &mut ByteWriter) -> Option<()> {
        let program = self.program();
        let frame = state.frame()?;
        let has_numbers = !state.bases.is_empty() || !entry.bases.is_empty();
        if frame.parent.is_some() || has_numbers || state.pinned < state.first_dynamic || state.pinned != entry.pinned {
            return None;
        }
        let seen = self.seen(entry);
        out.text(&program.functions[frame.function].name);
        for (ids, registers) in [(&program.globals, &state.globals), (&program.functions[frame.function].locals, &frame.registers)] {
            let mut held: Vec<(VarId, Value)> = Vec::new();
            registers.for_each(|slot, value| {
                if *value != Value::Unknown && !is_fixed(program, ids[slot as usize]) {
                    held.push((ids[slot as usize], *value));
                }
            });
            held.sort_by(|a, b| program.variables[a.0].name.cmp(&program.variables[b.0].name));
            out.number(held.len() as u64);
            for (variable, value) in held {
                out.text(&program.variables[variable].name);
                self.write_value(&seen, state, value, out)?;
            }
        }
        out.number(frame.owned.len() as u64);
        for &object in &frame.owned {
            self.write_object_id(&seen, state, object, out)?;
        }
        out.flag(state.has_doubtful_heap());
        out.number(seen.fixed.len() as u64);
        for &id in &seen.fixed {
            self.write_object_id(&seen, state, id, out)?;
            self.write_object(&seen, state, state.object(id)?, out)?;
        }
        out.number(seen.dynamic.len() as u64);
        for &id in &seen.dynamic {
            out.flag(state.object(id).is_some());
            if let Some(object) = state.object(id) {
                self.write_object(&seen, state, object, out)?;
            }
        }
        let mut born: Vec<(u64, &Object)> = Vec::new();
        for id in (state.first_dynamic..state.next_object).map(ObjectId) {
            if let (Some(object), Some(rank)) = (state.object(id), seen.rank(id)) {
                born.push((rank, object));
            }
        }
        out.number(born.len() as u64);
        for (rank, object) in born {
            out.number(rank);
            self.write_object(&seen, state, object, out)?;
        }
        Some(())
    }

    /// Reads a state of the block that begins in `entry`.
    pub fn read(&self, entry: &State, from: &mut ByteReader<'_>) -> Option<State> {
        let seen = self.seen(entry);
        let mut state = self.read_frame(&seen, entry, from)?;
        if from.number()? != seen.fixed.len() as u64 {
            return None;
        }
        for _ in 0..seen.fixed.len() {
            let id = self.read_object_id(&seen, from)?;
            self.read_existing(&seen, entry, &mut state, id, from)?;
        }
        if from.number()? != seen.dynamic.len() as u64 {
            return None;
        }
        for &id in &seen.dynamic {
            if from.flag()? {
                self.read_existing(&seen, entry, &mut state, id, from)?;
            } else {
                *state.objects.get_mut(u64::from(id.0)) = None;
            }
        }
        for _ in 0..from.number()? {
            let id = seen.of_rank(from.small()?)?;
            let mut object = self.read_object(&seen, from)?;
            // Births tell apart objects that had the same id one after the other.
            state.births += 1;
            object.birth = state.births;
            state.next_object = state.next_object.max(id.0.checked_add(1)?);
            *state.objects.get_mut(u64::from(id.0)) = Some(Arc::new(object));
        }
        state.rehash();
        Some(state)
    }

    /// A state with registers and a frame as they were written; its objects are still those of `base`.
    fn read_frame(&self, seen: &Seen, base: &State, from: &mut ByteReader<'_>) -> Option<State> {
        let mut state = base.clone();
        let function = self.names.function(from.text()?)?;
        let (globals, registers) = self.read_registers(seen, base, function, from)?;
        let mut owned = Vec::new();
        for _ in 0..from.number()? {
            owned.push(self.read_object_id(seen, from)?);
        }
        state.globals = globals;
        state.frame = Some(Arc::new(Frame { function, depth: 0, registers, owned, parent: None }));
        state.set_doubtful_heap(from.flag()?);
        Some(state)
    }

    /// Writes the state at the entry of a block so that [`read_entry`](Self::read_entry) has nothing but the bytes to
    /// go by.
    pub fn write_entry(&self, entry: &State, out: &mut ByteWriter) -> Option<()> {
        if entry.chains > 0 {
            return None;
        }
        out.number(u64::from(entry.symbols));
        out.number(self.seen(entry).dynamic.len() as u64);
        self.write(entry, entry, out)
    }

    /// A state at the entry of the block, on top of any reduced state of the program that has no locals and no heap.
    /// What the block can see is as it was where it was written; ids are others, in the same order. The caller that
    /// reads it writes it again and compares: equal bytes are equal to the block.
    pub fn read_entry(&self, base: &State, from: &mut ByteReader<'_>) -> Option<State> {
        let symbols = from.small()?;
        let count = from.small().filter(|&count| count <= MOST_OBJECTS)?;
        let first = base.first_dynamic;
        let end = first.checked_add(count)?;
        let seen = Seen { fixed: Vec::new(), dynamic: (first..end).map(ObjectId).collect(), free: Vec::new(), end };
        let mut state = self.read_frame(&seen, base, from)?;
        for _ in 0..from.number()? {
            let id = self.read_object_id(&seen, from).filter(|id| id.0 < first)?;
            self.read_existing(&seen, base, &mut state, id, from)?;
        }
        if from.number()? != u64::from(count) {
            return None;
        }
        let mut births = 0;
        base.for_each_object(|_, object| births = births.max(object.birth));
        for &id in &seen.dynamic {
            // A place of an object that is gone has nothing to be read.
            if from.flag()? {
                let mut object = self.read_object(&seen, from)?;
                births += 1;
                object.birth = births;
                *state.objects.get_mut(u64::from(id.0)) = Some(Arc::new(object));
            }
        }
        if from.number()? != 0 {
            return None;
        }
        (state.next_object, state.pinned, state.births, state.symbols) = (end, end, births, symbols);
        state.rehash();
        Some(state)
    }

    /// The values of globals and of the frame, on top of the addresses that globals hold always.
    fn read_registers(
        &self,
        seen: &Seen,
        entry: &State,
        function: FunctionId,
        from: &mut ByteReader<'_>,
    ) -> Option<(PersistentVec<Value>, PersistentVec<Value>)> {
        let program = self.program();
        let mut globals = PersistentVec::new();
        // The slots of memory variables hold their addresses.
        entry.globals.for_each(|slot, value| {
            if is_fixed(program, program.globals[slot as usize]) {
                *globals.get_mut(slot) = *value;
            }
        });
        let mut registers = PersistentVec::new();
        for is_local in [false, true] {
            for _ in 0..from.number()? {
                let variable = &program.variables[self.names.variable(from.text()?)?];
                let fits = match variable.scope {
                    Scope::Global => !is_local,
                    Scope::Local(owner) => is_local && owner == function,
                };
                let value = self.read_value(seen, from).filter(|_| fits)?;
                let list = if is_local { &mut registers } else { &mut globals };
                *list.get_mut(u64::from(variable.slot)) = value;
            }
        }
        Some((globals, registers))
    }

    /// Reads an object that was there at the entry.
    fn read_existing(&self, seen: &Seen, entry: &State, state: &mut State, id: ObjectId, from: &mut ByteReader<'_>) -> Option<()> {
        let mut object = self.read_object(seen, from)?;
        object.birth = entry.object(id)?.birth;
        *state.objects.get_mut(u64::from(id.0)) = Some(Arc::new(object));
        Some(())
    }

    /// A memory variable with what its address may depend on.
    fn write_variable(&self, variable: VarId, out: &mut ByteWriter) {
        let info = &self.program().variables[variable];
        out.text(&info.name);
        let (size, align) = layout(info);
        out.number(size);
        out.number(align);
    }

    fn read_variable(&self, from: &mut ByteReader<'_>) -> Option<VarId> {
        let variable = self.names.variable(from.text()?)?;
        let found = (from.number()?, from.number()?);
        (found == layout(&self.program().variables[variable])).then_some(variable)
    }

    fn write_object_id(&self, seen: &Seen, state: &State, id: ObjectId, out: &mut ByteWriter) -> Option<()> {
        let program = self.program();
        if id.0 >= state.first_dynamic {
            match seen.dynamic.binary_search(&id) {
                Ok(place) => {
                    out.number(0);
                    out.number(place as u64);
                }
                Err(_) => {
                    out.number(3);
                    out.number(seen.rank(id)?);
                }
            }
        } else if let Some(&variable) = program.globals.get(id.index()) {
            out.number(1);
            self.write_variable(variable, out);
        } else {
            out.number(2);
            out.text(&program.functions[State::object_function(program, id)?].name);
        }
        Some(())
    }

    fn read_object_id(&self, seen: &Seen, from: &mut ByteReader<'_>) -> Option<ObjectId> {
        let program = self.program();
        match from.number()? {
            0 => seen.dynamic.get(from.small()? as usize).copied(),
            1 => {
                let variable = self.read_variable(from)?;
                let slot = program.variables[variable].slot;
                (program.globals.get(slot as usize) == Some(&variable)).then_some(ObjectId(slot))
            }
            2 => Some(State::function_object(program, self.names.function(from.text()?)?)),
            3 => seen.of_rank(from.small()?),
            _ => None,
        }
    }

    fn write_value(&self, seen: &Seen, state: &State, value: Value, out: &mut ByteWriter) -> Option<()> {
        match value {
            Value::Unknown => out.number(0),
            Value::Known { width, low, high } => {
                out.number(1);
                out.number(u64::from(width));
                out.number(low);
                out.number(high);
            }
            Value::Pointer { object, offset } => {
                out.number(2);
                self.write_object_id(seen, state, object, out)?;
                out.number(offset);
            }
            Value::Within(object) => {
                out.number(3);
                self.write_object_id(seen, state, object, out)?;
            }
            Value::Term(term) => {
                out.number(4);
                self.write_term(term, out)?;
            }
        }
        Some(())
    }

    fn read_value(&self, seen: &Seen, from: &mut ByteReader<'_>) -> Option<Value> {
        Some(match from.number()? {
            0 => Value::Unknown,
            1 => Value::Known { width: from.small()?, low: from.number()?, high: from.number()? },
            2 => Value::Pointer { object: self.read_object_id(seen, from)?, offset: from.number()? },
            3 => Value::Within(self.read_object_id(seen, from)?),
            4 => Value::Term(self.read_term(from)?),
            _ => return None,
        })
    }

    /// A term as text, after the symbols in it. Symbols of objects' addresses have no name that another run would know.
    pub fn write_term(&self, term: Term, out: &mut ByteWriter) -> Option<()> {
        let mut symbols = self.terms.free_symbols(term);
        symbols.sort_by(|a, b| self.terms.symbol_name(*a).cmp(self.terms.symbol_name(*b)));
        symbols.dedup();
        out.number(symbols.len() as u64);
        for symbol in symbols {
            let (name, sort) = (self.terms.symbol_name(symbol), self.terms.symbol_info(symbol).sort);
            if name.starts_with("base!") || sort.is_array() {
                return None;
            }
            out.text(name);
            out.number(u64::from(sort.width()));
        }
        out.text(&self.terms.display(term).to_string());
        Some(())
    }

    /// What `write_term` wrote, with the symbols that it names.
    pub fn read_term(&self, from: &mut ByteReader<'_>) -> Option<Term> {
        for _ in 0..from.number()? {
            let name = from.text()?;
            let width = from.small()?;
            self.terms.named(name, Sort::bv(width));
        }
        self.terms.parse_term(from.text()?).ok()
    }

    fn write_object(&self, seen: &Seen, state: &State, object: &Object, out: &mut ByteWriter) -> Option<()> {
        if self.program().questions.contains(Target::UninitialisedRead) {
            // What was written is not kept in records.
            return None;
        }
        match object.name {
            ObjectName::Variable(variable) => {
                out.number(0);
                self.write_variable(variable, out);
            }
            ObjectName::Site(edge) => {
                let (function, place) = self.names.edge_name(edge);
                out.number(1);
                out.place(function, place);
            }
            ObjectName::Function(_) | ObjectName::Environment => return None,
        }
        self.write_value(seen, state, object.size, out)?;
        match object.lifetime {
            Lifetime::Static => out.number(0),
            Lifetime::Constant => out.number(1),
            Lifetime::Heap => out.number(2),
            Lifetime::Frame(depth) => out.number(3 + u64::from(depth)),
            Lifetime::Function => return None,
        }
        [object.alive, object.escaped, object.zero, object.overlaid].iter().for_each(|&flag| out.flag(flag));
        let mut cells: Vec<Cell> = Vec::new();
        object.for_each_cell(|cell| cells.push(*cell));
        out.number(cells.len() as u64);
        for cell in cells {
            out.number(cell.offset);
            out.number(u64::from(cell.width));
            self.write_value(seen, state, cell.value, out)?;
        }
        Some(())
    }

    fn read_object(&self, seen: &Seen, from: &mut ByteReader<'_>) -> Option<Object> {
        let name = match from.number()? {
            0 => ObjectName::Variable(self.read_variable(from)?),
            1 => {
                let function = from.text()?;
                ObjectName::Site(self.names.edge(function, from.small()?)?)
            }
            _ => return None,
        };
        let size = self.read_value(seen, from)?;
        let lifetime = match from.small()? {
            0 => Lifetime::Static,
            1 => Lifetime::Constant,
            2 => Lifetime::Heap,
            depth => Lifetime::Frame(depth - 3),
        };
        let (alive, escaped, zero, overlaid) = (from.flag()?, from.flag()?, from.flag()?, from.flag()?);
        let mut object = Object::new(name, size, lifetime, zero, 0);
        (object.alive, object.escaped, object.overlaid) = (alive, escaped, overlaid);
        for _ in 0..from.number()? {
            let (offset, width) = (from.number()?, from.small()?);
            object.insert(Cell { offset, width, value: self.read_value(seen, from)? });
        }
        Some(object)
    }
}

/// Size and alignment of a memory variable.
fn layout(info: &Variable) -> (u64, u64) {
    match info.storage {
        Storage::Memory { size, align, .. } => (size.unwrap_or(u64::MAX), u64::from(align)),
        Storage::Register { .. } => (0, 0),
    }
}

/// Whether a global slot holds the address of its own object, always.
fn is_fixed(program: &Program, variable: VarId) -> bool {
    let info = &program.variables[variable];
    info.scope == Scope::Global && matches!(info.storage, Storage::Memory { .. })
}
