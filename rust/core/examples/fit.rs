//! Fits the win chance to labelled positions: see training/README.md.
//!
//! fit OUT HIDDEN NODES START EPOCHS RATE THREADS MIXED HELD... -- LABELS...
//! fit sample NETWORK LABELS OUT
//!
//! HIDDEN is 64,32; NODES is nodes or none; START is weights to continue from, or none. An argument
//! such as 30x16:99 sets the board of the files after it.

use std::time::Instant;

use sapper_core::generate::Rng;
use sapper_core::search::effort::Effort;
use sapper_core::search::features::{Features, FEATURES};
use sapper_core::search::guess::Searcher;
use sapper_core::search::network::{Network, GIVEN, SKEWED, SUMMED, TOLD};
use sapper_core::search::nodes::{Nodes, INPUTS};
use sapper_core::topology::Graph;

#[path = "shared/boards.rs"]
mod boards;

const BATCH: usize = 512;
/// Files in memory at a time; rows are shuffled among them.
const GROUP: usize = 6;

/// The largest value of each node input; each is stored in a byte.
const HIGHEST: [f32; INPUTS] = [
    1., 1., 1., 1., 1., 1., 3., 1., 2., 2., 2., 2., 2., 4., 2., 1., 1., 1., 3., 1., 2., 3., 1., 1.,
];

/// A labelled position as bytes: label, mixed label, weight and features as floats, then for each
/// node its cell (16 bits) and a byte per input.
const HEAD: usize = 4 * (3 + FEATURES);
const NODE: usize = 2 + INPUTS;

fn float(bytes: &[u8], i: usize) -> f32 {
    f32::from_le_bytes([bytes[4 * i], bytes[4 * i + 1], bytes[4 * i + 2], bytes[4 * i + 3]])
}

/// Labelled positions of one board, each preceded by its length.
struct Labels {
    graph: Graph,
    data: Vec<u8>,
    starts: Vec<usize>,
}

impl Labels {
    /// Reads the output of `selfplay label`; caches the parsed form in a file next to it.
    fn load((width, height, mines): (usize, usize, usize), path: &str) -> Labels {
        let graph = Graph::rectangle(width, height).expect("a board of that size");
        let beside = format!("{path}.feat");
        if !std::path::Path::new(&beside).exists() {
            let data = std::fs::read(path).expect(path);
            let out = worked_out(&graph, mines, &data);
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

    fn row(&self, i: usize) -> &[u8] {
        let at = self.starts[i];
        let end = self.starts.get(i + 1).copied().unwrap_or(self.data.len());
        &self.data[at + 4..end]
    }
}

/// A network that reads only features.
fn reader() -> Searcher {
    Searcher::new(None, Effort::default())
}

fn worked_out(graph: &Graph, mines: usize, data: &[u8]) -> Vec<u8> {
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

struct Set {
    labels: Vec<Labels>,
    rows: Vec<(u32, u32)>,
}

type Board = (usize, usize, usize);

fn named(words: &[String]) -> Vec<(Board, &str)> {
    let mut board = boards::board("30x16:99");
    let mut out = Vec::new();
    for word in words {
        if word.contains(':') {
            board = boards::board(word);
        } else {
            out.push((board, &word[..]));
        }
    }
    out
}

impl Set {
    fn load(files: &[(Board, &str)]) -> Set {
        let labels: Vec<Labels> = files.iter().map(|(b, path)| Labels::load(*b, path)).collect();
        let numbered = labels.iter().enumerate();
        let rows = numbered
            .flat_map(|(i, l)| (0..l.starts.len()).map(move |j| (i as u32, j as u32)))
            .collect();
        Set { labels, rows }
    }
}

fn shuffle<T>(of: &mut [T], rng: &mut Rng) {
    for i in (1..of.len()).rev() {
        of.swap(i, rng.below(i as u64 + 1) as usize);
    }
}

/// Where each part of the weights starts in one long vector.
#[derive(Clone, Copy)]
struct Shape {
    nodes: bool,
    hidden: [usize; 2],
    at: [usize; 11],
}

impl Shape {
    fn new(nodes: bool, hidden: [usize; 2]) -> Shape {
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

    fn part<'a>(&self, of: &'a [f32], i: usize) -> &'a [f32] {
        &of[self.at[i]..self.at[i + 1]]
    }

    fn part_mut<'a>(&self, of: &'a mut [f32], i: usize) -> &'a mut [f32] {
        &mut of[self.at[i]..self.at[i + 1]]
    }

    fn init(&self, rng: &mut Rng) -> Vec<f32> {
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

#[inline(always)]
fn add(to: &mut [f32], row: &[f32], times: f32) {
    for (to, w) in to.iter_mut().zip(row) {
        *to += times * w;
    }
}

/// One thread's buffers.
struct Worker {
    nodes: Nodes,
    numbered: Vec<u32>,
    told: Vec<[f32; TOLD]>,
    heard: Vec<[f32; TOLD]>,
    gives: Vec<[f32; GIVEN]>,
    /// Inputs and units of the hidden layers.
    x: [f32; FEATURES + GIVEN],
    a: Vec<f32>,
    b: Vec<f32>,
    back: Vec<[f32; TOLD]>,
    grads: Vec<f32>,
    loss: f64,
    weight: f64,
    /// The weight of mixed labels.
    mixed: f32,
}

impl Worker {
    fn new(shape: Shape) -> Worker {
        Worker {
            nodes: Nodes::default(),
            numbered: Vec::new(),
            told: Vec::new(),
            heard: Vec::new(),
            gives: Vec::new(),
            x: [0.0; FEATURES + GIVEN],
            a: Vec::new(),
            b: Vec::new(),
            back: Vec::new(),
            grads: vec![0.0; shape.at[10]],
            loss: 0.0,
            weight: 0.0,
            mixed: 0.0,
        }
    }

    fn unpack(&mut self, graph: &Graph, bytes: &[u8]) {
        let nodes = &mut self.nodes;
        nodes.cells.clear();
        nodes.inputs.clear();
        nodes.links.clear();
        nodes.starts.clear();
        self.numbered.clear();
        self.numbered.resize(graph.len(), u32::MAX);
        for (i, node) in bytes.chunks_exact(NODE).enumerate() {
            let cell = u16::from_le_bytes([node[0], node[1]]);
            self.numbered[usize::from(cell)] = i as u32;
            nodes.cells.push(cell.into());
            let inputs = node[2..].iter().zip(HIGHEST);
            nodes.inputs.extend(inputs.map(|(&x, most)| f32::from(x) * (most / 255.0)));
        }
        nodes.starts.push(0);
        for &cell in &nodes.cells {
            let around = graph.neighbours(cell as usize).iter();
            nodes
                .links
                .extend(around.map(|&n| self.numbered[n as usize]).filter(|&n| n != u32::MAX));
            nodes.starts.push(nodes.links.len() as u32);
        }
    }

    /// Adds one row's loss, and with `learn` its gradients.
    fn row(
        &mut self,
        shape: Shape,
        (weights, turned): (&[f32], &[[f32; 2 * TOLD]]),
        (shift, scale): (&[f32], &[f32]),
        (labels, row): (&Labels, usize),
        learn: bool,
    ) {
        let bytes = labels.row(row);
        let label = float(bytes, 0) + self.mixed * (float(bytes, 1) - float(bytes, 0));
        let weight = float(bytes, 2);
        let features: Features = std::array::from_fn(|i| float(bytes, 3 + i));
        if shape.nodes {
            self.unpack(&labels.graph, &bytes[HEAD..]);
        }
        let z = self.forward(shape, weights, (shift, scale), &features);
        let log_sum = if z > 0.0 { z + (-z).exp().ln_1p() } else { z.exp().ln_1p() };
        self.loss += f64::from(weight * (log_sum - label * z));
        self.weight += f64::from(weight);
        if learn {
            let d = weight * (1.0 / (1.0 + (-z).exp()) - label);
            self.backward(shape, (weights, turned), d);
        }
    }

    /// The log-odds of winning.
    fn forward(
        &mut self,
        shape: Shape,
        weights: &[f32],
        (shift, scale): (&[f32], &[f32]),
        features: &Features,
    ) -> f32 {
        let nodes = &self.nodes;
        let [n1, n2] = shape.hidden;
        let (told, heard, gives) = (&mut self.told, &mut self.heard, &mut self.gives);
        told.clear();
        heard.clear();
        gives.clear();
        let mut sums = [0.0f32; GIVEN];
        if shape.nodes {
            let tell = shape.part(weights, 0);
            let give = shape.part(weights, 2);
            for inputs in nodes.inputs.chunks_exact(INPUTS) {
                let mut tells: [f32; TOLD] = shape.part(weights, 1).try_into().unwrap();
                for (&x, row) in inputs.iter().zip(tell.chunks_exact(TOLD)) {
                    if x != 0.0 {
                        add(&mut tells, row, x);
                    }
                }
                told.push(tells.map(|x| x.max(0.0)));
            }
            for i in 0..nodes.len() {
                let mut hears = [0.0; TOLD];
                for &n in &nodes.links[nodes.starts[i] as usize..nodes.starts[i + 1] as usize] {
                    add(&mut hears, &told[n as usize], 1.0);
                }
                let mut out: [f32; GIVEN] = shape.part(weights, 3).try_into().unwrap();
                for (&x, row) in told[i].iter().chain(&hears).zip(give.chunks_exact(GIVEN)) {
                    if x > 0.0 {
                        add(&mut out, row, x);
                    }
                }
                let out = out.map(|x| x.max(0.0));
                add(&mut sums, &out, 1.0);
                heard.push(hears);
                gives.push(out);
            }
        }
        let x = &mut self.x;
        for i in 0..FEATURES {
            x[i] = ((features[i] - shift[i]) * scale[i]).clamp(-SKEWED, SKEWED);
        }
        for i in 0..GIVEN {
            x[FEATURES + i] = sums[i] * SUMMED;
        }
        let inputs = FEATURES + if shape.nodes { GIVEN } else { 0 };
        let (a, b) = (&mut self.a, &mut self.b);
        a.clear();
        a.extend(shape.part(weights, 5));
        for (&x, row) in x[..inputs].iter().zip(shape.part(weights, 4).chunks_exact(n1)) {
            add(a, row, x);
        }
        b.clear();
        b.extend(shape.part(weights, 7));
        for (&x, row) in a.iter().zip(shape.part(weights, 6).chunks_exact(n2)) {
            if x > 0.0 {
                add(b, row, x);
            }
        }
        let last = shape.part(weights, 8);
        b.iter().zip(last).map(|(x, w)| x.max(0.0) * w).sum::<f32>() + shape.part(weights, 9)[0]
    }

    /// Adds the gradients of the last row passed to `forward`; `d` is that of the log-odds.
    fn backward(&mut self, shape: Shape, (weights, turned): (&[f32], &[[f32; 2 * TOLD]]), d: f32) {
        let [n1, n2] = shape.hidden;
        let inputs = FEATURES + if shape.nodes { GIVEN } else { 0 };
        let (nodes, told, heard, gives) = (&self.nodes, &self.told, &self.heard, &self.gives);
        let (x, a, b) = (&self.x, &self.a, &self.b);
        let last = shape.part(weights, 8);
        let grads = &mut self.grads;
        shape.part_mut(grads, 9)[0] += d;
        let mut db = vec![0.0; n2];
        for ((g, &x), (db, &w)) in
            shape.part_mut(grads, 8).iter_mut().zip(b).zip(db.iter_mut().zip(last))
        {
            if x > 0.0 {
                *g += d * x;
                *db = d * w;
            }
        }
        add(shape.part_mut(grads, 7), &db, 1.0);
        let mut da = vec![0.0; n1];
        for (i, (&x, row)) in a.iter().zip(shape.part(weights, 6).chunks_exact(n2)).enumerate() {
            if x > 0.0 {
                da[i] = row.iter().zip(&db).map(|(w, d)| w * d).sum();
                add(&mut shape.part_mut(grads, 6)[i * n2..][..n2], &db, x);
            }
        }
        add(shape.part_mut(grads, 5), &da, 1.0);
        for (&x, row) in x[..inputs].iter().zip(shape.part_mut(grads, 4).chunks_exact_mut(n1)) {
            add(row, &da, x);
        }
        if !shape.nodes {
            return;
        }
        let mut given = [0.0f32; GIVEN];
        let rows = shape.part(weights, 4).chunks_exact(n1).skip(FEATURES);
        for (to, row) in given.iter_mut().zip(rows) {
            *to = SUMMED * row.iter().zip(&da).map(|(w, d)| w * d).sum::<f32>();
        }
        let back = &mut self.back;
        back.clear();
        back.resize(nodes.len(), [0.0; TOLD]);
        for i in 0..nodes.len() {
            let mut dg = [0.0f32; GIVEN];
            for ((to, &x), &d) in dg.iter_mut().zip(&gives[i]).zip(&given) {
                *to = if x > 0.0 { d } else { 0.0 };
            }
            add(shape.part_mut(grads, 3), &dg, 1.0);
            let mut both = [0.0f32; 2 * TOLD];
            for (&d, row) in dg.iter().zip(turned) {
                if d != 0.0 {
                    add(&mut both, row, d);
                }
            }
            let rows = shape.part_mut(grads, 2).chunks_exact_mut(GIVEN);
            for (&x, row) in told[i].iter().chain(&heard[i]).zip(rows) {
                if x > 0.0 {
                    add(row, &dg, x);
                }
            }
            add(&mut back[i], &both[..TOLD], 1.0);
            for &n in &nodes.links[nodes.starts[i] as usize..nodes.starts[i + 1] as usize] {
                add(&mut back[n as usize], &both[TOLD..], 1.0);
            }
        }
        for (i, inputs) in nodes.inputs.chunks_exact(INPUTS).enumerate() {
            let mut dh = back[i];
            for (d, &x) in dh.iter_mut().zip(&told[i]) {
                if x <= 0.0 {
                    *d = 0.0;
                }
            }
            add(shape.part_mut(grads, 1), &dh, 1.0);
            let rows = shape.part_mut(grads, 0).chunks_exact_mut(TOLD);
            for (&x, row) in inputs.iter().zip(rows) {
                if x != 0.0 {
                    add(row, &dh, x);
                }
            }
        }
    }
}

/// The weights of the second round, by output.
fn turned(shape: Shape, weights: &[f32]) -> Vec<[f32; 2 * TOLD]> {
    let give = shape.part(weights, 2);
    let mut out = vec![[0.0; 2 * TOLD]; GIVEN];
    for (i, row) in give.chunks_exact(GIVEN).enumerate() {
        for (j, &w) in row.iter().enumerate() {
            out[j][i] = w;
        }
    }
    out
}

fn run(
    workers: &mut [Worker],
    shape: Shape,
    weights: &[f32],
    scales: (&[f32], &[f32]),
    set: &Set,
    rows: &[(u32, u32)],
    learn: bool,
) {
    let turned = turned(shape, weights);
    let each = rows.len().div_ceil(workers.len());
    std::thread::scope(|scope| {
        for (worker, rows) in workers.iter_mut().zip(rows.chunks(each)) {
            let turned = &turned;
            scope.spawn(move || {
                for &(file, row) in rows {
                    let of = (&set.labels[file as usize], row as usize);
                    worker.row(shape, (weights, turned), scales, of, learn);
                }
            });
        }
    });
}

fn taken(workers: &mut [Worker]) -> f64 {
    let loss: f64 = workers.iter().map(|w| w.loss).sum();
    let weight: f64 = workers.iter().map(|w| w.weight).sum();
    for w in workers {
        (w.loss, w.weight) = (0.0, 0.0);
    }
    loss / weight
}

fn scales(set: &Set) -> (Vec<f32>, Vec<f32>) {
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

/// The shape of a network, the means and scales of its features, its weights.
fn read(bytes: &[u8]) -> (Shape, Vec<f32>, Vec<f32>, Vec<f32>) {
    let network = Network::from_bytes(bytes).expect("a network of this version");
    let floats = |b: &[u8]| -> Vec<f32> { (0..b.len() / 4).map(|i| float(b, i)).collect() };
    let unit = |i: usize| u32::from_le_bytes([bytes[i], bytes[i + 1], bytes[i + 2], bytes[i + 3]]);
    let shape = Shape::new(network.reads_nodes(), [unit(12) as usize, unit(16) as usize]);
    let all = floats(&bytes[20..]);
    let (shift, rest) = all.split_at(FEATURES);
    let (scale, weights) = rest.split_at(FEATURES);
    (shape, shift.to_vec(), scale.to_vec(), weights.to_vec())
}

/// Writes a few positions with their win chances, for the test of the network in the core.
fn sample(network: &str, labels: &str, out: &str) {
    let (shape, shift, scale, weights) = read(&std::fs::read(network).expect(network));
    let (width, height, mines) = boards::board("30x16:99");
    let graph = Graph::rectangle(width, height).expect("a board of that size");
    let data = std::fs::read(labels).expect(labels);
    let (mut searcher, mut worker) = (reader(), Worker::new(shape));
    let mut bytes = Vec::new();
    let size = graph.len() + 16;
    for row in data.chunks_exact(size).step_by(data.len() / size / 24) {
        let (cells, rest) = row.split_at(graph.len());
        let opened = u32::from_le_bytes([rest[0], rest[1], rest[2], rest[3]]) as usize;
        let found = searcher.features(&graph, cells, Some(mines), opened);
        let Some((features, nodes)) = found else { continue };
        worker.nodes = nodes.clone();
        let z = worker.forward(shape, &weights, (&shift, &scale), &features);
        bytes.extend(cells);
        bytes.extend(&rest[..4]);
        bytes.extend((1.0 / (1.0 + (-z).exp())).to_le_bytes());
    }
    std::fs::write(out, bytes).unwrap();
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if args[0] == "sample" {
        return sample(&args[1], &args[2], &args[3]);
    }
    let hidden: Vec<usize> = args[1].split(',').map(|x| x.parse().unwrap()).collect();
    let shape = Shape::new(args[2] == "nodes", [hidden[0], hidden[1]]);
    let (epochs, rate): (usize, f64) = (args[4].parse().unwrap(), args[5].parse().unwrap());
    let (threads, mixed): (usize, f32) = (args[6].parse().unwrap(), args[7].parse().unwrap());
    let cut = args.iter().position(|a| a == "--").expect("-- before the labels");
    let held = Set::load(&named(&args[8..cut]));
    let mut files = named(&args[cut + 1..]);
    let mut rng = Rng::new(1);
    let mut weights = shape.init(&mut rng);
    let (shift, scale);
    if let Ok(bytes) = std::fs::read(&args[3]) {
        let (had, old);
        (had, shift, scale, old) = read(&bytes);
        if had.nodes == shape.nodes {
            weights = old;
        } else {
            // Nodes are new: their output has no weight yet.
            let end = shape.at[4] + FEATURES * hidden[0];
            weights[shape.at[4]..end].copy_from_slice(&old[..FEATURES * hidden[0]]);
            weights[end..shape.at[5]].fill(0.0);
            weights[shape.at[5]..].copy_from_slice(&old[FEATURES * hidden[0]..]);
        }
        assert_eq!(weights.len(), shape.at[10]);
    } else {
        (shift, scale) = scales(&held);
    }
    let scales = (&shift[..], &scale[..]);
    let mut workers: Vec<Worker> = (0..threads).map(|_| Worker::new(shape)).collect();
    let test = |workers: &mut [Worker], weights: &[f32]| {
        taken(workers);
        workers.iter_mut().for_each(|w| w.mixed = 0.0);
        run(workers, shape, weights, scales, &held, &held.rows, false);
        workers.iter_mut().for_each(|w| w.mixed = mixed);
        taken(workers)
    };
    println!("{} held out, loss there {:.5}", held.rows.len(), test(&mut workers, &weights));
    let (mut m, mut v) = (vec![0.0f32; weights.len()], vec![0.0f32; weights.len()]);
    let groups = files.len().div_ceil(GROUP) * epochs;
    let (mut t, mut group, began) = (0, 0, Instant::now());
    for epoch in 0..epochs {
        shuffle(&mut files, &mut rng);
        for chosen in files.chunks(GROUP) {
            let mut set = Set::load(chosen);
            shuffle(&mut set.rows, &mut rng);
            let batches = set.rows.len() / BATCH;
            for (i, batch) in set.rows.chunks_exact(BATCH).enumerate() {
                t += 1;
                run(&mut workers, shape, &weights, scales, &set, batch, true);
                let (first, others) = workers.split_at_mut(1);
                for other in others {
                    add(&mut first[0].grads, &other.grads, 1.0);
                    other.grads.fill(0.0);
                }
                // Adam (Kingma and Ba 2014), with cosine decay of the rate.
                let done = (group as f64 + i as f64 / batches as f64) / groups as f64;
                let warm = (f64::from(t) / 200.0).min(1.0);
                let now = rate * warm * 0.5 * (1.0 + (std::f64::consts::PI * done).cos());
                let factor =
                    (now * (1.0 - 0.999f64.powi(t)).sqrt() / (1.0 - 0.9f64.powi(t))) as f32;
                for (((w, m), v), g) in
                    weights.iter_mut().zip(&mut m).zip(&mut v).zip(&mut first[0].grads)
                {
                    let gradient = *g / BATCH as f32;
                    *m = 0.9 * *m + 0.1 * gradient;
                    *v = 0.999 * *v + 0.001 * gradient * gradient;
                    *w -= factor * *m / (v.sqrt() + 1e-8);
                    *g = 0.0;
                }
            }
            group += 1;
            let seen = taken(&mut workers);
            eprintln!(
                "group {group} of {groups}: loss {seen:.5}, {:.0} s",
                began.elapsed().as_secs_f64()
            );
        }
        println!(
            "epoch {epoch}: held out {:.5}, {:.0} s",
            test(&mut workers, &weights),
            began.elapsed().as_secs_f64()
        );
        let mut out: Vec<u8> = Vec::new();
        let head =
            [0x5350_4e32, FEATURES, if shape.nodes { INPUTS } else { 0 }, hidden[0], hidden[1]];
        out.extend(head.iter().flat_map(|&x| (x as u32).to_le_bytes()));
        out.extend(shift.iter().chain(&scale).chain(&weights).flat_map(|x| x.to_le_bytes()));
        Network::from_bytes(&out).expect("the written network can be read");
        std::fs::write(&args[0], out).unwrap();
    }
}
