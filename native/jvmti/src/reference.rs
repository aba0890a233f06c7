//! The reference types of the interface that `jni` lacks.

use jni::jni_str;

jni::bind_java_type! {
    /// A `java.lang.ThreadGroup`, as a reference of the JNI frame `'local`.
    pub JThreadGroup => "java.lang.ThreadGroup",
    hooks {
        load_class = |env, _loader, _initialize| env.find_class(jni_str!("java/lang/ThreadGroup")),
    },
}

jni::bind_java_type! {
    /// A `java.lang.Module`, as a reference of the JNI frame `'local`.
    pub JModule => "java.lang.Module",
    hooks {
        load_class = |env, _loader, _initialize| env.find_class(jni_str!("java/lang/Module")),
    },
}
