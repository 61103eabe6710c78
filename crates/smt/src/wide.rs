//! Concrete values wider than 128 bits: rare, so slow and simple.

use crate::model::Value;
use assay_term::Node;

pub type Word = Vec<bool>;

pub fn of_value(value: &Value) -> Option<Word> {
    match value {
        Value::Bits(bits) => Some((0..bits.width()).map(|i| bits.value() >> i & 1 == 1).collect()),
        Value::Wide(bits) => Some(bits.to_vec()),
        Value::Array(_) => None,
    }
}

pub fn apply(_node: &Node, _operands: &[Word]) -> Option<Value> {
    None
}
