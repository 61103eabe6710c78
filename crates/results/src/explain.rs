//! The sentence of a violation: what happened, to which object, with which values, and where that object comes from.
//!
//! It is made while the inputs are replayed, from the concrete state in which the violating step is taken.

use crate::places;
use assay_base::{FastMap, FastSet, Span};
use assay_cfa::checks::{CHECKS, Check};
use assay_cfa::operation::ValueSourceKind;
use assay_cfa::program::Scope;
use assay_cfa::{CType, CheckKind, EdgeId, MemoryCondition, Operation, Origin, Program, Role, Sign, Target, VarId, Zone};
use assay_semantics::state::{Executor, Lifetime, ObjectId, ObjectName, State, Value};
use assay_term::{Op, Term, Terms};

/// What a replay remembers for the sentence.
#[derive(Default)]
pub struct Memory {
    /// What allocated objects are called.
    pub(crate) heap: places::HeapNames,
    /// Where heap objects were released.
    freed: FastMap<ObjectId, Span>,
    /// Where the last variable stopped pointing to a heap object.
    lost: FastMap<ObjectId, Span>,
    /// How many values were looked at for that.
    looked: usize,
    /// The last step with a place that people can look at; bodies that stand for the library have none.
    here: Option<Span>,
    /// Where registers got what they hold.
    set: FastMap<(u32, VarId), Span>,
    /// Registers that hold a value that was never written, each with what that value is of.
    unwritten: FastMap<(u32, VarId), Unwritten>,
    /// The place that the next step reads, where it was never written.
    read: Option<Unwritten>,
}

/// What was never written.
#[derive(Clone, Debug)]
enum Unwritten {
    Variable(VarId),
    /// A place in memory: its name, and the object.
    Place(String, ObjectId),
}

/// Where memory was lost is found out in runs of bearable size only.
const MAX_LOOKED: usize = 5_000_000;

impl Memory {
    /// Looks at a step after it was taken.
    pub fn watch(&mut self, program: &Program, terms: &Terms, state: &State, edge: EdgeId) {
        self.heap.watch(program, state, edge);
        if program.edges[edge].span.line > 0 {
            self.here = Some(program.edges[edge].span);
        }
        self.watch_registers(program, state, edge);
        if let Operation::Free { address } = program.edges[edge].operation
            && let Some(object) = evaluate(program, terms, state, address).object()
        {
            self.freed.insert(object, program.edges[edge].span);
        }
        if program.questions.contains(Target::UninitialisedRead) {
            self.watch_unwritten(program, terms, state, edge);
        }
        if program.questions.about_leaks() && self.looked < MAX_LOOKED {
            self.watch_pointers(program, state, program.edges[edge].span);
        }
    }

    /// Notes where registers are written; parameters, where their function is called.
    fn watch_registers(&mut self, program: &Program, state: &State, edge: EdgeId) {
        let (depth, step) = (state.depth(), &program.edges[edge]);
        if let Operation::Call { callee, .. } = step.operation {
            let parameters = &program.functions[callee].parameters;
            self.set.extend(parameters.iter().map(|&parameter| ((depth, parameter), step.span)));
        }
        self.set.extend(step.operation.written_register().map(|target| ((depth, target), step.span)));
    }

    /// Follows values that were never written from register to register.
    fn watch_unwritten(&mut self, program: &Program, terms: &Terms, state: &State, edge: EdgeId) {
        let depth = state.depth();
        let mut found = None;
        match &program.edges[edge].operation {
            Operation::AssumeMemory { condition: MemoryCondition::Initialised { address, .. }, holds: false } => {
                if let Value::Pointer { object, offset } = evaluate(program, terms, state, *address)
                    && let Some((name, _)) = places::place(program, &self.heap, state, object, offset)
                {
                    self.read = Some(Unwritten::Place(name, object));
                }
                return;
            }
            Operation::Havoc { target, source } if program.value_sources[*source].kind == ValueSourceKind::Uninitialised => {
                found = Some(Unwritten::Variable(*target));
            }
            Operation::Load { .. } => found = self.read.take(),
            Operation::Assign { value, .. } => {
                let registers = terms.free_symbols(*value).into_iter().filter_map(|symbol| program.variable_of(symbol));
                found = registers.filter_map(|register| self.unwritten.get(&(depth, register))).next().cloned();
            }
            Operation::Call { callee, .. } => {
                found = program.functions[*callee].result.and_then(|result| self.unwritten.remove(&(depth + 1, result)));
            }
            _ => {}
        }
        if let Some(target) = program.edges[edge].operation.written_register() {
            match found {
                Some(found) => self.unwritten.insert((depth, target), found),
                None => self.unwritten.remove(&(depth, target)),
            };
        }
    }

    /// Notes which heap objects no variable points to any more. Temporaries of the lowering are no variables.
    fn watch_pointers(&mut self, program: &Program, state: &State, span: Span) {
        let mut alive: Vec<ObjectId> = vec![];
        let mut known: FastSet<ObjectId> = FastSet::default();
        let mut looked = 0;
        state.for_each_object(|id, object| {
            looked += 1;
            if object.alive && object.lifetime == Lifetime::Heap {
                alive.push(id);
            }
        });
        if !alive.is_empty() {
            state.for_each_register(|function, _, slot, value| {
                looked += 1;
                let temporary = function.is_some_and(|function| {
                    let variable = program.functions[function].locals[slot as usize];
                    program.variables[variable].role == Role::Temporary
                });
                known.extend(value.object().filter(|_| !temporary));
            });
            state.for_each_object(|_, object| {
                object.for_each_cell(|cell| {
                    looked += 1;
                    known.extend(cell.value.object());
                })
            });
            for object in alive {
                if known.contains(&object) {
                    self.lost.remove(&object);
                } else if span.is_known() {
                    self.lost.entry(object).or_insert(span);
                }
            }
        }
        self.looked += looked;
    }

    /// The sentence for a step into a target.
    pub fn sentence(&self, program: &Program, terms: &Terms, state: &State, edge: EdgeId) -> String {
        let step = &program.edges[edge];
        let Some(target) = program.locations[step.target].target else { return String::new() };
        let scene = Scene { program, terms, state, memory: self };
        if let (Operation::Assume { .. }, Origin::Operation { sign, left, right }) = (&step.operation, step.origin) {
            return scene.operation(target, sign, left, right);
        }
        if let Origin::Use { value } = step.origin {
            return scene.unwritten(value, step.span);
        }
        match (&step.operation, target) {
            (Operation::AssumeMemory { condition: MemoryCondition::Accessible { address, size, write }, .. }, _) => {
                scene.access(*address, *size, *write)
            }
            (Operation::AssumeMemory { condition: MemoryCondition::Freeable { address }, .. }, _) => scene.release(*address),
            (Operation::AssumeMemory { .. }, _) => scene.leak(target),
            (Operation::Assume { condition }, Target::NoOverflow) => scene.arithmetic("a signed operation overflows", *condition),
            (Operation::Assume { condition }, Target::DivisionByZero) => scene.arithmetic("division by zero", *condition),
            (Operation::Assume { condition }, Target::InvalidShift) => {
                scene.arithmetic("shift by a negative amount or by at least the width", *condition)
            }
            (Operation::Assume { condition }, _) if scene.is_handle(*condition) => {
                "an argument is no stream or directory that is open".to_string()
            }
            (Operation::Assume { condition }, _) if Check::of(target).is_some() => {
                scene.arithmetic(Check::of(target).map_or("", |check| check.what), *condition)
            }
            (Operation::Assume { condition }, _) => scene.arithmetic("call through a pointer that leads to no function", *condition),
            _ => match target {
                Target::UnreachLabel => "the label is reached".to_string(),
                _ => scene.call(step.origin, step.span),
            },
        }
    }
}

fn evaluate(program: &Program, terms: &Terms, state: &State, term: Term) -> Value {
    Executor::new(program, terms).eval(&mut places::Reader, &mut state.clone(), term)
}

struct Scene<'a> {
    program: &'a Program,
    terms: &'a Terms,
    state: &'a State,
    memory: &'a Memory,
}

impl Scene<'_> {
    fn value(&self, term: Term) -> Value {
        evaluate(self.program, self.terms, self.state, term)
    }

    /// Whether a condition looks at what the library keeps in a stream.
    fn is_handle(&self, condition: Term) -> bool {
        let registers = self.terms.free_symbols(condition).into_iter().filter_map(|symbol| self.program.variable_of(symbol));
        registers.into_iter().any(|register| matches!(self.program.variables[register].ctype, CType::Integer { name: "handle", .. }))
    }

    fn at(&self, span: Span) -> String {
        self.program.sources.describe(span)
    }

    fn access(&self, address: Term, size: Term, write: bool) -> String {
        let bytes = self.value(size).as_bits().map_or_else(String::new, |bits| format!(" of {}", count(bits.value())));
        let kind = format!("{}{bytes}", if write { "write" } else { "read" });
        let Value::Pointer { object, offset } = self.value(address) else {
            return match self.value(address).as_bits() {
                Some(bits) if bits.is_zero() => format!("{kind} through a null pointer{}", self.null(address)),
                Some(bits) if bits.value() < 4096 => {
                    format!("{kind} through a null pointer, {} behind it{}", count(bits.value()), self.null(address))
                }
                Some(bits) => format!("{kind} at the address {:#x}, where no object is", bits.value()),
                None => format!("{kind} where no object is"),
            };
        };
        let size = self.value(size).as_bits().map_or(0, |bits| bits.value());
        let place = places::accessed(self.program, &self.memory.heap, self.state, object, offset, size);
        let Some(found) = self.state.object(object) else { return format!("{kind} at {place}, whose object is gone") };
        if !found.alive {
            return match self.memory.freed.get(&object) {
                Some(span) => {
                    format!("use after free: {kind} at {place}; {}, freed at {}", self.origin(object), self.at(*span))
                }
                None => format!("{kind} at {place} after the end of its life; {}", self.origin(object)),
            };
        }
        if write && found.lifetime == Lifetime::Constant {
            return format!("{kind} at {place}; {} and must not be changed", self.origin(object));
        }
        format!("{kind} at {place}; {}", self.origin(object))
    }

    /// Which variable of an address is null, and where it became so.
    fn null(&self, address: Term) -> String {
        let registers = self.terms.free_symbols(address).into_iter().filter_map(|symbol| self.program.variable_of(symbol));
        let named = |&register: &VarId| {
            let (info, value) = (&self.program.variables[register], self.state.get(self.program, register));
            !info.source_name.is_empty() && matches!(info.ctype, CType::Pointer) && value.as_bits().is_some_and(|bits| bits.is_zero())
        };
        let Some(register) = registers.into_iter().find(named) else { return String::new() };
        let info = &self.program.variables[register];
        let since = [(self.state.depth(), register), (0, register)].iter().find_map(|key| self.memory.set.get(key));
        match since.copied().filter(|span| span.is_known()) {
            Some(span) => format!("; `{}` is null since {}", info.source_name, self.at(span)),
            None => format!("; `{}` is null ({})", info.source_name, self.at(info.span)),
        }
    }

    /// An object with its size and the place that it comes from.
    fn origin(&self, object: ObjectId) -> String {
        let Some(found) = self.state.object(object) else { return "its object is gone".to_string() };
        let size = found.size.as_bits().map_or_else(|| "an unknown size".to_string(), |bits| count(bits.value()));
        match found.name {
            ObjectName::Variable(variable) => {
                let variable = &self.program.variables[variable];
                match variable.role {
                    Role::StringLiteral if !variable.span.is_known() => format!("the string literal has {size}"),
                    Role::StringLiteral => format!("the string literal has {size} ({})", self.at(variable.span)),
                    _ if variable.source_name.is_empty() => format!("the object has {size}"),
                    _ => format!("`{}` has {size} ({})", variable.source_name, self.at(variable.span)),
                }
            }
            ObjectName::Site(edge) if matches!(self.program.edges[edge].operation, Operation::Allocate { zone: Zone::Given, .. }) => {
                format!("`{}` has {size} ({})", self.memory.heap.name(found.birth), self.at(self.program.edges[edge].span))
            }
            ObjectName::Site(edge) if matches!(self.program.edges[edge].operation, Operation::Allocate { zone: Zone::Library, .. }) => {
                format!("the library made it with {size} at {}", self.at(self.program.edges[edge].span))
            }
            ObjectName::Site(edge) => {
                let were = if size == "1 byte" { "was" } else { "were" };
                format!("{size} {were} allocated at {}", self.at(self.program.edges[edge].span))
            }
            ObjectName::Function(function) => format!("`{}` is a function", self.program.functions[function].name),
            ObjectName::Environment => "the memory belongs to others".to_string(),
        }
    }

    /// A value that was never written is used.
    fn unwritten(&self, value: Term, span: Span) -> String {
        let here = self.at(if span.line > 0 { span } else { self.memory.here.unwrap_or(span) });
        let registers = self.terms.free_symbols(value).into_iter().filter_map(|symbol| self.program.variable_of(symbol));
        let depth = self.state.depth();
        match registers.filter_map(|register| self.memory.unwritten.get(&(depth, register))).next() {
            Some(Unwritten::Place(name, object)) => {
                format!("`{name}` is read at {here} but was never written; {}", self.origin(*object))
            }
            None => format!("a value that was never written is read at {here}"),
            Some(Unwritten::Variable(variable)) => {
                let variable = &self.program.variables[*variable];
                let declared = self.at(variable.span);
                match (variable.role, variable.scope) {
                    (Role::Result, Scope::Local(function)) => {
                        let name = &self.program.functions[function].name;
                        format!("the value of `{name}` is used at {here}, but it returned without one (`{name}` at {declared})")
                    }
                    _ => {
                        let (name, size) = (&variable.source_name, variable.register_width().map_or(0, |width| width.div_ceil(8)));
                        format!("`{name}` is read at {here} but was never written; `{name}` has {} ({declared})", count(size.into()))
                    }
                }
            }
        }
    }

    fn release(&self, address: Term) -> String {
        let Value::Pointer { object, offset } = self.value(address) else {
            return match self.value(address).as_bits() {
                Some(bits) => format!("free of the address {:#x}, where no allocated memory begins", bits.value()),
                None => "free of an address that no allocation gave".to_string(),
            };
        };
        if let Some(span) = self.memory.freed.get(&object) {
            return format!("double free: {}, freed before at {}", self.origin(object), self.at(*span));
        }
        let place = places::place(self.program, &self.memory.heap, self.state, object, offset).map_or_else(String::new, |(place, _)| place);
        match self.state.object(object).map(|found| found.lifetime) {
            Some(Lifetime::Heap) => format!("free of {place}, which is not the start of its object; {}", self.origin(object)),
            _ => format!("free of {place}, which was not allocated; {}", self.origin(object)),
        }
    }

    fn leak(&self, target: Target) -> String {
        let mut alive: Vec<ObjectId> = vec![];
        self.state.for_each_object(|id, object| {
            if object.alive && object.lifetime == Lifetime::Heap {
                alive.push(id);
            }
        });
        let mut known: FastSet<ObjectId> = FastSet::default();
        self.state.for_each_value(|value| known.extend(value.object()));
        let lost: Vec<ObjectId> = alive.iter().copied().filter(|object| !known.contains(object)).collect();
        let (shown, end) = match target {
            Target::ValidMemcleanup => (&alive, "not released when the program ends"),
            _ if lost.is_empty() => (&alive, "which nothing leads to any more"),
            _ => (&lost, "which nothing points to any more"),
        };
        let told = |&object: &ObjectId| {
            let origin = self.origin(object).replace(" were allocated", " allocated").replace(" was allocated", " allocated");
            match self.memory.lost.get(&object) {
                Some(span) if self.memory.looked < MAX_LOOKED => format!("of {origin}, lost at {}", self.at(*span)),
                _ => format!("of {origin}, {end}"),
            }
        };
        let objects: Vec<String> = shown.iter().take(3).map(told).collect();
        let more = if shown.len() > 3 { format!(" and of {} more", shown.len() - 3) } else { String::new() };
        format!("leak {}{more}", objects.join(" and "))
    }

    /// An operation on numbers that goes wrong: as it is written, where its operands are variables and constants, and
    /// with their values.
    fn operation(&self, target: Target, sign: Sign, left: Term, right: Term) -> String {
        let (symbol, width) = (sign.symbol(), self.terms.width(left));
        let number = |term: Term| self.value(term).as_bits().map_or_else(|| "?".to_string(), |bits| bits.signed().to_string());
        let join = |left: String, right: String| match sign {
            Sign::Negated => format!("-{right}"),
            _ => format!("{left} {symbol} {right}"),
        };
        // A negative number is written in brackets behind a sign.
        let second = number(right);
        let second = if second.starts_with('-') { format!("({second})") } else { second };
        let values = join(number(left), second);
        let written = self.as_written(left).zip(self.as_written(right)).map(|(left, right)| join(left, right));
        let written = written.filter(|written| *written != values);
        let name = match (width, self.program.model.pointer_width()) {
            (32, _) => "int",
            (64, 64) => "long",
            (64, _) => "long long",
            _ => "its type",
        };
        let what = match target {
            Target::DivisionByZero if sign == Sign::Remainder => "is a remainder of a division by zero".to_string(),
            Target::DivisionByZero => "divides by zero".to_string(),
            Target::InvalidShift if self.value(right).as_bits().is_some_and(|bits| bits.signed() < 0) => {
                "shifts by a negative amount".to_string()
            }
            Target::InvalidShift => format!("shifts by at least the width of {width} bits"),
            _ => format!("overflows {name}"),
        };
        match written {
            Some(written) => format!("`{written}` {what}: {values}"),
            None => format!("{values} {what}"),
        }
    }

    /// An operand in C, where it is a variable or a number.
    fn as_written(&self, term: Term) -> Option<String> {
        let node = self.terms.node(term);
        match node.op {
            Op::Const => Some(self.terms.as_constant(term)?.signed().to_string()),
            // Promotions are not written.
            Op::SignExtend | Op::ZeroExtend => self.as_written(node.operand(0)),
            Op::Symbol => {
                let variable = &self.program.variables[self.program.variable_of(node.symbol())?];
                (!variable.source_name.is_empty()).then(|| variable.source_name.clone())
            }
            _ => None,
        }
    }

    /// The values of the variables that decide it.
    fn arithmetic(&self, what: &str, condition: Term) -> String {
        let mut values: Vec<String> = vec![];
        for symbol in self.terms.free_symbols(condition) {
            let Some(variable) = self.program.variable_of(symbol) else { continue };
            let (info, value) = (&self.program.variables[variable], self.state.get(self.program, variable));
            let Some(text) = places::describe(self.program, &self.memory.heap, self.state, value, &info.ctype) else { continue };
            let name = if info.source_name.is_empty() { "a value that was read".to_string() } else { info.source_name.clone() };
            let entry = format!("{name} = {text}");
            if !values.contains(&entry) {
                values.push(entry);
            }
        }
        match values.is_empty() {
            true => what.to_string(),
            false => format!("{what}: {}", values.join(", ")),
        }
    }

    fn call(&self, origin: Origin, span: Span) -> String {
        let line = self.program.sources.files.get(span.file).and_then(|file| file.line(span.line)).unwrap_or_default().trim();
        match origin {
            Origin::Call { .. } if line.contains("assert") => format!("the assertion fails: {line}"),
            _ => "the error function is called".to_string(),
        }
    }
}

/// What an undefined operation is called.
pub fn undefined(kind: CheckKind) -> &'static str {
    match kind {
        CheckKind::SignedOverflow => "signed overflow",
        CheckKind::DivisionByZero => "division by zero",
        CheckKind::DivisionOverflow => "the smallest number divided by -1",
        CheckKind::ShiftRange => "shift amount out of range",
        CheckKind::FloatToInteger => "float out of the integer's range",
        CheckKind::CallTarget => "call through a pointer that leads to no function",
        CheckKind::Given => "a value that was never written",
        CheckKind::Unreachable | CheckKind::Other => "unreachable code reached",
        _ => CHECKS.iter().find(|check| check.kind == Some(kind)).map_or("undefined behaviour", |check| check.what),
    }
}

fn count(bytes: u128) -> String {
    if bytes == 1 { "1 byte".to_string() } else { format!("{bytes} bytes") }
}
