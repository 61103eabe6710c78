//! From the automaton to code.

use super::arena::{Arena, BASE, function_address, room};
use super::code::{ABSOLUTE, Code, Label, NOWHERE, Operand};
use assay_base::{FastMap, FastSet, Id, IdVec};
use assay_cfa::operation::{CheckKind, MemoryCondition, Operation, ValueSourceKind};
use assay_cfa::program::{EdgeId, Function, FunctionId, LocationId, Program, Scope, Storage, VarId};
use assay_term::eval::evaluate;
use assay_term::{Bits, FloatFormat, Node, Op, Round, Term, Terms};

/// Globals that need more than this are not for this machine.
const MAX_GLOBALS: usize = 1 << 24;
/// Terms that are larger as trees are not compiled.
const MAX_TREE: u16 = 8000;

/// What a call needs to know of a function.
#[derive(Clone, Debug)]
pub(super) struct Shape {
    pub(super) entry: Label,
    pub(super) locals: u32,
    /// With the words for intermediate results.
    pub(super) words: u32,
    /// Of its memory objects.
    pub(super) bytes: u32,
    pub(super) parameters: Vec<Operand>,
    pub(super) result: Option<Operand>,
}

/// A compiled program.
pub struct Image<'p> {
    pub(super) program: &'p Program,
    pub(super) terms: Terms,
    pub(super) code: Vec<Code>,
    pub(super) functions: IdVec<FunctionId, Shape>,
    pub(super) arguments: Vec<Operand>,
    /// Global registers first, then constants.
    pub(super) absolute: Vec<u64>,
    pub(super) globals: usize,
    pub(super) arena: Arena,
    /// Global memory objects by slot.
    addresses: FastMap<VarId, u64>,
}

impl<'p> Image<'p> {
    /// Compiles a program; `None` where it does not fit.
    pub fn new(program: &'p Program) -> Option<Image<'p>> {
        let mut addresses = FastMap::default();
        let mut top = 16;
        for &global in &program.globals {
            if let Storage::Memory { size, .. } = program.variables[global].storage {
                addresses.insert(global, BASE + top as u64);
                top += room(size.unwrap_or(0).min(MAX_GLOBALS as u64));
                if top > MAX_GLOBALS {
                    return None;
                }
            }
        }
        let mut image = Image {
            program,
            terms: Terms::overlay(program.terms.clone()),
            code: Vec::new(),
            functions: IdVec::default(),
            arguments: Vec::new(),
            absolute: vec![0; program.globals.len()],
            globals: program.globals.len(),
            arena: Arena::new(top),
            addresses,
        };
        image.initialise();
        let mut compiler = Compiler { image, constants: FastMap::default(), labels: FastMap::default(), patches: Vec::new() };
        for function in program.functions.iter() {
            let shape = compiler.function(function);
            compiler.image.functions.push(shape);
        }
        compiler.finish();
        Some(compiler.image)
    }

    /// The constants that the program compares with, by width: good guesses for inputs.
    pub fn compared_constants(&self) -> Vec<(u32, u64)> {
        let mut found: FastSet<(u32, u64)> = FastSet::default();
        for edge in self.program.edges.iter() {
            self.terms.post_order(edge.operation.terms(), |_, node| {
                if matches!(node.op, Op::Eq | Op::UnsignedLess | Op::SignedLess) || node.op.is_float() {
                    let operands = (0..node.op.arity()).filter_map(|i| self.terms.as_constant(node.operand(i)));
                    found.extend(operands.filter(|bits| bits.width() <= 64).map(|bits| (bits.width(), bits.value() as u64)));
                }
            });
        }
        let mut found: Vec<(u32, u64)> = found.into_iter().collect();
        found.sort_unstable();
        found
    }

    fn initialise(&mut self) {
        for (slot, &global) in self.program.globals.iter().enumerate() {
            let variable = &self.program.variables[global];
            let values: Vec<(u64, Option<Bits>)> = variable.initial.iter().map(|&(at, term)| (at, self.constant(term))).collect();
            match variable.storage {
                Storage::Register { .. } => {
                    if let Some((_, Some(bits))) = values.first() {
                        self.absolute[slot] = bits.value() as u64;
                    }
                }
                Storage::Memory { size, constant, .. } => {
                    let at = (self.addresses[&global] - BASE) as usize;
                    let size = size.unwrap_or(0);
                    self.arena.place_global(at, size, constant);
                    for (offset, bits) in values {
                        let Some(bits) = bits else { continue };
                        let bytes = (bits.width() as usize / 8).min(16);
                        if offset + bytes as u64 <= size {
                            self.arena.initialise(at + offset as usize, &bits.value().to_le_bytes()[..bytes]);
                        }
                    }
                }
            }
        }
    }

    /// The value of an initialiser.
    fn constant(&self, term: Term) -> Option<Bits> {
        let pointer = self.program.model.pointer_width();
        evaluate(&self.terms, term, &mut |node: &Node| {
            (node.op == Op::Address).then(|| self.address(node))?.map(|a| Bits::new(pointer, a.into()))
        })
    }

    /// The address of a global object or a function.
    fn address(&self, node: &Node) -> Option<u64> {
        match self.program.variable_of(node.symbol()) {
            Some(variable) => self.addresses.get(&variable).copied(),
            None => self.program.function_of(node.symbol()).map(|function| function_address(function.index())),
        }
    }

    /// The register of a variable, or the address of a global object.
    pub(super) fn operand_of(&self, variable: VarId) -> Option<Operand> {
        let info = &self.program.variables[variable];
        match (info.scope, info.storage) {
            (Scope::Local(_), _) => Some(info.slot),
            (Scope::Global, Storage::Register { .. }) => Some(info.slot | ABSOLUTE),
            (Scope::Global, Storage::Memory { .. }) => None,
        }
    }
}

struct Compiler<'p> {
    image: Image<'p>,
    constants: FastMap<u64, Operand>,
    labels: FastMap<LocationId, Label>,
    /// Instructions whose label is that of a location.
    patches: Vec<(usize, LocationId)>,
}

/// Code of one function while it is made.
struct Frame {
    /// Where intermediate results of one operation go.
    first: u32,
    next: u32,
    most: u32,
    memo: FastMap<Term, Operand>,
    /// Memory objects with fixed places: offset and size.
    places: FastMap<VarId, (u32, u32)>,
    bytes: u32,
}

impl Frame {
    fn fresh(&mut self) -> Operand {
        let operand = self.next;
        self.next += 1;
        self.most = self.most.max(self.next);
        operand
    }
    fn begin(&mut self) {
        self.next = self.first;
        self.memo.clear();
    }
}

/// What an operation needs is not there.
struct TooWide;

impl<'p> Compiler<'p> {
    fn function(&mut self, function: &Function) -> Shape {
        let locals = function.locals.len() as u32;
        let mut frame = Frame { first: locals, next: locals, most: locals, memo: FastMap::default(), places: FastMap::default(), bytes: 0 };
        for &local in &function.locals {
            if let Storage::Memory { size: Some(size), .. } = self.image.program.variables[local].storage
                && size < 1 << 22
            {
                frame.places.insert(local, (frame.bytes, size as u32));
                frame.bytes = frame.bytes.saturating_add(room(size) as u32);
            }
        }
        let entry = self.image.code.len() as Label;
        let mut work = vec![function.entry];
        while let Some(location) = work.pop() {
            self.chain(&mut frame, location, &mut work, function);
        }
        Shape {
            entry,
            locals,
            words: frame.most,
            bytes: frame.bytes,
            parameters: function.parameters.iter().map(|&p| self.image.program.variables[p].slot).collect(),
            result: function.result.map(|r| self.image.program.variables[r].slot),
        }
    }

    fn emit(&mut self, code: Code) {
        self.image.code.push(code);
    }

    fn here(&self) -> Label {
        self.image.code.len() as Label
    }

    /// The code of a location and of what follows it without a choice.
    fn chain(&mut self, frame: &mut Frame, mut location: LocationId, work: &mut Vec<LocationId>, function: &Function) {
        let program: &'p Program = self.image.program;
        loop {
            if self.labels.contains_key(&location) {
                self.jump(location);
                return;
            }
            self.labels.insert(location, self.here());
            let here = &program.locations[location];
            if here.target.is_some() {
                return self.emit(Code::Target { location });
            }
            if location == function.exit {
                return self.emit(Code::Return);
            }
            let is_assume =
                |edge: EdgeId| matches!(program.edges[edge].operation, Operation::Assume { .. } | Operation::AssumeMemory { .. });
            match here.outgoing[..] {
                [] => return self.emit(Code::Halt),
                [edge] if !is_assume(edge) => {
                    self.operation(frame, edge);
                    location = program.edges[edge].target;
                }
                _ => {
                    location = match self.branch(frame, &here.outgoing, work) {
                        Some(next) => next,
                        None => return,
                    }
                }
            }
        }
    }

    fn jump(&mut self, location: LocationId) {
        self.patches.push((self.image.code.len(), location));
        self.emit(Code::Jump { to: 0 });
    }

    /// The paths from a location; gives the location that comes next in the code.
    fn branch(&mut self, frame: &mut Frame, edges: &[EdgeId], work: &mut Vec<LocationId>) -> Option<LocationId> {
        let program: &'p Program = self.image.program;
        for (index, &edge) in edges.iter().enumerate() {
            frame.begin();
            let info = &program.edges[edge];
            let mut open = Vec::new();
            let last = index + 1 == edges.len();
            let otherwise = last && index > 0 && self.is_negation(edges[index - 1], edge);
            match &info.operation {
                _ if otherwise => {}
                Operation::Assume { condition } => {
                    if self.condition(frame, *condition, false, &mut open).is_err() {
                        self.emit(Code::Unsupported);
                        return None;
                    }
                }
                Operation::AssumeMemory { condition, holds } => {
                    if self.memory_condition(frame, condition, !*holds, &mut open).is_err() {
                        self.emit(Code::Unsupported);
                        return None;
                    }
                }
                _ => self.operation(frame, edge),
            }
            if edges.len() > 1 {
                self.emit(Code::Cover { edge });
            }
            if last && open.is_empty() {
                return Some(info.target);
            }
            if !self.labels.contains_key(&info.target) {
                work.push(info.target);
            }
            self.jump(info.target);
            self.close(open);
        }
        self.emit(Code::Halt);
        None
    }

    /// Whether the second edge is taken where the first is not.
    fn is_negation(&self, first: EdgeId, second: EdgeId) -> bool {
        let edges = &self.image.program.edges;
        match (&edges[first].operation, &edges[second].operation) {
            (Operation::Assume { condition: a }, Operation::Assume { condition: b }) => self.image.terms.not(*a) == *b,
            (Operation::AssumeMemory { condition: a, holds: x }, Operation::AssumeMemory { condition: b, holds: y }) => a == b && x != y,
            _ => false,
        }
    }

    /// Jumps that were left open lead here.
    fn close(&mut self, open: Vec<usize>) {
        let here = self.here();
        for at in open {
            self.set_label(at, here);
        }
    }

    fn set_label(&mut self, at: usize, label: Label) {
        match &mut self.image.code[at] {
            Code::Jump { to }
            | Code::JumpIf { to, .. }
            | Code::JumpEq { to, .. }
            | Code::JumpLess { to, .. }
            | Code::JumpSignedLess { to, .. }
            | Code::JumpAccessible { to, .. }
            | Code::JumpFreeable { to, .. }
            | Code::JumpNothingAllocated { to, .. } => *to = label,
            _ => {}
        }
    }

    fn finish(&mut self) {
        for (at, location) in std::mem::take(&mut self.patches) {
            let label = self.labels[&location];
            self.set_label(at, label);
        }
    }

    /// Jumps, to be closed later, where the condition is `sense`; falls through elsewhere.
    fn condition(&mut self, frame: &mut Frame, term: Term, sense: bool, open: &mut Vec<usize>) -> Result<(), TooWide> {
        let node = self.image.terms.node(term);
        if node.tree_size() > MAX_TREE {
            return Err(TooWide);
        }
        let operand_width = if node.op.arity() > 0 { self.image.terms.width(node.operand(0)) } else { 0 };
        match node.op {
            Op::Const => {
                if (node.constant() & 1 == 1) == sense {
                    open.push(self.image.code.len());
                    self.emit(Code::Jump { to: 0 });
                }
            }
            Op::Not => self.condition(frame, node.operand(0), !sense, open)?,
            Op::And | Op::Or => {
                let decides = node.op == Op::Or;
                if decides == sense {
                    self.condition(frame, node.operand(0), sense, open)?;
                    frame.memo.clear();
                    self.condition(frame, node.operand(1), sense, open)?;
                } else {
                    let mut past = Vec::new();
                    self.condition(frame, node.operand(0), decides, &mut past)?;
                    frame.memo.clear();
                    self.condition(frame, node.operand(1), sense, open)?;
                    self.close(past);
                }
                frame.memo.clear();
            }
            Op::Eq | Op::UnsignedLess | Op::SignedLess if operand_width <= 64 => {
                let width = operand_width as u8;
                let a = self.value(frame, node.operand(0))?;
                let b = self.value(frame, node.operand(1))?;
                open.push(self.image.code.len());
                self.emit(match node.op {
                    Op::Eq => Code::JumpEq { a, b, is: sense, to: 0 },
                    Op::UnsignedLess => Code::JumpLess { a, b, is: sense, to: 0 },
                    _ => Code::JumpSignedLess { a, b, is: sense, width, to: 0 },
                });
            }
            _ => {
                let condition = self.value(frame, term)?;
                open.push(self.image.code.len());
                self.emit(Code::JumpIf { condition, is: sense, to: 0 });
            }
        }
        Ok(())
    }

    fn memory_condition(
        &mut self,
        frame: &mut Frame,
        condition: &MemoryCondition,
        sense: bool,
        open: &mut Vec<usize>,
    ) -> Result<(), TooWide> {
        let code = match condition {
            MemoryCondition::Accessible { address, size, write } => {
                let address = self.value(frame, *address)?;
                let size = self.value(frame, *size)?;
                Code::JumpAccessible { address, size, write: *write, is: sense, to: 0 }
            }
            MemoryCondition::Freeable { address } => {
                let address = self.value(frame, *address)?;
                Code::JumpFreeable { address, is: sense, to: 0 }
            }
            MemoryCondition::NothingAllocated => Code::JumpNothingAllocated { is: sense, to: 0 },
            // Looking at all of memory is left to others: everything counts as reachable, and as written.
            MemoryCondition::AllReachable | MemoryCondition::Initialised { .. } if sense => Code::Jump { to: 0 },
            MemoryCondition::AllReachable | MemoryCondition::Initialised { .. } => return Ok(()),
        };
        open.push(self.image.code.len());
        self.emit(code);
        Ok(())
    }

    fn operation(&mut self, frame: &mut Frame, edge: EdgeId) {
        frame.begin();
        let before = self.image.code.len();
        if self.try_operation(frame, edge).is_err() {
            self.image.code.truncate(before);
            self.emit(Code::Unsupported);
        }
    }

    fn register(&self, variable: VarId) -> Result<Operand, TooWide> {
        let width = self.image.program.variables[variable].register_width().unwrap_or(64);
        self.image.operand_of(variable).filter(|_| width <= 64).ok_or(TooWide)
    }

    fn try_operation(&mut self, frame: &mut Frame, edge: EdgeId) -> Result<(), TooWide> {
        let program: &'p Program = self.image.program;
        match &program.edges[edge].operation {
            Operation::Skip | Operation::Assume { .. } | Operation::AssumeMemory { .. } => {}
            Operation::Assign { target, value } => {
                let to = self.register(*target)?;
                let from = self.value(frame, *value)?;
                // The last instruction may write where the value is wanted.
                self.emit(Code::Move { to, from });
            }
            Operation::Havoc { target, source } => {
                let to = self.register(*target)?;
                let width = program.variables[*target].register_width().unwrap_or(1) as u8;
                match program.value_sources[*source].kind {
                    ValueSourceKind::Input | ValueSourceKind::External | ValueSourceKind::System | ValueSourceKind::Argument => {
                        self.emit(Code::Input { to, source: *source, width });
                    }
                    _ => {
                        let from = self.number(0);
                        self.emit(Code::Move { to, from });
                    }
                }
            }
            Operation::Load { target, address } => {
                let to = self.register(*target)?;
                let width = program.variables[*target].register_width().unwrap_or(8);
                let address = self.value(frame, *address)?;
                self.emit(Code::Load { to, address, bytes: (width / 8) as u8 });
            }
            Operation::Store { address, value } => {
                let bytes = self.image.terms.width(*value) / 8;
                let address = self.value(frame, *address)?;
                let value = self.value(frame, *value)?;
                self.emit(Code::Store { address, value, bytes: bytes as u8 });
            }
            Operation::Copy { destination, source, size } => {
                let destination = self.value(frame, *destination)?;
                let source = self.value(frame, *source)?;
                let size = self.value(frame, *size)?;
                self.emit(Code::Copy { destination, source, size });
            }
            Operation::Fill { destination, byte, size } => {
                let destination = self.value(frame, *destination)?;
                let byte = self.value(frame, *byte)?;
                let size = self.value(frame, *size)?;
                self.emit(Code::Fill { destination, byte, size });
            }
            Operation::HavocMemory { source, .. } if program.value_sources[*source].kind == ValueSourceKind::Unwritten => {}
            Operation::HavocMemory { address, size, .. } => {
                let destination = self.value(frame, *address)?;
                let size = self.value(frame, *size)?;
                let byte = self.number(0);
                self.emit(Code::Fill { destination, byte, size });
            }
            Operation::Allocate { target, size, zone, .. } => {
                let to = self.register(*target)?;
                let size = self.value(frame, *size)?;
                self.emit(Code::Allocate { to, size, zone: *zone });
            }
            Operation::Free { address } => {
                let address = self.value(frame, *address)?;
                self.emit(Code::Free { address });
            }
            Operation::Declare { object, size: None } => {
                let to = self.register(*object)?;
                let &(at, size) = frame.places.get(object).ok_or(TooWide)?;
                self.emit(Code::Begin { to, at, size });
            }
            Operation::Declare { object, size: Some(size) } => {
                let to = self.register(*object)?;
                let size = self.value(frame, *size)?;
                self.emit(Code::BeginSized { to, size });
            }
            Operation::EndLife { object } => {
                // Objects without a fixed place live until their frame ends.
                if let Some(&(_, size)) = frame.places.get(object) {
                    let object = self.register(*object)?;
                    self.emit(Code::End { object, size });
                }
            }
            Operation::Call { callee, arguments, result } => {
                let values: Vec<Operand> = arguments.iter().map(|&a| self.value(frame, a)).collect::<Result<_, _>>()?;
                let first = self.image.arguments.len() as u32;
                self.image.arguments.extend(values);
                let count = self.image.arguments.len() as u32 - first;
                let result = result.map_or(Ok(NOWHERE), |r| self.register(r))?;
                self.emit(Code::Call { callee: *callee, first, count, result });
            }
            Operation::Check { kind: CheckKind::SignedOverflow, .. } => {}
            Operation::Check { kind, .. } if kind.goes_on() => {}
            Operation::Check { fails, .. } => {
                let mut open = Vec::new();
                self.condition(frame, *fails, false, &mut open)?;
                self.emit(Code::Undefined);
                self.close(open);
            }
            Operation::Thread(_) | Operation::Unsupported { .. } => self.emit(Code::Unsupported),
        }
        Ok(())
    }

    fn number(&mut self, value: u64) -> Operand {
        let absolute = &mut self.image.absolute;
        *self.constants.entry(value).or_insert_with(|| {
            absolute.push(value);
            (absolute.len() - 1) as u32 | ABSOLUTE
        })
    }

    /// The operand with the value of a term.
    fn value(&mut self, frame: &mut Frame, term: Term) -> Result<Operand, TooWide> {
        if let Some(&operand) = frame.memo.get(&term) {
            return Ok(operand);
        }
        let node = self.image.terms.node(term);
        if node.width() > 64 || !node.sort.is_vector() || node.tree_size() > MAX_TREE {
            return Err(TooWide);
        }
        let operand = match node.op {
            Op::Const => return Ok(self.number(node.constant() as u64)),
            Op::Symbol => {
                let variable = self.image.program.variable_of(node.symbol()).ok_or(TooWide)?;
                return self.register(variable);
            }
            Op::Address => {
                if let Some(variable) = self.image.program.variable_of(node.symbol())
                    && let Scope::Local(_) = self.image.program.variables[variable].scope
                {
                    return self.register(variable);
                }
                let address = self.image.address(&node).ok_or(TooWide)?;
                return Ok(self.number(address));
            }
            _ => self.combine(frame, term, &node)?,
        };
        frame.memo.insert(term, operand);
        Ok(operand)
    }

    fn combine(&mut self, frame: &mut Frame, term: Term, node: &Node) -> Result<Operand, TooWide> {
        let (operands, arity) = node.operands();
        let mut widths = [0; 3];
        for (width, &operand) in widths.iter_mut().zip(&operands[..arity]) {
            *width = self.image.terms.width(operand);
        }
        let wide = (0..arity).any(|i| widths[i] > 64 || !self.image.terms.sort(operands[i]).is_vector());
        let float = |w: u32| matches!(FloatFormat::of_width(w), Some(FloatFormat::Single | FloatFormat::Double));
        let native = match node.op {
            Op::FRoundToIntegral => float(widths[0]),
            Op::FConvert => float(widths[0]) && float(node.width()) && node.round == Round::NearestEven,
            Op::FFromSigned | Op::FFromUnsigned => float(node.width()) && node.round == Round::NearestEven,
            Op::FToSigned | Op::FToUnsigned => float(widths[0]) && node.round == Round::TowardZero,
            op if op.is_float() => float(widths[0]) && node.round == Round::NearestEven,
            Op::Apply => return Err(TooWide),
            _ => true,
        };
        if wide || !native {
            let to = frame.fresh();
            self.emit(Code::Slow { to, term });
            return Ok(to);
        }
        let mut values = [0; 3];
        for i in 0..arity {
            values[i] = self.value(frame, operands[i])?;
        }
        let [a, b, c] = values;
        if node.op == Op::ZeroExtend {
            return Ok(a);
        }
        let to = frame.fresh();
        let width = node.width() as u8;
        let of = match node.op {
            Op::Extract => node.low() as u8,
            Op::Concat => widths[1] as u8,
            _ => widths[0] as u8,
        };
        self.emit(match arity {
            1 => Code::Unary { op: node.op, round: node.round, of, width, to, a },
            2 => Code::Binary { op: node.op, of, width, to, a, b },
            _ if node.op == Op::Ite => Code::Choose { to, condition: a, then: b, otherwise: c },
            _ => return Err(TooWide),
        });
        Ok(to)
    }
}
