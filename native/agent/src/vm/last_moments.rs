//! How threads of the library wait once the VM is about to end.
//!
//! HotSpot ends only after 0.3 s if a thread is in native code then, whatever it does there: it could be on its way into
//! the VM. So from then on they wait in the VM, for a moment at a time: in the dead phase no lock of JVM TI's does for that.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use jni::signature::{Primitive, ReturnType};
use jni::sys::jvalue;
use jni::{Env, jni_sig, jni_str};

use crate::failure::Outcome;
use crate::vm::jdk::{JdkStaticMethod, THREAD};

/// For who is asked for something by those who still run.
pub(crate) const MOMENT: Duration = Duration::from_millis(10);
/// For who is asked for nothing any more: there may be hundreds.
pub(crate) const LONG_MOMENT: Duration = Duration::from_secs(1);

/// `Thread.sleep(long)`.
static SLEEP: JdkStaticMethod =
    JdkStaticMethod::new(&THREAD, jni_str!("sleep"), jni_sig!((jlong) -> void));

static BEGUN: AtomicBool = AtomicBool::new(false);

/// Whoever waits in native code has to be woken after this.
pub(crate) fn begin() {
    BEGUN.store(true, Ordering::SeqCst);
}

pub(crate) fn have_begun() -> bool {
    BEGUN.load(Ordering::SeqCst)
}

/// Waits so long, with no lock. Who waits in the VM keeps nobody from ending it.
pub(crate) fn rest(jni: &mut Env<'_>, moment: Duration) {
    let rested = rest_in_the_vm(jni, moment);
    jni.exception_clear();
    if rested.is_err() {
        // Not for long: it is in native code.
        thread::sleep(MOMENT);
    }
}

fn rest_in_the_vm(jni: &mut Env<'_>, moment: Duration) -> Outcome<()> {
    let sleep = SLEEP.id(jni)?;
    let class = THREAD.get(jni)?;
    let nothing = ReturnType::Primitive(Primitive::Void);
    let moment = [jvalue {
        j: moment.as_millis() as i64,
    }];
    // SAFETY: the method is static, of `Thread`, and takes a long.
    unsafe { jni.call_static_method_unchecked(class, sleep, nothing, &moment) }?;
    Ok(())
}
