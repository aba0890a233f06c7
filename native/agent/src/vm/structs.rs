//! How HotSpot's own structures lie in memory, as it tells debuggers: the table `gHotSpotVMStructs`.

use std::ffi::{CStr, c_char, c_void};
use std::ptr;

use crate::platform;
use crate::vm::image;

/// The table, and where its entries have what is read here.
struct Table {
    entries: *const u8,
    stride: usize,
    type_name: usize,
    field_name: usize,
    offset: usize,
}

/// How far into a structure `type_name` its field is; none if this VM does not tell.
pub(crate) fn offset_of(type_name: &CStr, field_name: &CStr) -> Option<usize> {
    let table = Table::find()?;
    let mut entry = table.entries;
    loop {
        // SAFETY: as the table describes itself; its last entry has no names.
        let (in_type, field, offset) = unsafe {
            (
                entry.add(table.type_name).cast::<*const c_char>().read(),
                entry.add(table.field_name).cast::<*const c_char>().read(),
                entry.add(table.offset).cast::<u64>().read(),
            )
        };
        if in_type.is_null() || field.is_null() {
            return None;
        }
        // SAFETY: C strings of the VM, for as long as it lives.
        if unsafe { CStr::from_ptr(in_type) == type_name && CStr::from_ptr(field) == field_name } {
            return usize::try_from(offset).ok();
        }
        entry = entry.wrapping_add(table.stride);
    }
}

impl Table {
    fn find() -> Option<Self> {
        let vm = image::vm();
        if vm.is_null() {
            return None;
        }
        // SAFETY: the VM's own pointer; its functions lie in the library that has the table.
        let inside = unsafe { (**vm).v1_1.DestroyJavaVM } as *const c_void;
        let symbol = |name| platform::symbol_beside(inside, name).filter(|found| !found.is_null());
        // SAFETY: what has these names is a pointer, and numbers of eight bytes.
        let number = |name| symbol(name).map(|at| unsafe { at.cast::<u64>().read() } as usize);
        let table = Self {
            // SAFETY: as above.
            entries: symbol(c"gHotSpotVMStructs")
                .map_or(ptr::null(), |at| unsafe { at.cast::<*const u8>().read() }),
            stride: number(c"gHotSpotVMStructEntryArrayStride")?,
            type_name: number(c"gHotSpotVMStructEntryTypeNameOffset")?,
            field_name: number(c"gHotSpotVMStructEntryFieldNameOffset")?,
            offset: number(c"gHotSpotVMStructEntryOffsetOffset")?,
        };
        (!table.entries.is_null() && table.stride > 0).then_some(table)
    }
}
