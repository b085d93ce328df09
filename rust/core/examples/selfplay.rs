//! Self-play for training and comparing: see training/README.md.
//!
//! selfplay label BOARD FIRST NETWORK EFFORT SEED GAMES FORKS OUT
//! selfplay value BOARD FIRST NETWORK EFFORT SEED GAMES
//! selfplay play  BOARD FIRST NETWORK EFFORT SEED GAMES OUT

use std::io::Write;
use std::sync::Arc;
use std::time::Instant;

use sapper_core::generate::uniform;
use sapper_core::play::{play, Exact, Match, Mines, Table};
use sapper_core::search::guess::{Effort, Searcher};
use sapper_core::search::network::Network;
use sapper_core::search::rollout::{labelled, survival};

#[path = "shared/boards.rs"]
mod boards;

/// "margin,cells,deep,near,second,likely,solutions,states,leaf_solutions,again,blend"
fn effort(text: &str) -> Effort {
    let f: Vec<f32> = text.split(',').map(|x| x.parse().unwrap()).collect();
    Effort {
        margin: f[0],
        cells: f[1] as usize,
        deep: f[2] as usize,
        near: f[3],
        second: f[4] as usize,
        likely: f[5],
        solutions: f[6] as usize,
        states: f[7] as u64,
        leaf_solutions: f[8] as usize,
        again: f[9],
        blend: f[10],
        every: false,
    }
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let (width, height, mines) = boards::board(&args[1]);
    let graph = boards::rectangle(width, height);
    // "safe" starts at (0,0), "opening" at (3,3).
    let first = if args[2] == "safe" { 0 } else { 3 * width + 3 };
    let mut clear = vec![first];
    if args[2] == "opening" {
        clear.extend(graph.neighbours(first).iter().map(|&n| n as usize));
    }
    let game = Match { mines: Mines::Total(mines), first, clear };
    let network = std::fs::read(&args[3])
        .ok()
        .map(|b| Arc::new(Network::from_bytes(&b).expect("a network of this version")));
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
    } else if args[0] == "value" {
        // The win rate with less noise: no guess kills, and each game counts its safeties' product.
        let searcher = searcher.as_mut().expect("values need a search");
        let (mut count, mut sum, mut squares) = (0.0, 0.0, 0.0);
        for i in 0..games {
            let mined = uniform(graph.len(), mines, &game.clear, seed + i).unwrap();
            table.reset(graph.len());
            table.open(&graph, &graph.numbers(&mined), first);
            let cells = table.cells.clone();
            let position = (&cells[..], Some(mines));
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
            196.0 * ((squares / count - mean * mean) / count).sqrt(),
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
            196.0 * (p * (1.0 - p) / games as f64).sqrt(),
            1e3 * began.elapsed().as_secs_f64() / games as f64,
            searcher.map_or(0, |s| s.nodes / games)
        );
    }
}
