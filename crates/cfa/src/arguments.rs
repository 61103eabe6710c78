//! How the arguments of `main` are drawn: the contract between the function before `main` and those who pass a
//! counterexample's arguments on.
//!
//! All sources are of kind `Argument`. The function before `main` draws the number of arguments; then, for each list
//! that the program looks at, whether its texts are short; then for each text that is modelled its content, if they are
//! short, or its length, and makes an object for each text and behind them one for the array, before any other object
//! is made.

/// A list of texts that `main` gets.
#[derive(Clone, Copy, Debug)]
pub struct List {
    /// The parameter's usual name.
    pub name: &'static str,
    /// The name of the source of the number of texts.
    pub count: &'static str,
    /// How many texts, from the first on, are objects of which everything is known.
    pub exact: u32,
}

/// The second and the third parameter of `main`.
pub const LISTS: [List; 2] = [List { name: "argv", count: "argc", exact: 3 }, List { name: "envp", count: "the length of envp", exact: 1 }];

/// These bits of what the source of a length gives are the place of the text's last byte, which is zero.
pub const LENGTH_MASK: u32 = 0x1_FFFF;
/// These bits of what the source of a short text gives are its bytes, the first one lowest.
pub const SHORT_MASK: u32 = 0xFF_FFFF;

/// The name of the source that says whether the texts of a list are short.
pub fn mode_name(list: &str) -> String {
    format!("whether all of {list} are short")
}

/// The name of the source of a text's length.
pub fn length_name(list: &str, number: u32) -> String {
    format!("length of {list}[{number}]")
}

/// The name of the source of a short text's content.
pub fn short_name(list: &str, number: u32) -> String {
    format!("{list}[{number}]")
}
