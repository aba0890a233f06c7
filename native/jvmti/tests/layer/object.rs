use jni::sys::{jint, jlong, jobject};

use crate::fake::{every_way, object, slot};

slot!(GetObjectSize(object: jobject) -> (size: jlong = 1 << 40));

#[test]
fn object_size_is_in_bytes() {
    let result = every_way(
        "GetObjectSize",
        |table| table.GetObjectSize = Some(GetObjectSize),
        |env| env.object_size(&object(0x10)),
    );
    assert_eq!(result, (1 << 40, vec![0x10]));
}

slot!(GetObjectHashCode(object: jobject) -> (hash: jint = -5));

#[test]
fn object_hash_code_may_be_negative() {
    let result = every_way(
        "GetObjectHashCode",
        |table| table.GetObjectHashCode = Some(GetObjectHashCode),
        |env| env.object_hash_code(&object(0x10)),
    );
    assert_eq!(result, (-5, vec![0x10]));
}
