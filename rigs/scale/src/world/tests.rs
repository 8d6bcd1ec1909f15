//! Invariants of the simulation, on crowds small enough for two seconds.

use super::*;
use crate::scenario::{Scenario, WHEN};
use crate::second::mean;

fn small() -> Plan {
    Plan { people: 6_000.0, moves: 640.0, nodes: 6, cores: 2.0, ..Plan::default() }
}

fn run(plan: &Plan, interventions: Vec<(f64, Intervention)>, until: f64) -> RunStats {
    let mut world = World::new(plan.clone(), interventions).unwrap();
    world.run(until);
    world.stats()
}

#[test]
fn the_same_seed_gives_the_same_run_and_another_does_not() {
    let interventions = vec![(5.0, Intervention::Kill(1)), (8.0, Intervention::NoBus(3.0))];
    let first = run(&small(), interventions.clone(), 15.0);
    assert_eq!(first, run(&small(), interventions.clone(), 15.0));
    let other = run(&Plan { seed: 2, ..small() }, interventions, 15.0);
    assert_ne!(first, other);
}

#[test]
fn as_many_moves_are_made_as_were_asked_for() {
    let plan = Plan { people: 24_000.0, moves: 2_560.0, ..small() };
    let stats = run(&plan, vec![], 120.0);
    let moves = mean(&stats.seconds[60..], |second| second.moves);
    assert!((moves / plan.moves - 1.0).abs() < 0.02, "{moves}");
    let people = mean(&stats.seconds[60..], |second| second.inside);
    assert!((people / plan.people - 1.0).abs() < 0.02, "{people}");
}

/// Little's law: games in play = games that begin per second × mean duration.
#[test]
fn littles_law_holds_for_games() {
    let plan = Plan { people: 24_000.0, moves: 2_560.0, ..small() };
    let mut world = World::new(plan, vec![]).unwrap();
    world.run(300.0);
    let stats = world.stats();
    let begun = mean(&stats.seconds, |second| second.begun);
    let games = mean(&stats.seconds, |second| second.games);
    let lasts = world.crowd().lasts;
    assert!((games / (begun * lasts) - 1.0).abs() < 0.04, "{games} {begun} {lasts}");
}

#[test]
fn more_nodes_are_never_busier() {
    let busy = |nodes| {
        let stats = run(&Plan { nodes, ..small() }, vec![], 30.0);
        mean(&stats.seconds[5..], |second| second.busy)
    };
    let all = [3, 6, 9, 12].map(busy);
    assert!(all.windows(2).all(|pair| pair[1] < pair[0]), "{all:?}");
}

#[test]
fn whoever_lost_the_line_is_back_or_still_trying_or_has_left() {
    for step in [Intervention::Kill(0), Intervention::KillZone(1), Intervention::Stop(2)] {
        let mut world =
            World::new(small(), vec![(5.0, step), (6.0, Intervention::Kill(4))]).unwrap();
        for until in [5.5, 6.5, 9.0, 20.0, 60.0] {
            world.run(until);
            let stats = world.stats();
            assert!(stats.lost > 900, "{step:?}: {}", stats.lost);
            let known = stats.back + stats.trying + stats.gave_up;
            assert_eq!(stats.lost, known, "{step:?} at {until}");
        }
        let stats = world.stats();
        assert_eq!(stats.trying, 0, "{step:?}: everybody is back after a minute");
    }
}

/// Sockets, live games and people are counted in several places.
#[test]
fn what_is_counted_twice_is_the_same() {
    let interventions = vec![
        (2.0, Intervention::Crowd(2_000, 3.0)),
        (5.0, Intervention::KillZone(0)),
        (5.0, Intervention::NoDatabase(5.0)),
        (20.0, Intervention::Start(0)),
        (25.0, Intervention::Stop(1)),
        (30.0, Intervention::Start(1)),
    ];
    let mut world = World::new(small(), interventions).unwrap();
    for until in 1..=60 {
        world.run(f64::from(until));
        let there = world.people.iter().filter(|person| person.node.is_some()).count();
        assert_eq!(there, world.inside);
        for (number, node) in world.nodes.iter().enumerate() {
            let here = |person: &&Person| person.node == Some(number as u16);
            let here = world.people.iter().filter(here);
            assert!(here.clone().count() <= node.sockets, "some are at the door");
            let lobby = here
                .clone()
                .filter(|person| matches!(person.location, Location::Lobby | Location::Seeking));
            assert_eq!(lobby.count(), node.lobby);
            let tables = world.games.iter().flat_map(|game| &game.at);
            let tables = tables.filter(|(index, _)| usize::from(*index) == number).count();
            let visits = here.filter(|person| person.location == Location::Visit).count();
            assert_eq!(tables + visits, node.tables);
        }
        for game in world.games.iter().filter(|game| game.live) {
            let people: u32 = game.at.iter().map(|(_, people)| people).sum();
            let all = game.players.iter().chain(&game.watchers);
            let online = all.filter(|person| world.people[**person as usize].node.is_some());
            assert_eq!(people as usize, online.count());
        }
    }
}

#[test]
fn nothing_is_written_while_the_database_is_away_and_play_goes_on_afterwards() {
    let stats = run(&small(), vec![(10.0, Intervention::NoDatabase(5.0))], 40.0);
    let away = &stats.seconds[10..14];
    assert_eq!(mean(away, |second| second.appends), 0.0);
    assert!(mean(away, |second| second.refused) > 100.0);
    let later = mean(&stats.seconds[25..], |second| second.moves);
    assert!((later / 640.0 - 1.0).abs() < 0.1, "{later}");
}

#[test]
fn without_the_bus_the_log_is_asked_more_often_and_news_come_later() {
    let stats = run(&small(), vec![(10.0, Intervention::NoBus(10.0))], 30.0);
    let (with, without) = (&stats.seconds[..9], &stats.seconds[11..19]);
    assert_eq!(mean(without, |second| second.nats_out), 0.0);
    assert!(mean(with, |second| second.nats_out) > 640.0);
    assert!(mean(without, |s| s.pg_polled) > 4.0 * mean(with, |s| s.pg_polled));
    assert!(mean(without, |second| second.far_p99) > 0.5);
    assert!(mean(with, |second| second.far_p99) < 0.1);
}

#[test]
fn a_full_node_turns_people_away_and_they_come_back_later() {
    let mut plan = small();
    plan.costs.program_connections = 1_050.0;
    let stats = run(&plan, vec![(5.0, Intervention::Kill(0))], 40.0);
    let turned_away: f64 = stats.seconds.iter().map(|second| second.turned_away).sum();
    assert!(turned_away > 1_000.0, "{turned_away}");
    assert!(stats.trying > 500, "there is no room for them: {}", stats.trying);
    assert!(stats.seconds.iter().all(|second| second.most_sockets <= 1_100.0));
}

#[test]
fn a_day_follows_its_curve() {
    let plan = Plan { people: 450.0, moves: 48.0, hours: Hours::Day, ..small() };
    let stats = run(&plan, vec![], 9.0 * 3_600.0);
    let hour = |hour: usize| mean(&stats.seconds[hour * 3_600..][..3_600], |s| s.inside);
    assert!(hour(0) > 1.2 * hour(8), "{} {}", hour(0), hour(8));
}

#[test]
fn every_scenario_can_be_run_small() {
    let plan = Plan { people: 1_500.0, moves: 160.0, nodes: 3, ..small() };
    for scenario in Scenario::ALL {
        let stats = scenario.run(&plan).unwrap();
        assert!(stats.seconds.len() as f64 > WHEN - 21.0, "{scenario:?}");
        assert!(stats.moves > 1_000, "{scenario:?}");
    }
}
