//! How a native is declared.

/// One row of a group: a raw native, which `guard` makes safe.
macro_rules! native {
    ($($row:tt)*) => {
        jni::native_method! {
            type_map = {
                jvmti::JModule => java.lang.Module,
                jvmti::JThreadGroup => java.lang.ThreadGroup,
            },
            static raw fn $($row)*,
            abi_check = UnsafeNever,
        }
    };
}
pub(super) use native;
