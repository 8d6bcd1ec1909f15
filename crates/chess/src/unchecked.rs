//! The only module with `unsafe`: a number that is known to be a square, instructions that the
//! processor has although the compiler does not assume them, and prefetching.
//!
//! Measured: without `square` (a match over 64 cases instead) the crate takes 74 s to build
//! instead of 12; without the instructions, perft of the portable build runs at 0.55 of its speed
//! (the five positions of `make bench`, best of three interleaved runs: 0.44 to 0.68).
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

#[cfg(target_arch = "x86_64")]
pub(crate) use bmi2::Bmi2;

#[cfg(target_arch = "x86_64")]
mod bmi2 {
    use std::arch::x86_64::_pext_u64;

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
