//! The only module with `unsafe`: a number that is known to be a square, instructions that the
//! processor has although the compiler does not assume them, products of bytes that LLVM does not
//! find, and prefetching.
//!
//! Measured: without `square` (a match over 64 cases instead) the crate takes 74 s to build
//! instead of 12; without the instructions, perft of the portable build runs at 0.55 of its speed
//! (the five positions of `make bench`, best of three interleaved runs: 0.44 to 0.68); without
//! `dots`, the layers of the computer's net take 600 ns instead of 170, a search in the page 3.3
//! times the time instead of 1.75 (of that with a net without layers).
#![allow(unsafe_code)]

use crate::Square;

/// The square with this number, of which only the low six bits count.
#[inline(always)]
pub(crate) const fn square(index: u32) -> Square {
    // SAFETY: `Square` is `repr(u8)` with exactly the values 0 to 63.
    unsafe { std::mem::transmute::<u8, Square>((index & 63) as u8) }
}

/// Loads the memory behind a reference into the cache before it is needed.
#[inline(always)]
pub(crate) fn prefetch<T>(soon: &T) {
    // SAFETY: every processor for x86_64 has SSE; the address is valid, and need not even be.
    #[cfg(target_arch = "x86_64")]
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(soon).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = soon;
}

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub(crate) use simd128::dots;

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128 {
    use std::arch::wasm32::{
        i16x8_extend_high_i8x16, i16x8_extend_high_u8x16, i16x8_extend_low_i8x16,
        i16x8_extend_low_u8x16, i32x4_add, i32x4_dot_i16x8, i32x4_extract_lane, i32x4_shuffle,
        i32x4_splat, v128, v128_load,
    };

    /// The sums of products of [`crate::processor::dots`].
    pub(crate) fn dots<const N: usize>(values: &[u8; N], weights: &[[i8; N]; 8]) -> [i32; 8] {
        let [a, b, c, d, e, f, g, h] = weights;
        let (low, high) = (four(values, [a, b, c, d]), four(values, [e, f, g, h]));
        [low, high].map(lanes).as_flattened().try_into().unwrap_or_default()
    }

    /// Four of them at once. LLVM does not unroll loops for WebAssembly.
    fn four<const N: usize>(values: &[u8; N], weights: [&[i8; N]; 4]) -> v128 {
        const { assert!(N.is_multiple_of(16)) }
        let weights = weights.map(|weights| weights.as_chunks::<16>().0);
        let zero = i32x4_splat(0);
        let (mut a, mut b, mut c, mut d) = (zero, zero, zero, zero);
        for (at, values) in values.as_chunks::<16>().0.iter().enumerate() {
            // SAFETY: it points to 16 bytes, and the load needs no alignment.
            let values = unsafe { v128_load(std::ptr::from_ref(values).cast()) };
            let (low, high) = (i16x8_extend_low_u8x16(values), i16x8_extend_high_u8x16(values));
            let add = |sum, weights: &[[i8; 16]]| {
                // SAFETY: the same.
                let weights = unsafe { v128_load(std::ptr::from_ref(&weights[at]).cast()) };
                let low = i32x4_dot_i16x8(low, i16x8_extend_low_i8x16(weights));
                let high = i32x4_dot_i16x8(high, i16x8_extend_high_i8x16(weights));
                i32x4_add(sum, i32x4_add(low, high))
            };
            a = add(a, weights[0]);
            b = add(b, weights[1]);
            c = add(c, weights[2]);
            d = add(d, weights[3]);
        }
        totals(a, b, c, d)
    }

    /// What the four numbers of each make together.
    #[inline(always)]
    fn totals(a: v128, b: v128, c: v128, d: v128) -> v128 {
        let pairs =
            |a, b| i32x4_add(i32x4_shuffle::<0, 4, 1, 5>(a, b), i32x4_shuffle::<2, 6, 3, 7>(a, b));
        let (first, second) = (pairs(a, b), pairs(c, d));
        i32x4_add(
            i32x4_shuffle::<0, 1, 4, 5>(first, second),
            i32x4_shuffle::<2, 3, 6, 7>(first, second),
        )
    }

    fn lanes(four: v128) -> [i32; 4] {
        [
            i32x4_extract_lane::<0>(four),
            i32x4_extract_lane::<1>(four),
            i32x4_extract_lane::<2>(four),
            i32x4_extract_lane::<3>(four),
        ]
    }
}

#[cfg(target_arch = "x86_64")]
pub(crate) use bmi2::Bmi2;

#[cfg(target_arch = "x86_64")]
mod bmi2 {
    use std::arch::x86_64::{
        __m256i, _mm256_add_epi32, _mm256_hadd_epi32, _mm256_loadu_si256, _mm256_madd_epi16,
        _mm256_maddubs_epi16, _mm256_permute2x128_si256, _mm256_set1_epi16, _mm256_setzero_si256,
        _mm256_storeu_si256, _pext_u64,
    };

    use crate::sliders::Task;

    /// The proof that the processor has BMI2 and what else [`run`] is compiled for: only
    /// [`Bmi2::detect`], and builds for such processors, make one.
    #[derive(Clone, Copy)]
    pub(crate) struct Bmi2(());

    impl Bmi2 {
        #[cfg(target_feature = "bmi2")]
        #[inline(always)]
        pub(crate) const fn known() -> Bmi2 {
            Bmi2(())
        }

        /// Detects the features of the processor; the result is cached.
        #[cfg(not(target_feature = "bmi2"))]
        #[inline(always)]
        pub(crate) fn detect() -> Option<Bmi2> {
            use std::sync::atomic::{AtomicU8, Ordering::Relaxed};
            // 0: not detected yet, 1: no, 2: yes.
            static ANSWER: AtomicU8 = AtomicU8::new(0);
            match ANSWER.load(Relaxed) {
                2 => Some(Bmi2(())),
                1 => None,
                _ => {
                    let yes = ask();
                    ANSWER.store(if yes { 2 } else { 1 }, Relaxed);
                    yes.then_some(Bmi2(()))
                }
            }
        }

        /// The bits of `value` where `mask` has one, pressed together.
        #[inline(always)]
        pub(crate) fn pext(self, value: u64, mask: u64) -> u64 {
            // SAFETY: `self` proves that the processor has BMI2.
            unsafe { _pext_u64(value, mask) }
        }

        /// The sums of products of [`crate::processor::dots`]; `None` if it is not known that the
        /// processor has AVX2, which a build for BMI2 alone does not say.
        #[inline(always)]
        pub(crate) fn sums_of_products<const N: usize>(
            self,
            values: &[u8; N],
            weights: &[[i8; N]; 8],
        ) -> Option<[i32; 8]> {
            let asked = cfg!(not(target_feature = "bmi2"));
            // SAFETY: `ask` or the build says that the processor has AVX2.
            (asked || cfg!(target_feature = "avx2")).then(|| unsafe { dots(values, weights) })
        }

        /// Runs a task compiled for such processors.
        #[inline(always)]
        pub(crate) fn run<T: Task>(self, task: T) -> T::Output {
            // SAFETY: `self` proves that the processor has what `run` is compiled for.
            #[allow(unused_unsafe)] // not unsafe in a build for such processors
            unsafe {
                run(task, self)
            }
        }
    }

    /// True if the processor has all that [`run`] is compiled for, and a fast PEXT.
    #[cfg(not(target_feature = "bmi2"))]
    #[cold]
    fn ask() -> bool {
        use std::arch::x86_64::__cpuid;
        is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("popcnt")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("avx2")
            && !slow_pext(__cpuid(0).ebx, __cpuid(1).eax)
    }

    /// AMD before its family 19h (Zen 3) computes PEXT bit by bit, slower than without it. The
    /// first letters of the maker's name and the signature, as CPUID tells them.
    #[cfg(not(target_feature = "bmi2"))]
    fn slow_pext(maker: u32, signature: u32) -> bool {
        let family = (signature >> 8 & 15) + (signature >> 20 & 255);
        maker == u32::from_le_bytes(*b"Auth") && family < 0x19
    }

    #[inline(never)]
    #[cfg_attr(
        not(target_feature = "bmi2"),
        target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx2")
    )]
    fn run<T: Task>(task: T, sliders: Bmi2) -> T::Output {
        task.run(sliders)
    }

    #[inline(never)]
    #[target_feature(enable = "avx2")]
    fn dots<const N: usize>(values: &[u8; N], weights: &[[i8; N]; 8]) -> [i32; 8] {
        const { assert!(N.is_multiple_of(32)) }
        let ones = _mm256_set1_epi16(1);
        let mut sums = [_mm256_setzero_si256(); 8];
        for (at, values) in values.as_chunks::<32>().0.iter().enumerate() {
            // SAFETY: each points to 32 bytes, and the loads need no alignment.
            let values = unsafe { _mm256_loadu_si256(std::ptr::from_ref(values).cast()) };
            for (sum, weights) in sums.iter_mut().zip(weights) {
                let weights = &weights.as_chunks::<32>().0[at];
                // SAFETY: the same.
                let weights = unsafe { _mm256_loadu_si256(std::ptr::from_ref(weights).cast()) };
                let pairs = _mm256_maddubs_epi16(values, weights);
                *sum = _mm256_add_epi32(*sum, _mm256_madd_epi16(pairs, ones));
            }
        }
        // Neighbours added three times: of each sum the low half, then the high one.
        let add = |at: usize, sums: &[__m256i]| _mm256_hadd_epi32(sums[2 * at], sums[2 * at + 1]);
        let fours: [__m256i; 4] = std::array::from_fn(|at| add(at, &sums));
        let [low, high]: [__m256i; 2] = std::array::from_fn(|at| add(at, &fours));
        let lower = _mm256_permute2x128_si256::<0x20>(low, high);
        let upper = _mm256_permute2x128_si256::<0x31>(low, high);
        let mut all = [0; 8];
        // SAFETY: `all` has room for 32 bytes, and the store needs no alignment.
        unsafe {
            let to = std::ptr::from_mut(&mut all).cast();
            _mm256_storeu_si256(to, _mm256_add_epi32(lower, upper));
        }
        all
    }

    #[cfg(all(test, not(target_feature = "bmi2")))]
    mod tests {
        use super::slow_pext;

        #[test]
        fn only_old_processors_of_one_maker_are_slow_at_pext() {
            let (amd, intel) = (u32::from_le_bytes(*b"Auth"), u32::from_le_bytes(*b"Genu"));
            // Signatures by the makers' rule: stepping, model, family, extended model and family.
            let (excavator, zen_2, zen_3, zen_5) = (0x66_0f01, 0x87_0f10, 0xa2_0f10, 0xb4_0f40);
            assert_eq!([excavator, zen_2].map(|old| slow_pext(amd, old)), [true, true]);
            assert_eq!([zen_3, zen_5].map(|new| slow_pext(amd, new)), [false, false]);
            let (haswell, skylake) = (0x03_06c3, 0x05_06e3);
            assert_eq!([haswell, skylake].map(|any| slow_pext(intel, any)), [false, false]);
        }
    }
}
