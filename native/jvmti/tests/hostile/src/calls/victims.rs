//! Everything that a reference or a method id can be.

use std::ops::Deref;

use jni::objects::{JClass, JClassLoader, JObject, JObjectArray, JString, JThread, JThrowable};
use jni::refs::{Global, Reference};
use jni::{Env as Jni, jni_sig, jni_str};
use jvmti::{Env, FrameInfo, JModule, JThreadGroup, MethodId};

use super::objects::NO_CLASSES;

/// The name of a thread that the VM told of.
pub(super) const ONE_OF_ALL: &str = "one of all threads";

/// A reference of a kind, with a name.
pub(super) struct Victim<T> {
    pub(super) name: String,
    reference: Box<dyn Deref<Target = T> + Send + Sync>,
}

impl<T> Deref for Victim<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.reference
    }
}

pub(super) struct Victims {
    pub(super) threads: Vec<Victim<JThread<'static>>>,
    pub(super) groups: Vec<Victim<JThreadGroup<'static>>>,
    pub(super) classes: Vec<Victim<JClass<'static>>>,
    pub(super) loaders: Vec<Victim<JClassLoader<'static>>>,
    pub(super) modules: Vec<Victim<JModule<'static>>>,
    pub(super) throwables: Vec<Victim<JThrowable<'static>>>,
    pub(super) objects: Vec<Victim<JObject<'static>>>,
    pub(super) methods: Vec<(&'static str, MethodId)>,
}

impl Victims {
    /// `all` holds names and objects in turn; a cast tells which are what.
    pub(super) fn collect(
        jni: &mut Jni<'_>,
        env: &Env,
        hostile: &JClass<'_>,
        all: &JObjectArray<'_, JObject<'_>>,
    ) -> jni::errors::Result<Self> {
        let mut victims = Self {
            threads: vec![null()],
            groups: vec![null()],
            classes: vec![null()],
            loaders: vec![null()],
            modules: vec![null()],
            throwables: vec![null()],
            objects: vec![null()],
            methods: methods(jni, env, hostile)?,
        };
        for index in (0..all.len(jni)?).step_by(2) {
            jni.with_local_frame(16, |jni| -> jni::errors::Result<()> {
                let name = all.get_element(jni, index)?;
                let name = jni.cast_local::<JString<'_>>(name)?.to_string();
                let object = all.get_element(jni, index + 1)?;
                victims.add(jni, &name, &object)
            })?;
        }
        for thread in env.all_threads(jni).expect("the phase is live") {
            victims.add(jni, ONE_OF_ALL, &thread)?;
        }
        victims.add_cleared(jni)?;
        victims.tell();
        Ok(victims)
    }

    /// The parent misses those that a function was not given.
    fn tell(&self) {
        tell("JThread", names(&self.threads));
        tell("JThreadGroup", names(&self.groups));
        tell("JClass", names(&self.classes));
        tell("ClassDefinition", names(&self.classes));
        tell("JClassLoader", names(&self.loaders));
        tell("JModule", names(&self.modules));
        tell("JThrowable", names(&self.throwables));
        tell("JObject", names(&self.objects));
        tell("u8", NO_CLASSES.map(|(name, _)| name));
        tell("MethodId", self.methods.iter().map(|(name, _)| *name));
    }

    fn add(
        &mut self,
        jni: &mut Jni<'_>,
        name: &str,
        object: &JObject<'_>,
    ) -> jni::errors::Result<()> {
        if object.is_null() {
            return Ok(());
        }
        if let Ok(thread) = jni.new_cast_global_ref::<JThread<'_>>(object) {
            self.threads.push(victim(name, thread));
        }
        if let Ok(group) = jni.new_cast_global_ref::<JThreadGroup<'_>>(object) {
            self.groups.push(victim(name, group));
        }
        if let Ok(class) = jni.new_cast_global_ref::<JClass<'_>>(object) {
            self.classes.push(victim(name, class));
        }
        if let Ok(loader) = jni.new_cast_global_ref::<JClassLoader<'_>>(object) {
            self.loaders.push(victim(name, loader));
        }
        if let Ok(module) = jni.new_cast_global_ref::<JModule<'_>>(object) {
            self.modules.push(victim(name, module));
        }
        if let Ok(throwable) = jni.new_cast_global_ref::<JThrowable<'_>>(object) {
            self.throwables.push(victim(name, throwable));
        }
        self.objects.push(victim(name, jni.new_global_ref(object)?));
        Ok(())
    }

    /// Weak references to what has been collected: neither null nor an object.
    fn add_cleared(&mut self, jni: &mut Jni<'_>) -> jni::errors::Result<()> {
        const NAME: &str = "a collected object";
        let (thread, group, throwable, object) =
            jni.with_local_frame(16, |jni| -> jni::errors::Result<_> {
                let none = jni_sig!(() -> void);
                let thread = jni.new_object(jni_str!("java/lang/Thread"), &none, &[])?;
                let thread = jni.cast_local::<JThread<'_>>(thread)?;
                let error = jni.new_object(jni_str!("java/lang/Error"), &none, &[])?;
                let error = jni.cast_local::<JThrowable<'_>>(error)?;
                let name = jni.new_string("collected")?;
                let named = jni_sig!((name: java.lang.String) -> void);
                let group = jni_str!("java/lang/ThreadGroup");
                let group = jni.new_object(group, named, &[(&name).into()])?;
                let group = jni.cast_local::<JThreadGroup<'_>>(group)?;
                let object = jni.new_object(jni_str!("java/lang/Object"), &none, &[])?;
                Ok((
                    jni.new_weak_ref(thread)?,
                    jni.new_weak_ref(group)?,
                    jni.new_weak_ref(error)?,
                    jni.new_weak_ref(object)?,
                ))
            })?;
        while !object.is_garbage_collected(jni)? {
            collect_garbage(jni)?;
        }
        self.threads.push(victim(NAME, thread));
        self.groups.push(victim(NAME, group));
        self.throwables.push(victim(NAME, throwable));
        self.objects.push(victim(NAME, object));
        Ok(())
    }
}

/// Says what a parameter of a type can be.
pub(super) fn tell<'n>(of: &str, names: impl IntoIterator<Item = &'n str>) {
    for name in names {
        println!("victim\t{of}\t{name}");
    }
}

/// But for what comes and goes with the VM.
fn names<T>(victims: &[Victim<T>]) -> impl Iterator<Item = &str> {
    let names = victims.iter().map(|victim| victim.name.as_str());
    names.filter(|name| *name != ONE_OF_ALL)
}

fn victim<T>(name: &str, reference: impl Deref<Target = T> + Send + Sync + 'static) -> Victim<T> {
    Victim {
        name: name.to_owned(),
        reference: Box::new(reference),
    }
}

fn null<T>() -> Victim<T>
where
    Global<T>: Default + Deref<Target = T> + Send + Sync + 'static,
    T: Into<JObject<'static>> + AsRef<JObject<'static>> + Default + Reference + Send + Sync,
{
    victim("null", Global::<T>::default())
}

fn methods(
    jni: &mut Jni<'_>,
    env: &Env,
    hostile: &JClass<'_>,
) -> jni::errors::Result<Vec<(&'static str, MethodId)>> {
    let string = jni_str!("java/lang/String");
    let object = jni_str!("java/lang/Object");
    let runnable = jni_str!("java/lang/Runnable");
    let length = jni.get_method_id(string, jni_str!("length"), jni_sig!(() -> jint))?;
    let native = jni.get_method_id(object, jni_str!("hashCode"), jni_sig!(() -> jint))?;
    let nothing = jni_sig!(() -> void);
    let abstract_one = jni.get_method_id(runnable, jni_str!("run"), nothing)?;
    let mut frame = [FrameInfo::NONE];
    let _ = env.stack_trace(None, 0, &mut frame);
    Ok(vec![
        ("none", MethodId::NONE),
        ("a method", length.into()),
        ("a native method", native.into()),
        ("an abstract method", abstract_one.into()),
        ("the running method", frame[0].method),
        (
            "a method of a class that is unloaded",
            unloaded(jni, hostile)?,
        ),
    ])
}

/// A method of a class that is gone.
fn unloaded(jni: &mut Jni<'_>, hostile: &JClass<'_>) -> jni::errors::Result<MethodId> {
    let (method, class) = jni.with_local_frame(16, |jni| -> jni::errors::Result<_> {
        let class = jni_sig!(() -> java.lang.Class);
        let class = jni.call_static_method(hostile, jni_str!("shortLived"), class, &[])?;
        let class = jni.cast_local::<JClass<'_>>(class.l()?)?;
        let nothing = jni_sig!(() -> void);
        let method = jni.get_static_method_id(&class, jni_str!("method"), nothing)?;
        Ok((method, jni.new_weak_ref(class)?))
    })?;
    while !class.is_garbage_collected(jni)? {
        collect_garbage(jni)?;
    }
    Ok(method.into())
}

fn collect_garbage(jni: &mut Jni<'_>) -> jni::errors::Result<()> {
    let system = jni_str!("java/lang/System");
    jni.call_static_method(system, jni_str!("gc"), jni_sig!(() -> void), &[])?;
    Ok(())
}
