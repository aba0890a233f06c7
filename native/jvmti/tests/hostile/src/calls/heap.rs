//! Functions that walk over the heap.

use jni::objects::{JClass, JObject};
use jvmti::sys::{HeapFilter, HeapObjectFilter};
use jvmti::{Env, HeapCount};

use super::call;
use super::numbers::NUMBERS;
use super::victims::Victims;

/// Each filter once, and each class and object: a walk over the whole heap takes long.
pub(super) fn attack(env: &Env, victims: &Victims) {
    let everything = HeapFilter::empty();
    let classes = victims.classes.iter();
    let classes = classes.map(|class| (class.name.as_str(), Some(&**class)));
    for (name, class) in classes.chain([("any", None)]) {
        through(env, name, everything, class);
        along(env, name, everything, class, Some(&JObject::null()));
    }
    for object in &victims.objects {
        along(env, &object.name, everything, None, Some(object));
        let count = &mut HeapCount::default();
        let _ = call!(
            object.name,
            Env::iterate_over_objects_reachable_from_object(env, object, count)
        );
    }
    for class in &victims.classes {
        let count = &mut HeapCount::default();
        let filter = HeapObjectFilter::EITHER;
        let _ = call!(
            class.name,
            Env::iterate_over_instances_of_class(env, class, filter, count)
        );
    }
    for bits in NUMBERS {
        through(env, "any", HeapFilter::from_bits_retain(bits), None);
        let count = &mut HeapCount::default();
        let _ = call!(
            bits,
            Env::iterate_over_heap(env, HeapObjectFilter(bits), count)
        );
    }
    along(env, "any", everything, None, None);
    let count = &mut HeapCount::default();
    let _ = call!("", Env::iterate_over_reachable_objects(env, count));
}

fn through(env: &Env, name: &str, filter: HeapFilter, class: Option<&JClass<'_>>) {
    let count = &mut HeapCount::default();
    let about = format!("{name}, filter {filter:?}");
    let _ = call!(about, Env::iterate_through_heap(env, filter, class, count));
}

fn along(
    env: &Env,
    name: &str,
    filter: HeapFilter,
    class: Option<&JClass<'_>>,
    initial: Option<&JObject<'_>>,
) {
    let count = &mut HeapCount::default();
    let _ = call!(
        name,
        Env::follow_references(env, filter, class, initial, count)
    );
}
