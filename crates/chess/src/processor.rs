//! Runs work of other crates compiled for the features of this processor, like the generator.
//!
//! The portable build detects the processor once; where it has AVX2 and BMI2, the work runs
//! compiled for them. This keeps `unsafe` in one module of one crate.

use crate::sliders::{self, Sliders, Task};

/// Work that gains from wide instructions. `run` must be `#[inline(always)]`, and so must all that
/// it calls and that is hot: only then is it compiled for the processor at hand.
///
/// ```
/// use hansu_chess::processor::{Work, run};
/// struct Sum<'a>(&'a [i16]);
/// impl Work for Sum<'_> {
///     type Output = i32;
///     #[inline(always)]
///     fn run(self) -> i32 {
///         self.0.iter().map(|&number| i32::from(number)).sum()
///     }
/// }
/// assert_eq!(run(Sum(&[1, 2, 3])), 6);
/// ```
pub trait Work {
    /// The result of the work.
    type Output;
    /// Does the work.
    fn run(self) -> Self::Output;
}

struct Hired<W>(W);

impl<W: Work> Task for Hired<W> {
    type Output = W::Output;

    #[inline(always)]
    fn run<S: Sliders>(self, _: S) -> W::Output {
        self.0.run()
    }
}

/// Does work in the fastest way this processor has.
#[inline(always)]
pub fn run<W: Work>(work: W) -> W::Output {
    sliders::run(Hired(work))
}

/// Prefetches memory that will be read soon. Affects only speed.
///
/// ```
/// hansu_chess::processor::prefetch(&[1, 2, 3]);
/// ```
#[inline(always)]
pub fn prefetch<T>(soon: &T) {
    crate::unchecked::prefetch(soon);
}
