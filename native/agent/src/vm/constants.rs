//! The constants of a class file, as far as it matters whether the VM calls Java to link an instruction.

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
const INVOKEVIRTUAL: u8 = 182;
const INVOKEDYNAMIC: u8 = 186;

/// Classes whose methods the VM has the JDK link for each place that calls them.
const LINKED: [&[u8]; 2] = [
    b"java/lang/invoke/MethodHandle",
    b"java/lang/invoke/VarHandle",
];

/// Whether the VM may call Java of the JDK to link the instruction at `at`. What is no code, or no constant, may.
pub(crate) fn links_by_java(code: &[u8], at: usize, constants: &[u8]) -> bool {
    let wide = || Some(u16::from_be_bytes(*code.get(at + 1..)?.first_chunk()?));
    let of_java = match code.get(at) {
        Some(&INVOKEDYNAMIC) => Some(true),
        Some(&LDC) => code
            .get(at + 1)
            .and_then(|index| is_made_by_java(constants, u16::from(*index))),
        Some(&(LDC_W | LDC2_W)) => wide().and_then(|index| is_made_by_java(constants, index)),
        Some(&INVOKEVIRTUAL) => wide().and_then(|index| is_linked(constants, index)),
        Some(_) => Some(false),
        None => None,
    };
    of_java.unwrap_or(true)
}

fn is_made_by_java(constants: &[u8], index: u16) -> Option<bool> {
    let tag = *find(constants, index)?.first()?;
    Some(matches!(tag, METHOD_HANDLE | METHOD_TYPE | DYNAMIC))
}

/// Whether a method is one of those classes.
fn is_linked(constants: &[u8], method: u16) -> Option<bool> {
    let class = find(constants, number(find(constants, method)?, 1)?)?;
    if *class.first()? != CLASS {
        return None;
    }
    let name = find(constants, number(class, 1)?)?;
    if *name.first()? != UTF8 {
        return None;
    }
    Some(LINKED.contains(&name.get(3..)?))
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
    fn a_method_handle_is_called_by_way_of_java_and_others_are_not() {
        let call = [INVOKEVIRTUAL, 0, 3];
        for class in LINKED {
            assert!(links_by_java(&call, 0, &constants(class)));
        }
        assert!(!links_by_java(
            &call,
            0,
            &constants(b"java/lang/invoke/MethodType")
        ));
    }

    #[test]
    fn some_constants_are_made_by_java() {
        let constants = constants(b"A");
        let loads = |code: &[u8]| links_by_java(code, 0, &constants);
        assert!(!loads(&[LDC2_W, 0, 1]));
        assert!(!loads(&[LDC, 4]));
        assert!(loads(&[LDC, 6]));
        assert!(loads(&[LDC_W, 0, 7]));
        assert!(!loads(&[LDC, 8]));
    }

    #[test]
    fn what_is_dynamic_or_not_to_be_read_is_left_alone_and_the_rest_is_not() {
        assert!(links_by_java(&[0, INVOKEDYNAMIC, 0, 1, 0, 0], 1, &[]));
        assert!(!links_by_java(&[0], 0, &[]));
        assert!(links_by_java(&[], 0, &[]));
        let constants = constants(b"A");
        // Beyond the end, within a long, and of another kind.
        for index in [0, 2, 9] {
            assert!(links_by_java(&[LDC, index], 0, &constants));
        }
        assert!(links_by_java(&[INVOKEVIRTUAL, 0, 4], 0, &constants));
        assert!(links_by_java(&[INVOKEVIRTUAL], 0, &constants));
    }
}
