//! Linux: `membarrier`, which a kernel or a sandbox may refuse.

const PRIVATE_EXPEDITED: libc::c_int = 1 << 3;
const REGISTER_PRIVATE_EXPEDITED: libc::c_int = 1 << 4;

pub(crate) fn register_barrier() -> bool {
    call(REGISTER_PRIVATE_EXPEDITED) && issue_barrier()
}

pub(crate) fn issue_barrier() -> bool {
    call(PRIVATE_EXPEDITED)
}

/// The file is linked `-z nodelete`.
pub(crate) fn pin() {}

fn call(command: libc::c_int) -> bool {
    // SAFETY: membarrier takes integers only and touches no memory of ours.
    unsafe { libc::syscall(libc::SYS_membarrier, command, 0, 0) == 0 }
}
