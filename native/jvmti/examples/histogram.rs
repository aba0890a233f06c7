//! Prints, when the VM ends, what is in its heap: `java -agentpath:target/debug/examples/libhistogram.so …`

use jni::JavaVM;
use jvmti::event::VmDeath;
use jvmti::sys::{Capabilities, Capability, Event, EventMode, HeapFilter, HeapVisitControl};
use jvmti::{Agent, Env, HeapObject, HeapVisitor, Listener, OwnedEnv, Result};

struct Histogram;

impl Agent for Histogram {
    type Error = jvmti::Error;

    fn on_load(vm: &JavaVM, _options: &str) -> Result<()> {
        let env = OwnedEnv::open(vm)?.leak();
        let mut wanted = Capabilities::empty();
        wanted.insert(Capability::CAN_TAG_OBJECTS);
        env.add_capabilities(&wanted)?;
        env.listen::<Self>()?;
        env.set_event_notification_mode(EventMode::ENABLE, Event::VM_DEATH, None)
    }
}

impl Listener for Histogram {
    fn vm_death(env: &Env, jni: &mut jni::Env<'_>, _: VmDeath<'_>) {
        match histogram(env, jni) {
            Ok(lines) => print!("{lines}"),
            Err(error) => eprintln!("no histogram: {error}"),
        }
    }
}

/// How many objects there are of each class, by its tag, and of how many bytes.
struct Count(Vec<(u64, u64)>);

// SAFETY: it only counts: no call into the VM, and it waits for nobody.
unsafe impl HeapVisitor for Count {
    fn object(&mut self, object: HeapObject<'_>) -> HeapVisitControl {
        let class = usize::try_from(object.class_tag).unwrap_or(0);
        if let Some((objects, bytes)) = self.0.get_mut(class) {
            *objects += 1;
            *bytes += object.size;
        }
        HeapVisitControl::OBJECTS
    }
}

fn histogram(env: &Env, jni: &mut jni::Env<'_>) -> Result<String> {
    let classes = env.loaded_classes(jni)?;
    for (number, class) in classes.iter().enumerate() {
        env.set_tag(class, number as i64 + 1)?;
    }
    let mut count = Count(vec![(0, 0); classes.len() + 1]);
    env.iterate_through_heap(HeapFilter::empty(), None, &mut count)?;
    let mut all = Vec::new();
    for (class, (objects, bytes)) in classes.iter().zip(count.0.into_iter().skip(1)) {
        let (name, _) = env.class_signature(class)?;
        all.push((bytes, objects, name));
    }
    all.sort_by_key(|(bytes, _, _)| std::cmp::Reverse(*bytes));
    let lines = all.iter().take(20).map(|(bytes, objects, name)| {
        format!(
            "{bytes:12} bytes in {objects:9} objects of {}\n",
            name.to_str()
        )
    });
    Ok(lines.collect())
}

jvmti::agent!(Histogram);
