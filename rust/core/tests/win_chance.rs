//! The learned win probability, as computed here and by its training program.

use std::sync::Arc;

use sapper_core::search::effort::Effort;
use sapper_core::search::guess::Searcher;
use sapper_core::search::network::Network;
use sapper_core::topology::Graph;

const WEIGHTS: &[u8] = include_bytes!("../../../src/sapper/solver/search/win_chance.net");
/// Positions of 30x16 with 99 mines, the last opened cell, and the win chance predicted by `fit`.
const SAMPLE: &[u8] = include_bytes!("data/win_chance_sample.bin");

fn word(bytes: &[u8]) -> [u8; 4] {
    bytes[..4].try_into().unwrap()
}

#[test]
fn the_network_predicts_what_its_trainer_does() {
    let network = Network::from_bytes(WEIGHTS).expect("the weights are a network");
    let (graph, mines) = (Graph::rectangle(30, 16).unwrap(), 99);
    let mut searcher = Searcher::new(None, Effort::default());
    let rows: Vec<&[u8]> = SAMPLE.chunks_exact(graph.len() + 8).collect();
    assert!(rows.len() >= 20);
    let mut buffer = Vec::new();
    for row in rows {
        let (cells, rest) = row.split_at(graph.len());
        let opened = u32::from_le_bytes(word(rest)) as usize;
        let (features, nodes) = searcher.features(&graph, cells, Some(mines), opened).unwrap();
        let found = network.win_chance(&features, nodes, &mut buffer);
        let expected = f32::from_le_bytes(word(&rest[4..]));
        assert!((found - expected).abs() < 1e-4, "{found} is not {expected}");
    }
}

#[test]
fn a_search_of_every_cell_gives_the_same_values_in_every_version() {
    let network = Arc::new(Network::from_bytes(WEIGHTS).expect("the weights are a network"));
    let graph = Graph::rectangle(30, 16).unwrap();
    let effort = Effort { margin: 1.0, cells: 1_000, again: 0.8, every: true, ..Effort::default() };
    let mut searcher = Searcher::new(Some(network), effort);
    // For each position: the candidates, which include two of several equivalent cells, and the sum
    // of their values.
    let expected = [(19, 5.7357054f32), (60, 24.40738), (122, 74.746574)];
    let found = SAMPLE.chunks_exact(graph.len() + 8).step_by(7).map(|row| {
        let mut cells = row[..graph.len()].to_vec();
        let picks = searcher.guess(&graph, &mut cells, 99).picks;
        (picks.len(), picks.iter().map(|pick| pick.value).sum::<f32>())
    });
    for (found, expected) in found.zip(expected) {
        assert!(found.0 == expected.0 && (found.1 - expected.1).abs() < 1e-4, "{found:?}");
    }
}

#[test]
fn other_bytes_are_no_network() {
    assert!(Network::from_bytes(b"").is_none());
    assert!(Network::from_bytes(&WEIGHTS[..WEIGHTS.len() - 4]).is_none());
    let mut longer = WEIGHTS.to_vec();
    longer.extend([0; 4]);
    assert!(Network::from_bytes(&longer).is_none());
}
