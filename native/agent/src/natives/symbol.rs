//! `SymbolNatives`: where code is, by its name.

use std::ffi::{CStr, c_void};

use jni::objects::{JByteArray, JClass};
use jni::sys::jlong;
use jni::{Env, EnvUnowned};

use super::values::platform_text;
use crate::boundary::guard::outside;
use crate::failure::{Failure, Outcome};
use crate::platform::{self, Library};

pub(super) fn address<'l>(jni: EnvUnowned<'l>, class: JClass<'l>, name: JByteArray<'l>) -> jlong {
    outside(jni, class, |jni, _| {
        found(jni, &name, platform::visible_symbol)
    })
}

pub(super) fn address_in<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    library: JByteArray<'l>,
    name: JByteArray<'l>,
) -> jlong {
    outside(jni, class, |jni, _| {
        let file = platform_text(jni, &library)?;
        let Some(library) = file.and_then(|file| Library::loaded_from(&file)) else {
            let message = "the process has loaded no library from that file";
            return Err(Failure::State(message.to_owned()));
        };
        found(jni, &name, |name| library.symbol(name))
    })
}

fn found(
    jni: &Env<'_>,
    name: &JByteArray<'_>,
    look_up: impl FnOnce(&CStr) -> Option<*const c_void>,
) -> Outcome<jlong> {
    let name = platform_text(jni, name)?.filter(|name| !name.is_empty());
    let address = name.and_then(|name| look_up(&name));
    Ok(address.map_or(0, |address| address.addr() as jlong))
}
