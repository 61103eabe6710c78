//! Preprocessing in process: the system's headers, with the library's own for those that belong to a
//! compiler, and the system's compiler as a way out where that does not read a program.

use super::{DataModel, Options};
use rucc_diag::SourceBytes;
use rucc_session::{FileSystem, SearchPath, runtime};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The files of the machine, under them the compiler's own headers, and empty stand-ins for headers
/// that glibc wants for the other word size and installs only with that word size's libraries.
#[derive(Debug)]
pub(super) struct Disk;

impl FileSystem for Disk {
    fn read(&self, path: &Path) -> io::Result<SourceBytes> {
        if let Some(header) = runtime::read(path) {
            return Ok(header);
        }
        match std::fs::read(path) {
            Ok(mut bytes) => {
                super::paste::mark(&mut bytes);
                Ok(SourceBytes::new(bytes))
            }
            Err(error) => {
                let stubs = ["gnu/stubs-32.h", "gnu/stubs-64.h", "gnu/stubs-x32.h"];
                if path.starts_with("/usr/include") && stubs.iter().any(|stub| path.ends_with(stub)) {
                    return Ok(SourceBytes::new(&b""[..]));
                }
                Err(error)
            }
        }
    }
}

/// Where `#include` looks.
pub(super) fn search_path(options: &Options) -> SearchPath {
    let mut search = SearchPath::new();
    for dir in &options.include_dirs {
        search.push_bracket(dir);
    }
    search.push_system(runtime::DIR);
    search.push_system("/usr/local/include");
    let multiarch = match options.model {
        DataModel::Ilp32 => ["/usr/include/i386-linux-gnu", "/usr/include/x86_64-linux-gnu"],
        DataModel::Lp64 => ["/usr/include/x86_64-linux-gnu", "/usr/include/aarch64-linux-gnu"],
    };
    for dir in multiarch {
        if Path::new(dir).is_dir() {
            search.push_system(dir);
        }
    }
    search.push_system("/usr/include");
    search
}

/// Whether the text has a directive that only a preprocessor gives a meaning to. Line markers and
/// pragmas stay in preprocessed files, so they do not count.
pub(super) fn has_directives(text: &[u8]) -> bool {
    const WORDS: [&[u8]; 9] = [b"include", b"define", b"undef", b"if", b"elif", b"else", b"endif", b"error", b"import"];
    text.split(|&b| b == b'\n').any(|line| {
        let line = line.trim_ascii_start();
        line.first() == Some(&b'#') && {
            let word = line[1..].trim_ascii_start();
            WORDS.iter().any(|w| word.starts_with(w))
        }
    })
}

/// The output of the system's compiler, run as a preprocessor; `None` where there is none or it fails.
pub(super) fn with_compiler(path: &Path, options: &Options) -> Option<Vec<u8>> {
    let mut command = Command::new("cc");
    command.arg("-E").arg(match options.model {
        DataModel::Ilp32 => "-m32",
        DataModel::Lp64 => "-m64",
    });
    // The typed tree does not know the compiler's newest types, so the headers are asked to do
    // without the extensions they use only for speed.
    command.arg("-U__OPTIMIZE__").arg(options.standard.flag());
    for dir in &options.include_dirs {
        command.arg("-I").arg(dir);
    }
    for define in &options.defines {
        command.arg(format!("-D{define}"));
    }
    for name in &options.undefines {
        command.arg(format!("-U{name}"));
    }
    let output = command.arg(path).stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    output.status.success().then_some(output.stdout)
}

/// The file beside which relative paths of `#include "…"` are looked up.
pub(super) fn display_name(path: &Path) -> String {
    PathBuf::from(path).to_string_lossy().into_owned()
}
