//! A batch whose tasks are jobs of a cluster: they are handed in once, and results are taken as they come.

use super::screen::Screen;
use super::{Finished, Task};
use crate::cluster::packed::Packed;
use crate::errors::Error;
use assay_cluster::{Cluster, Job, News};
use assay_results::task::sha256;
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How long the next piece of news is waited for.
const PERIOD: Duration = Duration::from_millis(200);
/// News can be missed: this often, results are asked for.
const ASKING: Duration = Duration::from_secs(3);
/// This often, jobs without a result are handed in again, in case the server lost its queue.
const AGAIN: Duration = Duration::from_secs(20);
/// This often, workers are counted.
const COUNTING: Duration = Duration::from_secs(2);

/// Runs the open tasks elsewhere. A coordinator that dies leaves its jobs to the workers, and takes the results when it
/// comes back; one that is asked to stop takes its jobs back.
pub(crate) fn on_cluster(
    tasks: &[Task],
    keys: &[String],
    open: &[usize],
    options: &dyn Fn(&Task) -> Vec<(String, Option<String>)>,
    cluster: &Cluster,
    screen: &Screen,
    stop: &AtomicBool,
    done: &mut dyn FnMut(usize, Finished) -> Result<(), Error>,
) -> Result<(), Error> {
    let run = format!("b{}", &sha256(keys.join("\n").as_bytes())[..24]);
    let news = cluster.news(&run).map_err(Error::Cluster)?;
    let mut waiting: BTreeMap<&str, (usize, Option<Job>)> = open.iter().map(|&index| (keys[index].as_str(), (index, None))).collect();
    let mut end = |index: usize, finished: Finished| {
        screen.ends(&tasks[index], &finished, false);
        done(index, finished)
    };
    // What was finished while nobody was there; the rest is handed in.
    for &index in open {
        if stop.load(Ordering::SeqCst) {
            break;
        }
        if let Some(finished) = take(cluster, &keys[index])? {
            waiting.remove(keys[index].as_str());
            end(index, finished)?;
            continue;
        }
        match Packed::pack(&options(&tasks[index]), &tasks[index].inputs, cluster) {
            Ok(packed) => {
                let job = Job { run: run.clone(), key: keys[index].clone(), leased: false, payload: packed.to_bytes() };
                cluster.submit(&job).map_err(Error::Cluster)?;
                waiting.insert(&keys[index], (index, Some(job)));
            }
            Err(reason) => {
                waiting.remove(keys[index].as_str());
                end(index, Finished::error(reason))?;
            }
        }
    }
    let (mut asked, mut again, mut counted) = (Instant::now(), Instant::now(), None::<Instant>);
    let mut warned = Instant::now();
    while !waiting.is_empty() && !stop.load(Ordering::SeqCst) {
        let mut ready: Vec<String> = vec![];
        match news.recv_timeout(PERIOD) {
            Ok(News::Done(key)) => ready.push(key),
            Ok(News::Cpu(key, _)) => {
                if let Some((index, _)) = waiting.get(key.as_str()) {
                    screen.seen(&tasks[*index].id);
                }
            }
            Err(_) => screen.refresh(),
        }
        if asked.elapsed() > ASKING {
            asked = Instant::now();
            ready = waiting.keys().map(|key| key.to_string()).collect();
        }
        for key in ready {
            let Some(&(index, _)) = waiting.get(key.as_str()) else { continue };
            if let Some(finished) = take(cluster, &key)? {
                waiting.remove(key.as_str());
                end(index, finished)?;
            }
        }
        if again.elapsed() > AGAIN {
            again = Instant::now();
            for job in waiting.values().filter_map(|(_, job)| job.as_ref()) {
                cluster.submit(job).map_err(Error::Cluster)?;
            }
        }
        if counted.is_none_or(|at| at.elapsed() > COUNTING) {
            let first = counted.is_none();
            counted = Some(Instant::now());
            let workers = cluster.workers().map_err(Error::Cluster)?;
            let refused = crate::cluster::refused(cluster, &workers);
            let ours = workers.len() - refused.len();
            screen.note(format!("{ours} workers"));
            if ours == 0 && (first || warned.elapsed() > COUNTING * 30) {
                warned = Instant::now();
                eprintln!("assay: no worker of this build ({}) is there; waiting for one", cluster.build());
                for name in refused {
                    eprintln!("assay: refused: {name} is another build");
                }
            }
        }
    }
    if !waiting.is_empty() {
        cluster.cancel(&run).map_err(Error::Cluster)?;
    }
    Ok(())
}

/// A result, if it is there and can be read; one that cannot is no result, and its job is done again.
fn take(cluster: &Cluster, key: &str) -> Result<Option<Finished>, Error> {
    match cluster.result(key, false) {
        Ok(None) => Ok(None),
        Ok(Some(bytes)) => {
            let finished = serde_json::from_slice::<Value>(&bytes).ok().as_ref().and_then(Finished::from_json);
            if finished.is_none() {
                eprintln!("assay: dropped: the result {key} cannot be read");
                cluster.forget_result(key, false).map_err(Error::Cluster)?;
            }
            Ok(finished)
        }
        Err(error @ (assay_cluster::ClusterError::Damaged(_) | assay_cluster::ClusterError::Missing(_))) => {
            eprintln!("assay: {error}");
            cluster.forget_result(key, false).map_err(Error::Cluster)?;
            Ok(None)
        }
        Err(error) => Err(Error::Cluster(error)),
    }
}
