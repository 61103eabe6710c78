//! What is known about a program before it is lowered: which declarations of all files are one thing, which
//! functions and objects `main` can reach, and whose address is taken.

use super::Class;
use super::alignment::PointerAlignment;
use super::walk::{Below, below_expr, below_stmt};
use crate::adapter::Unit;
use crate::models::{self, Library, Model};
use assay_base::{Diagnostic, FastMap, FastSet, Span};
use rucc_ast::UnaryOp;
use rucc_base::Idx;
use rucc_sema::{
    Base, Classify, Const, Conversion, Decl, DeclFlags, DeclId, DeclKind, Definition, ExprId, ExprKind, Linkage, Sign, Stmt,
    StorageDuration,
};
use rucc_types::{ArrayLen, RecordKind, TypeId, TypeKind};

/// A declaration of one of the files.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub(crate) struct Global {
    pub unit: usize,
    pub decl: DeclIndex,
}

/// The index of a declaration in its file's tree.
pub(crate) type DeclIndex = u32;

impl Global {
    pub(crate) fn new(unit: usize, decl: DeclId) -> Self {
        Global { unit, decl: decl.index() as u32 }
    }
    pub(crate) fn id(self) -> DeclId {
        Idx::from_usize(self.decl as usize)
    }
}

/// Which declarations mean the same function or object.
pub(crate) struct Links {
    external: FastMap<String, Global>,
    internal: Vec<FastMap<String, Global>>,
}

impl Links {
    pub(crate) fn new(units: &[Unit]) -> Self {
        let mut links = Links { external: FastMap::default(), internal: vec![FastMap::default(); units.len()] };
        for (index, unit) in units.iter().enumerate() {
            for number in 0..unit.tast.counts().decls {
                let id: DeclId = Idx::from_usize(number);
                let decl = &unit.tast[id];
                let Some(name) = decl.name else { continue };
                let table = match decl.linkage {
                    Linkage::External => &mut links.external,
                    Linkage::Internal => &mut links.internal[index],
                    Linkage::None => continue,
                };
                let this = Global::new(index, id);
                // What has a name of its own for the assembler is known to others by that name.
                let symbol = match decl.asm_label {
                    Some(label) if rank(decl) >= WEAK => unit_string(unit, label),
                    _ => unit.text(name).to_string(),
                };
                table
                    .entry(symbol)
                    .and_modify(|best| {
                        let other = &units[best.unit].tast[best.id()];
                        // A program's variable may have the name of a library function, and so may a function of
                        // another type.
                        let fits = !unit.is_library || same_shape(unit, decl, &units[best.unit], other);
                        if rank(decl) > rank(other) && decl.kind == other.kind && fits {
                            *best = this;
                        }
                    })
                    .or_insert(this);
            }
        }
        links
    }

    /// The declaration that stands for all that mean the same.
    pub(crate) fn resolve(&self, units: &[Unit], global: Global) -> Global {
        let unit = &units[global.unit];
        let decl = &unit.tast[global.id()];
        let Some(name) = decl.name else { return global };
        let found = match decl.linkage {
            Linkage::External => {
                // A compiler's builtin is the library function of that name, where that is defined.
                let plain = unit.text(name).strip_prefix("__builtin_").and_then(|plain| self.external.get(plain));
                let plain = plain.filter(|at| units[at.unit].tast[at.id()].body.is_some());
                // A name for the assembler leads to what the program defines by it; the headers of the C library have
                // such names, too, for functions that nobody defines here.
                let label = decl.asm_label.and_then(|label| self.external.get(&unit_string(unit, label)));
                let label = label.filter(|at| rank(&units[at.unit].tast[at.id()]) >= WEAK);
                label.or(plain).or_else(|| self.external.get(unit.text(name)))
            }
            Linkage::Internal => self.internal[global.unit].get(unit.text(name)),
            Linkage::None => None,
        };
        let best = found.copied().unwrap_or(global);
        // An alias is the function or object that it names.
        let alias = units[best.unit].tast[best.id()].alias.map(|text| unit_string(&units[best.unit], text));
        match alias {
            Some(other) if Some(other.as_str()) != units[best.unit].tast[best.id()].name.map(|n| units[best.unit].text(n)) => {
                let target = self.internal[best.unit].get(&other).or_else(|| self.external.get(&other));
                target.copied().unwrap_or(best)
            }
            _ => best,
        }
    }

    pub(crate) fn find(&self, name: &str) -> Option<Global> {
        self.external.get(name).copied()
    }
}

/// Whether a declaration of the program can mean a model in C: as many parameters, of the same kinds.
fn same_shape(model_unit: &Unit, model: &Decl, unit: &Unit, decl: &Decl) -> bool {
    let (TypeKind::Function(a), TypeKind::Function(b)) = (model_unit.kind(model.ty), unit.kind(decl.ty)) else { return true };
    let (a, b) = (model_unit.types.signature(a), unit.types.signature(b));
    let kind = |class: Class| match class {
        Class::Float { width } => width,
        Class::Pointer | Class::Aggregate => 1,
        _ => 0,
    };
    let same = |(&a, &b): (&TypeId, &TypeId)| kind(model_unit.class(a)) == kind(unit.class(b));
    !b.prototyped || a.params.len() == b.params.len() && a.variadic == b.variadic && a.params.iter().zip(&b.params).all(same)
}

/// The names of the functions that a file uses and does not define.
pub(crate) fn functions_named(unit: &Unit) -> impl Iterator<Item = &str> {
    let mut seen: FastSet<usize> = FastSet::default();
    let counts = unit.tast.counts();
    (0..counts.exprs).filter_map(move |number| {
        let id: ExprId = Idx::from_usize(number);
        let id = match unit.tast[id].kind {
            ExprKind::Decl(id) => id,
            ExprKind::Const(id) => match unit.tast[id] {
                Const::Address(address) => match address.base {
                    Base::Decl(id) => id,
                    _ => return None,
                },
                _ => return None,
            },
            _ => return None,
        };
        let decl = &unit.tast[id];
        if decl.kind != DeclKind::Function || decl.body.is_some() || !seen.insert(id.index()) {
            return None;
        }
        decl.name.map(|name| unit.text(name))
    })
}

pub(crate) fn unit_string(unit: &Unit, text: rucc_sema::StrId) -> String {
    unit.tast[text].elements.iter().filter_map(|&c| char::from_u32(c)).collect()
}

/// The ranks of definitions.
const WEAK: u8 = 2;
const TENTATIVE: u8 = 3;
const STRONG: u8 = 4;

/// Which of several declarations of one name counts: a linker takes a strong definition before a weak one. An inline
/// function without a definition of its own gives way to that of another file.
fn rank(decl: &Decl) -> u8 {
    let weak = decl.flags.contains(DeclFlags::WEAK) || decl.kind == DeclKind::Function && !decl.inline.emits();
    match decl.state {
        Definition::Defined if decl.kind == DeclKind::Function && decl.body.is_none() => 0,
        Definition::Declared => 1,
        Definition::Tentative | Definition::Defined if weak => WEAK,
        Definition::Tentative => TENTATIVE,
        Definition::Defined => STRONG,
    }
}

/// Whether a name is weak and nothing is defined by it: its address is null.
pub(crate) fn is_absent(units: &[Unit], global: Global) -> bool {
    let decl = &units[global.unit].tast[global.id()];
    decl.flags.contains(DeclFlags::WEAK) && rank(decl) < WEAK && decl.alias.is_none()
}

/// Objects that two files declare with different sizes: no linker looks, and each file reads something else.
fn different_sizes(units: &[Unit], defined: &FastMap<String, Global>) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for (index, unit) in units.iter().enumerate() {
        for number in 0..unit.tast.counts().decls {
            let id: DeclId = Idx::from_usize(number);
            let decl = &unit.tast[id];
            let (Some(name), Linkage::External, DeclKind::Object) = (decl.name, decl.linkage, decl.kind) else { continue };
            let Some(other) = defined.get(unit.text(name)).filter(|other| other.unit != index) else { continue };
            let definition = &units[other.unit].tast[other.id()];
            let is_array = |unit: &Unit, ty| matches!(unit.kind(ty), TypeKind::Array { .. });
            let arrays = is_array(unit, decl.ty) && is_array(&units[other.unit], definition.ty);
            let differ = match (unit.size_of(decl.ty), units[other.unit].size_of(definition.ty)) {
                (Some(here), Some(there)) => here > there || here < there && !arrays,
                _ => false,
            };
            if differ && definition.kind == DeclKind::Object {
                let text = unit.text(name);
                let place = units[other.unit].span(units[other.unit].tast.definition_span(other.id()));
                found.push(Diagnostic::error(place, format!("`{text}` has another type in another file")));
                found.push(Diagnostic::error(unit.span(unit.tast.decl_span(id)), format!("the other declaration of `{text}`")));
            }
        }
    }
    found
}

/// Functions and objects that two files define, each with a message at both places: a linker would refuse them.
pub(crate) fn clashes(units: &[Unit]) -> Vec<Diagnostic> {
    let mut defined: FastMap<String, Global> = FastMap::default();
    let mut found = Vec::new();
    for (index, unit) in units.iter().enumerate() {
        for number in 0..unit.tast.counts().decls {
            let id: DeclId = Idx::from_usize(number);
            let decl = &unit.tast[id];
            let (Some(name), Linkage::External, STRONG) = (decl.name, decl.linkage, rank(decl)) else { continue };
            let first = *defined.entry(unit.text(name).to_string()).or_insert(Global::new(index, id));
            if first.unit != index {
                let place = |unit: &Unit, id: DeclId| unit.span(unit.tast.definition_span(id));
                let other =
                    Diagnostic::error(place(&units[first.unit], first.id()), format!("`{}` is defined in two files", unit.text(name)));
                let message = format!("the other definition of `{}`", unit.text(name));
                found.extend([other, Diagnostic::error(place(unit, id), message)]);
            }
        }
    }
    found.extend(different_sizes(units, &defined));
    found
}

/// What `main` can reach.
#[derive(Default)]
pub(crate) struct Facts {
    /// Functions in the order in which they are found; all are resolved.
    pub functions: Vec<Global>,
    /// Functions whose address is taken, in that order.
    pub address_taken: Vec<Global>,
    /// Which of them may be called through a pointer of another type.
    pub retyped: Retyped,
    /// Functions that nothing declares before their first call.
    pub undeclared: FastSet<Global>,
    /// Objects that live as long as the program, in the order in which they are found.
    pub objects: Vec<Global>,
    /// The functions in which static locals are declared.
    pub owners: FastMap<Global, String>,
    /// Where the program gets a pointer from outside first, if it does: the result of a function without a body, an
    /// input, the content of an object that is defined elsewhere, an integer.
    pub outside: Option<Span>,
    /// The program can look at the bits of floats, so that it matters which NaN an operation gives.
    pub sees_float_bits: bool,
    /// Whether a pointer may come to point to something that is not aligned for its type.
    pub alignment: PointerAlignment,
    /// Objects whose address is taken, by unit and declaration.
    addressed: Vec<Vec<bool>>,
    /// Objects whose address somebody outside of the program may know.
    exposed: FastSet<Global>,
    seen: Vec<Vec<u8>>,
}

/// How calls of a function type pass their values.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Shape {
    pub result: Class,
    /// None without a prototype.
    pub parameters: Option<Vec<Class>>,
    pub variadic: bool,
}

/// Functions whose addresses were converted to something other than a pointer to a function of their shape.
#[derive(Default)]
pub(crate) struct Retyped {
    named: FastSet<Global>,
    /// Pointers to functions of these shapes were converted, whatever they point to.
    shapes: Vec<Shape>,
}

impl Retyped {
    pub(crate) fn contains(&self, global: Global, signature: &super::Signature) -> bool {
        let agrees = |shape: &Shape| {
            shape.result == signature.result
                && shape.parameters.as_ref().is_none_or(|list| !signature.known || *list == signature.parameters)
        };
        self.named.contains(&global) || self.shapes.iter().any(agrees)
    }
}

/// The shape of the functions that a pointer of this type leads to.
fn shape(unit: &Unit, pointer: TypeId) -> Option<Shape> {
    let TypeKind::Function(id) = unit.kind(unit.pointee(pointer)?) else { return None };
    let signature = unit.types.signature(id);
    let parameters = signature.prototyped.then(|| signature.params.iter().map(|&p| unit.class(p)).collect());
    Some(Shape { result: unit.class(signature.ret), parameters, variadic: signature.variadic })
}

const SEEN: u8 = 1;
const TAKEN: u8 = 2;

impl Facts {
    pub(crate) fn compute(units: &[Unit], links: &Links, library: &Library, roots: &[Global]) -> Self {
        let table = |units: &[Unit]| units.iter().map(|u| vec![0u8; u.tast.counts().decls]).collect::<Vec<_>>();
        let mut facts = Facts { seen: table(units), ..Facts::default() };
        facts.addressed = units.iter().map(|u| vec![false; u.tast.counts().decls]).collect();
        let mut walk = Walk { units, links, library, facts, work: Vec::new(), function: String::new() };
        for &root in roots {
            walk.reach(root);
        }
        while let Some(global) = walk.work.pop() {
            walk.open(global);
        }
        walk.facts
    }

    pub(crate) fn is_exposed(&self, global: Global) -> bool {
        self.exposed.contains(&global)
    }

    /// Finds what a pointer from outside may lead to: objects with external linkage, and all whose address is taken
    /// anywhere, or that a function mentions which `main` does not reach, since somebody else may call that one.
    pub(crate) fn expose(&mut self, units: &[Unit], links: &Links) {
        let mut known: Vec<Global> = Vec::new();
        for (index, unit) in units.iter().enumerate() {
            let global = |id: DeclId| links.resolve(units, Global::new(index, id));
            for number in 0..unit.tast.counts().exprs {
                let expr: ExprId = Idx::from_usize(number);
                match unit.tast[expr].kind {
                    ExprKind::Unary { op: UnaryOp::AddrOf, operand } => known.extend(named_object(unit, operand).map(global)),
                    ExprKind::Const(id) => {
                        if let Const::Address(address) = unit.tast[id]
                            && let Base::Decl(id) = address.base
                        {
                            known.push(global(id));
                        }
                    }
                    _ => {}
                }
            }
            for &id in unit.tast.top_level() {
                let body = unit.tast[id].body.filter(|_| self.seen[index][id.index()] & SEEN == 0);
                let mut work: Vec<Below> = body.map(Below::Stmt).into_iter().collect();
                while let Some(item) = work.pop() {
                    match item {
                        Below::Stmt(stmt) => below_stmt(unit, stmt, &mut |item| work.push(item)),
                        Below::Expr(expr) => {
                            if let ExprKind::Decl(id) = unit.tast[expr].kind {
                                known.push(global(id));
                            }
                            below_expr(unit, expr, &mut |item| work.push(item));
                        }
                        Below::Decl(_) => {}
                    }
                }
            }
        }
        known.extend(self.objects.iter().copied().filter(|o| units[o.unit].tast[o.id()].linkage == Linkage::External));
        for global in known {
            let decl = &units[global.unit].tast[global.id()];
            // What the models of the library keep for themselves is nobody else's.
            if decl.kind == DeclKind::Object && decl.duration != StorageDuration::Automatic && !units[global.unit].is_library {
                self.addressed[global.unit][global.decl as usize] = true;
                self.exposed.insert(global);
            }
        }
    }

    /// Whether code that can run mentions a declaration.
    pub(crate) fn is_mentioned(&self, global: Global) -> bool {
        self.seen[global.unit][global.decl as usize] & SEEN != 0
    }

    /// Keeps a variable in memory.
    pub(crate) fn address(&mut self, global: Global) {
        self.addressed[global.unit][global.decl as usize] = true;
    }

    pub(crate) fn is_addressed(&self, global: Global) -> bool {
        self.addressed[global.unit][global.decl as usize]
    }
}

struct Walk<'a> {
    units: &'a [Unit],
    links: &'a Links,
    library: &'a Library,
    facts: Facts,
    work: Vec<Global>,
    /// The function whose body is walked over.
    function: String,
}

impl Walk<'_> {
    fn reach(&mut self, global: Global) {
        let global = self.links.resolve(self.units, global);
        let seen = &mut self.facts.seen[global.unit][global.decl as usize];
        if *seen & SEEN != 0 {
            return;
        }
        *seen |= SEEN;
        let decl = &self.units[global.unit].tast[global.id()];
        match decl.kind {
            DeclKind::Function => self.facts.functions.push(global),
            DeclKind::Object if decl.duration != StorageDuration::Automatic => self.facts.objects.push(global),
            _ => return,
        }
        self.work.push(global);
    }

    /// The program gets a pointer from somewhere else.
    fn note_outside(&mut self, unit_index: usize, place: rucc_diag::Span) {
        if self.facts.outside.is_none() && !self.units[unit_index].is_library {
            self.facts.outside = Some(self.units[unit_index].span(place));
        }
    }

    fn take_function(&mut self, global: Global) {
        let global = self.links.resolve(self.units, global);
        self.reach(global);
        let seen = &mut self.facts.seen[global.unit][global.decl as usize];
        if *seen & TAKEN == 0 {
            *seen |= TAKEN;
            self.facts.address_taken.push(global);
        }
    }

    /// Whether nobody knows what a function without a body gives: an input of the program, or a function of its own.
    fn is_outside(&self, name: &str) -> bool {
        match models::verifier_function(name) {
            Some(model) => matches!(model, Model::Nondet | Model::NondetMemory),
            None => self.library.entry(name).is_none(),
        }
    }

    /// What a function's body or an object's initialiser uses.
    fn open(&mut self, global: Global) {
        let unit = &self.units[global.unit];
        let decl = &unit.tast[global.id()];
        let (params, body, init) = (decl.params, decl.body, decl.init);
        let name = decl.name.map_or("", |name| unit.text(name));
        let comes_from_outside = match decl.kind {
            DeclKind::Function => body.is_none() && self.is_outside(name),
            _ => decl.state == Definition::Declared,
        };
        let value = match unit.kind(decl.ty) {
            TypeKind::Function(id) => unit.types.signature(id).ret,
            _ => decl.ty,
        };
        if comes_from_outside && (has_pointer(unit, value) || name == "__VERIFIER_nondet_memory") {
            self.note_outside(global.unit, unit.tast.decl_span(global.id()));
        }
        if let Some(body) = body {
            self.function = decl.name.map_or_else(String::new, |name| unit.text(name).to_string());
            unit.tast[params].iter().for_each(|&p| self.variable_type(global.unit, unit.tast[p].ty));
            self.below(global.unit, Below::Stmt(body));
        }
        if let Some(init) = init {
            for entry in &unit.tast[init] {
                self.below(global.unit, Below::Expr(entry.value));
            }
        }
    }

    fn below(&mut self, unit_index: usize, item: Below) {
        let unit = &self.units[unit_index];
        match item {
            Below::Stmt(stmt) => {
                if let Stmt::Asm(id) = unit.tast[stmt]
                    && super::assembly::changes_memory(unit, id)
                {
                    self.note_outside(unit_index, unit.tast.stmt_span(stmt));
                }
                below_stmt(unit, stmt, &mut |item| self.below(unit_index, item));
            }
            Below::Decl(id) => self.declaration(unit_index, id),
            Below::Expr(expr) => self.expression(unit_index, expr),
        }
    }

    fn declaration(&mut self, unit_index: usize, id: DeclId) {
        let unit = &self.units[unit_index];
        let decl = &unit.tast[id];
        self.variable_type(unit_index, decl.ty);
        if let Some(handler) = decl.cleanup {
            self.reach(Global::new(unit_index, handler));
            self.facts.addressed[unit_index][id.index()] = true;
        }
        if decl.kind == DeclKind::Object && decl.duration == StorageDuration::Automatic {
            if let Some(init) = decl.init {
                for entry in &unit.tast[init] {
                    self.below(unit_index, Below::Expr(entry.value));
                }
            }
        } else if decl.linkage == Linkage::None && decl.kind == DeclKind::Object {
            self.facts.owners.insert(Global::new(unit_index, id), self.function.clone());
            self.reach(Global::new(unit_index, id));
        }
    }

    /// The lengths of variable-length arrays are expressions that no statement holds.
    fn variable_type(&mut self, unit_index: usize, ty: TypeId) {
        let unit = &self.units[unit_index];
        match unit.kind(ty) {
            TypeKind::Array { elem, len } => {
                if let ArrayLen::Variable(id) = len {
                    self.below(unit_index, Below::Expr(unit.tast.vla_size(id)));
                }
                self.variable_type(unit_index, elem);
            }
            TypeKind::Pointer(to) if matches!(unit.kind(to), TypeKind::Array { .. }) => self.variable_type(unit_index, to),
            _ => {}
        }
    }

    fn expression(&mut self, unit_index: usize, expr: ExprId) {
        let unit = &self.units[unit_index];
        self.facts.sees_float_bits |= !unit.is_library && sees_float_bits(unit, expr);
        match unit.tast[expr].kind {
            ExprKind::Decl(id) => {
                let decl = &unit.tast[id];
                if decl.kind == DeclKind::Function {
                    self.take_function(Global::new(unit_index, id));
                } else {
                    self.reach(Global::new(unit_index, id));
                }
                return;
            }
            ExprKind::Call { callee, args } => {
                if let Some(id) = direct_callee(unit, callee) {
                    self.note_undeclared(unit_index, callee, id);
                    self.reach(Global::new(unit_index, id));
                    unit.tast[args].iter().for_each(|&a| self.below(unit_index, Below::Expr(a)));
                    return;
                }
            }
            ExprKind::Unary { op: UnaryOp::AddrOf, operand } => {
                self.facts.alignment.address(unit, operand);
                if let Some(id) = named_object(unit, operand) {
                    self.mark(Global::new(unit_index, id));
                }
            }
            ExprKind::Const(id) => {
                if let Const::Address(address) = unit.tast[id]
                    && let Base::Decl(id) = address.base
                {
                    let global = Global::new(unit_index, id);
                    if unit.tast[id].kind == DeclKind::Function {
                        self.take_function(global);
                        self.retype(unit_index, unit.tast[expr].ty, global);
                    } else {
                        self.reach(global);
                        self.mark(global);
                    }
                }
            }
            ExprKind::Convert { operand, .. } | ExprKind::Cast(operand) => {
                let made =
                    matches!(unit.class(unit.tast[operand].ty), Class::Int { .. }) && unit.class(unit.tast[expr].ty) == Class::Pointer;
                if made && !matches!(unit.tast[operand].kind, ExprKind::Const(_)) {
                    self.note_outside(unit_index, unit.tast.expr_span(expr));
                }
                let (from, to) = (unit.tast[operand].ty, unit.tast[expr].ty);
                self.facts.alignment.conversion(unit, operand, to);
                match direct_callee(unit, operand) {
                    Some(id) => self.retype(unit_index, to, Global::new(unit_index, id)),
                    None => self.retype_pointer(unit, from, to),
                }
            }
            _ => {}
        }
        below_expr(unit, expr, &mut |item| self.below(unit_index, item));
    }

    /// A function that its first call declares: the declaration is where the call is.
    fn note_undeclared(&mut self, unit_index: usize, callee: ExprId, id: DeclId) {
        let unit = &self.units[unit_index];
        let mut name = callee;
        while let ExprKind::Convert { operand, .. } = unit.tast[name].kind {
            name = operand;
        }
        if unit.tast.decl_span(id) == unit.tast.expr_span(name) {
            let global = self.links.resolve(self.units, Global::new(unit_index, id));
            self.facts.undeclared.insert(global);
        }
    }

    /// The address of a function becomes a value of this type.
    fn retype(&mut self, unit_index: usize, to: TypeId, global: Global) {
        let unit = &self.units[unit_index];
        let decl = &unit.tast[global.id()];
        let TypeKind::Function(id) = unit.kind(decl.ty) else { return };
        // What a call passes is the definition's matter where the declaration here does not say it.
        let signature = unit.types.signature(id);
        let parameters = signature.prototyped.then(|| signature.params.iter().map(|&p| unit.class(p)).collect());
        let own = Shape { result: unit.class(signature.ret), parameters, variadic: signature.variadic };
        if matches!(unit.kind(to), TypeKind::Function(_)) || shape(unit, to).as_ref() == Some(&own) || unit.kind(to) == TypeKind::Void {
            return;
        }
        let global = self.links.resolve(self.units, global);
        self.facts.retyped.named.insert(global);
    }

    /// A pointer to some function becomes a value of another type.
    fn retype_pointer(&mut self, unit: &Unit, from: TypeId, to: TypeId) {
        let Some(own) = shape(unit, from) else { return };
        // Truth values and discarded values keep no address.
        if shape(unit, to).as_ref() == Some(&own) || matches!(unit.kind(to), TypeKind::Bool | TypeKind::Void) {
            return;
        }
        if !self.facts.retyped.shapes.contains(&own) {
            self.facts.retyped.shapes.push(own);
        }
    }

    fn mark(&mut self, global: Global) {
        let global = self.links.resolve(self.units, global);
        self.facts.addressed[global.unit][global.decl as usize] = true;
    }
}

/// Whether an expression looks at the bits of a float: by its sign, by another member of its union, or through a
/// pointer of another type.
fn sees_float_bits(unit: &Unit, expr: ExprId) -> bool {
    let is_float = |ty: TypeId| matches!(unit.class(ty), Class::Float { .. });
    let asks_sign = |id: DeclId| {
        let name = unit.tast[id].name.map_or("", |name| unit.text(name));
        name.contains("signbit") || name.contains("copysign")
    };
    let ty = unit.tast[expr].ty;
    match unit.tast[expr].kind {
        ExprKind::Sign { op: Sign::Of, .. } | ExprKind::Classify { op: Classify::SignBit, .. } => true,
        ExprKind::Decl(id) => unit.tast[id].kind == DeclKind::Function && asks_sign(id),
        ExprKind::Call { callee, .. } => direct_callee(unit, callee).is_some_and(asks_sign),
        ExprKind::Member { base, .. } => {
            let whole = unit.tast[base].ty;
            let whole = unit.pointee(whole).unwrap_or(whole);
            let is_union = matches!(unit.kind(whole), TypeKind::Record(id) if unit.types.record_info(id).kind == RecordKind::Union);
            is_union && is_float(ty)
        }
        ExprKind::Convert { operand, .. } | ExprKind::Cast(operand) => {
            let (from, to) = (unit.pointee(unit.tast[operand].ty), unit.pointee(ty));
            // What a call gives is fresh memory, as a rule; where it is not, its address was converted before.
            let fresh = matches!(unit.tast[operand].kind, ExprKind::Call { .. });
            matches!((from, to), (Some(from), Some(to)) if from != to && (has_float(unit, from) || !fresh && has_float(unit, to)))
        }
        _ => false,
    }
}

/// Whether values of the type hold floats.
fn has_float(unit: &Unit, ty: TypeId) -> bool {
    match unit.kind(ty) {
        TypeKind::Array { elem, .. } => has_float(unit, elem),
        TypeKind::Record(id) => unit.types.record_info(id).fields.iter().any(|field| has_float(unit, field.ty)),
        _ => matches!(unit.class(ty), Class::Float { .. }),
    }
}

/// Whether values of the type hold pointers to objects.
fn has_pointer(unit: &Unit, ty: TypeId) -> bool {
    match unit.kind(ty) {
        TypeKind::Pointer(to) => !matches!(unit.kind(to), TypeKind::Function(_)),
        TypeKind::Array { elem, .. } => has_pointer(unit, elem),
        _ => unit.class(ty) == Class::Aggregate,
    }
}

/// The function that a call names, if it names one.
pub(crate) fn direct_callee(unit: &Unit, callee: ExprId) -> Option<DeclId> {
    match unit.tast[callee].kind {
        ExprKind::Convert { kind: Conversion::FunctionDecay, operand } => direct_callee(unit, operand),
        ExprKind::Unary { op: UnaryOp::Deref | UnaryOp::AddrOf, operand } => direct_callee(unit, operand),
        ExprKind::Decl(id) if unit.tast[id].kind == DeclKind::Function => Some(id),
        _ => None,
    }
}

/// The object that an lvalue names as a whole.
fn named_object(unit: &Unit, expr: ExprId) -> Option<DeclId> {
    match unit.tast[expr].kind {
        ExprKind::Decl(id) => Some(id),
        ExprKind::Cast(inner) => named_object(unit, inner),
        _ => None,
    }
}
