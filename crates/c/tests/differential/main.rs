//! The front end against gcc: the content of global objects must be the same bytes in both, for both data models.
//!
//! Sizes, alignments, offsets, types of expressions and values of constants are written into globals by generated
//! programs; gcc's bytes are read from its object file, ours from the automaton. `ASSAY_DIFFERENTIAL` sets how many
//! programs of each kind are made (3 by default). Where there is no gcc for a data model, the comparison is skipped and
//! says so.

mod constants;
mod layouts;
mod object;
mod random;
mod types;

use assay_c::{Options, compile_text};
use assay_cfa::{DataModel, Storage};
use object::{Image, gcc_images};
use random::Random;
use std::fmt::Write;

/// A program that only defines objects, and what to say about each of them if the compilers differ.
#[derive(Default)]
pub struct Globals {
    text: String,
    objects: Vec<(String, String)>,
}

impl Globals {
    /// Text that defines no object to be compared.
    pub fn line(&mut self, text: &str) {
        self.text.push_str(text);
        self.text.push('\n');
    }

    /// Defines an object; `declaration` has a `$` where the name goes.
    pub fn object(&mut self, declaration: &str) {
        let name = format!("object_{}", self.objects.len());
        self.line(&declaration.replace('$', &name));
        self.objects.push((name, declaration.to_string()));
    }

    /// The program, with a function that uses every object so that none is dropped.
    fn finish(&self) -> String {
        let mut text = format!("{}void *volatile sink;\nint main(void) {{\n", self.text);
        for (name, _) in &self.objects {
            let _ = writeln!(text, "  sink = (void *)&{name};");
        }
        text + "  return 0;\n}\n"
    }
}

/// The content of the globals as the automaton has it.
fn our_images(text: &str, model: DataModel) -> Result<Vec<Image>, String> {
    let options = Options::new(model);
    let program = compile_text("differential.c", text, &options).map_err(|error| error.to_string())?;
    let terms = assay_term::Terms::overlay(program.terms.clone());
    let mut images = Vec::new();
    for variable in program.variables.iter().filter(|v| v.source_name.starts_with("object_")) {
        let Storage::Memory { size: Some(size), .. } = variable.storage else {
            return Err(format!("{} is not in memory", variable.name));
        };
        let mut bytes = vec![0u8; size as usize];
        for &(offset, value) in &variable.initial {
            let constant = terms.as_constant(value).ok_or_else(|| format!("{} is not constant", variable.name))?;
            let width = constant.width() as usize / 8;
            for (index, byte) in constant.value().to_le_bytes().iter().take(width).enumerate() {
                bytes[offset as usize + index] = *byte;
            }
        }
        images.push(Image { name: variable.source_name.clone(), bytes });
    }
    Ok(images)
}

/// Compares one program in one data model; the number of objects compared.
fn compare(what: &str, globals: &Globals, model: DataModel) -> usize {
    let text = globals.finish();
    let theirs = match gcc_images(&text, model) {
        Ok(images) => images,
        Err(object::Failure::NoCompiler) => {
            let required = std::env::var("ASSAY_REQUIRE").is_ok_and(|tools| tools.split(',').any(|tool| tool == "cc32"));
            assert!(!required, "ASSAY_REQUIRE asks for a compiler of {}, and there is none", model.name());
            println!("skipped: {what} for {}: there is no gcc that compiles for it", model.name());
            return 0;
        }
        Err(object::Failure::Refused(message)) => panic!("{what}: gcc refuses the generated program: {message}\n{text}"),
    };
    let ours = our_images(&text, model).unwrap_or_else(|error| panic!("{what}, {}: {error}\n{text}", model.name()));
    let mut different = String::new();
    for (name, declaration) in &globals.objects {
        let find = |images: &[Image]| images.iter().find(|image| &image.name == name).map(|image| image.bytes.clone());
        let (ours, theirs) = (find(&ours), find(&theirs));
        if ours != theirs {
            let _ = writeln!(different, "{declaration}\n  ours {ours:x?}\n  gcc  {theirs:x?}");
        }
    }
    if !different.is_empty() {
        let folder = std::env::temp_dir().join(format!("assay-differential-{}.c", std::process::id()));
        let _ = std::fs::write(&folder, &text);
        panic!("{what}, {}, program in {}:\n{different}", model.name(), folder.display());
    }
    globals.objects.len()
}

/// How many programs of each kind are made.
fn rounds() -> u64 {
    std::env::var("ASSAY_DIFFERENTIAL").ok().and_then(|n| n.parse().ok()).unwrap_or(3)
}

/// Makes and compares programs of one kind.
fn check(what: &str, generate: fn(&mut Random, DataModel, &mut Globals)) {
    let mut compared = 0;
    for round in 0..rounds() {
        for model in [DataModel::Ilp32, DataModel::Lp64] {
            let mut globals = Globals::default();
            generate(&mut Random::new(round + 1), model, &mut globals);
            compared += compare(&format!("{what}, round {round}"), &globals, model);
        }
    }
    println!("{what}: {compared} objects compared");
}

#[test]
fn layouts_agree() {
    check("layouts", layouts::layouts);
}

#[test]
fn types_of_expressions_agree() {
    check("types of expressions", types::expressions);
}

#[test]
fn types_of_literals_agree() {
    check("types of literals", types::literals);
}

#[test]
fn integer_constants_agree() {
    check("integer constants", constants::integers);
}

#[test]
fn float_constants_agree() {
    check("float constants", constants::floats);
}
