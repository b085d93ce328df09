//! The result of an analysis for one box.

use crate::frontier::Mark;

/// The mine chance of a box's cells, and the possible contents of the box.
#[derive(Debug, Clone, Copy)]
pub struct BoxShare {
    /// The chance that a cell of the box is a mine.
    pub p_mine: f64,
    /// Whether some solution has a mine in the box, and whether some has a clear cell in it.
    pub can_be_mine: bool,
    pub can_be_clear: bool,
}

impl BoxShare {
    /// Whether the cells are proved safe or proved mines, if either.
    pub(crate) fn proves(&self) -> Option<Mark> {
        match (self.can_be_mine, self.can_be_clear) {
            (false, true) => Some(Mark::Safe),
            (true, false) => Some(Mark::Mine),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_box_is_settled_where_one_of_the_two_is_impossible() {
        let proved = |can_be_mine, can_be_clear| {
            BoxShare { p_mine: 0.5, can_be_mine, can_be_clear }.proves()
        };
        assert_eq!(proved(false, true), Some(Mark::Safe));
        assert_eq!(proved(true, false), Some(Mark::Mine));
        assert_eq!(proved(true, true), None);
        assert_eq!(proved(false, false), None);
    }
}
