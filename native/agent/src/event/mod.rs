//! Where the VM tells that somebody comes by: breakpoints, and watched fields.
//!
//! Both are the VM's, not an environment's: they stay when that has given up the capability or is disposed. So who has
//! set which is remembered here, and what is left is cleared before.

pub(crate) mod breakpoints;
mod placed;
pub(crate) mod watches;
