//! The memory of the fake VM: counted, poisoned when freed, and never used again within a test.

use std::alloc::{Layout, alloc, dealloc};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ffi::CStr;
use std::ptr;

use jni::sys::jlong;
use jvmti::sys;

use super::{enter, fault};

/// What is written over freed memory: no valid text, and no small number.
const POISON: u8 = 0xDB;

#[derive(Default)]
struct Blocks {
    live: BTreeMap<usize, Layout>,
    freed: BTreeMap<usize, Layout>,
}

thread_local! {
    static BLOCKS: RefCell<Blocks> = RefCell::default();
}

pub(super) fn install(table: &mut sys::FunctionTable) {
    table.Allocate = Some(allocate);
    table.Deallocate = Some(deallocate);
}

/// A block of VM memory that holds `elements`.
pub fn array<T: Copy>(elements: &[T]) -> *mut T {
    let block = new_block(size_of_val(elements)).cast::<T>();
    // SAFETY: freshly allocated with room for them and aligned to 16.
    unsafe { ptr::copy_nonoverlapping(elements.as_ptr(), block, elements.len()) };
    block
}

/// A block of VM memory that holds a text.
pub fn text(text: &CStr) -> *mut std::ffi::c_char {
    array(text.to_bytes_with_nul()).cast()
}

pub(super) fn live() -> usize {
    BLOCKS.with_borrow(|blocks| blocks.live.len())
}

/// Gives everything back to the process; answers how many blocks were live.
pub(super) fn reset() -> usize {
    let blocks = BLOCKS.take();
    let left = blocks.live.len();
    for (address, layout) in blocks.live.into_iter().chain(blocks.freed) {
        // SAFETY: each was allocated with this layout and is in one of the maps once.
        unsafe { dealloc(address as *mut u8, layout) };
    }
    left
}

fn new_block(size: usize) -> *mut u8 {
    let layout = Layout::from_size_align(size.max(1), 16).unwrap();
    // SAFETY: the size is not zero.
    let block = unsafe { alloc(layout) };
    BLOCKS.with_borrow_mut(|blocks| blocks.live.insert(block as usize, layout));
    block
}

unsafe extern "system" fn allocate(
    env: *mut sys::Env,
    size: jlong,
    block: *mut *mut u8,
) -> sys::Error {
    let code = enter(env, "Allocate", vec![size]);
    // SAFETY: the caller lends a place for the pointer.
    unsafe { *block = new_block(size as usize) };
    code
}

unsafe extern "system" fn deallocate(env: *mut sys::Env, block: *mut u8) -> sys::Error {
    let code = enter(env, "Deallocate", vec![block as i64]);
    BLOCKS.with_borrow_mut(|blocks| match blocks.live.remove(&(block as usize)) {
        Some(layout) => {
            // SAFETY: still ours; it is given back only when the test ends.
            unsafe { block.write_bytes(POISON, layout.size()) };
            blocks.freed.insert(block as usize, layout);
        }
        None if blocks.freed.contains_key(&(block as usize)) => {
            fault(format!("{block:p} was freed twice"));
        }
        None => fault(format!("{block:p} was freed and is no block")),
    });
    code
}
