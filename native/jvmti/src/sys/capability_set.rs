//! `jvmtiCapabilities` as a set.

use std::fmt;

use crate::sys::Capability;

// The C type is a row of bit-fields, whose first bit is the lowest one only here.
const _: () = assert!(cfg!(target_endian = "little"));

/// `jvmtiCapabilities`: a set of capabilities, and room for those of newer VMs.
#[repr(C, align(4))]
#[derive(Copy, Clone, Default, PartialEq, Eq, Hash)]
pub struct Capabilities([u8; 16]);

impl Capabilities {
    /// The set of none.
    pub const fn empty() -> Self {
        Self([0; 16])
    }

    /// The set of those whose bit is set; bits unknown here are kept.
    pub const fn from_bits(bits: u64) -> Self {
        let mut bytes = [0; 16];
        let low = bits.to_le_bytes();
        let mut index = 0;
        while index < low.len() {
            bytes[index] = low[index];
            index += 1;
        }
        Self(bytes)
    }

    /// The first 64 bits; no capability known today has a higher one.
    pub const fn bits(&self) -> u64 {
        let mut low = [0; 8];
        let mut index = 0;
        while index < low.len() {
            low[index] = self.0[index];
            index += 1;
        }
        u64::from_le_bytes(low)
    }

    /// Whether this set has `capability`.
    pub const fn contains(&self, capability: Capability) -> bool {
        let byte = capability.0 as usize / 8;
        byte < self.0.len() && self.0[byte] & (1 << (capability.0 % 8)) != 0
    }

    /// Adds `capability`.
    pub fn insert(&mut self, capability: Capability) {
        if let Some(byte) = self.0.get_mut(usize::from(capability.0 / 8)) {
            *byte |= 1 << (capability.0 % 8);
        }
    }

    /// Takes `capability` out.
    pub fn remove(&mut self, capability: Capability) {
        if let Some(byte) = self.0.get_mut(usize::from(capability.0 / 8)) {
            *byte &= !(1 << (capability.0 % 8));
        }
    }

    /// Those of either set.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        self.combined(other, |a, b| a | b)
    }

    /// Those of both sets.
    #[must_use]
    pub fn intersection(&self, other: &Self) -> Self {
        self.combined(other, |a, b| a & b)
    }

    /// Those of this set that `other` has not.
    #[must_use]
    pub fn difference(&self, other: &Self) -> Self {
        self.combined(other, |a, b| a & !b)
    }

    /// Whether this set has none.
    pub fn is_empty(&self) -> bool {
        self.0 == [0; 16]
    }

    /// All of them by bit, those unknown here included.
    pub fn iter(&self) -> impl Iterator<Item = Capability> + use<> {
        let set = *self;
        (0..128)
            .map(Capability)
            .filter(move |capability| set.contains(*capability))
    }

    /// The memory as the VM sees it.
    pub const fn as_bytes(&self) -> &[u8; 16] {
        &self.0
    }

    fn combined(&self, other: &Self, of: impl Fn(u8, u8) -> u8) -> Self {
        Self(std::array::from_fn(|index| {
            of(self.0[index], other.0[index])
        }))
    }
}

impl FromIterator<Capability> for Capabilities {
    fn from_iter<I: IntoIterator<Item = Capability>>(capabilities: I) -> Self {
        let mut set = Self::empty();
        for capability in capabilities {
            set.insert(capability);
        }
        set
    }
}

impl fmt::Debug for Capabilities {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set()
            .entries(self.iter().map(|capability| capability.name()))
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TAGS: Capability = Capability::CAN_TAG_OBJECTS;
    const SUSPEND: Capability = Capability::CAN_SUSPEND;

    #[test]
    fn a_set_has_what_was_put_in() {
        let mut set = Capabilities::empty();
        assert!(set.is_empty());
        set.insert(TAGS);
        set.insert(SUSPEND);
        assert!(set.contains(TAGS) && set.contains(SUSPEND));
        assert_eq!(set.iter().collect::<Vec<_>>(), [TAGS, SUSPEND]);
        set.remove(TAGS);
        assert_eq!(set, Capabilities::from_iter([SUSPEND]));
    }

    #[test]
    fn bits_and_sets_convert_both_ways() {
        let all = Capabilities::from_iter(Capability::ALL.iter().copied());
        assert_eq!(all.bits(), (1 << Capability::ALL.len()) - 1);
        assert_eq!(Capabilities::from_bits(all.bits()), all);
        assert_eq!(Capabilities::from_bits(u64::MAX).bits(), u64::MAX);
    }

    #[test]
    fn sets_combine() {
        let both = Capabilities::from_iter([TAGS, SUSPEND]);
        let tags = Capabilities::from_iter([TAGS]);
        assert_eq!(both.difference(&tags), Capabilities::from_iter([SUSPEND]));
        assert_eq!(both.intersection(&tags), tags);
        assert_eq!(tags.union(&Capabilities::from_iter([SUSPEND])), both);
    }

    #[test]
    fn a_bit_beyond_the_structure_is_never_in() {
        let mut set = Capabilities::empty();
        set.insert(Capability(200));
        assert!(set.is_empty());
        assert!(!Capabilities::from_bits(u64::MAX).contains(Capability(200)));
    }

    #[test]
    fn facts_are_those_that_were_measured() {
        assert_eq!(Capability::ON_LOAD_ONLY.iter().count(), 18);
        assert_eq!(Capability::SOLO.iter().count(), 5);
        assert_eq!(Capability::COSTLY.iter().count(), 10);
        assert!(SUSPEND.solo() && !SUSPEND.on_load_only());
        assert_eq!(Capability::CAN_SUPPORT_VIRTUAL_THREADS.since(), 21);
        assert_eq!(Capability::CAN_POP_FRAME.name(), "can_pop_frame");
    }
}
