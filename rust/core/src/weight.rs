//! The weights for sweeping a lattice: floats for ratios, integers for exact counts, and booleans
//! for the existence of solutions.

/// A semiring for sweeping a lattice. A number may take several elements; this is its *width*.
pub trait Weight: Copy {
    const ZERO: Self;
    const ONE: Self;
    /// `to[i] += from[i] * times` for each number. `to` may be wider than `from`.
    fn accumulate(to: Run<'_, Self>, from: &[Self], from_width: usize, times: u32);
    /// Scales values down by `SCALE_BITS` binary digits if they are too large; true if it did. Only
    /// floats are scaled.
    fn rescale(_: &mut [Self]) -> bool {
        false
    }
    /// An upper bound on the binary digits of the largest value. Only floats have one.
    fn bits(_: &[Self]) -> u32 {
        0
    }
    /// Multiplies by the factor of a thinned-out state. Only floats can.
    fn stand_for(&mut self, _: f64) {
        unreachable!("only estimates stand for others")
    }
}

/// The numbers to accumulate into, and their width in elements.
pub struct Run<'a, V> {
    pub values: &'a mut [V],
    pub width: usize,
}

/// A weight that can also be multiplied, for shares.
pub trait Factor: Weight {
    /// `self += a * b`.
    fn add_product(&mut self, a: Self, b: Self);
}

/// Floats that exceed this power of two are scaled down by it.
pub const SCALE_BITS: i32 = 400;

impl Weight for f64 {
    const ZERO: f64 = 0.0;
    const ONE: f64 = 1.0;
    #[inline]
    fn accumulate(to: Run<'_, f64>, from: &[f64], _: usize, times: u32) {
        let times = f64::from(times);
        for (to, from) in to.values.iter_mut().zip(from) {
            *to += from * times;
        }
    }
    fn rescale(values: &mut [f64]) -> bool {
        let most = values.iter().copied().fold(0.0, f64::max);
        if most < 2f64.powi(SCALE_BITS) {
            return false;
        }
        let factor = 2f64.powi(-SCALE_BITS);
        values.iter_mut().for_each(|v| *v *= factor);
        true
    }
    fn bits(values: &[f64]) -> u32 {
        // Add one digit for the fraction of the logarithm, and one for rounding.
        values.iter().copied().fold(1.0, f64::max).log2() as u32 + 2
    }
    fn stand_for(&mut self, factor: f64) {
        *self *= factor;
    }
}

impl Factor for f64 {
    #[inline]
    fn add_product(&mut self, a: f64, b: f64) {
        *self += a * b;
    }
}

/// Booleans for whether a solution exists, with "or" as sum and "and" as product.
impl Weight for bool {
    const ZERO: bool = false;
    const ONE: bool = true;
    #[inline]
    fn accumulate(to: Run<'_, bool>, from: &[bool], _: usize, times: u32) {
        for (to, from) in to.values.iter_mut().zip(from) {
            *to |= *from && times > 0;
        }
    }
    /// A thinned-out state still leads to a solution.
    fn stand_for(&mut self, _: f64) {}
}

impl Factor for bool {
    #[inline]
    fn add_product(&mut self, a: bool, b: bool) {
        *self |= a && b;
    }
}

/// Natural numbers of `width` limbs, least significant first. The caller bounds the count and
/// provides enough limbs, so nothing overflows.
impl Weight for u64 {
    const ZERO: u64 = 0;
    const ONE: u64 = 1;
    #[inline]
    fn accumulate(to: Run<'_, u64>, from: &[u64], from_width: usize, times: u32) {
        let times = u128::from(times);
        for (to, from) in to.values.chunks_exact_mut(to.width).zip(from.chunks_exact(from_width)) {
            let mut carry = 0u128;
            let (low, high) = to.split_at_mut(from_width);
            for (to, from) in low.iter_mut().zip(from) {
                carry += u128::from(*to) + u128::from(*from) * times;
                *to = carry as u64;
                carry >>= 64;
            }
            for to in high {
                if carry == 0 {
                    break;
                }
                carry += u128::from(*to);
                *to = carry as u64;
                carry >>= 64;
            }
            debug_assert_eq!(carry, 0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_integers_carry_from_limb_to_limb() {
        let (a, b, times) = (u128::MAX / 3, u128::from(u64::MAX) * 5 + 9, 2);
        let limbs = |n: u128| [n as u64, (n >> 64) as u64];
        let mut to = [limbs(b).to_vec(), vec![0]].concat();
        u64::accumulate(Run { values: &mut to, width: 3 }, &limbs(a), 2, times);
        let sum = a * 2 + b;
        assert_eq!(to, [sum as u64, (sum >> 64) as u64, 0]);
        // The carry passes the second limb into the third.
        let mut to = [u64::MAX, u64::MAX, 0];
        u64::accumulate(Run { values: &mut to, width: 3 }, &[1], 1, 1);
        assert_eq!(to, [0, 0, 1]);
    }

    #[test]
    fn floats_are_scaled_down_only_once_they_are_large() {
        let mut small = [1.0, 2f64.powi(SCALE_BITS - 1)];
        assert!(!f64::rescale(&mut small));
        let mut large = [3.0 * 2f64.powi(SCALE_BITS), 2f64.powi(SCALE_BITS)];
        assert!(f64::rescale(&mut large));
        assert_eq!(large, [3.0, 1.0]);
    }

    #[test]
    fn bits_bound_the_binary_digits() {
        for value in [0u64, 1, 2, 3, 255, 256, 1 << 40] {
            let digits = 64 - value.leading_zeros();
            assert!(f64::bits(&[value as f64]) >= digits);
        }
    }

    #[test]
    fn booleans_say_whether_there_is_a_way() {
        let mut to = [false, true, false];
        bool::accumulate(Run { values: &mut to, width: 1 }, &[true, false, false], 1, 2);
        assert_eq!(to, [true, true, false]);
        bool::accumulate(Run { values: &mut to, width: 1 }, &[true, true, true], 1, 0);
        assert_eq!(to, [true, true, false]);
        let mut sum = false;
        sum.add_product(true, false);
        assert!(!sum);
        sum.add_product(true, true);
        assert!(sum);
    }
}
