//! Takes brackets out of the token stream that the parser's nesting limit would refuse and that
//! mean nothing: `((x))`, `{{ s }}`, `(a && b) && c`, `a || (b || c)`.
//!
//! The library's parser stops at 256 nested brackets; generated programs (event-condition-action
//! systems, unrolled reducers) go beyond it. The pass runs only over files that are that deep, and
//! removes a pair only if the tree that is parsed afterwards has the same meaning.

use rucc_diag::Span;
use rucc_lex::{Keyword, Punct, Token, TokenKind, Tokens};

/// The depth from which on the pass is worth its time; some levels are spent by the parser on
/// constructs that have no bracket of their own.
const DEEP: usize = 120;

/// Nesting that is refused before the parser sees it: the parser recurses for every level.
pub const MAX_NESTING: usize = 5_000;

/// How many tokens a single expression may have before it is refused: the checker recurses
/// over a chain of operators.
pub(super) const MAX_CHAIN: usize = 400_000;

/// Where and why an input is refused before parsing.
pub(super) struct TooDeep {
    pub span: Span,
    pub message: String,
}

/// Checks the limits and removes redundant brackets where the nesting is deep. Says whether it still is.
pub(super) fn regroup(tokens: &mut Tokens) -> Result<bool, TooDeep> {
    if check_limits(&tokens.tokens)? < DEEP {
        return Ok(false);
    }
    // Removing a pair may make its neighbours redundant, so it runs to a fixpoint.
    while remove_redundant(tokens) {}
    Ok(check_limits(&tokens.tokens)? >= DEEP)
}

fn opens(token: Token) -> bool {
    matches!(token.punct(), Some(Punct::LParen | Punct::LBrace | Punct::LBracket))
}

fn closes(token: Token) -> bool {
    matches!(token.punct(), Some(Punct::RParen | Punct::RBrace | Punct::RBracket))
}

/// The deepest nesting, or the place where a limit is passed.
fn check_limits(tokens: &[Token]) -> Result<usize, TooDeep> {
    let (mut depth, mut deepest, mut chain, mut unclosed) = (0usize, 0usize, 0usize, 0usize);
    for &token in tokens {
        if opens(token) {
            depth += 1;
            deepest = deepest.max(depth);
            if depth > MAX_NESTING {
                let message = format!("brackets are nested more deeply than {MAX_NESTING} levels");
                return Err(TooDeep { span: token.span, message });
            }
        } else if closes(token) {
            depth = depth.saturating_sub(1);
        }
        // A chain of `else if` or of statements without braces nests without a bracket.
        match token.kind {
            TokenKind::Punct(Punct::Semi | Punct::LBrace | Punct::RBrace | Punct::Comma) => chain = 0,
            TokenKind::Keyword(Keyword::If | Keyword::Else | Keyword::While | Keyword::For | Keyword::Do | Keyword::Switch) => {
                unclosed += 1;
                chain = 0;
            }
            _ => chain += 1,
        }
        if depth == 0 {
            unclosed = 0;
        }
        if chain > MAX_CHAIN || unclosed > 1_000_000 {
            let message = format!("an expression has more than {MAX_CHAIN} tokens");
            return Err(TooDeep { span: token.span, message });
        }
    }
    Ok(deepest)
}

/// Removes every pair that is redundant as the tokens stand; says whether there was one.
fn remove_redundant(tokens: &mut Tokens) -> bool {
    let all = &tokens.tokens;
    let partner = partners(all);
    let mut drop = vec![false; all.len()];
    let mut any = false;
    for open in 0..all.len() {
        let Some(close) = partner[open].filter(|&close| close > open) else { continue };
        let redundant = match all[open].punct() {
            Some(Punct::LParen) => redundant_parens(all, &partner, &drop, open, close),
            Some(Punct::LBrace) => redundant_braces(all, &partner, &drop, open, close),
            _ => false,
        };
        if redundant {
            drop[open] = true;
            drop[close] = true;
            any = true;
        }
    }
    if any {
        // Pragmas remember before which token they stand.
        let mut removed_before = 0u32;
        let mut shift = Vec::with_capacity(drop.len() + 1);
        for &gone in &drop {
            shift.push(removed_before);
            removed_before += u32::from(gone);
        }
        shift.push(removed_before);
        for pragma in &mut tokens.pragmas {
            let by = shift.get(pragma.before as usize).copied().unwrap_or(removed_before);
            pragma.before -= by;
        }
        let mut index = 0;
        tokens.tokens.retain(|_| {
            index += 1;
            !drop[index - 1]
        });
    }
    any
}

/// For each bracket the index of its partner.
pub(super) fn partners(tokens: &[Token]) -> Vec<Option<usize>> {
    let mut partner = vec![None; tokens.len()];
    let mut stack: Vec<usize> = Vec::new();
    for (index, &token) in tokens.iter().enumerate() {
        if opens(token) {
            stack.push(index);
        } else if closes(token)
            && let Some(open) = stack.pop()
        {
            partner[open] = Some(index);
            partner[index] = Some(open);
        }
    }
    partner
}

/// `{ { … } }`: the inner pair, with nothing between the two on either side, is no scope of its own.
fn redundant_braces(all: &[Token], partner: &[Option<usize>], dropped: &[bool], open: usize, close: usize) -> bool {
    // An initialiser's braces have a meaning; a statement's block follows one of these tokens.
    let Some(outer) = open.checked_sub(1).filter(|&outer| all[outer].punct() == Some(Punct::LBrace)) else {
        return false;
    };
    if dropped[outer] || partner[outer] != Some(close + 1) || outer == 0 {
        return false;
    }
    matches!(
        all[outer - 1].kind,
        TokenKind::Punct(Punct::RParen | Punct::LBrace | Punct::RBrace | Punct::Semi) | TokenKind::Keyword(Keyword::Else | Keyword::Do)
    ) && has_statement(&all[open..close])
}

/// Whether there is a `;` among the tokens: an initialiser has none outside statement expressions.
fn has_statement(tokens: &[Token]) -> bool {
    tokens.iter().any(|token| token.punct() == Some(Punct::Semi))
}

fn redundant_parens(all: &[Token], partner: &[Option<usize>], dropped: &[bool], open: usize, close: usize) -> bool {
    if open == 0 || close + 1 >= all.len() || close == open + 1 || dropped[open - 1] || dropped[close + 1] {
        return false;
    }
    let before = all[open - 1];
    let after = all[close + 1];
    // `( ( x ) )`, where the outer pair closes right after the inner one.
    if before.punct() == Some(Punct::LParen) && partner[open - 1] == Some(close + 1) {
        return !starts_block_or_type(all, open) && !wants_both(all, open) && !has_comma(all, partner, open, close);
    }
    let Some(inner) = loosest(all, partner, open + 1, close) else { return false };
    let left = match before.punct() {
        Some(Punct::LParen | Punct::Comma | Punct::Semi | Punct::Eq | Punct::Question | Punct::Colon) => 0,
        Some(punct) => match binary_level(punct) {
            Some(level) => level,
            None => return false,
        },
        None if before.keyword() == Some(Keyword::Return) => 0,
        None => return false,
    };
    let right = match after.punct() {
        Some(Punct::RParen | Punct::Comma | Punct::Semi | Punct::Question | Punct::Colon | Punct::RBracket) => 0,
        Some(punct) => match binary_level(punct) {
            Some(level) => level,
            None => return false,
        },
        None => return false,
    };
    // On the left of an operator of the same level the parser groups that way by itself; on the
    // right only `&&` and `||` are associative in C, with effects in the same order.
    let associative = matches!(inner, LOGICAL_OR | LOGICAL_AND);
    (left < inner || (left == inner && associative)) && right <= inner
}

const LOGICAL_OR: u8 = 1;
const LOGICAL_AND: u8 = 2;

/// The level of an operator that can only be a binary one between two operands; `*`, `&`, `+` and
/// `-` are left out where they may be unary or part of a type name.
fn binary_level(punct: Punct) -> Option<u8> {
    Some(match punct {
        Punct::PipePipe => LOGICAL_OR,
        Punct::AmpAmp => LOGICAL_AND,
        Punct::EqEq | Punct::Ne => 6,
        Punct::Lt | Punct::Gt | Punct::Le | Punct::Ge => 7,
        _ => return None,
    })
}

/// The level of the loosest operator outside inner brackets, if all of them are known here and
/// there is at least one: a group without an operator may be a type name.
fn loosest(all: &[Token], partner: &[Option<usize>], from: usize, to: usize) -> Option<u8> {
    let mut loosest: Option<u8> = None;
    let mut index = from;
    while index < to {
        let token = all[index];
        if opens(token) {
            if token.punct() == Some(Punct::LBrace) {
                return None;
            }
            index = partner[index]? + 1;
            continue;
        }
        if let Some(punct) = token.punct() {
            match binary_level(punct) {
                Some(level) => loosest = Some(loosest.map_or(level, |old| old.min(level))),
                None => match punct {
                    Punct::Comma
                    | Punct::Question
                    | Punct::Colon
                    | Punct::Semi
                    | Punct::Eq
                    | Punct::StarEq
                    | Punct::SlashEq
                    | Punct::PercentEq
                    | Punct::PlusEq
                    | Punct::MinusEq
                    | Punct::ShlEq
                    | Punct::ShrEq
                    | Punct::AmpEq
                    | Punct::CaretEq
                    | Punct::PipeEq
                    // Looser than a comparison, tighter than `&&`.
                    | Punct::Pipe
                    | Punct::Caret
                    | Punct::Amp => return None,
                    _ => {}
                },
            }
        }
        index += 1;
    }
    loosest
}

/// Whether the outer pair belongs to a construct that asks for two pairs, as `__attribute__((…))`.
fn wants_both(all: &[Token], open: usize) -> bool {
    match open.checked_sub(2).and_then(|index| all[index].keyword()) {
        Some(word) => !matches!(word, Keyword::If | Keyword::While | Keyword::Switch | Keyword::Return),
        None => false,
    }
}

/// Whether the group holds a comma operator, which an argument list would read as a separator.
fn has_comma(all: &[Token], partner: &[Option<usize>], open: usize, close: usize) -> bool {
    let mut index = open + 1;
    while index < close {
        if opens(all[index]) {
            match partner[index] {
                Some(end) => index = end,
                None => return true,
            }
        } else if all[index].punct() == Some(Punct::Comma) {
            return true;
        }
        index += 1;
    }
    false
}

/// Whether the group is a statement expression, or may be a type name in a cast.
fn starts_block_or_type(all: &[Token], open: usize) -> bool {
    match all[open + 1].kind {
        TokenKind::Punct(Punct::LBrace) => true,
        TokenKind::Keyword(_) => true,
        // `((T))` with a typedef name cannot be told from `((x))`; both keep their brackets.
        TokenKind::Ident => all.get(open + 2).is_none_or(|next| matches!(next.punct(), Some(Punct::RParen | Punct::Star))),
        _ => false,
    }
}
