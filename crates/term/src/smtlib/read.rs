//! Reads SMT-LIB scripts of bit-vectors, arrays, floats, integers and uninterpreted functions.

use super::{FLOAT_COMPARISONS, NAMES, ROUNDED, is_nan};
use crate::bits::Bits;
use crate::float::{FloatFormat, makes_float};
use crate::node::{Op, Round, Sort, SymbolId, Term};
use crate::store::Terms;
use crate::syntax::{Lexer, ROUNDS, ReadError, Token, checked, valid_width};
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
enum Value {
    /// A bit-vector, truth value or array.
    Vector(Term),
    /// A float, as its pattern.
    Float(Term),
    Round(Round),
}

impl Value {
    fn term(self) -> Option<Term> {
        match self {
            Value::Vector(term) | Value::Float(term) => Some(term),
            Value::Round(_) => None,
        }
    }
}

/// An operator's name with its indices.
struct Head {
    at: usize,
    name: String,
    numbers: Vec<u32>,
    /// The sort of `(as const sort)`.
    sort: Option<Sort>,
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

struct Reader<'t> {
    terms: &'t Terms,
    lexer: Lexer<'t>,
    /// What a name means, innermost binding last.
    names: FastMap<String, Vec<Value>>,
    functions: FastMap<String, (SymbolId, Vec<Sort>, Sort)>,
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

    fn format(&self, at: usize, exponent: u32, significand: u32) -> Result<FloatFormat, ReadError> {
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

    /// The outer option says whether the operator is known, the inner one whether the operands fit.
    fn apply(&self, head: &Head, values: &[Value]) -> Option<Option<Value>> {
        if let Some((symbol, parameters, sort)) = self.functions.get(&head.name) {
            let arguments: Option<Vec<Term>> = values.iter().map(|v| v.term()).collect();
            let fits = |arguments: &Vec<Term>| {
                arguments.len() == parameters.len() && arguments.iter().zip(parameters).all(|(&a, &s)| self.terms.sort(a) == s)
            };
            return Some(arguments.filter(fits).map(|arguments| Value::Vector(self.terms.apply(*symbol, &arguments, *sort))));
        }
        if let Some(result) = self.float_operator(head, values) {
            return Some(result);
        }
        let operands: Vec<Term> = values.iter().filter_map(|v| v.term()).collect();
        if operands.len() != values.len() || operands.is_empty() {
            // A float operator that is not among those above, or nonsense.
            return if head.name.starts_with("fp.") { None } else { Some(None) };
        }
        let is_float = matches!(values.last(), Some(Value::Float(_)));
        let result = self.operator(head, &operands, is_float)?;
        let keeps_float = is_float && matches!(head.name.as_str(), "ite" | "store" | "select");
        Some(result.map(|term| if keeps_float { Value::Float(term) } else { Value::Vector(term) }))
    }

    fn operator(&self, head: &Head, operands: &[Term], is_float: bool) -> Option<Option<Term>> {
        let t = self.terms;
        let near = Round::NearestEven;
        let build = |op: Op, operands: &[Term]| checked(t, op, near, &[], operands);
        let fold = |op: Op| {
            let mut result = operands[0];
            for &operand in &operands[1..] {
                result = build(op, &[result, operand])?;
            }
            Some(result)
        };
        let compare = |op: Op, swap: bool, negate: bool| {
            let &[a, b] = operands else { return None };
            let result = build(op, &if swap { [b, a] } else { [a, b] })?;
            Some(if negate { t.not(result) } else { result })
        };
        let width = t.width(operands[0]);
        Some(match head.name.as_str() {
            "and" | "bvand" => fold(Op::And),
            "or" | "bvor" => fold(Op::Or),
            "xor" | "bvxor" => fold(Op::Xor),
            "bvadd" => fold(Op::Add),
            "bvmul" => fold(Op::Mul),
            "concat" => fold(Op::Concat),
            "not" => build(Op::Not, operands),
            "=>" => {
                let &[a, b] = operands else { return Some(None) };
                build(Op::Not, &[a]).and_then(|a| build(Op::Or, &[a, b]))
            }
            "=" | "distinct" => {
                let mut all = t.true_();
                for (i, &a) in operands.iter().enumerate() {
                    for &b in &operands[i + 1..] {
                        if head.name == "=" && i > 0 {
                            break;
                        }
                        let Some(mut equal) = build(Op::Eq, &[a, b]) else { return Some(None) };
                        if is_float {
                            let both = t.and(is_nan(t, a), is_nan(t, b));
                            equal = t.or(equal, both);
                        }
                        all = t.and(all, if head.name == "=" { equal } else { t.not(equal) });
                    }
                }
                Some(all)
            }
            "+" => fold(Op::IntegerAdd),
            "*" => fold(Op::IntegerMul),
            "-" if operands.len() == 1 => build(Op::IntegerNeg, operands),
            "-" => {
                let mut result = operands[0];
                for &operand in &operands[1..] {
                    let Some(negative) = build(Op::IntegerNeg, &[operand]) else { return Some(None) };
                    let Some(sum) = build(Op::IntegerAdd, &[result, negative]) else { return Some(None) };
                    result = sum;
                }
                Some(result)
            }
            "<" => compare(Op::IntegerLess, false, false),
            ">" => compare(Op::IntegerLess, true, false),
            "<=" => compare(Op::IntegerLess, true, true),
            ">=" => compare(Op::IntegerLess, false, true),
            "bv2nat" | "ubv_to_int" => build(Op::IntegerOfUnsigned, operands),
            "sbv_to_int" => build(Op::IntegerOfSigned, operands),
            "int2bv" | "int_to_bv" => checked(t, Op::IntegerToBits, near, &head.numbers, operands),
            "bvsub" => {
                let &[a, b] = operands else { return Some(None) };
                build(Op::Neg, &[b]).and_then(|b| build(Op::Add, &[a, b]))
            }
            "bvnand" | "bvnor" | "bvxnor" => {
                let op = [Op::And, Op::Or, Op::Xor][["bvnand", "bvnor", "bvxnor"].iter().position(|n| *n == head.name)?];
                fold(op).map(|term| t.not(term))
            }
            "bvcomp" => compare(Op::Eq, false, false),
            "bvult" => compare(Op::UnsignedLess, false, false),
            "bvugt" => compare(Op::UnsignedLess, true, false),
            "bvule" => compare(Op::UnsignedLess, true, true),
            "bvuge" => compare(Op::UnsignedLess, false, true),
            "bvslt" => compare(Op::SignedLess, false, false),
            "bvsgt" => compare(Op::SignedLess, true, false),
            "bvsle" => compare(Op::SignedLess, true, true),
            "bvsge" => compare(Op::SignedLess, false, true),
            "extract" => checked(t, Op::Extract, near, &head.numbers, operands),
            "zero_extend" | "sign_extend" => {
                let op = if head.name == "zero_extend" { Op::ZeroExtend } else { Op::SignExtend };
                let &[by] = head.numbers.as_slice() else { return Some(None) };
                checked(t, op, near, &[width.saturating_add(by)], operands)
            }
            "const" => {
                let sort = head.sort.filter(|s| s.is_array() && s.width() == width && operands.len() == 1);
                sort.and_then(|sort| checked(t, Op::ConstArray, near, &[sort.index_width()], operands))
            }
            name => {
                let &(op, _) = NAMES.iter().find(|(_, known)| *known == name)?;
                build(op, operands)
            }
        })
    }

    fn float_operator(&self, head: &Head, values: &[Value]) -> Option<Option<Value>> {
        let t = self.terms;
        let (round, rest) = match values.split_first() {
            Some((Value::Round(round), rest)) => (Some(*round), rest),
            _ => (None, values),
        };
        let operands: Vec<Term> = rest.iter().filter_map(|v| v.term()).collect();
        let near = Round::NearestEven;
        let first = operands.first().copied();
        let is_float = matches!(rest.first(), Some(Value::Float(_)));
        let name = head.name.as_str();
        if let Some(&(op, _)) = ROUNDED.iter().find(|(_, known)| *known == name) {
            return Some(round.and_then(|round| checked(t, op, round, &[], &operands)).map(Value::Float));
        }
        if let Some(&(op, _)) = FLOAT_COMPARISONS.iter().find(|(_, known)| *known == name) {
            return Some(checked(t, op, near, &[], &operands).map(Value::Vector));
        }
        // Questions about one float.
        let format = first.and_then(|x| FloatFormat::of_width(t.width(x)));
        let sign = |x: Term| t.extract(x, t.width(x) - 1, t.width(x) - 1);
        let magnitude = |x: Term| t.and(x, t.number(t.width(x), Bits::mask(t.width(x) - 1)));
        let ask = |question: &dyn Fn(Term, FloatFormat) -> Term| Some(Value::Vector(question(first?, format?)));
        Some(match name {
            "fp.gt" | "fp.geq" => {
                let op = if name == "fp.gt" { Op::FLess } else { Op::FLessEq };
                let &[a, b] = operands.as_slice() else { return Some(None) };
                checked(t, op, near, &[], &[b, a]).map(Value::Vector)
            }
            "fp.isNaN" => ask(&|x, _| is_nan(t, x)),
            "fp.isZero" => ask(&|x, _| t.eq(magnitude(x), t.number(t.width(x), 0))),
            "fp.isInfinite" => ask(&|x, format| {
                let whole = if format == FloatFormat::Extended { format.precision() } else { format.precision() - 1 };
                let integer_bit = if format == FloatFormat::Extended { 1 << (whole - 1) } else { 0 };
                t.eq(magnitude(x), t.number(t.width(x), Bits::mask(format.exponent_bits()) << whole | integer_bit))
            }),
            "fp.isNegative" => ask(&|x, _| t.and(sign(x), t.not(is_nan(t, x)))),
            "fp.isPositive" => ask(&|x, _| t.and(t.not(sign(x)), t.not(is_nan(t, x)))),
            "fp.abs" => first.filter(|_| is_float).map(|x| Value::Float(magnitude(x))),
            "fp.neg" => {
                let flip = |x: Term| t.xor(x, t.number(t.width(x), 1 << (t.width(x) - 1)));
                first.filter(|_| is_float).map(|x| Value::Float(flip(x)))
            }
            "fp.to_ieee_bv" => first.filter(|_| is_float).and_then(|x| {
                let format = format?;
                let canonical = if makes_float(t.node(x).op) { x } else { t.ite(is_nan(t, x), t.number(format.width(), format.nan()), x) };
                Some(Value::Vector(if format == FloatFormat::Extended {
                    t.concat(t.extract(canonical, 79, 64), t.extract(canonical, 62, 0))
                } else {
                    canonical
                }))
            }),
            "fp.to_sbv" | "fp.to_ubv" => {
                let op = if name == "fp.to_sbv" { Op::FToSigned } else { Op::FToUnsigned };
                round.filter(|_| is_float).and_then(|round| checked(t, op, round, &head.numbers, &operands)).map(Value::Vector)
            }
            "fp" => {
                let &[s, e, m] = operands.as_slice() else { return Some(None) };
                let (exponent, precision) = (t.width(e), t.width(m) + 1);
                if t.width(s) != 1 || !valid_width(1 + exponent + precision) {
                    return Some(None);
                }
                self.pattern(t.concat(s, t.concat(e, m)), exponent, precision)
            }
            "to_fp" | "to_fp_unsigned" => {
                let &[exponent, precision] = head.numbers.as_slice() else { return Some(None) };
                let Ok(format) = self.format(head.at, exponent, precision) else { return None };
                match (round, is_float) {
                    (None, false) if name == "to_fp" => first.and_then(|bits| self.pattern(bits, exponent, precision)),
                    (Some(round), _) => {
                        let op = match (is_float, name) {
                            (true, _) => Op::FConvert,
                            (false, "to_fp") => Op::FFromSigned,
                            _ => Op::FFromUnsigned,
                        };
                        checked(t, op, round, &[format.width()], &operands).map(Value::Float)
                    }
                    _ => None,
                }
            }
            _ => return None,
        })
    }

    /// The float of an SMT-LIB bit pattern, which never has an integer bit.
    fn pattern(&self, bits: Term, exponent: u32, precision: u32) -> Option<Value> {
        let t = self.terms;
        let format = self.format(0, exponent, precision).ok()?;
        if t.sort(bits) != Sort::bv(exponent + precision) {
            return None;
        }
        if format != FloatFormat::Extended {
            return Some(Value::Float(bits));
        }
        let subnormal = t.eq(t.extract(bits, 77, 63), t.number(15, 0));
        let low = t.concat(t.not(subnormal), t.extract(bits, 62, 0));
        Some(Value::Float(t.concat(t.extract(bits, 78, 63), low)))
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
