//! The parts of a dump, as the Java side numbers them.

use crate::bridge;

#[derive(Clone, Copy)]
pub(crate) struct Parts(pub(crate) i32);

impl Parts {
    pub(crate) const SUSPEND: Self = Self(bridge::DUMP_SUSPEND);
    pub(crate) const CPU: Self = Self(bridge::DUMP_CPU);
    pub(crate) const MONITORS: Self = Self(bridge::DUMP_MONITORS);
    pub(crate) const CONTENDED: Self = Self(bridge::DUMP_CONTENDED);
    pub(crate) const LOCALS: Self = Self(bridge::DUMP_LOCALS);
    pub(crate) const OWNERS: Self = Self(bridge::DUMP_OWNERS);
    pub(crate) const AGES: Self = Self(bridge::DUMP_AGES);
    pub(crate) const CHOSEN: Self = Self(bridge::DUMP_CHOSEN);

    pub(super) fn has(self, part: Self) -> bool {
        self.0 & part.0 != 0
    }
}
