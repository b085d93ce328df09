//! `Graph::new` accepts exactly the lists that describe a graph.

use sapper_core::topology::{Graph, MAX_DEGREE};

use crate::reader::Reader;

/// Reads arbitrary lists, half of them from a valid graph with some words changed.
pub fn check(data: &[u8]) {
    let mut reader = Reader::new(data);
    let (mut offsets, mut neighbours) = (Vec::new(), Vec::new());
    if reader.byte() % 2 == 0 {
        offsets.extend((0..reader.below(12)).map(|_| word(&mut reader)));
        neighbours.extend((0..reader.below(40)).map(|_| word(&mut reader)));
    } else {
        let graph = reader.graph();
        offsets.push(0);
        for row in graph.rows() {
            neighbours.extend_from_slice(row);
            offsets.push(neighbours.len() as u32);
        }
        for _ in 0..reader.below(3) {
            let list = if reader.byte() % 2 == 0 { &mut offsets } else { &mut neighbours };
            let at = reader.byte();
            if !list.is_empty() {
                let at = usize::from(at) % list.len();
                list[at] = word(&mut reader);
            }
        }
    }
    let expected = is_graph(&offsets, &neighbours);
    match Graph::new(offsets.clone(), neighbours.clone()) {
        Ok(graph) => {
            assert!(expected, "{offsets:?} {neighbours:?} is not a graph");
            assert_eq!(graph.len(), offsets.len() - 1);
            assert_eq!(graph.rows().flatten().count(), neighbours.len());
        }
        Err(why) => assert!(!expected, "{offsets:?} {neighbours:?}: {why}"),
    }
}

/// Mostly small numbers, sometimes huge ones.
fn word(reader: &mut Reader) -> u32 {
    match reader.byte() {
        255 => u32::MAX,
        254 => 1 << 31,
        small => u32::from(small) % 16,
    }
}

fn is_graph(offsets: &[u32], neighbours: &[u32]) -> bool {
    if offsets.first() != Some(&0) || offsets.last() != Some(&(neighbours.len() as u32)) {
        return false;
    }
    if !offsets.is_sorted() {
        return false;
    }
    let rows: Vec<&[u32]> =
        offsets.windows(2).map(|pair| &neighbours[pair[0] as usize..pair[1] as usize]).collect();
    rows.iter().enumerate().all(|(cell, row)| {
        row.len() <= MAX_DEGREE
            && row.windows(2).all(|pair| pair[0] < pair[1])
            && row.iter().all(|&n| {
                let other = rows.get(n as usize);
                n as usize != cell && other.is_some_and(|other| other.contains(&(cell as u32)))
            })
    })
}
