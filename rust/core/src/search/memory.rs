//! Results for sets of solutions; equivalent sets share a key.

use crate::budget::SMALL_MEMORY;

/// The maximum distance of a key from its own slot.
const WINDOW: usize = 8;
const SMALLEST: usize = 1 << 10;
/// The maximum number of entries, of 16 bytes each, before doubling.
const LARGEST: u64 = if SMALL_MEMORY { 1 << 20 } else { 1 << 26 };

/// A stored result for a set's wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Known {
    Exactly(i64),
    AtMost(i64),
}

/// A 96-bit hash of a set of solutions; equivalent sets share it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Key {
    pub place: u64,
    pub check: u32,
}

#[derive(Debug, Clone, Copy, Default)]
struct Slot {
    place: u64,
    check: u32,
    /// Twice the wins, plus 1 if they are only a bound. 0 means an empty slot.
    wins: u32,
}

impl Slot {
    #[inline]
    fn holds(&self, key: Key) -> bool {
        self.place == key.place && self.check == key.check
    }
}

/// A table that grows to a maximum size, then overwrites entries.
#[derive(Debug, Default)]
pub(super) struct Memory {
    slots: Vec<Slot>,
    used: usize,
    most: usize,
}

impl Memory {
    /// Allows the table to grow to about this many entries.
    pub fn allow(&mut self, most: u64) {
        let most = most.clamp(SMALLEST as u64, LARGEST) as usize;
        self.most = self.most.max(most.next_power_of_two() * 2);
        if self.slots.is_empty() {
            self.slots.resize(SMALLEST, Slot::default());
        }
    }

    #[inline]
    fn window(&self, key: Key) -> impl Iterator<Item = usize> {
        let mask = self.slots.len() - 1;
        (0..WINDOW).map(move |i| (key.place as usize).wrapping_add(i) & mask)
    }

    #[inline]
    pub fn get(&self, key: Key) -> Option<Known> {
        for at in self.window(key) {
            let slot = self.slots[at];
            if slot.wins == 0 {
                return None;
            }
            if slot.holds(key) {
                let wins = i64::from(slot.wins >> 1);
                return Some(if slot.wins & 1 == 0 {
                    Known::Exactly(wins)
                } else {
                    Known::AtMost(wins)
                });
            }
        }
        None
    }

    pub fn put(&mut self, key: Key, known: Known) {
        if self.used * 2 > self.slots.len() && self.slots.len() < self.most {
            self.grow();
        }
        let wins = match known {
            Known::Exactly(wins) => (wins as u32) << 1,
            Known::AtMost(wins) => (wins as u32) << 1 | 1,
        };
        self.place(Slot { place: key.place, check: key.check, wins });
    }

    fn place(&mut self, slot: Slot) {
        let key = Key { place: slot.place, check: slot.check };
        let free = |&at: &usize| self.slots[at].wins == 0 || self.slots[at].holds(key);
        let at = self.window(key).find(free);
        // If the window is full, the key's own slot is overwritten.
        let at = at.unwrap_or(key.place as usize & (self.slots.len() - 1));
        self.used += usize::from(self.slots[at].wins == 0);
        self.slots[at] = slot;
    }

    fn grow(&mut self) {
        let size = self.slots.len() * 4;
        let old = std::mem::replace(&mut self.slots, vec![Slot::default(); size]);
        self.used = 0;
        for slot in old.into_iter().filter(|slot| slot.wins != 0) {
            self.place(slot);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(place: u64) -> Key {
        Key { place, check: place as u32 ^ 7 }
    }

    #[test]
    fn what_is_known_is_found_again_while_the_table_grows() {
        let mut memory = Memory::default();
        memory.allow(1 << 14);
        assert_eq!(memory.get(key(5)), None);
        // Distributed like hashes.
        let at = |i: u64| key(i.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        for i in 0..5000 {
            let known =
                if i % 2 == 0 { Known::Exactly(i as i64 + 1) } else { Known::AtMost(i as i64 + 1) };
            memory.put(at(i), known);
        }
        assert!((0..5000).filter(|&i| memory.get(at(i)).is_some()).count() > 4990);
        assert_eq!(memory.get(at(4998)), Some(Known::Exactly(4999)));
        assert_eq!(memory.get(at(4999)), Some(Known::AtMost(5000)));
        memory.put(at(4999), Known::Exactly(9));
        assert_eq!(memory.get(at(4999)), Some(Known::Exactly(9)));
    }

    #[test]
    fn keys_of_one_place_are_told_apart() {
        let mut memory = Memory::default();
        memory.allow(1);
        memory.put(Key { place: 3, check: 1 }, Known::Exactly(4));
        assert_eq!(memory.get(Key { place: 3, check: 2 }), None);
    }
}
