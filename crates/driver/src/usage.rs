//! What the process has used so far, and what the machine has.

use std::time::Duration;

/// CPU time of the process and of its finished children.
pub fn cpu_time() -> Duration {
    [libc::RUSAGE_SELF, libc::RUSAGE_CHILDREN].into_iter().map(time_of).sum()
}

/// The largest resident memory so far, in bytes.
pub fn peak_memory() -> u64 {
    u64::try_from(raw(libc::RUSAGE_SELF).ru_maxrss).unwrap_or(0) << 10
}

/// Resident memory of the process in bytes, libraries and their allocators included; nothing where the system does not
/// tell.
pub fn resident() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = text.split_whitespace().nth(1)?.parse().ok()?;
    // SAFETY: sysconf has no preconditions.
    let size = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
    Some(pages * u64::try_from(size).unwrap_or(4096))
}

/// The memory of the machine in bytes.
pub fn memory_of_machine() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("MemTotal:"))?;
    let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes << 10)
}

/// The part of a time limit that the analysis gets; the rest is for writing the evidence and ending.
pub fn analysis_share(limit: Duration) -> Duration {
    let margin = limit.mul_f64(0.03).clamp(Duration::from_millis(250), Duration::from_secs(3));
    limit.saturating_sub(margin.min(limit / 4))
}

fn raw(who: i32) -> libc::rusage {
    // SAFETY: a zeroed rusage is a valid value, and the pointer is to a live one.
    unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        libc::getrusage(who, &mut usage);
        usage
    }
}

fn time_of(who: i32) -> Duration {
    let usage = raw(who);
    let time = |t: libc::timeval| Duration::from_secs(t.tv_sec.max(0) as u64) + Duration::from_micros(t.tv_usec.max(0) as u64);
    time(usage.ru_utime) + time(usage.ru_stime)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_analysis_gets_nearly_all_of_the_limit() {
        assert_eq!(analysis_share(Duration::from_secs(10)), Duration::from_millis(9700));
        assert_eq!(analysis_share(Duration::from_secs(900)), Duration::from_secs(897));
        assert_eq!(analysis_share(Duration::from_millis(400)), Duration::from_millis(300));
    }
}
