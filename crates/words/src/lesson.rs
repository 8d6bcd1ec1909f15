//! The sentences of a lesson: what was wrong with a move, and only what the board proves.

use hansu_chess::{Color, Position, Square};
use hansu_engine::{Fact, Judgement, Lesson, MoveFact, Phase};

use crate::{Lang, Particle};

impl Lang {
    /// How bad a move was, in a word or two; empty for a fine one.
    ///
    /// ```
    /// use hansu_engine::Judgement;
    /// use hansu_words::Lang;
    /// assert_eq!(Lang::En.judgement(Judgement::Mistake), "mistake");
    /// ```
    pub const fn judgement(self, judgement: Judgement) -> &'static str {
        match judgement {
            Judgement::Fine => "",
            Judgement::Inaccuracy => self.pick("inaccuracy", "부정확한 수"),
            Judgement::Mistake => self.pick("mistake", "실수"),
            Judgement::Blunder => self.pick("blunder", "큰 실수"),
        }
    }

    /// The name of a phase of a game.
    ///
    /// ```
    /// use hansu_engine::Phase;
    /// use hansu_words::Lang;
    /// assert_eq!(Lang::Ko.game_phase(Phase::Endgame), "엔드게임");
    /// ```
    pub const fn game_phase(self, phase: Phase) -> &'static str {
        match phase {
            Phase::Opening => self.pick("opening", "오프닝"),
            Phase::Middlegame => self.pick("middlegame", "미들게임"),
            Phase::Endgame => self.pick("endgame", "엔드게임"),
        }
    }

    /// What was wrong with a move of this position, and what was better. Empty if the lesson has
    /// neither.
    ///
    /// ```
    /// use hansu_chess::{Position, Square};
    /// use hansu_words::Lang;
    /// let before: Position =
    ///     "rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR w KQkq - 0 2".parse()?;
    /// let step = |position: &Position, from, to| position.judge(from, to, None);
    /// let played = step(&before, Square::G2, Square::G4)?;
    /// let reply = step(&before.play(played), Square::D8, Square::H4)?;
    /// let best = step(&before, Square::E2, Square::E4)?;
    /// let lesson = hansu_engine::lesson(&before, played, Some(best), Some(reply));
    /// assert_eq!(
    ///     Lang::En.lesson(&lesson, &before, played),
    ///     "Black can now play Qh4#. It is checkmate. Better was e4."
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn lesson(self, lesson: &Lesson, position: &Position, played: hansu_chess::Move) -> String {
        let mut said = Vec::new();
        if let Some(told) = &lesson.allows {
            let next = position.play(played);
            said.push(self.allowed(told, &next, lesson.threatened));
            said.extend(self.proven(told, &next));
        }
        if let Some(told) = &lesson.better {
            let san = position.san(told.step);
            said.push(match self {
                Lang::En => format!("Better was {san}."),
                Lang::Ko => format!("{san} 수가 더 좋았어요."),
            });
            said.extend(self.proven(told, position));
        }
        said.join(" ")
    }

    /// What the opponent can do in a position.
    fn allowed(self, told: &MoveFact, position: &Position, threatened: bool) -> String {
        let (us, san) = (self.color(position.turn()), position.san(told.step));
        match (self, threatened) {
            (Lang::En, false) => format!("{us} can now play {san}."),
            (Lang::En, true) => {
                format!("{us} was threatening {san}, and this move does not stop it.")
            }
            (Lang::Ko, false) => {
                format!("이제 {} {san} 수를 둘 수 있어요.", Particle::Subject.after(us))
            }
            (Lang::Ko, true) => {
                let us = Particle::Subject.after(us);
                format!("{us} {san} 수를 노리고 있었는데, 이 수로는 막지 못해요.")
            }
        }
    }

    /// The sentence about the fact of a move of this position.
    fn proven(self, told: &MoveFact, position: &Position) -> Option<String> {
        let next = position.play(told.step);
        let fact = told.fact.as_ref()?;
        Some(match self {
            Lang::En => english(fact, &next),
            Lang::Ko => korean(fact, &next, position.turn()),
        })
    }
}

/// The sentence about a fact, on the board after the move.
fn english(fact: &Fact, next: &Position) -> String {
    let name = |at: Square| match next.piece_at(at) {
        Some(piece) => format!("the {} on {at}", Lang::En.role(piece.role)),
        None => at.to_string(),
    };
    let first = |at: Square| match next.piece_at(at) {
        Some(piece) => format!("The {} on {at}", Lang::En.role(piece.role)),
        None => at.to_string(),
    };
    match fact {
        Fact::Mate { back_rank: false } => "It is checkmate.".to_owned(),
        Fact::Mate { back_rank: true } => "It is checkmate on the back rank.".to_owned(),
        Fact::TakesUndefended { role, square } => {
            format!("It takes the {} on {square}, and nothing can take back.", Lang::En.role(*role))
        }
        Fact::TakesDearer { role, square, with } => format!(
            "It takes the {} on {square} with a {}, which is worth less.",
            Lang::En.role(*role),
            Lang::En.role(*with)
        ),
        Fact::Fork { by, targets } => {
            let mut names: Vec<String> = targets.iter().map(|&at| name(at)).collect();
            let last = names.pop().unwrap_or_default();
            format!("{} then attacks {} and {last} at once.", first(*by), names.join(", "))
        }
        Fact::Pin { by, pinned } => {
            let king = name(next.king(next.turn()));
            format!("{} then pins {} to {king}.", first(*by), name(*pinned))
        }
        Fact::Skewer { by, front, behind } => format!(
            "{} then attacks {}, and through it {}.",
            first(*by),
            name(*front),
            name(*behind)
        ),
        Fact::Discovers { by, target } => {
            format!("It opens the line from {} to {}.", name(*by), name(*target))
        }
        Fact::Traps { square } => {
            format!("{} is then attacked and has no safe square to go to.", first(*square))
        }
    }
}

/// The sentence about a fact, on the board after the move of `us`.
fn korean(fact: &Fact, next: &Position, us: Color) -> String {
    let name = |at: Square| match next.piece_at(at) {
        Some(piece) => format!("{}({at})", Lang::Ko.role(piece.role)),
        None => at.to_string(),
    };
    let subject = |at: Square| Particle::Subject.after(&name(at));
    let object = |at: Square| Particle::Object.after(&name(at));
    match fact {
        Fact::Mate { back_rank: false } => "체크메이트예요.".to_owned(),
        Fact::Mate { back_rank: true } => "킹이 맨 뒷줄에 갇힌 백 랭크 체크메이트예요.".to_owned(),
        Fact::TakesUndefended { role, square } => {
            let taken = format!("{}({square})", Lang::Ko.role(*role));
            format!("{} 잡고, 되잡히지 않아요.", Particle::Object.after(&taken))
        }
        Fact::TakesDearer { role, square, with } => {
            let taken = format!("{}({square})", Lang::Ko.role(*role));
            let with = Particle::Toward.after(Lang::Ko.role(*with));
            format!("{with} 더 값진 {} 잡아요.", Particle::Object.after(&taken))
        }
        Fact::Fork { by, targets } => {
            let mut names: Vec<String> = targets.iter().map(|&at| name(at)).collect();
            let last = Particle::Object.after(&names.pop().unwrap_or_default());
            let others = Particle::And.after(&names.join(", "));
            format!("{} {others} {last} 한꺼번에 공격해요.", subject(*by))
        }
        Fact::Pin { by, pinned } => {
            let king = name(next.king(!us));
            format!("{} {} {king} 앞에 묶어요.", subject(*by), object(*pinned))
        }
        Fact::Skewer { by, front, behind } => format!(
            "{} {} 공격하고, 그 너머의 {} 노려요.",
            subject(*by),
            object(*front),
            object(*behind)
        ),
        Fact::Discovers { by, target } => {
            format!("길이 열려서 {} {} 공격해요.", subject(*by), object(*target))
        }
        Fact::Traps { square } => {
            format!("{} 공격받는데, 안전하게 갈 칸이 없어요.", subject(*square))
        }
    }
}
