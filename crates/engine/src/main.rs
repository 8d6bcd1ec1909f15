//! The engine as a program: UCI over standard input and output, or one command such as `bench`.

#[cfg(not(target_arch = "wasm32"))]
fn main() -> std::io::Result<()> {
    use std::io::{BufReader, Cursor, stdin, stdout};
    let words: Vec<String> = std::env::args().skip(1).collect();
    if words.is_empty() {
        return hansu_engine::run_uci(BufReader::new(stdin()), stdout());
    }
    hansu_engine::run_uci(Cursor::new(words.join(" ").into_bytes()), stdout())
}

/// WebAssembly has no standard input; only the library is used there.
#[cfg(target_arch = "wasm32")]
fn main() {}
