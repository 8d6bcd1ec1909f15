//! Reads the `strace` output of a server and checks that the disk was synced before an answer left.

use std::collections::HashMap;

use anyhow::{Context as _, Result, bail, ensure};

/// The system calls to trace.
pub const CALLS: &str = "fdatasync,fsync,write,writev,pwrite64,pwritev,sendto,sendmsg";

/// A system call that has returned.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Call {
    /// The index of the line where it begins.
    pub began: usize,
    /// The index of the line where it ends.
    pub ended: usize,
    /// Its name.
    pub name: String,
    /// Its arguments as they were written.
    pub arguments: String,
    /// Its return value; `None` when the process ended meanwhile.
    pub result: Option<i64>,
}

/// Reads the output of `strace -f -y`.
///
/// # Errors
///
/// When it has no system calls.
pub fn read(text: &str) -> Result<Vec<Call>> {
    let mut calls: Vec<Call> = Vec::new();
    let mut unfinished: HashMap<&str, Call> = HashMap::new();
    for (place, line) in text.lines().enumerate() {
        let Some((thread, rest)) = line.split_once(' ') else { continue };
        // `1234  0.001 name(…) = 0`: a time stands between the thread and the call.
        let rest = rest.trim_start();
        let rest = rest.split_once(' ').map_or(rest, |(_, rest)| rest.trim_start());
        if let Some(resumed) = rest.strip_prefix("<... ") {
            if let Some(mut call) = unfinished.remove(thread) {
                call.ended = place;
                call.result = result(resumed);
                calls.push(call);
            }
        } else if let Some((name, arguments)) = rest.split_once('(') {
            let call = Call {
                began: place,
                ended: place,
                name: name.to_owned(),
                arguments: arguments.to_owned(),
                result: result(arguments),
            };
            if arguments.ends_with("<unfinished ...>") {
                unfinished.insert(thread, call);
            } else {
                calls.push(call);
            }
        }
    }
    ensure!(!calls.is_empty(), "strace has seen nothing");
    Ok(calls)
}

/// The number after the last ` = `.
fn result(text: &str) -> Option<i64> {
    let (_, result) = text.rsplit_once(" = ")?;
    result.split_whitespace().next()?.parse().ok()
}

/// Checks for each command that its event was written into the log's WAL file, that the file was
/// synced after that, and that the answer went to a socket only then. Returns the number of syncs.
///
/// # Errors
///
/// The first command that was answered too early.
pub fn prove(calls: &[Call], ids: &[String]) -> Result<usize> {
    let on_wal = |call: &&Call| call.arguments.contains("-wal>");
    let writes: Vec<&Call> =
        calls.iter().filter(on_wal).filter(|call| call.name.starts_with("pwrite")).collect();
    let syncs: Vec<&Call> = calls
        .iter()
        .filter(on_wal)
        .filter(|call| call.name.ends_with("sync") && call.result == Some(0))
        .collect();
    let sent: Vec<&Call> =
        calls.iter().filter(|call| call.arguments.contains("<socket:")).collect();
    for id in ids {
        // The log stores a client's id with the seat before it.
        let name = format!(":{id}");
        let written = writes.iter().find(|call| call.arguments.contains(&name));
        let written = written.with_context(|| format!("{id} was never written"))?;
        let synced = syncs.iter().find(|call| call.began > written.ended);
        let synced = synced.with_context(|| format!("{id} was never synced"))?;
        let answer = format!(r#"\"id\":\"{id}\""#);
        let answers = sent.iter().filter(|call| call.arguments.contains(&answer));
        let first = answers.min_by_key(|call| call.began);
        let Some(first) = first else { bail!("{id} was never answered") };
        ensure!(
            first.began > synced.ended,
            "{id} was answered at line {} and synced at line {}",
            first.began,
            synced.ended
        );
    }
    Ok(syncs.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = r#"7 1.0 pwrite64(5</d/games.db-wal>, "..w:s1..", 4096, 0) = 4096
7 1.1 fdatasync(5</d/games.db-wal> <unfinished ...>
9 1.2 sendto(8<socket:[1]>, "{\"type\":\"beat\"}", 15, 0, NULL, 0) = 15
7 1.3 <... fdatasync resumed>) = 0
9 1.4 sendto(8<socket:[1]>, "{\"type\":\"ack\",\"id\":\"s1\"}", 24, 0, NULL, 0) = 24"#;

    fn judge(text: &str) -> Result<usize> {
        prove(&read(text)?, &["s1".to_owned()])
    }

    #[test]
    fn a_sync_between_write_and_answer_is_proof() {
        assert_eq!(judge(GOOD).unwrap(), 1);
    }

    #[test]
    fn an_answer_before_the_sync_has_returned_is_found() {
        let lines: Vec<&str> = GOOD.lines().collect();
        let early = [lines[0], lines[1], lines[4], lines[3]].join("\n");
        assert!(judge(&early).unwrap_err().to_string().contains("answered at line 2"));
    }

    #[test]
    fn a_missing_or_failed_or_earlier_sync_is_found() {
        let lines: Vec<&str> = GOOD.lines().collect();
        assert!(judge(&[lines[0], lines[4]].join("\n")).is_err());
        assert!(judge(&GOOD.replace("resumed>) = 0", "resumed>) = -1 EIO")).is_err());
        let early = [lines[1], lines[3], lines[0], lines[4]].join("\n");
        assert!(judge(&early).is_err());
        let elsewhere = GOOD.replace("fdatasync(5</d/games.db-wal>", "fdatasync(5</d/games.db>");
        assert!(judge(&elsewhere).is_err());
    }
}
