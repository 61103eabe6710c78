//! GNU's functions inside of functions. Variables of the function around that such a function uses are objects; their
//! addresses are in registers of the program, set before each call by name and where the function's address is taken,
//! and kept by the function when it is entered.

use super::body::Body;
use super::facts::{Facts, Global};
use super::graph::CallGraph;
use super::walk::{Below, below_expr, below_stmt};
use super::{Lowering, Role, Scope, Storage};
use crate::adapter::Unit;
use assay_base::{FastMap, FastSet};
use assay_cfa::CType;
use rucc_sema::{DeclId, DeclKind, Definition, ExprKind, Linkage, StorageDuration};
use rucc_types::{ArrayLen, TypeId, TypeKind};

/// What functions inside of functions use of those around them.
#[derive(Default)]
pub(crate) struct Nested {
    /// The variables that a function uses and that belong to one around it.
    pub captured: FastMap<Global, Vec<DeclId>>,
    /// The function to which a variable belongs that is used inside.
    owners: FastMap<Global, Global>,
    /// The registers with the addresses of these variables.
    chains: FastMap<Global, assay_cfa::VarId>,
    /// Functions inside of one that may be active twice, with their address taken: which frame they belong to is not
    /// followed.
    ambiguous: FastSet<Global>,
    /// Functions inside of one that use types whose length is computed: when that happens is not followed there.
    lengths: FastSet<Global>,
}

impl Nested {
    /// Whether a variable is used by a function inside of its own.
    pub(crate) fn is_captured(&self, variable: Global) -> bool {
        self.owners.contains_key(&variable)
    }
}

/// What the body of a function mentions.
#[derive(Default)]
struct Mentions {
    declared: FastSet<usize>,
    variables: Vec<DeclId>,
    /// Functions inside, those that it declares and those that it calls.
    functions: Vec<DeclId>,
    /// There is a type whose length is computed.
    lengths: bool,
}

fn mentions(unit: &Unit, function: DeclId) -> Mentions {
    let mut found = Mentions::default();
    let Some(body) = unit.tast[function].body else { return found };
    found.declared.extend(unit.tast[unit.tast[function].params].iter().map(|parameter| parameter.index()));
    found.lengths = unit.tast[unit.tast[function].params].iter().any(|&parameter| is_variable(unit, unit.tast[parameter].ty));
    let mut work = vec![Below::Stmt(body)];
    while let Some(item) = work.pop() {
        match item {
            Below::Stmt(stmt) => below_stmt(unit, stmt, &mut |item| work.push(item)),
            Below::Decl(decl) => {
                found.declared.insert(decl.index());
                found.lengths |= is_variable(unit, unit.tast[decl].ty);
                if unit.tast[decl].kind == DeclKind::Function {
                    found.functions.push(decl);
                }
                if let Some(list) = unit.tast[decl].init {
                    work.extend(unit.tast[list].iter().map(|entry| Below::Expr(entry.value)));
                }
            }
            Below::Expr(expr) => {
                found.lengths |= is_variable(unit, unit.tast[expr].ty);
                if let ExprKind::Decl(id) = unit.tast[expr].kind {
                    match unit.tast[id].kind {
                        DeclKind::Function => found.functions.push(id),
                        DeclKind::Object if unit.tast[id].duration == StorageDuration::Automatic => found.variables.push(id),
                        _ => {}
                    }
                }
                below_expr(unit, expr, &mut |item| work.push(item));
            }
        }
    }
    found
}

fn is_inside(unit: &Unit, function: DeclId) -> bool {
    unit.tast[function].linkage == Linkage::None && unit.tast[function].body.is_some()
}

impl Facts {
    /// Finds what functions inside of functions use.
    pub(crate) fn find_nested(&mut self, units: &[Unit]) -> Nested {
        let mut nested = Nested::default();
        let inside: Vec<Global> = self.functions.iter().copied().filter(|global| is_inside(&units[global.unit], global.id())).collect();
        if inside.is_empty() {
            return nested;
        }
        let all: FastMap<Global, Mentions> =
            self.functions.iter().map(|&global| (global, mentions(&units[global.unit], global.id()))).collect();
        nested.lengths = inside.iter().copied().filter(|function| all[function].lengths).collect();
        // What is used of a function around: by itself, by those inside of it, and by those that it calls.
        loop {
            let mut grown = false;
            for &function in &inside {
                let own = &all[&function];
                let called = own.functions.iter().map(|&id| Global::new(function.unit, id));
                let below = called.filter_map(|callee| nested.captured.get(&callee)).flatten().copied();
                let mut used: Vec<DeclId> = own.variables.iter().copied().chain(below).collect();
                used.retain(|id| !own.declared.contains(&id.index()));
                let known = nested.captured.entry(function).or_default();
                for id in used {
                    if !known.contains(&id) {
                        known.push(id);
                        grown = true;
                    }
                }
            }
            if !grown {
                break;
            }
        }
        for (&function, list) in &nested.captured {
            for &id in list {
                let variable = Global::new(function.unit, id);
                self.address(variable);
                let owner = all.iter().find(|(global, own)| global.unit == function.unit && own.declared.contains(&id.index()));
                nested.owners.insert(variable, owner.map_or(function, |(&owner, _)| owner));
            }
        }
        nested
    }
}

impl Lowering<'_> {
    /// Makes the registers for addresses of variables that functions inside use.
    pub(super) fn chain_nested(&mut self, graph: &CallGraph) {
        let mut variables: Vec<Global> = self.nested.owners.keys().copied().collect();
        variables.sort_unstable();
        let width = self.pointer_width();
        for variable in variables {
            let span = self.units[variable.unit].span(self.units[variable.unit].tast.decl_span(variable.id()));
            let register = self.builder.variable("", Scope::Global, Role::Temporary, Storage::Register { width }, CType::Pointer, span);
            self.nested.chains.insert(variable, register);
        }
        let taken: Vec<Global> = self.facts.address_taken.clone();
        for function in taken {
            let list = self.nested.captured.get(&function).cloned().unwrap_or_default();
            let owners: FastSet<Global> =
                list.iter().filter_map(|&id| self.nested.owners.get(&Global::new(function.unit, id)).copied()).collect();
            if owners.iter().any(|&owner| self.is_recursive(graph, owner)) {
                self.nested.ambiguous.insert(function);
            }
        }
    }

    /// Whether a function is declared inside of another one, and nothing defines it under this declaration.
    pub(super) fn is_declared_inside(&self, global: Global) -> bool {
        let decl = &self.units[global.unit].tast[global.id()];
        decl.kind == DeclKind::Function && decl.linkage == Linkage::None && decl.state != Definition::Defined
    }
}

impl Body<'_, '_> {
    /// Keeps the addresses that the function around has left.
    pub(super) fn enter_nested(&mut self, function: Global) {
        if self.l.nested.lengths.contains(&function) {
            self.unsupported("a function inside of a function that uses an array of variable length");
        }
        let Some(list) = self.l.nested.captured.get(&function).cloned() else { return };
        if self.l.nested.ambiguous.contains(&function) {
            self.unsupported("the address of a function inside of a function that may be active twice");
        }
        for id in list {
            let Some(&chain) = self.l.nested.chains.get(&Global::new(self.unit_index, id)) else { continue };
            let kept = self.word_temporary();
            let address = self.read(chain);
            self.assign(kept, address);
            self.captured.insert(id.index() as u32, kept);
        }
    }

    /// Before a call of a function, and where its address is taken: the addresses of what it uses. A function that does
    /// not see these variables leaves the addresses as they are.
    pub(super) fn hand_variables_on(&mut self, index: usize) {
        let function = self.l.functions[index].global;
        let Some(list) = self.l.nested.captured.get(&function).cloned() else { return };
        if function.unit != self.unit_index {
            return;
        }
        let owner = self.l.functions.iter().find(|f| f.id == Some(self.function)).map(|f| f.global);
        for id in list {
            let variable = Global::new(self.unit_index, id);
            let Some(&chain) = self.l.nested.chains.get(&variable) else { continue };
            let address = match self.captured.get(&(id.index() as u32)) {
                Some(&kept) => self.read(kept),
                None if owner.is_some() && self.l.nested.owners.get(&variable).copied() == owner => self.address_of_declaration(id),
                None => continue,
            };
            self.assign(chain, address);
        }
    }
}

/// Whether a length in the type is computed when the program runs.
fn is_variable(unit: &Unit, ty: TypeId) -> bool {
    match unit.kind(ty) {
        TypeKind::Array { elem, len } => matches!(len, ArrayLen::Variable(_)) || is_variable(unit, elem),
        TypeKind::Pointer(to) => is_variable(unit, to),
        _ => false,
    }
}
