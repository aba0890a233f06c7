//! The bytecodes of a method, as far as it matters which of them write, and whose fields: what the VM is asked to do may
//! rest on that.

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

const ALOAD_0: u8 = 42;
const ALOAD_3: u8 = 45;
const ISTORE: u8 = 54;
const ASTORE: u8 = 58;
const ISTORE_0: u8 = 59;
const ASTORE_3: u8 = 78;
const IINC: u8 = 132;
const IFEQ: u8 = 153;
const JSR: u8 = 168;
const TABLESWITCH: u8 = 170;
const LOOKUPSWITCH: u8 = 171;
const GETFIELD: u8 = 180;
const PUTFIELD: u8 = 181;
const WIDE: u8 = 196;
const IFNULL: u8 = 198;
const IFNONNULL: u8 = 199;
const GOTO_W: u8 = 200;
const JSR_W: u8 = 201;

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

/// Whether the instruction at `at` reads or writes a field of what slot 0 has held since the method was called, and that
/// can be seen: it is loaded just before.
pub(crate) fn is_field_of_first(code: &[u8], at: usize) -> bool {
    field_of_first(code, at).unwrap_or(false)
}

fn field_of_first(code: &[u8], at: usize) -> Option<bool> {
    let starts = starts(code)?;
    let place = starts.binary_search(&at).ok()?;
    let before = |count: usize| starts.get(place.checked_sub(count)?).copied();
    let loaded_at = match code[at] {
        GETFIELD => before(1)?,
        PUTFIELD if pushes_one(code[before(1)?]) => before(2)?,
        _ => return None,
    };
    let between = loaded_at + 1..=at;
    let is_entered = starts.iter().try_fold(false, |is_entered, &from| {
        Some(is_entered || targets(code, from)?.iter().any(|to| between.contains(to)))
    })?;
    let is_kept = starts
        .iter()
        .all(|&at| store(code, at).is_none_or(|one| one.slot != 0));
    Some(code[loaded_at] == ALOAD_0 && is_kept && !is_entered)
}

/// Whether an instruction pushes one value and does nothing else.
fn pushes_one(opcode: u8) -> bool {
    (1..=ALOAD_3).contains(&opcode)
}

/// Where the instruction at `at` may jump to.
fn targets(code: &[u8], at: usize) -> Option<Vec<usize>> {
    let to = |offset: i64| usize::try_from(i64::try_from(at).ok()? + offset).ok();
    let words = |words: &mut dyn Iterator<Item = usize>| {
        words.map(|one| to(word(code, at, one)?)).collect()
    };
    match *code.get(at)? {
        IFEQ..=JSR | IFNULL | IFNONNULL => {
            let offset = i16::from_be_bytes(*code.get(at + 1..)?.first_chunk()?);
            Some(vec![to(offset.into())?])
        }
        GOTO_W | JSR_W => {
            let offset = i32::from_be_bytes(*code.get(at + 1..)?.first_chunk()?);
            Some(vec![to(offset.into())?])
        }
        TABLESWITCH => {
            let count = word(code, at, 2)? - word(code, at, 1)? + 1;
            words(&mut std::iter::once(0).chain(3..3 + usize::try_from(count).ok()?))
        }
        LOOKUPSWITCH => {
            let count = usize::try_from(word(code, at, 1)?).ok()?;
            words(&mut std::iter::once(0).chain((0..count).map(|pair| 3 + pair * 2)))
        }
        _ => Some(Vec::new()),
    }
}

fn length(code: &[u8], at: usize) -> Option<usize> {
    let words = match *code.get(at)? {
        TABLESWITCH => 3 + word(code, at, 2)? - word(code, at, 1)? + 1,
        LOOKUPSWITCH => 2 + word(code, at, 1)? * 2,
        WIDE if *code.get(at + 1)? == IINC => return Some(6),
        WIDE => return Some(4),
        simple => return LENGTHS.get(usize::from(simple)).copied().map(usize::from),
    };
    Some(operands(at) - at + usize::try_from(words).ok()?.checked_mul(4)?)
}

/// Where the operands of a switch begin: counted from the beginning of the method at a multiple of four.
fn operands(at: usize) -> usize {
    at / 4 * 4 + 4
}

/// One of the operands of a switch.
fn word(code: &[u8], at: usize, index: usize) -> Option<i64> {
    let bytes = code.get(operands(at) + index * 4..)?.first_chunk()?;
    Some(i64::from(i32::from_be_bytes(*bytes)))
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
    fn a_field_of_this_is_known_by_what_loads_it_and_by_nobody_who_jumps_in() {
        let read = [ALOAD_0, GETFIELD, 0, 9];
        assert!(is_field_of_first(&read, 1));
        assert!(!is_field_of_first(&[43, GETFIELD, 0, 9], 1), "another one");
        assert!(!is_field_of_first(&read, 0));
        assert!(!is_field_of_first(&read, 2));
        let write = [ALOAD_0, 27, PUTFIELD, 0, 9];
        assert!(is_field_of_first(&write, 2));
        assert!(
            !is_field_of_first(&[ALOAD_0, 96, PUTFIELD, 0, 9], 2),
            "it takes two"
        );
        let with = |code: &[u8], more: &[u8]| [code, more].concat();
        assert!(
            !is_field_of_first(&with(&read, &[75]), 1),
            "slot 0 is written"
        );
        assert!(is_field_of_first(&with(&read, &[76]), 1));
        // Jumps to where it is loaded, behind that, and to the field.
        let jump = |to: i16| [&[167], &(to - 5).to_be_bytes()[..]].concat();
        assert!(is_field_of_first(&with(&write, &jump(0)), 2));
        assert!(!is_field_of_first(&with(&write, &jump(1)), 2));
        assert!(!is_field_of_first(&with(&write, &jump(2)), 2));
    }

    #[test]
    fn a_switch_jumps_to_each_of_its_cases() {
        let mut table = vec![TABLESWITCH, 0, 0, 0];
        for number in [20_i32, 3, 4, 24, 28] {
            table.extend(number.to_be_bytes());
        }
        assert_eq!(targets(&table, 0), Some(vec![20, 24, 28]));
        let mut lookup = vec![0, LOOKUPSWITCH, 0, 0];
        for number in [20_i32, 2, 7, 24, 8, 28] {
            lookup.extend(number.to_be_bytes());
        }
        assert_eq!(targets(&lookup, 1), Some(vec![21, 25, 29]));
        assert_eq!(targets(&[GOTO_W, 0, 0, 0, 5], 0), Some(vec![5]));
        assert_eq!(targets(&[ALOAD_0], 0), Some(Vec::new()));
    }

    #[test]
    fn what_is_no_code_has_no_instructions() {
        assert_eq!(starts(&[]), Some(Vec::new()));
        assert_eq!(starts(&[0, 202]), None);
        assert_eq!(starts(&[WIDE]), None);
        assert_eq!(starts(&[TABLESWITCH, 0, 0, 0]), None);
    }
}
