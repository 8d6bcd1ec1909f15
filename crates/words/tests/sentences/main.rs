//! Every answer of the rules, the game, the log and the server has a good sentence in both languages.

mod lessons;
mod log;
mod play;
mod rules;
mod server;

use hansu_chess::Square;
use hansu_words::{Lang, Particle};

/// Checks what must hold for every sentence.
fn check(lang: Lang, text: &str) {
    let hangul = text.chars().any(|c| ('가'..='힣').contains(&c));
    assert_eq!(hangul, lang == Lang::Ko, "{text}");
    assert!(text.ends_with(['.', '?']), "no end: {text}");
    assert!(!text.contains("  "), "two blanks: {text}");
    assert!(!text.contains('\n'), "two lines: {text}");
    match lang {
        Lang::En => {
            assert!(text.is_ascii(), "{text}");
            let first = |sentence: &str| {
                let square = sentence.get(..2).is_some_and(|two| two.parse::<Square>().is_ok());
                square || sentence.starts_with(|c: char| !c.is_ascii_lowercase())
            };
            assert!(sentences(text).into_iter().all(first), "no capital: {text}");
        }
        Lang::Ko => {
            // 해요체: every sentence ends in 요.
            for one in sentences(text) {
                let example = one.starts_with("예:");
                assert!(one.ends_with('요') || example, "{one:?} in {text}");
            }
            check_particles(text);
        }
    }
}

/// The sentences without their ends. A dot inside a word, as in 3.51.3, ends none.
fn sentences(text: &str) -> Vec<&str> {
    let whole = text.trim_end_matches(['.', '?']);
    whole.split(". ").flat_map(|some| some.split("? ")).collect()
}

/// Words that end like a particle but have none.
const WHOLE: [&str; 2] = ["이을", "누군가"];

/// Checks that the particles fit the words before them, as far as the last syllable shows it.
fn check_particles(text: &str) {
    for word in without_brackets(text).split_whitespace() {
        let word = word.trim_end_matches([',', '.', '?', ':']);
        let whole = |stem: &str| stem.is_empty() || WHOLE.contains(&word);
        let fits = |stem: &str, particle: Particle| whole(stem) || particle.after(stem) == word;
        let right = if let Some(stem) = word.strip_suffix("으로") {
            fits(stem, Particle::Toward)
        } else if let Some(stem) = word.strip_suffix('로') {
            fits(stem, Particle::Toward)
        } else if let Some(stem) = word.strip_suffix(['을', '를']) {
            fits(stem, Particle::Object)
        } else if let Some(stem) = word.strip_suffix(['과', '와']) {
            fits(stem, Particle::And)
        } else if let Some(stem) = word.strip_suffix(['이', '가']) {
            fits(stem, Particle::Subject)
        } else if let Some(stem) = word.strip_suffix('은') {
            fits(stem, Particle::Topic)
        } else {
            // 는 also ends verbs: 있는.
            true
        };
        assert!(right, "{word:?} in {text}");
    }
}

/// The text without brackets, as it is read aloud: 나이트(c3)는 is 나이트는.
fn without_brackets(text: &str) -> String {
    let mut depth = 0;
    let read = text.chars().filter(|&c| {
        depth += i32::from(c == '(');
        let outside = depth == 0;
        depth -= i32::from(c == ')');
        outside
    });
    read.collect()
}

#[test]
fn a_wrong_particle_is_noticed() {
    for wrong in ["이름가", "메모이", "룩(e8)와", "나이트(c3)을", "e4이", "기권로", "말으로"]
    {
        let found = std::panic::catch_unwind(|| check_particles(wrong));
        assert!(found.is_err(), "{wrong}");
    }
    check_particles("이름이, 메모가 룩(e8)과 나이트(c3)를 e4가 기권으로 말로 있는 SQLite 3.8.1은");
}
