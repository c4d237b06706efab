// SPDX-License-Identifier: MIT
//! Where the library is: JFREC_RECORDER_LIB, or where pkg-config says, or where the linker looks.

use std::process::Command;

fn main() {
    println!("cargo:rerun-if-env-changed=JFREC_RECORDER_LIB");
    if let Ok(directory) = std::env::var("JFREC_RECORDER_LIB") {
        println!("cargo:rustc-link-search=native={}", directory);
    } else if let Ok(said) = Command::new("pkg-config").args(&["--libs-only-L", "libjfrec-recorder"]).output() {
        for word in String::from_utf8_lossy(&said.stdout).split_whitespace() {
            println!("cargo:rustc-link-search=native={}", word.trim_start_matches("-L"));
        }
    }
    println!("cargo:rustc-link-lib=jfrec-recorder");
}
