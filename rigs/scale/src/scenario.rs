//! The scenarios, each as a list of interventions.

use crate::people::CrowdError;
use crate::second::Second;
use crate::world::{Hours, Intervention, Plan, RunStats, World};

/// Seconds at the beginning that are not measured.
const SETTLE: f64 = 20.0;
/// When the scenario's event happens, in seconds.
pub const WHEN: f64 = 50.0;

/// A scenario.
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
    /// Very many people come to watch one game.
    Viral,
}

impl Scenario {
    /// All scenarios.
    pub const ALL: [Scenario; 6] = [
        Scenario::Peak,
        Scenario::Node,
        Scenario::Zone,
        Scenario::Bus,
        Scenario::Upgrade,
        Scenario::Viral,
    ];

    /// Its name on the command line.
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

    /// A short description for the tables.
    pub const fn description(self) -> &'static str {
        match self {
            Scenario::Peak => "a usual peak",
            Scenario::Node => "one node dies",
            Scenario::Zone => "one zone of three dies, with the primary",
            Scenario::Bus => "NATS is away for 30 s",
            Scenario::Upgrade => "every node is replaced in turn",
            Scenario::Viral => "one game draws a third more people",
        }
    }

    /// Seconds between two nodes of an upgrade; a node is away for the first third of them.
    const EACH: f64 = 15.0;

    /// The interventions with their times, and the end of the run.
    pub fn interventions(self, plan: &Plan) -> (Vec<(f64, Intervention)>, f64) {
        match self {
            Scenario::Peak => (vec![], WHEN + 30.0),
            Scenario::Node => (vec![(WHEN, Intervention::Kill(0))], WHEN + 50.0),
            Scenario::Zone => {
                let away = plan.costs.failover;
                (
                    vec![(WHEN, Intervention::KillZone(0)), (WHEN, Intervention::NoDatabase(away))],
                    WHEN + 70.0,
                )
            }
            Scenario::Bus => (vec![(WHEN, Intervention::NoBus(30.0))], WHEN + 50.0),
            Scenario::Upgrade => {
                let mut interventions = Vec::new();
                for node in 0..plan.nodes {
                    let at = WHEN + node as f64 * Scenario::EACH;
                    interventions.push((at, Intervention::Stop(node)));
                    interventions.push((at + Scenario::EACH / 3.0, Intervention::Start(node)));
                }
                (interventions, WHEN + plan.nodes as f64 * Scenario::EACH + 10.0)
            }
            Scenario::Viral => {
                // 50,000 when 150,000 are connected already: as many as the largest events draw.
                let people = (plan.people / 3.0).round() as usize;
                (vec![(WHEN, Intervention::Crowd(people, 20.0))], WHEN + 100.0)
            }
        }
    }

    /// Runs the scenario.
    ///
    /// # Errors
    ///
    /// When the crowd cannot be fitted.
    pub fn run(self, plan: &Plan) -> Result<RunStats, CrowdError> {
        let (interventions, until) = self.interventions(plan);
        let mut world = World::new(plan.clone(), interventions)?;
        world.run(SETTLE);
        world.reset_measurements();
        world.run(until);
        Ok(world.stats())
    }
}

/// Simulates a day with a share of the people, for what accumulates over a day.
///
/// # Errors
///
/// When the crowd cannot be fitted.
pub fn day(plan: &Plan, part: f64) -> Result<RunStats, CrowdError> {
    let small = Plan {
        people: plan.people * part,
        moves: plan.moves * part,
        nodes: plan.zones.max(1),
        hours: Hours::Day,
        ..plan.clone()
    };
    let mut world = World::new(small, vec![])?;
    world.run(86_400.0);
    Ok(world.stats())
}

/// The seconds before and after [`WHEN`].
pub fn before_and_after(stats: &RunStats) -> (&[Second], &[Second]) {
    let cut = stats.seconds.iter().position(|second| second.at > WHEN);
    stats.seconds.split_at(cut.unwrap_or(stats.seconds.len()))
}

/// Seconds after [`WHEN`] until this share of the people that lost their connection was back for
/// good; `None` if that did not happen.
pub fn until_back(stats: &RunStats, part: f64) -> Option<f64> {
    let (_, after) = before_and_after(stats);
    let allowed = stats.lost as f64 * (1.0 - part);
    let late = after.iter().rposition(|second| second.outside > allowed);
    match late {
        // All were back within the first second.
        None => after.first().map(|second| second.at - WHEN),
        Some(last) if last + 1 < after.len() => Some(after[last + 1].at - WHEN),
        Some(_) => None,
    }
}
