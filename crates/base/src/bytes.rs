//! Writes and reads plain data as bytes, the same on every machine: numbers in groups of seven bits, texts with their
//! length.

use std::collections::BTreeSet;

/// Collects bytes.
#[derive(Clone, Debug, Default)]
pub struct ByteWriter {
    /// What was written so far.
    pub bytes: Vec<u8>,
    /// What was written by its place in something, by the names of these: the bytes mean the same only where these are
    /// the same.
    pub places_in: BTreeSet<String>,
}

impl ByteWriter {
    /// A number, seven bits a byte, the lowest first; the highest bit of a byte says that more follow.
    pub fn number(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.bytes.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.bytes.push(value as u8);
    }
    /// One byte: 0 or 1.
    pub fn flag(&mut self, value: bool) {
        self.bytes.push(u8::from(value));
    }
    /// The length, then the bytes.
    pub fn data(&mut self, data: &[u8]) {
        self.number(data.len() as u64);
        self.bytes.extend_from_slice(data);
    }
    /// Something by its place in something else that has a name.
    pub fn place(&mut self, name: &str, place: u32) {
        self.text(name);
        self.number(u64::from(place));
        self.note_place(name);
    }
    /// Notes that what is written speaks of places in something.
    pub fn note_place(&mut self, name: &str) {
        if !self.places_in.contains(name) {
            self.places_in.insert(name.to_string());
        }
    }
    /// A text, as [`data`](Self::data) in UTF-8.
    pub fn text(&mut self, text: &str) {
        self.data(text.as_bytes());
    }
}

/// Takes bytes apart again; `None` where they end early or are not what was asked for.
#[derive(Clone, Debug)]
pub struct ByteReader<'b> {
    rest: &'b [u8],
}

impl<'b> ByteReader<'b> {
    /// From the beginning of the bytes.
    pub fn new(bytes: &'b [u8]) -> Self {
        ByteReader { rest: bytes }
    }
    /// Whether everything was read.
    pub fn is_at_end(&self) -> bool {
        self.rest.is_empty()
    }
    fn byte(&mut self) -> Option<u8> {
        let (&first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(first)
    }
    /// What [`ByteWriter::number`] wrote.
    pub fn number(&mut self) -> Option<u64> {
        let (mut value, mut shift) = (0u64, 0);
        loop {
            let byte = self.byte()?;
            if shift > 63 {
                return None;
            }
            value |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Some(value);
            }
            shift += 7;
        }
    }
    /// A number that must fit into 32 bits.
    pub fn small(&mut self) -> Option<u32> {
        self.number()?.try_into().ok()
    }
    /// What [`ByteWriter::flag`] wrote; bytes other than 0 and 1 are refused.
    pub fn flag(&mut self) -> Option<bool> {
        match self.byte()? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }
    /// What [`ByteWriter::data`] wrote.
    pub fn data(&mut self) -> Option<&'b [u8]> {
        let length = usize::try_from(self.number()?).ok()?;
        self.raw(length)
    }
    /// So many bytes as they are.
    pub fn raw(&mut self, length: usize) -> Option<&'b [u8]> {
        let (data, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        Some(data)
    }
    /// What [`ByteWriter::text`] wrote; `None` if it is no UTF-8.
    pub fn text(&mut self) -> Option<&'b str> {
        std::str::from_utf8(self.data()?).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let mut writer = ByteWriter::default();
        for value in [0, 127, 128, u64::from(u32::MAX), u64::MAX] {
            writer.number(value);
        }
        writer.flag(true);
        writer.text("größer");
        let mut reader = ByteReader::new(&writer.bytes);
        let numbers: Vec<u64> = (0..5).filter_map(|_| reader.number()).collect();
        assert_eq!(numbers, [0, 127, 128, u64::from(u32::MAX), u64::MAX]);
        assert_eq!((reader.flag(), reader.text(), reader.is_at_end()), (Some(true), Some("größer"), true));
        for cut in 0..writer.bytes.len() {
            let mut reader = ByteReader::new(&writer.bytes[..cut]);
            let all = (0..5).all(|_| reader.number().is_some()) && reader.flag().is_some() && reader.text().is_some();
            assert!(!all);
        }
    }
}
