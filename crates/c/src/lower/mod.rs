//! From the library's typed trees to the control-flow automaton.
//!
//! Order of evaluation, where C leaves it open, is the one gcc uses on x86 ([`order`]): operands left before right (but
//! a plain variable on the left of a commutative operator is read after the effects of the right), arguments right
//! before left, an assignment's value before its place (but for its last step), a compound assignment's value before
//! its place. A value that is evaluated earlier is kept in a temporary wherever something evaluated later may change
//! it.

mod alignment;
mod arguments;
mod assembly;
mod body;
mod builtin;
mod call;
mod checks;
mod cleanup;
mod complex;
mod condition;
mod contract;
mod convert;
mod expr;
mod facts;
mod finish;
mod floats;
mod format;
mod forward;
mod function;
mod given;
mod graph;
mod init;
mod jumps;
mod library;
mod nested;
mod obligation;
mod order;
mod parts;
mod place;
mod regroup;
mod stmt;
mod switch;
mod types;
mod unsequenced;
mod vanish;
mod walk;

use crate::adapter::Unit;
use crate::models::{self, Library, Model};
use crate::{Externals, Options, OutsidePointers};
use assay_base::{AssumptionClass, CancelToken, Fact, FastMap, Span};
use assay_cfa::{
    Builder, CType, FunctionId, Operation, Origin, Outside, Program, Role, Scope, Storage, ValueSource, ValueSourceKind, VarId,
};
use facts::{Facts, Global, Links};
pub(crate) use facts::{clashes, functions_named};
pub(crate) use format::prints_computed;
use graph::CallGraph;
use nested::Nested;
use rucc_sema::{DeclId, Definition, Linkage, StorageDuration, StrId};
use rucc_types::TypeKind;
pub(crate) use types::Class;

/// Why a program that C accepts has no automaton.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum LowerError {
    /// There is no function of this name to start from.
    NoEntry(String),
    /// It was to stop.
    Stopped,
}

/// Lowers linked files; execution begins in the function `entry`.
pub(crate) fn lower(builder: Builder, units: &[Unit], library: Library, options: &Options) -> Result<Program, LowerError> {
    let Options { entry, outside_pointers, externals, malloc_may_fail, separate_cases, ruled, cancel, .. } = options;
    let links = Links::new(units);
    let no_entry = || LowerError::NoEntry(entry.to_string());
    let main = links.find(entry).ok_or_else(no_entry)?;
    if units[main.unit].tast[main.id()].body.is_none() {
        return Err(no_entry());
    }
    let mut roots = vec![main];
    let (constructors, destructors) = (finish::startup_functions(units, false), finish::startup_functions(units, true));
    roots.extend(constructors.iter().chain(&destructors));
    roots.extend([finish::EXIT_HANDLERS, format::PRINTED, format::PRINTED_LIST].iter().filter_map(|name| links.find(name)));
    let mut facts = Facts::compute(units, &links, &library, &roots);
    if *outside_pointers == OutsidePointers::Anywhere && facts.outside.is_some() {
        facts.expose(units, &links);
    }
    let nested = facts.find_nested(units);
    let loose = builder.sources.files.iter().any(|file| types::may_lower_alignment(&file.text));
    let mut lowering = Lowering {
        builder,
        loose,
        units,
        outside_pointers: *outside_pointers,
        externals: *externals,
        malloc_may_fail: *malloc_may_fail,
        separate_cases: *separate_cases,
        ruled: *ruled,
        links,
        facts,
        entities: units.iter().map(|u| vec![None; u.tast.counts().decls]).collect(),
        functions: Vec::new(),
        library,
        strings: FastMap::default(),
        purity: units.iter().map(|u| vec![0; u.tast.counts().exprs]).collect(),
        unknown_objects: Vec::new(),
        errno: None,
        streams: Vec::new(),
        uses: FastMap::default(),
        looked_at: 0,
        rounding: None,
        graph: CallGraph::default(),
        jumping: None,
        nested,
        finish: None,
        cancel,
    };
    lowering.follow_rounding();
    lowering.note_outside_pointers();
    lowering.declare();
    lowering.initialise();
    let graph = lowering.call_graph();
    lowering.follow_jumps(&graph);
    lowering.chain_nested(&graph);
    lowering.graph = graph;
    lowering.make_finish(&destructors);
    let start = lowering.start(main, &constructors);
    for index in 0..lowering.functions.len() {
        lowering.function_body(index);
    }
    // What was left out since is not missed: there is no program.
    if cancel.is_stopped() {
        return Err(LowerError::Stopped);
    }
    if !lowering.library.has_threads() {
        forward::forward(&mut lowering.builder);
    }
    Ok(lowering.builder.finish(start))
}

/// What a declaration became.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Entity {
    Variable(VarId),
    /// An index into `Lowering::functions`.
    Function(usize),
}

/// A function of the program, with a body or without.
pub(crate) struct FunctionInfo {
    pub name: String,
    pub global: Global,
    /// The automaton's function; none for functions that exist only as calls to a model.
    pub id: Option<FunctionId>,
    pub has_body: bool,
    pub signature: Signature,
}

/// How a function is called on the automaton.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Signature {
    pub result: Class,
    pub parameters: Vec<Class>,
    pub variadic: bool,
    /// A definition's parameters are known even where no prototype names them.
    pub known: bool,
}

pub(crate) struct Lowering<'a> {
    pub builder: Builder,
    /// An attribute may give a variable less alignment than its type has.
    loose: bool,
    pub units: &'a [Unit],
    pub outside_pointers: OutsidePointers,
    pub externals: Externals,
    pub malloc_may_fail: bool,
    /// Whether every label of a `switch` has an edge of its own.
    pub separate_cases: bool,
    /// Whether the rules of a competition hold.
    pub ruled: bool,
    pub links: Links,
    pub facts: Facts,
    entities: Vec<Vec<Option<Entity>>>,
    pub functions: Vec<FunctionInfo>,
    pub library: Library,
    /// Literals of the same text are one object, as compilers have it.
    strings: FastMap<Vec<u8>, VarId>,
    /// Purity of expressions, computed when first asked for.
    pub purity: Vec<Vec<u8>>,
    /// Objects whose content is unknown at the start: declared and nowhere defined, or with an initialiser that is not
    /// understood.
    unknown_objects: Vec<(VarId, ValueSourceKind)>,
    /// The error number of the library, if the program looks at it.
    errno: Option<VarId>,
    /// The objects of the streams that are open when the program begins.
    streams: Vec<VarId>,
    /// What functions do to what outlives them, as far as it was asked.
    pub uses: FastMap<Global, std::rc::Rc<unsequenced::Uses>>,
    /// How many nodes were looked at for that.
    pub looked_at: usize,
    /// The rounding mode as the machine numbers it, where the program sets it.
    pub rounding: Option<VarId>,
    /// Which functions call which.
    pub graph: CallGraph,
    /// What jumps out of functions need, where there are some.
    pub jumping: Option<jumps::Jumping>,
    /// What functions inside of functions use.
    pub nested: Nested,
    /// What is called when the program ends.
    pub finish: Option<FunctionId>,
    /// Once it is stopped, nothing more is lowered.
    pub cancel: &'a CancelToken,
}

impl<'a> Lowering<'a> {
    pub(crate) fn pointer_width(&self) -> u32 {
        self.builder.pointer_width()
    }

    /// What a declaration with linkage or static duration became.
    pub(crate) fn entity(&self, unit: usize, decl: DeclId) -> Option<Entity> {
        let global = self.links.resolve(self.units, Global::new(unit, decl));
        self.entities[global.unit][global.decl as usize]
    }

    /// Whether an object is a plain value.
    pub(crate) fn is_register(&self, global: Global) -> bool {
        let unit = &self.units[global.unit];
        // What threads may share is read and written by operations of their own, one at a time.
        let shared = self.library.has_threads() && unit.tast[global.id()].duration != StorageDuration::Automatic;
        unit.class(unit.tast[global.id()].ty).is_scalar() && !shared && !self.facts.is_addressed(global)
    }

    pub(crate) fn storage(&self, global: Global) -> Storage {
        let unit = &self.units[global.unit];
        let decl = &unit.tast[global.id()];
        let class = unit.class(decl.ty);
        if self.is_register(global)
            && let Some(width) = class.width(self.pointer_width())
        {
            return Storage::Register { width };
        }
        let mut size = unit.size_of(decl.ty);
        let extent = unit.tast.extent(global.id());
        if extent > 0 {
            size = size.map(|size| size.max(extent));
        }
        let natural = unit.align_of(decl.ty);
        let asked = decl.alignment.filter(|&asked| asked > natural);
        let align = asked.unwrap_or(if self.loose { 1 } else { natural });
        Storage::Memory { size, align, constant: false }
    }

    /// Makes the functions and the objects that live as long as the program.
    fn declare(&mut self) {
        let mut names: FastMap<String, u32> = FastMap::default();
        for global in self.facts.functions.clone() {
            let unit = &self.units[global.unit];
            let decl = &unit.tast[global.id()];
            let name = decl.name.map_or_else(String::new, |n| unit.text(n).to_string());
            let signature = self.signature(global);
            // An inline copy that a header has of a library function is none: the one of the library is called.
            let copy = decl.linkage == Linkage::External && !decl.inline.emits() && !unit.is_library;
            let model = || self.library.entry(&name).is_some_and(|entry| entry.model.is_some() && fits(entry.shape, &signature));
            let has_body = decl.body.is_some() && !(copy && model());
            let taken = self.facts.address_taken.contains(&global);
            let span = unit.span(unit.tast.definition_span(global.id()));
            let id = (has_body || taken).then(|| {
                let count = names.entry(name.clone()).or_default();
                *count += 1;
                let unique = if *count == 1 { name.clone() } else { format!("{name}#{count}") };
                self.builder.function(&unique, span)
            });
            self.note_outside(&name, global, has_body, &signature);
            let index = self.functions.len();
            self.functions.push(FunctionInfo { name, global, id, has_body, signature });
            self.entities[global.unit][global.decl as usize] = Some(Entity::Function(index));
        }
        for global in self.facts.objects.clone() {
            let unit = &self.units[global.unit];
            let decl = &unit.tast[global.id()];
            let name = decl.name.map_or("$literal", |n| unit.text(n));
            let storage = match self.storage(global) {
                // A declaration without a definition may be of an unfinished type.
                Storage::Memory { size: None, align, constant } => Storage::Memory { size: Some(0), align, constant },
                storage => storage,
            };
            let span = unit.span(unit.tast.decl_span(global.id()));
            let full = match self.facts.owners.get(&global) {
                Some(function) => format!("{function}::{name}"),
                None => name.to_string(),
            };
            let variable = self.builder.variable(&full, Scope::Global, Role::Source, storage, unit.ctype(decl.ty), span);
            self.builder.variables[variable].source_name = name.to_string();
            self.builder.variables[variable].exposed = self.facts.is_exposed(global) && !matches!(storage, Storage::Register { .. });
            self.entities[global.unit][global.decl as usize] = Some(Entity::Variable(variable));
            if unit.is_library && name == "__assay_errno" {
                self.errno = Some(variable);
            }
            if decl.duration == StorageDuration::Thread {
                self.builder.marks.thread_local.push(variable);
            }
            if decl.state == Definition::Declared && ["stdin", "stdout", "stderr"].contains(&name) && self.is_stream(global) {
                let stream = self.open_stream(name, span);
                self.builder.variables[variable].initial = vec![(0, self.builder.address_of(stream))];
                self.streams.push(stream);
            } else if decl.state == Definition::Declared {
                let (ctype, size) = (unit.ctype(decl.ty), unit.size_of(decl.ty).unwrap_or(0));
                let outside = Outside { name: name.to_string(), ctype, size, is_function: false, is_intrinsic: false };
                self.builder.outside.push(outside);
                let kind = self.foreign(&unit.ctype(decl.ty));
                self.unknown_objects.push((variable, kind));
                if matches!(storage, Storage::Memory { size: Some(0), .. }) {
                    self.builder.marks.elsewhere.push(variable);
                }
            }
        }
    }

    /// Notes a function that a compiled program needs from somewhere else than the library.
    fn note_outside(&mut self, name: &str, global: Global, has_body: bool, signature: &Signature) {
        let unit = &self.units[global.unit];
        let entry = self.library.entry(name).filter(|entry| fits(entry.shape, signature));
        let is_intrinsic = match &entry {
            Some(entry) => entry.intrinsic && !(entry.plain && self.ruled),
            None => models::verifier_function(name).is_some(),
        };
        let given = !has_body || unit.is_library && is_intrinsic;
        if !given || name.starts_with("__assay_") || entry.is_some_and(|entry| !entry.intrinsic) {
            return;
        }
        let TypeKind::Function(id) = unit.kind(unit.tast[global.id()].ty) else { return };
        let result = unit.types.signature(id).ret;
        let (ctype, size) = (unit.ctype(result), unit.size_of(result).unwrap_or(0));
        self.builder.outside.push(Outside { name: name.to_string(), ctype, size, is_function: true, is_intrinsic });
    }

    fn signature(&self, global: Global) -> Signature {
        let unit = &self.units[global.unit];
        let decl = &unit.tast[global.id()];
        let TypeKind::Function(id) = unit.kind(decl.ty) else {
            return Signature { result: Class::Void, parameters: vec![], variadic: false, known: false };
        };
        let function = unit.types.signature(id);
        let result = unit.class(function.ret);
        let variadic = function.variadic;
        if decl.body.is_some() {
            let parameters = unit.tast[decl.params].iter().map(|&p| unit.class(unit.tast[p].ty)).collect();
            return Signature { result, parameters, variadic, known: true };
        }
        let parameters = function.params.iter().map(|&p| unit.class(p)).collect();
        Signature { result, parameters, variadic, known: function.prototyped }
    }

    /// The object of a string literal; its place is the first that needs it.
    pub(crate) fn string(&mut self, unit_index: usize, id: StrId, span: Span) -> VarId {
        let bytes = init::string_bytes(&self.units[unit_index], id, None);
        if let Some(&known) = self.strings.get(&bytes) {
            return known;
        }
        let storage = Storage::Memory { size: Some(bytes.len() as u64), align: 1, constant: true };
        let element = CType::Integer { width: 8, signed: true, name: "char" };
        let ctype = CType::Array { element: Box::new(element), length: Some(bytes.len() as u64) };
        let variable = self.builder.variable("$string", Scope::Global, Role::StringLiteral, storage, ctype, span);
        let initial = bytes
            .iter()
            .enumerate()
            .filter(|&(_, &byte)| byte != 0)
            .map(|(offset, &byte)| (offset as u64, self.builder.terms.number(8, u128::from(byte))))
            .collect();
        self.builder.variables[variable].initial = initial;
        self.strings.insert(bytes, variable);
        variable
    }

    /// The function before `main`: its arguments, the unknown content of undefined objects, constructors, the call.
    fn start(&mut self, main: Global, constructors: &[Global]) -> FunctionId {
        let start = self.builder.function("$start", Span::NONE);
        let entry = self.builder.functions[start].entry;
        let (mut at, arguments) = self.entry_arguments(start, entry, main);
        for (variable, kind) in self.unknown_objects.clone() {
            let info = self.builder.variables[variable].clone();
            let source = ValueSource { kind, name: info.source_name.clone(), span: info.span };
            let source = self.builder.value_source(source);
            let operation = match info.storage {
                Storage::Register { .. } => Operation::Havoc { target: variable, source },
                Storage::Memory { size: Some(0) | None, .. } => continue,
                Storage::Memory { size: Some(size), .. } => {
                    let size = self.builder.terms.number(self.pointer_width(), u128::from(size));
                    Operation::HavocMemory { address: self.builder.address_of(variable), size, source }
                }
            };
            let next = self.builder.location(start);
            self.builder.edge(at, next, operation, info.span, Origin::Internal);
            at = next;
        }
        for stream in self.streams.clone() {
            let operation = self.stream_content(stream);
            let next = self.builder.location(start);
            self.builder.edge(at, next, operation, Span::NONE, Origin::Internal);
            at = next;
        }
        for &constructor in constructors {
            let (next, arguments) = self.plain_arguments(start, at, constructor);
            at = self.start_call(start, next, constructor, arguments);
        }
        let end = self.start_call(start, at, main, arguments);
        let end = self.call_finish(start, end);
        let exit = self.builder.functions[start].exit;
        self.builder.edge(end, exit, Operation::Skip, Span::NONE, Origin::Internal);
        start
    }

    fn start_call(
        &mut self,
        start: FunctionId,
        at: assay_cfa::LocationId,
        global: Global,
        arguments: Vec<assay_term::Term>,
    ) -> assay_cfa::LocationId {
        let Some(Entity::Function(index)) = self.entity(global.unit, global.id()) else { return at };
        let Some(callee) = self.functions[index].id else { return at };
        let span = self.builder.functions[callee].span;
        let next = self.builder.location(start);
        self.builder.edge(at, next, Operation::Call { callee, arguments, result: None }, span, Origin::Internal);
        self.jump_is_lost(start, next, index)
    }

    /// The model of a function that has no body, if there is one. A function of another shape than the library's is the
    /// program's own.
    pub(crate) fn model(&self, index: usize) -> Option<Model> {
        let info = &self.functions[index];
        if info.has_body {
            return None;
        }
        if let Some(known) = models::verifier_function(&info.name) {
            return Some(known);
        }
        match self.library.entry(&info.name) {
            Some(entry) if !(entry.plain && self.ruled) => entry.model.filter(|_| fits(entry.shape, &info.signature)),
            _ => models::other_intrinsic(&info.name, self.ruled),
        }
    }

    /// The shape of a function of the library, which says what it demands of its arguments.
    pub(crate) fn library_shape(&self, index: usize) -> Option<&'static str> {
        let info = &self.functions[index];
        let entry = self.library.entry(&info.name).filter(|entry| !(entry.plain && self.ruled))?;
        fits(entry.shape, &info.signature).then_some(entry.shape)
    }

    /// Whether a name is weak and nothing is there by it: neither a definition nor a function that the library has.
    pub(crate) fn is_absent(&self, unit: usize, decl: DeclId) -> bool {
        let global = self.links.resolve(self.units, Global::new(unit, decl));
        let found = &self.units[global.unit].tast[global.id()];
        let library = found.name.is_some_and(|name| {
            let name = self.units[global.unit].text(name);
            models::verifier_function(name).is_some()
                || self.library.entry(name).is_some()
                || models::other_intrinsic(name, self.ruled).is_some()
        });
        facts::is_absent(self.units, global) && !library
    }

    /// Whether a variable is defined somewhere else, with a size that its declaration does not say.
    pub(crate) fn has_unknown_size(&self, variable: VarId) -> bool {
        self.builder.marks.elsewhere.contains(&variable)
    }

    /// What a value is that comes from somewhere else. Whoever is there may hand out addresses of its own, which are
    /// good ones.
    pub(crate) fn foreign(&self, ctype: &CType) -> ValueSourceKind {
        match ctype {
            CType::Void | CType::Bool | CType::Integer { .. } | CType::Float { .. } => ValueSourceKind::External,
            _ => ValueSourceKind::Foreign,
        }
    }

    /// What a value is that the system or the library gives.
    pub(crate) fn given(&self, ctype: &CType) -> ValueSourceKind {
        match self.foreign(ctype) {
            ValueSourceKind::Foreign => ValueSourceKind::SystemForeign,
            _ => ValueSourceKind::System,
        }
    }

    /// With the competition's contract: pointers from outside do not lead to the program's variables.
    fn note_outside_pointers(&mut self) {
        if let (OutsidePointers::OwnMemory, Some(span)) = (self.outside_pointers, self.facts.outside) {
            let text = "a pointer from outside leads to memory of its own, or to what the program gave away the address of";
            self.builder.note(AssumptionClass::Rules, span, text.to_string());
        }
    }

    pub(crate) fn note_external(&mut self, name: &str, span: Span) {
        let effect = match self.externals {
            Externals::Pure => "writes nothing",
            Externals::HavocArguments => "may write what its arguments point to, and nothing else",
            Externals::HavocReachable => "may write all that somebody outside can know the address of",
        };
        let fact = Fact::NoBody { function: name.to_string(), effect: effect.to_string() };
        self.builder.note(AssumptionClass::Rules, span, fact);
    }
}

/// Whether a function has the shape that the table of the library gives one of its name: kinds of parameters, not their
/// sizes.
fn fits(shape: &str, signature: &Signature) -> bool {
    let Some((result, parameters)) = shape.trim_end_matches(')').split_once('(') else { return true };
    let kind = |shape: u8, class: Class| match class {
        Class::Float { .. } => shape == b'f',
        Class::Pointer => models::is_pointer(shape),
        Class::Bool | Class::Int { .. } => shape == b'i',
        Class::Void => shape == b'v',
        Class::Aggregate => matches!(shape, b's' | b'c') || models::is_pointer(shape),
        _ => true,
    };
    let float_result = matches!(signature.result, Class::Float { .. });
    if float_result != (result == "f") {
        return false;
    }
    if !signature.known {
        return true;
    }
    let variadic = parameters.ends_with('.');
    let parameters = parameters.trim_end_matches('.').as_bytes();
    let count = signature.parameters.len();
    let more = variadic && count >= parameters.len();
    let arity = count == parameters.len() || more || signature.variadic && count <= parameters.len();
    arity && parameters.iter().zip(&signature.parameters).all(|(&shape, &class)| kind(shape, class))
}
