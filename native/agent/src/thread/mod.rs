//! Threads: what is suspended and for how long, and what is remembered of each.

pub(crate) mod agent_thread;
mod apart;
pub(crate) mod assignment;
mod by_parts;
pub(crate) mod carrier;
pub(crate) mod interruption;
pub(crate) mod leaving;
pub(crate) mod ledger;
mod meaning;
pub(crate) mod native_thread;
pub(crate) mod own_code;
pub(crate) mod owned_monitors;
pub(crate) mod pending;
mod requester;
pub(crate) mod resumptions;
mod schedule;
mod starts;
pub(crate) mod storage;
mod suspended;
pub(crate) mod suspension;
mod thread_set;
mod thread_table;
pub(crate) mod transition;
mod under_way;
pub(crate) mod variables;
pub(crate) mod virtual_thread;
pub(crate) mod watchdog;
