//! Seeds for single purposes, derived from the seed of a game.

/// A seed for one purpose: the first 8 bytes of the BLAKE2b hash (RFC 7693, 8-byte digest) of the
/// ASCII text `SEED/PURPOSE/NUMBER`, as in Python's `sapper.generation.seeds`.
pub fn substream(seed: u64, purpose: &str, number: u64) -> u64 {
    hash(format!("{seed}/{purpose}/{number}").as_bytes())
}

const IV: [u64; 8] = [
    0x6a09_e667_f3bc_c908,
    0xbb67_ae85_84ca_a73b,
    0x3c6e_f372_fe94_f82b,
    0xa54f_f53a_5f1d_36f1,
    0x510e_527f_ade6_82d1,
    0x9b05_688c_2b3e_6c1f,
    0x1f83_d9ab_fb41_bd6b,
    0x5be0_cd19_137e_2179,
];

#[rustfmt::skip]
const ORDER: [[usize; 16]; 10] = [
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
    [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
    [11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4],
    [7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8],
    [9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13],
    [2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9],
    [12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11],
    [13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10],
    [6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5],
    [10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0],
];

/// Columns, then diagonals, of the 4x4 state.
const LINES: [[usize; 4]; 8] = [
    [0, 4, 8, 12],
    [1, 5, 9, 13],
    [2, 6, 10, 14],
    [3, 7, 11, 15],
    [0, 5, 10, 15],
    [1, 6, 11, 12],
    [2, 7, 8, 13],
    [3, 4, 9, 14],
];

/// BLAKE2b of a text of at most one block, without a key.
fn hash(text: &[u8]) -> u64 {
    let mut block = [0u8; 128];
    block[..text.len()].copy_from_slice(text);
    let words: [u64; 16] = std::array::from_fn(|i| {
        u64::from_le_bytes(block[8 * i..8 * i + 8].try_into().expect("eight bytes"))
    });
    let first = IV[0] ^ 0x0101_0000 ^ 8;
    let mut state: [u64; 16] = std::array::from_fn(|i| if i == 0 { first } else { IV[i % 8] });
    state[12] ^= text.len() as u64;
    // This is the last block.
    state[14] = !state[14];
    for round in 0..12 {
        let order = ORDER[round % 10];
        for (i, [a, b, c, d]) in LINES.into_iter().enumerate() {
            for (word, turn_d, turn_b) in [(order[2 * i], 32, 24), (order[2 * i + 1], 16, 63)] {
                state[a] = state[a].wrapping_add(state[b]).wrapping_add(words[word]);
                state[d] = (state[d] ^ state[a]).rotate_right(turn_d);
                state[c] = state[c].wrapping_add(state[d]);
                state[b] = (state[b] ^ state[c]).rotate_right(turn_b);
            }
        }
    }
    first ^ state[0] ^ state[8]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_are_those_of_the_python_package() {
        assert_eq!(substream(7, "deal", 0), 15198388652389898668);
        assert_eq!(substream(u64::MAX, "no-guess", 500), 9493025699240272597);
    }
}
