//! Writes and reads plain data as bytes, the same on every machine: numbers in groups of seven bits, texts with their
//! length.

/// Collects bytes.
#[derive(Clone, Debug, Default)]
pub struct ByteWriter {
    pub bytes: Vec<u8>,
}

impl ByteWriter {
    pub fn number(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.bytes.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.bytes.push(value as u8);
    }
    pub fn flag(&mut self, value: bool) {
        self.bytes.push(u8::from(value));
    }
    pub fn data(&mut self, data: &[u8]) {
        self.number(data.len() as u64);
        self.bytes.extend_from_slice(data);
    }
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
    pub fn new(bytes: &'b [u8]) -> Self {
        ByteReader { rest: bytes }
    }
    pub fn is_at_end(&self) -> bool {
        self.rest.is_empty()
    }
    fn byte(&mut self) -> Option<u8> {
        let (&first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(first)
    }
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
    pub fn small(&mut self) -> Option<u32> {
        self.number()?.try_into().ok()
    }
    pub fn flag(&mut self) -> Option<bool> {
        match self.byte()? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }
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
