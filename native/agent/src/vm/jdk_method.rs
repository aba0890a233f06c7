//! Methods of the JDK's own classes, which stay as long as the VM.

use jni::Env;
use jni::ids::JMethodID;
use jni::signature::MethodSignature;
use jni::strings::JNIStr;
use once_cell::race::OnceBox;

use crate::failure::Outcome;

/// A method that is looked up when it is first called.
pub(crate) struct JdkMethod {
    class: &'static JNIStr,
    name: &'static JNIStr,
    signature: MethodSignature<'static, 'static>,
    id: OnceBox<JMethodID>,
}

impl JdkMethod {
    pub(crate) const fn new(
        class: &'static JNIStr,
        name: &'static JNIStr,
        signature: MethodSignature<'static, 'static>,
    ) -> Self {
        let id = OnceBox::new();
        Self {
            class,
            name,
            signature,
            id,
        }
    }

    /// Two threads that are the first look it up twice: none waits for one that stands still.
    pub(crate) fn id(&self, jni: &mut Env<'_>) -> Outcome<JMethodID> {
        let id = self.id.get_or_try_init(|| -> Outcome<_> {
            let class = jni.find_class(self.class)?;
            let id = jni.get_method_id(&class, self.name, &self.signature)?;
            jni.delete_local_ref(class);
            Ok(Box::new(id))
        })?;
        Ok(*id)
    }
}
