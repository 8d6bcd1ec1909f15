//! `hansu-scale`: runs the model and prints its results as tables.

use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use clap::{Parser, ValueEnum};
use hansu_scale::people::Crowd;
use hansu_scale::scenario::{Scenario, day};
use hansu_scale::sizing::sizing;
use hansu_scale::world::{Balance, Plan, World};
use hansu_scale::{report, sketch};

/// A model of very many players: what they need, and what happens when something breaks
#[derive(Parser)]
struct Arguments {
    /// People connected at the peak
    #[arg(long, default_value_t = 150_000.0)]
    people: f64,

    /// Moves a second at the peak
    #[arg(long, default_value_t = 16_000.0)]
    moves: f64,

    /// Seed of all random draws
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Nodes
    #[arg(long, default_value_t = 12)]
    nodes: usize,

    /// Cores of each node
    #[arg(long, default_value_t = 4.0)]
    cores: f64,

    /// Zones over which the nodes are spread
    #[arg(long, default_value_t = 3)]
    zones: usize,

    /// Cores of the database
    #[arg(long, default_value_t = 16.0)]
    pg_cores: f64,

    /// How people are sent to nodes
    #[arg(long, value_enum, default_value_t = To::Two)]
    balance: To,

    /// Set a cost, like node_move=180; may be repeated
    #[arg(long = "set", value_name = "NAME=VALUE")]
    set: Vec<String>,

    /// Share of the people in the simulated day, which takes long
    #[arg(long, default_value_t = 0.004)]
    day_part: f64,

    /// Only list the costs and their sources
    #[arg(long)]
    costs: bool,

    /// Write a picture of the runs to this file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,

    /// Only these: peak, node, zone, bus, upgrade, viral; each also with a timeline
    #[arg(value_parser = scenario)]
    scenarios: Vec<Scenario>,
}

#[derive(Clone, Copy, ValueEnum)]
enum To {
    /// To the node with fewer connections of two random ones
    Two,
    /// To the node with the fewest connections
    Fewest,
    /// To a random node
    Random,
}

fn scenario(name: &str) -> Result<Scenario, String> {
    let found = Scenario::ALL.into_iter().find(|scenario| scenario.name() == name);
    found.ok_or_else(|| "there is no such scenario".to_owned())
}

impl Arguments {
    fn plan(&self) -> Result<Plan> {
        ensure!((10.0..=2e6).contains(&self.people), "between 10 and 2,000,000 people");
        ensure!((1.0..=2e5).contains(&self.moves), "between 1 and 200,000 moves a second");
        ensure!((1..=1_000).contains(&self.nodes), "between 1 and 1,000 nodes");
        ensure!((1..=self.nodes).contains(&self.zones), "between 1 zone and one for each node");
        ensure!((0.1..=1_024.0).contains(&self.cores), "between 0.1 and 1,024 cores");
        ensure!((0.1..=1_024.0).contains(&self.pg_cores), "between 0.1 and 1,024 cores");
        ensure!((1e-4..=1.0).contains(&self.day_part), "a part between 0.0001 and 1");
        let balance = match self.balance {
            To::Two => Balance::Two,
            To::Fewest => Balance::Fewest,
            To::Random => Balance::Random,
        };
        let mut plan = Plan {
            people: self.people,
            moves: self.moves,
            seed: self.seed,
            nodes: self.nodes,
            cores: self.cores,
            zones: self.zones,
            pg_cores: self.pg_cores,
            balance,
            ..Plan::default()
        };
        for assignment in &self.set {
            plan.costs.set(assignment).with_context(|| assignment.clone())?;
        }
        Ok(plan)
    }
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let plan = arguments.plan()?;
    if arguments.costs {
        print!("{}", report::costs(&plan.costs));
        return Ok(());
    }
    println!(
        "seed {}, {} nodes of {} cores in {} zones, database of {} cores\n",
        plan.seed, plan.nodes, plan.cores, plan.zones, plan.pg_cores
    );
    let crowd: Crowd = *World::new(plan.clone(), vec![])?.crowd();
    println!("{}", report::crowd(&crowd, &plan.habits));
    let all = arguments.scenarios.is_empty();
    let chosen = if all { Scenario::ALL.to_vec() } else { arguments.scenarios.clone() };
    let mut runs = Vec::new();
    for scenario in chosen {
        runs.push((scenario, scenario.run(&plan)?));
    }
    println!("{}", report::scenarios(&runs));
    for (scenario, stats) in &runs {
        if !all || *scenario == Scenario::Zone {
            println!("{}:\n\n{}", scenario.description(), report::timeline(stats));
        }
    }
    if let Some(file) = &arguments.svg {
        std::fs::write(file, sketch::draw(&runs)).with_context(|| file.display().to_string())?;
    }
    if !all {
        return Ok(());
    }
    let peak = Scenario::Peak.run(&plan)?;
    let mut by_nodes = vec![(plan.clone(), peak.clone())];
    for factor in [0.5, 0.75, 2.0, 4.0] {
        let nodes = (plan.nodes as f64 * factor).round().max(1.0) as usize;
        let other = Plan { nodes, ..plan.clone() };
        let stats = Scenario::Peak.run(&other)?;
        by_nodes.push((other, stats));
    }
    by_nodes.sort_by_key(|(plan, _)| plan.nodes);
    println!("{}", report::by_nodes(&by_nodes));
    let a_day = day(&plan, arguments.day_part)?;
    println!("{}", report::sizing(&plan, &sizing(&plan, &peak, &a_day, arguments.day_part)));
    Ok(())
}
