//! What a function answers when it does not succeed.

use crate::sys;

/// What every function of the safe layer answers.
pub type Result<T> = core::result::Result<T, Error>;

/// A function answered a code other than `JVMTI_ERROR_NONE`.
///
/// Codes are an open set: a newer VM may answer one that has no name here.
///
/// ```
/// use jvmti::{Error, sys};
///
/// let error = Error::new("GetThreadState", sys::Error::THREAD_NOT_ALIVE);
/// assert_eq!(error.to_string(), "GetThreadState: JVMTI_ERROR_THREAD_NOT_ALIVE (15)");
/// ```
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[error("{function}: {} ({})", .code.name().unwrap_or("unknown error"), .code.0)]
pub struct Error {
    /// The function's name in the specification, such as `GetThreadState`.
    pub function: &'static str,
    /// What it answered; never [`sys::Error::NONE`].
    pub code: sys::Error,
}

impl Error {
    /// The failure of `function` with `code`.
    #[cold]
    pub const fn new(function: &'static str, code: sys::Error) -> Self {
        Self { function, code }
    }
}

/// The answer of `function` as a result.
#[inline]
pub(crate) fn check(function: &'static str, code: sys::Error) -> Result<()> {
    if code == sys::Error::NONE {
        Ok(())
    } else {
        Err(Error::new(function, code))
    }
}

/// The length of an input list as the `jint` that C asks for. One that is too long is what a
/// negative count would have been.
pub(crate) fn list_length(function: &'static str, length: usize) -> Result<i32> {
    i32::try_from(length).map_err(|_| Error::new(function, sys::Error::ILLEGAL_ARGUMENT))
}

/// At most `most` values that `function` answers. Too many for the memory there is are an error.
pub(crate) fn collect<T>(
    function: &'static str,
    most: usize,
    values: impl Iterator<Item = T>,
) -> Result<Vec<T>> {
    let mut list = Vec::new();
    list.try_reserve_exact(most)
        .map_err(|_| Error::new(function, sys::Error::OUT_OF_MEMORY))?;
    list.extend(values.take(most));
    Ok(list)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_that_c_cannot_count_is_an_illegal_argument() {
        assert_eq!(list_length("SetTag", 0), Ok(0));
        assert_eq!(list_length("SetTag", i32::MAX as usize), Ok(i32::MAX));
        assert_eq!(
            list_length("SetTag", i32::MAX as usize + 1),
            Err(Error::new("SetTag", sys::Error::ILLEGAL_ARGUMENT))
        );
    }

    #[test]
    fn a_list_that_memory_cannot_hold_is_out_of_memory() {
        assert_eq!(collect("GetTag", 2, [1, 2, 3].into_iter()), Ok(vec![1, 2]));
        assert_eq!(
            collect("GetTag", usize::MAX, [1].into_iter()),
            Err(Error::new("GetTag", sys::Error::OUT_OF_MEMORY))
        );
    }
}
