//! The `articula` command.

fn main() -> std::process::ExitCode {
    articula::cli::main()
}
