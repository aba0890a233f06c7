//! What the dynamic linker of a Unix knows of this image.

use std::ffi::{CStr, c_void};
use std::mem::MaybeUninit;

/// The file, as the dynamic linker tells it.
pub(crate) fn library_path() -> Option<String> {
    image_name().map(|name| name.to_string_lossy().into_owned())
}

pub(super) fn image_name() -> Option<&'static CStr> {
    let mut info = MaybeUninit::<libc::Dl_info>::uninit();
    let here = image_name as fn() -> Option<&'static CStr> as *const c_void;
    // SAFETY: `here` is an address in this image; dladdr fills `info` when it answers non-zero.
    let found = unsafe { libc::dladdr(here, info.as_mut_ptr()) } != 0;
    if !found {
        return None;
    }
    // SAFETY: filled, as dladdr said.
    let name = unsafe { info.assume_init() }.dli_fname;
    if name.is_null() {
        return None;
    }
    // SAFETY: a C string of the dynamic linker that lives as long as the image.
    Some(unsafe { CStr::from_ptr(name) })
}
