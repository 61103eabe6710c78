//! Memoization as users call it. Rules: what a block does for one entry is known for others, and no proof rests on
//! it; the programs are verdict programs, so that all presets run on them, too. Blocks with more exits than are taken
//! in one visit.

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

/// A loop that can be left in each of its rounds; the last exits matter.
const MANY_EXITS: &str = r#"
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
    int rounds = 0;
    while (rounds < 9000) {
        if (__VERIFIER_nondet_int()) {
            break;
        }
        rounds++;
    }
    if (rounds == BAD) {
        reach_error();
    }
    return 0;
}
"#;

#[test]
fn no_exit_of_many_is_lost() {
    let folder = std::env::temp_dir().join(format!("assay-many-exits-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    for (bad, verdict) in [("8999", "false"), ("9001", "true")] {
        let file = folder.join(format!("{bad}.c"));
        std::fs::write(&file, MANY_EXITS.replace("BAD", bad)).unwrap();
        for (config, engine, threads) in [("bam-value", "sequential", "1"), ("bam-value", "parallel", "2"), ("bam-symbolic", "auto", "2")] {
            let output = Command::new(env!("CARGO_BIN_EXE_assay"))
                .args(["verify", "--json", "--property", "unreach-call", "--time-limit", "60s", "--config", config])
                .args(["--threads", threads, "--set", "blocks=loops", "--set", &format!("engine={engine}")])
                .arg(&file)
                .output()
                .unwrap();
            let report: Value = serde_json::from_slice(&output.stdout).unwrap();
            assert_eq!(report["verdict"], verdict, "{bad}, {config}, {engine}, {threads} threads: {report}");
            assert!(report["counters"]["blocks"].as_u64() > Some(0), "the loop is a block: {report}");
        }
    }
    std::fs::remove_dir_all(&folder).unwrap();
}
