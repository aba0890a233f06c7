//! What every way into the image does first.

use jni::sys::JavaVM;
use jvmti::sys;

use crate::boundary::context;
use crate::entry::startup;
use crate::environment::jni_counters::{self, JniCounters};
use crate::environment::local_storage::LocalStorage;
use crate::environment::prefixes::Prefixes;
use crate::environment::raw_monitors::{self, RawMonitors};
use crate::environment::undone::Undone;
use crate::environment::{changes, death, freed, gate, slots, spares, undone};
use crate::event::breakpoints::Breakpoints;
use crate::event::early;
use crate::event::subscriptions::{self, Subscriptions};
use crate::event::watches::Watches;
use crate::failure;
use crate::platform;
use crate::thread::ledger::Ledger;
use crate::thread::own_code;
use crate::thread::storage::{self, Storage};
use crate::thread::suspension::ForATime;
use crate::vm::image::{self, Origin};
use crate::vm::left_behind;
use crate::vm::memory;
use crate::vm::steward::{self, Chore};

/// What is undone when an environment is closed, in this order. To resume what is in the ledger takes
/// nobody; the rest may take until the watchdog runs.
const UNDONE: &[&dyn Undone] = &[
    &LocalStorage,
    &RawMonitors,
    &JniCounters,
    &Storage,
    &Breakpoints,
    &Watches,
    &Ledger,
    &ForATime,
    &Prefixes,
    &Subscriptions,
];

/// What waits for nobody to ask for it: that a forgotten environment keeps threads suspended, or has listeners told, and memory, counters and
/// monitors that are unreachable by now, the environment of early events, those that are told of freed objects, and
/// those that nobody needs any more.
const CHORES: &[Chore] = &[
    Chore {
        wanted: undone::may_keep_any_suspended,
        round: |jni| changes::sweep_solo(jni),
    },
    Chore {
        wanted: subscriptions::is_any,
        round: |jni| subscriptions::sweep(jni),
    },
    Chore {
        wanted: early::is_over,
        round: |_| early::dispose(),
    },
    Chore {
        wanted: memory::is_any,
        round: |jni| memory::sweep_some(jni),
    },
    Chore {
        wanted: jni_counters::is_any,
        round: |jni| jni_counters::sweep_some(jni),
    },
    Chore {
        wanted: raw_monitors::is_any,
        round: |jni| raw_monitors::sweep_some(jni),
    },
    Chore {
        wanted: freed::is_any,
        round: |_| freed::mark(),
    },
    Chore {
        wanted: spares::are_many,
        round: |_| {
            spares::dispose_unneeded();
            Ok(())
        },
    },
];

/// Called with the VM's own pointer.
pub(super) fn arrive(vm: *mut JavaVM, origin: Origin) {
    failure::keep_panics_quiet();
    platform::pin();
    gate::prepare();
    undone::name(UNDONE);
    steward::look_after(CHORES);
    own_code::know(context::is_own);
    left_behind::remembered_is_forgotten_by(storage::forget_current);
    let callbacks = sys::EventCallbacks {
        VMInit: Some(startup::vm_init),
        VMDeath: Some(death::vm_death),
        ThreadEnd: Some(slots::thread_end),
        ..sys::EventCallbacks::default()
    };
    // SAFETY: every caller got the pointer from the VM, and no callback unwinds.
    unsafe { image::arrive(vm, origin, callbacks) };
}
