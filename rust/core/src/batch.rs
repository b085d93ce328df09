//! Many games stepped together, for reinforcement learning.
//!
//! The rules are `classic`: the board is dealt at the first click, and opening every clear cell
//! wins. Each game has its own random numbers, so games are independent of each other.

use crate::error::BoardError;
use crate::generate::{self, Rng};
use crate::mines::Mines;
use crate::topology::Graph;

/// Observation codes for cells without a number.
pub const UNOPENED: i8 = 9;
pub const FLAGGED: i8 = 10;
pub const EXPLODED: i8 = 11;

/// The observation code of a number. Numbers above 8, which only some topologies have, get the last
/// codes.
fn code(number: u8) -> i8 {
    if number < UNOPENED as u8 {
        number as i8
    } else {
        number as i8 + EXPLODED + 1 - UNOPENED
    }
}

fn is_number(code: i8) -> bool {
    !(UNOPENED..=EXPLODED).contains(&code)
}

/// The guarantee for the first click.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FirstClick {
    Any,
    Safe,
    Opening,
}

/// The reward for each event of a step.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Rewards {
    pub win: f64,
    pub loss: f64,
    /// Opening at least one clear cell.
    pub open: f64,
    /// Each clear cell opened.
    pub cell: f64,
    /// Opening a cell that touches no number, except as the first click.
    pub floating: f64,
    /// Setting or removing a flag.
    pub flag: f64,
    /// An action that the mask excludes.
    pub invalid: f64,
}

/// The settings shared by all games of a batch.
#[derive(Debug, Clone, Copy)]
pub struct Terms {
    pub mines: Mines,
    pub first_click: FirstClick,
    /// Whether there are flag actions, numbered after the open actions.
    pub flags: bool,
    /// The number of steps after which a game is truncated; None for no limit.
    pub max_steps: Option<u32>,
    pub rewards: Rewards,
}

/// How a finished game is reset.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Autoreset {
    /// It stays finished.
    Never,
    /// The next step starts a new game instead of acting.
    NextStep,
    /// A new game starts within the step that ended it.
    SameStep,
}

/// The result of a step in one game.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Outcome {
    pub reward: f64,
    pub won: bool,
    pub lost: bool,
    pub truncated: bool,
}

impl Outcome {
    pub fn is_end(&self) -> bool {
        self.won || self.lost || self.truncated
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Ready,
    Playing,
    Over,
}

#[derive(Debug, Clone)]
struct Game {
    rng: Rng,
    stage: Stage,
    mined: Vec<u8>,
    /// Clear cells that are not open.
    left: usize,
    steps: u32,
}

/// The size of a saved game's header: random state, clear cells left, steps and stage.
const HEAD: usize = 32 + 8 + 4 + 1;

/// A batch of games; cells and masks are rows of one array.
pub struct Batch {
    terms: Terms,
    size: usize,
    games: Vec<Game>,
    cells: Vec<i8>,
    mask: Vec<i8>,
    zeros: Vec<u32>,
}

impl Batch {
    /// Creates the games; each must be reset with a seed before it is played.
    pub fn new(size: usize, games: usize, terms: Terms) -> Result<Self, BoardError> {
        if let Mines::Total(mines) = terms.mines {
            if mines > size {
                return Err(BoardError::Mines(format!("{mines} mines do not fit on {size} cells")));
            }
        }
        // Each array has one value for each cell or action of each game.
        if size.checked_mul(games).is_none_or(|cells| cells as u64 >= 1 << 32) {
            return Err(BoardError::Shape(format!("{games} games of {size} cells are too many")));
        }
        let game = |_| Game {
            rng: Rng::new(0),
            stage: Stage::Ready,
            mined: vec![0; size],
            left: 0,
            steps: 0,
        };
        let actions = if terms.flags { 2 * size } else { size };
        Ok(Batch {
            terms,
            size,
            games: (0..games).map(game).collect(),
            cells: vec![UNOPENED; games * size],
            mask: vec![1; games * actions],
            zeros: Vec::new(),
        })
    }

    /// The steps of a game so far.
    pub fn steps(&self, game: usize) -> u32 {
        self.games[game].steps
    }

    pub fn len(&self) -> usize {
        self.games.len()
    }

    pub fn is_empty(&self) -> bool {
        self.games.is_empty()
    }

    /// The number of actions: one per cell to open it, then one per cell to flag it.
    pub fn actions(&self) -> usize {
        if self.terms.flags {
            2 * self.size
        } else {
            self.size
        }
    }

    /// The observations, game by game.
    pub fn cells(&self) -> &[i8] {
        &self.cells
    }

    /// The action masks, game by game: 1 for every action that has an effect.
    pub fn mask(&self) -> &[i8] {
        &self.mask
    }

    /// The mines of a finished game; None while the game is running, because they are secret.
    pub fn mined(&self, game: usize) -> Option<&[u8]> {
        let game = &self.games[game];
        (game.stage == Stage::Over).then_some(&game.mined[..])
    }

    pub fn is_over(&self, game: usize) -> bool {
        self.games[game].stage == Stage::Over
    }

    /// Starts a new game; a seed resets its random numbers.
    pub fn reset(&mut self, game: usize, seed: Option<u64>) {
        let (size, actions) = (self.size, self.actions());
        self.cells[game * size..(game + 1) * size].fill(UNOPENED);
        self.mask[game * actions..(game + 1) * actions].fill(1);
        let game = &mut self.games[game];
        if let Some(seed) = seed {
            game.rng = Rng::new(seed);
        }
        game.stage = Stage::Ready;
        game.steps = 0;
    }

    /// Puts a game into an unfinished position of the given board; if `mined` is None, the board is
    /// dealt at the first click. The seed determines all later games.
    pub fn place(
        &mut self,
        game: usize,
        cells: &[i8],
        mined: Option<&[u8]>,
        steps: u32,
        seed: u64,
    ) -> Result<(), BoardError> {
        let size = self.size;
        if cells.len() != size || mined.is_some_and(|mined| mined.len() != size) {
            return Err(BoardError::Shape(format!("a game has {size} cells")));
        }
        self.reset(game, Some(seed));
        self.cells[game * size..(game + 1) * size].copy_from_slice(cells);
        let actions = self.actions();
        let mask = &mut self.mask[game * actions..(game + 1) * actions];
        for (cell, &code) in cells.iter().enumerate() {
            mask[cell] = i8::from(code == UNOPENED);
            if actions > size {
                mask[size + cell] = i8::from(!is_number(code));
            }
        }
        let game = &mut self.games[game];
        game.steps = steps;
        if let Some(mined) = mined {
            game.stage = Stage::Playing;
            game.mined.copy_from_slice(mined);
            let clear = cells.iter().zip(mined).filter(|&(&code, &m)| m == 0 && !is_number(code));
            game.left = clear.count();
        }
        Ok(())
    }

    /// The complete state of all games, including mines, for `restore`.
    pub fn save(&self) -> Vec<u8> {
        let mut saved = Vec::new();
        for game in &self.games {
            game.rng.state().iter().for_each(|word| saved.extend(word.to_le_bytes()));
            saved.extend((game.left as u64).to_le_bytes());
            saved.extend(game.steps.to_le_bytes());
            saved.push(game.stage as u8);
            saved.extend(&game.mined);
        }
        saved.extend(self.cells.iter().chain(&self.mask).map(|&code| code as u8));
        saved
    }

    /// Restores the saved state of a batch of the same size and settings.
    pub fn restore(&mut self, saved: &[u8]) -> Result<(), BoardError> {
        let row = HEAD + self.size;
        let rest = self.cells.len() + self.mask.len();
        if saved.len() != row * self.len() + rest {
            return Err(BoardError::Shape("the saved games are of other settings".into()));
        }
        let (rows, codes) = saved.split_at(row * self.len());
        let word = |bytes: &[u8]| u64::from_le_bytes(bytes.try_into().expect("eight bytes"));
        for (game, row) in self.games.iter_mut().zip(rows.chunks_exact(row)) {
            game.rng = Rng::with_state([0, 8, 16, 24].map(|at| word(&row[at..at + 8])));
            game.left = word(&row[32..40]) as usize;
            game.steps = u32::from_le_bytes(row[40..44].try_into().expect("four bytes"));
            game.stage = match row[44] {
                0 => Stage::Ready,
                1 => Stage::Playing,
                _ => Stage::Over,
            };
            game.mined.copy_from_slice(&row[HEAD..]);
        }
        let targets = self.cells.iter_mut().chain(&mut self.mask);
        targets.zip(codes).for_each(|(to, &code)| *to = code as i8);
        Ok(())
    }

    /// Performs an action in an unfinished game; an action that the mask excludes changes nothing.
    pub fn step(
        &mut self,
        graph: &Graph,
        game: usize,
        action: usize,
    ) -> Result<Outcome, BoardError> {
        let (size, actions) = (self.size, self.actions());
        if action >= actions {
            return Err(BoardError::Shape(format!(
                "an action must be an integer from 0 to {}, got {action}",
                actions - 1
            )));
        }
        let rewards = self.terms.rewards;
        let mut outcome = Outcome::default();
        if self.mask[game * actions + action] == 0 {
            outcome.reward = rewards.invalid;
        } else if action >= size {
            self.flag(game, action - size);
            outcome.reward = rewards.flag;
        } else {
            outcome = self.open(graph, game, action)?;
        }
        let played = &mut self.games[game];
        played.steps += 1;
        outcome.truncated =
            !outcome.is_end() && self.terms.max_steps.is_some_and(|most| played.steps >= most);
        if outcome.is_end() {
            played.stage = Stage::Over;
            self.mask[game * actions..(game + 1) * actions].fill(0);
        }
        Ok(outcome)
    }

    /// Steps every game. The last observations of games that `SameStep` resets are appended to
    /// `finals`, in game order.
    pub fn step_all(
        &mut self,
        graph: &Graph,
        actions: &[i64],
        autoreset: Autoreset,
        outcomes: &mut Vec<Outcome>,
        finals: &mut Vec<i8>,
    ) -> Result<(), BoardError> {
        if actions.len() != self.len() {
            return Err(BoardError::Shape(format!(
                "{} actions given for {} games",
                actions.len(),
                self.len()
            )));
        }
        // Check all actions before stepping any game, so that an error leaves the batch unchanged.
        if let Some(bad) = actions.iter().find(|a| !(0..self.actions() as i64).contains(a)) {
            return Err(BoardError::Shape(format!(
                "an action must be an integer from 0 to {}, got {bad}",
                self.actions() - 1
            )));
        }
        for (game, &action) in actions.iter().enumerate() {
            if self.is_over(game) {
                if autoreset == Autoreset::NextStep {
                    self.reset(game, None);
                }
                outcomes.push(Outcome::default());
                continue;
            }
            let outcome = self.step(graph, game, action as usize)?;
            if outcome.is_end() && autoreset == Autoreset::SameStep {
                finals.extend_from_slice(&self.cells[game * self.size..(game + 1) * self.size]);
                self.reset(game, None);
            }
            outcomes.push(outcome);
        }
        Ok(())
    }

    fn flag(&mut self, game: usize, cell: usize) {
        let at = game * self.size + cell;
        let flagged = self.cells[at] == FLAGGED;
        self.cells[at] = if flagged { UNOPENED } else { FLAGGED };
        self.mask[game * 2 * self.size + cell] = i8::from(flagged);
    }

    fn open(&mut self, graph: &Graph, game: usize, cell: usize) -> Result<Outcome, BoardError> {
        let (size, row) = (self.size, self.actions());
        let rewards = self.terms.rewards;
        let first = self.games[game].stage == Stage::Ready;
        if first {
            self.deal(graph, game, cell)?;
        }
        let played = &mut self.games[game];
        let cells = &mut self.cells[game * size..(game + 1) * size];
        let mask = &mut self.mask[game * row..(game + 1) * row];
        if played.mined[cell] == 1 {
            cells[cell] = EXPLODED;
            return Ok(Outcome { reward: rewards.loss, lost: true, ..Outcome::default() });
        }
        let floating =
            !first && graph.neighbours(cell).iter().all(|&near| !is_number(cells[near as usize]));
        let mut opened = 0;
        self.zeros.push(cell as u32);
        cells[cell] = 0;
        while let Some(next) = self.zeros.pop() {
            let next = next as usize;
            let near = graph.neighbours(next);
            let number = near.iter().map(|&n| played.mined[n as usize]).sum::<u8>();
            cells[next] = code(number);
            mask[next] = 0;
            if row > size {
                mask[size + next] = 0;
            }
            opened += 1;
            if number == 0 {
                for &n in near {
                    // A flag protects its cell from the flood.
                    if cells[n as usize] == UNOPENED {
                        cells[n as usize] = 0;
                        self.zeros.push(n);
                    }
                }
            }
        }
        played.left -= opened;
        let won = played.left == 0;
        if won {
            // Winning flags all mines, as in `Game` and most programs.
            let mines = cells.iter_mut().zip(&played.mined).filter(|(_, &mine)| mine == 1);
            mines.for_each(|(cell, _)| *cell = FLAGGED);
        }
        let mut reward = rewards.open + rewards.cell * opened as f64;
        reward += if floating { rewards.floating } else { 0.0 };
        reward += if won { rewards.win } else { 0.0 };
        Ok(Outcome { reward, won, ..Outcome::default() })
    }

    fn deal(&mut self, graph: &Graph, game: usize, start: usize) -> Result<(), BoardError> {
        let size = self.size;
        let played = &mut self.games[game];
        let mut clear = Vec::new();
        if self.terms.first_click != FirstClick::Any {
            clear.push(start);
        }
        if self.terms.first_click == FirstClick::Opening {
            clear.extend(graph.neighbours(start).iter().map(|&near| near as usize));
        }
        match self.terms.mines {
            // If mines are few, draw them one by one with rejection: as uniform as a shuffle, and
            // several times faster.
            Mines::Total(mines) if 2 * (mines + clear.len()) <= size => {
                played.mined.fill(0);
                clear.iter().for_each(|&cell| played.mined[cell] = 2);
                let mut placed = 0;
                while placed < mines {
                    let cell = played.rng.below(size as u64) as usize;
                    placed += usize::from(played.mined[cell] == 0);
                    played.mined[cell] = played.mined[cell].max(1);
                }
                clear.iter().for_each(|&cell| played.mined[cell] = 0);
                played.left = size - mines;
            }
            Mines::Total(mines) => {
                played.mined = generate::uniform(size, mines, &clear, played.rng.next_u64())?;
                played.left = size - mines;
            }
            Mines::Density(density) => {
                played.mined = generate::independent(size, density, &clear, played.rng.next_u64())?;
                played.left = played.mined.iter().filter(|&&mine| mine == 0).count();
            }
            Mines::Unknown => {
                played.mined = generate::dealt(size, Mines::Unknown, &clear, 0)?;
            }
        }
        played.stage = Stage::Playing;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terms(mines: usize) -> Terms {
        Terms {
            mines: Mines::Total(mines),
            first_click: FirstClick::Safe,
            flags: true,
            max_steps: None,
            rewards: Rewards { win: 1.0, loss: -1.0, invalid: -0.5, ..Rewards::default() },
        }
    }

    /// A batch with one game on a single row of cells, and its graph.
    fn row(cells: usize, terms: Terms) -> (Graph, Batch) {
        let mut batch = Batch::new(cells, 1, terms).unwrap();
        batch.reset(0, Some(7));
        (Graph::rectangle(cells, 1).unwrap(), batch)
    }

    #[test]
    fn a_board_without_mines_is_won_by_one_click() {
        let (graph, mut batch) = row(5, terms(0));
        let outcome = batch.step(&graph, 0, 2).unwrap();
        assert!(outcome.won && outcome.reward == 1.0);
        assert_eq!(batch.cells(), [0; 5]);
        assert_eq!(batch.mask(), [0; 10]);
        assert_eq!(batch.mined(0), Some(&[0; 5][..]));
    }

    #[test]
    fn a_flag_protects_its_cell_and_can_be_removed() {
        let (graph, mut batch) = row(4, terms(0));
        batch.step(&graph, 0, 4).unwrap();
        assert_eq!(batch.cells(), [FLAGGED, UNOPENED, UNOPENED, UNOPENED]);
        assert_eq!(batch.mask(), [0, 1, 1, 1, 1, 1, 1, 1]);
        assert_eq!(batch.step(&graph, 0, 0).unwrap().reward, -0.5);
        batch.step(&graph, 0, 3).unwrap();
        assert_eq!(batch.cells(), [FLAGGED, 0, 0, 0]);
        batch.step(&graph, 0, 4).unwrap();
        assert!(batch.step(&graph, 0, 0).unwrap().won);
    }

    #[test]
    fn both_ways_of_dealing_are_uniform_and_keep_the_first_click_safe() {
        for (cells, mines) in [(9, 4), (9, 6)] {
            let (graph, mut batch) = row(cells, terms(mines));
            let mut seen = vec![0; cells];
            for _ in 0..4000 {
                batch.reset(0, None);
                batch.deal(&graph, 0, 3).unwrap();
                let mined = &batch.games[0].mined;
                assert_eq!(mined.iter().map(|&m| usize::from(m)).sum::<usize>(), mines);
                seen.iter_mut().zip(mined).for_each(|(seen, &mine)| *seen += usize::from(mine));
            }
            assert_eq!(seen[3], 0);
            let each = 4000 * mines / (cells - 1);
            assert!(seen.iter().enumerate().all(|(c, &n)| c == 3 || n.abs_diff(each) < 160));
        }
    }

    #[test]
    fn an_action_off_the_board_is_refused_and_moves_nothing() {
        let (graph, mut batch) = row(3, terms(1));
        let (mut outcomes, mut finals) = (vec![], vec![]);
        for actions in [&[6][..], &[-1], &[0, 0]] {
            let step =
                batch.step_all(&graph, actions, Autoreset::Never, &mut outcomes, &mut finals);
            assert!(step.is_err());
        }
        assert_eq!(batch.cells(), [UNOPENED; 3]);
    }

    #[test]
    fn saved_games_go_on_alike() {
        let (graph, mut batch) = row(9, terms(3));
        for action in [0, 12, 5, 3] {
            let mut other = Batch::new(9, 1, terms(3)).unwrap();
            other.restore(&batch.save()).unwrap();
            for action in [action, 2, 7] {
                let outcome = batch.step(&graph, 0, action).unwrap();
                assert_eq!(outcome, other.step(&graph, 0, action).unwrap());
                assert_eq!(batch.save(), other.save());
            }
            batch.reset(0, None);
            other.reset(0, None);
            assert_eq!(batch.save(), other.save());
        }
        assert!(Batch::new(9, 2, terms(3)).unwrap().restore(&batch.save()).is_err());
    }

    #[test]
    fn a_placed_game_goes_on_from_its_position() {
        let (graph, mut batch) = row(4, terms(1));
        let cells = [FLAGGED, 1, UNOPENED, UNOPENED];
        batch.place(0, &cells, Some(&[1, 0, 0, 0]), 5, 1).unwrap();
        assert_eq!(batch.cells(), cells);
        assert_eq!(batch.mask(), [0, 0, 1, 1, 1, 0, 1, 1]);
        assert!(batch.step(&graph, 0, 3).unwrap().won);
        assert!(batch.place(0, &cells[..3], None, 0, 1).is_err());
    }

    #[test]
    fn games_are_cut_off_after_the_most_steps() {
        let (graph, mut batch) = row(3, Terms { max_steps: Some(2), ..terms(1) });
        assert!(!batch.step(&graph, 0, 3).unwrap().truncated);
        assert!(batch.step(&graph, 0, 3).unwrap().truncated);
        assert!(batch.is_over(0));
    }
}
