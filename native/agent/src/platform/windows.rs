//! Windows: `FlushProcessWriteBuffers`, and what the loader knows of this image.

use std::ffi::{c_char, c_void};
use std::ptr;

type Module = *mut c_void;

const PIN: u32 = 1;
const UNCHANGED_REFCOUNT: u32 = 2;
const FROM_ADDRESS: u32 = 4;

/// The longest path that Windows has, in UTF-16 units.
const LONGEST_PATH: usize = 1 << 15;

windows_link::link!("kernel32.dll" "system" fn FlushProcessWriteBuffers());
windows_link::link!("kernel32.dll" "system" fn GetModuleFileNameW(module: Module, name: *mut u16, size: u32) -> u32);
windows_link::link!("kernel32.dll" "system" fn GetModuleHandleExW(flags: u32, name: *const u16, module: *mut Module) -> i32);
windows_link::link!("kernel32.dll" "system" fn GetModuleHandleW(name: *const u16) -> Module);
windows_link::link!("kernel32.dll" "system" fn GetProcAddress(module: Module, name: *const c_char) -> *const c_void);

/// In Wine (8, for one) `FlushProcessWriteBuffers` is a stub, and the function cannot say so.
pub(crate) fn register_barrier() -> bool {
    !is_wine()
}

pub(crate) fn issue_barrier() -> bool {
    // SAFETY: takes nothing and cannot fail.
    unsafe { FlushProcessWriteBuffers() };
    true
}

pub(crate) fn pin() {
    module(PIN);
}

/// The file, as the loader tells it.
pub(crate) fn library_path() -> Option<String> {
    let module = module(UNCHANGED_REFCOUNT)?;
    let mut name = vec![0; LONGEST_PATH];
    // SAFETY: writes at most LONGEST_PATH units.
    let length = unsafe { GetModuleFileNameW(module, name.as_mut_ptr(), LONGEST_PATH as u32) };
    name.truncate(length as usize);
    (!name.is_empty()).then(|| String::from_utf16_lossy(&name))
}

/// The image that this code lies in.
fn module(flags: u32) -> Option<Module> {
    let here = module as fn(u32) -> Option<Module> as *const u16;
    let mut module = ptr::null_mut();
    // SAFETY: with FROM_ADDRESS the name is an address in the image; `module` is written.
    let found = unsafe { GetModuleHandleExW(FROM_ADDRESS | flags, here, &raw mut module) } != 0;
    found.then_some(module)
}

fn is_wine() -> bool {
    let name: Vec<u16> = "ntdll.dll\0".encode_utf16().collect();
    // SAFETY: a string that ends with 0; ntdll is in every process.
    let ntdll = unsafe { GetModuleHandleW(name.as_ptr()) };
    // SAFETY: the loader's own module, and a C string.
    !ntdll.is_null() && !unsafe { GetProcAddress(ntdll, c"wine_get_version".as_ptr()) }.is_null()
}
