//! The boundary to Java: what every native passes, and what is known of each copy of the Java classes.

pub(crate) mod bracket;
pub(crate) mod bridge;
mod classes;
pub(crate) mod context;
mod facts;
pub(crate) mod guard;
mod throw;
