//! A persistent sparse vector: clones share everything, a write copies one path of a tree of fan-out 16.

use std::sync::Arc;

const FAN: usize = 16;

#[derive(Clone, Debug)]
enum Tree<T> {
    Leaf([T; FAN]),
    Inner([Option<Arc<Tree<T>>>; FAN]),
}

/// Indices without an entry read as the default value.
#[derive(Clone, Debug)]
pub struct PersistentVec<T> {
    root: Option<Arc<Tree<T>>>,
    /// Levels of inner nodes above the leaves.
    height: u32,
}

impl<T> Default for PersistentVec<T> {
    fn default() -> Self {
        PersistentVec { root: None, height: 0 }
    }
}

impl<T: Clone + Default + PartialEq> PersistentVec<T> {
    /// An empty list.
    pub fn new() -> Self {
        Self::default()
    }

    fn capacity(&self) -> u64 {
        (FAN as u64).saturating_pow(self.height + 1)
    }

    /// The element, or `None` if it was never set.
    #[inline]
    pub fn get(&self, index: u64) -> Option<&T> {
        if index >= self.capacity() {
            return None;
        }
        let mut tree = self.root.as_deref()?;
        let mut level = self.height;
        loop {
            let digit = (index >> (4 * level)) as usize % FAN;
            match tree {
                Tree::Leaf(items) => return Some(&items[digit]),
                Tree::Inner(children) => {
                    tree = children[digit].as_deref()?;
                    level -= 1;
                }
            }
        }
    }

    /// Mutable access; makes the entry, and copies what is shared.
    #[inline]
    pub fn get_mut(&mut self, index: u64) -> &mut T {
        while index >= self.capacity() {
            if let Some(old) = self.root.take() {
                let mut children: [Option<Arc<Tree<T>>>; FAN] = Default::default();
                children[0] = Some(old);
                self.root = Some(Arc::new(Tree::Inner(children)));
            }
            self.height += 1;
        }
        let mut level = self.height;
        let mut slot = &mut self.root;
        loop {
            let digit = (index >> (4 * level)) as usize % FAN;
            let node = slot.get_or_insert_with(|| {
                Arc::new(if level == 0 { Tree::Leaf(std::array::from_fn(|_| T::default())) } else { Tree::Inner(Default::default()) })
            });
            match Arc::make_mut(node) {
                Tree::Leaf(items) => return &mut items[digit],
                Tree::Inner(children) => {
                    slot = &mut children[digit];
                    level -= 1;
                }
            }
        }
    }

    /// Visits the entries that differ from the default, in order of index.
    pub fn for_each(&self, mut visit: impl FnMut(u64, &T)) {
        let default = T::default();
        self.for_each_slot(|index, item| {
            if *item != default {
                visit(index, item);
            }
        });
    }

    /// Visits the entries in order of index, and default values between them: for visitors that see at a glance which
    /// entries they want.
    #[inline]
    pub fn for_each_slot(&self, mut visit: impl FnMut(u64, &T)) {
        fn walk<T>(tree: &Tree<T>, base: u64, level: u32, visit: &mut impl FnMut(u64, &T)) {
            match tree {
                Tree::Leaf(items) => {
                    for (i, item) in items.iter().enumerate() {
                        visit(base + i as u64, item);
                    }
                }
                Tree::Inner(children) => {
                    for (i, child) in children.iter().enumerate() {
                        if let Some(child) = child {
                            walk(child, base + ((i as u64) << (4 * level)), level - 1, visit);
                        }
                    }
                }
            }
        }
        if let Some(root) = &self.root {
            walk(root, 0, self.height, &mut visit);
        }
    }

    /// Visits the indices at which two vectors differ; shared parts are skipped without a look. Stops early when
    /// `visit` answers false, and answers whether it never did.
    pub fn differences(&self, other: &Self, visit: &mut impl FnMut(u64, &T, &T) -> bool) -> bool {
        type Side<'t, T> = Option<&'t Arc<Tree<T>>>;
        fn child<T>(side: Option<&Tree<T>>, i: usize) -> Side<'_, T> {
            match side {
                Some(Tree::Inner(children)) => children[i].as_ref(),
                _ => None,
            }
        }
        fn walk<T: Default + PartialEq>(
            a: Side<'_, T>,
            b: Side<'_, T>,
            base: u64,
            level: u32,
            visit: &mut impl FnMut(u64, &T, &T) -> bool,
        ) -> bool {
            match (a.map(|t| &**t), b.map(|t| &**t)) {
                (Some(Tree::Leaf(a)), Some(Tree::Leaf(b))) => {
                    a.iter().zip(b).enumerate().all(|(i, (x, y))| x == y || visit(base + i as u64, x, y))
                }
                (Some(Tree::Leaf(a)), _) => {
                    let default = T::default();
                    a.iter().enumerate().all(|(i, x)| *x == default || visit(base + i as u64, x, &default))
                }
                (_, Some(Tree::Leaf(b))) => {
                    let default = T::default();
                    b.iter().enumerate().all(|(i, y)| *y == default || visit(base + i as u64, &default, y))
                }
                (a, b) => (0..FAN).all(|i| match (child(a, i), child(b, i)) {
                    (None, None) => true,
                    (Some(x), Some(y)) if Arc::ptr_eq(x, y) => true,
                    (x, y) => walk(x, y, base + ((i as u64) << (4 * level)), level - 1, visit),
                }),
            }
        }
        let walk = |a: Side<'_, T>, b: Side<'_, T>, height, visit: &mut _| match (a, b) {
            (Some(x), Some(y)) if Arc::ptr_eq(x, y) => true,
            (a, b) => walk(a, b, 0, height, visit),
        };
        let height = self.height.max(other.height);
        let lift = |v: &Self| {
            let mut root = v.root.clone();
            for _ in v.height..height {
                if let Some(old) = root.take() {
                    let mut children: [Option<Arc<Tree<T>>>; FAN] = Default::default();
                    children[0] = Some(old);
                    root = Some(Arc::new(Tree::Inner(children)));
                }
            }
            root
        };
        if self.height == other.height {
            walk(self.root.as_ref(), other.root.as_ref(), height, visit)
        } else {
            walk(lift(self).as_ref(), lift(other).as_ref(), height, visit)
        }
    }
}

impl<T: Clone + Default + PartialEq> PartialEq for PersistentVec<T> {
    fn eq(&self, other: &Self) -> bool {
        self.differences(other, &mut |_, _, _| false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_do_not_touch_clones() {
        let mut a = PersistentVec::<u32>::new();
        for i in [0u64, 5, 15, 16, 300, 70_000] {
            *a.get_mut(i) = i as u32 + 1;
        }
        let b = a.clone();
        *a.get_mut(300) = 7;
        assert_eq!(b.get(300), Some(&301));
        assert_eq!(a.get(300), Some(&7));
        assert_eq!(a.get(1 << 40), None);
        let mut seen = vec![];
        b.for_each(|i, _| seen.push(i));
        assert_eq!(seen, [0, 5, 15, 16, 300, 70_000]);
        let mut different = vec![];
        a.differences(&b, &mut |i, x, y| {
            different.push((i, *x, *y));
            true
        });
        assert_eq!(different, [(300, 7, 301)]);
        assert!(a != b);
        *a.get_mut(300) = 301;
        assert!(a == b);
        let mut small = PersistentVec::<u32>::new();
        *small.get_mut(0) = 1;
        assert!(small != b);
    }
}
