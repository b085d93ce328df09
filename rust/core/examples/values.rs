//! Prints a hash of the win chances of all cells in Expert or Intermediate positions.
//!
//! `cargo run --release -p sapper-core --example values -- [POSITIONS] [LEVEL] [list]`; LEVEL is
//! `expert` (the default) or `intermediate`, which the network does not cover. The positions are
//! those in which `swift` guesses. Each is searched like a review searches it: the candidates, every
//! cell, and two guesses deep, and one win chance is sampled. Two builds that print the same hash
//! gave the same values to the last bit; `list` prints the values, to find the first difference.

use sapper_core::analysis::{Analysis, Engine};
use sapper_core::mines::Mines;
use sapper_core::play::{play, Guesser, Match, Table};
use sapper_core::search::effort::Effort;
use sapper_core::search::guess::Searcher;
use sapper_core::search::rollout::survival;
use sapper_core::topology::Graph;

#[path = "support/search.rs"]
mod search;

use search::{champion, mixed, searcher, swift};

/// A bot whose guesses are also searched by other searchers.
struct Compared {
    player: Searcher,
    others: Vec<Searcher>,
    sampler: Searcher,
    left: usize,
    values: usize,
    hash: u64,
    list: bool,
}

impl Compared {
    fn add(&mut self, cell: u32, value: f64) {
        if self.list {
            println!("cell {cell}  value {value:?}");
        }
        self.values += 1;
        for word in [u64::from(cell), value.to_bits()] {
            self.hash = mixed(self.hash, word);
        }
    }
}

impl Guesser for Compared {
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
        if self.left > 0 {
            self.left -= 1;
            if self.list {
                println!("position {}", String::from_utf8_lossy(cells));
            }
            for i in 0..self.others.len() {
                for pick in self.others[i].guess(graph, cells, mines).picks {
                    self.add(pick.cell, pick.value.into());
                }
            }
            let (seed, mut table) = (self.left as u64, Table::default());
            let sampled =
                survival(&mut self.sampler, &mut table, graph, (cells, mines), None, seed);
            self.add(u32::MAX, sampled.unwrap_or(-1.0));
        }
        Guesser::guess(&mut self.player, graph, cells, mines, found)
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let positions = arguments.first().map_or(300, |text| text.parse().expect("a number"));
    let (graph, mines) = match arguments.get(1).map_or("expert", String::as_str) {
        "expert" => (Graph::rectangle(30, 16), 99),
        "intermediate" => (Graph::rectangle(16, 16), 40),
        other => panic!("there is no level {other}"),
    };
    let graph = graph.expect("a board");
    let every = Effort { every: true, ..champion() };
    let wide = Effort { margin: 1.0, cells: 1_000, ..every };
    let deep = Effort { deep: 6, second: 8, near: 0.05, likely: 0.02, ..every };
    let mut player = Compared {
        player: searcher(swift()),
        others: [every, wide, deep].map(searcher).into(),
        sampler: searcher(swift()),
        left: positions,
        values: 0,
        hash: 0,
        list: arguments.get(2).is_some_and(|text| text == "list"),
    };
    let game = Match { mines: Mines::Total(mines), first: 0, clear: vec![0] };
    let mut table = Table::default();
    for seed in 1.. {
        if player.left == 0 {
            break;
        }
        play(&mut player, &mut table, &graph, &game, seed).expect("a board");
    }
    println!("positions {positions}  values {}  hash {:016x}", player.values, player.hash);
}
