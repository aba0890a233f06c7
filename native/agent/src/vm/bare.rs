//! Strings, arrays and weak references, made by bare calls. What is thrown in one, an
//! `OutOfMemoryError` or what another thread throws at this one, stays pending and reaches Java;
//! the methods of the `jni` crate catch it, and it is lost.

use std::ffi::CString;
use std::ptr;

use jni::Env;
use jni::ids::JMethodID;
use jni::objects::{
    JByteArray, JByteBuffer, JClass, JIntArray, JLongArray, JObject, JObjectArray, JString,
};
use jni::refs::{LoaderContext, Reference, Weak};
use jni::strings::{JNIStr, JNIString};
use jni::sys::{JNIEnv, JNINativeInterface_, jint, jlong, jsize, jvalue};

use crate::failure::{Failure, Outcome};

/// Calls a JNI function, unless something is pending, and leaves pending what that throws.
fn call<T>(
    jni: &Env<'_>,
    function: impl FnOnce(*mut JNIEnv, &JNINativeInterface_) -> T,
) -> Outcome<T> {
    nothing_pending(jni)?;
    let raw = jni.get_raw();
    // SAFETY: the JNI environment of this thread, in a native call.
    let answer = function(raw, unsafe { &**raw });
    nothing_pending(jni)?;
    Ok(answer)
}

fn nothing_pending(jni: &Env<'_>) -> Outcome<()> {
    if jni.exception_check() {
        return Err(Failure::Pending);
    }
    Ok(())
}

fn size(length: usize) -> Outcome<jsize> {
    jsize::try_from(length).map_err(|_| {
        Failure::Jni(jni::errors::Error::JniCall(
            jni::errors::JniError::InvalidArguments,
        ))
    })
}

/// A `String` of what the VM has told.
pub(crate) fn string<'l>(jni: &mut Env<'l>, text: impl AsRef<JNIStr>) -> Outcome<JString<'l>> {
    let text = text.as_ref().as_ptr();
    // SAFETY: modified UTF-8, ended by a zero.
    let made = call(jni, |raw, table| unsafe {
        (table.v1_1.NewStringUTF)(raw, text)
    })?;
    // SAFETY: a new local reference to a string.
    Ok(unsafe { JString::from_raw(jni, made) })
}

/// A `String` of our own words.
pub(crate) fn text<'l>(jni: &mut Env<'l>, words: &str) -> Outcome<JString<'l>> {
    string(jni, JNIString::from(words))
}

/// What a `String` says, or, of one that has more than `most` chars, its first ones.
pub(crate) fn beginning(jni: &Env<'_>, string: &JString<'_>, most: usize) -> Outcome<JNIString> {
    let string = string.as_raw();
    // SAFETY: no more than a string, as in the other two calls.
    let length = call(jni, |raw, table| unsafe {
        (table.v1_1.GetStringLength)(raw, string)
    })?;
    let length = length.min(size(most)?);
    // Three bytes are the most that a char takes, and a zero ends them.
    let mut text = vec![0_u8; usize::try_from(length).unwrap_or(0) * 3 + 1];
    let room = text.as_mut_ptr();
    // SAFETY: there is room for so many chars.
    call(jni, |raw, table| unsafe {
        (table.v1_2.GetStringUTFRegion)(raw, string, 0, length, room.cast());
    })?;
    let end = text.iter().position(|&byte| byte == 0).unwrap_or(0);
    text.truncate(end);
    // SAFETY: no zero is left in it, and it is the modified UTF-8 of the VM.
    Ok(unsafe { JNIString::from_cstring(CString::from_vec_unchecked(text)) })
}

/// A `long[]` of the values.
pub(crate) fn long_array<'l>(jni: &mut Env<'l>, values: &[jlong]) -> Outcome<JLongArray<'l>> {
    let length = size(values.len())?;
    // SAFETY: no more than a length.
    let made = call(jni, |raw, table| unsafe {
        (table.v1_1.NewLongArray)(raw, length)
    })?;
    // SAFETY: the array is as long as the values.
    call(jni, |raw, table| unsafe {
        (table.v1_1.SetLongArrayRegion)(raw, made, 0, length, values.as_ptr());
    })?;
    // SAFETY: a new local reference to such an array.
    Ok(unsafe { JLongArray::from_raw(jni, made) })
}

/// A `byte[]` of the values.
pub(crate) fn byte_array<'l>(jni: &mut Env<'l>, values: &[u8]) -> Outcome<JByteArray<'l>> {
    let length = size(values.len())?;
    // SAFETY: no more than a length.
    let made = call(jni, |raw, table| unsafe {
        (table.v1_1.NewByteArray)(raw, length)
    })?;
    // SAFETY: the array is as long as the values.
    call(jni, |raw, table| unsafe {
        (table.v1_1.SetByteArrayRegion)(raw, made, 0, length, values.as_ptr().cast());
    })?;
    // SAFETY: a new local reference to such an array.
    Ok(unsafe { JByteArray::from_raw(jni, made) })
}

/// An `int[]` of the values.
pub(crate) fn int_array<'l>(jni: &mut Env<'l>, values: &[jint]) -> Outcome<JIntArray<'l>> {
    let length = size(values.len())?;
    // SAFETY: no more than a length.
    let made = call(jni, |raw, table| unsafe {
        (table.v1_1.NewIntArray)(raw, length)
    })?;
    // SAFETY: a new local reference to such an array.
    let array = unsafe { JIntArray::from_raw(jni, made) };
    set_ints(jni, &array, values)?;
    Ok(array)
}

/// Puts the values into the array, from its start.
pub(crate) fn set_ints(jni: &Env<'_>, array: &JIntArray<'_>, values: &[jint]) -> Outcome<()> {
    let length = size(values.len())?;
    // SAFETY: the VM checks the length of the array.
    call(jni, |raw, table| unsafe {
        (table.v1_1.SetIntArrayRegion)(raw, array.as_raw(), 0, length, values.as_ptr());
    })
}

/// Reads as many values of the array as there is room for.
pub(crate) fn get_longs(jni: &Env<'_>, array: &JLongArray<'_>, room: &mut [jlong]) -> Outcome<()> {
    let length = size(room.len())?;
    // SAFETY: the VM checks the length of the array.
    call(jni, |raw, table| unsafe {
        (table.v1_1.GetLongArrayRegion)(raw, array.as_raw(), 0, length, room.as_mut_ptr());
    })
}

/// Reads as many values of the array as there is room for.
pub(crate) fn get_ints(jni: &Env<'_>, array: &JIntArray<'_>, room: &mut [jint]) -> Outcome<()> {
    let length = size(room.len())?;
    // SAFETY: the VM checks the length of the array.
    call(jni, |raw, table| unsafe {
        (table.v1_1.GetIntArrayRegion)(raw, array.as_raw(), 0, length, room.as_mut_ptr());
    })
}

/// Reads as many bytes of the array as there is room for.
pub(crate) fn get_bytes(jni: &Env<'_>, array: &JByteArray<'_>, room: &mut [u8]) -> Outcome<()> {
    let length = size(room.len())?;
    // SAFETY: the VM checks the length of the array, and a byte is one, with a sign or without.
    call(jni, |raw, table| unsafe {
        let room = room.as_mut_ptr().cast();
        (table.v1_1.GetByteArrayRegion)(raw, array.as_raw(), 0, length, room);
    })
}

/// An array of so many nulls: `nulls::<JThread>(…)`.
pub(crate) fn nulls<'l, E>(
    jni: &mut Env<'l>,
    length: usize,
) -> Outcome<JObjectArray<'l, E::Kind<'l>>>
where
    E: Reference + 'l,
{
    let length = size(length)?;
    let class = E::lookup_class(jni, &LoaderContext::default())?;
    let class = class.as_raw();
    // SAFETY: a class that is held, and null is an element of every array.
    let made = call(jni, |raw, table| unsafe {
        (table.v1_1.NewObjectArray)(raw, length, class, ptr::null_mut())
    })?;
    // SAFETY: a new local reference to such an array.
    Ok(unsafe { JObjectArray::<E>::from_raw(jni, made) })
}

/// An element of the array, which may be null.
pub(crate) fn element<'l, E>(
    jni: &mut Env<'l>,
    array: &JObjectArray<'_, E>,
    index: usize,
) -> Outcome<E::Kind<'l>>
where
    E: Reference,
{
    let index = size(index)?;
    // SAFETY: the VM checks the index.
    let element = call(jni, |raw, table| unsafe {
        (table.v1_1.GetObjectArrayElement)(raw, array.as_raw(), index)
    })?;
    // SAFETY: a new local reference to an element, or null.
    Ok(unsafe { E::kind_from_raw(element) })
}

/// Puts the object into the array.
pub(crate) fn set_element<'o, E>(
    jni: &Env<'_>,
    array: &JObjectArray<'_, E>,
    index: usize,
    object: impl AsRef<E::Kind<'o>>,
) -> Outcome<()>
where
    E: Reference,
{
    let (index, object) = (size(index)?, object.as_ref().as_raw());
    // SAFETY: the VM checks the index and the class.
    call(jni, |raw, table| unsafe {
        (table.v1_1.SetObjectArrayElement)(raw, array.as_raw(), index, object);
    })
}

/// A direct buffer of the bytes at `memory`.
///
/// # Safety
///
/// They stay as long as the buffer, or anything that was made of it, can be reached.
pub(crate) unsafe fn buffer<'l>(jni: &mut Env<'l>, memory: *mut [u8]) -> Outcome<JByteBuffer<'l>> {
    let (start, length) = (memory.cast(), size(memory.len())?);
    // SAFETY: the caller's promise, and their length.
    let made = call(jni, |raw, table| unsafe {
        (table.v1_4.NewDirectByteBuffer)(raw, start, length.into())
    })?;
    // SAFETY: a new local reference to such a buffer.
    Ok(unsafe { JByteBuffer::from_raw(jni, made) })
}

/// The object of a weak reference, unless it is gone; with nothing pending.
pub(crate) fn upgrade<'l>(
    jni: &mut Env<'l>,
    weak: &Weak<JObject<'static>>,
) -> Outcome<Option<JObject<'l>>> {
    let raw = jni.get_raw();
    // SAFETY: a reference, in a native call, and a new local one to the same object.
    let made = unsafe {
        let made = ((**raw).v1_2.NewLocalRef)(raw, weak.as_raw());
        JObject::from_raw(jni, made)
    };
    // There may have been no room, too.
    if made.is_null() && !is_same(jni, weak, JObject::null()) {
        return Err(jni::errors::Error::JniCall(jni::errors::JniError::NoMemory).into());
    }
    Ok((!made.is_null()).then_some(made))
}

/// Whether both are the same object, with nothing pending.
pub(crate) fn is_same<'a, 'b>(
    jni: &Env<'_>,
    one: impl AsRef<JObject<'a>>,
    other: impl AsRef<JObject<'b>>,
) -> bool {
    let (raw, one, other) = (
        jni.get_raw(),
        one.as_ref().as_raw(),
        other.as_ref().as_raw(),
    );
    // SAFETY: two references, in a native call.
    unsafe { ((**raw).v1_1.IsSameObject)(raw, one, other) }
}

/// The class of an object, with nothing pending.
pub(crate) fn class<'l>(jni: &mut Env<'l>, object: &JObject<'_>) -> Outcome<JClass<'l>> {
    if object.is_null() {
        return Err(jni::errors::Error::NullPtr("GetObjectClass").into());
    }
    let raw = jni.get_raw();
    // SAFETY: an object, in a native call, and a new local reference to its class.
    unsafe {
        let made = ((**raw).v1_1.GetObjectClass)(raw, object.as_raw());
        Ok(JClass::from_raw(jni, made))
    }
}

/// Calls a method that answers nothing, with nothing pending. What it throws stays so.
///
/// # Safety
///
/// It is one of the object's, and there are as many arguments as it has, of its types.
pub(crate) unsafe fn call_void(
    jni: &mut Env<'_>,
    object: &JObject<'_>,
    method: JMethodID,
    arguments: &[jvalue],
) -> Outcome<()> {
    let (raw, object, method) = (jni.get_raw(), object.as_raw(), method.into_raw());
    // SAFETY: the caller's promise.
    unsafe { ((**raw).v1_1.CallVoidMethodA)(raw, object, method, arguments.as_ptr()) };
    nothing_pending(jni)
}

/// A weak reference to the object.
pub(crate) fn weak<O: Reference>(jni: &Env<'_>, object: O) -> Outcome<Weak<O::GlobalKind>> {
    nothing_pending(jni)?;
    let raw = jni.get_raw();
    // SAFETY: a reference, in a native call; it is owned at once, and so deleted if something is
    // pending by now.
    let made = unsafe {
        let made = ((**raw).v1_2.NewWeakGlobalRef)(raw, object.as_raw());
        jni.weak_from_raw::<O>(made)
    };
    nothing_pending(jni)?;
    Ok(made)
}
