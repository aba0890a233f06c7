//! Linker flags of the one image.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_OS").as_deref() == Ok("linux") {
        // Unmapped with an event armed, the next event is a SIGSEGV: the image stays until exit.
        println!("cargo::rustc-cdylib-link-arg=-Wl,-z,nodelete");
    }
}
