//! A function as a drawing of its basic blocks: boxes with source lines, arrows for jumps.

use super::escaped;
use super::layout::{Layout, layout};
use assay_base::{FastMap, FastSet};
use assay_cfa::{FunctionId, LocationId, Origin, Program};
use std::fmt::Write;

const MAX_BLOCKS: usize = 150;
const MAX_LINES: usize = 8;
const CHARACTER: f64 = 7.3;
const LINE_HEIGHT: f64 = 16.0;

/// A run of edges without a jump in or out.
struct Block {
    lines: Vec<String>,
    visited: bool,
    target: bool,
    /// Successor and, for a branch, which way it is.
    next: Vec<(usize, Option<bool>)>,
}

/// The drawing; a sentence where the function is too large for one.
pub(super) fn svg(program: &Program, function: FunctionId, visited: &FastSet<LocationId>) -> String {
    let blocks = blocks(program, function, visited);
    if blocks.len() > MAX_BLOCKS {
        return format!("<p>The function has {} blocks, too many to draw.</p>", blocks.len());
    }
    let size = |block: &Block| {
        let longest = block.lines.iter().map(|line| line.chars().count()).max().unwrap_or(0);
        (longest as f64 * CHARACTER + 16.0, block.lines.len().max(1) as f64 * LINE_HEIGHT + 8.0)
    };
    let sizes: Vec<(f64, f64)> = blocks.iter().map(size).collect();
    let next: Vec<Vec<usize>> = blocks.iter().map(|block| block.next.iter().map(|(to, _)| *to).collect()).collect();
    draw(&blocks, &sizes, &layout(&sizes, &next))
}

fn blocks(program: &Program, function: FunctionId, visited: &FastSet<LocationId>) -> Vec<Block> {
    let entry = program.functions[function].entry;
    let starts_block = |location: LocationId| {
        let incoming = &program.locations[location].incoming;
        location == entry || incoming.len() != 1 || program.locations[program.edges[incoming[0]].source].outgoing.len() != 1
    };
    let mut index: FastMap<LocationId, usize> = FastMap::default();
    let mut order = vec![entry];
    index.insert(entry, 0);
    let mut result = Vec::new();
    let mut at = 0;
    while at < order.len() && at <= MAX_BLOCKS {
        let mut here = order[at];
        at += 1;
        let mut block = Block { lines: vec![], visited: visited.contains(&here), target: false, next: vec![] };
        let mut last_line = 0;
        loop {
            let location = &program.locations[here];
            block.target |= location.target.is_some();
            for &id in &location.outgoing {
                let edge = &program.edges[id];
                let line = edge.span.line;
                if line != 0 && line != last_line {
                    let text = program.sources.files.get(edge.span.file).and_then(|file| file.line(line)).unwrap_or_default().trim();
                    block.lines.push(format!("{line}: {}", text.chars().take(60).collect::<String>()));
                    last_line = line;
                }
            }
            match location.outgoing.as_slice() {
                [only] if !starts_block(program.edges[*only].target) => here = program.edges[*only].target,
                several => {
                    for &id in several {
                        let edge = &program.edges[id];
                        let way = match edge.origin {
                            Origin::Branch { taken, .. } => Some(taken),
                            _ => None,
                        };
                        let next = *index.entry(edge.target).or_insert_with(|| {
                            order.push(edge.target);
                            order.len() - 1
                        });
                        block.next.push((next, way));
                    }
                    break;
                }
            }
        }
        if block.lines.len() > MAX_LINES {
            let cut = block.lines.len() - MAX_LINES;
            block.lines.splice(MAX_LINES / 2..MAX_LINES / 2 + cut, [format!("… {cut} lines")]);
        }
        if block.target {
            block.lines.push("violation".to_string());
        }
        result.push(block);
    }
    // What was cut off has no box; a drawing that large is not made anyway.
    result.resize_with(order.len(), || Block { lines: vec![], visited: false, target: false, next: vec![] });
    result
}

fn draw(blocks: &[Block], sizes: &[(f64, f64)], layout: &Layout) -> String {
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0}\" height=\"{1:.0}\" viewBox=\"0 0 {0:.0} {1:.0}\">\n",
        layout.width, layout.height
    );
    text.push_str(
        "<defs><marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" orient=\"auto\">\
         <path d=\"M0,0 L8,4 L0,8 z\" style=\"fill:currentColor\"/></marker></defs>\n",
    );
    for (from, block) in blocks.iter().enumerate() {
        for &(to, way) in &block.next {
            let (x1, y1) = (layout.centers[from].0, layout.centers[from].1 + sizes[from].1 / 2.0);
            let (x2, y2) = (layout.centers[to].0, layout.centers[to].1 - sizes[to].1 / 2.0);
            let back = y2 <= y1;
            let visited = if block.visited && blocks[to].visited { " visited" } else { "" };
            let (class, curve) = if back {
                // Around the right-hand side of both boxes.
                let side = (x1 + sizes[from].0 / 2.0).max(x2 + sizes[to].0 / 2.0) + 24.0;
                ("back", format!("M{x1:.0},{y1:.0} C{side:.0},{:.0} {side:.0},{:.0} {x2:.0},{y2:.0}", y1 + 30.0, y2 - 30.0))
            } else {
                let middle = (y1 + y2) / 2.0;
                ("edge", format!("M{x1:.0},{y1:.0} C{x1:.0},{middle:.0} {x2:.0},{middle:.0} {x2:.0},{y2:.0}"))
            };
            let _ = writeln!(text, "<path class=\"{class}{visited}\" d=\"{curve}\" marker-end=\"url(#tip)\"/>");
            if let Some(way) = way {
                let (x, y) = (x1 + (x2 - x1) * 0.15 + 4.0, y1 + 13.0);
                let _ = writeln!(text, "<text x=\"{x:.0}\" y=\"{y:.0}\">{way}</text>");
            }
        }
    }
    for ((block, (width, height)), (x, y)) in blocks.iter().zip(sizes).zip(&layout.centers) {
        let class = match (block.target, block.visited) {
            (true, _) => "target",
            (_, true) => "visited",
            _ => "box",
        };
        let (left, top) = (x - width / 2.0, y - height / 2.0);
        let _ =
            writeln!(text, "<rect class=\"{class}\" rx=\"4\" x=\"{left:.0}\" y=\"{top:.0}\" width=\"{width:.0}\" height=\"{height:.0}\"/>");
        for (index, line) in block.lines.iter().enumerate() {
            let baseline = top + LINE_HEIGHT * (index as f64 + 1.0);
            let _ = writeln!(text, "<text x=\"{:.0}\" y=\"{baseline:.0}\">{}</text>", left + 8.0, escaped(line));
        }
    }
    text.push_str("</svg>");
    text
}
