//! A worker's side of the queue: one job in hand, and everything that keeps it.

use super::client::{Cluster, patiently};
use crate::{ClusterError, HEARTBEAT, MOST_ATTEMPTS};
use async_nats::jetstream::AckKind;
use async_nats::jetstream::message::Acker;
use async_nats::jetstream::stream::LastRawMessageErrorKind;
use futures_util::StreamExt;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// A job in hand. It is kept by heartbeats until it is finished, given back or dropped.
pub struct Lease {
    cluster: Cluster,
    acker: Arc<Acker>,
    /// The run that it belongs to.
    pub run: String,
    /// What the result goes under.
    pub key: String,
    /// What was handed in.
    pub payload: Vec<u8>,
    worker: String,
    leased: bool,
    unwanted: Arc<AtomicBool>,
    over: Arc<AtomicBool>,
    cpu: Arc<AtomicU64>,
}

/// Those who work on something here, to be told when it is not wanted any more.
#[derive(Clone, Default)]
pub(crate) struct Hands {
    leases: Arc<Mutex<BTreeMap<(String, String), Arc<AtomicBool>>>>,
}

impl Cluster {
    /// Listens to what is taken back. Called once by a worker, before its first job.
    ///
    /// # Errors
    /// The server is away.
    pub fn listen(&self) -> Result<Listener, ClusterError> {
        let subject = format!("assay.cancel.{}.*.*", self.inner.build);
        let subscribe = self.inner.client.subscribe(subject);
        let mut messages = self.inner.runtime.block_on(subscribe).map_err(|error| ClusterError::Server(error.to_string()))?;
        let hands = Hands::default();
        let told = hands.clone();
        self.inner.runtime.spawn(async move {
            while let Some(message) = messages.next().await {
                let words: Vec<&str> = message.subject.split('.').collect();
                let [.., run, key] = words.as_slice() else { continue };
                let leases = told.leases.lock().unwrap_or_else(|error| error.into_inner());
                for (_, unwanted) in leases.iter().filter(|((of, named), _)| of == run && (*key == "all" || named == key)) {
                    unwanted.store(true, Ordering::SeqCst);
                }
            }
        });
        Ok(Listener { cluster: self.clone(), hands })
    }
}

/// Takes jobs from the queue.
#[derive(Clone)]
pub struct Listener {
    cluster: Cluster,
    hands: Hands,
}

impl Listener {
    /// The next job, if one comes within the time. A job that has a result already is passed over; one that too many
    /// workers began is given the result that `given_up` makes of their names.
    ///
    /// # Errors
    /// The server is away.
    pub fn next(&self, worker: &str, wait: Duration, given_up: &dyn Fn(&[String]) -> Vec<u8>) -> Result<Option<Lease>, ClusterError> {
        let cluster = &self.cluster;
        let server = |error: &dyn std::error::Error| ClusterError::Server(super::client::chain(error));
        cluster.inner.runtime.block_on(async {
            let batch = cluster.inner.consumer.batch().max_messages(1).expires(wait).messages().await.map_err(|error| server(&error))?;
            let message = tokio::time::timeout(wait + Duration::from_secs(2), std::pin::pin!(batch).next()).await;
            let Ok(Some(message)) = message else { return Ok(None) };
            let message = message.map_err(|error| ClusterError::Server(error.to_string()))?;
            let (message, acker) = message.split();
            let words: Vec<&str> = message.subject.split('.').collect();
            let ([_, _, _, run, key], Some((leased, payload))) = (words.as_slice(), message.payload.split_first()) else {
                cluster.inner.dropped.fetch_add(1, Ordering::Relaxed);
                let _ = acker.ack_with(AckKind::Term).await;
                return Ok(None);
            };
            let (run, key) = (run.to_string(), key.to_string());
            let done = async |cluster: &Cluster, acker: &Acker| {
                let _ = acker.double_ack().await;
                cluster.tell(&run, "done", &key, String::new()).await;
            };
            let name = format!("{}.{key}", cluster.inner.build);
            let leased = *leased != 0;
            if cluster.bucket(leased).get(&name).await.map_err(|error| server(&error))?.is_some() {
                done(cluster, &acker).await;
                return Ok(None);
            }
            let mut began = attempts(cluster, &name).await?;
            if began.len() >= MOST_ATTEMPTS {
                cluster.write_result(&key, leased, &given_up(&began)).await?;
                let _ = cluster.forget("assay-attempts", &name).await;
                done(cluster, &acker).await;
                return Ok(None);
            }
            began.push(worker.to_string());
            cluster.inner.attempts.put(&name, began.join("\n").into()).await.map_err(|error| server(&error))?;
            let unwanted = Arc::new(AtomicBool::new(false));
            let place = (run.clone(), key.clone());
            self.hands.leases.lock().unwrap_or_else(|error| error.into_inner()).insert(place, unwanted.clone());
            let lease = Lease {
                cluster: cluster.clone(),
                acker: Arc::new(acker),
                payload: payload.to_vec(),
                worker: worker.to_string(),
                leased,
                unwanted,
                over: Arc::default(),
                cpu: Arc::default(),
                run,
                key,
            };
            cluster.inner.runtime.spawn(lease.keep(self.hands.clone()));
            Ok(Some(lease))
        })
    }
}

async fn attempts(cluster: &Cluster, name: &str) -> Result<Vec<String>, ClusterError> {
    let value = cluster.inner.attempts.get(name).await.map_err(|error| ClusterError::Server(super::client::chain(&error)))?;
    let text = value.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default();
    Ok(text.lines().map(str::to_string).collect())
}

impl Lease {
    /// Whether nothing wants the result any more.
    pub fn is_unwanted(&self) -> bool {
        self.unwanted.load(Ordering::SeqCst)
    }

    /// Notes the CPU time that the job has used so far; it is told to the caller that waits for it.
    pub fn set_cpu(&self, time: Duration) {
        self.cpu.store(u64::try_from(time.as_millis()).unwrap_or(u64::MAX), Ordering::Relaxed);
    }

    /// Says often enough that the job is in hand, and looks whether it is still wanted.
    fn keep(&self, hands: Hands) -> impl Future<Output = ()> + Send + 'static {
        let (cluster, acker, unwanted, over, cpu) =
            (self.cluster.clone(), self.acker.clone(), self.unwanted.clone(), self.over.clone(), self.cpu.clone());
        let (run, key, leased) = (self.run.clone(), self.key.clone(), self.leased);
        async move {
            let subject = format!("assay.jobs.{}.{run}.{key}", cluster.inner.build);
            let mut iteration = 0u32;
            while !over.load(Ordering::SeqCst) {
                // A third of the beat, so that CPU times are fresh.
                tokio::time::sleep(HEARTBEAT / 3).await;
                iteration += 1;
                cluster.tell(&run, "cpu", &key, cpu.load(Ordering::Relaxed).to_string()).await;
                if !iteration.is_multiple_of(3) || over.load(Ordering::SeqCst) {
                    continue;
                }
                let _ = acker.ack_with(AckKind::Progress).await;
                // What is not in the queue any more was taken back, or done by another caller.
                if let Err(error) = cluster.inner.queue.get_last_raw_message_by_subject(&subject).await
                    && error.kind() == LastRawMessageErrorKind::NoMessageFound
                {
                    unwanted.store(true, Ordering::SeqCst);
                }
                if leased && let Ok(None) = cluster.inner.live.get(format!("run.{run}")).await {
                    unwanted.store(true, Ordering::SeqCst);
                }
            }
            hands.leases.lock().unwrap_or_else(|error| error.into_inner()).remove(&(run, key));
        }
    }

    /// Hands in the result, and takes the job out of the queue.
    ///
    /// # Errors
    /// The server is away for long: the job will be done by another caller.
    pub fn finish(self, result: &[u8]) -> Result<(), ClusterError> {
        let cluster = &self.cluster;
        cluster.inner.runtime.block_on(async {
            cluster.write_result(&self.key, self.leased, result).await?;
            let acked = async || self.acker.double_ack().await.map_err(|error| ClusterError::Server(error.to_string()));
            // A job that was taken back meanwhile cannot be acknowledged, and need not.
            let _ = tokio::time::timeout(Duration::from_secs(10), patiently(acked)).await;
            let _ = cluster.forget("assay-attempts", &format!("{}.{}", cluster.inner.build, self.key)).await;
            cluster.tell(&self.run, "done", &self.key, String::new()).await;
            Ok(())
        })
    }

    /// Lets go of a job that nothing wants.
    pub fn abandon(self) {
        self.cluster.inner.runtime.block_on(async {
            let _ = self.acker.ack_with(AckKind::Term).await;
            self.forget_attempt().await;
        });
    }

    /// Gives the job back to the queue at once, for another caller; it does not count as an attempt.
    pub fn give_back(self) {
        self.cluster.inner.runtime.block_on(async {
            self.forget_attempt().await;
            let _ = self.acker.ack_with(AckKind::Nak(None)).await;
            let _ = self.cluster.inner.client.flush().await;
        });
    }

    async fn forget_attempt(&self) {
        let name = format!("{}.{}", self.cluster.inner.build, self.key);
        if let Ok(mut began) = attempts(&self.cluster, &name).await {
            began.retain(|worker| *worker != self.worker);
            if began.is_empty() {
                let _ = self.cluster.forget("assay-attempts", &name).await;
                return;
            }
            let _ = self.cluster.inner.attempts.put(&name, began.join("\n").into()).await;
        }
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        self.over.store(true, Ordering::SeqCst);
    }
}
