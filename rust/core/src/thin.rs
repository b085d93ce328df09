//! Thins out a layer's states at random, preserving the expectation of every count.

use crate::binomial::binomial;
use crate::generate::Rng;
use crate::lattice::NONE;

/// The weight of each next state: the number of arrangements that lead to it, scaled so that the
/// largest is 1.
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

/// Thins out the states to about `most` by systematic sampling in proportion to their weights.
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

/// Removes states with factor 0, and replaces steps to them by `NONE`.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_weight_is_kept_on_average_and_heavy_ones_always() {
        let weights = [1.0, 0.4, 0.3, 0.2, 0.1, 0.05, 0.05];
        let mut rng = Rng::new(1);
        let (mut sums, mut kept_in_all) = ([0.0; 7], 0);
        for _ in 0..20_000 {
            let mut thinned = weights;
            let factors = choose(&mut thinned, 3, &mut rng);
            let kept = factors.iter().filter(|&&f| f > 0.0).count();
            assert!((2..=4).contains(&kept), "about three of seven");
            kept_in_all += usize::from(factors[0] == 1.0);
            for (sum, (w, f)) in sums.iter_mut().zip(weights.iter().zip(&factors)) {
                *sum += w * f;
            }
            let same = thinned.iter().zip(&weights).zip(&factors);
            assert!(same.filter(|(_, &f)| f > 0.0).all(|((t, w), f)| (t - w * f).abs() < 1e-12));
        }
        assert_eq!(kept_in_all, 20_000);
        for (sum, weight) in sums.iter().zip(&weights) {
            assert!((sum / 20_000.0 / weight - 1.0).abs() < 0.05, "{sum} {weight}");
        }
    }

    #[test]
    fn few_states_are_all_kept() {
        assert_eq!(choose(&mut [0.5, 1.0], 2, &mut Rng::new(1)), [1.0, 1.0]);
    }

    #[test]
    fn steps_to_removed_states_lead_nowhere() {
        let (mut then, mut weight) = (vec![[1u64], [2], [3]], vec![0.1, 0.2, 0.3]);
        let mut factors = vec![7.0, 1.0, 0.0, 2.0];
        let mut next = [0, 1, 2, NONE];
        keep(&mut then, &mut weight, &mut factors, &mut next);
        assert_eq!((then, weight), (vec![[1], [3]], vec![0.1, 0.3]));
        assert_eq!((factors, next), (vec![7.0, 1.0, 2.0], [0, NONE, 1, NONE]));
    }

    #[test]
    fn carried_weights_count_the_ways_into_each_state() {
        // Two states; a box of two cells leads from the first with 0 or 1 mine, from the second with 2.
        let next = [0, 1, NONE, NONE, NONE, 1];
        assert_eq!(carried(&[1.0, 4.0], &next, 2, 2), [1.0 / 6.0, 1.0]);
    }
}
