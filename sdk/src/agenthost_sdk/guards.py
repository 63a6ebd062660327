"""The protocol of an action guard, which stands before and behind every action."""

from __future__ import annotations

from agenthost_sdk.actions import ToolAction, ToolSpec
from agenthost_sdk.artifacts import BaseArtifact


class BaseActionGuard:
    """Look at each action before it runs, and at what came of it: let pass, change or refuse.

    A whole plugin:

        from dataclasses import replace
        from agenthost_sdk import BaseActionGuard, DeniedError, TextArtifact, hookimpl

        class NoSecrets(BaseActionGuard):
            '''Keep a password out of what runs, and out of what a model is shown.'''

            def before(self, action, spec):
                if "hunter2" in str(action.input):
                    raise DeniedError("A password must not stand in an action.")
                return action

            def after(self, action, output):
                if "hunter2" in output.to_text():
                    return TextArtifact(output.to_text().replace("hunter2", "…"))
                return output

        @hookimpl
        def agenthost_action_guards():
            return [NoSecrets]

    Guards are asked one after the other, in the order of their plugins: an action that the rules
    deny reaches none of them, and a person who is asked for a yes sees what they left of it. An
    action that one of them refuses does not run, and the model reads why.

    One that raises anything but a `DeniedError` refuses too, and is named: what a guard could not
    look at does not pass. One guard serves many threads at once, and `before` and `after` of one
    action may run in different ones; both are plain functions.
    """

    def before(self, action: ToolAction, spec: ToolSpec) -> ToolAction:  # noqa: ARG002 - for those who write their own
        """Look at an action that is about to run, and return it or one with another input.

        Args:
            action: A valid action. `dataclasses.replace(action, input=…)` changes its input, which
                is then validated anew; its tag, name and path stay as they are.
            spec: What is known of its activity, such as its annotations.

        Raises:
            DeniedError: It is not to run; the message is for the model.
        """
        return action

    def after(self, action: ToolAction, output: BaseArtifact) -> BaseArtifact:  # noqa: ARG002 - likewise
        """Look at what came of an action, and return it or something in its place.

        Nobody else has seen the output yet, the listeners to events included. An activity that
        did not end in its time has none, and is not looked at.

        Raises:
            DeniedError: Nobody is to see the output; the message is for the model.
        """
        return output
