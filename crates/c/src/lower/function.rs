//! Functions: parameters, results and locals, and the bodies of those that have none.

use super::body::{Body, End, ResultPlace, Value};
use super::facts::Global;
use super::{Class, Lowering};
use assay_base::{FastMap, FastSet};
use assay_cfa::{CType, Operation, Role, Scope, Storage, ValueSourceKind, VarId};
use rucc_sema::{DeclId, StmtId};
use rucc_types::{ArrayLen, TypeId, TypeKind};

impl<'a> Lowering<'a> {
    /// Lowers the body of a function; one without a body whose address is taken returns any value.
    pub(crate) fn function_body(&mut self, index: usize) {
        let Some(function) = self.functions[index].id.filter(|_| !self.cancel.is_stopped()) else { return };
        let global = self.functions[index].global;
        let signature = self.functions[index].signature.clone();
        let unit = &self.units[global.unit];
        let decl = &unit.tast[global.id()];
        let span = self.builder.functions[function].span;
        let pointer_width = self.pointer_width();
        let entry = self.builder.functions[function].entry;
        let mut body = Body {
            l: self,
            unit,
            unit_index: global.unit,
            function,
            ends: vec![End::Location(entry)],
            guard: None,
            locals: FastMap::default(),
            labels: FastMap::default(),
            shared: FastMap::default(),
            turned: FastSet::default(),
            regrouped: Default::default(),
            length_owners: FastMap::default(),
            result: ResultPlace::None,
            varargs: None,
            enclosing: Vec::new(),
            scopes: vec![0],
            scope_objects: vec![Vec::new()],
            label_scopes: FastMap::default(),
            jumps: Vec::new(),
            cases: FastMap::default(),
            span,
            statement: None,
            label_addresses: Vec::new(),
            hoisted: Default::default(),
            cut: Default::default(),
            computed: Vec::new(),
            kept: Default::default(),
            wanted: Default::default(),
            pointee: None,
            captured: FastMap::default(),
            return_places: Vec::new(),
            cleanups: Vec::new(),
            label_cleanups: FastMap::default(),
            only_address: false,
        };
        let result_type = match unit.kind(decl.ty) {
            TypeKind::Function(id) => unit.types.signature(id).ret,
            _ => decl.ty,
        };
        let mut number = 0;
        let mut parameter = |body: &mut Body<'_, '_>, name: &str, width: u32, ctype: CType| {
            let storage = Storage::Register { width };
            number += 1;
            body.l.builder.variable(name, Scope::Local(function), Role::Parameter(number - 1), storage, ctype, span)
        };
        if signature.result == Class::Aggregate {
            let hidden = parameter(&mut body, "$to", pointer_width, CType::Pointer);
            body.result = ResultPlace::Object(hidden, unit.size_of(result_type).unwrap_or(0));
        }
        let mut incoming = Vec::new();
        if signature.known && decl.body.is_some() {
            for &id in &unit.tast[decl.params] {
                let param = &unit.tast[id];
                let class = unit.class(param.ty);
                let name = param.name.map_or("", |n| unit.text(n));
                let width = class.width(pointer_width).unwrap_or(pointer_width);
                incoming.push((id, class, parameter(&mut body, name, width, unit.ctype(param.ty))));
            }
        } else {
            for class in &signature.parameters {
                parameter(&mut body, "", class.width(pointer_width).unwrap_or(pointer_width), CType::Pointer);
            }
        }
        if signature.variadic {
            body.varargs = Some(parameter(&mut body, "$arguments", pointer_width, CType::Pointer));
        }
        if let Some(width) = signature.result.width(pointer_width) {
            let storage = Storage::Register { width };
            let result = body.l.builder.variable("", Scope::Local(function), Role::Result, storage, unit.ctype(result_type), span);
            body.result = ResultPlace::Register(result, signature.result);
        }
        match decl.body {
            Some(statement) => {
                if unit.lost.contains(&(global.decl as usize)) {
                    body.unsupported("a structure of variable size, or an effect in a length or in sizeof of an array of variable length");
                }
                let graph = std::mem::take(&mut body.l.graph);
                body.find_return_places(&graph, global);
                body.l.graph = graph;
                body.enter_nested(global);
                body.define(incoming, statement);
            }
            None => body.undefined_function(index),
        }
    }
}

impl Body<'_, '_> {
    fn define(&mut self, incoming: Vec<(DeclId, Class, VarId)>, statement: StmtId) {
        let mut memory = Vec::new();
        for &(id, class, register) in &incoming {
            if self.l.is_register(Global::new(self.unit_index, id)) {
                self.locals.insert(id.index() as u32, register);
            } else {
                memory.push((id, class, register));
            }
        }
        for (id, class, register) in memory {
            let object = self.local(id);
            self.emit(Operation::Declare { object, size: None });
            let address = self.l.builder.address_of(object);
            let value = self.read(register);
            if class == Class::Aggregate {
                let size = self.unit.size_of(self.unit.tast[id].ty).unwrap_or(0);
                self.copy(address, value, size);
            } else {
                self.store(address, value);
            }
        }
        for (id, ..) in incoming {
            self.variable_lengths(id, self.unit.tast[id].ty);
        }
        self.statement(statement);
        // Falling off the end leaves the result unknown.
        if let ResultPlace::Register(result, _) = self.result
            && !self.is_dead()
        {
            let name = self.l.builder.functions[self.function].name.clone();
            if name == "main" {
                let width = self.l.builder.variables[result].register_width().unwrap_or(32);
                let zero = self.terms().number(width, 0);
                self.assign(result, zero);
            } else {
                let source = self.source(ValueSourceKind::Uninitialised, &name);
                self.emit(Operation::Havoc { target: result, source });
            }
        }
        let exit = self.l.builder.functions[self.function].exit;
        self.lead_to(exit);
        self.finish_computed_jumps();
        self.finish_jumps();
    }

    fn undefined_function(&mut self, index: usize) {
        let name = self.l.functions[index].name.clone();
        if let Some(model) = self.l.model(index) {
            let result = self.model_body(&model, &name);
            if let (ResultPlace::Register(register, _), Value::Scalar(value)) = (self.result, result) {
                let width = self.l.builder.variables[register].register_width().unwrap_or(32);
                let value = self.terms().resize(value, width, true);
                self.assign(register, value);
            }
        } else {
            self.l.note_external(&name, self.span);
            match self.result {
                ResultPlace::Register(result, _) => {
                    let kind = self.l.foreign(&self.l.builder.variables[result].ctype);
                    let source = self.source(kind, &name);
                    self.emit(Operation::Havoc { target: result, source });
                }
                ResultPlace::Object(hidden, size) => {
                    let kind = self.l.foreign(&CType::Record { name: String::new(), size, members: [].into() });
                    let source = self.source(kind, &name);
                    let (address, size) = (self.read(hidden), self.word(size));
                    self.emit(Operation::HavocMemory { address, size, source });
                }
                ResultPlace::None => {}
            }
        }
        let exit = self.l.builder.functions[self.function].exit;
        self.lead_to(exit);
    }

    /// The variable of a local declaration, made when it is first met.
    pub(super) fn local(&mut self, id: DeclId) -> VarId {
        if let Some(&known) = self.locals.get(&(id.index() as u32)) {
            return known;
        }
        let decl = &self.unit.tast[id];
        let name = decl.name.map_or("", |n| self.unit.text(n));
        let storage = self.l.storage(Global::new(self.unit_index, id));
        let span = self.unit.span(self.unit.tast.decl_span(id));
        let role = if name.is_empty() { Role::Temporary } else { Role::Source };
        let ctype = self.unit.ctype(decl.ty);
        let variable = self.l.builder.variable(name, Scope::Local(self.function), role, storage, ctype, span);
        self.locals.insert(id.index() as u32, variable);
        variable
    }

    /// An object for a value that has no name.
    pub(super) fn temporary_object(&mut self, ty: TypeId) -> VarId {
        let size = self.unit.size_of(ty).unwrap_or(0);
        let align = self.unit.align_of(ty);
        let ctype = self.unit.ctype(ty);
        self.object(size, align, ctype)
    }

    pub(super) fn object(&mut self, size: u64, align: u32, ctype: CType) -> VarId {
        let storage = Storage::Memory { size: Some(size), align, constant: false };
        let span = self.span;
        let object = self.l.builder.variable("", Scope::Local(self.function), Role::Temporary, storage, ctype, span);
        self.emit(Operation::Declare { object, size: None });
        object
    }

    /// Computes the lengths in a variably modified type once, where the declaration is reached. A length belongs to the
    /// first declaration that has it: what a `typedef` or `typeof` repeats keeps its value.
    pub(super) fn variable_lengths(&mut self, owner: DeclId, ty: TypeId) {
        match self.unit.kind(ty) {
            TypeKind::Array { elem, len } => {
                self.variable_lengths(owner, elem);
                if let ArrayLen::Variable(id) = len {
                    let length = self.unit.tast.vla_size(id);
                    if *self.length_owners.entry(length.index()).or_insert(owner) != owner {
                        return;
                    }
                    self.shared.remove(&length.index());
                    let value = self.scalar(length);
                    // The register must keep its value as long as the array lives, and this code may run again.
                    let width = self.terms().width(value);
                    let kept = self.temporary(width, CType::Integer { width, signed: false, name: "unsigned int" });
                    self.assign(kept, value);
                    let value = self.read(kept);
                    self.watch_length(value, self.class_of(length), elem);
                    self.shared.insert(length.index(), Value::Scalar(value));
                }
            }
            TypeKind::Pointer(to) => {
                if matches!(self.unit.kind(to), TypeKind::Array { .. } | TypeKind::Pointer(_)) {
                    self.variable_lengths(owner, to);
                }
            }
            _ => {}
        }
    }
}
