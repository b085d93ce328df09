//! Labelled positions, in the form used for training.

use sapper_core::search::effort::Effort;
use sapper_core::search::features::FEATURES;
use sapper_core::search::guess::Searcher;
use sapper_core::search::nodes::INPUTS;
use sapper_core::topology::Graph;
use sapper_training::board;

/// The largest value of each node input; each is stored in a byte.
pub const HIGHEST: [f32; INPUTS] = [
    1., 1., 1., 1., 1., 1., 3., 1., 2., 2., 2., 2., 2., 4., 2., 1., 1., 1., 3., 1., 2., 3., 1., 1.,
];

/// A labelled position as bytes: label, mixed label, weight and features as floats, then for each
/// node its cell (16 bits) and a byte per input.
pub const HEAD: usize = 4 * (3 + FEATURES);
pub const NODE: usize = 2 + INPUTS;

pub fn float(bytes: &[u8], i: usize) -> f32 {
    f32::from_le_bytes([bytes[4 * i], bytes[4 * i + 1], bytes[4 * i + 2], bytes[4 * i + 3]])
}

/// Labelled positions of one board, each preceded by its length.
pub struct Labels {
    pub graph: Graph,
    pub data: Vec<u8>,
    pub starts: Vec<usize>,
}

impl Labels {
    /// Reads the output of `selfplay label`; caches the parsed form in a file next to it.
    pub fn load((width, height, mines): (usize, usize, usize), path: &str) -> Labels {
        let graph = Graph::rectangle(width, height).expect("a board of that size");
        let beside = format!("{path}.feat");
        if !std::path::Path::new(&beside).exists() {
            let data = std::fs::read(path).expect(path);
            let out = parsed(&graph, mines, &data);
            std::fs::write(format!("{beside}.tmp"), out).unwrap();
            std::fs::rename(format!("{beside}.tmp"), &beside).unwrap();
        }
        let data = std::fs::read(beside).unwrap();
        let (mut starts, mut at) = (Vec::new(), 0);
        while at < data.len() {
            starts.push(at);
            let size = [data[at], data[at + 1], data[at + 2], data[at + 3]];
            at += 4 + u32::from_le_bytes(size) as usize;
        }
        Labels { graph, data, starts }
    }

    pub fn row(&self, i: usize) -> &[u8] {
        let at = self.starts[i];
        let end = self.starts.get(i + 1).copied().unwrap_or(self.data.len());
        &self.data[at + 4..end]
    }
}

/// A network that reads only features.
pub fn reader() -> Searcher {
    Searcher::new(None, Effort::default())
}

pub fn parsed(graph: &Graph, mines: usize, data: &[u8]) -> Vec<u8> {
    let mut searcher = reader();
    let mut out = Vec::new();
    for row in data.chunks_exact(graph.len() + 16) {
        let (cells, rest) = row.split_at(graph.len());
        let opened = u32::from_le_bytes([rest[0], rest[1], rest[2], rest[3]]) as usize;
        let found = searcher.features(graph, cells, Some(mines), opened);
        let Some((features, nodes)) = found else { continue };
        let size = HEAD + NODE * nodes.len();
        out.extend((size as u32).to_le_bytes());
        out.extend(&rest[4..16]);
        out.extend(features.iter().flat_map(|x| x.to_le_bytes()));
        for (cell, inputs) in nodes.cells.iter().zip(nodes.inputs.chunks_exact(INPUTS)) {
            out.extend((*cell as u16).to_le_bytes());
            out.extend(
                inputs.iter().zip(HIGHEST).map(|(x, most)| (x / most * 255.0).round() as u8),
            );
        }
    }
    out
}

pub struct Set {
    pub labels: Vec<Labels>,
    pub rows: Vec<(u32, u32)>,
}

pub type Board = (usize, usize, usize);

pub fn named(words: &[String]) -> Vec<(Board, &str)> {
    let mut size = board("30x16:99");
    let mut out = Vec::new();
    for word in words {
        if word.contains(':') {
            size = board(word);
        } else {
            out.push((size, &word[..]));
        }
    }
    out
}

impl Set {
    pub fn load(files: &[(Board, &str)]) -> Set {
        let labels: Vec<Labels> = files.iter().map(|(b, path)| Labels::load(*b, path)).collect();
        let numbered = labels.iter().enumerate();
        let rows = numbered
            .flat_map(|(i, l)| (0..l.starts.len()).map(move |j| (i as u32, j as u32)))
            .collect();
        Set { labels, rows }
    }
}

/// The mean and the inverse deviation of each feature.
pub fn scales(set: &Set) -> (Vec<f32>, Vec<f32>) {
    let (mut sum, mut squares, mut count) = ([0.0f64; FEATURES], [0.0f64; FEATURES], 0.0);
    for &(file, row) in &set.rows {
        let row = set.labels[file as usize].row(row as usize);
        for i in 0..FEATURES {
            let x = f64::from(float(row, 3 + i));
            sum[i] += x;
            squares[i] += x * x;
        }
        count += 1.0;
    }
    let mean = sum.map(|s| s / count);
    let deviation = |i: usize| (squares[i] / count - mean[i] * mean[i]).max(0.0).sqrt();
    let scale = |i| if deviation(i) > 1e-5 { (1.0 / deviation(i)) as f32 } else { 0.0 };
    (mean.map(|m| m as f32).to_vec(), (0..FEATURES).map(scale).collect())
}
