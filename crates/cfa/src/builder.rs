//! Builds a [`Program`]: the one place to make functions, variables, locations and edges.

use crate::operation::{Operation, ValueSource};
use crate::program::{
    Edge, EdgeId, Function, FunctionId, Location, LocationId, Marks, Origin, Outside, Program, Role, Scope, SourceId, Storage,
    SyntaxCounts, VarId, Variable,
};
use crate::property::{Questions, Target};
use crate::types::{CType, DataModel};
use assay_base::{Assumption, AssumptionClass, Fact, FastMap, Id, IdVec, SourceMap, Span};
use assay_term::{Node, Op, Sort, SymbolId, Term, Terms};

/// A program in the making. Terms are made in `terms`; while building, registers and addresses are symbols of a
/// temporary numbering, and [`finish`](Builder::finish) moves everything into the final store, in which variable `i` is
/// symbol `i` and functions follow.
pub struct Builder {
    /// Where expressions are made; frozen when the program is finished.
    pub terms: Terms,
    /// See [`Program::sources`].
    pub sources: SourceMap,
    /// See [`Program::model`].
    pub model: DataModel,
    /// See [`Program::variables`].
    pub variables: IdVec<VarId, Variable>,
    /// See [`Program::functions`].
    pub functions: IdVec<FunctionId, Function>,
    /// See [`Program::locations`]; edges into and out of them are noted by [`edge`](Self::edge).
    pub locations: IdVec<LocationId, Location>,
    /// See [`Program::edges`].
    pub edges: IdVec<EdgeId, Edge>,
    /// See [`Program::value_sources`].
    pub value_sources: IdVec<SourceId, ValueSource>,
    /// See [`Program::globals`].
    pub globals: Vec<VarId>,
    /// See [`Program::assumptions`].
    pub assumptions: Vec<Assumption>,
    /// See [`Program::syntax`].
    pub syntax: SyntaxCounts,
    /// See [`Program::marks`].
    pub marks: Marks,
    /// See [`Program::outside`].
    pub outside: Vec<Outside>,
    /// See [`Program::questions`].
    pub questions: Questions,
    variable_symbols: IdVec<VarId, SymbolId>,
    names: FastMap<String, u32>,
}

/// What the unique name of a variable begins with.
fn base_name(source_name: &str, scope: Scope, role: Role, functions: &IdVec<FunctionId, Function>) -> String {
    let stem = match role {
        Role::Temporary => "$",
        Role::Result => "$result",
        _ => source_name,
    };
    match scope {
        Scope::Global => stem.to_string(),
        Scope::Local(function) => format!("{}::{stem}", functions[function].name),
    }
}

/// The highest number that each beginning of a name has in a program.
fn used_names(program: &Program) -> FastMap<String, u32> {
    let mut names: FastMap<String, u32> = FastMap::default();
    for variable in program.variables.iter() {
        let base = base_name(&variable.source_name, variable.scope, variable.role, &program.functions);
        let Some(rest) = variable.name.strip_prefix(&base) else { continue };
        let number = if rest.is_empty() { Some(1) } else { rest.trim_start_matches('#').parse().ok() };
        if let Some(number) = number {
            let highest = names.entry(base).or_default();
            *highest = number.max(*highest);
        }
    }
    names
}

impl Builder {
    /// An empty program.
    pub fn new(model: DataModel) -> Self {
        Builder {
            terms: Terms::new(),
            sources: SourceMap::default(),
            model,
            variables: IdVec::new(),
            functions: IdVec::new(),
            locations: IdVec::new(),
            edges: IdVec::new(),
            value_sources: IdVec::new(),
            globals: Vec::new(),
            assumptions: Vec::new(),
            syntax: SyntaxCounts::default(),
            marks: Marks::default(),
            outside: vec![],
            questions: Questions::default(),
            variable_symbols: IdVec::new(),
            names: Default::default(),
        }
    }

    /// A finished program, to be added to. Its ids stay, but for the symbols of functions, which follow the new
    /// variables.
    pub fn of(program: &Program) -> Self {
        let program = program.clone();
        let names = used_names(&program);
        Builder {
            names,
            terms: Terms::overlay(program.terms),
            sources: program.sources,
            model: program.model,
            variable_symbols: program.variables.ids().map(VarId::symbol).collect(),
            variables: program.variables,
            functions: program.functions,
            locations: program.locations,
            edges: program.edges,
            value_sources: program.value_sources,
            globals: program.globals,
            assumptions: program.assumptions,
            syntax: program.syntax,
            marks: program.marks,
            outside: program.outside,
            questions: program.questions,
        }
    }

    /// In bits.
    pub fn pointer_width(&self) -> u32 {
        self.model.pointer_width()
    }

    /// A new function with its entry and exit. The name must be unique.
    pub fn function(&mut self, name: &str, span: Span) -> FunctionId {
        let id = self.functions.next_id();
        let entry = self.location(id);
        let exit = self.location(id);
        let symbol = self.terms.intern_symbol(&format!("fn {name}"), Sort::bv(self.pointer_width()));
        self.functions.push(Function {
            name: name.to_string(),
            symbol,
            entry,
            exit,
            parameters: vec![],
            result: None,
            locals: vec![],
            span,
        })
    }

    /// A new location without edges.
    pub fn location(&mut self, function: FunctionId) -> LocationId {
        self.locations.push(Location { function, outgoing: vec![], incoming: vec![], target: None })
    }

    /// A location whose reaching violates the property.
    pub fn target(&mut self, function: FunctionId, target: Target) -> LocationId {
        self.questions.insert(target);
        self.possible_target(function, target)
    }

    /// A target that counts only where something asks for its kind; who does not must leave out the paths to it.
    pub fn possible_target(&mut self, function: FunctionId, target: Target) -> LocationId {
        let id = self.location(function);
        self.locations[id].target = Some(target);
        id
    }

    /// A new edge, noted at both of its ends.
    pub fn edge(&mut self, source: LocationId, target: LocationId, operation: Operation, span: Span, origin: Origin) -> EdgeId {
        let id = self.edges.push(Edge { source, target, operation, span, origin });
        self.locations[source].outgoing.push(id);
        self.locations[target].incoming.push(id);
        id
    }

    /// A new variable. `source_name` may be empty (a temporary); the unique name is made here.
    pub fn variable(&mut self, source_name: &str, scope: Scope, role: Role, storage: Storage, ctype: CType, span: Span) -> VarId {
        let base = base_name(source_name, scope, role, &self.functions);
        let count = self.names.entry(base.clone()).or_default();
        *count += 1;
        let name = match (*count, role) {
            (n, Role::Temporary) => format!("{base}{n}"),
            (1, _) => base,
            (n, _) => format!("{base}#{n}"),
        };
        let width = match storage {
            Storage::Register { width } => width,
            Storage::Memory { .. } => self.pointer_width(),
        };
        let symbol = self.terms.intern_symbol(&name, Sort::bv(width));
        self.variable_symbols.push(symbol);
        let id = self.variables.next_id();
        let slots = match scope {
            Scope::Global => &mut self.globals,
            Scope::Local(function) => &mut self.functions[function].locals,
        };
        let slot = slots.len() as u32;
        slots.push(id);
        if let Scope::Local(function) = scope {
            match role {
                Role::Parameter(_) => self.functions[function].parameters.push(id),
                Role::Result => self.functions[function].result = Some(id),
                _ => {}
            }
        }
        self.variables.push(Variable {
            name,
            source_name: source_name.to_string(),
            scope,
            role,
            storage,
            ctype,
            slot,
            initial: vec![],
            exposed: false,
            span,
        })
    }

    /// A fresh temporary register of a function.
    pub fn temporary(&mut self, function: FunctionId, width: u32, ctype: CType, span: Span) -> VarId {
        self.variable("", Scope::Local(function), Role::Temporary, Storage::Register { width }, ctype, span)
    }

    /// The value of a register, as a term.
    pub fn read(&self, variable: VarId) -> Term {
        debug_assert!(self.variables[variable].register_width().is_some(), "{} is not a register", self.variables[variable].name);
        self.terms.symbol(self.variable_symbols[variable])
    }

    /// The address of a memory object, as a term.
    pub fn address_of(&self, variable: VarId) -> Term {
        debug_assert!(self.variables[variable].register_width().is_none(), "{} is a register", self.variables[variable].name);
        self.terms.address(self.variable_symbols[variable], self.pointer_width())
    }

    /// What a pointer to the function holds.
    pub fn address_of_function(&self, function: FunctionId) -> Term {
        self.terms.address(self.functions[function].symbol, self.pointer_width())
    }

    /// A new source of unconstrained values.
    pub fn value_source(&mut self, source: ValueSource) -> SourceId {
        self.value_sources.push(source)
    }

    /// Writes down what is approximated or assumed.
    pub fn note(&mut self, class: AssumptionClass, span: Span, fact: impl Into<Fact>) {
        let line = Assumption { class, span, fact: fact.into() };
        if !self.assumptions.contains(&line) {
            self.assumptions.push(line);
        }
    }

    /// Moves everything into a frozen store in which variable `i` has symbol `i` and functions follow.
    pub fn finish(self, entry: FunctionId) -> Program {
        let Builder {
            terms: old,
            sources,
            model,
            variables,
            functions,
            locations,
            edges,
            value_sources,
            globals,
            assumptions,
            syntax,
            marks,
            outside,
            questions,
            ..
        } = self;
        let new = Terms::new();
        let mut symbols: assay_base::FastMap<SymbolId, SymbolId> = Default::default();
        for (id, variable) in variables.iter_ids() {
            let info = old.symbol_info(self.variable_symbols[id]);
            let symbol = new.intern_symbol(&variable.name, info.sort);
            assert_eq!(symbol, id.symbol(), "variable names are unique");
            symbols.insert(self.variable_symbols[id], symbol);
        }
        let mut functions = functions;
        for (index, function) in functions.iter_mut().enumerate() {
            let info = old.symbol_info(function.symbol);
            let symbol = new.intern_symbol(&info.name, info.sort);
            assert_eq!(symbol.index(), variables.len() + index, "function names are unique");
            symbols.insert(function.symbol, symbol);
            function.symbol = symbol;
        }
        let mut mover = Mover { old: &old, new: &new, symbols, memo: Default::default() };
        let mut edges = edges;
        for edge in edges.iter_mut() {
            edge.operation.map_terms(&mut |term| mover.run(term));
            if let Origin::Operation { left, right, .. } = &mut edge.origin {
                (*left, *right) = (mover.run(*left), mover.run(*right));
            }
            if let Origin::Use { value } = &mut edge.origin {
                *value = mover.run(*value);
            }
        }
        let mut variables = variables;
        for variable in variables.iter_mut() {
            for (_, value) in &mut variable.initial {
                *value = mover.run(*value);
            }
        }
        Program {
            terms: new.freeze(),
            sources,
            model,
            variables,
            functions,
            locations,
            edges,
            value_sources,
            entry,
            globals,
            assumptions,
            syntax,
            marks,
            outside,
            questions,
        }
    }
}

/// Rebuilds terms of one store in another.
struct Mover<'a> {
    old: &'a Terms,
    new: &'a Terms,
    symbols: assay_base::FastMap<SymbolId, SymbolId>,
    memo: assay_base::FastMap<Term, Term>,
}

impl Mover<'_> {
    fn symbol(&mut self, symbol: SymbolId) -> SymbolId {
        let (old, new) = (self.old, self.new);
        *self.symbols.entry(symbol).or_insert_with(|| {
            let info = old.symbol_info(symbol);
            new.intern_symbol(&info.name, info.sort)
        })
    }
    fn leaf(&mut self, node: &Node) -> Term {
        match node.op {
            Op::Symbol => {
                let symbol = self.symbol(node.symbol());
                self.new.symbol(symbol)
            }
            Op::Address => {
                let symbol = self.symbol(node.symbol());
                self.new.address(symbol, node.width())
            }
            _ => self.new.number(node.width(), node.constant()),
        }
    }
    fn run(&mut self, root: Term) -> Term {
        if let Some(&done) = self.memo.get(&root) {
            return done;
        }
        let mut order = Vec::new();
        self.old.post_order([root], |term, node| order.push((term, *node)));
        for (term, node) in order {
            if self.memo.contains_key(&term) {
                continue;
            }
            let moved = if node.op == Op::Apply {
                let arguments: Vec<Term> = self.old.arguments(&node).iter().map(|a| self.memo[a]).collect();
                let symbol = self.symbol(node.symbol());
                self.new.apply(symbol, &arguments, node.sort)
            } else if node.op.arity() == 0 {
                self.leaf(&node)
            } else {
                let operands: Vec<Term> = self.old.children(&node).iter().map(|c| self.memo[c]).collect();
                self.new.rebuild(&node, &operands)
            };
            self.memo.insert(term, moved);
        }
        self.memo[&root]
    }
}
