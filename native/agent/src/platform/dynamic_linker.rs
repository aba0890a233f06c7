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
    Library::loaded_from(image_of(address)?)?.symbol(name)
}

/// What is called `name` in what was loaded for all, or beside this image.
pub(crate) fn visible_symbol(name: &CStr) -> Option<*const c_void> {
    symbol_in(libc::RTLD_DEFAULT, name)
}

/// One that is loaded, and stays so as long as this is there.
pub(crate) struct Library(*mut c_void);

impl Library {
    pub(crate) fn loaded_from(file: &CStr) -> Option<Self> {
        let nothing_new = libc::RTLD_NOLOAD | libc::RTLD_LAZY | libc::RTLD_LOCAL;
        // SAFETY: a C string; nothing is loaded, so that nothing runs.
        let handle = unsafe { libc::dlopen(file.as_ptr(), nothing_new) };
        (!handle.is_null()).then(|| Self(handle))
    }

    /// What is called `name` there, or in what it was linked with.
    pub(crate) fn symbol(&self, name: &CStr) -> Option<*const c_void> {
        symbol_in(self.0, name)
    }
}

impl Drop for Library {
    fn drop(&mut self) {
        // SAFETY: an open handle, once.
        unsafe { libc::dlclose(self.0) };
    }
}

fn symbol_in(handle: *mut c_void, name: &CStr) -> Option<*const c_void> {
    // SAFETY: an open handle or RTLD_DEFAULT, and a C string.
    let found = unsafe { libc::dlsym(handle, name.as_ptr()) };
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_symbol_is_found_where_it_is_and_nowhere_else() {
        let getpid = visible_symbol(c"getpid");
        assert_eq!(getpid, Some(libc::getpid as *const c_void));
        assert_eq!(visible_symbol(c"no such symbol"), None);
        let name = image_of(libc::getpid as *const c_void).unwrap();
        let library = Library::loaded_from(name).unwrap();
        assert_eq!(library.symbol(c"getpid"), getpid);
        assert_eq!(library.symbol(c"no such symbol"), None);
        assert!(Library::loaded_from(c"/no such file").is_none());
    }
}
