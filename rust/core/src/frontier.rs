//! From a position to what has to be counted: cells settled by single numbers, the boxes and
//! components of the rest, and the floating cells.
//!
//! *Witness*: an opened number with an unopened neighbour. *Box*: unopened cells with exactly the
//! same witnesses. *Component*: a part of the frontier that shares no witness with the rest.

use crate::error::{BoardError, Inconsistency};
use crate::topology::{Graph, MAX_DEGREE};

/// What is known of a cell once single numbers have settled what they can.
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
    /// Unopened and touching no number that still says anything.
    Floating,
}

/// A cell that the caller decides: for dealers and roll-outs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fixed {
    Clear,
    Mine,
}

/// The structure of one component, free of where on the board it lies, as one run of integers.
///
/// Witnesses and boxes are numbered in the order of a breadth-first search, so equal neighbourhoods
/// usually give equal shapes, and a shape can be the key of a cache.
/// Layout: witnesses, boxes, each witness's need, then per box its size, how many
/// witnesses it has, and these.
pub type ShapeKey = [u32];

/// A readable form of a shape.
#[derive(Debug, Clone)]
pub struct Shape {
    /// The mines each witness still needs.
    pub needs: Vec<u8>,
    /// The cells in each box.
    pub sizes: Vec<u8>,
    starts: Vec<u32>,
    witnesses: Vec<u32>,
}

impl Shape {
    pub fn decode(key: &ShapeKey) -> Shape {
        let (witnesses, boxes) = (key[0] as usize, key[1] as usize);
        let needs = key[2..2 + witnesses].iter().map(|&n| n as u8).collect();
        let mut shape = Shape {
            needs,
            sizes: Vec::with_capacity(boxes),
            starts: Vec::with_capacity(boxes + 1),
            witnesses: Vec::with_capacity(key.len()),
        };
        shape.starts.push(0);
        let mut at = 2 + witnesses;
        for _ in 0..boxes {
            let count = key[at + 1] as usize;
            shape.sizes.push(key[at] as u8);
            shape.witnesses.extend_from_slice(&key[at + 2..at + 2 + count]);
            shape.starts.push(shape.witnesses.len() as u32);
            at += 2 + count;
        }
        shape
    }

    pub fn boxes(&self) -> usize {
        self.sizes.len()
    }

    /// The witnesses of one box.
    #[inline]
    pub fn witnesses(&self, b: usize) -> &[u32] {
        &self.witnesses[self.starts[b] as usize..self.starts[b + 1] as usize]
    }

    pub fn cells(&self) -> usize {
        self.sizes.iter().map(|&s| usize::from(s)).sum()
    }
}

/// Where one component lies, as ranges into the frontier's arrays.
#[derive(Debug, Clone, Copy)]
struct Span {
    key: (u32, u32),
    cells: (u32, u32),
    numbers: (u32, u32),
}

/// A position made ready for counting. Reused between positions so that its buffers are.
#[derive(Debug, Default)]
pub struct Frontier {
    pub marks: Vec<Mark>,
    /// Floating cells.
    pub floating: usize,
    /// Mines that are opened, fixed or proved by single numbers.
    pub mines: usize,
    spans: Vec<Span>,
    keys: Vec<u32>,
    cells: Vec<u32>,
    numbers: Vec<u32>,
    // Scratch, by cell. Where there is no witness, `need` and `unknown` hold `NO_NEED` and
    // `NO_UNKNOWN`, which no loss to neighbours can bring to any bound.
    sums: Vec<u8>,
    around: Vec<u16>,
    need: Vec<i8>,
    unknown: Vec<i8>,
    local: Vec<u32>,
    // Scratch: the cells of witnesses, and of those whose number settles its neighbours.
    witnesses: Vec<u32>,
    stack: Vec<u32>,
    // Scratch, by component: each cell's box, each box's size and witnesses.
    cell_box: Vec<u32>,
    found: Vec<u32>,
    box_size: Vec<u32>,
    box_at: Vec<(u32, u32)>,
    box_witnesses: Vec<u32>,
    box_hash: Vec<u64>,
    table: Vec<u32>,
}

const NONE: u32 = u32::MAX;
const NO_NEED: i8 = 64;
const NO_UNKNOWN: i8 = i8::MAX;
// A neighbour's part of a witness's sum: unopened cells in the low bits, mines above.
const ONE_UNKNOWN: u8 = 1;
const ONE_MINE: u8 = 32;

fn is_unopened(byte: u8) -> bool {
    (byte == b'.') | (byte == b'F')
}

fn is_cell(byte: u8) -> bool {
    is_unopened(byte) | byte.is_ascii_digit() | (byte == b'*')
}

/// How many unknown cells lie around a number, and how many of them are mines.
#[inline]
fn number_and_need(byte: u8, sum: u16) -> (i8, i8) {
    let (mines, unknown) = (sum / u16::from(ONE_MINE), sum % u16::from(ONE_MINE));
    (unknown as i8, (byte.wrapping_sub(b'0') as i8).wrapping_sub(mines as i8))
}

impl Frontier {
    /// Reads a position of ASCII cells: `.` and `F` unopened, a digit, `*` an opened mine.
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
        self.clear(size);
        // Plain selections over whole arrays: the compiler turns them into vector code.
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
        self.divide(graph);
        self.floating = self.marks.iter().filter(|&&m| m == Mark::Floating).count();
        Ok(())
    }

    fn clear(&mut self, size: usize) {
        self.marks.clear();
        self.sums.clear();
        self.need.clear();
        self.need.resize(size, NO_NEED);
        self.unknown.clear();
        self.unknown.resize(size, NO_UNKNOWN);
        self.local.clear();
        self.local.resize(size, NONE);
        self.mines = 0;
        self.floating = 0;
        self.spans.clear();
        self.keys.clear();
        self.cells.clear();
        self.numbers.clear();
        self.witnesses.clear();
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

    /// Finds the witnesses and what each needs.
    ///
    /// Which cells are open follows no pattern a processor could predict, so nothing here branches
    /// on it: everything is worked out for every cell, and kept where it applies. Returns how many
    /// of them settle their neighbours, and are on the stack.
    fn collect_witnesses(&mut self, graph: &Graph, cells: &[u8]) -> Result<usize, BoardError> {
        let sums = &self.sums;
        self.around.clear();
        self.around.extend(
            graph.rows().map(|row| row.iter().map(|&n| u16::from(sums[n as usize])).sum::<u16>()),
        );
        let mut bad = false;
        let slots = self.need.iter_mut().zip(&mut self.unknown);
        for ((&byte, &sum), (need, unknown)) in cells.iter().zip(&self.around).zip(slots) {
            let (around, left) = number_and_need(byte, sum);
            let is_number = byte.is_ascii_digit();
            bad |= is_number & ((left < 0) | (left > around));
            let is_witness = is_number & (around > 0);
            *need = if is_witness { left } else { NO_NEED };
            *unknown = if is_witness { around } else { NO_UNKNOWN };
        }
        if bad {
            return Err(self.wrong_number(cells));
        }
        self.witnesses.resize(cells.len(), 0);
        // Never shrinks: what lies above its top is scratch.
        self.stack.resize(self.stack.len().max(cells.len()), 0);
        let (mut witnesses, mut settled) = (0, 0);
        for (cell, (&need, &unknown)) in self.need.iter().zip(&self.unknown).enumerate() {
            self.witnesses[witnesses] = cell as u32;
            witnesses += usize::from(unknown != NO_UNKNOWN);
            self.stack[settled] = cell as u32;
            settled += usize::from((need == 0) | (need == unknown));
        }
        self.witnesses.truncate(witnesses);
        Ok(settled)
    }

    /// The first number that cannot be.
    fn wrong_number(&self, cells: &[u8]) -> BoardError {
        let wrong = cells.iter().zip(&self.around).enumerate().find_map(|(cell, (&byte, &sum))| {
            let (unknown, need) = number_and_need(byte, sum);
            let cannot_be = byte.is_ascii_digit() && (need < 0 || need > unknown);
            cannot_be.then(|| Inconsistency::Number {
                cell,
                number: byte - b'0',
                opened_mines: usize::from(sum / u16::from(ONE_MINE)),
                unopened: unknown as usize,
            })
        });
        // Only called where there is one.
        BoardError::Inconsistent(wrong.unwrap_or(Inconsistency::Component { numbers: Vec::new() }))
    }

    /// Settles cells by single numbers, to a fixed point.
    fn propagate(&mut self, graph: &Graph, mut top: usize) -> Result<(), BoardError> {
        // Borrowed once: through `self` every access would load its array anew.
        let (need, unknown) = (&mut self.need[..], &mut self.unknown[..]);
        let marks = &mut self.marks[..];
        let mut bad = false;
        while top > 0 {
            top -= 1;
            let w = self.stack[top] as usize;
            if unknown[w] <= 0 {
                continue;
            }
            let mine = i8::from(need[w] > 0);
            let mark = if mine > 0 { Mark::Mine } else { Mark::Safe };
            for &cell in graph.neighbours(w) {
                let cell = cell as usize;
                if marks[cell] != Mark::Floating {
                    continue;
                }
                marks[cell] = mark;
                self.mines += mine as usize;
                // As above, no branches: each neighbour is pushed, and stays if it is settled.
                let around = graph.neighbours(cell);
                if self.stack.len() < top + around.len() {
                    self.stack.resize(2 * top + around.len(), 0);
                }
                for &n in around {
                    let v = n as usize;
                    unknown[v] -= 1;
                    need[v] -= mine;
                    let (need, unknown) = (need[v], unknown[v]);
                    bad |= (need < 0) | (need > unknown);
                    self.stack[top] = n;
                    top += usize::from(((need == 0) | (need == unknown)) & (unknown > 0));
                }
            }
            if bad {
                return Err(self.contradiction(graph));
            }
        }
        Ok(())
    }

    /// The numbers around one that its neighbours contradict.
    fn contradiction(&self, graph: &Graph) -> BoardError {
        let is_wrong = |&w: &usize| self.need[w] < 0 || self.need[w] > self.unknown[w];
        // Only called where there is one.
        self.conflict(graph, (0..graph.len()).find(is_wrong).unwrap_or(0))
    }

    /// Says that the numbers joined to one of them contradict each other.
    ///
    /// They are joined over settled cells as well: without these the rest may be no contradiction.
    pub fn conflict(&self, graph: &Graph, number: usize) -> BoardError {
        let mut numbers = vec![number];
        let mut reached = vec![false; graph.len()];
        reached[number] = true;
        let mut next = 0;
        while next < numbers.len() {
            for &cell in graph.neighbours(numbers[next]) {
                if matches!(self.marks[cell as usize], Mark::Opened | Mark::Exploded) {
                    continue;
                }
                for &n in graph.neighbours(cell as usize) {
                    if self.is_witness(n) && !reached[n as usize] {
                        reached[n as usize] = true;
                        numbers.push(n as usize);
                    }
                }
            }
            next += 1;
        }
        numbers.sort_unstable();
        BoardError::Inconsistent(Inconsistency::Component { numbers })
    }

    /// Finds the components of what single numbers left open, and their boxes.
    fn divide(&mut self, graph: &Graph) {
        for i in 0..self.witnesses.len() {
            let first = self.witnesses[i] as usize;
            if self.unknown[first] == 0 || self.local[first] != NONE {
                continue;
            }
            let numbers_from = self.numbers.len();
            self.found.clear();
            self.local[first] = 0;
            self.numbers.push(first as u32);
            let mut next = numbers_from;
            while next < self.numbers.len() {
                for &cell in graph.neighbours(self.numbers[next] as usize) {
                    if self.marks[cell as usize] != Mark::Floating {
                        continue;
                    }
                    self.marks[cell as usize] = Mark::Frontier;
                    self.found.push(cell);
                    for &n in graph.neighbours(cell as usize) {
                        if self.is_witness(n) && self.local[n as usize] == NONE {
                            self.local[n as usize] = (self.numbers.len() - numbers_from) as u32;
                            self.numbers.push(n);
                        }
                    }
                }
                next += 1;
            }
            self.gather_boxes(graph);
            self.store(numbers_from);
        }
    }

    #[inline]
    fn is_witness(&self, cell: u32) -> bool {
        self.unknown[cell as usize] < NO_UNKNOWN - MAX_DEGREE as i8
    }

    /// Puts the found cells into boxes by their witnesses.
    fn gather_boxes(&mut self, graph: &Graph) {
        self.cell_box.clear();
        self.box_size.clear();
        self.box_at.clear();
        self.box_witnesses.clear();
        self.box_hash.clear();
        // Few cells are searched in line; many through a table of buckets.
        let buckets =
            if self.found.len() > 24 { (self.found.len() * 2).next_power_of_two() } else { 0 };
        self.table.clear();
        self.table.resize(buckets, NONE);
        for i in 0..self.found.len() {
            let from = self.box_witnesses.len();
            let mut hash = 0u64;
            for &n in graph.neighbours(self.found[i] as usize) {
                if self.is_witness(n) {
                    let local = self.local[n as usize];
                    self.box_witnesses.push(local);
                    hash = (hash ^ u64::from(local)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
                    hash ^= hash >> 29;
                }
            }
            let mine = &self.box_witnesses[from..];
            let same = |b: usize| {
                let (start, end) = self.box_at[b];
                self.box_hash[b] == hash
                    && self.box_witnesses[start as usize..end as usize] == *mine
            };
            let mut slot = 0;
            let known = if buckets == 0 {
                (0..self.box_at.len()).find(|&b| same(b))
            } else {
                slot = hash as usize & (buckets - 1);
                loop {
                    match self.table[slot] {
                        NONE => break None,
                        b if same(b as usize) => break Some(b as usize),
                        _ => slot = (slot + 1) & (buckets - 1),
                    }
                }
            };
            match known {
                Some(b) => {
                    self.box_witnesses.truncate(from);
                    self.box_size[b] += 1;
                    self.cell_box.push(b as u32);
                }
                None => {
                    let b = self.box_at.len() as u32;
                    if buckets > 0 {
                        self.table[slot] = b;
                    }
                    self.cell_box.push(b);
                    self.box_size.push(1);
                    self.box_hash.push(hash);
                    self.box_at.push((from as u32, self.box_witnesses.len() as u32));
                }
            }
        }
    }

    fn store(&mut self, numbers_from: usize) {
        let key_from = self.keys.len();
        let cells_from = self.cells.len();
        let witnesses = self.numbers.len() - numbers_from;
        self.keys.push(witnesses as u32);
        self.keys.push(self.box_at.len() as u32);
        for &number in &self.numbers[numbers_from..] {
            self.keys.push(self.need[number as usize] as u32);
        }
        // Cells in the order of their boxes: a counting sort whose counters start at each box.
        let mut start = cells_from as u32;
        for (b, &(from, to)) in self.box_at.iter().enumerate() {
            let size = self.box_size[b];
            self.keys.push(size);
            self.keys.push(to - from);
            self.keys.extend_from_slice(&self.box_witnesses[from as usize..to as usize]);
            self.box_size[b] = start;
            start += size;
        }
        self.cells.resize(start as usize, 0);
        for (i, &cell) in self.found.iter().enumerate() {
            let place = &mut self.box_size[self.cell_box[i] as usize];
            self.cells[*place as usize] = cell;
            *place += 1;
        }
        self.spans.push(Span {
            key: (key_from as u32, self.keys.len() as u32),
            cells: (cells_from as u32, start),
            numbers: (numbers_from as u32, self.numbers.len() as u32),
        });
    }

    /// How many components there are.
    pub fn components(&self) -> usize {
        self.spans.len()
    }

    pub fn key(&self, component: usize) -> &ShapeKey {
        let (from, to) = self.spans[component].key;
        &self.keys[from as usize..to as usize]
    }

    /// The cells of a component, box after box.
    pub fn cells(&self, component: usize) -> &[u32] {
        let (from, to) = self.spans[component].cells;
        &self.cells[from as usize..to as usize]
    }

    /// Calls `visit(box, cell, mark)` for every cell of a component whose boxes have these sizes.
    pub fn each_cell(
        &mut self,
        component: usize,
        sizes: &[u8],
        mut visit: impl FnMut(usize, u32, &mut Mark),
    ) {
        let (from, to) = self.spans[component].cells;
        let mut cells = self.cells[from as usize..to as usize].iter();
        for (b, &size) in sizes.iter().enumerate() {
            for &cell in cells.by_ref().take(usize::from(size)) {
                visit(b, cell, &mut self.marks[cell as usize]);
            }
        }
    }

    /// The numbers of a component.
    pub fn numbers(&self, component: usize) -> &[u32] {
        let (from, to) = self.spans[component].numbers;
        &self.numbers[from as usize..to as usize]
    }
}
