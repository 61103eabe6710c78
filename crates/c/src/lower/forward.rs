//! Memory behind pointers from outside: a load from the address of the last store, or of the last load, gives what is
//! there, on ways without a join, and as long as nothing else may have been written. No analysis knows more of such
//! memory, and some know nothing. The access that is left was the same one, so nothing undefined is lost. What lies in
//! objects of the program is left to the analyses.

use assay_base::{FastSet, IdVec};
use assay_cfa::operation::Operation;
use assay_cfa::program::{Location, LocationId, VarId};
use assay_cfa::{Builder, EdgeId};
use assay_term::{Op, SymbolId, Term, Terms};
use std::sync::Arc;

/// So many places are remembered on a way.
const MOST: usize = 16;

/// How far pointers are followed from one register to the next.
const ROUNDS: usize = 8;

/// What lies at an address.
#[derive(Clone)]
struct Known {
    address: Term,
    value: Term,
    /// The registers in both.
    symbols: Vec<SymbolId>,
}

type Facts = Arc<Vec<Known>>;

/// Replaces loads in all functions.
pub(crate) fn forward(builder: &mut Builder) {
    let outside = outside(builder);
    if outside.is_empty() {
        return;
    }
    let mut facts: IdVec<LocationId, Option<Facts>> = IdVec::filled(None, builder.locations.len());
    // A location with one edge into it knows what its source knows; all others begin with nothing.
    let begins = |builder: &Builder, location: LocationId| {
        let Location { function, ref incoming, .. } = builder.locations[location];
        incoming.len() != 1 || builder.functions[function].entry == location
    };
    let mut work: Vec<LocationId> = builder.locations.ids().filter(|&location| begins(builder, location)).collect();
    for &location in &work {
        facts[location] = Some(Facts::default());
    }
    while let Some(location) = work.pop() {
        let Some(before) = facts[location].take() else { continue };
        for edge in builder.locations[location].outgoing.clone() {
            let after = follow(builder, &outside, edge, &before);
            let target = builder.edges[edge].target;
            if !begins(builder, target) {
                facts[target] = Some(after);
                work.push(target);
            }
        }
    }
}

/// The registers that hold pointers from outside: any value, what such a register holds, and what lies behind one.
fn outside(builder: &Builder) -> FastSet<SymbolId> {
    let terms = &builder.terms;
    let symbol = |register: VarId| terms.node(builder.read(register)).symbol();
    let wide = |register: VarId| builder.variables[register].register_width() == Some(builder.pointer_width());
    let mut found: FastSet<SymbolId> = FastSet::default();
    for _ in 0..ROUNDS {
        let before = found.len();
        for edge in builder.edges.iter() {
            match &edge.operation {
                Operation::Havoc { target, .. } if wide(*target) => drop(found.insert(symbol(*target))),
                Operation::Assign { target, value: from } | Operation::Load { target, address: from }
                    if wide(*target) && leads_outside(terms, &found, *from) =>
                {
                    found.insert(symbol(*target));
                }
                Operation::Call { callee, arguments, result } => {
                    let function = &builder.functions[*callee];
                    for (&parameter, &argument) in function.parameters.iter().zip(arguments) {
                        if wide(parameter) && leads_outside(terms, &found, argument) {
                            found.insert(symbol(parameter));
                        }
                    }
                    if let (Some(to), Some(from)) = (*result, function.result)
                        && wide(to)
                        && found.contains(&symbol(from))
                    {
                        found.insert(symbol(to));
                    }
                }
                _ => {}
            }
        }
        if found.len() == before {
            break;
        }
    }
    found
}

/// Whether an address is one of these registers, or lies beside it.
fn leads_outside(terms: &Terms, outside: &FastSet<SymbolId>, address: Term) -> bool {
    let mut work = vec![address];
    while let Some(term) = work.pop() {
        let node = terms.node(term);
        match node.op {
            Op::Add => work.extend([node.operand(0), node.operand(1)]),
            Op::Symbol if outside.contains(&node.symbol()) => return true,
            _ => {}
        }
    }
    false
}

/// What is known after an edge; its operation changes where that helps.
fn follow(builder: &mut Builder, outside: &FastSet<SymbolId>, edge: EdgeId, before: &Facts) -> Facts {
    match &builder.edges[edge].operation {
        Operation::Skip | Operation::Assume { .. } | Operation::AssumeMemory { .. } | Operation::Check { .. } => before.clone(),
        Operation::Assign { target, .. } | Operation::Havoc { target, .. } | Operation::Allocate { target, .. } => {
            without(builder, before, *target)
        }
        Operation::Store { address, value } => stored(&builder.terms, outside, before, *address, *value),
        Operation::Load { target, address } => {
            let (target, address) = (*target, *address);
            let width = builder.variables[target].register_width();
            let found = before.iter().find(|known| known.address == address && Some(builder.terms.width(known.value)) == width);
            if let Some(value) = found.map(|known| known.value) {
                builder.edges[edge].operation = Operation::Assign { target, value };
                return without(builder, before, target);
            }
            let rest = without(builder, before, target);
            let value = builder.read(target);
            let symbol = builder.terms.node(value).symbol();
            if builder.terms.free_symbols(address).contains(&symbol) {
                rest
            } else {
                learned(&builder.terms, outside, rest, address, value)
            }
        }
        _ => Facts::default(),
    }
}

/// What does not speak of a register.
fn without(builder: &Builder, facts: &Facts, register: VarId) -> Facts {
    let symbol = builder.terms.node(builder.read(register)).symbol();
    if facts.iter().any(|known| known.symbols.contains(&symbol)) {
        return Arc::new(facts.iter().filter(|known| !known.symbols.contains(&symbol)).cloned().collect());
    }
    facts.clone()
}

fn stored(terms: &Terms, outside: &FastSet<SymbolId>, facts: &Facts, address: Term, value: Term) -> Facts {
    let size = u128::from(terms.width(value) / 8);
    let apart = |known: &&Known| {
        let other = u128::from(terms.width(known.value) / 8);
        let width = terms.width(address);
        // The distance to the known place, forwards; backwards it wraps.
        terms.as_constant(terms.sub(known.address, address)).is_some_and(|distance| {
            let forwards = distance.value();
            forwards >= size && (1u128 << width) - forwards >= other
        })
    };
    let rest: Vec<Known> = facts.iter().filter(apart).cloned().collect();
    learned(terms, outside, Arc::new(rest), address, value)
}

fn learned(terms: &Terms, outside: &FastSet<SymbolId>, mut facts: Facts, address: Term, value: Term) -> Facts {
    if !leads_outside(terms, outside, address) {
        return facts;
    }
    let list = Arc::make_mut(&mut facts);
    list.retain(|known| known.address != address);
    if list.len() == MOST {
        list.remove(0);
    }
    let mut symbols = terms.free_symbols(address).to_vec();
    symbols.extend(terms.free_symbols(value).iter());
    list.push(Known { address, value, symbols });
    facts
}
