//! A search goes deep: in WebAssembly it gets a stack as deep as a thread of the server has. The
//! linker's own choice is one MiB.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_FAMILY").is_ok_and(|family| family == "wasm") {
        println!("cargo::rustc-link-arg=-zstack-size={}", 16 << 20);
    }
}
