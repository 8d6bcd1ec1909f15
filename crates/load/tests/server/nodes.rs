//! Several nodes lose nothing, whatever happens to them; `make soak-nodes` does it in large.

use hansu_load::measure::Rate;
use hansu_load::nodes::Nodes;

#[tokio::test(flavor = "multi_thread")]
async fn nothing_acknowledged_is_lost_while_nodes_database_and_bus_are_killed() {
    let nodes = Nodes {
        nodes: 3,
        games: 100,
        watchers: 40,
        rate: Rate::Fixed(250.0),
        seconds: 2,
        node_kills: 4,
        database_kills: 2,
        bus_kills: 2,
        freezes: 1,
        cuts: 2,
        longest: 40,
        seed: fastrand::u64(..),
    };
    println!("seed {}", nodes.seed);
    let survived = nodes.survive().await.unwrap();
    println!("{survived:?}");
    // Enough was under way that something could have been lost.
    assert!(survived.audit.acknowledged > 1_000, "{survived:?}");
    assert!(survived.audit.heard > 2 * survived.audit.acknowledged, "{survived:?}");
    assert!(survived.resent > 0 && survived.stalls.count > 0, "{survived:?}");
    assert!(survived.figures.crossing.count > 100, "{survived:?}");
}
