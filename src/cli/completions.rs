//! `querent completions` and `querent man`: what shells and manuals know of the arguments, from the arguments themselves.

use std::{io, path::PathBuf, process::ExitCode};

use clap::Command;
use clap_complete::Shell;

use super::Failure;

/// Print what a shell needs to complete arguments
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  querent completions bash > /etc/bash_completion.d/querent
  querent completions zsh > ~/.zfunc/_querent
  querent completions fish > ~/.config/fish/completions/querent.fish")]
pub(super) struct Arguments {
    /// The shell
    shell: Shell,
}

/// Write manual pages, one for each command
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  querent man /usr/local/share/man/man1")]
pub(super) struct ManArguments {
    /// The folder that they go to; it is made where it is not there
    dir: PathBuf,
}

/// Prints the completions.
pub(super) fn run(arguments: &Arguments, command: &mut Command) -> Result<ExitCode, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, command, "querent", &mut script);
    io::Write::write_all(&mut io::stdout().lock(), &script)?;
    Ok(ExitCode::SUCCESS)
}

/// Writes the pages.
pub(super) fn man(arguments: &ManArguments, command: Command) -> Result<ExitCode, Failure> {
    let failed = |error: io::Error| {
        Failure::new(format!("{}: {error}", arguments.dir.display()))
            .hint("name a folder that you may write to")
    };
    std::fs::create_dir_all(&arguments.dir).map_err(failed)?;
    clap_mangen::generate_to(command, &arguments.dir).map_err(failed)?;
    Ok(ExitCode::SUCCESS)
}
