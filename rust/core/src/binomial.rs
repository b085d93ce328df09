//! Binomial coefficients: the number of ways to place mines in a box.

const BINOMIALS: [[u32; 28]; 28] = {
    let mut table = [[0u32; 28]; 28];
    let mut n = 0;
    while n < 28 {
        table[n][0] = 1;
        let mut k = 1;
        while k <= n {
            table[n][k] = table[n - 1][k - 1] + if k < n { table[n - 1][k] } else { 0 };
            k += 1;
        }
        n += 1;
    }
    table
};

/// The number of ways to place `mines` mines in a box of `size` cells; a box has at most
/// `MAX_DEGREE` cells.
#[inline]
pub fn binomial(size: u8, mines: u8) -> u32 {
    BINOMIALS[usize::from(size)][usize::from(mines)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn binomials_are_those_of_pascals_triangle() {
        assert_eq!([binomial(8, 3), binomial(26, 13), binomial(27, 0)], [56, 10_400_600, 1]);
        for n in 1..28 {
            for k in 1..n {
                assert_eq!(binomial(n, k), binomial(n - 1, k - 1) + binomial(n - 1, k));
            }
        }
    }
}
