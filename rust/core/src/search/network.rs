//! The win chance network: a small neural network with its weights in a file.
//!
//! Two rounds of messages between the nodes of a position (see `nodes`) give every node a few
//! numbers. Their sums over all nodes and the position's features are the inputs of two hidden
//! layers. A network without the first part reads only the features.
//!
//! Layout of the file, all little-endian 32-bit: the magic number, features, node inputs (0 without
//! nodes), the two hidden layers' units (integers); then floats: mean and 1/deviation of each
//! feature; with nodes, the weights and biases of the two rounds; then the weights and biases of
//! the hidden layers and of the output. All weights are stored by input.

use crate::mines::Mines;
use crate::search::features::{Features, FEATURES};
use crate::search::nodes::{Nodes, INPUTS};

const MAGIC: u32 = 0x5350_4e32;

/// The size of a node's message, and of its contribution to the sum over all nodes.
pub const TOLD: usize = 24;
pub const GIVEN: usize = 32;
/// The factor for sums over nodes.
pub const SUMMED: f32 = 1.0 / 16.0;
/// Features are clamped to this many standard deviations.
pub const SKEWED: f32 = 6.0;

/// A network that estimates the chance of winning a position.
#[derive(Debug, Clone)]
pub struct Network {
    local: Option<Local>,
    hidden: [usize; 2],
    shift: Vec<f32>,
    scale: Vec<f32>,
    first: Vec<f32>,
    first_bias: Vec<f32>,
    second: Vec<f32>,
    second_bias: Vec<f32>,
    last: Vec<f32>,
    last_bias: f32,
}

/// The two rounds of messages.
#[derive(Debug, Clone)]
struct Local {
    tell: Vec<[f32; TOLD]>,
    tell_bias: [f32; TOLD],
    /// Weights for the node's own message, then for those of its neighbours.
    give: Vec<[f32; GIVEN]>,
    give_bias: [f32; GIVEN],
}

const MOST: usize = 128;

/// Whether a board's size and density are in the range that the network was trained on. The network
/// is unreliable on other boards.
pub fn is_known(cells: usize, mines: Mines) -> bool {
    let density = match mines {
        Mines::Total(mines) => mines as f64 / cells as f64,
        Mines::Density(density) => density,
        Mines::Unknown => 0.0,
    };
    (300..=1000).contains(&cells) && (0.18..=0.24).contains(&density)
}

/// Reads a file's floats one by one.
struct Floats<'a>(std::slice::ChunksExact<'a, u8>);

impl Floats<'_> {
    fn vec(&mut self, n: usize) -> Option<Vec<f32>> {
        let mut next = || self.0.next().map(|c| f32::from_le_bytes([c[0], c[1], c[2], c[3]]));
        (0..n).map(|_| next()).collect()
    }

    fn rows<const N: usize>(&mut self, n: usize) -> Option<Vec<[f32; N]>> {
        (0..n).map(|_| self.vec(N)?.try_into().ok()).collect()
    }
}

impl Network {
    /// Reads a network from the bytes of a file; None if they are not a network.
    pub fn from_bytes(bytes: &[u8]) -> Option<Network> {
        let mut words = bytes.chunks_exact(4);
        let mut integer =
            || words.next().map(|c| u32::from_le_bytes([c[0], c[1], c[2], c[3]]) as usize);
        let (magic, inputs, local) = (integer()?, integer()?, integer()?);
        let hidden = [integer()?, integer()?];
        let sound = hidden.iter().all(|&h| (1..=MOST).contains(&h) && h % 4 == 0);
        if magic != MAGIC as usize || inputs != FEATURES || ![0, INPUTS].contains(&local) || !sound
        {
            return None;
        }
        let mut floats = Floats(words);
        let shift = floats.vec(inputs)?;
        let scale = floats.vec(inputs)?;
        let mut all = inputs;
        let local = if local > 0 {
            all += GIVEN;
            Some(Local {
                tell: floats.rows(INPUTS)?,
                tell_bias: floats.rows(1)?[0],
                give: floats.rows(2 * TOLD)?,
                give_bias: floats.rows(1)?[0],
            })
        } else {
            None
        };
        let first = floats.vec(all * hidden[0])?;
        let first_bias = floats.vec(hidden[0])?;
        let second = floats.vec(hidden[0] * hidden[1])?;
        let second_bias = floats.vec(hidden[1])?;
        let last = floats.vec(hidden[1])?;
        let last_bias = floats.vec(1)?[0];
        let out = Network {
            local,
            hidden,
            shift,
            scale,
            first,
            first_bias,
            second,
            second_bias,
            last,
            last_bias,
        };
        floats.0.next().is_none().then_some(out)
    }

    /// Whether it reads a position's nodes in addition to its features.
    pub fn reads_nodes(&self) -> bool {
        self.local.is_some()
    }

    /// The win chance, from 0 to 1; `told` is a buffer.
    pub fn win_chance(
        &self,
        features: &Features,
        nodes: &Nodes,
        told: &mut Vec<[f32; TOLD]>,
    ) -> f32 {
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("avx2") {
            // SAFETY: the processor supports the instructions for which the function is compiled.
            return unsafe { self.win_chance_avx2(features, nodes, told) };
        }
        self.work_out(features, nodes, told)
    }

    /// The same computation with wider registers. The order of additions is unchanged, so every
    /// processor gives the same chance.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    unsafe fn win_chance_avx2(
        &self,
        features: &Features,
        nodes: &Nodes,
        told: &mut Vec<[f32; TOLD]>,
    ) -> f32 {
        self.work_out(features, nodes, told)
    }

    #[inline(always)]
    fn work_out(&self, features: &Features, nodes: &Nodes, told: &mut Vec<[f32; TOLD]>) -> f32 {
        let (mut a, mut b) = ([0.0f32; MOST], [0.0f32; MOST]);
        let (a, b) = (&mut a[..self.hidden[0]], &mut b[..self.hidden[1]]);
        a.copy_from_slice(&self.first_bias);
        let inputs = features.iter().zip(&self.shift).zip(&self.scale);
        let mut rows = self.first.chunks_exact(a.len());
        for (((x, shift), scale), row) in inputs.zip(&mut rows) {
            add(a, row, ((x - shift) * scale).clamp(-SKEWED, SKEWED));
        }
        if let Some(local) = &self.local {
            for (x, row) in local.sums(nodes, told).iter().zip(rows) {
                add(a, row, x * SUMMED);
            }
        }
        b.copy_from_slice(&self.second_bias);
        for (x, row) in a.iter().zip(self.second.chunks_exact(b.len())) {
            if *x > 0.0 {
                add(b, row, *x);
            }
        }
        let sum: f32 = b.iter().zip(&self.last).map(|(x, w)| x.max(0.0) * w).sum();
        1.0 / (1.0 + (-(sum + self.last_bias)).exp())
    }
}

impl Local {
    /// The sum of the contributions of all nodes.
    #[inline(always)]
    fn sums(&self, nodes: &Nodes, told: &mut Vec<[f32; TOLD]>) -> [f32; GIVEN] {
        told.clear();
        for inputs in nodes.inputs.chunks_exact(INPUTS) {
            let mut tells = self.tell_bias;
            for (&x, row) in inputs.iter().zip(&self.tell) {
                if x != 0.0 {
                    add(&mut tells, row, x);
                }
            }
            for x in &mut tells {
                *x = x.max(0.0);
            }
            told.push(tells);
        }
        let mut sums = [0.0; GIVEN];
        for (tells, range) in told.iter().zip(nodes.starts.windows(2)) {
            let mut heard = [0.0; TOLD];
            for &n in &nodes.links[range[0] as usize..range[1] as usize] {
                for (to, x) in heard.iter_mut().zip(&told[n as usize]) {
                    *to += x;
                }
            }
            let mut gives = self.give_bias;
            for (&x, row) in tells.iter().chain(&heard).zip(&self.give) {
                if x > 0.0 {
                    add(&mut gives, row, x);
                }
            }
            for (sum, x) in sums.iter_mut().zip(&gives) {
                *sum += x.max(0.0);
            }
        }
        sums
    }
}

#[inline(always)]
fn add(to: &mut [f32], row: &[f32], times: f32) {
    for (to, w) in to.iter_mut().zip(row) {
        *to += times * w;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_processor_gives_the_same_chance() {
        let bytes = include_bytes!("../../../../src/sapper/solver/search/win_chance.net");
        let network = Network::from_bytes(bytes).unwrap();
        let mut told = Vec::new();
        for seed in 0..20u32 {
            let number = |i: u32| ((i * 37 + seed * 101) % 29) as f32 / 7.0;
            let features = std::array::from_fn(|i| number(i as u32));
            let count = 3 + seed;
            let mut nodes = Nodes::default();
            nodes.inputs = (0..count * INPUTS as u32).map(number).collect();
            nodes.starts = (0..=count).collect();
            nodes.links = (0..count).map(|n| (n * 5 + 1) % count).collect();
            let wide = network.win_chance(&features, &nodes, &mut told);
            let plain = network.work_out(&features, &nodes, &mut told);
            assert_eq!(wide.to_bits(), plain.to_bits());
            assert!(wide > 0.0 && wide < 1.0);
        }
    }
}
