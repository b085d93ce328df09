//! `Round`: a game.

use std::sync::Arc;

use sapper_core::round::{self, Action, Chord, FirstClick, Rejected, Status, Terms, Win};
use wasm_bindgen::prelude::*;

use crate::boards::{logic, method};
use crate::failure::Failure;
use crate::shape::{mines, Shape};

/// The settings of a game.
#[wasm_bindgen]
pub struct GameTerms {
    inner: Terms,
}

#[wasm_bindgen]
impl GameTerms {
    /// `logic_index` is undefined for `classic` rules.
    #[wasm_bindgen(constructor)]
    #[allow(clippy::too_many_arguments)]
    pub fn new(
        total: Option<u32>,
        density: Option<f64>,
        first_click: &str,
        win: &str,
        chord: &str,
        undo: bool,
        seed: u64,
        logic_index: Option<usize>,
        fast: bool,
    ) -> Result<GameTerms, Failure> {
        let unknown = |what: &str| Err(Failure::setting(format!("unknown name '{what}'")));
        let first_click = match first_click {
            "any" => FirstClick::Any,
            "safe" => FirstClick::Safe,
            "opening" => FirstClick::Opening,
            other => return unknown(other),
        };
        let win = match win {
            "open" => Win::Open,
            "flags" => Win::Flags,
            "either" => Win::Either,
            other => return unknown(other),
        };
        let chord = match chord {
            "exact" => Chord::Exact,
            "at_least" => Chord::AtLeast,
            other => return unknown(other),
        };
        let no_guess = match logic_index {
            Some(index) => Some((logic(index)?, method(fast))),
            None => None,
        };
        let mines = mines(total, density)?;
        Ok(GameTerms { inner: Terms { mines, first_click, win, chord, undo, seed, no_guess } })
    }
}

/// Click counts.
#[wasm_bindgen]
pub struct Counts {
    #[wasm_bindgen(readonly)]
    pub left: u32,
    #[wasm_bindgen(readonly)]
    pub right: u32,
    #[wasm_bindgen(readonly)]
    pub chords: u32,
    #[wasm_bindgen(readonly, js_name = leftEffective)]
    pub left_effective: u32,
    #[wasm_bindgen(readonly, js_name = rightEffective)]
    pub right_effective: u32,
    #[wasm_bindgen(readonly, js_name = chordsEffective)]
    pub chords_effective: u32,
    #[wasm_bindgen(readonly)]
    pub undos: u32,
}

/// The 3BV of a board, and how much of it is solved.
#[wasm_bindgen]
pub struct Solved {
    #[wasm_bindgen(readonly)]
    pub bbbv: usize,
    #[wasm_bindgen(readonly)]
    pub solved: usize,
}

#[wasm_bindgen]
pub struct Round {
    inner: round::Round,
}

#[wasm_bindgen]
impl Round {
    /// `mined` is empty if the mines are placed at the first click.
    #[wasm_bindgen(constructor)]
    pub fn new(
        shape: &Shape,
        terms: &GameTerms,
        cells: &[u8],
        mined: &[u8],
    ) -> Result<Round, Failure> {
        if cells.len() != shape.graph.len() {
            return Err(Failure::setting(format!("a game has {} cells", shape.graph.len())));
        }
        let board = if mined.is_empty() {
            None
        } else {
            shape.check_mined(mined)?;
            Some(mined.to_vec())
        };
        let graph = Arc::clone(&shape.graph);
        Ok(Round { inner: round::Round::begin(graph, terms.inner, cells.to_vec(), board) })
    }

    pub fn open(&mut self, cell: usize) -> Result<bool, Failure> {
        self.act(Action::Open, cell)
    }

    pub fn chord(&mut self, cell: usize) -> Result<bool, Failure> {
        self.act(Action::Chord, cell)
    }

    pub fn flag(&mut self, cell: usize) -> Result<bool, Failure> {
        self.act(Action::Flag, cell)
    }

    pub fn question(&mut self, cell: usize) -> Result<bool, Failure> {
        self.act(Action::Question, cell)
    }

    pub fn undo(&mut self) -> bool {
        self.inner.undo()
    }

    #[wasm_bindgen(getter)]
    pub fn status(&self) -> String {
        let name = match self.inner.status() {
            Status::Ready => "ready",
            Status::Playing => "playing",
            Status::Won => "won",
            Status::Lost => "lost",
        };
        name.into()
    }

    #[wasm_bindgen(getter)]
    pub fn cells(&self) -> Vec<u8> {
        self.inner.cells().to_vec()
    }

    #[wasm_bindgen(getter)]
    pub fn changed(&self) -> Vec<u32> {
        self.inner.changed().to_vec()
    }

    #[wasm_bindgen(getter)]
    pub fn questions(&self) -> Vec<u32> {
        self.inner.questions().collect()
    }

    #[wasm_bindgen(getter)]
    pub fn flags(&self) -> usize {
        self.inner.flags()
    }

    #[wasm_bindgen(getter, js_name = canUndo)]
    pub fn can_undo(&self) -> bool {
        self.inner.can_undo()
    }

    /// The mines; undefined before the end.
    #[wasm_bindgen(getter)]
    pub fn mined(&self) -> Option<Vec<u8>> {
        self.inner.mined().map(<[u8]>::to_vec)
    }

    #[wasm_bindgen(getter)]
    pub fn counts(&self) -> Counts {
        let round::Counts {
            left,
            right,
            chords,
            left_effective,
            right_effective,
            chords_effective,
            undos,
        } = self.inner.counts();
        Counts { left, right, chords, left_effective, right_effective, chords_effective, undos }
    }

    /// Undefined before the mines are placed.
    pub fn bbbv(&self) -> Option<Solved> {
        self.inner.bbbv().map(|(bbbv, solved)| Solved { bbbv, solved })
    }

    fn act(&mut self, action: Action, cell: usize) -> Result<bool, Failure> {
        self.inner.act(action, cell).map_err(|rejected| match rejected {
            Rejected::Over => Failure::new("illegal_action", "the game is over"),
            Rejected::NoBoard => Failure::limit("no board without guesses was found"),
            Rejected::Board(error) => error.into(),
        })
    }
}
