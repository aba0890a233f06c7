//! Heap: walks over all objects, and along references.

use std::cell::Cell;
use std::ffi::c_void;
use std::ptr;

use bitflags::bitflags;
use jni::objects::{JClass, JObject};
use jni::sys::{jint, jlong};

use super::visit::{HeapCount, HeapObject, Visit, place};
use crate::env::{Env, call};
use crate::error::{Error, Result};
use crate::memory::borrow;
use crate::method::MethodId;
use crate::sys::{
    self, HeapFilter, HeapReferenceKind, HeapVisitControl, PrimitiveType, jchar,
    jvmtiHeapCallbacks, jvmtiHeapReferenceInfo,
};

bitflags! {
    /// Primitive values that a walk tells.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct HeapValues: u8 {
        /// Of fields, each to [`HeapVisitor::field`].
        const FIELDS = 1;
        /// Of arrays, to [`HeapVisitor::array`].
        const ARRAYS = 2;
        /// Of strings, to [`HeapVisitor::string`].
        const STRINGS = 4;
    }
}

/// Who is shown the heap by [`Env::iterate_through_heap`] and [`Env::follow_references`].
///
/// Its methods run on a thread of the VM, while all others stand still. Each answer says whether the
/// walk goes on ([`ABORT`](HeapVisitControl::ABORT) ends it) and, along references, whether those of
/// the object are followed ([`OBJECTS`](HeapVisitControl::OBJECTS)). If one panics, the walk ends,
/// and then panics.
///
/// # Safety
///
/// Its methods call no function of JNI, attach no thread, and wait for no other thread.
pub unsafe trait HeapVisitor: Send {
    /// What else it wants to be told: each costs time.
    const VALUES: HeapValues = HeapValues::empty();

    /// An object of [`Env::iterate_through_heap`].
    fn object(&mut self, _: HeapObject<'_>) -> HeapVisitControl {
        HeapVisitControl::OBJECTS
    }

    /// A reference of [`Env::follow_references`].
    fn reference(&mut self, _: HeapReference<'_>) -> HeapVisitControl {
        HeapVisitControl::OBJECTS
    }

    /// A field with a primitive value.
    fn field(&mut self, _: HeapField<'_>) -> HeapVisitControl {
        HeapVisitControl::OBJECTS
    }

    /// An array of primitive values.
    fn array(&mut self, _: HeapObject<'_>, _: HeapElements<'_>) -> HeapVisitControl {
        HeapVisitControl::OBJECTS
    }

    /// A string, in UTF-16.
    fn string(&mut self, _: HeapObject<'_>, _: &[u16]) -> HeapVisitControl {
        HeapVisitControl::OBJECTS
    }
}

/// A reference that a walk has followed.
#[derive(Clone, Copy, Debug)]
pub struct HeapReference<'a> {
    /// Where it is.
    pub kind: HeapReferenceSource,
    /// What it refers to.
    pub object: HeapObject<'a>,
    /// What refers to it; of a root nothing does.
    pub referrer: Option<HeapReferrer<'a>>,
}

/// An object with a reference.
#[derive(Clone, Copy, Debug)]
pub struct HeapReferrer<'a> {
    /// The tag of its class; 0 for none.
    pub class_tag: i64,
    /// Its tag, 0 for none, which may be set: the very place of the other one if it refers to itself.
    pub tag: &'a Cell<i64>,
}

/// Where a reference is: in an object, or a root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[doc(alias = "jvmtiHeapReferenceKind")]
pub enum HeapReferenceSource {
    /// From an object to its class.
    Class,
    /// A field, by its index among those of the class, its superclasses and interfaces.
    Field(i32),
    /// An element of an array.
    ArrayElement(i32),
    /// From a class to its loader.
    ClassLoader,
    /// From a class to its signers.
    Signers,
    /// From a class to its protection domain.
    ProtectionDomain,
    /// From a class to an interface.
    Interface,
    /// A static field, by its index as for [`Field`](Self::Field).
    StaticField(i32),
    /// An entry of the constant pool of a class.
    ConstantPool(i32),
    /// From a class to its superclass.
    Superclass,
    /// A JNI global reference.
    JniGlobal,
    /// A class of the system.
    SystemClass,
    /// A monitor.
    Monitor,
    /// A local variable.
    StackLocal(StackLocal),
    /// A JNI local reference.
    JniLocal(JniLocal),
    /// A thread that is alive.
    Thread,
    /// Another root.
    Other,
    /// What is unknown here.
    Unknown(HeapReferenceKind),
}

/// A local variable with a reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(alias = "jvmtiHeapReferenceInfoStackLocal")]
pub struct StackLocal {
    /// The tag of the thread; 0 for none.
    pub thread_tag: i64,
    /// The number of the thread.
    pub thread_id: i64,
    /// How deep the frame is.
    pub depth: i32,
    /// The method of the frame.
    pub method: MethodId,
    /// Where it is in the method.
    pub location: i64,
    /// The slot of the variable.
    pub slot: i32,
}

/// A JNI local reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(alias = "jvmtiHeapReferenceInfoJniLocal")]
pub struct JniLocal {
    /// The tag of the thread; 0 for none.
    pub thread_tag: i64,
    /// The number of the thread.
    pub thread_id: i64,
    /// How deep the frame is; -1 if there is none.
    pub depth: i32,
    /// The method of the frame, if there is one.
    pub method: Option<MethodId>,
}

/// A field with a primitive value.
#[derive(Clone, Copy, Debug)]
pub struct HeapField<'a> {
    /// Whether it is one of the class that the tag is about.
    pub is_static: bool,
    /// Its index, as in [`HeapReferenceSource::Field`].
    pub index: i32,
    /// The tag of the object's class, or of `Class`.
    pub class_tag: i64,
    /// The tag of the object, or of the class, which may be set.
    pub tag: &'a Cell<i64>,
    /// Its value.
    pub value: HeapValue,
}

/// A primitive value.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(missing_docs, reason = "they are called like the types")]
pub enum HeapValue {
    Boolean(bool),
    Byte(i8),
    Char(u16),
    Short(i16),
    Int(i32),
    Long(i64),
    Float(f32),
    Double(f64),
}

/// The elements of an array of primitive values, where they are in the heap.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(missing_docs, reason = "they are called like the types")]
pub enum HeapElements<'a> {
    /// 0 is false.
    Boolean(&'a [u8]),
    Byte(&'a [i8]),
    Char(&'a [u16]),
    Short(&'a [i16]),
    Int(&'a [i32]),
    Long(&'a [i64]),
    Float(&'a [f32]),
    Double(&'a [f64]),
}

impl Env {
    /// Shows `visitor` all objects of the heap that `filter` lets through, those that nothing reaches
    /// included, in no order; with a `class` only its instances, without those of its subclasses.
    ///
    /// The filter says what is *not* shown: [`HeapFilter::TAGGED`] leaves out the objects with a tag.
    ///
    /// Phase: live. Capability: `can_tag_objects`.
    ///
    /// # Errors
    ///
    /// `JVMTI_ERROR_MUST_POSSESS_CAPABILITY`; `JVMTI_ERROR_INVALID_CLASS` if `class` is null.
    ///
    /// # Panics
    ///
    /// If the visitor does.
    #[doc(alias = "IterateThroughHeap")]
    pub fn iterate_through_heap<V: HeapVisitor>(
        &self,
        filter: HeapFilter,
        class: Option<&JClass<'_>>,
        visitor: &mut V,
    ) -> Result<()> {
        let class = or_any("IterateThroughHeap", class)?;
        let callbacks = jvmtiHeapCallbacks {
            heap_iteration_callback: Some(object::<V>),
            ..values::<V>()
        };
        let mut visit = Visit::new(visitor);
        let user_data = visit.user_data();
        let bits = filter.bits();
        let answer = call!(
            self,
            IterateThroughHeap,
            bits,
            class,
            &raw const callbacks,
            user_data
        );
        visit.end();
        answer
    }

    /// Shows `visitor` each reference that is found on the way from `initial`, or from all roots, to
    /// all that is reached. An object is visited once, and shown as often as it is referred to.
    ///
    /// Filter and `class` are those of [`iterate_through_heap`](Self::iterate_through_heap), for what is
    /// referred to; what they leave out is passed through all the same.
    ///
    /// Phase: live. Capability: `can_tag_objects`.
    ///
    /// # Errors
    ///
    /// `JVMTI_ERROR_MUST_POSSESS_CAPABILITY`; `JVMTI_ERROR_INVALID_CLASS` if `class` is null,
    /// `JVMTI_ERROR_INVALID_OBJECT` if `initial` is.
    ///
    /// # Panics
    ///
    /// If the visitor does.
    #[doc(alias = "FollowReferences")]
    pub fn follow_references<V: HeapVisitor>(
        &self,
        filter: HeapFilter,
        class: Option<&JClass<'_>>,
        initial: Option<&JObject<'_>>,
        visitor: &mut V,
    ) -> Result<()> {
        const FUNCTION: &str = "FollowReferences";
        let class = or_any(FUNCTION, class)?;
        let initial = match initial.map(|object| object.as_raw()) {
            Some(null) if null.is_null() => {
                return Err(Error::new(FUNCTION, sys::Error::INVALID_OBJECT));
            }
            initial => initial.unwrap_or(ptr::null_mut()),
        };
        let callbacks = jvmtiHeapCallbacks {
            heap_reference_callback: Some(reference::<V>),
            ..values::<V>()
        };
        let mut visit = Visit::new(visitor);
        let user_data = visit.user_data();
        let answer = call!(
            self,
            FollowReferences,
            filter.bits(),
            class,
            initial,
            &raw const callbacks,
            user_data
        );
        visit.end();
        answer
    }

    /// About how many bytes are allocated between two samples; 0 for each object a sample. It holds
    /// for the whole VM, from the next sample of each thread on.
    ///
    /// Phase: onload, live. Capability: `can_generate_sampled_object_alloc_events`.
    ///
    /// # Errors
    ///
    /// `JVMTI_ERROR_MUST_POSSESS_CAPABILITY`; `JVMTI_ERROR_ILLEGAL_ARGUMENT` if it is more than
    /// `i32::MAX`.
    #[doc(alias = "SetHeapSamplingInterval")]
    pub fn set_heap_sampling_interval(&self, bytes: u32) -> Result<()> {
        // As a negative number is.
        let bytes = i32::try_from(bytes).unwrap_or(-1);
        call!(self, SetHeapSamplingInterval, bytes)
    }
}

/// `NULL`, any class, for `None` alone.
fn or_any(function: &'static str, class: Option<&JClass<'_>>) -> Result<sys::jclass> {
    match class.map(|class| class.as_raw()) {
        Some(null) if null.is_null() => Err(Error::new(function, sys::Error::INVALID_CLASS)),
        class => Ok(class.unwrap_or(ptr::null_mut())),
    }
}

/// The callbacks for the values that a visitor wants.
fn values<V: HeapVisitor>() -> jvmtiHeapCallbacks {
    let wants = |values| V::VALUES.contains(values);
    jvmtiHeapCallbacks {
        primitive_field_callback: wants(HeapValues::FIELDS).then_some(field::<V>),
        array_primitive_value_callback: wants(HeapValues::ARRAYS).then_some(array::<V>),
        string_primitive_value_callback: wants(HeapValues::STRINGS).then_some(string::<V>),
        ..jvmtiHeapCallbacks::default()
    }
}

unsafe extern "system" fn object<V: HeapVisitor>(
    class_tag: jlong,
    size: jlong,
    tag: *mut jlong,
    length: jint,
    user_data: *mut c_void,
) -> jint {
    // SAFETY: the VM passes the place of the tag, and the data of this walk.
    unsafe {
        let object = HeapObject::new(class_tag, size, Some(length), tag);
        show(user_data, |visitor: &mut V| visitor.object(object))
    }
}

unsafe extern "system" fn reference<V: HeapVisitor>(
    kind: HeapReferenceKind,
    info: *const jvmtiHeapReferenceInfo,
    class_tag: jlong,
    referrer_class_tag: jlong,
    size: jlong,
    tag: *mut jlong,
    referrer_tag: *mut jlong,
    length: jint,
    user_data: *mut c_void,
) -> jint {
    // SAFETY: the VM passes what is known of such a reference, the places of the tags, none for a root, and the data
    // of this walk.
    unsafe {
        let reference = HeapReference {
            kind: source(kind, info),
            object: HeapObject::new(class_tag, size, Some(length), tag),
            referrer: (!referrer_tag.is_null()).then(|| HeapReferrer {
                class_tag: referrer_class_tag,
                tag: place(referrer_tag),
            }),
        };
        show(user_data, |visitor: &mut V| visitor.reference(reference))
    }
}

unsafe extern "system" fn field<V: HeapVisitor>(
    kind: HeapReferenceKind,
    info: *const jvmtiHeapReferenceInfo,
    class_tag: jlong,
    tag: *mut jlong,
    value: sys::jvalue,
    value_type: PrimitiveType,
    user_data: *mut c_void,
) -> jint {
    // SAFETY: the VM passes a value of this type, the field, the place of the tag, and the data of this walk.
    unsafe {
        let Some(value) = primitive(value, value_type) else {
            return HeapVisitControl::OBJECTS.bits();
        };
        let field = HeapField {
            is_static: kind == HeapReferenceKind::STATIC_FIELD,
            index: (*info).field.index,
            class_tag,
            tag: place(tag),
            value,
        };
        show(user_data, |visitor: &mut V| visitor.field(field))
    }
}

unsafe extern "system" fn array<V: HeapVisitor>(
    class_tag: jlong,
    size: jlong,
    tag: *mut jlong,
    count: jint,
    element_type: PrimitiveType,
    elements: *const c_void,
    user_data: *mut c_void,
) -> jint {
    // SAFETY: the VM passes so many elements of this type, the place of the tag, and the data of this walk.
    unsafe {
        let Some(elements) = self::elements(elements, count, element_type) else {
            return HeapVisitControl::OBJECTS.bits();
        };
        let object = HeapObject::new(class_tag, size, Some(count), tag);
        show(user_data, |visitor: &mut V| visitor.array(object, elements))
    }
}

unsafe extern "system" fn string<V: HeapVisitor>(
    class_tag: jlong,
    size: jlong,
    tag: *mut jlong,
    value: *const jchar,
    length: jint,
    user_data: *mut c_void,
) -> jint {
    // SAFETY: the VM passes so many characters, the place of the tag, and the data of this walk.
    unsafe {
        let value = borrow(value, usize::try_from(length).unwrap_or(0));
        let object = HeapObject::new(class_tag, size, None, tag);
        show(user_data, |visitor: &mut V| visitor.string(object, value))
    }
}

/// # Safety
///
/// `user_data` is that of a walk of a `V`.
unsafe fn show<V>(
    user_data: *mut c_void,
    something: impl FnOnce(&mut V) -> HeapVisitControl,
) -> jint {
    // SAFETY: the caller's promise.
    unsafe { Visit::show(user_data, HeapVisitControl::ABORT, something) }.bits()
}

/// # Safety
///
/// `info` is what the VM tells of such a reference.
unsafe fn source(
    kind: HeapReferenceKind,
    info: *const jvmtiHeapReferenceInfo,
) -> HeapReferenceSource {
    use HeapReferenceKind as Kind;
    use HeapReferenceSource as Source;
    // SAFETY: the caller's promise; the kind says which field of it holds, and whether there is one.
    unsafe {
        match kind {
            Kind::CLASS => Source::Class,
            Kind::FIELD => Source::Field((*info).field.index),
            Kind::ARRAY_ELEMENT => Source::ArrayElement((*info).array.index),
            Kind::CLASS_LOADER => Source::ClassLoader,
            Kind::SIGNERS => Source::Signers,
            Kind::PROTECTION_DOMAIN => Source::ProtectionDomain,
            Kind::INTERFACE => Source::Interface,
            Kind::STATIC_FIELD => Source::StaticField((*info).field.index),
            Kind::CONSTANT_POOL => Source::ConstantPool((*info).constant_pool.index),
            Kind::SUPERCLASS => Source::Superclass,
            Kind::JNI_GLOBAL => Source::JniGlobal,
            Kind::SYSTEM_CLASS => Source::SystemClass,
            Kind::MONITOR => Source::Monitor,
            Kind::STACK_LOCAL => Source::StackLocal(stack_local((*info).stack_local)),
            Kind::JNI_LOCAL => Source::JniLocal(jni_local((*info).jni_local)),
            Kind::THREAD => Source::Thread,
            Kind::OTHER => Source::Other,
            kind => Source::Unknown(kind),
        }
    }
}

/// # Safety
///
/// The VM has told it, and the method is one of a class that is loaded.
unsafe fn stack_local(info: sys::jvmtiHeapReferenceInfoStackLocal) -> StackLocal {
    StackLocal {
        thread_tag: info.thread_tag,
        thread_id: info.thread_id,
        depth: info.depth,
        // SAFETY: the caller's promise.
        method: unsafe { MethodId::from_raw(info.method) },
        location: info.location,
        slot: info.slot,
    }
}

/// # Safety
///
/// As [`stack_local`], or there is no method.
unsafe fn jni_local(info: sys::jvmtiHeapReferenceInfoJniLocal) -> JniLocal {
    JniLocal {
        thread_tag: info.thread_tag,
        thread_id: info.thread_id,
        depth: info.depth,
        // SAFETY: the caller's promise.
        method: (!info.method.is_null()).then(|| unsafe { MethodId::from_raw(info.method) }),
    }
}

/// None of an unknown type.
///
/// # Safety
///
/// `value` is of this type.
unsafe fn primitive(value: sys::jvalue, value_type: PrimitiveType) -> Option<HeapValue> {
    // SAFETY: the caller's promise.
    Some(unsafe {
        match value_type {
            PrimitiveType::BOOLEAN => HeapValue::Boolean(value.b != 0),
            PrimitiveType::BYTE => HeapValue::Byte(value.b),
            PrimitiveType::CHAR => HeapValue::Char(value.c),
            PrimitiveType::SHORT => HeapValue::Short(value.s),
            PrimitiveType::INT => HeapValue::Int(value.i),
            PrimitiveType::LONG => HeapValue::Long(value.j),
            PrimitiveType::FLOAT => HeapValue::Float(value.f),
            PrimitiveType::DOUBLE => HeapValue::Double(value.d),
            _ => return None,
        }
    })
}

/// None of an unknown type.
///
/// # Safety
///
/// `first` begins so many elements of this type, which stay while the callback goes on.
unsafe fn elements<'a>(
    first: *const c_void,
    count: jint,
    element_type: PrimitiveType,
) -> Option<HeapElements<'a>> {
    let count = usize::try_from(count).unwrap_or(0);
    // SAFETY: the caller's promise; the VM aligns arrays.
    Some(unsafe {
        match element_type {
            PrimitiveType::BOOLEAN => HeapElements::Boolean(borrow(first.cast(), count)),
            PrimitiveType::BYTE => HeapElements::Byte(borrow(first.cast(), count)),
            PrimitiveType::CHAR => HeapElements::Char(borrow(first.cast(), count)),
            PrimitiveType::SHORT => HeapElements::Short(borrow(first.cast(), count)),
            PrimitiveType::INT => HeapElements::Int(borrow(first.cast(), count)),
            PrimitiveType::LONG => HeapElements::Long(borrow(first.cast(), count)),
            PrimitiveType::FLOAT => HeapElements::Float(borrow(first.cast(), count)),
            PrimitiveType::DOUBLE => HeapElements::Double(borrow(first.cast(), count)),
            _ => return None,
        }
    })
}

// SAFETY: it adds numbers.
unsafe impl HeapVisitor for HeapCount {
    fn object(&mut self, object: HeapObject<'_>) -> HeapVisitControl {
        self.add(&object);
        HeapVisitControl::OBJECTS
    }

    fn reference(&mut self, reference: HeapReference<'_>) -> HeapVisitControl {
        self.object(reference.object)
    }
}
