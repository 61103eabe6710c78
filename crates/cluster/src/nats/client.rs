//! The connection: what lies on the server, and handing in jobs and taking out results.

use super::content::Contents;
use crate::{Access, ClusterError, Job, MOST_CONTENT_BYTES, MOST_JOB_BYTES, News, SILENCE, Submitted};
use async_nats::jetstream::consumer::{AckPolicy, Consumer, pull};
use async_nats::jetstream::context::PublishErrorKind;
use async_nats::jetstream::kv::Store;
use async_nats::jetstream::message::PublishMessage;
use async_nats::jetstream::stream::{DiscardPolicy, RetentionPolicy, StorageType, Stream};
use async_nats::jetstream::{self, Context, object_store, stream};
use async_nats::{Client, ConnectErrorKind};
use futures_util::StreamExt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver};
use std::time::{Duration, Instant};
use tokio::runtime::Runtime;

/// How long what nothing asks for any more is kept.
const KEPT: Duration = Duration::from_secs(7 * 24 * 3600);
/// How long results are kept that only one run asks for.
const ANSWERS_KEPT: Duration = Duration::from_secs(600);
/// How long the attempts at a job are remembered.
const ATTEMPTS_KEPT: Duration = Duration::from_secs(24 * 3600);
/// A worker or a run that has said nothing for so long is gone.
const LIVE: Duration = Duration::from_secs(10);
/// How long an operation is tried again while the server is away.
const PATIENCE: Duration = Duration::from_secs(60);
/// Results up to this size are values themselves; larger ones are content.
const MOST_INLINE: usize = 256 << 10;

/// A connection to a server, for one build. Clones share it.
#[derive(Clone)]
pub struct Cluster {
    pub(crate) inner: Arc<Inner>,
}

pub(crate) struct Inner {
    pub(crate) runtime: Runtime,
    pub(crate) client: Client,
    pub(crate) context: Context,
    pub(crate) build: String,
    pub(crate) queue: Stream,
    pub(crate) consumer: Consumer<pull::Config>,
    pub(crate) results: Store,
    pub(crate) answers: Store,
    pub(crate) summaries: Store,
    pub(crate) attempts: Store,
    pub(crate) live: Store,
    pub(crate) contents: Contents,
    pub(crate) dropped: AtomicU64,
}

impl Cluster {
    /// Connects, and makes on the server what is not there yet. `build` is the hash of the program that runs: letters
    /// and digits.
    ///
    /// # Errors
    /// No server or no JetStream ([`ClusterError::Connect`], which may pass), or no entry.
    pub fn connect(access: &Access, build: &str) -> Result<Cluster, ClusterError> {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().thread_name("cluster").build();
        let runtime = runtime.map_err(|error| ClusterError::Connect(error.to_string()))?;
        let (addresses, shown) = (access.addresses()?, access.shown());
        let build: String = build.chars().take(16).collect();
        let inner = runtime.block_on(async {
            let options = access.options()?.name(format!("assay {build}"));
            let client = options.connect(addresses).await;
            let client = client.map_err(|error| match error.kind() {
                // It may come back.
                ConnectErrorKind::Io | ConnectErrorKind::Dns | ConnectErrorKind::TimedOut => {
                    ClusterError::Connect(format!("{shown}: {}", chain(&error)))
                }
                _ => ClusterError::Access(format!("{shown}: {}", chain(&error))),
            })?;
            let context = jetstream::new(client.clone());
            let no_store =
                |error: &dyn std::error::Error| ClusterError::Connect(format!("{shown}: {} (is JetStream enabled?)", chain(error)));
            let queue = stream::Config {
                name: "ASSAY_JOBS".to_string(),
                subjects: vec!["assay.jobs.>".to_string()],
                retention: RetentionPolicy::WorkQueue,
                discard: DiscardPolicy::New,
                max_message_size: i32::try_from(MOST_JOB_BYTES).unwrap_or(i32::MAX),
                max_age: KEPT,
                storage: StorageType::File,
                ..stream::Config::default()
            };
            let queue = context.get_or_create_stream(queue).await.map_err(|error| no_store(&error))?;
            let consumer = pull::Config {
                durable_name: Some(format!("workers-{build}")),
                filter_subject: format!("assay.jobs.{build}.>"),
                ack_policy: AckPolicy::Explicit,
                ack_wait: SILENCE,
                max_ack_pending: 100_000,
                ..pull::Config::default()
            };
            let name = format!("workers-{build}");
            let consumer = queue.get_or_create_consumer(&name, consumer).await.map_err(|error| no_store(&error))?;
            // What `create_key_value` makes; the client asks the server for more than Debian's version tells it.
            let store = async |bucket: &str, max_age: Duration| {
                let config = stream::Config {
                    name: format!("KV_{bucket}"),
                    subjects: vec![format!("$KV.{bucket}.>")],
                    max_messages_per_subject: 1,
                    max_age,
                    storage: StorageType::File,
                    allow_rollup: true,
                    deny_delete: true,
                    allow_direct: true,
                    discard: DiscardPolicy::New,
                    ..stream::Config::default()
                };
                context.get_or_create_stream(config).await.map_err(|error| no_store(&error))?;
                context.get_key_value(bucket).await.map_err(|error| no_store(&error))
            };
            let answers = store("assay-answers", ANSWERS_KEPT).await?;
            let summaries = store("assay-summaries", KEPT).await?;
            let (results, attempts, live) =
                (store("assay-results", KEPT).await?, store("assay-attempts", ATTEMPTS_KEPT).await?, store("assay-live", LIVE).await?);
            let bucket = match context.get_object_store("assay-content").await {
                Ok(bucket) => bucket,
                Err(_) => {
                    let config =
                        object_store::Config { bucket: "assay-content".to_string(), max_age: KEPT, ..object_store::Config::default() };
                    context.create_object_store(config).await.map_err(|error| no_store(&error))?
                }
            };
            let contents = Contents::new(bucket);
            Ok((client, context, queue, consumer, results, answers, summaries, attempts, live, contents))
        });
        let (client, context, queue, consumer, results, answers, summaries, attempts, live, contents) = inner?;
        let dropped = AtomicU64::new(0);
        let inner =
            Inner { runtime, client, context, build, queue, consumer, results, answers, summaries, attempts, live, contents, dropped };
        Ok(Cluster { inner: Arc::new(inner) })
    }

    /// The name of the build, as it is part of other names.
    pub fn build(&self) -> &str {
        &self.inner.build
    }

    /// How many messages and contents were not what they said they are, and were dropped.
    pub fn dropped(&self) -> u64 {
        self.inner.dropped.load(Ordering::Relaxed)
    }

    /// Puts content on the server, if it is not there, and gives its name.
    ///
    /// # Errors
    /// The server refuses, or is away for long.
    pub fn put_content(&self, bytes: &[u8]) -> Result<String, ClusterError> {
        if bytes.len() > MOST_CONTENT_BYTES {
            return Err(ClusterError::Damaged(format!("content of {} bytes is more than {MOST_CONTENT_BYTES}", bytes.len())));
        }
        self.inner.runtime.block_on(patiently(async || self.inner.contents.put(bytes).await))
    }

    /// Content by its name; what does not have the hash that its name is, is not there.
    ///
    /// # Errors
    /// The content is missing or damaged, or the server is away for long.
    pub fn content(&self, name: &str) -> Result<Arc<Vec<u8>>, ClusterError> {
        let result = self.inner.runtime.block_on(patiently(async || self.inner.contents.get(name).await));
        self.count(&result);
        result
    }

    fn count<T>(&self, result: &Result<T, ClusterError>) {
        if let Err(ClusterError::Damaged(_)) = result {
            self.inner.dropped.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Puts a job into the queue. One that waits there or is being worked on is not put there again.
    ///
    /// # Errors
    /// The job is too large, or the server is away for long.
    pub fn submit(&self, job: &Job) -> Result<Submitted, ClusterError> {
        let mut payload = vec![u8::from(job.leased)];
        payload.extend(&job.payload);
        if payload.len() > MOST_JOB_BYTES {
            return Err(ClusterError::Damaged(format!("a job of {} bytes is more than {MOST_JOB_BYTES}", payload.len())));
        }
        let subject = self.subject(&job.run, &job.key);
        let context = &self.inner.context;
        self.inner.runtime.block_on(patiently(async || {
            let message = PublishMessage::build().payload(payload.clone().into()).expected_last_subject_sequence(0);
            let refused = |error: async_nats::jetstream::context::PublishError| match error.kind() {
                PublishErrorKind::WrongLastSequence => Ok(Submitted::Waiting),
                _ => Err(ClusterError::Server(chain(&error))),
            };
            let sent = match context.send_publish(subject.clone(), message).await {
                Ok(sent) => sent.await,
                Err(error) => Err(error),
            };
            sent.map(|_| Submitted::Queued).or_else(refused)
        }))
    }

    fn subject(&self, run: &str, key: &str) -> String {
        format!("assay.jobs.{}.{run}.{key}", self.inner.build)
    }

    /// Takes all jobs of a run out of the queue and tells everybody who works on one to stop.
    ///
    /// # Errors
    /// The server is away for long; workers find out by themselves then.
    pub fn cancel(&self, run: &str) -> Result<(), ClusterError> {
        self.take_back(run, ">")
    }

    /// Takes back one job.
    ///
    /// # Errors
    /// As [`cancel`](Self::cancel).
    pub fn cancel_job(&self, run: &str, key: &str) -> Result<(), ClusterError> {
        self.take_back(run, key)
    }

    fn take_back(&self, run: &str, key: &str) -> Result<(), ClusterError> {
        let (inner, told) = (&self.inner, format!("assay.cancel.{}.{run}.{}", self.inner.build, if key == ">" { "all" } else { key }));
        inner.runtime.block_on(async {
            // At once, whatever becomes of the queue.
            let _ = inner.client.publish(told, "".into()).await;
            let _ = inner.client.flush().await;
            let filter = self.subject(run, key);
            let purge = async || inner.queue.purge().filter(&filter).await.map_err(|error| ClusterError::Server(chain(&error)));
            patiently(purge).await.map(|_| ())
        })
    }

    /// The result of a job, if there is one; those of leased jobs are kept for some minutes only.
    ///
    /// # Errors
    /// It is damaged, or the server is away for long.
    pub fn result(&self, key: &str, leased: bool) -> Result<Option<Vec<u8>>, ClusterError> {
        let result = self.inner.runtime.block_on(self.read_result(key, leased));
        self.count(&result);
        result
    }

    /// What was kept under a key by [`keep_summary`](Self::keep_summary). It is tried once: nothing depends on it.
    ///
    /// # Errors
    /// It is damaged, or the server is away.
    pub fn summary(&self, key: &str) -> Result<Option<Vec<u8>>, ClusterError> {
        let name = format!("{}.{key}", self.inner.build);
        let value = self.inner.runtime.block_on(self.inner.summaries.get(&name));
        let value = value.map_err(|error| ClusterError::Server(chain(&error)))?;
        let result = match value {
            Some(value) => self.inner.runtime.block_on(self.open(key, &value)).map(Some),
            None => Ok(None),
        };
        self.count(&result);
        result
    }

    /// Keeps bytes under a key, and does not wait for it.
    pub fn keep_summary(&self, key: &str, bytes: Vec<u8>) {
        if bytes.len() > MOST_CONTENT_BYTES {
            return;
        }
        let (cluster, name) = (self.clone(), format!("{}.{key}", self.inner.build));
        self.inner.runtime.spawn(async move {
            let value = if bytes.len() > MOST_INLINE {
                let Ok(content) = cluster.inner.contents.put(&bytes).await else { return };
                [&[1], content.as_bytes()].concat()
            } else {
                [&[0], bytes.as_slice()].concat()
            };
            let _ = cluster.inner.summaries.put(&name, value.into()).await;
        });
    }

    async fn read_result(&self, key: &str, leased: bool) -> Result<Option<Vec<u8>>, ClusterError> {
        let name = format!("{}.{key}", self.inner.build);
        let get = async || self.bucket(leased).get(&name).await.map_err(|error| ClusterError::Server(chain(&error)));
        let Some(value) = patiently(get).await? else { return Ok(None) };
        self.open(key, &value).await.map(Some)
    }

    /// A value is the bytes, or the name of content.
    async fn open(&self, key: &str, value: &[u8]) -> Result<Vec<u8>, ClusterError> {
        match value.split_first() {
            Some((0, bytes)) => Ok(bytes.to_vec()),
            Some((1, name)) => {
                let name = String::from_utf8_lossy(name).into_owned();
                let content = patiently(async || self.inner.contents.get(&name).await).await?;
                Ok(content.to_vec())
            }
            _ => Err(ClusterError::Damaged(format!("the result {key} has no form that is known"))),
        }
    }

    pub(crate) fn bucket(&self, leased: bool) -> &Store {
        if leased { &self.inner.answers } else { &self.inner.results }
    }

    /// Removes a result, so that its job can be done again.
    ///
    /// # Errors
    /// The server is away for long.
    pub fn forget_result(&self, key: &str, leased: bool) -> Result<(), ClusterError> {
        let name = format!("{}.{key}", self.inner.build);
        self.inner.runtime.block_on(patiently(async || self.forget(if leased { "assay-answers" } else { "assay-results" }, &name).await))
    }

    /// Removes a value without the mark that the store leaves in its place.
    pub(crate) async fn forget(&self, bucket: &str, name: &str) -> Result<(), ClusterError> {
        let stream =
            self.inner.context.get_stream_no_info(format!("KV_{bucket}")).await.map_err(|error| ClusterError::Server(chain(&error)))?;
        let purged = stream.purge().filter(format!("$KV.{bucket}.{name}")).await;
        purged.map(|_| ()).map_err(|error| ClusterError::Server(chain(&error)))
    }

    pub(crate) async fn write_result(&self, key: &str, leased: bool, bytes: &[u8]) -> Result<(), ClusterError> {
        let mut value = vec![u8::from(bytes.len() > MOST_INLINE)];
        if bytes.len() > MOST_INLINE {
            value.extend(patiently(async || self.inner.contents.put(bytes).await).await?.into_bytes());
        } else {
            value.extend(bytes);
        }
        let name = format!("{}.{key}", self.inner.build);
        let put = async || self.bucket(leased).put(&name, value.clone().into()).await.map_err(|error| ClusterError::Server(chain(&error)));
        patiently(put).await.map(|_| ())
    }

    /// Keys of results as they come, and CPU times of jobs that run. Some may be missed while the network is down:
    /// the caller that waits asks for results now and then as well.
    ///
    /// # Errors
    /// The server is away.
    pub fn news(&self, run: &str) -> Result<Receiver<News>, ClusterError> {
        let subject = format!("assay.news.{}.{run}.*.*", self.inner.build);
        let (sender, receiver) = mpsc::channel();
        let subscribe = self.inner.client.subscribe(subject);
        let mut messages = self.inner.runtime.block_on(subscribe).map_err(|error| ClusterError::Server(chain(&error)))?;
        self.inner.runtime.spawn(async move {
            while let Some(message) = messages.next().await {
                let words: Vec<&str> = message.subject.split('.').collect();
                let [.., kind, key] = words.as_slice() else { continue };
                let number = std::str::from_utf8(&message.payload).ok().and_then(|text| text.parse().ok());
                let news = match (*kind, number) {
                    ("done", _) => News::Done(key.to_string()),
                    ("cpu", Some(milliseconds)) => News::Cpu(key.to_string(), Duration::from_millis(milliseconds)),
                    _ => continue,
                };
                if sender.send(news).is_err() {
                    break;
                }
            }
        });
        Ok(receiver)
    }

    pub(crate) async fn tell(&self, run: &str, kind: &str, key: &str, text: String) {
        let subject = format!("assay.news.{}.{run}.{kind}.{key}", self.inner.build);
        // Nothing may listen, and nothing relies on it.
        let _ = self.inner.client.publish(subject, text.into()).await;
        let _ = self.inner.client.flush().await;
    }
}

/// Tries again while the server is away; what is missing or damaged stays so.
pub(crate) async fn patiently<T>(work: impl AsyncFn() -> Result<T, ClusterError>) -> Result<T, ClusterError> {
    let begin = Instant::now();
    let mut pause = Duration::from_millis(50);
    loop {
        match work().await {
            Err(ClusterError::Server(_)) if begin.elapsed() < PATIENCE => {}
            other => return other,
        }
        tokio::time::sleep(pause).await;
        pause = (pause * 2).min(Duration::from_secs(1));
    }
}

/// An error with its causes.
pub(crate) fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        let more = cause.to_string();
        if !text.contains(&more) {
            text = format!("{text}: {more}");
        }
        source = cause.source();
    }
    text
}
