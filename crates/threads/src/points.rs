//! Where pointers may lead, in the code of all threads: a set of objects with offsets for each register and for each
//! cell of memory, whatever the order of steps (Andersen's analysis, with the copies of functions apart).

use super::code::{Code, StepId};
use assay_base::FastMap;
use assay_cfa::operation::Operation;
use assay_cfa::program::{FunctionId, Storage, VarId};
use assay_cfa::{CType, ThreadOperation, ValueSourceKind};
use assay_term::{Op, Term};
use std::collections::BTreeSet;

/// What a pointer may lead to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Object {
    Variable(VarId),
    /// What this step allocates.
    Heap(StepId),
    /// Numbers of threads that begin in this function.
    Thread(FunctionId),
    /// Any object of the program.
    Any,
}

/// An object, and the offset in it where that is known.
pub(super) type Pointer = (Object, Option<u64>);
pub(super) type Pointers = BTreeSet<Pointer>;

/// So many offsets of one object are told apart in a set.
const MOST_OFFSETS: usize = 12;
/// Larger sets become any object.
const MOST_POINTERS: usize = 160;
const MOST_ITERATIONS: usize = 60;

#[derive(Default)]
pub(super) struct Points {
    registers: FastMap<VarId, Pointers>,
    cells: FastMap<Object, FastMap<Option<u64>, Pointers>>,
    changed: bool,
}

impl Points {
    pub(super) fn of(code: &Code) -> Points {
        let mut points = Points::default();
        let builder = &code.builder;
        for (id, variable) in builder.variables.iter_ids().filter(|(_, variable)| !variable.initial.is_empty()) {
            for &(offset, value) in &variable.initial {
                let found = points.term(code, value);
                match variable.storage {
                    Storage::Register { .. } => points.add(id, found),
                    Storage::Memory { .. } => points.write(&BTreeSet::from([(Object::Variable(id), Some(offset))]), found),
                }
            }
        }
        let pointer = builder.pointer_width();
        for iteration in 0.. {
            points.changed = false;
            for (id, step) in code.steps.iter().enumerate() {
                match &step.operation {
                    Operation::Assign { target, value } => {
                        let found = points.term(code, *value);
                        points.add(*target, found);
                    }
                    Operation::Havoc { target, source } => {
                        let variable = &builder.variables[*target];
                        let kind = builder.value_sources[*source].kind;
                        let none = matches!(kind, ValueSourceKind::Uninitialised | ValueSourceKind::Payload);
                        if !none && variable.ctype == CType::Pointer && variable.register_width() == Some(pointer) {
                            points.add(*target, BTreeSet::from([(Object::Any, None)]));
                        }
                    }
                    Operation::Load { target, address } => {
                        let from = points.term(code, *address);
                        let found = points.read(&from);
                        points.add(*target, found);
                    }
                    Operation::Store { address, value } => {
                        let (to, found) = (points.term(code, *address), points.term(code, *value));
                        points.write(&to, found);
                    }
                    Operation::Copy { destination, source, .. } => {
                        let (to, from) = (points.term(code, *destination), points.term(code, *source));
                        let from: Pointers = from.into_iter().map(|(object, _)| (object, None)).collect();
                        let to: Pointers = to.into_iter().map(|(object, _)| (object, None)).collect();
                        let found = points.read(&from);
                        points.write(&to, found);
                    }
                    Operation::Allocate { target, .. } => points.add(*target, BTreeSet::from([(Object::Heap(id), Some(0))])),
                    Operation::Thread(ThreadOperation::Spawn { target, argument, .. }) => {
                        let functions = code.starts.get(&id).cloned().unwrap_or_default();
                        let found = points.term(code, *argument);
                        for function in functions {
                            points.add(*target, BTreeSet::from([(Object::Thread(function), Some(0))]));
                            for &thread in code.pool(function) {
                                if let Some(parameter) = code.threads[thread].parameter {
                                    points.add(parameter, found.clone());
                                }
                            }
                        }
                    }
                    Operation::Thread(ThreadOperation::Join { target, .. }) => {
                        points.add(*target, BTreeSet::from([(Object::Any, None)]));
                    }
                    _ => {}
                }
            }
            if !points.changed {
                break;
            }
            if iteration >= MOST_ITERATIONS {
                // Nothing is known.
                points.registers.values_mut().for_each(|set| *set = BTreeSet::from([(Object::Any, None)]));
                points.cells.values_mut().flat_map(|cells| cells.values_mut()).for_each(|set| *set = BTreeSet::from([(Object::Any, None)]));
                break;
            }
        }
        points
    }

    fn add(&mut self, variable: VarId, found: Pointers) {
        if found.is_empty() {
            return;
        }
        let set = self.registers.entry(variable).or_default();
        self.changed |= join(set, found);
    }

    fn write(&mut self, to: &Pointers, found: Pointers) {
        if found.is_empty() {
            return;
        }
        for &(object, offset) in to {
            let set = self.cells.entry(object).or_default().entry(offset).or_default();
            self.changed |= join(set, found.clone());
        }
    }

    fn read(&self, from: &Pointers) -> Pointers {
        let mut found = Pointers::new();
        for &(object, offset) in from {
            if object == Object::Any {
                found.insert((Object::Any, None));
            }
            let Some(cells) = self.cells.get(&object) else { continue };
            for (&at, set) in cells {
                let near = match (offset, at) {
                    (Some(a), Some(b)) => a.abs_diff(b) < 8,
                    _ => true,
                };
                if near {
                    found.extend(set.iter().copied());
                }
            }
        }
        if let Some(cells) = self.cells.get(&Object::Any) {
            cells.values().for_each(|set| found.extend(set.iter().copied()));
        }
        tidy(&mut found);
        found
    }

    /// Where the value of a term may lead.
    pub(super) fn term(&self, code: &Code, term: Term) -> Pointers {
        let terms = &code.builder.terms;
        let node = terms.node(term);
        let union = |parts: &[Term]| {
            let mut found = Pointers::new();
            parts.iter().for_each(|&part| found.extend(self.term(code, part)));
            found
        };
        let anywhere = |set: Pointers| -> Pointers { set.into_iter().map(|(object, _)| (object, None)).collect() };
        let mut found = match node.op {
            Op::Address => match code.variable_of(node.symbol()) {
                Some(variable) => BTreeSet::from([(Object::Variable(variable), Some(0))]),
                None => Pointers::new(),
            },
            Op::Symbol => code.variable_of(node.symbol()).and_then(|v| self.registers.get(&v)).cloned().unwrap_or_default(),
            Op::Add => {
                let (a, b) = (node.operand(0), node.operand(1));
                let moved = |of: Term, by: Term| match terms.as_constant(by) {
                    Some(by) if by.width() <= 64 => {
                        let negative = by.value() >> (by.width() - 1) & 1 == 1;
                        let shift = if negative { by.value() as i128 - (1i128 << by.width()) } else { by.value() as i128 };
                        self.term(code, of)
                            .into_iter()
                            .map(|(object, offset)| {
                                let offset = offset.and_then(|offset| u64::try_from(i128::from(offset) + shift).ok());
                                (object, offset)
                            })
                            .collect()
                    }
                    _ => anywhere(self.term(code, of)),
                };
                let mut found = moved(a, b);
                found.extend(moved(b, a));
                found
            }
            Op::Ite => union(&[node.operand(1), node.operand(2)]),
            Op::ZeroExtend | Op::SignExtend => union(&[node.operand(0)]),
            Op::Extract if node.low() == 0 => union(&[node.operand(0)]),
            Op::And | Op::Or | Op::Xor | Op::Concat => anywhere(union(&[node.operand(0), node.operand(1)])),
            _ => Pointers::new(),
        };
        tidy(&mut found);
        found
    }
}

fn join(set: &mut Pointers, found: Pointers) -> bool {
    let before = set.len();
    let old = set.clone();
    set.extend(found);
    if set.len() == before {
        return false;
    }
    tidy(set);
    *set != old
}

/// Keeps sets small: many offsets of an object become any offset, many objects any object.
fn tidy(set: &mut Pointers) {
    if set.contains(&(Object::Any, None)) && set.len() > 1 {
        // Numbers of threads are told apart from addresses all the same.
        let threads: Pointers = set.iter().copied().filter(|(object, _)| matches!(object, Object::Thread(_))).collect();
        *set = threads;
        set.insert((Object::Any, None));
        return;
    }
    let mut counts: FastMap<Object, usize> = FastMap::default();
    let mut whole: Vec<Object> = vec![];
    for &(object, offset) in set.iter() {
        *counts.entry(object).or_default() += 1;
        if offset.is_none() {
            whole.push(object);
        }
    }
    whole.extend(counts.iter().filter(|(_, count)| **count > MOST_OFFSETS).map(|(object, _)| *object));
    if !whole.is_empty() {
        set.retain(|(object, offset)| offset.is_none() || !whole.contains(object));
        set.extend(whole.into_iter().map(|object| (object, None)));
    }
    if set.len() > MOST_POINTERS {
        *set = BTreeSet::from([(Object::Any, None)]);
    }
}
