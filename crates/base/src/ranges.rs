//! Sets of bytes of an object, as ranges: those that were surely written since it was made.

use crate::hash::mix;
use std::sync::Arc;

/// Ranges of bytes, in order, apart and not empty. What is in none of them may never have been written.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct ByteRanges(Option<Arc<[(u64, u64)]>>);

impl ByteRanges {
    /// All of an object, however large.
    pub fn all() -> Self {
        ByteRanges(Some(Arc::from([(0, u64::MAX)].as_slice())))
    }

    fn ranges(&self) -> &[(u64, u64)] {
        self.0.as_deref().unwrap_or_default()
    }

    fn of(ranges: Vec<(u64, u64)>) -> Self {
        ByteRanges((!ranges.is_empty()).then(|| ranges.into()))
    }

    /// Whether all bytes from `start` up to `end` are in it.
    pub fn covers(&self, start: u64, end: u64) -> bool {
        start >= end || self.ranges().iter().any(|&(from, to)| from <= start && end <= to)
    }

    /// Whether all of its bytes are in the other.
    pub fn is_subset_of(&self, other: &Self) -> bool {
        self.ranges().iter().all(|&(from, to)| other.covers(from, to))
    }

    /// The written parts of a range of bytes, in order.
    pub fn within(&self, start: u64, end: u64) -> impl Iterator<Item = (u64, u64)> {
        self.ranges().iter().map(move |&(from, to)| (from.max(start), to.min(end))).filter(|(from, to)| from < to)
    }

    /// The bytes that are in both.
    #[must_use]
    pub fn common(&self, other: &Self) -> Self {
        let mut common = Self::default();
        for (from, to) in self.within(0, u64::MAX) {
            other.within(from, to).for_each(|(from, to)| common.add(from, to));
        }
        common
    }

    /// Puts a range in.
    pub fn add(&mut self, start: u64, end: u64) {
        if self.covers(start, end) {
            return;
        }
        let (mut from, mut to) = (start, end);
        let mut ranges: Vec<(u64, u64)> = Vec::with_capacity(self.ranges().len() + 1);
        for &(first, last) in self.ranges() {
            if last < from || first > to {
                ranges.push((first, last));
            } else {
                (from, to) = (from.min(first), to.max(last));
            }
        }
        let at = ranges.partition_point(|range| range.0 < from);
        ranges.insert(at, (from, to));
        *self = Self::of(ranges);
    }

    /// Takes a range out.
    pub fn remove(&mut self, start: u64, end: u64) {
        if start >= end || self.within(start, end).next().is_none() {
            return;
        }
        let parts = self.within(0, start).chain(self.within(end, u64::MAX)).collect();
        *self = Self::of(parts);
    }

    /// A hash for look-up tables within one run.
    pub fn hash64(&self) -> u64 {
        self.ranges().iter().fold(0, |hash, &(from, to)| mix(hash ^ mix(from ^ to << 1 ^ 1)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_those_of_a_set_of_bytes() {
        let mut seed = 1u64;
        let mut next = |below: u64| {
            seed = mix(seed.wrapping_add(0x9E37_79B9_7F4A_7C15));
            seed % below
        };
        for _ in 0..200 {
            let (mut set, mut bytes) = (ByteRanges::default(), [false; 24]);
            for _ in 0..12 {
                let start = next(24);
                let end = (start + next(8)).min(24);
                let add = next(3) != 0;
                if add {
                    set.add(start, end)
                } else {
                    set.remove(start, end)
                }
                bytes[start as usize..end as usize].fill(add);
                for (at, &is) in bytes.iter().enumerate() {
                    assert_eq!(set.covers(at as u64, at as u64 + 1), is, "{set:?} {bytes:?}");
                }
                let mut again = ByteRanges::default();
                bytes.iter().enumerate().filter(|(_, is)| **is).for_each(|(at, _)| again.add(at as u64, at as u64 + 1));
                assert_eq!(again, set, "one set has one form");
            }
        }
    }
}
