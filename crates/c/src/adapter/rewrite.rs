//! The changes of tokens that [`mend`](super::mend) asks for, one function each. Every one leaves a program that means
//! what compilers take the old one to mean.

use rucc_base::Interner;
use rucc_diag::Span;
use rucc_lex::{Keyword, Punct, Token, TokenKind, Tokens};

fn is(tokens: &[Token], at: usize, punct: Punct) -> bool {
    tokens.get(at).and_then(|token| token.punct()) == Some(punct)
}

fn like(token: Token, kind: TokenKind, value: u32) -> Token {
    Token { kind, value, span: Span::new(token.span.lo, token.span.lo), flags: token.flags }
}

/// Puts tokens before a place.
pub(super) fn insert(tokens: &mut Tokens, place: usize, added: &[Token]) {
    tokens.tokens.splice(place..place, added.iter().copied());
    for pragma in &mut tokens.pragmas {
        if pragma.before as usize >= place {
            pragma.before += added.len() as u32;
        }
    }
}

/// Takes tokens out.
pub(super) fn remove(tokens: &mut Tokens, places: &[usize]) {
    for &place in places.iter().rev() {
        tokens.tokens.remove(place);
        for pragma in &mut tokens.pragmas {
            pragma.before -= u32::from(pragma.before as usize > place);
        }
    }
}

/// `struct { int a; int b }`: the last member ends with a semicolon.
pub(super) fn end_members(tokens: &mut Tokens) {
    let all = &tokens.tokens;
    let mut open: Vec<bool> = Vec::new();
    let mut places = Vec::new();
    for at in 0..all.len() {
        if is(all, at, Punct::LBrace) {
            open.push(begins_members(all, at));
        } else if is(all, at, Punct::RBrace) && open.pop() == Some(true) && !is(all, at - 1, Punct::Semi) && !is(all, at - 1, Punct::LBrace)
        {
            places.push(at);
        }
    }
    for &place in places.iter().rev() {
        let added = like(tokens.tokens[place], TokenKind::Punct(Punct::Semi), 0);
        insert(tokens, place, &[added]);
    }
}

/// Whether a brace begins the members of a structure: before it stands the keyword, with a tag and attributes or
/// without.
fn begins_members(all: &[Token], open: usize) -> bool {
    let mut at = open;
    while at > 0 {
        at -= 1;
        match all[at].kind {
            TokenKind::Keyword(Keyword::Struct | Keyword::Union) => return true,
            TokenKind::Ident | TokenKind::Keyword(Keyword::Attribute) => {}
            TokenKind::Punct(Punct::RParen) => {
                let mut depth = 1;
                while at > 0 && depth > 0 {
                    at -= 1;
                    depth += i32::from(is(all, at, Punct::RParen)) - i32::from(is(all, at, Punct::LParen));
                }
                if !matches!(at.checked_sub(1).map(|at| all[at].kind), Some(TokenKind::Keyword(Keyword::Attribute))) {
                    return false;
                }
            }
            _ => return false,
        }
    }
    false
}

/// The declarations at file scope that name something: from their first token to the semicolon.
fn declarations(all: &[Token], symbol: u32) -> Vec<(usize, usize)> {
    let (mut depth, mut start, mut mentioned, mut found) = (0usize, 0, false, Vec::new());
    for at in 0..all.len() {
        match all[at].punct() {
            Some(Punct::LBrace | Punct::LParen | Punct::LBracket) => depth += 1,
            Some(Punct::RBrace | Punct::RParen | Punct::RBracket) => {
                depth = depth.saturating_sub(1);
                // A function's body ends without a semicolon.
                if depth == 0 && is(all, at, Punct::RBrace) && !is(all, at + 1, Punct::Semi) && !follows_declarator(all, at + 1) {
                    (start, mentioned) = (at + 1, false);
                }
            }
            Some(Punct::Semi) if depth == 0 => {
                if mentioned {
                    found.push((start, at));
                }
                (start, mentioned) = (at + 1, false);
            }
            _ => mentioned |= depth == 0 && all[at].kind == TokenKind::Ident && all[at].value == symbol,
        }
    }
    found
}

/// Whether behind a brace something is declared, as in `struct { … } x;`.
fn follows_declarator(all: &[Token], at: usize) -> bool {
    is(all, at, Punct::Star) || all.get(at).is_some_and(|token| token.kind == TokenKind::Ident) && !is(all, at + 1, Punct::LParen)
}

/// `struct c d;` before `struct c { … };`: a tentative definition, which counts at the end of the file.
pub(super) fn define_at_end(tokens: &mut Tokens, names: &mut Interner, name: &str) {
    let symbol = names.intern(name).raw();
    let found = declarations(&tokens.tokens, symbol);
    let Some(&(start, end)) = found.first() else { return };
    let declaration: Vec<Token> = tokens.tokens[start..=end].to_vec();
    let first = declaration[0];
    let plain = matches!(first.kind, TokenKind::Keyword(Keyword::Struct | Keyword::Union | Keyword::Enum));
    if !plain || declaration.iter().any(|token| matches!(token.punct(), Some(Punct::Eq | Punct::LBrace))) {
        return;
    }
    let last = tokens.tokens.iter().rposition(|token| token.kind == TokenKind::Eof).unwrap_or(tokens.tokens.len());
    insert(tokens, last, &declaration);
    insert(tokens, start, &[like(first, TokenKind::Keyword(Keyword::Extern), 0)]);
}

/// A pragma between two string literals does not keep them from being joined.
pub(super) fn join_strings(tokens: &mut Tokens) {
    let is_string = |token: Option<&Token>| token.is_some_and(|token| token.kind == TokenKind::Str);
    let mut at = 0;
    while at + 1 < tokens.tokens.len() {
        let (first, second) = (tokens.tokens[at], tokens.tokens[at + 1]);
        if is_string(Some(&first)) && is_string(Some(&second)) {
            let (a, b) = (&tokens.strings[first.value as usize], &tokens.strings[second.value as usize]);
            if a.encoding != b.encoding {
                return;
            }
            let mut joined = a.clone();
            joined.elements.extend(&b.elements);
            tokens.strings.push(joined);
            tokens.tokens[at].value = tokens.strings.len() as u32 - 1;
            for pragma in &mut tokens.pragmas {
                if pragma.before as usize == at + 1 {
                    pragma.before = at as u32;
                }
            }
            remove(tokens, &[at + 1]);
        } else {
            at += 1;
        }
    }
}

/// `char s[2][1][5] = {"a", "b"}`: strings get all the braces that they may go without.
pub(super) fn brace_strings(tokens: &mut Tokens) {
    let mut at = 0;
    while at < tokens.tokens.len() {
        if let Some((open, close, sizes)) = bare_strings(tokens, at) {
            let strings: Vec<Token> = tokens.tokens[open + 1..close].iter().copied().filter(|token| token.kind == TokenKind::Str).collect();
            let brace = tokens.tokens[open];
            let mut made = Vec::new();
            nest(&strings, &sizes, brace, &mut made);
            let old: Vec<usize> = (open..=close).collect();
            remove(tokens, &old);
            insert(tokens, open, &made);
        }
        at += 1;
    }
}

/// The braces behind an array of arrays of arrays of characters that hold strings alone, and how many strings each
/// inner array takes, from the outermost on.
fn bare_strings(tokens: &Tokens, name: usize) -> Option<(usize, usize, Vec<usize>)> {
    let all = &tokens.tokens;
    if all[name].kind != TokenKind::Ident {
        return None;
    }
    let (mut at, mut lengths) = (name + 1, Vec::new());
    while is(all, at, Punct::LBracket) {
        let length = if is(all, at + 1, Punct::RBracket) {
            0
        } else {
            let token = all.get(at + 1).filter(|token| token.kind == TokenKind::Int)?;
            at += 1;
            usize::try_from(tokens.ints.get(token.value as usize)?.value).ok()?
        };
        if !is(all, at + 1, Punct::RBracket) {
            return None;
        }
        lengths.push(length);
        at += 2;
    }
    if lengths.len() < 3 || !is(all, at, Punct::Eq) || !is(all, at + 1, Punct::LBrace) {
        return None;
    }
    let open = at + 1;
    let mut close = open + 1;
    while all.get(close).is_some_and(|token| token.kind == TokenKind::Str) {
        close += 1;
        close += usize::from(is(all, close, Punct::Comma));
    }
    if !is(all, close, Punct::RBrace) || close == open + 1 {
        return None;
    }
    let inner = &lengths[1..lengths.len() - 1];
    let sizes = (0..inner.len()).map(|from| inner[from..].iter().product()).collect::<Vec<usize>>();
    sizes.iter().all(|&size| size > 0).then_some((open, close, sizes))
}

fn nest(strings: &[Token], sizes: &[usize], brace: Token, made: &mut Vec<Token>) {
    made.push(like(brace, TokenKind::Punct(Punct::LBrace), 0));
    let comma = like(brace, TokenKind::Punct(Punct::Comma), 0);
    match sizes.split_first() {
        Some((&size, rest)) => {
            for part in strings.chunks(size) {
                nest(part, rest, brace, made);
                made.push(comma);
            }
        }
        None => strings.iter().for_each(|&string| made.extend([string, comma])),
    }
    made.push(like(brace, TokenKind::Punct(Punct::RBrace), 0));
}

/// In `offsetof(type, u->y)`, `u` is an array: the arrow means its first element.
pub(super) fn index_offsets(tokens: &mut Tokens) {
    let mut at = 0;
    while at < tokens.tokens.len() {
        if tokens.tokens[at].kind == TokenKind::Keyword(Keyword::BuiltinOffsetof) && is(&tokens.tokens, at + 1, Punct::LParen) {
            let (mut depth, mut inside) = (1, at + 2);
            while depth > 0 && inside < tokens.tokens.len() {
                let token = tokens.tokens[inside];
                match token.punct() {
                    Some(Punct::LParen) => depth += 1,
                    Some(Punct::RParen) => depth -= 1,
                    Some(Punct::Arrow) => {
                        let Some(zero) = zero(tokens) else { return };
                        let punct = |punct| like(token, TokenKind::Punct(punct), 0);
                        remove(tokens, &[inside]);
                        let number = like(token, TokenKind::Int, zero);
                        insert(tokens, inside, &[punct(Punct::LBracket), number, punct(Punct::RBracket), punct(Punct::Dot)]);
                        inside += 3;
                    }
                    _ => {}
                }
                inside += 1;
            }
        }
        at += 1;
    }
}

/// The constant 0 among those of the file.
fn zero(tokens: &mut Tokens) -> Option<u32> {
    if let Some(known) = tokens.ints.iter().position(|constant| constant.value == 0 && !constant.imaginary) {
        return u32::try_from(known).ok();
    }
    let mut zero = *tokens.ints.iter().find(|constant| !constant.imaginary)?;
    zero.value = 0;
    tokens.ints.push(zero);
    u32::try_from(tokens.ints.len() - 1).ok()
}

/// `__label__ a, b;` where nothing jumps to `a`.
pub(super) fn drop_label(tokens: &mut Tokens, names: &mut Interner, name: &str) {
    let symbol = names.intern(name).raw();
    let all = &tokens.tokens;
    let named = |at: usize| all.get(at).is_some_and(|token| token.kind == TokenKind::Ident && token.value == symbol);
    let used = (1..all.len()).any(|at| {
        named(at)
            && (all[at - 1].kind == TokenKind::Keyword(Keyword::Goto) || is(all, at - 1, Punct::AmpAmp) || is(all, at + 1, Punct::Colon))
    });
    if used {
        return;
    }
    let mut at = 0;
    while at < tokens.tokens.len() {
        if tokens.tokens[at].kind == TokenKind::Keyword(Keyword::Label) {
            let end = (at..tokens.tokens.len()).find(|&end| is(&tokens.tokens, end, Punct::Semi)).unwrap_or(at);
            let here = (at..end).find(|&here| tokens.tokens[here].kind == TokenKind::Ident && tokens.tokens[here].value == symbol);
            if let Some(here) = here {
                let places: Vec<usize> = match (is(&tokens.tokens, here - 1, Punct::Comma), is(&tokens.tokens, here + 1, Punct::Comma)) {
                    (true, _) => vec![here - 1, here],
                    (false, true) => vec![here, here + 1],
                    (false, false) => (at..=end).collect(),
                };
                remove(tokens, &places);
            }
        }
        at += 1;
    }
}

/// A function of the library that is declared without parameters after its first call: the compiler knows it better.
/// Not where anything else at file scope declares it.
pub(super) fn forget_declaration(tokens: &mut Tokens, names: &mut Interner, name: &str) {
    let symbol = names.intern(name).raw();
    let found = declarations(&tokens.tokens, symbol);
    let [(start, end)] = found[..] else { return };
    let all = &tokens.tokens;
    let Some(at) = (start..end).find(|&at| all[at].kind == TokenKind::Ident && all[at].value == symbol) else { return };
    let alone = at > start && is(all, at - 1, Punct::Star) && is(all, at + 1, Punct::LParen) && is(all, at + 2, Punct::RParen);
    if alone && at + 3 == end && !(start..at).any(|at| is(all, at, Punct::Comma) || is(all, at, Punct::LBrace)) {
        let places: Vec<usize> = (start..=end).collect();
        remove(tokens, &places);
    }
}

/// `__float80` is the `long double` of x86.
pub(super) fn name_long_double(tokens: &mut Tokens, names: &mut Interner) {
    let symbol = names.intern("__float80").raw();
    let mut at = 0;
    while at < tokens.tokens.len() {
        let token = tokens.tokens[at];
        if token.kind == TokenKind::Ident && token.value == symbol {
            tokens.tokens[at] = Token { kind: TokenKind::Keyword(Keyword::Long), value: 0, ..token };
            insert(tokens, at + 1, &[like(token, TokenKind::Keyword(Keyword::Double), 0)]);
        }
        at += 1;
    }
}

/// The functions that the library is kept from making operators of, each with the types of its result and its
/// parameters.
const KNOWN: [(&str, Type, &[Type]); 17] = [
    ("abs", INT, &[INT]),
    ("labs", LONG, &[LONG]),
    ("llabs", LONG_LONG, &[LONG_LONG]),
    ("imaxabs", Type::Greatest, &[Type::Greatest]),
    ("fabs", DOUBLE, &[DOUBLE]),
    ("fabsf", FLOAT, &[FLOAT]),
    ("fabsl", LONG_DOUBLE, &[LONG_DOUBLE]),
    ("copysign", DOUBLE, &[DOUBLE, DOUBLE]),
    ("copysignf", FLOAT, &[FLOAT, FLOAT]),
    ("copysignl", LONG_DOUBLE, &[LONG_DOUBLE, LONG_DOUBLE]),
    ("alloca", Type::Pointer, &[Type::Size]),
    ("creal", DOUBLE, &[COMPLEX]),
    ("cimag", DOUBLE, &[COMPLEX]),
    ("conj", COMPLEX, &[COMPLEX]),
    ("crealf", FLOAT, &[COMPLEX_FLOAT]),
    ("cimagf", FLOAT, &[COMPLEX_FLOAT]),
    ("conjf", COMPLEX_FLOAT, &[COMPLEX_FLOAT]),
];

#[derive(Clone, Copy)]
enum Type {
    Words(&'static [Keyword]),
    Pointer,
    Size,
    Greatest,
}

const INT: Type = Type::Words(&[Keyword::Int]);
const LONG: Type = Type::Words(&[Keyword::Long]);
const LONG_LONG: Type = Type::Words(&[Keyword::Long, Keyword::Long]);
const FLOAT: Type = Type::Words(&[Keyword::Float]);
const DOUBLE: Type = Type::Words(&[Keyword::Double]);
const LONG_DOUBLE: Type = Type::Words(&[Keyword::Long, Keyword::Double]);
const COMPLEX: Type = Type::Words(&[Keyword::Complex, Keyword::Double]);
const COMPLEX_FLOAT: Type = Type::Words(&[Keyword::Complex, Keyword::Float]);

/// Declares such a function before everything else where nothing at file scope does: compilers know its type, and the
/// library would take it for one that returns an `int`.
pub(super) fn declare_known(tokens: &mut Tokens, names: &mut Interner, wide: bool) {
    let symbols: Vec<u32> = KNOWN.iter().map(|(name, ..)| names.intern(name).raw()).collect();
    let mut called = [false; KNOWN.len()];
    let mut declared = [false; KNOWN.len()];
    let mut depth = 0usize;
    for (at, token) in tokens.tokens.iter().enumerate() {
        match token.punct() {
            Some(Punct::LBrace) => depth += 1,
            Some(Punct::RBrace) => depth = depth.saturating_sub(1),
            _ if token.kind == TokenKind::Ident => {
                if let Some(known) = symbols.iter().position(|&symbol| symbol == token.value) {
                    if depth == 0 { declared[known] = true } else { called[known] |= is(&tokens.tokens, at + 1, Punct::LParen) }
                }
            }
            _ => {}
        }
    }
    let Some(&first) = tokens.tokens.first() else { return };
    let mut made = Vec::new();
    for (number, (_, result, parameters)) in KNOWN.iter().enumerate() {
        if !called[number] || declared[number] {
            continue;
        }
        let punct = |punct| like(first, TokenKind::Punct(punct), 0);
        made.push(like(first, TokenKind::Keyword(Keyword::Extern), 0));
        spell(*result, wide, first, &mut made);
        made.extend([like(first, TokenKind::Ident, symbols[number]), punct(Punct::LParen)]);
        for (place, &parameter) in parameters.iter().enumerate() {
            if place > 0 {
                made.push(punct(Punct::Comma));
            }
            spell(parameter, wide, first, &mut made);
        }
        made.extend([punct(Punct::RParen), punct(Punct::Semi)]);
    }
    insert(tokens, 0, &made);
}

fn spell(ty: Type, wide: bool, first: Token, made: &mut Vec<Token>) {
    let words: &[Keyword] = match ty {
        Type::Words(words) => words,
        Type::Pointer => &[Keyword::Void],
        Type::Size if wide => &[Keyword::Unsigned, Keyword::Long],
        Type::Size => &[Keyword::Unsigned, Keyword::Int],
        Type::Greatest if wide => &[Keyword::Long],
        Type::Greatest => &[Keyword::Long, Keyword::Long],
    };
    made.extend(words.iter().map(|&word| like(first, TokenKind::Keyword(word), 0)));
    if matches!(ty, Type::Pointer) {
        made.push(like(first, TokenKind::Punct(Punct::Star), 0));
    }
}
