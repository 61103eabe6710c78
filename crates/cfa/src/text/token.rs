//! Splits a line of the text form into tokens.

/// A token with what it says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Token<'a> {
    Open,
    Close,
    /// A bare word: name, number, keyword.
    Word(&'a str),
    /// A name between bars.
    Name(String),
    /// A string between quotation marks.
    Text(String),
    /// `&`, which begins an address.
    And,
}

/// A token and the bytes of the line that it takes.
pub(super) type Placed<'a> = (Token<'a>, std::ops::Range<usize>);

/// The tokens of a line, or what is wrong with it.
pub(super) fn tokens(line: &str) -> Result<Vec<Placed<'_>>, String> {
    let mut result: Vec<Placed<'_>> = vec![];
    let mut rest = line.trim_start();
    while let Some(first) = rest.chars().next() {
        let start = line.len() - rest.len();
        let token = match first {
            ';' => break,
            '(' | ')' | '&' => {
                rest = &rest[1..];
                match first {
                    '(' => Token::Open,
                    ')' => Token::Close,
                    _ => Token::And,
                }
            }
            '"' | '|' => {
                let (text, after) = quoted(&rest[1..], first)?;
                rest = after;
                if first == '"' { Token::Text(text) } else { Token::Name(text) }
            }
            _ => {
                let end = rest.find(|c: char| c.is_whitespace() || "()\"|;&".contains(c)).unwrap_or(rest.len());
                let word = &rest[..end];
                rest = &rest[end..];
                Token::Word(word)
            }
        };
        result.push((token, start..line.len() - rest.len()));
        rest = rest.trim_start();
    }
    Ok(result)
}

fn quoted(text: &str, end: char) -> Result<(String, &str), String> {
    let mut result = String::new();
    let mut characters = text.char_indices();
    while let Some((index, c)) = characters.next() {
        match c {
            c if c == end => return Ok((result, &text[index + c.len_utf8()..])),
            '\\' => match characters.next() {
                Some((_, 'n')) => result.push('\n'),
                Some((_, 'r')) => result.push('\r'),
                Some((_, other)) => result.push(other),
                None => break,
            },
            c => result.push(c),
        }
    }
    Err(format!("a closing {end} is missing"))
}

/// A name as the reader takes it: bare where it can be, else between bars.
pub(super) fn name(text: &str) -> std::borrow::Cow<'_, str> {
    let is_bare = text.starts_with(|c: char| c.is_ascii_alphabetic() || "_$.".contains(c))
        && text.chars().all(|c| c.is_ascii_alphanumeric() || "_$.:#@!-".contains(c));
    if is_bare { text.into() } else { quote(text, '|').into() }
}

pub(super) fn quote(text: &str, mark: char) -> String {
    let mut result = String::with_capacity(text.len() + 2);
    result.push(mark);
    for c in text.chars() {
        match c {
            '\n' => result.push_str("\\n"),
            '\r' => result.push_str("\\r"),
            c if c == mark || c == '\\' => result.extend(['\\', c]),
            c => result.push(c),
        }
    }
    result.push(mark);
    result
}
