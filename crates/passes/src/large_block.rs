//! Larger steps: assumes that follow each other or stand beside each other become one, and values of variables that are
//! used only right after their assignment are put in place. Edges carry one operation, so that sequences of assignments
//! stay as they are.

use super::rebuild::{Draft, drafts, rebuild};
use assay_base::{FastMap, IdVec};
use assay_cfa::operation::Operation;
use assay_cfa::program::{Edge, LocationId, Program, Role, Scope, VarId};
use assay_term::{Op, Term, Terms};
use std::rc::Rc;

/// A term larger than this is not put into others, nor made larger.
const LARGEST: u16 = 2000;

/// Merges edges where one edge can say the same. Entries of functions and targets stay, and so does every location at
/// which a path can begin to iterate.
pub fn merge_edges(mut program: Program) -> Program {
    let terms = Terms::overlay(std::mem::take(&mut program.terms));
    let mut drafts = drafts(&mut program);
    let mut reads = Reads::default();
    loop {
        let before = drafts.len();
        put_values_in_place(&program, &terms, &mut reads, &mut drafts);
        drafts = super::skip::collapse(&program, &terms, drafts);
        drafts = merge_parallel(&terms, drafts);
        drafts = merge_sequences(&program, &terms, drafts);
        if drafts.len() + before / 100 >= before {
            break;
        }
    }
    program.terms = terms.freeze();
    rebuild(program, drafts)
}

/// The variables that a term reads, found once for each term.
#[derive(Default)]
struct Reads(FastMap<Term, Rc<[VarId]>>);

impl Reads {
    fn of(&mut self, program: &Program, terms: &Terms, term: Term) -> Rc<[VarId]> {
        let find = || terms.free_symbols(term).into_iter().filter_map(|s| program.variable_of(s)).collect();
        self.0.entry(term).or_insert_with(find).clone()
    }
}

struct Paths {
    incoming: IdVec<LocationId, Vec<u32>>,
    outgoing: IdVec<LocationId, Vec<u32>>,
}

fn paths(program: &Program, drafts: &[Draft]) -> Paths {
    let count = program.locations.len();
    let mut paths = Paths { incoming: IdVec::filled(vec![], count), outgoing: IdVec::filled(vec![], count) };
    for (index, draft) in drafts.iter().enumerate() {
        paths.incoming[draft.edge.target].push(index as u32);
        paths.outgoing[draft.edge.source].push(index as u32);
    }
    paths
}

/// `t = e` whose `t` is read only on the edges that leave the location after it: `e` takes the place of `t` there.
fn put_values_in_place(program: &Program, terms: &Terms, reads: &mut Reads, drafts: &mut [Draft]) {
    let paths = paths(program, drafts);
    let entries: assay_base::FastSet<LocationId> = program.functions.iter().map(|f| f.entry).collect();
    let mut readers: FastMap<VarId, Vec<u32>> = FastMap::default();
    let mut writers: FastMap<VarId, u32> = FastMap::default();
    for (index, draft) in drafts.iter().enumerate() {
        for term in draft.edge.operation.terms() {
            for &variable in reads.of(program, terms, term).iter() {
                readers.entry(variable).or_default().push(index as u32);
            }
        }
        if let Some(written) = draft.edge.operation.written_register() {
            *writers.entry(written).or_default() += 1;
        }
    }
    for index in 0..drafts.len() {
        let Operation::Assign { target, value } = drafts[index].edge.operation else { continue };
        let variable = &program.variables[target];
        let place = drafts[index].edge.target;
        let is_own = matches!(variable.scope, Scope::Local(_)) && matches!(variable.role, Role::Source | Role::Temporary);
        if !is_own || terms.node(value).tree_size() > LARGEST || writers.get(&target) != Some(&1) {
            continue;
        }
        let inner = reads.of(program, terms, value);
        if inner.contains(&target) {
            continue;
        }
        let next = &paths.outgoing[place];
        let readers_here = readers.get(&target).is_none_or(|list| list.iter().all(|reader| next.contains(reader)));
        if !readers_here || paths.incoming[place].len() != 1 || entries.contains(&place) || drafts[index].edge.source == place {
            continue;
        }
        let mut read = |node: &assay_term::Node| (node.op == Op::Symbol && node.symbol() == target.symbol()).then_some(value);
        for &reader in next {
            drafts[reader as usize].edge.operation.map_terms(&mut |term| terms.substitute(term, &mut read));
            // What the reader now reads instead, for the assignments before it.
            for &read in inner.iter() {
                readers.entry(read).or_default().push(reader);
            }
        }
        drafts[index].edge.operation = Operation::Skip;
    }
}

fn condition_of(draft: &Draft) -> Option<Term> {
    match draft.edge.operation {
        Operation::Assume { condition } => Some(condition),
        _ => None,
    }
}

/// Assumes between the same two locations become their disjunction.
fn merge_parallel(terms: &Terms, mut drafts: Vec<Draft>) -> Vec<Draft> {
    let mut first: FastMap<(LocationId, LocationId), usize> = FastMap::default();
    let mut drop = vec![false; drafts.len()];
    for index in 0..drafts.len() {
        let Some(condition) = condition_of(&drafts[index]) else { continue };
        let ends = (drafts[index].edge.source, drafts[index].edge.target);
        let Some(&other) = first.get(&ends) else {
            first.insert(ends, index);
            continue;
        };
        let joined = condition_of(&drafts[other]).map(|earlier| terms.or(earlier, condition));
        if let Some(condition) = joined.filter(|&t| terms.node(t).tree_size() <= LARGEST) {
            drafts[other].edge.operation = Operation::Assume { condition };
            drop[index] = true;
        }
    }
    let mut dropped = drop.into_iter();
    drafts.retain(|_| !dropped.next().unwrap_or(false));
    drafts
}

/// An assume and the only edge after it, if that is an assume too, become one. (Where two follow, as in a ladder of
/// branches, the ladder stays: as one wide branch its conditions would be quadratic.)
fn merge_sequences(program: &Program, terms: &Terms, mut drafts: Vec<Draft>) -> Vec<Draft> {
    let paths = paths(program, &drafts);
    let mut fixed: assay_base::FastSet<LocationId> = program.functions.iter().flat_map(|f| [f.entry, f.exit]).collect();
    let mut drop = vec![false; drafts.len()];
    for place in program.locations.ids() {
        let ([before], [after]) = (&paths.incoming[place][..], &paths.outgoing[place][..]) else { continue };
        let (before, after) = (*before as usize, *after as usize);
        if fixed.contains(&place) || program.locations[place].target.is_some() || before == after {
            continue;
        }
        let (Some(first), Some(second)) = (condition_of(&drafts[before]), condition_of(&drafts[after])) else { continue };
        let condition = terms.and(first, second);
        if terms.node(condition).tree_size() > LARGEST {
            continue;
        }
        let edge = drafts[before].edge.clone();
        let target = drafts[after].edge.target;
        drafts[after] = Draft { edge: Edge { target, operation: Operation::Assume { condition }, ..edge } };
        drop[before] = true;
        // The tables of paths are those before the merge: neighbours wait for the next iteration.
        fixed.extend([drafts[after].edge.source, target]);
    }
    let mut dropped = drop.into_iter();
    drafts.retain(|_| !dropped.next().unwrap_or(false));
    drafts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check;

    const HEAD: &str = "program LP64 main
source n0 input \"nondet\" 0:0:0
global x (register 32) void source \"x\"
global y (register 32) void source \"y\"
function main entry L0 exit L1
  local main::t (register 32) void temporary \"\"
  local main::u (register 32) void temporary \"\"
";

    #[test]
    fn assumes_become_larger() {
        check(
            &format!(
                "{HEAD}L0 -> L2 assume (== x 1:32)
                   L2 -> L3 assume (<u y 4:32)
                   L3 -> L1 havoc x n0
                   L0 -> L4 assume (<u y 2:32)
                   L0 -> L4 assume (== x 3:32)
                   L4 -> L1 havoc y n0
                 end"
            ),
            merge_edges,
            "function main entry L0 exit L1
               E0: L0 -> L2 assume (& (== x 1:32) (<u y 4:32))
               E1: L2 -> L1 havoc x n0
               E2: L0 -> L3 assume (or (<u y 2:32) (== x 3:32))
               E3: L3 -> L1 havoc y n0
             end",
        );
    }

    #[test]
    fn values_used_once_are_put_in_place() {
        check(
            &format!(
                "{HEAD}L0 -> L2 assign main::t (+ x y)
                   L2 -> L3 assign main::u (/u main::t y)
                   L3 -> L1 assume (== main::u 7:32)
                   L3 -> L4 assume (~ (== main::u 7:32))
                   L4 -> L1 havoc x n0
                 end"
            ),
            merge_edges,
            "function main entry L0 exit L1
               E0: L0 -> L1 assume (== (/u (+ y x) y) 7:32)
               E1: L0 -> L2 assume (~ (== (/u (+ y x) y) 7:32))
               E2: L2 -> L1 havoc x n0
             end",
        );
    }

    #[test]
    fn values_used_later_stay() {
        let body = "E0: L0 -> L2 assign main::t x
               E1: L2 -> L3 havoc x n0
               E2: L3 -> L1 assign y main::t
             end";
        check(&format!("{HEAD}{body}"), merge_edges, &format!("function main entry L0 exit L1\n{body}"));
    }
}
