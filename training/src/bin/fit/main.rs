//! Trains the win chance network on labelled positions: see training/README.md.
//!
//! fit OUT HIDDEN NODES START EPOCHS RATE THREADS MIXED HELD... -- LABELS...
//! fit sample NETWORK LABELS OUT
//!
//! HIDDEN is 64,32; NODES is nodes or none; START is weights to continue from, or none. An argument
//! such as 30x16:99 sets the board of the files that follow it.

mod adam;
mod gradients;
mod labels;
mod weights;

use std::time::Instant;

use sapper_core::generate::Rng;
use sapper_core::topology::Graph;
use sapper_training::board;

use adam::Adam;
use gradients::{add, mean_loss, run, Worker};
use labels::{named, reader, scales, Set};
use weights::{read, written, Shape};

const BATCH: usize = 512;
/// Files in memory at a time; rows are shuffled among them.
const GROUP: usize = 6;

fn shuffle<T>(of: &mut [T], rng: &mut Rng) {
    for i in (1..of.len()).rev() {
        of.swap(i, rng.below(i as u64 + 1) as usize);
    }
}

/// Writes a few positions with their win chances, for the core's test of the network.
fn sample(network: &str, labels: &str, out: &str) {
    let (shape, shift, scale, weights) = read(&std::fs::read(network).expect(network));
    let (width, height, mines) = board("30x16:99");
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
    let (shift, scale) = match std::fs::read(&args[3]) {
        Ok(bytes) => {
            let (old_shape, shift, scale, old) = read(&bytes);
            shape.adopt(&mut weights, old_shape, old);
            (shift, scale)
        }
        Err(_) => scales(&held),
    };
    let scales = (&shift[..], &scale[..]);
    let mut workers: Vec<Worker> = (0..threads).map(|_| Worker::new(shape)).collect();
    let test = |workers: &mut [Worker], weights: &[f32]| {
        mean_loss(workers);
        workers.iter_mut().for_each(|w| w.mixed = 0.0);
        run(workers, shape, weights, scales, &held, &held.rows, false);
        workers.iter_mut().for_each(|w| w.mixed = mixed);
        mean_loss(workers)
    };
    println!("{} held out, loss there {:.5}", held.rows.len(), test(&mut workers, &weights));
    let mut adam = Adam::new(weights.len(), rate, BATCH);
    let groups = files.len().div_ceil(GROUP) * epochs;
    let (mut group, began) = (0, Instant::now());
    for epoch in 0..epochs {
        shuffle(&mut files, &mut rng);
        for chosen in files.chunks(GROUP) {
            let mut set = Set::load(chosen);
            shuffle(&mut set.rows, &mut rng);
            let batches = set.rows.len() / BATCH;
            for (i, batch) in set.rows.chunks_exact(BATCH).enumerate() {
                run(&mut workers, shape, &weights, scales, &set, batch, true);
                let (first, others) = workers.split_at_mut(1);
                for other in others {
                    add(&mut first[0].grads, &other.grads, 1.0);
                    other.grads.fill(0.0);
                }
                let done = (group as f64 + i as f64 / batches as f64) / groups as f64;
                adam.step(&mut weights, &mut first[0].grads, done);
            }
            group += 1;
            let seen = mean_loss(&mut workers);
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
        let out = written(shape, scales, &weights);
        std::fs::write(&args[0], out).unwrap();
    }
}
