//! Zip archives without compression: test suites are small, and a library for the other nine tenths of the format would
//! be a dependency for sixty lines.

/// An archive of these files; `None` if it would need the large form of the format.
pub(crate) fn stored(files: &[(String, Vec<u8>)]) -> Option<Vec<u8>> {
    let mut archive = Vec::new();
    let mut directory = Vec::new();
    for (name, content) in files {
        let offset = u32::try_from(archive.len()).ok()?;
        let size = u32::try_from(content.len()).ok()?;
        let length = u16::try_from(name.len()).ok()?;
        let mut common = Vec::new();
        // Version 2.0, no flags, stored, the first day that the format knows, so that equal suites are equal files.
        for half in [20u16, 0, 0, 0, 0x21] {
            common.extend(half.to_le_bytes());
        }
        for word in [crc32(content), size, size] {
            common.extend(word.to_le_bytes());
        }
        common.extend(length.to_le_bytes());
        common.extend(0u16.to_le_bytes());
        archive.extend(b"PK\x03\x04");
        archive.extend(&common);
        archive.extend(name.as_bytes());
        archive.extend(content);
        directory.extend(b"PK\x01\x02");
        directory.extend(20u16.to_le_bytes());
        directory.extend(&common);
        // No comment, the first disk, a plain file, no attributes.
        directory.extend([0u8; 10]);
        directory.extend(offset.to_le_bytes());
        directory.extend(name.as_bytes());
    }
    let count = u16::try_from(files.len()).ok().filter(|&count| count < u16::MAX)?;
    let (start, size) = (u32::try_from(archive.len()).ok()?, u32::try_from(directory.len()).ok()?);
    archive.extend(directory);
    archive.extend(b"PK\x05\x06\0\0\0\0");
    archive.extend(count.to_le_bytes());
    archive.extend(count.to_le_bytes());
    archive.extend(size.to_le_bytes());
    archive.extend(start.to_le_bytes());
    archive.extend(0u16.to_le_bytes());
    Some(archive)
}

fn crc32(content: &[u8]) -> u32 {
    !content.iter().fold(u32::MAX, |crc, &byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| if crc & 1 == 1 { crc >> 1 ^ 0xEDB8_8320 } else { crc >> 1 })
    })
}

#[cfg(test)]
mod tests {
    #[test]
    fn checksums_are_those_of_the_standard() {
        assert_eq!(super::crc32(b"123456789"), 0xCBF4_3926);
        let archive = super::stored(&[("a".to_string(), b"xyz".to_vec())]).unwrap();
        assert_eq!(archive.len(), 30 + 1 + 3 + 46 + 1 + 22);
    }
}
