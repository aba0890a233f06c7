//! What happens in the VM, and who is told; and where it tells that somebody comes by: breakpoints, and watched fields.
//!
//! Those two are the VM's, not an environment's: they stay when that has given up the capability or is disposed. So who
//! has set which is remembered here, and what is left is cleared before.

mod answers;
pub(crate) mod begun_changes;
pub(crate) mod breakpoints;
mod class_file;
mod counts;
pub(crate) mod early;
pub(crate) mod early_kept;
mod everybody;
pub(crate) mod filter;
mod kept_values;
pub(crate) mod kind;
pub(crate) mod passes;
pub(crate) mod pattern;
mod placed;
pub(crate) mod profile;
pub(crate) mod records;
mod ring;
mod stacks;
pub(crate) mod stopped;
pub(crate) mod subscriber;
pub(crate) mod subscriptions;
mod target;
mod teller;
mod telling;
mod told;
pub(crate) mod upcalls;
pub(crate) mod watches;
