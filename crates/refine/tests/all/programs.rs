//! Small programs, and paths through straight ones.

use assay_base::Span;
use assay_cfa::{
    Builder, CType, DataModel, FunctionId, LocationId, Operation, Origin, Program, Role, Scope, Storage, Target, ValueSource,
    ValueSourceKind, VarId,
};
use assay_cpa::{CallStacks, Head, StackId, Step};
use assay_refine::Path;
use assay_term::Term;

/// Builds a function from its beginning: operations are appended at the current place.
pub(crate) struct Make {
    pub builder: Builder,
    pub function: FunctionId,
    pub at: LocationId,
}

const INT: CType = CType::Integer { width: 32, signed: true, name: "int" };

impl Make {
    pub(crate) fn new() -> Self {
        let mut builder = Builder::new(DataModel::Lp64);
        let function = builder.function("main", Span::NONE);
        let at = builder.functions[function].entry;
        Make { builder, function, at }
    }
    /// Another function, at whose beginning building goes on.
    pub(crate) fn other(&mut self, name: &str) -> FunctionId {
        self.function = self.builder.function(name, Span::NONE);
        self.at = self.builder.functions[self.function].entry;
        self.function
    }
    fn variable(&mut self, name: &str, scope: Scope, role: Role) -> VarId {
        self.builder.variable(name, scope, role, Storage::Register { width: 32 }, INT, Span::NONE)
    }
    pub(crate) fn local(&mut self, name: &str) -> VarId {
        self.variable(name, Scope::Local(self.function), Role::Source)
    }
    pub(crate) fn global(&mut self, name: &str) -> VarId {
        self.variable(name, Scope::Global, Role::Source)
    }
    pub(crate) fn parameter(&mut self, name: &str) -> VarId {
        self.variable(name, Scope::Local(self.function), Role::Parameter(0))
    }
    pub(crate) fn result(&mut self) -> VarId {
        self.variable("", Scope::Local(self.function), Role::Result)
    }
    pub(crate) fn read(&self, variable: VarId) -> Term {
        self.builder.read(variable)
    }
    pub(crate) fn number(&self, value: u32) -> Term {
        self.builder.terms.number(32, value.into())
    }
    pub(crate) fn plus(&self, variable: VarId, value: u32) -> Term {
        self.builder.terms.add(self.read(variable), self.number(value))
    }
    pub(crate) fn is(&self, variable: VarId, value: u32) -> Term {
        self.builder.terms.eq(self.read(variable), self.number(value))
    }
    pub(crate) fn less(&self, variable: VarId, value: u32) -> Term {
        self.builder.terms.ult(self.read(variable), self.number(value))
    }
    pub(crate) fn not(&self, term: Term) -> Term {
        self.builder.terms.not(term)
    }
    pub(crate) fn new_location(&mut self) -> LocationId {
        self.builder.location(self.function)
    }
    pub(crate) fn edge(&mut self, to: LocationId, operation: Operation) {
        self.builder.edge(self.at, to, operation, Span::NONE, Origin::Internal);
    }
    pub(crate) fn then(&mut self, operation: Operation) {
        let to = self.new_location();
        self.edge(to, operation);
        self.at = to;
    }
    pub(crate) fn assign(&mut self, target: VarId, value: Term) {
        self.then(Operation::Assign { target, value });
    }
    pub(crate) fn set(&mut self, target: VarId, value: u32) {
        let value = self.number(value);
        self.assign(target, value);
    }
    pub(crate) fn havoc(&mut self, target: VarId) {
        let source = self.builder.value_source(ValueSource { kind: ValueSourceKind::Input, name: "nondet".to_string(), span: Span::NONE });
        self.then(Operation::Havoc { target, source });
    }
    pub(crate) fn assume(&mut self, condition: Term) {
        self.then(Operation::Assume { condition });
    }
    pub(crate) fn assume_is(&mut self, variable: VarId, value: u32) {
        let condition = self.is(variable, value);
        self.assume(condition);
    }
    pub(crate) fn assume_is_not(&mut self, variable: VarId, value: u32) {
        let condition = self.not(self.is(variable, value));
        self.assume(condition);
    }
    pub(crate) fn call(&mut self, callee: FunctionId, arguments: Vec<Term>, result: Option<VarId>) {
        self.then(Operation::Call { callee, arguments, result });
    }
    pub(crate) fn jump(&mut self, to: LocationId) {
        self.edge(to, Operation::Skip);
    }
    pub(crate) fn leave(&mut self) {
        let exit = self.builder.functions[self.function].exit;
        self.jump(exit);
    }
    pub(crate) fn error(&mut self) {
        let target = self.builder.target(self.function, Target::UnreachCall);
        self.jump(target);
    }
    /// Where the condition fails there is an error; building goes on where it holds.
    pub(crate) fn assert(&mut self, condition: Term) {
        let at = self.at;
        let negated = self.not(condition);
        self.assume(negated);
        self.error();
        self.at = at;
        self.assume(condition);
    }
    /// The program whose entry is `main`.
    pub(crate) fn finish(self) -> Program {
        self.builder.finish(FunctionId(0))
    }
}

/// The path that follows the first edge everywhere, to an end.
pub(crate) fn straight<'a>(program: &'a Program, stacks: &CallStacks) -> Path<'a> {
    let mut heads = vec![Head { location: program.functions[program.entry].entry, stack: StackId::EMPTY }];
    let mut steps = Vec::new();
    loop {
        let Head { location, stack } = heads[heads.len() - 1];
        if let Some(&edge) = program.locations[location].outgoing.first() {
            steps.push(Step::Edge(edge));
            heads.push(match program.edges[edge].operation {
                Operation::Call { callee, .. } => {
                    Head { location: program.functions[callee].entry, stack: stacks.push(stack, edge).expect("there is room") }
                }
                _ => Head { location: program.edges[edge].target, stack },
            });
        } else if let Some((call, below)) = stacks.pop(stack) {
            steps.push(Step::Return(call));
            heads.push(Head { location: program.edges[call].target, stack: below });
        } else {
            return Path::new(program, heads, steps).expect("there are no blocks");
        }
    }
}
