//! The weights of a network, as one long vector and as a file.

use sapper_core::generate::Rng;
use sapper_core::search::features::FEATURES;
use sapper_core::search::network::{Network, GIVEN, TOLD};
use sapper_core::search::nodes::INPUTS;

use crate::labels::float;

/// The start of each part of the weights in one long vector.
#[derive(Clone, Copy)]
pub struct Shape {
    pub nodes: bool,
    pub hidden: [usize; 2],
    pub at: [usize; 11],
}

impl Shape {
    pub fn new(nodes: bool, hidden: [usize; 2]) -> Shape {
        let local = if nodes { [INPUTS * TOLD, TOLD, 2 * TOLD * GIVEN, GIVEN] } else { [0; 4] };
        let inputs = FEATURES + if nodes { GIVEN } else { 0 };
        let [a, b] = hidden;
        let sizes = [local[0], local[1], local[2], local[3], inputs * a, a, a * b, b, b, 1];
        let mut at = [0; 11];
        for i in 0..10 {
            at[i + 1] = at[i] + sizes[i];
        }
        Shape { nodes, hidden, at }
    }

    pub fn part<'a>(&self, of: &'a [f32], i: usize) -> &'a [f32] {
        &of[self.at[i]..self.at[i + 1]]
    }

    pub fn part_mut<'a>(&self, of: &'a mut [f32], i: usize) -> &'a mut [f32] {
        &mut of[self.at[i]..self.at[i + 1]]
    }

    /// Continues from the weights of another network, which may not read nodes.
    pub fn adopt(&self, weights: &mut Vec<f32>, old_shape: Shape, old: Vec<f32>) {
        if old_shape.nodes == self.nodes {
            *weights = old;
        } else {
            // The old network reads no nodes, so their output starts with zero weight.
            let own = FEATURES * self.hidden[0];
            let end = self.at[4] + own;
            weights[self.at[4]..end].copy_from_slice(&old[..own]);
            weights[end..self.at[5]].fill(0.0);
            weights[self.at[5]..].copy_from_slice(&old[own..]);
        }
        assert_eq!(weights.len(), self.at[10]);
    }

    pub fn init(&self, rng: &mut Rng) -> Vec<f32> {
        let mut weights = vec![0.0; self.at[10]];
        let [a, b] = self.hidden;
        let inputs = FEATURES + if self.nodes { GIVEN } else { 0 };
        // He 2015; messages from neighbours are summed.
        for (part, fan) in [(0, INPUTS / 2), (2, 4 * TOLD), (4, inputs), (6, a), (8, b)] {
            for w in self.part_mut(&mut weights, part) {
                let normal = (0..12).map(|_| rng.unit()).sum::<f64>() - 6.0;
                *w = (normal * (2.0 / fan as f64).sqrt()) as f32;
            }
        }
        weights
    }
}

/// The shape of a network, the means and scales of its features, its weights.
pub fn read(bytes: &[u8]) -> (Shape, Vec<f32>, Vec<f32>, Vec<f32>) {
    let network = Network::from_bytes(bytes).expect("a network of this version");
    let floats = |b: &[u8]| -> Vec<f32> { (0..b.len() / 4).map(|i| float(b, i)).collect() };
    let unit = |i: usize| u32::from_le_bytes([bytes[i], bytes[i + 1], bytes[i + 2], bytes[i + 3]]);
    let shape = Shape::new(network.reads_nodes(), [unit(12) as usize, unit(16) as usize]);
    let all = floats(&bytes[20..]);
    let (shift, rest) = all.split_at(FEATURES);
    let (scale, weights) = rest.split_at(FEATURES);
    (shape, shift.to_vec(), scale.to_vec(), weights.to_vec())
}

/// The bytes of a network: the inverse of `read`.
pub fn written(shape: Shape, (shift, scale): (&[f32], &[f32]), weights: &[f32]) -> Vec<u8> {
    let inputs = if shape.nodes { INPUTS } else { 0 };
    let head = [0x5350_4e32, FEATURES, inputs, shape.hidden[0], shape.hidden[1]];
    let head = head.iter().flat_map(|&x| (x as u32).to_le_bytes());
    let floats = shift.iter().chain(scale).chain(weights).flat_map(|x| x.to_le_bytes());
    let bytes: Vec<u8> = head.chain(floats).collect();
    Network::from_bytes(&bytes).expect("the written network can be read");
    bytes
}
