//! Constant propagation: variables that only ever have one value are replaced by it, and conditions that become plain
//! truths are folded.
//!
//! One value have: globals that no edge writes, parameters that every call gives the same constant, and locals
//! whose only write is one assignment of a constant that every use comes after.

use super::rebuild::{drafts, rebuild};
use assay_base::{FastMap, Id, IdVec};
use assay_cfa::operation::Operation;
use assay_cfa::program::{EdgeId, Program, Role, Scope, VarId};
use assay_cfa::structure::Dominators;
use assay_term::{Node, Op, Term, Terms};

/// Each iteration can make more values constant; most programs need two.
const ROUNDS: usize = 8;

/// Replaces variables of one value, folds conditions, and drops what is then unreachable.
pub fn propagate_constants(mut program: Program) -> Program {
    let terms = Terms::overlay(std::mem::take(&mut program.terms));
    let dominators = Dominators::of(&program);
    let mut known: FastMap<VarId, Term> = FastMap::default();
    for _ in 0..ROUNDS {
        let before = known.len();
        find_constants(&program, &terms, &dominators, &mut known);
        if known.len() == before {
            break;
        }
        substitute(&mut program, &terms, &known);
    }
    let mut drafts = drafts(&mut program);
    for draft in &mut drafts {
        match draft.edge.operation {
            Operation::Assume { condition } if terms.is_true(condition) => draft.edge.operation = Operation::Skip,
            Operation::Check { fails, .. } if terms.is_false(fails) => draft.edge.operation = Operation::Skip,
            _ => {}
        }
    }
    drafts.retain(|draft| !matches!(draft.edge.operation, Operation::Assume { condition } if terms.is_false(condition)));
    program.terms = terms.freeze();
    rebuild(program, drafts)
}

/// What the edges do to each variable.
#[derive(Clone, Copy, Default)]
struct Writes {
    count: u32,
    /// The edge of the last assignment.
    assignment: Option<EdgeId>,
}

fn find_constants(program: &Program, terms: &Terms, dominators: &Dominators, known: &mut FastMap<VarId, Term>) {
    let mut writes: IdVec<VarId, Writes> = IdVec::filled(Writes::default(), program.variables.len());
    // `None` once two calls give different values, or one that is not constant.
    let mut arguments_of: FastMap<VarId, Option<Term>> = FastMap::default();
    for (id, edge) in program.edges.iter_ids() {
        if let Some(written) = edge.operation.written_register() {
            writes[written].count += 1;
            writes[written].assignment = Some(id);
        }
        if let Operation::Call { callee, arguments, .. } = &edge.operation {
            for (&parameter, &argument) in program.functions[*callee].parameters.iter().zip(arguments) {
                let value = is_constant(program, terms, argument).then_some(argument);
                let entry = arguments_of.entry(parameter).or_insert(value);
                if *entry != value {
                    *entry = None;
                }
            }
        }
    }
    let mut candidates: Vec<(VarId, EdgeId, Term)> = vec![];
    for (id, variable) in program.variables.iter_ids() {
        let Some(width) = variable.register_width() else { continue };
        let Writes { count, assignment } = writes[id];
        match (variable.scope, variable.role, count, assignment) {
            (Scope::Global, _, 0, _) => {
                let value = variable.initial.first().map_or_else(|| zero(terms, width), |&(_, value)| Some(value));
                known.extend(value.map(|value| (id, value)));
            }
            (Scope::Local(function), Role::Parameter(_), 0, _) if function != program.entry => {
                known.extend(arguments_of.get(&id).copied().flatten().map(|value| (id, value)));
            }
            (Scope::Local(_), Role::Source | Role::Temporary, 1, Some(edge)) => {
                if let Operation::Assign { value, .. } = program.edges[edge].operation
                    && is_constant(program, terms, value)
                {
                    candidates.push((id, edge, value));
                }
            }
            _ => {}
        }
    }
    let by_variable: FastMap<VarId, EdgeId> = candidates.iter().map(|&(v, e, _)| (v, e)).collect();
    let mut bad: assay_base::FastSet<VarId> = Default::default();
    for edge in program.edges.iter() {
        for term in edge.operation.terms() {
            for variable in terms.free_symbols(term).into_iter().filter_map(|s| program.variable_of(s)) {
                let Some(&assignment) = by_variable.get(&variable) else { continue };
                let after = program.edges[assignment].target;
                // The location after the assignment is entered by it alone, so that dominance of the one is that of the
                // other.
                if program.locations[after].incoming.len() != 1 || !dominators.dominates(after, edge.source) {
                    bad.insert(variable);
                }
            }
        }
    }
    known.extend(candidates.into_iter().filter(|(v, _, _)| !bad.contains(v)).map(|(v, _, value)| (v, value)));
}

fn zero(terms: &Terms, width: u32) -> Option<Term> {
    (width <= 128).then(|| terms.number(width, 0))
}

/// Constants, and addresses of globals with constant offsets; these mean the same in every frame.
fn is_constant(program: &Program, terms: &Terms, term: Term) -> bool {
    let is_leaf = |node: &Node| match node.op {
        Op::Const => true,
        Op::Address => match program.variable_of(node.symbol()) {
            Some(variable) => program.variables[variable].is_global(),
            None => program.function_of(node.symbol()).is_some(),
        },
        _ => false,
    };
    let node = terms.node(term);
    let is_sum = node.op == Op::Add && [0, 1].into_iter().all(|i| is_leaf(&terms.node(node.operand(i))));
    is_leaf(&node) || is_sum
}

fn substitute(program: &mut Program, terms: &Terms, known: &FastMap<VarId, Term>) {
    let mut memo: FastMap<Term, Term> = FastMap::default();
    let count = program.variables.len();
    for edge in program.edges.iter_mut() {
        edge.operation.map_terms(&mut |term| {
            terms.substitute_with(
                term,
                &mut |node| {
                    let is_variable = node.op == Op::Symbol && node.symbol().index() < count;
                    if is_variable { known.get(&VarId(node.symbol().0)).copied() } else { None }
                },
                &mut memo,
            )
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check;

    const HEAD: &str = "program LP64 main
source n0 input \"nondet\" 0:0:0
global g (register 32) void source \"g\" (init (0 5:32))
global z (register 32) void source \"z\"
global w (register 32) void source \"w\"
";

    #[test]
    fn one_value_is_put_in_everywhere() {
        check(
            &format!(
                "{HEAD}function main entry L0 exit L1
                   local main::a (register 32) void source \"a\"
                   L0 -> L2 assign main::a (+ g 1:32)
                   L2 -> L3 call f main::a w
                   L3 -> L4 assume (== z 0:32)
                   L3 -> L5 assume (~ (== z 0:32))
                   L5 -> L4 skip
                   L4 -> L1 check division (== g 0:32)
                 end
                 function f entry L6 exit L7
                   local f::p (register 32) void (parameter 0) \"p\"
                   local f::q (register 32) void (parameter 1) \"q\"
                   L6 -> L7 assign w (+ f::p f::q)
                 end"
            ),
            propagate_constants,
            "function main entry L0 exit L1
               E0: L0 -> L2 assign main::a 6:32
               E1: L2 -> L3 call f 6:32 w
               E2: L3 -> L4 skip
               E3: L4 -> L1 skip
             end
             function f entry L5 exit L6
               E4: L5 -> L6 assign w (+ f::q 6:32)
             end",
        );
    }

    #[test]
    fn values_that_may_differ_stay() {
        let body = "function main entry L0 exit L1
                   E0: L0 -> L2 assume (== w 0:32)
                   E1: L0 -> L3 assign main::a 7:32
                   E2: L3 -> L2 havoc w n0
                   E3: L2 -> L4 assign w main::a
                   E4: L4 -> L5 call f 1:32
                   E5: L5 -> L1 call f 2:32
                 end
                 function f entry L6 exit L7
                   E6: L6 -> L7 assign w f::p
                 end";
        let locals = body.replace("exit L1\n", "exit L1\nlocal main::a (register 32) void source \"a\"\n");
        let locals = locals.replace("exit L7\n", "exit L7\nlocal f::p (register 32) void (parameter 0) \"p\"\n");
        check(&format!("{HEAD}{locals}"), propagate_constants, body);
    }
}
