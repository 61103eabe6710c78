//! The compact text of terms, for people and for the text form of programs: s-expressions with the symbols'
//! names, the same in every run, readable back with [`Terms::parse_term`].
//!
//! - Constants are `value:width` (`5:32`, `-1:8`), truth values `true` and `false`.
//! - Symbols stand by their names, `|quoted|` where they could be mistaken; `name:sort` introduces a symbol that
//!   the store does not have yet, with `32`, `[64,8]` (index and element width) or `int`
//!   as sort.
//! - `&name:64` is an address, `(call f 32 x y)` an uninterpreted function with its result's sort.
//! - Operators are written as in C, with `u` or `s` where signedness matters: `(+ x 1:32)`, `(<s x y)`,
//!   `(>>u x 3:32)`, `(extract 7 0 x)`, `(zext 64 x)`, `(ite c x y)`; floats as `(fadd x y)` or, with a
//!   rounding mode other than to nearest even, `(fadd.rtz x y)`.
//! - Shared parts come first: `(let $0 = (+ x y) in (* $0 $0))`.

use crate::bits::Bits;
use crate::integer::integer_of;
use crate::node::{Node, Op, Round, Sort, SymbolId, Term};
use crate::store::Terms;
use crate::syntax::{Lexer, ROUNDS, ReadError, Token, checked, named_parts, valid_width};
use assay_base::FastMap;
use std::fmt::{self, Write};

const OPERATORS: [(Op, &str); 37] = [
    (Op::Not, "~"),
    (Op::Neg, "neg"),
    (Op::And, "&"),
    (Op::Or, "or"),
    (Op::Xor, "^"),
    (Op::Add, "+"),
    (Op::Mul, "*"),
    (Op::UnsignedDiv, "/u"),
    (Op::SignedDiv, "/s"),
    (Op::UnsignedRem, "%u"),
    (Op::SignedRem, "%s"),
    (Op::ShiftLeft, "<<"),
    (Op::ShiftRight, ">>u"),
    (Op::ShiftRightSigned, ">>s"),
    (Op::Eq, "=="),
    (Op::UnsignedLess, "<u"),
    (Op::SignedLess, "<s"),
    (Op::Concat, "concat"),
    (Op::Extract, "extract"),
    (Op::ZeroExtend, "zext"),
    (Op::SignExtend, "sext"),
    (Op::Ite, "ite"),
    (Op::FAdd, "fadd"),
    (Op::FSub, "fsub"),
    (Op::FMul, "fmul"),
    (Op::FDiv, "fdiv"),
    (Op::FRem, "frem"),
    (Op::FSqrt, "fsqrt"),
    (Op::FRoundToIntegral, "fround"),
    (Op::FEq, "f=="),
    (Op::FLess, "f<"),
    (Op::FLessEq, "f<="),
    (Op::FConvert, "fconvert"),
    (Op::FFromSigned, "fromsigned"),
    (Op::FFromUnsigned, "fromunsigned"),
    (Op::FToSigned, "tosigned"),
    (Op::FToUnsigned, "tounsigned"),
];
const OTHER_OPERATORS: [(Op, &str); 12] = [
    (Op::Select, "select"),
    (Op::Store, "store"),
    (Op::ConstArray, "constarray"),
    (Op::IntegerAdd, "int+"),
    (Op::IntegerMul, "int*"),
    (Op::IntegerNeg, "intneg"),
    (Op::IntegerDiv, "intdiv"),
    (Op::IntegerMod, "intmod"),
    (Op::IntegerLess, "int<"),
    (Op::IntegerOfUnsigned, "uint"),
    (Op::IntegerOfSigned, "sint"),
    (Op::IntegerToBits, "tobits"),
];

/// A term about to be printed; see the [module's](self) description of the form.
pub struct TermText<'a> {
    terms: &'a Terms,
    root: Term,
}

impl Terms {
    /// The term in the compact text form.
    pub fn display(&self, term: Term) -> TermText<'_> {
        TermText { terms: self, root: term }
    }

    /// Reads one term in the compact text form; it is simplified as it is built.
    ///
    /// # Errors
    /// Where the text is not of the form, names an unknown symbol, or operands do not fit.
    pub fn parse_term(&self, text: &str) -> Result<Term, ReadError> {
        let mut parser = Parser { terms: self, lexer: Lexer::new(text, true), names: FastMap::default() };
        let term = parser.term()?;
        match parser.lexer.next()? {
            None => Ok(term),
            Some((at, token)) => Err(ReadError::Unexpected { at, found: token.describe(), expected: "the end" }),
        }
    }
}

fn operator_name(op: Op) -> &'static str {
    OPERATORS.iter().chain(&OTHER_OPERATORS).find(|(o, _)| *o == op).map_or("?", |(_, name)| name)
}

/// Whether the operator's text carries a width.
fn takes_width(op: Op) -> bool {
    use Op::*;
    matches!(op, ZeroExtend | SignExtend | FConvert | FFromSigned | FFromUnsigned | FToSigned | FToUnsigned | ConstArray | IntegerToBits)
}

/// A symbol's name, quoted where it could be read as something else.
fn write_name(out: &mut dyn Write, name: &str) -> fmt::Result {
    let mut previous = ' ';
    let mut bare =
        name.starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '_' | '.')) && !matches!(name, "true" | "false" | "in");
    for c in name.chars() {
        bare &= c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '#' | '@' | '!' | '$' | ':' | '\'');
        bare &= previous != ':' || !(c.is_ascii_digit() || c == '[');
        previous = c;
    }
    if bare && previous != ':' && !name.ends_with(":int") {
        return out.write_str(name);
    }
    out.write_char('|')?;
    for c in name.chars() {
        if matches!(c, '|' | '\\') {
            out.write_char('\\')?;
        }
        out.write_char(c)?;
    }
    out.write_char('|')
}

fn write_sort(out: &mut dyn Write, sort: Sort) -> fmt::Result {
    match sort {
        _ if sort.is_array() => write!(out, "[{},{}]", sort.index_width(), sort.width()),
        _ if sort.is_integer() => out.write_str("int"),
        _ => write!(out, "{}", sort.width()),
    }
}

fn write_constant(out: &mut dyn Write, node: &Node) -> fmt::Result {
    if let Some(value) = integer_of(node) {
        return write!(out, "{value}:int");
    }
    let (width, value) = (node.width(), node.constant());
    if width == 1 {
        return out.write_str(if value == 1 { "true" } else { "false" });
    }
    let signed = Bits::new(width, value).signed();
    // Small negative numbers are meant as such; everything else reads better as it is stored.
    if (-(1 << 16)..0).contains(&signed) { write!(out, "{signed}:{width}") } else { write!(out, "{value}:{width}") }
}

impl fmt::Display for TermText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (named, names) = named_parts(self.terms, &[self.root]);
        if named.is_empty() {
            return self.write(f, self.root, &names, None);
        }
        f.write_str("(let")?;
        for (number, &part) in named.iter().enumerate() {
            write!(f, " ${number} = ")?;
            self.write(f, part, &names, Some(part))?;
        }
        f.write_str(" in ")?;
        self.write(f, self.root, &names, None)?;
        f.write_str(")")
    }
}

impl TermText<'_> {
    /// Writes a term with named parts by name, apart from `spell`, which is being given its name.
    fn write(&self, out: &mut dyn Write, root: Term, names: &FastMap<Term, u32>, spell: Option<Term>) -> fmt::Result {
        // `None` closes a parenthesis.
        let mut work = vec![Some(root)];
        let mut first = true;
        while let Some(item) = work.pop() {
            let Some(term) = item else {
                out.write_char(')')?;
                continue;
            };
            if !first {
                out.write_char(' ')?;
            }
            first = false;
            if spell != Some(term)
                && let Some(number) = names.get(&term)
            {
                write!(out, "${number}")?;
                continue;
            }
            let node = self.terms.node(term);
            match node.op {
                Op::Const => write_constant(out, &node)?,
                Op::Symbol => write_name(out, self.terms.symbol_name(node.symbol()))?,
                Op::Address => {
                    out.write_char('&')?;
                    write_name(out, self.terms.symbol_name(node.symbol()))?;
                    write!(out, ":{}", node.width())?;
                }
                _ => {
                    self.write_head(out, &node)?;
                    work.push(None);
                    let start = work.len();
                    work.extend(self.terms.operands_of(&node).map(Some));
                    work[start..].reverse();
                }
            }
        }
        Ok(())
    }

    fn write_head(&self, out: &mut dyn Write, node: &Node) -> fmt::Result {
        if node.op == Op::Apply {
            out.write_str("(call ")?;
            write_name(out, self.terms.symbol_name(node.symbol()))?;
            out.write_char(' ')?;
            return write_sort(out, node.sort);
        }
        write!(out, "({}", operator_name(node.op))?;
        if node.round != Round::NearestEven {
            let name = ROUNDS.iter().find(|(.., round)| *round == node.round).map_or("", |(name, ..)| name);
            write!(out, ".{name}")?;
        }
        match node.op {
            Op::Extract => write!(out, " {} {}", node.high(), node.low()),
            Op::ConstArray => write!(out, " {}", node.sort.index_width()),
            op if takes_width(op) => write!(out, " {}", node.width()),
            _ => Ok(()),
        }
    }
}

enum Frame {
    Operator {
        at: usize,
        op: Op,
        round: Round,
        numbers: Vec<u32>,
        operands: Vec<Term>,
    },
    Call {
        at: usize,
        function: SymbolId,
        sort: Sort,
        arguments: Vec<Term>,
    },
    /// Bindings, then after `in` the body.
    Let {
        pending: Option<String>,
        body: Option<Term>,
        in_body: bool,
    },
}

struct Parser<'t> {
    terms: &'t Terms,
    lexer: Lexer<'t>,
    names: FastMap<String, Term>,
}

impl Parser<'_> {
    fn term(&mut self) -> Result<Term, ReadError> {
        let mut frames: Vec<Frame> = Vec::new();
        loop {
            let (at, token) = self.lexer.expect()?;
            let finished = match token {
                Token::Open => {
                    let frame = self.head()?;
                    frames.push(frame);
                    None
                }
                Token::Close => {
                    let frame = frames.pop().ok_or(ReadError::Unexpected { at, found: ")".into(), expected: "a term" })?;
                    Some(self.close(at, frame)?)
                }
                Token::Atom { text, quoted, suffix } => {
                    if let Some(Frame::Let { pending, in_body, .. }) = frames.last_mut()
                        && pending.is_none()
                        && !*in_body
                    {
                        if text == "in" {
                            *in_body = true;
                        } else {
                            self.lexer.expect_token(&Token::Atom { text: "=".into(), quoted: false, suffix: String::new() }, "`=`")?;
                            *pending = Some(text);
                        }
                        None
                    } else {
                        Some(self.atom(at, &text, quoted, &suffix)?)
                    }
                }
            };
            let Some(term) = finished else { continue };
            match frames.last_mut() {
                None => return Ok(term),
                Some(Frame::Operator { operands, .. }) => operands.push(term),
                Some(Frame::Call { arguments, .. }) => arguments.push(term),
                Some(Frame::Let { pending, body, in_body }) => match pending.take() {
                    Some(name) => {
                        self.names.insert(name, term);
                    }
                    None if *in_body && body.is_none() => *body = Some(term),
                    None => return Err(ReadError::Unexpected { at, found: "a second body".into(), expected: "`)`" }),
                },
            }
        }
    }

    fn head(&mut self) -> Result<Frame, ReadError> {
        let (at, text) = self.lexer.expect_word("an operator")?;
        if text == "let" {
            return Ok(Frame::Let { pending: None, body: None, in_body: false });
        }
        if text == "call" {
            let (at, name) = self.lexer.expect_word("a function's name")?;
            let (sort_at, sort) = self.lexer.expect_word("a sort")?;
            let sort = read_sort(&sort).ok_or(ReadError::Unexpected { at: sort_at, found: sort, expected: "a sort" })?;
            let function = self.symbol(at, &name, Some(sort))?;
            return Ok(Frame::Call { at, function, sort, arguments: Vec::new() });
        }
        let (name, round) = match text.rsplit_once('.') {
            Some((name, mode)) => match ROUNDS.iter().find(|(short, ..)| *short == mode) {
                Some(&(.., round)) => (name, round),
                None => return Err(ReadError::Unsupported { at, name: text }),
            },
            None => (text.as_str(), Round::NearestEven),
        };
        let Some(&(op, _)) = OPERATORS.iter().chain(&OTHER_OPERATORS).find(|(_, known)| *known == name) else {
            return Err(ReadError::Unsupported { at, name: text });
        };
        let mut numbers = Vec::new();
        let count = if op == Op::Extract { 2 } else { takes_width(op) as usize };
        for _ in 0..count {
            numbers.push(self.lexer.expect_number("a number")?);
        }
        Ok(Frame::Operator { at, op, round, numbers, operands: Vec::new() })
    }

    fn close(&mut self, at: usize, frame: Frame) -> Result<Term, ReadError> {
        match frame {
            Frame::Operator { at, op, round, numbers, operands } => checked(self.terms, op, round, &numbers, &operands)
                .ok_or_else(|| ReadError::BadOperands { at, operator: operator_name(op).into() }),
            Frame::Call { at, function, sort, arguments } => {
                let fits = self.terms.symbol_info(function).sort == sort;
                fits.then(|| self.terms.apply(function, &arguments, sort))
                    .ok_or_else(|| ReadError::BadOperands { at, operator: "call".into() })
            }
            Frame::Let { body, .. } => body.ok_or(ReadError::Unexpected { at, found: ")".into(), expected: "a body" }),
        }
    }

    fn symbol(&self, at: usize, name: &str, sort: Option<Sort>) -> Result<SymbolId, ReadError> {
        match (self.terms.find_symbol(name), sort) {
            (Some(symbol), Some(sort)) if self.terms.symbol_info(symbol).sort != sort => {
                Err(ReadError::SymbolHasOtherSort { at, name: name.into() })
            }
            (Some(symbol), _) => Ok(symbol),
            (None, Some(sort)) => Ok(self.terms.intern_symbol(name, sort)),
            (None, None) => Err(ReadError::UnknownSymbol { at, name: name.into() }),
        }
    }

    fn atom(&mut self, at: usize, text: &str, quoted: bool, suffix: &str) -> Result<Term, ReadError> {
        if quoted {
            let sort = match suffix.strip_prefix(':') {
                Some(sort) => Some(read_sort(sort).ok_or_else(|| ReadError::Unexpected { at, found: sort.into(), expected: "a sort" })?),
                None => None,
            };
            return Ok(self.terms.symbol(self.symbol(at, text, sort)?));
        }
        match text {
            "true" => return Ok(self.terms.true_()),
            "false" => return Ok(self.terms.false_()),
            _ => {}
        }
        let unexpected = || ReadError::Unexpected { at, found: text.into(), expected: "a term" };
        if text.starts_with('$') {
            return self.names.get(text).copied().ok_or_else(unexpected);
        }
        if let Some(name) = text.strip_prefix('&') {
            return self.address(at, name);
        }
        let (name, sort) = match text.rsplit_once(':').and_then(|(name, sort)| Some((name, read_sort(sort)?))) {
            Some((name, sort)) => (name, Some(sort)),
            None => (text, None),
        };
        if name.starts_with(|c: char| c.is_ascii_digit() || c == '-') {
            if sort == Some(Sort::INTEGER) {
                return name.parse().map(|value| self.terms.integer(value)).map_err(|_| unexpected());
            }
            let width = sort.filter(|s| !s.is_array() && s.width() <= Bits::MAX_WIDTH).ok_or_else(unexpected)?.width();
            let value = match name.strip_prefix('-') {
                Some(digits) => digits.parse::<u128>().map_err(|_| unexpected())?.wrapping_neg(),
                None => name.parse::<u128>().map_err(|_| unexpected())?,
            };
            return Ok(self.terms.number(width, value));
        }
        Ok(self.terms.symbol(self.symbol(at, name, sort)?))
    }

    /// The rest of `&name:width`; the name may be a token of its own, in quotes.
    fn address(&mut self, at: usize, name: &str) -> Result<Term, ReadError> {
        let (name, width) = if name.is_empty() {
            match self.lexer.expect()? {
                (_, Token::Atom { text, quoted: true, suffix }) => (text, suffix.strip_prefix(':').map(str::to_string)),
                (at, token) => return Err(ReadError::Unexpected { at, found: token.describe(), expected: "a name" }),
            }
        } else {
            match name.rsplit_once(':') {
                Some((name, width)) => (name.to_string(), Some(width.to_string())),
                None => (name.to_string(), None),
            }
        };
        let width = width.and_then(|w| w.parse::<u32>().ok()).filter(|&w| valid_width(w));
        let width = width.ok_or_else(|| ReadError::Unexpected { at, found: name.clone(), expected: "an address with its width" })?;
        let symbol = self.symbol(at, &name, None)?;
        Ok(self.terms.address(symbol, width))
    }
}

fn read_sort(text: &str) -> Option<Sort> {
    if let Some(inner) = text.strip_prefix('[').and_then(|t| t.strip_suffix(']')) {
        let (index, element) = inner.split_once(',')?;
        let (index, element) = (index.parse().ok()?, element.parse().ok()?);
        return (valid_width(index) && valid_width(element)).then(|| Sort::array(index, element));
    }
    if text == "int" {
        return Some(Sort::INTEGER);
    }
    let width = text.parse().ok()?;
    valid_width(width).then(|| Sort::bv(width))
}
