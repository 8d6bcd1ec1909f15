//! Searches through bytes, many at a time: comments are most of many files.

const ONES: u64 = u64::from_le_bytes([0x01; 8]);
const HIGH: u64 = u64::from_le_bytes([0x80; 8]);

/// Up to this distance words of eight bytes are fastest: most comments end there.
const NEAR: usize = 64;

/// Beyond that this many bytes are compared at once: the compiler makes a few vector instructions
/// of it.
const WIDE: usize = 64;

/// Where the first of two bytes stands, or the length when there is none.
#[inline(always)]
pub(super) fn find2(bytes: &[u8], a: u8, b: u8) -> usize {
    let near = &bytes[..bytes.len().min(NEAR)];
    let at = find2_by_word(near, a, b);
    if at < near.len() || at == bytes.len() { at } else { find2_far(bytes, a, b) }
}

/// The same when it is not near.
#[inline(never)]
fn find2_far(bytes: &[u8], a: u8, b: u8) -> usize {
    let mut at = NEAR;
    while let Some(chunk) = bytes.get(at..).and_then(<[u8]>::first_chunk::<WIDE>) {
        if chunk.iter().fold(false, |any, &byte| any | (byte == a) | (byte == b)) {
            break;
        }
        at += WIDE;
    }
    at + find2_by_word(&bytes[at..], a, b)
}

/// The same for few bytes.
#[inline(always)]
fn find2_by_word(bytes: &[u8], a: u8, b: u8) -> usize {
    let (words, rest) = bytes.as_chunks::<8>();
    for (number, word) in words.iter().enumerate() {
        let word = u64::from_le_bytes(*word);
        let hits =
            zero_bytes(word ^ (ONES * u64::from(a))) | zero_bytes(word ^ (ONES * u64::from(b)));
        if hits != 0 {
            return number * 8 + hits.trailing_zeros() as usize / 8;
        }
    }
    let tail = rest.iter().position(|&byte| byte == a || byte == b);
    words.len() * 8 + tail.unwrap_or(rest.len())
}

/// The high bit of each zero byte, right up to the first one; above it there may be others.
#[inline(always)]
const fn zero_bytes(word: u64) -> u64 {
    word.wrapping_sub(ONES) & !word & HIGH
}

/// Where the first blank, line end or other byte up to a space stands in a word that was read low
/// byte first; 8 when there is none.
#[inline(always)]
pub(super) const fn blank_in(word: u64) -> u32 {
    let hits = word.wrapping_sub(ONES * (b' ' as u64 + 1)) & !word & HIGH;
    hits.trailing_zeros() / 8
}

/// How long the digits and the dots behind them are with which a word begins, and the space behind
/// those; 0 without a dot. Behind eight bytes, which need not be all, more dots may follow.
#[inline(always)]
pub(super) const fn number_in(word: u64) -> usize {
    let value = word ^ (ONES * b'0' as u64);
    // A digit stays below the high bit; what a byte beyond carries changes only bytes behind it.
    let other = (value.wrapping_add(ONES * (0x80 - 10)) | value) & HIGH;
    let digits = other.trailing_zeros() / 8;
    let behind = word >> ((8 * digits) & 63);
    let dots = (behind ^ (ONES * b'.' as u64)).trailing_zeros() / 8;
    let space = (behind >> ((8 * dots) & 63)) as u8 == b' ';
    if dots == 0 { 0 } else { (digits + dots) as usize + space as usize }
}

/// Where the first `}` or newline stands, or the length when there is neither.
#[inline(never)]
pub(super) fn brace_or_newline(bytes: &[u8]) -> usize {
    // In plain text no other byte is as high or as low; testing that takes half the work.
    let unusual = |word: &[u8; 8]| {
        let word = u64::from_le_bytes(*word);
        let high = word.wrapping_add(ONES * (0x80 - b'}' as u64)) | word;
        let low = word.wrapping_sub(ONES * b' ' as u64);
        (high | low) & HIGH
    };
    let (words, _) = bytes.as_chunks();
    let (pairs, _) = words.as_chunks();
    for (number, [first, second]) in pairs.iter().take(NEAR / 16).enumerate() {
        let (first, second) = (unusual(first), unusual(second));
        if first | second != 0 {
            let bit =
                if first == 0 { 64 + second.trailing_zeros() } else { first.trailing_zeros() };
            let at = number * 16 + bit as usize / 8;
            let found = matches!(bytes[at], b'}' | b'\n');
            return if found { at } else { brace_or_newline_from(bytes, at) };
        }
    }
    brace_or_newline_from(bytes, pairs.len().min(NEAR / 16) * 16)
}

/// The same from some place on, in any text.
#[inline(never)]
fn brace_or_newline_from(bytes: &[u8], from: usize) -> usize {
    from + find2(&bytes[from..], b'}', b'\n')
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
        for length in 0..300 {
            let mut text = vec![b'x'; length];
            assert_eq!(find2(&text, b'}', b'\n'), length);
            for at in (0..length).rev() {
                text[at] = if at % 2 == 0 { b'}' } else { b'\n' };
                assert_eq!(find2(&text, b'}', b'\n'), at);
            }
        }
    }

    #[test]
    fn finds_the_first_where_nothing_but_ends_follow() {
        for end in [b'}', b'\n'] {
            for before in [NEAR, NEAR + WIDE] {
                let text = [vec![b'x'; before], vec![end; 2 * WIDE]].concat();
                assert_eq!(find2(&text, b'}', b'\n'), before);
            }
        }
    }

    #[test]
    fn finds_nothing_in_all_other_bytes() {
        let text: Vec<u8> = (0..=255u8).filter(|&byte| byte != b'}' && byte != b'\n').collect();
        assert_eq!(find2(&text, b'}', b'\n'), text.len());
    }

    #[test]
    fn numbers_are_digits_and_dots_with_a_space() {
        for (text, length) in [
            ("1. e4 e5", 3),
            ("12... e5", 6),
            ("12...e5 ", 5),
            ("123456. ", 8),
            ("1234567.", 8),
            ("12345678", 0),
            ("1.......", 8),
            ("1.\ne4 e5", 2),
            ("1-0\n\n[Ev", 0),
            ("1/2-1/2 ", 0),
            ("1e4 e5 2", 0),
            ("1 . e4 e", 0),
            ("9/. e4  ", 0),
            ("9:. e4  ", 0),
            ("1.9. e4 ", 2),
            ("0. \0\0\0\0\0", 3),
            ("1\0\0\0\0\0\0\0", 0),
        ] {
            let word = u64::from_le_bytes(text.as_bytes().try_into().unwrap());
            assert_eq!(number_in(word), length, "{text:?}");
        }
        for byte in 0..=255u8 {
            let word = u64::from_le_bytes([b'7', byte, b'.', b' ', byte, byte, byte, byte]);
            let expected = if matches!(byte, b'0'..=b'9' | b'.') { 4 } else { 0 };
            assert_eq!(number_in(word), expected, "{byte:#x}");
        }
    }

    #[test]
    fn finds_the_end_of_a_comment_at_every_distance_and_length_behind_every_byte() {
        for filler in 0..=255u8 {
            if matches!(filler, b'}' | b'\n') {
                continue;
            }
            for length in (0..20).chain(60..70) {
                let mut text = vec![b'x'; length];
                text.iter_mut().skip(3).step_by(5).for_each(|byte| *byte = filler);
                assert_eq!(brace_or_newline(&text), length);
                for at in (0..length).rev() {
                    text[at] = if at % 2 == 0 { b'}' } else { b'\n' };
                    assert_eq!(brace_or_newline(&text), at, "{filler:#x} {text:?}");
                }
            }
        }
    }

    #[test]
    fn finds_the_first_blank_of_a_word() {
        for byte in 0..=255u8 {
            for at in 0..8 {
                let mut word = [b'!'; 8];
                word[at] = byte;
                let expected = if byte <= b' ' { at } else { 8 };
                assert_eq!(blank_in(u64::from_le_bytes(word)) as usize, expected, "{word:?}");
            }
        }
        assert_eq!(blank_in(u64::from_le_bytes(*b"Nf3 \n e4")), 3);
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
