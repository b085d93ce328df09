//! Boards: samples, and boards that logic alone can open.

use sapper_core::logic::Logic;
use sapper_core::noguess::{Dealer, Method, Request};
use wasm_bindgen::prelude::*;

use crate::failure::Failure;
use crate::host::interrupt;
use crate::shape::Shape;

/// Several boards, 1 for a mine.
#[wasm_bindgen]
pub struct Boards {
    boards: Vec<Vec<u8>>,
}

impl Boards {
    pub fn new(boards: Vec<Vec<u8>>) -> Self {
        Boards { boards }
    }
}

#[wasm_bindgen]
impl Boards {
    #[wasm_bindgen(getter)]
    pub fn length(&self) -> usize {
        self.boards.len()
    }

    pub fn board(&self, number: usize) -> Vec<u8> {
        self.boards.get(number).cloned().unwrap_or_default()
    }
}

/// A board that needs no guess, and how many boards were tried to find it.
#[wasm_bindgen]
pub struct Deal {
    mined: Vec<u8>,
    #[wasm_bindgen(readonly)]
    pub tries: f64,
}

#[wasm_bindgen]
impl Deal {
    #[wasm_bindgen(getter)]
    pub fn mined(&self) -> Vec<u8> {
        self.mined.clone()
    }
}

/// The logic with this index, the easiest first.
pub fn logic(index: usize) -> Result<Logic, Failure> {
    let found = Logic::ALL.get(index).copied();
    found.ok_or_else(|| Failure::setting(format!("there is no logic {index}")))
}

pub fn method(fast: bool) -> Method {
    if fast {
        Method::Fast
    } else {
        Method::Uniform
    }
}

/// The board of a seed; undefined if none of the boards tried can be opened by logic.
#[wasm_bindgen(js_name = dealNoGuess)]
#[allow(clippy::too_many_arguments)]
pub fn deal_no_guess(
    shape: &Shape,
    mines: usize,
    start: usize,
    clear: Vec<u32>,
    logic_index: usize,
    fast: bool,
    tries: f64,
    seed: u64,
) -> Result<Option<Deal>, Failure> {
    let request = Request {
        mines,
        start,
        clear: clear.into_iter().map(|cell| cell as usize).collect(),
        ceiling: logic(logic_index)?,
        method: method(fast),
        tries: tries as u64,
    };
    let found = Dealer::deal_seed(&shape.graph, &request, seed, Some(interrupt()))?;
    Ok(found.map(|found| Deal { mined: found.mined, tries: found.tries as f64 }))
}

/// The seed for one purpose, from the seed of a game.
#[wasm_bindgen]
pub fn substream(seed: u64, purpose: &str, number: f64) -> u64 {
    sapper_core::seeds::substream(seed, purpose, number as u64)
}
