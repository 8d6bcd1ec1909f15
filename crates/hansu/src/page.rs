//! The board in the browser, built into the program by `build.rs`.

use hansu_server::page::File;

include!(concat!(env!("OUT_DIR"), "/files.rs"));
