//! A precision as a set of tracked things that may differ from place to place; most domains need no other.

use crate::capability::PrecisionScope;
use assay_base::ByteWriter;
use assay_base::{FastMap, FastSet};
use assay_cfa::portable::Names;
use assay_cfa::{FunctionId, LocationId, Program};
use std::hash::Hash;
use std::sync::Arc;

/// Which things are tracked where. Cloning is cheap; it is changed seldom (once a refinement) and read always.
#[derive(Clone, Debug)]
pub struct ScopedPrecision<T: Eq + Hash> {
    /// Everything is tracked everywhere: an analysis without refinement.
    pub everything: bool,
    tables: Arc<Tables<T>>,
}

#[derive(Clone, Debug)]
struct Tables<T: Eq + Hash> {
    global: FastSet<T>,
    functions: FastMap<FunctionId, FastSet<T>>,
    locations: FastMap<LocationId, FastSet<T>>,
}

impl<T: Eq + Hash> Default for Tables<T> {
    fn default() -> Self {
        Tables { global: Default::default(), functions: Default::default(), locations: Default::default() }
    }
}

/// Equal as the sets are equal; used for the keys of summaries.
impl<T: Eq + Hash> PartialEq for ScopedPrecision<T> {
    fn eq(&self, other: &Self) -> bool {
        self.everything == other.everything
            && (Arc::ptr_eq(&self.tables, &other.tables)
                || (self.tables.global == other.tables.global
                    && self.tables.functions == other.tables.functions
                    && self.tables.locations == other.tables.locations))
    }
}
impl<T: Eq + Hash> Eq for ScopedPrecision<T> {}

/// Where something is tracked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PrecisionPlace {
    /// At every location.
    Everywhere,
    /// At every location of the function.
    Function(FunctionId),
    /// At this location.
    Location(LocationId),
}

impl<T: Eq + Hash + Clone> ScopedPrecision<T> {
    /// Tracks nothing yet.
    pub fn empty() -> Self {
        ScopedPrecision { everything: false, tables: Arc::default() }
    }
    /// Tracks whatever there is.
    pub fn everything() -> Self {
        ScopedPrecision { everything: true, tables: Arc::default() }
    }

    /// Whether the thing is tracked at a location of the function.
    #[inline]
    pub fn tracks(&self, location: LocationId, function: FunctionId, item: &T) -> bool {
        self.everything
            || self.tables.global.contains(item)
            || self.tables.functions.get(&function).is_some_and(|set| set.contains(item))
            || self.tables.locations.get(&location).is_some_and(|set| set.contains(item))
    }

    /// What is tracked at a location of the function, in no particular order and each once. (What `everything` is,
    /// nothing lists.)
    pub fn at(&self, location: LocationId, function: FunctionId) -> Vec<T> {
        let tables = &self.tables;
        let mut set: FastSet<T> = tables.global.clone();
        set.extend(tables.functions.get(&function).into_iter().flatten().cloned());
        set.extend(tables.locations.get(&location).into_iter().flatten().cloned());
        set.into_iter().collect()
    }

    /// Tracks one thing more; `true` if it was not tracked at the location before.
    pub fn track(&mut self, program: &Program, at: LocationId, scope: PrecisionScope, item: &T) -> bool {
        let function = program.locations[at].function;
        if self.tracks(at, function, item) {
            return false;
        }
        let tables = Arc::make_mut(&mut self.tables);
        match scope {
            PrecisionScope::Location => tables.locations.entry(at).or_default().insert(item.clone()),
            PrecisionScope::Function => tables.functions.entry(function).or_default().insert(item.clone()),
            PrecisionScope::Global => tables.global.insert(item.clone()),
        };
        true
    }

    /// The part that matters where `keep` says so: functions, locations and items outside are dropped. For summaries of
    /// blocks.
    #[must_use]
    pub fn restricted(
        &self,
        keep_function: impl Fn(FunctionId) -> bool,
        keep_location: impl Fn(LocationId) -> bool,
        keep_item: impl Fn(&T) -> bool,
    ) -> Self {
        if self.everything {
            return Self::everything();
        }
        let pick = |set: &FastSet<T>| -> FastSet<T> { set.iter().filter(|item| keep_item(item)).cloned().collect() };
        let tables = Tables {
            global: pick(&self.tables.global),
            functions: self.tables.functions.iter().filter(|(f, _)| keep_function(**f)).map(|(f, s)| (*f, pick(s))).collect(),
            locations: self.tables.locations.iter().filter(|(l, _)| keep_location(**l)).map(|(l, s)| (*l, pick(s))).collect(),
        };
        ScopedPrecision { everything: false, tables: Arc::new(tables) }
    }

    /// How many (place, thing) pairs are tracked.
    pub fn len(&self) -> usize {
        self.tables.global.len()
            + self.tables.functions.values().map(FastSet::len).sum::<usize>()
            + self.tables.locations.values().map(FastSet::len).sum::<usize>()
    }
    /// Whether nothing is tracked.
    pub fn is_empty(&self) -> bool {
        !self.everything && self.len() == 0
    }

    /// What is tracked where, in no particular order.
    pub fn places(&self) -> impl Iterator<Item = (PrecisionPlace, &T)> {
        let tables = &self.tables;
        let global = tables.global.iter().map(|item| (PrecisionPlace::Everywhere, item));
        let functions = tables.functions.iter().flat_map(|(&f, set)| set.iter().map(move |item| (PrecisionPlace::Function(f), item)));
        let locations = tables.locations.iter().flat_map(|(&l, set)| set.iter().map(move |item| (PrecisionPlace::Location(l), item)));
        global.chain(functions).chain(locations)
    }

    /// Writes it in a form that does not depend on a run, for the keys of summaries on disk.
    pub fn write(&self, names: &Names<'_>, out: &mut ByteWriter, item: impl Fn(&T) -> String) {
        let place = |place: PrecisionPlace| match place {
            PrecisionPlace::Everywhere => String::new(),
            PrecisionPlace::Function(function) => names.program.functions[function].name.clone(),
            PrecisionPlace::Location(location) => format!("{:?}", names.location_name(location)),
        };
        for location in self.tables.locations.keys() {
            out.note_place(names.location_name(*location).0);
        }
        out.flag(self.everything);
        let mut lines: Vec<String> = self.places().map(|(at, thing)| format!("{}: {}", place(at), item(thing))).collect();
        lines.sort();
        out.number(lines.len() as u64);
        lines.iter().for_each(|line| out.text(line));
    }

    /// All tracked things, wherever they are tracked.
    pub fn items(&self) -> impl Iterator<Item = &T> {
        let tables = &self.tables;
        tables.global.iter().chain(tables.functions.values().flatten()).chain(tables.locations.values().flatten())
    }

    /// A hash that does not depend on the order of insertion; `hash_item` must be the same for equal items.
    pub fn fingerprint(&self, hash_item: impl Fn(&T) -> u64) -> u64 {
        use assay_base::hash::mix;
        let set = |place: u64, items: &FastSet<T>| {
            items.iter().fold(0u64, |sum, item| sum.wrapping_add(mix(mix(place).wrapping_add(hash_item(item)))))
        };
        let mut sum = u64::from(self.everything).wrapping_add(set(1, &self.tables.global));
        for (function, items) in &self.tables.functions {
            sum = sum.wrapping_add(set((1 << 33) | u64::from(function.0), items));
        }
        for (location, items) in &self.tables.locations {
            sum = sum.wrapping_add(set((1 << 34) | u64::from(location.0), items));
        }
        mix(sum)
    }
}
