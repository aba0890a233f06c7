//! Values on their way between Java and the VM.

use std::ffi::CString;

use jni::Env;
use jni::objects::{JByteArray, JClass, JObject, JObjectArray, JString, JThread};
use jni::refs::Reference;
use jni::strings::JNIStr;
use jni::sys::{jint, jsize};
use jvmti::{MutfString, sys};

use crate::boundary::context;
use crate::boundary::records::MemberNameFacts;
use crate::failure::{Failure, Outcome};
use crate::vm::bare;
use crate::vm::capacity::{Room, make_room};
use crate::vm::jdk::{JdkClass, OBJECT};

/// A null reference stands for the current thread.
pub(super) fn thread<'a, 'l>(thread: &'a JThread<'l>) -> Option<&'a JThread<'l>> {
    (!thread.is_null()).then_some(thread)
}

/// A depth or a number of frames, of which Java can tell negative ones.
pub(super) fn unsigned(function: &'static str, number: jint) -> Outcome<u32> {
    let illegal = |_| jvmti::Error::new(function, sys::Error::ILLEGAL_ARGUMENT);
    Ok(u32::try_from(number).map_err(illegal)?)
}

/// What the class file does not say is no failure.
pub(super) fn absent<T>(answer: jvmti::Result<T>) -> jvmti::Result<Option<T>> {
    match answer {
        Ok(value) => Ok(Some(value)),
        Err(error) if error.code == sys::Error::ABSENT_INFORMATION => Ok(None),
        Err(error) => Err(error),
    }
}

/// What a native method has no code for is no failure either.
pub(super) fn of_code<T>(answer: jvmti::Result<T>) -> jvmti::Result<Option<T>> {
    match absent(answer) {
        Err(error) if error.code == sys::Error::NATIVE_METHOD => Ok(None),
        answer => answer,
    }
}

/// The bytes as text of the platform; none if there are none, or if a zero is among them, which no text has.
pub(super) fn platform_text(jni: &Env<'_>, bytes: &JByteArray<'_>) -> Outcome<Option<CString>> {
    if bytes.is_null() {
        return Ok(None);
    }
    let mut room = vec![0; bytes.len(jni)?];
    bare::get_bytes(jni, bytes, &mut room)?;
    Ok(CString::new(room).ok())
}

/// A `String`, or null where there is none.
pub(super) fn string_or_null<'l>(jni: &mut Env<'l>, text: Option<&JNIStr>) -> Outcome<JString<'l>> {
    match text {
        Some(text) => bare::string(jni, text),
        None => Ok(JString::null()),
    }
}

/// The name of a method or a field and its signatures, as a record of the caller's.
pub(super) fn member_name<'l>(
    jni: &mut Env<'l>,
    caller: &JClass<'_>,
    (name, signature, generic): (MutfString, MutfString, Option<MutfString>),
) -> Outcome<JObject<'l>> {
    let name = bare::string(jni, name)?;
    let signature = bare::string(jni, signature)?;
    let generic = generic.map(|text| bare::string(jni, text)).transpose()?;
    let facts = MemberNameFacts {
        name: &name,
        signature: &signature,
        generic: generic.as_ref(),
    };
    facts.make(jni, &context::bound(jni, caller)?.records)
}

/// A `String[]` of the texts.
pub(super) fn strings<'l>(
    jni: &mut Env<'l>,
    texts: &[MutfString],
) -> Outcome<JObjectArray<'l, JString<'l>>> {
    make_room(jni, texts.len())?;
    let mut strings = Vec::with_capacity(texts.len());
    for text in texts {
        strings.push(bare::string(jni, text)?);
    }
    array_of::<JString>(jni, &strings)
}

/// An array of the references, which the VM made on this frame: `array_of::<JThread>(…)`.
pub(super) fn array_of<'l, 'o, E>(
    jni: &mut Env<'l>,
    references: &[impl AsRef<E::Kind<'o>>],
) -> Outcome<JObjectArray<'l, E::Kind<'l>>>
where
    E: Reference + 'l,
    E::Kind<'l>: Reference<Kind<'o> = E::Kind<'o>> + AsRef<E::Kind<'l>>,
{
    make_room(jni, references.len())?;
    let array = bare::nulls::<E>(jni, references.len())?;
    for (index, reference) in references.iter().enumerate() {
        bare::set_element(jni, &array, index, reference)?;
    }
    Ok(array)
}

/// An array of the references, which the VM made on this frame.
pub(super) fn object_array<'l, 'o>(
    jni: &mut Env<'l>,
    element: &JdkClass,
    objects: &[impl AsRef<JObject<'o>>],
) -> Outcome<JObjectArray<'l, JObject<'l>>> {
    make_room(jni, objects.len())?;
    let element = element.get(jni)?;
    let length = jsize::try_from(objects.len()).map_err(|_| {
        Failure::Jni(jni::errors::Error::JniCall(
            jni::errors::JniError::InvalidArguments,
        ))
    })?;
    let array = jni.new_object_array(length, element, JObject::null())?;
    for (index, object) in objects.iter().enumerate() {
        bare::set_element(jni, &array, index, object.as_ref())?;
    }
    Ok(array)
}

/// An `Object[]`, null where there is none.
pub(super) fn references<'l, 'o>(
    jni: &mut Env<'l>,
    objects: impl Iterator<Item = Option<&'o JObject<'o>>>,
) -> Outcome<JObjectArray<'l, JObject<'l>>> {
    let objects: Vec<_> = objects.collect();
    let object = OBJECT.get(jni)?;
    let array = jni.new_object_array(objects.len() as jint, object, JObject::null())?;
    for (index, object) in objects.iter().enumerate() {
        if let Some(object) = object {
            bare::set_element(jni, &array, index, object)?;
        }
    }
    Ok(array)
}

/// A `String[]`, null where there is none.
pub(super) fn string_array<'l, 't>(
    jni: &mut Env<'l>,
    room: &mut Room,
    texts: impl ExactSizeIterator<Item = Option<&'t JNIStr>>,
) -> Outcome<JObjectArray<'l, JString<'l>>> {
    let array = bare::nulls::<JString<'_>>(jni, texts.len())?;
    for (index, text) in texts.enumerate() {
        if let Some(text) = text {
            room.made(jni, 1)?;
            let string = bare::string(jni, text)?;
            bare::set_element(jni, &array, index, &string)?;
            jni.delete_local_ref(string);
        }
    }
    Ok(array)
}
