//! States as bytes that a later run on a changed program can read: variables, functions and edges by name, terms as text, objects by
//! their place among those that a path has made.
//!
//! What a block cannot touch is not written, since a reduced state says nothing about it; a state is read on top of another reduced state
//! of the same block, which has those parts. A state in which addresses occur as numbers is not portable.

use super::object::{Cell, Lifetime, Object, ObjectName};
use super::persistent::PersistentVec;
use super::reduce::Footprint;
use super::state::{Frame, State};
use super::value::{ObjectId, Value};
use crate::portable::Names;
use crate::program::{Program, Storage, VarId, Variable};
use assay_base::{ByteReader, ByteWriter, FastSet, Id};
use assay_term::{Sort, Term, Terms};
use std::sync::Arc;

/// What a state is written and read with.
#[derive(Clone, Copy)]
pub struct Portable<'n> {
    pub names: &'n Names<'n>,
    pub terms: &'n Terms,
    /// What the block can touch.
    pub block: &'n dyn Footprint,
}

impl Portable<'_> {
    fn program(&self) -> &Program {
        self.names.program
    }

    /// Writes a reduced state, or an exit of the block that it was reduced to; `None` if it is not portable.
    pub fn write(&self, state: &State, out: &mut ByteWriter) -> Option<()> {
        let program = self.program();
        let frame = state.frame()?;
        if frame.parent.is_some() || !state.bases.is_empty() || state.pinned < state.first_dynamic {
            return None;
        }
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
                self.write_value(state, value, out)?;
            }
        }
        out.number(frame.owned.len() as u64);
        for &object in &frame.owned {
            self.write_object_id(state, object, out)?;
        }
        out.number(u64::from(state.next_object - state.first_dynamic));
        out.number(u64::from(state.pinned - state.first_dynamic));
        out.flag(state.has_doubtful_heap());
        let mut referenced: FastSet<ObjectId> = frame.owned.iter().copied().collect();
        state.for_each_value(|value| referenced.extend(value.object()));
        let mut objects: Vec<(ObjectId, Object)> = Vec::new();
        state.for_each_object(|id, object| {
            if id.0 >= state.first_dynamic || object.lifetime != Lifetime::Function && self.block.touches_object(object) {
                objects.push((id, object.clone()));
            }
        });
        // Global objects by name, because their order is that of the program.
        let global_name = |id: ObjectId| program.globals.get(id.index()).map(|&v| program.variables[v].name.as_str());
        objects.sort_by(|a, b| {
            let key = |id: ObjectId| (id.0 >= state.first_dynamic).then_some(id.0);
            (key(a.0), global_name(a.0)).cmp(&(key(b.0), global_name(b.0)))
        });
        out.number(objects.len() as u64);
        for (id, object) in objects {
            self.write_object_id(state, id, out)?;
            // Of what the block cannot touch and has no pointer to, it matters only that the id is taken.
            let matters = self.block.touches_object(&object) || referenced.contains(&id);
            out.flag(matters);
            if matters {
                self.write_object(state, &object, out)?;
            }
        }
        Some(())
    }

    /// Reads a state on top of `like`, a reduced state of the same block.
    pub fn read(&self, like: &State, from: &mut ByteReader<'_>) -> Option<State> {
        let program = self.program();
        let mut state = like.clone();
        let function = self.names.function(from.text()?)?;
        let mut globals = PersistentVec::new();
        // The slots of memory variables hold their addresses.
        like.globals.for_each(|slot, value| {
            if is_fixed(program, program.globals[slot as usize]) {
                *globals.get_mut(slot) = *value;
            }
        });
        let mut registers = PersistentVec::new();
        for is_local in [false, true] {
            for _ in 0..from.number()? {
                let variable = &program.variables[self.names.variable(from.text()?)?];
                let value = self.read_value(like, from)?;
                let list = if is_local { &mut registers } else { &mut globals };
                *list.get_mut(u64::from(variable.slot)) = value;
            }
        }
        let mut owned = Vec::new();
        for _ in 0..from.number()? {
            owned.push(self.read_object_id(like, from)?);
        }
        state.globals = globals;
        state.frame = Some(Arc::new(Frame { function, depth: 0, registers, owned, parent: None }));
        state.next_object = like.first_dynamic.checked_add(from.small()?)?;
        state.pinned = like.first_dynamic.checked_add(from.small()?)?;
        state.set_doubtful_heap(from.flag()?);
        let mut gone = Vec::new();
        like.for_each_object(|id, _| gone.extend((id.0 >= like.first_dynamic).then_some(id)));
        for id in gone {
            *state.objects.get_mut(u64::from(id.0)) = None;
        }
        for _ in 0..from.number()? {
            let id = self.read_object_id(like, from)?;
            if !from.flag()? {
                *state.objects.get_mut(u64::from(id.0)) = Some(Arc::new(like.object(id)?.clone()));
                continue;
            }
            let mut object = self.read_object(like, from)?;
            // Births tell apart objects that had the same id one after the other.
            if id.0 >= like.next_object {
                state.births += 1;
            }
            object.birth = state.births;
            *state.objects.get_mut(u64::from(id.0)) = Some(Arc::new(object));
        }
        state.rehash();
        Some(state)
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

    fn write_object_id(&self, state: &State, id: ObjectId, out: &mut ByteWriter) -> Option<()> {
        let program = self.program();
        if let Some(dynamic) = id.0.checked_sub(state.first_dynamic) {
            out.number(0);
            out.number(u64::from(dynamic));
        } else if let Some(&variable) = program.globals.get(id.index()) {
            out.number(1);
            self.write_variable(variable, out);
        } else {
            out.number(2);
            out.text(&program.functions[State::object_function(program, id)?].name);
        }
        Some(())
    }

    fn read_object_id(&self, like: &State, from: &mut ByteReader<'_>) -> Option<ObjectId> {
        let program = self.program();
        match from.number()? {
            0 => Some(ObjectId(like.first_dynamic.checked_add(from.small()?)?)),
            1 => {
                let variable = self.read_variable(from)?;
                let slot = program.variables[variable].slot;
                (program.globals.get(slot as usize) == Some(&variable)).then_some(ObjectId(slot))
            }
            2 => Some(State::function_object(program, self.names.function(from.text()?)?)),
            _ => None,
        }
    }

    fn write_value(&self, state: &State, value: Value, out: &mut ByteWriter) -> Option<()> {
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
                self.write_object_id(state, object, out)?;
                out.number(offset);
            }
            Value::Within(object) => {
                out.number(3);
                self.write_object_id(state, object, out)?;
            }
            Value::Term(term) => {
                out.number(4);
                self.write_term(term, out)?;
            }
        }
        Some(())
    }

    fn read_value(&self, like: &State, from: &mut ByteReader<'_>) -> Option<Value> {
        Some(match from.number()? {
            0 => Value::Unknown,
            1 => Value::Known { width: from.small()?, low: from.number()?, high: from.number()? },
            2 => Value::Pointer { object: self.read_object_id(like, from)?, offset: from.number()? },
            3 => Value::Within(self.read_object_id(like, from)?),
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

    pub fn read_term(&self, from: &mut ByteReader<'_>) -> Option<Term> {
        for _ in 0..from.number()? {
            let name = from.text()?;
            let width = from.small()?;
            self.terms.named(name, Sort::bv(width));
        }
        self.terms.parse_term(from.text()?).ok()
    }

    fn write_object(&self, state: &State, object: &Object, out: &mut ByteWriter) -> Option<()> {
        match object.name {
            ObjectName::Variable(variable) => {
                out.number(0);
                self.write_variable(variable, out);
            }
            ObjectName::Site(edge) => {
                let (function, place) = self.names.edge_name(edge);
                out.number(1);
                out.text(function);
                out.number(u64::from(place));
            }
            ObjectName::Function(_) => return None,
        }
        self.write_value(state, object.size, out)?;
        match object.lifetime {
            Lifetime::Static => out.number(0),
            Lifetime::Constant => out.number(1),
            Lifetime::Heap => out.number(2),
            Lifetime::Frame(depth) => out.number(3 + u64::from(depth)),
            Lifetime::Function => return None,
        }
        [object.alive, object.escaped, object.zero].iter().for_each(|&flag| out.flag(flag));
        let mut cells: Vec<Cell> = Vec::new();
        object.for_each_cell(|cell| cells.push(*cell));
        out.number(cells.len() as u64);
        for cell in cells {
            out.number(cell.offset);
            out.number(u64::from(cell.width));
            self.write_value(state, cell.value, out)?;
        }
        Some(())
    }

    fn read_object(&self, like: &State, from: &mut ByteReader<'_>) -> Option<Object> {
        let name = match from.number()? {
            0 => ObjectName::Variable(self.read_variable(from)?),
            1 => {
                let function = from.text()?;
                ObjectName::Site(self.names.edge(function, from.small()?)?)
            }
            _ => return None,
        };
        let size = self.read_value(like, from)?;
        let lifetime = match from.small()? {
            0 => Lifetime::Static,
            1 => Lifetime::Constant,
            2 => Lifetime::Heap,
            depth => Lifetime::Frame(depth - 3),
        };
        let (alive, escaped, zero) = (from.flag()?, from.flag()?, from.flag()?);
        let mut object = Object::new(name, size, lifetime, zero, 0);
        (object.alive, object.escaped) = (alive, escaped);
        for _ in 0..from.number()? {
            let (offset, width) = (from.number()?, from.small()?);
            object.insert(Cell { offset, width, value: self.read_value(like, from)? });
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
    info.scope == crate::program::Scope::Global && matches!(info.storage, Storage::Memory { .. })
}
