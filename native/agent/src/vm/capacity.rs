//! Capacity for what a call makes: local references, and lists as long as a caller says.

use jni::Env;
use jni::sys::{JNI_OK, jint};

use crate::failure::{Failure, Outcome};

/// As many of `value`, for a caller who chooses how many: too many for the memory there is are an
/// error, and no end of the process.
pub(crate) fn filled<T: Clone>(function: &'static str, value: T, length: usize) -> Outcome<Vec<T>> {
    let mut all = Vec::new();
    let none = |_| jvmti::Error::new(function, jvmti::sys::Error::OUT_OF_MEMORY);
    all.try_reserve_exact(length).map_err(none)?;
    all.resize(length, value);
    Ok(all)
}

/// Declares the local references that the VM has already made, and a few of our own. It must be the
/// first JNI call after theirs, and a bare one: any other counts them, and `-Xcheck:jni` complains.
pub(crate) fn make_room(jni: &Env<'_>, references: usize) -> Outcome<()> {
    /// HotSpot plans for 65,536 at most, and makes as many as it has memory for.
    const MOST: usize = 1 << 15;
    let wanted = (references.min(MOST) + 16) as jint;
    let raw = jni.get_raw();
    // SAFETY: the JNI environment of this thread, in a native call.
    let answer = unsafe { ((**raw).v1_2.EnsureLocalCapacity)(raw, wanted) };
    if answer == JNI_OK {
        return Ok(());
    }
    Err(Failure::Jni(jni::errors::Error::JniCall(
        jni::errors::JniError::NoMemory,
    )))
}

/// Local references that are made a few at a time. Declared by their sum: `-Xcheck:jni` counts
/// those that were deleted too, and takes no notice of a number below what it knows.
#[derive(Default)]
pub(crate) struct Room {
    made: usize,
    declared: usize,
}

impl Room {
    /// The VM has made `references`, or is about to. To be the first JNI call after theirs.
    pub(crate) fn made(&mut self, jni: &Env<'_>, references: usize) -> Outcome<()> {
        self.made += references;
        if self.made >= self.declared {
            self.declared = self.made * 2 + 32;
            make_room(jni, self.declared)?;
        }
        Ok(())
    }
}
