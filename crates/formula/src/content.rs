//! The content of one object: cells at byte offsets where the object is small, else an array.

use assay_cfa::VarId;
use assay_term::{Bits, Sort, Term, Terms};
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

/// What an object holds.
#[derive(Clone, PartialEq, Debug)]
pub enum Content {
    /// Cells at known offsets.
    Cells(Arc<Cells>),
    /// Elements of `bytes` bytes (a power of two), indexed by the byte offset of their start.
    Array {
        /// Of each element.
        bytes: u32,
        /// Of array sort.
        term: Term,
    },
    /// As its initialiser says, and never written.
    Table(Arc<Table>),
}

/// A large global before anything is written to it; the entries of its initialiser are in order and do not overlap. Its
/// initialiser may have any number of entries, so that it becomes an array only where one is needed: a read at a known
/// place looks the entry up.
#[derive(Debug)]
pub struct Table {
    pub variable: VarId,
    /// Bytes of an element, as in an array.
    pub bytes: u32,
    pub array: OnceLock<Term>,
}

impl PartialEq for Table {
    fn eq(&self, other: &Table) -> bool {
        (self.variable, self.bytes) == (other.variable, other.bytes)
    }
}

/// Values at byte offsets that do not overlap; what no cell covers is as it was at the beginning.
#[derive(Clone, PartialEq, Debug)]
pub struct Cells {
    pub map: BTreeMap<u64, Cell>,
    pub beginning: Beginning,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cell {
    pub bytes: u32,
    pub value: Term,
}

/// What an object holds where it was never written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Beginning {
    Zero,
    /// Symbols `name[offset:grain]`, one for every `grain` bytes.
    Symbols {
        name: Arc<str>,
        grain: u32,
        birth: Option<u32>,
    },
}

/// Zero, of any width.
pub(crate) fn zero(terms: &Terms, width: u32) -> Term {
    let part = terms.number(width.min(Bits::MAX_WIDTH), 0);
    terms.zero_extend(part, width)
}

/// Bytes `from` up to `to` (exclusive) of a value.
pub(crate) fn bytes_of(terms: &Terms, value: Term, from: u64, to: u64) -> Term {
    terms.extract(value, (to * 8 - 1) as u32, (from * 8) as u32)
}

/// The end of a range of an object; `None` where no object can reach, as behind a pointer that was moved to before the
/// beginning of its object. Such an access is undefined, which those say who look at the object's size.
fn end_of(offset: u64, bytes: u32) -> Option<u64> {
    offset.checked_add(u64::from(bytes)).filter(|&end| end <= 1 << 63)
}

impl Cells {
    /// The value of a range; `made` sees the symbols of the beginning that it needs. Where no object can reach it is
    /// zero, which nothing may depend on.
    pub fn read(&self, terms: &Terms, offset: u64, bytes: u32, made: &mut dyn FnMut(Term, u64)) -> Term {
        if let Some(cell) = self.map.get(&offset)
            && cell.bytes == bytes
        {
            return cell.value;
        }
        let Some(end) = end_of(offset, bytes) else { return zero(terms, bytes * 8) };
        let mut result: Option<Term> = None;
        let mut position = offset;
        let mut add = |part: Term| result = Some(result.map_or(part, |low| terms.concat(part, low)));
        for (start, cell) in self.overlapping(offset, end) {
            if position < start {
                add(self.beginning.read(terms, position, start, made));
                position = start;
            }
            let last = (start + u64::from(cell.bytes)).min(end);
            add(bytes_of(terms, cell.value, position - start, last - start));
            position = last;
        }
        if position < end {
            add(self.beginning.read(terms, position, end, made));
        }
        result.unwrap_or_else(|| zero(terms, bytes * 8))
    }

    /// Writes a range; cells that it cuts keep their other bytes. Where no object can reach nothing is written.
    pub fn write(&mut self, terms: &Terms, offset: u64, bytes: u32, value: Term) {
        let Some(end) = end_of(offset, bytes) else { return };
        for (start, cell) in self.overlapping(offset, end) {
            self.map.remove(&start);
            let last = start + u64::from(cell.bytes);
            if start < offset {
                let value = bytes_of(terms, cell.value, 0, offset - start);
                self.map.insert(start, Cell { bytes: (offset - start) as u32, value });
            }
            if last > end {
                let value = bytes_of(terms, cell.value, end - start, last - start);
                self.map.insert(end, Cell { bytes: (last - end) as u32, value });
            }
        }
        self.map.insert(offset, Cell { bytes, value });
    }

    pub fn overlapping(&self, from: u64, to: u64) -> Vec<(u64, Cell)> {
        let first = self.map.range(..from).next_back().filter(|(start, cell)| **start + u64::from(cell.bytes) > from);
        first.into_iter().chain(self.map.range(from..to)).map(|(&start, &cell)| (start, cell)).collect()
    }
}

impl Beginning {
    /// The value of a range, put together from whole symbols, so that every path of reading meets the same ones.
    pub fn read(&self, terms: &Terms, from: u64, to: u64, made: &mut dyn FnMut(Term, u64)) -> Term {
        let Beginning::Symbols { name, grain, .. } = self else { return zero(terms, ((to - from) * 8) as u32) };
        let grain = u64::from(*grain);
        let mut result: Option<Term> = None;
        let mut start = from / grain * grain;
        while start < to {
            let symbol = terms.named(&format!("{name}[{start}:{grain}]"), Sort::bv((grain * 8) as u32));
            made(symbol, start);
            let part = bytes_of(terms, symbol, from.max(start) - start, to.min(start + grain) - start);
            result = Some(result.map_or(part, |low| terms.concat(part, low)));
            start += grain;
        }
        result.unwrap_or_else(|| zero(terms, ((to - from) * 8) as u32))
    }
}

/// Elements of an array: reads and writes of any number of bytes at any offset, little-endian.
pub(crate) struct Elements<'a> {
    pub terms: &'a Terms,
    pub bytes: u32,
}

impl Elements<'_> {
    fn is_aligned(&self, offset: Term) -> bool {
        let known = self.terms.known_bits(offset).0.trailing_ones();
        self.bytes == 1 || known >= self.bytes.trailing_zeros()
    }

    fn at(&self, offset: Term, by: u64) -> Term {
        let width = self.terms.width(offset);
        self.terms.add(offset, self.terms.number(width, u128::from(by)))
    }

    /// The element that a byte lies in, and the bit where the byte begins in it, as a term of the element's width.
    fn place(&self, offset: Term) -> (Term, Term) {
        let t = self.terms;
        let width = t.width(offset);
        let mask = t.number(width, u128::from(self.bytes - 1));
        let inside = t.and(offset, mask);
        let shift = t.resize(inside, self.bytes * 8, false);
        let eight = t.number(self.bytes * 8, 8);
        (t.and(offset, t.not(mask)), t.mul(shift, eight))
    }

    pub(crate) fn read(&self, array: Term, offset: Term, bytes: u32) -> Term {
        let t = self.terms;
        let concat = |parts: Vec<Term>| parts.into_iter().reduce(|low, high| t.concat(high, low));
        let parts: Vec<Term> = if self.is_aligned(offset) {
            let count = bytes.div_ceil(self.bytes);
            (0..count).map(|i| t.select(array, self.at(offset, u64::from(i * self.bytes)))).collect()
        } else {
            let byte = |i: u32| {
                let (index, shift) = self.place(self.at(offset, u64::from(i)));
                let moved = t.binary(assay_term::Op::ShiftRight, t.select(array, index), shift);
                t.extract(moved, 7, 0)
            };
            (0..bytes).map(byte).collect()
        };
        let whole = concat(parts).unwrap_or_else(|| zero(t, bytes * 8));
        t.extract(whole, bytes * 8 - 1, 0)
    }

    /// The array after a write where the condition holds.
    pub(crate) fn write(&self, array: Term, offset: Term, value: Term, condition: Term) -> Term {
        let t = self.terms;
        let bytes = t.width(value) / 8;
        let put = |array: Term, index: Term, new: Term| {
            if t.is_true(condition) {
                return t.store(array, index, new);
            }
            let old = t.select(array, index);
            t.store(array, index, t.ite(condition, new, old))
        };
        let mut result = array;
        if self.is_aligned(offset) {
            let mut done = 0;
            while done < bytes {
                let index = self.at(offset, u64::from(done));
                let count = self.bytes.min(bytes - done);
                let part = bytes_of(t, value, u64::from(done), u64::from(done + count));
                let new = if count == self.bytes {
                    part
                } else {
                    let old = t.select(result, index);
                    t.concat(bytes_of(t, old, u64::from(count), u64::from(self.bytes)), part)
                };
                result = put(result, index, new);
                done += count;
            }
            return result;
        }
        for i in 0..bytes {
            let (index, shift) = self.place(self.at(offset, u64::from(i)));
            let width = self.bytes * 8;
            let byte = t.zero_extend(bytes_of(t, value, u64::from(i), u64::from(i + 1)), width);
            let left = |x: Term| t.binary(assay_term::Op::ShiftLeft, x, shift);
            let kept = t.and(t.select(result, index), t.not(left(t.number(width, 0xFF))));
            result = put(result, index, t.or(kept, left(byte)));
        }
        result
    }
}

#[cfg(test)]
mod tests {
    use super::{Beginning, Cells};
    use assay_term::Terms;

    /// A pointer that was moved to before its object has an offset near the end of the address space.
    #[test]
    fn ranges_past_the_end_of_the_address_space_have_no_cells() {
        let terms = Terms::new();
        let beginnings = [Beginning::Zero, Beginning::Symbols { name: "m".into(), grain: 8, birth: None }];
        for beginning in beginnings {
            for back in 1..20 {
                let mut cells = Cells { map: Default::default(), beginning: beginning.clone() };
                cells.write(&terms, 0, 8, terms.number(64, 7));
                let before = cells.clone();
                let offset = u64::MAX - back + 1;
                cells.write(&terms, offset, 8, terms.number(64, 9));
                assert_eq!(cells, before);
                assert_eq!(terms.width(cells.read(&terms, offset, 8, &mut |_, _| {})), 64);
            }
        }
    }
}
