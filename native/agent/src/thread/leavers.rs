//! Threads that are to leave a frame, for those who tell threads of events.
//!
//! HotSpot has a thread leave the Java that it runs next. Who is suspended on the way to a listener stands, as the VM sees
//! it, in the frame of the application, and would leave the listener in its place. So who is in a listener is not told to
//! leave; and who may have been told to leave the frame where he is, before he was in one, is not told of the event.

use std::sync::atomic::{AtomicBool, Ordering, fence};
use std::sync::{Mutex, MutexGuard, PoisonError};

use jni::Env;
use jni::objects::JThread;
use jvmti::FrameInfo;

use crate::environment::gate::{Inside, Me};
use crate::environment::listening;
use crate::failure::{Failure, Outcome};
use crate::thread::native_thread;

const LISTENING: &str =
    "the thread is being told of an event, and the JVM would crash: let it run a little";

/// Of more the first ones are forgotten: they have left long ago, or stand still.
const MOST: usize = 1 << 14;

struct Leaver {
    thread: usize,
    frame: FrameInfo,
    /// What was held back there since, and from whom. The VM tells all environments of one event before it goes on.
    held_back: Option<(usize, Vec<u64>)>,
}

/// Held for moments in which nobody calls the VM.
static LEAVERS: Mutex<Vec<Leaver>> = Mutex::new(Vec::new());
static ANY: AtomicBool = AtomicBool::new(false);

/// Known as about to leave; dropped, it is not any more.
pub(super) struct Announced(Option<usize>);

/// Says that `thread`, which is suspended in `frame`, is to leave that. Refused if it is in a listener.
pub(super) fn announce(
    jni: &mut Env<'_>,
    env: &Inside,
    thread: &JThread<'_>,
    frame: FrameInfo,
) -> Outcome<Announced> {
    let mut announced = Announced(None);
    if let Some(me) = native_thread::me(jni, env, thread)? {
        announced.0 = Some(me.address());
        add(me.address(), frame);
        // Whoever begins to listen looks here afterwards: one of the two sees the other.
        fence(Ordering::SeqCst);
        if listening::is_in_one(me) {
            return Err(Failure::State(LISTENING.to_owned()));
        }
    }
    Ok(announced)
}

impl Announced {
    /// It has been told to.
    pub(super) fn keep(mut self) {
        self.0 = None;
    }
}

impl Drop for Announced {
    fn drop(&mut self) {
        if let Some(thread) = self.0 {
            remove(&mut leavers(), thread);
        }
    }
}

/// Whether the current thread may be about to leave the frame in which it is to be told of an event of that kind, by
/// that environment. `frame` is where it is, as the VM sees it.
pub(crate) fn holds_back(
    me: Me,
    kind: usize,
    handle: u64,
    frame: impl FnOnce() -> Option<FrameInfo>,
) -> bool {
    ANY.load(Ordering::SeqCst) && held_back(me.address(), kind, handle, frame)
}

#[cold]
fn held_back(
    thread: usize,
    kind: usize,
    handle: u64,
    frame: impl FnOnce() -> Option<FrameInfo>,
) -> bool {
    if !leavers().iter().any(|one| one.thread == thread) {
        return false;
    }
    let here = frame();
    let mut leavers = leavers();
    let Some(one) = leavers.iter_mut().find(|one| one.thread == thread) else {
        return false;
    };
    let holds_back = here == Some(one.frame) && one.holds_back(kind, handle);
    if !holds_back {
        // It has left, and is elsewhere or there again.
        remove(&mut leavers, thread);
    }
    holds_back
}

fn add(thread: usize, frame: FrameInfo) {
    let mut leavers = leavers();
    remove(&mut leavers, thread);
    if leavers.len() == MOST {
        leavers.remove(0);
    }
    let held_back = None;
    leavers.push(Leaver {
        thread,
        frame,
        held_back,
    });
    ANY.store(true, Ordering::SeqCst);
}

fn remove(leavers: &mut Vec<Leaver>, thread: usize) {
    leavers.retain(|one| one.thread != thread);
    ANY.store(!leavers.is_empty(), Ordering::SeqCst);
}

fn leavers() -> MutexGuard<'static, Vec<Leaver>> {
    LEAVERS.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Leaver {
    /// The first event, and the same of other environments; what comes after that is another one.
    fn holds_back(&mut self, kind: usize, handle: u64) -> bool {
        let (known, handles) = self.held_back.get_or_insert_with(|| (kind, Vec::new()));
        let is_same = *known == kind && !handles.contains(&handle);
        if is_same {
            handles.push(handle);
        }
        is_same
    }
}

#[cfg(test)]
mod tests {
    use jvmti::MethodId;

    use super::*;

    fn me(number: usize) -> Me {
        Me::new(std::ptr::without_provenance_mut((number + 9_000) << 10))
    }

    fn at(location: i64) -> FrameInfo {
        // SAFETY: it is compared, and never given to a VM.
        let method = unsafe { MethodId::from_raw(std::ptr::without_provenance_mut(8)) };
        FrameInfo { method, location }
    }

    /// In one test, for they are those of the process.
    #[test]
    fn the_first_event_where_it_stands_is_held_back_once_for_each_environment() {
        let here = || Some(at(5));
        assert!(!holds_back(me(1), 3, 1, here));
        add(me(1).address(), at(5));
        assert!(!holds_back(me(2), 3, 1, here), "another thread");
        assert!(holds_back(me(1), 3, 1, here));
        assert!(holds_back(me(1), 3, 2, here), "another environment");
        assert!(!holds_back(me(1), 3, 1, here), "the next event");
        assert!(!holds_back(me(1), 3, 2, here), "it has left");
        add(me(1).address(), at(5));
        assert!(!holds_back(me(1), 3, 1, || Some(at(6))), "elsewhere");
        add(me(1).address(), at(5));
        assert!(holds_back(me(1), 3, 1, here));
        assert!(!holds_back(me(1), 4, 1, here), "another kind of event");
        add(me(1).address(), at(5));
        drop(Announced(Some(me(1).address())));
        assert!(!holds_back(me(1), 3, 1, here));
        assert!(leavers().is_empty());
    }
}
