//! Names of classes with stars in them.

/// `com.acme.*`, as `Class.getName` spells names; a star stands for any letters, also for none.
#[derive(Debug)]
pub(crate) struct Pattern(Box<[Box<str>]>);

impl Pattern {
    pub(crate) fn of(text: &str) -> Self {
        // As signatures have it: what `getName` separates by a slash, of hidden classes, they do by a dot.
        let turned = |letter| match letter {
            '.' => '/',
            '/' => '.',
            other => other,
        };
        let text: String = text.chars().map(turned).collect();
        Self(text.split('*').map(Into::into).collect())
    }

    /// Whether that is meant, as HotSpot spells a class that is unloaded.
    pub(super) fn is_unloaded(&self, name: &str) -> bool {
        match name.rsplit_once('+') {
            Some((class, address)) if is_address(address) => self.is(&format!("{class}.{address}")),
            _ => self.is(name),
        }
    }

    /// Whether a class with that signature is meant: `Lcom/acme/Cart;`, `[I`.
    pub(super) fn matches(&self, signature: &str) -> bool {
        let class = signature
            .strip_prefix('L')
            .and_then(|rest| rest.strip_suffix(';'));
        self.is(class.unwrap_or(signature))
    }

    /// Whether that is meant, as class files spell it.
    pub(super) fn is(&self, name: &str) -> bool {
        let (first, rest) = match &*self.0 {
            [] => return false,
            [whole] => return **whole == *name,
            [first, rest @ ..] => (first, rest),
        };
        let Some((last, between)) = rest.split_last() else {
            return false;
        };
        let Some(mut left) = name.strip_prefix(&**first) else {
            return false;
        };
        for piece in between {
            // The first place leaves most for those that follow.
            let Some(place) = left.find(&**piece) else {
                return false;
            };
            left = &left[place + piece.len()..];
        }
        left.ends_with(&**last)
    }
}

/// `0x000078e0c8001000`, of a hidden class.
fn is_address(text: &str) -> bool {
    let digits = text.strip_prefix("0x");
    digits.is_some_and(|digits| {
        digits.len() == 16 && digits.bytes().all(|one| one.is_ascii_hexdigit())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(pattern: &str, signature: &str) -> bool {
        Pattern::of(pattern).matches(signature)
    }

    #[test]
    fn a_name_without_stars_is_that_class_alone() {
        assert!(matches("com.acme.Cart", "Lcom/acme/Cart;"));
        assert!(!matches("com.acme.Cart", "Lcom/acme/Carts;"));
        assert!(!matches("com.acme.Cart", "Lcom/acme/Cart$Item;"));
        assert!(!matches("acme.Cart", "Lcom/acme/Cart;"));
    }

    #[test]
    fn a_star_stands_for_any_letters() {
        assert!(matches("com.acme.*", "Lcom/acme/deep/Cart;"));
        assert!(matches("*Cart", "Lcom/acme/Cart;"));
        assert!(matches("com.*.Cart", "Lcom/acme/Cart;"));
        assert!(matches("*", "Lcom/acme/Cart;"));
        assert!(matches("*a*a*", "Lcom/acme/Cart;"));
        assert!(!matches("com.acme.*", "Lcom/acmes/Cart;"));
        assert!(!matches("a*a", "La;"), "no letter is both");
    }

    #[test]
    fn arrays_are_named_as_java_names_them() {
        assert!(matches("[I", "[I"));
        assert!(matches("[Ljava.lang.String;", "[Ljava/lang/String;"));
        assert!(matches("[*", "[[J"));
        assert!(!matches("java.lang.*", "[Ljava/lang/String;"));
    }

    #[test]
    fn classes_that_are_unloaded_are_named_as_java_named_them() {
        let is_unloaded = |pattern: &str, name: &str| Pattern::of(pattern).is_unloaded(name);
        assert!(is_unloaded("com.acme.*", "com/acme/Cart"));
        assert!(is_unloaded("com.acme.Cart+0x1", "com/acme/Cart+0x1"));
        let (hidden, address) = ("com/acme/Cart+0x000078e0c8001000", "0x000078e0c8001000");
        assert!(is_unloaded(&format!("com.acme.Cart/{address}"), hidden));
        assert!(!is_unloaded("*+*", hidden));
    }

    #[test]
    fn hidden_classes_are_named_as_java_names_them() {
        assert!(matches(
            "com.acme.Cart$$Lambda/0x12",
            "Lcom/acme/Cart$$Lambda.0x12;"
        ));
        assert!(matches("com.acme.*", "Lcom/acme/Cart$$Lambda.0x12;"));
        assert!(!matches(
            "com.acme.Cart$$Lambda.0x12",
            "Lcom/acme/Cart$$Lambda.0x12;"
        ));
    }

    /// What a pattern means, said the slow way.
    fn slowly(pattern: &[u8], name: &[u8]) -> bool {
        match (pattern, name) {
            ([], []) => true,
            ([b'*', rest @ ..], _) => (0..=name.len()).any(|end| slowly(rest, &name[end..])),
            ([letter, rest @ ..], [first, others @ ..]) => letter == first && slowly(rest, others),
            _ => false,
        }
    }

    /// Every text of so many letters, and shorter ones.
    fn texts(letters: &str, most: usize) -> Vec<String> {
        let mut all = vec![String::new()];
        if most > 0 {
            for shorter in texts(letters, most - 1) {
                all.extend(letters.chars().map(|letter| format!("{shorter}{letter}")));
            }
        }
        all
    }

    #[test]
    fn as_if_every_way_were_tried() {
        let names = texts("ab", 6);
        for pattern in texts("ab*", 5) {
            let compiled = Pattern::of(&pattern);
            for name in &names {
                let expected = slowly(pattern.as_bytes(), name.as_bytes());
                assert_eq!(compiled.is(name), expected, "{pattern} of {name}");
            }
        }
    }
}
