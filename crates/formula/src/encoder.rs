//! What each operation does to a state of terms.

use crate::content::{Beginning, Cells, Content, Table, zero};
use crate::state::{Frame, Input, InputPlace, Lifetime, Object, ObjectKey, State};
use assay_base::{CancelToken, Id};
use assay_cfa::Step;
use assay_cfa::structure::Effects;
use assay_cfa::{CType, CheckKind, EdgeId, FunctionId, MemoryCondition, Operation, Program, Scope, Storage, ValueSourceKind, VarId, Zone};
use assay_semantics::environment::{ENVIRONMENT_BIRTH, ExternalMemory};
use assay_semantics::state::{ObjectName, PersistentVec};
use assay_term::{Op, Sort, Term, Terms};
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

/// How values are written down.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// Every value is a term over inputs.
    Substituted,
    /// Every assignment makes an instance of its target and an equation.
    Defined,
}

/// What became of a state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StepOutcome {
    /// The path goes on, under the state's conditions.
    Continue,
    /// A condition is false whatever the inputs.
    Infeasible,
    /// The operation is not modelled; nothing is known beyond it.
    Unsupported(String),
}

/// Objects of more bytes are arrays, unless they are records.
const MAX_CELLS: u64 = 256;
pub(crate) const MAX_RECORD: u64 = 4096;

/// Makes formulas of one program; `terms` is an overlay on the program's.
#[derive(Clone, Copy)]
pub struct Encoder<'a> {
    /// Whose operations become formulas.
    pub program: &'a Program,
    /// Where formulas are made.
    pub terms: &'a Terms,
    /// Whether assignments are substituted or become equations.
    pub form: Form,
    /// Whether states remember their inputs, which a model is turned into a test with.
    pub keep_inputs: bool,
    /// What pointers from outside point to, where the program may have such memory.
    pub environment: Option<ExternalMemory>,
    /// Asked where a step takes long. What is made afterwards says less than the program does, never more.
    pub cancel: Option<&'a CancelToken>,
}

/// The memory of the environment in a state.
pub(crate) const ENVIRONMENT: ObjectKey = ObjectKey { name: ObjectName::Environment, occurrence: 0 };

impl<'a> Encoder<'a> {
    /// States remember their inputs.
    pub fn new(program: &'a Program, terms: &'a Terms, form: Form) -> Self {
        Encoder { program, terms, form, keep_inputs: true, environment: ExternalMemory::of(program), cancel: None }
    }

    pub(crate) fn pointer(&self) -> u32 {
        self.program.model.pointer_width()
    }
    pub(crate) fn address_number(&self, value: u64) -> Term {
        self.terms.number(self.pointer(), u128::from(value))
    }

    /// The start of the program: globals as they are initialised, and the frame of the entry function.
    pub fn initial(&self) -> State {
        let mut state = self.empty(false);
        for &id in &self.program.globals {
            let variable = &self.program.variables[id];
            match variable.storage {
                Storage::Register { width } => {
                    let value = variable.initial.first().map_or_else(|| zero(self.terms, width), |&(_, term)| term);
                    self.assign(&mut state, id, value);
                }
                Storage::Memory { size, constant, .. } => {
                    let lifetime = if constant { Lifetime::Constant } else { Lifetime::Static };
                    let size = self.address_number(size.unwrap_or(0));
                    let base = self.terms.address(id.symbol(), self.pointer());
                    let mut content = self.content(size, Beginning::Zero, &variable.name, &variable.ctype);
                    if let Content::Array { bytes, .. } = content
                        && self.is_table(&variable.initial)
                    {
                        content = Content::Table(Arc::new(Table { variable: id, bytes, array: OnceLock::new() }));
                    } else {
                        content = self.initialised(content, id);
                    }
                    let object = Object { base, size, lifetime, birth: 0, alive: self.terms.true_(), content, unwritten: None };
                    self.add_object(&mut state, ObjectName::Variable(id), object);
                }
            }
        }
        if let Some(environment) = self.environment {
            let beginning = self.beginning("environment", &CType::Pointer, Some(ENVIRONMENT_BIRTH));
            let object = Object {
                base: self.address_number(environment.base),
                size: self.address_number(environment.size),
                lifetime: Lifetime::Static,
                birth: ENVIRONMENT_BIRTH,
                alive: self.terms.true_(),
                content: Content::Cells(Arc::new(Cells { map: BTreeMap::new(), beginning })),
                unwritten: None,
            };
            self.add_object(&mut state, ENVIRONMENT.name, object);
        }
        self.push_frame(&mut state, self.program.entry);
        state
    }

    /// Whether the entries of an initialiser are in order and apart, so that a place has one.
    fn is_table(&self, initial: &[(u64, Term)]) -> bool {
        let apart = |pair: &[(u64, Term)]| pair[0].0 + u64::from(self.terms.width(pair[0].1) / 8) <= pair[1].0;
        !initial.is_empty() && initial.windows(2).all(apart)
    }

    /// The content with a global's initialiser in it.
    pub(crate) fn initialised(&self, mut content: Content, variable: VarId) -> Content {
        for &(offset, value) in &self.program.variables[variable].initial {
            content = self.written(&content, self.address_number(offset), value, self.terms.true_());
        }
        content
    }

    /// Anywhere in a function: registers hold the program's own symbols, global objects and the function's memory
    /// locals are alive with unknown content, and other memory is an array over addresses.
    pub fn block(&self, function: FunctionId) -> State {
        let mut state = self.empty(true);
        let locals = self.program.functions[function].locals.iter();
        self.push_frame(&mut state, function);
        if let Some(frame) = state.frame_mut() {
            frame.open = true;
        }
        for &id in self.program.globals.iter().chain(locals) {
            let variable = &self.program.variables[id];
            let Storage::Memory { size: Some(size), constant, .. } = variable.storage else { continue };
            let lifetime = match (variable.scope, constant) {
                (_, true) => Lifetime::Constant,
                (Scope::Global, false) => Lifetime::Static,
                (Scope::Local(_), false) => Lifetime::Frame(0),
            };
            let size = self.address_number(size);
            let base = self.terms.address(id.symbol(), self.pointer());
            let beginning = self.beginning(&variable.name, &variable.ctype, None);
            let content = self.content(size, beginning, &variable.name, &variable.ctype);
            let object = Object { base, size, lifetime, birth: 0, alive: self.terms.true_(), content, unwritten: None };
            self.add_object(&mut state, ObjectName::Variable(id), object);
            if !variable.is_global() {
                self.set(&mut state, id, base);
            }
        }
        state.rest = Some(self.terms.named("$memory", Sort::array(self.pointer(), 8)));
        state
    }

    pub(crate) fn empty(&self, open: bool) -> State {
        State {
            globals: PersistentVec::new(),
            frame: None,
            objects: Arc::default(),
            occurrences: Arc::default(),
            rest: None,
            open,
            tainted: self.terms.false_(),
            frames: 0,
            births: 0,
            fresh: 0,
            conditions: Arc::default(),
            path: self.terms.true_(),
            undefined: self.terms.false_(),
            failing: self.terms.false_(),
            approximate: false,
            outside: false,
            origin: None,
            inputs: Arc::default(),
            meanings: Arc::default(),
        }
    }

    /// Takes one move of a path: an edge (a call enters the callee), or the return of a call.
    pub fn follow(&self, state: &mut State, step: Step) -> StepOutcome {
        match step {
            Step::Edge(edge) => self.step(state, edge),
            Step::Return(call) => self.leave(state, call),
        }
    }

    /// Executes an edge. A call enters the callee; [`leave`](Self::leave) comes back.
    pub fn step(&self, state: &mut State, edge: EdgeId) -> StepOutcome {
        let program = self.program;
        match &program.edges[edge].operation {
            Operation::Skip => {}
            Operation::Assume { condition } => {
                let condition = self.eval(state, *condition);
                self.assume(state, condition);
            }
            Operation::Assign { target, value } => {
                let value = self.eval(state, *value);
                self.assign(state, *target, value);
            }
            Operation::Havoc { target, source } => {
                let approximate = program.value_sources[*source].kind == ValueSourceKind::Approximation;
                self.havoc_register(state, *target, (!approximate).then_some(InputPlace::Source(*source)));
            }
            Operation::Load { target, address } => {
                let bytes = program.variables[*target].register_width().unwrap_or(8) / 8;
                let address = self.eval(state, *address);
                let (value, guard) = self.load(state, address, bytes);
                self.assign_where(state, *target, value, guard);
            }
            Operation::Store { address, value } => {
                let address = self.eval(state, *address);
                let value = self.eval(state, *value);
                self.store(state, address, value);
            }
            Operation::Copy { destination, source, size } => {
                let [destination, source, size] = [*destination, *source, *size].map(|t| self.eval(state, t));
                self.copy(state, destination, source, size);
            }
            Operation::Fill { destination, byte, size } => {
                let [destination, byte, size] = [*destination, *byte, *size].map(|t| self.eval(state, t));
                self.fill(state, destination, Some(byte), size, true);
            }
            Operation::HavocMemory { address, size, source } => {
                let [address, size] = [*address, *size].map(|t| self.eval(state, t));
                let kind = program.value_sources[*source].kind;
                if kind == ValueSourceKind::Unwritten {
                    self.unwrite(state, address, size);
                    return StepOutcome::Continue;
                }
                let choosable = kind.is_choosable();
                self.fill(state, address, None, size, choosable);
            }
            Operation::Allocate { target, size, zone, zeroed } => {
                let size = self.eval(state, *size);
                let lifetime = match zone {
                    Zone::Heap => Lifetime::Heap,
                    Zone::Stack | Zone::Given => Lifetime::Frame(state.frame.as_ref().map_or(0, |f| f.number)),
                    Zone::Library => Lifetime::Static,
                };
                let name = format!("heap.{}", edge.index());
                let base = self.make_object(state, ObjectName::Site(edge), &name, size, lifetime, *zeroed, &CType::Void);
                self.assign(state, *target, base);
            }
            Operation::Free { address } => {
                let address = self.eval(state, *address);
                self.free(state, address);
            }
            Operation::Declare { object, size } => {
                let size = size.map(|size| self.eval(state, size));
                self.declare(state, *object, size);
            }
            Operation::EndLife { object } => self.end_life(state, *object),
            Operation::Call { callee, arguments, .. } => {
                let values: Vec<Term> = arguments.iter().map(|&a| self.eval(state, a)).collect();
                self.push_frame(state, *callee);
                for (&parameter, value) in program.functions[*callee].parameters.iter().zip(values) {
                    self.assign(state, parameter, value);
                }
            }
            Operation::Check { kind, fails } => {
                if *kind != CheckKind::SignedOverflow && !kind.goes_on() {
                    let fails = self.eval(state, *fails);
                    let here = self.terms.and(state.path, fails);
                    state.failing = self.terms.or(state.failing, here);
                }
            }
            Operation::AssumeMemory { condition, holds } => {
                let condition = match condition {
                    MemoryCondition::Accessible { address, size, write } => {
                        let [address, size] = [*address, *size].map(|t| self.eval(state, t));
                        self.accessible(state, address, size, *write)
                    }
                    MemoryCondition::Initialised { address, size } => {
                        let [address, size] = [*address, *size].map(|t| self.eval(state, t));
                        self.is_initialised(state, address, size)
                    }
                    MemoryCondition::Freeable { address } => {
                        let address = self.eval(state, *address);
                        self.freeable(state, address)
                    }
                    MemoryCondition::NothingAllocated => self.nothing_allocated(state),
                    MemoryCondition::AllReachable => None,
                };
                match condition {
                    Some(condition) => {
                        let wanted = if *holds { condition } else { self.terms.not(condition) };
                        self.assume(state, wanted);
                    }
                    None => state.approximate = true,
                }
            }
            Operation::Thread(operation) => return StepOutcome::Unsupported(operation.word().to_string()),
            Operation::Unsupported { what } => return StepOutcome::Unsupported(what.clone()),
        }
        if self.terms.is_false(state.path) { StepOutcome::Infeasible } else { StepOutcome::Continue }
    }

    /// Comes back from a call: drops the callee's frame and hands over the result.
    pub fn leave(&self, state: &mut State, call: EdgeId) -> StepOutcome {
        let Operation::Call { callee, result, .. } = &self.program.edges[call].operation else { return StepOutcome::Infeasible };
        let value = self.program.functions[*callee].result.map(|register| self.get(state, register));
        self.pop_frame(state);
        if let Some(target) = *result {
            match value {
                Some(value) => self.assign(state, target, value),
                None => self.havoc_register(state, target, None),
            }
        }
        StepOutcome::Continue
    }

    /// The value of a term over program variables.
    pub fn eval(&self, state: &State, term: Term) -> Term {
        self.terms.substitute(term, &mut |node| {
            let variable = self.program.variable_of(node.symbol())?;
            match node.op {
                Op::Symbol => Some(self.get(state, variable)),
                _ if self.program.variables[variable].is_global() => None,
                _ => Some(self.get(state, variable)),
            }
        })
    }

    /// The value of a register, or the address of a memory local.
    pub fn get(&self, state: &State, variable: VarId) -> Term {
        let info = &self.program.variables[variable];
        if let (Scope::Local(_), Some(frame)) = (info.scope, &state.frame) {
            return self.in_frame(frame, variable);
        }
        if let (Scope::Global, Some(Some(value))) = (info.scope, state.globals.get(u64::from(info.slot))) {
            return *value;
        }
        if state.open {
            return self.terms.symbol(variable.symbol());
        }
        self.terms.named(&format!("{}~0", info.name), Sort::bv(info.register_width().unwrap_or(self.pointer())))
    }

    /// Puts a value into a register as it is.
    pub(crate) fn set(&self, state: &mut State, variable: VarId, value: Term) {
        let info = &self.program.variables[variable];
        let slot = u64::from(info.slot);
        match info.scope {
            Scope::Global => *state.globals.get_mut(slot) = Some(value),
            Scope::Local(_) => {
                if let Some(frame) = state.frame_mut() {
                    *frame.registers.get_mut(slot) = Some(value);
                }
            }
        }
    }

    /// Adds a condition of the path.
    pub fn assume(&self, state: &mut State, condition: Term) {
        for fact in self.address_facts(state, condition) {
            self.demand(state, fact);
        }
        self.demand(state, condition);
    }

    pub(crate) fn demand(&self, state: &mut State, condition: Term) {
        if !self.terms.is_true(condition) {
            Arc::make_mut(&mut state.conditions).push(condition);
            state.path = self.terms.and(state.path, condition);
        }
    }

    /// The state is undefined where the condition holds.
    pub(crate) fn undefined_if(&self, state: &mut State, condition: Term) {
        if !self.terms.is_false(condition) {
            let here = self.terms.and(state.path, condition);
            state.undefined = self.terms.or(state.undefined, here);
        }
    }

    pub(crate) fn assign(&self, state: &mut State, target: VarId, value: Term) {
        self.assign_where(state, target, value, self.terms.true_());
    }

    /// An assignment whose equation is claimed only where the guard holds.
    fn assign_where(&self, state: &mut State, target: VarId, value: Term, guard: Term) {
        let value = match self.form {
            Form::Substituted => value,
            Form::Defined => {
                let name = self.instance_name(state, target);
                self.define(state, &name, value, guard)
            }
        };
        self.set(state, target, value);
    }

    fn instance_name(&self, state: &State, variable: VarId) -> String {
        let info = &self.program.variables[variable];
        match (info.scope, state.frame.as_ref().map_or(0, |f| f.level)) {
            (Scope::Local(_), level) if level > 0 => format!("{}^{level}", info.name),
            _ => info.name.clone(),
        }
    }

    /// A new instance with its equation.
    pub(crate) fn define(&self, state: &mut State, name: &str, value: Term, guard: Term) -> Term {
        let number = state.fresh;
        state.fresh += 1;
        let instance = self.terms.named(&format!("{name}@{number}"), self.terms.sort(value));
        let meaning = self.meaning(state, value);
        Arc::make_mut(&mut state.meanings).insert(instance, meaning);
        let equation = self.terms.eq(instance, value);
        let equation = self.terms.implies(guard, equation);
        self.demand(state, equation);
        instance
    }

    /// A term over inputs instead of instances.
    pub(crate) fn meaning(&self, state: &State, term: Term) -> Term {
        if self.form == Form::Substituted || state.meanings.is_empty() {
            return term;
        }
        self.terms.substitute(term, &mut |node| match node.op {
            Op::Symbol => state.meanings.get(&self.terms.symbol(node.symbol())).copied(),
            _ => None,
        })
    }

    /// Gives any value to whatever a piece of the program may write, as its effects say; what it may allocate is not
    /// among them.
    pub fn havoc(&self, state: &mut State, effects: &Effects) {
        let approximate = state.approximate;
        for &variable in &effects.writes {
            if self.program.variables[variable].register_width().is_some() {
                self.havoc_register(state, variable, None);
            }
        }
        let keys: Vec<ObjectKey> = state.objects.keys().copied().collect();
        for key in keys {
            let named = matches!(key.name, ObjectName::Variable(v) if effects.writes.contains(&v));
            let constant = state.objects[&key].lifetime == Lifetime::Constant;
            if !constant && (named || effects.writes_unknown_memory) {
                self.renew(state, key);
                self.forget_written(state, key);
            }
        }
        // That there are more states than the program has is meant here.
        state.approximate = approximate;
    }

    fn havoc_register(&self, state: &mut State, target: VarId, place: Option<InputPlace>) {
        let width = self.program.variables[target].register_width().unwrap_or(1);
        let name = match self.form {
            Form::Substituted => String::from("new"),
            Form::Defined => self.instance_name(state, target),
        };
        let value = self.fresh(state, &name, width, place);
        self.set(state, target, value);
    }

    /// A symbol that nothing is known of. Exclusive paths may use the same one.
    pub(crate) fn fresh(&self, state: &mut State, name: &str, width: u32, place: Option<InputPlace>) -> Term {
        let number = state.fresh;
        state.fresh += 1;
        // Other paths count from the beginning, too, and a name has one width.
        let separator = if self.form == Form::Defined { '@' } else { '!' };
        let name = format!("{name}{separator}{number}!{width}");
        let symbol = self.terms.named(&name, Sort::bv(width));
        match place {
            Some(place) => self.note_input(state, Input { symbol, place }),
            None => state.approximate = true,
        }
        symbol
    }

    pub(crate) fn note_input(&self, state: &mut State, input: Input) {
        if self.keep_inputs && state.inputs.last() != Some(&input) {
            Arc::make_mut(&mut state.inputs).push(input);
        }
    }

    pub(crate) fn push_frame(&self, state: &mut State, function: FunctionId) {
        let below = std::iter::successors(state.frame.as_ref(), |frame| frame.caller.as_ref());
        let level = below.filter(|frame| frame.function == function).count() as u32;
        let number = state.frames;
        state.frames += 1;
        let caller = state.frame.take();
        state.frame = Some(Arc::new(Frame { function, number, level, open: false, registers: PersistentVec::new(), caller }));
    }

    fn pop_frame(&self, state: &mut State) {
        let Some(frame) = state.frame.take() else { return };
        state.frame = frame.caller.clone();
        if state.objects.values().any(|object| object.lifetime == Lifetime::Frame(frame.number)) {
            Arc::make_mut(&mut state.objects).retain(|_, object| object.lifetime != Lifetime::Frame(frame.number));
        }
    }

    pub(crate) fn add_object(&self, state: &mut State, name: ObjectName, object: Object) -> ObjectKey {
        let count = Arc::make_mut(&mut state.occurrences).entry(name).or_default();
        let key = ObjectKey { name, occurrence: *count };
        *count += 1;
        Arc::make_mut(&mut state.objects).insert(key, Arc::new(object));
        key
    }

    /// Whether something has written an object before the program saw it.
    fn is_given(&self, name: ObjectName) -> bool {
        let ObjectName::Site(edge) = name else { return false };
        matches!(self.program.edges[edge].operation, Operation::Allocate { zone: Zone::Given | Zone::Library, .. })
    }

    /// A new object with a base of its own, which is handed back.
    fn make_object(
        &self,
        state: &mut State,
        name: ObjectName,
        text: &str,
        size: Term,
        lifetime: Lifetime,
        zeroed: bool,
        ctype: &CType,
    ) -> Term {
        state.births += 1;
        let occurrence = state.occurrences.get(&name).copied().unwrap_or(0);
        let text = format!("{text}~{occurrence}");
        let symbol = self.terms.intern_symbol(&text, Sort::bv(self.pointer()));
        let base = self.terms.address(symbol, self.pointer());
        let beginning = if zeroed { Beginning::Zero } else { self.beginning(&text, ctype, Some(state.births)) };
        let content = self.content(size, beginning, &text, ctype);
        if let (Content::Array { term, .. }, false) = (&content, zeroed) {
            let input = Input { symbol: *term, place: InputPlace::Memory { birth: state.births, offset: 0 } };
            self.note_input(state, input);
        }
        let birth = state.births;
        let unwritten = if zeroed || self.is_given(name) { None } else { self.never_written(size, &content) };
        self.add_object(state, name, Object { base, size, lifetime, birth, alive: self.terms.true_(), content, unwritten });
        base
    }

    fn declare(&self, state: &mut State, variable: VarId, size: Option<Term>) {
        let info = &self.program.variables[variable];
        let name = ObjectName::Variable(variable);
        let old = self.get(state, variable);
        // A jump back before the declaration: it is the same object until its block is left, with unknown content
        // again.
        let same = state.objects.iter().find(|(key, object)| key.name == name && object.base == old && self.terms.is_true(object.alive));
        if let (None, Some((&key, _))) = (size, same) {
            state.births += 1;
            let text = format!("{}~{}.{}", info.name, key.occurrence, state.fresh);
            state.fresh += 1;
            let beginning = self.beginning(&text, &info.ctype, Some(state.births));
            let size = state.objects[&key].size;
            let content = self.content(size, beginning, &text, &info.ctype);
            let birth = state.births;
            let unwritten = self.never_written(size, &content);
            state.change_object(key, |object| (object.content, object.birth, object.unwritten) = (content, birth, unwritten));
            return;
        }
        self.end_life(state, variable);
        let size = match (info.storage, size) {
            (_, Some(size)) => size,
            (Storage::Memory { size: Some(size), .. }, None) => self.address_number(size),
            _ => self.fresh(state, "size", self.pointer(), None),
        };
        let lifetime = Lifetime::Frame(state.frame.as_ref().map_or(0, |f| f.number));
        let base = self.make_object(state, name, &info.name, size, lifetime, false, &info.ctype);
        self.set(state, variable, base);
    }

    fn end_life(&self, state: &mut State, variable: VarId) {
        let base = self.get(state, variable);
        let found = state.objects.iter().find(|(_, object)| object.base == base).map(|(&key, _)| key);
        if let Some(key) = found {
            Arc::make_mut(&mut state.objects).remove(&key);
        }
        let dead = self.terms.number(self.pointer(), 0);
        self.set(state, variable, dead);
    }

    pub(crate) fn beginning(&self, name: &str, ctype: &CType, birth: Option<u32>) -> Beginning {
        Beginning::Symbols { name: name.into(), grain: self.grain(ctype), birth }
    }

    /// How many bytes a symbol of unwritten content has, and an element of an array.
    fn grain(&self, ctype: &CType) -> u32 {
        match ctype {
            CType::Bool => 1,
            CType::Integer { width, .. } => (width / 8).clamp(1, 8).next_power_of_two().min(8),
            CType::Float { width } if width.is_power_of_two() => (width / 8).clamp(1, 8),
            CType::Pointer => self.pointer() / 8,
            CType::Array { element, .. } => self.grain(element),
            _ => 4,
        }
    }

    /// The content of a new object: cells where it is small, else an array.
    pub(crate) fn content(&self, size: Term, beginning: Beginning, name: &str, ctype: &CType) -> Content {
        let limit = if matches!(ctype, CType::Record { .. }) { MAX_RECORD } else { MAX_CELLS };
        match self.terms.as_constant(size) {
            Some(bytes) if bytes.value() <= u128::from(limit) => Content::Cells(Arc::new(Cells { map: BTreeMap::new(), beginning })),
            _ => {
                let bytes = self.grain(ctype);
                let width = self.pointer();
                let term = match beginning {
                    Beginning::Zero => self.terms.const_array(width, self.terms.number(bytes * 8, 0)),
                    Beginning::Symbols { .. } => self.terms.named(&format!("{name}[:{bytes}]"), Sort::array(width, bytes * 8)),
                };
                Content::Array { bytes, term }
            }
        }
    }
}
