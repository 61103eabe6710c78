//! Keeps `##` at the end of a macro away from the library, whose expansion does not survive it, and a backslash before
//! the last line's end, which its reader does not survive.
//!
//! The directive word of such a definition is made one that nobody knows, so that the library reports the line where it
//! is active and passes over it where it is not (below `#if 0`). The report then says what is really wrong.

/// What the last letter of `define` becomes.
const MARK: u8 = 1;

/// What the message says.
pub(super) const MESSAGE: &str = "`##` cannot appear at the end of a macro's replacement";

/// Marks every definition whose replacement ends in `##`, and ends the last line where a backslash joins it with
/// nothing.
pub(super) fn mark(text: &mut [u8]) {
    loop {
        let length = text.trim_ascii_end().len();
        if length == 0 || text[length - 1] != b'\\' || !text[length..].contains(&b'\n') {
            break;
        }
        text[length - 1] = b' ';
    }
    if !text.contains(&b'#') && !text.windows(2).any(|pair| pair == b"%:") {
        return;
    }
    let marks = Scanner { text: &*text, at: 0 }.definitions();
    for at in marks {
        text[at] = MARK;
    }
}

/// Whether a definition on the command line (`NAME=TEXT`) would be marked.
pub(super) fn is_refused(definition: &str) -> bool {
    let (name, value) = definition.split_once('=').unwrap_or((definition, "1"));
    let mut text = format!("#define {name} {value}").into_bytes();
    mark(&mut text);
    text.contains(&MARK)
}

/// The text as it was before it was marked.
pub(super) fn unmarked(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    if text.contains(MARK as char) { text.replace(MARK as char, "e") } else { text.into_owned() }
}

/// Whether a marked definition stands at a place, up to the end of its first line.
pub(super) fn is_marked(text: &[u8], at: usize) -> bool {
    text.get(at..).is_some_and(|rest| rest.split(|&b| b == b'\n').next().is_some_and(|line| line.contains(&MARK)))
}

/// Reads a text as the first phases of translation do: spliced lines, comments, literals.
struct Scanner<'a> {
    text: &'a [u8],
    at: usize,
}

/// What matters of a token.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Token {
    Paste,
    Close,
    /// A word, with the place of its last byte.
    Word {
        define: bool,
        optional: bool,
        last: usize,
    },
    Hash,
    Other,
    EndOfLine,
    EndOfText,
}

impl Scanner<'_> {
    /// The last letters of the words `define` to be marked.
    fn definitions(mut self) -> Vec<usize> {
        let mut found = Vec::new();
        loop {
            let first = self.token();
            let mut word = None;
            if first == Token::Hash {
                match self.token() {
                    Token::Word { define: true, last, .. } => word = Some(last),
                    Token::EndOfLine => continue,
                    Token::EndOfText => return found,
                    _ => {}
                }
            }
            let (mut previous, mut optional, mut refused) = (Token::Other, false, false);
            let mut token = if first == Token::Hash { self.token() } else { first };
            while token != Token::EndOfLine && token != Token::EndOfText {
                optional |= matches!(token, Token::Word { optional: true, .. });
                refused |= previous == Token::Paste && token == Token::Close && optional;
                previous = token;
                token = self.token();
            }
            if let Some(last) = word.filter(|_| refused || previous == Token::Paste) {
                found.push(last);
            }
            if token == Token::EndOfText {
                return found;
            }
        }
    }

    /// Passes over spliced line ends.
    fn splice(&mut self) {
        while self.text.get(self.at) == Some(&b'\\') {
            let rest = &self.text[self.at + 1..];
            let blanks = rest.iter().take_while(|&&b| matches!(b, b' ' | b'\t' | b'\r')).count();
            if rest.get(blanks) != Some(&b'\n') {
                return;
            }
            self.at += blanks + 2;
        }
    }

    fn peek(&mut self) -> Option<u8> {
        self.splice();
        self.text.get(self.at).copied()
    }

    /// The next character, and its place.
    fn next(&mut self) -> Option<(u8, usize)> {
        let byte = self.peek()?;
        self.at += 1;
        Some((byte, self.at - 1))
    }

    fn take(&mut self, wanted: u8) -> bool {
        let found = self.peek() == Some(wanted);
        self.at += usize::from(found);
        found
    }

    fn token(&mut self) -> Token {
        loop {
            let Some((byte, place)) = self.next() else { return Token::EndOfText };
            match byte {
                b'\n' => return Token::EndOfLine,
                byte if byte.is_ascii_whitespace() => {}
                b'/' if self.take(b'/') => while self.peek().is_some_and(|b| b != b'\n') && self.next().is_some() {},
                b'/' if self.take(b'*') => {
                    while let Some((byte, _)) = self.next() {
                        if byte == b'*' && self.take(b'/') {
                            break;
                        }
                    }
                }
                b'"' | b'\'' => {
                    while let Some(inner) = self.peek().filter(|&b| b != b'\n') {
                        self.next();
                        if inner == byte {
                            break;
                        }
                        if inner == b'\\' && self.peek().is_some_and(|b| b != b'\n') {
                            self.next();
                        }
                    }
                    return Token::Other;
                }
                b'#' => return if self.take(b'#') { Token::Paste } else { Token::Hash },
                b'%' if self.take(b':') => {
                    let before = self.at;
                    if self.take(b'%') && self.take(b':') {
                        return Token::Paste;
                    }
                    self.at = before;
                    return Token::Hash;
                }
                b')' => return Token::Close,
                byte if byte.is_ascii_alphanumeric() || byte == b'_' => {
                    let (mut word, mut last) = (vec![byte], place);
                    while self.peek().is_some_and(|b| b.is_ascii_alphanumeric() || b == b'_') {
                        if let Some((byte, place)) = self.next() {
                            word.push(byte);
                            last = place;
                        }
                    }
                    return Token::Word { define: word == b"define", optional: word == b"__VA_OPT__", last };
                }
                _ => return Token::Other,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marked(text: &str) -> bool {
        let mut bytes = text.as_bytes().to_vec();
        mark(&mut bytes);
        assert_eq!(unmarked(&bytes), text);
        bytes != text.as_bytes()
    }

    #[test]
    fn only_definitions_that_end_in_a_paste_are_marked() {
        for text in [
            "#define X a ##",
            "#define X(a) a##\n",
            " # define X ##\nint x;",
            "#define X a ## /* c */\n",
            "#define X a ## // c\n",
            "#define X a \\\n ##\n",
            "#define X a #\\\n#\n",
            "%:define X a %:%:\n",
            "#define X(...) __VA_OPT__(a ##) b\n",
            "int x;\n#def\\\nine X a##",
            "/* c */ #define X ##",
        ] {
            assert!(marked(text), "{text}");
        }
        for text in [
            "#define X a ## b\n",
            "#define X(a) #a\n",
            "#define X \"##\"\n",
            "int x; // ##\n",
            "#undef X ##\n",
            "#define X(a) (a ##)\n",
            "#define X /* ##\n*/ 1\n",
            "char c = '#';\n#define Y '\\'' + \"#define X ##",
            "#",
            "##",
            "#define",
        ] {
            assert!(!marked(text), "{text}");
        }
        assert!(is_refused("X=a##") && !is_refused("X=a") && !is_refused("X"));
    }
}
