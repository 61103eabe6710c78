//! From an address to the objects that it can point into: by the structure of the term, else by a case distinction over
//! the objects of the state.

use crate::encoder::{ENVIRONMENT, Encoder, Form};
use crate::state::{Lifetime, Object, ObjectKey, State};
use assay_semantics::environment::ExternalMemory;
use assay_term::{Op, Term};

/// A case: the condition under which the address is this place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AddressCase {
    pub when: Term,
    pub object: ObjectKey,
    /// Of pointer width.
    pub offset: Term,
    /// Nothing shows that the address has to do with the object: it is one of all that are there.
    pub wild: bool,
}

/// Where an address points.
#[derive(Clone, Debug, Default)]
pub(crate) struct Places {
    /// Exclusive.
    pub list: Vec<AddressCase>,
    /// Some case could not be followed: it may be anywhere.
    pub anywhere: bool,
}

const MAX_CASES: usize = 64;
/// Choices that are looked at: many of them may lead to few objects, by many paths.
const MAX_STEPS: usize = 4096;

impl Encoder<'_> {
    /// The places of an address. In the defined form, they are told apart by the address itself, so that later
    /// conditions do not speak of what it was computed from.
    pub(crate) fn places(&self, state: &State, address: Term) -> Places {
        let t = self.terms;
        let meaning = self.meaning(state, address);
        let mut places = Places::default();
        self.split(state, meaning, t.true_(), &mut places);
        if places.list.len() > MAX_CASES {
            return Places { list: vec![], anywhere: true };
        }
        if self.form == Form::Defined {
            let single = places.list.len() == 1;
            for place in &mut places.list {
                let object = &state.objects[&place.object];
                if t.as_constant(place.offset).is_some() && single {
                    place.when = t.eq(address, t.add(object.base, place.offset));
                    continue;
                }
                place.offset = t.sub(address, object.base);
                place.when = if single { t.true_() } else { self.within(object, place.offset) };
            }
        }
        places
    }

    /// The cases of an address, with a stack of our own: choices may be nested as deeply as the program is long.
    fn split(&self, state: &State, address: Term, when: Term, places: &mut Places) {
        let mut work = vec![(address, when)];
        let mut steps = 0;
        while let Some((address, when)) = work.pop() {
            steps += 1;
            if steps > MAX_STEPS {
                *places = Places { list: vec![], anywhere: true };
                return;
            }
            if places.list.len() > MAX_CASES {
                return;
            }
            if !self.terms.is_false(when) {
                self.split_once(state, address, when, places, &mut work);
            }
        }
    }

    /// One case: it is a place, or it is cut in two that are left to do.
    fn split_once(&self, state: &State, address: Term, when: Term, places: &mut Places, cases: &mut Vec<(Term, Term)>) {
        let t = self.terms;
        // A number in the program is no pointer from outside, wherever it lies.
        if t.as_constant(address).is_some() && state.rest.is_none() {
            return;
        }
        let mut summands = Vec::new();
        let mut work = vec![address];
        while let Some(term) = work.pop() {
            let node = t.node(term);
            if node.op == Op::Add { work.extend([node.operand(0), node.operand(1)]) } else { summands.push(term) }
        }
        let bases: Vec<Term> = summands.iter().copied().filter(|&s| t.node(s).op == Op::Address).collect();
        if let [base] = bases[..]
            && summands.iter().all(|&s| s == base || !self.carries_address(s))
        {
            // An address without an object: a function, or an object that is gone.
            if let Some((&object, _)) = state.objects.iter().find(|(_, object)| object.base == base) {
                places.list.push(AddressCase { when, object, offset: t.sub(address, base), wild: false });
            }
            return;
        }
        let choice = summands.iter().copied().find(|&s| t.node(s).op == Op::Ite && self.carries_address(s));
        if let (Some(choice), true) = (choice, bases.is_empty()) {
            let node = t.node(choice);
            let rest = t.sub(address, choice);
            // The first is looked at first.
            for (side, holds) in [(node.operand(2), t.not(node.operand(0))), (node.operand(1), node.operand(0))] {
                cases.push((t.add(side, rest), t.and(when, holds)));
            }
            return;
        }
        if let Some(environment) = self.environment_of(state)
            && !self.carries_address(address)
        {
            // A pointer from outside: into a region of its own. That it is elsewhere is possible, but then nothing
            // knows that an object is there.
            let constant = summands.iter().copied().find(|&s| t.as_constant(s).is_some()).unwrap_or_else(|| self.address_number(0));
            let root = t.sub(address, constant);
            let region = environment.region(t.node(root).fingerprint);
            let here = t.and(when, t.eq(root, self.address_number(region)));
            let offset = t.add(self.address_number(region - environment.base), constant);
            places.list.push(AddressCase { when: here, object: ENVIRONMENT, offset, wild: false });
            return;
        }
        // Any object that is there.
        if state.objects.len() > MAX_CASES {
            places.anywhere = true;
            return;
        }
        for (&key, object) in state.objects.iter() {
            let offset = t.sub(address, object.base);
            let here = t.and(when, self.within(object, offset));
            if !t.is_false(here) {
                places.list.push(AddressCase { when: here, object: key, offset, wild: true });
            }
        }
    }

    /// Remembers that an access went through a pointer from outside.
    pub(crate) fn note_outside(&self, state: &mut State, places: &Places) {
        state.outside |= places.list.iter().any(|place| place.object == ENVIRONMENT);
    }

    fn environment_of(&self, state: &State) -> Option<ExternalMemory> {
        self.environment.filter(|_| state.objects.contains_key(&ENVIRONMENT))
    }

    /// Whether the value can be made of an address. One that is only compared with, along the path to the value, is no
    /// part of it.
    fn carries_address(&self, term: Term) -> bool {
        self.terms.node(term).carries_address()
    }

    /// Whether the byte at the offset lies in the object.
    fn within(&self, object: &Object, offset: Term) -> Term {
        self.terms.and(object.alive, self.terms.ult(offset, object.size))
    }

    /// Whether all bytes lie in the object while it is alive.
    pub(crate) fn inside(&self, object: &Object, offset: Term, size: Term) -> Term {
        let t = self.terms;
        let fits = t.ule(size, object.size);
        let room = t.ule(offset, t.sub(object.size, size));
        t.and(object.alive, t.and(fits, room))
    }

    pub(crate) fn accessible(&self, state: &State, address: Term, size: Term, write: bool) -> Option<Term> {
        let t = self.terms;
        let places = self.places(state, address);
        if places.anywhere || state.rest.is_some() {
            return None;
        }
        let nothing = t.eq(size, self.address_number(0));
        let allowed = places.list.iter().filter(|place| !write || state.objects[&place.object].lifetime != Lifetime::Constant);
        let here = allowed.map(|place| t.and(place.when, self.inside(&state.objects[&place.object], place.offset, size)));
        Some(t.or(nothing, t.or_all(here.collect::<Vec<_>>())))
    }

    pub(crate) fn freeable(&self, state: &State, address: Term) -> Option<Term> {
        let t = self.terms;
        let places = self.places(state, address);
        if places.anywhere || state.rest.is_some() {
            return None;
        }
        let zero = self.address_number(0);
        let heap = places.list.iter().filter(|place| state.objects[&place.object].lifetime == Lifetime::Heap);
        let here = heap.map(|place| {
            let start = t.eq(place.offset, zero);
            t.and(place.when, t.and(state.objects[&place.object].alive, start))
        });
        Some(t.or(t.eq(address, zero), t.or_all(here.collect::<Vec<_>>())))
    }

    pub(crate) fn nothing_allocated(&self, state: &State) -> Option<Term> {
        if state.rest.is_some() {
            return None;
        }
        let heap = state.objects.values().filter(|object| object.lifetime == Lifetime::Heap);
        Some(self.terms.not(self.terms.or_all(heap.map(|object| object.alive).collect::<Vec<_>>())))
    }
}
