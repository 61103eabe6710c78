//! When the search starts again: after Luby's sequence of conflicts.

/// The sequence 1 1 2 1 1 2 4 …
pub(super) fn luby(index: u64) -> u64 {
    let mut size = 1;
    let mut level = 0;
    while size < index + 1 {
        level += 1;
        size = 2 * size + 1;
    }
    let mut index = index;
    while size - 1 != index {
        size = (size - 1) / 2;
        level -= 1;
        index %= size;
    }
    1 << level
}
