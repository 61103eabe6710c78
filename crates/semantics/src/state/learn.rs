//! What a condition that holds says about single registers.

use super::executor::{Executor, Semantics};
use super::state::State;
use super::value::Value;
use assay_term::{Bits, FloatFormat, Op, Term};

impl Executor<'_> {
    /// Puts into the state what the condition's truth value determines about registers of unknown value. Answers false
    /// where the condition turns out to be impossible.
    pub fn learn<S: Semantics>(&self, semantics: &mut S, state: &mut State, condition: Term, holds: bool) -> bool {
        if semantics.symbolic() {
            return true; // Symbolic values keep the relation itself; the constraint says more than an assignment.
        }
        let mut work = vec![(condition, holds)];
        while let Some((term, holds)) = work.pop() {
            let node = self.terms.node(term);
            match (node.op, holds) {
                (Op::Not, _) => work.push((node.operand(0), !holds)),
                (Op::And, true) | (Op::Or, false) if node.width() == 1 => {
                    work.push((node.operand(0), holds));
                    work.push((node.operand(1), holds));
                }
                (Op::Symbol, _) if !self.learn_value(state, term, Bits::from_bool(holds)) => return false,
                (Op::Eq | Op::FEq, true) => {
                    for (side, other) in [(node.operand(0), node.operand(1)), (node.operand(1), node.operand(0))] {
                        let value = self.eval(semantics, state, other);
                        if let Value::Pointer { .. } = value
                            && node.op == Op::Eq
                            && self.terms.node(side).op == Op::Symbol
                            && let Some(variable) = self.program.variable_of(self.terms.node(side).symbol())
                            && state.get(self.program, variable) == Value::Unknown
                        {
                            state.set(self.program, variable, value);
                        }
                        if let Some(bits) = value.as_bits()
                            && (node.op == Op::Eq || determines_bits(bits))
                            && !self.learn_value(state, side, bits)
                        {
                            return false;
                        }
                    }
                }
                _ => {}
            }
        }
        true
    }

    /// `term` has this value: follows invertible operators down to a register. Answers false on a contradiction.
    fn learn_value(&self, state: &mut State, term: Term, value: Bits) -> bool {
        let (mut term, mut value) = (term, value);
        loop {
            let node = self.terms.node(term);
            let width = node.width();
            let constant = |i: usize| self.terms.as_constant(node.operand(i)).map(Bits::value);
            match node.op {
                Op::Symbol => {
                    let Some(variable) = self.program.variable_of(node.symbol()) else { return true };
                    match state.get(self.program, variable) {
                        Value::Unknown => state.set(self.program, variable, Value::known(value)),
                        Value::Known { .. } => return state.get(self.program, variable).as_bits() == Some(value),
                        _ => {}
                    }
                    return true;
                }
                Op::Not => value = Bits::new(width, !value.value()),
                Op::Neg => value = Bits::new(width, value.value().wrapping_neg()),
                Op::Add => match constant(1) {
                    Some(k) => value = Bits::new(width, value.value().wrapping_sub(k)),
                    None => return true,
                },
                Op::Xor => match constant(1) {
                    Some(k) => value = Bits::new(width, value.value() ^ k),
                    None => return true,
                },
                Op::Mul => match constant(1) {
                    Some(k) if k & 1 == 1 => value = Bits::new(width, value.value().wrapping_mul(inverse(k))),
                    _ => return true,
                },
                Op::ZeroExtend | Op::SignExtend => {
                    let narrow = Bits::new(self.terms.width(node.operand(0)), value.value());
                    let back = if node.op == Op::ZeroExtend { narrow.value() } else { narrow.signed() as u128 };
                    if Bits::new(width, back) != value {
                        return false;
                    }
                    value = narrow;
                }
                _ => return true,
            }
            term = node.operand(0);
        }
    }
}

/// Whether float equality with this pattern determines the bits: not for zeros (two patterns) and NaN (never equal).
fn determines_bits(bits: Bits) -> bool {
    let Some(format) = FloatFormat::of_width(bits.width()) else { return false };
    if format == FloatFormat::Extended {
        return false; // Unnormal patterns of the x87 format may compare equal to others.
    }
    let magnitude = bits.value() & Bits::mask(bits.width() - 1);
    let infinity = Bits::mask(format.exponent_bits()) << (format.precision() - 1);
    magnitude != 0 && magnitude <= infinity
}

/// The inverse of an odd number modulo 2^128, by Newton's iteration.
fn inverse(k: u128) -> u128 {
    let mut x = k;
    for _ in 0..7 {
        x = x.wrapping_mul(2u128.wrapping_sub(k.wrapping_mul(x)));
    }
    x
}
