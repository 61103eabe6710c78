//! The use-def cone of a contradiction: which registers, and whether memory, can matter at each position of a path. It
//! is syntactic, found in one pass backwards, and lets interpolation drop most of a large state without a test.

use crate::path::Path;
use assay_base::{FastMap, FastSet, Id};
use assay_cfa::{FunctionId, Operation, Program, Scope, VarId};
use assay_cpa::Step;
use assay_term::{Op, Term, Terms};
use std::sync::Arc;

/// Which assumptions along the path count as uses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Uses {
    /// Those about a register that matters: enough where states hold values of registers only.
    Connected,
    /// All: where two registers may hold the same unknown, an assumption about one constrains the other.
    Everything,
}

/// For each register, the positions where it matters.
#[derive(Clone, Debug)]
pub struct Cone {
    /// In falling order: from the position downwards (to the next entry) the register matters, or not.
    changes: FastMap<VarId, Vec<(u32, bool)>>,
    /// Memory matters at all positions up to this one, which is past the end if it does everywhere.
    memory_until: Option<u32>,
}

impl Cone {
    /// The cone of the contradiction that the path's last step is.
    pub fn of(path: &Path<'_>, reads: &mut Reads, uses: Uses) -> Cone {
        let recursive = recursive_functions(path);
        let mut builder = Builder {
            program: path.program,
            reads,
            recursive,
            live: FastSet::default(),
            cone: Cone { changes: FastMap::default(), memory_until: None },
            position: 0,
        };
        for index in (0..path.len()).rev() {
            builder.position = index as u32;
            let last = index + 1 == path.len();
            let Some(operation) = path.operation(index) else { continue };
            match path.step(index) {
                Step::Return(_) => builder.leave(operation),
                _ => builder.operation(operation, last || uses == Uses::Everything, last),
            }
        }
        builder.cone
    }

    /// The registers that can matter anywhere on the path.
    pub fn registers(&self) -> impl Iterator<Item = VarId> + '_ {
        self.changes.keys().copied()
    }

    /// Whether the register can matter at the position.
    #[inline]
    pub fn register(&self, register: VarId, position: usize) -> bool {
        let Some(changes) = self.changes.get(&register) else { return false };
        let later = changes.partition_point(|&(at, _)| at as usize >= position);
        later > 0 && changes[later - 1].1
    }

    /// Whether memory can matter at the position.
    #[inline]
    pub fn memory(&self, position: usize) -> bool {
        self.memory_until.is_some_and(|until| position <= until as usize)
    }
}

/// The registers that terms read, remembered from refinement to refinement.
pub struct Reads {
    terms: Terms,
    variables: usize,
    memo: FastMap<Term, Arc<[VarId]>>,
}

impl Reads {
    /// Nothing is computed before it is asked for.
    pub fn new(program: &Program) -> Self {
        Reads { terms: Terms::overlay(program.terms.clone()), variables: program.variables.len(), memo: FastMap::default() }
    }

    /// The registers in a term of the program, each once.
    pub fn of(&mut self, term: Term) -> Arc<[VarId]> {
        let (terms, variables) = (&self.terms, self.variables);
        self.memo
            .entry(term)
            .or_insert_with(|| {
                let mut found = Vec::new();
                terms.post_order([term], |_, node| {
                    if node.op == Op::Symbol && node.symbol().index() < variables {
                        found.push(VarId(node.symbol().0));
                    }
                });
                found.into()
            })
            .clone()
    }

    /// What a step reads and writes.
    pub fn touched(&mut self, path: &Path<'_>, index: usize) -> Touched {
        let Some(operation) = path.operation(index) else { return Touched::default() };
        let mut touched = Touched::default();
        let mut registers = Vec::new();
        match operation {
            Operation::Call { callee, arguments, result } => {
                let function = &path.program.functions[*callee];
                // Frames come and go here, and with them objects.
                touched.memory = true;
                if path.movement(index).is_return() {
                    registers.extend(result.iter().chain(&function.result));
                } else {
                    registers.extend(&function.parameters);
                    arguments.iter().for_each(|&term| registers.extend(self.of(term).iter()));
                }
            }
            operation => {
                operation.terms().into_iter().for_each(|term| registers.extend(self.of(term).iter()));
                registers.extend(operation.written_register());
                touched.cells = !matches!(
                    operation,
                    Operation::Assume { .. } | Operation::Assign { .. } | Operation::Havoc { .. } | Operation::Check { .. }
                );
                touched.memory = touched.cells;
            }
        }
        registers.sort_unstable();
        registers.dedup();
        touched.registers = registers.into();
        touched
    }
}

/// The registers that a step reads or writes, each once, and its dealings with memory.
#[derive(Clone, Debug, Default)]
pub struct Touched {
    /// In order.
    pub registers: Box<[VarId]>,
    /// It reads, writes, makes or ends objects.
    pub memory: bool,
    /// It may read or write cells.
    pub cells: bool,
}

struct Builder<'a> {
    program: &'a Program,
    reads: &'a mut Reads,
    /// Functions of which several frames are open at once: their registers are not told apart, so they never stop to
    /// matter.
    recursive: FastSet<FunctionId>,
    live: FastSet<VarId>,
    cone: Cone,
    position: u32,
}

impl Builder<'_> {
    fn change(&mut self, register: VarId, live: bool) {
        let changes = self.cone.changes.entry(register).or_default();
        match changes.last_mut() {
            // A step that kills and uses a register changes nothing for it.
            Some(last) if last.0 == self.position => {
                changes.pop();
                if changes.last().is_none_or(|&(_, before)| before != live) {
                    changes.push((self.position, live));
                }
            }
            _ => changes.push((self.position, live)),
        }
    }

    fn use_register(&mut self, register: VarId) {
        if self.live.insert(register) {
            self.change(register, true);
        }
    }

    fn use_term(&mut self, term: Term) {
        for &register in self.reads.of(term).iter() {
            self.use_register(register);
        }
    }

    fn use_memory(&mut self) {
        let position = self.position;
        self.cone.memory_until.get_or_insert(position);
    }

    fn memory(&self) -> bool {
        self.cone.memory_until.is_some()
    }

    /// The register is written: what it held before does not matter. `true` if what it holds after does.
    fn kill(&mut self, register: VarId) -> bool {
        let matters = self.live.contains(&register);
        let kept = match self.program.variables[register].scope {
            Scope::Local(function) => self.recursive.contains(&function),
            Scope::Global => false,
        };
        if matters && !kept {
            self.live.remove(&register);
            self.change(register, false);
        }
        matters
    }

    /// `used`: a test here counts, whatever it is about. `last`: the contradiction itself, all of which counts.
    fn operation(&mut self, operation: &Operation, used: bool, last: bool) {
        match operation {
            Operation::Skip | Operation::Check { .. } | Operation::Thread(_) | Operation::Unsupported { .. } => {}
            Operation::Assume { condition } => {
                let registers = self.reads.of(*condition);
                if used || registers.iter().any(|register| self.live.contains(register)) {
                    registers.iter().for_each(|&register| self.use_register(register));
                }
            }
            Operation::Assign { target, value } => {
                if self.kill(*target) {
                    self.use_term(*value);
                }
            }
            Operation::Havoc { target, .. } => {
                self.kill(*target);
            }
            Operation::Load { target, address } => {
                if self.kill(*target) {
                    self.use_term(*address);
                    self.use_memory();
                }
            }
            Operation::Allocate { target, size, .. } => {
                if self.kill(*target) || self.memory() {
                    self.use_term(*size);
                    self.use_memory();
                }
            }
            Operation::Call { callee, arguments, .. } => self.enter(*callee, arguments),
            Operation::AssumeMemory { .. } => {
                if used || self.memory() {
                    operation.terms().into_iter().for_each(|term| self.use_term(term));
                    self.use_memory();
                }
            }
            Operation::Store { .. }
            | Operation::Copy { .. }
            | Operation::Fill { .. }
            | Operation::HavocMemory { .. }
            | Operation::Free { .. }
            | Operation::Declare { .. }
            | Operation::EndLife { .. } => {
                if self.memory() || last {
                    operation.terms().into_iter().for_each(|term| self.use_term(term));
                    self.use_memory();
                }
            }
        }
    }

    /// Backwards over a call: parameters take arguments, all else of the new frame is unset.
    fn enter(&mut self, callee: FunctionId, arguments: &[Term]) {
        let function = &self.program.functions[callee];
        let used: Vec<bool> = function.parameters.iter().map(|&parameter| self.live.contains(&parameter)).collect();
        for &local in &function.locals {
            self.kill(local);
        }
        for (used, &argument) in used.into_iter().zip(arguments) {
            if used {
                self.use_term(argument);
            }
        }
    }

    /// Backwards over a return: the call's result takes the callee's.
    fn leave(&mut self, operation: &Operation) {
        if let Operation::Call { callee, result: Some(result), .. } = operation
            && self.kill(*result)
            && let Some(value) = self.program.functions[*callee].result
        {
            self.use_register(value);
        }
    }
}

/// The functions that are entered while a frame of theirs is open.
fn recursive_functions(path: &Path<'_>) -> FastSet<FunctionId> {
    let program = path.program;
    let mut open: FastMap<FunctionId, u32> = FastMap::default();
    let mut recursive = FastSet::default();
    if !path.is_empty() {
        open.insert(program.locations[path.head(0).location].function, 1);
    }
    for index in 0..path.len() {
        let movement = path.movement(index);
        if let Operation::Call { callee, .. } = movement.edge.operation {
            let count = open.entry(callee).or_default();
            if movement.is_return() {
                *count = count.saturating_sub(1);
            } else {
                *count += 1;
                if *count > 1 {
                    recursive.insert(callee);
                }
            }
        }
    }
    recursive
}
