//! Reads SMT-LIB scripts of bit-vectors, arrays, floats, integers and uninterpreted functions.

use crate::bits::Bits;
use crate::float::FloatFormat;
use crate::node::{Round, Sort, SymbolId, Term};
use crate::store::Terms;
use crate::syntax::{Lexer, ROUNDS, ReadError, Token, valid_width};
use assay_base::FastMap;

impl Terms {
    /// The constraints that a script asserts; its symbols are interned by name, `Bool` as width 1 and floats as
    /// bit patterns. Commands that ask questions are passed over; `push`, `pop` and definitions with parameters
    /// are not supported.
    ///
    /// # Errors
    /// Where the text is no such script.
    pub fn read_smtlib(&self, text: &str) -> Result<Vec<Term>, ReadError> {
        let mut reader = Reader { terms: self, lexer: Lexer::new(text, false), names: FastMap::default(), functions: FastMap::default() };
        reader.script()
    }
}

#[derive(Clone, Copy)]
pub(super) enum Value {
    /// A bit-vector, truth value or array.
    Vector(Term),
    /// A float, as its pattern.
    Float(Term),
    Round(Round),
}

impl Value {
    pub(super) fn term(self) -> Option<Term> {
        match self {
            Value::Vector(term) | Value::Float(term) => Some(term),
            Value::Round(_) => None,
        }
    }
}

/// An operator's name with its indices.
pub(super) struct Head {
    pub at: usize,
    pub name: String,
    pub numbers: Vec<u32>,
    /// The sort of `(as const sort)`.
    pub sort: Option<Sort>,
}

enum Frame {
    Apply {
        head: Head,
        values: Vec<Value>,
    },
    Let {
        pending: Option<String>,
        bindings: Vec<(String, Value)>,
        body: Option<Value>,
        in_body: bool,
    },
    /// `(! term …)`: what follows the term is passed over.
    Annotated {
        body: Option<Value>,
    },
}

pub(super) struct Reader<'t> {
    pub terms: &'t Terms,
    lexer: Lexer<'t>,
    /// What a name means, innermost binding last.
    names: FastMap<String, Vec<Value>>,
    pub functions: FastMap<String, (SymbolId, Vec<Sort>, Sort)>,
}

impl Reader<'_> {
    fn script(&mut self) -> Result<Vec<Term>, ReadError> {
        let mut constraints = Vec::new();
        while let Some((at, token)) = self.lexer.next()? {
            if token != Token::Open {
                return Err(ReadError::Unexpected { at, found: token.describe(), expected: "a command" });
            }
            let (at, command) = self.lexer.expect_word("a command")?;
            match command.as_str() {
                "assert" => {
                    let (at, value) = self.term()?;
                    let term = value.term().filter(|&t| self.terms.sort(t) == Sort::BOOL);
                    constraints.push(term.ok_or(ReadError::BadOperands { at, operator: command })?);
                    self.lexer.expect_token(&Token::Close, "`)`")?;
                }
                "declare-fun" | "declare-const" => self.declare(command == "declare-fun")?,
                "define-fun" | "define-const" => {
                    let (_, name) = self.name()?;
                    if command == "define-fun" {
                        self.lexer.expect_token(&Token::Open, "`(`")?;
                        self.lexer.expect_token(&Token::Close, "no parameters")?;
                    }
                    self.sort()?;
                    let (_, value) = self.term()?;
                    self.lexer.expect_token(&Token::Close, "`)`")?;
                    self.names.insert(name, vec![value]);
                }
                "set-logic" | "set-info" | "set-option" | "check-sat" | "check-sat-assuming" | "get-model" | "get-value" | "get-info"
                | "get-unsat-core" | "exit" | "echo" => self.skip(1)?,
                _ => return Err(ReadError::Unsupported { at, name: command }),
            }
        }
        Ok(constraints)
    }

    /// Passes over everything until this many parentheses are closed.
    fn skip(&mut self, mut open: usize) -> Result<(), ReadError> {
        while open > 0 {
            match self.lexer.expect()?.1 {
                Token::Open => open += 1,
                Token::Close => open -= 1,
                Token::Atom { .. } => {}
            }
        }
        Ok(())
    }

    fn name(&mut self) -> Result<(usize, String), ReadError> {
        let (at, text) = self.lexer.expect_word("a name")?;
        Ok((at, decoded(&text)))
    }

    fn declare(&mut self, with_parameters: bool) -> Result<(), ReadError> {
        let (at, name) = self.name()?;
        let mut parameters = Vec::new();
        if with_parameters {
            self.lexer.expect_token(&Token::Open, "`(`")?;
            loop {
                let (at, token) = self.lexer.expect()?;
                if token == Token::Close {
                    break;
                }
                parameters.push(self.sort_from(at, token)?.0);
            }
        }
        let (sort, is_float) = self.sort()?;
        self.lexer.expect_token(&Token::Close, "`)`")?;
        // The address of a symbol that the store knows is that address again.
        if let Some(symbol) = name.strip_prefix('&').and_then(|plain| self.terms.find_symbol(plain))
            && parameters.is_empty()
            && sort.is_vector()
        {
            let address = self.terms.address(symbol, sort.width());
            self.names.insert(name, vec![Value::Vector(address)]);
            return Ok(());
        }
        if self.terms.find_symbol(&name).is_some_and(|known| self.terms.symbol_info(known).sort != sort) {
            return Err(ReadError::SymbolHasOtherSort { at, name });
        }
        let symbol = self.terms.intern_symbol(&name, sort);
        if parameters.is_empty() {
            let term = self.terms.symbol(symbol);
            self.names.insert(name, vec![if is_float { Value::Float(term) } else { Value::Vector(term) }]);
        } else {
            self.functions.insert(name, (symbol, parameters, sort));
        }
        Ok(())
    }

    fn sort(&mut self) -> Result<(Sort, bool), ReadError> {
        let (at, token) = self.lexer.expect()?;
        self.sort_from(at, token)
    }

    /// A sort whose first token has been read, and whether it is a float.
    fn sort_from(&mut self, at: usize, token: Token) -> Result<(Sort, bool), ReadError> {
        let bad = |name: String| ReadError::Unsupported { at, name };
        if let Token::Atom { text, .. } = token {
            return match text.as_str() {
                "Bool" => Ok((Sort::BOOL, false)),
                "Int" => Ok((Sort::INTEGER, false)),
                "Float16" => Ok((Sort::bv(16), true)),
                "Float32" => Ok((Sort::bv(32), true)),
                "Float64" => Ok((Sort::bv(64), true)),
                "Float128" => Ok((Sort::bv(128), true)),
                _ => Err(bad(text)),
            };
        }
        let (_, word) = self.lexer.expect_word("a sort")?;
        let result = match word.as_str() {
            // Nested arrays are refused below, so the recursion is one level deep.
            "Array" => {
                let (index, element) = (self.plain_sort()?, self.plain_sort()?);
                (Sort::array(index, element), false)
            }
            "_" => match self.lexer.expect_word("a sort")?.1.as_str() {
                "BitVec" => {
                    let width = self.lexer.expect_number("a width")?;
                    if !valid_width(width) {
                        return Err(bad(format!("BitVec {width}")));
                    }
                    (Sort::bv(width), false)
                }
                "FloatingPoint" => {
                    let (e, s) = (self.lexer.expect_number("a number")?, self.lexer.expect_number("a number")?);
                    (Sort::bv(self.format(at, e, s)?.width()), true)
                }
                other => return Err(bad(other.into())),
            },
            _ => return Err(bad(word)),
        };
        self.lexer.expect_token(&Token::Close, "`)`")?;
        Ok(result)
    }

    /// The width of an array's index or element.
    fn plain_sort(&mut self) -> Result<u32, ReadError> {
        let (at, token) = self.lexer.expect()?;
        if token == Token::Open {
            let (at, word) = self.lexer.expect_word("a sort")?;
            let (_, kind) = self.lexer.expect_word("a sort")?;
            if word != "_" || kind != "BitVec" {
                return Err(ReadError::Unsupported { at, name: format!("array of {kind}") });
            }
            let width = self.lexer.expect_number("a width")?;
            self.lexer.expect_token(&Token::Close, "`)`")?;
            return if valid_width(width) { Ok(width) } else { Err(ReadError::Unsupported { at, name: format!("BitVec {width}") }) };
        }
        match self.sort_from(at, token)?.0 {
            sort if sort.is_vector() => Ok(sort.width()),
            sort => Err(ReadError::Unsupported { at, name: format!("array of {sort:?}") }),
        }
    }

    pub(super) fn format(&self, at: usize, exponent: u32, significand: u32) -> Result<FloatFormat, ReadError> {
        [FloatFormat::Half, FloatFormat::Single, FloatFormat::Double, FloatFormat::Extended, FloatFormat::Quad]
            .into_iter()
            .find(|f| f.exponent_bits() == exponent && f.precision() == significand)
            .ok_or(ReadError::Unsupported { at, name: format!("FloatingPoint {exponent} {significand}") })
    }

    fn term(&mut self) -> Result<(usize, Value), ReadError> {
        let mut frames: Vec<Frame> = Vec::new();
        loop {
            let (at, token) = self.lexer.expect()?;
            let finished = match (token, frames.last_mut()) {
                // Inside the list of bindings: `(name term)`, and the parenthesis that ends the list.
                (Token::Open, Some(Frame::Let { pending, in_body: false, .. })) if pending.is_none() => {
                    let (_, text) = self.lexer.expect_word("a name")?;
                    *pending = Some(decoded(&text));
                    None
                }
                (Token::Close, Some(Frame::Let { pending, bindings, in_body, .. })) if !*in_body => {
                    if pending.is_some() {
                        return Err(ReadError::Unexpected { at, found: ")".into(), expected: "a term" });
                    }
                    *in_body = true;
                    for (name, value) in bindings.iter() {
                        self.names.entry(name.clone()).or_default().push(*value);
                    }
                    None
                }
                (Token::Open, _) => self.open(at, &mut frames)?,
                (Token::Close, _) => {
                    let frame = frames.pop().ok_or(ReadError::Unexpected { at, found: ")".into(), expected: "a term" })?;
                    Some(self.close(at, frame)?)
                }
                (Token::Atom { text, quoted, .. }, _) => Some(self.atom(at, &text, quoted)?),
            };
            let Some(value) = finished else { continue };
            match frames.last_mut() {
                None => return Ok((at, value)),
                Some(Frame::Apply { values, .. }) => values.push(value),
                Some(Frame::Let { pending, bindings, body, in_body }) => {
                    if *in_body {
                        *body = Some(value);
                    } else if let Some(name) = pending.take() {
                        bindings.push((name, value));
                        self.lexer.expect_token(&Token::Close, "`)`")?;
                    } else {
                        return Err(ReadError::Unexpected { at, found: "a term".into(), expected: "a binding" });
                    }
                }
                Some(Frame::Annotated { body }) => {
                    *body = Some(value);
                    self.skip(1)?;
                    let value = *body.as_ref().unwrap_or(&value);
                    frames.pop();
                    match frames.last_mut() {
                        None => return Ok((at, value)),
                        Some(Frame::Apply { values, .. }) => values.push(value),
                        Some(Frame::Let { body, in_body: true, .. }) => *body = Some(value),
                        Some(_) => return Err(ReadError::Unsupported { at, name: "!".into() }),
                    }
                }
            }
        }
    }

    /// What follows an opening parenthesis: a finished value for `(_ …)`, else a new frame.
    fn open(&mut self, at: usize, frames: &mut Vec<Frame>) -> Result<Option<Value>, ReadError> {
        let (at_head, token) = self.lexer.expect()?;
        let text = match token {
            Token::Open => {
                let head = self.indexed_head(at)?;
                frames.push(Frame::Apply { head, values: Vec::new() });
                return Ok(None);
            }
            Token::Atom { text, quoted: true, .. } => decoded(&text),
            Token::Atom { text, .. } => text,
            Token::Close => return Err(ReadError::Unexpected { at: at_head, found: ")".into(), expected: "an operator" }),
        };
        match text.as_str() {
            "let" => {
                self.lexer.expect_token(&Token::Open, "`(`")?;
                frames.push(Frame::Let { pending: None, bindings: Vec::new(), body: None, in_body: false });
                Ok(None)
            }
            "!" => {
                frames.push(Frame::Annotated { body: None });
                Ok(None)
            }
            "_" => self.indexed_value().map(Some),
            _ => {
                frames.push(Frame::Apply { head: Head { at, name: text, numbers: Vec::new(), sort: None }, values: Vec::new() });
                Ok(None)
            }
        }
    }

    /// The rest of `(_ name n…)` or `(as const sort)`, after its opening parenthesis.
    fn indexed_head(&mut self, at: usize) -> Result<Head, ReadError> {
        let (at_word, word) = self.lexer.expect_word("`_` or `as`")?;
        if word == "as" {
            let (_, name) = self.lexer.expect_word("`const`")?;
            let (sort, _) = self.sort()?;
            self.lexer.expect_token(&Token::Close, "`)`")?;
            return Ok(Head { at, name, numbers: Vec::new(), sort: Some(sort) });
        }
        if word != "_" {
            return Err(ReadError::Unexpected { at: at_word, found: word, expected: "`_` or `as`" });
        }
        let (_, name) = self.lexer.expect_word("an operator")?;
        let numbers = self.numbers()?;
        Ok(Head { at, name, numbers, sort: None })
    }

    fn numbers(&mut self) -> Result<Vec<u32>, ReadError> {
        let mut numbers = Vec::new();
        loop {
            match self.lexer.expect()? {
                (_, Token::Close) => return Ok(numbers),
                (at, Token::Atom { text, .. }) => {
                    let number = text.parse().map_err(|_| ReadError::Unexpected { at, found: text, expected: "a number" })?;
                    numbers.push(number);
                }
                (at, token) => return Err(ReadError::Unexpected { at, found: token.describe(), expected: "a number" }),
            }
        }
    }

    /// `(_ bv5 32)` and the special floats, after the underscore.
    fn indexed_value(&mut self) -> Result<Value, ReadError> {
        let (at, name) = self.lexer.expect_word("a constant")?;
        let numbers = self.numbers()?;
        let bad = ReadError::BadOperands { at, operator: name.clone() };
        if let Some(digits) = name.strip_prefix("bv") {
            let (&[width], Ok(value)) = (numbers.as_slice(), digits.parse::<u128>()) else { return Err(bad) };
            if !valid_width(width) {
                return Err(bad);
            }
            let narrow = self.terms.number(width.min(Bits::MAX_WIDTH), value);
            return Ok(Value::Vector(self.terms.zero_extend(narrow, width)));
        }
        let &[e, s] = numbers.as_slice() else { return Err(bad) };
        let format = self.format(at, e, s)?;
        let width = format.width();
        let infinity = {
            let stored = if format == FloatFormat::Extended { s } else { s - 1 };
            Bits::mask(e) << stored | if format == FloatFormat::Extended { 1 << (s - 1) } else { 0 }
        };
        let sign = 1u128 << (width - 1);
        let bits = match name.as_str() {
            "NaN" => format.nan(),
            "+oo" => infinity,
            "-oo" => sign | infinity,
            "+zero" => 0,
            "-zero" => sign,
            _ => return Err(ReadError::Unsupported { at, name }),
        };
        Ok(Value::Float(self.terms.number(width, bits)))
    }

    fn atom(&mut self, at: usize, text: &str, quoted: bool) -> Result<Value, ReadError> {
        let bad = || ReadError::Unexpected { at, found: text.into(), expected: "a term" };
        if !quoted {
            if let Some(digits) = text.strip_prefix("#b") {
                return self.digits(digits, 1).ok_or_else(bad);
            }
            if let Some(digits) = text.strip_prefix("#x") {
                return self.digits(digits, 4).ok_or_else(bad);
            }
        }
        if !quoted && text.starts_with(|c: char| c.is_ascii_digit()) {
            return text.parse().map(|value| Value::Vector(self.terms.integer(value))).map_err(|_| bad());
        }
        let name = decoded(text);
        if let Some(value) = self.names.get(&name).and_then(|stack| stack.last()) {
            return Ok(*value);
        }
        match text {
            "true" => return Ok(Value::Vector(self.terms.true_())),
            "false" => return Ok(Value::Vector(self.terms.false_())),
            _ => {}
        }
        let long = [
            ("roundNearestTiesToEven", Round::NearestEven),
            ("roundNearestTiesToAway", Round::NearestAway),
            ("roundTowardPositive", Round::TowardPositive),
            ("roundTowardNegative", Round::TowardNegative),
            ("roundTowardZero", Round::TowardZero),
        ];
        let short = ROUNDS.iter().map(|&(_, name, round)| (name, round));
        match long.into_iter().chain(short).find(|(known, _)| *known == text) {
            Some((_, round)) => Ok(Value::Round(round)),
            None => Err(ReadError::UnknownSymbol { at, name }),
        }
    }

    /// A constant in binary or hexadecimal digits; wide ones are put together from pieces.
    fn digits(&self, digits: &str, bits_per_digit: u32) -> Option<Value> {
        let per_piece = (Bits::MAX_WIDTH / bits_per_digit) as usize;
        if digits.is_empty() || !digits.is_ascii() || !valid_width(u32::try_from(digits.len()).ok()?.checked_mul(bits_per_digit)?) {
            return None;
        }
        let mut result: Option<Term> = None;
        let mut rest = digits;
        while !rest.is_empty() {
            let (piece, tail) = rest.split_at(if rest.len().is_multiple_of(per_piece) { per_piece } else { rest.len() % per_piece });
            let value = u128::from_str_radix(piece, 1 << bits_per_digit).ok()?;
            let part = self.terms.number(piece.len() as u32 * bits_per_digit, value);
            result = Some(result.map_or(part, |high| self.terms.concat(high, part)));
            rest = tail;
        }
        result.map(Value::Vector)
    }

    fn close(&mut self, at: usize, frame: Frame) -> Result<Value, ReadError> {
        match frame {
            Frame::Apply { head, values } => {
                let error = ReadError::BadOperands { at: head.at, operator: head.name.clone() };
                match self.apply(&head, &values) {
                    Some(Some(value)) => Ok(value),
                    Some(None) => Err(error),
                    None => Err(ReadError::Unsupported { at: head.at, name: head.name }),
                }
            }
            Frame::Let { bindings, body, .. } => {
                for (name, _) in &bindings {
                    if let Some(stack) = self.names.get_mut(name) {
                        stack.pop();
                    }
                }
                body.ok_or(ReadError::Unexpected { at, found: ")".into(), expected: "a body" })
            }
            Frame::Annotated { body } => body.ok_or(ReadError::Unexpected { at, found: ")".into(), expected: "a term" }),
        }
    }
}

/// A symbol's name without the printer's escapes.
fn decoded(text: &str) -> String {
    let mut name = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('%') {
        name.push_str(&rest[..at]);
        let code = rest.get(at + 1..at + 3).and_then(|digits| u8::from_str_radix(digits, 16).ok()).filter(u8::is_ascii);
        match code {
            Some(code) => {
                name.push(code as char);
                rest = &rest[at + 3..];
            }
            None => {
                name.push('%');
                rest = &rest[at + 1..];
            }
        }
    }
    name.push_str(rest);
    name
}
