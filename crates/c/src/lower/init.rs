//! Initialisers: the content of objects at the start of the program, and of locals where they are declared.

use super::body::{Body, Value};
use super::condition::PURE;
use super::parts::constant_parts;
use super::place::Place;
use super::{Class, Entity, Lowering};
use crate::adapter::{Step, Unit};
use assay_base::FastMap;
use assay_cfa::{Operation, ValueSourceKind, VarId};
use assay_term::Term;
use rucc_lex::Encoding;
use rucc_sema::{Address, Base, Const, Conversion, DeclId, Eval, ExprId, ExprKind, InitEntry, InitList, StorageDuration, StrId};
use rucc_types::TypeId;
use std::collections::BTreeMap;

/// The bytes of a string literal with its terminator, cut or not to a size.
pub(crate) fn string_bytes(unit: &Unit, id: StrId, size: Option<u64>) -> Vec<u8> {
    let literal = &unit.tast[id];
    let width = match literal.encoding {
        Encoding::Wide => unit.target.wchar_width as usize / 8,
        Encoding::Utf16 => 2,
        Encoding::Utf32 => 4,
        _ => 1,
    };
    let mut bytes = Vec::with_capacity((literal.elements.len() + 1) * width);
    for &element in literal.elements.iter().chain(&[0]) {
        bytes.extend_from_slice(&element.to_le_bytes()[..width]);
    }
    if let Some(size) = size {
        bytes.resize(size as usize, 0);
    }
    bytes
}

/// The values that an initialiser leaves in an object, in the order in which gcc computes them: by their places. What
/// is replaced later is not computed at all. None where it is not clear, which is so for a value of a whole structure
/// of which a part is replaced: gcc clears the rest, the standard and clang keep it.
fn values(unit: &Unit, decl: DeclId, list: InitList) -> Option<Vec<InitEntry>> {
    let entries = &unit.tast[list];
    let Some(steps) = unit.initialisers.get(&decl.index()) else { return Some(entries.to_vec()) };
    let mut kept = Kept::default();
    let mut next = entries.iter();
    for step in steps.as_ref()? {
        match *step {
            Step::Clear { offset, size } => kept.replace(unit, offset * 8, (offset + size) * 8)?,
            Step::Value => {
                let entry = *next.next()?;
                let from = entry.offset * 8 + u64::from(entry.bit_offset);
                let bits = match entry.bit_width {
                    0 => unit.size_of(unit.tast[entry.value].ty)? * 8,
                    width => u64::from(width),
                };
                kept.replace(unit, from, from + bits)?;
                kept.longest = kept.longest.max(bits);
                kept.entries.entry(from).or_default().push((from + bits, entry));
            }
        }
    }
    Some(kept.entries.into_values().flatten().map(|(_, entry)| entry).collect())
}

/// Values by their first bit, each with its end.
#[derive(Default)]
struct Kept {
    entries: BTreeMap<u64, Vec<(u64, InitEntry)>>,
    longest: u64,
}

impl Kept {
    /// Makes room for something new.
    fn replace(&mut self, unit: &Unit, from: u64, to: u64) -> Option<()> {
        let mut empty = Vec::new();
        for (&start, list) in self.entries.range_mut(from.saturating_sub(self.longest)..to) {
            list.retain(|&(end, _)| start < from || end > to);
            // A character may replace one of a text, which is then written before it.
            let overlaps = |&(end, entry): &(u64, InitEntry)| end > from && string_of(unit, entry.value).is_none();
            if list.iter().any(overlaps) {
                return None;
            }
            if list.is_empty() {
                empty.push(start);
            }
        }
        empty.iter().for_each(|start| drop(self.entries.remove(start)));
        Some(())
    }
}

/// The string that an initialiser copies into an array.
fn string_of(unit: &Unit, expr: ExprId) -> Option<StrId> {
    match unit.tast[expr].kind {
        ExprKind::Str(id) => Some(id),
        ExprKind::Convert { kind: Conversion::Lvalue, operand } => string_of(unit, operand),
        _ => None,
    }
}

impl Lowering<'_> {
    /// Fills in the content of all objects that live as long as the program.
    pub(crate) fn initialise(&mut self) {
        for global in self.facts.objects.clone() {
            let Some(Entity::Variable(variable)) = self.entity(global.unit, global.id()) else { continue };
            let decl = &self.units[global.unit].tast[global.id()];
            let Some(list) = decl.init else { continue };
            match self.static_content(global.unit, global.id(), list) {
                Some(content) => self.builder.variables[variable].initial = content,
                None => self.unknown_objects.push((variable, ValueSourceKind::Approximation)),
            }
        }
    }

    fn static_content(&mut self, unit: usize, decl: DeclId, list: InitList) -> Option<Vec<(u64, Term)>> {
        let mut content: BTreeMap<u64, Term> = BTreeMap::new();
        let mut bytes: BTreeMap<u64, u8> = BTreeMap::new();
        self.add_content(unit, decl, list, 0, &mut content, &mut bytes)?;
        for (offset, byte) in bytes {
            if byte != 0 {
                content.insert(offset, self.builder.terms.number(8, u128::from(byte)));
            }
        }
        Some(content.into_iter().collect())
    }

    fn add_content(
        &mut self,
        unit_index: usize,
        decl: DeclId,
        list: InitList,
        base: u64,
        content: &mut BTreeMap<u64, Term>,
        bytes: &mut BTreeMap<u64, u8>,
    ) -> Option<()> {
        let unit = &self.units[unit_index];
        for entry in values(unit, decl, list)? {
            if self.cancel.is_stopped() {
                return None;
            }
            let ty = unit.tast[entry.value].ty;
            let at = base + entry.offset;
            if let Some(text) = string_of(unit, entry.value)
                && unit.class(ty) == Class::Aggregate
            {
                let bytes = string_bytes(unit, text, unit.size_of(ty));
                // What no entry covers is zero.
                for (index, byte) in bytes.into_iter().enumerate().filter(|&(_, byte)| byte != 0) {
                    content.insert(at + index as u64, self.builder.terms.number(8, u128::from(byte)));
                }
                continue;
            }
            if let Some(literal) = literal_of(unit, entry.value) {
                if let Some(inner) = unit.tast[literal].init {
                    self.add_content(unit_index, literal, inner, at, content, bytes)?;
                }
                continue;
            }
            let class = unit.class(ty);
            if let Some(parts) = unit.parts(ty) {
                let constant = Eval::new(&unit.tast, &unit.types, &unit.target, &unit.names).objects(true).initializer(entry.value).ok()?;
                let width = parts.class.width(self.pointer_width())?;
                for (number, value) in constant_parts(constant)?.into_iter().enumerate() {
                    content.insert(at + parts.size * number as u64, self.builder.terms.number(width, value));
                }
                continue;
            }
            let width = class.width(self.pointer_width())?;
            let mut value = self.static_value(unit_index, entry.value, class)?;
            let stored = unit.memory_width(ty, self.pointer_width());
            if stored > width && !entry.is_bit_field() {
                value = self.builder.terms.resize(value, stored, class.is_signed());
            }
            if entry.is_bit_field() {
                let value = self.builder.terms.as_constant(value)?.value();
                for bit in 0..u64::from(entry.bit_width) {
                    let position = u64::from(entry.bit_offset) + bit;
                    let byte = bytes.entry(at + position / 8).or_default();
                    let mask = 1u8 << (position % 8);
                    if value >> bit & 1 == 1 { *byte |= mask } else { *byte &= !mask }
                }
                continue;
            }
            // A later entry replaces what an earlier one wrote.
            let end = at + u64::from(stored / 8);
            let overlapped: Vec<u64> = content.range(at.saturating_sub(16)..end).map(|(&o, _)| o).collect();
            for old in overlapped {
                let old_end = old + u64::from(self.builder.terms.width(content[&old]) / 8);
                if old_end > at {
                    content.remove(&old);
                }
            }
            content.insert(at, value);
        }
        Some(())
    }

    /// The value of a constant expression: a number, or an address plus a number.
    fn static_value(&mut self, unit_index: usize, expr: ExprId, class: Class) -> Option<Term> {
        let unit = &self.units[unit_index];
        let width = class.width(self.pointer_width())?;
        let constant = Eval::new(&unit.tast, &unit.types, &unit.target, &unit.names).objects(true).initializer(expr).ok()?;
        match constant {
            Const::Int(value) => match class {
                Class::Bool => Some(self.builder.terms.number(width, u128::from(value != 0))),
                Class::Float { .. } => None,
                _ => Some(self.builder.terms.number(width, value as u128)),
            },
            Const::Float(value) => Some(self.builder.terms.number(width, value.to_bits())),
            Const::Address(Address { base, offset }) => {
                let start = match base {
                    Base::Decl(id) if self.is_absent(unit_index, id) => self.builder.terms.number(self.pointer_width(), 0),
                    Base::Decl(id) => match self.entity(unit_index, id)? {
                        Entity::Variable(variable) if self.builder.variables[variable].register_width().is_none() => {
                            self.builder.address_of(variable)
                        }
                        Entity::Variable(_) => return None,
                        Entity::Function(index) => self.builder.address_of_function(self.functions[index].id?),
                    },
                    Base::Str(id) => {
                        let object = self.string(unit_index, id, unit.span(unit.tast.expr_span(expr)));
                        self.builder.address_of(object)
                    }
                    Base::Label(label) => self.builder.terms.number(self.pointer_width(), 8 * (label.index() as u128 + 1)),
                    Base::Absolute => self.builder.terms.number(self.pointer_width(), 0),
                };
                let offset = self.builder.terms.number(self.pointer_width(), offset as u128);
                let sum = self.builder.terms.add(start, offset);
                Some(self.builder.terms.resize(sum, width, false))
            }
            _ => None,
        }
    }
}

/// The compound literal whose value an initialiser copies.
fn literal_of(unit: &Unit, expr: ExprId) -> Option<DeclId> {
    match unit.tast[expr].kind {
        ExprKind::Convert { kind: Conversion::Lvalue, operand } if unit.class(unit.tast[expr].ty) == Class::Aggregate => {
            literal_of(unit, operand)
        }
        ExprKind::CompoundLiteral(id) => Some(id),
        _ => None,
    }
}

impl Body<'_, '_> {
    /// Initialises a local object; what no entry covers becomes zero.
    pub(super) fn initialise_object(&mut self, object: VarId, decl: DeclId, ty: TypeId, list: InitList) {
        let address = self.l.builder.address_of(object);
        let Some(entries) = values(self.unit, decl, list) else {
            return self.unsupported("an initialiser that replaces a part of what it gave before");
        };
        let size = match self.l.builder.variables[object].storage {
            assay_cfa::Storage::Memory { size: Some(size), .. } => size,
            _ => self.unit.size_of(ty).unwrap_or(0),
        };
        let (covered, apart) = self.coverage(&entries);
        let zeroed = covered < size;
        if zeroed {
            let (byte, size) = (self.terms().number(8, 0), self.word(size));
            self.emit(Operation::Fill { destination: address, byte, size });
        }
        let mut uses: FastMap<usize, u32> = FastMap::default();
        if self.unit.initialisers.contains_key(&decl.index()) {
            entries.iter().for_each(|entry| *uses.entry(entry.value.index()).or_default() += 1);
        }
        let mut once = Vec::new();
        for entry in &entries {
            // A range has one value for many places, computed for the first.
            let again = uses.get(&entry.value.index()).is_some_and(|&count| count > 1);
            if again && !self.shared.contains_key(&entry.value.index()) && self.purity(entry.value) != PURE {
                let value = match self.value(entry.value) {
                    Value::Scalar(value) => Value::Scalar(self.snapshot(value)),
                    other => other,
                };
                self.shared.insert(entry.value.index(), value);
                once.push(entry.value.index());
            }
            // A zero must be written where an earlier entry for the same place may have written something else.
            self.initialise_entry(address, entry, zeroed && apart);
        }
        once.iter().for_each(|index| {
            self.shared.remove(index);
        });
    }

    /// How many bytes the entries write, and whether no two write the same one: a later designator may override an
    /// earlier.
    fn coverage(&self, entries: &[InitEntry]) -> (u64, bool) {
        let mut ranges: Vec<(u64, u64)> = entries.iter().map(|entry| (entry.offset, entry.offset + self.entry_size(entry))).collect();
        ranges.sort_unstable();
        let (mut covered, mut end, mut apart) = (0, 0, true);
        for (from, to) in ranges {
            apart &= from >= end || from == to;
            covered += to.saturating_sub(from.max(end));
            end = end.max(to);
        }
        (covered, apart)
    }

    fn entry_size(&self, entry: &InitEntry) -> u64 {
        if entry.is_bit_field() {
            return 0;
        }
        self.unit.size_of(self.unit.tast[entry.value].ty).unwrap_or(0)
    }

    fn initialise_entry(&mut self, address: Term, entry: &InitEntry, zeroed: bool) {
        let ty = self.unit.tast[entry.value].ty;
        let at = self.offset(address, entry.offset);
        let class = self.unit.class(ty);
        if entry.is_bit_field() {
            let value = self.scalar(entry.value);
            let at = self.offset(at, u64::from(entry.bit_offset / 8));
            let place = Place::Bits { address: at, low: entry.bit_offset % 8, width: entry.bit_width };
            self.write_place(place, ty, value);
            return;
        }
        if class == Class::Aggregate {
            if let Some(text) = string_of(self.unit, entry.value) {
                let bytes = string_bytes(self.unit, text, self.unit.size_of(ty));
                for (index, byte) in bytes.into_iter().enumerate().filter(|&(_, byte)| !(zeroed && byte == 0)) {
                    let (to, byte) = (self.offset(at, index as u64), self.terms().number(8, u128::from(byte)));
                    self.store(to, byte);
                }
                return;
            }
            if let Value::Aggregate(source) = self.value(entry.value) {
                let size = self.unit.size_of(ty).unwrap_or(0);
                self.copy(at, source, size);
            }
            return;
        }
        if let Class::Unsupported(what) = class {
            return self.unsupported(what);
        }
        let value = self.scalar(entry.value);
        let is_zero = self.terms().as_constant(value).is_some_and(|bits| bits.is_zero());
        if !(zeroed && is_zero) {
            self.write_place(Place::Memory(at), ty, value);
        }
    }

    /// The object of a compound literal, made anew each time control reaches it; it lives until its block ends.
    pub(super) fn literal(&mut self, id: DeclId) -> VarId {
        let decl = &self.unit.tast[id];
        if decl.duration != StorageDuration::Automatic
            && let Some(Entity::Variable(variable)) = self.l.entity(self.unit_index, id)
        {
            return variable;
        }
        let (ty, init) = (decl.ty, decl.init);
        let known = self.locals.get(&(id.index() as u32)).copied();
        let object = match known {
            Some(object) => {
                self.emit(Operation::Declare { object, size: None });
                object
            }
            None => {
                let object = self.temporary_object(ty);
                self.locals.insert(id.index() as u32, object);
                object
            }
        };
        self.live_in_block(object);
        if let Some(list) = init {
            self.initialise_object(object, id, ty, list);
        }
        object
    }
}
