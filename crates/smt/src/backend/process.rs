//! Any program that reads SMT-LIB from its standard input. Every query gets a time limit of its own, even where the
//! budget has none, because a program that hangs must not hang the analysis.

use super::{Abilities, Backend, Description, verify};
use crate::answer::{Answer, Budget, NoAnswer};
use crate::engine::{Engine, EngineAnswer, Limits};
use crate::model::ModelData;
use assay_base::FastMap;
use assay_term::integer::INTEGER_WIDTH;
use assay_term::{Bits, Op, SymbolId, Term, Terms};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// A program that is looked for by name.
pub struct Known {
    /// As it is called on the path.
    pub name: &'static str,
    /// What makes it read from standard input.
    pub arguments: &'static [&'static str],
    /// How to get it.
    pub help: &'static str,
    /// What it is taken to be able to do.
    pub abilities: Abilities,
}

/// What every SMT-LIB program is taken to have: each query is asked anew, and of an unsatisfiable one all constraints
/// are the core.
const COMMON: Abilities =
    Abilities { floats: true, arrays: true, functions: true, integers: false, incremental: false, cores: false, interpolants: false };

/// Those that are looked for, the first found first.
pub const KNOWN: [Known; 4] = [
    Known { name: "z3", arguments: &["-in", "-smt2"], help: "install Debian's z3", abilities: Abilities { integers: true, ..COMMON } },
    Known {
        name: "bitwuzla",
        arguments: &["--produce-models"],
        help: "see https://bitwuzla.github.io (0.9 and later give interpolants)",
        abilities: Abilities { interpolants: true, ..COMMON },
    },
    Known {
        name: "cvc5",
        arguments: &["--incremental", "--produce-models", "--lang=smt2"],
        help: "see https://cvc5.github.io",
        abilities: Abilities { integers: true, ..COMMON },
    },
    Known {
        name: "yices-smt2",
        arguments: &["--incremental"],
        help: "see https://yices.csl.sri.com",
        abilities: Abilities { floats: false, integers: true, ..COMMON },
    },
];

fn process_name(name: &str) -> String {
    format!("{name} (process)")
}

/// How long a query may take where the budget says nothing.
const DEFAULT_TIME: Duration = Duration::from_secs(60);
/// How often the token is asked while waiting.
const POLL: Duration = Duration::from_millis(20);

/// A program of this name on the path, with its version.
pub fn find(known: &Known) -> Option<Description> {
    let path = std::env::split_paths(&std::env::var_os("PATH")?).map(|folder| folder.join(known.name)).find(|p| p.is_file())?;
    let version = version(&path).unwrap_or_default();
    let location = format!("{} {}", path.display(), known.arguments.join(" "));
    Some(Description { name: process_name(known.name), version, location, abilities: known.abilities })
}

fn version(path: &Path) -> Option<String> {
    let output = Command::new(path).arg("--version").stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.lines().next().map(|line| line.trim().to_string())
}

/// A solver program; started with the first query, and again after it died.
pub struct Process {
    program: PathBuf,
    arguments: Vec<String>,
    description: Description,
    running: Option<Running>,
}

struct Running {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended already; then there is nothing to end.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Process {
    /// Nothing is started before the first query.
    pub fn new(program: impl Into<PathBuf>, arguments: &[&str]) -> Self {
        let program = program.into();
        let abilities = Abilities { integers: true, ..COMMON };
        let name = program.file_name().map_or_else(String::new, |n| n.to_string_lossy().into_owned());
        let location = program.display().to_string();
        let description = Description { name, version: String::new(), location, abilities };
        Process { program, arguments: arguments.iter().map(|a| a.to_string()).collect(), description, running: None }
    }

    /// Says that the program answers `get-interpolants` as Bitwuzla does.
    pub fn claim_interpolants(&mut self) {
        self.description.abilities.interpolants = true;
    }

    /// The first known program that is found.
    pub fn find() -> Option<Process> {
        KNOWN.iter().find_map(find).map(Process::described)
    }

    /// The program that [`find`] described.
    pub(super) fn described(description: Description) -> Process {
        let known = KNOWN.iter().find(|known| description.name == process_name(known.name));
        let arguments: &[&str] = known.map_or(&[], |known| known.arguments);
        let program = description.location.strip_suffix(&arguments.join(" ")).unwrap_or(&description.location).trim().to_string();
        Process { description, ..Process::new(program, arguments) }
    }

    fn start(&mut self) -> Result<&mut Running, String> {
        if self.running.is_none() {
            let mut child = Command::new(&self.program)
                .args(&self.arguments)
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .stderr(Stdio::null())
                .spawn()
                .map_err(|e| format!("cannot start {}: {e}", self.program.display()))?;
            let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
                return Err("no pipes to the solver".into());
            };
            let (sender, lines) = channel();
            // Ends with the program's output, which ends with the program.
            std::thread::spawn(move || {
                for line in BufReader::new(output).lines() {
                    let Ok(line) = line else { break };
                    if sender.send(line).is_err() {
                        break;
                    }
                }
            });
            self.running = Some(Running { child, input, lines });
        }
        self.running.as_mut().ok_or_else(|| "the solver is gone".into())
    }

    /// Sends text and reads one balanced answer.
    fn ask(&mut self, text: &str, deadline: Instant, budget: &Budget) -> Result<String, NoAnswer> {
        let name = self.description.name.clone();
        let backend = |what: &str| NoAnswer::Backend(format!("{name}: {what}"));
        let running = self.start().map_err(|e| backend(&e))?;
        running.input.write_all(text.as_bytes()).and_then(|()| running.input.flush()).map_err(|_| backend("died while being asked"))?;
        let mut answer = String::new();
        loop {
            match running.lines.recv_timeout(POLL) {
                Ok(line) => {
                    answer.push_str(&line);
                    answer.push('\n');
                    if balanced(&answer) {
                        return Ok(answer.trim().to_string());
                    }
                    if answer.len() > 1 << 26 {
                        return Err(backend("talks without end"));
                    }
                }
                Err(RecvTimeoutError::Disconnected) => return Err(backend("died")),
                Err(RecvTimeoutError::Timeout) => {
                    if let Some(reason) = budget.cancel.stopped() {
                        return Err(NoAnswer::Stopped(reason));
                    }
                    if Instant::now() >= deadline {
                        return Err(if budget.time.is_some() { NoAnswer::Time } else { backend("gave no answer in time") });
                    }
                }
            }
        }
    }

    fn query(&mut self, terms: &Terms, constraints: &[Term], budget: &Budget) -> Result<Answer, NoAnswer> {
        let deadline = Instant::now() + budget.time.unwrap_or(DEFAULT_TIME);
        let plain = Plain::of(terms, constraints);
        let script = terms.to_smtlib(&plain.constraints);
        // The script asks by itself; options must come before it, and the last query's symbols must go.
        let text = format!("(reset)\n(set-option :print-success false)\n(set-option :produce-models true)\n{script}\n");
        let answer = self.ask(&text, deadline, budget)?;
        match answer.as_str() {
            "unsat" => return Ok(Answer::Unsat((0..constraints.len()).collect())),
            "sat" => {}
            "unknown" => return Err(NoAnswer::Backend(format!("{} gave up", self.description.name))),
            other => return Err(NoAnswer::Backend(format!("{} answered {:?}", self.description.name, cut(other)))),
        }
        let mut data = ModelData::default();
        let mut pins = Vec::new();
        if !plain.leaves.is_empty() {
            let names: Vec<&str> = plain.leaves.iter().map(|l| l.name.as_str()).collect();
            let values = self.ask(&format!("(get-value ({}))\n", names.join(" ")), deadline, budget)?;
            let values = read_values(&values);
            for leaf in &plain.leaves {
                let Some(&value) = values.get(leaf.name.as_str()) else {
                    return Err(NoAnswer::Backend(format!("{} gave no value of a symbol", self.description.name)));
                };
                let bits = Bits::new(if leaf.integer { INTEGER_WIDTH } else { leaf.width }, value);
                let list = if leaf.address { &mut data.addresses } else { &mut data.symbols };
                list.insert(leaf.symbol, bits);
                let value = if leaf.integer { terms.integer(bits.signed()) } else { terms.constant(bits) };
                pins.push(terms.eq(leaf.term, value));
            }
        }
        if plain.scalar {
            return Ok(verify(terms, constraints, data, &self.description.name));
        }
        // Arrays and functions: with all scalars given, the embedded engine finds the rest at once.
        pins.extend_from_slice(constraints);
        Ok(match Engine::new(2000).check(terms, &pins, &mut Limits::of(budget)) {
            EngineAnswer::Sat(data) => verify(terms, constraints, data, &self.description.name),
            EngineAnswer::Unsat(_) => {
                Answer::Unknown(NoAnswer::WrongAnswer(format!("{} gave a model that is none", self.description.name)))
            }
            EngineAnswer::Unknown(reason) => Answer::Unknown(reason),
        })
    }
}

impl Process {
    /// Asks for an inductive sequence, in the way of Bitwuzla: named assertions, and a list of names for each group.
    fn ask_interpolants(&mut self, terms: &Terms, groups: &[Vec<Term>], budget: &Budget) -> Result<Vec<Term>, NoAnswer> {
        let deadline = Instant::now() + budget.time.unwrap_or(DEFAULT_TIME);
        let all: Vec<Term> = groups.iter().flatten().copied().collect();
        let plain = Plain::of(terms, &all);
        let script = terms.to_smtlib(&plain.constraints);
        // The last of the script asks; the assertions before it get names.
        let mut named = String::from("(reset)\n(set-option :print-success false)\n(set-option :produce-interpolants true)\n");
        let mut count = 0;
        for line in script.lines() {
            match line.strip_prefix("(assert ").and_then(|rest| rest.strip_suffix(')')) {
                Some(assertion) => {
                    named.push_str(&format!("(assert (! {assertion} :named assay_part_{count}))\n"));
                    count += 1;
                }
                None => named.push_str(&format!("{line}\n")),
            }
        }
        let name = self.description.name.clone();
        match self.ask(&named, deadline, budget)?.as_str() {
            "unsat" => {}
            other => return Err(NoAnswer::Backend(format!("{name} answered {:?} to a contradiction", cut(other)))),
        }
        let mut lists = String::new();
        let mut next = 0;
        for group in &groups[..groups.len() - 1] {
            let names: Vec<String> = (next..next + group.len()).map(|i| format!("assay_part_{i}")).collect();
            next += group.len();
            lists.push_str(&format!(" ({})", names.join(" ")));
        }
        let answer = self.ask(&format!("(get-interpolants{lists})\n"), deadline, budget)?;
        let nonsense = || NoAnswer::Backend(format!("{name} answered {:?} instead of interpolants", cut(&answer)));
        let inner = answer.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).ok_or_else(nonsense)?;
        let declarations: String = script.lines().filter(|line| line.starts_with("(declare-")).map(|line| format!("{line}\n")).collect();
        let asserted: String = expressions(inner).map(|text| format!("(assert {text})\n")).collect();
        let list = terms.read_smtlib(&(declarations + &asserted)).map_err(|_| nonsense())?;
        if list.len() + 1 != groups.len() {
            return Err(nonsense());
        }
        Ok(list.into_iter().map(|term| plain.restored(terms, term)).collect())
    }
}

/// The expressions of a list, one after the other.
fn expressions(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text.trim();
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let (mut depth, mut end) = (0i64, rest.len());
        for (at, c) in rest.char_indices() {
            match c {
                '(' => depth += 1,
                ')' => depth -= 1,
                _ => {}
            }
            let next = rest[at + c.len_utf8()..].chars().next();
            if depth == 0 && (c == ')' || next.is_none_or(|n| n.is_whitespace() || n == '(')) && !c.is_whitespace() {
                end = at + c.len_utf8();
                break;
            }
        }
        let (first, after) = rest.split_at(end);
        rest = after.trim_start();
        Some(first)
    })
}

impl Backend for Process {
    fn description(&self) -> &Description {
        &self.description
    }

    fn interpolants(&mut self, terms: &Terms, groups: &[Vec<Term>], budget: &Budget) -> Result<Vec<Term>, NoAnswer> {
        if groups.len() < 2 || groups.iter().any(|group| group.is_empty()) {
            return Err(NoAnswer::Unsupported("interpolants of empty groups".into()));
        }
        let list = self.ask_interpolants(terms, groups, budget);
        if list.is_err() {
            self.running = None;
        }
        list
    }

    fn check(&mut self, terms: &Terms, constraints: &[Term], budget: &Budget) -> Answer {
        let answer = self.query(terms, constraints, budget).unwrap_or_else(Answer::Unknown);
        if answer.is_unknown() {
            // Whatever state it is in, the next query gets a new one.
            self.running = None;
        }
        answer
    }
}

/// A scalar leaf under a plain name.
struct Leaf {
    name: String,
    symbol: SymbolId,
    address: bool,
    integer: bool,
    width: u32,
    term: Term,
}

/// Constraints whose scalar leaves have plain names, so that no name needs quoting or guessing.
struct Plain {
    constraints: Vec<Term>,
    leaves: Vec<Leaf>,
    /// Without arrays and functions.
    scalar: bool,
}

impl Plain {
    /// The term with the leaves' own names.
    fn restored(&self, terms: &Terms, term: Term) -> Term {
        terms.substitute(term, &mut |node| {
            let name = terms.symbol_name(node.symbol());
            self.leaves.iter().find(|leaf| leaf.name == name).map(|leaf| leaf.term)
        })
    }

    fn of(terms: &Terms, constraints: &[Term]) -> Plain {
        let mut leaves: Vec<Leaf> = Vec::new();
        let mut names: FastMap<Term, Term> = FastMap::default();
        let mut scalar = true;
        terms.post_order(constraints.iter().copied(), |term, node| {
            let address = node.op == Op::Address;
            if node.op == Op::Apply || node.sort.is_array() {
                scalar = false;
            } else if (address || node.op == Op::Symbol) && node.width() <= Bits::MAX_WIDTH {
                let name = format!("assay_{}_{}", leaves.len(), node.width());
                names.insert(term, terms.named(&name, node.sort));
                leaves.push(Leaf { name, symbol: node.symbol(), address, integer: node.sort.is_integer(), width: node.width(), term });
            }
        });
        let mut renamed: Vec<Term> = constraints
            .iter()
            .map(|&constraint| {
                terms.substitute(constraint, &mut |node| {
                    let leaf =
                        if node.op == Op::Address { terms.address(node.symbol(), node.width()) } else { terms.symbol(node.symbol()) };
                    names.get(&leaf).copied()
                })
            })
            .collect();
        for leaf in leaves.iter().filter(|l| l.address) {
            renamed.push(terms.is_nonzero(names[&leaf.term]));
        }
        Plain { constraints: renamed, leaves, scalar }
    }
}

/// Whether all parentheses outside of strings and quoted names are closed.
fn balanced(text: &str) -> bool {
    let (mut depth, mut quoted) = (0i64, None);
    for c in text.chars() {
        match (quoted, c) {
            (Some(q), _) if c == q => quoted = None,
            (Some(_), _) => {}
            (None, '|' | '"') => quoted = Some(c),
            (None, '(') => depth += 1,
            (None, ')') => depth -= 1,
            _ => {}
        }
    }
    depth <= 0 && quoted.is_none() && !text.trim().is_empty()
}

fn cut(text: &str) -> String {
    text.chars().take(80).collect()
}

/// Pairs of plain names and values in the answer to `get-value`; what is not understood is left out.
fn read_values(text: &str) -> FastMap<&str, u128> {
    let mut tokens = text.split(|c: char| c.is_whitespace() || c == '(' || c == ')').filter(|t| !t.is_empty()).peekable();
    let mut values = FastMap::default();
    while let Some(token) = tokens.next() {
        if !token.starts_with("assay_") {
            continue;
        }
        let value = match tokens.next() {
            Some("true") => Some(1),
            Some("false") => Some(0),
            Some("_") => tokens.next().and_then(|t| t.strip_prefix("bv")).and_then(|digits| digits.parse().ok()),
            Some("-") => tokens.next().and_then(|t| t.parse::<i128>().ok()).map(|value| value.wrapping_neg() as u128),
            Some(digits) if digits.starts_with(|c: char| c.is_ascii_digit()) => digits.parse::<i128>().ok().map(|value| value as u128),
            Some(digits) if digits.starts_with("#b") => u128::from_str_radix(&digits[2..], 2).ok(),
            Some(digits) if digits.starts_with("#x") => u128::from_str_radix(&digits[2..], 16).ok(),
            _ => None,
        };
        if let Some(value) = value {
            values.insert(token, value);
        }
    }
    values
}
