//! The little of class files that is looked at here.

/// Where its constants are, by their numbers, and where they end.
struct Constants {
    places: Vec<usize>,
    end: usize,
}

const UTF8: u8 = 1;
/// In the first one of two bytes.
const ACC_SYNTHETIC: u8 = 0x10;

fn number(file: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_be_bytes([*file.get(at)?, *file.get(at + 1)?]))
}

impl Constants {
    /// None of what is no class file.
    fn of(file: &[u8]) -> Option<Self> {
        let count = usize::from(number(file, 8)?);
        let (mut places, mut at) = (vec![0], 10);
        while places.len() < count {
            let length = match file.get(at)? {
                &UTF8 => 2 + usize::from(number(file, at + 1)?),
                3 | 4 | 9..=12 | 17 | 18 => 4,
                5 | 6 => 8,
                7 | 8 | 16 | 19 | 20 => 2,
                15 => 3,
                _ => return None,
            };
            places.push(at);
            // A long or a double counts as two.
            if matches!(file[at], 5 | 6) {
                places.push(at);
            }
            at += 1 + length;
        }
        Some(Self { places, end: at })
    }
}

/// The class file with another flag of the class, which is legal, and which the VM lets no class get; none of what is no
/// class file, which the VM refuses anyway.
pub(super) fn with_another_flag(file: &[u8]) -> Option<Vec<u8>> {
    let flags = Constants::of(file)?.end;
    let mut other = file.to_vec();
    *other.get_mut(flags)? ^= ACC_SYNTHETIC;
    Some(other)
}

/// What the class is called, with slashes.
pub(super) fn name(file: &[u8]) -> Option<&[u8]> {
    let constants = Constants::of(file)?;
    let place = |index: u16| constants.places.get(usize::from(index)).copied();
    let class = place(number(file, constants.end + 2)?)?;
    let text = place(number(file, class + 1)?)?;
    let begin = text + 3;
    (*file.get(text)? == UTF8)
        .then(|| file.get(begin..begin + usize::from(number(file, text + 1)?)))
        .flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A long, a text, a class, the flags 0x0021, and the class itself.
    const FILE: &[u8] = &[
        0xCA, 0xFE, 0xBA, 0xBE, 0, 0, 0, 61, 0, 5, 5, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 1, b'A', 7, 0,
        3, 0x00, 0x21, 0, 4,
    ];

    #[test]
    fn a_flag_is_changed_behind_the_constants() {
        let other = with_another_flag(FILE).unwrap();
        let differ: Vec<_> = (0..FILE.len())
            .filter(|&at| FILE[at] != other[at])
            .collect();
        assert_eq!((differ, other[26]), (vec![26], 0x10));
    }

    #[test]
    fn the_name_is_that_of_the_class_itself() {
        assert_eq!(name(FILE), Some(&b"A"[..]));
        let mut another = FILE.to_vec();
        another[29] = 3;
        assert_eq!(name(&another), None, "a text is no class");
    }

    #[test]
    fn what_is_no_class_file_is_left_alone() {
        for length in 0..FILE.len() {
            assert_eq!(name(&FILE[..length]), None, "{length}");
        }
        assert_eq!(with_another_flag(&[]), None);
        assert_eq!(with_another_flag(&FILE[..26]), None);
        let mut unknown = FILE.to_vec();
        unknown[10] = 2;
        assert_eq!(with_another_flag(&unknown), None);
    }
}
