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
const MOST: usize = 1 << 10;

struct Leaver {
    thread: usize,
    frame: FrameInfo,
    /// What was held back there since, and from whom: of one event the VM may tell several environments, and of another
    /// one after it, before the thread goes on.
    held_back: Vec<(usize, u64)>,
}

/// Held for moments in which nobody calls the VM.
static LEAVERS: Mutex<Vec<Leaver>> = Mutex::new(Vec::new());
static ANY: AtomicBool = AtomicBool::new(false);

/// Known as about to leave; dropped, it is what it was before.
pub(super) struct Announced(Option<(usize, Option<Leaver>)>);

/// Says that `thread`, which is suspended in `frame`, is to leave that. Refused if it is in a listener.
pub(super) fn announce(
    jni: &mut Env<'_>,
    env: &Inside,
    thread: &JThread<'_>,
    frame: FrameInfo,
) -> Outcome<Announced> {
    let mut announced = Announced(None);
    if let Some(me) = native_thread::me(jni, env, thread)? {
        announced.0 = Some((me.address(), add(me.address(), frame)));
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
        if let Some((thread, before)) = self.0.take() {
            let mut leavers = leavers();
            remove(&mut leavers, thread);
            leavers.extend(before);
            ANY.store(!leavers.is_empty(), Ordering::SeqCst);
        }
    }
}

/// Whether the current thread may be about to leave the frame in which it is to be told of an event of that kind, by
/// that environment. `frame` is where it is, as the VM sees it; none: in no frame at all.
pub(crate) fn holds_back(
    me: Me,
    kind: usize,
    handle: u64,
    frame: impl FnOnce() -> Outcome<Option<FrameInfo>>,
) -> bool {
    ANY.load(Ordering::SeqCst) && held_back(me.address(), kind, handle, frame)
}

#[cold]
fn held_back(
    thread: usize,
    kind: usize,
    handle: u64,
    frame: impl FnOnce() -> Outcome<Option<FrameInfo>>,
) -> bool {
    if !leavers().iter().any(|one| one.thread == thread) {
        return false;
    }
    let here = frame();
    let mut leavers = leavers();
    let Some(one) = leavers.iter_mut().find(|one| one.thread == thread) else {
        return false;
    };
    // Who cannot tell where it is may be there.
    let is_elsewhere = here.is_ok_and(|here| here != Some(one.frame));
    let holds_back = !is_elsewhere && one.holds_back(kind, handle);
    if !holds_back {
        // It has left, and is elsewhere or there again.
        remove(&mut leavers, thread);
    }
    holds_back
}

/// Answers what was known of it before.
fn add(thread: usize, frame: FrameInfo) -> Option<Leaver> {
    let mut leavers = leavers();
    let before = remove(&mut leavers, thread);
    if leavers.len() == MOST {
        leavers.remove(0);
    }
    leavers.push(Leaver {
        thread,
        frame,
        held_back: Vec::new(),
    });
    ANY.store(true, Ordering::SeqCst);
    before
}

fn remove(leavers: &mut Vec<Leaver>, thread: usize) -> Option<Leaver> {
    let place = leavers.iter().position(|one| one.thread == thread)?;
    let removed = leavers.remove(place);
    ANY.store(!leavers.is_empty(), Ordering::SeqCst);
    Some(removed)
}

fn leavers() -> MutexGuard<'static, Vec<Leaver>> {
    LEAVERS.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Leaver {
    /// What comes once more comes after the thread has left.
    fn holds_back(&mut self, kind: usize, handle: u64) -> bool {
        let is_new = !self.held_back.contains(&(kind, handle));
        if is_new {
            self.held_back.push((kind, handle));
        }
        is_new
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
    fn what_happens_where_it_stands_is_held_back_once_for_each_environment() {
        let here = || Ok(Some(at(5)));
        assert!(!holds_back(me(1), 3, 1, here));
        add(me(1).address(), at(5));
        assert!(!holds_back(me(2), 3, 1, here), "another thread");
        assert!(holds_back(me(1), 3, 1, here));
        assert!(holds_back(me(1), 3, 2, here), "another environment");
        assert!(!holds_back(me(1), 3, 1, here), "the next event");
        assert!(!holds_back(me(1), 3, 2, here), "it has left");
        add(me(1).address(), at(5));
        let elsewhere = || Ok(Some(at(6)));
        assert!(!holds_back(me(1), 3, 1, elsewhere));
        assert!(!holds_back(me(1), 3, 1, here));
        add(me(1).address(), at(5));
        assert!(!holds_back(me(1), 3, 1, || Ok(None)), "it ends");
        add(me(1).address(), at(5));
        assert!(holds_back(me(1), 3, 1, || Err(Failure::Closed)));
        assert!(holds_back(me(1), 4, 1, here), "another kind of event");
        assert!(!holds_back(me(1), 4, 1, here));
        // The first one is still to come if another one is refused.
        add(me(1).address(), at(5));
        let before = add(me(1).address(), at(7));
        drop(Announced(Some((me(1).address(), before))));
        assert!(holds_back(me(1), 3, 1, here));
        drop(Announced(Some((me(1).address(), None))));
        assert!(!holds_back(me(1), 3, 1, here));
        assert!(leavers().is_empty());
    }
}
