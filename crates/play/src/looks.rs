//! Names that look alike.

use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

use crate::MAX_NAME;
use crate::nfc::to_nfc;
use crate::text::cut;

/// Letters of other scripts, and signs, that look like a Latin letter in most fonts: those from
/// Unicode's confusable characters (UTS #39) that people have on a keyboard.
const LIKE: [(char, &str); 26] = [
    ('a', "аαɑ"),
    ('b', "вьβЬ"),
    ('c', "сϲ"),
    ('d', "ԁ"),
    ('e', "еєεҽ"),
    ('g', "ɡ"),
    ('h', "нһη"),
    ('i', "іιɩ"),
    ('j', "јϳ"),
    ('k', "кκĸ"),
    ('l', "1|ӏו׀∣"),
    ('m', "мμ"),
    ('n', "пν"),
    ('o', "0оοσօ〇०๐ㅇ"),
    ('p', "рρ"),
    ('q', "ԛ"),
    ('r', "гɾ"),
    ('s', "ѕ$5"),
    ('t', "тτ"),
    ('u', "υцս"),
    ('v', "ѵ"),
    ('w', "шԝω"),
    ('x', "хχ×"),
    ('y', "уγү"),
    ('z', "ζ2"),
    ('ー', "ㅡ一—–-_"),
];

/// The text without differences that a reader may overlook: case, accents, blanks, the script of a
/// letter, and letter pairs that look like one letter.
fn skeleton(text: &str) -> String {
    let plain = text.nfkd().filter(|&c| !is_combining_mark(c));
    let small = plain.flat_map(char::to_lowercase).filter(|c| !c.is_whitespace());
    let letters: String = small
        .map(|c| LIKE.iter().find(|(_, like)| like.contains(c)).map_or(c, |&(latin, _)| latin))
        .map(|c| if c == 'i' { 'l' } else { c })
        .collect();
    letters.replace("rn", "m").replace("vv", "w").replace("cl", "d")
}

/// Returns true if people may take one name for the other.
///
/// ```
/// assert!(hansu_play::look_alike("Mina", "mіna")); // The second has a Cyrillic letter.
/// assert!(!hansu_play::look_alike("Mina", "Mira"));
/// ```
pub fn look_alike(one: &str, other: &str) -> bool {
    skeleton(one) == skeleton(other)
}

/// A player's name, with a number after it if people could take it for the other player's name.
///
/// ```
/// assert_eq!(hansu_play::distinct_name("MINA", "Mina"), "MINA (2)");
/// assert_eq!(hansu_play::distinct_name("Jun", "Mina"), "Jun");
/// ```
pub fn distinct_name(name: &str, other: &str) -> String {
    const NUMBER: &str = " (2)";
    if !look_alike(name, other) {
        return name.to_owned();
    }
    let room = MAX_NAME - NUMBER.len();
    format!("{}{NUMBER}", cut(&to_nfc(name.trim()), room))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::visible;

    #[test]
    fn a_difference_that_a_reader_may_overlook_does_not_make_another_name() {
        for (one, other) in [
            ("Mina", "MINA"),
            ("Mina", "Mі nа"),
            ("민아", "민 아"),
            ("민아", "\u{1106}\u{1175}\u{11ab}\u{110b}\u{1161}"),
            ("Mina", "Ｍｉｎａ"),
            ("José", "Jose"),
            ("Paul", "PauI"),
            ("Bill", "B1ll"),
            ("Otto", "0tt0"),
            ("Norma", "Norrna"),
            ("Wolf", "VVolf"),
            ("Иван", "ИВАН"),
        ] {
            assert!(look_alike(one, other), "{one} and {other}");
            assert!(look_alike(other, one), "{other} and {one}");
        }
        for (one, other) in
            [("Mina", "Mia"), ("민아", "민하"), ("Anna", "Hanna"), ("a", "b"), ("👩", "👨")]
        {
            assert!(!look_alike(one, other), "{one} and {other}");
        }
    }

    #[test]
    fn a_distinct_name_looks_different_and_fits() {
        // With the number, its last emoji has room for one of its two parts.
        let crews = format!("a{}", "👩\u{200D}🚀".repeat(20));
        for name in ["Mina", &"한".repeat(64), &"m".repeat(64), &crews, " 민아 ", "i"] {
            let other = distinct_name(name, name);
            assert!(!look_alike(&other, name), "{other}");
            assert_eq!(visible(&other, MAX_NAME).as_deref(), Ok(&*other));
        }
        assert_eq!(distinct_name(" Jun ", "Mina"), " Jun ");
        // All that fits is kept.
        assert_eq!(distinct_name(&"m".repeat(64), &"M".repeat(64)).len(), MAX_NAME);
    }
}
