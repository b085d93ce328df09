//! How much better or worse are another player's choices? See training/README.md.
//!
//! advantage BOARD NETWORK EFFORT ROLLOUTS < GUESSES
//!
//! GUESSES has a line for each guess of the other player: the game, the cell that it opened, and the
//! position. Wherever the player with EFFORT would open another cell, it continues the game from
//! each of the two cells, with common random numbers and without fatal guesses. The mean sum of the
//! differences per game is an unbiased estimate of the difference between the win rates of the two
//! players. A line `games N` after each game gives the number of games so far.

use std::collections::HashMap;
use std::io::BufRead;
use std::sync::Arc;

use sapper_core::mines::Mines;
use sapper_core::play::Table;
use sapper_core::search::effort::Effort;
use sapper_core::search::guess::Searcher;
use sapper_core::search::network::Network;
use sapper_core::search::rollout::survival;
use sapper_core::topology::Graph;
use sapper_training::board;

/// Games between two lines of output.
const SHOWN: usize = 250;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let (width, height, mines) = board(&args[0]);
    let graph = Graph::rectangle(width, height).expect("a board of that size");
    let bytes = std::fs::read(&args[1]).expect("a network");
    let network = Some(Arc::new(Network::from_bytes(&bytes).expect("a network of this version")));
    let mut numbers = args[2].split(',');
    let effort = Effort::read(|_| numbers.next().map_or(Ok(0.0), str::parse)).expect("numbers");
    let rollouts: u64 = args[3].parse().expect("a number of rollouts");
    let mut player = Searcher::new(network, effort);
    let (mut table, told) = (Table::default(), Mines::Total(mines));
    let mut sums: HashMap<u64, f64> = HashMap::new();
    let (mut games, mut guesses, mut different) = (0, 0, 0);
    for line in std::io::stdin().lock().lines() {
        let line = line.expect("text");
        let fields: Vec<&str> = line.split(' ').collect();
        if fields[0] == "games" {
            games = fields[1].parse().expect("a number of games");
            if games % SHOWN == 0 {
                show(&sums, games, guesses, different);
            }
            continue;
        }
        let game: u64 = fields[0].parse().expect("a game");
        let cell: usize = fields[1].parse().expect("a cell");
        let mut cells = fields[2].as_bytes().to_vec();
        guesses += 1;
        let guess = player.guess(&graph, &mut cells, told);
        let Some(best) = guess.picks.first().map(|pick| pick.cell as usize) else { continue };
        if best == cell {
            continue;
        }
        different += 1;
        let mut value = |cell, seed| {
            survival(&mut player, &mut table, &graph, (&cells, told), Some(cell), seed)
                .unwrap_or_default()
        };
        let seeds = (0..rollouts).map(|i| game << 20 | guesses << 8 | i);
        let gain: f64 = seeds.map(|seed| value(best, seed) - value(cell, seed)).sum();
        *sums.entry(game).or_default() += gain / rollouts as f64;
    }
    show(&sums, games, guesses, different);
}

fn show(sums: &HashMap<u64, f64>, games: usize, guesses: u64, different: u64) {
    let n = games as f64;
    let mean = sums.values().sum::<f64>() / n;
    let squares: f64 = sums.values().map(|sum| sum * sum).sum();
    let error = 1.96 * ((squares / n - mean * mean) / n).sqrt();
    println!(
        "{:+.3} % +- {:.3} over {games} games, {guesses} guesses, {different} different",
        100.0 * mean,
        100.0 * error
    );
}
