//! The order in which the search decides variables: a binary heap by activity.

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
