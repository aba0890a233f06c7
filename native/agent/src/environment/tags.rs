//! What environments have put tags on, remembered as long as closing can take those off in no time.
//!
//! A tag is found again by its value alone, and for that the VM goes through all tags of its
//! environment: few values and few tags are fewer than what disposing costs.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use jvmti::sys::{Capabilities, Capability};

use crate::failure::Outcome;
use crate::vm::{capacity, image};

/// How many different tags of an environment are remembered.
const VALUES: usize = 64;

/// How often an environment may tag something: no more objects carry a tag of it.
const TIMES: usize = 4096;

/// References that taking tags off makes and does not count.
const REFERENCES: usize = 16;

/// By environment.
static TAGS: Mutex<BTreeMap<u64, Tags>> = Mutex::new(BTreeMap::new());

/// What one environment has put on objects.
#[derive(Default)]
pub(super) struct Tags {
    values: Vec<i64>,
    times: usize,
}

/// `handle` has put `tag` on an object; false: too many to take them off one day.
pub(super) fn remember(handle: u64, tag: i64) -> bool {
    let mut all = lock();
    let few = all.entry(handle).or_default().add(tag);
    if !few {
        all.remove(&handle);
    }
    few
}

/// What `handle` has put on objects, which nobody adds to any more.
pub(super) fn forget(handle: u64) -> Tags {
    lock().remove(&handle).unwrap_or_default()
}

impl Tags {
    fn add(&mut self, tag: i64) -> bool {
        self.times += 1;
        let known = self.values.contains(&tag);
        if !known {
            self.values.push(tag);
        }
        self.values.len() <= VALUES && self.times <= TIMES
    }

    /// Takes them off whatever carries one in `env`. Only by the steward.
    pub(super) fn take_off(&self, env: &jvmti::Env) -> Outcome<()> {
        if self.values.is_empty() {
            return Ok(());
        }
        // Closing has given it up with all others.
        let needed: Capabilities = [Capability::CAN_TAG_OBJECTS].into_iter().collect();
        env.add_capabilities(&needed)?;
        image::java_vm()?.with_local_frame(REFERENCES, |jni| {
            let found = env.objects_with_tags(jni, &self.values)?;
            capacity::make_room(jni, found.objects.len())?;
            for object in &found.objects {
                env.set_tag(object, 0)?;
            }
            Ok(())
        })
    }
}

fn lock() -> MutexGuard<'static, BTreeMap<u64, Tags>> {
    TAGS.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_tags_are_remembered_each_once() {
        // Of no environment.
        let handle = u64::MAX;
        assert!(remember(handle, 7) && remember(handle, -7) && remember(handle, 7));
        assert_eq!(forget(handle).values, [7, -7]);
        assert!(forget(handle).values.is_empty());
    }

    #[test]
    fn too_many_are_not() {
        let values = u64::MAX - 1;
        let remembered = (1..).take_while(|tag| remember(values, *tag)).count();
        assert_eq!(remembered, VALUES);
        assert!(forget(values).values.is_empty());

        let objects = u64::MAX - 2;
        let remembered = (1..).take_while(|_| remember(objects, 7)).count();
        assert_eq!(remembered, TIMES);
        assert!(forget(objects).values.is_empty());
    }
}
