//! Copies and fills of ranges of bytes.

use crate::address::AddressCase;
use crate::content::{Beginning, Cells, Content};
use crate::encoder::Encoder;
use crate::state::{InputPlace, Lifetime, State};
use assay_term::Term;
use std::sync::Arc;

/// Ranges of more bytes are approximated, unless they are a whole object.
const MAX_RANGE: u64 = 1024;

/// Of a range whose size is not known this many bytes are followed.
const MAX_SHORT: u64 = 64;

/// What a range takes.
#[derive(Clone, Copy)]
enum Bytes {
    /// What lies at this address.
    Of(Term),
    /// This byte everywhere.
    Same(Term),
}

impl Encoder<'_> {
    /// Copies bytes; the source is read as a whole before anything is written, because the ranges may overlap.
    pub(crate) fn copy(&self, state: &mut State, destination: Term, source: Term, size: Term) {
        let Some(size) = self.constant_size(size) else {
            if !self.short_range(state, destination, Bytes::Of(source), size) {
                self.forget_range(state, destination, size);
            }
            return;
        };
        if size == 0 {
            return;
        }
        if size > MAX_RANGE {
            return self.forget_range(state, destination, self.address_number(size));
        }
        let mut parts = Vec::new();
        for (offset, bytes) in self.pieces(state, source, size) {
            let address = self.terms.add(source, self.address_number(offset));
            let (value, guard) = self.load(state, address, bytes);
            let value = if self.terms.is_true(guard) {
                value
            } else {
                // The definite value is claimed only where the guard holds.
                let other = self.fresh(state, "copied", bytes * 8, None);
                self.terms.ite(guard, value, other)
            };
            let unwritten = self.unwritten_at(state, address, bytes);
            parts.push((offset, value, unwritten));
        }
        for (offset, value, unwritten) in parts {
            let address = self.terms.add(destination, self.address_number(offset));
            self.store(state, address, value);
            // What was never written stays so where it is copied.
            self.copy_unwritten(state, address, unwritten);
        }
    }

    /// Sets bytes to one value, or to any values.
    pub(crate) fn fill(&self, state: &mut State, destination: Term, byte: Option<Term>, size: Term, choosable: bool) {
        let Some(size) = self.constant_size(size) else {
            if byte.is_none_or(|byte| !self.short_range(state, destination, Bytes::Same(byte), size)) {
                self.forget_range(state, destination, size);
            }
            return;
        };
        if size == 0 {
            return;
        }
        let places = self.places(state, destination);
        self.note_outside(state, &places);
        if let ([place], false, None) = (&places.list[..], places.anywhere, state.rest) {
            let object = state.objects[&place.object].clone();
            let same_size = self.constant_size(object.size) == Some(size);
            let whole = same_size && self.terms.is_true(place.when) && self.constant_size(place.offset) == Some(0);
            if whole && object.lifetime != Lifetime::Constant && self.terms.is_true(object.alive) {
                if let Some(content) = byte.and_then(|byte| self.filled(&object.content, byte)) {
                    state.change_object(place.object, |object| object.unwritten = None);
                    return self.replace_content(state, place.object, content);
                }
                if byte.is_none() && size > MAX_RANGE {
                    // Values of so many inputs cannot be replayed.
                    return self.forget(state, place.object);
                }
            }
        }
        if size > MAX_RANGE {
            return self.forget_range(state, destination, self.address_number(size));
        }
        // Inputs are known by object and offset, where there is just one.
        let known = match &places.list[..] {
            [place] => self.constant_size(place.offset).map(|at| (state.objects[&place.object].birth, at)),
            _ => None,
        };
        let mut offset = 0;
        while offset < size {
            let bytes = piece(offset, size);
            let address = self.terms.add(destination, self.address_number(offset));
            let value = match byte {
                Some(byte) => (1..bytes).fold(byte, |low, _| self.terms.concat(byte, low)),
                None => {
                    let place = known.filter(|_| choosable).map(|(birth, at)| InputPlace::Memory { birth, offset: at + offset });
                    self.fresh(state, "bytes", bytes * 8, place)
                }
            };
            self.store(state, address, value);
            offset += u64::from(bytes);
        }
    }

    fn constant_size(&self, size: Term) -> Option<u64> {
        self.terms.as_constant(size).map(|bits| bits.value() as u64)
    }

    /// The content with one byte everywhere, where that is easily said.
    fn filled(&self, content: &Content, byte: Term) -> Option<Content> {
        match content {
            Content::Table(table) => {
                let element = (1..table.bytes).fold(byte, |low, _| self.terms.concat(byte, low));
                Some(Content::Array { bytes: table.bytes, term: self.terms.const_array(self.pointer(), element) })
            }
            Content::Array { bytes, .. } => {
                let element = (1..*bytes).fold(byte, |low, _| self.terms.concat(byte, low));
                Some(Content::Array { bytes: *bytes, term: self.terms.const_array(self.pointer(), element) })
            }
            Content::Cells(_) if self.terms.as_constant(byte).is_some_and(|b| b.is_zero()) => {
                Some(Content::Cells(Arc::new(Cells { map: Default::default(), beginning: Beginning::Zero })))
            }
            Content::Cells(_) => None,
        }
    }

    /// How a range is cut for copying: along the cells of the source where there is one place, so that pointers stay
    /// whole.
    fn pieces(&self, state: &State, source: Term, size: u64) -> Vec<(u64, u32)> {
        let places = self.places(state, source);
        let mut pieces = Vec::new();
        let mut position = 0;
        if let [place] = &places.list[..]
            && let Some(start) = self.constant_size(place.offset)
            && let Content::Cells(cells) = &state.objects[&place.object].content
        {
            for (at, cell) in cells.overlapping(start, start.saturating_add(size)) {
                let from = at.max(start) - start;
                while position < from {
                    let bytes = piece(start + position, start + from);
                    pieces.push((position, bytes));
                    position += u64::from(bytes);
                }
                let to = (at + u64::from(cell.bytes) - start).min(size);
                pieces.push((position, (to - position) as u32));
                position = to;
            }
        }
        while position < size {
            let bytes = piece(position, size);
            pieces.push((position, bytes));
            position += u64::from(bytes);
        }
        pieces
    }

    /// A write of a range whose size is not known, byte by byte as far as it may reach: each byte is new where it lies
    /// within the size. Of a large object only so much is followed, and all is forgotten where more may be written.
    /// False where the places are not told apart.
    fn short_range(&self, state: &mut State, destination: Term, bytes: Bytes, size: Term) -> bool {
        let t = self.terms;
        if state.rest.is_some() {
            return false;
        }
        let Some(place) = self.only_place(state, destination) else { return false };
        let object = state.objects[&place.object].clone();
        if object.lifetime == Lifetime::Constant || !matches!(object.content, Content::Cells(_)) {
            return false;
        }
        let from = match bytes {
            Bytes::Of(source) => {
                let Some(from) = self.only_place(state, source) else { return false };
                Some(from)
            }
            Bytes::Same(_) => None,
        };
        let Some(fits) = self.accessible(state, destination, size, true) else { return false };
        let fits = match bytes {
            Bytes::Of(source) => {
                let Some(there) = self.accessible(state, source, size, false) else { return false };
                t.and(fits, there)
            }
            Bytes::Same(_) => fits,
        };
        let room = self.constant_size(object.size).zip(self.constant_size(place.offset)).map(|(size, offset)| size.saturating_sub(offset));
        let whole = room.filter(|&room| room <= MAX_SHORT);
        let mut made = Vec::new();
        let mut parts = Vec::new();
        for index in 0..whole.unwrap_or(MAX_SHORT) {
            let at = |offset: Term| t.add(offset, self.address_number(index));
            let (value, unwritten) = match (bytes, &from) {
                (Bytes::Of(source), Some(from)) => {
                    let object = &state.objects[&from.object];
                    let Some(value) = self.read(&object.content, object.size, at(from.offset), 1, &mut made) else { return false };
                    (value, self.unwritten_at(state, at(source), 1))
                }
                (Bytes::Same(byte), _) | (Bytes::Of(byte), None) => (byte, Some(t.number(8, 0))),
            };
            let Some(old) = self.read(&object.content, object.size, at(place.offset), 1, &mut made) else { return false };
            parts.push((index, value, old, unwritten));
        }
        for input in made {
            self.note_input(state, input);
        }
        self.undefined_if(state, t.not(fits));
        let small = t.ule(size, self.address_number(MAX_SHORT));
        if whole.is_none() {
            self.forget(state, place.object);
        }
        for (index, value, old, unwritten) in parts {
            let written = t.ult(self.address_number(index), size);
            let offset = t.add(place.offset, self.address_number(index));
            let (value, when) = match whole {
                Some(_) => (value, t.and(place.when, written)),
                None => (t.ite(written, value, old), t.and(place.when, small)),
            };
            let object = state.objects[&place.object].clone();
            match self.try_written(&object.content, object.size, offset, value, when) {
                Some(content) => self.replace_content(state, place.object, content),
                None => self.forget(state, place.object),
            }
            if whole.is_some() {
                match unwritten {
                    Some(bits) => self.set_unwritten(state, &AddressCase { offset, when, ..place }, bits),
                    None => self.forget_written(state, place.object),
                }
            }
        }
        true
    }

    /// Where an address leads, if that is one place for certain.
    fn only_place(&self, state: &mut State, address: Term) -> Option<AddressCase> {
        let places = self.places(state, address);
        self.note_outside(state, &places);
        match &places.list[..] {
            [place] if !places.anywhere && !place.wild && self.terms.is_true(place.when) => Some(*place),
            _ => None,
        }
    }

    /// A write of a range that is not followed exactly.
    fn forget_range(&self, state: &mut State, destination: Term, size: Term) {
        if let Some(fits) = self.accessible(state, destination, size, true) {
            self.undefined_if(state, self.terms.not(fits));
        }
        let places = self.places(state, destination);
        self.note_outside(state, &places);
        if places.anywhere || state.rest.is_some() {
            return self.forget_everything(state);
        }
        for place in places.list {
            if state.objects[&place.object].lifetime != Lifetime::Constant {
                self.forget(state, place.object);
            }
        }
        state.approximate = true;
    }
}

/// The size of the next aligned piece of a range, at most 8 bytes.
fn piece(position: u64, end: u64) -> u32 {
    let mut bytes = 8;
    while bytes > 1 && (!position.is_multiple_of(bytes) || position + bytes > end) {
        bytes /= 2;
    }
    bytes as u32
}
