//! The exact set of mine counts that the total allows.

use crate::frontier::Frontier;
use crate::total::{Part, Rest};

/// The mine counts that are possible under the total.
#[derive(Debug)]
pub struct Allowed {
    /// For each component, whether each mine count from its minimum is possible; None if the total
    /// rules out nothing.
    pub counts: Option<Vec<Vec<bool>>>,
    pub floating_can_be_mine: bool,
    pub floating_can_be_clear: bool,
}

impl Allowed {
    /// Without a total, nothing is ruled out.
    pub(crate) fn all(frontier: &Frontier) -> Allowed {
        let floats = frontier.floating > 0;
        Allowed { counts: None, floating_can_be_mine: floats, floating_can_be_clear: floats }
    }

    /// None if no combination adds up to the total. `support(i)` returns the possible counts of
    /// component `i`; it is called only if the total is tight.
    pub fn new(
        parts: &[Part],
        rest: Rest,
        mut support: impl FnMut(usize) -> Vec<bool>,
    ) -> Option<Allowed> {
        let least: i64 = parts.iter().map(|p| i64::from(p.least)).sum();
        let most: i64 = least + parts.iter().map(|p| p.counts.len() as i64 - 1).sum::<i64>();
        if least >= rest.mines - rest.floating && most <= rest.mines {
            return Some(Allowed {
                counts: None,
                floating_can_be_mine: least < rest.mines,
                floating_can_be_clear: most > rest.mines - rest.floating,
            });
        }
        if least > rest.mines || most < rest.mines - rest.floating {
            return None;
        }
        let supports: Vec<Vec<bool>> = (0..parts.len()).map(&mut support).collect();
        // Sums of sets without wide gaps have no wide gaps, so checking the bounds is enough.
        let gap = supports.iter().map(|s| widest_step(s)).max().unwrap_or(0);
        if gap <= rest.floating || gap <= 1 {
            Some(Self::by_bounds(parts, rest, supports, least, most))
        } else {
            Self::by_sums(supports, rest, least, most)
        }
    }

    fn by_bounds(
        parts: &[Part],
        rest: Rest,
        mut supports: Vec<Vec<bool>>,
        least: i64,
        most: i64,
    ) -> Allowed {
        for (part, support) in parts.iter().zip(&mut supports) {
            let range = support.len() as i64 - 1;
            for (k, allowed) in support.iter_mut().enumerate() {
                let k = k as i64;
                let (low, high) = (least + k, most - range + k);
                *allowed &= low <= rest.mines && high >= rest.mines - rest.floating;
            }
            debug_assert!(support.contains(&true), "least {} has no use", part.least);
        }
        let floats = rest.floating > 0;
        Allowed {
            counts: Some(supports),
            floating_can_be_mine: floats && least < rest.mines,
            floating_can_be_clear: floats && most > rest.mines - rest.floating,
        }
    }

    /// Lists every sum of the other components, for gaps wider than the floating cells can fill.
    fn by_sums(mut supports: Vec<Vec<bool>>, rest: Rest, least: i64, most: i64) -> Option<Allowed> {
        let width = (most - least + 1) as usize;
        // `ahead[i]`: the sums of components `i` and later, relative to their minimum.
        let mut ahead = vec![Bits::one(width); supports.len() + 1];
        for (i, support) in supports.iter().enumerate().rev() {
            ahead[i] = ahead[i + 1].plus(support);
        }
        let fits = |over: i64| {
            let laid = least + over;
            laid <= rest.mines && laid >= rest.mines - rest.floating
        };
        let sums: Vec<i64> = ahead[0].iter().map(|s| s as i64).filter(|&s| fits(s)).collect();
        if sums.is_empty() {
            return None;
        }
        let mut behind = Bits::one(width);
        for (i, support) in supports.iter_mut().enumerate() {
            let others = behind.plus_bits(&ahead[i + 1]);
            let next = behind.plus(support);
            for (k, allowed) in support.iter_mut().enumerate() {
                *allowed &= others.iter().any(|s| fits((s + k) as i64));
            }
            behind = next;
        }
        Some(Allowed {
            counts: Some(supports),
            floating_can_be_mine: sums.iter().any(|s| least + s < rest.mines),
            floating_can_be_clear: sums.iter().any(|s| least + s > rest.mines - rest.floating),
        })
    }
}

/// The widest distance between adjacent counts of a support.
fn widest_step(support: &[bool]) -> i64 {
    let mut widest = 1;
    let mut last = None;
    for (k, _) in support.iter().enumerate().filter(|(_, &s)| s) {
        if let Some(last) = last {
            widest = widest.max((k - last) as i64);
        }
        last = Some(k);
    }
    widest
}

/// A set of sums.
#[derive(Clone)]
struct Bits(Vec<bool>);

impl Bits {
    fn one(width: usize) -> Bits {
        let mut bits = vec![false; width];
        bits[0] = true;
        Bits(bits)
    }

    fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.iter().enumerate().filter(|(_, &b)| b).map(|(s, _)| s)
    }

    fn plus(&self, support: &[bool]) -> Bits {
        let mut out = vec![false; self.0.len()];
        for s in self.iter() {
            for (k, _) in support.iter().enumerate().filter(|(_, &b)| b) {
                if let Some(bit) = out.get_mut(s + k) {
                    *bit = true;
                }
            }
        }
        Bits(out)
    }

    fn plus_bits(&self, other: &Bits) -> Bits {
        self.plus(&other.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::Rng;

    /// The counts that occur in some valid combination of one count per component.
    fn listed(supports: &[Vec<bool>], rest: Rest) -> Option<(Vec<Vec<bool>>, bool, bool)> {
        let mut counts: Vec<Vec<bool>> = supports.iter().map(|s| vec![false; s.len()]).collect();
        let (mut mine, mut clear, mut any) = (false, false, false);
        let all: usize = supports.iter().map(Vec::len).product();
        for mut number in 0..all {
            let digit = |s: &Vec<bool>| {
                let k = number % s.len();
                number /= s.len();
                k
            };
            let choice: Vec<usize> = supports.iter().map(digit).collect();
            let left = rest.mines - choice.iter().sum::<usize>() as i64;
            let possible = choice.iter().zip(supports).all(|(&k, s)| s[k]);
            if possible && (0..=rest.floating).contains(&left) {
                any = true;
                mine |= left > 0;
                clear |= left < rest.floating;
                choice.iter().zip(&mut counts).for_each(|(&k, c)| c[k] = true);
            }
        }
        any.then_some((counts, mine, clear))
    }

    #[test]
    fn it_is_what_all_choices_of_counts_allow() {
        let mut rng = Rng::new(1);
        let (mut ruled_out, mut impossible) = (0, 0);
        for _ in 0..2000 {
            let mut support = || {
                let mut s: Vec<bool> = (0..1 + rng.below(5)).map(|_| rng.below(2) == 0).collect();
                // The minimum and the maximum are always possible.
                let last = s.len() - 1;
                (s[0], s[last]) = (true, true);
                s
            };
            let supports: Vec<Vec<bool>> = (0..3).map(|_| support()).collect();
            let rest = Rest { mines: rng.below(16) as i64, floating: rng.below(4) as i64 };
            let ones = [1.0; 5];
            let parts: Vec<Part> =
                supports.iter().map(|s| Part { least: 0, counts: &ones[..s.len()] }).collect();
            let found = Allowed::new(&parts, rest, |i| supports[i].clone());
            let Some((counts, mine, clear)) = listed(&supports, rest) else {
                assert!(found.is_none());
                impossible += 1;
                continue;
            };
            let found = found.unwrap();
            ruled_out += usize::from(found.counts.is_some());
            assert_eq!(found.counts.unwrap_or(supports), counts);
            assert_eq!((found.floating_can_be_mine, found.floating_can_be_clear), (mine, clear));
        }
        assert!(ruled_out > 100 && impossible > 100, "{ruled_out} {impossible}");
    }
}
