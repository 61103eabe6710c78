//! Calls of library functions with pointers that lead nowhere. For every pointer parameter in the table of the library
//! there are programs that pass null, memory that was freed, memory that is too short and a pointer that was never
//! written; none of them may be called safe. The same calls with good arguments must not be called wrong.
//! `ASSAY_LIBRARY` sets how many of the programs are left out for each that is tried: 0 tries all (some thousand,
//! for the night); the default tries a sample. `ASSAY_LIBRARY_NAMES` tries only functions whose names contain it.

use std::path::Path;
use std::process::Command;

/// A line of the table.
struct Function {
    name: String,
    headers: Vec<String>,
    letters: Vec<u8>,
    words: Vec<String>,
}

/// What is wrong with the argument of a call.
#[derive(Clone, Copy, PartialEq)]
enum Fault {
    None,
    Null,
    Freed,
    Short,
    Uninitialised,
}

const FAULTS: [Fault; 5] = [Fault::None, Fault::Null, Fault::Freed, Fault::Short, Fault::Uninitialised];

/// Functions for which the arguments of a good call are bad ones: a byte that is nowhere is searched to no end.
const NEVER_GOOD: [&str; 1] = ["rawmemchr"];

/// What the calls need around them.
const PRELUDE: &str = "\
static char big[65536] __attribute__((aligned(16)));
static char text[64] = \"1\";
static void *list[64];
static int callback() { return 0; }
";

fn table() -> Vec<Function> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../c/src/models/table.txt");
    let text = std::fs::read_to_string(path).expect("the table is there");
    let mut headers: Vec<String> = vec![];
    let mut functions = vec![];
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        if line.starts_with('[') {
            headers = line.split('<').skip(1).filter_map(|part| Some(part.split_once('>')?.0.to_string())).collect();
            continue;
        }
        let mut words = line.split_whitespace().map(str::to_string);
        let (Some(name), Some(shape)) = (words.next(), words.next()) else { continue };
        let Some((_, letters)) = shape.trim_end_matches(')').split_once('(') else { continue };
        // Structures as arguments are no pointers, and have no value that fits all.
        if headers.is_empty() || letters.contains(['s', 'c']) {
            continue;
        }
        let name = name.trim_end_matches('*').to_string();
        functions.push(Function { name, headers: headers.clone(), letters: letters.bytes().collect(), words: words.collect() });
    }
    functions
}

fn is_pointer(letter: u8) -> bool {
    b"tToOFGDxXnalp".contains(&letter)
}

fn good(letter: u8) -> &'static str {
    match letter {
        b'f' => "1.5",
        b't' | b'T' => "text",
        b'F' | b'G' => "stdout",
        b'D' => "directory",
        b'x' | b'X' => "(void *)callback",
        b'o' | b'O' | b'n' | b'a' => "(void *)big",
        b'p' => "(void *)list",
        b'l' => "arguments",
        _ => "1",
    }
}

impl Function {
    /// Whether a fault of this argument is a violation of what the function demands, whatever else it does. What a
    /// model in C or a word of the line says is looked at where it always follows the pointer.
    fn is_violated_by(&self, number: usize, fault: Fault) -> bool {
        let letter = self.letters[number];
        let word = |key: &str| self.words.iter().any(|word| word.starts_with(&format!("{key}:{number}=")));
        let needed = match letter {
            b't' | b'o' | b'F' | b'D' => true,
            b'x' | b'n' => fault == Fault::Null,
            b'T' | b'O' | b'G' => fault != Fault::Null,
            b'p' => word("reads") || word("writes") && fault == Fault::Null,
            _ => false,
        };
        // A pointer that was never written is looked at by another property.
        needed && fault != Fault::None
    }

    /// A program with one call.
    fn program(&self, number: Option<usize>, fault: Fault) -> String {
        let mut text =
            String::from("#define _GNU_SOURCE\n#include <stdio.h>\n#include <stdlib.h>\n#include <stdarg.h>\n#include <dirent.h>\n");
        for header in &self.headers {
            text.push_str(&format!("#include <{header}>\n"));
        }
        text.push_str(PRELUDE);
        let letters = self.letters.iter().filter(|&&letter| letter != b'.');
        let mut arguments: Vec<String> = letters.map(|&letter| good(letter).to_string()).collect();
        let mut before = String::new();
        if self.letters.contains(&b'D') {
            before.push_str("  DIR *directory = opendir(\".\");\n  if (!directory) return;\n");
        }
        if let Some(number) = number {
            let letter = self.letters[number];
            before.push_str(match (fault, letter) {
                (Fault::Null, _) => "  void *bad = 0;\n",
                (Fault::Freed, b'F' | b'G') => "  FILE *bad = tmpfile();\n  if (!bad) return;\n  fclose(bad);\n",
                (Fault::Freed, b'D') => "  DIR *bad = opendir(\".\");\n  if (!bad) return;\n  closedir(bad);\n",
                (Fault::Freed, _) => "  char *bad = calloc(65536, 1);\n  free(bad);\n",
                (Fault::Short, b't' | b'T') => "  char memory[1] = {'a'};\n  char *bad = memory;\n",
                (Fault::Short, _) => "  void *bad = malloc(0);\n",
                (Fault::Uninitialised, _) => "  void *bad;\n",
                (Fault::None, _) => "",
            });
            arguments[number] = "(void *)bad".to_string();
        }
        let listed = self.letters.contains(&b'l');
        let (parameters, start) =
            if listed { ("int count, ...", "  va_list arguments;\n  va_start(arguments, count);\n") } else { ("void", "") };
        text.push_str(&format!("static void try({parameters}) {{\n{before}{start}  {}({});\n}}\n", self.name, arguments.join(", ")));
        text.push_str(&format!("int main(void) {{ try({}); return 0; }}\n", if listed { "1, 1" } else { "" }));
        text
    }
}

/// Whether gcc takes a program: what a machine's headers do not declare is not tried.
fn is_program(path: &Path) -> bool {
    let arguments = ["-w", "-fsyntax-only", "-Werror=implicit-function-declaration"];
    Command::new("gcc").args(arguments).arg(path).output().is_ok_and(|output| output.status.success())
}

fn answer(path: &Path, property: &str) -> String {
    let limits = ["--time-limit", "2s", "--memory-limit", "2GiB", "--threads", "1"];
    let output = Command::new(env!("CARGO_BIN_EXE_assay")).args(["verify", "-p", property]).args(limits).arg(path).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.lines().find_map(|line| line.strip_prefix("verdict: ")).unwrap_or("none").to_string()
}

#[test]
fn no_wrong_argument_is_called_safe() {
    if Command::new("gcc").arg("--version").output().is_err() {
        println!("skipped: there is no gcc");
        return;
    }
    let step = 1 + std::env::var("ASSAY_LIBRARY").ok().and_then(|skipped| skipped.parse().ok()).unwrap_or(70);
    let names = std::env::var("ASSAY_LIBRARY_NAMES").unwrap_or_default();
    let folder = std::env::temp_dir().join(format!("assay-library-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let (mut wrong, mut tried, mut decided, mut turn) = (vec![], 0, 0, 0);
    for function in table().iter().filter(|function| function.name.contains(&names)) {
        let pointers = (0..function.letters.len()).filter(|&number| is_pointer(function.letters[number]));
        let mut calls = if NEVER_GOOD.contains(&function.name.as_str()) { vec![] } else { vec![(None, Fault::None)] };
        calls.extend(pointers.flat_map(|number| FAULTS[1..].iter().map(move |&fault| (Some(number), fault))));
        for (number, fault) in calls {
            if number.is_some_and(|number| !function.is_violated_by(number, fault)) {
                continue;
            }
            turn += 1;
            if turn % step != 0 {
                continue;
            }
            let fault_name = ["good", "null", "freed", "short", "uninitialised"][FAULTS.iter().position(|&known| known == fault).unwrap()];
            let path = folder.join(format!("{}-{}-{fault_name}.c", function.name, number.map_or(0, |number| number + 1)));
            std::fs::write(&path, function.program(number, fault)).unwrap();
            if !is_program(&path) {
                continue;
            }
            tried += 1;
            let verdict = answer(&path, if fault == Fault::Uninitialised { "no-uninitialised-read" } else { "valid-deref" });
            decided += usize::from(!verdict.starts_with("unknown"));
            let bad = if fault == Fault::None { verdict.starts_with("false") } else { verdict.starts_with("true") };
            if bad || verdict == "none" {
                wrong.push(format!("{}: {verdict}", path.file_name().unwrap().to_string_lossy()));
            }
            let _ = std::fs::remove_file(&path);
        }
    }
    let _ = std::fs::remove_dir_all(&folder);
    println!("{tried} programs, {decided} decided");
    assert!(tried > 0 && wrong.is_empty(), "{} of {tried}: {wrong:#?}", wrong.len());
}
