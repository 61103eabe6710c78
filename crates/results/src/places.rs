//! Names for places in memory and for pointers, as people write them: `a[3]`, `&x`, `node#2->next`, `heap@12[3]`.

use assay_base::FastMap;
use assay_cfa::{CType, EdgeId, Member, Operation, Program, Role, Zone};
use assay_semantics::state::{Executor, FreshOrigin, Object, ObjectId, ObjectName, Semantics, State, Value};
use assay_term::{Bits, Term, Terms};

/// Evaluates terms in a concrete state without choosing anything.
pub(crate) struct Reader;

impl Semantics for Reader {
    fn symbolic(&self) -> bool {
        false
    }
    fn fresh(&mut self, _: &Terms, _: &mut State, _: u32, _: FreshOrigin) -> Value {
        Value::Unknown
    }
}

/// The names of what a run has allocated, by birth: structures are counted by their name, other objects are called
/// after their line.
#[derive(Default)]
pub(crate) struct HeapNames {
    names: FastMap<u32, String>,
    counts: FastMap<String, u32>,
}

impl HeapNames {
    /// Looks at a step after it was taken.
    pub(crate) fn watch(&mut self, program: &Program, state: &State, edge: EdgeId) {
        let Operation::Allocate { target, .. } = program.edges[edge].operation else { return };
        let Some(birth) = state.get(program, target).object().and_then(|object| state.object(object)).map(|object| object.birth) else {
            return;
        };
        if let Operation::Allocate { zone: Zone::Given, .. } = program.edges[edge].operation {
            self.names.insert(birth, program.variables[target].source_name.clone());
            return;
        }
        let record = match allocated(program, edge) {
            Some(CType::Record { name, .. }) => {
                name.split(' ').next_back().filter(|name| name.starts_with(|c: char| c.is_alphabetic() || c == '_'))
            }
            _ => None,
        };
        let kind = match program.edges[edge].operation {
            Operation::Allocate { zone: Zone::Library, .. } => "library",
            _ => "heap",
        };
        let line = format!("{kind}@{}", program.edges[edge].span.line);
        let stem = record.map_or_else(|| line, str::to_string);
        let count = self.counts.entry(stem.clone()).or_default();
        *count += 1;
        let name = if record.is_none() && *count == 1 { stem } else { format!("{stem}#{count}") };
        self.names.insert(birth, name);
    }

    /// What an object is called.
    pub(crate) fn name(&self, birth: u32) -> &str {
        self.names.get(&birth).map_or("", String::as_str)
    }
}

/// The type of the elements of what an edge allocates, where the program says so.
fn allocated(program: &Program, edge: EdgeId) -> Option<&CType> {
    let Operation::Allocate { target, .. } = program.edges[edge].operation else { return None };
    match &program.variables[target].ctype {
        CType::Array { element, .. } if program.variables[target].register_width().is_some() => Some(element),
        _ => None,
    }
}

/// What a store wrote: the place and the value, if both are known.
pub(crate) fn stored(
    program: &Program,
    names: &HeapNames,
    terms: &Terms,
    state: &State,
    address: Term,
    value: Term,
) -> Option<(String, String)> {
    let machine = Executor::new(program, terms);
    // Evaluation may change a state in symbolic mode; here it does not, but it asks for one that it may change.
    let mut state = state.clone();
    let Value::Pointer { object, offset } = machine.eval(&mut Reader, &mut state, address) else { return None };
    let written = machine.eval(&mut Reader, &mut state, value);
    let (place, ctype) = place(program, names, &state, object, offset)?;
    Some((place, describe(program, names, &state, written, &ctype)?))
}

/// A value as text; pointers by what they point to, and a text that they lead to.
pub(crate) fn describe(program: &Program, names: &HeapNames, state: &State, value: Value, ctype: &CType) -> Option<String> {
    match value {
        Value::Pointer { object, offset } => {
            let found = state.object(object)?;
            let (name, ctype) = place(program, names, state, object, offset)?;
            let text = matches!(ctype, CType::Integer { name: "char", .. }).then(|| text_at(found, offset)).flatten();
            let literal = matches!(found.name, ObjectName::Variable(v) if program.variables[v].role == Role::StringLiteral);
            Some(match (text, found.name, offset) {
                (Some(text), ..) if literal => text,
                (Some(text), ..) => format!("&{name} ({text})"),
                (None, ObjectName::Site(_), 0) => format!("&{}", names.names.get(&found.birth).unwrap_or(&name)),
                _ => format!("&{name}"),
            })
        }
        _ => {
            let bits: Bits = value.as_bits()?;
            let fits = match ctype {
                CType::Integer { width, .. } | CType::Float { width } => *width == bits.width(),
                CType::Bool => bits.width() == 8,
                CType::Pointer => bits.width() == program.model.pointer_width(),
                _ => false,
            };
            let other = CType::Integer { width: bits.width(), signed: true, name: "int" };
            Some(crate::value::describe(if fits { ctype } else { &other }, bits))
        }
    }
}

/// The name of a byte of an object, and the type of the element that begins there.
pub(crate) fn place(program: &Program, names: &HeapNames, state: &State, object: ObjectId, offset: u64) -> Option<(String, CType)> {
    let found = state.object(object)?;
    match found.name {
        ObjectName::Variable(variable) => {
            let variable = &program.variables[variable];
            let name = match variable.role {
                Role::StringLiteral => text_at(found, 0).unwrap_or_else(|| "a string literal".to_string()),
                _ if variable.source_name.is_empty() => variable.name.clone(),
                _ => variable.source_name.clone(),
            };
            Some(element(program, name, &variable.ctype, offset))
        }
        ObjectName::Site(edge) => {
            let name = names.names.get(&found.birth).cloned().unwrap_or_else(|| format!("heap@{}", program.edges[edge].span.line));
            let Some(ctype) = allocated(program, edge) else {
                return Some((if offset == 0 { name } else { format!("{name} + {offset}") }, CType::Void));
            };
            let whole = found.size.as_bits().map(|bits| bits.value() as u64);
            let inside = whole.is_some_and(|whole| offset < whole);
            if matches!(ctype, CType::Record { .. }) && inside && whole == size(program, ctype) {
                let (member, ctype) = element(program, String::new(), ctype, offset);
                return Some((format!("{name}{}", member.replacen('.', "->", 1)), ctype));
            }
            let array = CType::Array { element: Box::new(ctype.clone()), length: None };
            Some(element(program, name, &array, offset))
        }
        ObjectName::Function(function) => Some((program.functions[function].name.clone(), CType::Function)),
        ObjectName::Environment => Some((format!("memory of the environment + {offset:#x}"), CType::Void)),
    }
}

/// The name of what an access of so many bytes is to: a whole structure is no member of it.
pub(crate) fn accessed(program: &Program, names: &HeapNames, state: &State, object: ObjectId, offset: u64, bytes: u128) -> String {
    let Some((name, ctype)) = place(program, names, state, object, offset) else { return String::new() };
    match state.object(object).map(|found| found.name) {
        Some(ObjectName::Variable(variable)) if offset == 0 && size(program, &ctype).is_some_and(|size| u128::from(size) < bytes) => {
            let variable = &program.variables[variable];
            if variable.source_name.is_empty() { name } else { variable.source_name.clone() }
        }
        _ => name,
    }
}

/// Walks into arrays and structures; what is inside a union is named by its offset.
fn element(program: &Program, mut name: String, ctype: &CType, mut offset: u64) -> (String, CType) {
    let mut current = ctype;
    // Before the start of its object a place has a negative number.
    let width = program.model.pointer_width();
    let signed = (offset << (64 - width)) as i64 >> (64 - width);
    if signed < 0 {
        return match current {
            CType::Array { element, .. } if size(program, element).is_some_and(|size| size > 0 && signed % size as i64 == 0) => {
                let index = signed / size(program, element).map_or(1, |size| size as i64);
                (format!("{name}[{index}]"), (**element).clone())
            }
            _ => (format!("{name} - {}", signed.unsigned_abs()), CType::Void),
        };
    }
    loop {
        match current {
            CType::Array { element, .. } => {
                let Some(size) = size(program, element).filter(|&size| size > 0) else { break };
                name.push_str(&format!("[{}]", offset / size));
                offset %= size;
                current = element;
            }
            CType::Record { members, .. } => {
                let inside = |member: &&Member| {
                    member.offset <= offset && size(program, &member.ctype).is_some_and(|size| offset - member.offset < size)
                };
                // Behind the end of a structure counts as behind the end of its last member.
                let behind = members.last().filter(|last| last.offset <= offset && matches!(last.ctype, CType::Array { .. }));
                let Some(member) = members.iter().rev().find(inside).or(behind) else { break };
                name.push_str(&format!(".{}", member.name));
                offset -= member.offset;
                current = &member.ctype;
            }
            _ => break,
        }
    }
    if offset == 0 { (name, current.clone()) } else { (format!("{name} + {offset}"), CType::Void) }
}

/// The text that begins at a byte, in quotes, if one does that can be read.
fn text_at(object: &Object, offset: u64) -> Option<String> {
    const LONGEST: u64 = 40;
    let mut text = String::from("\"");
    // What lies before the beginning has an offset near the end of the address space.
    for at in offset..offset.checked_add(LONGEST)? {
        let byte = match object.overlapping(at, at + 1).first() {
            Some(cell) => (cell.value.as_bits()?.value() >> (8 * (at - cell.offset))) as u8,
            None if object.zero && object.size.as_bits().is_some_and(|size| u128::from(at) < size.value()) => 0,
            None => return None,
        };
        match byte {
            0 => {
                text.push('"');
                return Some(text);
            }
            b'\n' => text.push_str("\\n"),
            b'\t' => text.push_str("\\t"),
            b'"' | b'\\' => text.extend(['\\', byte as char]),
            32..127 => text.push(byte as char),
            _ => return None,
        }
    }
    text.push_str("…\"");
    Some(text)
}

fn size(program: &Program, ctype: &CType) -> Option<u64> {
    Some(match ctype {
        CType::Bool => 1,
        CType::Integer { width, .. } => u64::from(*width) / 8,
        CType::Float { width: 80 } if program.model.pointer_width() == 64 => 16,
        CType::Float { width: 80 } => 12,
        CType::Float { width } => u64::from(*width) / 8,
        CType::Pointer => u64::from(program.model.pointer_width()) / 8,
        CType::Array { element, length } => size(program, element)? * (*length)?,
        CType::Record { size, .. } => *size,
        CType::Void | CType::Function => return None,
    })
}
