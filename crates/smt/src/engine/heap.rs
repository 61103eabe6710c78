//! The order in which the search decides variables: a binary heap by activity, or a list that is scanned.

use super::lit::Var;

const ABSENT: u32 = u32::MAX;

#[derive(Default)]
pub(super) struct Heap {
    activity: Vec<f64>,
    position: Vec<u32>,
    items: Vec<Var>,
}

impl Heap {
    pub(super) fn add_var(&mut self) {
        self.activity.push(0.0);
        self.position.push(ABSENT);
    }

    pub(super) fn insert(&mut self, var: Var) {
        if self.position[var as usize] != ABSENT {
            return;
        }
        self.position[var as usize] = self.items.len() as u32;
        self.items.push(var);
        self.up(self.items.len() - 1);
    }

    pub(super) fn pop(&mut self) -> Option<Var> {
        let top = *self.items.first()?;
        let last = self.items.pop()?;
        self.position[top as usize] = ABSENT;
        if last != top {
            self.items[0] = last;
            self.position[last as usize] = 0;
            self.down(0);
        }
        Some(top)
    }

    /// Sorts variables as they would be popped.
    fn sort(&self, vars: &mut [Var]) {
        let activity = |var: Var| self.activity[var as usize];
        vars.sort_unstable_by(|&a, &b| activity(b).total_cmp(&activity(a)).then(b.cmp(&a)));
    }

    /// Raises the activity of a variable and returns it.
    pub(super) fn bump(&mut self, var: Var, amount: f64) -> f64 {
        let activity = self.activity[var as usize] + amount;
        self.activity[var as usize] = activity;
        if self.position[var as usize] != ABSENT {
            self.up(self.position[var as usize] as usize);
        }
        activity
    }

    pub(super) fn rescale(&mut self, factor: f64) {
        for activity in &mut self.activity {
            *activity *= factor;
        }
    }

    /// Later variables first among equals: they are nearer to the newest constraint's output.
    fn before(&self, a: Var, b: Var) -> bool {
        let (x, y) = (self.activity[a as usize], self.activity[b as usize]);
        x > y || x == y && a > b
    }

    fn up(&mut self, mut index: usize) {
        let var = self.items[index];
        while index > 0 {
            let parent = (index - 1) / 2;
            if !self.before(var, self.items[parent]) {
                break;
            }
            self.items[index] = self.items[parent];
            self.position[self.items[index] as usize] = index as u32;
            index = parent;
        }
        self.items[index] = var;
        self.position[var as usize] = index as u32;
    }

    fn down(&mut self, mut index: usize) {
        let var = self.items[index];
        loop {
            let mut child = 2 * index + 1;
            if child >= self.items.len() {
                break;
            }
            if child + 1 < self.items.len() && self.before(self.items[child + 1], self.items[child]) {
                child += 1;
            }
            if !self.before(self.items[child], var) {
                break;
            }
            self.items[index] = self.items[child];
            self.position[self.items[index] as usize] = index as u32;
            index = child;
        }
        self.items[index] = var;
        self.position[var as usize] = index as u32;
    }
}

/// Variables in an order that changes seldom. Where one model follows another, most of what is undone is decided or
/// implied again at once, and a heap would be taken apart and put together for each of them.
pub(super) struct Scan {
    order: Vec<Var>,
    /// By variable; [`ABSENT`] for those that are not in the list.
    position: Vec<u32>,
    /// All before it have values.
    cursor: usize,
}

impl Scan {
    pub(super) fn new(heap: &Heap, vars: &[Var]) -> Scan {
        let mut scan = Scan { order: vars.to_vec(), position: vec![ABSENT; heap.activity.len()], cursor: 0 };
        scan.sort(heap);
        scan
    }

    /// Takes the activities as they are now.
    pub(super) fn sort(&mut self, heap: &Heap) {
        heap.sort(&mut self.order);
        for (place, &var) in self.order.iter().enumerate() {
            self.position[var as usize] = place as u32;
        }
        self.cursor = 0;
    }

    /// Takes note of a variable that lost its value; `false` if it is not in the list.
    pub(super) fn undo(&mut self, var: Var) -> bool {
        let place = self.position.get(var as usize).copied().unwrap_or(ABSENT);
        self.cursor = self.cursor.min(place as usize);
        place != ABSENT
    }

    /// The next variable that is open.
    pub(super) fn next(&mut self, is_open: impl Fn(Var) -> bool) -> Option<Var> {
        while let Some(&var) = self.order.get(self.cursor) {
            if is_open(var) {
                return Some(var);
            }
            self.cursor += 1;
        }
        None
    }

    pub(super) fn vars(&self) -> &[Var] {
        &self.order
    }
}
