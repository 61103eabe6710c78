//! The part of the program that an exploration went through. That part, and nothing else of the code, is what a summary
//! depends on: whatever is changed where it never was leaves it as it is.
//!
//! A region is a set of locations whose edges were all followed, and a border of locations at which the exploration
//! ended. On disk it is the shape of the region in each function, in the order of a walk from where it is entered, and
//! a hash of what the edges do. A run on a changed program takes the same walk; if it finds the same, the old
//! exploration is one of the new program. Numbers of locations and edges do not occur, because they shift.

use super::reduce::{BlockScope, Reduce};
use super::shared::Shared;
use super::summary::BlockGraph;
use assay_base::{ByteReader, ByteWriter, FastMap, FastSet, IdVec};
use assay_cfa::blocks::BlockId;
use assay_cfa::portable::Names;
use assay_cfa::{EdgeId, FunctionId, LocationId};
use assay_term::Terms;
use sha2::{Digest, Sha256};
use std::sync::{Arc, Mutex, OnceLock};

/// Where an exploration went.
#[derive(Debug, Default, Clone, PartialEq, Eq, Hash)]
pub(super) struct Region {
    /// Locations whose edges were followed, in order.
    inside: Box<[LocationId]>,
    /// Locations that were reached and from which nothing was followed, in order.
    border: Box<[LocationId]>,
}

/// A region that grows.
#[derive(Default)]
pub(super) struct Growing {
    inside: FastSet<LocationId>,
    reached: FastSet<LocationId>,
}

impl Growing {
    /// Adds where the graph of one block went. What lies in inner blocks is in the regions of their summaries.
    pub(super) fn add_graph<D: Reduce>(&mut self, shared: &Shared<'_, D>, graph: &BlockGraph<'_, D>) {
        let arg = &graph.exploration.arg;
        for node in arg.live() {
            let head = arg.head(node);
            let leaves = graph.block.is_some_and(|block| shared.is_exit(block, head));
            self.add(head.location, !leaves && !graph.applied.contains_key(&node));
        }
    }

    fn add(&mut self, location: LocationId, is_inside: bool) {
        self.reached.insert(location);
        if is_inside {
            self.inside.insert(location);
        }
    }

    pub(super) fn add_region(&mut self, region: &Region) {
        region.inside.iter().for_each(|&location| self.add(location, true));
        region.border.iter().for_each(|&location| self.add(location, false));
    }

    pub(super) fn finish(self) -> Region {
        let sorted = |mut list: Vec<LocationId>| {
            list.sort_unstable();
            list.into_boxed_slice()
        };
        let border = self.reached.iter().copied().filter(|location| !self.inside.contains(location)).collect();
        Region { border: sorted(border), inside: sorted(self.inside.into_iter().collect()) }
    }
}

/// Why a region is not that of this program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Mismatch {
    /// The code of this function is another one.
    Changed(String),
    /// The bytes make no sense.
    Unreadable,
}

type EdgeHash = [u8; 16];

/// Writes and reads regions of one program. Many summaries have the same one, so that each is walked through once.
pub(super) struct Regions<'a> {
    names: &'a Names<'a>,
    terms: Terms,
    edges: IdVec<EdgeId, OnceLock<EdgeHash>>,
    written: Mutex<FastMap<(BlockId, Arc<Region>), Option<Arc<Written>>>>,
    read: Mutex<FastMap<(BlockId, Vec<u8>), Result<Arc<Found>, Mismatch>>>,
}

/// A region as bytes.
pub(super) struct Written {
    pub(super) bytes: Vec<u8>,
    /// The numbers of the locations of the block's function.
    pub(super) numbers: FastMap<LocationId, u64>,
}

/// A region that this program has.
pub(super) struct Found {
    pub(super) region: Arc<Region>,
    /// The locations of the block's function by their numbers.
    pub(super) locations: Vec<LocationId>,
}

/// A walk through one function.
struct Walk {
    /// The locations in the order in which they were found.
    order: Vec<LocationId>,
    /// For each of them, for each of its edges, whether it was followed; `None` on the border.
    followed: Vec<Option<Vec<bool>>>,
    hash: [u8; 32],
}

impl<'a> Regions<'a> {
    pub(super) fn new(names: &'a Names<'a>) -> Self {
        let program = names.program;
        let edges = program.edges.iter().map(|_| OnceLock::new()).collect();
        Regions { names, terms: Terms::overlay(program.terms.clone()), edges, written: Mutex::default(), read: Mutex::default() }
    }

    /// The region of a block as bytes; `None` if it does not hang together.
    pub(super) fn write(&self, block: &BlockScope<'_>, region: &Arc<Region>) -> Option<Arc<Written>> {
        let key = (block.id, region.clone());
        let known = self.written.lock().unwrap_or_else(|e| e.into_inner()).get(&key).cloned();
        known.unwrap_or_else(|| {
            let written = self.encode(block, region).map(Arc::new);
            self.written.lock().unwrap_or_else(|e| e.into_inner()).insert(key, written.clone());
            written
        })
    }

    /// The region that was written, if this program has it.
    ///
    /// # Errors
    /// What is different.
    pub(super) fn read(&self, block: &BlockScope<'_>, bytes: &[u8]) -> Result<Arc<Found>, Mismatch> {
        let key = (block.id, bytes.to_vec());
        let known = self.read.lock().unwrap_or_else(|e| e.into_inner()).get(&key).cloned();
        known.unwrap_or_else(|| {
            let found = self.decode(block, &mut ByteReader::new(bytes)).map(Arc::new);
            self.read.lock().unwrap_or_else(|e| e.into_inner()).insert(key, found.clone());
            found
        })
    }

    fn edge(&self, edge: EdgeId) -> &EdgeHash {
        self.edges[edge].get_or_init(|| {
            let hash: [u8; 32] = Sha256::digest(self.names.edge_text(&self.terms, edge).as_bytes()).into();
            hash.first_chunk().copied().unwrap_or_default()
        })
    }

    /// Walks through a function from where it is entered. `choose` says for the n-th location, at this place, which of
    /// its edges are followed inside of the region.
    fn walk(
        &self,
        function: FunctionId,
        roots: &[LocationId],
        mut choose: impl FnMut(usize, LocationId) -> Option<Option<Vec<bool>>>,
    ) -> Option<Walk> {
        let program = self.names.program;
        let mut numbers: FastMap<LocationId, u64> = FastMap::default();
        let mut order: Vec<LocationId> = Vec::new();
        let mut add = |location: LocationId, order: &mut Vec<LocationId>| {
            *numbers.entry(location).or_insert_with(|| {
                order.push(location);
                order.len() as u64 - 1
            })
        };
        let mut hash = Sha256::new();
        hash.update(self.names.signature_text(function).as_bytes());
        for &root in roots {
            hash.update(add(root, &mut order).to_le_bytes());
        }
        let mut followed: Vec<Option<Vec<bool>>> = Vec::new();
        while let Some(&location) = order.get(followed.len()) {
            let chosen = choose(followed.len(), location)?;
            let place = &program.locations[location];
            let is_exit = location == program.functions[function].exit;
            hash.update([u8::from(chosen.is_some()), u8::from(is_exit)]);
            hash.update(place.target.map_or("", |target| target.name()).as_bytes());
            if let Some(chosen) = &chosen {
                if chosen.len() != place.outgoing.len() {
                    return None;
                }
                for (&edge, &follows) in place.outgoing.iter().zip(chosen) {
                    hash.update(self.edge(edge));
                    let target = if follows { add(program.edges[edge].target, &mut order) } else { u64::MAX };
                    hash.update(target.to_le_bytes());
                }
            }
            followed.push(chosen);
        }
        Some(Walk { order, followed, hash: hash.finalize().into() })
    }

    /// Where the region of a block begins in a function.
    fn roots(&self, block: &BlockScope<'_>, function: FunctionId, enters: bool) -> Vec<LocationId> {
        let entry = self.names.program.functions[function].entry;
        let own = (function == block.block.function).then_some(block.block.entry);
        own.into_iter().chain(enters.then_some(entry)).collect()
    }

    fn encode(&self, block: &BlockScope<'_>, region: &Region) -> Option<Written> {
        let program = self.names.program;
        let inside: FastSet<LocationId> = region.inside.iter().copied().collect();
        let reached: FastSet<LocationId> = region.inside.iter().chain(&region.border).copied().collect();
        let mut counts: FastMap<FunctionId, usize> = FastMap::default();
        for &location in &reached {
            *counts.entry(program.locations[location].function).or_default() += 1;
        }
        let mut functions: Vec<FunctionId> = counts.keys().copied().collect();
        functions.sort_by(|a, b| program.functions[*a].name.cmp(&program.functions[*b].name));
        let mut out = ByteWriter::default();
        out.number(functions.len() as u64);
        let mut numbers = FastMap::default();
        for function in functions {
            let enters = reached.contains(&program.functions[function].entry);
            let follows = |&edge: &EdgeId| reached.contains(&program.edges[edge].target);
            let edges = |location: LocationId| program.locations[location].outgoing.iter().map(follows).collect();
            let choose = |_, location| Some(inside.contains(&location).then(|| edges(location)));
            let walk = self.walk(function, &self.roots(block, function, enters), choose)?;
            if walk.order.len() != counts[&function] {
                return None;
            }
            out.text(&program.functions[function].name);
            out.flag(enters);
            out.number(walk.order.len() as u64);
            for chosen in &walk.followed {
                out.number(chosen.as_ref().map_or(0, |chosen| chosen.len() as u64 + 1));
                chosen.iter().flatten().for_each(|&follows| out.flag(follows));
            }
            out.bytes.extend_from_slice(&walk.hash);
            if function == block.block.function {
                numbers = walk.order.iter().zip(0..).map(|(&location, number)| (location, number)).collect();
            }
        }
        Some(Written { bytes: out.bytes, numbers })
    }

    fn decode(&self, block: &BlockScope<'_>, from: &mut ByteReader<'_>) -> Result<Found, Mismatch> {
        let bad = || Mismatch::Unreadable;
        let (mut region, mut locations) = (Growing::default(), Vec::new());
        for _ in 0..from.number().ok_or_else(bad)? {
            let name = from.text().ok_or_else(bad)?;
            let changed = || Mismatch::Changed(name.to_string());
            let enters = from.flag().ok_or_else(bad)?;
            let count = from.small().ok_or_else(bad)? as usize;
            let mut followed: Vec<Option<Vec<bool>>> = Vec::new();
            for _ in 0..count {
                let edges = match from.small().ok_or_else(bad)? {
                    0 => None,
                    more => Some((1..more).map(|_| from.flag()).collect::<Option<Vec<bool>>>().ok_or_else(bad)?),
                };
                followed.push(edges);
            }
            let hash = from.raw(32).ok_or_else(bad)?;
            let function = self.names.function(name).ok_or_else(changed)?;
            let walk = self.walk(function, &self.roots(block, function, enters), |number, _| followed.get(number).cloned());
            let walk = walk.filter(|walk| walk.order.len() == count && walk.hash == hash).ok_or_else(changed)?;
            for (&location, chosen) in walk.order.iter().zip(&walk.followed) {
                // A loop can be another one although its code is the same as far as it was executed.
                if chosen.is_some() && !block.executes(location) {
                    return Err(changed());
                }
                region.add(location, chosen.is_some());
            }
            if function == block.block.function {
                locations = walk.order;
            }
        }
        let region = Arc::new(region.finish());
        from.is_at_end().then_some(Found { region, locations }).ok_or_else(bad)
    }
}
