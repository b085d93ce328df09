//! Draws complete boards that fit, in proportion to their weights, by walking backwards through the
//! counts.

use std::sync::Arc;

use crate::allowed::Allowed;
use crate::analysis::{wrong_total, Counted, Engine, Limit};
use crate::binomial::binomial;
use crate::budget::{Budget, SMALL_MEMORY};
use crate::component::Component;
use crate::error::{BoardError, Inconsistency};
use crate::frontier::{Fixed, Frontier, Mark};
use crate::generate::Rng;
use crate::lattice::NONE;
use crate::mines::{Knowledge, Mines};
use crate::sweep::Completions;
use crate::topology::Graph;
use crate::total::{weigh, Part, Split};

/// The maximum number of cells in all boards of one draw: about a gigabyte, including Python's
/// copy.
const MOST_CELLS: usize = if SMALL_MEMORY { 50_000_000 } else { 400_000_000 };
/// The minimum cost of a board, in cells.
const SMALLEST: usize = 200;

/// The reason why nothing was drawn.
#[derive(Debug, Clone, PartialEq)]
pub enum SampleError {
    Board(BoardError),
    /// A component is too wide for the budget, so a draw would not be uniform.
    Budget,
}

impl From<BoardError> for SampleError {
    fn from(error: BoardError) -> Self {
        SampleError::Board(error)
    }
}

impl Engine {
    /// Draws `n` boards that fit the position and the fixed cells, uniformly or weighted by a
    /// density; 1 stands for a mine, 0 for other cells.
    ///
    /// Probabilities are products of doubles, with a relative error of about 10^-14.
    #[allow(clippy::too_many_arguments)]
    pub fn sample(
        &mut self,
        graph: &Graph,
        cells: &[u8],
        known: impl Into<Knowledge>,
        fixed: &[(usize, Fixed)],
        n: usize,
        seed: u64,
        limit: Limit,
    ) -> Result<Vec<Vec<u8>>, SampleError> {
        let boards = n.saturating_mul(graph.len().max(SMALLEST));
        if boards > MOST_CELLS {
            return Err(SampleError::Board(BoardError::Shape(format!(
                "{n} boards of {} cells are too many at once: at most {} boards of this size",
                graph.len(),
                MOST_CELLS / graph.len().max(SMALLEST)
            ))));
        }
        let known = known.into().settled(cells);
        let mines = known.mines;
        let mut budget = self.budget(limit);
        let counted = self.count(graph, cells, known, fixed, &mut budget)?;
        let Counted { components, rest, goes_on, .. } = counted;
        self.check_fixed(graph, cells, known, fixed)?;
        let components: Vec<Arc<Component>> =
            components.into_iter().collect::<Option<_>>().ok_or(SampleError::Budget)?;
        let parts: Vec<Part> = components.iter().map(|c| c.part()).collect();
        if let Some(mines) = mines.total() {
            // If the time is up, the draw ends below.
            let support = |i: usize| {
                components[i].support(&budget).unwrap_or_else(|| vec![true; parts[i].counts.len()])
            };
            Allowed::new(&parts, rest, support).ok_or_else(|| {
                wrong_total(mines, &self.frontier, components.iter().map(|c| Some(&**c)))
            })?;
        }
        let ways: Vec<Completions<f64>> = components
            .iter()
            .map(|c| c.ways(&budget))
            .collect::<Option<_>>()
            .ok_or(SampleError::Budget)?;
        let split = mines.total().map(|_| Split::new(&parts, rest));
        // For each component, the weight of each of its mine counts when no total is given.
        let weights: Vec<Vec<f64>> = match split {
            Some(_) => Vec::new(),
            None => ways.iter().map(|ways| by_count(ways, mines.log_odds())).collect(),
        };
        let floating: Vec<u32> = (0..self.frontier.marks.len() as u32)
            .filter(|&cell| self.frontier.marks[cell as usize] == Mark::Floating)
            .collect();
        let settled: Vec<u8> = self
            .frontier
            .marks
            .iter()
            .map(|&mark| u8::from(matches!(mark, Mark::Mine | Mark::Exploded)))
            .collect();
        let mut rng = Rng::new(seed);
        let mut boards: Vec<Vec<u8>> = Vec::new();
        let mut floats: Vec<Option<i64>> = Vec::new();
        // For each component, its number of mines in each board.
        let mut counts: Vec<Vec<usize>> = vec![Vec::new(); components.len()];
        for _ in 0..n {
            if budget.is_late_after(settled.len() + components.len()) {
                return Err(SampleError::Budget);
            }
            boards.push(settled.clone());
            match &split {
                Some(split) => {
                    let draw = split.draw(&mut rng);
                    floats.push(Some(rest.mines - draw.iter().sum::<i64>()));
                    for (counts, count) in counts.iter_mut().zip(draw) {
                        counts.push(count as usize);
                    }
                }
                None => {
                    floats.push(None);
                    for ((counts, ways), weights) in counts.iter_mut().zip(&ways).zip(&weights) {
                        let least = ways.total().0 as usize;
                        counts.push(least + rng.pick(weights.iter().copied()));
                    }
                }
            }
        }
        for (i, component) in components.iter().enumerate() {
            let left = std::mem::take(&mut counts[i]);
            lay(component, &ways[i], left, self.frontier.cells(i), &mut rng, &mut boards, &budget)
                .ok_or(SampleError::Budget)?;
        }
        for (board, left) in boards.iter_mut().zip(floats) {
            if budget.is_late_after(floating.len()) {
                return Err(SampleError::Budget);
            }
            match left {
                Some(left) => choose(&floating, left as usize, &mut rng, board),
                None if goes_on => go_on(&floating, mines, &mut rng, board),
                None if !mines.are_counted() => {
                    for &cell in &floating {
                        board[cell as usize] = (rng.next_u64() >> 63) as u8;
                    }
                }
                None => {
                    for &cell in &floating {
                        board[cell as usize] = u8::from(rng.unit() < mines.density());
                    }
                }
            }
        }
        Ok(boards)
    }

    /// Rejects cells fixed so that only mines are unopened, if the game is not over.
    fn check_fixed(
        &self,
        graph: &Graph,
        cells: &[u8],
        known: Knowledge,
        fixed: &[(usize, Fixed)],
    ) -> Result<(), BoardError> {
        let only_mines = known.running
            && known.mines.total().is_none()
            && self.frontier.floating == 0
            && self.frontier.allows_only_mines();
        if only_mines && !fixed.is_empty() {
            let mut free = Frontier::default();
            free.read(graph, cells, &[])?;
            if free.floating > 0 {
                return Err(BoardError::Inconsistent(Inconsistency::Over));
            }
        }
        Ok(())
    }
}

/// Places mines on cells that nothing constrains except that not all of them are mines.
fn go_on(cells: &[u32], mines: Mines, rng: &mut Rng, board: &mut [u8]) {
    let mut only_mines = true;
    for (i, &cell) in cells.iter().enumerate() {
        let chance =
            if only_mines { mines.not_all_mined(cells.len() - i) } else { mines.density() };
        let mine = rng.unit() < chance;
        board[cell as usize] = u8::from(mine);
        only_mines &= mine;
    }
}

/// The weight of a component's solutions by mine count, from its minimum.
fn by_count(ways: &Completions<f64>, log_odds: f64) -> Vec<f64> {
    let (least, counts) = ways.total();
    let mut weights = Vec::with_capacity(counts.len());
    weigh(&Part { least, counts }, log_odds, &mut weights);
    weights.iter_mut().zip(counts).for_each(|(weight, count)| *weight *= count);
    weights
}

/// Places the given number of mines in one component of each board, uniformly among its solutions
/// with that count.
///
/// None if the time is up. All boards go through the layers together, so that a wide component's
/// layers are computed only once.
fn lay(
    component: &Component,
    ways: &Completions<f64>,
    mut left: Vec<usize>,
    cells: &[u32],
    rng: &mut Rng,
    boards: &mut [Vec<u8>],
    budget: &Budget,
) -> Option<()> {
    let mut starts = Vec::with_capacity(component.sizes.len());
    let mut at = 0;
    for &size in &component.sizes {
        starts.push(at);
        at += usize::from(size);
    }
    let mut states = vec![0; boards.len()];
    ways.each_layer(&component.lattice, budget, |layer, _, then| {
        let from = starts[layer.b as usize];
        let own = &cells[from..from + usize::from(layer.size)];
        for ((board, state), left) in boards.iter_mut().zip(&mut states).zip(&mut left) {
            if budget.is_late_after(usize::from(layer.size)) {
                return None;
            }
            let next = component.lattice.next(layer, *state);
            let weight = |m: usize| {
                if next[m] == NONE || m > *left {
                    return 0.0;
                }
                let (least, counts) = then.of(next[m] as usize);
                let k = (*left - m).checked_sub(least as usize);
                let rest = k.and_then(|k| counts.get(k)).copied().unwrap_or(0.0);
                rest * f64::from(binomial(layer.size, m as u8))
            };
            let mines = rng.pick((0..next.len()).map(weight));
            *state = next[mines] as usize;
            *left -= mines;
            choose(own, mines, rng, board);
        }
        Some(())
    })
}

/// Places mines on this many of the cells, uniformly.
fn choose(cells: &[u32], mines: usize, rng: &mut Rng, board: &mut [u8]) {
    // Selection sampling (Knuth, The Art of Computer Programming, 3.4.2, algorithm S).
    let mut wanted = mines;
    for (i, &cell) in cells.iter().enumerate() {
        if wanted == 0 {
            return;
        }
        if (rng.below((cells.len() - i) as u64) as usize) < wanted {
            board[cell as usize] = 1;
            wanted -= 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::testing::{boards, position, random_position, running};

    fn drawn(rows: &[&str], mines: Option<usize>, n: usize, seed: u64) -> Vec<Vec<u8>> {
        let (graph, cells) = position(rows);
        Engine::new().sample(&graph, &cells, mines, &[], n, seed, Limit::default()).unwrap()
    }

    #[test]
    fn a_running_game_is_drawn_with_a_clear_cell_left() {
        let (graph, cells) = position(&["...", "...", "3.."]);
        for mines in [Mines::Density(0.8), Mines::Unknown] {
            let listed = running(&cells, None, boards(&graph, &cells, None));
            let odds = mines.log_odds().exp();
            let weight =
                |board: &[u8]| odds.powi(board.iter().map(|&mine| i32::from(mine)).sum::<i32>());
            let whole: f64 = listed.iter().map(|board| weight(board)).sum();
            let n = 40_000;
            let drawn = Engine::new().sample(&graph, &cells, mines, &[], n, 3, Limit::default());
            let mut times: HashMap<Vec<u8>, f64> = HashMap::new();
            for board in drawn.unwrap() {
                *times.entry(board).or_default() += 1.0;
            }
            assert_eq!(times.len(), listed.len());
            for (board, times) in times {
                let p = weight(&board) / whole;
                let error = 5.0 * (p * (1.0 - p) / n as f64).sqrt();
                assert!((times / n as f64 - p).abs() < error, "{board:?}: {times} {p}");
            }
        }
        let known = Knowledge { mines: Mines::Density(0.8), running: false };
        let drawn = Engine::new().sample(&graph, &cells, known, &[], 100, 3, Limit::default());
        assert!(drawn.unwrap().iter().any(|board| board.iter().sum::<u8>() == 8));
    }

    #[test]
    fn the_last_clear_cell_of_a_running_game_cannot_be_fixed_as_a_mine() {
        let (graph, cells) = position(&["1.."]);
        let mut engine = Engine::new();
        let mut drawn = |running: bool, fixed: &[(usize, Fixed)]| {
            let known = Knowledge { mines: Mines::Density(0.5), running };
            engine.sample(&graph, &cells, known, fixed, 1, 1, Limit::default())
        };
        let over = SampleError::Board(BoardError::Inconsistent(Inconsistency::Over));
        assert_eq!(drawn(true, &[(2, Fixed::Mine)]), Err(over));
        assert_eq!(drawn(false, &[(2, Fixed::Mine)]), Ok(vec![vec![0, 1, 1]]));
        assert_eq!(drawn(true, &[(1, Fixed::Mine)]), Ok(vec![vec![0, 1, 0]]));
        assert_eq!(drawn(true, &[]), Ok(vec![vec![0, 1, 0]]));
    }

    #[test]
    fn every_board_that_fits_is_drawn_equally_often() {
        let rows = [".1..", "...2", "...."];
        let (graph, cells) = position(&rows);
        let listed = boards(&graph, &cells, Some(3));
        let n = 400 * listed.len();
        let mut times: HashMap<Vec<u8>, f64> = HashMap::new();
        for board in drawn(&rows, Some(3), n, 1) {
            *times.entry(board).or_default() += 1.0;
        }
        assert_eq!(times.len(), listed.len());
        // Five deviations above the mean of chi-square: with k - 1 degrees of freedom, the mean is
        // k - 1 and the variance 2 (k - 1).
        let chi: f64 = times.values().map(|t| (t - 400.0).powi(2) / 400.0).sum();
        let free = listed.len() as f64 - 1.0;
        assert!((chi - free).abs() < 5.0 * (2.0 * free).sqrt(), "{chi} for {free}");
    }

    #[test]
    fn boards_are_drawn_as_a_density_weighs_them() {
        let rows = [".1..", "...1", "...."];
        let (graph, cells) = position(&rows);
        let listed = boards(&graph, &cells, None);
        let known = Mines::Density(0.2);
        let drawn = Engine::new().sample(&graph, &cells, known, &[], 40_000, 1, Limit::default());
        let mut times: HashMap<Vec<u8>, f64> = HashMap::new();
        for board in drawn.unwrap() {
            *times.entry(board).or_default() += 1.0;
        }
        let weight = |board: &&Vec<u8>| 0.25f64.powi(board.iter().map(|&m| i32::from(m)).sum());
        let whole: f64 = listed.iter().map(|board| weight(&board)).sum();
        let mut seen = 0.0;
        for board in listed.iter().filter(|board| weight(board) / whole > 1e-3) {
            let p = weight(&board) / whole;
            let (expected, error) = (40_000.0 * p, (40_000.0 * p * (1.0 - p)).sqrt());
            assert!((times[board] - expected).abs() < 5.0 * error, "{expected} {}", times[board]);
            seen += p;
        }
        assert!(seen > 0.8, "{seen}");
    }

    #[test]
    fn every_draw_fits_the_position_and_the_fixed_cells() {
        for seed in 0..50 {
            let (graph, cells, mined) = random_position(seed);
            let unopened = (0..cells.len()).find(|&c| cells[c] == b'.').unwrap();
            let what = if mined[unopened] == 1 { Fixed::Mine } else { Fixed::Clear };
            let fixed = [(unopened, what)];
            let mut engine = Engine::new();
            for mines in [None, Some(5)] {
                let made = engine
                    .sample(&graph, &cells, mines, &fixed, 20, seed, Limit::default())
                    .unwrap();
                let listed = boards(&graph, &cells, mines);
                assert!(made.iter().all(|board| listed.contains(board)));
                assert!(made.iter().all(|board| board[unopened] == mined[unopened]));
            }
        }
    }

    #[test]
    fn a_seed_draws_the_same_boards_in_every_version() {
        // The boards depend on the order in which a component is counted, so a change of the order
        // changes the win chances that reviews sample.
        let rows = [".........", "..12...1.", ".......2.", ".........", "..1..2..."];
        let made = drawn(&rows, Some(12), 100, 1);
        let hash = made.iter().flatten().fold(0xCBF2_9CE4_8422_2325u64, |hash, &mine| {
            (hash ^ u64::from(mine)).wrapping_mul(0x0100_0000_01B3)
        });
        assert_eq!(hash, 0x1b14_5633_3ce1_18e1);
    }

    #[test]
    fn too_much_and_too_wide_are_refused() {
        let (graph, cells) = position(&["....", "1221"]);
        let sample = |n: usize, states: u64| {
            let limit = Limit { states, seconds: None };
            Engine::new().sample(&graph, &cells, Some(2), &[], n, 1, limit)
        };
        assert!(matches!(sample(MOST_CELLS, 1000), Err(SampleError::Board(BoardError::Shape(_)))));
        assert_eq!(sample(1, 1), Err(SampleError::Budget));
    }
}
