//! Small random programs: branches, loops, calls (with recursion, where asked for), inputs and one memory object.

use assay_base::Span;
use assay_cfa::{
    Builder, CType, DataModel, FunctionId, LocationId, Operation, Origin, Program, Role, Scope, Storage, ValueSource, ValueSourceKind,
    VarId,
};
use assay_term::random::Random;
use assay_term::{Op, Term};

/// What the programs may contain.
#[derive(Clone, Copy)]
pub(crate) struct Style {
    pub widths: &'static [u32],
    /// Arithmetic; otherwise only copies, constants, logic and equality.
    pub arithmetic: bool,
    pub recursion: bool,
}

pub(crate) fn random_program(seed: u64, style: Style) -> Program {
    let mut maker = Maker { builder: Builder::new(DataModel::Ilp32), random: Random::new(seed), style, memory: VarId(0), visible: vec![] };
    let widths: Vec<u32> = (0..3).map(|_| maker.random.pick(style.widths)).collect();
    let globals: Vec<VarId> = widths.iter().map(|&width| maker.register("g", Scope::Global, Role::Source, width)).collect();
    let storage = Storage::Memory { size: Some(4), align: 4, constant: false };
    maker.memory = maker.builder.variable("m", Scope::Global, Role::Source, storage, CType::Void, Span::NONE);
    let callee = maker.function("f", &globals, None);
    let main = maker.function("main", &globals, Some(callee));
    maker.builder.finish(main)
}

struct Maker {
    builder: Builder,
    random: Random,
    style: Style,
    memory: VarId,
    /// The registers that the function at hand can use.
    visible: Vec<VarId>,
}

impl Maker {
    fn register(&mut self, name: &str, scope: Scope, role: Role, width: u32) -> VarId {
        self.builder.variable(name, scope, role, Storage::Register { width }, CType::Void, Span::NONE)
    }

    fn width(&self, variable: VarId) -> u32 {
        self.builder.variables[variable].register_width().unwrap_or(1)
    }

    fn edge(&mut self, from: LocationId, to: LocationId, operation: Operation) {
        self.builder.edge(from, to, operation, Span::NONE, Origin::Internal);
    }

    fn function(&mut self, name: &str, globals: &[VarId], callee: Option<FunctionId>) -> FunctionId {
        let id = self.builder.function(name, Span::NONE);
        let scope = Scope::Local(id);
        let mut width = || self.random.pick(self.style.widths);
        let widths = [width(), width(), width(), width(), width()];
        let mut locals = vec![];
        if callee.is_none() {
            locals.extend((0..2).map(|i| self.register("p", scope, Role::Parameter(i), widths[i as usize])));
            locals.push(self.register("", scope, Role::Result, widths[2]));
        }
        locals.extend((3..5).map(|i| self.register("x", scope, Role::Source, widths[i])));
        self.visible = globals.iter().chain(&locals).copied().collect();
        let mut at = self.builder.functions[id].entry;
        // Every local but the parameters gets a value first: a path that depends on none cannot be run.
        for local in locals {
            if !matches!(self.builder.variables[local].role, Role::Parameter(_)) {
                at = self.havoc(id, at, local);
            }
        }
        let target = if self.style.recursion { callee.or(Some(id)) } else { callee };
        let size = 8;
        let end = self.block(id, at, size, 3, target);
        let exit = self.builder.functions[id].exit;
        self.edge(end, exit, Operation::Skip);
        id
    }

    fn havoc(&mut self, function: FunctionId, at: LocationId, target: VarId) -> LocationId {
        let next = self.builder.location(function);
        let source = self.builder.value_source(ValueSource { kind: ValueSourceKind::Input, name: String::from("input"), span: Span::NONE });
        self.edge(at, next, Operation::Havoc { target, source });
        next
    }

    fn block(&mut self, f: FunctionId, start: LocationId, size: usize, depth: u32, callee: Option<FunctionId>) -> LocationId {
        let mut at = start;
        for _ in 0..1 + self.random.below(size) {
            at = self.statement(f, at, size / 2, depth, callee);
        }
        at
    }

    fn statement(&mut self, f: FunctionId, at: LocationId, size: usize, depth: u32, callee: Option<FunctionId>) -> LocationId {
        let next = self.builder.location(f);
        let target = self.any_register();
        match self.random.below(if depth == 0 { 5 } else { 9 }) {
            0 => return self.havoc(f, at, target),
            1 if self.width(target) == 8 => {
                let address = self.builder.address_of(self.memory);
                self.edge(at, next, Operation::Load { target, address });
            }
            2 => {
                let address = self.builder.address_of(self.memory);
                let value = self.term(8, 2);
                self.edge(at, next, Operation::Store { address, value });
            }
            5 | 6 => {
                let condition = self.term(1, 3);
                let (then, otherwise) = self.branch(f, at, condition);
                for start in [then, otherwise] {
                    let end = self.block(f, start, size.max(1), depth - 1, callee);
                    self.edge(end, next, Operation::Skip);
                }
            }
            7 => {
                // The loop ends when its condition fails, or by an input.
                let condition = self.term(1, 3);
                let head = self.builder.location(f);
                self.edge(at, head, Operation::Skip);
                let (body, leave) = self.branch(f, head, condition);
                let end = self.block(f, body, size.max(1), depth - 1, callee);
                self.edge(end, head, Operation::Skip);
                self.edge(leave, next, Operation::Skip);
            }
            8 if callee.is_some() => {
                let callee = callee.unwrap_or(f);
                let widths: Vec<u32> = self.builder.functions[callee].parameters.iter().map(|&p| self.width(p)).collect();
                let arguments = widths.into_iter().map(|width| self.term(width, 1)).collect();
                let result = self.builder.functions[callee].result.filter(|&r| self.width(r) == self.width(target)).map(|_| target);
                self.edge(at, next, Operation::Call { callee, arguments, result });
            }
            _ => {
                let value = self.term(self.width(target), 3);
                self.edge(at, next, Operation::Assign { target, value });
            }
        }
        next
    }

    fn branch(&mut self, f: FunctionId, at: LocationId, condition: Term) -> (LocationId, LocationId) {
        let (then, otherwise) = (self.builder.location(f), self.builder.location(f));
        let negated = self.builder.terms.not(condition);
        self.edge(at, then, Operation::Assume { condition });
        self.edge(at, otherwise, Operation::Assume { condition: negated });
        (then, otherwise)
    }

    fn any_register(&mut self) -> VarId {
        self.visible[self.random.below(self.visible.len())]
    }

    fn term(&mut self, width: u32, depth: u32) -> Term {
        if depth == 0 || self.random.chance(25) {
            let same: Vec<VarId> = self.visible.iter().copied().filter(|&v| self.width(v) == width).collect();
            if same.is_empty() || self.random.chance(25) {
                let small = self.random.below(3) as u128;
                let value = if self.style.arithmetic { self.random.bits(width).value() } else { small };
                return self.builder.terms.number(width, value);
            }
            let variable = self.random.pick(&same);
            return self.builder.read(variable);
        }
        if width == 1 {
            return self.condition(depth);
        }
        if !self.style.arithmetic {
            return match self.random.below(3) {
                0 => {
                    let (condition, a, b) = (self.term(1, depth - 1), self.term(width, depth - 1), self.term(width, depth - 1));
                    self.builder.terms.ite(condition, a, b)
                }
                1 => {
                    let condition = self.term(1, depth - 1);
                    self.builder.terms.zero_extend(condition, width)
                }
                _ => self.term(width, 0),
            };
        }
        match self.random.below(8) {
            0 => {
                let from = self.random.pick(self.style.widths);
                let signed = self.random.chance(50);
                let operand = self.term(from, depth - 1);
                self.builder.terms.resize(operand, width, signed)
            }
            1 => {
                let operand = self.term(width, depth - 1);
                if self.random.chance(50) { self.builder.terms.not(operand) } else { self.builder.terms.neg(operand) }
            }
            2 => {
                let (condition, a, b) = (self.term(1, depth - 1), self.term(width, depth - 1), self.term(width, depth - 1));
                self.builder.terms.ite(condition, a, b)
            }
            3 => {
                let (high, low) = (self.term(width, depth - 1), self.term(width, depth - 1));
                let both = self.builder.terms.concat(high, low);
                let start = self.random.below(width as usize + 1) as u32;
                self.builder.terms.extract(both, start + width - 1, start)
            }
            _ => {
                let op = self.random.pick(&[
                    Op::And,
                    Op::Or,
                    Op::Xor,
                    Op::Add,
                    Op::Add,
                    Op::Add,
                    Op::Mul,
                    Op::UnsignedDiv,
                    Op::SignedDiv,
                    Op::UnsignedRem,
                    Op::SignedRem,
                    Op::ShiftLeft,
                    Op::ShiftRight,
                    Op::ShiftRightSigned,
                ]);
                let (a, b) = (self.term(width, depth - 1), self.term(width, depth - 1));
                self.builder.terms.binary(op, a, b)
            }
        }
    }

    fn condition(&mut self, depth: u32) -> Term {
        match self.random.below(6) {
            0 => {
                let operand = self.term(1, depth - 1);
                self.builder.terms.not(operand)
            }
            1 => {
                let (a, b) = (self.term(1, depth - 1), self.term(1, depth - 1));
                let op = self.random.pick(&[Op::And, Op::Or, Op::Xor]);
                self.builder.terms.binary(op, a, b)
            }
            _ => {
                let width = self.random.pick(self.style.widths);
                let (a, b) = (self.term(width, depth - 1), self.term(width, depth - 1));
                let ops = if self.style.arithmetic { &[Op::Eq, Op::UnsignedLess, Op::SignedLess][..] } else { &[Op::Eq] };
                let op = self.random.pick(ops);
                self.builder.terms.compare(op, a, b)
            }
        }
    }
}
