//! Loops, natural and irreducible, as the components of Bourdoncle's weak topological order: a strongly connected set,
//! its head, and the loops that remain when the head is taken out. Every cycle contains the head of a loop.

use crate::program::{EdgeId, FunctionId, LocationId, Program};
use crate::structure::Order;
use assay_base::{IdVec, id_type};

id_type! {
    /// A loop; loops of all functions share one numbering.
    pub struct LoopId("loop");
}

/// A loop of one function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loop {
    /// The function that it is in.
    pub function: FunctionId,
    /// Where the loop is entered, unless it is irreducible.
    pub head: LocationId,
    /// The next larger loop around it.
    pub parent: Option<LoopId>,
    /// 1 for an outermost loop.
    pub depth: u32,
    /// All locations of the loop in reverse postorder, those of inner loops included.
    pub locations: Vec<LocationId>,
    /// Edges from outside into the loop.
    pub entries: Vec<EdgeId>,
    /// Edges from the loop to its head.
    pub back: Vec<EdgeId>,
    /// Edges out of the loop.
    pub exits: Vec<EdgeId>,
    /// Some entry does not go to the head.
    pub irreducible: bool,
}

/// The loops of all functions, outer ones before inner ones.
#[derive(Clone, Debug)]
pub struct Loops {
    /// By id.
    pub loops: IdVec<LoopId, Loop>,
    /// The innermost loop around a location.
    pub innermost: IdVec<LocationId, Option<LoopId>>,
    /// The place of a location in its function's weak topological order, in which every loop is one unbroken piece that
    /// begins with its head; [`Order::NONE`] where not reached.
    pub weak_position: IdVec<LocationId, u32>,
}

#[derive(Clone, Copy)]
enum Item {
    Location(LocationId),
    Loop(LoopId),
}

impl Loops {
    /// Finds the loops of every function.
    pub fn of(program: &Program, order: &Order) -> Self {
        let count = program.locations.len();
        let mut finder = Finder {
            program,
            order,
            region: IdVec::filled(0, count),
            regions: 0,
            index: IdVec::filled(0, count),
            low: IdVec::filled(0, count),
            clock: 0,
            loops: IdVec::new(),
            inner_items: IdVec::new(),
            innermost: IdVec::filled(None, count),
        };
        let mut weak_position = IdVec::filled(Order::NONE, count);
        for (_, sequence) in order.sequence.iter_ids() {
            let items = finder.decompose(sequence);
            let mut place = 0;
            let mut stack: Vec<Item> = items.into_iter().rev().collect();
            while let Some(item) = stack.pop() {
                match item {
                    Item::Location(location) => {
                        weak_position[location] = place;
                        place += 1;
                    }
                    Item::Loop(id) => stack.extend(finder.inner_items[id].drain(..).rev()),
                }
            }
        }
        let Finder { mut loops, innermost, .. } = finder;
        for id in loops.ids() {
            describe(program, order, &mut loops, &innermost, id);
        }
        Loops { loops, innermost, weak_position }
    }

    /// Whether a loop begins at the location.
    pub fn is_head(&self, location: LocationId) -> bool {
        self.head_of(location).is_some()
    }
    /// The loop that begins at the location.
    pub fn head_of(&self, location: LocationId) -> Option<LoopId> {
        self.innermost[location].filter(|&id| self.loops[id].head == location)
    }
    /// Whether the location lies in the loop or in one inside it.
    pub fn contains(&self, id: LoopId, location: LocationId) -> bool {
        is_inside(&self.loops, self.innermost[location], id)
    }
    /// The loops around a location, innermost first.
    pub fn around(&self, location: LocationId) -> impl Iterator<Item = LoopId> {
        std::iter::successors(self.innermost[location], |&id| self.loops[id].parent)
    }
}

fn is_inside(loops: &IdVec<LoopId, Loop>, mut inner: Option<LoopId>, outer: LoopId) -> bool {
    while let Some(id) = inner {
        if id == outer {
            return true;
        }
        inner = if loops[id].depth <= loops[outer].depth { None } else { loops[id].parent };
    }
    false
}

fn describe(program: &Program, order: &Order, loops: &mut IdVec<LoopId, Loop>, innermost: &IdVec<LocationId, Option<LoopId>>, id: LoopId) {
    let locations = std::mem::take(&mut loops[id].locations);
    let head = loops[id].head;
    let (mut entries, mut back, mut exits, mut irreducible) = (vec![], vec![], vec![], false);
    for &location in &locations {
        for &edge in &program.locations[location].outgoing {
            let target = program.edges[edge].target;
            if !is_inside(loops, innermost[target], id) {
                exits.push(edge);
            } else if target == head {
                back.push(edge);
            }
        }
        for &edge in &program.locations[location].incoming {
            let source = program.edges[edge].source;
            if order.is_reached(source) && !is_inside(loops, innermost[source], id) {
                entries.push(edge);
                irreducible |= location != head;
            }
        }
        // Execution may also begin inside the loop.
        irreducible |= location != head && program.functions[loops[id].function].entry == location;
    }
    let found = &mut loops[id];
    (found.locations, found.entries, found.back, found.exits, found.irreducible) = (locations, entries, back, exits, irreducible);
}

struct Finder<'a> {
    program: &'a Program,
    order: &'a Order,
    /// Which set of locations is being taken apart; edges into other sets are not followed.
    region: IdVec<LocationId, u32>,
    regions: u32,
    /// Number in the current search, 0 before it.
    index: IdVec<LocationId, u32>,
    low: IdVec<LocationId, u32>,
    clock: u32,
    loops: IdVec<LoopId, Loop>,
    /// What each loop consists of, in topological order, its head first.
    inner_items: IdVec<LoopId, Vec<Item>>,
    innermost: IdVec<LocationId, Option<LoopId>>,
}

impl Finder<'_> {
    /// Takes a function apart, loop by loop, and gives its outermost items.
    fn decompose(&mut self, sequence: &[LocationId]) -> Vec<Item> {
        let (top, mut waiting) = self.components(sequence, None);
        while let Some(id) = waiting.pop() {
            let body: Vec<LocationId> = self.loops[id].locations[1..].to_vec();
            let (items, inner) = self.components(&body, Some(id));
            self.inner_items[id].extend(items);
            waiting.extend(inner);
        }
        top
    }

    /// The strongly connected components of a set of locations, in topological order; those that are loops are
    /// recorded.
    fn components(&mut self, set: &[LocationId], parent: Option<LoopId>) -> (Vec<Item>, Vec<LoopId>) {
        self.regions += 1;
        let region = self.regions;
        for &location in set {
            self.region[location] = region;
            self.index[location] = 0;
        }
        self.clock = 0;
        let mut found: Vec<Vec<LocationId>> = vec![];
        let mut open: Vec<LocationId> = vec![];
        let mut path: Vec<(LocationId, usize)> = vec![];
        for &root in set {
            if self.index[root] == 0 {
                self.open(root, &mut open, &mut path);
            }
            while let Some((location, next)) = path.last_mut() {
                let location = *location;
                if let Some(&edge) = self.program.locations[location].outgoing.get(*next) {
                    *next += 1;
                    let target = self.program.edges[edge].target;
                    if self.region[target] != region {
                        continue;
                    }
                    if self.index[target] == 0 {
                        self.open(target, &mut open, &mut path);
                    } else {
                        // Closed locations have the largest number, so that they do not count.
                        self.low[location] = self.low[location].min(self.index[target]);
                    }
                    continue;
                }
                path.pop();
                if let Some(&(above, _)) = path.last() {
                    self.low[above] = self.low[above].min(self.low[location]);
                }
                if self.low[location] == self.index[location] {
                    let start = open.iter().rposition(|&l| l == location).unwrap_or(0);
                    let component = open.split_off(start);
                    component.iter().for_each(|&l| self.index[l] = u32::MAX);
                    found.push(component);
                }
            }
        }
        found.reverse();
        let mut loops = vec![];
        let items = found.into_iter().map(|component| self.item(component, parent, &mut loops)).collect();
        (items, loops)
    }

    fn open(&mut self, location: LocationId, open: &mut Vec<LocationId>, path: &mut Vec<(LocationId, usize)>) {
        self.clock += 1;
        self.index[location] = self.clock;
        self.low[location] = self.clock;
        open.push(location);
        path.push((location, 0));
    }

    fn item(&mut self, mut component: Vec<LocationId>, parent: Option<LoopId>, loops: &mut Vec<LoopId>) -> Item {
        let first = component[0];
        let to_itself = |l: LocationId| self.program.locations[l].outgoing.iter().any(|&e| self.program.edges[e].target == l);
        if component.len() == 1 && !to_itself(first) {
            return Item::Location(first);
        }
        component.sort_unstable_by_key(|&l| self.order.position[l]);
        let id = self.loops.next_id();
        for &location in &component {
            self.innermost[location] = Some(id);
        }
        let head = component[0];
        let depth = parent.map_or(0, |p| self.loops[p].depth) + 1;
        self.loops.push(Loop {
            function: self.program.locations[head].function,
            head,
            parent,
            depth,
            locations: component,
            entries: vec![],
            back: vec![],
            exits: vec![],
            irreducible: false,
        });
        self.inner_items.push(vec![Item::Location(head)]);
        loops.push(id);
        Item::Loop(id)
    }
}
