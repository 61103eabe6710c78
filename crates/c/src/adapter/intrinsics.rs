//! Words of other verifiers that are no C: types of CBMC (`__CPROVER_bool`, `__CPROVER_size_t`, bit-vectors of any
//! width) and quantifiers over a range of numbers, which become loops.

use super::regroup;
use assay_cfa::DataModel;
use rucc_base::Interner;
use rucc_diag::Span;
use rucc_lex::{Keyword, Punct, Token, TokenKind, Tokens};

/// What is not understood, and where.
pub(super) struct Refused {
    pub span: Span,
    pub message: String,
}

/// The quantifiers, each with whether all numbers of the range must satisfy the condition.
const QUANTIFIERS: [(&str, bool); 2] = [("__CPROVER_forall", true), ("__CPROVER_exists", false)];

/// Puts C in the place of these words.
pub(super) fn replace(tokens: &mut Tokens, names: &mut Interner, model: DataModel) -> Result<(), Refused> {
    let mentions: Vec<(usize, String)> = (tokens.tokens.iter().enumerate())
        .filter_map(|(at, token)| Some((at, word(token, names)?.strip_prefix("__CPROVER_")?.to_string())))
        .collect();
    // What the program defines itself is its own.
    let own: Vec<String> = mentions.iter().filter(|(at, _)| is_defined(&tokens.tokens, *at)).map(|(_, word)| word.clone()).collect();
    for (at, word) in mentions.iter().rev().filter(|(_, word)| !own.contains(word)) {
        types(tokens, *at, word, model)?;
    }
    // The last one first: it is inside of the others.
    for (name, all) in QUANTIFIERS {
        while let Some(at) = tokens.tokens.iter().rposition(|token| word(token, names) == Some(name)) {
            quantifier(tokens, names, at, all)?;
        }
    }
    Ok(())
}

fn word<'n>(token: &Token, names: &'n Interner) -> Option<&'n str> {
    (token.kind == TokenKind::Ident).then(|| names.resolve(rucc_base::Symbol::from_raw(token.value)))
}

/// Whether a name is what a `typedef` defines.
fn is_defined(list: &[Token], at: usize) -> bool {
    let is_semicolon = |token: &Token| token.punct() == Some(Punct::Semi);
    let start = list[..at].iter().rposition(is_semicolon).map_or(0, |semicolon| semicolon + 1);
    let is_typedef = list[start..at].iter().any(|token| token.keyword() == Some(Keyword::Typedef));
    is_typedef && list.get(at + 1).is_some_and(is_semicolon)
}

/// A type's name (without its prefix) becomes the type.
fn types(tokens: &mut Tokens, at: usize, word: &str, model: DataModel) -> Result<(), Refused> {
    let same = Token { ..tokens.tokens[at] };
    let keyword = |keyword| Token { kind: TokenKind::Keyword(keyword), value: 0, ..same };
    let size = if model == DataModel::Lp64 { Keyword::Long } else { Keyword::Int };
    let new = match word {
        "bool" => vec![keyword(Keyword::Bool)],
        "size_t" => vec![keyword(Keyword::Unsigned), keyword(size)],
        "ssize_t" => vec![keyword(size)],
        "bitvector" => {
            let signed = |token: Option<&Token>| matches!(token.and_then(|t| t.keyword()), Some(Keyword::Signed | Keyword::Unsigned));
            let before = at.checked_sub(1).and_then(|before| tokens.tokens.get(before));
            let partner = regroup::partners(&tokens.tokens);
            let (Some(open), true) = (tokens.tokens.get(at + 1).filter(|t| t.punct() == Some(Punct::LBracket)), signed(before)) else {
                let message = "write signed or unsigned before __CPROVER_bitvector[n]".to_string();
                return Err(Refused { span: same.span, message });
            };
            let open = *open;
            let Some(close) = partner[at + 1] else {
                return Err(Refused { span: same.span, message: "a width in brackets is missing".to_string() });
            };
            let last = tokens.tokens[close];
            tokens.tokens[at + 1] = Token { kind: TokenKind::Punct(Punct::LParen), ..open };
            tokens.tokens[close] = Token { kind: TokenKind::Punct(Punct::RParen), ..last };
            vec![keyword(Keyword::BitInt)]
        }
        _ => return Ok(()),
    };
    splice(tokens, at, 1, new);
    Ok(())
}

/// `__CPROVER_forall { int i; 0 <= i && i < n ==> P }` is a loop that looks for an `i` without `P`.
fn quantifier(tokens: &mut Tokens, names: &mut Interner, at: usize, all: bool) -> Result<(), Refused> {
    let list = &tokens.tokens;
    let span = list[at].span;
    let refused = |message: &str| Refused {
        span,
        message: format!("{message} (a quantifier is read as in `forall {{ int i; 0 <= i && i < n ==> P }}`)"),
    };
    let partner = regroup::partners(list);
    let is = |token: &Token, punct: Punct| token.punct() == Some(punct);
    let open = at + 1;
    let close = match list.get(open) {
        Some(token) if is(token, Punct::LBrace) => partner[open].ok_or_else(|| refused("a brace is missing"))?,
        _ => return Err(refused("a brace is missing")),
    };
    let inside = &list[open + 1..close];
    let semicolon = inside.iter().position(|token| is(token, Punct::Semi)).ok_or_else(|| refused("the variable is missing"))?;
    let (declared, mut body) = (&inside[..semicolon], &inside[semicolon + 1..]);
    while let Some((last, rest)) = body.split_last()
        && is(last, Punct::Semi)
    {
        body = rest;
    }
    let Some((variable, kind)) = declared.split_last().filter(|(variable, _)| variable.kind == TokenKind::Ident) else {
        return Err(refused("the variable is missing"));
    };
    let (range, claim) = match (all, implication(strip(body))) {
        (true, Some((range, claim))) => (range.to_vec(), claim.to_vec()),
        (true, None) => return Err(refused("without a range of numbers it cannot be decided")),
        (false, _) => (strip(body).to_vec(), vec![]),
    };
    let (mut low, mut high): (Option<Vec<Token>>, Option<(Punct, Vec<Token>)>) = (None, None);
    let name = variable.value;
    let is_variable = |part: &[Token]| matches!(strip(part), [one] if one.kind == TokenKind::Ident && one.value == name);
    for part in conjuncts(&range) {
        for (operator, turned) in [(Punct::Le, Punct::Ge), (Punct::Lt, Punct::Gt), (Punct::Ge, Punct::Le), (Punct::Gt, Punct::Lt)] {
            let sides = split(part, operator);
            let [left, right] = sides[..] else { continue };
            // As `i ? bound`.
            let (operator, bound) = match (is_variable(left), is_variable(right)) {
                (true, false) => (operator, right),
                (false, true) => (turned, left),
                _ => continue,
            };
            match operator {
                Punct::Lt | Punct::Le => high = high.or_else(|| Some((operator, bound.to_vec()))),
                Punct::Ge => low = low.or_else(|| Some(bound.to_vec())),
                _ => {}
            }
        }
    }
    let make = |kind, value| Token { kind, value, ..list[at] };
    let punct = |punct| make(TokenKind::Punct(punct), 0);
    let keyword = |keyword| make(TokenKind::Keyword(keyword), 0);
    let result = make(TokenKind::Ident, names.intern("__assay_quantified").raw());
    // `sizeof(char)` is 1.
    let one = [keyword(Keyword::Sizeof), punct(Punct::LParen), keyword(Keyword::Char), punct(Punct::RParen)];
    let zero = [&[punct(Punct::Bang)], &one[..]].concat();
    let unsigned = kind.iter().any(|token| token.keyword() == Some(Keyword::Unsigned));
    let low = match low {
        Some(low) => low,
        None if unsigned => zero.clone(),
        None => return Err(refused("without a smallest number it cannot be decided")),
    };
    let (operator, high) = high.ok_or_else(|| refused("without a largest number it cannot be decided"))?;
    let wrapped = |inner: &[Token]| [&[punct(Punct::LParen)], inner, &[punct(Punct::RParen)]].concat();
    let mut new = vec![punct(Punct::LParen), punct(Punct::LBrace), keyword(Keyword::Bool), result, punct(Punct::Eq)];
    new.extend(if all { &one[..] } else { &zero[..] });
    new.extend([punct(Punct::Semi), keyword(Keyword::For), punct(Punct::LParen)]);
    new.extend(kind);
    new.extend([*variable, punct(Punct::Eq)]);
    new.extend(wrapped(&low));
    new.extend([punct(Punct::Semi), *variable, punct(operator)]);
    new.extend(wrapped(&high));
    new.extend([punct(Punct::Semi), punct(Punct::PlusPlus), *variable, punct(Punct::RParen), keyword(Keyword::If), punct(Punct::LParen)]);
    new.extend(wrapped(&range));
    if all {
        new.extend([punct(Punct::AmpAmp), punct(Punct::Bang)]);
        new.extend(wrapped(&claim));
    }
    new.extend([punct(Punct::RParen), punct(Punct::LBrace), result, punct(Punct::Eq)]);
    new.extend(if all { &zero[..] } else { &one[..] });
    new.extend([punct(Punct::Semi), keyword(Keyword::Break), punct(Punct::Semi), punct(Punct::RBrace)]);
    new.extend([result, punct(Punct::Semi), punct(Punct::RBrace), punct(Punct::RParen)]);
    splice(tokens, at, close + 1 - at, new);
    Ok(())
}

/// The tokens without parentheses around all of them.
fn strip(mut tokens: &[Token]) -> &[Token] {
    while let [first, .., last] = tokens
        && first.punct() == Some(Punct::LParen)
        && last.punct() == Some(Punct::RParen)
        && regroup::partners(tokens)[0] == Some(tokens.len() - 1)
    {
        tokens = &tokens[1..tokens.len() - 1];
    }
    tokens
}

/// What must hold together, however it is put in parentheses.
fn conjuncts(tokens: &[Token]) -> Vec<&[Token]> {
    let parts = split(strip(tokens), Punct::AmpAmp);
    if let [one] = parts[..] {
        return vec![one];
    }
    parts.into_iter().flat_map(conjuncts).collect()
}

/// The parts between operators that are in no brackets.
fn split(tokens: &[Token], operator: Punct) -> Vec<&[Token]> {
    let partner = regroup::partners(tokens);
    let (mut parts, mut start, mut at) = (vec![], 0, 0);
    while at < tokens.len() {
        if tokens[at].punct() == Some(operator) {
            parts.push(&tokens[start..at]);
            start = at + 1;
        }
        at = partner[at].filter(|&close| close > at).map_or(at + 1, |close| close + 1);
    }
    parts.push(&tokens[start..]);
    parts
}

/// Both sides of the first `==>` that is in no brackets: `==` and `>` without anything between.
fn implication(tokens: &[Token]) -> Option<(&[Token], &[Token])> {
    let partner = regroup::partners(tokens);
    let mut at = 0;
    while at + 1 < tokens.len() {
        let (first, second) = (&tokens[at], &tokens[at + 1]);
        if first.punct() == Some(Punct::EqEq) && second.punct() == Some(Punct::Gt) && first.span.hi == second.span.lo {
            return Some((&tokens[..at], &tokens[at + 2..]));
        }
        at = partner[at].filter(|&close| close > at).map_or(at + 1, |close| close + 1);
    }
    None
}

fn splice(tokens: &mut Tokens, at: usize, removed: usize, new: Vec<Token>) {
    let added = new.len();
    tokens.tokens.splice(at..at + removed, new);
    for pragma in &mut tokens.pragmas {
        if pragma.before as usize > at {
            pragma.before = (pragma.before as usize + added).saturating_sub(removed).max(at) as u32;
        }
    }
}
