//! Functions that walk over the heap.

use jni::objects::{JClass, JObject};
use jvmti::sys::{HeapFilter, HeapObjectFilter};
use jvmti::{Env, HeapCount};

use super::call;
use super::numbers::NUMBERS;
use super::victims::Victims;

type Named<'v, T> = (&'v str, Option<&'v T>);

const NO_CLASS: Named<'static, JClass<'static>> = ("none", None);

/// Each filter once, and each class and object: a walk over the whole heap takes long.
pub(super) fn attack(env: &Env, victims: &Victims) {
    let everything = HeapFilter::empty();
    let classes = victims.classes.iter();
    let classes = classes.map(|class| (class.name.as_str(), Some(&**class)));
    for (name, class) in classes.chain([("none", None)]) {
        through(env, everything, (name, class));
        along(
            env,
            everything,
            (name, class),
            ("null", Some(&JObject::null())),
        );
    }
    for object in &victims.objects {
        along(env, everything, NO_CLASS, (&object.name, Some(object)));
        let count = &mut HeapCount::default();
        let _ = call!(
            object.name,
            Env::iterate_over_objects_reachable_from_object(env, object, count)
        );
    }
    for class in &victims.classes {
        let count = &mut HeapCount::default();
        let filter = HeapObjectFilter::EITHER;
        let about = format!("{}, filter {}", class.name, filter.0);
        let _ = call!(
            about,
            Env::iterate_over_instances_of_class(env, class, filter, count)
        );
    }
    filters(env, victims);
    along(env, everything, NO_CLASS, ("none", None));
    let count = &mut HeapCount::default();
    let _ = call!("", Env::iterate_over_reachable_objects(env, count));
}

fn filters(env: &Env, victims: &Victims) {
    let a_class = victims.classes.last().expect("a few");
    for bits in NUMBERS {
        through(env, HeapFilter::from_bits_retain(bits), NO_CLASS);
        along(
            env,
            HeapFilter::from_bits_retain(bits),
            NO_CLASS,
            ("none", None),
        );
        let count = &mut HeapCount::default();
        let _ = call!(
            bits,
            Env::iterate_over_heap(env, HeapObjectFilter(bits), count)
        );
        let filter = HeapObjectFilter(bits);
        let about = format!("{}, filter {bits}", a_class.name);
        let _ = call!(
            about,
            Env::iterate_over_instances_of_class(env, a_class, filter, count)
        );
    }
}

fn through(env: &Env, filter: HeapFilter, (name, class): Named<'_, JClass<'_>>) {
    let count = &mut HeapCount::default();
    let about = format!("filter {}, {name}", filter.bits());
    let _ = call!(about, Env::iterate_through_heap(env, filter, class, count));
}

fn along(
    env: &Env,
    filter: HeapFilter,
    (class_name, class): Named<'_, JClass<'_>>,
    (name, initial): Named<'_, JObject<'_>>,
) {
    let count = &mut HeapCount::default();
    let about = format!("filter {}, {class_name}, {name}", filter.bits());
    let _ = call!(
        about,
        Env::follow_references(env, filter, class, initial, count)
    );
}
