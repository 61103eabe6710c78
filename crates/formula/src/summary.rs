//! Loops and recursion as a whole: the state at their head in any iteration, and what an iteration changes.

use crate::content::{Beginning, Content};
use crate::encoder::Encoder;
use crate::state::{Lifetime, ObjectKey, State};
use assay_base::FastSet;
use assay_cfa::VarId;
use assay_cfa::structure::Effects;
use assay_term::{Op, Sort, Term};

/// Cells of larger objects are not listed one by one.
const MAX_LISTED: u64 = 64;

impl Encoder<'_> {
    /// The state where any number of iterations has happened since the entry: everything that they may write has any
    /// value. A register with a base stays a pointer into that object, at any offset; the caller that gives one has to
    /// check that the iterations keep it.
    pub fn any_iteration(&self, entry: &State, effects: &Effects, base: &dyn Fn(VarId) -> Option<Term>) -> State {
        let mut any = entry.clone();
        self.havoc(&mut any, effects);
        let approximate = any.approximate;
        for &variable in &effects.writes {
            if self.program.variables[variable].register_width() == Some(self.pointer())
                && let Some(base) = base(variable)
            {
                let offset = self.fresh(&mut any, "offset", self.pointer(), None);
                self.set(&mut any, variable, self.terms.add(base, offset));
            }
        }
        any.approximate = approximate;
        if any.rest.is_some() && (effects.writes_unknown_memory || effects.allocates || effects.touches_everything) {
            let name = format!("memory!{}", any.fresh);
            any.fresh += 1;
            any.rest = Some(self.terms.named(&name, Sort::array(self.pointer(), 8)));
        }
        any
    }

    /// The addresses of objects that a value is made of.
    pub fn bases_of(&self, value: Term) -> Vec<Term> {
        let mut found = vec![];
        let mut seen: FastSet<Term> = FastSet::default();
        let mut work = vec![value];
        while let Some(term) = work.pop() {
            let node = self.terms.node(term);
            if !node.carries_address() || !seen.insert(term) {
                continue;
            }
            if node.op == Op::Address {
                found.push(term);
                continue;
            }
            work.extend(self.terms.operands_of(&node));
        }
        found.sort_unstable();
        found
    }

    /// Whether every address that these registers, or memory, hold in a later state is that of an object of the earlier
    /// one, or of a function.
    pub fn knows_objects_of(&self, earlier: &State, later: &State, registers: &[VarId]) -> bool {
        let known: FastSet<Term> = earlier.objects.values().map(|object| object.base).collect();
        let is_known = |base: &Term| {
            let symbol = self.terms.node(*base).symbol();
            known.contains(base) || self.program.function_of(symbol).is_some()
        };
        let fine = |value: Term| self.bases_of(value).iter().all(is_known);
        registers.iter().all(|&register| fine(self.get(later, register)))
            && later.objects.iter().all(|(key, object)| match &object.content {
                _ if earlier.objects.get(key).is_some_and(|before| before.content == object.content) => true,
                Content::Cells(cells) => cells.map.values().all(|cell| fine(cell.value)),
                Content::Array { term, .. } => fine(*term),
                Content::Table(_) => true,
            })
    }

    /// The places of memory that may differ between two states, as far as they can be listed: object, offset and bytes.
    pub fn cells_between(&self, now: &State, next: &State) -> Vec<(ObjectKey, u64, u32)> {
        let mut found = vec![];
        for (&key, object) in now.objects.iter() {
            let Some(later) = next.objects.get(&key) else { continue };
            let (Content::Cells(a), Content::Cells(b)) = (&object.content, &later.content) else { continue };
            if object.lifetime == Lifetime::Constant || a == b {
                continue;
            }
            let cells = a.map.iter().chain(b.map.iter()).map(|(&offset, cell)| (key, offset, cell.bytes));
            found.extend(cells);
            let size = self.terms.as_constant(object.size).map_or(u64::MAX, |size| size.value() as u64);
            if let (Beginning::Symbols { grain, .. }, true) = (&a.beginning, size <= MAX_LISTED) {
                found.extend((0..size / u64::from(*grain)).map(|index| (key, index * u64::from(*grain), *grain)));
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// What is at a place of memory, where it can be said.
    pub fn cell(&self, state: &State, key: ObjectKey, offset: u64, bytes: u32) -> Option<Term> {
        match &state.objects.get(&key)?.content {
            Content::Cells(cells) => Some(cells.read(self.terms, offset, bytes, &mut |_, _| {})),
            _ => None,
        }
    }

    /// Every value that a state holds in registers of the program and of the innermost function, and in memory, as far
    /// as it is listed.
    pub fn values(&self, state: &State, registers: &[VarId]) -> Vec<Term> {
        let mut found: Vec<Term> = registers.iter().map(|&register| self.get(state, register)).collect();
        for object in state.objects.values() {
            found.push(object.size);
            match &object.content {
                Content::Cells(cells) => {
                    found.extend(cells.map.values().map(|cell| cell.value));
                    let size = self.terms.as_constant(object.size).map_or(u64::MAX, |size| size.value() as u64);
                    if let (Beginning::Symbols { grain, .. }, true) = (&cells.beginning, size <= MAX_LISTED) {
                        let grains = 0..size / u64::from(*grain);
                        found.extend(grains.map(|index| cells.read(self.terms, index * u64::from(*grain), *grain, &mut |_, _| {})));
                    }
                }
                Content::Array { term, .. } => found.push(*term),
                Content::Table(_) => {}
            }
        }
        found
    }

    /// What a piece of a program that is not followed may change: everything that its effects say, and the result.
    pub fn skip_call(&self, state: &State, effects: &Effects, result: Option<VarId>) -> State {
        let globals: Vec<VarId> = effects.writes.iter().copied().filter(|&v| self.program.variables[v].is_global()).collect();
        let effects = Effects { writes: globals, ..effects.clone() };
        let mut after = self.any_iteration(state, &effects, &|_| None);
        if let Some(result) = result {
            let width = self.program.variables[result].register_width().unwrap_or(self.pointer());
            let approximate = after.approximate;
            let value = self.fresh(&mut after, "result", width, None);
            after.approximate = approximate;
            self.set(&mut after, result, value);
        }
        after
    }
}
