//! Boards that sound logic can open from the first click to the last.
//!
//! `uniform` rejects boards that need a guess, so all no-guess boards for a start cell are equally
//! likely. `fast` repairs boards where the player gets stuck: biased, but much faster if no-guess
//! boards are rare.

use crate::budget::Interrupt;
use crate::error::BoardError;
use crate::generate::{uniform, Rng};
use crate::logic::{Logic, Player, Step};
use crate::seeds::substream;
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
    /// The maximum number of boards to try.
    pub tries: u64,
}

/// A board that needs no guess.
#[derive(Debug, Clone)]
pub struct Found {
    pub mined: Vec<u8>,
    /// Number of boards tried, including this one.
    pub tries: u64,
}

/// A generator of no-guess boards; reuse one for many boards.
#[derive(Debug, Default)]
pub struct Dealer {
    player: Player,
    interrupt: Option<Interrupt>,
}

/// Rounds of repairing and checking per board.
const ROUNDS: usize = 40;
/// One number is repaired before the player continues, plus one more per this many stuck numbers.
const STUCK_A_MEND: usize = 24;
/// The boards tried with the random numbers of one substream of a seed.
const TRIES_A_STREAM: u64 = 500;
/// The default number of boards tried.
pub const TRIES: u64 = 20_000;

impl Dealer {
    /// Sets a function to poll between steps; if it asks to stop, no board is returned.
    pub fn set_interrupt(&mut self, interrupt: Option<Interrupt>) {
        self.interrupt = interrupt;
    }

    fn is_interrupted(&self) -> bool {
        self.interrupt.as_ref().is_some_and(Interrupt::is_set)
    }

    /// A board that meets the request; None if no attempt finds one.
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

    /// The board of a seed, as in Python's `sapper.generation.noguess`; None if there is none.
    pub fn deal_seed(
        graph: &Graph,
        request: &Request,
        seed: u64,
        interrupt: Option<Interrupt>,
    ) -> Result<Option<Found>, BoardError> {
        // Use a new dealer for each board, because a seed's board must not depend on earlier ones.
        let mut dealer = Dealer { interrupt, ..Dealer::default() };
        let mut done = 0;
        while done < request.tries && !dealer.is_interrupted() {
            let tries = TRIES_A_STREAM.min(request.tries - done);
            let part = Request { tries, ..request.clone() };
            let drawn = substream(seed, "no-guess", done);
            if let Some(found) = dealer.deal(graph, &part, drawn)? {
                return Ok(Some(Found { tries: done + found.tries, ..found }));
            }
            done += tries;
        }
        Ok(None)
    }

    /// Whether logic up to the ceiling can open the board from the start.
    pub fn plays(&mut self, graph: &Graph, mined: &[u8], request: &Request) -> bool {
        self.player.reset(graph, mined);
        self.player.open(graph, mined, request.start);
        self.player.play(graph, mined, request.ceiling)
    }

    /// The deductions that open a board, each of the easiest kind that applies; None if logic
    /// cannot open it.
    pub fn path(&mut self, graph: &Graph, mined: &[u8], request: &Request) -> Option<Vec<Step>> {
        if mined[request.start] != 0 {
            return None;
        }
        self.player.path = Some(Vec::new());
        let solved = self.plays(graph, mined, request);
        let path = self.player.path.take();
        path.filter(|_| solved)
    }

    /// Plays the board, moves mines where the player gets stuck, and starts again, until a board is
    /// solved without changes.
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

    /// Clears or fills the unknown cells around stuck numbers; false if that is impossible.
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
        // The cells that mines may move to or from: those away from all stuck numbers.
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
            // Clearing opens up the board; filling is for when there is no room left for mines.
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

    /// If proved mines enclose clear cells, moves one of these mines inside the enclosure.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::{Engine, Limit};

    fn request(graph: &Graph, method: Method) -> Request {
        Request {
            mines: 12,
            start: 0,
            clear: graph.neighbours(0).iter().map(|&n| n as usize).collect(),
            ceiling: Logic::Total,
            method,
            tries: 10_000,
        }
    }

    #[test]
    fn a_board_is_opened_by_proofs_of_the_exact_engine_alone() {
        let graph = Graph::rectangle(8, 8).unwrap();
        for method in [Method::Uniform, Method::Fast] {
            for seed in 0..5 {
                let request = request(&graph, method);
                let found = Dealer::default().deal(&graph, &request, seed).unwrap().unwrap();
                assert_eq!(found.mined.iter().map(|&m| usize::from(m)).sum::<usize>(), 12);
                assert!(request.clear.iter().all(|&cell| found.mined[cell] == 0));
                let numbers = graph.numbers(&found.mined);
                let mut cells = vec![b'.'; graph.len()];
                cells[0] = b'0' + numbers[0];
                let mut engine = Engine::new();
                let mut left = 64 - 12 - 1;
                while left > 0 {
                    let known = engine.analyze(&graph, &cells, Some(12), Limit::default()).unwrap();
                    assert!(!known.safe.is_empty(), "a guess is needed");
                    for &cell in &known.safe {
                        cells[cell as usize] = b'0' + numbers[cell as usize];
                        left -= 1;
                    }
                }
            }
        }
    }

    #[test]
    fn a_seed_names_a_board_and_an_interrupt_ends_the_search() {
        let graph = Graph::rectangle(8, 8).unwrap();
        let request = request(&graph, Method::Fast);
        let mut dealer = Dealer::default();
        let deal = |dealer: &mut Dealer| dealer.deal(&graph, &request, 7).unwrap();
        let (one, two) = (deal(&mut dealer).unwrap(), deal(&mut Dealer::default()).unwrap());
        assert_eq!((one.mined, one.tries), (two.mined, two.tries));
        dealer.set_interrupt(Some(Interrupt::new(|| true)));
        assert!(deal(&mut dealer).is_none());
    }

    #[test]
    fn the_path_opens_every_clear_cell_once() {
        let graph = Graph::rectangle(8, 8).unwrap();
        let request = request(&graph, Method::Fast);
        let mut dealer = Dealer::default();
        let found = dealer.deal(&graph, &request, 3).unwrap().unwrap();
        let path = dealer.path(&graph, &found.mined, &request).unwrap();
        let mined: Vec<u32> = path.iter().flat_map(|step| step.mined.clone()).collect();
        assert!(mined.iter().all(|&cell| found.mined[cell as usize] == 1));
        assert!(path.iter().all(|step| !step.safe.is_empty() || !step.mined.is_empty()));
        let wrong = Request { start: mined[0] as usize, ..request };
        assert!(dealer.path(&graph, &found.mined, &wrong).is_none());
    }
}
