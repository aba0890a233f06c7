//! Functions that take numbers and text, in any phase and on any thread.

use std::ffi::CString;

use jni::objects::JThread;
use jvmti::sys::{self, Capabilities};
use jvmti::{Env, Error, FrameInfo, MethodId};

use super::call;
use super::victims::tell;

pub(super) static NUMBERS: [i32; 9] = [
    i32::MIN,
    i32::MIN + 1,
    -2,
    -1,
    0,
    1,
    2,
    i32::MAX - 1,
    i32::MAX,
];

pub(super) const DEPTHS: [u32; 5] = [0, 1, 1_000, i32::MAX as u32, u32::MAX];

pub(super) const SLOTS: [u16; 3] = [0, 1, u16::MAX];

pub(super) fn attack(env: &Env) {
    general(env);
    capabilities(env);
    events(env);
    properties(env);
    class_loader_searches(env);
    prefixes(env);
    memory(env);
    extensions(env);
    jni_functions(env);
    timers(env);
    on_the_current_thread(env);
    on_no_thread(env);
    no_method(env);
}

fn general(env: &Env) {
    let _ = call!("", Env::version_number(env));
    let _ = call!("", Env::major_version(env));
    let _ = call!("", Env::phase(env));
    let _ = call!("", Env::jlocation_format(env));
    for code in NUMBERS.into_iter().chain(3..200) {
        let name = call!(code, Env::error_name(env, sys::Error(code)));
        let _ = call!(code, Error::new("GetErrorName", sys::Error(code))).to_string();
        drop(name);
    }
    for value in [i64::MIN, -1, 1, i64::MAX, 0] {
        let _ = call!(value, Env::set_environment_local_storage(env, value));
        let _ = call!(value, Env::environment_local_storage(env));
    }
    let _ = call!("a number", Env::set_data(env, &NUMBERS));
    let of_another_type = call!("text", Env::data::<&str>(env));
    assert_eq!(of_another_type, None);
    for value in [i64::MIN, -1, 1, 1 << 27, 1 << 28, i64::MAX, 0] {
        let _ = env.set_environment_local_storage(value);
        let _ = call!(value, Env::data::<[i32; 9]>(env));
    }
    for flag in NUMBERS.into_iter().chain(3..10) {
        let _ = call!(
            flag,
            Env::set_verbose_flag(env, sys::VerboseFlag(flag), true)
        );
        let _ = call!(
            flag,
            Env::set_verbose_flag(env, sys::VerboseFlag(flag), false)
        );
    }
}

/// Gives back only what it has added.
fn capabilities(env: &Env) {
    let held = call!("", Env::capabilities(env)).unwrap_or(Capabilities::empty());
    let _ = call!("", Env::potential_capabilities(env));
    for bits in (0..64).map(|bit| 1 << bit).chain([0, u64::MAX]) {
        let some = Capabilities::from_bits(bits);
        let _ = call!(bits, Env::add_capabilities(env, &some));
        let some = some.difference(&held);
        let _ = call!(bits, Env::relinquish_capabilities(env, &some));
    }
}

fn events(env: &Env) {
    let _ = call!("", Env::clear_event_callbacks(env));
    for event in NUMBERS.into_iter().chain(40..100).map(sys::Event) {
        for mode in NUMBERS.map(sys::EventMode) {
            let about = format!("mode {}, event {}, none", mode.0, event.0);
            let _ = call!(
                about,
                Env::set_event_notification_mode(env, mode, event, None)
            );
        }
        let off = sys::EventMode::DISABLE;
        let _ = env.set_event_notification_mode(off, event, None);
        let _ = call!(event.0, Env::generate_events(env, event));
    }
    for bytes in [1, u32::MAX, 1 << 31, i32::MAX as u32, 0, 512 << 10] {
        let _ = call!(bytes, Env::set_heap_sampling_interval(env, bytes));
    }
}

/// Sets what is there to what it is: the VM believes what it is told before it starts.
fn properties(env: &Env) {
    let own = call!("", Env::system_properties(env)).unwrap_or_default();
    let own = own
        .iter()
        .map(|name| ("an own one", name.as_cstr().to_owned()));
    for (about, name) in odd_texts().into_iter().chain(own) {
        let value = call!(about, Env::system_property(env, &name));
        let value = value.map_or_else(|_| c"none".to_owned(), |value| value.as_cstr().to_owned());
        let _ = call!(about, Env::set_system_property(env, &name, &value));
    }
    for (about, value) in odd_texts() {
        let about = format!("of nobody, {about}");
        let _ = call!(about, Env::set_system_property(env, c"hostile", &value));
    }
}

/// None of them is an archive, so nothing is added but before the VM starts, when it would look into all of them.
fn class_loader_searches(env: &Env) {
    if env.phase() == Ok(sys::Phase::ONLOAD) {
        let file = c"/no such.jar";
        let _ = call!("none", Env::add_to_bootstrap_class_loader_search(env, file));
        let _ = call!("none", Env::add_to_system_class_loader_search(env, file));
        return;
    }
    let files = [
        c"/",
        c"/dev/zero",
        c"/dev/stdin",
        c"/proc/self/maps",
        c"/etc/passwd",
    ];
    let files = files.map(|file| ("no archive", file.to_owned()));
    for (about, file) in odd_texts().into_iter().chain(files) {
        let _ = call!(about, Env::add_to_bootstrap_class_loader_search(env, &file));
        let _ = call!(about, Env::add_to_system_class_loader_search(env, &file));
    }
}

/// In the end there are none.
fn prefixes(env: &Env) {
    let odd = odd_texts();
    let all: Vec<_> = odd.iter().map(|(_, prefix)| prefix.as_c_str()).collect();
    let _ = call!("all", Env::set_native_method_prefixes(env, &all));
    let _ = call!("none", Env::set_native_method_prefixes(env, &[]));
    for (about, prefix) in &odd {
        let _ = call!(about, Env::set_native_method_prefixes(env, &[prefix]));
        let _ = call!(about, Env::set_native_method_prefix(env, Some(prefix)));
    }
    let _ = call!("none", Env::set_native_method_prefix(env, None));
    let _ = call!("none", Env::set_native_method_prefixes(env, &[]));
}

/// With what each is called.
pub(super) fn odd_texts() -> Vec<(&'static str, CString)> {
    let long = CString::new("x".repeat(100_000)).expect("no zero");
    let odd = [
        ("an empty text", c""),
        ("a zero", c"\xC0\x80"),
        ("java.home", c"java.home"),
        ("four bytes", c"\xF0\x9F\x98\x80"),
        ("no text", c"\xFF\xED\xA0"),
    ];
    let odd = odd.map(|(name, text)| (name, text.to_owned()));
    let all: Vec<_> = odd.into_iter().chain([("a long text", long)]).collect();
    tell("CStr", all.iter().map(|(name, _)| *name));
    all
}

fn extensions(env: &Env) {
    let _ = call!("", Env::extension_functions(env));
    let _ = call!("", Env::extension_events(env));
    let _ = call!("", Env::is_class_unloading_enabled(env));
}

/// What is written into a copy nobody sees.
fn jni_functions(env: &Env) {
    if let Ok(mut table) = call!("", Env::jni_function_table(env)) {
        assert!(table.iter().any(|function| !function.is_null()));
        table.fill(std::ptr::null_mut());
    }
}

/// Little of it, or more than there can be.
fn memory(env: &Env) {
    for length in [
        0,
        1,
        100_000,
        isize::MAX as usize,
        usize::MAX - 1,
        usize::MAX,
    ] {
        if let Ok(mut memory) = call!(length, Env::allocate(env, length)) {
            assert!(memory.iter().all(|&byte| byte == 0));
            memory.fill(1);
        }
    }
}

fn timers(env: &Env) {
    let _ = call!("", Env::time(env));
    let _ = call!("", Env::timer_info(env));
    let _ = call!("", Env::current_thread_cpu_time(env));
    let _ = call!("", Env::current_thread_cpu_timer_info(env));
    let _ = call!("", Env::thread_cpu_timer_info(env));
    let _ = call!("", Env::available_processors(env));
}

fn on_the_current_thread(env: &Env) {
    for value in [i64::MIN, -1, 1, i64::MAX, 0] {
        let _ = call!(value, Env::set_thread_local_storage(env, value));
        let _ = call!(value, Env::thread_local_storage(env));
    }
    inspect(env, "none", None);
}

/// What can be asked of a thread without a JNI environment.
pub(super) fn inspect(env: &Env, name: &str, thread: Option<&JThread<'_>>) {
    let _ = call!(name, Env::thread_state(env, thread));
    let _ = call!(name, Env::thread_cpu_time(env, thread));
    let _ = call!(name, Env::frame_count(env, thread));
    let _ = call!(name, Env::clear_all_frame_pops(env, thread));
    for depth in DEPTHS {
        let about = format!("{name}, depth {depth}");
        let _ = call!(about, Env::frame_location(env, thread, depth));
        let _ = call!(about, Env::notify_frame_pop(env, thread, depth));
        for room in [0, 1, 5_000] {
            let about = format!("{name}, depth {depth}, room {room}");
            let mut frames = vec![FrameInfo::NONE; room];
            let _ = call!(about, Env::stack_trace(env, thread, depth, &mut frames));
        }
        for slot in SLOTS {
            let about = format!("{name}, depth {depth}, slot {slot}");
            let _ = call!(about, Env::local_int(env, thread, depth, slot));
            let _ = call!(about, Env::local_long(env, thread, depth, slot));
            let _ = call!(about, Env::local_float(env, thread, depth, slot));
            let _ = call!(about, Env::local_double(env, thread, depth, slot));
        }
    }
}

fn on_no_thread(env: &Env) {
    let null = JThread::null();
    let nulls = [JThread::null(), JThread::null()];
    let _ = call!("null", Env::resume_thread(env, &null));
    let _ = call!("null", Env::interrupt_thread(env, &null));
    for threads in [&nulls[..0], &nulls[..1], &nulls] {
        for length in [0, 1, 2] {
            let about = format!("{} nulls, {length} results", threads.len());
            let mut results = vec![sys::Error::NONE; length];
            let _ = call!(about, Env::suspend_thread_list(env, threads, &mut results));
            let _ = call!(about, Env::resume_thread_list(env, threads, &mut results));
        }
    }
    for most in [0, 1, u32::MAX] {
        let about = format!("nulls, at most {most}");
        let _ = call!(about, Env::thread_list_stack_traces(env, &nulls, most));
        let _ = call!(about, Env::thread_list_stack_traces(env, &[], most));
    }
    let _ = call!("nulls", Env::suspend_all_virtual_threads(env, &nulls));
    let _ = call!("nulls", Env::resume_all_virtual_threads(env, &nulls));
}

fn no_method(env: &Env) {
    method(env, "none", MethodId::NONE);
}

/// What can be asked of a method without a JNI environment.
pub(super) fn method(env: &Env, name: &str, method: MethodId) {
    let _ = call!(name, MethodId::as_raw(method));
    let _ = call!(name, Env::method_name(env, method));
    let _ = call!(name, Env::method_modifiers(env, method));
    let _ = call!(name, Env::is_method_native(env, method));
    let _ = call!(name, Env::is_method_synthetic(env, method));
    let _ = call!(name, Env::is_method_obsolete(env, method));
    let _ = call!(name, Env::max_locals(env, method));
    let _ = call!(name, Env::arguments_size(env, method));
    let _ = call!(name, Env::method_location(env, method));
    let _ = call!(name, Env::bytecodes(env, method));
    let _ = call!(name, Env::line_number_table(env, method));
    let _ = call!(name, Env::local_variable_table(env, method));
    for location in [i64::MIN, -1, 0, 1, i64::MAX] {
        let about = format!("{name}, location {location}");
        let _ = call!(about, Env::clear_breakpoint(env, method, location));
    }
}
