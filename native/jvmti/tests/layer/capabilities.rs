use jvmti::sys::Capabilities;

use crate::fake::{Bits, every_way, slot};

impl Bits for *const Capabilities {
    fn bits(self) -> i64 {
        // SAFETY: the layer under test lends the set.
        unsafe { (*self).bits() as i64 }
    }
}

slot!(GetPotentialCapabilities() -> (
    capabilities: Capabilities = Capabilities::from_bits(0x1FFF_FFFF_FFFF)
));

#[test]
fn potential_capabilities_are_decoded() {
    let (capabilities, _) = every_way(
        "GetPotentialCapabilities",
        |table| table.GetPotentialCapabilities = Some(GetPotentialCapabilities),
        |env| {
            env.potential_capabilities()
                .map(|capabilities| capabilities.bits())
        },
    );
    assert_eq!(capabilities, 0x1FFF_FFFF_FFFF);
}

slot!(GetCapabilities() -> (capabilities: Capabilities = Capabilities::from_bits(1 << 44 | 1)));

#[test]
fn capabilities_are_decoded() {
    let (capabilities, _) = every_way(
        "GetCapabilities",
        |table| table.GetCapabilities = Some(GetCapabilities),
        |env| env.capabilities().map(|capabilities| capabilities.bits()),
    );
    assert_eq!(capabilities, 1 << 44 | 1);
}

slot!(AddCapabilities(wanted: *const Capabilities) -> ());

#[test]
fn add_capabilities_passes_the_set() {
    let ((), arguments) = every_way(
        "AddCapabilities",
        |table| table.AddCapabilities = Some(AddCapabilities),
        |env| env.add_capabilities(&Capabilities::from_bits(0b101)),
    );
    assert_eq!(arguments, [0b101]);
}

slot!(RelinquishCapabilities(unwanted: *const Capabilities) -> ());

#[test]
fn relinquish_capabilities_passes_the_set() {
    let ((), arguments) = every_way(
        "RelinquishCapabilities",
        |table| table.RelinquishCapabilities = Some(RelinquishCapabilities),
        |env| env.relinquish_capabilities(&Capabilities::from_bits(1 << 40)),
    );
    assert_eq!(arguments, [1 << 40]);
}
