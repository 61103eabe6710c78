//! The call graph: who calls whom, recursion, and an order in which callees come before callers.

use crate::operation::Operation;
use crate::program::{EdgeId, FunctionId, Program};
use assay_base::{Id, IdVec};

/// The call graph of a program (calls through pointers are already branches over direct calls).
#[derive(Clone, Debug)]
pub struct CallGraph {
    /// The functions that a function calls, each once, in the order of their ids.
    pub callees: IdVec<FunctionId, Vec<FunctionId>>,
    /// The functions that call a function, each once, in the order of their ids.
    pub callers: IdVec<FunctionId, Vec<FunctionId>>,
    /// The call edges of which a function is the callee.
    pub sites: IdVec<FunctionId, Vec<EdgeId>>,
    /// The strongly connected components, callees before callers; functions of one component in the order of their ids.
    pub components: Vec<Vec<FunctionId>>,
    /// The place of a function's component in `components`.
    pub component: IdVec<FunctionId, u32>,
    /// Whether a function can be active twice at once.
    pub recursive: IdVec<FunctionId, bool>,
    /// Whether calls from the program's entry function can lead to the function.
    pub reached: IdVec<FunctionId, bool>,
}

impl CallGraph {
    /// Builds the call graph.
    pub fn of(program: &Program) -> Self {
        let count = program.functions.len();
        let mut callees: IdVec<FunctionId, Vec<FunctionId>> = IdVec::filled(vec![], count);
        let mut callers: IdVec<FunctionId, Vec<FunctionId>> = IdVec::filled(vec![], count);
        let mut sites: IdVec<FunctionId, Vec<EdgeId>> = IdVec::filled(vec![], count);
        for (id, edge) in program.edges.iter_ids() {
            if let Operation::Call { callee, .. } = edge.operation {
                let caller = program.locations[edge.source].function;
                callees[caller].push(callee);
                callers[callee].push(caller);
                sites[callee].push(id);
            }
        }
        for list in callees.iter_mut().chain(callers.iter_mut()) {
            list.sort_unstable_by_key(|f| f.index());
            list.dedup();
        }
        let components = components(&callees);
        let mut component = IdVec::filled(0, count);
        let mut recursive = IdVec::filled(false, count);
        for (index, members) in components.iter().enumerate() {
            for &function in members {
                component[function] = index as u32;
                recursive[function] = members.len() > 1 || callees[function].contains(&function);
            }
        }
        let mut reached = IdVec::filled(false, count);
        let mut stack = vec![program.entry];
        while let Some(function) = stack.pop() {
            if !std::mem::replace(&mut reached[function], true) {
                stack.extend(&callees[function]);
            }
        }
        CallGraph { callees, callers, sites, components, component, recursive, reached }
    }
}

/// Tarjan's components with an explicit stack; a component is found after all that it reaches.
fn components(callees: &IdVec<FunctionId, Vec<FunctionId>>) -> Vec<Vec<FunctionId>> {
    let mut index: IdVec<FunctionId, u32> = IdVec::filled(0, callees.len());
    let mut low: IdVec<FunctionId, u32> = IdVec::filled(0, callees.len());
    let (mut clock, mut open, mut found) = (0, vec![], vec![]);
    for root in callees.ids() {
        let mut path: Vec<(FunctionId, usize)> = vec![];
        if index[root] == 0 {
            path.push((root, 0));
        }
        while let Some((function, next)) = path.last_mut() {
            let function = *function;
            if *next == 0 {
                clock += 1;
                (index[function], low[function]) = (clock, clock);
                open.push(function);
            }
            if let Some(&callee) = callees[function].get(*next) {
                *next += 1;
                if index[callee] == 0 {
                    path.push((callee, 0));
                } else {
                    low[function] = low[function].min(index[callee]);
                }
                continue;
            }
            path.pop();
            if let Some(&(above, _)) = path.last() {
                low[above] = low[above].min(low[function]);
            }
            if low[function] == index[function] {
                let start = open.iter().rposition(|&f| f == function).unwrap_or(0);
                let mut component = open.split_off(start);
                component.iter().for_each(|&f| index[f] = u32::MAX);
                component.sort_unstable_by_key(|f| f.index());
                found.push(component);
            }
        }
    }
    found
}
