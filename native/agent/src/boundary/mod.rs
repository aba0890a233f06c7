//! The boundary to Java: what every native passes, and what is known of each copy of the Java classes.

pub(crate) mod bracket;
mod caller;
mod classes;
mod constructor;
pub(crate) mod context;
pub(crate) mod guard;
pub(crate) mod records;
mod throw;
