//! The behaviour of the crowd: time controls, thinking times, how often people return, which games
//! they watch. None of it was measured here; it is chosen so that 150,000 people make 16,000 moves
//! a second, as on the largest public servers.

use fastrand::Rng;

use crate::chance::{lognormal, normal, weighted_index};

/// A kind of time control.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// Its name.
    pub name: &'static str,
    /// Its share of the games that begin.
    pub share: f64,
    /// Seconds on each clock at the beginning.
    pub time: f64,
    /// Seconds for each move.
    pub increment: f64,
    /// Plies of a game, on average.
    pub plies: f64,
    /// Mean seconds of thought for a move, before the crowd is fitted to its size.
    pub think: f64,
}

/// The time controls. Correspondence games are modelled as visits: see [`Habits::visits`].
pub const PACES: [Pace; 4] = [
    Pace { name: "bullet", share: 0.36, time: 60.0, increment: 0.0, plies: 66.0, think: 1.2 },
    Pace { name: "blitz", share: 0.48, time: 240.0, increment: 1.0, plies: 72.0, think: 3.6 },
    Pace { name: "rapid", share: 0.15, time: 600.0, increment: 3.0, plies: 70.0, think: 8.5 },
    Pace {
        name: "classical",
        share: 0.01,
        time: 1_800.0,
        increment: 10.0,
        plies: 74.0,
        think: 20.0,
    },
];

/// The standard deviations of the logarithms of thinking times and of the lengths of games.
const THINK_SPREAD: f64 = 0.8;
const PLIES_SPREAD: f64 = 0.5;
/// The longest game.
const MOST_PLIES: f64 = 300.0;
/// The largest share of the remaining time that is spent on one move.
const BOLD: f64 = 0.2;

/// What people do, as rates and shares.
#[derive(Clone, Copy, Debug)]
pub struct Habits {
    /// Share of the people at the peak that play with clocks (not correspondence).
    pub playing: f64,
    /// Share that only watches.
    pub watching: f64,
    /// Share of games that are followed by a rematch.
    pub rematch: f64,
    /// Seconds until the first player begins to think: in a new game, and in a rematch.
    pub begin: [f64; 2],
    /// Share of games after which a player leaves.
    pub leave: f64,
    /// Share of moves that are made in correspondence games, during visits.
    pub visits: f64,
    /// Duration of a visit in seconds.
    pub visit: f64,
    /// Mean seconds for which a watcher stays.
    pub watch: f64,
    /// Share of watchers that choose from the lobby's list, the first game with the highest
    /// probability; others come by a link to any game.
    pub famous: f64,
    /// Other events (chat, offers, starts and ends) per move.
    pub chatter: f64,
    /// Seconds between two chat messages of one watcher.
    pub watcher_chat: f64,
}

impl Default for Habits {
    fn default() -> Habits {
        Habits {
            playing: 0.80,
            watching: 0.07,
            rematch: 0.25,
            begin: [2.0, 4.0],
            leave: 1.0 / 6.0,
            visits: 0.01,
            visit: 30.0,
            watch: 240.0,
            famous: 0.6,
            chatter: 0.07,
            watcher_chat: 1_200.0,
        }
    }
}

/// The number of people at a time of day, as a share of the peak. On a public server the evenings
/// of the time zones follow each other, so nights are shallow.
pub fn part_of_day(seconds: f64) -> f64 {
    let turn = std::f64::consts::TAU * (seconds / 86_400.0 - 19.5 / 24.0);
    let wave = 0.78 + 0.19 * turn.cos() + 0.03 * (2.0 * turn).cos();
    wave.clamp(0.0, 1.0)
}

/// The length of a game.
pub fn plies(rng: &mut Rng, pace: &Pace) -> u32 {
    length(pace, normal(rng))
}

fn length(pace: &Pace, deviates: f64) -> u32 {
    let plies = pace.plies * (PLIES_SPREAD * deviates - PLIES_SPREAD * PLIES_SPREAD / 2.0).exp();
    plies.clamp(2.0, MOST_PLIES).round() as u32
}

/// The thinking time of a player with `left` seconds on the clock; the factor `slow` fits the crowd
/// to its size.
pub fn think(rng: &mut Rng, pace: &Pace, slow: f64, left: f64) -> f64 {
    let wish = lognormal(rng, pace.think * slow, THINK_SPREAD);
    wish.min(BOLD * left.max(0.0) + 0.5 * pace.increment + 0.05)
}

/// The crowd at the peak, fitted to its size.
#[derive(Clone, Copy, Debug)]
pub struct Crowd {
    /// All people.
    pub people: f64,
    /// Moves a second, of all kinds.
    pub moves: f64,
    /// Games with clocks that begin each second.
    pub begin: f64,
    /// Mean duration of a game in seconds.
    pub lasts: f64,
    /// Mean number of moves of a game.
    pub plies: f64,
    /// Correspondence visits each second.
    pub visits: f64,
    /// Factor by which people think longer than in [`PACES`].
    pub slow: f64,
    /// People in the lobby.
    pub lobby: f64,
    /// People who watch.
    pub watching: f64,
    /// Mean seconds that a person spends in the lobby before seeking.
    pub pause: f64,
    /// Of the people that stay after a game, the share that goes to watch.
    pub to_watch: f64,
    /// Share of each pace among the games in play.
    pub mix: [f64; PACES.len()],
}

/// Why a crowd cannot be fitted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CrowdError {
    /// The number of people and the number of moves do not fit together.
    Shape,
}

impl std::fmt::Display for CrowdError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(
            "so many people do not make so many moves: try about one move a second for ten people",
        )
    }
}

impl std::error::Error for CrowdError {}

/// Games of each pace that are simulated alone to estimate their duration, for each round of
/// fitting.
const PILOTS: [u32; 3] = [200, 1_000, 2_000];

/// The mean duration in seconds and the mean number of moves of games of a pace.
fn pilot(rng: &mut Rng, pace: &Pace, slow: f64, games: u32) -> (f64, f64) {
    let (mut seconds, mut moves) = (0.0, 0.0);
    let mut deviates = 0.0;
    for game in 0..games {
        let mut clocks = [pace.time; 2];
        // Antithetic pairs, a long and a short game, halve the number of games for the same
        // precision.
        deviates = if game % 2 == 0 { normal(rng) } else { -deviates };
        let plies = length(pace, deviates);
        for ply in 0..plies as usize {
            let thought = think(rng, pace, slow, clocks[ply % 2]);
            clocks[ply % 2] += pace.increment - thought;
            seconds += thought;
        }
        moves += f64::from(plies);
    }
    (seconds / f64::from(games), moves / f64::from(games))
}

impl Crowd {
    /// Fits a crowd of this many people that make this many moves a second, each of which takes
    /// `lag` seconds to reach the opponent.
    ///
    /// # Errors
    ///
    /// When people would have to think less than a quarter or more than four times as long.
    pub fn fit(people: f64, moves: f64, habits: &Habits, lag: f64) -> Result<Crowd, CrowdError> {
        // A fixed seed, so that the fit does not depend on the run.
        let mut rng = Rng::with_seed(1);
        let visits = moves * habits.visits;
        let beginning = habits.begin[0] * (1.0 - habits.rematch) + habits.begin[1] * habits.rematch;
        let mut slow = 1.0;
        let (mut lasts, mut plies, mut mix) = (0.0, 0.0, [0.0; PACES.len()]);
        // Players short of time think less, so the duration is not proportional to `slow`: the fit
        // takes a few rounds.
        for (round, games) in PILOTS.into_iter().enumerate() {
            let played = PACES.map(|pace| {
                let (seconds, moves) = pilot(&mut rng, &pace, slow, games);
                (seconds + beginning + moves * lag, moves)
            });
            let of = |part: fn(&(f64, f64)) -> f64| -> f64 {
                PACES.iter().zip(&played).map(|(pace, game)| pace.share * part(game)).sum()
            };
            (lasts, plies) = (of(|game| game.0), of(|game| game.1));
            for (place, share) in mix.iter_mut().enumerate() {
                *share = PACES[place].share * played[place].0 / lasts;
            }
            let wanted = habits.playing * people / (2.0 * (moves - visits) / plies);
            if round + 1 < PILOTS.len() {
                slow *= wanted / lasts;
            }
            if !(0.25..4.0).contains(&slow) {
                return Err(CrowdError::Shape);
            }
        }
        let begin = (moves - visits) / plies;
        let watching = habits.watching * people;
        let lobby = people - 2.0 * begin * lasts - watching - visits * habits.visit;
        // Players of games without a rematch; as many arrive as leave.
        let freed = 2.0 * begin * (1.0 - habits.rematch);
        let to_watch = watching / habits.watch / (freed * (1.0 - habits.leave));
        if lobby < 0.0 || !(0.0..=1.0).contains(&to_watch) {
            return Err(CrowdError::Shape);
        }
        let pause = lobby / freed;
        Ok(Crowd {
            people,
            moves,
            begin,
            lasts,
            plies,
            visits,
            slow,
            lobby,
            watching,
            pause,
            to_watch,
            mix,
        })
    }

    /// A random pace for a new game.
    pub fn draw_pace(rng: &mut Rng) -> usize {
        weighted_index(rng, PACES.iter().map(|pace| pace.share))
    }

    /// People that arrive each second at the peak and stay for several games.
    pub fn arrivals(&self, habits: &Habits) -> f64 {
        2.0 * self.begin * (1.0 - habits.rematch) * habits.leave
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everybody_is_somewhere() {
        let habits = Habits::default();
        let crowd = Crowd::fit(150_000.0, 16_000.0, &habits, 0.004).unwrap();
        let playing = 2.0 * crowd.begin * crowd.lasts;
        let all = playing + crowd.watching + crowd.lobby + crowd.visits * habits.visit;
        assert!((all - crowd.people).abs() < 1.0);
        assert!((playing / crowd.people - habits.playing).abs() < 0.01, "{playing}");
        assert!((0.8..1.25).contains(&crowd.slow), "people think as they do: {}", crowd.slow);
        assert!((crowd.mix.iter().sum::<f64>() - 1.0).abs() < 1e-9);
    }

    #[test]
    fn an_impossible_crowd_is_refused() {
        let habits = Habits::default();
        for (people, moves) in [(100.0, 1_000.0), (100_000.0, 10.0), (0.0, 0.0), (0.0, 5.0)] {
            assert_eq!(Crowd::fit(people, moves, &habits, 0.0).err(), Some(CrowdError::Shape));
        }
    }

    #[test]
    fn a_day_has_one_peak() {
        let hours: Vec<f64> = (0..24).map(|hour| part_of_day(f64::from(hour) * 3_600.0)).collect();
        let most = hours.iter().copied().fold(0.0, f64::max);
        assert!(most > 0.97 && hours.iter().all(|part| *part > 0.5), "{hours:?}");
    }
}
