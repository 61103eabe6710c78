//! Rules of memoization: what a block does for one entry is known for others, and no proof rests on it. The programs
//! are verdict programs, so that all presets run on them, too.

use serde_json::Value;
use std::path::Path;
use std::process::Command;

struct Run {
    verdict: String,
    explored: u64,
    by_rules: u64,
    refuted: u64,
}

fn verify(program: &str, config: &str, rules_after: u32, threads: &str) -> Run {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/verdicts").join(program);
    let output = Command::new(env!("CARGO_BIN_EXE_assay"))
        .args(["verify", "--json", "--property", "unreach-call", "--time-limit", "60s", "--config", config, "--threads", threads])
        .args(["--set", "blocks=functions", "--set", "order=bfs", "--set", &format!("block-rules={rules_after}")])
        .arg(&file)
        .output()
        .unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let count = |name: &str| report["counters"][name].as_u64().unwrap_or(0);
    Run {
        verdict: report["verdict"].as_str().unwrap_or_default().to_string(),
        explored: count("block summaries"),
        by_rules: count("summaries made by rules"),
        refuted: count("begun again without rules"),
    }
}

#[test]
fn blocks_that_do_the_same_are_explored_once() {
    for config in ["bam-value", "bam-symbolic", "bam-value-cegar", "bam-symbolic-cegar"] {
        for program in ["bam_rules_event_loop.c", "bam_rules_event_loop_violated.c", "bam_rules_inner_function.c"] {
            let without = verify(program, config, 0, "1");
            assert_eq!((without.by_rules, without.refuted), (0, 0), "{program}, {config}");
            for threads in ["1", "2"] {
                let run = verify(program, config, 1, threads);
                assert_eq!(run.verdict, without.verdict, "{program}, {config}, {threads} threads");
                assert_eq!(run.refuted, 0, "{program}, {config}, {threads} threads");
                let (explored, by_rules) = (run.explored, run.by_rules);
                assert!(explored * 4 < by_rules, "{program}, {config}, {threads} threads: {explored} explored, {by_rules} by rules");
            }
        }
    }
}
