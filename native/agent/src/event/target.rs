//! Whom an environment tells of events.

use std::sync::{Arc, PoisonError, RwLock};

use jni::Env;
use jni::ids::JMethodID;
use jni::objects::{JObject, JValueOwned};
use jni::refs::Weak;
use jni::signature::{ReturnType, RuntimeMethodSignature};
use jni::sys::jvalue;
use jvmti::Listener;
use jvmti::sys::Event;

use crate::environment::gate::Inside;
use crate::event::kind::Kind;
use crate::event::subscriber::Subscriber;
use crate::failure::Outcome;
use crate::vm::bare;

/// The Java object that hands events to listeners, a method of it for each kind of event, and who listens. What is
/// reachable from the listeners keeps nothing here alive, and nothing here keeps them.
pub(crate) struct Target {
    object: Weak<JObject<'static>>,
    methods: Box<[(JMethodID, ReturnType)]>,
    subscribers: Box<[OfOneKind]>,
}

/// Replaced as a whole, by the steward. The lock is never held across a call into the VM, in which a thread can be
/// suspended.
type OfOneKind = RwLock<Arc<[Arc<Subscriber>]>>;

/// Has `L` hear of what the VM is asked to tell an environment of. Only by the steward.
pub(super) fn listen<L: Listener>(env: &Inside) -> Outcome<()> {
    // Whoever had it next would be told.
    env.stain();
    env.set_environment_local_storage(env.handle().cast_signed())?;
    Ok(env.listen::<L>()?)
}

impl Target {
    /// Of an object that has these methods.
    pub(super) fn new(jni: &mut Env<'_>, object: &JObject<'_>, kinds: &[Kind]) -> Outcome<Self> {
        let class = jni.get_object_class(object)?;
        let mut ids = Vec::with_capacity(kinds.len());
        for kind in kinds {
            let signature = RuntimeMethodSignature::from_str(kind.signature.to_str())?;
            let signature = signature.method_signature();
            let id = jni.get_method_id(&class, kind.method, &signature)?;
            ids.push((id, signature.ret()));
        }
        Ok(Self {
            object: bare::weak(jni, object)?,
            methods: ids.into(),
            subscribers: kinds.iter().map(|_| OfOneKind::default()).collect(),
        })
    }

    /// Calls the method of that kind. What it throws is pending then; none: the object is gone.
    pub(super) fn tell<'l>(
        &self,
        jni: &mut Env<'l>,
        kind: usize,
        arguments: &[jvalue],
    ) -> Outcome<Option<JValueOwned<'l>>> {
        let (Some(object), Some((method, answer))) =
            (self.object.upgrade_local(jni)?, self.methods.get(kind))
        else {
            return Ok(None);
        };
        // SAFETY: a method of the object's class, with the arguments of its signature at least.
        let told = unsafe { jni.call_method_unchecked(&object, *method, *answer, arguments) };
        jni.delete_local_ref(object);
        Ok(Some(told?))
    }

    /// Who listens to that kind.
    #[inline]
    pub(super) fn subscribers(&self, kind: usize) -> Arc<[Arc<Subscriber>]> {
        let all = self.subscribers.get(kind).map(|of_one_kind| {
            let all = of_one_kind.read().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(&all)
        });
        all.unwrap_or_default()
    }

    /// Who listens to events of which the VM is asked for the same as for those.
    pub(super) fn needing(&self, kind: &Kind) -> Vec<Arc<Subscriber>> {
        let all = (0..self.subscribers.len()).flat_map(|kind| self.subscribers(kind).to_vec());
        all.filter(|one| one.kind.sources().contains(&kind.source))
            .collect()
    }

    /// Whether somebody listens to that event.
    pub(super) fn tells_of(&self, event: Event) -> bool {
        let mut kinds = 0..self.subscribers.len();
        kinds.any(|kind| {
            let all = self.subscribers(kind);
            all.iter().any(|one| one.kind.is(event))
        })
    }

    /// The subscriber of that number.
    pub(super) fn find(&self, number: i32) -> Option<Arc<Subscriber>> {
        let mut kinds = 0..self.subscribers.len();
        kinds.find_map(|kind| {
            let all = self.subscribers(kind);
            let found = all.iter().find(|one| one.number == number);
            found.map(Arc::clone)
        })
    }

    /// One more. By the steward.
    pub(super) fn add(&self, one: Arc<Subscriber>) {
        let kind = one.kind.place;
        let mut all = self.subscribers(kind).to_vec();
        all.push(one);
        self.replace(kind, all);
    }

    /// One less. By the steward.
    pub(super) fn remove(&self, kind: usize, number: i32) {
        let mut all = self.subscribers(kind).to_vec();
        all.retain(|one| one.number != number);
        self.replace(kind, all);
    }

    fn replace(&self, kind: usize, all: Vec<Arc<Subscriber>>) {
        if let Some(of_one_kind) = self.subscribers.get(kind) {
            let mut place = of_one_kind.write().unwrap_or_else(PoisonError::into_inner);
            let before = std::mem::replace(&mut *place, all.into());
            drop(place);
            // Not under the lock: what filters know of threads and classes is the VM's.
            drop(before);
        }
    }
}
