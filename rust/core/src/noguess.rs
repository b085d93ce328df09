//! Boards that sound logic opens from the first click to the last.
//!
//! `uniform` rejects boards that need a guess, so every no-guess board for the start is equally
//! likely. `fast` repairs boards where the player gets stuck: much faster where no-guess boards are
//! rare, but biased.

use crate::budget::Interrupt;
use crate::error::BoardError;
use crate::generate::{uniform, Rng};
use crate::logic::{Logic, Player, Step};
use crate::topology::Graph;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    Uniform,
    Fast,
}

/// The requested properties of a board.
#[derive(Debug, Clone)]
pub struct Request {
    pub mines: usize,
    /// The first click.
    pub start: usize,
    /// Other cells to keep clear: the start's neighbours, for an opening.
    pub clear: Vec<usize>,
    pub ceiling: Logic,
    pub method: Method,
    /// Boards to try before giving up.
    pub tries: u64,
}

/// A board that needs no guess.
#[derive(Debug, Clone)]
pub struct Found {
    pub mined: Vec<u8>,
    /// Number of boards tried, including this one.
    pub tries: u64,
}

/// Generates no-guess boards; reuse one for many boards.
#[derive(Debug, Default)]
pub struct Dealer {
    player: Player,
    interrupt: Option<Interrupt>,
}

/// Rounds of repairing and checking before a board is given up.
const ROUNDS: usize = 40;
/// Stuck numbers per number that is repaired before the player goes on.
const STUCK_A_MEND: usize = 24;

impl Dealer {
    /// Polls this between steps whether to stop; then no board is found.
    pub fn set_interrupt(&mut self, interrupt: Option<Interrupt>) {
        self.interrupt = interrupt;
    }

    fn is_interrupted(&self) -> bool {
        self.interrupt.as_ref().is_some_and(Interrupt::is_set)
    }

    /// A board as requested, or None if none was found within the tries.
    pub fn deal(
        &mut self,
        graph: &Graph,
        request: &Request,
        seed: u64,
    ) -> Result<Option<Found>, BoardError> {
        if request.start >= graph.len() {
            return Err(BoardError::Shape(format!(
                "cell {} is not on a board of {} cells",
                request.start,
                graph.len()
            )));
        }
        let mut rng = Rng::new(seed);
        let mut clear = request.clear.clone();
        clear.push(request.start);
        for tries in 1..=request.tries {
            if self.is_interrupted() {
                break;
            }
            let mut mined = uniform(graph.len(), request.mines, &clear, rng.next_u64())?;
            let solved = match request.method {
                Method::Uniform => self.plays(graph, &mined, request),
                Method::Fast => self.mended(graph, &mut mined, request, &clear, &mut rng),
            };
            if solved {
                return Ok(Some(Found { mined, tries }));
            }
        }
        Ok(None)
    }

    /// Whether logic up to the ceiling can open the board from the start.
    pub fn plays(&mut self, graph: &Graph, mined: &[u8], request: &Request) -> bool {
        self.player.reset(graph, mined);
        self.player.open(graph, mined, request.start);
        self.player.play(graph, mined, request.ceiling)
    }

    /// The deductions that open a board, always the easiest kind that applies; None if they do not
    /// open it.
    pub fn path(&mut self, graph: &Graph, mined: &[u8], request: &Request) -> Option<Vec<Step>> {
        if mined[request.start] != 0 {
            return None;
        }
        self.player.path = Some(Vec::new());
        let solved = self.plays(graph, mined, request);
        let path = self.player.path.take();
        path.filter(|_| solved)
    }

    /// Plays, moves mines where that gets stuck, and replays the changed board from the start,
    /// until a board goes through unchanged.
    fn mended(
        &mut self,
        graph: &Graph,
        mined: &mut [u8],
        request: &Request,
        clear: &[usize],
        rng: &mut Rng,
    ) -> bool {
        let mut fixed = vec![false; graph.len()];
        for &cell in clear {
            fixed[cell] = true;
        }
        for _ in 0..ROUNDS {
            self.player.reset(graph, mined);
            self.player.open(graph, mined, request.start);
            let mut changed = false;
            while !self.player.play(graph, mined, request.ceiling) {
                if self.is_interrupted() || !self.mend(graph, mined, &fixed, rng) {
                    return false;
                }
                changed = true;
            }
            if !changed {
                return true;
            }
        }
        false
    }

    /// Empties or fills the unknown cells around stuck numbers; false if that is impossible.
    fn mend(&mut self, graph: &Graph, mined: &mut [u8], fixed: &[bool], rng: &mut Rng) -> bool {
        let player = &self.player;
        let mut near = vec![false; graph.len()];
        let mut witnesses: Vec<usize> = Vec::new();
        for cell in (0..graph.len()).filter(|&c| player.is_witness(c)) {
            witnesses.push(cell);
            for &n in graph.neighbours(cell) {
                near[n as usize] = true;
            }
        }
        if witnesses.is_empty() {
            return self.breach(graph, mined, rng);
        }
        // Where mines may move to or from: away from every stuck number.
        let (mut full, mut empty): (Vec<usize>, Vec<usize>) = (0..graph.len())
            .filter(|&c| player.is_unknown(c) && !fixed[c] && !near[c])
            .partition(|&c| mined[c] == 1);
        let mut touched: Vec<usize> = Vec::new();
        let wanted = 1 + witnesses.len() / STUCK_A_MEND;
        let mut mended = 0;
        for _ in 0..wanted + 8 {
            let w = witnesses[rng.below(witnesses.len() as u64) as usize];
            let around = graph.neighbours(w).iter().map(|&n| n as usize);
            let (mines, free): (Vec<usize>, Vec<usize>) = around
                .filter(|&n| self.player.is_unknown(n) && !fixed[n])
                .partition(|&n| mined[n] == 1);
            // Emptying opens the board up; filling is for when there is no room left for mines.
            let (cells, pool, to) = if !mines.is_empty() && mines.len() <= empty.len() {
                (mines, &mut empty, 0)
            } else if !free.is_empty() && free.len() <= full.len() {
                (free, &mut full, 1)
            } else {
                continue;
            };
            for cell in cells {
                let other = pool.swap_remove(rng.below(pool.len() as u64) as usize);
                mined[cell] = to;
                mined[other] = 1 - to;
                touched.extend([cell, other]);
            }
            mended += 1;
            if mended == wanted {
                break;
            }
        }
        self.recount(graph, mined, &touched);
        mended > 0
    }

    /// Where proved mines wall in clear cells: clears one cell of the wall, and moves its mine
    /// inside.
    fn breach(&mut self, graph: &Graph, mined: &mut [u8], rng: &mut Rng) -> bool {
        let player = &self.player;
        let inside: Vec<usize> =
            (0..graph.len()).filter(|&c| player.is_unknown(c) && mined[c] == 0).collect();
        let wall: Vec<usize> = (0..graph.len())
            .filter(|&c| player.is_wall(c))
            .filter(|&c| graph.neighbours(c).iter().any(|&n| player.is_unknown(n as usize)))
            .filter(|&c| graph.neighbours(c).iter().any(|&n| player.is_opened(n as usize)))
            .collect();
        if inside.is_empty() || wall.is_empty() {
            return false;
        }
        let cell = wall[rng.below(wall.len() as u64) as usize];
        let other = inside[rng.below(inside.len() as u64) as usize];
        mined[cell] = 0;
        mined[other] = 1;
        self.player.forget(graph, cell);
        self.recount(graph, mined, &[cell, other]);
        true
    }

    fn recount(&mut self, graph: &Graph, mined: &[u8], touched: &[usize]) {
        for &cell in touched {
            for &n in graph.neighbours(cell) {
                self.player.recount(graph, mined, n as usize);
            }
        }
    }
}
