//! What WebAssembly sees.
#![allow(unsafe_code)] // The attribute that names an export; see `hansu_module::exports`.

hansu_module::exports!(crate::Archive);
