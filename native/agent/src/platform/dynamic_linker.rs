//! What the dynamic linker of a Unix knows of this image and of others.

use std::ffi::{CStr, c_void};
use std::mem::MaybeUninit;

/// The file, as the dynamic linker tells it.
pub(crate) fn library_path() -> Option<String> {
    image_name().map(|name| name.to_string_lossy().into_owned())
}

pub(super) fn image_name() -> Option<&'static CStr> {
    image_of(image_name as fn() -> Option<&'static CStr> as *const c_void)
}

/// What is called `name` in the image that `address` lies in.
pub(crate) fn symbol_beside(address: *const c_void, name: &CStr) -> Option<*const c_void> {
    let image = image_of(address)?;
    let nothing_new = libc::RTLD_NOLOAD | libc::RTLD_LAZY;
    // SAFETY: a C string; the image is loaded, so that nothing runs.
    let handle = unsafe { libc::dlopen(image.as_ptr(), nothing_new) };
    if handle.is_null() {
        return None;
    }
    // SAFETY: the handle of an image, and a C string.
    let found = unsafe { libc::dlsym(handle, name.as_ptr()) };
    // SAFETY: that handle, once; whoever has loaded the image keeps it.
    unsafe { libc::dlclose(handle) };
    (!found.is_null()).then_some(found.cast_const())
}

/// The file of the image that `address` lies in.
fn image_of(address: *const c_void) -> Option<&'static CStr> {
    let mut info = MaybeUninit::<libc::Dl_info>::uninit();
    // SAFETY: any address will do; dladdr fills `info` when it answers non-zero.
    let found = unsafe { libc::dladdr(address, info.as_mut_ptr()) } != 0;
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
