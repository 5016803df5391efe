//! ISPL: files, mistakes, meaning, printing, arbitrary input.

mod errors;
mod files;
mod meaning;
mod print;
mod robust;
mod support;
