//! The ways into the image: what the VM calls when it loads us, and how copies of the Java classes find us.

mod arrival;
mod door;
mod exports;
mod options;
mod startup;
