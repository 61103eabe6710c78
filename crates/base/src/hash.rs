//! A fast deterministic hasher for small keys, and stable 128-bit structural fingerprints.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

/// A map with the fast hash: for keys that no adversary chooses. Its order means nothing.
pub type FastMap<K, V> = HashMap<K, V, BuildHasherDefault<FastHasher>>;
/// A set with the fast hash; see [`FastMap`].
pub type FastSet<K> = HashSet<K, BuildHasherDefault<FastHasher>>;

/// Multiply-rotate hashing of machine words; deterministic, not for hostile keys.
#[derive(Default, Clone)]
pub struct FastHasher(u64);

const SEED: u64 = 0x9E37_79B9_7F4A_7C15;

/// One mixing step (a full avalanche of 64 bits).
#[inline]
pub fn mix(value: u64) -> u64 {
    let mut x = value;
    x ^= x >> 32;
    x = x.wrapping_mul(0xE9846AF9B1A615D);
    x ^= x >> 32;
    x = x.wrapping_mul(0xE9846AF9B1A615D);
    x ^ (x >> 28)
}

impl Hasher for FastHasher {
    #[inline]
    fn finish(&self) -> u64 {
        mix(self.0)
    }
    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0u8; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word) ^ ((chunk.len() as u64) << 56));
        }
    }
    #[inline]
    fn write_u64(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(SEED);
    }
    #[inline]
    fn write_u32(&mut self, word: u32) {
        self.write_u64(word as u64);
    }
    #[inline]
    fn write_u16(&mut self, word: u16) {
        self.write_u64(word as u64);
    }
    #[inline]
    fn write_u8(&mut self, word: u8) {
        self.write_u64(word as u64);
    }
    #[inline]
    fn write_usize(&mut self, word: usize) {
        self.write_u64(word as u64);
    }
}

/// A structural 128-bit fingerprint, equal in every run for equal structure.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct Fingerprint(pub u128);

impl Fingerprint {
    /// Of the bytes and their number.
    pub fn of_bytes(bytes: &[u8]) -> Self {
        let mut result = Fingerprint(bytes.len() as u128 ^ 0x5bd1_e995_9e37_79b9_7f4a_7c15_85eb_ca6b);
        for chunk in bytes.chunks(16) {
            let mut word = [0u8; 16];
            word[..chunk.len()].copy_from_slice(chunk);
            result = result.with(u128::from_le_bytes(word));
        }
        result
    }
    /// The fingerprint of this followed by one more word.
    #[inline]
    #[must_use]
    pub fn with(self, word: u128) -> Self {
        let low = mix((self.0 as u64) ^ mix(word as u64).wrapping_add(SEED) ^ ((word >> 64) as u64).rotate_left(17));
        let high = mix(((self.0 >> 64) as u64).wrapping_mul(SEED)
            ^ mix(word as u64 ^ 0xA076_1D64_78BD_642F)
            ^ mix((word >> 64) as u64)
            ^ low.rotate_left(31));
        Fingerprint((low as u128) | ((high as u128) << 64))
    }
}
