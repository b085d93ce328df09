//! A game with its rules: opening, flags, question marks, chords and undo.
//!
//! The rules are `classic` and `no-guess`. Equal settings and equal actions give the same game as
//! Python's `sapper.Game`, whose documentation describes the rules.

use std::collections::BTreeSet;
use std::sync::Arc;

pub use crate::batch::FirstClick;
use crate::error::BoardError;
use crate::generate;
use crate::logic::Logic;
use crate::metrics;
use crate::mines::Mines;
use crate::noguess::{Dealer, Method, Request, TRIES};
use crate::play::Table;
use crate::seeds::substream;
use crate::topology::Graph;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// No cell is open yet.
    Ready,
    Playing,
    Won,
    Lost,
}

/// How a game is won.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Win {
    /// By opening every clear cell.
    Open,
    /// By flagging exactly the mines.
    Flags,
    Either,
}

/// The number of flags needed around a number to chord it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Chord {
    Exact,
    AtLeast,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    Open,
    Flag,
    Question,
    Chord,
}

/// The settings of a game.
#[derive(Debug, Clone, Copy)]
pub struct Terms {
    pub mines: Mines,
    pub first_click: FirstClick,
    pub win: Win,
    pub chord: Chord,
    /// Whether actions can be undone.
    pub undo: bool,
    pub seed: u64,
    /// The hardest logic of boards that need no guess, and the method that finds them.
    pub no_guess: Option<(Logic, Method)>,
}

/// Why an action was rejected; nothing has changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Rejected {
    /// The game is over.
    Over,
    /// No board without guesses was found for the first click.
    NoBoard,
    Board(BoardError),
}

impl From<BoardError> for Rejected {
    fn from(error: BoardError) -> Self {
        Rejected::Board(error)
    }
}

/// Click counts, including undone clicks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    pub left: u32,
    pub right: u32,
    pub chords: u32,
    pub left_effective: u32,
    pub right_effective: u32,
    pub chords_effective: u32,
    pub undos: u32,
}

/// The mines of a game.
#[derive(Debug, Clone)]
struct Laid {
    mined: Vec<u8>,
    numbers: Vec<u8>,
    mines: usize,
}

/// The changes made by an action, for undo.
#[derive(Debug)]
struct Step {
    status: Status,
    /// Whether the mines had been placed.
    laid: bool,
    opened: Vec<u32>,
    /// Other changed cells, each with its previous character.
    before: Vec<(u32, u8)>,
    /// Cells whose question mark was added or removed.
    questions: Vec<u32>,
}

pub struct Round {
    graph: Arc<Graph>,
    terms: Terms,
    table: Table,
    board: Option<Laid>,
    status: Status,
    questions: BTreeSet<u32>,
    opened: usize,
    flags: usize,
    counts: Counts,
    history: Vec<Step>,
    changed: Vec<u32>,
}

impl Round {
    /// A game whose mines are placed at the first click.
    pub fn new(graph: Arc<Graph>, terms: Terms) -> Self {
        let cells = vec![b'.'; graph.len()];
        Self::begin(graph, terms, cells, None)
    }

    /// A game on a given board, without a first-click promise.
    pub fn on(graph: Arc<Graph>, terms: Terms, mined: Vec<u8>) -> Self {
        let cells = vec![b'.'; graph.len()];
        Self::begin(graph, terms, cells, Some(mined))
    }

    /// A game from a position, on a board that fits it; the board is ignored if no cell is open.
    pub fn begin(graph: Arc<Graph>, terms: Terms, cells: Vec<u8>, mined: Option<Vec<u8>>) -> Self {
        let opened = cells.iter().filter(|&&c| is_number(c)).count();
        let flags = cells.iter().filter(|&&c| c == b'F').count();
        let board = mined.map(|mined| Laid::new(&graph, mined));
        let mut round = Round {
            graph,
            terms,
            table: Table::default(),
            board,
            status: if opened > 0 { Status::Playing } else { Status::Ready },
            questions: BTreeSet::new(),
            opened,
            flags,
            counts: Counts::default(),
            history: Vec::new(),
            changed: Vec::new(),
        };
        round.table.cells = cells;
        if round.status == Status::Playing && round.is_won() {
            round.status = Status::Won;
            let mut step = round.step();
            round.flag_mines(&mut step);
        }
        round
    }

    /// One ASCII character for each cell, as in a position.
    pub fn cells(&self) -> &[u8] {
        &self.table.cells
    }

    pub fn status(&self) -> Status {
        self.status
    }

    pub fn is_over(&self) -> bool {
        matches!(self.status, Status::Won | Status::Lost)
    }

    pub fn flags(&self) -> usize {
        self.flags
    }

    pub fn questions(&self) -> impl Iterator<Item = u32> + '_ {
        self.questions.iter().copied()
    }

    pub fn counts(&self) -> Counts {
        self.counts
    }

    pub fn can_undo(&self) -> bool {
        !self.history.is_empty()
    }

    /// The cells that the last action changed, in cell order.
    pub fn changed(&self) -> &[u32] {
        &self.changed
    }

    /// The mines; None before the end, because they are secret.
    pub fn mined(&self) -> Option<&[u8]> {
        self.board.as_ref().filter(|_| self.is_over()).map(|board| &board.mined[..])
    }

    /// The 3BV of the board and its solved part; None before the mines are placed.
    pub fn bbbv(&self) -> Option<(usize, usize)> {
        let board = self.board.as_ref()?;
        let open: Vec<bool> = self.table.cells.iter().map(|&c| is_number(c)).collect();
        let solved = metrics::solved(&self.graph, &board.mined, &open);
        Some((metrics::metrics(&self.graph, &board.mined).bbbv, solved))
    }

    /// Performs an action; returns whether it had an effect.
    pub fn act(&mut self, action: Action, cell: usize) -> Result<bool, Rejected> {
        if cell >= self.graph.len() {
            return Err(BoardError::Shape(format!("there is no cell {cell}")).into());
        }
        if self.is_over() {
            return Err(Rejected::Over);
        }
        self.changed.clear();
        let has_effect = match action {
            Action::Open => self.open(cell)?,
            Action::Chord => self.chord(cell)?,
            Action::Flag => self.mark(cell, self.table.cells[cell] == b'.', false),
            Action::Question => self.mark(cell, false, !self.questions.contains(&(cell as u32))),
        };
        let counts = &mut self.counts;
        let (all, effective) = match action {
            Action::Open => (&mut counts.left, &mut counts.left_effective),
            Action::Chord => (&mut counts.chords, &mut counts.chords_effective),
            Action::Flag | Action::Question => (&mut counts.right, &mut counts.right_effective),
        };
        *all += 1;
        *effective += u32::from(has_effect);
        Ok(has_effect)
    }

    /// Undoes the last action that had an effect; returns whether there was one.
    pub fn undo(&mut self) -> bool {
        self.changed.clear();
        let Some(step) = self.history.pop() else { return false };
        self.counts.undos += 1;
        self.take_back(&step);
        self.note(&step);
        true
    }

    fn open(&mut self, cell: usize) -> Result<bool, Rejected> {
        if self.table.cells[cell] != b'.' {
            return Ok(false);
        }
        self.open_all(&[cell as u32])
    }

    /// Opens the other neighbours of a number whose flags match it.
    fn chord(&mut self, cell: usize) -> Result<bool, Rejected> {
        let cells = &self.table.cells;
        if !is_number(cells[cell]) {
            return Ok(false);
        }
        let number = usize::from(cells[cell] - b'0');
        let around = self.graph.neighbours(cell);
        let holding = |what: u8| around.iter().copied().filter(move |&n| cells[n as usize] == what);
        let flags = holding(b'F').count();
        let enough = match self.terms.chord {
            Chord::Exact => flags == number,
            Chord::AtLeast => flags >= number,
        };
        let unopened: Vec<u32> = if enough { holding(b'.').collect() } else { Vec::new() };
        Ok(!unopened.is_empty() && self.open_all(&unopened)?)
    }

    fn open_all(&mut self, targets: &[u32]) -> Result<bool, Rejected> {
        let mut step = self.step();
        if self.opened == 0 && self.board.is_none() {
            let mined = self.deal(targets[0] as usize)?;
            self.board = Some(Laid::new(&self.graph, mined));
        }
        let Some(board) = &self.board else { unreachable!("the mines have been placed") };
        for &target in targets {
            let cell = target as usize;
            // A target may already be open, as part of an earlier target's opening.
            if self.table.cells[cell] != b'.' {
                continue;
            }
            if board.mined[cell] == 1 {
                self.table.cells[cell] = b'*';
                step.before.push((target, b'.'));
                self.status = Status::Lost;
                break;
            }
            let opened = &mut step.opened;
            self.table.open_each(&self.graph, &board.numbers, cell, |c| opened.push(c as u32));
        }
        self.opened += step.opened.len();
        if self.status == Status::Ready {
            self.status = Status::Playing;
        }
        if !self.questions.is_empty() {
            let opened = std::mem::take(&mut step.opened);
            let exploded = step.before.iter().map(|&(cell, _)| cell);
            let gone: Vec<u32> = opened.iter().copied().chain(exploded).collect();
            step.opened = opened;
            self.drop_questions(&mut step, &gone);
        }
        self.finish(step);
        Ok(true)
    }

    /// Sets the marks of a cell to exactly these, if it is unopened.
    fn mark(&mut self, cell: usize, flag: bool, question: bool) -> bool {
        let before = self.table.cells[cell];
        if before != b'.' && before != b'F' {
            return false;
        }
        let mut step = self.step();
        if flag != (before == b'F') {
            self.table.cells[cell] = if flag { b'F' } else { b'.' };
            self.flags = if flag { self.flags + 1 } else { self.flags - 1 };
            step.before.push((cell as u32, before));
        }
        if question != self.questions.contains(&(cell as u32)) {
            self.toggle_question(cell as u32);
            step.questions.push(cell as u32);
        }
        self.finish(step);
        true
    }

    fn toggle_question(&mut self, cell: u32) {
        if !self.questions.remove(&cell) {
            self.questions.insert(cell);
        }
    }

    fn drop_questions(&mut self, step: &mut Step, cells: &[u32]) {
        for cell in cells {
            if self.questions.remove(cell) {
                step.questions.push(*cell);
            }
        }
    }

    fn step(&self) -> Step {
        Step {
            status: self.status,
            laid: self.board.is_some(),
            opened: Vec::new(),
            before: Vec::new(),
            questions: Vec::new(),
        }
    }

    /// Checks whether the game is won, and records the step.
    fn finish(&mut self, mut step: Step) {
        if self.status == Status::Playing && self.is_won() {
            self.status = Status::Won;
            self.flag_mines(&mut step);
        }
        self.note(&step);
        if self.terms.undo {
            self.history.push(step);
        }
    }

    fn is_won(&self) -> bool {
        let Some(board) = &self.board else { return false };
        let cleared = self.opened == board.mined.len() - board.mines;
        let flagged = || {
            let marked = self.table.cells.iter().zip(&board.mined).filter(|(&c, _)| c == b'F');
            self.flags == board.mines && marked.fold(true, |all, (_, &mined)| all && mined == 1)
        };
        match self.terms.win {
            Win::Open => cleared,
            Win::Flags => flagged(),
            Win::Either => cleared || flagged(),
        }
    }

    /// Flags every mine, as Minesweeper programs do after a win.
    fn flag_mines(&mut self, step: &mut Step) {
        let Some(board) = &self.board else { return };
        let cells = &mut self.table.cells;
        let flagged: Vec<u32> = (0..cells.len() as u32)
            .filter(|&cell| board.mined[cell as usize] == 1 && cells[cell as usize] == b'.')
            .collect();
        for &cell in &flagged {
            cells[cell as usize] = b'F';
            step.before.push((cell, b'.'));
        }
        self.flags += flagged.len();
        self.drop_questions(step, &flagged);
    }

    fn take_back(&mut self, step: &Step) {
        for &cell in &step.opened {
            self.table.cells[cell as usize] = b'.';
        }
        self.opened -= step.opened.len();
        for &(cell, before) in &step.before {
            let now = std::mem::replace(&mut self.table.cells[cell as usize], before);
            self.flags += usize::from(before == b'F');
            self.flags -= usize::from(now == b'F');
        }
        for &cell in &step.questions {
            self.toggle_question(cell);
        }
        if !step.laid {
            self.board = None;
        }
        self.status = step.status;
    }

    /// Records the cells that a step changed.
    fn note(&mut self, step: &Step) {
        let before = step.before.iter().map(|&(cell, _)| cell);
        self.changed.extend(step.opened.iter().copied().chain(before));
        self.changed.extend(&step.questions);
        self.changed.sort_unstable();
        self.changed.dedup();
    }

    /// Places the mines for a first click.
    fn deal(&self, cell: usize) -> Result<Vec<u8>, Rejected> {
        let Terms { mines, first_click, seed, no_guess, .. } = self.terms;
        let mut clear = Vec::new();
        if first_click != FirstClick::Any {
            clear.push(cell);
        }
        if first_click == FirstClick::Opening {
            clear.extend(self.graph.neighbours(cell).iter().map(|&n| n as usize));
        }
        let (Some((ceiling, method)), Mines::Total(mines)) = (no_guess, mines) else {
            let drawn = substream(seed, "deal", 0);
            return Ok(generate::dealt(self.graph.len(), mines, &clear, drawn)?);
        };
        let request = Request { mines, start: cell, clear, ceiling, method, tries: TRIES };
        let found = Dealer::deal_seed(&self.graph, &request, seed, None)?;
        found.map(|found| found.mined).ok_or(Rejected::NoBoard)
    }
}

impl Laid {
    fn new(graph: &Graph, mined: Vec<u8>) -> Self {
        let numbers = graph.numbers(&mined);
        let mines = mined.iter().filter(|&&m| m == 1).count();
        Laid { mined, numbers, mines }
    }
}

fn is_number(cell: u8) -> bool {
    // Numbers above nine follow the digits: see `Frontier::read`.
    (b'0'..b'F').contains(&cell)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terms(undo: bool) -> Terms {
        Terms {
            mines: Mines::Total(1),
            first_click: FirstClick::Safe,
            win: Win::Open,
            chord: Chord::Exact,
            undo,
            seed: 7,
            no_guess: None,
        }
    }

    /// Three cells in a row, with a mine at the left.
    fn round(undo: bool) -> Round {
        let graph = Arc::new(Graph::rectangle(3, 1).unwrap());
        Round::on(graph, terms(undo), vec![1, 0, 0])
    }

    #[test]
    fn a_chord_opens_the_neighbours_and_undo_covers_them_again() {
        let mut round = round(true);
        assert!(round.act(Action::Open, 1).unwrap());
        assert!(!round.act(Action::Chord, 1).unwrap(), "no flag yet");
        assert!(round.act(Action::Flag, 0).unwrap());
        assert!(round.act(Action::Chord, 1).unwrap());
        assert_eq!((round.cells(), round.status()), (&b"F10"[..], Status::Won));
        assert_eq!(round.mined(), Some(&[1, 0, 0][..]));
        assert_eq!(round.act(Action::Open, 2), Err(Rejected::Over));
        assert!(round.undo());
        assert_eq!((round.cells(), round.status()), (&b"F1."[..], Status::Playing));
        assert_eq!((round.changed(), round.mined()), (&[2][..], None));
    }

    #[test]
    fn a_wrong_chord_loses_and_a_question_mark_replaces_a_flag() {
        let mut round = round(true);
        round.act(Action::Open, 1).unwrap();
        round.act(Action::Flag, 2).unwrap();
        assert!(round.act(Action::Question, 2).unwrap());
        assert_eq!((round.flags(), round.questions().collect::<Vec<_>>()), (0, vec![2]));
        round.act(Action::Flag, 2).unwrap();
        assert!(round.act(Action::Chord, 1).unwrap());
        assert_eq!((round.cells(), round.status()), (&b"*1F"[..], Status::Lost));
        assert_eq!(round.bbbv(), Some((1, 0)));
    }

    #[test]
    fn without_undo_no_steps_are_kept() {
        let mut round = round(false);
        round.act(Action::Open, 1).unwrap();
        assert!(!round.can_undo() && !round.undo());
    }

    #[test]
    fn the_first_click_is_dealt_again_after_undo() {
        let graph = Arc::new(Graph::rectangle(4, 4).unwrap());
        let many = Terms { mines: Mines::Total(15), ..terms(true) };
        let mut round = Round::new(graph, many);
        for cell in 0..16 {
            assert!(round.act(Action::Open, cell).unwrap());
            assert_eq!(round.status(), Status::Won, "the only clear cell is the first one");
            assert!(round.undo());
            assert_eq!(round.status(), Status::Ready);
        }
    }
}
