//! Nothing acknowledged is lost when the server is killed.

use hansu_load::kill::Kill;

/// How often the server is killed; `make soak` asks for more.
fn kills() -> u64 {
    std::env::var("HANSU_KILLS").ok().and_then(|kills| kills.parse().ok()).unwrap_or(50)
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_acknowledged_is_lost_doubled_or_reordered_by_kills() {
    let kill = Kill {
        kills: kills(),
        games: 200,
        rate: 1_200.0,
        longest_wait: 700,
        longest: 60,
        seed: fastrand::u64(..),
    };
    println!("seed {}", kill.seed);
    let survived = kill.run_and_audit().await.unwrap();
    println!("{survived:?}");
    assert!(survived.audit.acknowledged > 50 * kill.kills, "{survived:?}");
    assert!(survived.audit.credits > 0 && survived.ended > 0, "{survived:?}");
}
