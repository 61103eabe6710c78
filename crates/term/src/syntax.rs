//! What the two text forms share: tokens, errors, sort checks on what was read, and which sub-terms get a name.

use crate::bits::Bits;
use crate::float::FloatFormat;
use crate::node::{Op, Round, Sort, Term};
use crate::store::Terms;
use assay_base::FastMap;
use std::fmt;

/// Why a text is not a term. Positions are byte offsets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReadError {
    /// The text stops before the term does.
    UnexpectedEnd,
    /// Something else was expected here.
    Unexpected {
        /// Where.
        at: usize,
        /// What is there.
        found: String,
        /// What should be there.
        expected: &'static str,
    },
    /// A symbol that the store does not have and whose sort the text does not give.
    UnknownSymbol {
        /// Where.
        at: usize,
        /// Its name in the text.
        name: String,
    },
    /// A symbol that the store has with another sort.
    SymbolHasOtherSort {
        /// Where.
        at: usize,
        /// Its name in the text.
        name: String,
    },
    /// An operator or command that this subset does not have.
    Unsupported {
        /// Where.
        at: usize,
        /// The operator or command.
        name: String,
    },
    /// The operator's operands are too many, too few, or of the wrong sorts.
    BadOperands {
        /// Where the operator is.
        at: usize,
        /// As it is written.
        operator: String,
    },
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReadError::UnexpectedEnd => write!(f, "the text ends in the middle of a term"),
            ReadError::Unexpected { at, found, expected } => write!(f, "at byte {at}: expected {expected}, found `{found}`"),
            ReadError::UnknownSymbol { at, name } => write!(f, "at byte {at}: unknown symbol `{name}`"),
            ReadError::SymbolHasOtherSort { at, name } => write!(f, "at byte {at}: symbol `{name}` has another sort"),
            ReadError::Unsupported { at, name } => write!(f, "at byte {at}: `{name}` is not supported"),
            ReadError::BadOperands { at, operator } => write!(f, "at byte {at}: operands do not fit `{operator}`"),
        }
    }
}

impl std::error::Error for ReadError {}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Token {
    Open,
    Close,
    /// A word; what follows a closing quote without a space belongs to `suffix`.
    Atom {
        text: String,
        quoted: bool,
        suffix: String,
    },
}

impl Token {
    pub(crate) fn describe(&self) -> String {
        match self {
            Token::Open => "(".into(),
            Token::Close => ")".into(),
            Token::Atom { text, .. } => text.clone(),
        }
    }
}

/// Cuts a text into parentheses and words. `;` starts a comment, `|…|` quotes a word.
pub(crate) struct Lexer<'t> {
    text: &'t str,
    position: usize,
    /// Whether `\` takes away the meaning of the next character between quotes.
    escapes: bool,
}

impl<'t> Lexer<'t> {
    pub(crate) fn new(text: &'t str, escapes: bool) -> Self {
        Lexer { text, position: 0, escapes }
    }

    fn rest(&self) -> &'t str {
        &self.text[self.position..]
    }

    /// The next token and where it starts, or `None` at the end.
    pub(crate) fn next(&mut self) -> Result<Option<(usize, Token)>, ReadError> {
        loop {
            let trimmed = self.rest().trim_start();
            self.position = self.text.len() - trimmed.len();
            if trimmed.starts_with(';') {
                self.position += trimmed.find('\n').unwrap_or(trimmed.len());
            } else {
                break;
            }
        }
        let at = self.position;
        let Some(first) = self.rest().chars().next() else { return Ok(None) };
        let token = match first {
            '(' | ')' => {
                self.position += 1;
                if first == '(' { Token::Open } else { Token::Close }
            }
            '|' => {
                let text = self.quoted('|')?;
                let suffix = self.word().to_string();
                Token::Atom { text, quoted: true, suffix }
            }
            '"' => Token::Atom { text: self.quoted('"')?, quoted: true, suffix: String::new() },
            _ => Token::Atom { text: self.word().to_string(), quoted: false, suffix: String::new() },
        };
        Ok(Some((at, token)))
    }

    pub(crate) fn expect(&mut self) -> Result<(usize, Token), ReadError> {
        self.next()?.ok_or(ReadError::UnexpectedEnd)
    }

    /// The next token, which must be a word without quotes.
    pub(crate) fn expect_word(&mut self, expected: &'static str) -> Result<(usize, String), ReadError> {
        match self.expect()? {
            (at, Token::Atom { text, .. }) => Ok((at, text)),
            (at, token) => Err(ReadError::Unexpected { at, found: token.describe(), expected }),
        }
    }

    pub(crate) fn expect_token(&mut self, wanted: &Token, expected: &'static str) -> Result<usize, ReadError> {
        let (at, token) = self.expect()?;
        if token == *wanted { Ok(at) } else { Err(ReadError::Unexpected { at, found: token.describe(), expected }) }
    }

    pub(crate) fn expect_number(&mut self, expected: &'static str) -> Result<u32, ReadError> {
        let (at, text) = self.expect_word(expected)?;
        text.parse().map_err(|_| ReadError::Unexpected { at, found: text, expected })
    }

    fn word(&mut self) -> &'t str {
        let rest = self.rest();
        let end = rest.find(|c: char| c.is_whitespace() || matches!(c, '(' | ')' | '|' | ';' | '"')).unwrap_or(rest.len());
        self.position += end;
        &rest[..end]
    }

    fn quoted(&mut self, quote: char) -> Result<String, ReadError> {
        let mut text = String::new();
        let mut characters = self.rest().char_indices().skip(1);
        while let Some((offset, c)) = characters.next() {
            if c == quote {
                self.position += offset + 1;
                return Ok(text);
            }
            if c == '\\' && self.escapes {
                text.push(characters.next().ok_or(ReadError::UnexpectedEnd)?.1);
            } else {
                text.push(c);
            }
        }
        Err(ReadError::UnexpectedEnd)
    }
}

pub(crate) const ROUNDS: [(&str, &str, Round); 5] = [
    ("rne", "RNE", Round::NearestEven),
    ("rna", "RNA", Round::NearestAway),
    ("rtp", "RTP", Round::TowardPositive),
    ("rtn", "RTN", Round::TowardNegative),
    ("rtz", "RTZ", Round::TowardZero),
];

/// The widest bit-vector that a sort can say.
const WIDEST: u32 = (1 << 15) - 1;

pub(crate) fn valid_width(width: u32) -> bool {
    (1..=WIDEST).contains(&width)
}

/// Builds an operator through the constructors if its operands fit, so that no text can cause a panic.
/// `numbers` are the target width (extensions, conversions, constant arrays: the index width) or the bounds of
/// an extraction.
pub(crate) fn checked(terms: &Terms, op: Op, round: Round, numbers: &[u32], operands: &[Term]) -> Option<Term> {
    if operands.len() != op.arity() {
        return None;
    }
    let sorts: Vec<Sort> = operands.iter().map(|&t| terms.sort(t)).collect();
    let plain = |index: usize| sorts[index].is_vector();
    let is_float = |width: u32| FloatFormat::of_width(width).is_some();
    let first = *operands.first()?;
    Some(match op {
        Op::Const | Op::Symbol | Op::Address | Op::Apply => return None,
        Op::Not | Op::Neg => {
            if !plain(0) {
                return None;
            }
            if op == Op::Not { terms.not(first) } else { terms.neg(first) }
        }
        Op::Extract => {
            let &[high, low] = numbers else { return None };
            if !plain(0) || high < low || high >= sorts[0].width() {
                return None;
            }
            terms.extract(first, high, low)
        }
        Op::ZeroExtend | Op::SignExtend => {
            let &[width] = numbers else { return None };
            if !plain(0) || !valid_width(width) || width < sorts[0].width() {
                return None;
            }
            if op == Op::ZeroExtend { terms.zero_extend(first, width) } else { terms.sign_extend(first, width) }
        }
        Op::FSqrt | Op::FRoundToIntegral => {
            if !plain(0) || !is_float(sorts[0].width()) {
                return None;
            }
            terms.float_unary(op, round, first)
        }
        Op::FConvert | Op::FFromSigned | Op::FFromUnsigned | Op::FToSigned | Op::FToUnsigned => {
            let &[width] = numbers else { return None };
            let from_float = !matches!(op, Op::FFromSigned | Op::FFromUnsigned);
            let to_float = !matches!(op, Op::FToSigned | Op::FToUnsigned);
            let fits = plain(0)
                && valid_width(width)
                && (!from_float || is_float(sorts[0].width()))
                && (!to_float || is_float(width))
                && sorts[0].width() <= Bits::MAX_WIDTH
                && width <= Bits::MAX_WIDTH;
            if !fits {
                return None;
            }
            terms.float_convert(op, round, first, width)
        }
        Op::ConstArray => {
            let &[index_width] = numbers else { return None };
            if !plain(0) || !valid_width(index_width) {
                return None;
            }
            terms.const_array(index_width, first)
        }
        Op::Select | Op::Store => {
            let array = sorts[0];
            if !array.is_array() || sorts[1] != Sort::bv(array.index_width()) {
                return None;
            }
            if op == Op::Select {
                return Some(terms.select(first, operands[1]));
            }
            if sorts[2] != Sort::bv(array.width()) {
                return None;
            }
            terms.store(first, operands[1], operands[2])
        }
        Op::Ite => {
            if sorts[0] != Sort::BOOL || sorts[1] != sorts[2] {
                return None;
            }
            terms.ite(first, operands[1], operands[2])
        }
        Op::Concat => {
            if !plain(0) || !plain(1) || !valid_width(sorts[0].width() + sorts[1].width()) {
                return None;
            }
            terms.concat(first, operands[1])
        }
        Op::Eq if sorts[0] == sorts[1] => terms.eq(first, operands[1]),
        Op::IntegerNeg if sorts[0].is_integer() => terms.integer_neg(first),
        Op::IntegerOfUnsigned | Op::IntegerOfSigned if plain(0) => terms.integer_of(first, op == Op::IntegerOfSigned),
        Op::IntegerToBits => {
            let &[width] = numbers else { return None };
            if !sorts[0].is_integer() || !valid_width(width) {
                return None;
            }
            terms.bits_of(first, width)
        }
        Op::IntegerLess if sorts[0].is_integer() && sorts[1].is_integer() => terms.integer_less(first, operands[1]),
        _ if op.is_integer() => {
            if op.arity() != 2 || op == Op::IntegerLess || !sorts.iter().all(|sort| sort.is_integer()) {
                return None;
            }
            terms.integer_binary(op, first, operands[1])
        }
        _ if sorts[0] != sorts[1] || !plain(0) => return None,
        Op::UnsignedLess | Op::SignedLess => terms.compare(op, first, operands[1]),
        _ if op.is_float() && !is_float(sorts[0].width()) => return None,
        Op::FEq | Op::FLess | Op::FLessEq => terms.compare(op, first, operands[1]),
        _ if op.is_float() => terms.float_binary(op, round, first, operands[1]),
        _ => terms.binary(op, first, operands[1]),
    })
}

/// How deep a printed term may nest before a part of it gets a name.
const NESTING: u32 = 60;

/// The sub-terms that get a name of their own in print, operands first: those used more than once, and some on
/// the way down a very deep term. So the text is linear in the number of distinct nodes and nests a bounded depth.
pub(crate) fn named_parts(terms: &Terms, roots: &[Term]) -> (Vec<Term>, FastMap<Term, u32>) {
    let mut uses: FastMap<Term, u32> = FastMap::default();
    let mut order = Vec::new();
    terms.post_order(roots.iter().copied(), |term, node| {
        for operand in terms.operands_of(node) {
            *uses.entry(operand).or_default() += 1;
        }
        order.push(term);
    });
    for &root in roots {
        *uses.entry(root).or_default() += 1;
    }
    let mut named = Vec::new();
    let mut names: FastMap<Term, u32> = FastMap::default();
    let mut depth: FastMap<Term, u32> = FastMap::default();
    for term in order {
        let node = terms.node(term);
        let below = terms.operands_of(&node).map(|o| depth[&o]).max().unwrap_or(0) + 1;
        let leaf = node.op.arity() == 0 && node.op != Op::Apply;
        if !leaf && (uses[&term] > 1 || below > NESTING) {
            names.insert(term, named.len() as u32);
            named.push(term);
            depth.insert(term, 0);
        } else {
            depth.insert(term, below);
        }
    }
    (named, names)
}
