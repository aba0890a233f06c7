//! `SuspensionNatives`: threads that stand still for the time of one action.

use jni::objects::{JClass, JIntArray, JObjectArray, JThread};
use jni::sys::{jboolean, jint, jlong};
use jni::{EnvUnowned, NativeMethod};

use super::native;
use super::thread::threads;
use crate::gate::{self, Me};
use crate::guard::{inside_jni, outside};
use crate::{suspension, watchdog};

pub(super) fn methods() -> Vec<NativeMethod<'static>> {
    vec![
        native!(watchdog(env: jlong) -> java.lang.Thread),
        native!(begin(
            env: jlong,
            threads: java.lang.Thread[],
            nanos: jlong,
            codes: jint[],
        ) -> jlong),
        native!(end(env: jlong, token: jlong) -> jboolean),
    ]
}

fn watchdog<'l>(jni: EnvUnowned<'l>, class: JClass<'l>, env: jlong) -> JThread<'l> {
    inside_jni(jni, class, env, |_, jni| {
        Ok(jni.new_local_ref(watchdog::thread()?)?)
    })
}

fn begin<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    targets: JObjectArray<'l, JThread<'l>>,
    nanos: jlong,
    codes: JIntArray<'l>,
) -> jlong {
    inside_jni(jni, class, env, |env, jni| {
        let targets = threads(jni, &targets)?;
        let (token, results) = suspension::begin(jni, env, &targets, nanos)?;
        let results: Vec<jint> = results.iter().map(|error| error.0).collect();
        if let Err(error) = codes.set_region(jni, 0, &results) {
            suspension::end(env, token);
            return Err(error.into());
        }
        Ok(token)
    })
}

fn end<'l>(jni: EnvUnowned<'l>, class: JClass<'l>, env: jlong, token: jlong) -> jboolean {
    outside(jni, class, |jni, _| {
        // What a closed environment has suspended was resumed by closing it.
        let env = gate::enter(Me::new(jni.get_raw()), env).inspect_err(|_| {
            watchdog::forget(token);
        })?;
        Ok(suspension::end(&env, token))
    })
}
