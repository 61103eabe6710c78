//! What must hold of a portfolio beyond its syntax: every node can be reached, every cycle ends, and shares fit.

use crate::machine::Portfolio;
use crate::read::Mistake;
use assay_base::ObstacleKind;

/// # Errors
/// The first mistake, in the order of the file.
pub(crate) fn check(portfolio: &Portfolio) -> Result<(), Mistake> {
    reachable(portfolio)?;
    cycles(portfolio)?;
    shares(portfolio)
}

fn reachable(portfolio: &Portfolio) -> Result<(), Mistake> {
    let mut reached = vec![false; portfolio.nodes.len()];
    let mut stack = vec![0];
    while let Some(node) = stack.pop() {
        if !std::mem::replace(&mut reached[node], true) {
            stack.extend(portfolio.nodes[node].edges.iter().map(|edge| edge.to));
        }
    }
    match portfolio.nodes.iter().zip(reached).find(|(_, reached)| !reached) {
        Some((node, _)) => Err(Mistake { line: node.line, text: format!("no edge leads to the node `{}`", node.name) }),
        None => Ok(()),
    }
}

/// Every cycle goes through a node that may run only so often.
fn cycles(portfolio: &Portfolio) -> Result<(), Mistake> {
    #[derive(Clone, Copy, PartialEq)]
    enum Mark {
        New,
        Open,
        Done,
    }
    fn visit(portfolio: &Portfolio, node: usize, marks: &mut [Mark]) -> Result<(), Mistake> {
        marks[node] = Mark::Open;
        for edge in portfolio.nodes[node].edges.iter().filter(|edge| portfolio.nodes[edge.to].limit.is_none()) {
            match marks[edge.to] {
                Mark::Open => {
                    let name = &portfolio.nodes[edge.to].name;
                    let text = format!("this leads back to `{name}`, and nothing along the path says how often it may run (`limit`)");
                    return Err(Mistake { line: edge.line, text });
                }
                Mark::New => visit(portfolio, edge.to, marks)?,
                Mark::Done => {}
            }
        }
        marks[node] = Mark::Done;
        Ok(())
    }
    let mut marks = vec![Mark::New; portfolio.nodes.len()];
    for node in 0..portfolio.nodes.len() {
        if marks[node] == Mark::New && portfolio.nodes[node].limit.is_none() {
            visit(portfolio, node, &mut marks)?;
        }
    }
    Ok(())
}

/// After a node that may use all the time there is none left for what follows on that.
fn shares(portfolio: &Portfolio) -> Result<(), Mistake> {
    for node in portfolio.nodes.iter().filter(|node| node.share >= 1.0 && node.at_most.is_none()) {
        if let Some(edge) = node.edges.iter().find(|edge| edge.on == [ObstacleKind::Time]) {
            let text = format!("`{}` may use all the time, so nothing is left for what follows when its time is over", node.name);
            return Err(Mistake { line: edge.line, text });
        }
    }
    Ok(())
}
