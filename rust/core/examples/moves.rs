//! Times the analysis of a position in which one more cell is open than in the last one.
//!
//! `cargo run --release -p sapper-core --example moves -- [POSITIONS]`. Positions are mid-game
//! Expert positions: a zero in the middle, then cells proved safe, one by one, until 20 to 70 % of
//! the board are open. Each is analysed five times by an engine that has analysed the position
//! before it, and five times by a new engine; the fastest counts.

use std::time::Instant;

use sapper_core::analysis::{Analysis, Engine, Limit};
use sapper_core::generate::{uniform, Rng};
use sapper_core::topology::Graph;

const MINES: usize = 99;
const RUNS: usize = 5;

fn main() {
    let positions = std::env::args().nth(1).map_or(300, |text| text.parse().expect("a number"));
    let graph = Graph::rectangle(30, 16).expect("a board");
    let (mut moved, mut scratch) = (Vec::new(), Vec::new());
    for seed in 0.. {
        if moved.len() == positions {
            break;
        }
        let Some((before, after)) = pair(&graph, seed) else { continue };
        let analyze = |engine: &mut Engine, cells: &[u8]| -> Analysis {
            engine.analyze(&graph, cells, Some(MINES), Limit::default()).expect("a position")
        };
        let time = |before: Option<&[u8]>| {
            let once = || {
                let mut engine = Engine::new();
                before.map(|cells| analyze(&mut engine, cells));
                let begun = Instant::now();
                let found = analyze(&mut engine, &after);
                let seconds = begun.elapsed().as_secs_f64();
                drop(found);
                seconds
            };
            (0..RUNS).map(|_| once()).fold(f64::INFINITY, f64::min)
        };
        moved.push(time(Some(&before)));
        scratch.push(time(None));
    }
    print("one cell opened since", moved);
    print("from scratch, with a new engine", scratch);
}

/// A position, and the same with one more opened cell; None if no cell is proved safe there.
fn pair(graph: &Graph, seed: u64) -> Option<(Vec<u8>, Vec<u8>)> {
    let start = graph.len() / 2 + 15;
    let mut clear = vec![start];
    clear.extend(graph.neighbours(start).iter().map(|&n| n as usize));
    let mined = uniform(graph.len(), MINES, &clear, seed).expect("a board");
    let numbers = graph.numbers(&mined);
    let mut rng = Rng::new(seed);
    let open = 0.2 + 0.5 * rng.unit();
    let mut table = sapper_core::play::Table::default();
    table.reset(graph.len());
    table.open(graph, &numbers, start);
    let mut engine = Engine::new();
    loop {
        let found = engine.analyze(graph, &table.cells, Some(MINES), Limit::default()).ok()?;
        if found.safe.is_empty() {
            return None;
        }
        let cell = found.safe[rng.below(found.safe.len() as u64) as usize] as usize;
        let opened = table.cells.iter().filter(|&&cell| cell != b'.').count();
        // An opened zero would open its neighbours in turn.
        if opened as f64 >= open * graph.len() as f64 && numbers[cell] > 0 {
            let mut after = table.cells.clone();
            after[cell] = b'0' + numbers[cell];
            return Some((table.cells, after));
        }
        table.open(graph, &numbers, cell);
    }
}

fn print(what: &str, mut seconds: Vec<f64>) {
    seconds.sort_by(f64::total_cmp);
    let at = |share: f64| 1e6 * seconds[((seconds.len() - 1) as f64 * share) as usize];
    println!("{what}  median {:.1} us  p99 {:.1} us  worst {:.1} us", at(0.5), at(0.99), at(1.0));
}
