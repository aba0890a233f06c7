//! The bytecodes of a method, as far as it matters which of them write: what the VM is asked to do may rest on that.

/// The length of each instruction, its own byte included: 0 for those that say it themselves, and for what is none.
const LENGTHS: &[u8; 202] = b"\
    \x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\
    \x02\x03\x02\x03\x03\x02\x02\x02\x02\x02\x01\x01\x01\x01\x01\x01\
    \x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\
    \x01\x01\x01\x01\x01\x01\x02\x02\x02\x02\x02\x01\x01\x01\x01\x01\
    \x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\
    \x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\
    \x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\
    \x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\
    \x01\x01\x01\x01\x03\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\
    \x01\x01\x01\x01\x01\x01\x01\x01\x01\x03\x03\x03\x03\x03\x03\x03\
    \x03\x03\x03\x03\x03\x03\x03\x03\x03\x02\x00\x00\x01\x01\x01\x01\
    \x01\x01\x03\x03\x03\x03\x03\x03\x03\x05\x05\x03\x02\x03\x01\x01\
    \x03\x03\x01\x01\x00\x04\x03\x03\x05\x05";

const ISTORE: u8 = 54;
const ASTORE: u8 = 58;
const ISTORE_0: u8 = 59;
const ASTORE_3: u8 = 78;
const IINC: u8 = 132;
const TABLESWITCH: u8 = 170;
const LOOKUPSWITCH: u8 = 171;
const WIDE: u8 = 196;

/// What a slot holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Int,
    Long,
    Float,
    Double,
    Reference,
    /// The second half of a `long` or a `double`.
    Half,
}

/// An instruction that writes a local variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Store {
    pub(crate) kind: Kind,
    pub(crate) slot: u16,
}

/// Where each instruction begins; `None` for what is no code.
pub(crate) fn starts(code: &[u8]) -> Option<Vec<usize>> {
    let mut all = Vec::new();
    let mut at = 0;
    while at < code.len() {
        all.push(at);
        at += length(code, at).filter(|length| *length > 0)?;
    }
    Some(all)
}

/// What the code writes into local variables; `None` for what is no code.
pub(crate) fn stores(code: &[u8]) -> Option<Vec<Store>> {
    let starts = starts(code)?;
    Some(starts.iter().filter_map(|&at| store(code, at)).collect())
}

fn length(code: &[u8], at: usize) -> Option<usize> {
    // Counted from the beginning of the method, the operands begin at a multiple of four.
    let operands = at / 4 * 4 + 4;
    let number = |index: usize| {
        let bytes = code.get(operands + index * 4..)?.first_chunk()?;
        Some(i64::from(i32::from_be_bytes(*bytes)))
    };
    let words = match *code.get(at)? {
        TABLESWITCH => 3 + number(2)? - number(1)? + 1,
        LOOKUPSWITCH => 2 + number(1)? * 2,
        WIDE if *code.get(at + 1)? == IINC => return Some(6),
        WIDE => return Some(4),
        simple => return LENGTHS.get(usize::from(simple)).copied().map(usize::from),
    };
    Some(operands - at + usize::try_from(words).ok()?.checked_mul(4)?)
}

fn store(code: &[u8], at: usize) -> Option<Store> {
    let (kind, slot) = match *code.get(at)? {
        simple @ ISTORE..=ASTORE => (simple - ISTORE, u16::from(*code.get(at + 1)?)),
        short @ ISTORE_0..=ASTORE_3 => ((short - ISTORE_0) / 4, u16::from((short - ISTORE_0) % 4)),
        WIDE => match *code.get(at + 1)? {
            simple @ ISTORE..=ASTORE => (
                simple - ISTORE,
                u16::from_be_bytes(*code.get(at + 2..)?.first_chunk()?),
            ),
            _ => return None,
        },
        _ => return None,
    };
    let kinds = [
        Kind::Int,
        Kind::Long,
        Kind::Float,
        Kind::Double,
        Kind::Reference,
    ];
    Some(Store {
        kind: kinds[usize::from(kind)],
        slot,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn switches_and_wide_instructions_are_as_long_as_they_say() {
        let mut code = vec![0, TABLESWITCH, 0, 0];
        for number in [9_i32, -1, 1, 4, 5, 6] {
            code.extend(number.to_be_bytes());
        }
        code.push(LOOKUPSWITCH);
        code.extend([0; 3]);
        for number in [9_i32, 1, 7, 8] {
            code.extend(number.to_be_bytes());
        }
        code.extend([WIDE, IINC, 1, 0, 0, 1, WIDE, ISTORE, 1, 2, 177]);
        assert_eq!(starts(&code), Some(vec![0, 1, 28, 48, 54, 58]));
        let wide = Store {
            kind: Kind::Int,
            slot: 0x102,
        };
        assert_eq!(stores(&code), Some(vec![wide]));
    }

    #[test]
    fn every_form_of_a_store_is_seen() {
        let kinds = [
            Kind::Int,
            Kind::Long,
            Kind::Float,
            Kind::Double,
            Kind::Reference,
        ];
        for (index, kind) in kinds.into_iter().enumerate() {
            let opcode = ISTORE + index as u8;
            assert_eq!(stores(&[opcode, 9]), Some(vec![Store { kind, slot: 9 }]));
            let short = ISTORE_0 + index as u8 * 4 + 2;
            assert_eq!(stores(&[short]), Some(vec![Store { kind, slot: 2 }]));
        }
        // An array's element, and one that reads.
        assert_eq!(stores(&[79, 25, 1]), Some(Vec::new()));
    }

    #[test]
    fn what_is_no_code_has_no_instructions() {
        assert_eq!(starts(&[]), Some(Vec::new()));
        assert_eq!(starts(&[0, 202]), None);
        assert_eq!(starts(&[WIDE]), None);
        assert_eq!(starts(&[TABLESWITCH, 0, 0, 0]), None);
    }
}
