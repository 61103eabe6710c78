//! Arrays and uninterpreted functions on top of the bit level: models are read off, and where one breaks a law
//! (equal arguments, different results; arrays called equal that are not) that instance of the law is added.

use super::blast::{Blaster, Owner};
use super::lit::Lit;
use super::operators::Unsupported;
use super::sat::Sat;
use crate::model::{ArrayValue, Model, ModelData, Value};
use assay_base::FastMap;
use assay_term::{Bits, Op, SymbolId, Term, Terms};

type Valuation<'a> = dyn Fn(&Sat, Lit) -> bool + 'a;

fn bits_of(sat: &Sat, word: &[Lit], value: &Valuation<'_>) -> Bits {
    let number = word.iter().enumerate().fold(0u128, |sum, (i, &lit)| sum | (value(sat, lit) as u128) << i);
    Bits::new(word.len() as u32, number)
}

/// The values of everything that a query depends on.
pub(super) fn extract(blaster: &Blaster, owners: &[u32], value: &Valuation<'_>) -> ModelData {
    let sat = &blaster.circuit.sat;
    let mut model = ModelData::default();
    for &owner in owners {
        match &blaster.owners[owner as usize] {
            Owner::Symbol { symbol, bits } if bits.len() > Bits::MAX_WIDTH as usize => {
                model.wide.insert(*symbol, bits.iter().map(|&l| value(sat, l)).collect());
            }
            Owner::Symbol { symbol, bits } => {
                model.symbols.insert(*symbol, bits_of(sat, bits, value));
            }
            Owner::Address { symbol, bits } => {
                model.addresses.insert(*symbol, bits_of(sat, bits, value));
            }
            Owner::Application { function, index, arguments, result, .. } => {
                let arguments: Vec<Bits> = arguments.iter().map(|a| bits_of(sat, a, value)).collect();
                let result = bits_of(sat, result, value);
                if index.is_some() {
                    let empty = || ArrayValue::new(Bits::new(result.width(), 0));
                    let slot = model.arrays.entry(*function).or_insert_with(empty);
                    slot.set(arguments[0], result);
                } else {
                    model.functions.entry(*function).or_default().insert(arguments, result);
                }
            }
            Owner::ArrayEquality { .. } => {}
        }
    }
    model
}

/// An instance of a law that a model breaks.
pub(super) enum Violation {
    /// Two applications (owners) with equal arguments and different results.
    Congruence(usize, usize),
    /// Arrays that were called equal, and an index at which they differ.
    Equality { equal: Lit, left: Term, right: Term, index: Term },
}

pub(super) fn violations(blaster: &Blaster, owners: &[u32], value: &Valuation<'_>, terms: &Terms, model: &ModelData) -> Vec<Violation> {
    let sat = &blaster.circuit.sat;
    let mut found = Vec::new();
    let mut seen: FastMap<(SymbolId, bool, Vec<Bits>), (usize, Bits)> = FastMap::default();
    let mut equalities = Vec::new();
    for &owner in owners {
        match &blaster.owners[owner as usize] {
            Owner::Application { function, index, arguments, result, .. } => {
                let values: Vec<Bits> = arguments.iter().map(|a| bits_of(sat, a, value)).collect();
                let result = bits_of(sat, result, value);
                let first = seen.entry((*function, index.is_some(), values)).or_insert((owner as usize, result));
                if first.1 != result {
                    found.push(Violation::Congruence(first.0, owner as usize));
                }
            }
            Owner::ArrayEquality { left, right, equal, .. } if value(sat, *equal) => equalities.push((*left, *right, *equal)),
            _ => {}
        }
    }
    if !found.is_empty() || equalities.is_empty() {
        return found;
    }
    let model = Model::from(model.clone());
    for (left, right, equal) in equalities {
        if let (Some(Value::Array(a)), Some(Value::Array(b))) = (model.eval_value(terms, left), model.eval_value(terms, right))
            && let Some(index) = difference(&a, &b, terms.sort(left).index_width())
        {
            let index = index_term(blaster, owners, terms, &model, [left, right], index);
            found.push(Violation::Equality { equal, left, right, index });
        }
    }
    found
}

/// An index as the query says it, so that what is learnt there holds whatever number it is: where the arrays are
/// written, where they are read, where others are read, or else the number.
fn index_term(blaster: &Blaster, owners: &[u32], terms: &Terms, model: &Model, arrays: [Term; 2], index: Bits) -> Term {
    let mut symbols = Vec::new();
    let mut candidates = Vec::new();
    terms.post_order(arrays, |_, node| match node.op {
        Op::Store => candidates.push(node.operand(1)),
        Op::Symbol if node.sort.is_array() => symbols.push(node.symbol()),
        _ => {}
    });
    let mut others = Vec::new();
    for &owner in owners {
        if let Owner::Application { function, index: Some(index), .. } = &blaster.owners[owner as usize] {
            let list = if symbols.contains(function) { &mut candidates } else { &mut others };
            list.push(*index);
        }
    }
    let is_it = |&candidate: &Term| {
        terms.as_constant(candidate).is_none() && terms.width(candidate) == index.width() && model.eval(terms, candidate) == Some(index)
    };
    candidates.into_iter().chain(others).find(is_it).unwrap_or_else(|| terms.constant(index))
}

fn difference(a: &ArrayValue, b: &ArrayValue, index_width: u32) -> Option<Bits> {
    let listed = a.entries.keys().chain(b.entries.keys()).copied();
    if let Some(index) = listed.map(|i| Bits::new(index_width, i)).find(|&i| a.get(i) != b.get(i)) {
        return Some(index);
    }
    if a.default == b.default {
        return None;
    }
    // The first index that neither lists.
    let free = (0..=Bits::mask(index_width)).find(|i| !a.entries.contains_key(i) && !b.entries.contains_key(i))?;
    Some(Bits::new(index_width, free))
}

pub(super) fn add_lemmas(blaster: &mut Blaster, terms: &Terms, violations: Vec<Violation>) -> Result<(), Unsupported> {
    for violation in violations {
        match violation {
            Violation::Congruence(first, second) => {
                let (Owner::Application { arguments: x, result: r, .. }, Owner::Application { arguments: y, result: s, .. }) =
                    (blaster.owners[first].clone(), blaster.owners[second].clone())
                else {
                    continue;
                };
                let mut same = Vec::new();
                for (a, b) in x.iter().zip(&y) {
                    same.push(blaster.circuit.equal_words(a, b));
                }
                let same = blaster.circuit.and_all(&same);
                for owner in [first, second] {
                    if let Owner::Application { depends, .. } = &mut blaster.owners[owner] {
                        depends.push(same);
                    }
                }
                for (&a, &b) in r.iter().zip(&s) {
                    blaster.add_lemma(&[!same, !a, b]);
                    blaster.add_lemma(&[!same, a, !b]);
                }
            }
            Violation::Equality { equal, left, right, index } => {
                let (a, b) = (blaster.read(terms, left, index)?, blaster.read(terms, right, index)?);
                let same = blaster.circuit.equal_words(&a, &b);
                blaster.add_lemma(&[!equal, same]);
                let owner = blaster.owner(equal.var());
                if let Some(Owner::ArrayEquality { depends, .. }) = owner.map(|o| &mut blaster.owners[o]) {
                    depends.push(same);
                }
            }
        }
    }
    Ok(())
}
