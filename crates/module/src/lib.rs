//! What a WebAssembly module of the page exports: `room` for a request, `ask`, and `answer` for what
//! came of it.
//!
//! Texts lie in two buffers of the module; the caller writes and reads them in the module's memory.
//! No wasm-bindgen: for text in and text out it would bring a second program of exactly its own
//! version onto every machine that builds the page, and more script than the thirty lines of
//! `web/src/local/texts.ts`.
//!
//! ```
//! use hansu_module::{Answers, Module};
//! #[derive(Default)]
//! struct Echo;
//! impl Answers for Echo {
//!     fn answer(&mut self, request: &str) -> String {
//!         request.to_uppercase()
//!     }
//! }
//! let mut module: Module<Echo> = Module::new();
//! module.room(3).copy_from_slice(b"why");
//! assert_eq!(module.ask(), 3);
//! assert_eq!(module.answer(), "WHY");
//! ```

/// What answers requests.
pub trait Answers: Default {
    /// Answers a request. Whatever the text, there is an answer.
    fn answer(&mut self, request: &str) -> String;
}

/// The state of a module: who answers, and the two texts.
#[derive(Debug)]
pub struct Module<A> {
    answering: Option<A>,
    request: Vec<u8>,
    answer: String,
}

impl<A: Answers> Module<A> {
    /// Before the first request.
    pub const fn new() -> Module<A> {
        Module { answering: None, request: Vec::new(), answer: String::new() }
    }

    /// Where a request of that length is to be written.
    pub fn room(&mut self, bytes: usize) -> &mut [u8] {
        self.request.clear();
        self.request.resize(bytes, 0);
        &mut self.request
    }

    /// Answers the request that was written, and says how many bytes the answer has.
    pub fn ask(&mut self) -> usize {
        let text = String::from_utf8_lossy(&self.request);
        self.answer = self.answering.get_or_insert_default().answer(&text);
        self.answer.len()
    }

    /// The answer, until the next question.
    pub fn answer(&self) -> &str {
        &self.answer
    }
}

impl<A: Answers> Default for Module<A> {
    fn default() -> Module<A> {
        Module::new()
    }
}

/// Exports `room`, `ask` and `answer` for a type that [`Answers`].
///
/// `unsafe` is here only the attribute that keeps the name of a function for the linker, without
/// which a module has no exports at all: there is no unsafe block, and no pointer is read.
#[macro_export]
macro_rules! exports {
    ($answering:ty) => {
        static MODULE: ::std::sync::Mutex<$crate::Module<$answering>> =
            ::std::sync::Mutex::new($crate::Module::new());

        fn module() -> ::std::sync::MutexGuard<'static, $crate::Module<$answering>> {
            // A worker has one thread.
            MODULE.lock().unwrap_or_else(::std::sync::PoisonError::into_inner)
        }

        /// Where a request of that length is to be written.
        // SAFETY: no other function of this module or of the standard library has this name.
        #[unsafe(no_mangle)]
        extern "C" fn room(bytes: usize) -> *mut u8 {
            module().room(bytes).as_mut_ptr()
        }

        /// Answers the request that was written, and says how many bytes the answer has.
        // SAFETY: no other function of this module or of the standard library has this name.
        #[unsafe(no_mangle)]
        extern "C" fn ask() -> usize {
            module().ask()
        }

        /// Where the answer stands until the next question.
        // SAFETY: no other function of this module or of the standard library has this name.
        #[unsafe(no_mangle)]
        extern "C" fn answer() -> *const u8 {
            module().answer().as_ptr()
        }
    };
}
