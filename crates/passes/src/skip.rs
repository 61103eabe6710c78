//! Takes out edges that do nothing: a location whose only successor is a skip becomes one with the location after it,
//! and a branch whose paths lead to the same place without doing anything is no branch.

use super::rebuild::{Draft, drafts, rebuild};
use assay_base::{FastMap, IdVec};
use assay_cfa::operation::Operation;
use assay_cfa::program::{LocationId, Origin, Program};
use assay_term::Terms;

/// Collapses skips and branches without effect. Entries of functions, targets and loops of skips stay.
pub fn collapse_skips(mut program: Program) -> Program {
    let terms = Terms::overlay(program.terms.clone());
    let drafts = drafts(&mut program);
    let drafts = collapse(&program, &terms, drafts);
    drop(terms);
    rebuild(program, drafts)
}

/// As [`collapse_skips`], on drafts.
pub(super) fn collapse(program: &Program, terms: &Terms, mut drafts: Vec<Draft>) -> Vec<Draft> {
    loop {
        let before = drafts.len();
        drafts = without_chains(program, drafts);
        drafts = without_first_skips(program, drafts);
        drafts = without_idle_branches(terms, drafts);
        if drafts.len() == before {
            return drafts;
        }
    }
}

fn without_chains(program: &Program, drafts: Vec<Draft>) -> Vec<Draft> {
    let count = program.locations.len();
    // The only exit of a location, and whether there are others.
    let mut only: IdVec<LocationId, Option<u32>> = IdVec::filled(None, count);
    let mut several: IdVec<LocationId, bool> = IdVec::filled(false, count);
    for (index, draft) in drafts.iter().enumerate() {
        let source = draft.edge.source;
        several[source] |= only[source].is_some();
        only[source] = Some(index as u32);
    }
    let mut fixed: IdVec<LocationId, bool> = IdVec::filled(false, count);
    for function in program.functions.iter() {
        fixed[function.entry] = true;
    }
    let next = |location: LocationId, fixed: &IdVec<LocationId, bool>| -> Option<u32> {
        let index = only[location].filter(|_| !several[location] && !fixed[location] && program.locations[location].target.is_none())?;
        let edge = &drafts[index as usize].edge;
        // An edge that says what is violated stays.
        let tells = matches!(edge.origin, Origin::Use { .. } | Origin::Operation { .. });
        (edge.operation == Operation::Skip && !tells).then_some(index)
    };
    // In a ring of skips one location must stay.
    let mut seen: IdVec<LocationId, u32> = IdVec::filled(0, count);
    for (iteration, start) in program.locations.ids().enumerate() {
        let mut location = start;
        while seen[location] == 0 {
            seen[location] = iteration as u32 + 1;
            match next(location, &fixed) {
                Some(index) => location = drafts[index as usize].edge.target,
                None => break,
            }
        }
        if seen[location] == iteration as u32 + 1 && next(location, &fixed).is_some() {
            fixed[location] = true;
        }
    }
    let follow = |mut location: LocationId| {
        while let Some(index) = next(location, &fixed) {
            location = drafts[index as usize].edge.target;
        }
        location
    };
    let mut result = vec![];
    for draft in &drafts {
        if next(draft.edge.source, &fixed).is_some() {
            continue;
        }
        let mut draft = draft.clone();
        draft.edge.target = follow(draft.edge.target);
        result.push(draft);
    }
    result
}

/// An entry of which a skip leads to a location that nothing else leads to: the entry takes that location's place.
fn without_first_skips(program: &Program, mut drafts: Vec<Draft>) -> Vec<Draft> {
    let count = program.locations.len();
    let mut incoming: IdVec<LocationId, u32> = IdVec::filled(0, count);
    let mut outgoing: IdVec<LocationId, u32> = IdVec::filled(0, count);
    for draft in &drafts {
        incoming[draft.edge.target] += 1;
        outgoing[draft.edge.source] += 1;
    }
    let mut replaced: FastMap<LocationId, LocationId> = FastMap::default();
    drafts.retain(|draft| {
        let (source, target) = (draft.edge.source, draft.edge.target);
        let function = &program.functions[program.locations[source].function];
        let is_first = draft.edge.operation == Operation::Skip && function.entry == source && outgoing[source] == 1;
        let is_plain = target != function.exit && incoming[target] == 1 && program.locations[target].target.is_none();
        if is_first && is_plain && outgoing[target] > 0 && source != target && program.locations[source].target.is_none() {
            replaced.insert(target, source);
            return false;
        }
        true
    });
    for draft in &mut drafts {
        if let Some(entry) = replaced.get(&draft.edge.source) {
            draft.edge.source = *entry;
        }
    }
    drafts
}

/// Assumes from one location to the same next one, of which one always holds, become one skip.
fn without_idle_branches(terms: &Terms, mut drafts: Vec<Draft>) -> Vec<Draft> {
    let mut between: FastMap<(LocationId, LocationId), Vec<u32>> = FastMap::default();
    for (index, draft) in drafts.iter().enumerate() {
        if matches!(draft.edge.operation, Operation::Assume { .. } | Operation::Skip) {
            between.entry((draft.edge.source, draft.edge.target)).or_default().push(index as u32);
        }
    }
    let mut drop: Vec<bool> = vec![false; drafts.len()];
    for group in between.into_values().filter(|g| g.len() > 1) {
        let conditions = group.iter().map(|&index| match drafts[index as usize].edge.operation {
            Operation::Assume { condition } => condition,
            _ => terms.true_(),
        });
        if terms.is_true(terms.or_all(conditions)) {
            drafts[group[0] as usize].edge.operation = Operation::Skip;
            group[1..].iter().for_each(|&index| drop[index as usize] = true);
        }
    }
    let mut dropped = drop.into_iter();
    drafts.retain(|_| !dropped.next().unwrap_or(false));
    drafts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check;

    const HEAD: &str = "program LP64 main\nglobal x (register 32) void source \"x\"\n";

    #[test]
    fn chains_of_skips_collapse() {
        check(
            &format!(
                "{HEAD}function main entry L0 exit L1
                   L0 -> L2 skip @0:1:1 statement
                   L2 -> L3 skip @0:2:1 statement
                   L3 -> L4 assign x 1:32
                   L4 -> L5 skip
                   L5 -> L3 skip
                   L3 -> L6 skip
                   L6 -> L1 skip
                 end"
            ),
            collapse_skips,
            "function main entry L0 exit L1
               E0: L0 -> L2 skip @0:1:1 statement
               E1: L2 -> L2 assign x 1:32
               E2: L2 -> L1 skip
             end",
        );
    }

    #[test]
    fn rings_of_skips_stay_loops() {
        check(
            &format!("{HEAD}function main entry L0 exit L1\n L0 -> L2 skip\n L2 -> L3 skip\n L3 -> L4 skip\n L4 -> L2 skip\n end"),
            collapse_skips,
            "function main entry L0 exit L1
               E0: L0 -> L2 skip
               E1: L2 -> L2 skip
             end",
        );
    }

    #[test]
    fn idle_branches_disappear_and_targets_stay() {
        check(
            &format!(
                "{HEAD}function main entry L0 exit L1
                   target L7 unreach-call
                   L0 -> L2 assume (== x 1:32)
                   L0 -> L3 assume (~ (== x 1:32))
                   L2 -> L4 skip
                   L3 -> L4 skip
                   L4 -> L5 assign x 2:32
                   L5 -> L6 assume (== x 1:32)
                   L5 -> L6 assume (== x 2:32)
                   L6 -> L7 skip
                   L7 -> L1 skip
                 end"
            ),
            collapse_skips,
            "function main entry L0 exit L1
               target L3 unreach-call
               E0: L0 -> L2 assign x 2:32
               E1: L2 -> L3 assume (== x 1:32)
               E2: L2 -> L3 assume (== x 2:32)
               E3: L3 -> L1 skip
             end",
        );
    }
}
