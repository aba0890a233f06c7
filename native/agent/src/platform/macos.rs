//! macOS: no barrier that reaches other threads, so that the way in carries its fence.

use super::dynamic_linker::image_name;

pub(crate) fn register_barrier() -> bool {
    false
}

pub(crate) fn issue_barrier() -> bool {
    false
}

pub(crate) fn pin() {
    if let Some(name) = image_name() {
        let nothing_new = libc::RTLD_NOLOAD | libc::RTLD_LAZY;
        // SAFETY: a C string; the image is loaded, so that nothing runs. The handle is kept for ever.
        unsafe { libc::dlopen(name.as_ptr(), nothing_new | libc::RTLD_NODELETE) };
    }
}
