//! How much would a player gain by choosing each guess by rollouts? See training/README.md.
//!
//! rollouts BOARD FIRST NETWORK EFFORT SEED GAMES SHARE MARGIN POLICY
//!
//! The player with EFFORT plays games. Of its guesses, a random SHARE is examined: every cell whose
//! risk is within MARGIN of the least is tried in games that the player with the effort POLICY
//! continues, with common random numbers. The best cell is selected in two rounds by the mean of the
//! rollouts and the player's own estimate, weighted by their precision, since rollouts alone are too
//! noisy. It is compared with the player's choice in further games, so that the gain is unbiased by
//! the selection. EFFORT should value every candidate. Each line is one guess: seed, unopened cells, candidates, the player's cell and its risk, the best
//! cell and its risk, the least risk, the player's estimate for both, the gain and its standard
//! error.

use std::sync::Arc;

use sapper_core::analysis::Limit;
use sapper_core::generate::{uniform, Rng};
use sapper_core::mines::Mines;
use sapper_core::play::Table;
use sapper_core::search::effort::Effort;
use sapper_core::search::guess::{candidates, Searcher};
use sapper_core::search::network::Network;
use sapper_core::search::rollout::survival;
use sapper_core::search::view::View;
use sapper_core::topology::Graph;
use sapper_training::board;

/// The most candidates, the rollouts of each in the first round, and of those kept in the second.
const MOST: usize = 24;
const FIRST: u64 = 20;
const KEPT: usize = 4;
const SECOND: u64 = 300;
/// The rollouts that compare the best cell with the player's.
const LAST: u64 = 300;
/// The standard deviations of a rollout and of the player's estimate, apart from what all cells of
/// a position share.
const ROLLOUT: f64 = 0.2;
const ESTIMATE: f64 = 0.01;
/// A cell that the player does not consider is assumed to be worth less than its choice by this.
const UNCONSIDERED: f64 = 0.02;

fn effort(text: &str) -> Effort {
    let mut numbers = text.split(',');
    Effort::read(|_| numbers.next().map_or(Ok(0.0), str::parse)).expect("numbers")
}

/// A cell under trial, and the results of its rollouts.
struct Tried {
    cell: usize,
    estimate: f64,
    sum: f64,
    count: f64,
}

impl Tried {
    /// The mean of the estimate and the rollouts, weighted by their precision.
    fn mean(&self) -> f64 {
        let weight = (ROLLOUT / ESTIMATE).powi(2);
        (self.estimate * weight + self.sum) / (weight + self.count)
    }
}

struct Trial<'a> {
    policy: &'a mut Searcher,
    table: Table,
    graph: &'a Graph,
    cells: Vec<u8>,
    told: Mines,
}

impl Trial<'_> {
    fn value(&mut self, cell: usize, seed: u64) -> f64 {
        let position = (&self.cells[..], self.told);
        survival(self.policy, &mut self.table, self.graph, position, Some(cell), seed)
            .unwrap_or_default()
    }

    fn add(&mut self, tried: &mut [Tried], seeds: std::ops::Range<u64>) {
        for one in tried.iter_mut() {
            for seed in seeds.clone() {
                one.sum += self.value(one.cell, seed);
                one.count += 1.0;
            }
        }
    }

    /// The best cell of these, and its gain over `own` with its standard error.
    fn best(&mut self, mut tried: Vec<Tried>, own: usize, seed: u64) -> (usize, f64, f64) {
        self.add(&mut tried, seed..seed + FIRST);
        tried.sort_by(|a, b| b.mean().total_cmp(&a.mean()));
        let place = tried.iter().position(|one| one.cell == own).unwrap_or(0);
        tried.swap(0, place);
        tried[1..].sort_by(|a, b| b.mean().total_cmp(&a.mean()));
        tried.truncate(KEPT);
        self.add(&mut tried, seed + FIRST..seed + SECOND);
        let best =
            tried.iter().max_by(|a, b| a.mean().total_cmp(&b.mean())).map_or(own, |t| t.cell);
        if best == own {
            return (own, 0.0, 0.0);
        }
        let (mut sum, mut squares) = (0.0, 0.0);
        for seed in seed + SECOND..seed + SECOND + LAST {
            let gain = self.value(best, seed) - self.value(own, seed);
            sum += gain;
            squares += gain * gain;
        }
        let n = LAST as f64;
        let mean = sum / n;
        (best, mean, ((squares / n - mean * mean) / n).sqrt())
    }
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let (width, height, mines) = board(&args[0]);
    let graph = Graph::rectangle(width, height).expect("a board of that size");
    let first = if args[1] == "safe" { 0 } else { 3 * width + 3 };
    let mut clear = vec![first];
    if args[1] == "opening" {
        clear.extend(graph.neighbours(first).iter().map(|&n| n as usize));
    }
    let bytes = std::fs::read(&args[2]).expect("a network");
    let network = Some(Arc::new(Network::from_bytes(&bytes).expect("a network of this version")));
    let seed: u64 = args[4].parse().expect("a seed");
    let games: u64 = args[5].parse().expect("a number of games");
    let (share, margin): (f64, f32) = (args[6].parse().unwrap(), args[7].parse().unwrap());
    let mut player = Searcher::new(network.clone(), effort(&args[3]));
    let mut policy = Searcher::new(network, effort(&args[8]));
    let told = Mines::Total(mines);
    let mut view = View::default();
    println!("seed,unopened,candidates,own,own_risk,best,best_risk,least,own_value,best_value,gain,error");
    for seed in seed..seed + games {
        let mined = uniform(graph.len(), mines, &clear, seed).unwrap();
        let numbers = graph.numbers(&mined);
        let mut table = Table::default();
        table.reset(graph.len());
        table.open(&graph, &numbers, first);
        let mut rng = Rng::new(seed ^ 0x5eed);
        let mut guesses = 0;
        loop {
            let found = player.engine.analyze(&graph, &table.cells, told, Limit::default());
            let Ok(found) = found else { break };
            let left = table.cells.iter().filter(|&&c| c == b'.').count();
            if found.mined.len() == left {
                break;
            }
            if !found.safe.is_empty() {
                for &cell in &found.safe {
                    table.open(&graph, &numbers, cell as usize);
                }
                continue;
            }
            let guess = player.guess(&graph, &mut table.cells, told);
            let Some(own) = guess.picks.first().filter(|_| !guess.exact) else { break };
            guesses += 1;
            if rng.unit() < share && player.engine.look(&graph, &table.cells, told, &mut view) {
                let least = view.p_mine.iter().copied().fold(1.0, f32::min);
                let picks = candidates(&graph, &view, margin, MOST);
                let mut cells: Vec<u32> = picks.iter().map(|pick| pick.cell).collect();
                if !cells.contains(&own.cell) {
                    cells.push(own.cell);
                }
                let count = cells.len();
                let tried = cells.into_iter().map(|cell| {
                    let pick = guess.picks.iter().find(|pick| pick.cell == cell);
                    let value =
                        pick.map_or(f64::from(own.value) - UNCONSIDERED, |p| p.value.into());
                    Tried { cell: cell as usize, estimate: value, sum: 0.0, count: 0.0 }
                });
                let tried = tried.collect();
                let mut trial = Trial {
                    policy: &mut policy,
                    table: Table::default(),
                    graph: &graph,
                    cells: table.cells.clone(),
                    told,
                };
                let from = seed ^ ((left as u64) << 40);
                let (best, gain, error) = trial.best(tried, own.cell as usize, from);
                let value = guess.picks.iter().find(|pick| pick.cell as usize == best);
                println!(
                    "{seed},{left},{count},{},{:.4},{best},{:.4},{least:.4},{:.4},{:.4},{gain:.5},{error:.5}",
                    own.cell,
                    own.risk,
                    view.p_mine[best],
                    own.value,
                    value.map_or(f32::NAN, |pick| pick.value),
                );
            }
            if mined[own.cell as usize] == 1 {
                break;
            }
            table.open(&graph, &numbers, own.cell as usize);
        }
        println!("# {seed} {guesses} guesses");
    }
}
