//! Plays Expert games with a native bot, and prints games per second of processor time and a hash
//! of all guesses.
//!
//! `cargo run --release -p sapper-core --example bots -- [BOT] [GAMES] [SEED]`; BOT is `exact`,
//! `swift` (the default) or `champion`. The first click is the corner, which is never a mine. Two
//! builds that print the same hash made the same guesses.

use sapper_core::analysis::{Analysis, Engine};
use sapper_core::mines::Mines;
use sapper_core::play::{play, Exact, Guesser, Match, Table};
use sapper_core::topology::Graph;

#[path = "support/search.rs"]
mod search;
mod support;

use search::{champion, mixed, searcher, swift};

/// A bot whose guesses are hashed.
struct Recorded<G> {
    player: G,
    hash: u64,
}

impl<G: Guesser> Guesser for Recorded<G> {
    fn engine(&mut self) -> &mut Engine {
        self.player.engine()
    }

    fn guess(
        &mut self,
        graph: &Graph,
        cells: &mut [u8],
        mines: Mines,
        found: &Analysis,
    ) -> Option<(usize, f64)> {
        let guess = self.player.guess(graph, cells, mines, found);
        let word = guess.map_or(u64::MAX, |(cell, _)| cell as u64);
        self.hash = mixed(self.hash, word);
        guess
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize, default: u64| {
        arguments.get(at).map_or(default, |text| text.parse().expect("a number"))
    };
    let (games, seed) = (number(1, 2000), number(2, 1));
    match arguments.first().map_or("swift", String::as_str) {
        "exact" => run(Exact::default(), games, seed),
        "swift" => run(searcher(swift()), games, seed),
        "champion" => run(searcher(champion()), games, seed),
        other => panic!("there is no native bot {other}"),
    }
}

fn run(player: impl Guesser, games: u64, seed: u64) {
    let graph = Graph::rectangle(30, 16).expect("a board");
    let game = Match { mines: Mines::Total(99), first: 0, clear: vec![0] };
    let mut table = Table::default();
    let mut player = Recorded { player, hash: 0 };
    let (mut won, mut guesses) = (0, 0);
    let before = support::processor_seconds();
    for seed in seed..seed + games {
        let played = play(&mut player, &mut table, &graph, &game, seed).expect("a board");
        let Some(played) = played else { continue };
        won += u64::from(played.won);
        guesses += played.risks.len();
    }
    let seconds = support::processor_seconds() - before;
    println!(
        "games {games}  won {won}  guesses {guesses}  hash {:016x}  seconds {seconds:.3}  games_per_second {:.1}",
        player.hash,
        games as f64 / seconds
    );
}
