//! All paths from one place to the next at which a block ends, merged: what exploration merges too, found anew for a
//! path of which only the steps are known.

use super::PredicatePrecision;
use super::domain::{PredicateDomain, PredicateWorker};
use super::state::{PredicateState, Segment};
use assay_base::FastMap;
use assay_cfa::{LocationId, Operation, Step};
use assay_cpa::{CallStacks, Head};
use assay_formula::StepOutcome;
use std::sync::Arc;

/// More places of a block are not looked at.
const MOST_PLACES: usize = 100_000;

/// A place of a block with the moves from it, and whether the end can be reached.
struct Node {
    head: Head,
    moves: Vec<(Step, usize)>,
    leads: bool,
}

impl PredicateDomain<'_> {
    /// All paths from a place, where `start` begins, to another one without an end of a block between them; `None`
    /// where there are none.
    pub fn segment_between(&self, stacks: &CallStacks, from: Head, to: Head, start: &Arc<Segment>) -> Option<Arc<Segment>> {
        let (nodes, order, end) = self.between(stacks, from, to)?;
        let encoder = self.encoder();
        let mut segments: FastMap<usize, Arc<Segment>> = FastMap::default();
        segments.insert(0, start.clone());
        for index in order.into_iter().rev() {
            let Some(segment) = segments.get(&index).cloned() else { continue };
            for &(step, next) in nodes[index].moves.iter().filter(|(_, next)| nodes[*next].leads) {
                if self.cancel.is_stopped() {
                    return None;
                }
                let mut formula = segment.formula.clone();
                if encoder.follow(&mut formula, step) != StepOutcome::Continue {
                    continue;
                }
                let new = Arc::new(Segment::step(self.serial(), &segment, step, formula, segment.known));
                let merged = match segments.get(&next) {
                    None => new,
                    Some(old) => {
                        let (formula, choice) = encoder.merge_by_choice(&old.formula, &new.formula);
                        let known = self.terms.or(old.known, new.known);
                        Arc::new(Segment::merge(self.serial(), old, &new, formula, choice, known))
                    }
                };
                segments.insert(next, merged);
            }
        }
        segments.remove(&end?)
    }

    /// The places between, the first of which is `from`, with an order in which all that a place leads to is before it,
    /// and the number of `to`.
    fn between(&self, stacks: &CallStacks, from: Head, to: Head) -> Option<(Vec<Node>, Vec<usize>, Option<usize>)> {
        let mut nodes = vec![Node { head: from, moves: vec![], leads: false }];
        let mut numbers: FastMap<Head, usize> = FastMap::default();
        let (mut order, mut end) = (Vec::new(), None);
        // A place, and how many of its moves were followed.
        let mut stack = vec![(0, 0)];
        nodes[0].moves = self.moves(stacks, from, &mut nodes, &mut numbers)?;
        let mut entered = vec![true];
        while let Some((index, followed)) = stack.last_mut() {
            let index = *index;
            let Some(&(_, next)) = nodes[index].moves.get(*followed) else {
                nodes[index].leads |= nodes[index].moves.iter().any(|&(_, next)| nodes[next].leads);
                order.push(index);
                stack.pop();
                continue;
            };
            *followed += 1;
            entered.resize(nodes.len(), false);
            if std::mem::replace(&mut entered[next], true) {
                continue;
            }
            let head = nodes[next].head;
            if head == to {
                nodes[next].leads = true;
                end = Some(next);
            } else if !self.ends_at(head.location) && self.program.locations[head.location].target.is_none() {
                if nodes.len() > MOST_PLACES {
                    return None;
                }
                nodes[next].moves = self.moves(stacks, head, &mut nodes, &mut numbers)?;
            }
            stack.push((next, 0));
        }
        Some((nodes, order, end))
    }

    /// The steps from a place. Where it is the first one, it may be met again: that is another node.
    fn moves(
        &self,
        stacks: &CallStacks,
        head: Head,
        nodes: &mut Vec<Node>,
        numbers: &mut FastMap<Head, usize>,
    ) -> Option<Vec<(Step, usize)>> {
        let place = &self.program.locations[head.location];
        let mut number = |target: Head| {
            *numbers.entry(target).or_insert_with(|| {
                nodes.push(Node { head: target, moves: vec![], leads: false });
                nodes.len() - 1
            })
        };
        if self.program.functions[place.function].exit == head.location {
            let back = stacks.pop(head.stack);
            let target = |call| self.program.edges[call].target;
            return Some(
                back.map(|(call, stack)| (Step::Return(call), number(Head { location: target(call), stack }))).into_iter().collect(),
            );
        }
        let mut moves = Vec::new();
        for &edge in &place.outgoing {
            let target = match &self.program.edges[edge].operation {
                Operation::Call { callee, .. } => {
                    Head { location: self.program.functions[*callee].entry, stack: stacks.push_unbounded(head.stack, edge)? }
                }
                _ => Head { location: self.program.edges[edge].target, stack: head.stack },
            };
            moves.push((Step::Edge(edge), number(target)));
        }
        Some(moves)
    }

    /// The abstraction at the end of a path; `None` where nothing gets there. Of several regions it is the union.
    pub fn abstraction_after(
        &self,
        worker: &mut PredicateWorker,
        from: &PredicateState,
        segment: &Arc<Segment>,
        precision: &PredicatePrecision,
        location: LocationId,
    ) -> Option<PredicateState> {
        let predicates = self.predicates_at(precision, location);
        let regions = self.regions(worker, &from.at, segment, &predicates);
        let region = regions.iter().cloned().reduce(|all, region| all.or(&region))?;
        Some(self.abstraction(segment, region))
    }
}
