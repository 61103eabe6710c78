//! `assay portfolio list|show NAME`: portfolios as text or as a graph.

use crate::arguments::{Arguments, UsageError};
use crate::errors::Error;
use crate::print;
use crate::words::{self, Shape};
use assay_driver::choice::{DEFAULT_PRESET, portfolio_named};
use assay_portfolio::{Facts, Node, PORTFOLIOS, Portfolio};

pub(crate) fn run(arguments: &Arguments) -> Result<i32, Error> {
    let words: Vec<String> = arguments.operands.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let text = match words.as_slice() {
        [] | ["list"] => list()?,
        ["show"] => return Err(UsageError("name a portfolio or a file: `assay portfolio show auto`".to_string()).into()),
        ["show", name] => {
            let portfolio = portfolio_named(name)?;
            match arguments.choice("format", &words::SHAPES).unwrap_or(Shape::Text) {
                Shape::Text => portfolio.text(&steps),
                Shape::Dot => portfolio.dot(),
                Shape::Json | Shape::Summary => {
                    let other = arguments.text("format").unwrap_or_default();
                    return Err(UsageError(format!("--format {other}: a portfolio is shown as text or dot")).into());
                }
            }
        }
        ["list" | "show", .., word] => return Err(UsageError(format!("`{word}` is one word too many")).into()),
        [word, ..] => return Err(UsageError(format!("`{word}` is not known; there are `list` and `show NAME`")).into()),
    };
    print(&text);
    Ok(0)
}

/// The steps of a node's analysis, and on what each goes on to which.
fn steps(node: &Node) -> Vec<String> {
    let Ok(mut config) = assay_analyses::preset(&node.preset) else { return vec![] };
    let fits = node.settings.iter().all(|(key, value)| config.set(key, value).is_ok());
    if fits { assay_analyses::describe_plan(&config) } else { vec![] }
}

fn list() -> Result<String, Error> {
    let mut text = String::new();
    for (name, _) in PORTFOLIOS {
        let mark = if *name == DEFAULT_PRESET { " (default)" } else { "" };
        text.push_str(&format!("{name:<12} {}{mark}\n", portfolio_named(name)?.description));
    }
    Ok(text)
}

/// Which nodes a run takes on a program, each with the reason, one a line.
pub(crate) fn way(portfolio: &Portfolio, facts: &Facts<'_>) -> Vec<String> {
    let lines = portfolio.path(facts).into_iter().map(|index| {
        let node = &portfolio.nodes[index];
        let mut reasons: Vec<&str> = vec![&node.why];
        if !node.when.is_trivial() {
            reasons.push(node.when.text());
        }
        reasons.retain(|reason| !reason.is_empty());
        let preset = if node.preset == node.name { String::new() } else { format!(" ({})", node.preset) };
        let reasons = if reasons.is_empty() { String::new() } else { format!(": {}", reasons.join("; ")) };
        format!("{}{preset}{reasons}", node.name)
    });
    lines.collect()
}
