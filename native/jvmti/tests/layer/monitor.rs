use std::ffi::{c_char, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;

use jni::sys::jobject;
use jvmti::sys::{self, jrawMonitorID};
use jvmti::{Error, RawMonitor};

use crate::fake::{Fake, every_way, seen, slot, with_jni};

fn monitor(number: usize) -> jrawMonitorID {
    ptr::without_provenance_mut(number)
}

slot!(CreateRawMonitor(name: *const c_char) -> (created: jrawMonitorID = monitor(0x40)));
slot!(DestroyRawMonitor(monitor: jrawMonitorID) -> ());
slot!(RawMonitorEnter(monitor: jrawMonitorID) -> ());
slot!(RawMonitorExit(monitor: jrawMonitorID) -> ());
slot!(RawMonitorWait(monitor: jrawMonitorID, millis: i64) -> ());
slot!(RawMonitorNotify(monitor: jrawMonitorID) -> ());
slot!(RawMonitorNotifyAll(monitor: jrawMonitorID) -> ());

/// It answers on a thread that the VM knows, and is no call that a test is about.
unsafe extern "system" fn known(
    _: *mut sys::Env,
    _: jobject,
    data: *mut *mut c_void,
) -> sys::Error {
    // SAFETY: the layer lends a place for it.
    unsafe { *data = ptr::null_mut() };
    sys::Error::NONE
}

unsafe extern "system" fn unknown(_: *mut sys::Env, _: jobject, _: *mut *mut c_void) -> sys::Error {
    sys::Error::UNATTACHED_THREAD
}

fn fake() -> Fake {
    fake_on(known)
}

fn fake_on(thread: sys::functions::GetThreadLocalStorage) -> Fake {
    Fake::new(|table| {
        table.GetThreadLocalStorage = Some(thread);
        table.CreateRawMonitor = Some(CreateRawMonitor);
        table.DestroyRawMonitor = Some(DestroyRawMonitor);
        table.RawMonitorEnter = Some(RawMonitorEnter);
        table.RawMonitorExit = Some(RawMonitorExit);
        table.RawMonitorWait = Some(RawMonitorWait);
        table.RawMonitorNotify = Some(RawMonitorNotify);
        table.RawMonitorNotifyAll = Some(RawMonitorNotifyAll);
    })
}

/// What `act` calls with a monitor that there is.
fn calls(
    fake: &Fake,
    act: impl FnOnce(&mut jni::Env<'_>, &RawMonitor<'_>),
) -> Vec<(&'static str, Vec<i64>)> {
    let monitor = fake.env().create_raw_monitor(c"name").unwrap();
    fake.calls();
    with_jni(|jni| act(jni, &monitor));
    let calls = fake.calls();
    drop(monitor);
    assert_eq!(fake.calls(), [("DestroyRawMonitor", vec![0x40])]);
    calls
}

#[test]
fn create_raw_monitor_passes_the_name() {
    let (monitor, arguments) = every_way(
        "CreateRawMonitor",
        |table| table.CreateRawMonitor = Some(CreateRawMonitor),
        |env| env.create_raw_monitor(c"a name").map(Forget::forget),
    );
    assert_eq!(monitor, "RawMonitor(0x40)");
    assert_eq!(arguments, [1]);
    assert_eq!(seen().last().unwrap().as_c_str(), c"a name");
}

/// A monitor that is not destroyed, as text.
trait Forget {
    fn forget(self) -> String;
}

impl Forget for RawMonitor<'_> {
    fn forget(self) -> String {
        let text = format!("{self:?}");
        std::mem::forget(self);
        text
    }
}

#[test]
fn a_monitor_is_destroyed_once_and_tells_how_that_went() {
    let fake = fake();
    let monitor = fake.env().create_raw_monitor(c"").unwrap();
    fake.calls();
    assert_eq!(monitor.destroy(), Ok(()));
    assert_eq!(fake.calls(), [("DestroyRawMonitor", vec![0x40])]);
    let monitor = fake.env().create_raw_monitor(c"").unwrap();
    fake.fail(sys::Error::NOT_MONITOR_OWNER);
    assert_eq!(
        monitor.destroy(),
        Err(Error::new(
            "DestroyRawMonitor",
            sys::Error::NOT_MONITOR_OWNER
        ))
    );
}

#[test]
fn what_is_entered_is_left_after_the_action() {
    let fake = fake();
    let calls = calls(&fake, |jni, monitor| {
        let held = monitor.hold(jni, |_| {
            assert_eq!(fake.calls(), [("RawMonitorEnter", vec![0x40])]);
            7
        });
        assert_eq!(held, Ok(7));
    });
    assert_eq!(calls, [("RawMonitorExit", vec![0x40])]);
}

#[test]
fn what_is_entered_is_left_by_a_panic() {
    let fake = fake();
    let calls = calls(&fake, |jni, monitor| {
        let unwound = catch_unwind(AssertUnwindSafe(|| monitor.hold(jni, |_| panic!("inside"))));
        assert!(unwound.is_err());
    });
    let names: Vec<_> = calls.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, ["RawMonitorEnter", "RawMonitorExit"]);
}

#[test]
fn what_cannot_be_entered_is_not_left() {
    let fake = fake();
    let calls = calls(&fake, |jni, monitor| {
        fake.fail(sys::Error::INVALID_MONITOR);
        let held = monitor.hold(jni, |_| panic!("it is not entered"));
        assert_eq!(
            held,
            Err(Error::new("RawMonitorEnter", sys::Error::INVALID_MONITOR))
        );
        fake.fail(sys::Error::NONE);
    });
    assert_eq!(calls, [("RawMonitorEnter", vec![0x40])]);
}

#[test]
fn how_it_was_left_is_told() {
    let fake = fake();
    calls(&fake, |jni, monitor| {
        let held = monitor.hold(jni, |_| fake.fail(sys::Error::NOT_MONITOR_OWNER));
        assert_eq!(
            held,
            Err(Error::new("RawMonitorExit", sys::Error::NOT_MONITOR_OWNER))
        );
        fake.fail(sys::Error::NONE);
    });
}

#[test]
fn waiting_and_notifying_name_the_monitor() {
    let fake = fake();
    let calls = calls(&fake, |_, monitor| {
        assert_eq!(monitor.wait(i64::MAX), Ok(()));
        assert_eq!(monitor.notify(), Ok(()));
        assert_eq!(monitor.notify_all(), Ok(()));
    });
    assert_eq!(
        calls,
        [
            ("RawMonitorWait", vec![0x40, i64::MAX]),
            ("RawMonitorNotify", vec![0x40]),
            ("RawMonitorNotifyAll", vec![0x40]),
        ]
    );
}

#[test]
fn what_the_vm_refuses_is_named_after_its_function() {
    let fake = fake();
    calls(&fake, |_, monitor| {
        fake.fail(sys::Error::INTERRUPT);
        let refused = |function| Err(Error::new(function, sys::Error::INTERRUPT));
        assert_eq!(monitor.wait(1), refused("RawMonitorWait"));
        assert_eq!(monitor.notify(), refused("RawMonitorNotify"));
        assert_eq!(monitor.notify_all(), refused("RawMonitorNotifyAll"));
        fake.fail(sys::Error::NONE);
    });
}

/// HotSpot takes it for the owner that nobody is.
#[test]
fn a_thread_that_the_vm_does_not_know_is_refused() {
    let fake = fake_on(unknown);
    let monitor = fake.env().create_raw_monitor(c"a name").unwrap();
    fake.calls();
    let refused = |function| Some(Error::new(function, sys::Error::UNATTACHED_THREAD));
    let held = with_jni(|jni| monitor.hold(jni, |_| panic!("it is not entered")).err());
    assert_eq!(held, refused("RawMonitorEnter"));
    assert_eq!(monitor.wait(1).err(), refused("RawMonitorWait"));
    assert_eq!(monitor.notify().err(), refused("RawMonitorNotify"));
    assert_eq!(monitor.notify_all().err(), refused("RawMonitorNotifyAll"));
    assert_eq!(monitor.destroy().err(), refused("DestroyRawMonitor"));
    assert_eq!(fake.calls(), [], "the VM is not asked");
}

unsafe extern "system" fn too_early(
    _: *mut sys::Env,
    _: jobject,
    _: *mut *mut c_void,
) -> sys::Error {
    sys::Error::WRONG_PHASE
}

#[test]
fn before_there_are_threads_it_is_made_and_destroyed_only() {
    let fake = fake_on(too_early);
    let calls = calls(&fake, |jni, monitor| {
        let refused = Error::new("RawMonitorEnter", sys::Error::WRONG_PHASE);
        assert_eq!(monitor.hold(jni, |_| ()), Err(refused));
    });
    assert_eq!(calls, []);
}
