//! What one configuration does, as data: steps of passes and settings, and edges between them that are taken on what
//! stopped it. Nothing that runs decides what is tried next; it only says which obstacle it met.

use crate::config::{AnalysisKind, Config, DomainChoice, Domains};
use assay_base::ObstacleKind;
use assay_cpa::Order;
use assay_domains::predicate::BlockEnds;
use assay_passes::Pass;

/// One attempt at a program.
pub(crate) struct Step {
    /// What is different in it, in a few words.
    pub what: String,
    /// What is done to the program before it.
    pub passes: Vec<Pass>,
    /// How the changed program is looked at.
    pub config: Config,
    /// Whether its obstacle is the one that is told; another step's is where it is only there for its verdict.
    pub tells: bool,
    /// Where it goes on without a verdict: the first edge that fits. A stop ends the run.
    pub edges: Vec<Edge>,
}

/// From a step to another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Edge {
    /// On this obstacle; on any where it is `None`.
    pub on: Option<ObstacleKind>,
    /// The place of a step in the plan.
    pub to: usize,
}

impl Step {
    fn new(what: impl Into<String>, passes: Vec<Pass>, config: Config) -> Step {
        Step { what: what.into(), passes, config, tells: true, edges: vec![] }
    }

    /// The step that follows on an obstacle.
    pub(crate) fn next(&self, kind: ObstacleKind) -> Option<usize> {
        self.edges.iter().find(|edge| edge.on.is_none_or(|on| on == kind)).map(|edge| edge.to)
    }
}

/// The steps of a configuration; a run begins with the first.
pub(crate) fn plan(config: &Config) -> Vec<Step> {
    let mut steps = with_passes(config, &config.passes);
    if !config.passes.is_empty() {
        // A violation that the program has not: what the passes made of it does not say enough.
        let first = steps.len();
        let on = (config.analysis != AnalysisKind::Termination).then_some(ObstacleKind::Changed);
        for step in &mut steps {
            step.edges.insert(0, Edge { on, to: first });
        }
        for mut step in with_passes(config, &[]) {
            step.what = format!("{} without passes", step.what).trim().to_string();
            step.edges.iter_mut().for_each(|edge| edge.to += first);
            steps.push(step);
        }
    }
    steps
}

fn with_passes(config: &Config, passes: &[Pass]) -> Vec<Step> {
    let and = |pass: Pass| passes.iter().copied().chain([pass]).collect::<Vec<_>>();
    if config.watch_cells > 0 {
        let step = |cells: u32| Step::new(format!("watched cells: {cells}"), and(Pass::Cells(cells)), config.clone());
        let mut steps: Vec<Step> = (1..=config.watch_cells).map(step).collect();
        let last = steps.len() - 1;
        for (index, step) in steps[..last].iter_mut().enumerate() {
            step.edges.push(Edge { on: None, to: index + 1 });
        }
        return steps;
    }
    if config.cut_recursion {
        return vec![Step::new("recursion cut", and(Pass::Recursion), config.clone())];
    }
    if config.uses_predicates() {
        return predicates(config, passes);
    }
    vec![Step::new("", passes.to_vec(), config.clone())]
}

/// Predicate analysis. Each further step begins anew: it has other predicates, and a program that needs no cuts is
/// explored as it is.
fn predicates(config: &Config, passes: &[Pass]) -> Vec<Step> {
    let beside = config.domain.first != DomainChoice::Predicate;
    let meet = |config: &Config| {
        let everywhere = config.block_ends == BlockEnds::Bottlenecks;
        passes.iter().copied().chain([if everywhere { Pass::MeetEverywhere } else { Pass::Meet }]).collect::<Vec<_>>()
    };
    let region = |what: &str, config: Config| Step::new(what, meet(&config), config);
    let alone = |config: &Config| Config {
        domain: Domains { first: DomainChoice::Predicate, beside: vec![] },
        order: Order::ReversePostorder,
        ..config.clone()
    };
    let cut = |config: &Config| Config { block_ends: BlockEnds::Bottlenecks, bam: false, ..config.clone() };
    let cuts = config.block_ends == BlockEnds::Auto;
    let name = if beside { "predicates beside values" } else { "predicates" };
    let mut steps = vec![region(name, config.clone())];
    // From a step on an obstacle to one that is added.
    let add = |steps: &mut Vec<Step>, from: usize, on: ObstacleKind, step: Step| {
        let to = steps.len();
        steps[from].edges.push(Edge { on: Some(on), to });
        steps.push(step);
        to
    };
    if config.bam {
        let plain = add(
            &mut steps,
            0,
            ObstacleKind::CostlyBlocks,
            region("predicates without memoized blocks", Config { bam: false, ..config.clone() }),
        );
        if cuts {
            add(&mut steps, plain, ObstacleKind::LargeBlocks, region("predicates with blocks cut", cut(config)));
        }
    }
    if cuts {
        let what = if beside { "predicates beside values with blocks cut" } else { "predicates with blocks cut" };
        add(&mut steps, 0, ObstacleKind::LargeBlocks, region(what, cut(config)));
    }
    if beside {
        let only = add(&mut steps, 0, ObstacleKind::IdleValues, region("predicates alone", alone(config)));
        if cuts {
            add(&mut steps, only, ObstacleKind::LargeBlocks, region("predicates alone with blocks cut", cut(&alone(config))));
        }
        // Values follow paths one by one that regions take together. The order of products is for states that are
        // merged.
        let domain = Domains { first: config.domain.first, beside: vec![] };
        let values = Config { domain, order: Config::default().order, ..config.clone() };
        let last = steps.len();
        steps.iter_mut().for_each(|step| step.edges.push(Edge { on: None, to: last }));
        // What was asked for are predicates, and why they do not get on.
        steps.push(Step { tells: false, ..Step::new("values alone", passes.to_vec(), values) });
    }
    steps
}

/// The steps of a configuration in words, one a line, each with where it goes on; nothing where there is one step.
pub fn describe(config: &Config) -> Vec<String> {
    let steps = plan(config);
    if steps.len() == 1 && steps[0].passes.is_empty() {
        return vec![];
    }
    let name = |index: usize| if steps[index].what.is_empty() { "as configured" } else { steps[index].what.as_str() };
    let line = |(index, step): (usize, &Step)| {
        let passes: Vec<String> = step.passes.iter().map(|pass| pass.to_string()).collect();
        let passes = if passes.is_empty() { String::new() } else { format!(" (after {})", passes.join(", ")) };
        let edges: Vec<String> =
            step.edges.iter().map(|edge| format!("{} -> {}", edge.on.map_or("else", ObstacleKind::name), name(edge.to))).collect();
        let edges = if edges.is_empty() { String::new() } else { format!(": {}", edges.join(", ")) };
        format!("{}{passes}{edges}", name(index))
    };
    steps.iter().enumerate().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::preset;

    fn check(name: &str, settings: &[(&str, &str)], expected: &[&str]) {
        let mut config = preset(name).expect("a preset");
        settings.iter().for_each(|(key, value)| config.set(key, value).expect("a setting"));
        assert_eq!(describe(&config), expected, "{name}");
        let steps = plan(&config);
        assert!(steps.iter().all(|step| step.edges.iter().all(|edge| edge.to < steps.len())), "{name}");
        // Every edge leads on, so that every run ends.
        assert!(steps.iter().enumerate().all(|(index, step)| step.edges.iter().all(|edge| edge.to > index)), "{name}");
    }

    #[test]
    fn what_is_tried_next_is_an_edge_on_an_obstacle() {
        check("symbolic", &[], &[]);
        check("recursion", &[], &["recursion cut (after cut-recursion)"]);
        check(
            "arrays",
            &[],
            &["watched cells: 1 (after watch-cells 1): else -> watched cells: 2", "watched cells: 2 (after watch-cells 2)"],
        );
        check(
            "predicate",
            &[],
            &["predicates (after meet): large-blocks -> predicates with blocks cut", "predicates with blocks cut (after meet-everywhere)"],
        );
        check("value", &[("passes", "skip")], &["as configured (after skip): changed -> without passes", "without passes"]);
        check(
            "value-predicate",
            &[],
            &[
                "predicates beside values (after meet): large-blocks -> predicates beside values with blocks cut, \
                 idle-values -> predicates alone, else -> values alone",
                "predicates beside values with blocks cut (after meet-everywhere): else -> values alone",
                "predicates alone (after meet): large-blocks -> predicates alone with blocks cut, else -> values alone",
                "predicates alone with blocks cut (after meet-everywhere): else -> values alone",
                "values alone",
            ],
        );
    }
}
