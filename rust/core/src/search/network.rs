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

use crate::float::exp;
use crate::mines::Mines;
use crate::search::features::{Features, FEATURES};
use crate::search::nodes::{Nodes, INPUTS};

const MAGIC: u32 = 0x5350_4e32;

/// The size of a node's message, and of its contribution to the sum over all nodes.
pub const TOLD: usize = 24;
pub const GIVEN: usize = 32;
/// The inputs of the second round: a node's own message and the sum of its neighbours' messages.
const HEARD: usize = 2 * TOLD;
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
        self.work_out::<false>(features, nodes, told)
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
        self.work_out::<true>(features, nodes, told)
    }

    #[inline(always)]
    fn work_out<const WIDE: bool>(
        &self,
        features: &Features,
        nodes: &Nodes,
        told: &mut Vec<[f32; TOLD]>,
    ) -> f32 {
        let (mut a, mut b) = ([0.0f32; MOST], [0.0f32; MOST]);
        let (a, b) = (&mut a[..self.hidden[0]], &mut b[..self.hidden[1]]);
        a.copy_from_slice(&self.first_bias);
        let inputs = features.iter().zip(&self.shift).zip(&self.scale);
        let mut rows = self.first.chunks_exact(a.len());
        for (((x, shift), scale), row) in inputs.zip(&mut rows) {
            add(a, row, ((x - shift) * scale).clamp(-SKEWED, SKEWED));
        }
        if let Some(local) = &self.local {
            for (x, row) in local.sums::<WIDE>(nodes, told).iter().zip(rows) {
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
        1.0 / (1.0 + exp(-(sum + self.last_bias)))
    }
}

impl Local {
    /// The sum of the contributions of all nodes. `WIDE` may be true only if the processor has
    /// AVX2.
    #[inline(always)]
    fn sums<const WIDE: bool>(&self, nodes: &Nodes, told: &mut Vec<[f32; TOLD]>) -> [f32; GIVEN] {
        let count = nodes.len();
        let inputs = |node: usize| -> &[f32; INPUTS] {
            nodes.inputs[node * INPUTS..][..INPUTS].try_into().expect("a node's inputs")
        };
        told.clear();
        let whole = count - count % 4;
        for node in (0..whole).step_by(4) {
            let four = [0, 1, 2, 3].map(|i| inputs(node + i));
            told.extend(layer::<WIDE, INPUTS, TOLD, 3, 4>(four, &self.tell, &self.tell_bias));
        }
        for node in whole..count {
            let one = [inputs(node)];
            told.extend(layer::<WIDE, INPUTS, TOLD, 3, 1>(one, &self.tell, &self.tell_bias));
        }
        let mut sums = [0.0; GIVEN];
        let mut add = |gives: [f32; GIVEN]| {
            for (sum, x) in sums.iter_mut().zip(gives) {
                *sum += x;
            }
        };
        let whole = count - count % 2;
        for node in (0..whole).step_by(2) {
            let two = [heard(nodes, told, node), heard(nodes, told, node + 1)];
            let two = [&two[0], &two[1]];
            layer::<WIDE, HEARD, GIVEN, 4, 2>(two, &self.give, &self.give_bias)
                .into_iter()
                .for_each(&mut add);
        }
        for node in whole..count {
            let one = [&heard(nodes, told, node)];
            layer::<WIDE, HEARD, GIVEN, 4, 1>(one, &self.give, &self.give_bias)
                .into_iter()
                .for_each(&mut add);
        }
        sums
    }
}

/// A node's own message, followed by the sum of its neighbours' messages.
#[inline(always)]
fn heard(nodes: &Nodes, told: &[[f32; TOLD]], node: usize) -> [f32; HEARD] {
    let mut sum = [0.0; TOLD];
    for &n in &nodes.links[nodes.starts[node] as usize..nodes.starts[node + 1] as usize] {
        for (to, x) in sum.iter_mut().zip(&told[n as usize]) {
            *to += x;
        }
    }
    let mut out = [0.0; HEARD];
    out[..TOLD].copy_from_slice(&told[node]);
    out[TOLD..].copy_from_slice(&sum);
    out
}

/// The outputs of one layer for several nodes. Additions are in the order of the inputs for every
/// output, so the results do not depend on `WIDE` or the number of nodes. There are `8 * V`
/// outputs.
#[inline(always)]
fn layer<const WIDE: bool, const IN: usize, const OUT: usize, const V: usize, const N: usize>(
    inputs: [&[f32; IN]; N],
    rows: &[[f32; OUT]],
    bias: &[f32; OUT],
) -> [[f32; OUT]; N] {
    let rows: &[[f32; OUT]; IN] = rows.try_into().expect("a row for each input");
    #[cfg(target_arch = "x86_64")]
    if WIDE {
        // SAFETY: `WIDE` is true only if the processor has AVX2.
        return unsafe { layer_avx2::<IN, OUT, V, N>(inputs, rows, bias) };
    }
    let mut out = [*bias; N];
    for (out, inputs) in out.iter_mut().zip(inputs) {
        for (&x, row) in inputs.iter().zip(rows) {
            if x != 0.0 {
                add(out, row, x);
            }
        }
        for x in out {
            *x = x.max(0.0);
        }
    }
    out
}

/// The same layer in registers, in which the nodes share the weights.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
#[inline]
unsafe fn layer_avx2<const IN: usize, const OUT: usize, const V: usize, const N: usize>(
    inputs: [&[f32; IN]; N],
    rows: &[[f32; OUT]; IN],
    bias: &[f32; OUT],
) -> [[f32; OUT]; N] {
    use std::arch::x86_64::{
        _mm256_add_ps, _mm256_loadu_ps, _mm256_max_ps, _mm256_mul_ps, _mm256_set1_ps,
        _mm256_setzero_ps, _mm256_storeu_ps,
    };
    const { assert!(OUT == 8 * V) };
    let mut sums = [[_mm256_setzero_ps(); V]; N];
    for sums in &mut sums {
        for (v, sum) in sums.iter_mut().enumerate() {
            *sum = _mm256_loadu_ps(bias.as_ptr().add(8 * v));
        }
    }
    for (i, row) in rows.iter().enumerate() {
        let mut weights = [_mm256_setzero_ps(); V];
        for (v, weight) in weights.iter_mut().enumerate() {
            *weight = _mm256_loadu_ps(row.as_ptr().add(8 * v));
        }
        for (sums, inputs) in sums.iter_mut().zip(inputs) {
            let x = _mm256_set1_ps(inputs[i]);
            for (sum, weight) in sums.iter_mut().zip(weights) {
                *sum = _mm256_add_ps(*sum, _mm256_mul_ps(x, weight));
            }
        }
    }
    let mut out = [[0.0; OUT]; N];
    for (out, sums) in out.iter_mut().zip(sums) {
        for (v, sum) in sums.into_iter().enumerate() {
            let sum = _mm256_max_ps(sum, _mm256_setzero_ps());
            _mm256_storeu_ps(out.as_mut_ptr().add(8 * v), sum);
        }
    }
    out
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
            let nodes = Nodes {
                inputs: (0..count * INPUTS as u32).map(number).collect(),
                starts: (0..=count).collect(),
                links: (0..count).map(|n| (n * 5 + 1) % count).collect(),
                cells: (0..count).collect(),
            };
            let wide = network.win_chance(&features, &nodes, &mut told);
            let plain = network.work_out::<false>(&features, &nodes, &mut told);
            assert_eq!(wide.to_bits(), plain.to_bits());
            assert!(wide > 0.0 && wide < 1.0);
        }
    }
}
