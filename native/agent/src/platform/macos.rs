//! macOS: no barrier that reaches other threads, so that the way in carries its fence; memory is read by Mach.

use std::time::Duration;

use super::dynamic_linker::image_name;

pub(crate) fn has_barrier() -> bool {
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

unsafe extern "C" {
    fn mach_vm_read_overwrite(
        task: libc::mach_port_t,
        address: u64,
        size: u64,
        data: u64,
        read: *mut u64,
    ) -> libc::c_int;
    static mach_task_self_: libc::mach_port_t;
}

pub(crate) fn read_each<const SIZE: usize>(addresses: &[usize]) -> Vec<Option<[u8; SIZE]>> {
    addresses.iter().map(|address| read(*address)).collect()
}

fn read<const SIZE: usize>(address: usize) -> Option<[u8; SIZE]> {
    let (mut copy, mut count) = ([0; SIZE], 0);
    let (size, data) = (SIZE as u64, copy.as_mut_ptr() as u64);
    // SAFETY: the port of this task, which the system has set before any code ran.
    let task = unsafe { mach_task_self_ };
    // SAFETY: writes into `copy` and `count` alone; where there is nothing to read the kernel says so.
    let answer =
        unsafe { mach_vm_read_overwrite(task, address as u64, size, data, &raw mut count) };
    (answer == 0 && count == size).then_some(copy)
}

/// The port, as the VM has it.
pub(crate) fn current_thread_id() -> u32 {
    // SAFETY: takes the calling thread's own handle.
    unsafe { libc::pthread_mach_thread_np(libc::pthread_self()) }
}

/// Not kept.
pub(crate) fn thread_start(_: u32) -> Option<Duration> {
    None
}

/// The VM is asked.
pub(crate) fn thread_cpu_nanos(_: u32) -> Option<i64> {
    None
}

/// Of what is not kept.
pub(crate) fn moment() -> Option<Duration> {
    None
}
