//! Terms as prefix expressions: printing, and reading back exactly (nothing is simplified on the way).
//!
//! Operators: `not neg and or xor add mul udiv sdiv urem srem shl lshr ashr eq ult slt concat ite fadd fsub fmul fdiv frem
//! fsqrt fround feq flt fle select store`; with numbers first `(extract high low x)`, `(zext width x)`, `(sext width x)`,
//! `(const-array index-width x)`; rounding operators take the mode first (`rne rna rtp rtn rtz`), conversions `fconvert
//! ffrom-signed ffrom-unsigned fto-signed fto-unsigned` the mode and the width; `(apply f width x …)` is an uninterpreted function,
//! `(symbol s width)` a symbol that is no variable. Large terms name what they share: `(let ((?0 …) (?1 …)) …)`.

use super::token::{Token, name};
use assay_base::FastMap;
use assay_term::{Bits, Node, Op, Round, Sort, SymbolId, Term, Terms};
use std::fmt::Write;

const OPERATORS: [(&str, Op); 39] = [
    ("not", Op::Not),
    ("neg", Op::Neg),
    ("and", Op::And),
    ("or", Op::Or),
    ("xor", Op::Xor),
    ("add", Op::Add),
    ("mul", Op::Mul),
    ("udiv", Op::UnsignedDiv),
    ("sdiv", Op::SignedDiv),
    ("urem", Op::UnsignedRem),
    ("srem", Op::SignedRem),
    ("shl", Op::ShiftLeft),
    ("lshr", Op::ShiftRight),
    ("ashr", Op::ShiftRightSigned),
    ("eq", Op::Eq),
    ("ult", Op::UnsignedLess),
    ("slt", Op::SignedLess),
    ("concat", Op::Concat),
    ("extract", Op::Extract),
    ("zext", Op::ZeroExtend),
    ("sext", Op::SignExtend),
    ("ite", Op::Ite),
    ("fadd", Op::FAdd),
    ("fsub", Op::FSub),
    ("fmul", Op::FMul),
    ("fdiv", Op::FDiv),
    ("frem", Op::FRem),
    ("fsqrt", Op::FSqrt),
    ("fround", Op::FRoundToIntegral),
    ("feq", Op::FEq),
    ("flt", Op::FLess),
    ("fle", Op::FLessEq),
    ("fconvert", Op::FConvert),
    ("ffrom-signed", Op::FFromSigned),
    ("ffrom-unsigned", Op::FFromUnsigned),
    ("fto-signed", Op::FToSigned),
    ("fto-unsigned", Op::FToUnsigned),
    ("select", Op::Select),
    ("store", Op::Store),
];

const ROUNDS: [(&str, Round); 5] = [
    ("rne", Round::NearestEven),
    ("rna", Round::NearestAway),
    ("rtp", Round::TowardPositive),
    ("rtn", Round::TowardNegative),
    ("rtz", Round::TowardZero),
];

/// Past this size as a tree, shared parts get names.
const LARGE: u16 = 200;

/// Whether an operator is printed with its rounding mode.
fn has_round(op: Op) -> bool {
    op.is_float() && !matches!(op, Op::FEq | Op::FLess | Op::FLessEq | Op::FRem)
}

/// Whether an operator is printed with the width of its result.
fn has_width(op: Op) -> bool {
    matches!(op, Op::ZeroExtend | Op::SignExtend | Op::FConvert | Op::FFromSigned | Op::FFromUnsigned | Op::FToSigned | Op::FToUnsigned)
}

/// Prints a term; symbols below `variables` are program variables and functions and need no sort.
pub fn print(terms: &Terms, root: Term, declared: usize, out: &mut String) {
    let mut names: FastMap<Term, usize> = FastMap::default();
    if terms.node(root).tree_size < LARGE {
        print_one(terms, root, declared, &names, out);
        return;
    }
    let mut uses: FastMap<Term, u32> = FastMap::default();
    let mut order = vec![];
    terms.post_order([root], |term, node| {
        for child in terms.children(node) {
            *uses.entry(child).or_default() += 1;
        }
        if node.op.arity() > 0 || node.op == Op::Apply {
            order.push(term);
        }
    });
    order.retain(|term| uses.get(term).is_some_and(|&count| count > 1));
    if order.is_empty() {
        print_one(terms, root, declared, &names, out);
        return;
    }
    out.push_str("(let (");
    for (index, &term) in order.iter().enumerate() {
        let _ = write!(out, "{}(?{index} ", if index == 0 { "" } else { " " });
        print_one(terms, term, declared, &names, out);
        out.push(')');
        names.insert(term, index);
    }
    out.push_str(") ");
    print_one(terms, root, declared, &names, out);
    out.push(')');
}

enum Piece {
    Term(Term),
    Close,
}

fn print_one(terms: &Terms, root: Term, declared: usize, names: &FastMap<Term, usize>, out: &mut String) {
    let mut stack = vec![Piece::Term(root)];
    while let Some(piece) = stack.pop() {
        let Piece::Term(term) = piece else {
            out.push(')');
            continue;
        };
        if !matches!(out.chars().next_back(), None | Some('(' | ' ')) {
            out.push(' ');
        }
        if let Some(index) = names.get(&term) {
            let _ = write!(out, "?{index}");
            continue;
        }
        let node = terms.node(term);
        if head(terms, &node, declared, out) {
            stack.push(Piece::Close);
            stack.extend(terms.children(&node).into_iter().rev().map(Piece::Term));
        }
    }
}

/// Prints a leaf, or an opening parenthesis with operator and numbers; says which.
fn head(terms: &Terms, node: &Node, declared: usize, out: &mut String) -> bool {
    let spelling = |symbol: SymbolId| name(terms.symbol_name(symbol)).into_owned();
    let _ = match node.op {
        Op::Const => write!(out, "{}:{}", node.constant(), node.width()),
        Op::Symbol if (node.symbol().0 as usize) < declared => write!(out, "{}", spelling(node.symbol())),
        Op::Symbol => write!(out, "(symbol {} {})", spelling(node.symbol()), node.width()),
        Op::Address => write!(out, "&{}", spelling(node.symbol())),
        Op::Apply => write!(out, "(apply {} {}", spelling(node.symbol()), node.width()),
        Op::Extract => write!(out, "(extract {} {}", node.high(), node.low()),
        Op::ConstArray => write!(out, "(const-array {}", node.sort.index_width()),
        op => {
            let _ = write!(out, "({}", super::name_of(&OPERATORS, op));
            if has_round(op) {
                let _ = write!(out, " {}", super::name_of(&ROUNDS, node.round));
            }
            if has_width(op) { write!(out, " {}", node.width()) } else { Ok(()) }
        }
    };
    node.op.arity() > 0 || node.op == Op::Apply
}

/// Reads one term from the front of the tokens.
pub(super) fn read<'t, 'a>(terms: &Terms, pointer_width: u32, tokens: &'t [Token<'a>]) -> Result<(Term, &'t [Token<'a>]), String> {
    Reader { terms, pointer_width, rest: tokens, names: FastMap::default() }.run()
}

/// An operator whose operands are being read.
struct Frame {
    op: Op,
    round: Round,
    /// Numbers of the operator: width, or high and low.
    numbers: Vec<u32>,
    symbol: Option<SymbolId>,
    operands: Vec<Term>,
}

enum Open {
    Operator(Frame),
    /// `(let (…` : the list of names is being read.
    Bindings,
    /// `(?0 …`
    Binding(u32),
    /// The body of a `let`.
    Body,
}

struct Reader<'r, 't, 'a> {
    terms: &'r Terms,
    pointer_width: u32,
    rest: &'t [Token<'a>],
    names: FastMap<u32, Term>,
}

impl<'t, 'a> Reader<'_, 't, 'a> {
    fn run(mut self) -> Result<(Term, &'t [Token<'a>]), String> {
        let mut stack: Vec<Open> = vec![];
        // The value of a body or binding that waits for its closing parenthesis.
        let mut values: Vec<Term> = vec![];
        loop {
            let done = match self.next()? {
                Token::Open => self.open(&mut stack)?,
                Token::Close => match stack.pop() {
                    Some(Open::Operator(frame)) => Some(self.build(frame)?),
                    Some(Open::Binding(index)) => {
                        let value = values.pop().ok_or("a binding without value")?;
                        self.names.insert(index, value);
                        None
                    }
                    Some(Open::Bindings) => {
                        stack.push(Open::Body);
                        None
                    }
                    Some(Open::Body) => Some(values.pop().ok_or("a let without body")?),
                    None => return Err("one closing parenthesis too many".into()),
                },
                token => Some(self.leaf(token)?),
            };
            let Some(term) = done else { continue };
            match stack.last_mut() {
                None => return Ok((term, self.rest)),
                Some(Open::Operator(frame)) => frame.operands.push(term),
                Some(Open::Binding(_) | Open::Body) => values.push(term),
                Some(Open::Bindings) => return Err("a binding `(?n term)` is expected".into()),
            }
        }
    }

    fn next(&mut self) -> Result<Token<'a>, String> {
        let (first, rest) = self.rest.split_first().ok_or("the term ends too early")?;
        self.rest = rest;
        Ok(first.clone())
    }

    fn number(&mut self) -> Result<u32, String> {
        match self.next()? {
            Token::Word(word) => word.parse().map_err(|_| format!("`{word}` is not a number")),
            other => Err(format!("a number is expected, not {other:?}")),
        }
    }

    fn width(&mut self) -> Result<u32, String> {
        let width = self.number()?;
        if (1..1 << 15).contains(&width) { Ok(width) } else { Err(format!("{width} is not a width")) }
    }

    fn symbol_name(&mut self) -> Result<String, String> {
        match self.next()? {
            Token::Word(word) => Ok(word.to_string()),
            Token::Name(name) => Ok(name),
            other => Err(format!("a name is expected, not {other:?}")),
        }
    }

    fn find(&self, name: &str) -> Result<SymbolId, String> {
        self.terms.find_symbol(name).ok_or_else(|| format!("`{name}` is not declared"))
    }

    fn leaf(&mut self, token: Token<'a>) -> Result<Term, String> {
        match token {
            Token::And => {
                let name = self.symbol_name()?;
                Ok(self.terms.address(self.find(&name)?, self.pointer_width))
            }
            Token::Name(name) => Ok(self.terms.symbol(self.find(&name)?)),
            Token::Word(word) => {
                if let Some(index) = word.strip_prefix('?').and_then(|digits| digits.parse::<u32>().ok()) {
                    return self.names.get(&index).copied().ok_or_else(|| format!("`{word}` is not bound"));
                }
                if word.starts_with(|c: char| c.is_ascii_digit()) {
                    let constant = word.split_once(':').and_then(|(value, width)| Some((value.parse().ok()?, width.parse().ok()?)));
                    return match constant {
                        Some((value, width)) if (1..=128).contains(&width) && value <= Bits::mask(width) => {
                            Ok(self.terms.number(width, value))
                        }
                        _ => Err(format!("`{word}` is not a constant of the form value:width")),
                    };
                }
                Ok(self.terms.symbol(self.find(word)?))
            }
            other => Err(format!("a term is expected, not {other:?}")),
        }
    }

    fn open(&mut self, stack: &mut Vec<Open>) -> Result<Option<Term>, String> {
        if matches!(stack.last(), Some(Open::Bindings)) {
            let word = self.symbol_name()?;
            let index = word.strip_prefix('?').and_then(|digits| digits.parse().ok());
            stack.push(Open::Binding(index.ok_or_else(|| format!("`{word}` is not a name of the form ?n"))?));
            return Ok(None);
        }
        let Token::Word(word) = self.next()? else { return Err("an operator is expected after `(`".into()) };
        let mut frame = Frame { op: Op::Apply, round: Round::NearestEven, numbers: vec![], symbol: None, operands: vec![] };
        match word {
            "let" => {
                if self.next()? != Token::Open {
                    return Err("`(` is expected after let".into());
                }
                stack.push(Open::Bindings);
                return Ok(None);
            }
            "symbol" => {
                let (name, width) = (self.symbol_name()?, self.width()?);
                let symbol = self.intern(&name, width)?;
                if self.next()? != Token::Close {
                    return Err("`)` is expected after a symbol".into());
                }
                return Ok(Some(self.terms.symbol(symbol)));
            }
            "apply" => {
                let (name, width) = (self.symbol_name()?, self.width()?);
                frame.symbol = Some(self.intern(&name, width)?);
                frame.numbers.push(width);
            }
            "const-array" => {
                frame.op = Op::ConstArray;
                frame.numbers.push(self.width()?);
            }
            _ => {
                frame.op = super::value_of(&OPERATORS, word).ok_or_else(|| format!("`{word}` is not an operator"))?;
                if has_round(frame.op) {
                    let mode = self.symbol_name()?;
                    frame.round = super::value_of(&ROUNDS, &mode).ok_or_else(|| format!("`{mode}` is not a rounding mode"))?;
                }
                if frame.op == Op::Extract {
                    frame.numbers = vec![self.number()?, self.number()?];
                } else if has_width(frame.op) {
                    frame.numbers.push(self.width()?);
                }
            }
        }
        stack.push(Open::Operator(frame));
        Ok(None)
    }

    fn intern(&self, name: &str, width: u32) -> Result<SymbolId, String> {
        match self.terms.find_symbol(name) {
            Some(symbol) if self.terms.symbol_info(symbol).sort != Sort::bv(width) => Err(format!("`{name}` has two widths")),
            Some(symbol) => Ok(symbol),
            None => Ok(self.terms.intern_symbol(name, Sort::bv(width))),
        }
    }

    fn build(&self, frame: Frame) -> Result<Term, String> {
        let Frame { op, round, numbers, symbol, operands } = frame;
        if let Some(symbol) = symbol {
            return Ok(self.terms.apply(symbol, &operands, Sort::bv(numbers[0])));
        }
        let spelling = if op == Op::ConstArray { "const-array" } else { super::name_of(&OPERATORS, op) };
        if operands.len() != op.arity() {
            return Err(format!("`{spelling}` takes {} operands, not {}", op.arity(), operands.len()));
        }
        let sorts: Vec<Sort> = operands.iter().map(|&t| self.terms.sort(t)).collect();
        let sort = result_sort(op, &numbers, &sorts).ok_or_else(|| format!("`{spelling}` does not go with operands of sorts {sorts:?}"))?;
        let mut words = [0; 4];
        words.iter_mut().zip(&operands).for_each(|(word, operand)| *word = operand.0);
        if op == Op::Extract {
            (words[2], words[3]) = (numbers[0], numbers[1]);
        }
        Ok(self.terms.intern(op, round, sort, words))
    }
}

/// The sort of an operator's result, or `None` where the operands do not fit. `numbers` as in the text form.
pub(crate) fn result_sort(op: Op, numbers: &[u32], sorts: &[Sort]) -> Option<Sort> {
    let is_vector = |s: &Sort| !s.is_array();
    let number = |index: usize| numbers.get(index).copied();
    let width = |index: usize| sorts.get(index).filter(|s| is_vector(s)).map(|s| s.width());
    let fits = |wanted: bool, sort: Sort| wanted.then_some(sort);
    match op {
        Op::Const | Op::Symbol | Op::Address | Op::Apply => None,
        Op::Select => fits(sorts[0].is_array() && width(1)? == sorts[0].index_width(), Sort::bv(sorts[0].width())),
        Op::Store => {
            let array = sorts[0];
            fits(array.is_array() && width(1)? == array.index_width() && width(2)? == array.width(), array)
        }
        Op::ConstArray => Some(Sort::array(number(0)?, width(0)?)),
        Op::Ite => fits(sorts[0] == Sort::BOOL && sorts[1] == sorts[2], sorts[1]),
        Op::Eq => fits(sorts[0] == sorts[1], Sort::BOOL),
        Op::UnsignedLess | Op::SignedLess | Op::FEq | Op::FLess | Op::FLessEq => fits(width(0)? == width(1)?, Sort::BOOL),
        Op::Concat => {
            let total = width(0)? + width(1)?;
            (total < 1 << 15).then(|| Sort::bv(total))
        }
        Op::Extract => {
            let (high, low) = (number(0)?, number(1)?);
            (low <= high && high < width(0)?).then(|| Sort::bv(high - low + 1))
        }
        Op::ZeroExtend | Op::SignExtend => fits(width(0)? <= number(0)?, Sort::bv(number(0)?)),
        Op::FConvert | Op::FFromSigned | Op::FFromUnsigned | Op::FToSigned | Op::FToUnsigned => {
            width(0)?;
            Some(Sort::bv(number(0)?))
        }
        Op::Not | Op::Neg | Op::FSqrt | Op::FRoundToIntegral => Some(Sort::bv(width(0)?)),
        _ => fits(width(0)? == width(1)?, Sort::bv(width(0)?)),
    }
}
