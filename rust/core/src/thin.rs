//! Thins out a layer's states at random, so that every count keeps its expectation.

use crate::generate::Rng;
use crate::steps::{binomial, NONE};

/// The weight of each next state: arrangements that lead to it, scaled to a largest of 1.
pub fn carried(weight: &[f64], next: &[u32], size: u8, states: usize) -> Vec<f64> {
    let row = usize::from(size) + 1;
    let mut out = vec![0.0; states];
    for (i, w) in weight.iter().enumerate() {
        for (m, &to) in next[i * row..(i + 1) * row].iter().enumerate() {
            if to != NONE {
                out[to as usize] += w * f64::from(binomial(size, m as u8));
            }
        }
    }
    let most = out.iter().copied().fold(0.0, f64::max);
    out.iter_mut().for_each(|w| *w /= most);
    out
}

/// Thins the states out to about `most`, by systematic sampling in proportion to their weights.
///
/// Returns the factor of each state, 0 if it is removed; heavy states are always kept.
pub fn choose(weight: &mut [f64], most: usize, rng: &mut Rng) -> Vec<f64> {
    if weight.len() <= most {
        return vec![1.0; weight.len()];
    }
    // The threshold c with sum(min(1, w / c)) = most, found by bisection.
    let (mut low, mut high) = (0.0, weight.iter().sum::<f64>() / most as f64);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        let kept: f64 = weight.iter().map(|w| (w / middle).min(1.0)).sum();
        if kept > most as f64 {
            low = middle;
        } else {
            high = middle;
        }
    }
    let mut point = rng.unit();
    weight
        .iter_mut()
        .map(|w| {
            let chance = (*w / high).min(1.0);
            point += chance;
            if point >= 1.0 {
                point -= 1.0;
                *w /= chance;
                1.0 / chance
            } else {
                0.0
            }
        })
        .collect()
}

/// Removes the states of factor 0, and turns the steps to them into `NONE`.
pub fn keep<const W: usize>(
    then: &mut Vec<[u64; W]>,
    weight: &mut Vec<f64>,
    factors: &mut Vec<f64>,
    next: &mut [u32],
) {
    let from = factors.len() - then.len();
    let mut place = vec![NONE; then.len()];
    let mut kept = 0;
    for i in 0..then.len() {
        if factors[from + i] > 0.0 {
            place[i] = kept as u32;
            then[kept] = then[i];
            weight[kept] = weight[i];
            factors[from + kept] = factors[from + i];
            kept += 1;
        }
    }
    then.truncate(kept);
    weight.truncate(kept);
    factors.truncate(from + kept);
    for to in next.iter_mut().filter(|to| **to != NONE) {
        *to = place[*to as usize];
    }
}
