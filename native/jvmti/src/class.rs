//! Class: its name, its source, its members, its interfaces, its constants, its loader and what a
//! loader has loaded, whether it can be changed, and how.

use std::ptr;

use jni::objects::{JClass, JClassLoader};
use jni::sys::jobject;

use crate::env::{Env, call, local, locals};
use crate::error::{Error, Result, collect, list_length};
use crate::field::Field;
use crate::memory::{MutfString, out, out_array, out_flag, out_str, text};
use crate::method::MethodId;
use crate::sys;

/// What a class becomes.
#[derive(Copy, Clone)]
#[doc(alias = "jvmtiClassDefinition")]
pub struct ClassDefinition<'a> {
    /// The class.
    pub class: &'a JClass<'a>,
    /// Its new class file.
    pub bytes: &'a [u8],
}

impl Env {
    /// The signature of `class` (`Ljava/util/List;`, `[I`, `I`), and its generic signature if it has
    /// one.
    ///
    /// The signature of a hidden class has a dot after the name: `LOuter$$Lambda.0x0123;`.
    ///
    /// Phase: start, live. Capability: none.
    ///
    /// # Errors
    ///
    /// `JVMTI_ERROR_INVALID_CLASS` if `class` is null.
    #[doc(alias = "GetClassSignature")]
    pub fn class_signature(&self, class: &JClass<'_>) -> Result<(MutfString, Option<MutfString>)> {
        let [signature, generic] = out_str(self, |[signature, generic]| {
            call!(self, GetClassSignature, class.as_raw(), signature, generic)
        })?;
        Ok((text(signature), generic))
    }

    /// How far `class` has come: verified, prepared, initialised; or that it is an array or a
    /// primitive type.
    ///
    /// Phase: start, live. Capability: none.
    ///
    /// # Errors
    ///
    /// `JVMTI_ERROR_INVALID_CLASS` if `class` is null.
    #[doc(alias = "GetClassStatus")]
    pub fn class_status(&self, class: &JClass<'_>) -> Result<sys::ClassStatus> {
        out(|status| call!(self, GetClassStatus, class.as_raw(), status))
            .map(sys::ClassStatus::from_bits_retain)
    }

    /// The access flags of `class`, as `java.lang.reflect.Modifier` and the class file number them.
    ///
    /// Phase: start, live. Capability: none.
    ///
    /// # Errors
    ///
    /// `JVMTI_ERROR_INVALID_CLASS` if `class` is null.
    #[doc(alias = "GetClassModifiers")]
    pub fn class_modifiers(&self, class: &JClass<'_>) -> Result<i32> {
        out(|modifiers| call!(self, GetClassModifiers, class.as_raw(), modifiers))
    }

    /// Whether `class` is an interface.
    ///
    /// Phase: start, live. Capability: none.
    ///
    /// # Errors
    ///
    /// `JVMTI_ERROR_INVALID_CLASS` if `class` is null.
    #[doc(alias = "IsInterface")]
    pub fn is_interface(&self, class: &JClass<'_>) -> Result<bool> {
        out_flag(|interface| call!(self, IsInterface, class.as_raw(), interface))
    }

    /// Whether `class` is an array.
    ///
    /// Phase: start, live. Capability: none.
    ///
    /// # Errors
    ///
    /// `JVMTI_ERROR_INVALID_CLASS` if `class` is null.
    #[doc(alias = "IsArrayClass")]
    pub fn is_array_class(&self, class: &JClass<'_>) -> Result<bool> {
        out_flag(|array| call!(self, IsArrayClass, class.as_raw(), array))
    }

    /// The version of the class file of `class`: minor and major.
    ///
    /// Phase: start, live. Capability: none.
    ///
    /// # Errors
    ///
    /// `JVMTI_ERROR_ABSENT_INFORMATION` for arrays and primitive types;
    /// `JVMTI_ERROR_INVALID_CLASS` if `class` is null.
    #[doc(alias = "GetClassVersionNumbers")]
    pub fn class_version_numbers(&self, class: &JClass<'_>) -> Result<(i32, i32)> {
        let mut major = 0;
        let minor = out(|minor| {
            call!(
                self,
                GetClassVersionNumbers,
                class.as_raw(),
                minor,
                &raw mut major
            )
        })?;
        Ok((minor, major))
    }

    /// All classes that are loaded, arrays and hidden ones among them, primitive types not.
    ///
    /// Costs one local reference per class.
    ///
    /// Phase: live. Capability: none.
    ///
    /// # Errors
    ///
    /// None of its own.
    #[doc(alias = "GetLoadedClasses")]
    pub fn loaded_classes<'l>(&self, jni: &jni::Env<'l>) -> Result<Vec<JClass<'l>>> {
        let classes = out_array(self, |count, classes| {
            call!(self, GetLoadedClasses, count, classes)
        })?;
        // SAFETY: new local references of the current frame, each seen once.
        unsafe { locals::<JClass<'_>>("GetLoadedClasses", jni, &classes) }
    }

    /// The file that `class` was compiled from, without directories: `List.java`.
    ///
    /// Phase: start, live. Capability: `can_get_source_file_name`.
    ///
    /// # Errors
    ///
    /// `JVMTI_ERROR_ABSENT_INFORMATION` if the class file does not say, also for arrays and
    /// primitive types; `JVMTI_ERROR_MUST_POSSESS_CAPABILITY`; `JVMTI_ERROR_INVALID_CLASS` if
    /// `class` is null.
    #[doc(alias = "GetSourceFileName")]
    pub fn source_file_name(&self, class: &JClass<'_>) -> Result<MutfString> {
        let [name] = out_str(self, |[name]| {
            call!(self, GetSourceFileName, class.as_raw(), name)
        })?;
        Ok(text(name))
    }

    /// What `class` says about lines of other sources than its own, as a compiler of another language
    /// writes it: the attribute `SourceDebugExtension` of the class file.
    ///
    /// Phase: start, live. Capability: `can_get_source_debug_extension`.
    ///
    /// # Errors
    ///
    /// `JVMTI_ERROR_ABSENT_INFORMATION` if the class file has none, also for arrays and primitive
    /// types; `JVMTI_ERROR_MUST_POSSESS_CAPABILITY`; `JVMTI_ERROR_INVALID_CLASS` if `class` is null.
    #[doc(alias = "GetSourceDebugExtension")]
    pub fn source_debug_extension(&self, class: &JClass<'_>) -> Result<MutfString> {
        let [extension] = out_str(self, |[extension]| {
            call!(self, GetSourceDebugExtension, class.as_raw(), extension)
        })?;
        Ok(text(extension))
    }

    /// The methods that `class` itself declares, constructors and the static initialiser among them, in
    /// no order unless somebody has `can_maintain_original_method_order`; none for arrays and
    /// primitive types. The VM keeps a number for each for as long as the class is there.
    ///
    /// Phase: start, live. Capability: none.
    ///
    /// # Errors
    ///
    /// `JVMTI_ERROR_CLASS_NOT_PREPARED` if `class` was loaded and not linked;
    /// `JVMTI_ERROR_INVALID_CLASS` if `class` is null.
    #[doc(alias = "GetClassMethods")]
    pub fn class_methods(&self, class: &JClass<'_>) -> Result<Vec<MethodId>> {
        let methods = out_array(self, |count, methods| {
            call!(self, GetClassMethods, class.as_raw(), count, methods)
        })?;
        // SAFETY: the VM has just handed them out.
        let methods = methods.iter().map(|&id| unsafe { MethodId::from_raw(id) });
        collect("GetClassMethods", methods.len(), methods)
    }

    /// The fields that `class` itself declares, in the order of its class file; none for arrays and
    /// primitive types.
    ///
    /// Phase: start, live. Capability: none.
    ///
    /// # Errors
    ///
    /// `JVMTI_ERROR_CLASS_NOT_PREPARED` if `class` was loaded and not linked;
    /// `JVMTI_ERROR_INVALID_CLASS` if `class` is null.
    #[doc(alias = "GetClassFields")]
    pub fn class_fields<'c>(&self, class: &'c JClass<'_>) -> Result<Vec<Field<'c>>> {
        let fields = out_array(self, |count, fields| {
            call!(self, GetClassFields, class.as_raw(), count, fields)
        })?;
        // SAFETY: the VM has just handed them out for this class.
        let fields = fields
            .iter()
            .map(|&id| unsafe { Field::from_raw(class, id) });
        collect("GetClassFields", fields.len(), fields)
    }

    /// The interfaces that `class` itself names as its own, in the order in which it does so; none for
    /// arrays and primitive types.
    ///
    /// Costs one local reference per interface.
    ///
    /// Phase: start, live. Capability: none.
    ///
    /// # Errors
    ///
    /// `JVMTI_ERROR_CLASS_NOT_PREPARED` if `class` was loaded and not linked;
    /// `JVMTI_ERROR_INVALID_CLASS` if `class` is null.
    #[doc(alias = "GetImplementedInterfaces")]
    pub fn implemented_interfaces<'l>(
        &self,
        jni: &jni::Env<'l>,
        class: &JClass<'_>,
    ) -> Result<Vec<JClass<'l>>> {
        let interfaces = out_array(self, |count, interfaces| {
            call!(
                self,
                GetImplementedInterfaces,
                class.as_raw(),
                count,
                interfaces
            )
        })?;
        // SAFETY: new local references of the current frame, each seen once.
        unsafe { locals::<JClass<'_>>("GetImplementedInterfaces", jni, &interfaces) }
    }

    /// The loader that defined `class`; none for the bootstrap loader.
    ///
    /// Phase: start, live. Capability: none.
    ///
    /// # Errors
    ///
    /// `JVMTI_ERROR_INVALID_CLASS` if `class` is null.
    #[doc(alias = "GetClassLoader")]
    pub fn class_loader<'l>(
        &self,
        jni: &jni::Env<'l>,
        class: &JClass<'_>,
    ) -> Result<Option<JClassLoader<'l>>> {
        let loader = out(|loader| call!(self, GetClassLoader, class.as_raw(), loader))?;
        // SAFETY: a new local reference of the current frame to a class loader.
        Ok(unsafe { local::<JClassLoader<'_>>(jni, loader) })
    }

    /// Whether `class` can be redefined and retransformed, by an environment with the capability for
    /// that. Primitive types, arrays and hidden classes never can, nor can a few of the VM's own.
    ///
    /// Phase: start, live. Capability: none.
    ///
    /// # Errors
    ///
    /// `JVMTI_ERROR_INVALID_CLASS` if `class` is null.
    #[doc(alias = "IsModifiableClass")]
    pub fn is_modifiable_class(&self, class: &JClass<'_>) -> Result<bool> {
        out_flag(|modifiable| call!(self, IsModifiableClass, class.as_raw(), modifiable))
    }

    /// The classes for which `loader` has been recorded as an initiating loader: those that it has
    /// defined itself, hidden ones left out, and those that it has answered the VM with and that
    /// another loader has defined; and what arrays of these there are. `None`, as a null reference,
    /// is the bootstrap loader. Arrays of primitive types are among those of every loader.
    ///
    /// Costs one local reference per class.
    ///
    /// Phase: live. Capability: none.
    ///
    /// # Errors
    ///
    /// None of its own.
    #[doc(alias = "GetClassLoaderClasses")]
    pub fn class_loader_classes<'l>(
        &self,
        jni: &jni::Env<'l>,
        loader: Option<&JClassLoader<'_>>,
    ) -> Result<Vec<JClass<'l>>> {
        let loader = loader.map_or(ptr::null_mut(), |loader| loader.as_raw());
        let classes = out_array(self, |count, classes| {
            call!(self, GetClassLoaderClasses, loader, count, classes)
        })?;
        // SAFETY: new local references of the current frame, each seen once.
        unsafe { locals::<JClass<'_>>("GetClassLoaderClasses", jni, &classes) }
    }

    /// The constants of `class`, as its class file has them behind their number, and that number:
    /// one more than the greatest index. A redefinition adds those of the new class file.
    ///
    /// Phase: start, live. Capability: `can_get_constant_pool`.
    ///
    /// # Errors
    ///
    /// `JVMTI_ERROR_ABSENT_INFORMATION` for arrays and primitive types;
    /// `JVMTI_ERROR_MUST_POSSESS_CAPABILITY`; `JVMTI_ERROR_INVALID_CLASS` if `class` is null.
    #[doc(alias = "GetConstantPool")]
    pub fn constant_pool(&self, class: &JClass<'_>) -> Result<(i32, Vec<u8>)> {
        let mut constants = 0;
        let bytes = out_array(self, |count, bytes| {
            let constants = &raw mut constants;
            call!(
                self,
                GetConstantPool,
                class.as_raw(),
                constants,
                count,
                bytes
            )
        })?;
        let bytes = collect("GetConstantPool", bytes.len(), bytes.iter().copied())?;
        Ok((constants, bytes))
    }

    /// Replaces the class files of loaded classes, of all of them or of none. Who runs one of their
    /// methods goes on with what that was. Breakpoints in them are gone.
    ///
    /// The VM loads what the new class files name, through the loaders of the classes, on this thread;
    /// and it waits without end for a thread that redefines one of the classes just then, even for one
    /// that is suspended. Of a class of the bootstrap loader it verifies no bytecode before JDK 25.
    ///
    /// Phase: live. Capability: `can_redefine_classes`.
    ///
    /// # Errors
    ///
    /// `JVMTI_ERROR_UNMODIFIABLE_CLASS`; `JVMTI_ERROR_INVALID_CLASS_FORMAT`,
    /// `JVMTI_ERROR_UNSUPPORTED_VERSION`, `JVMTI_ERROR_NAMES_DONT_MATCH`,
    /// `JVMTI_ERROR_CIRCULAR_CLASS_DEFINITION`, `JVMTI_ERROR_FAILS_VERIFICATION` for the new class file;
    /// `JVMTI_ERROR_UNSUPPORTED_REDEFINITION_METHOD_ADDED` and its like for what it changes;
    /// `JVMTI_ERROR_MUST_POSSESS_CAPABILITY`; `JVMTI_ERROR_INVALID_CLASS` if a class is null or its
    /// initialisation has failed.
    #[doc(alias = "RedefineClasses")]
    pub fn redefine_classes(
        &self,
        jni: &mut jni::Env<'_>,
        definitions: &[ClassDefinition<'_>],
    ) -> Result<()> {
        const FUNCTION: &str = "RedefineClasses";
        let classes: Vec<_> = definitions.iter().map(|one| one.class).collect();
        holding(FUNCTION, jni, &classes, |held| {
            let mut list = Vec::with_capacity(held.len());
            for (class, definition) in held.iter().zip(definitions) {
                list.push(sys::jvmtiClassDefinition {
                    klass: class.as_raw(),
                    class_byte_count: list_length(FUNCTION, definition.bytes.len())?,
                    class_bytes: definition.bytes.as_ptr(),
                });
            }
            let count = list_length(FUNCTION, list.len())?;
            call!(self, RedefineClasses, count, list.as_ptr())
        })
    }

    /// Makes loaded classes anew from the class files that they were loaded from or redefined with: all
    /// environments with `can_retransform_classes` that hear of
    /// [`CLASS_FILE_LOAD_HOOK`](sys::Event::CLASS_FILE_LOAD_HOOK) may change them on the way, on this
    /// thread. For the rest it is as [`redefine_classes`](Self::redefine_classes).
    ///
    /// Phase: live. Capability: `can_retransform_classes`.
    ///
    /// # Errors
    ///
    /// As [`redefine_classes`](Self::redefine_classes).
    #[doc(alias = "RetransformClasses")]
    pub fn retransform_classes(
        &self,
        jni: &mut jni::Env<'_>,
        classes: &[&JClass<'_>],
    ) -> Result<()> {
        const FUNCTION: &str = "RetransformClasses";
        holding(FUNCTION, jni, classes, |held| {
            // A `JClass` is a `jobject`, and so is a list of them.
            let list: *const jobject = held.as_ptr().cast();
            call!(
                self,
                RetransformClasses,
                list_length(FUNCTION, held.len())?,
                list
            )
        })
    }
}

/// References to `classes` that keep them while `act` runs: those of the caller may be weak, and not
/// every function looks.
fn holding(
    function: &'static str,
    jni: &mut jni::Env<'_>,
    classes: &[&JClass<'_>],
    act: impl FnOnce(&[JClass<'_>]) -> Result<()>,
) -> Result<()> {
    let mut held = Vec::with_capacity(classes.len());
    let missing = classes.iter().find_map(|class| {
        // One that has been collected is null, too.
        let failure = match jni.new_local_ref(*class) {
            Ok(one) if !one.is_null() => {
                held.push(one);
                return None;
            }
            Ok(_) | Err(jni::errors::Error::ObjectFreed) => sys::Error::INVALID_CLASS,
            Err(_) => sys::Error::OUT_OF_MEMORY,
        };
        Some(Error::new(function, failure))
    });
    let answer = missing.map_or_else(|| act(&held), Err);
    for one in held {
        jni.delete_local_ref(one);
    }
    answer
}
