//! Linux: `membarrier` and `process_vm_readv`, which a kernel or a sandbox may refuse, and `/proc`.

use std::fs::File;
use std::io::Read;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// As many places as the kernel reads in one call.
const AT_ONCE: usize = 1024;

/// 52 numbers and a name of at most 16 bytes.
const STAT: usize = 52 * 21 + 18;

const QUERY: libc::c_int = 0;
const PRIVATE_EXPEDITED: libc::c_int = 1 << 3;
const REGISTER_PRIVATE_EXPEDITED: libc::c_int = 1 << 4;

/// Not registered by those who ask: with more than one thread that takes the kernel 10 ms.
pub(crate) fn has_barrier() -> bool {
    let needed = libc::c_long::from(PRIVATE_EXPEDITED | REGISTER_PRIVATE_EXPEDITED);
    let offered = membarrier(QUERY);
    offered > 0 && offered & needed == needed
}

pub(crate) fn issue_barrier() -> bool {
    static IS_REGISTERED: AtomicBool = AtomicBool::new(false);
    if !IS_REGISTERED.load(Ordering::Relaxed) {
        let registered = membarrier(REGISTER_PRIVATE_EXPEDITED) == 0;
        IS_REGISTERED.store(registered, Ordering::Relaxed);
    }
    membarrier(PRIVATE_EXPEDITED) == 0
}

/// The file is linked `-z nodelete`.
pub(crate) fn pin() {}

/// -1 where it is refused.
fn membarrier(command: libc::c_int) -> libc::c_long {
    // SAFETY: membarrier takes integers only and touches no memory of ours.
    unsafe { libc::syscall(libc::SYS_membarrier, command, 0, 0) }
}

pub(crate) fn read_each<const SIZE: usize>(addresses: &[usize]) -> Vec<Option<[u8; SIZE]>> {
    let mut read = vec![None; addresses.len()];
    for (addresses, read) in addresses.chunks(AT_ONCE).zip(read.chunks_mut(AT_ONCE)) {
        read_some(addresses, read);
    }
    read
}

/// At most as many as the kernel takes at once.
fn read_some<const SIZE: usize>(addresses: &[usize], read: &mut [Option<[u8; SIZE]>]) {
    let place = |address: &usize| libc::iovec {
        iov_base: *address as *mut libc::c_void,
        iov_len: SIZE,
    };
    let places: Vec<_> = addresses.iter().map(place).collect();
    let mut copies = vec![[0; SIZE]; places.len()];
    let mut at = 0;
    while at < places.len() {
        let (from, to) = (&places[at..], &mut copies[at..]);
        let local = libc::iovec {
            iov_base: to.as_mut_ptr().cast(),
            iov_len: size_of_val(to),
        };
        // SAFETY: writes into `copies` alone, and no more than it holds; the kernel stops where there is no memory.
        let bytes = unsafe {
            let count = from.len() as libc::c_ulong;
            libc::process_vm_readv(libc::getpid(), &raw const local, 1, from.as_ptr(), count, 0)
        };
        let done = usize::try_from(bytes).unwrap_or(0) / SIZE;
        for (read, copy) in read[at..].iter_mut().zip(&copies[at..at + done]) {
            *read = Some(*copy);
        }
        // The next one could not be read.
        at += done + 1;
    }
}

pub(crate) fn current_thread_id() -> u32 {
    // SAFETY: takes nothing and cannot fail.
    unsafe { libc::syscall(libc::SYS_gettid) as u32 }
}

pub(crate) fn thread_start(id: u32) -> Option<Duration> {
    // One read has it all, and who reads on pays for more calls than that.
    let mut stat = [0; STAT];
    let mut file = File::open(format!("/proc/self/task/{id}/stat")).ok()?;
    let length = file.read(&mut stat).ok()?;
    // SAFETY: takes a name.
    let ticks_a_second = unsafe { libc::sysconf(libc::_SC_CLK_TCK) };
    since_start(
        started(&stat[..length])?,
        u64::try_from(ticks_a_second).ok()?,
    )
}

pub(crate) fn moment() -> Option<Duration> {
    time(libc::CLOCK_BOOTTIME)
}

/// Each thread has a clock, which `pthread_getcpuclockid` makes of its number like this.
pub(crate) fn thread_cpu_nanos(id: u32) -> Option<i64> {
    const OF_ONE_THREAD: libc::clockid_t = 4;
    const SCHEDULED: libc::clockid_t = 2;
    /// A greater number would be another clock; no system has so many threads.
    const MOST: libc::clockid_t = libc::clockid_t::MAX >> 3;
    let id = libc::clockid_t::try_from(id).ok()?;
    let id = Some(id).filter(|id| (1..=MOST).contains(id))?;
    let time = time((!id << 3) | OF_ONE_THREAD | SCHEDULED)?;
    i64::try_from(time.as_nanos()).ok()
}

fn time(clock: libc::clockid_t) -> Option<Duration> {
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: writes `time`.
    let is_told = unsafe { libc::clock_gettime(clock, &raw mut time) } == 0;
    let (seconds, nanos) = (time.tv_sec.try_into().ok()?, time.tv_nsec.try_into().ok()?);
    is_told.then(|| Duration::new(seconds, nanos))
}

/// In ticks since the system has started: the 22nd word of `stat`, whose second is a name in parentheses.
fn started(stat: &[u8]) -> Option<u64> {
    let name_ends = stat.iter().rposition(|byte| *byte == b')')?;
    let rest = str::from_utf8(&stat[name_ends + 1..]).ok()?;
    rest.split_ascii_whitespace().nth(19)?.parse().ok()
}

fn since_start(ticks: u64, a_second: u64) -> Option<Duration> {
    let rest = ticks.checked_rem(a_second)? * 1_000_000_000 / a_second;
    Some(Duration::from_secs(ticks / a_second) + Duration::from_nanos(rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_read_where_there_is_some() {
        let words = [41u64, 42];
        let at = |word: &u64| &raw const *word as usize;
        let addresses: Vec<_> = (0..3 * AT_ONCE)
            .map(|place| match place % 3 {
                0 => at(&words[0]),
                1 => 8,
                _ => at(&words[1]),
            })
            .collect();
        let read = read_each::<8>(&addresses);
        let expected = [Some(41), None, Some(42)];
        for (place, read) in read.into_iter().enumerate() {
            assert_eq!(read.map(u64::from_ne_bytes), expected[place % 3]);
        }
    }

    #[test]
    fn a_name_may_be_anything() {
        let stat = b"7 (a) b) 1 () S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 42 43";
        assert_eq!(started(stat), Some(19));
        assert_eq!(started(b""), None);
        assert_eq!(started(b"7 (a) S 1"), None);
    }

    #[test]
    fn a_system_may_have_started_years_ago() {
        let stat = b"7 (a) S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 5000000025";
        assert_eq!(started(stat), Some(5_000_000_025));
        let years = Duration::from_millis(50_000_000_250);
        assert_eq!(since_start(5_000_000_025, 100), Some(years));
        assert_eq!(since_start(1, 0), None);
    }

    #[test]
    fn the_clock_of_this_thread_is_told_by_its_number() {
        let nanos = |clock| i64::try_from(time(clock).unwrap().as_nanos()).unwrap();
        let before = nanos(libc::CLOCK_THREAD_CPUTIME_ID);
        let told = thread_cpu_nanos(current_thread_id()).unwrap();
        let after = nanos(libc::CLOCK_THREAD_CPUTIME_ID);
        assert!((before..=after).contains(&told), "{before} {told} {after}");
        for none in [0, 1 << 27, i32::MAX as u32, u32::MAX] {
            assert_eq!(thread_cpu_nanos(none), None);
        }
    }

    #[test]
    fn this_thread_is_young() {
        let started = thread_start(current_thread_id()).unwrap();
        let age = moment().unwrap().saturating_sub(started);
        assert!(age < Duration::from_secs(3600), "{age:?}");
        assert_eq!(thread_start(u32::MAX), None);
    }
}
