//! Interpolants of infeasible paths: what must be known between two steps so that the path cannot be taken. Made from
//! the path formula, by any method of the solver layer, and said of program variables where that is possible; predicate
//! analysis takes its predicates from here.

use assay_cfa::Step;
use assay_cfa::{FunctionId, Program, VarId};
use assay_formula::path::Unsupported;
use assay_formula::{PathFormula, naming};
use assay_semantics::state::ObjectName;
use assay_smt::interpolate::InterpolationError;
use assay_term::{Op, Term, Terms};

/// What holds between two steps.
#[derive(Clone, Debug, PartialEq)]
pub struct Assertion {
    /// Over instances `x@n` of the path formula.
    pub formula: Term,
    /// The same over variables and memory, as [`naming`] says; `None` where it speaks of values that nothing holds any
    /// more.
    pub over_variables: Option<Term>,
    /// What is worth tracking there, over variables and memory: the conjuncts that can be said of them.
    pub parts: Vec<Term>,
    /// The registers and the cells of memory (by byte offset) that it speaks of.
    pub variables: Vec<VarId>,
    /// By the object's name and the byte offset.
    pub cells: Vec<(ObjectName, u64)>,
    /// The function that is active there.
    pub function: Option<FunctionId>,
}

impl Assertion {
    /// Says a formula over instances of variables and memory.
    pub(crate) fn of(program: &Program, terms: &Terms, path: &PathFormula, group: usize, formula: Term) -> Assertion {
        let function = path.function(group);
        if terms.as_constant(formula).is_some() {
            return Assertion { formula, over_variables: Some(formula), parts: vec![], variables: vec![], cells: vec![], function };
        }
        let names = path.names(program, terms, group);
        let parts: Vec<Option<Term>> =
            terms.conjuncts(formula).into_iter().map(|part| names.as_ref().and_then(|names| names.say(part))).collect();
        let over_variables = parts.iter().all(Option::is_some).then(|| terms.and_all(parts.iter().copied().flatten()));
        let parts: Vec<Term> = parts.into_iter().flatten().collect();
        let (mut variables, mut cells) = (Vec::new(), Vec::new());
        terms.post_order(parts.iter().copied(), |_, node| {
            if let Some((variable, _)) = naming::register(program, terms, node) {
                variables.push(variable);
            } else if node.op == Op::Symbol {
                cells.extend(names.as_ref().and_then(|names| names.cell(node)));
            }
        });
        variables.sort_unstable();
        variables.dedup();
        cells.sort_unstable();
        cells.dedup();
        Assertion { formula, over_variables, parts, variables, cells, function }
    }
}

/// Why a path has no interpolants.
#[derive(Debug)]
pub enum PathInterpolationError {
    /// The path leads through a block's summary, or through an operation without a formula.
    Unsupported(String),
    /// The path is feasible, or the solver does not know.
    Interpolation(InterpolationError),
}

impl std::fmt::Display for PathInterpolationError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            PathInterpolationError::Unsupported(what) => f.write_str(what),
            PathInterpolationError::Interpolation(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for PathInterpolationError {}

impl From<Unsupported> for PathInterpolationError {
    fn from(error: Unsupported) -> Self {
        PathInterpolationError::Unsupported(error.to_string())
    }
}

impl From<InterpolationError> for PathInterpolationError {
    fn from(error: InterpolationError) -> Self {
        PathInterpolationError::Interpolation(error)
    }
}

pub(crate) fn formula(program: &Program, terms: &Terms, steps: &[Step]) -> Result<PathFormula, PathInterpolationError> {
    Ok(PathFormula::of(program, terms, steps)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::{TraceOptions, refute};
    use assay_cfa::EdgeId;
    use assay_smt::{Budget, Config, Solver};

    /// `x = 0; x = x + 1; call f(x); assume x > 5`, where `f` hands back its argument.
    const TEXT: &str = r#"program ILP32 main
global g (register 32) void source "g"
function main entry L0 exit L1
  local main::x (register 32) void source "x"
  E0: L0 -> L2 assign main::x 0:32
  E1: L2 -> L3 assign main::x (+ main::x 1:32)
  E2: L3 -> L4 call f main::x result main::x
  E3: L4 -> L5 assume (<s 5:32 main::x)
  E4: L5 -> L1 skip
end
function f entry L6 exit L7
  local f::a (register 32) void (parameter 0) "a"
  local f::r (register 32) void result ""
  E5: L6 -> L7 assign f::r f::a
end
"#;

    #[test]
    fn assertions_are_about_the_variables_of_their_place() {
        let program = assay_cfa::text::read(TEXT).expect("readable");
        let terms = Terms::overlay(program.terms.clone());
        let steps = [0, 1, 2, 5].map(|e| Step::Edge(EdgeId(e))).into_iter();
        let steps: Vec<Step> = steps.chain([Step::Return(EdgeId(2)), Step::Edge(EdgeId(3))]).collect();
        let mut solver = Solver::new(Config::default());
        let budget = Budget::default();
        let [craig, newton] = ["sequence", "newton-sp-core-live"].map(|name| TraceOptions::parse(name).expect("a method"));
        for method in [craig, newton] {
            let list = refute(&program, &terms, &steps, &mut solver, method, &budget).expect("the path is infeasible");
            assert_eq!(list.len(), steps.len());
            for (place, assertion) in list.iter().enumerate() {
                let text = |term: Term| terms.display(term).to_string();
                assert!(assertion.over_variables.is_some(), "{method:?} after {place} steps: {}", text(assertion.formula));
            }
            let inside = program.function("f");
            assert_eq!(list[3].function, inside);
            assert_eq!(list[1].function, program.function("main"));
        }
        let newton = refute(&program, &terms, &steps, &mut solver, newton, &budget).expect("infeasible");
        let texts: Vec<String> = newton.iter().filter_map(|a| a.over_variables).map(|t| terms.display(t).to_string()).collect();
        assert_eq!(texts[1..], ["(== main::x 0:32)", "(== main::x 1:32)", "(== f::a 1:32)", "(== f::r 1:32)", "(== main::x 1:32)"]);
        let feasible = refute(&program, &terms, &steps[..5], &mut solver, craig, &budget);
        assert!(matches!(feasible, Err(PathInterpolationError::Interpolation(InterpolationError::Satisfiable(_)))));
    }
}
