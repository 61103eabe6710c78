//! Two states that meet as one: every value that differs becomes a choice by the condition that tells the paths apart.

use crate::content::{Cell, Cells, Content};
use crate::encoder::{Encoder, MAX_RECORD};
use crate::state::{Frame, Object, State};
use assay_semantics::state::PersistentVec;
use assay_term::{Sort, Term};
use std::sync::Arc;

impl Encoder<'_> {
    /// The state of the caller that comes in both cases. Both have the same stack of calls.
    pub fn merge(&self, a: &State, b: &State) -> State {
        self.merge_by_choice(a, b).0
    }

    /// As [`merge`](Self::merge), with the condition that says where the first path was taken.
    pub fn merge_by_choice(&self, a: &State, b: &State) -> (State, Term) {
        let t = self.terms;
        let common = a.conditions.iter().zip(b.conditions.iter()).take_while(|(x, y)| x == y).count();
        let mut merged = a.clone();
        merged.fresh = a.fresh.max(b.fresh);
        let [first, second] = [a, b].map(|state| t.and_all(state.conditions[common..].iter().copied()));
        // The paths may overlap, where a program chooses freely: then a symbol of its own says which one is taken.
        let exclusive = a.origin.is_some() && a.origin == b.origin || self.exclude(&a.conditions[common..], &b.conditions[common..]);
        let (choice, either) = if exclusive {
            // Either says it; the shorter one is simpler.
            let choice = if b.conditions.len() < a.conditions.len() { t.not(second) } else { first };
            (choice, t.or(first, second))
        } else {
            let choice = t.named(&format!("path!{}", merged.fresh), Sort::BOOL);
            merged.fresh += 1;
            (choice, t.ite(choice, first, second))
        };
        let mut conditions = a.conditions[..common].to_vec();
        merged.path = t.and_all(conditions.iter().copied());
        if !t.is_true(either) {
            conditions.push(either);
            merged.path = t.and(merged.path, either);
        }
        merged.conditions = Arc::new(conditions);
        self.merge_registers(&mut merged, b, choice);
        self.merge_objects(&mut merged, b, choice);
        merged.rest = match (a.rest, b.rest) {
            (Some(x), Some(y)) => Some(t.ite(choice, x, y)),
            (x, y) => x.or(y),
        };
        merged.tainted = t.ite(choice, a.tainted, b.tainted);
        merged.undefined = t.or(a.undefined, b.undefined);
        merged.failing = t.or(a.failing, b.failing);
        merged.approximate |= b.approximate;
        merged.outside |= b.outside;
        merged.frames = a.frames.max(b.frames);
        merged.births = a.births.max(b.births);
        if a.occurrences != b.occurrences {
            let mine = Arc::make_mut(&mut merged.occurrences);
            for (&name, &count) in b.occurrences.iter() {
                let known = mine.entry(name).or_default();
                *known = count.max(*known);
            }
        }
        if self.keep_inputs && a.inputs != b.inputs {
            let shared = a.inputs.iter().zip(b.inputs.iter()).take_while(|(x, y)| x == y).count();
            Arc::make_mut(&mut merged.inputs).extend_from_slice(&b.inputs[shared..]);
        }
        if !b.meanings.is_empty() {
            Arc::make_mut(&mut merged.meanings).extend(b.meanings.iter().map(|(&k, &v)| (k, v)));
        }
        (merged, choice)
    }

    /// Whether what two paths demand is easily seen not to go together: some condition of one is the opposite of one of
    /// the other.
    pub(crate) fn exclude(&self, a: &[Term], b: &[Term]) -> bool {
        let t = self.terms;
        let all = |conditions: &[Term]| t.and_all(conditions.iter().copied());
        if t.is_false(t.and(all(a), all(b))) {
            return true;
        }
        let (short, long) = if a.len() < b.len() { (a, b) } else { (b, a) };
        short.iter().take(64).any(|&condition| {
            let opposite = t.not(condition);
            long.iter().take(256).any(|&other| other == opposite)
        })
    }

    fn merge_registers(&self, merged: &mut State, b: &State, choice: Term) {
        let a = merged.clone();
        let mut changes = Vec::new();
        a.globals.differences(&b.globals, &mut |slot, _, _| {
            changes.push(slot);
            true
        });
        for slot in changes {
            let variable = self.program.globals[slot as usize];
            let value = self.terms.ite(choice, self.get(&a, variable), self.get(b, variable));
            *merged.globals.get_mut(slot) = Some(value);
        }
        merged.frame = self.merge_frames(&a, b, choice);
    }

    fn merge_frames(&self, a: &State, b: &State, choice: Term) -> Option<Arc<Frame>> {
        // From the innermost frame down to the first that both share.
        let (mut x, mut y) = (a.frame.clone(), b.frame.clone());
        let mut pairs = Vec::new();
        while let (Some(mine), Some(other)) = (&x, &y) {
            if Arc::ptr_eq(mine, other) {
                break;
            }
            pairs.push((mine.clone(), other.clone()));
            let below = (mine.caller.clone(), other.caller.clone());
            (x, y) = below;
        }
        let mut result = x;
        for (mine, other) in pairs.into_iter().rev() {
            let mut registers: PersistentVec<Option<Term>> = mine.registers.clone();
            let mut changes = Vec::new();
            mine.registers.differences(&other.registers, &mut |slot, _, _| {
                changes.push(slot);
                true
            });
            // The values are read as if each frame were the innermost one.
            let view = |state: &State, frame: &Arc<Frame>| State { frame: Some(frame.clone()), ..state.clone() };
            if !changes.is_empty() {
                let (left, right) = (view(a, &mine), view(b, &other));
                for slot in changes {
                    let variable = self.program.functions[mine.function].locals[slot as usize];
                    let value = self.terms.ite(choice, self.get(&left, variable), self.get(&right, variable));
                    *registers.get_mut(slot) = Some(value);
                }
            }
            result = Some(Arc::new(Frame {
                function: mine.function,
                number: mine.number,
                level: mine.level,
                open: mine.open,
                registers,
                caller: result,
            }));
        }
        result
    }

    fn merge_objects(&self, merged: &mut State, b: &State, choice: Term) {
        if Arc::ptr_eq(&merged.objects, &b.objects) {
            return;
        }
        let t = self.terms;
        let other_way = t.not(choice);
        let mine = merged.objects.clone();
        let mut forgotten = Vec::new();
        let objects = Arc::make_mut(&mut merged.objects);
        for (key, object) in mine.iter() {
            match b.objects.get(key) {
                Some(other) if Arc::ptr_eq(object, other) || object == other => {}
                Some(other) => {
                    let content = self.merge_content(object, other, choice);
                    let unwritten = self.merge_unwritten(object, other, choice);
                    if content.is_none() || unwritten.is_none() {
                        forgotten.push(*key);
                    }
                    let joined = Object {
                        base: object.base,
                        size: t.ite(choice, object.size, other.size),
                        lifetime: object.lifetime,
                        birth: object.birth.max(other.birth),
                        alive: t.ite(choice, object.alive, other.alive),
                        content: content.unwrap_or_else(|| object.content.clone()),
                        unwritten: unwritten.flatten(),
                    };
                    objects.insert(*key, Arc::new(joined));
                }
                None => {
                    let alive = t.and(choice, object.alive);
                    objects.insert(*key, Arc::new(Object { alive, ..Object::clone(object) }));
                }
            }
        }
        for (key, object) in b.objects.iter().filter(|(key, _)| !mine.contains_key(key)) {
            let alive = t.and(other_way, object.alive);
            objects.insert(*key, Arc::new(Object { alive, ..Object::clone(object) }));
        }
        for key in forgotten {
            self.forget(merged, key);
        }
    }

    /// What was never written on in both cases. `None` where the two are kept along different paths.
    fn merge_unwritten(&self, a: &Object, b: &Object, choice: Term) -> Option<Option<Content>> {
        if a.unwritten == b.unwritten {
            return Some(a.unwritten.clone());
        }
        let of = |object: &Object| object.unwritten.clone().unwrap_or_else(|| self.all_written(&object.content));
        let [x, y] = [a, b].map(|object| Object { content: of(object), ..object.clone() });
        self.merge_content(&x, &y, choice).map(Some)
    }

    /// `None` where the two are kept along different paths.
    fn merge_content(&self, a: &Object, b: &Object, choice: Term) -> Option<Content> {
        match (&a.content, &b.content) {
            (Content::Array { bytes, term: x }, Content::Array { bytes: other, term: y }) if bytes == other => {
                Some(Content::Array { bytes: *bytes, term: self.terms.ite(choice, *x, *y) })
            }
            (Content::Table(x), Content::Table(y)) if x == y => Some(Content::Table(x.clone())),
            (Content::Table(x), Content::Array { bytes, term: y }) if x.bytes == *bytes => {
                Some(Content::Array { bytes: *bytes, term: self.terms.ite(choice, self.array_of(x), *y) })
            }
            (Content::Array { bytes, term: x }, Content::Table(y)) if y.bytes == *bytes => {
                Some(Content::Array { bytes: *bytes, term: self.terms.ite(choice, *x, self.array_of(y)) })
            }
            (Content::Cells(x), Content::Cells(y)) => {
                let size = |object: &Object| self.terms.as_constant(object.size).map(|size| size.value() as u64);
                let size = size(a)?.max(size(b)?);
                // What the environment's memory holds cannot be written out.
                if x.beginning != y.beginning && size > MAX_RECORD {
                    return None;
                }
                Some(Content::Cells(Arc::new(self.merge_cells(x, y, size, choice))))
            }
            _ => None,
        }
    }

    fn merge_cells(&self, a: &Cells, b: &Cells, size: u64, choice: Term) -> Cells {
        let t = self.terms;
        let mut merged = Cells { map: Default::default(), beginning: a.beginning.clone() };
        let mut bounds: Vec<u64> = Vec::new();
        for (&at, cell) in a.map.iter().chain(b.map.iter()) {
            bounds.extend([at, at + u64::from(cell.bytes)]);
        }
        bounds.sort_unstable();
        bounds.dedup();
        let covers = |cells: &Cells, from: u64, to: u64| cells.overlapping(from, to).first().copied();
        let mut i = 0;
        while i + 1 < bounds.len() {
            let (from, mut to) = (bounds[i], bounds[i + 1]);
            let (x, y) = (covers(a, from, to), covers(b, from, to));
            if x.is_none() && y.is_none() {
                i += 1;
                continue;
            }
            // A cell that the other side does not cut stays whole.
            if let (Some((at, cell)), None) | (None, Some((at, cell))) = (x, y)
                && at == from
            {
                let end = at + u64::from(cell.bytes);
                let other = if x.is_some() { b } else { a };
                if covers(other, from, end).is_none() {
                    to = end;
                }
            }
            let bytes = (to - from) as u32;
            let value = t.ite(choice, a.read(t, from, bytes, &mut |_, _| {}), b.read(t, from, bytes, &mut |_, _| {}));
            merged.map.insert(from, Cell { bytes, value });
            while i + 1 < bounds.len() && bounds[i] < to {
                i += 1;
            }
        }
        if a.beginning != b.beginning {
            // What neither side wrote differs as well; objects with cells are small enough to say it all.
            return self.merge_beginnings(merged, a, b, size, choice);
        }
        merged
    }

    /// Writes out the parts that only the beginnings cover.
    fn merge_beginnings(&self, mut merged: Cells, a: &Cells, b: &Cells, end: u64, choice: Term) -> Cells {
        const STEP: u64 = 4;
        let written = merged.clone();
        let mut position = 0;
        while position < end {
            let next = (position + STEP).min(end);
            let covered = written.overlapping(position, next);
            let pieces: Vec<(u64, u32)> = if covered.is_empty() {
                vec![(position, (next - position) as u32)]
            } else {
                (position..next).filter(|&at| written.overlapping(at, at + 1).is_empty()).map(|at| (at, 1)).collect()
            };
            for (at, bytes) in pieces {
                let [x, y] = [a, b].map(|cells| cells.read(self.terms, at, bytes, &mut |_, _| {}));
                let value = self.terms.ite(choice, x, y);
                merged.map.insert(at, Cell { bytes, value });
            }
            position = next;
        }
        merged
    }
}
