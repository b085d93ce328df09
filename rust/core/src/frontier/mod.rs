//! Splits a position into the parts to count: cells settled by single numbers, the boxes and
//! components of the rest, and the floating cells.
//!
//! *Witness*: an opened number with an unopened neighbour. *Box*: unopened cells with exactly the
//! same witnesses. *Component*: a part of the frontier that shares no witness with the rest.

mod boxes;
mod saved;
mod settle;
mod shape;
mod update;

pub use saved::Saved;
pub use shape::{Shape, ShapeKey};

use crate::bytes::count;
use crate::error::{BoardError, Inconsistency};
use crate::topology::{Graph, MAX_DEGREE};

/// The status of a cell after all deductions from single numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Mark {
    /// An opened number.
    Opened,
    /// An opened mine.
    Exploded,
    /// Proved clear by single numbers.
    Safe,
    /// Proved a mine by single numbers.
    Mine,
    /// Unopened and in a component.
    Frontier,
    /// Unopened and touching no number that still constrains it.
    Floating,
}

/// All marks, in order.
pub(crate) const MARKS: [Mark; 6] =
    [Mark::Opened, Mark::Exploded, Mark::Safe, Mark::Mine, Mark::Frontier, Mark::Floating];
const _: () = assert!(MARKS[2] as usize == 2 && MARKS[5] as usize == 5);

/// A cell whose content the caller sets: used by dealers and roll-outs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fixed {
    Clear,
    Mine,
}

/// One component, as ranges into the frontier's arrays.
#[derive(Debug, Clone, Copy)]
struct Span {
    key: (u32, u32),
    cells: (u32, u32),
    numbers: (u32, u32),
}

/// A position prepared for counting. Use one for many positions to reuse its buffers.
#[derive(Debug, Default)]
pub struct Frontier {
    pub marks: Vec<Mark>,
    /// Floating cells.
    pub floating: usize,
    /// Mines that are opened, fixed or proved by single numbers.
    pub mines: usize,
    /// Whether errors do not need to list the contradictory numbers.
    pub brief: bool,
    /// The graph of the last position read, if the next one may continue from it.
    followed: Option<u64>,
    last: Vec<u8>,
    spans: Vec<Span>,
    keys: Vec<u32>,
    cells: Vec<u32>,
    numbers: Vec<u32>,
    // Scratch, by cell. Cells that are not witnesses hold `NO_NEED` and `NO_UNKNOWN`, which stay
    // out of range even after neighbours are subtracted.
    sums: Vec<u8>,
    around: Vec<u16>,
    need: Vec<i8>,
    unknown: Vec<i8>,
    local: Vec<u32>,
    // Scratch: the witnesses, and the cells whose number settles its neighbours.
    witnesses: Vec<u32>,
    stack: Vec<u32>,
    opened: Vec<u32>,
    // Scratch, by component: each cell's box, each box's size and witnesses.
    cell_box: Vec<u32>,
    found: Vec<u32>,
    box_size: Vec<u32>,
    box_at: Vec<(u32, u32)>,
    box_witnesses: Vec<u32>,
    box_hash: Vec<u64>,
    table: Vec<u32>,
}

/// Whether a position was read as a continuation of the last one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Followed {
    Yes,
    No,
    Contradiction,
}

const NONE: u32 = u32::MAX;
const NO_NEED: i8 = 64;
const NO_UNKNOWN: i8 = i8::MAX;
// A neighbour's contribution to a witness's sum: unopened cells in the low bits, mines in the high
// bits.
const ONE_UNKNOWN: u8 = 1;
const ONE_MINE: u8 = 32;

fn is_unopened(byte: u8) -> bool {
    (byte == b'.') | (byte == b'F')
}

/// Whether a cell shows a number: `0` plus the number, at most 12.
pub(crate) fn is_number(byte: u8) -> bool {
    (b'0'..=b'0' + 12).contains(&byte)
}

fn is_cell(byte: u8) -> bool {
    is_unopened(byte) | is_number(byte) | (byte == b'*')
}

impl Frontier {
    /// Reads a position of ASCII cells: `.` and `F` unopened, `0` plus a number, `*` an opened mine.
    pub fn read(
        &mut self,
        graph: &Graph,
        cells: &[u8],
        fixed: &[(usize, Fixed)],
    ) -> Result<(), BoardError> {
        let size = graph.len();
        if cells.len() != size {
            return Err(BoardError::Shape(format!(
                "{} cells given for a board of {size}",
                cells.len()
            )));
        }
        let followed = if fixed.is_empty() { self.follow(graph, cells) } else { Followed::No };
        if followed == Followed::Yes {
            return Ok(());
        }
        self.followed = None;
        if followed == Followed::Contradiction && self.brief {
            return Err(BoardError::Inconsistent(Inconsistency::Component { numbers: Vec::new() }));
        }
        self.clear(size);
        // These loops over whole arrays have no branches, so the compiler can vectorise them.
        if cells.iter().fold(false, |bad, &byte| bad | !is_cell(byte)) {
            let cell = cells.iter().position(|&byte| !is_cell(byte)).unwrap_or(0);
            return Err(BoardError::Cell { cell, byte: cells[cell] });
        }
        self.marks.extend(cells.iter().map(|&byte| {
            if is_unopened(byte) {
                Mark::Floating
            } else if byte == b'*' {
                Mark::Exploded
            } else {
                Mark::Opened
            }
        }));
        self.sums.extend(cells.iter().map(|&byte| {
            u8::from(is_unopened(byte)) * ONE_UNKNOWN + u8::from(byte == b'*') * ONE_MINE
        }));
        self.mines = cells.iter().filter(|&&byte| byte == b'*').count();
        self.fix(fixed)?;
        let settled = self.collect_witnesses(graph, cells)?;
        self.propagate(graph, settled)?;
        self.finish(graph);
        if fixed.is_empty() {
            self.remember(graph, cells);
        }
        Ok(())
    }

    /// Finds components and floating cells after all deductions from single numbers.
    fn finish(&mut self, graph: &Graph) {
        self.divide(graph);
        self.floating = count(&self.marks, |mark| mark == Mark::Floating);
    }

    fn clear(&mut self, size: usize) {
        self.marks.clear();
        self.sums.clear();
        self.need.clear();
        self.need.resize(size, NO_NEED);
        self.unknown.clear();
        self.unknown.resize(size, NO_UNKNOWN);
        self.mines = 0;
        self.forget_components();
    }

    fn forget_components(&mut self) {
        self.local.clear();
        self.local.resize(self.need.len(), NONE);
        self.spans.clear();
        self.keys.clear();
        self.cells.clear();
        self.numbers.clear();
    }

    fn fix(&mut self, fixed: &[(usize, Fixed)]) -> Result<(), BoardError> {
        for &(cell, what) in fixed {
            let mark = match what {
                Fixed::Clear => Mark::Safe,
                Fixed::Mine => Mark::Mine,
            };
            match self.marks.get(cell) {
                Some(Mark::Floating) => {
                    self.marks[cell] = mark;
                    self.sums[cell] = if mark == Mark::Mine { ONE_MINE } else { 0 };
                    self.mines += usize::from(mark == Mark::Mine);
                }
                Some(&before) if before == mark => {}
                Some(_) => {
                    return Err(BoardError::Shape(format!(
                        "cell {cell} cannot be fixed: it is opened, or fixed the other way"
                    )))
                }
                None => {
                    return Err(BoardError::Shape(format!(
                        "cell {cell} is not on a board of {} cells",
                        self.marks.len()
                    )))
                }
            }
        }
        Ok(())
    }

    #[inline]
    fn is_witness(&self, cell: u32) -> bool {
        self.unknown[cell as usize] < NO_UNKNOWN - MAX_DEGREE as i8
    }

    /// Forgets the last position, so that the next one is read from scratch.
    pub fn forget(&mut self) {
        self.followed = None;
    }

    /// Whether the numbers allow that all unopened cells are mines, and at least one number is open.
    /// Every number then settles its unopened neighbours as mines, so that no component is left.
    pub fn allows_only_mines(&self) -> bool {
        let marked = |mark| self.marks.contains(&mark);
        self.spans.is_empty() && !marked(Mark::Safe) && marked(Mark::Opened)
    }

    /// Number of components.
    pub fn components(&self) -> usize {
        self.spans.len()
    }

    pub fn key(&self, component: usize) -> &ShapeKey {
        let (from, to) = self.spans[component].key;
        &self.keys[from as usize..to as usize]
    }

    /// The cells of a component, grouped by box.
    pub fn cells(&self, component: usize) -> &[u32] {
        let (from, to) = self.spans[component].cells;
        &self.cells[from as usize..to as usize]
    }

    /// The numbers of a component.
    pub fn numbers(&self, component: usize) -> &[u32] {
        let (from, to) = self.spans[component].numbers;
        &self.numbers[from as usize..to as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{boards, position, random_position};

    #[test]
    fn every_cell_has_one_place_and_every_number_its_witnesses() {
        let mut frontier = Frontier::default();
        for seed in 0..100 {
            let (graph, cells, _) = random_position(seed);
            frontier.read(&graph, &cells, &[]).unwrap();
            let mut listed: Vec<u32> =
                (0..frontier.components()).flat_map(|i| frontier.cells(i).to_vec()).collect();
            listed.sort_unstable();
            let marked = |mark: Mark| -> Vec<u32> {
                (0..graph.len() as u32).filter(|&c| frontier.marks[c as usize] == mark).collect()
            };
            assert_eq!(listed, marked(Mark::Frontier), "each frontier cell in one component");
            assert_eq!(frontier.floating, marked(Mark::Floating).len());
            assert_eq!(frontier.mines, marked(Mark::Mine).len());
            assert!(
                (0..cells.len()).all(|c| (cells[c] == b'.') == (frontier.marks[c] != Mark::Opened))
            );
            for i in 0..frontier.components() {
                for &number in frontier.numbers(i) {
                    let around = graph.neighbours(number as usize);
                    let mut cells =
                        around.iter().filter(|&&n| frontier.marks[n as usize] == Mark::Frontier);
                    assert!(cells.all(|cell| frontier.cells(i).contains(cell)));
                }
            }
        }
    }

    #[test]
    fn a_fixed_cell_leaves_the_boards_that_agree_with_it() {
        let mut refused = 0;
        for seed in 0..25 {
            let (graph, cells, _) = random_position(seed);
            let all = boards(&graph, &cells, None);
            let unopened = (0..cells.len()).filter(|&cell| cells[cell] == b'.');
            for (cell, what) in unopened.flat_map(|c| [(c, Fixed::Clear), (c, Fixed::Mine)]) {
                let agree: Vec<_> =
                    all.iter().filter(|b| b[cell] == u8::from(what == Fixed::Mine)).collect();
                let mut frontier = Frontier::default();
                match frontier.read(&graph, &cells, &[(cell, what)]) {
                    Err(BoardError::Inconsistent(_)) => {
                        assert!(agree.is_empty());
                        refused += 1;
                    }
                    found => found.unwrap(),
                }
                for (c, &mark) in frontier.marks.iter().enumerate() {
                    if let Mark::Safe | Mark::Mine = mark {
                        assert!(agree.iter().all(|b| b[c] == u8::from(mark == Mark::Mine)));
                    }
                }
            }
        }
        assert!(refused > 20);
    }

    #[test]
    fn what_is_no_position_of_the_board_is_refused() {
        let (graph, cells) = position(&["..", "1."]);
        let read = |cells: &[u8], fixed: &[(usize, Fixed)]| {
            Frontier::default().read(&graph, cells, fixed).unwrap_err().to_string()
        };
        assert_eq!(read(b"...", &[]), "3 cells given for a board of 4");
        assert!(read(b"..1x", &[]).contains("cell 3"));
        assert!(read(b"..1=", &[]).contains("cell 3"), "no number is above 12");
        assert!(read(&cells, &[(4, Fixed::Mine)]).contains("cell 4 is not on a board of 4"));
        assert!(read(&cells, &[(2, Fixed::Mine)]).contains("cell 2 cannot be fixed"));
        let twice = [(0, Fixed::Mine), (0, Fixed::Clear)];
        assert!(read(&cells, &twice).contains("fixed the other way"));
    }

    #[test]
    fn flags_are_unopened_cells() {
        let (graph, cells) = position(&["F.", "1F"]);
        let (_, plain) = position(&["..", "1."]);
        let (mut with, mut without) = (Frontier::default(), Frontier::default());
        with.read(&graph, &cells, &[]).unwrap();
        without.read(&graph, &plain, &[]).unwrap();
        assert_eq!((with.marks.clone(), with.key(0)), (without.marks.clone(), without.key(0)));
    }
}
