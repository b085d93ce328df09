//! No-guess boards: each board meets its request, and each deduction in its proof is sound.

use sapper_core::logic::{Logic, Step};
use sapper_core::noguess::{Dealer, Method, Request};
use sapper_core::topology::Graph;

use crate::reader::Reader;
use crate::reference::arrangements;

/// Deals a board and checks its proof; then checks the proof, if any, of another board, which may
/// need guesses.
pub fn check(data: &[u8]) {
    let mut reader = Reader::new(data);
    let graph = reader.graph();
    let ceiling = [Logic::Single, Logic::Pairs, Logic::Local, Logic::Total][reader.below(4)];
    let method = [Method::Uniform, Method::Fast][reader.below(2)];
    let start = reader.below(graph.len());
    let clear = match reader.byte() % 2 {
        0 => graph.neighbours(start).iter().map(|&n| n as usize).collect(),
        _ => vec![],
    };
    let room = graph.len() - 1 - clear.len();
    let mines = reader.below(room + 1);
    let request = Request { mines, start, clear, ceiling, method, tries: 20 };
    let mut dealer = Dealer::default();
    let seed = u64::from(reader.byte());
    if let Some(found) = dealer.deal(&graph, &request, seed).unwrap() {
        assert_eq!(found.mined.iter().map(|&m| usize::from(m)).sum::<usize>(), mines);
        assert!(request.clear.iter().chain([&start]).all(|&cell| found.mined[cell] == 0));
        let path = dealer.path(&graph, &found.mined, &request).expect("a dealt board is solved");
        assert_eq!(played(&graph, &found.mined, &request, &path), vec![]);
        let again = Dealer::default().deal(&graph, &request, seed).unwrap().unwrap();
        assert_eq!(again.mined, found.mined);
    }
    let mined = reader.board(&graph);
    if let Some(path) = dealer.path(&graph, &mined, &request) {
        assert_eq!(played(&graph, &mined, &request, &path), vec![]);
    }
}

/// Plays a proof, checks every deduction, and returns the clear cells left unopened.
fn played(graph: &Graph, mined: &[u8], request: &Request, path: &[Step]) -> Vec<usize> {
    let numbers = graph.numbers(mined);
    let mines = mined.iter().map(|&m| usize::from(m)).sum();
    let mut cells = vec![b'.'; graph.len()];
    open(graph, &numbers, &mut cells, request.start);
    // Later steps may depend on mines that only the total proved.
    let mut total = None;
    for step in path {
        assert!(step.logic <= request.ceiling);
        total = total.or_else(|| (step.logic == Logic::Total).then_some(mines));
        let all = arrangements(graph, &cells, total);
        let is_always = |cell: u32, mine: u32| all.iter().all(|&set| set >> cell & 1 == mine);
        assert!(step.mined.iter().all(|&cell| is_always(cell, 1)), "{step:?}");
        for &cell in &step.safe {
            if cells[cell as usize] == b'.' {
                assert!(is_always(cell, 0), "{step:?}");
                open(graph, &numbers, &mut cells, cell as usize);
            }
        }
    }
    (0..graph.len()).filter(|&cell| cells[cell] == b'.' && mined[cell] == 0).collect()
}

/// Opens a cell, and the neighbours of zeros.
fn open(graph: &Graph, numbers: &[u8], cells: &mut [u8], cell: usize) {
    let mut next = vec![cell];
    while let Some(cell) = next.pop() {
        if cells[cell] == b'.' {
            cells[cell] = b'0' + numbers[cell];
            if numbers[cell] == 0 {
                next.extend(graph.neighbours(cell).iter().map(|&n| n as usize));
            }
        }
    }
}
