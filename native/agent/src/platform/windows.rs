//! Windows: `FlushProcessWriteBuffers`, what the loader knows of images, and of threads.

use std::ffi::{CStr, c_char, c_void};
use std::ptr;
use std::time::Duration;

type Module = *mut c_void;
type Handle = *mut c_void;

const PIN: u32 = 1;
const UNCHANGED_REFCOUNT: u32 = 2;
const FROM_ADDRESS: u32 = 4;

const QUERY_LIMITED_INFORMATION: u32 = 0x800;

/// So many modules are room enough for most processes.
const MODULES: usize = 256;

/// The longest path that Windows has, in UTF-16 units.
const LONGEST_PATH: usize = 1 << 15;

windows_link::link!("kernel32.dll" "system" fn FlushProcessWriteBuffers());
windows_link::link!("kernel32.dll" "system" fn GetModuleFileNameW(module: Module, name: *mut u16, size: u32) -> u32);
windows_link::link!("kernel32.dll" "system" fn GetModuleHandleExA(flags: u32, name: *const c_char, module: *mut Module) -> i32);
windows_link::link!("kernel32.dll" "system" fn GetModuleHandleExW(flags: u32, name: *const u16, module: *mut Module) -> i32);
windows_link::link!("kernel32.dll" "system" fn GetModuleHandleW(name: *const u16) -> Module);
windows_link::link!("kernel32.dll" "system" fn GetProcAddress(module: Module, name: *const c_char) -> *const c_void);
windows_link::link!("kernel32.dll" "system" fn FreeLibrary(module: Module) -> i32);
windows_link::link!("kernel32.dll" "system" fn K32EnumProcessModules(process: Handle, modules: *mut Module, size: u32, needed: *mut u32) -> i32);
windows_link::link!("kernel32.dll" "system" fn GetCurrentProcess() -> Handle);
windows_link::link!("kernel32.dll" "system" fn ReadProcessMemory(process: Handle, address: *const c_void, into: *mut c_void, size: usize, read: *mut usize) -> i32);
windows_link::link!("kernel32.dll" "system" fn GetCurrentThreadId() -> u32);
windows_link::link!("kernel32.dll" "system" fn OpenThread(access: u32, inherit: i32, id: u32) -> Handle);
windows_link::link!("kernel32.dll" "system" fn CloseHandle(handle: Handle) -> i32);
windows_link::link!("kernel32.dll" "system" fn GetThreadTimes(thread: Handle, created: *mut u64, ended: *mut u64, kernel: *mut u64, user: *mut u64) -> i32);
windows_link::link!("kernel32.dll" "system" fn GetSystemTimeAsFileTime(now: *mut u64));

/// In Wine (8, for one) `FlushProcessWriteBuffers` is a stub, and the function cannot say so.
pub(crate) fn has_barrier() -> bool {
    !is_wine()
}

pub(crate) fn issue_barrier() -> bool {
    // SAFETY: takes nothing and cannot fail.
    unsafe { FlushProcessWriteBuffers() };
    true
}

pub(crate) fn pin() {
    module_of(here(), PIN);
}

/// The file, as the loader tells it.
pub(crate) fn library_path() -> Option<String> {
    let module = module_of(here(), UNCHANGED_REFCOUNT)?;
    let mut name = vec![0; LONGEST_PATH];
    // SAFETY: writes at most LONGEST_PATH units.
    let length = unsafe { GetModuleFileNameW(module, name.as_mut_ptr(), LONGEST_PATH as u32) };
    name.truncate(length as usize);
    (!name.is_empty()).then(|| String::from_utf16_lossy(&name))
}

/// What is called `name` in the image that `address` lies in.
pub(crate) fn symbol_beside(address: *const c_void, name: &CStr) -> Option<*const c_void> {
    Library::around(address)?.symbol(name)
}

/// What is called `name` in any image of the process, of several in the one that was loaded first.
pub(crate) fn visible_symbol(name: &CStr) -> Option<*const c_void> {
    modules()
        .into_iter()
        .find_map(|address| Library::around(address)?.symbol(name))
}

/// One that is loaded, and stays so as long as this is there.
pub(crate) struct Library(Module);

impl Library {
    pub(crate) fn loaded_from(file: &CStr) -> Option<Self> {
        let mut module = ptr::null_mut();
        // SAFETY: a C string; `module` is written.
        let found = unsafe { GetModuleHandleExA(0, file.as_ptr(), &raw mut module) } != 0;
        found.then(|| Self(module))
    }

    /// The one that `address` lies in.
    fn around(address: *const c_void) -> Option<Self> {
        module_of(address, 0).map(Self)
    }

    pub(crate) fn symbol(&self, name: &CStr) -> Option<*const c_void> {
        // SAFETY: an image that is loaded, and a C string.
        let found = unsafe { GetProcAddress(self.0, name.as_ptr()) };
        (!found.is_null()).then_some(found)
    }
}

impl Drop for Library {
    fn drop(&mut self) {
        // SAFETY: a module that was counted when it was found, once.
        unsafe { FreeLibrary(self.0) };
    }
}

/// Where the images of the process lie; those that come meanwhile may be missing.
fn modules() -> Vec<Module> {
    let mut modules = vec![ptr::null_mut(); MODULES];
    loop {
        let (size, mut needed) = (size_of_val(&*modules) as u32, 0);
        // SAFETY: takes nothing and cannot fail.
        let process = unsafe { GetCurrentProcess() };
        // SAFETY: writes into `modules`, no more than it holds, and `needed`.
        let is_told = unsafe {
            K32EnumProcessModules(process, modules.as_mut_ptr(), size, &raw mut needed) != 0
        };
        let count = needed as usize / size_of::<Module>();
        if !is_told || count <= modules.len() {
            modules.truncate(if is_told { count } else { 0 });
            return modules;
        }
        modules.resize(count, ptr::null_mut());
    }
}

pub(crate) fn read_each<const SIZE: usize>(addresses: &[usize]) -> Vec<Option<[u8; SIZE]>> {
    addresses.iter().map(|address| read(*address)).collect()
}

fn read<const SIZE: usize>(address: usize) -> Option<[u8; SIZE]> {
    let (mut copy, mut count) = ([0; SIZE], 0);
    let (from, to) = (address as *const c_void, copy.as_mut_ptr().cast());
    // SAFETY: takes nothing and cannot fail.
    let process = unsafe { GetCurrentProcess() };
    // SAFETY: writes into `copy` and `count` alone; where there is nothing to read the system says so.
    let done = unsafe { ReadProcessMemory(process, from, to, SIZE, &raw mut count) } != 0;
    (done && count == SIZE).then_some(copy)
}

pub(crate) fn current_thread_id() -> u32 {
    // SAFETY: takes nothing and cannot fail.
    unsafe { GetCurrentThreadId() }
}

pub(crate) fn thread_start(id: u32) -> Option<Duration> {
    // SAFETY: any number will do.
    let thread = unsafe { OpenThread(QUERY_LIMITED_INFORMATION, 0, id) };
    if thread.is_null() {
        return None;
    }
    let (mut created, mut others) = (0, [0; 3]);
    let [ended, kernel, user] = &mut others;
    // SAFETY: an open handle, and places of eight bytes each.
    let is_told = unsafe { GetThreadTimes(thread, &raw mut created, ended, kernel, user) } != 0;
    // SAFETY: that handle, once.
    unsafe { CloseHandle(thread) };
    is_told.then(|| file_time(created))
}

/// The VM is asked.
pub(crate) fn thread_cpu_nanos(_: u32) -> Option<i64> {
    None
}

pub(crate) fn moment() -> Option<Duration> {
    let mut now = 0;
    // SAFETY: writes `now`.
    unsafe { GetSystemTimeAsFileTime(&raw mut now) };
    Some(file_time(now))
}

/// In ticks of 100 ns.
fn file_time(ticks: u64) -> Duration {
    Duration::from_nanos(ticks.saturating_mul(100))
}

/// An address in this image.
fn here() -> *const c_void {
    here as fn() -> *const c_void as *const c_void
}

/// The image that `address` lies in.
fn module_of(address: *const c_void, flags: u32) -> Option<Module> {
    let mut module = ptr::null_mut();
    let address = address.cast();
    // SAFETY: with FROM_ADDRESS the name is an address; `module` is written.
    let found = unsafe { GetModuleHandleExW(FROM_ADDRESS | flags, address, &raw mut module) } != 0;
    found.then_some(module)
}

fn is_wine() -> bool {
    let name: Vec<u16> = "ntdll.dll\0".encode_utf16().collect();
    // SAFETY: a string that ends with 0; ntdll is in every process.
    let ntdll = unsafe { GetModuleHandleW(name.as_ptr()) };
    // SAFETY: the loader's own module, and a C string.
    !ntdll.is_null() && !unsafe { GetProcAddress(ntdll, c"wine_get_version".as_ptr()) }.is_null()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_symbol_is_found_where_it_is_and_nowhere_else() {
        let found = visible_symbol(c"GetCurrentThreadId").unwrap();
        // SAFETY: what has that name is that function.
        let function: extern "system" fn() -> u32 = unsafe { std::mem::transmute(found) };
        assert_eq!(function(), current_thread_id());
        assert_eq!(visible_symbol(c"no such symbol"), None);
        let library = Library::loaded_from(c"kernel32.dll").unwrap();
        assert!(library.symbol(c"GetCurrentThreadId").is_some());
        assert!(library.symbol(c"no such symbol").is_none());
        assert!(Library::loaded_from(c"no such file.dll").is_none());
    }

    #[test]
    fn all_images_are_listed() {
        let ours = module_of(here(), UNCHANGED_REFCOUNT).unwrap();
        assert!(modules().contains(&ours));
    }
}
