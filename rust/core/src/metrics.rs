//! Measures of a complete board.

use crate::topology::Graph;

/// One board's measures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Metrics {
    /// Groups of touching zeros.
    pub openings: usize,
    /// Openings plus numbers outside any opening: the fewest clicks without chords (3BV).
    pub bbbv: usize,
}

pub fn metrics(graph: &Graph, mined: &[u8]) -> Metrics {
    let mut openings = 0;
    let done = each_opening(graph, mined, |_| openings += 1);
    let alone = done.iter().filter(|&&d| !d).count();
    Metrics { openings, bbbv: openings + alone }
}

/// The solved part of the 3BV: openings with every zero open, and open numbers outside any opening.
pub fn solved(graph: &Graph, mined: &[u8], open: &[bool]) -> usize {
    let mut solved = 0;
    let done =
        each_opening(graph, mined, |zeros| solved += usize::from(zeros.iter().all(|&z| open[z])));
    solved + (0..graph.len()).filter(|&cell| !done[cell] && open[cell]).count()
}

/// Visits the zeros of each opening. Returns, for each cell, whether it is a mine, in an opening,
/// or on an opening's rim.
fn each_opening(graph: &Graph, mined: &[u8], mut visit: impl FnMut(&[usize])) -> Vec<bool> {
    let numbers = graph.numbers(mined);
    let mut done: Vec<bool> = mined.iter().map(|&m| m != 0).collect();
    let mut zeros = Vec::new();
    for start in 0..graph.len() {
        if done[start] || numbers[start] != 0 {
            continue;
        }
        done[start] = true;
        zeros.clear();
        zeros.push(start);
        let mut next = 0;
        while next < zeros.len() {
            for &n in graph.neighbours(zeros[next]) {
                let n = n as usize;
                if !done[n] {
                    done[n] = true;
                    if numbers[n] == 0 {
                        zeros.push(n);
                    }
                }
            }
            next += 1;
        }
        visit(&zeros);
    }
    done
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::position;

    fn measured(rows: &[&str]) -> Metrics {
        let (graph, cells) = position(rows);
        let mined: Vec<u8> = cells.iter().map(|&c| u8::from(c == b'*')).collect();
        metrics(&graph, &mined)
    }

    #[test]
    fn boards_counted_by_hand() {
        assert_eq!(measured(&["...", "...", "..."]), Metrics { openings: 1, bbbv: 1 });
        assert_eq!(measured(&["*..", "...", "..."]), Metrics { openings: 1, bbbv: 1 });
        assert_eq!(measured(&["...", ".*.", "..."]), Metrics { openings: 0, bbbv: 8 });
        // Two openings, whose rims cover every number.
        assert_eq!(measured(&["..*..", "..*..", "....."]), Metrics { openings: 2, bbbv: 3 });
        assert_eq!(measured(&["***", "***"]), Metrics { openings: 0, bbbv: 0 });
    }

    #[test]
    fn an_opening_is_solved_by_its_last_zero() {
        let (graph, cells) = position(&["..*..", "..*..", "....*"]);
        let mined: Vec<u8> = cells.iter().map(|&c| u8::from(c == b'*')).collect();
        let mut open: Vec<bool> = mined.iter().map(|&m| m == 0).collect();
        assert_eq!(solved(&graph, &mined, &open), metrics(&graph, &mined).bbbv);
        // A zero of the left opening, and a number outside any opening.
        open[0] = false;
        let all = metrics(&graph, &mined).bbbv;
        assert_eq!(solved(&graph, &mined, &open), all - 1);
        open[13] = false;
        assert_eq!(solved(&graph, &mined, &open), all - 2);
        assert_eq!(solved(&graph, &mined, &[false; 15]), 0);
    }
}
