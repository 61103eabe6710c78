//! Prints programs.

use super::token::{name, quote};
use super::{CHECK_KINDS, CLASSES, SOURCE_KINDS, SYNTAX, ZONES, name_of};
use crate::operation::{MemoryCondition, Operation};
use crate::program::{Edge, EdgeId, FunctionId, LocationId, Origin, Program, Role, Storage, VarId};
use crate::types::CType;
use assay_base::{Fact, IdVec, Span};
use assay_term::{Term, Terms};
use std::fmt::Write;

/// The whole program as text.
pub fn print(program: &Program) -> String {
    let terms = Terms::overlay(program.terms.clone());
    let mut out = String::new();
    header(program, &mut out);
    for &global in &program.globals {
        out.push_str("global ");
        variable(program, &terms, global, &mut out);
    }
    let mut edges: IdVec<FunctionId, Vec<EdgeId>> = IdVec::filled(vec![], program.functions.len());
    for (id, edge) in program.edges.iter_ids() {
        edges[program.locations[edge.source].function].push(id);
    }
    let mut locations: IdVec<FunctionId, Vec<LocationId>> = IdVec::filled(vec![], program.functions.len());
    for (id, location) in program.locations.iter_ids() {
        locations[location.function].push(id);
    }
    for (id, function) in program.functions.iter_ids() {
        let _ = write!(out, "function {} entry {} exit {}", name(&function.name), function.entry, function.exit);
        known_span(" ", function.span, &mut out);
        out.push('\n');
        for &local in &function.locals {
            out.push_str("  local ");
            variable(program, &terms, local, &mut out);
        }
        for &place in &locations[id] {
            let location = &program.locations[place];
            if let Some(target) = location.target {
                let _ = writeln!(out, "  target {place} {}", target.name());
            } else if location.incoming.is_empty() && location.outgoing.is_empty() && place != function.entry && place != function.exit {
                let _ = writeln!(out, "  location {place}");
            }
        }
        for &edge_id in &edges[id] {
            edge(program, &terms, edge_id, &program.edges[edge_id], &mut out);
        }
        out.push_str("end\n");
    }
    out
}

/// One operation as text. `terms` is the program's store or an overlay of it.
pub fn print_operation(program: &Program, terms: &Terms, operation: &Operation) -> String {
    let mut out = String::new();
    Operations { program, terms, out: &mut out }.operation(operation);
    out
}

fn header(program: &Program, out: &mut String) {
    let _ = writeln!(out, "program {} {}", program.model.name(), name(&program.functions[program.entry].name));
    let targets: Vec<_> = program.targets().map(|(_, target)| target).collect();
    let mut others = program.questions.iter().filter(|question| !targets.contains(question)).peekable();
    if others.peek().is_some() {
        out.push_str("questions");
        others.for_each(|question| out.push_str(&format!(" {}", question.name())));
        out.push('\n');
    }
    for file in program.sources.files.iter() {
        let _ = writeln!(out, "file {}", quote(&file.name, '"'));
    }
    let mut syntax = program.syntax;
    let counts: Vec<(&str, u32)> = SYNTAX.iter().map(|(name, field)| (*name, *field(&mut syntax))).filter(|(_, n)| *n > 0).collect();
    if !counts.is_empty() {
        out.push_str("syntax");
        counts.iter().for_each(|(name, count)| out.push_str(&format!(" {name} {count}")));
        out.push('\n');
    }
    for line in &program.assumptions {
        let fact = match &line.fact {
            Fact::NoBody { function, effect } => format!("{} {}", quote(function, '"'), quote(effect, '"')),
            Fact::Sentence(text) => quote(text, '"'),
        };
        let _ = writeln!(out, "assumption {} {} {fact}", name_of(&CLASSES, line.class), span(line.span));
    }
    for (id, source) in program.value_sources.iter_ids() {
        let _ = writeln!(out, "source {id} {} {} {}", name_of(&SOURCE_KINDS, source.kind), quote(&source.name, '"'), span(source.span));
    }
}

fn span(span: Span) -> String {
    format!("{}:{}:{}", span.file.0, span.line, span.column)
}

fn known_span(before: &str, place: Span, out: &mut String) {
    if place != Span::NONE {
        out.push_str(before);
        out.push_str(&span(place));
    }
}

fn variable(program: &Program, terms: &Terms, id: VarId, out: &mut String) {
    let variable = &program.variables[id];
    out.push_str(&name(&variable.name));
    let _ = match variable.storage {
        Storage::Register { width } => write!(out, " (register {width}) "),
        Storage::Memory { size, align, constant } => {
            let size = size.map_or("?".to_string(), |s| s.to_string());
            let (constant, exposed) = (if constant { " constant" } else { "" }, if variable.exposed { " exposed" } else { "" });
            write!(out, " (memory {size} {align}{constant}{exposed}) ")
        }
    };
    ctype(&variable.ctype, out);
    let _ = match variable.role {
        Role::Source => write!(out, " source"),
        Role::Parameter(index) => write!(out, " (parameter {index})"),
        Role::Result => write!(out, " result"),
        Role::Temporary => write!(out, " temporary"),
        Role::StringLiteral => write!(out, " literal"),
    };
    let _ = write!(out, " {}", quote(&variable.source_name, '"'));
    known_span(" ", variable.span, out);
    if !variable.initial.is_empty() {
        out.push_str(" (init");
        for &(offset, value) in &variable.initial {
            let _ = write!(out, " ({offset} {})", terms.display(value));
        }
        out.push(')');
    }
    out.push('\n');
}

fn ctype(ctype: &CType, out: &mut String) {
    // Nesting is that of a C declaration, arrays in arrays.
    let mut closing = 0;
    let mut rest = Some(ctype);
    let mut lengths = vec![];
    while let Some(CType::Array { element, length }) = rest {
        out.push_str("(array ");
        closing += 1;
        lengths.push(*length);
        rest = Some(element);
    }
    let _ = match rest {
        None | Some(CType::Void | CType::Array { .. }) => write!(out, "void"),
        Some(CType::Bool) => write!(out, "bool"),
        Some(CType::Integer { width, signed, name }) => {
            write!(out, "(int {width} {} {})", if *signed { "signed" } else { "unsigned" }, quote(name, '"'))
        }
        Some(CType::Float { width }) => write!(out, "(float {width})"),
        Some(CType::Pointer) => write!(out, "pointer"),
        Some(CType::Record { name, size, members }) => {
            let _ = write!(out, "(record {} {size}", quote(name, '"'));
            for member in members.iter() {
                let _ = write!(out, " ({} {} ", quote(&member.name, '"'), member.offset);
                self::ctype(&member.ctype, out);
                out.push(')');
            }
            write!(out, ")")
        }
        Some(CType::Function) => write!(out, "function"),
    };
    for _ in 0..closing {
        let _ = match lengths.pop().flatten() {
            Some(length) => write!(out, " {length})"),
            None => write!(out, " ?)"),
        };
    }
}

fn edge(program: &Program, terms: &Terms, id: EdgeId, edge: &Edge, out: &mut String) {
    let _ = write!(out, "  {id}: {} -> {} ", edge.source, edge.target);
    Operations { program, terms, out }.operation(&edge.operation);
    known_span(" @", edge.span, out);
    let _ = match edge.origin {
        Origin::Internal => Ok(()),
        Origin::Statement => write!(out, " statement"),
        Origin::Branch { taken, keyword, looping } => {
            let (taken, looping) = (if taken { "taken" } else { "not-taken" }, if looping { " loop" } else { "" });
            write!(out, " (branch {taken} {}{looping})", span(keyword))
        }
        Origin::Case { keyword } => write!(out, " (case {})", span(keyword)),
        Origin::Call { close } => write!(out, " (call {})", span(close)),
        Origin::Operation { sign, left, right } => {
            write!(out, " (operation {} {} {})", sign.name(), terms.display(left), terms.display(right))
        }
        Origin::Use { value } => write!(out, " (use {})", terms.display(value)),
    };
    out.push('\n');
}

struct Operations<'a> {
    program: &'a Program,
    terms: &'a Terms,
    out: &'a mut String,
}

impl Operations<'_> {
    fn terms(&mut self, terms: &[Term]) {
        for &value in terms {
            let _ = write!(self.out, " {}", self.terms.display(value));
        }
    }
    fn word(&mut self, word: &str) {
        if !self.out.is_empty() && !self.out.ends_with(' ') {
            self.out.push(' ');
        }
        self.out.push_str(word);
    }
    fn variable(&mut self, id: VarId) {
        let text = name(&self.program.variables[id].name).into_owned();
        self.word(&text);
    }

    fn operation(&mut self, operation: &Operation) {
        match operation {
            Operation::Skip => self.word("skip"),
            Operation::Assume { condition } => {
                self.word("assume");
                self.terms(&[*condition]);
            }
            Operation::Assign { target, value } => {
                self.word("assign");
                self.variable(*target);
                self.terms(&[*value]);
            }
            Operation::Havoc { target, source } => {
                self.word("havoc");
                self.variable(*target);
                self.word(&source.to_string());
            }
            Operation::Load { target, address } => {
                self.word("load");
                self.variable(*target);
                self.terms(&[*address]);
            }
            Operation::Store { address, value } => {
                self.word("store");
                self.terms(&[*address, *value]);
            }
            Operation::Copy { destination, source, size } => {
                self.word("copy");
                self.terms(&[*destination, *source, *size]);
            }
            Operation::Fill { destination, byte, size } => {
                self.word("fill");
                self.terms(&[*destination, *byte, *size]);
            }
            Operation::HavocMemory { address, size, source } => {
                self.word("havoc-memory");
                self.terms(&[*address, *size]);
                self.word(&source.to_string());
            }
            Operation::Allocate { target, size, zone, zeroed } => {
                self.word("allocate");
                self.variable(*target);
                self.terms(&[*size]);
                self.word(name_of(&ZONES, *zone));
                if *zeroed {
                    self.word("zeroed");
                }
            }
            Operation::Free { address } => {
                self.word("free");
                self.terms(&[*address]);
            }
            Operation::Declare { object, size } => {
                self.word("declare");
                self.variable(*object);
                if let Some(size) = size {
                    self.word("size");
                    self.terms(&[*size]);
                }
            }
            Operation::EndLife { object } => {
                self.word("end-life");
                self.variable(*object);
            }
            Operation::Call { callee, arguments, result } => {
                self.word("call");
                let callee = name(&self.program.functions[*callee].name).into_owned();
                self.word(&callee);
                self.terms(arguments);
                if let Some(result) = result {
                    self.word("result");
                    self.variable(*result);
                }
            }
            Operation::Check { kind, fails } => {
                self.word("check");
                self.word(name_of(&CHECK_KINDS, *kind));
                self.terms(&[*fails]);
            }
            Operation::AssumeMemory { condition, holds } => {
                self.word("assume-memory");
                self.word(if *holds { "holds" } else { "fails" });
                match condition {
                    MemoryCondition::Accessible { address, size, write } => {
                        self.word(if *write { "writable" } else { "accessible" });
                        self.terms(&[*address, *size]);
                    }
                    MemoryCondition::Initialised { address, size } => {
                        self.word("initialised");
                        self.terms(&[*address, *size]);
                    }
                    MemoryCondition::Freeable { address } => {
                        self.word("freeable");
                        self.terms(&[*address]);
                    }
                    MemoryCondition::AllReachable => self.word("all-reachable"),
                    MemoryCondition::NothingAllocated => self.word("nothing-allocated"),
                }
            }
            Operation::Thread(operation) => {
                self.word(operation.word());
                operation.written_register().into_iter().for_each(|target| self.variable(target));
                self.terms(&operation.terms());
            }
            Operation::Unsupported { what } => {
                self.word("unsupported");
                self.word(&quote(what, '"'));
            }
        }
    }
}
