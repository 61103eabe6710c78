//! The code of all threads: for each thread that may run a copy of its function with all that it calls, in one list of
//! places and steps. Locals of the copies are locals of the program's entry function.

use assay_base::{AssumptionClass, FastMap, FastSet, Id, Span};
use assay_cfa::operation::{Operation, Zone};
use assay_cfa::program::{FunctionId, LocationId, Origin, Program, Role, Scope, Storage, VarId, Variable};
use assay_cfa::property::Target;
use assay_cfa::{Builder, ThreadOperation};
use assay_term::{Node, Op, SymbolId, Term};

/// An index into [`Code::places`].
pub(super) type Place = usize;
/// An index into [`Code::steps`].
pub(super) type StepId = usize;

/// A function is entered so many times on one stack of calls at most.
const RECURSION: usize = 4;
/// Programs whose copies have more steps are not followed.
const MOST_STEPS: usize = 400_000;
/// So many threads at most.
const MOST_THREADS: usize = 24;
/// Threads for a place that starts them in a loop whose number of iterations is not known.
const LOOP_THREADS: usize = 2;
/// Loops that start threads and have at most so many iterations get a thread for each.
const COUNTED_THREADS: usize = 20;

#[derive(Clone, Debug)]
pub(super) struct CodePlace {
    pub thread: usize,
    pub target: Option<Target>,
    pub outgoing: Vec<StepId>,
    pub incoming: Vec<StepId>,
}

#[derive(Clone, Debug)]
pub(super) struct CodeStep {
    pub source: Place,
    pub target: Place,
    pub operation: Operation,
    pub span: Span,
    pub origin: Origin,
}

/// A thread that may run.
#[derive(Clone, Debug)]
pub(super) struct Thread {
    /// What it begins with.
    pub function: FunctionId,
    pub entry: Place,
    /// Where it has returned from its function.
    pub exit: Place,
    /// Takes the argument.
    pub parameter: Option<VarId>,
    /// Has what its function returns.
    pub result: Option<VarId>,
    /// Its objects in memory.
    pub objects: Vec<VarId>,
}

/// Why a program cannot be followed.
pub(super) struct TooLarge(pub String);

pub(super) struct Code {
    pub builder: Builder,
    pub entry: FunctionId,
    pub places: Vec<CodePlace>,
    pub steps: Vec<CodeStep>,
    pub threads: Vec<Thread>,
    /// For each function in which threads begin: its threads.
    pub pools: Vec<(FunctionId, Vec<usize>)>,
    /// The functions in which the thread of a `Spawn` step may begin.
    pub starts: FastMap<StepId, Vec<FunctionId>>,
    /// Pools that may need more threads than they have.
    pub open: FastSet<FunctionId>,
    /// The functions that some thread calls.
    copied: FastSet<FunctionId>,
    /// Where the program ends.
    pub last: Place,
    /// The variable of each symbol.
    symbols: FastMap<SymbolId, VarId>,
    /// Locals that take arguments, which have one value in each activation.
    pub arguments: FastSet<VarId>,
}

/// A call that is still to be copied.
struct Pending {
    callee: FunctionId,
    from: Place,
    to: Place,
    /// The functions around it.
    stack: Vec<FunctionId>,
    result: Option<VarId>,
    arguments: Vec<Term>,
    span: Span,
    origin: Origin,
}

impl Code {
    pub(super) fn new(program: &Program, thread_local: &[VarId]) -> Result<Code, TooLarge> {
        let mut code = Code {
            builder: Builder::of(program),
            entry: program.entry,
            places: vec![],
            steps: vec![],
            threads: vec![],
            pools: vec![],
            starts: FastMap::default(),
            open: FastSet::default(),
            copied: FastSet::default(),
            last: 0,
            symbols: FastMap::default(),
            arguments: FastSet::default(),
        };
        code.add_thread(program, program.entry, thread_local)?;
        let mut looked_at = 0;
        while looked_at < code.threads.len() {
            let first = code.threads[looked_at].entry;
            let last = code.threads.get(looked_at + 1).map_or(code.places.len(), |next| next.entry);
            code.constants(first..last);
            let spawns: Vec<StepId> = (first..last)
                .flat_map(|place| code.places[place].outgoing.clone())
                .filter(|&step| matches!(code.steps[step].operation, Operation::Thread(ThreadOperation::Spawn { .. })))
                .collect();
            for step in spawns {
                let functions = code.start_functions(program, step);
                let count = code.times(step);
                for &function in &functions {
                    if count.is_none() {
                        code.open.insert(function);
                    }
                    for _ in 0..count.unwrap_or(LOOP_THREADS) {
                        if code.threads.len() >= MOST_THREADS {
                            code.open.insert(function);
                            break;
                        }
                        code.add_thread(program, function, thread_local)?;
                    }
                }
                code.starts.insert(step, functions);
            }
            looked_at += 1;
        }
        code.name_symbols();
        code.last = code.place(0);
        let exit = code.threads[0].exit;
        code.step(exit, code.last, Operation::Skip, Span::NONE, Origin::Internal);
        Ok(code)
    }

    /// Notes the symbols of all variables.
    fn name_symbols(&mut self) {
        let builder = &self.builder;
        let symbol = |(id, variable): (VarId, &Variable)| {
            let leaf = if variable.register_width().is_some() { builder.read(id) } else { builder.address_of(id) };
            (builder.terms.node(leaf).symbol(), id)
        };
        self.symbols = builder.variables.iter_ids().map(symbol).collect();
    }

    pub(super) fn variable_of(&self, symbol: SymbolId) -> Option<VarId> {
        self.symbols.get(&symbol).copied()
    }

    pub(super) fn place(&mut self, thread: usize) -> Place {
        self.places.push(CodePlace { thread, target: None, outgoing: vec![], incoming: vec![] });
        self.places.len() - 1
    }

    pub(super) fn step(&mut self, source: Place, target: Place, operation: Operation, span: Span, origin: Origin) -> StepId {
        let id = self.steps.len();
        self.steps.push(CodeStep { source, target, operation, span, origin });
        self.places[source].outgoing.push(id);
        self.places[target].incoming.push(id);
        id
    }

    /// A step that leads to a place of its own.
    pub(super) fn then(&mut self, source: Place, operation: Operation, span: Span) -> Place {
        let next = self.place(self.places[source].thread);
        self.step(source, next, operation, span, Origin::Internal);
        next
    }

    /// The steps out of a place begin at another one.
    pub(super) fn move_outgoing(&mut self, from: Place, to: Place) {
        let outgoing = std::mem::take(&mut self.places[from].outgoing);
        for &step in &outgoing {
            self.steps[step].source = to;
        }
        self.places[to].outgoing.extend(outgoing);
    }

    /// A step leads to a place of its own from now on.
    pub(super) fn detach(&mut self, id: StepId) -> Place {
        let (source, target) = (self.steps[id].source, self.steps[id].target);
        let middle = self.place(self.places[source].thread);
        self.places[target].incoming.retain(|&step| step != id);
        self.steps[id].target = middle;
        self.places[middle].incoming.push(id);
        middle
    }

    /// A program that does nothing, with the same lines in its ledger: nothing is left to be asked.
    pub(super) fn without_races(self, program: &Program) -> Program {
        let mut builder = Builder::of(program);
        builder.assumptions = self.builder.assumptions;
        let (entry, exit) = (builder.functions[self.entry].entry, builder.functions[self.entry].exit);
        for location in [entry, exit] {
            builder.locations[location].outgoing.clear();
            builder.locations[location].incoming.clear();
        }
        let start = builder.location(self.entry);
        builder.edge(start, exit, Operation::Skip, Span::NONE, Origin::Internal);
        builder.functions[self.entry].entry = start;
        builder.finish(self.entry)
    }

    /// The program of all code.
    pub(super) fn finish(mut self) -> Program {
        let entry = self.entry;
        let mut locations = vec![];
        for (place, info) in self.places.iter().enumerate() {
            let exit = self.builder.functions[entry].exit;
            let location = if place == self.last { exit } else { self.builder.location(entry) };
            if place != self.last {
                self.builder.locations[location].target = info.target;
            }
            locations.push(location);
        }
        let exit = self.builder.functions[entry].exit;
        for edge in std::mem::take(&mut self.builder.locations[exit].incoming) {
            // What led to the end before is no part of the program any more.
            let aside = self.builder.location(entry);
            self.builder.edges[edge].target = aside;
            self.builder.locations[aside].incoming.push(edge);
        }
        for step in self.steps {
            self.builder.edge(locations[step.source], locations[step.target], step.operation, step.span, step.origin);
        }
        self.builder.functions[entry].entry = locations[self.threads[0].entry];
        self.builder.finish(entry)
    }

    pub(super) fn pool(&self, function: FunctionId) -> &[usize] {
        self.pools.iter().find(|(of, _)| *of == function).map_or(&[], |(_, threads)| threads)
    }

    fn add_thread(&mut self, program: &Program, function: FunctionId, thread_local: &[VarId]) -> Result<(), TooLarge> {
        let thread = self.threads.len();
        let (entry, exit) = (self.place(thread), self.place(thread));
        let mut copies: FastMap<VarId, VarId> = FastMap::default();
        if thread > 0 {
            for &variable in thread_local {
                let info = program.variables[variable].clone();
                let copy = self.builder.variable(&info.source_name, Scope::Global, info.role, info.storage, info.ctype, info.span);
                self.builder.variables[copy].initial = info.initial;
                copies.insert(variable, copy);
            }
            match self.pools.iter_mut().find(|(of, _)| *of == function) {
                Some((_, threads)) => threads.push(thread),
                None => self.pools.push((function, vec![thread])),
            }
        }
        self.threads.push(Thread { function, entry, exit, parameter: None, result: None, objects: vec![] });
        let mut pending = vec![Pending {
            callee: function,
            from: entry,
            to: exit,
            stack: vec![],
            result: None,
            arguments: vec![],
            span: Span::NONE,
            origin: Origin::Internal,
        }];
        while let Some(call) = pending.pop() {
            self.copy(program, thread, call, &copies, &mut pending);
            if self.steps.len() > MOST_STEPS {
                return Err(TooLarge(format!("threads with more than {MOST_STEPS} steps")));
            }
        }
        Ok(())
    }

    /// Copies the body of a function for a call.
    fn copy(&mut self, program: &Program, thread: usize, call: Pending, globals: &FastMap<VarId, VarId>, pending: &mut Vec<Pending>) {
        let Pending { callee, from, to, stack, result, arguments, span, origin } = call;
        let function = &program.functions[callee];
        if stack.iter().filter(|&&f| f == callee).count() >= RECURSION {
            let what = format!("in a program with threads, more than {RECURSION} activations of {} at once", function.name);
            self.step(from, to, Operation::Unsupported { what }, span, origin);
            return;
        }
        self.copied.insert(callee);
        let mut variables = globals.clone();
        let mut objects = vec![];
        for &local in &function.locals {
            let info = program.variables[local].clone();
            let role = if info.source_name.is_empty() { Role::Temporary } else { Role::Source };
            let scope = Scope::Local(self.entry);
            let copy = self.builder.variable(&info.source_name, scope, role, info.storage, info.ctype, info.span);
            self.builder.variables[copy].exposed = info.exposed;
            if matches!(info.storage, Storage::Memory { .. }) {
                objects.push(copy);
            }
            variables.insert(local, copy);
        }
        self.threads[thread].objects.extend(&objects);
        self.arguments.extend(function.parameters.iter().map(|parameter| variables[parameter]));
        let mut memo: FastMap<Term, Term> = FastMap::default();
        let mut rename = |builder: &Builder, term: Term| {
            let mut leaf = |node: &Node| {
                let copy = variables.get(&program.variable_of(node.symbol())?)?;
                Some(if node.op == Op::Address { builder.address_of(*copy) } else { builder.read(*copy) })
            };
            builder.terms.substitute_with(term, &mut leaf, &mut memo)
        };
        // Into the function.
        let mut at = from;
        let mut first = Some(origin);
        for (&parameter, &argument) in function.parameters.iter().zip(&arguments) {
            let next = self.place(thread);
            let operation = Operation::Assign { target: variables[&parameter], value: argument };
            self.step(at, next, operation, span, first.take().unwrap_or(Origin::Internal));
            at = next;
        }
        let mut places: FastMap<LocationId, Place> = FastMap::default();
        let mut reached = vec![function.entry];
        let entry = self.place(thread);
        self.step(at, entry, Operation::Skip, span, first.take().unwrap_or(Origin::Internal));
        places.insert(function.entry, entry);
        self.places[entry].target = program.locations[function.entry].target;
        while let Some(location) = reached.pop() {
            let source = places[&location];
            for &edge in &program.locations[location].outgoing {
                let edge = &program.edges[edge];
                let target = match places.get(&edge.target) {
                    Some(&target) => target,
                    None => {
                        let target = self.place(thread);
                        self.places[target].target = program.locations[edge.target].target;
                        places.insert(edge.target, target);
                        reached.push(edge.target);
                        target
                    }
                };
                let mut operation = edge.operation.clone();
                operation.map_terms(&mut |term| rename(&self.builder, term));
                let origin = match edge.origin {
                    Origin::Operation { sign, left, right } => {
                        Origin::Operation { sign, left: rename(&self.builder, left), right: rename(&self.builder, right) }
                    }
                    Origin::Use { value } => Origin::Use { value: rename(&self.builder, value) },
                    origin => origin,
                };
                let renamed = |variable: &mut VarId| *variable = variables.get(variable).copied().unwrap_or(*variable);
                match &mut operation {
                    Operation::Assign { target, .. }
                    | Operation::Havoc { target, .. }
                    | Operation::Load { target, .. }
                    | Operation::Allocate { target, .. } => renamed(target),
                    Operation::Declare { object, .. } | Operation::EndLife { object } => renamed(object),
                    Operation::Call { result: Some(result), .. } => renamed(result),
                    Operation::Thread(
                        ThreadOperation::Spawn { target, .. }
                        | ThreadOperation::Join { target, .. }
                        | ThreadOperation::Current { target }
                        | ThreadOperation::TryAcquire { target, .. },
                    ) => renamed(target),
                    _ => {}
                }
                if let Operation::Allocate { zone: Zone::Stack, .. } = operation {
                    operation = Operation::Unsupported { what: "alloca in a program with threads".to_string() };
                }
                match operation {
                    Operation::Call { callee: inner, arguments, result } => {
                        let mut stack = stack.clone();
                        stack.push(callee);
                        pending.push(Pending {
                            callee: inner,
                            from: source,
                            to: target,
                            stack,
                            result,
                            arguments,
                            span: edge.span,
                            origin,
                        });
                    }
                    operation => {
                        self.step(source, target, operation, edge.span, origin);
                    }
                }
            }
        }
        // Out of it.
        let Some(&exit) = places.get(&function.exit) else { return };
        let mut at = exit;
        for object in objects {
            at = self.then(at, Operation::EndLife { object }, function.span);
        }
        let own = function.result.map(|result| variables[&result]);
        match (result, own) {
            (Some(target), Some(own)) => {
                let value = self.builder.read(own);
                self.step(at, to, Operation::Assign { target, value }, span, Origin::Internal);
            }
            _ => {
                self.step(at, to, Operation::Skip, span, Origin::Internal);
            }
        }
        if stack.is_empty() {
            self.threads[thread].parameter = function.parameters.first().map(|parameter| variables[parameter]);
            self.threads[thread].result = own;
        }
    }

    /// Puts addresses and constants in the place of arguments and temporaries that are only ever given one.
    fn constants(&mut self, places: std::ops::Range<Place>) {
        for _ in 0..12 {
            let mut writes: FastMap<VarId, Option<Term>> = FastMap::default();
            let steps: Vec<StepId> = places.clone().flat_map(|place| self.places[place].outgoing.clone()).collect();
            for &step in &steps {
                let operation = &self.steps[step].operation;
                let Some(written) = operation.written_register() else { continue };
                let value = match operation {
                    Operation::Assign { value, .. } => Some(*value).filter(|&value| self.builder.terms.free_symbols(value).is_empty()),
                    _ => None,
                };
                let entry = writes.entry(written).or_insert(value);
                if *entry != value {
                    *entry = None;
                }
            }
            let is_fixed = |variable: VarId| self.arguments.contains(&variable) || self.builder.variables[variable].role == Role::Temporary;
            let parameters: FastSet<VarId> = self.threads.iter().filter_map(|thread| thread.parameter).collect();
            writes.retain(|&variable, value| value.is_some() && is_fixed(variable) && !parameters.contains(&variable));
            let values: FastMap<assay_term::SymbolId, Term> = writes
                .into_iter()
                .filter_map(|(variable, value)| {
                    let read = self.builder.terms.node(self.builder.read(variable)).symbol();
                    Some((read, value?))
                })
                .collect();
            let mut memo: FastMap<Term, Term> = FastMap::default();
            let mut changed = false;
            for step in steps {
                let mut operation = std::mem::replace(&mut self.steps[step].operation, Operation::Skip);
                operation.map_terms(&mut |term| {
                    let mut leaf = |node: &Node| (node.op == Op::Symbol).then(|| values.get(&node.symbol()).copied()).flatten();
                    let new = self.builder.terms.substitute_with(term, &mut leaf, &mut memo);
                    changed |= new != term;
                    new
                });
                self.steps[step].operation = operation;
            }
            if !changed {
                break;
            }
        }
    }

    /// The functions in which a new thread may begin.
    fn start_functions(&self, program: &Program, step: StepId) -> Vec<FunctionId> {
        let Operation::Thread(ThreadOperation::Spawn { start, .. }) = self.steps[step].operation else { return vec![] };
        let is_start = |function: FunctionId| program.functions[function].parameters.len() <= 1;
        let terms = &self.builder.terms;
        let named = |term: Term| {
            let node = terms.node(term);
            (node.op == Op::Address).then(|| program.functions.ids().find(|&f| program.functions[f].symbol == node.symbol())).flatten()
        };
        if let Some(function) = named(start) {
            return vec![function];
        }
        let mut taken = self.addressed(program);
        taken.retain(|&function| is_start(function));
        taken
    }

    /// The functions whose address something takes.
    fn addressed(&self, program: &Program) -> Vec<FunctionId> {
        let terms = &self.builder.terms;
        let named = |term: Term| {
            let node = terms.node(term);
            (node.op == Op::Address).then(|| program.functions.ids().find(|&f| program.functions[f].symbol == node.symbol())).flatten()
        };
        let mut taken: Vec<FunctionId> = vec![];
        let mut look = |term: Term| {
            terms.post_order([term], |inner, _| taken.extend(named(inner)));
        };
        program.edges.iter().for_each(|edge| edge.operation.terms().into_iter().for_each(&mut look));
        program.variables.iter().for_each(|variable| variable.initial.iter().for_each(|&(_, value)| look(value)));
        taken.sort_unstable_by_key(|function| function.index());
        taken.dedup();
        taken
    }

    /// A function without a body may call functions of the program whose addresses it can get at, in any thread.
    pub(super) fn note_callbacks(&mut self, program: &Program) {
        let starts: FastSet<FunctionId> = self.pools.iter().map(|(function, _)| *function).collect();
        // A function that nothing calls is there because something takes its address.
        let uncalled = program.functions.ids().filter(|function| !self.copied.contains(function));
        let given = self.addressed(program).into_iter().chain(uncalled).find(|function| !starts.contains(function));
        let outside = program.assumptions.iter().find(|line| line.fact.function_without_body().is_some());
        if let (Some(given), Some(line)) = (given, outside) {
            let name = &program.functions[given].name;
            let text = format!("{name}, whose address is taken, may be called by functions without a body in any thread");
            self.builder.note(AssumptionClass::Under, line.span, text);
        }
    }

    /// The places from which a place can be reached again, as the component of a place in the graph of its thread.
    pub(super) fn cycle_of(&self, place: Place) -> FastSet<Place> {
        self.reach(place, true).intersection(&self.reach(place, false)).copied().collect()
    }

    /// The places that a place leads to, or from which it can be reached.
    fn reach(&self, place: Place, forward: bool) -> FastSet<Place> {
        let mut seen: FastSet<Place> = FastSet::default();
        let mut work = vec![place];
        while let Some(at) = work.pop() {
            let next = if forward { &self.places[at].outgoing } else { &self.places[at].incoming };
            for &step in next {
                let step = &self.steps[step];
                let next = if forward { step.target } else { step.source };
                if seen.insert(next) {
                    work.push(next);
                }
            }
        }
        seen
    }

    /// How many times a step can be taken, as far as that is plain to see.
    fn times(&self, step: StepId) -> Option<usize> {
        let cycle = self.cycle_of(self.steps[step].source);
        if cycle.is_empty() {
            return Some(1);
        }
        // What is written later does not matter.
        let before = self.reach(self.steps[step].source, false);
        let terms = &self.builder.terms;
        // A counter that steps by one up to a constant, in one loop.
        for &place in &cycle {
            for &edge in &self.places[place].outgoing {
                let Operation::Assume { condition } = self.steps[edge].operation else { continue };
                if !cycle.contains(&self.steps[edge].target) {
                    continue;
                }
                let node = terms.node(condition);
                if !matches!(node.op, Op::SignedLess | Op::UnsignedLess) {
                    continue;
                }
                let (counter, bound) = (terms.node(node.operand(0)), terms.as_constant(node.operand(1)));
                let (Op::Symbol, Some(bound)) = (counter.op, bound) else { continue };
                let read = node.operand(0);
                let (mut begin, mut good, mut stepped) = (None, true, 0);
                for (index, other) in self.steps.iter().enumerate().filter(|(_, other)| before.contains(&other.source)) {
                    let Some(written) = other.operation.written_register() else { continue };
                    if self.builder.variables[written].register_width().is_none() || self.builder.read(written) != read {
                        continue;
                    }
                    let inside = cycle.contains(&self.steps[index].source);
                    match other.operation {
                        Operation::Assign { value, .. } if !inside => match (terms.as_constant(value), begin) {
                            (Some(value), None) => begin = Some(value),
                            _ => good = false,
                        },
                        Operation::Assign { value, .. } if value == terms.add(read, terms.number(terms.width(read), 1)) => stepped += 1,
                        Operation::Havoc { .. } if !inside => {}
                        _ => good = false,
                    }
                }
                if let (true, 1, Some(begin)) = (good, stepped, begin)
                    && bound.value() > begin.value()
                    && bound.value() - begin.value() <= COUNTED_THREADS as u128
                {
                    return Some((bound.value() - begin.value()) as usize);
                }
            }
        }
        None
    }

    /// Whether a condition is asked that may fail on every successor, or nothing leads on at all.
    pub(super) fn may_halt(&self, place: Place) -> bool {
        let terms = &self.builder.terms;
        let conditions: Vec<Term> = self.places[place]
            .outgoing
            .iter()
            .filter_map(|&step| match self.steps[step].operation {
                Operation::Assume { condition } => Some(condition),
                _ => None,
            })
            .collect();
        let is_test = |&step: &StepId| matches!(self.steps[step].operation, Operation::Assume { .. } | Operation::AssumeMemory { .. });
        let outgoing = &self.places[place].outgoing;
        match outgoing.len() {
            0 => self.places[place].target.is_none(),
            1 => is_test(&outgoing[0]),
            2 if conditions.len() == 2 => terms.not(conditions[0]) != conditions[1],
            _ => false,
        }
    }
}
