//! The exports of the WebAssembly module.
#![allow(unsafe_code)] // The attribute that names an export; see `hansu_module::exports`.

hansu_module::exports!(crate::GameWorker);
