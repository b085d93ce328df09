//! What can be counted with: floats where only ratios matter, integers where counts do, and flags
//! where the question is only whether a solution exists.

use num_bigint::BigUint;

/// A semiring in which the lattice is swept.
pub trait Weight: Clone {
    fn zero() -> Self;
    fn one() -> Self;
    /// `self += other * times`.
    fn add(&mut self, other: &Self, times: u32);
    /// `self += a * b`.
    fn add_product(&mut self, a: &Self, b: &Self);
    /// Brings values that only matter in proportion back into range; true if it had to, by
    /// `SCALE_BITS` binary digits. Only floats do.
    fn rescale(_: &mut [Self]) -> bool {
        false
    }
    /// Multiplies by the factor of a state that stands for others. Only floats can.
    fn stand_for(&mut self, _: f64) {
        unreachable!("only estimates stand for others")
    }
}

/// Floats are scaled down by this power of two when they grow past it.
pub const SCALE_BITS: i32 = 400;

impl Weight for f64 {
    fn zero() -> f64 {
        0.0
    }
    fn one() -> f64 {
        1.0
    }
    #[inline]
    fn add(&mut self, other: &f64, times: u32) {
        *self += other * f64::from(times);
    }
    #[inline]
    fn add_product(&mut self, a: &f64, b: &f64) {
        *self += a * b;
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
    fn stand_for(&mut self, factor: f64) {
        *self *= factor;
    }
}

/// Whether any solution exists: or, and.
impl Weight for bool {
    fn zero() -> bool {
        false
    }
    fn one() -> bool {
        true
    }
    #[inline]
    fn add(&mut self, other: &bool, times: u32) {
        *self |= *other && times > 0;
    }
    #[inline]
    fn add_product(&mut self, a: &bool, b: &bool) {
        *self |= *a && *b;
    }
    /// A state that stands for others is a solution's all the same.
    fn stand_for(&mut self, _: f64) {}
}

/// A natural number of at most `64 * N` bits, least significant limb first.
///
/// Its owner knows a bound on what is counted and picks `N` to fit, so nothing overflows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limbs<const N: usize>(pub [u64; N]);

impl<const N: usize> Weight for Limbs<N> {
    fn zero() -> Self {
        Limbs([0; N])
    }
    fn one() -> Self {
        let mut limbs = [0; N];
        limbs[0] = 1;
        Limbs(limbs)
    }
    #[inline]
    fn add(&mut self, other: &Self, times: u32) {
        let mut carry = 0u128;
        for (mine, theirs) in self.0.iter_mut().zip(other.0) {
            carry += u128::from(*mine) + u128::from(theirs) * u128::from(times);
            *mine = carry as u64;
            carry >>= 64;
        }
        debug_assert_eq!(carry, 0);
    }
    fn add_product(&mut self, _: &Self, _: &Self) {
        unreachable!("limbs are only added up")
    }
}

impl Weight for BigUint {
    fn zero() -> Self {
        BigUint::ZERO
    }
    fn one() -> Self {
        BigUint::from(1u32)
    }
    fn add(&mut self, other: &Self, times: u32) {
        if times == 1 {
            *self += other;
        } else {
            *self += other * times;
        }
    }
    fn add_product(&mut self, a: &Self, b: &Self) {
        *self += a * b;
    }
}
