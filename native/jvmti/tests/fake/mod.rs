//! A VM of paper: a function table with the slots that a test chooses, memory that is counted and
//! poisoned, and a JNI environment with nothing behind it.
//!
//! A slot is written with [`slot!`]: it records its call, then either fails with the code that
//! [`Fake::fail`] set, leaving garbage in its out parameters, or succeeds with the values given.

mod jni_env;
mod memory;

use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char};
use std::ptr::NonNull;

use jni::refs::Reference;
use jni::sys::{jfieldID, jmethodID, jobject};
use jvmti::{Env, Error, OwnedEnv, sys};

pub use jni_env::{
    VIRTUAL, declared, deleted, pending, set_pending, vm, with_jni, with_nested_jni,
};
pub use memory::{array, text};

/// One call of a slot: its name and its arguments as numbers, out parameters left out.
pub type Call = (&'static str, Vec<i64>);

#[derive(Default)]
struct Script {
    env: usize,
    answer: i32,
    calls: Vec<Call>,
    faults: Vec<String>,
}

thread_local! {
    static SCRIPT: RefCell<Script> = RefCell::default();
    static SEEN: RefCell<Vec<CString>> = RefCell::default();
}

/// An environment whose table has the chosen slots, `Allocate` and `Deallocate`, and nothing else.
/// Dropping it fails the test if memory is still live, or if anything was freed that was not.
pub struct Fake {
    cell: Box<sys::Env>,
    _table: Box<sys::FunctionTable>,
}

impl Fake {
    pub fn new(fill: impl FnOnce(&mut sys::FunctionTable)) -> Self {
        // SAFETY: every slot is an `Option` of a function or a reserved pointer: zero is empty.
        let mut table: Box<sys::FunctionTable> = Box::new(unsafe { std::mem::zeroed() });
        memory::install(&mut table);
        fill(&mut table);
        let cell = Box::new(&raw const *table);
        let env = &raw const *cell as usize;
        SCRIPT.set(Script {
            env,
            ..Script::default()
        });
        Self {
            cell,
            _table: table,
        }
    }

    pub fn env(&self) -> &Env {
        // SAFETY: lives as long as the fake.
        unsafe { Env::from_raw(NonNull::from(&*self.cell)) }
    }

    /// The same, to be disposed. The fake takes that as often as a test does it.
    pub fn owned(&self) -> OwnedEnv {
        // SAFETY: no test keeps it longer than the fake.
        unsafe { OwnedEnv::from_raw(NonNull::from(&*self.cell)) }
    }

    /// Every slot from here on fails with `code`.
    pub fn fail(&self, code: sys::Error) {
        SCRIPT.with_borrow_mut(|script| script.answer = code.0);
    }

    /// The calls since the last time this was asked.
    pub fn calls(&self) -> Vec<Call> {
        SCRIPT.with_borrow_mut(|script| std::mem::take(&mut script.calls))
    }

    /// How many blocks of VM memory are live.
    pub fn live(&self) -> usize {
        memory::live()
    }
}

impl Drop for Fake {
    fn drop(&mut self) {
        let left = memory::reset();
        let faults = SCRIPT.take().faults;
        if !std::thread::panicking() {
            assert_eq!(faults, Vec::<String>::new(), "misuse of the interface");
            assert_eq!(left, 0, "blocks of VM memory that nobody gave back");
        }
    }
}

/// Records a call. A panic must not cross the slot, so what is wrong is kept for the end.
pub fn enter(env: *mut sys::Env, name: &'static str, arguments: Vec<i64>) -> sys::Error {
    SCRIPT.with_borrow_mut(|script| {
        if env as usize != script.env {
            script
                .faults
                .push(format!("{name} was called with another environment"));
        }
        script.calls.push((name, arguments));
        sys::Error(script.answer)
    })
}

pub fn fault(what: String) {
    SCRIPT.with_borrow_mut(|script| script.faults.push(what));
}

/// Defines a function for a slot: `slot!(Name(in: Type, …) -> (out: Type = value, …))`.
macro_rules! slot {
    ($name:ident($($in:ident: $in_type:ty),*) -> ($($out:ident: $out_type:ty = $value:expr),*)) => {
        #[allow(non_snake_case, reason = "named like the slot")]
        unsafe extern "system" fn $name(
            env: *mut jvmti::sys::Env, $($in: $in_type,)* $($out: *mut $out_type,)*
        ) -> jvmti::sys::Error {
            let arguments = vec![$($crate::fake::Bits::bits($in)),*];
            let code = $crate::fake::enter(env, stringify!($name), arguments);
            $(
                // SAFETY: the layer under test lends a place for each out parameter.
                unsafe {
                    match code {
                        jvmti::sys::Error::NONE => *$out = $value,
                        _ => $out.write_bytes(0xA5, 1),
                    }
                }
            )*
            code
        }
    };
}

pub(crate) use slot;

/// An argument as a number.
pub trait Bits {
    fn bits(self) -> i64;
}

macro_rules! bits {
    ($($type:ty: $value:ident => $bits:expr,)*) => {
        $(impl Bits for $type { fn bits(self) -> i64 { let $value = self; $bits } })*
    };
}

bits! {
    i32: value => i64::from(value),
    i64: value => value,
    bool: value => i64::from(value),
    f32: value => i64::from(value.to_bits()),
    f64: value => value.to_bits().cast_signed(),
    sys::Error: value => i64::from(value.0),
    sys::Event: value => i64::from(value.0),
    sys::EventMode: value => i64::from(value.0),
    sys::VerboseFlag: value => i64::from(value.0),
}

impl<T> Bits for *mut T {
    fn bits(self) -> i64 {
        self as i64
    }
}

impl Bits for *const i64 {
    fn bits(self) -> i64 {
        self as i64
    }
}

/// Remembers a text that was passed.
impl Bits for *const c_char {
    fn bits(self) -> i64 {
        // SAFETY: the layer under test lends a text.
        let text = unsafe { CStr::from_ptr(self) }.to_owned();
        SEEN.with_borrow_mut(|seen| seen.push(text));
        1
    }
}

/// The texts that were passed since the last time this was asked.
pub fn seen() -> Vec<CString> {
    SEEN.take()
}

/// A reference with a number for an address. Nothing looks behind it.
pub fn raw(number: usize) -> jobject {
    number as jobject
}

pub fn method(number: usize) -> jmethodID {
    number as jmethodID
}

pub fn field(number: usize) -> jfieldID {
    number as jfieldID
}

pub fn object<T: Reference + 'static>(number: usize) -> T {
    let raw = raw(number);
    // SAFETY: every type of reference is a `jobject`, and nothing looks behind this one.
    unsafe { std::mem::transmute_copy(&raw) }
}

pub fn numbers(objects: &[impl Reference]) -> Vec<usize> {
    objects
        .iter()
        .map(|object| object.as_raw() as usize)
        .collect()
}

/// Calls `act` on a table without slots, on one whose slot fails, and on one whose slot succeeds,
/// and checks what the three have in common for every function. Answers the result of the last and
/// the arguments of its call.
pub fn every_way<T: std::fmt::Debug>(
    name: &'static str,
    fill: impl FnOnce(&mut sys::FunctionTable),
    act: impl Fn(&Env) -> jvmti::Result<T>,
) -> (T, Vec<i64>) {
    let bare = Fake::new(|_| ());
    let error = act(bare.env()).unwrap_err();
    assert_eq!(
        error,
        Error::new(name, sys::Error::NOT_AVAILABLE),
        "the slot is empty"
    );
    assert_eq!(bare.calls(), []);
    drop(bare);

    let fake = Fake::new(fill);
    fake.fail(sys::Error::WRONG_PHASE);
    let error = act(fake.env()).unwrap_err();
    assert_eq!(
        error,
        Error::new(name, sys::Error::WRONG_PHASE),
        "the slot fails"
    );
    let calls = fake.calls();
    assert_eq!(
        calls.len(),
        1,
        "one call and nothing freed after a failure: {calls:?}"
    );
    assert_eq!(fake.live(), 0, "a slot that fails allocates nothing");

    fake.fail(sys::Error::NONE);
    let result = act(fake.env()).unwrap();
    let mut calls = fake
        .calls()
        .into_iter()
        .filter(|(name, _)| *name != "Deallocate");
    let (called, arguments) = calls.next().unwrap();
    assert_eq!(called, name);
    assert_eq!(calls.next(), None, "one call");
    (result, arguments)
}
