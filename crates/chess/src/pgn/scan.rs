//! Searches through bytes, many at a time: comments are most of many files.

/// Bytes looked at together. Written so that the comparison of all of them becomes a few vector
/// instructions, and finding the first hit one more, on any processor and without `unsafe`.
pub(super) const BLOCK: usize = 16;

/// Where the first byte of a kind stands in a block, or [`BLOCK`].
#[inline(always)]
pub(super) fn first(block: &[u8; BLOCK], kind: impl Fn(u8) -> bool) -> usize {
    let hits = block.map(|byte| if kind(byte) { 0xff } else { 0 });
    u128::from_le_bytes(hits).trailing_zeros() as usize / 8
}

/// Where the first of two bytes stands, or the length when there is none.
#[inline(always)]
pub(super) fn find2(bytes: &[u8], a: u8, b: u8) -> usize {
    let mut at = 0;
    while let Some(block) = bytes.get(at..).and_then(<[u8]>::first_chunk) {
        let distance = first(block, |byte| (byte == a) | (byte == b));
        if distance < BLOCK {
            return at + distance;
        }
        at += BLOCK;
    }
    let rest = &bytes[at..];
    at + rest.iter().position(|&byte| byte == a || byte == b).unwrap_or(rest.len())
}

/// How many newlines there are.
pub(super) fn newlines(bytes: &[u8]) -> u64 {
    // Sums of so few fit into a byte, so that the inner loop works on vectors of bytes.
    bytes
        .chunks(128)
        .map(|chunk| u64::from(chunk.iter().fold(0u8, |sum, &byte| sum + u8::from(byte == b'\n'))))
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_first_of_two_at_every_distance_and_length() {
        for length in 0..100 {
            let mut text = vec![b'x'; length];
            assert_eq!(find2(&text, b'}', b'\n'), length);
            for at in (0..length).rev() {
                text[at] = if at % 2 == 0 { b'}' } else { b'\n' };
                assert_eq!(find2(&text, b'}', b'\n'), at);
            }
        }
    }

    #[test]
    fn finds_nothing_in_all_other_bytes() {
        let text: Vec<u8> = (0..=255u8).filter(|&byte| byte != b'}' && byte != b'\n').collect();
        assert_eq!(find2(&text, b'}', b'\n'), text.len());
    }

    #[test]
    fn counts_newlines() {
        for length in 0..400usize {
            let text: Vec<u8> =
                (0..length).map(|at| if at % 3 == 0 { b'\n' } else { 0xff }).collect();
            assert_eq!(newlines(&text), length.div_ceil(3) as u64);
        }
        assert_eq!(newlines(&[b'\n'; 1000]), 1000);
    }
}
