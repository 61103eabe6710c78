//! Who is there: workers say what they are and do, runs say that they are still wanted, and anybody can look.

use super::client::{Cluster, chain, patiently};
use crate::{ClusterError, HEARTBEAT, Queue, Status};
use futures_util::StreamExt;
use serde_json::Value;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Stops what it was given for when it is dropped.
pub struct Kept {
    cluster: Cluster,
    key: String,
    over: Arc<AtomicBool>,
}

impl Drop for Kept {
    fn drop(&mut self) {
        self.over.store(true, Ordering::SeqCst);
        let inner = &self.cluster.inner;
        // Without an answer the name is forgotten a little later.
        let _ = inner.runtime.block_on(async { tokio::time::timeout(HEARTBEAT, inner.live.delete(&self.key)).await });
    }
}

impl Cluster {
    /// Says again and again that a run is wanted, until the value is dropped.
    pub fn keep_alive(&self, run: &str) -> Kept {
        self.keep(format!("run.{run}"), Arc::new(String::new))
    }

    /// Says again and again what a worker is, until the value is dropped.
    pub fn register(&self, worker: &str, describe: Arc<dyn Fn() -> String + Send + Sync>) -> Kept {
        self.keep(format!("worker.{worker}"), describe)
    }

    fn keep(&self, key: String, describe: Arc<dyn Fn() -> String + Send + Sync>) -> Kept {
        let over = Arc::new(AtomicBool::new(false));
        let kept = Kept { cluster: self.clone(), key: key.clone(), over: over.clone() };
        let put = {
            let cluster = self.clone();
            async move || cluster.inner.live.put(&key, describe().into()).await.map_err(|error| ClusterError::Server(chain(&error)))
        };
        // The first word is there before anything is done.
        let _ = self.inner.runtime.block_on(async { tokio::time::timeout(HEARTBEAT * 2, put()).await });
        self.inner.runtime.spawn(async move {
            while !over.load(Ordering::SeqCst) {
                tokio::time::sleep(HEARTBEAT).await;
                if !over.load(Ordering::SeqCst) {
                    let _ = put().await;
                }
            }
        });
        kept
    }

    /// The names of those whose word is fresh, and what they said.
    ///
    /// # Errors
    /// The server is away for long.
    pub fn workers(&self) -> Result<Vec<Value>, ClusterError> {
        self.inner.runtime.block_on(patiently(async || {
            // The list of keys waits for what was forgotten while it was made; the next one does not.
            let listed = tokio::time::timeout(HEARTBEAT, self.list_workers()).await;
            listed.unwrap_or_else(|_| Err(ClusterError::Server("the list of workers does not come to an end".to_string())))
        }))
    }

    async fn list_workers(&self) -> Result<Vec<Value>, ClusterError> {
        let live = &self.inner.live;
        let mut keys = live.keys().await.map_err(|error| ClusterError::Server(chain(&error)))?;
        let mut names = vec![];
        while let Some(key) = keys.next().await {
            names.extend(key.ok().filter(|key| key.starts_with("worker.")));
        }
        let mut workers = vec![];
        for name in names {
            let value = live.get(&name).await.map_err(|error| ClusterError::Server(chain(&error)))?;
            match value.map(|bytes| serde_json::from_slice::<Value>(&bytes)) {
                Some(Ok(document)) => workers.push(document),
                Some(Err(_)) => {
                    self.inner.dropped.fetch_add(1, Ordering::Relaxed);
                }
                None => {}
            }
        }
        Ok(workers)
    }

    /// Everything that is to be seen of a server.
    ///
    /// # Errors
    /// The server is away for long.
    pub fn status(&self) -> Result<Status, ClusterError> {
        let workers = self.workers()?;
        let server = |error: &dyn std::error::Error| ClusterError::Server(chain(error));
        self.inner.runtime.block_on(async {
            let mut queues = vec![];
            let mut consumers = self.inner.queue.consumers();
            while let Some(info) = consumers.next().await {
                let info = info.map_err(|error| server(&error))?;
                queues.push(Queue {
                    build: info.name.trim_start_matches("workers-").to_string(),
                    waiting: info.num_pending,
                    running: info.num_ack_pending as u64,
                    again: info.num_redelivered as u64,
                });
            }
            let results = self.inner.context.get_stream("KV_assay-results").await.map_err(|error| server(&error))?;
            let content = self.inner.context.get_stream("OBJ_assay-content").await.map_err(|error| server(&error))?;
            let (results, content_bytes) = (results.cached_info().state.messages, content.cached_info().state.bytes);
            Ok(Status { workers, queues, results, content_bytes })
        })
    }

    /// How often content was found here, and how often it had to be fetched.
    pub fn content_counts(&self) -> (u64, u64) {
        (self.inner.contents.found.load(Ordering::Relaxed), self.inner.contents.fetched.load(Ordering::Relaxed))
    }
}
