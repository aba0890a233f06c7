//! The class through which copies of the Java classes reach an image that is there already.
//!
//! Both sides make it: the image in the boot class loader, a copy in one of its own. Its name has
//! the number of the boundary, so that images of different ABIs have different doors, and nothing
//! that a tool which relocates packages would rename.

/// `jvmtools/Door1`.
pub fn name(abi: i32) -> String {
    format!("jvmtools/Door{abi}")
}

/// The class file of `public final class Door1 { public static native void admit(Class); }`
pub fn class_file(abi: i32) -> Vec<u8> {
    const JAVA_8: u16 = 52;
    const PUBLIC_FINAL_SUPER: u16 = 0x0031;
    const PUBLIC_STATIC_NATIVE: u16 = 0x0109;
    let [door, object, admit, descriptor] = [1, 2, 3, 4];
    let [door_class, object_class, constants] = [5, 6, 7];
    let none = 0;

    let mut file = vec![0xca, 0xfe, 0xba, 0xbe];
    put(&mut file, &[0, JAVA_8, constants]);
    put_name(&mut file, &name(abi));
    put_name(&mut file, "java/lang/Object");
    put_name(&mut file, "admit");
    put_name(&mut file, "(Ljava/lang/Class;)V");
    put_class(&mut file, door);
    put_class(&mut file, object);
    put(&mut file, &[PUBLIC_FINAL_SUPER, door_class, object_class]);
    let (interfaces, fields, methods, attributes) = (none, none, 1, none);
    put(&mut file, &[interfaces, fields, methods]);
    put(&mut file, &[PUBLIC_STATIC_NATIVE, admit, descriptor, none]);
    put(&mut file, &[attributes]);
    file
}

fn put_name(file: &mut Vec<u8>, name: &str) {
    file.push(1);
    put(file, &[name.len() as u16]);
    file.extend_from_slice(name.as_bytes());
}

fn put_class(file: &mut Vec<u8>, name: u16) {
    file.push(7);
    put(file, &[name]);
}

fn put(file: &mut Vec<u8>, numbers: &[u16]) {
    for number in numbers {
        file.extend_from_slice(&number.to_be_bytes());
    }
}
