//! Heap (1.0): the older walks.

use std::ffi::c_void;

use jni::objects::{JClass, JObject};
use jni::sys::{jint, jlong, jmethodID};

use super::visit::{HeapCount, HeapObject, Visit};
use crate::env::{Env, call};
use crate::error::Result;
use crate::method::MethodId;
use crate::sys::{HeapObjectFilter, HeapRootKind, IterationControl, ObjectReferenceKind};

/// Who is shown the heap by the functions of Heap (1.0).
///
/// As for [`HeapVisitor`](crate::HeapVisitor), its methods run on a thread of the VM, while all others
/// stand still. Each answer says whether the walk goes on
/// ([`ABORT`](IterationControl::ABORT) ends it) and, along references, whether those of the object are
/// followed ([`IGNORE`](IterationControl::IGNORE): they are not). If one panics, the walk ends, and
/// then panics.
///
/// # Safety
///
/// Its methods call no function of JNI, attach no thread, and wait for no other thread.
pub unsafe trait LegacyHeapVisitor: Send {
    /// An object of [`Env::iterate_over_heap`] and [`Env::iterate_over_instances_of_class`].
    fn object(&mut self, _: HeapObject<'_>) -> IterationControl {
        IterationControl::CONTINUE
    }

    /// A root that is no variable.
    fn root(&mut self, _: HeapRootKind, _: HeapObject<'_>) -> IterationControl {
        IterationControl::CONTINUE
    }

    /// A root that is a local variable, or a JNI local reference.
    fn stack_reference(&mut self, _: StackReference, _: HeapObject<'_>) -> IterationControl {
        IterationControl::CONTINUE
    }

    /// A reference from one object to another.
    fn reference(&mut self, _: ObjectReference, _: HeapObject<'_>) -> IterationControl {
        IterationControl::CONTINUE
    }
}

/// A root on the stack of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StackReference {
    /// [`HeapRootKind::STACK_LOCAL`] or [`HeapRootKind::JNI_LOCAL`].
    pub kind: HeapRootKind,
    /// The tag of the thread; 0 for none.
    pub thread_tag: i64,
    /// How deep the frame is; -1 if there is none.
    pub depth: i32,
    /// The method of the frame, if there is one.
    pub method: Option<MethodId>,
    /// The slot of a variable; -1 of a JNI local reference.
    pub slot: i32,
}

/// A reference of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ObjectReference {
    /// Where it is.
    pub kind: ObjectReferenceKind,
    /// The tag of the object; 0 for none.
    pub referrer_tag: i64,
    /// The index of the field, of the element or of the constant; else -1.
    pub referrer_index: i32,
}

impl Env {
    /// Shows `visitor` each reference on the way from `object` to all that is reached from it.
    ///
    /// Phase: live. Capability: `can_tag_objects`.
    ///
    /// # Errors
    ///
    /// `JVMTI_ERROR_MUST_POSSESS_CAPABILITY`; `JVMTI_ERROR_INVALID_OBJECT` if `object` is null.
    ///
    /// # Panics
    ///
    /// If the visitor does.
    #[doc(alias = "IterateOverObjectsReachableFromObject")]
    pub fn iterate_over_objects_reachable_from_object<V: LegacyHeapVisitor>(
        &self,
        object: &JObject<'_>,
        visitor: &mut V,
    ) -> Result<()> {
        let mut visit = Visit::new(visitor);
        let user_data = visit.user_data();
        let answer = call!(
            self,
            IterateOverObjectsReachableFromObject,
            object.as_raw(),
            Some(reference::<V>),
            user_data
        );
        visit.end();
        answer
    }

    /// Shows `visitor` all roots, and each reference on the way from them to all that is reached.
    ///
    /// Phase: live. Capability: `can_tag_objects`.
    ///
    /// # Errors
    ///
    /// `JVMTI_ERROR_MUST_POSSESS_CAPABILITY`.
    ///
    /// # Panics
    ///
    /// If the visitor does.
    #[doc(alias = "IterateOverReachableObjects")]
    pub fn iterate_over_reachable_objects<V: LegacyHeapVisitor>(
        &self,
        visitor: &mut V,
    ) -> Result<()> {
        let mut visit = Visit::new(visitor);
        let user_data = visit.user_data();
        let answer = call!(
            self,
            IterateOverReachableObjects,
            Some(root::<V>),
            Some(stack_reference::<V>),
            Some(reference::<V>),
            user_data
        );
        visit.end();
        answer
    }

    /// Shows `visitor` all objects that `filter` names, those that nothing reaches included.
    ///
    /// Phase: live. Capability: `can_tag_objects`.
    ///
    /// # Errors
    ///
    /// `JVMTI_ERROR_MUST_POSSESS_CAPABILITY`; `JVMTI_ERROR_ILLEGAL_ARGUMENT` if `filter` is none.
    ///
    /// # Panics
    ///
    /// If the visitor does.
    #[doc(alias = "IterateOverHeap")]
    pub fn iterate_over_heap<V: LegacyHeapVisitor>(
        &self,
        filter: HeapObjectFilter,
        visitor: &mut V,
    ) -> Result<()> {
        let mut visit = Visit::new(visitor);
        let user_data = visit.user_data();
        let answer = call!(self, IterateOverHeap, filter, Some(object::<V>), user_data);
        visit.end();
        answer
    }

    /// Shows `visitor` the instances of `class` and of its subclasses that `filter` names, those that
    /// nothing reaches included.
    ///
    /// Phase: live. Capability: `can_tag_objects`.
    ///
    /// # Errors
    ///
    /// `JVMTI_ERROR_MUST_POSSESS_CAPABILITY`; `JVMTI_ERROR_INVALID_CLASS` if `class` is null;
    /// `JVMTI_ERROR_ILLEGAL_ARGUMENT` if `filter` is none.
    ///
    /// # Panics
    ///
    /// If the visitor does.
    #[doc(alias = "IterateOverInstancesOfClass")]
    pub fn iterate_over_instances_of_class<V: LegacyHeapVisitor>(
        &self,
        class: &JClass<'_>,
        filter: HeapObjectFilter,
        visitor: &mut V,
    ) -> Result<()> {
        let mut visit = Visit::new(visitor);
        let user_data = visit.user_data();
        let answer = call!(
            self,
            IterateOverInstancesOfClass,
            class.as_raw(),
            filter,
            Some(object::<V>),
            user_data
        );
        visit.end();
        answer
    }
}

unsafe extern "system" fn object<V: LegacyHeapVisitor>(
    class_tag: jlong,
    size: jlong,
    tag: *mut jlong,
    user_data: *mut c_void,
) -> IterationControl {
    // SAFETY: the VM passes the place of the tag, and the data of this walk.
    unsafe {
        let object = HeapObject::new(class_tag, size, None, tag);
        show(user_data, |visitor: &mut V| visitor.object(object))
    }
}

unsafe extern "system" fn root<V: LegacyHeapVisitor>(
    kind: HeapRootKind,
    class_tag: jlong,
    size: jlong,
    tag: *mut jlong,
    user_data: *mut c_void,
) -> IterationControl {
    // SAFETY: as above.
    unsafe {
        let object = HeapObject::new(class_tag, size, None, tag);
        show(user_data, |visitor: &mut V| visitor.root(kind, object))
    }
}

unsafe extern "system" fn stack_reference<V: LegacyHeapVisitor>(
    kind: HeapRootKind,
    class_tag: jlong,
    size: jlong,
    tag: *mut jlong,
    thread_tag: jlong,
    depth: jint,
    method: jmethodID,
    slot: jint,
    user_data: *mut c_void,
) -> IterationControl {
    // SAFETY: as above; the method, if there is one, is that of a frame.
    unsafe {
        let object = HeapObject::new(class_tag, size, None, tag);
        let reference = StackReference {
            kind,
            thread_tag,
            depth,
            method: (!method.is_null()).then(|| MethodId::from_raw(method)),
            slot,
        };
        show(user_data, |visitor: &mut V| {
            visitor.stack_reference(reference, object)
        })
    }
}

unsafe extern "system" fn reference<V: LegacyHeapVisitor>(
    kind: ObjectReferenceKind,
    class_tag: jlong,
    size: jlong,
    tag: *mut jlong,
    referrer_tag: jlong,
    referrer_index: jint,
    user_data: *mut c_void,
) -> IterationControl {
    // SAFETY: as above.
    unsafe {
        let object = HeapObject::new(class_tag, size, None, tag);
        let reference = ObjectReference {
            kind,
            referrer_tag,
            referrer_index,
        };
        show(user_data, |visitor: &mut V| {
            visitor.reference(reference, object)
        })
    }
}

/// # Safety
///
/// `user_data` is that of a walk of a `V`.
unsafe fn show<V>(
    user_data: *mut c_void,
    something: impl FnOnce(&mut V) -> IterationControl,
) -> IterationControl {
    // SAFETY: the caller's promise.
    unsafe { Visit::show(user_data, IterationControl::ABORT, something) }
}

// SAFETY: it adds numbers.
unsafe impl LegacyHeapVisitor for HeapCount {
    fn object(&mut self, object: HeapObject<'_>) -> IterationControl {
        self.add(&object);
        IterationControl::CONTINUE
    }

    fn root(&mut self, _: HeapRootKind, object: HeapObject<'_>) -> IterationControl {
        LegacyHeapVisitor::object(self, object)
    }

    fn stack_reference(&mut self, _: StackReference, object: HeapObject<'_>) -> IterationControl {
        LegacyHeapVisitor::object(self, object)
    }

    fn reference(&mut self, _: ObjectReference, object: HeapObject<'_>) -> IterationControl {
        LegacyHeapVisitor::object(self, object)
    }
}
