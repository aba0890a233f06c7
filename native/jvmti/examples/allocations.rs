//! Prints, when the VM ends, of which classes most bytes were allocated, by samples of about 512 KiB or whatever the
//! option says: `java -agentpath:target/debug/examples/liballocations.so=65536 …`

#![forbid(unsafe_code)]

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use jni::JavaVM;
use jvmti::event::{SampledObjectAlloc, VmDeath};
use jvmti::sys::{Capabilities, Capability, Event, EventMode};
use jvmti::{Agent, Env, Listener, OwnedEnv};

struct Allocations;

/// How many bytes the sampled objects of each class stand for, and how many there were.
#[derive(Default)]
struct Samples(Mutex<HashMap<String, (i64, u32)>>);

impl Agent for Allocations {
    type Error = Box<dyn std::error::Error>;

    fn on_load(vm: &JavaVM, options: &str) -> Result<(), Self::Error> {
        let interval = match options {
            "" => 512 << 10,
            given => given.parse()?,
        };
        let env = OwnedEnv::open(vm)?.leak();
        let mut wanted = Capabilities::empty();
        wanted.insert(Capability::CAN_GENERATE_SAMPLED_OBJECT_ALLOC_EVENTS);
        env.add_capabilities(&wanted)?;
        env.set_data(&*Box::leak(Box::<Samples>::default()))?;
        env.set_heap_sampling_interval(interval)?;
        env.listen::<Self>()?;
        for event in [Event::SAMPLED_OBJECT_ALLOC, Event::VM_DEATH] {
            env.set_event_notification_mode(EventMode::ENABLE, event, None)?;
        }
        Ok(())
    }
}

impl Listener for Allocations {
    fn sampled_object_alloc(env: &Env, _: &mut jni::Env<'_>, event: SampledObjectAlloc<'_>) {
        let (Some(samples), Ok((class, _))) = (
            env.data::<Samples>(),
            env.class_signature(&event.object_klass),
        ) else {
            return;
        };
        let mut samples = samples.0.lock().unwrap_or_else(PoisonError::into_inner);
        let of_class = samples.entry(class.to_str().into_owned()).or_default();
        of_class.0 += event.size;
        of_class.1 += 1;
    }

    fn vm_death(env: &Env, _: &mut jni::Env<'_>, _: VmDeath<'_>) {
        let Some(samples) = env.data::<Samples>() else {
            return;
        };
        let samples = samples.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut all: Vec<_> = samples.iter().collect();
        all.sort_by_key(|(_, (bytes, _))| -bytes);
        for (class, (bytes, number)) in all.iter().take(20) {
            println!("{bytes:12} bytes in {number:6} samples of {class}");
        }
    }
}

jvmti::agent!(Allocations);
