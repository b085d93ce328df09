//! Scans of byte arrays without branches on single bytes, which are hard to predict.

/// Calls `visit` for the index of each byte that is not zero, in order. Bytes are at most 127.
#[inline]
pub(crate) fn each_set(bytes: &[u8], mut visit: impl FnMut(usize)) {
    const LOW: u64 = u64::from_ne_bytes([127; 8]);
    let chunks = bytes.chunks_exact(8);
    let rest = chunks.remainder();
    for (i, chunk) in chunks.enumerate() {
        let word = u64::from_le_bytes(chunk.try_into().expect("eight bytes"));
        // The highest bit of each byte that is not zero.
        let mut set = (word + LOW) & !LOW;
        while set != 0 {
            visit(8 * i + set.trailing_zeros() as usize / 8);
            set &= set - 1;
        }
    }
    for (i, _) in rest.iter().enumerate().filter(|(_, &byte)| byte != 0) {
        visit(bytes.len() - rest.len() + i);
    }
}

/// Calls `visit` for the index of each item that satisfies a condition, in order.
#[inline]
pub(crate) fn each<T: Copy>(items: &[T], is: impl Fn(T) -> bool, mut visit: impl FnMut(usize)) {
    let mut bytes = [0; 64];
    for (i, items) in items.chunks(bytes.len()).enumerate() {
        for (byte, &item) in bytes.iter_mut().zip(items) {
            *byte = u8::from(is(item));
        }
        each_set(&bytes[..items.len()], |at| visit(64 * i + at));
    }
}

/// The number of items that satisfy a condition: sums of bytes, which the compiler can vectorise.
#[inline]
pub(crate) fn count<T: Copy>(items: &[T], is: impl Fn(T) -> bool) -> usize {
    let count = |items: &[T]| items.iter().map(|&item| u8::from(is(item))).sum::<u8>();
    items.chunks(128).map(|items| usize::from(count(items))).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_that_is_not_zero_is_visited_in_order() {
        for length in [0, 1, 7, 8, 9, 300] {
            let bytes: Vec<u8> = (0..length).map(|i| [0, 1, 0, 127, 2, 0, 0][i * i % 7]).collect();
            let mut seen = Vec::new();
            each_set(&bytes, |i| seen.push(i));
            let expected: Vec<usize> = (0..length).filter(|&i| bytes[i] != 0).collect();
            assert_eq!(seen, expected);
            seen.clear();
            each(&bytes, |byte| byte > 0, |i| seen.push(i));
            assert_eq!(seen, expected);
            assert_eq!(count(&bytes, |byte| byte > 0), expected.len());
        }
    }
}
