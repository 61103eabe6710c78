//! Concrete values wider than 128 bits: rare, so computed by a circuit whose inputs are all constant.

use crate::engine::{Circuit, Lit, apply_operator};
use crate::model::Value;
use assay_term::{Bits, Node};

pub(crate) type Word = Vec<bool>;

pub(crate) fn of_value(value: &Value) -> Option<Word> {
    match value {
        Value::Bits(bits) => Some((0..bits.width()).map(|i| bits.value() >> i & 1 == 1).collect()),
        Value::Wide(bits) => Some(bits.to_vec()),
        Value::Array(_) => None,
    }
}

pub(crate) fn apply(node: &Node, operands: &[Word]) -> Option<Value> {
    let words: Vec<Vec<Lit>> = operands.iter().map(|w| w.iter().map(|&b| Lit::of_bool(b)).collect()).collect();
    let slices: Vec<&[Lit]> = words.iter().map(Vec::as_slice).collect();
    let mut circuit = Circuit::new();
    let result = apply_operator(&mut circuit, node, &slices).ok()?;
    let bits: Vec<bool> = result.iter().map(|&l| l == Lit::TRUE).collect();
    if bits.len() > Bits::MAX_WIDTH as usize {
        return Some(Value::Wide(bits.into()));
    }
    let number = bits.iter().enumerate().fold(0u128, |sum, (i, &b)| sum | (b as u128) << i);
    Some(Value::Bits(Bits::new(bits.len() as u32, number)))
}
