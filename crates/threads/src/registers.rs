//! Puts variables into registers whose bytes are only ever read and written by name, cell by cell: where threads can
//! share them, the front end keeps all in memory.

use super::code::{Code, StepId};
use assay_base::{FastMap, FastSet, Id};
use assay_cfa::CType;
use assay_cfa::operation::{Operation, ValueSource, ValueSourceKind};
use assay_cfa::program::{Origin, Role, Scope, Storage, VarId};
use assay_term::{Op, Term};
use std::collections::BTreeMap;

/// Larger objects stay in memory.
const LARGEST: u64 = 256;
/// Objects of more cells stay in memory.
const MOST_CELLS: usize = 24;

/// The cells of a variable: offset to width in bits.
type Cells = BTreeMap<u64, u32>;

pub(super) fn promote(code: &mut Code) {
    let mut cells: FastMap<VarId, Cells> = FastMap::default();
    let mut other: FastSet<VarId> = FastSet::default();
    for step in &code.steps {
        let value = |term: Term, other: &mut FastSet<VarId>| {
            code.builder.terms.post_order([term], |_, node| {
                if node.op == Op::Address {
                    other.extend(code.variable_of(node.symbol()));
                }
            });
        };
        let access = match step.operation {
            Operation::Load { target, address } => code.builder.variables[target].register_width().map(|width| (address, width)),
            Operation::Store { address, value: stored } => {
                value(stored, &mut other);
                Some((address, code.builder.terms.width(stored)))
            }
            _ => None,
        };
        match access {
            Some((address, width)) => match named(code, address) {
                Some((variable, offset)) => {
                    let cell = cells.entry(variable).or_default().entry(offset).or_insert(width);
                    if *cell != width {
                        other.insert(variable);
                    }
                }
                None => value(address, &mut other),
            },
            None => step.operation.terms().into_iter().for_each(|term| value(term, &mut other)),
        }
    }
    for variable in code.builder.variables.iter() {
        for &(_, initial) in &variable.initial {
            code.builder.terms.post_order([initial], |_, node| {
                if node.op == Op::Address {
                    other.extend(code.variable_of(node.symbol()));
                }
            });
        }
    }
    let mut chosen: Vec<(VarId, Cells)> =
        cells.into_iter().filter(|(variable, cells)| !other.contains(variable) && fits(code, *variable, cells)).collect();
    chosen.sort_unstable_by_key(|(variable, _)| variable.index());
    let mut registers: FastMap<(VarId, u64), VarId> = FastMap::default();
    let mut of: FastMap<VarId, Vec<VarId>> = FastMap::default();
    for (variable, cells) in chosen {
        let info = code.builder.variables[variable].clone();
        let scope = if info.is_global() { Scope::Global } else { Scope::Local(code.entry) };
        for (&offset, &width) in &cells {
            let ctype = match &info.ctype {
                CType::Array { .. } | CType::Record { .. } => CType::Integer { width, signed: false, name: "unsigned int" },
                ctype => ctype.clone(),
            };
            let name = if offset == 0 { info.source_name.clone() } else { format!("{}+{offset}", info.source_name) };
            let role = if name.is_empty() { Role::Temporary } else { Role::Source };
            let register = code.builder.variable(&name, scope, role, Storage::Register { width }, ctype, info.span);
            let initial = info.initial.iter().find(|&&(at, _)| at == offset).map(|&(_, value)| (0, value));
            code.builder.variables[register].initial = initial.into_iter().collect();
            registers.insert((variable, offset), register);
            of.entry(variable).or_default().push(register);
        }
        of.entry(variable).or_default();
    }
    for id in 0..code.steps.len() {
        let operation = match code.steps[id].operation {
            Operation::Load { target, address } => named(code, address)
                .and_then(|place| registers.get(&place))
                .map(|&register| Operation::Assign { target, value: code.builder.read(register) }),
            Operation::Store { address, value } => {
                named(code, address).and_then(|place| registers.get(&place)).map(|&target| Operation::Assign { target, value })
            }
            Operation::EndLife { object } if of.contains_key(&object) => Some(Operation::Skip),
            Operation::Declare { object, .. } if of.contains_key(&object) => {
                declare(code, id, &of[&object]);
                None
            }
            _ => None,
        };
        if let Some(operation) = operation {
            code.steps[id].operation = operation;
        }
        let mentioned = match code.steps[id].origin {
            Origin::Operation { left, right, .. } => vec![left, right],
            Origin::Use { value } => vec![value],
            _ => vec![],
        };
        let mut gone = false;
        code.builder.terms.post_order(mentioned, |_, node| {
            gone |= node.op == Op::Address && code.variable_of(node.symbol()).is_some_and(|variable| of.contains_key(&variable));
        });
        if gone {
            code.steps[id].origin = Origin::Internal;
        }
    }
}

/// The cells take any value where the life of the variable begins.
fn declare(code: &mut Code, id: StepId, registers: &[VarId]) {
    let span = code.steps[id].span;
    code.steps[id].operation = Operation::Skip;
    let mut last = id;
    for (index, &target) in registers.iter().enumerate() {
        let name = code.builder.variables[target].source_name.clone();
        let source = code.builder.value_source(ValueSource { kind: ValueSourceKind::Uninitialised, name, span });
        let operation = Operation::Havoc { target, source };
        if index == 0 {
            code.steps[id].operation = operation;
            continue;
        }
        let end = code.steps[last].target;
        let middle = code.detach(last);
        last = code.step(middle, end, operation, span, Origin::Internal);
    }
}

/// Reads an address as a variable's plus a constant.
fn named(code: &Code, address: Term) -> Option<(VarId, u64)> {
    let terms = &code.builder.terms;
    let node = terms.node(address);
    let variable = |term: Term| {
        let node = terms.node(term);
        (node.op == Op::Address).then(|| code.variable_of(node.symbol())).flatten()
    };
    match node.op {
        Op::Address => Some((variable(address)?, 0)),
        Op::Add => {
            let (a, b) = (node.operand(0), node.operand(1));
            let (base, offset) = if terms.as_constant(a).is_some() { (b, a) } else { (a, b) };
            Some((variable(base)?, u64::try_from(terms.as_constant(offset)?.value()).ok()?))
        }
        _ => None,
    }
}

/// Whether the cells lie side by side in the variable, and its initial values in them.
fn fits(code: &Code, variable: VarId, cells: &Cells) -> bool {
    let info = &code.builder.variables[variable];
    let Storage::Memory { size: Some(size), constant: false, .. } = info.storage else { return false };
    if info.exposed || size > LARGEST || cells.len() > MOST_CELLS {
        return false;
    }
    let mut end = 0;
    for (&offset, &width) in cells {
        if offset < end || !width.is_multiple_of(8) {
            return false;
        }
        end = offset + u64::from(width / 8);
    }
    let in_cell = |&(offset, value): &(u64, Term)| {
        let width = code.builder.terms.width(value);
        let clear = |(&at, &bits): (&u64, &u32)| offset + u64::from(width / 8) <= at || at + u64::from(bits / 8) <= offset;
        cells.get(&offset) == Some(&width) || cells.iter().all(clear)
    };
    end <= size && info.initial.iter().all(in_cell)
}
