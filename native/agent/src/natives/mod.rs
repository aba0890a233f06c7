//! The natives, one group per Java class; each row is checked against its Rust function when
//! compiled, and registered when a copy of the Java classes binds itself.

mod capabilities;
mod dump;
mod frame;
mod general;
mod heap;
mod method;
mod object;
pub(crate) mod probe;
mod self_test;
mod suspension;
mod thread;
mod thread_group;
mod timer;

use jni::objects::{JIntArray, JLongArray, JObject, JObjectArray, JThread};
use jni::strings::JNIStr;
use jni::sys::{JNI_OK, jint, jlong, jobject, jsize};
use jni::{Env, NativeMethod, jni_str};

use crate::failure::{Failure, Outcome};

/// The natives of one Java class.
pub(crate) struct Group {
    /// Seen from the package of the probe.
    pub(crate) class: &'static JNIStr,
    pub(crate) methods: fn() -> Vec<NativeMethod<'static>>,
    /// Whether the class may be absent.
    pub(crate) optional: bool,
}

pub(crate) const GROUPS: &[Group] = &[
    Group {
        class: jni_str!("environment/CapabilityNatives"),
        methods: capabilities::methods,
        optional: false,
    },
    Group {
        class: jni_str!("dump/DumpNatives"),
        methods: dump::methods,
        optional: false,
    },
    Group {
        class: jni_str!("stack/FrameNatives"),
        methods: frame::methods,
        optional: false,
    },
    Group {
        class: jni_str!("environment/GeneralNatives"),
        methods: general::methods,
        optional: false,
    },
    Group {
        class: jni_str!("object/HeapNatives"),
        methods: heap::methods,
        optional: false,
    },
    Group {
        class: jni_str!("code/MethodNatives"),
        methods: method::methods,
        optional: false,
    },
    Group {
        class: jni_str!("object/ObjectNatives"),
        methods: object::methods,
        optional: false,
    },
    Group {
        class: jni_str!("thread/SuspensionNatives"),
        methods: suspension::methods,
        optional: false,
    },
    Group {
        class: jni_str!("thread/ThreadNatives"),
        methods: thread::methods,
        optional: false,
    },
    Group {
        class: jni_str!("thread/ThreadGroupNatives"),
        methods: thread_group::methods,
        optional: false,
    },
    Group {
        class: jni_str!("system/TimerNatives"),
        methods: timer::methods,
        optional: false,
    },
    Group {
        class: jni_str!("SelfTestNatives"),
        methods: self_test::methods,
        optional: true,
    },
];

/// One row of a group: a raw native, which `guard` makes safe.
macro_rules! native {
    ($($row:tt)*) => {
        jni::native_method! {
            type_map = { jvmti::JThreadGroup => java.lang.ThreadGroup },
            static raw fn $($row)*,
            abi_check = UnsafeNever,
        }
    };
}
use native;

/// A null reference stands for the current thread.
fn thread<'a, 'l>(thread: &'a JThread<'l>) -> Option<&'a JThread<'l>> {
    (!thread.is_null()).then_some(thread)
}

fn or_null<'o>(object: Option<impl AsRef<JObject<'o>>>) -> jobject {
    object.map_or(std::ptr::null_mut(), |object| object.as_ref().as_raw())
}

/// A depth or a number of frames, of which Java can tell negative ones.
fn unsigned(function: &'static str, number: jint) -> Outcome<u32> {
    let illegal = |_| jvmti::Error::new(function, jvmti::sys::Error::ILLEGAL_ARGUMENT);
    Ok(u32::try_from(number).map_err(illegal)?)
}

/// As many of `value`, for a caller who chooses how many: too many for the memory there is are an
/// error, and no end of the process.
pub(crate) fn filled<T: Clone>(function: &'static str, value: T, length: usize) -> Outcome<Vec<T>> {
    let mut all = Vec::new();
    let none = |_| jvmti::Error::new(function, jvmti::sys::Error::OUT_OF_MEMORY);
    all.try_reserve_exact(length).map_err(none)?;
    all.resize(length, value);
    Ok(all)
}

/// Declares the local references that the VM has already made, and a few of our own. It must be the
/// first JNI call after theirs, and a bare one: any other counts them, and `-Xcheck:jni` complains.
pub(crate) fn make_room(jni: &Env<'_>, references: usize) -> Outcome<()> {
    /// HotSpot plans for 65,536 at most, and makes as many as it has memory for.
    const MOST: usize = 1 << 15;
    let wanted = (references.min(MOST) + 16) as jint;
    let raw = jni.get_raw();
    // SAFETY: the JNI environment of this thread, in a native call.
    let answer = unsafe { ((**raw).v1_2.EnsureLocalCapacity)(raw, wanted) };
    if answer == JNI_OK {
        return Ok(());
    }
    Err(Failure::Jni(jni::errors::Error::JniCall(
        jni::errors::JniError::NoMemory,
    )))
}

/// Local references that are made a few at a time. Declared by their sum: `-Xcheck:jni` counts
/// those that were deleted too, and takes no notice of a number below what it knows.
#[derive(Default)]
pub(crate) struct Room {
    made: usize,
    declared: usize,
}

impl Room {
    /// The VM has made `references`, or is about to. To be the first JNI call after theirs.
    pub(crate) fn made(&mut self, jni: &Env<'_>, references: usize) -> Outcome<()> {
        self.made += references;
        if self.made >= self.declared {
            self.declared = self.made * 2 + 32;
            make_room(jni, self.declared)?;
        }
        Ok(())
    }
}

fn unbound() -> Failure {
    Failure::State("this copy of the classes is not bound".to_owned())
}

/// A `long[]` of the values.
fn long_array<'l>(jni: &mut Env<'l>, values: &[jlong]) -> Outcome<JLongArray<'l>> {
    let array = JLongArray::new(jni, values.len())?;
    array.set_region(jni, 0, values)?;
    Ok(array)
}

/// An `int[]` of the values.
fn int_array<'l>(jni: &mut Env<'l>, values: &[jint]) -> Outcome<JIntArray<'l>> {
    let array = JIntArray::new(jni, values.len())?;
    array.set_region(jni, 0, values)?;
    Ok(array)
}

/// An array of the references, which the VM made on this frame.
fn object_array<'l, 'o>(
    jni: &mut Env<'l>,
    element: &JNIStr,
    objects: &[impl AsRef<JObject<'o>>],
) -> Outcome<JObjectArray<'l, JObject<'l>>> {
    make_room(jni, objects.len())?;
    let element = jni.find_class(element)?;
    let length = jsize::try_from(objects.len()).map_err(|_| {
        Failure::Jni(jni::errors::Error::JniCall(
            jni::errors::JniError::InvalidArguments,
        ))
    })?;
    let array = jni.new_object_array(length, &element, JObject::null())?;
    for (index, object) in objects.iter().enumerate() {
        array.set_element(jni, index, object.as_ref())?;
    }
    Ok(array)
}
