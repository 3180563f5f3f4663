//! Arguments, settings, telemetry, run, exit code.

fn main() -> std::process::ExitCode {
    querent::cli::main()
}
