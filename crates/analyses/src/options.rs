//! The one table of analysis options. A line of it is the whole declaration: key, field of [`Config`], type, default,
//! what it takes, help. Configuration files, `--set`, defaults and the reference are made from it.

use crate::config::{AnalysisKind, BamEngine, BlockKinds, CallOrder};
use crate::domains::Domains;
use crate::passes;
use crate::path_check::PathCheckMode;
use crate::values::{Choices, FLAG, LONG, NUMBER, Name, Numbers, PERCENT, Parsed, Read, Seconds, Values};
use assay_cpa::{Before, Monitoring, Order, PrecisionScope, Restart};
use assay_domains::predicate::{AbstractionKind, BlockEnds, Splitting};
use assay_domains::value::{CheckAt, ConstraintPrecision, CoverageRule, DefiniteAssignments, InitialPrecision};
use assay_passes::Pass;
use assay_refine::{ForgetOrder, Preference, TraceOptions};
use assay_smt::{Listed, list_backends};
use std::time::Duration;

/// One option, as help, reference and parsers see it.
pub struct Setting {
    /// As in configuration files and after `--set`.
    pub key: &'static str,
    /// The heading that it stands under in the reference.
    pub group: &'static str,
    /// As text, parsed like any other value.
    pub default: &'static str,
    /// What values it takes, in words.
    pub values: fn() -> String,
    /// One sentence for help and reference.
    pub help: &'static str,
    /// Parses and sets; the error says what was expected.
    pub set: fn(&mut Config, &str) -> Result<(), String>,
}

/// The option of a key.
pub fn find(key: &str) -> Option<&'static Setting> {
    OPTIONS.iter().find(|option| option.key == key)
}

/// A value as wide as the field; wider ones do not fit what the table says it takes.
fn fit<T: TryInto<U>, U>(value: T) -> Result<U, String> {
    value.try_into().map_err(|_| "a smaller number".to_string())
}

macro_rules! options {
    ($($group:literal { $($key:literal $field:ident: $type:ty = $default:literal, $values:expr, $help:literal;)* })*) => {
        /// Everything that an analysis can be told.
        #[derive(Clone, Debug)]
        pub struct Config {
            /// The name of the preset, or of the file.
            pub name: String,
            $($(#[doc = $help] pub $field: $type,)*)*
        }

        impl Default for Config {
            fn default() -> Self {
                let wrong = "a test sets every option to its default";
                Config { name: String::new(), $($($field: $values.parse($default).and_then(fit).expect(wrong),)*)* }
            }
        }

        /// All options, in the order of the reference.
        pub const OPTIONS: &[Setting] = &[$($(Setting {
            key: $key,
            group: $group,
            default: $default,
            values: || $values.describe(),
            help: $help,
            set: |config, text| $values.parse(text).and_then(fit).map(|value| config.$field = value),
        },)*)*];
    };
}

const PREFERENCES: Parsed<Preference> = Parsed(
    "none, random, length-short, length-long, and domain-good, domain-good-narrow, assignments-fewest, assignments-most, \
     assumptions-fewest, assumptions-most, pivot-shallow, pivot-deep, width-narrow, width-wide, each followed by -short or -long",
    Preference::parse,
);

const REFINEMENTS: Parsed<Option<TraceOptions>> = Parsed(
    "testing, atoms, sequence, binary-forward, binary-backward, newton-sp, newton-wp (each of the two also with -core, -live or -core-live), \
     unsat-core",
    |name| if name == "testing" { Some(None) } else { TraceOptions::parse(name).map(Some) },
);

fn solver_names() -> String {
    "embedded, or another name that `assay solvers` finds".to_string()
}

/// The solver of this name, if it is there; nothing stands for the embedded one.
fn solver(name: &str) -> Option<Option<Listed>> {
    if name == "embedded" {
        return Some(None);
    }
    list_backends().into_iter().find(|listed| listed.name == name && listed.open().is_ok()).map(Some)
}

options! {
    "what is explored" {
        "analysis" analysis: AnalysisKind = "explore",
            Choices(&[
                ("explore", AnalysisKind::Explore),
                ("unroll", AnalysisKind::Unroll),
                ("run", AnalysisKind::Run),
                ("fuzz", AnalysisKind::Fuzz),
                ("termination", AnalysisKind::Termination),
            ]),
            "How the program is looked at: abstract states are explored, the program is unrolled to a growing bound as one formula (bounded \
             model checking), it is run with inputs by chance (random testing), or it is compiled and run with inputs that lead to something \
             new (coverage-guided fuzzing); for the property `termination`, ranking functions and executions that never end are looked for.";
        "domain" domain: Domains = "value", Read(Domains::describe, Domains::parse),
            "With `analysis = explore`: what abstract states are made of: constants and addresses (also with lists of any length), terms over \
             inputs with constraints, bounds of registers, decision diagrams of registers used as truth values, predicates at the ends of blocks, or terms with \
             loops cut by induction. Of a product, each domain knows what the others know of the register that a step writes, and a \
             step that one of them refutes is refuted.";
        "passes" passes: Vec<Pass> = "", Read(passes::describe, passes::parse),
            "What is done to the program before it is looked at, in this order, as `[\"constants\", \"large-block\"]` or `constants+large-block`. No pass \
             changes whether a violation can be reached; one that is found is replayed in the program as it was.";
        "watch-cells" watch_cells: u32 = "0", Numbers(0, 3),
            "Prove the program in which each array is one cell at any offset (then two, and so on up to this number): for properties \
             that hold for every element. No violations are found; 0 for the program as it is.";
        "cut-recursion" cut_recursion: bool = "false", FLAG,
            "Prove programs with recursion by induction over the depth of calls: a call may have any result and effect that what is \
             known to hold at the function's exit allows. Only with the domain `induction`; no violations are found.";
        "call-depth" call_depth: u32 = "10000", NUMBER,
            "Calls nested deeper than this are not followed, which forbids the verdict true.";
        "seed" seed: u64 = "1", LONG,
            "For everything that is random.";
    }
    "search" {
        "order" order: Order = "dfs", Choices(&[
                ("bfs", Order::Bfs),
                ("dfs", Order::Dfs),
                ("reverse-postorder", Order::ReversePostorder),
                ("youngest-part", Order::YoungestPart),
                ("distance", Order::DistanceToError),
                ("random", Order::Random { seed: 0 }),
                ("random-path", Order::RandomPath { seed: 0 }),
                ("coverage", Order::Coverage),
                ("most-abstract", Order::MostAbstract),
                ("alternating", Order::Alternating { stretch: 10_000 }),
            ]),
            "Which state is explored next: `youngest-part` goes on from the loop head that was reached last, and takes what comes first in the \
             program where there is a choice, `distance` takes what is nearest to the error, `random-path` walks down the tree of paths by the \
             toss of a coin, `coverage` takes what is nearest to a branch that no state has taken yet, \
             `alternating` takes the youngest for some time and then the oldest, in stretches that grow.";
        "order-calls" order_calls: CallOrder = "shallower-in-recursion", Choices(&[
                ("ignore", CallOrder::Always(Before::Ignore)),
                ("deeper-first", CallOrder::Always(Before::DeeperFirst)),
                ("shallower-first", CallOrder::Always(Before::ShallowerFirst)),
                ("shallower-in-recursion", CallOrder::ShallowerInRecursion),
            ]),
            "Whether the depth of the call stack outweighs the order. `shallower-in-recursion`: in value analysis, symbolic execution and predicate \
             analysis of programs with recursion, which these may never leave otherwise.";
        "order-loops" order_loops: Before = "ignore",
            Choices(&[("ignore", Before::Ignore), ("deeper-first", Before::DeeperFirst), ("shallower-first", Before::ShallowerFirst)]),
            "Whether the depth of loops outweighs the order.";
        "merge" merge_constraints: bool = "sep", Choices(&[("sep", false), ("constraints", true)]),
            "Whether symbolic states are merged where one has a condition and the other its negation, and they agree otherwise. Merging \
             does not go with refinement.";
    }
    "memoization" {
        "bam" bam: bool = "false", FLAG,
            "Block-abstraction memoization: explore functions and loops once for each way in which they are entered; with \
             --threads, several at a time.";
        "blocks" block_kinds: BlockKinds = "auto", Choices(&[
                ("auto", BlockKinds { functions: true, loops: true, adapts: true }),
                ("functions", BlockKinds { functions: true, loops: false, adapts: false }),
                ("loops", BlockKinds { functions: false, loops: true, adapts: false }),
                ("both", BlockKinds { functions: true, loops: true, adapts: false }),
            ]),
            "Which parts of the program memoization takes as blocks; `auto` begins with functions and loops and gives up those that cost \
             more than they save.";
        "block-size" block_size: u32 = "0", NUMBER,
            "Functions and loops with fewer locations than this are no blocks; recursive functions and the entry function are.";
        "block-inlining" inline_size: u32 = "12", NUMBER,
            "With `blocks = auto`, functions with fewer locations than this that neither loop nor call anything are no blocks: entering \
             and leaving one would cost as much as its few paths do.";
        "block-calls" block_calls: u32 = "0", NUMBER,
            "Functions that are called from fewer places than this are no blocks; recursive functions and the entry function are.";
        "block-parts" part_size: u32 = "50", NUMBER,
            "With `blocks = auto` and a cache, functions and loops with four times as many locations are cut into parts of at least this size, \
             where few variables are live, so that a change in one part leaves the summaries of the others; 0 for no parts.";
        "block-nesting" nested_blocks: bool = "nested", Choices(&[("nested", true), ("disjoint", false)]),
            "Whether blocks of one function may lie in each other, or only the outermost are taken.";
        "block-rules" rules_after: u64 = "64", LONG,
            "After so many summaries, value analysis and symbolic execution make rules of them: for which other entries a block takes the \
             same steps, so that these need not be explored; 0 for no rules.";
        "reduction" reduction: bool = "real", Choices(&[("real", true), ("identity", false)]),
            "Whether states are cut to what a block can touch; identity keeps everything (but frames below), for comparison.";
        "engine" engine: BamEngine = "auto",
            Choices(&[("auto", BamEngine::Auto), ("sequential", BamEngine::Sequential), ("parallel", BamEngine::Parallel)]),
            "Which algorithm of memoization runs: with auto the parallel one, if there is more than one thread.";
        "send-blocks" send_all: bool = "worth", Choices(&[("worth", false), ("all", true)]),
            "With --cluster, which blocks of memoization are sent to workers: those that this process would not get to soon and that take \
             longer than sending them, or all that can be, for tests and measurements.";
        "cache" cache: Option<String> = "", Name("a folder"),
            "Where summaries of memoization are kept from one run to the next; empty for nowhere.";
        "cache-size" cache_megabytes: u64 = "1000", NUMBER,
            "How large that folder may become; the files that were not used for the longest time go first.";
        "drop-graphs" drop_graphs_at: u64 = "40", PERCENT,
            "With more of the memory limit in use than this, in percent, memoization checks the graphs of finished blocks at once and \
             drops them; where a path through one is needed, it is explored again.";
        "spill" spill_at: u64 = "55", PERCENT,
            "With more of the memory limit in use than this, in percent, memoization moves summaries whose graphs were dropped to a \
             file without a name, in the folder of the cache or in that for temporary files, and reads them back when they are asked for.";
        "trace-jobs" trace_jobs: Option<String> = "", Name("a file name"),
            "Where the timeline of memoization's jobs is written, in the Chrome trace format; empty for nowhere.";
    }
    "refinement" {
        "precision" precision: InitialPrecision = "everything", Choices(&[
                ("everything", InitialPrecision::Everything),
                ("refined", InitialPrecision::Nothing),
                ("refined-from-assumptions", InitialPrecision::Assumptions),
            ]),
            "What is tracked: everything, or what refinement by counterexamples (CEGAR) finds, beginning with nothing or with what \
             assumptions speak of.";
        "restart" restart: Restart = "pivot",
            Choices(&[("root", Restart::Root), ("pivot", Restart::Pivot), ("common-ancestor", Restart::CommonAncestor)]),
            "Where exploration goes on after a refinement.";
        "patience" patience: u64 = "0", LONG,
            "After so many states without a verdict, refinement gives way to an exploration that tracks everything; 0 for never. (It also \
             does where a refinement brings nothing new.) Values beside predicates are given up instead: after a third of these states \
             where predicates refute at least half as many paths as values do.";
        "monitor" monitoring: Monitoring = "repetition",
            Choices(&[("off", Monitoring::Off), ("repetition", Monitoring::Repetition), ("all", Monitoring::All)]),
            "Who watches refinement: `repetition` notices that graph, precision and counterexample were there before, looks for another \
             counterexample, and ends the analysis where there is none; `all` also gives up where the precision grows without effect, \
             counterexamples differ only in rounds of loops, refinements take longer and longer, or no state covers another.";
        "counterexamples" all_counterexamples: bool = "first", Choices(&[("first", false), ("all", true)]),
            "Whether refinement takes each counterexample as it is found, or explores the whole graph and takes all of them at once.";
        "precision-scope" scope: PrecisionScope = "global", Choices(&[
                ("location", PrecisionScope::Location),
                ("function", PrecisionScope::Function),
                ("global", PrecisionScope::Global),
            ]),
            "How far something that refinement found is tracked.";
        "prefix-preference" preference: Preference = "none", PREFERENCES,
            "Which infeasible sliced prefix of a path is refined with.";
        "max-prefixes" max_prefixes: usize = "16", NUMBER,
            "How many sliced prefixes are looked at.";
        "interpolation" forget_order: ForgetOrder = "constraints-first", Choices(&[
                ("constraints-first", ForgetOrder::ConstraintsFirst),
                ("values-first", ForgetOrder::ValuesFirst),
                ("values-only", ForgetOrder::ValuesOnly),
            ]),
            "What interpolation tries to forget first.";
        "refinement" trace: Option<TraceOptions> = "testing", REFINEMENTS,
            "How a path that cannot be taken is refuted: by testing what the domain can forget, or by assertions over variables and memory: \
             chosen by testing from comparisons that the path suggests (`atoms`), from interpolants (`sequence` of one proof, `binary-…` \
             one by one), from strongest postconditions or weakest preconditions (`-core`: of the contradicting steps alone, `-live`: over what \
             the rest of the path reads), or the variables of a minimal contradiction (`unsat-core`). Value analysis and symbolic execution \
             track the variables of the assertions; where that does not refute the path, they test. Predicate analysis takes the \
             assertions between its blocks as predicates; with `testing` it pulls the contradiction back through whole blocks (weakest \
             preconditions), and each of the two is asked where the other says nothing new.";
        "delegate-to-values" delegate: bool = "false", FLAG,
            "Refine with values alone where they refute the path, and with constraints only elsewhere.";
        "constraint-precision" constraint_precision: ConstraintPrecision = "constraint", Choices(&[
                ("constraint", ConstraintPrecision::Constraint),
                ("location", ConstraintPrecision::Location),
                ("variables", ConstraintPrecision::Variables),
            ]),
            "What refinement of symbolic execution tracks for a constraint that it needs: the constraints of that assumption, all that \
             arise at its place, or all over variables of such assumptions.";
    }
    "values and symbols" {
        "check-at" check_at: CheckAt = "assumes", Choices(&[("assumes", CheckAt::Assumes), ("targets", CheckAt::Targets)]),
            "When satisfiability of a symbolic path is checked.";
        "coverage" coverage: CoverageRule = "subset", Choices(&[
                ("subset", CoverageRule::Subset),
                ("implication", CoverageRule::Implication),
                ("renamed", CoverageRule::Renamed),
                ("aliased", CoverageRule::Aliased),
            ]),
            "When a symbolic state with weaker constraints covers another one: fewer of the same, implied by them as the solver says, \
             or fewer of the same up to the names of symbols (`renamed`: one substitution for values and constraints together). \
             `aliased` renames values and constraints independently, which is not sound: it is an experiment and forbids the verdict true.";
        "definite-assignments" definite: DefiniteAssignments = "equations", Choices(&[
                ("never", DefiniteAssignments::Never),
                ("equations", DefiniteAssignments::Equations),
                ("model", DefiniteAssignments::Model),
            ]),
            "Which symbols are replaced by the one value that the constraints leave them: none, those with an equation, or all \
             for which the solver finds that the value in its model is the only one.";
        "simplify-constraints" simplify_constraints: bool = "false", FLAG,
            "Leave out bounds that other constraints imply, and end paths whose bounds contradict each other without a solver.";
        "forget-independent" forget_independent: bool = "false", FLAG,
            "At loop heads, forget symbolic values that can be anything whatever the rest of the state is: those computed without loss \
             from an input that nothing else mentions.";
        "addresses" forget_addresses: bool = "as-needed", Choices(&[("tracked", false), ("as-needed", true)]),
            "Whether refinement decides about addresses, as it does about numbers, or they are always tracked. A forgotten address may \
             lead anywhere, so that a write through it forgets all memory; objects of the heap that nothing tracked leads to leave the \
             state. Where memory is in question, they are always tracked.";
        "symbolic-memory" symbolic_parts: bool = "everything", Choices(&[("everything", true), ("scalars", false)]),
            "Where memory holds symbolic values: everywhere, or not in arrays and structs, whose elements and members are then any value \
             each time that they are read. Constants and addresses in them are followed in both cases.";
        "max-enum" max_enum: u32 = "0", NUMBER,
            "Value analysis follows a register of unknown value with each value that an assumption or assignment leaves it, where these \
             are at most so many; where they are more, it stays unknown. 0 for never.";
        "max-term-size" max_term_size: u32 = "20000", Numbers(0, 65_000),
            "Symbolic values larger than this (as trees) are replaced by fresh ones.";
    }
    "predicates" {
        "abstraction" abstraction: AbstractionKind = "boolean", Choices(&[
                ("boolean", AbstractionKind::Boolean),
                ("cartesian", AbstractionKind::Cartesian),
                ("split", AbstractionKind::Split),
            ]),
            "Which combinations of predicates a state has: all that are possible, each predicate by itself, or one state for each combination.";
        "block-ends" block_ends: BlockEnds = "auto", Choices(&[
                ("auto", BlockEnds::Auto),
                ("loops", BlockEnds::Loops),
                ("bottlenecks", BlockEnds::Bottlenecks),
                ("functions", BlockEnds::Functions),
                ("edges", BlockEnds::Edges),
            ]),
            "Where states are abstracted: at loop heads and entries of recursive functions (`loops`), in long blocks also where all paths \
             come by (`bottlenecks`), at entries and exits of functions as well, or after every edge. The paths between two such places are \
             one formula. `auto` begins with `loops` and goes on with `bottlenecks` when a block is too large for exact regions.";
        "block-length" block_length: u32 = "0", NUMBER,
            "States are abstracted after so many edges at the latest; 0 for no limit.";
        "predicates" splitting: Splitting = "atoms", Choices(&[
                ("atoms", Splitting::Atoms),
                ("conjuncts", Splitting::Conjuncts),
                ("whole", Splitting::Whole),
            ]),
            "Whether what refinement asserts is split into its comparisons, into its conjuncts, or taken as a whole.";
        "predicate-families" families: bool = "true", FLAG,
            "A predicate that compares a variable with a constant brings those with it that compare it with its other constants in the \
             program, where these are 4 to 48: the states of a state machine are found by one refinement.";
    }
    "intervals" {
        "narrowing" narrowing: u32 = "2", NUMBER,
            "How often interval analysis goes back over a finished graph that still holds targets, to win back what widening lost.";
    }
    "induction and bounds" {
        "max-rounds" max_rounds: u32 = "50", NUMBER,
            "How many rounds of a loop induction unrolls at most; it begins with none and adds one where the proof fails.";
        "max-bound" max_bound: u32 = "4096", Numbers(1, u32::MAX as u64),
            "With `analysis = unroll`: the largest number of rounds to which loops are unrolled; the bound doubles up to it.";
        "induction" induction: bool = "false", FLAG,
            "With `analysis = unroll`: prove loops by induction over as many rounds as the bound says.";
    }
    "solvers and the check of paths" {
        "solver" backend: Option<Listed> = "embedded", Read(solver_names, solver),
            "Who answers queries that the chain of cheap checks leaves open: the embedded engine, or another solver of this machine.";
        "solver-time" solver_time: Duration = "5", Seconds,
            "Time for one satisfiability check during exploration; without an answer the path is kept.";
        "path-time" path_time: Duration = "60", Seconds,
            "Time for the bit-precise check of one path to a target.";
        "path-check" path_check: PathCheckMode = "either", Choices(&[
                ("state", PathCheckMode::State),
                ("formula", PathCheckMode::Formula),
                ("either", PathCheckMode::Either),
                ("both", PathCheckMode::Both),
            ]),
            "How a path to a target is looked at: by running it in the symbolic state, by its path formula, by the state with the \
             formula as a second source of inputs, or by both, of which a contradiction ends in unknown.";
        "dump-queries" dump_queries: Option<String> = "", Name("a folder"),
            "Where every query of a solver is written as an SMT-LIB script with its answer; empty for nowhere. \
             `assay solvers --replay` runs such a log through other solvers.";
    }
}
