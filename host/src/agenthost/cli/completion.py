"""`agenthost completion`: the script by which a shell completes what follows `agenthost`."""

from __future__ import annotations

import click

from agenthost.cli.completing import script_for

_SHELLS = ("bash", "zsh", "fish")


@click.command()
@click.argument("shell", type=click.Choice(_SHELLS))
def completion(shell: str) -> None:
    """Print what lets a shell complete commands, options, and the names of tools and plugins.

    \b
    eval "$(agenthost completion bash)"       in ~/.bashrc
    eval "$(agenthost completion zsh)"        in ~/.zshrc, after compinit
    agenthost completion fish > ~/.config/fish/completions/agenthost.fish
    """
    click.echo(script_for(shell), nl=False)
