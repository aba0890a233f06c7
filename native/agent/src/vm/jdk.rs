//! The JDK's own classes and their methods, which stay as long as the VM.
//!
//! `FindClass` asks the class loader of the Java code that called us; whoever keeps its lock would keep us, and it may be
//! stopped. The bootstrap loader is asked here. Two threads that are the first look the same up twice: none waits for
//! one that stands still.

use jni::ids::JMethodID;
use jni::objects::JClass;
use jni::refs::{Global, LoaderContext};
use jni::signature::MethodSignature;
use jni::strings::JNIStr;
use jni::{Env, jni_str};
use once_cell::race::OnceBox;

use crate::failure::Outcome;
use crate::vm::loader;

pub(crate) static OBJECT: JdkClass = JdkClass::new(jni_str!("java.lang.Object"));
pub(crate) static THREAD: JdkClass = JdkClass::new(jni_str!("java.lang.Thread"));

/// A class of the module `java.base`.
pub(crate) struct JdkClass {
    name: &'static JNIStr,
    class: OnceBox<Global<JClass<'static>>>,
}

/// A method of such a class.
pub(crate) struct JdkMethod {
    class: &'static JdkClass,
    name: &'static JNIStr,
    signature: MethodSignature<'static, 'static>,
    id: OnceBox<JMethodID>,
}

impl JdkClass {
    /// `name` is as `Class.forName` has it.
    pub(crate) const fn new(name: &'static JNIStr) -> Self {
        let class = OnceBox::new();
        Self { name, class }
    }

    pub(crate) fn get(&self, jni: &mut Env<'_>) -> Outcome<&JClass<'static>> {
        let class = self.class.get_or_try_init(|| -> Outcome<_> {
            let loader = loader::of_the_jdk(jni);
            let class = LoaderContext::Loader(&loader).load_class(jni, self.name, false)?;
            let global = jni.new_global_ref(&class)?;
            jni.delete_local_ref(class);
            Ok(Box::new(global))
        })?;
        Ok(class)
    }
}

impl JdkMethod {
    pub(crate) const fn new(
        class: &'static JdkClass,
        name: &'static JNIStr,
        signature: MethodSignature<'static, 'static>,
    ) -> Self {
        Self {
            class,
            name,
            signature,
            id: OnceBox::new(),
        }
    }

    pub(crate) fn id(&self, jni: &mut Env<'_>) -> Outcome<JMethodID> {
        let id = self.id.get_or_try_init(|| -> Outcome<_> {
            let class = self.class.get(jni)?;
            Ok(Box::new(jni.get_method_id(
                class,
                self.name,
                &self.signature,
            )?))
        })?;
        Ok(*id)
    }
}
