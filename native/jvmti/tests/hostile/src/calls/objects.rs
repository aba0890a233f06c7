//! Functions that take objects, classes, groups and methods.

use jni::Env as Jni;
use jni::objects::JObject;
use jvmti::{ClassDefinition, Env, Field, OwnedEnv};

use super::victims::Victims;
use super::{call, numbers};

/// How many local references each call may make before they go.
const ROOM: usize = 64;

/// How many methods and fields of a class are asked about.
const MEMBERS: usize = 20;

/// Bytes that are no class, with what they are called.
pub(super) const NO_CLASSES: [(&str, &[u8]); 4] = [
    ("no bytes", &[]),
    ("a text", b"no class file"),
    (
        "a class file that ends",
        &[0xCA, 0xFE, 0xBA, 0xBE, 0, 0, 0, 61, 0xFF, 0xFF],
    ),
    ("zeros", &[0; 100_000]),
];

pub(super) fn attack_without_jni(env: &Env, victims: &Victims) {
    for object in &victims.objects {
        let name = &object.name;
        let _ = call!(name, Env::object_size(env, object));
        let _ = call!(name, Env::object_hash_code(env, object));
        for tag in [i64::MIN, -1, 1, i64::MAX, 0, 42] {
            let about = format!("{name}, tag {tag}");
            let _ = call!(about, Env::set_tag(env, object, tag));
            let _ = call!(about, Env::tag(env, object));
        }
    }
    for class in &victims.classes {
        let name = &class.name;
        let _ = call!(name, Env::class_signature(env, class));
        let _ = call!(name, Env::source_file_name(env, class));
        let _ = call!(name, Env::source_debug_extension(env, class));
        let _ = call!(name, Env::class_status(env, class));
        let _ = call!(name, Env::is_modifiable_class(env, class));
        let _ = call!(name, Env::class_modifiers(env, class));
        let _ = call!(name, Env::is_interface(env, class));
        let _ = call!(name, Env::is_array_class(env, class));
        let _ = call!(name, Env::class_version_numbers(env, class));
        let _ = call!(name, Env::constant_pool(env, class));
        let methods = call!(name, Env::class_methods(env, class));
        for method in methods.into_iter().flatten().take(MEMBERS) {
            numbers::method(env, "a method of a class", method);
        }
        let fields = call!(name, Env::class_fields(env, class));
        for field in fields.into_iter().flatten().take(MEMBERS) {
            let _ = call!(name, Field::as_raw(field));
            let _ = call!(name, Env::field_name(env, field));
            let _ = call!(name, Env::field_modifiers(env, field));
            let _ = call!(name, Env::is_field_synthetic(env, field));
            let _ = call!(name, Env::clear_field_access_watch(env, field));
            let _ = call!(name, Env::set_field_access_watch(env, field));
            let _ = call!(name, Env::clear_field_access_watch(env, field));
            let _ = call!(name, Env::clear_field_modification_watch(env, field));
            let _ = call!(name, Env::set_field_modification_watch(env, field));
            let _ = call!(name, Env::clear_field_modification_watch(env, field));
        }
    }
    for (name, method) in &victims.methods {
        numbers::method(env, name, *method);
    }
}

pub(super) fn attack(jni: &mut Jni<'_>, env: &Env, victims: &Victims) -> jni::errors::Result<()> {
    for object in &victims.objects {
        jni.with_local_frame(ROOM, |jni| -> jni::errors::Result<()> {
            if let Ok(usage) = call!(object.name, Env::object_monitor_usage(env, jni, object)) {
                let waiters = usage.waiters.iter().chain(&usage.notify_waiters);
                use_it(env, jni, waiters.chain(&usage.owner).map(AsRef::as_ref));
            }
            Ok(())
        })?;
    }
    let one = [i64::MIN, -1, 0, 42, i64::MAX].map(|tag| (format!("tag {tag}"), vec![tag]));
    let lists = [vec![], vec![i64::MIN, i64::MAX], vec![42; 10_000]];
    let lists = lists.map(|tags| (format!("{} tags", tags.len()), tags));
    for (about, tags) in one.iter().chain(&lists) {
        jni.with_local_frame(ROOM, |jni| -> jni::errors::Result<()> {
            let tagged = call!(about, Env::objects_with_tags(env, jni, tags));
            use_it(env, jni, tagged.iter().flat_map(|tagged| &tagged.objects));
            Ok(())
        })?;
    }
    let _ = call!("", Env::force_garbage_collection(env));
    jni.with_local_frame(ROOM, |jni| -> jni::errors::Result<()> {
        let classes = call!("", Env::loaded_classes(env, jni));
        use_it(env, jni, classes.iter().flatten().map(AsRef::as_ref));
        Ok(())
    })?;
    for class in &victims.classes {
        jni.with_local_frame(ROOM, |jni| -> jni::errors::Result<()> {
            let loader = call!(class.name, Env::class_loader(env, jni, class));
            use_it(env, jni, loader.iter().flatten().map(AsRef::as_ref));
            let interfaces = call!(class.name, Env::implemented_interfaces(env, jni, class));
            use_it(env, jni, interfaces.iter().flatten().map(AsRef::as_ref));
            let fields = call!(class.name, Env::class_fields(env, class));
            for field in fields.into_iter().flatten().take(MEMBERS) {
                let declaring = call!(class.name, Env::field_declaring_class(env, jni, field));
                use_it(env, jni, declaring.iter().map(AsRef::as_ref));
            }
            Ok(())
        })?;
    }
    for (name, method) in &victims.methods {
        jni.with_local_frame(ROOM, |jni| -> jni::errors::Result<()> {
            let class = call!(name, Env::method_declaring_class(env, jni, *method));
            use_it(env, jni, class.iter().map(AsRef::as_ref));
            Ok(())
        })?;
    }
    changes(jni, env, victims);
    loaders(jni, env, victims)?;
    groups(jni, env, victims)?;
    environments(jni)
}

/// Classes are made of bytes that are none of theirs, and anew of their own; also twice at once, and all together, of
/// which some cannot be.
fn changes(jni: &mut Jni<'_>, env: &Env, victims: &Victims) {
    let _ = call!("none", Env::redefine_classes(env, jni, &[]));
    let _ = call!("none", Env::retransform_classes(env, jni, &[]));
    for class in &victims.classes {
        let name = &class.name;
        for (bytes_name, bytes) in NO_CLASSES {
            let one = ClassDefinition { class, bytes };
            let about = format!("{name}, {bytes_name}");
            let _ = call!(about, Env::redefine_classes(env, jni, &[one]));
            let _ = call!(about, Env::redefine_classes(env, jni, &[one, one]));
        }
        let _ = call!(name, Env::retransform_classes(env, jni, &[class]));
        let about = format!("{name}, twice");
        let _ = call!(about, Env::retransform_classes(env, jni, &[class, class]));
    }
    let all: Vec<_> = victims.classes.iter().map(|class| &**class).collect();
    let _ = call!("all", Env::retransform_classes(env, jni, &all));
}

fn loaders(jni: &mut Jni<'_>, env: &Env, victims: &Victims) -> jni::errors::Result<()> {
    let all = victims.loaders.iter();
    let all = all.map(|loader| (loader.name.as_str(), Some(&**loader)));
    for (name, loader) in all.chain([("none", None)]) {
        jni.with_local_frame(ROOM, |jni| -> jni::errors::Result<()> {
            let classes = call!(name, Env::class_loader_classes(env, jni, loader));
            use_it(env, jni, classes.iter().flatten().map(AsRef::as_ref));
            Ok(())
        })?;
    }
    Ok(())
}

fn groups(jni: &mut Jni<'_>, env: &Env, victims: &Victims) -> jni::errors::Result<()> {
    jni.with_local_frame(ROOM, |jni| -> jni::errors::Result<()> {
        let groups = call!("", Env::top_thread_groups(env, jni));
        use_it(env, jni, groups.iter().flatten().map(AsRef::as_ref));
        Ok(())
    })?;
    for group in &victims.groups {
        jni.with_local_frame(ROOM, |jni| -> jni::errors::Result<()> {
            if let Ok(info) = call!(group.name, Env::thread_group_info(env, jni, group)) {
                use_it(env, jni, info.parent.iter().map(AsRef::as_ref));
            }
            if let Ok(children) = call!(group.name, Env::thread_group_children(env, jni, group)) {
                use_it(env, jni, children.threads.iter().map(AsRef::as_ref));
                use_it(env, jni, children.groups.iter().map(AsRef::as_ref));
            }
            Ok(())
        })?;
    }
    Ok(())
}

/// All that can become of an environment.
fn environments(jni: &mut Jni<'_>) -> jni::errors::Result<()> {
    let vm = jni.get_java_vm()?;
    let open = || call!("", OwnedEnv::open(&vm)).expect("this thread is attached");
    drop(open());
    let _ = call!("", OwnedEnv::dispose(open()));
    let leaked = call!("", OwnedEnv::leak(open()));
    let _ = call!("leaked", Env::phase(leaked));
    let _ = call!("", OwnedEnv::into_raw(open()));
    Ok(())
}

/// Asks the VM about references that it has answered with: each must be one.
pub(super) fn use_it<'o, 'l: 'o>(
    env: &Env,
    jni: &Jni<'_>,
    references: impl IntoIterator<Item = &'o JObject<'l>>,
) {
    for reference in references {
        assert!(
            !jni.is_same_object(reference, JObject::null())
                .unwrap_or(true)
        );
        assert!(env.object_hash_code(reference).is_ok());
    }
}
