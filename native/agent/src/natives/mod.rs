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
        class: jni_str!("CapabilityNatives"),
        methods: capabilities::methods,
        optional: false,
    },
    Group {
        class: jni_str!("DumpNatives"),
        methods: dump::methods,
        optional: false,
    },
    Group {
        class: jni_str!("FrameNatives"),
        methods: frame::methods,
        optional: false,
    },
    Group {
        class: jni_str!("GeneralNatives"),
        methods: general::methods,
        optional: false,
    },
    Group {
        class: jni_str!("HeapNatives"),
        methods: heap::methods,
        optional: false,
    },
    Group {
        class: jni_str!("MethodNatives"),
        methods: method::methods,
        optional: false,
    },
    Group {
        class: jni_str!("ObjectNatives"),
        methods: object::methods,
        optional: false,
    },
    Group {
        class: jni_str!("SuspensionNatives"),
        methods: suspension::methods,
        optional: false,
    },
    Group {
        class: jni_str!("ThreadNatives"),
        methods: thread::methods,
        optional: false,
    },
    Group {
        class: jni_str!("ThreadGroupNatives"),
        methods: thread_group::methods,
        optional: false,
    },
    Group {
        class: jni_str!("TimerNatives"),
        methods: timer::methods,
        optional: false,
    },
    Group {
        class: jni_str!("SelfTestNatives"),
        methods: self_test::methods,
        optional: true,
    },
];
