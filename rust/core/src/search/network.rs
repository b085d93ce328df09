//! The learned chance to win: a small network with two hidden layers, its weights a file.
//!
//! Layout of the file, all little-endian 32-bit: the magic number, inputs, first hidden, second
//! hidden (integers); then floats: mean and 1/deviation of each input, the first layer's weights
//! by input, its biases, the second layer's weights by input, its biases, the last layer's weights
//! and bias.

use crate::search::features::{Features, FEATURES};

const MAGIC: u32 = 0x5350_4e31;

/// A network that reads features and gives a chance to win.
#[derive(Debug, Clone)]
pub struct Network {
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

const MOST: usize = 128;

/// Whether a board is like those that the weights were fitted on, in cells and in mines a cell.
/// On others the network would be guessing.
pub fn is_known(cells: usize, mines: Option<usize>) -> bool {
    let density = mines.map_or(0.0, |mines| mines as f64 / cells as f64);
    (300..=1000).contains(&cells) && (0.18..=0.24).contains(&density)
}

impl Network {
    /// Reads a network from the bytes of its file; None if they are none.
    pub fn from_bytes(bytes: &[u8]) -> Option<Network> {
        let mut words = bytes.chunks_exact(4).map(|c| [c[0], c[1], c[2], c[3]]);
        let mut integer = || words.next().map(u32::from_le_bytes);
        let (magic, inputs) = (integer()?, integer()? as usize);
        let hidden = [integer()? as usize, integer()? as usize];
        let sound = hidden.iter().all(|&h| (1..=MOST).contains(&h) && h % 4 == 0);
        if magic != MAGIC || inputs > FEATURES || !sound {
            return None;
        }
        let mut floats =
            |n: usize| (0..n).map(|_| words.next().map(f32::from_le_bytes)).collect::<Option<_>>();
        let shift = floats(inputs)?;
        let scale = floats(inputs)?;
        let first = floats(inputs * hidden[0])?;
        let first_bias = floats(hidden[0])?;
        let second = floats(hidden[0] * hidden[1])?;
        let second_bias = floats(hidden[1])?;
        let last = floats(hidden[1])?;
        let last_bias: Vec<f32> = floats(1)?;
        let last_bias = last_bias[0];
        let out = Network {
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
        words.next().is_none().then_some(out)
    }

    /// The chance to win, from 0 to 1.
    pub fn win_chance(&self, features: &Features) -> f32 {
        let (mut a, mut b) = ([0.0f32; MOST], [0.0f32; MOST]);
        let (a, b) = (&mut a[..self.hidden[0]], &mut b[..self.hidden[1]]);
        a.copy_from_slice(&self.first_bias);
        let inputs = features.iter().zip(&self.shift).zip(&self.scale);
        for (((x, shift), scale), row) in inputs.zip(self.first.chunks_exact(a.len())) {
            add(a, row, ((x - shift) * scale).clamp(-6.0, 6.0));
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

#[inline]
fn add(to: &mut [f32], row: &[f32], times: f32) {
    for (to, w) in to.iter_mut().zip(row) {
        *to += times * w;
    }
}
