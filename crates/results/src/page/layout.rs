//! Places boxes of a graph in layers, from top to bottom: enough for the drawings of a report.

/// Centers of the boxes and the size of the whole.
pub(super) struct Layout {
    pub centers: Vec<(f64, f64)>,
    pub width: f64,
    pub height: f64,
}

const GAP_X: f64 = 36.0;
const GAP_Y: f64 = 42.0;

/// Lays out boxes of these sizes; box 0 is the entry, from which all others are reached.
pub(super) fn layout(sizes: &[(f64, f64)], next: &[Vec<usize>]) -> Layout {
    let layers = layers(next);
    let depth = layers.iter().max().map_or(0, |layer| layer + 1);
    let mut rows: Vec<Vec<usize>> = vec![vec![]; depth];
    for (node, &layer) in layers.iter().enumerate() {
        rows[layer].push(node);
    }
    order(&mut rows, &layers, next);
    let row_width = |row: &Vec<usize>| row.iter().map(|&node| sizes[node].0 + GAP_X).sum::<f64>();
    let width = rows.iter().map(row_width).fold(0.0, f64::max) + 2.0 * GAP_X;
    let mut centers = vec![(0.0, 0.0); sizes.len()];
    let mut top = 12.0;
    for row in &rows {
        let height = row.iter().map(|&node| sizes[node].1).fold(0.0, f64::max);
        let mut left = (width - row_width(row)) / 2.0 + GAP_X / 2.0;
        for &node in row {
            centers[node] = (left + sizes[node].0 / 2.0, top + height / 2.0);
            left += sizes[node].0 + GAP_X;
        }
        top += height + GAP_Y;
    }
    Layout { centers, width, height: top }
}

/// The layer of each box: the longest way from the entry that uses no back edge.
fn layers(next: &[Vec<usize>]) -> Vec<usize> {
    let mut layer = vec![0; next.len()];
    let (order, position) = reverse_postorder(next);
    for &node in &order {
        for &to in &next[node] {
            if position[to] > position[node] {
                layer[to] = layer[to].max(layer[node] + 1);
            }
        }
    }
    layer
}

fn reverse_postorder(next: &[Vec<usize>]) -> (Vec<usize>, Vec<usize>) {
    let mut seen = vec![false; next.len()];
    let mut order = Vec::with_capacity(next.len());
    for root in 0..next.len() {
        if std::mem::replace(&mut seen[root], true) {
            continue;
        }
        let mut stack = vec![(root, 0)];
        while let Some((node, child)) = stack.last_mut() {
            match next[*node].get(*child) {
                Some(&to) => {
                    *child += 1;
                    if !std::mem::replace(&mut seen[to], true) {
                        stack.push((to, 0));
                    }
                }
                None => {
                    order.push(*node);
                    stack.pop();
                }
            }
        }
    }
    order.reverse();
    let mut position = vec![0; next.len()];
    for (index, &node) in order.iter().enumerate() {
        position[node] = index;
    }
    (order, position)
}

/// Sorts each row by the middle of its boxes' predecessors, which removes most crossings.
fn order(rows: &mut [Vec<usize>], layers: &[usize], next: &[Vec<usize>]) {
    let mut place = vec![0.0; layers.len()];
    for row in rows.iter_mut() {
        let middle = |node: usize, place: &[f64]| {
            let above: Vec<f64> =
                (0..next.len()).filter(|&from| layers[from] < layers[node] && next[from].contains(&node)).map(|from| place[from]).collect();
            if above.is_empty() { 0.0 } else { above.iter().sum::<f64>() / above.len() as f64 }
        };
        let mut keyed: Vec<(f64, usize)> = row.iter().map(|&node| (middle(node, &place), node)).collect();
        keyed.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        *row = keyed.into_iter().map(|(_, node)| node).collect();
        let count = row.len() as f64;
        for (index, &node) in row.iter().enumerate() {
            place[node] = (index as f64 + 0.5) / count;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn successors_lie_below_and_boxes_do_not_overlap() {
        // A diamond with a loop back to its top.
        let next = vec![vec![1, 2], vec![3], vec![3], vec![0, 4], vec![]];
        let sizes = vec![(50.0, 20.0); 5];
        let placed = layout(&sizes, &next);
        let y = |node: usize| placed.centers[node].1;
        assert!(y(0) < y(1) && y(1) == y(2) && y(2) < y(3) && y(3) < y(4));
        assert!((placed.centers[1].0 - placed.centers[2].0).abs() >= 50.0);
        assert!(placed.centers.iter().all(|(x, y)| *x > 25.0 && *x < placed.width && *y < placed.height));
    }
}
