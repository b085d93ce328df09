//! The exact number of solutions, as big integers.

use std::sync::Arc;

use num_bigint::BigUint;

use crate::budget::Budget;
use crate::component::Component;

/// The number of arrangements of solved components and floating cells, with the given total, or
/// with any total; None if the budget runs out.
pub fn count(
    components: &[Arc<Component>],
    floating: usize,
    mines: Option<i64>,
    budget: &Budget,
) -> Option<BigUint> {
    let Some(mines) = mines else {
        let total = |c: &Arc<Component>| Some(c.exact(budget)?.iter().sum());
        let totals = components.iter().map(total).collect::<Option<_>>()?;
        return Some(product(totals) << floating);
    };
    // Polynomials in the mine count, multiplied in pairs.
    let mut level: Vec<(i64, Vec<BigUint>)> = components
        .iter()
        .map(|c| Some((i64::from(c.least), c.exact(budget)?)))
        .collect::<Option<_>>()?;
    while level.len() > 1 {
        level = level
            .chunks(2)
            .map(|pair| match pair {
                [a, b] => Some((a.0 + b.0, convolve(&a.1, &b.1, budget)?)),
                _ => Some(pair[0].clone()),
            })
            .collect::<Option<_>>()?;
    }
    let (least, counts) = level.pop().unwrap_or((0, vec![BigUint::from(1u32)]));
    let floating = floating as i64;
    // C(floating, mines - least - k), updated from one k to the next by its ratio.
    let first = (mines - least - floating).max(0);
    let mut left = mines - least - first;
    let mut ways = choose(floating as u64, left.max(0) as u64);
    let mut sum = BigUint::ZERO;
    for count in counts.iter().skip(first as usize) {
        if left < 0 {
            break;
        }
        if budget.is_late_after(ways.bits() as usize / 16) {
            return None;
        }
        sum += count * &ways;
        ways = ways * left as u64 / (floating - left + 1) as u64;
        left -= 1;
    }
    Some(sum)
}

fn product(mut factors: Vec<BigUint>) -> BigUint {
    while factors.len() > 1 {
        factors = factors.chunks(2).map(|pair| pair.iter().product()).collect();
    }
    factors.pop().unwrap_or_else(|| BigUint::from(1u32))
}

fn convolve(a: &[BigUint], b: &[BigUint], budget: &Budget) -> Option<Vec<BigUint>> {
    let mut out = vec![BigUint::ZERO; a.len() + b.len() - 1];
    for (i, x) in a.iter().enumerate() {
        for (j, y) in b.iter().enumerate() {
            // Multiplying long numbers takes time proportional to the product of their lengths.
            if budget.is_late_after(1 + (x.bits() * y.bits() / 4096) as usize) {
                return None;
            }
            out[i + j] += x * y;
        }
    }
    Some(out)
}

/// A binomial coefficient, from its prime factors (Kummer 1852: the exponent of a prime is the
/// number of carries when `k` and `n - k` are added in its base). Multiplying factors in pairs is
/// much faster than multiplying and dividing step by step.
fn choose(n: u64, k: u64) -> BigUint {
    if k > n {
        return BigUint::ZERO;
    }
    let mut composite = vec![false; n as usize + 1];
    let mut factors: Vec<BigUint> = Vec::new();
    // Small factors are collected in a word before they become a big integer.
    let mut word = 1u64;
    for p in 2..=n {
        if composite[p as usize] {
            continue;
        }
        for multiple in (p * p..=n).step_by(p as usize) {
            composite[multiple as usize] = true;
        }
        let (mut a, mut b, mut carry) = (k, n - k, 0);
        while a > 0 || b > 0 {
            carry = u64::from(a % p + b % p + carry >= p);
            (a, b) = (a / p, b / p);
            if carry == 1 {
                word = word.checked_mul(p).unwrap_or_else(|| {
                    factors.push(word.into());
                    p
                });
            }
        }
    }
    factors.push(word.into());
    product(factors)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn binomials_obey_pascals_rule() {
        for n in 1..70 {
            for k in 1..=n {
                assert_eq!(choose(n, k), choose(n - 1, k - 1) + choose(n - 1, k));
            }
        }
        assert_eq!(choose(0, 0), BigUint::from(1u32));
        assert_eq!(choose(3, 4), BigUint::ZERO);
    }
}
