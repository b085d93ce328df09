//! Every solution of a position, one by one, where there are few.
//!
//! Boxes are filled with mine counts first, component by component; only counts that fit the total
//! are then spelled out cell by cell. So no branch is followed that ends in nothing, but for those
//! within one component.

use crate::error::{BoardError, Inconsistency};
use crate::frontier::{Frontier, Mark, Shape};
use crate::steps::binomial;
use crate::topology::Graph;

/// A component may have more counts of its boxes than the position has solutions, where the total
/// rules most of them out; past this multiple of the limit, the listing stops.
const SLACK: usize = 4;

/// The solutions of a position that has been read: in each the same number of mines is unknown.
#[derive(Debug, Default)]
pub struct Listing {
    /// Each solution's mines, those proved by single numbers left out: `width` cells each.
    pub mined: Vec<u32>,
    pub width: usize,
    pub solutions: usize,
    // The cells of each box, the floating cells last.
    cells: Vec<u32>,
    boxes: Vec<(u32, u32)>,
    // By component: where its boxes start, and its fillings, each one byte a box.
    parts: Vec<Part>,
    // The filling of all boxes that is being spelled out, and the mines laid so far.
    chosen: Vec<u8>,
    laid: Vec<u32>,
}

#[derive(Debug, Default)]
struct Part {
    first: usize,
    boxes: usize,
    fillings: Vec<u8>,
    mines: Vec<u32>,
    /// Whether this component and those after it, floating cells included, can hold this many mines.
    reach: Vec<bool>,
}

impl Listing {
    /// Lists the solutions; false if there are more than `most`.
    pub fn fill(
        &mut self,
        graph: &Graph,
        frontier: &Frontier,
        mines: usize,
        most: usize,
    ) -> Result<bool, BoardError> {
        self.mined.clear();
        self.cells.clear();
        self.boxes.clear();
        self.parts.clear();
        self.solutions = 0;
        for i in 0..frontier.components() {
            let shape = Shape::decode(frontier.key(i));
            let mut part =
                Part { first: self.boxes.len(), boxes: shape.boxes(), ..Part::default() };
            let mut at = self.cells.len() as u32;
            self.cells.extend_from_slice(frontier.cells(i));
            for &size in &shape.sizes {
                self.boxes.push((at, at + u32::from(size)));
                at += u32::from(size);
            }
            if !fill_boxes(&shape, most.saturating_mul(SLACK), &mut part) {
                return Ok(false);
            }
            if part.mines.is_empty() {
                return Err(frontier.conflict(graph, frontier.numbers(i)[0] as usize));
            }
            self.parts.push(part);
        }
        let at = self.cells.len() as u32;
        let floating = |&cell: &u32| frontier.marks[cell as usize] == Mark::Floating;
        self.cells.extend((0..graph.len() as u32).filter(floating));
        self.boxes.push((at, self.cells.len() as u32));
        self.reaches(frontier.floating);
        let possible = |rest: &usize| self.reach(0).get(*rest) == Some(&true);
        let Some(rest) = mines.checked_sub(frontier.mines).filter(possible) else {
            return Err(self.wrong_total(mines, frontier));
        };
        self.width = rest;
        self.chosen.clear();
        self.chosen.resize(self.boxes.len(), 0);
        Ok(self.choose(0, rest, most))
    }

    fn reach(&self, part: usize) -> &[bool] {
        &self.parts[part].reach
    }

    /// Works out which totals each component and those after it can reach.
    fn reaches(&mut self, floating: usize) {
        let mut after = vec![true; floating + 1];
        // Behind the last component stand the floating cells.
        self.parts.push(Part { reach: after.clone(), ..Part::default() });
        let count = self.parts.len() - 1;
        for part in self.parts[..count].iter_mut().rev() {
            let most = part.mines.iter().max().map_or(0, |&m| m as usize);
            let mut reach = vec![false; after.len() + most];
            let mut seen = vec![false; most + 1];
            for &mines in &part.mines {
                if std::mem::replace(&mut seen[mines as usize], true) {
                    continue;
                }
                for (total, _) in after.iter().enumerate().filter(|(_, &can)| can) {
                    reach[total + mines as usize] = true;
                }
            }
            part.reach.clone_from(&reach);
            after = reach;
        }
    }

    fn wrong_total(&self, mines: usize, frontier: &Frontier) -> BoardError {
        let reach = self.reach(0);
        let least = reach.iter().position(|&can| can).unwrap_or(0);
        let (least, most) = (frontier.mines + least, frontier.mines + reach.len() - 1);
        BoardError::Inconsistent(Inconsistency::Total { mines, least, most })
    }

    /// Chooses a filling of each component from `part` on that brings `rest` mines.
    fn choose(&mut self, part: usize, rest: usize, most: usize) -> bool {
        if part + 1 == self.parts.len() {
            if let Some(last) = self.chosen.last_mut() {
                // A box holds at most a few cells, but any number of cells may float.
                *last = 0;
            }
            return self.spell(rest, most);
        }
        for i in 0..self.parts[part].mines.len() {
            let here = &self.parts[part];
            let mines = here.mines[i] as usize;
            if mines > rest || self.reach(part + 1).get(rest - mines) != Some(&true) {
                continue;
            }
            let (first, boxes) = (here.first, here.boxes);
            let from = i * boxes;
            self.chosen[first..first + boxes].copy_from_slice(&here.fillings[from..from + boxes]);
            if !self.choose(part + 1, rest - mines, most) {
                return false;
            }
        }
        true
    }

    /// Spells out the chosen filling cell by cell; false past the limit.
    fn spell(&mut self, floating: usize, most: usize) -> bool {
        let last = self.boxes.len() - 1;
        let sizes = self.boxes.iter().map(|&(from, to)| (to - from) as usize);
        let counts = self.chosen[..last].iter().map(|&m| usize::from(m)).chain([floating]);
        let ways = sizes.zip(counts).fold(1.0, |ways, (n, m)| ways * ways_of(n, m));
        if self.solutions as f64 + ways > most as f64 {
            return false;
        }
        self.lay(0, self.boxes[0].0, self.mines_of(0, floating), floating);
        true
    }

    fn mines_of(&self, b: usize, floating: usize) -> usize {
        if b + 1 == self.boxes.len() {
            floating
        } else {
            usize::from(self.chosen[b])
        }
    }

    /// Places this many mines among the cells of box `b` from `at` on, and then the boxes after it.
    fn lay(&mut self, b: usize, at: u32, mines: usize, floating: usize) {
        if mines == 0 {
            if b + 1 == self.boxes.len() {
                self.mined.extend_from_slice(&self.laid);
                self.solutions += 1;
            } else {
                let mines = self.mines_of(b + 1, floating);
                self.lay(b + 1, self.boxes[b + 1].0, mines, floating);
            }
            return;
        }
        let end = self.boxes[b].1;
        for cell in at..=end - mines as u32 {
            self.laid.push(self.cells[cell as usize]);
            self.lay(b, cell + 1, mines - 1, floating);
            self.laid.pop();
        }
    }
}

fn ways_of(cells: usize, mines: usize) -> f64 {
    match u8::try_from(cells) {
        Ok(cells) if cells <= 26 => binomial(cells, mines as u8) as f64,
        _ => (0..mines).fold(1.0, |ways, i| ways * (cells - i) as f64 / (i + 1) as f64),
    }
}

/// Lists the mine counts of a component's boxes that meet its numbers; false past the limit.
fn fill_boxes(shape: &Shape, most: usize, part: &mut Part) -> bool {
    let mut filling = Filling {
        shape,
        most,
        needs: shape.needs.iter().map(|&n| i32::from(n)).collect(),
        room: vec![0; shape.needs.len()],
        counts: Vec::with_capacity(shape.boxes()),
        mines: 0,
    };
    for b in 0..shape.boxes() {
        for &w in shape.witnesses(b) {
            filling.room[w as usize] += i32::from(shape.sizes[b]);
        }
    }
    filling.next(part)
}

struct Filling<'a> {
    shape: &'a Shape,
    most: usize,
    needs: Vec<i32>,
    /// The cells around each witness in boxes that are not filled yet.
    room: Vec<i32>,
    counts: Vec<u8>,
    mines: u32,
}

impl Filling<'_> {
    fn next(&mut self, part: &mut Part) -> bool {
        let b = self.counts.len();
        if b == self.shape.boxes() {
            part.fillings.extend_from_slice(&self.counts);
            part.mines.push(self.mines);
            return part.mines.len() <= self.most;
        }
        let size = self.shape.sizes[b];
        let around = self.shape.witnesses(b);
        let (mut least, mut most) = (0, i32::from(size));
        for &w in around {
            let w = w as usize;
            self.room[w] -= i32::from(size);
            least = least.max(self.needs[w] - self.room[w]);
            most = most.min(self.needs[w]);
        }
        let mut within = true;
        for mines in least..=most {
            for &w in around {
                self.needs[w as usize] -= mines;
            }
            self.counts.push(mines as u8);
            self.mines += mines as u32;
            within = self.next(part);
            self.mines -= mines as u32;
            self.counts.pop();
            for &w in around {
                self.needs[w as usize] += mines;
            }
            if !within {
                break;
            }
        }
        for &w in around {
            self.room[w as usize] += i32::from(size);
        }
        within
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{boards, position, random_position};

    fn filled(
        graph: &Graph,
        cells: &[u8],
        mines: usize,
        most: usize,
    ) -> Result<(bool, Listing, Frontier), BoardError> {
        let (mut frontier, mut listing) = (Frontier::default(), Listing::default());
        frontier.read(graph, cells, &[])?;
        let complete = listing.fill(graph, &frontier, mines, most)?;
        Ok((complete, listing, frontier))
    }

    /// The boards listed, with the mines that single numbers prove.
    fn listed(frontier: &Frontier, listing: &Listing) -> Vec<Vec<u8>> {
        let known: Vec<u8> =
            frontier.marks.iter().map(|&mark| u8::from(mark == Mark::Mine)).collect();
        let board = |solution: usize| {
            let mut board = known.clone();
            let mines = &listing.mined[solution * listing.width..][..listing.width];
            mines.iter().for_each(|&cell| board[cell as usize] += 1);
            board
        };
        (0..listing.solutions).map(board).collect()
    }

    #[test]
    fn every_board_that_fits_is_listed_once() {
        for seed in 0..40 {
            let (graph, cells, _) = random_position(seed);
            let all = boards(&graph, &cells, None);
            for mines in 3..=6 {
                let total = |board: &Vec<u8>| board.iter().filter(|&&m| m == 1).count();
                let mut expected: Vec<_> =
                    all.iter().filter(|board| total(board) == mines).cloned().collect();
                match filled(&graph, &cells, mines, 100_000) {
                    Ok((complete, listing, frontier)) => {
                        let mut found = listed(&frontier, &listing);
                        found.sort_unstable();
                        expected.sort_unstable();
                        assert!(complete);
                        assert_eq!(found, expected);
                    }
                    Err(_) => assert!(expected.is_empty()),
                }
            }
        }
    }

    #[test]
    fn a_listing_stops_past_its_limit() {
        // Four mines among nine floating cells: 126 ways.
        let (graph, cells) = position(&["...", "...", "..."]);
        assert!(filled(&graph, &cells, 4, 126).unwrap().0);
        assert!(!filled(&graph, &cells, 4, 125).unwrap().0);
        // The fillings of one component alone are too many: those of a row of 1s.
        let (graph, cells) = position(&["....................", "11111111111111111111"]);
        assert!(!filled(&graph, &cells, 7, 0).unwrap().0);
    }

    #[test]
    fn a_total_out_of_reach_is_named_with_what_would_do() {
        // One mine beside each 1, and two cells that no number touches.
        let (graph, cells) = position(&[".1.", "000", "...", ".1."]);
        let wrong = filled(&graph, &cells, 9, 10).unwrap_err();
        assert!(matches!(wrong, BoardError::Inconsistent(_)), "{wrong:?}");
        let (graph, cells) = position(&[".1....", "1....."]);
        let Err(BoardError::Inconsistent(Inconsistency::Total { mines, least, most })) =
            filled(&graph, &cells, 12, 10)
        else {
            panic!("twelve mines do not fit on ten cells")
        };
        let totals: Vec<usize> =
            (0..=12).filter(|&m| !boards(&graph, &cells, Some(m)).is_empty()).collect();
        assert_eq!((mines, least), (12, totals[0]));
        assert_eq!(most, totals[totals.len() - 1]);
    }

    #[test]
    fn ways_to_place_mines_among_many_cells_are_binomials() {
        assert_eq!(
            [ways_of(5, 2), ways_of(26, 13), ways_of(100, 3)],
            [10.0, 10_400_600.0, 161_700.0]
        );
        assert_eq!([ways_of(0, 0), ways_of(400, 0)], [1.0, 1.0]);
    }
}
