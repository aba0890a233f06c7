//! What stands in the table of JNI functions while calls are counted: for each slot a few stubs, which count and jump on.
//!
//! A stub is called with the arguments of any function, variadic ones among them, so it leaves alone the stack and each
//! register that may hold one. What it jumps to is written once, before the stub is seen by anybody, and never changes:
//! whoever has found a stub in the table may call it for as long as there is a VM, as this image is never unmapped. So
//! that no chain of them is a circle, whatever other agents put between, another function needs another stub.

use std::arch::naked_asm;
use std::ffi::c_void;
use std::mem::offset_of;
use std::ptr;
use std::sync::atomic::{AtomicPtr, AtomicU32, AtomicU64, Ordering};

use jvmti::sys::JNI_LENGTH;

/// How many there are for each slot.
const LAYERS: usize = 3;

const STUBS: usize = LAYERS * JNI_LENGTH;

/// What belongs to a stub. Two threads that call two functions have a line of cache each.
#[repr(C, align(64))]
struct Place {
    /// How often it was called, ever.
    calls: AtomicU64,
    /// Where it jumps to; null if it was never used.
    original: AtomicPtr<c_void>,
    /// How many counters need it.
    users: AtomicU32,
}

static PLACES: [Place; STUBS] = [const {
    Place {
        calls: AtomicU64::new(0),
        original: AtomicPtr::new(ptr::null_mut()),
        users: AtomicU32::new(0),
    }
}; STUBS];

/// Bytes of a stub.
const LENGTH: usize = if cfg!(target_arch = "x86_64") { 32 } else { 44 };

/// All stubs, one behind the other. `endbr64` is where an indirect jump may come to.
#[cfg(target_arch = "x86_64")]
#[unsafe(naked)]
unsafe extern "C" fn all() {
    naked_asm!(
        ".set jvmtools_stub, 0",
        ".rept {stubs}",
        "endbr64",
        "lock incq {places} + {place} * jvmtools_stub(%rip)",
        "jmpq *{places} + {place} * jvmtools_stub + {original}(%rip)",
        // What is left of its 32 bytes.
        ".fill 14, 1, 0xcc",
        ".set jvmtools_stub, jvmtools_stub + 1",
        ".endr",
        stubs = const STUBS,
        places = sym PLACES,
        place = const size_of::<Place>(),
        original = const offset_of!(Place, original),
        options(att_syntax)
    )
}

/// All stubs, one behind the other. `hint #34`, which is `bti c`, is where an indirect jump may come to; x9, x16 and x17
/// hold nothing when a function is called.
#[cfg(target_arch = "aarch64")]
#[unsafe(naked)]
unsafe extern "C" fn all() {
    naked_asm!(
        ".set jvmtools_stub, 0",
        ".rept {stubs}",
        "hint #34",
        #[cfg(target_vendor = "apple")]
        "adrp x16, {places}@PAGE",
        #[cfg(target_vendor = "apple")]
        "add x16, x16, {places}@PAGEOFF",
        #[cfg(not(target_vendor = "apple"))]
        "adrp x16, {places}",
        #[cfg(not(target_vendor = "apple"))]
        "add x16, x16, :lo12:{places}",
        "add x16, x16, #(({place} * jvmtools_stub) >> 12), lsl #12",
        "add x16, x16, #(({place} * jvmtools_stub) & 0xfff)",
        "1: ldxr x17, [x16]",
        "add x17, x17, #1",
        "stxr w9, x17, [x16]",
        "cbnz w9, 1b",
        "ldr x16, [x16, #{original}]",
        "br x16",
        ".set jvmtools_stub, jvmtools_stub + 1",
        ".endr",
        stubs = const STUBS,
        places = sym PLACES,
        place = const size_of::<Place>(),
        original = const offset_of!(Place, original),
    )
}

/// One of the stubs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stub(usize);

impl Stub {
    /// Those of a slot.
    pub(super) fn of(slot: usize) -> impl Iterator<Item = Self> {
        let layers = 0..if slot < JNI_LENGTH { LAYERS } else { 0 };
        layers.map(move |layer| Self(layer * JNI_LENGTH + slot))
    }

    pub(super) fn slot(self) -> usize {
        self.0 % JNI_LENGTH
    }

    /// The function that it is.
    pub(super) fn function(self) -> *mut c_void {
        (all as *mut c_void).wrapping_byte_add(self.0 * LENGTH)
    }

    /// What it jumps to; null if it was never used.
    pub(super) fn original(self) -> *mut c_void {
        self.place().original.load(Ordering::Acquire)
    }

    /// From here on it jumps to `original`; false if it does already, wherever.
    pub(super) fn lead_to(self, original: *mut c_void) -> bool {
        let place = &self.place().original;
        let none = ptr::null_mut();
        place
            .compare_exchange(none, original, Ordering::AcqRel, Ordering::Acquire)
            .is_ok()
    }

    /// How often it was called, ever.
    pub(super) fn calls(self) -> u64 {
        self.place().calls.load(Ordering::Acquire)
    }

    /// A counter needs it.
    pub(super) fn add_user(self) {
        self.place().users.fetch_add(1, Ordering::SeqCst);
    }

    /// A counter needs it no more.
    pub(super) fn remove_user(self) {
        self.place().users.fetch_sub(1, Ordering::SeqCst);
    }

    pub(super) fn is_used(self) -> bool {
        self.place().users.load(Ordering::SeqCst) > 0
    }

    fn place(self) -> &'static Place {
        &PLACES[self.0]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Many = unsafe extern "C" fn(
        i64,
        f64,
        i64,
        f64,
        i64,
        f64,
        i64,
        f64,
        i64,
        f64,
        i64,
        f64,
        i64,
        f64,
        i64,
        f64,
        i64,
        f64,
        i64,
        f64,
    ) -> f64;

    /// More arguments of both kinds than there are registers for them.
    #[rustfmt::skip]
    unsafe extern "C" fn many(
        a: i64, b: f64, c: i64, d: f64, e: i64, f: f64, g: i64, h: f64, i: i64, j: f64, k: i64, l: f64,
        m: i64, n: f64, o: i64, p: f64, q: i64, r: f64, s: i64, t: f64,
    ) -> f64 {
        assert_eq!([a, c, e, g, i, k, m, o, q, s], std::array::from_fn(|at| at as i64));
        assert_eq!([b, d, f, h, j, l, n, p, r, t], std::array::from_fn(|at| at as f64 / 2.0));
        7.5
    }

    #[test]
    fn a_stub_counts_and_hands_on_what_it_is_given_and_what_it_gets() {
        let stub = Stub::of(JNI_LENGTH - 1).last().unwrap();
        assert!(stub.lead_to(many as *mut c_void));
        assert!(!stub.lead_to(stub.function()), "for good");
        // SAFETY: it does what `many` does.
        let function: Many = unsafe { std::mem::transmute(stub.function()) };
        let before = stub.calls();
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..1_000 {
                        // SAFETY: as above.
                        let answer = unsafe {
                            function(
                                0, 0.0, 1, 0.5, 2, 1.0, 3, 1.5, 4, 2.0, 5, 2.5, 6, 3.0, 7, 3.5, 8,
                                4.0, 9, 4.5,
                            )
                        };
                        assert_eq!(answer, 7.5);
                    }
                });
            }
        });
        assert_eq!(stub.calls() - before, 4_000);
    }

    #[test]
    fn each_slot_has_stubs_of_its_own() {
        let all: Vec<_> = (0..JNI_LENGTH).flat_map(Stub::of).collect();
        let functions: std::collections::BTreeSet<_> =
            all.iter().map(|stub| stub.function()).collect();
        assert_eq!(functions.len(), STUBS);
        assert_eq!(Stub::of(JNI_LENGTH).count(), 0);
    }

    #[test]
    fn each_is_as_long_as_is_said() {
        for slot in 0..JNI_LENGTH {
            for stub in Stub::of(slot) {
                // SAFETY: code of this image, which can be read.
                let start: u32 = unsafe { stub.function().cast::<u32>().read_unaligned() };
                let landing = if cfg!(target_arch = "x86_64") {
                    0xfa1e_0ff3
                } else {
                    0xd503_245f
                };
                assert_eq!(start, landing, "{stub:?}");
            }
        }
    }
}
