//! What openings leave of a set of solutions.

use super::{Open, Wide};
use crate::search::frame::Frame;

impl Wide {
    /// Puts what opening a cell leaves of a set on the stack.
    pub(super) fn split<const W: usize>(
        &mut self,
        frame: &Frame,
        set: usize,
        column: u32,
    ) -> usize {
        let top = self.sets.len();
        let column = frame.columns[column as usize];
        for number in column.from..column.to {
            let new = self.sets.len();
            for (i, shown) in frame.shown::<W>(number).iter().enumerate() {
                self.sets.push(self.sets[set + i] & shown);
            }
            if self.sets[new..].iter().all(|&word| word == 0) {
                self.sets.truncate(new);
            }
        }
        top
    }

    /// Puts the sets on the stack that opening all cells that are clear in a whole set leaves.
    pub(super) fn split_free<const W: usize>(
        &mut self,
        frame: &Frame,
        set: usize,
        open: Open,
    ) -> usize {
        let words = frame.width::<W>();
        let top = self.sets.len();
        self.sets.extend_from_within(set..set + words);
        for i in open.from..open.to {
            let at = self.open[i] as usize;
            let whole = &self.sets[set..set + words];
            if whole.iter().zip(frame.clear::<W>(at)).any(|(set, clear)| set & !clear != 0) {
                continue;
            }
            let last = self.sets.len();
            for part in (top..last).step_by(words) {
                let mut split = false;
                for number in frame.columns[at].from..frame.columns[at].to {
                    let new = self.sets.len();
                    for (j, shown) in frame.shown::<W>(number).iter().enumerate() {
                        self.sets.push(self.sets[part + j] & shown);
                    }
                    if self.sets[new..].iter().all(|&word| word == 0) {
                        self.sets.truncate(new);
                    } else if !split {
                        // The first piece will take the part's place.
                        split = true;
                    }
                }
                // All pieces are on top: the last one moves down.
                let new = self.sets.len() - words;
                self.sets.copy_within(new.., part);
                self.sets.truncate(new);
            }
        }
        top
    }
}
