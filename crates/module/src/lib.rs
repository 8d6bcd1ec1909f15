//! The exports of a WebAssembly module of the page: `room` reserves space for a request, `ask`
//! answers it, `answer` points to the response.
//!
//! Request and response are texts in two buffers of the module; the caller writes and reads them in
//! the module's memory. wasm-bindgen is not used: for text in and text out it would need a second
//! program, of exactly its own version, on every machine that builds the page, and more script than
//! the thirty lines of `web/src/local/text-module.ts`.
//!
//! ```
//! use hansu_module::{Respond, Module};
//! #[derive(Default)]
//! struct Echo;
//! impl Respond for Echo {
//!     fn answer(&mut self, request: &str) -> String {
//!         request.to_uppercase()
//!     }
//! }
//! let mut module: Module<Echo> = Module::new();
//! module.room(3).copy_from_slice(b"why");
//! assert_eq!(module.ask(), 3);
//! assert_eq!(module.answer(), "WHY");
//! ```

/// Responds to requests that are text.
pub trait Respond: Default {
    /// The response to a request. Malformed requests get one as well.
    fn answer(&mut self, request: &str) -> String;
}

/// The state of a module: the responder, and the two texts.
#[derive(Debug)]
pub struct Module<A> {
    /// Made by the first request.
    responder: Option<A>,
    request: Vec<u8>,
    answer: String,
}

impl<A: Respond> Module<A> {
    /// A module without a request.
    pub const fn new() -> Module<A> {
        Module { responder: None, request: Vec::new(), answer: String::new() }
    }

    /// The buffer for a request of this many bytes, filled with zeros.
    pub fn room(&mut self, bytes: usize) -> &mut [u8] {
        self.request.clear();
        self.request.resize(bytes, 0);
        &mut self.request
    }

    /// Answers the request in the buffer; returns the length of the response in bytes.
    pub fn ask(&mut self) -> usize {
        let text = String::from_utf8_lossy(&self.request);
        self.answer = self.responder.get_or_insert_default().answer(&text);
        self.answer.len()
    }

    /// The response to the last request.
    pub fn answer(&self) -> &str {
        &self.answer
    }
}

impl<A: Respond> Default for Module<A> {
    fn default() -> Module<A> {
        Module::new()
    }
}

/// Exports `room`, `ask` and `answer` for a type that implements [`Respond`].
///
/// The only `unsafe` is the attribute that keeps the names of the functions for the linker, without
/// which a module has no exports. There is no unsafe block, and no pointer is dereferenced.
#[macro_export]
macro_rules! exports {
    ($responder:ty) => {
        static MODULE: ::std::sync::Mutex<$crate::Module<$responder>> =
            ::std::sync::Mutex::new($crate::Module::new());

        fn module() -> ::std::sync::MutexGuard<'static, $crate::Module<$responder>> {
            // Never contended: a worker has one thread.
            MODULE.lock().unwrap_or_else(::std::sync::PoisonError::into_inner)
        }

        /// Pointer to the buffer for a request of this many bytes.
        // SAFETY: no other function of this module or of the standard library has this name.
        #[unsafe(no_mangle)]
        extern "C" fn room(bytes: usize) -> *mut u8 {
            module().room(bytes).as_mut_ptr()
        }

        /// Answers the request in the buffer; returns the length of the response in bytes.
        // SAFETY: no other function of this module or of the standard library has this name.
        #[unsafe(no_mangle)]
        extern "C" fn ask() -> usize {
            module().ask()
        }

        /// Pointer to the response, valid until the next request.
        // SAFETY: no other function of this module or of the standard library has this name.
        #[unsafe(no_mangle)]
        extern "C" fn answer() -> *const u8 {
            module().answer().as_ptr()
        }
    };
}
