//! Random boards.

use crate::error::BoardError;
use crate::mines::Mines;

/// Xoshiro256++ (Blackman and Vigna 2021, "Scrambled Linear Pseudorandom Number Generators"),
/// seeded through SplitMix64: fast, well tested, identical on every platform. Every random result
/// in Sapper comes from this generator, so a seed always gives the same game. The state can be
/// saved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rng([u64; 4]);

impl Rng {
    pub fn new(seed: u64) -> Self {
        let mut point = seed;
        Rng([(); 4].map(|()| split_mix(&mut point)))
    }

    /// Restores a generator from its `state`.
    pub fn with_state(state: [u64; 4]) -> Self {
        Rng(state)
    }

    pub fn state(&self) -> [u64; 4] {
        self.0
    }

    #[inline]
    pub fn next_u64(&mut self) -> u64 {
        let [a, b, c, d] = self.0;
        let (x, y) = (c ^ a, d ^ b);
        self.0 = [a ^ y, b ^ x, x ^ (b << 17), y.rotate_left(45)];
        a.wrapping_add(d).rotate_left(23).wrapping_add(a)
    }

    /// An unbiased integer in `0..bound`, by multiplication with rejection (Lemire 2019, "Fast
    /// Random Integer Generation in an Interval").
    #[inline]
    pub fn below(&mut self, bound: u64) -> u64 {
        debug_assert!(bound > 0);
        loop {
            let wide = u128::from(self.next_u64()) * u128::from(bound);
            let low = wide as u64;
            if low >= bound || low >= bound.wrapping_neg() % bound {
                return (wide >> 64) as u64;
            }
        }
    }

    /// A uniform float in `[0, 1)` with 53 random bits.
    #[inline]
    pub fn unit(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }

    /// Draws an index in proportion to weights.
    pub fn pick(&mut self, weights: impl Iterator<Item = f64> + Clone) -> usize {
        let total: f64 = weights.clone().sum();
        let mut point = self.unit() * total;
        let mut last = 0;
        for (i, weight) in weights.enumerate() {
            if weight > 0.0 {
                last = i;
                if point < weight {
                    return i;
                }
                point -= weight;
            }
        }
        // Rounding may leave a small remainder, which goes to the last index with a positive
        // weight.
        last
    }
}

/// The next number of SplitMix64 (Steele, Lea and Flood 2014).
fn split_mix(point: &mut u64) -> u64 {
    *point = point.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mixed = (*point ^ (*point >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

/// Places `mines` mines uniformly among the cells that are not `clear`; returns 1 for a mine and 0
/// for other cells.
pub fn uniform(
    cells: usize,
    mines: usize,
    clear: &[usize],
    seed: u64,
) -> Result<Vec<u8>, BoardError> {
    let mut open = allowed(cells, clear)?;
    if mines > open.len() {
        return Err(BoardError::Mines(format!(
            "{mines} mines do not fit on {cells} cells of which {} must stay clear",
            cells - open.len()
        )));
    }
    let mut rng = Rng::new(seed);
    let mut mined = vec![0; cells];
    // The first `mines` steps of a Fisher-Yates shuffle.
    for i in 0..mines {
        let j = i + rng.below((open.len() - i) as u64) as usize;
        open.swap(i, j);
        mined[open[i] as usize] = 1;
    }
    Ok(mined)
}

/// Places mines by a total or a density; returns 1 for a mine and 0 for other cells.
pub fn dealt(
    cells: usize,
    mines: Mines,
    clear: &[usize],
    seed: u64,
) -> Result<Vec<u8>, BoardError> {
    match mines {
        Mines::Total(total) => uniform(cells, total, clear, seed),
        Mines::Density(density) => independent(cells, density, clear, seed),
        Mines::Unknown => {
            Err(BoardError::Mines("a random board needs a mine total or a density".into()))
        }
    }
}

/// Makes each cell that is not `clear` a mine with probability `density`, independently.
pub fn independent(
    cells: usize,
    density: f64,
    clear: &[usize],
    seed: u64,
) -> Result<Vec<u8>, BoardError> {
    check_size(cells)?;
    if !(0.0..=1.0).contains(&density) {
        return Err(BoardError::Mines(format!("density must be between 0 and 1, got {density}")));
    }
    let mut rng = Rng::new(seed);
    let mut mined = vec![0; cells];
    for cell in allowed(cells, clear)? {
        mined[cell as usize] = u8::from(rng.unit() < density);
    }
    Ok(mined)
}

/// Rejects more cells than a graph can have, before allocating memory.
fn check_size(cells: usize) -> Result<(), BoardError> {
    if cells < 1 << 28 {
        return Ok(());
    }
    Err(BoardError::Shape(format!("there is no board of {cells} cells")))
}

fn allowed(cells: usize, clear: &[usize]) -> Result<Vec<u32>, BoardError> {
    check_size(cells)?;
    let mut kept = vec![true; cells];
    for &cell in clear {
        *kept.get_mut(cell).ok_or_else(|| {
            BoardError::Shape(format!("cell {cell} is not on a board of {cells} cells"))
        })? = false;
    }
    Ok((0..cells as u32).filter(|&cell| kept[cell as usize]).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_are_those_of_the_reference_implementation() {
        // Generated with the crate rand_xoshiro 0.7.
        let drawn = |seed| {
            let mut rng = Rng::new(seed);
            let all: Vec<u64> = (0..1000).map(|_| rng.next_u64()).collect();
            [all[0], all[1], all[999]]
        };
        assert_eq!(drawn(0), [5987356902031041503, 7051070477665621255, 3991034768575652995]);
        assert_eq!(drawn(7), [1021219803524665661, 3174977118032272916, 1052004055046037977]);
        assert_eq!(
            drawn(u64::MAX),
            [6254647548650071986, 16610832622747802512, 7955597261603557472]
        );
    }

    #[test]
    fn a_saved_state_goes_on() {
        let mut rng = Rng::new(7);
        rng.next_u64();
        let mut other = Rng::with_state(rng.state());
        assert!((0..100).all(|_| rng.next_u64() == other.next_u64()));
    }

    #[test]
    fn uniform_lays_every_mine_and_keeps_clear_cells() {
        let mined = uniform(30, 20, &[3, 4, 29], 7).unwrap();
        assert_eq!(mined.iter().map(|&m| u32::from(m)).sum::<u32>(), 20);
        assert!([3, 4, 29].iter().all(|&c| mined[c] == 0));
    }

    #[test]
    fn too_many_mines_are_refused() {
        assert!(matches!(uniform(4, 4, &[0], 1), Err(BoardError::Mines(_))));
        assert!(matches!(uniform(4, 1, &[9], 1), Err(BoardError::Shape(_))));
    }
}
