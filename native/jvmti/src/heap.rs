//! Heap: tags, garbage, and walks.

mod legacy;
mod visit;
mod walk;

use std::ptr;

use jni::objects::JObject;

use crate::env::{Env, call, locals};
use crate::error::{Result, collect, list_length};
use crate::memory::{Allocated, out, out_array};

pub use legacy::{LegacyHeapVisitor, ObjectReference, StackReference};
pub use visit::{HeapCount, HeapObject};
pub use walk::{
    HeapElements, HeapField, HeapReference, HeapReferenceSource, HeapReferrer, HeapValue,
    HeapValues, HeapVisitor, JniLocal, StackLocal,
};

/// What [`Env::objects_with_tags`] found: `objects[i]` has the tag `tags[i]`.
#[derive(Debug)]
pub struct Tagged<'l> {
    /// The objects, in no order, as references of the JNI frame `'l`.
    pub objects: Vec<JObject<'l>>,
    /// Their tags.
    pub tags: Vec<i64>,
}

impl Env {
    /// The tag of `object` in this environment; 0 for one that has none. Other environments do not
    /// see it.
    ///
    /// Phase: start, live. Capability: `can_tag_objects`.
    ///
    /// # Errors
    ///
    /// `JVMTI_ERROR_MUST_POSSESS_CAPABILITY`; `JVMTI_ERROR_INVALID_OBJECT` if `object` is null.
    #[doc(alias = "GetTag")]
    #[inline]
    pub fn tag(&self, object: &JObject<'_>) -> Result<i64> {
        out(|tag| call!(self, GetTag, object.as_raw(), tag))
    }

    /// Sets the tag of `object` in this environment; 0 removes it.
    ///
    /// A tag keeps nothing alive, costs about 70 bytes of native memory and makes every young
    /// collection a little longer.
    ///
    /// Phase: start, live. Capability: `can_tag_objects`.
    ///
    /// # Errors
    ///
    /// `JVMTI_ERROR_MUST_POSSESS_CAPABILITY`; `JVMTI_ERROR_INVALID_OBJECT` if `object` is null.
    #[doc(alias = "SetTag")]
    #[inline]
    pub fn set_tag(&self, object: &JObject<'_>, tag: i64) -> Result<()> {
        call!(self, SetTag, object.as_raw(), tag)
    }

    /// All objects that have one of `tags` in this environment, with the tag each has. No tags find
    /// no objects.
    ///
    /// The VM scans its whole table of tags, once for each tag asked for. Costs one local reference
    /// per object found.
    ///
    /// Phase: live. Capability: `can_tag_objects`.
    ///
    /// # Errors
    ///
    /// `JVMTI_ERROR_MUST_POSSESS_CAPABILITY`; by specification `JVMTI_ERROR_ILLEGAL_ARGUMENT` if a
    /// tag is 0, though HotSpot finds nothing for it.
    #[doc(alias = "GetObjectsWithTags")]
    pub fn objects_with_tags<'l>(&self, jni: &jni::Env<'l>, tags: &[i64]) -> Result<Tagged<'l>> {
        let wanted = list_length("GetObjectsWithTags", tags.len())?;
        let mut found = ptr::null_mut();
        let objects = out_array(self, |count, objects| {
            let found = &raw mut found;
            call!(
                self,
                GetObjectsWithTags,
                wanted,
                tags.as_ptr(),
                count,
                objects,
                found
            )
        })?;
        // SAFETY: the function succeeded, so this is a block of ours, as long as the other.
        let found = unsafe { Allocated::from_raw(self, found, objects.len() as i32) };
        // SAFETY: new local references of the current frame, each seen once.
        let objects = unsafe { locals::<JObject<'_>>("GetObjectsWithTags", jni, &objects) }?;
        let tags = collect("GetObjectsWithTags", found.len(), found.iter().copied())?;
        Ok(Tagged { objects, tags })
    }

    /// Has all garbage collected, and waits for that. No option of the VM keeps it from that, as
    /// `-XX:+DisableExplicitGC` does `System.gc()`.
    ///
    /// Phase: live. Capability: none.
    #[doc(alias = "ForceGarbageCollection")]
    pub fn force_garbage_collection(&self) -> Result<()> {
        call!(self, ForceGarbageCollection)
    }
}
