"""`pigro completion`: the script that makes a shell complete `pigro` commands."""

from __future__ import annotations

import click


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """Print a script that completes pigro commands in a shell.

    \b
    bash, in ~/.bashrc:                    eval "$(pigro completion bash)"
    zsh, in ~/.zshrc:                      eval "$(pigro completion zsh)"
    fish, in ~/.config/fish/config.fish:   pigro completion fish | source
    """
    from click.shell_completion import get_completion_class

    kind = get_completion_class(shell)
    assert kind is not None, "click knows the shells of the choice"
    click.echo(kind(ctx.find_root().command, {}, "pigro", "_PIGRO_COMPLETE").source())
