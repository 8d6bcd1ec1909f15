//! Korean particles (조사) that change with the sound before them.

/// A particle with two forms.
///
/// ```
/// use hansu_words::Particle;
/// assert_eq!(Particle::Topic.after("폰"), "폰은");
/// assert_eq!(Particle::Topic.after("나이트(c3)"), "나이트(c3)는");
/// assert_eq!(Particle::Subject.after("e4"), "e4가");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Particle {
    /// 은 / 는
    Topic,
    /// 이 / 가
    Subject,
    /// 을 / 를
    Object,
    /// 과 / 와
    And,
    /// 으로 / 로
    Toward,
}

/// How a word ends when it is read aloud.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Ending {
    Open,
    Rieul,
    Closed,
}

impl Particle {
    /// The word with the particle in its right form. A part in brackets at the end of the word does
    /// not count: 나이트(c3)는, not 나이트(c3)은.
    ///
    /// ```
    /// # use hansu_words::Particle;
    /// assert_eq!(Particle::Toward.after("d1"), "d1로");
    /// assert_eq!(Particle::Toward.after("d3"), "d3으로");
    /// ```
    pub fn after(self, word: &str) -> String {
        let ending = ending(word);
        let open = ending == Ending::Open;
        let particle = match self {
            Particle::Topic if open => "는",
            Particle::Topic => "은",
            Particle::Subject if open => "가",
            Particle::Subject => "이",
            Particle::Object if open => "를",
            Particle::Object => "을",
            Particle::And if open => "와",
            Particle::And => "과",
            Particle::Toward if ending == Ending::Closed => "으로",
            Particle::Toward => "로",
        };
        format!("{word}{particle}")
    }
}

fn ending(word: &str) -> Ending {
    let read = match word.rsplit_once('(') {
        Some((before, bracket)) if bracket.ends_with(')') => before,
        _ => word,
    };
    match read.chars().next_back() {
        // 영 일 이 삼 사 오 육 칠 팔 구
        Some('1' | '7' | '8') => Ending::Rieul,
        Some('0' | '3' | '6') => Ending::Closed,
        // A syllable is 0xac00 + (first * 21 + middle) * 28 + last; the eighth last sound is ㄹ.
        Some(syllable @ '가'..='힣') => match (syllable as u32 - 0xac00) % 28 {
            0 => Ending::Open,
            8 => Ending::Rieul,
            _ => Ending::Closed,
        },
        _ => Ending::Open,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn syllables_decide_by_their_last_sound() {
        let cases = [
            (Particle::Topic, "킹", "킹은"),
            (Particle::Topic, "나이트", "나이트는"),
            (Particle::Subject, "퀸", "퀸이"),
            (Particle::Subject, "체크메이트", "체크메이트가"),
            (Particle::Object, "비숍", "비숍을"),
            (Particle::Object, "나이트", "나이트를"),
            (Particle::And, "룩", "룩과"),
            (Particle::And, "나이트", "나이트와"),
            (Particle::Toward, "기권", "기권으로"),
            (Particle::Toward, "합의", "합의로"),
            (Particle::Toward, "말", "말로"),
        ];
        for (particle, word, expected) in cases {
            assert_eq!(particle.after(word), expected);
        }
    }

    #[test]
    fn squares_decide_by_how_their_digit_is_read() {
        let digits = [
            ("a1", "은", "로"),
            ("b2", "는", "로"),
            ("c3", "은", "으로"),
            ("d4", "는", "로"),
            ("e5", "는", "로"),
            ("f6", "은", "으로"),
            ("g7", "은", "로"),
            ("h8", "은", "로"),
        ];
        for (square, topic, toward) in digits {
            assert_eq!(Particle::Topic.after(square), format!("{square}{topic}"));
            assert_eq!(Particle::Toward.after(square), format!("{square}{toward}"));
        }
    }

    #[test]
    fn what_stands_in_brackets_is_not_read() {
        assert_eq!(Particle::Topic.after("나이트(c3)"), "나이트(c3)는");
        assert_eq!(Particle::Topic.after("폰(e2)"), "폰(e2)은");
        assert_eq!(Particle::Object.after("룩(h8)"), "룩(h8)을");
        assert_eq!(Particle::And.after("룩(h8)"), "룩(h8)과");
        assert_eq!(Particle::Topic.after(""), "는");
        assert_eq!(Particle::Topic.after("(c3"), "(c3은");
    }
}
