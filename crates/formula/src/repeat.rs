//! Whether a state is the same as an earlier one. A run that comes back to a state can leave out what was between, so
//! the shortest run to anything never does.

use crate::content::{Cells, Content};
use crate::encoder::Encoder;
use crate::state::{Object, State};
use assay_cfa::VarId;
use assay_term::Term;
use std::sync::Arc;

/// States that differ in more places are not compared: they hardly repeat, and saying so costs much.
const MAX_PLACES: usize = 64;

/// The values that differ, and what they were.
struct Differences(Vec<(Term, Term)>);

impl Differences {
    /// `None` where there are too many.
    fn add(&mut self, now: Term, before: Term) -> Option<()> {
        if now != before {
            self.0.push((now, before));
        }
        (self.0.len() <= MAX_PLACES).then_some(())
    }
}

impl Encoder<'_> {
    /// When a state differs from an earlier one of the same activation of the same function, in anything that what
    /// follows may depend on. Registers that are not `needed` do not count. `None` where that cannot be said, or surely
    /// holds.
    pub(crate) fn differs(&self, now: &State, before: &State, needed: &mut dyn FnMut(VarId) -> bool) -> Option<Term> {
        if now.rest != before.rest || now.tainted != before.tainted || now.outside != before.outside {
            return None;
        }
        let mut found = Differences(Vec::new());
        self.registers_differ(now, before, needed, &mut found)?;
        self.objects_differ(now, before, &mut found)?;
        let t = self.terms;
        let differs = t.or_all(found.0.into_iter().map(|(now, before)| t.not(t.eq(now, before))).collect::<Vec<_>>());
        (!t.is_true(differs)).then_some(differs)
    }

    /// Registers of the program and of the innermost function; those of callers stay as they are.
    fn registers_differ(&self, now: &State, before: &State, needed: &mut dyn FnMut(VarId) -> bool, found: &mut Differences) -> Option<()> {
        let (frame, earlier) = (now.frame.as_ref()?, before.frame.as_ref()?);
        if frame.number != earlier.number || frame.function != earlier.function {
            return None;
        }
        let (mut globals, mut locals) = (Vec::new(), Vec::new());
        now.globals.differences(&before.globals, &mut |slot, _, _| {
            globals.push(self.program.globals[slot as usize]);
            true
        });
        frame.registers.differences(&earlier.registers, &mut |slot, _, _| {
            locals.push(self.program.functions[frame.function].locals[slot as usize]);
            true
        });
        for variable in globals.into_iter().chain(locals) {
            if needed(variable) {
                found.add(self.get(now, variable), self.get(before, variable))?;
            }
        }
        Some(())
    }

    fn objects_differ(&self, now: &State, before: &State, found: &mut Differences) -> Option<()> {
        if Arc::ptr_eq(&now.objects, &before.objects) {
            return Some(());
        }
        let dead = |object: &Object| self.terms.is_false(object.alive);
        // What came and went since then is gone.
        if before.objects.iter().any(|(key, object)| !now.objects.contains_key(key) && !dead(object)) {
            return None;
        }
        for (key, object) in now.objects.iter() {
            match before.objects.get(key) {
                Some(earlier) if Arc::ptr_eq(object, earlier) => {}
                Some(earlier) if dead(object) && dead(earlier) => {}
                Some(earlier) if object.unwritten == earlier.unwritten && object.base == earlier.base => {
                    found.add(object.alive, earlier.alive)?;
                    found.add(object.size, earlier.size)?;
                    self.contents_differ(&object.content, &earlier.content, found)?;
                }
                None if dead(object) => {}
                _ => return None,
            }
        }
        Some(())
    }

    fn contents_differ(&self, now: &Content, before: &Content, found: &mut Differences) -> Option<()> {
        match (now, before) {
            _ if now == before => Some(()),
            (Content::Cells(now), Content::Cells(before)) if now.beginning == before.beginning => self.cells_differ(now, before, found),
            _ => None,
        }
    }

    fn cells_differ(&self, now: &Cells, before: &Cells, found: &mut Differences) -> Option<()> {
        // A range that is one cell on one side and several on the other is compared more than once, which is right.
        for (&at, cell) in now.map.iter().chain(before.map.iter()) {
            let [value, earlier] = [now, before].map(|cells| cells.read(self.terms, at, cell.bytes, &mut |_, _| {}));
            if !found.0.contains(&(value, earlier)) {
                found.add(value, earlier)?;
            }
        }
        Some(())
    }
}
