//! One path back to each loop head and one path in, and on request one to each place that every path comes by: where
//! several edges lead there, they meet at a place of their own before it. An analysis that abstracts at such places
//! then does so once for all of them.

use assay_base::Span;
use assay_cfa::operation::Operation;
use assay_cfa::program::{Edge, EdgeId, Location, LocationId, Origin, Program};
use assay_cfa::structure::Structure;

/// The program with such places; `None` where it needs none. All ids stay, and nothing else changes: a path of one
/// program is a path of the other but for skips.
pub fn add(structure: &Structure<'_>, common: bool) -> Option<Program> {
    let program = structure.program;
    let mut groups: Vec<(LocationId, Vec<EdgeId>)> = Vec::new();
    for (_, info) in structure.loops().loops.iter_ids() {
        let leads_here = |edge: &EdgeId| program.edges[*edge].target == info.head;
        let entries = info.entries.iter().copied().filter(leads_here).collect();
        groups.extend([(info.head, info.back.clone()), (info.head, entries)]);
    }
    let is_place = |location: &LocationId| common && !structure.loops().is_head(*location) && structure.is_common(*location);
    groups.extend(program.locations.ids().filter(is_place).map(|location| (location, program.locations[location].incoming.clone())));
    groups.retain(|(_, group)| group.len() > 1);
    let mut changed: Option<Program> = None;
    for (place, group) in groups {
        let program = changed.get_or_insert_with(|| structure.program.clone());
        let meeting = program.locations.next_id();
        for &edge in &group {
            program.edges[edge].target = meeting;
        }
        let edge = Edge { source: meeting, target: place, operation: Operation::Skip, span: Span::NONE, origin: Origin::Internal };
        let last = program.edges.push(edge);
        let location = &mut program.locations[place];
        location.incoming.retain(|edge| !group.contains(edge));
        location.incoming.push(last);
        let function = location.function;
        program.locations.push(Location { function, outgoing: vec![last], incoming: group, target: None });
    }
    changed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways_back_and_ways_in_meet_before_the_head() {
        let text = r#"
program ILP32 main
function main entry L0 exit L4
  local main::x (register 8) void source "x"
  L0 -> L1 assume (== main::x 0:8)
  L0 -> L1 assume (~ (== main::x 0:8))
  L1 -> L2 assume (<u main::x 5:8)
  L2 -> L1 assign main::x 1:8
  L1 -> L3 assume (<u 5:8 main::x)
  L3 -> L1 assign main::x 2:8
  L1 -> L4 assume (== main::x 5:8)
end
"#;
        let program = assay_cfa::text::read(text).expect("the fixture is readable");
        let changed = add(&Structure::new(&program), false).expect("two places are needed");
        let errors = assay_cfa::verifier::verify(&changed);
        assert!(errors.is_empty(), "{errors:?}");
        let structure = Structure::new(&changed);
        let (_, info) = structure.loops().loops.iter_ids().next().expect("a loop");
        assert_eq!((info.head, info.back.len(), info.entries.len()), (changed.edges.iter().nth(2).expect("an edge").source, 1, 1));
        assert_eq!((changed.locations.len(), changed.edges.len()), (program.locations.len() + 2, program.edges.len() + 2));
        assert!(add(&structure, false).is_none(), "one path is enough");
    }
}
