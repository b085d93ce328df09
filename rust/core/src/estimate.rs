//! When the budget runs out: what is still proved, and what can be estimated, with its error.

use crate::analysis::{Analysis, Counted};
use crate::error::BoardError;
use crate::frontier::Frontier;
use crate::lattice::Budget;

pub(crate) fn analyze(
    _frontier: &Frontier,
    _counted: Counted,
    _budget: Budget,
) -> Result<Analysis, BoardError> {
    todo!()
}
