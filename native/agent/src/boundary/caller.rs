//! Who calls a native.

use jni::objects::{JClass, JThread};

/// Which class has called, and about which thread it asks, if about one: an error names it.
pub(crate) struct Caller<'c, 'l> {
    pub(super) class: JClass<'l>,
    pub(super) thread: Option<&'c JThread<'l>>,
}

impl<'l> From<JClass<'l>> for Caller<'_, 'l> {
    fn from(class: JClass<'l>) -> Self {
        let thread = None;
        Self { class, thread }
    }
}

impl<'c, 'l> From<(JClass<'l>, &'c JThread<'l>)> for Caller<'c, 'l> {
    fn from((class, thread): (JClass<'l>, &'c JThread<'l>)) -> Self {
        let thread = Some(thread);
        Self { class, thread }
    }
}
