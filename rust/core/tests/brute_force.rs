//! Compares the engine with brute-force enumeration, on boards of any shape.

use num_bigint::BigUint;
use sapper_core::analysis::{Analysis, Engine, Limit};
use sapper_core::error::{BoardError, Inconsistency};
use sapper_core::generate::Rng;
use sapper_core::sample::SampleError;
use sapper_core::topology::Graph;

/// A graph whose cells touch where `touch` returns true.
fn graph(cells: usize, touch: impl Fn(usize, usize) -> bool) -> Graph {
    let (mut offsets, mut neighbours) = (vec![0], Vec::new());
    for a in 0..cells {
        neighbours.extend(
            (0..cells).filter(|&b| a != b && (touch(a, b) || touch(b, a))).map(|b| b as u32),
        );
        offsets.push(neighbours.len() as u32);
    }
    Graph::new(offsets, neighbours).unwrap()
}

fn rectangle(width: usize, height: usize) -> Graph {
    graph(width * height, |a, b| {
        (a / width).abs_diff(b / width) <= 1 && (a % width).abs_diff(b % width) <= 1
    })
}

/// A graph with random neighbours.
fn tangle(cells: usize, rng: &mut Rng) -> Graph {
    let links: Vec<bool> = (0..cells * cells).map(|_| rng.below(4) == 0).collect();
    graph(cells, |a, b| a < b && links[a * cells + b])
}

/// A position of a real board; one position in four has a wrong number.
fn position(graph: &Graph, rng: &mut Rng) -> (Vec<u8>, usize) {
    let mined: Vec<u8> = (0..graph.len()).map(|_| u8::from(rng.below(3) == 0)).collect();
    let numbers = graph.numbers(&mined);
    let mut cells: Vec<u8> = (0..graph.len())
        .map(|c| match (rng.below(2), mined[c]) {
            (0, 0) => b'0' + numbers[c].min(9),
            (0, _) if rng.below(6) == 0 => b'*',
            (1, _) if rng.below(4) == 0 => b'F',
            _ => b'.',
        })
        .collect();
    if rng.below(4) == 0 {
        if let Some(cell) = cells.iter_mut().find(|c| c.is_ascii_digit()) {
            *cell = b'0' + rng.below(4) as u8;
        }
    }
    (cells, mined.iter().map(|&m| usize::from(m)).sum())
}

/// All arrangements that fit a running game, as bit sets of cells. Without a total, not all unopened
/// cells are mines, unless nothing else fits or no number is open.
fn list(graph: &Graph, cells: &[u8], mines: Option<usize>) -> Vec<u32> {
    let mut all = fitting(graph, cells, mines);
    if mines.is_none() && all.len() > 1 && cells.iter().any(u8::is_ascii_digit) {
        let is_clear = |set: u32, c: usize| b".F".contains(&cells[c]) && set >> c & 1 == 0;
        all.retain(|&set| (0..cells.len()).any(|c| is_clear(set, c)));
    }
    all
}

fn fitting(graph: &Graph, cells: &[u8], mines: Option<usize>) -> Vec<u32> {
    (0..1u32 << cells.len())
        .filter(|set| {
            let mined = |c: usize| set >> c & 1 == 1;
            mines.is_none_or(|m| set.count_ones() as usize == m)
                && cells.iter().enumerate().all(|(c, &byte)| match byte {
                    b'.' | b'F' => true,
                    b'*' => mined(c),
                    _ => {
                        let around = graph.neighbours(c).iter();
                        let number = around.filter(|&&n| mined(n as usize)).count();
                        !mined(c) && number == usize::from(byte - b'0')
                    }
                })
        })
        .collect()
}

fn check(found: &Analysis, cells: &[u8], all: &[u32]) {
    assert_eq!(found.solutions(), Some(BigUint::from(all.len())));
    for (c, &byte) in cells.iter().enumerate() {
        let mines = all.iter().filter(|&&set| set >> c & 1 == 1).count();
        let (safe, mined) = (found.safe.contains(&(c as u32)), found.mined.contains(&(c as u32)));
        if byte == b'.' || byte == b'F' {
            let p = mines as f64 / all.len() as f64;
            assert!((found.p_mine[c] - p).abs() < 1e-12, "{} is not {p}", found.p_mine[c]);
            assert_eq!((safe, mined), (mines == 0, mines == all.len()));
        } else {
            assert!(found.p_mine[c].is_nan() && !safe && !mined);
        }
    }
}

fn compare(graph: &Graph, rng: &mut Rng, engine: &mut Engine) {
    let (cells, truth) = position(graph, rng);
    let totals = [None, Some(truth), Some(rng.below(graph.len() as u64 + 1) as usize)];
    for mines in totals {
        let all = list(graph, &cells, mines);
        match engine.analyze(graph, &cells, mines, Limit::default()) {
            Ok(found) => check(&found, &cells, &all),
            Err(BoardError::Inconsistent(why)) => {
                assert!(all.is_empty(), "{why} on {}", String::from_utf8_lossy(&cells));
                let without_total = list(graph, &cells, None);
                let only_total = matches!(why, Inconsistency::Total { .. });
                assert_eq!(only_total, !without_total.is_empty());
            }
            Err(other) => panic!("{other}"),
        }
    }
}

#[test]
fn rectangles_agree_with_every_arrangement_listed() {
    let mut rng = Rng::new(1);
    let mut engine = Engine::new();
    for round in 0..600 {
        let (width, height) = [(1, 1), (4, 3), (7, 2), (13, 1), (3, 5)][round % 5];
        compare(&rectangle(width, height), &mut rng, &mut engine);
    }
}

#[test]
fn no_shape_of_board_is_assumed() {
    let mut rng = Rng::new(2);
    let mut engine = Engine::new();
    for _ in 0..600 {
        let graph = tangle(12, &mut rng);
        compare(&graph, &mut rng, &mut engine);
    }
}

#[test]
fn drawn_boards_are_among_those_listed_and_reach_them_all() {
    let mut rng = Rng::new(3);
    let mut engine = Engine::new();
    for round in 0..200 {
        let graph = tangle(10, &mut rng);
        let (cells, truth) = position(&graph, &mut rng);
        let mines = (round % 2 == 0).then_some(truth);
        let all = list(&graph, &cells, mines);
        let drawn = engine.sample(&graph, &cells, mines, &[], 2000, round, Limit::default());
        let drawn = match drawn {
            Ok(boards) => boards,
            Err(SampleError::Board(BoardError::Inconsistent(_))) => {
                assert!(all.is_empty());
                continue;
            }
            Err(other) => panic!("{other:?}"),
        };
        let mut seen: Vec<u32> = drawn
            .iter()
            .map(|b| b.iter().enumerate().map(|(c, &m)| u32::from(m) << c).sum())
            .collect();
        seen.sort_unstable();
        seen.dedup();
        assert!(seen.iter().all(|set| all.contains(set)));
        if all.len() < 100 {
            assert_eq!(seen.len(), all.len());
        }
    }
}

/// A wide board, for tests of the budget.
fn wide(seed: u64) -> (Graph, Vec<u8>, usize) {
    let graph = rectangle(24, 24);
    let mut rng = Rng::new(seed);
    let mined: Vec<u8> = (0..graph.len()).map(|_| u8::from(rng.below(5) == 0)).collect();
    let numbers = graph.numbers(&mined);
    let cells = (0..graph.len())
        .map(|c| if mined[c] == 0 && rng.below(10) < 3 { b'0' + numbers[c] } else { b'.' })
        .collect();
    let mines = mined.iter().map(|&m| usize::from(m)).sum();
    (graph, cells, mines)
}

#[test]
fn past_the_budget_what_is_proved_is_true_and_estimates_carry_their_error() {
    let (mut outside, mut estimated) = (0, 0);
    for seed in 0..8 {
        let (graph, cells, mines) = wide(seed);
        let mut engine = Engine::new();
        let exact = engine.analyze(&graph, &cells, Some(mines), Limit::default()).unwrap();
        assert!(exact.is_exact());
        let limit = Limit { states: 40, seconds: None };
        let rough = Engine::new().analyze(&graph, &cells, Some(mines), limit).unwrap();
        let error = rough.p_mine_error.as_ref().expect("forty states are too few");
        assert_eq!(rough.solutions(), None);
        assert!(rough.safe.iter().all(|c| exact.safe.contains(c)));
        assert!(rough.mined.iter().all(|c| exact.mined.contains(c)));
        for c in (0..cells.len()).filter(|&c| cells[c] == b'.') {
            assert!((0.0..=1.0).contains(&rough.p_mine[c]) && error[c] >= 0.0);
            estimated += 1;
            outside += usize::from((rough.p_mine[c] - exact.p_mine[c]).abs() > error[c] + 1e-9);
        }
    }
    // The errors of cells on one board are correlated, so the test allows more than 5 %.
    assert!(outside * 8 < estimated, "{outside} of {estimated} outside their interval");
}

#[test]
fn no_bytes_make_the_engine_panic() {
    let mut rng = Rng::new(4);
    let mut engine = Engine::new();
    let graph = rectangle(6, 4);
    for _ in 0..20_000 {
        let length = if rng.below(50) == 0 { rng.below(40) as usize } else { graph.len() };
        let alphabet = b"0123456789.F*..1122x";
        let cells: Vec<u8> =
            (0..length).map(|_| alphabet[rng.below(alphabet.len() as u64) as usize]).collect();
        let mines = (rng.below(2) == 0).then(|| rng.below(40) as usize);
        let limit = Limit { states: rng.below(200), seconds: (rng.below(2) == 0).then_some(0.0) };
        let _ = engine.analyze(&graph, &cells, mines, limit);
        let _ = engine.sample(&graph, &cells, mines, &[], 2, 5, limit);
    }
}

#[test]
fn following_a_game_says_what_reading_each_position_anew_says() {
    let mut rng = Rng::new(6);
    for round in 0..400 {
        let graph = if round % 2 == 0 { rectangle(7, 6) } else { tangle(24, &mut rng) };
        let mined: Vec<u8> = (0..graph.len()).map(|_| u8::from(rng.below(5) == 0)).collect();
        let numbers = graph.numbers(&mined);
        let mines = mined.iter().map(|&m| usize::from(m)).sum();
        let mut cells = vec![b'.'; graph.len()];
        let mut engine = Engine::new();
        for _ in 0..30 {
            for _ in 0..rng.below(3) {
                let cell = rng.below(graph.len() as u64) as usize;
                cells[cell] = match rng.below(12) {
                    0 => b'F',
                    // Sometimes show a wrong number, a closed cell, or an opened mine.
                    1 if rng.below(8) == 0 => b'0' + rng.below(4) as u8,
                    2 if rng.below(4) == 0 => b'.',
                    _ if mined[cell] == 0 => b'0' + numbers[cell].min(9),
                    _ if rng.below(4) == 0 => b'*',
                    _ => cells[cell],
                };
            }
            let total = (rng.below(3) > 0).then_some(mines);
            let followed = engine.analyze(&graph, &cells, total, Limit::default());
            let anew = Engine::new().analyze(&graph, &cells, total, Limit::default());
            match (followed, anew) {
                (Ok(a), Ok(b)) => {
                    assert_eq!((&a.safe, &a.mined), (&b.safe, &b.mined));
                    assert_eq!(a.solutions(), b.solutions());
                    let close =
                        |(x, y): (&f64, &f64)| x.is_nan() && y.is_nan() || (x - y).abs() < 1e-12;
                    assert!(a.p_mine.iter().zip(&b.p_mine).all(close));
                }
                (Err(a), Err(b)) => assert_eq!(a, b),
                (a, b) => panic!("{a:?} is not {b:?}"),
            }
        }
    }
}
