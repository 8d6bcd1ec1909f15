//! The engine as a program: UCI over standard input and output, or `bench`.

use std::io::{BufReader, Cursor, stdin, stdout};

fn main() -> std::io::Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if words.is_empty() {
        return hansu_engine::converse(BufReader::new(stdin()), stdout());
    }
    // Words on the command line are one command.
    hansu_engine::converse(Cursor::new(words.join(" ").into_bytes()), stdout())
}
