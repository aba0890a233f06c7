//! Whom an environment tells of events.

use std::sync::{Arc, PoisonError, RwLock};

use jni::Env;
use jni::ids::JMethodID;
use jni::objects::{JObject, JValueOwned};
use jni::refs::Weak;
use jni::signature::{Primitive, ReturnType, RuntimeMethodSignature};
use jni::sys::jvalue;
use jvmti::Listener;
use jvmti::sys::{Capabilities, Event};

use crate::environment::freed;
use crate::environment::gate::Inside;
use crate::event::kind::Kind;
use crate::event::subscriber::Subscriber;
use crate::failure::Outcome;
use crate::vm::bare;

/// The Java object that hands events to listeners, a method of it for each kind of event, and who listens. What is
/// reachable from the listeners keeps nothing here alive, and nothing here keeps them.
pub(crate) struct Target {
    object: Weak<JObject<'static>>,
    kinds: Box<[OfOneKind]>,
    /// Those who are told no more, as the capability was given up: what they have counted is still asked for.
    given_up: RwLock<Arc<[Arc<Subscriber>]>>,
}

/// What an event of that kind looks at, side by side.
struct OfOneKind {
    method: JMethodID,
    answer: ReturnType,
    /// Replaced as a whole, by the steward. The lock is never held across a call into the VM, in which a thread can be
    /// suspended.
    subscribers: RwLock<Arc<[Arc<Subscriber>]>>,
}

/// Has `L` hear of what the VM is asked to tell an environment of. Only by the steward.
pub(super) fn listen<L: Listener>(env: &Inside) -> Outcome<()> {
    env.set_environment_local_storage(env.handle().cast_signed())?;
    match freed::are_told(env) {
        // It has the callbacks already, which are the same for all.
        true => Ok(()),
        false => Ok(env.listen::<L>()?),
    }
}

impl Target {
    /// Of an object that has these methods.
    pub(super) fn new(jni: &mut Env<'_>, object: &JObject<'_>, kinds: &[Kind]) -> Outcome<Self> {
        let class = jni.get_object_class(object)?;
        let mut all = Vec::with_capacity(kinds.len());
        for kind in kinds {
            let signature = RuntimeMethodSignature::from_str(kind.signature.to_str())?;
            let signature = signature.method_signature();
            all.push(OfOneKind {
                method: jni.get_method_id(&class, kind.method, &signature)?,
                answer: signature.ret(),
                subscribers: RwLock::default(),
            });
        }
        Ok(Self {
            object: bare::weak(jni, object)?,
            kinds: all.into(),
            given_up: RwLock::default(),
        })
    }

    /// The object, unless it is gone.
    pub(super) fn object<'l>(&self, jni: &mut Env<'l>) -> Outcome<Option<JObject<'l>>> {
        bare::upgrade(jni, &self.object)
    }

    /// Calls the method of that kind of the object, with nothing pending. What it throws is pending then.
    pub(super) fn tell<'l>(
        &self,
        jni: &mut Env<'l>,
        object: &JObject<'l>,
        kind: usize,
        arguments: &[jvalue],
    ) -> Outcome<JValueOwned<'l>> {
        let Some(OfOneKind { method, answer, .. }) = self.kinds.get(kind) else {
            return Ok(JValueOwned::Void);
        };
        // SAFETY: a method of the object's class, with the arguments of its signature at least.
        unsafe {
            match answer {
                ReturnType::Primitive(Primitive::Void) => {
                    bare::call_void(jni, object, *method, arguments)?;
                    Ok(JValueOwned::Void)
                }
                _ => Ok(jni.call_method_unchecked(object, *method, *answer, arguments)?),
            }
        }
    }

    /// Who listens to that kind.
    #[inline]
    pub(super) fn subscribers(&self, kind: usize) -> Arc<[Arc<Subscriber>]> {
        let all = self.kinds.get(kind).map(|kind| read(&kind.subscribers));
        all.unwrap_or_default()
    }

    /// Who listens to events of which the VM is asked for the same as for those.
    pub(super) fn needing(&self, kind: &Kind) -> Vec<Arc<Subscriber>> {
        let all = (0..self.kinds.len()).flat_map(|kind| self.subscribers(kind).to_vec());
        all.filter(|one| one.kind.sources().contains(&kind.source))
            .collect()
    }

    /// Whether somebody listens to that event.
    pub(super) fn tells_of(&self, event: Event) -> bool {
        let mut kinds = 0..self.kinds.len();
        kinds.any(|kind| {
            let all = self.subscribers(kind);
            all.iter().any(|one| one.kind.is(event))
        })
    }

    /// The subscriber of that number.
    pub(super) fn find(&self, number: i32) -> Option<Arc<Subscriber>> {
        let mut kinds = 0..self.kinds.len();
        let told = kinds.find_map(|kind| of_number(&self.subscribers(kind), number));
        told.or_else(|| self.given_up(number))
    }

    /// The subscriber of that number, if it is told no more as the capability was given up.
    pub(super) fn given_up(&self, number: i32) -> Option<Arc<Subscriber>> {
        of_number(&read(&self.given_up), number)
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
        let mut given_up = read(&self.given_up).to_vec();
        given_up.retain(|one| one.number != number);
        replace(&self.given_up, given_up);
    }

    /// Nobody is told any more; those who were. By the steward.
    pub(super) fn take_all(&self) -> Vec<Arc<Subscriber>> {
        let mut all = Vec::new();
        for kind in 0..self.kinds.len() {
            all.extend(self.subscribers(kind).iter().map(Arc::clone));
            self.replace(kind, Vec::new());
        }
        all
    }

    /// Those who need one of `unwanted` are told no more. By the steward.
    pub(super) fn give_up(&self, unwanted: &Capabilities) -> Vec<Arc<Subscriber>> {
        let mut all = Vec::new();
        for kind in 0..self.kinds.len() {
            let of_kind = self.subscribers(kind).to_vec();
            let (without, told): (Vec<_>, Vec<_>) =
                of_kind.into_iter().partition(|one| one.needs(unwanted));
            if !without.is_empty() {
                self.replace(kind, told);
                all.extend(without);
            }
        }
        let mut given_up = read(&self.given_up).to_vec();
        given_up.extend(all.iter().map(Arc::clone));
        replace(&self.given_up, given_up);
        all
    }

    fn replace(&self, kind: usize, all: Vec<Arc<Subscriber>>) {
        if let Some(kind) = self.kinds.get(kind) {
            replace(&kind.subscribers, all);
        }
    }
}

fn of_number(all: &[Arc<Subscriber>], number: i32) -> Option<Arc<Subscriber>> {
    let found = all.iter().find(|one| one.number == number);
    found.map(Arc::clone)
}

#[inline]
fn read(place: &RwLock<Arc<[Arc<Subscriber>]>>) -> Arc<[Arc<Subscriber>]> {
    Arc::clone(&place.read().unwrap_or_else(PoisonError::into_inner))
}

fn replace(place: &RwLock<Arc<[Arc<Subscriber>]>>, all: Vec<Arc<Subscriber>>) {
    let mut place = place.write().unwrap_or_else(PoisonError::into_inner);
    let before = std::mem::replace(&mut *place, all.into());
    drop(place);
    // Not under the lock: what filters know of threads and classes is the VM's.
    drop(before);
}
