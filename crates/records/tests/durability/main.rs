//! Everything that was acknowledged is there: after SIGKILL, on a full disk, with several
//! processes.
//!
//! This program runs itself as the process that writes (`child.rs`), and checks the log afterwards.
//! `HANSU_KILLS` sets the number of kills (default 200; 1,000 for a soak test).

mod child;
mod disk;
mod kills;
mod several;

use std::process::ExitCode;

fn main() -> ExitCode {
    if let Some(task) = std::env::var_os(child::TASK) {
        return child::run(&task.to_string_lossy());
    }
    let wanted: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with('-')).collect();
    let checks: [(&str, fn()); 6] = [
        ("killed_at_random_moments_nothing_acknowledged_is_lost", kills::kill),
        ("killed_while_importing_the_log_is_consistent_and_the_import_goes_on", kills::import),
        ("several_processes_share_one_file", several::share),
        ("several_processes_make_one_file", several::make),
        ("a_full_disk_acknowledges_nothing_that_is_not_there", disk::full),
        ("a_read_only_log_is_refused_and_left_alone", disk::read_only),
    ];
    for (name, check) in checks {
        if !wanted.is_empty() && !wanted.iter().any(|part| name.contains(part.as_str())) {
            continue;
        }
        let start = std::time::Instant::now();
        // A failed check panics, which ends the program with an error.
        check();
        println!("check {name} ... ok ({:.1} s)", start.elapsed().as_secs_f32());
    }
    ExitCode::SUCCESS
}
