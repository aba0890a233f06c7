use std::ffi::CStr;
use std::ptr;
use std::sync::Mutex;

use jni::JavaVM;
use jni::sys::{JNI_ERR, JNI_OK};
use jvmti::Agent;

use crate::fake::vm;

static GIVEN: Mutex<Vec<String>> = Mutex::new(Vec::new());

struct Told;

impl Agent for Told {
    type Error = &'static str;

    fn on_load(vm: &JavaVM, options: &str) -> Result<(), &'static str> {
        assert!(!vm.get_raw().is_null());
        match options {
            "refuses" => Err("it is told to"),
            "panics" => panic!("it is told to"),
            _ => {
                GIVEN.lock().unwrap().push(options.to_owned());
                Ok(())
            }
        }
    }
}

jvmti::agent!(Told);

fn loaded(options: Option<&CStr>) -> [i32; 2] {
    let vm = vm(|_| (JNI_ERR, 0)).get_raw();
    let options = options.map_or(ptr::null(), CStr::as_ptr);
    // SAFETY: a VM of paper, and a text or null.
    unsafe {
        [
            Agent_OnLoad(vm, options, ptr::null_mut()),
            Agent_OnAttach(vm, options, ptr::null_mut()),
        ]
    }
}

#[test]
fn an_agent_is_told_its_options_and_answers() {
    assert_eq!(loaded(Some(c"a=b")), [JNI_OK; 2]);
    assert_eq!(loaded(None), [JNI_OK; 2]);
    assert_eq!(loaded(Some(c"\xff")), [JNI_OK; 2]);
    assert_eq!(
        *GIVEN.lock().unwrap(),
        ["a=b", "a=b", "", "", "\u{fffd}", "\u{fffd}"]
    );
    assert_eq!(loaded(Some(c"refuses")), [JNI_ERR; 2]);
    assert_eq!(loaded(Some(c"panics")), [JNI_ERR; 2]);
}
