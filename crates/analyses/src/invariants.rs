//! Invariants of a finished proof as C expressions: at each loop head, what all abstract states there agree on.

use assay_cfa::state::Value;
use assay_cfa::{CType, LocationId, Origin, Program, Role, VarId};
use assay_cpa::Exploration;
use assay_domains::value::{ValueDomain, ValueState};
use assay_results::{Invariant, InvariantKind};
use assay_term::Bits;
use std::collections::{BTreeMap, BTreeSet};

/// At most this many values of one variable are listed.
const MAX_VALUES: usize = 8;

/// One invariant for each loop of the source whose states say something that C can express.
pub fn of_exploration(program: &Program, exploration: &Exploration<'_, ValueDomain<'_>>) -> Vec<Invariant> {
    let heads = loop_keywords(program);
    let mut found: BTreeMap<LocationId, Option<BTreeMap<VarId, BTreeSet<Bits>>>> = BTreeMap::new();
    for node in exploration.arg.live() {
        let location = exploration.arg.head(node).location;
        if !heads.contains_key(&location) {
            continue;
        }
        let Some(state) = exploration.reached.get(node) else { continue };
        let here = known(program, location, state);
        match found.entry(location).or_insert(None) {
            slot @ None => *slot = Some(here.into_iter().map(|(v, b)| (v, BTreeSet::from([b]))).collect()),
            Some(values) => values.retain(|variable, bits| match here.get(variable) {
                Some(value) => {
                    bits.insert(*value);
                    bits.len() <= MAX_VALUES
                }
                None => false,
            }),
        }
    }
    let mut invariants = Vec::new();
    for (location, values) in found {
        let parts: Vec<String> = values
            .into_iter()
            .flatten()
            .filter_map(|(variable, bits)| {
                let info = &program.variables[variable];
                let cases: Option<Vec<String>> = bits
                    .iter()
                    .map(|&b| Some(format!("{} == {}", info.source_name, assay_results::value::c_constant(&info.ctype, b)?)))
                    .collect();
                let cases = cases?;
                Some(if cases.len() == 1 { cases[0].clone() } else { format!("({})", cases.join(" || ")) })
            })
            .collect();
        let expression = if parts.is_empty() { "1".to_string() } else { parts.join(" && ") };
        invariants.push(Invariant { kind: InvariantKind::Loop, location, expression, span: heads[&location], weakened: true });
    }
    invariants
}

/// The integer variables of the source that have one value in the state: globals and locals of the function.
fn known(program: &Program, location: LocationId, state: &ValueState) -> BTreeMap<VarId, Bits> {
    let function = program.locations[location].function;
    let locals = program.functions[function].locals.iter();
    let mut values = BTreeMap::new();
    for &variable in program.globals.iter().chain(locals) {
        let info = &program.variables[variable];
        let visible = matches!(info.role, Role::Source | Role::Parameter(_)) && !info.name.contains('#');
        if visible
            && matches!(info.ctype, CType::Integer { .. } | CType::Bool)
            && let Value::Known { .. } = state.values.get(program, variable)
            && let Some(bits) = state.values.get(program, variable).as_bits()
        {
            values.insert(variable, bits);
        }
    }
    values
}

/// The locations at which a loop decides whether to go on, with the places of their keywords.
fn loop_keywords(program: &Program) -> BTreeMap<LocationId, assay_base::Span> {
    let mut heads = BTreeMap::new();
    for edge in program.edges.iter() {
        if let Origin::Branch { keyword, looping: true, .. } = edge.origin {
            heads.insert(edge.source, keyword);
        }
    }
    heads
}
