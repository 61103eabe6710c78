//! The one generator of random numbers, and random terms for differential tests: the same seed gives the same terms in
//! every run.
//!
//! Each step of [`Generator`] builds one operator twice: as it is (`plain`, through [`Terms::intern`]) and through the
//! simplifying constructors (`simple`). Both must have the same value under every assignment.

use crate::bits::Bits;
use crate::float::FloatFormat;
use crate::node::{Op, Round, Sort, Term};
use crate::store::Terms;
use assay_base::hash::mix;

/// Numbers by chance from a seed, the same on every machine: for random runs, fuzzing and tests, not for secrets.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The same seed gives the same numbers.
    pub fn new(seed: u64) -> Self {
        Random(seed)
    }
    /// The next number: any of 64 bits.
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        mix(self.0)
    }
    /// A number below `bound`.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.next_u64() % bound as u64) as usize
    }
    /// True once in `bound` times.
    pub fn one_in(&mut self, bound: u64) -> bool {
        self.next_u64().is_multiple_of(bound)
    }
    /// True in so many of a hundred cases.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }
    /// One of the items; the list is not empty.
    pub fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }
    /// A value of a width: often near zero, a power of two or the ends of the range, else anything.
    pub fn bits(&mut self, width: u32) -> Bits {
        let any = (self.next_u64() as u128) << 64 | self.next_u64() as u128;
        let shift = self.below(width as usize) as u32;
        let near = (self.below(7) as u128).wrapping_sub(3);
        Bits::new(
            width,
            match self.below(8) {
                0 => 0,
                1 => near,
                2 => 1 << shift,
                3 => (1u128 << shift).wrapping_add(near),
                4 => (1u128 << (width - 1)).wrapping_add(near),
                5 => any >> (128 - shift.max(1)),
                _ => any,
            },
        )
    }
    /// A float pattern: often a special value or near one.
    pub fn float(&mut self, format: FloatFormat) -> Bits {
        let width = format.width();
        let precision = format.precision();
        let stored = if format == FloatFormat::Extended { precision } else { precision - 1 };
        let exponent_mask = Bits::mask(format.exponent_bits());
        let mut exponent = match self.below(8) {
            0 => 0,
            1 => exponent_mask,
            2 => exponent_mask - 1,
            3 => self.below(3) as u128,
            4 => self.next_u64() as u128 & exponent_mask,
            _ => (format.bias() + self.below(2 * precision as usize) as i32 - precision as i32) as u128 & exponent_mask,
        };
        let any = (self.next_u64() as u128) << 64 | self.next_u64() as u128;
        let mut fraction = match self.below(6) {
            0 => 0,
            1 => u128::MAX,
            2 => 1 << self.below(stored as usize),
            3 => any & any.rotate_left(17) & any.rotate_left(49),
            _ => any,
        } & Bits::mask(stored);
        if format == FloatFormat::Extended {
            // The explicit integer bit belongs to the exponent; other patterns are no numbers.
            fraction &= Bits::mask(stored - 1);
            if exponent != 0 {
                fraction |= 1 << (stored - 1);
            }
        }
        if self.chance(3) {
            (exponent, fraction) = (exponent_mask, fraction & (1 << (stored - 1)));
            if format == FloatFormat::Extended {
                fraction = 1 << (stored - 1);
            }
        }
        let sign = (self.below(2) as u128) << (width - 1);
        Bits::new(width, sign | exponent << stored | fraction)
    }
}

/// One random term in both forms.
#[derive(Clone, Copy, Debug)]
pub struct Pair {
    /// Made by [`Terms::intern`] alone.
    pub plain: Term,
    /// Made by the simplifying constructors.
    pub simple: Term,
}

/// What random terms are made of.
#[derive(Clone, Debug)]
pub struct Shape {
    /// The widths of symbols and results.
    pub widths: Vec<u32>,
    /// Whether float operators occur.
    pub floats: bool,
    /// Whether arrays occur; not together with floats.
    pub arrays: bool,
}

impl Shape {
    /// Widths of at most four bits, where all assignments can be tried.
    pub fn small() -> Self {
        Shape { widths: vec![1, 2, 3, 4], floats: false, arrays: false }
    }
    /// All kinds of widths, with arrays.
    pub fn wide() -> Self {
        Shape { widths: vec![1, 8, 16, 32, 64, 65, 80, 128], floats: false, arrays: true }
    }
    /// The widths of float formats among others, with float operators.
    pub fn with_floats() -> Self {
        Shape { widths: vec![1, 8, 16, 32, 64, 80, 128], floats: true, arrays: false }
    }
}

/// A growing set of random terms over a few symbols of each width.
pub struct Generator<'a> {
    terms: &'a Terms,
    /// Where chance comes from; tests draw from it, too.
    pub random: Random,
    shape: Shape,
    pool: Vec<Pair>,
    arrays: Vec<Pair>,
}

const FLOAT_BINARY: [Op; 5] = [Op::FAdd, Op::FSub, Op::FMul, Op::FDiv, Op::FRem];
const BINARY: [Op; 12] = [
    Op::And,
    Op::Or,
    Op::Xor,
    Op::Add,
    Op::Mul,
    Op::UnsignedDiv,
    Op::SignedDiv,
    Op::UnsignedRem,
    Op::SignedRem,
    Op::ShiftLeft,
    Op::ShiftRight,
    Op::ShiftRightSigned,
];

impl<'a> Generator<'a> {
    /// Begins with three symbols of each width.
    pub fn new(terms: &'a Terms, shape: Shape, seed: u64) -> Self {
        let mut pool = Vec::new();
        let mut arrays = Vec::new();
        for &width in &shape.widths {
            for name in ["a", "b", "c"] {
                let symbol = terms.named(&format!("{name}{width}"), Sort::bv(width));
                pool.push(Pair { plain: symbol, simple: symbol });
            }
            if shape.arrays {
                let array = terms.named(&format!("m{width}"), Sort::array(8, width));
                arrays.push(Pair { plain: array, simple: array });
            }
        }
        Generator { terms, random: Random::new(mix(seed)), shape, pool, arrays }
    }

    /// All terms so far; the first are the symbols.
    pub fn pool(&self) -> &[Pair] {
        &self.pool
    }

    /// Forgets the terms made so far, except the first `keep` ones.
    pub fn cut_to(&mut self, keep: usize) {
        self.pool.truncate(keep);
        self.arrays.truncate(self.shape.widths.len());
    }

    fn width(&self, pair: Pair) -> u32 {
        self.terms.width(pair.plain)
    }

    fn any(&mut self) -> Pair {
        // The latest terms are picked more often, so that terms grow deep.
        let count = self.pool.len();
        let recent = count.min(12);
        let index = if self.random.chance(60) { count - 1 - self.random.below(recent) } else { self.random.below(count) };
        self.pool[index]
    }

    fn constant(&mut self, width: u32) -> Pair {
        let bits = match FloatFormat::of_width(width) {
            Some(format) if self.shape.floats && self.random.chance(50) => self.random.float(format),
            _ => self.random.bits(width),
        };
        let term = self.terms.constant(bits);
        Pair { plain: term, simple: term }
    }

    fn make(&mut self, op: Op, round: Round, sort: Sort, operands: &[Pair], tail: [u32; 2]) -> Pair {
        let mut words = [0, 0, tail[0], tail[1]];
        for (word, pair) in words.iter_mut().zip(operands) {
            *word = pair.plain.0;
        }
        let plain = self.terms.intern(op, round, sort, words);
        for (word, pair) in words.iter_mut().zip(operands) {
            *word = pair.simple.0;
        }
        Pair { plain, simple: self.terms.make(op, round, sort, words) }
    }

    /// A term of a given width: from the pool, a constant, or one of the pool fitted to the width.
    fn of_width(&mut self, width: u32) -> Pair {
        if self.random.chance(20) {
            return self.constant(width);
        }
        for _ in 0..6 {
            let pair = self.any();
            if self.width(pair) == width {
                return pair;
            }
        }
        let pair = self.any();
        self.fit(pair, width)
    }

    fn fit(&mut self, pair: Pair, width: u32) -> Pair {
        let from = self.width(pair);
        let near = Round::NearestEven;
        match from.cmp(&width) {
            std::cmp::Ordering::Equal => pair,
            std::cmp::Ordering::Less => match self.random.below(3) {
                0 => self.make(Op::ZeroExtend, near, Sort::bv(width), &[pair], [0, 0]),
                1 => self.make(Op::SignExtend, near, Sort::bv(width), &[pair], [0, 0]),
                _ => {
                    let rest = self.random.pick(&[0, 1, 2]);
                    let other = if rest == 0 { self.constant(width - from) } else { self.of_any_part(width - from) };
                    let parts = if rest == 1 { [pair, other] } else { [other, pair] };
                    self.make(Op::Concat, near, Sort::bv(width), &parts, [0, 0])
                }
            },
            std::cmp::Ordering::Greater => {
                let low = if self.random.chance(50) { 0 } else { self.random.below((from - width + 1) as usize) as u32 };
                self.make(Op::Extract, near, Sort::bv(width), &[pair], [low + width - 1, low])
            }
        }
    }

    /// A part of some wide enough term, else a constant.
    fn of_any_part(&mut self, width: u32) -> Pair {
        for _ in 0..4 {
            let pair = self.any();
            let from = self.width(pair);
            if from > width {
                let low = self.random.below((from - width + 1) as usize) as u32;
                return self.make(Op::Extract, Round::NearestEven, Sort::bv(width), &[pair], [low + width - 1, low]);
            }
        }
        self.constant(width)
    }

    fn truth(&mut self) -> Pair {
        if self.random.chance(40) {
            return self.of_width(1);
        }
        self.comparison()
    }

    fn comparison(&mut self) -> Pair {
        let width = self.random.pick(&self.shape.widths.clone());
        let op = if self.shape.floats && FloatFormat::of_width(width).is_some() && self.random.chance(50) {
            self.random.pick(&[Op::FEq, Op::FLess, Op::FLessEq])
        } else {
            self.random.pick(&[Op::Eq, Op::UnsignedLess, Op::SignedLess])
        };
        let operands = [self.of_width(width), self.of_width(width)];
        self.make(op, Round::NearestEven, Sort::BOOL, &operands, [0, 0])
    }

    /// Builds one more term and puts it into the pool.
    pub fn step(&mut self) -> Pair {
        let pair = self.operator();
        self.pool.push(pair);
        pair
    }

    fn operator(&mut self) -> Pair {
        let width = self.random.pick(&self.shape.widths.clone());
        let near = Round::NearestEven;
        let sort = Sort::bv(width);
        match self.random.below(if self.shape.floats || self.shape.arrays { 14 } else { 10 }) {
            0..=3 => {
                let op = self.random.pick(&BINARY);
                let a = self.of_width(width);
                let b = if self.random.chance(35) { self.constant(width) } else { self.of_width(width) };
                let operands = if self.random.chance(85) { [a, b] } else { [b, a] };
                self.make(op, near, sort, &operands, [0, 0])
            }
            4 => {
                let op = self.random.pick(&[Op::Not, Op::Neg]);
                let a = self.of_width(width);
                self.make(op, near, sort, &[a], [0, 0])
            }
            5 | 6 => self.comparison(),
            7 => {
                let condition = self.truth();
                let operands = [condition, self.of_width(width), self.of_width(width)];
                self.make(Op::Ite, near, sort, &operands, [0, 0])
            }
            8 => {
                let a = self.truth();
                let b = self.truth();
                let op = self.random.pick(&[Op::And, Op::Or, Op::Xor, Op::Eq]);
                self.make(op, near, Sort::BOOL, &[a, b], [0, 0])
            }
            9 => {
                let pair = self.any();
                self.fit(pair, width)
            }
            _ if self.shape.floats => self.float_operator(),
            _ => self.array_operator(),
        }
    }

    fn float_operator(&mut self) -> Pair {
        let width = self.random.pick(&[16, 32, 64, 80, 128]);
        let round = self.random.pick(&Round::ALL);
        let sort = Sort::bv(width);
        match self.random.below(4) {
            0 | 1 => {
                let op = self.random.pick(&FLOAT_BINARY);
                let operands = [self.of_width(width), self.of_width(width)];
                self.make(op, round, sort, &operands, [0, 0])
            }
            2 => {
                let op = self.random.pick(&[Op::FSqrt, Op::FRoundToIntegral]);
                let operand = self.of_width(width);
                self.make(op, round, sort, &[operand], [0, 0])
            }
            _ => {
                let op = self.random.pick(&[Op::FConvert, Op::FFromSigned, Op::FFromUnsigned, Op::FToSigned, Op::FToUnsigned]);
                let from = if matches!(op, Op::FFromSigned | Op::FFromUnsigned) {
                    self.random.pick(&self.shape.widths.clone())
                } else {
                    self.random.pick(&[16, 32, 64, 80, 128])
                };
                let to = if matches!(op, Op::FToSigned | Op::FToUnsigned) {
                    self.random.pick(&self.shape.widths.clone())
                } else if op == Op::FConvert && from == width {
                    if from == 64 { 32 } else { 64 }
                } else {
                    width
                };
                let operand = self.of_width(from);
                self.make(op, round, Sort::bv(to), &[operand], [0, 0])
            }
        }
    }

    fn array_operator(&mut self) -> Pair {
        let near = Round::NearestEven;
        let count = self.arrays.len();
        let index = if self.random.chance(50) { count - 1 } else { self.random.below(count) };
        let array = self.arrays[index];
        let sort = self.terms.sort(array.plain);
        let at = self.of_width(8);
        match self.random.below(6) {
            0 | 1 => {
                let value = self.of_width(sort.width());
                let stored = self.make(Op::Store, near, sort, &[array, at, value], [0, 0]);
                self.arrays.push(stored);
            }
            2 => {
                let condition = self.truth();
                let other = self.arrays[self.random.below(count)];
                if self.terms.sort(other.plain) == sort {
                    let chosen = self.make(Op::Ite, near, sort, &[condition, array, other], [0, 0]);
                    self.arrays.push(chosen);
                }
            }
            3 => {
                let value = self.of_width(sort.width());
                let same = self.make(Op::ConstArray, near, sort, &[value], [0, 0]);
                self.arrays.push(same);
            }
            _ => {}
        }
        let from = self.arrays[self.arrays.len() - 1];
        let from = if self.random.chance(50) { from } else { array };
        let sort = self.terms.sort(from.plain);
        self.make(Op::Select, near, Sort::bv(sort.width()), &[from, at], [0, 0])
    }
}
