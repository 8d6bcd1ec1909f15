//! The texts of a match between engines.

use crate::Lang;

/// A text about a match between engines; see [`Lang::arena`].
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum ArenaNote<'a> {
    /// The unit of the progress bar.
    Games,
    /// The result, for the first player.
    Result {
        /// The first player.
        first: &'a str,
        /// The second player.
        second: &'a str,
        /// Games that the first player won, drew and lost.
        results: [u64; 3],
        /// The first player's score in percent.
        percent: f64,
    },
    /// The difference in strength, and half the width of its 95 % interval.
    Elo(f64, f64),
    /// The difference in strength is unknown, because all pairs of games ended alike.
    NoElo,
    /// How many pairs of games gave 0, ½, 1, 1½ and 2 points.
    Pairs([u64; 5]),
    /// The sequential test.
    Test {
        /// Its bounds, the lower one first.
        bounds: [f64; 2],
        /// The log-likelihood ratio.
        ratio: f64,
        /// True if the upper bound was accepted, false if the lower one; `None` while it is open.
        verdict: Option<bool>,
    },
    /// A player lost this many games because it overstepped its clock.
    LostOnTime(&'a str, u64),
    /// Because it did not answer.
    LostBySilence(&'a str, u64),
    /// Because its program ended.
    LostByEnding(&'a str, u64),
    /// Because it answered an illegal move; the first such answer.
    LostByIllegalMove(&'a str, u64, &'a str),
    /// The match was interrupted.
    Interrupted,
    /// The name is not one of a level or strength.
    NoLevel(&'a str),
    /// A name that is neither a player nor a net's file, and why the file cannot be read.
    NoNet(&'a str, &'a str),
    /// A program cannot be started, and why.
    NoProgram(&'a str, &'a str),
    /// A program does not speak UCI.
    NotUci(&'a str),
    /// An option of a program has no value.
    NoOption(&'a str),
    /// The file for the games cannot be written, and why.
    NoFile(&'a str, &'a str),
}

impl Lang {
    /// A text about a match between engines.
    ///
    /// ```
    /// use hansu_words::{ArenaNote, Lang};
    /// assert_eq!(Lang::Ko.arena(ArenaNote::Games), "게임");
    /// ```
    pub fn arena(self, note: ArenaNote<'_>) -> String {
        let [english, korean] = both(note);
        match self {
            Lang::En => english,
            Lang::Ko => korean,
        }
    }
}

/// `1 game`, `2 games`.
fn games(count: u64) -> String {
    format!("{count} {}", if count == 1 { "game" } else { "games" })
}

/// The text in English and in Korean.
fn both(note: ArenaNote<'_>) -> [String; 2] {
    match note {
        ArenaNote::Games => ["games".to_owned(), "게임".to_owned()],
        ArenaNote::Result { first, second, results, percent } => {
            let [wins, draws, losses] = results;
            let all = wins + draws + losses;
            [
                format!(
                    "{first} against {second}: {wins} won, {draws} drawn, {losses} lost of {} \
                     ({percent:.1} %)",
                    games(all)
                ),
                format!(
                    "{first} 대 {second}: {all}게임 {wins}승 {draws}무 {losses}패 ({percent:.1} %)"
                ),
            ]
        }
        ArenaNote::Elo(elo, error) => [
            format!("Elo difference {elo:+.0} ± {error:.0} (95 %)"),
            format!("Elo 차이 {elo:+.0} ± {error:.0} (95 %)"),
        ],
        ArenaNote::NoElo => [
            "Elo difference unknown: all pairs of games ended alike".to_owned(),
            "Elo 차이는 몰라요: 두 게임씩 묶은 점수가 모두 같아요".to_owned(),
        ],
        ArenaNote::Pairs(pairs) => {
            let counts = pairs.map(|count| count.to_string()).join(", ");
            [
                format!("Pairs of games with 0, ½, 1, 1½, 2 points: {counts}"),
                format!("두 게임씩 묶은 점수 0, ½, 1, 1½, 2점: {counts}"),
            ]
        }
        ArenaNote::Test { bounds: [low, high], ratio, verdict } => {
            let [english, korean] = match verdict {
                None => ["not decided", "아직 몰라요"],
                Some(true) => ["accepted", "맞아요"],
                Some(false) => ["rejected", "아니에요"],
            };
            [
                format!("Better by {high} rather than {low} Elo: {english} (LLR {ratio:.2})"),
                format!("{low} Elo보다 {high} Elo만큼 강하다: {korean} (LLR {ratio:.2})"),
            ]
        }
        ArenaNote::LostOnTime(player, count) => [
            format!("{player} lost {} on time.", games(count)),
            format!("{player}: {count}게임을 시간 초과로 졌어요."),
        ],
        ArenaNote::LostBySilence(player, count) => [
            format!("{player} lost {} because it did not answer.", games(count)),
            format!("{player}: {count}게임을 응답하지 않아서 졌어요."),
        ],
        ArenaNote::LostByEnding(player, count) => [
            format!("{player} lost {} because its program ended.", games(count)),
            format!("{player}: {count}게임을 프로그램이 끝나서 졌어요."),
        ],
        ArenaNote::LostByIllegalMove(player, count, answer) => [
            format!("{player} lost {} by illegal moves, first by {answer:?}.", games(count)),
            format!("{player}: {count}게임을 둘 수 없는 수 때문에 졌어요. 첫 번째는 {answer:?}."),
        ],
        ArenaNote::Interrupted => [
            "Interrupted. The games under way do not count.".to_owned(),
            "중단했어요. 두고 있던 게임은 세지 않아요.".to_owned(),
        ],
        ArenaNote::NoLevel(name) => [
            format!("{name}: there are level:1 to level:10."),
            format!("{name}: level:1부터 level:10까지 있어요."),
        ],
        ArenaNote::NoNet(name, why) => [
            format!(
                "{name}: no such player ({why}). Name own, hand, level:1 to level:10, a net's file, \
                 or cmd: and a program."
            ),
            format!(
                "{name}: 이런 선수가 없어요({why}). own, hand, level:1~level:10, 신경망 파일, 또는 \
                 cmd:와 프로그램을 적어 주세요."
            ),
        ],
        ArenaNote::NoProgram(program, why) => [
            format!("{program}: the program cannot be started ({why})."),
            format!("{program}: 프로그램을 시작할 수 없어요({why})."),
        ],
        ArenaNote::NotUci(program) => [
            format!("{program}: the program does not answer \"uci\"."),
            format!("{program}: 프로그램이 \"uci\"에 답하지 않아요."),
        ],
        ArenaNote::NoOption(option) => [
            format!("{option}: not an option; write NAME=VALUE."),
            format!("{option}: 옵션이 아니에요. 이름=값으로 적어 주세요."),
        ],
        ArenaNote::NoFile(file, why) => [
            format!("{file}: the games cannot be written ({why})."),
            format!("{file}: 게임을 쓸 수 없어요({why})."),
        ],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_is_told_in_both_languages() {
        let result =
            ArenaNote::Result { first: "a", second: "b", results: [1, 2, 1], percent: 50.0 };
        assert_eq!(
            Lang::En.arena(result),
            "a against b: 1 won, 2 drawn, 1 lost of 4 games (50.0 %)"
        );
        assert_eq!(Lang::Ko.arena(result), "a 대 b: 4게임 1승 2무 1패 (50.0 %)");
        assert_eq!(Lang::En.arena(ArenaNote::LostOnTime("a", 1)), "a lost 1 game on time.");
        assert_eq!(Lang::En.arena(ArenaNote::Elo(-12.4, 9.0)), "Elo difference -12 ± 9 (95 %)");
    }

    #[test]
    fn an_answer_of_a_program_cannot_change_the_terminal() {
        let note = ArenaNote::LostByIllegalMove("a", 1, "\u{1b}[2J");
        assert!(
            !Lang::En.arena(note).contains('\u{1b}') && !Lang::Ko.arena(note).contains('\u{1b}')
        );
    }
}
