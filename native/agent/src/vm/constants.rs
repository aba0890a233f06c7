//! The constants of a class file, as far as it matters whether the VM calls Java for an instruction: the JDK links some,
//! class loaders load what they name, and initialisers run.

const UTF8: u8 = 1;
const LONG: u8 = 5;
const DOUBLE: u8 = 6;
const CLASS: u8 = 7;
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
const INVOKEVIRTUAL: u8 = 182;
const INVOKESPECIAL: u8 = 183;
const INVOKESTATIC: u8 = 184;
const INVOKEINTERFACE: u8 = 185;
const INVOKEDYNAMIC: u8 = 186;
const NEW: u8 = 187;
const ANEWARRAY: u8 = 189;
const CHECKCAST: u8 = 192;
const INSTANCEOF: u8 = 193;
const MULTIANEWARRAY: u8 = 197;

/// Classes whose methods the VM has the JDK link for each place that calls them.
const LINKED: [&[u8]; 2] = [
    b"java/lang/invoke/MethodHandle",
    b"java/lang/invoke/VarHandle",
];

/// What an instruction needs that the VM may call Java for.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Need<'c> {
    Nothing,
    /// A class, by its name, that is loaded and, where it is to be, initialised.
    Class {
        name: &'c [u8],
        initialised: bool,
    },
    /// The JDK links it.
    Link,
}

/// What the instruction at `at` needs. What is no code, or no constant, is taken for one that is linked.
pub(crate) fn need<'c>(code: &[u8], at: usize, constants: &'c [u8]) -> Need<'c> {
    needed(code, at, constants).unwrap_or(Need::Link)
}

fn needed<'c>(code: &[u8], at: usize, constants: &'c [u8]) -> Option<Need<'c>> {
    let opcode = *code.get(at)?;
    let wide = || Some(u16::from_be_bytes(*code.get(at + 1..)?.first_chunk()?));
    let class = |index, initialised| {
        let name = class_name(constants, index)?;
        Some(Need::Class { name, initialised })
    };
    let member = |initialised| class(number(find(constants, wide()?)?, 1)?, initialised);
    match opcode {
        INVOKEDYNAMIC => Some(Need::Link),
        LDC => loaded(constants, u16::from(*code.get(at + 1)?)),
        LDC_W | LDC2_W => loaded(constants, wide()?),
        INVOKEVIRTUAL => match member(false)? {
            Need::Class { name, .. } if LINKED.contains(&name) => Some(Need::Link),
            other => Some(other),
        },
        GETFIELD | PUTFIELD | INVOKESPECIAL | INVOKEINTERFACE => member(false),
        GETSTATIC | PUTSTATIC | INVOKESTATIC => member(true),
        NEW => class(wide()?, true),
        ANEWARRAY | CHECKCAST | INSTANCEOF | MULTIANEWARRAY => class(wide()?, false),
        _ => Some(Need::Nothing),
    }
}

/// What it needs to load a constant.
fn loaded(constants: &[u8], index: u16) -> Option<Need<'_>> {
    Some(match *find(constants, index)?.first()? {
        METHOD_HANDLE | METHOD_TYPE | DYNAMIC => Need::Link,
        CLASS => Need::Class {
            name: class_name(constants, index)?,
            initialised: false,
        },
        _ => Need::Nothing,
    })
}

/// The name of a class, as in the constant: of an array its descriptor.
fn class_name(constants: &[u8], class: u16) -> Option<&[u8]> {
    let class = find(constants, class)?;
    if *class.first()? != CLASS {
        return None;
    }
    let name = find(constants, number(class, 1)?)?;
    if *name.first()? != UTF8 {
        return None;
    }
    name.get(3..)
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

    /// A long, of two numbers, then what a method needs, and a few to load.
    fn constants(class: &[u8]) -> Vec<u8> {
        let mut all = vec![LONG, 0, 0, 0, 0, 0, 0, 0, 7];
        all.extend([10, 0, 4, 0, 9]);
        all.extend([CLASS, 0, 5]);
        all.extend([UTF8, 0, class.len() as u8]);
        all.extend(class);
        all.extend([DYNAMIC, 0, 0, 0, 9, METHOD_TYPE, 0, 5, 3, 0, 0, 0, 1]);
        all
    }

    #[test]
    fn a_method_handle_is_called_by_way_of_java_and_others_need_their_class() {
        let call = [INVOKEVIRTUAL, 0, 3];
        for class in LINKED {
            assert_eq!(need(&call, 0, &constants(class)), Need::Link);
        }
        let name = b"java/lang/invoke/MethodType";
        let constants = constants(name);
        let class = |initialised| Need::Class { name, initialised };
        assert_eq!(need(&call, 0, &constants), class(false));
        assert_eq!(need(&[INVOKESTATIC, 0, 3], 0, &constants), class(true));
        assert_eq!(need(&[NEW, 0, 4], 0, &constants), class(true));
        assert_eq!(need(&[CHECKCAST, 0, 4], 0, &constants), class(false));
        assert_eq!(need(&[LDC, 4], 0, &constants), class(false));
    }

    #[test]
    fn some_constants_are_made_by_java() {
        let constants = constants(b"A");
        let loads = |code: &[u8]| need(code, 0, &constants) == Need::Link;
        assert!(!loads(&[LDC2_W, 0, 1]));
        assert!(loads(&[LDC, 6]));
        assert!(loads(&[LDC_W, 0, 7]));
        assert!(!loads(&[LDC, 8]));
    }

    #[test]
    fn what_is_dynamic_or_not_to_be_read_is_left_alone_and_the_rest_is_not() {
        let links = |code: &[u8], at, constants: &[u8]| need(code, at, constants) == Need::Link;
        assert!(links(&[0, INVOKEDYNAMIC, 0, 1, 0, 0], 1, &[]));
        assert!(!links(&[0], 0, &[]));
        assert!(links(&[], 0, &[]));
        let constants = constants(b"A");
        // Beyond the end, within a long, and of another kind.
        for index in [0, 2, 9] {
            assert!(links(&[LDC, index], 0, &constants));
        }
        assert!(links(&[INVOKEVIRTUAL, 0, 4], 0, &constants));
        assert!(links(&[INVOKEVIRTUAL], 0, &constants));
    }
}
