//! The natives, one group per Java class; each row is checked against its Rust function when
//! compiled, and registered when a copy of the Java classes binds itself.

mod capabilities;
mod dump;
mod frame;
mod general;
mod heap;
mod method;
mod object;
pub(crate) mod probe;
mod row;
mod self_test;
mod suspension;
mod thread;
mod thread_group;
mod timer;
mod values;

use jni::jni_str;

use crate::boundary::context::Group;

const GROUPS: &[Group] = &[
    Group {
        class: jni_str!("environment/CapabilityNatives"),
        methods: capabilities::methods,
        optional: false,
    },
    Group {
        class: jni_str!("dump/DumpNatives"),
        methods: dump::methods,
        optional: false,
    },
    Group {
        class: jni_str!("stack/FrameNatives"),
        methods: frame::methods,
        optional: false,
    },
    Group {
        class: jni_str!("environment/GeneralNatives"),
        methods: general::methods,
        optional: false,
    },
    Group {
        class: jni_str!("object/HeapNatives"),
        methods: heap::methods,
        optional: false,
    },
    Group {
        class: jni_str!("code/MethodNatives"),
        methods: method::methods,
        optional: false,
    },
    Group {
        class: jni_str!("object/ObjectNatives"),
        methods: object::methods,
        optional: false,
    },
    Group {
        class: jni_str!("thread/SuspensionNatives"),
        methods: suspension::methods,
        optional: false,
    },
    Group {
        class: jni_str!("thread/ThreadNatives"),
        methods: thread::methods,
        optional: false,
    },
    Group {
        class: jni_str!("thread/ThreadGroupNatives"),
        methods: thread_group::methods,
        optional: false,
    },
    Group {
        class: jni_str!("system/TimerNatives"),
        methods: timer::methods,
        optional: false,
    },
    Group {
        class: jni_str!("SelfTestNatives"),
        methods: self_test::methods,
        optional: true,
    },
];
