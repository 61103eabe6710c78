//! Clauses in one array of words, named by their place in it.

use super::lit::Lit;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub(crate) struct ClauseRef(pub u32);

const HEADER: usize = 2;
const LEARNT: u32 = 1;
const DELETED: u32 = 2;
const MOVED: u32 = 4;
const GLUE_SHIFT: u32 = 3;
const GLUE_MASK: u32 = 0xFF;
const LEN_SHIFT: u32 = 11;

/// Two header words (length, glue and flags; activity or new place), then the literals.
#[derive(Default)]
pub(super) struct Arena {
    words: Vec<Lit>,
}

impl Arena {
    pub(super) fn add(&mut self, lits: &[Lit], learnt: bool) -> ClauseRef {
        let reference = ClauseRef(self.words.len() as u32);
        self.words.push(Lit((lits.len() as u32) << LEN_SHIFT | if learnt { LEARNT } else { 0 }));
        self.words.push(Lit(0));
        self.words.extend_from_slice(lits);
        reference
    }

    #[inline]
    fn header(&self, clause: ClauseRef) -> u32 {
        self.words[clause.0 as usize].0
    }

    #[inline]
    pub(super) fn lits(&self, clause: ClauseRef) -> &[Lit] {
        let start = clause.0 as usize;
        let len = (self.words[start].0 >> LEN_SHIFT) as usize;
        &self.words[start + HEADER..start + HEADER + len]
    }

    #[inline]
    pub(super) fn lits_mut(&mut self, clause: ClauseRef) -> &mut [Lit] {
        let start = clause.0 as usize;
        let len = (self.words[start].0 >> LEN_SHIFT) as usize;
        &mut self.words[start + HEADER..start + HEADER + len]
    }

    pub(super) fn is_learnt(&self, clause: ClauseRef) -> bool {
        self.header(clause) & LEARNT != 0
    }
    pub(super) fn is_deleted(&self, clause: ClauseRef) -> bool {
        self.header(clause) & DELETED != 0
    }
    pub(super) fn delete(&mut self, clause: ClauseRef) {
        self.words[clause.0 as usize].0 |= DELETED;
    }
    pub(super) fn glue(&self, clause: ClauseRef) -> u32 {
        self.header(clause) >> GLUE_SHIFT & GLUE_MASK
    }
    pub(super) fn set_glue(&mut self, clause: ClauseRef, glue: u32) {
        let word = &mut self.words[clause.0 as usize].0;
        *word = *word & !(GLUE_MASK << GLUE_SHIFT) | glue.min(GLUE_MASK) << GLUE_SHIFT;
    }
    pub(super) fn activity(&self, clause: ClauseRef) -> f32 {
        f32::from_bits(self.words[clause.0 as usize + 1].0)
    }

    /// Raises a learnt clause's activity by `amount`; scales all down before they overflow.
    pub(super) fn bump(&mut self, clause: ClauseRef, amount: &mut f32) {
        let activity = self.activity(clause) + *amount;
        self.words[clause.0 as usize + 1] = Lit(activity.to_bits());
        if activity > 1e20 {
            let mut place = 0;
            while place < self.words.len() {
                if self.words[place].0 & LEARNT != 0 {
                    let scaled = f32::from_bits(self.words[place + 1].0) * 1e-20;
                    self.words[place + 1] = Lit(scaled.to_bits());
                }
                place += HEADER + (self.words[place].0 >> LEN_SHIFT) as usize;
            }
            *amount *= 1e-20;
        }
    }

    /// A copy without the deleted clauses; afterwards [`forward`](Self::forward) of this one names the new places.
    pub(super) fn compacted(&mut self) -> Arena {
        let mut new = Arena { words: Vec::with_capacity(self.words.len()) };
        let mut place = 0;
        while place < self.words.len() {
            let len = HEADER + (self.words[place].0 >> LEN_SHIFT) as usize;
            if self.words[place].0 & DELETED == 0 {
                let moved = new.words.len() as u32;
                new.words.extend_from_slice(&self.words[place..place + len]);
                self.words[place].0 |= MOVED;
                self.words[place + 1] = Lit(moved);
            }
            place += len;
        }
        new
    }

    pub(super) fn forward(&self, clause: ClauseRef) -> Option<ClauseRef> {
        let place = clause.0 as usize;
        (self.words.get(place)?.0 & MOVED != 0).then(|| ClauseRef(self.words[place + 1].0))
    }
}
