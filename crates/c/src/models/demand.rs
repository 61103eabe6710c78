//! What a function of the library demands of each argument: the letters of the shapes in `table.txt`.

/// What must hold for an argument, whatever the function does then.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Demand {
    /// A text with its terminator.
    Text,
    /// A live object of the type that the parameter points to, which may be written where the type says so.
    Object,
    /// A stream that is open.
    Stream,
    /// A directory that is open.
    Directory,
    /// The address of a function.
    Function,
    /// Anything but null.
    NotNull,
}

impl Demand {
    /// The first bytes of an open handle of this kind, which the library keeps there.
    pub(crate) fn stamp(self) -> u128 {
        match self {
            Demand::Directory => 0xd1d1_2484,
            _ => 0xfbad_2484,
        }
    }
}

/// What the letter of a parameter demands, and whether null will do as well. A letter that demands nothing leaves it to
/// the words of the line, to the model in C or to the operation, or says that the address is never followed.
pub(crate) fn demand(letter: u8) -> Option<(Demand, bool)> {
    Some(match letter {
        b't' => (Demand::Text, false),
        b'T' => (Demand::Text, true),
        b'o' => (Demand::Object, false),
        b'O' => (Demand::Object, true),
        b'F' => (Demand::Stream, false),
        b'G' => (Demand::Stream, true),
        b'D' => (Demand::Directory, false),
        b'x' => (Demand::Function, false),
        b'n' => (Demand::NotNull, false),
        _ => return None,
    })
}

/// Whether a letter stands for a pointer.
pub(crate) fn is_pointer(letter: u8) -> bool {
    demand(letter).is_some() || matches!(letter, b'p' | b'a' | b'l' | b'X')
}
