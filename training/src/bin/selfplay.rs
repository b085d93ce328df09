//! Self-play for training and comparison: see training/README.md.
//!
//! selfplay label BOARD FIRST NETWORK EFFORT SEED GAMES FORKS OUT
//! selfplay value BOARD FIRST NETWORK EFFORT SEED GAMES
//! selfplay play  BOARD FIRST NETWORK EFFORT SEED GAMES OUT
//! selfplay duel  BOARD FIRST NETWORK EFFORT SEED GAMES OTHER-NETWORK OTHER-EFFORT

use std::io::Write;
use std::sync::Arc;
use std::time::Instant;

use sapper_core::analysis::Limit;
use sapper_core::generate::uniform;
use sapper_core::mines::Mines;
use sapper_core::play::{play, Exact, Match, Table};
use sapper_core::search::effort::Effort;
use sapper_core::search::guess::Searcher;
use sapper_core::search::network::Network;
use sapper_core::search::rollout::{labelled, survival};
use sapper_core::topology::Graph;
use sapper_training::board;

/// EFFORT is the fields of `Effort` in order, separated by commas; missing ones are 0.
fn effort(text: &str) -> Effort {
    let mut numbers = text.split(',');
    Effort::read(|_| numbers.next().map_or(Ok(0.0), str::parse)).expect("numbers")
}

fn read(path: &str) -> Option<Arc<Network>> {
    let bytes = std::fs::read(path).ok()?;
    Some(Arc::new(Network::from_bytes(&bytes).expect("a network of this version")))
}

/// The half-width of the 95 % interval of a mean; the values lie between these two bounds. As in
/// Agresti and Coull, each bound is added 1.96² / 2 times, so that the error is not 0 if all values
/// are equal.
fn error((least, most): (f64, f64), sum: f64, squares: f64, n: f64) -> f64 {
    const Z: f64 = 1.96;
    let extra = Z * Z / 2.0;
    let all = n + 2.0 * extra;
    let mean = (sum + extra * (least + most)) / all;
    let square = (squares + extra * (least * least + most * most)) / all;
    (sum / n - mean).abs() + Z * ((square - mean * mean) / all).sqrt()
}

/// Plays a game with the first searcher, and returns the sum and the number of differences in value
/// between the other searcher's choices and its own. After both choices, the first searcher
/// continues, starting with the same random numbers.
fn duel(
    (one, other): (&mut Searcher, &mut Searcher),
    table: &mut Table,
    graph: &Graph,
    (game, mines): (&Match, usize),
    seed: u64,
) -> (f64, u32) {
    let mined = uniform(graph.len(), mines, &game.clear, seed).unwrap();
    let numbers = graph.numbers(&mined);
    let told = Mines::Total(mines);
    table.reset(graph.len());
    table.open(graph, &numbers, game.first);
    let (mut sum, mut unlike) = (0.0, 0);
    loop {
        let Ok(found) = one.engine.analyze(graph, &table.cells, told, Limit::default()) else {
            return (sum, unlike);
        };
        let left = table.cells.iter().filter(|&&c| c == b'.').count();
        if found.mined.len() == left {
            return (sum, unlike);
        }
        if !found.safe.is_empty() {
            for &cell in &found.safe {
                table.open(graph, &numbers, cell as usize);
            }
            continue;
        }
        let guess = one.guess(graph, &mut table.cells, told);
        let Some(best) = guess.picks.first().filter(|_| !guess.exact) else {
            return (sum, unlike);
        };
        let best = best.cell as usize;
        let picks = other.guess(graph, &mut table.cells, told).picks;
        if let Some(pick) = picks.first().filter(|pick| pick.cell as usize != best) {
            let cells = table.cells.clone();
            let from = seed ^ ((left as u64) << 48);
            let mut worth = |cell| {
                survival(one, table, graph, (&cells, told), Some(cell), from).unwrap_or_default()
            };
            sum += worth(pick.cell as usize) - worth(best);
            unlike += 1;
            table.cells = cells;
        }
        if mined[best] == 1 {
            return (sum, unlike);
        }
        table.open(graph, &numbers, best);
    }
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let (width, height, mines) = board(&args[1]);
    let graph = Graph::rectangle(width, height).expect("a board of that size");
    // "safe" starts at (0,0), "opening" at (3,3).
    let first = if args[2] == "safe" { 0 } else { 3 * width + 3 };
    let mut clear = vec![first];
    if args[2] == "opening" {
        clear.extend(graph.neighbours(first).iter().map(|&n| n as usize));
    }
    let game = Match { mines: Mines::Total(mines), first, clear };
    let network = read(&args[3]);
    let seed: u64 = args[5].parse().unwrap();
    let games: u64 = args[6].parse().unwrap();
    let mut table = Table::default();
    let began = Instant::now();
    let mut searcher = (args[4] != "exact").then(|| Searcher::new(network, effort(&args[4])));
    if args[0] == "label" {
        let forks: f64 = args[7].parse().unwrap();
        let mut out = std::io::BufWriter::new(std::fs::File::create(&args[8]).unwrap());
        let searcher = searcher.as_mut().expect("labels need a search");
        let (mut count, mut sum) = (0u64, 0.0);
        for i in 0..games {
            let rows = labelled(searcher, &mut table, &graph, &game, forks, seed + i);
            for row in rows.into_iter().flatten() {
                out.write_all(&row.cells).unwrap();
                out.write_all(&row.opened.to_le_bytes()).unwrap();
                let at = std::env::var("PLAIN").is_ok();
                let last = if at { row.plain } else { row.weight };
                for x in [row.label, row.mixed, last] {
                    out.write_all(&x.to_le_bytes()).unwrap();
                }
                count += 1;
                sum += f64::from(row.label);
            }
        }
        out.flush().unwrap();
        let seconds = began.elapsed().as_secs_f64();
        let mean = sum / count as f64;
        println!("{count} rows, mean label {mean:.4}, {:.2} ms/game", 1e3 * seconds / games as f64);
    } else if args[0] == "duel" {
        let searcher = searcher.as_mut().expect("a duel needs a search");
        let mut other = Searcher::new(read(&args[7]), effort(&args[8]));
        let (mut sum, mut squares, mut unlike) = (0.0, 0.0, 0);
        for i in 0..games {
            let both = (&mut *searcher, &mut other);
            let found = duel(both, &mut table, &graph, (&game, mines), seed + i);
            sum += found.0;
            squares += found.0 * found.0;
            unlike += found.1;
            if i % 1000 == 999 || i + 1 == games {
                let n = (i + 1) as f64;
                println!(
                    "{:+.3} % +- {:.3} over {} games, {:.3} different choices/game, {:.1} ms/game",
                    100.0 * sum / n,
                    100.0 * error((-1.0, 1.0), sum, squares, n),
                    i + 1,
                    f64::from(unlike) / n,
                    1e3 * began.elapsed().as_secs_f64() / n
                );
            }
        }
    } else if args[0] == "value" {
        // A less noisy win rate: no guess is fatal, and each game counts as the product of its
        // safeties.
        let searcher = searcher.as_mut().expect("values need a search");
        let (mut count, mut sum, mut squares) = (0.0, 0.0, 0.0);
        for i in 0..games {
            let mined = uniform(graph.len(), mines, &game.clear, seed + i).unwrap();
            table.reset(graph.len());
            table.open(&graph, &graph.numbers(&mined), first);
            let cells = table.cells.clone();
            let position = (&cells[..], Mines::Total(mines));
            let found = survival(searcher, &mut table, &graph, position, None, seed + i);
            if let Some(value) = found {
                count += 1.0;
                sum += value;
                squares += value * value;
            }
        }
        let mean: f64 = sum / count;
        println!(
            "{:.3} % +- {:.3} over {count} games, {:.3} ms/game, {} nodes/game",
            100.0 * mean,
            100.0 * error((0.0, 1.0), sum, squares, count),
            1e3 * began.elapsed().as_secs_f64() / games as f64,
            searcher.nodes / games
        );
    } else {
        let mut won = Vec::new();
        let mut exact = Exact::default();
        for i in 0..games {
            let played = match &mut searcher {
                Some(searcher) => play(searcher, &mut table, &graph, &game, seed + i),
                None => play(&mut exact, &mut table, &graph, &game, seed + i),
            };
            won.push(played.unwrap().is_some_and(|p| p.won) as u8);
            if i % 1000 == 999 || i + 1 == games {
                std::fs::write(&args[7], &won).unwrap();
            }
        }
        let wins: u64 = won.iter().map(|&w| u64::from(w)).sum();
        let p = wins as f64 / games as f64;
        println!(
            "{wins}/{games} = {:.3} % +- {:.3}, {:.3} ms/game, {} nodes/game",
            100.0 * p,
            100.0 * error((0.0, 1.0), wins as f64, wins as f64, games as f64),
            1e3 * began.elapsed().as_secs_f64() / games as f64,
            searcher.map_or(0, |s| s.nodes / games)
        );
    }
}
