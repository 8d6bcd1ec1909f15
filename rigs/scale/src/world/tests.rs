//! Laws that the simulation keeps, on crowds small enough for two seconds.

use super::*;
use crate::scenario::{Scenario, WHEN};
use crate::second::mean;

fn small() -> Plan {
    Plan { people: 6_000.0, moves: 640.0, nodes: 6, cores: 2.0, ..Plan::default() }
}

fn run(plan: &Plan, steps: Vec<(f64, Step)>, until: f64) -> Account {
    let mut world = World::new(plan.clone(), steps).unwrap();
    world.run(until);
    world.account()
}

#[test]
fn the_same_seed_gives_the_same_run_and_another_does_not() {
    let steps = vec![(5.0, Step::Kill(1)), (8.0, Step::NoBus(3.0))];
    let first = run(&small(), steps.clone(), 15.0);
    assert_eq!(first, run(&small(), steps.clone(), 15.0));
    let other = run(&Plan { seed: 2, ..small() }, steps, 15.0);
    assert_ne!(first, other);
}

#[test]
fn as_many_moves_are_made_as_were_asked_for() {
    let plan = Plan { people: 24_000.0, moves: 2_560.0, ..small() };
    let account = run(&plan, vec![], 120.0);
    let moves = mean(&account.seconds[60..], |second| second.moves);
    assert!((moves / plan.moves - 1.0).abs() < 0.02, "{moves}");
    let people = mean(&account.seconds[60..], |second| second.inside);
    assert!((people / plan.people - 1.0).abs() < 0.02, "{people}");
}

/// Games there are = games that begin a second × how long one lasts.
#[test]
fn littles_law_holds_for_games() {
    let plan = Plan { people: 24_000.0, moves: 2_560.0, ..small() };
    let mut world = World::new(plan, vec![]).unwrap();
    world.run(300.0);
    let account = world.account();
    let begun = mean(&account.seconds, |second| second.begun);
    let games = mean(&account.seconds, |second| second.games);
    let lasts = world.crowd().lasts;
    assert!((games / (begun * lasts) - 1.0).abs() < 0.04, "{games} {begun} {lasts}");
}

#[test]
fn more_nodes_are_never_busier() {
    let busy = |nodes| {
        let account = run(&Plan { nodes, ..small() }, vec![], 30.0);
        mean(&account.seconds[5..], |second| second.busy)
    };
    let all = [3, 6, 9, 12].map(busy);
    assert!(all.windows(2).all(|pair| pair[1] < pair[0]), "{all:?}");
}

#[test]
fn whoever_lost_the_line_is_back_or_still_trying_or_has_left() {
    for step in [Step::Kill(0), Step::KillZone(1), Step::Stop(2)] {
        let mut world = World::new(small(), vec![(5.0, step), (6.0, Step::Kill(4))]).unwrap();
        for until in [5.5, 6.5, 9.0, 20.0, 60.0] {
            world.run(until);
            let account = world.account();
            assert!(account.lost > 900, "{step:?}: {}", account.lost);
            let known = account.back + account.trying + account.gave_up;
            assert_eq!(account.lost, known, "{step:?} at {until}");
        }
        let account = world.account();
        assert_eq!(account.trying, 0, "{step:?}: everybody is back after a minute");
    }
}

/// Sockets, tables and people are counted in several places.
#[test]
fn what_is_counted_twice_is_the_same() {
    let steps = vec![
        (2.0, Step::Crowd(2_000, 3.0)),
        (5.0, Step::KillZone(0)),
        (5.0, Step::NoDatabase(5.0)),
        (20.0, Step::Start(0)),
        (25.0, Step::Stop(1)),
        (30.0, Step::Start(1)),
    ];
    let mut world = World::new(small(), steps).unwrap();
    for until in 1..=60 {
        world.run(f64::from(until));
        let there = world.people.iter().filter(|person| person.node.is_some()).count();
        assert_eq!(there, world.inside);
        for (number, node) in world.nodes.iter().enumerate() {
            let here = |person: &&Person| person.node == Some(number as u16);
            let here = world.people.iter().filter(here);
            assert!(here.clone().count() <= node.sockets, "some are at the door");
            let lobby =
                here.clone().filter(|person| matches!(person.place, Place::Lobby | Place::Seeking));
            assert_eq!(lobby.count(), node.lobby);
            let tables = world.games.iter().flat_map(|game| &game.at);
            let tables = tables.filter(|(place, _)| usize::from(*place) == number).count();
            let visits = here.filter(|person| person.place == Place::Visit).count();
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
    let account = run(&small(), vec![(10.0, Step::NoDatabase(5.0))], 40.0);
    let away = &account.seconds[10..14];
    assert_eq!(mean(away, |second| second.appends), 0.0);
    assert!(mean(away, |second| second.refused) > 100.0);
    let later = mean(&account.seconds[25..], |second| second.moves);
    assert!((later / 640.0 - 1.0).abs() < 0.1, "{later}");
}

#[test]
fn without_the_bus_the_log_is_asked_more_often_and_news_come_later() {
    let account = run(&small(), vec![(10.0, Step::NoBus(10.0))], 30.0);
    let (with, without) = (&account.seconds[..9], &account.seconds[11..19]);
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
    let account = run(&plan, vec![(5.0, Step::Kill(0))], 40.0);
    let turned_away: f64 = account.seconds.iter().map(|second| second.turned_away).sum();
    assert!(turned_away > 1_000.0, "{turned_away}");
    assert!(account.trying > 500, "there is no room for them: {}", account.trying);
    assert!(account.seconds.iter().all(|second| second.most_sockets <= 1_100.0));
}

#[test]
fn a_day_follows_its_curve() {
    let plan = Plan { people: 450.0, moves: 48.0, hours: Hours::Day, ..small() };
    let account = run(&plan, vec![], 9.0 * 3_600.0);
    let hour = |hour: usize| mean(&account.seconds[hour * 3_600..][..3_600], |s| s.inside);
    assert!(hour(0) > 1.2 * hour(8), "{} {}", hour(0), hour(8));
}

#[test]
fn every_scenario_can_be_run_small() {
    let plan = Plan { people: 1_500.0, moves: 160.0, nodes: 3, ..small() };
    for scenario in Scenario::ALL {
        let account = scenario.run(&plan).unwrap();
        assert!(account.seconds.len() as f64 > WHEN - 21.0, "{scenario:?}");
        assert!(account.moves > 1_000, "{scenario:?}");
    }
}
