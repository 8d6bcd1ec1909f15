//! Full disks, and files that cannot be written.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

use hansu_records::{Archive, Log, SqliteStore};

use crate::child::{read_acknowledged, read_output, set};

/// `nobody` on most systems; any user without rights works.
const NOBODY: u32 = 65_534;

fn is_root() -> bool {
    let id = Command::new("id").arg("-u").output().expect("the command id");
    id.stdout.trim_ascii() == b"0"
}

pub(crate) fn full() {
    let place = tempfile::tempdir().expect("a folder");
    // A file that may not grow beyond 600 KiB.
    let file = place.path().join("limited.db");
    let mut limited = Command::new("sh");
    let script = "trap '' XFSZ; ulimit -f $1; exec \"$2\"";
    // In blocks of 512 bytes.
    limited.args(["-c", script, "sh", "1200"]);
    limited.arg(std::env::current_exe().expect("this program"));
    fill(limited, &file, &["Full", "Disk("]);

    // A real file system that is full.
    let mount = place.path().join("small");
    fs::create_dir(&mount).expect("a folder");
    let tmpfs = ["-t", "tmpfs", "-o", "size=1m", "tmpfs"];
    let mounted = is_root()
        && Command::new("mount").args(tmpfs).arg(&mount).status().is_ok_and(|s| s.success());
    if mounted {
        let file = mount.join("games.db");
        let program = Command::new(std::env::current_exe().expect("this program"));
        // The file system must be unmounted even if the check fails.
        let check = || fill(program, &file, &["Full", "Disk("]);
        let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(check));
        let unmounted = Command::new("umount").arg(&mount).status();
        assert!(unmounted.is_ok_and(|status| status.success()), "{}", mount.display());
        if let Err(panic) = caught {
            std::panic::resume_unwind(panic);
        }
    } else {
        println!("NOT CHECKED: a full tmpfs, because this user may not mount one");
    }
}

/// Lets a child write until it fails, and compares.
fn fill(mut program: Command, file: &Path, errors: &[&str]) {
    set(&mut program, "play", file, 1);
    let mut child = program.spawn().expect("a child");
    let text = read_output(&mut child);
    assert!(!child.wait().expect("an end").success(), "it must not end well");
    let error = text.lines().rfind(|line| line.starts_with("error ")).expect("an error");
    assert!(errors.iter().any(|known| error.contains(known)), "{error}");
    let acks = read_acknowledged(&text);
    assert!(acks.len() > 10, "{} events fit before the end", acks.len());
    // Without the limit the log is sound and has everything that was acknowledged. On the full disk
    // it can still be copied.
    let copy = tempfile::tempdir().expect("a folder");
    for end in ["", "-wal"] {
        let name = |path: &Path| {
            let mut name = path.as_os_str().to_owned();
            name.push(end);
            name
        };
        let from = name(file);
        if Path::new(&from).exists() {
            fs::copy(&from, name(&copy.path().join("games.db"))).expect("a copy");
        }
    }
    let store = SqliteStore::open(&copy.path().join("games.db")).expect("a sound log");
    store.check().expect("a sound log");
    for (game, seq) in &acks {
        let record = store.record(*game).expect("a log").expect("an acknowledged game");
        assert!(record.last_seq >= *seq, "{game} {seq}");
    }
    println!("{} events, then {error}", acks.len());
}

pub(crate) fn read_only() {
    let place = tempfile::tempdir().expect("a folder");
    let folder = place.path().join("log");
    fs::create_dir(&folder).expect("a folder");
    let file = folder.join("games.db");
    drop(SqliteStore::open(&file).expect("a new log"));
    let before = fs::read(&file).expect("a file");
    // The program may be in a folder that other users cannot read: it is copied to one that they
    // can.
    let program = place.path().join("program");
    fs::copy(std::env::current_exe().expect("this program"), &program).expect("a copy");
    let mode = |path: &Path, mode| {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("permissions");
    };
    mode(&program, 0o755);
    mode(place.path(), 0o755);
    let open = |file: &Path| {
        let mut command = Command::new(&program);
        if is_root() {
            // Root can write read-only files.
            command.uid(NOBODY).gid(NOBODY);
        }
        set(&mut command, "open", file, 0);
        let mut child = command.spawn().expect("a child");
        let text = read_output(&mut child);
        assert!(!child.wait().expect("an end").success(), "it must be refused");
        text
    };
    mode(&file, 0o444);
    mode(&folder, 0o555);
    assert_eq!(open(&file), "error ReadOnly\n", "a file and a folder");
    assert_eq!(open(&folder.join("new.db")), "error ReadOnly\n", "a folder");
    mode(&folder, 0o777);
    assert_eq!(open(&file), "error ReadOnly\n", "a file alone");
    mode(&file, 0o600);
    assert_eq!(fs::read(&file).expect("a file"), before, "not a byte was changed");
    SqliteStore::open(&file).expect("a log").check().expect("a sound log");
}
