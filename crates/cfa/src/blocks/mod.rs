//! Blocks for block-abstraction memoization: the bodies of functions and of loops, and parts of large ones, with what
//! enters, leaves and touches them.

mod parts;

use crate::operation::Operation;
use crate::program::{EdgeId, FunctionId, LocationId, Program};
use crate::structure::{Effects, Loop, LoopId, Structure};
use assay_base::{FastMap, Id, IdVec, id_type};
use parts::{Cutter, exits};

id_type! {
    /// A block; blocks of all functions share one numbering.
    pub struct BlockId("B");
}

/// What a block is of.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum BlockKind {
    /// All of a function.
    Function,
    /// One loop of a function.
    Loop(LoopId),
    /// A part of a large function or loop.
    Part,
}

/// A part of one function that is entered at one location.
///
/// A function block ends at the function's exit. A loop or a part ends where control has left it: its last edges are
/// `exit_edges`, its exits are the locations after them (halts and targets can be among these). Callees belong to it: a
/// path through a block enters and leaves them.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    /// Of a function, a loop or a part.
    pub kind: BlockKind,
    /// The function that it is a part of.
    pub function: FunctionId,
    /// Where it is entered.
    pub entry: LocationId,
    /// Where control is when the block is left.
    pub exits: Vec<LocationId>,
    /// The last edges of paths through it.
    pub exit_edges: Vec<EdgeId>,
    /// The locations inside, in reverse postorder; the exits of a loop or a part are outside. Those of inner blocks are
    /// included, those of callees are not.
    pub locations: Vec<LocationId>,
    /// The next larger block of the same function.
    pub parent: Option<BlockId>,
    /// The functions that edges of the block call, each once.
    pub callees: Vec<FunctionId>,
    /// What the block with all that it calls reads and writes. Locals of callees do not count.
    pub effects: Effects,
    /// Whether its function can be active below itself.
    pub recursive: bool,
}

/// Which parts of a program become blocks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BlockOptions {
    /// Functions are blocks.
    pub functions: bool,
    /// Loops are blocks.
    pub loops: bool,
    /// Functions and loops with several times as many locations are cut into parts of at least this size; 0 for none.
    pub part_size: u32,
    /// Smaller functions and loops (in locations) are no blocks.
    pub min_size: u32,
    /// Smaller functions (in locations) that neither loop nor call anything are no blocks: entering and leaving one
    /// would cost as much as its few paths do.
    pub inline_size: u32,
    /// Functions that fewer edges call are no blocks.
    pub min_calls: u32,
    /// Whether blocks of one function may lie in each other; otherwise only the outermost are blocks.
    pub nested: bool,
}

impl Default for BlockOptions {
    fn default() -> Self {
        BlockOptions { functions: true, loops: true, part_size: 0, min_size: 0, inline_size: 0, min_calls: 0, nested: true }
    }
}

impl BlockOptions {
    /// Recursive functions are always blocks, because nothing else brings their exploration to an end. So is the entry
    /// function.
    fn takes_function(&self, id: FunctionId, calls: u32, structure: &Structure<'_>) -> bool {
        let (sites, locations) = (structure.calls(), &structure.order().sequence[id]);
        let is_straight = || sites.callees[id].is_empty() && locations.iter().all(|&l| structure.loops().innermost[l].is_none());
        let least = if is_straight() { self.min_size.max(self.inline_size) } else { self.min_size };
        let wanted = locations.len() >= least as usize && calls >= self.min_calls;
        self.functions && (wanted || sites.recursive[id] || id == structure.program.entry)
    }
}

/// How many edges call each function.
fn call_counts(program: &Program, structure: &Structure<'_>) -> IdVec<FunctionId, u32> {
    let mut counts = IdVec::filled(0, program.functions.len());
    for edge in program.edges.iter().filter(|edge| structure.order().is_reached(edge.source)) {
        if let Operation::Call { callee, .. } = edge.operation {
            counts[callee] += 1;
        }
    }
    counts
}

/// The blocks of a program.
#[derive(Clone, Debug)]
pub struct Blocks {
    /// By id.
    pub blocks: IdVec<BlockId, Block>,
    /// The blocks that begin at a location, outer ones first (a loop can begin at a function's entry).
    starting: FastMap<LocationId, Vec<BlockId>>,
    /// The innermost block around a location.
    innermost: IdVec<LocationId, Option<BlockId>>,
}

impl Blocks {
    /// The blocks of all functions that can be called. Irreducible loops are left to the block around them, because
    /// they have no single entry.
    pub fn of(structure: &Structure<'_>, options: BlockOptions) -> Self {
        let program = structure.program;
        let (order, loops, calls, effects) = (structure.order(), structure.loops(), structure.calls(), structure.effects());
        let mut result =
            Blocks { blocks: IdVec::new(), starting: FastMap::default(), innermost: IdVec::filled(None, program.locations.len()) };
        let counts = call_counts(program, structure);
        for (id, function) in program.functions.iter_ids().filter(|(id, _)| calls.reached[*id]) {
            if !options.takes_function(id, counts[id], structure) {
                continue;
            }
            result.add(Block {
                kind: BlockKind::Function,
                function: id,
                entry: function.entry,
                exits: vec![function.exit],
                exit_edges: program.locations[function.exit]
                    .incoming
                    .iter()
                    .copied()
                    .filter(|&e| order.is_reached(program.edges[e].source))
                    .collect(),
                locations: order.sequence[id].clone(),
                parent: None,
                callees: calls.callees[id].clone(),
                effects: effects.functions[id].clone(),
                recursive: calls.recursive[id],
            });
        }
        let mut inner = loop_blocks(structure, options);
        if Cutter::is_of_use(structure, options.part_size) {
            let cutter = Cutter::new(structure, options.part_size);
            let is_cut = |function: FunctionId| calls.reached[function] && !calls.recursive[function];
            for function in program.functions.ids().filter(|&id| is_cut(id)) {
                inner.extend(cutter.parts(function, None));
            }
            for (id, found) in loops.loops.iter_ids().filter(|(_, l)| is_cut(l.function) && !l.irreducible) {
                inner.extend(cutter.parts(found.function, Some(id)));
            }
            // Two blocks of a function have no location in common, or one of them lies in the other.
            inner.sort_by_key(|block| std::cmp::Reverse(block.locations.len()));
        }
        for block in inner {
            let parent = result.innermost[block.entry];
            if parent.is_none() || options.nested {
                result.add(Block { parent, ..block });
            }
        }
        result
    }

    /// Outer blocks are added before inner ones.
    fn add(&mut self, block: Block) {
        let id = self.blocks.next_id();
        self.starting.entry(block.entry).or_default().push(id);
        for &location in &block.locations {
            self.innermost[location] = Some(id);
        }
        self.blocks.push(block);
    }

    /// The blocks that begin at a location, outer ones first.
    pub fn starting_at(&self, location: LocationId) -> &[BlockId] {
        self.starting.get(&location).map_or(&[], Vec::as_slice)
    }

    /// Whether some block can be entered more than once in a run of the program: in a loop around it, or because its
    /// function is called from two places or from one that is itself come by more than once.
    pub fn can_repeat(&self, structure: &Structure<'_>) -> bool {
        let (program, loops, calls) = (structure.program, structure.loops(), structure.calls());
        let mut repeated: IdVec<FunctionId, bool> = IdVec::filled(false, program.functions.len());
        // Callers before callees.
        for &function in calls.components.iter().rev().flatten() {
            let sites = &calls.sites[function];
            let again = |&site: &EdgeId| {
                let source = program.edges[site].source;
                loops.innermost[source].is_some() || repeated[program.locations[source].function]
            };
            repeated[function] = calls.recursive[function] || sites.len() > 1 || sites.iter().any(again);
        }
        self.blocks.iter().any(|block| {
            let around = loops.around(block.entry).count();
            let around = match block.kind {
                BlockKind::Function => 0,
                BlockKind::Loop(_) => around - 1,
                BlockKind::Part => around,
            };
            around > 0 || repeated[block.function]
        })
    }

    /// The innermost block around a location.
    pub fn innermost(&self, location: LocationId) -> Option<BlockId> {
        self.innermost[location]
    }

    /// Whether a location lies in a block (callees do not).
    pub fn contains(&self, block: BlockId, location: LocationId) -> bool {
        std::iter::successors(self.innermost[location], |&id| self.blocks[id].parent).any(|id| id == block)
    }
}

/// The loops that can be blocks, outer ones first.
fn loop_blocks(structure: &Structure<'_>, options: BlockOptions) -> Vec<Block> {
    let (program, calls) = (structure.program, structure.calls());
    let wanted = |found: &Loop| {
        options.loops && calls.reached[found.function] && !found.irreducible && found.locations.len() >= options.min_size as usize
    };
    let block = |(id, found): (LoopId, &Loop)| {
        let edges: Vec<EdgeId> = found.locations.iter().flat_map(|&l| program.locations[l].outgoing.iter().copied()).collect();
        Block {
            kind: BlockKind::Loop(id),
            function: found.function,
            entry: found.head,
            exits: exits(program, &found.exits),
            exit_edges: found.exits.clone(),
            locations: found.locations.clone(),
            parent: None,
            callees: callees(program, &edges),
            effects: structure.effects().of_edges(program, edges),
            recursive: calls.recursive[found.function],
        }
    };
    structure.loops().loops.iter_ids().filter(|(_, found)| wanted(found)).map(block).collect()
}

fn callees(program: &Program, edges: &[EdgeId]) -> Vec<FunctionId> {
    let mut found: Vec<FunctionId> = edges
        .iter()
        .filter_map(|&edge| match program.edges[edge].operation {
            Operation::Call { callee, .. } => Some(callee),
            _ => None,
        })
        .collect();
    found.sort_unstable_by_key(|f| f.index());
    found.dedup();
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::read;

    const PROGRAM: &str = "program LP64 main
global a (register 32) void source \"a\"
global b (register 32) void source \"b\"
function main entry L0 exit L1
  local main::i (register 32) void source \"i\"
  local main::j (register 32) void source \"j\"
  target L6 unreach-call
  L0 -> L2 assume (<u main::i 9:32)
  L0 -> L1 assume (~ (<u main::i 9:32))
  L2 -> L3 call f
  L3 -> L3 assign main::j (+ main::j 1:32)
  L3 -> L4 assume (== main::j b)
  L4 -> L0 assign main::i (+ main::i 1:32)
  L4 -> L5 skip
  L5 -> L6 skip
end
function f entry L7 exit L8
  L7 -> L8 assign a 1:32
end
function unused entry L9 exit L10
  L9 -> L10 skip
end
";

    #[test]
    fn functions_and_loops_become_blocks() {
        let program = read(PROGRAM).expect("readable");
        assert_eq!(crate::verifier::verify(&program), vec![]);
        let structure = Structure::new(&program);
        let blocks = Blocks::of(&structure, BlockOptions::default());
        let shown: Vec<String> = blocks
            .blocks
            .iter()
            .map(|b| {
                let names = |list: &[crate::VarId]| list.iter().map(|&v| program.variables[v].name.clone()).collect::<Vec<_>>().join(" ");
                format!(
                    "{:?} {} -> {:?}, parent {:?}, {} locations, calls {:?}, reads {}, writes {}",
                    b.kind,
                    b.entry,
                    b.exits,
                    b.parent,
                    b.locations.len(),
                    b.callees,
                    names(&b.effects.reads),
                    names(&b.effects.writes)
                )
            })
            .collect();
        assert_eq!(
            shown,
            [
                "Function L0 -> [L1], parent None, 7 locations, calls [F1], reads b main::i main::j, writes a main::i main::j",
                "Function L7 -> [L8], parent None, 2 locations, calls [], reads , writes a",
                "Loop(loop0) L0 -> [L1, L5], parent Some(B0), 4 locations, calls [F1], reads b main::i main::j, writes a main::i main::j",
                "Loop(loop1) L3 -> [L4], parent Some(B2), 1 locations, calls [], reads b main::j, writes main::j",
            ]
        );
        assert_eq!(blocks.starting_at(LocationId(0)), [BlockId(0), BlockId(2)]);
        assert_eq!(blocks.innermost(LocationId(5)), Some(BlockId(0)));
        assert!(blocks.contains(BlockId(2), LocationId(3)) && !blocks.contains(BlockId(3), LocationId(4)));
    }

    #[test]
    fn size_calls_and_nesting_choose_among_blocks() {
        let program = read(PROGRAM).expect("readable");
        let structure = Structure::new(&program);
        let entries = |options: BlockOptions| -> Vec<u32> { Blocks::of(&structure, options).blocks.iter().map(|b| b.entry.0).collect() };
        let all = BlockOptions::default();
        assert_eq!(entries(all), [0, 7, 0, 3]);
        assert_eq!(entries(BlockOptions { min_size: 3, ..all }), [0, 0]);
        // The function at 7 neither loops nor calls anything; loops stay.
        assert_eq!(entries(BlockOptions { inline_size: 2, ..all }), [0, 7, 0, 3]);
        assert_eq!(entries(BlockOptions { inline_size: 3, ..all }), [0, 0, 3]);
        assert_eq!(entries(BlockOptions { min_calls: 2, ..all }), [0, 0, 3]);
        assert_eq!(entries(BlockOptions { nested: false, ..all }), [0, 7]);
        assert_eq!(entries(BlockOptions { nested: false, functions: false, ..all }), [0]);
    }

    #[test]
    fn blocks_repeat_in_loops_and_by_calls() {
        let repeats = |body: &str, more: &str| {
            let text = format!("program LP64 main\nfunction main entry L0 exit L1\n{body}end\n{more}");
            let program = read(&text).expect("readable");
            let structure = Structure::new(&program);
            Blocks::of(&structure, BlockOptions::default()).can_repeat(&structure)
        };
        let f = "function f entry L3 exit L4\nL3 -> L4 skip\nend\n";
        assert!(!repeats("L0 -> L0 skip\nL0 -> L1 skip\n", ""));
        assert!(!repeats("L0 -> L2 call f\nL2 -> L1 skip\n", f));
        assert!(repeats("L0 -> L2 call f\nL2 -> L1 call f\n", f));
        assert!(repeats("L0 -> L2 call f\nL2 -> L0 skip\nL0 -> L1 skip\n", f));
        assert!(repeats("L0 -> L2 skip\nL2 -> L2 skip\nL2 -> L0 skip\nL2 -> L1 skip\n", ""));
    }

    #[test]
    fn an_irreducible_loop_is_no_block() {
        let text = "program LP64 main\nfunction main entry L0 exit L1\nL0 -> L2 skip\nL0 -> L3 skip\nL2 -> L3 skip\nL3 -> L2 skip\nend\n";
        let program = read(text).expect("readable");
        let structure = Structure::new(&program);
        assert_eq!(structure.loops().loops.len(), 1);
        assert_eq!(Blocks::of(&structure, BlockOptions { functions: false, ..BlockOptions::default() }).blocks.len(), 0);
    }
}
