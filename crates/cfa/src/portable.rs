//! Names that outlive a run: things of a program by name and position, so that what one run wrote another can read
//! although its ids are others; and the content of functions and blocks as text, by which a change is noticed.

use crate::blocks::{BlockId, BlockKind, Blocks};
use crate::operation::Operation;
use crate::program::{EdgeId, FunctionId, LocationId, Program, Role, Scope, Storage, VarId};
use crate::structure::Structure;
use crate::text::print_operation;
use assay_base::{FastMap, FastSet, Id, IdVec};
use assay_term::{Op, Terms};
use std::fmt::Write;

/// Both directions between ids and names.
#[derive(Debug)]
pub struct Names<'p> {
    /// Whose names they are.
    pub program: &'p Program,
    variables: FastMap<&'p str, VarId>,
    functions: FastMap<&'p str, FunctionId>,
    /// The edges of a function in the order of their ids, and an edge's place in that list.
    edges: IdVec<FunctionId, Vec<EdgeId>>,
    edge_places: IdVec<EdgeId, u32>,
    locations: IdVec<FunctionId, Vec<LocationId>>,
    location_places: IdVec<LocationId, u32>,
}

impl<'p> Names<'p> {
    /// Looks at all names once.
    pub fn new(program: &'p Program) -> Self {
        let mut names = Names {
            program,
            variables: program.variables.iter_ids().map(|(id, variable)| (variable.name.as_str(), id)).collect(),
            functions: program.functions.iter_ids().map(|(id, function)| (function.name.as_str(), id)).collect(),
            edges: IdVec::filled(vec![], program.functions.len()),
            edge_places: IdVec::new(),
            locations: IdVec::filled(vec![], program.functions.len()),
            location_places: IdVec::new(),
        };
        for (id, edge) in program.edges.iter_ids() {
            let list = &mut names.edges[program.locations[edge.source].function];
            names.edge_places.push(list.len() as u32);
            list.push(id);
        }
        for (id, location) in program.locations.iter_ids() {
            let list = &mut names.locations[location.function];
            names.location_places.push(list.len() as u32);
            list.push(id);
        }
        names
    }

    /// The variable with a unique name.
    pub fn variable(&self, name: &str) -> Option<VarId> {
        self.variables.get(name).copied()
    }
    /// The function with this name.
    pub fn function(&self, name: &str) -> Option<FunctionId> {
        self.functions.get(name).copied()
    }
    /// The function of an edge and its place among that function's edges.
    pub fn edge_name(&self, edge: EdgeId) -> (&'p str, u32) {
        let function = self.program.locations[self.program.edges[edge].source].function;
        (&self.program.functions[function].name, self.edge_places[edge])
    }
    /// The edge with a name of [`edge_name`](Self::edge_name).
    pub fn edge(&self, function: &str, place: u32) -> Option<EdgeId> {
        self.edges[self.function(function)?].get(place as usize).copied()
    }
    /// All edges of a function, in the order of their places.
    pub fn edges_of(&self, function: FunctionId) -> &[EdgeId] {
        &self.edges[function]
    }
    /// The function of a location and its place among that function's locations.
    pub fn location_name(&self, location: LocationId) -> (&'p str, u32) {
        (&self.program.functions[self.program.locations[location].function].name, self.location_places[location])
    }
    /// The location with a name of [`location_name`](Self::location_name).
    pub fn location(&self, function: FunctionId, place: u32) -> Option<LocationId> {
        self.locations[function].get(place as usize).copied()
    }

    /// Everything about a function that an analysis can see: its variables, its edges and its targets, without source
    /// positions.
    pub fn function_text(&self, id: FunctionId) -> String {
        let (program, function) = (self.program, &self.program.functions[id]);
        let terms = Terms::overlay(program.terms.clone());
        let place = |location: LocationId| self.location_places[location];
        let mut out = format!("function {} {} {}\n", function.name, place(function.entry), place(function.exit));
        for &local in &function.locals {
            self.variable_text(local, &mut out);
        }
        let list = |ids: &[VarId]| ids.iter().map(|&v| program.variables[v].name.as_str()).collect::<Vec<_>>().join(" ");
        let _ = writeln!(out, "parameters {}; result {}", list(&function.parameters), list(function.result.as_slice()));
        for &location in &self.locations[id] {
            if let Some(target) = program.locations[location].target {
                let _ = writeln!(out, "target {} {}", place(location), target.name());
            }
        }
        for &id in &self.edges[id] {
            let edge = &program.edges[id];
            let _ = write!(out, "{} {} ", place(edge.source), place(edge.target));
            self.operation_text(&terms, &edge.operation, &mut out);
            out.push('\n');
        }
        out
    }

    fn operation_text(&self, terms: &Terms, operation: &Operation, out: &mut String) {
        // The numbers of value sources shift when something is changed elsewhere.
        let mut operation = operation.clone();
        if let Operation::Havoc { source, .. } | Operation::HavocMemory { source, .. } = &mut operation {
            let value = &self.program.value_sources[*source];
            let _ = write!(out, "{:?} {} ", value.kind, value.name);
            *source = Id::from_index(0);
        }
        out.push_str(&print_operation(self.program, terms, &operation));
    }

    /// What an edge does and what the variables are that it names, wherever it leads. `terms` is the program's store or
    /// an overlay of it.
    pub fn edge_text(&self, terms: &Terms, edge: EdgeId) -> String {
        let operation = &self.program.edges[edge].operation;
        let mut out = String::new();
        self.operation_text(terms, operation, &mut out);
        out.push('\n');
        let mut named: Vec<VarId> = operation.written_register().into_iter().collect();
        terms.post_order(operation.terms(), |_, node| {
            if matches!(node.op, Op::Symbol | Op::Address) {
                named.extend(self.program.variable_of(node.symbol()));
            }
        });
        if let Operation::Declare { object, .. } | Operation::EndLife { object } = operation {
            named.push(*object);
        }
        if let Operation::Call { callee, .. } = operation {
            out.push_str(&self.signature_text(*callee));
        }
        named.sort_unstable();
        named.dedup();
        named.iter().for_each(|&variable| self.variable_text(variable, &mut out));
        out
    }

    /// What a call does to a function: its parameters and its result.
    pub fn signature_text(&self, id: FunctionId) -> String {
        let function = &self.program.functions[id];
        let mut out = format!("function {}\n", function.name);
        for &variable in function.parameters.iter().chain(&function.result) {
            self.variable_text(variable, &mut out);
        }
        out
    }

    fn variable_text(&self, id: VarId, out: &mut String) {
        let variable = &self.program.variables[id];
        let _ = match variable.storage {
            Storage::Register { width } => write!(out, "{} register {width}", variable.name),
            Storage::Memory { size, align, constant } => write!(out, "{} memory {size:?} {align} {constant}", variable.name),
        };
        let _ = writeln!(out, " {:?} {:?}", variable.role, variable.ctype);
    }

    /// Everything beside the code that it executes that the result of a block depends on: what it touches, and what is
    /// true of that in the whole program. Of the functions that it calls only what can be there at its entry counts.
    pub fn block_text(
        &self,
        structure: &Structure<'_>,
        blocks: &Blocks,
        id: BlockId,
        callees: &FastSet<FunctionId>,
        touches: &dyn Fn(VarId) -> bool,
    ) -> String {
        let program = self.program;
        let block = &blocks.blocks[id];
        let kind = match block.kind {
            BlockKind::Function => "function",
            BlockKind::Loop(_) => "loop",
            BlockKind::Part => "part",
        };
        let mut out = format!("{kind} {}\n", program.functions[block.function].name);
        let effects = &block.effects;
        let _ = writeln!(
            out,
            "effects {} {} {} {} {}",
            effects.reads_unknown_memory, effects.writes_unknown_memory, effects.allocates, effects.havocs, effects.touches_everything
        );
        let escaped = &structure.effects().escaped;
        // Locals of functions that the block does not execute are touched through pointers only, and states show which
        // there are. Registers of callees are there only while these run; so are those of a function but for its
        // parameters.
        let may_be_there = |v: VarId| {
            let info = &program.variables[v];
            let by_pointer = info.register_width().is_none() && escaped[v];
            match info.scope {
                Scope::Global => true,
                Scope::Local(function) if function == block.function => {
                    block.kind != BlockKind::Function || by_pointer || matches!(info.role, Role::Parameter(_) | Role::Result)
                }
                Scope::Local(function) => by_pointer && callees.contains(&function),
            }
        };
        let mut variables: Vec<VarId> = program.variables.ids().filter(|&v| may_be_there(v) && touches(v)).collect();
        variables.sort_by(|a, b| program.variables[*a].name.cmp(&program.variables[*b].name));
        let by_name = |list: &[VarId], variable: VarId| list.binary_search_by_key(&variable.0, |v| v.0).is_ok();
        for variable in variables {
            let info = &program.variables[variable];
            let _ = write!(out, "{} ", info.is_global());
            if info.register_width().is_none() {
                let facts = (escaped[variable], by_name(&effects.reads, variable), by_name(&effects.writes, variable));
                let _ = write!(out, "{facts:?} ");
            }
            self.variable_text(variable, &mut out);
        }
        out
    }
}
