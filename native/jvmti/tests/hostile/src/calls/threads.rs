//! Functions that take threads, and lists of threads.

use std::sync::mpsc;

use jni::objects::{JThread, JThrowable};
use jni::{Env as Jni, JavaVM};
use jvmti::sys::{self, ThreadState};
use jvmti::{Env, StackInfos};

use super::call;
use super::numbers::{DEPTHS, SLOTS, inspect};
use super::objects::use_it;
use super::victims::{ONE_OF_ALL, Victim, Victims};

/// How many local references the calls about one thread may make before they go.
const ROOM: usize = 256;

/// So many frames of a few dozen threads are a gigabyte at most; `u32::MAX` of them are no memory.
const MOST_FRAMES: [u32; 7] = [0, 1, 512, 1 << 10, 1 << 20, i32::MAX as u32, u32::MAX];

pub(super) fn attack_without_jni(env: &Env, victims: &Victims) {
    for thread in &victims.threads {
        inspect(env, &thread.name, Some(thread));
        for event in [
            sys::Event::THREAD_END,
            sys::Event::VM_INIT,
            sys::Event::SINGLE_STEP,
        ] {
            for mode in [sys::EventMode::ENABLE, sys::EventMode::DISABLE] {
                let about = format!("mode {}, event {}, {}", mode.0, event.0, thread.name);
                let one: Option<&JThread<'_>> = Some(thread);
                let _ = call!(
                    about,
                    Env::set_event_notification_mode(env, mode, event, one)
                );
            }
        }
    }
}

pub(super) fn attack(jni: &mut Jni<'_>, env: &Env, victims: &Victims) -> jni::errors::Result<()> {
    in_a_frame(jni, |jni| {
        let me = call!("", Env::current_thread(env, jni));
        use_it(env, jni, me.iter().map(AsRef::as_ref));
        let all = call!("", Env::all_threads(env, jni));
        use_it(env, jni, all.iter().flatten().map(AsRef::as_ref));
        references(env, jni, "none", None);
    })?;
    for thread in &victims.threads {
        in_a_frame(jni, |jni| references(env, jni, &thread.name, Some(thread)))?;
        let _ = call!(thread.name, Env::interrupt_thread(env, thread));
    }
    stacks(jni, env, victims)
}

/// What answers with references.
fn references(env: &Env, jni: &Jni<'_>, name: &str, thread: Option<&JThread<'_>>) {
    if let Ok(info) = call!(name, Env::thread_info(env, jni, thread)) {
        use_it(env, jni, info.thread_group.iter().map(AsRef::as_ref));
        use_it(
            env,
            jni,
            info.context_class_loader.iter().map(AsRef::as_ref),
        );
    }
    let owned = call!(name, Env::owned_monitor_info(env, jni, thread));
    use_it(env, jni, owned.iter().flatten());
    let owned = call!(name, Env::owned_monitor_stack_depth_info(env, jni, thread));
    use_it(env, jni, owned.iter().flatten().map(|one| &one.monitor));
    if let Some(thread) = thread {
        let found = call!(name, Env::virtual_thread(env, jni, thread));
        use_it(env, jni, found.iter().flatten().map(AsRef::as_ref));
    }
    let contended = call!(name, Env::current_contended_monitor(env, jni, thread));
    use_it(env, jni, contended.iter().flatten());
    for depth in DEPTHS {
        let about = format!("{name}, depth {depth}");
        let receiver = call!(about, Env::local_instance(env, jni, thread, depth));
        use_it(env, jni, receiver.iter().flatten());
        for slot in SLOTS {
            let about = format!("{name}, depth {depth}, slot {slot}");
            let object = call!(about, Env::local_object(env, jni, thread, depth, slot));
            use_it(env, jni, object.iter().flatten());
        }
    }
}

fn stacks(jni: &mut Jni<'_>, env: &Env, victims: &Victims) -> jni::errors::Result<()> {
    for most in MOST_FRAMES {
        in_a_frame(jni, |jni| {
            if let Ok(infos) = call!(most, Env::all_stack_traces(env, jni, most)) {
                look_at(env, jni, &infos);
            }
        })?;
        jni.with_local_frame(ROOM, |jni| -> jni::errors::Result<()> {
            let (names, all) = list(jni, &victims.threads, |_, _| Ok(true))?;
            for (name, one) in names.iter().zip(all.chunks(1)) {
                let about = format!("{name}, at most {most}");
                if let Ok(infos) = call!(about, Env::thread_list_stack_traces(env, one, most)) {
                    look_at(env, jni, &infos);
                }
            }
            for some in [&all[..], &all[1..]] {
                let about = format!("{} threads, at most {most}", some.len());
                if let Ok(infos) = call!(about, Env::thread_list_stack_traces(env, some, most)) {
                    look_at(env, jni, &infos);
                }
            }
            Ok(())
        })?;
    }
    Ok(())
}

fn look_at(env: &Env, jni: &Jni<'_>, infos: &StackInfos<'_>) {
    let _ = call!("", StackInfos::is_empty(infos));
    assert_eq!(
        call!("", StackInfos::len(infos)),
        call!("", StackInfos::iter(infos)).len()
    );
    for info in infos.iter() {
        use_it(env, jni, [info.thread.as_ref()]);
        assert!(info.frames.iter().all(|frame| frame.location >= -1));
    }
}

/// Suspends every thread but the calling one, looks at it, and resumes it; then all at once.
pub(super) fn suspend(jni: &mut Jni<'_>, env: &Env, victims: &Victims) -> jni::errors::Result<()> {
    jni.with_local_frame(ROOM, |jni| -> jni::errors::Result<()> {
        let me = env.current_thread(jni).expect("the phase is live");
        let (names, others) = list(jni, &victims.threads, |jni, thread| {
            Ok(!jni.is_same_object(&me, thread)?)
        })?;
        for (name, thread) in names.iter().zip(&others) {
            let about = format!("{name} (suspended)");
            if call!(name, Env::suspend_thread(env, Some(thread))).is_ok() {
                inspect(env, &about, Some(thread));
                in_a_frame(jni, |jni| references(env, jni, &about, Some(thread)))?;
            }
            let _ = call!(about, Env::resume_thread(env, thread));
            let _ = call!(name, Env::resume_thread(env, thread));
        }
        let many = format!("{} threads", others.len());
        let each = names.iter().copied().zip(others.chunks(1));
        for (about, some) in each.chain([(many.as_str(), &others[..])]) {
            let mut results = vec![sys::Error::NONE; some.len()];
            let _ = call!(about, Env::suspend_thread_list(env, some, &mut results));
            let _ = call!(about, Env::resume_thread_list(env, some, &mut results));
        }
        let (names, all) = list(jni, &victims.threads, |_, _| Ok(true))?;
        let each = names.iter().copied().zip(all.chunks(1));
        for (about, except) in each.chain([("nobody", &all[..0]), (many.as_str(), &others)]) {
            let _ = call!(about, Env::suspend_all_virtual_threads(env, except));
            let _ = call!(about, Env::resume_all_virtual_threads(env, except));
            let _ = call!("nobody", Env::resume_all_virtual_threads(env, &[]));
        }
        Ok(())
    })
}

/// A thread suspends itself, in each way there is, and another one resumes it.
pub(super) fn suspend_itself(vm: &JavaVM, env: &Env) {
    const ITSELF: &str = "the current thread";
    suspend_as(vm, env, |_| {
        let _ = call!("none", Env::suspend_thread(env, None));
    });
    suspend_as(vm, env, |me| {
        let _ = call!(ITSELF, Env::suspend_thread(env, Some(me)));
        let _ = call!(ITSELF, Env::resume_thread(env, me));
    });
    suspend_as(vm, env, |me| {
        let me = std::slice::from_ref(me);
        let results = &mut [sys::Error::NONE];
        let _ = call!(ITSELF, Env::suspend_thread_list(env, me, results));
        let _ = call!(ITSELF, Env::resume_thread_list(env, me, results));
    });
}

fn suspend_as(vm: &JavaVM, env: &Env, suspend: impl FnOnce(&JThread<'_>) + Send) {
    let (sender, receiver) = mpsc::channel();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            vm.attach_current_thread(|jni| -> jni::errors::Result<()> {
                let me = env.current_thread(jni).expect("the phase is live");
                sender
                    .send(jni.new_global_ref(&me)?)
                    .expect("it is received");
                suspend(&me);
                Ok(())
            })
        });
        let thread = receiver.recv().expect("it attaches");
        let is = |state: ThreadState| {
            env.thread_state(Some(&thread))
                .is_ok_and(|now| now.contains(state))
        };
        while !is(ThreadState::SUSPENDED) {
            std::thread::yield_now();
        }
        assert_eq!(
            call!("another one", Env::resume_thread(env, &thread)),
            Ok(())
        );
    });
}

/// Throws everything in every thread of the Java side but the calling one, and at last in that. Those
/// of the VM and the class library are left alone: without them the VM does not end.
pub(super) fn stop(jni: &mut Jni<'_>, env: &Env, victims: &Victims) -> jni::errors::Result<()> {
    jni.with_local_frame(ROOM, |jni| -> jni::errors::Result<()> {
        let me = env.current_thread(jni).expect("the phase is live");
        let (names, others) = list(jni, &victims.threads, |jni, thread| {
            Ok(!jni.is_same_object(&me, thread)?)
        })?;
        for throwable in &victims.throwables {
            let known = names.iter().zip(&others);
            for (name, thread) in known.filter(|(name, _)| **name != ONE_OF_ALL) {
                let about = format!("{name}, {}", throwable.name);
                let _ = call!(about, Env::stop_thread(env, thread, throwable));
            }
        }
        let error = victims.throwables.iter().find(|one| one.name == "an error");
        let error: &JThrowable<'_> = error.expect("it is among them");
        let stopped = call!(
            "the current thread, an error",
            Env::stop_thread(env, &me, error)
        );
        assert_eq!(stopped, Ok(()));
        Ok(())
    })
}

/// The names and local references of those that `which` chooses.
fn list<'l, 'v>(
    jni: &mut Jni<'l>,
    threads: &'v [Victim<JThread<'static>>],
    which: impl Fn(&Jni<'l>, &JThread<'_>) -> jni::errors::Result<bool>,
) -> jni::errors::Result<(Vec<&'v str>, Vec<JThread<'l>>)> {
    let mut names = Vec::new();
    let mut list = Vec::new();
    for thread in threads {
        if which(jni, thread)? {
            let local = match thread.is_null() {
                true => JThread::null(),
                false => jni
                    .new_local_ref::<&JThread<'_>>(thread)
                    .unwrap_or_default(),
            };
            names.push(thread.name.as_str());
            list.push(local);
        }
    }
    Ok((names, list))
}

fn in_a_frame(jni: &mut Jni<'_>, body: impl FnOnce(&Jni<'_>)) -> jni::errors::Result<()> {
    jni.with_local_frame(ROOM, |jni| -> jni::errors::Result<()> {
        body(jni);
        Ok(())
    })
}
