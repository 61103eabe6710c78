//! Block-abstraction memoization over several machines, as a run sees it: it asks others, or it is one of the others.
//! How bytes travel is the business of whoever starts the run.

use crate::memoize::Memoized;
use crate::run::Run;
use assay_base::Obstacle;
use assay_cfa::blocks::Blocks;
use assay_cfa::portable::Names;
use assay_memo::{Bam, Disk, Reduce, Service, Store, Workers};
use assay_results::Outcome;
use std::sync::Arc;

/// What a run has to do with other machines.
#[derive(Clone)]
pub enum Machines {
    /// They explore blocks for it.
    Ask(Arc<dyn Workers>),
    /// It explores blocks for another run, and has no verdict of its own.
    Serve(Arc<dyn Questions>),
}

/// Says whether the answer to a question is still wanted.
pub type Wanted<'w> = &'w (dyn Fn() -> bool + Sync);

/// Where questions come from.
pub trait Questions: Send + Sync {
    /// Where summaries are kept that other runs may use.
    fn store(&self) -> &dyn Store;
    /// Hands each question to `answer` and sends back what that says, until nobody asks any more.
    fn serve(&self, answer: &mut dyn FnMut(&[u8], Wanted<'_>) -> Vec<u8>);
}

/// A store that has nothing and keeps nothing.
pub(crate) struct NoStore;

impl Store for NoStore {
    fn find(&self, _: &[u8], _: &mut dyn FnMut(Vec<u8>) -> bool) {}
    fn put(&self, _: Vec<u8>, _: Vec<u8>) {}
}

impl Run<'_> {
    /// The machines that explore blocks for this run.
    pub(crate) fn workers(&self) -> Option<&dyn Workers> {
        match self.machines {
            Some(Machines::Ask(workers)) => Some(&**workers),
            _ => None,
        }
    }

    /// Explores blocks for another run until that has no questions any more; `None` where nobody asked for it.
    pub(crate) fn serve<D: Reduce>(
        &self,
        domain: &D,
        bam: &mut Bam<'_, D>,
        names: &Names<'_>,
        blocks: &Blocks,
        context: &str,
    ) -> Option<Memoized<D::Precision>> {
        let Some(Machines::Serve(questions)) = self.machines else { return None };
        let mut service = Service::new(Disk::new(questions.store(), names, blocks.blocks.len(), context));
        let mut worker = domain.worker();
        // How long to go on is the business of whoever asks.
        bam.shared().set_patience(None);
        questions.serve(&mut |question, wanted| service.answer(bam, &mut worker, question, wanted));
        let why = "blocks were explored for another run".to_string();
        Some(Memoized::Done(Outcome::unknown(Obstacle::nothing_to_do(why))))
    }
}
