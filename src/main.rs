//! The `articula` command.
fn main() {}
