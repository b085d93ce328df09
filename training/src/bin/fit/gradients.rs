//! The loss of labelled positions and its gradients, in several threads.

use sapper_core::search::features::{Features, FEATURES};
use sapper_core::search::network::{GIVEN, SKEWED, SUMMED, TOLD};
use sapper_core::search::nodes::{Nodes, INPUTS};
use sapper_core::topology::Graph;

use crate::labels::{float, Labels, Set, HEAD, HIGHEST, NODE};
use crate::weights::Shape;

#[inline(always)]
pub fn add(to: &mut [f32], row: &[f32], times: f32) {
    for (to, w) in to.iter_mut().zip(row) {
        *to += times * w;
    }
}

/// One thread's buffers.
pub struct Worker {
    pub nodes: Nodes,
    pub numbered: Vec<u32>,
    pub messages: Vec<[f32; TOLD]>,
    pub received: Vec<[f32; TOLD]>,
    pub outputs: Vec<[f32; GIVEN]>,
    /// Inputs and units of the hidden layers.
    pub x: [f32; FEATURES + GIVEN],
    pub a: Vec<f32>,
    pub b: Vec<f32>,
    pub back: Vec<[f32; TOLD]>,
    pub grads: Vec<f32>,
    pub loss: f64,
    pub weight: f64,
    /// The weight of mixed labels.
    pub mixed: f32,
}

impl Worker {
    pub fn new(shape: Shape) -> Worker {
        Worker {
            nodes: Nodes::default(),
            numbered: Vec::new(),
            messages: Vec::new(),
            received: Vec::new(),
            outputs: Vec::new(),
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

    pub fn unpack(&mut self, graph: &Graph, bytes: &[u8]) {
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

    /// Adds one row's loss and, with `learn`, its gradients.
    pub fn row(
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
    pub fn forward(
        &mut self,
        shape: Shape,
        weights: &[f32],
        (shift, scale): (&[f32], &[f32]),
        features: &Features,
    ) -> f32 {
        let nodes = &self.nodes;
        let [n1, n2] = shape.hidden;
        let (messages, received, outputs) =
            (&mut self.messages, &mut self.received, &mut self.outputs);
        messages.clear();
        received.clear();
        outputs.clear();
        let mut sums = [0.0f32; GIVEN];
        if shape.nodes {
            let message_weights = shape.part(weights, 0);
            let output_weights = shape.part(weights, 2);
            for inputs in nodes.inputs.chunks_exact(INPUTS) {
                let mut message: [f32; TOLD] = shape.part(weights, 1).try_into().unwrap();
                for (&x, row) in inputs.iter().zip(message_weights.chunks_exact(TOLD)) {
                    if x != 0.0 {
                        add(&mut message, row, x);
                    }
                }
                messages.push(message.map(|x| x.max(0.0)));
            }
            for i in 0..nodes.len() {
                let mut sum = [0.0; TOLD];
                for &n in &nodes.links[nodes.starts[i] as usize..nodes.starts[i + 1] as usize] {
                    add(&mut sum, &messages[n as usize], 1.0);
                }
                let mut out: [f32; GIVEN] = shape.part(weights, 3).try_into().unwrap();
                for (&x, row) in
                    messages[i].iter().chain(&sum).zip(output_weights.chunks_exact(GIVEN))
                {
                    if x > 0.0 {
                        add(&mut out, row, x);
                    }
                }
                let out = out.map(|x| x.max(0.0));
                add(&mut sums, &out, 1.0);
                received.push(sum);
                outputs.push(out);
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

    /// Adds the gradients of the last row passed to `forward`; `d` is the gradient of the log-odds.
    pub fn backward(
        &mut self,
        shape: Shape,
        (weights, turned): (&[f32], &[[f32; 2 * TOLD]]),
        d: f32,
    ) {
        let [n1, n2] = shape.hidden;
        let inputs = FEATURES + if shape.nodes { GIVEN } else { 0 };
        let (nodes, messages, received, outputs) =
            (&self.nodes, &self.messages, &self.received, &self.outputs);
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
            for ((to, &x), &d) in dg.iter_mut().zip(&outputs[i]).zip(&given) {
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
            for (&x, row) in messages[i].iter().chain(&received[i]).zip(rows) {
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
            for (d, &x) in dh.iter_mut().zip(&messages[i]) {
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
pub fn turned(shape: Shape, weights: &[f32]) -> Vec<[f32; 2 * TOLD]> {
    let output_weights = shape.part(weights, 2);
    let mut out = vec![[0.0; 2 * TOLD]; GIVEN];
    for (i, row) in output_weights.chunks_exact(GIVEN).enumerate() {
        for (j, &w) in row.iter().enumerate() {
            out[j][i] = w;
        }
    }
    out
}

pub fn run(
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

/// The mean loss since the last call.
pub fn mean_loss(workers: &mut [Worker]) -> f64 {
    let loss: f64 = workers.iter().map(|w| w.loss).sum();
    let weight: f64 = workers.iter().map(|w| w.weight).sum();
    for w in workers {
        (w.loss, w.weight) = (0.0, 0.0);
    }
    loss / weight
}
