//! What may happen to a city of players, each as a list of steps.

use crate::people::NoCrowd;
use crate::second::Second;
use crate::world::{Account, Hours, Plan, Step, World};

/// Seconds that are not measured: everybody finds their place.
const SETTLE: f64 = 20.0;
/// When it happens.
pub const WHEN: f64 = 50.0;

/// A day at the boards, or a bad minute of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scenario {
    /// Nothing happens.
    Peak,
    /// One node dies.
    Node,
    /// One zone of three dies, with the primary in it.
    Zone,
    /// NATS is away for half a minute.
    Bus,
    /// Every node is replaced, one after another.
    Upgrade,
    /// Very many come to watch one game.
    Viral,
}

impl Scenario {
    /// All of them.
    pub const ALL: [Scenario; 6] = [
        Scenario::Peak,
        Scenario::Node,
        Scenario::Zone,
        Scenario::Bus,
        Scenario::Upgrade,
        Scenario::Viral,
    ];

    /// What it is called on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Scenario::Peak => "peak",
            Scenario::Node => "node",
            Scenario::Zone => "zone",
            Scenario::Bus => "bus",
            Scenario::Upgrade => "upgrade",
            Scenario::Viral => "viral",
        }
    }

    /// What happens in it.
    pub const fn told(self) -> &'static str {
        match self {
            Scenario::Peak => "a usual peak",
            Scenario::Node => "one node dies",
            Scenario::Zone => "one zone of three dies, with the primary",
            Scenario::Bus => "NATS is away for 30 s",
            Scenario::Upgrade => "every node is replaced in turn",
            Scenario::Viral => "one game draws a third more people",
        }
    }

    /// Seconds between two nodes of an upgrade: of these the node is away for the first third.
    const EACH: f64 = 15.0;

    /// What is done when, and until when it is watched.
    pub fn steps(self, plan: &Plan) -> (Vec<(f64, Step)>, f64) {
        match self {
            Scenario::Peak => (vec![], WHEN + 30.0),
            Scenario::Node => (vec![(WHEN, Step::Kill(0))], WHEN + 50.0),
            Scenario::Zone => {
                let away = plan.costs.failover;
                (vec![(WHEN, Step::KillZone(0)), (WHEN, Step::NoDatabase(away))], WHEN + 70.0)
            }
            Scenario::Bus => (vec![(WHEN, Step::NoBus(30.0))], WHEN + 50.0),
            Scenario::Upgrade => {
                let mut steps = Vec::new();
                for node in 0..plan.nodes {
                    let at = WHEN + node as f64 * Scenario::EACH;
                    steps.push((at, Step::Stop(node)));
                    steps.push((at + Scenario::EACH / 3.0, Step::Start(node)));
                }
                (steps, WHEN + plan.nodes as f64 * Scenario::EACH + 10.0)
            }
            Scenario::Viral => {
                // 50,000 when 150,000 are there already: as many as the largest events draw.
                let people = (plan.people / 3.0).round() as usize;
                (vec![(WHEN, Step::Crowd(people, 20.0))], WHEN + 100.0)
            }
        }
    }

    /// Runs it.
    ///
    /// # Errors
    ///
    /// When no crowd is like that.
    pub fn run(self, plan: &Plan) -> Result<Account, NoCrowd> {
        let (steps, until) = self.steps(plan);
        let mut world = World::new(plan.clone(), steps)?;
        world.run(SETTLE);
        world.forget();
        world.run(until);
        Ok(world.account())
    }
}

/// A day of a part of the people, for what grows with the day.
///
/// # Errors
///
/// When no crowd is like that.
pub fn day(plan: &Plan, part: f64) -> Result<Account, NoCrowd> {
    let small = Plan {
        people: plan.people * part,
        moves: plan.moves * part,
        nodes: plan.zones.max(1),
        hours: Hours::Day,
        ..plan.clone()
    };
    let mut world = World::new(small, vec![])?;
    world.run(86_400.0);
    Ok(world.account())
}

/// The seconds before it happened, and those since.
pub fn before_and_after(account: &Account) -> (&[Second], &[Second]) {
    let cut = account.seconds.iter().position(|second| second.at > WHEN);
    account.seconds.split_at(cut.unwrap_or(account.seconds.len()))
}

/// Seconds after it happened until that part of those who lost their line was back for good;
/// `None` when it was not yet.
pub fn until_back(account: &Account, part: f64) -> Option<f64> {
    let (_, after) = before_and_after(account);
    let allowed = account.lost as f64 * (1.0 - part);
    let late = after.iter().rposition(|second| second.outside > allowed);
    match late {
        // Within the first second.
        None => after.first().map(|second| second.at - WHEN),
        Some(last) if last + 1 < after.len() => Some(after[last + 1].at - WHEN),
        Some(_) => None,
    }
}
