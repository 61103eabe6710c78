//! What the library makes and hands out: streams and directories with a lifetime, texts, and structures whose members
//! are in the ranges that the standard gives them. All of it are objects that a replay has as well.

use super::body::{Body, Ends, Value};
use super::facts::Global;
use super::{Class, Lowering};
use crate::models::Demand;
use assay_base::Span;
use assay_cfa::{CType, Operation, Role, Scope, Storage, ValueSource, ValueSourceKind, VarId, Zone};
use assay_term::Term;
use rucc_types::{ArrayLen, IntKind, TypeId, TypeKind};

/// Members of the library's structures whose values have bounds, by their names.
const MEMBERS: &[(&str, i64, i64)] = &[
    ("tm_sec", 0, 60),
    ("tm_min", 0, 59),
    ("tm_hour", 0, 23),
    ("tm_mday", 1, 31),
    ("tm_mon", 0, 11),
    ("tm_wday", 0, 6),
    ("tm_yday", 0, 365),
    ("tm_isdst", -1, 1),
    ("tv_nsec", 0, 999_999_999),
    ("tv_usec", 0, 999_999),
];

/// How many bytes a stream or directory has whose type is not complete.
const HANDLE: u64 = 240;
/// The bytes at the start of a handle that say whether it is open.
const STAMP: u128 = 4;
/// Bits of the length of a text of the library's.
const LENGTH: u32 = 12;

impl Lowering<'_> {
    /// Whether a variable is one of the library's streams by its type, and the library has them.
    pub(super) fn is_stream(&self, global: Global) -> bool {
        let unit = &self.units[global.unit];
        unit.class(unit.tast[global.id()].ty) == Class::Pointer
    }

    /// What the library keeps in a stream that is open when the program begins is its own affair.
    pub(super) fn stream_content(&mut self, stream: VarId) -> Operation {
        let info = &self.builder.variables[stream];
        let source = ValueSource { kind: ValueSourceKind::Approximation, name: info.source_name.clone(), span: info.span };
        let source = self.builder.value_source(source);
        let terms = &self.builder.terms;
        let width = self.pointer_width();
        let address = terms.add(self.builder.address_of(stream), terms.number(width, STAMP));
        Operation::HavocMemory { address, size: terms.number(width, u128::from(HANDLE) - STAMP), source }
    }

    /// A stream that is open when the program begins.
    pub(super) fn open_stream(&mut self, name: &str, span: Span) -> VarId {
        let storage = Storage::Memory { size: Some(HANDLE), align: 16, constant: false };
        let stream = self.builder.variable(&format!("*{name}"), Scope::Global, Role::Source, storage, CType::Void, span);
        self.builder.variables[stream].exposed = true;
        let stamp = self.builder.terms.number(32, Demand::Stream.stamp());
        self.builder.variables[stream].initial = vec![(0, stamp)];
        stream
    }
}

impl Body<'_, '_> {
    /// A new stream or directory, or null where that may be the answer.
    pub(super) fn new_handle(&mut self, demand: Demand, nullable: bool, ty: TypeId, name: &str) -> Term {
        let size = self.unit.pointee(ty).and_then(|to| self.unit.size_of(to)).filter(|&size| size >= 4).unwrap_or(HANDLE);
        self.or_null(nullable, name, |body| {
            let size = body.word(size);
            let handle = body.allocate_surely(size, Zone::Library, false, None);
            let stamp = body.terms().number(32, demand.stamp());
            body.only_for_accesses(|body| body.store(handle, stamp));
            handle
        })
    }

    /// The handle is closed: no call may use it again.
    pub(super) fn close_handle(&mut self, handle: Term) {
        let zero = self.terms().number(32, 0);
        self.only_for_accesses(|body| body.store(handle, zero));
    }

    /// A new text of any length, or of this one.
    pub(super) fn new_text(&mut self, line: bool, nullable: bool, kind: ValueSourceKind, name: &str) -> Term {
        self.or_null(nullable, name, |body| {
            let width = body.pointer_width();
            let length = match line {
                true => body.word(LINE - 1),
                false => {
                    let ctype = CType::Integer { width: LENGTH, signed: false, name: "unsigned int" };
                    let length = body.unknown(LENGTH, ctype, kind, name);
                    body.terms().zero_extend(length, width)
                }
            };
            let one = body.word(1);
            let size = body.terms().add(length, one);
            let text = body.allocate_surely(size, Zone::Library, false, None);
            let source = body.source(kind, name);
            body.emit(Operation::HavocMemory { address: text, size, source });
            if line {
                body.end_line(text);
            } else {
                let (end, zero) = (body.terms().add(text, length), body.terms().number(8, 0));
                body.store(end, zero);
            }
            text
        })
    }

    /// The end of what `ctime` and `asctime` write.
    pub(super) fn end_line(&mut self, text: Term) {
        for (place, byte) in [(LINE - 2, 10), (LINE - 1, 0)] {
            let (address, byte) = (self.offset(text, place), self.terms().number(8, byte));
            self.store(address, byte);
        }
    }

    /// A new structure of the type that a pointer type leads to.
    pub(super) fn new_record(&mut self, nullable: bool, ty: TypeId, kind: ValueSourceKind, name: &str) -> Option<Term> {
        let record = self.unit.pointee(ty)?;
        let size = self.unit.size_of(record)?;
        Some(self.or_null(nullable, name, |body| {
            let size = body.word(size);
            let address = body.allocate_surely(size, Zone::Library, false, None);
            let content = body.l.given(&body.unit.ctype(record));
            let content = if kind.is_choosable() { content } else { kind };
            let source = body.source(content, name);
            body.emit(Operation::HavocMemory { address, size, source });
            body.bound_members(address, record, kind, name);
            body.texts_of_members(address, record, kind, name);
            address
        }))
    }

    /// Whether a call may leave another error number: of a function of another library that is not known to keep it.
    pub(super) fn may_set_errno(&self, index: usize) -> bool {
        let info = &self.l.functions[index];
        if self.l.errno.is_none() || self.unit.is_library || info.has_body && !self.l.units[info.global.unit].is_library {
            return false;
        }
        crate::models::verifier_function(&info.name).is_none()
            && self.l.library.entry(&info.name).is_none_or(|entry| !entry.keeps_errno(self.l.malloc_may_fail))
    }

    /// The error number as it was, or another; no function of the library makes it zero.
    pub(super) fn any_errno(&mut self, name: &str) {
        let Some(errno) = self.l.errno.filter(|_| !self.is_dead()) else { return };
        let address = self.l.builder.address_of(errno);
        let old = self.load(address, 32, CType::Integer { width: 32, signed: true, name: "int" });
        let changed = self.approximation(1, name);
        let new = self.bounded(1, 4095, 32, ValueSourceKind::Approximation, name);
        let new = self.terms().ite(changed, new, old);
        self.store(address, new);
    }

    /// What is made, or null.
    fn or_null(&mut self, nullable: bool, name: &str, make: impl FnOnce(&mut Self) -> Term) -> Term {
        if !nullable {
            return make(self);
        }
        let result = self.word_temporary();
        let failed = self.unknown(1, CType::Bool, ValueSourceKind::System, name);
        let (failing, going_on) = self.split(failed, None);
        self.ends = going_on;
        let made = make(self);
        self.assign(result, made);
        let mut done: Ends = std::mem::replace(&mut self.ends, failing);
        let null = self.word(0);
        self.assign(result, null);
        self.ends.append(&mut done);
        self.read(result)
    }

    /// Gives the members of a structure that have bounds values within them.
    pub(super) fn bound_members(&mut self, address: Term, record: TypeId, kind: ValueSourceKind, name: &str) {
        for (member, offset, ty) in self.members(record) {
            let place = self.offset(address, offset);
            if let TypeKind::Record(_) = self.unit.kind(ty) {
                self.bound_members(place, ty, kind, name);
            } else if let Some(&(_, low, high)) = MEMBERS.iter().find(|(known, ..)| *known == member)
                && let Some(width) = self.unit.class(ty).width(self.pointer_width()).filter(|&width| width >= 32)
            {
                let value = self.bounded(low, high, width, kind, name);
                self.store(place, value);
            }
        }
    }

    /// Members that point to characters lead to texts, and a name in the structure has an end.
    fn texts_of_members(&mut self, address: Term, record: TypeId, kind: ValueSourceKind, name: &str) {
        for (member, offset, ty) in self.members(record) {
            let place = self.offset(address, offset);
            match self.unit.kind(ty) {
                TypeKind::Pointer(to) if self.is_character(to) => {
                    let text = self.new_text(false, false, kind, name);
                    self.store(place, text);
                }
                TypeKind::Array { elem, len: ArrayLen::Fixed(length) } if member == "d_name" && self.is_character(elem) => {
                    let size = self.word(length);
                    self.terminate(place, size, name);
                }
                _ => {}
            }
        }
    }

    fn is_character(&self, ty: TypeId) -> bool {
        matches!(self.unit.kind(ty), TypeKind::Int(IntKind::Char))
    }

    fn members(&self, record: TypeId) -> Vec<(String, u64, TypeId)> {
        let TypeKind::Record(id) = self.unit.kind(record) else { return vec![] };
        let info = self.unit.types.record_info(id);
        let plain = info.kind == rucc_types::RecordKind::Struct && info.variable.is_none();
        let fields = info.fields.iter().filter(|field| plain && field.bits.is_none());
        fields.filter_map(|field| Some((self.unit.text(field.name?).to_string(), field.offset, field.ty))).collect()
    }

    /// Any number within the bounds. It is made of as many bits as it needs, so that a run that chooses at random never
    /// chooses a number outside.
    pub(super) fn bounded(&mut self, low: i64, high: i64, width: u32, kind: ValueSourceKind, name: &str) -> Term {
        let count = high.abs_diff(low) as u128 + 1;
        let bits = (128 - (count - 1).leading_zeros()).max(1);
        let ctype = CType::Integer { width: bits, signed: false, name: "unsigned int" };
        let chosen = self.unknown(bits, ctype, kind, name);
        let terms = self.terms();
        let (chosen, count) = (terms.zero_extend(chosen, width + 1), terms.number(width + 1, count));
        let inside = terms.ite(terms.ult(chosen, count), chosen, terms.sub(chosen, count));
        let value = terms.add(terms.extract(inside, width - 1, 0), terms.number(width, low as u128));
        self.snapshot(value)
    }

    /// A pointer as the result of a call.
    pub(super) fn pointer_result(&mut self, address: Term, ty: TypeId) -> Value {
        match self.unit.class(ty).width(self.pointer_width()) {
            Some(width) => Value::Scalar(self.terms().resize(address, width, false)),
            None => Value::Void,
        }
    }
}

/// The bytes that `ctime` and `asctime` write.
pub(super) const LINE: u64 = 26;
