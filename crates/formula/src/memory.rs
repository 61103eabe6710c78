//! Reading and writing memory: every place that an address can be, with the condition of that case.

use crate::address::AddressCase;
use crate::content::{Beginning, Cells, Content, Elements, Table, zero};
use crate::encoder::{ENVIRONMENT, Encoder, Form};
use crate::state::{Input, InputPlace, Lifetime, ObjectKey, State};
use assay_base::CancelToken;
use assay_term::{Sort, Term};
use std::sync::Arc;

/// An access at a symbolic offset is spelled out over at most this many places of an object with cells.
const MAX_PLACES: u64 = 256;
/// Larger objects that a pointer may or may not be to are taken as a whole, where a state begins in the middle of a
/// program.
const VAGUE: u128 = 16;
/// No object lies below.
const NULL_PAGE: u64 = 4096;

impl Encoder<'_> {
    /// The value at an address, and the condition under which that is claimed (true in the substituted form).
    pub(crate) fn load(&self, state: &mut State, address: Term, bytes: u32) -> (Term, Term) {
        let t = self.terms;
        let places = self.places(state, address);
        self.note_outside(state, &places);
        let size = self.address_number(u64::from(bytes));
        let mut made = Vec::new();
        let mut known: Vec<(Term, Term)> = Vec::new();
        let mut unknown: Vec<Term> = Vec::new();
        let mut exact = !places.anywhere;
        let mut bad = t.true_();
        for place in &places.list {
            let object = &state.objects[&place.object];
            let inside = self.inside(object, place.offset, size);
            bad = t.and(bad, t.not(t.and(place.when, inside)));
            let value = match self.is_vague(state, place) {
                true => None,
                false => self.read(&object.content, object.size, place.offset, bytes, &mut made),
            };
            match value {
                Some(value) => known.push((place.when, value)),
                None => unknown.push(place.when),
            }
        }
        if !unknown.is_empty() {
            exact = false;
            // Memory outside of the objects says nothing of what is in them.
            if state.rest.is_some() {
                let anything = self.fresh(state, "vague", bytes * 8, None);
                known.push((t.or_all(unknown), anything));
            }
        }
        for input in made {
            self.note_input(state, input);
        }
        if !exact {
            state.approximate = true;
        }
        if let ([(when, value)], true) = (&known[..], exact && state.rest.is_none()) {
            if self.form == Form::Defined {
                self.undefined_if(state, t.and(*when, bad));
                return (*value, *when);
            }
            // A pointer from outside has one place. Elsewhere the access is undefined; a value for that case would only
            // hide that several reads give the same.
            if t.is_true(*when) || places.list[0].object == ENVIRONMENT {
                self.undefined_if(state, bad);
                return (*value, t.true_());
            }
        }
        let otherwise = match state.rest {
            Some(rest) => Elements { terms: t, bytes: 1 }.read(rest, address, bytes),
            None if t.is_false(bad) && exact => known.last().map_or_else(|| self.address_number(0), |&(_, value)| value),
            None => {
                let approximate = state.approximate;
                let value = self.fresh(state, "outside", bytes * 8, None);
                // Undefined behaviour is said for itself; it is not a lack of precision.
                state.approximate = approximate;
                value
            }
        };
        if state.rest.is_none() && exact {
            self.undefined_if(state, bad);
        }
        let value = known.into_iter().rev().fold(otherwise, |rest, (when, value)| t.ite(when, value, rest));
        if state.rest.is_some() {
            // What lies behind the end of an object is anything, and so is everything after a write to such a place.
            let outside = |place: &AddressCase| t.and(place.when, t.not(self.inside(&state.objects[&place.object], place.offset, size)));
            let outside: Vec<Term> = places.list.iter().map(outside).collect();
            let lost = t.or(state.tainted, t.or_all(outside));
            if !t.is_false(lost) {
                let anything = self.fresh(state, "lost", bytes * 8, None);
                return (t.ite(lost, anything, value), t.true_());
            }
        }
        (value, t.true_())
    }

    pub(crate) fn store(&self, state: &mut State, address: Term, value: Term) {
        let t = self.terms;
        let places = self.places(state, address);
        self.note_outside(state, &places);
        let size = self.address_number(u64::from(t.width(value) / 8));
        let mut bad = t.true_();
        for place in &places.list {
            let object = state.objects[&place.object].clone();
            let inside = self.inside(&object, place.offset, size);
            let writable = object.lifetime != Lifetime::Constant;
            if state.rest.is_some() {
                let outside = if writable { t.and(place.when, t.not(inside)) } else { place.when };
                state.tainted = t.or(state.tainted, outside);
            }
            if !writable {
                continue;
            }
            bad = t.and(bad, t.not(t.and(place.when, inside)));
            if self.is_vague(state, place) {
                self.blur(state, place);
                continue;
            }
            match self.try_written(&object.content, object.size, place.offset, value, place.when) {
                Some(content) => self.replace_content(state, place.object, content),
                None => self.forget(state, place.object),
            }
            self.set_unwritten(state, place, zero(t, t.width(value)));
        }
        if places.anywhere {
            self.forget_everything(state);
        } else if let Some(rest) = state.rest {
            let elsewhere = t.not(t.or_all(places.list.iter().map(|place| place.when).collect::<Vec<_>>()));
            state.rest = Some(Elements { terms: t, bytes: 1 }.write(rest, address, value, elsewhere));
            let null = t.ult(address, self.address_number(NULL_PAGE));
            state.tainted = t.or(state.tainted, t.and(elsewhere, null));
        } else {
            self.undefined_if(state, bad);
        }
    }

    /// Whether the cells of a place are not told apart: in the middle of a program a pointer of which nothing is known
    /// may be to all cells of all objects, and a formula that lists them is large and says no more than that.
    fn is_vague(&self, state: &State, place: &AddressCase) -> bool {
        let size = self.terms.as_constant(state.objects[&place.object].size).map_or(u128::MAX, |size| size.value());
        place.wild && state.rest.is_some() && size > VAGUE && matches!(state.objects[&place.object].content, Content::Cells(_))
    }

    /// The object's content is any content where the condition of the place holds.
    fn blur(&self, state: &mut State, place: &AddressCase) {
        let t = self.terms;
        let old = state.objects[&place.object].content.clone();
        self.forget(state, place.object);
        let new = state.objects[&place.object].content.clone();
        let (Content::Cells(old), Content::Cells(new)) = (old, new) else { return };
        let grain = match &old.beginning {
            Beginning::Symbols { grain, .. } => u64::from(*grain),
            Beginning::Zero => 4,
        };
        let mut cells = Cells::clone(&old);
        let size = t.as_constant(state.objects[&place.object].size).map_or(0, |size| size.value() as u64);
        let mut at = 0;
        while at < size {
            let (start, bytes) = match old.overlapping(at, at + 1).first() {
                Some(&(start, cell)) => (start, cell.bytes),
                None => {
                    let end = (at / grain + 1) * grain;
                    let next = old.map.range(at..).next().map_or(end, |(&start, _)| start.min(end));
                    (at, (next.min(size) - at) as u32)
                }
            };
            let [was, is] = [&old, &new].map(|cells| cells.read(t, start, bytes, &mut |_, _| {}));
            cells.write(t, start, bytes, t.ite(place.when, is, was));
            at = start + u64::from(bytes);
        }
        self.replace_content(state, place.object, Content::Cells(Arc::new(cells)));
    }

    pub(crate) fn free(&self, state: &mut State, address: Term) {
        let t = self.terms;
        let places = self.places(state, address);
        self.note_outside(state, &places);
        let zero = self.address_number(0);
        let mut bad = t.ne(address, zero);
        for place in &places.list {
            // Several places can be in one object. If another one has released it for certain, it is not released here.
            let Some(object) = state.objects.get(&place.object).filter(|object| object.lifetime == Lifetime::Heap) else { continue };
            let here = t.and(place.when, t.and(object.alive, t.eq(place.offset, zero)));
            bad = t.and(bad, t.not(here));
            let alive = t.and(object.alive, t.not(here));
            if t.is_false(alive) {
                Arc::make_mut(&mut state.objects).remove(&place.object);
            } else {
                state.change_object(place.object, |object| object.alive = alive);
            }
        }
        let certain = places.list.iter().any(|place| t.is_true(place.when));
        if places.anywhere || state.rest.is_some() && !certain {
            self.doubt_heap(state);
        } else {
            self.undefined_if(state, bad);
        }
    }

    /// A release of unknown target: any heap object may be gone, and nothing is known of the content of those that are
    /// there.
    fn doubt_heap(&self, state: &mut State) {
        let heap: Vec<ObjectKey> = state.objects().filter(|(_, o)| o.lifetime == Lifetime::Heap).map(|(key, _)| key).collect();
        for key in heap {
            self.forget(state, key);
            let spared = self.fresh(state, "spared", 1, None);
            let alive = self.terms.and(state.objects[&key].alive, spared);
            state.change_object(key, |object| object.alive = alive);
        }
    }

    /// Reads at an offset inside an object; `None` where too many places would have to be told apart.
    pub(crate) fn read(&self, content: &Content, size: Term, offset: Term, bytes: u32, made: &mut Vec<Input>) -> Option<Term> {
        let t = self.terms;
        let cells = match content {
            Content::Array { bytes: element, term } => return Some(Elements { terms: t, bytes: *element }.read(*term, offset, bytes)),
            Content::Table(table) => {
                let known = t.as_constant(offset).and_then(|at| self.entry(table, at.value() as u64, bytes));
                return Some(known.unwrap_or_else(|| Elements { terms: t, bytes: table.bytes }.read(self.array_of(table), offset, bytes)));
            }
            Content::Cells(cells) => cells,
        };
        let mut note = |cells: &Cells, symbol: Term, at: u64| {
            if let Beginning::Symbols { birth: Some(birth), .. } = cells.beginning {
                made.push(Input { symbol, place: InputPlace::Memory { birth, offset: at } });
            }
        };
        if let Some(at) = t.as_constant(offset) {
            return Some(cells.read(t, at.value() as u64, bytes, &mut |symbol, at| note(cells, symbol, at)));
        }
        let places = self.offsets(size, offset, bytes)?;
        let mut result: Option<Term> = None;
        for place in places.into_iter().rev() {
            let value = cells.read(t, place, bytes, &mut |symbol, at| note(cells, symbol, at));
            let here = t.eq(offset, self.address_number(place));
            // Past the last place the access is undefined, which is said elsewhere.
            result = Some(result.map_or(value, |rest| t.ite(here, value, rest)));
        }
        result
    }

    /// What the initialiser of a table says of a place; `None` where an access does not meet one entry, or nothing,
    /// exactly.
    fn entry(&self, table: &Table, offset: u64, bytes: u32) -> Option<Term> {
        let t = self.terms;
        let entries = &self.program.variables[table.variable].initial;
        let next = entries.partition_point(|&(start, _)| start < offset);
        let end = offset.checked_add(u64::from(bytes))?;
        let before = next.checked_sub(1).map_or(0, |i| entries[i].0 + u64::from(t.width(entries[i].1) / 8));
        match entries.get(next) {
            _ if before > offset => None,
            Some(&(start, value)) if start == offset => (t.width(value) == bytes * 8).then_some(value),
            Some(&(start, _)) if start < end => None,
            _ => Some(zero(t, bytes * 8)),
        }
    }

    /// A table as an array. Those of a path share what was made once.
    pub(crate) fn array_of(&self, table: &Table) -> Term {
        *table.array.get_or_init(|| {
            let t = self.terms;
            let empty = t.const_array(self.pointer(), t.number(table.bytes * 8, 0));
            let elements = Elements { terms: t, bytes: table.bytes };
            let mut array = empty;
            for &(offset, value) in &self.program.variables[table.variable].initial {
                if self.cancel.is_some_and(CancelToken::is_stopped) {
                    // Any content: nothing waits for what would be in it.
                    return t.named("$stopped", t.sort(empty));
                }
                array = elements.write(array, self.address_number(offset), value, t.true_());
            }
            array
        })
    }

    /// The content after a write where the condition holds; `None` where too many places would have to be told apart.
    pub(crate) fn try_written(&self, content: &Content, size: Term, offset: Term, value: Term, when: Term) -> Option<Content> {
        let t = self.terms;
        let bytes = t.width(value) / 8;
        let cells = match content {
            Content::Array { bytes: element, term } => {
                let term = Elements { terms: t, bytes: *element }.write(*term, offset, value, when);
                return Some(Content::Array { bytes: *element, term });
            }
            Content::Table(table) => {
                let term = Elements { terms: t, bytes: table.bytes }.write(self.array_of(table), offset, value, when);
                return Some(Content::Array { bytes: table.bytes, term });
            }
            Content::Cells(cells) => cells,
        };
        let mut cells = Cells::clone(cells);
        let mut put = |at: u64, here: Term| {
            let old = if t.is_true(here) { value } else { cells.read(t, at, bytes, &mut |_, _| {}) };
            cells.write(t, at, bytes, t.ite(here, value, old));
        };
        match t.as_constant(offset) {
            Some(at) => {
                // Outside of the object nothing is written; that is undefined behaviour and said elsewhere.
                let inside = t.as_constant(size).is_some_and(|size| at.value() + u128::from(bytes) <= size.value());
                if inside {
                    put(at.value() as u64, when);
                }
            }
            None => {
                for place in self.offsets(size, offset, bytes)? {
                    let here = t.eq(offset, self.address_number(place));
                    put(place, t.and(when, here));
                }
            }
        }
        Some(Content::Cells(Arc::new(cells)))
    }

    /// As [`try_written`](Self::try_written) at a constant offset.
    pub(crate) fn written(&self, content: &Content, offset: Term, value: Term, when: Term) -> Content {
        let whole = self.terms.number(self.pointer(), u128::from(u32::MAX));
        self.try_written(content, whole, offset, value, when).unwrap_or_else(|| content.clone())
    }

    /// The places of an access in an object of constant size: multiples of what the offset is surely a multiple of.
    fn offsets(&self, size: Term, offset: Term, bytes: u32) -> Option<Vec<u64>> {
        let size = self.terms.as_constant(size)?.value() as u64;
        let step = 1u64 << self.terms.known_bits(offset).0.trailing_ones().min(6);
        let Some(last) = size.checked_sub(u64::from(bytes)) else { return Some(vec![]) };
        (last / step < MAX_PLACES).then(|| (0..=last / step).map(|i| i * step).collect())
    }

    /// Puts new content in the place of the old; in the defined form what changed gets instances.
    pub(crate) fn replace_content(&self, state: &mut State, key: ObjectKey, content: Content) {
        let content = match (self.form, content) {
            (Form::Substituted, content) | (Form::Defined, content @ Content::Table(_)) => content,
            (Form::Defined, Content::Array { bytes, term }) => {
                let name = format!("{}[]", self.object_name(state, key));
                Content::Array { bytes, term: self.define(state, &name, term, self.terms.true_()) }
            }
            (Form::Defined, Content::Cells(new)) => {
                let name = self.object_name(state, key);
                let old = match &state.objects[&key].content {
                    Content::Cells(cells) => cells.clone(),
                    Content::Array { .. } | Content::Table(_) => new.clone(),
                };
                let mut cells = Cells::clone(&new);
                for (offset, cell) in &mut cells.map {
                    if old.map.get(offset) != Some(cell) {
                        cell.value = self.define(state, &format!("{name}[{offset}:{}]", cell.bytes), cell.value, self.terms.true_());
                    }
                }
                Content::Cells(Arc::new(cells))
            }
        };
        state.change_object(key, |object| object.content = content);
    }

    fn object_name(&self, state: &State, key: ObjectKey) -> String {
        if key == ENVIRONMENT {
            return "environment".to_string();
        }
        let base = self.terms.node(state.objects[&key].base);
        self.terms.symbol_name(base.symbol()).to_string()
    }

    /// Nothing is known of the object's content any more.
    pub(crate) fn forget(&self, state: &mut State, key: ObjectKey) {
        state.approximate = true;
        self.renew(state, key);
        self.forget_written(state, key);
    }

    /// The object's content is any content.
    pub(crate) fn renew(&self, state: &mut State, key: ObjectKey) {
        let name = format!("{}!{}", self.object_name(state, key), state.fresh);
        state.fresh += 1;
        let content = match &state.objects[&key].content {
            Content::Array { .. } | Content::Table(_) => {
                let bytes = match &state.objects[&key].content {
                    Content::Table(table) => table.bytes,
                    Content::Array { bytes, .. } => *bytes,
                    Content::Cells(_) => 1,
                };
                let term = self.terms.named(&format!("{name}[:{bytes}]"), Sort::array(self.pointer(), bytes * 8));
                Content::Array { bytes, term }
            }
            Content::Cells(cells) => {
                let grain = match &cells.beginning {
                    Beginning::Symbols { grain, .. } => *grain,
                    Beginning::Zero => 4,
                };
                let beginning = Beginning::Symbols { name: name.into(), grain, birth: None };
                Content::Cells(Arc::new(Cells { map: Default::default(), beginning }))
            }
        };
        state.change_object(key, |object| object.content = content);
    }

    /// A write that may go anywhere.
    pub(crate) fn forget_everything(&self, state: &mut State) {
        let keys: Vec<ObjectKey> = state.objects().filter(|(_, o)| o.lifetime != Lifetime::Constant).map(|(key, _)| key).collect();
        for key in keys {
            self.forget(state, key);
        }
        if state.rest.is_some() {
            let name = format!("memory!{}", state.fresh);
            state.fresh += 1;
            state.rest = Some(self.terms.named(&name, Sort::array(self.pointer(), 8)));
        }
    }
}
