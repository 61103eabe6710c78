//! Statements.

use super::Class;
use super::body::{Body, ComputedJump, Enclosing, End, Jump, ResultPlace, Value};
use super::walk::{Below, below_expr};
use crate::adapter::Unit;
use assay_base::Span;
use assay_cfa::{LocationId, MarkKind, Operation, Origin, Storage, ValueSourceKind, VarId};
use assay_term::{Op, Term};
use rucc_sema::{DeclId, DeclKind, ExprId, Linkage, Stmt, StmtId, StorageDuration};

impl Body<'_, '_> {
    fn declaration(&mut self, id: DeclId) {
        self.declare(id);
        self.begin_cleanup(id);
    }

    fn declare(&mut self, id: DeclId) {
        let decl = &self.unit.tast[id];
        if decl.kind != DeclKind::Object || decl.duration != StorageDuration::Automatic || decl.linkage != Linkage::None {
            if decl.kind == DeclKind::Type {
                self.variable_lengths(id, decl.ty);
            }
            return;
        }
        let (ty, init) = (decl.ty, decl.init);
        self.variable_lengths(id, ty);
        let variable = self.local(id);
        let span = self.unit.span(self.unit.tast.decl_span(id));
        self.span = span;
        if self.l.builder.variables[variable].register_width().is_some() {
            match init.map(|list| self.unit.tast[list].to_vec()).as_deref() {
                Some([entry, ..]) => {
                    // `int x = x;` reads what is there.
                    if mentions(self.unit, entry.value, id) {
                        let name = self.l.builder.variables[variable].source_name.clone();
                        let source = self.source(ValueSourceKind::Uninitialised, &name);
                        self.emit(Operation::Havoc { target: variable, source });
                    }
                    self.value_into(entry.value, variable);
                }
                Some([]) => {
                    let width = self.l.builder.variables[variable].register_width().unwrap_or(32);
                    let zero = self.terms().number(width, 0);
                    self.assign(variable, zero);
                }
                None => {
                    let name = self.l.builder.variables[variable].source_name.clone();
                    if self.unit.class(ty) == Class::Bool {
                        // Any value of the type: 0 or 1.
                        let bit = self.unknown(1, assay_cfa::CType::Bool, ValueSourceKind::Uninitialised, &name);
                        let value = self.number_of(bit, 8);
                        return self.assign(variable, value);
                    }
                    let source = self.source(ValueSourceKind::Uninitialised, &name);
                    self.emit(Operation::Havoc { target: variable, source });
                }
            }
            return;
        }
        let size = match self.l.builder.variables[variable].storage {
            Storage::Memory { size: None, .. } => Some(self.size_term(ty)),
            _ => None,
        };
        if let Some(size) = size {
            self.fits_into_memory(size);
        }
        self.emit(Operation::Declare { object: variable, size });
        self.live_in_block(variable);
        if let Some(list) = init {
            self.initialise_object(variable, id, ty, list);
        }
    }

    /// No execution goes on with an array that is larger than half of the address space: there is no room for it. (A
    /// length below zero is no such length.)
    fn fits_into_memory(&mut self, size: Term) {
        let width = self.pointer_width();
        let terms = self.terms();
        let node = terms.node(size);
        let factors = (node.op == Op::Mul).then(|| (node.operand(0), node.operand(1)));
        let element = |(a, b)| terms.as_constant(b).map(|b| (a, b.value())).or_else(|| terms.as_constant(a).map(|a| (b, a.value())));
        let Some((length, element)) = factors.and_then(element).filter(|&(_, element)| element > 1) else { return };
        let most = ((1u128 << (width - 1)) - 1) / element;
        let condition = terms.or(terms.slt(length, terms.number(width, 0)), terms.ule(length, terms.number(width, most)));
        self.emit(Operation::Assume { condition });
    }

    /// The object lives until the innermost open block ends.
    pub(super) fn live_in_block(&mut self, object: VarId) {
        if let Some(&scope) = self.scopes.last()
            && !self.scope_objects[scope].contains(&object)
        {
            self.scope_objects[scope].push(object);
        }
    }

    /// Ends the lives of the objects of all scopes from `depth` on.
    fn end_lives(&mut self, depth: usize) {
        let scopes = self.scopes[depth.min(self.scopes.len())..].to_vec();
        let cleanups = self.cleanups.clone();
        self.leave_scopes(&scopes, &cleanups);
    }

    pub(super) fn end_scopes(&mut self, scopes: &[usize]) {
        let objects: Vec<VarId> = scopes.iter().flat_map(|&scope| &self.scope_objects[scope]).rev().copied().collect();
        for object in objects {
            self.emit(Operation::EndLife { object });
        }
    }

    fn open_scope(&mut self) {
        self.scopes.push(self.scope_objects.len());
        self.scope_objects.push(Vec::new());
    }

    fn close_scope(&mut self) {
        self.end_lives(self.scopes.len() - 1);
        let scope = self.scopes.pop();
        self.cleanups.retain(|cleanup| Some(cleanup.scope) != scope);
    }

    /// Now that all labels are known: a jump ends the lives of the objects in the blocks that it leaves.
    pub(super) fn finish_jumps(&mut self) {
        for Jump { ends, label, open, span, statement, cleanups } in std::mem::take(&mut self.jumps) {
            let around = self.label_scopes.get(&label).cloned().unwrap_or_default();
            let left: Vec<usize> = open.iter().copied().filter(|scope| !around.contains(scope)).collect();
            (self.ends, self.span, self.statement) = (ends, span, statement);
            match cleanups {
                Some(cleanups) => {
                    let to = self.label_cleanups.get(&label).cloned().unwrap_or_default();
                    self.check_jump(&cleanups, &to, &left);
                    self.leave_scopes(&left, &cleanups);
                }
                None => self.end_scopes(&left),
            }
            for object in self.entered_objects(label, &open) {
                self.emit(Operation::Declare { object, size: None });
            }
            let location = self.label_location(label);
            self.lead_to(location);
        }
        self.statement = None;
    }

    /// The objects of the blocks that a jump enters: they live although their declarations are passed over.
    fn entered_objects(&self, label: usize, open: &[usize]) -> Vec<VarId> {
        let around = self.label_scopes.get(&label).map_or(&[][..], |scopes| scopes);
        let entered = around.iter().filter(|scope| !open.contains(scope));
        entered.flat_map(|&scope| &self.scope_objects[scope]).copied().filter(|&object| self.has_fixed_size(object)).collect()
    }

    fn has_fixed_size(&self, object: VarId) -> bool {
        matches!(self.l.builder.variables[object].storage, Storage::Memory { size: Some(_), .. })
    }

    /// Goes on at a `case`; the objects of the blocks around it that were declared before it live there, too.
    fn go_on_at_case(&mut self, location: LocationId) {
        let depth = self.enclosing.iter().rfind(|around| !around.is_loop).map_or(self.scopes.len(), |around| around.depth);
        let scopes = self.scopes[depth.min(self.scopes.len())..].to_vec();
        if self.cleanups.iter().any(|cleanup| scopes.contains(&cleanup.scope)) {
            self.go_on_at(location);
            return self.unsupported("a case label in the scope of a variable with __attribute__((cleanup))");
        }
        let passed: Vec<VarId> = scopes.iter().flat_map(|&scope| &self.scope_objects[scope]).copied().collect();
        if passed.is_empty() {
            return self.go_on_at(location);
        }
        let mut falling = std::mem::replace(&mut self.ends, vec![End::Location(location)]);
        for object in passed.into_iter().filter(|&object| self.has_fixed_size(object)).collect::<Vec<_>>() {
            self.emit(Operation::Declare { object, size: None });
        }
        self.ends.append(&mut falling);
    }

    fn block(&mut self, statements: &[StmtId]) {
        self.open_scope();
        for &statement in statements {
            if self.l.cancel.is_stopped() {
                break;
            }
            self.statement(statement);
        }
        self.close_scope();
    }

    /// A statement that is a block of its own, as those are that other statements are made of: compound literals in it
    /// end with it.
    pub(super) fn as_block(&mut self, statement: StmtId) {
        self.block(&[statement]);
    }

    pub(super) fn statement_expression(&mut self, statement: StmtId) -> Value {
        let Stmt::Block(list) = self.unit.tast[statement] else {
            self.statement(statement);
            return Value::Void;
        };
        let list = self.unit.tast[list].to_vec();
        self.open_scope();
        let mut value = Value::Void;
        for (index, &item) in list.iter().enumerate() {
            if index + 1 < list.len() {
                self.statement(item);
                continue;
            }
            let mut last = item;
            loop {
                match self.unit.tast[last] {
                    Stmt::Label { label, body } => {
                        self.label(label.index());
                        last = body;
                    }
                    Stmt::Expr(expr) => {
                        value = self.kept_value(expr);
                        break;
                    }
                    _ => {
                        self.statement(last);
                        break;
                    }
                }
            }
        }
        self.close_scope();
        value
    }

    /// The value of the last expression of a block, which outlives the block's variables.
    fn kept_value(&mut self, expr: ExprId) -> Value {
        let ty = self.unit.tast[expr].ty;
        match self.value(expr) {
            Value::Scalar(value) => Value::Scalar(self.snapshot(value)),
            Value::Aggregate(address) if self.unit.class(ty) == Class::Aggregate => {
                let object = self.temporary_object(ty);
                let to = self.l.builder.address_of(object);
                let size = self.unit.size_of(ty).unwrap_or(0);
                self.copy(to, address, size);
                Value::Aggregate(to)
            }
            other => other,
        }
    }

    pub(super) fn statement(&mut self, statement: StmtId) {
        let span = self.unit.span(self.unit.tast.stmt_span(statement));
        let start = |body: &mut Self| {
            body.span = span;
            body.statement = Some(span);
        };
        match self.unit.tast[statement] {
            Stmt::Empty => {}
            Stmt::Error => self.unsupported("a statement that was not understood"),
            Stmt::Block(list) => {
                let list = self.unit.tast[list].to_vec();
                self.block(&list);
            }
            Stmt::Expr(expr) => {
                start(self);
                self.watch_result(expr);
                self.discard(expr);
            }
            Stmt::Decls(list) => {
                for id in self.unit.tast[list].iter().copied() {
                    start(self);
                    self.declaration(id);
                }
            }
            Stmt::If { cond, then, otherwise } => {
                start(self);
                self.open_scope();
                let (yes, no) = self.branch(cond, Some((span, false)));
                self.ends = yes;
                self.as_block(then);
                let mut after = std::mem::replace(&mut self.ends, no);
                if let Some(otherwise) = otherwise {
                    self.as_block(otherwise);
                }
                self.ends.append(&mut after);
                self.close_scope();
            }
            Stmt::While { cond, body } => {
                self.l.builder.syntax.while_loops += 1;
                self.open_scope();
                self.while_loop(cond, body, span);
                self.close_scope();
            }
            Stmt::DoWhile { body, cond } => {
                self.l.builder.syntax.do_loops += 1;
                self.open_scope();
                self.do_loop(body, cond, span);
                self.close_scope();
            }
            Stmt::For { init, cond, step, body } => {
                self.l.builder.syntax.for_loops += 1;
                self.open_scope();
                if let Some(init) = init {
                    self.statement(init);
                }
                self.for_loop(cond, step, body, span);
                self.close_scope();
            }
            Stmt::Switch { cond, body, cases, default } => {
                self.l.builder.syntax.switches += 1;
                start(self);
                self.open_scope();
                self.switch(cond, body, cases, default, span);
                self.close_scope();
            }
            Stmt::Case { case, body } => {
                if let Some(&location) = self.cases.get(&(case.index() << 1)) {
                    self.go_on_at_case(location);
                }
                self.statement(body);
            }
            Stmt::Default { body } => {
                if let Some(&location) = self.cases.get(&(body.index() << 1 | 1)) {
                    self.go_on_at_case(location);
                }
                self.statement(body);
            }
            Stmt::Label { label, body } => {
                self.span = span;
                self.label(label.index());
                self.statement(body);
            }
            Stmt::Goto(label) => {
                self.l.builder.syntax.gotos += 1;
                start(self);
                let open = self.scopes.clone();
                self.jump(label.index(), &open);
            }
            Stmt::IndirectGoto(expr) => {
                self.l.builder.syntax.gotos += 1;
                start(self);
                let target = self.scalar(expr);
                self.computed_jump(target);
            }
            Stmt::Asm(id) => {
                start(self);
                self.inline_assembly(id);
            }
            Stmt::Break | Stmt::Continue => {
                start(self);
                let is_continue = matches!(self.unit.tast[statement], Stmt::Continue);
                let position = self.enclosing.iter().rposition(|e| e.is_loop || !is_continue);
                if let Some(position) = position {
                    self.end_lives(self.enclosing[position].depth);
                    let ends = std::mem::take(&mut self.ends);
                    let to = &mut self.enclosing[position];
                    if is_continue { to.continues.extend(ends) } else { to.breaks.extend(ends) }
                }
            }
            Stmt::Return(value) => {
                start(self);
                self.return_statement(value);
            }
        }
        self.statement = None;
    }

    fn return_statement(&mut self, value: Option<ExprId>) {
        match (value, self.result) {
            (Some(expr), ResultPlace::Register(result, class)) => {
                if self.class_of(expr) == class {
                    self.value_into(expr, result);
                } else {
                    let from = self.class_of(expr);
                    let value = self.scalar(expr);
                    let value = self.convert(value, from, class);
                    self.assign(result, value);
                }
            }
            (Some(expr), ResultPlace::Object(hidden, size)) => {
                if let Value::Aggregate(source) = self.value(expr) {
                    let to = self.read(hidden);
                    self.copy(to, source, size);
                }
            }
            (Some(expr), ResultPlace::None) => self.discard(expr),
            (None, ResultPlace::Register(result, _)) => {
                let name = self.l.builder.functions[self.function].name.clone();
                let source = self.source(ValueSourceKind::Uninitialised, &name);
                self.emit(Operation::Havoc { target: result, source });
            }
            (None, _) => {}
        }
        self.clean_up_all();
        let exit = self.l.builder.functions[self.function].exit;
        self.lead_to(exit);
    }

    pub(super) fn enter(&mut self, is_loop: bool) {
        let depth = self.scopes.len();
        self.enclosing.push(Enclosing { is_loop, breaks: vec![], continues: vec![], depth });
    }

    /// Leaves a loop or `switch`: gives its `break`s and `continue`s.
    pub(super) fn leave(&mut self) -> (super::body::Ends, super::body::Ends) {
        self.enclosing.pop().map_or((vec![], vec![]), |e| (e.breaks, e.continues))
    }

    fn while_loop(&mut self, cond: ExprId, body: StmtId, span: Span) {
        let head = self.fresh_location();
        self.go_on_at(head);
        self.span = span;
        let (yes, no) = self.branch(cond, Some((span, true)));
        self.ends = yes;
        self.enter(true);
        self.as_block(body);
        let (breaks, continues) = self.leave();
        self.ends.extend(continues);
        self.lead_to(head);
        self.ends = no;
        self.ends.extend(breaks);
    }

    fn for_loop(&mut self, cond: Option<ExprId>, step: Option<ExprId>, body: StmtId, span: Span) {
        let head = self.fresh_location();
        self.go_on_at(head);
        self.span = span;
        let (yes, no) = match cond {
            Some(cond) => self.branch(cond, Some((span, true))),
            None => (std::mem::take(&mut self.ends), vec![]),
        };
        self.ends = yes;
        self.enter(true);
        self.as_block(body);
        let (breaks, continues) = self.leave();
        self.ends.extend(continues);
        if let Some(step) = step {
            self.set_span(step);
            self.discard(step);
        }
        self.lead_to(head);
        self.ends = no;
        self.ends.extend(breaks);
    }

    fn do_loop(&mut self, body: StmtId, cond: ExprId, span: Span) {
        let head = self.fresh_location();
        self.go_on_at(head);
        self.enter(true);
        self.as_block(body);
        let (breaks, continues) = self.leave();
        self.ends.extend(continues);
        self.set_span(cond);
        let (yes, no) = self.branch(cond, Some((span, true)));
        self.ends = yes;
        self.lead_to(head);
        self.ends = no;
        self.ends.extend(breaks);
    }

    pub(super) fn label_location(&mut self, label: usize) -> assay_cfa::LocationId {
        if let Some(&known) = self.labels.get(&label) {
            return known;
        }
        let location = self.fresh_location();
        self.labels.insert(label, location);
        location
    }

    fn label(&mut self, label: usize) {
        let location = self.label_location(label);
        self.label_scopes.insert(label, self.scopes.clone());
        self.label_cleanups.insert(label, self.cleanups.clone());
        self.go_on_at(location);
        let name = self.unit.text(self.unit.tast[rucc_base::Idx::from_usize(label) as rucc_sema::LabelId].name);
        let name = name.to_string();
        self.mark(MarkKind::Label, &name, Origin::Internal);
    }

    /// Computed jumps with the same open blocks share one place, where control is led on to the labels.
    fn computed_jump(&mut self, target: Term) {
        if !self.cleanups.is_empty() {
            self.unsupported("a computed jump in the scope of a variable with __attribute__((cleanup))");
        }
        let open = self.scopes.clone();
        let known = self.computed.iter().find(|jump| jump.open == open).map(|jump| (jump.target, jump.from));
        let (register, from) = known.unwrap_or_else(|| {
            let (target, from) = (self.word_temporary(), self.fresh_location());
            self.computed.push(ComputedJump { target, from, open });
            (target, from)
        });
        self.assign(register, target);
        self.lead_to(from);
    }

    /// Computed jumps go to any label of the function whose address they have. They leave and enter blocks as other
    /// jumps do, so this comes before [`finish_jumps`](Self::finish_jumps).
    pub(super) fn finish_computed_jumps(&mut self) {
        let mut labels: Vec<usize> = self.labels.keys().copied().collect();
        labels.sort_unstable();
        for ComputedJump { target, from, open } in std::mem::take(&mut self.computed) {
            self.ends = vec![End::Location(from)];
            let value = self.read(target);
            for &label in &labels {
                let address = self.label_address(label);
                let condition = self.terms().eq(value, address);
                let (yes, no) = self.split(condition, None);
                self.ends = yes;
                self.jump(label, &open);
                self.ends = no;
            }
            self.unsupported("a computed jump to an unknown label");
            let halt = self.fresh_location();
            self.lead_to(halt);
        }
    }

    fn jump(&mut self, label: usize, open: &[usize]) {
        // Where the jump leads is known when all labels are.
        let (ends, statement) = (std::mem::take(&mut self.ends), self.statement.take());
        let cleanups = Some(self.cleanups.clone());
        self.jumps.push(Jump { ends, label, open: open.to_vec(), span: self.span, statement, cleanups });
    }
}

/// Whether an expression mentions the variable.
fn mentions(unit: &Unit, expr: ExprId, variable: DeclId) -> bool {
    if matches!(unit.tast[expr].kind, rucc_sema::ExprKind::Decl(id) if id == variable) {
        return true;
    }
    let mut found = false;
    below_expr(unit, expr, &mut |item| {
        if let Below::Expr(inner) = item {
            found = found || mentions(unit, inner, variable);
        }
    });
    found
}
