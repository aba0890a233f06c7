//! One context per copy of the Java classes.
//!
//! Two class loaders, or a relocated package, may hold the API at once. Each copy binds itself,
//! and what we call or construct for it is its own: no exception of one copy is thrown at another,
//! and no class loader is kept alive, for every reference here is weak.

use std::sync::{Arc, Mutex, PoisonError};

use jni::ids::JStaticMethodID;
use jni::objects::{JClass, JClassLoader};
use jni::signature::{Primitive, ReturnType, RuntimeMethodSignature};
use jni::strings::JNIStr;
use jni::sys::{jlong, jvalue};
use jni::{Env, NativeMethod, jni_str};

use crate::boundary::classes::{Packages, WeakClass, find, gone};
use crate::boundary::records::Records;
use crate::environment::gate::{self, Inside, Me};
use crate::environment::{changes, life};
use crate::failure::{Failure, Outcome};
use crate::vm::bare;
use crate::vm::capacity::make_room;

/// The natives of one Java class.
pub(crate) struct Group {
    /// Seen from the package of the probe.
    pub(crate) class: &'static JNIStr,
    pub(crate) methods: fn() -> Vec<NativeMethod<'static>>,
    /// Whether the class may be absent.
    pub(crate) optional: bool,
}

/// What natives need of one copy of the Java classes.
pub(crate) struct Context {
    /// The probe class: collected, the copy is gone.
    probe: WeakClass,
    packages: Packages,
    natives: Vec<WeakClass>,
    failures: WeakClass,
    raise: JStaticMethodID,
    /// Names, lines and sources are read through an environment that no user can close.
    metadata: i64,
    pub(crate) records: Records,
}

/// Replaced as a whole, so that who looks through it copies one pointer under the lock.
static CONTEXTS: Mutex<Option<Contexts>> = Mutex::new(None);

type Contexts = Arc<Vec<Arc<Context>>>;

/// The context of the copy that `class`, one of the natives classes or the probe, belongs to.
pub(crate) fn of(jni: &Env<'_>, class: &JClass<'_>) -> Outcome<Option<Arc<Context>>> {
    for context in all().iter() {
        if context.has(jni, class)? {
            return Ok(Some(Arc::clone(context)));
        }
    }
    Ok(None)
}

/// Whether `class`, of that class loader, is one of a copy's, with natives or without.
pub(crate) fn is_own(
    jni: &mut Env<'_>,
    env: &Inside,
    class: &JClass<'_>,
    loader: &JClassLoader<'_>,
) -> Outcome<bool> {
    let package = package_of(env, class)?;
    for context in all().iter() {
        if !context.packages.have(&package) {
            continue;
        }
        let Some(probe) = context.probe.upgrade_local(jni)? else {
            continue;
        };
        let of_copy = env.class_loader(jni, &probe)?;
        jni.delete_local_ref(probe);
        if let Some(of_copy) = of_copy {
            let is_same = jni.is_same_object(&of_copy, loader)?;
            jni.delete_local_ref(of_copy);
            if is_same {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

/// Builds the context of the copy that `probe` belongs to, and registers its `natives`. Harmless when
/// it is there already.
pub(crate) fn bind(jni: &mut Env<'_>, probe: &JClass<'_>, natives: &[Group]) -> Outcome<()> {
    sweep(jni);
    if of(jni, probe)?.is_some() {
        return Ok(());
    }
    let context = Arc::new(Context::build(jni, probe, natives)?);
    replace(|all| all.push(context));
    Ok(())
}

/// Drops the contexts of collected copies, with every environment that belonged to them.
pub(crate) fn sweep(jni: &Env<'_>) {
    // Both look only at weak references; with a Java exception pending they wait for the next time.
    let _ = life::sweep_all(jni);
    let all = all();
    let gone: Vec<_> = all
        .iter()
        .filter(|context| context.probe.is_garbage_collected(jni).unwrap_or(false))
        .collect();
    if !gone.is_empty() {
        replace(|all| all.retain(|context| !gone.iter().any(|dead| Arc::ptr_eq(dead, context))));
    }
}

/// The list as it is now: no lock is held across a JNI call, for a suspended thread stops in it.
fn all() -> Contexts {
    lock().get_or_insert_default().clone()
}

fn replace(change: impl FnOnce(&mut Vec<Arc<Context>>)) {
    let mut all = lock();
    change(Arc::make_mut(all.get_or_insert_default()));
}

fn lock() -> std::sync::MutexGuard<'static, Option<Contexts>> {
    CONTEXTS.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Context {
    fn build(jni: &mut Env<'_>, probe: &JClass<'_>, natives: &[Group]) -> Outcome<Self> {
        let metadata = life::open(jni, probe)?;
        let built = Self::assemble(jni, probe, natives, metadata);
        if built.is_err() {
            life::close(Me::new(jni.get_raw()), metadata);
        }
        built
    }

    fn assemble(
        jni: &mut Env<'_>,
        probe: &JClass<'_>,
        natives: &[Group],
        metadata: i64,
    ) -> Outcome<Self> {
        /// A class for each group of natives and each record, with what finding it makes.
        const REFERENCES: usize = 512;
        make_room(jni, REFERENCES)?;
        let package = package_of(&gate::enter(Me::new(jni.get_raw()), metadata)?, probe)?;
        let failures = find(jni, &package, jni_str!("failure/Failures"))?;
        let raise = RuntimeMethodSignature::from_str("(ILjava/lang/String;Ljava/lang/String;J)V")?;
        Ok(Self {
            raise: jni.get_static_method_id(
                &failures,
                jni_str!("raise"),
                raise.method_signature(),
            )?,
            failures: bare::weak(jni, &failures)?,
            probe: bare::weak(jni, probe)?,
            packages: Packages::new(&package, natives.iter().map(|group| group.class)),
            natives: register(jni, &package, natives)?,
            metadata,
            records: Records::find(jni, &package)?,
        })
    }

    fn has(&self, jni: &Env<'_>, class: &JClass<'_>) -> Outcome<bool> {
        for one in self.natives.iter().chain([&self.probe]) {
            if jni.is_same_object(one, class)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The environment through which names, lines, sources and CPU times are read; equipped when it is first
    /// asked for, because before that nobody needs the steward.
    pub(crate) fn metadata(&self, jni: &Env<'_>) -> Outcome<i64> {
        equip(jni, self.metadata)?;
        Ok(self.metadata)
    }

    /// Has the Java side of this copy throw what `code` stands for.
    pub(crate) fn raise(
        &self,
        jni: &mut Env<'_>,
        code: i32,
        function: &str,
        detail: &str,
        handle: jlong,
    ) -> Outcome<()> {
        let failures = self.failures.upgrade_local(jni)?.ok_or_else(gone)?;
        let function = bare::text(jni, function)?;
        let detail = bare::text(jni, detail)?;
        let args = [
            jvalue { i: code },
            jvalue {
                l: function.as_raw(),
            },
            jvalue { l: detail.as_raw() },
            jvalue { j: handle },
        ];
        let void = ReturnType::Primitive(Primitive::Void);
        // SAFETY: the id is of this class, and the arguments are those of its signature.
        unsafe { jni.call_static_method_unchecked(&failures, self.raise, void, &args) }?;
        Ok(())
    }
}

/// What the metadata environment holds is free, never solo, and always to be had.
fn equip(jni: &Env<'_>, metadata: i64) -> Outcome<()> {
    use jvmti::sys::{Capabilities, Capability};
    let wanted = [
        Capability::CAN_GET_BYTECODES,
        Capability::CAN_GET_CONSTANT_POOL,
        Capability::CAN_GET_LINE_NUMBERS,
        Capability::CAN_GET_SOURCE_FILE_NAME,
        Capability::CAN_GET_THREAD_CPU_TIME,
    ];
    let wanted: Capabilities = wanted.into_iter().collect();
    let env = gate::enter(Me::new(jni.get_raw()), metadata)?;
    // Another thread may be equipping it: that it is a JVM TI environment of its own is not enough.
    if wanted.difference(&env.capabilities()?).is_empty() {
        return Ok(());
    }
    changes::add(jni, &env, wanted)
}

/// Registers every group of natives of one copy.
fn register(jni: &mut Env<'_>, package: &str, natives: &[Group]) -> Outcome<Vec<WeakClass>> {
    let mut classes = Vec::new();
    for group in natives {
        let class = match find(jni, package, group.class) {
            Ok(class) => class,
            Err(_) if group.optional => {
                jni.exception_clear();
                continue;
            }
            Err(failure) => return Err(failure),
        };
        // SAFETY: each row was checked against its Rust function by `native_method!`, and the Java
        // declarations are proved static by a test.
        unsafe { jni.register_native_methods(&class, &(group.methods)()) }?;
        classes.push(bare::weak(jni, &class)?);
    }
    Ok(classes)
}

/// The package of a class, with its last slash: the probe class of a relocated copy has another one.
fn package_of(env: &Inside, class: &JClass<'_>) -> Outcome<String> {
    let (signature, _) = env.class_signature(class)?;
    let signature = signature.to_string();
    let name = signature.trim_start_matches('L').trim_end_matches(';');
    Ok(name[..name.rfind('/').map_or(0, |slash| slash + 1)].to_owned())
}

/// The same, where there must be one.
pub(crate) fn bound(jni: &Env<'_>, class: &JClass<'_>) -> Outcome<Arc<Context>> {
    let unbound = || Failure::State("this copy of the classes is not bound".to_owned());
    of(jni, class)?.ok_or_else(unbound)
}
