//! Models: values of symbols, arrays, addresses and uninterpreted functions, and the evaluation of terms in them.

use crate::wide::{self, Word};
use assay_base::FastMap;
use assay_term::eval::{self, Assignment, Evaluation};
use assay_term::integer::INTEGER_WIDTH;
use assay_term::{Bits, Node, Op, SymbolId, Term, Terms};
use std::collections::BTreeMap;
use std::sync::Arc;

/// An assignment under which the constraints hold. Cheap to clone. Whatever has no value in it counts as zero
/// (an address as some value that is not null), so that every term has a value.
#[derive(Clone, Default, Debug)]
pub struct Model {
    data: Arc<ModelData>,
}

/// The content of a model, for those who build one.
#[derive(Clone, Default, Debug)]
pub struct ModelData {
    /// Integers are held in [`INTEGER_WIDTH`] bits.
    pub symbols: FastMap<SymbolId, Bits>,
    /// Where objects and functions are.
    pub addresses: FastMap<SymbolId, Bits>,
    /// Of array symbols.
    pub arrays: FastMap<SymbolId, ArrayValue>,
    /// Of uninterpreted functions, at the arguments that matter.
    pub functions: FastMap<SymbolId, BTreeMap<Vec<Bits>, Bits>>,
    /// Values of symbols wider than [`Bits`] holds, low bit first.
    pub wide: FastMap<SymbolId, Arc<[bool]>>,
}

/// The value of an array: one value everywhere, apart from the listed indices.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ArrayValue {
    /// Everywhere else.
    pub default: Bits,
    /// By index.
    pub entries: BTreeMap<u128, Bits>,
}

impl ArrayValue {
    /// The same value everywhere.
    pub fn new(default: Bits) -> Self {
        ArrayValue { default, entries: BTreeMap::new() }
    }
    /// The value at an index.
    pub fn get(&self, index: Bits) -> Bits {
        self.entries.get(&index.value()).copied().unwrap_or(self.default)
    }
    /// Entries that repeat the default are dropped, so that equal arrays have equal values.
    pub fn set(&mut self, index: Bits, value: Bits) {
        if value == self.default {
            self.entries.remove(&index.value());
        } else {
            self.entries.insert(index.value(), value);
        }
    }
}

/// The value of any term.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Value {
    /// At most 128 bits.
    Bits(Bits),
    /// Of an array term.
    Array(ArrayValue),
    /// A bit-vector wider than 128 bits, low bit first.
    Wide(Arc<[bool]>),
}

impl From<ModelData> for Model {
    fn from(data: ModelData) -> Self {
        Model { data: Arc::new(data) }
    }
}

impl Model {
    /// For those who walk over all of it.
    pub fn data(&self) -> &ModelData {
        &self.data
    }

    /// The value of a symbol that the model speaks of.
    pub fn symbol(&self, symbol: SymbolId) -> Option<Bits> {
        self.data.symbols.get(&symbol).copied()
    }

    /// The values of all bit-vector symbols, ordered by name.
    pub fn symbols<'a>(&'a self, terms: &'a Terms) -> Vec<(SymbolId, Bits)> {
        let mut list: Vec<_> = self.data.symbols.iter().map(|(&s, &b)| (s, b)).collect();
        list.sort_by(|a, b| terms.symbol_name(a.0).cmp(terms.symbol_name(b.0)));
        list
    }

    /// The value of a bit-vector term of at most 128 bits; `None` for other sorts and where an operator has no
    /// concrete meaning. For many terms an [`evaluator`](Self::evaluator) is faster.
    pub fn eval(&self, terms: &Terms, term: Term) -> Option<Bits> {
        self.eval_with(&mut Evaluation::default(), terms, term)
    }

    /// As [`eval`](Self::eval), with what an evaluation in this model remembers.
    pub(crate) fn eval_with(&self, evaluation: &mut Evaluation, terms: &Terms, term: Term) -> Option<Bits> {
        let small = eval::evaluate_if_small(terms, term, &mut |node| self.leaf(terms, node));
        let fast = small.or_else(|| evaluation.evaluate(terms, term, &mut InModel(self)));
        if fast.is_some() {
            return fast;
        }
        match self.eval_value(terms, term)? {
            Value::Bits(bits) => Some(bits),
            _ => None,
        }
    }

    /// Whether a truth value holds; `None` as for [`eval`](Self::eval).
    pub fn holds(&self, terms: &Terms, term: Term) -> Option<bool> {
        self.eval(terms, term).map(Bits::is_true)
    }

    /// For many terms that share much.
    pub fn evaluator<'a>(&'a self, terms: &'a Terms) -> Evaluator<'a> {
        Evaluator { model: self, terms, evaluation: Evaluation::default() }
    }

    fn leaf(&self, terms: &Terms, node: &Node) -> Option<Bits> {
        match node.op {
            Op::Apply => self.application(node, || terms.arguments(node).iter().map(|&a| self.eval(terms, a)).collect()),
            _ => self.value_of(node),
        }
    }

    fn value_of(&self, node: &Node) -> Option<Bits> {
        if node.sort.is_array() || node.width() > Bits::MAX_WIDTH {
            return None;
        }
        match node.op {
            Op::Symbol => Some(self.data.symbols.get(&node.symbol()).copied().unwrap_or(zero_of(node))),
            Op::Address => Some(match self.data.addresses.get(&node.symbol()) {
                Some(bits) if bits.width() == zero_of(node).width() => *bits,
                _ => default_address(node),
            }),
            _ => None,
        }
    }

    /// The value of an uninterpreted function, with its arguments if they matter.
    fn application(&self, node: &Node, arguments: impl FnOnce() -> Option<Vec<Bits>>) -> Option<Bits> {
        if node.sort.is_array() || node.width() > Bits::MAX_WIDTH {
            return None;
        }
        let Some(table) = self.data.functions.get(&node.symbol()) else { return Some(zero_of(node)) };
        Some(table.get(&arguments()?).copied().unwrap_or(zero_of(node)))
    }

    /// The value of any term, arrays and wide bit-vectors included.
    pub fn eval_value(&self, terms: &Terms, root: Term) -> Option<Value> {
        let mut memo: FastMap<Term, Option<Value>> = FastMap::default();
        let mut stack = vec![root];
        while let Some(&term) = stack.last() {
            if memo.contains_key(&term) {
                stack.pop();
                continue;
            }
            let node = terms.node(term);
            let (operands, arity) = node.operands();
            let waiting = stack.len();
            stack.extend(operands[..arity].iter().filter(|o| !memo.contains_key(o)));
            if stack.len() > waiting {
                continue;
            }
            stack.pop();
            let value = self.combine(terms, &node, |i| memo[&operands[i]].as_ref());
            memo.insert(term, value);
        }
        memo.remove(&root).flatten()
    }

    fn combine<'a>(&self, terms: &Terms, node: &Node, operand: impl Fn(usize) -> Option<&'a Value>) -> Option<Value> {
        let width = node.width();
        match node.op {
            Op::Symbol if node.sort.is_array() => {
                let empty = || ArrayValue::new(Bits::new(width.min(128), 0));
                return Some(Value::Array(self.data.arrays.get(&node.symbol()).cloned().unwrap_or_else(empty)));
            }
            Op::Symbol if width > Bits::MAX_WIDTH => {
                let zero = || vec![false; width as usize].into();
                return Some(Value::Wide(self.data.wide.get(&node.symbol()).cloned().unwrap_or_else(zero)));
            }
            Op::Symbol | Op::Address | Op::Apply => return self.leaf(terms, node).map(Value::Bits),
            Op::Ite => match operand(0)? {
                Value::Bits(c) => return operand(if c.is_true() { 1 } else { 2 }).cloned(),
                _ => return None,
            },
            Op::Select => match (operand(0)?, operand(1)?) {
                (Value::Array(array), Value::Bits(index)) => return Some(Value::Bits(array.get(*index))),
                _ => return None,
            },
            Op::Store => match (operand(0)?, operand(1)?, operand(2)?) {
                (Value::Array(array), Value::Bits(index), Value::Bits(value)) => {
                    let mut array = array.clone();
                    array.set(*index, *value);
                    return Some(Value::Array(array));
                }
                _ => return None,
            },
            Op::ConstArray => match operand(0)? {
                Value::Bits(value) => return Some(Value::Array(ArrayValue::new(*value))),
                _ => return None,
            },
            Op::Eq => {
                if let (Value::Array(a), Value::Array(b)) = (operand(0)?, operand(1)?) {
                    return array_equality(a, b, terms.sort(node.operand(0)).index_width());
                }
            }
            _ => {}
        }
        let arity = node.op.arity();
        let mut values = [Bits::FALSE; 3];
        let mut narrow = width <= Bits::MAX_WIDTH;
        for (i, slot) in values.iter_mut().enumerate().take(arity) {
            match operand(i)? {
                Value::Bits(bits) => *slot = *bits,
                Value::Wide(_) => narrow = false,
                Value::Array(_) => return None,
            }
        }
        if narrow {
            return eval::apply(node, &values[..arity]).map(Value::Bits);
        }
        let words: Option<Vec<Word>> = (0..arity).map(|i| operand(i).and_then(wide::of_value)).collect();
        wide::apply(node, &words?)
    }
}

/// Evaluates many terms in one model; what they share is evaluated once.
pub struct Evaluator<'a> {
    model: &'a Model,
    terms: &'a Terms,
    evaluation: Evaluation,
}

impl Evaluator<'_> {
    /// As [`Model::holds`].
    pub fn holds(&mut self, term: Term) -> Option<bool> {
        self.value(term).map(Bits::is_true)
    }

    /// As [`Model::eval`].
    pub(crate) fn value(&mut self, term: Term) -> Option<Bits> {
        self.model.eval_with(&mut self.evaluation, self.terms, term)
    }
}

/// A model as the assignment of a term's leaves.
struct InModel<'a>(&'a Model);

impl Assignment for InModel<'_> {
    fn value(&mut self, leaf: &Node) -> Option<Bits> {
        self.0.value_of(leaf)
    }
    fn element(&mut self, array: &Node, index: Bits) -> Option<Bits> {
        let zero = (array.width() <= Bits::MAX_WIDTH).then(|| Bits::new(array.width(), 0));
        self.0.data.arrays.get(&array.symbol()).map_or(zero, |array| Some(array.get(index)))
    }
    fn apply(&mut self, node: &Node, arguments: &[Option<Bits>]) -> Option<Bits> {
        self.0.application(node, || arguments.iter().copied().collect())
    }
}

/// Two arrays with a different default are different unless every index is listed.
fn array_equality(a: &ArrayValue, b: &ArrayValue, index_width: u32) -> Option<Value> {
    let listed = a.entries.keys().chain(b.entries.keys()).collect::<std::collections::BTreeSet<_>>();
    let at = |array: &ArrayValue, index: u128| array.entries.get(&index).copied().unwrap_or(array.default);
    let agree = listed.iter().all(|&&i| at(a, i) == at(b, i));
    let all_listed = index_width < 32 && listed.len() as u64 == 1u64 << index_width;
    Some(Value::Bits(Bits::from_bool(agree && (all_listed || a.default == b.default))))
}

fn zero_of(node: &Node) -> Bits {
    Bits::new(if node.sort.is_integer() { INTEGER_WIDTH } else { node.width() }, 0)
}

/// An address that no model names: some aligned value that is not null, the same in every run.
fn default_address(node: &Node) -> Bits {
    let spread = (node.fingerprint as u128 & !0xF) & (Bits::mask(node.width()) >> 1);
    Bits::new(node.width(), if spread == 0 { 1 << (node.width() - 1).min(4) } else { spread })
}
