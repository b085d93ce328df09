//! Results for sets of up to 64 solutions, in a table where new entries replace old ones.

/// The number of slots.
const SLOTS: usize = 1 << 13;

/// The wins of a set, or a bound on them.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Slot {
    set: u64,
    round: u32,
    pub wins: u8,
    pub exact: bool,
}

#[derive(Debug, Default)]
pub(super) struct Table {
    slots: Vec<Slot>,
    /// Slots from earlier rounds count as empty.
    round: u32,
}

impl Table {
    /// Forgets everything.
    pub fn clear(&mut self) {
        if self.slots.is_empty() {
            self.slots.resize(SLOTS, Slot::default());
        }
        self.round = self.round.wrapping_add(1);
        if self.round == 0 {
            self.slots.fill(Slot::default());
            self.round = 1;
        }
    }

    #[inline]
    fn slot(set: u64) -> usize {
        (set.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - SLOTS.trailing_zeros())) as usize
    }

    /// The result for a set, if stored in this round.
    #[inline]
    pub fn get(&self, set: u64) -> Option<Slot> {
        let slot = self.slots[Self::slot(set)];
        (slot.round == self.round && slot.set == set).then_some(slot)
    }

    #[inline]
    pub fn put(&mut self, set: u64, wins: i64, exact: bool) {
        self.slots[Self::slot(set)] = Slot { set, round: self.round, wins: wins as u8, exact };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_is_known_until_the_table_is_cleared() {
        let mut table = Table::default();
        table.clear();
        table.put(0b101, 2, true);
        let slot = table.get(0b101).unwrap();
        assert!(slot.wins == 2 && slot.exact);
        assert!(table.get(0b100).is_none());
        table.clear();
        assert!(table.get(0b101).is_none());
    }

    #[test]
    fn rounds_that_wrap_around_do_not_bring_old_sets_back() {
        let mut table = Table::default();
        table.clear();
        table.put(0b101, 2, true);
        table.round = u32::MAX;
        table.clear();
        assert!(table.round == 1 && table.get(0b101).is_none());
    }
}
