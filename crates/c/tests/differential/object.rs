//! The content of global objects as gcc has it, read from its object file.

use assay_cfa::DataModel;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Image {
    pub name: String,
    pub bytes: Vec<u8>,
}

pub(crate) enum Failure {
    /// gcc is missing or does not know the data model.
    NoCompiler,
    /// The program is not accepted.
    Refused(String),
}

/// Compiles a program and reads the objects whose names begin with `object_`.
pub(crate) fn gcc_images(text: &str, model: DataModel) -> Result<Vec<Image>, Failure> {
    let flag = if model == DataModel::Ilp32 { "-m32" } else { "-m64" };
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let stem = format!("assay-differential-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
    let (source, object) = (std::env::temp_dir().join(format!("{stem}.c")), std::env::temp_dir().join(format!("{stem}.o")));
    if std::fs::write(&source, text).is_err() {
        return Err(Failure::NoCompiler);
    }
    let mut command = Command::new("gcc");
    command.args(["-std=gnu17", "-w", "-O0", "-c", "-fno-pie", "-fno-common", flag, "-o"]).arg(&object).arg(&source);
    let output = command.stdin(Stdio::null()).output();
    let bytes = std::fs::read(&object);
    let _ = std::fs::remove_file(&source);
    let _ = std::fs::remove_file(&object);
    let output = output.map_err(|_| Failure::NoCompiler)?;
    if !output.status.success() {
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        let unknown = message.contains("unrecognized command-line option") || message.contains("not compiled in");
        return Err(if unknown { Failure::NoCompiler } else { Failure::Refused(message) });
    }
    let bytes = bytes.map_err(|_| Failure::NoCompiler)?;
    read_elf(&bytes, model == DataModel::Lp64).ok_or_else(|| Failure::Refused("the object file is not ELF".to_string()))
}

/// A little-endian number of `size` bytes.
fn number(bytes: &[u8], at: usize, size: usize) -> Option<usize> {
    let part = bytes.get(at..at + size)?;
    Some(part.iter().rev().fold(0, |value, &byte| value << 8 | byte as usize))
}

struct Section {
    kind: usize,
    offset: usize,
    size: usize,
    link: usize,
}

/// The symbols of an ELF file with the bytes of their sections.
fn read_elf(bytes: &[u8], wide: bool) -> Option<Vec<Image>> {
    if bytes.get(..4)? != b"\x7fELF" {
        return None;
    }
    let word = if wide { 8 } else { 4 };
    let (table, entry, count) = if wide {
        (number(bytes, 0x28, 8)?, number(bytes, 0x3A, 2)?, number(bytes, 0x3C, 2)?)
    } else {
        (number(bytes, 0x20, 4)?, number(bytes, 0x2E, 2)?, number(bytes, 0x30, 2)?)
    };
    let mut sections = Vec::new();
    for index in 0..count {
        let at = table + index * entry;
        // Name and kind have 4 bytes each; flags, address, offset and size have a word each.
        let field = |n: usize| number(bytes, at + 8 + n * word, word);
        sections.push(Section {
            kind: number(bytes, at + 4, 4)?,
            offset: field(2)?,
            size: field(3)?,
            link: number(bytes, at + 8 + 4 * word, 4)?,
        });
    }
    const SYMBOLS: usize = 2;
    const NO_BYTES: usize = 8;
    let symbols = sections.iter().find(|section| section.kind == SYMBOLS)?;
    let names = sections.get(symbols.link)?.offset;
    let mut images = Vec::new();
    let step = if wide { 24 } else { 16 };
    for at in (symbols.offset..symbols.offset + symbols.size).step_by(step) {
        let name = names + number(bytes, at, 4)?;
        let name = bytes[name..].split(|&byte| byte == 0).next()?;
        let name = String::from_utf8_lossy(name).into_owned();
        if !name.starts_with("object_") {
            continue;
        }
        let (value, size, section) = if wide {
            (number(bytes, at + 8, 8)?, number(bytes, at + 16, 8)?, number(bytes, at + 6, 2)?)
        } else {
            (number(bytes, at + 4, 4)?, number(bytes, at + 8, 4)?, number(bytes, at + 14, 2)?)
        };
        let section = sections.get(section)?;
        let content = if section.kind == NO_BYTES {
            vec![0; size]
        } else {
            bytes.get(section.offset + value..section.offset + value + size)?.to_vec()
        };
        images.push(Image { name, bytes: content });
    }
    Some(images)
}
