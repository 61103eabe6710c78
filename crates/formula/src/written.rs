//! What was written of an object, beside what it holds: a second content, whose bits are set in bytes that were never
//! written. It exists only where uninitialised reads are in question. States that begin in the middle of a program know
//! nothing of it.

use crate::address::AddressCase;
use crate::content::{Beginning, Cells, Content, zero};
use crate::encoder::Encoder;
use crate::state::{Lifetime, ObjectKey, State};
use assay_cfa::Target;
use assay_term::{Sort, Term};
use std::sync::Arc;

impl Encoder<'_> {
    fn asks_written(&self) -> bool {
        self.program.questions.contains(Target::UninitialisedRead)
    }

    /// For a new object whose content is kept as the other one is: no byte was written.
    pub(crate) fn never_written(&self, size: Term, content: &Content) -> Option<Content> {
        if !self.asks_written() {
            return None;
        }
        let t = self.terms;
        let ones = |bytes: u32| t.not(zero(t, bytes * 8));
        Some(match (content, t.as_constant(size)) {
            (Content::Cells(_), Some(size)) => {
                let mut cells = Cells { map: Default::default(), beginning: Beginning::Zero };
                let size = size.value() as u64;
                for start in (0..size).step_by(8) {
                    let bytes = (size - start).min(8) as u32;
                    cells.write(t, start, bytes, ones(bytes));
                }
                Content::Cells(Arc::new(cells))
            }
            (Content::Array { bytes, .. }, _) => Content::Array { bytes: *bytes, term: t.const_array(self.pointer(), ones(*bytes)) },
            (Content::Table(table), _) => Content::Array { bytes: table.bytes, term: t.const_array(self.pointer(), ones(table.bytes)) },
            (Content::Cells(_), None) => Content::Array { bytes: 1, term: t.const_array(self.pointer(), ones(1)) },
        })
    }

    /// The same for an object of which everything was written.
    pub(crate) fn all_written(&self, content: &Content) -> Content {
        let t = self.terms;
        let array = |bytes: u32| Content::Array { bytes, term: t.const_array(self.pointer(), zero(t, bytes * 8)) };
        match content {
            Content::Cells(_) => Content::Cells(Arc::new(Cells { map: Default::default(), beginning: Beginning::Zero })),
            Content::Array { bytes, .. } => array(*bytes),
            Content::Table(table) => array(table.bytes),
        }
    }

    /// Notes at a place which bits of a value were never written.
    pub(crate) fn set_unwritten(&self, state: &mut State, place: &AddressCase, bits: Term) {
        if !self.asks_written() {
            return;
        }
        let object = state.objects[&place.object].clone();
        let all = self.terms.as_constant(bits).is_some_and(|bits| bits.is_zero());
        let unwritten = match &object.unwritten {
            None if all => return,
            None => self.all_written(&object.content),
            Some(content) => content.clone(),
        };
        match self.try_written(&unwritten, object.size, place.offset, bits, place.when) {
            Some(content) => state.change_object(place.object, |object| object.unwritten = Some(content)),
            None => self.forget_written(state, place.object),
        }
    }

    /// Which bits of the bytes at an address were never written; `None` where that is not known, or not asked.
    pub(crate) fn unwritten_at(&self, state: &State, address: Term, bytes: u32) -> Option<Term> {
        if !self.asks_written() || state.open || state.rest.is_some() {
            return None;
        }
        let t = self.terms;
        let places = self.places(state, address);
        if places.anywhere {
            return None;
        }
        let mut result = zero(t, bytes * 8);
        for place in &places.list {
            let object = &state.objects[&place.object];
            let Some(content) = &object.unwritten else { continue };
            let bits = self.read(content, object.size, place.offset, bytes, &mut vec![])?;
            result = t.or(result, t.ite(place.when, bits, zero(t, bytes * 8)));
        }
        Some(result)
    }

    /// After a copy: what was never written at its source counts as such at its destination.
    pub(crate) fn copy_unwritten(&self, state: &mut State, address: Term, bits: Option<Term>) {
        if !self.asks_written() {
            return;
        }
        let places = self.places(state, address);
        for place in &places.list {
            match bits {
                Some(bits) => self.set_unwritten(state, place, bits),
                None => self.forget_written(state, place.object),
            }
        }
        if places.anywhere {
            self.forget_all_written(state);
        }
    }

    /// The range counts as never written.
    pub(crate) fn unwrite(&self, state: &mut State, address: Term, size: Term) {
        if !self.asks_written() {
            return;
        }
        let places = self.places(state, address);
        let bytes = self.terms.as_constant(size).map(|size| size.value()).filter(|&size| size <= 16);
        for place in &places.list {
            match bytes {
                Some(bytes) => self.set_unwritten(state, place, self.terms.not(zero(self.terms, bytes as u32 * 8))),
                None => self.forget_written(state, place.object),
            }
        }
        if places.anywhere {
            self.forget_all_written(state);
        }
    }

    fn forget_all_written(&self, state: &mut State) {
        let keys: Vec<ObjectKey> = state.objects().map(|(key, _)| key).collect();
        keys.into_iter().for_each(|key| self.forget_written(state, key));
    }

    /// Nothing is known of what was written of an object any more.
    pub(crate) fn forget_written(&self, state: &mut State, key: ObjectKey) {
        let Some(object) = state.objects.get(&key) else { return };
        if !self.asks_written() || object.lifetime == Lifetime::Constant {
            return;
        }
        let name = format!("unwritten!{}", state.fresh);
        let array = |bytes: u32| {
            let term = self.terms.named(&format!("{name}[:{bytes}]"), Sort::array(self.pointer(), bytes * 8));
            Content::Array { bytes, term }
        };
        let unwritten = match &object.content {
            Content::Cells(_) => {
                let beginning = Beginning::Symbols { name: name.into(), grain: 4, birth: None };
                Content::Cells(Arc::new(Cells { map: Default::default(), beginning }))
            }
            Content::Array { bytes, .. } => array(*bytes),
            Content::Table(table) => array(table.bytes),
        };
        state.fresh += 1;
        state.change_object(key, |object| object.unwritten = Some(unwritten));
        state.approximate = true;
    }

    /// Whether the bytes were written, as a condition; `None` where that is not known.
    pub(crate) fn is_initialised(&self, state: &State, address: Term, size: Term) -> Option<Term> {
        let bytes = self.terms.as_constant(size).map(|size| size.value()).filter(|&size| size <= 16)?;
        let bits = self.unwritten_at(state, address, bytes as u32)?;
        Some(self.terms.eq(bits, zero(self.terms, bytes as u32 * 8)))
    }
}
