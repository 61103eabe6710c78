//! Random programs with functions, loops, branches, inputs and assertions, from a seed.

use crate::programs::Make;
use assay_base::hash::mix;
use assay_cfa::{FunctionId, LocationId, Operation, Program, Role, Scope, Storage, VarId};

pub(crate) struct Random {
    state: u64,
    m: Make,
    functions: Vec<FunctionId>,
    globals: Vec<VarId>,
}

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.state = mix(self.state.wrapping_add(0x9E37_79B9_7F4A_7C15));
        self.state % bound
    }
    fn pick(&mut self, variables: &[VarId]) -> VarId {
        let index = self.below(variables.len() as u64) as usize;
        variables[index]
    }

    /// A program of some functions, each of which calls only those before it (unless `recursive`).
    pub(crate) fn program(seed: u64, recursive: bool) -> Program {
        let mut random = Random { state: mix(seed ^ 0xABCD), m: Make::new(), functions: vec![], globals: vec![] };
        for index in 0..3 {
            let name = format!("g{index}");
            let int = assay_cfa::CType::Integer { width: 32, signed: true, name: "int" };
            let storage = Storage::Register { width: 32 };
            let global = random.m.builder.variable(&name, Scope::Global, Role::Source, storage, int, assay_base::Span::NONE);
            random.globals.push(global);
        }
        let count = 2 + random.below(3);
        for index in 0..count {
            random.function(&format!("f{index}"), recursive);
        }
        let main = *random.functions.last().expect("there is a function");
        random.m.finish(main)
    }

    fn function(&mut self, name: &str, recursive: bool) {
        let id = self.m.function(name);
        let parameter = self.m.parameter(id, "p");
        let result = self.m.result(id);
        let local = self.m.local(id, "x");
        if recursive {
            self.functions.push(id);
        }
        let mut variables = self.globals.clone();
        variables.extend([parameter, result, local]);
        let mut at = self.m.entry(id);
        for _ in 0..2 + self.below(3) {
            at = self.statement(id, at, &variables, 2);
        }
        if name != "f0" && self.below(2) == 0 {
            at = self.assertion(at, &variables);
        }
        let exit = self.m.exit(id);
        self.m.jump(at, exit);
        if !recursive {
            self.functions.push(id);
        }
    }

    fn assertion(&mut self, at: LocationId, variables: &[VarId]) -> LocationId {
        let (variable, value) = (self.pick(variables), self.below(12) as u32);
        // Only one side is an error, so that not every assertion fails.
        let condition = self.m.equals(variable, value);
        let (bad, good) = self.m.branch(at, condition);
        let function = self.m.builder.locations[at].function;
        let error = self.m.builder.target(function, assay_cfa::Target::UnreachCall);
        self.m.edge(bad, error, Operation::Skip);
        good
    }

    fn statement(&mut self, id: FunctionId, at: LocationId, variables: &[VarId], depth: u32) -> LocationId {
        let choice = if depth == 0 { self.below(5) } else { self.below(9) };
        match choice {
            0 | 1 => {
                let (target, value) = (self.pick(variables), self.below(4) as u32);
                let value = self.m.number(value);
                self.m.assign(at, target, value)
            }
            2 => {
                let (target, source, value) = (self.pick(variables), self.pick(variables), self.below(3) as u32);
                let value = self.m.add(source, value);
                self.m.assign(at, target, value)
            }
            3 if self.below(3) == 0 => {
                let target = self.pick(variables);
                self.m.havoc(at, target)
            }
            3 | 4 => self.call(at, variables),
            5 | 6 => {
                let (variable, value) = (self.pick(variables), self.below(4) as u32);
                let condition = self.m.less(variable, value);
                let (left, right) = self.m.branch(at, condition);
                let left = self.statement(id, left, variables, depth - 1);
                let right = self.statement(id, right, variables, depth - 1);
                let meet = self.m.builder.location(id);
                self.m.jump(left, meet);
                self.m.jump(right, meet);
                meet
            }
            _ => {
                // A counter of its own makes every loop end.
                let (counter, bound) = (self.m.local(id, "i"), 1 + self.below(4) as u32);
                let zero = self.m.number(0);
                let head = self.m.assign(at, counter, zero);
                let condition = self.m.less(counter, bound);
                let (body, after) = self.m.branch(head, condition);
                let end = self.statement(id, body, variables, depth - 1);
                let next = self.m.add(counter, 1);
                let end = self.m.assign(end, counter, next);
                self.m.jump(end, head);
                after
            }
        }
    }

    fn call(&mut self, at: LocationId, variables: &[VarId]) -> LocationId {
        if self.functions.is_empty() {
            return at;
        }
        let index = self.below(self.functions.len() as u64) as usize;
        let (callee, argument, result) = (self.functions[index], self.pick(variables), self.pick(variables));
        let argument = self.m.read(argument);
        self.m.call(at, callee, vec![argument], Some(result))
    }
}
