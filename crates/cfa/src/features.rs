//! The features of a program by which a portfolio chooses: plain numbers, as a table or as JSON.

use crate::classify::Classification;
use crate::operation::{Operation, ValueSourceKind};
use crate::program::{Program, Storage};
use crate::structure::{Structure, UNREACHABLE, accessed_object};
use crate::types::CType;
use assay_base::FastSet;
use assay_term::{Op, Term, Terms};

macro_rules! features {
    ($($(#[$meta:meta])* $name:ident,)*) => {
        /// Counts over the functions that calls from the entry can reach. Operators are counted as distinct terms.
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
        pub struct Features {
            $($(#[$meta])* pub $name: u64,)*
        }

        impl Features {
            /// All features by name, in a fixed order.
            pub fn rows(&self) -> Vec<(&'static str, u64)> {
                vec![$((stringify!($name), self.$name),)*]
            }
        }
    };
}

features! {
    /// `while` loops of the source.
    while_loops,
    /// `for` loops of the source.
    for_loops,
    /// `do` loops of the source.
    do_loops,
    /// `goto` statements of the source.
    gotos,
    /// `switch` statements of the source.
    switches,
    /// Loops of the automaton, natural and irreducible.
    loops,
    /// Loops with an entry beside their head.
    irreducible_loops,
    /// The depth of the innermost loop.
    loop_nesting,
    /// Loops with a register that steps by a constant and decides about the loop's end.
    loop_counters,
    /// Functions with a body.
    functions,
    /// Call edges.
    calls,
    /// Functions that can be active twice at once.
    recursive_functions,
    /// Locations of the automaton.
    locations,
    /// Edges of the automaton.
    edges,
    /// Conditions (two-way branches count twice, once for each path).
    assumes,
    /// Edges minus locations plus twice the functions.
    cyclomatic_complexity,
    /// Registers and memory objects.
    variables,
    /// Those that live as long as the program.
    global_variables,
    /// Registers that are used as truth values only.
    boolean_variables,
    /// Registers that are only copied and compared for equality.
    equality_variables,
    /// Registers that are compared by size or computed with.
    arithmetic_variables,
    /// Registers whose bits are computed with.
    bitwise_variables,
    /// Variables of a float type.
    float_variables,
    /// Variables of a pointer type.
    pointer_variables,
    /// Variables of an array type.
    array_variables,
    /// Structures and unions.
    record_variables,
    /// Places where an input is read.
    inputs,
    /// All places where a value is unconstrained.
    havocs,
    /// Additions.
    additions,
    /// Multiplications.
    multiplications,
    /// Multiplications of two unknowns, and divisions by unknowns.
    nonlinear_operations,
    /// Divisions and remainders.
    divisions,
    /// Bitwise operators and shifts.
    bit_operations,
    /// Operators on floats.
    float_operations,
    /// Edges that read memory.
    loads,
    /// Edges that write memory.
    stores,
    /// Loads and stores whose object is not plain to see.
    pointer_accesses,
    /// Edges that copy or fill memory.
    memory_copies,
    /// Edges that allocate memory.
    allocations,
    /// Edges that free memory.
    frees,
    /// Variables that are kept in memory.
    memory_objects,
    /// Uses of thread functions.
    threads,
    /// `asm` statements of the source.
    inline_assembly,
    /// Edges with a construct that is not modelled.
    unsupported,
    /// Locations that violate what is asked.
    targets,
    /// Edges from the entry to the nearest target; 0 where there is none.
    distance_to_target,
}

impl Features {
    /// Counts, in one walk over the program.
    pub fn of(structure: &Structure<'_>) -> Self {
        let program = structure.program;
        let (calls, loops, order) = (structure.calls(), structure.loops(), structure.order());
        let classes = Classification::of(structure);
        let count = |n: usize| n as u64;
        let syntax = program.syntax;
        let mut features = Features {
            while_loops: u64::from(syntax.while_loops),
            for_loops: u64::from(syntax.for_loops),
            do_loops: u64::from(syntax.do_loops),
            gotos: u64::from(syntax.gotos),
            switches: u64::from(syntax.switches),
            threads: u64::from(syntax.threads),
            inline_assembly: u64::from(syntax.inline_assembly),
            loop_counters: count(classes.count(|c| c.loop_counter)),
            boolean_variables: count(classes.count(|c| c.boolean)),
            equality_variables: count(classes.count(|c| c.equality_only && !c.boolean)),
            arithmetic_variables: count(classes.count(|c| c.arithmetic)),
            bitwise_variables: count(classes.count(|c| c.bitwise)),
            float_variables: count(classes.count(|c| c.float)),
            variables: count(classes.count(|c| c.used)),
            ..Features::default()
        };
        for (id, class) in classes.variables.iter_ids().filter(|(_, c)| c.used) {
            let variable = &program.variables[id];
            features.global_variables += u64::from(variable.is_global());
            features.memory_objects += u64::from(matches!(variable.storage, Storage::Memory { .. }));
            match variable.ctype {
                CType::Pointer => features.pointer_variables += 1,
                // A register whose type says what is allocated.
                CType::Array { .. } if variable.register_width().is_some() => features.pointer_variables += 1,
                CType::Array { .. } => features.array_variables += 1,
                CType::Record { .. } => features.record_variables += 1,
                CType::Float { .. } if !class.float => features.float_variables += 1,
                _ => {}
            }
        }
        for found in loops.loops.iter().filter(|l| calls.reached[l.function]) {
            features.loops += 1;
            features.irreducible_loops += u64::from(found.irreducible);
            features.loop_nesting = features.loop_nesting.max(u64::from(found.depth));
        }
        for function in program.functions.ids().filter(|&f| calls.reached[f]) {
            features.functions += 1;
            features.recursive_functions += u64::from(calls.recursive[function]);
            features.locations += count(order.sequence[function].len());
        }
        features.operations(structure);
        features.cyclomatic_complexity = (features.edges + 2 * features.functions).saturating_sub(features.locations);
        let distance = structure.distances().to_target_inside[program.functions[program.entry].entry];
        features.distance_to_target = if distance == UNREACHABLE { 0 } else { u64::from(distance) };
        features
    }

    fn operations(&mut self, structure: &Structure<'_>) {
        let program = structure.program;
        let (calls, order) = (structure.calls(), structure.order());
        let terms = Terms::overlay(program.terms.clone());
        let mut seen: FastSet<Term> = FastSet::default();
        let is_reached = |location| calls.reached[program.locations[location].function] && order.is_reached(location);
        self.targets = program.targets().filter(|&(location, _)| is_reached(location)).count() as u64;
        for edge in program.edges.iter().filter(|e| is_reached(e.source)) {
            self.edges += 1;
            for term in edge.operation.terms() {
                self.term(&terms, term, &mut seen);
            }
            match &edge.operation {
                Operation::Assume { .. } => self.assumes += 1,
                Operation::Havoc { source, .. } | Operation::HavocMemory { source, .. } => {
                    self.havocs += 1;
                    self.inputs += u64::from(program.value_sources[*source].kind == ValueSourceKind::Input);
                }
                Operation::Load { address, .. } => {
                    self.loads += 1;
                    self.pointer_access(program, &terms, *address);
                }
                Operation::Store { address, .. } => {
                    self.stores += 1;
                    self.pointer_access(program, &terms, *address);
                }
                Operation::Copy { .. } | Operation::Fill { .. } => self.memory_copies += 1,
                Operation::Allocate { .. } => self.allocations += 1,
                Operation::Free { .. } => self.frees += 1,
                Operation::Call { .. } => self.calls += 1,
                Operation::Unsupported { .. } => self.unsupported += 1,
                _ => {}
            }
        }
    }

    fn pointer_access(&mut self, program: &Program, terms: &Terms, address: Term) {
        self.pointer_accesses += u64::from(accessed_object(program, terms, address).is_none());
    }

    fn term(&mut self, terms: &Terms, root: Term, seen: &mut FastSet<Term>) {
        let mut stack = vec![root];
        while let Some(term) = stack.pop() {
            if !seen.insert(term) {
                continue;
            }
            let node = terms.node(term);
            let children = terms.children(&node);
            let constants = children.iter().filter(|&&c| terms.as_constant(c).is_some()).count();
            match node.op {
                Op::Add => self.additions += 1,
                Op::Mul => {
                    self.multiplications += 1;
                    self.nonlinear_operations += u64::from(constants == 0);
                }
                Op::UnsignedDiv | Op::SignedDiv | Op::UnsignedRem | Op::SignedRem => {
                    self.divisions += 1;
                    self.nonlinear_operations += u64::from(terms.as_constant(children[1]).is_none());
                }
                Op::And | Op::Or | Op::Xor | Op::Not if node.width() > 1 => self.bit_operations += 1,
                Op::ShiftLeft | Op::ShiftRight | Op::ShiftRightSigned => self.bit_operations += 1,
                op if op.is_float() => self.float_operations += 1,
                _ => {}
            }
            stack.extend(children);
        }
    }

    /// Two columns, names with spaces, numbers to the right.
    pub fn table(&self) -> String {
        let rows = self.rows();
        let name = rows.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
        let number = rows.iter().map(|(_, n)| n.to_string().len()).max().unwrap_or(0);
        rows.iter().map(|(title, n)| format!("{:<name$}  {n:>number$}\n", title.replace('_', " "))).collect()
    }

    /// One object with the names of the fields.
    pub fn json(&self) -> serde_json::Value {
        serde_json::Value::Object(self.rows().into_iter().map(|(name, n)| (name.to_string(), n.into())).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::read;

    #[test]
    fn features_are_counted() {
        let program = read(
            "program LP64 main
syntax while 1 goto 2
source n0 input \"nondet\" 0:0:0
global g (memory 40 4) (array (int 32 signed \"int\") 10) source \"g\"
global p (register 64) pointer source \"p\"
function main entry L0 exit L1
  local main::i (register 32) (int 32 signed \"int\") source \"i\"
  local main::x (register 32) (int 32 signed \"int\") source \"x\"
  target L6 unreach-call
  L0 -> L2 havoc main::x n0
  L2 -> L3 assume (<s main::i 10:32)
  L2 -> L1 assume (~ (<s main::i 10:32))
  L3 -> L4 store (+ &g:64 (* 4:64 (sext 64 main::i))) (* main::x main::x)
  L4 -> L5 load main::x p
  L5 -> L2 assign main::i (+ main::i 1:32)
  L5 -> L6 assume (== (& main::x 3:32) 1:32)
  L5 -> L1 call main
end
function unused entry L7 exit L8
  L7 -> L8 free p
end
",
        )
        .expect("readable");
        let structure = Structure::new(&program);
        let features = Features::of(&structure);
        let expected = [
            ("while_loops", 1),
            ("gotos", 2),
            ("loops", 1),
            ("loop_nesting", 1),
            ("loop_counters", 1),
            ("functions", 1),
            ("calls", 1),
            ("recursive_functions", 1),
            ("locations", 7),
            ("edges", 8),
            ("assumes", 3),
            ("cyclomatic_complexity", 3),
            ("variables", 4),
            ("global_variables", 2),
            ("equality_variables", 1),
            ("arithmetic_variables", 3),
            ("bitwise_variables", 2),
            ("pointer_variables", 1),
            ("array_variables", 1),
            ("inputs", 1),
            ("havocs", 1),
            ("additions", 2),
            ("multiplications", 2),
            ("nonlinear_operations", 1),
            ("bit_operations", 1),
            ("loads", 1),
            ("stores", 1),
            ("pointer_accesses", 1),
            ("memory_objects", 1),
            ("targets", 1),
            ("distance_to_target", 5),
        ];
        let found: Vec<(&str, u64)> = features.rows().into_iter().filter(|(_, n)| *n > 0).collect();
        assert_eq!(found, expected);
        assert_eq!(features.json()["edges"], 8);
        assert!(features.table().starts_with("while loops            1\n"), "{}", features.table());
    }
}
