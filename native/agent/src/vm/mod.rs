//! The VM that this image is in: what is known of it, and the threads of ours that live there.

pub(crate) mod bare;
pub(crate) mod bytecode;
pub(crate) mod capacity;
pub(crate) mod changed_classes;
pub(crate) mod class_turns;
pub(crate) mod constants;
pub(crate) mod daemon;
pub(crate) mod errand;
pub(crate) mod image;
pub(crate) mod jdk;
mod jni_stubs;
pub(crate) mod jni_table;
pub(crate) mod kept_threads;
pub(crate) mod last_moments;
pub(crate) mod left_behind;
mod loader;
pub(crate) mod lookups;
pub(crate) mod memory;
pub(crate) mod patience;
pub(crate) mod steward;
pub(crate) mod structs;

#[cfg(test)]
#[allow(dead_code, reason = "the tests of the layer have more of it")]
#[path = "../../../jvmti/tests/fake/jni_env.rs"]
pub(crate) mod paper;
