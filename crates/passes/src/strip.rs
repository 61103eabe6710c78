//! Takes edges out of a program before anything else has seen it: what the front end marked for properties that nothing
//! asks for, and what cannot be reached any more where a path ends in a target.
//!
//! Other than [`skip`](super::skip), this leaves no trace: the program is as if the edges had never been made, and a
//! statement that began with one of them begins with the edge after it.

use assay_base::{FastSet, IdVec};
use assay_cfa::operation::Operation;
use assay_cfa::program::{EdgeId, LocationId, Origin, Program};

/// A program from which edges and locations are taken.
pub(super) struct Strip {
    pub program: Program,
    dead_edges: FastSet<EdgeId>,
    dead_locations: FastSet<LocationId>,
}

impl Strip {
    pub(crate) fn new(program: Program) -> Self {
        Strip { program, dead_edges: FastSet::default(), dead_locations: FastSet::default() }
    }

    pub(crate) fn is_dead(&self, location: LocationId) -> bool {
        self.dead_locations.contains(&location)
    }

    /// Takes away all that leaves the location, and what cannot be reached without it.
    pub(crate) fn cut_after(&mut self, location: LocationId) {
        for edge in std::mem::take(&mut self.program.locations[location].outgoing) {
            self.dead_edges.insert(edge);
            self.forget_incoming(edge);
        }
    }

    /// The edge no longer leads where it did.
    pub(crate) fn forget_incoming(&mut self, edge: EdgeId) {
        let mut stack = vec![edge];
        while let Some(edge) = stack.pop() {
            let target = self.program.edges[edge].target;
            let location = &mut self.program.locations[target];
            location.incoming.retain(|&other| other != edge);
            let function = &self.program.functions[location.function];
            if !location.incoming.is_empty() || function.entry == target || function.exit == target || self.is_dead(target) {
                continue;
            }
            self.dead_locations.insert(target);
            for next in std::mem::take(&mut self.program.locations[target].outgoing) {
                self.dead_edges.insert(next);
                stack.push(next);
            }
        }
    }

    /// Takes out the edges with such operations; each is the only successor from its source.
    pub(crate) fn contract(&mut self, unwanted: impl Fn(&Operation) -> bool) {
        for id in self.program.edges.ids().collect::<Vec<_>>() {
            if self.dead_edges.contains(&id) || !unwanted(&self.program.edges[id].operation) {
                continue;
            }
            let (source, target) = (self.program.edges[id].source, self.program.edges[id].target);
            let function = &self.program.functions[self.program.locations[source].function];
            let (entry, exit) = (function.entry, function.exit);
            let after = &self.program.locations[target];
            let alone = after.incoming[..] == [id] && target != entry && target != exit && after.target.is_none();
            if source != target && alone {
                self.join_next(id, source, target);
            } else if source != target && source != entry && self.program.locations[source].outgoing[..] == [id] {
                let incoming = std::mem::take(&mut self.program.locations[source].incoming);
                for &edge in &incoming {
                    self.program.edges[edge].target = target;
                }
                let after = &mut self.program.locations[target].incoming;
                let place = after.iter().position(|&edge| edge == id).unwrap_or(after.len());
                after.splice(place..(place + 1).min(after.len()), incoming);
                self.program.locations[source].outgoing.clear();
                self.dead_locations.insert(source);
                self.dead_edges.insert(id);
            } else {
                self.program.edges[id].operation = Operation::Skip;
            }
        }
    }

    /// The source of the edge takes the place of its target.
    fn join_next(&mut self, id: EdgeId, source: LocationId, target: LocationId) {
        let outgoing = std::mem::take(&mut self.program.locations[target].outgoing);
        let (span, origin) = (self.program.edges[id].span, self.program.edges[id].origin);
        if let ([next], Origin::Statement) = (&outgoing[..], origin)
            && self.program.edges[*next].origin == Origin::Internal
        {
            self.program.edges[*next].origin = Origin::Statement;
            self.program.edges[*next].span = span;
        }
        for &edge in &outgoing {
            self.program.edges[edge].source = source;
        }
        let place = &mut self.program.locations[source].outgoing;
        let at = place.iter().position(|&edge| edge == id).unwrap_or(place.len());
        place.splice(at..(at + 1).min(place.len()), outgoing);
        self.program.locations[target].incoming.clear();
        self.dead_locations.insert(target);
        self.dead_edges.insert(id);
    }

    /// The program with what is left of it, numbered without gaps in the old order.
    pub(crate) fn finish(self) -> Program {
        let Strip { mut program, dead_edges, dead_locations } = self;
        let mut places: IdVec<LocationId, LocationId> = IdVec::filled(LocationId(0), program.locations.len());
        let mut locations = IdVec::new();
        for (id, location) in std::mem::take(&mut program.locations).iter_ids().filter(|(id, _)| !dead_locations.contains(id)) {
            let mut location = location.clone();
            (location.outgoing, location.incoming) = (vec![], vec![]);
            places[id] = locations.push(location);
        }
        let mut kept = IdVec::new();
        for (_, edge) in std::mem::take(&mut program.edges).iter_ids().filter(|(id, _)| !dead_edges.contains(id)) {
            let mut edge = edge.clone();
            (edge.source, edge.target) = (places[edge.source], places[edge.target]);
            let (source, target) = (edge.source, edge.target);
            let new = kept.push(edge);
            locations[source].outgoing.push(new);
            locations[target].incoming.push(new);
        }
        for function in program.functions.iter_mut() {
            (function.entry, function.exit) = (places[function.entry], places[function.exit]);
        }
        (program.locations, program.edges) = (locations, kept);
        program
    }
}
