//! The learned win probability, as computed here and by its training program.

use sapper_core::search::features::FEATURES;
use sapper_core::search::network::Network;

const WEIGHTS: &[u8] = include_bytes!("../../../src/sapper/solver/search/win_chance.net");
/// Rows of features and the chance that `training/fit.py` predicts for them.
const SAMPLE: &[u8] = include_bytes!("data/win_chance_sample.bin");

#[test]
fn the_network_predicts_what_its_trainer_does() {
    let network = Network::from_bytes(WEIGHTS).expect("the weights are a network");
    let words: Vec<f32> =
        SAMPLE.chunks_exact(4).map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect();
    let rows: Vec<&[f32]> = words.chunks_exact(FEATURES + 1).collect();
    assert!(rows.len() >= 10);
    for row in rows {
        let features = row[..FEATURES].try_into().unwrap();
        let found = network.win_chance(&features);
        assert!((found - row[FEATURES]).abs() < 1e-4, "{found} is not {}", row[FEATURES]);
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
