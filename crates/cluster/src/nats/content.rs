//! Content under its hash, in the server's object store, with what was used last in memory.

use super::client::chain;
use crate::{ClusterError, MOST_CONTENT_BYTES};
use async_nats::jetstream::object_store::{GetErrorKind, InfoErrorKind, ObjectStore};
use sha2::{Digest, Sha256};
use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use tokio::io::AsyncReadExt;

/// So much is kept in memory.
const MOST_KEPT: usize = 64 << 20;

pub(crate) struct Contents {
    bucket: ObjectStore,
    /// The newest last.
    kept: Mutex<VecDeque<(String, Arc<Vec<u8>>)>>,
    pub(crate) found: AtomicU64,
    pub(crate) fetched: AtomicU64,
}

impl Contents {
    pub(crate) fn new(bucket: ObjectStore) -> Self {
        Contents { bucket, kept: Mutex::default(), found: AtomicU64::new(0), fetched: AtomicU64::new(0) }
    }

    pub(crate) async fn put(&self, bytes: &[u8]) -> Result<String, ClusterError> {
        let name = hash(bytes);
        match self.bucket.info(&name).await {
            Ok(info) if !info.deleted && info.size == bytes.len() => return Ok(name),
            Ok(_) => {}
            Err(error) if error.kind() == InfoErrorKind::NotFound => {}
            Err(error) => return Err(ClusterError::Server(chain(&error))),
        }
        let mut reader = bytes;
        self.bucket.put(name.as_str(), &mut reader).await.map_err(|error| ClusterError::Server(chain(&error)))?;
        Ok(name)
    }

    pub(crate) async fn get(&self, name: &str) -> Result<Arc<Vec<u8>>, ClusterError> {
        if name.len() != 64 || !name.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(ClusterError::Damaged("a name of content is no hash".to_string()));
        }
        if let Some(known) = self.kept().iter().find(|(kept, _)| kept == name).map(|(_, bytes)| bytes.clone()) {
            self.found.fetch_add(1, Ordering::Relaxed);
            return Ok(known);
        }
        let object = self.bucket.get(name).await.map_err(|error| match error.kind() {
            GetErrorKind::NotFound => ClusterError::Missing(name.to_string()),
            _ => ClusterError::Server(chain(&error)),
        })?;
        let mut bytes = vec![];
        let read = object.take(MOST_CONTENT_BYTES as u64 + 1).read_to_end(&mut bytes).await;
        // The client compares with the hash that the store has; what counts is the one in the name.
        if read.is_err() || bytes.len() > MOST_CONTENT_BYTES || hash(&bytes) != name {
            return Err(ClusterError::Damaged(format!("content {name} is not what its name says")));
        }
        self.fetched.fetch_add(1, Ordering::Relaxed);
        let bytes = Arc::new(bytes);
        let mut kept = self.kept();
        kept.push_back((name.to_string(), bytes.clone()));
        while kept.iter().map(|(_, bytes)| bytes.len()).sum::<usize>() > MOST_KEPT {
            kept.pop_front();
        }
        Ok(bytes)
    }

    fn kept(&self) -> std::sync::MutexGuard<'_, VecDeque<(String, Arc<Vec<u8>>)>> {
        self.kept.lock().unwrap_or_else(|error| error.into_inner())
    }
}

/// SHA-256 in hexadecimal.
pub(crate) fn hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
