//! `deploy/` and `docs/operations.md` match the program: files parse, every flag, variable, metric,
//! address and file that they name exists, and none that an operator needs is missing.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

const GUIDE: &str = "docs/operations.md";

/// The suffixes of a histogram's metrics.
const PARTS: [&str; 3] = ["_bucket", "_sum", "_count"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn text(name: &str) -> String {
    fs::read_to_string(root().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// All files below a folder, with their names from the root on.
fn files(folder: &str) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(root().join(&folder)).expect("a folder") {
            let entry = entry.expect("an entry");
            let name = format!("{folder}/{}", entry.file_name().to_str().expect("a plain name"));
            if entry.path().is_dir() {
                folders.push(name);
            } else if !name.ends_with("/.env") {
                // The operator's own secrets are not checked.
                found.insert(name.clone(), text(&name));
            }
        }
    }
    found
}

/// `deploy/` and the guide.
fn papers() -> BTreeMap<String, String> {
    let mut papers = files("deploy");
    assert!(papers.len() > 15, "{:?}", papers.keys());
    papers.insert(GUIDE.to_owned(), text(GUIDE));
    papers
}

/// The documents of all YAML files, with anchors and merges resolved.
fn documents() -> Vec<(String, Value)> {
    use serde::Deserialize as _;
    let mut documents = Vec::new();
    for (name, text) in files("deploy") {
        if !name.ends_with(".yaml") && !name.ends_with(".yml") {
            continue;
        }
        for document in serde_yaml_ng::Deserializer::from_str(&text) {
            let mut document = serde_yaml_ng::Value::deserialize(document)
                .unwrap_or_else(|error| panic!("{name}: {error}"));
            document.apply_merge().unwrap_or_else(|error| panic!("{name}: {error}"));
            let value = serde_json::to_value(document).expect("keys are words");
            documents.push((name.clone(), value));
        }
    }
    documents
}

fn document(name: &str, kind: &str) -> Value {
    let fits = |(file, value): &(String, Value)| file == name && value["kind"] == kind;
    documents().into_iter().find(fits).unwrap_or_else(|| panic!("a {kind} in {name}")).1
}

/// Every value below this one, itself included.
fn each<'a>(value: &'a Value, visit: &mut dyn FnMut(&'a Value)) {
    visit(value);
    match value {
        Value::Array(items) => items.iter().for_each(|item| each(item, visit)),
        Value::Object(fields) => fields.values().for_each(|field| each(field, visit)),
        _ => {}
    }
}

/// Words that begin with `begin` and continue with letters, digits and `marks`.
fn words(text: &str, begin: &str, marks: &str) -> BTreeSet<String> {
    let inside = |c: char| c.is_ascii_alphanumeric() || marks.contains(c);
    let mut found = BTreeSet::new();
    for (at, _) in text.match_indices(begin) {
        if text[..at].chars().next_back().is_some_and(|before| inside(before) || before == '-') {
            continue;
        }
        let rest = &text[at + begin.len()..];
        let end = rest.find(|c| !inside(c)).unwrap_or(rest.len());
        found.insert(format!("{begin}{}", &rest[..end]));
    }
    found
}

fn flags(text: &str) -> BTreeSet<String> {
    words(text, "--", "-").into_iter().filter(|flag| flag.len() > 2).collect()
}

fn variables(text: &str) -> BTreeSet<String> {
    words(text, "HANSU_", "_")
}

fn help(command: &[&str]) -> String {
    let run = Command::new(env!("CARGO_BIN_EXE_hansu")).args(command).arg("--help").output();
    let run = run.expect("the binary runs");
    assert!(run.status.success(), "there is no hansu {}", command.join(" "));
    String::from_utf8(run.stdout).expect("UTF-8")
}

/// The command lines of `hansu` in a text: the words after `hansu`.
fn command_lines(text: &str) -> Vec<Vec<String>> {
    let joined = text.replace("\\\n", " ");
    let mut lines = Vec::new();
    for line in joined.lines() {
        for (at, _) in line.match_indices("hansu ") {
            if line[..at].chars().next_back().is_some_and(|c| !" /`(".contains(c)) {
                continue;
            }
            let rest = &line[at + "hansu ".len()..];
            let end = rest.find(['`', '|', ';', '#', '&', '(']).unwrap_or(rest.len());
            lines.push(rest[..end].split_whitespace().map(str::to_owned).collect());
        }
    }
    lines
}

/// The subcommand that a command line begins with; None if it is not in `KNOWN`.
fn subcommand(line: &[String]) -> Option<Vec<&str>> {
    const KNOWN: [&[&str]; 5] =
        [&["serve"], &["records", "copy"], &["games", "list"], &["games"], &["pgn", "check"]];
    let known = KNOWN.into_iter().find(|known| {
        line.len() >= known.len() && known.iter().zip(line).all(|(one, other)| one == other)
    });
    known.map(<[&str]>::to_vec)
}

#[test]
fn every_file_parses() {
    let documents = documents();
    assert!(documents.len() >= 16, "{}", documents.len());
    assert!(documents.iter().all(|(_, document)| document.is_object()));
    for (name, text) in files("deploy") {
        if name.ends_with(".json") {
            serde_json::from_str::<Value>(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        }
    }
}

#[test]
fn every_command_and_flag_exists() {
    let mut seen = 0;
    let mut check = |place: &str, line: &[String]| {
        let Some(command) = subcommand(line) else { return };
        let known = flags(&help(&command));
        for flag in flags(&line.join(" ")) {
            assert!(known.contains(&flag), "{place}: hansu {} has no {flag}", command.join(" "));
            seen += 1;
        }
    };
    for (name, text) in papers() {
        for line in command_lines(&text) {
            check(&name, &line);
        }
        // The arguments of the systemd unit and of the image.
        for line in text.lines() {
            let given = line.strip_prefix("OPTIONS=").map(|rest| format!("serve {rest}"));
            let given = given.or(line.strip_prefix("CMD ").map(|rest| {
                rest.chars().map(|c| if "[]\",".contains(c) { ' ' } else { c }).collect()
            }));
            let words = given.iter().flat_map(|line| line.split_whitespace().map(str::to_owned));
            check(&name, &words.collect::<Vec<_>>());
        }
    }
    for (name, document) in documents() {
        each(&document, &mut |value| {
            let words = value.as_array().map(|items| items.iter().filter_map(Value::as_str));
            check(&name, &words.into_iter().flatten().map(str::to_owned).collect::<Vec<_>>());
        });
    }
    assert!(seen >= 20, "only {seen} flags were found");
}

#[test]
fn the_guide_tells_of_every_flag_and_variable_and_of_no_other() {
    let help = help(&["serve"]);
    let table: String =
        text(GUIDE).lines().filter(|line| line.starts_with("| `--")).collect::<Vec<_>>().join("\n");
    // Only the first column: the others mention other programs.
    let first = table.lines().filter_map(|line| line.split('|').nth(1)).collect::<String>();
    let mut known = flags(&help);
    known.remove("--help");
    assert_eq!(flags(&first), known);
    let known = variables(&help);
    for (name, text) in papers() {
        let strange: Vec<_> = variables(&text).difference(&known).cloned().collect();
        assert!(strange.is_empty(), "{name}: hansu serve knows no {strange:?}");
    }
    assert_eq!(variables(&text(GUIDE)), known);
}

/// The string literals in the sources of a crate, without its tests.
fn literals(folder: &str) -> BTreeSet<String> {
    let sources = files(folder);
    let sources = sources.iter().filter(|(name, _)| !name.ends_with("tests.rs"));
    sources.flat_map(|(_, text)| text.split('"').skip(1).map(str::to_owned)).collect()
}

/// The names of metrics in the sources.
fn figures() -> BTreeSet<String> {
    let quoted: BTreeSet<String> =
        ["crates/server/src", "crates/records/src"].into_iter().flat_map(literals).collect();
    let plain = |name: &str| name.bytes().all(|b| b.is_ascii_lowercase() || b == b'_');
    let figures: BTreeSet<String> =
        quoted.into_iter().filter(|word| word.starts_with("hansu_") && plain(word)).collect();
    assert!(figures.len() >= 15, "{figures:?}");
    figures
}

/// The queries of the dashboard and of the alerts.
fn queries() -> Vec<String> {
    let dashboard: Value = serde_json::from_str(&text("deploy/grafana.json")).expect("JSON");
    let mut queries = Vec::new();
    let mut take = |document: &Value| {
        each(document, &mut |value| {
            for field in ["expr", "query"] {
                queries.extend(value[field].as_str().map(str::to_owned));
            }
        });
    };
    take(&dashboard);
    documents().iter().filter(|(name, _)| name == "deploy/alerts.yml").for_each(|it| take(&it.1));
    assert!(queries.len() > 30, "{}", queries.len());
    queries
}

#[test]
fn every_figure_that_is_asked_for_is_exported_and_every_exported_one_is_shown() {
    let known = figures();
    let mut shown = BTreeSet::new();
    for query in queries() {
        for name in words(&query, "hansu_", "_") {
            let whole = PARTS.iter().find_map(|part| name.strip_suffix(part)).unwrap_or(&name);
            assert!(known.contains(whole), "the server has no {name}: {query}");
            shown.insert(whole.to_owned());
        }
    }
    assert_eq!(shown, known);
}

#[test]
fn every_label_that_is_asked_for_is_written_somewhere() {
    let known: BTreeSet<String> =
        ["crates/server/src", "crates/words/src"].into_iter().flat_map(literals).collect();
    let mut seen = 0;
    for query in queries() {
        for (at, label) in
            ["command=\"", "code=\""].into_iter().filter_map(|it| Some((query.find(it)?, it)))
        {
            let value = query[at + label.len()..].split('"').next().expect("a value");
            assert!(known.contains(value), "{query}: nothing says {value:?}");
            seen += 1;
        }
    }
    assert!(seen >= 2);
}

#[test]
fn every_alert_has_advice() {
    let guide = text(GUIDE);
    let alerts = words(&text("deploy/alerts.yml"), "alert: Hansu", "");
    assert!(alerts.len() >= 8);
    for alert in alerts {
        let name = alert.trim_start_matches("alert: ");
        assert!(guide.contains(name), "{GUIDE} does not say what to do about {name}");
    }
}

#[test]
fn every_address_that_is_probed_exists() {
    let routes = text("crates/server/src/http.rs");
    let deployment = document("deploy/kubernetes/hansu.yaml", "Deployment");
    let mut probed: Vec<String> = Vec::new();
    each(&deployment, &mut |value| {
        probed.extend(value["httpGet"]["path"].as_str().map(str::to_owned));
    });
    assert_eq!(probed.len(), 3);
    let front = text("deploy/Caddyfile");
    probed.extend(words(&front, "/readyz", ""));
    probed.extend(words(&text("deploy/ready.sh"), "/readyz", ""));
    probed.extend(words(&text("deploy/kubernetes/metrics.Caddyfile"), "/metrics", ""));
    assert_eq!(probed.len(), 6, "{probed:?}");
    for path in probed {
        assert!(routes.contains(&format!("\"{path}\"")), "there is no {path}");
    }
}

#[test]
fn a_new_node_is_ready_before_an_old_one_goes_and_has_time_to_stop() {
    let deployment = document("deploy/kubernetes/hansu.yaml", "Deployment");
    let spec = &deployment["spec"];
    assert_eq!(spec["strategy"]["rollingUpdate"]["maxUnavailable"], 0);
    assert!(spec["replicas"].as_u64() >= Some(2));
    let pod = &spec["template"]["spec"];
    let pause = &pod["containers"][0]["lifecycle"]["preStop"]["exec"]["command"][1];
    let pause: u64 = pause.as_str().and_then(|text| text.parse().ok()).expect("seconds");
    // `hansu serve` stops within ten seconds, unless its disk stands still.
    assert!(pod["terminationGracePeriodSeconds"].as_u64() > Some(pause + 10));
}

#[test]
fn no_secret_stands_in_a_file() {
    for (name, text) in files("deploy") {
        for line in text.lines() {
            let line = line.trim_start_matches(['#', ' ', '-']);
            let Some((key, value)) = line.split_once(['=', ':']) else { continue };
            let secret = key.to_ascii_lowercase().ends_with("password") && !key.contains(' ');
            let value = value.trim().trim_matches('"');
            assert!(!secret || value.is_empty() || value.starts_with("${"), "{name}: {line}");
        }
        // Nor in an address: user:password@host.
        for rest in text.split("://").skip(1) {
            let address = rest.split([' ', '\n', '"', '/', '}']).next().unwrap_or_default();
            let user = address.split_once('@').map(|(user, _)| user);
            assert!(user.is_none_or(|user| !user.contains(':')), "{name}: {address}");
        }
    }
    assert!(text(".gitignore").lines().any(|line| line == "/deploy/.env"));
}

#[test]
fn every_file_that_is_named_is_there() {
    for (name, text) in papers() {
        for file in words(&text, "deploy/", "/._-") {
            let file = file.trim_end_matches(['.', '/']);
            assert!(file == "deploy/.env" || root().join(file).exists(), "{name} names {file}");
        }
    }
    let mut mounted = 0;
    for (name, document) in documents() {
        each(&document, &mut |value| {
            let source = value.as_str().and_then(|text| text.strip_prefix("./"));
            if let Some((file, _)) = source.and_then(|text| text.split_once(':')) {
                assert!(root().join("deploy").join(file).is_file(), "{name} mounts {file}");
                mounted += 1;
            }
        });
        for file in document["resources"].as_array().into_iter().flatten() {
            let file = file.as_str().expect("a name");
            assert!(root().join("deploy/kubernetes").join(file).is_file(), "{name}: {file}");
        }
    }
    assert!(mounted >= 4);
}

#[test]
fn the_list_of_parts_has_what_is_shipped_and_nothing_else() {
    let made = Command::new("node").arg("tools/sbom.mjs").current_dir(root()).output();
    let made = made.expect("node");
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let list: Value = serde_json::from_slice(&made.stdout).expect("JSON");
    assert_eq!((&list["bomFormat"], &list["specVersion"]), (&"CycloneDX".into(), &"1.6".into()));
    let parts = list["components"].as_array().expect("parts");
    let names: BTreeSet<&str> = parts.iter().filter_map(|part| part["name"].as_str()).collect();
    for shipped in ["hansu-chess", "hansu-server", "rustls", "libsqlite3-sys", "svelte"] {
        assert!(names.contains(shipped), "{shipped}");
    }
    // Tests, rigs, and what only builds.
    for other in ["tempfile", "rcgen", "hansu-ground", "shakmaty", "esca", "syn", "vite"] {
        assert!(!names.contains(other), "{other}");
    }
    let known: BTreeSet<&str> = parts.iter().filter_map(|part| part["bom-ref"].as_str()).collect();
    assert_eq!(known.len(), parts.len(), "a part stands there twice");
    for edge in list["dependencies"].as_array().expect("edges") {
        for to in edge["dependsOn"].as_array().expect("names") {
            assert!(known.contains(to.as_str().expect("a name")), "{to}");
        }
    }
    for part in parts {
        assert!(part["licenses"].is_array(), "{part}");
        let own = part["name"].as_str().is_some_and(|name| name.starts_with("hansu"));
        assert!(own || part["hashes"].is_array(), "{part}");
    }
}

/// Copies a folder and its content.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a folder") {
        let entry = entry.expect("an entry");
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), &target).expect("a copy");
        }
    }
}

#[cfg(unix)]
#[test]
fn make_pin_writes_digests_behind_all_foreign_images() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().expect("a folder");
    let (copied, programs) = (folder.path().join("deploy"), folder.path().join("programs"));
    copy(&root().join("deploy"), &copied);
    fs::create_dir(&programs).expect("a folder");
    let pin = || {
        let node = Command::new("sh").args(["-c", "command -v node"]).output().expect("sh").stdout;
        let node = String::from_utf8(node).expect("a path");
        let mut pin = Command::new(node.trim());
        pin.arg(root().join("tools/pin.mjs")).arg(&copied).env("PATH", &programs);
        pin.output().expect("node")
    };
    // Without access to a registry nothing is written.
    let alone = pin();
    let said = String::from_utf8_lossy(&alone.stderr).into_owned();
    assert!(!alone.status.success() && said.contains("docker is not here"), "{said}");
    let read = |name: &str| fs::read_to_string(copied.join(name)).expect("a file");
    let names = ["compose.yaml", "Dockerfile", "kubernetes/hansu.yaml", "kubernetes/nats.yaml"];
    for name in names {
        assert_eq!(read(name), text(&format!("deploy/{name}")));
    }
    // On two days with different digests: pinned images are pinned again.
    for digit in ["a", "b"] {
        let docker = programs.join("docker");
        let digest = format!("sha256:{}", digit.repeat(64));
        fs::write(&docker, format!("#!/bin/sh\necho {digest}\n")).expect("a program");
        fs::set_permissions(&docker, fs::Permissions::from_mode(0o755)).expect("a program");
        assert!(pin().status.success());
        for name in names {
            let plain = read(name).replace(&format!("@{digest}"), "");
            assert_eq!(plain, text(&format!("deploy/{name}")), "{name}");
            let images = read(name);
            let images = images.lines().filter(|line| {
                let line = line.trim_start();
                (line.starts_with("image:") || line.starts_with("FROM "))
                    && !line.contains("hansu:")
            });
            for image in images {
                assert!(image.contains(&digest), "{name}: {image}");
            }
        }
    }
}
