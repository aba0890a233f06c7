//! The constants of a class file, as far as it matters whether the VM calls Java for an instruction: the JDK links some,
//! class loaders load what they name, initialisers run, and what an instruction throws has a constructor.

use crate::vm::bytecode;

const UTF8: u8 = 1;
const LONG: u8 = 5;
const DOUBLE: u8 = 6;
const CLASS: u8 = 7;
const FIELD: u8 = 9;
const NAME_AND_TYPE: u8 = 12;
const METHOD_HANDLE: u8 = 15;
const METHOD_TYPE: u8 = 16;
const DYNAMIC: u8 = 17;

const LDC: u8 = 18;
const LDC_W: u8 = 19;
const LDC2_W: u8 = 20;
const GETSTATIC: u8 = 178;
const PUTSTATIC: u8 = 179;
const GETFIELD: u8 = 180;
const PUTFIELD: u8 = 181;
const INSTANCEOF: u8 = 193;

/// What an instruction needs that the VM may call Java for.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Need<'c> {
    Nothing,
    /// That the method's own class is called like that: another one may be missing, or not to be used there.
    Class(&'c [u8]),
    /// That there is such a field in the method's own class.
    Field(Field<'c>),
    /// Java, or at least sometimes: to be linked, or because it calls or throws.
    Java,
}

/// A field that an instruction uses.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Field<'c> {
    pub(crate) class: &'c [u8],
    pub(crate) name: &'c [u8],
    pub(crate) type_: &'c [u8],
    pub(crate) is_static: bool,
    /// Whether it gets another value, which one that is final does not.
    pub(crate) is_written: bool,
}

/// What the instruction at `at` needs in a method of an object, or of none. What is no code, or no constant, is taken for
/// one that needs Java.
pub(crate) fn need<'c>(code: &[u8], at: usize, has_this: bool, constants: &'c [u8]) -> Need<'c> {
    needed(code, at, has_this, constants).unwrap_or(Need::Java)
}

fn needed<'c>(code: &[u8], at: usize, has_this: bool, constants: &'c [u8]) -> Option<Need<'c>> {
    let opcode = *code.get(at)?;
    let wide = || Some(u16::from_be_bytes(*code.get(at + 1..)?.first_chunk()?));
    match opcode {
        LDC => loaded(constants, u16::from(*code.get(at + 1)?)),
        LDC_W | LDC2_W => loaded(constants, wide()?),
        GETSTATIC | PUTSTATIC => Some(Need::Field(field(constants, wide()?, opcode)?)),
        GETFIELD | PUTFIELD if has_this && bytecode::is_field_of_first(code, at) => {
            Some(Need::Field(field(constants, wide()?, opcode)?))
        }
        INSTANCEOF => Some(Need::Class(class_name(constants, wide()?)?)),
        _ if never_throws(opcode) => Some(Need::Nothing),
        _ => None,
    }
}

/// Whether an instruction only moves values, computes or jumps: a frame may be at any other one because something is
/// thrown there, by the VM or by what it has called.
fn never_throws(opcode: u8) -> bool {
    match opcode {
        // Elements of arrays, and divisions.
        46..=53 | 79..=86 | 108 | 109 | 112 | 113 => false,
        0..=177 => true,
        // WIDE, and what compares with null or jumps far.
        196 | 198..=201 => true,
        _ => false,
    }
}

/// What it needs to load a constant.
fn loaded(constants: &[u8], index: u16) -> Option<Need<'_>> {
    Some(match *find(constants, index)?.first()? {
        METHOD_HANDLE | METHOD_TYPE | DYNAMIC => Need::Java,
        CLASS => Need::Class(class_name(constants, index)?),
        _ => Need::Nothing,
    })
}

fn field(constants: &[u8], index: u16, opcode: u8) -> Option<Field<'_>> {
    let member = of_kind(constants, index, FIELD)?;
    let name_and_type = of_kind(constants, number(member, 3)?, NAME_AND_TYPE)?;
    Some(Field {
        class: class_name(constants, number(member, 1)?)?,
        name: text(constants, number(name_and_type, 1)?)?,
        type_: text(constants, number(name_and_type, 3)?)?,
        is_static: matches!(opcode, GETSTATIC | PUTSTATIC),
        is_written: matches!(opcode, PUTSTATIC | PUTFIELD),
    })
}

/// The name of a class, as in the constant: of an array its descriptor.
fn class_name(constants: &[u8], class: u16) -> Option<&[u8]> {
    text(constants, number(of_kind(constants, class, CLASS)?, 1)?)
}

fn text(constants: &[u8], index: u16) -> Option<&[u8]> {
    of_kind(constants, index, UTF8)?.get(3..)
}

fn of_kind(constants: &[u8], index: u16, kind: u8) -> Option<&[u8]> {
    find(constants, index).filter(|constant| constant.first() == Some(&kind))
}

/// A constant, its tag first.
fn find(constants: &[u8], index: u16) -> Option<&[u8]> {
    let mut left = constants;
    let mut current = 1;
    loop {
        let (constant, rest) = left.split_at_checked(length(left)?)?;
        if current == index {
            return Some(constant);
        }
        // Some have two numbers.
        current += match constant[0] {
            LONG | DOUBLE => 2,
            _ => 1,
        };
        if current > index {
            return None;
        }
        left = rest;
    }
}

fn length(constant: &[u8]) -> Option<usize> {
    Some(match *constant.first()? {
        UTF8 => 3 + usize::from(number(constant, 1)?),
        LONG | DOUBLE => 9,
        CLASS | 8 | METHOD_TYPE | 19 | 20 => 3,
        METHOD_HANDLE => 4,
        3 | 4 | 9..=12 | DYNAMIC | 18 => 5,
        _ => return None,
    })
}

fn number(constant: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_be_bytes(*constant.get(at..)?.first_chunk()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A long, of two numbers, then a field, and a few to load.
    fn constants(class: &[u8]) -> Vec<u8> {
        let mut all = vec![LONG, 0, 0, 0, 0, 0, 0, 0, 7];
        all.extend([FIELD, 0, 4, 0, 9]);
        all.extend([CLASS, 0, 5]);
        all.extend([UTF8, 0, class.len() as u8]);
        all.extend(class);
        all.extend([DYNAMIC, 0, 0, 0, 9, METHOD_TYPE, 0, 5, 3, 0, 0, 0, 1]);
        all.extend([NAME_AND_TYPE, 0, 10, 0, 11]);
        all.extend(b"\x01\0\x05count\x01\0\x01I");
        all
    }

    fn count(class: &[u8], is_static: bool, is_written: bool) -> Need<'_> {
        Need::Field(Field {
            class,
            name: b"count",
            type_: b"I",
            is_static,
            is_written,
        })
    }

    #[test]
    fn what_is_static_or_compared_needs_its_class() {
        let name = b"some/Own";
        let constants = constants(name);
        let needs = |code: &[u8]| need(code, 0, false, &constants);
        assert_eq!(needs(&[GETSTATIC, 0, 3]), count(name, true, false));
        assert_eq!(needs(&[PUTSTATIC, 0, 3]), count(name, true, true));
        assert_eq!(needs(&[INSTANCEOF, 0, 4]), Need::Class(name));
        assert_eq!(needs(&[LDC, 4]), Need::Class(name));
    }

    #[test]
    fn a_field_of_this_cannot_be_missed() {
        let constants = constants(b"A");
        let own = [42, GETFIELD, 0, 3];
        assert_eq!(need(&own, 1, true, &constants), count(b"A", false, false));
        assert_eq!(need(&own, 1, false, &constants), Need::Java);
        assert_eq!(need(&[43, GETFIELD, 0, 3], 1, true, &constants), Need::Java);
    }

    #[test]
    fn some_constants_are_made_by_java() {
        let constants = constants(b"A");
        let needs_java = |code: &[u8]| need(code, 0, true, &constants) == Need::Java;
        assert!(!needs_java(&[LDC2_W, 0, 1]));
        assert!(needs_java(&[LDC, 6]));
        assert!(needs_java(&[LDC_W, 0, 7]));
        assert!(!needs_java(&[LDC, 8]));
    }

    #[test]
    fn what_calls_or_throws_needs_java_and_what_moves_computes_or_jumps_does_not() {
        // In the order of the specification: elements read and written, divisions, then from fields on.
        let mut throws = vec![46, 53, 79, 86, 108, 109, 112, 113];
        throws.extend([
            180, 181, 182, 183, 184, 185, 186, 187, 188, 189, 190, 191, 192,
        ]);
        throws.extend([194, 195, 197, 202, 255]);
        for opcode in throws {
            assert_eq!(need(&[opcode, 0, 3], 0, true, &[]), Need::Java, "{opcode}");
        }
        let mut does_not = vec![0, 17, 21, 45, 54, 78, 87, 107, 110, 111, 114, 132, 153, 167];
        does_not.extend([171, 172, 177, 196, 198, 200]);
        for opcode in does_not {
            assert_eq!(need(&[opcode], 0, true, &[]), Need::Nothing, "{opcode}");
        }
    }

    #[test]
    fn what_is_not_to_be_read_needs_java() {
        let needs_java =
            |code: &[u8], constants: &[u8]| need(code, 0, true, constants) == Need::Java;
        assert!(needs_java(&[], &[]));
        let constants = constants(b"A");
        // Beyond the end, within a long, and of another kind.
        for index in [0, 2, 12] {
            assert!(needs_java(&[LDC, index], &constants));
        }
        assert!(needs_java(&[GETSTATIC, 0, 4], &constants));
        assert!(needs_java(&[GETSTATIC], &constants));
    }
}
