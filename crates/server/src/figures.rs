//! The metrics of this process, for Prometheus. Labels are few and come from lists in the code,
//! never from clients.

use std::sync::{LazyLock, OnceLock};
use std::time::{Duration, Instant};

use hansu_protocol::Wish;
use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle};

/// Upper bounds of the histogram buckets in seconds; finest around the targets (2, 15 and 50 ms).
const BUCKETS: [f64; 14] =
    [0.000_5, 0.001, 0.002, 0.004, 0.008, 0.015, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0];

const COMMIT: &str = "hansu_commit_seconds";
const COMMAND: &str = "hansu_command_seconds";
const COMMANDS: &str = "hansu_commands_total";
const BEGUN: &str = "hansu_games_begun_total";
const REFUSALS: &str = "hansu_refusals_total";

/// The handle from which the metrics are read; servers in one process (tests) share it.
pub(crate) fn handle() -> PrometheusHandle {
    static HANDLE: OnceLock<PrometheusHandle> = OnceLock::new();
    HANDLE
        .get_or_init(|| {
            // Buckets are refused only when there are none.
            let builder = PrometheusBuilder::new().set_buckets(&BUCKETS).unwrap_or_default();
            let recorder = builder.build_recorder();
            let handle = recorder.handle();
            // Another recorder may be installed already; then these metrics stay empty.
            if metrics::set_global_recorder(recorder).is_ok() {
                describe();
            }
            handle
        })
        .clone()
}

fn describe() {
    metrics::describe_histogram!(COMMIT, "From handing events to the log to having them kept.");
    metrics::describe_histogram!(COMMAND, "From a command to its answer.");
    metrics::describe_counter!(COMMANDS, "Commands, by what they ask for.");
    metrics::describe_counter!(REFUSALS, "Commands that were refused, by why.");
    metrics::describe_counter!("hansu_appends_total", "Writes to the log.");
    metrics::describe_counter!(BEGUN, "Games begun.");
    metrics::describe_counter!("hansu_requests_total", "Requests, by route and status.");
    metrics::describe_counter!("hansu_connections_refused_total", "Connections over the limit.");
    metrics::describe_counter!("hansu_sockets_closed_total", "Websockets closed, by why.");
    metrics::describe_gauge!("hansu_sockets", "Websockets and streams.");
    metrics::describe_gauge!("hansu_tables", "Games in memory.");
    metrics::describe_gauge!("hansu_computer_waiting", "Games that wait for the computer.");
    metrics::describe_gauge!("hansu_analyses_waiting", "Analyses that wait or are being made.");
    metrics::describe_gauge!(
        "hansu_questions_waiting",
        "Positions and hints that wait for the computer."
    );
    metrics::describe_gauge!("hansu_people", "Connections of people.");
    metrics::describe_gauge!("hansu_bus_up", "1 when this node hears itself over the bus.");
    metrics::describe_gauge!("hansu_other_nodes", "Other nodes that are alive.");
    metrics::describe_gauge!("hansu_clock_offset_seconds", "The log's clock minus this node's.");
    metrics::describe_counter!("hansu_bus_dropped_total", "Messages that found no place.");
    metrics::describe_counter!("hansu_bus_missed_total", "Times that messages came too fast.");
    metrics::describe_counter!("hansu_bus_unread_total", "Messages that were not understood.");
    metrics::describe_counter!(
        "hansu_missed_events_total",
        "Events the bus did not tell of in time."
    );
}

/// Records the time of a write to the log.
pub(crate) fn record_commit(since: Instant) {
    metrics::histogram!(COMMIT).record(since.elapsed());
}

/// Counts games that have begun.
pub(crate) fn count_begun(games: u64) {
    metrics::counter!(BEGUN).increment(games);
}

/// Nanoseconds since the first call in this process.
pub(crate) fn stopwatch() -> u64 {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    u64::try_from(START.elapsed().as_nanos()).unwrap_or(u64::MAX)
}

/// Records the time from a reading of the stopwatch, when the command came, to its answer.
pub(crate) fn record_answer(since: u64) {
    let took = Duration::from_nanos(stopwatch().saturating_sub(since));
    metrics::histogram!(COMMAND).record(took);
}

/// Counts a command by its type.
pub(crate) fn count_command(wish: &Wish) {
    let name = match wish {
        Wish::Move { .. } => "move",
        Wish::Resign => "resign",
        Wish::Offer { .. } => "offer",
        Wish::Accept { .. } => "accept",
        Wish::Decline { .. } => "decline",
        Wish::ClaimDraw { .. } => "claim_draw",
        Wish::ClaimAbsence { .. } => "claim_absence",
        Wish::Abort => "abort",
        Wish::GiveTime { .. } => "give_time",
        Wish::Chat { .. } => "chat",
    };
    metrics::counter!(COMMANDS, "command" => name).increment(1);
}

/// Counts a refusal by its code. There are about a hundred codes, all from lists in the code.
pub(crate) fn count_refusal(code: &str) {
    metrics::counter!(REFUSALS, "code" => code.to_owned()).increment(1);
}

/// Counts events that were in the log and had not come over the bus.
pub(crate) fn count_missed(events: u64) {
    metrics::counter!("hansu_missed_events_total").increment(events);
}
