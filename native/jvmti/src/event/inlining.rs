//! What was inlined into a compiled method, as `jvmticmlr.h` has it.

use std::ffi::c_void;
use std::marker::PhantomData;
use std::{fmt, slice};

use super::values::{method_if_any, size};
use crate::method::MethodId;
use crate::sys::{jint, jmethodID};

/// `jvmtiCMLRKind`.
const INLINE_INFO: jint = 2;

/// `jvmtiCompiledMethodLoadRecordHeader`.
#[repr(C)]
struct Header {
    kind: jint,
    major: jint,
    minor: jint,
    next: *const Header,
}

/// `jvmtiCompiledMethodLoadInlineRecord`.
#[repr(C)]
struct InlineRecord {
    header: Header,
    count: jint,
    places: *const PcStackInfo,
}

/// `PCStackInfo`.
#[repr(C)]
struct PcStackInfo {
    pc: *const c_void,
    count: jint,
    methods: *const jmethodID,
    locations: *const jint,
}

/// Whose code is at an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InlinedCode {
    /// The address.
    pub address: *const c_void,
    /// The innermost method first, each with the index of its bytecode; the last one is the compiled method. The VM does
    /// not tell of methods that are gone.
    pub frames: Vec<(Option<MethodId>, i32)>,
}

/// What the VM says of the code of a compiled method beyond its map.
pub struct CompileInfo<'l> {
    raw: *const c_void,
    of: PhantomData<&'l ()>,
}

impl fmt::Debug for CompileInfo<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("CompileInfo").finish()
    }
}

impl CompileInfo<'_> {
    /// The VM lends it for the callback.
    pub(super) fn of(raw: *const c_void) -> Self {
        let of = PhantomData;
        Self { raw, of }
    }

    /// The first record, as `jvmticmlr.h` has it.
    pub const fn as_raw(&self) -> *const c_void {
        self.raw
    }

    /// Which methods the code is of, address by address; empty if the VM does not tell.
    pub fn inlined(&self) -> Vec<InlinedCode> {
        let mut all = Vec::new();
        let mut next: *const Header = self.raw.cast();
        // SAFETY: a list of records that the VM lends for this callback, each of the kind that its header says.
        while let Some(header) = unsafe { next.as_ref() } {
            if header.kind == INLINE_INFO {
                // SAFETY: of that kind.
                let record = unsafe { &*next.cast::<InlineRecord>() };
                // SAFETY: it has so many places.
                let places = unsafe { lent(record.places, record.count) };
                all.extend(places.iter().map(PcStackInfo::owned));
            }
            next = header.next;
        }
        all
    }
}

impl PcStackInfo {
    fn owned(&self) -> InlinedCode {
        // SAFETY: there are as many of both as it says.
        let (methods, locations) = unsafe {
            (
                lent(self.methods, self.count),
                lent(self.locations, self.count),
            )
        };
        let both = methods.iter().zip(locations);
        InlinedCode {
            address: self.pc,
            frames: both
                // SAFETY: the VM has handed it out.
                .map(|(&method, &location)| (unsafe { method_if_any(method) }, location))
                .collect(),
        }
    }
}

/// # Safety
///
/// It is null or a list of so many that the VM lends.
unsafe fn lent<'l, T>(raw: *const T, count: jint) -> &'l [T] {
    match raw.is_null() {
        true => &[],
        // SAFETY: the caller's promise.
        false => unsafe { slice::from_raw_parts(raw, size(count)) },
    }
}
