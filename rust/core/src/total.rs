//! The mine total, which ties the components to each other and to the floating cells.
//!
//! `allowed` computes which counts are possible; this module computes their weights.

use crate::generate::Rng;
use crate::mines::Mines;

/// A component, reduced to its mine counts.
#[derive(Debug, Clone, Copy)]
pub struct Part<'a> {
    /// The fewest mines in a solution.
    pub least: u32,
    /// Solutions by mine count from `least`, scaled.
    pub counts: &'a [f64],
}

/// The mines to place, and the floating cells, which hold the mines that are not in a component.
#[derive(Debug, Clone, Copy)]
pub struct Rest {
    pub mines: i64,
    pub floating: i64,
}

/// The product of the components, and the ways to fill the floating cells for each total in it.
struct Tree {
    nodes: Vec<Node>,
    root: Option<usize>,
    /// For each mine count of the root, the number of ways to place the remaining mines on the
    /// floating cells.
    ways: Vec<f64>,
    tilt: f64,
    log_scale: f64,
}

impl Tree {
    fn new(parts: &[Part], rest: Rest) -> Tree {
        let range: i64 = parts.iter().map(|p| p.counts.len() as i64 - 1).sum();
        let tilt = if range > PLAIN_RANGE { tilt(parts, rest) } else { 0.0 };
        let mut log_scale = 0.0;
        let mut nodes: Vec<Node> = parts
            .iter()
            .map(|p| {
                let (values, log) = tilted(p.counts, tilt);
                log_scale += log;
                Node { least: i64::from(p.least), values, children: None }
            })
            .collect();
        let root = product(&mut nodes, &mut log_scale, range > PLAIN_RANGE);
        let base = parts.iter().map(|p| i64::from(p.least)).sum();
        let (least, length) = match root {
            Some(root) => (nodes[root].least, nodes[root].values.len()),
            None => (0, 1),
        };
        let (ways, log_ways) = floating_ways(rest, least, length, base, tilt);
        Tree { nodes, root, ways, tilt, log_scale: log_scale + log_ways }
    }

    /// The root's minimum mine count, and its values.
    fn product(&self) -> (i64, &[f64]) {
        match self.root {
            Some(root) => (self.nodes[root].least, &self.nodes[root].values),
            None => (0, &[1.0]),
        }
    }
}

/// Draws the mine count of each component, in proportion to the number of boards that fit.
pub struct Split {
    tree: Tree,
    parts: usize,
}

impl Split {
    pub fn new(parts: &[Part], rest: Rest) -> Split {
        Split { tree: Tree::new(parts, rest), parts: parts.len() }
    }

    /// One draw: the mines of each component.
    pub fn draw(&self, rng: &mut Rng) -> Vec<i64> {
        let nodes = &self.tree.nodes;
        let mut counts = vec![0; nodes.len()];
        if let Some(root) = self.tree.root {
            let (least, values) = self.tree.product();
            let weights = values.iter().zip(&self.tree.ways).map(|(v, w)| v * w);
            counts[root] = least + rng.pick(weights) as i64;
        }
        for at in (0..nodes.len()).rev() {
            if let Some((a, b)) = nodes[at].children {
                let (a_node, b_node) = (&nodes[a], &nodes[b]);
                let weight = |k: usize| {
                    let other = counts[at] - a_node.least - k as i64 - b_node.least;
                    let other = usize::try_from(other).ok().and_then(|o| b_node.values.get(o));
                    a_node.values[k] * other.copied().unwrap_or(0.0)
                };
                let k = rng.pick((0..a_node.values.len()).map(weight)) as i64;
                counts[a] = a_node.least + k;
                counts[b] = counts[at] - counts[a];
            }
        }
        counts.truncate(self.parts);
        counts
    }
}

/// The weight of each component's mine counts, given all other components and the floating cells.
#[derive(Debug, Default)]
pub struct Weights {
    starts: Vec<u32>,
    values: Vec<f64>,
    /// The probability that a floating cell is a mine; NaN if there are no floating cells.
    pub floating_p_mine: f64,
    /// The natural logarithm of the sum of all weights, up to a constant that depends only on
    /// `Rest`: for comparing estimates of one position.
    pub log_total: f64,
}

/// A product of components' counts, over a window of mine counts.
#[derive(Debug, Clone)]
struct Node {
    least: i64,
    values: Vec<f64>,
    children: Option<(usize, usize)>,
}

/// Coefficients below this fraction of the largest do not affect a double.
const NEGLIGIBLE: f64 = 1e-40;
/// With at most this range of mine counts, all coefficients fit a double without tilting.
const PLAIN_RANGE: i64 = 64;

impl Weights {
    /// Weights of component `i`, indexed by mine count, starting at its minimum.
    pub fn of(&self, i: usize) -> &[f64] {
        &self.values[self.starts[i] as usize..self.starts[i + 1] as usize]
    }

    /// Without a total, components are independent: the weight of each mine count is given by
    /// `Mines::log_odds`.
    pub fn untotalled(parts: &[Part], floating: i64, mines: Mines) -> Weights {
        let mut out = Weights::default();
        let log_odds = mines.log_odds();
        out.starts.push(0);
        for part in parts {
            out.log_total += weigh(part, log_odds, &mut out.values);
            out.starts.push(out.values.len() as u32);
        }
        out.floating_p_mine = if floating > 0 { mines.density() } else { f64::NAN };
        out
    }

    /// Rules out that all of these floating cells are mines, when there are no components.
    pub(crate) fn go_on(&mut self, floating: usize, mines: Mines) {
        self.log_total += (-mines.all_mined(floating)).ln_1p();
        self.floating_p_mine = mines.not_all_mined(floating);
    }

    pub fn new(parts: &[Part], rest: Rest) -> Weights {
        let tree = Tree::new(parts, rest);
        let mut out = Weights::default();
        let (least, product) = tree.product();
        out.totals(product, &tree.ways, rest, least);
        out.log_total += tree.log_scale;
        out.spread(tree, parts);
        out
    }

    /// Computes the floating cells' share of the mines, and the total weight.
    fn totals(&mut self, product: &[f64], ways: &[f64], rest: Rest, least: i64) {
        let (mut total, mut mines) = (0.0, 0.0);
        for (k, (p, w)) in product.iter().zip(ways).enumerate() {
            total += p * w;
            mines += p * w * (rest.mines - least - k as i64) as f64;
        }
        self.floating_p_mine =
            if rest.floating > 0 { mines / total / rest.floating as f64 } else { f64::NAN };
        self.log_total = total.ln();
    }

    /// Propagates the total weight down the tree to each component.
    fn spread(&mut self, tree: Tree, parts: &[Part]) {
        let Tree { nodes, root, ways, tilt, .. } = tree;
        let mut given: Vec<Vec<f64>> = vec![Vec::new(); nodes.len()];
        if let Some(root) = root {
            given[root] = ways;
        }
        for at in (0..nodes.len()).rev() {
            if let Some((a, b)) = nodes[at].children {
                let ways = std::mem::take(&mut given[at]);
                given[a] = correlate(&nodes[a], &nodes[b], &ways, nodes[at].least);
                given[b] = correlate(&nodes[b], &nodes[a], &ways, nodes[at].least);
            }
        }
        self.starts.push(0);
        for (i, part) in parts.iter().enumerate() {
            let untilted = given[i].iter().zip(part.counts).enumerate().map(|(k, (&w, &c))| {
                if c == 0.0 || w == 0.0 {
                    0.0
                } else if tilt == 0.0 {
                    w
                } else {
                    (w.ln() + tilt * (k as f64 - 0.5 * part.counts.len() as f64)).exp().min(1e300)
                }
            });
            self.values.extend(untilted);
            self.starts.push(self.values.len() as u32);
        }
    }
}

impl Node {
    /// Scales the largest value to 1, and returns the logarithm of its original value.
    fn scale(&mut self) -> f64 {
        let most = self.values.iter().copied().fold(0.0, f64::max);
        self.values.iter_mut().for_each(|v| *v /= most);
        most.ln()
    }

    /// Removes negligible values from both ends.
    fn trim(&mut self) {
        let weighty = |v: &f64| *v >= NEGLIGIBLE;
        let from = self.values.iter().position(weighty).unwrap_or(0);
        let to = self.values.iter().rposition(weighty).map_or(self.values.len(), |t| t + 1);
        self.values.truncate(to);
        self.values.drain(..from);
        self.least += from as i64;
    }
}

/// Appends the scaled weight of each mine count; returns the logarithm of the weight of all
/// solutions.
pub(crate) fn weigh(part: &Part, log_odds: f64, out: &mut Vec<f64>) -> f64 {
    if log_odds == 0.0 {
        out.resize(out.len() + part.counts.len(), 1.0);
        return part.counts.iter().sum::<f64>().ln();
    }
    let (values, log) = tilted(part.counts, log_odds);
    // The heaviest mine count gets a total weight of 1, so that no product of a count and its
    // weight overflows.
    out.extend(values.iter().zip(part.counts).map(|(&value, &count)| {
        if count > 0.0 {
            (value / count).min(1e300)
        } else {
            0.0
        }
    }));
    log + values.iter().sum::<f64>().ln() + log_odds * f64::from(part.least)
}

/// Counts times `exp(tilt * k)`, scaled so that the largest is 1, with the logarithm of the scale.
fn tilted(counts: &[f64], tilt: f64) -> (Vec<f64>, f64) {
    if tilt == 0.0 {
        let most = counts.iter().copied().fold(0.0, f64::max);
        return (counts.iter().map(|c| c / most).collect(), most.ln());
    }
    let logs: Vec<f64> = counts.iter().enumerate().map(|(k, c)| c.ln() + tilt * k as f64).collect();
    let most = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    (logs.iter().map(|l| (l - most).exp()).collect(), most)
}

/// Multiplies components in pairs; returns the root, None without components.
fn product(nodes: &mut Vec<Node>, log_scale: &mut f64, trim: bool) -> Option<usize> {
    let mut level: Vec<usize> = (0..nodes.len()).collect();
    while level.len() > 1 {
        let mut above = Vec::with_capacity(level.len().div_ceil(2));
        for pair in level.chunks(2) {
            let [a, b] = *pair else {
                above.push(pair[0]);
                continue;
            };
            let mut node = Node {
                least: nodes[a].least + nodes[b].least,
                values: convolve(&nodes[a].values, &nodes[b].values),
                children: Some((a, b)),
            };
            *log_scale += node.scale();
            if trim {
                node.trim();
            }
            nodes.push(node);
            above.push(nodes.len() - 1);
        }
        level = above;
    }
    level.first().copied()
}

fn convolve(a: &[f64], b: &[f64]) -> Vec<f64> {
    let (a, b) = if a.len() < b.len() { (a, b) } else { (b, a) };
    let mut out = vec![0.0; a.len() + b.len() - 1];
    for (i, x) in a.iter().enumerate() {
        for (o, y) in out[i..].iter_mut().zip(b) {
            *o += x * y;
        }
    }
    out
}

/// For each count of `own`, the weight of everything outside it: `other`, and the rest of the
/// parent.
fn correlate(own: &Node, other: &Node, ways: &[f64], least: i64) -> Vec<f64> {
    // The parent's window may be narrower than the sum of its children's windows.
    let base = own.least + other.least - least;
    let weight = |k: usize| -> f64 {
        let from = base + k as i64;
        let skip = (-from).max(0) as usize;
        let start = from.max(0) as usize;
        if skip >= other.values.len() || start >= ways.len() {
            return 0.0;
        }
        other.values[skip..].iter().zip(&ways[start..]).map(|(v, w)| v * w).sum()
    };
    (0..own.values.len()).map(weight).collect()
}

/// The ways to place the remaining mines on the floating cells if the components have `least + k`,
/// tilted back by the excess over `base` and scaled so that the largest is 1; and the logarithm of
/// the scale.
fn floating_ways(rest: Rest, least: i64, length: usize, base: i64, tilt: f64) -> (Vec<f64>, f64) {
    let mut ways = vec![0.0; length];
    let left = |k: usize| rest.mines - least - k as i64;
    let fits = |k: usize| (0..=rest.floating).contains(&left(k));
    let Some(first) = (0..length).find(|&k| fits(k)) else { return (ways, 0.0) };
    // Logarithms relative to the first possible count, from the ratio of neighbouring binomials.
    let mut log = 0.0;
    let mut logs = vec![f64::NEG_INFINITY; length];
    let mut most = f64::NEG_INFINITY;
    for (k, slot) in logs.iter_mut().enumerate().skip(first).take_while(|(k, _)| fits(*k)) {
        *slot = log;
        most = most.max(log);
        let (n, j) = (rest.floating as f64, left(k) as f64);
        log += (j / (n - j + 1.0)).ln() - tilt;
    }
    for (way, log) in ways.iter_mut().zip(&logs) {
        *way = (log - most).exp();
    }
    let (n, j) = (rest.floating as f64, left(first) as f64);
    let at_first = ln_choose(n, j) - tilt * (least + first as i64 - base) as f64;
    (ways, most + at_first)
}

/// The logarithm of a binomial coefficient, by Stirling's series where factorials are large.
fn ln_choose(n: f64, k: f64) -> f64 {
    ln_factorial(n) - ln_factorial(k) - ln_factorial(n - k)
}

fn ln_factorial(n: f64) -> f64 {
    if n < 16.0 {
        return (2..=n as u64).map(|i| (i as f64).ln()).sum();
    }
    let x = n + 1.0;
    (x - 0.5) * x.ln() - x + 0.918_938_533_204_672_7 + 1.0 / (12.0 * x) - 1.0 / (360.0 * x.powi(3))
}

/// The exponential tilt at which the expected number of mines equals the total, so that products
/// concentrate around it.
fn tilt(parts: &[Part], rest: Rest) -> f64 {
    let expected = |theta: f64| {
        let mut sum = rest.floating as f64 / (1.0 + (-theta).exp());
        for part in parts {
            let (values, _) = tilted(part.counts, theta);
            let (mut total, mut mines) = (0.0, 0.0);
            for (k, v) in values.iter().enumerate() {
                total += v;
                mines += v * k as f64;
            }
            sum += f64::from(part.least) + mines / total;
        }
        sum
    };
    let (mut low, mut high) = (-30.0, 30.0);
    for _ in 0..40 {
        let middle = 0.5 * (low + high);
        if expected(middle) < rest.mines as f64 {
            low = middle;
        } else {
            high = middle;
        }
    }
    0.5 * (low + high)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every choice of counts: the mines of each part, and the weight including the floating cells.
    fn listed(parts: &[Part], rest: Rest) -> Vec<(Vec<usize>, f64)> {
        let mut out = Vec::new();
        let all: usize = parts.iter().map(|p| p.counts.len()).product();
        for mut number in 0..all {
            let digit = |p: &Part| {
                let k = number % p.counts.len();
                number /= p.counts.len();
                k
            };
            let choice: Vec<usize> = parts.iter().map(digit).collect();
            let laid: i64 =
                parts.iter().zip(&choice).map(|(p, &k)| i64::from(p.least) + k as i64).sum();
            let left = rest.mines - laid;
            if (0..=rest.floating).contains(&left) {
                let ways: f64 =
                    (0..left).map(|j| (rest.floating - j) as f64 / (j + 1) as f64).product();
                let counts = parts.iter().zip(&choice).map(|(p, &k)| p.counts[k]).product::<f64>();
                out.push((choice, ways * counts));
            }
        }
        out
    }

    const A: [f64; 3] = [1.0, 5.0, 2.0];
    const B: [f64; 2] = [3.0, 4.0];
    const C: [f64; 4] = [1.0, 0.0, 6.0, 1.0];

    fn parts() -> [Part<'static>; 3] {
        [
            Part { least: 1, counts: &A },
            Part { least: 0, counts: &B },
            Part { least: 2, counts: &C },
        ]
    }

    #[test]
    fn weights_are_those_of_all_choices_listed() {
        for (mines, floating) in [(3, 0), (6, 4), (9, 30), (5, 2)] {
            let rest = Rest { mines, floating };
            let listed = listed(&parts(), rest);
            let total: f64 = listed.iter().map(|(_, w)| w).sum();
            let weights = Weights::new(&parts(), rest);
            assert!((weights.log_total - total.ln()).abs() < 1e-9);
            for (i, part) in parts().iter().enumerate() {
                let found: Vec<f64> =
                    weights.of(i).iter().zip(part.counts).map(|(w, c)| w * c).collect();
                let sum: f64 = found.iter().sum();
                for (k, share) in found.iter().enumerate() {
                    let same = listed.iter().filter(|(choice, _)| choice[i] == k);
                    let expected = same.map(|(_, w)| w).sum::<f64>() / total;
                    assert!((share / sum - expected).abs() < 1e-12, "{mines} {i} {k}");
                }
            }
            let laid = |choice: &[usize]| 3.0 + choice.iter().sum::<usize>() as f64;
            let left: f64 = listed.iter().map(|(c, w)| w * (mines as f64 - laid(c))).sum();
            let expected = left / total / floating as f64;
            let p_mine = weights.floating_p_mine;
            assert!(if floating == 0 {
                p_mine.is_nan()
            } else {
                (p_mine - expected).abs() < 1e-12
            });
        }
    }

    #[test]
    fn many_parts_are_tilted_and_still_exact() {
        // Seventy parts with one cell each behave like floating cells.
        let parts = [Part { least: 0, counts: &[1.0, 1.0] }; 70];
        for mines in [1, 40, 99] {
            let weights = Weights::new(&parts, Rest { mines, floating: 30 });
            let p_mine = mines as f64 / 100.0;
            assert!((weights.floating_p_mine - p_mine).abs() < 1e-9);
            let [clear, mine] = weights.of(5) else { panic!("two counts") };
            assert!((mine / (mine + clear) - p_mine).abs() < 1e-9);
            let boards = ln_choose(100.0, mines as f64);
            assert!((weights.log_total - boards).abs() < 1e-6, "{} {boards}", weights.log_total);
        }
    }

    #[test]
    fn a_split_is_drawn_in_proportion_to_its_weight() {
        let rest = Rest { mines: 6, floating: 4 };
        let listed = listed(&parts(), rest);
        let total: f64 = listed.iter().map(|(_, w)| w).sum();
        let split = Split::new(&parts(), rest);
        let mut rng = Rng::new(1);
        let draws: Vec<Vec<i64>> = (0..20_000).map(|_| split.draw(&mut rng)).collect();
        for (choice, weight) in &listed {
            let mines = |i: usize| i64::from(parts()[i].least) + choice[i] as i64;
            let wanted: Vec<i64> = (0..3).map(mines).collect();
            let times = draws.iter().filter(|&draw| *draw == wanted).count() as f64;
            let p = weight / total;
            let error = (20_000.0 * p * (1.0 - p)).sqrt();
            assert!((times - 20_000.0 * p).abs() <= 5.0 * error, "{wanted:?} {times} {p}");
        }
    }

    #[test]
    fn logarithms_of_factorials_are_sums_of_logarithms() {
        for n in [0, 1, 5, 15, 16, 40, 1000] {
            let sum: f64 = (1..=n).map(|i| f64::from(i).ln()).sum();
            assert!((ln_factorial(f64::from(n)) - sum).abs() <= 1e-9 * sum.max(1.0), "{n}");
        }
    }
}
