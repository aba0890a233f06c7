//! How often something happened at each stack, and how much it was. The stacks are no more than was said at first.

use std::collections::HashMap;
use std::sync::Arc;

use jvmti::MethodId;

/// A method's id, and the index of a bytecode. HotSpot gives an id to no other method, also when it is unloaded.
pub(super) type Place = (MethodId, i64);

/// Stands below the outermost frame that was read, where there are more.
pub(super) const CUT: Place = (MethodId::NONE, -1);

pub(super) struct Stacks {
    most: usize,
    /// By the text that names the class, or -1, and the places.
    known: HashMap<Box<[i64]>, usize>,
    rows: Vec<Row>,
    places: HashMap<Place, i64>,
    /// Of each the texts of its class, its method and its file, or -1, and the line.
    frames: Vec<[i64; 4]>,
    numbers: HashMap<Arc<str>, i64>,
    texts: Vec<Arc<str>>,
    /// What is looked for, so that nothing is allocated for what is known.
    key: Vec<i64>,
}

struct Row {
    class: i64,
    frames: Box<[i64]>,
    count: u64,
    amount: u64,
}

/// A place for people.
pub(super) struct Described {
    pub(super) class: String,
    pub(super) method: String,
    pub(super) file: Option<String>,
    pub(super) line: i64,
}

/// No text.
const NONE: i64 = -1;

impl Stacks {
    pub(super) fn of(most: usize) -> Self {
        Self {
            most,
            known: HashMap::new(),
            rows: Vec::new(),
            places: HashMap::from([(CUT, NONE)]),
            frames: Vec::new(),
            numbers: HashMap::new(),
            texts: Vec::new(),
            key: Vec::new(),
        }
    }

    pub(super) fn is_full(&self) -> bool {
        self.rows.len() >= self.most
    }

    /// One more of what is known; where that is.
    pub(super) fn count(
        &mut self,
        class: Option<&str>,
        frames: &[Place],
        amount: u64,
    ) -> Option<usize> {
        let class = match class {
            Some(class) => *self.numbers.get(class)?,
            None => NONE,
        };
        self.key.clear();
        self.key.push(class);
        self.key.extend(frames.iter().flat_map(numbers));
        let place = *self.known.get(self.key.as_slice())?;
        let row = self.rows.get_mut(place)?;
        row.count += 1;
        row.amount = row.amount.saturating_add(amount);
        Some(place)
    }

    /// Those that have to be described.
    pub(super) fn unknown(&self, frames: &[Place]) -> Vec<Place> {
        let unknown = frames.iter().filter(|one| !self.places.contains_key(one));
        unknown.copied().collect()
    }

    /// One of what may have become known meanwhile; none if there is no room.
    pub(super) fn add(
        &mut self,
        class: Option<&str>,
        frames: &[Place],
        described: Vec<(Place, Described)>,
        amount: u64,
    ) -> Option<usize> {
        if let Some(place) = self.count(class, frames, amount) {
            return Some(place);
        }
        if self.is_full() {
            return None;
        }
        for (place, one) in described {
            if !self.places.contains_key(&place) {
                let file = one.file.map_or(NONE, |file| self.number(&file));
                let frame = [
                    self.number(&one.class),
                    self.number(&one.method),
                    file,
                    one.line,
                ];
                self.places.insert(place, self.frames.len() as i64);
                self.frames.push(frame);
            }
        }
        let class = class.map_or(NONE, |class| self.number(class));
        let known = frames.iter().map(|place| self.places.get(place).copied());
        let row = Row {
            class,
            frames: known.collect::<Option<_>>()?,
            count: 1,
            amount,
        };
        let place = self.rows.len();
        let places = frames.iter().flat_map(numbers);
        self.known
            .insert([class].into_iter().chain(places).collect(), place);
        self.rows.push(row);
        Some(place)
    }

    fn number(&mut self, text: &str) -> i64 {
        if let Some(number) = self.numbers.get(text) {
            return *number;
        }
        let (text, number): (Arc<str>, _) = (text.into(), self.texts.len() as i64);
        self.texts.push(Arc::clone(&text));
        self.numbers.insert(text, number);
        number
    }

    /// Of each stack the class, how often, how much, how many frames, and which, with -1 for [`CUT`]; or of some, of which
    /// it is known how often and how much.
    pub(super) fn rows(&self, some: Option<&HashMap<usize, (u64, u64)>>) -> Vec<i64> {
        let mut all = Vec::new();
        for (place, row) in self.rows.iter().enumerate() {
            let counted = match some {
                None => Some((row.count, row.amount)),
                Some(some) => some.get(&place).copied(),
            };
            if let Some((count, amount)) = counted {
                let of_each = [
                    row.class,
                    count.cast_signed(),
                    i64::try_from(amount).unwrap_or(i64::MAX),
                    row.frames.len() as i64,
                ];
                all.extend(of_each);
                all.extend(&row.frames);
            }
        }
        all
    }

    pub(super) fn frames(&self) -> Vec<i64> {
        self.frames.iter().flatten().copied().collect()
    }

    pub(super) fn texts(&self) -> Vec<Arc<str>> {
        self.texts.clone()
    }
}

fn numbers((method, location): &Place) -> [i64; 2] {
    [method.as_raw() as i64, *location]
}

/// As `Class.getName` has it, of a signature.
pub(super) fn class_name(signature: &str) -> String {
    let class = signature
        .strip_prefix('L')
        .and_then(|rest| rest.strip_suffix(';'));
    let turned = |letter| match letter {
        '/' => '.',
        '.' => '/',
        other => other,
    };
    class.unwrap_or(signature).chars().map(turned).collect()
}

#[cfg(test)]
mod tests {
    use std::ptr::without_provenance_mut;

    use super::*;

    fn place(id: usize, location: i64) -> Place {
        // SAFETY: the VM is not asked for it.
        (
            unsafe { MethodId::from_raw(without_provenance_mut(id)) },
            location,
        )
    }

    fn described(frames: &[Place]) -> Vec<(Place, Described)> {
        let one = |place: &Place| Described {
            class: "a.B".to_owned(),
            method: format!("m{}", place.0.as_raw().addr()),
            file: None,
            line: place.1,
        };
        frames.iter().map(|place| (*place, one(place))).collect()
    }

    #[test]
    fn what_is_known_is_counted_and_what_has_no_room_is_not() {
        let mut stacks = Stacks::of(2);
        let (one, other) = ([place(7, 1), place(8, 2)], [place(7, 1)]);
        assert_eq!(stacks.count(Some("x.Y"), &one, 5), None);
        assert_eq!(stacks.unknown(&one), one);
        assert_eq!(stacks.add(Some("x.Y"), &one, described(&one), 5), Some(0));
        assert_eq!(stacks.count(Some("x.Y"), &one, 6), Some(0));
        assert!(stacks.unknown(&other).is_empty());
        assert_eq!(stacks.count(None, &other, 1), None, "of another class");
        assert_eq!(stacks.add(None, &other, Vec::new(), 1), Some(1));
        assert!(stacks.is_full());
        assert_eq!(stacks.add(Some("x.Z"), &one, Vec::new(), 1), None);
        assert_eq!(stacks.count(Some("x.Y"), &one, 0), Some(0));
        let texts = stacks.texts();
        let named = |number: i64| &*texts[usize::try_from(number).unwrap()];
        let rows = stacks.rows(None);
        assert_eq!(named(rows[0]), "x.Y");
        assert_eq!(rows[1..], [3, 11, 2, 0, 1, -1, 1, 1, 1, 0]);
        let frames = stacks.frames();
        assert_eq!((named(frames[0]), named(frames[1])), ("a.B", "m7"));
        assert_eq!(frames[2..4], [-1, 1]);
        let some = HashMap::from([(1, (4, 40))]);
        assert_eq!(stacks.rows(Some(&some)), [-1, 4, 40, 1, 0]);
    }

    #[test]
    fn a_class_is_called_as_java_calls_it() {
        assert_eq!(class_name("Ljava/util/Map$Entry;"), "java.util.Map$Entry");
        assert_eq!(class_name("[Ljava/lang/String;"), "[Ljava.lang.String;");
        assert_eq!(class_name("LHidden.0x12;"), "Hidden/0x12");
    }
}
