//! The one table of commands and options. Help texts, the configuration reference and shell completions are made from
//! it, and the parser accepts nothing else.

use crate::words;
use Command::*;
use assay_driver::{FORMATS, Format};

/// What `assay` can be asked to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub(crate) enum Command {
    Verify,
    Batch,
    Worker,
    Cluster,
    Cfa,
    Features,
    Interpret,
    Tests,
    Solvers,
    Configs,
    Portfolio,
    Completions,
    Version,
    Help,
}

pub(crate) struct CommandSpec {
    pub command: Command,
    pub name: &'static str,
    /// What stands behind the options in the usage line; empty if nothing may.
    pub operands: &'static str,
    pub summary: &'static str,
    /// Further paragraphs of the help text.
    pub details: &'static str,
}

/// What an option's value looks like. The kind decides parsing, help and completion.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// Present or not.
    Flag,
    /// Any text, shown under this name.
    Text(&'static str),
    /// A path to read or write.
    File,
    Directory,
    /// One of a few words.
    Choice(&'static [&'static str]),
    /// A time span: `30s`, `5min`, `250ms`.
    Duration,
    /// An amount of memory: `6GiB`, `500MB`.
    Size,
    /// A whole number of at least one.
    Count,
    /// A whole number.
    Number,
}

#[derive(Clone, Copy)]
pub(crate) struct OptionSpec {
    pub name: &'static str,
    pub short: Option<char>,
    pub kind: Kind,
    /// As shown to people; options without a default show none.
    pub default: &'static str,
    /// Whether it may be given several times.
    pub repeated: bool,
    pub help: &'static str,
    pub commands: &'static [Command],
}

pub(crate) const COMMANDS: &[CommandSpec] = &[
    CommandSpec {
        command: Verify,
        name: "verify",
        operands: "FILE...",
        summary: "prove a property of a C program or find a violation",
        details: "The last line of the standard output is the verdict: `verdict: true`, `verdict: false(<property>)` or \
                  `verdict: unknown(<reason>)`; the exit status is 0, 10 or 20.",
    },
    CommandSpec {
        command: Batch,
        name: "batch",
        operands: "TABLE.tsv|DIR|compile_commands.json|FILE...",
        summary: "verify many programs, on all cores",
        details: "Each task is an `assay verify` of its own, with the options that are given here. A table has a header; `task` names a C file or a \
                  BenchExec task definition beside the table, and `property`, `expected_verdict`, `subproperty`, `architecture` (32 or 64), \
                  `data_model` and `category` are understood. Of a folder every C file is a task, of a compilation database every file in it. \
                  Results go to a folder (--output): results.tsv, results.json, results.sarif, and a journal; the same command with the same \
                  folder goes on where an earlier one was stopped. The exit status is 10 if there is a violation, 20 if something else than \
                  true came out of a task, else 0.",
    },
    CommandSpec {
        command: Worker,
        name: "worker",
        operands: "",
        summary: "work for a cluster: run the jobs that others hand in",
        details: "Runs until it is asked to end (Ctrl-C, SIGTERM); what it has in hand then goes back to the queue. See docs/cluster.md.",
    },
    CommandSpec {
        command: Cluster,
        name: "cluster",
        operands: "status URL",
        summary: "show the workers, the queue and what is kept on a server",
        details: "",
    },
    CommandSpec { command: Cfa, name: "cfa", operands: "FILE...", summary: "print the control-flow automaton of a C program", details: "" },
    CommandSpec {
        command: Features,
        name: "features",
        operands: "FILE...",
        summary: "print the features by which an analysis is chosen",
        details: "",
    },
    CommandSpec {
        command: Interpret,
        name: "interpret",
        operands: "FILE...",
        summary: "run a C program in the concrete interpreter",
        details: "Nondeterministic functions take their values from --input, in the order of the calls, and from the seed when the \
                  list is used up. The exit status is 0 if the program ended, 10 if it violated the property, and 20 if the run \
                  ended otherwise (undefined behaviour, an unsupported construct, a limit).",
    },
    CommandSpec {
        command: Tests,
        name: "tests",
        operands: "FILE...",
        summary: "write tests that cover the branches of a C program, or that reach an error",
        details: "The suite has Test-Comp's format: metadata.xml and one testcase-*.xml a test, in a folder or a zip archive. Every test \
                  was run in the interpreter and takes a branch that none before it took. With a property that names a function \
                  (unreach-call, or COVER EDGES(@CALL(f))) one test is looked for that calls it. The exit status is 0 if the \
                  suite is written, and 20 if no test for an error was found.",
    },
    CommandSpec {
        command: Solvers,
        name: "solvers",
        operands: "",
        summary: "list the solvers and whether they can be used here, or replay a query log",
        details: "With --replay, every query of a log that `assay verify --dump-queries` wrote is asked again, in order: by --solver, or by \
                  each solver that is found. The answers are compared with the log's, and the time is printed. The exit status is 0 if \
                  no answer contradicts the log, else 20.",
    },
    CommandSpec {
        command: Configs,
        name: "configs",
        operands: "[NAME]",
        summary: "list the presets and the products of domains, or print one preset as a configuration file",
        details: "",
    },
    CommandSpec {
        command: Portfolio,
        name: "portfolio",
        operands: "list|show NAME",
        summary: "list the portfolios, or show one as text or as a graph",
        details: "A portfolio is a state machine of analyses, in TOML: nodes with a share of the time that remains, and edges on features of the \
                  program and on why a node stopped. NAME may be a file, which `assay verify --config` takes as well. See docs/portfolios.md.",
    },
    CommandSpec {
        command: Completions,
        name: "completions",
        operands: "bash|zsh|fish",
        summary: "print a shell completion script",
        details: "",
    },
    CommandSpec { command: Version, name: "version", operands: "", summary: "print the version", details: "" },
    CommandSpec { command: Help, name: "help", operands: "[COMMAND]", summary: "print help for a command", details: "" },
];

const CLUSTER: &[Command] = &[Verify, Batch, Worker, Cluster];
const READING: &[Command] = &[Verify, Batch, Cfa, Features, Interpret, Tests];

const BEFORE_EVIDENCE: &[OptionSpec] = &[
    OptionSpec {
        name: "property",
        short: Some('p'),
        kind: Kind::Text("FILE|NAME"),
        default: "all",
        repeated: true,
        help: "what to prove, several times for several properties in one run: an SV-COMP property file, all, unreach-call, assert, or a name of \
               the table in docs/checks.md, which says which of them are part of all. Without it `assay verify` checks all: error functions and \
               assertions that the program calls, memory safety, signed overflow, and the checks of that table. \
               `assay tests` covers all branches without it, and with coverage-branches; with coverage-error-call or unreach-call \
               (or a property file of Test-Comp) it looks for a test that calls the error function",
        commands: READING,
    },
    OptionSpec {
        name: "max-violations",
        short: None,
        kind: Kind::Count,
        default: "10; 1 for a single property",
        repeated: false,
        help: "how many violations are looked for",
        commands: &[Verify, Batch],
    },
    OptionSpec {
        name: "data-model",
        short: Some('m'),
        kind: Kind::Choice(words::MODEL_WORDS),
        default: "LP64",
        repeated: false,
        help: "sizes of C's types: 32-bit or 64-bit `long` and pointers",
        commands: READING,
    },
    OptionSpec {
        name: "entry",
        short: None,
        kind: Kind::Text("FUNCTION"),
        default: "main",
        repeated: false,
        help: "the function with which the program begins",
        commands: READING,
    },
    OptionSpec {
        name: "rules",
        short: None,
        kind: Kind::Choice(words::RULE_WORDS),
        default: "own-code; competition where --property is a property file",
        repeated: false,
        help: "whose rules hold for what C leaves open and for code that is not there: those for code of a project, which may be given pointers by \
               code that is not there, or those of SV-COMP",
        commands: READING,
    },
    OptionSpec {
        name: "outside-pointers",
        short: None,
        kind: Kind::Choice(words::OUTSIDE_WORDS),
        default: "anywhere; own-memory under --rules competition",
        repeated: false,
        help: "what a pointer may lead to that comes from a function without a body, from an input or from an object defined elsewhere: to any \
               variable whose address somebody outside can know, or to memory of its own and to what the program gave away the address of",
        commands: READING,
    },
    OptionSpec {
        name: "externals",
        short: None,
        kind: Kind::Choice(words::EXTERNAL_WORDS),
        default: "pure",
        repeated: false,
        help: "what a function of the program's without a body may do besides returning any value: nothing, write what its pointer arguments lead \
               to, or write all that somebody outside can know. Functions of the C library have their own meaning (docs/c-semantics.md)",
        commands: READING,
    },
    OptionSpec {
        name: "malloc-may-fail",
        short: None,
        kind: Kind::Flag,
        default: "",
        repeated: false,
        help: "`malloc`, `calloc`, `realloc`, `strdup` and others that allocate may return null; without it they never do, which a warning says \
               above a proof",
        commands: READING,
    },
    OptionSpec {
        name: "models",
        short: None,
        kind: Kind::Directory,
        default: "",
        repeated: false,
        help: "a folder of C files whose functions take the place of functions that have no body, of the C library's as well",
        commands: READING,
    },
    OptionSpec {
        name: "include",
        short: Some('I'),
        kind: Kind::Directory,
        default: "",
        repeated: true,
        help: "a folder in which #include looks",
        commands: READING,
    },
    OptionSpec {
        name: "std",
        short: None,
        kind: Kind::Choice(&["c89", "c99", "c11", "c17", "c23"]),
        default: "c17",
        repeated: false,
        help: "the version of C that files are written in, always with GNU's extensions; in a compilation database each file says its own",
        commands: READING,
    },
    OptionSpec {
        name: "define",
        short: Some('D'),
        kind: Kind::Text("NAME[=VALUE]"),
        default: "",
        repeated: true,
        help: "a macro definition for the preprocessor",
        commands: READING,
    },
    OptionSpec {
        name: "config",
        short: Some('c'),
        kind: Kind::Text("NAME|FILE"),
        default: "`auto`; `symbolic` for the branches of `tests`",
        repeated: false,
        help: "the analysis: a preset or portfolio (see `assay configs`), or a TOML file of either kind",
        commands: &[Verify, Batch, Tests, Features],
    },
    OptionSpec {
        name: "set",
        short: Some('s'),
        kind: Kind::Text("KEY=VALUE"),
        default: "",
        repeated: true,
        help: "changes one key of the configuration (see docs/configuration.md)",
        commands: &[Verify, Batch, Tests],
    },
    OptionSpec {
        name: "unwind",
        short: None,
        kind: Kind::Count,
        default: "",
        repeated: false,
        help: "the bounded answer: every loop is unrolled at most so many times. The verdict is false, or `unknown(no violation within N rounds of \
               each loop)`; true only where no run goes further. Short for --config bmc --set max-bound=N",
        commands: &[Verify, Batch],
    },
    OptionSpec {
        name: "time-limit",
        short: Some('t'),
        kind: Kind::Duration,
        default: "none",
        repeated: false,
        help: "CPU time of the process and its children, over all threads; a bare number means seconds",
        commands: &[Verify, Batch, Interpret, Tests],
    },
    OptionSpec {
        name: "memory-limit",
        short: None,
        kind: Kind::Size,
        default: "the machine's memory",
        repeated: false,
        help: "resident memory; at 90% of it the run ends in `unknown(memory limit)`",
        commands: &[Verify, Batch, Worker, Interpret, Tests],
    },
    OptionSpec {
        name: "threads",
        short: Some('j'),
        kind: Kind::Count,
        default: "all cores",
        repeated: false,
        help: "how many threads the analysis may keep busy; block-abstraction memoization uses them",
        commands: &[Verify, Batch],
    },
    OptionSpec {
        name: "cache",
        short: None,
        kind: Kind::Directory,
        default: "",
        repeated: false,
        help: "keep the summaries of block-abstraction memoization in this folder and use those of earlier runs; the same as \
               --set cache=DIR",
        commands: &[Verify],
    },
    OptionSpec {
        name: "jobs",
        short: None,
        kind: Kind::Count,
        default: "all cores",
        repeated: false,
        help: "how many tasks or jobs run at a time; each has one thread unless --threads says otherwise, and its part of the machine's memory unless \
               --memory-limit does",
        commands: &[Batch, Worker],
    },
    OptionSpec {
        name: "cluster",
        short: None,
        kind: Kind::Text("URL"),
        default: "",
        repeated: false,
        help: "the NATS server with JetStream through which machines work together, such as nats://host:4222 or tls://user:password@host; several \
               addresses of one cluster may be joined by commas",
        commands: &[Verify, Batch, Worker],
    },
    OptionSpec {
        name: "serve",
        short: None,
        kind: Kind::Text("RUN"),
        default: "",
        repeated: false,
        help: "explore blocks of the program for another run, and give no verdict; workers start this",
        commands: &[Verify],
    },
    OptionSpec {
        name: "creds",
        short: None,
        kind: Kind::File,
        default: "",
        repeated: false,
        help: "a credentials file for the server",
        commands: CLUSTER,
    },
    OptionSpec {
        name: "nkey",
        short: None,
        kind: Kind::File,
        default: "",
        repeated: false,
        help: "a file with the seed of an NKey for the server",
        commands: CLUSTER,
    },
    OptionSpec {
        name: "tls-ca",
        short: None,
        kind: Kind::File,
        default: "",
        repeated: false,
        help: "certificates of authorities that may vouch for the server, besides the system's",
        commands: CLUSTER,
    },
    OptionSpec {
        name: "tls-cert",
        short: None,
        kind: Kind::File,
        default: "",
        repeated: false,
        help: "the certificate that is shown to the server",
        commands: CLUSTER,
    },
    OptionSpec {
        name: "tls-key",
        short: None,
        kind: Kind::File,
        default: "",
        repeated: false,
        help: "the key of --tls-cert",
        commands: CLUSTER,
    },
    OptionSpec {
        name: "trace-jobs",
        short: None,
        kind: Kind::File,
        default: "",
        repeated: false,
        help: "write the timeline of memoization's jobs in the Chrome trace format; the same as --set trace-jobs=FILE",
        commands: &[Verify],
    },
    OptionSpec {
        name: "dump-queries",
        short: None,
        kind: Kind::Directory,
        default: "",
        repeated: false,
        help: "write every query of the solver into this folder as an SMT-LIB script with its answer; `assay solvers --replay` takes it up",
        commands: &[Verify],
    },
    OptionSpec {
        name: "replay",
        short: None,
        kind: Kind::Directory,
        default: "",
        repeated: false,
        help: "ask the queries of a log again, and compare the answers",
        commands: &[Solvers],
    },
    OptionSpec {
        name: "solver",
        short: None,
        kind: Kind::Text("NAME"),
        default: "all that are found",
        repeated: false,
        help: "the solver for --replay: a name of the list, or the path of a program that reads SMT-LIB from its standard input",
        commands: &[Solvers],
    },
    OptionSpec {
        name: "no-chain",
        short: None,
        kind: Kind::Flag,
        default: "",
        repeated: false,
        help: "for --replay: without the chain of simplification, remembered models and cached results before the solver",
        commands: &[Solvers],
    },
    OptionSpec {
        name: "query-time",
        short: None,
        kind: Kind::Duration,
        default: "10s",
        repeated: false,
        help: "for --replay: the time for one query",
        commands: &[Solvers],
    },
];

/// The files of evidence, one option for each row of the table of formats.
static EVIDENCE: [OptionSpec; FORMATS.len()] = {
    let mut options = [of_format(&FORMATS[0]); FORMATS.len()];
    let mut index = 1;
    while index < FORMATS.len() {
        options[index] = of_format(&FORMATS[index]);
        index += 1;
    }
    options
};

const fn of_format(format: &'static Format) -> OptionSpec {
    let Format { name, short, help, .. } = *format;
    OptionSpec { name, short, kind: Kind::File, default: "", repeated: false, help, commands: &[Verify] }
}

const AFTER_EVIDENCE: &[OptionSpec] = &[
    OptionSpec {
        name: "json",
        short: None,
        kind: Kind::Flag,
        default: "",
        repeated: false,
        help: "print one JSON document on the standard output instead of text",
        commands: &[Verify, Features, Interpret, Tests, Solvers, Configs, Cluster],
    },
    OptionSpec {
        name: "stats",
        short: None,
        kind: Kind::Flag,
        default: "",
        repeated: false,
        help: "print counters, times and memory on the standard error",
        commands: &[Verify, Tests],
    },
    OptionSpec {
        name: "path",
        short: None,
        kind: Kind::Choice(words::DETAIL_WORDS),
        default: "folded",
        repeated: false,
        help: "how much of a violation's path is printed: rounds of loops that only repeat, and long calls that have returned, are folded",
        commands: &[Verify, Interpret],
    },
    OptionSpec {
        name: "progress",
        short: None,
        kind: Kind::Choice(words::SEEN_WORDS),
        default: "auto",
        repeated: false,
        help: "what is seen while a run goes on: one line on a terminal and nothing on a pipe, a line for each analysis that begins, or nothing",
        commands: &[Verify, Batch, Tests],
    },
    OptionSpec {
        name: "quiet",
        short: Some('q'),
        kind: Kind::Flag,
        default: "",
        repeated: false,
        help: "print only the verdict",
        commands: &[Verify, Batch, Worker, Tests],
    },
    OptionSpec {
        name: "output",
        short: Some('o'),
        kind: Kind::File,
        default: "test-suite; assay-results for `batch`",
        repeated: false,
        help: "where the test suite goes: a folder, or an archive if the name ends in .zip; where the results of a batch go: a folder",
        commands: &[Tests, Batch],
    },
    OptionSpec {
        name: "format",
        short: Some('f'),
        kind: Kind::Choice(words::SHAPE_WORDS),
        default: "text",
        repeated: false,
        help: "how the automaton is printed; the text form can be read back, the summary names what is not modelled. Portfolios: text or dot",
        commands: &[Cfa, Portfolio],
    },
    OptionSpec {
        name: "input",
        short: Some('i'),
        kind: Kind::Text("VALUE"),
        default: "",
        repeated: true,
        help: "the next value of a nondeterministic input: a decimal or hexadecimal number; several may be joined by commas",
        commands: &[Interpret],
    },
    OptionSpec {
        name: "seed",
        short: None,
        kind: Kind::Number,
        default: "0",
        repeated: false,
        help: "seed of the values that --input does not give",
        commands: &[Interpret],
    },
    OptionSpec {
        name: "max-steps",
        short: None,
        kind: Kind::Count,
        default: "100000000",
        repeated: false,
        help: "how many edges are executed at most",
        commands: &[Interpret],
    },
    OptionSpec {
        name: "trace",
        short: None,
        kind: Kind::Flag,
        default: "",
        repeated: false,
        help: "print the executed path with its values",
        commands: &[Interpret],
    },
    OptionSpec {
        name: "help",
        short: Some('h'),
        kind: Kind::Flag,
        default: "",
        repeated: false,
        help: "print help",
        commands: &[Verify, Batch, Worker, Cluster, Cfa, Features, Interpret, Tests, Solvers, Configs, Completions, Version, Help],
    },
];

impl OptionSpec {
    /// How the value is shown in help texts, if there is one.
    pub(crate) fn value_name(&self) -> Option<String> {
        Some(match self.kind {
            Kind::Flag => return None,
            Kind::Text(name) => name.to_string(),
            Kind::File => "FILE".to_string(),
            Kind::Directory => "DIR".to_string(),
            Kind::Choice(words) => words.join("|"),
            Kind::Duration => "TIME".to_string(),
            Kind::Size => "SIZE".to_string(),
            Kind::Count | Kind::Number => "N".to_string(),
        })
    }
}

/// Every option, in the order of help texts.
pub(crate) fn options() -> impl Iterator<Item = &'static OptionSpec> {
    BEFORE_EVIDENCE.iter().chain(&EVIDENCE).chain(AFTER_EVIDENCE)
}

/// The options of a command, in the order of the table.
pub(crate) fn options_of(command: Command) -> impl Iterator<Item = &'static OptionSpec> {
    options().filter(move |option| option.commands.contains(&command))
}

pub(crate) fn spec_of(command: Command) -> &'static CommandSpec {
    COMMANDS.iter().find(|spec| spec.command == command).unwrap_or(&COMMANDS[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_every_command_is_described() {
        for (index, option) in options().enumerate() {
            for other in options().skip(index + 1) {
                assert_ne!(option.name, other.name);
                assert!(option.short.is_none() || option.short != other.short, "-{:?} is taken twice", option.short);
            }
            assert!(!option.help.is_empty() && !option.commands.is_empty());
        }
        for spec in COMMANDS {
            assert_eq!(spec_of(spec.command).name, spec.name);
        }
    }
}
