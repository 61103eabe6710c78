//! Drops code that cannot be reached from the entry: after halts, in functions that nothing calls, and after calls that
//! cannot return. Conditions that are plainly false count as closed.

use super::rebuild::{drafts, rebuild};
use assay_cfa::operation::Operation;
use assay_cfa::program::Program;
use assay_term::Terms;

/// Drops what cannot be reached. Functions and variables stay in their tables, because their ids are their symbols.
pub fn remove_unreachable(mut program: Program) -> Program {
    let mut drafts = drafts(&mut program);
    let terms = Terms::overlay(program.terms.clone());
    drafts.retain(|draft| !matches!(draft.edge.operation, Operation::Assume { condition } if terms.is_false(condition)));
    drop(terms);
    rebuild(program, drafts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check;

    #[test]
    fn what_cannot_be_reached_is_dropped() {
        check(
            "program LP64 main
             function main entry L0 exit L1
               L0 -> L2 assume 0:1
               L2 -> L1 skip
               L0 -> L3 call f
               L3 -> L4 call halts
               L4 -> L1 skip
               L5 -> L3 skip
             end
             function f entry L6 exit L7
               L6 -> L7 skip
             end
             function halts entry L8 exit L9
               target L10 unreach-call
               L8 -> L10 skip
             end
             function unused entry L11 exit L12
               L11 -> L13 skip
               L13 -> L12 skip
             end",
            remove_unreachable,
            "function main entry L0 exit L1
               E0: L0 -> L2 call f
               E1: L2 -> L3 call halts
             end
             function f entry L4 exit L5
               E2: L4 -> L5 skip
             end
             function halts entry L6 exit L7
               target L8 unreach-call
               E3: L6 -> L8 skip
             end
             function unused entry L9 exit L10
             end",
        );
    }
}
