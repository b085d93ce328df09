//! Perfect play with weighted solutions, because solutions have different totals if a density is
//! given.
//!
//! A game ends once only mines are left. Without a total, only the end of the game reveals this. In
//! a set of solutions reached by play, the one with mines in all unopened cells is won, and is
//! ruled out as long as the game continues.

mod narrow;

use std::collections::HashMap;

use narrow::{Narrow, WIDTH};

use super::matrix::{mix, Matrix, MINE};
use super::optimal::{Ask, Chances};
use super::search_budget::{SearchBudget, Stopped};

/// Differences below this fraction of the whole are rounding errors.
const EQUAL: f64 = 1e-12;
/// The maximum number of sets to remember, about 200 megabytes; beyond that, the memory is cleared.
const KNOWN: usize = 1 << 22;

/// A set of solutions, in ascending order.
type Set = Vec<u32>;

#[derive(Debug, Clone, Copy)]
enum Known {
    Exactly(f64),
    AtMost(f64),
}

/// Whether the game of a position may be over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stage {
    /// No: it has not begun, so that all unopened cells may be mines.
    Unbegun,
    /// Yes: it is won if only mines are unopened.
    Reached,
    /// No, which rules out that only mines are unopened.
    Running,
}

/// An exact search with its buffers.
#[derive(Debug, Default)]
pub(super) struct Weighted {
    /// The weight of each solution, and a random word for each.
    weights: Vec<f64>,
    words: Vec<u64>,
    whole: f64,
    known: HashMap<u64, Known>,
    narrow: Narrow,
}

/// A cell worth opening: its column, and the weight of the solutions in which it is clear.
#[derive(Debug, Clone, Copy)]
struct Candidate {
    column: u32,
    clear: f64,
}

impl Weighted {
    /// Solves a matrix whose solutions weigh `exp(log_odds)` per mine.
    pub fn play(
        &mut self,
        matrix: &Matrix,
        (log_odds, mines): (f64, &[u32]),
        stage: Stage,
        ask: Ask,
        budget: &mut SearchBudget,
    ) -> Result<Chances, Stopped> {
        self.weigh(log_odds, mines);
        let mut all: Set = (0..matrix.solutions as u32).collect();
        if let (Stage::Running, Some(over)) = (stage, only_mines(matrix, &all)) {
            all.retain(|&solution| solution != over);
            self.whole = self.weight(&all);
        }
        let columns: Vec<u32> = (0..matrix.cells.len() as u32).collect();
        let mut clear = vec![0.0; columns.len()];
        let mut mined = vec![false; columns.len()];
        for &solution in &all {
            budget.work(columns.len())?;
            for (column, &label) in matrix.row(solution).iter().enumerate() {
                if label == MINE {
                    mined[column] = true;
                } else {
                    clear[column] += self.weights[solution as usize];
                }
            }
        }
        let mut out = Chances { solutions: all.len() as u64, ..Chances::default() };
        let free = mined.contains(&false);
        if free || clear.iter().all(|&clear| clear == 0.0) {
            out.win = self.reached(matrix, &all, &columns, -1.0, budget)? / self.whole;
        }
        // The result is final if nothing is left to open or some cell costs nothing; otherwise, the
        // best cell decides.
        let mut order = columns.clone();
        order.sort_by(|&a, &b| clear[b as usize].total_cmp(&clear[a as usize]).then(a.cmp(&b)));
        for column in order {
            let (cell, here) = (matrix.cells[column as usize], clear[column as usize]);
            let alpha = match ask {
                Ask::Cell => out.win,
                Ask::Best => out.win - 2.0 * EQUAL,
                Ask::Wins => -1.0,
            };
            let can_be_clear = here > 0.0;
            let win = if !mined[column as usize] {
                out.win
            } else if !can_be_clear || here / self.whole <= alpha {
                0.0
            } else {
                let candidate = Candidate { column, clear: here };
                let alpha = alpha * self.whole;
                self.opened(matrix, &all, &columns, candidate, alpha, budget)? / self.whole
            };
            if win > out.win + EQUAL
                || (out.cell.is_none() && can_be_clear && win >= out.win - EQUAL)
            {
                out.best.clear();
                out.cell = Some(cell);
                out.win = out.win.max(win);
            }
            if ask >= Ask::Best && can_be_clear && win >= out.win - EQUAL {
                out.best.push(cell);
            }
            if ask == Ask::Wins {
                out.cells.push((cell, win));
            }
        }
        if let (Stage::Reached, Some(over)) = (stage, only_mines(matrix, &all)) {
            out.win += self.weights[over as usize] / self.whole;
        }
        out.best.sort_unstable();
        out.cells.sort_unstable_by_key(|&(cell, _)| cell);
        Ok(out)
    }

    fn weigh(&mut self, log_odds: f64, mines: &[u32]) {
        let most = if log_odds > 0.0 { mines.iter().max() } else { mines.iter().min() };
        let most = most.map_or(0.0, |&m| f64::from(m));
        self.weights.clear();
        self.weights.extend(mines.iter().map(|&m| (log_odds * (f64::from(m) - most)).exp()));
        self.whole = self.weights.iter().sum();
        self.words.clear();
        self.words.extend((0..mines.len() as u64).map(mix));
        self.known.clear();
    }

    fn weight(&self, set: &[u32]) -> f64 {
        set.iter().map(|&solution| self.weights[solution as usize]).sum()
    }

    /// The weight of the solutions that perfect play wins in a set reached by play; exact if above
    /// `alpha`, otherwise a bound.
    fn reached(
        &mut self,
        matrix: &Matrix,
        set: &[u32],
        columns: &[u32],
        alpha: f64,
        budget: &mut SearchBudget,
    ) -> Result<f64, Stopped> {
        if set.len() == 1 {
            return Ok(self.weights[set[0] as usize]);
        }
        let key = set.iter().fold(set.len() as u64, |key, &s| key ^ self.words[s as usize]);
        match self.known.get(&key) {
            Some(&Known::Exactly(won)) => return Ok(won),
            Some(&Known::AtMost(won)) if won <= alpha => return Ok(won),
            _ => {}
        }
        budget.state()?;
        let won = if set.len() <= WIDTH {
            budget.work(set.len() * columns.len())?;
            self.narrow.solve(matrix, (set, &self.weights), columns, alpha, budget)?
        } else {
            self.search(matrix, set, columns, alpha, budget)?
        };
        let known = if won > alpha { Known::Exactly(won) } else { Known::AtMost(won) };
        if self.known.len() >= KNOWN {
            self.known.clear();
        }
        self.known.insert(key, known);
        Ok(won)
    }

    fn search(
        &mut self,
        matrix: &Matrix,
        set: &[u32],
        columns: &[u32],
        alpha: f64,
        budget: &mut SearchBudget,
    ) -> Result<f64, Stopped> {
        let (free, mut candidates) = self.look(matrix, set, columns, budget)?;
        let columns: Vec<u32> = candidates.iter().map(|c| c.column).collect();
        if !free.is_empty() {
            let parts = split(matrix, set, &free, budget)?;
            return self.sum(matrix, &parts, &columns, self.weight(set), alpha, budget);
        }
        // In the solution where every remaining cell is a mine, the game is over.
        let all_mines =
            |&&s: &&u32| candidates.iter().all(|c| matrix.row(s)[c.column as usize] == MINE);
        if let Some(&won) = set.iter().find(all_mines) {
            let weight = self.weights[won as usize];
            let rest: Set = set.iter().copied().filter(|&s| s != won).collect();
            return Ok(weight + self.reached(matrix, &rest, &columns, alpha - weight, budget)?);
        }
        candidates.retain(|c| c.clear > 0.0);
        candidates.sort_by(|a, b| b.clear.total_cmp(&a.clear).then(a.column.cmp(&b.column)));
        let candidates = undominated(matrix, set, candidates, budget)?;
        let mut best = 0.0f64;
        for candidate in candidates {
            let enough = best.max(alpha);
            if candidate.clear <= enough {
                // A bound for this candidate and the later ones.
                best = best.max(candidate.clear);
                break;
            }
            best = best.max(self.opened(matrix, set, &columns, candidate, enough, budget)?);
        }
        Ok(best)
    }

    /// Selects the informative columns whose cells are clear in the whole set, and those whose
    /// cells are clear in part of it.
    fn look(
        &self,
        matrix: &Matrix,
        set: &[u32],
        columns: &[u32],
        budget: &mut SearchBudget,
    ) -> Result<(Vec<u32>, Vec<Candidate>), Stopped> {
        let mut clear = vec![0.0; columns.len()];
        let mut shown = vec![0u32; columns.len()];
        for &solution in set {
            budget.work(columns.len())?;
            let (row, weight) = (matrix.row(solution), self.weights[solution as usize]);
            for ((clear, shown), &column) in clear.iter_mut().zip(&mut shown).zip(columns) {
                let label = row[column as usize];
                *shown |= 1 << label;
                if label != MINE {
                    *clear += weight;
                }
            }
        }
        let (mut free, mut candidates) = (Vec::new(), Vec::new());
        for ((&column, clear), shown) in columns.iter().zip(clear).zip(shown) {
            let can_be_mine = shown >> MINE & 1 == 1;
            match shown.count_ones() {
                1 => {}
                _ if can_be_mine => candidates.push(Candidate { column, clear }),
                _ => free.push(column),
            }
        }
        Ok((free, candidates))
    }

    /// The weight won by opening a cell first.
    fn opened(
        &mut self,
        matrix: &Matrix,
        set: &[u32],
        columns: &[u32],
        Candidate { column, clear }: Candidate,
        alpha: f64,
        budget: &mut SearchBudget,
    ) -> Result<f64, Stopped> {
        budget.work(set.len())?;
        let mut parts = vec![Set::new(); matrix.labels];
        for &solution in set {
            parts[usize::from(matrix.row(solution)[column as usize])].push(solution);
        }
        parts[usize::from(MINE)].clear();
        parts.retain(|part| !part.is_empty());
        self.sum(matrix, &parts, columns, clear, alpha, budget)
    }

    /// The weight won in all parts of a set; their total weight is `bound`.
    fn sum(
        &mut self,
        matrix: &Matrix,
        parts: &[Set],
        columns: &[u32],
        mut bound: f64,
        alpha: f64,
        budget: &mut SearchBudget,
    ) -> Result<f64, Stopped> {
        let mut won = 0.0;
        let mut left = bound;
        for part in parts {
            let weight = self.weight(part);
            left -= weight;
            won += self.reached(matrix, part, columns, alpha - won - left, budget)?;
            bound = won + left.max(0.0);
            if bound <= alpha {
                return Ok(bound);
            }
        }
        Ok(won)
    }
}

/// The solution with mines in all unopened cells, unless it is the only solution.
fn only_mines(matrix: &Matrix, set: &[u32]) -> Option<u32> {
    let all_mined = |&&s: &&u32| matrix.row(s).iter().all(|&label| label == MINE);
    set.iter().find(all_mined).copied().filter(|_| set.len() > 1)
}

/// The parts of a set, split by columns that are clear everywhere.
fn split(
    matrix: &Matrix,
    set: &[u32],
    free: &[u32],
    budget: &mut SearchBudget,
) -> Result<Vec<Set>, Stopped> {
    let mut parts: HashMap<Vec<u8>, usize> = HashMap::new();
    let mut sets: Vec<Set> = Vec::new();
    for &solution in set {
        budget.work(free.len())?;
        let row = matrix.row(solution);
        let shown = free.iter().map(|&column| row[column as usize]).collect();
        let at = *parts.entry(shown).or_insert(sets.len());
        if at == sets.len() {
            sets.push(Set::new());
        }
        sets[at].push(solution);
    }
    Ok(sets)
}

/// Of the candidates in descending order of weight, drops those that are clear only where an
/// earlier one is: the earlier one can be opened first at no greater loss.
fn undominated(
    matrix: &Matrix,
    set: &[u32],
    candidates: Vec<Candidate>,
    budget: &mut SearchBudget,
) -> Result<Vec<Candidate>, Stopped> {
    let words = set.len().div_ceil(64);
    let (mut clear, mut kept) = (Vec::<Vec<u64>>::new(), Vec::new());
    for candidate in candidates {
        budget.work(set.len() + words * clear.len())?;
        let mut own = vec![0u64; words];
        for (i, &solution) in set.iter().enumerate() {
            if matrix.row(solution)[candidate.column as usize] != MINE {
                own[i / 64] |= 1 << (i % 64);
            }
        }
        let within = |other: &Vec<u64>| own.iter().zip(other).all(|(own, other)| own & !other == 0);
        if !clear.iter().any(within) {
            clear.push(own);
            kept.push(candidate);
        }
    }
    Ok(kept)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frontier::Frontier;
    use crate::generate::{independent, Rng};
    use crate::mines::{Knowledge, Mines};
    use crate::search::listing::Listing;
    use crate::search::optimal::{EndGame, OptimalLimit, Solved};
    use crate::search::rollout::survival;
    use crate::testing::{boards, running};
    use crate::topology::Graph;

    const DENSITIES: [f64; 4] = [0.05, 0.2, 0.5, 0.8];

    fn solved(graph: &Graph, cells: &[u8], density: f64, running: bool, ask: Ask) -> Solved {
        let limit = OptimalLimit { solutions: 10_000, states: 1_000_000, deadline: None };
        let known = Knowledge { mines: Mines::Density(density), running };
        let found = EndGame::new().solve(graph, cells, known, limit, ask);
        found.expect("some board fits").expect("it is within the limit")
    }

    /// Small boards with few or many clear cells open.
    fn random_positions() -> impl Iterator<Item = (Graph, Vec<u8>, f64)> {
        (0..120).map(|seed| {
            let (graph, few) = match seed % 2 {
                0 => (Graph::rectangle(4, 3).unwrap(), 2),
                _ => (Graph::rectangle(4, 2).unwrap(), 8),
            };
            let size = graph.len();
            let density = DENSITIES[seed as usize / 2 % 4];
            let mined = independent(size, density, &[], seed).unwrap();
            let (numbers, mut rng) = (graph.numbers(&mined), Rng::new(seed));
            let mut open = |c: usize| mined[c] == 0 && rng.below(few) == 0;
            let cells = (0..size).map(|c| if open(c) { b'0' + numbers[c] } else { b'.' }).collect();
            (graph, cells, density)
        })
    }

    /// Perfect play straight from the rules: it tries every unopened cell, and a game ends when
    /// only mines are left. It computes the wins of a set after the first opening.
    struct Rules<'a> {
        graph: &'a Graph,
        odds: f64,
        known: HashMap<(Vec<Vec<u8>>, Vec<bool>), f64>,
    }

    impl Rules<'_> {
        fn weight(&self, board: &[u8]) -> f64 {
            self.odds.powi(board.iter().map(|&mine| i32::from(mine)).sum())
        }

        fn reached(&mut self, set: &[Vec<u8>], open: &[bool]) -> f64 {
            let key = (set.to_vec(), open.to_vec());
            if let Some(&won) = self.known.get(&key) {
                return won;
            }
            let over = |b: &&Vec<u8>| (0..b.len()).all(|c| open[c] || b[c] == 1);
            let (done, on): (Vec<_>, Vec<_>) = set.iter().partition(over);
            let on: Vec<Vec<u8>> = on.into_iter().cloned().collect();
            let won: f64 = done.iter().map(|board| self.weight(board)).sum();
            let best = (0..open.len()).filter(|&c| !open[c]).map(|c| self.opened(&on, open, c));
            let won = won + best.fold(0.0, f64::max);
            self.known.insert(key, won);
            won
        }

        fn opened(&mut self, set: &[Vec<u8>], open: &[bool], cell: usize) -> f64 {
            let mut parts: HashMap<u8, Vec<Vec<u8>>> = HashMap::new();
            for board in set.iter().filter(|board| board[cell] == 0) {
                parts.entry(self.graph.numbers(board)[cell]).or_default().push(board.clone());
            }
            let mut open = open.to_vec();
            open[cell] = true;
            parts.values().map(|part| self.reached(part, &open)).sum()
        }
    }

    #[test]
    fn chances_are_those_of_the_rules_of_the_game() {
        let (mut compared, mut wide, mut over) = (0, 0, 0);
        for (graph, cells, density) in random_positions() {
            let listed = boards(&graph, &cells, None);
            if listed.len() > 256 {
                continue;
            }
            let open: Vec<bool> = cells.iter().map(|&c| c != b'.').collect();
            let listed = running(&cells, None, listed);
            wide += usize::from(listed.len() > WIDTH);
            let odds = density / (1.0 - density);
            let mut rules = Rules { graph: &graph, odds, known: HashMap::new() };
            let whole: f64 = listed.iter().map(|board| rules.weight(board)).sum();
            let unopened = (0..open.len()).filter(|&c| !open[c]);
            let expected: Vec<(usize, f64)> =
                unopened.map(|c| (c, rules.opened(&listed, &open, c) / whole)).collect();
            let best = expected.iter().map(|&(_, win)| win).fold(0.0, f64::max);
            let chances = solved(&graph, &cells, density, true, Ask::Wins).chances.unwrap();
            assert_eq!(chances.solutions, listed.len() as u64);
            if best > 0.0 {
                assert!((chances.win - best).abs() < 1e-9, "{} {best}", chances.win);
            }
            for (cell, win) in expected {
                let found = chances.cells.iter().find(|(c, _)| *c as usize == cell);
                // Cells that single numbers prove to be mines have no column.
                assert!((found.map_or(0.0, |(_, found)| *found) - win).abs() < 1e-9);
                let is_best = best > 0.0 && (win - best).abs() < 1e-9;
                assert_eq!(chances.best.contains(&(cell as u32)), is_best);
                compared += 1;
            }
            let one = solved(&graph, &cells, density, true, Ask::Cell).chances.unwrap();
            assert!((one.win - chances.win).abs() < 1e-9);
            assert!(best == 0.0 || chances.best.contains(&one.cell.unwrap()));
            if open.contains(&true) {
                let all = boards(&graph, &cells, None);
                let whole: f64 = all.iter().map(|board| rules.weight(board)).sum();
                let reached = solved(&graph, &cells, density, false, Ask::Cell).chances.unwrap();
                let won = rules.reached(&all, &open) / whole;
                assert!((reached.win - won).abs() < 1e-9, "{} {won}", reached.win);
                over += usize::from(all.len() > listed.len());
            }
        }
        assert!(compared > 100 && wide > 5 && over > 5, "{compared} {wide} {over}");
    }

    #[test]
    fn equal_weights_and_one_total_win_what_counting_wins() {
        for seed in 0..30 {
            let (graph, cells, _) = crate::testing::random_position(seed);
            let (mut frontier, mut listing) = (Frontier::default(), Listing::default());
            frontier.read(&graph, &cells, &[]).unwrap();
            let mut budget = SearchBudget::new(1_000_000, None, None);
            listing.fill(&graph, &frontier, Mines::Total(5), 10_000, &mut budget).unwrap();
            let mut matrix = Matrix::default();
            matrix.fill(&graph, &frontier, &listing, &mut budget).unwrap();
            let counts: Vec<u32> = listing.each().map(|mined| mined.len() as u32).collect();
            let found = Weighted::default()
                .play(&matrix, (0.3, &counts), Stage::Reached, Ask::Best, &mut budget)
                .unwrap();
            let limit = OptimalLimit { solutions: 10_000, states: 1_000_000, deadline: None };
            let counted = EndGame::new().solve(&graph, &cells, 5usize, limit, Ask::Best);
            let counted = counted.unwrap().unwrap();
            let win = counted.wins as f64 / counted.solutions as f64;
            assert!((found.win - win).abs() < 1e-9);
            assert_eq!(found.best, counted.best);
        }
    }

    #[test]
    fn games_played_to_their_end_win_as_often() {
        use crate::play::Table;
        use crate::search::effort::Effort;
        use crate::search::guess::Searcher;
        let effort = Effort {
            margin: 0.3,
            cells: 20,
            solutions: 1,
            states: 1,
            again: 1.0,
            ..Effort::default()
        };
        let mut player = Searcher::new(None, Effort { solutions: 4000, states: 100_000, ..effort });
        // The corner cell may be the last clear one, or a mine.
        let (graph, cells) = crate::testing::position(&["...", "...", "1.."]);
        let chances = solved(&graph, &cells, 0.3, true, Ask::Wins).chances.unwrap();
        for &(cell, win) in &chances.cells {
            let mut sum = 0.0;
            for seed in 0..400 {
                let at = (&cells[..], Mines::Density(0.3));
                let first = Some(cell as usize);
                let mut table = Table::default();
                sum += survival(&mut player, &mut table, &graph, at, first, seed).unwrap();
            }
            assert!((sum / 400.0 - win).abs() < 0.05, "{cell}: {} {win}", sum / 400.0);
        }
    }
}
