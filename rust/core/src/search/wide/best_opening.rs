//! The best opening of a set of solutions in its frame.

use super::{Open, Wide, SMALL};
use crate::search::frame::{size, Frame, Tells};
use crate::search::matrix::Matrix;
use crate::search::memory::Known;
use crate::search::search_budget::{SearchBudget, Stopped};

impl Wide {
    #[allow(clippy::too_many_arguments)]
    pub(super) fn best_opening<const W: usize>(
        &mut self,
        matrix: &Matrix,
        frame: &Frame,
        set: usize,
        n: usize,
        open: Open,
        alpha: i64,
        budget: &mut SearchBudget,
    ) -> Result<i64, Stopped> {
        budget.state()?;
        budget.work(n * (open.to - open.from))?;
        let (from, candidates) = (self.open.len(), self.candidates.len());
        let (mut free, mut most) = (false, 1);
        let words = &self.sets[set..set + frame.width::<W>()];
        for i in open.from..open.to {
            let column = self.open[i];
            let Tells::Clear(clear) = frame.tells::<W>(column as usize, words) else { continue };
            self.open.push(column);
            if clear == n {
                free = true;
            } else {
                most = most.max(clear as i64);
                self.candidates.push((clear as u32, column));
            }
        }
        let open = Open { from, to: self.open.len() };
        if from == self.open.len() {
            Ok(1)
        } else if free {
            self.open_free::<W>(matrix, frame, set, open, alpha, budget)
        } else if most <= alpha {
            Ok(most)
        } else {
            self.open_best::<W>(matrix, frame, set, open, candidates, alpha, budget)
        }
    }

    /// Opens all informative cells that are clear in the whole set.
    fn open_free<const W: usize>(
        &mut self,
        matrix: &Matrix,
        frame: &Frame,
        set: usize,
        open: Open,
        alpha: i64,
        budget: &mut SearchBudget,
    ) -> Result<i64, Stopped> {
        let top = self.split_free::<W>(frame, set, open, budget)?;
        self.sum::<W>(matrix, frame, top, open, alpha, budget)
    }

    /// Finds the wins of the best candidate, trying the most promising ones first.
    #[allow(clippy::too_many_arguments)]
    fn open_best<const W: usize>(
        &mut self,
        matrix: &Matrix,
        frame: &Frame,
        set: usize,
        open: Open,
        candidates: usize,
        alpha: i64,
        budget: &mut SearchBudget,
    ) -> Result<i64, Stopped> {
        self.drop_dominated::<W>(frame, set, candidates, budget)?;
        for i in candidates..self.candidates.len() {
            let (clear, column) = self.candidates[i];
            if i64::from(clear) > alpha {
                let top = self.split::<W>(frame, set, column);
                self.candidates[i].0 = self.one_ply::<W>(frame, top, open, alpha, budget)? as u32;
                self.sets.truncate(top);
            }
        }
        self.candidates[candidates..].sort_unstable_by(|a, b| b.cmp(a));
        let (mut floor, mut best) = (alpha, 0);
        for i in candidates..self.candidates.len() {
            let (bound, column) = self.candidates[i];
            if i64::from(bound) <= floor {
                best = best.max(i64::from(bound));
                break;
            }
            let top = self.split::<W>(frame, set, column);
            let wins = self.sum::<W>(matrix, frame, top, open, floor, budget)?;
            best = best.max(wins);
            floor = floor.max(wins);
        }
        Ok(best)
    }

    /// Drops candidates that are clear only where another one is, since that one can be opened
    /// first at no greater loss.
    fn drop_dominated<const W: usize>(
        &mut self,
        frame: &Frame,
        set: usize,
        candidates: usize,
        budget: &mut SearchBudget,
    ) -> Result<(), Stopped> {
        self.candidates[candidates..].sort_unstable_by(|a, b| b.cmp(a));
        let words = frame.width::<W>();
        let set = &self.sets[set..set + words];
        let mut kept = candidates;
        for i in candidates..self.candidates.len() {
            budget.work(words * (kept - candidates))?;
            let column = self.candidates[i].1 as usize;
            let dominates = |&(_, other): &(u32, u32)| {
                let (own, other) = (frame.clear::<W>(column), frame.clear::<W>(other as usize));
                (0..words).fold(0, |only, j| only | (set[j] & own[j] & !other[j])) == 0
            };
            if !self.candidates[candidates..kept].iter().any(dominates) {
                self.candidates[kept] = self.candidates[i];
                kept += 1;
            }
        }
        self.candidates.truncate(kept);
        Ok(())
    }

    /// Pops all sets from `top` off the stack and returns their wins.
    fn sum<const W: usize>(
        &mut self,
        matrix: &Matrix,
        frame: &Frame,
        top: usize,
        open: Open,
        alpha: i64,
        budget: &mut SearchBudget,
    ) -> Result<i64, Stopped> {
        let (last, bounds) = (self.sets.len(), self.bounds.len());
        let mut bound = size(&self.sets[top..]) as i64;
        let sets = (top..last).step_by(frame.width::<W>());
        for set in sets.clone() {
            if bound <= alpha {
                break;
            }
            let most = self.bound::<W>(frame, set, open, budget)?;
            self.bounds.push(most as u32);
            bound -= size(&self.sets[set..set + frame.width::<W>()]) as i64 - most;
        }
        for (set, at) in sets.zip(bounds..) {
            if bound <= alpha {
                break;
            }
            bound -= i64::from(self.bounds[at]);
            bound += self.wins::<W>(matrix, frame, set, open, alpha - bound, budget)?;
        }
        self.bounds.truncate(bounds);
        self.sets.truncate(top);
        Ok(bound)
    }

    /// A bound on a set's wins, from the loss of the next opening alone.
    fn bound<const W: usize>(
        &mut self,
        frame: &Frame,
        set: usize,
        open: Open,
        budget: &mut SearchBudget,
    ) -> Result<i64, Stopped> {
        let words = &self.sets[set..set + frame.width::<W>()];
        let n = size(words);
        if n == 1 {
            return Ok(1);
        }
        budget.work(words.len() * (open.to - open.from) + frame.rivals.work(n))?;
        let large = n > SMALL;
        let known = if large { self.memory.get(self.key::<W>(frame, set)) } else { None };
        if let Some(Known::Exactly(wins) | Known::AtMost(wins)) = known {
            return Ok(wins);
        }
        let words = &self.sets[set..set + frame.width::<W>()];
        let mut most = 1;
        for &column in &self.open[open.from..open.to] {
            if let Tells::Clear(clear) = frame.tells::<W>(column as usize, words) {
                most = most.max(clear);
                if clear == n {
                    break;
                }
            }
        }
        Ok(most.min(frame.rivals.groups(words, &mut self.groups)) as i64)
    }

    /// A bound on the wins of all sets on the stack from `top`; stops refining once it is at most
    /// `alpha`.
    fn one_ply<const W: usize>(
        &mut self,
        frame: &Frame,
        top: usize,
        open: Open,
        alpha: i64,
        budget: &mut SearchBudget,
    ) -> Result<i64, Stopped> {
        let mut bound = size(&self.sets[top..]) as i64;
        for set in (top..self.sets.len()).step_by(frame.width::<W>()) {
            bound -= size(&self.sets[set..set + frame.width::<W>()]) as i64;
            bound += self.bound::<W>(frame, set, open, budget)?;
            if bound <= alpha {
                break;
            }
        }
        Ok(bound)
    }
}
