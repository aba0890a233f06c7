//! Linux: `membarrier` and `process_vm_readv`, which a kernel or a sandbox may refuse, and `/proc`.

use std::fs;
use std::time::Duration;

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

pub(crate) fn read_memory(address: usize, into: &mut [u8]) -> bool {
    let local = libc::iovec {
        iov_base: into.as_mut_ptr().cast(),
        iov_len: into.len(),
    };
    let remote = libc::iovec {
        iov_base: address as *mut libc::c_void,
        iov_len: into.len(),
    };
    // SAFETY: writes into `into` alone; where there is nothing to read the kernel says so.
    let read = unsafe { libc::process_vm_readv(libc::getpid(), &local, 1, &remote, 1, 0) };
    usize::try_from(read) == Ok(into.len())
}

pub(crate) fn current_thread_id() -> u32 {
    // SAFETY: takes nothing and cannot fail.
    unsafe { libc::syscall(libc::SYS_gettid) as u32 }
}

pub(crate) fn thread_age(id: u32) -> Option<Duration> {
    let stat = fs::read(format!("/proc/self/task/{id}/stat")).ok()?;
    let started = started(&stat)?;
    let mut now = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: takes a name.
    let ticks_a_second = unsafe { libc::sysconf(libc::_SC_CLK_TCK) };
    // SAFETY: writes `now`.
    let is_told = unsafe { libc::clock_gettime(libc::CLOCK_BOOTTIME, &raw mut now) } == 0;
    let a_tick = Duration::from_secs(1).checked_div(u32::try_from(ticks_a_second).ok()?)?;
    let now = Duration::new(now.tv_sec.try_into().ok()?, now.tv_nsec.try_into().ok()?);
    // The tick in which it has started may be later than it.
    is_told.then(|| now.saturating_sub(a_tick.saturating_mul(started)))
}

/// In ticks since the system has started: the 22nd word of `stat`, whose second is a name in parentheses.
fn started(stat: &[u8]) -> Option<u32> {
    let name_ends = stat.iter().rposition(|byte| *byte == b')')?;
    let rest = str::from_utf8(&stat[name_ends + 1..]).ok()?;
    rest.split_ascii_whitespace().nth(19)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_read_where_there_is_some() {
        let word = 42u64;
        let mut read = [0; 8];
        assert!(read_memory(&raw const word as usize, &mut read));
        assert_eq!(u64::from_ne_bytes(read), 42);
        assert!(!read_memory(8, &mut read));
    }

    #[test]
    fn a_name_may_be_anything() {
        let stat = b"7 (a) b) 1 () S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 42 43";
        assert_eq!(started(stat), Some(19));
        assert_eq!(started(b""), None);
        assert_eq!(started(b"7 (a) S 1"), None);
    }

    #[test]
    fn this_thread_is_young() {
        let age = thread_age(current_thread_id()).unwrap();
        assert!(age < Duration::from_secs(3600), "{age:?}");
        assert_eq!(thread_age(u32::MAX), None);
    }
}
