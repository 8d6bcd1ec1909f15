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

/// Eight sums of products of the same values, none of which may be above 127. `N` must be a multiple
/// of 32.
///
/// ```
/// let mut weights = [[0; 32]; 8];
/// weights[1][30] = -3;
/// weights[7] = [127; 32];
/// assert_eq!(hansu_chess::processor::dots(&[127; 32], &weights), [0, -381, 0, 0, 0, 0, 0, 516_128]);
/// ```
#[inline(always)]
pub fn dots<const N: usize>(values: &[u8; N], weights: &[[i8; N]; 8]) -> [i32; 8] {
    debug_assert!(values.iter().all(|&value| value <= 127));
    sliders::run(Dots { values, weights })
}

struct Dots<'a, const N: usize> {
    values: &'a [u8; N],
    weights: &'a [[i8; N]; 8],
}

impl<const N: usize> Task for Dots<'_, N> {
    type Output = [i32; 8];

    #[inline(always)]
    fn run<S: Sliders>(self, sliders: S) -> [i32; 8] {
        sliders.dots(self.values, self.weights)
    }
}

/// [`dots`] in WebAssembly.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub(crate) use crate::unchecked::dots as plain_dots;

/// [`dots`] where bytes have no faster product.
#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
#[inline(always)]
pub(crate) fn plain_dots<const N: usize>(values: &[u8; N], weights: &[[i8; N]; 8]) -> [i32; 8] {
    weights.each_ref().map(|weights| {
        let products = values.iter().zip(weights);
        // 127 * -128 fits into 16 bits, of which vectors hold twice as many.
        products.map(|(&value, &weight)| i32::from(i16::from(value) * i16::from(weight))).sum()
    })
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

#[cfg(test)]
mod tests {
    use super::*;

    fn check<const N: usize>(mut number: impl FnMut(u64) -> u64) {
        for round in 0..200 {
            // Also the extremes alone, where sums of 16 bits come closest to their limit.
            let most = if round % 4 == 0 { 1 } else { 127 };
            let step = 127 / most;
            let values = std::array::from_fn(|_| (number(most + 1) * step) as u8);
            let weights: [[i8; N]; 8] = std::array::from_fn(|_| {
                std::array::from_fn(|_| match round % 4 {
                    0 => [127, -128][number(2) as usize],
                    _ => (number(256) as i16 - 128) as i8,
                })
            });
            assert_eq!(dots(&values, &weights), plain_dots(&values, &weights));
        }
    }

    #[test]
    fn wide_instructions_give_the_same_sums() {
        let mut state = 7u64;
        let mut number = |below: u64| {
            state =
                state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
            (state >> 33) % below
        };
        check::<32>(&mut number);
        check::<512>(&mut number);
    }
}
