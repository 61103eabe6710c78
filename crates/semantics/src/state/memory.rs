//! Reading and writing memory: resolution of addresses, exact access of cells, and sound approximation elsewhere.

use super::executor::{Executor, Semantics, Undefined};
use super::object::{Cell, Lifetime};
use super::state::State;
use super::value::{FreshOrigin, ObjectId, Value};
use assay_cfa::program::EdgeId;
use assay_cfa::property::Target;
use assay_term::{Op, Term};

/// An access at a symbolic offset is spelled out over at most this many places.
const MAX_PLACES: u64 = 256;
/// Copies and fills of more bytes than this are approximated.
const MAX_RANGE: u64 = 1 << 20;

impl Executor<'_> {
    pub(super) fn load<S: Semantics>(&self, semantics: &mut S, state: &mut State, address: Value, width: u32, edge: EdgeId) -> Value {
        let approximation = FreshOrigin::Approximation { edge: Some(edge) };
        match placed(semantics, address) {
            Value::Pointer { object, offset } => match self.bounds(state, object, offset, width as u64 / 8) {
                Bounds::Inside => self.read(semantics, state, object, offset, width),
                Bounds::Unsure => {
                    semantics.undefined(Undefined::Access, false);
                    self.read(semantics, state, object, offset, width)
                }
                Bounds::Outside => {
                    semantics.undefined(Undefined::Access, true);
                    semantics.fresh(self.terms, state, width, approximation)
                }
            },
            Value::Term(term) => {
                if let Some((object, offset)) = self.split_address(state, term)
                    && let Some(value) = self.load_symbolic(semantics, state, object, offset, width, edge)
                {
                    return value;
                }
                let node = self.terms.node(term);
                if node.op == Op::Ite {
                    let then = self.normalise(state, node.operand(1));
                    let otherwise = self.normalise(state, node.operand(2));
                    let then = self.load(semantics, state, then, width, edge);
                    let otherwise = self.load(semantics, state, otherwise, width, edge);
                    return self.choose(state, node.operand(0), then, otherwise);
                }
                semantics.undefined(Undefined::Access, false);
                semantics.fresh(self.terms, state, width, approximation)
            }
            Value::Known { .. } => {
                semantics.undefined(Undefined::Access, true);
                semantics.fresh(self.terms, state, width, approximation)
            }
            Value::Within(_) | Value::Unknown => {
                semantics.undefined(Undefined::Access, false);
                semantics.fresh(self.terms, state, width, approximation)
            }
        }
    }

    pub(super) fn store<S: Semantics>(&self, semantics: &mut S, state: &mut State, address: Value, value: Value, width: u32, edge: EdgeId) {
        state.escape(value);
        match placed(semantics, address) {
            Value::Pointer { object, offset } => {
                let bounds = self.bounds(state, object, offset, width as u64 / 8);
                let constant = state.object(object).is_some_and(|o| o.lifetime == Lifetime::Constant);
                if bounds == Bounds::Outside || constant {
                    semantics.undefined(Undefined::Access, true);
                    self.forget_everything(state);
                    return;
                }
                if bounds == Bounds::Unsure {
                    semantics.undefined(Undefined::Access, false);
                }
                self.write(semantics, state, object, offset, width, value);
                self.mark_written(state, object, offset, width as u64 / 8);
            }
            Value::Within(object) => {
                semantics.undefined(Undefined::Access, false);
                self.forget_object(state, object);
            }
            Value::Term(term) => {
                if let Some((object, offset)) = self.split_address(state, term) {
                    if !self.store_symbolic(semantics, state, object, offset, value, width, edge) {
                        semantics.undefined(Undefined::Access, false);
                        self.forget_object(state, object);
                    }
                    return;
                }
                let node = self.terms.node(term);
                if node.op == Op::Ite {
                    // Each side is written where the condition chooses it.
                    for (side, holds) in [(node.operand(1), true), (node.operand(2), false)] {
                        let address = self.normalise(state, side);
                        if let Value::Pointer { object, offset } = address
                            && self.bounds(state, object, offset, width as u64 / 8) == Bounds::Inside
                        {
                            let old = self.read(semantics, state, object, offset, width);
                            let new = if holds {
                                self.choose(state, node.operand(0), value, old)
                            } else {
                                self.choose(state, node.operand(0), old, value)
                            };
                            self.write(semantics, state, object, offset, width, new);
                        } else {
                            semantics.undefined(Undefined::Access, false);
                            self.forget_everything(state);
                            return;
                        }
                    }
                    return;
                }
                semantics.undefined(Undefined::Access, false);
                self.forget_everything(state);
            }
            Value::Known { .. } => {
                semantics.undefined(Undefined::Access, true);
                self.forget_everything(state);
            }
            Value::Unknown => {
                semantics.undefined(Undefined::Access, false);
                self.forget_everything(state);
            }
        }
    }

    pub(super) fn copy<S: Semantics>(
        &self,
        semantics: &mut S,
        state: &mut State,
        destination: Value,
        source: Value,
        size: Value,
        edge: EdgeId,
    ) {
        if matches!(size, Value::Known { low: 0, .. }) {
            return;
        }
        let (destination, source) = (placed(semantics, destination), placed(semantics, source));
        if let (Value::Pointer { object: to, offset: at }, Value::Pointer { object: from, offset: begin }, Value::Known { low: size, .. }) =
            (destination, source, size)
            && size <= MAX_RANGE
            && self.bounds(state, to, at, size) == Bounds::Inside
            && self.bounds(state, from, begin, size) == Bounds::Inside
            && state.object(to).is_some_and(|o| o.lifetime != Lifetime::Constant)
        {
            // The source is read as a whole before anything is written: the ranges may overlap.
            let mut cells = Vec::new();
            let mut position = begin;
            let end = begin + size;
            let existing = state.object(from).map(|o| o.overlapping(begin, end)).unwrap_or_default();
            let whole_zero = state.object(from).is_some_and(|o| o.zero);
            for cell in existing.iter().chain(std::iter::once(&Cell { offset: end, width: 0, value: Value::Unknown })) {
                while position < cell.offset.min(end) {
                    let bytes = gap_step(position, cell.offset.min(end));
                    let value = if whole_zero {
                        Value::number(bytes as u32 * 8, 0)
                    } else if semantics.symbolic() || semantics.concrete() {
                        self.read(semantics, state, from, position, bytes as u32 * 8)
                    } else {
                        Value::Unknown
                    };
                    cells.push(Cell { offset: position - begin + at, width: bytes as u32 * 8, value });
                    position += bytes;
                }
                if position < end {
                    let first = position.max(cell.offset);
                    let last = cell.end().min(end);
                    if last > first {
                        let high = ((last - cell.offset) * 8 - 1) as u32;
                        let low = ((first - cell.offset) * 8) as u32;
                        let value = self.part(semantics, state, cell, high, low);
                        cells.push(Cell { offset: first - begin + at, width: high - low + 1, value });
                        position = last;
                    }
                }
            }
            let parts: Vec<(u64, u64)> = match state.object(from) {
                Some(object) if self.asks_written() => object.written.within(begin, end).collect(),
                _ => vec![],
            };
            for cell in cells {
                state.escape(cell.value);
                self.write(semantics, state, to, cell.offset, cell.width, cell.value);
            }
            // What was never written stays so where it is copied.
            if self.asks_written() {
                state.change_object(to, |object| {
                    object.written.remove(at, at + size);
                    parts.iter().for_each(|&(from, to)| object.written.add(from - begin + at, to - begin + at));
                });
            }
            return;
        }
        semantics.undefined(Undefined::Access, false);
        self.unwrite(state, destination, size);
        self.fill(semantics, state, destination, Filling::Anything { choosable: false }, size, edge);
    }

    /// Sets bytes to one value, or to any values.
    pub(super) fn fill<S: Semantics>(
        &self,
        semantics: &mut S,
        state: &mut State,
        destination: Value,
        filling: Filling,
        size: Value,
        edge: EdgeId,
    ) {
        if matches!(size, Value::Known { low: 0, .. }) {
            return;
        }
        let destination = placed(semantics, destination);
        let object = match destination {
            Value::Pointer { object, .. } | Value::Within(object) => Some(object),
            Value::Term(term) => self.split_address(state, term).map(|(object, _)| object),
            _ => None,
        };
        let (Value::Pointer { object: to, offset: at }, Value::Known { low: size, .. }) = (destination, size) else {
            semantics.undefined(Undefined::Access, false);
            match object {
                Some(object) => self.forget_object(state, object),
                None => self.forget_everything(state),
            }
            return;
        };
        match self.bounds(state, to, at, size) {
            Bounds::Outside => {
                semantics.undefined(Undefined::Access, true);
                self.forget_everything(state);
                return;
            }
            Bounds::Unsure => {
                semantics.undefined(Undefined::Access, false);
                self.forget_object(state, to);
                return;
            }
            Bounds::Inside => {}
        }
        if state.object(to).is_some_and(|o| o.lifetime == Lifetime::Constant) {
            semantics.undefined(Undefined::Access, true);
            self.forget_everything(state);
            return;
        }
        let whole = at == 0 && state.object(to).is_some_and(|o| matches!(o.size, Value::Known { low, .. } if low == size));
        if matches!(filling, Filling::Byte(_)) {
            self.mark_written(state, to, at, size);
        }
        if whole && filling == Filling::Byte(Value::number(8, 0)) {
            state.clear_object(to, true);
            return;
        }
        if size > MAX_RANGE && (!semantics.concrete() || matches!(filling, Filling::Anything { .. })) {
            // A run that would choose so much is given up: nothing looks at all of it, and what something looks at must
            // not be chosen anew.
            if semantics.concrete() {
                semantics.undefined(Undefined::Access, false);
            }
            self.forget_object(state, to);
            return;
        }
        let end = at + size;
        let mut position = at;
        while position < end {
            let bytes = gap_step(position, end);
            let width = bytes as u32 * 8;
            let value = match filling {
                Filling::Byte(Value::Term(term)) => {
                    let joined = (1..bytes).fold(term, |v, _| self.terms.concat(term, v));
                    self.normalise(state, joined)
                }
                Filling::Byte(byte) => byte.as_bits().map_or(Value::Unknown, |bits| {
                    let pattern = (0..bytes).fold(0u128, |v, _| v << 8 | bits.value());
                    Value::number(width, pattern)
                }),
                Filling::Anything { choosable } => {
                    let birth = state.object(to).map_or(0, |o| o.birth);
                    let origin = match choosable {
                        true => FreshOrigin::Memory { birth, offset: position, given: true },
                        false => FreshOrigin::Approximation { edge: Some(edge) },
                    };
                    semantics.fresh(self.terms, state, width, origin)
                }
            };
            self.write(semantics, state, to, position, bytes as u32 * 8, value);
            position += bytes;
        }
    }

    pub(super) fn free<S: Semantics>(&self, semantics: &mut S, state: &mut State, address: Value) {
        match address {
            Value::Known { low: 0, high: 0, .. } => {}
            Value::Pointer { object, offset: 0 } if state.object(object).is_some_and(|o| o.alive && o.lifetime == Lifetime::Heap) => {
                state.kill(object);
            }
            Value::Pointer { .. } | Value::Known { .. } => semantics.undefined(Undefined::Free, true),
            _ => {
                // Any heap object may be gone now: nothing is known of their content, and the release itself cannot be
                // placed.
                semantics.undefined(Undefined::Free, false);
                state.doubt_heap();
                self.forget_everything(state);
            }
        }
    }

    /// The content of an object at a known offset inside it.
    pub(super) fn read<S: Semantics>(&self, semantics: &mut S, state: &mut State, object: ObjectId, offset: u64, width: u32) -> Value {
        let Some(target) = state.object(object) else { return Value::Unknown };
        if let Some(cell) = target.cell_at(offset)
            && cell.width == width
        {
            if cell.value == Value::Unknown && !semantics.concrete() {
                return self.discover(semantics, state, object, offset, width);
            }
            return cell.value;
        }
        let bytes = width as u64 / 8;
        let cells = target.overlapping(offset, offset + bytes);
        if cells.is_empty() {
            if target.zero {
                return Value::number(width, 0);
            }
            return self.discover(semantics, state, object, offset, width);
        }
        // Straddling: put together from the parts, lowest first.
        let zero = target.zero;
        let mut parts: Vec<(Value, u32)> = Vec::new();
        let mut position = offset;
        let end = offset + bytes;
        for cell in cells.iter().chain(std::iter::once(&Cell { offset: end, width: 0, value: Value::Unknown })) {
            let gap_end = cell.offset.clamp(position, end);
            if position < gap_end {
                let gap = (gap_end - position) as u32 * 8;
                let value = if zero { Value::number(gap, 0) } else { self.discover(semantics, state, object, position, gap) };
                parts.push((value, gap));
                position = gap_end;
            }
            if position < end && cell.end() > position {
                let last = cell.end().min(end);
                let high = ((last - cell.offset) * 8 - 1) as u32;
                let low = ((position - cell.offset) * 8) as u32;
                let value = if cell.value == Value::Unknown && !semantics.concrete() {
                    self.discover(semantics, state, object, position, high - low + 1)
                } else {
                    self.part(semantics, state, cell, high, low)
                };
                parts.push((value, high - low + 1));
                position = last;
            }
        }
        let mut result: Option<Value> = None;
        for (value, _) in parts {
            result = Some(match result {
                None => value,
                Some(low) => self.join(semantics, state, value, low),
            });
        }
        result.unwrap_or_default()
    }

    /// Bytes that were never written get a value when they are first read, and keep it.
    fn discover<S: Semantics>(&self, semantics: &mut S, state: &mut State, object: ObjectId, offset: u64, width: u32) -> Value {
        let birth = state.object(object).map_or(0, |o| o.birth);
        let value = semantics.fresh(self.terms, state, width, FreshOrigin::Memory { birth, offset, given: false });
        if value != Value::Unknown {
            self.write(semantics, state, object, offset, width, value);
        }
        value
    }

    /// Writes at a known offset inside an object; what the new cell overlaps keeps its other bytes.
    pub(super) fn write<S: Semantics>(
        &self,
        semantics: &mut S,
        state: &mut State,
        object: ObjectId,
        offset: u64,
        width: u32,
        value: Value,
    ) {
        let end = offset + width as u64 / 8;
        let Some(target) = state.object(object) else { return };
        let exact = target.cell_at(offset).is_some_and(|c| c.width == width);
        if !exact {
            for cell in target.overlapping(offset, end) {
                state.remove_cell(object, &cell);
                if cell.offset < offset {
                    let keep = (offset - cell.offset) as u32 * 8;
                    let value = self.part(semantics, state, &cell, keep - 1, 0);
                    state.insert_cell(object, Cell { offset: cell.offset, width: keep, value });
                }
                if cell.end() > end {
                    let cut = (end - cell.offset) as u32 * 8;
                    let value = self.part(semantics, state, &cell, cell.width - 1, cut);
                    state.insert_cell(object, Cell { offset: end, width: cell.width - cut, value });
                }
            }
        }
        let zero = state.object(object).is_some_and(|o| o.zero);
        let cell = Cell { offset, width, value };
        if value == Value::Unknown && !zero && !semantics.concrete() {
            if exact && let Some(old) = state.object(object).and_then(|o| o.cell_at(offset)) {
                state.remove_cell(object, &old);
            }
        } else {
            state.insert_cell(object, cell);
        }
    }

    /// Bits `high` to `low` of a cell.
    fn part<S: Semantics>(&self, semantics: &mut S, state: &mut State, cell: &Cell, high: u32, low: u32) -> Value {
        if low == 0 && high + 1 == cell.width {
            return cell.value;
        }
        match cell.value {
            Value::Known { .. } => cell.value.as_bits().map_or(Value::Unknown, |bits| Value::number(high - low + 1, bits.value() >> low)),
            Value::Unknown | Value::Within(_) => Value::Unknown,
            value if semantics.symbolic() => match self.as_term(state, value) {
                Some(term) => {
                    let part = self.terms.extract(term, high, low);
                    self.normalise(state, part)
                }
                None => Value::Unknown,
            },
            _ => Value::Unknown,
        }
    }

    fn join<S: Semantics>(&self, semantics: &mut S, state: &mut State, high: Value, low: Value) -> Value {
        match (high.as_bits(), low.as_bits()) {
            (Some(h), Some(l)) => Value::number(h.width() + l.width(), h.value() << l.width() | l.value()),
            _ if semantics.symbolic() => match (self.as_term(state, high), self.as_term(state, low)) {
                (Some(h), Some(l)) => {
                    let joined = self.terms.concat(h, l);
                    self.normalise(state, joined)
                }
                _ => Value::Unknown,
            },
            _ => Value::Unknown,
        }
    }

    fn choose(&self, state: &mut State, condition: Term, then: Value, otherwise: Value) -> Value {
        match (self.as_term(state, then), self.as_term(state, otherwise)) {
            (Some(a), Some(b)) => {
                let chosen = self.terms.ite(condition, a, b);
                self.normalise(state, chosen)
            }
            _ => Value::Unknown,
        }
    }

    /// An address term as one object plus an offset term.
    pub(super) fn split_address(&self, state: &State, address: Term) -> Option<(ObjectId, Term)> {
        let width = self.terms.width(address);
        let mut found = None;
        let mut rest = self.terms.number(width, 0);
        let mut work = vec![address];
        while let Some(term) = work.pop() {
            let node = self.terms.node(term);
            if node.op == Op::Add {
                work.push(node.operand(0));
                work.push(node.operand(1));
            } else if let Some(object) = state.object_of_base(term) {
                if found.replace(object).is_some() {
                    return None;
                }
            } else {
                rest = self.terms.add(rest, term);
            }
        }
        let object = found?;
        (!self.mentions_base(state, rest)).then_some((object, rest))
    }

    pub(super) fn mentions_base(&self, state: &State, term: Term) -> bool {
        let mut found = false;
        self.terms.post_order([term], |t, node| found |= node.op == Op::Symbol && state.object_of_base(t).is_some());
        found
    }

    /// The places of an access at a symbolic offset: multiples of what the offset is surely a multiple of.
    fn places(&self, state: &State, object: ObjectId, offset: Term, bytes: u64) -> Option<Vec<u64>> {
        let target = state.object(object).filter(|o| o.alive && o.lifetime != Lifetime::Function)?;
        let Value::Known { low: size, .. } = target.size else { return None };
        let step = 1u64 << self.low_zero_bits(offset, 0).min(6);
        let last = size.checked_sub(bytes)?;
        (last / step < MAX_PLACES).then(|| (0..=last / step).map(|i| i * step).collect())
    }

    fn load_symbolic<S: Semantics>(
        &self,
        semantics: &mut S,
        state: &mut State,
        object: ObjectId,
        offset: Term,
        width: u32,
        edge: EdgeId,
    ) -> Option<Value> {
        let places = self.places(state, object, offset, width as u64 / 8)?;
        // Outside every place the access is undefined and the value is anybody's guess.
        let outside = semantics.fresh(self.terms, state, width, FreshOrigin::Approximation { edge: Some(edge) });
        let mut result = self.as_term(state, outside)?;
        let pointer = self.terms.width(offset);
        for place in places.into_iter().rev() {
            let value = self.read(semantics, state, object, place, width);
            let value = self.as_term(state, value)?;
            let here = self.terms.number(pointer, place as u128);
            let condition = self.terms.eq(offset, here);
            result = self.terms.ite(condition, value, result);
        }
        Some(self.normalise(state, result))
    }

    fn store_symbolic<S: Semantics>(
        &self,
        semantics: &mut S,
        state: &mut State,
        object: ObjectId,
        offset: Term,
        value: Value,
        width: u32,
        _edge: EdgeId,
    ) -> bool {
        let bytes = width as u64 / 8;
        let Some(places) = self.places(state, object, offset, bytes) else { return false };
        if state.object(object).is_some_and(|o| o.lifetime == Lifetime::Constant) {
            return false;
        }
        // Overlapping places (an offset that is not a multiple of the width) would need their writes combined.
        if 1u64 << self.low_zero_bits(offset, 0).min(6) < bytes {
            return false;
        }
        let Some(new) = self.as_term(state, value) else { return false };
        let pointer = self.terms.width(offset);
        for place in places {
            let old = self.read(semantics, state, object, place, width);
            let Some(old) = self.as_term(state, old) else { return false };
            let here = self.terms.number(pointer, place as u128);
            let condition = self.terms.eq(offset, here);
            let chosen = self.terms.ite(condition, new, old);
            let chosen = self.normalise(state, chosen);
            self.write(semantics, state, object, place, width, chosen);
        }
        true
    }

    /// How many low bits of a term are surely zero.
    fn low_zero_bits(&self, term: Term, depth: u32) -> u32 {
        let node = self.terms.node(term);
        let width = node.width();
        if depth > 8 {
            return 0;
        }
        let below = |i: usize| self.low_zero_bits(node.operand(i), depth + 1);
        match node.op {
            Op::Const => (node.constant().trailing_zeros()).min(width),
            Op::Add | Op::Or | Op::Xor => below(0).min(below(1)),
            Op::And => below(0).max(below(1)),
            Op::Mul => (below(0) + below(1)).min(width),
            Op::ShiftLeft => match self.terms.as_constant(node.operand(1)) {
                Some(k) => (below(0) as u128 + k.value()).min(width as u128) as u32,
                None => below(0),
            },
            Op::Neg | Op::ZeroExtend | Op::SignExtend => below(0),
            Op::Extract if node.low() == 0 => below(0).min(width),
            Op::Ite => below(1).min(below(2)),
            Op::Concat => {
                let low_width = self.terms.width(node.operand(1));
                let low = below(1);
                if low == low_width { low + below(0) } else { low }
            }
            _ => 0,
        }
    }

    fn bounds(&self, state: &State, object: ObjectId, offset: u64, bytes: u64) -> Bounds {
        // What lies before the beginning of an object can end behind the end of all offsets.
        let wraps = offset.checked_add(bytes).is_none();
        match state.object(object) {
            Some(_) if wraps => Bounds::Outside,
            Some(o) if o.alive && o.lifetime != Lifetime::Function => match o.size {
                Value::Known { low: size, .. } if offset <= size && bytes <= size - offset => Bounds::Inside,
                Value::Known { .. } => Bounds::Outside,
                _ => Bounds::Unsure,
            },
            _ => Bounds::Outside,
        }
    }

    /// Whether it is in question what was written.
    #[inline]
    pub fn asks_written(&self) -> bool {
        self.program.questions.contains(Target::UninitialisedRead)
    }

    #[inline]
    pub(super) fn mark_written(&self, state: &mut State, object: ObjectId, offset: u64, bytes: u64) {
        let end = offset.saturating_add(bytes);
        if self.asks_written() && state.object(object).is_some_and(|object| !object.written.covers(offset, end)) {
            state.change_object(object, |object| object.written.add(offset, end));
        }
    }

    /// The range counts as never written; where it is not known, all of its object does, or everything.
    pub(super) fn unwrite(&self, state: &mut State, address: Value, size: Value) {
        if !self.asks_written() {
            return;
        }
        let object = match address {
            Value::Term(term) => self.split_address(state, term).map(|(object, _)| object),
            address => address.object(),
        };
        match (object, address, size) {
            (Some(id), Value::Pointer { offset, .. }, Value::Known { low: size, .. }) => {
                state.change_object(id, |object| object.written.remove(offset, offset.saturating_add(size)));
            }
            (Some(id), ..) => self.unwrite_object(state, id),
            (None, ..) => {
                let mut ids = Vec::new();
                state.for_each_object(|id, _| ids.push(id));
                ids.into_iter().for_each(|id| self.unwrite_object(state, id));
            }
        }
    }

    /// Nothing is known of what was written of an object any more.
    pub fn unwrite_object(&self, state: &mut State, id: ObjectId) {
        let changeable = |o: &super::object::Object| !matches!(o.lifetime, Lifetime::Constant | Lifetime::Function);
        if self.asks_written() && state.object(id).is_some_and(changeable) {
            state.change_object(id, |object| object.written = Default::default());
        }
    }

    /// Nothing is known of the content any more; constants and functions keep theirs.
    pub fn forget_object(&self, state: &mut State, object: ObjectId) {
        let changeable = |o: &super::object::Object| !matches!(o.lifetime, Lifetime::Constant | Lifetime::Function);
        if state.object(object).is_some_and(changeable) {
            state.clear_object(object, false);
        }
    }

    /// A write that may go anywhere: nothing is known of any memory that can be written.
    fn forget_everything(&self, state: &mut State) {
        let mut ids = Vec::new();
        state.for_each_object(|id, object| {
            if object.alive {
                ids.push(id);
            }
        });
        for id in ids {
            self.forget_object(state, id);
        }
    }
}

/// A number that is an address in the memory of the environment points there.
#[inline]
pub(super) fn placed<S: Semantics>(semantics: &S, address: Value) -> Value {
    if let (Value::Known { low, .. }, Some((object, environment))) = (address, semantics.environment())
        && let Some(offset) = environment.offset_of(low)
    {
        return Value::Pointer { object, offset };
    }
    address
}

/// What a range of bytes is set to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Filling {
    /// The same byte everywhere.
    Byte(Value),
    /// Any values; `choosable` if they are inputs, and not an approximation of ours.
    Anything { choosable: bool },
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Bounds {
    Inside,
    Outside,
    /// The object's size is not a constant.
    Unsure,
}

/// The size of the next aligned piece of a range, at most 8 bytes.
fn gap_step(position: u64, end: u64) -> u64 {
    let mut bytes = 8;
    while bytes > 1 && (!position.is_multiple_of(bytes) || position + bytes > end) {
        bytes /= 2;
    }
    bytes
}
