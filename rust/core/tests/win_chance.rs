//! The learned win probability, as computed here and by its training program.

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
fn other_bytes_are_no_network() {
    assert!(Network::from_bytes(b"").is_none());
    assert!(Network::from_bytes(&WEIGHTS[..WEIGHTS.len() - 4]).is_none());
    let mut longer = WEIGHTS.to_vec();
    longer.extend([0; 4]);
    assert!(Network::from_bytes(&longer).is_none());
}
