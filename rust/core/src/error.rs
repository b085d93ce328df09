//! Errors in the input. Bugs panic; invalid input never does.

use std::fmt;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BoardError {
    /// The neighbour lists are not a valid graph.
    Graph(String),
    /// A buffer has the wrong length, or a cell is out of range.
    Shape(String),
    /// A byte that does not represent a cell.
    Cell { cell: usize, byte: u8 },
    /// Too many mines, or a density outside 0 to 1.
    Mines(String),
    /// No arrangement fits.
    Inconsistent(Inconsistency),
}

/// Why no arrangement fits, from the most local reason to the most global.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Inconsistency {
    /// A number is impossible: it has too few unopened neighbours, or too many opened mines around
    /// it.
    Number { cell: usize, number: u8, opened_mines: usize, unopened: usize },
    /// These numbers contradict each other, whatever the total.
    Component { numbers: Vec<usize> },
    /// The numbers are consistent with each other, but not with this many mines.
    Total { mines: usize, least: usize, most: usize },
    /// Only mines would be unopened, although the game is not over.
    Over,
}

impl fmt::Display for BoardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BoardError::Graph(what) | BoardError::Shape(what) | BoardError::Mines(what) => {
                f.write_str(what)
            }
            BoardError::Cell { cell, byte } => {
                write!(f, "cell {cell} holds byte {byte}, which is not a cell of a position")
            }
            BoardError::Inconsistent(why) => why.fmt(f),
        }
    }
}

impl fmt::Display for Inconsistency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Inconsistency::Number { number, opened_mines, unopened, .. } => write!(
                f,
                "the {number} is impossible: {opened_mines} opened mines and {unopened} unopened \
                 cells touch it"
            ),
            Inconsistency::Component { numbers } => {
                write!(f, "{} numbers contradict each other", numbers.len())
            }
            Inconsistency::Over => {
                f.write_str("only mines would be unopened, so the game would be over")
            }
            Inconsistency::Total { mines, least, most } => {
                write!(f, "{mines} mines are impossible: the numbers allow ")?;
                if least == most {
                    write!(f, "exactly {least}")
                } else {
                    write!(f, "{least} to {most}")
                }
            }
        }
    }
}

impl std::error::Error for BoardError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_names_what_is_wrong() {
        let said = |why: Inconsistency| BoardError::Inconsistent(why).to_string();
        assert_eq!(
            said(Inconsistency::Number { cell: 4, number: 3, opened_mines: 1, unopened: 1 }),
            "the 3 is impossible: 1 opened mines and 1 unopened cells touch it"
        );
        assert_eq!(
            said(Inconsistency::Component { numbers: vec![1, 5] }),
            "2 numbers contradict each other"
        );
        assert_eq!(
            said(Inconsistency::Total { mines: 9, least: 1, most: 8 }),
            "9 mines are impossible: the numbers allow 1 to 8"
        );
        assert_eq!(
            said(Inconsistency::Total { mines: 9, least: 8, most: 8 }),
            "9 mines are impossible: the numbers allow exactly 8"
        );
        assert_eq!(
            BoardError::Cell { cell: 2, byte: b'x' }.to_string(),
            "cell 2 holds byte 120, which is not a cell of a position"
        );
    }
}
