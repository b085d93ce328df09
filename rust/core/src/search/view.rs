//! The search's view of a position: the chance of every cell, and the number of solutions.
//!
//! Chances and counts are doubles, accurate to about twelve digits: enough to compare successors.
//! Cells that are opened because they are proved safe come from `Engine::analyze` instead.

use std::sync::Arc;

use crate::analysis::{Engine, Limit};
use crate::component::Component;
use crate::frontier::Mark;
use crate::mines::{Knowledge, Mines};
use crate::topology::Graph;
use crate::total::{Part, Weights};

/// Positions wider than this are not evaluated.
const LIMIT: Limit = Limit { states: 300_000, seconds: None };
/// Chances closer than this to 0 or 1 count as proved.
const PROVED: f64 = 1e-11;

/// A position as the search sees it.
#[derive(Debug, Default)]
pub struct View {
    /// Each cell's chance of being a mine: NaN for opened cells, exactly 0 or 1 for settled ones.
    pub p_mine: Vec<f32>,
    /// The natural logarithm of the number of solutions.
    pub log_solutions: f64,
    /// The logarithm of their weight, equal to `log_solutions` if all weigh 1. The difference after
    /// opening a cell gives the chance of the number shown.
    pub log_weight: f64,
    /// The uncertainty: the logarithm of the number of equally likely solutions with the same
    /// entropy.
    pub entropy: f64,
    /// The number of unopened cells that no number constrains, and their mine chance.
    pub floating: usize,
    pub floating_p_mine: f32,
    pub components: Vec<Arc<Component>>,
    /// The chance of each box of the components, and its number of cells.
    pub boxes: Vec<(f32, u8)>,
    /// The lowest chance of an unopened cell; 1 if there is none.
    pub least: f32,
    /// The chance that only mines are unopened, as if the game could be over. If it is not, the
    /// other values do without this arrangement.
    pub over: f64,
}

impl Engine {
    /// Evaluates a position; false if it is inconsistent, or too wide for the budget.
    pub fn look(
        &mut self,
        graph: &Graph,
        cells: &[u8],
        known: impl Into<Knowledge>,
        view: &mut View,
    ) -> bool {
        let known = known.into().settled(cells);
        let mines = known.mines;
        let mut budget = self.budget(LIMIT);
        self.frontier.brief = true;
        let counted = self.count(graph, cells, known, &[], &mut budget);
        self.frontier.brief = false;
        let Ok(counted) = counted else { return false };
        view.components.clear();
        for component in counted.components {
            let Some(component) = component else { return false };
            view.components.push(component);
        }
        let parts: Vec<Part> = view.components.iter().map(|c| c.part()).collect();
        let exponent: i64 = view.components.iter().map(|c| c.exponent).sum();
        let is_total = mines.total().is_some();
        let mut weights = match mines {
            Mines::Total(_) => Weights::new(&parts, counted.rest),
            _ => Weights::untotalled(&parts, counted.rest.floating, mines),
        };
        let only_mines = !is_total && self.frontier.allows_only_mines();
        view.over = if only_mines { mines.all_mined(self.frontier.floating) } else { 0.0 };
        if counted.goes_on {
            weights.go_on(self.frontier.floating, mines);
        }
        let free = if is_total { 0 } else { counted.rest.floating };
        let scale = (exponent + free) as f64 * std::f64::consts::LN_2;
        view.log_solutions = weights.log_total + scale;
        view.log_weight = view.log_solutions;
        if !is_total && mines.are_counted() {
            let all = |part: &Part| part.counts.iter().sum::<f64>().ln();
            view.log_solutions = parts.iter().map(all).sum::<f64>() + scale;
            if counted.goes_on {
                // Of two to the power of the floating cells, one arrangement is ruled out.
                view.log_solutions += (-(-scale).exp()).ln_1p();
            }
            view.log_weight = self.log_weight(mines, weights.log_total, exponent);
        }
        if !view.log_solutions.is_finite() || !view.log_weight.is_finite() {
            return false;
        }
        view.floating = self.frontier.floating;
        view.floating_p_mine = settled(weights.floating_p_mine);
        let floating = view.floating_p_mine;
        // A table instead of branches, which are hard to predict. Frontier cells follow below.
        let mut chances = [f32::NAN; 6];
        chances[Mark::Safe as usize] = 0.0;
        chances[Mark::Mine as usize] = 1.0;
        chances[Mark::Floating as usize] = floating;
        let marks = &self.frontier.marks;
        view.p_mine.clear();
        view.p_mine.extend(marks.iter().map(|&mark| chances[mark as usize]));
        view.least = if marks.contains(&Mark::Safe) { 0.0 } else { 1.0 };
        if view.floating > 0 {
            view.least = view.least.min(floating);
        }
        view.boxes.clear();
        for (i, component) in view.components.iter().enumerate() {
            if !component.shares(weights.of(i), None, &budget, &mut self.shares) {
                return false;
            }
            let mut cells = self.frontier.cells(i).iter();
            for (share, &size) in self.shares.iter().zip(&component.sizes) {
                let p = settled(share.p_mine);
                view.least = view.least.min(p);
                view.boxes.push((p, size));
                for &cell in cells.by_ref().take(usize::from(size)) {
                    view.p_mine[cell as usize] = p;
                }
            }
        }
        view.entropy = view.log_weight;
        if !is_total && mines.are_counted() {
            // For weights proportional to odds^m, the entropy is the logarithm of their sum minus
            // the mean of their logarithms.
            let exploded = cells.iter().filter(|&&cell| cell == b'*').count();
            view.entropy -= mines.log_odds() * (exploded as f64 + view.expected_mines());
        }
        true
    }
}

impl View {
    /// Whether every unopened cell is proved safe or a mine.
    pub fn is_settled(&self) -> bool {
        let is_known = |p: f32| p <= 0.0 || p >= 1.0;
        (self.floating == 0 || is_known(self.floating_p_mine))
            && self.boxes.iter().all(|&(p, _)| is_known(p))
    }

    /// Of a position whose game may be over, the chance that it is, and the lowest chance of an
    /// unopened cell if it is not.
    pub fn going_on(&self) -> (f32, f32) {
        if self.over <= 0.0 {
            return (0.0, self.least);
        }
        // Only floating cells are unsettled, and all of them are mines if the game is over.
        let (over, least) = (self.over, f64::from(self.least));
        (over as f32, settled((least - over) / (1.0 - over)))
    }

    /// The expected number of mines among the unopened cells.
    pub fn expected_mines(&self) -> f64 {
        self.p_mine.iter().filter(|p| !p.is_nan()).map(|&p| f64::from(p)).sum()
    }
}

fn settled(p: f64) -> f32 {
    if p < PROVED {
        0.0
    } else if p > 1.0 - PROVED {
        1.0
    } else {
        (p as f32).clamp(1e-7, 1.0 - 1e-7)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CELLS: &[u8] = b"1.......2.......3....";

    #[test]
    fn chances_are_those_of_the_analysis() {
        let graph = Graph::rectangle(7, 3).unwrap();
        for mines in [Mines::Unknown, Mines::Total(6), Mines::Density(0.1)] {
            let mut view = View::default();
            let mut engine = Engine::new();
            assert!(engine.look(&graph, CELLS, mines, &mut view));
            let found = engine.analyze(&graph, CELLS, mines, Limit::default()).unwrap();
            for (a, b) in view.p_mine.iter().zip(&found.p_mine) {
                assert!(
                    a.is_nan() == b.is_nan() && (a.is_nan() || (f64::from(*a) - b).abs() < 1e-6)
                );
            }
        }
    }

    #[test]
    fn the_numbers_of_a_cell_share_out_its_safety() {
        let graph = Graph::rectangle(7, 3).unwrap();
        let all = [Mines::Unknown, Mines::Total(6), Mines::Density(0.1), Mines::Density(0.7)];
        // In the second position, all unopened cells may be mines.
        let crowded: &[u8] = b"3.....3..............";
        for (cells, mines) in all
            .map(|mines| (CELLS, mines))
            .into_iter()
            .chain([(crowded, Mines::Unknown), (crowded, Mines::Density(0.7))])
        {
            let (mut before, mut after) = (View::default(), View::default());
            let mut engine = Engine::new();
            assert!(engine.look(&graph, cells, mines, &mut before));
            assert_eq!(before.over > 0.0, cells == crowded);
            for cell in (0..cells.len()).filter(|&c| cells[c] == b'.') {
                let mut sum = 0.0;
                for number in b'0'..=b'8' {
                    let mut cells = cells.to_vec();
                    cells[cell] = number;
                    // The game may be over after the cell is opened.
                    let known = Knowledge { mines, running: false };
                    if engine.look(&graph, &cells, known, &mut after) {
                        sum += (after.log_weight - before.log_weight).exp();
                    }
                }
                assert!((sum - 1.0 + f64::from(before.p_mine[cell])).abs() < 1e-6);
            }
        }
    }

    #[test]
    fn a_frontier_gone_back_to_reads_on_as_before() {
        let graph = Graph::rectangle(7, 3).unwrap();
        let (mut plain, mut after) = (View::default(), View::default());
        let mut engine = Engine::new();
        assert!(engine.look(&graph, CELLS, Some(6), &mut plain));
        let mut saved = crate::frontier::Saved::default();
        engine.frontier.save(&mut saved);
        for number in [b'1', b'2', b'1'] {
            let mut cells = CELLS.to_vec();
            cells[5] = number;
            engine.frontier.restore(&saved);
            assert!(engine.look(&graph, &cells, Some(6), &mut after));
            let mut anew = View::default();
            assert!(Engine::new().look(&graph, &cells, Some(6), &mut anew));
            assert_eq!(format!("{:?}", after.p_mine), format!("{:?}", anew.p_mine));
        }
    }
}
