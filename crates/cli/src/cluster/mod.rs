//! More than one machine, seen from the command line: how to reach the server, and how a task travels.

pub(crate) mod blocks;
pub(crate) mod nodes;
pub(crate) mod packed;

use crate::arguments::{Arguments, UsageError};
use crate::errors::Error;
use assay_cluster::{Access, Cluster, ClusterError};
use std::time::{Duration, Instant};

/// How long a worker or a batch waits for a server that is away when it starts.
const PATIENCE: Duration = Duration::from_secs(60);
/// How long it waits before it tries again.
const PAUSE: Duration = Duration::from_millis(500);

/// The server of `--cluster`, if it is given.
pub(crate) fn access(arguments: &Arguments) -> Result<Option<Access>, Error> {
    let url = arguments.text("cluster").map(str::to_string);
    url.map(|url| access_to(url, arguments)).transpose()
}

/// A server, with the credentials of the command line.
pub(crate) fn access_to(url: String, arguments: &Arguments) -> Result<Access, Error> {
    let certificate = match (arguments.path("tls-cert"), arguments.path("tls-key")) {
        (Some(certificate), Some(key)) => Some((certificate, key)),
        (None, None) => None,
        _ => return Err(UsageError("--tls-cert and --tls-key belong together".to_string()).into()),
    };
    let [credentials, nkey, authority] = ["creds", "nkey", "tls-ca"].map(|name| arguments.path(name));
    Ok(Access { url, credentials, nkey, authority, certificate })
}

/// Connects as this build.
pub(crate) fn connect(access: &Access) -> Result<Cluster, Error> {
    Cluster::connect(access, &assay_analyses::this_build()).map_err(Error::Cluster)
}

/// As [`connect`], for those that live longer than an outage: a server that is away is waited for.
pub(crate) fn connect_patiently(access: &Access) -> Result<Cluster, Error> {
    let begin = Instant::now();
    loop {
        match connect(access) {
            Err(Error::Cluster(ClusterError::Connect(why))) if begin.elapsed() < PATIENCE => {
                if begin.elapsed() < PAUSE {
                    eprintln!("assay: {why}; trying again for {} s", PATIENCE.as_secs());
                }
                std::thread::sleep(PAUSE);
            }
            other => return other,
        }
    }
}

/// A name that no other process has: host, process and time.
pub(crate) fn unique_name() -> String {
    let host = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let host: String = host.trim().chars().filter(|c| c.is_ascii_alphanumeric() || *c == '-').take(40).collect();
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |time| time.subsec_nanos());
    format!("{host}-{}-{now:x}", std::process::id())
}

/// Workers that cannot help, by name: they are other builds.
pub(crate) fn refused(cluster: &Cluster, workers: &[serde_json::Value]) -> Vec<String> {
    let other = |worker: &&serde_json::Value| worker["build"] != cluster.build();
    let text = |value: &serde_json::Value| value.as_str().unwrap_or("?").chars().take(60).collect::<String>();
    let line = |worker: &serde_json::Value| {
        format!("{} (version {}, build {})", text(&worker["name"]), text(&worker["version"]), text(&worker["build"]))
    };
    workers.iter().filter(other).map(line).collect()
}
