//! The whole analysis of a position.

use crate::clock::{Duration, Instant};
use std::collections::HashMap;
use std::sync::Arc;

use num_bigint::BigUint;

use crate::allowed::Allowed;
use crate::budget::Budget;
pub use crate::budget::{Interrupt, Limit, DEFAULT_STATES, SMALL_MEMORY};
use crate::bytes::each;
use crate::component::Component;
use crate::error::{BoardError, Inconsistency};
use crate::frontier::{Fixed, Frontier, Mark, Shape, ShapeKey, MARKS};
use crate::lattice::Stopped;
use crate::mines::{Knowledge, Mines};
use crate::order;
use crate::share::BoxShare;
use crate::solutions;
use crate::topology::Graph;
use crate::total::{Part, Rest, Weights};

/// The result of analysing a position. Cells are indices.
#[derive(Debug, Clone)]
pub struct Analysis {
    /// Each cell's chance of being a mine; NaN for opened cells.
    pub p_mine: Vec<f64>,
    /// Cells proved clear and cells proved to be mines, in cell order.
    pub safe: Vec<u32>,
    pub mined: Vec<u32>,
    /// For estimates, the 95 % half-width of each `p_mine`: 0 if it is exact, NaN for opened cells.
    pub p_mine_error: Option<Vec<f64>>,
    /// The natural logarithm of the total weight of all arrangements that fit; NaN if not exact.
    /// Subtracting the value of a position from that of a later one gives the logarithm of a
    /// probability.
    pub log_weight: f64,
    /// Components beyond the budget, for a solver that proves cells.
    pub unsolved: Vec<Unsolved>,
    /// The factors of the solution count.
    components: Vec<Arc<Component>>,
    floating: usize,
    mines: Option<i64>,
    /// Whether the arrangement of mines in all unopened cells does not count, because the game is
    /// not over.
    goes_on: bool,
}

/// A component as constraints: numbers of mines among cells.
#[derive(Debug, Clone)]
pub struct Unsolved {
    pub constraints: Vec<(u32, Vec<u32>)>,
    /// The numbers from which the constraints follow.
    pub numbers: Vec<u32>,
    /// Cells that are mines in at least one known arrangement of the component, and cells that are
    /// clear in at least one.
    pub seen_mined: Vec<u32>,
    pub seen_clear: Vec<u32>,
}

impl Analysis {
    pub fn is_exact(&self) -> bool {
        self.p_mine_error.is_none()
    }

    pub(crate) fn empty(floating: usize, mines: Option<i64>) -> Self {
        Analysis {
            p_mine: Vec::new(),
            safe: Vec::new(),
            mined: Vec::new(),
            p_mine_error: None,
            log_weight: f64::NAN,
            unsolved: Vec::new(),
            components: Vec::new(),
            floating,
            mines,
            goes_on: false,
        }
    }

    /// Marks a cell as proved, and corrects its estimate.
    pub(crate) fn settle(&mut self, cell: u32, mark: Option<Mark>) {
        match mark {
            Some(Mark::Safe) => self.safe.push(cell),
            Some(Mark::Mine) => self.mined.push(cell),
            _ => {}
        }
        if let Some(mark) = mark {
            self.p_mine[cell as usize] = if mark == Mark::Mine { 1.0 } else { 0.0 };
            if let Some(error) = &mut self.p_mine_error {
                error[cell as usize] = 0.0;
            }
        }
    }

    /// The exact number of arrangements that fit; None if not everything was counted.
    pub fn solutions(&self) -> Option<BigUint> {
        self.solutions_within(&Budget::unlimited())
    }

    /// Like `solutions`, but also None if the budget is too small for numbers of this length.
    pub fn solutions_within(&self, budget: &Budget) -> Option<BigUint> {
        if !self.is_exact() {
            return None;
        }
        let counted = solutions::count(&self.components, self.floating, self.mines, budget)?;
        Some(counted - BigUint::from(u32::from(self.goes_on)))
    }
}

/// An analyser that remembers solved components, so each move re-solves only the changed ones.
#[derive(Debug)]
pub struct Engine {
    pub(crate) frontier: Frontier,
    /// Solved components by the hash of their shape.
    solved: HashMap<u64, Known, Hasher>,
    remembered: usize,
    pub(crate) shares: Vec<BoxShare>,
    /// The frontier's marks, and the cells proved by whole components.
    proved: Vec<Mark>,
    interrupt: Option<Interrupt>,
    deadline: Option<Instant>,
    /// The number of states left for all calls together.
    states: u64,
}

#[derive(Debug)]
struct Known {
    graded: bool,
    key: Box<ShapeKey>,
    component: Arc<Component>,
}

/// Shapes are short sequences of small integers, not user input: a multiplicative hash is enough.
fn hash(key: &ShapeKey, graded: bool) -> u64 {
    let mix = |hash: u64, &word: &u32| {
        (hash.rotate_left(23) ^ u64::from(word)).wrapping_mul(0x9E37_79B9_7F4A_7C15)
    };
    let hash = key.iter().fold(u64::from(graded), mix);
    hash ^ (hash >> 32)
}

type Hasher = std::hash::BuildHasherDefault<Hashed>;

/// A hasher for keys that are already hashes: it passes them through.
#[derive(Debug, Default, Clone, Copy)]
pub struct Hashed(u64);

impl std::hash::Hasher for Hashed {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, _: &[u8]) {
        unreachable!("only hashes are hashed")
    }
    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }
}

/// Capacity for remembered components, in steps of their lattices; the cache is cleared when it is
/// full.
const REMEMBERED_STEPS: usize = if SMALL_MEMORY { 500_000 } else { 4_000_000 };

/// Shapes longer than this are solved last.
const WIDE: usize = 2000;
/// The fraction of the time reserved for an exact answer; the rest is for estimates.
const EXACT_PART: f64 = 0.6;

/// Time ran out before a component's box shares were computed.
struct Late {
    component: usize,
}

/// A position that has been read and counted.
pub(crate) struct Counted {
    pub components: Vec<Option<Arc<Component>>>,
    /// For each uncounted component, the order of its boxes, if one was found in time.
    pub orders: Vec<Option<Vec<u32>>>,
    pub rest: Rest,
    /// The prior knowledge of the mines and, with a total, the mines left to place.
    pub known: Mines,
    pub mines: Option<i64>,
    /// Whether the numbers allow that only mines are unopened, although the game is not over.
    pub goes_on: bool,
    /// The time it took to read the position; writing the answer takes about as long.
    pub reading: Duration,
}

impl Default for Engine {
    fn default() -> Self {
        Engine {
            frontier: Frontier::default(),
            solved: HashMap::default(),
            remembered: 0,
            shares: Vec::new(),
            proved: Vec::new(),
            interrupt: None,
            deadline: None,
            states: u64::MAX,
        }
    }
}

impl Engine {
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets a function to poll for early stops; any unfinished work then counts as too large for
    /// the budget.
    pub fn set_interrupt(&mut self, interrupt: Option<Interrupt>) {
        self.interrupt = interrupt;
    }

    /// Ends every call at this time, even if its own limit is later.
    pub fn set_deadline(&mut self, deadline: Option<Instant>) {
        self.deadline = deadline;
    }

    /// Limits the states of all calls together, in addition to their own limits.
    pub fn set_states(&mut self, states: u64) {
        self.states = states;
    }

    /// Whether states or time ran out, or a stop was requested.
    pub fn is_spent(&self) -> bool {
        self.states == 0
            || self.deadline.is_some_and(|end| Instant::now() >= end)
            || self.interrupt.as_ref().is_some_and(Interrupt::is_set)
    }

    pub(crate) fn budget(&self, limit: Limit) -> Budget {
        let limit = Limit { states: limit.states.min(self.states), ..limit };
        Budget::new(limit, self.interrupt.clone()).until(self.deadline)
    }

    /// Forgets every component, but keeps the buffers.
    pub fn forget(&mut self) {
        self.solved.clear();
        self.remembered = 0;
        self.frontier.forget();
    }

    /// Analyses a position of ASCII cells (see `Frontier::read`), given what else is known about it.
    ///
    /// If the position can only be that of a game that is over, `Knowledge::running` is ignored.
    pub fn analyze(
        &mut self,
        graph: &Graph,
        cells: &[u8],
        known: impl Into<Knowledge>,
        limit: Limit,
    ) -> Result<Analysis, BoardError> {
        let known = known.into().settled(cells);
        let budget = self.budget(limit);
        let mut exactly = budget.part(EXACT_PART);
        let mut counted = self.count(graph, cells, known, &[], &mut exactly)?;
        if counted.components.iter().any(Option::is_none) {
            return self.estimate(counted, budget);
        }
        let components: Vec<Arc<Component>> =
            counted.components.iter().flatten().map(Arc::clone).collect();
        match self.exact(&components, &counted, &exactly)? {
            Ok(mut out) => {
                out.components = components;
                Ok(out)
            }
            Err(Late { component }) => {
                counted.components[component] = None;
                self.estimate(counted, budget)
            }
        }
    }

    /// The exact answer if every component was counted, or the uncounted components.
    fn exact(
        &mut self,
        components: &[Arc<Component>],
        counted: &Counted,
        budget: &Budget,
    ) -> Result<Result<Analysis, Late>, BoardError> {
        let parts: Vec<Part> = components.iter().map(|c| c.part()).collect();
        let (weights, allowed) = match counted.known {
            Mines::Density(_) | Mines::Unknown => {
                let mut weights = Weights::untotalled(&parts, counted.rest.floating, counted.known);
                let mut allowed = Allowed::all(&self.frontier);
                if counted.goes_on {
                    weights.go_on(self.frontier.floating, counted.known);
                    allowed.floating_can_be_mine = self.frontier.floating > 1;
                }
                (weights, allowed)
            }
            Mines::Total(mines) => {
                let mut late = None;
                let allowed = Allowed::new(&parts, counted.rest, |i| {
                    components[i].support(budget).unwrap_or_else(|| {
                        late = Some(i);
                        vec![true; parts[i].counts.len()]
                    })
                })
                .ok_or_else(|| {
                    wrong_total(mines, &self.frontier, components.iter().map(|c| Some(&**c)))
                })?;
                if let Some(component) = late {
                    return Ok(Err(Late { component }));
                }
                (Weights::new(&parts, counted.rest), allowed)
            }
        };
        let mut out = Analysis::empty(self.frontier.floating, counted.mines);
        out.goes_on = counted.goes_on;
        let exponent = components.iter().map(|c| c.exponent).sum();
        out.log_weight = self.log_weight(counted.known, weights.log_total, exponent);
        let filled = self.fill(components, &weights, &allowed, budget, &mut out);
        Ok(filled.map(|()| out))
    }

    /// The minimum and maximum number of mines next to numbers, whatever the total; None if a
    /// component is too wide for the budget.
    pub fn frontier_mines(
        &mut self,
        graph: &Graph,
        cells: &[u8],
        limit: Limit,
    ) -> Result<Option<(usize, usize)>, BoardError> {
        // Components are counted by mine count only if a total is given; its value does not matter
        // here.
        let total = Mines::Total(graph.len());
        let counted = self.count(graph, cells, total.into(), &[], &mut self.budget(limit))?;
        let exploded = self.frontier.marks.iter().filter(|&&m| m == Mark::Exploded).count();
        let proved = self.frontier.mines - exploded;
        let range = |(least, most), component: &Option<Arc<Component>>| {
            let component = component.as_ref()?;
            Some((least + component.least as usize, most + component.most() as usize))
        };
        Ok(counted.components.iter().try_fold((proved, proved), range))
    }

    /// The logarithm of the total weight of all arrangements. `components` is the same for the
    /// components alone, whose weights are scaled down by two to the power `exponent`.
    pub(crate) fn log_weight(&self, known: Mines, components: f64, exponent: i64) -> f64 {
        let scaled = components + exponent as f64 * std::f64::consts::LN_2;
        match known {
            Mines::Total(_) => scaled,
            _ => {
                // A floating cell has weight 1 if it is clear; if it is a mine, its weight is the
                // odds of a mine.
                let floating = self.frontier.floating as f64 * -(-known.density()).ln_1p();
                scaled + floating + self.frontier.mines as f64 * known.log_odds()
            }
        }
    }

    /// Reads the position and solves the components that are not remembered.
    pub(crate) fn count(
        &mut self,
        graph: &Graph,
        cells: &[u8],
        known: Knowledge,
        fixed: &[(usize, Fixed)],
        budget: &mut Budget,
    ) -> Result<Counted, BoardError> {
        let states = budget.states;
        let counted = self.count_within(graph, cells, known, fixed, budget);
        self.states = self.states.saturating_sub(states - budget.states);
        counted
    }

    fn count_within(
        &mut self,
        graph: &Graph,
        cells: &[u8],
        Knowledge { mines: known, running }: Knowledge,
        fixed: &[(usize, Fixed)],
        budget: &mut Budget,
    ) -> Result<Counted, BoardError> {
        let before = budget.elapsed();
        self.frontier.read(graph, cells, fixed)?;
        let reading = budget.elapsed().saturating_sub(before);
        budget.reserve(reading);
        let total = self.frontier.components();
        let (mut components, mut orders) = (vec![None; total], vec![None; total]);
        // Wide components come last, because they may take all the remaining time.
        let is_wide = |frontier: &Frontier, i: usize| frontier.key(i).len() > WIDE;
        let mut wide: Vec<usize> = Vec::new();
        for i in 0..total {
            if is_wide(&self.frontier, i) {
                wide.push(i);
            } else {
                components[i] =
                    self.component(graph, i, known.are_counted(), budget, &mut orders[i])?;
            }
        }
        wide.sort_by_key(|&i| self.frontier.key(i).len());
        for i in wide {
            components[i] =
                self.component(graph, i, known.are_counted(), budget, &mut orders[i])?;
        }
        let mines = known.total();
        let rest = Rest {
            mines: mines.map_or(0, |m| m as i64 - self.frontier.mines as i64),
            floating: self.frontier.floating as i64,
        };
        if let Some(mines) = mines {
            if rest.mines < 0 {
                let counted = components.iter().map(Option::as_deref);
                return Err(wrong_total(mines, &self.frontier, counted));
            }
        }
        let goes_on = running
            && mines.is_none()
            && self.frontier.floating > 0
            && self.frontier.allows_only_mines();
        let mines = mines.map(|_| rest.mines);
        Ok(Counted { components, orders, rest, known, mines, goes_on, reading })
    }

    fn component(
        &mut self,
        graph: &Graph,
        i: usize,
        graded: bool,
        budget: &mut Budget,
        found_order: &mut Option<Vec<u32>>,
    ) -> Result<Option<Arc<Component>>, BoardError> {
        if budget.is_late_after(self.frontier.key(i).len()) {
            return Ok(None);
        }
        let key = self.frontier.key(i);
        let hash = hash(key, graded);
        let same = |known: &&Known| known.graded == graded && *known.key == *key;
        if let Some(known) = self.solved.get(&hash).filter(same) {
            // Charge it as if it were new, because the answer must not depend on earlier calls.
            let states = u64::from(known.component.lattice.states) - 1;
            if budget.states <= states {
                budget.states /= 4;
                return Ok(None);
            }
            budget.states -= states;
            return Ok(Some(Arc::clone(&known.component)));
        }
        let before = budget.states;
        let shape = Shape::decode(key);
        let Some(order) = order::best(&shape, budget) else { return Ok(None) };
        match Component::solve(&shape, &order, graded, budget) {
            Ok(solved) => {
                let solved = Arc::new(solved);
                self.remembered += solved.lattice.steps() + key.len();
                if self.remembered > REMEMBERED_STEPS {
                    self.solved.clear();
                    self.remembered = solved.lattice.steps() + key.len();
                }
                let component = Arc::clone(&solved);
                let known = Known { graded, key: key.into(), component };
                // Of shapes with equal hashes, which are very rare, the last one is remembered.
                self.solved.insert(hash, known);
                Ok(Some(solved))
            }
            Err(Stopped::Budget) => {
                // Reserves a quarter of the failed component's budget for later components.
                budget.states = before / 4;
                *found_order = Some(order);
                Ok(None)
            }
            Err(Stopped::Empty) => {
                Err(self.frontier.conflict(graph, self.frontier.numbers(i)[0] as usize))
            }
        }
    }

    fn fill(
        &mut self,
        components: &[Arc<Component>],
        weights: &Weights,
        allowed: &Allowed,
        budget: &Budget,
        out: &mut Analysis,
    ) -> Result<(), Late> {
        let floating = BoxShare {
            p_mine: weights.floating_p_mine,
            can_be_mine: allowed.floating_can_be_mine,
            can_be_clear: allowed.floating_can_be_clear,
        };
        // Tables and scans instead of branches, which are hard to predict. Chances of proved cells
        // are exactly 0 or 1.
        let floating_mark = floating.proves().unwrap_or(Mark::Floating);
        let chance = |mark: Mark, p: f64| match mark {
            Mark::Opened | Mark::Exploded => f64::NAN,
            Mark::Safe => 0.0,
            Mark::Mine => 1.0,
            Mark::Frontier | Mark::Floating => p,
        };
        let marks = &self.frontier.marks;
        let mut chances = MARKS.map(|mark| chance(mark, f64::NAN));
        chances[Mark::Floating as usize] = chance(floating_mark, floating.p_mine);
        out.p_mine.extend(marks.iter().map(|&mark| chances[mark as usize]));
        self.proved.clone_from(marks);
        if floating_mark != Mark::Floating {
            let proved = self.proved.iter_mut().filter(|mark| **mark == Mark::Floating);
            proved.for_each(|mark| *mark = floating_mark);
        }
        for (i, component) in components.iter().enumerate() {
            let counts = allowed.counts.as_ref().map(|a| &a[i][..]);
            if !component.shares(weights.of(i), counts, budget, &mut self.shares) {
                return Err(Late { component: i });
            }
            let mut cells = self.frontier.cells(i).iter();
            for (share, &size) in self.shares.iter().zip(&component.sizes) {
                let mark = share.proves().unwrap_or(Mark::Frontier);
                let p = chance(mark, share.p_mine);
                for &cell in cells.by_ref().take(usize::from(size)) {
                    out.p_mine[cell as usize] = p;
                    self.proved[cell as usize] = mark;
                }
            }
        }
        each(&self.proved, |mark| mark == Mark::Safe, |cell| out.safe.push(cell as u32));
        each(&self.proved, |mark| mark == Mark::Mine, |cell| out.mined.push(cell as u32));
        Ok(())
    }
}

impl Component {
    pub(crate) fn part(&self) -> Part<'_> {
        Part { least: self.least, counts: &self.counts }
    }
}

/// The mine counts that fit the position; an uncounted component may hold any number.
pub(crate) fn wrong_total<'a>(
    mines: usize,
    frontier: &Frontier,
    components: impl Iterator<Item = Option<&'a Component>>,
) -> BoardError {
    let (mut least, mut most) = (frontier.mines, frontier.mines + frontier.floating);
    for (i, component) in components.enumerate() {
        least += component.map_or(0, |c| c.least as usize);
        most += component.map_or_else(|| frontier.cells(i).len(), |c| c.most() as usize);
    }
    BoardError::Inconsistent(Inconsistency::Total { mines, least, most })
}

#[cfg(test)]
mod tests {
    use num_traits::ToPrimitive;

    use super::*;
    use crate::testing::{boards, crowded_position, position, random_position, running};

    #[test]
    fn every_figure_is_that_of_all_boards_listed() {
        let mut engine = Engine::new();
        for seed in 0..150 {
            let (graph, cells, _) = random_position(seed);
            for mines in [None, Some(5)] {
                let listed = running(&cells, mines, boards(&graph, &cells, mines));
                let found = engine.analyze(&graph, &cells, mines, Limit::default()).unwrap();
                assert_eq!(found.solutions().unwrap().to_usize(), Some(listed.len()));
                let share = |cell: usize| {
                    let mined = listed.iter().filter(|board| board[cell] == 1).count();
                    mined as f64 / listed.len() as f64
                };
                let unopened = || (0..cells.len()).filter(|&c| cells[c] == b'.');
                assert!(unopened().all(|c| (found.p_mine[c] - share(c)).abs() < 1e-12));
                let sure =
                    |p: f64| unopened().filter(|&c| share(c) == p).map(|c| c as u32).collect();
                assert_eq!((found.safe, found.mined), (sure(0.0), sure(1.0)));
            }
        }
    }

    #[test]
    fn a_density_weighs_all_boards_listed() {
        let mut engine = Engine::new();
        let random = (0..100).map(|seed| (random_position(seed).0, random_position(seed).1));
        let crowded = (0..100).map(crowded_position).filter(|(_, cells)| {
            // Listing all boards takes long on open ones.
            cells.iter().filter(|&&cell| cell == b'.').count() < 18
        });
        let (mut excluded, mut certain) = (0, 0);
        for (graph, cells) in random.chain(crowded) {
            let all = boards(&graph, &cells, None);
            let on = running(&cells, None, all.clone());
            excluded += usize::from(on.len() < all.len());
            certain += usize::from(on.len() == 1 && all.len() == 2);
            let densities = [0.02f64, 0.2, 0.5, 0.9].map(Mines::Density);
            for mines in densities.into_iter().chain([Mines::Unknown]) {
                let odds = mines.log_odds().exp();
                let weight = |board: &Vec<u8>| {
                    odds.powi(board.iter().filter(|&&mine| mine == 1).count() as i32)
                };
                for (running, listed) in [(false, &all), (true, &on)] {
                    let whole: f64 = listed.iter().map(weight).sum();
                    let known = Knowledge { mines, running };
                    let found = engine.analyze(&graph, &cells, known, Limit::default()).unwrap();
                    assert_eq!(found.solutions().unwrap().to_usize(), Some(listed.len()));
                    for cell in (0..cells.len()).filter(|&c| cells[c] == b'.') {
                        let mined: f64 = listed.iter().filter(|b| b[cell] == 1).map(weight).sum();
                        assert!((found.p_mine[cell] - mined / whole).abs() < 1e-12);
                        let all_mined = listed.iter().all(|board| board[cell] == 1);
                        let all_clear = listed.iter().all(|board| board[cell] == 0);
                        assert_eq!(found.mined.contains(&(cell as u32)), all_mined);
                        assert_eq!(found.safe.contains(&(cell as u32)), all_clear);
                    }
                    if running {
                        let part = found.log_weight;
                        let known = Knowledge { mines, running: false };
                        let found = engine.analyze(&graph, &cells, known, Limit::default());
                        let share = (part - found.unwrap().log_weight).exp();
                        let expected = whole / all.iter().map(weight).sum::<f64>();
                        assert!((share - expected).abs() < 1e-12);
                    }
                }
            }
        }
        assert!(excluded > 20 && certain > 0, "{excluded} {certain}");
    }

    #[test]
    fn a_density_of_zero_or_one_leaves_one_board() {
        let (graph, cells) = position(&["...", ".1.", "..."]);
        let none = Engine::new().analyze(&graph, &cells, Mines::Density(0.0), Limit::default());
        let total = Inconsistency::Total { mines: 0, least: 1, most: 1 };
        assert_eq!(none.unwrap_err(), BoardError::Inconsistent(total));
        let (graph, cells) = position(&["..", "2."]);
        assert!(Engine::new()
            .analyze(&graph, &cells, Mines::Density(1.0), Limit::default())
            .is_err());
        let (graph, cells) = position(&["..", "3."]);
        let all = Engine::new().analyze(&graph, &cells, Mines::Density(1.0), Limit::default());
        assert_eq!(all.unwrap().mined, [0, 1, 3]);
    }

    #[test]
    fn what_is_remembered_changes_no_answer() {
        let mut remembering = Engine::new();
        for _ in 0..2 {
            for seed in 0..20 {
                let (graph, cells, _) = random_position(seed);
                let analyze =
                    |engine: &mut Engine| engine.analyze(&graph, &cells, Some(5), Limit::default());
                let (old, new) = (analyze(&mut remembering), analyze(&mut Engine::new()));
                let bits = |found: Result<Analysis, BoardError>| -> Vec<u64> {
                    found.unwrap().p_mine.iter().map(|p| p.to_bits()).collect()
                };
                assert_eq!(bits(old), bits(new));
            }
        }
    }

    #[test]
    fn a_total_that_the_numbers_rule_out_is_an_error_with_the_range() {
        let (graph, cells) = position(&["..", "11"]);
        for mines in [0, 2] {
            let found = Engine::new().analyze(&graph, &cells, Some(mines), Limit::default());
            let total = Inconsistency::Total { mines, least: 1, most: 1 };
            assert_eq!(found.unwrap_err(), BoardError::Inconsistent(total));
        }
    }

    #[test]
    fn the_mines_of_the_frontier_are_bounded_by_all_boards_listed() {
        for seed in 0..50 {
            let (graph, cells, _) = random_position(seed);
            let near = |c: usize| graph.neighbours(c).iter().any(|&n| cells[n as usize] != b'.');
            let laid = |board: &Vec<u8>| {
                let frontier = (0..cells.len()).filter(|&c| board[c] == 1 && near(c));
                frontier.count()
            };
            let listed: Vec<usize> = boards(&graph, &cells, None).iter().map(laid).collect();
            let range = (*listed.iter().min().unwrap(), *listed.iter().max().unwrap());
            let found = Engine::new().frontier_mines(&graph, &cells, Limit::default());
            assert_eq!(found.unwrap(), Some(range));
        }
    }
}
