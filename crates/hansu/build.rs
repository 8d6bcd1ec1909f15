//! Builds `web/` with npm and turns the output into a table of compressed files.
//!
//! Without Node the table is empty, and the server says how to get the page. Without the target for
//! WebAssembly the page is built without games in the browser itself.

use std::env;
use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The target of the page's own modules.
const WASM: &str = "wasm32-unknown-unknown";

type BuildResult<T> = Result<T, Box<dyn Error>>;

fn main() -> BuildResult<()> {
    let out = PathBuf::from(env::var("OUT_DIR")?);
    let web = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join("../../web");
    println!("cargo::rerun-if-env-changed=HANSU_NO_PAGE");
    for source in [
        "src",
        "public",
        "index.html",
        "embed.html",
        "package-lock.json",
        "vite.config.ts",
        "svelte.config.js",
        "views.ts",
        "wasm.ts",
        "shell.ts",
        "folder.ts",
        "service.js",
        "tools/modules.mjs",
        "tools/pack.mjs",
    ] {
        if web.join(source).exists() {
            println!("cargo::rerun-if-changed={}", web.join(source).display());
        }
    }
    // The crates that the page's WebAssembly modules are built from.
    for name in [
        "annals", "archive", "browser", "chess", "computer", "engine", "module", "play",
        "protocol", "teacher", "view", "words",
    ] {
        println!(
            "cargo::rerun-if-changed={}",
            web.join("../crates").join(name).join("src").display()
        );
    }
    println!("cargo::rerun-if-changed={}", web.join("../crates/engine/net").display());
    let (built, packed) = (out.join("page"), out.join("packed"));
    let wanted = env::var_os("HANSU_NO_PAGE").is_none() && web.join("package-lock.json").exists();
    let mut files = Vec::new();
    if wanted && npm_is_here() {
        check_wasm_target()?;
        build(&web, &built, &packed)?;
        collect(&built, &built, &mut files)?;
    } else if wanted {
        println!("cargo::warning=The page is left out: install Node.js and npm, then build again.");
    }
    files.sort();
    fs::write(out.join("files.rs"), file_table(&built, &packed, &files)?)?;
    Ok(())
}

fn npm_is_here() -> bool {
    Command::new("npm").arg("--version").output().is_ok_and(|output| output.status.success())
}

/// Warns if the WebAssembly target is missing, and reruns the build once it is installed.
fn check_wasm_target() -> BuildResult<()> {
    let output = Command::new(env::var("RUSTC")?).args(["--print", "sysroot"]).output()?;
    let targets = Path::new(String::from_utf8(output.stdout)?.trim()).join("lib/rustlib");
    if targets.join(WASM).exists() {
        return Ok(());
    }
    println!("cargo::rerun-if-changed={}", targets.display());
    println!(
        "cargo::warning=Games without a server are left out of the page: run rustup target add \
         {WASM}, then build again."
    );
    Ok(())
}

fn run(web: &Path, command: &str, arguments: &[&str]) -> BuildResult<()> {
    let output = Command::new(command).args(arguments).current_dir(web).output()?;
    if output.status.success() {
        return Ok(());
    }
    let output = [output.stdout, output.stderr].concat();
    Err(format!("{command} {}: {}", arguments.join(" "), String::from_utf8_lossy(&output)).into())
}

/// Runs npm under a lock: several builds may run at once (tests, lints, documentation), npm must not.
fn build(web: &Path, built: &Path, packed: &Path) -> BuildResult<()> {
    let lock = fs::OpenOptions::new()
        .create(true)
        .truncate(false)
        .write(true)
        .open(env::temp_dir().join("hansu-page.lock"))?;
    lock.lock()?;
    let wanted = fs::read(web.join("package-lock.json"))?;
    let stamp = web.join("node_modules/.hansu-lock");
    if fs::read(&stamp).ok().as_ref() != Some(&wanted) {
        run(web, "npm", &["ci", "--no-audit", "--no-fund"])?;
        fs::write(&stamp, &wanted)?;
    }
    let odd = "the folder of the build has an odd name";
    let (built, packed) = (built.to_str().ok_or(odd)?, packed.to_str().ok_or(odd)?);
    run(web, "npm", &["run", "--silent", "build", "--", "--outDir", built, "--emptyOutDir"])?;
    run(web, "node", &["tools/pack.mjs", built, packed])
}

fn collect(root: &Path, folder: &Path, files: &mut Vec<String>) -> BuildResult<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let path = entry.path();
        // Vite's own files are not served.
        if entry.file_name().to_string_lossy().starts_with('.') {
            continue;
        }
        if path.is_dir() {
            collect(root, &path, files)?;
        } else {
            let name = path.strip_prefix(root)?.to_str().ok_or("a file with an odd name")?;
            files.push(name.replace('\\', "/"));
        }
    }
    Ok(())
}

/// The files as Rust source: each plain and, where that saves space, compressed
/// (`web/tools/pack.mjs`).
fn file_table(root: &Path, packed: &Path, files: &[String]) -> BuildResult<String> {
    let mut text = String::from("/// All files.\npub(crate) const FILES: &[File] = &[\n");
    for name in files {
        let plain = fs::read(root.join(name))?;
        let part = |ending: &str| {
            let file = packed.join(format!("{name}.{ending}"));
            if file.exists() { format!("Some(include_bytes!({file:?}))") } else { "None".into() }
        };
        writeln!(
            text,
            "    File {{ path: {path:?}, tag: \"\\\"{tag:016x}\\\"\", plain: include_bytes!({plain:?}), gzip: {gzip}, brotli: {brotli} }},",
            path = format!("/{name}"),
            tag = hash(&plain),
            plain = root.join(name),
            gzip = part("gz"),
            brotli = part("br"),
        )?;
    }
    text.push_str("];\n");
    Ok(text)
}

/// FNV-1a hash of a file's content, for its ETag.
fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
