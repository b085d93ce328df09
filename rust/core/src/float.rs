//! Functions of `f32` that give the same bits on every platform.
//!
//! They are computed in `f64`, so their results are rounded correctly except in rare cases. C
//! libraries and Rust's own library, which WebAssembly uses, round some of them differently in
//! `f32`, and a search would sometimes choose differently between two nearly equal cells.

#[inline]
pub fn ln(x: f32) -> f32 {
    f64::from(x).ln() as f32
}

#[inline]
pub fn exp(x: f32) -> f32 {
    f64::from(x).exp() as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_values_are_rounded_correctly() {
        assert_eq!(ln(0.3), -1.203_972_8);
        assert_eq!(exp(-0.289), 0.749_012_2);
        assert_eq!((ln(1.0), exp(0.0)), (0.0, 1.0));
    }
}
