//! Which classes this library has given another class file: some of what HotSpot does with them goes wrong afterwards.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use jni::Env;
use jni::objects::JClass;
use jni::refs::Weak;

use crate::failure::Outcome;
use crate::vm::{bare, image};

/// So many that none is looked at, whether it is still there.
const FEW: usize = 64;

/// Never held across a call into the VM.
static CHANGED: Mutex<Table> = Mutex::new(Table {
    all: BTreeMap::new(),
    count: 0,
    crowded: FEW,
});

struct Table {
    /// By hash code.
    all: BTreeMap<i32, Vec<Changed>>,
    count: usize,
    /// With how many they are looked at.
    crowded: usize,
}

type Changed = Arc<Weak<JClass<'static>>>;

/// Each of `classes` has another class file.
pub(crate) fn add(jni: &Env<'_>, classes: &[JClass<'_>]) -> Outcome<()> {
    for class in classes {
        if !is_one(jni, class)? {
            let (hash, weak) = (hash(class)?, Arc::new(bare::weak(jni, class)?));
            let mut table = lock();
            table.all.entry(hash).or_default().push(weak);
            table.count += 1;
        }
    }
    sweep_if_crowded(jni)
}

/// Whether `class` has ever got another one.
pub(crate) fn is_one(jni: &Env<'_>, class: &JClass<'_>) -> Outcome<bool> {
    if lock().count == 0 {
        return Ok(false);
    }
    let hash = hash(class)?;
    let alike = lock().all.get(&hash).cloned().unwrap_or_default();
    for one in alike {
        if jni.is_same_object(&*one, class)? {
            return Ok(true);
        }
    }
    Ok(false)
}

fn hash(class: &JClass<'_>) -> Outcome<i32> {
    Ok(image::plain()?.object_hash_code(class)?)
}

/// Forgets those that are unloaded, each time as many more have come as were left.
fn sweep_if_crowded(jni: &Env<'_>) -> Outcome<()> {
    let all: Vec<_> = {
        let table = lock();
        if table.count < table.crowded {
            return Ok(());
        }
        table.all.values().flatten().cloned().collect()
    };
    let mut gone = BTreeMap::new();
    for one in all {
        if one.is_garbage_collected(jni)? {
            gone.insert(Arc::as_ptr(&one), one);
        }
    }
    let mut table = lock();
    table.all.retain(|_, alike| {
        alike.retain(|one| !gone.contains_key(&Arc::as_ptr(one)));
        !alike.is_empty()
    });
    table.count = table.all.values().map(Vec::len).sum();
    table.crowded = FEW.max(table.count * 2);
    drop(table);
    // What they know of the classes is the VM's.
    drop(gone);
    Ok(())
}

fn lock() -> MutexGuard<'static, Table> {
    CHANGED.lock().unwrap_or_else(PoisonError::into_inner)
}
