//! Dependencies between crates, as ARCHITECTURE.md draws them: only on lower layers, and only some
//! crates on the log.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use serde_json::Value;

/// The layers, lowest first. A crate depends on crates of lower layers only.
const FLOORS: [&[&str]; 7] = [
    &["chess", "module"],
    &["annals", "engine", "play"],
    &["arena", "protocol", "records", "words"],
    &["journal", "teacher", "view"],
    &["client", "computer", "live"],
    &["archive", "browser", "console", "server"],
    &["hansu"],
];

/// The crates that may depend on the log. The others compile to WebAssembly.
const KNOW_THE_LOG: [&str; 5] = ["console", "hansu", "journal", "live", "server"];

/// The crates of `crates/` and their run-time dependencies, by their short names.
fn dependencies() -> BTreeMap<String, BTreeSet<String>> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../Cargo.toml");
    let asked = ["metadata", "--no-deps", "--offline", "--format-version", "1", "--manifest-path"];
    let output = Command::new(cargo).args(asked).arg(root).output().expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("metadata is JSON");
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let short = |name: String| name.strip_prefix("hansu-").map_or(name.clone(), str::to_owned);
    let shipped = |package: &Value| !text(&package["manifest_path"]).contains("/rigs/");
    list(&metadata["packages"])
        .iter()
        .filter(|package| shipped(package) && !text(&package["manifest_path"]).contains("/train/"))
        .map(|package| {
            let own = list(&package["dependencies"]);
            // Dependencies of tests and build scripts are not restricted.
            let own = own.iter().filter(|dependency| dependency["kind"].is_null());
            let own = own.map(|dependency| text(&dependency["name"]));
            let own = own.filter(|name| name == "hansu" || name.starts_with("hansu-"));
            (short(text(&package["name"])), own.map(short).collect())
        })
        .collect()
}

fn floor(name: &str) -> usize {
    FLOORS.iter().position(|floor| floor.contains(&name)).unwrap_or_else(|| {
        panic!("{name} has no floor: a shipped crate needs one, a rig does not ship")
    })
}

#[test]
fn crates_depend_on_lower_floors_only() {
    let all = dependencies();
    assert!(all.contains_key("chess") && all.contains_key("hansu"), "{:?}", all.keys());
    for (name, needs) in &all {
        for need in needs {
            assert!(floor(need) < floor(name), "{name} uses {need}");
        }
    }
}

#[test]
fn the_log_is_known_only_where_it_belongs() {
    for (name, needs) in dependencies() {
        let knows = needs.contains("records");
        assert!(!knows || KNOW_THE_LOG.contains(&&*name), "{name} knows the log");
    }
}

#[test]
fn the_rules_depend_on_nothing() {
    let all = dependencies();
    assert_eq!(all["chess"], BTreeSet::new());
    assert_eq!(all["module"], BTreeSet::new());
}
