//! The texts around the analysis of a game.

use crate::Lang;

/// A text about an analysis; see [`Lang::analysis`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AnalysisNote<'a> {
    /// The unit of the progress bar.
    Positions,
    /// The heading over scores.
    Score,
    /// The heading over White's win chances.
    Chance,
    /// The heading over accuracies.
    Accuracy,
    /// The column of the whole game.
    WholeGame,
    /// The analysis was interrupted, and what is done is kept.
    Paused {
        /// The number of analysed positions.
        done: usize,
        /// The number of all positions.
        total: usize,
    },
    /// The analysis was interrupted, and nothing of it is kept.
    Dropped,
    /// The game is not over.
    StillPlayed,
    /// A file has no game in it.
    NoGame(&'a str),
    /// How thorough the analysis was.
    Thoroughness {
        /// The number of nodes searched for each position.
        nodes: u64,
    },
}

impl Lang {
    /// A text about the analysis of a game.
    ///
    /// ```
    /// use hansu_words::{AnalysisNote, Lang};
    /// assert_eq!(Lang::Ko.analysis(AnalysisNote::Accuracy), "정확도");
    /// ```
    pub fn analysis(self, note: AnalysisNote<'_>) -> String {
        let fixed = |english, korean| self.pick(english, korean).to_owned();
        match note {
            AnalysisNote::Positions => fixed("positions", "국면"),
            AnalysisNote::Score => fixed("Score", "평가"),
            AnalysisNote::Chance => fixed("White", "백 승률"),
            AnalysisNote::Accuracy => fixed("Accuracy", "정확도"),
            AnalysisNote::WholeGame => fixed("game", "전체"),
            AnalysisNote::Paused { done, total } => match self {
                Lang::En => format!(
                    "Interrupted after {done} of {total} positions. They are kept; the same command \
                     goes on from there."
                ),
                Lang::Ko => format!(
                    "국면 {total}개 가운데 {done}개를 보고 중단했어요. 본 것은 기록에 있고, 같은 \
                     명령을 다시 실행하면 이어서 해요."
                ),
            },
            AnalysisNote::Dropped => fixed(
                "Interrupted. Games of a file are not kept; the same command begins anew.",
                "중단했어요. 파일의 게임은 기록하지 않으니, 같은 명령을 실행하면 처음부터 해요.",
            ),
            AnalysisNote::StillPlayed => fixed(
                "This game is still being played. It can be analysed when it is over.",
                "아직 두고 있는 게임이에요. 끝나면 분석할 수 있어요.",
            ),
            AnalysisNote::NoGame(file) => match self {
                Lang::En => format!("{file}: there is no game in this file."),
                Lang::Ko => format!("{file}: 이 파일에는 게임이 없어요."),
            },
            AnalysisNote::Thoroughness { nodes } => match self {
                Lang::En => format!("{nodes} nodes a position."),
                Lang::Ko => format!("국면마다 노드 {nodes}개를 봤어요."),
            },
        }
    }
}
