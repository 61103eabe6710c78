//! Immediate dominators of each function's locations, by the semidominator method (Georgiadis' Semi-NCA), which stays
//! near linear on ladders of branches to one exit, where iterative methods become quadratic.

use crate::program::{LocationId, Program};
use assay_base::IdVec;

/// The dominator trees of all functions, each rooted in its entry.
#[derive(Clone, Debug)]
pub struct Dominators {
    /// `None` for entries and for locations that are not reached.
    pub immediate: IdVec<LocationId, Option<LocationId>>,
    /// Preorder number and last preorder number below, in the dominator tree; (1, 0) where not reached.
    ranges: IdVec<LocationId, (u32, u32)>,
}

impl Dominators {
    /// The dominator tree of each function.
    pub fn of(program: &Program) -> Self {
        let mut result =
            Dominators { immediate: IdVec::filled(None, program.locations.len()), ranges: IdVec::filled((1, 0), program.locations.len()) };
        let mut number: IdVec<LocationId, u32> = IdVec::filled(u32::MAX, program.locations.len());
        let mut clock = 2;
        for function in program.functions.iter() {
            result.function(program, function.entry, &mut number, &mut clock);
        }
        result
    }

    /// Whether every path from the function's entry to `b` goes through `a` (a location dominates itself).
    pub fn dominates(&self, a: LocationId, b: LocationId) -> bool {
        let ((first, last), (place, end)) = (self.ranges[a], self.ranges[b]);
        place <= end && first <= place && place <= last
    }

    fn function(&mut self, program: &Program, entry: LocationId, number: &mut IdVec<LocationId, u32>, clock: &mut u32) {
        if number[entry] != u32::MAX {
            return;
        }
        // Depth-first preorder with parents, as dense indices.
        let mut preorder: Vec<LocationId> = vec![];
        let mut parent: Vec<u32> = vec![];
        let mut stack = vec![(entry, 0)];
        while let Some((location, from)) = stack.pop() {
            if number[location] != u32::MAX {
                continue;
            }
            let index = preorder.len() as u32;
            number[location] = index;
            preorder.push(location);
            parent.push(from);
            stack.extend(program.locations[location].outgoing.iter().rev().map(|&edge| (program.edges[edge].target, index)));
        }
        let count = preorder.len();
        let mut semi: Vec<u32> = (0..count as u32).collect();
        let mut label: Vec<u32> = (0..count as u32).collect();
        let mut ancestor: Vec<u32> = vec![u32::MAX; count];
        let mut path: Vec<u32> = vec![];
        for w in (1..count).rev() {
            let mut best = parent[w];
            for &edge in &program.locations[preorder[w]].incoming {
                let v = number[program.edges[edge].source];
                if v == u32::MAX {
                    continue;
                }
                let candidate = if (v as usize) <= w { v } else { semi[evaluate(v, &mut ancestor, &mut label, &semi, &mut path) as usize] };
                best = best.min(candidate);
            }
            semi[w] = best;
            ancestor[w] = parent[w];
        }
        let mut immediate = parent;
        for w in 1..count {
            while immediate[w] > semi[w] {
                immediate[w] = immediate[immediate[w] as usize];
            }
        }
        self.record(&preorder, &immediate, clock);
    }

    fn record(&mut self, preorder: &[LocationId], immediate: &[u32], clock: &mut u32) {
        let mut children: Vec<Vec<u32>> = vec![vec![]; preorder.len()];
        for w in 1..preorder.len() {
            self.immediate[preorder[w]] = Some(preorder[immediate[w] as usize]);
            children[immediate[w] as usize].push(w as u32);
        }
        let mut stack: Vec<(u32, bool)> = vec![(0, false)];
        while let Some((w, leaving)) = stack.pop() {
            let location = preorder[w as usize];
            if leaving {
                self.ranges[location].1 = *clock - 1;
                continue;
            }
            self.ranges[location].0 = *clock;
            *clock += 1;
            stack.push((w, true));
            stack.extend(children[w as usize].iter().rev().map(|&child| (child, false)));
        }
    }
}

/// The node with the smallest semidominator on the linked path above `v`, with path compression.
fn evaluate(v: u32, ancestor: &mut [u32], label: &mut [u32], semi: &[u32], path: &mut Vec<u32>) -> u32 {
    if ancestor[v as usize] == u32::MAX {
        return v;
    }
    path.clear();
    let mut node = v;
    while ancestor[ancestor[node as usize] as usize] != u32::MAX {
        path.push(node);
        node = ancestor[node as usize];
    }
    while let Some(below) = path.pop() {
        let above = ancestor[below as usize] as usize;
        if semi[label[above] as usize] < semi[label[below as usize] as usize] {
            label[below as usize] = label[above];
        }
        ancestor[below as usize] = ancestor[above];
    }
    label[v as usize]
}
