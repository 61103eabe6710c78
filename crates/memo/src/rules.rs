//! Rules: what summaries say about entries that differ from their own.
//!
//! A block that is entered with other values each time is explored each time, although it may do the same: values that
//! it only hands on, or compares with something that they are far from, do not change its path. A domain that can tell
//! makes a *rule* of a finished summary: conditions on the entry under which the exploration takes the same steps, and
//! the exits as functions of the entry. An entry that a rule speaks of gets a summary without an exploration.
//!
//! Rules decide what is explored, and no verdict rests on them: a violation is confirmed as any other, and before a
//! proof the checker explores each entry for which a rule was used (`check`). Where it comes to something else, the run
//! begins again without rules.
//!
//! There are none where summaries are written for other runs or come from other machines, nor where lost memory is
//! looked for.

use super::check::ByRules;
use super::reduce::Reduce;
use super::shared::Shared;
use super::summary::{Exit, Known, Summary, SummaryId};
use assay_base::{FastMap, FastSet, IdVec};
use assay_cfa::Program;
use assay_cfa::blocks::{BlockId, Blocks};
use assay_cpa::arg::NodeId;
use assay_cpa::endless::lost_memory;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

/// So many rules of a block, and of all blocks together, are made before it is asked whether they are of use.
const TRIED: u64 = 16;

/// Where those were of no use, a rule is made of one in so many summaries: later entries may be more like each other.
const TRIED_AGAIN: u64 = 64;

/// Rules of which many are used later are of some use by then, in states explored.
const TRIED_BY: u64 = 500_000;

/// Rules are of use that save one in so many states at least.
const OF_USE: u64 = 16;

/// A block has at most so many rules.
const MAX_RULES: usize = 2000;

/// The rule that speaks of a summary's entry: its own, or another one's.
pub struct KnownRule<R> {
    /// Under which what it makes is applied.
    pub id: SummaryId,
    /// The rule.
    pub rule: Arc<R>,
    /// The nodes of the summary's exits, in the order in which the rule has them.
    pub exits: Arc<[NodeId]>,
}

impl<R> Clone for KnownRule<R> {
    fn clone(&self) -> Self {
        KnownRule { id: self.id, rule: self.rule.clone(), exits: self.exits.clone() }
    }
}

struct BlockRules<'a, D: Reduce> {
    /// Summaries with rules; those that were of use are nearer to the front.
    bases: Vec<Arc<Summary<'a, D>>>,
}

/// The rules of a run.
pub(super) struct Rules<'a, D: Reduce> {
    /// With fewer summaries there are no rules, because making one costs as much as a few explorations; `None` for no
    /// rules at all.
    pub(super) after: Option<u64>,
    on: AtomicBool,
    blocks: IdVec<BlockId, RwLock<BlockRules<'a, D>>>,
    /// For each block: summaries of which a rule may be made, rules that were made, or looked for in vain, and entries
    /// that one speaks of.
    ended: IdVec<BlockId, AtomicU64>,
    made: IdVec<BlockId, AtomicU64>,
    fits: IdVec<BlockId, AtomicU64>,
    tried: AtomicU64,
    pub(super) used: AtomicU64,
    pub(super) checked: ByRules<D::State>,
}

impl<'a, D: Reduce> Rules<'a, D> {
    pub(super) fn new(program: &Program, blocks: &Blocks) -> Self {
        let numbers = || blocks.blocks.iter().map(|_| AtomicU64::new(0)).collect();
        Rules {
            after: None,
            on: AtomicBool::new(lost_memory(program).is_none()),
            blocks: blocks.blocks.iter().map(|_| RwLock::new(BlockRules { bases: Vec::new() })).collect(),
            ended: numbers(),
            made: numbers(),
            fits: numbers(),
            tried: AtomicU64::new(0),
            used: AtomicU64::new(0),
            checked: ByRules::default(),
        }
    }

    /// No rule is made or used from now on.
    pub(super) fn switch_off(&self) {
        self.on.store(false, Ordering::Relaxed);
        self.retain_those_of(&mut Vec::new());
    }

    /// Drops the rules of other summaries than these, and adds the numbers of those that are left.
    pub(super) fn retain_those_of(&self, kept: &mut Vec<SummaryId>) {
        let bases: FastSet<SummaryId> = kept.iter().copied().collect();
        for rules in self.blocks.iter() {
            let mut rules = rules.write().unwrap_or_else(PoisonError::into_inner);
            rules.bases.retain(|base| bases.contains(&base.id));
            kept.extend(rules.bases.iter().filter_map(|base| Some(base.rule.get()?.id)));
        }
        self.checked.retain_those_of(&kept.iter().copied().collect());
    }

    pub(super) fn count(&self) -> u64 {
        self.blocks.iter().map(|rules| rules.read().unwrap_or_else(PoisonError::into_inner).bases.len() as u64).sum()
    }
}

impl<'a, D: Reduce> Shared<'a, D> {
    fn has_rules(&self) -> bool {
        self.rules.after.is_some() && self.rules.on.load(Ordering::Relaxed) && self.disk.is_none() && self.remote.is_none()
    }

    /// Whether one thread does better alone. Entries of which rules speak are work of the job that asks, so that others
    /// find little to do, and the order of one thread finds violations that are near.
    pub(super) fn rules_pay(&self) -> bool {
        let explored = self.counters.explored.load(Ordering::Relaxed);
        let saved = self.counters.by_rules.load(Ordering::Relaxed);
        self.has_rules() && (explored < TRIED_BY || saved.saturating_mul(OF_USE) >= explored)
    }

    /// So many members of a job have run out of work before some are retired.
    pub(super) fn retires_at(&self) -> usize {
        self.rules.after.unwrap_or(u64::MAX).clamp(1, 64) as usize
    }

    /// Whether there is a rule of the block.
    pub(super) fn may_derive(&self, block: BlockId) -> bool {
        self.has_rules() && !self.rules.blocks[block].read().unwrap_or_else(PoisonError::into_inner).bases.is_empty()
    }

    /// The summary for an entry that was not explored, if a rule speaks of it. Nothing keeps it: it is quickly made.
    pub(super) fn derive(&self, worker: &mut D::Worker, block: BlockId, entry: &D::State) -> Option<Arc<Summary<'a, D>>> {
        if !self.has_rules() {
            return None;
        }
        let (base, states) = self.rule_for(worker, block, entry)?;
        self.rules.fits[block].fetch_add(1, Ordering::Relaxed);
        self.rules.used.fetch_add(1, Ordering::Relaxed);
        self.counters.derived.fetch_add(1, Ordering::Relaxed);
        self.counters.by_rules.fetch_add(base.counters.states, Ordering::Relaxed);
        let id = base.rule.get()?.id;
        Some(Arc::new(Summary::of_rule(&base, id, entry.clone(), states)))
    }

    /// What the rule of a summary says of an entry.
    pub(super) fn by_rule_of(&self, worker: &mut D::Worker, base: &Arc<Summary<'a, D>>, entry: &D::State) -> Option<Arc<Summary<'a, D>>> {
        let KnownRule { id, rule, .. } = base.rule.get()?;
        let states = self.domain.by_rule(worker, rule, entry)?;
        Some(Arc::new(Summary::of_rule(base, *id, entry.clone(), states)))
    }

    /// The summary whose rule speaks of an entry, and the states at its exits.
    fn rule_for(&self, worker: &mut D::Worker, block: BlockId, entry: &D::State) -> Option<(Arc<Summary<'a, D>>, Vec<D::State>)> {
        let rules = self.rules.blocks[block].read().unwrap_or_else(PoisonError::into_inner);
        let find = |(index, base): (usize, &Arc<Summary<'a, D>>)| {
            let states = self.domain.by_rule(worker, &base.rule.get()?.rule, entry)?;
            Some((index, base.clone(), states))
        };
        let (index, base, states) = rules.bases.iter().enumerate().find_map(find)?;
        drop(rules);
        if index > 0
            && let Ok(mut rules) = self.rules.blocks[block].try_write()
            && rules.bases.get(index).is_some_and(|there| there.id == base.id)
        {
            rules.bases.swap(index, index / 2);
        }
        Some((base, states))
    }

    /// Makes rules of summaries that were finished together.
    pub(super) fn learn_rules(&self, worker: &mut D::Worker, finished: &[Arc<Summary<'a, D>>]) {
        if !self.has_rules() {
            return;
        }
        // A rule needs those of what its summary rests on.
        let mut left: FastMap<SummaryId, &Arc<Summary<'a, D>>> = finished.iter().map(|summary| (summary.id, summary)).collect();
        for summary in finished {
            let mut stack = vec![summary.id];
            while let Some(&id) = stack.last() {
                let before = stack.len();
                if let Some(summary) = left.remove(&id) {
                    stack.extend(summary.rests_on.iter().copied().filter(|id| left.contains_key(id)));
                    if stack.len() > before {
                        left.insert(id, summary);
                        // Only what is not along the path: summaries that rest on each other have no rules.
                        if stack[..before].iter().any(|open| stack[before..].contains(open)) {
                            stack.truncate(before);
                            left.remove(&id);
                        }
                        continue;
                    }
                    if self.environment.cancel.stopped().is_some() {
                        return;
                    }
                    self.learn_rule(worker, summary);
                }
                stack.pop();
            }
        }
    }

    fn learn_rule(&self, worker: &mut D::Worker, summary: &Arc<Summary<'a, D>>) {
        let Some(block) = summary.block.filter(|&block| summary.clean && self.component(block).is_none()) else { return };
        if self.rules.after.is_none_or(|after| self.counters.summaries.load(Ordering::Relaxed) < after) {
            return;
        }
        let (made, fits) = (&self.rules.made[block], &self.rules.fits[block]);
        // One that comes too late costs as much as one that is used.
        let is_useless = made.load(Ordering::Relaxed) >= TRIED && fits.load(Ordering::Relaxed) < made.load(Ordering::Relaxed);
        let are_useless = self.rules.tried.load(Ordering::Relaxed) > TRIED + self.counters.derived.load(Ordering::Relaxed);
        let ended = self.rules.ended[block].fetch_add(1, Ordering::Relaxed);
        if (is_useless || are_useless) && !ended.is_multiple_of(TRIED_AGAIN) {
            return;
        }
        if let Some((base, states)) = self.rule_for(worker, block, &summary.entry) {
            fits.fetch_add(1, Ordering::Relaxed);
            if let (Some(known), Some(exits)) = (base.rule.get(), matching_exits(summary, &base, &states)) {
                // The caller that rests on it may want to know.
                let _ = summary.rule.set(KnownRule { exits, ..known.clone() });
            }
            return;
        }
        let inner = |id: SummaryId| {
            let (Known::Here(summary) | Known::ByRule(summary)) = self.summaries.get(id)? else { return None };
            summary.rule.get().cloned()
        };
        if summary.rests_on.iter().any(|&id| inner(id).is_none()) {
            return;
        }
        made.fetch_add(1, Ordering::Relaxed);
        self.rules.tried.fetch_add(1, Ordering::Relaxed);
        let Some(rule) = self.domain.generalise(worker, summary, &self.scope(block), &inner) else { return };
        let mut rules = self.rules.blocks[block].write().unwrap_or_else(PoisonError::into_inner);
        let exits = summary.exits.iter().map(|exit| exit.node).collect();
        let known = || KnownRule { id: self.summaries.reserve_rule(summary), rule: Arc::new(rule), exits };
        if rules.bases.len() < MAX_RULES && summary.rule.set(known()).is_ok() {
            rules.bases.push(summary.clone());
        }
    }
}

/// Which exits of a summary those are that the rule of another one gives for its entry.
fn matching_exits<D: Reduce>(summary: &Summary<'_, D>, base: &Summary<'_, D>, states: &[D::State]) -> Option<Arc<[NodeId]>> {
    let node = |(exit, state): (&Exit<D::State>, &D::State)| {
        let mut same = summary.exits.iter().filter(|other| other.location == exit.location);
        same.find(|other| other.state == *state).map(|other| other.node)
    };
    let found: Option<Arc<[NodeId]>> = base.exits.iter().zip(states).map(node).collect();
    found.filter(|found| found.len() == summary.exits.len())
}
