//! Invariants of a finished proof as C expressions: at each loop head, what all abstract states there agree on.

use assay_base::Span;
use assay_cfa::{CType, LocationId, Origin, Program, Role, VarId};
use assay_cpa::{Domain, Exploration};
use assay_domains::induction::{InductionDomain, InductionPrecision};
use assay_domains::value::ValueState;
use assay_results::value::c_constant;
use assay_results::{Invariant, InvariantKind};
use assay_semantics::state::Value;
use assay_term::{Bits, Op, Term, Terms};
use std::collections::{BTreeMap, BTreeSet};

/// At most this many values of one variable are listed.
const MAX_VALUES: usize = 8;

/// One invariant for each loop of the source whose states say something that C can express.
/// `values` gives the values of a state.
pub(crate) fn of_exploration<D: Domain>(exploration: &Exploration<'_, D>, values: impl Fn(&D::State) -> &ValueState) -> Vec<Invariant> {
    let program = exploration.environment.program;
    let heads = loop_keywords(program);
    let mut found: BTreeMap<LocationId, Option<BTreeMap<VarId, BTreeSet<Bits>>>> = BTreeMap::new();
    for node in exploration.arg.live() {
        let location = exploration.arg.head(node).location;
        if !heads.contains_key(&location) {
            continue;
        }
        let Some(state) = exploration.reached.get(node) else { continue };
        let here = known(program, location, values(state));
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
                let cases: Option<Vec<String>> =
                    bits.iter().map(|&b| Some(format!("{} == {}", info.source_name, c_constant(&info.ctype, b)?))).collect();
                let cases = cases?;
                Some(if cases.len() == 1 { cases[0].clone() } else { format!("({})", cases.join(" || ")) })
            })
            .collect();
        let expression = if parts.is_empty() { "1".to_string() } else { parts.join(" && ") };
        invariants.push(Invariant { kind: InvariantKind::Loop, location, expression, span: heads[&location], weakened: true });
    }
    invariants
}

/// One invariant for each loop of the source that induction proved something about: bounds of variables, and relations
/// between two.
pub(crate) fn of_induction(domain: &InductionDomain<'_, '_>, precision: &InductionPrecision) -> Vec<Invariant> {
    let (structure, bounds) = (domain.structure, domain.bounds);
    let program = structure.program;
    let terms = &*domain.values.terms;
    let keywords = loop_keywords(program);
    let loops = structure.loops();
    let mut invariants = Vec::new();
    for (id, info) in loops.loops.iter_ids() {
        let deciding = info.locations.iter().find(|&&location| loops.innermost[location] == Some(id) && keywords.contains_key(&location));
        let Some(&span) = deciding.and_then(|location| keywords.get(location)) else { continue };
        let mut parts = Vec::new();
        for &variable in program.globals.iter().chain(&program.functions[info.function].locals) {
            if !domain.touches(id, variable) {
                continue;
            }
            let Some((text, signed)) = c_integer(program, variable, span) else { continue };
            let Some(range) = bounds.of(info.head, variable) else { continue };
            let ctype = &program.variables[variable].ctype;
            let width = range.width();
            let (least, greatest) = match signed {
                true => (Bits::new(width, range.signed_min() as u128), Bits::new(width, range.signed_max() as u128)),
                false => (Bits::new(width, range.unsigned_min()), Bits::new(width, range.unsigned_max())),
            };
            let (Some(least), Some(greatest)) = (c_constant(ctype, least), c_constant(ctype, greatest)) else { continue };
            parts.push(if least == greatest { format!("{text} == {least}") } else { format!("{least} <= {text} && {text} <= {greatest}") });
        }
        parts.extend(domain.invariants(precision, id).into_iter().filter_map(|term| c_relation(program, terms, term, span)));
        let expression = if parts.is_empty() { "1".to_string() } else { parts.join(" && ") };
        invariants.push(Invariant { kind: InvariantKind::Loop, location: info.head, expression, span, weakened: true });
    }
    invariants
}

/// The name of an integer variable of the source that is declared before the place, and whether it is signed. (One that
/// a loop uses and that is declared before the loop is in scope there.)
fn c_integer(program: &Program, variable: VarId, place: Span) -> Option<(&str, bool)> {
    let info = &program.variables[variable];
    let earlier = info.span.file == place.file && (info.span.line, info.span.column) < (place.line, place.column);
    let visible = matches!(info.role, Role::Source | Role::Parameter(_)) && !info.name.contains('#') && (info.is_global() || earlier);
    match info.ctype {
        CType::Integer { signed, .. } if visible => Some((&info.source_name, signed)),
        _ => None,
    }
}

/// A comparison of two variables in C, if it means the same there.
fn c_relation(program: &Program, terms: &Terms, term: Term, place: Span) -> Option<String> {
    let node = terms.node(term);
    let (node, negated) = if node.op == Op::Not { (terms.node(node.operand(0)), true) } else { (node, false) };
    let side = |index: usize| {
        let node = terms.node(node.operand(index));
        if node.op == Op::Symbol { c_integer(program, program.variable_of(node.symbol())?, place) } else { None }
    };
    let (operator, needs_signed) = match (node.op, negated) {
        (Op::Eq, false) => ("==", None),
        (Op::SignedLess, false) => ("<", Some(true)),
        (Op::SignedLess, true) => (">=", Some(true)),
        (Op::UnsignedLess, false) => ("<", Some(false)),
        (Op::UnsignedLess, true) => (">=", Some(false)),
        _ => return None,
    };
    let ((left, left_signed), (right, right_signed)) = (side(0)?, side(1)?);
    let fits = left_signed == right_signed && needs_signed.is_none_or(|signed| signed == left_signed);
    fits.then(|| format!("{left} {operator} {right}"))
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
fn loop_keywords(program: &Program) -> BTreeMap<LocationId, Span> {
    let mut heads = BTreeMap::new();
    for edge in program.edges.iter() {
        if let Origin::Branch { keyword, looping: true, .. } = edge.origin {
            heads.insert(edge.source, keyword);
        }
    }
    heads
}
