//! Module: which there are, and what is added to what they read, export, open, use and provide.
//!
//! Nothing takes back what is added. The VM calls Java for it on the calling thread, which holds locks of the JDK
//! meanwhile. A first call with little stack left ends the use of all of them: a class of the JDK's cannot be
//! initialised again.

use std::ptr;

use jni::objects::{JClass, JClassLoader};
use jni::strings::JNIStr;

use crate::env::{Env, call, local, locals};
use crate::error::{Error, Result};
use crate::memory::{out, out_array, out_flag};
use crate::reference::JModule;
use crate::sys;

impl Env {
    /// All modules that there are, named ones and the unnamed one of each class loader, of those
    /// loaders that the VM knows because they have defined a class or a module.
    ///
    /// Costs one local reference per module.
    ///
    /// Phase: live. Capability: none. Errors: none of its own.
    #[doc(alias = "GetAllModules")]
    pub fn all_modules<'l>(&self, jni: &jni::Env<'l>) -> Result<Vec<JModule<'l>>> {
        let modules = out_array(self, |count, modules| {
            call!(self, GetAllModules, count, modules)
        })?;
        // SAFETY: new local references of the current frame, each seen once.
        unsafe { locals::<JModule<'_>>("GetAllModules", jni, &modules) }
    }

    /// The named module that has `package` among the packages of `loader`; none if it is in the
    /// unnamed one, or nowhere. `None` for a loader is the bootstrap loader. The name is that of class
    /// files, `java/lang`; one that is longer than they can hold names none. HotSpot ends the process
    /// for a loader whose constructor has not run.
    ///
    /// Phase: live. Capability: none. Errors: none of its own.
    #[doc(alias = "GetNamedModule")]
    pub fn named_module<'l>(
        &self,
        jni: &jni::Env<'l>,
        loader: Option<&JClassLoader<'_>>,
        package: &JNIStr,
    ) -> Result<Option<JModule<'l>>> {
        if !fits_a_class_file(package) {
            return Ok(None);
        }
        let loader = loader.map_or(ptr::null_mut(), |loader| loader.as_raw());
        let module = out(|module| call!(self, GetNamedModule, loader, package.as_ptr(), module))?;
        // SAFETY: a new local reference of the current frame to a module.
        Ok(unsafe { local::<JModule<'_>>(jni, module) })
    }

    /// Has `module` read `to_module`. An unnamed module reads all: nothing changes.
    ///
    /// Phase: live. Capability: none.
    ///
    /// # Errors
    ///
    /// `JVMTI_ERROR_NULL_POINTER` if a module is null, `JVMTI_ERROR_INTERNAL` if the Java that the VM
    /// calls throws, as for want of memory or stack.
    #[doc(alias = "AddModuleReads")]
    pub fn add_module_reads(&self, module: &JModule<'_>, to_module: &JModule<'_>) -> Result<()> {
        call!(self, AddModuleReads, module.as_raw(), to_module.as_raw())
    }

    /// Has `module` export `package` to `to_module`. Unnamed and open modules do so anyway: nothing
    /// changes. The name is that of Java, `java.lang`.
    ///
    /// Phase: live. Capability: none.
    ///
    /// # Errors
    ///
    /// `JVMTI_ERROR_ILLEGAL_ARGUMENT` if `package` is not in `module`;
    /// `JVMTI_ERROR_NULL_POINTER` if a module is null, `JVMTI_ERROR_INTERNAL` if the Java that the VM
    /// calls throws, as for want of memory or stack.
    #[doc(alias = "AddModuleExports")]
    pub fn add_module_exports(
        &self,
        module: &JModule<'_>,
        package: &JNIStr,
        to_module: &JModule<'_>,
    ) -> Result<()> {
        refuse_too_long("AddModuleExports", package)?;
        let (module, to_module) = (module.as_raw(), to_module.as_raw());
        call!(self, AddModuleExports, module, package.as_ptr(), to_module)
    }

    /// Has `module` open `package` to `to_module`, which may then reach into it by reflection.
    /// Unnamed and open modules do so anyway: nothing changes. The name is that of Java, `java.lang`.
    ///
    /// Phase: live. Capability: none.
    ///
    /// # Errors
    ///
    /// As [`add_module_exports`](Self::add_module_exports).
    #[doc(alias = "AddModuleOpens")]
    pub fn add_module_opens(
        &self,
        module: &JModule<'_>,
        package: &JNIStr,
        to_module: &JModule<'_>,
    ) -> Result<()> {
        refuse_too_long("AddModuleOpens", package)?;
        let (module, to_module) = (module.as_raw(), to_module.as_raw());
        call!(self, AddModuleOpens, module, package.as_ptr(), to_module)
    }

    /// Has `module` use `service`, which is what lets it ask a `ServiceLoader` for it. An unnamed
    /// module may use any: nothing changes.
    ///
    /// Phase: live. Capability: none.
    ///
    /// # Errors
    ///
    /// `JVMTI_ERROR_INVALID_CLASS` if `service` is a primitive type; `JVMTI_ERROR_NULL_POINTER` if
    /// one is null, `JVMTI_ERROR_INTERNAL` if the Java that the VM calls throws, as for want of memory
    /// or stack.
    #[doc(alias = "AddModuleUses")]
    pub fn add_module_uses(&self, module: &JModule<'_>, service: &JClass<'_>) -> Result<()> {
        call!(self, AddModuleUses, module.as_raw(), service.as_raw())
    }

    /// Has `module` provide `service` by `implementation`, once more each time. Whether that can be
    /// one the VM does not look.
    ///
    /// Phase: live. Capability: none.
    ///
    /// # Errors
    ///
    /// `JVMTI_ERROR_INVALID_CLASS` if `service` or `implementation` is a primitive type;
    /// `JVMTI_ERROR_NULL_POINTER` if one is null, `JVMTI_ERROR_INTERNAL` if the Java that the VM calls
    /// throws, as for want of memory or stack.
    #[doc(alias = "AddModuleProvides")]
    pub fn add_module_provides(
        &self,
        module: &JModule<'_>,
        service: &JClass<'_>,
        implementation: &JClass<'_>,
    ) -> Result<()> {
        let (service, implementation) = (service.as_raw(), implementation.as_raw());
        call!(
            self,
            AddModuleProvides,
            module.as_raw(),
            service,
            implementation
        )
    }

    /// Whether `module` can be changed by the functions above. All can on HotSpot.
    ///
    /// Phase: live. Capability: none.
    ///
    /// # Errors
    ///
    /// `JVMTI_ERROR_NULL_POINTER` if `module` is null.
    #[doc(alias = "IsModifiableModule")]
    pub fn is_modifiable_module(&self, module: &JModule<'_>) -> Result<bool> {
        out_flag(|modifiable| call!(self, IsModifiableModule, module.as_raw(), modifiable))
    }
}

/// HotSpot does not look, and keeps names with 16 bits for their length.
fn fits_a_class_file(name: &JNIStr) -> bool {
    name.to_bytes().len() <= usize::from(u16::MAX)
}

fn refuse_too_long(function: &'static str, package: &JNIStr) -> Result<()> {
    if fits_a_class_file(package) {
        return Ok(());
    }
    Err(Error::new(function, sys::Error::ILLEGAL_ARGUMENT))
}
