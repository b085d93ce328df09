//! Every check, on its corpus and on made-up bytes: without libFuzzer, on any compiler.
//!
//! `SAPPER_FUZZ_CASES` sets how many made-up inputs each check gets.

use std::path::Path;

use sapper_fuzz::CHECKS;

const CASES: u64 = 300;

/// SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let word = (*state ^ (*state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let word = (word ^ (word >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    word ^ (word >> 31)
}

#[test]
fn no_input_of_the_corpus_is_a_finding() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    for (name, check) in CHECKS {
        let mut inputs = 0;
        for entry in std::fs::read_dir(corpus.join(name)).unwrap() {
            check(&std::fs::read(entry.unwrap().path()).unwrap());
            inputs += 1;
        }
        assert!(inputs > 0, "{name} has no corpus");
    }
}

#[test]
fn no_made_up_input_is_a_finding() {
    let cases = std::env::var("SAPPER_FUZZ_CASES").map_or(CASES, |text| text.parse().unwrap());
    for (name, check) in CHECKS {
        for case in 0..cases {
            let mut state = case;
            let length = next(&mut state) % 160;
            let bytes: Vec<u8> = (0..length).map(|_| next(&mut state) as u8).collect();
            println!("{name} {case}");
            check(&bytes);
        }
    }
}
