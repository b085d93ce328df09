//! Prior knowledge about a board's mines, and about the game of a position.

use crate::error::BoardError;

/// The player's knowledge about the mine placement.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Mines {
    /// The mine total: all arrangements with this total are equally likely.
    Total(usize),
    /// Each cell is a mine independently with this chance, so that an arrangement of m mines
    /// weighs `(density / (1 - density))^m`.
    Density(f64),
    /// Neither is known: all arrangements have the same weight.
    Unknown,
}

/// What is known about a position besides its cells.
///
/// A game is won once only mines are unopened, so the position of a game that is still running has
/// a clear unopened cell. A mine total says the same, so `running` matters only without one, and
/// only if a number is open: before the first opening, no game is over.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Knowledge {
    pub mines: Mines,
    /// Whether the game is not over; if false, it may be over.
    pub running: bool,
}

impl<M: Into<Mines>> From<M> for Knowledge {
    fn from(mines: M) -> Self {
        Knowledge { mines: mines.into(), running: true }
    }
}

impl Knowledge {
    /// The same knowledge for a position: see `Mines::settled`.
    pub(crate) fn settled(self, cells: &[u8]) -> Self {
        Knowledge { mines: self.mines.settled(cells), ..self }
    }
}

impl From<Option<usize>> for Mines {
    fn from(total: Option<usize>) -> Self {
        total.map_or(Mines::Unknown, Mines::Total)
    }
}

impl From<usize> for Mines {
    fn from(total: usize) -> Self {
        Mines::Total(total)
    }
}

impl Mines {
    /// A total or a density, or neither.
    pub fn new(total: Option<usize>, density: Option<f64>) -> Result<Self, BoardError> {
        match (total, density) {
            (Some(_), Some(_)) => {
                Err(BoardError::Mines("either a mine total or a density, not both".into()))
            }
            (_, Some(density)) if !(0.0..=1.0).contains(&density) => {
                Err(BoardError::Mines(format!("density must be between 0 and 1, got {density}")))
            }
            (_, Some(density)) => Ok(Mines::Density(density)),
            (total, None) => Ok(total.into()),
        }
    }

    /// The same knowledge for a position: a density of 0 or 1 becomes a total.
    pub(crate) fn settled(self, cells: &[u8]) -> Self {
        let holds = |some: &[u8]| cells.iter().filter(|c| some.contains(c)).count();
        match self {
            Mines::Density(density) if density <= 0.0 => Mines::Total(holds(b"*")),
            Mines::Density(density) if density >= 1.0 => Mines::Total(holds(b"*.F")),
            known => known,
        }
    }

    pub fn total(self) -> Option<usize> {
        match self {
            Mines::Total(total) => Some(total),
            _ => None,
        }
    }

    /// The mine chance of a cell that touches no number, without a total.
    pub fn density(self) -> f64 {
        match self {
            Mines::Density(density) => density,
            _ => 0.5,
        }
    }

    /// Without a total, the chance that all of these cells are mines if nothing constrains them.
    pub(crate) fn all_mined(self, cells: usize) -> f64 {
        self.density().powi(cells as i32)
    }

    /// Without a total, the chance that one of these cells is a mine if nothing constrains them
    /// except that not all are mines.
    pub(crate) fn not_all_mined(self, cells: usize) -> f64 {
        let log = self.density().ln();
        let below_one = |cells: usize| -(cells as f64 * log).exp_m1();
        self.density() * below_one(cells - 1) / below_one(cells)
    }

    /// The logarithm of the factor by which one more mine changes an arrangement's weight.
    pub fn log_odds(self) -> f64 {
        match self {
            Mines::Density(density) => density.ln() - (-density).ln_1p(),
            _ => 0.0,
        }
    }

    /// Whether the number of mines affects an arrangement's weight.
    pub(crate) fn are_counted(self) -> bool {
        match self {
            Mines::Total(_) => true,
            _ => self.log_odds() != 0.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_density_weighs_each_mine() {
        assert!((Mines::Density(0.2).log_odds() - 0.25f64.ln()).abs() < 1e-15);
        assert_eq!(Mines::Density(0.5).log_odds(), 0.0);
        let counted = [Mines::Total(1), Mines::Density(0.2), Mines::Density(0.5), Mines::Unknown];
        assert_eq!(counted.map(Mines::are_counted), [true, true, false, false]);
    }

    #[test]
    fn a_density_of_zero_or_one_is_a_total() {
        let cells = b"*.F1";
        assert_eq!(Mines::Density(0.0).settled(cells), Mines::Total(1));
        assert_eq!(Mines::Density(1.0).settled(cells), Mines::Total(3));
        assert_eq!(Mines::Density(0.1).settled(cells), Mines::Density(0.1));
    }

    #[test]
    fn a_total_and_a_density_exclude_each_other() {
        assert!(Mines::new(Some(1), Some(0.1)).is_err());
        assert!([-0.1, 1.1, f64::NAN].iter().all(|&d| Mines::new(None, Some(d)).is_err()));
        assert_eq!(Mines::new(None, None), Ok(Mines::Unknown));
    }
}
