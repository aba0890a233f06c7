//! The JDK's own classes and their members, which stay as long as the VM.
//!
//! `FindClass` asks the class loader of the Java code that called us; whoever keeps its lock would keep us, and it may be
//! stopped. The bootstrap loader is asked here. Two threads that are the first look the same up twice: none waits for
//! one that stands still.

use jni::ids::{JFieldID, JMethodID, JStaticMethodID};
use jni::objects::JClass;
use jni::refs::{Global, LoaderContext};
use jni::signature::{FieldSignature, MethodSignature};
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

/// A member of such a class, looked up once: a lookup costs, and what is thrown in one is lost.
pub(crate) struct JdkMember<S, I> {
    class: &'static JdkClass,
    name: &'static JNIStr,
    signature: S,
    id: OnceBox<I>,
}

pub(crate) type JdkMethod = JdkMember<MethodSignature<'static, 'static>, JMethodID>;
pub(crate) type JdkStaticMethod = JdkMember<MethodSignature<'static, 'static>, JStaticMethodID>;
pub(crate) type JdkField = JdkMember<FieldSignature<'static>, JFieldID>;

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

impl<S, I: Copy> JdkMember<S, I> {
    pub(crate) const fn new(class: &'static JdkClass, name: &'static JNIStr, signature: S) -> Self {
        let id = OnceBox::new();
        Self {
            class,
            name,
            signature,
            id,
        }
    }

    fn find<'l>(
        &self,
        jni: &mut Env<'l>,
        find: impl FnOnce(&mut Env<'l>, &JClass<'static>) -> jni::errors::Result<I>,
    ) -> Outcome<I> {
        let id = self.id.get_or_try_init(|| -> Outcome<_> {
            let class = self.class.get(jni)?;
            Ok(Box::new(find(jni, class)?))
        })?;
        Ok(*id)
    }
}

impl JdkMethod {
    pub(crate) fn id(&self, jni: &mut Env<'_>) -> Outcome<JMethodID> {
        self.find(jni, |jni, class| {
            jni.get_method_id(class, self.name, &self.signature)
        })
    }
}

impl JdkStaticMethod {
    pub(crate) fn id(&self, jni: &mut Env<'_>) -> Outcome<JStaticMethodID> {
        self.find(jni, |jni, class| {
            jni.get_static_method_id(class, self.name, &self.signature)
        })
    }
}

impl JdkField {
    pub(crate) fn id(&self, jni: &mut Env<'_>) -> Outcome<JFieldID> {
        self.find(jni, |jni, class| {
            jni.get_field_id(class, self.name, &self.signature)
        })
    }
}
