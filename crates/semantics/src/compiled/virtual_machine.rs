//! Runs the code.

use super::arena::{Arena, Kept};
use super::code::{ABSOLUTE, Code, Label, NOWHERE, Operand};
use super::compile::{Image, Shape};
use assay_base::hash::mix;
use assay_cfa::operation::Zone;
use assay_cfa::program::{FunctionId, LocationId, SourceId};
use assay_term::eval::evaluate;
use assay_term::{Bits, Op, Round};

/// Calls nested deeper than this end the run.
const MAX_DEPTH: usize = 20_000;
/// Pairs of paths that follow each other are told apart by so many bits.
const PAIR_BITS: u32 = 16;

/// Why a run stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Event {
    /// A value is asked for: give it with [`VirtualMachine::give`] and go on.
    Input {
        /// Who asks.
        source: SourceId,
        /// In bits, at most 64.
        width: u32,
    },
    /// A location that violates what is asked.
    Target(LocationId),
    /// The program ended, or an assumption failed.
    Ended,
    /// Undefined behaviour.
    Undefined,
    /// What this machine cannot do.
    Unsupported,
    /// All steps were used up.
    Limit,
}

#[derive(Clone, Copy)]
struct Frame {
    back: Label,
    base: u32,
    function: FunctionId,
    result: Operand,
    /// The top of the stack in memory before the call.
    stack: u32,
    /// Where its memory objects are.
    memory: u64,
}

/// A run that can be gone on with.
#[derive(Clone)]
pub struct Snapshot {
    at: Label,
    waiting: (Operand, u8),
    globals: Vec<u64>,
    words: Vec<u64>,
    frames: Vec<Frame>,
    memory: Kept,
}

impl Snapshot {
    /// The memory that it takes.
    pub fn bytes(&self) -> usize {
        8 * (self.globals.len() + self.words.len()) + 40 * self.frames.len() + self.memory.bytes() + 200
    }
}

/// A machine with a program in it.
pub struct VirtualMachine<'i, 'p> {
    image: &'i Image<'p>,
    absolute: Vec<u64>,
    words: Vec<u64>,
    base: usize,
    frames: Vec<Frame>,
    at: Label,
    arena: Arena,
    /// The register that waits for an input, and its width.
    waiting: (Operand, u8),
    previous: u32,
    covered: Vec<bool>,
    pairs: Vec<bool>,
    new_edges: bool,
    new_pairs: bool,
    steps: u64,
}

impl<'i, 'p> VirtualMachine<'i, 'p> {
    /// At the start of the program.
    pub fn new(image: &'i Image<'p>) -> Self {
        let mut machine = VirtualMachine {
            image,
            absolute: image.absolute.clone(),
            words: Vec::new(),
            base: 0,
            frames: Vec::new(),
            at: 0,
            arena: image.arena.clone(),
            waiting: (NOWHERE, 64),
            previous: 0,
            covered: vec![false; image.program.edges.len()],
            pairs: vec![false; 1 << PAIR_BITS],
            new_edges: false,
            new_pairs: false,
            steps: 0,
        };
        machine.enter(image.program.entry, NOWHERE, 0, 0);
        machine
    }

    /// Steps of all runs so far.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Whether paths were taken that no run took before, alone or one after the other; each is told once.
    pub fn take_novelty(&mut self) -> (bool, bool) {
        (std::mem::take(&mut self.new_edges), std::mem::take(&mut self.new_pairs))
    }

    /// How many paths were taken so far.
    pub fn coverage(&self) -> usize {
        self.covered.iter().filter(|&&covered| covered).count()
    }

    /// What [`restore`](Self::restore) needs to go on from here.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot {
            at: self.at,
            waiting: self.waiting,
            globals: self.absolute[..self.image.globals].to_vec(),
            words: self.words[..self.top()].to_vec(),
            frames: self.frames.clone(),
            memory: self.arena.keep(),
        }
    }

    /// Goes back to where a snapshot of the same program was taken.
    pub fn restore(&mut self, snapshot: &Snapshot) {
        self.at = snapshot.at;
        self.waiting = snapshot.waiting;
        self.absolute[..self.image.globals].copy_from_slice(&snapshot.globals);
        self.words.clear();
        self.words.extend_from_slice(&snapshot.words);
        self.frames.clone_from(&snapshot.frames);
        self.base = self.frames.last().map_or(0, |frame| frame.base as usize);
        self.arena.restore(&snapshot.memory);
        self.previous = 0;
    }

    /// A fingerprint of globals and frames, where all of the state is small.
    pub fn fingerprint(&self) -> Option<u64> {
        let (globals, top, memory) = (self.image.globals, self.top(), self.arena.globals());
        if globals + top > 512 || memory.len() > 4096 || self.arena.in_use() > 4096 {
            return None;
        }
        let mut hash = mix(u64::from(self.at));
        for &word in self.absolute[..globals].iter().chain(&self.words[..top]) {
            hash = mix(hash ^ word).rotate_left(5);
        }
        for chunk in memory.chunks_exact(8) {
            let word = u64::from_le_bytes([chunk[0], chunk[1], chunk[2], chunk[3], chunk[4], chunk[5], chunk[6], chunk[7]]);
            if word != 0 {
                hash = mix(hash ^ word).rotate_left(5);
            }
        }
        Some(hash)
    }

    /// Gives the input that was asked for.
    pub fn give(&mut self, value: u64) {
        let (to, width) = self.waiting;
        self.set(to, cut(value, width));
    }

    fn top(&self) -> usize {
        self.base + self.frames.last().map_or(0, |frame| self.shape(frame.function).words as usize)
    }

    fn shape(&self, function: FunctionId) -> &'i Shape {
        &self.image.functions[function]
    }

    #[inline]
    fn get(&self, operand: Operand) -> u64 {
        match operand & ABSOLUTE {
            0 => self.words[self.base + operand as usize],
            _ => self.absolute[(operand & !ABSOLUTE) as usize],
        }
    }

    #[inline]
    fn set(&mut self, operand: Operand, value: u64) {
        match operand & ABSOLUTE {
            0 => self.words[self.base + operand as usize] = value,
            _ if operand == NOWHERE => {}
            _ => self.absolute[(operand & !ABSOLUTE) as usize] = value,
        }
    }

    fn enter(&mut self, callee: FunctionId, result: Operand, first: u32, count: u32) -> Option<()> {
        let image = self.image;
        let shape = self.shape(callee);
        let base = self.top();
        let stack = self.arena.stack();
        let memory = self.arena.push(shape.bytes as usize)?;
        if self.frames.len() >= MAX_DEPTH {
            return None;
        }
        let needed = base + shape.words as usize;
        if self.words.len() < needed {
            self.words.resize(needed, 0);
        }
        self.words[base..base + shape.locals as usize].fill(0);
        for (&argument, &parameter) in image.arguments[first as usize..(first + count) as usize].iter().zip(&shape.parameters) {
            let value = self.get(argument);
            self.words[base + parameter as usize] = value;
        }
        self.frames.push(Frame { back: self.at, base: base as u32, function: callee, result, stack: stack as u32, memory });
        self.base = base;
        self.at = shape.entry;
        Some(())
    }

    /// Comes back from a call; false at the end of the program.
    fn leave(&mut self) -> bool {
        let Some(frame) = self.frames.pop() else { return false };
        let value = self.shape(frame.function).result.map_or(0, |result| self.get(result));
        self.arena.pop(frame.stack as usize);
        let Some(caller) = self.frames.last() else { return false };
        self.base = caller.base as usize;
        self.at = frame.back;
        self.set(frame.result, value);
        true
    }

    /// Goes on for at most so many steps (jumps and calls).
    pub fn run(&mut self, limit: u64) -> Event {
        let image = self.image;
        let end = self.steps + limit;
        loop {
            let code = image.code[self.at as usize];
            self.at += 1;
            let done = match code {
                Code::Unary { op, round, of, width, to, a } => {
                    let value = cut(unary(op, round, of, width, self.get(a)), width);
                    self.set(to, value);
                    Some(())
                }
                Code::Binary { op, of, width, to, a, b } => {
                    let value = cut(binary(op, of, width, self.get(a), self.get(b)), width);
                    self.set(to, value);
                    Some(())
                }
                Code::Choose { to, condition, then, otherwise } => {
                    let value = self.get(if self.get(condition) & 1 == 1 { then } else { otherwise });
                    self.set(to, value);
                    Some(())
                }
                Code::Move { to, from } => {
                    let value = self.get(from);
                    self.set(to, value);
                    Some(())
                }
                Code::Slow { to, term } => match self.slow(term) {
                    Some(value) => {
                        self.set(to, value);
                        Some(())
                    }
                    None => return Event::Unsupported,
                },
                Code::Jump { to } => {
                    self.at = to;
                    self.steps += 1;
                    if self.steps >= end {
                        return Event::Limit;
                    }
                    Some(())
                }
                Code::JumpIf { condition, is, to } => {
                    self.jump((self.get(condition) & 1 == 1) == is, to);
                    Some(())
                }
                Code::JumpEq { a, b, is, to } => {
                    self.jump((self.get(a) == self.get(b)) == is, to);
                    Some(())
                }
                Code::JumpLess { a, b, is, to } => {
                    self.jump((self.get(a) < self.get(b)) == is, to);
                    Some(())
                }
                Code::JumpSignedLess { a, b, is, width, to } => {
                    self.jump((signed(self.get(a), width) < signed(self.get(b), width)) == is, to);
                    Some(())
                }
                Code::Cover { edge } => {
                    self.cover(edge.0);
                    Some(())
                }
                Code::Input { to, source, width } => {
                    self.set(to, 0);
                    self.waiting = (to, width);
                    return Event::Input { source, width: u32::from(width) };
                }
                Code::Load { to, address, bytes } => {
                    let value = self.arena.load(self.get(address), u32::from(bytes));
                    value.map(|value| self.set(to, value))
                }
                Code::Store { address, value, bytes } => {
                    let (address, value) = (self.get(address), self.get(value));
                    self.arena.store(address, u32::from(bytes), value)
                }
                Code::Copy { destination, source, size } => {
                    let (destination, source, size) = (self.get(destination), self.get(source), self.get(size));
                    self.arena.copy(destination, source, size)
                }
                Code::Fill { destination, byte, size } => {
                    let (destination, byte, size) = (self.get(destination), self.get(byte), self.get(size));
                    self.arena.fill(destination, byte as u8, size)
                }
                Code::Allocate { to, size, zone } => {
                    let size = self.get(size);
                    let address = match zone {
                        Zone::Heap => self.arena.allocate(size),
                        Zone::Library => self.arena.make(size),
                        Zone::Stack | Zone::Given => self.dynamic(size),
                    };
                    let Some(address) = address else { return Event::Limit };
                    self.set(to, address);
                    Some(())
                }
                Code::Free { address } => match self.get(address) {
                    0 => Some(()),
                    address => self.arena.free(address),
                },
                Code::Begin { to, at, size } => {
                    let memory = self.frames.last().map_or(0, |frame| frame.memory) + u64::from(at);
                    self.arena.begin(memory, u64::from(size));
                    self.set(to, memory);
                    Some(())
                }
                Code::BeginSized { to, size } => {
                    let Some(address) = self.dynamic(self.get(size)) else { return Event::Limit };
                    self.set(to, address);
                    Some(())
                }
                Code::End { object, size } => {
                    // A jump may pass the declaration.
                    let address = self.get(object);
                    if address != 0 {
                        self.arena.end(address, u64::from(size));
                    }
                    Some(())
                }
                Code::JumpAccessible { address, size, write, is, to } => {
                    self.jump(self.arena.accessible(self.get(address), self.get(size), write) == is, to);
                    Some(())
                }
                Code::JumpFreeable { address, is, to } => {
                    let address = self.get(address);
                    self.jump((address == 0 || self.arena.is_heap(address)) == is, to);
                    Some(())
                }
                Code::JumpNothingAllocated { is, to } => {
                    self.jump(self.arena.nothing_allocated() == is, to);
                    Some(())
                }
                Code::Call { callee, first, count, result } => {
                    self.steps += 1;
                    if self.steps >= end || self.enter(callee, result, first, count).is_none() {
                        return Event::Limit;
                    }
                    Some(())
                }
                Code::Return => {
                    if !self.leave() {
                        return Event::Ended;
                    }
                    Some(())
                }
                Code::Target { location } => return Event::Target(location),
                Code::Halt => return Event::Ended,
                Code::Undefined => None,
                Code::Unsupported => return Event::Unsupported,
            };
            if done.is_none() {
                return Event::Undefined;
            }
        }
    }

    #[inline]
    fn jump(&mut self, taken: bool, to: Label) {
        if taken {
            self.at = to;
        }
    }

    #[inline]
    fn cover(&mut self, edge: u32) {
        let covered = &mut self.covered[edge as usize];
        if !*covered {
            *covered = true;
            self.new_edges = true;
        }
        let pair = (self.previous.wrapping_mul(0x9E37_79B1) ^ edge.wrapping_mul(0x85EB_CA6B)) >> (32 - PAIR_BITS);
        let seen = &mut self.pairs[pair as usize];
        if !*seen {
            *seen = true;
            self.new_pairs = true;
        }
        self.previous = edge;
    }

    /// An object of a size that only the run knows, on the stack.
    fn dynamic(&mut self, size: u64) -> Option<u64> {
        let size = (size < 1 << 22).then_some(size)?;
        let address = self.arena.push(super::arena::room(size))?;
        self.arena.begin(address, size);
        Some(address)
    }

    fn slow(&self, term: assay_term::Term) -> Option<u64> {
        let image = self.image;
        let bits = evaluate(&image.terms, term, &mut |node| {
            let variable = image.program.variable_of(node.symbol()).filter(|_| node.op == Op::Symbol && node.width() <= 64)?;
            Some(Bits::new(node.width(), self.get(image.operand_of(variable)?).into()))
        })?;
        Some(bits.value() as u64)
    }
}

#[inline]
fn cut(value: u64, width: u8) -> u64 {
    value & (u64::MAX >> (64 - width))
}

#[inline]
fn signed(value: u64, width: u8) -> i64 {
    let shift = 64 - width;
    ((value << shift) as i64) >> shift
}

#[inline]
fn unary(op: Op, round: Round, of: u8, width: u8, a: u64) -> u64 {
    match op {
        Op::Not => !a,
        Op::Neg => a.wrapping_neg(),
        Op::SignExtend => signed(a, of) as u64,
        Op::Extract => a >> of,
        _ => float_unary(op, round, of, width, a),
    }
}

#[inline]
fn binary(op: Op, of: u8, width: u8, a: u64, b: u64) -> u64 {
    match op {
        Op::And => a & b,
        Op::Or => a | b,
        Op::Xor => a ^ b,
        Op::Add => a.wrapping_add(b),
        Op::Mul => a.wrapping_mul(b),
        Op::UnsignedDiv => a.checked_div(b).unwrap_or(u64::MAX),
        Op::UnsignedRem => a.checked_rem(b).unwrap_or(a),
        Op::SignedDiv => match (signed(a, width), signed(b, width)) {
            (a, 0) if a < 0 => 1,
            (_, 0) => u64::MAX,
            (a, b) => a.wrapping_div(b) as u64,
        },
        Op::SignedRem => match (signed(a, width), signed(b, width)) {
            (a, 0) => a as u64,
            (a, b) => a.wrapping_rem(b) as u64,
        },
        Op::ShiftLeft => a.checked_shl(u32::try_from(b).unwrap_or(64)).unwrap_or(0),
        Op::ShiftRight => a.checked_shr(u32::try_from(b).unwrap_or(64)).unwrap_or(0),
        Op::ShiftRightSigned => (signed(a, width) >> b.min(u64::from(width) - 1).min(63)) as u64,
        Op::Eq => u64::from(a == b),
        Op::UnsignedLess => u64::from(a < b),
        Op::SignedLess => u64::from(signed(a, of) < signed(b, of)),
        Op::Concat => a << of | b,
        _ => float_binary(op, of, a, b),
    }
}

fn float_binary(op: Op, of: u8, a: u64, b: u64) -> u64 {
    macro_rules! apply {
        ($a:expr, $b:expr) => {{
            let (a, b) = ($a, $b);
            let result = match op {
                Op::FAdd => a + b,
                Op::FSub => a - b,
                Op::FMul => a * b,
                Op::FDiv => a / b,
                Op::FRem => a % b,
                Op::FEq => return u64::from(a == b),
                Op::FLess => return u64::from(a < b),
                _ => return u64::from(a <= b),
            };
            u64::from(result.to_bits())
        }};
    }
    match of {
        32 => apply!(f32::from_bits(a as u32), f32::from_bits(b as u32)),
        _ => apply!(f64::from_bits(a), f64::from_bits(b)),
    }
}

fn float_unary(op: Op, round: Round, from: u8, width: u8, a: u64) -> u64 {
    // Every single number is a double number, so that one rounding is all there is.
    let value = if from == 32 { f64::from(f32::from_bits(a as u32)) } else { f64::from_bits(a) };
    let float = |value: f64| if width == 32 { u64::from((value as f32).to_bits()) } else { value.to_bits() };
    match op {
        Op::FSqrt if width == 32 => u64::from(f32::from_bits(a as u32).sqrt().to_bits()),
        Op::FSqrt => value.sqrt().to_bits(),
        Op::FConvert => float(value),
        Op::FRoundToIntegral => float(match round {
            Round::NearestEven => value.round_ties_even(),
            Round::NearestAway => value.round(),
            Round::TowardPositive => value.ceil(),
            Round::TowardNegative => value.floor(),
            Round::TowardZero => value.trunc(),
        }),
        Op::FFromSigned if width == 32 => u64::from((signed(a, from) as f32).to_bits()),
        Op::FFromSigned => (signed(a, from) as f64).to_bits(),
        Op::FFromUnsigned if width == 32 => u64::from((a as f32).to_bits()),
        Op::FFromUnsigned => (a as f64).to_bits(),
        Op::FToSigned => {
            let limit = (2f64).powi(i32::from(width) - 1);
            let whole = value.trunc();
            if whole >= -limit && whole < limit { whole as i64 as u64 } else { 1 << (width - 1) }
        }
        _ => {
            let whole = value.trunc();
            if whole >= 0.0 && whole < (2f64).powi(i32::from(width)) { whole as u64 } else { u64::MAX }
        }
    }
}
