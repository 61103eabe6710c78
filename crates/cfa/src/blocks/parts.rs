//! Parts of large functions and loops, so that a change in one place leaves the summaries of the rest as they are.
//!
//! A part lies between two points of a branch of the dominator tree: what the first dominates and the second does not.
//! It is entered at the first only, if no path leads back into it from what the second dominates, as one does behind a
//! branching of which the second is a half. Control may return from the function out of a part, or leave a loop: those
//! paths are exits beside the second point.
//!
//! A cut lies where few registers are live, because these are what a part is entered with. Among equals the text
//! decides and not the position, so that a change moves the cuts next to it and no others.

use super::{Block, BlockKind, callees};
use crate::program::{EdgeId, FunctionId, LocationId, Program};
use crate::structure::{LiveRegisters, LoopId, Structure};
use assay_base::hash::mix;
use assay_base::{FastMap, FastSet};
use assay_term::Terms;
use std::collections::BinaryHeap;

/// What has at least so many times the size of a part is cut.
const LARGE: usize = 4;

/// A part has at most so many times the size that is asked for, where there is a place to cut it.
const LONGEST: usize = 3;

/// Cuts functions and loops of one program.
pub(super) struct Cutter<'s, 'p> {
    structure: &'s Structure<'p>,
    terms: Terms,
    live: LiveRegisters,
    /// How many locations a part has at least.
    size: usize,
}

/// A place of a path where a part can begin and end.
#[derive(Clone, Copy)]
struct CutPoint {
    depth: usize,
    /// The deepest place of the path below which paths from here come together with others that do not come by here.
    returns_to: Option<usize>,
    /// How many members the path's first place dominates that this one does not.
    before: usize,
}

/// The body of a function or a loop as a tree of dominators.
struct Body {
    level: Option<LoopId>,
    function: FunctionId,
    /// Without the function's exit, in reverse postorder.
    members: Vec<LocationId>,
    /// How many members a member dominates.
    sizes: FastMap<LocationId, usize>,
    children: FastMap<LocationId, Vec<LocationId>>,
    /// The member that dominates a member immediately.
    above: FastMap<LocationId, LocationId>,
}

impl<'s, 'p> Cutter<'s, 'p> {
    pub(super) fn new(structure: &'s Structure<'p>, size: u32) -> Self {
        let terms = Terms::overlay(structure.program.terms.clone());
        let live = LiveRegisters::of(structure.program, &terms);
        Cutter { structure, terms, live, size: size.max(1) as usize }
    }

    /// Whether a program has anything to cut.
    pub(super) fn is_of_use(structure: &Structure<'_>, size: u32) -> bool {
        size > 0 && structure.order().sequence.iter().any(|sequence| sequence.len() >= LARGE * size as usize)
    }

    /// The parts of a function's body, or of a loop's.
    pub(super) fn parts(&self, function: FunctionId, level: Option<LoopId>) -> Vec<Block> {
        let locations = match level {
            Some(id) => &self.structure.loops().loops[id].locations,
            None => &self.structure.order().sequence[function],
        };
        if locations.len() < LARGE * self.size {
            return Vec::new();
        }
        let body = self.body(function, level, locations);
        let mut parts = Vec::new();
        let mut roots = vec![body.members[0]];
        while let Some(root) = roots.pop() {
            let path = body.longest_path(root);
            for &location in &path {
                let below = body.children.get(&location).into_iter().flatten().copied();
                let goes_on = body.largest_below(location);
                roots.extend(below.filter(|&child| Some(child) != goes_on && body.sizes[&child] >= LARGE * self.size));
            }
            for (start, end) in self.cuts(&body, &path) {
                parts.extend(self.part(&body, start, end));
            }
        }
        parts
    }

    fn level_of(&self, location: LocationId) -> Option<LoopId> {
        self.structure.loops().innermost[location]
    }

    fn body(&self, function: FunctionId, level: Option<LoopId>, locations: &[LocationId]) -> Body {
        let immediate = &self.structure.dominators().immediate;
        let exit = self.structure.program.functions[function].exit;
        let members: Vec<LocationId> = locations.iter().copied().filter(|&location| location != exit).collect();
        let mut sizes: FastMap<LocationId, usize> = members.iter().map(|&location| (location, 1)).collect();
        let mut children: FastMap<LocationId, Vec<LocationId>> = FastMap::default();
        let mut above: FastMap<LocationId, LocationId> = FastMap::default();
        // A dominator comes before what it dominates.
        for &location in members.iter().skip(1).rev() {
            let own = sizes[&location];
            if let Some(dominator) = immediate[location]
                && let Some(size) = sizes.get_mut(&dominator)
            {
                *size += own;
                children.entry(dominator).or_default().push(location);
                above.insert(location, dominator);
            }
        }
        Body { level, function, members, sizes, children, above }
    }

    /// Where the parts along a path begin and end.
    fn cuts(&self, body: &Body, path: &[LocationId]) -> Vec<(LocationId, Option<LocationId>)> {
        let total = body.sizes[&path[0]];
        let places: Vec<CutPoint> = body
            .returns(self.structure.program, path)
            .into_iter()
            .enumerate()
            .filter(|&(depth, _)| self.level_of(path[depth]) == body.level)
            .map(|(depth, returns_to)| CutPoint { depth, returns_to, before: total - body.sizes[&path[depth]] })
            .take_while(|place| total - place.before >= self.size)
            .collect();
        let Some(&(mut start)) = places.first() else { return Vec::new() };
        let mut found = Vec::new();
        let mut rest = &places[..];
        loop {
            rest = &rest[rest.partition_point(|place| place.before < start.before + self.size)..];
            let Some(first) = rest.first() else { break };
            let end = rest.partition_point(|place| place.before <= first.before.max(start.before + LONGEST * self.size));
            let best = |places: &mut dyn Iterator<Item = &'_ CutPoint>| {
                places.min_by_key(|place| (self.live.live[path[place.depth]].len(), self.text_hash(path[place.depth]))).copied()
            };
            let ends = |place: &&CutPoint| place.returns_to.is_none_or(|depth| depth < start.depth);
            let best_end = best(&mut rest[..end].iter().filter(ends));
            let Some(next) = best_end.or_else(|| best(&mut rest[..end].iter())) else { break };
            if best_end.is_some() {
                found.push((path[start.depth], Some(path[next.depth])));
            }
            start = next;
        }
        // What is behind the last cut; all of it is a part only together with others.
        if !found.is_empty() && total - start.before <= LONGEST * self.size {
            found.push((path[start.depth], None));
        }
        found
    }

    /// Of what is done at a location, whatever its number is.
    fn text_hash(&self, location: LocationId) -> u64 {
        let program = self.structure.program;
        let mut hash = 0;
        for &edge in &program.locations[location].outgoing {
            for term in program.edges[edge].operation.terms() {
                hash = mix(hash ^ self.terms.node(term).fingerprint);
            }
        }
        hash
    }

    /// What `start` dominates and `end` does not; `None` if it is too small.
    fn part(&self, body: &Body, start: LocationId, end: Option<LocationId>) -> Option<Block> {
        let program = self.structure.program;
        let mut locations = vec![start];
        let mut next = 0;
        while let Some(&location) = locations.get(next) {
            let below = body.children.get(&location).into_iter().flatten().copied();
            locations.extend(below.filter(|&child| Some(child) != end));
            next += 1;
        }
        if locations.len() < self.size {
            return None;
        }
        locations.sort_unstable_by_key(|&location| self.structure.order().position[location]);
        let inside: FastSet<LocationId> = locations.iter().copied().collect();
        let edges: Vec<EdgeId> = locations.iter().flat_map(|&l| program.locations[l].outgoing.iter().copied()).collect();
        let exit_edges: Vec<EdgeId> = edges.iter().copied().filter(|&edge| !inside.contains(&program.edges[edge].target)).collect();
        Some(Block {
            kind: BlockKind::Part,
            function: body.function,
            entry: start,
            exits: exits(program, &exit_edges),
            exit_edges,
            locations,
            parent: None,
            callees: callees(program, &edges),
            effects: self.structure.effects().of_edges(program, edges),
            recursive: self.structure.calls().recursive[body.function],
        })
    }
}

/// Where edges lead, each place once.
pub(super) fn exits(program: &Program, edges: &[EdgeId]) -> Vec<LocationId> {
    let mut exits: Vec<LocationId> = edges.iter().map(|&edge| program.edges[edge].target).collect();
    exits.sort_unstable();
    exits.dedup();
    exits
}

impl Body {
    /// From a member down, each time to what dominates most.
    fn longest_path(&self, root: LocationId) -> Vec<LocationId> {
        std::iter::successors(Some(root), |&location| self.largest_below(location)).collect()
    }

    /// For each place of a path, the deepest place above it that also dominates something that follows what this place
    /// dominates.
    fn returns(&self, program: &Program, path: &[LocationId]) -> Vec<Option<usize>> {
        let depths: FastMap<LocationId, usize> = path.iter().enumerate().map(|(depth, &location)| (location, depth)).collect();
        let mut meetings: BinaryHeap<usize> = BinaryHeap::new();
        let mut found = vec![None; path.len()];
        for depth in (0..path.len()).rev() {
            let mut work = vec![path[depth]];
            while let Some(location) = work.pop() {
                let targets = program.locations[location].outgoing.iter().map(|&edge| program.edges[edge].target);
                meetings.extend(targets.filter_map(|target| depths.get(self.above.get(&target)?).copied()));
                let below = self.children.get(&location).into_iter().flatten().copied();
                work.extend(below.filter(|child| path.get(depth + 1) != Some(child)));
            }
            // A place dominates what is met at or below it.
            while meetings.peek().is_some_and(|&at| at >= depth) {
                meetings.pop();
            }
            found[depth] = meetings.peek().copied();
        }
        found
    }

    fn largest_below(&self, location: LocationId) -> Option<LocationId> {
        self.children.get(&location)?.iter().copied().max_by_key(|child| self.sizes[child])
    }
}

#[cfg(test)]
mod tests {
    use super::super::{BlockKind, BlockOptions, Blocks};
    use crate::program::{LocationId, Program};
    use crate::structure::Structure;
    use crate::text::read;
    use assay_base::FastSet;
    use assay_base::hash::mix;

    /// Statements of a function with branches, loops, exits of loops and out of the function.
    struct Writer {
        random: u64,
        text: String,
        locations: u32,
    }

    impl Writer {
        fn program(seed: u64, statements: u32) -> Program {
            let mut writer = Writer { random: seed, text: String::new(), locations: 2 };
            let end = writer.statements(statements, 0, &mut Vec::new());
            writer.edge(end, 1);
            let text = format!("program LP64 main\nfunction main entry L0 exit L1\n{}end\n", writer.text);
            read(&text).unwrap_or_else(|e| panic!("{e}\n{text}"))
        }

        fn below(&mut self, bound: u32) -> u32 {
            self.random = mix(self.random.wrapping_add(0x9e37_79b9_7f4a_7c15));
            (self.random >> 33) as u32 % bound
        }

        fn new_location(&mut self) -> u32 {
            self.locations += 1;
            self.locations - 1
        }

        fn edge(&mut self, from: u32, to: u32) {
            self.text.push_str(&format!("L{from} -> L{to} skip\n"));
        }

        /// `outside` are the places behind the loops around.
        fn statements(&mut self, count: u32, mut at: u32, outside: &mut Vec<u32>) -> u32 {
            for _ in 0..count {
                let next = self.new_location();
                let inner = self.below(count / 2 + 1);
                match self.below(10) {
                    0..5 => self.edge(at, next),
                    5..7 => {
                        for _ in 0..2 {
                            let begin = self.new_location();
                            self.edge(at, begin);
                            let end = self.statements(inner, begin, outside);
                            self.edge(end, next);
                        }
                    }
                    7 => {
                        // A loop; its head may be what other paths lead to.
                        let head = self.new_location();
                        self.edge(at, head);
                        let begin = self.new_location();
                        self.edge(head, begin);
                        self.edge(head, next);
                        outside.push(next);
                        let end = self.statements(inner, begin, outside);
                        outside.pop();
                        self.edge(end, head);
                    }
                    8 => {
                        let way_out = outside.last().copied().unwrap_or(1);
                        self.edge(at, way_out);
                        self.edge(at, next);
                    }
                    _ => {
                        self.edge(at, 1);
                        self.edge(at, next);
                    }
                }
                at = next;
            }
            at
        }
    }

    #[test]
    fn parts_lie_in_each_other_and_are_entered_at_one_place() {
        let mut found = 0;
        for seed in 0..300 {
            let program = Writer::program(seed, 12);
            let structure = Structure::new(&program);
            let exit = program.functions[program.entry].exit;
            for part_size in [1, 3, 10] {
                let blocks = Blocks::of(&structure, BlockOptions { part_size, ..BlockOptions::default() });
                let sets: Vec<FastSet<LocationId>> = blocks.blocks.iter().map(|b| b.locations.iter().copied().collect()).collect();
                for (index, block) in blocks.blocks.iter().enumerate() {
                    for other in &sets[..index] {
                        let common = sets[index].intersection(other).count();
                        assert!(common == 0 || common == sets[index].len(), "{seed}: two blocks overlap");
                    }
                    let parent = block.parent.map(|id| &blocks.blocks[id]);
                    assert!(parent.is_none_or(|parent| parent.locations.len() >= block.locations.len()));
                    if block.kind != BlockKind::Part {
                        continue;
                    }
                    found += 1;
                    assert!(!sets[index].contains(&exit), "{seed}: a part contains the end of its function");
                    for edge in program.edges.iter().filter(|edge| structure.order().is_reached(edge.source)) {
                        let (from, to) = (sets[index].contains(&edge.source), sets[index].contains(&edge.target));
                        assert!(from || !to || edge.target == block.entry, "{seed}: a part is entered at {}", edge.target);
                        assert!(!from || to || block.exits.contains(&edge.target), "{seed}: a part is left at {}", edge.target);
                    }
                }
            }
        }
        assert!(found > 5_000, "{found} parts");
    }

    #[test]
    fn a_change_moves_only_the_cuts_beside_it() {
        // A ladder of branches to the function's exit, as of an event handler, and one step more in the middle.
        let ladder = |extra: bool| {
            let mut text = "program LP64 main\nglobal a (register 32) void source \"a\"\nfunction main entry L0 exit L1\n".to_string();
            let (mut at, mut next) = (0, 2);
            for step in 0..200 {
                if extra && step == 100 {
                    text.push_str(&format!("L{at} -> L{next} assign a 7777:32\n"));
                    (at, next) = (next, next + 1);
                }
                let (then, other) = (next, next + 1);
                text.push_str(&format!("L{at} -> L{then} assume (== a {step}:32)\nL{at} -> L{other} assume (~ (== a {step}:32))\n"));
                text.push_str(&format!("L{then} -> L1 assign a {}:32\n", step * 7 % 31));
                (at, next) = (other, next + 2);
            }
            text.push_str(&format!("L{at} -> L1 skip\nend\n"));
            read(&text).unwrap_or_else(|e| panic!("{e}"))
        };
        // Each part by where it begins, numbered as without the step, and its size.
        let parts = |extra: bool| -> FastSet<(u32, usize)> {
            let program = ladder(extra);
            let structure = Structure::new(&program);
            let blocks = Blocks::of(&structure, BlockOptions { part_size: 10, ..BlockOptions::default() });
            let parts = blocks.blocks.iter().filter(|block| block.kind == BlockKind::Part);
            parts.map(|block| (block.entry.0 - u32::from(extra && block.entry.0 > 202), block.locations.len())).collect()
        };
        let (before, after) = (parts(false), parts(true));
        let kept = before.intersection(&after).count();
        assert!(before.len() >= 12 && kept + 5 >= before.len(), "{kept} of {} parts are as before", before.len());
    }
}
