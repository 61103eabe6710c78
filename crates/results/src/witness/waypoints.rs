//! The stations of a violation that a validator is led through: returned inputs, branches, and the target.

use crate::value::c_constant;
use crate::{Counterexample, InputOrigin, path};
use assay_base::Span;
use assay_cfa::Step;
use assay_cfa::{EdgeId, Operation, Origin, Program, SourceId, ValueSourceKind, VarId};
use assay_term::Bits;

/// A station of a violation witness.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Waypoint {
    /// What happens there.
    pub kind: WaypointKind,
    /// The place that the kind asks for.
    pub span: Span,
    /// The function in which the place lies.
    pub function: String,
}

/// What a station says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WaypointKind {
    /// A branch goes this way; the place is its keyword.
    Branching(bool),
    /// A call returns this constant; the place is its closing parenthesis.
    FunctionReturn(String),
    /// A function with a body is entered; the place is the closing parenthesis of the call.
    FunctionEnter(String),
    /// The last one: the property is violated here.
    Target,
}

/// More stations than this help no validator.
const MAX_WAYPOINTS: usize = 5000;

/// The stations in order; the last is the target. Empty if the path has no place in the source.
pub fn waypoints(program: &Program, counterexample: &Counterexample) -> Vec<Waypoint> {
    let mut found: Vec<Waypoint> = Vec::new();
    let mut inputs = counterexample.inputs.iter().filter_map(|input| match input.origin {
        InputOrigin::Source(source) => Some((source, input.bits)),
        InputOrigin::Memory { .. } => None,
    });
    for step in &counterexample.path {
        let Step::Edge(id) = step.step else { continue };
        let edge = &program.edges[id];
        let owner = &program.functions[program.locations[edge.source].function];
        let function = || owner.name.clone();
        if !owner.span.is_known() {
            // What prepares the run of `main` is not in the source; its inputs are used up all the same.
            if let Operation::Havoc { .. } = edge.operation {
                inputs.next();
            }
            continue;
        }
        match (&edge.operation, edge.origin) {
            (Operation::Havoc { target, source }, _) => {
                let value = inputs.next().filter(|(asked, _)| asked == source).map(|(_, bits)| bits);
                if let Some(waypoint) = returned(program, id, *target, *source, value, function()) {
                    found.push(waypoint);
                }
            }
            (_, Origin::Branch { taken, keyword, .. }) if keyword.is_known() => {
                let Some(keyword) = branch_place(program, keyword) else { continue };
                // A condition with && and || takes several edges at one keyword; only the last decision is the
                // branch's.
                if found.last().is_some_and(|last| last.span == keyword && matches!(last.kind, WaypointKind::Branching(_))) {
                    found.pop();
                }
                found.push(Waypoint { kind: WaypointKind::Branching(taken), span: keyword, function: function() });
            }
            (Operation::Call { callee, .. }, Origin::Call { close }) if close.is_known() => {
                let name = program.functions[*callee].name.clone();
                found.push(Waypoint { kind: WaypointKind::FunctionEnter(name), span: close, function: function() });
            }
            _ => {}
        }
    }
    if found.len() > MAX_WAYPOINTS {
        // The inputs decide the path in any case.
        found.retain(|waypoint| matches!(waypoint.kind, WaypointKind::FunctionReturn(_)));
        found.truncate(MAX_WAYPOINTS);
    }
    let Some(span) = path::target_span(program, counterexample) else { return vec![] };
    let function = path::last_edge(counterexample).map(|edge| program.locations[program.edges[edge].source].function);
    let function = function.map_or(String::new(), |id| program.functions[id].name.clone());
    found.push(Waypoint { kind: WaypointKind::Target, span, function });
    found
}

/// The station of an input that a function returned.
fn returned(program: &Program, edge: EdgeId, target: VarId, source: SourceId, value: Option<Bits>, function: String) -> Option<Waypoint> {
    let origin = program.value_sources.get(source)?;
    if !matches!(origin.kind, ValueSourceKind::Input | ValueSourceKind::External | ValueSourceKind::System) {
        return None;
    }
    let span = match program.edges[edge].origin {
        Origin::Call { close } if close.is_known() => close,
        _ => closing_parenthesis(program, origin.span)?,
    };
    let constant = c_constant(&program.variables[target].ctype, value?)?;
    Some(Waypoint { kind: WaypointKind::FunctionReturn(constant), span, function })
}

/// Where a branch stands by the rules of witnesses: at its keyword, or at the `?` of a conditional expression, which
/// must then be on the line on which its condition begins.
fn branch_place(program: &Program, span: Span) -> Option<Span> {
    let line = program.sources.files.get(span.file)?.line(span.line)?;
    let start = (span.column.max(1) - 1) as usize;
    let rest = line.get(start..)?;
    let word = rest.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next().unwrap_or_default();
    if matches!(word, "if" | "while" | "for" | "do" | "switch" | "case" | "default") {
        return Some(span);
    }
    let mut depth = 0;
    for (index, byte) in rest.bytes().enumerate() {
        match byte {
            b'(' | b'[' => depth += 1,
            b')' | b']' => depth -= 1,
            b'?' if depth <= 0 => return Some(Span { column: (start + index) as u32 + 1, ..span }),
            _ => {}
        }
    }
    None
}

/// The closing parenthesis of the call that begins at the place, if it is on the same line.
fn closing_parenthesis(program: &Program, span: Span) -> Option<Span> {
    let line = program.sources.files.get(span.file)?.line(span.line)?;
    let start = (span.column.max(1) - 1) as usize;
    let mut depth = 0;
    for (index, byte) in line.bytes().enumerate().skip(start) {
        match byte {
            b'(' => depth += 1,
            b')' if depth <= 1 => return (depth == 1).then_some(Span { column: index as u32 + 1, ..span }),
            b')' => depth -= 1,
            _ => {}
        }
    }
    None
}
