//! Regions, predicates and precisions in a form that other runs can read.
//!
//! Only what is said of registers is written, and only for blocks that touch no memory but objects that they name and
//! that are not constant: everything that such a block's exits depend on is then in its code, in the predicates and in
//! the addresses that are known.

use super::PredicatePrecision;
use super::domain::PredicateDomain;
use super::predicates::PredicateId;
use super::state::PredicateState;
use assay_base::{ByteReader, ByteWriter};
use assay_cfa::portable::Names;
use assay_cfa::{FunctionId, Storage, VarId};
use assay_cpa::PrecisionPlace;
use assay_formula::{KnownPointer, ObjectKey, PointerPlace, Stable};
use assay_memo::BlockScope;
use assay_semantics::state::ObjectName;
use assay_term::{Op, Term};
use biodivine_lib_bdd::{Bdd, BddVariable, BddVariableSet};

impl PredicateDomain<'_> {
    /// A predicate as text; `None` where it speaks of more than registers of first activations.
    fn text(&self, id: PredicateId) -> Option<String> {
        let predicate = self.predicates.get(id);
        let plain = |stable: Stable| matches!(stable, Stable::Register { level: 0, .. });
        let mut by_name = true;
        self.terms.post_order([predicate.term], |_, node| by_name &= node.op != Op::Address);
        (by_name && predicate.symbols.iter().all(|&(_, _, stable)| plain(stable))).then(|| self.terms.display(predicate.term).to_string())
    }

    /// The predicate of a text, and whether it is the one or its opposite.
    fn predicate_of(&self, text: &str) -> Option<(PredicateId, bool)> {
        let term = self.terms.parse_term(text).ok()?;
        if self.terms.sort(term).is_array() || self.terms.width(term) != 1 {
            return None;
        }
        let id = self.predicates.number(&self.encoder(), term)?;
        Some((id, self.predicate(id) == term))
    }

    fn is_portable(&self, block: &BlockScope<'_>) -> bool {
        let effects = &block.block.effects;
        let is_constant = |v: &VarId| matches!(self.program.variables[*v].storage, Storage::Memory { constant: true, .. });
        !effects.accesses_memory() && !effects.reads.iter().any(is_constant)
    }

    /// The predicates by their texts in order, then the diagram with these as variables.
    fn write_region(&self, region: &Bdd, out: &mut ByteWriter) -> Option<()> {
        let mut used: Vec<(String, BddVariable)> = Vec::new();
        for variable in region.support_set() {
            used.push((self.text(PredicateId(variable.to_index() as u16))?, variable));
        }
        used.sort();
        let diagrams = BddVariableSet::new_anonymous(u16::try_from(used.len()).ok()?);
        let own = |variable: BddVariable| {
            let place = used.iter().position(|(_, other)| *other == variable)?;
            Some(diagrams.mk_var(BddVariable::from_index(place)))
        };
        let region = rebuilt(region, &diagrams, &own)?;
        out.number(used.len() as u64);
        used.iter().for_each(|(text, _)| out.text(text));
        out.number(region.size() as u64);
        for pointer in region.pointers().skip(2) {
            out.number(region.var_of(pointer).to_index() as u64);
            out.number(region.low_link_of(pointer).to_index() as u64);
            out.number(region.high_link_of(pointer).to_index() as u64);
        }
        Some(())
    }

    fn read_region(&self, from: &mut ByteReader<'_>) -> Option<Bdd> {
        let diagrams = &self.predicates.diagrams;
        let mut used: Vec<Bdd> = Vec::new();
        for _ in 0..from.number()? {
            let (id, same) = self.predicate_of(from.text()?)?;
            used.push(if same { diagrams.mk_var(id.variable()) } else { diagrams.mk_not_var(id.variable()) });
        }
        let mut made = vec![diagrams.mk_false(), diagrams.mk_true()];
        for _ in 2..from.small()? {
            let variable = used.get(from.small()? as usize)?;
            let (low, high) = (made.get(from.small()? as usize)?, made.get(from.small()? as usize)?);
            made.push(Bdd::if_then_else(variable, high, low));
        }
        made.pop()
    }

    fn write_pointer(&self, pointer: &KnownPointer, names: &Names<'_>, out: &mut ByteWriter) -> Option<()> {
        let name = |variable: VarId| &names.program.variables[variable].name;
        match pointer.0 {
            PointerPlace::Global(variable) => {
                out.number(0);
                out.text(name(variable));
            }
            PointerPlace::Local { depth, variable } => {
                out.number(1);
                out.number(u64::from(depth));
                out.text(name(variable));
            }
            PointerPlace::Cell { object: ObjectKey { name: ObjectName::Variable(variable), occurrence: 0 }, offset }
                if names.program.variables[variable].is_global() =>
            {
                out.number(2);
                out.text(name(variable));
                out.number(offset);
            }
            PointerPlace::Cell { .. } => return None,
        }
        let node = self.terms.node(pointer.1);
        let by_name = || match names.program.variable_of(node.symbol()) {
            Some(variable) => names.program.variables[variable].is_global().then(|| (0, name(variable))),
            None => names.program.function_of(node.symbol()).map(|function| (1, &names.program.functions[function].name)),
        };
        let (kind, name) = (node.op == Op::Address).then(by_name)??;
        out.number(kind);
        out.text(name);
        Some(())
    }

    fn read_pointer(&self, names: &Names<'_>, from: &mut ByteReader<'_>) -> Option<KnownPointer> {
        let place = match from.number()? {
            0 => PointerPlace::Global(names.variable(from.text()?)?),
            1 => PointerPlace::Local { depth: from.small()?, variable: names.variable(from.text()?)? },
            2 => {
                let name = ObjectName::Variable(names.variable(from.text()?)?);
                PointerPlace::Cell { object: ObjectKey { name, occurrence: 0 }, offset: from.number()? }
            }
            _ => return None,
        };
        let symbol = match from.number()? {
            0 => names.variable(from.text()?)?.symbol(),
            1 => names.program.functions[names.function(from.text()?)?].symbol,
            _ => return None,
        };
        let address: Term = self.terms.address(symbol, names.program.model.pointer_width());
        Some((place, address))
    }

    pub(super) fn write_portable(
        &self,
        state: &PredicateState,
        names: &Names<'_>,
        block: &BlockScope<'_>,
        out: &mut ByteWriter,
    ) -> Option<()> {
        let at = &state.at;
        // The start of the program has the values of all globals.
        if at.initial || !state.is_abstraction() || !at.shape.is_empty() || !self.is_portable(block) {
            return None;
        }
        let calls = self.encoder().open_calls(&at.start.formula);
        out.number(calls.len() as u64);
        for (function, level) in calls {
            out.text(&names.program.functions[function].name);
            out.number(u64::from(level));
        }
        out.number(at.pointers.len() as u64);
        // Their order is that of numbers.
        let mut pointers: Vec<Vec<u8>> = Vec::new();
        for pointer in &at.pointers {
            let mut item = ByteWriter::default();
            self.write_pointer(pointer, names, &mut item)?;
            pointers.push(item.bytes);
        }
        pointers.sort();
        pointers.iter().for_each(|item| out.data(item));
        self.write_region(&at.region, out)
    }

    pub(super) fn read_portable(&self, entry: &PredicateState, names: &Names<'_>, from: &mut ByteReader<'_>) -> Option<PredicateState> {
        let mut calls: Vec<(FunctionId, u32)> = Vec::new();
        for _ in 0..from.number()? {
            calls.push((names.function(from.text()?)?, from.small()?));
        }
        let mut pointers: Vec<KnownPointer> = Vec::new();
        for _ in 0..from.number()? {
            let mut item = ByteReader::new(from.data()?);
            pointers.push(self.read_pointer(names, &mut item)?);
        }
        pointers.sort_unstable();
        let region = self.read_region(from)?;
        let formula = self.encoder().reopened(&self.globals, &entry.at.start.formula, &calls, &pointers)?;
        let state = self.opened_at(&formula, region, None);
        (state.at.pointers == pointers && state.at.shape.is_empty()).then_some(state)
    }

    pub(super) fn write_portable_precision(&self, precision: &PredicatePrecision, names: &Names<'_>, out: &mut ByteWriter) -> Option<()> {
        let texts: Option<Vec<String>> = precision.items().map(|&id| self.text(id)).collect();
        texts?;
        precision.write(names, out, |&id| self.text(id).unwrap_or_default());
        Some(())
    }

    /// What is tracked where, of what can be written. Places are named by their number in a function of the same text.
    pub(super) fn save(&self, precision: &PredicatePrecision, names: &Names<'_>, out: &mut ByteWriter) {
        let mut items: Vec<Vec<u8>> = Vec::new();
        for (place, &id) in precision.places() {
            let mut item = ByteWriter::default();
            let at = match place {
                PrecisionPlace::Everywhere => None,
                PrecisionPlace::Function(function) => Some((function, names.program.functions[function].entry)),
                PrecisionPlace::Location(location) => Some((names.program.locations[location].function, location)),
            };
            item.flag(at.is_some());
            if let Some((_, location)) = at {
                let (function, number) = names.location_name(location);
                item.text(function);
                item.number(u64::from(number));
            }
            if let Some(text) = self.text(id) {
                item.text(&text);
                items.push(item.bytes);
            }
        }
        items.sort();
        out.number(items.len() as u64);
        items.iter().for_each(|item| out.data(item));
    }

    /// What of it this program has, and the predicates as text. A place that has moved brings a predicate where it says
    /// little; that is sound.
    pub(super) fn restore(&self, names: &Names<'_>, from: &mut ByteReader<'_>) -> Option<(PredicatePrecision, Vec<String>)> {
        let (mut precision, mut tracked) = (PredicatePrecision::empty(), Vec::new());
        for _ in 0..from.number()? {
            let mut item = ByteReader::new(from.data()?);
            let location = match item.flag()? {
                true => {
                    let (function, number) = (names.function(item.text()?), item.small()?);
                    function.and_then(|function| names.location(function, number))
                }
                false => Some(names.program.functions[names.program.entry].entry),
            };
            let text = item.text()?;
            if let (Some(location), Some((id, _))) = (location, self.predicate_of(text)) {
                self.note_spoken(location, id);
                precision.track(names.program, location, self.options.scope, &id);
                tracked.push(text.to_string());
            }
        }
        from.is_at_end().then_some((precision, tracked))
    }
}

/// A diagram with other variables.
fn rebuilt(region: &Bdd, diagrams: &BddVariableSet, variable: &dyn Fn(BddVariable) -> Option<Bdd>) -> Option<Bdd> {
    let mut made: Vec<Bdd> = Vec::with_capacity(region.size());
    for pointer in region.pointers() {
        made.push(if pointer.is_zero() {
            diagrams.mk_false()
        } else if pointer.is_one() {
            diagrams.mk_true()
        } else {
            let [low, high] = [region.low_link_of(pointer), region.high_link_of(pointer)].map(|p| p.to_index());
            Bdd::if_then_else(&variable(region.var_of(pointer))?, made.get(high)?, made.get(low)?)
        });
    }
    made.pop()
}
