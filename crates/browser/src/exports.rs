//! What WebAssembly sees: `room` for a request, `ask`, and `answer` for what came of it.
//!
//! Texts lie in two buffers of this module; the caller writes and reads them in the module's
//! memory. `unsafe` is here only the attribute that keeps the name of a function for the linker,
//! without which a module has no exports at all: there is no unsafe block, and no pointer is read.
#![allow(unsafe_code)]

use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::Desk;

struct Module {
    desk: Option<Desk>,
    request: Vec<u8>,
    answer: String,
}

static MODULE: Mutex<Module> =
    Mutex::new(Module { desk: None, request: Vec::new(), answer: String::new() });

fn module() -> MutexGuard<'static, Module> {
    // A worker has one thread.
    MODULE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Where a request of that length is to be written.
// SAFETY: no other function of this module or of the standard library has this name.
#[unsafe(no_mangle)]
extern "C" fn room(bytes: usize) -> *mut u8 {
    let mut module = module();
    module.request.clear();
    module.request.resize(bytes, 0);
    module.request.as_mut_ptr()
}

/// Answers the request that was written, and says how many bytes the answer has.
// SAFETY: no other function of this module or of the standard library has this name.
#[unsafe(no_mangle)]
extern "C" fn ask() -> usize {
    let mut module = module();
    let Module { desk, request, answer } = &mut *module;
    let text = String::from_utf8_lossy(request);
    *answer = desk.get_or_insert_default().answer(&text);
    answer.len()
}

/// Where the answer stands until the next question.
// SAFETY: no other function of this module or of the standard library has this name.
#[unsafe(no_mangle)]
extern "C" fn answer() -> *const u8 {
    module().answer.as_ptr()
}
