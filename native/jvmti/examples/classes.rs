//! Prints each class that is loaded, and how long its class file is:
//! `java -agentpath:target/debug/examples/libclasses.so …`

#![forbid(unsafe_code)]

use jni::JavaVM;
use jvmti::event::ClassFileLoadHook;
use jvmti::sys::{Event, EventMode};
use jvmti::{Agent, Env, Listener, OwnedEnv, Result};

struct Classes;

impl Agent for Classes {
    type Error = jvmti::Error;

    fn on_load(vm: &JavaVM, _options: &str) -> Result<()> {
        let env = OwnedEnv::open(vm)?.leak();
        env.listen::<Self>()?;
        env.set_event_notification_mode(EventMode::ENABLE, Event::CLASS_FILE_LOAD_HOOK, None)
    }
}

impl Listener for Classes {
    fn class_file_load_hook(_: &Env, _: &mut jni::Env<'_>, event: ClassFileLoadHook<'_>) {
        let name = event
            .name
            .map_or("a hidden class".into(), |name| name.to_str());
        println!("{:7} {name}", event.class_data.len());
    }
}

jvmti::agent!(Classes);
