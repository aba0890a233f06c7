//! What a method is to return before its end.

use jni::Env;
use jni::objects::{JObject, JThread};
use jni::refs::Global;

/// What a method is to return.
pub(crate) enum Returned {
    Void,
    Object(Option<Global<JObject<'static>>>),
    Int(i32),
    Long(i64),
    Float(f32),
    Double(f64),
}

impl Returned {
    /// What the first letter of a descriptor says, of these bits if it is a number; none if no type begins with that.
    pub(crate) fn of(
        jni: &Env<'_>,
        letter: char,
        bits: i64,
        object: &JObject<'_>,
    ) -> jni::errors::Result<Option<Self>> {
        Ok(Some(match letter {
            'V' => Self::Void,
            'Z' | 'B' | 'C' | 'S' | 'I' => Self::Int(bits as i32),
            'J' => Self::Long(bits),
            'F' => Self::Float(f32::from_bits(bits as u32)),
            'D' => Self::Double(f64::from_bits(bits.cast_unsigned())),
            'L' | '[' if object.is_null() => Self::Object(None),
            'L' | '[' => Self::Object(Some(jni.new_global_ref(object)?)),
            _ => return Ok(None),
        }))
    }

    pub(super) fn function(&self) -> &'static str {
        match self {
            Self::Void => "ForceEarlyReturnVoid",
            Self::Object(_) => "ForceEarlyReturnObject",
            Self::Int(_) => "ForceEarlyReturnInt",
            Self::Long(_) => "ForceEarlyReturnLong",
            Self::Float(_) => "ForceEarlyReturnFloat",
            Self::Double(_) => "ForceEarlyReturnDouble",
        }
    }

    /// Whether a method of the type with this descriptor returns what is of that kind, which is all that the VM compares
    /// of a number.
    pub(super) fn is_of_kind(&self, type_: &str) -> bool {
        match self {
            Self::Void => type_ == "V",
            Self::Object(_) => type_.starts_with(['L', '[']),
            Self::Int(_) => matches!(type_, "Z" | "B" | "C" | "S" | "I"),
            Self::Long(_) => type_ == "J",
            Self::Float(_) => type_ == "F",
            Self::Double(_) => type_ == "D",
        }
    }

    /// Has `thread`, or the current one, return it from its innermost frame when it goes on.
    ///
    /// # Safety
    ///
    /// The method of that frame can return it, and may be left where it is; nothing else is pending for the thread.
    pub(super) unsafe fn force(
        &self,
        env: &jvmti::Env,
        thread: Option<&JThread<'_>>,
    ) -> jvmti::Result<()> {
        // SAFETY: as above.
        unsafe {
            match self {
                Self::Void => env.force_early_return_void(thread),
                Self::Object(value) => {
                    env.force_early_return_object(thread, value.as_ref().map(AsRef::as_ref))
                }
                Self::Int(value) => env.force_early_return_int(thread, *value),
                Self::Long(value) => env.force_early_return_long(thread, *value),
                Self::Float(value) => env.force_early_return_float(thread, *value),
                Self::Double(value) => env.force_early_return_double(thread, *value),
            }
        }
    }
}

/// What a method of that signature returns.
pub(super) fn type_of(signature: &str) -> &str {
    signature.split_once(')').map_or("", |(_, type_)| type_)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_of_the_kinds_that_the_vm_takes_it_for() {
        let kinds = |value: &Returned| -> Vec<&str> {
            let all = ["V", "Z", "B", "C", "S", "I", "J", "F", "D", "Lx/Y;", "[I"];
            all.into_iter()
                .filter(|kind| value.is_of_kind(kind))
                .collect()
        };
        assert_eq!(kinds(&Returned::Void), ["V"]);
        assert_eq!(kinds(&Returned::Int(1)), ["Z", "B", "C", "S", "I"]);
        assert_eq!(kinds(&Returned::Long(1)), ["J"]);
        assert_eq!(kinds(&Returned::Float(1.0)), ["F"]);
        assert_eq!(kinds(&Returned::Double(1.0)), ["D"]);
        assert_eq!(kinds(&Returned::Object(None)), ["Lx/Y;", "[I"]);
    }
}
