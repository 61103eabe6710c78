//! The one table of analysis options: key, default, help and parser. Configuration files, `--set` and the reference are made
//! from it.

use crate::config::{BamEngine, Config, DomainChoice};
use crate::path_check::PathCheckMode;
use assay_cpa::{Before, Order, PrecisionScope, Restart};
use assay_domains::value::{CheckAt, ConstraintPrecision, Coverage, DefiniteAssignments, InitialPrecision};
use assay_refine::{ForgetOrder, Preference};
use std::time::Duration;

/// One option.
pub struct OptionSpec {
    pub key: &'static str,
    pub default: &'static str,
    /// What values it takes, in words.
    pub values: &'static str,
    pub help: &'static str,
    /// Parses and sets; the error says what was expected.
    pub set: fn(&mut Config, &str) -> Result<(), String>,
}

/// The option of a key.
pub fn find(key: &str) -> Option<&'static OptionSpec> {
    OPTIONS.iter().find(|option| option.key == key)
}

fn choose<T: Copy>(value: &str, choices: &[(&str, T)]) -> Result<T, String> {
    choices.iter().find(|(name, _)| *name == value).map(|(_, choice)| *choice).ok_or_else(|| {
        let names: Vec<&str> = choices.iter().map(|(name, _)| *name).collect();
        format!("one of {}", names.join(", "))
    })
}

fn flag(value: &str) -> Result<bool, String> {
    choose(value, &[("true", true), ("false", false)])
}

fn number<T: std::str::FromStr>(value: &str) -> Result<T, String> {
    value.parse().map_err(|_| "a whole number".to_string())
}

fn percent(value: &str) -> Result<u64, String> {
    number::<u64>(value).ok().filter(|&percent| percent <= 100).ok_or_else(|| "a number up to 100".to_string())
}

fn seconds(value: &str) -> Result<Duration, String> {
    match value.trim_end_matches('s').parse::<f64>() {
        Ok(seconds) if seconds > 0.0 && seconds < 1e9 => Ok(Duration::from_secs_f64(seconds)),
        _ => Err("a number of seconds".to_string()),
    }
}

const BEFORE: &[(&str, Before)] =
    &[("ignore", Before::Ignore), ("deeper-first", Before::DeeperFirst), ("shallower-first", Before::ShallowerFirst)];

pub const OPTIONS: &[OptionSpec] = &[
    OptionSpec {
        key: "domain",
        default: "value",
        values: "value, symbolic, interval, bdd, induction, bounded, concrete",
        help: "What abstract states are made of: constants and addresses, terms over inputs with constraints, bounds of registers, \
               decision diagrams of registers used as truth values, terms with loops cut by induction, or nothing: the program \
               unrolled to a bound as one formula (`bounded`), or runs with inputs by chance (`concrete`).",
        set: |c, v| {
            let choices = [
                ("value", DomainChoice::Value),
                ("symbolic", DomainChoice::Symbolic),
                ("interval", DomainChoice::Interval),
                ("bdd", DomainChoice::Bdd),
                ("induction", DomainChoice::Induction),
                ("bounded", DomainChoice::Bounded),
                ("concrete", DomainChoice::Concrete),
            ];
            choose(v, &choices).map(|x| c.domain = x)
        },
    },
    OptionSpec {
        key: "cegar",
        default: "false",
        values: "true, false",
        help: "Begin with a coarse precision and refine it by counterexamples.",
        set: |c, v| flag(v).map(|x| c.cegar = x),
    },
    OptionSpec {
        key: "bam",
        default: "false",
        values: "true, false",
        help: "Block-abstraction memoization: explore functions and loops once for each way in which they are entered; with \
               --threads, several at a time.",
        set: |c, v| flag(v).map(|x| c.bam = x),
    },
    OptionSpec {
        key: "blocks",
        default: "both",
        values: "functions, loops, both",
        help: "Which parts of the program memoization takes as blocks.",
        set: |c, v| {
            let choices = [("functions", (true, false)), ("loops", (false, true)), ("both", (true, true))];
            choose(v, &choices).map(|(functions, loops)| {
                c.blocks.functions = functions;
                c.blocks.loops = loops;
            })
        },
    },
    OptionSpec {
        key: "block-size",
        default: "0",
        values: "a number",
        help: "Functions and loops with fewer locations than this are no blocks; recursive functions and the entry function are.",
        set: |c, v| number(v).map(|x| c.blocks.min_size = x),
    },
    OptionSpec {
        key: "block-calls",
        default: "0",
        values: "a number",
        help: "Functions that are called from fewer places than this are no blocks; recursive functions and the entry function are.",
        set: |c, v| number(v).map(|x| c.blocks.min_calls = x),
    },
    OptionSpec {
        key: "block-nesting",
        default: "nested",
        values: "nested, disjoint",
        help: "Whether blocks of one function may lie in each other, or only the outermost are taken.",
        set: |c, v| choose(v, &[("nested", true), ("disjoint", false)]).map(|x| c.blocks.nested = x),
    },
    OptionSpec {
        key: "reduction",
        default: "real",
        values: "real, identity",
        help: "Whether states are cut to what a block can touch; identity keeps everything (but frames below), for comparison.",
        set: |c, v| choose(v, &[("real", true), ("identity", false)]).map(|x| c.reduction = x),
    },
    OptionSpec {
        key: "engine",
        default: "auto",
        values: "auto, sequential, parallel",
        help: "Which algorithm of memoization runs: with auto the parallel one, if there is more than one thread.",
        set: |c, v| {
            let choices = [("auto", BamEngine::Auto), ("sequential", BamEngine::Sequential), ("parallel", BamEngine::Parallel)];
            choose(v, &choices).map(|x| c.engine = x)
        },
    },
    OptionSpec {
        key: "cache",
        default: "",
        values: "a folder",
        help: "Where summaries of memoization are kept from one run to the next; empty for nowhere.",
        set: |c, v| {
            c.cache = (!v.is_empty()).then(|| v.to_string());
            Ok(())
        },
    },
    OptionSpec {
        key: "cache-size",
        default: "1000",
        values: "megabytes",
        help: "How large that folder may become; the files that were not used for the longest time go first.",
        set: |c, v| number(v).map(|x| c.cache_megabytes = x),
    },
    OptionSpec {
        key: "drop-graphs",
        default: "40",
        values: "a number up to 100",
        help: "With more of the memory limit in use than this, in percent, memoization checks the graphs of finished blocks at once and \
               drops them; where a path through one is needed, it is explored again.",
        set: |c, v| percent(v).map(|x| c.drop_graphs_at = x),
    },
    OptionSpec {
        key: "spill",
        default: "55",
        values: "a number up to 100",
        help: "With more of the memory limit in use than this, in percent, memoization moves summaries whose graphs were dropped to a \
               file without a name, in the folder of the cache or in that for temporary files, and reads them back when they are asked for.",
        set: |c, v| percent(v).map(|x| c.spill_at = x),
    },
    OptionSpec {
        key: "trace-jobs",
        default: "",
        values: "a file name",
        help: "Where the timeline of memoization's jobs is written, in the Chrome trace format; empty for nowhere.",
        set: |c, v| {
            c.trace_jobs = (!v.is_empty()).then(|| v.to_string());
            Ok(())
        },
    },
    OptionSpec {
        key: "order",
        default: "dfs",
        values: "bfs, dfs, reverse-postorder, distance, random, random-path, coverage, most-abstract",
        help: "Which state is explored next: `distance` takes what is nearest to the error, `random-path` walks down the tree of paths by the \
               toss of a coin, `coverage` takes what is nearest to a branch that no state has taken yet.",
        set: |c, v| {
            let choices = [
                ("bfs", Order::Bfs),
                ("dfs", Order::Dfs),
                ("reverse-postorder", Order::ReversePostorder),
                ("distance", Order::DistanceToError),
                ("random", Order::Random { seed: 0 }),
                ("random-path", Order::RandomPath { seed: 0 }),
                ("coverage", Order::Coverage),
                ("most-abstract", Order::MostAbstract),
            ];
            choose(v, &choices).map(|x| c.order.base = x)
        },
    },
    OptionSpec {
        key: "order-calls",
        default: "shallower-in-recursion",
        values: "ignore, deeper-first, shallower-first, shallower-in-recursion",
        help: "Whether the depth of the call stack outweighs the order. `shallower-in-recursion`: in value analysis and symbolic execution of programs \
               with recursion, which depth-first search may never leave.",
        set: |c, v| {
            let mut choices: Vec<_> = BEFORE.iter().map(|&(name, before)| (name, (before, false))).collect();
            choices.push(("shallower-in-recursion", (Before::Ignore, true)));
            choose(v, &choices).map(|x| (c.order.calls, c.shallow_recursion) = x)
        },
    },
    OptionSpec {
        key: "order-loops",
        default: "ignore",
        values: "ignore, deeper-first, shallower-first",
        help: "Whether the depth of loops outweighs the order.",
        set: |c, v| choose(v, BEFORE).map(|x| c.order.loops = x),
    },
    OptionSpec {
        key: "restart",
        default: "pivot",
        values: "root, pivot, common-ancestor",
        help: "Where exploration goes on after a refinement.",
        set: |c, v| {
            let choices = [("root", Restart::Root), ("pivot", Restart::Pivot), ("common-ancestor", Restart::CommonAncestor)];
            choose(v, &choices).map(|x| c.restart = x)
        },
    },
    OptionSpec {
        key: "patience",
        default: "0",
        values: "a number",
        help: "After so many states without a verdict, refinement gives way to an exploration that tracks everything; 0 for never. (It also \
               does where a refinement brings nothing new.)",
        set: |c, v| number::<u64>(v).map(|x| c.patience = (x > 0).then_some(x)),
    },
    OptionSpec {
        key: "precision-scope",
        default: "global",
        values: "location, function, global",
        help: "How far something that refinement found is tracked.",
        set: |c, v| {
            let choices =
                [("location", PrecisionScope::Location), ("function", PrecisionScope::Function), ("global", PrecisionScope::Global)];
            choose(v, &choices).map(|x| c.scope = x)
        },
    },
    OptionSpec {
        key: "initial-precision",
        default: "everything",
        values: "everything, nothing, assumptions",
        help: "What is tracked before the first refinement.",
        set: |c, v| {
            let choices = [
                ("everything", InitialPrecision::Everything),
                ("nothing", InitialPrecision::Nothing),
                ("assumptions", InitialPrecision::Assumptions),
            ];
            choose(v, &choices).map(|x| c.initial = x)
        },
    },
    OptionSpec {
        key: "prefix-preference",
        default: "none",
        values: "none, random, length-short, length-long, and domain-good, domain-good-narrow, assignments-fewest, assignments-most, \
                 assumptions-fewest, assumptions-most, pivot-shallow, pivot-deep, width-narrow, width-wide, each followed by -short or -long",
        help: "Which infeasible sliced prefix of a path is refined with.",
        set: |c, v| Preference::parse(v).map(|x| c.preference = x).ok_or_else(|| format!("one of {}", Preference::names().join(", "))),
    },
    OptionSpec {
        key: "max-prefixes",
        default: "16",
        values: "a number",
        help: "How many sliced prefixes are looked at.",
        set: |c, v| number(v).map(|x| c.max_prefixes = x),
    },
    OptionSpec {
        key: "interpolation",
        default: "constraints-first",
        values: "constraints-first, values-first, values-only",
        help: "What interpolation tries to forget first.",
        set: |c, v| {
            let choices = [
                ("constraints-first", ForgetOrder::ConstraintsFirst),
                ("values-first", ForgetOrder::ValuesFirst),
                ("values-only", ForgetOrder::ValuesOnly),
            ];
            choose(v, &choices).map(|x| c.forget_order = x)
        },
    },
    OptionSpec {
        key: "delegate-to-values",
        default: "false",
        values: "true, false",
        help: "Refine with values alone where they refute the path, and with constraints only elsewhere.",
        set: |c, v| flag(v).map(|x| c.delegate = x),
    },
    OptionSpec {
        key: "check-at",
        default: "assumes",
        values: "assumes, targets",
        help: "When satisfiability of a symbolic path is checked.",
        set: |c, v| choose(v, &[("assumes", CheckAt::Assumes), ("targets", CheckAt::Targets)]).map(|x| c.check_at = x),
    },
    OptionSpec {
        key: "coverage",
        default: "subset",
        values: "subset, implication, renamed, aliased",
        help: "When a symbolic state with weaker constraints covers another one: fewer of the same, implied by them as the solver says, \
               or fewer of the same up to the names of symbols (`renamed`: one substitution for values and constraints together). \
               `aliased` renames values and constraints independently, which is not sound: it is an experiment and forbids the verdict true.",
        set: |c, v| {
            let choices = [
                ("subset", Coverage::Subset),
                ("implication", Coverage::Implication),
                ("renamed", Coverage::Renamed),
                ("aliased", Coverage::Aliased),
            ];
            choose(v, &choices).map(|x| c.coverage = x)
        },
    },
    OptionSpec {
        key: "merge",
        default: "sep",
        values: "sep, constraints",
        help: "Whether symbolic states are merged where one has a condition and the other its negation, and they agree otherwise. Merging \
               does not go with `cegar`.",
        set: |c, v| choose(v, &[("sep", false), ("constraints", true)]).map(|x| c.merge_constraints = x),
    },
    OptionSpec {
        key: "constraint-precision",
        default: "constraint",
        values: "constraint, location, variables",
        help: "What refinement of symbolic execution tracks for a constraint that it needs: the constraints of that assumption, all that \
               arise at its place, or all over variables of such assumptions.",
        set: |c, v| {
            let choices = [
                ("constraint", ConstraintPrecision::Constraint),
                ("location", ConstraintPrecision::Location),
                ("variables", ConstraintPrecision::Variables),
            ];
            choose(v, &choices).map(|x| c.constraint_precision = x)
        },
    },
    OptionSpec {
        key: "definite-assignments",
        default: "equations",
        values: "never, equations, model",
        help: "Which symbols are replaced by the one value that the constraints leave them: none, those with an equation, or all \
               for which the solver finds that the value in its model is the only one.",
        set: |c, v| {
            let choices = [
                ("never", DefiniteAssignments::Never),
                ("equations", DefiniteAssignments::Equations),
                ("model", DefiniteAssignments::Model),
            ];
            choose(v, &choices).map(|x| c.definite = x)
        },
    },
    OptionSpec {
        key: "simplify-constraints",
        default: "false",
        values: "true, false",
        help: "Leave out bounds that other constraints imply, and end paths whose bounds contradict each other without a solver.",
        set: |c, v| flag(v).map(|x| c.simplify_constraints = x),
    },
    OptionSpec {
        key: "forget-independent",
        default: "false",
        values: "true, false",
        help: "At loop heads, forget symbolic values that can be anything whatever the rest of the state is: those computed without loss \
               from an input that nothing else mentions.",
        set: |c, v| flag(v).map(|x| c.forget_independent = x),
    },
    OptionSpec {
        key: "symbolic-memory",
        default: "everything",
        values: "everything, scalars",
        help: "Where memory holds symbolic values: everywhere, or not in arrays and structs, whose elements and members are then any value \
               each time that they are read. Constants and addresses in them are followed in both cases.",
        set: |c, v| choose(v, &[("everything", true), ("scalars", false)]).map(|x| c.symbolic_parts = x),
    },
    OptionSpec {
        key: "watch-cells",
        default: "0",
        values: "a number up to 3",
        help: "Prove the program in which each array is one cell at any offset (then two, and so on up to this number): for properties \
               that hold for every element. No violations are found; 0 for the program as it is.",
        set: |c, v| match number::<u32>(v)? {
            cells if cells <= 3 => {
                c.watch_cells = cells;
                Ok(())
            }
            _ => Err("a number up to 3".to_string()),
        },
    },
    OptionSpec {
        key: "cut-recursion",
        default: "false",
        values: "true, false",
        help: "Prove programs with recursion by induction over the depth of calls: a call may have any result and effect that what is \
               known to hold at the function's exit allows. Only with the domain `induction`; no violations are found.",
        set: |c, v| flag(v).map(|x| c.cut_recursion = x),
    },
    OptionSpec {
        key: "max-enum",
        default: "0",
        values: "a number",
        help: "Value analysis follows a register of unknown value with each value that an assumption or assignment leaves it, where these \
               are at most so many; where they are more, it stays unknown. 0 for never.",
        set: |c, v| number(v).map(|x| c.max_enum = x),
    },
    OptionSpec {
        key: "narrowing",
        default: "2",
        values: "a number",
        help: "How often interval analysis goes back over a finished graph that still holds targets, to win back what widening lost.",
        set: |c, v| number(v).map(|x| c.narrowing = x),
    },
    OptionSpec {
        key: "max-rounds",
        default: "50",
        values: "a number",
        help: "How many rounds of a loop induction unrolls at most; it begins with none and adds one where the proof fails.",
        set: |c, v| number(v).map(|x| c.max_rounds = x),
    },
    OptionSpec {
        key: "max-term-size",
        default: "20000",
        values: "a number up to 65000",
        help: "Symbolic values larger than this (as trees) are replaced by fresh ones.",
        set: |c, v| match number::<u32>(v)? {
            size if size <= 65_000 => {
                c.max_term_size = size;
                Ok(())
            }
            _ => Err("a number up to 65000".to_string()),
        },
    },
    OptionSpec {
        key: "solver-time",
        default: "5",
        values: "seconds",
        help: "Time for one satisfiability check during exploration; without an answer the path is kept.",
        set: |c, v| seconds(v).map(|x| c.solver_time = x),
    },
    OptionSpec {
        key: "path-time",
        default: "60",
        values: "seconds",
        help: "Time for the bit-precise check of one path to a target.",
        set: |c, v| seconds(v).map(|x| c.path_time = x),
    },
    OptionSpec {
        key: "max-bound",
        default: "4096",
        values: "a number",
        help: "For the domain `bounded`: the largest number of rounds to which loops are unrolled; the bound doubles up to it.",
        set: |c, v| match number::<u32>(v)? {
            0 => Err("a number of at least one".to_string()),
            bound => {
                c.max_bound = bound;
                Ok(())
            }
        },
    },
    OptionSpec {
        key: "induction",
        default: "false",
        values: "true, false",
        help: "For the domain `bounded`: prove loops by induction over as many rounds as the bound says.",
        set: |c, v| flag(v).map(|x| c.induction = x),
    },
    OptionSpec {
        key: "path-check",
        default: "either",
        values: "state, formula, either, both",
        help: "How a path to a target is looked at: by running it in the symbolic state, by its path formula, by the state with the \
               formula as a second source of inputs, or by both, of which a contradiction ends in unknown.",
        set: |c, v| {
            let choices = [
                ("state", PathCheckMode::State),
                ("formula", PathCheckMode::Formula),
                ("either", PathCheckMode::Either),
                ("both", PathCheckMode::Both),
            ];
            choose(v, &choices).map(|x| c.path_check = x)
        },
    },
    OptionSpec {
        key: "dump-queries",
        default: "",
        values: "a folder",
        help: "Where every query of a solver is written as an SMT-LIB script with its answer; empty for nowhere. \
               `assay solvers --replay` runs such a log through other solvers.",
        set: |c, v| {
            c.dump_queries = (!v.is_empty()).then(|| v.into());
            Ok(())
        },
    },
    OptionSpec {
        key: "call-depth",
        default: "10000",
        values: "a number",
        help: "Calls nested deeper than this are not followed, which forbids the verdict true.",
        set: |c, v| number(v).map(|x| c.call_depth = x),
    },
    OptionSpec {
        key: "seed",
        default: "1",
        values: "a number",
        help: "For everything that is random.",
        set: |c, v| number(v).map(|x| c.seed = x),
    },
];
