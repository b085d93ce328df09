//! `Analyser`: chances, proved cells and random boards.

use num_bigint::BigUint;
use sapper_core::analysis::{self, Limit, DEFAULT_STATES};
use sapper_core::budget::Budget;
use sapper_core::frontier::Fixed;
use wasm_bindgen::prelude::*;

use crate::boards::Boards;
use crate::failure::Failure;
use crate::host::interrupt;
use crate::shape::{knowledge, Shape};

/// A limit of JavaScript numbers.
pub fn limit(states: Option<f64>, seconds: Option<f64>) -> Limit {
    Limit { states: states.map_or(DEFAULT_STATES, |states| states as u64), seconds }
}

/// The digits of a number; `to_str_radix` would link the code for all other bases.
fn hexadecimal(number: &BigUint) -> String {
    let mut words = number.iter_u64_digits().rev();
    let mut digits = format!("{:x}", words.next().unwrap_or_default());
    words.for_each(|word| digits.push_str(&format!("{word:016x}")));
    digits
}

/// The result of an analysis. The arrays are moved out by their getters.
#[wasm_bindgen]
pub struct Analysis {
    inner: analysis::Analysis,
    solutions: Option<String>,
}

#[wasm_bindgen]
impl Analysis {
    #[wasm_bindgen(getter)]
    pub fn exact(&self) -> bool {
        self.inner.is_exact()
    }

    #[wasm_bindgen(js_name = takePMine)]
    pub fn take_p_mine(&mut self) -> Vec<f64> {
        std::mem::take(&mut self.inner.p_mine)
    }

    #[wasm_bindgen(js_name = takePMineError)]
    pub fn take_p_mine_error(&mut self) -> Option<Vec<f64>> {
        self.inner.p_mine_error.as_mut().map(std::mem::take)
    }

    #[wasm_bindgen(getter)]
    pub fn safe(&self) -> Vec<u32> {
        self.inner.safe.clone()
    }

    #[wasm_bindgen(getter)]
    pub fn mined(&self) -> Vec<u32> {
        self.inner.mined.clone()
    }

    /// The solution count in hexadecimal; undefined if not exact, not requested, or not counted in
    /// time.
    #[wasm_bindgen(getter)]
    pub fn solutions(&self) -> Option<String> {
        self.solutions.clone()
    }
}

#[wasm_bindgen]
pub struct Analyser {
    engine: analysis::Engine,
}

#[wasm_bindgen]
impl Analyser {
    #[wasm_bindgen(constructor)]
    #[allow(clippy::new_without_default)]
    pub fn new() -> Analyser {
        let mut engine = analysis::Engine::new();
        engine.set_interrupt(Some(interrupt()));
        Analyser { engine }
    }

    #[allow(clippy::too_many_arguments)]
    pub fn analyze(
        &mut self,
        shape: &Shape,
        cells: &[u8],
        total: Option<u32>,
        density: Option<f64>,
        running: bool,
        states: Option<f64>,
        seconds: Option<f64>,
        solutions: bool,
    ) -> Result<Analysis, Failure> {
        let limit = limit(states, seconds);
        let budget = Budget::new(limit, Some(interrupt()));
        self.engine.forget();
        let known = knowledge(total, density, running)?;
        let inner = self.engine.analyze(&shape.graph, cells, known, limit)?;
        let counted = if solutions { inner.solutions_within(&budget) } else { None };
        Ok(Analysis { solutions: counted.as_ref().map(hexadecimal), inner })
    }

    #[allow(clippy::too_many_arguments)]
    pub fn sample(
        &mut self,
        shape: &Shape,
        cells: &[u8],
        total: Option<u32>,
        density: Option<f64>,
        running: bool,
        clear: Vec<u32>,
        mined: Vec<u32>,
        n: usize,
        seed: u64,
        states: Option<f64>,
        seconds: Option<f64>,
    ) -> Result<Boards, Failure> {
        let clear = clear.into_iter().map(|cell| (cell as usize, Fixed::Clear));
        let mined = mined.into_iter().map(|cell| (cell as usize, Fixed::Mine));
        let fixed: Vec<(usize, Fixed)> = clear.chain(mined).collect();
        let (known, limit) = (knowledge(total, density, running)?, limit(states, seconds));
        self.engine.forget();
        let drawn = self.engine.sample(&shape.graph, cells, known, &fixed, n, seed, limit)?;
        Ok(Boards::new(drawn))
    }
}
