//! Reads the text form of programs. Declarations are collected first, because terms may name variables of any line.

use super::token::{Placed, Token, tokens};
use super::{CHECK_KINDS, CLASSES, INTEGER_NAMES, SOURCE_KINDS, SYNTAX, ZONES, value_of};
use crate::operation::{MemoryCondition, Operation, ValueSource};
use crate::program::{
    Edge, EdgeId, Function, FunctionId, Location, LocationId, Marks, Origin, Program, Role, Scope, Sign, SourceId, Storage, SyntaxCounts,
    VarId, Variable,
};
use crate::property::{Questions, Target};
use crate::thread::ThreadOperation;
use crate::types::{CType, DataModel, Member};
use assay_base::{Assumption, Fact, FastMap, FileId, Id, IdVec, SourceMap, Span};
use assay_term::{Sort, SymbolId, Term, Terms};

/// Where and why a text is not a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReadError {
    /// The line, from 1; 0 for what concerns the whole text.
    pub line: u32,
    /// What is wrong there.
    pub message: String,
}

impl std::fmt::Display for ReadError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.line == 0 { write!(f, "{}", self.message) } else { write!(f, "line {}: {}", self.line, self.message) }
    }
}

impl std::error::Error for ReadError {}

/// Reads a program. What is read is well-formed as text; whether it is as a program the verifier says.
pub fn read(text: &str) -> Result<Program, ReadError> {
    let mut lines = vec![];
    for (index, line) in text.lines().enumerate() {
        let line_number = index as u32 + 1;
        let tokens = tokens(line).map_err(|message| ReadError { line: line_number, message })?;
        if !tokens.is_empty() {
            lines.push((line_number, line, tokens));
        }
    }
    let mut reader = Reader::default();
    for (line, text, tokens) in &lines {
        let rest = &mut Cursor { line: text, rest: tokens };
        reader.declare(rest).map_err(|message| ReadError { line: *line, message })?;
    }
    reader.intern_symbols().map_err(|message| ReadError { line: 0, message })?;
    for (line, text, tokens) in &lines {
        let rest = &mut Cursor { line: text, rest: tokens };
        reader.contents(rest).map_err(|message| ReadError { line: *line, message })?;
    }
    reader.finish().map_err(|message| ReadError { line: 0, message })
}

#[derive(Default)]
struct Reader {
    terms: Terms,
    model: Option<DataModel>,
    entry: String,
    sources: SourceMap,
    syntax: SyntaxCounts,
    questions: Questions,
    assumptions: Vec<Assumption>,
    value_sources: IdVec<SourceId, ValueSource>,
    variables: IdVec<VarId, Variable>,
    globals: Vec<VarId>,
    functions: IdVec<FunctionId, Function>,
    /// The function in whose block the reader is.
    current: Option<FunctionId>,
    blocks: u32,
    variable_names: FastMap<String, VarId>,
    function_names: FastMap<String, FunctionId>,
    locations: Vec<Option<Location>>,
    edges: Vec<Option<Edge>>,
    edges_read: u32,
    variables_read: u32,
}

struct Cursor<'t, 'a> {
    line: &'a str,
    rest: &'t [Placed<'a>],
}

impl<'a> Cursor<'_, 'a> {
    fn next(&mut self) -> Result<Token<'a>, String> {
        let (first, rest) = self.rest.split_first().ok_or("the line ends too early")?;
        self.rest = rest;
        Ok(first.0.clone())
    }
    fn peek(&self, ahead: usize) -> Option<&Token<'a>> {
        self.rest.get(ahead).map(|(token, _)| token)
    }
    fn word(&mut self) -> Result<&'a str, String> {
        match self.next()? {
            Token::Word(word) => Ok(word),
            other => Err(format!("a word is expected, not {other:?}")),
        }
    }
    fn name(&mut self) -> Result<String, String> {
        match self.next()? {
            Token::Word(word) => Ok(word.to_string()),
            Token::Name(name) => Ok(name),
            other => Err(format!("a name is expected, not {other:?}")),
        }
    }
    fn text(&mut self) -> Result<String, String> {
        match self.next()? {
            Token::Text(text) => Ok(text),
            other => Err(format!("a text in quotation marks is expected, not {other:?}")),
        }
    }
    fn expect(&mut self, token: Token<'_>) -> Result<(), String> {
        let next = self.next()?;
        if next == token { Ok(()) } else { Err(format!("{token:?} is expected, not {next:?}")) }
    }
    fn accept(&mut self, token: Token<'_>) -> bool {
        let found = self.peek(0) == Some(&token);
        if found {
            self.rest = &self.rest[1..];
        }
        found
    }
    fn number<N: std::str::FromStr>(&mut self) -> Result<N, String> {
        let word = self.word()?;
        word.parse().map_err(|_| format!("`{word}` is not a number"))
    }
    fn id<I: Id>(&mut self, prefix: char) -> Result<I, String> {
        let word = self.word()?;
        id(word, prefix)
    }
    fn of<T: Copy>(&mut self, table: &[(&'static str, T)]) -> Result<T, String> {
        let word = self.word()?;
        value_of(table, word).ok_or_else(|| format!("`{word}` is not known here"))
    }
    fn span(&mut self) -> Result<Span, String> {
        let word = self.word()?;
        span(word).ok_or_else(|| format!("`{word}` is not a position of the form file:line:column"))
    }
    fn optional_span(&mut self) -> Span {
        match self.peek(0) {
            Some(&Token::Word(word)) if word.starts_with(|c: char| c.is_ascii_digit()) => match span(word) {
                Some(place) => {
                    self.rest = &self.rest[1..];
                    place
                }
                None => Span::NONE,
            },
            _ => Span::NONE,
        }
    }
    /// The text of a term: up to the closing parenthesis, or what hangs together without a space.
    fn term(&mut self) -> Result<&'a str, String> {
        let ((first, range), mut rest) = self.rest.split_first().ok_or("a term is missing")?;
        let mut end = range.end;
        let mut depth = usize::from(*first == Token::Open);
        while let Some(((token, place), after)) = rest.split_first() {
            match token {
                _ if depth == 0 && (place.start != end || matches!(token, Token::Open | Token::Close)) => break,
                Token::Open => depth += 1,
                Token::Close => depth -= 1,
                _ => {}
            }
            end = place.end;
            rest = after;
            if depth == 0 && *token == Token::Close {
                break;
            }
        }
        self.rest = rest;
        Ok(&self.line[range.start..end])
    }
    fn end(&self) -> Result<(), String> {
        match self.peek(0) {
            None => Ok(()),
            Some(token) => Err(format!("{token:?} is one token too many")),
        }
    }
}

fn id<I: Id>(word: &str, prefix: char) -> Result<I, String> {
    // Ids come from the text: a bound keeps a slip of the pen from asking for gigabytes.
    let number = word.strip_prefix(prefix).and_then(|digits| digits.parse::<u32>().ok()).filter(|&n| n < 1 << 28);
    number.map(|n| I::from_index(n as usize)).ok_or_else(|| format!("`{word}` is not of the form {prefix}n"))
}

fn span(word: &str) -> Option<Span> {
    let mut parts = word.split(':').map(|part| part.parse::<u32>().ok());
    let place = Span { file: FileId(parts.next()??), line: parts.next()??, column: parts.next()?? };
    parts.next().is_none().then_some(place)
}

impl Reader {
    /// First round: everything but terms.
    fn declare(&mut self, line: &mut Cursor<'_, '_>) -> Result<(), String> {
        let keyword = line.word()?;
        match keyword {
            "program" => {
                let model = line.word()?;
                self.model = Some(DataModel::parse(model).ok_or_else(|| format!("`{model}` is not a data model"))?);
                self.entry = line.name()?;
                line.end()
            }
            "questions" => {
                while !line.rest.is_empty() {
                    let word = line.word()?;
                    self.questions.insert(target_named(word)?);
                }
                Ok(())
            }
            "file" => {
                let name = line.text()?;
                self.sources.add(name, "");
                line.end()
            }
            "syntax" => {
                while !line.rest.is_empty() {
                    let field = line.of(&SYNTAX)?;
                    *field(&mut self.syntax) = line.number()?;
                }
                Ok(())
            }
            "assumption" => {
                let (class, span, text) = (line.of(&CLASSES)?, line.span()?, line.text()?);
                // Two texts are a function without a body and its effect.
                let effect = if line.rest.is_empty() { None } else { Some(line.text()?) };
                let fact = match effect {
                    Some(effect) => Fact::NoBody { function: text, effect },
                    None => Fact::Sentence(text),
                };
                self.assumptions.push(Assumption { class, span, fact });
                line.end()
            }
            "source" => {
                let id: SourceId = line.id('n')?;
                if id != self.value_sources.next_id() {
                    return Err(format!("{id} is out of order"));
                }
                let (kind, name, span) = (line.of(&SOURCE_KINDS)?, line.text()?, line.span()?);
                self.value_sources.push(ValueSource { kind, name, span });
                line.end()
            }
            "global" => self.variable(line, Scope::Global),
            "local" => {
                let function = self.current.ok_or("a local outside of a function")?;
                self.variable(line, Scope::Local(function))
            }
            "function" => {
                let name = line.name()?;
                line.expect(Token::Word("entry"))?;
                let entry = line.id('L')?;
                line.expect(Token::Word("exit"))?;
                let exit = line.id('L')?;
                let span = line.optional_span();
                let function = Function {
                    name: name.clone(),
                    symbol: SymbolId(0),
                    entry,
                    exit,
                    parameters: vec![],
                    result: None,
                    locals: vec![],
                    span,
                };
                let id = self.functions.push(function);
                if self.function_names.insert(name.clone(), id).is_some() {
                    return Err(format!("the function `{name}` is there twice"));
                }
                self.current = Some(id);
                line.end()
            }
            "end" => {
                self.current = None;
                line.end()
            }
            _ if self.current.is_some() => Ok(()),
            other => Err(format!("`{other}` is not known outside of a function")),
        }
    }

    fn variable(&mut self, line: &mut Cursor<'_, '_>, scope: Scope) -> Result<(), String> {
        let name = line.name()?;
        line.expect(Token::Open)?;
        let storage = match line.word()? {
            "register" => Storage::Register { width: line.number::<u32>().ok().filter(|w| (1..1 << 15).contains(w)).ok_or("a bad width")? },
            "memory" => {
                let size = match line.word()? {
                    "?" => None,
                    word => Some(word.parse().map_err(|_| format!("`{word}` is not a size"))?),
                };
                Storage::Memory { size, align: line.number()?, constant: line.accept(Token::Word("constant")) }
            }
            other => return Err(format!("`{other}` is not a storage")),
        };
        let exposed = line.accept(Token::Word("exposed"));
        line.expect(Token::Close)?;
        let ctype = ctype(line)?;
        let role = if line.accept(Token::Open) {
            line.expect(Token::Word("parameter"))?;
            let role = Role::Parameter(line.number()?);
            line.expect(Token::Close)?;
            role
        } else {
            match line.word()? {
                "source" => Role::Source,
                "result" => Role::Result,
                "temporary" => Role::Temporary,
                "literal" => Role::StringLiteral,
                other => return Err(format!("`{other}` is not a role")),
            }
        };
        let (source_name, span) = (line.text()?, line.optional_span());
        let id = self.variables.next_id();
        let slots = match scope {
            Scope::Global => &mut self.globals,
            Scope::Local(function) => {
                match role {
                    Role::Parameter(_) => self.functions[function].parameters.push(id),
                    Role::Result => self.functions[function].result = Some(id),
                    _ => {}
                }
                &mut self.functions[function].locals
            }
        };
        let slot = slots.len() as u32;
        slots.push(id);
        if self.variable_names.insert(name.clone(), id).is_some() {
            return Err(format!("the variable `{name}` is there twice"));
        }
        self.variables.push(Variable { name, source_name, scope, role, storage, ctype, slot, initial: vec![], exposed, span });
        Ok(())
    }

    /// Variables get the first symbols, functions the next.
    fn intern_symbols(&mut self) -> Result<(), String> {
        let pointer_width = self.model.ok_or("there is no line `program …`")?.pointer_width();
        for variable in self.variables.iter() {
            self.terms.intern_symbol(&variable.name, Sort::bv(variable.register_width().unwrap_or(pointer_width)));
        }
        let variables = self.variables.len();
        for (index, function) in self.functions.iter_mut().enumerate() {
            function.symbol = self.terms.intern_symbol(&format!("fn {}", function.name), Sort::bv(pointer_width));
            if function.symbol.index() != variables + index {
                return Err(format!("`fn {}` names a variable and a function", function.name));
            }
        }
        for (id, function) in self.functions.iter_mut().enumerate() {
            let variables = &self.variables;
            function.parameters.sort_by_key(|&p| match variables[p].role {
                Role::Parameter(index) => index,
                _ => u32::MAX,
            });
            for place in [function.entry, function.exit] {
                mention(&mut self.locations, place, FunctionId::from_index(id))?;
            }
        }
        self.current = None;
        Ok(())
    }

    /// Second round: initial values, targets and edges.
    fn contents(&mut self, line: &mut Cursor<'_, '_>) -> Result<(), String> {
        let keyword = line.word()?;
        match keyword {
            "program" | "questions" | "file" | "syntax" | "assumption" | "source" => Ok(()),
            "global" | "local" => self.initial(line),
            "function" => {
                self.current = Some(FunctionId(self.blocks));
                self.blocks += 1;
                Ok(())
            }
            "end" => {
                self.current = None;
                Ok(())
            }
            _ => {
                let function = self.current.ok_or("an edge outside of a function")?;
                match keyword {
                    "location" => {
                        let place = line.id('L')?;
                        mention(&mut self.locations, place, function)?;
                        line.end()
                    }
                    "target" => {
                        let place: LocationId = line.id('L')?;
                        let target = target_named(line.word()?)?;
                        self.questions.insert(target);
                        mention(&mut self.locations, place, function)?.target = Some(target);
                        line.end()
                    }
                    _ => self.edge(keyword, line, function),
                }
            }
        }
    }

    fn initial(&mut self, line: &mut Cursor<'_, '_>) -> Result<(), String> {
        let id = VarId(self.variables_read);
        self.variables_read += 1;
        // What stands before the initial values was read in the first iteration.
        let mark = (0..line.rest.len()).find(|&at| line.peek(at) == Some(&Token::Open) && line.peek(at + 1) == Some(&Token::Word("init")));
        let Some(start) = mark else {
            let before = line.rest.iter().rposition(|(t, _)| matches!(t, Token::Text(_))).map_or(0, |at| at + 1);
            let mut after = Cursor { line: line.line, rest: &line.rest[before..] };
            after.optional_span();
            return after.end();
        };
        line.rest = &line.rest[start + 2..];
        while line.accept(Token::Open) {
            let offset = line.number()?;
            let value = self.term(line)?;
            self.variables[id].initial.push((offset, value));
            line.expect(Token::Close)?;
        }
        line.expect(Token::Close)?;
        line.end()
    }

    fn term(&self, line: &mut Cursor<'_, '_>) -> Result<Term, String> {
        self.terms.parse_term(line.term()?).map_err(|error| error.to_string())
    }

    fn origin(&self, line: &mut Cursor<'_, '_>) -> Result<Origin, String> {
        if line.accept(Token::Word("statement")) {
            return Ok(Origin::Statement);
        }
        if !line.accept(Token::Open) {
            return Ok(Origin::Internal);
        }
        let origin = match line.word()? {
            "branch" => {
                let taken = line.of(&[("taken", true), ("not-taken", false)])?;
                Origin::Branch { taken, keyword: line.span()?, looping: line.accept(Token::Word("loop")) }
            }
            "case" => Origin::Case { keyword: line.span()? },
            "call" => Origin::Call { close: line.span()? },
            "operation" => {
                let word = line.word()?;
                let sign = Sign::ALL.into_iter().find(|sign| sign.name() == word).ok_or_else(|| format!("`{word}` is not an operation"))?;
                Origin::Operation { sign, left: self.term(line)?, right: self.term(line)? }
            }
            "use" => Origin::Use { value: self.term(line)? },
            other => return Err(format!("`{other}` is not an origin")),
        };
        line.expect(Token::Close)?;
        Ok(origin)
    }

    fn edge(&mut self, first: &str, line: &mut Cursor<'_, '_>, function: FunctionId) -> Result<(), String> {
        let (number, source) = match first.strip_suffix(':') {
            Some(word) => (id::<EdgeId>(word, 'E')?, line.id('L')?),
            None => (EdgeId(self.edges_read), id::<LocationId>(first, 'L')?),
        };
        self.edges_read += 1;
        line.expect(Token::Word("->"))?;
        let target: LocationId = line.id('L')?;
        let operation = self.operation(line)?;
        let mut edge_span = Span::NONE;
        if let Some(&Token::Word(word)) = line.peek(0)
            && let Some(place) = word.strip_prefix('@')
        {
            edge_span = span(place).ok_or_else(|| format!("`{word}` is not a position"))?;
            line.rest = &line.rest[1..];
        }
        let origin = self.origin(line)?;
        line.end()?;
        mention(&mut self.locations, source, function)?;
        mention(&mut self.locations, target, function)?;
        if self.edges.len() <= number.index() {
            self.edges.resize(number.index() + 1, None);
        }
        if self.edges[number.index()].is_some() {
            return Err(format!("{number} is there twice"));
        }
        self.edges[number.index()] = Some(Edge { source, target, operation, span: edge_span, origin });
        Ok(())
    }

    fn variable_named(&self, line: &mut Cursor<'_, '_>) -> Result<VarId, String> {
        let name = line.name()?;
        self.variable_names.get(&name).copied().ok_or_else(|| format!("the variable `{name}` is not declared"))
    }

    fn source(&self, line: &mut Cursor<'_, '_>) -> Result<SourceId, String> {
        let id: SourceId = line.id('n')?;
        if id.index() < self.value_sources.len() { Ok(id) } else { Err(format!("the source {id} is not declared")) }
    }

    fn operation(&self, line: &mut Cursor<'_, '_>) -> Result<Operation, String> {
        Ok(match line.word()? {
            "skip" => Operation::Skip,
            "assume" => Operation::Assume { condition: self.term(line)? },
            "assign" => Operation::Assign { target: self.variable_named(line)?, value: self.term(line)? },
            "havoc" => Operation::Havoc { target: self.variable_named(line)?, source: self.source(line)? },
            "load" => Operation::Load { target: self.variable_named(line)?, address: self.term(line)? },
            "store" => Operation::Store { address: self.term(line)?, value: self.term(line)? },
            "copy" => Operation::Copy { destination: self.term(line)?, source: self.term(line)?, size: self.term(line)? },
            "fill" => Operation::Fill { destination: self.term(line)?, byte: self.term(line)?, size: self.term(line)? },
            "havoc-memory" => Operation::HavocMemory { address: self.term(line)?, size: self.term(line)?, source: self.source(line)? },
            "allocate" => Operation::Allocate {
                target: self.variable_named(line)?,
                size: self.term(line)?,
                zone: line.of(&ZONES)?,
                zeroed: line.accept(Token::Word("zeroed")),
            },
            "free" => Operation::Free { address: self.term(line)? },
            "declare" => {
                let object = self.variable_named(line)?;
                let size = if line.accept(Token::Word("size")) { Some(self.term(line)?) } else { None };
                Operation::Declare { object, size }
            }
            "end-life" => Operation::EndLife { object: self.variable_named(line)? },
            "call" => self.call(line)?,
            "check" => Operation::Check { kind: line.of(&CHECK_KINDS)?, fails: self.term(line)? },
            "assume-memory" => {
                let holds = line.of(&[("holds", true), ("fails", false)])?;
                let condition = match line.word()? {
                    "accessible" => MemoryCondition::Accessible { address: self.term(line)?, size: self.term(line)?, write: false },
                    "writable" => MemoryCondition::Accessible { address: self.term(line)?, size: self.term(line)?, write: true },
                    "initialised" => MemoryCondition::Initialised { address: self.term(line)?, size: self.term(line)? },
                    "freeable" => MemoryCondition::Freeable { address: self.term(line)? },
                    "all-reachable" => MemoryCondition::AllReachable,
                    "nothing-allocated" => MemoryCondition::NothingAllocated,
                    other => return Err(format!("`{other}` is not a condition on memory")),
                };
                Operation::AssumeMemory { condition, holds }
            }
            "unsupported" => Operation::Unsupported { what: line.text()? },
            "spawn" => Operation::Thread(ThreadOperation::Spawn {
                target: self.variable_named(line)?,
                start: self.term(line)?,
                argument: self.term(line)?,
            }),
            "join" => Operation::Thread(ThreadOperation::Join { target: self.variable_named(line)?, thread: self.term(line)? }),
            "thread-exit" => Operation::Thread(ThreadOperation::Exit { value: self.term(line)? }),
            "current-thread" => Operation::Thread(ThreadOperation::Current { target: self.variable_named(line)? }),
            "atomic-begin" => Operation::Thread(ThreadOperation::AtomicBegin),
            "atomic-end" => Operation::Thread(ThreadOperation::AtomicEnd),
            "acquire" => Operation::Thread(ThreadOperation::Acquire { lock: self.term(line)? }),
            "try-acquire" => Operation::Thread(ThreadOperation::TryAcquire { target: self.variable_named(line)?, lock: self.term(line)? }),
            "release" => Operation::Thread(ThreadOperation::Release { lock: self.term(line)? }),
            other => return Err(format!("`{other}` is not an operation")),
        })
    }

    fn call(&self, line: &mut Cursor<'_, '_>) -> Result<Operation, String> {
        let name = line.name()?;
        let callee = *self.function_names.get(&name).ok_or_else(|| format!("the function `{name}` is not there"))?;
        let mut arguments = vec![];
        loop {
            match (line.peek(0), line.peek(1)) {
                (None, _) => break,
                (Some(Token::Word(word)), _) if word.starts_with('@') || matches!(*word, "result" | "statement") => break,
                (Some(Token::Open), Some(Token::Word("branch" | "case" | "call"))) if is_origin(line) => break,
                _ => arguments.push(self.term(line)?),
            }
        }
        let result = if line.accept(Token::Word("result")) { Some(self.variable_named(line)?) } else { None };
        Ok(Operation::Call { callee, arguments, result })
    }

    fn finish(self) -> Result<Program, String> {
        let entry = *self.function_names.get(&self.entry).ok_or_else(|| format!("the entry function `{}` is not there", self.entry))?;
        let mut locations: IdVec<LocationId, Location> = IdVec::new();
        for (index, location) in self.locations.into_iter().enumerate() {
            locations.push(location.ok_or_else(|| format!("L{index} is missing: locations are numbered without gaps"))?);
        }
        let mut edges: IdVec<EdgeId, Edge> = IdVec::new();
        for (index, edge) in self.edges.into_iter().enumerate() {
            let edge = edge.ok_or_else(|| format!("E{index} is missing: edges are numbered without gaps"))?;
            let id = edges.next_id();
            locations[edge.source].outgoing.push(id);
            locations[edge.target].incoming.push(id);
            edges.push(edge);
        }
        Ok(Program {
            terms: self.terms.freeze(),
            sources: self.sources,
            model: self.model.ok_or("there is no line `program …`")?,
            variables: self.variables,
            functions: self.functions,
            locations,
            edges,
            value_sources: self.value_sources,
            entry,
            globals: self.globals,
            assumptions: self.assumptions,
            syntax: self.syntax,
            marks: Marks::default(),
            outside: vec![],
            questions: self.questions,
        })
    }
}

fn target_named(word: &str) -> Result<Target, String> {
    Target::ALL.into_iter().find(|target| target.name() == word).ok_or_else(|| format!("`{word}` is not a target"))
}

/// `(call f 32 …)` is a term, `(call 0:1:2)` an origin.
fn is_origin(line: &Cursor<'_, '_>) -> bool {
    line.peek(1) != Some(&Token::Word("call")) || matches!(line.peek(3), Some(Token::Close))
}

fn mention(locations: &mut Vec<Option<Location>>, place: LocationId, function: FunctionId) -> Result<&mut Location, String> {
    if locations.len() <= place.index() {
        locations.resize(place.index() + 1, None);
    }
    let location = locations[place.index()].get_or_insert(Location { function, outgoing: vec![], incoming: vec![], target: None });
    if location.function == function { Ok(location) } else { Err(format!("{place} is a location of two functions")) }
}

fn ctype(line: &mut Cursor<'_, '_>) -> Result<CType, String> {
    let mut arrays = 0;
    let mut ctype = loop {
        if !line.accept(Token::Open) {
            break match line.word()? {
                "void" => CType::Void,
                "bool" => CType::Bool,
                "pointer" => CType::Pointer,
                "function" => CType::Function,
                other => return Err(format!("`{other}` is not a type")),
            };
        }
        let found = match line.word()? {
            "array" => {
                arrays += 1;
                continue;
            }
            "int" => {
                let (width, signed, spelling) = (line.number()?, line.of(&[("signed", true), ("unsigned", false)])?, line.text()?);
                let name = INTEGER_NAMES.into_iter().find(|n| *n == spelling);
                CType::Integer { width, signed, name: name.ok_or_else(|| format!("`{spelling}` is not an integer type"))? }
            }
            "float" => CType::Float { width: line.number()? },
            "record" => {
                let (name, size, mut members) = (line.text()?, line.number()?, vec![]);
                while line.accept(Token::Open) {
                    members.push(Member { name: line.text()?, offset: line.number()?, ctype: self::ctype(line)? });
                    line.expect(Token::Close)?;
                }
                CType::Record { name, size, members: members.into() }
            }
            other => return Err(format!("`{other}` is not a type")),
        };
        line.expect(Token::Close)?;
        break found;
    };
    for _ in 0..arrays {
        let length = match line.word()? {
            "?" => None,
            word => Some(word.parse().map_err(|_| format!("`{word}` is not a length"))?),
        };
        line.expect(Token::Close)?;
        ctype = CType::Array { element: Box::new(ctype), length };
    }
    Ok(ctype)
}
