//! Names for places in memory and for pointers, as people write them: `a[3]`, `&x`, `heap@12 + 8`.

use assay_cfa::{CType, Member, Program};
use assay_semantics::state::{FreshOrigin, Machine, ObjectId, ObjectName, Semantics, State, Value};
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

/// What a store wrote: the place and the value, if both are known.
pub(crate) fn stored(program: &Program, terms: &Terms, state: &State, address: Term, value: Term) -> Option<(String, String)> {
    let machine = Machine::new(program, terms);
    // Evaluation may change a state in symbolic mode; here it does not, but it asks for one that it may change.
    let mut state = state.clone();
    let Value::Pointer { object, offset } = machine.eval(&mut Reader, &mut state, address) else { return None };
    let written = machine.eval(&mut Reader, &mut state, value);
    let (place, ctype) = place(program, &state, object, offset)?;
    Some((place, describe(program, &state, written, &ctype)?))
}

/// A value as text; pointers by what they point to.
pub(crate) fn describe(program: &Program, state: &State, value: Value, ctype: &CType) -> Option<String> {
    match value {
        Value::Pointer { object, offset } => Some(format!("&{}", place(program, state, object, offset)?.0)),
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
pub(crate) fn place(program: &Program, state: &State, object: ObjectId, offset: u64) -> Option<(String, CType)> {
    match state.object(object)?.name {
        ObjectName::Variable(variable) => {
            let variable = &program.variables[variable];
            let name = if variable.source_name.is_empty() { &variable.name } else { &variable.source_name };
            Some(element(program, name.clone(), &variable.ctype, offset))
        }
        ObjectName::Site(edge) => {
            let name = format!("heap@{}", program.edges[edge].span.line);
            Some((if offset == 0 { name } else { format!("{name} + {offset}") }, CType::Void))
        }
        ObjectName::Function(function) => Some((program.functions[function].name.clone(), CType::Function)),
        ObjectName::Environment => Some((format!("memory of the environment + {offset:#x}"), CType::Void)),
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
