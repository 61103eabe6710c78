//! Programs that compilers accept and the library refuses: what it says tells how the tokens can be changed so that it
//! takes them, and they mean the same. A file is read a second time only where the first reading failed in one of these
//! ways.

use super::rewrite;
use assay_base::Diagnostic;
use rucc_base::Interner;
use rucc_diag::Span;
use rucc_lex::{Keyword, Punct, Token, TokenKind, Tokens};

/// A change of the tokens.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Mend {
    /// `{{x}}` in an initialiser is `{x}`: around a scalar there may be any number of braces.
    Braces,
    /// A function that is called before it is declared returns `void`: it is declared before everything else.
    VoidFunction(String),
    /// The last member of a structure has no semicolon.
    LastMember,
    /// Something of a type that is complete only later: its definition is moved to the end.
    Tentative(String),
    /// A label that is declared and never used.
    Label(String),
    /// An arrow in `offsetof`.
    Offset,
    /// A pragma between string literals.
    Strings,
    /// String literals without the braces of the arrays around them.
    StringBraces,
    /// A function of the library that is declared after its first call.
    Redeclared(String),
    /// `__float80`.
    LongDouble,
}

/// What would help against these messages.
pub(super) fn mends(messages: &[Diagnostic]) -> Vec<Mend> {
    let mut found = Vec::new();
    for message in messages {
        if let Some(mend) = mend(message)
            && !found.contains(&mend)
        {
            found.push(mend);
        }
    }
    found
}

/// Functions of which compilers know the type without a declaration.
const BUILT_IN: [&str; 14] = [
    "malloc", "calloc", "realloc", "alloca", "memcpy", "memmove", "memset", "memchr", "strcpy", "strncpy", "strcat", "strchr", "strrchr",
    "strdup",
];

fn mend(message: &Diagnostic) -> Option<Mend> {
    let text = message.message.as_str();
    let between =
        |before: &str, after: &str| text.strip_prefix(before).and_then(|rest| rest.split_once(after)).map(|(name, _)| name.to_string());
    if text.starts_with("braces around scalar initializer") {
        return Some(Mend::Braces);
    }
    if text.starts_with("expected `;`, found `}`") {
        return Some(Mend::LastMember);
    }
    if text.contains("found `->`") {
        return Some(Mend::Offset);
    }
    if text.contains("found a string literal") {
        return Some(Mend::Strings);
    }
    if text.starts_with("cannot initialize array of 'char") && text.contains("from a string literal") {
        return Some(Mend::StringBraces);
    }
    if text.starts_with("unknown type name '__float80'") {
        return Some(Mend::LongDouble);
    }
    if let Some(name) = between("storage size of '", "' isn't known") {
        return Some(Mend::Tentative(name));
    }
    if let Some(name) = between("label '", "' used but not defined") {
        return Some(Mend::Label(name));
    }
    let (name, have) = text.strip_prefix("conflicting types for '")?.split_once("'; have '")?;
    let before = message.help.as_deref().unwrap_or_default();
    if have.starts_with("void(") && before.ends_with("with type 'int()'") {
        return Some(Mend::VoidFunction(name.to_string()));
    }
    (have.ends_with("*()'") && BUILT_IN.contains(&name)).then(|| Mend::Redeclared(name.to_string()))
}

/// Changes the tokens of a file.
pub(super) fn apply(mends: &[Mend], tokens: &mut Tokens, names: &mut Interner) {
    for mend in mends {
        match mend {
            Mend::Braces => while remove_braces(tokens) {},
            Mend::VoidFunction(name) => declare(tokens, names, name),
            Mend::LastMember => rewrite::end_members(tokens),
            Mend::Tentative(name) => rewrite::define_at_end(tokens, names, name),
            Mend::Label(name) => rewrite::drop_label(tokens, names, name),
            Mend::Offset => rewrite::index_offsets(tokens),
            Mend::Strings => rewrite::join_strings(tokens),
            Mend::StringBraces => rewrite::brace_strings(tokens),
            Mend::Redeclared(name) => rewrite::forget_declaration(tokens, names, name),
            Mend::LongDouble => rewrite::name_long_double(tokens, names),
        }
    }
}

/// GNU's `__alignof__` of a type of eight bytes is eight also where the type need not be aligned to more than four,
/// which the library does not say: there it is the size.
pub(super) fn prefer_alignment(tokens: &mut Tokens) {
    let list = &mut tokens.tokens;
    let is = |token: Option<&Token>, punct: Punct| token.is_some_and(|token| token.kind == TokenKind::Punct(punct));
    for at in 0..list.len() {
        if list[at].kind != TokenKind::Keyword(Keyword::GnuAlignof) || !is(list.get(at + 1), Punct::LParen) {
            continue;
        }
        let (mut words, mut doubles, mut longs, mut end) = (0, 0, 0, at + 2);
        while let Some(TokenKind::Keyword(keyword)) = list.get(end).map(|token| token.kind) {
            match keyword {
                Keyword::Double => doubles += 1,
                Keyword::Long => longs += 1,
                Keyword::Unsigned | Keyword::Signed | Keyword::Int | Keyword::Const | Keyword::Volatile => {}
                _ => words += 1,
            }
            end += 1;
        }
        if is(list.get(end), Punct::RParen) && words == 0 && matches!((doubles, longs), (1, 0) | (0, 2)) {
            list[at].kind = TokenKind::Keyword(Keyword::Sizeof);
        }
    }
}

/// Puts `void name();` before everything else.
fn declare(tokens: &mut Tokens, names: &mut Interner, name: &str) {
    let Some(first) = tokens.tokens.first().copied() else { return };
    let span = Span::new(first.span.lo, first.span.lo);
    let token = |kind, value| Token { kind, value, span, flags: first.flags };
    let symbol = names.intern(name).raw();
    let punct = |punct| token(TokenKind::Punct(punct), 0);
    let added = [
        token(TokenKind::Keyword(Keyword::Void), 0),
        token(TokenKind::Ident, symbol),
        punct(Punct::LParen),
        punct(Punct::RParen),
        punct(Punct::Semi),
    ];
    tokens.tokens.splice(0..0, added);
    for pragma in &mut tokens.pragmas {
        pragma.before += added.len() as u32;
    }
}

/// Removes the inner of two pairs of braces of an initialiser that hold one value; says whether there was one.
fn remove_braces(tokens: &mut Tokens) -> bool {
    let all = &tokens.tokens;
    let is = |at: usize, punct: Punct| all.get(at).and_then(|token| token.punct()) == Some(punct);
    // Which braces belong to initialisers: those behind `=`, and those right inside of such a pair.
    let mut stack: Vec<(usize, bool, bool)> = Vec::new();
    for at in 0..all.len() {
        if is(at, Punct::LBrace) {
            let inside =
                stack.last().is_some_and(|&(_, initialiser, _)| initialiser) && (is(at - 1, Punct::LBrace) || is(at - 1, Punct::Comma));
            let initialiser = at > 0 && (is(at - 1, Punct::Eq) || inside);
            stack.push((at, initialiser, false));
        } else if is(at, Punct::LParen) || is(at, Punct::LBracket) {
            stack.push((at, false, false));
        } else if is(at, Punct::Comma) {
            if let Some(top) = stack.last_mut() {
                // A comma before the closing brace separates nothing.
                top.2 |= !is(at + 1, Punct::RBrace);
            }
        } else if is(at, Punct::RParen) || is(at, Punct::RBracket) {
            stack.pop();
        } else if is(at, Punct::RBrace) {
            let Some((open, initialiser, several)) = stack.pop() else { return false };
            let close = at;
            let designated = is(open + 1, Punct::Dot) || is(open + 1, Punct::LBracket);
            let last = if is(close + 1, Punct::Comma) { close + 2 } else { close + 1 };
            let alone = open > 0 && is(open - 1, Punct::LBrace) && is(last, Punct::RBrace) && stack.last().is_some_and(|outer| outer.1);
            if initialiser && alone && !several && !designated && close > open + 1 {
                rewrite::remove(tokens, &[open, close]);
                return true;
            }
        }
    }
    false
}
